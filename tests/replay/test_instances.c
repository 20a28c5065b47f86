/* tests/replay/test_instances.c: docs/formats.md#statistics and #instances, how long single waits were, when, and what
 * was around them. */
#include "check.h"
#include "situation.h"

#define STATISTICS "metric\tpath\tcount\tmean\tmedian\tminimum\tmaximum\tsum\tvariance\tquartile25\tquartile75\n"
#define INSTANCES  "instance\tmetric\tpath\tprocess\tthread\tenter\tleave\twaiting\tpeer\n"
#define MOMENTS    "instance\tprocess\tthread\tbegin\tend\tpath\tkind\n"
#define WINDOWS    "instance\tbegin\tend\tlanes\tpartners\tsends\treceives\n"
#define MESSAGES   "instance\tsender\tsender_thread\treceiver\treceiver_thread\tsent\treceived\tbytes\ttag\n"

/*   ticks       20  40  60  100   140   200 240
 *   process 0   ····[send]··[send]······[send]         call paths: 0 the program, 1 main, 2 MPI_Send, 3 MPI_Recv
 *   process 1   [recv··]····[recv][recv······]·        waits 40 - 20, 0, 200 - 140
 */
static const tw_op messages[] = {
    { .process = 0, .op = TW_SEND, .enter = 40, .leave = 50, .peer = 1, .tag = 7 },
    { .process = 0, .op = TW_SEND, .enter = 100, .leave = 110, .peer = 1, .tag = 7 },
    { .process = 0, .op = TW_SEND, .enter = 200, .leave = 210, .peer = 1, .tag = 7 },
    { .process = 1, .op = TW_RECV, .enter = 20, .leave = 60, .peer = 0, .tag = 7 },
    { .process = 1, .op = TW_RECV, .enter = 100, .leave = 120, .peer = 0, .tag = 7 },
    { .process = 1, .op = TW_RECV, .enter = 140, .leave = 240, .peer = 0, .tag = 7 },
};

TEST(a_wait_is_an_instance_and_the_longest_comes_first)
{
    tw_report r = tw_analyze(messages, TW_LEN(messages));

    CHECK_STR(tw_instances(r),
              STATISTICS
              "mpi_latesender\t\t2\t4e-05\t4e-05\t0.00002\t0.00006\t0.00008\t4e-10\t3e-05\t5e-05\n"
              "mpi_latesender\t3\t2\t4e-05\t4e-05\t0.00002\t0.00006\t0.00008\t4e-10\t3e-05\t5e-05\n"
              INSTANCES
              "1\tmpi_latesender\t3\t1\t0\t0.00014\t0.00024\t0.00006\t0\n"
              "2\tmpi_latesender\t3\t1\t0\t0.00002\t0.00006\t0.00002\t0\n"
              MOMENTS
              /* half the call's length before it, and behind it up to the end at 241 */
              "1\t0\t0\t0.000089\t0.0001\t1\tcall\n"
              "1\t0\t0\t0.0001\t0.00011\t2\tcall\n"
              "1\t0\t0\t0.00011\t0.0002\t1\tcall\n"
              "1\t0\t0\t0.0002\t0.00021\t2\tcall\n"
              "1\t0\t0\t0.00021\t0.000241\t1\tcall\n"
              "1\t1\t0\t0.000089\t0.0001\t1\tcall\n"
              "1\t1\t0\t0.0001\t0.00012\t3\tcall\n"
              "1\t1\t0\t0.00012\t0.00014\t1\tcall\n"
              "1\t1\t0\t0.00014\t0.00024\t3\tcall\n"
              "1\t1\t0\t0.00014\t0.0002\t3\twait\n"
              "1\t1\t0\t0.00024\t0.000241\t1\tcall\n"
              "2\t0\t0\t0\t0.00004\t1\tcall\n"
              "2\t0\t0\t0.00004\t0.00005\t2\tcall\n"
              "2\t0\t0\t0.00005\t0.000081\t1\tcall\n"
              "2\t1\t0\t0\t0.00002\t1\tcall\n"
              "2\t1\t0\t0.00002\t0.00006\t3\tcall\n"
              "2\t1\t0\t0.00002\t0.00004\t3\twait\n"
              "2\t1\t0\t0.00006\t0.000081\t1\tcall\n"
              WINDOWS
              "1\t0.000089\t0.000242\t2\t0\t2\t2\n"
              "2\t0\t0.000081\t2\t0\t1\t1\n"
              MESSAGES
              "1\t0\t0\t1\t0\t0.0001\t0.00012\t8\t7\n"
              "1\t0\t0\t1\t0\t0.0002\t0.00024\t8\t7\n"
              "2\t0\t0\t1\t0\t0.00004\t0.00006\t8\t7\n");
}

