/* replay/collect_results.h: from what the vprocs and workers of a replay have to its results.
 * Inside of the replay only. Uses: backward, forward, sync, core. MT: main thread only, while the engine does not run.
 * Ranks: all, together.
 */
#ifndef HD_COLLECT_RESULTS_H
#define HD_COLLECT_RESULTS_H

#include "vproc.h"
#include "replay_result.h"

typedef struct hd_collection {
    hd_replay               *replay;
    hd_replay_result        *result;
    struct hd_critical_path *path;      /* while hd_collect_backward() runs */
    bool                     has_costs; /* the backward replay came to its end */
    bool                     has_path;  /* and followed the critical path */
} hd_collection;

/* When the forward replay is over: severities, statistics of instances, what was not finished. The patterns of threads
 * are booked here. */
void hd_collect_forward(hd_collection *collection, hd_engine *engine);
/* When the backward replay is over, or was left out: costs and the critical path. Frees what vprocs and workers
 * have. */
void hd_collect_backward(hd_collection *collection, hd_engine *engine);
/* Findings, counts and tables of causes of the workers. */
void hd_collect_workers(hd_collection *collection, hd_engine *engine);

/* Series of waiting time. After hd_collect_forward(), when nothing is needed any more that can be freed. */
void hd_collect_series(hd_collection *collection);
/* Those of all ranks. In the end, as there is room then for what is gathered of all processes. */
void hd_gather_series(hd_collection *collection);

#endif
