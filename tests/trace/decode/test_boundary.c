/* tests/trace/decode/test_boundary.c: what passed between the calls of a location, call path by call path.
 *
 *   ticks   0      10   20        30     50          60   90
 *           main[  foo[ ] MPI_Send[  ]   MPI_Recv[   ]    ]
 *           └─────────────┤──────────────┤────────────────┤      boundaries at the enters of the calls and at the end
 */
#include "interval_reading.h"

/* Calls. */

TEST(a_location_without_events_has_no_interval)
{
    hand_made h;
    reading   r;

    begin(&h);
    r = end(&h);
    expect_end(&r);
    hand_made_fini(&h);
}

TEST(without_calls_there_is_one_interval)
{
    hand_made h;
    reading   r;

    begin(&h);
    enter(&h, 1000, MAIN);
    enter(&h, 1010, FOO);
    leave(&h, 1040, FOO);
    leave(&h, 1100, MAIN);
    r = end(&h);
    expect(&r, 1000, 1100, 2);
    CHECK_EQ(IN(r, MAIN), 70);
    CHECK_EQ(IN(r, MAIN, FOO), 30);
    expect_end(&r);
    hand_made_fini(&h);
}

TEST(the_enter_of_a_call_is_a_boundary)
{
    hand_made h;
    reading   r;

    begin(&h);
    enter(&h, 0, MAIN);
    enter(&h, 10, FOO);
    leave(&h, 20, FOO);
    send_call(&h, 20, 30);
    receive_call(&h, 50, 60);
    leave(&h, 90, MAIN);
    r = end(&h);
    expect(&r, 0, 20, 2);
    CHECK_EQ(IN(r, MAIN), 10);
    CHECK_EQ(IN(r, MAIN, FOO), 10);
    expect(&r, 20, 50, 2);
    CHECK_EQ(IN(r, MAIN, MPI_SEND), 10);
    CHECK_EQ(IN(r, MAIN), 20);
    expect(&r, 50, 90, 2);
    CHECK_EQ(IN(r, MAIN, MPI_RECV), 10);
    CHECK_EQ(IN(r, MAIN), 30);
    expect_end(&r);
    hand_made_fini(&h);
}

/* Two times that are written at once, each of which may need more bytes. */
TEST(times_of_any_length_are_whole)
{
    static const hd_time lengths[] = { 1, HD_PATH_TIME_SHORT_TIMES - 1, HD_PATH_TIME_SHORT_TIMES,
                                       HD_PATH_TIME_SHORT_TIMES + 1, UINT64_C(1) << 28, UINT64_C(1) << 40 };
    enum { N = sizeof lengths / sizeof *lengths, ROUNDS = 40 }; /* so many that the log has room */

    for (uint32_t i = 0; i < N * N; i++) {
        hd_time  in_main = lengths[i % N], in_foo = lengths[i / N];
        hd_time  now = 30, before = 20;
        hand_made h;
        reading   r;

        begin(&h);
        enter(&h, 0, MAIN);
        send_call(&h, 20, 30);
        for (uint32_t k = 0; k < ROUNDS; k++) {
            enter(&h, now + in_main, FOO);
            leave(&h, now + in_main + in_foo, FOO);
            now += in_main + in_foo + 10;
            send_call(&h, now - 10, now);
        }
        leave(&h, now, MAIN);
        r = end(&h);
        expect(&r, 0, 20, 1);
        for (uint32_t k = 0; k < ROUNDS; k++) {
            expect(&r, before, before + 10 + in_main + in_foo, 3);
            CHECK_EQ(IN(r, MAIN), in_main);
            CHECK_EQ(IN(r, MAIN, FOO), in_foo);
            CHECK_EQ(IN(r, MAIN, MPI_SEND), 10);
            before += 10 + in_main + in_foo;
        }
        hand_made_fini(&h);
    }
}

