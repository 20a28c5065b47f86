/* tests/writer/sweep_archive.c: archives of a program that sweeps over a grid of processes.
 *
 * usage: tw_sweep DIRECTORY COLUMNS ROWS [--iterations N] [--blocks N] [--slow PERCENT] [--rounds N] [--unrecorded]
 *
 * COLUMNS x ROWS processes, the last coordinate fastest. In each iteration a wavefront starts from each corner of the
 * grid, twice, and goes over it in so many blocks: a process receives a block from before it on either axis, computes,
 * and sends it on. An allreduce ends the iteration; with --rounds N come as many rounds of an allreduce in each row,
 * one in each column and a barrier of all. Processes in the middle half of the grid, on either axis, take PERCENT
 * longer. With --unrecorded the archive has no Cartesian topology. Locations are written one after the other from the
 * times at which each process is ready with each block, of which 8 bytes are kept for each process, iteration, sweep
 * and block. Stamps are nanoseconds.
 */
#include <stdio.h>

#include "memory.h"
#include "mix.h"
#include "trace_writer.h"

enum { SWEEPS = 8, COMPUTE = 20000, SEND = 300, RECV = 200, REDUCE = 5000, STEP = 4 * COMPUTE, JITTER = 400,
       MESSAGE_BYTES = 4800 };

typedef struct sweep {
    uint32_t    columns, rows, n_blocks, n_iterations, n_rounds, slow;
    uint32_t    first_comm; /* that of row 0; the columns' follow the rows' */
    hd_time    *ready;  /* [processes][SWEEPS * n_blocks] of the current iteration: end of computing */
    hd_time    *all;    /* [n_iterations] of these */
    hd_time    *starts; /* [n_iterations + 1] of the iterations, the same for all processes */
    tw_archive *archive;
    uint32_t    main, iteration, octant, compute, send, recv, allreduce, barrier, init, finalize;
} sweep;

static const int directions[SWEEPS][2] =
    { { 1, 1 }, { 1, 1 }, { -1, 1 }, { -1, 1 }, { 1, -1 }, { 1, -1 }, { -1, -1 }, { -1, -1 } };

/* The next process on an axis, against (-1) or along (1) the sweep; HD_NONE at the border. */
static uint32_t
neighbour(const sweep *s, uint32_t process, uint32_t number, uint32_t axis, int way)
{
    int32_t column = (int32_t)(process / s->rows), row = (int32_t)(process % s->rows);

    *(axis == 0 ? &column : &row) += way * directions[number][axis];
    if (column < 0 || row < 0 || column >= (int32_t)s->columns || row >= (int32_t)s->rows)
        return HD_NONE;
    return (uint32_t)column * s->rows + (uint32_t)row;
}

static hd_time
compute_of(const sweep *s, uint32_t process, uint64_t step)
{
    uint32_t column = process / s->rows, row = process % s->rows;
    bool     is_slow = column >= s->columns / 4 && column < s->columns - s->columns / 4 && row >= s->rows / 4 &&
                       row < s->rows - s->rows / 4;

    return (hd_time)COMPUTE + (is_slow ? (hd_time)COMPUTE * s->slow / 100 : 0) + tw_mix(process, step) % JITTER;
}

/* When a block from before is there, at the latest `enter`: the sender sends along the first axis, then along the
 * second. */
static hd_time
arrival(const sweep *s, uint32_t from, uint32_t number, size_t step, uint32_t axis, hd_time enter)
{
    hd_time sent = s->ready[(size_t)from * SWEEPS * s->n_blocks + step];

    if (axis == 1 && neighbour(s, from, number, 0, 1) != HD_NONE)
        sent += SEND;
    return (sent > enter ? sent : enter) + RECV;
}

static void
message_call(const sweep *s, tw_location *location, hd_time enter, hd_time leave, uint32_t peer, uint32_t axis,
             bool is_send)
{
    tw_enter(location, enter, is_send ? s->send : s->recv);
    (is_send ? tw_send : tw_recv)(location, is_send ? enter : leave, TW_WORLD, peer, axis, MESSAGE_BYTES);
    tw_leave(location, leave, is_send ? s->send : s->recv);
}

/* One block of one process; its end. location: NULL, only the time is computed. */
static hd_time
do_block(sweep *s, tw_location *location, uint32_t process, uint32_t number, size_t step, hd_time now, uint64_t seed)
{
    hd_time leave;

    for (uint32_t axis = 0; axis < 2; axis++) {
        uint32_t from = neighbour(s, process, number, axis, -1);

        if (from == HD_NONE)
            continue;
        leave = arrival(s, from, number, step, axis, now);
        if (location != NULL)
            message_call(s, location, now, leave, from, axis, false);
        now = leave;
    }
    leave = now + compute_of(s, process, seed);
    if (location != NULL) {
        tw_enter(location, now, s->compute);
        tw_leave(location, leave, s->compute);
    }
    now                                                       = leave;
    s->ready[(size_t)process * SWEEPS * s->n_blocks + step] = now;
    for (uint32_t axis = 0; axis < 2; axis++) {
        uint32_t to = neighbour(s, process, number, axis, 1);

        if (to == HD_NONE)
            continue;
        if (location != NULL)
            message_call(s, location, now, now + SEND, to, axis, true);
        now += SEND;
    }
    return now;
}

