/* tests/report/terminal/test_summary.c: what the summary of a report says, in words. */
#include <unistd.h>

#include "check.h"
#include "test_comm.h"
#include "cube_reader.h"
#include "memory.h"
#include "report.h"
#include "small_defs.h"
#include "summary.h"

#define REPORT "test_summary.cubex"

static hd_analysis_comm *analysis_comm;

/*   0 main ─┬─ 1 MPI_Recv
 *           ├─ 2 !$omp taskwait      waiting times of each; one process with two threads
 *           ├─ 3 pthread_mutex_lock
 *           └─ 4 shmem_barrier_all
 */
static const small_region regions[] = {
    { "main", "main.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION },
    { "MPI_Recv", "MPI", HD_PARADIGM_MPI, HD_ROLE_POINT2POINT },
    { "!$omp taskwait @main.c:3", "OMP", HD_PARADIGM_OPENMP, HD_ROLE_TASK_WAIT },
    { "pthread_mutex_lock", "PTHREAD", HD_PARADIGM_PTHREAD, HD_ROLE_FUNCTION },
    { "shmem_barrier_all", "SHMEM", HD_PARADIGM_SHMEM, HD_ROLE_BARRIER },
};
static hd_call_path      nodes[] = { { HD_NONE, 0 }, { 0, 1 }, { 0, 2 }, { 0, 3 }, { 0, 4 } };
static const hd_calltree tree = { nodes, 5 };

/* The summary of the report. free() it. */
static char *
summary_of_report(const hd_report *report)
{
    hd_cube *cube   = NULL;
    char    *text   = NULL;
    size_t   bytes;
    FILE    *stream = open_memstream(&text, &bytes);

    unlink(REPORT);
    CHECK_EQ(hd_cube_write(analysis_comm, report, REPORT), HD_OK);
    CHECK_EQ(hd_cube_open(REPORT, &cube), HD_OK);
    if (cube != NULL)
        CHECK_EQ(hd_summary_print(cube, stream, &(hd_summary_options){ .width = 100, .n_top = 4 }), HD_OK);
    fclose(stream);
    hd_cube_close(cube);
    return text;
}

/* Of one with locations [n]; frees defs. free() it. */
static char *
summary_of_locations(hd_defs *defs, const hd_efficiencies *efficiencies, hd_report_location *locations, uint32_t n)
{
    hd_report report = { .defs = defs, .tree = &tree, .locations = locations, .n_locations = n,
                         .efficiencies = efficiencies };
    char     *text   = summary_of_report(&report);

    free(defs);
    return text;
}

/* Of one in which the second thread has these values; free() it. */
static char *
summary_of(const hd_severity *entries, size_t n)
{
    hd_report_location locations[] = { { .location = 0 }, { .location = 1, .entries = entries, .n = n } };

    return summary_of_locations(small_defs(regions, 5, 1, 2, false), NULL, locations, 2);
}
#define SUMMARY_OF(...) summary_of((const hd_severity[]){ __VA_ARGS__ },                                               \
                                   sizeof((hd_severity[]){ __VA_ARGS__ }) / sizeof(hd_severity))

TEST(a_wait_state_is_named_with_its_programming_interface)
{
    char *text = SUMMARY_OF({ 1, HD_METRIC_time, 90 }, { 1, HD_METRIC_mpi_latesender, 70 }, { 2, HD_METRIC_time, 60 },
                            { 2, HD_METRIC_omp_taskwait_wait, 40 }, { 3, HD_METRIC_time, 50 },
                            { 3, HD_METRIC_pthread_lock_contention_mutex_lock, 30 }, { 4, HD_METRIC_time, 40 },
                            { 4, HD_METRIC_shmem_barrier_wait, 20 });

    CHECK(strstr(text, "Late Sender (MPI)") != NULL);
    CHECK(strstr(text, "Wait for tasks (OpenMP)") != NULL);
    CHECK(strstr(text, "Lock Contention (POSIX threads, mutex)") != NULL);
    CHECK(strstr(text, "Wait at Barrier (SHMEM)") != NULL);
    free(text);
}

