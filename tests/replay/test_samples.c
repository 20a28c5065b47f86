/* tests/replay/test_samples.c: samples between recorded calls (docs/metrics.md#samples).
 *
 *   ticks       0     10      20    40        50   60    80    100      s: sample, [ ]: call that is recorded
 *   process 0   s─────s───────s─────[·s·······]────s─────s─────┤
 *               main  solve   solve  MPI_Send      solve main
 *                     kernel  norm    (poll)       norm
 *   process 1   s─────[·········]───────s──────────────────────┤         MPI_Recv from 10 to 55, then solve from 70 on
 *
 * MPI_Recv waits from 10 to 40.
 */
#include <stdio.h>

#include "check.h"
#include "situation.h"

enum { MAIN, SOLVE, SOLVE_LATER, KERNEL, NORM, SEND, POLL, RECV, N_CONTEXTS };

static void
define_contexts(tw_archive *archive, uint32_t *c)
{
    c[MAIN]        = tw_context_define(archive, HD_NONE, tw_region(archive, "main"));
    c[SOLVE]       = tw_context_define(archive, c[MAIN], tw_region(archive, "solve"));
    c[SOLVE_LATER] = tw_context_define(archive, c[MAIN], tw_region(archive, "solve")); /* the same call, further on */
    c[KERNEL]      = tw_context_define(archive, c[SOLVE], tw_region(archive, "kernel"));
    c[NORM]        = tw_context_define(archive, c[SOLVE_LATER], tw_region(archive, "norm"));
    c[SEND]        = tw_context_define(archive, c[SOLVE_LATER], tw_region(archive, "MPI_Send"));
    c[POLL]        = tw_context_define(archive, c[SEND], tw_region(archive, "poll"));
    c[RECV]        = tw_context_define(archive, c[MAIN], tw_region(archive, "MPI_Recv"));
}

/* far: distances as a profiler gives them that knows only of recorded calls what is still on the stack. */
static void
write_sender(tw_archive *archive, const uint32_t *c, bool far)
{
    tw_location *l = tw_location_open(archive, 0, 0, NULL, 0);

    tw_program_begin(l, 0);
    tw_sample(l, 0, c[MAIN], 2);
    tw_sample(l, 10, c[KERNEL], far ? 4 : 3);
    tw_sample(l, 20, c[NORM], far ? 4 : 2);
    tw_context_enter(l, 40, c[SEND], far ? 4 : 2);
    tw_send(l, 40, TW_WORLD, 1, 7, 8);
    tw_sample(l, 45, c[POLL], 2);
    tw_context_leave(l, 50, c[SEND]);
    tw_sample(l, 60, c[NORM], far ? 4 : 2);
    tw_sample(l, 80, c[MAIN], far ? 2 : 1);
    tw_program_end(l, 100);
    tw_location_close(l);
}

static void
write_receiver(tw_archive *archive, const uint32_t *c)
{
    tw_location *l = tw_location_open(archive, 1, 0, NULL, 0);

    tw_program_begin(l, 0);
    tw_sample(l, 0, c[MAIN], 2);
    tw_context_enter(l, 10, c[RECV], 2);
    tw_recv(l, 55, TW_WORLD, 0, 7, 8);
    tw_context_leave(l, 55, c[RECV]);
    tw_sample(l, 70, c[SOLVE], 2);
    tw_program_end(l, 100);
    tw_location_close(l);
}

/* arguments: of heddle analyze; NULL: the whole run counts. */
static tw_report
analyze(bool far, const char *arguments)
{
    static const tw_archive_options options = { .n_processes = 2, .n_threads = 1, .processes_per_node = 2 };
    char        folder[] = "/tmp/heddle-samples-XXXXXX", anchor[64];
    uint32_t    contexts[N_CONTEXTS];
    tw_archive *archive;
    tw_report   report;

    CHECK(mkdtemp(folder) != NULL);
    archive = tw_open(folder, &options);
    define_contexts(archive, contexts);
    write_sender(archive, contexts, far);
    write_receiver(archive, contexts);
    tw_close(archive);
    snprintf(anchor, sizeof anchor, "%s/traces.otf2", folder);
    report = tw_analyze_archive(anchor, 2, 1e6, arguments == NULL ? 100 : 0, &(tw_run){ .arguments = arguments });
    CHECK(*tw_problems(report) == '\0');
    if (*tw_problems(report) != '\0')
        fputs(tw_problems(report), stdout);
    tw_remove(folder);
    return report;
}

