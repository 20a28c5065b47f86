/* replay/sync/vector_run.h: many sparse time vectors, one after the other, as a run of bytes.
 *
 * An entry is a call path and its time, as path_time.h writes them; with --compat=scout26 the time is a double. Where
 * vector i begins is known for every i, 4 bytes each, until it is forgotten: the points of sync_store.h have it then.
 *
 * Inside of the replay only. Uses: base, trace. MT: one thread at a time, then read only. Ranks: local.
 */
#ifndef HD_VECTOR_RUN_H
#define HD_VECTOR_RUN_H

#include "bytes.h"
#include "path_time.h"
#include "time_vector.h"

#define HD_VECTOR_GROUP 16 /* vectors whose beginnings are counted from one of them */

typedef struct hd_vector_run {
    hd_bytes  bytes;
    uint64_t *bases;    /* [n / HD_VECTOR_GROUP + 1] */
    uint32_t *offsets;  /* [n] beginning of each vector, from its base */
    uint32_t  n;        /* vectors that are complete */
    bool      is_real;  /* times are no whole numbers */
} hd_vector_run;

static inline void
hd_vector_run_put(hd_vector_run *run, uint32_t call_path, double span)
{
    uint8_t *at = hd_bytes_room(&run->bytes, HD_PATH_TIME_BYTES_MAX);
    uint64_t bits;

    if (HD_UNLIKELY(run->is_real)) {
        memcpy(&bits, &span, sizeof bits);
        at = hd_path_time_write_whole(at, call_path, bits);
    } else
        at = hd_path_time_write(at, call_path, (hd_span)span);
    run->bytes.n = (size_t)(at - run->bytes.data);
}

void hd_vector_run_start(hd_vector_run *run, size_t n); /* there will be n vectors */
void hd_vector_run_end(hd_vector_run *run);             /* all are there: memory that is not needed goes back */
void hd_vector_run_forget(hd_vector_run *run);          /* where they begin */
void hd_vector_run_fini(hd_vector_run *run);

/* Vector i, the next one, begins there; the caller counts them in n. */
static inline void
hd_vector_run_begin_nth(const hd_vector_run *run, size_t i, size_t begin)
{
    if (i % HD_VECTOR_GROUP == 0)
        run->bases[i / HD_VECTOR_GROUP] = begin;
    run->offsets[i] = (uint32_t)(begin - run->bases[i / HD_VECTOR_GROUP]);
}

/* Where the last one begins. */
static inline size_t
hd_vector_run_last(const hd_vector_run *run)
{
    return run->bases[(run->n - 1) / HD_VECTOR_GROUP] + run->offsets[run->n - 1];
}

static inline void
hd_vector_run_begin(hd_vector_run *run)
{
    hd_vector_run_begin_nth(run, run->n, run->bytes.n);
    run->n++;
}

#endif
