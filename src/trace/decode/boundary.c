#include "boundary.h"

#include "thread_state.h"

/* Since the last boundary `touched` says which nodes got time, and which time they had before. A node is in it once per
 * generation; a new one begins where an MPI call is entered, so that the list can be cut there when the call turns out
 * to be
 * logged:
 *
 *   boundary ·· main foo main │ MPI_Recv flush MPI_Recv │ main    generations 7, 8: cut before 8 at the leave of
 *                                                                 MPI_Recv
 */

/* With --compat=scout26 the list has every piece of time in the order in which it passed, since scout's vectors depend
 * on that, and the time of tasks only once (what is booked twice for tasks is not in it). scout's vectors do not see
 * switches between tasks
 * either: the time around one belongs to the parent of the region that is entered next, or to the one that is left
 * next.
 *
 *   piece       foo · foo | switch | ? · enter bar      becomes      parent of bar: from the enter or leave before the
 *                                                                    switch
 */

void
hd_decoder_generations_again(hd_decoder *decoder) /* no node and no entry is of the first one */
{
    for (uint32_t i = 0; i < decoder->out->n_nodes; i++)
        decoder->out->nodes[i].generation = 0;
    for (hd_touched *touched = decoder->touched; touched < decoder->touched_end; touched++)
        touched->generation = 0;
    decoder->generation = 1;
    decoder->plain      = HD_NOT_PLAIN;
}

static bool
is_later(const hd_interval_log *log, hd_time time)
{
    return log->n_intervals == 0 || time > log->end;
}

static void
put_touched(hd_decoder *decoder, hd_touched touched)
{
    size_t n = hd_decoder_n_touched(decoder);

    HD_PUSH(decoder->touched, n, decoder->capacity_touched, touched);
    decoder->touched_end = decoder->touched + n;
}

static void
put_piece(hd_decoder *decoder, uint32_t node, uint32_t generation, hd_span span)
{
    put_touched(decoder, (hd_touched){ .node = node, .generation = generation, .time = span });
}

/* The pieces around a switch become one, up to `until`. */
static void
settle_as(hd_decoder *decoder, uint32_t node, hd_time until)
{
    decoder->switched.is_open = false;
    decoder->touched_end      = decoder->touched + decoder->switched.i_touched;
    if (node != HD_NONE && until > decoder->switched.time)
        put_piece(decoder, node, decoder->switched.generation, hd_span_between(decoder->switched.time, until));
}

void
hd_decoder_switch_settle(hd_decoder *decoder)
{
    if (!decoder->switched.is_open || decoder->stack.depth == decoder->switched.depth)
        return;
    if (decoder->stack.depth > decoder->switched.depth)
        settle_as(decoder, decoder->out->nodes[decoder->stack.frames[decoder->stack.depth - 1].node].parent,
                  decoder->booked_until);
    else
        settle_as(decoder, decoder->stack.frames[decoder->stack.depth].node, decoder->booked_until);
}

static void put_interval(hd_decoder *decoder, hd_time time, size_t n);

/* In a long piece of a program without boundaries the list is written before it gets long. */
static void
book_in_order(hd_decoder *decoder, uint32_t node, hd_span span)
{
    bool in_call = decoder->switched.is_open;

    hd_decoder_switch_settle(decoder);
    if (HD_UNLIKELY(hd_decoder_n_touched(decoder) >= HD_TOUCHED_MAX &&
                    is_later(&decoder->out->intervals, decoder->booked_until))) {
        for (size_t depth = 0; depth < decoder->stack.depth && !in_call; depth++)
            in_call = decoder->stack.frames[depth].region_class == HD_CLASS_MPI;
        if (!in_call)
            put_interval(decoder, decoder->booked_until, hd_decoder_n_touched(decoder));
    }
    decoder->booked_from = decoder->booked_until;
    decoder->out->nodes[node].time += span;
    if (span != 0)
        put_piece(decoder, node, decoder->generation, span);
}