#define WAITED(path, metric, ticks) { path, HD_METRIC_time, ticks }, { path, HD_METRIC_##metric, ticks }

/* Process 0 waits for tasks on its second thread, process 1 on both; for messages process 1 waits on its first. */
TEST(of_processes_with_several_threads_those_that_wait_are_named)
{
    const hd_severity second[] = { WAITED(2, omp_taskwait_wait, 30) };
    const hd_severity third[]  = { WAITED(1, mpi_latesender, 10), WAITED(2, omp_taskwait_wait, 50) };
    const hd_severity fourth[] = { WAITED(2, omp_taskwait_wait, 20) };
    hd_report_location locations[] = { { .location = 0 },
                                       { .location = 1, .entries = second, .n = 2 },
                                       { .location = 2, .entries = third, .n = 4 },
                                       { .location = 3, .entries = fourth, .n = 2 } };
    char *text;

    text = summary_of_locations(small_defs(regions, 5, 2, 2, false), NULL, locations, 4);
    CHECK(strstr(text, "process 1 threads 0-1: 70 %, process 0 thread 1: 30 %\n") != NULL);
    CHECK(strstr(text, "process 1: 100 %\n") != NULL);
    free(text);
}

/* One process with two threads and a device, which computes longest of all. */
TEST(load_balance_is_that_of_threads_on_processors)
{
    const hd_severity  first[] = { { 0, HD_METRIC_time, 30 } }, second[] = { { 0, HD_METRIC_time, 10 } };
    const hd_severity  device[] = { { 0, HD_METRIC_time, 1000 } };
    hd_report_location locations[] = { { .location = 0, .entries = first, .n = 1 },
                                       { .location = 1, .entries = second, .n = 1 },
                                       { .location = 2, .entries = device, .n = 1 } };
    char *text;

    text = summary_of_locations(small_defs(regions, 5, 1, 3, true), NULL, locations, 3);
    CHECK(strstr(text, "load balance efficiency: 66.7 % (mean / maximum computation time of 2 CPU threads)") != NULL);
    CHECK(strstr(text, "50.0 % above the mean of 20.0 ms\n  potential saving: at most 10.0 ms\n") != NULL);
    free(text);
}

/* 40 and 20 ms on the first process, 50 and 10 ms on the second. */
TEST(load_balance_of_processes_with_threads_names_a_thread)
{
    const hd_severity  times[] = { { 0, HD_METRIC_time, 40 }, { 0, HD_METRIC_time, 20 }, { 0, HD_METRIC_time, 50 },
                                   { 0, HD_METRIC_time, 10 } };
    hd_report_location locations[4];
    char *text;

    for (uint32_t i = 0; i < 4; i++)
        locations[i] = (hd_report_location){ .location = i, .entries = &times[i], .n = 1 };
    text = summary_of_locations(small_defs(regions, 5, 2, 2, false), NULL, locations, 4);
    CHECK(strstr(text, "load balance efficiency: 60.0 % (mean / maximum computation time of 4 CPU threads)") != NULL);
    CHECK(strstr(text, "process 1 thread 0 computes longest: 50.0 ms, 66.7 % above the mean of 30.0 ms") != NULL);
    CHECK(strstr(text, "potential saving: at most 20.0 ms\n") != NULL);
    free(text);
}

