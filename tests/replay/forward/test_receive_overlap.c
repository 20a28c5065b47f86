/* tests/replay/forward/test_receive_overlap.c: "Overlap of non-blocking receives" of docs/metrics.md.
 *
 *   ticks       5      20      50  60
 *   process 0   ·······[send]·········        overlap = 50 - 20, at process 1
 *   process 1   [Irecv]········[Wait]·
 */
#include "check.h"
#include "situation.h"

#define IRECV(from, number, at) { .process = 1, .op = TW_IRECV, .enter = (at), .leave = (at) + 1, .peer = (from),      \
                                  .request = (number) }

static const tw_op sent_later[] = {
    { .process = 0, .op = TW_SEND, .enter = 20, .leave = 25, .peer = 1 },
    IRECV(0, 1, 5),
    { .process = 1, .op = TW_WAIT, .enter = 50, .leave = 60, .request = 1 },
};

TEST(a_message_travels_from_the_enter_of_its_send_to_that_of_the_wait)
{
    tw_report r = tw_analyze(sent_later, TW_LEN(sent_later));

    CHECK_SPAN(r, "mpi_receive_overlap", process(1), 30);
    CHECK_SPAN_AT(r, "mpi_receive_overlap", "main;MPI_Wait", process(1), 30);
    CHECK_SPAN(r, "mpi_receive_overlap", process(0), 0);
}

TEST(overlap_is_no_waiting_time)
{
    tw_report r = tw_analyze(sent_later, TW_LEN(sent_later));

    CHECK_SPAN(r, "mpi_latesender", process(1), 0);
    CHECK(strstr(tw_instances(r), "mpi_receive_overlap") == NULL);
}

TEST(scout_has_no_such_metric)
{
    tw_report r = tw_analyze_with(sent_later, TW_LEN(sent_later), .arguments = "--compat=scout26");

    CHECK_SPAN(r, "mpi_receive_overlap", process(1), 0);
}

TEST(a_wait_in_the_interval_has_its_overlap_of_the_whole_run)
{
    tw_report inside = tw_analyze_with(sent_later, TW_LEN(sent_later), .arguments = "--from 40us --to 61us");
    tw_report cut    = tw_analyze_with(sent_later, TW_LEN(sent_later), .arguments = "--from 0 --to 60us");

    CHECK_SPAN(inside, "mpi_receive_overlap", process(1), 30);
    CHECK_SPAN(cut, "mpi_receive_overlap", process(1), 0);
}

static const tw_op sent_earlier[] = {
    { .process = 0, .op = TW_SEND, .enter = 2, .leave = 4, .peer = 1 },
    IRECV(0, 1, 5),
    { .process = 1, .op = TW_TEST, .enter = 40, .leave = 41, .request = 1, .unsuccessful = true },
    { .process = 1, .op = TW_TEST, .enter = 50, .leave = 60, .request = 1 },
};

TEST(no_message_arrives_before_its_receive_is_posted)
{
    tw_report r = tw_analyze(sent_earlier, TW_LEN(sent_earlier));

    CHECK_SPAN_AT(r, "mpi_receive_overlap", "main;MPI_Test", process(1), 45);
}

static const tw_op sent_in_the_wait[] = {
    { .process = 0, .op = TW_SEND, .enter = 50, .leave = 55, .peer = 1 },
    { .process = 0, .op = TW_SEND, .enter = 90, .leave = 95, .peer = 1, .tag = 1 },
    IRECV(0, 1, 5),
    { .process = 1, .op = TW_WAIT, .enter = 50, .leave = 60, .request = 1 },
    { .process = 1, .op = TW_IRECV, .enter = 70, .leave = 71, .peer = 0, .tag = 1, .request = 2 },
    { .process = 1, .op = TW_WAIT, .enter = 80, .leave = 99, .request = 2 },
};

TEST(a_send_that_starts_with_the_wait_or_later_leaves_nothing)
{
    tw_report r = tw_analyze(sent_in_the_wait, TW_LEN(sent_in_the_wait));

    CHECK_SPAN(r, "mpi_receive_overlap", process(1), 0);
    CHECK_SPAN(r, "mpi_latesender", process(1), 10);
}

static const tw_op blocking[] = {
    { .process = 0, .op = TW_SEND, .enter = 2, .leave = 4, .peer = 1 },
    { .process = 1, .op = TW_RECV, .enter = 50, .leave = 60, .peer = 0 },
};

