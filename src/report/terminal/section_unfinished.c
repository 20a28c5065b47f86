/* src/report/terminal/section_unfinished.c: the section "Unfinished operations": which processes wait for which when
 * the recording ends. */
#include "summary_sections.h"

#include <math.h>

#include "memory.h"
#include "path_source.h"
#include "path_text.h"
#include "wait_graph_list.h"

enum { MAX_RUNS_BYTES = 48 };

typedef struct section {
    const hd_summary_page    *page;
    const hd_wait_graph_list *list;
    uint64_t                 *n_behind; /* [n_nodes] processes whose chains end there */
    uint64_t                 *n_inside; /* [n_cycles + 1] processes of each cycle */
    uint32_t                 *lowest;   /* [n_cycles + 1] node */
} section;

/* Lines are made in a stream, then wrapped. */
typedef struct sentence {
    char  *text;
    size_t bytes;
    FILE  *out;
} sentence;

static FILE *
begin(sentence *s)
{
    *s     = (sentence){ 0 };
    s->out = open_memstream(&s->text, &s->bytes);
    if (s->out == NULL)
        hd_fatal("out of memory: the summary cannot be written");
    return s->out;
}

static void
end(const section *s, sentence *line, uint32_t indent)
{
    if (fclose(line->out) != 0)
        hd_fatal("out of memory: the summary cannot be written");
    hd_summary_page_sentence(s->page, indent, line->text);
    free(line->text);
}

/* "process 5", "processes 0-4,6 (6)" */
static void
put_who(FILE *out, const hd_wait_node_entry *node)
{
    size_t n = strlen(node->processes);

    if (node->kind == HD_NODE_UNKNOWN) {
        fputs("an unrecorded process", out);
        return;
    }
    if (n > MAX_RUNS_BYTES)
        for (n = MAX_RUNS_BYTES; n > 0 && node->processes[n] != ',';)
            n--;
    fprintf(out, "%s %.*s%s", node->n_processes == 1 ? "process" : "processes", (int)n, node->processes,
            node->processes[n] != '\0' ? ",..." : "");
    if (node->n_processes > 1)
        fprintf(out, " (%" PRIu32 ")", node->n_processes);
}

static void
put_where(FILE *out, const section *s, const hd_wait_node_entry *node)
{
    const hd_cube *cube   = s->page->cube;
    char          *path   = node->path != HD_NONE ? hd_path_text(cube, node->path, " > ") : NULL;
    char          *source = NULL;

    if (path != NULL) {
        source = hd_path_source_text(cube, node->path, s->page->options.is_verbose);
        fprintf(out, " in %s", path);
    }
    if (source != NULL)
        fprintf(out, " (%s)", source);
    if (node->thread != HD_NONE && node->thread > 0)
        fprintf(out, ", thread %" PRIu32, node->thread);
    free(path);
    free(source);
}

static void
put_cut(FILE *out, const hd_wait_node_entry *node)
{
    if (node->n_cut > 0)
        fputs(node->n_cut == node->n_processes ? ", where the recording is truncated" :
              ", where some recordings are truncated", out);
}

/* The members that an operation misses. */
static void
put_operation(FILE *out, const section *s, const hd_wait_node_entry *operation)
{
    uint32_t n = 0;

    for (size_t i = 0; i < operation->n_edges; i++)
        n += s->list->nodes[s->list->edges[operation->first_edge + i].to].n_processes;
    fputs(n <= 1 ? "for " : operation->needs_all ? "for all of " : "for one of ", out);
    for (size_t i = 0; i < operation->n_edges; i++) {
        if (i == s->page->options.n_top) {
            fputs(", ...", out);
            break;
        }
        fputs(i > 0 ? ", " : "", out);
        put_who(out, &s->list->nodes[s->list->edges[operation->first_edge + i].to]);
    }
    fprintf(out, " to enter %s", operation->operation);
    if (operation->number != HD_NONE)
        fprintf(out, " no. %" PRIu32 " on \"%s\"", operation->number, operation->communicator);
}

