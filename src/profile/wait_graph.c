/* src/profile/wait_graph.c: the wait-for graph: processes of which the same is to be said are one node. */
#include "wait_graph.h"

#include "memory.h"
#include "wait_search.h"
#include "wait_vertices.h"

typedef struct place {
    const hd_wait_builder *b;
    uint32_t       vertex;
} place;

/* Edges without the end that they have in common with others of their vertex. */
static int
compare_ends(const hd_wait_arc *left, const hd_wait_arc *right, bool is_in)
{
    hd_wait_arc x = *left, y = *right;

    *(is_in ? &x.to : &x.from) = 0;
    *(is_in ? &y.to : &y.from) = 0;
    return hd_wait_compare_arcs(&x, &y);
}

static int
compare_neighbours(const hd_wait_builder *b, uint32_t left, uint32_t right)
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
thread_of(const hd_wait_vertex *v)
{
    return v->fact != NULL ? v->fact->thread : HD_NONE;
}

/* 0: the same is to be said of both processes. */
static int
compare_said(const hd_wait_builder *graph, uint32_t left, uint32_t right)
{
    const hd_wait_vertex *a = &graph->vertices[left], *b = &graph->vertices[right];

    HD_COMPARE(kind);
    HD_COMPARE(needs_all);
    HD_COMPARE(call_path);
    HD_COMPARE(cycle);
    HD_COMPARE(blocked[HD_RUN_LIKELY]);
    HD_COMPARE(blocked[HD_RUN_CERTAIN]);
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
add_node(hd_wait_graph *graph, size_t *capacity, const hd_wait_vertex *v)
{
    size_t n = graph->n_nodes;

    HD_PUSH(graph->nodes, n, *capacity,
            ((hd_wait_node){ .kind = (hd_wait_node_kind)v->kind, .first_process = graph->n_processes,
                             .thread = thread_of(v),
                             .call_path = v->call_path, .comm = v->comm, .number = v->number, .needs_all = v->needs_all,
                             .cycle = v->cycle,
                             .is_blocked = v->blocked[HD_RUN_LIKELY], .is_certain = v->blocked[HD_RUN_CERTAIN] }));
    graph->n_nodes = (uint32_t)n;
    return (uint32_t)n - 1;
}

static void
add_process(hd_wait_graph *graph, size_t *capacity, hd_wait_node *node, const hd_wait_vertex *v)
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
add_groups(const hd_wait_builder *b, hd_wait_graph *graph, size_t *capacity, uint32_t *of)
{
    place *places = HD_NEW_ARRAY(place, b->n + 1);
    group *groups = HD_NEW_ARRAY(group, b->n + 1);
    size_t n = 0, n_groups = 0, capacity_processes = 0;

    for (uint32_t i = 0; i < b->n; i++)
        if (b->vertices[i].process != HD_NONE && (b->vertices[i].fact != NULL || b->first_in[i] < b->first_in[i + 1]))
            places[n++] = (place){ b, i };
    hd_wait_sort(places, n, sizeof *places, compare_places);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || compare_said(b, places[i - 1].vertex, places[i].vertex) != 0)
            groups[n_groups++] = (group){ b->vertices[places[i].vertex].process, i, 0 };
        groups[n_groups - 1].n++;
    }
    hd_wait_sort(groups, n_groups, sizeof *groups, compare_groups);
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

/* Operations that a process waits in; the call path of the waiting process, where it is not said. */
static void
add_others(const hd_wait_builder *b, hd_wait_graph *graph, size_t *capacity, uint32_t *of)
{
    for (uint32_t i = 0; i < b->n; i++) {
        const hd_wait_vertex *v = &b->vertices[i];

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
add_graph_edges(const hd_wait_builder *b, hd_wait_graph *graph, const uint32_t *of)
{
    size_t n = 0;

    graph->edges = HD_NEW_ARRAY(hd_wait_edge, b->n_edges + 1);
    for (size_t i = 0; i < b->n_edges; i++) {
        const hd_wait_arc *e = &b->edges[i];

        if (of[e->from] != HD_NONE && of[e->to] != HD_NONE)
            graph->edges[n++] = (hd_wait_edge){ .from = of[e->from], .to = of[e->to], .kind = e->kind, .comm = e->comm,
                                                .tag = e->tag, .is_doubtful = e->is_doubtful };
    }
    hd_wait_sort(graph->edges, n, sizeof *graph->edges, compare_graph_edges);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || compare_graph_edges(&graph->edges[graph->n_edges - 1], &graph->edges[i]) != 0)
            graph->edges[graph->n_edges++] = graph->edges[i];
}

static hd_wait_graph *
make_graph(const hd_wait_builder *b)
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
            const hd_wait_vertex *v = &b->vertices[i];

            graph->nodes[of[i]].next = v->next != HD_NONE ? of[v->next] : HD_NONE;
            graph->nodes[of[i]].end  = v->end != HD_NONE ? of[v->end] : HD_NONE;
        }
    add_graph_edges(b, graph, of);
    free(of);
    return graph;
}

hd_wait_graph *
hd_wait_graph_new(hd_wait_facts *facts, bool has_stopped)
{
    hd_wait_builder builder;
    hd_wait_graph  *graph = NULL;

    if (facts->n_waits == 0 && (!has_stopped || facts->n_endings == 0))
        return NULL;
    if (hd_wait_builder_init(&builder, facts) || has_stopped) {
        hd_wait_search(&builder);
        graph = make_graph(&builder);
    }
    hd_wait_builder_fini(&builder);
    return graph;
}

void
hd_wait_facts_fini(hd_wait_facts *facts)
{
    free(facts->endings);
    free(facts->waits);
    free(facts->members);
    *facts = (hd_wait_facts){ 0 };
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
