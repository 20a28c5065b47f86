/* src/report/members/matrix_list.h: the communication matrix and the sizes of messages, as two tables that a report
 * carries.
 *
 *   heddle.matrix.tsv   sender · receiver · messages · bytes · late_sender · late_receiver · transfer
 *   heddle.sizes.tsv    from · messages     from: the smallest size of the class [bytes], a power of two, or 0
 *
 * A head line names the columns; times in seconds, of all messages of a pair; pairs and classes without messages are
 * left out.
 * Definition: docs/metrics.md#communication-matrix. Read tables are taken for damaged until checked.
 * Uses: cube_reader, profile. MT: one thread. Ranks: local.
 */
#ifndef HD_MATRIX_LIST_H
#define HD_MATRIX_LIST_H

#include <stdio.h>

#include "cube_reader.h"
#include "matrix.h"

#define HD_MATRIX_MEMBER        "heddle.matrix.tsv"
#define HD_MESSAGE_SIZES_MEMBER "heddle.sizes.tsv"

/* resolution: ticks of a second. Errors of writing stay with the stream. */
void hd_matrix_write(FILE *file, const hd_matrix *matrix, uint64_t resolution);
void hd_message_sizes_write(FILE *file, const hd_matrix *matrix);

typedef struct hd_matrix_entry {
    uint32_t sender, receiver; /* processes; of nodes their indexes */
    uint64_t messages, bytes;
    double   late_sender, late_receiver, transfer; /* [s] of all messages */
} hd_matrix_entry;

typedef struct hd_matrix_list {
    hd_matrix_entry *entries; /* [n] sorted by sender, then receiver; one for each pair */
    size_t           n;
    uint64_t         sizes[HD_MATRIX_SIZE_CLASSES]; /* messages of each size class */
    bool             is_there; /* the report has such tables */
} hd_matrix_list;

/* hd_matrix_list_fini() it. Cost: linear in pairs, a million of them about half a second.
 * Errors: HD_EREAD; HD_ESIZE; HD_EFORMAT with the line that is wrong. list is empty then. */
hd_status hd_matrix_list_read(hd_cube *cube, hd_matrix_list *list);
void      hd_matrix_list_fini(hd_matrix_list *list);

/* [s] of a message; 0 where there is none */
static inline double
hd_matrix_mean_transfer(const hd_matrix_entry *entry)
{
    return entry->messages > 0 ? entry->transfer / (double)entry->messages : 0;
}

/* [s] what receiver and sender wait for each other */
static inline double
hd_matrix_waiting(const hd_matrix_entry *entry)
{
    return entry->late_sender + entry->late_receiver;
}

#endif
