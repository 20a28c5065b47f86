/* src/cli/commands/simulate/simulated_report.h: the complete analysis of a simulated run: the archive is loaded again,
 * with the new times of its records, and analysed as heddle analyze does.
 * Uses: analyze, simulate. MT: main thread only. Ranks: all, together.
 */
#ifndef HD_SIMULATED_REPORT_H
#define HD_SIMULATED_REPORT_H

#include "analyze.h"
#include "simulate_request.h"

/* What was loaded is forgotten; run->output is open. outcome: with records. recorded: of the recorded run. Errors, the
 * same on all ranks: those of the phases of analyze.h. */
hd_status hd_simulated_report_write(hd_analyze *run, const hd_sim_outcome *outcome, const hd_sim_outcome *recorded);

/* What was loaded is forgotten. Ranks: local. */
void hd_simulated_forget(hd_analyze *run);

/* The definitions of a run that is as long as the simulated one. Owner: the analysis communicator. */
const hd_defs *hd_simulated_defs(hd_analysis_comm *comm, const hd_defs *defs, const hd_sim_outcome *outcome,
                                 const hd_sim_outcome *recorded);

#endif
