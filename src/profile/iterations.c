/* src/profile/iterations.c: which instances are the iterations of a process, and in which of them a time is. */
#include "iterations.h"

#include <stdlib.h>

#include "memory.h"

/* By enter, the longer one first: an instance is behind those that hold it. */
static int
compare(const void *left, const void *right)
{
    const hd_iteration *a = left, *b = right;

    if (a->enter != b->enter)
        return a->enter < b->enter ? -1 : 1;
    return (a->leave < b->leave) - (a->leave > b->leave);
}

/* Most are in order: they stand in that of their leaves. */
static void
sort(hd_iteration *rows, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (compare(&rows[i - 1], &rows[i]) > 0) {
            qsort(rows, n, sizeof *rows, compare);
            return;
        }
}

/* Drops those of other regions, HD_NONE: none, and those inside of others of their region. Returns the number of the
 * latter. */
static uint64_t
keep_outer(hd_loaded_location *location, uint32_t region)
{
    uint64_t n_inner = 0;
    size_t   n       = 0;

    for (size_t i = 0; i < location->n_iterations; i++)
        if (location->iterations[i].region == region)
            location->iterations[n++] = location->iterations[i];
    location->n_iterations = n;
    sort(location->iterations, n);
    n = 0;
    for (size_t i = 0; i < location->n_iterations; i++)
        if (n > 0 && location->iterations[i].leave <= location->iterations[n - 1].leave &&
            location->iterations[i].enter < location->iterations[n - 1].leave)
            n_inner++;
        else
            location->iterations[n++] = location->iterations[i];
    for (size_t i = 1; i < n; i++) {
        if (location->iterations[i - 1].leave <= location->iterations[i].enter)
            continue;
        location->iterations[i - 1].leave      = location->iterations[i].enter; /* tasks were suspended in them */
        location->iterations[i - 1].first_call = 0;
    }
    location->n_iterations = n;
    return n_inner;
}

/* What runs on a stream of a device is no iteration of a process. */
static bool
is_thread(const hd_trace *trace, const hd_loaded_location *location)
{
    return hd_defs_locations(trace->defs)[location->location].type == HD_LOCATION_CPU;
}

/* Time in each region, an inner instance of it counts again: it only makes its region more likely. */
static uint32_t
choose_region(hd_analysis_comm *analysis_comm, const hd_trace *trace)
{
    uint64_t *times = HD_NEW_ARRAY(uint64_t, (size_t)trace->defs->n_regions + 1);
    uint32_t  best  = HD_NONE;

    for (uint32_t p = 0; p < trace->n_processes; p++)
        for (uint32_t t = 0; t < trace->processes[p].n_locations; t++) {
            const hd_loaded_location *location = &trace->processes[p].locations[t];

            for (size_t i = 0; i < location->n_iterations && is_thread(trace, location); i++) {
                const hd_iteration *one = &location->iterations[i];

                times[one->region] += one->leave - one->enter + 1; /* one without length is one, too */
            }
        }
    hd_analysis_comm_reduce(analysis_comm, times, trace->defs->n_regions, HD_SUM);
    for (uint32_t r = 0; r < trace->defs->n_regions; r++)
        if (times[r] > (best == HD_NONE ? 0 : times[best]))
            best = r;
    free(times);
    return best;
}

static void
add_finding(hd_trace *trace, hd_finding_kind kind, uint32_t process, uint64_t count)
{
    if (count > 0)
        hd_findings_add(&trace->findings[0],
                        (hd_finding){ .kind = kind, .process = process, .call_path = HD_NONE, .peer = HD_NONE,
                                      .communicator = HD_NONE, .tag = HD_NONE, .count = count });
}

