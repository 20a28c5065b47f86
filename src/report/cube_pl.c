#include "cube_pl.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cube_pl_op.h"
#include "memory.h"
#include "status.h"

enum {
    MAX_NESTING    = 100,   /* of parentheses, signs, blocks */
    MAX_OPS        = 50000,
    MAX_REFERENCES = 1000,
    MAX_VARIABLES  = 2000,  /* of all programs of a machine */
    MAX_NUMBER     = 64,    /* characters */
    MAX_REGEX      = 16384, /* characters */
    MAX_GROUPS     = 50,    /* of a regular expression, inside of each other */
    MAX_REPEATS    = 1000,  /* of a regular expression: the product of all upper bounds */
    N_LEVELS       = 5,     /* of precedence */
};

/* What is known of a part of an expression. */
typedef enum nature { IS_CONSTANT, IS_LINEAR, IS_OTHER } nature;

typedef struct pl_parser {
    hd_pl_machine *machine;
    hd_pl_program *program;
    const char    *at;
    size_t         ops_capacity, references_capacity, texts_capacity, regexes_capacity, reads_capacity, sets_capacity;
    uint32_t       depth;
    size_t         n_stack;
    char          *why; /* [why_bytes] the first reason; "": none yet */
    size_t         why_bytes;
} pl_parser;

static const char letters[]     = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
static const char id_letters[]  = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:=.";
static const char name_letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:-#";

static const struct {
    const char *name;
    hd_pl_fact  fact;
} facts[] = {
    { "cube::#metrics", HD_PL_N_METRICS },
    { "cube::#regions", HD_PL_N_REGIONS },
    { "cube::#callpaths", HD_PL_N_PATHS },
    { "cube::#locations", HD_PL_N_LOCATIONS },
    { "cube::#locationgroups", HD_PL_N_GROUPS },
    { "cube::#stns", HD_PL_N_NODES },
    { "calculation::metric::id", HD_PL_METRIC },
    { "calculation::callpath::id", HD_PL_PATH },
    { "calculation::region::id", HD_PL_REGION },
    { "calculation::sysres::id", HD_PL_LOCATION },
    { "cube::callpath::mod", HD_PL_PATH_FILE },
    { "cube::callpath::line", HD_PL_PATH_LINE },
    { "cube::callpath::#children", HD_PL_PATH_N_CHILDREN },
    { "cube::callpath::calleeid", HD_PL_PATH_CALLEE },
    { "cube::callpath::parent::id", HD_PL_PATH_PARENT },
    { "cube::region::name", HD_PL_REGION_NAME },
    { "cube::region::mangled::name", HD_PL_REGION_MANGLED },
    { "cube::region::paradigm", HD_PL_REGION_PARADIGM },
    { "cube::region::role", HD_PL_REGION_ROLE },
    { "cube::region::url", HD_PL_REGION_URL },
    { "cube::region::description", HD_PL_REGION_WHAT },
    { "cube::region::mod", HD_PL_REGION_FILE },
    { "cube::region::begin::line", HD_PL_REGION_BEGIN },
    { "cube::region::end::line", HD_PL_REGION_END },
    { "cube::stn::name", HD_PL_NODE_NAME },
    { "cube::stn::class", HD_PL_NODE_CLASS },
    { "cube::stn::parent::id", HD_PL_NODE_PARENT },
    { "cube::locationgroup::name", HD_PL_GROUP_NAME },
    { "cube::locationgroup::parent::id", HD_PL_GROUP_PARENT },
    { "cube::locationgroup::rank", HD_PL_GROUP_RANK },
    { "cube::locationgroup::type", HD_PL_GROUP_TYPE },
    { "cube::location::name", HD_PL_LOCATION_NAME },
    { "cube::location::type", HD_PL_LOCATION_TYPE },
    { "cube::location::parent::id", HD_PL_LOCATION_PARENT },
    { "cube::location::rank", HD_PL_LOCATION_RANK },
};

static nature parse_expression(pl_parser *parser);
static void   parse_block(pl_parser *parser);

/* ---- words and signs ----------------------------------------------------------------------------------------------------- */

static nature refuse(pl_parser *parser, const char *format, ...) __attribute__((format(printf, 2, 3)));