void
hd_decoder_book_first_slow(hd_decoder *decoder, uint32_t node, hd_span span)
{
    hd_path_node    *n   = &decoder->out->nodes[node];
    hd_interval_log *log = &decoder->out->intervals;

    if (HD_UNLIKELY(log->n_intervals == 0 && decoder->touched_end == decoder->touched))
        log->begin = decoder->booked_until;
    if (decoder->compat) {
        book_in_order(decoder, node, span);
        return;
    }
    n->generation = decoder->generation;
    put_touched(decoder, (hd_touched){ .node = node, .generation = decoder->generation, .time = n->time });
    decoder->quick_end = decoder->touched + decoder->capacity_touched;
    n->time += span;
}

/* Whether what counters count at a node may be work. */
static bool
is_counted(const hd_decoder *decoder, uint32_t node)
{
    uint32_t region = decoder->out->nodes[node].region;

    return node < decoder->capacity_counter_nodes && region < decoder->defs->n_regions &&
           decoder->regions[region].region_class != HD_CLASS_MPI;
}

/* What counters have counted so far at a node of the interval that begins at `from`. Between the enter of a call of MPI
 * and its leave nodes outside of it count nothing, so it is the same at both. */
static inline void
write_counters(hd_decoder *decoder, hd_time from, uint32_t node)
{
    const hd_compared_counters *compared = decoder->compared;
    const uint64_t             *sums;
    uint64_t                   *values;

    if (!is_counted(decoder, node))
        return;
    sums   = decoder->more.counters + (size_t)node * decoder->defs->n_counters;
    values = hd_counter_log_put(&decoder->more.counted, from, node);
    if (HD_LIKELY(compared->n == 4)) { /* no more are chosen, unless they are named */
#pragma GCC unroll 4
        for (uint32_t k = 0; k < 4; k++)
            values[k] = sums[compared->counters[k]];
        return;
    }
    for (uint32_t k = 0; k < compared->n; k++)
        values[k] = sums[compared->counters[k]];
}

/* The first n of the list, each node once. Returns the end. is_counted: a counter log is written. */
static inline __attribute__((always_inline)) uint8_t *
write_nodes(hd_decoder *decoder, size_t n, uint8_t *at, bool is_counted)
{
    const hd_interval_log *intervals  = &decoder->out->intervals;
    hd_time                from       = intervals->n_intervals > 0 ? intervals->end : intervals->begin;
    uint32_t               generation = hd_decoder_next_generation(decoder);
    hd_path_node          *nodes      = decoder->out->nodes;
    const hd_touched      *end        = decoder->touched + n;

    for (const hd_touched *touched = decoder->touched; touched < end; touched++) {
        hd_path_node *node = &nodes[touched->node];

        if (node->generation == generation)
            continue;
        node->generation = generation;
        if (node->time == touched->time)
            continue;
        at = hd_path_time_write(at, touched->node, node->time - touched->time);
        if (is_counted)
            write_counters(decoder, from, touched->node);
    }
    return at;
}

static __attribute__((noinline)) uint8_t *
write_counted_nodes(hd_decoder *decoder, size_t n, uint8_t *at)
{
    return write_nodes(decoder, n, at, true);
}

static uint8_t *
write_pieces(const hd_decoder *decoder, size_t n, uint8_t *at)
{
    for (size_t i = 0; i < n; i++)
        at = hd_path_time_write(at, decoder->touched[i].node, decoder->touched[i].time);
    return at;
}

/* Writes the first n of the list as the interval that ends at `time`. */
static void
put_interval(hd_decoder *decoder, hd_time time, size_t n)
{
    hd_interval_log *log        = &decoder->out->intervals;
    uint8_t         *at         = hd_interval_log_room(log, n);

    if (HD_UNLIKELY(log->n_intervals == 0 && decoder->touched_end == decoder->touched))
        log->begin = time;
    at = decoder->compat ? write_pieces(decoder, n, at) :
         decoder->compared != NULL ? write_counted_nodes(decoder, n, at) : write_nodes(decoder, n, at, false);
    hd_interval_log_close(log, time, at);
    decoder->touched_end -= n;
    for (hd_touched *touched = decoder->touched; touched < decoder->touched_end; touched++)
        *touched = touched[n];
    if (decoder->switched.is_open && decoder->switched.i_touched >= n)
        decoder->switched.i_touched -= n;
    else if (decoder->switched.is_open) {
        decoder->switched.i_touched = 0;
        decoder->switched.time      = time;
    }
    hd_decoder_next_generation(decoder); /* what was written is not in the list any more */
}

