#include "cut_border.h"

#include "cut_tasks.h"
#include "open_things.h"
#include "record_time.h"

static void
put_switch(hd_cut *cut, hd_cut_task_id id, hd_time time)
{
    hd_cut_put(cut, OTF2_EvtWriter_ThreadTaskSwitch(cut->writer, NULL, time, id.team, id.creator, id.generation));
}

/* The unwind distance of a context if the one before has that depth, and what is entered since is all below it. */
static uint32_t
distance_from(uint32_t *depth, const hd_context *context)
{
    uint32_t distance = context->depth > *depth ? context->depth - *depth + 1 : 2;

    *depth = context->depth;
    return distance;
}

/* What samples had shown between the calls. */
static void
put_sampled(hd_cut *cut, uint32_t ref, uint32_t *depth, hd_time time)
{
    const hd_context *context = hd_cut_context(cut, ref);

    if (context != NULL && context->depth > *depth)
        hd_cut_put(cut, OTF2_EvtWriter_CallingContextSample(cut->writer, NULL, time, ref, distance_from(depth, context),
                                                            cut->sampler));
}

static void
put_open(hd_cut *cut, const hd_cut_task *of, hd_time time)
{
    uint32_t depth = of->around;

    for (size_t i = 0; i < of->n; i++) {
        hd_cut_open       thing   = of->open[i];
        const hd_context *context = thing.kind == HD_CUT_CONTEXT ? hd_cut_context(cut, thing.ref) : NULL;

        if (context != NULL)
            thing.number = distance_from(&depth, context);
        else
            put_sampled(cut, thing.context, &depth, time);
        hd_cut_put_begin(cut, &thing, time);
    }
    put_sampled(cut, of->context, &depth, time);
}

static hd_cut_task_id
implicit_id(const hd_cut *cut, hd_cut_task_id of_team)
{
    uint32_t thread = hd_defs_locations(cut->all->request->defs)[cut->location].thread;

    return cut->knows_implicit ? cut->tasks[0].id : (hd_cut_task_id){ of_team.team, thread, 0 };
}

void
hd_cut_enter_part(hd_cut *cut)
{
    hd_time from = cut->all->request->analysis_interval.from;
    size_t  last = 0;

    cut->side = HD_CUT_INSIDE;
    put_open(cut, &cut->tasks[0], from);
    for (size_t i = 1; i < cut->n_tasks; i++)
        while (cut->tasks[i].n > 0 && i != cut->current && !hd_cut_is_here(cut, i))
            hd_cut_pop(&cut->tasks[i]);
    for (size_t i = hd_cut_next_suspended(cut, 0); i < cut->n_tasks;
         i = hd_cut_next_suspended(cut, cut->tasks[i].fragment)) {
        put_switch(cut, cut->tasks[i].id, from);
        put_open(cut, &cut->tasks[i], from);
        last = i;
    }
    if (cut->current != 0) {
        put_switch(cut, cut->tasks[cut->current].id, from);
        put_open(cut, &cut->tasks[cut->current], from);
    } else if (last != 0)
        put_switch(cut, implicit_id(cut, cut->tasks[last].id), from);
    if (cut->flushed > from)
        hd_cut_put(cut, OTF2_EvtWriter_BufferFlush(cut->writer, NULL, from,
                                                   hd_time_min(cut->flushed, cut->all->request->analysis_interval.to)));
    cut->now = from;
}

static void
put_ends(hd_cut *cut, hd_cut_task *of, hd_time time)
{
    while (of->n > 0) {
        hd_cut_put_end(cut, &of->open[of->n - 1], time);
        hd_cut_pop(of);
    }
}

static void
leave_part(hd_cut *cut, hd_time time)
{
    size_t explicit = cut->current;

    put_ends(cut, &cut->tasks[cut->current], time);
    for (size_t i = hd_cut_next_suspended(cut, 0); i < cut->n_tasks;
         i = hd_cut_next_suspended(cut, cut->tasks[i].fragment)) {
        put_switch(cut, cut->tasks[i].id, time);
        put_ends(cut, &cut->tasks[i], time);
        explicit = i;
    }
    if (cut->tasks[0].n > 0) {
        if (explicit != 0)
            put_switch(cut, implicit_id(cut, cut->tasks[explicit].id), time);
        put_ends(cut, &cut->tasks[0], time);
    }
    cut->side = HD_CUT_BEHIND;
}

hd_cut_side
hd_cut_arrive(hd_cut *cut, uint64_t position, OTF2_TimeStamp *time)
{
    const hd_analysis_interval *analysis_interval = &cut->all->request->analysis_interval;
    hd_finding_kind  wrong;

    *time = hd_right_time(&cut->plausible, cut->now, cut->n_read++ == 0, *time, &wrong);
    if (*time >= analysis_interval->from && cut->side == HD_CUT_BEFORE) {
        if (cut->writer == NULL)
            return cut->side = HD_CUT_BEHIND;
        hd_cut_enter_part(cut);
    }
    if (*time >= analysis_interval->to && cut->side == HD_CUT_INSIDE)
        leave_part(cut, analysis_interval->to);
    if (*time > cut->now)
        cut->flushed = 0; /* it ends at the next record at the latest */
    cut->now = *time;
    if (cut->at.times != NULL) {
        *time         = hd_record_times_at(&cut->at, position);
        cut->moved_by = hd_span_between(cut->now, *time);
    }
    cut->n_mistimed += wrong == HD_FINDING_TIME_DAMAGED && cut->side == HD_CUT_INSIDE;
    return cut->side;
}
