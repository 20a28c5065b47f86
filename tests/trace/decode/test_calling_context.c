/* tests/trace/decode/test_calling_context.c: samples and calls with calling contexts become enters and leaves.
 *
 *   ticks    0     10        20         30         40      50
 *            s     s         s          [          ]       s
 *            main  main foo  main foo   main foo   foo     main
 *                  bar                  MPI_Send
 */
#include "check.h"
#include "hand_made.h"
#include "memory.h"

TEST(what_was_left_and_entered_follows_from_the_unwind_distance)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    sample(&h, 1000, IN_MAIN, 2);
    sample(&h, 1010, IN_BAR, 3);       /* foo and bar are entered */
    sample(&h, 1020, FOO_LATER, 1);    /* bar is left, foo goes on elsewhere */
    context_enter(&h, 1030, IN_SEND, 2);
    send_blocking(&h, 1030, 1, WORLD, 7, 8);
    context_leave(&h, 1040, IN_SEND);
    sample(&h, 1050, IN_MAIN, 1);      /* foo is left */
    sample(&h, 1055, IN_MAIN, 2);      /* and main, which is called again */
    sample(&h, 1060, IN_BAR_OF_MAIN, 2);
    sample(&h, 1070, IN_BAR_OF_MAIN, 0); /* nothing happened */
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(TIME(l, MAIN), 10 + 5 + 5);
    CHECK_EQ(TIME(l, MAIN, FOO), 10 + 10);
    CHECK_EQ(TIME(l, MAIN, FOO, BAR), 10);
    CHECK_EQ(TIME(l, MAIN, FOO, MPI_SEND), 10);
    CHECK_EQ(TIME(l, MAIN, BAR), 10);
    CHECK_EQ(VISITS(l, MAIN), 2);
    CHECK_EQ(VISITS(l, MAIN, FOO), 1);
    CHECK_EQ(VISITS(l, MAIN, BAR), 1);
    CHECK_EQ(l->log.n_ops, 1);
    CHECK_EQ(n_all_findings(&h), 0); /* what is open in the end was sampled */
    hand_made_fini(&h);
}

TEST(what_is_sampled_inside_of_an_mpi_call_is_time_of_the_call)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    context_enter(&h, 1000, IN_SEND, 4);
    sample(&h, 1010, IN_LIBRARY, 2);
    send_blocking(&h, 1020, 1, WORLD, 7, 8);
    context_enter(&h, 1030, CALLBACK, 2); /* a recorded call is one of its own there, too */
    context_leave(&h, 1036, CALLBACK);
    sample(&h, 1040, IN_SEND, 1);
    context_leave(&h, 1050, IN_SEND);
    sample(&h, 1060, IN_MAIN, 1);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(TIME(l, MAIN, FOO, MPI_SEND), 50 - 6);
    CHECK_EQ(TIME(l, MAIN, FOO, MPI_SEND, BAR), 6);
    CHECK_EQ(NODE(l, MAIN, FOO, MPI_SEND, FOO), HD_NONE);
    CHECK_EQ(TIME(l, MAIN, FOO), 10);
    CHECK_EQ(l->log.n_ops, 1);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

static uint32_t
site_of(const hd_loaded_location *l, uint32_t node)
{
    return node < l->n_call_sites ? l->call_sites[node] : 0;
}

TEST(a_call_path_is_called_where_the_context_around_it_is)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    sample(&h, 1000, IN_BAR, 4);
    sample(&h, 1010, IN_BAR_OF_MAIN, 2);
    context_enter(&h, 1020, IN_SEND, 3);
    context_leave(&h, 1030, IN_SEND);
    sample(&h, 1040, IN_BAR, 2);
    sample(&h, 1050, IN_MAIN, 1);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(site_of(l, NODE(l, MAIN)), 0);
    CHECK_EQ(site_of(l, NODE(l, MAIN, FOO)), IN_MAIN + 1);
    CHECK_EQ(site_of(l, NODE(l, MAIN, FOO, BAR)), IN_FOO + 1);
    CHECK_EQ(site_of(l, NODE(l, MAIN, BAR)), IN_MAIN + 1);
    CHECK_EQ(site_of(l, NODE(l, MAIN, FOO, MPI_SEND)), FOO_LATER + 1);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(a_call_path_that_is_called_in_two_places_has_several)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    sample(&h, 1000, IN_BAR, 4);
    sample(&h, 1010, BAR_LATER, 2);
    sample(&h, 1020, IN_BAR, 2); /* it stays so */
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(site_of(l, NODE(l, MAIN, FOO)), IN_MAIN + 1);
    CHECK_EQ(site_of(l, NODE(l, MAIN, FOO, BAR)), HD_SITE_SEVERAL);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(wrong_distances_are_findings_and_what_is_common_stays_open)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    sample(&h, 1000, IN_BAR, 4);
    sample(&h, 1010, IN_BAR, UINT32_MAX);  /* as 4 */
    sample(&h, 1020, IN_BAR_OF_MAIN, 1);   /* 2: bar below main was not there */
    context_enter(&h, 1030, IN_SEND, 0);   /* 3: neither was foo */
    sample(&h, 1040, FOO_LATER, 1);        /* MPI_Send was not left */
    context_leave(&h, 1050, IN_FOO);       /* foo was not called */
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(n_findings(&h, HD_FINDING_STACK), 3);
    CHECK_EQ(n_findings(&h, HD_FINDING_UNBALANCED), 2);
    CHECK_EQ(n_all_findings(&h), 5);
    CHECK_EQ(TIME(l, MAIN, FOO, BAR), 20);
    CHECK_EQ(TIME(l, MAIN, BAR), 10);
    CHECK_EQ(TIME(l, MAIN, FOO, MPI_SEND), 10);
    CHECK_EQ(TIME(l, MAIN, FOO), 10);
    CHECK_EQ(VISITS(l, MAIN), 2);
    hand_made_fini(&h);
}

