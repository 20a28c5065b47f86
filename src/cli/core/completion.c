#include "completion.h"

#include <string.h>

#include "finding.h"
#include "metric.h"

/* ---- what a value is ------------------------------------------------------------------------------------------------------- */

typedef enum kind { NOTHING, WORDS, FILES, FOLDERS, SUBCOMMANDS, METRICS, TOPICS /* metrics and findings */ } kind;

typedef struct value {
    kind        kind;
    const char *text;   /* WORDS: with "|" between them. FILES: what the name ends with, "otf2"; "" for any */
    size_t      length; /* of text */
} value;

static value
value_of(const char *shown)
{
    static const struct {
        const char *word;
        value       value;
    } names[] = { { "ARCHIVE", { FILES, "otf2", 4 } }, { "REPORT", { FILES, "cubex", 5 } }, { "FILE", { FILES, "", 0 } },
                  { "COMMAND", { FILES, "", 0 } }, { "PROGRAM", { FILES, "", 0 } }, { "BASE", { FILES, "", 0 } },
                  { "PATH", { FILES, "", 0 } },        { "DIR", { FOLDERS, "", 0 } },
                  { "METRIC", { METRICS, "", 0 } } };
    size_t n      = strspn(shown, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    size_t ending = shown[n] == '.' ? strspn(shown + n + 1, "abcdefghijklmnopqrstuvwxyz") : 0;

    if (strcmp(shown, "METRIC|FINDING") == 0)
        return (value){ TOPICS, "", 0 };
    if (strchr(shown, '|') != NULL)
        return (value){ WORDS, shown, strlen(shown) };
    if (n > 0 && ending > 0)
        return (value){ FILES, shown + n + 1, ending };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (n == strlen(names[i].word) && strncmp(shown, names[i].word, n) == 0)
            return names[i].value;
    return (value){ NOTHING, "", 0 };
}

static value
value_of_option(const hd_option *option)
{
    return option->values != NULL ? value_of(option->values) : (value){ NOTHING, "", 0 };
}

static value
value_of_operand(const hd_command *command)
{
    const char *shown = command->operand;

    if (shown == NULL)
        return (value){ NOTHING, "", 0 };
    if (strcmp(shown, "COMMAND") == 0)
        return (value){ SUBCOMMANDS, "", 0 };
    if (shown[0] == 'A' && strchr(" .", shown[1]) != NULL)
        return value_of("REPORT");
    return value_of(shown);
}

static uint32_t
max_operands(const hd_command *command)
{
    if (command->operands_max > 0)
        return command->operands_max;
    return command->operand != NULL;
}

/* The words of a choice, or the names of the subcommands, with blanks between them. */
static void
put_words(FILE *out, value value_)
{
    for (size_t i = 0; i < value_.length; i++)
        fputc(value_.text[i] == '|' ? ' ' : value_.text[i], out);
}

static void
put_names(FILE *out, const hd_command *const *commands, size_t n)
{
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%s", i > 0 ? " " : "", commands[i]->name);
}

/* Ids, with blanks between them. */
static void
put_ids(FILE *out, bool with_findings)
{
    for (uint32_t i = 0; i < HD_N_METRICS; i++)
        fprintf(out, "%s%s", i > 0 ? " " : "", hd_metric_infos[i].id);
    for (uint32_t i = 0; i < HD_N_FINDINGS && with_findings; i++)
        fprintf(out, " %s", hd_finding_infos[i].id);
}

/* text within single quotes of a shell; a backslash in front of each of the characters. */
static void
put_quoted(FILE *out, const char *text, const char *escaped)
{
    for (; *text != '\0'; text++) {
        if (strchr(escaped, *text) != NULL)
            fputc('\\', out);
        if (*text == '\'')
            fputs("'\\''", out);
        else
            fputc(*text, out);
    }
}

/* ---- bash ------------------------------------------------------------------------------------------------------------------ */

/* "-": an option without a value; "": a value that is not completed; "words a b", "files otf2", "files", "folders". */
static void
put_bash_value(FILE *out, value value_, const hd_command *const *commands, size_t n)
{
    switch (value_.kind) {
    case NOTHING: break;
    case WORDS:
        fputs("words ", out);
        put_words(out, value_);
        break;
    case FILES: fprintf(out, value_.length > 0 ? "files %.*s" : "files", (int)value_.length, value_.text); break;
    case FOLDERS: fputs("folders", out); break;
    case SUBCOMMANDS:
        fputs("words ", out);
        put_names(out, commands, n);
        break;
    case METRICS:
    case TOPICS:
        fputs("words ", out);
        put_ids(out, value_.kind == TOPICS);
        break;
    }
}

static void
put_bash_tables(const hd_command *const *commands, size_t n, FILE *out)
{
    fputs("# Sets options (those without a second time in repeated), most (operands) and operand (what they are) of a subcommand.\n"
          "_heddle_command()\n{\n    repeated=' '\n    case $1 in\n",
          out);
    for (size_t i = 0; i < n; i++) {
        const hd_command *command = commands[i];

        fprintf(out, "    %s)\n        options='", command->name);
        for (size_t j = 0; j < command->n_options; j++)
            fprintf(out, "%s--%s", j > 0 ? " " : "", command->options[j].name);
        fprintf(out, "' most=%" PRIu32 " operand='", max_operands(command));
        put_bash_value(out, value_of_operand(command), commands, n);
        fputs("'\n", out);
        for (size_t j = 0; j < command->n_options; j++)
            if (command->options[j].type == HD_TEXTS)
                fprintf(out, "        repeated+='--%s '\n", command->options[j].name);
        fputs("        ;;\n", out);
    }
    fputs("    *) options='' most=0 operand='' ;;\n    esac\n}\n\n"
          "# Sets name (the long one) and takes (what its value is; -: it has none) of an option of a subcommand.\n"
          "_heddle_option()\n{\n    name=$2 takes=-\n    case $1:$2 in\n",
          out);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < commands[i]->n_options; j++) {
            const hd_option *option = &commands[i]->options[j];

            fprintf(out, "    %s:--%s", commands[i]->name, option->name);
            if (option->short_name != 0)
                fprintf(out, " | %s:-%c", commands[i]->name, option->short_name);
            fprintf(out, ") name=--%s takes='", option->name);
            if (option->type == HD_FLAG)
                fputc('-', out);
            else
                put_bash_value(out, value_of_option(option), commands, n);
            fputs("' ;;\n", out);
        }
    fputs("    esac\n}\n\n", out);
}

