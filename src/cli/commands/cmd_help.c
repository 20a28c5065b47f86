/* heddle help: what there is, and the options of one subcommand. */
#include <stdio.h>

#include "command_list.h"
#include "commands.h"
#include "manual.h"
#include "terminal.h"

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

static hd_status
help_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_help_options *options = options_;
    const hd_command      *command, *const *all;
    size_t                 n;

    (void)analysis_comm;
    *exit_code = HD_EXIT_OK;
    if (options->subcommand == NULL) {
        all = hd_commands(&n);
        if (options->man)
            hd_manual_program(all, n, stdout);
        else
            hd_commands_print(stdout);
        return HD_OK;
    }
    command = hd_command_find(options->subcommand);
    if (command == NULL)
        return hd_command_fail(options->subcommand);
    if (options->man)
        hd_manual_command(command, stdout);
    else
        hd_options_help(command, stdout, hd_terminal_help_width());
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
