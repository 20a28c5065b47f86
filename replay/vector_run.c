#include "vector_run.h"

void
hd_vector_run_begin(hd_vector_run *run)
{
    size_t n_bases = run->n / HD_VECTOR_GROUP;
    size_t n       = run->n;

    if (run->n % HD_VECTOR_GROUP == 0)
        HD_PUSH(run->bases, n_bases, run->capacity_bases, run->bytes.n);
    HD_PUSH(run->offsets, n, run->capacity_offsets, (uint32_t)(run->bytes.n - run->bases[run->n / HD_VECTOR_GROUP]));
    run->n++;
}

void
hd_vector_run_end(hd_vector_run *run)
{
    run->bytes.data     = hd_realloc(run->bytes.data, run->bytes.n + HD_VECTOR_ENTRY_BYTES_MAX, 1); /* read beyond the last one */
    run->bytes.capacity = run->bytes.n + HD_VECTOR_ENTRY_BYTES_MAX;
    run->offsets        = hd_pack(run->offsets, run->n, sizeof *run->offsets);
}

void
hd_vector_run_fini(hd_vector_run *run)
{
    free(run->bytes.data);
    free(run->bases);
    free(run->offsets);
    *run = (hd_vector_run){ 0 };
}
