/* src/record/finish/run_clock.h: the clocks of several nodes as one: that of the first process's node. Inside of finish
 * only. Uses: run_model. MT: main thread only. */
#ifndef HD_RUN_CLOCK_H
#define HD_RUN_CLOCK_H

#include "run_model.h"

/* Sets the resolution of the archive, the clock of each process, and the first and last time of all records. By what
 * MPI_Init and MPI_Finalize have measured between nodes, where it is there. With one measurement, as of a program that
 * was killed, rates are those of each node's own clocks; without any, the nodes' times of day are taken as equal. */
void hd_run_clocks_set(hd_recorded_run *run);

/* Whether the clock of the process went at one rate beside the system's, to half a second in each interval of a second
 * and more: a machine that is suspended, or a virtual one that is moved, may have another counter behind it. */
bool hd_run_clock_is_steady(const hd_raw_process *process);

/* The time in the archive that a process's clock shows as so many ticks, and these. */
uint64_t hd_run_clock_time(const hd_run_clock *clock, uint64_t ticks);
uint64_t hd_run_clock_ticks(const hd_run_clock *clock, uint64_t time);

#endif
