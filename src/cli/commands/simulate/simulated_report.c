/* src/cli/commands/simulate/simulated_report.c: the report of a simulated run. */
#include "simulated_report.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

const hd_defs *
hd_simulated_defs(hd_analysis_comm *comm, const hd_defs *defs, const hd_sim_outcome *outcome,
                  const hd_sim_outcome *recorded)
{
    hd_span  longer = outcome->run_time_whole - recorded->run_time_whole;
    size_t   bytes  = (size_t)defs->bytes;
    hd_defs *copy;

    if (longer == 0 || defs->length == 0)
        return defs;
    copy = hd_alloc(1, bytes);
    memcpy(copy, defs, bytes);
    copy->length = longer > -(hd_span)defs->length ? defs->length + (uint64_t)longer : 0;
    defs         = hd_analysis_comm_share(comm, copy, &bytes);
    free(copy);
    return defs;
}

void
hd_simulated_forget(hd_analyze *run)
{
    for (uint32_t i = 0; run->maps != NULL && i < run->n_processes; i++)
        if (i + 1 == run->n_processes || run->maps[i + 1] != run->maps[i]) /* the last one that shares it */
            free(run->maps[i]);
    free(run->maps);
    hd_calltree_fini(&run->tree);
    free(run->call_sites);
    hd_trace_free(run->trace);
    free(run->intervals);
    run->maps            = NULL;
    run->call_sites      = NULL;
    run->trace           = NULL;
    run->intervals       = NULL;
    run->has_main_window = false;
    run->observer        = NULL;
}

hd_status
hd_simulated_report_write(hd_analyze *run, const hd_sim_outcome *outcome, const hd_sim_outcome *recorded)
{
    static hd_status (*const phases[])(hd_analyze *) = { hd_analyze_find_intervals, hd_analyze_load, hd_analyze_unify,
                                                         hd_analyze_replay, hd_analyze_find_excerpts,
                                                         hd_analyze_report, hd_analyze_show };
    hd_status status = HD_OK;

    hd_simulated_forget(run);
    run->times = outcome->records;
    run->defs  = hd_simulated_defs(run->analysis_comm, run->defs, outcome, recorded);
    for (size_t i = 0; i < sizeof phases / sizeof *phases && status == HD_OK; i++)
        status = phases[i](run);
    return status;
}
