#include "wait_graph_list.h"

#include "escape.h"
#include "memory.h"
#include "tsv.h"

enum { MAX_BYTES = 256 * 1024 * 1024, MAX_RUNS_DRAWN = 8 };

static const char head_of_nodes[] = "node\tkind\tprocesses\tcount\tthread\tpath\tfirst\tlast\tcut\toperation\t"
                                    "communicator\tnumber\tneeds\tcycle\t"
                                    "blocked\tnext\tend";
static const char head_of_waits[] = "from\tto\tkind\tcommunicator\ttag\tdoubtful";

static const char *const node_kinds[] = {
    [HD_NODE_WAITS] = "waits", [HD_NODE_STOPPED] = "stopped", [HD_NODE_SILENT] = "no-recording",
    [HD_NODE_FINISHED] = "finished", [HD_NODE_OPERATION] = "operation", [HD_NODE_UNKNOWN] = "unknown",
};
enum { N_NODE_KINDS = sizeof node_kinds / sizeof *node_kinds };

static const char *const wait_kinds[] = {
    [HD_WAIT_SEND] = "send", [HD_WAIT_RECEIVE] = "receive", [HD_WAIT_COLLECTIVE] = "collective",
    [HD_WAIT_POST] = "post", [HD_WAIT_COMPLETE] = "complete", [HD_WAIT_OTHER] = "other", [HD_WAIT_MEMBER] = "member",
};
enum { N_WAIT_KINDS = sizeof wait_kinds / sizeof *wait_kinds };

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static uint64_t
since_begin(const hd_defs *defs, hd_time time)
{
    return time > defs->first_time ? time - defs->first_time : 0;
}

/* As runs: "0-4,6". */
static void
put_processes(FILE *file, const hd_wait_graph *graph, const hd_wait_node *node, size_t max_runs)
{
    const uint32_t *all = &graph->processes[node->first_process];
    size_t          n_runs = 0;

    for (size_t first = 0, next; first < node->n_processes; first = next, n_runs++) {
        if (n_runs == max_runs) {
            fputs(",...", file);
            return;
        }
        for (next = first + 1; next < node->n_processes && all[next] == all[next - 1] + 1; next++)
            ;
        fprintf(file, next > first + 1 ? "%s%" PRIu32 "-%" PRIu32 : "%s%" PRIu32, first > 0 ? "," : "", all[first],
                all[next - 1]);
    }
}

static const char *
name_of_comm(const hd_defs *defs, uint32_t comm)
{
    return comm < defs->n_comms ? hd_defs_text(defs, hd_defs_comms(defs)[comm].name) : "";
}

static const char *
name_of_call(const hd_wait_graph_names *names, uint32_t call_path)
{
    if (call_path >= names->tree->n)
        return "";
    return hd_defs_text(names->defs, hd_defs_regions(names->defs)[names->tree->nodes[call_path].region].name);
}

static bool
has_time(const hd_wait_node *node)
{
    return node->kind == HD_NODE_WAITS || node->kind == HD_NODE_STOPPED;
}

static void
put_node(FILE *file, const hd_wait_graph *graph, const hd_wait_graph_names *names, const hd_wait_node *node)
{
    const hd_defs *defs = names->defs;
    bool           is_operation = node->kind == HD_NODE_OPERATION;

    fprintf(file, "%zu\t%s\t", (size_t)(node - graph->nodes), node_kinds[node->kind]);
    put_processes(file, graph, node, SIZE_MAX);
    fprintf(file, "\t%" PRIu32 "\t", node->n_processes);
    hd_tsv_put_number(file, node->thread, node->thread != HD_NONE && has_time(node));
    hd_tsv_put_number(file, node->call_path < names->tree->n ? names->numbers[node->call_path] : 0,
                      !is_operation && node->call_path < names->tree->n);
    if (has_time(node)) {
        hd_tsv_put_ticks(file, since_begin(defs, node->first), defs->resolution, '\t');
        hd_tsv_put_ticks(file, since_begin(defs, node->last), defs->resolution, '\t');
    } else
        fputs("\t\t", file);
    fprintf(file, "%" PRIu32 "\t", node->n_cut);
    if (is_operation)
        hd_write_escaped(file, name_of_call(names, node->call_path));
    fputc('\t', file);
    if (is_operation)
        hd_write_escaped(file, name_of_comm(defs, node->comm));
    fputc('\t', file);
    hd_tsv_put_number(file, node->number + 1, is_operation && node->comm != HD_NONE);
    fprintf(file, "%s\t", !is_operation && node->kind != HD_NODE_WAITS ? "" : node->needs_all ? "all" : "one");
    hd_tsv_put_number(file, node->cycle, node->cycle != 0);
    fprintf(file, "%s\t", node->is_certain ? "certain" : node->is_blocked ? "likely" : "no");
    hd_tsv_put_number(file, node->next, node->next != HD_NONE);
    if (node->end != HD_NONE)
        fprintf(file, "%" PRIu32, node->end);
    fputc('\n', file);
}

