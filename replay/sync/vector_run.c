/* replay/sync/vector_run.c: begin of each vector in the run of bytes: 32 bits relative to a base for each group of
 * vectors, which saves half of the table. */
#include "vector_run.h"

void
hd_vector_run_start(hd_vector_run *run, size_t n)
{
    run->bases   = hd_scratch_realloc(run->bytes.scratch, NULL, n / HD_VECTOR_GROUP + 1, sizeof *run->bases);
    run->offsets = hd_scratch_realloc(run->bytes.scratch, NULL, n, sizeof *run->offsets);
}

void
hd_vector_run_end(hd_vector_run *run)
{
    if (run->bytes.capacity - run->bytes.n > run->bytes.n / 16) /* else it is not worth a copy */
        hd_bytes_pack(&run->bytes);
}

void
hd_vector_run_forget(hd_vector_run *run)
{
    hd_scratch_free(run->bytes.scratch, run->bases);
    hd_scratch_free(run->bytes.scratch, run->offsets);
    run->bases   = NULL;
    run->offsets = NULL;
}

void
hd_vector_run_fini(hd_vector_run *run)
{
    hd_scratch *scratch = run->bytes.scratch;

    hd_vector_run_forget(run);
    hd_bytes_fini(&run->bytes);
    *run = (hd_vector_run){ .bytes.scratch = scratch };
}
