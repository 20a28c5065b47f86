/* replay/sync/sync_store.c: points and notifications as bytes while they are collected. Consecutive ones differ
 * little, so differences take a third of the space of the structures; they are decoded once, when the forward replay
 * is over. */
#include "sync_store.h"

struct hd_sync_notifications {
    hd_record_run        run;
    hd_sync_notification last;
    size_t               n;
};

static const hd_syncs_rare nothing_rare = { .n_waiters = 0 };

static void
init(hd_syncs *syncs, hd_scratch *scratch, uint32_t process)
{
    *syncs = (hd_syncs){ .scratch = scratch, .process = process, .rare = &nothing_rare, .own.run.scratch = scratch,
                         .notified.run.scratch = scratch };
}

hd_syncs_rare *
hd_syncs_rare_of(hd_syncs *syncs)
{
    if (syncs->rare == &nothing_rare)
        syncs->rare = HD_NEW(hd_syncs_rare);
    return (hd_syncs_rare *)(uintptr_t)syncs->rare;
}

static void
drop_rare(hd_syncs *syncs)
{
    hd_syncs_rare *rare;

    if (syncs->rare == &nothing_rare)
        return;
    rare = hd_syncs_rare_of(syncs);
    hd_scratch_free(syncs->scratch, rare->waiters);
    hd_scratch_free(syncs->scratch, rare->moves);
    hd_scratch_free(syncs->scratch, rare->intermediates);
    free(rare->counted);
    free(rare);
}

hd_syncs *
hd_syncs_new(hd_scratch *scratch, uint32_t process)
{
    hd_syncs *syncs = HD_NEW(hd_syncs);

    init(syncs, scratch, process);
    return syncs;
}

static void
drop_notifications(hd_syncs *syncs)
{
    if (syncs->notifications == NULL)
        return;
    hd_record_run_fini(&syncs->notifications->run);
    free(syncs->notifications);
    syncs->notifications = NULL;
}

static void
drop_collected(hd_syncs *syncs)
{
    hd_record_run_fini(&syncs->own.run);
    hd_record_run_fini(&syncs->notified.run);
    drop_notifications(syncs);
}

/* But for the first n. */
static void
drop_blocks(hd_syncs *syncs, size_t n)
{
    while (syncs->n_blocks > n) {
        hd_sync_block *block = syncs->blocks[--syncs->n_blocks];

        hd_scratch_free(syncs->scratch, block->begins);
        hd_scratch_free(syncs->scratch, block);
    }
}

void
hd_syncs_drop_behind(hd_syncs *syncs, size_t i)
{
    drop_blocks(syncs, i / HD_SYNC_BLOCK + 1);
}

static void
drop_built(hd_syncs *syncs)
{
    drop_blocks(syncs, 0);
    hd_scratch_free(syncs->scratch, syncs->blocks);
    hd_scratch_free(syncs->scratch, syncs->wholes);
    hd_vector_run_fini(&syncs->vectors);
    free(syncs->waits);
    for (uint32_t level = 0; level < syncs->n_levels; level++) {
        hd_bytes_fini(&syncs->levels[level].bytes);
        hd_scratch_free(syncs->scratch, syncs->levels[level].sums);
    }
    free(syncs->levels);
}

void
hd_syncs_drop(hd_syncs *syncs)
{
    if (syncs->is_decoded)
        drop_built(syncs);
    else
        drop_collected(syncs);
    hd_scratch_free(syncs->scratch, syncs->leaves);
    hd_scratch_free(syncs->scratch, syncs->groups);
    drop_rare(syncs);
    init(syncs, syncs->scratch, syncs->process);
}

void
hd_syncs_free(hd_syncs *syncs)
{
    if (syncs == NULL)
        return;
    hd_syncs_drop(syncs);
    free(syncs);
}