void
hd_wait_graph_write(FILE *file, const hd_wait_graph *graph, const hd_wait_graph_names *names)
{
    fprintf(file, "%s\n", head_of_nodes);
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        put_node(file, graph, names, &graph->nodes[i]);
}

void
hd_waits_write(FILE *file, const hd_wait_graph *graph, const hd_wait_graph_names *names)
{
    fprintf(file, "%s\n", head_of_waits);
    for (size_t i = 0; i < graph->n_edges; i++) {
        const hd_wait_edge *edge = &graph->edges[i];

        fprintf(file, "%" PRIu32 "\t%" PRIu32 "\t%s\t", edge->from, edge->to, wait_kinds[edge->kind]);
        hd_write_escaped(file, name_of_comm(names->defs, edge->comm));
        fputc('\t', file);
        hd_tsv_put_number(file, edge->tag, edge->kind == HD_WAIT_SEND);
        fprintf(file, "%s\n", edge->is_doubtful ? "yes" : "no");
    }
}

/* ---- the drawing ------------------------------------------------------------------------------------------------- */

/* Inside of quotes: control characters as \xNN, and nothing is special to Graphviz. */
static void
put_quoted(FILE *file, const char *text)
{
    char *escaped = hd_escaped(text);

    for (const char *at = escaped; *at != '\0'; at++)
        fprintf(file, *at == '\\' || *at == '"' ? "\\%c" : "%c", *at);
    free(escaped);
}

static void
put_quoted_path(FILE *file, const hd_wait_graph_names *names, uint32_t call_path)
{
    uint32_t *path = NULL;
    size_t    n = 0, capacity = 0;

    for (uint32_t i = call_path; i < names->tree->n; i = names->tree->nodes[i].parent)
        HD_PUSH(path, n, capacity, i);
    while (n-- > 0) {
        put_quoted(file, name_of_call(names, path[n]));
        fputs(n > 0 ? " > " : "", file);
    }
    free(path);
}

static void
draw_times(FILE *file, const hd_defs *defs, const hd_wait_node *node)
{
    double second = (double)defs->resolution;

    fprintf(file, "\\n%s %.9g s", node->kind == HD_NODE_WAITS ? "waits since" : "ends at",
            (double)since_begin(defs, node->first) / second);
    if (node->last > node->first)
        fprintf(file, " to %.9g s", (double)since_begin(defs, node->last) / second);
    if (node->n_cut > 0)
        fprintf(file, "\\n(recording cut)");
}

static void
draw_node(FILE *file, const hd_wait_graph *graph, const hd_wait_graph_names *names, const hd_wait_node *node)
{
    static const char *const shapes[] = {
        [HD_NODE_WAITS] = "box", [HD_NODE_STOPPED] = "octagon", [HD_NODE_SILENT] = "octagon",
        [HD_NODE_FINISHED] = "doubleoctagon", [HD_NODE_OPERATION] = "ellipse", [HD_NODE_UNKNOWN] = "plaintext",
    };

    fprintf(file, "  n%zu [shape=%s%s, label=\"", (size_t)(node - graph->nodes), shapes[node->kind],
            node->cycle != 0 ? (node->is_certain ? ", color=red, penwidth=2" : ", color=orange, penwidth=2") : "");
    if (node->kind == HD_NODE_UNKNOWN)
        fputs("not recorded", file);
    else if (node->kind == HD_NODE_OPERATION) {
        put_quoted(file, name_of_call(names, node->call_path));
        if (node->comm != HD_NONE) {
            fprintf(file, " no. %" PRIu32 " on \\\"", node->number + 1);
            put_quoted(file, name_of_comm(names->defs, node->comm));
            fputs("\\\"", file);
        }
        fprintf(file, "\\nwaits for %s", node->needs_all ? "all" : "one");
    } else {
        fputs(node->n_processes == 1 ? "process " : "processes ", file);
        put_processes(file, graph, node, MAX_RUNS_DRAWN);
        if (node->n_processes > 1)
            fprintf(file, " (%" PRIu32 ")", node->n_processes);
        if (has_time(node)) {
            fputs("\\n", file);
            put_quoted_path(file, names, node->call_path);
            draw_times(file, names->defs, node);
        } else
            fputs(node->kind == HD_NODE_SILENT ? "\\nno recording" : "\\nfinished", file);
    }
    fputs("\"];\n", file);
}

