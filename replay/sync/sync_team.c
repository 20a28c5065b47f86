/* replay/sync/sync_team.c: turns what the patterns of threads report into points of the locations of the process. */
#include "sync_team.h"

#include "vproc.h"
#include "sync_store.h"

static inline hd_sync_group
group_of(const hd_team_point *point)
{
    return (hd_sync_group){ .number = point->number, .delayer = point->delayer,
                            .list = point->has_tasks ? 0 : HD_NONE, .root = point->n_threads };
}

void
hd_sync_add_team_point(void *vprocs_, const hd_team_point *point)
{
    static const uint8_t kinds[] = { [HD_TEAM_IDLE] = HD_SYNC_IDLE, [HD_TEAM_PARALLEL] = HD_SYNC_PARALLEL,
                                     [HD_TEAM_BARRIER] = HD_SYNC_BARRIER, [HD_TEAM_JOIN] = HD_SYNC_JOIN,
                                     [HD_TEAM_LEAVE] = HD_SYNC_EDGE,
                                     [HD_TEAM_RELEASE] = HD_SYNC_AWAITED, [HD_TEAM_LOCK_WAIT] = HD_SYNC_WAITED };
    hd_vproc    *vprocs = vprocs_;
    hd_syncs    *syncs  = vprocs[point->thread].syncs;
    hd_sync      sync   = { .kind = kinds[point->kind], .enter = point->enter, .wait = point->wait,
                            .pruned = point->pruned,
                            .call_path = point->call_path, .peer = point->instance, .delay = HD_DELAY_NONE };
    hd_sync_group group;

    switch (point->kind) {
    case HD_TEAM_BARRIER:
        sync.delay = HD_DELAY_OMP_BARRIER;
        group      = group_of(point);
        if (point->after_enter > 0) { /* a difference that does not fit is none */
            bool fits  = point->after_enter < (hd_span)HD_NONE;
            group.list = fits ? (uint32_t)point->after_enter : HD_NONE;
            sync.enter = fits ? sync.enter : sync.enter - (hd_time)point->after_enter;
        }
        hd_syncs_add_group(syncs, &sync, group);
        return;
    case HD_TEAM_PARALLEL:
        sync.partner_thread = (uint16_t)point->count;
        hd_syncs_add_group(syncs, &sync, group_of(point));
        return;
    case HD_TEAM_IDLE:
        sync.partner = point->count;
        break;
    case HD_TEAM_RELEASE:
    case HD_TEAM_LOCK_WAIT:
        sync.delay = (uint8_t)point->delay;
        sync.peer  = point->number;
        break;
    case HD_TEAM_JOIN:
    case HD_TEAM_LEAVE:
        break;
    }
    hd_syncs_add(syncs, &sync);
}

void
hd_sync_add_time_move(void *vprocs_, const hd_time_move *move)
{
    hd_vproc      *vprocs = vprocs_;
    hd_syncs      *syncs = vprocs[move->thread].syncs;
    hd_syncs_rare *rare  = hd_syncs_rare_of(syncs);

    HD_SCRATCH_PUSH(syncs->scratch, rare->moves, rare->n_moves, rare->capacity_moves, *move);
}
