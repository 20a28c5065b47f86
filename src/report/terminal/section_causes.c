/* src/report/terminal/section_causes.c: the section "Root causes of wait states": the call paths with the largest delay
 * costs. */
#include "summary_sections.h"

#include "cause_list.h"
#include "memory.h"
#include "work_or_speed.h"

enum { N_CAUSES = 5 }; /* to name at least */

#define N_EFFECTS    2    /* of a cause to name at most */
#define MIN_SHARE  0.05 /* of all: what is named */
#define MIN_EFFECT 0.1  /* of the cause: what is named */

typedef struct cause_sums {
    const hd_metric_totals *short_term[HD_N_DELAYS], *long_term[HD_N_DELAYS];
    double                 *of_path; /* [n_paths] of all kinds, short- and long-term */
    double                  whole;   /* with what is not attributed */
    double                  unattributed;
    bool                    has_idle; /* of OpenMP: not among the wait states */
    hd_cause_list           list;    /* where it causes waiting */
    hd_speed_counters       counters;
} cause_sums;

static hd_status
sum_up_causes(hd_summary_page *page, cause_sums *sums)
{
    hd_status status = HD_OK;

    sums->of_path = HD_NEW_ARRAY(double, (size_t)page->cube->n_paths + 1);
    for (uint32_t kind = 0; kind < HD_N_DELAYS; kind++) {
        sums->short_term[kind] = hd_summary_page_totals(page, hd_delay_infos[kind].short_term, &status);
        sums->long_term[kind]  = hd_summary_page_totals(page, hd_delay_infos[kind].long_term, &status);
        sums->unattributed += hd_total_of(hd_summary_page_totals(page, hd_delay_infos[kind].unattributed, &status));
        sums->whole += hd_total_of(sums->short_term[kind]) + hd_total_of(sums->long_term[kind]);
        sums->has_idle |= strcmp(hd_delay_infos[kind].id, "ompidle") == 0 &&
                          hd_total_of(sums->short_term[kind]) + hd_total_of(sums->long_term[kind]) > 0;
        for (uint32_t path = 0; path < page->cube->n_paths; path++)
            sums->of_path[path] += hd_total_at(sums->short_term[kind], path) + hd_total_at(sums->long_term[kind], path);
    }
    sums->whole += sums->unattributed;
    if (status == HD_OK)
        status = hd_cause_list_read(page->cube, false, &sums->list);
    return status == HD_OK ? hd_speed_counters_read(page->cube, &sums->counters) : status;
}

/* How it makes others wait, and in which wait states. */
static void
put_kinds(const hd_summary_page *page, const cause_sums *sums, uint32_t path, double whole)
{
    double   of_kind[HD_N_DELAYS], long_term = 0, value;
    uint32_t kind;

    for (kind = 0; kind < HD_N_DELAYS; kind++) {
        of_kind[kind] = hd_total_at(sums->short_term[kind], path) + hd_total_at(sums->long_term[kind], path);
        long_term += hd_total_at(sums->long_term[kind], path);
    }
    hd_json_number(page->json, "short_term", whole - long_term);
    hd_json_number(page->json, "long_term", long_term);
    hd_json_array(page->json, "wait_states");
    while ((kind = hd_take_largest(of_kind, HD_N_DELAYS, &value)) != HD_NONE) {
        hd_json_object(page->json, NULL);
        hd_json_text(page->json, "wait_state", hd_delay_infos[kind].id);
        hd_json_text(page->json, "name", hd_metric_infos[hd_delay_infos[kind].unattributed].name);
        hd_json_share(page->json, value, whole);
        hd_json_end(page->json);
    }
    hd_json_end(page->json);
}

