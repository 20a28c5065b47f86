#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "closest.h"
#include "memory.h"

enum { HELP_INDENT = 6 };

/* ---- parsing ----------------------------------------------------------------------------------------------------- */

static hd_status
usage(const hd_command *command)
{
    hd_fail_detail("try", "heddle help %s", command->name);
    return HD_EUSAGE;
}

static hd_status
unknown_option(const hd_command *command, const char *name, size_t length)
{
    const char **names = HD_NEW_ARRAY(const char *, command->n_options);
    char        *given = hd_format("%.*s", (int)length, name);
    const char  *closest;

    for (size_t i = 0; i < command->n_options; i++)
        names[i] = command->options[i].name;
    closest = hd_closest(given, names, command->n_options);
    hd_fail(HD_EUSAGE, "\"heddle %s\" has no option \"--%s\"", command->name, given);
    if (closest != NULL)
        hd_fail_detail("closest", "--%s", closest);
    free(given);
    free(names);
    return usage(command);
}

static const hd_option *
find_named(const hd_command *command, const char *name, size_t length)
{
    for (size_t i = 0; i < command->n_options; i++)
        if (strlen(command->options[i].name) == length && strncmp(command->options[i].name, name, length) == 0)
            return &command->options[i];
    return NULL;
}

/* An option that had this name, or letter, before; NULL: there is none. */
static const hd_option *
find_former(const hd_command *command, const char *name, size_t length)
{
    const char *at = command->former_names != NULL ? command->former_names : "";

    while (*at != '\0') {
        size_t n = strcspn(at, "="), n_now = strcspn(at + n + 1, " ");

        if (n == length && strncmp(at, name, length) == 0)
            return find_named(command, at + n + 1, n_now);
        at += n + 1 + n_now;
        at += *at == ' ';
    }
    return NULL;
}

static const hd_option *
find_long(const hd_command *command, const char *name, size_t length)
{
    const hd_option *option = find_named(command, name, length);

    return option != NULL || length < 2 ? option : find_former(command, name, length);
}

static const hd_option *
find_short(const hd_command *command, char name)
{
    for (size_t i = 0; i < command->n_options; i++)
        if (command->options[i].short_name == name)
            return &command->options[i];
    return find_former(command, &name, 1);
}

/* Digits only, so that neither signs nor blanks slip through. */
static bool
parse_number(const char *text, uint64_t *value, const char **end)
{
    const char *p = text;
    uint64_t    v = 0;

    for (; *p >= '0' && *p <= '9'; p++) {
        uint64_t digit = (uint64_t)(*p - '0');

        if (v > (UINT64_MAX - digit) / 10)
            return false;
        v = v * 10 + digit;
    }
    *value = v;
    *end   = p;
    return p != text;
}

/* "64G", "64GB", "64GiB", "64B" and "64"; has_unit: out, whether there is one. */
static bool
parse_bytes(const char *text, uint64_t *value, bool *has_unit)
{
    static const char units[] = "BKMGT";
    const char       *end, *unit;
    unsigned          shift;

    if (!parse_number(text, value, &end))
        return false;
    *has_unit = *end != '\0';
    if (!*has_unit)
        return true;
    unit = strchr(units, *end >= 'a' ? *end - 'a' + 'A' : *end);
    if (unit == NULL)
        return false;
    shift = 10 * (unsigned)(unit - units);
    end++;
    if (shift > 0 && (strcmp(end, "B") == 0 || strcmp(end, "iB") == 0))
        end += strlen(end);
    if (*value > UINT64_MAX >> shift)
        return false;
    *value <<= shift;
    return *end == '\0';
}

static bool
parse_choice(const char *values, const char *text, uint32_t *index)
{
    size_t length = strlen(text);

    for (uint32_t i = 0; *values != '\0'; i++) {
        size_t n = strcspn(values, "|");

        if (n == length && strncmp(values, text, n) == 0) {
            *index = i;
            return true;
        }
        values += n + (values[n] == '|');
    }
    return false;
}

static void
add_text(hd_texts *texts, const char *text)
{
    texts->text             = hd_realloc(texts->text, texts->n + 1, sizeof *texts->text);
    texts->text[texts->n++] = text;
}

/* name: the option as it was typed. */
static hd_status
set_count(const hd_option *option, const char *name, const char *text, uint32_t *field)
{
    uint64_t    number, max = HD_NONE - 1;
    const char *end;

    if (option->type == HD_SMALL_COUNT)
        max = UINT16_MAX;
    else if (option->type == HD_THREADS)
        max = HD_MAX_THREADS;
    if (!parse_number(text, &number, &end) || *end != '\0' || number == 0)
        return hd_fail(HD_EUSAGE, "\"%s\" needs a number above 0, not \"%s\"", name, text);
    if (number > max)
        return hd_fail(HD_EUSAGE, "\"%s\" is at most %" PRIu64 ", not \"%s\"", name, max, text);
    *field = (uint32_t)number;
    return HD_OK;
}

