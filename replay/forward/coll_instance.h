/* replay/forward/coll_instance.h: a collective operation on one worker: its members there, and the combined values of
 * all members so far; and what a worker keeps for all its collective operations.
 *
 * Only combined values are sent (hd_coll_value, of a fixed size) and, for some classes of operations, steps:
 *
 *   prefix reduction        (rank, begin): from this rank on, the latest begin of a sender is at least this. As many
 *                           as members whose begins ascend with the rank
 *   fence                   (worker, count): so many access notifications are for this worker. As many as workers
 *   N-to-N, SHMEM 1-to-N,   (rank): a member that synchronises. As many as such members
 *   second round
 *
 * Inside of the replay only. Uses: reduction, vproc. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_COLL_INSTANCE_H
#define HD_COLL_INSTANCE_H

#include "vproc.h"
#include "coll_class.h"
#include "ideal_value.h"
#include "reduction.h"
#include "rma_fence.h"
#include "sync_store.h"

typedef struct hd_coll_side { /* a group of an inter-communicator; other communicators have side 0 only */
    hd_time  latest, latest_sender;           /* the latest begin of all members, of those that send */
    uint32_t n, n_senders;                    /* members so far */
    uint32_t latest_rank, latest_sender_rank; /* who began then; the lowest among equals */
} hd_coll_side;

typedef struct hd_coll_value { /* of the members so far */
    hd_coll_side sides[2];
    hd_time      earliest_end;      /* first round: of all; second round: of those that synchronise */
    hd_time      root_begin;
    hd_time      earliest_receiver; /* begin; of members that receive, without the root */
    uint64_t     root_bytes;        /* 1-to-N: sent by the root; N-to-1: received */
    uint64_t     max_bytes;         /* sent or received by any member */
    uint32_t     n_roots, min_root, max_root;
    uint32_t     min_operation, max_operation;
    uint32_t     n_not_exchanging;  /* members that do not both send and receive */
    hd_ideal_value ideal;
} hd_coll_value;

typedef struct hd_coll_step { /* see above */
    union {
        hd_time  begin;
        uint64_t n_notifications;
    };
    union {
        uint32_t rank, worker;
    };
    uint32_t is_ideal; /* prefix reduction: begin is an ideal clock (ideal_clock.h), not a recorded time */
} hd_coll_step;

typedef struct hd_nbc_call { /* a call that completes non-blocking collectives: only the longest wait in it counts */
    hd_span   wait;          /* 0: none so far */
    hd_metric metric;        /* under which it is booked */
    uint32_t  number;        /* of the collective, the lowest among equals */
    uint32_t  n_open;        /* collectives that are not decided yet, and one while the call is being replayed */
    uint32_t  peer;          /* that was waited for */
    hd_time   leave;
    hd_sync   sync;          /* the wait as a synchronization point */
    hd_sync_group group;
    struct hd_vproc *vproc;
} hd_nbc_call;

typedef struct hd_member {
    hd_time      begin, end;
    hd_time      enter, leave; /* of its call; for a non-blocking operation, of the call that completes it */
    hd_vproc    *vproc;
    hd_nbc_call *nbc_call;     /* NULL: blocking */
    uint32_t     node;         /* call path of the location */
    uint32_t     rank;
    uint32_t     nbc_number;   /* index in the op log's nbcs */
    uint32_t     order;        /* of its record in the op log */
    union {
        hd_coll_role role;     /* each by its name: */
        struct {
            uint8_t  side;
            bool     sends, receives, is_root;
        };
    };
    bool         is_test;      /* it was completed by a test, which does not wait */
    bool         is_absent;    /* its trace does not have the operation (MPI_Init), so it is not booked */
} hd_member;

enum hd_coll_round { HD_COLL_DECIDED = 0, HD_COLL_SECOND_ROUND = 1 }; /* what the root hands down, see reduction.h */

typedef struct hd_coll_instance {
    hd_reduction_instance       head;
    hd_coll_value               value;
    hd_coll_step               *steps; /* [n_steps] ascending in rank and begin, or in worker */
    size_t                      capacity_steps;
    uint32_t                    n_steps;
    uint32_t                    n_ideal_steps; /* behind those in `steps` while they are handed over */
    hd_coll_step               *ideal_steps;   /* [n_ideal_steps] ascending in rank and begin */
    size_t                      capacity_ideal_steps;
    uint32_t                    list; /* in the worker's lists: members that synchronise; HD_NONE: not made */
    bool                        has_second_round;
    bool                        is_decided;      /* it waits for notifications only */
    hd_rma_access_notifications notifications;   /* fences: of origins at members of this worker, and targets of members
                                                  * of this worker */
    uint32_t                    n_notifications; /* that other workers have sent */
    uint32_t                    n_members;
    hd_member                   members[]; /* [head.comm->tree.n_members], the first n_members of them are there */
} hd_coll_instance;

enum { HD_COLL_MAX_PARTS = 3 }; /* metrics of one operation */

typedef struct hd_coll_worker { /* the collective operations of a worker */
    hd_reduction                reduction;                /* of hd_coll_instance */
    hd_reduction                ideal;                    /* of non-blocking operations, see ideal_clock.h */
    hd_rma_access_notifications notifications;            /* of one vproc, while it leaves them with the workers of its
                                                           * targets */
    hd_pool                     nbc_calls;                /* hd_nbc_call */
    hd_instance                 parts[HD_COLL_MAX_PARTS]; /* [n_parts] the operation that is booked now: one for each
                                                           * metric */
    uint32_t                    n_parts;
    hd_map                      sums; /* hd_reduction_comm.number << 32 | number of the operation -> coll_sum * */
    hd_pool                     sum_pool;
} hd_coll_worker;

/* Functions of an hd_reduction_kind, see there; head: that of an hd_coll_instance. */
void                 hd_coll_instance_begin(hd_reduction_instance *head);
void                 hd_coll_instance_free(hd_reduction_instance *head);
hd_reduction_payload hd_coll_instance_payload(const hd_reduction_instance *head, uint32_t round);
void hd_coll_instance_combine(hd_reduction_instance *head, uint32_t round, const hd_reduction_payload *from);
void hd_coll_instance_replace(hd_reduction_instance *head, uint32_t round, const hd_reduction_payload *from);

static inline hd_coll_class
hd_coll_instance_class(const hd_coll_instance *instance)
{
    return hd_coll_class_of(instance->value.min_operation);
}

/* Adds the value of a member. op: its record, c: the class of that. */
void hd_coll_instance_add(hd_coll_instance *instance, const hd_member *member, const hd_op *op, hd_coll_class c);
/* Adds a member that synchronises, in the second round. */
void hd_coll_instance_add_synchronising(hd_coll_instance *instance, const hd_member *member);
/* One more access notification is for this worker. */
void hd_coll_instance_count_notification(hd_coll_instance *instance, uint32_t worker);

/* The number of steps that are of ranks up to this one. */
uint32_t hd_coll_steps_up_to(const hd_coll_instance *instance, uint32_t rank);

/* Whether members disagree on what operation this is, or who is the root. */
bool hd_coll_instance_is_mixed(const hd_coll_instance *instance);

#endif
