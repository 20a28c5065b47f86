/* src/trace/decode/thread_team.h: forks and joins, teams and threads: where the call paths of a thread begin. Inside of
 * decode only.
 * Uses: calling_context, task, team_starts. MT: the loading thread. hd_decoder_team_begin() may wait for the thread
 * that decodes the process's first location.
 */
#ifndef HD_THREAD_TEAM_H
#define HD_THREAD_TEAM_H

#include "region_stack.h"

/* Now. comm_ref: number of the team in the archive. */
void hd_decoder_fork(hd_decoder *decoder);
void hd_decoder_join_team(hd_decoder *decoder);
void hd_decoder_team_begin(hd_decoder *decoder, uint32_t comm_ref);
void hd_decoder_team_end(hd_decoder *decoder);
/* Created threads. comm, number: as in the archive, of creation, begin, end and wait the same. */
void hd_decoder_thread_create(hd_decoder *decoder, uint32_t comm, uint64_t number);
void hd_decoder_thread_begin(hd_decoder *decoder, uint32_t comm, uint64_t number);
void hd_decoder_thread_end(hd_decoder *decoder, uint32_t comm, uint64_t number);
void hd_decoder_thread_wait(hd_decoder *decoder, uint32_t comm, uint64_t number);

#endif
