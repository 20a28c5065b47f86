#include "extract.h"

#include <errno.h>
#include <otf2/otf2.h>

#include "archive.h"
#include "crossing.h"
#include "event_file.h"
#include "memory.h"
#include "definition_records.h"

typedef enum open_kind { REGION, CONTEXT, PROGRAM, OFF, FORK, TEAM, THREAD } open_kind;

typedef struct open_thing { /* begun and not ended */
    open_kind       kind;
    uint32_t        ref;       /* region, calling context, name of the program, paradigm, team, contingent */
    uint64_t        number;    /* that its record has besides; not of a calling context */
    OTF2_StringRef *arguments; /* [number] of the program */
    uint32_t        context;   /* calling context recorded last, HD_NONE: none */
} open_thing;

typedef struct task_id {
    uint32_t team, creator, generation; /* generation 0: the implicit task */
} task_id;

typedef struct task { /* its open things, innermost last */
    task_id     id;
    uint64_t    turn; /* the location's last switch to it, from 1 on; 0: it is over */
    open_thing *open; /* [n] */
    size_t      n, capacity;
    uint32_t    context; /* calling context recorded last, HD_NONE: none */
    uint32_t    around;  /* how many of those in which it is are around the task */
} task;

typedef struct last_turn { /* where a task was before the part */
    uint32_t process, location;
    task_id  id;
    hd_time  time;
} last_turn;

typedef struct extraction {
    const hd_extract_request *request;
    hd_extract_result         result;
    hd_ref_maps               refs;
    hd_crossing              *crossing;
    last_turn                *turns; /* [n_turns] of explicit tasks that are not over, sorted by compare_turns() once all are known */
    size_t                    n_turns, capacity_turns;
    uint64_t                 *n_events; /* [defs->n_locations] written, and those that are lost */
    bool                      knows_need, needs_definitions; /* a location's events need its own definitions */
    OTF2_ErrorCode            error;    /* the first one of writing */
    int                       system_error; /* errno then */
} extraction;

typedef enum side { BEFORE, INSIDE, BEHIND } side;

typedef struct hd_cut { /* of one location */
    extraction     *all;
    uint32_t        location, process;
    OTF2_EvtWriter *writer;  /* NULL: what is before the part is looked at only */
    side            side;
    hd_time         now;     /* of the last record */
    hd_time         flushed; /* the trace buffer is being written until then */
    task           *tasks;   /* [n_tasks] the first one is the implicit one; those that are over are taken for others */
    size_t          n_tasks, capacity_tasks;
    size_t          current; /* of them */
    hd_time        *resumed; /* [capacity_resumed] when each began to run last */
    size_t          n_resumed, capacity_resumed;
    uint64_t        n_turns;
    uint64_t        n_read;  /* records */
    uint64_t        n_unknown, n_mistimed; /* of the part, of a kind that OTF2 does not know; with a damaged time */
    hd_time         plausible; /* times behind it are damage */
    bool            knows_implicit; /* tasks[0].id is a record's */
    uint32_t        sampler; /* interrupt generator of the last sample */
} hd_cut;

/* ---- writing ------------------------------------------------------------------------------------------------------------ */

static bool
is_of_the_disk(int error)
{
    return error == ENOSPC || error == EDQUOT || error == EFBIG || error == EIO;
}

/* OTF2 does not tell of everything that could not be written, least of all when it closes a file: errno, 0 in the beginning, does. */
static void
note_error(extraction *all, OTF2_ErrorCode error)
{
    if (all->error != OTF2_SUCCESS || (error == OTF2_SUCCESS && !is_of_the_disk(errno)))
        return;
    all->error        = error != OTF2_SUCCESS ? error : OTF2_ERROR_FILE_INTERACTION;
    all->system_error = errno;
}

static void
put(hd_cut *cut, OTF2_ErrorCode error)
{
    note_error(cut->all, error);
}

static void
put_begin(hd_cut *cut, const open_thing *thing, hd_time time)
{
    OTF2_EvtWriter *writer = cut->writer;

    switch (thing->kind) {
    case REGION:
        put(cut, OTF2_EvtWriter_Enter(writer, NULL, time, thing->ref));
        break;
    case CONTEXT:
        put(cut, OTF2_EvtWriter_CallingContextEnter(writer, NULL, time, thing->ref, (uint32_t)thing->number));
        break;
    case PROGRAM:
        put(cut, OTF2_EvtWriter_ProgramBegin(writer, NULL, time, thing->ref, (uint32_t)thing->number, thing->arguments));
        break;
    case OFF:
        put(cut, OTF2_EvtWriter_MeasurementOnOff(writer, NULL, time, OTF2_MEASUREMENT_OFF));
        break;
    case FORK:
        put(cut, OTF2_EvtWriter_ThreadFork(writer, NULL, time, (OTF2_Paradigm)thing->ref, (uint32_t)thing->number));
        break;
    case TEAM:
        put(cut, OTF2_EvtWriter_ThreadTeamBegin(writer, NULL, time, thing->ref));
        break;
    case THREAD:
        put(cut, OTF2_EvtWriter_ThreadBegin(writer, NULL, time, thing->ref, thing->number));
        break;
    }
}