/* A point, as numbers (bytes.h), but times mostly of fixed size; enters and orders are differences to the point before:
 *
 *   kind | delay << 4 · enter, 4 bytes · wait, if the kind has any, and pruned - wait, 3 bytes each · order · call path
 *                     · or WHOLE and numbers                                                         · who else
 *
 *   pairs: peer - own process, and whether it is another thread than the first · that thread · if it has a partner:
 *          partner - order
 *   others: peer      idle: number of threads      parallel regions: of teams      groups are in the order of their
 *                                                                                  points
 */
enum {
    PAIRS  = 1 << HD_SYNC_RECV | 1 << HD_SYNC_SEND | 1 << HD_SYNC_SENT | 1 << HD_SYNC_REQUEST,
    GROUPS = 1 << HD_SYNC_COLL | 1 << HD_SYNC_PARALLEL | 1 << HD_SYNC_BARRIER | 1 << HD_SYNC_AWAITED |
             1 << HD_SYNC_WAITED,
};

static inline bool
is_pair(uint32_t kind, uint32_t delay)
{
    return (PAIRS >> kind & 1) != 0 && !hd_sync_is_rma_wait(kind, delay);
}

static inline bool
has_group(uint32_t kind, uint32_t delay)
{
    return (GROUPS >> kind & 1) != 0 ? !hd_sync_is_lock(kind, delay) : hd_sync_is_rma_wait(kind, delay);
}

/* Of four numbers of 64 bits, and five of 32. Times are written and read as 8 bytes: of two, others follow in the
 * record; of one, those before it are read, too. */
enum { POINT_BYTES_MAX = 1 + 4 * HD_NUMBER_BYTES_MAX + 5 * 5 };

#define WHOLE INT32_MIN /* not the difference of two enters */

enum { WITHOUT_WAIT = 1 << HD_SYNC_SEND | 1 << HD_SYNC_REQUEST };

static inline unsigned
wait_bits(uint32_t kind)
{
    return (WITHOUT_WAIT >> kind & 1) != 0 ? 0 : 24;
}

static inline uint8_t *
write_times(uint8_t *at, const hd_sync *sync, hd_time last_enter)
{
    hd_span  enter  = hd_span_between(last_enter, sync->enter), rest = sync->pruned - sync->wait;
    int32_t  narrow = (int32_t)enter;
    unsigned bits   = wait_bits(sync->kind);

    if (HD_LIKELY(enter == narrow && narrow != WHOLE && ((uint64_t)sync->wait | (uint64_t)rest) >> 24 == 0)) {
        memcpy(at, &narrow, sizeof narrow);
        hd_bytes_write_fixed(at + sizeof narrow, (uint64_t)rest << bits | (uint64_t)sync->wait);
        return at + sizeof narrow + (bits + 24) / 8;
    }
    narrow = WHOLE;
    memcpy(at, &narrow, sizeof narrow);
    at = hd_bytes_write_difference(at + sizeof narrow, sync->enter, last_enter);
    at = hd_bytes_write_number(at, (uint64_t)sync->wait);
    return hd_bytes_write_difference(at, (uint64_t)sync->pruned, (uint64_t)sync->wait);
}

static inline void
read_times(const uint8_t **at, hd_sync *sync, hd_time last_enter)
{
    unsigned bits = wait_bits(sync->kind);
    int32_t  narrow;
    uint64_t spans;

    memcpy(&narrow, *at, sizeof narrow);
    *at += sizeof narrow;
    if (HD_UNLIKELY(narrow == WHOLE)) {
        sync->enter  = hd_bytes_get_difference(at, last_enter);
        sync->wait   = (hd_span)hd_bytes_get_number(at);
        sync->pruned = (hd_span)hd_bytes_get_difference(at, (uint64_t)sync->wait);
        return;
    }
    spans        = bits > 0 ? hd_bytes_read_fixed(*at) : hd_bytes_read_fixed(*at - sizeof narrow) >> 32;
    sync->enter  = last_enter + (hd_time)narrow;
    sync->wait   = (hd_span)(spans & ((1U << bits) - 1));
    sync->pruned = sync->wait + (hd_span)(spans >> bits & 0xFFFFFF);
    *at += (bits + 24) / 8;
}

