/* Matches sends and receives of a part of an archive by the order on their channels. */
#include "message_match.h"

#include "map.h"
#include "sort.h"
#include "table.h"

enum { SEND, RECEIVE, N_SIDES };

typedef struct channel {
    uint32_t comm, sender, receiver, tag;
    uint64_t n[N_SIDES];
} channel;

typedef struct request { /* under way */
    hd_time  begin;      /* of a receive: the enter of the call that posted it */
    uint64_t number;     /* of a send: its end; of a receive: its post */
    bool     is_send;
} request;

typedef struct elsewhere { /* a request that another thread has started, perhaps one that is read later */
    uint64_t request;
    uint64_t end;          /* that of a receive; UINT64_MAX: it was cancelled */
} elsewhere;

struct hd_message_match {
    const hd_defs  *defs;
    hd_scratch     *scratch;
    hd_message_end *ends;          /* [n] */
    size_t          n, capacity;
    uint64_t       *first;         /* [n_locations] number of the location's first end */
    channel        *channels;      /* [n_channels] */
    size_t          n_channels, capacity_channels;
    hd_table        index;         /* hash of a channel -> its number */
    hd_map          requests;      /* of the location -> place in `under_way` */
    hd_map          left_over;     /* of the process's locations that were read: the same */
    request        *under_way;     /* [n_under_way] of the process; those in `unused` are taken again */
    size_t          n_under_way, capacity_under_way;
    uint64_t       *unused;        /* [n_unused] places in it */
    size_t          n_unused, capacity_unused;
    elsewhere      *elsewhere;     /* [n_elsewhere] of the process */
    size_t          n_elsewhere, capacity_elsewhere;
    uint64_t        n_posts;       /* of the location */
    uint32_t        location;      /* HD_NONE: none yet */
};

hd_message_match *
hd_message_match_new(const hd_defs *defs, hd_scratch *scratch)
{
    hd_message_match *match = HD_NEW(hd_message_match);

    match->defs     = defs;
    match->scratch  = scratch;
    match->first    = HD_NEW_ARRAY(uint64_t, (size_t)defs->n_locations + 1);
    match->location = HD_NONE;
    hd_table_init(&match->index);
    return match;
}

void
hd_message_match_free(hd_message_match *match)
{
    if (match == NULL)
        return;
    hd_scratch_free(match->scratch, match->ends);
    hd_table_fini(&match->index);
    hd_map_fini(&match->requests);
    hd_map_fini(&match->left_over);
    free(match->first);
    free(match->channels);
    free(match->under_way);
    free(match->unused);
    free(match->elsewhere);
    free(match);
}

/* ---- noting ------------------------------------------------------------------------------------------------------ */

static uint32_t
find_channel(hd_message_match *match, const channel *key)
{
    uint64_t hash = hd_hash((uint64_t)key->comm << 32 | key->tag) ^
                    hd_hash((uint64_t)key->sender << 32 | key->receiver) * 31;
    uint32_t i;

    for (; (i = hd_table_get(&match->index, hash)) != HD_NONE; hash++) {
        const channel *known = &match->channels[i];

        if (known->comm == key->comm && known->sender == key->sender && known->receiver == key->receiver &&
            known->tag == key->tag)
            return i;
    }
    HD_ASSERT(match->n_channels < HD_NONE);
    hd_table_add(&match->index, hash, (uint32_t)match->n_channels);
    HD_PUSH(match->channels, match->n_channels, match->capacity_channels, *key);
    return (uint32_t)match->n_channels - 1;
}

static void
start(hd_message_match *match, uint64_t number, request started)
{
    bool      is_new;
    uint64_t *place, at = match->n_under_way;

    if (number == HD_MAP_FREE)
        return;
    place = hd_map_add(&match->requests, number, &is_new);
    if (!is_new) /* a number that is used again: the newer request counts */
        at = *place;
    else if (match->n_unused > 0)
        at = match->unused[--match->n_unused];
    else
        HD_PUSH(match->under_way, match->n_under_way, match->capacity_under_way, started);
    match->under_way[at] = started;
    *place               = at;
}

