/* tests/replay/simulate/test_simulated_windows.c: "Windows" of docs/simulation.md: predictions worked out by hand, of
 * epochs with their groups, of locks, and of targets that are not in MPI.
 */
#include "check_simulation.h"

#define INIT(p) { .process = (p), .op = TW_INIT, .enter = 5, .leave = 10 }
#define END(p) { .process = (p), .op = TW_FINALIZE, .enter = 600, .leave = 610 }
#define WINDOW(p) { .process = (p), .op = TW_WIN_CREATE, .enter = 15, .leave = 20 }

/* ---- epochs ------------------------------------------------------------------------------------------------------ */

/*   origin 0   work 20-100   [start 100 ······ 203] [put 210-214]  work 214-300  [complete 300-304]
 *   target 1   work 20-200   [post 200-202]  [wait 220 ······························ 307]
 */
static const tw_op late_post[] = {
    INIT(0), INIT(1), WINDOW(0), WINDOW(1), END(0), END(1),
    { .process = 0, .op = TW_USER, .enter = 20, .leave = 100, .region = "before" },
    { .process = 0, .op = TW_WIN_START, .enter = 100, .leave = 203, TW_GROUP(1) },
    { .process = 0, .op = TW_PUT, .enter = 210, .leave = 214, .peer = 1 },
    { .process = 0, .op = TW_USER, .enter = 214, .leave = 300, .region = "between" },
    { .process = 0, .op = TW_WIN_COMPLETE, .enter = 300, .leave = 304, TW_GROUP(1) },
    { .process = 1, .op = TW_USER, .enter = 20, .leave = 200, .region = "late" },
    { .process = 1, .op = TW_WIN_POST, .enter = 200, .leave = 202, TW_GROUP(0) },
    { .process = 1, .op = TW_WIN_WAIT, .enter = 220, .leave = 307, TW_GROUP(0) },
};

TEST(an_access_epoch_begins_after_the_post_and_an_exposure_epoch_ends_after_the_complete)
{
    tw_simulation late    = tw_simulate(late_post, TW_LEN(late_post), NULL, "scale late 1/2");
    tw_simulation between = tw_simulate(late_post, TW_LEN(late_post), NULL, "scale between 2");

    CHECK_CALL(late, 1, 0, 200, 202, 110, 112);
    CHECK_CALL(late, 0, 0, 100, 203, 100, 113); /* 3 after the post */
    CHECK_CALL(late, 0, 0, 300, 304, 210, 214);
    CHECK_CALL(late, 1, 0, 220, 307, 130, 217); /* 7 after the complete */
    CHECK_CALL(between, 0, 0, 300, 304, 386, 390);
    CHECK_CALL(between, 1, 0, 220, 307, 220, 393);
}

/* The post was there before the epoch began: it would be waited for at its end.
 *
 *   origin 0   work 20-200   [start 200-203] [complete 210-214]
 *   target 1   work 20-100   [post 100-102]  [wait 150 ··········· 217]
 */
static const tw_op early_post[] = {
    INIT(0), INIT(1), WINDOW(0), WINDOW(1), END(0), END(1),
    { .process = 0, .op = TW_USER, .enter = 20, .leave = 200, .region = "before" },
    { .process = 0, .op = TW_WIN_START, .enter = 200, .leave = 203, TW_GROUP(1) },
    { .process = 0, .op = TW_WIN_COMPLETE, .enter = 210, .leave = 214, TW_GROUP(1) },
    { .process = 1, .op = TW_USER, .enter = 20, .leave = 100, .region = "early" },
    { .process = 1, .op = TW_WIN_POST, .enter = 100, .leave = 102, TW_GROUP(0) },
    { .process = 1, .op = TW_WIN_WAIT, .enter = 150, .leave = 217, TW_GROUP(0) },
};

TEST(a_post_that_becomes_late_is_waited_for_at_the_end_of_the_epoch)
{
    tw_simulation found = tw_simulate(early_post, TW_LEN(early_post), NULL, "scale early 3");

    CHECK_CALL(found, 1, 0, 100, 102, 260, 262);
    CHECK_CALL(found, 0, 0, 200, 203, 200, 203);
    CHECK_CALL(found, 0, 0, 210, 214, 210, 267); /* 7 after the post, as the other wait for an epoch shows */
}

/* ---- fences ------------------------------------------------------------------------------------------------------ */

/* The first fence does not synchronise (an assertion): process 1 leaves it before process 0 enters. Between them 0
 * waits for process 1 to be in MPI, so if 1 waited in the fence, both would wait for each other. In the second one all
 * are there at 200.
 *
 *   process 0   [lock 50-52] [unlock 60 ·· 106]  [fence 110-112]  work 112-200  [fence 200-204]
 *   process 1   [fence 30-34]  work 34-100  [send 100-102]        [fence 120 ······· 205]
 */
