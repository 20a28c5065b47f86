/* tests/writer/situation/situation_analysis.c: runs the program on an archive in several ways, compares and checks what
 * it reports. */
#define _GNU_SOURCE /* nftw */

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner.h"
#include "situation_report.h"

/* ---------------------------------------------------------------------------------------------------------
 * files */

static hd_bytes
read_bytes(const char *path)
{
    hd_bytes bytes = { 0 };
    FILE    *file  = fopen(path, "rb");
    char     part[65536];
    size_t   n;

    while (file != NULL && (n = fread(part, 1, sizeof part, file)) > 0)
        hd_bytes_put(&bytes, part, n);
    if (file != NULL)
        fclose(file);
    return bytes;
}

static char *
read_text(const char *path)
{
    hd_bytes bytes = read_bytes(path);

    hd_bytes_put(&bytes, "", 1);
    return (char *)bytes.data;
}

/* A member of a tar archive: its name, its size in octal digits, its content; all in whole blocks. */
enum { TAR_NAME = 100, TAR_SIZE_AT = 124, TAR_SIZE_DIGITS = 11, TAR_BLOCK = 512 };

static bool
is_one_of(const char *name, const char *const *names)
{
    for (; *names != NULL; names++)
        if (strncmp(name, *names, TAR_NAME) == 0)
            return true;
    return false;
}

/* The members of a report, a tar archive, that have one of the names, one behind the other; free() it. The names end
 * with NULL; n_found, or NULL: how many there are. */