/*   ticks       10    30    50 56 58 60
 *   process 0   [allreduce·····]               waits 50 - 10, completes 56 - 56
 *   process 1   ······[allreduce·······]       waits 50 - 30, completes 60 - 56
 *   process 2   ············[allreduce··]      waits 0,       completes 58 - 56
 */
static const tw_op exchange[] = {
    { .process = 0, .op = TW_ALLREDUCE, .enter = 10, .leave = 56 },
    { .process = 1, .op = TW_ALLREDUCE, .enter = 30, .leave = 60 },
    { .process = 2, .op = TW_ALLREDUCE, .enter = 50, .leave = 58 },
};

TEST(a_collective_is_one_instance_of_the_member_that_waits_longest)
{
    tw_report r = tw_analyze(exchange, TW_LEN(exchange));

    CHECK(strstr(tw_instances(r), STATISTICS
                 "mpi_wait_nxn\t\t1\t6e-05\t6e-05\t0.00006\t0.00006\t0.00006\t0\t6e-05\t6e-05\n"
                 "mpi_wait_nxn\t2\t1\t6e-05\t6e-05\t0.00006\t0.00006\t0.00006\t0\t6e-05\t6e-05\n"
                 "mpi_nxn_completion\t\t1\t6e-06\t6e-06\t0.000006\t0.000006\t0.000006\t0\t6e-06\t6e-06\n"
                 "mpi_nxn_completion\t2\t1\t6e-06\t6e-06\t0.000006\t0.000006\t0.000006\t0\t6e-06\t6e-06\n"
                 INSTANCES
                 "1\tmpi_wait_nxn\t2\t0\t0\t0.00001\t0.000056\t0.00006\t2\n"
                 "2\tmpi_nxn_completion\t2\t1\t0\t0.00003\t0.00006\t0.000006\t\n"
                 MOMENTS) == tw_instances(r));
    CHECK(strstr(tw_instances(r), "\n1\t0\t0\t0.00001\t0.00005\t2\twait\n") != NULL);
    CHECK(strstr(tw_instances(r), "\n1\t1\t0\t0.00003\t0.00005\t2\twait\n") != NULL);
    /* who was waited for is in the picture */
    CHECK(strstr(tw_instances(r), "\n1\t2\t0\t0.00005\t0.000058\t2\tcall\n") != NULL);
    CHECK(strstr(tw_instances(r), "\n1\t2\t0\t0.00005\t0.000058\t2\twait\n") == NULL);
}

static const tw_op together[] = {
    { .process = 0, .op = TW_ALLREDUCE, .enter = 10, .leave = 56 },
    { .process = 1, .op = TW_ALLREDUCE, .enter = 10, .leave = 56 },
};

TEST(where_nobody_waits_there_are_no_instances)
{
    CHECK_STR(tw_instances(tw_analyze(together, TW_LEN(together))), STATISTICS INSTANCES MOMENTS WINDOWS MESSAGES);
}

/* Of equal waits that of the lowest process, then the earliest. */
static const tw_op equals[] = {
    { .process = 0, .op = TW_BARRIER, .enter = 30, .leave = 36 },
    { .process = 0, .op = TW_BARRIER, .enter = 130, .leave = 136 },
    { .process = 1, .op = TW_BARRIER, .enter = 10, .leave = 36 },
    { .process = 1, .op = TW_BARRIER, .enter = 110, .leave = 136 },
    { .process = 2, .op = TW_BARRIER, .enter = 10, .leave = 36 },
    { .process = 2, .op = TW_BARRIER, .enter = 110, .leave = 136 },
};

TEST(of_equal_instances_the_lowest_process_and_the_earliest_come_first)
{
    tw_report r = tw_analyze(equals, TW_LEN(equals));

    CHECK(strstr(tw_instances(r), INSTANCES
                 "1\tmpi_barrier_wait\t2\t1\t0\t0.00001\t0.000036\t0.00004\t0\n"
                 "2\tmpi_barrier_wait\t2\t1\t0\t0.00011\t0.000136\t0.00004\t0\n"
                 MOMENTS) != NULL);
}

