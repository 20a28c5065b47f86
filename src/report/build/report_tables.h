/* src/report/build/report_tables.h: the tables of a report: findings, causes, instances, matrix, wait-for graph.
 * Private to the component. Uses: report_members, cube_write. MT: one thread. Ranks: rank 0.
 */
#ifndef HD_REPORT_TABLES_H
#define HD_REPORT_TABLES_H

#include "out_file.h"
#include "report.h"
#include "startup_rows.h"

/* Those that the report has. Errors stay with the file. */
void hd_report_tables_put(const hd_report *report, const hd_startup_rows *startup, hd_out_file *out);

#endif
