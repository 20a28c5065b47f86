/* replay/forward/forward_pattern.c: lists of the functions of the patterns that are active in this analysis. The lists
 * are made once, so that a message costs nothing for a pattern that does not want it. */
#include "forward_pattern.h"

static void
add_hook(hd_hook_list *list, hd_pattern_hook *hook, uint32_t row, uint32_t offset)
{
    if (hook == NULL)
        return;
    list->entries[list->n].hook   = hook;
    list->entries[list->n].row    = row;
    list->entries[list->n].offset = offset;
    list->n++;
}

static void
make_list(hd_hook_list *list, uint32_t n_rows)
{
    list->entries = hd_alloc(n_rows, sizeof *list->entries);
}

static size_t
words_of(const hd_forward_pattern *row) /* of 8 bytes, in bytes */
{
    return (row->state_bytes + 7) & ~(size_t)7;
}

void
hd_patterns_start(hd_replay *replay, const hd_forward_pattern *const *rows, uint32_t n_rows)
{
    hd_pattern_hooks *hooks = HD_NEW(hd_pattern_hooks);

    hooks->rows    = rows;
    hooks->n_rows  = n_rows;
    hooks->offsets = HD_NEW_ARRAY(uint32_t, (size_t)n_rows + 1);
    for (uint32_t i = 0; i < n_rows; i++)
        hooks->offsets[i + 1] = hooks->offsets[i] + (uint32_t)words_of(rows[i]);
    make_list(&hooks->send, n_rows);
    make_list(&hooks->receive, n_rows);
    make_list(&hooks->late_receiver, n_rows);
    make_list(&hooks->leave, n_rows);
    make_list(&hooks->finish, n_rows);
    for (uint32_t i = 0; i < n_rows; i++)
        if (rows[i]->is_wanted == NULL || rows[i]->is_wanted(replay)) {
            add_hook(&hooks->send, rows[i]->on_send, i, hooks->offsets[i]);
            add_hook(&hooks->receive, rows[i]->on_receive, i, hooks->offsets[i]);
            add_hook(&hooks->late_receiver, rows[i]->on_late_receiver, i, hooks->offsets[i]);
            add_hook(&hooks->leave, rows[i]->on_leave, i, hooks->offsets[i]);
        }
    for (uint32_t i = n_rows; i-- > 0;)
        if (rows[i]->is_wanted == NULL || rows[i]->is_wanted(replay))
            add_hook(&hooks->finish, rows[i]->on_finish, i, hooks->offsets[i]);
    replay->hooks = hooks;
}

void
hd_patterns_end(hd_replay *replay)
{
    free(replay->hooks->send.entries);
    free(replay->hooks->receive.entries);
    free(replay->hooks->late_receiver.entries);
    free(replay->hooks->leave.entries);
    free(replay->hooks->finish.entries);
    free(replay->hooks->offsets);
    free(replay->hooks);
    replay->hooks = NULL;
}

void
hd_patterns_start_vproc(hd_vproc *vproc, const hd_replay *replay)
{
    vproc->states = hd_alloc(replay->hooks->offsets[replay->hooks->n_rows], 1);
}

void
hd_patterns_end_vproc(hd_vproc *vproc)
{
    free(vproc->states);
    vproc->states = NULL;
}

static void
take_item(hd_replay_worker *rh, hd_worker *worker, uint32_t row, const void *item)
{
    const uint32_t *to    = item;
    hd_p2p_event    event = { .rh = rh, .worker = worker, .vproc = hd_replay_vproc(rh->replay, to[0], to[1]),
                              .row = row };

    rh->replay->hooks->rows[row]->on_item(&event, event.vproc->states + rh->replay->hooks->offsets[row], item);
}

void
hd_pattern_notify_peer(const hd_p2p_event *event, const void *item, uint32_t bytes)
{
    const uint32_t *to   = item;
    uint32_t        home = hd_placement_worker(event->rh->replay->request->placement, (hd_process){ to[0] });

    if (home == hd_worker_number(event->worker))
        take_item(event->rh, event->worker, event->row, item);
    else
        hd_worker_send(event->worker, home, HD_ITEM_PATTERN + event->row, item, bytes, NULL, 0);
}

void
hd_pattern_deliver(hd_replay_worker *rh, hd_worker *worker, uint32_t kind, const void *item)
{
    take_item(rh, worker, kind - HD_ITEM_PATTERN, item);
}
