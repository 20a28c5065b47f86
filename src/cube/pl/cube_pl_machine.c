#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cube_pl_op.h"
#include "memory.h"
#include "status.h"

static double root(double x) { return x >= 0 ? sqrt(x) : x < 0 ? 0 : x; }
static double logarithm(double x) { return x > 0 ? log(x) : x < 0 ? 0 : NAN; }
static double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
static double positive(double x) { return x < 0 ? 0 : x; }
static double negative(double x) { return x > 0 ? 0 : x; }

static const struct {
    const char *name;
    double (*of)(double x);
} functions[] = {
    { "abs", fabs },  { "sqrt", root }, { "exp", exp },   { "log", logarithm }, { "sin", sin },      { "cos", cos },
    { "tan", tan },
    { "asin", asin }, { "acos", acos }, { "atan", atan }, { "sgn", sign },      { "pos", positive },
    { "neg", negative }, { "floor", floor },
    { "ceil", ceil },
};

enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

double
hd_pl_function(uint32_t function, double x)
{
    HD_ASSERT(function < N_FUNCTIONS);
    return functions[function].of(x);
}

uint32_t
hd_pl_function_by_name(const char *name, size_t n)
{
    for (uint32_t i = 0; i < N_FUNCTIONS; i++)
        if (strlen(functions[i].name) == n && strncmp(functions[i].name, name, n) == 0)
            return i;
    return HD_NONE;
}

void
hd_pl_machine_init(hd_pl_machine *machine, const hd_pl_host *host, size_t max_items)
{
    *machine = (hd_pl_machine){ .host = *host, .max_items = max_items };
}

