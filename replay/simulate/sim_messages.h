/* replay/simulate/sim_messages.h: what receives and sends depend on.
 *
 *   exchange   each send goes to the worker of its receiver; on the same worker it stays with its location, by channel
 *              and number, unless several threads send on the channel
 *   match      each receive finds its send by its number in the channel
 *   learn      what sends wait for (sim_protocol.h)
 *   settle     each send that waits for its receiver gets its dependency, on the worker of the sender
 *
 * Uses: sim_state.h. MT: the worker's thread. Ranks: local; items go to other workers.
 */
#ifndef HD_SIM_MESSAGES_H
#define HD_SIM_MESSAGES_H

#include "sim_state.h"

typedef struct hd_sim_dependency_item {
    uint32_t          process, thread; /* of the location that it is for */
    uint32_t          path, tag, sender_thread, unused; /* of the message */
    hd_sim_dependency dependency;
} hd_sim_dependency_item;

/* Before the op log of the location is read. */
void hd_sim_sends_make_room(hd_sim_worker *sw, hd_sim_location *location);
/* The number of an operation in its channel; each asks once. */
static inline uint32_t
hd_sim_take_number(hd_sim_location *location, uint32_t channel)
{
    if (HD_UNLIKELY(location->location->log.channels[channel].has_numbers))
        return hd_cursor_number(&location->cursor);
    return location->next[channel]++;
}

/* A record of that call, which the location's cursor has read last. */
static inline void
hd_sim_send_found(hd_sim_location *location, const hd_op *op, uint32_t call)
{
    const hd_oplog *log            = &location->location->log;
    bool            is_nonblocking = (op->flags & HD_OP_NONBLOCKING) != 0;
    hd_sim_sent     sent;

    if (is_nonblocking && log->completions[op->number].call == HD_COMPLETION_CANCELLED) {
        if (log->channels[op->channel].has_numbers)
            hd_cursor_number(&location->cursor);
        return;
    }
    sent = (hd_sim_sent){ .bytes = op->sent, .call = call, .channel = op->channel,
                          .number  = hd_sim_take_number(location, op->channel),
                          .request = is_nonblocking ? op->number : HD_NONE };
    if (HD_LIKELY(location->first_sent[op->channel] != HD_NONE && sent.number < log->channels[op->channel].n))
        location->own_sent[location->first_sent[op->channel] + sent.number] = sent;
    else
        HD_PUSH(location->sent, location->n_sent, location->capacity_sent, sent);
}

static inline void
hd_sim_receive_found(hd_sim_location *location, const hd_op *op, uint32_t call)
{
    uint32_t thread    = location->thread;
    bool     is_posted = (op->flags & HD_OP_NONBLOCKING) == 0;

    if (HD_UNLIKELY((op->flags & HD_OP_ELSEWHERE) != 0)) {
        thread    = location->location->log.rare->posted_elsewhere[location->cursor.i_posted_elsewhere - 1].thread;
        is_posted = false;
    }
    HD_PUSH(location->receives, location->n_receives, location->capacity_receives,
            ((hd_sim_receive){ .begin = op->begin, .call = call, .channel = op->channel, .post = op->post,
                               .number = hd_sim_take_number(location, op->channel),
                               .post_call = is_posted ? call : HD_NONE, .post_thread = thread }));
}

/* A send that is exchanged, once all calls of its process are known. */
void hd_sim_send_exchange(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, const hd_sim_sent *sent);
/* A message of the location on one of its channels; on the worker of the receiver, once all have arrived, NULL: there
 * is none of that number. Lent until the queues are freed. */
void hd_sim_send_on(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, uint32_t channel,
                    uint32_t number, const hd_sim_send *send);
const hd_sim_send *hd_sim_send_take(hd_sim_worker *sw, hd_sim_location *location, uint32_t channel, uint32_t number);
void hd_sim_send_deliver(hd_sim_worker *sw, const void *data);

/* Once all sends have arrived. */
void hd_sim_match(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location);

/* Once the protocol is known. */
void hd_sim_settle_sends(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location);
/* To the location that it is for. */
void hd_sim_dependency_send(hd_sim_worker *sw, hd_worker *worker, const hd_sim_dependency_item *item);
void hd_sim_dependency_deliver(hd_sim_worker *sw, const void *data);

/* The first call of the op log that was left after that time; HD_NONE: there is none. While the model is made. */
uint32_t hd_sim_call_after(hd_sim_location *location, hd_time time);

/* hd_sim_mode of the calls of each region: [defs->n_regions]; free() it. */
uint8_t *hd_sim_modes(const hd_defs *defs);

#endif
