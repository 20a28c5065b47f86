/* src/report/terminal/section_balance.c: the section "Load balance": computation time of the CPU threads. */
#include "summary_sections.h"

#include "escape.h"
#include "memory.h"
#include "time_text.h"

/* Of CPU threads: what runs on a device is not balanced with them. */
typedef struct balance {
    const hd_cube_location *most; /* computes longest; NULL: there is no thread */
    double                  longest, mean;
    uint32_t                n, n_processes; /* threads, and processes that have one */
} balance;

static hd_status
sum_up_balance(hd_summary_page *summary, uint32_t metric, balance *b)
{
    hd_cube  *cube   = summary->cube;
    double   *values = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    bool     *has    = HD_NEW_ARRAY(bool, (size_t)cube->n_groups + 1);
    hd_status status = hd_cube_sum(cube, metric, NULL, values);

    for (uint32_t i = 0; status == HD_OK && i < cube->n_locations; i++) {
        const hd_cube_location *location = &cube->locations[i];

        if (strcmp(location->type, "thread") != 0)
            continue;
        if (b->most == NULL || values[i] > b->longest) {
            b->most    = location;
            b->longest = values[i];
        }
        b->n++;
        b->n_processes += !has[location->group];
        has[location->group] = true;
        b->mean += values[i];
    }
    b->mean /= b->n > 0 ? b->n : 1;
    free(values);
    free(has);
    return status;
}

/* free() it. */
static char *
name_of_most(const balance *b)
{
    if (b->n_processes == b->n)
        return hd_format("process %" PRIu32, b->most->process);
    return b->n_processes == 1 ? hd_escaped(b->most->name) :
           hd_format("process %" PRIu32 " thread %" PRIu32, b->most->process, b->most->thread);
}

static void
print_balance(const hd_summary_page *summary, const balance *b)
{
    char *who  = name_of_most(b);
    char *text = hd_format("load balance efficiency: %.1f %% (mean / maximum computation time of %" PRIu32
                           " CPU threads)", hd_share(b->mean, b->longest), b->n);

    hd_summary_page_sentence(summary, 2, text);
    free(text);
    text = hd_format("%s computes longest: %s, %.1f %% above the mean of %s", who, hd_time_text_of(b->longest).text,
                     hd_share(b->longest - b->mean, b->mean), hd_time_text_of(b->mean).text);
    hd_summary_page_sentence(summary, 2, text);
    free(text);
    free(who);
    if (b->longest > 1.05 * b->mean)
        fprintf(summary->file, "  potential saving: at most %s\n", hd_time_text_of(b->longest - b->mean).text);
    else
        fprintf(summary->file, "  the computation is well balanced over the %s\n",
                b->n_processes == b->n ? "processes" : "threads");
}

static void
put_balance(const hd_summary_page *summary, const balance *b, uint32_t metric)
{
    const hd_cube *cube = summary->cube;

    hd_json_object(summary->json, summary->key);
    hd_json_metric(summary->json, cube->metrics[metric].id, cube->metrics[metric].name);
    hd_json_number(summary->json, "efficiency", b->mean / b->longest);
    hd_json_count(summary->json, "cpu_threads", b->n);
    hd_json_number(summary->json, "mean", b->mean);
    hd_json_object(summary->json, "longest");
    hd_json_count(summary->json, "process", b->most->process);
    hd_json_index(summary->json, "thread", b->n_processes == b->n ? HD_NONE : b->most->thread);
    hd_json_number(summary->json, "value", b->longest);
    hd_json_end(summary->json);
    hd_json_number(summary->json, "potential_saving", b->longest - b->mean);
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
    else if (status == HD_OK && b.mean > 0 && b.n > 1)
        print_balance(summary, &b);
    return status;
}
