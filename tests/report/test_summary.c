/* tests/report/test_summary.c: what the summary of a report says, in words.
 *
 *   0 main ─┬─ 1 MPI_Recv
 *           ├─ 2 !$omp taskwait      waiting times of each; one process with two threads
 *           └─ 3 pthread_mutex_lock
 */
#include <unistd.h>

#include "check.h"
#include "cube_reader.h"
#include "memory.h"
#include "report.h"
#include "small_defs.h"
#include "summary.h"

#define REPORT "test_summary.cubex"

static hd_group *group;

static const small_region regions[] = {
    { "main", "main.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION },
    { "MPI_Recv", "MPI", HD_PARADIGM_MPI, HD_ROLE_POINT2POINT },
    { "!$omp taskwait @main.c:3", "OMP", HD_PARADIGM_OPENMP, HD_ROLE_TASK_WAIT },
    { "pthread_mutex_lock", "PTHREAD", HD_PARADIGM_PTHREAD, HD_ROLE_FUNCTION },
};
static hd_call_path      nodes[] = { { HD_NONE, 0 }, { 0, 1 }, { 0, 2 }, { 0, 3 } };
static const hd_calltree tree = { nodes, 4 };

/* The summary of a report in which the second thread has these values; free() it. */
static char *
summary_of(const hd_severity *entries, size_t n)
{
    hd_defs           *defs        = small_defs(regions, 4, 1, 2, false);
    hd_report_location locations[] = { { .location = 0 }, { .location = 1, .entries = entries, .n = n } };
    hd_cube           *cube        = NULL;
    char              *text        = NULL;
    size_t             bytes;
    FILE              *stream = open_memstream(&text, &bytes);

    unlink(REPORT);
    CHECK_EQ(hd_cube_write(group, &(hd_report){ .defs = defs, .tree = &tree, .locations = locations, .n_locations = 2 }, REPORT),
             HD_OK);
    CHECK_EQ(hd_cube_open(REPORT, &cube), HD_OK);
    if (cube != NULL)
        CHECK_EQ(hd_summary_print(cube, stream, &(hd_summary_options){ .width = 100 }), HD_OK);
    fclose(stream);
    hd_cube_close(cube);
    free(defs);
    return text;
}
#define SUMMARY_OF(...) summary_of((const hd_severity[]){ __VA_ARGS__ }, sizeof((hd_severity[]){ __VA_ARGS__ }) / sizeof(hd_severity))

TEST(a_wait_state_is_named_with_its_programming_interface)
{
    char *text = SUMMARY_OF({ 1, HD_METRIC_time, 90 }, { 1, HD_METRIC_mpi_latesender, 70 }, { 2, HD_METRIC_time, 60 },
                            { 2, HD_METRIC_omp_taskwait_wait, 40 }, { 3, HD_METRIC_time, 50 },
                            { 3, HD_METRIC_pthread_lock_contention_mutex_lock, 30 });

    CHECK(strstr(text, "Late Sender (MPI)") != NULL);
    CHECK(strstr(text, "Wait for tasks (OpenMP)") != NULL);
    CHECK(strstr(text, "Lock Contention (POSIX threads)") != NULL);
    free(text);
}

TEST(a_report_without_wait_states_says_so)
{
    char *text = SUMMARY_OF({ 0, HD_METRIC_time, 90 });

    CHECK(strstr(text, "nobody waited") != NULL);
    free(text);
}

int
main(int argc, char **argv)
{
    int failed;

    group  = hd_group_open(&argc, &argv);
    failed = check_run_all(argc > 1 ? argv[1] : NULL);
    hd_group_close(group);
    return failed;
}
