/* tests/trace/decode/test_oplog_tasks.c: calls of tasks that take turns on a thread, in the op log. */
#include "op_reading.h"

static void
check_send(reading *r, hd_time enter, hd_time leave, uint64_t bytes)
{
    CHECK(hd_cursor_call(&r->cursor));
    CHECK_EQ(r->cursor.call.enter, enter);
    CHECK_EQ(r->cursor.call.leave, leave);
    CHECK_EQ(r->cursor.n_left, 1);
    hd_cursor_op(&r->cursor, &r->op);
    CHECK_EQ(r->op.kind, HD_OP_SEND);
    CHECK_EQ(r->op.sent, bytes);
}

/*   implicit  [main ─┐                                      ┌── ]
 *   task 1           [send 1·┐         ┌·]                  │
 *   task 2                   [send 2·┐ │ ┌·········]────────┘      */
TEST(calls_of_tasks_that_take_turns_keep_their_records_apart)
{
    hand_made h = begin();
    reading   r;

    begin_location(&h, 0);
    enter(&h, 0, MAIN);
    task_switch(&h, 10, 1);
    enter(&h, 11, MPI_SEND);
    send_blocking(&h, 12, 1, WORLD, 5, 1000);
    task_switch(&h, 20, 2);
    enter(&h, 21, MPI_SEND);
    send_blocking(&h, 22, 1, WORLD, 6, 2000);
    task_switch(&h, 30, 1);
    leave(&h, 31, MPI_SEND);
    task_complete(&h, 32, 1);
    task_switch(&h, 40, 2);
    leave(&h, 41, MPI_SEND);
    task_complete(&h, 42, 2);
    leave(&h, 50, MAIN);
    r = end(&h);
    check_send(&r, 11, 31, 1000);
    check_send(&r, 21, 41, 2000);
    CHECK(!hd_cursor_call(&r.cursor));
    hand_made_fini(&h);
}

TEST(the_call_of_a_task_that_starts_after_another_one_has_left_its_own)
{
    hand_made h = begin();
    reading   r;

    begin_location(&h, 0);
    enter(&h, 0, MAIN);
    task_switch(&h, 10, 1);
    enter(&h, 11, MPI_SEND);
    send_blocking(&h, 12, 1, WORLD, 5, 1000);
    task_switch(&h, 20, 2);
    enter(&h, 21, MPI_SEND);
    task_switch(&h, 30, 1);
    leave(&h, 31, MPI_SEND);
    task_switch(&h, 40, 2);
    send_blocking(&h, 41, 1, WORLD, 6, 2000);
    leave(&h, 42, MPI_SEND);
    leave(&h, 50, MAIN);
    r = end(&h);
    check_send(&r, 11, 31, 1000);
    check_send(&r, 21, 42, 2000);
    CHECK(!hd_cursor_call(&r.cursor));
    hand_made_fini(&h);
}

TEST(the_send_of_a_task_that_never_goes_on_is_not_lost)
{
    hand_made h = begin();
    reading   r;

    begin_location(&h, 0);
    enter(&h, 0, MAIN);
    task_switch(&h, 10, 1);
    enter(&h, 11, MPI_SEND);
    send_blocking(&h, 12, 1, WORLD, 5, 1000);
    task_switch(&h, 20, 0);
    leave(&h, 50, MAIN);
    r = end(&h);
    check_send(&r, 11, 50, 1000);
    CHECK(!hd_cursor_call(&r.cursor));
    CHECK_EQ(location_of(&h, 0)->log.channels[0].n, 1);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(sends_that_tasks_complete_in_turns_are_those_of_their_own_calls)
{
    hand_made h = begin();
    reading   r;

    begin_location(&h, 0);
    enter(&h, 0, MPI_ISEND);
    isend(&h, 1, 1, WORLD, 5, 8, 501);
    isend(&h, 2, 1, WORLD, 5, 8, 502);
    leave(&h, 3, MPI_ISEND);
    task_switch(&h, 10, 1);
    enter(&h, 11, MPI_WAIT);
    isend_complete(&h, 12, 501);
    task_switch(&h, 20, 2);
    enter(&h, 21, MPI_WAITALL);
    isend_complete(&h, 22, 502);
    task_switch(&h, 30, 1);
    leave(&h, 31, MPI_WAIT);
    task_switch(&h, 40, 2);
    leave(&h, 41, MPI_WAITALL);
    r = end(&h);
    CHECK_EQ(r.cursor.log->n_send_calls, 2);
    CHECK_EQ(hd_send_calls_get(&r.cursor.log->send_calls, r.cursor.log->completions[0].call).enter, 11);
    CHECK_EQ(hd_send_calls_get(&r.cursor.log->send_calls, r.cursor.log->completions[1].call).enter, 21);
    hand_made_fini(&h);
}

TEST(a_call_in_which_a_task_is_completed_ends_there)
{
    hand_made h = begin();
    reading   r;

    begin_location(&h, 0);
    enter(&h, 0, MPI_SEND);
    send_blocking(&h, 1, 1, WORLD, 5, 1000);
    task_switch(&h, 10, 1);
    enter(&h, 11, MPI_SEND);
    send_blocking(&h, 12, 1, WORLD, 6, 2000);
    task_complete(&h, 20, 1);
    leave(&h, 30, MPI_SEND);
    r = end(&h);
    CHECK_EQ(n_findings(&h, HD_FINDING_UNBALANCED), 1);
    check_send(&r, 11, 20, 2000);
    check_send(&r, 0, 30, 1000);
    CHECK(!hd_cursor_call(&r.cursor));
    hand_made_fini(&h);
}

TEST_MAIN
