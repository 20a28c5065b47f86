/* src/cli/main.c: the heddle program: finds the subcommand, parses its options, prints its error, ends with its exit code. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build_facts.h"
#include "commands.h"
#include "manual.h"
#include "memory.h"
#include "message.h"

static const hd_command *const commands[] = { &hd_cmd_analyze, &hd_cmd_summary, &hd_cmd_causes, &hd_cmd_topology, &hd_cmd_dump, &hd_cmd_html,
                                              &hd_cmd_diff, &hd_cmd_mean, &hd_cmd_merge, &hd_cmd_cut, &hd_cmd_scaling,
                                              &hd_cmd_info, &hd_cmd_extract, &hd_cmd_plan, &hd_cmd_jobscript, &hd_cmd_completion, &hd_cmd_help };
#define N_COMMANDS (sizeof commands / sizeof *commands)

typedef struct hd_help_options {
    bool        help;
    const char *subcommand;
    bool        man;
} hd_help_options;

static const hd_option help_options[] = {
    HD_OPTION_HELP,
    { "man", 0, HD_FLAG, NULL, NULL, "print the manual page, of heddle or of COMMAND, in troff",
        offsetof(hd_help_options, man) },
};

const hd_command *const *
hd_commands(size_t *n)
{
    *n = N_COMMANDS;
    return commands;
}

static const hd_command *
find_command(const char *name)
{
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static hd_status
unknown_command(const char *name)
{
    const char *names[N_COMMANDS], *closest;

    for (size_t i = 0; i < N_COMMANDS; i++)
        names[i] = commands[i]->name;
    closest = hd_options_closest(name, names, N_COMMANDS);
    hd_fail(HD_EUSAGE, "heddle has no subcommand \"%s\"", name);
    if (closest != NULL)
        hd_fail_detail("closest", "heddle %s", closest);
    hd_fail_detail("try", "heddle help");
    return HD_EUSAGE;
}

static void
print_overview(FILE *out)
{
    int names = 0, operands = 0;

    for (size_t i = 0; i < N_COMMANDS; i++) {
        int name = (int)strlen(commands[i]->name), operand = commands[i]->operand != NULL ? (int)strlen(commands[i]->operand) : 0;

        names    = name > names ? name : names;
        operands = operand > operands ? operand : operands;
    }
    fprintf(out, "usage: heddle SUBCOMMAND [OPTION]... [FILE]...\n\n"
                 "Finds wait states of MPI and OpenMP programs and their root causes, from OTF2 trace archives.\n\n");
    for (size_t i = 0; i < N_COMMANDS; i++)
        fprintf(out, "  heddle %-*s  %-*s  %s\n", names, commands[i]->name, operands, commands[i]->operand != NULL ? commands[i]->operand : "",
            commands[i]->what);
    fprintf(out, "\n\"heddle help SUBCOMMAND\" shows the options of a subcommand, \"heddle --version\" what heddle was built with.\n");
}

static hd_status
help_run(const void *options_, hd_group *group, int *exit_code)
{
    const hd_help_options *options = options_;
    const hd_command      *command;

    (void)group;
    *exit_code = HD_EXIT_OK;
    if (options->subcommand == NULL) {
        if (options->man)
            hd_manual_program(commands, N_COMMANDS, stdout);
        else
            print_overview(stdout);
        return HD_OK;
    }
    command = find_command(options->subcommand);
    if (command == NULL)
        return unknown_command(options->subcommand);
    if (options->man)
        hd_manual_command(command, stdout);
    else
        hd_options_help(command, stdout);
    return HD_OK;
}

const hd_command hd_cmd_help = {
    .name             = "help",
    .operand          = "COMMAND",
    .operand_offset   = offsetof(hd_help_options, subcommand),
    .operand_optional = true,
    .what             = "show what heddle, or one of its subcommands, can do",
    .text             = "Shows what heddle can do, or the options of one subcommand.",
    .example          = "heddle help analyze\theddle analyze and its options\n"
                        "heddle help analyze --man | man -l -\tits manual page, where it is not installed",
    .options          = help_options,
    .n_options        = sizeof help_options / sizeof *help_options,
    .bytes            = sizeof(hd_help_options),
    .run              = help_run,
};

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

const char *
hd_launched_as(void)
{
    static const char *const names[] = { "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK" };
    const char              *rank    = NULL;

    for (size_t i = 0; i < sizeof names / sizeof *names && rank == NULL; i++)
        rank = getenv(names[i]);
    return rank;
}

/* Where a launcher started several copies of a subcommand for one rank, only the first of them does anything. */
static bool
is_surplus_copy(void)
{
    const char *rank = hd_launched_as();

    return rank != NULL && strcmp(rank, "0") != 0;
}

static int
run(const hd_command *command, int n, char **arguments, hd_group *group)
{
    void     *options   = hd_alloc(1, command->bytes);
    bool      speaks    = group == NULL || hd_group_rank(group).v == 0;
    int       exit_code = HD_EXIT_OK;
    hd_status status    = hd_options_parse(command, n, arguments, options);

    if (status == HD_OK && *(bool *)options) {
        if (speaks)
            hd_options_help(command, stdout);
    }
    else if (status == HD_OK)
        status = command->run(options, group, &exit_code);
    if (status == HD_OK)
        status = flush_stdout();
    if (status != HD_OK) {
        if (status != HD_ESTOPPED) /* the subcommand's own */
            exit_code = exit_code_of(status);
        if (speaks)
            hd_message_error(stderr, hd_error_get());
    }
    hd_options_fini(command, options);
    free(options);
    return exit_code;
}

static int
run_parallel(const hd_command *command, int argc, char **argv)
{
    hd_group *group = hd_group_open(&argc, &argv);
    int       exit_code = run(command, argc - 2, argv + 2, group);

    hd_group_close(group);
    return exit_code;
}

int
main(int argc, char **argv)
{
    const hd_command *command = argc > 1 ? find_command(argv[1]) : NULL;

    if (command != NULL && command->parallel)
        return run_parallel(command, argc, argv);
    if (is_surplus_copy())
        return HD_EXIT_OK;
    if (command != NULL)
        return run(command, argc - 2, argv + 2, NULL);
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        print_overview(stdout);
        return flush_stdout() == HD_OK ? HD_EXIT_OK : HD_EXIT_ERROR;
    }
    if (argc > 1 && (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)) {
        hd_build_facts_print(stdout);
        return flush_stdout() == HD_OK ? HD_EXIT_OK : HD_EXIT_ERROR;
    }
    if (argc > 1)
        unknown_command(argv[1]);
    else {
        hd_fail(HD_EUSAGE, "no subcommand is given");
        hd_fail_detail("try", "heddle help");
    }
    hd_message_error(stderr, hd_error_get());
    return HD_EXIT_USAGE;
}