TEST(a_blocking_receive_has_none)
{
    tw_report r = tw_analyze(blocking, TW_LEN(blocking));

    CHECK_SPAN(r, "mpi_receive_overlap", process(1), 0);
}

/* 50 - 20 and 50 - 30. */
static const tw_op several[] = {
    { .process = 0, .op = TW_SEND, .enter = 20, .leave = 25, .peer = 1 },
    { .process = 2, .op = TW_ISEND, .enter = 30, .leave = 31, .peer = 1, .request = 1 },
    { .process = 2, .op = TW_WAIT, .enter = 40, .leave = 45, .request = 1 },
    IRECV(0, 1, 5),
    IRECV(2, 2, 10),
    { .process = 1, .op = TW_WAITALL, .enter = 50, .leave = 60, .requests = TW_REQUESTS(1, 2) },
};

TEST(each_message_of_a_waitall_counts)
{
    tw_report r = tw_analyze(several, TW_LEN(several));

    CHECK_SPAN_AT(r, "mpi_receive_overlap", "main;MPI_Waitall", process(1), 50);
    CHECK_SPAN(r, "mpi_receive_overlap", process(2), 0);
}

/* The second start is received 70 - 62 after its send. */
static const tw_op persistent[] = {
    { .process = 0, .op = TW_SEND, .enter = 20, .leave = 25, .peer = 1 },
    { .process = 0, .op = TW_SEND, .enter = 62, .leave = 65, .peer = 1 },
    { .process = 1, .op = TW_START_RECV, .enter = 5, .leave = 6, .peer = 0, .request = 1 },
    { .process = 1, .op = TW_WAIT, .enter = 30, .leave = 40, .request = 1 },
    { .process = 1, .op = TW_START_RECV, .enter = 50, .leave = 51, .peer = 0, .request = 1 },
    { .process = 1, .op = TW_WAIT, .enter = 70, .leave = 80, .request = 1 },
};

TEST(a_persistent_receive_is_posted_at_each_start)
{
    tw_report r = tw_analyze(persistent, TW_LEN(persistent));

    CHECK_SPAN(r, "mpi_receive_overlap", process(1), 10 + 8);
}

static const tw_op on_two_threads[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 2, .leave = 180 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 2, .leave = 180 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 2, .leave = 180 },
    { .process = 0, .thread = 0, .op = TW_IRECV, .enter = 15, .leave = 16, .peer = 1, .request = 1 },
    { .process = 0, .thread = 1, .op = TW_WAIT, .enter = 50, .leave = 60, .request = 1 },
    { .process = 1, .op = TW_SEND, .enter = 10, .leave = 12, .peer = 0 },
};

TEST(the_thread_that_completes_a_receive_has_the_overlap)
{
    tw_report r = tw_analyze(on_two_threads, TW_LEN(on_two_threads));

    CHECK_THREAD(r, "mpi_receive_overlap", 0, 0);
    CHECK_THREAD(r, "mpi_receive_overlap", 1, 35);
}

/* Its record stands in no call of MPI. */
static const tw_op post_not_known[] = {
    { .process = 0, .op = TW_SEND, .enter = 20, .leave = 25, .peer = 1 },
    { .process = 1, .op = TW_IRECV, .region = "work", .enter = 5, .leave = 6, .peer = 0, .request = 1 },
    { .process = 1, .op = TW_WAIT, .enter = 50, .leave = 60, .request = 1 },
};

TEST(a_receive_whose_post_is_not_known_has_none)
{
    tw_report r = tw_analyze(post_not_known, TW_LEN(post_not_known));

    CHECK_SPAN(r, "mpi_receive_overlap", process(1), 0);
}

static const tw_op send_not_recorded[] = {
    { .process = 0, .op = TW_USER, .enter = 20, .leave = 25 },
    IRECV(0, 1, 5),
    { .process = 1, .op = TW_WAIT, .enter = 50, .leave = 60, .request = 1 },
};

TEST(a_receive_without_a_send_has_none)
{
    tw_report r = tw_analyze(send_not_recorded, TW_LEN(send_not_recorded));

    CHECK_SPAN(r, "mpi_receive_overlap", process(1), 0);
}

TEST_MAIN
