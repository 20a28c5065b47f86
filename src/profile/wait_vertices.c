/* src/profile/wait_vertices.c: vertices and edges of the wait-for graph, from facts. */
#include "wait_vertices.h"

#include "memory.h"
#include "recording_end.h"
#include "status.h"

enum { MAX_INSTANCES = 64 }; /* of a communicator: waits in later ones are for an unrecorded process */

static int
compare_endings(const void *left, const void *right)
{
    const hd_ending_fact *a = left, *b = right;

    HD_COMPARE(process);
    return 0;
}

static int
compare_waits(const void *left, const void *right)
{
    const hd_wait_fact *a = left, *b = right;

    HD_COMPARE(process);
    HD_COMPARE(kind);
    HD_COMPARE(comm);
    HD_COMPARE(number);
    HD_COMPARE(operation);
    HD_COMPARE(peer);
    HD_COMPARE(tag);
    return 0;
}

static int
compare_members(const void *left, const void *right)
{
    const hd_member_fact *a = left, *b = right;

    HD_COMPARE(comm);
    HD_COMPARE(process);
    return 0;
}

static int
compare_operations(const void *left, const void *right)
{
    const hd_wait_vertex *a = left, *b = right;

    HD_COMPARE(comm);
    HD_COMPARE(number);
    HD_COMPARE(operation);
    HD_COMPARE(call_path);
    return 0;
}

int
hd_wait_compare_arcs(const void *left, const void *right)
{
    const hd_wait_arc *a = left, *b = right;

    HD_COMPARE(from);
    HD_COMPARE(to);
    HD_COMPARE(kind);
    HD_COMPARE(comm);
    HD_COMPARE(tag);
    HD_COMPARE(is_doubtful);
    return 0;
}

/* ---- vertices and edges ------------------------------------------------------------------------------------------ */

static uint32_t
add_vertex(hd_wait_builder *b, hd_wait_vertex v)
{
    v.next = v.end = HD_NONE;
    HD_PUSH(b->vertices, b->n, b->capacity, v);
    return (uint32_t)b->n - 1;
}

static void
add_edge(hd_wait_builder *b, hd_wait_arc e)
{
    HD_PUSH(b->edges, b->n_edges, b->capacity_edges, e);
}

static uint32_t
vertex_of_process(hd_wait_builder *b, uint32_t process)
{
    uint32_t i = hd_table_get(&b->of_process, process);

    if (i == HD_NONE) {
        i = add_vertex(b, (hd_wait_vertex){ .process = process, .kind = HD_NODE_FINISHED, .call_path = HD_NONE });
        hd_table_add(&b->of_process, process, i);
    }
    return i;
}

static void
add_endings(hd_wait_builder *b)
{
    const hd_wait_facts *facts = b->facts;

    for (size_t i = 0; i < facts->n_endings; i++) {
        const hd_ending_fact *fact = &facts->endings[i];

        hd_table_add(&b->of_process, fact->process,
                     add_vertex(b, (hd_wait_vertex){ .fact = fact, .process = fact->process, .kind = fact->ending,
                                                     .call_path = fact->call_path,
                                            .needs_all = fact->ending == HD_ENDING_WAITS && fact->needs_all }));
    }
    b->hub = add_vertex(b, (hd_wait_vertex){ .process = HD_NONE, .kind = HD_NODE_UNKNOWN, .call_path = HD_NONE });
}

/* The operation that a process waits in, as a key. */
static hd_wait_vertex
operation_of(const hd_wait_builder *b, const hd_wait_fact *wait)
{
    const hd_wait_vertex *waiter = &b->vertices[hd_table_get(&b->of_process, wait->process)];

    return (hd_wait_vertex){ .process = HD_NONE, .kind = HD_NODE_OPERATION, .comm = wait->comm, .number = wait->number,
                     .operation = wait->operation, .call_path = wait->is_sure ? HD_NONE : waiter->call_path,
                     .needs_all = hd_operation_needs_all(wait->operation) };
}

