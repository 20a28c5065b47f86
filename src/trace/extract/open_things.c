#include "open_things.h"

#include "memory.h"

void
hd_cut_put_begin(hd_cut *cut, const hd_cut_open *thing, hd_time time)
{
    OTF2_EvtWriter *writer = cut->writer;

    switch (thing->kind) {
    case HD_CUT_REGION:
        hd_cut_put(cut, OTF2_EvtWriter_Enter(writer, NULL, time, thing->ref));
        break;
    case HD_CUT_CONTEXT:
        hd_cut_put(cut, OTF2_EvtWriter_CallingContextEnter(writer, NULL, time, thing->ref, (uint32_t)thing->number));
        break;
    case HD_CUT_PROGRAM:
        hd_cut_put(cut, OTF2_EvtWriter_ProgramBegin(writer, NULL, time, thing->ref, (uint32_t)thing->number,
                                                    thing->arguments));
        break;
    case HD_CUT_OFF:
        hd_cut_put(cut, OTF2_EvtWriter_MeasurementOnOff(writer, NULL, time, OTF2_MEASUREMENT_OFF));
        break;
    case HD_CUT_FORK:
        hd_cut_put(cut, OTF2_EvtWriter_ThreadFork(writer, NULL, time, (OTF2_Paradigm)thing->ref,
                                                  (uint32_t)thing->number));
        break;
    case HD_CUT_TEAM:
        hd_cut_put(cut, OTF2_EvtWriter_ThreadTeamBegin(writer, NULL, time, thing->ref));
        break;
    case HD_CUT_THREAD:
        hd_cut_put(cut, OTF2_EvtWriter_ThreadBegin(writer, NULL, time, thing->ref, thing->number));
        break;
    }
}

void
hd_cut_put_end(hd_cut *cut, const hd_cut_open *thing, hd_time time)
{
    OTF2_EvtWriter *writer = cut->writer;

    switch (thing->kind) {
    case HD_CUT_REGION:
        hd_cut_put(cut, OTF2_EvtWriter_Leave(writer, NULL, time, thing->ref));
        break;
    case HD_CUT_CONTEXT:
        hd_cut_put(cut, OTF2_EvtWriter_CallingContextLeave(writer, NULL, time, thing->ref));
        break;
    case HD_CUT_PROGRAM:
        hd_cut_put(cut, OTF2_EvtWriter_ProgramEnd(writer, NULL, time, 0));
        break;
    case HD_CUT_OFF:
        hd_cut_put(cut, OTF2_EvtWriter_MeasurementOnOff(writer, NULL, time, OTF2_MEASUREMENT_ON));
        break;
    case HD_CUT_FORK:
        hd_cut_put(cut, OTF2_EvtWriter_ThreadJoin(writer, NULL, time, (OTF2_Paradigm)thing->ref));
        break;
    case HD_CUT_TEAM:
        hd_cut_put(cut, OTF2_EvtWriter_ThreadTeamEnd(writer, NULL, time, thing->ref));
        break;
    case HD_CUT_THREAD:
        hd_cut_put(cut, OTF2_EvtWriter_ThreadEnd(writer, NULL, time, thing->ref, thing->number));
        break;
    }
}

bool
hd_cut_begin(hd_cut *cut, hd_cut_open thing)
{
    hd_cut_task *in = &cut->tasks[cut->current];

    thing.context = in->context;
    HD_PUSH(in->open, in->n, in->capacity, thing);
    return true;
}

bool
hd_cut_begin_program(hd_cut *cut, uint32_t name, uint32_t n, const uint32_t *arguments)
{
    hd_cut_open program = { .kind = HD_CUT_PROGRAM, .ref = name, .number = n,
                            .arguments = HD_NEW_ARRAY(uint32_t, (size_t)n + 1) };

    if (n > 0)
        memcpy(program.arguments, arguments, n * sizeof *arguments);
    return hd_cut_begin(cut, program);
}

