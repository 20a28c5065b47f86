/* replay/forward/unfinished.c: what each process without an end waits for, found when the forward replay is over, from
 * its last call and the counts of messages and collective operations; then gathered on rank 0. */
#include "unfinished.h"

#include "comm_group.h"

enum { MAX_CANDIDATES = 8 }; /* communicators that a call may be on; of more it is not known */
enum { NUMBER_OF_INIT, NUMBER_OF_FINALIZE };
#define OPERATION_OF_ALL (HD_OPERATION_OF_REGION - 1) /* MPI_Init, MPI_Finalize */

static bool
may_receive(const hd_loaded_process *process)
{
    if (process->open.n_receives > 0)
        return true;
    for (uint32_t t = 0; t < process->n_locations; t++)
        if (process->locations[t].end.wait == HD_OPEN_RECEIVE)
            return true;
    return false;
}

static bool
is_open_request(const hd_open_requests *open, uint64_t send)
{
    size_t low = 0, high = open->n_sends;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (open->sends[middle] < send)
            low = middle + 1;
        else
            high = middle;
    }
    return low < open->n_sends && open->sends[low] == send;
}

static hd_unfinished *
notes_of(hd_replay_worker *rh)
{
    if (rh->unfinished == NULL)
        rh->unfinished = HD_NEW(hd_unfinished);
    return rh->unfinished;
}

void
hd_unfinished_send(hd_replay_worker *rh, const hd_vproc *vproc)
{
    const hd_recording_end *end     = &vproc->location->end;
    const hd_channel       *channel = &vproc->location->log.channels[vproc->op.channel];
    bool                    is_request = (vproc->op.flags & HD_OP_NONBLOCKING) != 0;
    hd_unfinished          *of_worker;

    if (is_request ? !is_open_request(&vproc->process->open, (uint64_t)vproc->thread << 32 | vproc->op.number)
                   : end->wait != HD_OPEN_SEND || vproc->cursor.call.enter != end->enter ||
        vproc->cursor.call.leave != end->time)
        return;
    of_worker = notes_of(rh);
    HD_PUSH(of_worker->sends, of_worker->n_sends, of_worker->capacity_sends,
            ((hd_open_send){ .process = vproc->process_id, .thread = vproc->thread, .is_request = is_request,
                             .peer = channel->peer, .comm = channel->comm, .tag = channel->tag }));
}

void
hd_unfinished_messages(hd_replay_worker *rh, const hd_channel_queue *queue)
{
    const hd_replay *replay = rh->replay;
    uint32_t         first  = hd_table_get(&replay->vproc_of, queue->key.receiver);
    hd_unfinished   *of_worker;

    if (queue->key.comm >= hd_first_window(replay->defs) || first >= replay->n_vprocs ||
        !may_receive(replay->vprocs[first].process))
        return;
    of_worker = notes_of(rh);
    HD_PUSH(of_worker->has_messages, of_worker->n_has_messages, of_worker->capacity_has_messages, queue->key.receiver);
}

/* ---- a process --------------------------------------------------------------------------------------------------- */

typedef struct gathering {
    hd_replay     *replay;
    hd_wait_facts *facts;
    size_t         capacity_endings, capacity_waits, capacity_members;
    hd_open_send  *sends;     /* [n_sends] of this rank, by process */
    size_t         n_sends;
    uint32_t      *has_messages; /* [n_has_messages] ascending */
    size_t         n_has_messages;
    uint64_t      *most;      /* [n_comms + 1] collectives that members have to have completed to be done; 0: no process
                               * waits there; the last one: MPI_Init and MPI_Finalize */
} gathering;

static void
add_wait(gathering *g, hd_wait_fact wait)
{
    HD_PUSH(g->facts->waits, g->facts->n_waits, g->capacity_waits, wait);
}

static bool
is_cpu(const gathering *g, const hd_loaded_location *location)
{
    return hd_defs_locations(g->replay->defs)[location->location].type == HD_LOCATION_CPU;
}

/* The location that stands for the process: one that does something, else one that waits for another process, else
 * one that waits for threads. NULL: no call is open. */
