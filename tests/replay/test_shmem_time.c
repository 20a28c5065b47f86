/* tests/replay/test_shmem_time.c: time in SHMEM calls, beside MPI, through the whole program.
 *
 *   ticks       10    20    35 40    50    60    65 70   80       90
 *   process 0   [init][put  ][pe]    [until][lock] [MPI_Barrier·· ]
 *   process 1   [init][sum_to_all]   [barrier_all      ][MPI_Barrier]
 */
#include "check.h"
#include "situation.h"

#define CALL(rank, name, from, to) { .process = rank, .op = TW_USER, .region = name, .enter = from, .leave = to }

static const tw_op both[] = {
    CALL(0, "shmem_init", 10, 20),
    CALL(0, "shmem_put64", 20, 35),
    CALL(0, "shmem_my_pe", 35, 40),
    CALL(0, "shmem_int_wait_until", 50, 60),
    CALL(0, "shmem_set_lock", 60, 65),
    { .process = 0, .op = TW_BARRIER, .enter = 70, .leave = 90 },
    CALL(1, "shmem_init", 10, 20),
    CALL(1, "shmem_int_sum_to_all", 20, 40),
    CALL(1, "shmem_barrier_all", 50, 80),
    { .process = 1, .op = TW_BARRIER, .enter = 80, .leave = 90 },
};

TEST(shmem_has_its_parts)
{
    tw_report r = tw_analyze(both, TW_LEN(both));

    CHECK_SPAN(r, "shmem", process(0), 45);
    CHECK_SPAN(r, "shmem_init_exit", process(0), 10);
    CHECK_SPAN(r, "shmem_rma_communication", process(0), 15);
    CHECK_SPAN(r, "shmem_communication", process(0), 15);
    CHECK_SPAN(r, "shmem_point2point_synchronization", process(0), 15);
    CHECK_SPAN(r, "shmem_wait_until", process(0), 10);
    CHECK_SPAN(r, "shmem_lock_completion", process(0), 5);
    CHECK_SPAN_AT(r, "shmem", "main;shmem_my_pe", process(0), 5);
    CHECK_SPAN(r, "shmem", process(1), 60);
    CHECK_SPAN(r, "shmem_collective", process(1), 20);
    CHECK_SPAN(r, "shmem_sync_collective", process(1), 30);
    CHECK_SPAN(r, "shmem_synchronization", process(1), 30);
}

TEST(shmem_is_no_computation_and_no_mpi)
{
    tw_report r = tw_analyze(both, TW_LEN(both));

    CHECK_SPAN(r, "mpi", process(0), 20);
    CHECK_SPAN(r, "mpi_barrier_wait", process(0), 10);
    for (uint32_t i = 0; i < 2; i++)
        CHECK_EQ(tw_value(r, "comp", NULL, process(i)) + tw_value(r, "shmem", NULL, process(i)) +
                 tw_value(r, "mpi", NULL, process(i)), tw_value(r, "execution", NULL, process(i)));
}

TEST(with_compat_shmem_is_computation)
{
    tw_report r = tw_analyze(both, TW_LEN(both));
    tw_report c = tw_analyze_with(both, TW_LEN(both), .arguments = "--compat=scout26");

    CHECK_SPAN(c, "shmem", process(0), 0);
    CHECK_SPAN_AT(c, "comp", "main;shmem_put64", process(0), 15);
    CHECK_EQ(tw_value(c, "comp", NULL, process(0)), tw_value(r, "comp", NULL, process(0)) + 45);
    CHECK_EQ(tw_value(c, "mpi_barrier_wait", NULL, process(0)), 10);
}

/* User functions may be called what they like. */
static const tw_op none[] = {
    CALL(0, "put64", 20, 35),
    { .process = 0, .op = TW_BARRIER, .enter = 70, .leave = 90 },
    { .process = 1, .op = TW_BARRIER, .enter = 80, .leave = 90 },
};

TEST(a_program_without_shmem_has_no_time_in_it)
{
    tw_report r = tw_analyze(none, TW_LEN(none));

    CHECK_SPAN(r, "shmem", process(0), 0);
    CHECK_SPAN_AT(r, "comp", "main;put64", process(0), 15);
}

TEST_MAIN