static void
draw_edge(FILE *file, const hd_wait_graph *graph, const hd_wait_graph_names *names, const hd_wait_edge *edge)
{
    bool is_of_cycle = graph->nodes[edge->from].cycle != 0 &&
                       graph->nodes[edge->from].cycle == graph->nodes[edge->to].cycle;

    fprintf(file, "  n%" PRIu32 " -> n%" PRIu32 " [style=%s%s", edge->from, edge->to,
            edge->is_doubtful ? "dashed" : "solid", is_of_cycle ? ", color=red" : "");
    switch ((hd_wait_kind)edge->kind) {
    case HD_WAIT_SEND:
        fprintf(file, ", label=\"to receive\\ntag %" PRIu32 ", \\\"", edge->tag);
        put_quoted(file, name_of_comm(names->defs, edge->comm));
        fputs("\\\"\"", file);
        break;
    case HD_WAIT_RECEIVE:
        fputs(", label=\"to send\"", file);
        break;
    case HD_WAIT_POST:
    case HD_WAIT_COMPLETE:
        fprintf(file, ", label=\"to %s\\n\\\"", edge->kind == HD_WAIT_POST ? "expose" : "complete");
        put_quoted(file, name_of_comm(names->defs, edge->comm));
        fputs("\\\"\"", file);
        break;
    case HD_WAIT_MEMBER:
        fputs(", label=\"to enter\"", file);
        break;
    default:
        break;
    }
    fputs("];\n", file);
}