static const hd_loaded_location *
reporter_of(const gathering *g, const hd_loaded_process *process)
{
    const hd_loaded_location *best = NULL;

    for (uint32_t t = 0; t < process->n_locations; t++) {
        const hd_loaded_location *location = &process->locations[t];
        const hd_recording_end   *end      = &location->end;

        if (!is_cpu(g, location) || end->node == HD_NONE)
            continue;
        if (end->wait == HD_OPEN_NONE)
            return location;
        if (best == NULL || (best->end.wait == HD_OPEN_THREADS && end->wait > HD_OPEN_THREADS))
            best = location;
    }
    return best;
}

static uint32_t
unified_call_path(const gathering *g, uint32_t vproc, uint32_t node)
{
    const hd_sides *sides = &g->replay->sides;

    return hd_inner_call_path(sides, hd_vproc_call_path(&g->replay->vprocs[vproc], node));
}

/* Sends that are open and have no receive. Returns how many. */
static uint32_t
add_sends(gathering *g, uint32_t process, uint32_t thread, bool are_requests)
{
    uint32_t n = 0;
    size_t   low = 0, high = g->n_sends;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (g->sends[middle].process < process)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < g->n_sends && g->sends[low].process == process; low++) {
        const hd_open_send *send = &g->sends[low];

        if (send->is_request != are_requests || (!are_requests && send->thread != thread))
            continue;
        add_wait(g, (hd_wait_fact){ .process = process, .kind = HD_WAIT_SEND, .peer = send->peer, .tag = send->tag,
                                    .comm = send->comm });
        n++;
    }
    return n;
}

static void
add_open_requests(gathering *g, const hd_loaded_process *process, hd_ending_fact *fact)
{
    uint32_t n = add_sends(g, fact->process, HD_NONE, true);

    fact->may_go_on |= n < process->open.n_sends; /* one that was received */
    if (process->open.n_receives > 0)
        add_wait(g, (hd_wait_fact){ .process = fact->process, .kind = HD_WAIT_RECEIVE });
    if (process->open.n_others > 0)
        add_wait(g, (hd_wait_fact){ .process = fact->process, .kind = HD_WAIT_OTHER });
}

/* Notifications of an epoch that were taken: peer -> how many, of all threads. hd_map_fini() it. */
static hd_map
received_notifications(const hd_loaded_process *process, uint32_t window, uint32_t tag)
{
    hd_map taken = { 0 };
    bool   is_new;

    for (uint32_t t = 0; t < process->n_locations; t++)
        for (size_t c = 0; c < process->locations[t].log.n_channels; c++) {
            const hd_channel *channel = &process->locations[t].log.channels[c];

            if (channel->kind == HD_CHANNEL_RECV && channel->comm == window && channel->tag == tag)
                *hd_map_add(&taken, channel->peer, &is_new) += channel->n;
        }
    return taken;
}

/* Notifications of an epoch's other side that have not been sent. */
static void
add_epoch(gathering *g, const hd_loaded_process *process, uint32_t thread, bool is_exposure, hd_ending_fact *fact)
{
    const hd_recording_end *end     = &process->locations[thread].end;
    const hd_placement     *place   = g->replay->request->placement;
    const hd_comm_group    *group   = &hd_defs_groups(g->replay->defs)[end->group];
    hd_channel_queues      *channel_queues =
        &g->replay->workers[hd_placement_worker(place, process->process) %
                            hd_placement_n_threads(place)].channel_queues;
    uint32_t                tag     = is_exposure ? HD_TAG_COMPLETE : HD_TAG_POST;
    hd_map                  taken   = received_notifications(process, end->window, tag);

    for (uint32_t i = 0; i < group->n; i++) {
        uint32_t        peer   = group->self != 0 ? fact->process : hd_comm_group_member(g->replay->defs, group, i);
        const uint64_t *before = hd_map_get(&taken, peer);
        uint64_t        wanted = (before != NULL ? *before : 0) + (end->is_received ? 0 : 1);

        if (peer != HD_NONE &&
            hd_channel_queues_get(channel_queues,
                                  (hd_channel_key){ end->window, tag, peer, fact->process })->n_announced < wanted)
            add_wait(g, (hd_wait_fact){ .process = fact->process, .kind = is_exposure ? HD_WAIT_COMPLETE : HD_WAIT_POST,
                                        .peer = peer, .comm = end->window });
    }
    hd_map_fini(&taken);
    fact->needs_all = true;
}

