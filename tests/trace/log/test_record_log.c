/* tests/trace/log/test_record_log.c: times and call paths of records come back as they were put in. */
#include "check.h"
#include "record_log.h"

TEST(records_come_back)
{
    static const struct { hd_time time; uint32_t node; } records[] =
        { { 7, 0 }, { 7, 5 }, { 1000000, 2 }, { 1000001, HD_NONE }, { 1000001, 0 } };
    hd_record_log        log = { .last_node = HD_NONE };
    hd_record_log_cursor cursor;
    hd_time              time;
    uint32_t             node;

    for (size_t i = 0; i < 5; i++)
        hd_record_log_put(&log, records[i].time, records[i].node);
    hd_record_log_cursor_init(&cursor, &log);
    for (size_t i = 0; i < 5; i++) {
        CHECK(hd_record_log_next(&cursor, &time, &node));
        CHECK_EQ(time, records[i].time);
        CHECK_EQ(node, records[i].node);
    }
    CHECK(!hd_record_log_next(&cursor, &time, &node));
    hd_record_log_clear(&log);
    hd_record_log_cursor_init(&cursor, &log);
    CHECK(!hd_record_log_next(&cursor, &time, &node));
}

TEST(a_time_before_the_last_one_is_that)
{
    hd_record_log log = { .last_node = HD_NONE };

    hd_record_log_put(&log, 20, 0);
    hd_record_log_put(&log, 10, 0);
    CHECK_EQ(log.times.last, 20);
    hd_record_log_clear(&log);
}

TEST(records_are_found_by_position)
{
    hd_record_times        times  = { .n = 0 };
    hd_record_times_cursor cursor = { .times = &times };

    for (hd_time i = 1; i <= 100; i++)
        hd_record_times_put(&times, 1000 * i);
    CHECK_EQ(hd_record_times_at(&cursor, 1), 1000);
    CHECK_EQ(hd_record_times_at(&cursor, 1), 1000);
    CHECK_EQ(hd_record_times_at(&cursor, 40), 40000);
    CHECK_EQ(hd_record_times_at(&cursor, 100), 100000);
    CHECK_EQ(hd_record_times_at(&cursor, 102), 100000); /* behind the last one */
    hd_record_times_fini(&times);
}

TEST_MAIN
