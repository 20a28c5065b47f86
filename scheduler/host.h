/* scheduler/host.h: a host as the analysis sees it that runs on it (engine.h says what hosts and agents are).
 * Uses: base. Owner: the engine. MT: the host's thread alone, unless said otherwise. Ranks: local.
 */
#ifndef HD_HOST_H
#define HD_HOST_H

#include "types.h"

typedef struct hd_engine hd_engine;
typedef struct hd_host   hd_host;

typedef enum hd_run { HD_RUN_YIELD, HD_RUN_PARKED, HD_RUN_DONE } hd_run;

typedef struct hd_analysis {
    void *context;
    /* Runs agent `agent` (of this rank) until it parks, is done, or its time has passed `until`. *now: its time then. */
    hd_run (*run)(void *context, hd_host *host, uint32_t agent, hd_time until, hd_time *now);
    /* An item for this host. data is valid during the call, 8-byte aligned. May wake agents and send items. */
    void (*deliver)(void *context, hd_host *host, uint32_t kind, const void *data, uint32_t bytes);
} hd_analysis;

typedef struct hd_engine_stats { /* of one thread */
    uint64_t n_host_items;   /* delivered without leaving the host */
    uint64_t n_thread_items; /* to another thread of the rank */
    uint64_t n_rank_items;   /* to another rank */
    uint64_t n_messages, message_bytes; /* MPI messages sent: the main thread sends those of all */
    uint64_t n_parks;
    uint64_t idle_ns, run_ns; /* waiting for mail; inside hd_engine_run() */
} hd_engine_stats;

uint32_t hd_host_thread(const hd_host *host);
uint32_t hd_host_number(const hd_host *host); /* rank * n_threads + thread */
void     hd_host_wake(hd_host *host, uint32_t agent); /* parked -> ready; nothing if it is not parked */
bool     hd_host_is_parked(const hd_host *host, uint32_t agent);
/* An item of head (and tail) bytes, each a multiple of 8, for a host. Nothing is delivered before the caller has returned. */
void hd_host_send(hd_host *host, uint32_t destination, uint32_t kind, const void *head, uint32_t head_bytes, const void *tail,
                  uint32_t tail_bytes);
/* Counts mail that the analysis put into a mailbox of the own host itself. */
void hd_host_count_item(hd_host *host);

#endif
