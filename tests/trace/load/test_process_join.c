/* tests/trace/load/test_process_join.c: two threads of one process, decoded on their own, become one process.
 *
 *   thread 0   MPI_Isend ────────────────────  request 500          thread 1   ──── MPI_Wait 500
 */
#include "check.h"
#include "hand_made.h"

enum { BARRIER = 0 };

/* Call trees. */

TEST(the_trees_of_the_threads_are_merged_in_the_order_of_the_threads)
{
    hand_made h;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 0, MAIN);
    enter(&h, 1, FOO);
    leave(&h, 2, FOO);
    leave(&h, 3, MAIN);
    end_location(&h);
    begin_location(&h, 1);
    enter(&h, 0, MAIN);
    enter(&h, 1, BAR);
    leave(&h, 2, BAR);
    enter(&h, 2, FOO);
    leave(&h, 3, FOO);
    leave(&h, 3, MAIN);
    end_location(&h);
    join_threads(&h);
    CHECK_EQ(h.process.n_nodes, 3);
    CHECK(h.process.nodes[0].region == MAIN && h.process.nodes[0].parent == HD_NONE);
    CHECK(h.process.nodes[1].region == FOO && h.process.nodes[1].parent == 0);
    CHECK(h.process.nodes[2].region == BAR && h.process.nodes[2].parent == 0);
    CHECK(location_of(&h, 0)->map == NULL); /* the same numbers */
    CHECK_EQ(location_of(&h, 1)->map[0], 0);
    CHECK_EQ(location_of(&h, 1)->map[1], 2);
    CHECK_EQ(location_of(&h, 1)->map[2], 1);
    hand_made_fini(&h);
}

TEST(the_tree_of_the_only_location_is_that_of_the_process)
{
    hand_made h;

    hand_made_init(&h, 0);
    h.process.n_locations = 1;
    begin_location(&h, 0);
    enter(&h, 0, MAIN);
    for (hd_time at = 0; at < 6; at += 2) {
        enter(&h, at, at == 2 ? BAR : FOO);
        leave(&h, at + 1, at == 2 ? BAR : FOO);
    }
    leave(&h, 7, MAIN);
    enter(&h, 8, FOO);
    leave(&h, 9, FOO);
    end_location(&h);
    join_threads(&h);
    CHECK_EQ(h.process.n_nodes, 4);
    CHECK(h.process.nodes[0].region == MAIN && h.process.nodes[0].parent == HD_NONE);
    CHECK(h.process.nodes[1].region == FOO && h.process.nodes[1].parent == 0);
    CHECK(h.process.nodes[2].region == BAR && h.process.nodes[2].parent == 0);
    CHECK(h.process.nodes[3].region == FOO && h.process.nodes[3].parent == HD_NONE);
    CHECK_EQ(location_of(&h, 0)->nodes[1].visits, 2);
    CHECK_EQ(location_of(&h, 0)->nodes[3].visits, 1);
    CHECK(location_of(&h, 0)->map == NULL);
    hand_made_fini(&h);
}

/* The master forks below main/foo in its first team, below main in its second one. */
static void
fork_twice(hand_made *h)
{
    begin_location(h, 0);
    enter(h, 0, MAIN);
    enter(h, 10, FOO);
    fork_threads(h, 20);
    team_begin(h, 20, TEAM);
    team_end(h, 30);
    leave(h, 40, FOO);
    fork_threads(h, 50);
    team_begin(h, 50, TEAM);
    team_end(h, 60);
    leave(h, 70, MAIN);
    end_location(h);
    begin_location(h, 1);
    for (hd_time at = 20; at <= 50; at += 30) {
        team_begin(h, at, TEAM);
        enter(h, at + 2, BAR);
        leave(h, at + 8, BAR);
        team_end(h, at + 10);
    }
    end_location(h);
}

