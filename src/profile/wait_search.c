/* src/profile/wait_search.c: blocked processes by reduction, cycles by Tarjan's algorithm, chains by a search from
 * their ends. */
#include "wait_search.h"

#include "memory.h"

/* ---- who can go on ----------------------------------------------------------------------------------------------- */

/* How many of what a vertex waits for it needs; 0: none. */
static size_t
needs(const hd_wait_builder *b, uint32_t i, int run)
{
    const hd_wait_vertex *v     = &b->vertices[i];
    size_t        first = b->first_out[i], end = b->first_out[i + 1], n_doubtful = 0;

    if (v->kind == HD_NODE_STOPPED || v->kind == HD_NODE_SILENT)
        return 0;
    if (run == HD_RUN_CERTAIN && v->fact != NULL && v->fact->is_cut)
        return 0;
    for (size_t e = first; run == HD_RUN_CERTAIN && e < end; e++)
        n_doubtful += b->edges[e].is_doubtful;
    if (v->needs_all)
        return end - first - n_doubtful;
    if (v->kind == HD_NODE_OPERATION && first == end)
        return 0;
    return n_doubtful > 0 ? 0 : 1;
}

/* What can go on lets go on what waits for it; any process but the finished ones may be the one that is not
 * recorded. */
static void
reduce(hd_wait_builder *b, int run)
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
            const hd_wait_arc *e = &b->edges[b->ins[i]];

            if (!b->vertices[e->from].blocked[run] || (run == HD_RUN_CERTAIN && e->is_doubtful) || --left[e->from] > 0)
                continue;
            b->vertices[e->from].blocked[run] = false;
            queue[n++] = e->from;
        }
    }
    free(left);
    free(queue);
}

/* ---- cycles: strongly connected components of what is blocked (Tarjan), without recursion ------------------------ */

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
is_searched(const hd_wait_builder *b, uint32_t i)
{
    const hd_wait_vertex *v = &b->vertices[i];

    return v->blocked[HD_RUN_LIKELY] &&
           (v->kind == HD_NODE_WAITS || v->kind == HD_NODE_OPERATION || v->kind == HD_NODE_UNKNOWN);
}

/* Where the visit goes next; HD_NONE: nowhere. From the hub to a waiting process. */
static uint32_t
next_of(const hd_wait_builder *b, visit *at)
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
enter_vertex(const hd_wait_builder *b, search *s, uint32_t v)
{
    s->order[v] = s->low[v] = ++s->n_visited;
    s->is_on_stack[v] = true;
    s->stack[s->n_stack++] = v;
    s->path[s->n_path++]   = (visit){ v, v == b->hub ? 0 : b->first_out[v] };
}

static bool
waits_for_itself(const hd_wait_builder *b, uint32_t v)
{
    for (size_t e = b->first_out[v]; e < b->first_out[v + 1]; e++)
        if (b->edges[e].to == v)
            return true;
    return false;
}

/* Members of a component of one process get no cycle, unless it waits for itself. */
static void
leave_component(hd_wait_builder *b, search *s, uint32_t root)
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
            b->vertices[s->stack[i]].cycle = 1; /* set to a number later, in the order of end */
            b->vertices[s->stack[i]].end   = lowest;
        }
    s->n_stack = first;
}

static void
search_from(hd_wait_builder *b, search *s, uint32_t start)
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
find_cycles(hd_wait_builder *b)
{
    search s = { .path = HD_NEW_ARRAY(visit, b->n), .stack = HD_NEW_ARRAY(uint32_t, b->n),
                 .order = HD_NEW_ARRAY(uint32_t, b->n),
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

/* ---- chains: the nearest end of each ----------------------------------------------------------------------------- */

static void
follow(hd_wait_builder *b, uint32_t *queue, size_t first, size_t *n)
{
    for (size_t at = first; at < *n; at++)
        for (size_t i = b->first_in[queue[at]]; i < b->first_in[queue[at] + 1]; i++) {
            hd_wait_vertex *from = &b->vertices[b->edges[b->ins[i]].from];

            if (from->end != HD_NONE)
                continue;
            from->next  = queue[at];
            from->end   = b->vertices[queue[at]].end;
            queue[(*n)++] = (uint32_t)(from - b->vertices);
        }
}

/* Cycles first, then processes that do not wait, then those that are not recorded. */
static void
find_chains(hd_wait_builder *b)
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

void
hd_wait_search(hd_wait_builder *b)
{
    reduce(b, HD_RUN_CERTAIN);
    reduce(b, HD_RUN_LIKELY);
    find_cycles(b);
    find_chains(b);
}