static char *
members(const hd_bytes *report, const char *const *names, size_t *n_found)
{
    hd_bytes text = { 0 };
    size_t   n    = 0;

    for (size_t at = 0; at + TAR_BLOCK <= report->n && report->data[at] != '\0';) {
        const char   *head                       = (const char *)report->data + at;
        char          digits[TAR_SIZE_DIGITS + 1] = { 0 };
        unsigned long size;

        memcpy(digits, head + TAR_SIZE_AT, TAR_SIZE_DIGITS);
        size = strtoul(digits, NULL, 8);
        at += TAR_BLOCK;
        if (size > report->n - at)
            break; /* cut */
        if (is_one_of(head, names)) {
            hd_bytes_put(&text, report->data + at, size);
            n++;
        }
        at += (size + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK;
    }
    if (n_found != NULL)
        *n_found = n;
    hd_bytes_put(&text, "", 1);
    return (char *)text.data;
}
#define MEMBERS(report, ...) members(report, (const char *const[]){ __VA_ARGS__, NULL }, NULL)

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

/* --------------------------------------------------------------------------------------------------------------
 * runs */

typedef struct way {
    uint32_t    n_ranks; /* 0: without mpirun */
    const char *threads, *placement;
    int         rarity;
    bool        is_plain; /* without instances: what was replayed of op logs is dropped then */
} way;

/* HEDDLE_RUNS: the first of the ways, and how rare one may be that is gone; ranks take most of the time. "single" is
 * for sanitizers: two threads do all that one does, and send each other what it keeps. */
static const struct runs {
    const char *name;
    size_t      first;
    int         rarity;
} runs[] = { { "single", 1, 0 }, { "short", 0, 1 }, { "some", 0, 2 }, { "all", 0, 3 } };

static const way ways[] = {
    { 0, "1", "block", 0, false },  { 0, "2", "block", 0, false }, { 0, "1", "block", 0, true },
    { 2, "1", "block", 3, false },  { 2, "2", "cyclic", 1, false }, { 3, "1", "block", 2, false },
    { 3, "1", "cyclic", 3, false },
};

static const struct runs *
runs_wanted(void)
{
    const char *name = runner_environment("HEDDLE_RUNS", "all");

    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        if (strcmp(name, runs[i].name) == 0)
            return &runs[i];
    fprintf(stderr, "situation: HEDDLE_RUNS is \"%s\", which is none of single, short, some, all\n", name);
    exit(1);
}

enum { MAX_WORDS = 48 };

typedef struct texts { /* free() each */
    char *dump, *findings, *causes;
    char *instances; /* statistics, instances, moments, windows and messages, one behind the other */
    char *waits;     /* both tables of who waits for whom at the end, and the drawing; "" if there is none */
    char *files;     /* the table of files; "" if there is none */
    char *startup;   /* the table of start-up; "" if there is none */
    char *series;    /* the table of waiting time over time; "" if there is none */
    char *path_series; /* those by call path */
    char *counts;    /* both tables of counts over time, likewise */
    char *delays;    /* those of delay costs over time, likewise */
    char *lags;      /* the table of causes over time; "" if there is none */
    char *iterations; /* the tables of iterations, one after the other; "" if there are none */
    char *matrix;    /* the communication matrix and the sizes of messages; "" if there are none */
} texts;

static void
texts_fini(texts *all)
{
    free(all->dump);
    free(all->findings);
    free(all->causes);
    free(all->instances);
    free(all->waits);
    free(all->files);
    free(all->startup);
    free(all->series);
    free(all->path_series);
    free(all->lags);
    free(all->counts);
    free(all->delays);
    free(all->iterations);
    free(all->matrix);
}

/* The tables of who waits for whom, and the drawing, which is there if they are. */
static char *
read_waits(struct tw_report_data *report, const char *cubex, const hd_bytes *cube)
{
    char *drawing = hd_format("%.*s.waitgraph.dot", (int)strlen(cubex) - 6, cubex);
    char *tables  = MEMBERS(cube, "heddle.waitgraph.tsv", "heddle.waits.tsv"), *dot = read_text(drawing), *text;

    if ((*tables == '\0') != (*dot == '\0'))
        tw_problem(report, "there is one of drawing and tables of who waits for whom");
    text = hd_format("%s%s", tables, dot);
    free(tables);
    free(dot);
    free(drawing);
    return text;
}

/* What the tables in a report are. */
static void
read_tables(struct tw_report_data *report, const char *cubex, bool has_instances, texts *all)
{
    static const char *const of_instances[] = { "heddle.statistics.tsv", "heddle.instances.tsv", "heddle.moments.tsv",
                                                "heddle.windows.tsv", "heddle.messages.tsv", NULL };
    hd_bytes cube = read_bytes(cubex);
    size_t   n;

    all->instances = members(&cube, of_instances, &n);
    if (has_instances && n != sizeof of_instances / sizeof *of_instances - 1)
        tw_problem(report, "%s has %zu of the tables of instances", cubex, n);
    all->matrix      = MEMBERS(&cube, "heddle.matrix.tsv", "heddle.sizes.tsv");
    all->files       = MEMBERS(&cube, "heddle.files.tsv");
    all->startup     = MEMBERS(&cube, "heddle.startup.tsv");
    all->series      = MEMBERS(&cube, "heddle.series.tsv");
    all->path_series = MEMBERS(&cube, "heddle.path-series.tsv", "heddle.iteration-path-series.tsv");
    all->counts      = MEMBERS(&cube, "heddle.count-series.tsv", "heddle.iteration-count-series.tsv");
    all->delays      = MEMBERS(&cube, "heddle.delay-series.tsv", "heddle.delay-path-series.tsv",
                               "heddle.iteration-delay-series.tsv", "heddle.iteration-delay-path-series.tsv");
    all->lags        = MEMBERS(&cube, "heddle.lags.tsv", "heddle.lag-slices.tsv");
    all->iterations  = MEMBERS(&cube, "heddle.iterations.tsv", "heddle.iteration-series.tsv", "heddle.verdicts.tsv",
                               "heddle.clusters.tsv");
    all->waits       = read_waits(report, cubex, &cube);
    hd_bytes_fini(&cube);
}

/* Runs analyze, dump and causes one way; causes are none where there is no table of them. False: something failed, and
 * a problem says it. */
static bool
run_one(struct tw_report_data *report, const char *folder, const char *anchor, const way *how, const tw_run *wanted,
        texts *all)
{
    char       *cubex     = hd_format("%s/%" PRIu32 "x%s-%s.cubex", folder, how->n_ranks, how->threads, how->placement);
    char       *output    = hd_format("%s.out", cubex);
    char       *table     = hd_format("%.*s.findings.tsv", (int)strlen(cubex) - 6, cubex);
    char       *arguments = hd_strdup(wanted->arguments == NULL ? "" : wanted->arguments);
    char       *errors    = hd_format("%s.err", output);
    char       *words[MAX_WORDS];
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
    if (!how->is_plain) {
        WORD("--instances");
        WORD("100");
    }
    for (char *next = arguments, *word; (word = strtok_r(next, " ", &next)) != NULL && n < MAX_WORDS - 4;)
        WORD(word);
    WORD("-o");
    WORD(cubex);
    WORD(anchor);
    WORD(NULL);
    code = runner_heddle(how->n_ranks, words, folder, output, errors);
    if (code != wanted->exit_code) {
        char *said = read_text(errors);

        tw_problem(report, "analyze on %" PRIu32 " x %s, %s: exit code %d, expected %d: %.400s", how->n_ranks,
                   how->threads, how->placement, code, wanted->exit_code, said);
        free(said);
        goto out;
    }
#undef WORD
    code = runner_heddle(0, (char *[]){ (char *)(uintptr_t)"dump", cubex, NULL }, folder, output, errors);
    if (code != 0) {
        tw_problem(report, "dump of the report of %" PRIu32 " x %s, %s: exit code %d", how->n_ranks, how->threads,
                   how->placement, code);
        goto out;
    }
    all->dump     = read_text(output);
    all->findings = read_text(table);
    runner_heddle(0, (char *[]){ (char *)(uintptr_t)"causes", (char *)(uintptr_t)"--tsv", cubex, NULL }, folder, output,
                  errors);
    all->causes = read_text(output);
    read_tables(report, cubex, !how->is_plain, all);
    ok = true;
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
    tw_problem(report, "%s of %" PRIu32 " x %s, %s differ from those of 1 x 1; first: %.*s (there: %.*s)", what,
               how->n_ranks,
               how->threads, how->placement, (int)strcspn(line, "\n"), line, (int)strcspn(other - (one - line), "\n"),
               other - (one - line));
}

static struct tw_report_data *
archive_analyze(const char *anchor, uint32_t n_processes, double resolution, hd_time end, const tw_run *wanted)
{
    struct tw_report_data *report   = tw_report_new(resolution);
    const struct runs     *wanted_runs = runs_wanted();
    char                  *folder   = hd_format("%s/heddle-test-XXXXXX", runner_environment("TMPDIR", "/tmp"));
    char                  *dump     = NULL;

    if (mkdtemp(folder) == NULL)
        tw_problem(report, "cannot make a temporary directory: %s", strerror(errno));
    for (size_t i = wanted_runs->first; i < sizeof ways / sizeof *ways && report->problems.n == 0; i++) {
        texts all = { 0 };

        if (ways[i].n_ranks > n_processes || ways[i].rarity > wanted_runs->rarity)
            continue;
        if (!run_one(report, folder, anchor, &ways[i], wanted, &all))
            break;
        if (dump == NULL) {
            dump              = all.dump;
            report->findings  = all.findings;
            report->causes    = all.causes;
            report->instances = all.instances;
            report->waits     = all.waits;
            report->files     = all.files;
            report->startup   = all.startup;
            report->series    = all.series;
            report->path_series = all.path_series;
            report->lags      = all.lags;
            report->counts    = all.counts;
            report->delays    = all.delays;
            report->iterations = all.iterations;
            report->matrix    = all.matrix;
            continue;
        }
        if (strcmp(all.dump, dump) != 0)
            first_difference(report, &ways[i], "values", all.dump, dump);
        if (strcmp(all.findings, report->findings) != 0)
            first_difference(report, &ways[i], "findings", all.findings, report->findings);
        if (strcmp(all.causes, report->causes) != 0)
            first_difference(report, &ways[i], "causes", all.causes, report->causes);
        if (!ways[i].is_plain && strcmp(all.instances, report->instances) != 0)
            first_difference(report, &ways[i], "instances", all.instances, report->instances);
        if (strcmp(all.waits, report->waits) != 0)
            first_difference(report, &ways[i], "who waits for whom", all.waits, report->waits);
        if (strcmp(all.files, report->files) != 0)
            first_difference(report, &ways[i], "the table of files", all.files, report->files);
        if (strcmp(all.startup, report->startup) != 0)
            first_difference(report, &ways[i], "the table of start-up", all.startup, report->startup);
        if (strcmp(all.series, report->series) != 0)
            first_difference(report, &ways[i], "the table of series", all.series, report->series);
        if (strcmp(all.path_series, report->path_series) != 0)
            first_difference(report, &ways[i], "series by call path", all.path_series, report->path_series);
        if (strcmp(all.counts, report->counts) != 0)
            first_difference(report, &ways[i], "counts over time", all.counts, report->counts);
        if (strcmp(all.delays, report->delays) != 0)
            first_difference(report, &ways[i], "delay costs over time", all.delays, report->delays);
        if (strcmp(all.lags, report->lags) != 0)
            first_difference(report, &ways[i], "causes over time", all.lags, report->lags);
        if (strcmp(all.iterations, report->iterations) != 0)
            first_difference(report, &ways[i], "the tables of iterations", all.iterations, report->iterations);
        if (strcmp(all.matrix, report->matrix) != 0)
            first_difference(report, &ways[i], "the communication matrix", all.matrix, report->matrix);
        texts_fini(&all);
    }
    if (dump != NULL)
        tw_dump_parse(report, dump);
    if (dump != NULL && !tw_has_argument(wanted, "--compat"))
        tw_invariants_check(report, n_processes, end, wanted);
    if (getenv("TW_KEEP") != NULL)
        printf("kept: %s\n", folder);
    else
        tw_remove(folder);
    free(folder);
    return report;
}

tw_report
tw_analyze_archive(const char *anchor, uint32_t n_processes, double resolution, hd_time end, const tw_run *wanted)
{
    return archive_analyze(anchor, n_processes, resolution, end, wanted);
}

/* Not all of the run counts. */
static bool
has_part(const tw_run *how)
{
    return tw_has_argument(how, "--from") || tw_has_argument(how, "--roi");
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
    struct tw_report_data *report   = tw_report_find(ops, n, how);

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
    /* else times are others than in the table */
    is_whole = is_whole && !has_part(how) && !tw_has_argument(how, "--clock");
    report   = archive_analyze(anchor, n_processes, resolution == 0 ? 1e6 : (double)resolution, is_whole ? end + 1 : 0,
                               how);
    if (how->damage == NULL && !how->contradicts && !tw_has_argument(how, "--compat") &&
        !has_part(how) && !tw_has_argument(how, "--clock"))
        tw_path_check(report, ops, n, how->options, is_whole ? end + 1 : end);
    report->ops   = HD_NEW_ARRAY(tw_op, n + 1);
    report->n_ops = n;
    report->run   = *how;
    memcpy(report->ops, ops, n * sizeof *ops);
    if (getenv("TW_KEEP") != NULL)
        printf("kept: %s\n", folder);
    else
        tw_remove(folder);
    free(anchor);
    free(archive);
    free(folder);
    return report;
}
