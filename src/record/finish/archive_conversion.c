/* src/record/finish/archive_conversion.c: enters and leaves. */
#include "archive_conversion.h"

#include "memory.h"

uint32_t
hd_conversion_region(const hd_conversion *to, uint32_t id)
{
    return hd_run_region_of(to->run, to->process, id);
}

static void
put_metric(hd_conversion *to, uint64_t time)
{
    OTF2_Type types[HD_MAX_COUNTERS];

    if (HD_LIKELY(!to->has_metric))
        return;
    for (uint32_t i = 0; i < to->run->n_counters; i++)
        types[i] = OTF2_TYPE_UINT64;
    note(to, OTF2_EvtWriter_Metric(to->writer, NULL, time, 0, (uint8_t)to->run->n_counters, types, to->metric));
}

static void
open_region(hd_conversion *to, uint64_t time, uint32_t region, hd_opened_by by)
{
    put_metric(to, time);
    note(to, OTF2_EvtWriter_Enter(to->writer, NULL, time, region));
    HD_PUSH(to->open, to->n_open, to->room_open, ((hd_opened){ region, by }));
}

static uint32_t
caller_of(const hd_conversion *to, uint64_t address)
{
    return hd_run_caller_of(to->process, address);
}

/* The innermost region that is open and a function, or a call; HD_NONE: there is none. */
static uint32_t
innermost_function(const hd_conversion *to)
{
    for (size_t i = to->n_open; i > 0; i--)
        if (to->run->regions[to->open[i - 1].region].paradigm != HD_RUN_USER)
            return to->open[i - 1].region;
    return HD_NONE;
}