/* The i-th process in an order in which those before it on both axes come first. */
static uint32_t
in_order(const sweep *s, uint32_t number, uint32_t i)
{
    uint32_t column = i / s->rows, row = i % s->rows;

    column = directions[number][0] > 0 ? column : s->columns - 1 - column;
    row    = directions[number][1] > 0 ? row : s->rows - 1 - row;
    return column * s->rows + row;
}

static void
begin_iteration(sweep *s, uint32_t iteration)
{
    s->ready = s->all + (size_t)iteration * s->columns * s->rows * SWEEPS * s->n_blocks;
}

/* The times of an iteration; its end. end: [processes] */
static hd_time
time_iteration(sweep *s, uint32_t iteration, hd_time *end)
{
    uint32_t n    = s->columns * s->rows;
    hd_time  last = 0;

    begin_iteration(s, iteration);
    for (uint32_t i = 0; i < n; i++)
        end[i] = s->starts[iteration];
    for (uint32_t number = 0; number < SWEEPS; number++)
        for (uint32_t i = 0; i < n; i++) {
            uint32_t process = in_order(s, number, i);

            for (uint32_t block = 0; block < s->n_blocks; block++) {
                size_t step = (size_t)number * s->n_blocks + block;

                end[process] = do_block(s, NULL, process, number, step, end[process], (uint64_t)iteration << 32 | step);
            }
        }
    for (uint32_t i = 0; i < n; i++)
        last = end[i] > last ? end[i] : last;
    return last + REDUCE + (hd_time)s->n_rounds * 3 * STEP;
}

static void
collective(const sweep *s, tw_location *location, hd_time enter, hd_time leave, uint32_t comm, bool is_barrier)
{
    uint32_t region = is_barrier ? s->barrier : s->allreduce, bytes = is_barrier ? 0 : 8;

    tw_enter(location, enter, region);
    tw_coll_begin(location, enter);
    tw_coll_end(location, leave, is_barrier ? TW_COLL_BARRIER : TW_COLL_ALLREDUCE, comm, TW_ROOT_NONE, bytes, bytes);
    tw_leave(location, leave, region);
}

/* A round of three steps, each as long for all processes: computing, and then a collective operation until the step
 * ends. */
static void
write_round(const sweep *s, tw_location *location, uint32_t process, hd_time now, uint64_t seed)
{
    uint32_t comms[] = { s->first_comm + process / s->rows, s->first_comm + s->columns + process % s->rows, TW_WORLD };

    for (uint32_t step = 0; step < 3; step++) {
        hd_time computed = now + compute_of(s, process, seed * 3 + step), leave = now + STEP;

        tw_enter(location, now, s->compute);
        tw_leave(location, computed, s->compute);
        collective(s, location, computed, leave, comms[step], step == 2);
        now = leave;
    }
}

static void
write_iteration(sweep *s, tw_location *location, uint32_t process, uint32_t iteration)
{
    hd_time now = s->starts[iteration], last = s->starts[iteration + 1];

    tw_enter(location, now, s->iteration);
    for (uint32_t number = 0; number < SWEEPS; number++) {
        tw_enter(location, now, s->octant);
        for (uint32_t block = 0; block < s->n_blocks; block++) {
            size_t step = (size_t)number * s->n_blocks + block;

            now = do_block(s, location, process, number, step, now, (uint64_t)iteration << 32 | step);
        }
        tw_leave(location, now, s->octant);
    }
    last -= (hd_time)s->n_rounds * 3 * STEP;
    collective(s, location, now, last, TW_WORLD, false);
    for (uint32_t round = 0; round < s->n_rounds; round++, last += 3 * (hd_time)STEP)
        write_round(s, location, process, last, (uint64_t)iteration << 32 | (SWEEPS * s->n_blocks + round));
    tw_leave(location, last, s->iteration);
}

static void
write_process(sweep *s, uint32_t process)
{
    tw_location *location = tw_location_open(s->archive, process, 0, NULL, 0);
    hd_time      end      = s->starts[s->n_iterations];

    tw_program_begin(location, 0);
    tw_enter(location, 0, s->main);
    tw_enter(location, 10, s->init);
    tw_leave(location, 1000, s->init);
    for (uint32_t i = 0; i < s->n_iterations; i++) {
        begin_iteration(s, i);
        write_iteration(s, location, process, i);
    }
    tw_enter(location, end, s->finalize);
    tw_leave(location, end + 1000, s->finalize);
    tw_leave(location, end + 1000, s->main);
    tw_program_end(location, end + 1000);
    tw_location_close(location);
}

