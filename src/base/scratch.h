/* src/base/scratch.h: memory for what grows with the length of a trace, in files when memory is limited.
 *
 *   small block   ┌16┬────────┬16┬─────┬─ ─ ─      a piece of a file of up to 4 MiB; freed ones are taken again
 *   large block   ┌16┬─────────────────────┐       from 1 MiB on: a file of its own, which grows in place
 *
 * The files have no name: they were made with O_TMPFILE, or removed at once, so that they vanish with the process.
 * Their space is taken (posix_fallocate) before it is used, so a full disk is an error and no SIGBUS. Each is mapped
 * whole, shared, and what is resident of them belongs to the page cache. A thread of the scratch, the keeper, looks
 * every 2 ms, or more often, how much memory is resident; above 7/8 of the limit it drops all pages of the files from
 * the process (MADV_DONTNEED), and what is used next comes back page by page. So the windows of all cursors move by
 * themselves, forward, backward or to and fro, and a pointer into a block is valid until the block grows or is freed,
 * as ever.
 *
 * A scratch that is NULL stands for the heap: all functions take it, so that who keeps a block need not know.
 * Nothing that MPI sends from or receives into belongs here: networks cannot register pages of files.
 *
 * Uses: memory, status. Owner: the run; who keeps blocks keeps the pointer, too. MT: any thread; a block belongs to one
 * at a time. Ranks: local, each analysis rank has its own.
 * Cost: of a block a lock, now and then a system call, so it is for blocks that live long; of memory 16 bytes each, and
 * up to a quarter of small ones.
 * Errors: where there is no space blocks are in the heap, so that what is under way can be ended; hd_scratch_check()
 * says it. After hd_scratch_require() it ends the run through hd_fatal(), as memory that cannot be had does.
 */
#ifndef HD_SCRATCH_H
#define HD_SCRATCH_H

#include "memory.h"
#include "scratch_stats.h"
#include "status.h"

/* directory: NULL: $TMPDIR, or /tmp. limit_bytes: of the resident memory of this process.
 * Errors: HD_EOPEN, no files can be made there; HD_EWRITE, there is no space. */
hd_status hd_scratch_open(const char *directory, uint64_t limit_bytes, hd_scratch **scratch);
void      hd_scratch_close(hd_scratch *scratch); /* all its blocks are gone then; NULL is fine */

void *hd_scratch_alloc(hd_scratch *scratch, size_t n, size_t element_bytes) HD_NEVER_NULL; /* zeroed */
/* New elements are not zeroed; a block that shrinks will not grow again. */
void *hd_scratch_realloc(hd_scratch *scratch, void *old, size_t n, size_t element_bytes) HD_NEVER_NULL;
/* as hd_grow() */
void *hd_scratch_grow(hd_scratch *scratch, void *array, size_t n, size_t *capacity, size_t element_bytes) HD_NEVER_NULL;
/* as hd_pack() */
void *hd_scratch_pack(hd_scratch *scratch, void *old, size_t n, size_t element_bytes);
void  hd_scratch_free(hd_scratch *scratch, void *block);

hd_status hd_scratch_check(hd_scratch *scratch);   /* HD_EWRITE: there was no space; sets the error of this thread.
                                                    * NULL: HD_OK */
void      hd_scratch_require(hd_scratch *scratch); /* no space is the end from now on */

void hd_scratch_drop(hd_scratch *scratch); /* what the keeper does: nothing of the files is resident then */

hd_scratch_stats hd_scratch_stats_get(hd_scratch *scratch); /* NULL: zeros */
const char      *hd_scratch_directory(const hd_scratch *scratch);

#define HD_SCRATCH_PUSH(scratch, array, n, capacity, value)                                                            \
    do {                                                                                                               \
        if ((n) == (capacity))                                                                                         \
            (array) = hd_scratch_grow((scratch), (array), (n), &(capacity), sizeof *(array));                          \
        (array)[(n)++] = (value);                                                                                      \
    } while (0)

#endif
