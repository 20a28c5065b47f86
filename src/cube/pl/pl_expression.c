/* src/cube/pl/pl_expression.c: expressions of CubePL: what stands for a value, and operators. */
#include "pl_expression.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "pl_regex.h"

enum {
    MAX_REFERENCES = 1000,
    MAX_NUMBER     = 64, /* characters */
    N_LEVELS       = 5,  /* of precedence */
};

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

/* ---- what stands for a value ------------------------------------------------------------------------------------- */

static hd_pl_nature
parse_number(hd_pl_parser *parser)
{
    char   text[MAX_NUMBER + 1];
    size_t n = strspn(parser->at, "0123456789.");
    char  *end;
    double value;

    if (n > MAX_NUMBER)
        return hd_pl_refuse(parser, "a number is too long");
    memcpy(text, parser->at, n);
    text[n] = '\0';
    value   = strtod(text, &end);
    if (*end != '\0' || end == text)
        return hd_pl_refuse(parser, "\"%s\" is no number", text);
    parser->at += n;
    hd_pl_emit_number(parser, value);
    return HD_PL_CONSTANT;
}

static hd_pl_flavour
parse_flavour(hd_pl_parser *parser)
{
    if (hd_pl_takes(parser, "i"))
        return HD_PL_INCLUSIVE;
    if (hd_pl_takes(parser, "e"))
        return HD_PL_EXCLUSIVE;
    hd_pl_expect(parser, "*");
    return HD_PL_SAME;
}

static uint32_t
add_reference(hd_pl_parser *parser, hd_pl_reference reference)
{
    hd_pl_program *program = parser->program;

    for (size_t i = 0; i < program->n_references; i++) {
        const hd_pl_reference *other = &program->references[i];

        if (other->scope == reference.scope && other->flavour == reference.flavour &&
            strcmp(other->id, reference.id) == 0) {
            free(reference.id);
            return (uint32_t)i;
        }
    }
    if (program->n_references == MAX_REFERENCES)
        hd_pl_refuse(parser, "it asks for too many metrics");
    HD_PUSH(program->references, program->n_references, parser->references_capacity, reference);
    return (uint32_t)program->n_references - 1;
}

static hd_pl_nature
parse_called(hd_pl_parser *parser)
{
    hd_pl_reference reference = { .metric = HD_NONE, .scope = HD_PL_CALLED };

    reference.id = hd_pl_take_name(parser, HD_PL_ID_LETTERS, "a metric");
    hd_pl_expect(parser, "(");
    hd_pl_parse_expression(parser);
    hd_pl_expect(parser, ",");
    reference.flavour = parse_flavour(parser);
    if (hd_pl_is_next(parser, ","))
        hd_pl_refuse(parser, "it asks for values of other places");
    hd_pl_expect(parser, ")");
    hd_pl_emit(parser, HD_PL_CALL, add_reference(parser, reference), 0);
    return HD_PL_OTHER;
}

static hd_pl_nature
parse_metric(hd_pl_parser *parser)
{
    hd_pl_reference reference = { .metric = HD_NONE };
    bool            is_fixed  = false, has_place = false;

    if (hd_pl_takes(parser, "call::"))
        return parse_called(parser);
    if (hd_pl_takes(parser, "fixed::"))
        is_fixed = true;
    else if (strncmp(parser->at, "set::", 5) == 0 || strncmp(parser->at, "get::", 5) == 0)
        return hd_pl_refuse(parser, "it asks for the properties of metrics");
    else
        (void)hd_pl_takes(parser, "context::");
    reference.id = hd_pl_take_name(parser, HD_PL_ID_LETTERS, "a metric");
    hd_pl_expect(parser, "(");
    if (is_fixed)
        reference.scope = hd_pl_is_next(parser, ")") ? HD_PL_TOTAL : HD_PL_PATH_SUM;
    if (!hd_pl_is_next(parser, ")")) {
        reference.flavour = parse_flavour(parser);
        has_place         = hd_pl_takes(parser, ",");
        if (has_place) /* one place alone is the same inclusively and exclusively */
            (void)parse_flavour(parser);
    }
    if (has_place)
        reference.scope = HD_PL_HERE;
    hd_pl_expect(parser, ")");
    is_fixed = reference.scope != HD_PL_HERE || reference.flavour != HD_PL_SAME;
    hd_pl_emit(parser, HD_PL_VALUE, add_reference(parser, reference), 1);
    return is_fixed ? HD_PL_OTHER : HD_PL_LINEAR;
}

/* [index], else 0. */
void
hd_pl_parse_index(hd_pl_parser *parser)
{
    if (hd_pl_takes(parser, "[")) {
        hd_pl_parse_expression(parser);
        hd_pl_expect(parser, "]");
    } else
        hd_pl_emit_number(parser, 0);
}

