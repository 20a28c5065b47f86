/* tests/writer/situation_analysis.c: runs the program on an archive in several ways, compares and checks what it reports. */
#define _GNU_SOURCE /* nftw */

#include <errno.h>
#include <ftw.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes.h"
#include "metric.h"
#include "runner.h"
#include "situation.h"

typedef struct row {
    const char *metric, *path; /* into the report's dump */
    uint32_t    process, thread;
    double      value;
} row;

struct tw_report_data {
    char                  *dump, *findings, *causes, *instances, *waits;
    row                   *rows; /* sorted by rows_compare() */
    size_t                 n_rows, capacity;
    double                 resolution;
    hd_bytes               problems;
    struct tw_report_data *next;
    tw_op                 *ops; /* the table it is of, and how it was analysed; NULL: an archive */
    size_t                 n_ops;
    tw_run                 run;
};

/* All reports, freed when the program ends: tests then need no cleaning up. */
static struct tw_report_data *all_reports;

static void problem(struct tw_report_data *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void
problem(struct tw_report_data *report, const char *format, ...)
{
    char    text[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (report->problems.n > 0)
        report->problems.n--; /* the NUL of the one before */
    hd_bytes_put(&report->problems, "    ", 4);
    hd_bytes_put(&report->problems, text, strlen(text));
    hd_bytes_put(&report->problems, "\n", 2);
}

__attribute__((destructor)) static void
free_reports(void)
{
    while (all_reports != NULL) {
        struct tw_report_data *report = all_reports;

        all_reports = report->next;
        free(report->dump);
        free(report->findings);
        free(report->causes);
        free(report->instances);
        free(report->waits);
        free(report->rows);
        free(report->problems.data);
        free(report->ops);
        free(report);
    }
}

/* --------------------------------------------------------------------------------------------------------- processes */

static char *
read_text(const char *path)
{
    hd_bytes bytes = { 0 };
    FILE    *file  = fopen(path, "rb");
    char     part[65536];
    size_t   n;

    while (file != NULL && (n = fread(part, 1, sizeof part, file)) > 0)
        hd_bytes_put(&bytes, part, n);
    if (file != NULL)
        fclose(file);
    hd_bytes_put(&bytes, "", 1);
    return (char *)bytes.data;
}

/* The part of nftw() that does it. */
static int
remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status;
    (void)type;
    (void)where;
    return remove(path);
}

void
tw_remove(const char *folder)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* ------------------------------------------------------------------------------------------------------------- parse */

static int
rows_compare(const void *left, const void *right)
{
    const row *a = left, *b = right;
    int        order;

    if (a->process != b->process)
        return a->process < b->process ? -1 : 1;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    order = strcmp(a->path, b->path);
    return order != 0 ? order : strcmp(a->metric, b->metric);
}

static char *
field_take(char **at, char separator)
{
    char *field = *at, *end = strchr(field, separator);

    if (end == NULL)
        return NULL;
    *end = '\0';
    *at  = end + 1;
    return field;
}

/* Lines that are no values (a heading) are left out. The report keeps the text. */
static void
dump_parse(struct tw_report_data *report, char *text)
{
    report->dump = text;
    while (*text != '\0') {
        char *line    = field_take(&text, '\n');
        char *metric  = line == NULL ? NULL : field_take(&line, '\t');
        char *path    = metric == NULL ? NULL : field_take(&line, '\t');
        char *process = path == NULL ? NULL : field_take(&line, '\t');
        char *thread  = process == NULL ? NULL : field_take(&line, '\t');
        char *end;
        row   one;

        if (line == NULL)
            break;
        if (thread == NULL)
            continue;
        one = (row){ .metric  = metric,
                     .path    = path,
                     .process = (uint32_t)strtoul(process, &end, 10),
                     .thread  = (uint32_t)strtoul(thread, NULL, 10),
                     .value   = strtod(line, NULL) };
        if (*end != '\0' || end == process)
            continue;
        HD_PUSH(report->rows, report->n_rows, report->capacity, one);
    }
    qsort(report->rows, report->n_rows, sizeof *report->rows, rows_compare);
}

static double
value_at(const struct tw_report_data *report, const row *place, const char *metric)
{
    row        key = *place;
    const row *found;

    key.metric = metric;
    found      = report->n_rows == 0
                     ? NULL
                     : (const row *)bsearch(&key, report->rows, report->n_rows, sizeof *report->rows, rows_compare);
    return found == NULL ? 0.0 : found->value;
}

/* -------------------------------------------------------------------------------------------------------- invariants */

static void
bound_check(struct tw_report_data *report, const row *one)
{
    uint32_t              metric = hd_metric_by_id(one->metric);
    const hd_metric_info *info;
    const char           *bound = NULL;
    double                slack;

    if (metric == HD_NONE) {
        problem(report, "metric \"%s\" is not in the table of metrics", one->metric);
        return;
    }
    info  = &hd_metric_infos[metric];
    slack = info->unit == HD_UNIT_TICKS ? 1e-9 : 0.0;
    if ((info->kind == HD_KIND_R || info->kind == HD_KIND_P) && one->value < -slack)
        problem(report, "%s at %s of process %" PRIu32 " is negative: %.9g", one->metric, one->path, one->process, one->value);
    if (info->bound == HD_BOUND_TIME)
        bound = "time";
    if (info->bound == HD_BOUND_PARENT && info->parent != HD_NONE)
        bound = hd_metric_infos[info->parent].id;
    if (bound != NULL && one->value > value_at(report, one, bound) + slack)
        problem(report, "%s at %s of process %" PRIu32 " is %.9g, more than %s, %.9g", one->metric, one->path, one->process,
                one->value, bound, value_at(report, one, bound));
}

static double
metric_sum(const struct tw_report_data *report, const char *metric)
{
    double sum = 0;

    for (size_t i = 0; i < report->n_rows; i++)
        if (strcmp(report->rows[i].metric, metric) == 0)
            sum += report->rows[i].value;
    return sum;
}

static bool
has_tasks(const struct tw_report_data *report)
{
    for (size_t i = 0; i < report->n_rows; i++)
        if (strcmp(report->rows[i].metric, "omp_task_count") == 0 || strstr(report->rows[i].path, "TASKS") != NULL)
            return true;
    return false;
}

/* What was waited is charged to somebody, or to nobody. A barrier's costs do not know of the tasks that were done meanwhile. */
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
                   "mpi_rma_comm_late_post", "mpi_rma_early_wait", "mpi_rma_sync_lock_competition", "mpi_rma_comm_lock_competition",
                   "shmem_barrier_wait", "shmem_wait_nxn", "shmem_latebroadcast", "" } },
    };
    bool tasks = has_tasks(report);

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        static const char *const formats[] = { "delay_%s", "delay_%s_longterm", "delay_unattributed_%s" };
        double                   costs = 0, waits = 0;
        char                     metric[64];

        for (size_t j = 0; *kinds[i].waits[j] != '\0'; j++)
            waits += metric_sum(report, kinds[i].waits[j]);
        for (size_t j = 0; j < sizeof formats / sizeof *formats; j++) {
            snprintf(metric, sizeof metric, formats[j], kinds[i].kind);
            costs += metric_sum(report, metric);
        }
        if (fabs(costs - waits) > 1e-9 * (waits + 1 / report->resolution) && !(tasks && strcmp(kinds[i].kind, "ompbarrier") == 0))
            problem(report, "the costs of %s add up to %.12g, the waiting times to %.12g", kinds[i].kind, costs, waits);
    }
}

