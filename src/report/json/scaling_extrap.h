/* src/report/json/scaling_extrap.h: runs of several sizes as an input of Extra-P: its text format, or its JSON lines
 * (docs/formats.md#extra-p).
 *
 * One parameter, p: the size of a run. A value is that of a call path alone, exclusive, per process (or location); runs
 * of one size are repetitions. All metrics that all runs have and whose values can be added up; call paths at which a
 * metric is 0 in all runs are left out. Names are untrusted: control characters come out as \xNN, or as JSON has it;
 * "->" inside of a name as "- >", since it separates names. Siblings of equal name are told apart by a number, "name
 * (2)".
 * Uses: scaling, json. MT: one thread at a time. Ranks: local. Cost: one pass over the values of all reports.
 */
#ifndef HD_SCALING_EXTRAP_H
#define HD_SCALING_EXTRAP_H

#include <stdio.h>

#include "scaling.h"

typedef enum hd_extrap_format { HD_EXTRAP_TEXT, HD_EXTRAP_JSON_LINES } hd_extrap_format;

/* Errors: those of hd_alignment_total(). Errors of writing stay with the stream. */
hd_status hd_scaling_write_extrap(const hd_scaling *scaling, hd_extrap_format format, FILE *file);

#endif
