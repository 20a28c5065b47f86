#include "clock_reading.h"

#include <otf2/otf2.h>

void
hd_clock_reading_init(hd_clock_reading *reading, const hd_defs *defs, const hd_ref_maps *refs, uint32_t process)
{
    reading->defs      = defs;
    reading->refs      = refs;
    reading->plausible = hd_plausible_times(defs);
    hd_channel_table_init(&reading->channels, defs, process);
}

void
hd_clock_reading_finish(hd_clock_reading *reading)
{
    if (reading->log->n > 0)
        hd_clock_add_point(reading, HD_CLOCK_OTHER, HD_NONE, true); /* where it ends */
    reading->log->channels = hd_channel_table_take(&reading->channels, &reading->log->n_channels);
    hd_channel_table_fini(&reading->channels);
    free(reading->next_posts);
    free(reading->calls);
    free(reading->taken);
    free(reading->accesses);
}

void
hd_clock_reading_at(hd_clock_reading *r, hd_time time)
{
    hd_finding_kind wrong;

    r->now = hd_right_time(&r->plausible, r->now, !r->has_begun, time, &wrong);
    if (!r->has_begun) {
        r->has_begun = true;
        HD_SCRATCH_PUSH(r->scratch, r->log->points, r->log->n, r->log->capacity,
                        ((hd_clock_point){ .time = r->now, .kind = HD_CLOCK_OTHER }));
    }
    r->log->end = r->now;
}

size_t
hd_clock_add_point(hd_clock_reading *r, hd_clock_kind kind, uint32_t what, bool is_same)
{
    HD_SCRATCH_PUSH(r->scratch, r->log->points, r->log->n, r->log->capacity,
                    ((hd_clock_point){ .time = r->now, .what = what, .kind = (uint8_t)kind, .is_same = is_same }));
    return r->log->n - 1;
}

/* begin: its point; 0: it is not known. */
static void
put_collective(hd_clock_reading *r, size_t begin, const hd_clock_collective *collective)
{
    uint32_t place = (uint32_t)r->log->n_collectives;

    if (begin == 0) {
        hd_clock_add_point(r, HD_CLOCK_OTHER, HD_NONE, false);
        return;
    }
    HD_SCRATCH_PUSH(r->scratch, r->log->collectives, r->log->n_collectives, r->log->capacity_collectives, *collective);
    r->log->points[begin].kind = HD_CLOCK_BEGIN;
    r->log->points[begin].what = place;
    hd_clock_add_point(r, HD_CLOCK_END, place, false);
}

static void
pass_world(hd_clock_reading *r, hd_call_group call, bool is_enter)
{
    if (is_enter) {
        r->world_begin = hd_clock_add_point(r, HD_CLOCK_OTHER, HD_NONE, false); /* until it is left */
        return;
    }
    /* others are not of the world */
    put_collective(r, r->channels.process < r->defs->n_mpi_processes ? r->world_begin : 0,
                   &(hd_clock_collective){ .comm = call == HD_CALL_INIT ? HD_CLOCK_INIT(r->defs) :
                                           HD_CLOCK_FINALIZE(r->defs),
                                           .operation = OTF2_COLLECTIVE_OP_BARRIER, .root = OTF2_COLLECTIVE_ROOT_NONE,
                                           .rank = r->channels.process });
    r->world_begin = 0;
}

static void
add_receive(hd_clock_reading *r, uint32_t channel, uint32_t post, bool is_same)
{
    size_t point = hd_clock_add_point(r, HD_CLOCK_RECEIVE, channel, is_same);

    r->log->points[point].number = post;
    while (channel >= r->n_next_posts)
        HD_PUSH(r->next_posts, r->n_next_posts, r->capacity_next_posts, 0);
    if (post >= r->next_posts[channel])
        r->next_posts[channel] = post + 1;
    else
        r->channels.list[channel].has_numbers = true;
}

/* Calls that end an epoch send their notifications when they are entered, and have those of others when they are
 * left. */
static void
pass_epoch(hd_clock_reading *r, bool is_enter)
{
    if (is_enter) {
        r->epoch_begin = hd_clock_add_point(r, HD_CLOCK_OTHER, HD_NONE, false);
        r->n_taken     = 0;
        return;
    }
    for (size_t i = 0; i < r->n_taken; i++)
        add_receive(r, r->taken[i], r->requests.n_posts++, i > 0);
    if (r->n_taken == 0)
        hd_clock_add_point(r, HD_CLOCK_OTHER, HD_NONE, false);
    r->n_taken = 0;
}

void
hd_clock_pass_region(hd_clock_reading *r, uint32_t index, bool is_enter)
{
    const hd_region *region = index != HD_NONE ? &hd_defs_regions(r->defs)[index] : NULL;

    if (region == NULL)
        return;
    if (region->region_class == HD_CLASS_MPI && is_enter)
        HD_PUSH(r->calls, r->n_calls, r->capacity_calls, index);
    else if (region->region_class == HD_CLASS_MPI) {
        size_t n = r->n_calls;

        while (n > 0 && r->calls[n - 1] != index)
            n--;
        r->n_calls = n > 0 ? n - 1 : r->n_calls;
    }
    switch (region->call) {
    case HD_CALL_INIT:
    case HD_CALL_FINALIZE:
        pass_world(r, region->call, is_enter);
        break;
    case HD_CALL_OMP_BARRIER:
    case HD_CALL_OMP_IMPLICIT_BARRIER:
        hd_clock_add_point(r, is_enter ? HD_CLOCK_BARRIER_ENTER : HD_CLOCK_BARRIER_LEAVE, HD_NONE, false);
        break;
    default:
        if (hd_clock_has_points(region))
            pass_epoch(r, is_enter);
        break;
    }
}

