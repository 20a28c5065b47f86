/* tests/writer/bench/bench_archive.c: archives to measure with.
 *
 * usage: tw_bench KIND DIRECTORY [--events N] [--processes P] [--chunk BYTES] [--counters N]
 *
 *   mixed     user functions, halo exchange in both flavours, collectives: 10.5 million events, 16 processes
 *   p16, p256, p4096, p16384     the same with so many processes: 4 million events
 *   deep      10,000 call paths (also: callpaths)
 *   comms     5,000 communicators (also: communicators)
 *   lopsided  process 0 has half of all events (also: imbalanced)
 *   waitall   every completion is a Waitall of 1,000 requests
 *   pingpong  messages between pairs of processes, there and back; nothing else
 *   rma       one-sided exchange in equal parts: fences; post, start, complete, wait; exclusive locks; one lock of all
 *
 * The program is a stencil code: processes in a ring, iterations of equal shape. In each iteration a process calls
 * functions a few levels deep, exchanges messages with its neighbours and takes part in a collective. Locations are
 * written one after the other; when a neighbour sends, and when the last one comes, is therefore computed from (seed,
 * process, iteration), never remembered: only the ends of the iterations are. Stamps are those of a clock of 2.3 GHz,
 * as Score-P writes them.
 */
#include "bench_archive.h"

#include <stdio.h>

#include "memory.h"

enum { PING_TICKS = 700 };
enum { MAX_DEPTH = 6, HALO = 2, WAITALL_REQUESTS = 1000, DEEP_PATHS = 10000, MANY_COMMS = 5000 };

#define RESOLUTION UINT64_C(2300000000)

uint64_t
mix(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t z = a * UINT64_C(0x9E3779B97F4A7C15) + b * UINT64_C(0xBF58476D1CE4E5B9) + c * UINT64_C(0x94D049BB133111EB);

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    return z ^ (z >> 29);
}

/* -------------------------------------------------------------------------------------------------------------
 * times */

static uint32_t
calls_of(const bench *b, uint32_t process)
{
    return b->n_calls + (process == 0 ? b->n_extra : 0);
}

/* [ticks] how long a process computes in an iteration before it communicates; the more calls, the longer. */
static hd_time
compute_ticks(const bench *b, uint32_t process, uint32_t iteration)
{
    hd_time per_call = 900 + mix(process, iteration, 1) % 300;

    return (hd_time)calls_of(b, process) * per_call + 4000 + mix(process, iteration, 2) % 20000;
}

/* When the exchange of a process starts. */
hd_time
exchange_start(const bench *b, uint32_t process, uint32_t iteration)
{
    return b->starts[iteration] + mix(process, iteration, 3) % 500 + compute_ticks(b, process, iteration);
}

static uint32_t
messages_of(const bench *b)
{
    return b->kind == WAITALL ? WAITALL_REQUESTS / 2 : HALO;
}

/* [ticks] from the start of the exchange to its k-th send. */
static hd_time
send_offset(const bench *b, uint32_t k)
{
    return (hd_time)(messages_of(b) + k) * 420;
}

uint32_t
right_of(const bench *b, uint32_t process)
{
    return (process + 1) % b->n_processes;
}

uint32_t
left_of(const bench *b, uint32_t process)
{
    return (process + b->n_processes - 1) % b->n_processes;
}

/* When a process has all it needs from its neighbours. */
static hd_time
exchange_end(const bench *b, uint32_t process, uint32_t iteration)
{
    hd_time last = exchange_start(b, process, iteration);

    if (b->kind == PINGPONG)
        return b->starts[iteration] + 2 * PING_TICKS;
    if (b->kind == RMA)
        return b->meets[iteration] + N_ROUNDS * ROUND_TICKS;
    last = hd_time_max(last, exchange_start(b, left_of(b, process), iteration));
    last = hd_time_max(last, exchange_start(b, right_of(b, process), iteration));
    return last + send_offset(b, messages_of(b)) + 2500;
}

