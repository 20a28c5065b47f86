/* openmp-patterns/thread_use.h: what the threads of a process did in each slice of the run, for the efficiencies
 * (docs/metrics.md#efficiencies) and for series of time, from their state logs.
 *
 *   thread 0   [ useful ][ MPI ][ F[ useful   ][barrier]J ][ useful ]     F, J: fork, join
 *   thread 1                       [ useful ][  barrier ]
 *              |<- serial ----->|<-- in parallel -------->|<-serial->|
 *
 * In parallel is when the first thread has a team or calls OpenMP or POSIX threads, or another thread is active: the
 * union of these intervals. Slices are of the time of the program, or, iterations, of the process. Uses: pattern,
 * efficiency. MT: any thread; a process by one. Ranks: local. Cost: linear in the logs, which are read once, of
 * processes that are in parallel twice more, and again where slices begin or end in their intervals; sorting of the
 * intervals in which threads are active. Memory: 16 bytes per such interval, 230 per slice, 24 per iteration of the
 * process, while a process is looked at.
 */
#ifndef HD_THREAD_USE_H
#define HD_THREAD_USE_H

#include "efficiency.h"
#include "pattern.h"

/* series: of the process, gets computation, MPI, and OpenMP but for forks and joins, of its threads on processors;
 * NULL: not wanted. */
void hd_thread_use_book(const hd_defs *defs, const hd_loaded_process *process, hd_efficiencies *efficiencies,
                        hd_wait_series *series);

#endif
