/* src/record/finish/run_pauses.c: numbers of records in their channels, and those that all sides have. */
#include "run_pauses.h"

#include <string.h>

#include "memory.h"

enum { CHANNEL_BITS = 24, CHANNEL_MASK = (1 << CHANNEL_BITS) - 1 };

/* ---- channels of a process --------------------------------------------------------------------------------------- */

/* HD_NONE: there is none, and make is false. */
static uint32_t
channel_of(hd_run_process *process, uint32_t kind, uint32_t id, uint64_t peer_tag, bool make)
{
    hd_run_channels *all   = &process->channels;
    uint64_t         place = (uint64_t)id << 32 | (peer_tag & UINT32_MAX), *found;
    bool             is_new = false;

    found = make ? hd_map_add(&all->places[kind], place, &is_new) : hd_map_get(&all->places[kind], place);
    if (found == NULL)
        return HD_NONE;
    if (is_new)
        *found = all->n_places++;
    place = *found << 32 | peer_tag >> 32;
    found = make ? hd_map_add(&all->numbers, place, &is_new) : hd_map_get(&all->numbers, place);
    if (found == NULL)
        return HD_NONE;
    if (is_new) {
        *found = all->n;
        HD_PUSH(all->list, all->n, all->room, ((hd_run_channel){ .kind = kind, .id = id, .peer_tag = peer_tag }));
    }
    return (uint32_t)*found;
}

static uint64_t
peer_tag_of(hd_raw_channel kind, const hd_raw_record *record)
{
    return kind == HD_RAW_SENDS || kind == HD_RAW_RECEIVES ? record->words[0] : 0;
}

/* Of a record that is counted; HD_NONE: it is none, or not known. */
static uint32_t
channel_of_record(hd_run_process *process, const hd_raw_record *record, bool make)
{
    hd_raw_channel kind = hd_raw_channel_of((hd_raw_kind)record->kind);

    if (kind == HD_RAW_NO_CHANNEL || record->id == HD_NONE || record->n < 1)
        return HD_NONE;
    return channel_of(process, kind, record->id, peer_tag_of(kind, record), make);
}

/* Adds what was left out before a time. gap: the first that is not counted yet. */
static uint64_t
skip_gaps(const hd_run_channel *channel, uint64_t ticks, hd_run_place *place)
{
    while (place->gap < channel->n_gaps && channel->gaps[place->gap]->ticks <= ticks)
        place->left_out += channel->gaps[place->gap++]->n;
    return place->left_out;
}

/* ---- survey ------------------------------------------------------------------------------------------------------ */

/* Of all definitions, before the first location. */
static void
take_gaps(hd_run_process *process)
{
    for (size_t i = 0; i < process->raw->n_left_out; i++) {
        const hd_raw_left_out *gap = &process->raw->left_out[i];
        uint32_t               at  = channel_of(process, gap->channel, gap->id, gap->peer_tag, true);
        hd_run_channel        *channel = &process->channels.list[at];

        HD_PUSH(channel->gaps, channel->n_gaps, channel->room_gaps, gap);
    }
}

static void
add_counts(hd_run_process *process, const hd_raw_counts *before)
{
    for (uint32_t i = 0; i < before->size; i++) {
        const hd_raw_count *count   = &before->counts[i];
        uint32_t            channel = (uint32_t)(count->channel & UINT32_MAX);
        uint32_t            at;

        if (count->n == 0 || channel < HD_RAW_SENDS || channel > HD_RAW_WINDOW_OPERATIONS)
            continue;
        at = channel_of(process, channel, (uint32_t)(count->channel >> 32), count->peer_tag, true);
        process->channels.list[at].next += count->n;
    }
}

