/* openmp-patterns/serial_use.h: what a process with one thread, which is nowhere in parallel, did in the run, its main
 * window, windows and iterations (thread_use.h does the same for all processes).
 *
 * Private to the component. Uses: efficiency, state_log, thread_times. MT: one thread at a time. Cost: linear in the
 * log and in slices. Memory: none.
 */
#ifndef HD_SERIAL_USE_H
#define HD_SERIAL_USE_H

#include "efficiency.h"
#include "state_log.h"
#include "wait_series.h"

/* Books all slices, and the series (NULL: not wanted). iterations: of the process; NULL: there are none. false: not
 * possible, and nothing was booked, as slices do not lie in each other, iterations are joined, or series have other
 * windows. */
bool hd_serial_use_book(const hd_state_log *log, hd_efficiencies *all, const hd_process_iterations *iterations,
                        hd_wait_series *series);

#endif
