/* src/cli/commands/analyze/phase_intervals.c: what of the run counts: the interval of --from and --to, and in it the
 * regions of interest. */
#include "analyze.h"

#include <stdlib.h>
#include <string.h>

#include "closest.h"
#include "memory.h"
#include "signal_stop.h"

/* ---- choose_interval --------------------------------------------------------------------------------------------- */

static hd_status
choose_times(hd_analyze *run)
{
    const hd_analyze_options *options = run->options;
    uint64_t                  from = hd_duration_ticks(options->from, run->defs->resolution),
                                     length = run->defs->length;
    uint64_t                  to = hd_duration_ticks(options->to, run->defs->resolution);

    if (from >= to || (length > 0 && from > length)) {
        hd_fail(HD_EUSAGE, to == 0    ? "--to is not after the begin of the run" :
                           from >= to ? "--from is not before --to" :
                                        "the interval from --from to --to contains no part of the run");
        if (length > 0)
            hd_fail_detail("run", "%.9g s", (double)length / (double)run->defs->resolution);
        return HD_EUSAGE;
    }
    run->interval = hd_analysis_interval_since(run->defs->first_time, from, to);
    return HD_OK;
}

/* Regions that the archive defines; those after them are Heddle's own. */
static uint32_t
n_recorded(const hd_defs *defs)
{
    return defs->flush_region;
}

/* The name is the one shown or, of a demangled function, the one recorded. */
static bool
has_name(const hd_defs *defs, uint32_t region, const char *name)
{
    return strcmp(hd_defs_text(defs, hd_defs_regions(defs)[region].name), name) == 0 ||
           strcmp(hd_defs_text(defs, hd_defs_regions(defs)[region].canonical), name) == 0;
}

enum { MAX_HINTS = 3 };

static hd_status
no_such_region(const hd_analyze *run, const char *name)
{
    const hd_defs *defs  = run->defs;
    const char   **names = HD_NEW_ARRAY(const char *, (size_t)n_recorded(defs) + 1), *closest;
    uint32_t       n     = 0;

    hd_fail(HD_EUSAGE, "the archive has no region \"%s\"", name);
    for (uint32_t i = 0; i < n_recorded(defs); i++)
        names[i] = hd_defs_text(defs, hd_defs_regions(defs)[i].name);
    closest = hd_closest(name, names, n_recorded(defs));
    if (closest != NULL)
        hd_fail_detail("closest", "%s", closest);
    for (uint32_t i = 0; i < n_recorded(defs) && n < MAX_HINTS; i++) {
        if (strstr(names[i], name) == NULL || names[i] == closest)
            continue;
        hd_fail_detail("contains it", "%s", names[i]);
        n++;
    }
    hd_fail_detail("try", "the whole name, in quotes, as the call paths of a report show it");
    free(names);
    return HD_EUSAGE;
}

hd_status
hd_analyze_name_regions(const hd_analyze *run, const hd_texts *names, bool *is_named)
{
    for (size_t i = 0; i < names->n; i++) {
        bool is_there = false;

        for (uint32_t r = 0; r < n_recorded(run->defs); r++)
            if (has_name(run->defs, r, names->text[i]))
                is_there = is_named[r] = true;
        if (!is_there)
            return no_such_region(run, names->text[i]);
    }
    return HD_OK;
}

static hd_status
choose_regions(hd_analyze *run)
{
    run->is_wanted = HD_NEW_ARRAY(bool, run->defs->n_regions);
    return hd_analyze_name_regions(run, &run->options->regions, run->is_wanted);
}

hd_status
hd_analyze_choose_interval(hd_analyze *run)
{
    const hd_analyze_options *options   = run->options;
    bool                      has_times = options->from.seconds != 0 || options->from.attoseconds != 0 ||
                                          !hd_duration_is_end(options->to);
    hd_status                 status;

    if (options->windows > HD_MAX_WINDOWS)
        return hd_fail(HD_EUSAGE, "\"--windows\" is at most %d, not %" PRIu32, HD_MAX_WINDOWS, options->windows);
    run->n_sides = 1;
    if (!has_times && options->regions.n == 0)
        return HD_OK;
    if (options->compat != 0) {
        hd_fail(HD_EUSAGE, "%s --compat=scout26: that analyser knows whole runs only",
                has_times ? "--from and --to exclude" : "--roi excludes");
        return HD_EUSAGE;
    }
    run->n_sides = options->regions.n > 0 ? HD_N_SIDES : 2;
    status       = choose_times(run);
    return status == HD_OK && options->regions.n > 0 ? choose_regions(run) : status;
}

/* ---- find_intervals ---------------------------------------------------------------------------------------------- */

/* What of the instances lies in the interval of --from and --to. */
static void
cut_instances(hd_region_instances *instances, const hd_analysis_interval *interval)
{
    size_t n = 0;

    for (size_t i = 0; i < instances->n; i++) {
        hd_analysis_interval part = instances->parts[i];

        part.from = hd_time_max(part.from, interval->from);
        part.to   = hd_time_min(part.to, interval->to);
        part.last = hd_time_min(part.last, interval->last);
        if (part.from <= part.last)
            instances->parts[n++] = part;
    }
    instances->n = n;
}

