#include "summary.h"

#include <errno.h>

#include "algebra.h"
#include "cut.h"
#include "escape.h"
#include "finding.h"
#include "memory.h"
#include "metric.h"
#include "summary_clocks.h"
#include "summary_run.h"
#include "summary_waits.h"
#include "summary_when.h"
#include "summary_where.h"
#include "summary_why.h"

enum { MAX_FINDINGS_BYTES = 16 * 1024 * 1024 };

#define SMALL_SHARE 0.005 /* of all the time: folded away below */

static const char *
plural(double n)
{
    return n == 1 ? "" : "s";
}

/* ---- sums ---------------------------------------------------------------------------------------------------------------- */

static bool
is_below(const hd_cube *cube, uint32_t metric, uint32_t root)
{
    while (metric != HD_NONE && metric != root)
        metric = cube->metrics[metric].parent;
    return metric == root && root != HD_NONE;
}

static hd_status
sum_up_all(hd_summary_page *summary)
{
    static const char *const counts[] = { "visits", "comms_send", "syncs_send", "mpi_cls_count", "mpi_sls_count",
                                          "mpi_clr_count", "mpi_slr_count", "comms_cxch", "comms_csrc", "comms_cdst", "syncs_coll" };
    hd_cube  *cube   = summary->cube;
    uint32_t  time   = hd_cube_metric_by_id(cube, "time");
    hd_status status = HD_OK;

    for (uint32_t metric = 0; metric < cube->n_metrics && status == HD_OK; metric++) {
        bool ranks  = hd_metric_is_wait_state(hd_metric_by_id(cube->metrics[metric].id));
        bool wanted = ranks || is_below(cube, metric, time);

        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            wanted |= strcmp(cube->metrics[metric].id, counts[i]) == 0;
        if (wanted)
            status = hd_summary_page_sum(summary, metric, ranks);
    }
    summary->time = time != HD_NONE ? summary->totals[time].sum : 0;
    return status;
}

static double
total_of(const hd_summary_page *summary, const char *id)
{
    uint32_t metric = hd_cube_metric_by_id(summary->cube, id);

    return metric != HD_NONE ? summary->totals[metric].sum : 0;
}

/* ---- time breakdown ------------------------------------------------------------------------------------------------------ */

static uint32_t
depth_of(const hd_cube *cube, uint32_t metric)
{
    uint32_t depth = 0;

    for (uint32_t i = cube->metrics[metric].parent; i != HD_NONE; i = cube->metrics[i].parent)
        depth++;
    return depth;
}

