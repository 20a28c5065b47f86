#include "wait_graph.h"

#include "memory.h"
#include "recording_end.h"
#include "status.h"
#include "table.h"

enum { MOST_INSTANCES = 64 }; /* of a communicator: waits in later ones are for somebody unknown */

/* A process, an operation, or the hub: whoever is not recorded. */
typedef struct vertex {
    const hd_ending_fact *fact;    /* NULL: a process that has finished, an operation, the hub */
    uint32_t process;              /* HD_NONE: none */
    uint8_t  kind;                 /* hd_wait_node_kind */
    bool     needs_all;
    bool     blocked[2];           /* in both reductions: RUN_CERTAIN, RUN_LIKELY */
    uint32_t comm, number, operation, call_path; /* of an operation; call_path: of those who wait in it, HD_NONE: any */
    uint32_t cycle, next, end;     /* next, end: vertices */
} vertex;

enum { RUN_CERTAIN, RUN_LIKELY, N_RUNS };

typedef struct edge {
    uint32_t from, to, kind, comm, tag;
    bool     is_doubtful;
} edge;

typedef struct builder {
    hd_wait_facts *facts;
    vertex   *vertices; /* [n] as many processes as there are endings come first */
    size_t    n, capacity;
    edge     *edges;    /* [n_edges] sorted by from, to; each once */
    size_t    n_edges, capacity_edges;
    size_t   *first_out;  /* [n + 1] in edges */
    size_t   *first_in;   /* [n + 1] in ins */
    uint32_t *ins;        /* [n_edges] numbers of edges, by their end */
    hd_table  of_process; /* -> vertex */
    uint32_t  hub;
    uint32_t  n_cycles;
} builder;

#define HD_COMPARE(field)                                                                                                        \
    if (a->field != b->field)                                                                                                    \
    return a->field < b->field ? -1 : 1

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
    const vertex *a = left, *b = right;

    HD_COMPARE(comm);
    HD_COMPARE(number);
    HD_COMPARE(operation);
    HD_COMPARE(call_path);
    return 0;
}

static int
compare_edges(const void *left, const void *right)
{
    const edge *a = left, *b = right;

    HD_COMPARE(from);
    HD_COMPARE(to);
    HD_COMPARE(kind);
    HD_COMPARE(comm);
    HD_COMPARE(tag);
    HD_COMPARE(is_doubtful);
    return 0;
}

static void
sort(void *array, size_t n, size_t bytes, int (*compare)(const void *, const void *))
{
    if (n > 1)
        qsort(array, n, bytes, compare);
}

/* ---- vertices and edges ------------------------------------------------------------------------------------------------------ */

static uint32_t
add_vertex(builder *b, vertex v)
{
    v.next = v.end = HD_NONE;
    HD_PUSH(b->vertices, b->n, b->capacity, v);
    return (uint32_t)b->n - 1;
}

static void
add_edge(builder *b, edge e)
{
    HD_PUSH(b->edges, b->n_edges, b->capacity_edges, e);
}

static uint32_t
vertex_of_process(builder *b, uint32_t process)
{
    uint32_t i = hd_table_get(&b->of_process, process);

    if (i == HD_NONE) {
        i = add_vertex(b, (vertex){ .process = process, .kind = HD_NODE_FINISHED, .call_path = HD_NONE });
        hd_table_add(&b->of_process, process, i);
    }
    return i;
}

static void
add_endings(builder *b)
{
    const hd_wait_facts *facts = b->facts;

    for (size_t i = 0; i < facts->n_endings; i++) {
        const hd_ending_fact *fact = &facts->endings[i];

        hd_table_add(&b->of_process, fact->process,
                     add_vertex(b, (vertex){ .fact = fact, .process = fact->process, .kind = fact->ending, .call_path = fact->call_path,
                                            .needs_all = fact->ending == HD_ENDING_WAITS && fact->needs_all }));
    }
    b->hub = add_vertex(b, (vertex){ .process = HD_NONE, .kind = HD_NODE_UNKNOWN, .call_path = HD_NONE });
}