static bool
has_argument(const tw_run *run, const char *argument)
{
    return run->arguments != NULL && strstr(run->arguments, argument) != NULL;
}

static void
invariants_check(struct tw_report_data *report, uint32_t n_processes, hd_time end, const tw_run *run)
{
    for (size_t i = 0; i < report->n_rows; i++)
        bound_check(report, &report->rows[i]);
    if (!run->contradicts && !has_argument(run, "--no-delay"))
        costs_check(report);
    for (uint32_t rank = 0; end > 0 && rank < n_processes; rank++) {
        double sum = 0;

        for (size_t i = 0; i < report->n_rows; i++)
            if (report->rows[i].process == rank && report->rows[i].thread == 0 && strcmp(report->rows[i].metric, "time") == 0)
                sum += report->rows[i].value;
        if (fabs(sum * report->resolution - (double)end) > 0.5)
            problem(report, "the exclusive times of process %" PRIu32 " add up to %.9g ticks, not %" PRIu64, rank,
                    sum * report->resolution, end);
    }
}

/* -------------------------------------------------------------------------------------------------------------- runs */

typedef struct way {
    uint32_t    n_ranks; /* 0: without mpirun */
    const char *threads, *placement;
    int         rarity;
} way;

/* HEDDLE_RUNS: how rare a way may be that is gone; ranks take most of the time. */
static const struct {
    const char *name;
    int         rarity;
} runs[] = { { "single", 0 }, { "short", 1 }, { "some", 2 }, { "all", 3 } };

static const way ways[] = {
    { 0, "1", "block", 0 },  { 0, "2", "block", 0 }, { 2, "1", "block", 3 },
    { 2, "2", "cyclic", 1 }, { 3, "1", "block", 2 }, { 3, "1", "cyclic", 3 },
};