/* The third thread was defined, and never began. */
TEST(losses_are_those_of_threads_with_events)
{
    const hd_severity   first[] = { { 0, HD_METRIC_time, 30 } }, second[] = { { 0, HD_METRIC_time, 10 } };
    hd_report_location  locations[] = { { .location = 0, .entries = first, .n = 1 },
                                        { .location = 1, .entries = second, .n = 1 }, { .location = 2 } };
    hd_efficiency_slice run = { .to = 30, .ideal = 30, .has_ideal = true,
                                .sums = { [HD_EFFICIENCY_processes] = 2, [HD_EFFICIENCY_threads] = 2,
                                          [HD_EFFICIENCY_useful] = 40, [HD_EFFICIENCY_max_useful] = 30 } };
    hd_efficiencies     efficiencies = { .slices = &run, .n = 1 };
    char *text;

    text = summary_of_locations(small_defs(regions, 5, 1, 3, false), &efficiencies, locations, 3);
    CHECK(strstr(text, "process 0 computes longest: 30.0 ms there, 10.0 ms above the mean") != NULL);
    free(text);
}

/* Each factor is acceptable; all together lose 30 %, and in the second run 10 %. */
TEST(a_lowest_factor_is_acceptable_where_all_together_are)
{
    const hd_severity   first[] = { { 0, HD_METRIC_time, 80 } }, second[] = { { 0, HD_METRIC_time, 60 } };
    hd_report_location  locations[] = { { .location = 0, .entries = first, .n = 1 },
                                        { .location = 1, .entries = second, .n = 1 } };
    hd_efficiency_slice run = { .to = 100, .ideal = 90, .has_ideal = true,
                                .sums = { [HD_EFFICIENCY_processes] = 2, [HD_EFFICIENCY_threads] = 2,
                                          [HD_EFFICIENCY_useful] = 140, [HD_EFFICIENCY_max_useful] = 80 } };
    hd_efficiencies     efficiencies = { .slices = &run, .n = 1 };
    char *text;

    text = summary_of_locations(small_defs(regions, 5, 2, 1, false), &efficiencies, locations, 2);
    CHECK(strstr(text, "lowest: Load balance, 87.5 %; most of it is lost at\n    main\n") != NULL);
    free(text);
    run.ideal = 97;
    run.sums[HD_EFFICIENCY_useful]     = 180;
    run.sums[HD_EFFICIENCY_max_useful] = 95;
    text = summary_of_locations(small_defs(regions, 5, 2, 1, false), &efficiencies, locations, 2);
    CHECK(strstr(text, "lowest: Load balance, 94.7 % (from 80 % on it is acceptable, says POP)\n") != NULL);
    free(text);
}

/* Two processes in an N-to-N operation, of 60 ms each: the first one waits 5 ms for the other, and both complete. */
TEST(time_after_the_last_process_has_come_is_lost_by_transfer)
{
    const hd_severity   first[]  = { { 1, HD_METRIC_time, 60 }, { 1, HD_METRIC_mpi_wait_nxn, 5 },
                                     { 1, HD_METRIC_mpi_nxn_completion, 50 } };
    const hd_severity   second[] = { { 1, HD_METRIC_time, 60 }, { 1, HD_METRIC_mpi_nxn_completion, 40 } };
    hd_report_location  locations[] = { { .location = 0, .entries = first, .n = 3 },
                                        { .location = 1, .entries = second, .n = 2 } };
    hd_efficiency_slice run = { .to = 100, .ideal = 50, .has_ideal = true,
                                .sums = { [HD_EFFICIENCY_processes] = 2, [HD_EFFICIENCY_threads] = 2,
                                          [HD_EFFICIENCY_useful] = 80, [HD_EFFICIENCY_max_useful] = 45 } };
    hd_efficiencies     efficiencies = { .slices = &run, .n = 1 };
    char *text;

    text = summary_of_locations(small_defs(regions, 5, 2, 1, false), &efficiencies, locations, 2);
    CHECK(strstr(text, "lowest: Transfer efficiency, 50.0 %") != NULL);
    CHECK(strstr(text, "MPI takes 115 ms there beside waiting, of all processes together") != NULL);
    free(text);
}

/* The second thread of each process is idle for 50 ms while the first is in MPI, which OpenMP does not lose, and then
 * for 20 ms. */
