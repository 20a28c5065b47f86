/* tests/replay/test_exchange.c: one exchange between neighbours, synchronised in four ways. Processes 0 to 3 stand in a
 * line, compute for 10, 20, 30 and 60, and put to those beside them.
 *
 *   fences            all wait for the slowest: Wait at Fence
 *   groups + fences   who posts late keeps its neighbours' puts waiting, who completes late their waits; the fence is
 *                     left
 *   groups            the same without it
 *   optimised         windows are posted before computing: only what neighbours are late is left
 *
 * As in the table of the paper on the one-sided patterns: the waiting time goes from the fence to Late Complete and
 * Early Transfer, then it shrinks.
 */
#include "check.h"
#include "situation.h"

#define WORK(rank, from, until) { .process = rank, .op = TW_USER, .region = "compute", .enter = from, .leave = until }
#define PUT_TO(rank, target, from, until) { .process = rank, .op = TW_PUT, .enter = from, .leave = until,              \
                                            .peer = target }
#define FENCE(rank, from, until) { .process = rank, .op = TW_FENCE, .enter = from, .leave = until }
#define POST(rank, from, ...) { .process = rank, .op = TW_WIN_POST, .enter = from, .leave = from + 1,                  \
                                TW_GROUP(__VA_ARGS__) }
#define START(rank, from, ...) { .process = rank, .op = TW_WIN_START, .enter = from, .leave = from + 1,                \
                                 TW_GROUP(__VA_ARGS__) }
#define COMPLETE(rank, from, ...) { .process = rank, .op = TW_WIN_COMPLETE, .enter = from, .leave = from + 1,          \
                                    TW_GROUP(__VA_ARGS__) }
#define WAIT(rank, from, until, ...) { .process = rank, .op = TW_WIN_WAIT, .enter = from, .leave = until,              \
                                       TW_GROUP(__VA_ARGS__) }

static const tw_op fences[] = {
    WORK(0, 0, 10), PUT_TO(0, 1, 10, 12), FENCE(0, 12, 65),
    WORK(1, 0, 20), PUT_TO(1, 0, 20, 22), PUT_TO(1, 2, 22, 24), FENCE(1, 24, 65),
    WORK(2, 0, 30), PUT_TO(2, 1, 30, 32), PUT_TO(2, 3, 32, 34), FENCE(2, 34, 65),
    WORK(3, 0, 60), PUT_TO(3, 2, 60, 62), FENCE(3, 62, 65),
};

#define IN_GROUPS                                                                                                      \
    WORK(0, 0, 10), POST(0, 10, 1), START(0, 11, 1), PUT_TO(0, 1, 12, 21), COMPLETE(0, 21, 1), WAIT(0, 22, 33, 1),     \
    WORK(1, 0, 20), POST(1, 20, 0, 2), START(1, 21, 0, 2), PUT_TO(1, 0, 22, 23), PUT_TO(1, 2, 23, 31),                 \
    COMPLETE(1, 32, 0, 2), WAIT(1, 33, 63, 0, 2),                                                                      \
    WORK(2, 0, 30), POST(2, 30, 1, 3), START(2, 31, 1, 3), PUT_TO(2, 1, 32, 33), PUT_TO(2, 3, 33, 61),                 \
    COMPLETE(2, 62, 1, 3), WAIT(2, 63, 66, 1, 3),                                                                      \
    WORK(3, 0, 60), POST(3, 60, 2), START(3, 61, 2), PUT_TO(3, 2, 62, 63), COMPLETE(3, 64, 2), WAIT(3, 65, 66, 2)

static const tw_op groups_and_fences[] =
    { IN_GROUPS, FENCE(0, 34, 70), FENCE(1, 64, 70), FENCE(2, 67, 70), FENCE(3, 67, 70) };
static const tw_op groups[]            = { IN_GROUPS };

static const tw_op optimised[] = {
    POST(0, 0, 1), WORK(0, 1, 11), START(0, 11, 1), PUT_TO(0, 1, 12, 13), COMPLETE(0, 13, 1), WAIT(0, 14, 25, 1),
    POST(1, 0, 0, 2), WORK(1, 1, 21), START(1, 21, 0, 2), PUT_TO(1, 0, 22, 23), PUT_TO(1, 2, 23, 24),
    COMPLETE(1, 24, 0, 2), WAIT(1, 25, 35, 0, 2),
    POST(2, 0, 1, 3), WORK(2, 1, 31), START(2, 31, 1, 3), PUT_TO(2, 1, 32, 33), PUT_TO(2, 3, 33, 34),
    COMPLETE(2, 34, 1, 3), WAIT(2, 35, 66, 1, 3),
    POST(3, 0, 2), WORK(3, 1, 61), START(3, 61, 2), PUT_TO(3, 2, 62, 63), COMPLETE(3, 63, 2), WAIT(3, 64, 65, 2),
};

typedef struct waits { /* of all processes */
    int64_t fence, early_wait, late_complete, early_transfer, late_post, costs;
} waits;

static int64_t
sum(tw_report r, const char *metric)
{
    int64_t value = 0;

    for (uint32_t i = 0; i < 4; i++)
        value += tw_value(r, metric, NULL, process(i));
    return value;
}

static waits
waits_of(tw_report r)
{
    return (waits){ .fence = sum(r, "mpi_rma_wait_at_fence"), .early_wait = sum(r, "mpi_rma_early_wait"),
                    .late_complete = sum(r, "mpi_rma_late_complete"), .early_transfer = sum(r, "mpi_rma_earlytransfer"),
                    .late_post = sum(r, "mpi_rma_comm_late_post") + sum(r, "mpi_rma_sync_late_post"),
                    .costs = sum(r, "delay_rma") + sum(r, "delay_rma_longterm") + sum(r, "delay_unattributed_rma") };
}

TEST(with_fences_alone_all_wait_for_the_slowest)
{
    waits w = waits_of(tw_analyze(fences, TW_LEN(fences)));

    CHECK_EQ(w.fence, 50 + 38 + 28);
    CHECK_EQ(w.early_wait + w.late_complete + w.early_transfer + w.late_post, 0);
}

TEST(with_groups_the_waiting_time_goes_to_puts_and_waits)
{
    waits w = waits_of(tw_analyze(groups_and_fences, TW_LEN(groups_and_fences)));

    CHECK_EQ(w.fence, 33 + 3);
    CHECK_EQ(w.early_transfer, 8 + 7 + 27);
    CHECK_EQ(w.late_post, 8 + 7 + 27);
    CHECK_EQ(w.early_wait, 10 + 29 + 1);
    CHECK_EQ(w.late_complete, 9 + 29 + 1);
}

TEST(without_the_fence_its_part_is_gone)
{
    waits w = waits_of(tw_analyze(groups, TW_LEN(groups)));

    CHECK_EQ(w.fence, 0);
    CHECK_EQ(w.early_transfer, 42);
    CHECK_EQ(w.early_wait, 40);
    CHECK_EQ(w.late_complete, 39);
}

TEST(posting_before_computing_leaves_what_neighbours_are_late)
{
    waits w = waits_of(tw_analyze(optimised, TW_LEN(optimised)));

    CHECK_EQ(w.fence, 0);
    CHECK_EQ(w.early_transfer + w.late_post, 0);
    CHECK_EQ(w.early_wait, 10 + 9 + 28);
    CHECK_EQ(w.late_complete, 1 + 1);
    CHECK_EQ(w.costs, w.early_wait);
}

TEST_MAIN
