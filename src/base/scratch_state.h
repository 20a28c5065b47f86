/* src/base/scratch_state.h: a scratch from inside. Uses: scratch_stats, status. Owner: scratch.c makes and frees it.
 * MT: said at each field. */
#ifndef HD_SCRATCH_STATE_H
#define HD_SCRATCH_STATE_H

#include <pthread.h>

#include "scratch_stats.h"
#include "status.h"

/* Sizes of small blocks: from 2^MIN_BITS bytes on, CLASSES_PER_DOUBLING between a power of two and the next. A block of
 * 2^LARGE_BITS bytes or more has a file of its own. */
#define HD_SCRATCH_CLASSES_PER_DOUBLING 4
#define HD_SCRATCH_MIN_BITS 6
#define HD_SCRATCH_LARGE_BITS 20
#define HD_SCRATCH_N_CLASSES ((HD_SCRATCH_LARGE_BITS - HD_SCRATCH_MIN_BITS) * HD_SCRATCH_CLASSES_PER_DOUBLING + 1)

typedef struct hd_mapped_file {
    uint8_t *at; /* NULL: free */
    size_t   bytes;
    int      descriptor; /* -1: closed, the mapping keeps the file */
} hd_mapped_file;

struct hd_scratch {
    /* set by hd_scratch_open(), read only */
    char     *directory;
    uint64_t  limit_bytes;
    uint64_t  other_file_bytes; /* resident pages of the program, its libraries and shared memory, before there was a
                                 * scratch */
    size_t    page_bytes;
    int       statm;            /* descriptor of /proc/self/statm */
    bool      reads_far_ahead;  /* the file system does, more than there is room for at every place that is read */
    pthread_t keeper;
    /* any thread, under the lock */
    pthread_mutex_t  lock;
    pthread_cond_t   ends;
    bool             is_ending;
    bool             is_required;    /* no space is the end of the run */
    hd_error         error;          /* the first failure */
    hd_mapped_file  *files;          /* [n_files] */
    size_t           n_files, capacity_files;
    uint32_t         free_file;      /* none is free before it */
    uint32_t         n_open;         /* descriptors of files */
    void            *free_blocks[HD_SCRATCH_N_CLASSES]; /* small blocks by class: lists, linked after the head */
    uint8_t         *next, *end;     /* the unused rest of the newest file for small blocks */
    uint64_t         dropped_to;     /* [bytes] resident after the last drop */
    hd_scratch_stats stats;
};

#endif
