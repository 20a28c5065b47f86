#include "chunks.h"

/* With its head and that of the heap a small one has 256 bytes. */
enum { LEAST_BYTES = 232, MOST_BYTES = 1 << 20 };

static void
add_chunk(hd_chunks *chunks, size_t least)
{
    size_t    wanted   = chunks->n / 8 > LEAST_BYTES ? chunks->n / 8 : LEAST_BYTES;
    size_t    capacity = wanted < MOST_BYTES ? wanted : MOST_BYTES;
    hd_chunk *chunk;

    capacity = capacity > least ? capacity : least;
    chunk    = hd_scratch_realloc(chunks->scratch, NULL, sizeof *chunk + capacity, 1);
    *chunk   = (hd_chunk){ .capacity = (uint32_t)capacity };
    if (chunks->last != NULL)
        chunks->last->next = chunk;
    else
        chunks->first = chunk;
    chunks->last = chunk;
}

void
hd_chunks_put_slow(hd_chunks *chunks, const uint8_t *record, size_t n)
{
    if (chunks->last == NULL || chunks->last->capacity - chunks->last->n < n)
        add_chunk(chunks, n);
    memcpy(chunks->last->data + chunks->last->n, record, n);
    chunks->last->n += (uint32_t)n;
    chunks->n += n;
}

void
hd_chunks_fini(hd_chunks *chunks)
{
    for (hd_chunk *chunk = chunks->first, *next; chunk != NULL; chunk = next) {
        next = chunk->next;
        hd_scratch_free(chunks->scratch, chunk);
    }
    *chunks = (hd_chunks){ .scratch = chunks->scratch };
}
