/* replay/core/vproc.c: functions of a vproc that several patterns need: findings, instances, and loops over the vprocs
 * of a worker. */
#include "vproc.h"

void
hd_vproc_finding(hd_replay_worker *rh, const hd_vproc *vproc, hd_finding_kind kind, uint32_t node, uint32_t peer,
                 uint32_t comm, uint32_t tag, hd_time time)
{
    hd_findings_add(&rh->findings, (hd_finding){ .kind = kind, .process = vproc->process_id, .thread = vproc->thread,
                                                 .call_path = hd_vproc_call_path(vproc, node), .peer = peer,
                                                 .communicator = comm, .tag = tag, .time = time, .count = 1 });
}

void
hd_vproc_clock_finding(hd_replay_worker *rh, const hd_vproc *vproc, hd_finding_kind kind, uint32_t node, uint32_t peer,
                       uint32_t comm, hd_time time, hd_span by)
{
    hd_findings_add(&rh->findings, (hd_finding){ .kind = kind, .process = vproc->process_id, .thread = vproc->thread,
                                                 .call_path = hd_vproc_call_path(vproc, node), .peer = peer,
                                                 .communicator = comm,
                                                 .tag = HD_NONE, .time = time, .count = 1, .worst = by });
}

hd_instance
hd_vproc_instance(const hd_vproc *vproc, const hd_wait *wait)
{
    return (hd_instance){ .metric = wait->metric, .n_waiters = 1, .waiting = wait->time, .enter = wait->enter,
                          .leave = wait->leave, .peer = wait->peer, .peer_thread = wait->peer_thread,
                          .waiters[0] = { .process = vproc->process_id, .thread = vproc->thread,
                                          .call_path = hd_vproc_call_path(vproc, wait->node), .from = wait->from,
                                          .wait = wait->time } };
}

void
hd_vproc_note(hd_replay_worker *rh, const hd_vproc *vproc, const hd_wait *wait)
{
    hd_instance instance;

    if (wait->time <= 0 || hd_node_is_outside(rh->replay, wait->node))
        return;
    instance = hd_vproc_instance(vproc, wait);
    hd_instance_table_add(rh->statistics, &instance);
}

void
hd_each_vproc(hd_replay *replay, hd_worker *worker,
              void (*visit)(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc))
{
    const hd_replay_request *request = replay->request;
    hd_replay_worker        *rh      = hd_replay_worker_of(replay, worker);

    for (uint32_t i = 0; i < replay->n_vprocs; i++) {
        hd_vproc *vproc = &replay->vprocs[i];

        if (hd_placement_worker(request->placement, (hd_process){ vproc->process_id }) == hd_worker_number(worker))
            visit(rh, worker, vproc);
    }
}

void
hd_each_process(hd_replay *replay, hd_worker *worker,
                void (*visit)(void *context, hd_worker *worker, hd_vproc *vprocs), void *context)
{
    const hd_placement *placement = replay->request->placement;

    for (uint32_t i = 0; i < replay->n_vprocs; i += replay->vprocs[i].process->n_locations)
        if (hd_placement_worker(placement, (hd_process){ replay->vprocs[i].process_id }) == hd_worker_number(worker))
            visit(context, worker, &replay->vprocs[i]);
}

bool
hd_replay_choose(hd_replay *replay, hd_blocked_at *blocked_at, bool latest, uint32_t round)
{
    return hd_release_choose(replay->request->analysis_comm, replay, replay->n_vprocs, blocked_at, latest, round,
                             &replay->release);
}

bool
hd_replay_counts_over_time(const hd_replay *replay)
{
    return replay->series != NULL && replay->request->all_series && replay->request->time_paths != NULL;
}
