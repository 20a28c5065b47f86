/* tests/trace/decode/test_oplog_iterations.c: which calls of the op log are entered in instances of a region, FOO. */
#include "op_reading.h"

static void
send_at(hand_made *h, hd_time enter_at, hd_time leave_at)
{
    enter(h, enter_at, MPI_SEND);
    send_blocking(h, enter_at, 1, PAIR, 77, 8);
    leave(h, leave_at, MPI_SEND);
}

static void
begin_with_iterations(hand_made *h)
{
    *h                     = begin();
    h->kinds[FOO].call     = HD_CALL_ITERATION;
    h->kinds[FOO].is_plain = false;
    begin_location(h, 0);
    enter(h, 0, MAIN);
}

static bool
has_calls(hand_made *h, size_t iteration, uint32_t first_call, uint32_t n_calls)
{
    const hd_iteration *row = &location_of(h, 0)->iterations[iteration];

    return iteration < location_of(h, 0)->n_iterations && row->first_call == first_call && row->n_calls == n_calls;
}

TEST(of_an_instance_it_is_known_which_calls_are_entered_in_it)
{
    hand_made h;

    begin_with_iterations(&h);
    send_at(&h, 10, 20);
    enter(&h, 20, FOO);
    send_at(&h, 30, 40);
    send_at(&h, 40, 50); /* no time between */
    leave(&h, 50, FOO);
    send_at(&h, 50, 60);
    enter(&h, 60, FOO);
    leave(&h, 70, FOO);
    leave(&h, 100, MAIN);
    end(&h);
    CHECK(has_calls(&h, 0, 2, 2));
    CHECK(has_calls(&h, 1, 5, 0));
    hand_made_fini(&h);
}

TEST(that_is_not_known_where_one_without_time_is_at_a_bound_or_the_instance_in_a_call)
{
    hand_made h;

    begin_with_iterations(&h);
    send_at(&h, 20, 20);
    enter(&h, 20, FOO);
    send_at(&h, 30, 40);
    leave(&h, 50, FOO);
    enter(&h, 60, FOO);
    send_at(&h, 70, 70);
    leave(&h, 70, FOO);
    enter(&h, 80, FOO);
    send_at(&h, 80, 80);
    send_at(&h, 80, 85);
    leave(&h, 85, FOO);
    enter(&h, 90, MPI_BARRIER);
    enter(&h, 91, FOO);
    leave(&h, 92, FOO);
    leave(&h, 95, MPI_BARRIER);
    leave(&h, 100, MAIN);
    end(&h);
    CHECK(has_calls(&h, 0, 0, 0));
    CHECK(has_calls(&h, 1, 0, 0));
    CHECK(has_calls(&h, 2, 4, 2));
    CHECK(has_calls(&h, 3, 0, 0));
    hand_made_fini(&h);
}

TEST_MAIN
