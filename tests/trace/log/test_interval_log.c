/* tests/trace/log/test_interval_log.c: what is put into an interval log is what a cursor reads. */
#include "check.h"
#include "interval_log.h"

TEST(entries_need_not_be_taken)
{
    static const hd_interval_entry entries[] = { { 3, 40 }, { 500, 60 }, { 7, -5 } };
    hd_interval_log                log       = { .begin = 1000 };
    hd_interval_cursor             cursor;
    uint32_t                       node;
    hd_span                        time;

    hd_interval_log_put(&log, 1100, entries, 2);
    hd_interval_log_put(&log, 1200, entries, 3);
    CHECK_EQ(log.n_intervals, 2);
    CHECK_EQ(log.end, 1200);
    hd_interval_cursor_init(&cursor, &log);
    CHECK(hd_interval_cursor_next(&cursor));
    CHECK_EQ(cursor.n_entries, 2);
    CHECK(hd_interval_cursor_next(&cursor));
    CHECK_EQ(cursor.from, 1100);
    CHECK_EQ(cursor.until, 1200);
    CHECK_EQ(cursor.n_entries, 3);
    for (uint32_t i = 0; i < 3; i++) {
        hd_interval_cursor_entry(&cursor, &node, &time);
        CHECK_EQ(node, entries[i].node);
        CHECK_EQ(time, entries[i].time);
    }
    CHECK(!hd_interval_cursor_next(&cursor));
    free(log.bytes.data);
}

TEST_MAIN
