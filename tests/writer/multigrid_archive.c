/* tests/writer/multigrid_archive.c: archives of a program like a multigrid solver.
 *
 * usage: tw_multigrid DIRECTORY LOG2_PROCESSES [--cycles N]
 *
 * 2^LOG2_PROCESSES processes. A cycle goes down over as many levels as that, and up again: on level l a process
 * exchanges messages with one that is 2^l away, and, irregularly, with up to three others that are up to 7 * 2^l away:
 * it posts receives and sends, computes, and waits for all of them (MPI_Waitall). A reduction of all ends the cycle. So
 * events per process grow with the logarithm of the number of processes. Locations are written one after the other from
 * the times at which each process begins each step, of which 8 bytes are kept for each process and step. Stamps are
 * nanoseconds.
 */
#include <stdio.h>

#include "memory.h"
#include "mix.h"
#include "trace_writer.h"

enum { MAX_NEIGHBOURS = 4, POST = 100, SEND = 200, LATENCY = 1500, COMPLETE = 100, COMPUTE = 3000, JITTER = 9000,
       REDUCE = 5000, BYTES = 4096 };

typedef struct multigrid {
    uint32_t    n, n_levels, n_cycles;
    hd_time    *begins; /* [steps + 1][n] of a step: two for each level of a cycle, and the reduction */
    tw_archive *archive;
    uint32_t    main, cycle, smooth, irecv, isend, waitall, allreduce, init, finalize;
} multigrid;

static uint32_t
steps_of_cycle(const multigrid *m)
{
    return 2 * m->n_levels + 1;
}

/* Down and up again. */
static uint32_t
level_of(const multigrid *m, uint32_t step)
{
    return step < m->n_levels ? step : 2 * m->n_levels - 1 - step;
}

/* Whom a process exchanges messages with on a level; each of them has it among its own. */
static uint32_t
neighbours(const multigrid *m, uint32_t process, uint32_t level, uint32_t *others)
{
    uint32_t n = 0;

    for (uint32_t distance = 1; distance < 2 * MAX_NEIGHBOURS; distance += 2) {
        uint64_t other = (uint64_t)process ^ ((uint64_t)distance << level);
        uint32_t least = other < process ? (uint32_t)other : process;

        if (other < m->n && (distance == 1 || tw_mix(least, (uint64_t)level << 8 | distance) % 2 == 0))
            others[n++] = (uint32_t)other;
    }
    return n;
}

static hd_time
compute_of(uint32_t process, uint64_t step)
{
    return (hd_time)COMPUTE + tw_mix(process, step) % JITTER;
}

/* When a process that begins a step has posted the receives of n messages and sent the i-th one. */
static hd_time
sent_at(hd_time begin, uint32_t n, uint32_t i)
{
    return begin + (hd_time)n * POST + (hd_time)i * SEND;
}

/* begins: of the step, of all processes */
static hd_time
arrival(const multigrid *m, const hd_time *begins, uint32_t from, uint32_t to, uint32_t level)
{
    uint32_t others[MAX_NEIGHBOURS], n = neighbours(m, from, level, others), i = 0;

    while (others[i] != to)
        i++;
    return sent_at(begins[from], n, i) + LATENCY;
}

/* When a process begins to wait in a step, and when it is over. */
static hd_time
wait_of(const multigrid *m, const hd_time *begins, uint32_t process, uint32_t level, uint64_t step, hd_time *leave)
{
    uint32_t others[MAX_NEIGHBOURS], n = neighbours(m, process, level, others);
    hd_time  enter = sent_at(begins[process], n, n) + compute_of(process, step);

    *leave = enter;
    for (uint32_t i = 0; i < n; i++)
        *leave = hd_time_max(*leave, arrival(m, begins, others[i], process, level));
    *leave += (hd_time)n * COMPLETE;
    return enter;
}

static void
time_steps(multigrid *m)
{
    uint32_t n_steps = m->n_cycles * steps_of_cycle(m);

    m->begins = HD_NEW_ARRAY(hd_time, ((size_t)n_steps + 1) * m->n);
    for (uint32_t p = 0; p < m->n; p++)
        m->begins[p] = 1000;
    for (uint32_t step = 0; step < n_steps; step++) {
        const hd_time *begins = &m->begins[(size_t)step * m->n];
        hd_time       *next   = &m->begins[((size_t)step + 1) * m->n], last = 0;
        uint32_t       in     = step % steps_of_cycle(m);

        for (uint32_t p = 0; p < m->n && in + 1 < steps_of_cycle(m); p++)
            wait_of(m, begins, p, level_of(m, in), step, &next[p]);
        if (in + 1 < steps_of_cycle(m))
            continue;
        for (uint32_t p = 0; p < m->n; p++)
            last = hd_time_max(last, begins[p]);
        for (uint32_t p = 0; p < m->n; p++)
            next[p] = last + REDUCE;
    }
}

