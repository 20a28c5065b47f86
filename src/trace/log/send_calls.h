/* src/trace/log/send_calls.h: the calls of a location that complete sends and can wait for a receiver, packed. They
 * are looked up by number, when the send begins.
 *
 * Uses: base. Owner: the op log. MT: read only, once it is made. Ranks: local. Memory: 12.5 bytes per call; 24 more for
 * one that is longer than 32 bits hold, or as far from the first one of its group.
 */
#ifndef HD_SEND_CALLS_H
#define HD_SEND_CALLS_H

#include "scratch.h"

typedef struct hd_send_call {
    hd_time  enter, leave;
    uint32_t call_path; /* of the location */
    uint32_t multi;     /* MPI_Waitall, MPI_Waitsome */
} hd_send_call;

#define HD_SEND_CALL_GROUP 16 /* calls whose enters are counted from the least of them */
#define HD_SEND_CALL_PATH_BITS 30

typedef struct hd_packed_send_call {
    uint32_t enter;  /* from the base of its group; is_whole: index in wholes */
    uint32_t length;
    uint32_t call_path : HD_SEND_CALL_PATH_BITS, multi : 1, is_whole : 1;
} hd_packed_send_call;

typedef struct hd_send_calls {
    hd_packed_send_call *calls;  /* [n] all arrays in the scratch */
    hd_time             *bases;  /* [(n - 1) / HD_SEND_CALL_GROUP + 1] */
    hd_send_call        *wholes; /* those that are no packed ones; NULL: there are none */
} hd_send_calls;

hd_send_calls hd_send_calls_pack(hd_scratch *scratch, const hd_send_call *calls, size_t n);
void          hd_send_calls_fini(hd_scratch *scratch, hd_send_calls *calls);

static inline hd_send_call
hd_send_calls_get(const hd_send_calls *calls, size_t i)
{
    const hd_packed_send_call *call  = &calls->calls[i];
    hd_time                    enter = calls->bases[i / HD_SEND_CALL_GROUP] + call->enter;

    return HD_UNLIKELY(call->is_whole) ? calls->wholes[call->enter] :
           (hd_send_call){ .enter = enter, .leave = enter + call->length, .call_path = call->call_path,
                           .multi = call->multi };
}

#endif
