/* tests/trace/decode/test_polled_wait.c: which rows of tests in vain are a wait, and how long it was.
 *
 *   ticks   10        20 25     30 35     40 48
 *           Irecv     Test      Test      Test: the receive     computation of main: 25 to 30, 35 to 40
 */
#include "op_reading.h"

static void
test_in_vain(hand_made *h, hd_time time)
{
    enter(h, time, MPI_TEST);
    leave(h, time + 5, MPI_TEST);
}

/* main: Irecv, a test in vain at 20. The decoder has pointers into h. */
static void
polling(hand_made *h)
{
    *h = begin();
    begin_location(h, 0);
    enter(h, 0, MAIN);
    enter(h, 10, MPI_IRECV);
    irecv_request(h, 11, 1);
    leave(h, 12, MPI_IRECV);
    test_in_vain(h, 20);
}

/* The test that succeeds. */
static reading
succeed(hand_made *h, hd_time time)
{
    enter(h, time, MPI_TEST);
    irecv(h, time + 1, 1, WORLD, 5, 1);
    leave(h, time + 8, MPI_TEST);
    leave(h, time + 10, MAIN);
    return end(h);
}

TEST(tests_in_vain_before_one_with_a_record_are_a_wait)
{
    hand_made             h;
    reading               r;
    const hd_polled_wait *wait;

    polling(&h);
    test_in_vain(&h, 30);
    r = succeed(&h, 40);
    CHECK_EQ(r.cursor.log->rare->n_polled, 1);
    CHECK_EQ(r.cursor.log->n_calls, 2);
    wait = &r.cursor.log->rare->polled[0];
    CHECK_EQ(wait->begin, 20);
    CHECK_EQ(wait->gaps, 10);
    CHECK_EQ(wait->call, 1);
    CHECK_EQ(wait->n_polls, 2);
    CHECK_EQ(wait->n_logged, 0);
    hand_made_fini(&h);
}

TEST(another_region_in_between_begins_a_new_row)
{
    hand_made h;
    reading   r;

    polling(&h);
    enter(&h, 26, FOO);
    leave(&h, 29, FOO);
    test_in_vain(&h, 30);
    r = succeed(&h, 40);
    CHECK_EQ(r.cursor.log->rare->n_polled, 1);
    CHECK_EQ(r.cursor.log->rare->polled[0].begin, 30);
    CHECK_EQ(r.cursor.log->rare->polled[0].gaps, 5);
    hand_made_fini(&h);
}

TEST(another_region_before_the_last_one_ends_the_row)
{
    hand_made h;
    reading   r;

    polling(&h);
    enter(&h, 26, FOO);
    leave(&h, 29, FOO);
    r = succeed(&h, 40);
    CHECK_EQ(r.cursor.log->rare->n_polled, 0);
    hand_made_fini(&h);
}

TEST(tests_that_are_far_apart_are_no_wait)
{
    hand_made h;
    hd_time   far = 100; /* more than 1 ms, and than 10 times the test */
    reading   r;

    polling(&h);
    test_in_vain(&h, 30 + far);
    r = succeed(&h, 40 + 2 * far);
    CHECK_EQ(r.cursor.log->rare->n_polled, 0);
    hand_made_fini(&h);
}

TEST(one_long_gap_among_short_ones_does_not_matter)
{
    hand_made h;
    hd_time   far = 100; /* more than 1 ms, and than 10 times the test */
    reading   r;

    polling(&h);
    test_in_vain(&h, 30);
    r = succeed(&h, 40 + far);
    CHECK_EQ(r.cursor.log->rare->n_polled, 1);
    CHECK_EQ(r.cursor.log->rare->polled[0].gaps, 10 + far);
    hand_made_fini(&h);
}

TEST(a_test_that_completes_a_send_is_not_in_vain)
{
    hand_made h = begin();
    reading   r;

    begin_location(&h, 0);
    enter(&h, 0, MAIN);
    enter(&h, 10, MPI_ISEND);
    isend(&h, 11, 1, WORLD, 5, 8, 2);
    irecv_request(&h, 11, 1);
    leave(&h, 12, MPI_ISEND);
    test_in_vain(&h, 20);
    enter(&h, 30, MPI_TEST);
    isend_complete(&h, 31, 2);
    leave(&h, 35, MPI_TEST);
    r = succeed(&h, 40);
    CHECK_EQ(r.cursor.log->rare->n_polled, 0);
    hand_made_fini(&h);
}

TEST(a_call_of_another_kind_with_records_is_no_end)
{
    hand_made h;
    reading   r;

    polling(&h);
    enter(&h, 30, MPI_SEND);
    send_blocking(&h, 31, 1, WORLD, 5, 8);
    leave(&h, 35, MPI_SEND);
    r = succeed(&h, 40);
    CHECK_EQ(r.cursor.log->rare->n_polled, 0);
    hand_made_fini(&h);
}

TEST_MAIN
