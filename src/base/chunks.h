/* src/base/chunks.h: a run of records in chunks, for what grows a little at many places in turn. Nothing is moved, so
 * no gaps are left where it was, and at most an eighth is unused.
 *
 * A record is whole in one chunk. Grows with: what is put in. Uses: scratch. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_CHUNKS_H
#define HD_CHUNKS_H

#include "scratch.h"

typedef struct hd_chunk {
    struct hd_chunk *next;
    uint32_t         n, capacity; /* bytes of data */
    uint8_t          data[];
} hd_chunk;

typedef struct hd_chunks {
    hd_chunk   *first, *last;
    size_t      n;       /* bytes of all records */
    hd_scratch *scratch; /* where they are; NULL: in the heap */
} hd_chunks;

void hd_chunks_fini(hd_chunks *chunks); /* it is empty then, and keeps its scratch */
void hd_chunks_put_slow(hd_chunks *chunks, const uint8_t *record, size_t n);

/* Where a record of at most so many bytes is to be written: in place, or in `buffer`, which has room for it. */
static inline uint8_t *
hd_chunks_room(const hd_chunks *chunks, size_t most, uint8_t *buffer)
{
    hd_chunk *last = chunks->last;

    return HD_LIKELY(last != NULL && last->capacity - last->n >= most) ? last->data + last->n : buffer;
}

/* It is written there and has n bytes. */
static inline void
hd_chunks_put(hd_chunks *chunks, const uint8_t *record, size_t n)
{
    hd_chunk *last = chunks->last;

    if (HD_LIKELY(last != NULL && record == last->data + last->n)) {
        last->n += (uint32_t)n;
        chunks->n += n;
    } else
        hd_chunks_put_slow(chunks, record, n);
}

typedef struct hd_chunks_cursor {
    const hd_chunk *chunk; /* NULL: there is none */
    const uint8_t  *at;
} hd_chunks_cursor;

static inline hd_chunks_cursor
hd_chunks_begin(const hd_chunks *chunks)
{
    return (hd_chunks_cursor){ chunks->first, chunks->first != NULL ? chunks->first->data : NULL };
}

/* cursor->at becomes the next record; the one before has been read to its end. There is one. */
static inline void
hd_chunks_next(hd_chunks_cursor *cursor)
{
    if (HD_UNLIKELY(cursor->at == cursor->chunk->data + cursor->chunk->n)) {
        cursor->chunk = cursor->chunk->next;
        cursor->at    = cursor->chunk->data;
    }
}

#endif