/* The operation that a process waits in, as a key. */
static vertex
operation_of(const builder *b, const hd_wait_fact *wait)
{
    const vertex *waiter = &b->vertices[hd_table_get(&b->of_process, wait->process)];

    return (vertex){ .process = HD_NONE, .kind = HD_NODE_OPERATION, .comm = wait->comm, .number = wait->number,
                     .operation = wait->operation, .call_path = wait->is_sure ? HD_NONE : waiter->call_path,
                     .needs_all = hd_operation_needs_all(wait->operation) };
}

/* The earliest ones of each communicator. Returns where they begin. */
static uint32_t
add_operations(builder *b)
{
    const hd_wait_facts *facts = b->facts;
    vertex              *all   = NULL;
    size_t               n = 0, capacity = 0, n_of_comm = 0;
    uint32_t             first = (uint32_t)b->n;

    for (size_t i = 0; i < facts->n_waits; i++)
        if (facts->waits[i].kind == HD_WAIT_COLLECTIVE)
            HD_PUSH(all, n, capacity, operation_of(b, &facts->waits[i]));
    sort(all, n, sizeof *all, compare_operations);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && compare_operations(&all[i - 1], &all[i]) == 0)
            continue;
        n_of_comm = i > 0 && all[i - 1].comm == all[i].comm ? n_of_comm + 1 : 0;
        if (n_of_comm < MOST_INSTANCES)
            add_vertex(b, all[i]);
    }
    free(all);
    return first;
}

static uint32_t
find_operation(const builder *b, uint32_t first, const vertex *key)
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
wait_in(const hd_wait_facts *facts, uint32_t process, const vertex *operation)
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
add_missing(builder *b, uint32_t operation)
{
    const hd_wait_facts *facts = b->facts;
    vertex               key   = b->vertices[operation]; /* vertices move */
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
        add_edge(b, (edge){ .from = operation, .to = to, .kind = HD_WAIT_MEMBER, .comm = HD_NONE, .tag = HD_NONE, .is_doubtful = wait != NULL });
    }
}