/* The request of this location, which is over; false: it is another one's. */
static bool
take(hd_message_match *match, uint64_t number, request *taken)
{
    uint64_t place;

    if (!hd_map_take(&match->requests, number, &place))
        return false;
    *taken = match->under_way[place];
    HD_PUSH(match->unused, match->n_unused, match->capacity_unused, place);
    return true;
}

static void
note_elsewhere(hd_message_match *match, uint64_t number, uint64_t end)
{
    HD_PUSH(match->elsewhere, match->n_elsewhere, match->capacity_elsewhere, ((elsewhere){ number, end }));
}

static void
note_message(void *user, const hd_walk_message *message)
{
    hd_message_match *match   = user;
    uint32_t          process = hd_defs_locations(match->defs)[match->location].process;
    bool              is_send = message->is_send, is_blocking = message->request == HD_WALK_NO_REQUEST;
    hd_message_end    end     = { .time = message->time, .begin = message->enter, .post = match->n_posts,
                                  .bytes = message->bytes, .partner = UINT64_MAX, .location = match->location,
                                  .is_send = is_send, .is_inside = message->is_inside };
    request           posted;

    end.channel = find_channel(match, &(channel){ .comm = message->comm, .tag = message->tag,
                                                  .sender = is_send ? process : message->peer,
                                                  .receiver = is_send ? message->peer : process });
    if (is_blocking || is_send)
        match->n_posts++;
    if (is_send && !is_blocking)
        start(match, message->request, (request){ .number = match->n, .is_send = true });
    if (!is_send && !is_blocking && !take(match, message->request, &posted))
        note_elsewhere(match, message->request, match->n);
    else if (!is_send && !is_blocking && !posted.is_send) {
        end.begin = posted.begin;
        end.post  = posted.number;
    }
    HD_SCRATCH_PUSH(match->scratch, match->ends, match->n, match->capacity, end);
}

static void
note_request(void *user, hd_walk_request_event event, uint64_t number, hd_time enter)
{
    hd_message_match *match = user;
    request           done;

    if (event == HD_WALK_POSTED) {
        start(match, number, (request){ .begin = enter, .number = match->n_posts++ });
        return;
    }
    if (take(match, number, &done)) {
        if (event == HD_WALK_CANCELLED && done.is_send)
            match->ends[done.number].is_cancelled = true;
    } else if (event == HD_WALK_CANCELLED)
        note_elsewhere(match, number, UINT64_MAX);
}

const hd_walk_sink hd_message_match_sink = { .message = note_message, .request = note_request };

/* What is left of a location may be completed by another one of the process. */
static void
end_location(hd_message_match *match)
{
    for (size_t i = 0; match->requests.slots != NULL && i <= match->requests.mask; i++)
        if (match->requests.slots[i].key != HD_MAP_FREE) {
            bool      is_new;
            uint64_t *place = hd_map_add(&match->left_over, match->requests.slots[i].key, &is_new);

            if (is_new)
                *place = match->requests.slots[i].value;
        }
    hd_map_fini(&match->requests);
    match->n_posts = 0;
}

static void
end_process(hd_message_match *match)
{
    for (size_t i = 0; i < match->n_elsewhere; i++) {
        const elsewhere *other = &match->elsewhere[i];
        uint64_t         place;

        if (!hd_map_take(&match->left_over, other->request, &place))
            continue;
        if (match->under_way[place].is_send && other->end == UINT64_MAX)
            match->ends[match->under_way[place].number].is_cancelled = true;
        else if (!match->under_way[place].is_send && other->end != UINT64_MAX) {
            match->ends[other->end].begin = match->under_way[place].begin;
            match->ends[other->end].post  = match->under_way[place].number;
        }
    }
    hd_map_fini(&match->left_over);
    match->n_under_way = 0;
    match->n_unused    = 0;
    match->n_elsewhere = 0;
}

