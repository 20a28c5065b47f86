/* src/cli/core/plan.h: how many nodes, ranks and threads an analysis should have, and what it then takes.
 *
 * A node runs one rank for every HD_PLAN_THREADS of its cores (or as many as asked for), and a replay thread on each
 * core; no more threads in all than the archive has processes, unless they are asked for. Memory,
 * docs/performance.md#memory: what the trace takes, over all ranks; the definitions once per node; for each rank
 * what the MPI library takes, and something for each thread. Of a node's memory HD_PLAN_USABLE may be used.
 * Uses: trace. MT: one thread. Ranks: local.
 */
#ifndef HD_PLAN_H
#define HD_PLAN_H

#include "defs.h"
#include "json.h"
#include "status.h"

#define HD_PLAN_THREADS 8
#if defined HEDDLE_WITH_MPICH || defined HEDDLE_WITH_OPENMPI_5
#define HD_PLAN_RANK_BYTES (UINT64_C(20) << 20) /* on a node without a fast network */
#else
#define HD_PLAN_RANK_BYTES (UINT64_C(15) << 20) /* Open MPI 4 */
#endif
#define HD_PLAN_ALONE_BYTES (UINT64_C(11) << 19) /* of a single rank: without MPI */
#define HD_PLAN_THREAD_BYTES (UINT64_C(3) << 17) /* of a thread but the first that has a process: its heap, and the file
                                                  * that it reads */
#define HD_PLAN_PENDING_SHARE 0.35 /* of what the trace takes, with many threads on a node: what is pending more than
                                    * with one */
#define HD_PLAN_USABLE 0.8
#define HD_PLAN_SHORT_SECONDS 600 /* an analysis that takes no longer needs no more nodes */

typedef struct hd_plan_request {
    uint64_t memory_per_node; /* [bytes] */
    uint64_t trace_bytes;     /* what the trace takes, over all ranks (event_sample.h); 0: what the definitions let
                               * expect */
    uint64_t rank_bytes;      /* of each rank, whatever it hosts; 0: HD_PLAN_RANK_BYTES */
    uint32_t cores_per_node;
    uint32_t nodes, ranks_per_node, threads; /* 0: to be found */
    uint32_t traces_per_rank;                /* the most that a rank may host; 0: no limit */
    uint32_t max_ranks_per_node;             /* that the system can start; 0: no limit */
    uint32_t max_threads_per_node;           /* hardware threads, where they are more than cores; 0: cores */
    bool     is_power_of_two;                /* the system starts 1, 2, 4, ... ranks per node */
} hd_plan_request;

typedef struct hd_plan {
    uint32_t nodes, ranks_per_node, ranks, threads;
    uint32_t traces_per_rank; /* the most that a rank hosts then */
    uint64_t bytes_per_rank, bytes_per_node;
    double   seconds;         /* about; of reading and replaying, with all files in reach */
} hd_plan;

/* Cores and memory of the node where this runs. MT: any thread. Ranks: local. */
hd_plan_request hd_plan_this_node(void);

/* What the trace takes, over all ranks, as far as the definitions tell [bytes]: in most archives more than it does. */
uint64_t hd_plan_trace_bytes(const hd_defs *defs);

/* The plan with the smallest number of nodes, or with those asked for. Errors: HD_ESIZE, with what would do. */
hd_status hd_plan_make(const hd_defs *defs, const hd_plan_request *request, hd_plan *plan);

/* The number of nodes from which on more do not help: each has a process for each core, or for each thread asked
 * for. */
uint32_t hd_plan_max_nodes(const hd_defs *defs, const hd_plan_request *request);

/* A plan as an object, and the nodes that it is for as member "node" (docs/json.md). */
void hd_plan_put(hd_json *json, const char *key, const hd_plan *plan);
void hd_plan_put_node(hd_json *json, const hd_plan_request *request);

/* Of the plans with more and more nodes, twice as many each time up to `most`: the number after this one. */
uint32_t hd_plan_more_nodes(uint32_t nodes, uint32_t most);

/* What heddle plan recommends: the fewest nodes with which the analysis takes at most HD_PLAN_SHORT_SECONDS, or else
 * the most that help. request: nodes is 0. Errors: those of hd_plan_make(). */
hd_status hd_plan_recommend(const hd_defs *defs, const hd_plan_request *request, hd_plan *plan);

/* About so many seconds, for a reader: "under 1", "12". Returns text. */
const char *hd_plan_seconds(char text[32], double seconds);

#endif
