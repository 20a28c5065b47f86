/* replay/sync/time_vector.h: time per call path in an interval, dense while it is worked on, sparse on its way to
 * another location. In ticks: whole numbers, which doubles add up exactly below 2^53. With --compat=scout26 in seconds,
 * added up as scout does: where it has 1e-17 s left of two equal times it attributes a whole wait to them, so its
 * results depend on that. Inside of the replay only. MT: the worker's thread. Ranks: local. Memory: 24 bytes per call
 * path of the unified tree.
 */
#ifndef HD_TIME_VECTOR_H
#define HD_TIME_VECTOR_H

#include "memory.h"
#include "types.h"

typedef struct hd_time_vector {
    double   *spans;   /* [n_call_paths] valid where stamps == stamp */
    hd_span  *others;  /* [n_call_paths] of another location, see hd_sync_time_add_others(); 0 where one is touched */
    uint32_t *stamps;
    uint32_t  stamp, n_call_paths;
    uint32_t *touched; /* [n] call paths, each once; room for all */
    size_t    n;
} hd_time_vector;

typedef struct hd_time_entry {
    uint32_t call_path;
    uint32_t is_counted; /* in a message: what counters counted there follows (wait_message.h) */
    double   span;
} hd_time_entry;

static inline void
hd_time_vector_init(hd_time_vector *vector, uint32_t n_call_paths)
{
    *vector = (hd_time_vector){ .spans = hd_alloc_apart(n_call_paths, sizeof *vector->spans),
                                .others = hd_alloc_apart(n_call_paths, sizeof *vector->others),
                                .stamps = hd_alloc_apart(n_call_paths, sizeof *vector->stamps),
                                .touched = hd_alloc_apart_unset(n_call_paths, sizeof *vector->touched), .stamp = 1,
                                .n_call_paths = n_call_paths };
}

static inline void
hd_time_vector_fini(hd_time_vector *vector)
{
    free(vector->spans);
    free(vector->others);
    free(vector->stamps);
    free(vector->touched);
}

static inline void
hd_time_vector_clear(hd_time_vector *vector)
{
    vector->n = 0;
    if (++vector->stamp == 0) { /* the old stamps would be valid again */
        memset(vector->stamps, 0, vector->n_call_paths * sizeof *vector->stamps);
        vector->stamp = 1;
    }
}

static inline bool
hd_time_vector_has(const hd_time_vector *vector, uint32_t call_path)
{
    return vector->stamps[call_path] == vector->stamp;
}

static inline double
hd_time_vector_get(const hd_time_vector *vector, uint32_t call_path)
{
    return vector->stamps[call_path] == vector->stamp ? vector->spans[call_path] : 0;
}

/* Takes off what is there, never below zero. */
static inline void
hd_time_vector_take(hd_time_vector *vector, uint32_t call_path, double span)
{
    double left = hd_time_vector_get(vector, call_path);

    if (left > 0)
        vector->spans[call_path] = left > span ? left - span : 0;
}

/* Of a call path that has none yet, and that nobody who goes through `touched` needs to see. */
static inline void
hd_time_vector_set(hd_time_vector *vector, uint32_t call_path, double span)
{
    vector->stamps[call_path] = vector->stamp;
    vector->spans[call_path]  = span;
}

static inline void
hd_time_vector_add(hd_time_vector *vector, uint32_t call_path, double span)
{
    if (vector->stamps[call_path] == vector->stamp) {
        vector->spans[call_path] += span;
        return;
    }
    vector->stamps[call_path]    = vector->stamp;
    vector->spans[call_path]     = span;
    vector->others[call_path]    = 0;
    vector->touched[vector->n++] = call_path;
}

#endif