TEST(openmp_does_not_lose_what_threads_are_idle_for_in_mpi)
{
    const hd_severity   first[]  = { { 0, HD_METRIC_time, 50 }, WAITED(1, mpi, 50) };
    const hd_severity   second[] = { { 0, HD_METRIC_time, 30 }, { 0, HD_METRIC_omp_idle_threads, 20 },
                                     { 1, HD_METRIC_omp_idle_threads, 50 } };
    hd_report_location  locations[] = { { .location = 0, .entries = first, .n = 3 },
                                        { .location = 1, .entries = second, .n = 3 },
                                        { .location = 2, .entries = first, .n = 3 },
                                        { .location = 3, .entries = second, .n = 3 } };
    hd_efficiency_slice run = { .to = 100, .ideal = 95, .has_ideal = true,
                                .sums = { [HD_EFFICIENCY_processes] = 2, [HD_EFFICIENCY_threads] = 4,
                                          [HD_EFFICIENCY_useful] = 160, [HD_EFFICIENCY_outside] = 190,
                                          [HD_EFFICIENCY_outside_threads] = 380, [HD_EFFICIENCY_max_outside] = 95,
                                          [HD_EFFICIENCY_max_useful] = 50 } };
    hd_efficiencies     efficiencies = { .slices = &run, .n = 1 };
    char *text;

    text = summary_of_locations(small_defs(regions, 5, 2, 2, false), &efficiencies, locations, 4);
    CHECK(strstr(text, "lowest: OpenMP communication efficiency, 52.6 %; most of it is lost at\n    main\n") != NULL);
    CHECK(strstr(text, "threads are idle for 40.0 ms there, all together") != NULL);
    free(text);
}

TEST(a_report_without_wait_states_says_so)
{
    char *text = SUMMARY_OF({ 0, HD_METRIC_time, 90 });

    CHECK(strstr(text, "no process or thread waited") != NULL);
    CHECK(strstr(text, ": 1 process, 2 locations, 5 call paths\n") != NULL);
    free(text);
}

TEST(calls_of_mpi_are_counted_and_no_other_regions)
{
    char *text = SUMMARY_OF({ 0, HD_METRIC_visits, 100 }, { 1, HD_METRIC_visits, 7 }, { 3, HD_METRIC_visits, 40 });

    CHECK(strstr(text, "Communication statistics\n  7 MPI calls") != NULL);
    free(text);
}

TEST(without_mpi_there_is_no_communication_to_speak_of)
{
    char *text = SUMMARY_OF({ 0, HD_METRIC_visits, 100 }, { 2, HD_METRIC_visits, 7 });

    CHECK(strstr(text, "Communication statistics") == NULL);
    free(text);
}

/* ---- why, and the critical path ---------------------------------------------------------------------------------- */

/*   0 main ─┬─ 1 MPI_Recv
 *           ├─ 2 foo
 *           ├─ 3 bar
 *           ├─ 4 baz
 *           └─ 5 !$omp barrier
 */
