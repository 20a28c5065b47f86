/* tests/replay/backward/test_critical_path.c: "Critical path" and "Performance impact" of docs/metrics.md: the chain of
 * work and messages that sets the length of the run. */
#include "check.h"
#include "situation.h"

#define WORK(rank, name, from, until) { .process = rank, .op = TW_USER, .region = name, .enter = from, .leave = until }
#define INIT(rank)                    { .process = rank, .op = TW_INIT, .enter = 0, .leave = 0 }
#define FINALIZE(rank, from, until)   { .process = rank, .op = TW_FINALIZE, .enter = from, .leave = until }

/* Nothing but the calls of the table: the path is as long as they are. */
static const tw_options no_program = { .without_program = true };

#define analyze(ops, n) tw_analyze_with((ops), (n), .options = &no_program)

/*   ticks       0        30   40            100 102        122
 *   process 0   [foo=====================>]v[send·······[Finalize]
 *   process 1   [foo          ][recv·······v[send·······[Finalize]
 *   process 2   [foo     ][recv············v>>>][baz===>][Finalize]
 */
static const tw_op chain[] = {
    INIT(0),
    WORK(0, "foo", 0, 100),
    { .process = 0, .op = TW_SEND, .enter = 100, .leave = 100, .peer = 1 },
    FINALIZE(0, 100, 122),
    INIT(1),
    WORK(1, "foo", 0, 40),
    { .process = 1, .op = TW_RECV, .enter = 40, .leave = 100, .peer = 0 },
    { .process = 1, .op = TW_SEND, .enter = 100, .leave = 100, .peer = 2 },
    FINALIZE(1, 100, 122),
    INIT(2),
    WORK(2, "foo", 0, 30),
    { .process = 2, .op = TW_RECV, .enter = 30, .leave = 102, .peer = 1 },
    WORK(2, "baz", 102, 122),
    FINALIZE(2, 122, 122),
};

TEST(the_path_goes_from_the_last_finalize_to_who_was_waited_for)
{
    tw_report r = analyze(chain, TW_LEN(chain));

    CHECK_SPAN_AT(r, "critical_path", "foo", process(0), 100);
    CHECK_SPAN(r, "critical_path", process(0), 100);
    CHECK_SPAN(r, "critical_path", process(1), 0);
    CHECK_SPAN_AT(r, "critical_path", "MPI_Recv", process(2), 2);
    CHECK_SPAN_AT(r, "critical_path", "baz", process(2), 20);
    CHECK_SPAN(r, "critical_path", process(2), 22);
}

TEST(activities_are_work_up_to_what_the_path_has_of_it)
{
    tw_report r = analyze(chain, TW_LEN(chain));

    CHECK_SPAN(r, "critical_path_activities", process(0), 100);
    CHECK_SPAN_AT(r, "critical_path_activities", "foo", process(1), 40);
    CHECK_SPAN(r, "critical_path_activities", process(1), 40);
    CHECK_SPAN_AT(r, "critical_path_activities", "foo", process(2), 30);
    CHECK_SPAN_AT(r, "critical_path_activities", "MPI_Recv", process(2), 2);
    CHECK_SPAN_AT(r, "critical_path_activities", "baz", process(2), 20);
    CHECK_SPAN(r, "non_critical_path_activities", process(0), 0);
}

TEST(what_the_path_kept_waiting_stands_where_the_path_is)
{
    tw_report r = analyze(chain, TW_LEN(chain));

    CHECK_SPAN_AT(r, "critical_imbalance_impact", "foo", process(0), 130);
    CHECK_SPAN(r, "critical_imbalance_impact", process(0), 130);
    CHECK_SPAN(r, "critical_imbalance_impact", process(1), 0);
    CHECK_SPAN_AT(r, "critical_imbalance_impact", "MPI_Recv", process(2), 4);
    CHECK_SPAN_AT(r, "critical_imbalance_impact", "baz", process(2), 40);
}

