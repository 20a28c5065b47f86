/* tests/writer/random/random_program.c: tw_random SEED DIRECTORY [threads|rma] writes the archive of a random, legal
 * program.
 *
 * The program is a sequence of steps, each of which concerns some processes; every process takes part in its steps in
 * this order, and a step needs nothing of later ones, so no deadlock is possible. Each process has its own virtual
 * time. What a step takes follows from simple rules: a message travels for some ticks, a synchronous send waits for its
 * receive, a collective for those that its class makes it wait for.
 *
 * Messages that were sent and not received yet wait in a list; a receive takes the first one of a channel
 * (communicator, source, destination, tag). Receives of one channel are completed in the order in which they were
 * posted, and never before an earlier one that is still open, so the order of the receive records is that of the sends,
 * as MPI demands.
 *
 * With "threads" the processes have several, see random_threads.c, and some programs have no MPI. With "rma" they use
 * windows, see random_windows.c; few of these programs have an error, and all clocks are right.
 *
 * At the end all messages are received and all requests completed. Clocks may be measured (offset records that lead to
 * the right times) and on top of that be a little wrong, so that some messages seem to arrive before they are sent.
 */
#include "random_program.h"

#include <stdio.h>
#include <string.h>

enum { N_TAGS = 3 };

void
random_step(program *p)
{
    uint32_t comm, from, to, tag = below(p, N_TAGS), kind = below(p, 20);

    caller_draw(p, kind > 2 && (kind < 8 || kind > 10)); /* plain sends and receives of several threads may overlap */
    pair_draw(p, &comm, &from, &to);
    wander(p, from);
    wander(p, to);
    switch (kind) {
    case 0:
    case 1:
    case 2:
        send_eager(p, comm, from, to, tag);
        break;
    case 3:
        send_synchronous(p, comm, from, to, tag);
        break;
    case 4:
    case 5:
        isend(p, comm, from, to, tag);
        break;
    case 6:
    case 7:
        /* Only if a message is there or will be sent at once: an open receive would hold up the end otherwise. */
        if (channel_first(p, comm, from, to, tag) == NO_MESSAGE) {
            irecv(p, comm, from, to, tag);
            if (chance(p, 30) && from != to)
                wander(p, from);
            if (chance(p, 60))
                send_eager(p, comm, from, to, tag);
            else
                isend(p, comm, from, to, tag);
        } else {
            irecv(p, comm, from, to, tag);
        }
        break;
    case 8:
    case 9:
    case 10:
        recv_any(p, to);
        break;
    case 11:
    case 12:
        complete_some(p, to, false);
        break;
    case 13:
        shift(p, comm);
        break;
    case 14:
        collective(p);
        break;
    case 15:
        cancel_one(p);
        break;
    default:
        collective(p);
        break;
    }
}

/* Receives what is under way and completes what is open: each round makes something complete. */
static void
drain(program *p)
{
    bool goes_on = true;

    while (goes_on) {
        goes_on = false;
        for (uint32_t i = 0; i < p->n_processes; i++) {
            pass_time(p, i);
            caller_waits(p, i);
            goes_on |= recv_any(p, i);
            goes_on |= complete_some(p, i, chance(p, 50));
        }
        /* complete_some() may pass over requests by chance. */
        for (size_t i = 0; i < p->n_requests; i++)
            goes_on |= !p->requests[i].is_done;
    }
}

static void
comms_draw(program *p, tw_comm *comms)
{
    uint32_t n = p->n_processes;

    p->n_comms = 2;
    for (uint32_t i = 0; i < n; i++)
        p->comms[TW_WORLD].processes[i] = i;
    p->comms[TW_WORLD].n = n;
    p->comms[TW_SELF].n  = 1;
    for (uint32_t k = below(p, 4); k > 0; k--) { /* sub-communicators, in any order of ranks */
        comm_place *place = &p->comms[p->n_comms++];

        for (uint32_t i = 0; i < n; i++)
            if (chance(p, 70))
                place->processes[place->n++] = i;
        if (place->n == 0)
            place->processes[place->n++] = below(p, n);
        for (uint32_t i = place->n; i > 1; i--) {
            uint32_t j = below(p, i), swap = place->processes[j];

            place->processes[j]     = place->processes[i - 1];
            place->processes[i - 1] = swap;
        }
    }
    if (chance(p, 40)) {
        comm_place *place = &p->comms[p->n_comms++];
        uint32_t    cut   = 1 + below(p, n - 1);

        for (uint32_t i = 0; i < n; i++) {
            if (i < cut)
                place->processes[place->n++] = i;
            else
                place->remote[place->n_remote++] = i;
        }
    }
    for (uint32_t i = 2; i < p->n_comms; i++)
        comms[i - 2] = (tw_comm){ .name      = NULL,
                                  .processes = p->comms[i].processes,
                                  .n         = p->comms[i].n,
                                  .remote    = p->comms[i].n_remote > 0 ? p->comms[i].remote : NULL,
                                  .n_remote  = p->comms[i].n_remote };
}

