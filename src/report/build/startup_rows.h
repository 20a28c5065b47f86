/* src/report/build/startup_rows.h: the part of a report's values that is outside of the main window.
 *
 * A row is a value as the report stores it, or a part of one: exclusive along the call tree, of a parent in the tree of
 * metrics with its children. Call paths of MPI_Init and MPI_Finalize have none: as a whole they are start-up. Private to
 * the component. Uses: derive, imbalance, analysis_comm. Grows with: rows; on rank 0 those of all ranks. MT: main
 * thread. Ranks: all, together.
 */
#ifndef HD_STARTUP_ROWS_H
#define HD_STARTUP_ROWS_H

#include "derive.h"
#include "imbalance.h"
#include "report.h"
#include "startup_table.h"

typedef struct hd_startup_rows {
    hd_startup_row *rows; /* [n] on rank 0, in order; free() it */
    size_t          n;
} hd_startup_rows;

/* imbalance: of the report as a whole. */
hd_startup_rows hd_startup_rows_gather(hd_analysis_comm *analysis_comm, const hd_report *report,
                                       const hd_derivation *derivation, const hd_imbalance *imbalance);

#endif
