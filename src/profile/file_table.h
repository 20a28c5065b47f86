/* src/profile/file_table.h: the files that the program used: how often, how much, how long.
 *
 * A row is a file as one interface sees it (hd_file). All values are sums of integers, so they do not depend on the
 * numbers of ranks and threads. Definition: docs/metrics.md#files. Uses: trace_log, analysis_comm. MT: one thread at a
 * time. Ranks: local, unless a line says otherwise. Grows with: files and the processes of this rank that use them, 56
 * bytes each; after hd_file_table_gather() with files.
 */
#ifndef HD_FILE_TABLE_H
#define HD_FILE_TABLE_H

#include "analysis_comm.h"
#include "trace.h"

typedef struct hd_file_row {
    uint32_t file;        /* index in the definitions */
    uint32_t n_processes; /* that used it */
    uint64_t reads, writes, others;
    uint64_t bytes_read, bytes_written;
    hd_span  time;        /* [ticks] of all processes */
} hd_file_row;

typedef struct hd_file_table {
    hd_file_row *rows; /* [n] */
    size_t       n, capacity;
} hd_file_table;

void hd_file_table_fini(hd_file_table *table); /* one of zeros is an empty one */

/* Adds what a process did with files, outside of the analysis interval left out. */
void hd_file_table_add(hd_file_table *table, const hd_loaded_process *process);

/* Sums of all ranks, on rank 0: one row for each file, ascending. Empty on the other ranks. Returns whether there is
 * any, on all ranks. Ranks: all, together. MT: main thread only. */
bool hd_file_table_gather(hd_file_table *table, hd_analysis_comm *analysis_comm);

#endif
