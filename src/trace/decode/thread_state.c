/* src/trace/decode/thread_state.c: states around forks and joins, in teams and in tasks. */
#include "thread_state.h"

/* Whether the innermost fork's parallel region is not entered yet, or left. A task's regions are its own. */
static bool
is_at_fork(const hd_decoder *decoder)
{
    return decoder->task == NULL && decoder->stack.depth <= decoder->forks[decoder->n_forks - 1].depth;
}

uint32_t
hd_decoder_state_slow(const hd_decoder *decoder)
{
    bool     is_parallel = decoder->n_forks + decoder->n_parallel > 0;
    hd_state state;

    if (decoder->in_mpi.depth > 0)
        state = HD_STATE_MPI;
    else if (decoder->n_forks > 0 && is_at_fork(decoder))
        state = HD_STATE_FORK;
    else if (decoder->stack.depth > 0)
        state = (hd_state)decoder->states[decoder->stack.frames[decoder->stack.depth - 1].region];
    else if (decoder->task != NULL)
        state = HD_STATE_TASKS;
    else
        state = decoder->n_teams > 0 ? HD_STATE_FORK : HD_STATE_IDLE;
    return state << 1 | (is_parallel || (state >= HD_STATE_FORK && state <= HD_STATE_THREADS));
}
