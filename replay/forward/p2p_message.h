/* replay/forward/p2p_message.h: what travels with a message of the application from the location that sent it to the
 * one that receives it.
 * Uses: trace.
 */
#ifndef HD_P2P_MESSAGE_H
#define HD_P2P_MESSAGE_H

#include "types.h"

typedef struct hd_message { /* what a receiver needs of a send */
    hd_time  enter, time;   /* of the call that starts the send; of its record */
    hd_time  leave;         /* of that call */
    uint32_t call_path, unused; /* of that call, in the location `thread` */
    hd_time  ideal;         /* the sender's ideal clock then (ideal_clock.h) */
    uint64_t bytes;
    uint32_t thread, order; /* of the record: which one it is in its location's op log */
    hd_time  done_enter, done_leave; /* of the call that completes the send and can wait for the receiver: MPI_Wait...,
                                      * MPI_Send, MPI_Ssend; not MPI_Test..., MPI_Bsend, MPI_Rsend, MPI_Sendrecv */
    uint32_t done_call_path; /* of the location done_thread; HD_NONE: there is no such call */
    uint32_t done_call;      /* MPI_Waitall, MPI_Waitsome: its index in send_calls; HD_NONE: the call completes one
                              * send */
    uint32_t done_number;    /* of the completion in its location */
    uint32_t done_thread;
} hd_message;

#endif