static int
rarest_way(void)
{
    const char *name = runner_environment("HEDDLE_RUNS", "all");

    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        if (strcmp(name, runs[i].name) == 0)
            return runs[i].rarity;
    fprintf(stderr, "situation: HEDDLE_RUNS is \"%s\", which is none of single, short, some, all\n", name);
    exit(1);
}

enum { MOST_WORDS = 48 };

typedef struct texts { /* free() each */
    char *dump, *findings, *causes;
    char *instances; /* statistics, instances and moments, one behind the other */
    char *waits;     /* both tables of who waits for whom at the end, and the drawing; "" if there is none */
} texts;

static void
texts_fini(texts *all)
{
    free(all->dump);
    free(all->findings);
    free(all->causes);
    free(all->instances);
    free(all->waits);
}

/* The tables of who waits for whom, and the drawing, which is there if they are. */
static char *
read_waits(struct tw_report_data *report, const char *folder, const char *cubex, const char *output)
{
    char *drawing = hd_format("%.*s.waitgraph.dot", (int)strlen(cubex) - 6, cubex), *tables, *dot, *text;

    runner_command((char *[]){ (char *)(uintptr_t)"tar", (char *)(uintptr_t)"-xOf", (char *)(uintptr_t)cubex, (char *)(uintptr_t)"heddle.waitgraph.tsv",
                               (char *)(uintptr_t)"heddle.waits.tsv", NULL },
        folder, output, "/dev/null");
    tables = read_text(output);
    dot    = read_text(drawing);
    if ((*tables == '\0') != (*dot == '\0'))
        problem(report, "there is one of drawing and tables of who waits for whom");
    text = hd_format("%s%s", tables, dot);
    free(tables);
    free(dot);
    free(drawing);
    return text;
}

/* Runs analyze, dump and causes one way; causes are none where there is no table of them. False: something failed, and a problem says it. */
static bool
run_one(struct tw_report_data *report, const char *folder, const char *anchor, const way *how, const tw_run *wanted, texts *all)
{
    char       *cubex     = hd_format("%s/%" PRIu32 "x%s-%s.cubex", folder, how->n_ranks, how->threads, how->placement);
    char       *output    = hd_format("%s.out", cubex);
    char       *table     = hd_format("%.*s.findings.tsv", (int)strlen(cubex) - 6, cubex);
    char       *arguments = hd_strdup(wanted->arguments == NULL ? "" : wanted->arguments);
    char       *errors    = hd_format("%s.err", output);
    char       *words[MOST_WORDS];
    size_t      n  = 0;
    int         code;
    bool        ok = false;

#define WORD(text) words[n++] = (char *)(uintptr_t)(text)
    WORD("analyze");
    WORD("--quiet");
    WORD("--force");
    WORD("--bind");
    WORD("none");
    WORD("--threads");
    WORD(how->threads);
    WORD("--placement");
    WORD(how->placement);
    WORD("--instances");
    WORD("100");
    for (char *next = arguments, *word; (word = strtok_r(next, " ", &next)) != NULL && n < MOST_WORDS - 4;)
        WORD(word);
    WORD("-o");
    WORD(cubex);
    WORD(anchor);
    WORD(NULL);
    code = runner_heddle(how->n_ranks, words, folder, output, errors);
    if (code != wanted->exit_code) {
        char *said = read_text(errors);

        problem(report, "analyze on %" PRIu32 " x %s, %s: exit code %d, expected %d: %.400s", how->n_ranks, how->threads,
                how->placement, code, wanted->exit_code, said);
        free(said);
        goto out;
    }
#undef WORD
    code = runner_heddle(0, (char *[]){ (char *)(uintptr_t)"dump", cubex, NULL }, folder, output, errors);
    if (code != 0) {
        problem(report, "dump of the report of %" PRIu32 " x %s, %s: exit code %d", how->n_ranks, how->threads, how->placement,
                code);
        goto out;
    }
    all->dump     = read_text(output);
    all->findings = read_text(table);
    runner_heddle(0, (char *[]){ (char *)(uintptr_t)"causes", (char *)(uintptr_t)"--tsv", cubex, NULL }, folder, output, errors);
    all->causes = read_text(output);
    code = runner_command((char *[]){ (char *)(uintptr_t)"tar", (char *)(uintptr_t)"-xOf", cubex, (char *)(uintptr_t)"heddle.statistics.tsv",
                                      (char *)(uintptr_t)"heddle.instances.tsv", (char *)(uintptr_t)"heddle.moments.tsv", NULL },
                          folder, output, errors);
    all->instances = read_text(output);
    if (code != 0)
        problem(report, "tables of the report of %" PRIu32 " x %s, %s: exit code %d", how->n_ranks, how->threads, how->placement, code);
    all->waits = read_waits(report, folder, cubex, output);
    ok         = true;
out:
    free(cubex);
    free(output);
    free(table);
    free(arguments);
    free(errors);
    return ok;
}

