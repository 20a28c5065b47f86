/* src/profile/loop/loop_units.h: where a loop calls a call path several times, such as for each neighbour, an iteration
 * is of several units, each of which begins with one or more calls of it. Uses: trace. MT: one thread at a time. Ranks:
 * local. Owner: hd_loop_units_fini(). */
#ifndef HD_LOOP_UNITS_H
#define HD_LOOP_UNITS_H

#include "loop_calls.h"

typedef struct hd_loop_units {
    hd_loop_calls *calls;
    size_t         n;       /* the last one, which has no end, is none */
    uint32_t      *begins;  /* [n + 1] number of their first call, */
    uint8_t       *lengths; /* [n] how many calls they have, the lowest byte of that, */
    uint32_t      *with;    /* [n_read] a sum of whom they communicate with */
    size_t         n_read;
    uint64_t       most;    /* [ticks] no less than what they cover, if they are iterations (hd_loop_fits()) */
} hd_loop_units;

/* Of `each` calls of the path. */
hd_loop_units hd_loop_units_of(hd_loop_calls *calls, uint32_t call_path, uint32_t each);
void          hd_loop_units_fini(hd_loop_units *units);
/* The fewest units after which most communicate with the same ones again. 1: none is so, or the first. */
uint32_t      hd_loop_step(hd_loop_units *units);
/* Whether there can be such a number above 1, of which n is a multiple: less has to be read to say no. */
bool          hd_loop_may_step(hd_loop_units *units, uint32_t n);
/* [ticks] no less than what iterations cover that begin with each step-th call. */
uint64_t      hd_loop_most(const hd_loop_calls *calls, uint32_t call_path, uint32_t step);

#endif