TEST(the_call_paths_of_a_team_begin_where_its_master_forked)
{
    hand_made                 h;
    const hd_loaded_location *worker;
    uint32_t                  node, bars[2], n = 0;

    hand_made_init(&h, 0);
    fork_twice(&h);
    join_threads(&h);
    worker = location_of(&h, 1);
    CHECK_EQ(h.process.n_nodes, 4);
    for (uint32_t i = 0; i < worker->n_nodes; i++)
        if (worker->nodes[i].region == BAR && n < 2)
            bars[n++] = worker->map[i];
    REQUIRE(n == 2);
    node = h.process.nodes[bars[0]].parent;
    CHECK_EQ(h.process.nodes[bars[0]].region, BAR);
    CHECK_EQ(h.process.nodes[node].region, FOO);
    node = h.process.nodes[bars[1]].parent;
    CHECK_EQ(h.process.nodes[node].region, MAIN);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(a_worker_is_back_in_the_outer_team_when_an_inner_one_ends)
{
    hand_made                 h;
    const hd_loaded_location *worker;
    uint32_t                  foo;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 0, MAIN);
    fork_threads(&h, 20);
    team_begin(&h, 20, TEAM);
    team_end(&h, 90);
    leave(&h, 100, MAIN);
    end_location(&h);
    begin_location(&h, 1);
    team_begin(&h, 21, TEAM);
    team_begin(&h, 30, TEAM); /* of a fork that is not recorded */
    enter(&h, 31, BAR);
    leave(&h, 39, BAR);
    team_end(&h, 40);
    enter(&h, 50, FOO);
    leave(&h, 60, FOO);
    team_end(&h, 90);
    enter(&h, 95, FLUSH);
    leave(&h, 96, FLUSH);
    end_location(&h);
    join_threads(&h);
    worker = location_of(&h, 1);
    for (foo = 0; foo < worker->n_nodes && worker->nodes[foo].region != FOO; foo++)
        ;
    CHECK_EQ(h.process.nodes[h.process.nodes[worker->map[foo]].parent].region, MAIN);
    CHECK_EQ(h.process.nodes[worker->map[worker->n_nodes - 1]].region, FLUSH);
    CHECK_EQ(h.process.nodes[worker->map[worker->n_nodes - 1]].parent, HD_NONE);
    hand_made_fini(&h);
}

TEST(a_worker_has_time_only_within_regions)
{
    hand_made                 h;
    const hd_loaded_location *worker;
    hd_span                   time = 0;

    hand_made_init(&h, 0);
    fork_twice(&h);
    worker = location_of(&h, 1);
    for (uint32_t i = 0; i < worker->n_nodes; i++)
        time += worker->nodes[i].time;
    CHECK_EQ(time, 6 + 6);
    hand_made_fini(&h);
}

