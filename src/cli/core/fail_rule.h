/* src/cli/core/fail_rule.h: rules that say when a comparison of two reports, A and then B, has failed. Of several runs
 * of A or B the means count.
 *
 *     METRIC [at CALLPATH] > LIMIT        met when B, or what has changed, is above it
 *     METRIC [at CALLPATH] < LIMIT        ... below it
 *
 *     LIMIT    +5%  -5%          change from A to B, in percent of A: from zero, or to more than zero times it,
 *                                infinitely many
 *              +0.1s  -20  +1MiB change from A to B, in the unit of the metric
 *              +2%time           change of the share of all time, in percentage points
 *              0.5s  1000        the value of B itself
 *              12%time           the share that B has of all its time
 *
 * or of an efficiency (docs/metrics.md#efficiencies), by its id, of the main window, or of the whole run:
 *
 *     [whole:]FACTOR < LIMIT      LIMIT   0.8  80%     the value of B itself
 *                                         -0.05  -5%   change from A to B, also in percentage points
 *
 * An id that is a metric's, too (mpi_communication) stands for the metric, unless "whole:" is before it.
 *
 * A rule that is not met is unsure where a report is incomplete, or has nothing of the metric since a part of its
 * analysis was left out: with all of it the rule might be met; and where a report does not know the efficiency.
 * Uses: alignment, completeness, efficiency_list, efficiency_rule, options. Owner: the caller's; hd_fail_rules_fini().
 * MT: one thread. Ranks: local.
 */
#ifndef HD_FAIL_RULE_H
#define HD_FAIL_RULE_H

#include <stdio.h>

#include "alignment.h"
#include "efficiency_list.h"
#include "json.h"

typedef enum hd_rule_kind { HD_RULE_PERCENT, HD_RULE_CHANGE, HD_RULE_SHARE_CHANGE, HD_RULE_VALUE,
                            HD_RULE_SHARE, HD_RULE_EFFICIENCY, HD_RULE_EFFICIENCY_CHANGE } hd_rule_kind;

typedef struct hd_fail_rule {
    char        *text;         /* as it was given */
    char        *metric, *path; /* path: NULL: all call paths */
    char        *unit;         /* of the limit, "" if none is given */
    bool         is_below;     /* "<" */
    hd_rule_kind kind;
    double       limit;
    hd_factor    factor;       /* of rules about efficiencies */
    bool         is_whole;

    /* once it was checked */
    uint32_t number;           /* of the metric in the model; HD_NONE: of efficiencies */
    double   a, b;             /* values of both reports, in the unit of the metric */
    double   found;            /* what is compared with the limit, likewise or in percent; may be infinite */
    double   p;                /* that runs differ so much by chance (welch.h), of limits with a sign; NaN: not
                                * tested */
    bool     is_noise;         /* not met only because the change is not more than noise */
    bool     is_met;
    bool     is_unsure;        /* not met, which may be so for what is missing in a report */
} hd_fail_rule;

typedef struct hd_fail_rules {
    hd_fail_rule *rules; /* [n] */
    size_t        n, capacity;
    bool          needs_significance; /* those of a change are met only if the change is more than noise */
    double        time[2];      /* of the reports, 0: not asked for */
    double       *time_of_run;  /* [n_cubes] likewise */
    size_t        n_unsure;     /* once they were checked */
} hd_fail_rules;

/* Adds a rule. Errors: HD_EUSAGE, it is none, with what is wrong. */
hd_status hd_fail_rules_add(hd_fail_rules *rules, const char *text);

/* Adds the rules of a file, one on each line; empty lines and what follows a "#" that begins a line or stands behind a
 * blank are passed over.
 * Errors: HD_EOPEN, HD_EREAD; HD_EUSAGE with the line. */
hd_status hd_fail_rules_read(hd_fail_rules *rules, const char *path);

/* Compares. alignment: of A and B, with n_of_a runs of A. n_met: out. Errors: HD_EUSAGE: no such metric, no such call
 * path in either report, a unit that is not the metric's, no time to relate to; HD_EFORMAT: sums are no numbers; those
 * of reading the reports. */
hd_status hd_fail_rules_check(hd_fail_rules *rules, hd_alignment *alignment, size_t *n_met);

/* What came out of each, in lines that are sentences ("time > +5% holds: +79.7 %"), or, for a merge request, as a table
 * in Markdown, and why some are unsure. n_met: those that are met. Errors of writing stay with the stream. */
void hd_fail_rules_print(const hd_fail_rules *rules, const hd_alignment *alignment, size_t n_met, FILE *file,
                         bool is_markdown);

/* The same as an array of objects (docs/json.md#diff). */
void hd_fail_rules_put(const hd_fail_rules *rules, const hd_alignment *alignment, hd_json *json, const char *key);

void hd_fail_rules_fini(hd_fail_rules *rules);

#endif