size_t
hd_clock_pass_send(hd_clock_reading *r, uint32_t peer, uint32_t comm, uint32_t tag)
{
    uint32_t channel = hd_channel_table_number(&r->channels, HD_CHANNEL_SEND, comm, peer, tag);

    return hd_clock_add_point(r, channel != HD_NONE ? HD_CLOCK_SEND : HD_CLOCK_OTHER, channel, false);
}

void
hd_clock_post_receive(hd_clock_reading *r, uint64_t request)
{
    bool is_new;

    if (request != HD_MAP_FREE && r->n_calls > 0)
        *hd_map_add(&r->requests.posted, request, &is_new) = r->requests.n_posts++;
}

/* A blocking receive is posted by its call; so is one whose post is not recorded, for all that is known. */
void
hd_clock_pass_receive(hd_clock_reading *r, uint32_t peer, uint32_t comm, uint32_t tag, const uint64_t *request)
{
    uint32_t channel = hd_channel_table_number(&r->channels, HD_CHANNEL_RECV, comm, peer, tag);
    uint64_t post;
    bool     is_known = request != NULL && hd_map_take(&r->requests.posted, *request, &post);

    if (channel == HD_NONE) {
        hd_clock_add_point(r, HD_CLOCK_OTHER, HD_NONE, false);
        return;
    }
    if (!is_known || r->compat)
        post = r->requests.n_posts++;
    if (!is_known && request != NULL && !r->compat)
        HD_PUSH(r->requests.foreign, r->requests.n_foreign, r->requests.capacity_foreign,
                ((hd_clock_foreign){ .request = *request, .point = r->log->n, .thread = HD_NONE }));
    add_receive(r, channel, (uint32_t)post, false);
}

void
hd_clock_start_request(hd_clock_reading *r, uint64_t request, size_t point)
{
    bool is_new;

    if (request != HD_MAP_FREE)
        *hd_map_add(&r->requests.open, request, &is_new) = point;
}

void
hd_clock_complete_send(hd_clock_reading *r, uint64_t request)
{
    hd_map_remove(&r->requests.open, request);
}

void
hd_clock_cancel(hd_clock_reading *r, uint64_t request)
{
    uint64_t point, post;

    if (hd_map_take(&r->requests.posted, request, &post))
        return;
    if (!hd_map_take(&r->requests.open, request, &point))
        HD_PUSH(r->requests.cancelled, r->requests.n_cancelled, r->requests.capacity_cancelled, request);
    else if (point < r->log->n && r->log->points[point].kind == HD_CLOCK_SEND)
        r->log->points[point].kind = HD_CLOCK_OTHER;
}

void
hd_clock_begin_collective(hd_clock_reading *r)
{
    r->begin = hd_clock_add_point(r, HD_CLOCK_OTHER, HD_NONE, false); /* until its end says what it is */
}

void
hd_clock_end_collective(hd_clock_reading *r, size_t begin, hd_channel_kind kind, uint32_t comm,
                        const hd_clock_collective *what)
{
    uint32_t            channel    = hd_channel_table_number(&r->channels, kind, comm, 0, 0);
    hd_clock_collective collective = *what;

    if (channel != HD_NONE) {
        collective.comm   = r->channels.list[channel].comm;
        collective.side   = (uint8_t)r->channels.list[channel].peer;
        collective.rank   = r->channels.list[channel].peer_rank;
        collective.is_nbc = kind == HD_CHANNEL_NBC;
    }
    put_collective(r, channel != HD_NONE ? begin : 0, &collective);
}

/* After those of OTF2, or creation and destruction of handles: no process is known to wait. */
#define LAST_OPERATION OTF2_COLLECTIVE_OP_CREATE_HANDLE

void
hd_clock_end_blocking(hd_clock_reading *r, uint32_t comm, const hd_clock_collective *what)
{
    size_t begin = r->begin;

    r->begin = 0;
    if (what->operation >= LAST_OPERATION)
        hd_clock_add_point(r, HD_CLOCK_OTHER, HD_NONE, false);
    else
        hd_clock_end_collective(r, begin, HD_CHANNEL_COLL, comm, what);
}

void
hd_clock_end_request(hd_clock_reading *r, uint32_t comm, uint64_t request, const hd_clock_collective *what)
{
    uint64_t begin = 0;

    if (what->operation >= LAST_OPERATION || !hd_map_take(&r->requests.open, request, &begin) ||
        r->log->points[begin].kind != HD_CLOCK_OTHER)
        begin = 0;
    hd_clock_end_collective(r, begin, HD_CHANNEL_NBC, comm, what);
}
