/* src/cli/commands/commands.h: the subcommands; each is declared and done in the file of its name. Uses: options. */
#ifndef HD_COMMANDS_H
#define HD_COMMANDS_H

#include "cmd_analyze.h"
#include "cmd_record.h"
#include "cmd_scan.h"
#include "cmd_simulate.h"
#include "options.h"

extern const hd_command hd_cmd_summary; /* cmd_summary.c */
extern const hd_command hd_cmd_causes;  /* cmd_causes.c */
extern const hd_command hd_cmd_instances; /* cmd_instances.c */
extern const hd_command hd_cmd_efficiency; /* cmd_efficiency.c */
extern const hd_command hd_cmd_series;  /* cmd_series.c */
extern const hd_command hd_cmd_matrix;  /* cmd_matrix.c */
extern const hd_command hd_cmd_topology; /* cmd_topology.c */
extern const hd_command hd_cmd_dump;    /* cmd_dump.c */
extern const hd_command hd_cmd_html;    /* cmd_html.c */
extern const hd_command hd_cmd_diff;    /* cmd_diff.c */
extern const hd_command hd_cmd_mean;    /* cmd_mean.c */
extern const hd_command hd_cmd_merge;   /* cmd_merge.c */
extern const hd_command hd_cmd_cut;     /* cmd_cut.c */
extern const hd_command hd_cmd_scaling; /* cmd_scaling.c */
extern const hd_command hd_cmd_extract; /* cmd_extract.c */
extern const hd_command hd_cmd_export;  /* cmd_export.c */
extern const hd_command hd_cmd_info;    /* cmd_info.c */
extern const hd_command hd_cmd_plan;    /* cmd_plan.c */
extern const hd_command hd_cmd_jobscript; /* cmd_jobscript.c */
extern const hd_command hd_cmd_completion; /* cmd_completion.c */
extern const hd_command hd_cmd_metrics; /* cmd_metrics.c */
extern const hd_command hd_cmd_explain; /* cmd_explain.c */
extern const hd_command hd_cmd_help;    /* cmd_help.c */

#endif