static void
print_kinds(const hd_summary_page *page, const cause_sums *sums, uint32_t path, double whole)
{
    double   of_kind[HD_N_DELAYS], long_term = 0, value;
    char    *text;
    uint32_t kind;

    for (kind = 0; kind < HD_N_DELAYS; kind++) {
        of_kind[kind] = hd_total_at(sums->short_term[kind], path) + hd_total_at(sums->long_term[kind], path);
        long_term += hd_total_at(sums->long_term[kind], path);
    }
    text = hd_format("short-term %.0f %%, long-term %.0f %%", hd_share(whole - long_term, whole),
                     hd_share(long_term, whole));
    hd_summary_page_list(page, 4, text);
    free(text);
    text = hd_strdup("contributes to:");
    for (const char *between = " "; (kind = hd_take_largest(of_kind, HD_N_DELAYS, &value)) != HD_NONE; between = ", ") {
        const char *name = hd_metric_infos[hd_delay_infos[kind].unattributed].name;
        char       *longer;

        if (hd_share(value, whole) < 0.5)
            break;
        longer = hd_format("%s%s%s %.0f %%", text, between, name, hd_share(value, whole));
        free(text);
        text = longer;
    }
    hd_summary_page_list(page, 4, text);
    free(text);
}

/* The call paths at which it causes most of the waiting, those first. most: [N_EFFECTS + 1] NULL behind them */
static void
find_effects(const cause_sums *sums, uint32_t path, double whole, const hd_cause_entry **most)
{
    for (size_t i = 0; i < sums->list.n; i++) {
        const hd_cause_entry *entry = &sums->list.entries[i];
        uint32_t              at    = N_EFFECTS;

        if (entry->cause != path || entry->effect == HD_NONE)
            continue;
        for (; at > 0 && (most[at - 1] == NULL || hd_cause_value(most[at - 1]) < hd_cause_value(entry)); at--)
            most[at] = most[at - 1];
        most[at] = entry;
    }
    for (uint32_t i = 0; i <= N_EFFECTS; i++)
        if (i == N_EFFECTS || (most[i] != NULL && hd_cause_value(most[i]) < MIN_EFFECT * whole))
            most[i] = NULL;
}

static void
put_effects(const hd_summary_page *page, const cause_sums *sums, uint32_t path, double whole)
{
    const hd_cause_entry *most[N_EFFECTS + 1] = { NULL };

    find_effects(sums, path, whole, most);
    hd_json_array(page->json, "effects");
    for (uint32_t i = 0; most[i] != NULL; i++) {
        hd_summary_page_put_path(page, most[i]->effect, hd_cause_value(most[i]), whole);
        hd_json_text(page->json, "wait_state", hd_delay_infos[most[i]->delay].id);
        hd_json_end(page->json);
    }
    hd_json_end(page->json);
}

static void
print_effects(const hd_summary_page *page, const cause_sums *sums, uint32_t path, double whole)
{
    const hd_cause_entry *most[N_EFFECTS + 1] = { NULL };

    find_effects(sums, path, whole, most);
    for (uint32_t i = 0; most[i] != NULL; i++) {
        if (i == 0)
            fputs("    causes waiting at\n", page->file);
        hd_summary_page_noted_path(page, 6, most[i]->effect,
                                   hd_metric_infos[hd_delay_infos[most[i]->delay].unattributed].name,
                                   hd_cause_value(most[i]), hd_share(hd_cause_value(most[i]), sums->whole));
    }
}

/* Whether it was more work or slower work, where counters say so. metrics: [n] its delay costs */
static hd_status
print_work_or_speed(hd_summary_page *page, const cause_sums *sums, const uint32_t *metrics, uint32_t n, uint32_t path)
{
    const hd_speed_counters *counters = &sums->counters;
    double                  *costs    = HD_NEW_ARRAY(double, (size_t)page->cube->n_locations + 1);
    hd_work_or_speed         found    = { 0 };
    hd_status                status   = HD_OK;

    if (counters->is_there && !hd_path_is_communication(page->cube, path)) {
        for (uint32_t m = 0; m < n && status == HD_OK; m++) {
            bool any;

            status = hd_cube_row(page->cube, metrics[m], path, page->row, &any);
            for (uint32_t i = 0; i < page->cube->n_locations && status == HD_OK; i++)
                costs[i] += page->row[i];
        }
        if (status == HD_OK)
            status = hd_work_or_speed_find(page->cube, counters, path, costs, &found);
    }
    free(costs);
    if (status == HD_OK && page->json != NULL)
        hd_work_or_speed_put(page->json, page->cube, counters, &found);
    else if (status == HD_OK && found.is_known) {
        char *text = hd_work_or_speed_text(page->cube, counters, &found);

        hd_summary_page_sentence(page, 4, text);
        free(text);
    }
    return status;
}