TEST(a_call_that_is_the_first_event_has_a_boundary)
{
    hand_made h;
    reading   r;

    begin(&h);
    send_call(&h, 7, 9);
    r = end(&h);
    expect(&r, 7, 7, 0);
    expect(&r, 7, 9, 1);
    CHECK_EQ(IN(r, MPI_SEND), 2);
    expect_end(&r);
    hand_made_fini(&h);
}

/* With --compat=scout26 no time at all is listed then: a sanitizer sees what is done with the empty list. */
TEST(a_first_call_that_takes_no_time_has_a_boundary_with_compat)
{
    hand_made h;
    reading   r;

    begin(&h);
    h.decoder.compat = true;
    send_call(&h, 7, 7);
    send_call(&h, 9, 12);
    r = end(&h);
    expect(&r, 7, 7, 0);
    expect(&r, 7, 9, 0);
    expect(&r, 9, 12, 1);
    CHECK_EQ(IN(r, MPI_SEND), 3);
    expect_end(&r);
    hand_made_fini(&h);
}

TEST(calls_at_the_same_time_have_one_boundary)
{
    hand_made h;
    reading   r;

    begin(&h);
    enter(&h, 0, MAIN);
    send_call(&h, 10, 10);
    send_call(&h, 10, 10);
    receive_call(&h, 10, 14);
    leave(&h, 14, MAIN);
    r = end(&h);
    expect(&r, 0, 10, 1);
    expect(&r, 10, 14, 1);
    CHECK_EQ(IN(r, MAIN, MPI_RECV), 4);
    expect_end(&r);
    hand_made_fini(&h);
}

TEST(a_call_that_is_not_logged_has_no_boundary)
{
    hand_made h;
    reading   r;

    begin(&h);
    enter(&h, 0, MAIN);
    empty_call(&h, 10, 15);
    empty_call(&h, 20, 22);
    send_call(&h, 30, 40);
    empty_call(&h, 50, 51);
    leave(&h, 60, MAIN);
    r = end(&h);
    expect(&r, 0, 30, 2);
    CHECK_EQ(IN(r, MAIN), 10 + 5 + 8);
    CHECK_EQ(IN(r, MAIN, MPI_TEST), 5 + 2);
    expect(&r, 30, 60, 3);
    CHECK_EQ(IN(r, MAIN, MPI_SEND), 10);
    CHECK_EQ(IN(r, MAIN, MPI_TEST), 1);
    CHECK_EQ(IN(r, MAIN), 19);
    expect_end(&r);
    hand_made_fini(&h);
}

TEST(one_call_may_be_logged_now_and_not_then)
{
    hand_made h;
    reading   r;

    begin(&h);
    enter(&h, 0, MAIN);
    for (hd_time at = 0; at < 300; at += 100) {
        enter(&h, at + 10, MPI_SEND);
        if (at == 100)
            send_blocking(&h, at + 11, 1, WORLD, 1, 8);
        leave(&h, at + 15, MPI_SEND);
    }
    leave(&h, 300, MAIN);
    r = end(&h);
    expect(&r, 0, 110, 2);
    CHECK_EQ(IN(r, MAIN), 105);
    CHECK_EQ(IN(r, MAIN, MPI_SEND), 5);
    expect(&r, 110, 300, 2);
    CHECK_EQ(IN(r, MAIN), 180);
    CHECK_EQ(IN(r, MAIN, MPI_SEND), 10);
    expect_end(&r);
    hand_made_fini(&h);
}

TEST(calls_that_post_or_complete_are_boundaries)
{
    hand_made h;
    reading   r;

    begin(&h);
    enter(&h, 0, MAIN);
    enter(&h, 10, MPI_IRECV);
    irecv_request(&h, 11, 900);
    leave(&h, 12, MPI_IRECV);
    enter(&h, 20, MPI_ISEND);
    isend(&h, 21, 1, WORLD, 1, 8, 901);
    leave(&h, 22, MPI_ISEND);
    enter(&h, 30, MPI_WAIT);
    isend_complete(&h, 35, 901);
    leave(&h, 36, MPI_WAIT);
    enter(&h, 40, MPI_WAIT);
    irecv(&h, 45, 1, WORLD, 1, 900);
    leave(&h, 46, MPI_WAIT);
    leave(&h, 50, MAIN);
    r = end(&h);
    expect(&r, 0, 10, 1);
    expect(&r, 10, 20, 2);
    expect(&r, 20, 30, 2);
    expect(&r, 30, 40, 2);
    expect(&r, 40, 50, 2);
    CHECK_EQ(IN(r, MAIN, MPI_WAIT), 6);
    expect_end(&r);
    hand_made_fini(&h);
}

