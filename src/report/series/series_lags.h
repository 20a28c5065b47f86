/* src/report/series/series_lags.h: causes over time, for a terminal and as CSV. Uses: lag_list, summary_page.
 * MT: one thread. Ranks: local.
 */
#ifndef HD_SERIES_LAGS_H
#define HD_SERIES_LAGS_H

#include "iteration_list.h"
#include "lag_list.h"
#include "summary_page.h"

/* Kinds with the largest costs first. iterations: NULL: slices are windows; n_slices: that are shown, from 1 on. */
void hd_series_lags_print(const hd_summary_page *page, const hd_lag_list *lags, const hd_iteration_list *iterations,
                          uint32_t n_slices);
void hd_series_lags_csv(FILE *file, const hd_lag_list *lags); /* by kind */

#endif
