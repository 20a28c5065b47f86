#include "cube_pl.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

enum {
    MAX_NESTING = 100,   /* of parentheses and signs */
    MAX_OPS     = 10000,
    MAX_NUMBER  = 64,    /* characters */
};

typedef enum op_code {
    OP_NUMBER, OP_METRIC, OP_ADD, OP_SUBTRACT, OP_MULTIPLY, OP_DIVIDE, OP_POWER, OP_NEGATE, OP_FUNCTION, OP_MIN, OP_MAX
} op_code;

/* What is known of a part of an expression. */
typedef enum nature { IS_CONSTANT, IS_LINEAR, IS_OTHER } nature;

typedef struct pl_parser {
    hd_pl_program *program;
    const char    *at;
    size_t         ops_capacity, references_capacity;
    uint32_t       depth, n_stack;
    char          *why; /* [why_bytes] the first reason; "": none yet */
    size_t         why_bytes;
} pl_parser;

/* ---- functions ----------------------------------------------------------------------------------------------------------- */

static double root(double x) { return x >= 0 ? sqrt(x) : x < 0 ? 0 : x; }
static double logarithm(double x) { return x > 0 ? log(x) : x < 0 ? 0 : NAN; }
static double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
static double positive(double x) { return x < 0 ? 0 : x; }
static double negative(double x) { return x > 0 ? 0 : x; }

static const struct {
    const char *name;
    double (*of)(double x);
} functions[] = {
    { "sqrt", root }, { "exp", exp },   { "log", logarithm },  { "abs", fabs },      { "sin", sin },     { "cos", cos },   { "tan", tan },
    { "asin", asin }, { "acos", acos }, { "atan", atan },      { "sgn", sign },      { "pos", positive }, { "neg", negative },
    { "floor", floor }, { "ceil", ceil },
};

enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

/* ---- parsing ------------------------------------------------------------------------------------------------------------- */

static nature parse_sum(pl_parser *parser);

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

static bool
takes(pl_parser *parser, const char *token)
{
    skip_blanks(parser);
    if (strncmp(parser->at, token, strlen(token)) != 0)
        return false;
    parser->at += strlen(token);
    return true;
}

static void
expect(pl_parser *parser, const char *token)
{
    if (!takes(parser, token))
        refuse(parser, *parser->at != '\0' ? "\"%s\" is missing before \"%.20s\"" : "\"%s\" is missing", token, parser->at);
}

static void
emit(pl_parser *parser, hd_pl_op op, int pushes)
{
    hd_pl_program *program = parser->program;

    if (*parser->why != '\0')
        return;
    if (program->n_ops == MAX_OPS) {
        refuse(parser, "it is too long");
        return;
    }
    HD_PUSH(program->ops, program->n_ops, parser->ops_capacity, op);
    parser->n_stack = (uint32_t)((int)parser->n_stack + pushes);
    if (parser->n_stack > program->n_stack)
        program->n_stack = parser->n_stack;
}

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
    emit(parser, (hd_pl_op){ .code = OP_NUMBER, .number = value }, 1);
    return IS_CONSTANT;
}

/* Behind the name: (), (x) or (x,y). y is about the system tree, where only what asks for nothing special is understood. */
static hd_pl_flavour
parse_flavour(pl_parser *parser)
{
    hd_pl_flavour flavour = HD_PL_SAME;

    expect(parser, "(");
    if (takes(parser, ")"))
        return flavour;
    if (takes(parser, "i"))
        flavour = HD_PL_INCLUSIVE;
    else if (takes(parser, "e"))
        flavour = HD_PL_EXCLUSIVE;
    else
        expect(parser, "*");
    if (takes(parser, ",") && !takes(parser, "*") && !takes(parser, "i"))
        refuse(parser, "it asks for exclusive values along the system tree");
    expect(parser, ")");
    return flavour;
}

