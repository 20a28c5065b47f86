/* src/report/build/anchor.h: the anchor.xml of a report: everything but the values.
 *
 * Format: docs/formats.md#cube. The readers of others parse it line by line with a fixed order of parts and attributes, so
 * nothing here may move. Uses: profile, trace. MT: main thread. Ranks: local (rank 0).
 */
#ifndef HD_ANCHOR_H
#define HD_ANCHOR_H

#include "derive.h"
#include "out_file.h"
#include "report.h"
#include "tree_order.h"

/* The number of a metric in the anchor and in the names of members: its place among those that the report has.
 *   numbers   [HD_N_METRICS] out; HD_NONE: not in the report
 * Returns how many the report has. */
uint32_t hd_anchor_number_metrics(const hd_derivation *derivation, uint32_t *numbers);

/* order: of report->tree. Errors stay with out. */
void hd_anchor_write(hd_out_file *out, const hd_report *report, const hd_derivation *derivation, const hd_tree_order *order);

#endif