/* Iterations end with a collective of all: one pass over the processes for each. */
static void
starts_compute(bench *b)
{
    b->starts    = HD_NEW_ARRAY(hd_time, (size_t)b->n_iterations + 1);
    b->meets     = HD_NEW_ARRAY(hd_time, b->n_iterations);
    b->starts[0] = 5000000;
    for (uint32_t i = 0; i < b->n_iterations; i++) {
        hd_time last = 0;

        for (uint32_t p = 0; p < b->n_processes; p++)
            b->meets[i] = hd_time_max(b->meets[i], exchange_start(b, p, i));
        for (uint32_t p = 0; p < b->n_processes; p++)
            last = hd_time_max(last, exchange_end(b, p, i));
        b->starts[i + 1] = last + 12000;
    }
}

/* ------------------------------------------------------------------------------------------------------------
 * events */

/* User functions, `n` of them, between two times: chains of calls a few levels deep. */
static void
functions_write(const bench *b, tw_location *location, uint32_t process, uint32_t iteration, hd_time from, hd_time to)
{
    uint32_t n = calls_of(b, process), stack[MAX_DEPTH], depth = 0, i = 0, steps = 0;
    hd_time  pace = (to - from) / (2 * (hd_time)n + 2), now = from;
    uint64_t path = mix(7, 0, iteration % 10);

    while (i < n || depth > 0) {
        uint64_t draw = mix(path, steps++, 4);

        now += pace - draw % (pace / 2 + 1);
        /* The shape of the calls is the same in every iteration (of ten kinds), so the number of call paths is
         * bounded. */
        if (i < n && depth < MAX_DEPTH && (depth == 0 || (draw >> 20) % 100 < 55)) {
            stack[depth] = b->functions[(draw >> 32) % (depth == 0 ? 3 : 2) + 3 * depth];
            tw_enter(location, now, stack[depth++]);
            i++;
        } else {
            tw_leave(location, now, stack[--depth]);
        }
    }
}

/* Call path number i of 10,000: four levels of ten functions each. */
static void
deep_write(const bench *b, tw_location *location, uint32_t process, uint32_t iteration, hd_time from, hd_time to)
{
    uint32_t n    = calls_of(b, process) / 4 + 1;
    hd_time  pace = (to - from) / (8 * (hd_time)n + 2), now = from;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t path = (uint32_t)((uint64_t)iteration * n + i) % DEEP_PATHS, stack[4];

        for (uint32_t k = 0; k < 4; k++, path /= 10) {
            stack[k] = b->functions[30 + 10 * k + path % 10];
            tw_enter(location, now += pace, stack[k]);
        }
        for (uint32_t k = 4; k-- > 0;)
            tw_leave(location, now += pace, stack[k]);
    }
}

static void
exchange_blocking(const bench *b, tw_location *location, uint32_t process, uint32_t iteration)
{
    hd_time  start = exchange_start(b, process, iteration), now = start;
    uint32_t from = left_of(b, process), to = right_of(b, process);
    hd_time  theirs = exchange_start(b, from, iteration);

    for (uint32_t k = 0; k < HALO; k++) {
        hd_time at = start + send_offset(b, k);

        tw_enter(location, at, b->send);
        tw_send(location, at + 30, TW_WORLD, to, k, 4096);
        tw_leave(location, at + 350, b->send);
        now = at + 380;
    }
    for (uint32_t k = 0; k < HALO; k++) {
        hd_time arrival = theirs + send_offset(b, k) + 900;

        tw_enter(location, now, b->recv);
        now = hd_time_max(now + 200, arrival);
        tw_recv(location, now, TW_WORLD, from, k, 4096);
        tw_leave(location, now + 40, b->recv);
        now += 60;
    }
}

