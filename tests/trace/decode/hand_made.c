#include "hand_made.h"

#include "memory.h"
#include "status.h"

enum { N_PROCESSES = 3, N_LOCATIONS = N_PROCESSES * N_THREADS };
enum { GROUP_WORLD, GROUP_SELF, GROUP_PAIR, GROUP_A, GROUP_B, N_GROUPS };

typedef struct layout { /* what the offsets of the definitions point to */
    hd_defs         head;
    hd_region       regions[N_REGIONS];
    hd_process_def  processes[N_PROCESSES];
    hd_location_def locations[N_LOCATIONS];
    hd_comm         comms[N_COMMS];
    hd_comm_group   groups[N_GROUPS];
    hd_context      contexts[N_CONTEXTS];
    uint32_t        members[8], region_refs[N_REGIONS], comm_refs[N_COMMS], context_refs[N_CONTEXTS];
    char            texts[8];
} layout;

static const uint8_t calls[N_REGIONS] = {
    [MPI_INIT] = HD_CALL_INIT,          [MPI_FINALIZE] = HD_CALL_FINALIZE, [MPI_SEND] = HD_CALL_BLOCK_SEND,
    [MPI_WAIT] = HD_CALL_WAIT_SINGLE,   [MPI_WAITALL] = HD_CALL_WAIT_MULTI, [MPI_TEST] = HD_CALL_TEST,
    [PARALLEL] = HD_CALL_OMP_PARALLEL,  [OMP_BARRIER] = HD_CALL_OMP_BARRIER,
};

static const hd_context contexts[N_CONTEXTS] = {
    [IN_MAIN]        = { .region = MAIN, .parent = HD_NONE, .depth = 1, .line = 5, .site = IN_MAIN + 1 },
    [IN_FOO]         = { .region = FOO, .parent = IN_MAIN, .depth = 2, .line = 12, .site = IN_FOO + 1 },
    [FOO_LATER]      = { .region = FOO, .parent = IN_MAIN, .depth = 2, .line = 14, .site = FOO_LATER + 1 },
    [IN_BAR]         = { .region = BAR, .parent = IN_FOO, .depth = 3 },
    [BAR_LATER]      = { .region = BAR, .parent = FOO_LATER, .depth = 3 },
    [IN_BAR_OF_MAIN] = { .region = BAR, .parent = IN_MAIN, .depth = 2 },
    [IN_SEND]        = { .region = MPI_SEND, .parent = FOO_LATER, .depth = 3 },
    [IN_LIBRARY]     = { .region = FOO, .parent = IN_SEND, .depth = 4 },
    [CALLBACK]       = { .region = BAR, .parent = IN_LIBRARY, .depth = 5 },
    [CIRCLE]         = { .region = BAR, .parent = CIRCLE, .depth = 0 },
};

