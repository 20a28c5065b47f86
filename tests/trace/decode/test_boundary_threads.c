/* tests/trace/decode/test_boundary_threads.c: boundaries of intervals where threads meet: teams, barriers, tasks,
 * locks. */
#include "interval_reading.h"

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

/* The time around a switch belongs to the parent of the region that is entered next, or to the one that is left
 * next. */
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

TEST_MAIN
