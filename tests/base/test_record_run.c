/* tests/base/test_record_run.c: records come out of a run as they went in, each whole, wherever a chunk ends. */
#include "check.h"
#include "random_numbers.h"
#include "record_run.h"

enum { MOST = 91, MANY = 20000 };

static void
put(hd_record_run *run, uint32_t i, size_t n)
{
    uint8_t  buffer[MOST];
    uint8_t *record = hd_record_run_room(run, MOST, buffer);

    for (size_t k = 0; k < n; k++)
        record[k] = (uint8_t)(i + k);
    hd_record_run_put(run, record, n);
}

TEST(records_of_all_lengths_come_back_in_order)
{
    hd_record_run    run    = { 0 };
    uint64_t         random = 17, again = random;
    hd_record_cursor cursor;

    for (uint32_t i = 0; i < MANY; i++)
        put(&run, i, 1 + random_below(&random, MOST));
    cursor = hd_record_run_begin(&run);
    for (uint32_t i = 0; i < MANY; i++) {
        size_t n = 1 + random_below(&again, MOST);

        hd_record_cursor_next(&cursor);
        for (size_t k = 0; k < n; k++)
            CHECK_EQ(*cursor.at++, (uint8_t)(i + k));
    }
    CHECK(cursor.chunk == run.last && cursor.at == run.at);
    hd_record_run_fini(&run);
    CHECK(run.first == NULL);
    CHECK(hd_record_run_begin(&run).chunk == NULL);
}

TEST(little_more_than_an_eighth_is_unused)
{
    hd_record_run run    = { 0 };
    size_t        unused = 0, all = (size_t)MANY * 17;

    for (uint32_t i = 0; i < MANY; i++)
        put(&run, i, 17);
    for (const hd_record_chunk *chunk = run.first; chunk != NULL; chunk = chunk->next)
        unused += sizeof *chunk + 16; /* at the end of it less than a record */
    unused += (size_t)(run.end - run.at);
    CHECK_EQ(run.n + (size_t)(run.at - run.last->data), all);
    CHECK(unused < all / 7);
    hd_record_run_fini(&run);
}

TEST(room_for_many_is_in_one_chunk)
{
    hd_record_run run = { 0 };
    uint8_t      *at;

    put(&run, 1, 17);
    hd_record_run_make_room(&run, 5000);
    at = run.at;
    CHECK(run.end - at >= 5000);
    hd_record_run_make_room(&run, 4000);
    CHECK(run.at == at); /* it has that */
    CHECK_EQ(hd_record_run_bytes(&run), 17);
    hd_record_run_fini(&run);
}

/* A record that ends with its length. */
static void
push(hd_record_run *run, uint32_t i)
{
    uint8_t  buffer[MOST];
    uint8_t *record = hd_record_run_room(run, MOST, buffer);
    size_t   n      = 1 + i % (MOST - 1);

    memset(record, (int)(i & 255), n);
    record[n] = (uint8_t)n;
    hd_record_run_put(run, record, n + 1);
}

static bool
pops(hd_record_run *run, uint32_t i)
{
    const uint8_t *end   = hd_record_run_top(run);
    size_t         n     = end[-1];
    const uint8_t *begin = end - 1 - n;

    if (n != 1 + i % (MOST - 1))
        return false;
    for (size_t k = 0; k < n; k++)
        if (begin[k] != (uint8_t)(i & 255))
            return false;
    hd_record_run_pop(run, begin);
    return true;
}

TEST(a_run_is_a_stack_of_records_that_end_with_their_lengths)
{
    hd_record_run run    = { 0 };
    uint64_t      random = 5;
    uint32_t      n      = 0;
    size_t        bytes  = 0;

    CHECK(hd_record_run_top(&run) == NULL);
    for (uint32_t round = 0; round < MANY; round++) {
        for (uint64_t k = random_below(&random, 30); k > 0; k--, n++) {
            push(&run, n);
            bytes += 2 + n % (MOST - 1);
        }
        for (uint64_t k = random_below(&random, 30); k > 0 && n > 0; k--) {
            n--;
            bytes -= 2 + n % (MOST - 1);
            if (!pops(&run, n))
                CHECK(!"the record that was put in last is on top");
        }
        if (hd_record_run_bytes(&run) != bytes)
            CHECK(!"bytes of all records are counted");
    }
    while (n > 0)
        CHECK(pops(&run, --n));
    CHECK(hd_record_run_top(&run) == NULL);
    CHECK_EQ(hd_record_run_bytes(&run), 0);
    hd_record_run_fini(&run);
}

TEST_MAIN