void
hd_decoder_boundary(hd_decoder *decoder, hd_time time)
{
    hd_decoder_switch_settle(decoder);
    if (decoder->generation != HD_NO_INTERVALS && is_later(&decoder->out->intervals, time))
        put_interval(decoder, time, hd_decoder_n_touched(decoder));
}

void
hd_decoder_boundary_of_iteration(hd_decoder *decoder)
{
    if (decoder->in_mpi.depth == 0 && decoder->task == NULL)
        hd_decoder_boundary(decoder, decoder->booked_until);
}

void
hd_decoder_enter_other(hd_decoder *decoder, hd_frame *frame)
{
    if (HD_UNLIKELY(frame->call == HD_CALL_OMP_PARALLEL)) {
        decoder->n_parallel++;
        hd_decoder_state_is_new(decoder);
    }
    if (decoder->generation == HD_NO_INTERVALS)
        return;
    if (frame->call == HD_CALL_OMP_PARALLEL || frame->call == HD_CALL_OMP_BARRIER ||
             frame->call == HD_CALL_OMP_IMPLICIT_BARRIER ||
             (decoder->keeps_moments && frame->region_class != HD_CLASS_INTERNAL))
        hd_decoder_boundary(decoder, frame->enter);
}

static inline void
swap_time(hd_path_node *nodes, hd_touched *touched)
{
    hd_path_node *node = &nodes[touched->node];
    hd_span       time = node->time;

    node->time    = touched->time;
    touched->time = time;
}

/* What passed inside of the call, the whole list now, is in force again, each node once. */
static void
take_inner(hd_decoder *decoder)
{
    hd_touched *kept = decoder->touched;

    for (hd_touched *touched = kept; touched < decoder->touched_end; touched++) {
        hd_path_node *node = &decoder->out->nodes[touched->node];

        swap_time(decoder->out->nodes, touched);
        if (node->generation == decoder->generation)
            continue;
        node->generation    = decoder->generation;
        touched->generation = decoder->generation;
        *kept++             = *touched;
    }
    decoder->touched_end = kept;
}

/* The boundary, in all cases. Times go back to what they were when the call was entered, and then forth again. */
static __attribute__((noinline)) void
put_boundary_before(hd_decoder *decoder, const hd_frame *call)
{
    size_t n = hd_decoder_n_touched(decoder);

    if (!is_later(&decoder->out->intervals, call->enter)) {
        hd_decoder_compact(decoder);
        return;
    }
    for (; n > 0 && decoder->touched[n - 1].generation >= call->generation; n--)
        if (!decoder->compat)
            swap_time(decoder->out->nodes, &decoder->touched[n - 1]);
    put_interval(decoder, call->enter, n);
    if (decoder->compat)
        return;
    take_inner(decoder);
    if (decoder->compared == NULL)
        decoder->plain = decoder->generation;
}

static inline uint64_t
span_of(const hd_path_node *nodes, const hd_touched *touched)
{
    return (uint64_t)(nodes[touched->node].time - touched->time);
}

static inline uint8_t *
write_span(uint8_t *at, const hd_touched *touched, uint64_t span)
{
    return span != 0 ? hd_path_time_write(at, touched->node, (hd_span)span) : at;
}

/* The time that a node got since it was touched. is_short: all nodes are call paths of the first form of path_time.h.
 * Returns the end. */
static inline __attribute__((always_inline)) uint8_t *
write_touched(uint8_t *at, const hd_path_node *nodes, const hd_touched *touched, bool is_short)
{
    uint64_t span = span_of(nodes, touched);

    if (is_short && HD_LIKELY(span - 1 < HD_PATH_TIME_SHORT_TIMES - 1))
        return hd_path_time_write_short(at, touched->node, span);
    return write_span(at, touched, span);
}