static nature
refuse(pl_parser *parser, const char *format, ...)
{
    va_list arguments;

    if (*parser->why == '\0') {
        va_start(arguments, format);
        vsnprintf(parser->why, parser->why_bytes, format, arguments);
        va_end(arguments);
    }
    parser->at += strlen(parser->at); /* nothing more is read */
    return IS_OTHER;
}

static void
skip_blanks(pl_parser *parser)
{
    for (;;) {
        parser->at += strspn(parser->at, " \t\r\n");
        if (strncmp(parser->at, "//", 2) != 0)
            return;
        parser->at += strcspn(parser->at, "\n");
    }
}

/* A word counts only as a whole. */
static bool
is_next(pl_parser *parser, const char *token)
{
    size_t n = strlen(token);

    skip_blanks(parser);
    return strncmp(parser->at, token, n) == 0 &&
           !(isalpha((unsigned char)token[n - 1]) && isalnum((unsigned char)parser->at[n]));
}

static bool
takes(pl_parser *parser, const char *token)
{
    if (!is_next(parser, token))
        return false;
    parser->at += strlen(token);
    return true;
}

static void
expect(pl_parser *parser, const char *token)
{
    if (takes(parser, token))
        return;
    if (*parser->at != '\0')
        refuse(parser, "\"%s\" is missing before \"%.20s\"", token, parser->at);
    else
        refuse(parser, "\"%s\" is missing", token);
}

/* "": it is none, and refused. */
static char *
take_name(pl_parser *parser, const char *of, const char *what)
{
    size_t n = strspn(parser->at, of);
    char  *name;

    if (n == 0)
        refuse(parser, "%s has no name", what);
    name = memcpy(HD_NEW_ARRAY(char, n + 1), parser->at, n);
    parser->at += n;
    return name;
}

static bool
enter(pl_parser *parser)
{
    if (++parser->depth <= MAX_NESTING)
        return true;
    refuse(parser, "it is nested too deeply");
    return false;
}

static void
emit(pl_parser *parser, hd_pl_code code, uint32_t operand, int pushes)
{
    hd_pl_program  *program = parser->program;
    struct hd_pl_op op      = { .code = (uint8_t)code, .operand = operand };

    if (*parser->why != '\0')
        return;
    if (program->n_ops == MAX_OPS) {
        refuse(parser, "it is too long");
        return;
    }
    HD_PUSH(program->ops, program->n_ops, parser->ops_capacity, op);
    parser->n_stack = (size_t)((ptrdiff_t)parser->n_stack + pushes);
    if (parser->n_stack > program->n_stack)
        program->n_stack = parser->n_stack;
}

static void
emit_number(pl_parser *parser, double number)
{
    emit(parser, HD_PL_NUMBER, 0, 1);
    if (*parser->why == '\0')
        parser->program->ops[parser->program->n_ops - 1].number = number;
}

static uint32_t
keep_text(pl_parser *parser, char *text)
{
    HD_PUSH(parser->program->texts, parser->program->n_texts, parser->texts_capacity, text);
    return (uint32_t)parser->program->n_texts - 1;
}

/* ---- what stands for a value --------------------------------------------------------------------------------------------- */

static nature
parse_number(pl_parser *parser)
{
    char   text[MAX_NUMBER + 1];
    size_t n = strspn(parser->at, "0123456789.");
    char  *end;
    double value;

    if (n > MAX_NUMBER)
        return refuse(parser, "a number is too long");
    memcpy(text, parser->at, n);
    text[n] = '\0';
    value   = strtod(text, &end);
    if (*end != '\0' || end == text)
        return refuse(parser, "\"%s\" is no number", text);
    parser->at += n;
    emit_number(parser, value);
    return IS_CONSTANT;
}