static hd_defs *
new_defs(void)
{
    layout *l = HD_NEW(layout);

    l->head = (hd_defs){ .bytes = sizeof *l, .resolution = 1000, .flush_region = FLUSH, .off_region = OFF,
                         .threads_region = THREADS, .tasks_region = TASKS, .n_regions = N_REGIONS,
                         .n_processes = N_PROCESSES,
                         .n_locations = N_LOCATIONS, .n_comms = N_COMMS, .n_groups = N_GROUPS,
                         .n_mpi_processes = N_PROCESSES,
                         .n_members = 8, .regions = offsetof(layout, regions), .processes = offsetof(layout, processes),
                         .locations = offsetof(layout, locations), .comms = offsetof(layout, comms),
                         .groups = offsetof(layout, groups), .members = offsetof(layout, members),
                         .region_refs = offsetof(layout, region_refs), .comm_refs = offsetof(layout, comm_refs),
                         .n_contexts = N_CONTEXTS, .contexts = offsetof(layout, contexts),
                         .context_refs = offsetof(layout, context_refs),
                         .texts = offsetof(layout, texts), .text_bytes = 8 };
    for (uint32_t r = 0; r < N_REGIONS; r++) {
        l->regions[r].region_class = r >= FLUSH ? HD_CLASS_INTERNAL : r >= PARALLEL ? HD_CLASS_OMP : r >= MPI_INIT ?
                                     HD_CLASS_MPI : HD_CLASS_USER;
        l->regions[r].call         = calls[r];
        l->region_refs[r]          = r >= FLUSH ? HD_NONE : REGION_REF(r);
    }
    memcpy(l->contexts, contexts, sizeof contexts);
    for (uint32_t c = 0; c < N_CONTEXTS; c++)
        l->context_refs[c] = CONTEXT_REF(c);
    for (uint32_t p = 0; p < N_PROCESSES; p++)
        l->processes[p] = (hd_process_def){ .first_location = p * N_THREADS, .n_locations = N_THREADS,
                                            .has_mpi_rank = true };
    for (uint32_t i = 0; i < N_LOCATIONS; i++)
        l->locations[i] = (hd_location_def){ .ref = i, .process = i / N_THREADS, .thread = i % N_THREADS };
    memcpy(l->members, (uint32_t[]){ 0, 1, 2, 2, 0, 0, 1, 2 }, sizeof l->members);
    l->groups[GROUP_WORLD] = (hd_comm_group){ .first = 0, .n = 3 };
    l->groups[GROUP_SELF]  = (hd_comm_group){ .n = 1, .self = 1 };
    l->groups[GROUP_PAIR]  = (hd_comm_group){ .first = 3, .n = 2 };
    l->groups[GROUP_A]     = (hd_comm_group){ .first = 5, .n = 1 };
    l->groups[GROUP_B]     = (hd_comm_group){ .first = 6, .n = 2 };
    for (uint32_t c = 0; c < N_COMMS; c++) {
        l->comms[c]     = (hd_comm){ .group_a = c, .group_b = HD_NONE, .team_master = HD_NONE };
        l->comm_refs[c] = COMM_REF(c);
    }
    l->comms[INTER] = (hd_comm){ .group_a = GROUP_A, .group_b = GROUP_B, .team_master = HD_NONE };
    l->comms[TEAM]  = (hd_comm){ .group_a = HD_NONE, .group_b = HD_NONE, .team_master = 0 };
    return &l->head;
}

void
hand_made_init(hand_made *h, uint32_t process)
{
    *h = (hand_made){ .defs = new_defs() };
    h->kinds = hd_region_kinds_new(hd_defs_regions(h->defs), h->defs->n_regions, NULL, NULL);
    hd_refs_init(&h->refs.regions, hd_defs_region_refs(h->defs), N_REGIONS);
    hd_refs_init(&h->refs.comms, hd_defs_comm_refs(h->defs), N_COMMS);
    hd_refs_init(&h->refs.contexts, hd_defs_context_refs(h->defs), N_CONTEXTS);
    h->process = (hd_loaded_process){ .process = { process }, .n_locations = N_THREADS,
                                      .locations = HD_NEW_ARRAY(hd_loaded_location, N_THREADS) };
    for (uint32_t t = 0; t < N_THREADS; t++)
        hd_loaded_location_init(&h->process.locations[t], process * N_THREADS + t, NULL);
}

void
hand_made_fini(hand_made *h)
{
    for (uint32_t t = 0; t < N_THREADS; t++) {
        hd_loaded_location_fini(&h->process.locations[t]);
        hd_location_join_fini(&h->joins[t]);
    }
    free(h->process.locations);
    free(h->process.nodes);
    hd_findings_fini(&h->findings);
    hd_refs_fini(&h->refs.regions);
    hd_refs_fini(&h->refs.comms);
    hd_refs_fini(&h->refs.contexts);
    free(h->kinds);
    free(h->defs);
}

void
begin_location(hand_made *h, uint32_t thread)
{
    h->decoder = (hd_decoder){ .defs = h->defs, .regions = hd_defs_regions(h->defs), .kinds = h->kinds,
                               .refs = &h->refs,
                               .findings = &h->findings,
                               .out = &h->process.locations[thread], .join = &h->joins[thread],
                               .first_starts = &h->joins[0].team_starts, .process = h->process.process.v,
                               .thread = thread };
    hd_decoder_init(&h->decoder);
}

void
end_location(hand_made *h)
{
    hd_decoder_finish(&h->decoder);
    HD_ASSERT(intervals_add_up(h->decoder.out, h->decoder.compat));
}

void
join_threads(hand_made *h)
{
    hd_process_join(&h->process, h->joins, h->defs, h->decoder.compat, &h->findings);
}

void
enter(hand_made *h, hd_time time, uint32_t region)
{
    time = hd_decoder_at(&h->decoder, time);
    hd_decoder_enter(&h->decoder, time, region);
}

