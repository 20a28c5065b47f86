/* tests/trace/decode/hand_made.h: a decoder on definitions made by hand, fed record by record as event_callbacks.c does
 * it.
 *
 *   process 0   locations 0, 1     process 1   locations 2, 3     process 2   locations 4, 5
 *   communicators: WORLD {0, 1, 2}; SELF; PAIR {2, 0}; INTER {0} | {1, 2}; TEAM, whose master is location 0
 *
 * In the archive regions have the numbers 100 + index, communicators 50 + index and calling contexts 70 + index, so
 * that numbers and indexes cannot be mixed up.
 */
#ifndef HAND_MADE_H
#define HAND_MADE_H

#include "decoder.h"
#include "process_join.h"

enum {
    MAIN, FOO, BAR, MPI_INIT, MPI_FINALIZE, MPI_SEND, MPI_ISEND, MPI_RECV, MPI_IRECV, MPI_WAIT, MPI_WAITALL, MPI_TEST,
    MPI_BARRIER, MPI_IBARRIER, PARALLEL, OMP_BARRIER, FLUSH, OFF, THREADS, TASKS, N_REGIONS
};
enum { WORLD, SELF, PAIR, INTER, TEAM, N_COMMS };
/* Calling contexts: a region, or one below another; IN_FOO and FOO_LATER are the same call. CIRCLE cannot be. */
enum { IN_MAIN, IN_FOO, FOO_LATER, IN_BAR, BAR_LATER, IN_BAR_OF_MAIN, IN_SEND, IN_LIBRARY, CALLBACK, CIRCLE,
       N_CONTEXTS };
#define REGION_REF(region) (100u + (region))
#define COMM_REF(comm) (50u + (comm))
#define CONTEXT_REF(context) (70u + (context))
#define UNKNOWN_REF 9999u
#define N_THREADS 2

typedef struct hand_made { /* one process */
    hd_defs           *defs;
    hd_region_kind    *kinds;
    hd_ref_maps        refs;
    hd_findings        findings;
    hd_loaded_process  process;
    hd_location_join   joins[N_THREADS];
    hd_decoder         decoder;  /* of the location that is being written */
} hand_made;

void hand_made_init(hand_made *h, uint32_t process);
void hand_made_fini(hand_made *h);

/* One location after the other, thread 0 first. */
void begin_location(hand_made *h, uint32_t thread);
void end_location(hand_made *h);
void join_threads(hand_made *h);

void enter(hand_made *h, hd_time time, uint32_t region);
void leave(hand_made *h, hd_time time, uint32_t region);
void buffer_flush(hand_made *h, hd_time start, hd_time stop);
void send_blocking(hand_made *h, hd_time time, uint32_t peer, uint32_t comm, uint32_t tag, uint64_t bytes);
void isend(hand_made *h, hd_time time, uint32_t peer, uint32_t comm, uint32_t tag, uint64_t bytes, uint64_t request);
void isend_complete(hand_made *h, hd_time time, uint64_t request);
void irecv_request(hand_made *h, hd_time time, uint64_t request);
void receive_blocking(hand_made *h, hd_time time, uint32_t peer, uint32_t comm, uint32_t tag);
void irecv(hand_made *h, hd_time time, uint32_t peer, uint32_t comm, uint32_t tag, uint64_t request);
void cancelled(hand_made *h, hd_time time, uint64_t request);
void coll_begin(hand_made *h, hd_time time);
void coll_end(hand_made *h, hd_time time, uint32_t operation, uint32_t comm, uint32_t root, uint64_t sent,
              uint64_t received);
void nbc_request(hand_made *h, hd_time time, uint64_t request);
void nbc_complete(hand_made *h, hd_time time, uint32_t operation, uint32_t comm, uint64_t request);
void team_begin(hand_made *h, hd_time time, uint32_t comm);
void team_end(hand_made *h, hd_time time);
void fork_threads(hand_made *h, hd_time time);
void join_team(hand_made *h, hd_time time);
void task_switch(hand_made *h, hd_time time, uint64_t number); /* 0: to the implicit task */
void task_complete(hand_made *h, hd_time time, uint64_t number);
void context_enter(hand_made *h, hd_time time, uint32_t context, uint32_t distance);
void context_leave(hand_made *h, hd_time time, uint32_t context);
void sample(hand_made *h, hd_time time, uint32_t context, uint32_t distance);
void acquire(hand_made *h, hd_time time, uint32_t order); /* of an OpenMP lock */
void release(hand_made *h, hd_time time, uint32_t order);

/* How many findings of a kind there are, all places together. */
uint64_t n_findings(const hand_made *h, hd_finding_kind kind);
uint64_t n_all_findings(const hand_made *h);

/* Whether the intervals are ascending, and the times in them add up to those of the nodes, or, with compat and tasks,
 * to no more than their length; checked by end_location() too. */
bool intervals_add_up(const hd_loaded_location *location, bool compat);

/* The location of a thread; a node by its regions from the root on, HD_NONE if it is not there. */
const hd_loaded_location *location_of(const hand_made *h, uint32_t thread);
uint32_t node_of(const hd_loaded_location *location, uint32_t n, const uint32_t *regions);
#define NODE(location, ...) node_of((location), sizeof((uint32_t[]){ __VA_ARGS__ }) / 4, (uint32_t[]){ __VA_ARGS__ })
#define TIME(location, ...) ((location)->nodes[NODE(location, __VA_ARGS__)].time)
#define VISITS(location, ...) ((location)->nodes[NODE(location, __VA_ARGS__)].visits)

#endif