void
hd_run_pauses_survey_location(hd_run_process *process, const hd_raw_counts *before)
{
    hd_run_channels *all = &process->channels;
    uint64_t        *start;
    hd_run_start     made;

    if (all->n_starts == 0)
        take_gaps(process);
    add_counts(process, before);
    start = HD_NEW_ARRAY(uint64_t, all->n + 1);
    made  = (hd_run_start){ start, all->n };
    for (size_t i = 0; i < all->n; i++)
        start[i] = all->list[i].next;
    HD_PUSH(all->starts, all->n_starts, all->room_starts, made);
    for (size_t i = 0; i < all->n; i++)
        all->list[i].place = (hd_run_place){ 0 };
}

static void
add_to_spans(hd_run_channel *channel, uint64_t number)
{
    if (channel->n_spans > 0 && channel->spans[channel->n_spans - 1].end == number)
        channel->spans[channel->n_spans - 1].end++;
    else
        HD_PUSH(channel->spans, channel->n_spans, channel->room_spans, ((hd_run_span){ number, number + 1 }));
}

/* The request of a record that begins one, or that completes one; HD_MAP_FREE: there is none. */
static uint64_t
begun_request(const hd_raw_record *record)
{
    switch (record->kind) {
    case HD_RAW_ISEND:
        return record->words[2];
    case HD_RAW_IRECV_REQUEST:
    case HD_RAW_NBC_REQUEST:
        return record->words[0];
    default:
        return HD_MAP_FREE;
    }
}

static uint64_t
completed_request(const hd_raw_record *record)
{
    switch (record->kind) {
    case HD_RAW_IRECV:
        return record->words[2];
    case HD_RAW_NBC_COMPLETE:
        return record->words[3];
    case HD_RAW_ISEND_COMPLETE:
    case HD_RAW_CANCELLED:
        return record->words[0];
    default:
        return HD_MAP_FREE;
    }
}

static const uint32_t n_words[HD_RAW_N_KINDS] = {
#define N_WORDS(name, n) [HD_RAW_##name] = n,
    HD_RAW_KINDS(N_WORDS)
#undef N_WORDS
};

void
hd_run_pauses_survey(hd_run_process *process, const hd_raw_record *record)
{
    hd_run_channels *all = &process->channels;
    uint32_t         at;
    uint64_t         number = 0;
    bool             is_new;

    if (record->kind >= HD_RAW_N_KINDS || record->n < n_words[record->kind])
        return;
    at = channel_of_record(process, record, true);
    if (at != HD_NONE) {
        number = all->list[at].next++ + skip_gaps(&all->list[at], record->time, &all->list[at].place);
        add_to_spans(&all->list[at], number);
    }
    if (begun_request(record) != HD_MAP_FREE)
        *hd_map_add(&all->pending, begun_request(record), &is_new) = (at & CHANNEL_MASK) | number << CHANNEL_BITS;
    else if (completed_request(record) != HD_MAP_FREE && !hd_map_remove(&all->pending, completed_request(record)))
        *hd_map_add(&all->orphans, completed_request(record), &is_new) = (at & CHANNEL_MASK) | number << CHANNEL_BITS;
    if (record->kind == HD_RAW_PAUSE)
        all->last_pause = hd_time_max(all->last_pause, record->time);
}

/* An operation that completes in a pause counts as left out. */
static void
remove_number(hd_run_channel *channel, uint64_t number)
{
    for (size_t i = 0; i < channel->n_spans; i++) {
        hd_run_span whole = channel->spans[i];

        if (number < whole.first || number >= whole.end)
            continue;
        channel->spans[i].end = number;
        HD_PUSH(channel->spans, channel->n_spans, channel->room_spans, ((hd_run_span){ number + 1, whole.end }));
        for (size_t j = channel->n_spans - 1; j > i + 1; j--) {
            hd_run_span later = channel->spans[j - 1];

            channel->spans[j - 1] = channel->spans[j];
            channel->spans[j]     = later;
        }
        return;
    }
}

