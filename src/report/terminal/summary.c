#include "summary.h"

#include <errno.h>

#include "algebra.h"
#include "cut.h"
#include "escape.h"
#include "finding.h"
#include "memory.h"
#include "metric.h"
#include "summary_clocks.h"
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

/* ---- where the time went ------------------------------------------------------------------------------------------------- */

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
    hd_summary_page_head(summary, "Where the time went (all processes together)");
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
        fprintf(summary->file, "  (%" PRIu32 " more below %.1f %%)\n", n_folded, 100 * SMALL_SHARE);
}

/* ---- how even the work is ------------------------------------------------------------------------------------------------ */

static hd_status
sum_up_processes(hd_summary_page *summary, uint32_t metric, double *sums)
{
    hd_cube  *cube   = summary->cube;
    hd_status status = HD_OK;

    for (uint32_t path = 0; path < cube->n_paths && status == HD_OK; path++) {
        bool any;

        status = hd_cube_row(cube, metric, path, summary->row, &any);
        for (uint32_t i = 0; status == HD_OK && any && i < cube->n_locations; i++)
            sums[cube->locations[i].group] += summary->row[i];
    }
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

static hd_status
print_balance(hd_summary_page *summary)
{
    static const char *const ids[] = { "comp", "execution" };
    hd_cube  *cube   = summary->cube;
    uint32_t  metric = HD_NONE;
    uint32_t  most = 0, n = cube->n_groups;
    double   *sums, average = 0;
    hd_status status;

    for (size_t i = 0; i < sizeof ids / sizeof *ids && metric == HD_NONE; i++)
        metric = hd_cube_metric_by_id(cube, ids[i]);
    if (metric == HD_NONE || n < 2)
        return HD_OK;
    sums   = HD_NEW_ARRAY(double, n);
    status = sum_up_processes(summary, metric, sums);
    for (uint32_t i = 0; i < n; i++) {
        average += sums[i] / n;
        most = sums[i] > sums[most] ? i : most;
    }
    if (status == HD_OK && average > 0) {
        hd_summary_page_head(summary, "How even the work is");
        fprintf(summary->file, "  process %" PRIu32 " computes longest: %.6g s, %.1f %% above the average of %.6g s\n",
                process_of_group(cube, most), sums[most], hd_share(sums[most] - average, average), average);
        if (sums[most] > 1.05 * average)
            fprintf(summary->file, "  with even work, the run could be up to %.6g s shorter\n",
                    sums[most] - average);
        else
            fprintf(summary->file, "  the work is spread evenly over the processes\n");
    }
    free(sums);
    return status;
}

/* ---- the worst wait states ----------------------------------------------------------------------------------------------- */

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
    hd_summary_page_head(summary, "The worst wait states");
    for (uint32_t i = 0; i < summary->options.n_top && status == HD_OK; i++) {
        double      value;
        uint32_t    metric = hd_take_largest(sums, cube->n_metrics, &value);
        const char *id;
        char       *text;

        if (metric == HD_NONE) {
            if (i == 0)
                fputs(is_any ? "  none: nobody waited for anybody else\n" : "  not known: the report does not tell of any, as it is not of a trace\n",
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

/* ---- counts, findings, what it took -------------------------------------------------------------------------------------- */

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

    hd_summary_page_head(summary, "How much was going on");
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
            fprintf(summary->file, "  %" PRIu64 " of another kind\n", count);
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
    hd_summary_page_head(summary, "What is wrong with the trace");
    if (strchr(text, '\n') == NULL || strspn(strchr(text, '\n'), "\n") == strlen(strchr(text, '\n')))
        fputs("  nothing that was noticed\n", summary->file);
    else
        print_finding_rows(summary, text);
    hd_summary_clocks_print(summary, text);
    free(text);
    return HD_OK;
}

/* Of a report that was made of others, what is left of them is not about one analysis. */
static const char *
head_of_analysis(const hd_cube *cube)
{
    for (uint32_t i = 0; i < cube->n_attributes; i++)
        if (strcmp(cube->attributes[i].key, HD_ALGEBRA_ATTRIBUTE) == 0 || strcmp(cube->attributes[i].key, HD_CUT_ATTRIBUTE) == 0)
            return "What the report was made of";
    return "What the analysis took";
}

static void
print_analysis(const hd_summary_page *summary)
{
    static const char prefix[] = "Heddle::";
    bool              is_first = true;

    for (uint32_t i = 0; i < summary->cube->n_attributes; i++) {
        const hd_cube_attribute *attribute = &summary->cube->attributes[i];

        if (strncmp(attribute->key, prefix, strlen(prefix)) != 0 || strcmp(attribute->key, "Heddle::Hops") == 0) /* for heddle topology */
            continue;
        if (is_first)
            hd_summary_page_head(summary, head_of_analysis(summary->cube));
        is_first = false;
        fputs("  ", summary->file);
        hd_write_escaped(summary->file, attribute->key + strlen(prefix));
        fputs(": ", summary->file);
        hd_write_escaped(summary->file, attribute->value);
        fputc('\n', summary->file);
    }
}

/* What the report covers of a trace that is not whole. */
static void
print_coverage(const hd_summary_page *summary)
{
    const char *coverage = hd_completeness_get(summary->cube, HD_COVERAGE_ATTRIBUTE);

    if (coverage == NULL)
        return;
    fputs("; covers ", summary->file);
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
        print_analysis(summary);
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
