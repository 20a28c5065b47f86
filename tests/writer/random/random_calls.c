/* tests/writer/random/random_calls.c: chance, calls of a process, communicators: what all steps of a random program
 * use. */
#include "random_program.h"

#include "status.h"

/* ------------------------------------------------------------------------------------------------------------
 * chance */

static uint64_t
random_next(program *p)
{
    uint64_t z = p->random += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

uint32_t
below(program *p, uint32_t n)
{
    HD_ASSERT(n > 0);
    return (uint32_t)(random_next(p) % n);
}

bool
chance(program *p, uint32_t percent)
{
    return below(p, 100) < percent;
}

uint64_t
random_bytes(program *p)
{
    static const uint64_t sizes[] = { 0, 1, 8, 7, 64, 1000, 4096, 65537 };
    uint64_t              bytes   = sizes[below(p, 8)];

    return bytes == 0 ? TW_NOTHING : bytes;
}

void
pass_time(program *p, uint32_t process)
{
    lane_of(p, process)->now += 1 + below(p, chance(p, 20) ? 80 : 12);
}

/* -------------------------------------------------------------------------------------------------------------
 * calls */

size_t
call_add(program *p, tw_op op, hd_time leave)
{
    op.thread                   = p->acting[op.process];
    op.leave                    = leave;
    lane_of(p, op.process)->now = leave + 1;
    if (op.op >= TW_SEND || op.op == TW_INIT)
        p->mpi_time[op.process] = hd_time_max(p->mpi_time[op.process], leave + 1);
    HD_PUSH(p->ops, p->n_ops, p->ops_capacity, op);
    return p->n_ops - 1;
}

void
plain_call(program *p, uint32_t process, const char *region)
{
    tw_op op = { .process = process, .op = TW_USER, .enter = lane_of(p, process)->now, .region = region };

    call_add(p, op, op.enter + 1 + below(p, 3));
}

static void
function_enter(program *p, uint32_t process)
{
    static const char *const functions[] = { "solve", "exchange", "compute", "setup", "work" };
    lane *l  = lane_of(p, process);
    tw_op op = { .process = process, .thread = p->acting[process], .op = TW_USER, .enter = l->now,
                 .region = functions[below(p, 5)] };

    HD_PUSH(p->ops, p->n_ops, p->ops_capacity, op);
    l->opened[l->depth++] = p->n_ops - 1;
    l->now += 1;
}

static void
function_leave(program *p, uint32_t process)
{
    lane *l = lane_of(p, process);

    p->ops[l->opened[--l->depth]].leave = l->now;
    l->now += 1;
}

void
functions_leave(program *p, uint32_t process)
{
    while (lane_of(p, process)->depth > lane_of(p, process)->base)
        function_leave(p, process);
}

/* The trace buffer is full. */
static void
flush(program *p, uint32_t process)
{
    tw_op op = { .process = process, .op = TW_FLUSH, .enter = lane_of(p, process)->now };

    call_add(p, op, op.enter + 5 + below(p, 20));
}

void
wander(program *p, uint32_t process)
{
    if (chance(p, 1))
        flush(p, process);
    if (lane_of(p, process)->depth < DEEPEST_FUNCTION && chance(p, 30))
        function_enter(p, process);
    else if (lane_of(p, process)->depth > lane_of(p, process)->base && chance(p, 40))
        function_leave(p, process);
    else if (chance(p, 30))
        plain_call(p, process, !p->with_mpi || chance(p, 50) ? "work" : "MPI_Comm_rank");
    else if (p->n_lanes > 1 && chance(p, 8))
        threads_scene(p, process, false);
    pass_time(p, process);
}

/* ------------------------------------------------------------------------------------------------------
 * communicators */

uint32_t
find_process(const uint32_t *processes, uint32_t n, uint32_t process)
{
    for (uint32_t i = 0; i < n; i++)
        if (processes[i] == process)
            return i;
    return HD_NONE;
}

/* The rank by which `from` calls `to` in a communicator. */
uint32_t
rank_of(const program *p, uint32_t comm, uint32_t from, uint32_t to)
{
    const comm_place *place = &p->comms[comm];

    if (comm == TW_SELF)
        return 0;
    if (place->n_remote == 0)
        return find_process(place->processes, place->n, to);
    if (find_process(place->processes, place->n, from) != HD_NONE)
        return find_process(place->remote, place->n_remote, to);
    return find_process(place->processes, place->n, to);
}

/* A communicator and two processes that can talk in it; they may be the same one. */
void
pair_draw(program *p, uint32_t *comm, uint32_t *from, uint32_t *to)
{
    const comm_place *place;

    *comm = chance(p, 50) ? TW_WORLD : below(p, p->n_comms);
    place = &p->comms[*comm];
    if (*comm == TW_SELF) {
        *from = *to = below(p, p->n_processes);
    } else if (place->n_remote > 0) {
        *from = place->processes[below(p, place->n)];
        *to   = place->remote[below(p, place->n_remote)];
        if (chance(p, 50)) {
            uint32_t swap = *from;

            *from = *to;
            *to   = swap;
        }
    } else {
        *from = place->processes[below(p, place->n)];
        *to   = place->processes[below(p, place->n)];
    }
}

/* All processes of a communicator, both groups. Returns how many. */
uint32_t
members_of(const program *p, uint32_t comm, uint32_t members[MAX_PROCESSES])
{
    const comm_place *place = &p->comms[comm];
    uint32_t          n     = 0;

    for (uint32_t i = 0; i < place->n; i++)
        members[n++] = place->processes[i];
    for (uint32_t i = 0; i < place->n_remote; i++)
        members[n++] = place->remote[i];
    return n;
}
