/* src/record/preload/mpi/mpi_request.h: requests that are not complete.
 *
 * Handles are not unique: what is complete at once has the same handle as others of its kind, in both libraries. So
 * several entries may have one handle; the one made in the same variable is preferred, else the oldest. Where several
 * threads may call MPI at a time, an entry is taken out before MPI may complete it, and put back if it did not, since
 * another thread can be given the handle anew before the call returns. Else it is taken out when it is complete.
 * Uses: mpi_communicator. MT: any thread, one lock. Ranks: local. Grows with: requests that are not complete.
 */
#ifndef HD_MPI_REQUEST_H
#define HD_MPI_REQUEST_H

#include "mpi_communicator.h"

typedef enum hd_request_kind {
    HD_REQUEST_OTHER, /* nothing is recorded of it: to MPI_PROC_NULL */
    HD_REQUEST_SEND, HD_REQUEST_RECV, HD_REQUEST_COLLECTIVE, HD_REQUEST_NEW_COMM,
    HD_REQUEST_ACCESS, /* of a window */
    HD_REQUEST_FILE,
    HD_REQUEST_SENDRECV, /* a send and a receive, which are complete together */
    HD_REQUEST_PARTITIONED_SEND, HD_REQUEST_PARTITIONED_RECV
} hd_request_kind;

/* A partitioned send: other threads make its partitions ready while one waits for it, so it is never taken out. */
typedef struct hd_partitioned hd_partitioned;

typedef struct hd_request hd_request;
struct hd_request {
    hd_request     *next;
    uint64_t        handle;
    const void     *variable; /* where the program had it */
    uint64_t        id;       /* of the records; of SENDRECV that of the send, 0: it goes to nobody */
    uint64_t        second_id; /* of the receive, of SENDRECV */
    int             source, tag; /* of that receive, also wildcards */
    uint64_t        sent, received; /* bytes; sent of a send */
    uint32_t        comm;           /* number; of an access that of the window, or of the file */
    hd_request_kind kind;
    bool            is_persistent, is_active;
    bool            is_left_out; /* it began in a pause */
    uint64_t        peer_tag, op_root; /* of a persistent send; of a collective */
    void          *window;       /* of an access; access_done notes there that it is complete here */
    void         (*access_done)(void *window, uint64_t id);
    MPI_Comm       new_comm;         /* of MPI_Comm_idup */
    const hd_comm *message_comm; /* of a message of MPI_Mprobe */
    hd_partitioned *partitioned; /* of a partitioned send, NULL: it is none */
    hd_comm_origin  origin;
};

/* Several threads may call MPI at a time: until MPI says of the process that they may not. */
extern atomic_bool hd_requests_are_shared;

/* Numbers of requests in records begin with 1. */
uint64_t hd_request_next_id(void);

/* Copies it into the table, as the newest. handle: HD_HANDLE() of a request, or of a message of MPI_Mprobe. */
void hd_request_add(uint64_t handle, const void *variable, hd_request request);

/* Takes out the entry of a handle that is active, or, with any, whatever it is. NULL: none. */
hd_request *hd_request_take(uint64_t handle, const void *variable, bool any);
/* Puts it back; it is the oldest of its handle again. */
void hd_request_return(hd_request *request);
void hd_request_drop(hd_request *request); /* NULL is fine */

/* One of n partitions, with no handle yet; NULL: no memory. */
hd_partitioned *hd_partitioned_new(uint64_t n);
/* MPI has made its request. */
void hd_partitioned_add(hd_partitioned *partitioned, uint64_t handle);
void hd_partitioned_remove(hd_partitioned *partitioned); /* frees it, too; NULL is fine */
/* It starts anew. */
void hd_partitioned_start(hd_partitioned *partitioned, const hd_request *request);
/* n more partitions are ready. True: now all are. started: out, the request as it was started; is_left_out: this is in
 * a pause. */
bool hd_partitioned_ready(uint64_t handle, uint64_t n, bool is_left_out, hd_request *started);
/* Whether all became ready in a pause. */
bool hd_partitioned_is_left_out(const hd_partitioned *partitioned);

#endif
