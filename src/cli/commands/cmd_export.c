/* heddle export: a part of an archive for timeline viewers that read other formats. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "archive.h"
#include "clock.h"
#include "clock_read.h"
#include "commands.h"
#include "cube_reader.h"
#include "defs_demangle.h"
#include "defs_read.h"
#include "efficiency_list.h"
#include "export.h"
#include "launcher.h"
#include "terminal.h"
#include "memory.h"
#include "message.h"
#include "progress.h"
#include "rank_range.h"
#include "result.h"
#include "same_file.h"
#include "signal_stop.h"
#include "trace_part.h"

typedef struct hd_export_options {
    bool        help, force, quiet;
    const char *archive, *report;
    const char *paths[HD_N_EXPORT_FORMATS];
    uint32_t    instance, clock, reader;
    hd_duration from, to, margin;
    hd_texts    processes;
} hd_export_options;

#define FORMAT_NUMBER(name, value, help) HD_EXPORT_##name,
enum { HD_EXPORT_FORMATS(FORMAT_NUMBER) };

#define FIELD(field) offsetof(hd_export_options, field)
#define FORMAT_OPTION(name, value, help) { #name, 0, HD_TEXT, NULL, value, help, FIELD(paths[HD_EXPORT_##name]) },
static const hd_option export_options[] = {
    HD_EXPORT_FORMATS(FORMAT_OPTION)
    { "from", 0, HD_TIME, "0", "T",
        "start of the interval, since the first event: seconds, or a number with s, ms, us or ns", FIELD(from) },
    { "to", 0, HD_TIME, "END", "T", "end of the interval", FIELD(to) },
    { "instance", 0, HD_COUNT, NULL, "N",
        "export the call of this instance, a line of the report's table of instances", FIELD(instance) },
    { "margin", 0, HD_TIME, "0", "T", "margin before and after the interval", FIELD(margin) },
    { "process", 0, HD_TEXTS, "(all)", "N", HD_PROCESS_HELP, FIELD(processes) },
    { "report", 0, HD_TEXT, "(heddle.cubex beside the archive's anchor)", "REPORT.cubex",
        "the report whose efficiencies, and instances of wait states (of heddle analyze --instances), are shown",
        FIELD(report) },
    { "clock", 0, HD_CHOICE, "linear", "none|linear|clc", "timestamp correction, as of heddle analyze", FIELD(clock) },
    HD_OPTION_READER(FIELD(reader)),
    { "force", 'f', HD_FLAG, NULL, NULL, "replace existing files", FIELD(force) },
    { "quiet", 'q', HD_FLAG, NULL, NULL, "print errors only", FIELD(quiet) },
    HD_OPTION_HELP,
};

typedef enum clock_mode { CLOCK_NONE, CLOCK_LINEAR, CLOCK_CLC } clock_mode; /* as the choices of --clock */

static const char *const clock_names[] = { "none", "linear", "clc" };

/* More events than that have messages and records in files instead of in memory. */
#define MANY_EVENTS          UINT64_C(2000000)
#define SCRATCH_MEMORY_BYTES (UINT64_C(512) << 20)

typedef struct run {
    const hd_export_options *options;
    char                    *anchor;
    hd_defs                 *defs;
    hd_analysis_interval     interval;
    bool                    *is_chosen; /* [n_locations] */
    hd_wait_marks            waits;
    hd_efficiency_list       efficiencies;
    hd_clock_logs           *clocks;
    hd_scratch              *scratch;
    hd_progress              progress;
    uint64_t                 n_events;  /* of the locations chosen */
    hd_export_result         result;
} run;

/* ---- what is asked for ------------------------------------------------------------------------------------------- */

/* Whether one of Paraver's three files has the name of the other one. */
static bool
is_name_twice(const char *perfetto, const char *paraver)
{
    static const char *const endings[] = { ".prv", ".pcf", ".row" };
    size_t                   length    = strlen(paraver), gzip = strlen(".prv.gz"), prv = strlen(".prv");
    bool                     is_gzip   = length > gzip && strcmp(paraver + length - gzip, ".prv.gz") == 0;
    bool                     is_twice  = false;

    length -= is_gzip ? gzip : length > prv && strcmp(paraver + length - prv, ".prv") == 0 ? prv : 0;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char *name = hd_format("%.*s%s%s", (int)length, paraver, endings[i], i == 0 && is_gzip ? ".gz" : "");

        is_twice |= hd_is_same_name(perfetto, name);
        free(name);
    }
    return is_twice;
}

