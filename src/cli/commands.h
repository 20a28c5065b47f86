/* src/cli/commands.h: the subcommands; each is declared and done in the file of its name. Uses: options. */
#ifndef HD_COMMANDS_H
#define HD_COMMANDS_H

#include "options.h"
#include "page_writer.h"
#include "plan.h"
#include "summary.h"

extern const hd_command hd_cmd_analyze; /* cmd_analyze.c */
extern const hd_command hd_cmd_summary; /* cmd_summary.c */
extern const hd_command hd_cmd_causes;  /* cmd_causes.c */
extern const hd_command hd_cmd_topology; /* cmd_topology.c */
extern const hd_command hd_cmd_dump;    /* cmd_dump.c */
extern const hd_command hd_cmd_html;    /* cmd_html.c */
extern const hd_command hd_cmd_diff;    /* cmd_diff.c */
extern const hd_command hd_cmd_mean;    /* cmd_mean.c */
extern const hd_command hd_cmd_merge;   /* cmd_merge.c */
extern const hd_command hd_cmd_cut;     /* cmd_cut.c */
extern const hd_command hd_cmd_scaling; /* cmd_scaling.c */
extern const hd_command hd_cmd_extract; /* cmd_extract.c */
extern const hd_command hd_cmd_info;    /* cmd_info.c */
extern const hd_command hd_cmd_plan;    /* cmd_plan.c */
extern const hd_command hd_cmd_jobscript; /* cmd_jobscript.c */
extern const hd_command hd_cmd_completion; /* cmd_completion.c */
extern const hd_command hd_cmd_help;    /* main.c */

/* All of them, in the order of the overview; constant. MT: any thread. Ranks: local. */
const hd_command *const *hd_commands(size_t *n);

/* The rank that an MPI launcher gave this process, as it says it to the MPI library; NULL: it was started without one. */
const char *hd_launched_as(void);

/* What standard output looks like. MT: main thread only. Ranks: local. */
hd_summary_options hd_terminal_look(void);

/* Prints the summary of a report on standard output as its terminal wants it; n_top: wait states and call paths to name; n_instances:
 * of each wait state to list, 0: as many; verbose: see hd_summary_options. MT: main thread only. Ranks: local. Errors: those of reading a report. */
hd_status hd_summary_show(const char *report, uint32_t n_top, uint32_t n_instances, bool verbose);

/* Writes the page of a report, and says on standard output where it is, if wanted. Signals that end the program leave nothing half-written.
 * options: stop is not looked at. MT: main thread only. Ranks: local. Errors: those of opening a report and of hd_page_write(). */
hd_status hd_html_write(const char *report, const char *path, const hd_page_options *options, bool tells);

/* Says on standard output where a page is, and what belongs beside it. MT: main thread only. Ranks: local. */
void hd_html_tell(const char *path, const hd_page_written *written);

/* Cores and memory of the node where this runs. MT: any thread. Ranks: local. */
hd_plan_request hd_plan_this_node(void);

#endif
