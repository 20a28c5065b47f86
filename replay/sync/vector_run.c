/* replay/sync/vector_run.c: begin of each vector in the run of bytes: 32 bits relative to a base for each group of
 * vectors, which saves half of the table. */
#include "vector_run.h"

void
hd_vector_run_begin(hd_vector_run *run)
{
    size_t n_bases = run->n / HD_VECTOR_GROUP;
    size_t n       = run->n;

    if (run->n % HD_VECTOR_GROUP == 0)
        HD_SCRATCH_PUSH(run->bytes.scratch, run->bases, n_bases, run->capacity_bases, run->bytes.n);
    HD_SCRATCH_PUSH(run->bytes.scratch, run->offsets, n, run->capacity_offsets,
                    (uint32_t)(run->bytes.n - run->bases[run->n / HD_VECTOR_GROUP]));
    run->n++;
}

void
hd_vector_run_end(hd_vector_run *run)
{
    hd_bytes_pack(&run->bytes);
    run->offsets        = hd_scratch_pack(run->bytes.scratch, run->offsets, run->n, sizeof *run->offsets);
}

void
hd_vector_run_fini(hd_vector_run *run)
{
    hd_scratch *scratch = run->bytes.scratch;

    hd_bytes_fini(&run->bytes);
    hd_scratch_free(scratch, run->bases);
    hd_scratch_free(scratch, run->offsets);
    *run = (hd_vector_run){ .bytes.scratch = scratch };
}