void
together(program *p, tw_kind kind, uint32_t comm, uint32_t window)
{
    uint32_t members[MAX_PROCESSES], n = members_of(p, comm, members);
    hd_time  latest = 0;

    for (uint32_t i = 0; i < n; i++) {
        pass_time(p, members[i]);
        caller_waits(p, members[i]);
        latest = hd_time_max(latest, lane_of(p, members[i])->now);
    }
    for (uint32_t i = 0; i < n; i++) {
        tw_op op = { .process = members[i], .op = kind, .enter = lane_of(p, members[i])->now, .comm = comm,
                     .window = window };

        if (p->comms[comm].n_remote > 0 && kind == TW_COMM_CREATE)
            op.region = "MPI_Intercomm_create";
        call_add(p, op, latest + LATENCY + below(p, 5));
    }
}

/* A program without MPI. */
static void
scenes_make(program *p)
{
    for (uint32_t i = 1 + below(p, 6); i > 0; i--) {
        wander(p, 0);
        threads_scene(p, 0, false);
    }
    functions_leave(p, 0);
}

static void
program_make(program *p)
{
    uint32_t n_steps = 15 + below(p, p->with_windows ? 160 : 100);

    together(p, TW_INIT, TW_WORLD, 0);
    for (uint32_t i = 2; i < p->n_comms; i++)
        together(p, TW_COMM_CREATE, i, 0);
    for (uint32_t i = 0; i < n_steps; i++) {
        if (p->n_lanes > 1 && chance(p, 10))
            threads_scene(p, below(p, p->n_processes), true);
        if (p->with_windows && chance(p, 65))
            window_step(p);
        else
            random_step(p);
    }
    windows_close(p);
    drain(p);
    windows_free(p);
    for (uint32_t i = 0; i < p->n_processes; i++)
        functions_leave(p, i);
    for (uint32_t i = 2; i < p->n_comms; i++)
        if (chance(p, 50))
            together(p, TW_COMM_FREE, i, 0);
    together(p, TW_FINALIZE, TW_WORLD, 0);
}

/* Times of a process that its clock shows too early or too late, although it was measured. */
static void
clocks_distort(program *p)
{
    hd_time error[MAX_PROCESSES];

    for (uint32_t i = 0; i < p->n_processes; i++)
        error[i] = below(p, 30);
    for (size_t i = 0; i < p->n_ops; i++) {
        tw_op  *op   = &p->ops[i];
        hd_time more = error[op->process];

        op->enter += more;
        op->leave += more;
        op->record += op->record == 0 ? 0 : more;
        op->begin += op->begin == 0 ? 0 : more;
        op->end += op->end == 0 ? 0 : more;
    }
}

static void
clocks_draw(program *p, tw_clock_offset offsets[][2], tw_clock *clocks)
{
    for (uint32_t i = 0; i < p->n_processes; i++) {
        int64_t  ahead = i == 0 ? 0 : (int64_t)below(p, 5000) - 2500;
        uint64_t start = (uint64_t)(3000 + ahead);
        int64_t  gain  = i == 0 ? 0 : (int64_t)below(p, 40); /* a clock that is fast: every right time can be hit */

        offsets[i][0] = (tw_clock_offset){ .time = start, .offset = -ahead };
        offsets[i][1] = (tw_clock_offset){ .time = start + 4000, .offset = -ahead - gain };
        clocks[i]     = (tw_clock){ .offsets = offsets[i], .n = 2 };
    }
}

