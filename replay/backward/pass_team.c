#include "pass_team.h"

#include "charge.h"
#include "charge_letters.h"
#include "path.h"
#include "wait_letter.h"

/* scout 2.6 goes on from a barrier on all threads that did not wait at it (D19): the last one tells them. */
static void
spread_path(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point, const hd_letters *all)
{
    const hd_sync *sync    = &agent->syncs->points[point];
    uint32_t       number  = hd_sync_group_of(agent->syncs, sync)->number;
    bool           on_path = agent->backward->path.is_here;

    if (on_path)
        hd_path_book(rh, agent, point);
    for (hd_letter *letter = all->first; letter != NULL; letter = letter->next) {
        on_path |= letter->item.on_path != 0;
        letter->item.on_path = false;
    }
    for (const hd_letter *letter = all->first; letter != NULL; letter = letter->next) {
        hd_wait_item answer = { .key = hd_answer_key(number, letter->item.from_thread), .process = agent->process_id, .on_path = on_path };

        if (letter->item.wait == 0)
            hd_host_send(host, hd_host_number(host), HD_ITEM_WAIT, &answer, sizeof answer, NULL, 0);
    }
    if (on_path)
        hd_path_enter(agent, point);
}

/* A thread that did not wait at a barrier, and was not the last one. */
static bool
await_path(hd_replay_host *rh, hd_agent *agent, uint32_t point, uint32_t number)
{
    uint64_t    key = hd_answer_key(number, agent->thread);
    hd_letters *all = hd_letters_expect(rh, agent, key, 1);

    if (all == NULL)
        return false;
    agent->backward->has_told = false;
    if (all->first != NULL && all->first->item.on_path)
        hd_path_enter(agent, point);
    hd_letters_done(rh, agent, key, all);
    return true;
}

/* How much earlier than the last thread somebody was at a barrier. */
static double
late(const hd_agent *agent, const hd_wait_item *item, hd_time last)
{
    const hd_scout_clock *clock = agent->syncs->clock;

    last = hd_time_min(last, item->leave);
    if (clock == NULL)
        return (double)hd_span_between(item->enter, last);
    return hd_scout_seconds(clock, last) - hd_scout_seconds(clock, item->enter);
}

/* A barrier of a team: until the last thread came, whatever tasks were done meanwhile. */
bool
hd_pass_barrier(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point)
{
    const hd_sync       *sync    = &agent->syncs->points[point];
    const hd_sync_group *group   = hd_sync_group_of(agent->syncs, sync);
    uint64_t             key     = hd_team_key(group->number, HD_AT_BARRIER);
    bool                 spreads = rh->replay->compat && rh->replay->request->critical_path;
    hd_letters          *all;

    if (group->delayer != agent->thread) {
        if (!agent->backward->has_told)
            hd_wait_send(rh, host, agent, point, agent->process_id, key);
        agent->backward->has_told = spreads && sync->wait == 0;
        return !agent->backward->has_told || await_path(rh, agent, point, group->number);
    }
    all = hd_letters_expect(rh, agent, key, group->root - 1);
    if (all == NULL)
        return false;
    if (spreads)
        spread_path(rh, host, agent, point, all);
    for (hd_letter *letter = all->first; letter != NULL; letter = letter->next) {
        if (letter->item.on_path && group->list != HD_NONE && !rh->replay->compat) {
            hd_path_enter_behind(agent, point, letter->item.leave);
            letter->item.on_path = false;
        }
        letter->previous  = letter->until = sync->previous;
        letter->item.wait = late(agent, &letter->item, hd_sync_enter_of_call(agent->syncs, sync));
    }
    hd_charge_letters(rh, host, agent, point, all);
    hd_letters_done(rh, agent, key, all);
    return true;
}

bool
hd_pass_parallel(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point)
{
    const hd_sync_group *group   = hd_sync_group_of(agent->syncs, &agent->syncs->points[point]);
    uint64_t             key     = hd_team_key(group->number, HD_AT_PARALLEL);
    bool                 on_path = false;
    hd_letters          *all;

    if (group->delayer == HD_NONE || !rh->replay->request->critical_path)
        return true;
    if (group->delayer != agent->thread) {
        hd_wait_item item = { .key = key, .process = agent->process_id, .on_path = agent->backward->path.is_here };

        if (item.on_path)
            hd_path_book(rh, agent, point);
        hd_host_send(host, hd_host_number(host), HD_ITEM_WAIT, &item, sizeof item, NULL, 0);
        return true;
    }
    all = hd_letters_expect(rh, agent, key, group->root - 1);
    if (all == NULL)
        return false;
    for (const hd_letter *letter = all->first; letter != NULL; letter = letter->next)
        on_path |= letter->item.on_path != 0;
    if (agent->backward->path.is_here && rh->replay->compat) { /* whatever comes here goes on once */
        hd_path_book(rh, agent, point);
        on_path = true;
    }
    if (on_path)
        hd_path_enter(agent, point);
    hd_letters_done(rh, agent, key, all);
    return true;
}

bool
hd_pass_idle(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point)
{
    const hd_sync *sync = &agent->syncs->points[point];

    (void)host;
    if (!rh->replay->request->delays)
        return true;
    hd_sync_time_net(&rh->backward->own, agent->syncs, sync->previous, point, hd_charge_rules(rh, false));
    hd_charge_idle(rh, agent, sync->partner, sync->previous);
    return true;
}
