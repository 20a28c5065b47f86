/* src/trace/decode/thread_state.c: states around forks and joins, in teams and in tasks. */
#include "thread_state.h"

/* Not joined yet; NULL: there is none. */
static inline const hd_open_fork *
innermost_fork(const hd_decoder *decoder)
{
    return decoder->n_forks > 0 ? &decoder->forks[decoder->n_forks - 1] : NULL;
}

/* Whether its parallel region is not entered yet, or left. A task's regions are its own. */
static inline bool
is_at_fork(const hd_decoder *decoder, const hd_open_fork *fork)
{
    return decoder->task == NULL && decoder->stack.depth <= fork->depth;
}

void
hd_decoder_state_at_fork(hd_decoder *decoder)
{
    if (decoder->keeps_states && decoder->task == NULL && decoder->stack.depth > 0)
        decoder->stack.frames[decoder->stack.depth - 1].state = HD_STATE_FORK;
    hd_decoder_state_is_new(decoder);
}

void
hd_decoder_state_at_join(hd_decoder *decoder, const hd_open_fork *fork)
{
    hd_stack *stack   = decoder->task == NULL ? &decoder->stack : &decoder->implicit.stack;
    bool      is_open = decoder->n_forks > 0 && decoder->forks[decoder->n_forks - 1].depth == fork->depth;

    if (fork->depth > 0 && fork->depth <= stack->depth && !is_open)
        stack->frames[fork->depth - 1].state = decoder->kinds[stack->frames[fork->depth - 1].region].state;
}

/* Whether enters and leaves tell where the region is in which the innermost fork was: not where it is left before the
 * join, or the fork was in a task. */
static inline bool
has_fork_in_region(const hd_decoder *decoder, const hd_open_fork *fork)
{
    return fork == NULL || decoder->task != NULL || fork->depth == 0 || decoder->stack.depth < fork->depth ||
           decoder->stack.frames[fork->depth - 1].state == HD_STATE_FORK;
}

/* As in the log. */
static inline uint32_t
state_of(const hd_decoder *decoder, const hd_open_fork *fork)
{
    bool     is_parallel = fork != NULL || decoder->n_parallel > 0;
    hd_state state;

    if (decoder->in_mpi.depth > 0)
        state = HD_STATE_MPI;
    else if (fork != NULL && is_at_fork(decoder, fork))
        state = HD_STATE_FORK;
    else if (decoder->stack.depth > 0)
        state = (hd_state)decoder->stack.frames[decoder->stack.depth - 1].state;
    else if (decoder->task != NULL)
        state = HD_STATE_CREATE;
    else
        state = decoder->n_teams > 0 ? HD_STATE_FORK : HD_STATE_IDLE;
    return is_parallel || (state >= HD_STATE_FORK && state <= HD_STATE_THREADS) ? state | HD_STATE_PARALLEL : state;
}

static uint32_t
state_in_mpi(const hd_decoder *decoder)
{
    return HD_STATE_MPI | (decoder->n_forks + decoder->n_parallel > 0 ? HD_STATE_PARALLEL : 0);
}

static bool
is_in_mpi(const hd_state_log *log)
{
    return (log->last & ~HD_STATE_PARALLEL) == HD_STATE_MPI;
}

void
hd_decoder_state_in_any_mpi(hd_decoder *decoder)
{
    hd_state_log *log = &decoder->out->states;

    if (decoder->keeps_states && !is_in_mpi(log))
        hd_state_log_put_between(log, decoder->in_mpi.since, decoder->now, state_in_mpi(decoder));
}

void
hd_decoder_state_begin(hd_decoder *decoder, hd_time time)
{
    hd_state_log       *log  = &decoder->out->states;
    const hd_open_fork *fork = innermost_fork(decoder);

    decoder->is_state_new = false;
    if (!log->has_begun)
        hd_state_log_begin(log, time);
    else if (time > decoder->booked_until) {
        hd_state_log_put(log, decoder->in_mpi.depth > 0 ? decoder->in_mpi.since : decoder->booked_until,
                         state_of(decoder, fork));
        if (!is_in_mpi(log))
            hd_state_log_want_between(log, state_in_mpi(decoder));
        decoder->usual.state = has_fork_in_region(decoder, fork) ? (uint8_t)(log->last & ~(uint32_t)HD_STATE_PARALLEL) :
                               HD_N_STATES;
    } else
        decoder->is_state_new = true; /* more records have this time */
}

void
hd_decoder_state_end(hd_decoder *decoder)
{
    if (decoder->out->states.has_begun)
        hd_state_log_end(&decoder->out->states, decoder->now);
    else
        hd_bytes_fini(&decoder->out->states.bytes); /* what was reserved */
    decoder->out->log.states = decoder->out->states.bytes.data;
}