/* Bytes are seldom meant by a small number. */
static hd_status
set_bytes(const char *name, const char *text, uint64_t *field)
{
    uint64_t number;
    bool     has_unit;

    if (!parse_bytes(text, &number, &has_unit) || number == 0)
        return hd_fail(HD_EUSAGE, "\"%s\" needs a size such as 512M or 64G, not \"%s\"", name, text);
    if (!has_unit && number < 1 << 20) {
        hd_fail(HD_EUSAGE, "\"%s\": \"%s\" is a size of %" PRIu64 " byte%s: it has no unit", name, text, number,
                number == 1 ? "" : "s");
        hd_fail_detail("try", "%" PRIu64 "G or %" PRIu64 "M (K, M, G, T: powers of 1024); %" PRIu64 "B if bytes are meant",
                       number, number, number);
        return HD_EUSAGE;
    }
    *field = number;
    return HD_OK;
}

static hd_status
set_value(const hd_option *option, const char *name, const char *text, char *fields)
{
    void    *field = fields + option->offset;
    uint32_t index;

    if (option->type == HD_FLAG) {
        *(bool *)field = true;
        return HD_OK;
    }
    HD_ASSERT(text != NULL);
    switch (option->type) {
    case HD_FLAG: break;
    case HD_TEXT:
    case HD_TEXTS:
        if (*text == '\0')
            return hd_fail(HD_EUSAGE, "\"%s\" needs a %s that is not empty", name, option->values);
        if (option->type == HD_TEXTS)
            add_text(field, text);
        else
            *(const char **)field = text;
        return HD_OK;
    case HD_COUNT:
    case HD_SMALL_COUNT:
    case HD_THREADS: return set_count(option, name, text, field);
    case HD_BYTES: return set_bytes(name, text, field);
    case HD_TIME:
        if (!hd_duration_parse(text, field))
            return hd_fail(HD_EUSAGE, "\"%s\" needs a time such as 1.5, 1.5s, 20ms, 300us or 4ns, not \"%s\"", name, text);
        return HD_OK;
    case HD_CHOICE:
        if (!parse_choice(option->values, text, &index))
            return hd_fail(HD_EUSAGE, "\"%s\" is one of %s, not \"%s\"", name, option->values, text);
        *(uint32_t *)field = index;
        return HD_OK;
    }
    return HD_OK;
}

/* What programs take for standard output. */
static hd_status
check_stdout(const hd_command *command, const hd_option *option, const char *name, const char *text)
{
    static const char *const written[] = { "output", "html", "picture", "times", "trace", "write-filter" };
    bool                     is_file   = false;

    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        is_file |= strcmp(option->name, written[i]) == 0;
    if (strcmp(text, "-") != 0 || option->type != HD_TEXT || !is_file ||
        (strcmp(option->name, "output") == 0 && command->output_may_be_stdout))
        return HD_OK;
    hd_fail(HD_EUSAGE, "\"heddle %s\" cannot write its %s to standard output", command->name, option->values);
    hd_fail_detail("try", "%s %s, or ./- for a file of this name", name, option->values);
    return HD_EUSAGE;
}

/* "--", or one of the command's options. */
static bool
is_option(const hd_command *command, const char *text)
{
    if (text[0] != '-' || text[1] == '\0')
        return false;
    if (text[1] != '-')
        return find_short(command, text[1]) != NULL;
    return text[2] == '\0' || find_long(command, text + 2, strcspn(text + 2, "=")) != NULL;
}

/* Where the value of an option is, if it has one: behind "=" or the letter, or the next argument. name: the option
 * as it was typed. */
static hd_status
take(const hd_command *command, const hd_option *option, const char *name, const char *attached, int *i, int n,
     char **arguments, char *fields)
{
    const char *value = attached;
    hd_status   status;

    if (option->type == HD_FLAG && attached != NULL) {
        hd_fail(HD_EUSAGE, "\"%s\" takes no value", name);
        return usage(command);
    }
    if (option->type != HD_FLAG && value == NULL) {
        if (*i + 1 >= n) {
            hd_fail(HD_EUSAGE, "\"%s\" needs a value: %s", name, option->values);
            return usage(command);
        }
        value = arguments[++*i];
        if (is_option(command, value)) {
            hd_fail(HD_EUSAGE, "\"%s\" needs a value: %s, and \"%s\" is an option", name, option->values, value);
            hd_fail_detail("such as", "--%s=%s", option->name, option->values);
            return usage(command);
        }
    }
    status = value != NULL ? check_stdout(command, option, name, value) : HD_OK;
    if (status == HD_OK)
        status = set_value(option, name, value, fields);
    return status == HD_OK ? HD_OK : usage(command);
}

