/* src/profile/excerpt_messages.c: the ends of messages that lie in the windows of timeline excerpts, found in the op
 * logs of the lanes; on rank 0 each send meets its receive: the k-th of their channel. */
#include "excerpt_messages.h"

#include "analysis_comm.h"
#include "map.h"
#include "oplog.h"
#include "trace.h"

#define ASCENDING(field)                                                                                               \
    if (a->field != b->field)                                                                                          \
    return a->field < b->field ? -1 : 1

/* ---- ends in an op log ------------------------------------------------------------------------------------------- */

typedef struct message_end {
    const hd_channel *channel;
    uint32_t          number; /* in the channel, at either end */
    bool              is_send;
    hd_time           time;   /* enter of the call that starts the send, leave of the one that completes the receive */
    uint64_t          bytes;  /* of a send */
} message_end;

/* What is told of the ends in the window of a lane, in the order of their calls. */
typedef void see_end(void *context, uint32_t window, uint32_t lane, const message_end *end);

typedef struct lane_place {
    uint32_t process, thread;
    uint32_t window, lane;
    hd_time  begin, end;
} lane_place;

/* numbers: [n_channels] operations so far. False: the op is no end of a message. */
static bool
take_end(hd_cursor *cursor, const hd_op *op, uint32_t *numbers, message_end *end)
{
    const hd_oplog   *log = cursor->log;
    const hd_channel *channel;
    bool              is_cancelled = op->kind == HD_OP_SEND && (op->flags & HD_OP_NONBLOCKING) != 0 &&
                                     log->completions[op->number].call == HD_COMPLETION_CANCELLED;

    if (!hd_op_is_numbered(op))
        return false;
    channel = &log->channels[op->channel];
    *end    = (message_end){ .channel = channel, .is_send = op->kind == HD_OP_SEND, .bytes = op->sent,
                             .time = op->kind == HD_OP_SEND ? cursor->call.enter : cursor->call.leave };
    if (channel->has_numbers)
        end->number = hd_cursor_number(cursor);
    else if (!is_cancelled)
        end->number = numbers[op->channel]++;
    return (op->kind == HD_OP_SEND || op->kind == HD_OP_RECV) && !is_cancelled;
}

/* The lanes of one location. */
static void
see_location(const hd_oplog *log, const lane_place *places, size_t n, see_end *see, void *context)
{
    uint32_t   *numbers = HD_NEW_ARRAY(uint32_t, log->n_channels + 1);
    size_t      first   = 0;
    hd_cursor   cursor;
    hd_op       op = { 0 };
    message_end end;

    hd_cursor_init(&cursor, log);
    while (first < n && hd_cursor_call(&cursor)) {
        while (first < n && places[first].end < cursor.call.enter)
            first++;
        while (cursor.n_left > 0) {
            hd_cursor_op(&cursor, &op);
            if (!take_end(&cursor, &op, numbers, &end))
                continue;
            for (size_t i = first; i < n && places[i].begin <= end.time; i++)
                if (end.time <= places[i].end)
                    see(context, places[i].window, places[i].lane, &end);
        }
    }
    free(numbers);
}

static int
compare_places(const void *left, const void *right)
{
    const lane_place *a = left, *b = right;

    ASCENDING(process);
    ASCENDING(thread);
    ASCENDING(begin);
    ASCENDING(window);
    return 0;
}

static const hd_loaded_location *
hosted_location(const hd_trace *trace, uint32_t process, uint32_t thread)
{
    uint32_t low = 0, high = trace->n_processes;

    while (low < high) {
        uint32_t middle = (low + high) / 2;

        if (trace->processes[middle].process.v < process)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == trace->n_processes || trace->processes[low].process.v != process ||
        thread >= trace->processes[low].n_locations)
        return NULL;
    return &trace->processes[low].locations[thread];
}