/*   ticks       10  20      50  60 70  80
 *   process 0   ····[send 1][send 2]······
 *   process 1   [recv 2········][recv 1]··      waits 50 - 10, though tag 1 was there at 20
 */
static const tw_op wrong_order[] = {
    { .process = 0, .op = TW_SEND, .enter = 20, .leave = 25, .peer = 1, .tag = 1 },
    { .process = 0, .op = TW_SEND, .enter = 50, .leave = 55, .peer = 1, .tag = 2 },
    { .process = 1, .op = TW_RECV, .enter = 10, .leave = 60, .peer = 0, .tag = 2 },
    { .process = 1, .op = TW_RECV, .enter = 70, .leave = 80, .peer = 0, .tag = 1 },
};

TEST(a_message_in_wrong_order_is_the_same_call_once_more)
{
    tw_report r = tw_analyze(wrong_order, TW_LEN(wrong_order));

    CHECK(strstr(tw_instances(r), INSTANCES
                 "1\tmpi_latesender\t3\t1\t0\t0.00001\t0.00006\t0.00004\t0\n"
                 "2\tmpi_latesender_wo\t3\t1\t0\t0.00001\t0.00006\t0.00004\t0\n"
                 MOMENTS) != NULL);
}

static const tw_op late_receiver[] = {
    { .process = 0, .op = TW_SSEND, .enter = 10, .leave = 60, .peer = 1, .tag = 1 },
    { .process = 1, .op = TW_RECV, .enter = 45, .leave = 62, .peer = 0, .tag = 1 },
};

TEST(a_sender_waits_for_its_receiver)
{
    tw_report r = tw_analyze(late_receiver, TW_LEN(late_receiver));

    CHECK(strstr(tw_instances(r), INSTANCES "1\tmpi_latereceiver\t2\t0\t0\t0.00001\t0.00006\t0.000035\t1\n" MOMENTS) !=
          NULL);
}

/*   ticks      10      40  50 60
 *   thread 0   [barrier······]        waits 50 - 10, and thread 2 50 - 40: together 50
 *   thread 1   ············[b·]
 *   thread 2   ········[barrier]
 */
static const tw_op barrier[] = {
    { .op = TW_FORK, .enter = 0, .leave = 100 },
    { .op = TW_TEAM, .thread = 0, .enter = 1, .leave = 90 },
    { .op = TW_TEAM, .thread = 1, .enter = 1, .leave = 90 },
    { .op = TW_TEAM, .thread = 2, .enter = 1, .leave = 90 },
    { .op = TW_OMP_BARRIER, .thread = 0, .enter = 10, .leave = 60 },
    { .op = TW_OMP_BARRIER, .thread = 1, .enter = 50, .leave = 60 },
    { .op = TW_OMP_BARRIER, .thread = 2, .enter = 40, .leave = 60 },
};

TEST(a_barrier_of_threads_is_one_instance_without_another_process)
{
    tw_report r = tw_analyze(barrier, TW_LEN(barrier));

    CHECK(strstr(tw_instances(r), INSTANCES "1\tomp_ebarrier_wait\t") != NULL);
    CHECK(strstr(tw_instances(r), "\t0\t0\t0.00001\t0.00006\t0.00005\t\n") != NULL);
    CHECK(strstr(tw_instances(r), "\n1\t0\t2\t0.00004\t0.00005\t") != NULL);
    CHECK(strstr(tw_instances(r), "\n1\t0\t1\t0.00005\t0.00006\t") != NULL);
}

/*   ticks      10    20    40
 *   thread 0   [critical···]              acquired at 10, released at 40
 *   thread 1   ······[critical··········] acquired at 41: waits 40 - 20
 */
static const tw_op critical[] = {
    { .op = TW_FORK, .enter = 0, .leave = 100 },
    { .op = TW_TEAM, .thread = 0, .enter = 1, .leave = 90 },
    { .op = TW_TEAM, .thread = 1, .enter = 1, .leave = 90 },
    { .op = TW_CRITICAL, .thread = 0, .enter = 10, .leave = 40, .lock = 1, .order = 1 },
    { .op = TW_CRITICAL, .thread = 1, .enter = 20, .leave = 60, .record = 41, .lock = 1, .order = 2 },
};

TEST(waiting_for_a_lock_ends_where_it_is_acquired)
{
    tw_report r = tw_analyze(critical, TW_LEN(critical));

    CHECK(strstr(tw_instances(r), "\t0\t1\t0.00002\t0.000041\t0.00002\t\n") != NULL);
}

TEST_MAIN
