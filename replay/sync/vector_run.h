/* replay/sync/vector_run.h: many sparse time vectors, one after the other, as a run of bytes.
 *
 *   entry   head · call path · time (zigzag; a double with --compat=scout26)     about 4 to 5 bytes
 *
 * The head says how many bytes each has, so that nothing is looked for. Where vector i begins is known for every i, 4
 * bytes each.
 *
 * Inside of the replay only. Uses: base, trace. MT: one thread at a time, then read only. Ranks: local.
 */
#ifndef HD_VECTOR_RUN_H
#define HD_VECTOR_RUN_H

#include "bytes.h"
#include "time_vector.h"

#define HD_VECTOR_ENTRY_BYTES_MAX (1 + 2 * 8) /* fixed numbers are written and read as 8 bytes */
#define HD_VECTOR_GROUP 64 /* vectors whose beginnings are counted from one of them */

typedef struct hd_vector_run {
    hd_bytes  bytes;
    uint64_t *bases;    /* [n / HD_VECTOR_GROUP + 1] */
    uint32_t *offsets;  /* [n] beginning of each vector, from its base */
    uint64_t  n_entries;
    uint32_t  n;        /* vectors that are complete */
    bool      is_real;  /* times are no whole numbers */
    size_t    capacity_offsets, capacity_bases;
} hd_vector_run;

static inline void
hd_vector_run_put(hd_vector_run *run, uint32_t call_path, double span)
{
    uint64_t time       = hd_zigzag((hd_span)span);
    unsigned path_bytes = hd_bytes_of(call_path), time_bytes;
    uint8_t *at;

    if (HD_UNLIKELY(run->is_real))
        memcpy(&time, &span, sizeof time);
    time_bytes = hd_bytes_of(time);

    if (HD_UNLIKELY(run->bytes.capacity - run->bytes.n < HD_VECTOR_ENTRY_BYTES_MAX))
        hd_bytes_reserve(&run->bytes, HD_VECTOR_ENTRY_BYTES_MAX);
    at  = run->bytes.data + run->bytes.n;
    *at = (uint8_t)(path_bytes << 4 | time_bytes);
    hd_bytes_write_fixed(at + 1, call_path);
    hd_bytes_write_fixed(at + 1 + path_bytes, time);
    run->bytes.n += 1 + path_bytes + time_bytes;
    run->n_entries++;
}

void hd_vector_run_begin(hd_vector_run *run); /* the next vector */
void hd_vector_run_end(hd_vector_run *run);   /* there will be no more: memory that is not needed goes back */
void hd_vector_run_fini(hd_vector_run *run);

/* Where vector i begins; i == n: the end. */
static inline const uint8_t *
hd_vector_run_at(const hd_vector_run *run, uint32_t i)
{
    return i < run->n ? run->bytes.data + run->bases[i / HD_VECTOR_GROUP] + run->offsets[i] :
           run->bytes.data + run->bytes.n;
}

/* bits: of a double in a run that is real, else see hd_unzigzag(). */
static inline void
hd_vector_run_entry(const uint8_t **at, uint32_t *call_path, uint64_t *bits)
{
    unsigned path_bytes = **at >> 4, time_bytes = **at & 15;

    *call_path = (uint32_t)hd_bytes_read_fixed(*at + 1, path_bytes);
    *bits      = hd_bytes_read_fixed(*at + 1 + path_bytes, time_bytes);
    *at += 1 + path_bytes + time_bytes;
}

#endif