void
hd_wait_graph_write_dot(FILE *file, const hd_wait_graph *graph, const hd_wait_graph_names *names)
{
    fputs("digraph waits {\n  node [fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n", file);
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        draw_node(file, graph, names, &graph->nodes[i]);
    for (size_t i = 0; i < graph->n_edges; i++)
        draw_edge(file, graph, names, &graph->edges[i]);
    fputs("}\n", file);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct reading {
    hd_wait_graph_list *list;
    const uint32_t     *places; /* id of a call path -> index */
    uint32_t            n_places;
    size_t              capacity_nodes, capacity_edges;
} reading;

/* Names are printed as they stand in the table, where they were escaped. */
static bool
read_text(const char *field, const char **text)
{
    *text = field;
    for (const unsigned char *at = (const unsigned char *)field; at != NULL && *at != '\0'; at++)
        if (*at < 0x20 || *at == 0x7F || (at[0] == 0xC2 && at[1] >= 0x80 && at[1] < 0xA0))
            return false;
    return field != NULL;
}

static bool
read_runs(const char *field, const char **text)
{
    *text = field;
    return field != NULL && strspn(field, "0123456789-,") == strlen(field);
}

static bool
read_choice(const char *field, const char *const *words, uint32_t n, uint32_t *choice)
{
    for (*choice = 0; field != NULL && *choice < n; ++*choice)
        if (strcmp(field, words[*choice]) == 0)
            return true;
    return false;
}

/* Empty: 0. */
static bool
read_optional_seconds(const char *field, double *seconds)
{
    *seconds = 0;
    return field != NULL && (*field == '\0' || hd_tsv_seconds(field, seconds));
}

static bool
read_node(void *context, char *line)
{
    static const char *const needs[] = { "", "all", "one" }, *const blocked[] = { "no", "likely", "certain" };
    reading           *r    = context;
    hd_wait_node_entry node = { 0 };
    uint32_t           number, kind, need, block;

    if (!hd_tsv_number(hd_tsv_next(&line), &number) || number != r->list->n_nodes ||
        !read_choice(hd_tsv_next(&line), node_kinds, N_NODE_KINDS, &kind) ||
        !read_runs(hd_tsv_next(&line), &node.processes) ||
        !hd_tsv_number(hd_tsv_next(&line), &node.n_processes) || node.n_processes == HD_NONE ||
        !hd_tsv_number(hd_tsv_next(&line), &node.thread) ||
        !hd_tsv_path(hd_tsv_next(&line), r->places, r->n_places, &node.path) ||
        !read_optional_seconds(hd_tsv_next(&line), &node.first) ||
        !read_optional_seconds(hd_tsv_next(&line), &node.last) ||
        !hd_tsv_number(hd_tsv_next(&line), &node.n_cut) || node.n_cut == HD_NONE ||
        !read_text(hd_tsv_next(&line), &node.operation) ||
        !read_text(hd_tsv_next(&line), &node.communicator) || !hd_tsv_number(hd_tsv_next(&line), &node.number) ||
        !read_choice(hd_tsv_next(&line), needs, 3, &need) || !hd_tsv_number(hd_tsv_next(&line), &node.cycle) ||
        !read_choice(hd_tsv_next(&line), blocked, 3, &block) || !hd_tsv_number(hd_tsv_next(&line), &node.next) ||
        !hd_tsv_number(hd_tsv_next(&line), &node.end))
        return false;
    node.kind       = (hd_wait_node_kind)kind;
    node.needs_all  = need == 1;
    node.is_blocked = block >= 1;
    node.is_certain = block == 2;
    node.cycle      = node.cycle != HD_NONE ? node.cycle : 0;
    HD_PUSH(r->list->nodes, r->list->n_nodes, r->capacity_nodes, node);
    return line == NULL;
}

/* Nodes have been read. */
static bool
read_wait(void *context, char *line)
{
    static const char *const answers[] = { "no", "yes" };
    reading            *r    = context;
    hd_wait_graph_list *list = r->list;
    hd_wait_edge_entry  edge = { 0 };
    uint32_t            answer;

    if (!hd_tsv_number(hd_tsv_next(&line), &edge.from) || edge.from >= list->n_nodes ||
        !hd_tsv_number(hd_tsv_next(&line), &edge.to) ||
        edge.to >= list->n_nodes || !read_choice(hd_tsv_next(&line), wait_kinds, N_WAIT_KINDS, &edge.kind) ||
        !read_text(hd_tsv_next(&line), &edge.communicator) || !hd_tsv_number(hd_tsv_next(&line), &edge.tag) ||
        !read_choice(hd_tsv_next(&line), answers, 2, &answer) ||
        (list->n_edges > 0 && list->edges[list->n_edges - 1].from > edge.from))
        return false;
    edge.is_doubtful = answer == 1;
    if (list->nodes[edge.from].n_edges++ == 0)
        list->nodes[edge.from].first_edge = list->n_edges;
    HD_PUSH(list->edges, list->n_edges, r->capacity_edges, edge);
    return line == NULL;
}

/* What nodes say of others is about nodes that are there; cycles are as many as there are nodes at most. */
static hd_status
check_nodes(const hd_cube *cube, hd_wait_graph_list *list)
{
    for (size_t i = 0; i < list->n_nodes; i++) {
        const hd_wait_node_entry *node = &list->nodes[i];

        if ((node->next != HD_NONE && node->next >= list->n_nodes) ||
            (node->end != HD_NONE && node->end >= list->n_nodes) ||
            node->cycle > list->n_nodes)
            return hd_fail(HD_EFORMAT, "report \"%s\": its table \"%s\" is damaged in line %zu", cube->path,
                           HD_WAIT_GRAPH_MEMBER, i + 2);
        list->n_cycles = node->cycle > list->n_cycles ? node->cycle : list->n_cycles;
    }
    return HD_OK;
}

hd_status
hd_wait_graph_list_read(hd_cube *cube, hd_wait_graph_list *list)
{
    uint32_t *places = hd_tsv_places(cube);
    reading   r      = { .list = list, .places = places, .n_places = cube->n_paths };
    size_t    bytes;
    hd_status status;

    *list  = (hd_wait_graph_list){ 0 };
    status = hd_cube_misc(cube, HD_WAIT_GRAPH_MEMBER, MAX_BYTES, &list->texts[0], &bytes);
    if (status == HD_OK && list->texts[0] != NULL)
        status = hd_tsv_lines(cube, HD_WAIT_GRAPH_MEMBER, list->texts[0], head_of_nodes, read_node, &r);
    if (status == HD_OK)
        status = check_nodes(cube, list);
    if (status == HD_OK)
        status = hd_cube_misc(cube, HD_WAITS_MEMBER, MAX_BYTES, &list->texts[1], &bytes);
    if (status == HD_OK && list->texts[1] != NULL)
        status = hd_tsv_lines(cube, HD_WAITS_MEMBER, list->texts[1], head_of_waits, read_wait, &r);
    if (status != HD_OK)
        hd_wait_graph_list_fini(list);
    free(places);
    return status;
}

void
hd_wait_graph_list_fini(hd_wait_graph_list *list)
{
    free(list->nodes);
    free(list->edges);
    free(list->texts[0]);
    free(list->texts[1]);
    *list = (hd_wait_graph_list){ 0 };
}

const char *
hd_wait_node_kind_name(hd_wait_node_kind kind)
{
    return node_kinds[kind];
}

const char *
hd_wait_kind_name(uint32_t kind)
{
    return wait_kinds[kind];
}