/* The teams of the program, for the writer. */
static void
teams_list(const program *p, tw_team *teams)
{
    for (uint32_t i = 0; i < p->n_teams; i++)
        teams[i] = (tw_team){ .process = p->teams[i].process, .threads = p->teams[i].lanes, .n = p->teams[i].n };
}

static void
windows_list(const program *p, tw_window *windows)
{
    for (uint32_t i = 0; i < p->n_windows; i++)
        windows[i] = (tw_window){ .comm = p->windows[i].comm };
}

/* A time limit, which some processes do not come to, as they crash before, and others outlive. */
static void
stop_processes(program *p)
{
    uint32_t n     = p->n_lanes + p->n_devices;
    hd_time  limit = 0;

    for (size_t i = 0; i < p->n_ops; i++)
        limit = hd_time_max(limit, p->ops[i].leave);
    limit = 1 + below(p, (uint32_t)limit);
    for (uint32_t i = 0; i < p->n_processes; i++) {
        uint32_t kind = below(p, 10);
        hd_time  end  = kind < 6 ? limit : kind < 9 ? 1 + below(p, (uint32_t)limit) : UINT64_MAX;

        for (uint32_t k = 0; k < n; k++)
            p->ends[i * n + k] = hd_time_min(p->ends[i * n + k], end);
    }
}

static void
program_write(program *p, const char *directory)
{
    tw_options      options = { 0 };
    tw_comm         comms[MAX_COMMS];
    tw_team         teams[MAX_TEAMS];
    tw_window       windows[MAX_WINDOWS];
    tw_clock_offset offsets[MAX_PROCESSES][2];
    tw_clock        clocks[MAX_PROCESSES];

    if (p->with_mpi) {
        comms_draw(p, comms);
        if (p->with_windows)
            windows_draw(p);
        program_make(p);
        options.comms   = comms;
        options.n_comms = p->n_comms - 2;
    } else {
        scenes_make(p);
    }
    loose_ends(p);
    if (p->is_stopped)
        stop_processes(p);
    teams_list(p, teams);
    windows_list(p, windows);
    options.windows               = windows;
    options.n_windows             = p->n_windows;
    options.teams                 = teams;
    options.n_teams               = p->n_teams;
    options.ends                  = p->ends;
    options.archive.n_processes   = p->n_processes;
    options.archive.n_threads     = p->n_lanes;
    options.archive.processes_per_node = p->processes_per_node;
    options.archive.n_devices     = p->n_devices;
    options.archive.with_mappings = chance(p, 50);
    if (!p->with_windows && chance(p, 50))
        clocks_distort(p);
    if (chance(p, 60)) {
        clocks_draw(p, offsets, clocks);
        options.clocks = clocks;
    }
    tw_write(p->ops, p->n_ops, &options, directory);
}

int
main(int argc, char **argv)
{
    program p    = { .n_lanes = 1, .with_mpi = true };
    bool    with_threads = argc >= 4 && strcmp(argv[3], "threads") == 0;

    p.with_windows = argc >= 4 && strcmp(argv[3], "rma") == 0;
    p.is_stopped   = argc >= 4 && strcmp(argv[argc - 1], "stopped") == 0;
    p.processes_per_node = argc >= 4 && strcmp(argv[argc - 1], "nodes") == 0 ? 2 : 0;
    if (argc < 3 || argc != 3 + (with_threads || p.with_windows) + (p.is_stopped || p.processes_per_node > 0)) {
        fprintf(stderr, "usage: tw_random SEED DIRECTORY [threads|rma] [stopped|nodes]\n");
        return 2;
    }
    p.random = strtoull(argv[1], NULL, 10) * UINT64_C(0x2545F4914F6CDD1D) + 1;
    if (with_threads)
        threads_draw(&p);
    p.n_processes = p.with_mpi ? 2 + below(&p, with_threads ? 3 : MAX_PROCESSES - 1) : 1;
    program_write(&p, argv[2]);
    for (size_t i = 0; i < p.n_ops; i++) {
        free((void *)(uintptr_t)p.ops[i].requests);
        free((void *)(uintptr_t)p.ops[i].group);
    }
    free(p.ops);
    free(p.messages);
    free(p.requests);
    return 0;
}
