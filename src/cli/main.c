/* src/cli/main.c: the heddle program: finds the subcommand, parses its options, prints its error, ends with its exit
 * code. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build_facts.h"
#include "command_list.h"
#include "job_claim.h"
#include "launcher.h"
#include "memory.h"
#include "message.h"
#include "terminal.h"

/* Text that went to a full disk or a closed pipe is an error too. */
static hd_status
flush_stdout(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return HD_OK;
    return hd_fail(HD_EWRITE, "standard output cannot be written: %s", strerror(errno));
}

static int
exit_code_of(hd_status status)
{
    return status == HD_EUSAGE ? HD_EXIT_USAGE : HD_EXIT_ERROR;
}

/* Where a launcher started several copies of a subcommand for one rank, only the first of them does anything, mostly. */
static bool
is_surplus_copy(void)
{
    const char *rank = hd_launched_as();

    return rank != NULL && strcmp(rank, "0") != 0;
}

/* Where each copy runs the subcommand, what all of them have to say is said by one of each node. `say` prints it. */
static void
say_once(const hd_command *command, const char *what, void (*say)(const hd_command *command))
{
    hd_recording_job job    = { .size = 1 };
    bool             is_one = true;

    if (command->every_copy && hd_launcher_name() != NULL)
        job = hd_recording_job_of(true);
    if (job.size > 1)
        is_one = hd_job_claim(&job, what);
    if (is_one)
        say(command);
    if (is_one && job.size > 1)
        usleep((useconds_t)(HD_JOB_CLAIM_SECONDS * 1e6));
    hd_recording_job_fini(&job);
}

static void
say_help(const hd_command *command)
{
    hd_options_help(command, stdout, hd_terminal_help_width());
    fflush(stdout);
}

static void
say_error(const hd_command *command)
{
    (void)command;
    hd_message_error(stderr, hd_error_get());
}

/* status: that of parsing the options. speaks: this process prints help and errors. Frees the options. */
static int
run(const hd_command *command, void *options, hd_status status, hd_analysis_comm *analysis_comm, bool speaks)
{
    int exit_code = HD_EXIT_OK;

    if (status == HD_OK && *(bool *)options) {
        if (speaks)
            say_once(command, command->name, say_help);
    }
    else if (status == HD_OK)
        status = command->run(options, analysis_comm, &exit_code);
    if (status == HD_OK)
        status = flush_stdout();
    if (status != HD_OK) {
        if (status != HD_ESTOPPED) /* the subcommand's own */
            exit_code = exit_code_of(status);
        if (speaks)
            say_once(command, hd_error_get()->text, say_error);
    }
    hd_options_fini(command, options);
    free(options);
    return exit_code;
}

static int
run_parallel(const hd_command *command, int argc, char **argv)
{
    void             *options = hd_alloc(1, command->bytes);
    hd_status         status  = hd_options_parse(command, argc - 2, argv + 2, options), opened;
    hd_mpi_choice     choice  = HD_MPI_AUTO;
    hd_error          error   = *hd_error_get();
    hd_analysis_comm *analysis_comm;
    bool              speaks;
    int               exit_code;

    if (status == HD_OK)
        memcpy(&choice, (const char *)options + command->mpi_offset, sizeof(uint32_t));
    opened = hd_launcher_open(choice, &argc, &argv, &analysis_comm, &speaks);
    if (opened == HD_OK) {
        speaks = hd_analysis_comm_rank(analysis_comm).v == 0;
        hd_error_set(&error);
    }
    exit_code = run(command, options, opened != HD_OK ? opened : status, analysis_comm, speaks);
    hd_analysis_comm_close(analysis_comm);
    return exit_code;
}

static int
run_alone(const hd_command *command, int argc, char **argv)
{
    void     *options = hd_alloc(1, command->bytes);
    hd_status status  = hd_options_parse(command, argc - 2, argv + 2, options);

    return run(command, options, status, NULL, true);
}

int
main(int argc, char **argv)
{
    bool              is_help = argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
    const hd_command *command = argc > 1 ? hd_command_find(is_help && argc > 2 ? "help" : argv[1]) : NULL;

    if (command != NULL && command->parallel)
        return run_parallel(command, argc, argv);
    if (is_surplus_copy() && (command == NULL || !command->every_copy))
        return HD_EXIT_OK;
    if (command != NULL)
        return run_alone(command, argc, argv);
    if (is_help) {
        hd_commands_print(stdout);
        return flush_stdout() == HD_OK ? HD_EXIT_OK : HD_EXIT_ERROR;
    }
    if (argc > 1 && (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)) {
        hd_build_facts_print(stdout);
        return flush_stdout() == HD_OK ? HD_EXIT_OK : HD_EXIT_ERROR;
    }
    if (argc > 1) {
        hd_command_fail(argv[1]);
        hd_message_error(stderr, hd_error_get());
    }
    else
        hd_commands_print(stderr);
    return HD_EXIT_USAGE;
}