TEST(contexts_that_cannot_be_are_left_out)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    sample(&h, 1000, IN_FOO, 3);
    sample(&h, 1010, CIRCLE, 2);
    context_enter(&h, 1020, UNKNOWN_REF, 2);
    context_leave(&h, 1030, CIRCLE);
    sample(&h, 1040, IN_MAIN, 1);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(n_findings(&h, HD_FINDING_UNKNOWN), 3);
    CHECK_EQ(n_all_findings(&h), 3);
    CHECK_EQ(TIME(l, MAIN, FOO), 40);
    hand_made_fini(&h);
}

TEST(a_call_is_left_in_another_place_than_it_was_entered)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    context_enter(&h, 1000, IN_FOO, 3);
    sample(&h, 1010, BAR_LATER, 2); /* sampled, and left with foo */
    context_leave(&h, 1020, FOO_LATER);
    context_enter(&h, 1020, IN_FOO, 2);
    context_enter(&h, 1030, IN_BAR, 2);
    end_location(&h); /* two calls are not left */
    l = location_of(&h, 0);
    CHECK_EQ(TIME(l, MAIN, FOO), 10 + 10);
    CHECK_EQ(TIME(l, MAIN, FOO, BAR), 10);
    CHECK_EQ(VISITS(l, MAIN), 1);
    CHECK_EQ(VISITS(l, MAIN, FOO), 2);
    CHECK_EQ(n_findings(&h, HD_FINDING_UNBALANCED), 2);
    CHECK_EQ(n_all_findings(&h), 2);
    hand_made_fini(&h);
}

/*   thread 0   main  foo                    thread 1   team[ main sampled  ]  ···  team[ main goes on ] */
TEST(what_a_worker_was_sampled_in_ends_with_the_team_and_goes_on_in_the_next_one)
{
    hand_made                 h;
    const hd_loaded_location *l;
    uint32_t                  place;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    enter(&h, 1000, FOO);
    for (hd_time t = 1000; t < 1040; t += 20) {
        fork_threads(&h, t);
        team_begin(&h, t, TEAM);
        team_end(&h, t + 10);
        join_team(&h, t + 10);
    }
    leave(&h, 1050, FOO);
    end_location(&h);
    begin_location(&h, 1);
    team_begin(&h, 1000, TEAM);
    sample(&h, 1002, IN_FOO, 3);
    team_end(&h, 1010);
    team_begin(&h, 1020, TEAM);
    sample(&h, 1021, FOO_LATER, 1); /* main and foo have been there all the time */
    team_end(&h, 1030);
    end_location(&h);
    l     = location_of(&h, 1);
    place = l->nodes[0].region == HD_NONE ? 0 : HD_NONE;
    CHECK_EQ(place, 0);
    CHECK_EQ(l->n_nodes, 3);
    CHECK_EQ(l->nodes[2].region, FOO);
    CHECK_EQ(l->nodes[2].time, 8 + 9);
    CHECK_EQ(l->nodes[2].visits, 2);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

/*   main  foo[   ]task[ bar  ]foo ends           the contexts of the task begin with main and foo, which are not the
 * task's */
TEST(the_calls_of_a_task_begin_inside_of_those_around_it)
{
    hand_made                 h;
    const hd_loaded_location *l;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    team_begin(&h, 1000, TEAM);
    context_enter(&h, 1000, IN_FOO, 3);
    task_switch(&h, 1010, 1);
    context_enter(&h, 1010, BAR_LATER, 2);
    context_leave(&h, 1030, BAR_LATER);
    task_complete(&h, 1030, 1);
    sample(&h, 1035, FOO_LATER, 1);
    context_leave(&h, 1040, IN_FOO);
    end_location(&h);
    l = location_of(&h, 0);
    CHECK_EQ(TIME(l, MAIN, TASKS, BAR), 20);
    CHECK_EQ(NODE(l, MAIN, TASKS, MAIN), HD_NONE);
    CHECK_EQ(VISITS(l, MAIN, FOO), 1);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST_MAIN
