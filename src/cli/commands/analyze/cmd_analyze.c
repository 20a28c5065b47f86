/* heddle analyze: from an archive to a report, on all analysis ranks together. The phases stand in phases[] of this file. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "archive.h"
#include "binding.h"
#include "calltree.h"
#include "choice.h"
#include "clocks.h"
#include "commands.h"
#include "cores.h"
#include "coverage.h"
#include "defs_read.h"
#include "distance.h"
#include "figures.h"
#include "findings_tsv.h"
#include "hop_table.h"
#include "instance_list.h"
#include "loader.h"
#include "memory.h"
#include "message.h"
#include "output.h"
#include "placement.h"
#include "progress.h"
#include "replay.h"
#include "report.h"
#include "stop.h"
#include "summary.h"
#include "threads.h"
#include "version.h"
#include "visible.h"
#include "wait_graph_list.h"
#include "wavefront.h"

enum { OTHER_FILES = 64 }; /* that the MPI library, hwloc and the report have open, or may want to */

typedef struct hd_analyze_options {
    bool        help;
    const char *archive, *output, *topology, *scratch;
    uint64_t    memory_limit; /* bytes, 0: none */
    bool        clock_report;
    bool        force, html, stat, show_placement, no_summary, no_delay, no_critical_path, quiet, verbose;
    uint32_t    instances; /* 0: the worst of each call path */
    uint32_t    traces_per_rank, threads, max_open_files;
    uint32_t    placement; /* hd_placement_policy */
    uint32_t    bind;      /* hd_bind_policy */
    uint32_t    compat;    /* 1: scout26 */
    uint32_t    clock;     /* hd_clock_mode */
    hd_duration from, to;
} hd_analyze_options;

#define FIELD(field) offsetof(hd_analyze_options, field)
static const hd_option analyze_options[] = {
    { "output", 'o', HD_TEXT, "(heddle.cubex beside the archive's anchor)", "REPORT.cubex", "name of the report",
        FIELD(output) },
    { "force", 'f', HD_FLAG, NULL, NULL, "replace an existing report", FIELD(force) },
    { "html", 0, HD_FLAG, NULL, NULL, "also write the report as an HTML page, under its name with .html for .cubex", FIELD(html) },
    { "traces-per-rank", 'n', HD_COUNT, "(no limit)", "N", "limit on processes of the program per analysis rank",
        FIELD(traces_per_rank) },
    { "threads", 't', HD_THREADS, "(OMP_NUM_THREADS, or the cores of the rank, shared with the other ranks of its node)", "T",
        "replay threads of each analysis rank", FIELD(threads) },
    { "max-open-files", 0, HD_COUNT, "(what the system allows)", "N",
        "limit on open archive files per analysis rank (two per reading thread); threads beyond the limit do not read",
        FIELD(max_open_files) },
    { "placement", 'p', HD_CHOICE, "block", "block|cyclic|node",
        "process placement on ranks: block (neighbours together, balanced by events), cyclic, or node (processes of one node "
        "of the program together)",
        FIELD(placement) },
    { "bind", 'b', HD_CHOICE, "core", "core|pu|numa|none", "binding of replay threads", FIELD(bind) },
    { "show-placement", 0, HD_FLAG, NULL, NULL, "print the core and the processes of each replay thread",
        FIELD(show_placement) },
    { "compat", 0, HD_CHOICE, "none", "none|scout26", "compute the numbers of the trace analyser of Scalasca 2.6",
        FIELD(compat) },
    { "clock", 0, HD_CHOICE, "linear", "none|linear|clc",
        "timestamp correction: none; linear (interpolate the measured clock offsets); clc (linear, then controlled logical clock, "
        "which corrects messages received before they were sent)",
        FIELD(clock) },
    { "clock-report", 0, HD_FLAG, NULL, NULL,
        "print clock drift, violations of the clock condition and their correction; a line for each location in "
        "REPORT.clocks.tsv",
        FIELD(clock_report) },
    { "topology", 0, HD_TEXT, "(the first one of the archive that all MPI processes are on, else the first)", "TOPOLOGY",
        "the process topology for message statistics: a name from the archive, grid:4x4, torus:8x8x8, file:PATH with coordinates "
        "of ranks or hosts, or none; and slurm:PATH, the switches of the site, alone or after a grid and a comma", FIELD(topology) },
    { "from", 0, HD_TIME, "0", "T", "start of the analysis interval: seconds since the first event, or a number with s, ms, us or ns",
        FIELD(from) },
    { "to", 0, HD_TIME, "END", "T", "end of the analysis interval; time is clipped to it, and a call's waiting counts only if the call lies entirely inside", FIELD(to) },
    { "no-delay", 0, HD_FLAG, NULL, NULL, "do not compute delay costs, the root causes of wait states",
        FIELD(no_delay) },
    { "no-critical-path", 0, HD_FLAG, NULL, NULL, "do not compute the critical path and its performance impact",
        FIELD(no_critical_path) },
    { "stat", 0, HD_FLAG, NULL, NULL,
        "statistics of wait-state instances per call path, and the most severe ones: in the report, in the summary, and "
        "in REPORT.stat for timeline browsers",
        FIELD(stat) },
    { "instances", 0, HD_SMALL_COUNT, "(the most severe of each call path)", "N",
        "keep the N most severe instances of each wait state, with time, waiting process and its peer; implies --stat", FIELD(instances) },
    { "memory-limit", 0, HD_BYTES, "(no limit)", "BYTES",
        "memory limit of each analysis rank, such as 2G: data that grows with the trace length goes to files in a "
        "scratch directory (out of core)",
        FIELD(memory_limit) },
    { "scratch", 0, HD_TEXT, "(TMPDIR, or /tmp)", "DIR",
        "scratch directory for --memory-limit, on a local disk of each node; its files are removed at the end",
        FIELD(scratch) },
    { "no-summary", 0, HD_FLAG, NULL, NULL, "write the report without printing a summary", FIELD(no_summary) },
    { "quiet", 'q', HD_FLAG, NULL, NULL, "print warnings and errors only", FIELD(quiet) },
    { "verbose", 'v', HD_FLAG, NULL, NULL, "print the time of each phase, message counters of the replay, and all counters in the summary", FIELD(verbose) },
    HD_OPTION_HELP,
};