static hd_status
check_paths(const hd_export_options *options)
{
    const char *perfetto = options->paths[HD_EXPORT_perfetto], *paraver = options->paths[HD_EXPORT_paraver];
    bool        is_any   = false;

    for (uint32_t i = 0; i < HD_N_EXPORT_FORMATS; i++)
        is_any |= options->paths[i] != NULL;
    if (perfetto != NULL && paraver != NULL && is_name_twice(perfetto, paraver)) {
        hd_fail(HD_EUSAGE, "two files cannot both be \"%s\"", perfetto);
        hd_fail_detail("try", "another name for --perfetto, or for --paraver");
        return HD_EUSAGE;
    }
    if (is_any)
        return HD_OK;
    hd_fail(HD_EUSAGE, "no format is given");
    hd_fail_detail("try", "--perfetto FILE, or --paraver BASE");
    return HD_EUSAGE;
}

/* Whatever --force says. */
static hd_status
spare_inputs(const hd_export_options *options, const char *anchor)
{
    for (uint32_t i = 0; i < HD_N_EXPORT_FORMATS; i++) {
        const char *path = options->paths[i];

        if (path != NULL && (hd_archive_has_file(anchor, path) ||
                             (options->report != NULL && hd_is_same_file(options->report, path))))
            return hd_fail(HD_EUSAGE, "\"%s\" is read, and is not replaced", path);
    }
    return HD_OK;
}

static hd_status
choose_processes(run *r)
{
    const hd_process_def *processes = hd_defs_processes(r->defs);
    const hd_texts       *ranges    = &r->options->processes;
    uint64_t              n         = r->defs->n_processes, first = 0, last = n - 1;

    r->is_chosen = HD_NEW_ARRAY(bool, (size_t)r->defs->n_locations + 1);
    for (size_t i = 0; i < ranges->n || i == 0; i++) {
        hd_status status = ranges->n > 0 ? hd_rank_range_read(ranges->text[i], "export", &first, &last) : HD_OK;

        if (status != HD_OK)
            return status;
        if (ranges->n > 0 && first >= n)
            return hd_fail(HD_EUSAGE, "the archive has %" PRIu64 " processes, none is %s", n, ranges->text[i]);
        for (uint64_t p = first; p <= last && p < n; p++)
            for (uint32_t t = 0; t < processes[p].n_locations; t++)
                r->is_chosen[processes[p].first_location + t] = true;
    }
    for (uint32_t i = 0; i < r->defs->n_locations; i++)
        r->n_events += r->is_chosen[i] ? hd_defs_locations(r->defs)[i].n_events : 0;
    return HD_OK;
}

/* Of another archive they are left out. */
static hd_status
read_efficiencies(run *r, hd_cube *cube)
{
    hd_status status = hd_efficiency_list_read(cube, &r->efficiencies);

    if (status == HD_OK && r->efficiencies.n > 0 &&
        (r->efficiencies.entries[0].resolution != r->defs->resolution ||
         (r->defs->length > 0 && r->efficiencies.entries[0].from > r->defs->length)))
        hd_efficiency_list_fini(&r->efficiencies);
    return status;
}

static uint32_t
n_windows(const hd_efficiency_list *list)
{
    uint32_t n = 0;

    for (size_t i = 0; i < list->n; i++)
        n += list->entries[i].kind == HD_SLICE_WINDOW;
    return n;
}

static hd_status
read_report(run *r)
{
    char     *path   = r->options->report != NULL ? hd_strdup(r->options->report) :
                                                    hd_archive_beside(r->anchor, "heddle.cubex");
    hd_cube  *cube   = NULL;
    hd_status status = HD_OK;

    if (r->options->report != NULL || access(path, R_OK) == 0)
        status = hd_cube_open(path, &cube);
    if (cube != NULL)
        status = hd_wait_marks_read(cube, r->defs, &r->interval, r->is_chosen, &r->waits);
    if (cube != NULL && status == HD_OK)
        status = read_efficiencies(r, cube);
    if (status == HD_OK && r->options->report != NULL && !r->waits.is_there && n_windows(&r->efficiencies) == 0) {
        status = hd_fail(HD_EUSAGE, "the report \"%s\" has no instances, and no efficiencies of time windows", path);
        hd_fail_detail("try", "heddle analyze ARCHIVE --instances N, which keeps the N most severe of each wait state");
    }
    hd_cube_close(cube);
    free(path);
    return status;
}