/* The earliest ones of each communicator. Returns where they begin. */
static uint32_t
add_operations(hd_wait_builder *b)
{
    const hd_wait_facts *facts = b->facts;
    hd_wait_vertex              *all   = NULL;
    size_t               n = 0, capacity = 0, n_of_comm = 0;
    uint32_t             first = (uint32_t)b->n;

    for (size_t i = 0; i < facts->n_waits; i++)
        if (facts->waits[i].kind == HD_WAIT_COLLECTIVE)
            HD_PUSH(all, n, capacity, operation_of(b, &facts->waits[i]));
    hd_wait_sort(all, n, sizeof *all, compare_operations);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && compare_operations(&all[i - 1], &all[i]) == 0)
            continue;
        n_of_comm = i > 0 && all[i - 1].comm == all[i].comm ? n_of_comm + 1 : 0;
        if (n_of_comm < MAX_INSTANCES)
            add_vertex(b, all[i]);
    }
    free(all);
    return first;
}

static uint32_t
find_operation(const hd_wait_builder *b, uint32_t first, const hd_wait_vertex *key)
{
    size_t low = first, high = b->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int    order  = compare_operations(&b->vertices[middle], key);

        if (order == 0)
            return (uint32_t)middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return HD_NONE;
}

/* The wait of a process in this operation, NULL: it is not there. */
static const hd_wait_fact *
wait_in(const hd_wait_facts *facts, uint32_t process, const hd_wait_vertex *operation)
{
    size_t low = 0, high = facts->n_waits;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (facts->waits[middle].process < process)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < facts->n_waits && facts->waits[low].process == process; low++)
        if (facts->waits[low].kind == HD_WAIT_COLLECTIVE && facts->waits[low].comm == operation->comm &&
            facts->waits[low].number == operation->number && facts->waits[low].operation == operation->operation)
            return &facts->waits[low];
    return NULL;
}

/* Whom an operation misses. A member in a call of the same name on another call path may be on another communicator. */
static void
add_missing(hd_wait_builder *b, uint32_t operation)
{
    const hd_wait_facts *facts = b->facts;
    hd_wait_vertex               key   = b->vertices[operation]; /* vertices move */
    size_t               low = 0, high = facts->n_members;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (facts->members[middle].comm < key.comm)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < facts->n_members && facts->members[low].comm == key.comm; low++) {
        const hd_member_fact *member = &facts->members[low];
        const hd_wait_fact   *wait;
        uint32_t              to;

        if (member->n > key.number)
            continue;
        to   = vertex_of_process(b, member->process);
        wait = wait_in(facts, member->process, &key);
        if (wait != NULL && (key.call_path == HD_NONE || b->vertices[to].call_path == key.call_path))
            continue;
        add_edge(b, (hd_wait_arc){ .from = operation, .to = to, .kind = HD_WAIT_MEMBER, .comm = HD_NONE, .tag = HD_NONE,
                                   .is_doubtful = wait != NULL });
    }
}

static void
add_wait(hd_wait_builder *b, uint32_t first_operation, const hd_wait_fact *wait)
{
    uint32_t              from = hd_table_get(&b->of_process, wait->process), to;
    const hd_ending_fact *fact = b->vertices[from].fact; /* who waits has one */
    hd_wait_arc                  e    =
        { .from = from, .to = b->hub, .kind = wait->kind, .comm = HD_NONE, .tag = HD_NONE,
                                   .is_doubtful = fact->may_go_on };
    hd_wait_vertex                key;

    switch ((hd_wait_kind)wait->kind) {
    case HD_WAIT_SEND:
        to     = vertex_of_process(b, wait->peer);
        e.to   = to;
        e.comm = wait->comm;
        e.tag  = wait->tag;
        e.is_doubtful |= b->vertices[to].fact != NULL && b->vertices[to].fact->may_receive;
        break;
    case HD_WAIT_POST:
    case HD_WAIT_COMPLETE:
        e.to   = vertex_of_process(b, wait->peer);
        e.comm = wait->comm;
        break;
    case HD_WAIT_RECEIVE:
        e.is_doubtful |= fact->has_messages;
        break;
    case HD_WAIT_COLLECTIVE:
        key  = operation_of(b, wait);
        to   = find_operation(b, first_operation, &key);
        e.to = to != HD_NONE ? to : b->hub;
        e.is_doubtful |= to == HD_NONE;
        break;
    case HD_WAIT_OTHER:
    case HD_WAIT_MEMBER:
        e.is_doubtful = true;
        break;
    }
    add_edge(b, e);
}

