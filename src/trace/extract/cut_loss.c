#include "cut_loss.h"

#include "cut_border.h"
#include "open_things.h"

void
hd_extract_note_loss(hd_extraction *all, hd_extract_loss_kind kind, uint32_t location)
{
    hd_extract_loss *loss = &all->result.losses[kind];

    if (loss->n++ == 0)
        loss->first = location;
}

/* How many of the events that were announced and are missing are of the part, as if they were evenly spread from the
 * last one on; at least one. */
static uint64_t
lost_in_part(const hd_cut *cut, uint64_t announced)
{
    const hd_defs *defs  = cut->all->request->defs;
    hd_time        since = hd_time_max(cut->now, defs->first_time), end = defs->first_time + defs->length;
    hd_time        from  = hd_time_max(cut->all->request->analysis_interval.from, since),
                           to = hd_time_min(cut->all->request->analysis_interval.to, end);
    uint64_t       n     = announced > cut->n_read ? announced - cut->n_read : 1;
    double         share = since >= end ? 1 : from < to ? (double)(to - from) / (double)(end - since) : 0;

    n = share < 1 ? (uint64_t)((double)n * share) : n;
    return n > 0 ? n : 1;
}

/* The recording ends inside of a call, as heddle analyze sees it. */
static bool
is_stopped(const hd_cut *cut)
{
    const hd_cut_task *in = &cut->tasks[cut->current];

    if (hd_defs_locations(cut->all->request->defs)[cut->location].thread != 0)
        return false;
    for (size_t i = 0; i < in->n; i++)
        if (in->open[i].kind == HD_CUT_REGION || in->open[i].kind == HD_CUT_CONTEXT ||
            in->open[i].kind == HD_CUT_PROGRAM || in->open[i].kind == HD_CUT_OFF)
            return true;
    return hd_cut_context(cut, in->context) != NULL;
}

uint64_t
hd_cut_find_loss(hd_cut *cut, hd_events_end end)
{
    uint64_t announced = hd_defs_locations(cut->all->request->defs)[cut->location].n_events;
    bool     is_cut    = end == HD_EVENTS_CUT || end == HD_EVENTS_REFUSED ||
                         (end == HD_EVENTS_NO_FILE ? announced > 0 : announced > cut->n_read);

    if (end == HD_EVENTS_INTERRUPTED) /* after the part */
        return 0;
    if (is_cut) {
        hd_extract_note_loss(cut->all, cut->n_read == 0 ? HD_EXTRACT_NO_EVENTS : HD_EXTRACT_CUT_EVENTS, cut->location);
        return lost_in_part(cut, announced);
    }
    if (is_stopped(cut)) {
        hd_extract_note_loss(cut->all, HD_EXTRACT_STOPPED, cut->location);
        if (cut->side == HD_CUT_BEFORE)
            hd_cut_enter_part(cut);
    }
    return 0;
}

uint64_t
hd_cut_leave_out(hd_cut *cut, hd_events_end end)
{
    if (end != HD_EVENTS_INTERRUPTED)
        return hd_cut_find_loss(cut, end);
    hd_extract_note_loss(cut->all, HD_EXTRACT_LEFT_OUT, cut->location);
    cut->n_read = 0;
    cut->now    = 0;
    return lost_in_part(cut, hd_defs_locations(cut->all->request->defs)[cut->location].n_events);
}

void
hd_cut_count_events(hd_cut *cut, uint64_t n_lost)
{
    uint64_t *n = &cut->all->n_events[cut->location];

    if (cut->n_unknown > 0)
        hd_extract_note_loss(cut->all, HD_EXTRACT_UNKNOWN_KIND, cut->location);
    if (cut->n_mistimed > 0)
        hd_extract_note_loss(cut->all, HD_EXTRACT_TIME_DAMAGED, cut->location);
    n_lost += cut->n_unknown + cut->n_mistimed;
    hd_cut_put(cut, OTF2_EvtWriter_GetNumberOfEvents(cut->writer, n));
    cut->all->result.n_events += *n;
    if (__builtin_add_overflow(*n, n_lost, n))
        *n = UINT64_MAX;
}