typedef struct analysis { /* one run of the subcommand on this rank */
    hd_group                 *group;
    const hd_analyze_options *options;
    bool                      speaks; /* rank 0 */
    hd_progress               progress;
    double                    start; /* [s] */
    uint32_t                  n_threads;
    bool                      yield; /* more threads than cores somewhere */

    char          *anchor;
    hd_output     *output;
    char          *page;       /* path of it; NULL: none is wanted */
    const hd_defs *defs;       /* the group's */
    const hd_period *period;   /* that is reported; NULL: the whole run */
    hd_period      between;
    hd_choice      topology;
    hd_hop_tables *hop_tables; /* of other topologies of the archive; NULL: none */
    hd_placement  *placement;
    hd_binding    *binding;    /* NULL: this rank hosts nothing */
    const uint32_t *processes; /* [n_processes] hosted here; the placement's */
    uint32_t       *threads;   /* [n_processes] */
    uint32_t        n_processes;
    hd_scratch     *scratch;   /* NULL: memory is not limited */
    hd_clocks       clocks;
    hd_trace       *trace;
    hd_calltree     tree;
    uint32_t      **maps; /* [n_processes] call path of the process -> of the tree */
    hd_replay_result result;
    bool            has_result;
    hd_moments      moments;    /* on rank 0 */
    hd_wait_graph  *waits;      /* on rank 0; NULL: nobody waited at the end */
    hd_findings     findings; /* of this rank; from gather_findings() on, on rank 0, of all */
    bool            incomplete; /* a finding says that something is lost; the same on all ranks */
    int             signal;     /* that stopped the analysis, 0: none; the same on all ranks */
    const char     *stopped_at; /* the phase */
    bool            has_causes, has_path; /* delay costs, critical path: are wanted, and were not stopped */
    hd_coverage     coverage;
    uint64_t        start_bytes; /* resident memory when the group was there */
    hd_figures      figures;
} analysis;

static bool
wants_statistics(const analysis *run)
{
    return run->options->stat || run->options->instances > 0;
}

/* ---- signals ----------------------------------------------------------------------------------------------------------- */

/* What the last words need: this rank's only analysis. Release in guard(), acquire in last_words(). */
static _Atomic(analysis *) guarded;

/* In a signal handler, before it ends the process. Rank 0 speaks, if it lives; the launcher ends the others then. */
static void
last_words(void)
{
    static const char text[] = "heddle: error: ended by a signal; there is no report\n";
    analysis         *run    = atomic_load_explicit(&guarded, memory_order_acquire);
    ssize_t           written;

    if (run == NULL)
        return;
    hd_output_drop(run->output);
    if (!run->speaks)
        sleep(1);
    written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
}

static void
guard(analysis *run)
{
    atomic_store_explicit(&guarded, run, memory_order_release);
    if (run != NULL)
        hd_stop_catch(last_words, true);
    else
        hd_stop_release();
}

/* Whether a signal came, on any rank. Ranks: all, together. */
static bool
is_stopped(analysis *run, const char *at)
{
    uint64_t number = (uint64_t)*hd_stop_mark();

    hd_group_reduce(run->group, &number, 1, HD_MAX);
    if (number != 0 && run->signal == 0) {
        run->signal     = (int)number;
        run->stopped_at = at;
    }
    return number != 0;
}

/* The same on all ranks. */
static hd_status
stopped_without_report(analysis *run)
{
    hd_progress_end(&run->progress);
    hd_fail(HD_ESTOPPED, "stopped by %s %s: there is no report", hd_stop_name(run->signal), run->stopped_at);
    hd_fail_detail("archive", "\"%s\"", run->anchor);
    return HD_ESTOPPED;
}

/* ---- the archive ------------------------------------------------------------------------------------------------------- */

static hd_status
open_archive(analysis *run)
{
    hd_defs  *defs   = NULL;
    size_t    bytes  = 0;
    uint64_t  n_failed[1];
    hd_status status = HD_OK;

    status = hd_archive_find(run->options->archive, &run->anchor);
    n_failed[0] = status != HD_OK;
    hd_group_reduce(run->group, n_failed, 1, HD_SUM);
    if (status != HD_OK && n_failed[0] < hd_group_size(run->group))
        hd_fail_detail("node", "%s, rank %" PRIu32, hd_group_node_name(run->group), hd_group_rank(run->group).v);
    status = hd_agree(run->group, status);
    if (status != HD_OK)
        return status;
    status = hd_output_open(run->group,
        &(hd_output_request){ .path = run->options->output, .anchor = run->anchor, .force = run->options->force,
                              .has_stat = wants_statistics(run) },
        &run->output);
    if (status != HD_OK)
        return status;
    guard(run);
    if (run->options->html) {
        run->page = hd_page_path(hd_output_path(run->output));
        status    = hd_agree(run->group, run->speaks ? hd_page_probe(run->page, run->options->force) : HD_OK);
        if (status != HD_OK)
            return status;
    }
    if (run->speaks)
        status = hd_defs_read(run->anchor, &defs);
    status = hd_agree(run->group, status);
    if (status == HD_OK) {
        bytes     = defs != NULL ? (size_t)defs->bytes : 0;
        run->defs = hd_group_share(run->group, defs, &bytes);
    }
    free(defs);
    return status;
}

/* The same on all ranks. */
static hd_status
choose_period(analysis *run)
{
    const hd_analyze_options *options = run->options;
    uint64_t                  from = hd_duration_ticks(options->from, run->defs->resolution), length = run->defs->length;
    uint64_t                  to = hd_duration_ticks(options->to, run->defs->resolution);

    if (from == 0 && hd_duration_is_end(options->to))
        return HD_OK;
    if (options->compat != 0) {
        hd_fail(HD_EUSAGE, "--from and --to exclude --compat=scout26: that analyser knows whole runs only");
        return HD_EUSAGE;
    }
    if (from >= to || (length > 0 && from > length)) {
        hd_fail(HD_EUSAGE, "the interval from --from to --to contains no part of the run");
        if (length > 0)
            hd_fail_detail("run", "%.9g s", (double)length / (double)run->defs->resolution);
        return HD_EUSAGE;
    }
    run->between = hd_period_since(run->defs->first_time, from, to);
    run->period  = &run->between;
    return HD_OK;
}