void
hd_message_match_begin(hd_message_match *match, uint32_t location)
{
    const hd_location_def *locations = hd_defs_locations(match->defs);

    end_location(match);
    if (match->location != HD_NONE && locations[match->location].process != locations[location].process)
        end_process(match);
    match->location        = location;
    match->first[location] = match->n;
}

/* ---- matching ---------------------------------------------------------------------------------------------------- */

typedef struct place { /* of an end on its channel */
    hd_time  order;
    uint64_t post, number;
    uint32_t location;
} place;

static int
compare_places(const void *left, const void *right)
{
    const place *a = left, *b = right;

    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    if (a->location != b->location)
        return a->location < b->location ? -1 : 1;
    if (a->post != b->post)
        return a->post < b->post ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* The places of all channels: of each the sends, then the receives. next: [n_channels][N_SIDES] where each begins, ends
 * when they are put. */
static place *
put_places(hd_message_match *match, uint64_t *next)
{
    place   *places = hd_scratch_alloc(match->scratch, match->n + 1, sizeof *places);
    uint64_t n      = 0;

    for (size_t i = 0; i < match->n; i++)
        match->channels[match->ends[i].channel].n[match->ends[i].is_send ? SEND : RECEIVE] +=
            !match->ends[i].is_cancelled;
    for (size_t c = 0; c < match->n_channels; c++)
        for (int side = 0; side < N_SIDES; side++) {
            next[c * N_SIDES + (size_t)side] = n;
            n += match->channels[c].n[side];
        }
    for (size_t i = 0; i < match->n; i++) {
        const hd_message_end *end = &match->ends[i];

        if (!end->is_cancelled)
            places[next[(size_t)end->channel * N_SIDES + (end->is_send ? SEND : RECEIVE)]++] =
                (place){ .order = end->is_send ? end->time : end->begin, .post = end->post, .number = i,
                         .location = end->location };
    }
    return places;
}

static void
pair(hd_message_match *match, uint64_t send, uint64_t receive)
{
    if (!match->ends[send].is_inside || !match->ends[receive].is_inside)
        return;
    match->ends[send].partner    = receive;
    match->ends[receive].partner = send;
}

void
hd_message_match_finish(hd_message_match *match, uint64_t *n_paired, uint64_t *n_alone, uint64_t *n_early)
{
    uint64_t *next = HD_NEW_ARRAY(uint64_t, match->n_channels * N_SIDES + 1);
    place    *places;

    end_location(match);
    end_process(match);
    places = put_places(match, next);
    for (size_t c = 0; c < match->n_channels; c++) {
        const uint64_t *n        = match->channels[c].n;
        place          *sends    = &places[next[c * N_SIDES + SEND] - n[SEND]];
        place          *receives = &places[next[c * N_SIDES + RECEIVE] - n[RECEIVE]];

        HD_SORT_NEARLY(place, sends, n[SEND], compare_places);
        HD_SORT_NEARLY(place, receives, n[RECEIVE], compare_places);
        for (uint64_t i = 0; i < n[SEND] && i < n[RECEIVE]; i++)
            pair(match, sends[i].number, receives[i].number);
    }
    *n_paired = *n_alone = *n_early = 0;
    for (size_t i = 0; i < match->n; i++) {
        const hd_message_end *end = &match->ends[i];

        if (end->is_send && end->partner != UINT64_MAX) {
            ++*n_paired;
            *n_early += match->ends[end->partner].time < end->time;
        }
        *n_alone += end->is_inside && !end->is_cancelled && end->partner == UINT64_MAX;
    }
    hd_scratch_free(match->scratch, places);
    free(next);
}

uint64_t
hd_message_match_first(const hd_message_match *match, uint32_t location)
{
    return match->first[location];
}

const hd_message_end *
hd_message_match_get(const hd_message_match *match, uint64_t number)
{
    return &match->ends[number];
}