static hd_status
parse_long(const hd_command *command, int *i, int n, char **arguments, char *fields)
{
    const char      *name   = arguments[*i] + 2;
    size_t           length = strcspn(name, "=");
    const hd_option *option = find_long(command, name, length);
    char            *typed;
    hd_status        status;

    if (option == NULL)
        return unknown_option(command, name, length);
    typed  = hd_format("--%s", option->name);
    status = take(command, option, typed, name[length] == '=' ? name + length + 1 : NULL, i, n, arguments, fields);
    free(typed);
    return status;
}

static hd_status
unknown_letter(const hd_command *command, char letter)
{
    const char *at = command->former_letters;

    hd_fail(HD_EUSAGE, "\"heddle %s\" has no option \"-%c\"", command->name, letter);
    while (at != NULL && *at != '\0' && *at != letter) {
        at += strcspn(at, " ");
        at += *at == ' ';
    }
    if (at != NULL && *at != '\0')
        hd_fail_detail("now", "--%.*s", (int)strcspn(at + 2, " "), at + 2);
    return usage(command);
}

static hd_status
parse_letters(const hd_command *command, int *i, int n, char **arguments, char *fields)
{
    for (const char *p = arguments[*i] + 1; *p != '\0'; p++) {
        const hd_option *option   = find_short(command, *p);
        const char       typed[3] = { '-', *p, '\0' };
        hd_status        status;

        if (option == NULL)
            return unknown_letter(command, *p);
        if (option->type != HD_FLAG)
            return take(command, option, typed, p[1] != '\0' ? p + 1 : NULL, i, n, arguments, fields);
        status = take(command, option, typed, NULL, i, n, arguments, fields);
        if (status != HD_OK)
            return status;
    }
    return HD_OK;
}

static hd_status
parse_operand(const hd_command *command, const char *text, char *fields)
{
    void     *field = fields + command->operand_offset;
    hd_texts *texts = command->operands_max > 0 ? field : NULL;

    if (texts != NULL && texts->n < command->operands_max) {
        add_text(texts, text);
        return HD_OK;
    }
    if (texts != NULL || command->operand == NULL || *(const char **)field != NULL) {
        hd_fail(HD_EUSAGE, "\"heddle %s\" does not know what to do with \"%s\"", command->name, text);
        if (texts != NULL)
            hd_fail_detail("has", "%s \"%s\"", command->operand, texts->text[0]);
        else if (command->operand != NULL)
            hd_fail_detail("has", "%s \"%s\"", command->operand, *(const char **)field);
        return usage(command);
    }
    *(const char **)field = text;
    return HD_OK;
}

/* "--" between operands tells two lists of them apart; before the first one, and a second time, it ends the options. */
static bool
splits(const hd_command *command, char *fields)
{
    const hd_texts *texts = (const void *)(fields + command->operand_offset);
    uint32_t       *split = (void *)(fields + command->split_offset);

    if (command->split_offset == 0 || texts->n == 0 || *split > 0)
        return false;
    *split = (uint32_t)texts->n;
    return true;
}

static hd_status
check_operands(const hd_command *command, char *fields)
{
    const void *field = fields + command->operand_offset;

    if (command->operands_max > 0) {
        size_t n = ((const hd_texts *)field)->n;

        if (n >= command->operands_min)
            return HD_OK;
        hd_fail(HD_EUSAGE, "\"heddle %s\" needs %" PRIu32 " operand%s, %s, not %zu", command->name, command->operands_min,
                command->operands_min == 1 ? "" : "s", command->operand, n);
        return usage(command);
    }
    if (command->operand == NULL || command->operand_optional || *(const char *const *)field != NULL)
        return HD_OK;
    hd_fail(HD_EUSAGE, "\"heddle %s\" needs its %s", command->name, command->operand);
    return usage(command);
}

