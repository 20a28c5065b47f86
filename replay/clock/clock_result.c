/* replay/clock/clock_result.c: gathers violations and corrections of all locations on rank 0, and sorts them, so that
 * the report does not depend on the placement of processes. */
#include "clock_result.h"

const char *const hd_clock_violation_names[HD_N_CLOCK_VIOLATIONS] = {
    [HD_CLOCK_P2P] = "point-to-point", [HD_CLOCK_COLLECTIVE] = "collective", [HD_CLOCK_RMA] = "one-sided",
    [HD_CLOCK_OPENMP] = "OpenMP"
};

static int
compare_rows(const void *a_, const void *b_)
{
    const hd_clock_row *a = a_, *b = b_;

    return (a->location > b->location) - (a->location < b->location);
}

/* The largest violations first. */
static int
compare_pairs(const void *a_, const void *b_)
{
    const hd_clock_pair *a = a_, *b = b_;

    if (a->worst != b->worst)
        return a->worst > b->worst ? -1 : 1;
    if (a->sender != b->sender)
        return a->sender < b->sender ? -1 : 1;
    if (a->receiver != b->receiver)
        return a->receiver < b->receiver ? -1 : 1;
    return (a->kind > b->kind) - (a->kind < b->kind);
}

static void *
gather(hd_analysis_comm *analysis_comm, const void *rows, size_t n, size_t row_bytes, size_t *n_all)
{
    uint8_t  *all     = NULL;
    uint64_t *n_bytes = NULL, sum = 0;

    hd_analysis_comm_gather(analysis_comm, rows, n * row_bytes, &all, &n_bytes);
    if (hd_analysis_comm_rank(analysis_comm).v == 0)
        for (uint32_t i = 0; i < hd_analysis_comm_size(analysis_comm); i++)
            sum += n_bytes[i];
    free(n_bytes);
    *n_all = (size_t)(sum / row_bytes);
    return all;
}

/* A pair is counted where its receiver is hosted, and nowhere else. */
void
hd_clock_result_take(hd_clock_replay *replay, hd_clock_result *result)
{
    uint32_t       n_threads = hd_placement_n_threads(replay->request->placement);
    hd_clock_row  *rows      = HD_NEW_ARRAY(hd_clock_row, replay->n_vprocs);
    hd_clock_pair *pairs;
    size_t         n = 0;

    for (uint32_t i = 0; i < replay->n_vprocs; i++)
        rows[i] = replay->vprocs[i].row;
    for (uint32_t t = 0; t < n_threads; t++)
        n += replay->workers[t].n_pairs;
    pairs = HD_NEW_ARRAY(hd_clock_pair, n);
    n     = 0;
    for (uint32_t t = 0; t < n_threads; t++) {
        for (size_t i = 0; i < replay->workers[t].n_pairs; i++)
            pairs[n++] = replay->workers[t].pairs[i];
        free(replay->workers[t].pairs);
        hd_map_fini(&replay->workers[t].pairs_at);
        result->n_released += replay->workers[t].n_released;
    }
    if (n > 1)
        qsort(pairs, n, sizeof *pairs, compare_pairs);
    n             = n < HD_CLOCK_MAX_PAIRS ? n : HD_CLOCK_MAX_PAIRS;
    result->rows  = gather(replay->request->analysis_comm, rows, replay->n_vprocs, sizeof *rows, &result->n_rows);
    result->pairs = gather(replay->request->analysis_comm, pairs, n, sizeof *pairs, &result->n_pairs);
    if (result->n_rows > 1)
        qsort(result->rows, result->n_rows, sizeof *rows, compare_rows);
    if (result->n_pairs > 1)
        qsort(result->pairs, result->n_pairs, sizeof *pairs, compare_pairs);
    if (result->n_pairs > HD_CLOCK_MAX_PAIRS)
        result->n_pairs = HD_CLOCK_MAX_PAIRS;
    hd_analysis_comm_reduce(replay->request->analysis_comm, &result->n_released, 1, HD_SUM);
    free(rows);
    free(pairs);
}

void
hd_clock_result_fini(hd_clock_result *result)
{
    free(result->rows);
    free(result->pairs);
    *result = (hd_clock_result){ 0 };
}