static hd_pl_nature
parse_variable(hd_pl_parser *parser)
{
    char *name = hd_pl_take_variable_name(parser);

    hd_pl_parse_index(parser);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (strcmp(facts[i].name, name) == 0) {
            free(name);
            hd_pl_emit(parser, HD_PL_FACT, (uint32_t)facts[i].fact, 0);
            return HD_PL_OTHER;
        }
    if (hd_pl_is_reserved(name)) {
        hd_pl_refuse(parser, "\"${%.60s}\" is not known", name);
        free(name);
        return HD_PL_OTHER;
    }
    hd_pl_emit(parser, HD_PL_LOAD, hd_pl_note_read(parser, hd_pl_add_variable(parser, name)), 0);
    return HD_PL_OTHER;
}

/* sizeof(name): its items; defined(name): whether it has some. */
static hd_pl_nature
parse_size(hd_pl_parser *parser, bool is_defined)
{
    char *name;

    hd_pl_expect(parser, "(");
    name = hd_pl_take_name(parser, HD_PL_NAME_LETTERS, "a variable");
    if (hd_pl_is_reserved(name))
        hd_pl_refuse(parser, "\"%.60s\" is not known", name);
    hd_pl_emit(parser, HD_PL_SIZE, hd_pl_note_read(parser, hd_pl_add_variable(parser, name)), 1);
    hd_pl_expect(parser, ")");
    if (is_defined) {
        hd_pl_emit_number(parser, 0);
        hd_pl_emit(parser, HD_PL_GREATER, 0, -1);
    }
    return HD_PL_OTHER;
}

static hd_pl_nature
parse_least_or_largest(hd_pl_parser *parser, hd_pl_code code)
{
    hd_pl_expect(parser, "(");
    hd_pl_parse_expression(parser);
    hd_pl_expect(parser, ",");
    hd_pl_parse_expression(parser);
    hd_pl_expect(parser, ")");
    hd_pl_emit(parser, code, 0, -1);
    return HD_PL_OTHER;
}

static hd_pl_nature
parse_argument(hd_pl_parser *parser, hd_pl_code code)
{
    hd_pl_emit(parser, code, 0, 1);
    return HD_PL_OTHER;
}

hd_pl_nature
hd_pl_parse_enclosed(hd_pl_parser *parser, const char *end)
{
    hd_pl_nature is = hd_pl_parse_expression(parser);

    hd_pl_expect(parser, end);
    return is;
}

static hd_pl_nature
parse_not(hd_pl_parser *parser)
{
    hd_pl_expect(parser, "(");
    hd_pl_parse_enclosed(parser, ")");
    hd_pl_emit(parser, HD_PL_NOT, 0, 0);
    return HD_PL_OTHER;
}

static hd_pl_nature
parse_word(hd_pl_parser *parser)
{
    size_t   n        = strspn(parser->at, HD_PL_LETTERS);
    uint32_t function = hd_pl_function_by_name(parser->at, n);

    if (function != HD_NONE) {
        parser->at += n;
        hd_pl_expect(parser, "(");
        hd_pl_parse_enclosed(parser, ")");
        hd_pl_emit(parser, HD_PL_FUNCTION, function, 0);
        return HD_PL_OTHER;
    }
    if (hd_pl_takes(parser, "min"))
        return parse_least_or_largest(parser, HD_PL_MIN);
    if (hd_pl_takes(parser, "max"))
        return parse_least_or_largest(parser, HD_PL_MAX);
    if (hd_pl_takes(parser, "not"))
        return parse_not(parser);
    if (hd_pl_takes(parser, "arg1"))
        return parse_argument(parser, HD_PL_ARG1);
    if (hd_pl_takes(parser, "arg2"))
        return parse_argument(parser, HD_PL_ARG2);
    if (hd_pl_takes(parser, "sizeof"))
        return parse_size(parser, false);
    if (hd_pl_takes(parser, "defined"))
        return parse_size(parser, true);
    if (hd_pl_is_next(parser, "true") || hd_pl_is_next(parser, "false")) {
        hd_pl_emit_number(parser, hd_pl_takes(parser, "true"));
        (void)hd_pl_takes(parser, "false");
        return HD_PL_CONSTANT;
    }
    if (hd_pl_is_next(parser, "random"))
        return hd_pl_refuse(parser, "it asks for random numbers");
    if (hd_pl_is_next(parser, "env"))
        return hd_pl_refuse(parser, "it asks for the environment");
    return hd_pl_refuse(parser, "\"%.20s\" is not understood", parser->at);
}

