/* tests/writer/situation/situation_invariants.c: what holds for every report: bounds of metrics, sums of times and
 * costs, the critical path. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "metric.h"
#include "situation_report.h"

static void
bound_check(struct tw_report_data *report, const row *one)
{
    uint32_t              metric = hd_metric_by_id(one->metric);
    const hd_metric_info *info;
    const char           *bound = NULL;
    double                slack;

    if (metric == HD_NONE) {
        tw_problem(report, "metric \"%s\" is not in the table of metrics", one->metric);
        return;
    }
    info  = &hd_metric_infos[metric];
    slack = info->unit == HD_UNIT_TICKS ? 1e-9 : 0.0;
    if ((info->kind == HD_KIND_R || info->kind == HD_KIND_P) && one->value < -slack)
        tw_problem(report, "%s at %s of process %" PRIu32 " is negative: %.9g", one->metric, one->path, one->process,
                   one->value);
    if (info->bound == HD_BOUND_TIME)
        bound = "time";
    if (info->bound == HD_BOUND_PARENT && info->parent != HD_NONE)
        bound = hd_metric_infos[info->parent].id;
    if (bound != NULL && one->value > tw_value_at(report, one, bound) + slack)
        tw_problem(report, "%s at %s of process %" PRIu32 " is %.9g, more than %s, %.9g", one->metric, one->path,
                   one->process, one->value, bound, tw_value_at(report, one, bound));
}

static bool
has_tasks(const struct tw_report_data *report)
{
    for (size_t i = 0; i < report->n_rows; i++)
        if (strcmp(report->rows[i].metric, "omp_task_count") == 0 || strstr(report->rows[i].path, "TASKS") != NULL)
            return true;
    return false;
}

/* All waiting time is attributed to a cause, or stands in the metric of unattributed time. The costs of a barrier are
 * without the tasks that were done meanwhile. */
static void
costs_check(struct tw_report_data *report)
{
    static const struct {
        const char *kind, *waits[12]; /* up to "" */
    } kinds[] = {
        { "latesender", { "mpi_latesender", "" } },   { "latereceiver", { "mpi_latereceiver", "" } },
        { "barrier", { "mpi_barrier_wait", "" } },    { "n2n", { "mpi_wait_nxn", "" } },
        { "12n", { "mpi_latebroadcast", "" } },       { "n21", { "mpi_earlyreduce", "" } },
        { "ompbarrier", { "omp_ebarrier_wait", "omp_ibarrier_wait", "" } },
        { "scan", { "mpi_earlyscan", "" } },
        { "nbc", { "mpi_nbc_wait", "" } },
        { "omplock", { "omp_lock_contention_critical", "omp_lock_contention_api", "" } },
        { "pthreadlock", { "pthread_lock_contention_mutex_lock", "pthread_lock_contention_conditional", "" } },
        { "rma", { "mpi_rma_wait_at_create", "mpi_rma_wait_at_free", "mpi_rma_wait_at_fence", "mpi_rma_sync_late_post",
                   "mpi_rma_comm_late_post", "mpi_rma_early_wait", "mpi_rma_sync_lock_competition",
                   "mpi_rma_comm_lock_competition",
                   "shmem_barrier_wait", "shmem_wait_nxn", "shmem_latebroadcast", "" } },
        { "fileio", { "mpi_file_wait", "mpi_io_wait", "" } },
    };
    bool tasks = has_tasks(report);

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        static const char *const formats[] = { "delay_%s", "delay_%s_longterm", "delay_unattributed_%s" };
        double                   costs = 0, waits = 0;
        char                     metric[64];

        for (size_t j = 0; *kinds[i].waits[j] != '\0'; j++)
            waits += tw_metric_sum(report, kinds[i].waits[j]);
        for (size_t j = 0; j < sizeof formats / sizeof *formats; j++) {
            snprintf(metric, sizeof metric, formats[j], kinds[i].kind);
            costs += tw_metric_sum(report, metric);
        }
        if (fabs(costs - waits) > 1e-9 * (waits + 1 / report->resolution) &&
            !(tasks && strcmp(kinds[i].kind, "ompbarrier") == 0))
            tw_problem(report, "the costs of %s add up to %.12g, the waiting times to %.12g", kinds[i].kind, costs,
                       waits);
    }
}

