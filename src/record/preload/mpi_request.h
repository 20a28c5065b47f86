/* src/record/preload/mpi_request.h: requests that are not complete.
 *
 * Handles are not unique: what is complete at once has the same handle as others of its kind, in both libraries. So
 * several entries may have one handle; the one made in the same variable is preferred, else the oldest. An entry is
 * taken out before MPI may complete it, and put back if it did not, since another thread can be given the handle anew
 * before the call returns.
 * Uses: mpi_communicator. MT: any thread, one lock. Ranks: local. Grows with: requests that are not complete.
 */
#ifndef HD_MPI_REQUEST_H
#define HD_MPI_REQUEST_H

#include "mpi_communicator.h"

typedef enum hd_request_kind {
    HD_REQUEST_OTHER, /* nothing is recorded of it: to MPI_PROC_NULL */
    HD_REQUEST_SEND, HD_REQUEST_RECV, HD_REQUEST_COLLECTIVE, HD_REQUEST_NEW_COMM,
    HD_REQUEST_ACCESS, /* of a window */
    HD_REQUEST_FILE
} hd_request_kind;

typedef struct hd_request hd_request;
struct hd_request {
    hd_request     *next;
    uint64_t        handle;
    const void     *variable; /* where the program had it */
    uint64_t        id;       /* of the records */
    uint64_t        sent, received; /* bytes; sent of a send */
    uint32_t        comm;           /* number; of an access that of the window, or of the file */
    hd_request_kind kind;
    bool            is_persistent, is_active;
    bool            is_left_out; /* it began in a pause */
    uint64_t        peer_tag, op_root; /* of a persistent send; of a collective */
    void          *window;       /* of an access; access_done notes there that it is complete here */
    void         (*access_done)(void *window, uint64_t id);
    MPI_Comm      *new_comm;         /* MPI_Comm_idup */
    const hd_comm *message_comm; /* of a message of MPI_Mprobe */
    hd_comm_origin  origin;
};

/* Numbers of requests in records begin with 1. */
uint64_t hd_request_next_id(void);

/* Copies it into the table, as the newest. handle: HD_HANDLE() of a request, or of a message of MPI_Mprobe. */
void hd_request_add(uint64_t handle, const void *variable, hd_request request);

/* Takes out the entry of a handle that is active, or, with any, whatever it is. NULL: none. */
hd_request *hd_request_take(uint64_t handle, const void *variable, bool any);
/* Puts it back; it is the oldest of its handle again. */
void hd_request_return(hd_request *request);
void hd_request_drop(hd_request *request); /* NULL is fine */

#endif