static void
define_regions(sweep *s)
{
    s->main      = tw_region(s->archive, "main");
    s->iteration = tw_region(s->archive, "iteration");
    s->octant    = tw_region(s->archive, "octant");
    s->compute   = tw_region(s->archive, "compute");
    s->send      = tw_region(s->archive, "MPI_Send");
    s->recv      = tw_region(s->archive, "MPI_Recv");
    s->allreduce = tw_region(s->archive, "MPI_Allreduce");
    s->barrier   = tw_region(s->archive, "MPI_Barrier");
    s->init      = tw_region(s->archive, "MPI_Init");
    s->finalize  = tw_region(s->archive, "MPI_Finalize");
}

/* Those of the processes with equal coordinates on an axis; the first one. */
static uint32_t
define_comms(const sweep *s, uint32_t n, uint32_t n_members, uint32_t step, uint32_t member_step)
{
    uint32_t *members = HD_NEW_ARRAY(uint32_t, n_members), first = 0;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t comm;

        for (uint32_t m = 0; m < n_members; m++)
            members[m] = i * step + m * member_step;
        comm = tw_comm_define(s->archive, NULL, members, n_members);
        first = i == 0 ? comm : first;
    }
    free(members);
    return first;
}

static void
make(sweep *s, const char *directory, bool is_recorded)
{
    uint32_t n   = s->columns * s->rows;
    hd_time *end = HD_NEW_ARRAY(hd_time, n);

    s->all       = HD_NEW_ARRAY(hd_time, (size_t)s->n_iterations * n * SWEEPS * s->n_blocks);
    s->starts    = HD_NEW_ARRAY(hd_time, (size_t)s->n_iterations + 1);
    s->starts[0] = 1000;
    for (uint32_t i = 0; i < s->n_iterations; i++)
        s->starts[i + 1] = time_iteration(s, i, end);
    s->archive = tw_open(directory,
                         &(tw_archive_options){ .n_processes = n, .resolution = 1000000000, .processes_per_node = 64,
                                                .chunk_bytes = 256 * 1024, .without_definitions = true,
                                                .n_dimensions = is_recorded ? 2 : 0,
                                                .dimensions = { s->columns, s->rows } });
    define_regions(s);
    if (s->n_rounds > 0) {
        s->first_comm = define_comms(s, s->columns, s->rows, s->rows, 1);
        define_comms(s, s->rows, s->columns, 1, s->rows);
    }
    for (uint32_t i = 0; i < n; i++)
        write_process(s, i);
    tw_close(s->archive);
    free(end);
    free(s->all);
    free(s->starts);
}

static uint32_t
number_of(const char *text, uint32_t most)
{
    char         *end;
    unsigned long number = strtoul(text != NULL ? text : "", &end, 10);

    if (text == NULL || end == text || *end != '\0' || number > most) {
        fprintf(stderr, "tw_sweep: \"%s\" is no number up to %" PRIu32 "\n", text != NULL ? text : "", most);
        exit(2);
    }
    return (uint32_t)number;
}

int
main(int n, char **arguments)
{
    sweep s           = { .n_iterations = 2, .n_blocks = 10, .slow = 0 };
    bool  is_recorded = true;

    if (n < 4) {
        fputs("usage: tw_sweep DIRECTORY COLUMNS ROWS [--iterations N] [--blocks N] [--slow PERCENT] [--rounds N] "
              "[--unrecorded]\n", stderr);
        return 2;
    }
    s.columns = number_of(arguments[2], 4096);
    s.rows    = number_of(arguments[3], 4096);
    for (int i = 4; i < n; i++)
        if (strcmp(arguments[i], "--unrecorded") == 0)
            is_recorded = false;
        else if (strcmp(arguments[i], "--iterations") == 0)
            s.n_iterations = number_of(arguments[++i], 10000);
        else if (strcmp(arguments[i], "--blocks") == 0)
            s.n_blocks = number_of(arguments[++i], 10000);
        else if (strcmp(arguments[i], "--slow") == 0)
            s.slow = number_of(arguments[++i], 200);
        else if (strcmp(arguments[i], "--rounds") == 0)
            s.n_rounds = number_of(arguments[++i], 10000);
        else {
            fprintf(stderr, "tw_sweep: what is \"%s\"?\n", arguments[i]);
            return 2;
        }
    if (s.columns == 0 || s.rows == 0 || s.n_blocks == 0 || s.n_iterations == 0) {
        fputs("tw_sweep: nothing may be 0\n", stderr);
        return 2;
    }
    make(&s, arguments[1], is_recorded);
    return 0;
}
