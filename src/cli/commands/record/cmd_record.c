/* heddle record: runs a program, records its calls of MPI, OpenMP and POSIX threads, and makes an archive of them. */
#include "cmd_record.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child_program.h"
#include "finish.h"
#include "function_filter.h"
#include "launch_line.h"
#include "memory.h"
#include "message.h"
#include "node_machine.h"
#include "node_objects.h"
#include "profile_advice.h"
#include "profile_report.h"
#include "profile_summary.h"
#include "recorded_analysis.h"
#include "recorded_program.h"
#include "recording_keeper.h"
#include "recording_notes.h"
#include "recording_folder.h"
#include "launcher.h"
#include "recorded_part.h"
#include "shell_word.h"
#include "terminal.h"
#include "wanted_counters.h"
#include "wanted_samples.h"

typedef struct hd_record_options {
    bool        help, keep_raw, quiet, analyze, html, all_functions, profile, json, force;
    const char *output, *finish, *advise, *filter, *counters, *window, *iterations, *last;
    uint32_t    mpi, callers, sample_hz;
    uint64_t    limit_bytes;
    hd_texts    words;
} hd_record_options;

enum { MPI_AUTO, MPI_OPENMPI, MPI_MPICH, MPI_NONE };

#define FIELD(field) offsetof(hd_record_options, field)
static const hd_option record_options[] = {
    { "output", 'o', HD_TEXT, "(heddle-PROGRAM-TIME)", "DIR", "folder of the recording, which has to be new", FIELD(output) },
    { "mpi", 0, HD_CHOICE, "auto", "auto|openmpi|mpich|none",
      "MPI library of the program; auto: that which it is linked with, else that of the launcher", FIELD(mpi) },
    { "analyze", 0, HD_FLAG, NULL, NULL, "analyse the archive as soon as it is complete, and print the summary",
      FIELD(analyze) },
    { "html", 0, HD_FLAG, NULL, NULL, "the same, and write the report as an HTML page as well", FIELD(html) },
    { "profile", 0, HD_FLAG, NULL, NULL,
      "record a call-path profile (visits, time, bytes) in DIR/profile.cubex and no trace: for any run, however long", FIELD(profile) },
    { "callers", 0, HD_COUNT, "1", "N", "levels of functions that call MPI; more than 1: about 1 us for each call",
      FIELD(callers) },
    { "counters", 0, HD_TEXT, NULL, "NAME,...",
      "counters at calls, functions and samples: cycles, instructions, task-clock, page-faults, ru_utime, ...", FIELD(counters) },
    { "sample", 0, HD_COUNT, "(none)", "HZ",
      "look HZ times per second of processor time at which functions compute, such as 100; calls are recorded as without, with all their callers",
      FIELD(sample_hz) },
    { "filter", 0, HD_TEXT, NULL, "FILE", "functions that are not recorded, as Score-P has them in its filter files",
      FIELD(filter) },
    { "all-functions", 0, HD_FLAG, NULL, NULL,
      "record short functions and mutexes as well, however often they are called", FIELD(all_functions) },
    { "window", 0, HD_TEXT, "(all)", "BEGIN:LENGTH",
      "record that part of the run only: times from the end of MPI_Init, such as 60s:30s, 500ms:2s or 10m:1m",
      FIELD(window) },
    { "iterations", 0, HD_TEXT, "(all)", "FIRST-LAST",
      "record these iterations only, of the loop whose iterations the program marks first; the first is 1",
      FIELD(iterations) },
    { "last", 0, HD_TEXT, "(all)", "TIME",
      "keep the end of the run only, such as the last 60s or 10m, also when it is killed; older records are given back",
      FIELD(last) },
    { "limit", 0, HD_BYTES, "(none)", "SIZE",
      "of what a process records, such as 500M, 1M at least; it is not recorded any further then, or with --last its oldest records are given back",
      FIELD(limit_bytes) },
    { "keep-raw", 0, HD_FLAG, NULL, NULL, "keep DIR/raw, which the archive is made of", FIELD(keep_raw) },
    { "finish", 0, HD_TEXT, NULL, "DIR", "run nothing: make the archive of a recording that was killed", FIELD(finish) },
    { "advise", 0, HD_TEXT, NULL, "PROFILE",
      "run nothing: say how large the trace of a run would be that --profile has recorded, and which functions to exclude; with --output FILE write them as a filter file",
      FIELD(advise) },
    { "json", 0, HD_FLAG, NULL, NULL, HD_JSON_HELP ": of --advise", FIELD(json) },
    { "force", 'f', HD_FLAG, NULL, NULL, "of --advise: replace an existing filter file", FIELD(force) },
    { "quiet", 'q', HD_FLAG, NULL, NULL, "do not say what was recorded, but warnings and errors", FIELD(quiet) },
    HD_OPTION_HELP,
};