static nature
parse_metric(pl_parser *parser)
{
    hd_pl_program  *program   = parser->program;
    hd_pl_reference reference = { .metric = HD_NONE };
    size_t          n;

    if (takes(parser, "fixed::") || takes(parser, "call::"))
        return refuse(parser, "it asks for values of other call paths or places");
    (void)takes(parser, "context::");
    n = strspn(parser->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:=.");
    if (n == 0)
        return refuse(parser, "a metric has no name");
    reference.id = memcpy(HD_NEW_ARRAY(char, n + 1), parser->at, n);
    parser->at += n;
    reference.flavour = parse_flavour(parser);
    emit(parser, (hd_pl_op){ .code = OP_METRIC, .operand = (uint32_t)program->n_references }, 1);
    HD_PUSH(program->references, program->n_references, parser->references_capacity, reference);
    return reference.flavour == HD_PL_SAME ? IS_LINEAR : IS_OTHER;
}

static nature
parse_least_or_largest(pl_parser *parser, op_code code)
{
    expect(parser, "(");
    parse_sum(parser);
    expect(parser, ",");
    parse_sum(parser);
    expect(parser, ")");
    emit(parser, (hd_pl_op){ .code = (uint8_t)code }, -1);
    return IS_OTHER;
}

static nature
parse_word(pl_parser *parser)
{
    size_t n = strspn(parser->at, "abcdefghijklmnopqrstuvwxyz");

    if (n == strlen("min") && (takes(parser, "min") || takes(parser, "max")))
        return parse_least_or_largest(parser, parser->at[-1] == 'n' ? OP_MIN : OP_MAX);
    for (uint32_t i = 0; i < N_FUNCTIONS; i++)
        if (strlen(functions[i].name) == n && takes(parser, functions[i].name)) {
            expect(parser, "(");
            parse_sum(parser);
            expect(parser, ")");
            emit(parser, (hd_pl_op){ .code = OP_FUNCTION, .operand = i }, 0);
            return IS_OTHER;
        }
    return refuse(parser, "\"%.20s\" is not understood", parser->at);
}

static nature
parse_enclosed(pl_parser *parser, const char *end)
{
    nature is = parse_sum(parser);

    expect(parser, end);
    return is;
}

static nature
parse_value(pl_parser *parser)
{
    nature is;

    skip_blanks(parser);
    if (*parser->at == '\0')
        return refuse(parser, "it ends too early");
    if ((*parser->at >= '0' && *parser->at <= '9') || *parser->at == '.')
        return parse_number(parser);
    if (takes(parser, "("))
        return parse_enclosed(parser, ")");
    if (takes(parser, "|")) {
        parse_enclosed(parser, "|");
        for (uint32_t i = 0; i < N_FUNCTIONS; i++)
            if (functions[i].of == fabs)
                emit(parser, (hd_pl_op){ .code = OP_FUNCTION, .operand = i }, 0);
        return IS_OTHER;
    }
    if (takes(parser, "metric::"))
        return parse_metric(parser);
    if (takes(parser, "{")) {
        if (!takes(parser, "return"))
            return refuse(parser, "it has statements");
        is = parse_enclosed(parser, ";");
        expect(parser, "}");
        return is;
    }
    return parse_word(parser);
}

static nature
parse_signed(pl_parser *parser)
{
    nature is;

    if (++parser->depth > MAX_NESTING)
        return refuse(parser, "it is nested too deeply");
    if (takes(parser, "-")) {
        is = parse_signed(parser);
        emit(parser, (hd_pl_op){ .code = OP_NEGATE }, 0);
    } else
        is = parse_value(parser);
    parser->depth--;
    return is;
}

static nature
parse_power(pl_parser *parser)
{
    nature is = parse_signed(parser);

    while (takes(parser, "^")) {
        nature other = parse_signed(parser);

        emit(parser, (hd_pl_op){ .code = OP_POWER }, -1);
        is = is == IS_CONSTANT && other == IS_CONSTANT ? IS_CONSTANT : IS_OTHER;
    }
    return is;
}

static nature
parse_product(pl_parser *parser)
{
    nature is = parse_power(parser);

    for (;;) {
        bool   divides = takes(parser, "/");
        nature other;

        if (!divides && !takes(parser, "*"))
            return is;
        other = parse_power(parser);
        emit(parser, (hd_pl_op){ .code = divides ? OP_DIVIDE : OP_MULTIPLY }, -1);
        if (other != IS_CONSTANT)
            is = is == IS_CONSTANT && !divides ? other : IS_OTHER;
    }
}

static nature
parse_sum(pl_parser *parser)
{
    nature is = parse_product(parser);

    for (;;) {
        bool   subtracts = takes(parser, "-");
        nature other;

        if (!subtracts && !takes(parser, "+"))
            return is;
        other = parse_product(parser);
        emit(parser, (hd_pl_op){ .code = subtracts ? OP_SUBTRACT : OP_ADD }, -1);
        is = is == other ? is : IS_OTHER;
    }
}

bool
hd_pl_compile(const char *text, hd_pl_program *program, char *why, size_t why_bytes)
{
    pl_parser parser = { .program = program, .at = text, .why = why, .why_bytes = why_bytes };

    *program = (hd_pl_program){ 0 };
    *why     = '\0';
    program->is_linear = parse_sum(&parser) == IS_LINEAR;
    skip_blanks(&parser);
    if (*parser.at != '\0')
        refuse(&parser, "\"%.20s\" is not understood", parser.at);
    return *why == '\0';
}

void
hd_pl_fini(hd_pl_program *program)
{
    for (size_t i = 0; i < program->n_references; i++)
        free(program->references[i].id);
    free(program->references);
    free(program->ops);
    *program = (hd_pl_program){ 0 };
}

/* ---- evaluating ---------------------------------------------------------------------------------------------------------- */

static double
divide(double x, double y)
{
    return x == 0 ? 0 : y == 0 ? NAN : x / y;
}

static void
combine(op_code code, double *x, const double *y, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        switch (code) {
        case OP_ADD: x[i] += y[i]; break;
        case OP_SUBTRACT: x[i] -= y[i]; break;
        case OP_MULTIPLY: x[i] *= y[i]; break;
        case OP_DIVIDE: x[i] = divide(x[i], y[i]); break;
        case OP_POWER: x[i] = pow(x[i], y[i]); break;
        case OP_MIN: x[i] = y[i] < x[i] ? y[i] : x[i]; break;
        default: x[i] = y[i] > x[i] ? y[i] : x[i]; break;
        }
}

hd_status
hd_pl_evaluate(const hd_pl_program *program, uint32_t n, hd_pl_fetch fetch, void *context, double *result)
{
    double   *stack  = HD_NEW_UNSET(double, (size_t)program->n_stack * n + 1);
    double   *top    = stack; /* behind the last row */
    hd_status status = HD_OK;

    for (size_t i = 0; i < program->n_ops && status == HD_OK; i++) {
        const hd_pl_op *op = &program->ops[i];

        switch ((op_code)op->code) {
        case OP_NUMBER:
            for (uint32_t j = 0; j < n; j++)
                top[j] = op->number;
            top += n;
            break;
        case OP_METRIC:
            status = fetch(context, &program->references[op->operand], top);
            top += n;
            break;
        case OP_NEGATE:
            for (uint32_t j = 0; j < n; j++)
                top[(ptrdiff_t)j - (ptrdiff_t)n] *= -1;
            break;
        case OP_FUNCTION:
            for (uint32_t j = 0; j < n; j++)
                top[(ptrdiff_t)j - (ptrdiff_t)n] = functions[op->operand].of(top[(ptrdiff_t)j - (ptrdiff_t)n]);
            break;
        default:
            top -= n;
            combine((op_code)op->code, top - n, top, n);
            break;
        }
    }
    if (status == HD_OK)
        memcpy(result, stack, n * sizeof *result);
    free(stack);
    return status;
}