static void
put_end(hd_cut *cut, const open_thing *thing, hd_time time)
{
    OTF2_EvtWriter *writer = cut->writer;

    switch (thing->kind) {
    case REGION:
        put(cut, OTF2_EvtWriter_Leave(writer, NULL, time, thing->ref));
        break;
    case CONTEXT:
        put(cut, OTF2_EvtWriter_CallingContextLeave(writer, NULL, time, thing->ref));
        break;
    case PROGRAM:
        put(cut, OTF2_EvtWriter_ProgramEnd(writer, NULL, time, 0));
        break;
    case OFF:
        put(cut, OTF2_EvtWriter_MeasurementOnOff(writer, NULL, time, OTF2_MEASUREMENT_ON));
        break;
    case FORK:
        put(cut, OTF2_EvtWriter_ThreadJoin(writer, NULL, time, (OTF2_Paradigm)thing->ref));
        break;
    case TEAM:
        put(cut, OTF2_EvtWriter_ThreadTeamEnd(writer, NULL, time, thing->ref));
        break;
    case THREAD:
        put(cut, OTF2_EvtWriter_ThreadEnd(writer, NULL, time, thing->ref, thing->number));
        break;
    }
}

static void
put_switch(hd_cut *cut, task_id id, hd_time time)
{
    put(cut, OTF2_EvtWriter_ThreadTaskSwitch(cut->writer, NULL, time, id.team, id.creator, id.generation));
}

/* ---- what is open ------------------------------------------------------------------------------------------------------- */

static bool
same_id(task_id a, task_id b)
{
    return a.team == b.team && a.creator == b.creator && a.generation == b.generation;
}

static void
pop(task *of)
{
    of->n--;
    free(of->open[of->n].arguments);
}

static bool
begin(hd_cut *cut, open_thing thing)
{
    task *in = &cut->tasks[cut->current];

    thing.context = in->context;
    HD_PUSH(in->open, in->n, in->capacity, thing);
    return true;
}

static bool
begin_program(hd_cut *cut, uint32_t name, uint32_t n, const uint32_t *arguments)
{
    open_thing program = { .kind = PROGRAM, .ref = name, .number = n, .arguments = HD_NEW_ARRAY(uint32_t, (size_t)n + 1) };

    memcpy(program.arguments, arguments, n * sizeof *arguments);
    return begin(cut, program);
}

/* NULL: it cannot be. */
static const hd_context *
context_of(const hd_cut *cut, uint32_t ref)
{
    uint32_t          index = hd_refs_index(&cut->all->refs.contexts, ref);
    const hd_context *context = index != HD_NONE ? &hd_defs_contexts(cut->all->request->defs)[index] : NULL;

    return context != NULL && context->depth > 0 ? context : NULL;
}

/* A call is left in another calling context of the same region, as a rule. */
static bool
is_ended_by(const hd_cut *cut, const open_thing *thing, open_kind kind, uint32_t ref)
{
    const hd_context *a, *b;

    if (thing->kind != kind)
        return false;
    if (thing->ref == ref || kind == PROGRAM || kind == OFF)
        return true;
    a = kind == CONTEXT ? context_of(cut, thing->ref) : NULL;
    b = kind == CONTEXT ? context_of(cut, ref) : NULL;
    return a != NULL && b != NULL && a->region == b->region && a->depth == b->depth;
}

/* The thing of that kind that the record ends, counted from 1 on; 0: none. */
static size_t
find_open(const hd_cut *cut, const task *in, open_kind kind, uint32_t ref)
{
    size_t at = in->n;

    while (at > 0 && !is_ended_by(cut, &in->open[at - 1], kind, ref))
        at--;
    return at;
}

/* What the running task has begun is ended with all inside of it; teams and their like end whatever task runs. Something else is not
 * there for the reader of the part: it is left out. */
static bool
end(hd_cut *cut, open_kind kind, uint32_t ref)
{
    task  *in = &cut->tasks[cut->current];
    size_t at = find_open(cut, in, kind, ref);

    if (at == 0 && kind != REGION && kind != CONTEXT) {
        in = &cut->tasks[0];
        at = find_open(cut, in, kind, ref);
    }
    if (at == 0) {
        cut->all->result.n_misfits += cut->side == INSIDE;
        return false;
    }
    while (in->n > at) {
        if (cut->side == INSIDE)
            put_end(cut, &in->open[in->n - 1], cut->now);
        pop(in);
    }
    pop(in);
    if (kind == PROGRAM)
        in->context = HD_NONE;
    return true;
}

static void
note_context(hd_cut *cut, uint32_t ref, uint32_t unwind_distance)
{
    task             *in      = &cut->tasks[cut->current];
    const hd_context *context = context_of(cut, ref);

    if (in->context == HD_NONE && cut->current != 0 && context != NULL)
        in->around = unwind_distance > context->depth ? 0 : unwind_distance > 1 ? context->depth - (unwind_distance - 1) : context->depth;
    in->context = ref;
}