TEST(work_that_others_never_do_is_imbalance_between_partitions)
{
    tw_report r = analyze(chain, TW_LEN(chain));

    CHECK_SPAN(r, "inter_partition_imbalance", process(0), 0);
    CHECK_SPAN_AT(r, "inter_partition_imbalance", "MPI_Recv", process(2), 4);
    CHECK_SPAN_AT(r, "inter_partition_imbalance", "baz", process(2), 40);
    CHECK_SPAN_AT(r, "intra_partition_imbalance", "foo", process(0), 130);
    CHECK_SPAN(r, "intra_partition_imbalance", process(2), 0);
}

TEST(all_impacts_add_up_to_the_resources_of_the_run)
{
    tw_report r   = analyze(chain, TW_LEN(chain));
    int64_t   all = 0;

    for (uint32_t rank = 0; rank < 3; rank++)
        all += tw_value(r, "performance_impact", NULL, process(rank));
    CHECK_EQ(all, 3 * 122);
}

TEST(an_even_spread_would_shorten_the_path)
{
    tw_report r = analyze(chain, TW_LEN(chain));

    CHECK_SPAN_AT(r, "critical_path_imbalance", "foo", process(0), 43);     /* 43.33 */
    CHECK_SPAN_AT(r, "critical_path_imbalance", "baz", process(2), 13);     /* 13.33 */
    CHECK_SPAN_AT(r, "critical_path_imbalance", "MPI_Recv", process(2), 1); /* 1.33 */
}

/* Process 2 has visited everything that is on the path. */
TEST(with_scout_one_process_without_foreign_work_takes_the_metric_away)
{
    tw_report r = tw_analyze_with(chain, TW_LEN(chain), .options = &no_program, .arguments = "--compat=scout26");

    CHECK_SPAN(r, "inter_partition_imbalance", process(2), 0);
    CHECK_SPAN(r, "critical_imbalance_impact", process(0), 130);
    CHECK_SPAN(r, "intra_partition_imbalance", process(2), 44);
}

/* All on one process: it has no less of anything, so it distributes nothing. */
static const tw_op alone[] = {
    INIT(0), WORK(0, "foo", 0, 100), FINALIZE(0, 100, 100),
    INIT(1), WORK(1, "foo", 0, 40), WORK(1, "bar", 40, 60), FINALIZE(1, 60, 100),
};

TEST(work_beside_the_path_is_non_critical)
{
    tw_report r = analyze(alone, TW_LEN(alone));

    CHECK_SPAN(r, "critical_path", process(0), 100);
    CHECK_SPAN(r, "critical_path", process(1), 0);
    CHECK_SPAN(r, "critical_path_activities", process(1), 40);
    CHECK_SPAN_AT(r, "non_critical_path_activities", "bar", process(1), 20);
    CHECK_SPAN(r, "critical_imbalance_impact", process(0), 40); /* 100 - 60 */
}

TEST(a_process_that_lacks_nothing_divides_by_zero_with_scout)
{
    tw_report r = tw_analyze_with(alone, TW_LEN(alone), .options = &no_program, .arguments = "--compat=scout26");

    CHECK_SPAN(r, "critical_path_activities", process(1), 40);
    CHECK_SPAN(r, "critical_imbalance_impact", process(0), 0);
}

/*   ticks       0       30                 80 85     100
 *   process 0   [foo    ][Ssend············v>>][foo==>]      a Late Receiver of 50
 *   process 1   [foo======================>][recv ]
 */
static const tw_op late_receiver[] = {
    INIT(0), WORK(0, "foo", 0, 30), { .process = 0, .op = TW_SSEND, .enter = 30, .leave = 85, .peer = 1 },
    WORK(0, "foo", 85, 100), FINALIZE(0, 100, 100),
    INIT(1), WORK(1, "foo", 0, 80), { .process = 1, .op = TW_RECV, .enter = 80, .leave = 86, .peer = 0 },
    FINALIZE(1, 86, 110),
};

TEST(the_path_goes_to_a_late_receiver)
{
    tw_report r = analyze(late_receiver, TW_LEN(late_receiver));

    CHECK_SPAN_AT(r, "critical_path", "foo", process(1), 80);
    CHECK_SPAN_AT(r, "critical_path", "MPI_Ssend", process(0), 5);
    CHECK_SPAN_AT(r, "critical_path", "foo", process(0), 15);
}

/* In each step another one works longer, so that in sum all do the same.
 *
 *   ticks       0  10        40   50        80   90       120   130      160
 *   process 0   [foo========>][foo][barrier··][foo][barrier·][foo][barrier·]
 *   process 1   [foo][barrier][foo========>]...
 */
