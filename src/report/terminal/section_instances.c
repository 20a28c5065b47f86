/* src/report/terminal/section_instances.c: the section "Wait-state instances": how long single waits were, and the most
 * severe ones. */
#include "summary_sections.h"

#include "instance_json.h"
#include "instance_list.h"
#include "instances_page.h"
#include "memory.h"
#include "metric.h"

static void
print_spread(const hd_summary_page *page, const hd_statistic_entry *all)
{
    char *text = hd_statistic_words(all);

    hd_summary_page_list(page, 4, text);
    free(text);
}

/* "process 1", and its thread where the report has several of it. */
static char *
who_waited(const hd_cube *cube, const hd_instance_entry *instance)
{
    uint32_t n_threads = 0;

    for (uint32_t i = 0; i < cube->n_locations; i++)
        n_threads += cube->locations[i].process == instance->process;
    if (n_threads > 1)
        return hd_format("process %" PRIu32 ", thread %" PRIu32, instance->process, instance->thread);
    return hd_format("process %" PRIu32, instance->process);
}

static void
print_instance(const hd_summary_page *page, const hd_instance_entry *instance, double sum)
{
    char *who  = who_waited(page->cube, instance);
    char *whom = instance->peer != HD_NONE ? hd_format(" waiting for process %" PRIu32, instance->peer) : hd_strdup("");
    char *text = hd_format("instance %" PRIu32 ": %s%s, from %.9g s to %.9g s", instance->number, who, whom,
                           instance->enter, instance->leave);

    hd_summary_page_path(page, 4, instance->path, instance->waiting, hd_share(instance->waiting, sum));
    hd_summary_page_list(page, 6, text);
    free(who);
    free(whom);
    free(text);
}

/* Those of a metric are in order. */
static void
print_metric(const hd_summary_page *page, const hd_instance_list *list, uint32_t metric)
{
    const hd_statistic_entry *all   = hd_instance_list_statistic(list, metric);
    char                     *title = hd_metric_title(metric);
    uint32_t                  n     = 0;

    hd_summary_page_row(page, 2, title, all->sum, hd_share(all->sum, page->time));
    free(title);
    print_spread(page, all);
    for (size_t i = 0; i < list->n_instances && n < page->options.n_instances; i++)
        if (list->instances[i].metric == metric) {
            print_instance(page, &list->instances[i], all->sum);
            n++;
        }
}

static void
put_metric(const hd_summary_page *page, const hd_instance_list *list, const hd_statistic_entry *all)
{
    uint32_t n = 0;

    hd_json_object(page->json, NULL);
    hd_json_statistic(page->json, all);
    hd_json_array(page->json, "instances");
    for (size_t i = 0; i < list->n_instances && n < page->options.n_instances; i++)
        if (list->instances[i].metric == all->metric) {
            hd_json_instance(page->json, page->cube, &list->instances[i]);
            n++;
        }
    hd_json_end(page->json);
    hd_json_end(page->json);
}

static void
print_list(const hd_summary_page *page, const hd_instance_list *list)
{
    double   sums[HD_N_METRICS] = { 0 }, value;
    uint32_t metric;

    for (size_t i = 0; i < list->n_statistics; i++)
        if (list->statistics[i].path == HD_NONE && hd_metric_is_wait_state(list->statistics[i].metric))
            sums[list->statistics[i].metric] = list->statistics[i].sum;
    for (uint32_t i = 0; i < page->options.n_top && (metric = hd_take_largest(sums, HD_N_METRICS, &value)) != HD_NONE;
         i++) {
        if (page->json != NULL) {
            put_metric(page, list, hd_instance_list_statistic(list, metric));
            continue;
        }
        if (i == 0) {
            hd_summary_page_sentence(page, 2, "Distribution of single waits, and the most severe ones. An instance is "
                                     "a call that waited, or all "
                                              "members of a collective operation or barrier. Process and times are "
                                     "then those of the longest wait.");
        }
        print_metric(page, list, metric);
    }
}

hd_status
hd_section_instances(hd_summary_page *page)
{
    hd_instance_list list;
    hd_status        status = hd_instance_list_read(page->cube, &list);

    if (status == HD_OK && list.is_there && page->json != NULL)
        hd_json_array(page->json, page->key);
    if (status == HD_OK)
        print_list(page, &list);
    if (status == HD_OK && list.is_there && page->json != NULL)
        hd_json_end(page->json);
    hd_instance_list_fini(&list);
    return status;
}
