/* src/record/finish/run_clock.c: offsets of clocks along a line. */
#include "run_clock.h"

#define MAX_JUMP 0.5L /* [s] a process may have lost its processor so long between the readings of two clocks */

static const hd_raw_process *
reference(const hd_recorded_run *run)
{
    return run->processes[0].raw;
}

/* [ticks per second] Both clocks of a process that read them at the longest interval give it; 0: unknown. */
static double
rate_of(const hd_recorded_run *run, uint64_t node)
{
    uint64_t longest = 0;
    double   rate    = 0;

    for (uint32_t i = 0; i < run->n; i++) {
        const hd_raw_process *raw  = run->processes[i].raw;
        const hd_raw_clock   *from = &raw->clocks[0], *to = &raw->clocks[raw->n_clocks - 1];

        if (raw->node != node)
            continue;
        if (!raw->has_tsc)
            return 1e9;
        if (to->monotonic_ns <= from->monotonic_ns || to->ticks <= from->ticks ||
            to->monotonic_ns - from->monotonic_ns <= longest)
            continue;
        longest = to->monotonic_ns - from->monotonic_ns;
        rate    = (double)((long double)(to->ticks - from->ticks) / (long double)longest * 1e9L);
    }
    return rate;
}

static long double
seconds_between(const hd_raw_clock *from, const hd_raw_clock *to)
{
    return ((long double)to->monotonic_ns - (long double)from->monotonic_ns) / 1e9L;
}

bool
hd_run_clock_is_steady(const hd_raw_process *process)
{
    const hd_raw_clock *from = &process->clocks[0], *last = &process->clocks[process->n_clocks - 1];
    long double         rate, seconds, jump;

    if (!process->has_tsc || seconds_between(from, last) < 1)
        return true;
    rate = ((long double)last->ticks - (long double)from->ticks) / seconds_between(from, last);
    for (const hd_raw_clock *to = from; to <= last; to++) {
        seconds = seconds_between(from, to);
        if (seconds < 1)
            continue;
        jump = (long double)to->ticks - (long double)from->ticks - rate * seconds;
        if (rate <= 0 || jump > MAX_JUMP * rate || jump < -MAX_JUMP * rate)
            return false;
        from = to;
    }
    return true;
}

typedef struct line { /* offset of a node's clock */
    uint64_t    at;
    long double offset, slope; /* at that time; [ticks per tick] */
    double      error;         /* [ticks] */
} line;

static line
line_by_times_of_day(const hd_recorded_run *run, const hd_raw_process *process)
{
    const hd_raw_clock *here = &process->clocks[0], *there = &reference(run)->clocks[0];
    long double         then = ((long double)here->real_ns - (long double)there->real_ns) / 1e9L;

    return (line){ .at     = here->ticks,
                   .offset = (long double)there->ticks + then * (long double)run->resolution - (long double)here->ticks,
                   .error  = (double)run->resolution / 1e3 };
}

/* Of a process that measured, which is the first of its node. */
static line
line_of(const hd_recorded_run *run, const hd_raw_process *process)
{
    const hd_raw_offset *first = process->n_offsets > 0 ? &process->offsets[0] : NULL;
    const hd_raw_offset *last  = first != NULL ? &process->offsets[process->n_offsets - 1] : NULL;
    double               rate  = rate_of(run, process->node);
    line                 found = line_by_times_of_day(run, process);

    if (first != NULL)
        found = (line){ .at     = first->here,
                        .offset = (long double)first->there - (long double)first->here,
                        .error  = (double)first->round_trip / 2 };
    if (first != NULL && last->here > first->here)
        found.slope = ((long double)last->there - (long double)last->here - found.offset) /
                      (long double)(last->here - first->here);
    else if (rate > 0)
        found.slope = (long double)run->resolution / (long double)rate - 1;
    return found;
}

static int64_t
offset_at(const line *clock, uint64_t time)
{
    long double offset = clock->offset + clock->slope * ((long double)time - (long double)clock->at);

    return (int64_t)(offset + (offset < 0 ? -0.5L : 0.5L));
}

/* The first process of the node that has measured, else the first of it; one: of the node. */
static const hd_raw_process *
measured_by(const hd_recorded_run *run, const hd_raw_process *one)
{
    const hd_raw_process *first = NULL;

    for (uint32_t i = 0; i < run->n; i++) {
        const hd_raw_process *raw = run->processes[i].raw;

        if (raw->node == one->node && raw->n_offsets > 0)
            return raw;
        first = first == NULL && raw->node == one->node ? raw : first;
    }
    return first != NULL ? first : one;
}

static int64_t
offset_between(const hd_run_clock *clock, uint64_t ticks)
{
    long double length = (long double)clock->at[1] - (long double)clock->at[0];
    long double part   = length > 0 ? ((long double)ticks - (long double)clock->at[0]) / length : 0;

    return clock->offset[0] + (int64_t)(part * ((long double)clock->offset[1] - (long double)clock->offset[0]));
}

uint64_t
hd_run_clock_time(const hd_run_clock *clock, uint64_t ticks)
{
    return ticks + (uint64_t)offset_between(clock, ticks);
}

/* Offsets change by much less than the time does. */
uint64_t
hd_run_clock_ticks(const hd_run_clock *clock, uint64_t time)
{
    uint64_t ticks = time - (uint64_t)clock->offset[1];

    for (int i = 0; i < 4; i++)
        ticks = time - (uint64_t)offset_between(clock, ticks);
    return ticks;
}

static void
set_clock(hd_recorded_run *run, hd_run_process *process)
{
    uint64_t node  = process->raw->node;
    line     clock = { 0 };

    if (node != reference(run)->node) {
        clock          = line_of(run, measured_by(run, process->raw));
        run->has_nodes = true;
    }
    process->clock.error = clock.error;
    for (int i = 0; i < 2; i++) {
        process->clock.at[i]     = i == 0 ? process->first : process->last;
        process->clock.offset[i] = offset_at(&clock, process->clock.at[i]);
    }
}

void
hd_run_clocks_set(hd_recorded_run *run)
{
    double rate = rate_of(run, reference(run)->node);

    run->resolution = rate > 0 ? (uint64_t)(rate + 0.5) : 1000000000;
    run->first      = UINT64_MAX;
    for (uint32_t i = 0; i < run->n; i++) {
        hd_run_process *process = &run->processes[i];

        set_clock(run, process);
        run->first = hd_time_min(run->first, process->first + (uint64_t)process->clock.offset[0]);
        run->last  = hd_time_max(run->last, process->last + (uint64_t)process->clock.offset[1]);
    }
    run->first_real_ns = reference(run)->clocks[0].real_ns;
}