/* ---- who does what, where ---------------------------------------------------------------------------------------------- */

static hd_status
place(analysis *run)
{
    const hd_process_def *processes = hd_defs_processes(run->defs);
    uint64_t             *weights   = HD_NEW_ARRAY(uint64_t, run->defs->n_processes);
    uint32_t             *nodes     = hd_machine_nodes(run->defs);
    uint32_t              n_ranks   = hd_group_size(run->group);
    hd_status             status;

    run->n_threads = run->options->threads != 0 ? run->options->threads : hd_cores_n_threads(run->group);
    for (uint32_t i = 0; i < run->defs->n_processes; i++) {
        weights[i] = processes[i].n_events;
        nodes[i]   = nodes[i] != HD_NONE ? nodes[i] : processes[i].node;
    }
    status = hd_placement_new(&(hd_placement_request){ .weights = weights, .nodes = nodes,
                                  .n_processes = run->defs->n_processes, .n_ranks = n_ranks, .n_threads = run->n_threads,
                                  .traces_per_rank = run->options->traces_per_rank,
                                  .policy = (hd_placement_policy)run->options->placement },
        &run->placement);
    free(weights);
    free(nodes);
    if (status != HD_OK)
        hd_fail_detail("archive", "\"%s\" (%" PRIu32 " processes, %" PRIu32 " locations)", run->anchor, run->defs->n_processes,
            run->defs->n_locations);
    status = hd_agree(run->group, status);
    if (status != HD_OK)
        return status;
    run->processes = hd_placement_of_rank(run->placement, hd_group_rank(run->group), &run->n_processes);
    run->threads   = HD_NEW_ARRAY(uint32_t, run->n_processes);
    for (uint32_t i = 0; i < run->n_processes; i++)
        run->threads[i] = hd_placement_host(run->placement, (hd_process){ run->processes[i] }) % run->n_threads;
    if (run->speaks && n_ranks > run->defs->n_processes)
        fprintf(stderr, "heddle: warning: %" PRIu32 " of %" PRIu32 " analysis ranks are idle (more ranks than processes)\n  archive:  %" PRIu32
                        " processes\n", n_ranks - run->defs->n_processes, n_ranks, run->defs->n_processes);
    return HD_OK;
}

/* Ranks of this node that host processes. Surplus ranks are the last ones, so they change nobody's position. */
static uint32_t
hosting_on_node(analysis *run)
{
    uint32_t  node    = hd_group_node(run->group);
    uint64_t  n_nodes = (uint64_t)node + 1, *hosting, n;

    hd_group_reduce(run->group, &n_nodes, 1, HD_MAX);
    hosting       = HD_NEW_ARRAY(uint64_t, n_nodes);
    hosting[node] = run->n_processes > 0;
    hd_group_reduce(run->group, hosting, n_nodes, HD_SUM);
    n = hosting[node];
    free(hosting);
    return (uint32_t)n;
}

static hd_status
bind(analysis *run)
{
    uint32_t           node_size      = hosting_on_node(run);
    uint64_t           oversubscribed = 0;
    hd_binding_request request        = { .policy = (hd_bind_policy)run->options->bind, .n_threads = run->n_threads,
                      .node_rank = hd_group_node_rank(run->group), .node_size = node_size };
    hd_status          status         = HD_OK;

    if (run->n_processes > 0)
        status = hd_binding_plan(&request, &run->binding);
    status = hd_agree(run->group, status);
    if (status != HD_OK)
        return status;
    if (run->binding != NULL)
        oversubscribed = hd_binding_oversubscribed(run->binding);
    hd_group_reduce(run->group, &oversubscribed, 1, HD_OR);
    run->yield = oversubscribed != 0;
    if (run->speaks && oversubscribed && !run->options->quiet)
        fprintf(stderr, "heddle: warning: more replay threads than cores; waiting threads yield their core\n");
    return HD_OK;
}

static void
bind_thread(void *context, uint32_t thread)
{
    const analysis *run = context;

    if (run->binding != NULL)
        hd_binding_apply(run->binding, thread);
}

/* Numbers as ranges: "0-3,8". */
static void
print_ranges(FILE *out, const analysis *run, uint32_t thread) /* HD_NONE: of all threads */
{
    const char *between = "";
    uint32_t    first = HD_NONE, last = HD_NONE;

    for (uint32_t i = 0; i <= run->n_processes; i++) {
        bool here = i < run->n_processes && (thread == HD_NONE || run->threads[i] == thread);

        if (here && first != HD_NONE && run->processes[i] == last + 1) {
            last++;
            continue;
        }
        if (first != HD_NONE && (here || i == run->n_processes)) {
            fprintf(out, first == last ? "%s%" PRIu32 : "%s%" PRIu32 "-%" PRIu32, between, first, last);
            between = ",";
            first   = HD_NONE;
        }
        if (here)
            first = last = run->processes[i];
    }
    fputs(*between == '\0' ? "none" : "", out);
}

static void
print_threads(FILE *out, const analysis *run)
{
    for (uint32_t i = 0; i < run->n_threads; i++) {
        const char *where = run->binding != NULL ? hd_binding_text(run->binding, i) : "idle";

        fprintf(out, "rank %" PRIu32 "  node %" PRIu32 " (%s)  pid %jd  thread %" PRIu32 "  %s  processes ", hd_group_rank(run->group).v,
            hd_group_node(run->group), hd_group_node_name(run->group), (intmax_t)getpid(), i, *where != '\0' ? where : "not bound");
        print_ranges(out, run, i);
        fputc('\n', out);
    }
}

static void
print_rank(FILE *out, const analysis *run)
{
    fprintf(out, "heddle: rank %" PRIu32 " node=%s pid=%jd processes=", hd_group_rank(run->group).v, hd_group_node_name(run->group),
        (intmax_t)getpid());
    print_ranges(out, run, HD_NONE);
    fputc('\n', out);
}

