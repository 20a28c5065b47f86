/* src/record/finish/run_system.h: where on their nodes the processes are bound: the system tree of the archive.
 *
 * A process stands at the smallest socket, NUMA domain or core that has all processors which it may use, else at its
 * node. Objects that have all processors of the node, or those of the object around them, are no levels. Nodes are in
 * the order of their first process; what is in them by number. Each is behind what it is in.
 * Uses: run_model. MT: main thread only. Ranks: local. Cost: O(processes · objects of a node).
 */
#ifndef HD_RUN_SYSTEM_H
#define HD_RUN_SYSTEM_H

#include "run_model.h"

/* Sets the system of the run, and each process's place in it. A file of a node that is damaged is used as far as it
 * goes. */
void hd_run_system_set(hd_recorded_run *run);

/* Processors that the process and its threads may use: of one whose first thread OpenMP has bound before anything was
 * recorded, those of all threads. words: out, [HD_RAW_MAX_PROCESSORS / 64]; the place refers to it. */
hd_raw_place hd_run_system_place(const hd_raw_process *process, uint64_t *words);

/* "4 threads share 2 processors of node n1": of the nodes with more threads, of processes and OpenMP, than these may
 * use processors, that with the most threads for each. NULL: there is none. free() it. */
char *hd_run_system_crowded(const hd_recorded_run *run);

/* "0-3,8": free() it. */
char *hd_run_system_processors(const hd_raw_place *place);

#endif