static bool
begin_context(hd_cut *cut, uint32_t ref, uint32_t unwind_distance)
{
    note_context(cut, ref, unwind_distance);
    return begin(cut, (open_thing){ .kind = CONTEXT, .ref = ref });
}

static bool
end_context(hd_cut *cut, uint32_t ref)
{
    const hd_context *context = context_of(cut, ref);

    cut->tasks[cut->current].context =
        context != NULL && context->parent != HD_NONE ? hd_defs_context_refs(cut->all->request->defs)[context->parent] : HD_NONE;
    return end(cut, CONTEXT, ref);
}

static bool
sample(hd_cut *cut, uint32_t context, uint32_t unwind_distance, uint32_t sampler)
{
    note_context(cut, context, unwind_distance);
    cut->sampler = sampler;
    return true;
}

static bool
measurement(hd_cut *cut, OTF2_MeasurementMode mode)
{
    if (mode == OTF2_MEASUREMENT_OFF)
        return begin(cut, (open_thing){ .kind = OFF });
    return end(cut, OFF, 0);
}

/* ---- tasks -------------------------------------------------------------------------------------------------------------- */

static size_t
find_task(const hd_cut *cut, task_id id)
{
    size_t i = 1;

    while (i < cut->n_tasks && (cut->tasks[i].turn == 0 || !same_id(cut->tasks[i].id, id)))
        i++;
    return i;
}

static size_t
new_task(hd_cut *cut, task_id id)
{
    size_t i = 1;

    while (i < cut->n_tasks && cut->tasks[i].turn != 0)
        i++;
    if (i == cut->n_tasks) {
        HD_PUSH(cut->tasks, cut->n_tasks, cut->capacity_tasks, ((task){ .turn = 0 }));
        HD_PUSH(cut->resumed, cut->n_resumed, cut->capacity_resumed, 0);
    }
    cut->tasks[i].id      = id;
    cut->tasks[i].context = HD_NONE;
    cut->tasks[i].around  = 0;
    return i;
}

static bool
switch_task(hd_cut *cut, task_id id)
{
    size_t i = 0;

    if (id.generation == 0) {
        cut->tasks[0].id    = id;
        cut->knows_implicit = true;
    } else
        i = find_task(cut, id);
    if (i == cut->n_tasks)
        i = new_task(cut, id);
    cut->tasks[i].turn = ++cut->n_turns;
    cut->resumed[i]    = cut->now;
    cut->current       = i;
    return true;
}

/* What it left open it left elsewhere. */
static bool
complete_task(hd_cut *cut, task_id id)
{
    size_t i = id.generation == 0 ? cut->n_tasks : find_task(cut, id);

    if (i == cut->n_tasks)
        return true;
    while (cut->tasks[i].n > 0) {
        if (cut->side == INSIDE && cut->current == i)
            put_end(cut, &cut->tasks[i].open[cut->tasks[i].n - 1], cut->now);
        pop(&cut->tasks[i]);
    }
    cut->tasks[i].turn = 0;
    cut->current       = cut->current == i ? 0 : cut->current;
    return true;
}

static int
compare_tasks(const last_turn *a, const last_turn *b)
{
    if (a->process != b->process)
        return a->process < b->process ? -1 : 1;
    if (a->id.team != b->id.team)
        return a->id.team < b->id.team ? -1 : 1;
    if (a->id.creator != b->id.creator)
        return a->id.creator < b->id.creator ? -1 : 1;
    return (a->id.generation > b->id.generation) - (a->id.generation < b->id.generation);
}

/* Of one task the latest turn first. */
static int
compare_turns(const void *left, const void *right)
{
    const last_turn *a = left, *b = right;
    int              order = compare_tasks(a, b);

    if (order != 0)
        return order;
    if (a->time != b->time)
        return a->time > b->time ? -1 : 1;
    return (a->location > b->location) - (a->location < b->location);
}