TEST(threads_without_records_are_joined)
{
    hand_made h;

    hand_made_init(&h, 0);
    for (uint32_t t = 0; t < N_THREADS; t++) {
        begin_location(&h, t);
        end_location(&h);
    }
    join_threads(&h);
    CHECK_EQ(h.process.n_nodes, 0);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

/* Requests. */

static void
start_send(hand_made *h, hd_time time, uint64_t request)
{
    enter(h, time, MPI_ISEND);
    isend(h, time + 1, 1, WORLD, 3, 8, request);
    leave(h, time + 2, MPI_ISEND);
}

TEST(a_send_that_another_thread_completes_knows_the_call_there)
{
    hand_made       h;
    const hd_oplog *log;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    start_send(&h, 10, 500);
    start_send(&h, 20, 501);
    end_location(&h);
    begin_location(&h, 1);
    enter(&h, 30, MPI_WAITALL);
    isend_complete(&h, 35, 501);
    isend_complete(&h, 36, 500);
    leave(&h, 40, MPI_WAITALL);
    end_location(&h);
    join_threads(&h);
    log = &location_of(&h, 0)->log;
    CHECK_EQ(log->rare->n_elsewhere, 2);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_EQ(log->completions[i].call, HD_COMPLETION_ELSEWHERE);
        CHECK_EQ(log->rare->elsewhere[i].send, i);
        CHECK_EQ(log->rare->elsewhere[i].thread, 1);
        CHECK_EQ(log->rare->elsewhere[i].completion.call, 0);
        CHECK_EQ(log->rare->elsewhere[i].completion.number, 1 - i);
    }
    CHECK_EQ(location_of(&h, 1)->log.n_send_calls, 1);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(a_send_that_another_thread_cancels_is_not_counted_in_its_channel)
{
    hand_made       h;
    const hd_oplog *log;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    start_send(&h, 10, 500);
    start_send(&h, 20, 501);
    end_location(&h);
    begin_location(&h, 1);
    enter(&h, 30, MPI_WAIT);
    cancelled(&h, 35, 500);
    leave(&h, 40, MPI_WAIT);
    end_location(&h);
    join_threads(&h);
    log = &location_of(&h, 0)->log;
    CHECK_EQ(log->completions[0].call, HD_COMPLETION_CANCELLED);
    CHECK_EQ(log->completions[1].call, HD_COMPLETION_NONE);
    CHECK_EQ(log->channels[0].n, 1);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(a_receive_that_another_thread_posted_begins_there)
{
    hand_made h;
    hd_cursor cursor;
    hd_op     op;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 30, MPI_WAITALL);
    irecv(&h, 35, 1, WORLD, 0, 700);
    irecv(&h, 36, 1, WORLD, 0, 701);
    leave(&h, 40, MPI_WAITALL);
    end_location(&h);
    begin_location(&h, 1);
    enter(&h, 12, MPI_IRECV);
    irecv_request(&h, 13, 701);
    leave(&h, 14, MPI_IRECV);
    enter(&h, 15, MPI_IRECV);
    irecv_request(&h, 16, 700);
    leave(&h, 17, MPI_IRECV);
    end_location(&h);
    join_threads(&h);
    hd_cursor_init(&cursor, &location_of(&h, 0)->log);
    CHECK(hd_cursor_call(&cursor));
    hd_cursor_op(&cursor, &op);
    CHECK_EQ(op.begin, 15);
    hd_cursor_op(&cursor, &op);
    CHECK_EQ(op.begin, 12);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(a_request_of_another_kind_does_not_match)
{
    hand_made h;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    start_send(&h, 10, 500);
    end_location(&h);
    begin_location(&h, 1);
    enter(&h, 30, MPI_WAIT);
    irecv(&h, 35, 1, WORLD, 0, 500);
    leave(&h, 40, MPI_WAIT);
    end_location(&h);
    join_threads(&h);
    CHECK_EQ(n_findings(&h, HD_FINDING_INCOMPLETE_REQUEST), 1);
    CHECK_EQ(location_of(&h, 0)->log.completions[0].call, HD_COMPLETION_NONE);
    hand_made_fini(&h);
}

/* Started X, Y on thread 0, completed Y, X on thread 1: the others see X before Y, so X is number 0. */
TEST(collectives_that_another_thread_completes_are_numbered_in_the_order_of_their_starts)
{
    hand_made       h;
    const hd_oplog *log;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    for (uint64_t i = 0; i < 2; i++) {
        enter(&h, 10 * i + 1, MPI_IBARRIER);
        nbc_request(&h, 10 * i + 2, 300 + i);
        leave(&h, 10 * i + 3, MPI_IBARRIER);
    }
    end_location(&h);
    begin_location(&h, 1);
    enter(&h, 100, MPI_WAITALL);
    nbc_complete(&h, 105, BARRIER, WORLD, 301);
    nbc_complete(&h, 106, BARRIER, WORLD, 300);
    leave(&h, 110, MPI_WAITALL);
    end_location(&h);
    join_threads(&h);
    log = &location_of(&h, 1)->log;
    CHECK_EQ(log->rare->n_nbcs, 2);
    CHECK_EQ(log->rare->nbcs[0].begin, 11);
    CHECK_EQ(log->rare->nbcs[0].number, 1);
    CHECK_EQ(log->rare->nbcs[1].begin, 1);
    CHECK_EQ(log->rare->nbcs[1].number, 0);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(a_handle_made_on_one_thread_may_be_waited_for_on_another)
{
    enum { CREATE_HANDLE = 17 };
    hand_made h;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 1, MPI_IBARRIER);
    nbc_request(&h, 2, 300);
    leave(&h, 3, MPI_IBARRIER);
    end_location(&h);
    begin_location(&h, 1);
    enter(&h, 10, MPI_WAIT);
    nbc_complete(&h, 15, CREATE_HANDLE, WORLD, 300);
    leave(&h, 20, MPI_WAIT);
    end_location(&h);
    join_threads(&h);
    CHECK_EQ(location_of(&h, 1)->log.n_calls, 0);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(collectives_on_several_threads_are_numbered_by_their_starts)
{
    hand_made h;

    hand_made_init(&h, 0);
    for (uint32_t t = 0; t < 2; t++) {
        begin_location(&h, t);
        for (uint64_t i = 0; i < 2; i++) {
            enter(&h, 10 * i + 5 * t, MPI_IBARRIER);
            nbc_request(&h, 10 * i + 5 * t, 300 + 10 * t + i);
            leave(&h, 10 * i + 5 * t + 1, MPI_IBARRIER);
        }
        enter(&h, 100, MPI_WAITALL);
        nbc_complete(&h, 100, BARRIER, WORLD, 301 + 10 * t);
        nbc_complete(&h, 100, BARRIER, WORLD, 300 + 10 * t);
        leave(&h, 110, MPI_WAITALL);
        end_location(&h);
    }
    join_threads(&h);
    for (uint32_t t = 0; t < 2; t++)
        for (uint32_t i = 0; i < 2; i++)
            CHECK_EQ(location_of(&h, t)->log.rare->nbcs[i].number, 2 * i + t);
    hand_made_fini(&h);
}

/* Init and finalize. */

TEST(the_earliest_init_and_finalize_of_the_threads_are_those_of_the_process)
{
    hand_made h;

    hand_made_init(&h, 0);
    for (uint32_t t = 0; t < 2; t++) {
        begin_location(&h, t);
        enter(&h, 20 - 10 * t, MPI_INIT);
        leave(&h, 30, MPI_INIT);
        enter(&h, 40 + 10 * t, MPI_FINALIZE);
        leave(&h, 60, MPI_FINALIZE);
        end_location(&h);
    }
    join_threads(&h);
    CHECK(!location_of(&h, 0)->has_init && location_of(&h, 1)->has_init);
    CHECK(location_of(&h, 0)->has_finalize && !location_of(&h, 1)->has_finalize);
    hand_made_fini(&h);
}

TEST_MAIN
