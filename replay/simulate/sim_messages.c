/* replay/simulate/sim_messages.c: sends travel to their receivers, which know both ends then. */
#include "sim_messages.h"

#include <strings.h>

#include "sim_roles.h"

typedef struct hd_sim_send_item {
    hd_channel_key key;
    uint32_t       number, unused;
    hd_sim_send    send;
} hd_sim_send_item;

_Static_assert(sizeof(hd_sim_send_item) % 8 == 0 && sizeof(hd_sim_dependency_item) % 8 == 0, "items are whole words");

uint8_t *
hd_sim_modes(const hd_defs *defs)
{
    static const struct {
        const char *name;
        hd_sim_mode mode;
    } rows[] = { { "MPI_Ssend", HD_SIM_SYNCHRONOUS },  { "MPI_Issend", HD_SIM_SYNCHRONOUS },
                 { "MPI_Bsend", HD_SIM_NEVER_WAITS }, { "MPI_Ibsend", HD_SIM_NEVER_WAITS },
                 { "MPI_Rsend", HD_SIM_NEVER_WAITS }, { "MPI_Irsend", HD_SIM_NEVER_WAITS },
                 { "MPI_Waitall", HD_SIM_COMPLETES_ALL }, { "MPI_Testall", HD_SIM_COMPLETES_ALL } };
    uint8_t *modes = HD_NEW_ARRAY(uint8_t, defs->n_regions);

    for (uint32_t r = 0; r < defs->n_regions; r++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            if (strcasecmp(hd_defs_text(defs, hd_defs_regions(defs)[r].name), rows[i].name) == 0)
                modes[r] = (uint8_t)rows[i].mode;
    return modes;
}

/* ---- exchange ---------------------------------------------------------------------------------------------------- */

/* The call that completes the send, on which thread; HD_NONE: none that could wait. */
static uint32_t
find_done(const hd_sim_worker *sw, const hd_sim_location *location, const hd_sim_sent *sent, uint32_t *thread)
{
    const hd_oplog *log = &location->location->log;
    hd_completion   completion;

    *thread = location->thread;
    if (sent->request == HD_NONE)
        return sent->call;
    completion = log->completions[sent->request];
    if (completion.call == HD_COMPLETION_ELSEWHERE) {
        size_t low = 0, high = log->rare->n_elsewhere;

        while (high - low > 1) {
            size_t middle = (low + high) / 2;

            *(log->rare->elsewhere[middle].send <= sent->request ? &low : &high) = middle;
        }
        completion = log->rare->elsewhere[low].completion;
        *thread    = log->rare->elsewhere[low].thread;
    }
    if (completion.call == HD_COMPLETION_NONE)
        return HD_NONE;
    return hd_sim_location_of(sw->sim, location->process_id, *thread)->call_of_send_call[completion.call];
}

static void
describe(const hd_sim_worker *sw, const hd_sim_location *location, const hd_sim_sent *sent, hd_sim_send *send)
{
    const hd_sim_call *call = &location->calls[sent->call], *done;

    *send = (hd_sim_send){ .enter = call->enter, .bytes = sent->bytes, .thread = location->thread, .call = sent->call,
                           .path = hd_sim_path_of(location, call->node),
                           .mode = sw->sim->modes[hd_sim_region(location, call)] };
    send->done_call = find_done(sw, location, sent, &send->done_thread);
    if (send->done_call == HD_NONE)
        return;
    done             = &hd_sim_location_of(sw->sim, location->process_id, send->done_thread)->calls[send->done_call];
    send->done_enter = done->enter;
    send->done_leave = done->leave;
    send->is_pure    = (done->flags & HD_SIM_CALL_RECEIVES) == 0;
}

static hd_sim_message
message_of(const hd_sim_send *send, uint32_t process, uint32_t tag)
{
    return (hd_sim_message){ .bytes = send->bytes, .path = send->path, .tag = tag, .process = process,
                             .thread = send->thread };
}

/* In the calls of the sender. */
static void
add_roles_of_send(const hd_sim_worker *sw, hd_sim_location *location, const hd_sim_send *send, uint32_t tag)
{
    hd_sim_message message = message_of(send, location->process_id, tag);

    hd_sim_role_add(location, send->call, &message, true);
    if (send->done_call != HD_NONE && (send->done_call != send->call || send->done_thread != send->thread))
        hd_sim_role_add(hd_sim_location_of(sw->sim, location->process_id, send->done_thread), send->done_call, &message,
                        false);
}

/* ---- sends of this worker ---------------------------------------------------------------------------------------- */

static uint64_t
hash_of(const hd_channel *channel, uint32_t sender, uint32_t receiver)
{
    return hd_hash((uint64_t)channel->comm << 32 | channel->tag) ^ ((uint64_t)sender << 32 | receiver);
}

static void
add_channel(hd_sim_worker *sw, const hd_sim_location *location, uint32_t number)
{
    const hd_channel *channel = &location->location->log.channels[number];
    uint64_t          hash    = hash_of(channel, location->process_id, channel->peer);
    bool              is_new  = false;

    for (; !is_new; hash++) {
        uint64_t *place;

        hash += hash == HD_MAP_FREE;
        place = hd_map_add(&sw->channels, hash, &is_new);
        if (is_new)
            *place = (uint64_t)location->number << 32 | number;
    }
}

/* The sends to a receive's channel; .sender NULL: they are not here, or are exchanged. */
static hd_sim_source
find_source(const hd_sim_worker *sw, const hd_sim_location *location, const hd_channel *channel)
{
    uint64_t        hash = hash_of(channel, channel->peer, location->process_id);
    const uint64_t *place;

    for (;; hash++) {
        hd_sim_source     source = { .is_known = true };
        const hd_channel *other;

        hash += hash == HD_MAP_FREE;
        place = hd_map_get(&sw->channels, hash);
        if (place == NULL)
            return source;
        source.sender  = &sw->sim->locations[*place >> 32];
        source.channel = (uint32_t)*place;
        other          = &source.sender->location->log.channels[source.channel];
        if (other->comm == channel->comm && other->tag == channel->tag && other->peer == location->process_id &&
            source.sender->process_id == channel->peer)
            return source;
    }
}

/* Of messages; notifications on windows are other records. */
static bool
is_of_sends(const hd_sim *sim, const hd_channel *channel)
{
    return channel->kind == HD_CHANNEL_SEND && channel->comm < hd_first_window(sim->defs);
}

void
hd_sim_sends_make_room(hd_sim_worker *sw, hd_sim_location *location)
{
    const hd_oplog *log  = &location->location->log;
    uint32_t        home = hd_sim_home(sw->sim, location->process_id), n_own = 0;
    size_t          n    = 0;

    location->first_sent = HD_NEW_UNSET(uint32_t, log->n_channels);
    for (uint32_t c = 0; c < log->n_channels; c++) {
        const hd_channel *channel = &log->channels[c];

        location->first_sent[c] = HD_NONE;
        if (!is_of_sends(sw->sim, channel))
            continue;
        n += channel->n;
        if (channel->has_numbers || n > HD_NONE || hd_sim_home(sw->sim, channel->peer) != home)
            continue;
        location->first_sent[c] = n_own;
        n_own += channel->n;
        add_channel(sw, location, c);
    }
    location->own_sent = HD_NEW_UNSET(hd_sim_sent, n_own);
    HD_RESERVE(location->sent, location->n_sent, location->capacity_sent, n - n_own);
    HD_RESERVE(location->notices, location->n_notices, location->capacity_notices, n);
}

/* How many sends of the channel are not exchanged. */
static inline uint32_t
n_own(const hd_sim_location *location, uint32_t channel)
{
    uint32_t next = location->next[channel], n = location->location->log.channels[channel].n;

    return location->first_sent[channel] == HD_NONE ? 0 : next < n ? next : n;
}

/* NULL: it is not of this worker, or was exchanged. */
static inline const hd_sim_sent *
own_send(const hd_sim_worker *sw, hd_sim_location *location, const hd_sim_receive *receive)
{
    hd_sim_source *source = &location->sources[receive->channel];

    if (HD_UNLIKELY(!source->is_known))
        *source = find_source(sw, location, &location->location->log.channels[receive->channel]);
    if (source->sender == NULL || receive->number >= n_own(source->sender, source->channel))
        return NULL;
    return &source->sender->own_sent[source->sender->first_sent[source->channel] + receive->number];
}

/* The roles of those that are not exchanged. */
static void
add_roles_of_own(hd_sim_worker *sw, hd_sim_location *location)
{
    const hd_oplog *log = &location->location->log;

    for (uint32_t c = 0; c < log->n_channels; c++)
        for (uint32_t i = 0; i < n_own(location, c); i++) {
            hd_sim_send send;

            describe(sw, location, &location->own_sent[location->first_sent[c] + i], &send);
            add_roles_of_send(sw, location, &send, log->channels[c].tag);
        }
}

/* ---- exchanged sends --------------------------------------------------------------------------------------------- */

/* Of a channel of the location, to or from a process of this worker. */
static hd_channel_queue *
queue_of(hd_sim_worker *sw, hd_sim_location *location, uint32_t channel, bool is_send)
{
    const hd_channel *of  = &location->location->log.channels[channel];
    uint32_t          own = location->process_id;

    if (HD_UNLIKELY(location->queues[channel] == NULL))
        location->queues[channel] = hd_channel_queues_get(
            &sw->queues, (hd_channel_key){ of->comm, of->tag, is_send ? own : of->peer, is_send ? of->peer : own });
    return location->queues[channel];
}

void
hd_sim_send_on(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, uint32_t channel, uint32_t number,
               const hd_sim_send *send)
{
    const hd_channel *of   = &location->location->log.channels[channel];
    uint32_t          home = hd_sim_home(sw->sim, of->peer);
    hd_sim_send_item  item;

    if (home == hd_worker_number(worker)) {
        hd_channel_queues_put(&sw->queues, queue_of(sw, location, channel, true), number, send);
        return;
    }
    item = (hd_sim_send_item){ .key = { of->comm, of->tag, location->process_id, of->peer }, .number = number,
                               .send = *send };
    hd_worker_send(worker, home, HD_SIM_ITEM_SEND, &item, sizeof item, NULL, 0);
}

const hd_sim_send *
hd_sim_send_take(hd_sim_worker *sw, hd_sim_location *location, uint32_t channel, uint32_t number)
{
    const hd_queued_message *queued = hd_channel_queues_take(queue_of(sw, location, channel, false), number);

    return queued != NULL ? (const hd_sim_send *)(const void *)queued->payload : NULL;
}

void
hd_sim_send_exchange(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, const hd_sim_sent *sent)
{
    hd_sim_send send;

    describe(sw, location, sent, &send);
    if (sw->sim->wants_roles)
        add_roles_of_send(sw, location, &send, location->location->log.channels[sent->channel].tag);
    hd_sim_send_on(sw, worker, location, sent->channel, sent->number, &send);
}

void
hd_sim_send_deliver(hd_sim_worker *sw, const void *data)
{
    const hd_sim_send_item *item = data;

    hd_channel_queues_put(&sw->queues, hd_channel_queues_get(&sw->queues, item->key), item->number, &item->send);
}

/* ---- match ------------------------------------------------------------------------------------------------------- */

static bool
is_first_post(const hd_sim_location *location, size_t i, hd_time enter)
{
    return i < location->n_posts && location->posts[i].enter == enter &&
           (i == 0 || location->posts[i - 1].enter != enter);
}

/* The first post at that time, n_posts if there is none. Mostly the last one that was found, or the next one. */
static size_t
first_post(hd_sim_location *location, hd_time enter)
{
    size_t low = 0, high = location->n_posts;

    for (size_t i = location->i_post; i < location->i_post + 2; i++)
        if (is_first_post(location, i, enter))
            return location->i_post = i;
    while (low < high) {
        size_t middle = (low + high) / 2;

        if (location->posts[middle].enter < enter)
            low = middle + 1;
        else
            high = middle;
    }
    location->i_post = low;
    return low < location->n_posts && location->posts[low].enter == enter ? low : location->n_posts;
}

/* Which call posted the receive; HD_NONE: that is not known. */
static uint32_t
find_post(const hd_sim *sim, const hd_sim_location *location, const hd_sim_receive *receive)
{
    hd_sim_location *poster = hd_sim_location_of(sim, location->process_id, receive->post_thread);
    uint32_t         nth    = receive->post != HD_NONE ? receive->post : 0;
    size_t           i;

    if (receive->post_call != HD_NONE || receive->begin == 0)
        return receive->post_call;
    i = first_post(poster, receive->begin);
    if (nth >= poster->n_posts - i || poster->posts[i + nth].enter != receive->begin)
        return HD_NONE;
    return poster->posts[i + nth].call;
}

/* Of each call the first of those that it follows with hardly any time between: the location is in MPI since then. */
static void
find_periods(const hd_sim *sim, hd_sim_location *location)
{
    hd_time  little = sim->defs->resolution / HD_SIM_ADJACENT;
    uint32_t period = 0;

    location->periods = HD_NEW_UNSET(uint32_t, location->n_calls + 1);
    for (size_t i = 0; i < location->n_calls; i++) {
        const hd_sim_call *call = &location->calls[i];

        if (i == 0 || call->enter >= call[-1].leave + little ||
            ((call->flags | call[-1].flags) & HD_SIM_CALL_THREADS) != 0)
            period = (uint32_t)i;
        location->periods[i] = period;
    }
}

static bool
is_left(const hd_sim_location *location, size_t i, hd_time time)
{
    return location->calls[location->op_calls[i]].leave <= time;
}

/* Near the last one, mostly: so the range that is searched grows from there. */
uint32_t
hd_sim_call_after(hd_sim_location *location, hd_time time)
{
    size_t n = location->n_op_calls, low = location->i_after, high = low, step = 1;

    if (low < n && is_left(location, low, time)) {
        for (high = low + 1; high < n && is_left(location, high, time); step *= 2) {
            low  = high;
            high = low + step < n ? low + step : n;
        }
        low++;
    } else
        while (low > 0 && !is_left(location, low - 1, time)) {
            high = low - 1;
            low  = high > step ? high - step : 0;
            step *= 2;
        }
    while (low < high) {
        size_t middle = (low + high) / 2;

        if (is_left(location, middle, time))
            low = middle + 1;
        else
            high = middle;
    }
    location->i_after = low;
    return low < n ? location->op_calls[low] : HD_NONE;
}

/* A send was completed by a call with that enter: where the receiver is then, from a call on that it left later. */
typedef struct sim_receiver {
    uint32_t next;  /* that call, if the receiver enters it later as well; HD_NONE: it is in one, or there is none */
    uint32_t there; /* with whose enter the receiver is in MPI then, or else next; HD_NONE: in none from then on */
} sim_receiver;

static sim_receiver
receiver_at(const hd_sim *sim, hd_sim_location *location, hd_time time)
{
    uint32_t call = hd_sim_call_after(location, time), period;

    if (location->periods == NULL)
        find_periods(sim, location);
    if (call == HD_NONE)
        return (sim_receiver){ HD_NONE, HD_NONE };
    period = location->periods[call];
    return (sim_receiver){ .next  = location->calls[call].enter > time ? call : HD_NONE,
                           .there = location->calls[period].enter > time ? call : period };
}

/* Of a standard send to another process, completed by a call that completes sends only, before the receive is
 * posted. */
static void
add_evidence(uint64_t n[HD_SIM_N_EVIDENCE], const hd_sim_send *send, hd_time post_enter, const hd_sim_call *next)
{
    n[0]++;
    n[1] += send->done_leave < post_enter;
    if (next == NULL)
        return;
    n[2]++;
    n[3] += send->done_leave < next->enter;
}

/* A loop of probes that ends with the post of the receive waits for the send. */
static void
wait_in_probes(const hd_sim *sim, const hd_sim_location *location, const hd_sim_receive *receive, uint32_t process,
               const hd_sim_send *send, uint32_t message)
{
    hd_sim_location *poster;

    if (receive->post_call == HD_NONE || (receive->post_call == receive->call &&
                                          receive->post_thread == location->thread))
        return;
    poster = hd_sim_location_of(sim, location->process_id, receive->post_thread);
    if ((poster->calls[receive->post_call].flags & HD_SIM_CALL_POLLED) != 0)
        hd_sim_add_dependency(poster, &(hd_sim_dependency){
            .kind = HD_SIM_RECEIVE, .call = receive->post_call, .message = message, .time = send->enter,
            .bytes = send->bytes, .process = process, .thread = send->thread, .from = send->call,
            .is_same_node = hd_sim_is_same_node(sim, process, location->process_id) });
}

/* The send as one that may wait for this receive. */
static void
consider(hd_sim_worker *sw, hd_sim_location *location, const hd_sim_receive *receive, const hd_channel *channel,
         const hd_sim_send *send, bool is_same_node)
{
    bool             is_own = channel->peer == location->process_id;
    sim_receiver     at     = { HD_NONE, HD_NONE };
    hd_time          post_enter, there_enter;
    hd_sim_location *poster;

    if (send->done_call == HD_NONE || receive->post_call == HD_NONE || send->mode == HD_SIM_NEVER_WAITS)
        return;
    poster     = hd_sim_location_of(sw->sim, location->process_id, receive->post_thread);
    post_enter = poster->calls[receive->post_call].enter;
    if (!is_own)
        at = receiver_at(sw->sim, poster, send->done_enter);
    there_enter = at.there != HD_NONE ? poster->calls[at.there].enter : UINT64_MAX;
    if (!is_own && send->mode == HD_SIM_STANDARD && send->is_pure && post_enter > send->done_enter)
        add_evidence(sw->evidence.n[is_same_node][hd_sim_power(send->bytes)], send, post_enter,
                     at.next != HD_NONE ? &poster->calls[at.next] : NULL);
    if (send->done_leave >= post_enter || send->done_leave >= there_enter || send->bytes > sw->sim->least_limit)
        HD_PUSH(location->candidates, location->n_candidates, location->capacity_candidates, ((hd_sim_candidate){
            .bytes = send->bytes, .done_leave = send->done_leave, .post_enter = post_enter, .there_enter = there_enter,
            .post_thread = receive->post_thread, .post_call = receive->post_call, .there_call = at.there,
            .process = channel->peer, .thread = send->thread, .done_thread = send->done_thread,
            .done_call = send->done_call, .path = send->path, .tag = channel->tag, .mode = send->mode }));
}

/* In the calls of the receiver. numbers: of the message where the receive is posted, and where it is completed. */
static void
add_roles_of_receive(const hd_sim *sim, hd_sim_location *location, const hd_sim_receive *receive,
                     const hd_sim_message *message, uint32_t numbers[2])
{
    if (receive->post_call != HD_NONE &&
        (receive->post_call != receive->call || receive->post_thread != location->thread))
        numbers[0] = hd_sim_role_add(hd_sim_location_of(sim, location->process_id, receive->post_thread),
                                     receive->post_call, message, true);
    numbers[1] = hd_sim_role_add(location, receive->call, message, true);
}

static void
match(hd_sim_worker *sw, hd_sim_location *location, hd_sim_receive *receive, const hd_sim_send *send)
{
    const hd_sim     *sim         = sw->sim;
    const hd_channel *channel     = &location->location->log.channels[receive->channel];
    uint32_t          messages[2] = { 0, 0 };
    bool              is_same     = hd_sim_is_same_node(sim, channel->peer, location->process_id);

    receive->post_call = find_post(sim, location, receive);
    if (sim->wants_roles) {
        hd_sim_message described = message_of(send, channel->peer, channel->tag);

        add_roles_of_receive(sim, location, receive, &described, messages);
    }
    *hd_sim_new_dependency(location) = (hd_sim_dependency){
        .kind = HD_SIM_RECEIVE, .call = receive->call, .message = messages[1], .time = send->enter,
        .bytes = send->bytes, .process = channel->peer, .thread = send->thread, .from = send->call,
        .is_same_node = is_same };
    wait_in_probes(sim, location, receive, channel->peer, send, messages[0]);
    consider(sw, location, receive, channel, send, is_same);
}

void
hd_sim_match(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location)
{
    hd_sim_send described;

    (void)worker;
    HD_RESERVE(location->candidates, location->n_candidates, location->capacity_candidates, location->n_receives);
    if (sw->sim->wants_roles)
        add_roles_of_own(sw, location);
    for (size_t i = 0; i < location->n_receives; i++) {
        hd_sim_receive    *receive = &location->receives[i];
        const hd_sim_sent *sent    = own_send(sw, location, receive);
        const hd_sim_send *send    = &described;

        if (HD_LIKELY(sent != NULL))
            describe(sw, location->sources[receive->channel].sender, sent, &described);
        else
            send = hd_sim_send_take(sw, location, receive->channel, receive->number);
        if (HD_LIKELY(send != NULL)) {
            match(sw, location, receive, send);
            continue;
        }
        location->calls[receive->call].flags |= HD_SIM_CALL_KEPT;
        sw->counts.n_unmatched++;
    }
    free(location->receives);
    location->receives   = NULL;
    location->n_receives = location->capacity_receives = 0;
}

/* ---- settle ------------------------------------------------------------------------------------------------------ */

/* What the send waits for, HD_SIM_EAGER: for no receiver. A send that was over before is not one that waited. */
static hd_sim_waiting
waits_for(hd_sim_waiting waiting, const hd_sim_candidate *candidate)
{
    if (candidate->mode == HD_SIM_SYNCHRONOUS)
        waiting = HD_SIM_WAITS_FOR_POST;
    if (waiting == HD_SIM_WAITS_FOR_POST && candidate->done_leave >= candidate->post_enter)
        return HD_SIM_WAITS_FOR_POST;
    if (waiting == HD_SIM_WAITS_FOR_PROGRESS && candidate->there_call != HD_NONE &&
        candidate->done_leave >= candidate->there_enter)
        return HD_SIM_WAITS_FOR_PROGRESS;
    return HD_SIM_EAGER;
}

void
hd_sim_settle_sends(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location)
{
    const hd_sim *sim = sw->sim;
    uint32_t      own = location->process_id;

    for (size_t i = 0; i < location->n_candidates; i++) {
        const hd_sim_candidate *candidate = &location->candidates[i];
        hd_sim_dependency       dependency;
        bool           is_same  = hd_sim_is_same_node(sim, own, candidate->process);
        hd_sim_waiting learned  = (hd_sim_waiting)sim->protocol.waiting[is_same][hd_sim_power(candidate->bytes)];
        hd_sim_waiting waiting  = waits_for(learned, candidate);
        bool           progress = waiting == HD_SIM_WAITS_FOR_PROGRESS;

        /* The archive shows it as eager: another limit may let it wait. */
        if (waiting == HD_SIM_EAGER &&
            (candidate->bytes <= sim->least_limit || candidate->mode != HD_SIM_STANDARD || candidate->process == own ||
             learned != HD_SIM_EAGER))
            continue;
        dependency = (hd_sim_dependency){ .kind = progress ? HD_SIM_PROGRESS : HD_SIM_RENDEZVOUS,
                                          .bytes = candidate->bytes, .call = candidate->done_call, .process = own,
                                          .time = progress ? candidate->there_enter : candidate->post_enter,
                                          .from = progress ? candidate->there_call : candidate->post_call,
                                          .thread = candidate->post_thread,
                                          .is_synchronous = candidate->mode == HD_SIM_SYNCHRONOUS,
                                          .is_extra = waiting == HD_SIM_EAGER, .is_same_node = is_same };
        if (HD_LIKELY(!sim->wants_roles && hd_sim_home(sim, candidate->process) == hd_worker_number(worker)))
            *hd_sim_new_dependency(hd_sim_location_of(sim, candidate->process, candidate->done_thread)) = dependency;
        else
            hd_sim_dependency_send(sw, worker, &(hd_sim_dependency_item){
                .process = candidate->process, .thread = candidate->done_thread, .path = candidate->path,
                .tag = candidate->tag, .sender_thread = candidate->thread, .dependency = dependency });
    }
    free(location->candidates);
    free(location->periods);
    free(location->own_sent);
    free(location->first_sent);
    free(location->sources);
    location->own_sent     = NULL;
    location->first_sent   = NULL;
    location->sources      = NULL;
    location->periods      = NULL;
    location->candidates   = NULL;
    location->n_candidates = location->capacity_candidates = 0;
}

void
hd_sim_dependency_send(hd_sim_worker *sw, hd_worker *worker, const hd_sim_dependency_item *item)
{
    uint32_t home = hd_sim_home(sw->sim, item->process);

    if (home == hd_worker_number(worker))
        hd_sim_dependency_deliver(sw, item);
    else
        hd_worker_send(worker, home, HD_SIM_ITEM_DEPENDENCY, item, sizeof *item, NULL, 0);
}

void
hd_sim_dependency_deliver(hd_sim_worker *sw, const void *data)
{
    const hd_sim_dependency_item *item       = data;
    hd_sim_location              *location   = hd_sim_location_of(sw->sim, item->process, item->thread);
    hd_sim_dependency             dependency = item->dependency;

    if (sw->sim->wants_roles)
        dependency.message = hd_sim_role_add(location, dependency.call,
                                             &(hd_sim_message){ .bytes = dependency.bytes, .path = item->path,
                                                                .tag = item->tag, .process = item->process,
                                                                .thread = item->sender_thread }, false);
    hd_sim_add_dependency(location, &dependency);
}