static void
remove_pending(hd_run_process *process)
{
    hd_run_channels *all = &process->channels;

    for (uint32_t i = 0; all->pending.slots != NULL && i <= all->pending.mask && all->last_pause > 0; i++) {
        hd_map_slot slot = all->pending.slots[i];
        uint32_t    at   = (uint32_t)slot.value & CHANNEL_MASK;

        if (slot.key != HD_MAP_FREE && at < all->n && all->list[at].kind == HD_RAW_OPERATIONS)
            remove_number(&all->list[at], slot.value >> CHANNEL_BITS);
    }
}

/* A request that another location has begun is one of two threads. One that nothing has begun is left out. */
static void
find_orphans(hd_run_process *process)
{
    hd_run_channels *all   = &process->channels;
    hd_map           found = { 0 };
    bool             is_new;

    for (uint32_t i = 0; all->orphans.slots != NULL && i <= all->orphans.mask; i++) {
        hd_map_slot slot = all->orphans.slots[i];
        uint32_t    at   = (uint32_t)slot.value & CHANNEL_MASK;

        if (slot.key == HD_MAP_FREE || hd_map_remove(&all->pending, slot.key))
            continue;
        hd_map_add(&found, slot.key, &is_new);
        if (at < all->n && all->list[at].kind == HD_RAW_RECEIVES)
            remove_number(&all->list[at], slot.value >> CHANNEL_BITS);
    }
    hd_map_fini(&all->orphans);
    all->orphans = found;
}

/* ---- the sides of a channel -------------------------------------------------------------------------------------- */

typedef struct side { /* a channel of a process, by what it is in the whole run */
    uint64_t        key[4]; /* messages or operations; communicator or window; sender | receiver << 32; tag */
    hd_run_channel *channel;
    uint32_t        n_sides; /* that there have to be */
} side;

/* The rank in the world of a rank of a communicator as a process sees it; -1: not known. */
static int64_t
world_rank(const hd_run_comm *comm, uint64_t own, uint32_t rank)
{
    uint32_t group = 0;

    if (comm->is_self)
        return (int64_t)own;
    if (comm->is_inter) /* the partner is in the other group */
        for (uint32_t i = 0; i < comm->n_members[0]; i++)
            group |= comm->members[0][i] == (int64_t)own;
    return rank < comm->n_members[group] ? comm->members[group][rank] : -1;
}

static uint32_t
count_members(const hd_recorded_run *run, const hd_run_comm *comm)
{
    uint32_t n = 0;

    if (comm->is_self)
        return 1;
    for (uint32_t group = 0; group < 2; group++)
        for (uint32_t i = 0; i < comm->n_members[group]; i++)
            for (uint32_t j = 0; j < run->n; j++) {
                int64_t guess = comm->members[group][i];
                bool     is_right = guess >= 0 && guess < run->n && run->processes[guess].raw->rank == guess;
                uint32_t at       = is_right ? (uint32_t)guess : j;

                if (run->processes[at].raw->rank == guess) {
                    n++;
                    break;
                }
            }
    return n;
}

/* False: nothing on it is in the archive, or it is on MPI_COMM_SELF, which has one side for all. */
static bool
describe(const hd_recorded_run *run, const hd_run_process *process, hd_run_channel *channel, side *made)
{
    const hd_raw_process *raw       = process->raw;
    bool                  is_window = channel->kind == HD_RAW_WINDOW_OPERATIONS;
    bool                  is_message = channel->kind == HD_RAW_SENDS || channel->kind == HD_RAW_RECEIVES;
    uint32_t              global = HD_NONE, comm;
    int64_t               peer;

    if (is_window && channel->id < raw->n_windows)
        global = raw->windows[channel->id].global;
    else if (!is_window && channel->id < raw->n_comms)
        global = raw->comms[channel->id].global;
    if (global == HD_NONE)
        return false;
    comm = is_window ? run->windows[global].comm : global;
    if (!run->comms[comm].is_known)
        return false;
    *made = (side){ .key = { is_window ? 2 : is_message ? 0 : 1, global }, .channel = channel, .n_sides = 2 };
    if (!is_message) {
        made->n_sides = count_members(run, &run->comms[comm]);
        return !run->comms[comm].is_self;
    }
    peer = world_rank(&run->comms[comm], raw->rank, (uint32_t)channel->peer_tag);
    if (peer < 0)
        return false;
    made->key[2] = channel->kind == HD_RAW_SENDS ? raw->rank | (uint64_t)peer << 32 :
                                                   (uint64_t)peer | (uint64_t)raw->rank << 32;
    made->key[3] = channel->peer_tag >> 32;
    return true;
}