/* Inside of calls. */

TEST(what_passes_inside_of_a_call_is_behind_its_boundary)
{
    hand_made h;
    reading   r;

    begin(&h);
    enter(&h, 0, MAIN);
    enter(&h, 4, FOO);
    leave(&h, 6, FOO);
    enter(&h, 10, MPI_SEND);
    enter(&h, 12, FOO); /* as a user's reduction */
    enter(&h, 15, BAR);
    leave(&h, 19, BAR);
    leave(&h, 20, FOO);
    send_blocking(&h, 21, 1, WORLD, 1, 8);
    leave(&h, 25, MPI_SEND);
    leave(&h, 30, MAIN);
    r = end(&h);
    expect(&r, 0, 10, 2);
    CHECK_EQ(IN(r, MAIN), 8);
    CHECK_EQ(IN(r, MAIN, FOO), 2);
    expect(&r, 10, 30, 4);
    CHECK_EQ(IN(r, MAIN, MPI_SEND), 2 + 5);
    CHECK_EQ(IN(r, MAIN, MPI_SEND, FOO), 4);
    CHECK_EQ(IN(r, MAIN, MPI_SEND, FOO, BAR), 4);
    CHECK_EQ(IN(r, MAIN), 5);
    expect_end(&r);
    hand_made_fini(&h);
}

TEST(a_flush_in_a_call_is_behind_its_boundary)
{
    hand_made h;
    reading   r;

    begin(&h);
    enter(&h, 0, MAIN);
    enter(&h, 10, MPI_SEND);
    send_blocking(&h, 11, 1, WORLD, 1, 8);
    buffer_flush(&h, 12, 20);
    leave(&h, 25, MPI_SEND);
    leave(&h, 30, MAIN);
    r = end(&h);
    expect(&r, 0, 10, 1);
    expect(&r, 10, 30, 3);
    CHECK_EQ(IN(r, MAIN, MPI_SEND, FLUSH), 8);
    CHECK_EQ(IN(r, MAIN, MPI_SEND), 2 + 5);
    CHECK_EQ(IN(r, MAIN), 5);
    expect_end(&r);
    hand_made_fini(&h);
}

TEST(a_call_around_a_logged_one_has_no_boundary_of_its_own)
{
    hand_made h;
    reading   r;

    begin(&h);
    enter(&h, 0, MAIN);
    enter(&h, 10, MPI_RECV);
    receive_blocking(&h, 11, 1, WORLD, 1);
    send_call(&h, 20, 30);
    leave(&h, 40, MPI_RECV);
    send_call(&h, 50, 60);
    leave(&h, 70, MAIN);
    r = end(&h);
    expect(&r, 0, 20, 2);
    CHECK_EQ(IN(r, MAIN), 10);
    CHECK_EQ(IN(r, MAIN, MPI_RECV), 10);
    expect(&r, 20, 50, 3);
    CHECK_EQ(IN(r, MAIN, MPI_RECV, MPI_SEND), 10);
    CHECK_EQ(IN(r, MAIN, MPI_RECV), 10);
    CHECK_EQ(IN(r, MAIN), 10);
    expect(&r, 50, 70, 2);
    expect_end(&r);
    hand_made_fini(&h);
}

