/* Reads an archive for timeline viewers: matches its messages, then writes one format after the other. */
#include "export.h"

#include "memory.h"

#define FORMAT(name, value, help) &hd_##name##_format,
const hd_export_format *const hd_export_formats[HD_N_EXPORT_FORMATS] = { HD_EXPORT_FORMATS(FORMAT) };

typedef struct writing { /* a format */
    const hd_export_format *format;
    void                   *state;
    uint64_t                next;      /* number of the location's next message */
    uint64_t                n_regions;
} writing;

static void
enter(void *user, hd_time time, uint32_t region, bool is_continued)
{
    writing *w = user;

    w->n_regions++;
    w->format->enter(w->state, time, region, is_continued);
}

static void
leave(void *user, hd_time time, uint32_t region, bool is_continued)
{
    const writing *w = user;

    w->format->leave(w->state, time, region, is_continued);
}

static void
message(void *user, const hd_walk_message *message)
{
    writing *w      = user;
    uint64_t number = w->next++;

    if (message->is_inside)
        w->format->message(w->state, message, number);
}

static void
collective(void *user, const hd_walk_collective *collective)
{
    const writing *w = user;

    w->format->collective(w->state, collective);
}

static void
counter(void *user, hd_time time, uint32_t number, double value)
{
    const writing *w = user;

    if (w->format->counter != NULL)
        w->format->counter(w->state, time, number, value);
}

static const hd_walk_sink write_sink =
    { .enter = enter, .leave = leave, .message = message, .collective = collective, .counter = counter };

/* ---- what is noted before ---------------------------------------------------------------------------------------- */

typedef struct noting {
    hd_message_match *match;
    const hd_defs    *defs;
    bool             *falls;    /* [n_counters + n_tracks] as in hd_export */
    double           *last;     /* [n_counters + n_tracks] of the location, if it */
    uint32_t         *location; /* [n_counters + n_tracks] is this one: number + 1 */
    uint32_t          number;
} noting;

static void
note_message(void *user, const hd_walk_message *message)
{
    const noting *n = user;

    hd_message_match_sink.message(n->match, message);
}

static void
note_request(void *user, hd_walk_request_event event, uint64_t request, hd_time enter)
{
    const noting *n = user;

    hd_message_match_sink.request(n->match, event, request, enter);
}

static void
note_counter(void *user, hd_time time, uint32_t counter, double value)
{
    noting *n = user;

    (void)time;
    if (counter < n->defs->n_counters || hd_defs_counters(n->defs)[counter].mode != HD_COUNTER_ACCUMULATED)
        return;
    if (n->location[counter] == n->number + 1 && value < n->last[counter])
        n->falls[counter] = true;
    n->location[counter] = n->number + 1;
    n->last[counter]     = value;
}

static const hd_walk_sink note_sink = { .message = note_message, .request = note_request, .counter = note_counter };

static hd_walk_request
walk_request(const hd_export_request *request)
{
    return (hd_walk_request){ .anchor = request->anchor, .defs = request->defs, .interval = request->interval,
                              .reader = request->reader, .raw_clocks = request->raw_clocks,
                              .clocks = request->clocks,
                              .n_done = request->n_done, .stop = request->stop };
}

static hd_status
match_messages(const hd_export_request *request, hd_message_match *match, bool *falls, hd_export_result *result)
{
    const hd_defs  *defs = request->defs;
    size_t          n    = (size_t)defs->n_counters + defs->n_tracks + 1;
    noting          note = { .match = match, .defs = defs, .falls = falls, .last = HD_NEW_ARRAY(double, n),
                             .location = HD_NEW_ARRAY(uint32_t, n) };
    hd_walk_request from = walk_request(request);
    hd_walk        *walk = NULL;
    hd_status       status;

    request->on_phase(request->context, "messages");
    status = hd_walk_open(&from, &walk);
    for (note.number = 0; note.number < defs->n_locations && status == HD_OK; note.number++)
        if (request->is_chosen[note.number]) {
            hd_message_match_begin(match, note.number);
            status = hd_walk_location(walk, note.number, &note_sink, &note, &result->walk);
        }
    hd_walk_close(walk);
    free(note.last);
    free(note.location);
    if (status == HD_OK)
        hd_message_match_finish(match, &result->n_messages, &result->n_alone, &result->n_early);
    return status;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static hd_status
write_locations(const hd_export_request *request, const hd_export *export, writing *w)
{
    hd_walk_request from   = walk_request(request);
    hd_walk_result  again  = { .first = HD_TIME_NEVER };
    hd_walk        *walk   = NULL;
    hd_status       status = hd_walk_open(&from, &walk);

    w->format->begin(w->state, export);
    for (uint32_t i = 0; i < request->defs->n_locations && status == HD_OK; i++)
        if (request->is_chosen[i]) {
            w->next = hd_message_match_first(export->messages, i);
            w->format->begin_location(w->state, i);
            status = hd_walk_location(walk, i, &write_sink, w, &again);
            if (status == HD_OK)
                w->format->end_location(w->state);
        }
    hd_walk_close(walk);
    return status;
}

static hd_status
write_format(const hd_export_request *request, const hd_export *export, writing *w)
{
    hd_status status, closed;

    request->on_phase(request->context, w->format->name);
    status = write_locations(request, export, w);
    if (status == HD_OK)
        status = hd_scratch_check(request->scratch);
    closed = w->format->close(w->state, status == HD_OK);
    return status != HD_OK ? status : closed;
}

/* Files are made before work is put into them. */
static hd_status
open_formats(const hd_export_request *request, writing *all)
{
    hd_status status = HD_OK;

    for (uint32_t i = 0; i < HD_N_EXPORT_FORMATS && status == HD_OK; i++)
        if (request->paths[i] != NULL) {
            status = hd_export_formats[i]->open(request->paths[i], request->force, &all[i].state);
            if (status == HD_OK)
                all[i].format = hd_export_formats[i];
        }
    return status;
}

hd_status
hd_export_run(const hd_export_request *request, hd_export_result *result)
{
    hd_message_match *match = hd_message_match_new(request->defs, request->scratch);
    bool             *falls = HD_NEW_ARRAY(bool, (size_t)request->defs->n_counters + request->defs->n_tracks + 1);
    writing           all[HD_N_EXPORT_FORMATS] = { 0 };
    hd_export         export = { .archive = request->archive, .anchor = request->anchor, .defs = request->defs,
                                 .is_chosen = request->is_chosen, .interval = request->interval,
                                 .clock = request->clock, .messages = match, .waits = request->waits,
                                 .efficiencies = request->efficiencies, .falls = falls,
                                 .scratch = request->scratch };
    hd_status         status;

    *result = (hd_export_result){ .walk = { .first = HD_TIME_NEVER } };
    status  = open_formats(request, all);
    if (status == HD_OK)
        status = match_messages(request, match, falls, result);
    export.origin     = hd_time_min(request->defs->first_time, result->walk.first);
    export.end        = hd_time_max(result->walk.last, export.origin);
    export.n_messages = result->n_messages;
    export.n_alone    = result->n_alone;
    for (uint32_t i = 0; i < HD_N_EXPORT_FORMATS; i++) {
        if (all[i].format == NULL)
            continue;
        if (status == HD_OK)
            status = write_format(request, &export, &all[i]);
        else
            (void)all[i].format->close(all[i].state, false);
        result->n_regions = all[i].n_regions;
    }
    hd_message_match_free(match);
    free(falls);
    return status;
}
