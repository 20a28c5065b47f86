/* Writes Paraver's three files: records in the order of time (.prv), names and colours (.pcf), and labels of the rows
 * (.row).
 *
 * The records of a location come in the order of time; they are kept in the scratch, and merged at the end.
 */
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "escape.h"
#include "export_file.h"
#include "export_format.h"
#include "memory.h"
#include "paraver_labels.h"

typedef enum record_kind { STATE, EVENT, MESSAGE } record_kind;

typedef struct record {
    hd_time  time;
    uint64_t a, b; /* STATE: its end, and what; EVENT: type and value; MESSAGE: number of the send */
    uint32_t kind; /* record_kind */
} record;

typedef struct place { /* of a location in the files, all from 1 on */
    uint32_t cpu, task, thread;
    uint64_t first, n; /* its records */
} place;

typedef struct paraver {
    const hd_export  *export;
    hd_export_file    prv, pcf, row;
    hd_paraver_label *labels;    /* [n_regions] */
    bool             *is_used;   /* [n_regions] it was entered */
    place            *places;    /* [n_locations] */
    uint32_t         *cpus;      /* [n_nodes] how many locations run on each node that any runs on, by order */
    uint32_t         *nodes;     /* [n_processes] the node of each, from 1 on */
    uint32_t          n_nodes, n_tasks;
    record           *records;   /* [n] */
    size_t            n, capacity;
    uint32_t         *stack;     /* [depth] states of the location's open regions */
    size_t            depth, capacity_stack;
    size_t            state;     /* its last state's record; SIZE_MAX: none */
    uint32_t          location;
} paraver;

