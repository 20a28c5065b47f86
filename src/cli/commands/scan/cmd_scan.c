/* heddle scan: runs a program that Score-P has instrumented, analyses its trace, advises on the next measurement. */
#include "cmd_scan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child_program.h"
#include "experiment_folder.h"
#include "launcher.h"
#include "memory.h"
#include "message.h"
#include "scan_advice.h"
#include "scan_environment.h"
#include "shell_word.h"
#include "signal_stop.h"
#include "terminal.h"

typedef struct hd_scan_options {
    bool        help, force, profile, dry_run, no_analysis, quiet;
    const char *output, *filter, *advise, *write_filter;
    uint64_t    memory_bytes;
    hd_texts    words, analyze_options;
} hd_scan_options;

#define FIELD(field) offsetof(hd_scan_options, field)
static const hd_option scan_options[] = {
    { "output", 'o', HD_TEXT, "(SCOREP_EXPERIMENT_DIRECTORY, else scorep_PROGRAM_N_trace)", "DIR",
      "experiment directory, where Score-P writes the trace", FIELD(output) },
    { "force", 'f', HD_FLAG, NULL, NULL, "replace an existing experiment directory, or filter file", FIELD(force) },
    { "memory", 0, HD_BYTES, "(SCOREP_TOTAL_MEMORY, else what an earlier trace or profile needs, else that of Score-P)",
      "SIZE", "memory of Score-P in each process, such as 100M", FIELD(memory_bytes) },
    { "filter", 0, HD_TEXT, "(SCOREP_FILTERING_FILE)", "FILE",
      "filter file of Score-P: functions that are not recorded", FIELD(filter) },
    { "profile", 0, HD_FLAG, NULL, NULL, "record a profile, too (SCOREP_ENABLE_PROFILING)", FIELD(profile) },
    { "dry-run", 0, HD_FLAG, NULL, NULL, "print the environment and the command for a shell, and run nothing",
      FIELD(dry_run) },
    { "no-analysis", 0, HD_FLAG, NULL, NULL, "do not analyse the trace", FIELD(no_analysis) },
    { "analyze-option", 0, HD_TEXTS, NULL, "OPTION",
      "an option for heddle analyze, such as --analyze-option=--stat; may be given several times",
      FIELD(analyze_options) },
    { "advise", 0, HD_TEXT, NULL, "ARCHIVE",
      "run nothing: advise on this archive, or on a profile (profile.cubex, or a folder that holds it)",
      FIELD(advise) },
    { "write-filter", 0, HD_TEXT, NULL, "FILE", "write a filter file with the functions that the advice names",
      FIELD(write_filter) },
    { "quiet", 'q', HD_FLAG, NULL, NULL, "print no environment, summary and advice, but warnings and errors",
      FIELD(quiet) },
    HD_OPTION_HELP,
};

/* ---- command line ------------------------------------------------------------------------------------------------ */

static hd_status
usage(void)
{
    hd_fail_detail("try", "heddle help scan");
    return HD_EUSAGE;
}

static hd_status
check_options(const hd_scan_options *options)
{
    bool has_command = options->words.n > 0;

    if (options->advise != NULL && has_command)
        hd_fail(HD_EUSAGE, "--advise runs nothing, so \"%s\" is one too many", options->words.text[0]);
    else if (options->advise == NULL && !has_command) {
        hd_fail(HD_EUSAGE, "\"heddle scan\" needs a command line that starts a program");
        hd_fail_detail("such as", "heddle scan mpirun -n 8 ./lu");
    } else if (options->no_analysis && (options->write_filter != NULL || options->analyze_options.n > 0))
        hd_fail(HD_EUSAGE, "--no-analysis excludes --write-filter and --analyze-option");
    else
        return HD_OK;
    return usage();
}

/* mpirun ... heddle scan ./lu would start the program without MPI, or each time anew. */
static hd_status
refuse_launcher(void)
{
    if (hd_launched_as() == NULL)
        return HD_OK;
    hd_fail(HD_EUSAGE, "\"heddle scan\" starts the launcher, and cannot be started by one");
    hd_fail_detail("try", "heddle scan mpirun -n 8 ./program");
    hd_fail_detail(
        "or",
        "env -u OMPI_COMM_WORLD_RANK -u PMIX_RANK -u PMI_RANK heddle scan ..., if a batch system sets one of them");
    return HD_EUSAGE;
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
    if (strchr(word, '/') == NULL && access(word, X_OK) == 0)
        hd_fail_detail("try", "./%s", word);
    else
        hd_fail_detail("try", "the path of the program; the launcher comes first: heddle scan mpirun -n 8 ./program");
    return HD_EOPEN;
}

/* ---- what is said ------------------------------------------------------------------------------------------------ */