static const char bash_rest[] =
    "_heddle_add()\n"
    "{\n"
    "    local found\n"
    "    while IFS= read -r found; do\n"
    "        COMPREPLY+=(\"$1$found\")\n"
    "    done\n"
    "}\n"
    "\n"
    "# Adds what begins with $2: words, files of an ending, folders. $3: what is in front of it in the same word.\n"
    "_heddle_values()\n"
    "{\n"
    "    case $1 in\n"
    "    words\\ *) _heddle_add \"$3\" < <(compgen -W \"${1#words }\" -- \"$2\") ;;\n"
    "    files\\ *)\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        _heddle_add \"$3\" < <(compgen -d -- \"$2\"; compgen -f -X \"!*.${1#files }\" -- \"$2\")\n"
    "        ;;\n"
    "    files)\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        _heddle_add \"$3\" < <(compgen -f -- \"$2\")\n"
    "        ;;\n"
    "    folders)\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        _heddle_add \"$3\" < <(compgen -d -- \"$2\")\n"
    "        ;;\n"
    "    esac\n"
    "}\n"
    "\n"
    "_heddle()\n"
    "{\n"
    "    local current=${COMP_WORDS[COMP_CWORD]} command='' given=' ' pending=- n=0 only_operands='' front=''\n"
    "    local options most operand repeated name takes word i\n"
    "\n"
    "    COMPREPLY=()\n"
    "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
    "        word=${COMP_WORDS[i]}\n"
    "        if [ \"$word\" = = ]; then # between an option and its value\n"
    "            continue\n"
    "        elif [ -z \"$command\" ]; then\n"
    "            command=$word\n"
    "        elif [ \"$pending\" != - ]; then\n"
    "            pending=-\n"
    "        elif [ -n \"$only_operands\" ] || [ \"$word\" = - ] || [ \"${word:0:1}\" != - ]; then\n"
    "            n=$((n + 1))\n"
    "        elif [ \"$word\" = -- ]; then\n"
    "            only_operands=yes\n"
    "        else\n"
    "            _heddle_option \"$command\" \"${word%%=*}\"\n"
    "            given+=\"$name \"\n"
    "            if [ \"$word\" = \"${word%%=*}\" ]; then\n"
    "                pending=$takes\n"
    "            fi\n"
    "        fi\n"
    "    done\n"
    "    if [ \"$current\" = = ]; then\n"
    "        current=''\n"
    "    fi\n"
    "    if [ -z \"$command\" ]; then\n"
    "        _heddle_values \"words $_heddle_subcommands --help --version\" \"$current\" ''\n"
    "        return\n"
    "    fi\n"
    "    if [ \"$pending\" = - ] && [ -z \"$only_operands\" ] && [[ $current == --*=* ]]; then # where = does not part words\n"
    "        front=${current%%=*}=\n"
    "        _heddle_option \"$command\" \"${current%%=*}\"\n"
    "        pending=$takes current=${current#*=}\n"
    "    fi\n"
    "    _heddle_command \"$command\"\n"
    "    if [ \"$pending\" != - ]; then\n"
    "        _heddle_values \"$pending\" \"$current\" \"$front\"\n"
    "    elif [ -z \"$only_operands\" ] && [ \"${current:0:1}\" = - ]; then\n"
    "        for word in $options; do\n"
    "            if [[ $given != *\" $word \"* || $repeated == *\" $word \"* ]]; then\n"
    "                _heddle_values \"words $word\" \"$current\" ''\n"
    "            fi\n"
    "        done\n"
    "    elif [ \"$n\" -lt \"$most\" ]; then\n"
    "        _heddle_values \"$operand\" \"$current\" ''\n"
    "    fi\n"
    "}\n"
    "\n"
    "complete -F _heddle heddle\n";