static uint64_t
nanoseconds(const paraver *p, hd_time time)
{
    return (uint64_t)((unsigned __int128)(time - p->export->origin) * 1000000000 / p->export->defs->resolution);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static size_t
suffix_length(const char *path, const char *suffix)
{
    size_t n = strlen(path), m = strlen(suffix);

    return n > m && strcmp(path + n - m, suffix) == 0 ? m : 0;
}

static hd_status
open_one(hd_export_file *file, const char *path, size_t base, const char *suffix, bool force)
{
    char     *name   = hd_format("%.*s%s", (int)base, path, suffix);
    hd_status status = hd_export_file_open(file, name, force);

    free(name);
    return status;
}

static hd_status
close_files(paraver *p, bool is_kept)
{
    hd_status status = hd_export_file_close(&p->pcf, is_kept), closed;

    closed = hd_export_file_close(&p->row, is_kept && status == HD_OK);
    status = status != HD_OK ? status : closed;
    closed = hd_export_file_close(&p->prv, is_kept && status == HD_OK);
    return status != HD_OK ? status : closed;
}

static hd_status
paraver_open(const char *path, bool force, void **state)
{
    paraver  *p    = HD_NEW(paraver);
    size_t    gzip = suffix_length(path, ".prv.gz"), base = strlen(path);
    hd_status status;

    base -= gzip > 0 ? gzip : suffix_length(path, ".prv");
    if (strcmp(path, "-") == 0)
        status = hd_fail(HD_EUSAGE, "--paraver writes three files, which cannot go to standard output");
    else
        status = open_one(&p->prv, path, base, gzip > 0 ? ".prv.gz" : ".prv", force);
    if (status == HD_OK)
        status = open_one(&p->pcf, path, base, ".pcf", force);
    if (status == HD_OK)
        status = open_one(&p->row, path, base, ".row", force);
    if (status != HD_OK) {
        (void)close_files(p, false);
        free(p);
        return status;
    }
    *state = p;
    return HD_OK;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* Tasks are the chosen processes; each location has a processor of its own on the node of its process. */
static void
place_locations(paraver *p)
{
    const hd_defs *defs  = p->export->defs;
    uint32_t      *order = HD_NEW_ARRAY(uint32_t, (size_t)defs->n_nodes + 1), *next; /* node -> its number, 0: none */

    for (uint32_t i = 0; i < defs->n_processes; i++) {
        const hd_process_def *process = &hd_defs_processes(defs)[i];
        uint32_t              node    = process->node != HD_NONE ? process->node : defs->n_nodes;

        if (!p->export->is_chosen[process->first_location])
            continue;
        if (order[node] == 0)
            order[node] = ++p->n_nodes;
        p->nodes[i] = order[node];
        p->n_tasks++;
        for (uint32_t t = 0; t < process->n_locations; t++) {
            p->places[process->first_location + t].task   = p->n_tasks;
            p->places[process->first_location + t].thread = t + 1;
            p->cpus[p->nodes[i] - 1]++;
        }
    }
    next = HD_NEW_ARRAY(uint32_t, (size_t)p->n_nodes + 1);
    for (uint32_t i = 1; i < p->n_nodes; i++)
        next[i] = next[i - 1] + p->cpus[i - 1];
    for (uint32_t i = 0; i < defs->n_processes; i++) {
        const hd_process_def *process = &hd_defs_processes(defs)[i];

        for (uint32_t t = 0; p->nodes[i] > 0 && t < process->n_locations; t++)
            p->places[process->first_location + t].cpu = ++next[p->nodes[i] - 1];
    }
    free(next);
    free(order);
}

static void
put_label(FILE *out, const hd_defs *defs, uint32_t text)
{
    hd_write_escaped(out, hd_defs_text(defs, text));
    putc('\n', out);
}

static void
write_rows(const paraver *p)
{
    const hd_defs        *defs      = p->export->defs;
    const hd_process_def *processes = hd_defs_processes(defs);
    FILE                 *out       = p->row.stream;
    uint32_t              n_threads = 0, known = 0;

    for (uint32_t i = 0; i < p->n_nodes; i++)
        n_threads += p->cpus[i];
    fprintf(out, "LEVEL CPU SIZE %" PRIu32 "\n", n_threads);
    for (uint32_t i = 0; i < p->n_nodes; i++)
        for (uint32_t c = 0; c < p->cpus[i]; c++)
            fprintf(out, "%" PRIu32 ".%" PRIu32 "\n", i + 1, c + 1);
    fprintf(out, "\nLEVEL NODE SIZE %" PRIu32 "\n", p->n_nodes);
    for (uint32_t i = 0; i < defs->n_processes; i++) /* nodes are numbered as they are met */
        if (p->nodes[i] > known) {
            known = p->nodes[i];
            put_label(out, defs, processes[i].node != HD_NONE ? hd_defs_nodes(defs)[processes[i].node].name :
                                                                processes[i].name);
        }
    fprintf(out, "\nLEVEL TASK SIZE %" PRIu32 "\n", p->n_tasks);
    for (uint32_t i = 0; i < defs->n_processes; i++)
        if (p->nodes[i] > 0)
            put_label(out, defs, processes[i].name);
    fprintf(out, "\nLEVEL THREAD SIZE %" PRIu32 "\n", n_threads);
    for (uint32_t i = 0; i < defs->n_locations; i++)
        if (p->places[i].task > 0)
            fprintf(out, "THREAD 1.%" PRIu32 ".%" PRIu32 "\n", p->places[i].task, p->places[i].thread);
}

/* The date is that of the archive, so that the same export has the same bytes. */
static void
write_header(const paraver *p)
{
    const hd_process_def *processes = hd_defs_processes(p->export->defs);
    FILE                 *out       = p->prv.stream;
    struct stat           anchor;
    struct tm             date = { .tm_year = 100, .tm_mday = 1 };
    char                  text[64];
    const char           *between = "";

    if (stat(p->export->anchor, &anchor) == 0)
        gmtime_r(&anchor.st_mtime, &date);
    strftime(text, sizeof text, "%d/%m/%Y at %H:%M", &date);
    fprintf(out, "#Paraver (%s):%" PRIu64 "_ns:%" PRIu32 "(", text, nanoseconds(p, p->export->end), p->n_nodes);
    for (uint32_t i = 0; i < p->n_nodes; i++)
        fprintf(out, "%s%" PRIu32, i > 0 ? "," : "", p->cpus[i]);
    fprintf(out, "):1:%" PRIu32 "(", p->n_tasks);
    for (uint32_t i = 0; i < p->export->defs->n_processes; i++)
        if (p->nodes[i] > 0) {
            fprintf(out, "%s%" PRIu32 ":%" PRIu32, between, processes[i].n_locations, p->nodes[i]);
            between = ",";
        }
    fputs(")\n", out);
}

static void
paraver_begin(void *state, const hd_export *export)
{
    const hd_defs *defs = export->defs;
    paraver       *p    = state;

    p->export  = export;
    p->labels  = HD_NEW_ARRAY(hd_paraver_label, (size_t)defs->n_regions + 1);
    p->is_used = HD_NEW_ARRAY(bool, (size_t)defs->n_regions + 1);
    p->places  = HD_NEW_ARRAY(place, (size_t)defs->n_locations + 1);
    p->nodes   = HD_NEW_ARRAY(uint32_t, (size_t)defs->n_processes + 1);
    p->cpus    = HD_NEW_ARRAY(uint32_t, (size_t)defs->n_nodes + 2);
    for (uint32_t i = 0; i < defs->n_regions; i++)
        p->labels[i] = hd_paraver_label_of(defs, i);
    place_locations(p);
    write_rows(p);
    write_header(p);
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

/* A message begins with the call that sends, which may be earlier than records that stand before it. */
static void
put_record(paraver *p, record put)
{
    size_t at;

    HD_SCRATCH_PUSH(p->export->scratch, p->records, p->n, p->capacity, put);
    for (at = p->n - 1; at > p->places[p->location].first && p->records[at - 1].time > put.time; at--) {
        p->records[at] = p->records[at - 1];
        p->state       = p->state == at - 1 ? at : p->state;
    }
    p->records[at] = put;
}

static void
end_state(paraver *p, hd_time time)
{
    if (p->state == SIZE_MAX)
        return;
    p->records[p->state].a = time;
    p->state               = SIZE_MAX;
}

/* What the location does from now on. */
static void
change_state(paraver *p, hd_time time)
{
    uint32_t what = p->depth > 0 ? p->stack[p->depth - 1] : HD_NONE;

    if (p->state != SIZE_MAX && p->records[p->state].b == what)
        return;
    end_state(p, time);
    if (what == HD_NONE)
        return;
    put_record(p, (record){ .time = time, .a = time, .b = what, .kind = STATE });
    p->state = p->n - 1;
}

static void
paraver_begin_location(void *state, uint32_t location)
{
    paraver *p = state;

    p->location               = location;
    p->places[location].first = p->n;
    p->state                  = SIZE_MAX;
    p->depth                  = 0;
}

static void
paraver_enter(void *state, hd_time time, uint32_t region, bool is_continued)
{
    paraver                *p     = state;
    const hd_paraver_label *label = &p->labels[region];

    (void)is_continued;
    p->is_used[region] = true;
    HD_PUSH(p->stack, p->depth, p->capacity_stack, label->state);
    change_state(p, time);
    put_record(p, (record){ .time = time, .a = label->type, .b = label->value, .kind = EVENT });
}

static void
paraver_leave(void *state, hd_time time, uint32_t region, bool is_continued)
{
    paraver *p = state;

    (void)is_continued;
    HD_ASSERT(p->depth > 0);
    p->depth--;
    change_state(p, time);
    put_record(p, (record){ .time = time, .a = p->labels[region].type, .b = 0, .kind = EVENT });
}

static void
paraver_message(void *state, const hd_walk_message *message, uint64_t number)
{
    paraver              *p   = state;
    const hd_message_end *end = hd_message_match_get(p->export->messages, number);

    if (message->is_send && end->partner != UINT64_MAX)
        put_record(p, (record){ .time = hd_time_max(end->begin, p->export->interval.from), .a = number,
                                .b = message->tag, .kind = MESSAGE });
}

static void
paraver_collective(void *state, const hd_walk_collective *collective)
{
    (void)state, (void)collective;
}

static void
paraver_end_location(void *state)
{
    paraver *p = state;

    p->places[p->location].n = p->n - p->places[p->location].first;
}

/* ---- in the order of time ---------------------------------------------------------------------------------------- */

static void
put_place(const paraver *p, uint32_t location)
{
    const place *at = &p->places[location];

    fprintf(p->prv.stream, ":%" PRIu32 ":1:%" PRIu32 ":%" PRIu32, at->cpu, at->task, at->thread);
}

/* Of one end: the time of the call, not before the interval, and that of the record. */
static void
put_end(const paraver *p, const hd_message_end *end)
{
    put_place(p, end->location);
    fprintf(p->prv.stream, ":%" PRIu64 ":%" PRIu64,
            nanoseconds(p, hd_time_max(end->begin, p->export->interval.from)), nanoseconds(p, end->time));
}

static void
write_record(const paraver *p, uint32_t location, const record *r)
{
    FILE *out = p->prv.stream;

    if (r->kind == STATE && r->a == r->time)
        return;
    if (r->kind == MESSAGE) {
        const hd_message_end *send = hd_message_match_get(p->export->messages, r->a);

        putc('3', out);
        put_end(p, send);
        put_end(p, hd_message_match_get(p->export->messages, send->partner));
        fprintf(out, ":%" PRIu64 ":%" PRIu64 "\n", send->bytes, r->b);
        return;
    }
    putc(r->kind == STATE ? '1' : '2', out);
    put_place(p, location);
    fprintf(out, ":%" PRIu64 ":%" PRIu64 ":%" PRIu64 "\n", nanoseconds(p, r->time),
            r->kind == STATE ? nanoseconds(p, r->a) : r->a, r->b);
}

/* Whether the next record of a comes before that of b. */
static bool
is_before(const paraver *p, const uint64_t *next, uint32_t a, uint32_t b)
{
    hd_time time_a = p->records[next[a]].time, time_b = p->records[next[b]].time;

    return time_a != time_b ? time_a < time_b : a < b;
}

static void
sink_down(const paraver *p, const uint64_t *next, uint32_t *heap, size_t n, size_t at)
{
    for (size_t below; (below = 2 * at + 1) < n; at = below) {
        uint32_t moved;

        if (below + 1 < n && is_before(p, next, heap[below + 1], heap[below]))
            below++;
        if (!is_before(p, next, heap[below], heap[at]))
            return;
        moved       = heap[at];
        heap[at]    = heap[below];
        heap[below] = moved;
    }
}

static void
write_records(const paraver *p)
{
    uint32_t  n_locations = p->export->defs->n_locations;
    uint32_t *heap        = HD_NEW_ARRAY(uint32_t, (size_t)n_locations + 1);
    uint64_t *next        = HD_NEW_ARRAY(uint64_t, (size_t)n_locations + 1);
    size_t    n           = 0;

    for (uint32_t i = 0; i < n_locations; i++)
        if (p->places[i].n > 0) {
            next[i]   = p->places[i].first;
            heap[n++] = i;
        }
    for (size_t i = n / 2; i > 0; i--)
        sink_down(p, next, heap, n, i - 1);
    while (n > 0) {
        uint32_t first = heap[0];

        write_record(p, first, &p->records[next[first]]);
        if (++next[first] == p->places[first].first + p->places[first].n)
            heap[0] = heap[--n];
        sink_down(p, next, heap, n, 0);
    }
    free(next);
    free(heap);
}

static hd_status
paraver_close(void *state, bool is_done)
{
    paraver  *p = state;
    hd_status status;

    if (is_done) {
        hd_paraver_labels_write(p->pcf.stream, p->export->defs, p->is_used);
        write_records(p);
    }
    status = close_files(p, is_done);
    if (p->export != NULL)
        hd_scratch_free(p->export->scratch, p->records);
    free(p->labels);
    free(p->is_used);
    free(p->places);
    free(p->nodes);
    free(p->cpus);
    free(p->stack);
    free(p);
    return status;
}

const hd_export_format hd_paraver_format =
    { .name = "paraver", .open = paraver_open, .begin = paraver_begin, .begin_location = paraver_begin_location,
      .enter = paraver_enter, .leave = paraver_leave, .message = paraver_message, .collective = paraver_collective,
      .end_location = paraver_end_location, .close = paraver_close };