void
leave(hand_made *h, hd_time time, uint32_t region)
{
    time = hd_decoder_at(&h->decoder, time);
    hd_decoder_leave(&h->decoder, time, region);
}

void
buffer_flush(hand_made *h, hd_time start, hd_time stop)
{
    hd_decoder_flush(&h->decoder, start, stop);
}

static hd_message_record
message(hand_made *h, hd_time time, uint32_t peer, uint32_t comm, uint32_t tag, uint64_t bytes)
{
    return (hd_message_record){ hd_decoder_at(&h->decoder, time), peer, COMM_REF(comm), tag, bytes };
}

void
send_blocking(hand_made *h, hd_time time, uint32_t peer, uint32_t comm, uint32_t tag, uint64_t bytes)
{
    hd_message_record record = message(h, time, peer, comm, tag, bytes);

    hd_decoder_send(&h->decoder, &record, NULL);
}

void
isend(hand_made *h, hd_time time, uint32_t peer, uint32_t comm, uint32_t tag, uint64_t bytes, uint64_t request)
{
    hd_message_record record = message(h, time, peer, comm, tag, bytes);

    hd_decoder_send(&h->decoder, &record, &request);
}

void
isend_complete(hand_made *h, hd_time time, uint64_t request)
{
    hd_decoder_at(&h->decoder, time);
    hd_decoder_send_complete(&h->decoder, request);
}

void
irecv_request(hand_made *h, hd_time time, uint64_t request)
{
    hd_decoder_at(&h->decoder, time);
    hd_decoder_receive_request(&h->decoder, request);
}

void
receive_blocking(hand_made *h, hd_time time, uint32_t peer, uint32_t comm, uint32_t tag)
{
    hd_message_record record = message(h, time, peer, comm, tag, 8);

    hd_decoder_receive(&h->decoder, &record, NULL);
}

void
irecv(hand_made *h, hd_time time, uint32_t peer, uint32_t comm, uint32_t tag, uint64_t request)
{
    hd_message_record record = message(h, time, peer, comm, tag, 8);

    hd_decoder_receive(&h->decoder, &record, &request);
}

void
cancelled(hand_made *h, hd_time time, uint64_t request)
{
    hd_decoder_at(&h->decoder, time);
    hd_decoder_cancelled(&h->decoder, request);
}

void
coll_begin(hand_made *h, hd_time time)
{
    h->decoder.coll_begin     = hd_decoder_at(&h->decoder, time);
    h->decoder.has_coll_begin = true;
}

void
coll_end(hand_made *h, hd_time time, uint32_t operation, uint32_t comm, uint32_t root, uint64_t sent, uint64_t received)
{
    hd_collective_record record = { hd_decoder_at(&h->decoder, time), operation, COMM_REF(comm), root, sent, received };

    hd_decoder_collective(&h->decoder, &record);
}

void
nbc_request(hand_made *h, hd_time time, uint64_t request)
{
    hd_decoder_at(&h->decoder, time);
    hd_decoder_nbc_request(&h->decoder, request);
}

void
nbc_complete(hand_made *h, hd_time time, uint32_t operation, uint32_t comm, uint64_t request)
{
    hd_collective_record record = { hd_decoder_at(&h->decoder, time), operation, COMM_REF(comm), HD_NONE, 16, 24 };

    hd_decoder_nbc_complete(&h->decoder, &record, request);
}

void
team_begin(hand_made *h, hd_time time, uint32_t comm)
{
    hd_decoder_at(&h->decoder, time);
    hd_decoder_team_begin(&h->decoder, COMM_REF(comm));
}

void
team_end(hand_made *h, hd_time time)
{
    hd_decoder_at(&h->decoder, time);
    hd_decoder_team_end(&h->decoder);
}

void
fork_threads(hand_made *h, hd_time time)
{
    hd_decoder_at(&h->decoder, time);
    hd_decoder_fork(&h->decoder);
}

void
join_team(hand_made *h, hd_time time)
{
    hd_decoder_at(&h->decoder, time);
    hd_decoder_join_team(&h->decoder);
}

void
task_switch(hand_made *h, hd_time time, uint64_t number)
{
    hd_decoder_at(&h->decoder, time);
    hd_decoder_task_switch(&h->decoder, COMM_REF(TEAM), number);
}

