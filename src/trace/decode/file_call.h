/* src/trace/decode/file_call.h: operations on files, and the collective ones among them in the op log (oplog.h).
 * Records are those whose time is `now`. Inside of decode only. Uses: mpi_call, file_use. MT: the loading thread.
 *
 * An operation belongs to the call path where it begins, its bytes as well; they are known when it is complete. Those
 * of an operation that another location completes, or none, are not known.
 */
#ifndef HD_FILE_CALL_H
#define HD_FILE_CALL_H

#include "mpi_call.h"

typedef struct hd_file_record { /* a read, write or flush begins */
    uint32_t handle_ref;
    bool     is_write, is_flush; /* neither: a read */
    bool     is_blocking, is_collective;
    uint64_t matching;
} hd_file_record;

void hd_decoder_file_begin(hd_decoder *decoder, const hd_file_record *record);
void hd_decoder_file_issued(hd_decoder *decoder, uint32_t handle_ref, uint64_t matching);
/* bytes: UINT64_MAX: not known. */
void hd_decoder_file_complete(hd_decoder *decoder, uint32_t handle_ref, uint64_t matching, uint64_t bytes);
/* Any other operation; opens: it opens or closes the file. */
void hd_decoder_file_other(hd_decoder *decoder, uint32_t handle_ref, bool opens);

#endif
