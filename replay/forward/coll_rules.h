/* replay/forward/coll_rules.h: who waits for whom in a collective operation: one row for each class of operations.
 *
 * Definitions: docs/metrics.md#barrier and the sections after it. Inside of the replay only. Uses: coll_instance.
 * MT: the worker's thread. Ranks: local. Cost: O(1), of prefix reductions O(log steps).
 */
#ifndef HD_COLL_RULES_H
#define HD_COLL_RULES_H

#include "coll_instance.h"

typedef struct hd_coll_wait { /* of a member */
    hd_time until;        /* the begin that it waits for */
    hd_time first_end;    /* the earliest end of those that synchronise; UINT64_MAX: the class has no completion time */
    bool    synchronises; /* false: it neither waits nor is waited for, and the other fields do not count */
} hd_coll_wait;

typedef enum hd_coll_delayer { /* the member that the others wait for */
    HD_COLL_LATEST,            /* that begins last; after a second round, of those that send */
    HD_COLL_LATEST_SENDER,
    HD_COLL_THE_ROOT,
    HD_COLL_LATEST_BELOW       /* that begins last of those with lower ranks: differs from member to member */
} hd_coll_delayer;

typedef struct hd_coll_rule {
    hd_coll_wait (*wait)(const hd_replay *replay, const hd_coll_instance *instance, const hd_member *member);
    /* Whether a second round has to find the earliest end of the members that synchronise; NULL: never. */
    bool (*needs_second_round)(const hd_replay *replay, const hd_coll_instance *instance);
    /* Whether a member's end counts in the second round. */
    bool (*counts_in_second_round)(const hd_coll_instance *instance, const hd_member *member);
    bool            lists_members; /* the second round collects which members synchronise, too */
    hd_coll_delayer delayer;
    hd_metric       waiting, completion, nbc_waiting; /* HD_N_METRICS: the class has none */
    hd_delay        delay;
} hd_coll_rule;

/* The row of the instance's class. */
const hd_coll_rule *hd_coll_rule_of(const hd_coll_instance *instance);

typedef struct hd_coll_booking { /* a member of an operation that is decided */
    hd_replay_worker     *rh;
    hd_worker            *worker;
    hd_coll_instance     *instance;
    const hd_coll_rule   *rule;   /* of the instance */
    hd_coll_class         class;  /* likewise */
    const hd_member      *member;
    hd_coll_wait          wait;   /* of the member */
    hd_span               waiting, completion; /* [ticks] 0: none */
} hd_coll_booking;

/* Rank within the communicator (of an inter-communicator: within the other group) of the member that this one waits
 * for. */
uint32_t hd_coll_delayer_rank(const hd_coll_instance *instance, const hd_member *member);
/* Its process; HD_NONE: the archive does not have it. */
uint32_t hd_coll_delayer_process(hd_replay_worker *rh, const hd_coll_instance *instance, const hd_member *member);

/* Prefix reductions: whether the member begins later than all of lower ranks, so that others may wait for it. */
bool hd_coll_is_step(const hd_coll_instance *instance, const hd_member *member);

#endif