static const tw_op fences[] = {
    INIT(0), INIT(1), WINDOW(0), WINDOW(1), END(0), END(1),
    { .process = 0, .op = TW_WIN_LOCK, .enter = 50, .leave = 52, .peer = 1, .exclusive = true },
    { .process = 0, .op = TW_WIN_UNLOCK, .enter = 60, .leave = 106, .peer = 1 },
    { .process = 0, .op = TW_FENCE, .enter = 110, .leave = 112 },
    { .process = 0, .op = TW_USER, .enter = 112, .leave = 200, .region = "inside" },
    { .process = 0, .op = TW_FENCE, .enter = 200, .leave = 204 },
    { .process = 0, .op = TW_RECV, .enter = 300, .leave = 302, .peer = 1 },
    { .process = 1, .op = TW_FENCE, .enter = 30, .leave = 34 },
    { .process = 1, .op = TW_USER, .enter = 34, .leave = 100, .region = "busy" },
    { .process = 1, .op = TW_SEND, .enter = 100, .leave = 102, .peer = 0 },
    { .process = 1, .op = TW_FENCE, .enter = 120, .leave = 205 },
};

TEST(nobody_waits_in_a_fence_that_a_member_left_before_another_one_entered)
{
    tw_simulation found = tw_simulate(fences, TW_LEN(fences), NULL, "scale busy 2");

    CHECK_EQ(found.n_dropped, 0);
    CHECK_CALL(found, 1, 0, 100, 102, 166, 168);
    CHECK_CALL(found, 0, 0, 60, 106, 60, 172); /* 6 after */
    CHECK_CALL(found, 0, 0, 110, 112, 176, 178);
    CHECK_CALL(found, 0, 0, 200, 204, 266, 270);
    CHECK_CALL(found, 1, 0, 120, 205, 186, 271); /* 5 after the other one */
}

/* ---- locks ------------------------------------------------------------------------------------------------------- */

/* Both lock process 2, which is in MPI all the time (a receive from process 0).
 *
 *   process 0   [lock 100-102]  work 102-200  [unlock 200-204]
 *   process 1      [lock 110-112]  [unlock 120 ················ 210]
 */
static const tw_op contention[] = {
    INIT(0), INIT(1), INIT(2), WINDOW(0), WINDOW(1), WINDOW(2), END(0), END(1), END(2),
    { .process = 0, .op = TW_WIN_LOCK, .enter = 100, .leave = 102, .peer = 2, .exclusive = true },
    { .process = 0, .op = TW_USER, .enter = 102, .leave = 200, .region = "inside" },
    { .process = 0, .op = TW_WIN_UNLOCK, .enter = 200, .leave = 204, .peer = 2, .record = 204 },
    { .process = 0, .op = TW_SEND, .enter = 500, .leave = 502, .peer = 2 },
    { .process = 1, .op = TW_WIN_LOCK, .enter = 110, .leave = 112, .peer = 2, .exclusive = true },
    { .process = 1, .op = TW_WIN_UNLOCK, .enter = 120, .leave = 210, .peer = 2, .record = 210 },
    { .process = 2, .op = TW_RECV, .enter = 30, .leave = 504, .peer = 0 },
};

TEST(the_next_owner_of_a_lock_waits_for_the_release)
{
    tw_simulation found = tw_simulate(contention, TW_LEN(contention), NULL, "scale inside 1/2");

    CHECK_CALL(found, 0, 0, 200, 204, 151, 155);
    CHECK_CALL(found, 1, 0, 110, 112, 110, 112);
    CHECK_CALL(found, 1, 0, 120, 210, 120, 161); /* 10 after the unlock is entered */
}

/* The target computes until 300, so the unlock waits for its next call.
 *
 *   origin 0   [lock 100-102] [put 104-105] [unlock 110 ······ 306]
 *   target 1   work 20-300                               [recv 300 ... ]
 */
static const tw_op absent[] = {
    INIT(0), INIT(1), WINDOW(0), WINDOW(1), END(0), END(1),
    { .process = 0, .op = TW_WIN_LOCK, .enter = 100, .leave = 102, .peer = 1, .exclusive = true },
    { .process = 0, .op = TW_WIN_UNLOCK, .enter = 110, .leave = 306, .peer = 1 },
    { .process = 0, .op = TW_SEND, .enter = 500, .leave = 502, .peer = 1 },
    { .process = 1, .op = TW_USER, .enter = 20, .leave = 300, .region = "busy" },
    { .process = 1, .op = TW_RECV, .enter = 300, .leave = 504, .peer = 0 },
};

TEST(an_unlock_waits_until_the_target_is_in_mpi)
{
    tw_simulation found = tw_simulate(absent, TW_LEN(absent), NULL, "scale busy 1/2");

    CHECK_CALL(found, 1, 0, 300, 504, 160, 364);
    CHECK_CALL(found, 0, 0, 110, 306, 110, 166); /* 6 after */
}

TEST_MAIN