static void
put_wait(FILE *out, const section *s, const hd_wait_edge_entry *edge)
{
    const hd_wait_node_entry *to = &s->list->nodes[edge->to];

    switch ((hd_wait_kind)edge->kind) {
    case HD_WAIT_SEND:
        fputs("for ", out);
        put_who(out, to);
        fprintf(out, " to receive a message (tag %" PRIu32 ", \"%s\")", edge->tag, edge->communicator);
        break;
    case HD_WAIT_POST:
    case HD_WAIT_COMPLETE:
        fputs("for ", out);
        put_who(out, to);
        fprintf(out, edge->kind == HD_WAIT_POST ? " to expose window \"%s\"" : " to end its accesses to window \"%s\"",
                edge->communicator);
        break;
    case HD_WAIT_RECEIVE:
        fprintf(out, "for a message whose sender is not recorded%s",
                edge->is_doubtful ? ", and which may have been sent" : "");
        break;
    default:
        if (to->kind == HD_NODE_OPERATION)
            put_operation(out, s, to);
        else
            fputs("for an unrecorded process", out);
        break;
    }
}

static void
print_node(const section *s, uint32_t indent, const hd_wait_node_entry *node)
{
    sentence line;
    FILE    *out = begin(&line);

    put_who(out, node);
    switch (node->kind) {
    case HD_NODE_WAITS:
        fprintf(out, " %s since %.9g s", node->n_processes == 1 ? "waits" : "wait", node->first);
        if (node->last > node->first)
            fprintf(out, " (the last since %.9g s)", node->last);
        break;
    case HD_NODE_STOPPED:
        fprintf(out, " %s last seen at %.9g s", node->n_processes == 1 ? "was" : "were", node->first);
        if (node->last > node->first)
            fprintf(out, " (the last at %.9g s)", node->last);
        break;
    case HD_NODE_SILENT:
        fputs(node->n_processes == 1 ? " has no recording" : " have no recording", out);
        break;
    case HD_NODE_FINISHED:
        fputs(node->n_processes == 1 ? " has finished" : " have finished", out);
        break;
    default:
        break;
    }
    put_where(out, s, node);
    put_cut(out, node);
    end(s, &line, indent);
    for (size_t i = 0; i < node->n_edges && node->kind == HD_NODE_WAITS; i++) {
        out = begin(&line);
        if (i == s->page->options.n_top) {
            fprintf(out, "%s for %zu more", node->needs_all ? "and" : "or", node->n_edges - i);
            end(s, &line, indent + 2);
            break;
        }
        fputs(i == 0 ? "" : node->needs_all ? "and " : "or ", out);
        put_wait(out, s, &s->list->edges[node->first_edge + i]);
        end(s, &line, indent + 2);
    }
}

/* Nodes that wait: those of a cycle, or, in none, those whose chain ends there. */
static void
print_nodes(const section *s, uint32_t cycle, uint32_t chain_end)
{
    uint32_t most = s->page->options.n_top * (cycle != 0 ? 2 : 1), n = 0;
    uint64_t n_more = 0;

    for (size_t i = 0; i < s->list->n_nodes; i++) {
        const hd_wait_node_entry *node = &s->list->nodes[i];

        if (node->kind != HD_NODE_WAITS || node->cycle != cycle || (cycle == 0 && node->end != chain_end))
            continue;
        if (n++ < most)
            print_node(s, 4, node);
        else
            n_more += node->n_processes;
    }
    if (n_more > 0)
        fprintf(s->page->file, "    (%" PRIu64 " more process%s)\n", n_more, n_more == 1 ? "" : "es");
}

static bool
is_certain(const section *s, uint32_t cycle)
{
    for (size_t i = 0; i < s->list->n_nodes; i++)
        if (s->list->nodes[i].cycle == cycle && s->list->nodes[i].kind == HD_NODE_WAITS &&
            !s->list->nodes[i].is_certain)
            return false;
    return true;
}

static void
print_cycle(const section *s, uint32_t cycle)
{
    uint64_t n = s->n_inside[cycle], n_behind = s->n_behind[s->lowest[cycle]];
    sentence line;
    FILE    *out   = begin(&line);
    bool     sure  = is_certain(s, cycle);

    if (n == 1)
        fprintf(out, "%s: wait-for cycle of a process with itself", sure ? "Deadlock" : "Possible deadlock");
    else
        fprintf(out, "%s: wait-for cycle of %" PRIu64 " processes", sure ? "Deadlock" : "Possible deadlock", n);
    fputs(sure ? "" : ", as far as recorded", out);
    if (n_behind > 0)
        fprintf(out, "; %" PRIu64 " more process%s blocked by it", n_behind, n_behind == 1 ? "" : "es");
    end(s, &line, 2);
    print_nodes(s, cycle, HD_NONE);
    print_nodes(s, 0, s->lowest[cycle]);
}