hd_status
hd_options_parse(const hd_command *command, int n, char **arguments, void *options)
{
    char     *fields       = options;
    bool      only_operands = false;
    hd_status status       = HD_OK;

    memset(options, 0, command->bytes);
    for (size_t i = 0; i < command->n_options; i++) {
        const hd_option *option = &command->options[i];

        if (option->fallback != NULL && option->fallback[0] != '(')
            HD_ASSERT(set_value(option, option->name, option->fallback, fields) == HD_OK);
    }
    for (int i = 0; i < n && status == HD_OK && !*(bool *)options; i++) {
        if (only_operands || arguments[i][0] != '-' || arguments[i][1] == '\0') {
            status        = parse_operand(command, arguments[i], fields);
            only_operands = only_operands || command->operand_ends_options;
        } else if (strcmp(arguments[i], "--") == 0)
            only_operands = !splits(command, fields);
        else if (arguments[i][1] == '-')
            status = parse_long(command, &i, n, arguments, fields);
        else
            status = parse_letters(command, &i, n, arguments, fields);
    }
    if (status == HD_OK && !*(bool *)options)
        status = check_operands(command, fields);
    return status;
}

void
hd_options_fini(const hd_command *command, void *options)
{
    char *fields = options;

    if (command->operands_max > 0)
        free(((hd_texts *)(void *)(fields + command->operand_offset))->text);
    for (size_t i = 0; i < command->n_options; i++)
        if (command->options[i].type == HD_TEXTS)
            free(((hd_texts *)(void *)(fields + command->options[i].offset))->text);
}

/* ---- help -------------------------------------------------------------------------------------------------------- */

void
hd_options_wrapped(FILE *out, const char *text, int width, int indent, int column)
{
    bool has_word = false; /* this line */

    while (*text != '\0') {
        int length = (int)strcspn(text, " \n");

        if (has_word && column + 1 + length > width) {
            fputc('\n', out);
            column   = 0;
            has_word = false;
        }
        if (length > 0) {
            column += fprintf(out, "%*s%.*s", has_word ? 1 : indent > column ? indent - column : 0, "", length, text);
            has_word = true;
        }
        text += length;
        if (strncmp(text, "\n\n", 2) == 0) {
            fputs("\n\n", out);
            column   = 0;
            has_word = false;
            text++;
        }
        text += *text != '\0';
    }
    fputc('\n', out);
}

static void
print_option(FILE *out, const hd_option *option, int width)
{
    char *fallback;

    if (option->short_name != 0)
        fprintf(out, "  -%c, --%s", option->short_name, option->name);
    else
        fprintf(out, "  --%s", option->name);
    if (option->type != HD_FLAG)
        fprintf(out, "=%s", option->values);
    fputc('\n', out);
    hd_options_wrapped(out, option->help, width, HELP_INDENT, 0);
    if (option->fallback == NULL)
        return;
    fallback = option->fallback[0] == '(' ? hd_format("default: %.*s", (int)strlen(option->fallback) - 2, option->fallback + 1)
                                          : hd_format("default: %s", option->fallback);
    hd_options_wrapped(out, fallback, width, HELP_INDENT, 0);
    free(fallback);
}

static void
print_synopsis(FILE *out, const hd_command *command)
{
    fprintf(out, "heddle %s [OPTION]...", command->name);
    if (command->operand != NULL)
        fprintf(out, command->operand_optional ? " [%s]" : " %s", command->operand);
}

/* Lines of a term, a tab, and what it is. */
static void
print_terms(FILE *out, const char *title, const char *text, int width)
{
    fputc('\n', out);
    hd_options_wrapped(out, title, width, 0, 0);
    while (*text != '\0') {
        int line = (int)strcspn(text, "\n"), tab = (int)strcspn(text, "\t");

        fprintf(out, "  %.*s\n", tab < line ? tab : line, text);
        if (tab < line) {
            char *meaning = hd_format("%.*s", line - tab - 1, text + tab + 1);

            hd_options_wrapped(out, meaning, width, HELP_INDENT, 0);
            free(meaning);
        }
        text += line;
        text += *text != '\0';
    }
}

void
hd_options_help(const hd_command *command, FILE *out, int width)
{
    fputs("usage: ", out);
    print_synopsis(out, command);
    if (command->parallel) {
        fputs("\n       mpirun -n R ", out);
        print_synopsis(out, command);
    }
    fprintf(out, "\n\n");
    hd_options_wrapped(out, command->text, width, 0, 0);
    fprintf(out, "\noptions\n");
    for (size_t i = 0; i < command->n_options; i++)
        print_option(out, &command->options[i], width);
    if (command->example[0] != '\0')
        print_terms(out, "examples", command->example, width);
    if (command->exit_codes != NULL)
        print_terms(out, "exit codes besides 0 (success), 1 (error) and 2 (wrong command line)", command->exit_codes,
                    width);
}