static void
exchange_requests(const bench *b, tw_location *location, uint32_t process, uint32_t iteration)
{
    hd_time  start = exchange_start(b, process, iteration), end = exchange_end(b, process, iteration), now = start;
    uint32_t n = messages_of(b), from = left_of(b, process), to = right_of(b, process);
    uint64_t request = (uint64_t)iteration * 2 * n + 1;

    for (uint32_t k = 0; k < n; k++) {
        tw_enter(location, now, b->irecv);
        tw_irecv_request(location, now + 40, request + k);
        tw_leave(location, now + 300, b->irecv);
        now += 350;
    }
    for (uint32_t k = 0; k < n; k++) {
        now = start + send_offset(b, k);
        tw_enter(location, now, b->isend);
        tw_isend(location, now + 40, TW_WORLD, to, k % 4, 8192, request + n + k);
        tw_leave(location, now + 380, b->isend);
    }
    now += 400;
    tw_enter(location, now, b->waitall);
    for (uint32_t k = 0; k < n; k++)
        tw_irecv(location, end - 500, TW_WORLD, from, k % 4, 8192, request + k);
    for (uint32_t k = 0; k < n; k++)
        tw_isend_complete(location, end - 450, request + n + k);
    tw_leave(location, end - 300, b->waitall);
}

static void
collective_write(tw_location *location, hd_time enter, hd_time leave, uint32_t region, tw_collective operation,
                 uint32_t comm, uint64_t sent, uint64_t received)
{
    uint32_t root = operation == TW_COLL_BCAST ? 0 : TW_ROOT_NONE;

    tw_enter(location, enter, region);
    tw_coll_begin(location, enter + 20);
    tw_coll_end(location, leave - 20, operation, comm, root, sent, received);
    tw_leave(location, leave, region);
}

/* The communicators take turns: in each iteration every process uses one that it is in. */
static void
comm_barrier(const bench *b, tw_location *location, uint32_t process, uint32_t iteration, hd_time enter, hd_time leave)
{
    uint32_t n_groups = b->n_processes / b->comm_size;
    uint32_t group = process / b->comm_size, turns = b->n_comms / n_groups;

    if (group >= n_groups || turns == 0)
        return;
    collective_write(location, enter, leave, b->barrier, TW_COLL_BARRIER,
                     b->comms[group + n_groups * (iteration % turns)], 0,
                     0);
}

/* Even processes begin, odd ones answer. */
static void
pingpong_write(const bench *b, tw_location *location, uint32_t process, uint32_t iteration)
{
    hd_time  now   = b->starts[iteration];
    uint32_t other = process ^ 1;

    for (uint32_t half = 0; half < 2; half++) {
        if (process % 2 == half) {
            tw_enter(location, now + 50, b->send);
            tw_send(location, now + 80, TW_WORLD, other, 0, 8);
            tw_leave(location, now + 300, b->send);
        } else {
            tw_enter(location, now + 20, b->recv);
            tw_recv(location, now + 600, TW_WORLD, other, 0, 8);
            tw_leave(location, now + 640, b->recv);
        }
        now += PING_TICKS;
    }
}

static void
iteration_write(const bench *b, tw_location *location, uint32_t process, uint32_t i)
{
    hd_time start = b->starts[i] + mix(process, i, 3) % 500, next = b->starts[i + 1];
    hd_time end = exchange_end(b, process, i), leave = next - 3000 + mix(process, i, 5) % 800;
    hd_time enter = b->kind == COMMS ? next - 5000 + mix(process, i, 6) % 500 : end;

    tw_enter(location, start, b->step);
    if (b->kind == DEEP)
        deep_write(b, location, process, i, start, exchange_start(b, process, i));
    else
        functions_write(b, location, process, i, start, exchange_start(b, process, i));
    if (b->kind == RMA)
        exchange_on_windows(b, location, process, i);
    else if (b->kind == WAITALL || i % 2 == 1)
        exchange_requests(b, location, process, i);
    else
        exchange_blocking(b, location, process, i);
    if (b->kind == COMMS)
        comm_barrier(b, location, process, i, end, next - 6000);
    if (i % 8 == 7)
        collective_write(location, next - 5000 + mix(process, i, 6) % 500, leave, b->bcast, TW_COLL_BCAST, TW_WORLD,
                         process == 0 ? 1024 * (uint64_t)b->n_processes : 0, 1024);
    else
        collective_write(location, enter, leave, b->allreduce, TW_COLL_ALLREDUCE, TW_WORLD,
                         8 * (uint64_t)b->n_processes, 8 * (uint64_t)b->n_processes);
    tw_leave(location, leave + 50, b->step);
}