/* Whether the task was here last: what it has open is then here. */
static bool
is_here(const hd_cut *cut, size_t i)
{
    last_turn        key = { .process = cut->process, .id = cut->tasks[i].id };
    const last_turn *turns = cut->all->turns;
    size_t           low = 0, high = cut->all->n_turns;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_tasks(&turns[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low == cut->all->n_turns || compare_tasks(&turns[low], &key) != 0 || turns[low].location == cut->location;
}

static void
note_turns(const hd_cut *cut)
{
    extraction *all = cut->all;

    for (size_t i = 1; i < cut->n_tasks; i++)
        if (cut->tasks[i].turn != 0)
            HD_PUSH(all->turns, all->n_turns, all->capacity_turns,
                    ((last_turn){ cut->process, cut->location, cut->tasks[i].id, cut->resumed[i] }));
}

/* The suspended explicit task with the next later turn than that of `after`; n_tasks: none. */
static size_t
next_suspended(const hd_cut *cut, uint64_t after)
{
    size_t next = cut->n_tasks;

    for (size_t i = 1; i < cut->n_tasks; i++)
        if (i != cut->current && cut->tasks[i].turn > after && cut->tasks[i].n > 0 &&
            (next == cut->n_tasks || cut->tasks[i].turn < cut->tasks[next].turn))
            next = i;
    return next;
}

/* ---- the borders of the part -------------------------------------------------------------------------------------------- */

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
    const hd_context *context = context_of(cut, ref);

    if (context != NULL && context->depth > *depth)
        put(cut, OTF2_EvtWriter_CallingContextSample(cut->writer, NULL, time, ref, distance_from(depth, context), cut->sampler));
}

static void
put_open(hd_cut *cut, const task *of, hd_time time)
{
    uint32_t depth = of->around;

    for (size_t i = 0; i < of->n; i++) {
        open_thing        thing   = of->open[i];
        const hd_context *context = thing.kind == CONTEXT ? context_of(cut, thing.ref) : NULL;

        if (context != NULL)
            thing.number = distance_from(&depth, context);
        else
            put_sampled(cut, thing.context, &depth, time);
        put_begin(cut, &thing, time);
    }
    put_sampled(cut, of->context, &depth, time);
}

static task_id
implicit_id(const hd_cut *cut, task_id of_team)
{
    uint32_t thread = hd_defs_locations(cut->all->request->defs)[cut->location].thread;

    return cut->knows_implicit ? cut->tasks[0].id : (task_id){ of_team.team, thread, 0 };
}

static void
enter_part(hd_cut *cut)
{
    hd_time from = cut->all->request->period.from;
    size_t  last = 0;

    cut->side = INSIDE;
    put_open(cut, &cut->tasks[0], from);
    for (size_t i = 1; i < cut->n_tasks; i++)
        while (cut->tasks[i].n > 0 && i != cut->current && !is_here(cut, i))
            pop(&cut->tasks[i]);
    for (size_t i = next_suspended(cut, 0); i < cut->n_tasks; i = next_suspended(cut, cut->tasks[i].turn)) {
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
        put(cut, OTF2_EvtWriter_BufferFlush(cut->writer, NULL, from, hd_time_min(cut->flushed, cut->all->request->period.to)));
    cut->now = from;
}

static void
put_ends(hd_cut *cut, task *of, hd_time time)
{
    while (of->n > 0) {
        put_end(cut, &of->open[of->n - 1], time);
        pop(of);
    }
}

static void
leave_part(hd_cut *cut, hd_time time)
{
    size_t explicit = cut->current;

    put_ends(cut, &cut->tasks[cut->current], time);
    for (size_t i = next_suspended(cut, 0); i < cut->n_tasks; i = next_suspended(cut, cut->tasks[i].turn)) {
        put_switch(cut, cut->tasks[i].id, time);
        put_ends(cut, &cut->tasks[i], time);
        explicit = i;
    }
    if (cut->tasks[0].n > 0) {
        if (explicit != 0)
            put_switch(cut, implicit_id(cut, cut->tasks[explicit].id), time);
        put_ends(cut, &cut->tasks[0], time);
    }
    cut->side = BEHIND;
}

/* Where a record is; its time is set to when it can be, by the rule of the decoder. */
static side
arrive(hd_cut *cut, OTF2_TimeStamp *time)
{
    const hd_period *period = &cut->all->request->period;
    hd_finding_kind  wrong;

    *time = hd_right_time(&cut->plausible, cut->now, cut->n_read++ == 0, *time, &wrong);
    if (*time >= period->from && cut->side == BEFORE) {
        if (cut->writer == NULL)
            return cut->side = BEHIND;
        enter_part(cut);
    }
    if (*time >= period->to && cut->side == INSIDE)
        leave_part(cut, period->to);
    if (*time > cut->now)
        cut->flushed = 0; /* it ends at the next record at the latest */
    cut->now = *time;
    cut->n_mistimed += wrong == HD_FINDING_TIME_DAMAGED && cut->side == INSIDE;
    return cut->side;
}

/* ---- records ------------------------------------------------------------------------------------------------------------ */

static bool
flush(hd_cut *cut, hd_time until)
{
    cut->flushed = until;
    if (cut->side == INSIDE) /* no further than the part */
        put(cut, OTF2_EvtWriter_BufferFlush(cut->writer, NULL, cut->now, hd_time_min(until, cut->all->request->period.to)));
    return false;
}

static bool
send(hd_cut *cut, uint32_t comm, uint32_t peer, uint32_t tag)
{
    if (cut->writer == NULL)
        hd_crossing_count_message(cut->all->crossing, cut->process, comm, true, peer, tag);
    return true;
}

static bool
keep(hd_cut *cut, bool belongs)
{
    cut->all->result.n_orphans += !belongs;
    return belongs;
}

static bool
receive(hd_cut *cut, uint32_t comm, uint32_t peer, uint32_t tag)
{
    if (cut->writer == NULL)
        hd_crossing_count_message(cut->all->crossing, cut->process, comm, false, peer, tag);
    return cut->side != INSIDE || keep(cut, hd_crossing_take_receive(cut->all->crossing, cut->process, comm, peer, tag));
}

static bool
collective(hd_cut *cut, hd_crossing_kind kind, uint32_t comm)
{
    if (cut->writer == NULL)
        hd_crossing_count_collective(cut->all->crossing, cut->process, kind, comm);
    return cut->side != INSIDE || keep(cut, hd_crossing_take_collective(cut->all->crossing, cut->process, kind, comm));
}

static bool
is_to_stop(const extraction *all)
{
    return all->request->stop != NULL && *all->request->stop != 0;
}

static bool
goes_on(const extraction *all)
{
    return all->error == OTF2_SUCCESS && !is_to_stop(all);
}

static bool
leave_out(hd_cut *cut)
{
    cut->all->result.n_misfits += cut->side == INSIDE;
    return false;
}

#define UNWRAP(...) __VA_ARGS__

#define ON_EVENT(name, parameters, arguments, what)                                                                              \
    static OTF2_CallbackCode on_##name(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,           \
                                       OTF2_AttributeList *attributes UNWRAP parameters)                                        \
    {                                                                                                                            \
        hd_cut *cut = user;                                                                                                      \
                                                                                                                                 \
        (void)location, (void)position;                                                                                         \
        if (arrive(cut, &time) == BEHIND)                                                                                        \
            return OTF2_CALLBACK_INTERRUPT;                                                                                      \
        if ((what) && cut->side == INSIDE)                                                                                       \
            put(cut, OTF2_EvtWriter_##name(cut->writer, attributes, time UNWRAP arguments));                                    \
        return goes_on(cut->all) ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;                                              \
    }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* old archives may have them, and call sites */
HD_EVENT_RECORDS(ON_EVENT)

static OTF2_CallbackCode
on_unknown(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user, OTF2_AttributeList *attributes)
{
    hd_cut *cut = user;

    (void)location, (void)position, (void)attributes;
    if (arrive(cut, &time) == BEHIND)
        return OTF2_CALLBACK_INTERRUPT;
    cut->all->result.n_misfits += cut->side == INSIDE;
    cut->n_unknown += cut->side == INSIDE;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_EvtReaderCallbacks *
event_callbacks(void)
{
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();

#define SET_EVENT(name, parameters, arguments, what) OTF2_EvtReaderCallbacks_Set##name##Callback(callbacks, on_##name);
    HD_EVENT_RECORDS(SET_EVENT)
    OTF2_EvtReaderCallbacks_SetUnknownCallback(callbacks, on_unknown);
    return callbacks;
}

/* ---- definitions -------------------------------------------------------------------------------------------------------- */

typedef struct definitions {
    extraction           *all;
    OTF2_GlobalDefWriter *writer;
    hd_table              location_of; /* number in the archive, hashed as it is -> index */
} definitions;

#define ON_DEFINITION(name, parameters, arguments)                                                                               \
    static OTF2_CallbackCode on_definition_##name(void *user, UNWRAP parameters)                                                 \
    {                                                                                                                            \
        definitions *to = user;                                                                                                  \
                                                                                                                                 \
        if (to->all->error == OTF2_SUCCESS)                                                                                      \
            to->all->error = OTF2_GlobalDefWriter_Write##name(to->writer, UNWRAP arguments);                                     \
        return OTF2_CALLBACK_SUCCESS;                                                                                            \
    }
HD_DEFINITION_RECORDS(ON_DEFINITION)
#pragma GCC diagnostic pop

static OTF2_CallbackCode
on_location(void *user, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type, uint64_t n_events, OTF2_LocationGroupRef group)
{
    definitions *to    = user;
    uint32_t     index = hd_table_get(&to->location_of, self);

    n_events = index != HD_NONE ? to->all->n_events[index] : 0;
    if (to->all->error == OTF2_SUCCESS)
        to->all->error = OTF2_GlobalDefWriter_WriteLocation(to->writer, self, name, type, n_events, group);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_GlobalDefReaderCallbacks *
definition_callbacks(void)
{
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();

#define SET_DEFINITION(name, parameters, arguments) OTF2_GlobalDefReaderCallbacks_Set##name##Callback(callbacks, on_definition_##name);
    HD_DEFINITION_RECORDS(SET_DEFINITION)
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
    return callbacks;
}

static void
copy_text(OTF2_Reader *reader, OTF2_ErrorCode (*get)(OTF2_Reader *reader, char **text), OTF2_Archive *archive,
          OTF2_ErrorCode (*set)(OTF2_Archive *archive, const char *text))
{
    char *text = NULL;

    if (get(reader, &text) == OTF2_SUCCESS && text != NULL)
        set(archive, text);
    free(text);
}

static hd_status
copy_definitions(extraction *all, OTF2_Archive *archive)
{
    OTF2_Reader                   *reader    = OTF2_Reader_Open(all->request->anchor);
    OTF2_GlobalDefReaderCallbacks *callbacks = NULL;
    OTF2_GlobalDefReader          *from      = NULL;
    definitions                    to        = { .all = all };
    OTF2_ErrorCode                 error     = OTF2_ERROR_INVALID;
    uint64_t                       n;

    if (reader == NULL)
        return hd_fail(HD_EOPEN, "cannot open archive \"%s\" again", all->request->anchor);
    OTF2_Reader_SetSerialCollectiveCallbacks(reader);
    copy_text(reader, OTF2_Reader_GetCreator, archive, OTF2_Archive_SetCreator);
    copy_text(reader, OTF2_Reader_GetMachineName, archive, OTF2_Archive_SetMachineName);
    copy_text(reader, OTF2_Reader_GetDescription, archive, OTF2_Archive_SetDescription);
    hd_table_init(&to.location_of);
    for (uint32_t i = 0; i < all->request->defs->n_locations; i++)
        hd_table_add(&to.location_of, hd_defs_locations(all->request->defs)[i].ref, i);
    callbacks = definition_callbacks();
    from      = OTF2_Reader_GetGlobalDefReader(reader);
    to.writer = OTF2_Archive_GetGlobalDefWriter(archive);
    if (from != NULL && to.writer != NULL)
        error = OTF2_Reader_RegisterGlobalDefCallbacks(reader, from, callbacks, &to);
    if (error == OTF2_SUCCESS)
        error = OTF2_Reader_ReadAllGlobalDefinitions(reader, from, &n);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    OTF2_Reader_Close(reader);
    hd_table_fini(&to.location_of);
    return error == OTF2_SUCCESS ? HD_OK : hd_fail(HD_EREAD, "the definitions of the archive \"%s\" cannot be read", all->request->anchor);
}

/* ---- events ------------------------------------------------------------------------------------------------------------- */

static void
cut_init(hd_cut *cut, extraction *all, uint32_t location)
{
    *cut = (hd_cut){ .all = all, .location = location, .process = hd_defs_locations(all->request->defs)[location].process };
    HD_PUSH(cut->tasks, cut->n_tasks, cut->capacity_tasks, ((task){ .turn = 0, .context = HD_NONE }));
    HD_PUSH(cut->resumed, cut->n_resumed, cut->capacity_resumed, 0);
    cut->plausible = hd_plausible_length(all->request->defs);
    cut->sampler   = OTF2_UNDEFINED_INTERRUPT_GENERATOR;
}

static void
cut_fini(hd_cut *cut)
{
    for (size_t i = 0; i < cut->n_tasks; i++) {
        while (cut->tasks[i].n > 0)
            pop(&cut->tasks[i]);
        free(cut->tasks[i].open);
    }
    free(cut->tasks);
    free(cut->resumed);
}

static void
note_mapping(void *user)
{
    *(bool *)user = true;
}

static void
note_offset(void *user, hd_time time, hd_span offset)
{
    (void)time;
    *(bool *)user |= offset != 0;
}

/* Whether events cannot be read without their location's own definitions: as far as others have any, these map numbers or correct clocks. */
static hd_status
find_need(extraction *all)
{
    hd_event_reader *reader   = NULL;
    hd_status        status   = hd_event_reader_open(all->request->anchor, false, &reader);
    bool             are_used = false, is_any = false;

    for (uint32_t i = 0; i < all->request->defs->n_locations && status == HD_OK && !are_used && !is_to_stop(all); i++) {
        bool are_there;

        status = hd_event_reader_define(reader, all->request->defs, i,
                                        &(hd_own_definitions){ .offset = note_offset, .mapping = note_mapping, .user = &are_used }, &are_there);
        is_any |= are_there;
    }
    hd_event_reader_close(reader);
    all->knows_need        = true;
    all->needs_definitions = are_used || !is_any;
    return status;
}

/* *lacks: definitions of its own; *is_left_out: its numbers of communicators would be taken for those of others, and its times. */
static hd_status
define(extraction *all, hd_event_reader *reader, uint32_t location, bool *lacks, bool *is_left_out)
{
    bool      are_there = false;
    hd_status status    = hd_event_reader_define(reader, all->request->defs, location, NULL, &are_there);

    if (status == HD_OK && !are_there && !all->knows_need)
        status = find_need(all);
    *lacks       = !are_there;
    *is_left_out = !are_there && all->needs_definitions;
    return status;
}

static hd_status
survey_location(extraction *all, hd_event_reader *reader, const OTF2_EvtReaderCallbacks *callbacks, uint32_t location)
{
    bool          lacks, is_left_out;
    hd_events_end end;
    hd_cut        cut;
    hd_status     status = define(all, reader, location, &lacks, &is_left_out);

    if (status != HD_OK || is_left_out)
        return status;
    cut_init(&cut, all, location);
    status = hd_event_reader_each(reader, hd_defs_locations(all->request->defs)[location].ref, callbacks, &cut, &end);
    note_turns(&cut);
    cut_fini(&cut);
    return status;
}

/* What is before the part. */
static hd_status
survey(extraction *all, const OTF2_EvtReaderCallbacks *callbacks)
{
    hd_event_reader *reader = NULL;
    hd_status        status = all->request->period.from > 0 ? hd_event_reader_open(all->request->anchor, false, &reader) : HD_OK;

    for (uint32_t i = 0; i < all->request->defs->n_locations && reader != NULL && status == HD_OK && goes_on(all); i++)
        status = survey_location(all, reader, callbacks, i);
    hd_event_reader_close(reader);
    if (all->n_turns > 1)
        qsort(all->turns, all->n_turns, sizeof *all->turns, compare_turns);
    return status;
}

/* ---- what is lost ------------------------------------------------------------------------------------------------------- */

static void
note_loss(extraction *all, hd_extract_loss_kind kind, uint32_t location)
{
    hd_extract_loss *loss = &all->result.losses[kind];

    if (loss->n++ == 0)
        loss->first = location;
}

/* How many of the events that were announced and are missing are of the part, as if they were evenly spread from the last one on; at least one. */
static uint64_t
lost_in_part(const hd_cut *cut, uint64_t announced)
{
    const hd_defs *defs  = cut->all->request->defs;
    hd_time        since = hd_time_max(cut->now, defs->first_time), end = defs->first_time + defs->length;
    hd_time        from  = hd_time_max(cut->all->request->period.from, since), to = hd_time_min(cut->all->request->period.to, end);
    uint64_t       n     = announced > cut->n_read ? announced - cut->n_read : 1;
    double         share = since >= end ? 1 : from < to ? (double)(to - from) / (double)(end - since) : 0;

    n = share < 1 ? (uint64_t)((double)n * share) : n;
    return n > 0 ? n : 1;
}

/* The recording ends inside of a call, as heddle analyze sees it. */
static bool
is_stopped(const hd_cut *cut)
{
    const task *in = &cut->tasks[cut->current];

    if (hd_defs_locations(cut->all->request->defs)[cut->location].thread != 0)
        return false;
    for (size_t i = 0; i < in->n; i++)
        if (in->open[i].kind == REGION || in->open[i].kind == CONTEXT || in->open[i].kind == PROGRAM || in->open[i].kind == OFF)
            return true;
    return context_of(cut, in->context) != NULL;
}

/* What is lost of a location whose records are read up to the end of the part, or as far as there are any. Returns how many events. */
static uint64_t
find_loss(hd_cut *cut, hd_events_end end)
{
    uint64_t announced = hd_defs_locations(cut->all->request->defs)[cut->location].n_events;
    bool     is_cut    = end == HD_EVENTS_CUT || (end == HD_EVENTS_NO_FILE ? announced > 0 : announced > cut->n_read);

    if (end == HD_EVENTS_INTERRUPTED) /* behind the part */
        return 0;
    if (is_cut) {
        note_loss(cut->all, cut->n_read == 0 ? HD_EXTRACT_NO_EVENTS : HD_EXTRACT_CUT_EVENTS, cut->location);
        return lost_in_part(cut, announced);
    }
    if (is_stopped(cut)) {
        note_loss(cut->all, HD_EXTRACT_STOPPED, cut->location);
        if (cut->side == BEFORE)
            enter_part(cut);
    }
    return 0;
}

/* All of a location that has events which cannot be read without its own definitions. */
static uint64_t
leave_out_location(hd_cut *cut, hd_events_end end)
{
    if (end != HD_EVENTS_INTERRUPTED)
        return find_loss(cut, end);
    note_loss(cut->all, HD_EXTRACT_LEFT_OUT, cut->location);
    cut->n_read = 0;
    cut->now    = 0;
    return lost_in_part(cut, hd_defs_locations(cut->all->request->defs)[cut->location].n_events);
}

/* Records that are not as they were are lost, too: the new archive has no other way to say so. */
static void
count_events(hd_cut *cut, uint64_t n_lost)
{
    uint64_t *n = &cut->all->n_events[cut->location];

    if (cut->n_unknown > 0)
        note_loss(cut->all, HD_EXTRACT_UNKNOWN_KIND, cut->location);
    if (cut->n_mistimed > 0)
        note_loss(cut->all, HD_EXTRACT_TIME_DAMAGED, cut->location);
    n_lost += cut->n_unknown + cut->n_mistimed;
    put(cut, OTF2_EvtWriter_GetNumberOfEvents(cut->writer, n));
    cut->all->result.n_events += *n;
    if (__builtin_add_overflow(*n, n_lost, n))
        *n = UINT64_MAX;
}

static hd_status
write_location(extraction *all, hd_event_reader *reader, const OTF2_EvtReaderCallbacks *callbacks, OTF2_Archive *archive, uint32_t location)
{
    uint64_t        ref = hd_defs_locations(all->request->defs)[location].ref;
    OTF2_DefWriter *own = NULL; /* no definitions, but readers look for the file */
    bool            lacks, is_left_out;
    hd_events_end   end;
    hd_cut          cut;
    hd_status       status = define(all, reader, location, &lacks, &is_left_out);

    if (status != HD_OK)
        return status;
    cut_init(&cut, all, location);
    cut.side   = is_left_out ? BEHIND : BEFORE;
    cut.writer = OTF2_Archive_GetEvtWriter(archive, ref);
    if (lacks && !is_left_out)
        note_loss(all, HD_EXTRACT_NO_DEFINITIONS, location); /* and none in the new one, which tells */
    else
        put(&cut, (own = OTF2_Archive_GetDefWriter(archive, ref)) != NULL ? OTF2_SUCCESS : OTF2_ERROR_INVALID);
    put(&cut, cut.writer != NULL ? OTF2_SUCCESS : OTF2_ERROR_INVALID);
    if (all->error == OTF2_SUCCESS)
        status = hd_event_reader_each(reader, ref, callbacks, &cut, &end);
    if (status == HD_OK && goes_on(all)) {
        count_events(&cut, is_left_out ? leave_out_location(&cut, end) : find_loss(&cut, end));
        put(&cut, OTF2_Archive_CloseEvtWriter(archive, cut.writer));
        put(&cut, own != NULL ? OTF2_Archive_CloseDefWriter(archive, own) : OTF2_SUCCESS);
    }
    cut_fini(&cut);
    return status;
}

static OTF2_FlushType
before_flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    (void)data, (void)type, (void)location, (void)caller, (void)final;
    return OTF2_FLUSH;
}

enum { EVENT_CHUNK_BYTES = OTF2_CHUNK_SIZE_EVENTS_DEFAULT, DEFINITION_CHUNK_BYTES = OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT };

static hd_status
write_events(extraction *all, const OTF2_EvtReaderCallbacks *callbacks, OTF2_Archive *archive)
{
    hd_event_reader *reader = NULL;
    hd_status        status = hd_event_reader_open(all->request->anchor, false, &reader);

    if (status != HD_OK)
        return status;
    note_error(all, OTF2_Archive_OpenEvtFiles(archive));
    note_error(all, OTF2_Archive_OpenDefFiles(archive));
    for (uint32_t i = 0; i < all->request->defs->n_locations && status == HD_OK && goes_on(all); i++)
        status = write_location(all, reader, callbacks, archive, i);
    note_error(all, OTF2_Archive_CloseDefFiles(archive));
    note_error(all, OTF2_Archive_CloseEvtFiles(archive));
    hd_event_reader_close(reader);
    return status;
}

static hd_status
write_archive(extraction *all, const OTF2_EvtReaderCallbacks *callbacks)
{
    static const OTF2_FlushCallbacks flush_callbacks = { .otf2_pre_flush = before_flush, .otf2_post_flush = NULL };
    OTF2_Archive                    *archive;
    hd_status                        status;

    errno   = 0;
    archive = OTF2_Archive_Open(all->request->directory, "traces", OTF2_FILEMODE_WRITE, EVENT_CHUNK_BYTES, DEFINITION_CHUNK_BYTES,
                                OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive == NULL)
        return hd_fail(HD_EWRITE, "cannot begin an archive in \"%s\"", all->request->directory);
    note_error(all, OTF2_Archive_SetFlushCallbacks(archive, &flush_callbacks, NULL));
    note_error(all, OTF2_Archive_SetSerialCollectiveCallbacks(archive));
    status = write_events(all, callbacks, archive);
    if (status == HD_OK)
        status = copy_definitions(all, archive);
    note_error(all, OTF2_Archive_Close(archive));
    if (status == HD_OK && all->error != OTF2_SUCCESS) {
        status = hd_fail(HD_EWRITE, "cannot write the archive in \"%s\"", all->request->directory);
        hd_fail_detail("reason", "%s", is_of_the_disk(all->system_error) ? strerror(all->system_error) : OTF2_Error_GetDescription(all->error));
    }
    return status;
}

hd_status
hd_extract_write(const hd_extract_request *request, hd_extract_result *result)
{
    extraction               all       = { .request = request, .n_events = HD_NEW_ARRAY(uint64_t, request->defs->n_locations) };
    OTF2_EvtReaderCallbacks *callbacks = event_callbacks();
    hd_status                status;

    hd_ref_maps_init(&all.refs, request->defs);
    all.crossing = hd_crossing_new(request->defs, &all.refs);
    status       = survey(&all, callbacks);
    if (status == HD_OK && !is_to_stop(&all))
        status = write_archive(&all, callbacks);
    if (status == HD_OK && is_to_stop(&all))
        status = hd_fail(HD_EWRITE, "interrupted");
    if (status == HD_OK)
        *result = all.result;
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    hd_crossing_free(all.crossing);
    hd_ref_maps_fini(&all.refs);
    free(all.turns);
    free(all.n_events);
    return status;
}