/* What one location waits for, but for collectives, whose communicators are looked for together. */
static void
add_waits(gathering *g, const hd_loaded_process *process, uint32_t thread, hd_ending_fact *fact)
{
    const hd_recording_end *end = &process->locations[thread].end;

    switch ((hd_open_wait)end->wait) {
    case HD_OPEN_SEND:
        add_sends(g, fact->process, thread, false);
        break;
    case HD_OPEN_RECEIVE:
        add_wait(g, (hd_wait_fact){ .process = fact->process, .kind = HD_WAIT_RECEIVE });
        break;
    case HD_OPEN_REQUESTS:
        add_open_requests(g, process, fact);
        break;
    case HD_OPEN_INIT:
    case HD_OPEN_FINALIZE:
        add_wait(g, (hd_wait_fact){ .process = fact->process, .kind = HD_WAIT_COLLECTIVE, .comm = HD_NONE,
                                    .number = end->wait == HD_OPEN_INIT ? NUMBER_OF_INIT : NUMBER_OF_FINALIZE,
                                    .operation = OPERATION_OF_ALL, .is_sure = true });
        break;
    case HD_OPEN_POSTS:
    case HD_OPEN_COMPLETES:
        add_epoch(g, process, thread, end->wait == HD_OPEN_COMPLETES, fact);
        break;
    case HD_OPEN_OTHER:
        add_wait(g, (hd_wait_fact){ .process = fact->process, .kind = HD_WAIT_OTHER });
        break;
    default:
        break;
    }
}

static bool
has_waits_on_communicators(const hd_recording_end *end)
{
    return end->wait == HD_OPEN_COLLECTIVE || end->wait == HD_OPEN_WINDOW;
}

/* After MPI_Finalize no process waits, even if its threads go on. */
static bool
is_finished(const gathering *g, const hd_loaded_process *process)
{
    bool has_init = false, has_finalize = false, is_open = false;

    for (uint32_t t = 0; t < process->n_locations; t++) {
        const hd_loaded_location *location = &process->locations[t];

        if (is_cpu(g, location) && location->end.is_cut)
            return false;
        is_open |= is_cpu(g, location) && location->end.node != HD_NONE;
        has_init |= location->has_init;
        has_finalize |= location->has_finalize && location->end.wait != HD_OPEN_FINALIZE;
    }
    return has_finalize || (!has_init && !is_open);
}

/* vproc: of its first location. Its waits are those of all its threads; one that does something else may help them
 * all. */
static void
add_process(gathering *g, const hd_loaded_process *process, uint32_t vproc)
{
    const hd_loaded_location *reporter = reporter_of(g, process);
    hd_ending_fact            fact = { .process = process->process.v, .ending = HD_ENDING_STOPPED, .call_path = HD_NONE,
                                       .thread = HD_NONE };
    size_t                    n_waits = g->facts->n_waits;
    uint64_t                  n_events = 0;
    uint32_t                  n_collectives = 0, n_waiting = 0;

    if (is_finished(g, process))
        return;
    for (uint32_t t = 0; t < process->n_locations; t++) {
        const hd_recording_end *end = &process->locations[t].end;

        n_events += process->locations[t].n_events;
        fact.is_cut |= end->is_cut && is_cpu(g, &process->locations[t]);
        fact.end = hd_time_max(fact.end, end->time);
        if (reporter != NULL && reporter->end.wait > HD_OPEN_THREADS && is_cpu(g, &process->locations[t])) {
            add_waits(g, process, t, &fact);
            n_collectives += has_waits_on_communicators(end);
            n_waiting += end->wait > HD_OPEN_THREADS;
        }
    }
    fact.needs_all &= n_waiting == 1; /* several threads help each other */
    fact.may_go_on |= n_collectives > 1; /* candidates are looked for of one only */
    if (reporter != NULL) {
        fact.thread    = (uint32_t)(reporter - process->locations);
        fact.call_path = unified_call_path(g, vproc + fact.thread, reporter->end.node);
        fact.since     = reporter->end.enter;
    }
    if (n_events == 0)
        fact.ending = HD_ENDING_SILENT;
    else if (n_collectives > 0 || g->facts->n_waits > n_waits)
        fact.ending = HD_ENDING_WAITS;
    fact.may_receive = may_receive(process);
    for (size_t low = 0, high = g->n_has_messages; low < high && !fact.has_messages;) {
        size_t middle = low + (high - low) / 2;

        fact.has_messages = g->has_messages[middle] == fact.process;
        if (g->has_messages[middle] < fact.process)
            low = middle + 1;
        else
            high = middle;
    }
    HD_PUSH(g->facts->endings, g->facts->n_endings, g->capacity_endings, fact);
}