void
hd_pl_machine_fini(hd_pl_machine *machine)
{
    for (size_t i = 0; i < machine->n_variables; i++) {
        free(machine->variables[i].name);
        free(machine->variables[i].items);
    }
    free(machine->variables);
    free(machine->stack);
    *machine = (hd_pl_machine){ 0 };
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static hd_pl_value
number(double x)
{
    return (hd_pl_value){ .number = x };
}

static double
number_of(hd_pl_value value)
{
    return value.text != NULL ? strtod(value.text, NULL) : value.number;
}

enum { NUMBER_BYTES = 32 };

static const char *
text_of(hd_pl_value value, char *buffer)
{
    if (value.text != NULL)
        return value.text;
    snprintf(buffer, NUMBER_BYTES, "%.14g", value.number);
    return buffer;
}

static bool
is_true(hd_pl_value value)
{
    return number_of(value) != 0;
}

static double
compare_texts(hd_pl_value x, hd_pl_value y, int (*compare)(const char *a, const char *b))
{
    char a[NUMBER_BYTES], b[NUMBER_BYTES];

    return compare(text_of(x, a), text_of(y, b)) == 0;
}

static inline double
apply(hd_pl_code code, double x, double y)
{
    switch (code) {
    case HD_PL_ADD: return x + y;
    case HD_PL_SUBTRACT: return x - y;
    case HD_PL_MULTIPLY: return x * y;
    case HD_PL_DIVIDE: return x == 0 ? 0 : y == 0 ? NAN : x / y;
    case HD_PL_POWER: return pow(x, y);
    case HD_PL_MIN: return y < x ? y : x;
    case HD_PL_MAX: return y > x ? y : x;
    case HD_PL_EQUAL: return x == y;
    case HD_PL_UNEQUAL: return x != y;
    case HD_PL_LESS: return x < y;
    case HD_PL_GREATER: return x > y;
    case HD_PL_LESS_EQUAL: return x <= y;
    case HD_PL_GREATER_EQUAL: return x >= y;
    case HD_PL_AND: return x != 0 && y != 0;
    case HD_PL_OR: return x != 0 || y != 0;
    default: return (x != 0) != (y != 0);
    }
}

static double
combine(hd_pl_code code, hd_pl_value a, hd_pl_value b)
{
    if (code == HD_PL_SAME_TEXT || code == HD_PL_SIMILAR_TEXT)
        return compare_texts(a, b, code == HD_PL_SAME_TEXT ? strcmp : strcasecmp);
    return apply(code, number_of(a), number_of(b));
}

/* ---- variables --------------------------------------------------------------------------------------------------- */

static hd_pl_value
load(const hd_pl_variable *variable, double index)
{
    return index >= 0 && index < (double)variable->n ? variable->items[(size_t)index] : number(0);
}

static bool
store(hd_pl_machine *machine, hd_pl_variable *variable, double index, hd_pl_value value)
{
    size_t i;

    if (!(index >= 0 && index < (double)machine->max_items))
        return false;
    i = (size_t)index;
    if (i >= variable->n) {
        size_t more = i + 1 - variable->n;

        if (more > machine->max_items - machine->n_items)
            return false;
        while (variable->capacity <= i)
            variable->items = hd_grow(variable->items, variable->capacity, &variable->capacity,
                                      sizeof *variable->items);
        memset(variable->items + variable->n, 0, more * sizeof *variable->items);
        variable->n = i + 1;
        machine->n_items += more;
    }
    variable->items[i] = value;
    return true;
}

static void
forget_locals(hd_pl_machine *machine, const hd_pl_program *program)
{
    for (size_t i = 0; i < program->n_sets; i++) {
        hd_pl_variable *variable = &machine->variables[program->sets[i]];

        if (variable->is_global)
            continue;
        machine->n_items -= variable->n;
        variable->n = 0;
    }
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static double
matches(const struct hd_pl_regex *regex, hd_pl_value value)
{
    char buffer[NUMBER_BYTES];

    return regexec(&regex->compiled, text_of(value, buffer), 0, NULL, 0) == 0;
}

typedef struct pl_run {
    hd_pl_machine       *machine;
    const hd_pl_program *program;
    const double        *rows;
    size_t               stride;
    hd_pl_value         *top; /* after the last value */
} pl_run;

/* Everything but jumps. false: a variable gets too large. */
static bool
step(pl_run *run, const struct hd_pl_op *op)
{
    hd_pl_machine *machine = run->machine;
    hd_pl_value   *top     = run->top;

    switch ((hd_pl_code)op->code) {
    case HD_PL_NUMBER: *run->top++ = number(op->number); break;
    case HD_PL_TEXT: *run->top++ = (hd_pl_value){ .text = run->program->texts[op->operand] }; break;
    case HD_PL_VALUE: *run->top++ = number(run->rows != NULL ? run->rows[op->operand * run->stride] : 0); break;
    case HD_PL_CALL:
        top[-1] = number(machine->host.called(machine->host.context, &run->program->references[op->operand],
                                              number_of(top[-1])));
        break;
    case HD_PL_FACT: top[-1] = machine->host.fact(machine->host.context, (hd_pl_fact)op->operand,
                                                  number_of(top[-1])); break;
    case HD_PL_LOAD: top[-1] = load(&machine->variables[op->operand], number_of(top[-1])); break;
    case HD_PL_STORE:
        run->top -= 2;
        return store(machine, &machine->variables[op->operand], number_of(top[-2]), top[-1]);
    case HD_PL_SIZE: *run->top++ = number((double)machine->variables[op->operand].n); break;
    case HD_PL_NEGATE: top[-1] = number(-number_of(top[-1])); break;
    case HD_PL_FUNCTION: top[-1] = number(hd_pl_function(op->operand, number_of(top[-1]))); break;
    case HD_PL_NOT: top[-1] = number(!is_true(top[-1])); break;
    case HD_PL_REGEX: top[-1] = number(matches(&run->program->regexes[op->operand], top[-1])); break;
    case HD_PL_VOID: machine->host.set_void(machine->host.context, run->program->texts[op->operand]); break;
    case HD_PL_ARG1:
    case HD_PL_ARG2: *run->top++ = number(0); break; /* of aggregation formulas, which are not run */
    default:
        run->top--;
        top[-2] = number(combine((hd_pl_code)op->code, top[-2], top[-1]));
        break;
    }
    return true;
}

static void
grow_stack(hd_pl_machine *machine, const hd_pl_program *program)
{
    if (machine->stack_capacity > program->n_stack)
        return;
    machine->stack_capacity = program->n_stack + 1;
    machine->stack          = hd_realloc(machine->stack, machine->stack_capacity, sizeof *machine->stack);
}

bool
hd_pl_run(hd_pl_machine *machine, const hd_pl_program *program, const double *rows, size_t stride, uint64_t max_steps,
          double *result)
{
    pl_run run   = { .machine = machine, .program = program, .rows = rows, .stride = stride };
    bool   is_ok = true;

    grow_stack(machine, program);
    run.top = machine->stack;
    for (size_t i = 0; i < program->n_ops && is_ok; i++) {
        const struct hd_pl_op *op = &program->ops[i];

        is_ok = max_steps-- > 0;
        if (op->code == HD_PL_JUMP || (op->code == HD_PL_JUMP_UNLESS && !is_true(*--run.top)))
            i = (size_t)op->operand - 1; /* 0 wraps around, and back */
        else if (op->code != HD_PL_JUMP_UNLESS)
            is_ok = is_ok && step(&run, op);
    }
    if (is_ok)
        *result = run.top > machine->stack ? number_of(run.top[-1]) : 0;
    forget_locals(machine, program);
    return is_ok;
}

/* ---- running for all places at once ------------------------------------------------------------------------------ */

typedef struct pl_place { /* of the stack */
    hd_pl_value   value; /* of all places, where row is NULL */
    const double *row;   /* [n] */
} pl_place;

static void
negate_row(hd_pl_code code, uint32_t operand, const double *x, double *to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = code == HD_PL_NEGATE ? -x[i] : code == HD_PL_NOT ? x[i] == 0 : hd_pl_function(operand, x[i]);
}

static void
combine_rows(hd_pl_code code, const pl_place *a, const pl_place *b, double *to, size_t n)
{
    double        one_a = number_of(a->value), one_b = number_of(b->value);
    const double *x = a->row != NULL ? a->row : &one_a, *y = b->row != NULL ? b->row : &one_b;
    size_t        step_x = a->row != NULL, step_y = b->row != NULL;

    for (size_t i = 0; i < n; i++)
        to[i] = apply(code, x[i * step_x], y[i * step_y]);
}

static size_t
n_operands(hd_pl_code code)
{
    switch (code) {
    case HD_PL_NUMBER:
    case HD_PL_TEXT:
    case HD_PL_VALUE:
    case HD_PL_SIZE:
    case HD_PL_ARG1:
    case HD_PL_ARG2: return 0;
    case HD_PL_CALL:
    case HD_PL_FACT:
    case HD_PL_LOAD:
    case HD_PL_REGEX:
    case HD_PL_NEGATE:
    case HD_PL_FUNCTION:
    case HD_PL_NOT: return 1;
    default: return 2;
    }
}

/* Runs one op, if it can be run for all places at once: indexes and texts that are others at each place cannot. */
static bool
step_row(pl_run *run, pl_place *places, double *work, size_t n, const struct hd_pl_op *op)
{
    hd_pl_code   code   = (hd_pl_code)op->code;
    size_t       n_in   = n_operands(code);
    size_t       at     = (size_t)(run->top - run->machine->stack) - n_in; /* of the first operand, and of the result */
    bool         is_row = false;

    for (size_t i = 0; i < n_in; i++) {
        is_row |= places[at + i].row != NULL;
        places[at + i].value = run->machine->stack[at + i];
    }
    if (!is_row) {
        places[at].row = code == HD_PL_VALUE ? run->rows + op->operand * n : NULL;
        return step(run, op);
    }
    if (code == HD_PL_NEGATE || code == HD_PL_FUNCTION || code == HD_PL_NOT)
        negate_row(code, op->operand, places[at].row, work + at * n, n);
    else if (code >= HD_PL_ADD && code <= HD_PL_XOR)
        combine_rows(code, &places[at], &places[at + 1], work + at * n, n);
    else
        return false;
    places[at].row = work + at * n;
    run->top -= n_in - 1;
    return true;
}

bool
hd_pl_run_row(hd_pl_machine *machine, const hd_pl_program *program, const double *rows, size_t n, double *result)
{
    pl_run    run = { .machine = machine, .program = program, .rows = rows, .stride = n };
    pl_place *places;
    double   *work;
    bool      is_ok = program->is_straight;

    if (!is_ok || n == 0)
        return is_ok;
    grow_stack(machine, program);
    run.top = machine->stack;
    places  = HD_NEW_ARRAY(pl_place, program->n_stack + 1);
    work    = HD_NEW_UNSET(double, program->n_stack * n + 1);
    for (size_t i = 0; i < program->n_ops && is_ok; i++)
        is_ok = step_row(&run, places, work, n, &program->ops[i]);
    for (size_t i = 0; i < n && is_ok; i++)
        result[i] = program->n_ops == 0 ? 0 : places[0].row != NULL ? places[0].row[i] : number_of(machine->stack[0]);
    free(places);
    free(work);
    return is_ok;
}
