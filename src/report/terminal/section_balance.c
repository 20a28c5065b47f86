/* src/report/terminal/section_balance.c: the section "Load balance": computation time of processes and threads. */
#include "summary_sections.h"

#include <math.h>

#include "escape.h"
#include "memory.h"
#include "time_text.h"

/* Of processes; in a report of one process of its threads. What runs on a device is not balanced with them. */
typedef struct balance {
    double   *sums; /* [n] */
    uint32_t *who;  /* [n] location group, or location */
    uint32_t  n;
    double    mean, of_threads, most_of_thread; /* of_threads: mean of the CPU threads */
    uint32_t  most, n_threads;
} balance;

static bool
is_cpu_thread(const hd_cube_location *location)
{
    return strcmp(location->type, "thread") == 0;
}

static hd_status
sum_up_balance(hd_summary_page *summary, uint32_t metric, balance *b)
{
    hd_cube  *cube        = summary->cube;
    bool      are_threads = cube->n_groups == 1;
    double   *values      = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    hd_status status      = hd_cube_sum(cube, metric, NULL, values);

    b->n    = are_threads ? 0 : cube->n_groups;
    b->sums = HD_NEW_ARRAY(double, (size_t)cube->n_locations + cube->n_groups);
    b->who  = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_locations + cube->n_groups);
    for (uint32_t i = 0; i < b->n; i++)
        b->who[i] = i;
    for (uint32_t i = 0; status == HD_OK && i < cube->n_locations; i++) {
        if (!is_cpu_thread(&cube->locations[i]))
            continue;
        if (are_threads)
            b->who[b->n++] = i;
        b->sums[are_threads ? b->n - 1 : cube->locations[i].group] += values[i];
        b->n_threads++;
        b->of_threads += values[i];
        b->most_of_thread = values[i] > b->most_of_thread ? values[i] : b->most_of_thread;
    }
    b->of_threads /= b->n_threads > 0 ? b->n_threads : 1;
    for (uint32_t i = 0; i < b->n; i++) {
        b->mean += b->sums[i] / b->n;
        b->most = b->sums[i] > b->sums[b->most] ? i : b->most;
    }
    free(values);
    return status;
}

static uint32_t
process_of_group(const hd_cube *cube, uint32_t group)
{
    for (uint32_t i = 0; i < cube->n_locations; i++)
        if (cube->locations[i].group == group)
            return cube->locations[i].process;
    return 0;
}

static void
print_most(const hd_summary_page *summary, const balance *b)
{
    const hd_cube *cube = summary->cube;
    char          *who  = cube->n_groups == 1 ? hd_escaped(cube->locations[b->who[b->most]].name)
                                              : hd_format("process %" PRIu32, process_of_group(cube, b->who[b->most]));
    char          *text = hd_format("%s computes longest: %s, %.1f %% above the mean of %s", who,
                                    hd_time_text_of(b->sums[b->most]).text,
                                    hd_share(b->sums[b->most] - b->mean, b->mean), hd_time_text_of(b->mean).text);

    hd_summary_page_sentence(summary, 2, text);
    free(text);
    free(who);
    if (b->sums[b->most] > 1.05 * b->mean)
        fprintf(summary->file, "  potential saving: at most %s\n", hd_time_text_of(b->sums[b->most] - b->mean).text);
    else
        fprintf(summary->file, "  the computation is well balanced over the %s\n",
                cube->n_groups == 1 ? "threads" : "processes");
}

static void
print_efficiency(const hd_summary_page *summary, const balance *b)
{
    char *text = hd_format("load balance efficiency: %.1f %% (mean / maximum computation time of %" PRIu32
                           " CPU threads)", hd_share(b->of_threads, b->most_of_thread), b->n_threads);

    hd_summary_page_sentence(summary, 2, text);
    free(text);
}

static void
put_balance(const hd_summary_page *summary, const balance *b, uint32_t metric)
{
    const hd_cube *cube        = summary->cube;
    bool           are_threads = cube->n_groups == 1;

    hd_json_object(summary->json, summary->key);
    hd_json_metric(summary->json, cube->metrics[metric].id, cube->metrics[metric].name);
    hd_json_number(summary->json, "efficiency", b->most_of_thread > 0 ? b->of_threads / b->most_of_thread : NAN);
    hd_json_count(summary->json, "cpu_threads", b->n_threads);
    hd_json_number(summary->json, "mean", b->mean);
    hd_json_object(summary->json, "longest");
    hd_json_count(summary->json, "process", process_of_group(cube, are_threads ? 0 : b->who[b->most]));
    hd_json_index(summary->json, "thread", are_threads ? cube->locations[b->who[b->most]].thread : HD_NONE);
    hd_json_number(summary->json, "value", b->sums[b->most]);
    hd_json_end(summary->json);
    hd_json_number(summary->json, "potential_saving", b->sums[b->most] - b->mean);
    hd_json_end(summary->json);
}

hd_status
hd_section_balance(hd_summary_page *summary)
{
    static const char *const ids[] = { "comp", "execution" };
    hd_cube  *cube   = summary->cube;
    uint32_t  metric = HD_NONE;
    balance   b      = { 0 };
    hd_status status;

    for (size_t i = 0; i < sizeof ids / sizeof *ids && metric == HD_NONE; i++)
        metric = hd_cube_metric_by_id(cube, ids[i]);
    if (metric == HD_NONE)
        return HD_OK;
    status = sum_up_balance(summary, metric, &b);
    if (status == HD_OK && b.mean > 0 && b.n > 1 && summary->json != NULL)
        put_balance(summary, &b, metric);
    else if (status == HD_OK && b.mean > 0 && b.n > 1) {
        if (b.most_of_thread > 0)
            print_efficiency(summary, &b);
        print_most(summary, &b);
    }
    free(b.sums);
    free(b.who);
    return status;
}