static hd_pl_nature
parse_primary(hd_pl_parser *parser)
{
    hd_pl_skip_blanks(parser);
    if (*parser->at == '\0')
        return hd_pl_refuse(parser, "it ends too early");
    if ((*parser->at >= '0' && *parser->at <= '9') || *parser->at == '.')
        return parse_number(parser);
    if (hd_pl_takes(parser, "("))
        return hd_pl_parse_enclosed(parser, ")");
    if (hd_pl_takes(parser, "|")) {
        hd_pl_parse_enclosed(parser, "|");
        hd_pl_emit(parser, HD_PL_FUNCTION, hd_pl_function_by_name("abs", 3), 0);
        return HD_PL_OTHER;
    }
    if (hd_pl_takes(parser, "metric::"))
        return parse_metric(parser);
    if (hd_pl_takes(parser, "$"))
        return parse_variable(parser);
    if (hd_pl_takes(parser, "\"")) {
        hd_pl_emit(parser, HD_PL_TEXT, hd_pl_keep_text(parser, hd_pl_take_quoted(parser)), 1);
        return HD_PL_OTHER;
    }
    if (hd_pl_takes(parser, "{")) {
        parser->block(parser);
        hd_pl_expect(parser, "return");
        hd_pl_parse_expression(parser);
        hd_pl_expect(parser, ";");
        hd_pl_expect(parser, "}");
        return HD_PL_OTHER;
    }
    return parse_word(parser);
}

/* ---- regular expressions ----------------------------------------------------------------------------------------- */
/* ---- operators --------------------------------------------------------------------------------------------------- */

static const struct {
    const char *token;
    hd_pl_code  code;
    int         level;
} operators[] = {
    { "and", HD_PL_AND, 0 },   { "or", HD_PL_OR, 0 },          { "xor", HD_PL_XOR, 0 },   { "==", HD_PL_EQUAL, 1 },
    { "!=", HD_PL_UNEQUAL, 1 },
    { "<=", HD_PL_LESS_EQUAL, 1 }, { ">=", HD_PL_GREATER_EQUAL, 1 }, { "=~", HD_PL_REGEX, 1 }, { "<", HD_PL_LESS, 1 },
    { ">", HD_PL_GREATER, 1 },
    { "eq", HD_PL_SAME_TEXT, 1 }, { "seq", HD_PL_SIMILAR_TEXT, 1 }, { "+", HD_PL_ADD, 2 }, { "-", HD_PL_SUBTRACT, 2 },
    { "*", HD_PL_MULTIPLY, 3 }, { "/", HD_PL_DIVIDE, 3 },  { "^", HD_PL_POWER, 4 },
};

static bool
takes_operator(hd_pl_parser *parser, int level, hd_pl_code *code)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (operators[i].level == level && hd_pl_takes(parser, operators[i].token)) {
            *code = operators[i].code;
            return true;
        }
    return false;
}

static hd_pl_nature
nature_of(hd_pl_code code, hd_pl_nature x, hd_pl_nature y)
{
    switch (code) {
    case HD_PL_ADD:
    case HD_PL_SUBTRACT: return x == y ? x : HD_PL_OTHER;
    case HD_PL_MULTIPLY: return x == HD_PL_CONSTANT ? y : y == HD_PL_CONSTANT ? x : HD_PL_OTHER;
    case HD_PL_DIVIDE: return y == HD_PL_CONSTANT ? x : HD_PL_OTHER;
    default: return x == HD_PL_CONSTANT && y == HD_PL_CONSTANT ? HD_PL_CONSTANT : HD_PL_OTHER;
    }
}

static hd_pl_nature parse_level(hd_pl_parser *parser, int level);

/* What binds closer than - comes before a sign. */
static hd_pl_nature
parse_signed(hd_pl_parser *parser)
{
    hd_pl_nature is;

    if (!hd_pl_takes(parser, "-"))
        return parse_level(parser, 3);
    if (!hd_pl_enter(parser))
        return HD_PL_OTHER;
    is = parse_signed(parser);
    hd_pl_emit(parser, HD_PL_NEGATE, 0, 0);
    parser->depth--;
    return is;
}

/* Operators of a level and of all that bind closer. */
static hd_pl_nature
parse_level(hd_pl_parser *parser, int level)
{
    hd_pl_nature     is;
    hd_pl_code code;

    if (level == N_LEVELS)
        return parse_primary(parser);
    is = level == 2 ? parse_signed(parser) : parse_level(parser, level + 1);
    while (takes_operator(parser, level, &code)) {
        hd_pl_nature other;

        if (code == HD_PL_REGEX) {
            hd_pl_parse_regex(parser);
            is = HD_PL_OTHER;
            continue;
        }
        other = hd_pl_is_next(parser, "-") && level >= 2 ? parse_signed(parser) : parse_level(parser, level + 1);
        hd_pl_emit(parser, code, 0, -1);
        is = nature_of(code, is, other);
    }
    return is;
}

hd_pl_nature
hd_pl_parse_expression(hd_pl_parser *parser)
{
    hd_pl_nature is;

    if (!hd_pl_enter(parser))
        return HD_PL_OTHER;
    is = parse_level(parser, 0);
    parser->depth--;
    return is;
}