/* ---- command line ------------------------------------------------------------------------------------------------ */

/* What needs records. */
static hd_status
check_profile(const hd_record_options *options)
{
    if (options->analyze)
        hd_fail(HD_EUSAGE, "--profile excludes --analyze: a profile has no waits");
    else if (options->counters != NULL)
        hd_fail(HD_EUSAGE, "--profile excludes --counters: a profile has none");
    else if (options->sample_hz > 0)
        hd_fail(HD_EUSAGE, "--profile excludes --sample: a profile has none");
    else if (options->last != NULL)
        hd_fail(HD_EUSAGE, "--profile excludes --last: sums are of the whole run, or of --window or --iterations");
    else if (options->limit_bytes > 0)
        hd_fail(HD_EUSAGE, "--profile excludes --limit: it does not grow with the run");
    else
        return HD_OK;
    hd_fail_detail("try", "heddle help record");
    return HD_EUSAGE;
}

static hd_status
check_options(const hd_record_options *options)
{
    if (options->advise != NULL && (options->words.n > 0 || options->finish != NULL || options->profile))
        hd_fail(HD_EUSAGE, "--advise runs nothing, and excludes a program, --finish and --profile");
    else if (options->advise == NULL && (options->json || options->force))
        hd_fail(HD_EUSAGE, "--json and --force are for --advise");
    else if (options->finish != NULL && (options->words.n > 0 || options->output != NULL))
        hd_fail(HD_EUSAGE, "--finish runs nothing, and excludes a program and --output");
    else if (options->finish == NULL && options->advise == NULL && options->words.n == 0) {
        hd_fail(HD_EUSAGE, "\"heddle record\" needs a program");
        hd_fail_detail("such as", "mpirun -n 8 heddle record -- ./lu");
    } else if (options->last != NULL && (options->window != NULL || options->iterations != NULL))
        hd_fail(HD_EUSAGE, "--last is the end of the run, and excludes --window and --iterations");
    else if (options->sample_hz > 0 && options->callers > 1)
        hd_fail(HD_EUSAGE, "--sample has all levels of callers, and excludes --callers");
    else if (options->profile)
        return check_profile(options);
    else
        return HD_OK;
    hd_fail_detail("try", "heddle help record");
    return HD_EUSAGE;
}

