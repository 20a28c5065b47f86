#include "manual.h"

#include <ctype.h>
#include <string.h>

#include "version.h"

enum { LINE_WIDTH = 78 };

static const char *
escape(char c)
{
    switch (c) {
    case '-': return "\\-"; /* a hyphen that can be copied into a shell */
    case '\\': return "\\e";
    case '^': return "\\(ha";
    case '~': return "\\(ti";
    case '`': return "\\(ga";
    case '\'': return "\\(aq";
    case '|': return "|\\:"; /* lists of choices may be broken behind it */
    default: return NULL;
    }
}

static size_t
escaped_length(const char *word, size_t n)
{
    size_t length = 0;

    for (size_t i = 0; i < n; i++)
        length += escape(word[i]) != NULL ? strlen(escape(word[i])) : 1;
    return length;
}

/* Characters as they are; a full stop at the start of a line is no request. */
static void
put_n(FILE *out, const char *text, size_t n, bool line_start)
{
    if (line_start && n > 0 && text[0] == '.')
        fputs("\\&", out);
    for (size_t i = 0; i < n; i++) {
        const char *escaped = escape(text[i]);

        if (escaped != NULL)
            fputs(escaped, out);
        else
            fputc(text[i], out);
    }
}

static void
put(FILE *out, const char *text)
{
    put_n(out, text, strlen(text), false);
}

/* Words in lines, of which none is long; sentences begin on lines of their own. Ends the last line with `end`. */
static void
put_words(FILE *out, const char *text, size_t n, const char *end)
{
    size_t column = 0;
    char   last   = 0;

    for (size_t i = 0; i < n;) {
        size_t length = strcspn(text + i, " \n"), width;

        if (length > n - i)
            length = n - i;
        width = escaped_length(text + i, length);
        if (length > 0) {
            bool fits = column + 1 + width <= LINE_WIDTH && strchr(".!?", last) == NULL;

            if (column > 0)
                fputc(fits ? ' ' : '\n', out);
            column = column > 0 && fits ? column + 1 + width : width;
            put_n(out, text + i, length, column == width);
            last = text[i + length - 1];
        }
        i += length + 1;
    }
    fputs(end, out);
    fputc('\n', out);
}

static void
put_paragraphs(FILE *out, const char *text)
{
    const char *end;

    while ((end = strstr(text, "\n\n")) != NULL) {
        put_words(out, text, (size_t)(end - text), "");
        fputs(".PP\n", out);
        text = end + 2;
    }
    put_words(out, text, strlen(text), "");
}

static void
put_option(FILE *out, const hd_option *option)
{
    fputs(".TP\n", out);
    if (option->short_name != 0)
        fprintf(out, "\\fB\\-%c\\fR, ", option->short_name);
    fputs("\\fB\\-\\-", out);
    put(out, option->name);
    fputs("\\fR", out);
    if (option->type != HD_FLAG) {
        fputs("=\\fI", out);
        put(out, option->values);
        fputs("\\fR", out);
    }
    fputc('\n', out);
    put_words(out, option->help, strlen(option->help), ".");
    if (option->fallback != NULL) {
        size_t skip = option->fallback[0] == '(';

        fputs("Default:\n", out);
        put_words(out, option->fallback + skip, strlen(option->fallback) - 2 * skip, ".");
    }
}

/* Lines of a term, a tab, and what it is. */
static void
put_terms(FILE *out, const char *text)
{
    while (*text != '\0') {
        size_t line = strcspn(text, "\n"), tab = strcspn(text, "\t");

        fputs(".TP\n\\fB", out);
        put_n(out, text, tab < line ? tab : line, false);
        fputs("\\fR\n", out);
        if (tab < line)
            put_words(out, text + tab + 1, line - tab - 1, ".");
        text += line;
        text += *text != '\0';
    }
}

