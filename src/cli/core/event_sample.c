#include "event_sample.h"

#include <stdlib.h>

#include "loader.h"
#include "memory.h"

enum { MAX_PROCESSES = 8 };

/* Bytes for each, fitted to the peaks of many archives (docs/performance.md#memory). In programs of many processes
 * receives come with messages under way: these are for a process of infinitely many, and half as much with
 * HALF_PROCESSES. */
#define LOG_BYTE 1.40
#define LOCATION 4200.0 /* its time windows, too */
#define CALL_PATH 100.0
#define RECEIVE 10.0
#define RECEIVE_FAR 18.0
#define COLLECTIVE 64.0
#define THREAD_RECORD 22.0
#define HALF_PROCESSES 1000.0

typedef struct size_of_process {
    uint64_t n_events, n_before; /* n_before: of those that come before it */
    uint32_t process;
} size_of_process;

typedef struct part { /* of the processes, ascending by events: first .. end-1 */
    uint32_t first, end, middle;
    uint64_t n_events;
} part;

static int
compare_sizes(const void *left, const void *right)
{
    const size_of_process *a = left, *b = right;

    if (a->n_events != b->n_events)
        return a->n_events < b->n_events ? -1 : 1;
    return a->process < b->process ? -1 : a->process > b->process;
}

/* The processes with events, ascending; their number. */
static uint32_t
sort_processes(const hd_defs *defs, size_of_process *sizes)
{
    const hd_process_def *processes = hd_defs_processes(defs);
    uint32_t              n         = 0;

    for (uint32_t i = 0; i < defs->n_processes; i++)
        if (processes[i].n_events > 0)
            sizes[n++] = (size_of_process){ .n_events = processes[i].n_events, .process = i };
    qsort(sizes, n, sizeof *sizes, compare_sizes);
    for (uint32_t i = 1; i < n; i++)
        sizes[i].n_before = sizes[i - 1].n_before + sizes[i - 1].n_events;
    return n;
}

/* Cuts the processes into at most MAX_PROCESSES parts with as many events each; one with more than that is a part of
 * its own. Returns their number. */
static uint32_t
cut(const size_of_process *sizes, uint32_t n, part *parts)
{
    uint64_t n_events = sizes[n - 1].n_before + sizes[n - 1].n_events;
    uint32_t n_made = 0, first = 0;

    for (uint32_t i = 1; i <= MAX_PROCESSES; i++) {
        uint32_t end = first;

        while (end < n && sizes[end].n_before < n_events / MAX_PROCESSES * i)
            end++;
        end = i == MAX_PROCESSES ? n : end;
        if (end > first)
            parts[n_made++] = (part){ .first = first, .end = end, .middle = first + (end - first) / 2,
                                      .n_events = sizes[end - 1].n_before + sizes[end - 1].n_events -
                                                  sizes[first].n_before };
        first = end;
    }
    return n_made;
}

/* Points of synchronisation and what comes with them. */
static double
bytes_of_points(const hd_loaded_location *location, double far)
{
    double    bytes = THREAD_RECORD * (double)location->more->threads.n_ops;
    hd_cursor cursor;
    hd_op     op;

    hd_cursor_init(&cursor, &location->log);
    while (hd_cursor_call(&cursor))
        while (cursor.n_left > 0) {
            hd_cursor_op(&cursor, &op);
            if (op.kind == HD_OP_RECV && (op.flags & HD_OP_NONBLOCKING) == 0)
                bytes += RECEIVE + far * RECEIVE_FAR;
            else if (op.kind == HD_OP_COLL)
                bytes += COLLECTIVE;
        }
    return bytes;
}

/* The most events that are read of each of its locations. */
static uint64_t
max_events(const hd_defs *defs, uint32_t process)
{
    uint64_t most = HD_EVENT_SAMPLE_EVENTS / MAX_PROCESSES / hd_defs_processes(defs)[process].n_locations;

    return most > 0 ? most : 1;
}

/* What a part takes, of which this process was loaded; 0: nothing of it was there. Where files end early, those of the
 * others are taken to, too. */
static double
bytes_of_part(const hd_trace *trace, const part *p, double far)
{
    const hd_loaded_process *process   = &trace->processes[0];
    double                   of_events = LOG_BYTE * (double)trace->log_bytes, of_process = 0;
    uint64_t                 announced = hd_defs_processes(trace->defs)[process->process.v].n_events;
    bool                     is_all    = true;

    for (uint32_t t = 0; t < process->n_locations; t++) {
        of_events += bytes_of_points(&process->locations[t], far);
        of_process += LOCATION + CALL_PATH * (double)process->locations[t].n_nodes;
        is_all &= process->locations[t].n_events < max_events(trace->defs, process->process.v);
    }
    if (trace->n_events == 0)
        return 0;
    return of_events * (double)p->n_events / (double)(is_all ? announced : trace->n_events) +
           of_process * (p->end - p->first);
}

/* NULL: it cannot be loaded. */
static hd_trace *
load_one(const char *anchor, const hd_defs *defs, uint32_t process)
{
    hd_trace       *trace   = NULL;
    uint32_t        thread  = 0;
    hd_load_request request = { .anchor = anchor, .defs = defs, .processes = &process, .threads = &thread,
                                .n_processes = 1,
                                .n_threads = 1, .n_readers = 1, .intervals = true,
                                .max_events = max_events(defs, process) };

    return hd_trace_load(&request, &trace) == HD_OK ? trace : NULL;
}

uint64_t
hd_event_sample_trace_bytes(const char *anchor, const hd_defs *defs)
{
    size_of_process *sizes = HD_NEW_ARRAY(size_of_process, defs->n_processes);
    part             parts[MAX_PROCESSES];
    uint32_t         n     = sort_processes(defs, sizes), n_parts = n > 0 ? cut(sizes, n, parts) : 0;
    double           far   = defs->n_mpi_processes / (defs->n_mpi_processes + HALF_PROCESSES), bytes = 0, known = 0,
                             all = 0;

    for (uint32_t i = 0; i < n_parts; i++) {
        hd_trace *trace   = load_one(anchor, defs, sizes[parts[i].middle].process);
        double    of_part = trace != NULL ? bytes_of_part(trace, &parts[i], far) : 0;

        bytes += of_part;
        known += of_part > 0 ? (double)parts[i].n_events : 0;
        all += (double)parts[i].n_events;
        hd_trace_free(trace);
    }
    free(sizes);
    bytes = known > 0 ? bytes * all / known : 0; /* where files are missing the others stand for them */
    return bytes < (double)INT64_MAX ? (uint64_t)bytes : INT64_MAX;
}