/* What every rank has to say of itself, in their order. */
static void
show(const analysis *run, void (*print)(FILE *out, const analysis *run), FILE *to)
{
    char     *text = NULL;
    size_t    n    = 0;
    FILE     *out  = open_memstream(&text, &n);
    uint8_t  *all  = NULL;
    uint64_t *n_bytes = NULL, sum = 0;

    if (out == NULL)
        hd_fatal("out of memory: the placement cannot be shown");
    print(out, run);
    if (fclose(out) != 0)
        hd_fatal("out of memory: the placement cannot be shown");
    hd_group_gather(run->group, text, n, &all, &n_bytes);
    if (run->speaks) {
        for (uint32_t i = 0; i < hd_group_size(run->group); i++)
            sum += n_bytes[i];
        fwrite(all, 1, sum, to);
        fflush(to);
    }
    free(all);
    free(n_bytes);
    free(text);
}

static hd_status
choose_topology(analysis *run)
{
    const char *name = run->options->topology;

    if (run->options->compat == 0) {
        hd_status status = hd_choice_make(run->group, run->defs, name, &run->topology);

        if (status == HD_OK && run->topology.cartesian != NULL)
            run->hop_tables = hd_hop_tables_new(run->defs, run->topology.cartesian);
        return status;
    }
    if (name == NULL || strcmp(name, "none") == 0)
        return HD_OK;
    hd_fail(HD_EUSAGE, "--topology and --compat=scout26 exclude each other: that analyser does not look at messages on topologies");
    hd_fail_detail("try", "--topology=none");
    return HD_EUSAGE;
}

static hd_status
prepare(analysis *run)
{
    hd_status status = choose_period(run);

    if (status == HD_OK)
        status = place(run);
    if (status == HD_OK)
        status = choose_topology(run);
    if (status == HD_OK)
        status = bind(run);
    if (status == HD_OK && run->options->show_placement)
        show(run, print_threads, stdout);
    if (status == HD_OK && run->options->verbose)
        show(run, print_rank, stderr);
    return status;
}

/* ---- loading ----------------------------------------------------------------------------------------------------------- */

/* Each of them has one file open twice: for the OTF2 library, and to look it over before. */
static uint32_t
n_readers(const analysis *run)
{
    struct rlimit limit;
    uint64_t      others = OTHER_FILES + (run->scratch != NULL ? HD_SCRATCH_FILES : 0), allowed;
    uint64_t      most   = run->options->max_open_files > 0 ? run->options->max_open_files : UINT64_MAX;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        allowed = limit.rlim_cur > others ? limit.rlim_cur - others : 1;
        most    = most < allowed ? most : allowed;
    }
    most = most > 1 ? most / 2 : 1;
    return most > run->n_threads ? run->n_threads : (uint32_t)most;
}

/* Where the trace's logs go when memory is limited. */
static hd_status
open_scratch(analysis *run)
{
    const hd_analyze_options *options = run->options;
    hd_status                 status  = HD_OK;

    if (options->memory_limit > 0)
        status = hd_scratch_open(options->scratch, options->memory_limit, &run->scratch);
    else if (options->scratch != NULL) {
        status = hd_fail(HD_EUSAGE, "\"--scratch\" has an effect only with \"--memory-limit\"");
        hd_fail_detail("try", "--memory-limit 2G --scratch %s", options->scratch);
    }
    if (status != HD_OK && status != HD_EUSAGE) {
        hd_fail_detail("node", "%s, rank %" PRIu32, hd_group_node_name(run->group), hd_group_rank(run->group).v);
        hd_fail_detail("try", "--scratch DIR");
    }
    status = hd_agree(run->group, status);
    if (status == HD_OK && run->speaks && hd_scratch_stats_get(run->scratch).is_memory)
        fprintf(stderr, "heddle: warning: the scratch directory \"%s\" is itself in memory, so it saves no memory\n"
                        "  try:     --scratch DIR on a disk\n", hd_scratch_directory(run->scratch));
    return status;
}

static hd_load_request
load_request(analysis *run)
{
    return (hd_load_request){ .anchor = run->anchor, .defs = run->defs, .processes = run->processes,
                              .threads = run->threads, .n_processes = run->n_processes, .n_threads = run->n_threads,
                              .n_readers = n_readers(run), .compat = run->options->compat != 0, .period = run->period,
                              .raw_clocks = run->clocks.mode == HD_CLOCK_NONE, .clocks = run->clocks.logs,
                              .intervals = !run->options->no_delay || !run->options->no_critical_path,
                              .scratch = run->scratch, .n_done = &run->progress.done, .stop = hd_stop_mark(),
                              .on_thread = bind_thread, .context = run };
}

static hd_status
correct_clocks(analysis *run)
{
    hd_load_request request;
    hd_status       status;

    run->clocks.mode    = (hd_clock_mode)run->options->clock;
    run->clocks.reports = run->options->clock_report;
    request             = load_request(run);
    if (run->clocks.mode == HD_CLOCK_CLC || run->clocks.reports)
        hd_progress_phase(&run->progress, "clocks", 0, "");
    status = hd_clocks_prepare(&run->clocks, &request,
        &(hd_clock_request){ .group = run->group, .defs = run->defs, .placement = run->placement, .yield = run->yield,
                             .stop = hd_stop_mark(), .on_thread = bind_thread, .context = run });
    if (is_stopped(run, "while correcting clocks") && (status == HD_OK || status == HD_ESTOPPED))
        return stopped_without_report(run);
    return status;
}

static hd_status
load(analysis *run)
{
    const hd_process_def *processes = hd_defs_processes(run->defs);
    uint64_t              n_events  = 0;
    hd_load_request       request;
    hd_status             status;

    for (uint32_t i = 0; i < run->n_processes; i++)
        n_events += processes[run->processes[i]].n_events;
    hd_progress_phase(&run->progress, "load", n_events, "events");
    request = load_request(run);
    status  = hd_agree(run->group, hd_trace_load(&request, &run->trace));
    if (is_stopped(run, "while loading") && (status == HD_OK || status == HD_ESTOPPED))
        return stopped_without_report(run);
    return status == HD_OK ? hd_check_visible(run->group, run->anchor, run->trace) : status;
}

