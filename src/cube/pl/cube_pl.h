/* src/cube/pl/cube_pl.h: CubePL, the language of derived metrics, as far as it is understood.
 *
 *   numbers, "texts"    + - * / ^   ( )   |x|   == != < > <= >=   eq seq =~ /regular expression/   and or xor not true
 *                                                                 false
 *   sqrt exp log abs sin cos tan asin acos atan sgn pos neg floor ceil   min max   arg1 arg2   sizeof defined
 *   metric::NAME()   metric::NAME(i)   metric::NAME(e)   metric::NAME(*)   the same as metric::context::NAME, and with
 *                                                                          a second argument
 *   metric::fixed::NAME()   metric::fixed::NAME(i)   metric::call::NAME(call path, i)
 *   ${name}   ${name}[index]   what the report says of itself, such as ${cube::region::name}[id]: see facts[] in
 *                              pl_expression.c
 *   { statements; return value; }   ${name} = value   if (...) {...} elseif (...) {...} else {...}   while (...) {...}
 *                                                     global(name)   local(name)
 *   cube::metric::set::NAME("value", "VOID")   comments from // to the end of the line
 *
 * Everything of one precedence binds from the left; and, or, xor have the same; a sign binds like - does: -2^2 is -4. 0
 * divided by anything is 0, anything else divided by 0 is no number; the logarithm of 0 is no number, that of a
 * negative number, and its root, are 0. What was never assigned is 0. seq: equal but for upper and lower case. Anything
 * else is refused with a reason: random numbers, the environment, making metrics, values of other places.
 *
 * An expression is parsed once, into a program for a machine with a stack. A machine keeps the variables of all
 * programs of a report: global ones live as long as it does, others for one run. Texts are untrusted: nesting,
 * programs, regular expressions, steps and items of variables are limited.
 * Uses: base. MT: one thread per machine. Ranks: local. Owner: texts of values live as long as the machine's programs
 * and host.
 */
#ifndef HD_CUBE_PL_H
#define HD_CUBE_PL_H

#include "types.h"

typedef struct hd_pl_value {
    double      number;
    const char *text; /* NULL: it is a number */
} hd_pl_value;

typedef enum hd_pl_fact { /* what a host knows; the value with that index */
    HD_PL_N_METRICS, HD_PL_N_REGIONS, HD_PL_N_PATHS, HD_PL_N_LOCATIONS, HD_PL_N_GROUPS, HD_PL_N_NODES,
    HD_PL_METRIC, HD_PL_PATH, HD_PL_REGION, HD_PL_LOCATION, /* those that a value is computed for */
    HD_PL_PATH_FILE, HD_PL_PATH_LINE, HD_PL_PATH_N_CHILDREN, HD_PL_PATH_CALLEE, HD_PL_PATH_PARENT,
    HD_PL_REGION_NAME, HD_PL_REGION_MANGLED, HD_PL_REGION_PARADIGM, HD_PL_REGION_ROLE, HD_PL_REGION_URL,
    HD_PL_REGION_WHAT, HD_PL_REGION_FILE, HD_PL_REGION_BEGIN, HD_PL_REGION_END,
    HD_PL_NODE_NAME, HD_PL_NODE_CLASS, HD_PL_NODE_PARENT,
    HD_PL_GROUP_NAME, HD_PL_GROUP_PARENT, HD_PL_GROUP_RANK, HD_PL_GROUP_TYPE,
    HD_PL_LOCATION_NAME, HD_PL_LOCATION_TYPE, HD_PL_LOCATION_PARENT, HD_PL_LOCATION_RANK
} hd_pl_fact;

typedef enum hd_pl_scope {
    HD_PL_HERE,  /* the value at the call path and place that is asked for */
    HD_PL_PATH_SUM, /* at that call path, summed over all places */
    HD_PL_TOTAL, /* summed over everything */
    HD_PL_CALLED /* at another call path, summed over all places */
} hd_pl_scope;

typedef enum hd_pl_flavour {
    HD_PL_SAME, /* inclusive or exclusive as the expression as a whole is asked for */
    HD_PL_INCLUSIVE,
    HD_PL_EXCLUSIVE
} hd_pl_flavour;

typedef struct hd_pl_reference { /* of a metric; none twice in a program */
    char         *id;
    hd_pl_scope   scope;
    hd_pl_flavour flavour;
    uint32_t      metric; /* for the host to set; HD_NONE at first */
} hd_pl_reference;

typedef struct hd_pl_host { /* whose expressions they are */
    void *context;
    hd_pl_value (*fact)(void *context, hd_pl_fact fact, double index);
    double (*called)(void *context, const hd_pl_reference *reference, double path); /* HD_PL_CALLED */
    void (*set_void)(void *context, const char *id); /* a metric is to be zero */
} hd_pl_host;

typedef struct hd_pl_variable {
    char        *name;
    bool         is_global;
    bool         is_broken; /* set by a program that did not come to its end */
    hd_pl_value *items;     /* [n] */
    size_t       n, capacity;
} hd_pl_variable;

typedef struct hd_pl_machine {
    hd_pl_host      host;
    hd_pl_variable *variables; /* [n_variables] */
    hd_pl_value    *stack;     /* [stack_capacity] */
    size_t          n_variables, variables_capacity, stack_capacity;
    size_t          n_items, max_items; /* of all variables */
} hd_pl_machine;

typedef struct hd_pl_program {
    struct hd_pl_op    *ops; /* [n_ops] */
    hd_pl_reference    *references;
    char              **texts;
    struct hd_pl_regex *regexes;
    uint32_t           *reads; /* [n_reads] variables that it reads and does not set */
    uint32_t           *sets;  /* [n_sets] variables that it sets */
    size_t              n_ops, n_references, n_texts, n_regexes, n_reads, n_sets;
    size_t              n_stack;    /* values that wait at the same time, at most */
    bool                has_loops;
    bool                is_straight; /* it sets nothing, does not jump, and does not ask which place it is run for */
    bool                is_linear;  /* the result of sums is the sum of results, if that is so of all its references;
                                     * asks for HD_PL_SAME HD_PL_HERE only */
} hd_pl_program;

void hd_pl_machine_init(hd_pl_machine *machine, const hd_pl_host *host, size_t max_items);
void hd_pl_machine_fini(hd_pl_machine *machine);

/* why: [why_bytes] out, if it returns false: what is not understood. Owner: hd_pl_fini(), also then. An empty text is
 * 0. */
bool hd_pl_compile(hd_pl_machine *machine, const char *text, hd_pl_program *program, char *why, size_t why_bytes);
void hd_pl_fini(hd_pl_program *program);

/* Whether an aggregation formula is arg1 + arg2 ('+'), arg1 - arg2 ('-'), max(arg1, arg2) ('>'), min(arg1, arg2) ('<'),
 * or something else ('?'). */
char hd_pl_formula(const hd_pl_program *program);

/* Runs a program.
 *   rows     value of reference i at rows[i * stride]; not of HD_PL_CALLED ones. NULL: it has none
 *   result   out, if it returns true
 * false: it takes more than max_steps, or variables get more than max_items. Grows with: items of variables. Cost:
 * no allocation but for these. */
bool hd_pl_run(hd_pl_machine *machine, const hd_pl_program *program, const double *rows, size_t stride,
               uint64_t max_steps, double *result);

/* The same for n places at once, which is much faster.
 *   rows     [n_references][n]
 *   result   [n] out, if it returns true
 * false: it has to be run place by place. Grows with: n for each value that waits, while it runs. */
bool hd_pl_run_row(hd_pl_machine *machine, const hd_pl_program *program, const double *rows, size_t n, double *result);

#endif
