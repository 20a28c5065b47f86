/* tests/writer/drift_archive.c: archives of a program that gets slower.
 *
 * usage: tw_drift DIRECTORY [--iterations N] [--processes P] [--fewer] [--nested] [--warm-up] [--calls]
 *
 * An iteration calls assemble, which takes ASSEMBLE, and solve, which takes SOLVE more in each iteration, and on
 * process 1 EXTRA more; an allreduce ends it. --fewer: the last p iterations of process p are in no region. --nested:
 * half of solve is in an instance of the iteration inside of it. --warm-up: the first iteration takes WARM_UP more.
 * --calls: the allreduce takes SOLVE more in each iteration, in place of solve.
 * Stamps are nanoseconds.
 */
#include <stdio.h>

#include "memory.h"
#include "trace_writer.h"

enum { ASSEMBLE = 10000, WARM_UP = 10000000, SOLVE = 1000, EXTRA = 300, REDUCE = 500, BEGIN = 1000 };

typedef struct drift {
    uint32_t    n_iterations, n_processes;
    bool        has_fewer, is_nested, has_warm_up, has_calls;
    tw_archive *archive;
    uint32_t    main, iteration, assemble, solve, allreduce, init, finalize;
} drift;

static hd_time
solve_of(const drift *d, uint32_t process, uint32_t iteration)
{
    return (hd_time)SOLVE * (d->has_calls ? 1 : iteration + 1) + (process == 1 ? EXTRA : 0);
}

static void
call(tw_location *location, hd_time enter, hd_time leave, uint32_t region)
{
    tw_enter(location, enter, region);
    tw_leave(location, leave, region);
}

static void
write_solve(const drift *d, tw_location *location, hd_time enter, hd_time leave)
{
    hd_time middle = enter + (leave - enter) / 2;

    tw_enter(location, enter, d->solve);
    if (d->is_nested)
        call(location, middle, leave, d->iteration);
    tw_leave(location, leave, d->solve);
}

/* Its end, the same for all processes. */
static hd_time
write_iteration(const drift *d, tw_location *location, uint32_t process, uint32_t iteration, hd_time now)
{
    bool    is_in_region = !d->has_fewer || iteration + process < d->n_iterations;
    hd_time assembled    = now + ASSEMBLE + (d->has_warm_up && iteration == 0 ? WARM_UP : 0);
    hd_time solved       = assembled + solve_of(d, process, iteration);
    hd_time end          = assembled + solve_of(d, 1, iteration) + REDUCE +
                           (d->has_calls ? (hd_time)SOLVE * iteration : 0);

    if (is_in_region)
        tw_enter(location, now, d->iteration);
    call(location, now, assembled, d->assemble);
    write_solve(d, location, assembled, solved);
    tw_enter(location, solved, d->allreduce);
    tw_coll_begin(location, solved);
    tw_coll_end(location, end, TW_COLL_ALLREDUCE, TW_WORLD, TW_ROOT_NONE, 8, 8);
    tw_leave(location, end, d->allreduce);
    if (is_in_region)
        tw_leave(location, end, d->iteration);
    return end;
}

static void
write_process(const drift *d, uint32_t process)
{
    tw_location *location = tw_location_open(d->archive, process, 0, NULL, 0);
    hd_time      now      = BEGIN;

    tw_enter(location, 0, d->main);
    call(location, 0, now, d->init);
    for (uint32_t i = 0; i < d->n_iterations; i++)
        now = write_iteration(d, location, process, i, now);
    call(location, now, now + REDUCE, d->finalize);
    tw_leave(location, now + REDUCE, d->main);
    tw_location_close(location);
}

static void
make(drift *d, const char *directory)
{
    d->archive   = tw_open(directory, &(tw_archive_options){ .n_processes = d->n_processes, .resolution = 1000000000,
                                                             .processes_per_node = 64, .chunk_bytes = 256 * 1024,
                                                             .without_definitions = true });
    d->main      = tw_region(d->archive, "main");
    d->iteration = tw_region(d->archive, "iteration");
    d->assemble  = tw_region(d->archive, "assemble");
    d->solve     = tw_region(d->archive, "solve");
    d->allreduce = tw_region(d->archive, "MPI_Allreduce");
    d->init      = tw_region(d->archive, "MPI_Init");
    d->finalize  = tw_region(d->archive, "MPI_Finalize");
    for (uint32_t p = 0; p < d->n_processes; p++)
        write_process(d, p);
    tw_close(d->archive);
}

int
main(int n, char **arguments)
{
    drift d = { .n_iterations = 40, .n_processes = 4 };

    for (int i = 2; i < n; i++)
        if (strcmp(arguments[i], "--fewer") == 0)
            d.has_fewer = true;
        else if (strcmp(arguments[i], "--nested") == 0)
            d.is_nested = true;
        else if (strcmp(arguments[i], "--warm-up") == 0)
            d.has_warm_up = true;
        else if (strcmp(arguments[i], "--calls") == 0)
            d.has_calls = true;
        else if (i + 1 < n && strcmp(arguments[i], "--iterations") == 0)
            d.n_iterations = (uint32_t)strtoul(arguments[++i], NULL, 10);
        else if (i + 1 < n && strcmp(arguments[i], "--processes") == 0)
            d.n_processes = (uint32_t)strtoul(arguments[++i], NULL, 10);
        else
            n = 0;
    if (n < 2 || d.n_iterations == 0 || d.n_iterations > 100000 || d.n_processes < 2 || d.n_processes > 4096) {
        fputs("usage: tw_drift DIRECTORY [--iterations N] [--processes P] [--fewer] [--nested] [--warm-up] [--calls]\n",
              stderr);
        return 2;
    }
    make(&d, arguments[1]);
    return 0;
}