static void
print_time(const hd_summary_page *summary)
{
    const hd_cube *cube     = summary->cube;
    uint32_t       time     = hd_cube_metric_by_id(cube, "time");
    uint32_t       n_folded = 0;

    if (time == HD_NONE)
        return;
    hd_summary_page_head(summary, HD_HEADING_time);
    hd_summary_page_sentence(summary, 2, summary->cube->n_locations > summary->cube->n_groups ? "Sum over all processes and threads."
                                                                                              : "Sum over all processes.");
    for (uint32_t metric = 0; metric < cube->n_metrics; metric++) {
        double sum   = summary->totals[metric].sum;
        char  *text  = NULL;
        size_t bytes = 0;
        FILE  *stream;

        if (!is_below(cube, metric, time) || !cube->metrics[metric].is_additive)
            continue;
        if (metric != time && sum < SMALL_SHARE * summary->time && sum > -SMALL_SHARE * summary->time) {
            n_folded += sum != 0;
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
    if (n_folded > 0)
        fprintf(summary->file, "  (%" PRIu32 " more metric%s below %.1f %% not shown)\n", n_folded, plural(n_folded), 100 * SMALL_SHARE);
}

/* ---- load balance -------------------------------------------------------------------------------------------------------- */

/* Of processes; in a report of one process of its threads. */
typedef struct balance {
    double  *sums;       /* [n] */
    uint32_t n;
    double   mean, of_threads, most_of_thread; /* of_threads: mean of the CPU threads */
    uint32_t most, n_threads;
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

    b->n    = are_threads ? cube->n_locations : cube->n_groups;
    b->sums = HD_NEW_ARRAY(double, (size_t)b->n + 1);
    for (uint32_t i = 0; status == HD_OK && i < cube->n_locations; i++) {
        b->sums[are_threads ? i : cube->locations[i].group] += values[i];
        if (!is_cpu_thread(&cube->locations[i]))
            continue;
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

    fputs("  ", summary->file);
    if (cube->n_groups == 1)
        hd_write_escaped(summary->file, cube->locations[b->most].name);
    else
        fprintf(summary->file, "process %" PRIu32, process_of_group(cube, b->most));
    fprintf(summary->file, " computes longest: %.6g s, %.1f %% above the mean of %.6g s\n", b->sums[b->most],
            hd_share(b->sums[b->most] - b->mean, b->mean), b->mean);
    if (b->sums[b->most] > 1.05 * b->mean)
        fprintf(summary->file, "  potential saving: at most %.6g s\n", b->sums[b->most] - b->mean);
    else
        fprintf(summary->file, "  the computation is well balanced over the %s\n", cube->n_groups == 1 ? "threads" : "processes");
}

static hd_status
print_balance(hd_summary_page *summary)
{
    static const char *const ids[] = { "comp", "execution" };
    hd_cube  *cube   = summary->cube;
    uint32_t  metric = HD_NONE;
    balance   b      = { 0 };
    hd_status status;

    for (size_t i = 0; i < sizeof ids / sizeof *ids && metric == HD_NONE; i++)
        metric = hd_cube_metric_by_id(cube, ids[i]);
    if (metric == HD_NONE || cube->n_locations < 2)
        return HD_OK;
    status = sum_up_balance(summary, metric, &b);
    if (status == HD_OK && b.mean > 0 && b.n > 1) {
        hd_summary_page_head(summary, HD_HEADING_balance);
        if (b.most_of_thread > 0)
            fprintf(summary->file, "  load balance efficiency: %.1f %% (mean / maximum computation time of %" PRIu32 " CPU threads)\n",
                    hd_share(b.of_threads, b.most_of_thread), b.n_threads);
        print_most(summary, &b);
    }
    free(b.sums);
    return status;
}

/* ---- top wait states ----------------------------------------------------------------------------------------------------- */

static hd_status
print_paths(hd_summary_page *summary, uint32_t metric)
{
    hd_cube  *cube   = summary->cube;
    double   *sums   = HD_NEW_ARRAY(double, (size_t)cube->n_paths + 1);
    hd_status status = HD_OK;

    memcpy(sums, summary->totals[metric].of_path, cube->n_paths * sizeof *sums);
    for (uint32_t i = 0; i < summary->options.n_top && status == HD_OK; i++) {
        double   value;
        uint32_t path = hd_take_largest(sums, cube->n_paths, &value);

        if (path == HD_NONE || value < 0.05 * summary->totals[metric].sum)
            break;
        hd_summary_page_path(summary, 6, path, value, hd_share(value, summary->totals[metric].sum));
        status = hd_summary_page_carriers(summary, 8, &metric, 1, path);
    }
    free(sums);
    return status;
}

static void
print_instances(const hd_summary_page *summary, const char *id)
{
    double messages = total_of(summary, "comms_send") + total_of(summary, "syncs_send");
    double n        = 0;

    if (strcmp(id, "mpi_latesender") == 0)
        n = total_of(summary, "mpi_cls_count") + total_of(summary, "mpi_sls_count");
    else if (strcmp(id, "mpi_latereceiver") == 0)
        n = total_of(summary, "mpi_clr_count") + total_of(summary, "mpi_slr_count");
    if (n > 0 && messages > 0)
        fprintf(summary->file, "    in %.0f of %.0f message%s\n", n, messages, plural(messages));
}

static const char *
interface_of(uint32_t metric)
{
    switch (hd_metric_infos[metric].build) {
    case HD_BUILD_OPENMP:
    case HD_BUILD_OPENMP_EXTENSION: return "OpenMP";
    case HD_BUILD_PTHREAD:
    case HD_BUILD_PTHREAD_EXTENSION: return "POSIX threads";
    case HD_BUILD_SHMEM: return "SHMEM";
    default: return "MPI";
    }
}

static hd_status
print_wait_states(hd_summary_page *summary)
{
    hd_cube  *cube   = summary->cube;
    double   *sums   = HD_NEW_ARRAY(double, (size_t)cube->n_metrics + 1);
    bool      is_any = false; /* profiles have none */
    hd_status status = HD_OK;

    for (uint32_t i = 0; i < cube->n_metrics; i++) {
        bool is_one = hd_metric_is_wait_state(hd_metric_by_id(cube->metrics[i].id));

        sums[i] = is_one ? summary->totals[i].sum : 0;
        is_any |= is_one;
    }
    hd_summary_page_head(summary, HD_HEADING_waits);
    for (uint32_t i = 0; i < summary->options.n_top && status == HD_OK; i++) {
        double      value;
        uint32_t    metric = hd_take_largest(sums, cube->n_metrics, &value);
        const char *id;
        char       *text;

        if (metric == HD_NONE) {
            if (i == 0)
                fputs(is_any ? "  none: no process or thread waited for another\n" : "  unknown: the report has no wait states, as it is not of a trace\n",
                      summary->file);
            break;
        }
        id = cube->metrics[metric].id;
        text = hd_format("%s (%s)", hd_metric_infos[hd_metric_by_id(id)].name, interface_of(hd_metric_by_id(id)));
        hd_summary_page_row(summary, 2, text, value, hd_share(value, summary->time));
        free(text);
        fprintf(summary->file, "    %s\n", hd_metric_infos[hd_metric_by_id(id)].what);
        print_instances(summary, id);
        status = print_paths(summary, metric);
    }
    free(sums);
    return status;
}

/* ---- communication statistics, trace diagnostics, analysis run ----------------------------------------------------------- */

static bool
has_any(const hd_summary_page *summary, const char *const *ids)
{
    for (; *ids != NULL; ids++)
        if (hd_cube_metric_by_id(summary->cube, *ids) != HD_NONE)
            return true;
    return false;
}

static void
print_counts(const hd_summary_page *summary)
{
    static const char *const of_messages[]    = { "comms_send", "syncs_send", NULL };
    static const char *const of_collectives[] = { "comms_cxch", "comms_csrc", "comms_cdst", "syncs_coll", NULL };

    double messages    = total_of(summary, "comms_send") + total_of(summary, "syncs_send");
    double collectives = total_of(summary, "comms_cxch") + total_of(summary, "comms_csrc") + total_of(summary, "comms_cdst") +
                         total_of(summary, "syncs_coll");

    double accesses    = total_of(summary, "comms_rma");

    hd_summary_page_head(summary, HD_HEADING_communication);
    fprintf(summary->file, "  %.0f call%s", total_of(summary, "visits"), plural(total_of(summary, "visits")));
    if (has_any(summary, of_messages))
        fprintf(summary->file, ", %.0f message%s sent", messages, plural(messages));
    if (has_any(summary, of_collectives))
        fprintf(summary->file, ", %.0f call%s of collective operations", collectives, plural(collectives));
    if (accesses > 0)
        fprintf(summary->file, ", %.0f access%s to windows", accesses, accesses == 1 ? "" : "es");
    fputs("\n", summary->file);
}

/* The words for so many of a kind of finding, by its name in the table; NULL: of another version. */
static const char *
words_of_finding(const char *id, size_t length, uint64_t count)
{
    for (int i = 0; i < HD_N_FINDINGS; i++)
        if (strlen(hd_finding_infos[i].id) == length && strncmp(hd_finding_infos[i].id, id, length) == 0)
            return hd_finding_words((hd_finding_kind)i, count);
    return NULL;
}

/* Rows of one kind stand together in the table. */
static void
print_finding_rows(const hd_summary_page *summary, const char *text)
{
    const char *at = strchr(text, '\n'); /* behind the head line */

    while (at != NULL && at[1] != '\0' && at[1] != '\n') {
        const char *id     = at + 1;
        size_t      length = strcspn(id, "\t\n");
        const char *words;
        uint64_t    count  = 0;

        while (at != NULL && strncmp(at + 1, id, length) == 0 && at[1 + length] == '\t') {
            count += strtoull(at + 2 + length, NULL, 10);
            at = strchr(at + 1, '\n');
        }
        if (count == 0) { /* a line of no use */
            at = at != NULL && at < id ? strchr(id, '\n') : at;
            continue;
        }
        words = words_of_finding(id, length, count);
        if (words != NULL)
            fprintf(summary->file, "  %" PRIu64 " %s\n", count, words);
        else
            fprintf(summary->file, "  %" PRIu64 " of a kind that this version does not know\n", count);
    }
}

static hd_status
print_findings(const hd_summary_page *summary)
{
    char     *text = NULL;
    size_t    bytes;
    hd_status status = hd_cube_misc(summary->cube, "heddle.findings.tsv", MAX_FINDINGS_BYTES, &text, &bytes);

    if (status != HD_OK || text == NULL)
        return status;
    hd_summary_page_head(summary, HD_HEADING_diagnostics);
    if (strchr(text, '\n') == NULL || strspn(strchr(text, '\n'), "\n") == strlen(strchr(text, '\n')))
        fputs("  no inconsistencies found\n", summary->file);
    else
        print_finding_rows(summary, text);
    hd_summary_clocks_print(summary, text);
    free(text);
    return HD_OK;
}

/* What the report covers of a trace that is not complete. */
static void
print_coverage(const hd_summary_page *summary)
{
    const char *coverage = hd_completeness_get(summary->cube, HD_COVERAGE_ATTRIBUTE);

    if (coverage == NULL)
        return;
    fputs("; trace coverage ", summary->file);
    hd_write_escaped(summary->file, coverage);
}

static hd_status
print_all(hd_summary_page *summary)
{
    hd_cube  *cube   = summary->cube;
    hd_status status = sum_up_all(summary);

    if (status != HD_OK)
        return status;
    hd_completeness_print_stopped(cube, summary->file);
    fputs("Report \"", summary->file);
    hd_write_escaped(summary->file, cube->path);
    fprintf(summary->file, "\": %" PRIu32 " process%s, %" PRIu32 " location%s, %" PRIu32 " call path%s", cube->n_groups,
            cube->n_groups == 1 ? "" : "es", cube->n_locations, plural(cube->n_locations), cube->n_paths, plural(cube->n_paths));
    print_coverage(summary);
    fputc('\n', summary->file);
    print_time(summary);
    status = print_balance(summary);
    if (status == HD_OK)
        status = print_wait_states(summary);
    if (status == HD_OK)
        status = hd_summary_when_print(summary);
    if (status == HD_OK)
        status = hd_summary_where_print(summary);
    if (status == HD_OK)
        status = hd_summary_why_print(summary);
    if (status != HD_OK)
        return status;
    print_counts(summary);
    status = hd_summary_waits_print(summary);
    if (status == HD_OK)
        status = print_findings(summary);
    if (status == HD_OK)
        hd_summary_run_print(summary);
    return status;
}

hd_status
hd_summary_print(hd_cube *cube, FILE *file, const hd_summary_options *options)
{
    hd_summary_page summary = { .cube = cube, .file = file, .options = *options };
    hd_status status;

    summary.options.width = hd_summary_width(options->width);
    if (summary.options.n_top == 0)
        summary.options.n_top = 3;
    if (summary.options.n_instances == 0)
        summary.options.n_instances = summary.options.n_top;
    summary.totals = HD_NEW_ARRAY(hd_metric_totals, (size_t)cube->n_metrics + 1);
    summary.row    = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    status         = print_all(&summary);
    for (uint32_t i = 0; i < cube->n_metrics; i++)
        free(summary.totals[i].of_path);
    free(summary.totals);
    free(summary.row);
    if (status == HD_OK && (fflush(file) != 0 || ferror(file)))
        status = hd_fail(HD_EWRITE, "cannot write the summary of report \"%s\": %s", cube->path, strerror(errno));
    return status;
}
