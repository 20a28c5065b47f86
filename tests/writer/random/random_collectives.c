/* tests/writer/random/random_collectives.c: collectives of a random program, blocking or not. */
#include "random_program.h"

typedef struct collective_step {
    uint32_t      comm, root; /* root: process, of the first group of an inter-communicator */
    uint32_t      members[MAX_PROCESSES], n;
    uint64_t      bytes;
    tw_collective operation;
    hd_time       enter[MAX_PROCESSES], ready[MAX_PROCESSES];
} collective_step;

static bool
is_in_first_group(const program *p, const collective_step *step, uint32_t process)
{
    return find_process(p->comms[step->comm].processes, p->comms[step->comm].n, process) != HD_NONE;
}

/* The root as the record of a member has it. */
static uint32_t
root_for(const program *p, const collective_step *step, uint32_t process)
{
    if (p->comms[step->comm].n_remote == 0)
        return step->comm == TW_SELF ? 0 :
               find_process(p->comms[step->comm].processes, p->comms[step->comm].n, step->root);
    if (process == step->root)
        return TW_ROOT_SELF;
    return is_in_first_group(p, step, process) ? TW_ROOT_THIS_GROUP : rank_of(p, step->comm, process, step->root);
}

/* When each member can leave, by the class of the operation. */
static void
collective_times(const program *p, collective_step *step)
{
    hd_time latest = 0, root = 0;
    bool    to_root = false, from_root = false, is_prefix;

    for (uint32_t i = 0; i < step->n; i++) {
        latest = hd_time_max(latest, step->enter[i]);
        if (step->members[i] == step->root)
            root = step->enter[i];
    }
    is_prefix = step->operation == TW_COLL_SCAN || step->operation == TW_COLL_EXSCAN;
    from_root = step->operation == TW_COLL_BCAST || step->operation == TW_COLL_SCATTER ||
                step->operation == TW_COLL_SCATTERV;
    to_root   = step->operation == TW_COLL_GATHER || step->operation == TW_COLL_GATHERV ||
                step->operation == TW_COLL_REDUCE;
    for (uint32_t i = 0; i < step->n; i++) {
        hd_time needed = latest;

        if (from_root)
            needed = root;
        if (to_root && step->members[i] != step->root)
            needed = 0;
        if (is_prefix) {
            needed = 0;
            for (uint32_t k = 0; k <= i; k++)
                needed = hd_time_max(needed, step->enter[k]);
        }
        if (p->comms[step->comm].n_remote > 0 && (from_root || to_root) &&
            is_in_first_group(p, step, step->members[i]) &&
            step->members[i] != step->root)
            needed = 0; /* takes no part */
        step->ready[i] = hd_time_max(step->enter[i], needed) + LATENCY;
    }
}

void
collective(program *p)
{
    collective_step step          = { .comm = chance(p, 50) ? TW_WORLD : below(p, p->n_comms) };
    bool            is_inter      = p->comms[step.comm].n_remote > 0;
    bool            is_non_block  = chance(p, 35);
    bool            is_one_silent = chance(p, 20);
    uint32_t        silent;

    step.operation = (tw_collective)below(p, TW_COLL_REDUCE_SCATTER_BLOCK + 1);
    if (is_inter && (step.operation == TW_COLL_SCAN || step.operation == TW_COLL_EXSCAN))
        step.operation = TW_COLL_ALLREDUCE;
    if (step.comm == TW_SELF) {
        step.members[0] = below(p, p->n_processes);
        step.n          = 1;
        step.root       = step.members[0];
    } else {
        step.n    = members_of(p, step.comm, step.members);
        step.root = p->comms[step.comm].processes[below(p, p->comms[step.comm].n)];
    }
    step.bytes = random_bytes(p);
    silent     = below(p, step.n);
    for (uint32_t i = 0; i < step.n; i++) {
        wander(p, step.members[i]);
        step.enter[i] = lane_of(p, step.members[i])->now;
    }
    collective_times(p, &step);
    for (uint32_t i = 0; i < step.n; i++) {
        uint32_t process = step.members[i];
        tw_op    op      = { .process = process, .enter = step.enter[i], .comm = step.comm, .bytes = step.bytes,
                             .root = root_for(p, &step, process) };

        if (is_one_silent && i == silent &&
            (step.operation == TW_COLL_ALLGATHERV || step.operation == TW_COLL_GATHERV ||
             step.operation == TW_COLL_ALLTOALLV)) {
            op.sent     = TW_NOTHING;
            op.received = step.operation == TW_COLL_GATHERV ? 0 : 8;
        }
        if (is_non_block) {
            open_request request = { .kind = COLL_REQUEST, .process = process, .message = NO_MESSAGE,
                                     .ready = step.ready[i] };

            op.op          = (tw_kind)(TW_IBARRIER + step.operation);
            op.request     = request_number(p, process);
            request.number = op.request;
            call_add(p, op, op.enter + 1 + below(p, 3));
            if (chance(p, 50)) { /* at once; the others wait for it some time later */
                pass_time(p, process);
                request.is_done = true;
                op = (tw_op){ .process = process, .op = TW_WAIT, .enter = lane_of(p, process)->now,
                              .request = request.number };
                call_add(p, op, hd_time_max(op.enter + 1, request.ready) + below(p, 4));
            }
            HD_PUSH(p->requests, p->n_requests, p->requests_capacity, request);
            continue;
        }
        op.op    = (tw_kind)(TW_BARRIER + step.operation);
        op.leave = step.ready[i] + below(p, 5);
        op.begin = op.enter + below(p, 2);
        op.end   = op.leave - (op.leave > op.begin ? below(p, 2) : 0);
        call_add(p, op, op.leave);
    }
}
