/* tests/trace/decode/test_decoder.c: one location's records become its profile.
 *
 *   ticks    0        10    20     40        100
 *            main[    foo[  bar[ ] ]  ]           each tick belongs to the innermost region that is open then
 */
#include "check.h"
#include "hand_made.h"
#include "memory.h"
#include "random_numbers.h"

/* Times and visits. */

TEST(time_goes_to_the_innermost_region)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 1000, MAIN);
    enter(&h, 1010, FOO);
    enter(&h, 1020, BAR);
    leave(&h, 1025, BAR);
    leave(&h, 1040, FOO);
    enter(&h, 1050, FOO);
    leave(&h, 1060, FOO);
    leave(&h, 1100, MAIN);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(l->n_nodes, 3);
    CHECK_EQ(TIME(l, MAIN), 10 + 10 + 40);
    CHECK_EQ(TIME(l, MAIN, FOO), 10 + 15 + 10);
    CHECK_EQ(TIME(l, MAIN, FOO, BAR), 5);
    CHECK_EQ(VISITS(l, MAIN), 1);
    CHECK_EQ(VISITS(l, MAIN, FOO), 2);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(a_recursive_call_is_a_call_path_of_its_own)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 0, FOO);
    enter(&h, 10, FOO);
    enter(&h, 30, FOO);
    leave(&h, 60, FOO);
    leave(&h, 61, FOO);
    leave(&h, 63, FOO);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(l->n_nodes, 3);
    CHECK_EQ(TIME(l, FOO), 10 + 2);
    CHECK_EQ(TIME(l, FOO, FOO), 20 + 1);
    CHECK_EQ(TIME(l, FOO, FOO, FOO), 30);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(one_region_below_two_others_is_two_call_paths)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 0, FOO);
    enter(&h, 0, BAR);
    leave(&h, 3, BAR);
    leave(&h, 3, FOO);
    enter(&h, 3, MAIN);
    enter(&h, 3, BAR);
    leave(&h, 8, BAR);
    leave(&h, 8, MAIN);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(l->n_nodes, 4);
    CHECK_EQ(TIME(l, FOO, BAR), 3);
    CHECK_EQ(TIME(l, MAIN, BAR), 5);
    hand_made_fini(&h);
}

/* Random enters and leaves against a walk that adds up every tick by itself. */
TEST(random_nesting_gives_the_times_of_a_walk_tick_by_tick)
{
    enum { N_STEPS = 3000, DEPTH = 12 };
    hand_made                 h;
    const hd_loaded_location *l;
    uint64_t                  seed = 3;
    uint32_t                  stack[DEPTH], depth = 0, n = 0;
    static struct {
        uint32_t regions[DEPTH], depth;
        hd_span  time;
    } walk[N_STEPS + DEPTH];
    hd_time  now   = 0;
    uint32_t wrong = 0;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    for (int step = 0; step < N_STEPS; step++) {
        hd_time next = now + random_below(&seed, 4);

        if (depth > 0) {
            memcpy(walk[n].regions, stack, sizeof stack);
            walk[n].depth  = depth;
            walk[n++].time = hd_span_between(now, next);
        }
        now = next;
        if (depth < DEPTH && (depth == 0 || random_below(&seed, 2) == 0)) {
            stack[depth] = random_below(&seed, 3);
            enter(&h, now, stack[depth++]);
        } else
            leave(&h, now, stack[--depth]);
    }
    while (depth > 0)
        leave(&h, now, stack[--depth]);
    end_location(&h);
    l = location_of(&h, 0);
    for (uint32_t i = 0; i < n; i++)
        l->nodes[node_of(l, walk[i].depth, walk[i].regions)].time -= walk[i].time;
    for (uint32_t i = 0; i < l->n_nodes; i++)
        wrong += l->nodes[i].time != 0 || (l->nodes[i].parent != HD_NONE && l->nodes[i].parent >= i);
    CHECK_EQ(wrong, 0);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

/* What does not fit. */

TEST(a_leave_without_an_enter_is_left_out)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    leave(&h, 0, FOO);
    enter(&h, 10, MAIN);
    leave(&h, 20, BAR);
    leave(&h, 30, MAIN);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(n_findings(&h, HD_FINDING_UNBALANCED), 2);
    CHECK_EQ(l->n_nodes, 1);
    CHECK_EQ(TIME(l, MAIN), 20);
    hand_made_fini(&h);
}

