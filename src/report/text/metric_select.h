/* src/report/text/metric_select.h: which metric of a report a user means, by its id or by the name that is shown.
 *
 * Uses: cube_model, metric, closest. MT: one thread. Ranks: local.
 */
#ifndef HD_METRIC_SELECT_H
#define HD_METRIC_SELECT_H

#include "cube_model.h"
#include "status.h"

/* The metric with this id ("mpi_latesender"), or this title ("Late Sender (MPI)", in capital or small letters), or else
 * the only one with this name ("Late Sender"), or the only one of the name in the tree of the time.
 * Errors: HD_EUSAGE, none, or several of the name: the words name ids that could be meant. */
hd_status hd_metric_select(const hd_cube *cube, const char *text, uint32_t *metric);

/* The id of the metric that is most like a text, which is compared with ids and names without blanks, "_" and "-";
 * NULL: none is near. Valid as long as the cube. */
const char *hd_metric_closest(const hd_cube *cube, const char *text);

#endif
