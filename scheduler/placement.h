/* scheduler/placement.h: which worker (analysis rank, replay thread) has which application process.
 *
 * A process and all its locations live on one worker. Placement depends on the numbers given here only, so every rank
 * computes the same without communication. Uses: base. Owner: the run. MT: read only after hd_placement_new(). Ranks:
 * local; arguments equal on all ranks give equal results. Grows with: processes, 8 bytes each.
 */
#ifndef HD_PLACEMENT_H
#define HD_PLACEMENT_H

#include "status.h"
#include "types.h"

typedef enum hd_placement_policy { HD_PLACE_BLOCK, HD_PLACE_CYCLIC, HD_PLACE_NODE } hd_placement_policy;

typedef struct hd_placement_request {
    const uint64_t     *weights;   /* [n_processes] events of each process; 0 counts as 1 */
    const uint32_t     *nodes;     /* [n_processes] node of the application each ran on, for HD_PLACE_NODE; NULL: one
                                    * node */
    uint32_t            n_processes;
    uint32_t            n_ranks;   /* surplus ranks (more ranks than processes) get none */
    uint32_t            n_threads; /* replay threads per rank, > 0 */
    uint32_t            traces_per_rank; /* the most processes that one rank may worker; 0: no limit */
    hd_placement_policy policy;
} hd_placement_request;

typedef struct hd_placement hd_placement;

/* block: contiguous in process order, balanced by weight (the heaviest rank as light as contiguity allows); cyclic:
 * process p on rank p mod n_ranks; node: like block, but processes of one node are not split over ranks unless a rank
 * would have to worker more than traces_per_rank, or there are more ranks than nodes (then nodes are split as evenly as
 * possible). Within a rank the same policy spreads its processes over the threads (node: block). Every rank gets at
 * least one process while there are enough.
 * Errors: HD_ESIZE, n_ranks * traces_per_rank < n_processes: the words say which number of ranks or traces would do. */
hd_status hd_placement_new(const hd_placement_request *request, hd_placement **placement);
void      hd_placement_free(hd_placement *placement);

/* A worker's number is rank * n_threads + thread. */
uint32_t hd_placement_worker(const hd_placement *placement, hd_process process);
uint32_t hd_placement_n_threads(const hd_placement *placement);
uint32_t hd_placement_n_workers(const hd_placement *placement);
/* The processes of a rank, ascending; valid as long as the placement. */
const uint32_t *hd_placement_of_rank(const hd_placement *placement, hd_arank rank, uint32_t *n);

#endif