static hd_process_iterations
of_process(const hd_trace *trace, hd_loaded_process *process, hd_iterations_how how, uint32_t region, uint64_t *n_inner)
{
    hd_process_iterations of = { .rows = NULL };

    for (uint32_t t = 0; t < process->n_locations; t++) {
        hd_loaded_location *location = &process->locations[t];
        uint64_t            inner    = 0;

        if (how != HD_ITERATIONS_FOUND) /* these follow each other */
            inner = keep_outer(location, of.n == 0 && is_thread(trace, location) ? region : HD_NONE);
        if (of.n > 0 || location->n_iterations == 0)
            continue;
        of       = (hd_process_iterations){ location->iterations, (uint32_t)location->n_iterations, t };
        *n_inner = inner;
    }
    return of;
}

void
hd_iterations_find(hd_analysis_comm *analysis_comm, hd_trace *trace, hd_iterations_how how, hd_iterations *iterations)
{
    uint64_t most[1] = { 0 }, sums[1] = { 0 };

    *iterations = (hd_iterations){ .region = HD_NONE, .call_path = HD_NONE };
    if (how == HD_ITERATIONS_NONE || (iterations->region = choose_region(analysis_comm, trace)) == HD_NONE)
        return;
    iterations->how = how;
    iterations->of  = HD_NEW_ARRAY(hd_process_iterations, (size_t)trace->n_processes + 1);
    for (uint32_t p = 0; p < trace->n_processes; p++) {
        uint64_t n_inner = 0;

        iterations->of[p] = of_process(trace, &trace->processes[p], how, iterations->region, &n_inner);
        most[0]           = iterations->of[p].n > most[0] ? iterations->of[p].n : most[0];
        sums[0] += iterations->of[p].n > 0;
        add_finding(trace, HD_FINDING_INNER_ITERATION, trace->processes[p].process.v, n_inner);
    }
    hd_analysis_comm_reduce(analysis_comm, most, 1, HD_MAX);
    hd_analysis_comm_reduce(analysis_comm, sums, 1, HD_SUM);
    iterations->n           = (uint32_t)most[0];
    iterations->n_processes = (uint32_t)sums[0];
    for (uint32_t p = 0; p < trace->n_processes; p++)
        if (iterations->of[p].n > 0)
            add_finding(trace, HD_FINDING_FEWER_ITERATIONS, trace->processes[p].process.v,
                        iterations->n - iterations->of[p].n);
}

void
hd_iterations_fini(hd_iterations *iterations)
{
    free(iterations->of);
    free(iterations->calls);
    free(iterations->places);
    *iterations = (hd_iterations){ .region = HD_NONE, .call_path = HD_NONE };
}

/* How many begin at the time or before it, of which a number is near: tried ever further away from that, then between
 * the last two that were tried. */
static uint32_t
n_begun(const hd_process_iterations *of, hd_time time, uint32_t near)
{
    uint32_t low = near < of->n ? near : of->n, high = low; /* low to high of them */

    for (uint32_t step = 1; low > 0 && of->rows[low - 1].enter > time; step *= 2) {
        high = low - 1;
        low  = low > step ? low - step : 0;
    }
    for (uint32_t step = 1; high < of->n && of->rows[high].enter <= time; step *= 2) {
        low  = high + 1;
        high = of->n - high > step ? high + step : of->n;
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (of->rows[middle].enter <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t
hd_iterations_slice(const hd_process_iterations *of, uint32_t n, hd_time time, uint32_t *hint)
{
    *hint = n_begun(of, time, *hint);
    if (*hint == 0)
        return 0;
    if (time < of->rows[*hint - 1].leave)
        return *hint;
    return *hint == of->n ? n + 1 : n + 2;
}

hd_time
hd_iterations_slice_end(const hd_process_iterations *of, uint32_t n, uint32_t slice, uint32_t hint)
{
    if (slice > 0 && slice <= n)
        return of->rows[slice - 1].leave;
    return hint < of->n ? of->rows[hint].enter : UINT64_MAX;
}

hd_time
hd_iterations_slice_begin(const hd_process_iterations *of, uint32_t n, uint32_t slice, uint32_t hint)
{
    if (slice > 0 && slice <= n)
        return of->rows[slice - 1].enter;
    return hint > 0 ? of->rows[hint - 1].leave : 0;
}
