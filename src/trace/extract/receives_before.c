/* src/trace/extract/receives_before.c: notes the receives on channels that owe some, each with its place among the
 * posts of the location. Of each channel those with the lowest places are taken. */
#include "receives_before.h"

#include <otf2/otf2.h>

#include "event_records.h"
#include "map.h"
#include "memory.h"
#include "record_time.h"

typedef struct noted { /* a receive */
    uint32_t channel;
    uint64_t post;     /* how many were posted before */
    size_t   position; /* among the receives in the part */
} noted;

typedef struct search {
    hd_crossing *crossing;
    uint32_t     process;
    hd_time      from, now;
    hd_plausible plausible;
    bool         has_begun;
    hd_map       posted;      /* receives that are not complete -> post */
    uint64_t     n_posts;
    size_t       n_receives;  /* in the part */
    noted       *noted;       /* [n_noted] */
    size_t       n_noted, capacity;
    hd_map       n_on;        /* channel -> noted receives */
    uint64_t     n_owing;     /* channels with fewer noted receives than they owe */
    uint64_t     last_post;   /* once there are none: later posts do not matter */
    size_t       n_pending;   /* earlier posts that are not complete */
} search;

static void
arrive(search *s, hd_time time)
{
    hd_finding_kind wrong;

    s->now       = hd_right_time(&s->plausible, s->now, !s->has_begun, time, &wrong);
    s->has_begun = true;
}

static OTF2_CallbackCode
go_on(const search *s)
{
    return s->n_owing == 0 && s->n_pending == 0 ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

static void
post(search *s, uint64_t request)
{
    bool is_new;

    if (request != HD_MAP_FREE)
        *hd_map_add(&s->posted, request, &is_new) = s->n_posts++;
}

static void
end_request(search *s, uint64_t request, uint64_t *place)
{
    if (!hd_map_take(&s->posted, request, place))
        *place = s->n_posts++;
    else if (s->n_owing == 0 && *place < s->last_post)
        s->n_pending--;
}

static void
note(search *s, uint32_t channel, uint64_t place)
{
    bool      is_new;
    uint64_t *n = hd_map_add(&s->n_on, channel, &is_new);

    if (is_new)
        *n = 0;
    HD_PUSH(s->noted, s->n_noted, s->capacity, ((noted){ channel, place, s->n_receives }));
    if (++*n != hd_crossing_owed(s->crossing, channel) || --s->n_owing > 0)
        return;
    s->last_post = s->n_posts;
    s->n_pending = s->posted.n;
}

static void
receive(search *s, uint32_t comm, uint32_t peer, uint32_t tag, const uint64_t *request)
{
    uint64_t place;
    uint32_t channel;

    if (request != NULL)
        end_request(s, *request, &place);
    else
        place = s->n_posts++;
    if (s->now < s->from)
        return;
    channel = hd_crossing_owing_channel(s->crossing, s->process, comm, peer, tag);
    if (channel != HD_NONE)
        note(s, channel, place);
    s->n_receives++;
}

static void
cancel(search *s, uint64_t request)
{
    uint64_t place;

    if (hd_map_get(&s->posted, request) != NULL)
        end_request(s, request, &place);
}

/* X(kind, what is done with it), which has its fields from event_records.h. */
#define RECORDS(X) \
    X(MpiIrecvRequest, post(s, request)) \
    X(MpiRecv, receive(s, communicator, sender, tag, NULL)) \
    X(MpiIrecv, receive(s, communicator, sender, tag, &request)) \
    X(MpiRequestCancelled, cancel(s, request)) \
    X(Enter, ) /* for the times */ \
    X(Leave, )

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter" /* of fields that are not needed */
#define ON_RECORD(kind, what) \
    static OTF2_CallbackCode on_##kind(HD_EVENT_PARAMETERS HD_EVENT_##kind(HD_PARAMETER)) \
    { \
        search *s = user; \
\
        arrive(s, time); \
        what; \
        return go_on(s); \
    }
RECORDS(ON_RECORD)
#pragma GCC diagnostic pop

#define HANDLER(kind, what) .kind = on_##kind,
static const hd_event_handlers handlers = { RECORDS(HANDLER) .takes_attributes = false };

static int
compare_noted(const void *left, const void *right)
{
    const noted *a = left, *b = right;

    if (a->channel != b->channel)
        return a->channel < b->channel ? -1 : 1;
    return (a->post > b->post) - (a->post < b->post);
}

static int
compare_positions(const void *left, const void *right)
{
    const size_t *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

static size_t *
take_first(search *s, size_t *n_before)
{
    size_t *before = HD_NEW_ARRAY(size_t, s->n_noted), n = 0;

    if (s->n_noted > 1)
        qsort(s->noted, s->n_noted, sizeof *s->noted, compare_noted);
    for (size_t i = 0; i < s->n_noted; i++)
        if (hd_crossing_pay(s->crossing, s->noted[i].channel))
            before[n++] = s->noted[i].position;
    if (n > 1)
        qsort(before, n, sizeof *before, compare_positions);
    *n_before = n;
    return before;
}

hd_status
hd_receives_before_find(hd_crossing *crossing, hd_event_files *files, const hd_defs *defs, uint32_t location,
                        hd_time from, size_t **before, size_t *n)
{
    const hd_location_def *def = &hd_defs_locations(defs)[location];
    search                 s   = { .crossing = crossing, .process = def->process, .from = from,
                                   .plausible = hd_plausible_times(defs),
                                   .n_owing = hd_crossing_n_owing(crossing, def->process) };
    uint64_t                 n_events;
    hd_events_end            end;
    hd_status                status;

    *before = NULL;
    *n      = 0;
    if (s.n_owing == 0)
        return HD_OK;
    status = hd_event_files_read(files, def->ref, &(hd_event_reading){ .handlers = &handlers, .user = &s }, &n_events,
                                 &end);
    if (status == HD_OK)
        *before = take_first(&s, n);
    hd_map_fini(&s.posted);
    hd_map_fini(&s.n_on);
    free(s.noted);
    return status;
}