/* ---- --clock clc ------------------------------------------------------------------------------------------------- */

static hd_status
correct_with(run *r, hd_analysis_comm *comm, const hd_placement *placement, const hd_load_request *load)
{
    hd_clock_result  result  = { 0 };
    hd_clock_request request = { .analysis_comm = comm, .defs = r->defs, .placement = placement, .corrects = true,
                                 .stop = load->stop };
    hd_status        status  = hd_clock_logs_read(load, &r->clocks);

    request.logs = r->clocks;
    if (status == HD_OK)
        status = hd_clock_run(&request, &result);
    hd_clock_result_fini(&result);
    return status;
}

/* Of all processes, as the analysis does it: those that are not chosen move others. */
static hd_status
correct_clocks(run *r)
{
    const hd_process_def *processes = hd_defs_processes(r->defs);
    uint32_t              n         = r->defs->n_processes;
    uint32_t             *all = HD_NEW_ARRAY(uint32_t, (size_t)n + 1), *threads = HD_NEW_ARRAY(uint32_t, (size_t)n + 1);
    uint64_t             *weights   = HD_NEW_ARRAY(uint64_t, (size_t)n + 1);
    hd_placement         *placement = NULL;
    int                   argc      = 1;
    char                  name[]    = "heddle", *arguments[] = { name, NULL }, **argv = arguments;
    hd_analysis_comm     *comm;
    hd_status             status;
    hd_load_request       load = { .anchor = r->anchor, .defs = r->defs, .processes = all, .threads = threads,
                                   .n_processes = n, .n_threads = 1, .n_readers = 1, .scratch = r->scratch,
                                   .reader = r->options->reader,
                                   .n_done = &r->progress.done, .stop = hd_stop_mark() };

    for (uint32_t i = 0; i < n; i++) {
        all[i]     = i;
        weights[i] = processes[i].n_events;
    }
    hd_progress_phase(&r->progress, &(hd_phase){ .what = "correct clocks", .own = r->defs->n_events,
                                                 .all = r->defs->n_events, .unit = "events" });
    comm   = hd_analysis_comm_open(&hd_analysis_comm_single, &argc, &argv);
    status = hd_placement_new(&(hd_placement_request){ .weights = weights, .n_processes = n, .n_ranks = 1,
                                                       .n_threads = 1, .policy = HD_PLACE_BLOCK }, &placement);
    if (status == HD_OK)
        status = correct_with(r, comm, placement, &load);
    hd_placement_free(placement);
    hd_analysis_comm_close(comm);
    free(weights);
    free(threads);
    free(all);
    return status;
}

/* ---- what came of it --------------------------------------------------------------------------------------------- */

static void
tell_waits(FILE *out, const run *r)
{
    if (r->waits.n > 0)
        fprintf(out, "wait states   %zu instance%s of the report\n", r->waits.n, r->waits.n == 1 ? "" : "s");
    else if (r->options->paths[HD_EXPORT_perfetto] != NULL && r->waits.is_there)
        fprintf(out, "wait states   none: no instance of the report is in this part\n");
    else if (r->options->paths[HD_EXPORT_perfetto] != NULL)
        fprintf(out, "wait states   none, as there is no report with instances\n"
                     "  try:     heddle analyze ARCHIVE --instances 10 -o REPORT.cubex, then --report REPORT.cubex\n");
    if (r->options->paths[HD_EXPORT_perfetto] != NULL && n_windows(&r->efficiencies) > 0)
        fprintf(out, "efficiencies  of %" PRIu32 " time window%s of the report\n", n_windows(&r->efficiencies),
                n_windows(&r->efficiencies) == 1 ? "" : "s");
}