static void
check_times(tw_report r)
{
    CHECK_SPAN_AT(r, "time", "main", process(0), 10 + 20);
    CHECK_SPAN_AT(r, "time", "main;solve", process(0), 10);
    CHECK_SPAN_AT(r, "time", "main;solve;kernel", process(0), 10);
    CHECK_SPAN_AT(r, "time", "main;solve;norm", process(0), 20 + 20);
    CHECK_SPAN_AT(r, "time", "main;solve;MPI_Send", process(0), 10);
    CHECK_SPAN_AT(r, "time", "poll", process(0), 0);
    CHECK_SPAN_AT(r, "time", "main", process(1), 10 + 15);
    CHECK_SPAN_AT(r, "time", "main;MPI_Recv", process(1), 45);
    CHECK_SPAN_AT(r, "time", "main;solve", process(1), 30);
    CHECK_SPAN(r, "mpi_latesender", process(1), 30);
    CHECK_SPAN_AT(r, "mpi_latesender", "main;MPI_Recv", process(1), 30);
    CHECK_SPAN(r, "mpi_latesender", process(0), 0);
}

TEST(a_sample_leaves_and_enters_what_the_unwind_distance_says)
{
    tw_report r = analyze(false, NULL);

    check_times(r);
    CHECK_SPAN_AT(r, "visits", "main", process(0), 1);
    CHECK_SPAN_AT(r, "visits", "main;solve", process(0), 1);
    CHECK_SPAN_AT(r, "visits", "main;solve;kernel", process(0), 1);
    CHECK_SPAN_AT(r, "visits", "main;solve;norm", process(0), 2);
    CHECK_SPAN_AT(r, "visits", "main;solve;MPI_Send", process(0), 1);
    CHECK_EQ(tw_finding(r, "unbalanced"), 0);
    CHECK_EQ(tw_finding(r, "stack"), 0);
}

TEST(a_longer_distance_is_another_visit_and_no_other_time)
{
    tw_report r = analyze(true, NULL);

    check_times(r);
    CHECK_SPAN_AT(r, "visits", "main", process(0), 6);
    CHECK_SPAN_AT(r, "visits", "main;solve", process(0), 4);
    CHECK_SPAN_AT(r, "visits", "main;solve;kernel", process(0), 1);
    CHECK_SPAN_AT(r, "visits", "main;solve;norm", process(0), 2);
    CHECK_SPAN_AT(r, "visits", "main;solve;MPI_Send", process(0), 1);
    CHECK_EQ(tw_finding(r, "stack"), 0);
}

TEST(a_region_of_interest_is_seen_in_samples)
{
    for (int far = 0; far < 2; far++) {
        tw_report r = analyze(far != 0, "--roi solve");

        CHECK_SPAN(r, "time", process(0), 80 - 10);
        CHECK_SPAN_AT(r, "time", "main", process(0), 0);
        CHECK_SPAN_AT(r, "visits", "main;solve;MPI_Send", process(0), 1);
        CHECK_SPAN_AT(r, "visits", "main;solve;norm", process(0), 2);
        CHECK_SPAN(r, "time", process(1), 100 - 70);
        CHECK_SPAN(r, "mpi_latesender", process(1), 0);
    }
}

TEST(a_region_of_interest_is_recorded_with_its_context)
{
    tw_report r = analyze(false, "--roi MPI_Recv");

    CHECK_SPAN(r, "time", process(0), 0);
    CHECK_SPAN(r, "time", process(1), 45);
    CHECK_SPAN(r, "mpi_latesender", process(1), 30);
}

TEST_MAIN
