/* tests/writer/bench/bench_threads.c: an archive of processes with threads, to measure with.
 *
 * usage: tw_bench_threads DIRECTORY PROCESSES THREADS EVENTS
 *
 * Every iteration is a parallel region: functions, an explicit barrier, a critical section that the threads take in
 * turn, functions, the implicit barrier. About as many events in all as asked for, whatever the numbers of processes
 * and threads.
 */
#include <stdio.h>

#include "memory.h"
#include "trace_writer.h"

enum { CALLS = 8, EVENTS_PER_ITERATION = 2 + 4 * CALLS + 2 + 6 + 2 + 2 };

#define RESOLUTION UINT64_C(2300000000)
#define WORK 40000
#define TURN 900

typedef struct bench {
    tw_archive *archive;
    uint32_t    n_threads, n_iterations;
    uint32_t    main, parallel, function, barrier, critical, implicit_barrier, init, finalize;
} bench;

static hd_time
delay(uint32_t process, uint32_t thread, uint32_t iteration)
{
    return ((uint64_t)process * 7919 + thread * 104729 + iteration * 1299709) % 5000;
}

static hd_time
functions_write(const bench *b, tw_location *location, hd_time now, hd_time pace)
{
    for (uint32_t i = 0; i < CALLS; i++) {
        tw_enter(location, now, b->function);
        now += pace;
        tw_leave(location, now, b->function);
        now += 200;
    }
    return now;
}

static void
iteration_write(const bench *b, tw_location *location, uint32_t process, uint32_t thread, uint32_t i, uint32_t team,
                hd_time start)
{
    hd_time critical_start = start + WORK + 12000,
    turn = critical_start + (hd_time)((thread + i) % b->n_threads) * TURN;
    hd_time all = critical_start + b->n_threads * TURN + 2 * WORK, now = start + 400 + thread % 7;

    if (thread == 0)
        tw_fork(location, start, b->n_threads);
    tw_team_begin(location, now, team);
    tw_enter(location, now + 10, b->parallel);
    now = functions_write(b, location, now + 50, (WORK - 2000 + delay(process, thread, i)) / CALLS);
    tw_enter(location, now, b->barrier);
    tw_leave(location, critical_start - 100, b->barrier);
    tw_enter(location, critical_start, b->critical);
    tw_acquire(location, turn + 100, false, 1, i * b->n_threads + (thread + i) % b->n_threads + 1);
    tw_release(location, turn + TURN - 100, false, 1, i * b->n_threads + (thread + i) % b->n_threads + 1);
    tw_leave(location, turn + TURN, b->critical);
    now = functions_write(b, location, turn + TURN + 50, WORK / CALLS);
    tw_enter(location, now, b->implicit_barrier);
    tw_leave(location, all - 500, b->implicit_barrier);
    tw_leave(location, all - 400, b->parallel);
    tw_team_end(location, all - 350, team);
    if (thread == 0)
        tw_join(location, all);
}

static hd_time
iteration_ticks(const bench *b)
{
    return WORK + 12000 + b->n_threads * TURN + 2 * WORK + 3000;
}

static void
call_write(tw_location *location, hd_time enter, hd_time leave, uint32_t region)
{
    tw_enter(location, enter, region);
    tw_leave(location, leave, region);
}

static void
location_write(const bench *b, uint32_t process, uint32_t thread, uint32_t team)
{
    tw_location *location = tw_location_open(b->archive, process, thread, NULL, 0);
    hd_time      now      = 100000;

    if (thread == 0) {
        tw_program_begin(location, 10);
        tw_enter(location, 20, b->main);
        call_write(location, 100, 50000 + process, b->init);
    }
    for (uint32_t i = 0; i < b->n_iterations; i++, now += iteration_ticks(b))
        iteration_write(b, location, process, thread, i, team, now);
    if (thread == 0) {
        call_write(location, now + process, now + 90000, b->finalize);
        tw_leave(location, now + 100000, b->main);
        tw_program_end(location, now + 100010);
    }
    tw_location_close(location);
}

int
main(int argc, char **argv)
{
    bench    b = { 0 };
    uint32_t n_processes, *teams;
    uint64_t n_events;

    if (argc != 5) {
        fprintf(stderr, "usage: tw_bench_threads DIRECTORY PROCESSES THREADS EVENTS\n");
        return 2;
    }
    n_processes    = (uint32_t)strtoul(argv[2], NULL, 10);
    b.n_threads    = (uint32_t)strtoul(argv[3], NULL, 10);
    n_events       = strtoull(argv[4], NULL, 10);
    b.n_iterations = (uint32_t)(n_events / ((uint64_t)n_processes * b.n_threads * EVENTS_PER_ITERATION));
    b.archive      = tw_open(argv[1], &(tw_archive_options){ .n_processes = n_processes, .n_threads = b.n_threads,
                                                             .resolution = RESOLUTION, .chunk_bytes = 256 * 1024,
                                                             .without_definitions = true });
    b.main             = tw_region(b.archive, "main");
    b.function         = tw_region(b.archive, "update");
    b.parallel         = tw_region(b.archive, "!$omp parallel @bench.c:10");
    b.barrier          = tw_region(b.archive, "!$omp barrier @bench.c:12");
    b.critical         = tw_region(b.archive, "!$omp critical @bench.c:14");
    b.implicit_barrier = tw_region(b.archive, "!$omp implicit barrier @bench.c:20");
    b.init             = tw_region(b.archive, "MPI_Init");
    b.finalize         = tw_region(b.archive, "MPI_Finalize");
    teams              = HD_NEW_ARRAY(uint32_t, n_processes);
    for (uint32_t p = 0; p < n_processes; p++)
        teams[p] = tw_team_define(b.archive, p);
    for (uint32_t p = 0; p < n_processes; p++)
        for (uint32_t t = 0; t < b.n_threads; t++)
            location_write(&b, p, t, teams[p]);
    free(teams);
    tw_close(b.archive);
    return 0;
}
