/* tests/writer/situation/rma_operations.h: the operations of a thread on windows that go on, by the numbers that
 * Score-P gives them.
 *
 * Operations on one target of one window that complete together have one number, until something completes them: puts
 * and accumulates share one, those that get something another. An operation with a request has a number of its own.
 * SHMEM counts apart: all puts up to a barrier have one number.
 *
 * Owner: the storage is the caller's. MT: one thread. Uses: trace writer, base.
 */
#ifndef RMA_OPERATIONS_H
#define RMA_OPERATIONS_H

#include "trace_writer.h"

typedef struct rma_operation {
    uint32_t window, target;
    uint64_t matching;
    uint32_t request;     /* 0: none */
    bool     is_get;      /* its completion at the target has a record of its own */
    bool     is_complete; /* at the origin */
} rma_operation;

typedef struct rma_operations {
    rma_operation *rows; /* [n] the oldest first; those that share a number are one row */
    size_t         n, capacity;
    uint64_t       last_matching;
    uint64_t       shmem_matching;
    bool           has_shmem_put; /* since the last barrier of SHMEM */
} rma_operations;

/* The number of an operation that starts. request: 0 for none. */
uint64_t rma_operation_add(rma_operations *all, uint32_t window, uint32_t target, bool is_get, uint32_t request);
/* Whether some of these are not complete. target: or TW_ALL_TARGETS */
bool rma_operations_go_on(const rma_operations *all, uint32_t window, uint32_t target);
/* Whether it is of that window and target. target: or TW_ALL_TARGETS */
bool rma_operation_is_of(const rma_operation *operation, uint32_t window, uint32_t target);
/* Forgets them. */
void rma_operations_drop(rma_operations *all, uint32_t window, uint32_t target);
/* The operation with that request; NULL if there is none. */
rma_operation *rma_operation_of_request(rma_operations *all, uint32_t request);
void rma_operations_fini(rma_operations *all);

#endif