/* Behind the first quote. */
static char *
parse_quoted(pl_parser *parser)
{
    size_t n    = 0;
    char  *text = HD_NEW_ARRAY(char, strlen(parser->at) + 1);

    for (; *parser->at != '"'; parser->at++) {
        if (*parser->at == '\0') {
            refuse(parser, "a text does not end");
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

static hd_pl_flavour
parse_flavour(pl_parser *parser)
{
    if (takes(parser, "i"))
        return HD_PL_INCLUSIVE;
    if (takes(parser, "e"))
        return HD_PL_EXCLUSIVE;
    expect(parser, "*");
    return HD_PL_SAME;
}

static uint32_t
add_reference(pl_parser *parser, hd_pl_reference reference)
{
    hd_pl_program *program = parser->program;

    for (size_t i = 0; i < program->n_references; i++) {
        const hd_pl_reference *other = &program->references[i];

        if (other->scope == reference.scope && other->flavour == reference.flavour && strcmp(other->id, reference.id) == 0) {
            free(reference.id);
            return (uint32_t)i;
        }
    }
    if (program->n_references == MAX_REFERENCES)
        refuse(parser, "it asks for too many metrics");
    HD_PUSH(program->references, program->n_references, parser->references_capacity, reference);
    return (uint32_t)program->n_references - 1;
}

static nature
parse_called(pl_parser *parser)
{
    hd_pl_reference reference = { .metric = HD_NONE, .scope = HD_PL_CALLED };

    reference.id = take_name(parser, id_letters, "a metric");
    expect(parser, "(");
    parse_expression(parser);
    expect(parser, ",");
    reference.flavour = parse_flavour(parser);
    if (is_next(parser, ","))
        refuse(parser, "it asks for values of other places");
    expect(parser, ")");
    emit(parser, HD_PL_CALL, add_reference(parser, reference), 0);
    return IS_OTHER;
}

static nature
parse_metric(pl_parser *parser)
{
    hd_pl_reference reference = { .metric = HD_NONE };
    bool            is_fixed  = false, has_place = false;

    if (takes(parser, "call::"))
        return parse_called(parser);
    if (takes(parser, "fixed::"))
        is_fixed = true;
    else if (strncmp(parser->at, "set::", 5) == 0 || strncmp(parser->at, "get::", 5) == 0)
        return refuse(parser, "it asks for the properties of metrics");
    else
        (void)takes(parser, "context::");
    reference.id = take_name(parser, id_letters, "a metric");
    expect(parser, "(");
    if (is_fixed)
        reference.scope = is_next(parser, ")") ? HD_PL_TOTAL : HD_PL_PATH_SUM;
    if (!is_next(parser, ")")) {
        reference.flavour = parse_flavour(parser);
        has_place         = takes(parser, ",");
        if (has_place) /* one place alone is the same inclusively and exclusively */
            (void)parse_flavour(parser);
    }
    if (has_place)
        reference.scope = HD_PL_HERE;
    expect(parser, ")");
    is_fixed = reference.scope != HD_PL_HERE || reference.flavour != HD_PL_SAME;
    emit(parser, HD_PL_VALUE, add_reference(parser, reference), 1);
    return is_fixed ? IS_OTHER : IS_LINEAR;
}

static uint32_t
add_variable(pl_parser *parser, char *name)
{
    hd_pl_machine *machine = parser->machine;
    hd_pl_variable new     = { .name = name };

    for (size_t i = 0; i < machine->n_variables; i++)
        if (strcmp(machine->variables[i].name, name) == 0) {
            free(name);
            return (uint32_t)i;
        }
    if (machine->n_variables == MAX_VARIABLES)
        refuse(parser, "there are too many variables");
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

static uint32_t
note_read(pl_parser *parser, uint32_t variable)
{
    note(&parser->program->reads, &parser->program->n_reads, &parser->reads_capacity, variable);
    return variable;
}

/* Behind the $: {name}. */
static char *
parse_variable_name(pl_parser *parser)
{
    char *name;

    expect(parser, "{");
    skip_blanks(parser);
    name = take_name(parser, name_letters, "a variable");
    expect(parser, "}");
    return name;
}

/* [index], else 0. */
static void
parse_index(pl_parser *parser)
{
    if (takes(parser, "[")) {
        parse_expression(parser);
        expect(parser, "]");
    } else
        emit_number(parser, 0);
}

static bool
is_reserved(const char *name)
{
    return strncmp(name, "cube::", 6) == 0 || strncmp(name, "calculation::", 13) == 0;
}

static nature
parse_variable(pl_parser *parser)
{
    char *name = parse_variable_name(parser);

    parse_index(parser);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (strcmp(facts[i].name, name) == 0) {
            free(name);
            emit(parser, HD_PL_FACT, (uint32_t)facts[i].fact, 0);
            return IS_OTHER;
        }
    if (is_reserved(name)) {
        refuse(parser, "\"${%.60s}\" is not known", name);
        free(name);
        return IS_OTHER;
    }
    emit(parser, HD_PL_LOAD, note_read(parser, add_variable(parser, name)), 0);
    return IS_OTHER;
}

/* sizeof(name): its items; defined(name): whether it has some. */
static nature
parse_size(pl_parser *parser, bool is_defined)
{
    char *name;

    expect(parser, "(");
    name = take_name(parser, name_letters, "a variable");
    if (is_reserved(name))
        refuse(parser, "\"%.60s\" is not known", name);
    emit(parser, HD_PL_SIZE, note_read(parser, add_variable(parser, name)), 1);
    expect(parser, ")");
    if (is_defined) {
        emit_number(parser, 0);
        emit(parser, HD_PL_GREATER, 0, -1);
    }
    return IS_OTHER;
}

static nature
parse_least_or_largest(pl_parser *parser, hd_pl_code code)
{
    expect(parser, "(");
    parse_expression(parser);
    expect(parser, ",");
    parse_expression(parser);
    expect(parser, ")");
    emit(parser, code, 0, -1);
    return IS_OTHER;
}

static nature
parse_argument(pl_parser *parser, hd_pl_code code)
{
    emit(parser, code, 0, 1);
    return IS_OTHER;
}

static nature
parse_enclosed(pl_parser *parser, const char *end)
{
    nature is = parse_expression(parser);

    expect(parser, end);
    return is;
}

static nature
parse_not(pl_parser *parser)
{
    expect(parser, "(");
    parse_enclosed(parser, ")");
    emit(parser, HD_PL_NOT, 0, 0);
    return IS_OTHER;
}

static nature
parse_word(pl_parser *parser)
{
    size_t   n        = strspn(parser->at, letters);
    uint32_t function = hd_pl_function_by_name(parser->at, n);

    if (function != HD_NONE) {
        parser->at += n;
        expect(parser, "(");
        parse_enclosed(parser, ")");
        emit(parser, HD_PL_FUNCTION, function, 0);
        return IS_OTHER;
    }
    if (takes(parser, "min"))
        return parse_least_or_largest(parser, HD_PL_MIN);
    if (takes(parser, "max"))
        return parse_least_or_largest(parser, HD_PL_MAX);
    if (takes(parser, "not"))
        return parse_not(parser);
    if (takes(parser, "arg1"))
        return parse_argument(parser, HD_PL_ARG1);
    if (takes(parser, "arg2"))
        return parse_argument(parser, HD_PL_ARG2);
    if (takes(parser, "sizeof"))
        return parse_size(parser, false);
    if (takes(parser, "defined"))
        return parse_size(parser, true);
    if (is_next(parser, "true") || is_next(parser, "false")) {
        emit_number(parser, takes(parser, "true"));
        (void)takes(parser, "false");
        return IS_CONSTANT;
    }
    if (is_next(parser, "random"))
        return refuse(parser, "it asks for random numbers");
    if (is_next(parser, "env"))
        return refuse(parser, "it asks for the environment");
    return refuse(parser, "\"%.20s\" is not understood", parser->at);
}

static nature
parse_primary(pl_parser *parser)
{
    skip_blanks(parser);
    if (*parser->at == '\0')
        return refuse(parser, "it ends too early");
    if ((*parser->at >= '0' && *parser->at <= '9') || *parser->at == '.')
        return parse_number(parser);
    if (takes(parser, "("))
        return parse_enclosed(parser, ")");
    if (takes(parser, "|")) {
        parse_enclosed(parser, "|");
        emit(parser, HD_PL_FUNCTION, hd_pl_function_by_name("abs", 3), 0);
        return IS_OTHER;
    }
    if (takes(parser, "metric::"))
        return parse_metric(parser);
    if (takes(parser, "$"))
        return parse_variable(parser);
    if (takes(parser, "\"")) {
        emit(parser, HD_PL_TEXT, keep_text(parser, parse_quoted(parser)), 1);
        return IS_OTHER;
    }
    if (takes(parser, "{")) {
        parse_block(parser);
        expect(parser, "return");
        parse_expression(parser);
        expect(parser, ";");
        expect(parser, "}");
        return IS_OTHER;
    }
    return parse_word(parser);
}

/* ---- regular expressions ------------------------------------------------------------------------------------------------- */

/* Extended ones, but for what asks for much time or memory, or means something else in other kinds of them. */
static bool
is_harmless(const char *regex)
{
    size_t groups = 0, repeats = 1;

    for (const char *at = regex; *at != '\0'; at++)
        if (*at == '\\') {
            if (*++at == '\0' || (isalnum((unsigned char)*at) && strchr("wWsSbB", *at) == NULL))
                return false;
        } else if (*at == '(' && ++groups > MAX_GROUPS)
            return false;
        else if (*at == ')' && groups > 0)
            groups--;
        else if (*at == '+' && at > regex && strchr(")+*?}", at[-1]) != NULL) { /* a repeated part is there twice */
            repeats *= 2;
            if (repeats > MAX_REPEATS)
                return false;
        } else if (*at == '{') {
            size_t largest = 1;

            for (const char *digit = at + 1; *digit != '}' && *digit != '\0'; digit++)
                if (isdigit((unsigned char)*digit)) {
                    size_t bound = strtoul(digit, NULL, 10);

                    largest = bound > largest ? bound : largest;
                    digit += strspn(digit, "0123456789") - 1;
                }
            repeats = largest < MAX_REPEATS ? repeats * largest : MAX_REPEATS + 1;
            if (repeats > MAX_REPEATS)
                return false;
        }
    return true;
}

static void
parse_regex(pl_parser *parser)
{
    hd_pl_program     *program = parser->program;
    struct hd_pl_regex new;
    char               text[MAX_REGEX + 1];
    size_t             n = 0;

    expect(parser, "/");
    for (; *parser->at != '/' && *parser->at != '\0'; parser->at++) {
        if (parser->at[0] == '\\' && parser->at[1] == '/')
            parser->at++;
        if (n == MAX_REGEX) {
            refuse(parser, "a regular expression is too long");
            return;
        }
        text[n++] = *parser->at;
    }
    text[n] = '\0';
    if (*parser->at != '/') {
        refuse(parser, "a regular expression does not end");
        return;
    }
    parser->at++;
    if (!is_harmless(text) || regcomp(&new.compiled, text, REG_EXTENDED | REG_NOSUB) != 0) {
        refuse(parser, "the regular expression \"%.40s\" is not understood", text);
        return;
    }
    HD_PUSH(program->regexes, program->n_regexes, parser->regexes_capacity, new);
    emit(parser, HD_PL_REGEX, (uint32_t)program->n_regexes - 1, 0);
}

/* ---- operators ----------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *token;
    hd_pl_code  code;
    int         level;
} operators[] = {
    { "and", HD_PL_AND, 0 },   { "or", HD_PL_OR, 0 },          { "xor", HD_PL_XOR, 0 },   { "==", HD_PL_EQUAL, 1 },   { "!=", HD_PL_UNEQUAL, 1 },
    { "<=", HD_PL_LESS_EQUAL, 1 }, { ">=", HD_PL_GREATER_EQUAL, 1 }, { "=~", HD_PL_REGEX, 1 }, { "<", HD_PL_LESS, 1 }, { ">", HD_PL_GREATER, 1 },
    { "eq", HD_PL_SAME_TEXT, 1 }, { "seq", HD_PL_SIMILAR_TEXT, 1 }, { "+", HD_PL_ADD, 2 }, { "-", HD_PL_SUBTRACT, 2 }, { "*", HD_PL_MULTIPLY, 3 },
    { "/", HD_PL_DIVIDE, 3 },  { "^", HD_PL_POWER, 4 },
};

static bool
takes_operator(pl_parser *parser, int level, hd_pl_code *code)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (operators[i].level == level && takes(parser, operators[i].token)) {
            *code = operators[i].code;
            return true;
        }
    return false;
}

static nature
nature_of(hd_pl_code code, nature x, nature y)
{
    switch (code) {
    case HD_PL_ADD:
    case HD_PL_SUBTRACT: return x == y ? x : IS_OTHER;
    case HD_PL_MULTIPLY: return x == IS_CONSTANT ? y : y == IS_CONSTANT ? x : IS_OTHER;
    case HD_PL_DIVIDE: return y == IS_CONSTANT ? x : IS_OTHER;
    default: return x == IS_CONSTANT && y == IS_CONSTANT ? IS_CONSTANT : IS_OTHER;
    }
}

static nature parse_level(pl_parser *parser, int level);

/* What binds closer than - comes before a sign. */
static nature
parse_signed(pl_parser *parser)
{
    nature is;

    if (!takes(parser, "-"))
        return parse_level(parser, 3);
    if (!enter(parser))
        return IS_OTHER;
    is = parse_signed(parser);
    emit(parser, HD_PL_NEGATE, 0, 0);
    parser->depth--;
    return is;
}

/* Operators of a level and of all that bind closer. */
static nature
parse_level(pl_parser *parser, int level)
{
    nature     is;
    hd_pl_code code;

    if (level == N_LEVELS)
        return parse_primary(parser);
    is = level == 2 ? parse_signed(parser) : parse_level(parser, level + 1);
    while (takes_operator(parser, level, &code)) {
        nature other;

        if (code == HD_PL_REGEX) {
            parse_regex(parser);
            is = IS_OTHER;
            continue;
        }
        other = is_next(parser, "-") && level >= 2 ? parse_signed(parser) : parse_level(parser, level + 1);
        emit(parser, code, 0, -1);
        is = nature_of(code, is, other);
    }
    return is;
}

static nature
parse_expression(pl_parser *parser)
{
    nature is;

    if (!enter(parser))
        return IS_OTHER;
    is = parse_level(parser, 0);
    parser->depth--;
    return is;
}

/* ---- statements ---------------------------------------------------------------------------------------------------------- */

static void
parse_assignment(pl_parser *parser)
{
    char    *name = parse_variable_name(parser);
    uint32_t variable;

    if (is_reserved(name))
        refuse(parser, "it sets \"${%.60s}\"", name);
    variable = add_variable(parser, name);
    note(&parser->program->sets, &parser->program->n_sets, &parser->sets_capacity, variable);
    parse_index(parser);
    expect(parser, "=");
    parse_expression(parser);
    emit(parser, HD_PL_STORE, variable, -2);
}

/* global(name), local(name) */
static void
parse_declaration(pl_parser *parser, bool is_global)
{
    char    *name;
    uint32_t variable;

    expect(parser, "(");
    name = take_name(parser, name_letters, "a variable");
    if (is_reserved(name))
        refuse(parser, "it sets \"${%.60s}\"", name);
    expect(parser, ")");
    variable = add_variable(parser, name);
    note(&parser->program->sets, &parser->program->n_sets, &parser->sets_capacity, variable);
    if (*parser->why == '\0')
        parser->machine->variables[variable].is_global |= is_global;
}

static void
parse_void(pl_parser *parser)
{
    char *id = take_name(parser, id_letters, "a metric");
    char *key, *value;

    (void)keep_text(parser, id);
    expect(parser, "(");
    expect(parser, "\"");
    key = parse_quoted(parser);
    expect(parser, ",");
    expect(parser, "\"");
    value = parse_quoted(parser);
    expect(parser, ")");
    if (strcmp(key, "value") != 0 || strcmp(value, "VOID") != 0)
        refuse(parser, "it sets properties of metrics");
    free(key);
    free(value);
    emit(parser, HD_PL_VOID, (uint32_t)parser->program->n_texts - 1, 0);
}

/* Returns where the jump is whose target is not known yet. */
static size_t
emit_jump(pl_parser *parser, hd_pl_code code)
{
    emit(parser, code, 0, code == HD_PL_JUMP ? 0 : -1);
    return parser->program->n_ops - 1;
}

static void
land(pl_parser *parser, size_t jump)
{
    if (*parser->why == '\0')
        parser->program->ops[jump].operand = (uint32_t)parser->program->n_ops;
}

static void
parse_enclosed_block(pl_parser *parser)
{
    expect(parser, "{");
    parse_block(parser);
    expect(parser, "}");
}

static size_t
parse_condition(pl_parser *parser)
{
    expect(parser, "(");
    parse_enclosed(parser, ")");
    return emit_jump(parser, HD_PL_JUMP_UNLESS);
}

static void
parse_if(pl_parser *parser)
{
    size_t *ends = NULL;
    size_t  n = 0, capacity = 0;
    bool    is_more;

    do {
        size_t unless = parse_condition(parser);
        size_t end;

        parse_enclosed_block(parser);
        end = emit_jump(parser, HD_PL_JUMP);
        HD_PUSH(ends, n, capacity, end);
        land(parser, unless);
        is_more = takes(parser, "elseif");
    } while (is_more && *parser->why == '\0');
    if (takes(parser, "else"))
        parse_enclosed_block(parser);
    for (size_t i = 0; i < n; i++)
        land(parser, ends[i]);
    free(ends);
}

static void
parse_while(pl_parser *parser)
{
    size_t begin = parser->program->n_ops;
    size_t unless;

    parser->program->has_loops = true;
    unless                     = parse_condition(parser);
    parse_enclosed_block(parser);
    emit(parser, HD_PL_JUMP, (uint32_t)begin, 0);
    land(parser, unless);
}

/* false: there is no further statement. */
static bool
parse_statement(pl_parser *parser)
{
    if (takes(parser, ";"))
        return true;
    if (takes(parser, "if"))
        parse_if(parser);
    else if (takes(parser, "while"))
        parse_while(parser);
    else if (takes(parser, "$"))
        parse_assignment(parser);
    else if (is_next(parser, "global") || is_next(parser, "local")) {
        bool is_global = takes(parser, "global");

        (void)takes(parser, "local");
        parse_declaration(parser, is_global);
    } else if (takes(parser, "cube::metric::set::"))
        parse_void(parser);
    else if (strncmp(parser->at, "cube::", 6) == 0)
        refuse(parser, "it makes or changes metrics");
    else
        return false;
    return *parser->why == '\0';
}

static void
parse_block(pl_parser *parser)
{
    if (!enter(parser))
        return;
    while (parse_statement(parser))
        continue;
    parser->depth--;
}

/* ---- the whole ----------------------------------------------------------------------------------------------------------- */

static bool
is_straight(const hd_pl_program *program)
{
    for (size_t i = 0; i < program->n_ops; i++) {
        const struct hd_pl_op *op = &program->ops[i];

        if (op->code == HD_PL_STORE || op->code == HD_PL_JUMP || op->code == HD_PL_JUMP_UNLESS || op->code == HD_PL_VOID ||
            (op->code == HD_PL_FACT && op->operand == HD_PL_LOCATION))
            return false;
    }
    return true;
}

/* What it sets itself is not asked of others. */
static void
drop_own_reads(hd_pl_program *program)
{
    size_t n = 0;

    for (size_t i = 0; i < program->n_reads; i++) {
        bool is_own = false;

        for (size_t j = 0; j < program->n_sets && !is_own; j++)
            is_own = program->sets[j] == program->reads[i];
        if (!is_own)
            program->reads[n++] = program->reads[i];
    }
    program->n_reads = n;
}

bool
hd_pl_compile(hd_pl_machine *machine, const char *text, hd_pl_program *program, char *why, size_t why_bytes)
{
    pl_parser parser = { .machine = machine, .program = program, .at = text, .why = why, .why_bytes = why_bytes };

    *program = (hd_pl_program){ 0 };
    *why     = '\0';
    skip_blanks(&parser);
    if (*parser.at == '\0') {
        program->is_straight = true;
        return true;
    }
    program->is_linear = parse_expression(&parser) == IS_LINEAR;
    skip_blanks(&parser);
    if (*parser.at != '\0')
        refuse(&parser, "\"%.20s\" is not understood", parser.at);
    drop_own_reads(program);
    program->is_straight = is_straight(program);
    return *why == '\0';
}

void
hd_pl_fini(hd_pl_program *program)
{
    for (size_t i = 0; i < program->n_references; i++)
        free(program->references[i].id);
    for (size_t i = 0; i < program->n_texts; i++)
        free(program->texts[i]);
    for (size_t i = 0; i < program->n_regexes; i++)
        regfree(&program->regexes[i].compiled);
    free(program->references);
    free(program->texts);
    free(program->regexes);
    free(program->reads);
    free(program->sets);
    free(program->ops);
    *program = (hd_pl_program){ 0 };
}

char
hd_pl_formula(const hd_pl_program *program)
{
    static const struct {
        hd_pl_code code;
        char       formula;
        bool       any_order;
    } formulas[] = { { HD_PL_ADD, '+', true }, { HD_PL_SUBTRACT, '-', false }, { HD_PL_MAX, '>', true }, { HD_PL_MIN, '<', true } };

    if (program->n_ops != 3)
        return '?';
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        if (program->ops[2].code == formulas[i].code)
            if ((program->ops[0].code == HD_PL_ARG1 && program->ops[1].code == HD_PL_ARG2) ||
                (formulas[i].any_order && program->ops[0].code == HD_PL_ARG2 && program->ops[1].code == HD_PL_ARG1))
                return formulas[i].formula;
    return '?';
}
