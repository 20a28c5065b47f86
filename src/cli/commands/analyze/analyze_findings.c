/* src/cli/commands/analyze/analyze_findings.c: brings the findings of all ranks and phases together. */
#include "analyze.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* Position of a process among those hosted here. */
static uint32_t
hosted(const hd_analyze *run, uint32_t process)
{
    uint32_t low = 0, high = run->n_processes;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (run->processes[middle] < process)
            low = middle + 1;
        else
            high = middle;
    }
    return low < run->n_processes && run->processes[low] == process ? low : HD_NONE;
}

/* Adds findings of loading: their call paths are those of their process. */
static void
add_findings(hd_analyze *run, const hd_findings *findings)
{
    for (size_t i = 0; i < findings->n; i++) {
        hd_finding finding = findings->rows[i];
        uint32_t   at      = hosted(run, finding.process);

        if (at != HD_NONE && finding.call_path < run->n_sides * run->trace->processes[at].n_nodes)
            finding.call_path %= run->trace->processes[at].n_nodes;
        if (at == HD_NONE || finding.call_path >= run->trace->processes[at].n_nodes)
            finding.call_path = HD_NONE;
        else
            finding.call_path = run->maps[at][finding.call_path];
        hd_findings_add(&run->findings, finding);
    }
}

/* All findings on rank 0, sorted. */
void
hd_analyze_gather_findings(hd_analyze *run)
{
    uint8_t  *all     = NULL;
    uint64_t *n_bytes = NULL, sum = 0;

    for (uint32_t i = 0; i < run->trace->n_threads; i++)
        add_findings(run, &run->trace->findings[i]);
    for (size_t i = 0; i < run->result.findings.n; i++)
        hd_findings_add(&run->findings, run->result.findings.rows[i]);
    hd_coverage_add_stopped(run->analysis_comm, run->trace, &run->findings);
    hd_analysis_comm_gather(run->analysis_comm, run->findings.rows, run->findings.n * sizeof(hd_finding), &all,
                            &n_bytes);
    if (run->is_rank0) {
        for (uint32_t i = 0; i < hd_analysis_comm_size(run->analysis_comm); i++)
            sum += n_bytes[i];
        hd_findings_fini(&run->findings);
        for (uint64_t i = 0; i < sum / sizeof(hd_finding); i++) {
            hd_finding finding;

            memcpy(&finding, all + i * sizeof finding, sizeof finding);
            hd_findings_add(&run->findings, finding);
        }
    }
    hd_findings_sort(&run->findings);
    hd_coverage_gather(run->analysis_comm, run->trace, &run->coverage);
    for (size_t i = 0; i < run->findings.n; i++)
        run->incomplete |= hd_finding_infos[run->findings.rows[i].kind].loses;
    hd_analysis_comm_broadcast(run->analysis_comm, &run->incomplete, sizeof run->incomplete, (hd_arank){ 0 });
    free(all);
    free(n_bytes);
}
