/* src/profile/matrix.h: the communication matrix: which process sends how much to which, and how long they wait for
 * each other.
 *
 * A row is a pair of processes between which a message was received, sender first. All values are sums of integers, so
 * they do not depend on the numbers of ranks and threads. Sizes of messages are counted for the run, not for each pair.
 * Definition: docs/metrics.md#communication-matrix. Uses: base, analysis_comm. MT: one thread at a time. Ranks: local,
 * unless a line says otherwise. Grows with: pairs that communicate, 48 bytes each.
 */
#ifndef HD_MATRIX_H
#define HD_MATRIX_H

#include "analysis_comm.h"

typedef struct hd_matrix_row {
    uint32_t sender, receiver; /* processes */
    uint64_t messages, bytes;
    int64_t  late_sender,   /* [ticks] waiting time of the receiver */
             late_receiver, /* [ticks] waiting time of the sender */
             transfer;      /* [ticks] of all messages: from the later enter of send and receive to the leave of the
                             * receive */
} hd_matrix_row;

_Static_assert(sizeof(hd_matrix_row) <= 48, "as docs/user-guide.md says");

/* Size classes: 0 bytes, 1, 2 to 3, 4 to 7, ...: class k > 0 has sizes from 2^(k-1) to 2^k - 1. */
enum { HD_MATRIX_SIZE_CLASSES = 65 };

static inline uint32_t
hd_matrix_size_class(uint64_t bytes)
{
    return bytes == 0 ? 0 : 64 - (uint32_t)__builtin_clzll(bytes);
}

/* The smallest size of a class [bytes]. */
static inline uint64_t
hd_matrix_size_class_begin(uint32_t size_class)
{
    return size_class == 0 ? 0 : UINT64_C(1) << (size_class - 1);
}

/* The largest size of a class [bytes]. */
static inline uint64_t
hd_matrix_size_class_end(uint32_t size_class)
{
    return size_class == 0 ? 0 : UINT64_MAX >> (64 - size_class);
}

typedef struct hd_matrix {
    hd_matrix_row *rows; /* [n] */
    size_t         n, capacity;
    uint64_t       sizes[HD_MATRIX_SIZE_CLASSES]; /* messages of each size class */
} hd_matrix;

void hd_matrix_fini(hd_matrix *matrix); /* one of zeros is an empty one */

/* Makes so many rows, of zeros. Returns the index of the first one; those that were there keep theirs. */
size_t hd_matrix_make_rows(hd_matrix *matrix, size_t n);

/* Adds all of `from`, which is empty afterwards. Rows are in no order, and a pair may have several. */
void hd_matrix_add(hd_matrix *matrix, hd_matrix *from);

/* Sums of all ranks, on rank 0: rows sorted by sender, then receiver, one for each pair. Empty on the other ranks.
 * Ranks: all, together. MT: main thread only. */
void hd_matrix_gather(hd_matrix *matrix, hd_analysis_comm *analysis_comm);

#endif
