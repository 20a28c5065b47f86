/* tests/trace/decode/test_interval_log.c: what passed between the calls of a location, call path by call path.
 *
 *   ticks   0      10   20        30     50          60   90
 *           main[  foo[ ] MPI_Send[  ]   MPI_Recv[   ]    ]
 *           └─────────────┤──────────────┤────────────────┤      boundaries at the enters of the calls and at the end
 */
#include "check.h"
#include "hand_made.h"

enum { N_TIMES = 16 };

typedef struct reading {
    const hd_loaded_location *l;
    hd_interval_cursor        cursor;
    hd_span                   time[N_TIMES]; /* by node, in the interval at hand */
} reading;

static void
begin(hand_made *h)
{
    hand_made_init(h, 0);
    begin_location(h, 0);
}

static reading
read_location(const hand_made *h, uint32_t thread)
{
    reading r = { .l = location_of(h, thread) };

    hd_interval_cursor_init(&r.cursor, &r.l->intervals);
    return r;
}

static reading
end(hand_made *h)
{
    end_location(h);
    return read_location(h, 0);
}

/* The next interval is this one, with so many entries. */
static void
expect(reading *r, hd_time from, hd_time until, uint32_t n_entries)
{
    memset(r->time, 0, sizeof r->time);
    CHECK(hd_interval_cursor_next(&r->cursor));
    CHECK_EQ(r->cursor.from, from);
    CHECK_EQ(r->cursor.until, until);
    CHECK_EQ(r->cursor.n_entries, n_entries);
    for (uint32_t i = 0; i < r->cursor.n_entries; i++) {
        uint32_t node;
        hd_span  time;

        hd_interval_cursor_entry(&r->cursor, &node, &time);
        CHECK(node < N_TIMES);
        r->time[node % N_TIMES] += time;
    }
}

static void
expect_end(reading *r)
{
    CHECK(!hd_interval_cursor_next(&r->cursor));
}

static hd_span
time_of(const reading *r, uint32_t node)
{
    CHECK(node < N_TIMES);
    return node < N_TIMES ? r->time[node] : 0;
}

#define IN(r, ...) time_of(&(r), NODE((r).l, __VA_ARGS__))

static void
send_call(hand_made *h, hd_time from, hd_time until)
{
    enter(h, from, MPI_SEND);
    send_blocking(h, from, 1, WORLD, 1, 8);
    leave(h, until, MPI_SEND);
}

static void
receive_call(hand_made *h, hd_time from, hd_time until)
{
    enter(h, from, MPI_RECV);
    receive_blocking(h, until, 1, WORLD, 1);
    leave(h, until, MPI_RECV);
}

static void
empty_call(hand_made *h, hd_time from, hd_time until)
{
    enter(h, from, MPI_TEST);
    leave(h, until, MPI_TEST);
}

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

/* Threads. */

TEST(parallel_regions_barriers_forks_and_joins_are_boundaries)
{
    hand_made h;
    reading   r;

    begin(&h);
    enter(&h, 0, MAIN);
    fork_threads(&h, 10);
    team_begin(&h, 11, TEAM);
    enter(&h, 12, PARALLEL);
    enter(&h, 15, FOO);
    leave(&h, 18, FOO);
    enter(&h, 20, OMP_BARRIER);
    leave(&h, 25, OMP_BARRIER); /* none: it waits until then */
    leave(&h, 30, PARALLEL);
    team_end(&h, 31);
    join_team(&h, 40);
    leave(&h, 50, MAIN);
    end_location(&h);
    begin_location(&h, 1);
    team_begin(&h, 13, TEAM);
    enter(&h, 14, PARALLEL);
    enter(&h, 16, OMP_BARRIER);
    leave(&h, 25, OMP_BARRIER);
    leave(&h, 28, PARALLEL);
    team_end(&h, 31);
    end_location(&h);
    r = read_location(&h, 0);
    expect(&r, 0, 10, 1);
    expect(&r, 10, 12, 1);
    CHECK_EQ(IN(r, MAIN), 2);
    expect(&r, 12, 20, 2);
    CHECK_EQ(IN(r, MAIN, PARALLEL), 5);
    CHECK_EQ(IN(r, MAIN, PARALLEL, FOO), 3);
    expect(&r, 20, 30, 2);
    CHECK_EQ(IN(r, MAIN, PARALLEL, OMP_BARRIER), 5);
    CHECK_EQ(IN(r, MAIN, PARALLEL), 5);
    expect(&r, 30, 40, 1);
    CHECK_EQ(IN(r, MAIN), 10);
    expect(&r, 40, 50, 1);
    expect_end(&r);
    r = read_location(&h, 1);
    expect(&r, 14, 14, 0);
    expect(&r, 14, 16, 1);
    expect(&r, 16, 28, 2);
    expect(&r, 28, 31, 0);
    expect_end(&r);
    hand_made_fini(&h);
}

TEST(a_parallel_region_inside_of_a_call_takes_its_boundary)
{
    hand_made h;
    reading   r;

    begin(&h);
    enter(&h, 0, MAIN);
    enter(&h, 10, MPI_SEND);
    enter(&h, 15, PARALLEL);
    leave(&h, 20, PARALLEL);
    send_blocking(&h, 21, 1, WORLD, 1, 8);
    leave(&h, 30, MPI_SEND);
    leave(&h, 40, MAIN);
    r = end(&h);
    expect(&r, 0, 15, 2);
    CHECK_EQ(IN(r, MAIN), 10);
    CHECK_EQ(IN(r, MAIN, MPI_SEND), 5);
    expect(&r, 15, 20, 1);
    expect(&r, 20, 40, 2);
    CHECK_EQ(IN(r, MAIN, MPI_SEND), 10);
    expect_end(&r);
    hand_made_fini(&h);
}

