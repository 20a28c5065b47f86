/* src/report/members/file_list.h: the files that the program used, as a table that a report carries.
 *
 *   heddle.files.tsv   file · paradigm · inner · processes · reads · writes · others · bytes_read · bytes_written · time
 *
 * A head line names the columns; inner: 1: another interface opened the file; time in seconds, of all processes. Rows are
 * sorted by time, the longest first. Definition: docs/metrics.md#files. Read tables are taken for damaged until checked.
 * Uses: cube_reader, profile. MT: one thread. Ranks: local.
 */
#ifndef HD_FILE_LIST_H
#define HD_FILE_LIST_H

#include <stdio.h>

#include "cube_reader.h"
#include "file_table.h"

#define HD_FILES_MEMBER "heddle.files.tsv"

/* Errors of writing stay with the stream. */
void hd_files_write(FILE *file, const hd_file_table *table, const hd_defs *defs);

typedef struct hd_file_entry {
    char    *name, *paradigm; /* untrusted */
    uint32_t is_inner, n_processes;
    uint64_t reads, writes, others, bytes_read, bytes_written;
    double   time; /* [s] */
} hd_file_entry;

typedef struct hd_file_list {
    hd_file_entry *entries; /* [n] */
    size_t         n;
    bool           is_there; /* the report has such a table */
} hd_file_list;

/* hd_file_list_fini() it. Errors: HD_EREAD; HD_ESIZE; HD_EFORMAT with the line that is wrong. list is empty then. */
hd_status hd_file_list_read(hd_cube *cube, hd_file_list *list);
void      hd_file_list_fini(hd_file_list *list);

static inline uint64_t
hd_file_operations(const hd_file_entry *entry)
{
    return entry->reads + entry->writes + entry->others;
}

/* [bytes/s] of a process while it is in calls on the file; NAN: nothing was moved, or no time is known. */
double hd_file_bandwidth(const hd_file_entry *entry);

/* Sums of those that the program asked for: inner ones left out. name, paradigm: NULL; n_processes: 0. */
hd_file_entry hd_file_list_total(const hd_file_list *list);

#endif
