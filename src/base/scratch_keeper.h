/* src/base/scratch_keeper.h: the thread that keeps the memory limit of a scratch.
 * Uses: scratch_state. Owner: the scratch. MT: said below. Ranks: local.
 */
#ifndef HD_SCRATCH_KEEPER_H
#define HD_SCRATCH_KEEPER_H

#include "scratch_state.h"

/* Starts the thread; it ends when scratch->is_ending is set and scratch->ends is signalled. MT: main thread only.
 * Errors: HD_EOPEN. */
hd_status hd_keeper_start(hd_scratch *scratch);

/* Drops the pages of all files from the process. MT: under the lock. */
void hd_keeper_drop(hd_scratch *scratch);

/* Resident memory of the process. file_bytes: out, the part that belongs to files and shared memory. MT: any thread. */
uint64_t hd_keeper_resident_bytes(const hd_scratch *scratch, uint64_t *file_bytes);

#endif