/*   0      10              20      25   30           45    50      60
 *   main[  barrier[ task 1 (   foo[     MPI_Send[ ]  )  ]  ]
 * Between 20 and 25 the task has entered nothing: that time is booked with its first region, for the stub. */
static void
tasks(hand_made *h)
{
    enter(h, 0, MAIN);
    enter(h, 10, OMP_BARRIER);
    task_switch(h, 20, 1);
    enter(h, 25, FOO);
    send_call(h, 30, 35);
    leave(h, 45, FOO);
    task_complete(h, 45, 1);
    leave(h, 50, OMP_BARRIER);
    leave(h, 60, MAIN);
}

TEST(time_of_tasks_is_in_the_interval_in_which_it_is_booked)
{
    hand_made h;
    reading   r;

    begin(&h);
    tasks(&h);
    r = end(&h);
    expect(&r, 0, 10, 1);
    expect(&r, 10, 30, 3);
    CHECK_EQ(IN(r, MAIN, OMP_BARRIER), 10);
    CHECK_EQ(IN(r, MAIN, OMP_BARRIER, FOO), 5);
    CHECK_EQ(IN(r, MAIN, TASKS, FOO), 5);
    expect(&r, 30, 50, 3); /* a barrier in which tasks ran ends an interval */
    CHECK_EQ(IN(r, MAIN, TASKS, FOO, MPI_SEND), 5);
    CHECK_EQ(IN(r, MAIN, TASKS, FOO), 10);
    CHECK_EQ(IN(r, MAIN, OMP_BARRIER), 5);
    expect(&r, 50, 60, 1);
    CHECK_EQ(IN(r, MAIN), 10);
    expect_end(&r);
    hand_made_fini(&h);
}

/*   0      10       15      18   22       30  32   40        50  52
 *   main[  foo[  acquire ]       foo[  release  ]  foo[  acquire ]
 */
TEST(locks_begin_at_the_enter_of_their_call_and_end_at_the_release)
{
    hand_made h;
    reading   r;

    begin(&h);
    enter(&h, 0, MAIN);
    enter(&h, 10, FOO);
    acquire(&h, 15, 1);
    leave(&h, 18, FOO);
    enter(&h, 22, FOO);
    release(&h, 30, 1);
    leave(&h, 32, FOO);
    enter(&h, 40, FOO);
    acquire(&h, 50, 2);
    leave(&h, 52, FOO);
    leave(&h, 60, MAIN);
    r = end(&h);
    expect(&r, 0, 10, 1);
    expect(&r, 10, 30, 2);
    CHECK_EQ(IN(r, MAIN, FOO), 8 + 8);
    CHECK_EQ(IN(r, MAIN), 4);
    expect(&r, 30, 40, 2);
    CHECK_EQ(IN(r, MAIN, FOO), 2);
    CHECK_EQ(IN(r, MAIN), 8);
    expect(&r, 40, 60, 2);
    CHECK_EQ(IN(r, MAIN, FOO), 12);
    CHECK_EQ(IN(r, MAIN), 8);
    expect_end(&r);
    hand_made_fini(&h);
}

/* What is flushed in the call makes it shorter: no interval has less than nothing. */
TEST(a_flush_while_a_lock_is_waited_for_takes_nothing_from_others)
{
    hand_made h;
    reading   r;

    begin(&h);
    enter(&h, 0, MAIN);
    enter(&h, 40, FOO);
    buffer_flush(&h, 43, 45);
    acquire(&h, 50, 2);
    leave(&h, 52, FOO);
    leave(&h, 60, MAIN);
    r = end(&h);
    expect(&r, 0, 40, 2);
    CHECK_EQ(IN(r, MAIN), 40);
    CHECK_EQ(IN(r, MAIN, FOO), 0);
    CHECK(intervals_add_up(r.l, false));
    hand_made_fini(&h);
}

/* The time around a switch belongs to the parent of the region that is entered next, or to the one that is left next. */
TEST(with_scout_pieces_of_time_are_in_their_order_and_switches_of_tasks_not_seen)
{
    hand_made h;
    reading   r;

    begin(&h);
    h.decoder.compat = true;
    tasks(&h);
    r = end(&h);
    expect(&r, 0, 10, 1);
    expect(&r, 10, 30, 2);
    CHECK_EQ(IN(r, MAIN, TASKS), 15);
    CHECK_EQ(IN(r, MAIN, TASKS, FOO), 5);
    expect(&r, 30, 45, 2); /* where the last region in the barrier was left */
    CHECK_EQ(IN(r, MAIN, TASKS, FOO, MPI_SEND), 5);
    CHECK_EQ(IN(r, MAIN, TASKS, FOO), 10);
    expect(&r, 45, 60, 2);
    CHECK_EQ(IN(r, MAIN, OMP_BARRIER), 5);
    CHECK_EQ(IN(r, MAIN), 10);
    expect_end(&r);
    hand_made_fini(&h);
}

/* The log by itself. */

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
