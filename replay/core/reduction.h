/* replay/core/reduction.h: collective operations: contributions of the members are combined up a tree of workers, and
 * the result is handed down the same tree.
 *
 *   members ──hd_reduction_contribute()──▶ worker ──item up──▶ worker above ──item up──▶ root of the tree
 *                                                                                     │ finish()
 *   members ◀──────────settle()─────────── worker ◀─item down─ worker above ◀─item down───┘
 *
 * An instance is one operation on one worker; (communicator, blocking or not, number within the communicator)
 * identifies it. The first contribution or item makes it, settle() ends it with hd_reduction_end(). An analysis
 * describes what it combines by an hd_reduction_kind. Its type of an instance begins with an hd_reduction_instance and
 * ends with an array of its members.
 *
 * An operation has one or two rounds. Each counts its own contributions, so that the second may begin on a worker while
 * the first is still under way. What goes down is a result of either round, or asks for the second one; the analysis
 * distinguishes them by the number that finish() gives and settle() gets.
 *
 * Inside of the replay only. Uses: scheduler, trace. Owner: the analysis, one for each worker. MT: the worker's thread.
 * Ranks: local. Cost: O(1) per contribution, without allocation but for the first of an instance; two items per
 * instance, round and worker. Memory: instances are used again, by all communicators with as many members on the
 * worker, so there are as many as these had open at one time.
 */
#ifndef HD_REDUCTION_H
#define HD_REDUCTION_H

#include "defs.h"
#include "engine.h"
#include "map.h"
#include "reduction_tree.h"

enum { HD_REDUCTION_ROUNDS = 2, HD_REDUCTION_MAX_VALUE_BYTES = 512, HD_REDUCTION_RECENT = 2 };

typedef struct hd_reduction_instance hd_reduction_instance;

typedef struct hd_reduction_unused { /* of all communicators with as many members on the worker */
    hd_reduction_instance *first; /* list through next_unused */
} hd_reduction_unused;

typedef struct hd_reduction_comm { /* the blocking or the non-blocking operations of a communicator, on one worker */
    hd_reduction_tree      tree;
    hd_reduction_unused   *unused;
    hd_reduction_instance *recent[HD_REDUCTION_RECENT]; /* by number % HD_REDUCTION_RECENT: used last of the open ones;
                                                         * NULL: none */
    uint32_t               comm;   /* index in the definitions; from n_comms on: a communicator of all MPI processes */
    uint32_t               number; /* of this struct on its worker: 0, 1, ... */
    uint32_t               limit;  /* for the analysis: instances from this number on lack members; HD_NONE at first */
    bool                   is_nbc, is_inter;
} hd_reduction_comm;

struct hd_reduction_instance {
    hd_reduction_comm     *comm;
    hd_reduction_instance *next_unused;
    uint32_t               number;                         /* within the communicator */
    uint32_t               n_missing[HD_REDUCTION_ROUNDS]; /* contributions; at first of each member and worker below */
};

typedef struct hd_reduction_payload { /* of an item; valid during the call that passes it */
    const void *value; /* [kind.value_bytes] */
    const void *steps; /* [n_steps], of kind.step_bytes each; any if n_steps == 0 */
    uint32_t    n_steps;
} hd_reduction_payload;

typedef struct hd_reduction_kind {
    uint32_t item_up, item_down;      /* kinds of items, see hd_worker_send() */
    size_t   instance_bytes;          /* of an instance without members */
    size_t   member_bytes;            /* of each member on the worker */
    uint32_t value_bytes, step_bytes; /* multiples of 8; value_bytes <= HD_REDUCTION_MAX_VALUE_BYTES */

    /* An instance starts. What follows its hd_reduction_instance is zeroed, or as the last use left it. */
    void (*begin)(hd_reduction_instance *instance);
    /* Frees what the instance points to. */
    void (*free)(hd_reduction_instance *instance);
    /* What the items of the round carry. */
    hd_reduction_payload (*payload)(const hd_reduction_instance *instance, uint32_t round);
    /* Adds what a worker below has combined. */
    void (*combine)(hd_reduction_instance *instance, uint32_t round, const hd_reduction_payload *from);
    /* Takes over what the worker above hands down. */
    void (*replace)(hd_reduction_instance *instance, uint32_t round, const hd_reduction_payload *from);
    /* All contributions of the worker and the workers below are combined. Returns the number under which the root hands
     * the result down; of other workers it is not used. */
    uint32_t (*finish)(void *context, hd_reduction_instance *instance, uint32_t round);
    /* The result of this number is there; the workers below have been sent it. */
    void (*settle)(void *context, hd_worker *worker, hd_reduction_instance *instance, uint32_t round);
} hd_reduction_kind;

