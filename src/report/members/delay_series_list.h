/* src/report/members/delay_series_list.h: delay costs over time, of the processes that delay, as tables that a report
 * carries.
 *
 *   heddle.delay-series.tsv                 as heddle.series.tsv (series_list.h)
 *   heddle.delay-path-series.tsv            as heddle.path-series.tsv (path_series_list.h)
 *   heddle.iteration-delay-series.tsv       the same over iterations
 *   heddle.iteration-delay-path-series.tsv
 *
 * Values are parts of a tick. Definition: docs/metrics.md#delay-costs-over-time. Read tables are taken for damaged until
 * checked. Uses: series_list, path_series_list. MT: one thread. Ranks: local.
 */
#ifndef HD_DELAY_SERIES_LIST_H
#define HD_DELAY_SERIES_LIST_H

#include "delay_series.h"
#include "path_series_list.h"
#include "series_list.h"

#define HD_DELAY_SERIES_MEMBER                "heddle.delay-series.tsv"
#define HD_DELAY_PATH_SERIES_MEMBER           "heddle.delay-path-series.tsv"
#define HD_ITERATION_DELAY_SERIES_MEMBER      "heddle.iteration-delay-series.tsv"
#define HD_ITERATION_DELAY_PATH_SERIES_MEMBER "heddle.iteration-delay-path-series.tsv"

/* Of a track that there is. resolution: ticks of a second; numbers: hd_cube_path_numbers(). Errors of writing stay with
 * the stream. */
void hd_delay_series_write(FILE *file, const hd_delay_series *series, uint32_t track, uint64_t resolution);
void hd_delay_path_series_write(FILE *file, const hd_delay_series *series, uint32_t track, const uint32_t *numbers,
                                uint64_t resolution);

/* Adds those of windows, or of iterations, to entries [*n], which may move. n_slices: of them; is_there: out, the report
 * has such a table. Errors: HD_EREAD; HD_ESIZE; HD_EFORMAT with the line that is wrong; entries are as they were. */
hd_status hd_delay_series_add(hd_cube *cube, bool over_iterations, uint32_t n_slices, hd_series_entry **entries,
                              size_t *n, bool *is_there);
/* Likewise, to the list. */
hd_status hd_delay_path_series_add(hd_cube *cube, bool over_iterations, uint32_t n_slices, hd_path_series_list *list);

#endif
