/* tests/trace/decode/test_buffer_flush.c: flushes of the trace buffer, and measurement that is switched off: regions
 * that nobody entered. */
#include "check.h"
#include "hand_made.h"

/* Buffer flushes: their record comes when they start; they end before any record that is later than that. */

TEST(a_flush_takes_its_time_from_the_region_that_it_is_in)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 0, MAIN);
    buffer_flush(&h, 10, 40);
    leave(&h, 100, MAIN);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(TIME(l, MAIN), 70);
    CHECK_EQ(TIME(l, MAIN, FLUSH), 30);
    CHECK_EQ(VISITS(l, MAIN, FLUSH), 1);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(records_at_the_start_of_a_flush_are_before_it)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 0, MAIN);
    buffer_flush(&h, 10, 40);
    enter(&h, 10, FOO);
    leave(&h, 50, FOO);
    leave(&h, 60, MAIN);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(NODE(l, MAIN, FLUSH), HD_NONE);
    CHECK_EQ(TIME(l, MAIN, FOO, FLUSH), 30);
    CHECK_EQ(TIME(l, MAIN, FOO), 10);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(records_at_the_stop_of_a_flush_are_after_it)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 0, MAIN);
    enter(&h, 5, FOO);
    buffer_flush(&h, 10, 40);
    leave(&h, 40, FOO);
    leave(&h, 60, MAIN);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(TIME(l, MAIN, FOO, FLUSH), 30);
    CHECK_EQ(TIME(l, MAIN, FOO), 5);
    CHECK_EQ(TIME(l, MAIN), 5 + 20);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(a_flush_ends_at_the_next_record)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 0, MAIN);
    buffer_flush(&h, 10, 40);
    enter(&h, 20, FOO);
    leave(&h, 30, FOO);
    leave(&h, 60, MAIN);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(TIME(l, MAIN, FLUSH), 10);
    CHECK_EQ(TIME(l, MAIN, FOO), 10);
    CHECK_EQ(NODE(l, MAIN, FLUSH, FOO), HD_NONE);
    CHECK_EQ(TIME(l, MAIN), 40);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(a_flush_at_the_end_of_the_records_is_there)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 0, MAIN);
    leave(&h, 10, MAIN);
    buffer_flush(&h, 10, 40);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(TIME(l, FLUSH), 30);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(a_flush_that_ends_where_it_starts_is_a_visit)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 0, MAIN);
    buffer_flush(&h, 10, 10);
    leave(&h, 11, MAIN);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(VISITS(l, MAIN, FLUSH), 1);
    CHECK_EQ(TIME(l, MAIN, FLUSH), 0);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(one_flush_after_the_other_are_both_there)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 0, MAIN);
    buffer_flush(&h, 10, 40);
    buffer_flush(&h, 40, 45);
    buffer_flush(&h, 50, 60);
    leave(&h, 70, MAIN);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(VISITS(l, MAIN, FLUSH), 3);
    CHECK_EQ(TIME(l, MAIN, FLUSH), 30 + 5 + 10);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(a_flush_that_should_end_behind_its_region_ends_with_it)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 0, MAIN);
    enter(&h, 5, FOO);
    buffer_flush(&h, 10, 40);
    leave(&h, 20, FOO);
    buffer_flush(&h, 50, 60); /* the next one is a flush again */
    leave(&h, 70, MAIN);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(TIME(l, MAIN, FOO, FLUSH), 10);
    CHECK_EQ(TIME(l, MAIN, FLUSH), 10);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(the_last_region_that_is_left_inside_of_a_flush_does_no_harm)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 0, MAIN);
    buffer_flush(&h, 10, 40);
    leave(&h, 20, MAIN);
    enter(&h, 50, FOO);
    leave(&h, 60, FOO);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(TIME(l, MAIN, FLUSH), 10);
    CHECK_EQ(TIME(l, FOO), 10);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(a_flush_that_should_end_behind_the_end_of_a_thread_does_no_harm)
{
    hand_made h;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 0, MAIN);
    buffer_flush(&h, 10, 40);
    leave(&h, 20, MAIN);
    end_location(&h);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

/* Its stop is wrong; the call behind it, with its record, is whole. */
TEST(a_flush_that_should_end_in_the_next_call_ends_before_it)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 0, MAIN);
    buffer_flush(&h, 10, 400);
    enter(&h, 30, MPI_SEND);
    send_blocking(&h, 40, 1, WORLD, 0, 8);
    leave(&h, 50, MPI_SEND);
    leave(&h, 60, MAIN);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(l->log.n_ops, 1);
    CHECK_EQ(TIME(l, MAIN, FLUSH), 20);
    CHECK_EQ(TIME(l, MAIN, MPI_SEND), 20);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(a_flush_inside_of_a_call_does_not_take_its_records)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 0, MPI_SEND);
    buffer_flush(&h, 10, 40);
    send_blocking(&h, 40, 1, WORLD, 0, 8);
    leave(&h, 50, MPI_SEND);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(l->log.n_ops, 1);
    CHECK_EQ(TIME(l, MPI_SEND, FLUSH), 30);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

/* Measurement switched off. */

TEST(the_time_while_measurement_is_off_is_below_the_open_region)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 0, MAIN);
    enter(&h, 10, OFF);
    leave(&h, 90, OFF);
    leave(&h, 100, MAIN);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(TIME(l, MAIN, OFF), 80);
    CHECK_EQ(TIME(l, MAIN), 20);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(measurement_that_is_switched_on_without_having_been_off_is_a_finding)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 0, MAIN);
    leave(&h, 90, OFF);
    leave(&h, 100, MAIN);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(TIME(l, MAIN), 100);
    CHECK_EQ(n_findings(&h, HD_FINDING_UNBALANCED), 1);
    hand_made_fini(&h);
}

TEST_MAIN