typedef struct hd_reduction { /* of one worker */
    const hd_reduction_kind   *kind;
    void                      *context; /* for the kind's functions */
    const hd_defs             *defs;
    const hd_placement        *placement;
    hd_reduction_tree_scratch *scratch;
    uint32_t                   worker;
    hd_reduction_comm         *last;      /* that was asked for; NULL: none yet */
    hd_map                     comms;     /* communicator * 2 + is_nbc -> hd_reduction_comm * */
    hd_map                     unused;    /* number of members on the worker -> hd_reduction_unused * */
    hd_map                     instances; /* number of the hd_reduction_comm << 32 | number within it -> instance */
} hd_reduction;

/* Sets maps to empty; the caller has set all other fields. */
void hd_reduction_init(hd_reduction *reduction);
/* Frees all communicators and instances, those that are open, too. */
void hd_reduction_fini(hd_reduction *reduction);

/* One that is not the last one that was asked for. */
hd_reduction_comm *hd_reduction_comm_find(hd_reduction *reduction, uint32_t comm, bool is_nbc);
/* Made if it is not there. The worker has a member of it. Stays where it is. */
static inline hd_reduction_comm *
hd_reduction_comm_of(hd_reduction *reduction, uint32_t comm, bool is_nbc)
{
    hd_reduction_comm *last = reduction->last;

    return HD_LIKELY(last != NULL && last->comm == comm && last->is_nbc == is_nbc) ? last :
           hd_reduction_comm_find(reduction, comm, is_nbc);
}
/* One that is not among the recent ones. */
hd_reduction_instance *hd_reduction_instance_find(hd_reduction *reduction, hd_reduction_comm *comm, uint32_t number);
/* Made if it is not there. Stays where it is until hd_reduction_end(). */
static inline hd_reduction_instance *
hd_reduction_instance_of(hd_reduction *reduction, hd_reduction_comm *comm, uint32_t number)
{
    hd_reduction_instance *recent = comm->recent[number % HD_REDUCTION_RECENT];

    return HD_LIKELY(recent != NULL && recent->number == number) ? recent :
           hd_reduction_instance_find(reduction, comm, number);
}
void hd_reduction_end(hd_reduction *reduction, hd_reduction_instance *instance);

/* All contributions to the round have been added. */
void hd_reduction_go_on(hd_reduction *reduction, hd_worker *worker, hd_reduction_instance *instance, uint32_t round);
/* One contribution to the round has been added to the instance. With the last one it goes on, so the instance may be
 * gone. */
static inline void
hd_reduction_contribute(hd_reduction *reduction, hd_worker *worker, hd_reduction_instance *instance, uint32_t round)
{
    if (--instance->n_missing[round] == 0)
        hd_reduction_go_on(reduction, worker, instance, round);
}
/* An item of kind.item_up or kind.item_down. */
void hd_reduction_deliver(hd_reduction *reduction, hd_worker *worker, uint32_t kind, const void *data);
/* Calls visit(context, instance) for every open instance, in any order. It must not end them. */
void hd_reduction_each_open(const hd_reduction *reduction,
                            void (*visit)(void *context, hd_reduction_instance *instance));

/* The members of a communicator in the order of their ranks, those of the second group of an inter-communicator after
 * those of the first one; HD_NONE: a process that the archive does not have. comm >= n_comms: all MPI processes. The
 * caller frees it. */
uint32_t *hd_reduction_members(const hd_defs *defs, uint32_t comm, uint32_t *n);

#endif