void
context_enter(hand_made *h, hd_time time, uint32_t context, uint32_t distance)
{
    hd_decoder_at(&h->decoder, time);
    hd_decoder_context(&h->decoder, CONTEXT_REF(context), distance, true);
}

void
context_leave(hand_made *h, hd_time time, uint32_t context)
{
    hd_decoder_at(&h->decoder, time);
    hd_decoder_context_leave(&h->decoder, CONTEXT_REF(context));
}

void
sample(hand_made *h, hd_time time, uint32_t context, uint32_t distance)
{
    hd_decoder_at(&h->decoder, time);
    hd_decoder_context(&h->decoder, CONTEXT_REF(context), distance, false);
}

void
acquire(hand_made *h, hd_time time, uint32_t order)
{
    hd_decoder_at(&h->decoder, time);
    hd_decoder_acquire(&h->decoder, HD_PARADIGM_OPENMP, 3, order);
}

void
release(hand_made *h, hd_time time, uint32_t order)
{
    hd_decoder_at(&h->decoder, time);
    hd_decoder_release(&h->decoder, HD_PARADIGM_OPENMP, 3, order);
}

void
task_complete(hand_made *h, hd_time time, uint64_t number)
{
    hd_decoder_at(&h->decoder, time);
    hd_decoder_task_complete(&h->decoder, COMM_REF(TEAM), number);
}

static bool
has_tasks(const hd_loaded_location *location)
{
    hd_thread_cursor cursor;
    hd_thread_op     op;

    hd_thread_cursor_init(&cursor, &location->more->threads);
    while (hd_thread_cursor_next(&cursor, &op))
        if (op.kind == HD_THREAD_TASK)
            return true;
    return false;
}

bool
intervals_add_up(const hd_loaded_location *location, bool compat)
{
    bool               with_tasks = compat && has_tasks(location);
    hd_span           *left  = HD_NEW_ARRAY(hd_span, location->n_nodes);
    bool               holds = true, is_first = true;
    hd_interval_cursor cursor;

    for (uint32_t i = 0; i < location->n_nodes; i++)
        left[i] = location->nodes[i].time;
    hd_interval_cursor_init(&cursor, &location->intervals);
    for (; hd_interval_cursor_next(&cursor); is_first = false) {
        bool     is_last  = cursor.at == cursor.end;
        uint32_t previous = HD_NONE;
        hd_span  sum      = 0;

        while (hd_interval_cursor_has_entry(&cursor)) {
            uint32_t node;
            hd_span  time;

            hd_interval_cursor_entry(&cursor, &node, &time);
            holds = holds && node < location->n_nodes && (node != previous || compat) && time != 0;
            sum += time;
            if (node < location->n_nodes)
                left[node] -= time;
            previous = node;
            is_last  = cursor.at == cursor.end;
        }
        holds = holds && (!with_tasks || sum <= hd_span_between(cursor.from, cursor.until));
        holds = holds && (cursor.from < cursor.until || (cursor.from == cursor.until && (is_first || is_last)));
    }
    for (uint32_t i = 0; i < location->n_nodes; i++)
        holds = holds && (left[i] == 0 || with_tasks);
    free(left);
    return holds;
}

uint64_t
n_findings(const hand_made *h, hd_finding_kind kind)
{
    uint64_t n = 0;

    for (size_t i = 0; i < h->findings.n; i++)
        if (h->findings.rows[i].kind == kind)
            n += h->findings.rows[i].count;
    return n;
}

uint64_t
n_all_findings(const hand_made *h)
{
    uint64_t n = 0;

    for (size_t i = 0; i < h->findings.n; i++)
        n += h->findings.rows[i].count;
    return n;
}

const hd_loaded_location *
location_of(const hand_made *h, uint32_t thread)
{
    return &h->process.locations[thread];
}

uint32_t
node_of(const hd_loaded_location *location, uint32_t n, const uint32_t *regions)
{
    uint32_t node = HD_NONE;

    for (uint32_t depth = 0; depth < n; depth++) {
        uint32_t i = 0;

        while (i < location->n_nodes &&
               (location->nodes[i].parent != node || location->nodes[i].region != regions[depth]))
            i++;
        if (i == location->n_nodes)
            return HD_NONE;
        node = i;
    }
    return node;
}