static inline uint8_t *
write_peer(uint8_t *at, const hd_sync *sync, uint32_t process)
{
    uint64_t peer = hd_zigzag((int64_t)sync->peer - process);

    at = hd_bytes_write_number(at, peer << 1 | (sync->partner_thread > 0));
    if (sync->partner_thread > 0)
        at = hd_bytes_write_number(at, sync->partner_thread);
    if ((WITHOUT_WAIT >> sync->kind & 1) == 0)
        at = hd_bytes_write_difference(at, sync->partner, sync->order);
    return at;
}

static inline void
read_peer(const uint8_t **at, hd_sync *sync, uint32_t process)
{
    uint64_t peer = hd_bytes_get_number(at);

    sync->peer = process + (uint32_t)hd_unzigzag(peer >> 1);
    if ((peer & 1) != 0)
        sync->partner_thread = (uint16_t)hd_bytes_get_number(at);
    if ((WITHOUT_WAIT >> sync->kind & 1) == 0)
        sync->partner = (uint32_t)hd_bytes_get_difference(at, sync->order);
}

static void
collect(hd_sync_run *to, const hd_sync *sync, uint32_t process)
{
    uint8_t  buffer[POINT_BYTES_MAX];
    uint8_t *begin = hd_record_run_room(&to->run, POINT_BYTES_MAX, buffer), *at = begin;

    *at++ = (uint8_t)(sync->kind | sync->delay << 4);
    at    = write_times(at, sync, to->last_enter);
    at    = hd_bytes_write_difference(at, sync->order, to->last_order);
    at    = hd_bytes_write_number(at, sync->call_path);
    at    = is_pair(sync->kind, sync->delay) ? write_peer(at, sync, process) : hd_bytes_write_number(at, sync->peer);
    if (sync->kind == HD_SYNC_IDLE)
        at = hd_bytes_write_number(at, sync->partner);
    else if (sync->kind == HD_SYNC_PARALLEL)
        at = hd_bytes_write_number(at, sync->partner_thread);
    hd_record_run_put(&to->run, begin, (size_t)(at - begin));
    to->last_enter = sync->enter;
    to->last_order = sync->order;
    to->n++;
}

void
hd_syncs_add(hd_syncs *syncs, const hd_sync *sync)
{
    collect(&syncs->own, sync, syncs->process);
    syncs->n++;
    syncs->n_sent += sync->kind == HD_SYNC_SENT && sync->partner == 0;
}

void
hd_syncs_add_notified(hd_syncs *syncs, const hd_sync *sync)
{
    collect(&syncs->notified, sync, syncs->process);
    syncs->n++;
}

/* A group is a record of its own behind that of its point: number · delayer + 1 · list + 1 · root + 1. */
enum { GROUP_BYTES_MAX = 4 * 5 };

void
hd_syncs_add_group(hd_syncs *syncs, const hd_sync *sync, hd_sync_group group)
{
    uint8_t  buffer[GROUP_BYTES_MAX], *begin, *at;

    hd_syncs_add(syncs, sync);
    at = begin = hd_record_run_room(&syncs->own.run, GROUP_BYTES_MAX, buffer);
    at = hd_bytes_write_number(at, group.number);
    at = hd_bytes_write_number(at, (uint32_t)(group.delayer + 1));
    at = hd_bytes_write_number(at, (uint32_t)(group.list + 1));
    at = hd_bytes_write_number(at, (uint32_t)(group.root + 1));
    hd_record_run_put(&syncs->own.run, begin, (size_t)(at - begin));
    syncs->n_groups++;
}

static void
decode_group(const uint8_t **at, hd_sync_group *group)
{
    group->number  = (uint32_t)hd_bytes_get_number(at);
    group->delayer = (uint32_t)hd_bytes_get_number(at) - 1;
    group->list    = (uint32_t)hd_bytes_get_number(at) - 1;
    group->root    = (uint32_t)hd_bytes_get_number(at) - 1;
}