static void
put_bash(const hd_command *const *commands, size_t n, FILE *out)
{
    fputs("# shellcheck shell=bash\n# Completion of heddle's command lines for bash; made by \"heddle completion bash\".\n\n_heddle_subcommands='", out);
    put_names(out, commands, n);
    fputs("'\n\n", out);
    put_bash_tables(commands, n, out);
    fputs(bash_rest, out);
}

/* ---- zsh ------------------------------------------------------------------------------------------------------------------- */

/* ":REPORT.cubex:_files -g \"*.cubex\"", the part behind an option or an operand. */
static void
put_zsh_value(FILE *out, const char *shown, value value_, const hd_command *const *commands, size_t n)
{
    fputc(':', out);
    put_quoted(out, shown, ":");
    fputc(':', out);
    switch (value_.kind) {
    case NOTHING: break;
    case WORDS:
        fputc('(', out);
        put_words(out, value_);
        fputc(')', out);
        break;
    case FILES: fprintf(out, value_.length > 0 ? "_files -g \"*.%.*s\"" : "_files", (int)value_.length, value_.text); break;
    case FOLDERS: fputs("_files -/", out); break;
    case SUBCOMMANDS:
        fputc('(', out);
        put_names(out, commands, n);
        fputc(')', out);
        break;
    case METRICS:
    case TOPICS:
        fputc('(', out);
        put_ids(out, value_.kind == TOPICS);
        fputc(')', out);
        break;
    }
}

/* '(-o --output)'{-o+,--output=}'[where the report goes]:REPORT.cubex:_files -g "*.cubex"' */
static void
put_zsh_option(FILE *out, const hd_option *option, const hd_command *const *commands, size_t n)
{
    const char *behind_letter = option->type == HD_FLAG ? "" : "+", *behind_name = option->type == HD_FLAG ? "" : "=";

    fputs(" \\\n            ", out);
    if (option->type == HD_TEXTS)
        fputs("'*'", out);
    else if (option->short_name != 0)
        fprintf(out, "'(-%c --%s)'", option->short_name, option->name);
    if (option->short_name != 0)
        fprintf(out, "{-%c%s,--%s%s}'[", option->short_name, behind_letter, option->name, behind_name);
    else
        fprintf(out, "'--%s%s[", option->name, behind_name);
    put_quoted(out, option->help, "[]\\");
    fputc(']', out);
    if (option->type != HD_FLAG)
        put_zsh_value(out, option->values, value_of_option(option), commands, n);
    fputc('\'', out);
}

/* '1:ARCHIVE:...', or '*:...' where there may be many. */
static void
put_zsh_operands(const hd_command *command, const hd_command *const *commands, size_t n, FILE *out)
{
    enum { FEW = 8 };
    uint32_t most = max_operands(command);

    for (uint32_t i = 1; i <= (most > FEW ? 1 : most); i++) {
        if (most > FEW)
            fputs(" \\\n            '*", out);
        else
            fprintf(out, " \\\n            '%" PRIu32, i);
        put_zsh_value(out, command->operand, value_of_operand(command), commands, n);
        fputc('\'', out);
    }
}

