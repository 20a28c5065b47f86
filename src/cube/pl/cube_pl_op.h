/* src/cube/pl/cube_pl_op.h: what programs of cube_pl.h consist of; shared by its parser and its machine only. */
#ifndef HD_CUBE_PL_OP_H
#define HD_CUBE_PL_OP_H

#include <regex.h>

#include "cube_pl.h"

typedef enum hd_pl_code { /* what it takes from the stack, and puts there */
    HD_PL_NUMBER,     /*            - number    operand: none, number */
    HD_PL_TEXT,       /*            - text      operand: in texts */
    HD_PL_VALUE,      /*            - number    operand: in references */
    HD_PL_CALL,       /* path       - number    operand: in references */
    HD_PL_FACT,       /* index      - value     operand: hd_pl_fact */
    HD_PL_LOAD,       /* index      - value     operand: variable */
    HD_PL_STORE,      /* index value -          operand: variable */
    HD_PL_SIZE,       /*            - number    operand: variable; how many items it has */
    HD_PL_ARG1, HD_PL_ARG2,                                   /*   - number */
    HD_PL_NEGATE, HD_PL_FUNCTION, HD_PL_NOT,                  /* x - number    operand: which function */
    HD_PL_REGEX,                                              /* x - number    operand: in regexes */
    HD_PL_ADD, HD_PL_SUBTRACT, HD_PL_MULTIPLY, HD_PL_DIVIDE, HD_PL_POWER, HD_PL_MIN, HD_PL_MAX, /* x y - number */
    HD_PL_EQUAL, HD_PL_UNEQUAL, HD_PL_LESS, HD_PL_GREATER, HD_PL_LESS_EQUAL, HD_PL_GREATER_EQUAL, HD_PL_AND, HD_PL_OR,
    HD_PL_XOR, HD_PL_SAME_TEXT, HD_PL_SIMILAR_TEXT,
    HD_PL_JUMP,       /*            -           operand: op to go on with */
    HD_PL_JUMP_UNLESS, /* x         -           jump, if x is 0 */
    HD_PL_VOID        /*            -           operand: in texts, the id of a metric */
} hd_pl_code;

struct hd_pl_op {
    double   number;
    uint32_t operand;
    uint8_t  code; /* hd_pl_code */
};

struct hd_pl_regex {
    regex_t compiled;
};

/* By number of function. */
double hd_pl_function(uint32_t function, double x);
/* HD_NONE: there is none of that name. */
uint32_t hd_pl_function_by_name(const char *name, size_t n);

#endif