static const small_region mpi_regions[] = {
    { "main", "main.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION },
    { "MPI_Recv", "MPI", HD_PARADIGM_MPI, HD_ROLE_POINT2POINT },
    { "foo", "main.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION },
    { "bar", "main.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION },
    { "baz", "main.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION },
    { "!$omp barrier @main.c:3", "OMP", HD_PARADIGM_OPENMP, HD_ROLE_BARRIER },
};
static hd_call_path      mpi_nodes[] = { { HD_NONE, 0 }, { 0, 1 }, { 0, 2 }, { 0, 3 }, { 0, 4 }, { 0, 5 } };
static const hd_calltree mpi_tree    = { mpi_nodes, 6 };
enum { MAIN, RECV, FOO, BAR, BAZ, BARRIER, MAX_PROCESSES = 16, MAX_COSTS = 16 };

typedef struct cost_at { /* [ms], for each location sorted by call path, then metric */
    uint32_t location, call_path, metric;
    double   value;
} cost_at;

typedef struct shape {
    uint32_t n_processes, n_threads, width;
} shape;

/* The summary of a report with these costs, in which the last location is called "baz"; free() it. */
static char *
summary_of_costs(shape shape, const cost_at *costs, size_t n)
{
    uint32_t           n_locations              = shape.n_processes * shape.n_threads;
    hd_defs           *defs                     = small_defs(mpi_regions, 6, shape.n_processes, shape.n_threads, false);
    hd_report_location locations[MAX_PROCESSES] = { 0 };
    hd_cost            of[MAX_PROCESSES][MAX_COSTS];
    hd_cube           *cube = NULL;
    char              *text = NULL;
    size_t             bytes;
    FILE              *stream = open_memstream(&text, &bytes);

    ((hd_location_def *)(uintptr_t)hd_defs_locations(defs))[n_locations - 1].name = hd_defs_regions(defs)[BAZ].name;
    for (uint32_t i = 0; i < n_locations; i++)
        locations[i] = (hd_report_location){ .location = i, .costs = of[i] };
    for (size_t i = 0; i < n; i++)
        of[costs[i].location][locations[costs[i].location].n_costs++] =
            (hd_cost){ .call_path = costs[i].call_path, .metric = costs[i].metric, .value = costs[i].value };
    unlink(REPORT);
    CHECK_EQ(hd_cube_write(analysis_comm, &(hd_report){ .defs = defs, .tree = &mpi_tree, .locations = locations,
                                                .n_locations = n_locations, .has_causes = true }, REPORT), HD_OK);
    CHECK_EQ(hd_cube_open(REPORT, &cube), HD_OK);
    if (cube != NULL)
        CHECK_EQ(hd_summary_print(cube, stream, &(hd_summary_options){ .width = shape.width }), HD_OK);
    fclose(stream);
    hd_cube_close(cube);
    free(defs);
    return text;
}
#define SUMMARY_OF_COSTS(n_processes, n_threads, width, ...)                                                           \
    summary_of_costs((shape){ n_processes, n_threads, width }, (const cost_at[]){ __VA_ARGS__ },                       \
                     sizeof((cost_at[]){ __VA_ARGS__ }) / sizeof(cost_at))

/* Whether the section with this head is this text. */
static bool
has_section(const char *text, const char *head, const char *section)
{
    char       *line  = hd_format("\n%s\n", head);
    const char *begin = strstr(text, line);
    const char *rest  = begin != NULL ? begin + strlen(line) : "";
    bool        is_it = strncmp(rest, section, strlen(section)) == 0 &&
                 (rest[strlen(section)] == '\n' || rest[strlen(section)] == '\0');

    if (!is_it)
        fprintf(stderr, "%s\n", text);
    free(line);
    return is_it;
}

static bool
says_why(const char *text)
{
    return strstr(text, "Root causes of wait states (delay costs)") != NULL || strstr(text, "Critical path") != NULL;
}

TEST(causes_are_ranked_with_who_waited_how_and_whose_they_are)
{
    char *text = SUMMARY_OF_COSTS(3, 1, 80,
        { 0, FOO, HD_METRIC_delay_latesender, 640 }, { 0, FOO, HD_METRIC_delay_latesender_longterm, 80 },
                                  { 0, BAZ, HD_METRIC_delay_n2n, 30 }, { 1, FOO, HD_METRIC_delay_barrier, 80 },
                                  { 2, RECV, HD_METRIC_delay_unattributed_latesender, 20 },
                                  { 2, BAR, HD_METRIC_delay_latereceiver_longterm, 150 });

    CHECK(has_section(text, "Root causes of wait states (delay costs)",
                      "  A delay is computation or other work that made others wait: directly\n"
        "  (short-term), or because the waiting process then delayed others (propagated,\n"
        "  long-term).\n"
        "  Total waiting time analysed                                   1.00 s   100.0 %\n"
        "  main > foo                                                     800 ms   80.0 %\n"
        "    at main.c:2\n"
        "    short-term 90 %, long-term 10 %\n"
        "    contributes to: Late Sender 90 %, Wait at Barrier 10 %\n"
        "    process 0: 90 %, process 1: 10 %\n"
        "  main > bar                                                     150 ms   15.0 %\n"
        "    at main.c:3\n"
        "    short-term 0 %, long-term 100 %\n"
        "    contributes to: Late Receiver 100 %\n"
        "    process 2: 100 %\n"
        "  (1 more call path)                                            30.0 ms    3.0 %\n"
        "  (unattributed)                                                20.0 ms    2.0 %\n"));
    CHECK(strstr(text, "Critical path") == NULL);
    free(text);
}

TEST(what_is_unattributed_is_said_on_its_own)
{
    char *text = SUMMARY_OF_COSTS(2, 1, 80, { 1, RECV, HD_METRIC_delay_unattributed_latesender, 20 });

    CHECK(strstr(text, "  Total waiting time analysed                                   20.0 ms  100.0 %\n"
                       "  (unattributed)                                                20.0 ms  100.0 %\n") != NULL);
    free(text);
}

TEST(the_critical_path_has_a_length_and_costs)
{
    char *text = SUMMARY_OF_COSTS(3, 1, 80,
        { 0, FOO, HD_METRIC_critical_path, 90 }, { 0, FOO, HD_METRIC_critical_path_activities, 90 },
        { 0, FOO, HD_METRIC_critical_imbalance_impact, 130 }, { 1, FOO, HD_METRIC_critical_path, 10 },
        { 1, FOO, HD_METRIC_critical_path_activities, 60 }, { 2, RECV, HD_METRIC_critical_path, 2 },
        { 2, RECV, HD_METRIC_critical_path_activities, 2 }, { 2, BAR, HD_METRIC_non_critical_path_activities, 58 },
        { 2, BAZ, HD_METRIC_critical_path, 20 }, { 2, BAZ, HD_METRIC_critical_path_activities, 20 },
                                  { 2, BAZ, HD_METRIC_critical_imbalance_impact, 40 });

    CHECK(has_section(text, "Critical path",
                      "  The longest chain of dependent activities. It determines the run time: the run\n"
        "  gets shorter only where this chain does.\n"
        "  Length                                                         122 ms  100.0 %\n"
        "    imbalance impact: 170 ms (42.5 % of allocated core time)\n"
        "  main > foo                                                     100 ms   82.0 %\n"
        "    at main.c:2\n"
        "    imbalance impact: 130 ms (32.5 % of allocated core time)\n"
        "    process 0: 90 %, process 1: 10 %\n"
        "  main > baz                                                    20.0 ms   16.4 %\n"
        "    at main.c:4\n"
        "    imbalance impact: 40.0 ms (10.0 % of allocated core time)\n"
        "    process 2: 100 %\n"));
    CHECK(strstr(text, "Root causes of wait states (delay costs)") == NULL);
    free(text);
}

TEST(threads_of_a_single_process_have_names)
{
    char *text = SUMMARY_OF_COSTS(1, 3, 80, { 0, FOO, HD_METRIC_delay_ompidle, 50 },
                                  { 2, FOO, HD_METRIC_delay_ompbarrier, 50 },
                                  { 2, FOO, HD_METRIC_critical_path, 20 });

    CHECK(strstr(text, "    short-term 100 %, long-term 0 %\n"
                       "    contributes to: Wait at OpenMP barrier 50 %, Idle threads 50 %\n"
                       "    CPU thread 0: 50 %, baz: 50 %\n") != NULL);
    CHECK(strstr(text, "  main > foo                                                    20.0 ms  100.0 %\n"
                       "    at main.c:2\n"
                       "    baz: 100 %\n") != NULL);
    free(text);
}

TEST(many_who_carry_little_each_are_given_as_ranges)
{
    cost_at costs[MAX_PROCESSES];
    char   *text;

    for (uint32_t i = 0; i < MAX_PROCESSES; i++)
        costs[i] = (cost_at){ i, FOO, HD_METRIC_delay_barrier, i == 5 || i >= 14 ? 1 : 10 };
    text = summary_of_costs((shape){ MAX_PROCESSES, 1, 80 }, costs, MAX_PROCESSES);
    CHECK(strstr(text, "    11 of 16 processes: 83 % (0-4, 6-11)\n") != NULL);
    free(text);
    for (uint32_t i = 0; i < MAX_PROCESSES; i++)
        costs[i].value = i % 2 == 0 ? 10 : 1;
    text = summary_of_costs((shape){ MAX_PROCESSES, 1, 80 }, costs, MAX_PROCESSES);
    CHECK(strstr(text, "    8 of 16 processes: 91 % (0, 2, 4, 6, 8, 10, ...)\n") != NULL);
    free(text);
}

TEST(no_line_is_longer_than_the_terminal_is_wide)
{
    static const uint32_t widths[] = { 50, 64, 120 };

    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        char *text = SUMMARY_OF_COSTS(3, 1, widths[i],
            { 0, FOO, HD_METRIC_delay_latesender, 60 }, { 0, FOO, HD_METRIC_delay_latereceiver, 60 },
                                      { 0, FOO, HD_METRIC_delay_barrier, 60 }, { 0, FOO, HD_METRIC_delay_12n, 60 },
                                      { 0, FOO, HD_METRIC_delay_n2n, 60 }, { 0, FOO, HD_METRIC_critical_path, 5 },
            { 0, FOO, HD_METRIC_critical_path_activities, 5 }, { 0, FOO, HD_METRIC_critical_imbalance_impact, 7 });

        CHECK(says_why(text));
        for (const char *line = strstr(text, "Root causes of wait states (delay costs)");
             line != NULL && *line != '\0';
             line = strchr(line, '\n') + 1)
            CHECK(strcspn(line, "\n") <= widths[i]);
        free(text);
    }
}

TEST(there_is_no_why_where_nothing_was_computed)
{
    char *text = SUMMARY_OF({ 1, HD_METRIC_time, 90 }, { 1, HD_METRIC_mpi_latesender, 70 });

    CHECK(!says_why(text));
    free(text);
}

TEST(all_of_a_run_on_one_location_is_its_critical_path)
{
    char *text = SUMMARY_OF_COSTS(1, 1, 80, { 0, FOO, HD_METRIC_critical_path, 90 });

    CHECK(!says_why(text));
    free(text);
}

/* A key of an attribute without words of its own would be shown as it is. */
TEST(the_call_that_ends_iterations_is_not_shown_as_a_key)
{
    static const hd_attribute attributes[] = { { "Heddle::Iterations", "3" }, { "Heddle::IterationsBound", "end" } };
    hd_report_location        location     = { .location = 0 };
    hd_defs                  *defs         = small_defs(regions, 5, 1, 1, false);
    hd_report                 report       = { .defs = defs, .tree = &tree,
                                               .locations = &location, .n_locations = 1,
                                               .attributes = attributes, .n_attributes = 2 };
    char                     *text         = summary_of_report(&report);

    CHECK(strstr(text, "Iterations                3") != NULL);
    CHECK(strstr(text, "IterationsBound") == NULL);
    free(text);
    free(defs);
}

int
main(int argc, char **argv)
{
    int failed;

    analysis_comm  = hd_analysis_comm_open(TEST_COMM, &argc, &argv);
    failed = check_run_all(argc > 1 ? argv[1] : NULL);
    hd_analysis_comm_close(analysis_comm);
    return failed;
}
