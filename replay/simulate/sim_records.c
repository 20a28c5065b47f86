/* replay/simulate/sim_records.c: moves the records of a location as its calls are moved. */
#include "sim_records.h"

#include <stdlib.h>

#include "sim_change.h"

typedef struct sim_anchor { /* a moment whose new time is known */
    hd_time  time;
    hd_span  to;
    uint32_t call;
    bool     is_leave;
} sim_anchor;

typedef struct sim_moving {
    hd_sim_location *location;
    uint32_t         lane, column; /* of the pass; of the location's times */
    sim_anchor      *anchors; /* [n_anchors] ascending, also to */
    size_t           n_anchors, capacity_anchors;
    size_t           i_anchor; /* the next one */
    uint32_t         depth;    /* calls that are open */
    hd_time          time;     /* up to where it is known, and the new time */
    hd_span          to;
    hd_time          from;     /* of the anchor passed last, the same */
    hd_span          from_to;
    bool             is_proportional; /* from there to the next anchor */
} sim_moving;

/* ---- anchors ----------------------------------------------------------------------------------------------------- */

/* Calls are in the order in which they were left: the enter of one that encloses others comes before theirs. */
static void
add_call(sim_moving *m, uint32_t number)
{
    const hd_sim_call *call  = &m->location->calls[number];
    sim_anchor         enter = { .time = call->enter, .to = m->location->times[2 * number].lane[m->column],
                                 .call = number };
    sim_anchor         leave = { .time = call->leave, .to = m->location->times[2 * (size_t)number + 1].lane[m->column],
                                 .call = number, .is_leave = true };
    size_t             at;

    HD_PUSH(m->anchors, m->n_anchors, m->capacity_anchors, enter);
    for (at = m->n_anchors - 1; (call->flags & HD_SIM_CALL_NESTED) != 0 && at > 0 &&
                                m->location->calls[m->anchors[at - 1].call].enter >= call->enter; at--)
        m->anchors[at] = m->anchors[at - 1];
    m->anchors[at] = enter;
    HD_PUSH(m->anchors, m->n_anchors, m->capacity_anchors, leave);
}

/* The calls, and the end of the location. */
static void
make_anchors(sim_moving *m)
{
    hd_time end = m->location->location->intervals.end;

    for (size_t i = 0; i < m->location->n_calls; i++)
        add_call(m, (uint32_t)i);
    if (m->n_anchors > 0)
        end = hd_time_max(end, m->anchors[m->n_anchors - 1].time);
    if (m->n_anchors > 0 || m->location->location->intervals.n_intervals > 0)
        HD_PUSH(m->anchors, m->n_anchors, m->capacity_anchors,
                ((sim_anchor){ .time = end, .to = m->location->end[m->lane], .call = HD_NONE }));
    for (size_t i = 1; i < m->n_anchors; i++)
        if (m->anchors[i].to < m->anchors[i - 1].to)
            m->anchors[i].to = m->anchors[i - 1].to;
}

/* ---- between calls ----------------------------------------------------------------------------------------------- */

static void
add_piece(sim_moving *m, uint32_t node, hd_time until)
{
    hd_span piece = hd_span_between(m->time, until);

    m->to += piece + hd_sim_change_piece(m->location, node, m->lane, piece);
    m->time = until;
}

/* Whether the pieces from here to the next anchor sum to what is known of it. */
static bool
sums_up(const sim_moving *m, hd_record_log_cursor ahead, uint32_t node)
{
    const sim_anchor *next  = &m->anchors[m->i_anchor];
    sim_moving        trial = *m;
    uint64_t         *rests = m->location->rests;
    uint32_t          after;
    hd_time           time;

    if (m->location->n_changes == 0 && m->location->zero == 0)
        return next->to - m->to == hd_span_between(m->time, next->time);
    m->location->rests = HD_NEW_ARRAY(uint64_t, m->location->n_rests);
    memcpy(m->location->rests, rests, m->location->n_rests * sizeof *rests);
    for (; hd_record_log_next(&ahead, &time, &after) && time < next->time; node = after)
        if (time > trial.time)
            add_piece(&trial, node, time);
    add_piece(&trial, node, next->time);
    free(m->location->rests);
    m->location->rests = rests;
    return trial.to == next->to;
}

