/* src/base/record_run.h: a run of records in chunks, for what grows a little at many places in turn. Nothing is moved,
 * so no gaps are left where it was, and at most an eighth is unused, or the room that was asked for last.
 *
 * A record is whole in one chunk. Grows with: what is put in. Uses: scratch. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_RECORD_RUN_H
#define HD_RECORD_RUN_H

#include "scratch.h"

typedef struct hd_record_chunk {
    struct hd_record_chunk *next;
    uint8_t                *end; /* of its records; of the last chunk: see hd_record_run */
    uint8_t                 data[];
} hd_record_chunk;

typedef struct hd_record_run {
    uint8_t         *at, *end; /* of the room that is left in the last chunk */
    hd_record_chunk *first, *last;
    size_t           n;        /* bytes of records in all chunks before the last one */
    hd_scratch      *scratch;  /* where they are; NULL: in the heap */
} hd_record_run;

void hd_record_run_fini(hd_record_run *run); /* it is empty then, and keeps its scratch */

static inline size_t
hd_record_run_bytes(const hd_record_run *run) /* of all records */
{
    return run->last == NULL ? 0 : run->n + (size_t)(run->at - run->last->data);
}

/* Room for n bytes, one behind the other: in a new chunk, if the last one has less. */
void hd_record_run_make_room(hd_record_run *run, size_t n);
void hd_record_run_put_slow(hd_record_run *run, const uint8_t *record, size_t n);

/* Where a record of at most so many bytes is to be written: in place, or in `buffer`, which has room for it. */
static inline uint8_t *
hd_record_run_room(const hd_record_run *run, size_t most, uint8_t *buffer)
{
    return HD_LIKELY((size_t)(run->end - run->at) >= most) ? run->at : buffer;
}

/* It is written there and has n bytes. */
static inline void
hd_record_run_put(hd_record_run *run, const uint8_t *record, size_t n)
{
    if (HD_LIKELY(record == run->at))
        run->at += n;
    else
        hd_record_run_put_slow(run, record, n);
}

void hd_record_run_drop_last(hd_record_run *run); /* the last chunk, which has no records any more */

/* The end of the last record, which is read from there if it ends with its length; NULL: there is none. */
static inline const uint8_t *
hd_record_run_top(hd_record_run *run)
{
    while (run->last != NULL && run->at == run->last->data)
        hd_record_run_drop_last(run);
    return run->at;
}

/* The last record, which begins there, is gone. */
static inline void
hd_record_run_pop(hd_record_run *run, const uint8_t *begin)
{
    run->at -= run->at - begin;
}

typedef struct hd_record_cursor {
    const uint8_t         *at, *end; /* of the current chunk */
    const hd_record_chunk *chunk;    /* NULL: there is none */
} hd_record_cursor;

hd_record_cursor hd_record_run_begin(hd_record_run *run); /* nothing is put in until it is at the end */

/* cursor->at becomes the next record; the one before has been read to its end. There is one. */
static inline void
hd_record_cursor_next(hd_record_cursor *cursor)
{
    if (HD_UNLIKELY(cursor->at == cursor->end)) {
        cursor->chunk = cursor->chunk->next;
        cursor->at    = cursor->chunk->data;
        cursor->end   = cursor->chunk->end;
    }
}

/* Goes on to the next chunk, all of the one before is read; chunk is NULL behind the last one. */
static inline void
hd_record_cursor_next_chunk(hd_record_cursor *cursor)
{
    cursor->chunk = cursor->chunk->next;
    if (cursor->chunk == NULL)
        return;
    cursor->at  = cursor->chunk->data;
    cursor->end = cursor->chunk->end;
}

#endif
