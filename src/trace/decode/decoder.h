/* src/trace/decode/decoder.h: one location's events, in file order, become its profile and its op log.
 *
 * Each record of OTF2 is handed over once (event_callbacks.h): hd_decoder_at() with its time, then the function of its
 * kind. Nothing of a record is kept but what the logs need. Inside of trace only: loading uses it. Uses: log. Owner:
 * the loading thread, one decoder per location; what later steps need stays in hd_location_join. MT: one thread at a
 * time. Ranks: local.
 */
#ifndef HD_DECODER_H
#define HD_DECODER_H

#include "arrival.h"
#include "calling_context.h"
#include "counter.h"
#include "file_call.h"
#include "mpi_call.h"
#include "omp_call.h"
#include "region_stack.h"
#include "rma_call.h"
#include "task.h"
#include "thread_team.h"

/* What is "given" in hd_decoder is set, all else is 0. */
void hd_decoder_init(hd_decoder *decoder);
/* Closes what is open, fills *out, frees the rest. */
void hd_decoder_finish(hd_decoder *decoder);

#endif