static void
print_words(const hd_texts *words, bool for_shell, FILE *out)
{
    for (size_t i = 0; i < words->n; i++) {
        char *quoted = hd_shell_word_quoted(words->text[i]);

        fputs(i > 0 ? " " : "", out);
        if (for_shell)
            fputs(quoted, out);
        else
            hd_message_escaped(out, quoted, false);
        free(quoted);
    }
    fputc('\n', out);
}

static void
tell_start(const hd_scan_options *options, const hd_scan_environment *environment)
{
    fputs("heddle: running ", stderr);
    print_words(&options->words, false, stderr);
    hd_scan_environment_print(environment, false, stderr);
}

static void
warn_of_end(int exit_code, int by_signal)
{
    if (by_signal != 0)
        fprintf(stderr, "heddle: warning: the command was ended by %s\n",
                hd_stop_name(by_signal) != NULL ? hd_stop_name(by_signal) : strsignal(by_signal));
    else if (exit_code != 0)
        fprintf(stderr, "heddle: warning: the command has failed, with exit code %d\n", exit_code);
}

static hd_status
no_trace(const char *folder, const hd_texts *words)
{
    if (access(folder, F_OK) != 0) {
        hd_fail(HD_EOPEN, "the program has left no trace: there is no experiment directory");
        hd_fail_detail("folder", "\"%s\"", folder);
        hd_fail_detail(
            "try", "build the program with Score-P: scorep mpicc ... in place of mpicc ..., for compiling and linking");
        hd_fail_detail(
            "or",
            "if it is, see that \"%s\" passes the environment on to all processes (heddle scan --dry-run prints it)",
            words->text[0]);
    } else {
        hd_fail(HD_EOPEN, "the program has left no trace: the experiment directory has no traces.otf2");
        hd_fail_detail("folder", "\"%s\"", folder);
        hd_fail_detail(
            "try",
            "see what Score-P says above; the program must come to its end, and must not set SCOREP_ENABLE_TRACING");
    }
    return HD_EOPEN;
}

/* ---- the measurement --------------------------------------------------------------------------------------------- */

static hd_status
analyse(const hd_scan_options *options, const char *anchor, int *exit_code)
{
    const char **words = HD_NEW_ARRAY(const char *, options->analyze_options.n + 8);
    size_t       n     = 0;
    int          by_signal;
    hd_status    status;

    words[n++] = "heddle";
    words[n++] = "analyze";
    if (options->quiet) {
        words[n++] = "--quiet";
        words[n++] = "--no-summary";
    }
    for (size_t i = 0; i < options->analyze_options.n; i++)
        words[n++] = options->analyze_options.text[i];
    words[n++] = "--";
    words[n++] = anchor;
    status     = hd_child_program_run("/proc/self/exe", words, exit_code, &by_signal);
    free(words);
    return status;
}

/* The archive is there. exit_code: in: that of the command, which stays if it is not 0. */
static hd_status
analyse_and_advise(const hd_scan_options *options, const hd_scan_environment *environment, const char *anchor,
                   int *exit_code)
{
    hd_scan_advice_request request  = { .path         = environment->folder,
                                        .filter       = environment->filter,
                                        .write_filter = options->write_filter,
                                        .force        = options->force,
                                        .quiet        = options->quiet };
    int                    analysis = 0, advice = 0;
    hd_status              status = analyse(options, anchor, &analysis);

    *exit_code = *exit_code != 0 ? *exit_code : analysis;
    if (status != HD_OK || (analysis != HD_EXIT_OK && analysis != HD_EXIT_INCOMPLETE) || hd_child_program_signal() != 0)
        return status;
    fflush(stdout);
    if (!options->quiet || options->write_filter != NULL)
        status = hd_scan_advise(&request, &advice);
    *exit_code = *exit_code != 0 ? *exit_code : advice;
    return status;
}

/* What comes after the command. If that has failed, it is its exit code that counts, whatever else fails. */
static hd_status
take_trace(const hd_scan_options *options, const hd_scan_environment *environment, int *exit_code)
{
    char     *anchor   = hd_format("%s/traces.otf2", environment->folder);
    bool      is_there = access(anchor, R_OK) == 0, has_failed = *exit_code != 0;
    hd_status status = HD_OK;

    if (!is_there)
        status = no_trace(environment->folder, &options->words);
    else if (hd_child_program_signal() != 0 || options->no_analysis) {
        fputs(options->no_analysis ? "heddle: the trace is not analysed\n"
                                   : "heddle: warning: stopped by a signal: the trace is not analysed\n",
              stderr);
        fputs("  try:      heddle analyze ", stderr);
        hd_message_escaped(stderr, environment->folder, false);
        fputc('\n', stderr);
    } else
        status = analyse_and_advise(options, environment, anchor, exit_code);
    if (status != HD_OK && has_failed) {
        hd_message_error(stderr, hd_error_get());
        status = HD_OK;
    }
    free(anchor);
    return status;
}