/* ---- communicators ----------------------------------------------------------------------------------------------- */

/* Collectives on it that a process has completed. */
static uint32_t
n_completed(const hd_loaded_process *process, uint32_t comm)
{
    uint32_t n = 0;

    for (uint32_t t = 0; t < process->n_locations; t++) {
        const hd_oplog *log = &process->locations[t].log;

        for (size_t i = 0; i < log->n_channels; i++)
            if (log->channels[i].kind == HD_CHANNEL_COLL && log->channels[i].comm == comm)
                n += log->channels[i].n;
    }
    return n;
}

/* Of MPI_Init and MPI_Finalize, which come one after the other. Old archives have no record of MPI_Init. */
static uint32_t
n_completed_of_all(const hd_loaded_process *process)
{
    bool     has_init = false, has_finalize = false;
    uint32_t n_calls = 0;

    for (uint32_t t = 0; t < process->n_locations; t++) {
        const hd_loaded_location *location = &process->locations[t];

        n_calls += location->log.n_calls > 0 && location->end.wait != HD_OPEN_INIT;
        has_init |= location->has_init && location->end.wait != HD_OPEN_INIT;
        has_finalize |= location->has_finalize && location->end.wait != HD_OPEN_FINALIZE;
    }
    return has_finalize ? NUMBER_OF_FINALIZE + 1 : has_init || n_calls > 0 ? NUMBER_OF_INIT + 1 : 0;
}

/* Members of a communicator that has more than one: [*n], free() it; those that the archive does not have are HD_NONE.
 * NULL: it has not. */
static uint32_t *
members_of(const hd_defs *defs, uint32_t comm, uint32_t *n)
{
    const hd_comm       *c = &hd_defs_comms(defs)[comm];
    const hd_comm_group *a = c->group_a != HD_NONE ? &hd_defs_groups(defs)[c->group_a] : NULL;
    const hd_comm_group *b = c->group_b != HD_NONE ? &hd_defs_groups(defs)[c->group_b] : NULL;
    uint32_t            *members;

    if (a == NULL || a->self != 0 || (b != NULL && b->self != 0) || a->n + (b != NULL ? b->n : 0) < 2)
        return NULL;
    *n      = a->n + (b != NULL ? b->n : 0);
    members = HD_NEW_ARRAY(uint32_t, *n);
    hd_comm_group_read(defs, a, members);
    if (b != NULL)
        hd_comm_group_read(defs, b, members + a->n);
    return members;
}

typedef struct candidates { /* of a process that waits in a collective */
    uint32_t operation, n;
    bool     is_window, is_wanted;
    uint32_t comms[MAX_CANDIDATES];
} candidates;