/* Of all ranks. False: no process enters the regions. */
static bool
find_share(hd_analyze *run)
{
    const hd_defs        *defs     = run->defs;
    hd_analysis_interval  whole    = hd_analysis_interval_since(defs->first_time, 0,
                                                                defs->length > 0 ? defs->length : UINT64_MAX);
    uint64_t              first[1] = { UINT64_MAX }, latest[2] = { 0, 0 }, sums[2] = { 0, 0 };
    double                all      = (double)defs->length * defs->n_processes;

    for (uint32_t p = 0; p < run->n_processes; p++) {
        const hd_region_instances *instances = &run->instances[p];

        for (size_t i = 0; i < instances->n; i++)
            sums[0] += (uint64_t)hd_analysis_interval_overlap(&whole, instances->parts[i].from, instances->parts[i].to);
        if (instances->n == 0)
            continue;
        sums[1]++;
        first[0]  = hd_time_min(first[0], instances->parts[0].from);
        latest[0] = hd_time_max(latest[0], instances->parts[instances->n - 1].to);
        latest[1] = hd_time_max(latest[1], instances->parts[instances->n - 1].last);
    }
    hd_analysis_comm_reduce(run->analysis_comm, first, 1, HD_MIN);
    hd_analysis_comm_reduce(run->analysis_comm, latest, 2, HD_MAX);
    hd_analysis_comm_reduce(run->analysis_comm, sums, 2, HD_SUM);
    run->share = (hd_region_share){ .of_run = all > 0 ? (double)sums[0] / all : 0, .n_processes = (uint32_t)sums[1],
                                    .window = { first[0], latest[0], latest[1] } };
    return sums[1] > 0;
}

/* Processes as "0, 3-5, 9, ...". */
static void
print_ranges(const uint64_t *is_there, uint32_t n, FILE *out)
{
    enum { MAX_RANGES = 8 };
    uint32_t n_ranges = 0;

    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && is_there[end] == is_there[i];)
            end++;
        if (!is_there[i])
            continue;
        if (n_ranges++ == MAX_RANGES) {
            fputs(", ...", out);
            return;
        }
        fprintf(out, "%s%" PRIu32, n_ranges > 1 ? ", " : "", i);
        if (end - i > 1)
            fprintf(out, "-%" PRIu32, end - 1);
    }
}

/* On all ranks, together. */
static void
note_others(hd_analyze *run)
{
    uint32_t  n     = run->defs->n_processes;
    uint64_t *never = HD_NEW_ARRAY(uint64_t, n);

    for (uint32_t p = 0; p < run->n_processes; p++)
        never[run->processes[p]] = run->instances[p].n == 0;
    hd_analysis_comm_reduce(run->analysis_comm, never, n, HD_SUM);
    if (run->is_rank0 && !run->options->quiet) {
        fprintf(stderr, "heddle: note: %" PRIu32 " of %" PRIu32
                " processes enter no region of interest: nothing of them counts\n  processes: ",
                n - run->share.n_processes, n);
        print_ranges(never, n, stderr);
        fputc('\n', stderr);
    }
    free(never);
}

static hd_status
find_instances(hd_analyze *run)
{
    hd_load_request request = hd_analyze_load_request(run);
    hd_status       status;

    hd_progress_phase(&run->progress, &(hd_phase){ .what = "find regions of interest" });
    run->instances = HD_NEW_ARRAY(hd_region_instances, run->n_processes);
    status         = hd_agree(run->analysis_comm, hd_region_instances_read(&request, run->is_wanted, run->instances));
    if (hd_analyze_is_stopped(run, "while finding regions of interest") && (status == HD_OK || status == HD_ESTOPPED))
        return hd_analyze_end_stopped(run);
    if (status != HD_OK)
        return status;
    for (uint32_t p = 0; p < run->n_processes; p++)
        cut_instances(&run->instances[p], &run->interval);
    if (!find_share(run)) {
        hd_fail(HD_EUSAGE, "no process enters a region of interest%s",
                run->interval.from > 0 || run->interval.to != UINT64_MAX ? " in the interval from --from to --to" : "");
        hd_fail_detail("regions", "%s%s", run->options->regions.text[0], run->options->regions.n > 1 ? ", ..." : "");
        hd_fail_detail("try", "a region that a report of the whole run shows");
        return HD_EUSAGE;
    }
    if (run->share.n_processes < run->defs->n_processes)
        note_others(run);
    return HD_OK;
}

/* Until it is known, the main window is the whole run. */
static void
expect_main_window(hd_analyze *run)
{
    run->has_main_window = true;
    run->interval        = (hd_analysis_interval){ .to = UINT64_MAX, .last = UINT64_MAX - 1 };
    run->intervals       = HD_NEW_ARRAY(hd_analysis_intervals, run->n_processes);
    for (uint32_t p = 0; p < run->n_processes; p++)
        run->intervals[p] = (hd_analysis_intervals){ .parts = &run->interval, .n = 1, .window = run->interval,
                                                     .is_main_window = true };
}

hd_status
hd_analyze_find_intervals(hd_analyze *run)
{
    hd_status status = run->is_wanted != NULL ? find_instances(run) : HD_OK;

    if (status == HD_OK && run->n_sides == 1 && run->options->compat == 0 && hd_main_window_can_be(run->defs))
        expect_main_window(run);
    if (status != HD_OK || run->n_sides == 1)
        return status;
    run->intervals = HD_NEW_ARRAY(hd_analysis_intervals, run->n_processes);
    for (uint32_t p = 0; p < run->n_processes; p++)
        run->intervals[p] = run->instances == NULL
            ? (hd_analysis_intervals){ .parts = &run->interval, .n = 1, .window = run->interval }
            : (hd_analysis_intervals){ .parts = run->instances[p].parts, .n = run->instances[p].n,
                                       .window = run->share.window, .has_regions = true };
    return HD_OK;
}
