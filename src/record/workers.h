/* src/record/workers.h: work on the processes of a recording, by several threads.
 *
 * Not by OpenMP: its threads wait for the next parallel region with a processor each, up to 10 ms, as long as making
 * the archive of a short run takes.
 * Uses: base. MT: one thread calls. Ranks: local.
 */
#ifndef HD_WORKERS_H
#define HD_WORKERS_H

#include "status.h"
#include "types.h"

/* How many threads there are at most: as many as OpenMP would have. */
uint32_t hd_workers_n(void);

/* Work on the part i of it; worker: number of the thread, below hd_workers_n(). */
typedef hd_status hd_work(void *user, uint32_t worker, size_t i);

/* work() for each i below n, in turn; a thread takes n_at_once, and none is made for fewer. Behind the first error,
 * which is returned, no more are begun. */
hd_status hd_workers_run(size_t n, size_t n_at_once, hd_work *work, void *user);

#endif
