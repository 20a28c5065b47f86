/* src/report/terminal/section_critical.c: the section "Critical path": the call paths that determine the run time. */
#include "summary_sections.h"

#include "memory.h"
#include "time_text.h"

#define MIN_SHARE 0.05 /* of all: what is named */

static void
print_imbalance(const hd_summary_page *page, double seconds, double resources)
{
    char *text;

    if (hd_share(seconds, resources) < 0.05)
        return;
    text = hd_format("imbalance impact: %s (%.1f %% of allocated core time)", hd_time_text_of(seconds).text,
                     hd_share(seconds, resources));
    hd_summary_page_sentence(page, 4, text);
    free(text);
}

static void
put_imbalance(const hd_summary_page *page, double seconds, double resources)
{
    hd_json_object(page->json, "imbalance");
    hd_json_share(page->json, seconds, resources);
    hd_json_end(page->json);
}

static void
print_length(const hd_summary_page *page, double length, double imbalance, double resources)
{
    if (page->json != NULL) {
        hd_json_object(page->json, page->key);
        hd_json_number(page->json, "length", length);
        put_imbalance(page, imbalance, resources);
        hd_json_array(page->json, "call_paths");
        return;
    }
    hd_summary_page_sentence(page, 2,
        "The longest chain of dependent activities. It determines the run time: the run gets shorter only where this "
                             "chain does.");
    hd_summary_page_row(page, 2, "Length", length, 100);
    print_imbalance(page, imbalance, resources);
}

static void
print_path(const hd_summary_page *page, uint32_t path, double value, double length, double imbalance, double resources)
{
    if (page->json != NULL) {
        hd_summary_page_put_path(page, path, value, length);
        put_imbalance(page, imbalance, resources);
        return;
    }
    hd_summary_page_path(page, 2, path, value, hd_share(value, length));
    print_imbalance(page, imbalance, resources);
}

hd_status
hd_section_critical(hd_summary_page *page)
{
    hd_status               status    = HD_OK;
    const hd_metric_totals *length    = hd_summary_page_totals(page, HD_METRIC_critical_path, &status);
    const hd_metric_totals *impact    = hd_summary_page_totals(page, HD_METRIC_critical_imbalance_impact, &status);
    uint32_t                metric    = hd_cube_metric_by_id(page->cube, "critical_path");
    const hd_metric_totals *nbc       = hd_summary_page_totals(page, HD_METRIC_mpi_nbc_wait, &status);
    double                  resources = hd_total_of(impact);
    bool                    has_nbc   = false;
    double                 *sums;

    resources += hd_total_of(hd_summary_page_totals(page, HD_METRIC_critical_path_activities, &status));
    resources += hd_total_of(hd_summary_page_totals(page, HD_METRIC_non_critical_path_activities, &status));

    if (status != HD_OK || hd_total_of(length) <= 0)
        return status;
    print_length(page, length->sum, hd_total_of(impact), resources);
    sums = HD_NEW_ARRAY(double, (size_t)page->cube->n_paths + 1);
    memcpy(sums, length->of_path, page->cube->n_paths * sizeof *sums);
    for (uint32_t i = 0; i < page->options.n_top && status == HD_OK; i++) {
        double   value;
        uint32_t path = hd_take_largest(sums, page->cube->n_paths, &value);

        if (path == HD_NONE || (i > 0 && value < MIN_SHARE * length->sum))
            break;
        has_nbc |= hd_total_at(nbc, path) > 0;
        print_path(page, path, value, length->sum, hd_total_at(impact, path), resources);
        status = hd_summary_page_carriers(page, 4, &metric, 1, path);
        if (page->json != NULL)
            hd_json_end(page->json);
    }
    if (page->json != NULL) {
        hd_json_end(page->json);
        hd_json_end(page->json);
    } else if (has_nbc)
        hd_summary_page_sentence(page, 2, "A call that waits in a non-blocking collective is on the path itself: the path "
                                          "does not go on at the process that it waits for.");
    free(sums);
    return status;
}