static void
index_edges(hd_wait_builder *b)
{
    size_t n = 0;

    hd_wait_sort(b->edges, b->n_edges, sizeof *b->edges, hd_wait_compare_arcs);
    for (size_t i = 0; i < b->n_edges; i++)
        if (i == 0 || hd_wait_compare_arcs(&b->edges[n - 1], &b->edges[i]) != 0)
            b->edges[n++] = b->edges[i];
    b->n_edges = n;
    free(b->first_out);
    free(b->first_in);
    free(b->ins);
    b->first_out = HD_NEW_ARRAY(size_t, b->n + 2);
    b->first_in  = HD_NEW_ARRAY(size_t, b->n + 2);
    b->ins       = HD_NEW_ARRAY(uint32_t, n + 1);
    for (size_t i = 0; i < n; i++) {
        b->first_out[b->edges[i].from + 1]++;
        b->first_in[b->edges[i].to + 2]++;
    }
    for (size_t i = 0; i <= b->n; i++) {
        b->first_out[i + 1] += b->first_out[i];
        b->first_in[i + 1] += b->first_in[i];
    }
    for (size_t i = 0; i < n; i++) /* until here, first_in is one too large */
        b->ins[b->first_in[b->edges[i].to + 1]++] = (uint32_t)i;
}

/* In an operation that misses no process there is no wait: all that is known of it is where it was. False: no process
 * waits. */
static bool
settle_complete(hd_wait_builder *b)
{
    bool  *is_reported = HD_NEW_ARRAY(bool, b->n); /* of operations: processes wait in it */
    size_t n       = 0;
    bool   any     = false;

    for (size_t i = 0; i < b->n_edges; i++) {
        uint32_t to = b->edges[i].to;

        if (b->vertices[to].kind == HD_NODE_OPERATION && b->first_out[to] == b->first_out[to + 1])
            b->vertices[b->edges[i].from].kind = HD_NODE_STOPPED;
    }
    for (size_t i = 0; i < b->n_edges; i++)
        if (b->vertices[b->edges[i].from].kind == HD_NODE_WAITS)
            is_reported[b->edges[i].from] = is_reported[b->edges[i].to] = any = true;
    for (size_t i = 0; i < b->n_edges; i++)
        if (is_reported[b->edges[i].from] && b->vertices[b->edges[i].from].kind != HD_NODE_STOPPED)
            b->edges[n++] = b->edges[i];
    b->n_edges = n;
    index_edges(b);
    free(is_reported);
    return any;
}

bool
hd_wait_builder_init(hd_wait_builder *b, hd_wait_facts *facts)
{
    uint32_t first, end;

    *b = (hd_wait_builder){ .facts = facts };
    hd_wait_sort(facts->endings, facts->n_endings, sizeof *facts->endings, compare_endings);
    hd_wait_sort(facts->waits, facts->n_waits, sizeof *facts->waits, compare_waits);
    hd_wait_sort(facts->members, facts->n_members, sizeof *facts->members, compare_members);
    add_endings(b);
    first = add_operations(b);
    end   = (uint32_t)b->n;
    for (size_t i = 0; i < facts->n_waits; i++)
        if (facts->waits[i].kind == HD_WAIT_COLLECTIVE) /* before processes that have finished come in */
            add_wait(b, first, &facts->waits[i]);
    for (size_t i = 0; i < facts->n_waits; i++)
        if (facts->waits[i].kind != HD_WAIT_COLLECTIVE)
            add_wait(b, first, &facts->waits[i]);
    for (uint32_t i = first; i < end; i++)
        add_missing(b, i);
    index_edges(b);
    return settle_complete(b);
}

void
hd_wait_builder_fini(hd_wait_builder *b)
{
    free(b->vertices);
    free(b->edges);
    free(b->first_out);
    free(b->first_in);
    free(b->ins);
    hd_table_fini(&b->of_process);
}