static void
add_candidates(gathering *g, const candidates *all, const hd_loaded_process *process)
{
    uint32_t p = process->process.v;

    if (all->n == 0 || all->n > MAX_CANDIDATES)
        add_wait(g, (hd_wait_fact){ .process = p, .kind = HD_WAIT_OTHER });
    for (uint32_t i = 0; i < all->n && all->n <= MAX_CANDIDATES; i++)
        add_wait(g, (hd_wait_fact){ .process = p, .kind = HD_WAIT_COLLECTIVE, .comm = all->comms[i],
                                    .number = n_completed(process, all->comms[i]), .operation = all->operation,
                                    .is_sure = all->n == 1 });
}

/* Which communicators calls in collectives may be on. Of several threads in collectives the first one is looked at. */
static void
find_candidates(gathering *g, const uint32_t *place_of)
{
    const hd_trace *trace = g->replay->request->trace;
    const hd_defs  *defs  = g->replay->defs;
    candidates     *all   = HD_NEW_ARRAY(candidates, trace->n_processes);
    bool            any   = false;

    for (size_t i = 0; i < g->facts->n_endings; i++) {
        const hd_ending_fact *fact = &g->facts->endings[i];
        uint32_t              p    = place_of[fact->process];

        for (uint32_t t = 0; t < trace->processes[p].n_locations && fact->ending == HD_ENDING_WAITS &&
             !all[p].is_wanted; t++) {
            const hd_recording_end *end = &trace->processes[p].locations[t].end;

            if (has_waits_on_communicators(end))
                all[p] = (candidates){ .operation = end->operation, .is_window = end->wait == HD_OPEN_WINDOW,
                                       .is_wanted = true };
            any |= all[p].is_wanted;
        }
    }
    for (uint32_t comm = 0; comm < defs->n_comms && any; comm++) {
        uint32_t  n = 0;
        uint32_t *members = members_of(defs, comm, &n);

        for (uint32_t i = 0; i < n; i++) {
            candidates *c = members[i] < defs->n_processes && place_of[members[i]] != HD_NONE ?
                            &all[place_of[members[i]]] : NULL;

            if (c != NULL && c->is_wanted && c->is_window == (comm >= hd_first_window(defs)) && c->n++ < MAX_CANDIDATES)
                c->comms[c->n - 1] = comm;
        }
        free(members);
    }
    for (uint32_t p = 0; p < trace->n_processes; p++)
        if (all[p].is_wanted)
            add_candidates(g, &all[p], &trace->processes[p]);
    free(all);
}