/* Leaves what is open down to that depth. */
void
hd_conversion_leave_down_to(hd_conversion *to, uint64_t time, size_t depth)
{
    for (; to->n_open > depth; to->n_open--) {
        put_metric(to, time);
        note(to, OTF2_EvtWriter_Leave(to->writer, NULL, time, to->open[to->n_open - 1].region));
    }
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

static void
change_stack(hd_conversion *to, uint64_t time, const hd_stack_change *change)
{
    hd_conversion_leave_down_to(to, time, change->n_stay);
    for (uint32_t i = 0; i < change->n_entered; i++)
        open_region(to, time, change->entered[i], HD_OPENED_SAMPLED);
}

/* Functions are those of a stack from then on. */
static void
follow_stack(hd_conversion *to, uint64_t time, const uint64_t *words, uint32_t n)
{
    hd_stack_change change;

    hd_stack_change_find(to->run, to->process, to->open, to->n_open, words, n, &change);
    change_stack(to, time, &change);
}

/* Inside of the innermost call or construct. */
void
hd_conversion_leave_samples(hd_conversion *to, uint64_t time)
{
    hd_stack_change change;

    hd_stack_change_to_function(to->open, to->n_open, HD_NONE, &change);
    change_stack(to, time, &change);
}

void
hd_conversion_leave_last_sample(hd_conversion *to, uint64_t time)
{
    hd_stack_change change = { .n_entered = 0 };

    if (to->sample == NULL || to->n_open == 0 || to->open[to->n_open - 1].by != HD_OPENED_SAMPLED)
        return;
    change.n_stay = to->n_open - 1;
    change_stack(to, time, &change);
}

/* An enter with the whole stack. */
static bool
has_stack(const hd_raw_record *record)
{
    return record->kind == HD_RAW_ENTER && record->n > 1 && record->n < HD_RAW_MAX_CALLERS;
}

/* Where a call is made, or which construct is entered. */
static uint64_t
site_of(const hd_raw_record *record)
{
    return record->n >= 1 && record->words[0] != 0 ? record->words[0] : record->id;
}

static uint64_t
pair_of(uint64_t from, uint64_t to)
{
    uint64_t pair = from * 0x9E3779B97F4A7C15U ^ to;

    return pair != HD_MAP_FREE ? pair : 0;
}

static bool
is_computing(const hd_conversion *to)
{
    return !to->is_paused && hd_stack_is_computing(to->run, to->open, to->n_open);
}

/* What is innermost around a construct of OpenMP, or a function that is instrumented. */
static uint32_t
function_around(const hd_conversion *to, const hd_raw_record *record)
{
    const uint64_t *function = hd_map_get(&to->process->functions, record->id);

    if (record->n >= 1 && record->words[0] != 0)
        return caller_of(to, record->words[0]);
    return function != NULL ? (uint32_t)*function : HD_NONE;
}

static void
enter_after_samples(hd_conversion *to, const hd_raw_record *record, uint32_t region)
{
    const hd_run_region *entered = &to->run->regions[region];
    hd_stack_change      change;
    bool                 is_new;

    if (to->sample != NULL && to->site != 0)
        *hd_map_add(&to->seen, pair_of(to->site, site_of(record)), &is_new) = (uint64_t)(uintptr_t)to->sample;
    if (has_stack(record))
        follow_stack(to, record->time, record->words, record->n);
    else if (entered->paradigm == HD_RUN_OPENMP && entered->role == HD_RAW_ROLE_IMPLICIT_BARRIER)
        hd_conversion_leave_samples(to, record->time); /* the body is over */
    else {
        hd_stack_change_to_function(to->open, to->n_open, function_around(to, record), &change);
        change_stack(to, record->time, &change);
    }
    open_region(to, record->time, region, HD_OPENED_RECORDED);
}

/* Functions up to the next enter, which no sample has shown: those of the last sample between the same two sites, else
 * those that the stack of the next one has, too. */
static void
follow_pair(hd_conversion *to, uint64_t time, const hd_raw_record *next)
{
    const uint64_t *seen = to->site != 0 ? hd_map_get(&to->seen, pair_of(to->site, site_of(next))) : NULL, *sample;
    hd_stack_change change;

    if (seen != NULL) {
        sample = (const uint64_t *)(uintptr_t)*seen;
        follow_stack(to, time, sample + 2, (uint32_t)(sample[1] >> 8 & 0xff));
        return;
    }
    if (!has_stack(next))
        return;
    hd_stack_change_find(to->run, to->process, to->open, to->n_open, next->words, next->n, &change);
    change.n_entered = 0;
    change_stack(to, time, &change);
}

/* The next one, but for values of counters, the begin of a team, which the enter of its region follows, and samples
 * between a fork and that enter. False: there is none. */
static bool
look_ahead(bool is_forking, const hd_raw_log *log, hd_raw_record *next)
{
    hd_raw_log copy = *log;
    bool       is_there;

    do {
        is_there = hd_raw_log_next(&copy, next);
        is_forking |= is_there && next->kind == HD_RAW_THREAD_FORK;
    } while (is_there && (next->kind == HD_RAW_THREAD_FORK || next->kind == HD_RAW_TEAM_BEGIN ||
                          next->kind == HD_RAW_METRIC || (is_forking && next->kind == HD_RAW_SAMPLE)));
    return is_there;
}

/* Before a record: a team is forked by the function that its region is in. */
void
hd_conversion_look_at_fork(hd_conversion *to, const hd_raw_record *record, const hd_raw_log *log)
{
    hd_raw_record next;

    if (record->kind == HD_RAW_THREAD_FORK || record->kind == HD_RAW_ENTER)
        to->is_forking = record->kind == HD_RAW_THREAD_FORK;
    if (record->kind == HD_RAW_THREAD_FORK && look_ahead(true, log, &next) && has_stack(&next) && is_computing(to))
        follow_stack(to, record->time, next.words, next.n);
}

/* Behind a record: a sample shows what has run since the record before it. */
void
hd_conversion_look_at_samples(hd_conversion *to, const hd_raw_record *record, const hd_raw_log *log)
{
    bool          is_end = record->kind == HD_RAW_LEAVE || record->kind == HD_RAW_THREAD_JOIN;
    hd_raw_record next;

    if (record->kind == HD_RAW_ENTER)
        to->entered = site_of(record);
    if (record->kind == HD_RAW_ENTER || is_end) {
        to->site   = is_end ? ~to->entered : to->entered;
        to->sample = NULL;
    }
    if (record->kind == HD_RAW_SAMPLE) {
        to->n_samples += is_computing(to);
        to->n_lost += record->id & HD_RAW_SAMPLES_MASK;
        to->n_periods += is_computing(to) ? 1 + (record->id >> HD_RAW_SAMPLES_BITS) : 0;
        if (!to->is_forking)
            to->sample = is_computing(to) ? record->words - 2 : NULL;
    }
    if (!look_ahead(to->is_forking, log, &next) || !is_computing(to))
        return;
    if (next.kind == HD_RAW_SAMPLE)
        follow_stack(to, record->time, next.words, next.n);
    else if ((is_end || record->kind == HD_RAW_ENTER) && next.kind == HD_RAW_ENTER)
        follow_pair(to, record->time, &next);
}

/* ---- regions ----------------------------------------------------------------------------------------------------- */

/* Where functions are recorded, the caller is open; with several levels, those within the open one are entered. */
void
hd_conversion_enter(hd_conversion *to, const hd_raw_record *record)
{
    uint32_t region = hd_run_call_of(to->run, to->process, record->id, record->n > 0 ? record->words[0] : 0);
    uint32_t top = innermost_function(to), n = record->n;

    if (region == HD_NONE)
        return;
    if (to->is_sampled) {
        enter_after_samples(to, record, region);
        return;
    }
    for (uint32_t i = 0; i < record->n; i++)
        if (top != HD_NONE && caller_of(to, record->words[i]) == top) {
            n = i;
            break;
        }
    for (uint32_t i = n; i > 0; i--) {
        uint32_t caller = caller_of(to, record->words[i - 1]);

        if (caller != HD_NONE)
            open_region(to, record->time, caller, HD_OPENED_CALLER);
    }
    open_region(to, record->time, region, HD_OPENED_RECORDED);
}

/* Of calls at several places each place has a region, of which a leave knows the function only. */
static bool
is_left_by(const hd_conversion *to, const hd_opened *open, uint32_t region)
{
    const hd_run_region *left = &to->run->regions[region], *at = &to->run->regions[open->region];

    return open->by == HD_OPENED_RECORDED &&
           (open->region == region ||
            (left->paradigm == HD_RUN_MPI && at->paradigm == HD_RUN_MPI && left->role == at->role));
}

/* Leaves what is open above it, too: longjmp() and exceptions leave functions unseen. One that is not open is passed
 * over. */
void
hd_conversion_leave(hd_conversion *to, const hd_raw_record *record)
{
    uint32_t region = hd_conversion_region(to, record->id);
    size_t   at     = to->n_open;

    if (region == HD_NONE)
        return;
    to->begin = to->window_begin = 0; /* of an operation on a communicator that is not in the archive */
    while (at > 0 && !is_left_by(to, &to->open[at - 1], region))
        at--;
    if (at == 0)
        return;
    while (at > 1 && to->open[at - 2].by == HD_OPENED_CALLER)
        at--;
    hd_conversion_leave_down_to(to, record->time, at - 1);
}