enum { MOVERS = 4, LONG = 40, SHORT = 10 };

static const tw_op *
moving(void)
{
    static tw_op ops[MOVERS * (2 * MOVERS + 2)];
    size_t       n = 0;

    for (uint32_t rank = 0; rank < MOVERS; rank++) {
        ops[n++] = (tw_op)INIT(rank);
        for (uint32_t step = 0; step < MOVERS; step++) {
            hd_time from = (hd_time)step * LONG, until = from + (step == rank ? LONG : SHORT);

            ops[n++] = (tw_op)WORK(rank, "foo", from, until);
            ops[n++] = (tw_op){ .process = rank, .op = TW_BARRIER, .enter = until, .leave = from + LONG };
        }
        ops[n++] = (tw_op)FINALIZE(rank, MOVERS * LONG, MOVERS * LONG);
    }
    return ops;
}

TEST(an_imbalance_that_moves_is_on_the_path_though_not_in_the_profile)
{
    tw_report r = analyze(moving(), MOVERS * (2 * MOVERS + 2));

    for (uint32_t rank = 0; rank < MOVERS; rank++) {
        CHECK_SPAN_AT(r, "time", "foo", process(rank), LONG + (MOVERS - 1) * SHORT);
        CHECK_SPAN_AT(r, "imbalance", "foo", process(rank), 0);
        CHECK_SPAN_AT(r, "critical_path", "foo", process(rank), LONG);
        CHECK_SPAN(r, "critical_path", process(rank), LONG);
        CHECK_SPAN_AT(r, "delay_barrier", "foo", process(rank), (MOVERS - 1) * (LONG - SHORT));
        /* (160 - 70) / 160 * 40 = 22.5 */
        CHECK(tw_value(r, "critical_path_imbalance", "foo", process(rank)) >= 22);
        /* Each lacks 160 - 70, and each has a quarter of the path. */
        CHECK_SPAN_AT(r, "critical_imbalance_impact", "foo", process(rank), 90);
    }
}

/* The opposite: always the same one works longer. */
static const tw_op staying[] = {
    INIT(0), WORK(0, "foo", 0, 40), { .process = 0, .op = TW_BARRIER, .enter = 40, .leave = 40 },
    WORK(0, "foo", 40, 80), { .process = 0, .op = TW_BARRIER, .enter = 80, .leave = 80 }, FINALIZE(0, 80, 80),
    INIT(1), WORK(1, "foo", 0, 10), { .process = 1, .op = TW_BARRIER, .enter = 10, .leave = 40 },
    WORK(1, "foo", 40, 50), { .process = 1, .op = TW_BARRIER, .enter = 50, .leave = 80 }, FINALIZE(1, 80, 80),
};

TEST(an_imbalance_that_stays_is_in_both)
{
    tw_report r = analyze(staying, TW_LEN(staying));

    CHECK_SPAN_AT(r, "imbalance_above", "foo", process(0), 30);
    CHECK_SPAN_AT(r, "critical_path", "foo", process(0), 80);
    CHECK_SPAN(r, "critical_path", process(1), 0);
    CHECK_SPAN_AT(r, "critical_imbalance_impact", "foo", process(0), 60);
}

/* Nobody finalizes: the path comes in where the run ends. */
static const tw_op no_finalize[] = {
    INIT(0), WORK(0, "foo", 0, 100), { .process = 0, .op = TW_SEND, .enter = 100, .leave = 100, .peer = 1 },
    INIT(1), WORK(1, "foo", 0, 40), { .process = 1, .op = TW_RECV, .enter = 40, .leave = 102, .peer = 0 },
    WORK(1, "bar", 102, 150),
};

TEST(without_finalize_the_path_starts_at_the_last_end)
{
    tw_report r = analyze(no_finalize, TW_LEN(no_finalize));

    CHECK_SPAN_AT(r, "critical_path", "foo", process(0), 100);
    CHECK_SPAN_AT(r, "critical_path", "MPI_Recv", process(1), 2);
    CHECK_SPAN_AT(r, "critical_path", "bar", process(1), 48);
}

TEST_MAIN