/* Call paths outside of the period are behind the others, in the process and in the tree. */
static void
map_outside(uint32_t **map, uint32_t n, uint32_t n_unified)
{
    *map = hd_realloc(*map, 2 * (size_t)n + 1, sizeof **map);
    for (uint32_t i = 0; i < n; i++)
        (*map)[n + i] = (*map)[i] + n_unified;
}

static hd_status
unify(analysis *run)
{
    hd_process_tree *trees = HD_NEW_ARRAY(hd_process_tree, run->n_processes);

    hd_progress_phase(&run->progress, "unify", 0, "");
    run->maps = HD_NEW_ARRAY(uint32_t *, run->n_processes);
    for (uint32_t i = 0; i < run->n_processes; i++) {
        const hd_loaded_process *process = &run->trace->processes[i];

        trees[i] = (hd_process_tree){ .process = process->process, .nodes = process->nodes, .n = process->n_nodes };
    }
    hd_calltree_unify(run->group, trees, run->n_processes, &run->tree, run->maps);
    for (uint32_t i = 0; i < run->n_processes && run->period != NULL; i++)
        map_outside(&run->maps[i], trees[i].n, run->tree.n);
    free(trees);
    return HD_OK;
}

/* ---- findings ---------------------------------------------------------------------------------------------------------- */

/* Position of a process among those hosted here. */
static uint32_t
hosted(const analysis *run, uint32_t process)
{
    uint32_t low = 0, high = run->n_processes;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (run->processes[middle] < process)
            low = middle + 1;
        else
            high = middle;
    }
    return low < run->n_processes && run->processes[low] == process ? low : HD_NONE;
}

/* Adds findings of loading: their call paths are those of their process. */
static void
add_findings(analysis *run, const hd_findings *findings)
{
    for (size_t i = 0; i < findings->n; i++) {
        hd_finding finding = findings->rows[i];
        uint32_t   at      = hosted(run, finding.process);

        if (at != HD_NONE && run->period != NULL && finding.call_path < 2 * run->trace->processes[at].n_nodes)
            finding.call_path %= run->trace->processes[at].n_nodes;
        if (at == HD_NONE || finding.call_path >= run->trace->processes[at].n_nodes)
            finding.call_path = HD_NONE;
        else
            finding.call_path = run->maps[at][finding.call_path];
        hd_findings_add(&run->findings, finding);
    }
}

/* All findings on rank 0, sorted. */
static void
gather_findings(analysis *run)
{
    uint8_t  *all     = NULL;
    uint64_t *n_bytes = NULL, sum = 0;

    for (uint32_t i = 0; i < run->trace->n_threads; i++)
        add_findings(run, &run->trace->findings[i]);
    for (size_t i = 0; i < run->result.findings.n; i++)
        hd_findings_add(&run->findings, run->result.findings.rows[i]);
    hd_coverage_add_stopped(run->group, run->trace, &run->findings);
    hd_group_gather(run->group, run->findings.rows, run->findings.n * sizeof(hd_finding), &all, &n_bytes);
    if (run->speaks) {
        for (uint32_t i = 0; i < hd_group_size(run->group); i++)
            sum += n_bytes[i];
        hd_findings_fini(&run->findings);
        for (uint64_t i = 0; i < sum / sizeof(hd_finding); i++) {
            hd_finding finding;

            memcpy(&finding, all + i * sizeof finding, sizeof finding);
            hd_findings_add(&run->findings, finding);
        }
    }
    hd_findings_sort(&run->findings);
    hd_coverage_gather(run->group, run->trace, &run->coverage);
    for (size_t i = 0; i < run->findings.n; i++)
        run->incomplete |= hd_finding_infos[run->findings.rows[i].kind].loses;
    hd_group_broadcast(run->group, &run->incomplete, sizeof run->incomplete, (hd_arank){ 0 });
    free(all);
    free(n_bytes);
}

/* ---- replay ------------------------------------------------------------------------------------------------------------ */

/* Where there is neither MPI nor OpenMP nobody is known to wait for anybody. */
static bool
uses(const analysis *run, hd_paradigm paradigm)
{
    bool any = false;

    for (uint32_t i = 0; i < run->tree.n; i++)
        any |= hd_defs_regions(run->defs)[run->tree.nodes[i].region].paradigm == paradigm;
    return any;
}

static bool
is_parallel(const analysis *run)
{
    return uses(run, HD_PARADIGM_MPI) || uses(run, HD_PARADIGM_OPENMP);
}

static bool
wants_causes(const analysis *run)
{
    bool is_extended = run->options->compat == 0 && (uses(run, HD_PARADIGM_PTHREAD) || uses(run, HD_PARADIGM_SHMEM));

    return (is_parallel(run) || is_extended) && !run->options->no_delay;
}

/* From here on there will be a report, however long it takes. */
static void
begin_way_back(void *context)
{
    analysis *run = context;

    hd_stop_has_time();
    hd_progress_phase(&run->progress, "backward replay", 0, "");
}

static hd_status
replay(analysis *run)
{
    hd_message_patterns messages[4];
    size_t              n_messages = 0;
    hd_threads          threads;

    run->has_causes = wants_causes(run);
    run->has_path   = is_parallel(run) && !run->options->no_critical_path;
    if (run->topology.cartesian != NULL) {
        messages[n_messages++] = hd_wavefront_patterns(run->topology.cartesian);
        messages[n_messages++] = hd_distance_in_hops(run->topology.cartesian);
    }
    if (run->topology.machine != NULL)
        messages[n_messages++] = hd_distance_on_machine(run->topology.machine);
    if (run->hop_tables != NULL)
        messages[n_messages++] = hd_hop_tables_patterns(run->hop_tables);
    hd_progress_phase(&run->progress, "replay", run->trace->n_calls, "calls");
    hd_threads_init(&threads, run->defs, &run->tree, run->options->compat != 0);
    hd_replay_run(&(hd_replay_request){ .group = run->group, .defs = run->defs, .trace = run->trace, .maps = run->maps,
                      .placement = run->placement, .compat = run->options->compat != 0, .yield = run->yield,
                      .delays = run->has_causes, .critical_path = run->has_path,
                      .n_call_paths = run->period != NULL ? 2 * run->tree.n : run->tree.n, .period = run->period,
                      .statistics = wants_statistics(run), .n_worst = run->options->instances,
                      .on_thread = bind_thread, .context = run, .n_done = &run->progress.done,
                      .patterns = &hd_thread_patterns, .patterns_context = &threads,
                      .messages = messages, .n_messages = n_messages, .stop = hd_stop_mark(), .goes_back = begin_way_back },
        &run->result);
    run->has_result = true;
    hd_threads_fini(&threads);
    if (run->result.stopped != HD_STOPPED_NOWHERE)
        is_stopped(run, run->result.stopped == HD_STOPPED_FORWARDS ? "while replaying" : "during backward replay");
    if (run->result.stopped == HD_STOPPED_FORWARDS)
        return stopped_without_report(run);
    if (run->result.stopped == HD_STOPPED_ON_WAY_BACK)
        run->has_causes = run->has_path = false;
    hd_stop_has_time();
    if (run->hop_tables != NULL)
        hd_hop_tables_add_up(run->hop_tables, run->group);
    return HD_OK;
}