bool
tw_has_argument(const tw_run *run, const char *argument)
{
    return run->arguments != NULL && strstr(run->arguments, argument) != NULL;
}

/* The sums of the communication matrix are those of the metrics of messages. */
static void
matrix_check(struct tw_report_data *report)
{
    static const struct {
        const char *ids[2]; /* "": one alone */
        bool        is_time;
    } metrics[] = { { { "comms_recv", "syncs_recv" }, false }, { { "bytes_rcvd", "" }, false },
                    { { "mpi_latesender", "" }, true }, { { "mpi_latereceiver", "" }, true } };
    enum { N = sizeof metrics / sizeof *metrics };

    double      sums[N] = { 0 };
    const char *line    = strchr(report->matrix, '\n');
    double      values[N];

    if (line == NULL)
        return;
    while (sscanf(line + 1, "%*u\t%*u\t%lf\t%lf\t%lf\t%lf", &values[0], &values[1], &values[2],
                  &values[3]) == N) {
        for (int i = 0; i < N; i++)
            sums[i] += values[i];
        line = strchr(line + 1, '\n');
    }
    for (int i = 0; i < N; i++) {
        double sum = tw_metric_sum(report, metrics[i].ids[0]) + tw_metric_sum(report, metrics[i].ids[1]);

        if (fabs(sum - sums[i]) > (metrics[i].is_time ? 1e-9 : 0))
            tw_problem(report, "%s add up to %.12g, in the communication matrix to %.12g", metrics[i].ids[0], sum,
                       sums[i]);
    }
}

/* What is in the table of files is what the metrics of files add up to: inner operations apart. */
static void
files_check(struct tw_report_data *report)
{
    static const char *const ids[2][5] = {
        { "io_reads", "io_writes", "io_others", "io_bytes_read", "io_bytes_written" },
        { "io_inner_operations", "", "", "io_inner_bytes_read", "io_inner_bytes_written" },
    };
    double sums[2][5] = { { 0 } };

    for (const char *line = strchr(report->files, '\n'); line != NULL && line[1] != '\0';
         line = strchr(line + 1, '\n')) {
        unsigned inner;
        double   values[5];

        if (sscanf(line + 1, "%*[^\t]\t%*[^\t]\t%u\t%*u\t%lf\t%lf\t%lf\t%lf\t%lf", &inner, &values[0], &values[1],
                   &values[2], &values[3], &values[4]) != 6 || inner > 1) {
            tw_problem(report, "the table of files has the line %.*s", (int)strcspn(line + 1, "\n"), line + 1);
            return;
        }
        for (int i = 0; i < 5; i++)
            sums[inner][inner == 1 && i < 3 ? 0 : i] += values[i];
    }
    for (int inner = 0; inner < 2; inner++)
        for (int i = 0; i < 5; i++)
            if (tw_metric_sum(report, ids[inner][i]) != sums[inner][i])
                tw_problem(report, "%s add up to %.12g, in the table of files to %.12g", ids[inner][i],
                           tw_metric_sum(report, ids[inner][i]), sums[inner][i]);
}

enum { MOST_SLICES = 2048 };

/* Adds the elements of a list, from the slice `first` on, times a factor. */
static void
add_list(const char *at, unsigned first, double factor, double *of_slice)
{
    for (unsigned slice = first;; slice++) {
        if (*at >= '0' && *at <= '9' && slice < MOST_SLICES)
            of_slice[slice] += factor * strtod(at, NULL);
        at += strcspn(at, ",\t\n");
        if (*at++ != ',')
            return;
    }
}

