/* src/report/cube_pl.h: the expressions of derived metrics (CubePL), as far as they are understood.
 *
 *   numbers   + - * / ^   ( )   |x|   sqrt exp log abs sin cos tan asin acos atan sgn pos neg floor ceil   min max
 *   metric::NAME()   metric::NAME(i)   metric::NAME(e)   metric::NAME(*)   the same as metric::context::NAME, and with a second * or i
 *   { return ...; }   comments from // to the end of the line
 *
 * ^ binds like * does to +, from the left; a sign binds closest: -2^2 is 4. 0 divided by anything is 0, anything else divided by 0 is no
 * number; the logarithm of 0 is no number, that of a negative number, and its root, are 0. What asks for other call paths, variables, statements or regular
 * expressions is refused with a reason.
 * Texts are untrusted: nesting is limited. Uses: base. MT: any thread, one program at a time. Ranks: local.
 */
#ifndef HD_CUBE_PL_H
#define HD_CUBE_PL_H

#include "status.h"
#include "types.h"

typedef enum hd_pl_flavour {
    HD_PL_SAME,      /* inclusive or exclusive as the expression as a whole is asked for */
    HD_PL_INCLUSIVE,
    HD_PL_EXCLUSIVE
} hd_pl_flavour;

typedef struct hd_pl_reference {
    char         *id;     /* of a metric, the program's */
    hd_pl_flavour flavour;
    uint32_t      metric; /* for the caller to set; HD_NONE at first */
} hd_pl_reference;

typedef struct hd_pl_op {
    double   number;  /* of a constant */
    uint32_t operand; /* which reference, or function */
    uint8_t  code;
} hd_pl_op;

typedef struct hd_pl_program {
    hd_pl_op        *ops; /* [n_ops] operands before operators */
    hd_pl_reference *references;
    size_t           n_ops, n_references;
    uint32_t         n_stack;   /* values that wait at the same time, at most */
    bool             is_linear; /* the result of sums is the sum of results; asks for HD_PL_SAME only */
} hd_pl_program;

/* why: [why_bytes] out, if it returns false: what is not understood. Owner: hd_pl_fini(), also then. */
bool hd_pl_compile(const char *text, hd_pl_program *program, char *why, size_t why_bytes);
void hd_pl_fini(hd_pl_program *program);

/* Values of a reference: [n] out. */
typedef hd_status (*hd_pl_fetch)(void *context, const hd_pl_reference *reference, double *values);

/* result: [n] out. Grows with: n * n_stack, while it runs. Errors: those of fetch. */
hd_status hd_pl_evaluate(const hd_pl_program *program, uint32_t n, hd_pl_fetch fetch, void *context, double *result);

#endif