static void
first_difference(struct tw_report_data *report, const way *how, const char *what, const char *one, const char *other)
{
    const char *line = one;

    for (; *one != '\0' && *one == *other; one++, other++)
        if (*one == '\n')
            line = one + 1;
    problem(report, "%s of %" PRIu32 " x %s, %s differ from those of 1 x 1; first: %.*s (there: %.*s)", what, how->n_ranks,
            how->threads, how->placement, (int)strcspn(line, "\n"), line, (int)strcspn(other - (one - line), "\n"),
            other - (one - line));
}

tw_report
tw_analyze_archive(const char *anchor, uint32_t n_processes, double resolution, hd_time end, const tw_run *wanted)
{
    struct tw_report_data *report   = HD_NEW(struct tw_report_data);
    int                    rarest   = rarest_way();
    char                  *folder   = hd_format("%s/heddle-test-XXXXXX", runner_environment("TMPDIR", "/tmp"));
    char                  *dump     = NULL;

    report->next       = all_reports;
    all_reports        = report;
    report->resolution = resolution;
    if (mkdtemp(folder) == NULL)
        problem(report, "cannot make a temporary directory: %s", strerror(errno));
    for (size_t i = 0; i < sizeof ways / sizeof *ways && report->problems.n == 0; i++) {
        texts all = { 0 };

        if (ways[i].n_ranks > n_processes || ways[i].rarity > rarest)
            continue;
        if (!run_one(report, folder, anchor, &ways[i], wanted, &all))
            break;
        if (dump == NULL) {
            dump              = all.dump;
            report->findings  = all.findings;
            report->causes    = all.causes;
            report->instances = all.instances;
            report->waits     = all.waits;
            continue;
        }
        if (strcmp(all.dump, dump) != 0)
            first_difference(report, &ways[i], "values", all.dump, dump);
        if (strcmp(all.findings, report->findings) != 0)
            first_difference(report, &ways[i], "findings", all.findings, report->findings);
        if (strcmp(all.causes, report->causes) != 0)
            first_difference(report, &ways[i], "causes", all.causes, report->causes);
        if (strcmp(all.instances, report->instances) != 0)
            first_difference(report, &ways[i], "instances", all.instances, report->instances);
        if (strcmp(all.waits, report->waits) != 0)
            first_difference(report, &ways[i], "who waits for whom", all.waits, report->waits);
        texts_fini(&all);
    }
    if (dump != NULL)
        dump_parse(report, dump);
    if (dump != NULL && !has_argument(wanted, "--compat"))
        invariants_check(report, n_processes, end, wanted);
    if (getenv("TW_KEEP") != NULL)
        printf("kept: %s\n", folder);
    else
        tw_remove(folder);
    free(folder);
    return report;
}

static const char *
text_or_empty(const char *text)
{
    return text == NULL ? "" : text;
}