/* All lanes, or the main ones, that this rank hosts. */
static void
see_hosted(const hd_trace *trace, const hd_excerpts *excerpts, bool only_main, see_end *see, void *context)
{
    lane_place *places = HD_NEW_ARRAY(lane_place, excerpts->n_windows * HD_MAX_LANES + 1);
    size_t      n      = 0;

    for (size_t w = 0; w < excerpts->n_windows; w++) {
        const hd_excerpt_window *window  = &excerpts->windows[w];
        uint32_t                 n_lanes = only_main ? window->n_main : window->n_lanes;

        for (uint32_t i = 0; i < n_lanes; i++)
            if (hosted_location(trace, window->lanes[i].process, window->lanes[i].thread) != NULL)
                places[n++] = (lane_place){ window->lanes[i].process, window->lanes[i].thread, (uint32_t)w, i,
                                            window->begin, window->end };
    }
    qsort(places, n, sizeof *places, compare_places);
    for (size_t from = 0, to; from < n; from = to) {
        const hd_loaded_location *location = hosted_location(trace, places[from].process, places[from].thread);

        for (to = from + 1; to < n && places[to].process == places[from].process &&
             places[to].thread == places[from].thread;)
            to++;
        if (location != NULL)
            see_location(&location->log, &places[from], to - from, see, context);
    }
    free(places);
}

/* ---- partners ---------------------------------------------------------------------------------------------------- */

static void
count_partner(void *context, uint32_t window, uint32_t lane, const message_end *end)
{
    bool is_new;

    (void)lane;
    ++*hd_map_add(context, (uint64_t)window << 32 | end->channel->peer, &is_new);
}