static void
tell(FILE *out, const run *r)
{
    double                  resolution = (double)r->defs->resolution;
    hd_time                 first      = r->defs->first_time;
    const hd_export_result *result     = &r->result;

    for (uint32_t i = 0; i < HD_N_EXPORT_FORMATS; i++)
        if (r->options->paths[i] != NULL) {
            fprintf(out, "%-13s ", hd_export_formats[i]->name);
            hd_message_escaped(out, r->options->paths[i], false);
            putc('\n', out);
        }
    fprintf(out, "interval      %.9f s to %.9f s\n",
            r->interval.from > first ? (double)(r->interval.from - first) / resolution : 0.0,
            result->walk.last > first ? (double)(result->walk.last - first) / resolution : 0.0);
    fprintf(out, "calls         %" PRIu64 "\nmessages      %" PRIu64 "\n", result->n_regions, result->n_messages);
    if (result->n_alone > 0)
        fprintf(out, "omitted       %" PRIu64 " sends and receives whose other end is not in this part\n",
                result->n_alone);
    if (result->walk.n_misfits > 0)
        fprintf(out, "omitted       %" PRIu64 " records that end what was not begun, or that refer to nothing\n",
                result->walk.n_misfits);
    tell_waits(out, r);
}

static bool
tell_losses(const run *r)
{
    static const char *const words[HD_WALK_N_LOSSES][2] = { /* one, several */
        [HD_WALK_NO_EVENTS] =
            { "location has no event file, or an empty one", "locations have no event file, or an empty one" },
        [HD_WALK_CUT_EVENTS] =
            { "location has an event file that ends too early; what can be read of it was taken",
              "locations have an event file that ends too early; what can be read of them was taken" },
        [HD_WALK_NO_DEFINITIONS] =
            { "location has no readable definitions of its own; its names and times may be wrong",
              "locations have no readable definitions of their own; their names and times may be wrong" },
        [HD_WALK_TIME_DAMAGED] =
            { "location has records with times that cannot be; the time of the record before is used",
              "locations have records with times that cannot be; the time of the record before is used" },
    };
    bool is_any = false;

    for (int i = 0; i < HD_WALK_N_LOSSES; i++) {
        uint32_t               n = r->result.walk.losses[i].n;
        const hd_location_def *first;

        if (n == 0)
            continue;
        is_any = true;
        first  = &hd_defs_locations(r->defs)[r->result.walk.losses[i].first];
        fprintf(stderr, "heddle: warning: %" PRIu32 " %s\n  first:    process %" PRIu32, n, words[i][n > 1],
                first->process);
        fprintf(stderr, first->thread > 0 ? ", thread %" PRIu32 "\n" : "\n", first->thread);
    }
    if (r->result.n_early > 0) {
        bool is_one = r->result.n_early == 1;

        fprintf(stderr, "heddle: warning: %" PRIu64 " %s, as clocks differ; viewers may not show %s\n",
                r->result.n_early,
                is_one ? "message arrives before it is sent" : "messages arrive before they are sent",
                is_one ? "it" : "them");
        if (r->options->clock != CLOCK_CLC)
            fputs("  try:     --clock clc\n", stderr);
    }
    return is_any;
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static void
begin_phase(void *context, const char *what)
{
    run *r = context;

    hd_progress_phase(&r->progress, &(hd_phase){ .what = what, .own = r->n_events, .all = r->n_events,
                                                 .unit = "events" });
}

static hd_status
refuse_launcher(void)
{
    hd_fail(HD_EUSAGE, "\"--clock clc\" works without a launcher only");
    hd_fail_detail("try", "heddle export without mpirun or srun");
    return HD_EUSAGE;
}

static hd_status
prepare(run *r)
{
    const hd_export_options *options = r->options;
    hd_status                status  = check_paths(options);

    if (status == HD_OK)
        status = hd_archive_find(options->archive, &r->anchor);
    if (status == HD_OK)
        status = spare_inputs(options, r->anchor);
    if (status == HD_OK)
        status = hd_defs_read(r->anchor, &r->defs);
    if (status == HD_OK && r->defs->n_events > 0)
        status = hd_archive_check_events(r->anchor);
    if (status == HD_OK)
        status = hd_trace_part_choose(&(hd_trace_part){ .instance = options->instance, .report = options->report,
                                                        .margin = options->margin, .from = options->from,
                                                        .to = options->to }, r->anchor, r->defs, &r->interval, NULL);
    if (status == HD_OK)
        r->defs = hd_defs_demangle(r->defs); /* names as in reports */
    if (status == HD_OK)
        status = choose_processes(r);
    if (status == HD_OK)
        status = read_report(r);
    if (status == HD_OK && r->n_events > MANY_EVENTS)
        status = hd_scratch_open(NULL, SCRATCH_MEMORY_BYTES, &r->scratch);
    if (status == HD_OK && options->clock == CLOCK_CLC && hd_launched_as() != NULL)
        status = refuse_launcher();
    return status;
}

static hd_status
export_archive(run *r)
{
    const hd_export_options *options = r->options;
    hd_export_request        request = { .archive = options->archive, .anchor = r->anchor, .defs = r->defs,
                                         .is_chosen = r->is_chosen, .interval = r->interval,
                                         .clock = clock_names[options->clock],
                                         .reader = options->reader, .raw_clocks = options->clock == CLOCK_NONE,
                                         .waits = &r->waits, .efficiencies = &r->efficiencies, .scratch = r->scratch, .force = options->force,
                                         .on_phase = begin_phase, .context = r, .n_done = &r->progress.done };
    hd_status                status  = HD_OK;

    memcpy(request.paths, options->paths, sizeof request.paths);
    request.stop = hd_stop_hold();
    if (options->clock == CLOCK_CLC)
        status = correct_clocks(r);
    request.clocks = r->clocks;
    if (status == HD_OK)
        status = hd_export_run(&request, &r->result);
    hd_progress_end(&r->progress);
    hd_stop_let_go();
    return status;
}

static hd_status
export_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_export_options *options  = options_;
    const char              *perfetto = options->paths[HD_EXPORT_perfetto];
    run                      r        = { .options = options };
    hd_status                status;

    (void)analysis_comm;
    hd_progress_init(&r.progress, options->quiet ? HD_PROGRESS_QUIET : HD_PROGRESS_NORMAL, stderr);
    status = prepare(&r);
    if (status == HD_OK)
        status = export_archive(&r);
    *exit_code = status == HD_OK && tell_losses(&r) ? HD_EXIT_INCOMPLETE : HD_EXIT_OK;
    if (status == HD_OK && !options->quiet)
        tell(perfetto != NULL && strcmp(perfetto, "-") == 0 ? stderr : stdout, &r);
    hd_progress_fini(&r.progress);
    hd_wait_marks_fini(&r.waits);
    hd_efficiency_list_fini(&r.efficiencies);
    hd_clock_logs_free(r.clocks);
    hd_scratch_close(r.scratch);
    free(r.is_chosen);
    free(r.defs);
    free(r.anchor);
    if (status == HD_ESTOPPED) { /* a reader of standard output has seen enough: the end of any program in a pipe */
        raise(SIGPIPE);
        return HD_EWRITE;
    }
    return status;
}