/* The same for two, one after the other. */
static inline __attribute__((always_inline)) uint8_t *
write_two_touched(uint8_t *at, const hd_path_node *nodes, const hd_touched *touched, bool is_short)
{
    uint64_t first = span_of(nodes, touched), second = span_of(nodes, touched + 1);

    if (is_short && HD_LIKELY(((first - 1) | (second - 1)) < HD_PATH_TIME_SHORT_TIMES - 1)) {
        at = hd_path_time_write_short(at, touched->node, first);
        return hd_path_time_write_short(at, touched[1].node, second);
    }
    return write_span(write_span(at, touched, first), touched + 1, second);
}

_Static_assert(sizeof(hd_touched) >= HD_PATH_TIME_BYTES_MAX, "an entry takes no more bytes than what was touched");

/* All but the last of what was touched, which is the call: its time is taken back meanwhile. What only the first one is
 * needed for is done before the others, so that there are registers for these. */
static inline __attribute__((always_inline)) void
put_plain(hd_decoder *decoder, const hd_frame *call, bool is_short)
{
    hd_interval_log  *log   = &decoder->out->intervals;
    hd_touched       *first = decoder->touched;
    const hd_touched *inner = decoder->touched_end - 1, *touched = first + 1;
    hd_path_node     *nodes = decoder->out->nodes, *node = &nodes[inner->node];
    uint8_t          *at    = log->bytes.data + log->bytes.n;
    hd_time           from  = log->end;
    hd_span           time  = node->time;

    node->time           = inner->time;
    at                   = write_touched(at, nodes, first, is_short);
    *first               = (hd_touched){ .node = inner->node, .generation = hd_decoder_next_generation(decoder),
                                         .time = inner->time };
    node->generation     = first->generation;
    decoder->plain       = first->generation;
    decoder->touched_end = first + 1;
    for (; touched + 1 < inner; touched += 2)
        at = write_two_touched(at, nodes, touched, is_short);
    if (touched < inner)
        at = write_touched(at, nodes, touched, is_short);
    node->time = time;
    hd_interval_log_put(log, from, call->enter, at);
}

static __attribute__((noinline)) void
put_plain_far(hd_decoder *decoder, const hd_frame *call)
{
    put_plain(decoder, call, false);
}

/* Nearly always only the call itself got time since it was entered, and all that is to be written is of one generation:
 * then each node is there once, as what a list begins with is of the generation that its boundary began. */
void
hd_decoder_put_boundary_before(hd_decoder *decoder, const hd_frame *call)
{
    const hd_interval_log *log = &decoder->out->intervals;
    const hd_touched      *end = decoder->touched_end;
    size_t                 n   = (size_t)((const char *)end - (const char *)decoder->touched); /* bytes */

    if (HD_UNLIKELY(n < 2 * sizeof *end || end[-2].generation != decoder->plain ||
                    end[-2].generation >= call->generation || end[-1].generation < call->generation ||
                    call->enter <= log->end || !hd_interval_log_has_room(log, n)))
        put_boundary_before(decoder, call);
    else if (HD_LIKELY(decoder->out->n_nodes <= HD_PATH_TIME_SHORT_PATHS))
        put_plain(decoder, call, true);
    else
        put_plain_far(decoder, call);
}

void
hd_decoder_boundary_inside(hd_decoder *decoder, const hd_frame *call)
{
    if (decoder->booked_until > call->enter && call->n_records == 0)
        hd_decoder_boundary(decoder, decoder->booked_until);
}

void
hd_decoder_switch_begin(hd_decoder *decoder)
{
    if (decoder->generation == HD_NO_INTERVALS)
        return;
    hd_decoder_switch_settle(decoder);
    if (decoder->switched.is_open)
        return;
    decoder->switched.is_open    = true;
    decoder->switched.time       = decoder->booked_until;
    decoder->switched.i_touched  = hd_decoder_n_touched(decoder);
    decoder->switched.depth      = decoder->stack.depth;
    decoder->switched.generation = decoder->generation;
}

void
hd_decoder_switch_end(hd_decoder *decoder)
{
    decoder->switched.depth = decoder->stack.depth;
}

