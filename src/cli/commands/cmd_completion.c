/* heddle completion: what a shell needs to complete heddle's command lines. */
#include <string.h>

#include "command_list.h"
#include "commands.h"
#include "completion.h"

typedef struct hd_completion_options {
    bool        help;
    const char *shell;
} hd_completion_options;

static const hd_option completion_options[] = { HD_OPTION_HELP };

static hd_status
completion_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_completion_options *options = options_;
    static const char *const     names[] = { "bash", "zsh", "fish" };
    size_t                       n;
    const hd_command *const     *commands = hd_commands(&n);

    (void)analysis_comm;
    *exit_code = HD_EXIT_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(options->shell, names[i]) == 0) {
            hd_completion_print(commands, n, (hd_shell)i, stdout);
            return HD_OK;
        }
    hd_fail(HD_EUSAGE, "there is no completion for the shell \"%s\"", options->shell);
    hd_fail_detail("has", "bash, zsh, fish");
    return HD_EUSAGE;
}

const hd_command hd_cmd_completion = {
    .name           = "completion",
    .operand        = HD_SHELLS,
    .operand_offset = offsetof(hd_completion_options, shell),
    .what           = "print what a shell needs to complete command lines of heddle",
    .text           = "Prints a file that a shell loads to complete subcommands, options, their values, and the names "
                      "of archives and reports. An installed heddle brings these files along, where the shells look "
                      "for them.",
    .example        = "source <(heddle completion bash)\tbash, for this session or in ~/.bashrc\n"
                      "source <(heddle completion zsh)\tzsh, after compinit in ~/.zshrc\n"
                      "heddle completion fish | source\tfish, or into ~/.config/fish/completions/heddle.fish",
    .options        = completion_options,
    .n_options      = sizeof completion_options / sizeof *completion_options,
    .bytes          = sizeof(hd_completion_options),
    .run            = completion_run,
};
