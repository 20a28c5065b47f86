/* replay/simulate/sim_team.c: the latest of the new enters of the threads of a team, in each lane. */
#include "sim_team.h"

#include "sim_arrival.h"

typedef struct sim_team_waiter {
    struct sim_team_waiter *next;
    uint32_t                location, dependency;
} sim_team_waiter;

typedef struct sim_team {
    hd_span          latest[HD_SIM_WIDEST];
    uint32_t         n_left, n_missing; /* members that are not there yet; of them those that contribute */
    sim_team_waiter *waiters;
} sim_team;

void
hd_sim_team_init(hd_sim_worker *sw)
{
    sw->teams = (hd_map){ 0 };
    hd_pool_init(&sw->team_pool, sizeof(sim_team));
    hd_pool_init(&sw->waiter_pool, sizeof(sim_team_waiter));
}

void
hd_sim_team_fini(hd_sim_worker *sw)
{
    hd_map_fini(&sw->teams);
    hd_pool_fini(&sw->team_pool);
    hd_pool_fini(&sw->waiter_pool);
}

static void
let_go(hd_sim_worker *sw, hd_worker *worker, sim_team *team)
{
    for (sim_team_waiter *waiter = team->waiters, *next; waiter != NULL; waiter = next) {
        next = waiter->next;
        hd_sim_arrive(sw, worker, &sw->sim->locations[waiter->location], waiter->dependency, team->latest,
                      sw->sim->width);
        hd_pool_put(&sw->waiter_pool, waiter);
    }
    team->waiters = NULL;
}

void
hd_sim_team_enter(hd_sim_worker *sw, hd_worker *worker, const hd_sim_location *location, const hd_sim_member *member,
                  const hd_span *enter)
{
    uint32_t  first = location->number - location->thread;
    uint64_t  key   = (uint64_t)first << 32 | member->number;
    bool      is_new;
    uint64_t *place = hd_map_add(&sw->teams, key, &is_new);
    sim_team *team;

    if (is_new) {
        const hd_sim_team_size *size = &sw->sim->locations[first].team_sizes[member->number];

        *place = (uint64_t)(uintptr_t)hd_pool_take(&sw->team_pool);
        team   = (sim_team *)(uintptr_t)*place;
        team->n_left    = size->n_members;
        team->n_missing = size->n_contribute;
        team->waiters   = NULL;
        hd_sim_lanes_fill(team->latest, INT64_MIN, sw->sim->width);
    }
    team = (sim_team *)(uintptr_t)*place;
    if (member->contributes) {
        hd_sim_lanes_later(team->latest, enter, sw->sim->width);
        team->n_missing--;
    }
    if (member->waiter != HD_NONE) {
        sim_team_waiter *waiter = hd_pool_take(&sw->waiter_pool);

        *waiter       = (sim_team_waiter){ team->waiters, location->number, member->dependency };
        team->waiters = waiter;
    }
    if (team->n_missing == 0)
        let_go(sw, worker, team);
    if (--team->n_left == 0) {
        hd_map_remove(&sw->teams, key);
        hd_pool_put(&sw->team_pool, team);
    }
}