static void
print_chain(const section *s, uint32_t node)
{
    const hd_wait_node_entry *last = &s->list->nodes[node];
    uint64_t                  n    = s->n_behind[node];
    sentence                  line;
    FILE                     *out  = begin(&line);

    fprintf(out, "%" PRIu64 " process%s blocked by ", n, n == 1 ? "" : "es");
    put_who(out, last);
    fputs(n > 1 && last->kind != HD_NODE_UNKNOWN ? ", directly or through others" : "", out);
    end(s, &line, 2);
    if (last->kind != HD_NODE_UNKNOWN)
        print_node(s, 4, last);
    print_nodes(s, 0, node);
}

/* The largest of values[n] that has not been taken; HD_NONE: all are 0. */
static uint32_t
take_largest(uint64_t *values, size_t n)
{
    uint32_t largest = HD_NONE;

    for (uint32_t i = 0; i < n; i++)
        if (values[i] > 0 && (largest == HD_NONE || values[i] > values[largest]))
            largest = i;
    return largest;
}

static void
print_cycles(const section *s)
{
    uint64_t *left = HD_NEW_ARRAY(uint64_t, (size_t)s->list->n_cycles + 1);
    uint32_t  i = 0, cycle;

    memcpy(left, s->n_inside, ((size_t)s->list->n_cycles + 1) * sizeof *left);
    left[0] = 0;
    for (; i < s->page->options.n_top && (cycle = take_largest(left, (size_t)s->list->n_cycles + 1)) != HD_NONE; i++) {
        print_cycle(s, cycle);
        left[cycle] = 0;
    }
    if (i < s->list->n_cycles)
        fprintf(s->page->file, "  (%" PRIu32 " more deadlocks)\n", s->list->n_cycles - i);
    free(left);
}

static void
print_chains(const section *s)
{
    uint64_t *left   = HD_NEW_ARRAY(uint64_t, s->list->n_nodes), n_more = 0;
    uint32_t  n_left = 0, node;

    for (size_t i = 0; i < s->list->n_nodes; i++) {
        left[i] = s->list->nodes[i].cycle == 0 ? s->n_behind[i] : 0;
        n_left += left[i] > 0;
    }
    for (uint32_t i = 0; i < s->page->options.n_top && (node = take_largest(left, s->list->n_nodes)) != HD_NONE; i++) {
        print_chain(s, node);
        left[node] = 0;
        n_left--;
    }
    for (size_t i = 0; i < s->list->n_nodes; i++)
        n_more += left[i];
    if (n_left > 0)
        fprintf(s->page->file, "  (%" PRIu64 " more process%s blocked by %" PRIu32 " others)\n", n_more,
                n_more == 1 ? "" : "es", n_left);
    free(left);
}

/* No process is known to wait for them, but one may. */
static void
print_rest(const section *s)
{
    uint32_t n = 0;
    uint64_t n_more = 0;
    bool     is_all = true; /* no process waits */

    for (size_t i = 0; i < s->list->n_nodes; i++)
        is_all &= s->list->nodes[i].kind != HD_NODE_WAITS;
    for (size_t i = 0; i < s->list->n_nodes; i++) {
        const hd_wait_node_entry *node = &s->list->nodes[i];

        if ((node->kind != HD_NODE_STOPPED && node->kind != HD_NODE_SILENT) || s->n_behind[i] > 0)
            continue;
        if (n == 0)
            fputs(is_all ? "  Not terminated\n" : "  Also not terminated\n", s->page->file);
        if (n++ < s->page->options.n_top)
            print_node(s, 4, node);
        else
            n_more += node->n_processes;
    }
    if (n_more > 0)
        fprintf(s->page->file, "    (%" PRIu64 " more process%s)\n", n_more, n_more == 1 ? "" : "es");
}