TEST(a_leave_of_an_outer_region_closes_the_inner_ones)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 0, MAIN);
    enter(&h, 10, FOO);
    enter(&h, 20, BAR);
    leave(&h, 30, FOO);
    leave(&h, 45, MAIN);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(n_findings(&h, HD_FINDING_UNBALANCED), 1);
    CHECK_EQ(TIME(l, MAIN, FOO, BAR), 10);
    CHECK_EQ(TIME(l, MAIN), 10 + 15);
    hand_made_fini(&h);
}

TEST(regions_that_are_open_at_the_end_are_closed_there)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 0, MAIN);
    enter(&h, 10, MPI_SEND);
    send_blocking(&h, 12, 1, WORLD, 0, 8);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(n_findings(&h, HD_FINDING_UNBALANCED), 2);
    CHECK_EQ(TIME(l, MAIN, MPI_SEND), 2);
    CHECK_EQ(l->log.n_calls, 1); /* its send is not lost: the receiver may have got it */
    hand_made_fini(&h);
}

TEST(a_record_that_is_earlier_than_the_one_before_it_gets_its_time)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 100, MAIN);
    enter(&h, 90, FOO);
    leave(&h, 80, FOO);
    leave(&h, 120, MAIN);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(n_findings(&h, HD_FINDING_TIME_BACKWARDS), 2);
    CHECK_EQ(TIME(l, MAIN, FOO), 0);
    CHECK_EQ(TIME(l, MAIN), 20);
    hand_made_fini(&h);
}

TEST(equal_times_are_not_backwards)
{
    hand_made h;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 100, MAIN);
    enter(&h, 100, FOO);
    leave(&h, 100, FOO);
    leave(&h, 100, MAIN);
    end_location(&h);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(a_time_that_cannot_be_is_the_time_of_the_record_before)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 100, MAIN);
    enter(&h, UINT64_MAX - 5, FOO);
    leave(&h, 130, FOO);
    leave(&h, 150, MAIN);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(n_findings(&h, HD_FINDING_TIME_BACKWARDS), 1);
    CHECK_EQ(TIME(l, MAIN, FOO), 30);
    CHECK_EQ(TIME(l, MAIN), 20);
    hand_made_fini(&h);
}

/* As after a flip of a high bit; the recording says that it has 1000 ticks, of which there are 1000 in a second. */
TEST(one_damaged_time_does_no_harm_to_the_records_behind_it)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    h.defs->length = 1000;
    begin_location(&h, 0);
    enter(&h, 100, MAIN);
    enter(&h, 110 | UINT64_C(1) << 40, FOO);
    leave(&h, 130, FOO);
    leave(&h, 76000, MAIN);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(n_findings(&h, HD_FINDING_TIME_DAMAGED), 1);
    CHECK_EQ(n_all_findings(&h), 1);
    CHECK_EQ(TIME(l, MAIN, FOO), 30);
    CHECK_EQ(TIME(l, MAIN), 76000 - 130);
    hand_made_fini(&h);
}

TEST(a_location_with_another_clock_may_begin_late)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    h.defs->length = 1000;
    begin_location(&h, 0);
    enter(&h, 1000000, MAIN);
    leave(&h, 1001000, MAIN);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(n_all_findings(&h), 0);
    CHECK_EQ(TIME(l, MAIN), 1000);
    hand_made_fini(&h);
}

/* Its times may be as late as others', counted from its own begin. */
TEST(a_damaged_time_of_a_location_with_another_clock_does_no_harm)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    h.defs->length     = 1000;
    h.defs->first_time = 1000000;
    begin_location(&h, 0);
    enter(&h, 2000000, MAIN);
    enter(&h, 2000110 + 100000, FOO);
    leave(&h, 2000130, FOO);
    leave(&h, 2001000, MAIN);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(n_findings(&h, HD_FINDING_TIME_DAMAGED), 1);
    CHECK_EQ(n_all_findings(&h), 1);
    CHECK_EQ(TIME(l, MAIN, FOO), 130);
    CHECK_EQ(TIME(l, MAIN), 870);
    hand_made_fini(&h);
}

/* Its zero is about as long before as times may be late: 16 times the length of the recording, and a minute. */
TEST(a_recording_on_a_clock_that_has_run_for_some_time_has_all_its_times)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    h.defs->length     = 1000;
    h.defs->first_time = 75500;
    begin_location(&h, 0);
    enter(&h, 75500, MAIN);
    enter(&h, 76100, FOO);
    leave(&h, 76400, FOO);
    leave(&h, 76500, MAIN);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(n_all_findings(&h), 0);
    CHECK_EQ(TIME(l, MAIN, FOO), 300);
    CHECK_EQ(TIME(l, MAIN), 700);
    hand_made_fini(&h);
}

