/* src/cube/pl/pl_parser.c: words and signs of CubePL, and the program that becomes of them. */
#include "pl_parser.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

enum {
    MAX_NESTING   = 100, /* of parentheses, signs, blocks */
    MAX_OPS       = 50000,
    MAX_VARIABLES = 2000, /* of all programs of a machine */
};

hd_pl_nature
hd_pl_refuse(hd_pl_parser *parser, const char *format, ...)
{
    va_list arguments;

    if (*parser->why == '\0') {
        va_start(arguments, format);
        vsnprintf(parser->why, parser->why_bytes, format, arguments);
        va_end(arguments);
    }
    parser->at += strlen(parser->at); /* nothing more is read */
    return HD_PL_OTHER;
}

void
hd_pl_skip_blanks(hd_pl_parser *parser)
{
    for (;;) {
        parser->at += strspn(parser->at, " \t\r\n");
        if (strncmp(parser->at, "//", 2) != 0)
            return;
        parser->at += strcspn(parser->at, "\n");
    }
}

bool
hd_pl_is_next(hd_pl_parser *parser, const char *token)
{
    size_t n = strlen(token);

    hd_pl_skip_blanks(parser);
    return strncmp(parser->at, token, n) == 0 &&
           !(isalpha((unsigned char)token[n - 1]) && isalnum((unsigned char)parser->at[n]));
}

bool
hd_pl_takes(hd_pl_parser *parser, const char *token)
{
    if (!hd_pl_is_next(parser, token))
        return false;
    parser->at += strlen(token);
    return true;
}

void
hd_pl_expect(hd_pl_parser *parser, const char *token)
{
    if (hd_pl_takes(parser, token))
        return;
    if (*parser->at != '\0')
        hd_pl_refuse(parser, "\"%s\" is missing before \"%.20s\"", token, parser->at);
    else
        hd_pl_refuse(parser, "\"%s\" is missing", token);
}

char *
hd_pl_take_name(hd_pl_parser *parser, const char *of, const char *what)
{
    size_t n = strspn(parser->at, of);
    char  *name;

    if (n == 0)
        hd_pl_refuse(parser, "%s has no name", what);
    name = memcpy(HD_NEW_ARRAY(char, n + 1), parser->at, n);
    parser->at += n;
    return name;
}

bool
hd_pl_enter(hd_pl_parser *parser)
{
    if (++parser->depth <= MAX_NESTING)
        return true;
    hd_pl_refuse(parser, "it is nested too deeply");
    return false;
}

void
hd_pl_emit(hd_pl_parser *parser, hd_pl_code code, uint32_t operand, int pushes)
{
    hd_pl_program  *program = parser->program;
    struct hd_pl_op op      = { .code = (uint8_t)code, .operand = operand };

    if (*parser->why != '\0')
        return;
    if (program->n_ops == MAX_OPS) {
        hd_pl_refuse(parser, "it is too long");
        return;
    }
    HD_PUSH(program->ops, program->n_ops, parser->ops_capacity, op);
    parser->n_stack = (size_t)((ptrdiff_t)parser->n_stack + pushes);
    if (parser->n_stack > program->n_stack)
        program->n_stack = parser->n_stack;
}

void
hd_pl_emit_number(hd_pl_parser *parser, double number)
{
    hd_pl_emit(parser, HD_PL_NUMBER, 0, 1);
    if (*parser->why == '\0')
        parser->program->ops[parser->program->n_ops - 1].number = number;
}

uint32_t
hd_pl_keep_text(hd_pl_parser *parser, char *text)
{
    HD_PUSH(parser->program->texts, parser->program->n_texts, parser->texts_capacity, text);
    return (uint32_t)parser->program->n_texts - 1;
}

/* ---- what stands for a value ------------------------------------------------------------------------------------- */

char *
hd_pl_take_quoted(hd_pl_parser *parser)
{
    size_t n    = 0;
    char  *text = HD_NEW_ARRAY(char, strlen(parser->at) + 1);

    for (; *parser->at != '"'; parser->at++) {
        if (*parser->at == '\0') {
            hd_pl_refuse(parser, "a text does not end");
            return text;
        }
        if (*parser->at != '\\')
            text[n++] = *parser->at;
        else if (parser->at[1] == '"' || parser->at[1] == 'n' || parser->at[1] == 't') {
            parser->at++;
            text[n++] = (char)(*parser->at == 'n' ? '\n' : *parser->at == 't' ? '\t' : '"');
        }
    }
    parser->at++;
    return text;
}

uint32_t
hd_pl_add_variable(hd_pl_parser *parser, char *name)
{
    hd_pl_machine *machine = parser->machine;
    hd_pl_variable new     = { .name = name };

    for (size_t i = 0; i < machine->n_variables; i++)
        if (strcmp(machine->variables[i].name, name) == 0) {
            free(name);
            return (uint32_t)i;
        }
    if (machine->n_variables == MAX_VARIABLES)
        hd_pl_refuse(parser, "there are too many variables");
    HD_PUSH(machine->variables, machine->n_variables, machine->variables_capacity, new);
    return (uint32_t)machine->n_variables - 1;
}

static void
note(uint32_t **list, size_t *n, size_t *capacity, uint32_t variable)
{
    for (size_t i = 0; i < *n; i++)
        if ((*list)[i] == variable)
            return;
    HD_PUSH(*list, *n, *capacity, variable);
}

uint32_t
hd_pl_note_read(hd_pl_parser *parser, uint32_t variable)
{
    note(&parser->program->reads, &parser->program->n_reads, &parser->reads_capacity, variable);
    return variable;
}

void
hd_pl_note_set(hd_pl_parser *parser, uint32_t variable)
{
    note(&parser->program->sets, &parser->program->n_sets, &parser->sets_capacity, variable);
}

char *
hd_pl_take_variable_name(hd_pl_parser *parser)
{
    char *name;

    hd_pl_expect(parser, "{");
    hd_pl_skip_blanks(parser);
    name = hd_pl_take_name(parser, HD_PL_NAME_LETTERS, "a variable");
    hd_pl_expect(parser, "}");
    return name;
}

bool
hd_pl_is_reserved(const char *name)
{
    return strncmp(name, "cube::", 6) == 0 || strncmp(name, "calculation::", 13) == 0;
}
