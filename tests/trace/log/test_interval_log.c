/* tests/trace/log/test_interval_log.c: what is put into an interval log is what a cursor reads. */
#include "check.h"
#include "interval_log.h"

typedef struct entry {
    uint32_t node;
    hd_span  time;
} entry;

static void
put(hd_interval_log *log, hd_time until, const entry *entries, size_t n)
{
    uint8_t *at = hd_interval_log_room(log, n);

    for (size_t i = 0; i < n; i++)
        at = hd_path_time_write(at, entries[i].node, entries[i].time);
    hd_interval_log_close(log, until, at);
}

static void
expect(hd_interval_cursor *cursor, const entry *entries, size_t n)
{
    uint32_t node;
    hd_span  time;

    for (size_t i = 0; i < n; i++) {
        CHECK(hd_interval_cursor_has_entry(cursor));
        hd_interval_cursor_entry(cursor, &node, &time);
        CHECK_EQ(node, entries[i].node);
        CHECK_EQ(time, entries[i].time);
    }
    CHECK(!hd_interval_cursor_has_entry(cursor));
}

TEST(entries_need_not_be_taken)
{
    static const entry entries[] = { { 3, 40 }, { 500, 60 }, { 7, -5 } };
    hd_interval_log    log       = { .begin = 1000 };
    hd_interval_cursor cursor;

    put(&log, 1100, entries, 2);
    put(&log, 1150, entries, 0);
    put(&log, 1200, entries, 3);
    CHECK_EQ(log.n_intervals, 3);
    CHECK_EQ(log.end, 1200);
    hd_interval_cursor_init(&cursor, &log);
    CHECK(hd_interval_cursor_next(&cursor));
    CHECK_EQ(cursor.from, 1000);
    CHECK(hd_interval_cursor_has_entry(&cursor));
    CHECK(hd_interval_cursor_next(&cursor));
    expect(&cursor, entries, 0);
    CHECK(hd_interval_cursor_next(&cursor));
    CHECK_EQ(cursor.from, 1150);
    CHECK_EQ(cursor.until, 1200);
    expect(&cursor, entries, 3);
    CHECK(!hd_interval_cursor_next(&cursor));
    hd_interval_log_fini(&log);
}

TEST(entries_of_all_lengths)
{
    static const entry entries[] = {
        { 511, (1 << 22) - 1 }, { 511, 1 << 22 }, { 512, 1 }, { (1 << 18) - 1, (1 << 28) - 1 }, { 0, 1 << 28 },
        { 1 << 18, 1 }, { (1 << 30) - 1, INT64_MAX }, { 0, INT64_MIN }, { 0, -1 }, { 0, 1 }
    };
    static const size_t sizes[] = { 4, 6, 6, 6, 12, 12, 12, 12, 12, 4 };
    size_t              n       = sizeof entries / sizeof *entries;
    hd_interval_log     log     = { .begin = 0 };
    hd_interval_cursor  cursor;
    uint8_t             bytes[HD_PATH_TIME_BYTES_MAX];

    for (size_t i = 0; i < n; i++)
        CHECK_EQ(hd_path_time_write(bytes, entries[i].node, entries[i].time) - bytes, sizes[i]);
    put(&log, 10, entries, n);
    hd_interval_cursor_init(&cursor, &log);
    CHECK(hd_interval_cursor_next(&cursor));
    expect(&cursor, entries, n);
    hd_interval_log_fini(&log);
}

TEST_MAIN
