/* src/profile/loop/loop_place.h: the iterations of each process, where the calls of its loop are.
 * Uses: trace, calltree, loop_calls. Owner: hd_loop_placing_fini(). MT: one thread at a time. Ranks: local. Memory: 4
 * bytes per call path of the tree, 16 if iterations end with the call. */
#ifndef HD_LOOP_PLACE_H
#define HD_LOOP_PLACE_H

#include "calltree.h"
#include "loop_calls.h"

typedef struct hd_loop_placing {
    uint32_t call_path, region; /* of the loop */
    uint32_t n_paths;           /* of the tree */
    uint32_t n_iterations;      /* that each process has */
    bool     ends;              /* iterations end with the call; otherwise they begin with it */
    uint32_t *marks, mark;      /* marks: [tree] mark: in an iteration of this process; others are lower */
    /* Of the process: */
    hd_loaded_location *location;
    uint32_t            behind;    /* number of the call behind the one that is looked at */
    uint32_t            first_call; /* of the iteration that ends with the next one: see hd_iteration */
    uint32_t            n_calls;   /* of the loop's call path, */
    uint32_t            step;      /* of which so many are an iteration */
    bool                has_begun; /* the first iteration has; */
    bool                is_last;   /* the last one has, and goes on; or, of those that end with it, is over */
    hd_time            *after;     /* [tree + 1] when the next call begins behind the last one of the path before the
                                    * first iteration has ended, */
    uint32_t           *has_after; /* [tree + 1] mark: of this process */
    uint32_t            previous;  /* path of the call before; HD_NONE: there is none */
    hd_time             begin;     /* enter of the first call */
} hd_loop_placing;

hd_loop_placing hd_loop_placing_new(const hd_calltree *tree, uint32_t call_path, uint32_t n_iterations, bool ends);
void            hd_loop_placing_fini(hd_loop_placing *placing);

/* Of the first location of a process, each `step` calls of which are an iteration. map: call path of the process -> of
 * the tree. false: it has fewer calls, or more. */
bool hd_loop_place(hd_loop_placing *placing, hd_loaded_location *location, const uint32_t *map, uint32_t step);

#endif