/* What is in a table of series adds up to the metrics: of each process, over its slices. */
static void
series_check(struct tw_report_data *report, uint32_t n_processes, const char *what, const char *table)
{
    static const char *const ids[] = {
        "mpi_latesender", "mpi_latereceiver", "mpi_barrier_wait", "mpi_wait_nxn", "mpi_earlyreduce", "mpi_earlyscan",
        "mpi_latebroadcast", "mpi_finalize_wait", "mpi_nbc_wait", "mpi_file_wait", "mpi_io_wait",
        "mpi_rma_wait_at_create", "mpi_rma_wait_at_free", "mpi_rma_wait_at_fence", "mpi_rma_sync_late_post",
        "mpi_rma_comm_late_post", "mpi_rma_early_wait", "mpi_rma_sync_lock_competition",
        "mpi_rma_comm_lock_competition", "mpi_rma_sync_wait_for_progress", "mpi_rma_comm_wait_for_progress",
        "shmem_barrier_wait", "shmem_latebroadcast", "shmem_wait_nxn", "omp_ebarrier_wait", "omp_ibarrier_wait",
        "omp_lock_contention_critical", "omp_lock_contention_api", "pthread_lock_contention_mutex_lock",
        "pthread_lock_contention_conditional",
        "critical_path", "mpi_init_exit", "mpi_mgmt_comm", "mpi_mgmt_file", "mpi_mgmt_win", "mpi_sync_collective",
        "mpi_rma_sync_active", "mpi_rma_sync_passive", "mpi_point2point", "mpi_collective", "mpi_rma_communication",
        "mpi_io_individual", "mpi_io_collective",
    };

    double *slices = HD_NEW_ARRAY(double, MOST_SLICES);

    for (size_t m = 0; *table != '\0' && m < sizeof ids / sizeof *ids; m++)
        for (uint32_t rank = 0; rank < n_processes; rank++) {
            double sum = 0, whole = 0;

            if (hd_metric_is_time_over_time(hd_metric_by_id(ids[m])) && strstr(table, "critical_path") == NULL)
                continue; /* not all series */
            memset(slices, 0, MOST_SLICES * sizeof *slices);
            for (const char *line = strchr(table, '\n'); line != NULL; line = strchr(line + 1, '\n')) {
                unsigned process, first;
                int      n = 0;

                if (strncmp(line + 1, ids[m], strlen(ids[m])) == 0 && line[1 + strlen(ids[m])] == '\t' &&
                    sscanf(line + 1, "%*[^\t]\t%u\t%*u\t%*u\t%u\t%n", &process, &first, &n) == 2 && n > 0 &&
                    process == rank)
                    add_list(line + 1 + n, first, 1 / report->resolution, slices);
            }
            for (size_t i = 0; i < MOST_SLICES; i++)
                sum += slices[i];
            for (size_t i = 0; i < report->n_rows; i++)
                if (report->rows[i].process == rank && strcmp(report->rows[i].metric, ids[m]) == 0)
                    whole += report->rows[i].value;
            if (fabs(sum - whole) > 1e-9)
                tw_problem(report, "%s of process %" PRIu32 " adds up to %.12g, in the table of %s to %.12g",
                           ids[m], rank, whole, what, sum);
        }
    free(slices);
}