static void
add_wait(builder *b, uint32_t first_operation, const hd_wait_fact *wait)
{
    uint32_t              from = hd_table_get(&b->of_process, wait->process), to;
    const hd_ending_fact *fact = b->vertices[from].fact; /* who waits has one */
    edge                  e    = { .from = from, .to = b->hub, .kind = wait->kind, .comm = HD_NONE, .tag = HD_NONE,
                                   .is_doubtful = fact->may_go_on };
    vertex                key;

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
        e.is_doubtful |= fact->has_mail;
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
index_edges(builder *b)
{
    size_t n = 0;

    sort(b->edges, b->n_edges, sizeof *b->edges, compare_edges);
    for (size_t i = 0; i < b->n_edges; i++)
        if (i == 0 || compare_edges(&b->edges[n - 1], &b->edges[i]) != 0)
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
    for (size_t i = 0; i < n; i++) /* first_in is one behind, until here */
        b->ins[b->first_in[b->edges[i].to + 1]++] = (uint32_t)i;
}

/* In an operation that misses nobody a process does not wait: all that is known of it is where it was. False: nobody waits. */
static bool
settle_complete(builder *b)
{
    bool  *is_told = HD_NEW_ARRAY(bool, b->n); /* of operations: somebody waits in it */
    size_t n       = 0;
    bool   any     = false;

    for (size_t i = 0; i < b->n_edges; i++) {
        uint32_t to = b->edges[i].to;

        if (b->vertices[to].kind == HD_NODE_OPERATION && b->first_out[to] == b->first_out[to + 1])
            b->vertices[b->edges[i].from].kind = HD_NODE_STOPPED;
    }
    for (size_t i = 0; i < b->n_edges; i++)
        if (b->vertices[b->edges[i].from].kind == HD_NODE_WAITS)
            is_told[b->edges[i].from] = is_told[b->edges[i].to] = any = true;
    for (size_t i = 0; i < b->n_edges; i++)
        if (is_told[b->edges[i].from] && b->vertices[b->edges[i].from].kind != HD_NODE_STOPPED)
            b->edges[n++] = b->edges[i];
    b->n_edges = n;
    index_edges(b);
    free(is_told);
    return any;
}

/* ---- who can go on ------------------------------------------------------------------------------------------------------------- */

/* How many of what a vertex waits for it needs; 0: none. */
static size_t
needs(const builder *b, uint32_t i, int run)
{
    const vertex *v     = &b->vertices[i];
    size_t        first = b->first_out[i], end = b->first_out[i + 1], n_doubtful = 0;

    if (v->kind == HD_NODE_STOPPED || v->kind == HD_NODE_SILENT)
        return 0;
    if (run == RUN_CERTAIN && v->fact != NULL && v->fact->is_cut)
        return 0;
    for (size_t e = first; run == RUN_CERTAIN && e < end; e++)
        n_doubtful += b->edges[e].is_doubtful;
    if (v->needs_all)
        return end - first - n_doubtful;
    if (v->kind == HD_NODE_OPERATION && first == end)
        return 0;
    return n_doubtful > 0 ? 0 : 1;
}

/* What can go on lets go on what waits for it; any process but the finished ones may be the one that is not recorded. */
static void
reduce(builder *b, int run)
{
    size_t   *left  = HD_NEW_ARRAY(size_t, b->n);
    uint32_t *queue = HD_NEW_ARRAY(uint32_t, b->n);
    size_t    n     = 0;

    for (uint32_t i = 0; i < b->n; i++) {
        left[i]                    = needs(b, i, run);
        b->vertices[i].blocked[run] = left[i] > 0;
        if (left[i] == 0)
            queue[n++] = i;
    }
    for (size_t at = 0; at < n; at++) {
        uint32_t v = queue[at];

        if (b->vertices[v].process != HD_NONE && b->vertices[b->hub].blocked[run]) {
            b->vertices[b->hub].blocked[run] = false;
            queue[n++] = b->hub;
        }
        for (size_t i = b->first_in[v]; i < b->first_in[v + 1]; i++) {
            const edge *e = &b->edges[b->ins[i]];

            if (!b->vertices[e->from].blocked[run] || (run == RUN_CERTAIN && e->is_doubtful) || --left[e->from] > 0)
                continue;
            b->vertices[e->from].blocked[run] = false;
            queue[n++] = e->from;
        }
    }
    free(left);
    free(queue);
}

/* ---- cycles: strongly connected components of what is blocked (Tarjan), without recursion ------------------------------------------ */

typedef struct visit {
    uint32_t vertex;
    size_t   next; /* edge, or of the hub the vertex that is to be looked at */
} visit;

typedef struct search {
    visit    *path;   /* [n_path] */
    uint32_t *stack;  /* [n_stack] visited, in no component yet */
    uint32_t *order, *low; /* [n] order 0: not visited */
    bool     *is_on_stack;
    size_t    n_path, n_stack;
    uint32_t  n_visited;
} search;

static bool
is_searched(const builder *b, uint32_t i)
{
    const vertex *v = &b->vertices[i];

    return v->blocked[RUN_LIKELY] && (v->kind == HD_NODE_WAITS || v->kind == HD_NODE_OPERATION || v->kind == HD_NODE_UNKNOWN);
}

/* Where the visit goes next; HD_NONE: nowhere. From the hub to whoever waits. */
static uint32_t
next_of(const builder *b, visit *at)
{
    while (at->vertex == b->hub && at->next < b->n)
        if (b->vertices[at->next++].kind == HD_NODE_WAITS && is_searched(b, (uint32_t)at->next - 1))
            return (uint32_t)at->next - 1;
    while (at->vertex != b->hub && at->next < b->first_out[at->vertex + 1])
        if (is_searched(b, b->edges[at->next++].to))
            return b->edges[at->next - 1].to;
    return HD_NONE;
}

static void
enter_vertex(const builder *b, search *s, uint32_t v)
{
    s->order[v] = s->low[v] = ++s->n_visited;
    s->is_on_stack[v] = true;
    s->stack[s->n_stack++] = v;
    s->path[s->n_path++]   = (visit){ v, v == b->hub ? 0 : b->first_out[v] };
}

static bool
waits_for_itself(const builder *b, uint32_t v)
{
    for (size_t e = b->first_out[v]; e < b->first_out[v + 1]; e++)
        if (b->edges[e].to == v)
            return true;
    return false;
}

/* Members of a component of one process get no cycle, unless it waits for itself. */
static void
leave_component(builder *b, search *s, uint32_t root)
{
    uint32_t n_processes = 0, lowest = HD_NONE, v;
    size_t   first = s->n_stack;

    do {
        v = s->stack[--first];
        s->is_on_stack[v] = false;
        if (b->vertices[v].kind == HD_NODE_WAITS) {
            n_processes++;
            lowest = lowest == HD_NONE || v < lowest ? v : lowest;
        }
    } while (v != root);
    if (n_processes > 1 || (n_processes == 1 && waits_for_itself(b, lowest)))
        for (size_t i = first; i < s->n_stack; i++) {
            b->vertices[s->stack[i]].cycle = 1; /* numbered later, */
            b->vertices[s->stack[i]].end   = lowest; /* by this */
        }
    s->n_stack = first;
}

static void
search_from(builder *b, search *s, uint32_t start)
{
    enter_vertex(b, s, start);
    while (s->n_path > 0) {
        visit   *at = &s->path[s->n_path - 1];
        uint32_t v = at->vertex, to = next_of(b, at);

        if (to == HD_NONE) {
            s->n_path--;
            if (s->low[v] == s->order[v])
                leave_component(b, s, v);
            if (s->n_path > 0 && s->low[v] < s->low[s->path[s->n_path - 1].vertex])
                s->low[s->path[s->n_path - 1].vertex] = s->low[v];
        } else if (s->order[to] == 0)
            enter_vertex(b, s, to);
        else if (s->is_on_stack[to] && s->order[to] < s->low[v])
            s->low[v] = s->order[to];
    }
}

static void
find_cycles(builder *b)
{
    search s = { .path = HD_NEW_ARRAY(visit, b->n), .stack = HD_NEW_ARRAY(uint32_t, b->n), .order = HD_NEW_ARRAY(uint32_t, b->n),
                 .low = HD_NEW_ARRAY(uint32_t, b->n), .is_on_stack = HD_NEW_ARRAY(bool, b->n) };

    for (uint32_t i = 0; i < b->n; i++)
        if (is_searched(b, i) && s.order[i] == 0)
            search_from(b, &s, i);
    for (uint32_t i = 0; i < b->n; i++)
        if (b->vertices[i].cycle != 0 && b->vertices[i].end == i)
            b->vertices[i].cycle = ++b->n_cycles;
    for (uint32_t i = 0; i < b->n; i++)
        if (b->vertices[i].cycle != 0)
            b->vertices[i].cycle = b->vertices[b->vertices[i].end].cycle;
    free(s.path);
    free(s.stack);
    free(s.order);
    free(s.low);
    free(s.is_on_stack);
}

/* ---- chains: the nearest end of each -------------------------------------------------------------------------------------------- */

static void
follow(builder *b, uint32_t *queue, size_t first, size_t *n)
{
    for (size_t at = first; at < *n; at++)
        for (size_t i = b->first_in[queue[at]]; i < b->first_in[queue[at] + 1]; i++) {
            vertex *from = &b->vertices[b->edges[b->ins[i]].from];

            if (from->end != HD_NONE)
                continue;
            from->next  = queue[at];
            from->end   = b->vertices[queue[at]].end;
            queue[(*n)++] = (uint32_t)(from - b->vertices);
        }
}

/* Cycles first, then processes that do not wait, then those that are not recorded. */
static void
find_chains(builder *b)
{
    uint32_t *queue = HD_NEW_ARRAY(uint32_t, b->n);
    size_t    n = 0;

    for (uint32_t i = 0; i < b->n; i++)
        if (b->vertices[i].cycle != 0)
            queue[n++] = i;
    follow(b, queue, 0, &n);
    n = 0;
    for (uint32_t i = 0; i < b->n; i++)
        if (b->vertices[i].process != HD_NONE && b->vertices[i].kind != HD_NODE_WAITS) {
            b->vertices[i].end = i;
            queue[n++]         = i;
        }
    follow(b, queue, 0, &n);
    if (b->vertices[b->hub].end == HD_NONE) {
        b->vertices[b->hub].end = b->hub;
        queue[n++]              = b->hub;
        follow(b, queue, n - 1, &n);
    }
    free(queue);
}

/* ---- the graph: processes of which the same is to be said are one node ----------------------------------------------------------- */

typedef struct place {
    const builder *b;
    uint32_t       vertex;
} place;

/* Edges without the end that they have in common with others of their vertex. */
static int
compare_ends(const edge *left, const edge *right, bool is_in)
{
    edge x = *left, y = *right;

    *(is_in ? &x.to : &x.from) = 0;
    *(is_in ? &y.to : &y.from) = 0;
    return compare_edges(&x, &y);
}

static int
compare_neighbours(const builder *b, uint32_t left, uint32_t right)
{
    size_t n_out = b->first_out[left + 1] - b->first_out[left], n_in = b->first_in[left + 1] - b->first_in[left];
    size_t m_out = b->first_out[right + 1] - b->first_out[right], m_in = b->first_in[right + 1] - b->first_in[right];
    int    order = 0;

    if (n_out != m_out || n_in != m_in)
        return n_out != m_out ? (n_out < m_out ? -1 : 1) : n_in < m_in ? -1 : 1;
    for (size_t i = 0; i < n_out && order == 0; i++)
        order = compare_ends(&b->edges[b->first_out[left] + i], &b->edges[b->first_out[right] + i], false);
    for (size_t i = 0; i < n_in && order == 0; i++)
        order = compare_ends(&b->edges[b->ins[b->first_in[left] + i]], &b->edges[b->ins[b->first_in[right] + i]], true);
    return order;
}

static uint32_t
thread_of(const vertex *v)
{
    return v->fact != NULL ? v->fact->thread : HD_NONE;
}

/* 0: the same is to be said of both processes. */
static int
compare_said(const builder *graph, uint32_t left, uint32_t right)
{
    const vertex *a = &graph->vertices[left], *b = &graph->vertices[right];

    HD_COMPARE(kind);
    HD_COMPARE(needs_all);
    HD_COMPARE(call_path);
    HD_COMPARE(cycle);
    HD_COMPARE(blocked[RUN_LIKELY]);
    HD_COMPARE(blocked[RUN_CERTAIN]);
    if (thread_of(a) != thread_of(b))
        return thread_of(a) < thread_of(b) ? -1 : 1;
    return compare_neighbours(graph, left, right);
}

static int
compare_places(const void *left, const void *right)
{
    const place *a = left, *b = right;
    int          order = compare_said(a->b, a->vertex, b->vertex);

    if (order != 0)
        return order;
    HD_COMPARE(b->vertices[a->vertex].process);
    return 0;
}

typedef struct group { /* of processes */
    uint32_t lowest; /* process */
    size_t   first, n; /* in places */
} group;

static int
compare_groups(const void *left, const void *right)
{
    const group *a = left, *b = right;

    HD_COMPARE(lowest);
    return 0;
}

static uint32_t
add_node(hd_wait_graph *graph, size_t *capacity, const vertex *v)
{
    size_t n = graph->n_nodes;

    HD_PUSH(graph->nodes, n, *capacity,
            ((hd_wait_node){ .kind = (hd_wait_node_kind)v->kind, .first_process = graph->n_processes, .thread = thread_of(v),
                             .call_path = v->call_path, .comm = v->comm, .number = v->number, .needs_all = v->needs_all, .cycle = v->cycle,
                             .is_blocked = v->blocked[RUN_LIKELY], .is_certain = v->blocked[RUN_CERTAIN] }));
    graph->n_nodes = (uint32_t)n;
    return (uint32_t)n - 1;
}

static void
add_process(hd_wait_graph *graph, size_t *capacity, hd_wait_node *node, const vertex *v)
{
    if (v->fact != NULL) {
        hd_time time = v->kind == HD_NODE_WAITS ? v->fact->since : v->fact->end;

        node->first = node->n_processes == 0 ? time : hd_time_min(node->first, time);
        node->last  = hd_time_max(node->last, time);
        node->n_cut += v->fact->is_cut;
    }
    node->n_processes++;
    HD_PUSH(graph->processes, graph->n_processes, *capacity, v->process);
}

/* of: [n] vertex -> node. */
static void
add_groups(const builder *b, hd_wait_graph *graph, size_t *capacity, uint32_t *of)
{
    place *places = HD_NEW_ARRAY(place, b->n + 1);
    group *groups = NULL;
    size_t n = 0, n_groups = 0, capacity_groups = 0, capacity_processes = 0;

    for (uint32_t i = 0; i < b->n; i++)
        if (b->vertices[i].process != HD_NONE && (b->vertices[i].fact != NULL || b->first_in[i] < b->first_in[i + 1]))
            places[n++] = (place){ b, i };
    sort(places, n, sizeof *places, compare_places);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || compare_said(b, places[i - 1].vertex, places[i].vertex) != 0)
            HD_PUSH(groups, n_groups, capacity_groups, ((group){ b->vertices[places[i].vertex].process, i, 0 }));
        groups[n_groups - 1].n++;
    }
    sort(groups, n_groups, sizeof *groups, compare_groups);
    for (size_t i = 0; i < n_groups; i++) {
        uint32_t node = add_node(graph, capacity, &b->vertices[places[groups[i].first].vertex]);

        for (size_t p = groups[i].first; p < groups[i].first + groups[i].n; p++) {
            of[places[p].vertex] = node;
            add_process(graph, &capacity_processes, &graph->nodes[node], &b->vertices[places[p].vertex]);
        }
    }
    free(places);
    free(groups);
}

