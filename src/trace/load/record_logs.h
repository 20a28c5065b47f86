/* src/trace/load/record_logs.h: record logs of all locations of some processes, written by an observer of loading.
 *
 * Where a location is loaded twice the second time counts. Uses: log, read. Owner: the caller. MT: each location is
 * written by one thread at a time. Ranks: local.
 */
#ifndef HD_RECORD_LOGS_H
#define HD_RECORD_LOGS_H

#include "load_request.h"
#include "record_log.h"

typedef struct hd_record_logs {
    hd_record_log  **processes; /* [n_processes][locations of the process] */
    const uint32_t  *numbers;   /* [n_processes] ascending: those of the load request */
    const hd_defs   *defs;
    uint32_t         n_processes;
    hd_load_observer observer;  /* for the load request */
} hd_record_logs;

/* processes: lives as long. */
hd_record_logs *hd_record_logs_new(const hd_defs *defs, const uint32_t *processes, uint32_t n_processes);
void            hd_record_logs_free(hd_record_logs *logs); /* NULL is fine */

#endif
