/* src/trace/decode/rma_call.h: what MPI's one-sided communication leaves in the op log (oplog.h), and the bytes of its
 * operations. Records are those whose time is `now`. Inside of decode only. Uses: mpi_call. MT: the loading thread.
 */
#ifndef HD_RMA_CALL_H
#define HD_RMA_CALL_H

#include "mpi_call.h"

typedef struct hd_access_record { /* of one-sided communication */
    uint32_t window_ref, target; /* rank */
    uint64_t put, got;           /* bytes */
    uint64_t matching;           /* its number, which its completions have, too */
} hd_access_record;

void hd_decoder_rma_collective(hd_decoder *decoder, const hd_collective_record *record); /* comm_ref: of the window */
void hd_decoder_rma_group(hd_decoder *decoder, uint32_t window_ref, uint32_t group_ref, bool is_done);
void hd_decoder_rma_access(hd_decoder *decoder, const hd_access_record *record);
void hd_decoder_rma_complete(hd_decoder *decoder, uint32_t window_ref, uint64_t matching, bool is_remote);
void hd_decoder_rma_lock(hd_decoder *decoder, uint32_t window_ref, uint32_t target, bool is_exclusive);
void hd_decoder_rma_unlock(hd_decoder *decoder, uint32_t window_ref, uint32_t target);

#endif