TEST(a_call_around_one_that_is_not_logged_has_its_boundary)
{
    hand_made h;
    reading   r;

    begin(&h);
    enter(&h, 0, MAIN);
    empty_call(&h, 3, 5);
    enter(&h, 10, MPI_RECV);
    empty_call(&h, 12, 15);
    receive_blocking(&h, 30, 1, WORLD, 1);
    leave(&h, 40, MPI_RECV);
    leave(&h, 70, MAIN);
    r = end(&h);
    expect(&r, 0, 10, 2);
    CHECK_EQ(IN(r, MAIN), 8);
    CHECK_EQ(IN(r, MAIN, MPI_TEST), 2);
    expect(&r, 10, 70, 3);
    CHECK_EQ(IN(r, MAIN, MPI_RECV), 27);
    CHECK_EQ(IN(r, MAIN, MPI_RECV, MPI_TEST), 3);
    CHECK_EQ(IN(r, MAIN), 30);
    expect_end(&r);
    hand_made_fini(&h);
}

/* Polling. */

TEST(a_long_loop_that_polls_is_one_interval_and_a_short_list)
{
    enum { N_POLLS = 100000 };
    hand_made h;
    hd_time   at = 0;
    reading   r;

    begin(&h);
    enter(&h, at, MAIN);
    for (uint32_t i = 0; i < N_POLLS; i++, at += 10) {
        enter(&h, at + 2, FOO);
        empty_call(&h, at + 3, at + 7);
        leave(&h, at + 8, FOO);
    }
    CHECK(h.decoder.capacity_touched < 2 * HD_TOUCHED_MAX);
    send_call(&h, at, at + 5);
    leave(&h, at + 5, MAIN);
    r = end(&h);
    expect(&r, 0, at, 3);
    CHECK_EQ(IN(r, MAIN), 4 * N_POLLS);
    CHECK_EQ(IN(r, MAIN, FOO), 2 * N_POLLS);
    CHECK_EQ(IN(r, MAIN, FOO, MPI_TEST), 4 * N_POLLS);
    expect(&r, at, at + 5, 1);
    expect_end(&r);
    hand_made_fini(&h);
}

TEST(polling_inside_of_a_call_leaves_its_boundary_alone)
{
    enum { N_POLLS = 5000 };
    hand_made h;
    hd_time   at = 10;
    reading   r;

    begin(&h);
    enter(&h, 0, MAIN);
    empty_call(&h, 5, 6);
    enter(&h, at, MPI_RECV);
    for (uint32_t i = 0; i < N_POLLS; i++, at += 10)
        empty_call(&h, at + 3, at + 7);
    CHECK(h.decoder.capacity_touched < 2 * HD_TOUCHED_MAX);
    receive_blocking(&h, at, 1, WORLD, 1);
    leave(&h, at, MPI_RECV);
    leave(&h, at + 1, MAIN);
    r = end(&h);
    expect(&r, 0, 10, 2);
    CHECK_EQ(IN(r, MAIN), 9);
    CHECK_EQ(IN(r, MAIN, MPI_TEST), 1);
    expect(&r, 10, at + 1, 3);
    CHECK_EQ(IN(r, MAIN, MPI_RECV), 6 * N_POLLS);
    CHECK_EQ(IN(r, MAIN, MPI_RECV, MPI_TEST), 4 * N_POLLS);
    CHECK_EQ(IN(r, MAIN), 1);
    expect_end(&r);
    hand_made_fini(&h);
}

TEST(numbers_of_generations_may_run_out)
{
    hand_made h;
    reading   r;

    begin(&h);
    h.decoder.generation = UINT32_MAX - 3;
    enter(&h, 0, MAIN);
    for (hd_time at = 0; at < 60; at += 10)
        empty_call(&h, at + 2, at + 5);
    send_call(&h, 60, 70);
    leave(&h, 80, MAIN);
    r = end(&h);
    expect(&r, 0, 60, 2);
    CHECK_EQ(IN(r, MAIN), 42);
    CHECK_EQ(IN(r, MAIN, MPI_TEST), 18);
    expect(&r, 60, 80, 2);
    expect_end(&r);
    hand_made_fini(&h);
}

TEST_MAIN