static void
location_write(const bench *b, uint32_t process)
{
    tw_location *location = tw_location_open(b->archive, process, 0, NULL, 0);
    hd_time      end      = b->starts[b->n_iterations];

    tw_program_begin(location, mix(process, 0, 7) % 1000);
    tw_enter(location, 1200, b->main);
    collective_write(location, 2000 + mix(process, 0, 8) % 1000, 4000000 + mix(process, 0, 9) % 9000, b->init,
                     TW_COLL_CREATE_HANDLE, TW_WORLD, 0, 0);
    if (b->kind == RMA)
        windows_write(b, location, process, 4100000, b->win_create, TW_COLL_CREATE_HANDLE);
    for (uint32_t i = 0; i < b->n_iterations; i++)
        if (b->kind == PINGPONG)
            pingpong_write(b, location, process, i);
        else
            iteration_write(b, location, process, i);
    if (b->kind == RMA) {
        windows_write(b, location, process, end, b->win_free, TW_COLL_DESTROY_HANDLE);
        end += N_WINDOWS * 40000;
    }
    collective_write(location, end + mix(process, 0, 10) % 5000, end + 200000 + mix(process, 0, 11) % 900, b->finalize,
                     TW_COLL_DESTROY_HANDLE, TW_WORLD, 0, 0);
    tw_leave(location, end + 300000, b->main);
    tw_program_end(location, end + 300100);
    tw_location_close(location);
}

/* -------------------------------------------------------------------------------------------------------
 * definitions */

static void
regions_define(bench *b)
{
    static const char *const verbs[] =
        { "update", "flux", "limit", "gather", "scatter", "smooth", "norm", "pack", "unpack",
          "copy" };

    b->main = tw_region(b->archive, "main");
    b->step = tw_region(b->archive, "timestep");
    for (uint32_t i = 0; i < 30 + (b->kind == DEEP ? 40 : 0); i++) {
        char *name = hd_format("%s_%" PRIu32, verbs[i % 10], i / 10);

        b->functions[b->n_functions++] = tw_region(b->archive, name);
        free(name);
    }
    b->send      = tw_region(b->archive, "MPI_Send");
    b->recv      = tw_region(b->archive, "MPI_Recv");
    b->isend     = tw_region(b->archive, "MPI_Isend");
    b->irecv     = tw_region(b->archive, "MPI_Irecv");
    b->waitall   = tw_region(b->archive, "MPI_Waitall");
    b->allreduce = tw_region(b->archive, "MPI_Allreduce");
    b->barrier   = tw_region(b->archive, "MPI_Barrier");
    b->bcast     = tw_region(b->archive, "MPI_Bcast");
    b->init      = tw_region(b->archive, "MPI_Init");
    b->finalize  = tw_region(b->archive, "MPI_Finalize");
}

static void
comms_define(bench *b)
{
    uint32_t *members  = HD_NEW_ARRAY(uint32_t, b->comm_size);
    uint32_t  n_groups = b->n_processes / b->comm_size;

    b->comms = HD_NEW_ARRAY(uint32_t, b->n_comms);
    for (uint32_t i = 0; i < b->n_comms; i++) {
        for (uint32_t k = 0; k < b->comm_size; k++)
            members[k] = (i % n_groups) * b->comm_size + (i / n_groups + k) % b->comm_size;
        b->comms[i] = tw_comm_define(b->archive, NULL, members, b->comm_size);
    }
    free(members);
}

/* Of a round, on average over its four kinds. */
enum { RMA_EVENTS = 21 };