static hd_status
find_moments(analysis *run)
{
    hd_load_request request = load_request(run);
    hd_status       status;

    if (!wants_statistics(run) || is_stopped(run, "while reading timeline excerpts"))
        return HD_OK;
    request.period = NULL; /* pictures go beyond it */
    hd_progress_phase(&run->progress, "timeline excerpts", 0, "");
    status = hd_moments_find(run->group, &request, run->maps, &run->result.statistics, &run->moments);
    return status == HD_ESTOPPED && is_stopped(run, "while reading timeline excerpts") ? HD_OK : status;
}

/* ---- the report -------------------------------------------------------------------------------------------------------- */

typedef struct attribute_list {
    hd_attribute *rows;
    size_t        n, capacity;
} attribute_list;

static void
add_attribute(attribute_list *list, const char *key, char *value)
{
    HD_PUSH(list->rows, list->n, list->capacity, ((hd_attribute){ .key = key, .value = value }));
}

static void
add_number(attribute_list *list, const char *key, uint64_t value)
{
    add_attribute(list, key, hd_format("%" PRIu64, value));
}

/* [s], without zeros at the end. */
static void
add_time(attribute_list *list, const char *key, hd_duration time)
{
    char  *text = hd_format("%" PRIu64 ".%018" PRIu64, time.seconds, time.attoseconds);
    size_t n    = strlen(text);

    while (text[n - 1] == '0')
        n--;
    text[text[n - 1] == '.' ? n - 1 : n] = '\0';
    if (hd_duration_is_end(time)) {
        free(text);
        text = hd_strdup("END");
    }
    add_attribute(list, key, text);
}

static void
add_choice(attribute_list *list, const char *key, const char *values, uint32_t choice)
{
    for (; choice > 0; choice--)
        values += strcspn(values, "|") + 1;
    add_attribute(list, key, hd_format("%.*s", (int)strcspn(values, "|"), values));
}

/* What the analysis was and what it took, for the report. */
static void
describe(const analysis *run, attribute_list *list)
{
    char *sampling;
    bool lost_costs, lost_path;

    add_attribute(list, "Heddle::Version", hd_strdup(HD_VERSION));
    add_attribute(list, "Heddle::Archive", hd_strdup(run->anchor));
    if (run->incomplete)
        add_attribute(list, HD_COVERAGE_ATTRIBUTE, hd_coverage_text(&run->coverage, &run->findings));
    if (run->topology.cartesian != NULL && uses(run, HD_PARADIGM_MPI))
        add_attribute(list, "Heddle::Topology", hd_strdup(run->topology.cartesian->name));
    for (uint32_t i = 0; i < hd_hop_tables_n(run->hop_tables); i++)
        add_attribute(list, "Heddle::Hops", hd_hop_tables_text(run->hop_tables, i, run->defs->resolution));
    if (run->topology.switches != NULL)
        add_attribute(list, "Heddle::Switches", hd_strdup(run->topology.switches));
    if ((sampling = hd_defs_sampling(run->defs)) != NULL)
        add_attribute(list, "Heddle::Sampling", sampling);
    add_attribute(list, "Heddle::MPI", hd_group_library());
    add_number(list, "Heddle::Ranks", hd_group_size(run->group));
    add_number(list, "Heddle::Threads", run->n_threads);
    add_choice(list, "Heddle::Placement", "block|cyclic|node", run->options->placement);
    add_choice(list, "Heddle::Bind", "core|pu|numa|none", run->options->bind);
    add_choice(list, "Heddle::Clock", "none|linear|clc", run->options->clock);
    add_choice(list, "Heddle::Compat", "none|scout26", run->options->compat);
    if (run->period != NULL) {
        add_time(list, "Heddle::From", run->options->from);
        add_time(list, "Heddle::To", run->options->to);
    }
    if (run->signal != 0)
        add_attribute(list, HD_STOPPED_ATTRIBUTE, hd_format("by %s %s", hd_stop_name(run->signal), run->stopped_at));
    lost_costs = run->options->no_delay || (wants_causes(run) && !run->has_causes);
    lost_path  = run->options->no_critical_path || (is_parallel(run) && !run->has_path);
    if (lost_costs || lost_path)
        add_attribute(list, HD_LEFT_OUT_ATTRIBUTE,
            hd_format("%s%s%s", lost_costs ? "delay costs" : "", lost_costs && lost_path ? ", " : "", lost_path ? "critical path" : ""));
    hd_figures_describe(&run->figures, &list->rows, &list->n, &list->capacity);
    add_attribute(list, "Heddle::Seconds", hd_format("%.6f", hd_progress_now() - run->start));
}

/* A topology that the archive does not have, for the report. */
static bool
give_topology(const analysis *run, hd_report_topology *given)
{
    const hd_cartesian *cartesian = run->topology.cartesian;

    if (cartesian == NULL || cartesian->is_recorded)
        return false;
    *given = (hd_report_topology){ .name = cartesian->name, .dimension_names = (const char *const *)cartesian->dimension_names,
                                   .sizes = cartesian->sizes, .is_periodic = cartesian->is_periodic, .places = cartesian->places,
                                   .n_dimensions = cartesian->n_dimensions };
    return true;
}

