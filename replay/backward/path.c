/* replay/backward/path.c: the stretch of the critical path on one location: where it enters, and the time per call
 * path that is booked when it leaves. Only the ends of the stretch are kept; the time comes from the time vectors
 * between the points. */
#include "path.h"

#include <math.h>

#include "sync_time.h"

/* Its time from the point on until it came in, into rh->backward->own. */
static void
add_path_time(hd_replay_worker *rh, const hd_vproc *vproc, uint32_t point)
{
    const hd_path  *path   = &vproc->backward->path;
    const hd_sides *sides  = &rh->replay->sides;
    uint32_t        after = path->after_call_path;
    hd_time         end;

    hd_time_vector_clear(&rh->backward->own);
    hd_sync_time_add(&rh->backward->own, vproc->syncs, point, path->end, rh->backward->limit);
    if (path->after == 0)
        return;
    if (hd_sides_has(sides) && !hd_is_outside(sides, after))
        after += sides->n_inside; /* it ends with another thread's call, perhaps after the interval */
    end = hd_sync_enter_at(vproc->syncs, path->end);
    if (path->after > 0)
        hd_sync_time_add_call(&rh->backward->own, vproc->syncs, after, end, (double)path->after, 1);
    else
        hd_sync_time_add_call(&rh->backward->own, vproc->syncs, after, end - (hd_time)-path->after,
                              (double)-path->after, -1);
}

static void
book_path_time(hd_replay_worker *rh, hd_vproc *vproc)
{
    if (hd_sides_has(&rh->replay->sides))
        hd_sync_time_join_window(&rh->backward->own, vproc->syncs);
    for (size_t i = 0; i < rh->backward->own.n; i++) {
        uint32_t call_path = rh->backward->own.touched[i];

        if (rh->backward->own.spans[call_path] != 0)
            hd_cost_add(&vproc->costs, HD_METRIC_critical_path, call_path,
                        round(rh->backward->own.spans[call_path] * rh->backward->unit));
    }
    vproc->backward->path.is_here = false;
}

/* What add_path_time() of the point adds, less the wait. */
static void
note_stretch(hd_replay_worker *rh, const hd_vproc *vproc, uint32_t point, const hd_path_stretch *of)
{
    const hd_path      *path    = &vproc->backward->path;
    hd_backward_worker *worker  = rh->backward;
    hd_path_stretch     stretch = *of;

    if (!rh->replay->path_times)
        return;
    stretch.vproc           = vproc->number;
    stretch.from            = hd_sync_enter_at(vproc->syncs, point);
    stretch.until           = hd_sync_kind_at(vproc->syncs, path->end) == HD_SYNC_END ?
                                  UINT64_MAX : hd_sync_enter_at(vproc->syncs, path->end);
    stretch.after           = path->after;
    stretch.after_call_path = path->after_call_path;
    HD_PUSH(worker->stretches, worker->n_stretches, worker->capacity_stretches, stretch);
}

static void
book_one_path(hd_replay_worker *rh, hd_vproc *vproc, uint32_t point)
{
    const hd_sync  own   = hd_sync_at(vproc->syncs, point), *sync = &own;
    double         passed = hd_sync_time_wait(vproc->syncs, sync) +
                            (double)(hd_sync_wait_begin(vproc->syncs, sync) - sync->enter);

    note_stretch(rh, vproc, point, &(hd_path_stretch){ .call_path = sync->call_path,
                                                       .wait = sync->wait > 0 ? (uint64_t)passed : 0 });
    add_path_time(rh, vproc, point);
    if (sync->wait > 0 && sync->kind == HD_SYNC_BARRIER && hd_sync_group_of(vproc->syncs, sync)->list != HD_NONE)
        hd_sync_time_take_share(&rh->backward->own, vproc->syncs, sync->call_path, passed);
    else if (sync->wait > 0)
        hd_sync_time_take_call(&rh->backward->own, vproc->syncs, sync->call_path, sync->enter, passed);
    book_path_time(rh, vproc);
}

void
hd_path_book(hd_replay_worker *rh, hd_vproc *vproc, uint32_t point)
{
    hd_path *path = &vproc->backward->path;

    book_one_path(rh, vproc, point);
    while (path->n_more_ends > 0) {
        path->end = path->more_ends[--path->n_more_ends];
        book_one_path(rh, vproc, point);
    }
}

/* Where the thread left the barrier, if it ran tasks in it; HD_NONE: it did not. */
static uint32_t
leave_of_barrier(const hd_vproc *vproc, uint32_t point)
{
    hd_sync sync  = hd_sync_at(vproc->syncs, point);
    hd_time leave = sync.enter + (hd_time)sync.pruned;

    for (uint32_t i = point + 1; i < vproc->syncs->n; i++) {
        sync = hd_sync_at(vproc->syncs, i);
        if (sync.enter > leave)
            break;
        if (sync.kind == HD_SYNC_EDGE && sync.enter == leave)
            return i;
    }
    return HD_NONE;
}

bool
hd_path_book_behind(hd_replay_worker *rh, hd_vproc *vproc, uint32_t point)
{
    const hd_sync  own  = hd_sync_at(vproc->syncs, point), *sync = &own;
    uint32_t       leave = leave_of_barrier(vproc, point);

    if (leave != HD_NONE && vproc->backward->path.end <= leave)
        return false;
    note_stretch(rh, vproc, leave != HD_NONE ? leave : point,
                 &(hd_path_stretch){ .call_path = sync->call_path, .takes_all = true,
                                     .wait = leave == HD_NONE ? (uint64_t)sync->pruned : 0 });
    add_path_time(rh, vproc, leave != HD_NONE ? leave : point);
    if (leave == HD_NONE)
        hd_sync_time_add_call(&rh->backward->own, vproc->syncs, sync->call_path, sync->enter, (double)sync->pruned, -1);
    book_path_time(rh, vproc);
    return true;
}

void
hd_path_enter(hd_vproc *vproc, uint32_t point)
{
    hd_path *path = &vproc->backward->path;

    if (path->is_here)
        HD_PUSH(path->more_ends, path->n_more_ends, path->capacity_more_ends, path->end);
    path->is_here = true;
    path->end     = point;
    path->after  = 0;
}

void
hd_path_enter_after(hd_vproc *vproc, uint32_t point, hd_time left)
{
    const hd_sync  own  = hd_sync_at(vproc->syncs, point), *sync = &own;
    hd_path       *path  = &vproc->backward->path;
    uint32_t       leave = leave_of_barrier(vproc, point);

    hd_path_enter(vproc, leave != HD_NONE ? leave : point);
    path->after           = hd_span_between(hd_sync_enter_at(vproc->syncs, path->end), left);
    path->after_call_path = sync->call_path;
}

void
hd_path_enter_at(hd_vproc *vproc, uint32_t point, hd_time time)
{
    const hd_sync  own = hd_sync_at(vproc->syncs, point), *sync = &own;
    hd_path       *path = &vproc->backward->path;

    hd_path_enter(vproc, point);
    if (time <= sync->enter)
        return;
    path->after           = hd_span_between(sync->enter, time);
    path->after_call_path = sync->call_path;
}