static void
add_members(gathering *g, const uint32_t *place_of)
{
    const hd_trace *trace = g->replay->request->trace;
    const hd_defs  *defs  = g->replay->defs;

    for (uint32_t comm = 0; comm <= defs->n_comms; comm++) {
        uint32_t  n       = defs->n_mpi_processes;
        uint32_t *members = comm < defs->n_comms && g->most[comm] > 0 ? members_of(defs, comm, &n) : NULL;

        for (uint32_t i = 0; i < n && g->most[comm] > 0; i++) {
            uint32_t member = members != NULL ? members[i] : i,
            place = member < defs->n_processes ? place_of[member] : HD_NONE, done;

            if (place == HD_NONE)
                continue;
            done = comm < defs->n_comms ? n_completed(&trace->processes[place], comm) :
                   n_completed_of_all(&trace->processes[place]);
            if (done < g->most[comm])
                HD_PUSH(g->facts->members, g->facts->n_members, g->capacity_members,
                        ((hd_member_fact){ .comm = comm < defs->n_comms ? comm : HD_NONE, .process = member,
                                           .n = done }));
        }
        free(members);
    }
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

static int
compare_sends(const void *left, const void *right)
{
    const hd_open_send *a = left, *b = right;

    return a->process < b->process ? -1 : a->process > b->process;
}

static int
compare_numbers(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;

    return *a < *b ? -1 : *a > *b;
}

/* What the workers noted. */
static void
take_notes(gathering *g)
{
    uint32_t n_threads = hd_placement_n_threads(g->replay->request->placement);
    size_t   capacity_sends = 0, capacity_messages = 0;

    for (uint32_t t = 0; t < n_threads; t++) {
        hd_unfinished *of_worker = g->replay->workers[t].unfinished;

        if (of_worker == NULL)
            continue;
        for (size_t i = 0; i < of_worker->n_sends; i++)
            HD_PUSH(g->sends, g->n_sends, capacity_sends, of_worker->sends[i]);
        for (size_t i = 0; i < of_worker->n_has_messages; i++)
            HD_PUSH(g->has_messages, g->n_has_messages, capacity_messages, of_worker->has_messages[i]);
        free(of_worker->sends);
        free(of_worker->has_messages);
        free(of_worker);
        g->replay->workers[t].unfinished = NULL;
    }
    if (g->n_sends > 0)
        qsort(g->sends, g->n_sends, sizeof *g->sends, compare_sends);
    if (g->n_has_messages > 0)
        qsort(g->has_messages, g->n_has_messages, sizeof *g->has_messages, compare_numbers);
}

/* The rows of all ranks on rank 0, in place of its own; none on the other ranks. */
static void *
gather_rows(hd_analysis_comm *analysis_comm, void *rows, size_t *n, size_t row_bytes)
{
    uint8_t  *all     = NULL;
    uint64_t *n_bytes = NULL, sum = 0;

    hd_analysis_comm_gather(analysis_comm, rows, *n * row_bytes, &all, &n_bytes);
    for (uint32_t i = 0; n_bytes != NULL && i < hd_analysis_comm_size(analysis_comm); i++)
        sum += n_bytes[i];
    *n = sum / row_bytes;
    free(n_bytes);
    free(rows);
    return all;
}

static void
find_members(gathering *g, const uint32_t *place_of)
{
    uint32_t n_comms = g->replay->defs->n_comms;

    find_candidates(g, place_of);
    g->most = HD_NEW_ARRAY(uint64_t, (size_t)n_comms + 1);
    for (size_t i = 0; i < g->facts->n_waits; i++) {
        const hd_wait_fact *wait = &g->facts->waits[i];
        uint64_t           *most = &g->most[wait->comm < n_comms ? wait->comm : n_comms];

        if (wait->kind == HD_WAIT_COLLECTIVE && *most < (uint64_t)wait->number + 1)
            *most = (uint64_t)wait->number + 1;
    }
    hd_analysis_comm_reduce(g->replay->request->analysis_comm, g->most, (size_t)n_comms + 1, HD_MAX);
    add_members(g, place_of);
    free(g->most);
}

void
hd_unfinished_gather(hd_replay *replay, hd_wait_facts *facts)
{
    const hd_trace   *trace         = replay->request->trace;
    hd_analysis_comm *analysis_comm = replay->request->analysis_comm;
    gathering         g             = { .replay = replay, .facts = facts };
    uint32_t         *place_of      = HD_NEW_ARRAY(uint32_t, replay->defs->n_processes);
    uint64_t          any           = 0; /* 1: a process waits; 2: one has not finished */

    *facts = (hd_wait_facts){ 0 };
    for (uint32_t p = 0; p < replay->defs->n_processes; p++)
        place_of[p] = HD_NONE;
    take_notes(&g);
    for (uint32_t p = 0, vproc = 0; p < trace->n_processes; vproc += trace->processes[p++].n_locations) {
        place_of[trace->processes[p].process.v] = p;
        add_process(&g, &trace->processes[p], vproc);
    }
    for (size_t i = 0; i < facts->n_endings; i++)
        any |= facts->endings[i].ending == HD_ENDING_WAITS ? 3 : 2;
    hd_analysis_comm_reduce(analysis_comm, &any, 1, HD_OR);
    if ((any & 1) != 0)
        find_members(&g, place_of); /* from the endings of this rank */
    if (any != 0)
        facts->endings = gather_rows(analysis_comm, facts->endings, &facts->n_endings, sizeof *facts->endings);
    if ((any & 1) != 0) {
        facts->waits   = gather_rows(analysis_comm, facts->waits, &facts->n_waits, sizeof *facts->waits);
        facts->members = gather_rows(analysis_comm, facts->members, &facts->n_members, sizeof *facts->members);
    }
    free(place_of);
    free(g.sends);
    free(g.has_messages);
}
