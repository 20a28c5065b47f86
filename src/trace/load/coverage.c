#include "coverage.h"

#include "memory.h"

void
hd_coverage_gather(hd_analysis_comm *analysis_comm, const hd_trace *trace, hd_coverage *coverage)
{
    const hd_location_def *locations = hd_defs_locations(trace->defs);
    uint64_t               sums[3]   = { 0 }; /* events that were read, those that were not announced, whole
                                               * locations */

    for (uint32_t p = 0; p < trace->n_processes; p++)
        for (uint32_t t = 0; t < trace->processes[p].n_locations; t++) {
            const hd_loaded_location *location  = &trace->processes[p].locations[t];
            uint64_t                  announced = locations[location->location].n_events;

            sums[0] += location->n_events;
            sums[1] += location->n_events > announced ? location->n_events - announced : 0;
            sums[2] += !location->is_cut;
        }
    hd_analysis_comm_reduce(analysis_comm, sums, 3, HD_SUM);
    *coverage = (hd_coverage){ .n_read = sums[0], .n_whole = sums[2], .n_locations = trace->defs->n_locations };
    if (__builtin_add_overflow(trace->defs->n_events, sums[1], &coverage->n_events))
        coverage->n_events = UINT64_MAX;
}

/* A finding reports it already. */
static bool
is_known_to_end_early(const hd_loaded_process *process)
{
    bool is_known = process->n_locations > 0 && process->locations[0].end.node != HD_NONE;

    for (uint32_t t = 0; t < process->n_locations; t++)
        is_known |= process->locations[t].is_cut;
    return is_known;
}

void
hd_coverage_add_stopped(hd_analysis_comm *analysis_comm, const hd_trace *trace, hd_findings *findings)
{
    uint64_t latest = 0; /* enter of MPI_Finalize on any process */

    for (uint32_t p = 0; p < trace->n_processes; p++)
        for (uint32_t t = 0; t < trace->processes[p].n_locations; t++)
            if (trace->processes[p].locations[t].has_finalize)
                latest = hd_time_max(latest, trace->processes[p].locations[t].finalize_enter);
    hd_analysis_comm_reduce(analysis_comm, &latest, 1, HD_MAX);
    for (uint32_t p = 0; p < trace->n_processes; p++) {
        const hd_loaded_process *process      = &trace->processes[p];
        bool                     has_finalize = false;
        hd_time                  end          = 0;

        for (uint32_t t = 0; t < process->n_locations; t++) {
            has_finalize |= process->locations[t].has_finalize;
            end = hd_time_max(end, process->locations[t].end.time);
        }
        if (process->process.v < trace->defs->n_mpi_processes && !has_finalize && end < latest &&
            !is_known_to_end_early(process))
            hd_findings_add(findings, (hd_finding){ .kind = HD_FINDING_STOPPED, .process = process->process.v,
                                                    .call_path = HD_NONE,
                                                    .peer = HD_NONE, .communicator = HD_NONE, .tag = HD_NONE,
                                                    .time = end, .count = 1 });
    }
}

static uint64_t
count_of(const hd_findings *findings, hd_finding_kind kind)
{
    uint64_t n = 0;

    for (size_t i = 0; i < findings->n; i++)
        n += findings->rows[i].kind == kind ? findings->rows[i].count : 0;
    return n;
}

/* Whether more is lost than ends of recordings. */
static bool
is_misread(const hd_findings *findings)
{
    for (size_t i = 0; i < findings->n; i++) {
        hd_finding_kind kind = findings->rows[i].kind;

        if (hd_finding_infos[kind].loses && kind != HD_FINDING_NO_EVENTS && kind != HD_FINDING_CUT_EVENTS &&
            kind != HD_FINDING_STOPPED)
            return true;
    }
    return false;
}

/* Never more than there is. */
static char *
share_text(const hd_coverage *coverage)
{
    double share = 100 * ((double)coverage->n_read / (double)coverage->n_events);

    if (coverage->n_read >= coverage->n_events)
        return hd_strdup(coverage->n_whole < coverage->n_locations ? "an unknown share of recorded events" :
                         "all recorded events");
    if (coverage->n_read == 0)
        return hd_strdup("0 % of recorded events");
    if (share < 1)
        return hd_strdup("less than 1 % of recorded events");
    return hd_format("%d %% of recorded events", share < 99 ? (int)share : 99);
}

char *
hd_coverage_text(const hd_coverage *coverage, const hd_findings *findings)
{
    uint64_t n_stopped = count_of(findings, HD_FINDING_STOPPED);
    char    *share     = share_text(coverage);
    char    *whole     = coverage->n_whole < coverage->n_locations
                             ? hd_format(" (%" PRIu64 " of %" PRIu64 " locations complete)", coverage->n_whole,
                                         coverage->n_locations) : hd_strdup("");
    char    *stopped   = n_stopped > 0 ?
                         hd_format("; %" PRIu64 " process%s stopped early", n_stopped, n_stopped == 1 ? "" : "es") :
                         hd_strdup("");
    char    *text      = hd_format("%s%s%s%s", share, whole, stopped,
                                   is_misread(findings) ? "; some events could not be interpreted" : "");

    free(share);
    free(whole);
    free(stopped);
    return text;
}