static hd_status
write_report(analysis *run)
{
    hd_report_location *locations = HD_NEW_ARRAY(hd_report_location, run->result.n_locations);
    uint64_t            seen;
    uint32_t            near, hops;
    attribute_list      list      = { 0 };
    uint32_t           *nodes     = run->speaks ? hd_machine_nodes(run->defs) : NULL;
    hd_report_topology  given;
    hd_status           status;

    hd_progress_phase(&run->progress, "report", 0, "");
    for (uint32_t i = 0; i < run->result.n_locations; i++) {
        const hd_location_result *result = &run->result.locations[i];

        locations[i] = (hd_report_location){ .location = result->location, .entries = result->entries, .n = result->n,
                                             .costs = result->costs, .n_costs = result->n_costs };
    }
    if (run->speaks)
        describe(run, &list);
    hd_distance_seen(run->result.locations, run->result.n_locations, &near, &hops);
    seen = (uint64_t)hops << 32 | near;
    hd_group_reduce(run->group, &seen, 1, HD_OR);
    status = hd_output_begin(run->group, run->output);
    if (status == HD_OK)
        status = hd_cube_write_into(run->group,
            &(hd_report){ .defs = run->defs, .tree = &run->tree, .locations = locations, .n_locations = run->result.n_locations,
                .attributes = list.rows, .n_attributes = list.n, .findings = &run->findings, .compat = run->options->compat != 0,
                .n_axes = run->topology.cartesian != NULL ? run->topology.cartesian->n_dimensions : 0,
                .seen_near = (uint32_t)seen, .seen_hops = (uint32_t)(seen >> 32), .has_causes = run->has_causes,
                .statistics = wants_statistics(run) ? &run->result.statistics : NULL, .moments = &run->moments,
                .waits = run->waits, .causes = run->has_causes ? &run->result.causes : NULL, .pairs = &run->result.pairs,
                .cause_fraction = run->result.cause_fraction, .given = give_topology(run, &given) ? &given : NULL,
                .nodes = nodes },
            hd_output_file(run->output), hd_output_path(run->output));
    for (size_t i = 0; i < list.n; i++)
        free((void *)(uintptr_t)list.rows[i].value);
    free(list.rows);
    free(locations);
    free(nodes);
    return status;
}

static void
write_stat(const analysis *run, FILE *file)
{
    uint32_t *numbers = hd_cube_path_numbers(&run->tree);

    hd_stat_file_write(file, &run->result.statistics, run->defs, numbers);
    free(numbers);
}

static void
write_findings(const analysis *run, FILE *file)
{
    hd_findings_write_tsv(file, &run->findings, run->defs, &run->tree);
}

static void
write_clocks(const analysis *run, FILE *file)
{
    hd_clocks_write_tsv(file, &run->clocks, run->defs);
}

static void
write_waits(const analysis *run, FILE *file)
{
    hd_wait_graph_write_dot(file, run->waits, &(hd_wait_graph_names){ run->defs, &run->tree, NULL });
}

/* free() its data. */
static hd_bytes
text_of(const analysis *run, void (*write)(const analysis *run, FILE *file))
{
    char  *text = NULL;
    size_t n    = 0;
    FILE  *out  = open_memstream(&text, &n);

    HD_ASSERT(out != NULL);
    write(run, out);
    fclose(out);
    return (hd_bytes){ .data = (uint8_t *)text, .n = n };
}

static hd_status
commit(analysis *run)
{
    hd_bytes  texts[HD_N_SIDE_FILES] = { 0 };
    hd_status status;

    if (run->speaks && run->findings.n > 0)
        texts[HD_SIDE_FINDINGS] = text_of(run, write_findings);
    if (run->waits != NULL)
        texts[HD_SIDE_WAITS] = text_of(run, write_waits);
    if (run->speaks && wants_statistics(run))
        texts[HD_SIDE_STAT] = text_of(run, write_stat);
    if (run->speaks && run->options->clock_report)
        texts[HD_SIDE_CLOCKS] = text_of(run, write_clocks);
    status = hd_output_commit(run->group, run->output, texts);
    for (size_t i = 0; i < HD_N_SIDE_FILES; i++)
        free(texts[i].data);
    return status;
}

static hd_status
report(analysis *run)
{
    hd_status status;

    gather_findings(run);
    run->waits = hd_wait_graph_new(&run->result.unfinished);
    hd_figures_gather(run->group, &(hd_rank_figures){ .n_processes = run->n_processes, .start_bytes = run->start_bytes },
                      run->n_threads, run->trace, &run->result, &run->figures);
    status = write_report(run);
    if (status == HD_OK)
        status = commit(run);
    hd_progress_end(&run->progress);
    return status;
}

/* ---- afterwards -------------------------------------------------------------------------------------------------------- */

/* Who waits when the recording ends. */
static void
tell_waits(const analysis *run)
{
    uint64_t n = 0, n_in_cycles = 0;
    char     number[28], other[28];

    for (uint32_t i = 0; run->waits != NULL && i < run->waits->n_nodes; i++) {
        const hd_wait_node *node = &run->waits->nodes[i];

        n += node->kind == HD_NODE_WAITS ? node->n_processes : 0;
        n_in_cycles += node->kind == HD_NODE_WAITS && node->cycle != 0 ? node->n_processes : 0;
    }
    if (n == 0)
        return;
    fprintf(stderr, "heddle: warning: %s process%s when the recording ended", hd_message_number(number, n),
            n == 1 ? " was blocked" : "es were blocked");
    if (n_in_cycles > 0)
        fprintf(stderr, ", %s of them in a wait-for cycle", hd_message_number(other, n_in_cycles));
    fputs("\n  drawing:  ", stderr);
    hd_message_escaped(stderr, hd_output_side_path(run->output, HD_SIDE_WAITS), false);
    fputc('\n', stderr);
}