void
hd_excerpt_partners_find(const hd_trace *trace, const hd_excerpts *excerpts, hd_bytes *partners)
{
    hd_map counts = { 0 };

    see_hosted(trace, excerpts, true, count_partner, &counts);
    for (uint32_t i = 0; counts.slots != NULL && i <= counts.mask; i++)
        if (counts.slots[i].key != HD_MAP_FREE)
            hd_bytes_put(partners,
                         &(hd_excerpt_partner){ (uint32_t)(counts.slots[i].key >> 32), (uint32_t)counts.slots[i].key,
                                                counts.slots[i].value },
                         sizeof(hd_excerpt_partner));
    hd_map_fini(&counts);
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

typedef struct packed_end {
    uint32_t window, comm, tag, sender, receiver, number;
    uint32_t is_receive, thread; /* is_receive: 0 or 1 */
    hd_time  time;
    uint64_t bytes;
} packed_end;

typedef struct lane_ends { /* those nearest to the focus */
    packed_end *ends;      /* [n] a ring */
    size_t      n, first, capacity;
    uint64_t    n_sends, n_receives; /* all in the window */
} lane_ends;

typedef struct ends_seen {
    const hd_excerpts *excerpts;
    lane_ends         *lanes; /* [n_windows * HD_MAX_LANES] */
} ends_seen;

static hd_time
distance(hd_time a, hd_time b)
{
    return a > b ? a - b : b - a;
}

/* As times ascend, the one that is farthest from the focus is the first one, or the new one. */
static void
keep_end(lane_ends *lane, packed_end end, hd_time focus)
{
    if (lane->n < HD_ENDS_OF_LANE) {
        HD_PUSH(lane->ends, lane->n, lane->capacity, end);
    } else if (distance(end.time, focus) < distance(lane->ends[lane->first].time, focus)) {
        lane->ends[lane->first] = end;
        lane->first             = (lane->first + 1) % HD_ENDS_OF_LANE;
    }
}

static void
note_end(void *context, uint32_t window_number, uint32_t lane, const message_end *end)
{
    const ends_seen         *seen    = context;
    const hd_excerpt_window *window  = &seen->excerpts->windows[window_number];
    lane_ends               *into    = &seen->lanes[(size_t)window_number * HD_MAX_LANES + lane];
    const hd_channel        *channel = end->channel;
    uint32_t                 process = window->lanes[lane].process;

    *(end->is_send ? &into->n_sends : &into->n_receives) += 1;
    if (hd_excerpt_has_process(window, channel->peer))
        keep_end(into,
                 (packed_end){ window_number, channel->comm, channel->tag, end->is_send ? process : channel->peer,
                               end->is_send ? channel->peer : process, end->number, !end->is_send,
                               window->lanes[lane].thread, end->time, end->bytes },
                 window->focus);
}

static int
compare_ends(const void *left, const void *right)
{
    const packed_end *a = left, *b = right;

    ASCENDING(window);
    ASCENDING(comm);
    ASCENDING(tag);
    ASCENDING(sender);
    ASCENDING(receiver);
    ASCENDING(number);
    ASCENDING(is_receive);
    return 0;
}

static int
compare_messages(const void *left, const void *right)
{
    const hd_excerpt_message *a = left, *b = right;

    ASCENDING(instance);
    ASCENDING(sent);
    ASCENDING(received);
    ASCENDING(sender);
    ASCENDING(receiver);
    ASCENDING(tag);
    ASCENDING(bytes);
    return 0;
}

static bool
is_message(const packed_end *send, const packed_end *receive)
{
    return send->window == receive->window && send->comm == receive->comm && send->tag == receive->tag &&
           send->sender == receive->sender && send->receiver == receive->receiver && send->number == receive->number &&
           !send->is_receive && receive->is_receive;
}

static void
match_ends(packed_end *ends, size_t n, hd_excerpts *excerpts)
{
    size_t capacity = 0;

    if (n > 1)
        qsort(ends, n, sizeof *ends, compare_ends);
    for (size_t i = 0; i + 1 < n; i++)
        if (is_message(&ends[i], &ends[i + 1]))
            HD_PUSH(excerpts->messages, excerpts->n_messages, capacity,
                    ((hd_excerpt_message){ excerpts->windows[ends[i].window].instance, ends[i].sender, ends[i].thread,
                                           ends[i].receiver, ends[i + 1].thread, ends[i].tag, ends[i].time,
                                           ends[i + 1].time, ends[i].bytes }));
    if (excerpts->n_messages > 1)
        qsort(excerpts->messages, excerpts->n_messages, sizeof *excerpts->messages, compare_messages);
}

static void
gather_ends(hd_analysis_comm *analysis_comm, const hd_bytes *own, hd_excerpts *excerpts)
{
    uint8_t  *all     = NULL;
    uint64_t *n_bytes = NULL, sum = 0;

    hd_analysis_comm_gather(analysis_comm, own->data, own->n, &all, &n_bytes);
    for (uint32_t r = 0; n_bytes != NULL && r < hd_analysis_comm_size(analysis_comm); r++)
        sum += n_bytes[r];
    if (all != NULL)
        match_ends((packed_end *)(void *)all, sum / sizeof(packed_end), excerpts);
    free(all);
    free(n_bytes);
}

static void
add_counts(hd_analysis_comm *analysis_comm, const lane_ends *lanes, hd_excerpts *excerpts)
{
    uint64_t *counts = HD_NEW_ARRAY(uint64_t, 2 * excerpts->n_windows + 1);

    for (size_t i = 0; i < excerpts->n_windows * HD_MAX_LANES; i++) {
        counts[i / HD_MAX_LANES * 2] += lanes[i].n_sends;
        counts[i / HD_MAX_LANES * 2 + 1] += lanes[i].n_receives;
    }
    hd_analysis_comm_reduce(analysis_comm, counts, 2 * excerpts->n_windows, HD_SUM);
    for (size_t w = 0; w < excerpts->n_windows; w++) {
        excerpts->windows[w].n_sends    = counts[2 * w];
        excerpts->windows[w].n_receives = counts[2 * w + 1];
    }
    free(counts);
}

void
hd_excerpt_messages_find(hd_analysis_comm *analysis_comm, const hd_trace *trace, hd_excerpts *excerpts)
{
    ends_seen seen = { excerpts, HD_NEW_ARRAY(lane_ends, excerpts->n_windows * HD_MAX_LANES + 1) };
    hd_bytes  own  = { 0 };

    see_hosted(trace, excerpts, false, note_end, &seen);
    for (size_t i = 0; i < excerpts->n_windows * HD_MAX_LANES; i++) {
        hd_bytes_put(&own, seen.lanes[i].ends, seen.lanes[i].n * sizeof(packed_end));
        free(seen.lanes[i].ends);
    }
    gather_ends(analysis_comm, &own, excerpts);
    add_counts(analysis_comm, seen.lanes, excerpts);
    hd_bytes_fini(&own);
    free(seen.lanes);
}