static inline void
decode(const uint8_t **at, hd_sync *sync, hd_time last_enter, uint32_t last_order, uint32_t process, uint32_t *i_group)
{
    uint8_t head = *(*at)++;

    sync->kind      = head & 15;
    sync->delay     = head >> 4;
    read_times(at, sync, last_enter);
    sync->order     = (uint32_t)hd_bytes_get_difference(at, last_order);
    sync->call_path = (uint32_t)hd_bytes_get_number(at);
    sync->partner   = sync->previous = 0;
    sync->partner_thread = 0;
    if (is_pair(sync->kind, sync->delay)) {
        read_peer(at, sync, process);
        return;
    }
    sync->peer = (uint32_t)hd_bytes_get_number(at);
    if (sync->kind == HD_SYNC_IDLE)
        sync->partner = (uint32_t)hd_bytes_get_number(at);
    else if (has_group(sync->kind, sync->delay))
        sync->partner = (*i_group)++;
    if (sync->kind == HD_SYNC_PARALLEL)
        sync->partner_thread = (uint16_t)hd_bytes_get_number(at);
}

static void
decode_run(hd_sync_run *from, uint32_t process, hd_sync *points, hd_sync_group *groups)
{
    hd_record_cursor cursor     = hd_record_run_begin(&from->run);
    uint32_t         i_group    = 0, last_order = 0;
    hd_time          last_enter = 0;

    for (hd_sync *sync = points, *end = points + from->n; sync < end; sync++) {
        uint32_t group = i_group;

        hd_record_cursor_next(&cursor);
        decode(&cursor.at, sync, last_enter, last_order, process, &i_group);
        last_enter = sync->enter;
        last_order = sync->order;
        if (group == i_group)
            continue;
        hd_record_cursor_next(&cursor);
        decode_group(&cursor.at, &groups[group]);
    }
    hd_record_run_fini(&from->run);
}

/* Room for n elements, in which there is nothing of before. */
static void *
room_for(hd_scratch *scratch, void *old, size_t n, size_t *capacity, size_t element_bytes)
{
    if (n <= *capacity)
        return old;
    hd_scratch_free(scratch, old);
    *capacity = n + n / 8; /* not a new one for each location that has a few more */
    return hd_scratch_realloc(scratch, NULL, *capacity, element_bytes);
}

void
hd_sync_room_fini(hd_sync_room *room, hd_scratch *scratch)
{
    hd_scratch_free(scratch, room->points);
    hd_scratch_free(scratch, room->notified);
    hd_scratch_free(scratch, room->places);
    *room = (hd_sync_room){ .points = NULL };
}

/* Orders are those of the op log, so they are counted instead of compared. */
static void
put_in_order(hd_scratch *scratch, hd_sync_room *room, const hd_sync *from, uint32_t n)
{
    uint32_t last = 0, n_before = 0, *places;

    for (uint32_t i = 0; i < n; i++)
        last = from[i].order > last ? from[i].order : last;
    room->notified = room_for(scratch, room->notified, n, &room->capacity_notified, sizeof *room->notified);
    room->places   = room_for(scratch, room->places, (size_t)last + 1, &room->capacity_places, sizeof *places);
    places         = memset(room->places, 0, ((size_t)last + 1) * sizeof *places);
    for (uint32_t i = 0; i < n; i++)
        places[from[i].order]++;
    for (uint32_t order = 0; order <= last; order++) {
        uint32_t count = places[order];

        places[order] = n_before;
        n_before += count;
    }
    for (uint32_t i = 0; i < n; i++)
        room->notified[places[from[i].order]++] = from[i];
}