static void
count(section *s)
{
    for (size_t i = s->list->n_nodes; i-- > 0;) {
        const hd_wait_node_entry *node = &s->list->nodes[i];

        if (node->kind != HD_NODE_WAITS)
            continue;
        if (node->cycle != 0) {
            s->n_inside[node->cycle] += node->n_processes;
            s->lowest[node->cycle] = (uint32_t)i;
        } else if (node->end != HD_NONE)
            s->n_behind[node->end] += node->n_processes;
    }
}

static void
print_section(const hd_summary_page *page, const hd_wait_graph_list *list)
{
    section s = { .page = page, .list = list };

    s.n_behind = HD_NEW_ARRAY(uint64_t, list->n_nodes);
    s.n_inside = HD_NEW_ARRAY(uint64_t, (size_t)list->n_cycles + 1);
    s.lowest   = HD_NEW_ARRAY(uint32_t, (size_t)list->n_cycles + 1);
    count(&s);
    print_cycles(&s);
    print_chains(&s);
    print_rest(&s);
    free(s.n_behind);
    free(s.n_inside);
    free(s.lowest);
}

/* ---- as JSON ----------------------------------------------------------------------------------------------------- */

static void
put_node(const hd_summary_page *page, const hd_wait_node_entry *node)
{
    hd_json *json      = page->json;
    bool     has_times = node->kind == HD_NODE_WAITS || node->kind == HD_NODE_STOPPED;

    hd_json_object(json, NULL);
    hd_json_text(json, "kind", hd_wait_node_kind_name(node->kind));
    hd_json_text(json, "processes", node->n_processes > 0 ? node->processes : NULL);
    hd_json_count(json, "n_processes", node->n_processes);
    hd_json_index(json, "thread", node->thread);
    hd_json_call_path(json, page->cube, node->path);
    hd_json_number(json, "first", has_times ? node->first : NAN);
    hd_json_number(json, "last", has_times ? node->last : NAN);
    hd_json_count(json, "truncated", node->n_cut);
    hd_json_text(json, "operation", *node->operation != '\0' ? node->operation : NULL);
    hd_json_text(json, "communicator", *node->communicator != '\0' ? node->communicator : NULL);
    hd_json_index(json, "number", node->number);
    hd_json_bool(json, "needs_all", node->needs_all);
    hd_json_index(json, "cycle", node->cycle != 0 ? node->cycle : HD_NONE);
    hd_json_bool(json, "is_blocked", node->is_blocked);
    hd_json_bool(json, "is_certain", node->is_certain);
    hd_json_index(json, "next", node->next);
    hd_json_index(json, "end", node->end);
    hd_json_end(json);
}

static void
put_edge(hd_json *json, const hd_wait_edge_entry *edge)
{
    hd_json_object(json, NULL);
    hd_json_count(json, "from", edge->from);
    hd_json_count(json, "to", edge->to);
    hd_json_text(json, "kind", hd_wait_kind_name(edge->kind));
    hd_json_text(json, "communicator", *edge->communicator != '\0' ? edge->communicator : NULL);
    hd_json_index(json, "tag", edge->tag);
    hd_json_bool(json, "is_doubtful", edge->is_doubtful);
    hd_json_end(json);
}

/* The graph as the report has it. */
static void
put_graph(const hd_summary_page *page, const hd_wait_graph_list *list)
{
    hd_json_object(page->json, page->key);
    hd_json_count(page->json, "cycles", list->n_cycles);
    hd_json_array(page->json, "nodes");
    for (size_t i = 0; i < list->n_nodes; i++)
        put_node(page, &list->nodes[i]);
    hd_json_end(page->json);
    hd_json_array(page->json, "edges");
    for (size_t i = 0; i < list->n_edges; i++)
        put_edge(page->json, &list->edges[i]);
    hd_json_end(page->json);
    hd_json_end(page->json);
}

hd_status
hd_section_unfinished(hd_summary_page *page)
{
    hd_wait_graph_list list;
    hd_status          status = hd_wait_graph_list_read(page->cube, &list);

    if (status != HD_OK || list.n_nodes == 0)
        return status;
    if (page->json != NULL)
        put_graph(page, &list);
    else
        print_section(page, &list);
    hd_wait_graph_list_fini(&list);
    return HD_OK;
}
