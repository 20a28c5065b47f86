/* src/profile/loop/loop_calls.h: the calls of a process in order, and how alike iterations are that begin with one of
 * them. Uses: trace. MT: one thread at a time. Ranks: local. Owner: hd_loop_calls_fini(). */
#ifndef HD_LOOP_CALLS_H
#define HD_LOOP_CALLS_H

#include "loop_records.h"

enum {
    HD_LOOP_LEAST     = 8,       /* iterations of a loop; */
    HD_LOOP_MOST      = 65536,   /* of more none is looked for */
    HD_LOOP_PROCESSES = 2,       /* which are looked at: the first and the one in the middle, */
    HD_LOOP_MAX_CALLS = 1 << 17, /* and the first calls of each */
    HD_LOOP_COVERS    = 50,      /* [%] of the window, at least */
    HD_LOOP_LONG      = 4        /* medians: longer iterations count as that */
};

typedef struct hd_loop_path {
    uint32_t behind;  /* number of its last call, + 1; 0: it has none */
    uint32_t n;       /* how many it has */
} hd_loop_path;

typedef struct hd_loop_calls {
    hd_time      *enters;     /* [n] of each call; */
    uint32_t     *call_paths; /* [n] of the tree; n_paths: none; */
    uint32_t     *previous;   /* [n] number + 1 of the call of the same path before it; 0: none; HD_NONE: it has no
                               * path; */
    size_t        n;
    hd_time       until;      /* leave of the last one */
    hd_loop_path *paths;      /* [n_paths + 1] of the tree; the last one: of calls that have none */
    uint32_t     *firsts;     /* [n_paths + 1] number of its first call, if it has HD_LOOP_LEAST or more; */
    uint64_t     *hashes;     /* [n_paths + 1] of those that have calls */
    hd_loop_records records;  /* whom they communicate with */
    uint32_t      n_paths;
    uint32_t      process;    /* of the trace, whose these are: of its first location */
    bool          is_whole;   /* these are all calls */
} hd_loop_calls;

/* The call path of the tree for each call path of the location, HD_NONE: it has none; free() it. */
uint32_t     *hd_loop_paths(const hd_loaded_location *location, const uint32_t *map);
/* map: call path of the process -> of the tree, which has n_paths. */
hd_loop_calls hd_loop_calls_read(const hd_loaded_process *process, const uint32_t *map, uint32_t n_paths);
void          hd_loop_calls_fini(hd_loop_calls *calls);

/* Calls of a path, `each` of which are an iteration, from the last one back to the first. */
typedef struct hd_loop_begins {
    const hd_loop_calls *calls;
    size_t               n; /* iterations that are left; the last one of them */
    uint32_t             each;
    uint32_t             at; /* begins with this call */
} hd_loop_begins;

/* The n-th call of the same path before call i. previous: of the calls */
static inline uint32_t
hd_loop_back(const uint32_t *previous, uint32_t i, size_t n)
{
    if (HD_LIKELY(n == 1))
        return previous[i] - 1;
    for (; n > 0; n--)
        i = previous[i] - 1;
    return i;
}

static inline hd_loop_begins
hd_loop_last_begin(const hd_loop_calls *calls, uint32_t call_path, uint32_t each)
{
    const hd_loop_path *path = &calls->paths[call_path];

    if (path->n == 0)
        return (hd_loop_begins){ .calls = calls };
    return (hd_loop_begins){ calls, (path->n - 1) / each + 1, each,
                             hd_loop_back(calls->previous, path->behind - 1, (path->n - 1) % each) };
}

/* false: there is none before it. */
static inline bool
hd_loop_step_back(hd_loop_begins *begins)
{
    if (begins->n <= 1)
        return false;
    begins->n--;
    begins->at = hd_loop_back(begins->calls->previous, begins->at, begins->each);
    return true;
}

typedef struct hd_loop_fit { /* of iterations */
    uint64_t cover;            /* [ticks] of those that have at least half of the usual call paths; a long one counts as
                                * four of the median */
    uint32_t usual, usual_end; /* the calls, up to usual_end, of the first one that has the usual ones */
} hd_loop_fit;

/* Whether most iterations that begin with each step-th call of this path hold the same call paths. */
bool hd_loop_fits(const hd_loop_calls *calls, uint32_t call_path, uint32_t step, hd_loop_fit *fit);

/* Where iterations, each with one call of this path, end with calls that all processes make: the last one of these. The
 * last iteration, which begins with a call of the path, lacks call paths of most, and all of those are called before
 * the first one. HD_NONE: it is not so, or not all calls are known. It fits so. */
uint32_t hd_loop_end(const hd_loop_calls *calls, uint32_t call_path, const hd_loop_fit *fit);

#endif