static hd_span
in_proportion(const sim_moving *m, const sim_anchor *next, hd_time time)
{
    __int128 length = hd_span_between(m->from, next->time), new_length = next->to - m->from_to;

    return length <= 0 ? next->to : m->from_to + (hd_span)(new_length * hd_span_between(m->from, time) / length);
}

/* ---- in calls ---------------------------------------------------------------------------------------------------- */

/* The recorded time of the latest of what the call depends on; 0: it depends on nothing. */
static hd_time
latest_dependency(const hd_sim_location *location, uint32_t call)
{
    size_t  low = 0, high = location->n_dependencies;
    hd_time latest = 0;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (location->dependencies[middle].call < call)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < location->n_dependencies && location->dependencies[low].call == call; low++)
        if (!location->dependencies[low].is_extra)
            latest = hd_time_max(latest, location->dependencies[low].time);
    return latest;
}

static hd_span
in_call(const sim_moving *m, const sim_anchor *next, hd_time time)
{
    hd_time split = next->is_leave ? latest_dependency(m->location, next->call) : 0;

    if (split <= m->from || split >= next->time)
        split = m->from + (hd_time)hd_span_between(m->from, next->time) / 2;
    return time <= split ? m->from_to + hd_span_between(m->from, time) : next->to - hd_span_between(time, next->time);
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

/* before, after: nodes around the record. A call that takes no time is left by the record that leaves its call path. */
static bool
is_passed(const sim_moving *m, hd_time time, uint32_t before, uint32_t after, bool *may_leave)
{
    const sim_anchor *next = &m->anchors[m->i_anchor];

    if (next->time != time || !next->is_leave)
        return next->time <= time;
    if (!*may_leave || before == after || m->location->calls[next->call].node != before)
        return false;
    *may_leave = false;
    return true;
}

/* node: of the piece before it. */
static void
pass(sim_moving *m, uint32_t node)
{
    const sim_anchor *anchor = &m->anchors[m->i_anchor++];

    if (m->depth == 0 && anchor->time > m->time)
        add_piece(m, node, anchor->time); /* for what is left of a tick */
    m->time = m->from = anchor->time;
    m->to = m->from_to = anchor->to;
    m->depth += anchor->is_leave ? -1u : 1u;
}

/* The new time of the record that `cursor` has just read. */
static hd_span
move(sim_moving *m, const hd_record_log_cursor *cursor, hd_time time, uint32_t before)
{
    bool may_leave = true;

    while (m->i_anchor < m->n_anchors && is_passed(m, time, before, cursor->node, &may_leave)) {
        pass(m, before);
        m->is_proportional = false;
        if (m->depth == 0 && m->i_anchor < m->n_anchors)
            m->is_proportional = !sums_up(m, *cursor, cursor->node);
    }
    if (m->i_anchor < m->n_anchors && m->depth > 0)
        return in_call(m, &m->anchors[m->i_anchor], time);
    if (time > m->time)
        add_piece(m, before, time);
    return m->i_anchor < m->n_anchors && m->is_proportional ? in_proportion(m, &m->anchors[m->i_anchor], time) : m->to;
}

void
hd_sim_records_move(const hd_sim *sim, hd_sim_location *location, uint32_t lane, const hd_record_log *log,
                    hd_record_times *times)
{
    sim_moving           m      = { .location = location, .lane = lane,
                                    .column = hd_sim_column(sim, lane) };
    uint32_t             before = HD_NONE, after;
    hd_time              time;
    hd_record_log_cursor cursor;

    hd_record_log_cursor_init(&cursor, log);
    hd_sim_changes_make(sim, location);
    make_anchors(&m);
    for (; hd_record_log_next(&cursor, &time, &after); before = after) {
        hd_span to;

        if (times->n == 0) {
            m.time = m.from = time;
            m.to = m.from_to = (hd_span)time;
            m.is_proportional = m.n_anchors > 0 && !sums_up(&m, cursor, after);
        }
        to = move(&m, &cursor, time, before);
        if (m.i_anchor < m.n_anchors && to > m.anchors[m.i_anchor].to)
            to = m.anchors[m.i_anchor].to;
        hd_record_times_put(times, to > (hd_span)times->last ? (hd_time)to : times->last);
    }
    hd_bytes_pack(&times->bytes);
    hd_sim_changes_free(location);
    free(m.anchors);
}
