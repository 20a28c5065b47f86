#include "omp_call.h"

#include "file_use.h"
#include "moment.h"

static bool
is_barrier(const hd_frame *frame)
{
    return frame->call == HD_CALL_OMP_BARRIER || frame->call == HD_CALL_OMP_IMPLICIT_BARRIER;
}

void
hd_decoder_note_suspension(hd_decoder *decoder, const hd_task *task)
{
    size_t depth = task->stack.depth;

    while (depth > 0 && !is_barrier(&task->stack.frames[depth - 1]))
        depth--;
    if (depth > 0)
        HD_PUSH(decoder->task_suspensions, decoder->n_task_suspensions, decoder->capacity_task_suspensions,
                ((hd_task_suspension){ task == &decoder->implicit ? NULL : task, { task->left, decoder->now } }));
}

/* The suspensions of a barrier that is left; valid until the next call. */
static void
take_suspensions(hd_decoder *decoder, hd_thread_op *barrier)
{
    size_t n_left = 0, n_taken = 0;

    for (size_t i = 0; i < decoder->n_task_suspensions; i++) {
        const hd_task_suspension *suspension = &decoder->task_suspensions[i];

        if (suspension->task == decoder->task && suspension->interval.begin >= barrier->enter)
            HD_PUSH(decoder->suspensions, n_taken, decoder->capacity_suspensions, suspension->interval);
        else
            decoder->task_suspensions[n_left++] = *suspension;
    }
    decoder->n_task_suspensions = n_left;
    barrier->suspensions      = decoder->suspensions;
    barrier->n_suspensions    = n_taken;
}

void
hd_decoder_end_team(hd_decoder *decoder)
{
    decoder->n_teams--;
    hd_thread_log_put_team_end(&decoder->more.threads);
}

static void
leave_parallel(hd_decoder *decoder, const hd_frame *frame)
{
    /* may go on in one */
    bool is_inside = decoder->stack.depth > 1 || (decoder->task != NULL && decoder->task->moved != HD_NONE);

    decoder->n_parallel--;
    hd_decoder_state_is_new(decoder);
    hd_decoder_boundary(decoder, decoder->booked_until);
    if (decoder->n_teams == 0)
        return;
    hd_thread_log_put_parallel(&decoder->more.threads, frame->enter, decoder->now, frame->node | frame->cut, is_inside);
    if (decoder->is_closing) /* so that the region around it is of the team around this one */
        hd_decoder_end_team(decoder);
}

/* With compat, or where the location ran tasks in it, or the recording ends. */
static __attribute__((noinline)) void
leave_other_barrier(hd_decoder *decoder, const hd_frame *frame)
{
    hd_thread_op  op = { .kind = HD_THREAD_BARRIER, .enter = frame->enter, .leave = decoder->now,
                         .call_path = frame->node | frame->cut, .is_explicit = frame->call == HD_CALL_OMP_BARRIER,
                         .is_cut = decoder->is_closing, .task_time = frame->task_time };
    hd_suspension inside;

    if (decoder->n_task_suspensions > 0)
        take_suspensions(decoder, &op);
    if (op.n_suspensions > 0)
        hd_decoder_boundary(decoder, decoder->booked_until);
    if (decoder->compat) {
        inside.begin = inside.end = hd_decoder_boundary_at_leave(decoder, frame);
        op.suspensions   = &inside;
        op.n_suspensions = inside.begin > frame->enter;
    }
    if (decoder->n_teams > 0)
        hd_thread_log_put(&decoder->more.threads, &op);
}

static void
leave_barrier(hd_decoder *decoder, const hd_frame *frame)
{
    if (HD_UNLIKELY(decoder->n_task_suspensions > 0 || decoder->compat || decoder->is_closing))
        leave_other_barrier(decoder, frame);
    else if (decoder->n_teams > 0)
        hd_thread_log_put_barrier(&decoder->more.threads, frame->enter, decoder->now, frame->node | frame->cut,
                                  frame->call == HD_CALL_OMP_BARRIER);
}

/* Number + 1 in the op log of the first call that is entered from now on, where all before it are entered before now;
 * 0: not known. */