const hd_context *
hd_cut_context(const hd_cut *cut, uint32_t ref)
{
    uint32_t          index = hd_refs_index(&cut->all->refs.contexts, ref);
    const hd_context *context = index != HD_NONE ? &hd_defs_contexts(cut->all->request->defs)[index] : NULL;

    return context != NULL && context->depth > 0 ? context : NULL;
}

/* A call is left in another calling context of the same region, as a rule. */
static bool
is_ended_by(const hd_cut *cut, const hd_cut_open *thing, hd_cut_kind kind, uint32_t ref)
{
    const hd_context *a, *b;

    if (thing->kind != kind)
        return false;
    if (thing->ref == ref || kind == HD_CUT_PROGRAM || kind == HD_CUT_OFF)
        return true;
    a = kind == HD_CUT_CONTEXT ? hd_cut_context(cut, thing->ref) : NULL;
    b = kind == HD_CUT_CONTEXT ? hd_cut_context(cut, ref) : NULL;
    return a != NULL && b != NULL && a->region == b->region && a->depth == b->depth;
}

/* The thing of that kind that the record ends, counted from 1 on; 0: none. */
static size_t
find_open(const hd_cut *cut, const hd_cut_task *in, hd_cut_kind kind, uint32_t ref)
{
    size_t at = in->n;

    while (at > 0 && !is_ended_by(cut, &in->open[at - 1], kind, ref))
        at--;
    return at;
}

bool
hd_cut_end(hd_cut *cut, hd_cut_kind kind, uint32_t ref)
{
    hd_cut_task *in = &cut->tasks[cut->current];
    size_t       at = find_open(cut, in, kind, ref);

    if (at == 0 && kind != HD_CUT_REGION && kind != HD_CUT_CONTEXT) {
        in = &cut->tasks[0];
        at = find_open(cut, in, kind, ref);
    }
    if (at == 0) {
        cut->all->result.n_misfits += cut->side == HD_CUT_INSIDE;
        return false;
    }
    while (in->n > at) {
        if (cut->side == HD_CUT_INSIDE)
            hd_cut_put_end(cut, &in->open[in->n - 1], cut->now);
        hd_cut_pop(in);
    }
    hd_cut_pop(in);
    if (kind == HD_CUT_PROGRAM)
        in->context = HD_NONE;
    return true;
}

static void
note_context(hd_cut *cut, uint32_t ref, uint32_t unwind_distance)
{
    hd_cut_task      *in      = &cut->tasks[cut->current];
    const hd_context *context = hd_cut_context(cut, ref);

    if (in->context == HD_NONE && cut->current != 0 && context != NULL)
        in->around = unwind_distance > context->depth ? 0 : unwind_distance > 1 ?
                     context->depth - (unwind_distance - 1) : context->depth;
    in->context = ref;
}

bool
hd_cut_begin_context(hd_cut *cut, uint32_t ref, uint32_t unwind_distance)
{
    note_context(cut, ref, unwind_distance);
    return hd_cut_begin(cut, (hd_cut_open){ .kind = HD_CUT_CONTEXT, .ref = ref });
}

bool
hd_cut_end_context(hd_cut *cut, uint32_t ref)
{
    const hd_context *context = hd_cut_context(cut, ref);

    cut->tasks[cut->current].context =
        context != NULL && context->parent != HD_NONE ? hd_defs_context_refs(cut->all->request->defs)[context->parent] :
        HD_NONE;
    return hd_cut_end(cut, HD_CUT_CONTEXT, ref);
}

bool
hd_cut_sample(hd_cut *cut, uint32_t context, uint32_t unwind_distance, uint32_t sampler)
{
    note_context(cut, context, unwind_distance);
    cut->sampler = sampler;
    return true;
}

bool
hd_cut_measurement(hd_cut *cut, OTF2_MeasurementMode mode)
{
    if (mode == OTF2_MEASUREMENT_OFF)
        return hd_cut_begin(cut, (hd_cut_open){ .kind = HD_CUT_OFF });
    return hd_cut_end(cut, HD_CUT_OFF, 0);
}
