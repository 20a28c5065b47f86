/* src/trace/log/op.h: a record of the op log (oplog.h): what a call did with others. Uses: base. */
#ifndef HD_OP_H
#define HD_OP_H

#include "types.h"

typedef enum hd_op_kind {
    HD_OP_SEND, HD_OP_RECV, HD_OP_COLL, HD_OP_NBC, HD_OP_INIT, HD_OP_FINALIZE, HD_OP_POST, HD_OP_RMA
} hd_op_kind;

/* Of one-sided communication. The end of an epoch has notifications from and to the processes at its other side:
 * messages on the window with the tags below, one for each process of the group, before the record itself. Epochs are
 * numbered by their begins: for one that never ends there are empty notifications when the next one begins. */
typedef enum hd_rma {
    HD_RMA_NOTIFY,    /* to a process */
    HD_RMA_RECEIVE,      /* of a process */
    HD_RMA_NO_NOTIFY, HD_RMA_NO_RECEIVE, /* notifications of an epoch that never ends */
    HD_RMA_ACCESS,    /* a put, get or atomic operation */
    HD_RMA_POST, HD_RMA_START, HD_RMA_COMPLETE, HD_RMA_WAIT,
    HD_RMA_TEST,      /* that succeeded */
    HD_RMA_LOCK, HD_RMA_UNLOCK,
    HD_RMA_COMPLETION /* of operations in a lock epoch, by a flush or MPI_Win_unlock_all: of several in a row at one
                       * target, once */
} hd_rma;

enum { HD_TAG_POST, HD_TAG_COMPLETE }; /* of notifications */

/* Operations of collectives on windows and files, beside those of OTF2. */
enum {
    HD_OPERATION_WIN_CREATE = 32, HD_OPERATION_WIN_FREE, HD_OPERATION_WIN_FENCE,
    HD_OPERATION_SHMEM_BARRIER, HD_OPERATION_SHMEM_BROADCAST, HD_OPERATION_SHMEM_EXCHANGE,
    HD_OPERATION_FILE_OPEN, /* or close */
    HD_OPERATION_FILE_IO,
    HD_OPERATION_OTHER /* not known whether any process waits in it */
};

/* Flags of a record. */
#define HD_OP_NONBLOCKING 8  /* send, receive: there is a request */
#define HD_OP_COLLECTIVE 16  /* post: of a non-blocking collective */
#define HD_OP_ELSEWHERE 16   /* receive: it was posted on another thread; its time is the next of posted_elsewhere */
#define HD_OP_LATER_POST 32  /* post, receive: not the first one at its time, so its number follows */

typedef struct hd_op {
    hd_op_kind kind;
    uint32_t   flags;
    uint32_t   channel;
    uint32_t   operation, root; /* collectives, as in OTF2 (OTF2_CollectiveOp; root within the communicator); one-sided:
                                 * hd_rma, target (rank; HD_NONE: all) */
    uint32_t   number;          /* of a non-blocking send or collective: its position in completions or nbcs; one-sided:
                                 * of processes in the group, or whether a lock is exclusive */
    uint32_t   post;            /* of a post, and of the receive that it is for: its number among those at op.begin; of
                                 * a receive HD_NONE: it is blocking, or it was posted on another thread */
    hd_time    time;            /* of the record */
    hd_time    begin;           /* receive: enter of the call that posted it (0: hd_op_is_post_known()); collective: of
                                 * its begin record */
    uint64_t   sent, received;  /* bytes */
} hd_op;

/* Whether the operation has a number in its channel. */
static inline bool
hd_op_is_numbered(const hd_op *op)
{
    return op->kind <= HD_OP_COLL || (op->kind == HD_OP_RMA && op->operation <= HD_RMA_NO_RECEIVE);
}

/* Of a receive: whether it is known where it was posted. If not, begin is 0. */
static inline bool
hd_op_is_post_known(const hd_op *op)
{
    return (op->flags & HD_OP_ELSEWHERE) == 0 || op->begin > 0;
}

#endif