static void
put_head(FILE *out, const char *name, const char *what)
{
    fputs(".TH ", out);
    for (const char *p = name; *p != '\0'; p++)
        if (*p == '-')
            fputs("\\-", out);
        else
            fputc(toupper((unsigned char)*p), out);
    fprintf(out, " 1 %s \"heddle %s\" \"Heddle manual\"\n.SH NAME\n", HD_VERSION_DATE, HD_VERSION);
    put(out, name);
    fputs(" \\- ", out);
    put(out, what);
    fputc('\n', out);
}

static void
put_synopsis(FILE *out, const hd_command *command, const char *launcher)
{
    if (launcher != NULL)
        fprintf(out, "%s\n", launcher);
    fprintf(out, "\\fBheddle %s\\fR\n[\\fIOPTION\\fR]...\\&\n", command->name);
    if (command->operand == NULL)
        return;
    fputs(command->operand_optional ? "[\\fI" : "\\fI", out);
    put(out, command->operand);
    fputs(command->operand_optional ? "\\fR]\n" : "\\fR\n", out);
}

/* more: what a command has beyond the codes of all of them, as in its table; NULL: nothing */
static void
put_exit_status(FILE *out, const char *more)
{
    fputs(".SH EXIT STATUS\n", out);
    put_terms(out, "0\tsuccess\n1\terror: the message on standard error says which\n2\twrong command line");
    if (more != NULL)
        put_terms(out, more);
}

void
hd_manual_program(const hd_command *const *commands, size_t n, FILE *out)
{
    put_head(out, "heddle", "find wait states of MPI and OpenMP programs and their root causes");
    fputs(".SH SYNOPSIS\n\\fBheddle\\fR\n\\fISUBCOMMAND\\fR\n[\\fIOPTION\\fR]...\\&\n[\\fIFILE\\fR]...\\&\n"
          ".br\n\\fBmpirun \\-n\\fR\n\\fIR\\fR\n\\fBheddle analyze\\fR\n[\\fIOPTION\\fR]...\\&\n\\fIARCHIVE\\fR\n"
          ".br\n\\fBheddle \\-\\-version\\fR\n"
          ".SH DESCRIPTION\n"
          "Heddle reads an OTF2 trace archive, as Score\\-P writes it, replays the recorded\n"
          "communication and reports wait states per metric, call path and process, on any\n"
          "number of analysis ranks and threads.\n"
          ".PP\n"
          "Each subcommand has a page of its own.\n"
          ".SH SUBCOMMANDS\n",
          out);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, ".TP\n.BR heddle\\-%s (1)\n", commands[i]->name);
        put_words(out, commands[i]->what, strlen(commands[i]->what), ".");
    }
    fputs(".SH OPTIONS\n.TP\n\\fB\\-V\\fR, \\fB\\-\\-version\\fR\n"
          "print the version, and what this program was built with.\n"
          ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nlist the subcommands.\n",
          out);
    put_exit_status(out, "others\twhat they mean is in the page of the subcommand");
    fputs(".SH SEE ALSO\n", out);
    for (size_t i = 0; i < n; i++)
        fprintf(out, ".BR heddle\\-%s (1)%s\n", commands[i]->name, i + 1 < n ? "," : "");
}

void
hd_manual_command(const hd_command *command, FILE *out)
{
    char name[64];

    snprintf(name, sizeof name, "heddle-%s", command->name);
    put_head(out, name, command->what);
    fputs(".SH SYNOPSIS\n", out);
    put_synopsis(out, command, NULL);
    if (command->parallel) {
        fputs(".br\n", out);
        put_synopsis(out, command, "\\fBmpirun \\-n\\fR\n\\fIR\\fR");
    }
    fputs(".SH DESCRIPTION\n", out);
    put_paragraphs(out, command->text);
    fputs(".SH OPTIONS\n", out);
    for (size_t i = 0; i < command->n_options; i++)
        put_option(out, &command->options[i]);
    if (command->example[0] != '\0') {
        fputs(".SH EXAMPLES\n", out);
        put_terms(out, command->example);
    }
    put_exit_status(out, command->exit_codes);
    fputs(".SH SEE ALSO\n.BR heddle (1)\n", out);
}
