/* replay/backward/pass_pair.c: points with one other location: messages and waits at windows. Several locations can
 * wait for the same record of a window: their messages are awaited and sorted at the first of their points that is
 * passed, and each point takes its own. */
#include "pass_pair.h"

#include "attribution.h"
#include "path.h"
#include "wait_message.h"

/* Waiting time that makes the partners of later messages wait, too. */
static void
book_propagating(hd_vproc *vproc, const hd_sync *sync)
{
    const hd_attributions *attributions = &vproc->backward->attributions;
    hd_metric              metric       = sync->kind == HD_SYNC_RECV ? HD_METRIC_mpi_wait_propagating_ls :
                                                                       HD_METRIC_mpi_wait_propagating_lr;

    if (attributions->n_reaches > 0)
        hd_cost_add(&vproc->costs, metric, sync->call_path,
                    attributions->reaches[attributions->n_reaches - 1].scale * (double)sync->wait);
}

bool
hd_pass_receive(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point, const hd_sync *sync)
{
    const hd_sync_group *group;

    if (hd_sync_is_rma_wait(sync->kind, sync->delay)) {
        group = hd_sync_group_of(vproc->syncs, sync);
        hd_wait_send(rh, worker, vproc, point, sync, group->delayer, hd_pair_key(group->thread, group->record, false));
        return true;
    }
    book_propagating(vproc, sync);
    hd_wait_send(rh, worker, vproc, point, sync, sync->peer, hd_pair_key(sync->partner_thread, sync->partner, false));
    return true;
}

bool
hd_pass_sent(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point, const hd_sync *sync)
{
    book_propagating(vproc, sync);
    if (sync->partner == HD_NONE)
        hd_wait_keep(rh, worker, vproc, sync);
    else
        hd_wait_send(rh, worker, vproc, point, sync, sync->peer,
                     hd_pair_key(sync->partner_thread, sync->partner, true));
    return true;
}

static int
compare_waiting(const void *left, const void *right)
{
    const hd_backward_message *const *a = left, *const *b = right;

    if ((*a)->item.from != (*b)->item.from)
        return (*a)->item.from < (*b)->item.from ? -1 : 1;
    return (*a)->item.from_thread < (*b)->item.from_thread ? -1 : (*a)->item.from_thread > (*b)->item.from_thread;
}

/* Points of one record that several waited for stand side by side, in the order of who waited: their messages are put
 * in the same order when the last of them is come to. One that did not come, as its sender was released, leaves the
 * place of none. */
static inline bool
is_of_record(const hd_syncs *syncs, uint32_t i, const hd_sync *sync)
{
    hd_sync other;

    if (hd_sync_kind_at(syncs, i) != HD_SYNC_SEND)
        return false;
    other = hd_sync_at(syncs, i);
    return other.order == sync->order && other.enter == sync->enter;
}

static void
find_waiting(hd_waiting *waiting, const hd_syncs *syncs, uint32_t point, const hd_sync *sync)
{
    waiting->end   = point + 1;
    waiting->first = point;
    while (is_of_record(syncs, waiting->first - 1, sync))
        waiting->first--;
}

static void
sort_messages(hd_waiting *waiting, const hd_backward_messages *all)
{
    waiting->n_messages = 0;
    for (const hd_backward_message *message = all->first; message != NULL; message = message->next)
        HD_PUSH(waiting->messages, waiting->n_messages, waiting->capacity_messages, message);
    qsort(waiting->messages, waiting->n_messages, sizeof(const hd_backward_message *), compare_waiting);
}

static const hd_backward_message *
message_of(hd_waiting *waiting, const hd_sync *sync)
{
    const hd_backward_message *last;

    while (waiting->n_messages > 0) {
        last = waiting->messages[waiting->n_messages - 1];
        if (last->item.from < sync->peer ||
            (last->item.from == sync->peer && last->item.from_thread < sync->partner_thread))
            break;
        waiting->n_messages--;
        if (last->item.from == sync->peer && last->item.from_thread == sync->partner_thread)
            return last;
    }
    return NULL;
}

static void
attribute_pair(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point, const hd_sync *sync,
               const hd_backward_message *message)
{
    double         waits = hd_sync_time_pruned(&rh->backward->own, vproc->syncs, sync->previous, point,
                                               hd_attribution_rules(rh, sync->kind == HD_SYNC_WAITED));

    rh->backward->scales.n = 0;
    hd_attribute_wait(rh, worker, vproc, message, waits, sync->previous, point);
    hd_attributions_put_in_force(rh, &vproc->backward->attributions, &rh->backward->scales, false, sync->previous);
}

bool
hd_pass_pair(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, uint32_t point, const hd_sync *sync)
{
    uint64_t          key     = hd_pair_key(vproc->thread, sync->order, sync->kind == HD_SYNC_REQUEST);
    const hd_syncs   *syncs   = vproc->syncs;
    hd_waiting       *waiting = &vproc->backward->waiting;
    bool              is_one  = sync->kind != HD_SYNC_SEND || /* who waited */
                       !(is_of_record(syncs, point - 1, sync) || is_of_record(syncs, point + 1, sync));
    hd_backward_messages *all;
    const hd_backward_message *message;

    if (!is_one && !(waiting->first <= point && point < waiting->end))
        find_waiting(waiting, syncs, point, sync);
    all = hd_backward_messages_expect(rh, vproc, key, is_one ? 1 : waiting->end - waiting->first);
    if (all == NULL)
        return false;
    if (!is_one && point == waiting->end - 1)
        sort_messages(waiting, all);
    message = is_one ? all->first : message_of(waiting, sync);
    if (message != NULL && rh->replay->request->delays)
        attribute_pair(rh, worker, vproc, point, sync, message);
    if (message != NULL && message->item.on_path)
        hd_path_enter_at(vproc, point, message->item.delay == HD_DELAY_RMA ? message->item.leave : 0);
    if (is_one || point == waiting->first)
        hd_backward_messages_done(rh, vproc, key, all);
    return true;
}