static void
put_zsh(const hd_command *const *commands, size_t n, FILE *out)
{
    fputs("#compdef heddle\n# Completion of heddle's command lines for zsh; made by \"heddle completion zsh\".\n\n"
          "_heddle()\n{\n    local curcontext=$curcontext state line\n    local -a subcommands\n    typeset -A opt_args\n\n    subcommands=(\n",
          out);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "        '%s:", commands[i]->name);
        put_quoted(out, commands[i]->what, "\\");
        fputs("'\n", out);
    }
    fputs("    )\n    _arguments -C '(- *)'{-h,--help}'[list the subcommands]' '(- *)'{-V,--version}'[print the version]' \\\n"
          "        '1: :->subcommand' '*:: :->rest'\n"
          "    case $state in\n    subcommand) _describe -t commands subcommand subcommands ;;\n    rest)\n        case $words[1] in\n",
          out);
    for (size_t i = 0; i < n; i++) {
        const hd_command *command = commands[i];

        fprintf(out, "        %s)\n            _arguments -s -S :", command->name);
        for (size_t j = 0; j < command->n_options; j++)
            put_zsh_option(out, &command->options[j], commands, n);
        put_zsh_operands(command, commands, n, out);
        fputs("\n            ;;\n", out);
    }
    fputs("        esac\n        ;;\n    esac\n}\n\n"
          "if [ \"$funcstack[1]\" = _heddle ]; then\n    _heddle \"$@\"\nelse\n    compdef _heddle heddle\nfi\n",
          out);
}

/* ---- fish ------------------------------------------------------------------------------------------------------------------ */

static void
put_fish_value(FILE *out, value value_, const hd_command *const *commands, size_t n)
{
    switch (value_.kind) {
    case NOTHING: fputs(" -x", out); break;
    case WORDS:
        fputs(" -x -a '", out);
        put_words(out, value_);
        fputc('\'', out);
        break;
    case FILES:
        if (value_.length > 0)
            fprintf(out, " -x -k -a '(__fish_complete_suffix .%.*s)'", (int)value_.length, value_.text);
        else
            fputs(" -r -F", out);
        break;
    case FOLDERS: fputs(" -x -a '(__fish_complete_directories)'", out); break;
    case SUBCOMMANDS:
        fputs(" -x -a '", out);
        put_names(out, commands, n);
        fputc('\'', out);
        break;
    case METRICS:
    case TOPICS:
        fputs(" -x -a '", out);
        put_ids(out, value_.kind == TOPICS);
        fputc('\'', out);
        break;
    }
}

static void
put_fish_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
}

static void
put_fish(const hd_command *const *commands, size_t n, FILE *out)
{
    fputs("# Completion of heddle's command lines for fish; made by \"heddle completion fish\".\n\n"
          "function __heddle_is_first\n    test (count (commandline -opc)) -eq 1\nend\n\n"
          "function __heddle_is\n    set -l given (commandline -opc)\n    test (count $given) -gt 1; and test $given[2] = $argv[1]\nend\n\n"
          "complete -c heddle -f\n"
          "complete -c heddle -n __heddle_is_first -s h -l help -d 'list the subcommands'\n"
          "complete -c heddle -n __heddle_is_first -s V -l version -d 'print the version'\n",
          out);
    for (size_t i = 0; i < n; i++) {
        const hd_command *command = commands[i];
        value             operand = value_of_operand(command);

        fprintf(out, "\ncomplete -c heddle -n __heddle_is_first -a %s -d '", command->name);
        put_fish_text(out, command->what);
        fputs("'\n", out);
        if (operand.kind != NOTHING) {
            fprintf(out, "complete -c heddle -n '__heddle_is %s'", command->name);
            put_fish_value(out, operand, commands, n);
            fputc('\n', out);
        }
        for (size_t j = 0; j < command->n_options; j++) {
            const hd_option *option = &command->options[j];

            fprintf(out, "complete -c heddle -n '__heddle_is %s'", command->name);
            if (option->short_name != 0)
                fprintf(out, " -s %c", option->short_name);
            fprintf(out, " -l %s", option->name);
            if (option->type != HD_FLAG)
                put_fish_value(out, value_of_option(option), commands, n);
            fputs(" -d '", out);
            put_fish_text(out, option->help);
            fputs("'\n", out);
        }
    }
}

/* ---------------------------------------------------------------------------------------------------------------------------- */

void
hd_completion_print(const hd_command *const *commands, size_t n, hd_shell shell, FILE *out)
{
    switch (shell) {
    case HD_SHELL_BASH: put_bash(commands, n, out); break;
    case HD_SHELL_ZSH: put_zsh(commands, n, out); break;
    case HD_SHELL_FISH: put_fish(commands, n, out); break;
    }
}