static hd_status
print_cause(hd_summary_page *page, const cause_sums *sums, uint32_t path, double value)
{
    uint32_t  metrics[2 * HD_N_DELAYS], n = 0;
    hd_status status;

    if (page->json != NULL) {
        hd_summary_page_put_path(page, path, value, sums->whole);
        put_kinds(page, sums, path, value);
    } else {
        hd_summary_page_path(page, 2, path, value, hd_share(value, sums->whole));
        print_kinds(page, sums, path, value);
    }
    for (uint32_t kind = 0; kind < HD_N_DELAYS; kind++) {
        if (hd_total_at(sums->short_term[kind], path) > 0)
            metrics[n++] = (uint32_t)(sums->short_term[kind] - page->totals);
        if (hd_total_at(sums->long_term[kind], path) > 0)
            metrics[n++] = (uint32_t)(sums->long_term[kind] - page->totals);
    }
    status = hd_summary_page_carriers(page, 4, metrics, n, path);
    if (status == HD_OK)
        status = print_work_or_speed(page, sums, metrics, n, path);
    if (page->json != NULL) {
        put_effects(page, sums, path, value);
        hd_json_end(page->json);
    } else if (status == HD_OK)
        print_effects(page, sums, path, value);
    return status;
}

static void
print_other_causes(const hd_summary_page *page, const cause_sums *sums)
{
    double   value = 0;
    uint32_t n     = 0;

    for (uint32_t path = 0; path < page->cube->n_paths; path++) {
        n += sums->of_path[path] > 0;
        value += sums->of_path[path];
    }
    if (page->json != NULL) {
        hd_json_object(page->json, "others");
        hd_json_count(page->json, "call_paths", n);
        hd_json_share(page->json, value, sums->whole);
        hd_json_end(page->json);
        return;
    }
    if (n > 0) {
        char *text = hd_format("(%" PRIu32 " more call path%s)", n, n == 1 ? "" : "s");

        hd_summary_page_row(page, 2, text, value, hd_share(value, sums->whole));
        free(text);
    }
    if (sums->unattributed > 0)
        hd_summary_page_row(page, 2, "(unattributed)", sums->unattributed, hd_share(sums->unattributed, sums->whole));
}

static void
print_whole(const hd_summary_page *page, const cause_sums *sums)
{
    if (page->json != NULL) {
        hd_json_object(page->json, page->key);
        hd_json_number(page->json, "total", sums->whole);
        hd_json_number(page->json, "unattributed", sums->unattributed);
        hd_json_array(page->json, "call_paths");
        return;
    }
    hd_summary_page_sentence(page, 2,
        "A delay is computation or other work that made others wait: directly (short-term), or because the waiting "
                             "process "
        "then delayed others (propagated, long-term).");
    hd_summary_page_row(page, 2, sums->has_idle ? "Total waiting time analysed, idle threads included" :
                        "Total waiting time analysed", sums->whole, 100);
}

hd_status
hd_section_causes(hd_summary_page *page)
{
    cause_sums     sums   = { 0 };
    uint32_t       max_n  = page->options.n_top > N_CAUSES ? page->options.n_top : N_CAUSES;
    hd_cause_kinds kinds  = { 0 };
    hd_status      status = sum_up_causes(page, &sums);

    if (status != HD_OK || sums.whole <= 0)
        goto out;
    print_whole(page, &sums);
    for (uint32_t i = 0; i < max_n && status == HD_OK; i++) {
        double   value;
        uint32_t path = hd_take_largest(sums.of_path, page->cube->n_paths, &value);

        if (path == HD_NONE)
            break;
        if (i > 0 && value < MIN_SHARE * sums.whole) {
            sums.of_path[path] = value;
            break;
        }
        status = print_cause(page, &sums, path, value);
        if (status == HD_OK)
            status = hd_cause_kinds_add(&kinds, page, path);
    }
    if (page->json != NULL)
        hd_json_end(page->json);
    if (status == HD_OK)
        print_other_causes(page, &sums);
    if (page->json != NULL)
        hd_json_end(page->json);
    else
        hd_summary_page_cause_kinds(page, kinds);
out:
    hd_speed_counters_fini(&sums.counters);
    free(sums.list.entries);
    free(sums.of_path);
    return status;
}
