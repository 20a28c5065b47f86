/* src/analysis_comm/transport.h: batches of messages between analysis ranks over real MPI, and what agreeing on
 * quiescence needs.
 *
 * Uses: base. Owner: the engine. MT: main thread only (MPI_THREAD_FUNNELED is enough). Errors: a failing MPI call ends
 * the run.
 */
#ifndef HD_TRANSPORT_H
#define HD_TRANSPORT_H

#include "analysis_comm.h"
#include "types.h"

typedef struct hd_transport hd_transport;

hd_transport *hd_transport_open(hd_analysis_comm *analysis_comm); /* Ranks: all, together */
void          hd_transport_close(hd_transport *transport); /* Ranks: all, together; nothing may be under way */

/* Starts to send bytes at data to thread `thread` of rank. Owner: data stays as it is until hd_transport_sent() returns
 * `token`. Ranks: local. */
void hd_transport_send(hd_transport *transport, uint32_t rank, uint32_t thread, const void *data, uint32_t bytes,
                       void *token);
/* The token of a send that is complete, NULL if there is none now. Ranks: local. */
void *hd_transport_sent(hd_transport *transport);
bool  hd_transport_is_sending(const hd_transport *transport); /* Ranks: local */
/* Whether a message is here: its thread and size; then hd_transport_receive() takes it into data. Ranks: local. */
bool hd_transport_probe(hd_transport *transport, uint32_t *thread, uint32_t *bytes);
void hd_transport_receive(hd_transport *transport, void *data);

/* A sum over all ranks of two numbers, without waiting: start, then test until true. Ranks: all, in the same order. */
void hd_transport_sum_start(hd_transport *transport, const uint64_t values[2]);
bool hd_transport_sum_test(hd_transport *transport, uint64_t totals[2]);

#endif