TEST(a_flush_with_a_damaged_end_takes_no_time)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    h.defs->length = 1000;
    begin_location(&h, 0);
    enter(&h, 100, MAIN);
    buffer_flush(&h, 110, 120 | UINT64_C(1) << 40);
    leave(&h, 150, MAIN);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(n_findings(&h, HD_FINDING_TIME_DAMAGED), 1);
    CHECK_EQ(TIME(l, MAIN), 50);
    hand_made_fini(&h);
}

/* As one of values of metrics alone. */
TEST(a_location_without_a_state_keeps_no_room_for_them)
{
    hand_made h;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    h.decoder.keeps_states = true;
    hd_bytes_reserve(&h.decoder.out->states.bytes, 1000);
    end_location(&h);
    CHECK_EQ(location_of(&h, 0)->states.bytes.capacity, 0);
    hand_made_fini(&h);
}

TEST(communication_outside_of_an_mpi_call_is_left_out)
{
    hand_made h;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    send_blocking(&h, 0, 1, WORLD, 0, 8);
    enter(&h, 0, MAIN);
    send_blocking(&h, 1, 1, WORLD, 0, 8);
    receive_blocking(&h, 2, 1, WORLD, 0);
    coll_begin(&h, 3);
    coll_end(&h, 4, 0, WORLD, HD_NONE, 0, 0);
    isend(&h, 5, 1, WORLD, 0, 8, 1);
    irecv_request(&h, 6, 2);
    irecv(&h, 7, 1, WORLD, 0, 2);
    nbc_request(&h, 8, 3);
    leave(&h, 10, MAIN);
    end_location(&h);
    join_threads(&h);
    CHECK_EQ(n_findings(&h, HD_FINDING_OUTSIDE_CALL), 8);
    CHECK_EQ(location_of(&h, 0)->log.n_ops, 0);
    CHECK_EQ(location_of(&h, 0)->n_counts, 0);
    hand_made_fini(&h);
}

TEST(an_unknown_communicator_or_peer_is_a_finding_and_no_op)
{
    hand_made h;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 0, MPI_SEND);
    send_blocking(&h, 1, 1, N_COMMS + 7, 0, 8); /* not defined */
    send_blocking(&h, 2, 3, WORLD, 0, 8);       /* three members */
    send_blocking(&h, 3, HD_NONE, WORLD, 0, 8);
    send_blocking(&h, 4, 0, TEAM, 0, 8); /* not of MPI */
    leave(&h, 5, MPI_SEND);
    enter(&h, 6, MPI_BARRIER);
    coll_end(&h, 7, 0, N_COMMS + 7, HD_NONE, 0, 0);
    leave(&h, 8, MPI_BARRIER);
    end_location(&h);
    CHECK_EQ(n_findings(&h, HD_FINDING_UNKNOWN), 5);
    CHECK_EQ(location_of(&h, 0)->log.n_calls, 0);
    CHECK_EQ(location_of(&h, 0)->n_counts, 0);
    hand_made_fini(&h);
}

TEST(a_collective_of_a_communicator_without_this_process_is_unknown)
{
    hand_made h;

    hand_made_init(&h, 1);
    begin_location(&h, 0);
    enter(&h, 6, MPI_BARRIER);
    coll_end(&h, 7, 0, PAIR, HD_NONE, 0, 0);
    leave(&h, 8, MPI_BARRIER);
    end_location(&h);
    CHECK_EQ(n_findings(&h, HD_FINDING_UNKNOWN), 1);
    CHECK_EQ(location_of(&h, 0)->log.n_calls, 0);
    hand_made_fini(&h);
}

/* Every record with a request number that no map can hold, in an archive that is damaged or hostile. */
TEST(the_largest_request_number_does_no_harm)
{
    hand_made h;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 0, MPI_ISEND);
    isend(&h, 1, 1, WORLD, 0, 8, 4); /* the map is there */
    isend(&h, 1, 1, WORLD, 0, 8, UINT64_MAX);
    leave(&h, 2, MPI_ISEND);
    enter(&h, 3, MPI_WAIT);
    isend_complete(&h, 4, UINT64_MAX);
    irecv_request(&h, 4, UINT64_MAX);
    irecv(&h, 4, 1, WORLD, 0, UINT64_MAX);
    nbc_request(&h, 4, UINT64_MAX);
    nbc_complete(&h, 4, 0, WORLD, UINT64_MAX);
    cancelled(&h, 4, UINT64_MAX);
    leave(&h, 5, MPI_WAIT);
    end_location(&h);
    join_threads(&h);
    CHECK_EQ(location_of(&h, 0)->log.n_sends, 2);
    CHECK(n_findings(&h, HD_FINDING_INCOMPLETE_REQUEST) > 0);
    hand_made_fini(&h);
}