static hd_status
measure(const hd_scan_options *options, const char *path, const hd_scan_environment *environment, int *exit_code)
{
    const char **words     = HD_NEW_ARRAY(const char *, options->words.n + 1);
    int          by_signal = 0;
    hd_status    status    = hd_experiment_folder_remove(environment->folder);

    memcpy(words, options->words.text, options->words.n * sizeof *words);
    hd_scan_environment_set(environment);
    if (status == HD_OK && !options->quiet)
        tell_start(options, environment);
    hd_child_program_catch();
    hd_child_program_unbind();
    if (status == HD_OK)
        status = hd_child_program_run(path, words, exit_code, &by_signal);
    if (status == HD_OK) {
        warn_of_end(*exit_code, by_signal);
        if (*exit_code == 0 && hd_child_program_signal() != 0)
            *exit_code = 128 + hd_child_program_signal();
        status = take_trace(options, environment, exit_code);
    }
    hd_child_program_release();
    free(words);
    return status;
}

static hd_status
run_command(const hd_scan_options *options, int *exit_code)
{
    hd_scan_wish        wish        = { .folder       = options->output,
                                        .filter       = options->filter,
                                        .memory_bytes = options->memory_bytes,
                                        .has_profile  = options->profile };
    hd_scan_environment environment = { 0 };
    char               *path        = NULL;
    hd_status           status      = refuse_launcher();
    const char         *needed[3]   = { NULL };

    if (status == HD_OK)
        status = find_command(options->words.text[0], &path);
    if (status == HD_OK)
        status = hd_scan_environment_decide(&wish, options->words.text, options->words.n, &environment);
    if (status == HD_OK && options->dry_run) {
        hd_scan_environment_print(&environment, true, stdout);
        print_words(&options->words, true, stdout);
    } else {
        needed[0] = path;
        needed[1] = environment.filter;
        if (status == HD_OK)
            status = hd_experiment_folder_check(environment.folder, options->force, needed);
        if (status == HD_OK)
            status = measure(options, path, &environment, exit_code);
    }
    hd_scan_environment_fini(&environment);
    free(path);
    return status;
}

static hd_status
scan_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_scan_options *options = options_;
    hd_status              status  = check_options(options);

    (void)analysis_comm;
    *exit_code = HD_EXIT_OK;
    if (status != HD_OK || options->advise == NULL)
        return status == HD_OK ? run_command(options, exit_code) : status;
    return hd_scan_advise(&(hd_scan_advice_request){ .path         = options->advise,
                                                      .filter       = options->filter,
                                                      .write_filter = options->write_filter,
                                                      .force        = options->force,
                                                      .may_analyse  = true,
                                                      .quiet        = options->quiet },
                          exit_code);
}

const hd_command hd_cmd_scan = {
    .name                 = "scan",
    .operand              = "COMMAND...",
    .operand_offset       = FIELD(words),
    .operand_ends_options = true,
    .operands_max         = UINT32_MAX,
    .exit_codes           = "N\tthat of the command, if it is not 0; 128+N if signal N has ended it\n"
                            "3\tthe archive is incomplete: the report holds what could be analysed",
    .what                 = "run a program that Score-P has instrumented, and analyse its trace",
    .text =
        "Runs COMMAND, usually a launcher and a program (mpirun -n 8 ./lu), with an environment in which Score-P "
        "records a trace: SCOREP_ENABLE_TRACING, SCOREP_ENABLE_PROFILING, SCOREP_EXPERIMENT_DIRECTORY and, where "
        "there is a reason, SCOREP_TOTAL_MEMORY and SCOREP_FILTERING_FILE. All other variables stay as they are. "
        "Then it analyses the trace as heddle analyze does, on this machine, prints the summary, and advises on "
        "the next measurement: how much memory Score-P needs so that no trace buffer is flushed, and which "
        "functions a filter should exclude.\n\n"
        "Options of heddle scan stand before COMMAND. The command gets standard input, and the signals that are "
        "sent to heddle scan. If it fails, the trace is analysed nevertheless, if there is one. The experiment "
        "directory is called scorep_PROGRAM_N_trace, with N processes, NxT with T threads (OMP_NUM_THREADS), O "
        "without a launcher. An earlier trace in the same folder, or a profile in scorep_PROGRAM_N_sum, says how "
        "much memory is needed.",
    .example =
        "heddle scan mpirun -n 8 ./lu\tmeasure, analyse, summary, advice\n"
        "heddle scan --memory=100M --filter=lu.filter -o second srun -n 8 ./lu\twith what was advised\n"
        "heddle scan --dry-run mpirun -n 8 ./lu\tthe same for a job script\n"
        "heddle scan --advise=scorep_lu_8_trace --write-filter=lu.filter\tadvice and a filter file from an archive",
    .options   = scan_options,
    .n_options = sizeof scan_options / sizeof *scan_options,
    .bytes     = sizeof(hd_scan_options),
    .run       = scan_run,
};
