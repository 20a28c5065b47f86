/* src/report/terminal/section_time.c: the section "Time breakdown": the metric tree below time, as sums over all processes and threads. */
#include "summary_sections.h"

#include "escape.h"
#include "memory.h"

#define SMALL_SHARE 0.005 /* of all the time: smaller metrics are not shown */

static uint32_t
depth_of(const hd_cube *cube, uint32_t metric)
{
    uint32_t depth = 0;

    for (uint32_t i = cube->metrics[metric].parent; i != HD_NONE; i = cube->metrics[i].parent)
        depth++;
    return depth;
}

/* All of them, also small ones. */
static void
put_metric(const hd_summary_page *summary, uint32_t number, double sum)
{
    const hd_cube_metric *metric = &summary->cube->metrics[number];

    hd_json_object(summary->json, NULL);
    hd_json_metric(summary->json, metric->id, metric->name);
    hd_json_text(summary->json, "parent", metric->parent != HD_NONE ? summary->cube->metrics[metric->parent].id : NULL);
    hd_json_share(summary->json, sum, summary->time);
    hd_json_end(summary->json);
}

hd_status
hd_section_time(hd_summary_page *summary)
{
    const hd_cube *cube     = summary->cube;
    uint32_t       time     = hd_cube_metric_by_id(cube, "time");
    uint32_t       n_folded = 0, n_zero = 0;

    if (time == HD_NONE)
        return HD_OK;
    if (summary->json != NULL)
        hd_json_array(summary->json, summary->key);
    else
        hd_summary_page_sentence(summary, 2, summary->cube->n_locations > summary->cube->n_groups ? "Sum over all processes and threads."
                                                                                                  : "Sum over all processes.");
    for (uint32_t metric = 0; metric < cube->n_metrics; metric++) {
        double sum   = summary->totals[metric].sum;
        char  *text  = NULL;
        size_t bytes = 0;
        FILE  *stream;

        if (!hd_metric_is_below(cube, metric, time) || !cube->metrics[metric].is_additive)
            continue;
        if (summary->json != NULL) {
            put_metric(summary, metric, sum);
            continue;
        }
        if (metric != time && sum < SMALL_SHARE * summary->time && sum > -SMALL_SHARE * summary->time && !summary->options.is_verbose) {
            n_folded += sum != 0;
            n_zero += sum == 0;
            continue;
        }
        stream = open_memstream(&text, &bytes);
        if (stream == NULL)
            hd_fatal("out of memory: the summary cannot be written");
        fprintf(stream, "  %*s", (int)(2 * depth_of(cube, metric) % 40), "");
        hd_write_escaped(stream, cube->metrics[metric].name);
        if (fclose(stream) != 0)
            hd_fatal("out of memory: the summary cannot be written");
        hd_summary_page_row(summary, 0, text, sum, hd_share(sum, summary->time));
        free(text);
    }
    if (summary->json != NULL)
        hd_json_end(summary->json);
    if (n_folded > 0)
        fprintf(summary->file, "  (%" PRIu32 " more metric%s below %.1f %% not shown)\n", n_folded, hd_plural(n_folded), 100 * SMALL_SHARE);
    if (n_zero > 0)
        fprintf(summary->file, "  (%" PRIu32 " more metric%s zero)\n", n_zero, n_zero == 1 ? " is" : "s are");
    return HD_OK;
}