/* How many iterations make so many events. */
static void
shape_choose(bench *b)
{
    uint64_t per_process = b->n_events / b->n_processes;
    /* on average over both flavours */
    uint64_t messages    = b->kind == WAITALL ? 4 * WAITALL_REQUESTS + 2 : 7 * HALO + 1;
    uint64_t other       = 2 + 4 + (b->kind == RMA ? N_ROUNDS * RMA_EVENTS : messages);
    uint64_t per_iteration;

    b->n_calls = b->kind == WAITALL ? 500 : 30;
    if (b->kind == DEEP)
        b->n_calls = 40;
    if (b->kind == RMA)
        b->n_calls = 8;
    if (b->kind == COMMS) {
        b->n_calls = 4;
        other += 4;
    }
    per_iteration   = other + 2 * (uint64_t)b->n_calls + (b->kind == DEEP ? 8 : 0);
    b->n_iterations = (uint32_t)(per_process / per_iteration);
    if (b->kind == LOPSIDED) { /* half of the events are those of process 0 */
        b->n_iterations = (uint32_t)(b->n_events / 2 / b->n_processes / per_iteration);
        b->n_extra      = (uint32_t)((b->n_processes - 2) * per_iteration / 2);
    }
    if (b->kind == PINGPONG)
        b->n_iterations = (uint32_t)(per_process / 6);
    if (b->n_iterations == 0)
        b->n_iterations = 1;
    if (b->kind == COMMS) {
        b->n_comms   = MANY_COMMS;
        b->comm_size = b->n_processes < 4 ? b->n_processes : 4;
    }
}

static bool
kind_read(const char *word, bench *b)
{
    static const struct {
        const char *word;
        bench_kind  kind;
        uint64_t    n_events;
        uint32_t    n_processes;
    } kinds[] = { { "mixed", MIXED, 10500000, 16 },      { "p16", MIXED, 4000000, 16 },
                  { "p256", MIXED, 4000000, 256 },       { "p4096", MIXED, 4000000, 4096 },
                  { "p16384", MIXED, 4000000, 16384 },
                  { "deep", DEEP, 4000000, 16 },         { "callpaths", DEEP, 4000000, 16 },
                  { "comms", COMMS, 4000000, 64 },       { "communicators", COMMS, 4000000, 64 },
                  { "lopsided", LOPSIDED, 4000000, 16 }, { "imbalanced", LOPSIDED, 4000000, 16 },
                  { "waitall", WAITALL, 4000000, 16 },   { "rma", RMA, 4000000, 16 },
                  { "pingpong", PINGPONG, 4000000, 2 } };

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(word, kinds[i].word) == 0) {
            b->kind        = kinds[i].kind;
            b->n_events    = kinds[i].n_events;
            b->n_processes = kinds[i].n_processes;
            return true;
        }
    return false;
}

static int
usage(void)
{
    fprintf(stderr, "usage: tw_bench mixed|p16|p256|p4096|p16384|deep|comms|lopsided|waitall|rma|pingpong DIRECTORY "
                    "[--events N] [--processes P] [--chunk BYTES] [--counters N]\n");
    return 2;
}

int
main(int argc, char **argv)
{
    bench              b       = { 0 };
    tw_archive_options options = { .resolution = RESOLUTION, .first_time = UINT64_C(8293920912981),
                                   .processes_per_node = 64 };

    if (argc < 3 || argc % 2 == 0 || !kind_read(argv[1], &b))
        return usage();
    for (int i = 3; i < argc; i += 2) {
        uint64_t value = strtoull(argv[i + 1], NULL, 10);

        if (strcmp(argv[i], "--events") == 0)
            b.n_events = value;
        else if (strcmp(argv[i], "--processes") == 0)
            b.n_processes = (uint32_t)value;
        else if (strcmp(argv[i], "--chunk") == 0)
            b.chunk_bytes = value;
        else if (strcmp(argv[i], "--counters") == 0)
            options.n_counters = (uint32_t)value;
        else
            return usage();
    }
    if (b.n_processes < 2 || (b.kind == PINGPONG && b.n_processes % 2 != 0))
        return usage();
    options.n_processes         = b.n_processes;
    options.without_definitions = b.n_processes > 256;
    options.chunk_bytes         = b.chunk_bytes != 0 ? b.chunk_bytes : b.n_processes > 64 ? 256 * 1024 : 1024 * 1024;
    shape_choose(&b);
    b.archive = tw_open(argv[2], &options);
    regions_define(&b);
    if (b.n_comms > 0)
        comms_define(&b);
    if (b.kind == RMA)
        windows_define(&b);
    starts_compute(&b);
    for (uint32_t p = 0; p < b.n_processes; p++)
        location_write(&b, p);
    tw_close(b.archive);
    free(b.starts);
    free(b.meets);
    free(b.comms);
    free(b.groups);
    return 0;
}