static bool
is_file(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static hd_status
find_command(const char *word, char **path)
{
    int error;

    *path = hd_launch_line_find(word);
    if (*path != NULL)
        return HD_OK;
    error = errno;
    hd_fail(HD_EOPEN,
            error == EACCES ? "\"%s\" cannot be run: no permission, or no file" : "there is no command \"%s\"", word);
    if (is_file(word) && strlen(word) > 3 && strcmp(word + strlen(word) - 3, ".py") == 0)
        hd_fail_detail("try", "python3 %s", word);
    else if (is_file(word) && access(word, X_OK) != 0)
        hd_fail_detail("try", "chmod +x %s", word);
    else if (is_file(word) && strchr(word, '/') == NULL)
        hd_fail_detail("try", "./%s", word);
    return HD_EOPEN;
}

/* ---- what is recorded -------------------------------------------------------------------------------------------- */

typedef struct plan { /* of a recording */
    hd_launch_line   line;
    char            *path;    /* of what is started: the program, or a launcher */
    char            *program; /* of the program, NULL: not found in the line */
    char            *library;
    char            *folder; /* absolute */
    char            *window, *iterations, *last; /* as the recorder has them, NULL: all */
    char            *filter; /* file of addresses, NULL: none */
    hd_recording_job job;
} plan;

static void
plan_fini(plan *made)
{
    free(made->path);
    free(made->program);
    free(made->library);
    free(made->folder);
    free(made->window);
    free(made->iterations);
    free(made->last);
    free(made->filter);
    hd_recording_job_fini(&made->job);
}

static hd_status
choose_library(const hd_record_options *options, plan *made)
{
    hd_mpi_flavour flavour = HD_MPI_UNKNOWN;
    hd_status      status  = HD_OK;

    if (made->program != NULL)
        status = hd_recorded_program_check(made->program, &flavour);
    if (status != HD_OK && options->mpi == MPI_AUTO)
        return status;
    if (flavour == HD_MPI_UNKNOWN)
        flavour = made->line.has_launcher ? hd_mpi_flavour_of_launcher(made->path) : hd_mpi_flavour_of_environment();
    if (options->mpi != MPI_AUTO)
        flavour = options->mpi == MPI_OPENMPI ? HD_MPI_OPENMPI : options->mpi == MPI_MPICH ? HD_MPI_MPICH : HD_MPI_NONE;
    return hd_record_library(flavour, &made->library);
}

/* Each heddle record writes its own: the others may not have done it yet when this program starts. */
static hd_status
write_filter(const hd_function_filter *filter, plan *made)
{
    char     *program = made->program != NULL ? realpath(made->program, NULL) : NULL;
    hd_status status;

    made->filter = hd_format("%s/raw/filter-%d", made->folder, (int)getpid());
    status       = hd_function_filter_write(filter, program != NULL ? program : "", made->filter);
    free(program);
    return status;
}

static hd_status
make_folder(const hd_record_options *options, plan *made)
{
    hd_function_filter filter = { 0 };
    hd_status          status = HD_OK;

    if (options->window != NULL)
        status = hd_recorded_part_window(options->window, &made->window);
    if (status == HD_OK && options->iterations != NULL)
        status = hd_recorded_part_iterations(options->iterations, &made->iterations);
    if (status == HD_OK && options->last != NULL)
        status = hd_recorded_part_last(options->last, &made->last);
    if (status == HD_OK && options->counters != NULL)
        status = hd_wanted_counters_check(options->counters);
    if (status == HD_OK && options->sample_hz > 0)
        status = hd_wanted_samples_check(options->sample_hz);
    if (status == HD_OK && options->filter != NULL)
        status = hd_function_filter_read(options->filter, &filter);
    if (status == HD_OK && options->output != NULL)
        status = hd_recording_folder_make(options->output, &made->job, &made->folder);
    else if (status == HD_OK)
        status = hd_recording_folder_make_named(made->line.program, &made->job, &made->folder);
    if (status == HD_OK && options->filter != NULL)
        status = write_filter(&filter, made);
    hd_function_filter_fini(&filter);
    return status;
}

static hd_status
make_plan(const hd_record_options *options, plan *made)
{
    const char *word   = options->words.text[0];
    hd_status   status = find_command(word, &made->path);

    if (status != HD_OK)
        return status;
    made->line = hd_launch_line_read(options->words.text, options->words.n);
    if (!made->line.has_launcher)
        made->program = hd_strdup(made->path);
    else if (made->line.n_before < options->words.n)
        made->program = hd_launch_line_find(options->words.text[made->line.n_before]);
    made->job = hd_recording_job_of(hd_launched_as() != NULL && !made->line.has_launcher);
    status    = choose_library(options, made);
    return status == HD_OK ? make_folder(options, made) : status;
}

/* value: NULL, it is not set. */
static void
set(const char *name, const char *value)
{
    (void)(value != NULL ? setenv(name, value, 1) : unsetenv(name));
}

/* FIRST:SECOND, or that of them which there is. */
static void
set_both(const char *name, const char *first, const char *second)
{
    bool  has_first = first != NULL && *first != '\0', has_second = second != NULL && *second != '\0';
    char *all = hd_format("%s%s%s", has_first ? first : "", has_first && has_second ? ":" : "", has_second ? second : "");

    setenv(name, all, 1);
    free(all);
}

static void
set_environment(const hd_record_options *options, const plan *made)
{
    char  callers[16], limit[32], sample[16];
    char *raw = hd_format("%s/raw", made->folder);

    snprintf(callers, sizeof callers, "%u", options->callers);
    snprintf(limit, sizeof limit, "%" PRIu64, options->limit_bytes);
    snprintf(sample, sizeof sample, "%u", options->sample_hz);
    set_both("LD_PRELOAD", made->library, getenv("LD_PRELOAD"));
    /* Else that sanitizer ends programs built with it. What is last counts. */
    set_both("ASAN_OPTIONS", getenv("ASAN_OPTIONS"), "verify_asan_link_order=0");
    set("HEDDLE_RECORD_DIR", raw);
    set("HEDDLE_RECORD_MPI", options->mpi == MPI_AUTO ? "auto" : "chosen");
    set("HEDDLE_RECORD_CALLERS", callers);
    set("HEDDLE_RECORD_LIMIT", limit);
    set("HEDDLE_RECORD_COUNTERS", options->counters);
    set("HEDDLE_RECORD_SAMPLE", options->sample_hz > 0 ? sample : NULL);
    set("HEDDLE_RECORD_WINDOW", made->window);
    set("HEDDLE_RECORD_ITERATIONS", made->iterations);
    set("HEDDLE_RECORD_LAST", made->last);
    set("HEDDLE_RECORD_FILTER", made->filter);
    set("HEDDLE_RECORD_PROFILE", options->profile ? "1" : NULL);
    set("HEDDLE_RECORD_ALL", options->all_functions ? "1" : NULL);
    free(raw);
}

/* ---- the archive ------------------------------------------------------------------------------------------------- */

enum { LEAST_ROOM = 192 << 10 }; /* of a process: its definitions, and a window of its log */

/* Whether a process finds no room where the folder was, which may be gone. */
static bool
is_disk_full(const char *folder)
{
    const char    *slash = strrchr(folder, '/');
    char          *above = slash == NULL ? hd_strdup(".") : hd_format("%.*s/", (int)(slash - folder), folder);
    struct statvfs disk;
    bool           is_full = statvfs(above, &disk) == 0 && disk.f_frsize > 0 &&
                             disk.f_bavail < LEAST_ROOM / disk.f_frsize;

    free(above);
    return is_full;
}

static void
tell_nothing(const char *folder)
{
    if (is_disk_full(folder)) {
        fputs("heddle: warning: nothing was recorded: the disk is full\n"
              "  try:      --output DIR on a disk with room, 192 KiB for each process at least\n",
              stderr);
        return;
    }
    fputs("heddle: warning: nothing was recorded: no call of MPI, OpenMP or POSIX threads was seen\n"
          "  try:      a program that is linked with shared libraries of them; --mpi, if it opens MPI itself; scripts that keep\n"
          "            what LD_PRELOAD has\n",
          stderr);
}

static void
tell_size(const hd_finish_result *result)
{
    fprintf(stderr, "heddle: recorded %u process%s, %u thread%s", result->n_processes, result->n_processes == 1 ? "" : "es",
            result->n_locations, result->n_locations == 1 ? "" : "s");
}

static void
tell_profile(const hd_finish_result *result, const char *folder)
{
    char n[32];

    tell_size(result);
    fprintf(stderr, ", %s visits of %u call paths in ", hd_message_number(n, result->n_visits), result->n_paths);
    hd_message_escaped(stderr, folder, false);
    fputs("/" HD_PROFILE_NAME "\n", stderr);
}

static void
tell_archive(const hd_finish_result *result, const char *folder)
{
    char n[32];

    tell_size(result);
    fprintf(stderr, ", %s events in ", hd_message_number(n, result->n_events));
    hd_message_escaped(stderr, folder, false);
    fputs("/traces.otf2", stderr);
    if (result->last_s > 0)
        fprintf(stderr, ": the last %.3g s of the run", result->last_s);
    if (result->sample_ns > 0)
        fprintf(stderr, ", with %s samples, one in %.3g ms of processor time", hd_message_number(n, result->n_samples),
                1e-6 * (double)result->sample_ns);
    fputc('\n', stderr);
}

static void
tell_next(const char *folder, const char *command)
{
    char *word = hd_shell_word_quoted(folder);

    fprintf(stderr, "  try:      %s ", command);
    hd_message_escaped(stderr, word, false);
    fputc('\n', stderr);
    free(word);
}

/* Whoever asks from the keyboard that the program ends does not wait for an analysis. */
static hd_status
analyse(const hd_record_options *options, const char *folder, int *exit_code)
{
    if (hd_child_program_signal() != SIGINT)
        return hd_recorded_analysis_run(
            &(hd_recorded_analysis){ .folder = folder, .html = options->html, .quiet = options->quiet }, exit_code);
    fputs("heddle: warning: stopped by SIGINT: the archive is not analysed\n", stderr);
    tell_next(folder, "heddle analyze");
    return HD_OK;
}

/* With what it says, and its page, where that is wanted. */
static hd_status
show_profile(const hd_record_options *options, const char *folder, int *exit_code)
{
    char     *path   = hd_format("%s/" HD_PROFILE_NAME, folder);
    hd_status status = options->quiet ? HD_OK : hd_profile_summary_print(path, stderr);

    if (status == HD_OK && options->html)
        status = hd_recorded_page_make(path, exit_code);
    if (status == HD_OK && !options->quiet) {
        tell_next(folder, "heddle summary");
        tell_next(folder, "heddle record --advise");
    }
    free(path);
    return status;
}

/* exit_code: out, that of the analysis, if there is one. */
static hd_status
make_archive(const hd_record_options *options, const char *folder, int *exit_code)
{
    hd_finish_result  result;
    hd_finish_outcome outcome;
    hd_status         status = hd_finish(folder, hd_profile_report_write, &outcome, &result);

    if (status == HD_OK && outcome == HD_FINISH_NOTHING)
        tell_nothing(folder);
    if (status == HD_OK && outcome == HD_FINISHED_BEFORE && !options->quiet) {
        fprintf(stderr, "heddle: there is %s already, and nothing to make: ",
                result.is_profile ? "a profile" : "an archive");
        hd_message_escaped(stderr, folder, false);
        fputs(result.is_profile ? "/" HD_PROFILE_NAME "\n" : "/traces.otf2\n", stderr);
    }
    if (status == HD_OK && outcome == HD_FINISHED) {
        if (!options->quiet && result.is_profile)
            tell_profile(&result, folder);
        else if (!options->quiet)
            tell_archive(&result, folder);
        hd_recording_warn(&result);
        if (!options->quiet)
            hd_recording_note(&result);
    }
    if (status == HD_OK && !options->keep_raw &&
        (outcome == HD_FINISHED || (outcome == HD_FINISH_NOTHING && options->finish == NULL)))
        status = hd_finish_remove_raw(folder);
    if (status == HD_OK && outcome == HD_FINISH_NOTHING)
        rmdir(folder); /* if it holds nothing else */
    if (status == HD_OK && outcome != HD_FINISH_NOTHING && result.is_profile)
        status = show_profile(options, folder, exit_code);
    else if (status == HD_OK && outcome != HD_FINISH_NOTHING && (options->analyze || options->html))
        status = analyse(options, folder, exit_code);
    else if (status == HD_OK && outcome != HD_FINISH_NOTHING && !options->quiet)
        tell_next(folder, "heddle analyze");
    free(result.stopped);
    free(result.calls_only);
    free(result.short_functions);
    free(result.changed);
    free(result.stripped);
    free(result.crowded);
    free(result.topologies);
    return status;
}

/* Of the process that keeps the recording, when the program has ended. */
typedef struct ending {
    const hd_record_options *options;
    const plan              *made;
} ending;

static void
end_recording(void *of_)
{
    const ending *of      = of_;
    bool          is_last = false;
    int           of_analysis = 0; /* the exit code stays that of the program */
    hd_status     status  = hd_recording_folder_leave(of->made->folder, &of->made->job, &is_last);

    if (status == HD_OK && is_last) {
        hd_recorded_analysis_unbind(); /* the program's ranks have ended */
        hd_finish_use_all_processors();
        hd_child_program_catch(); /* again: now the analysis, too, goes on when nobody reads */
        status = make_archive(of->options, of->made->folder, &of_analysis);
    }
    if (status != HD_OK)
        hd_message_error(stderr, hd_error_get());
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

/* While the program starts. */
static void
write_machine(const char *folder)
{
    char *raw = hd_format("%s/raw", folder);

    hd_node_machine_write(raw, hd_node_objects_write);
    free(raw);
}

/* A launcher may end all others now, and not pass on what they say: the first process that fails says where its
 * recording is. */
static void
tell_failure(const hd_record_options *options, const plan *made, int exit_code, int by_signal)
{
    if (hd_launched_as() == NULL || options->quiet || made->line.has_launcher || exit_code == 0 ||
        !hd_recording_folder_is_first_failure(made->folder))
        return;
    fprintf(stderr, "heddle: rank %s ", hd_launched_as());
    if (by_signal != 0)
        fprintf(stderr, "was ended by signal %d (%s)", by_signal, strsignal(by_signal));
    else
        fprintf(stderr, "ended with exit code %d", exit_code);
    fputs(": what was recorded until then will be in ", stderr);
    hd_message_escaped(stderr, made->folder, false);
    fputc('\n', stderr);
    tell_next(made->folder, options->profile || options->analyze || options->html ? "heddle summary" : "heddle analyze");
}

static hd_status
run_program(const hd_record_options *options, const plan *made, int *exit_code)
{
    const char        **words     = HD_NEW_ARRAY(const char *, options->words.n + 1);
    ending              of        = { options, made };
    int                 by_signal = 0, how = 0;
    hd_recording_keeper keeper;
    hd_status           status;

    memcpy(words, options->words.text, options->words.n * sizeof *words);
    hd_child_program_catch();
    hd_child_program_unbind();
    keeper = hd_recording_keeper_start(end_recording, &of);
    set_environment(options, made);
    status = hd_child_program_start(made->path, words);
    if (status != HD_OK) { /* the user may have as many processes as are allowed */
        hd_recording_keeper_drop(&keeper);
        status = hd_child_program_start(made->path, words);
    }
    if (status == HD_OK) {
        hd_recording_keeper_tell(&keeper, hd_child_program_process());
        write_machine(made->folder);
        hd_child_program_wait(exit_code, &by_signal);
        tell_failure(options, made, *exit_code, by_signal);
        hd_recording_keeper_end(&keeper, hd_child_program_signal(), &how);
    }
    if (WIFSIGNALED(how))
        fprintf(stderr, "heddle: error: signal %d has ended what makes the archive\n  try:      heddle record --finish=%s\n",
                WTERMSIG(how), made->folder);
    hd_child_program_release();
    free(words);
    return status;
}

static hd_status
record_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_record_options *options = options_;
    plan                     made    = { 0 };
    hd_status                status  = check_options(options);

    (void)analysis_comm;
    *exit_code = HD_EXIT_OK;
    if (status == HD_OK && options->advise != NULL)
        return hd_profile_advise(&(hd_profile_advice_request){ .path = options->advise, .filter = options->filter,
                                                               .write_filter = options->output,
                                                               .force = options->force, .json = options->json });
    if (status == HD_OK && options->finish != NULL)
        return make_archive(options, options->finish, exit_code);
    if (status == HD_OK)
        status = make_plan(options, &made);
    if (status == HD_OK)
        status = run_program(options, &made, exit_code);
    plan_fini(&made);
    return status;
}

const hd_command hd_cmd_record = {
    .name                 = "record",
    .operand              = "PROGRAM...",
    .operand_offset       = FIELD(words),
    .operand_ends_options = true,
    .operands_max         = UINT32_MAX,
    .every_copy           = true,
    .exit_codes           = "N\tthat of the program, if it is not 0; 128+N if signal N has ended it",
    .what                 = "run a program as it is, and record its MPI, OpenMP and thread calls",
    .text =
        "Runs PROGRAM as it is, without compiling or linking it anew, and records its MPI calls (Open MPI and MPICH; C, "
        "C++, Fortran and Python) and OpenMP constructs (of GCC and Clang) in DIR/traces.otf2, which heddle analyze reads. It stands between the launcher "
        "and the program: mpirun -n 8 heddle record -- ./lu. On one node it can also start the launcher: heddle record "
        "-- mpirun -n 8 ./lu.\n\n"
        "Output, exit code and MPI calls of the program stay as they are. A library that is loaded before it "
        "(LD_PRELOAD) writes what it records into mapped files in DIR/raw, so that nothing is lost when the program is "
        "killed. When all processes have ended, the archive is made of them, and DIR/raw is removed. If heddle "
        "record itself was killed, --finish makes the archive. With --analyze the last heddle record analyses the "
        "archive, on all processors of its node, and prints the summary.\n\n"
        "--profile keeps sums in place of records: how often each call path of each thread was visited, how long, and "
        "what it sent. They do not grow with the run, and there are no waits in them. --advise says how large the trace "
        "of the same run would be, and which functions a filter should exclude.\n\n"
        "Programs that are linked statically, or with a static MPI library, cannot be recorded.",
    .example = "mpirun -n 8 heddle record -- ./lu\trecord 8 processes in heddle-lu-TIME\n"
               "mpirun -n 8 heddle record --analyze -- ./lu\tand analyse them\n"
               "mpirun -n 8 heddle record -o first -- ./lu\tin the folder first\n"
               "heddle record -- mpirun -n 8 ./lu\tthe same on one node\n"
               "mpirun -n 8 heddle record --window=60s:30s -- ./lu\tthirty seconds of a long run\n"
               "mpirun -n 8 heddle record --last=60s -- ./lu\tthe end of a run that fails or hangs after hours\n"
               "mpirun -n 8 heddle record --profile -o sums -- ./lu\ta profile of a long run\n"
               "heddle record --advise=sums --output=short.filter\thow large its trace would be; write a filter\n"
               "heddle record --finish=first\tmake the archive of a recording that was killed",
    .options   = record_options,
    .n_options = sizeof record_options / sizeof *record_options,
    .bytes     = sizeof(hd_record_options),
    .run       = record_run,
};