static uint32_t
next_call(const hd_decoder *decoder)
{
    size_t n        = decoder->out->log.n_calls;
    bool   is_plain = decoder->in_mpi.depth == 0 && decoder->n_task_teams == 0;

    if (!is_plain || n >= UINT32_MAX || (n > 0 && decoder->last_empty == decoder->now))
        return 0;
    return (uint32_t)n + 1;
}

void
hd_decoder_enter_iteration(hd_decoder *decoder, hd_frame *frame)
{
    frame->first_call = next_call(decoder);
    hd_decoder_boundary_of_iteration(decoder);
}

static void
leave_iteration(hd_decoder *decoder, const hd_frame *frame)
{
    uint32_t first = frame->first_call, next = next_call(decoder);
    bool     is_known = first > 0 && next >= first;

    HD_PUSH(decoder->out->iterations, decoder->out->n_iterations, decoder->out->iteration_capacity,
            ((hd_iteration){ .enter = frame->enter, .leave = decoder->now, .region = frame->region,
                             .first_call = is_known ? first : 0, .n_calls = is_known ? next - first : 0 }));
    hd_decoder_boundary_of_iteration(decoder);
}

void
hd_decoder_leave_omp(hd_decoder *decoder, const hd_frame *frame)
{
    if (is_barrier(frame)) {
        leave_barrier(decoder, frame);
        return;
    }
    if (frame->call == HD_CALL_OMP_PARALLEL) {
        leave_parallel(decoder, frame);
        return;
    }
    if (frame->call == HD_CALL_FILE) {
        hd_decoder_leave_file(decoder, frame);
        return;
    }
    if (frame->call == HD_CALL_ITERATION) {
        leave_iteration(decoder, frame);
        return;
    }
    if (frame->call == HD_CALL_OMP_TASKWAIT && !decoder->is_closing) {
        hd_span waited = hd_span_between(frame->enter, decoder->now) - (decoder->stack.suspended - frame->suspended);

        hd_thread_log_put(&decoder->more.threads,
                          &(hd_thread_op){ .kind = HD_THREAD_TASKWAIT, .call_path = frame->node | frame->cut,
                                           .task_time = waited });
        hd_decoder_moment(decoder, HD_MOMENT_TASK_WAIT, frame, 0, 0);
    }
    if (frame->call == HD_CALL_OMP_ORDERED_BLOCK && decoder->keeps_moments)
        hd_decoder_ordered_left(decoder);
}

static void
boundary_of_lock(hd_decoder *decoder, const hd_frame *call)
{
    if (!hd_decoder_has_lock_boundaries(decoder))
        return;
    hd_decoder_book_until(decoder, decoder->now);
    hd_decoder_boundary_of_lock(decoder, call);
}

void
hd_decoder_acquire(hd_decoder *decoder, uint8_t paradigm, uint32_t lock, uint32_t order)
{
    const hd_frame *frame = decoder->stack.depth > 0 ? &decoder->stack.frames[decoder->stack.depth - 1] : NULL;
    hd_lock_kind    kind;
    uint8_t         role;

    if (frame == NULL || order == 0)
        return;
    role = decoder->regions[frame->region].role;
    if (paradigm == HD_PARADIGM_OPENMP)
        kind = role == HD_ROLE_CRITICAL || role == HD_ROLE_CRITICAL_SBLOCK ? HD_LOCK_CRITICAL : HD_LOCK_API;
    else if (paradigm == HD_PARADIGM_PTHREAD && frame->call == HD_CALL_MUTEX_LOCK)
        kind = HD_LOCK_MUTEX;
    else if (paradigm == HD_PARADIGM_PTHREAD && frame->call == HD_CALL_COND_WAIT)
        kind = HD_LOCK_CONDITION;
    else
        return;
    boundary_of_lock(decoder, frame);
    hd_thread_log_put_acquire(&decoder->more.threads, kind, lock, order, frame->enter, decoder->now,
                              frame->node | frame->cut);
}

void
hd_decoder_release(hd_decoder *decoder, uint8_t paradigm, uint32_t lock, uint32_t order)
{
    if (order == 0 || (paradigm != HD_PARADIGM_OPENMP && paradigm != HD_PARADIGM_PTHREAD))
        return;
    boundary_of_lock(decoder, NULL);
    hd_thread_log_put_release(&decoder->more.threads, paradigm == HD_PARADIGM_OPENMP ? HD_LOCK_API : HD_LOCK_MUTEX,
                              lock, order, decoder->now);
}