static void
write_exchange(const multigrid *m, tw_location *location, uint32_t process, uint32_t level, uint32_t step)
{
    const hd_time *begins = &m->begins[(size_t)step * m->n];
    uint32_t       others[MAX_NEIGHBOURS], n = neighbours(m, process, level, others);
    uint64_t       request = (uint64_t)step * 2 * MAX_NEIGHBOURS;
    hd_time        now = begins[process], leave, enter = wait_of(m, begins, process, level, step, &leave);

    for (uint32_t i = 0; i < n; i++, now += POST) {
        tw_enter(location, now, m->irecv);
        tw_irecv_request(location, now, request + i);
        tw_leave(location, now + POST, m->irecv);
    }
    for (uint32_t i = 0; i < n; i++, now += SEND) {
        tw_enter(location, now, m->isend);
        tw_isend(location, now, TW_WORLD, others[i], level, BYTES, request + n + i);
        tw_leave(location, now + SEND, m->isend);
    }
    tw_enter(location, now, m->smooth);
    tw_leave(location, enter, m->smooth);
    tw_enter(location, enter, m->waitall);
    for (uint32_t i = 0; i < n; i++) {
        tw_irecv(location, leave, TW_WORLD, others[i], level, BYTES, request + i);
        tw_isend_complete(location, leave, request + n + i);
    }
    tw_leave(location, leave, m->waitall);
}

static void
write_process(const multigrid *m, uint32_t process)
{
    tw_location *location = tw_location_open(m->archive, process, 0, NULL, 0);
    uint32_t     n_steps = m->n_cycles * steps_of_cycle(m);
    hd_time      end = m->begins[(size_t)n_steps * m->n + process];

    tw_program_begin(location, 0);
    tw_enter(location, 0, m->main);
    tw_enter(location, 10, m->init);
    tw_leave(location, 1000, m->init);
    for (uint32_t step = 0; step < n_steps; step++) {
        uint32_t in    = step % steps_of_cycle(m);
        hd_time  begin = m->begins[(size_t)step * m->n + process];
        hd_time  leave = m->begins[((size_t)step + 1) * m->n + process];

        if (in == 0)
            tw_enter(location, begin, m->cycle);
        if (in + 1 < steps_of_cycle(m)) {
            write_exchange(m, location, process, level_of(m, in), step);
            continue;
        }
        tw_enter(location, begin, m->allreduce);
        tw_coll_begin(location, begin);
        tw_coll_end(location, leave, TW_COLL_ALLREDUCE, TW_WORLD, TW_ROOT_NONE, 8, 8);
        tw_leave(location, leave, m->allreduce);
        tw_leave(location, leave, m->cycle);
    }
    tw_enter(location, end, m->finalize);
    tw_leave(location, end + 1000, m->finalize);
    tw_leave(location, end + 1000, m->main);
    tw_program_end(location, end + 1000);
    tw_location_close(location);
}

static void
make(multigrid *m, const char *directory)
{
    time_steps(m);
    m->archive = tw_open(directory, &(tw_archive_options){ .n_processes = m->n, .resolution = 1000000000,
                                                           .processes_per_node = 64, .chunk_bytes = 256 * 1024,
                                                           .without_definitions = true });
    m->main      = tw_region(m->archive, "main");
    m->cycle     = tw_region(m->archive, "cycle");
    m->smooth    = tw_region(m->archive, "smooth");
    m->irecv     = tw_region(m->archive, "MPI_Irecv");
    m->isend     = tw_region(m->archive, "MPI_Isend");
    m->waitall   = tw_region(m->archive, "MPI_Waitall");
    m->allreduce = tw_region(m->archive, "MPI_Allreduce");
    m->init      = tw_region(m->archive, "MPI_Init");
    m->finalize  = tw_region(m->archive, "MPI_Finalize");
    for (uint32_t p = 0; p < m->n; p++)
        write_process(m, p);
    tw_close(m->archive);
    free(m->begins);
}

/* HD_NONE: it is no number from `least` to `most`. */
static uint32_t
number_of(const char *text, uint32_t least, uint32_t most)
{
    char         *end;
    unsigned long number = strtoul(text, &end, 10);

    return end != text && *end == '\0' && number >= least && number <= most ? (uint32_t)number : HD_NONE;
}

int
main(int n, char **arguments)
{
    bool      has_cycles = n == 5 && strcmp(arguments[3], "--cycles") == 0;
    multigrid m          = { .n_levels = n > 2 ? number_of(arguments[2], 1, 20) : HD_NONE,
                             .n_cycles = has_cycles ? number_of(arguments[4], 1, 10000) : 2 };

    if ((n != 3 && !has_cycles) || m.n_levels == HD_NONE || m.n_cycles == HD_NONE) {
        fputs("usage: tw_multigrid DIRECTORY LOG2_PROCESSES [--cycles N]   (1 to 20; 1 to 10000)\n", stderr);
        return 2;
    }
    m.n = UINT32_C(1) << m.n_levels;
    make(&m, arguments[1]);
    return 0;
}
