/* tests/trace/decode/test_team_starts.c: forks of a location, read by others while it is still being decoded. */
#include <omp.h>

#include "check.h"
#include "team_starts.h"

enum { OUTER = 3, INNER = 8, N_INSTANCES = 20000 };

TEST(every_team_has_its_own_instances)
{
    hd_team_starts starts = { 0 };

    hd_team_starts_add(&starts, OUTER, 10);
    hd_team_starts_add(&starts, INNER, 20);
    hd_team_starts_add(&starts, OUTER, HD_NONE);
    hd_team_starts_add(&starts, OUTER, HD_START_UNKNOWN);
    CHECK_EQ(hd_team_starts_wait(&starts, OUTER, 0), 10);
    CHECK_EQ(hd_team_starts_wait(&starts, OUTER, 1), HD_NONE);
    CHECK_EQ(hd_team_starts_wait(&starts, OUTER, 2), HD_START_UNKNOWN);
    CHECK_EQ(hd_team_starts_wait(&starts, INNER, 0), 20);
    hd_team_starts_fini(&starts);
}

TEST(behind_the_end_nothing_is_known)
{
    hd_team_starts starts = { 0 };

    hd_team_starts_add(&starts, OUTER, 10);
    hd_team_starts_complete(&starts);
    CHECK_EQ(hd_team_starts_wait(&starts, OUTER, 0), 10);
    CHECK_EQ(hd_team_starts_wait(&starts, OUTER, 1), HD_START_UNKNOWN);
    CHECK_EQ(hd_team_starts_wait(&starts, OUTER, UINT32_MAX), HD_START_UNKNOWN);
    CHECK_EQ(hd_team_starts_wait(&starts, INNER, 0), HD_START_UNKNOWN);
    hd_team_starts_fini(&starts);
}

TEST(readers_wait_for_what_is_being_written)
{
    hd_team_starts starts = { 0 };
    uint32_t       wrong  = 0, unknown = 0;

#pragma omp parallel num_threads(3) reduction(+ : wrong, unknown)
    {
        if (omp_get_thread_num() == 0) {
            for (uint32_t i = 0; i < N_INSTANCES; i++) {
                hd_team_starts_add(&starts, OUTER, i + 7);
                if (i % 2 == 0)
                    hd_team_starts_add(&starts, INNER, i + 9);
            }
            hd_team_starts_complete(&starts);
        }
        if (omp_get_thread_num() > 0 || omp_get_num_threads() == 1)
            for (uint32_t i = 0; i < N_INSTANCES; i++) {
                uint32_t inner = hd_team_starts_wait(&starts, INNER, i);

                wrong += hd_team_starts_wait(&starts, OUTER, i) != i + 7;
                if (inner == HD_START_UNKNOWN)
                    unknown++;
                else
                    wrong += inner != 2 * i + 9;
            }
    }
    CHECK_EQ(wrong, 0);
    CHECK(unknown % (N_INSTANCES / 2) == 0 && unknown > 0);
    hd_team_starts_fini(&starts);
}

TEST_MAIN