hd_time
hd_decoder_boundary_at_leave(hd_decoder *decoder, const hd_frame *call)
{
    hd_time time = call->enter;
    size_t  n    = hd_decoder_n_touched(decoder);

    if (decoder->generation == HD_NO_INTERVALS || !decoder->compat)
        return time;
    if (decoder->switched.is_open) {
        time = decoder->switched.time;
        n    = decoder->switched.i_touched;
        settle_as(decoder, call->node, decoder->now);
    } else {
        time = decoder->booked_from;
        n -= n > 0 && decoder->now > time;
    }
    if (time > call->enter && is_later(&decoder->out->intervals, time))
        put_interval(decoder, time, n);
    return hd_time_max(time, call->enter);
}

/* Takes time in a call back from the current interval, and from its node until the interval is written. Returns it: the
 * trace buffer may have been flushed meanwhile. */
static hd_span
take_back(hd_decoder *decoder, uint32_t node, hd_span span)
{
    const hd_touched *touched = decoder->touched;
    hd_span           booked;

    while (touched < decoder->touched_end && touched->node != node)
        touched++;
    if (touched == decoder->touched_end)
        return 0;
    booked = decoder->out->nodes[node].time - touched->time;
    span   = span < booked ? span : booked;
    decoder->out->nodes[node].time -= span;
    return span;
}

void
hd_decoder_boundary_of_lock(hd_decoder *decoder, const hd_frame *call)
{
    hd_side_spans spans = { .on = { 0 } };

    if (call == NULL) {
        hd_decoder_boundary(decoder, decoder->now);
        return;
    }
    if (!is_later(&decoder->out->intervals, call->enter))
        return;
    if (HD_LIKELY(!hd_decoder_cuts_calls(decoder)))
        spans.on[decoder->side] = hd_span_between(call->enter, decoder->now);
    else
        spans = hd_analysis_intervals_split(decoder->analysis_intervals, call->enter, decoder->now);
    for (uint32_t side = 0; side < HD_N_SIDES; side++)
        if (spans.on[side] != 0)
            spans.on[side] = take_back(decoder, hd_decoder_on_side(decoder, call->node, side), spans.on[side]);
    put_interval(decoder, call->enter, hd_decoder_n_touched(decoder));
    for (uint32_t side = 0; side < HD_N_SIDES; side++)
        if (spans.on[side] != 0)
            hd_decoder_book(decoder, hd_decoder_on_side(decoder, call->node, side), spans.on[side]);
}

/* Calls that are not logged, as those of a loop that polls, leave nodes in the list several times: the first is enough.
 * What is before the enter of a call that is still open stays as it is. */
void
hd_decoder_compact(hd_decoder *decoder)
{
    size_t      n    = hd_decoder_n_touched(decoder);
    uint32_t    open = 0, generation;
    hd_touched *first = decoder->touched_end, *kept;

    if (HD_LIKELY(n < HD_TOUCHED_MAX || n < decoder->compact_at) || decoder->compat)
        return;
    for (size_t depth = decoder->stack.depth - 1; depth > 0 && open == 0; depth--)
        if (decoder->stack.frames[depth - 1].region_class == HD_CLASS_MPI)
            open = decoder->stack.frames[depth - 1].generation;
    while (first > decoder->touched && first[-1].generation >= open)
        first--;
    generation = hd_decoder_next_generation(decoder);
    kept       = first;
    for (const hd_touched *touched = first; touched < decoder->touched_end; touched++) {
        hd_path_node *node = &decoder->out->nodes[touched->node];

        if (node->generation != generation)
            *kept++ = *touched;
        node->generation = generation;
    }
    decoder->touched_end = kept;
    decoder->compact_at  = 2 * hd_decoder_n_touched(decoder);
}

void
hd_decoder_boundaries_finish(hd_decoder *decoder)
{
    const hd_interval_log *log      = &decoder->out->intervals;
    bool                   has_time = false;

    for (const hd_touched *touched = decoder->touched; touched < decoder->touched_end && !has_time; touched++)
        has_time = decoder->compat || decoder->out->nodes[touched->node].time != touched->time;
    if (has_time || (log->n_intervals > 0 && decoder->now > log->end))
        put_interval(decoder, decoder->now, hd_decoder_n_touched(decoder));
}