static int
by_key(const void *a, const void *b)
{
    for (int i = 0; i < 4; i++)
        if (((const side *)a)->key[i] != ((const side *)b)->key[i])
            return ((const side *)a)->key[i] < ((const side *)b)->key[i] ? -1 : 1;
    return 0;
}

/* What both have, into a new list. */
static void
intersect(hd_run_channel *with, const hd_run_channel *other)
{
    hd_run_channel both = *with;
    size_t         i = 0, j = 0;

    both.spans   = NULL;
    both.n_spans = both.room_spans = 0;
    while (i < with->n_spans && j < other->n_spans) {
        uint64_t first = hd_time_max(with->spans[i].first, other->spans[j].first);
        uint64_t end   = hd_time_min(with->spans[i].end, other->spans[j].end);

        if (first < end)
            HD_PUSH(both.spans, both.n_spans, both.room_spans, ((hd_run_span){ first, end }));
        if (with->spans[i].end < other->spans[j].end)
            i++;
        else
            j++;
    }
    free(with->spans);
    *with = both;
}

static void
copy_spans(hd_run_channel *to, const hd_run_channel *from)
{
    to->n_spans = 0;
    for (size_t i = 0; i < from->n_spans; i++)
        HD_PUSH(to->spans, to->n_spans, to->room_spans, from->spans[i]);
}

/* sides[n] of one channel. */
static void
match(const side *sides, size_t n)
{
    for (size_t i = 1; i < n; i++)
        intersect(sides[0].channel, sides[i].channel);
    if (n < sides[0].n_sides)
        sides[0].channel->n_spans = 0;
    for (size_t i = 1; i < n; i++)
        copy_spans(sides[i].channel, sides[0].channel);
}

/* A process that was killed may have been in the call that the others have completed: it has all from its end on. */
static void
open_end(const hd_run_process *process, hd_run_channel *channel)
{
    if (process->is_incomplete && channel->n_spans > 0 &&
        channel->spans[channel->n_spans - 1].end == channel->next + channel->place.left_out)
        channel->spans[channel->n_spans - 1].end = UINT64_MAX;
}

void
hd_run_pauses_match(hd_recorded_run *run)
{
    side  *sides = NULL;
    size_t n = 0, room = 0, first = 0;

    for (uint32_t i = 0; i < run->n; i++) {
        find_orphans(&run->processes[i]);
        remove_pending(&run->processes[i]);
        for (size_t j = 0; j < run->processes[i].channels.n; j++) {
            side made;

            open_end(&run->processes[i], &run->processes[i].channels.list[j]);
            if (describe(run, &run->processes[i], &run->processes[i].channels.list[j], &made))
                HD_PUSH(sides, n, room, made);
        }
    }
    if (n > 0)
        qsort(sides, n, sizeof *sides, by_key);
    for (size_t i = 1; i <= n; i++)
        if (i == n || by_key(&sides[first], &sides[i]) != 0) {
            match(&sides[first], i - first);
            first = i;
        }
    free(sides);
}

/* ---- what becomes of a record ------------------------------------------------------------------------------------ */

