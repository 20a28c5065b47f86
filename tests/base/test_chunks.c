/* tests/base/test_chunks.c: records come out of chunks as they went in, each whole, wherever a chunk ends. */
#include "check.h"
#include "chunks.h"
#include "random_numbers.h"

enum { MOST = 91, MANY = 20000 };

static void
put(hd_chunks *chunks, uint32_t i, size_t n)
{
    uint8_t  buffer[MOST];
    uint8_t *record = hd_chunks_room(chunks, MOST, buffer);

    for (size_t k = 0; k < n; k++)
        record[k] = (uint8_t)(i + k);
    hd_chunks_put(chunks, record, n);
}

TEST(records_of_all_lengths_come_back_in_order)
{
    hd_chunks        chunks  = { 0 };
    uint64_t         random  = 17, again = random;
    hd_chunks_cursor cursor;
    size_t           all     = 0;

    for (uint32_t i = 0; i < MANY; i++) {
        size_t n = 1 + random_below(&random, MOST);

        put(&chunks, i, n);
        all += n;
    }
    CHECK_EQ(chunks.n, all);
    cursor = hd_chunks_begin(&chunks);
    for (uint32_t i = 0; i < MANY; i++) {
        size_t n = 1 + random_below(&again, MOST);

        hd_chunks_next(&cursor);
        for (size_t k = 0; k < n; k++)
            CHECK_EQ(*cursor.at++, (uint8_t)(i + k));
    }
    hd_chunks_fini(&chunks);
    CHECK(chunks.first == NULL);
    CHECK_EQ(chunks.n, 0);
}

TEST(little_more_than_an_eighth_is_unused)
{
    hd_chunks chunks   = { 0 };
    size_t    capacity = 0;

    for (uint32_t i = 0; i < MANY; i++)
        put(&chunks, i, 17);
    for (const hd_chunk *chunk = chunks.first; chunk != NULL; chunk = chunk->next)
        capacity += sizeof *chunk + chunk->capacity;
    CHECK(capacity < chunks.n + chunks.n / 7);
    hd_chunks_fini(&chunks);
}

TEST_MAIN