/* A signal leaves it out, now or before: then something is missing, and rank 0 says so by its exit code. */
static hd_status
write_page(analysis *run)
{
    hd_status status  = HD_OK;
    bool      is_left = run->signal != 0;

    hd_stop_catch(NULL, false); /* the report has its name */
    if (!is_left) {
        status  = hd_html_write(hd_output_path(run->output), run->page,
                               &(hd_page_options){ .force = run->options->force, .stop = hd_stop_mark() }, !run->options->quiet);
        is_left = status != HD_OK && *hd_stop_mark() != 0;
    }
    if (!is_left)
        return status;
    run->signal = run->signal != 0 ? run->signal : (int)*hd_stop_mark();
    fprintf(stderr, "heddle: warning: stopped by %s: the page is not written\n  try:      heddle html, with the report\n", hd_stop_name(run->signal));
    return HD_OK;
}

static hd_status
tell(analysis *run)
{
    double    seconds = hd_progress_now() - run->start;
    hd_status status;

    if (!run->speaks)
        return hd_agree(run->group, HD_OK);
    if (run->options->verbose) {
        hd_figures_print(&run->figures, run->defs->archive_bytes, stderr);
        fprintf(stderr, "heddle: analysed in seconds=%.6f\n", seconds);
    }
    hd_figures_warn_limit(&run->figures, stderr);
    hd_message_findings(stderr, &run->findings,
        &(hd_message_trace){ .defs = run->defs, .tree = &run->tree, .path = hd_output_side_path(run->output, HD_SIDE_FINDINGS) });
    tell_waits(run);
    status = run->options->quiet || run->options->no_summary
                 ? HD_OK
                 : hd_summary_show(hd_output_path(run->output), 3, run->options->instances, run->options->verbose);
    if (status == HD_OK && run->options->clock_report && !run->options->quiet)
        hd_clocks_show(stdout, &run->clocks, run->defs, hd_output_side_path(run->output, HD_SIDE_CLOCKS));
    if (status == HD_OK && run->page != NULL)
        status = write_page(run);
    if (status != HD_OK)
        hd_fail_detail("report", "\"%s\" is complete", hd_output_path(run->output));
    return hd_agree(run->group, status);
}

static void
end_all_ranks(void *context)
{
    analysis *run = context;

    hd_output_drop(run->output);
    hd_group_abort(run->group, HD_EXIT_ERROR);
}

static void
finish(analysis *run)
{
    guard(NULL);
    hd_fatal_handler_set(NULL, NULL);
    hd_output_drop(run->output);
    hd_progress_fini(&run->progress);
    free(run->moments.rows);
    hd_wait_graph_free(run->waits);
    if (run->has_result)
        hd_replay_result_fini(&run->result);
    for (uint32_t i = 0; run->maps != NULL && i < run->n_processes; i++)
        free(run->maps[i]);
    free(run->maps);
    hd_calltree_fini(&run->tree);
    hd_findings_fini(&run->findings);
    hd_figures_fini(&run->figures);
    hd_trace_free(run->trace);
    hd_clocks_fini(&run->clocks);
    hd_scratch_close(run->scratch);
    hd_binding_free(run->binding);
    hd_hop_tables_free(run->hop_tables);
    hd_choice_fini(&run->topology);
    hd_placement_free(run->placement);
    free(run->threads);
    hd_output_free(run->output);
    free(run->page);
    free(run->anchor);
}

static hd_status
analyze_run(const void *options_, hd_group *group, int *exit_code)
{
    static hd_status (*const phases[])(analysis *) = { open_archive, prepare, open_scratch, correct_clocks, load, unify, replay, find_moments, report, tell };
    const hd_analyze_options *options              = options_;
    analysis                  run                  = { .group = group, .options = options, .start = hd_progress_now() };
    hd_progress_level         level                = HD_PROGRESS_NORMAL;
    hd_status                 status               = HD_OK;

    run.speaks              = hd_group_rank(group).v == 0;
    run.start_bytes         = hd_figures_peak_bytes();
    if (options->quiet || !run.speaks)
        level = HD_PROGRESS_QUIET;
    else if (options->verbose)
        level = HD_PROGRESS_VERBOSE;
    hd_progress_init(&run.progress, level, stderr);
    hd_fatal_handler_set(end_all_ranks, &run);
    for (size_t i = 0; i < sizeof phases / sizeof *phases && status == HD_OK; i++)
        status = phases[i](&run);
    if (status == HD_OK)
        *exit_code = run.incomplete || run.signal != 0 ? HD_EXIT_INCOMPLETE : HD_EXIT_OK;
    else if (status == HD_ESTOPPED)
        *exit_code = 128 + run.signal;
    finish(&run);
    return status;
}

const hd_command hd_cmd_analyze = {
    .name           = "analyze",
    .operand        = "ARCHIVE",
    .operand_offset = offsetof(hd_analyze_options, archive),
    .parallel       = true,
    .exit_codes     = "3\tthe archive is incomplete, or a signal stopped the analysis after the forward replay: the report holds what could be analysed\n"
                      "128+N\tsignal N stopped the analysis before there was anything to report",
    .what           = "find the wait states of an archive and write a report",
    .text           = "Replays the communication of an OTF2 archive and writes a Cube4 report with the time, and the time "
                      "spent in waiting, per metric, call path and process. Then it prints a summary. ARCHIVE is the anchor "
                      "file (.otf2) or a folder that holds traces.otf2. The result does not depend on the number of ranks "
                      "and threads.\n\n"
                      "Flaws of the trace are no errors. They are printed as warnings and listed in a table beside the report "
                      "(REPORT.findings.tsv); the rest is analysed. If processes were blocked when the recording ended, the "
                      "summary shows the wait-for graph, and REPORT.waitgraph.dot draws it.",
    .example        = "heddle analyze traces.otf2\ton this machine, with all its cores\n"
                      "mpirun -n 16 heddle analyze traces.otf2 --threads 8\t16 ranks with 8 threads each\n"
                      "heddle analyze traces.otf2 -o lu.cubex --force\twrite the report to lu.cubex, replacing an older one\n"
                      "heddle analyze traces.otf2 --instances 20\talso the 20 most severe instances of each wait state",
    .options        = analyze_options,
    .n_options      = sizeof analyze_options / sizeof *analyze_options,
    .bytes          = sizeof(hd_analyze_options),
    .run            = analyze_run,
};
