/* replay/forward/forward_pattern.h: a pattern of point-to-point messages, and what it is notified of.
 *
 * A pattern is a file with one hd_forward_pattern, which stands as a row in pattern_table.c: nothing else in the replay
 * knows it. Its functions are called on the location's own thread, with the location's vproc, in the order of the rows:
 *
 *   on_send            a send that has a receive, before its message leaves
 *   on_receive         a receive and its message, in the call that receives or completes it
 *   on_late_receiver   a Late Receiver was booked for a send of this location
 *   on_leave           the current call is left, after all its records; only if a pattern set vproc->wants_leave in
 *                      this call
 *   on_item            an item that the same pattern sent to this location (hd_pattern_notify_peer), at any time and in
 *                      any order: what is
 *                      booked must not depend on that
 *   on_finish          nothing comes any more; the last row first, so that a row can still notify those above it. Frees
 *                      what the state has
 *
 * A pattern books with hd_severity_add() at call paths of the location; waiting time that has causes becomes a
 * synchronization point, too (sync_notify.h). Its metrics are rows of src/profile/metric_table.h.
 *
 * Inside of the replay only. Uses: core. MT: the worker's thread. Ranks: local. Cost: per event a call of each pattern
 * that asked for it.
 */
#ifndef HD_FORWARD_PATTERN_H
#define HD_FORWARD_PATTERN_H

#include "vproc.h"
#include "p2p_message.h"

typedef struct hd_p2p_event {
    hd_replay_worker *rh;
    hd_worker        *worker;
    hd_vproc         *vproc;             /* on_send, on_receive, on_leave: op and cursor.call are those of the event */
    const hd_message *message;           /* of a receive; else NULL */
    hd_span           late_sender;       /* set by Late Sender for the rows below: booked waiting time; 0: none */
    uint32_t          late_sender_order; /* at a leave: the receive of the call that late_sender is of, */
    uint32_t          late_sender_peer;  /* and its sender */
    const hd_wait    *late_receiver;     /* of on_late_receiver; else not set */
    uint32_t          row;               /* of the pattern that is notified */
} hd_p2p_event;

typedef void hd_pattern_hook(hd_p2p_event *event, void *state);

typedef struct hd_forward_pattern {
    size_t state_bytes;                         /* of a location; zeros at first */
    bool (*is_wanted)(const hd_replay *replay); /* NULL: always */
    hd_pattern_hook *on_send, *on_receive, *on_late_receiver, *on_leave, *on_finish; /* NULL: not notified */
    void (*on_item)(hd_p2p_event *event, void *state, const void *item); /* NULL: the pattern sends none */
} hd_forward_pattern;

typedef struct hd_hook_list {
    struct {
        hd_pattern_hook *hook;
        uint32_t         row, offset; /* offset: of its state */
    }       *entries; /* [n] */
    uint32_t n;
} hd_hook_list;

typedef struct hd_pattern_hooks { /* of those rows that are wanted */
    const hd_forward_pattern *const *rows; /* [n_rows] */
    uint32_t                         n_rows;
    uint32_t                        *offsets; /* [n_rows + 1] of the states of a location; last: bytes of all */
    hd_hook_list                     send, receive, late_receiver, leave, finish;
} hd_pattern_hooks;

/* rows: [n_rows] kept. Main thread only, before and after the engine runs. */
void hd_patterns_start(hd_replay *replay, const hd_forward_pattern *const *rows, uint32_t n_rows);
void hd_patterns_end(hd_replay *replay);
/* A vproc's states. */
void hd_patterns_start_vproc(hd_vproc *vproc, const hd_replay *replay);
void hd_patterns_end_vproc(hd_vproc *vproc);

static inline void
hd_patterns_notify(const hd_hook_list *list, hd_p2p_event *event)
{
    for (uint32_t i = 0; i < list->n; i++) {
        event->row = list->entries[i].row;
        list->entries[i].hook(event, event->vproc->states + list->entries[i].offset);
    }
}

/* To the same pattern at another location; at once where that is hosted here.
 *   item   [bytes] begins with the process and the thread that it is for, two uint32_t; whole words */
void hd_pattern_notify_peer(const hd_p2p_event *event, const void *item, uint32_t bytes);
void hd_pattern_deliver(hd_replay_worker *rh, hd_worker *worker, uint32_t kind, const void *item);

#endif