/* Counts. */

static uint64_t
count(const hd_loaded_location *l, uint32_t node, hd_count_kind counter)
{
    for (size_t i = 0; i < l->n_counts; i++)
        if (l->counts[i].node == node)
            return l->counts[i].values[counter];
    return 0;
}

TEST(messages_and_bytes_are_counted_by_call_path)
{
    hand_made                 h;
    const hd_loaded_location *l;
    uint32_t                  below_main, below_foo;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 0, MAIN);
    for (uint32_t i = 0; i < 3; i++) {
        enter(&h, 1 + i, MPI_SEND);
        send_blocking(&h, 1 + i, 1, WORLD, i, 100 * i);
        leave(&h, 1 + i, MPI_SEND);
    }
    enter(&h, 10, FOO);
    enter(&h, 10, MPI_SEND);
    send_blocking(&h, 11, 2, WORLD, 0, 7);
    leave(&h, 12, MPI_SEND);
    leave(&h, 12, FOO);
    leave(&h, 12, MAIN);
    end_location(&h);
    l          = location_of(&h, 0);
    below_main = NODE(l, MAIN, MPI_SEND);
    below_foo  = NODE(l, MAIN, FOO, MPI_SEND);
    CHECK_EQ(count(l, below_main, HD_COUNT_SENDS_EMPTY), 1);
    CHECK_EQ(count(l, below_main, HD_COUNT_SENDS_FULL), 2);
    CHECK_EQ(count(l, below_main, HD_COUNT_SENT_BYTES), 300);
    CHECK_EQ(count(l, below_foo, HD_COUNT_SENDS_FULL), 1);
    CHECK_EQ(count(l, below_foo, HD_COUNT_SENT_BYTES), 7);
    CHECK_EQ(l->n_counts, 2);
    hand_made_fini(&h);
}

TEST(collectives_are_counted_by_what_they_send_and_receive)
{
    hand_made                 h;
    const hd_loaded_location *l;
    uint32_t                  node;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 0, MPI_BARRIER);
    coll_end(&h, 1, 0, WORLD, HD_NONE, 0, 0);
    coll_end(&h, 2, 0, WORLD, HD_NONE, 10, 0);
    coll_end(&h, 3, 0, WORLD, HD_NONE, 0, 200);
    coll_end(&h, 4, 0, SELF, HD_NONE, 3000, 40000); /* alone: counted, but nobody to wait for */
    coll_end(&h, 5, 17, WORLD, HD_NONE, 7, 7);      /* makes a handle: not counted */
    leave(&h, 6, MPI_BARRIER);
    end_location(&h);
    l    = location_of(&h, 0);
    node = NODE(l, MPI_BARRIER);
    CHECK_EQ(count(l, node, HD_COUNT_COLL_EMPTY), 1);
    CHECK_EQ(count(l, node, HD_COUNT_COLL_SOURCE), 1);
    CHECK_EQ(count(l, node, HD_COUNT_COLL_DESTINATION), 1);
    CHECK_EQ(count(l, node, HD_COUNT_COLL_EXCHANGE), 1);
    CHECK_EQ(count(l, node, HD_COUNT_COLL_OUT_BYTES), 3010);
    CHECK_EQ(count(l, node, HD_COUNT_COLL_IN_BYTES), 40200);
    CHECK_EQ(l->log.n_ops, 3);
    hand_made_fini(&h);
}

TEST(a_task_without_a_number_is_left_out)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 0, MAIN);
    task_switch(&h, 10, UINT64_MAX);
    enter(&h, 20, FOO);
    leave(&h, 30, FOO);
    task_complete(&h, 30, UINT64_MAX);
    leave(&h, 40, MAIN);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(n_findings(&h, HD_FINDING_UNKNOWN), 1);
    CHECK_EQ(TIME(l, MAIN, FOO), 10);
    CHECK_EQ(TIME(l, MAIN), 30);
    hand_made_fini(&h);
}

TEST_MAIN