/* Operations that somebody waits in; the call path of who does, where it is not said. */
static void
add_others(const builder *b, hd_wait_graph *graph, size_t *capacity, uint32_t *of)
{
    for (uint32_t i = 0; i < b->n; i++) {
        const vertex *v = &b->vertices[i];

        if (v->kind != HD_NODE_OPERATION || b->first_in[i] == b->first_in[i + 1])
            continue;
        of[i] = add_node(graph, capacity, v);
        graph->nodes[of[i]].call_path = b->vertices[b->edges[b->ins[b->first_in[i]]].from].call_path;
    }
    if (b->first_in[b->hub] < b->first_in[b->hub + 1])
        of[b->hub] = add_node(graph, capacity, &b->vertices[b->hub]);
}

static int
compare_graph_edges(const void *left, const void *right)
{
    const hd_wait_edge *a = left, *b = right;

    HD_COMPARE(from);
    HD_COMPARE(to);
    HD_COMPARE(kind);
    HD_COMPARE(comm);
    HD_COMPARE(tag);
    HD_COMPARE(is_doubtful);
    return 0;
}

static void
add_graph_edges(const builder *b, hd_wait_graph *graph, const uint32_t *of)
{
    size_t n = 0;

    graph->edges = HD_NEW_ARRAY(hd_wait_edge, b->n_edges + 1);
    for (size_t i = 0; i < b->n_edges; i++) {
        const edge *e = &b->edges[i];

        if (of[e->from] != HD_NONE && of[e->to] != HD_NONE)
            graph->edges[n++] = (hd_wait_edge){ .from = of[e->from], .to = of[e->to], .kind = e->kind, .comm = e->comm, .tag = e->tag,
                                                .is_doubtful = e->is_doubtful };
    }
    sort(graph->edges, n, sizeof *graph->edges, compare_graph_edges);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || compare_graph_edges(&graph->edges[graph->n_edges - 1], &graph->edges[i]) != 0)
            graph->edges[graph->n_edges++] = graph->edges[i];
}
#undef HD_COMPARE