const hd_command hd_cmd_export = {
    .name           = "export",
    .operand        = "ARCHIVE",
    .operand_offset = offsetof(hd_export_options, archive),
    .exit_codes     = "3\tthe archive lacks data of the part: the files have the rest",
    .what           = "write an archive, or a part of it, for Perfetto or Paraver",
    .text           = "Writes an OTF2 archive in a format that other timeline viewers read: the whole run, an "
                      "interval, or the call of an instance of a wait state; all processes, or some. Regions that "
                      "are open at the start of the interval begin there, those that are open at its end end there. "
                      "Times count from the begin of the trace; they are exact to the nanosecond. ARCHIVE is the "
                      "anchor file (.otf2) or a folder that holds traces.otf2.\n\n"
                      "Perfetto shows a track for each thread with its calls, arrows for messages, and what each "
                      "MPI call has communicated. With a report of the archive it also shows the efficiencies of time "
                      "windows, and with one of heddle analyze --instances N the most severe wait states, and in the "
                      "process that was waited for what it did meanwhile, with an arrow from the cause to the wait.\n\n"
                      "Messages of which one end is not in the part are counted and not written.",
    .example        = "heddle export traces.otf2 --perfetto run.json.gz\t"
                      "for ui.perfetto.dev, which opens compressed files, too\n"
                      "heddle export traces.otf2 --perfetto worst.json --instance 1 --margin 5ms\t"
                      "the most severe instance of a report\n"
                      "heddle export traces.otf2 --paraver run --from 12.5 --to 12.6 --process 0-7\t"
                      "run.prv, run.pcf and run.row",
    .options        = export_options,
    .n_options      = sizeof export_options / sizeof *export_options,
    .bytes          = sizeof(hd_export_options),
    .run            = export_run,
};
