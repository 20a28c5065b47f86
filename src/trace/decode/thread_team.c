#include "thread_team.h"

#include "calling_context.h"
#include "counter.h"
#include "moment.h"
#include "task.h"
#include "thread_state.h"

void
hd_decoder_fork(hd_decoder *decoder)
{
    hd_decoder_book_until(decoder, decoder->now);
    hd_decoder_boundary(decoder, decoder->now);
    HD_PUSH(decoder->forks, decoder->n_forks, decoder->capacity_forks,
            ((hd_open_fork){ .time = decoder->now, .node = hd_decoder_inner(decoder, decoder->stack.current),
                             .depth = decoder->stack.depth }));
    hd_decoder_state_at_fork(decoder);
}

void
hd_decoder_join_team(hd_decoder *decoder)
{
    hd_decoder_book_until(decoder, decoder->now);
    hd_decoder_state_is_new(decoder);
    hd_decoder_boundary(decoder, decoder->now);
    if (decoder->n_forks == 0)
        return;
    decoder->n_forks--;
    hd_decoder_state_at_join(decoder, &decoder->forks[decoder->n_forks]);
    if (decoder->forks[decoder->n_forks].has_begun)
        hd_thread_log_put(&decoder->more.threads, &(hd_thread_op){ .kind = HD_THREAD_JOIN, .time = decoder->now });
}

/* Where a team was forked: what the first location forked is known as soon as that location is decoded up to there,
 * others only when all locations are. HD_NONE: outside of all regions, so that what the team does becomes a root. */
static uint32_t
team_start(hd_decoder *decoder, uint32_t comm, uint32_t instance)
{
    uint32_t owner = hd_defs_comms(decoder->defs)[comm].team_master;
    uint32_t node;

    if (owner == HD_NONE || hd_defs_locations(decoder->defs)[owner].process != decoder->process)
        return hd_decoder_program_node(decoder);
    if (hd_defs_locations(decoder->defs)[owner].thread == 0) {
        node = hd_team_starts_wait(decoder->first_starts, comm, instance);
        if (node == HD_START_UNKNOWN)
            return hd_decoder_program_node(decoder);
        return node == HD_NONE ? HD_NONE : hd_decoder_base_node(decoder, node);
    }
    node = hd_decoder_place(decoder, HD_NONE);
    HD_PUSH(decoder->join->nested, decoder->join->n_nested, decoder->join->capacity_nested,
            ((hd_nested_team){ comm, instance, node, owner }));
    return hd_decoder_here(decoder, node);
}

/* The innermost fork, if it is that of a team of which this location is the master; else NULL. */
static hd_open_fork *
fork_of(const hd_decoder *decoder, bool is_master)
{
    hd_open_fork *fork = decoder->n_forks > 0 ? &decoder->forks[decoder->n_forks - 1] : NULL;

    return is_master && fork != NULL && !fork->has_begun ? fork : NULL;
}

void
hd_decoder_team_begin(hd_decoder *decoder, uint32_t comm_ref)
{
    uint32_t      comm = hd_refs_index(&decoder->refs->comms, comm_ref), instance;
    hd_open_fork *fork;
    bool          is_master, is_new;

    if (comm == HD_NONE) {
        hd_decoder_plain_finding(decoder, HD_FINDING_UNKNOWN);
        return;
    }
    if (decoder->n_teams == 0 && decoder->task == NULL)
        hd_decoder_tasks_drop(decoder);
    instance  = (uint32_t)(*hd_map_add(&decoder->team_instances, comm, &is_new))++;
    is_master = hd_defs_comms(decoder->defs)[comm].team_master == decoder->out->location;
    fork      = fork_of(decoder, is_master);
    if (fork == NULL && decoder->thread > 0)
        hd_decoder_close_all(decoder);
    hd_thread_log_put_team(&decoder->more.threads, comm, fork != NULL, fork != NULL ? fork->time : 0);
    hd_decoder_state_is_new(decoder);
    HD_PUSH(decoder->team_places, decoder->n_teams, decoder->capacity_teams, decoder->stack.current);
    if (is_master)
        hd_team_starts_add(&decoder->join->team_starts, comm, fork != NULL ? fork->node : HD_START_UNKNOWN);
    if (fork != NULL)
        fork->has_begun = true;
    else if (decoder->thread > 0) {
        hd_decoder_counters_forget(decoder);
        decoder->booked_until       = decoder->now;
        decoder->stack.current = is_master ? hd_decoder_program_node(decoder) : team_start(decoder, comm, instance);
    }
}

void
hd_decoder_team_end(hd_decoder *decoder)
{
    if (HD_UNLIKELY(decoder->stack.contexts != NULL) && decoder->thread > 0 && decoder->n_teams <= 1)
        hd_decoder_contexts_close(decoder);
    if (decoder->n_teams == 0)
        return;
    if (decoder->keeps_states)
        hd_decoder_book_until(decoder, decoder->now);
    hd_decoder_state_is_new(decoder);
    hd_decoder_end_team(decoder);
    if (decoder->stack.depth == 0 && decoder->thread > 0)
        decoder->stack.current = hd_decoder_here(decoder, decoder->team_places[decoder->n_teams]);
}

void
hd_decoder_thread_create(hd_decoder *decoder, uint32_t comm, uint64_t number)
{
    hd_decoder_moment(decoder, HD_MOMENT_THREAD_CREATE, NULL, comm, number);
}

void
hd_decoder_thread_begin(hd_decoder *decoder, uint32_t comm, uint64_t number)
{
    if (decoder->thread == 0)
        return;
    hd_decoder_close_all(decoder);
    hd_decoder_counters_forget(decoder);
    decoder->booked_until       = decoder->now;
    decoder->stack.current = hd_decoder_child(decoder, hd_decoder_program_node(decoder), decoder->defs->threads_region);
    hd_decoder_state_is_new(decoder);
    hd_decoder_moment(decoder, HD_MOMENT_THREAD_BEGIN, NULL, comm, number);
}

void
hd_decoder_thread_end(hd_decoder *decoder, uint32_t comm, uint64_t number)
{
    hd_decoder_moment(decoder, HD_MOMENT_THREAD_END, NULL, comm, number);
    hd_decoder_team_end(decoder);
}

void
hd_decoder_thread_wait(hd_decoder *decoder, uint32_t comm, uint64_t number)
{
    if (decoder->stack.depth > 0)
        hd_decoder_moment(decoder, HD_MOMENT_THREAD_WAIT, &decoder->stack.frames[decoder->stack.depth - 1], comm,
                          number);
}