void
hd_run_position_begin(hd_run_position *position, const hd_run_process *process, size_t location)
{
    const hd_run_channels *all = &process->channels;

    *position = (hd_run_position){ .process = process };
    if (location >= all->n_starts)
        return;
    position->next = HD_NEW_ARRAY(uint64_t, all->n + 1);
    position->places = HD_NEW_ARRAY(hd_run_place, all->n + 1);
    memcpy(position->next, all->starts[location].next, all->starts[location].n * sizeof *position->next);
}

void
hd_run_position_fini(hd_run_position *position)
{
    free(position->next);
    free(position->places);
    hd_map_fini(&position->begun);
    hd_map_fini(&position->dropped);
}

static bool
is_kept(const hd_run_channel *channel, uint64_t number)
{
    size_t low = 0, high = channel->n_spans; /* spans before low begin at the number or before it */

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (channel->spans[middle].first <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && number < channel->spans[low - 1].end;
}

bool
hd_run_is_kept(const hd_run_position *position, const hd_raw_record *record)
{
    hd_run_process *process = (hd_run_process *)(uintptr_t)position->process; /* nothing is added to it */
    uint32_t        at      = position->next != NULL ? channel_of_record(process, record, false) : HD_NONE;
    hd_run_place    place;

    if (at == HD_NONE)
        return true;
    place = position->places[at];
    return is_kept(&process->channels.list[at],
                   position->next[at] + skip_gaps(&process->channels.list[at], record->time, &place));
}

/* Accesses and operations on files that began in a pause have no end. */
static bool
is_end_of_nothing(hd_run_position *position, const hd_raw_record *record)
{
    bool is_new;

    switch (record->kind) {
    case HD_RAW_PUT:
    case HD_RAW_GET:
    case HD_RAW_ATOMIC:
    case HD_RAW_FILE_BEGIN:
        hd_map_add(&position->begun, record->words[record->kind == HD_RAW_ATOMIC ? 3 : 2], &is_new);
        return false;
    case HD_RAW_ACCESS_LOCAL:
    case HD_RAW_ACCESS_REMOTE:
    case HD_RAW_FILE_ISSUED:
        return hd_map_get(&position->begun, record->words[0]) == NULL;
    case HD_RAW_FILE_COMPLETE:
        return hd_map_get(&position->begun, record->words[1]) == NULL;
    default:
        return completed_request(record) != HD_MAP_FREE &&
               (hd_map_get(&position->dropped, completed_request(record)) != NULL ||
                hd_map_get(&position->process->channels.orphans, completed_request(record)) != NULL);
    }
}

/* A request that completes in a pause. */
static bool
is_begin_only(const hd_run_position *position, const hd_raw_record *record)
{
    const hd_run_channels *all = &position->process->channels;

    return begun_request(record) != HD_MAP_FREE && record->time <= all->last_pause &&
           hd_map_get(&all->pending, begun_request(record)) != NULL;
}

hd_run_fate
hd_run_fate_of(hd_run_position *position, const hd_raw_record *record)
{
    hd_run_process *process = (hd_run_process *)(uintptr_t)position->process; /* nothing is added to it */
    bool            stays   = true, is_new;
    uint32_t        at;

    if (position->next == NULL)
        return HD_RUN_KEPT;
    at = channel_of_record(process, record, false);
    if (at != HD_NONE)
        stays = is_kept(&process->channels.list[at],
                        position->next[at]++ +
                            skip_gaps(&process->channels.list[at], record->time, &position->places[at]));
    if (is_end_of_nothing(position, record))
        return HD_RUN_LEFT_OUT;
    if (stays && is_begin_only(position, record))
        return record->kind == HD_RAW_ISEND ? HD_RUN_ALONE : HD_RUN_LEFT_OUT;
    if (!stays && begun_request(record) != HD_MAP_FREE)
        hd_map_add(&position->dropped, begun_request(record), &is_new);
    return stays ? HD_RUN_KEPT : record->kind == HD_RAW_IRECV ? HD_RUN_WITHDRAWN : HD_RUN_LEFT_OUT;
}
