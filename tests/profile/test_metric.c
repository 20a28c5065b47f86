/* tests/profile/test_metric.c: the table of metrics is consistent. */
#include "check.h"
#include "metric.h"

#include <stdlib.h>

TEST(every_id_is_there_once_and_is_found)
{
    for (uint32_t i = 0; i < HD_N_METRICS; i++)
        CHECK_EQ(hd_metric_by_id(hd_metric_infos[i].id), i);
    CHECK_EQ(hd_metric_by_id("mpi_no_such_metric"), HD_NONE);
    CHECK_STR(hd_metric_infos[HD_METRIC_mpi_latesender].id, "mpi_latesender");
}

TEST(ids_are_what_files_may_have)
{
    for (uint32_t i = 0; i < HD_N_METRICS; i++)
        CHECK_EQ(strspn(hd_metric_infos[i].id, "abcdefghijklmnopqrstuvwxyz0123456789_"), strlen(hd_metric_infos[i].id));
}

/* In pre-order a metric's parent is the one before it, or an ancestor of that one. */
TEST(metrics_stand_in_pre_order)
{
    for (uint32_t i = 0; i < HD_N_METRICS; i++) {
        uint32_t parent = hd_metric_infos[i].parent;
        uint32_t above  = i > 0 ? i - 1 : HD_NONE;

        while (above != HD_NONE && above != parent)
            above = hd_metric_infos[above].parent;
        CHECK(above == parent);
    }
}

TEST(children_have_the_unit_of_their_parent)
{
    for (uint32_t i = 0; i < HD_N_METRICS; i++)
        if (hd_metric_infos[i].parent != HD_NONE)
            CHECK_EQ(hd_metric_infos[i].unit, hd_metric_infos[hd_metric_infos[i].parent].unit);
}

TEST(bounds_name_something_that_is_there)
{
    for (uint32_t i = 0; i < HD_N_METRICS; i++) {
        CHECK(hd_metric_infos[i].bound != HD_BOUND_PARENT || hd_metric_infos[i].parent != HD_NONE);
        CHECK(hd_metric_infos[i].bound != HD_BOUND_TIME || hd_metric_infos[i].unit == HD_UNIT_TICKS);
    }
}

TEST(what_is_below_an_extension_is_one)
{
    for (uint32_t i = 0; i < HD_N_METRICS; i++)
        if (hd_metric_infos[i].parent != HD_NONE && hd_metric_is_extension(&hd_metric_infos[hd_metric_infos[i].parent]))
            CHECK(hd_metric_is_extension(&hd_metric_infos[i]));
}

TEST(what_a_call_waits_for_is_a_wait_state_and_its_parts_are_none)
{
    static const hd_metric waits[]  = { HD_METRIC_mpi_latesender, HD_METRIC_mpi_nbc_wait, HD_METRIC_omp_taskwait_wait,
                                        HD_METRIC_shmem_barrier_wait, HD_METRIC_shmem_latebroadcast,
                                        HD_METRIC_shmem_wait_nxn };
    static const hd_metric others[] = { HD_METRIC_time, HD_METRIC_mpi_latesender_wo, HD_METRIC_mpi_ls_refill,
                                        HD_METRIC_mpi_ls_refill_pp,
                                        HD_METRIC_mpi_nbc_barrier_wait, HD_METRIC_omp_management,
                                        HD_METRIC_topo_latesender_xp,
                                        HD_METRIC_omp_task_time, HD_METRIC_visits, HD_METRIC_shmem,
                                        HD_METRIC_shmem_wait_until };

    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
        CHECK(hd_metric_is_wait_state(waits[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        CHECK(!hd_metric_is_wait_state(others[i]));
    CHECK(!hd_metric_is_wait_state(HD_NONE));
}

TEST(titles_tell_wait_states_apart)
{
    char *titles[HD_N_METRICS] = { NULL };

    for (uint32_t i = 0; i < HD_N_METRICS; i++) {
        titles[i] = hd_metric_is_wait_state(i) ? hd_metric_title(i) : NULL;
        for (uint32_t j = 0; j < i && titles[i] != NULL; j++)
            CHECK(titles[j] == NULL || strcmp(titles[i], titles[j]) != 0);
    }
    CHECK_STR(titles[HD_METRIC_omp_ibarrier_wait], "Wait at Barrier (OpenMP, implicit)");
    CHECK_STR(titles[HD_METRIC_mpi_latesender], "Late Sender (MPI)");
    for (uint32_t i = 0; i < HD_N_METRICS; i++)
        free(titles[i]);
}

TEST(waiting_of_start_up_is_that_of_the_calls_that_start_and_end_mpi)
{
    for (uint32_t i = 0; i < HD_N_METRICS; i++)
        CHECK_EQ(hd_metric_is_startup(i), i == HD_METRIC_mpi_init_completion || i == HD_METRIC_mpi_finalize_wait);
}

TEST(descriptions_are_sentences)
{
    for (uint32_t i = 0; i < HD_N_METRICS; i++) {
        const char *what = hd_metric_infos[i].what;

        CHECK(what[0] >= 'A' && what[0] <= 'Z');
        CHECK(what[strlen(what) - 1] == '.');
        CHECK(hd_metric_infos[i].name[0] != '\0');
    }
}

TEST_MAIN
