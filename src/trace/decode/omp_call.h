/* src/trace/decode/omp_call.h: what OpenMP regions and locks leave in the log of threads (thread_log.h). Inside of
 * decode only.
 * Uses: task_stub. MT: the loading thread.
 */
#ifndef HD_OMP_CALL_H
#define HD_OMP_CALL_H

#include "task_stub.h"

/* An iteration has been entered. */
void hd_decoder_enter_iteration(hd_decoder *decoder, hd_frame *frame);
/* A region that the patterns of threads know is left now, or an iteration. */
void hd_decoder_leave_omp(hd_decoder *decoder, const hd_frame *frame);
/* A task goes on now: if it stands in a barrier, it did not wait there meanwhile. */
void hd_decoder_note_suspension(hd_decoder *decoder, const hd_task *task);
/* The innermost team ends. */
void hd_decoder_end_team(hd_decoder *decoder);
/* Records of locks, now. paradigm: hd_paradigm; order: that of all who acquire the lock, 0: not known. */
void hd_decoder_acquire(hd_decoder *decoder, uint8_t paradigm, uint32_t lock, uint32_t order);
void hd_decoder_release(hd_decoder *decoder, uint8_t paradigm, uint32_t lock, uint32_t order);

#endif