static tw_report
known_report(const tw_op *ops, size_t n, const tw_run *how)
{
    for (struct tw_report_data *report = all_reports; report != NULL; report = report->next)
        if (report->ops != NULL && report->n_ops == n && memcmp(report->ops, ops, n * sizeof *ops) == 0 &&
            report->run.options == how->options && report->run.damage == how->damage &&
            strcmp(text_or_empty(report->run.arguments), text_or_empty(how->arguments)) == 0)
            return report;
    return NULL;
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

/* The critical path is as long as the run, from where it comes to the MPI_Finalize that is entered last, or the last end. Not
 * where clocks are wrong, threads are stopped, or collectives begin inside of calls. */
static void
path_check(struct tw_report_data *report, const tw_op *ops, size_t n, const tw_options *options, hd_time last)
{
    double  length   = metric_sum(report, "critical_path") * report->resolution;
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
        problem(report, "the critical path is %.9g ticks long, the run ends at %" PRIu64, length, last);
}

tw_report
tw_analyze_run(const tw_op *ops, size_t n, const tw_run *wanted)
{
    static const tw_run defaults;
    const tw_run       *how         = wanted == NULL ? &defaults : wanted;
    char               *folder      = hd_format("%s/heddle-trace-XXXXXX", runner_environment("TMPDIR", "/tmp"));
    uint32_t            n_processes = how->options == NULL ? 1 : how->options->archive.n_processes;
    uint64_t            resolution  = how->options == NULL ? 0 : how->options->archive.resolution;
    bool                is_whole    = how->damage == NULL && (how->options == NULL ||
                                                (!how->options->without_program && how->options->ends == NULL));
    hd_time             end         = 0;
    char               *archive, *anchor;
    tw_report           report      = known_report(ops, n, how);

    if (report != NULL) {
        free(folder);
        return report;
    }
    if (mkdtemp(folder) == NULL) {
        perror(folder);
        exit(1);
    }
    archive = hd_format("%s/trace", folder);
    anchor  = hd_format("%s/traces.otf2", archive);
    tw_write(ops, n, how->options, archive);
    if (how->damage != NULL)
        how->damage(archive);
    for (size_t i = 0; i < n; i++) {
        end         = hd_time_max(end, hd_time_max(ops[i].enter, ops[i].leave));
        n_processes = ops[i].process >= n_processes ? ops[i].process + 1 : n_processes;
    }
    is_whole = is_whole && !has_argument(how, "--from") && !has_argument(how, "--clock"); /* else times are others than in the table */
    report   = tw_analyze_archive(anchor, n_processes, resolution == 0 ? 1e6 : (double)resolution, is_whole ? end + 1 : 0, how);
    if (how->damage == NULL && !how->contradicts && !has_argument(how, "--compat") && !has_argument(how, "--from") && !has_argument(how, "--clock"))
        path_check(all_reports, ops, n, how->options, is_whole ? end + 1 : end);
    all_reports->ops   = HD_NEW_ARRAY(tw_op, n + 1); /* the newest report is the first */
    all_reports->n_ops = n;
    all_reports->run   = *how;
    memcpy(all_reports->ops, ops, n * sizeof *ops);
    if (getenv("TW_KEEP") != NULL)
        printf("kept: %s\n", folder);
    else
        tw_remove(folder);
    free(anchor);
    free(archive);
    free(folder);
    return report;
}

/* ----------------------------------------------------------------------------------------------------------- queries */

const char *
tw_problems(tw_report report)
{
    return report->problems.n == 0 ? "" : (const char *)report->problems.data;
}

const char *
tw_instances(tw_report report)
{
    return text_or_empty(report->instances);
}

const char *
tw_waits(tw_report report)
{
    return text_or_empty(report->waits);
}

static bool
ends_with(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);

    return n >= m && strcmp(path + n - m, end) == 0 && (n == m || path[n - m - 1] == ';');
}

int64_t
tw_value(tw_report report, const char *metric, const char *path, hd_process rank)
{
    return tw_value_of_thread(report, metric, path, rank, HD_NONE);
}

int64_t
tw_value_of_thread(tw_report report, const char *metric, const char *path, hd_process rank, uint32_t thread)
{
    uint32_t number = hd_metric_by_id(metric);
    double   sum    = 0;

    for (size_t i = 0; i < report->n_rows; i++) {
        const row *one = &report->rows[i];

        if (one->process == rank.v && (thread == HD_NONE || one->thread == thread) && strcmp(one->metric, metric) == 0 &&
            (path == NULL || ends_with(one->path, path)))
            sum += one->value;
    }
    if (number != HD_NONE && hd_metric_infos[number].unit == HD_UNIT_TICKS)
        sum *= report->resolution;
    return llround(sum);
}

int64_t
tw_cause(tw_report report, const char *cause, const char *effect, const char *kind, bool is_long_term)
{
    char  *text = hd_strdup(report->causes == NULL ? "" : report->causes), *next = text, *line;
    double sum  = 0;

    while ((line = field_take(&next, '\n')) != NULL) {
        char *from = field_take(&line, '\t'), *at = from == NULL ? NULL : field_take(&line, '\t');
        char *of   = at == NULL ? NULL : field_take(&line, '\t'), *value = of == NULL ? NULL : field_take(&line, '\t');

        if (value != NULL && strcmp(of, kind) == 0 && ends_with(at, effect) && (cause == NULL ? *from == '\0' : ends_with(from, cause)))
            sum += strtod(is_long_term ? line : value, NULL);
    }
    free(text);
    return llround(sum * report->resolution);
}

uint64_t
tw_finding(tw_report report, const char *kind)
{
    size_t   n     = strlen(kind);
    uint64_t count = 0;

    for (const char *line = report->findings; line != NULL && *line != '\0'; line = strchr(line, '\n')) {
        if (*line == '\n')
            line++;
        if (strncmp(line, kind, n) == 0 && line[n] == '\t')
            count += strtoull(line + n + 1, NULL, 10);
    }
    return count;
}
