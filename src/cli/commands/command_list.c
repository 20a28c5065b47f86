/* src/cli/commands/command_list.c: all subcommands, in the order of the overview. */
#include "command_list.h"

#include <string.h>

#include "closest.h"
#include "commands.h"
#include "terminal.h"

static const hd_command *const commands[] = { &hd_cmd_analyze, &hd_cmd_record, &hd_cmd_scan, &hd_cmd_simulate, &hd_cmd_summary, &hd_cmd_causes, &hd_cmd_instances, &hd_cmd_efficiency, &hd_cmd_series, &hd_cmd_matrix, &hd_cmd_topology, &hd_cmd_dump, &hd_cmd_html,
                                              &hd_cmd_diff, &hd_cmd_mean, &hd_cmd_merge, &hd_cmd_cut, &hd_cmd_scaling,
                                              &hd_cmd_info, &hd_cmd_extract, &hd_cmd_export, &hd_cmd_plan, &hd_cmd_jobscript, &hd_cmd_completion,
                                              &hd_cmd_metrics, &hd_cmd_explain, &hd_cmd_help };
enum { NARROW = 72 /* columns: too few for names and what they do in one line */ };
#define N_COMMANDS (sizeof commands / sizeof *commands)

const hd_command *const *
hd_commands(size_t *n)
{
    *n = N_COMMANDS;
    return commands;
}

const hd_command *
hd_command_find(const char *name)
{
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

hd_status
hd_command_fail(const char *name)
{
    const char *names[N_COMMANDS], *closest;

    for (size_t i = 0; i < N_COMMANDS; i++)
        names[i] = commands[i]->name;
    if (*name == '-') {
        hd_fail(HD_EUSAGE, "heddle has no option \"%s\": options stand behind the subcommand", name);
        hd_fail_detail("such as", "heddle summary REPORT --top=3");
        hd_fail_detail("try", "heddle help");
        return HD_EUSAGE;
    }
    closest = hd_closest(name, names, N_COMMANDS);
    hd_fail(HD_EUSAGE, "heddle has no subcommand \"%s\"", name);
    if (closest != NULL)
        hd_fail_detail("closest", "heddle %s", closest);
    hd_fail_detail("try", "heddle help");
    return HD_EUSAGE;
}

void
hd_commands_print(FILE *out)
{
    int names = 0, operands = 0, width = hd_terminal_help_width();

    for (size_t i = 0; i < N_COMMANDS; i++) {
        int name = (int)strlen(commands[i]->name), operand = commands[i]->operand != NULL ? (int)strlen(commands[i]->operand) : 0;

        names    = name > names ? name : names;
        operands = operand > operands ? operand : operands;
    }
    fputs("usage: heddle SUBCOMMAND [OPTION]... [FILE]...\n\n", out);
    hd_options_wrapped(out, "Finds wait states of MPI and OpenMP programs and their root causes, from OTF2 trace "
                       "archives.", width, 0, 0);
    fputc('\n', out);
    for (size_t i = 0; i < N_COMMANDS; i++) {
        const char *operand = commands[i]->operand != NULL ? commands[i]->operand : "";

        if (width < NARROW) {
            fprintf(out, "  heddle %s %s\n", commands[i]->name, operand);
            hd_options_wrapped(out, commands[i]->what, width, 6, 0);
        } else {
            int column = fprintf(out, "  heddle %-*s  %-*s", names, commands[i]->name, operands, operand);

            hd_options_wrapped(out, commands[i]->what, width, column + 2, column);
        }
    }
    fputc('\n', out);
    hd_options_wrapped(out, "\"heddle help SUBCOMMAND\" shows the options of a subcommand, \"heddle --version\" what "
                       "heddle was built with.", width, 0, 0);
}