/* What is in a table of series by call path adds up to that by process, in each slice. table: of both kinds. */
static void
path_series_check(struct tw_report_data *report, const char *table, const char *processes)
{
    double *sums = HD_NEW_ARRAY(double, MOST_SLICES);

    for (uint32_t metric = 0; *table != '\0' && metric < HD_N_METRICS; metric++) {
        const char *id = hd_metric_infos[metric].id;
        size_t      length = strlen(id);
        bool        is_any = false;

        memset(sums, 0, MOST_SLICES * sizeof *sums);
        for (const char *line = strchr(table, '\n'); line != NULL; line = strchr(line + 1, '\n')) {
            const char *path = line + 1 + length + 1; /* may be empty */
            unsigned    first;
            int         n = 0;

            if (strncmp(line + 1, "metric\t", 7) == 0)
                break;
            if (strncmp(line + 1, id, length) != 0 || line[1 + length] != '\t')
                continue;
            path += strcspn(path, "\t\n");
            if (sscanf(path, "\t%*u\t%*u\t%u\t%n", &first, &n) != 1 || n == 0)
                continue;
            add_list(path + n, first, 1, sums);
            is_any = true;
        }
        if (!is_any && hd_metric_is_time_over_time(metric)) /* by call path in some reports alone */
            continue;
        for (const char *line = strchr(processes, '\n'); line != NULL; line = strchr(line + 1, '\n')) {
            unsigned first;
            int      n = 0;

            if (strncmp(line + 1, id, length) != 0 || line[1 + length] != '\t' ||
                sscanf(line + 1, "%*[^\t]\t%*u\t%*u\t%*u\t%u\t%n", &first, &n) != 1 || n == 0)
                continue;
            add_list(line + 1 + n, first, -1, sums);
            is_any = true;
        }
        for (uint32_t slice = 0; is_any && slice < MOST_SLICES; slice++)
            if (fabs(sums[slice]) > 0.01)
                tw_problem(report, "%s of slice %" PRIu32 ": call paths have %.9g ticks more than processes", id, slice,
                           sums[slice]);
    }
    free(sums);
}

/* The second of both tables; "": there is none. */
static const char *
over_iterations(const char *table)
{
    const char *second = *table != '\0' ? strstr(table + 1, "\nmetric\t") : NULL;

    return second != NULL ? second + 1 : "";
}

void
tw_invariants_check(struct tw_report_data *report, uint32_t n_processes, hd_time end, const tw_run *run)
{
    for (size_t i = 0; i < report->n_rows; i++)
        bound_check(report, &report->rows[i]);
    if (!run->contradicts && !tw_has_argument(run, "--no-delay"))
        costs_check(report);
    matrix_check(report);
    files_check(report);
    series_check(report, n_processes, "series", report->series);
    series_check(report, n_processes, "iterations", report->iterations);
    path_series_check(report, report->path_series, report->series);
    path_series_check(report, over_iterations(report->path_series), report->iterations);
    for (uint32_t rank = 0; end > 0 && rank < n_processes; rank++) {
        double sum = 0;

        for (size_t i = 0; i < report->n_rows; i++)
            if (report->rows[i].process == rank && report->rows[i].thread == 0 &&
                strcmp(report->rows[i].metric, "time") == 0)
                sum += report->rows[i].value;
        if (fabs(sum * report->resolution - (double)end) > 0.5)
            tw_problem(report, "the exclusive times of process %" PRIu32 " add up to %.9g ticks, not %" PRIu64, rank,
                       sum * report->resolution, end);
    }
}

/* Whether the path can come from there: an MPI_Init, or the begin of a thread. */
static bool
is_start(const tw_op *ops, size_t n, const tw_op *op)
{
    if (op->op == TW_INIT)
        return true;
    for (size_t i = 0; i < n; i++)
        if (ops[i].process == op->process && ops[i].thread == op->thread && ops[i].enter < op->enter)
            return false;
    return true;
}

void
tw_path_check(struct tw_report_data *report, const tw_op *ops, size_t n, const tw_options *options, hd_time last)
{
    double  length   = tw_metric_sum(report, "critical_path") * report->resolution;
    hd_time finalize = 0;
    bool    is_right;

    if ((options != NULL && (options->clocks != NULL || options->ends != NULL)) || length == 0 ||
        tw_finding(report, "clock-point-to-point") + tw_finding(report, "clock-collective") > 0)
        return;
    for (size_t i = 0; i < n; i++) {
        if (ops[i].begin != 0 || ops[i].end != 0)
            return;
        if (ops[i].op == TW_FINALIZE)
            finalize = hd_time_max(finalize, ops[i].enter);
    }
    last     = finalize > 0 ? finalize : last;
    is_right = fabs(length - (double)last) < 0.5;
    for (size_t i = 0; i < n && !is_right; i++)
        is_right = is_start(ops, n, &ops[i]) && fabs(length - (double)(last - ops[i].enter)) < 0.5;
    if (!is_right)
        tw_problem(report, "the critical path is %.9g ticks long, the run ends at %" PRIu64, length, last);
}