hd_sync *
hd_syncs_decode(hd_syncs *syncs, hd_sync_room *room, size_t *n_own, size_t *n_notified)
{
    hd_sync *notified;

    *n_own        = syncs->own.n;
    *n_notified   = syncs->notified.n;
    room->points  = room_for(syncs->scratch, room->points, syncs->n, &room->capacity_points, sizeof *room->points);
    syncs->points = room->points;
    notified      = room->points + *n_own;
    syncs->groups = hd_scratch_realloc(syncs->scratch, NULL, syncs->n_groups, sizeof *syncs->groups);
    decode_run(&syncs->own, syncs->process, syncs->points, syncs->groups);
    if (*n_notified > 0) {
        decode_run(&syncs->notified, syncs->process, notified, syncs->groups); /* has none */
        put_in_order(syncs->scratch, room, notified, (uint32_t)*n_notified);
    }
    syncs->is_decoded    = true;
    syncs->blocks        = NULL;
    syncs->n_blocks      = 0;
    syncs->waits         = NULL;
    syncs->n_waits       = syncs->n_readers = 0;
    syncs->has_barrier   = false;
    syncs->wholes        = NULL;
    syncs->n_wholes      = 0;
    syncs->vectors       = (hd_vector_run){ .bytes.scratch = syncs->scratch };
    syncs->call_paths    = NULL;
    syncs->levels        = NULL;
    syncs->n_levels      = 0;
    syncs->clock     = NULL;
    syncs->sides     = NULL;
    syncs->intervals = NULL;
    return *n_notified > 0 ? room->notified : NULL;
}

/* A notification of another location: enter · leave · peer · partner · order · post + 1 · thread. */
void
hd_syncs_add_notification(hd_syncs *syncs, const hd_sync_notification *notification)
{
    struct hd_sync_notifications *all = syncs->notifications;
    uint8_t                       buffer[POINT_BYTES_MAX], *begin, *at;

    if (HD_UNLIKELY(all == NULL)) {
        all = syncs->notifications = HD_NEW(struct hd_sync_notifications);
        all->run.scratch           = syncs->scratch;
    }
    at = begin = hd_record_run_room(&all->run, POINT_BYTES_MAX, buffer);
    at = hd_bytes_write_difference(at, notification->enter, all->last.enter);
    at = hd_bytes_write_difference(at, notification->leave, all->last.leave);
    at = hd_bytes_write_number(at, notification->peer);
    at = hd_bytes_write_difference(at, notification->partner, all->last.partner);
    at = hd_bytes_write_difference(at, notification->order, all->last.order);
    at = hd_bytes_write_number(at, (uint32_t)(notification->post + 1));
    at = hd_bytes_write_number(at, notification->partner_thread);
    hd_record_run_put(&all->run, begin, (size_t)(at - begin));
    all->last = *notification;
    all->n++;
}

hd_sync_notification *
hd_syncs_take_notifications(hd_syncs *syncs, size_t *n_notifications)
{
    size_t                n      = syncs->notifications != NULL ? syncs->notifications->n : 0;
    hd_sync_notification *all    = hd_scratch_realloc(syncs->scratch, NULL, n, sizeof *all);
    hd_sync_notification  last   = { 0 };
    hd_record_cursor      cursor = { .chunk = NULL };

    if (n > 0)
        cursor = hd_record_run_begin(&syncs->notifications->run);
    for (size_t i = 0; i < n; i++) {
        hd_record_cursor_next(&cursor);
        all[i].enter          = hd_bytes_get_difference(&cursor.at, last.enter);
        all[i].leave          = hd_bytes_get_difference(&cursor.at, last.leave);
        all[i].peer           = (uint32_t)hd_bytes_get_number(&cursor.at);
        all[i].partner        = (uint32_t)hd_bytes_get_difference(&cursor.at, last.partner);
        all[i].order          = (uint32_t)hd_bytes_get_difference(&cursor.at, last.order);
        all[i].post           = (uint32_t)hd_bytes_get_number(&cursor.at) - 1;
        all[i].partner_thread = (uint16_t)hd_bytes_get_number(&cursor.at);
        all[i].is_taken       = false;
        last                  = all[i];
    }
    drop_notifications(syncs);
    *n_notifications = n;
    return all;
}

_Static_assert(HD_SYNC_END < 16 && HD_DELAY_NONE < 16, "kind and delay share a byte");