static hd_wait_graph *
make_graph(const builder *b)
{
    hd_wait_graph *graph = HD_NEW(hd_wait_graph);
    uint32_t      *of    = HD_NEW_ARRAY(uint32_t, b->n);
    size_t         capacity = 0;

    for (size_t i = 0; i < b->n; i++)
        of[i] = HD_NONE;
    graph->n_cycles = b->n_cycles;
    add_groups(b, graph, &capacity, of);
    add_others(b, graph, &capacity, of);
    for (size_t i = 0; i < graph->n_nodes; i++)
        graph->nodes[i].next = graph->nodes[i].end = HD_NONE;
    for (size_t i = b->n; i-- > 0;)
        if (of[i] != HD_NONE) {
            const vertex *v = &b->vertices[i];

            graph->nodes[of[i]].next = v->next != HD_NONE ? of[v->next] : HD_NONE;
            graph->nodes[of[i]].end  = v->end != HD_NONE ? of[v->end] : HD_NONE;
        }
    add_graph_edges(b, graph, of);
    free(of);
    return graph;
}

hd_wait_graph *
hd_wait_graph_new(hd_wait_facts *facts)
{
    builder        b     = { .facts = facts };
    hd_wait_graph *graph = NULL;
    uint32_t       first, end;

    if (facts->n_waits == 0)
        return NULL;
    sort(facts->endings, facts->n_endings, sizeof *facts->endings, compare_endings);
    sort(facts->waits, facts->n_waits, sizeof *facts->waits, compare_waits);
    sort(facts->members, facts->n_members, sizeof *facts->members, compare_members);
    add_endings(&b);
    first = add_operations(&b);
    end   = (uint32_t)b.n;
    for (size_t i = 0; i < facts->n_waits; i++)
        if (facts->waits[i].kind == HD_WAIT_COLLECTIVE) /* before processes that have finished come in */
            add_wait(&b, first, &facts->waits[i]);
    for (size_t i = 0; i < facts->n_waits; i++)
        if (facts->waits[i].kind != HD_WAIT_COLLECTIVE)
            add_wait(&b, first, &facts->waits[i]);
    for (uint32_t i = first; i < end; i++)
        add_missing(&b, i);
    index_edges(&b);
    if (settle_complete(&b)) {
        reduce(&b, RUN_CERTAIN);
        reduce(&b, RUN_LIKELY);
        find_cycles(&b);
        find_chains(&b);
        graph = make_graph(&b);
    }
    free(b.vertices);
    free(b.edges);
    free(b.first_out);
    free(b.first_in);
    free(b.ins);
    hd_table_fini(&b.of_process);
    return graph;
}

void
hd_wait_graph_free(hd_wait_graph *graph)
{
    if (graph == NULL)
        return;
    free(graph->nodes);
    free(graph->edges);
    free(graph->processes);
    free(graph);
}

void
hd_wait_facts_fini(hd_wait_facts *facts)
{
    free(facts->endings);
    free(facts->waits);
    free(facts->members);
    *facts = (hd_wait_facts){ 0 };
}
