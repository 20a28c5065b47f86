#include "plan.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What an analysis takes: a share of the archive's bytes; at least so much for an event, in case files are missing. */
#define TRACE_BYTES_PER_ARCHIVE_BYTE 1.0
#define TRACE_BYTES_PER_EVENT 2.0
/* About what a core of today does, causes and critical path included; and what starting and writing the report take. */
#define EVENTS_PER_SECOND 4e6
#define SECONDS_AT_LEAST 0.3

uint64_t
hd_plan_trace_bytes(const hd_defs *defs)
{
    double by_size   = TRACE_BYTES_PER_ARCHIVE_BYTE * (double)defs->archive_bytes;
    double by_events = TRACE_BYTES_PER_EVENT * (double)defs->n_events;

    return (uint64_t)(by_size > by_events ? by_size : by_events);
}

/* Of each rank, at least one. */
static uint64_t
threads_of(const hd_defs *defs, const hd_plan_request *request, uint32_t ranks_per_node)
{
    uint64_t threads = request->threads > 0 ? request->threads :
                       request->cores_per_node / (ranks_per_node > 0 ? ranks_per_node : 1);

    threads = threads < defs->n_processes ? threads : defs->n_processes;
    return threads > 1 ? threads : 1;
}

/* Threads of a node, of all its ranks, run ahead of each other, so more is pending. */
static double
trace_bytes_of(const hd_defs *defs, const hd_plan_request *request, uint32_t ranks_per_node)
{
    double others = 1 - 1 / ((double)ranks_per_node * (double)threads_of(defs, request, ranks_per_node));

    return (double)(request->trace_bytes > 0 ? request->trace_bytes : hd_plan_trace_bytes(defs)) *
           (1 + HD_PLAN_PENDING_SHARE * others);
}

/* Of each rank, whatever it hosts. */
static uint64_t
rank_bytes_of(const hd_defs *defs, const hd_plan_request *request, uint32_t ranks_per_node)
{
    return (request->rank_bytes > 0 ? request->rank_bytes : HD_PLAN_RANK_BYTES) +
           (threads_of(defs, request, ranks_per_node) - 1) * HD_PLAN_THREAD_BYTES;
}

static uint64_t
divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* The largest that the system can start. */
static uint32_t
allowed_ranks(const hd_plan_request *request, uint32_t wanted)
{
    uint32_t ranks = 1;

    if (request->max_ranks_per_node > 0 && wanted > request->max_ranks_per_node)
        wanted = request->max_ranks_per_node;
    if (!request->is_power_of_two)
        return wanted > 0 ? wanted : 1;
    while (ranks <= wanted / 2)
        ranks *= 2;
    return ranks;
}

/* The same of the ranks of a run: one that is alone needs no MPI. */
static uint64_t
rank_bytes_in(const hd_defs *defs, const hd_plan_request *request, uint64_t nodes, uint32_t ranks_per_node)
{
    uint64_t bytes = rank_bytes_of(defs, request, ranks_per_node);

    return nodes * ranks_per_node > 1 || request->rank_bytes > 0 ? bytes :
           bytes - HD_PLAN_RANK_BYTES + HD_PLAN_ALONE_BYTES;
}

/* Bytes of a node's share of the work. */
static double
bytes_of_node(const hd_defs *defs, const hd_plan_request *request, uint64_t nodes, uint32_t ranks_per_node)
{
    return (double)defs->bytes +
           (double)ranks_per_node * (double)rank_bytes_in(defs, request, nodes, ranks_per_node) +
           trace_bytes_of(defs, request, ranks_per_node) / (double)nodes;
}

/* The fewest nodes with that many ranks on each; 0: their ranks alone are too large. */
static uint64_t
fewest_nodes(const hd_defs *defs, const hd_plan_request *request, uint32_t ranks_per_node)
{
    double   room  = HD_PLAN_USABLE * (double)request->memory_per_node;
    double   left  = room - (double)defs->bytes -
                     (double)ranks_per_node * (double)rank_bytes_of(defs, request, ranks_per_node);
    uint64_t nodes, by_traces = 1;

    if (left <= 0)
        return 0;
    nodes = (uint64_t)(trace_bytes_of(defs, request, ranks_per_node) / left) + 1;
    if (request->traces_per_rank > 0)
        by_traces = divide_up(defs->n_processes, (uint64_t)request->traces_per_rank * ranks_per_node);
    return nodes > by_traces ? nodes : by_traces;
}

uint32_t
hd_plan_max_nodes(const hd_defs *defs, const hd_plan_request *request)
{
    uint64_t per_node = request->cores_per_node;

    if (request->ranks_per_node > 0 && request->threads > 0 &&
        (uint64_t)request->ranks_per_node * request->threads < per_node)
        per_node = (uint64_t)request->ranks_per_node * request->threads;
    return (uint32_t)divide_up(defs->n_processes, per_node);
}

static hd_status
too_small(const hd_defs *defs, const hd_plan_request *request)
{
    double needed = ((double)defs->bytes + 2 * (double)rank_bytes_of(defs, request, 1)) / HD_PLAN_USABLE;

    hd_fail(HD_ESIZE, "a node's memory of %.0f MiB is too small for one analysis rank and the definitions of the "
            "archive", (double)request->memory_per_node / (1 << 20));
    hd_fail_detail("try", "nodes with at least %.0f MiB", needed / (1 << 20) + 1);
    return HD_ESIZE;
}

static bool
fits(uint64_t fewest, uint64_t nodes)
{
    return fewest > 0 && fewest <= nodes;
}

/* Ranks on a node: as asked for; else the most with which the nodes asked for will do, or the fewest nodes; and not so
 * many that some would have no process. */
static uint32_t
choose_ranks(const hd_defs *defs, const hd_plan_request *request)
{
    uint32_t best  = allowed_ranks(request, (uint32_t)divide_up(request->cores_per_node, HD_PLAN_THREADS));
    uint64_t nodes = request->nodes > 0 ? request->nodes : UINT64_MAX;

    if (request->ranks_per_node > 0)
        return request->ranks_per_node;
    for (uint32_t ranks = best; ranks > 0 && request->nodes == 0; ranks /= 2)
        if (fits(fewest_nodes(defs, request, ranks), nodes))
            nodes = fewest_nodes(defs, request, ranks);
    while (best > 1 && !fits(fewest_nodes(defs, request, best), nodes))
        best /= 2;
    while (best > 1 && nodes * best > defs->n_processes && fits(fewest_nodes(defs, request, best / 2), nodes))
        best /= 2;
    return best;
}

static hd_status
check_request(const hd_plan_request *request, uint32_t per_node)
{
    uint64_t most = request->max_threads_per_node > 0 ? request->max_threads_per_node : request->cores_per_node;

    if (per_node != allowed_ranks(request, per_node))
        return hd_fail(HD_ESIZE, "this system cannot start %" PRIu32 " ranks on a node; %" PRIu32 " can be", per_node,
                       allowed_ranks(request, per_node));
    if ((uint64_t)per_node * (request->threads > 0 ? request->threads : 1) > most)
        return hd_fail(HD_ESIZE, "%" PRIu32 " ranks of %" PRIu32 " threads are more than the %" PRIu64
                       " cores of a node", per_node, request->threads > 0 ? request->threads : 1, most);
    return HD_OK;
}

static hd_status
too_few(uint64_t nodes, uint32_t per_node, uint64_t fewest)
{
    hd_fail(HD_ESIZE, "%" PRIu64 " node%s with %" PRIu32 " rank%s each %s too few for this archive", nodes,
            nodes == 1 ? "" : "s", per_node, per_node == 1 ? "" : "s", nodes == 1 ? "is" : "are");
    hd_fail_detail("try", "%" PRIu64 " nodes, or more memory, or more traces per rank", fewest);
    return HD_ESIZE;
}

hd_status
hd_plan_make(const hd_defs *defs, const hd_plan_request *request, hd_plan *plan)
{
    uint32_t  per_node = choose_ranks(defs, request);
    hd_status status   = check_request(request, per_node);
    uint64_t  fewest, nodes, busy;

    if (status != HD_OK)
        return status;
    fewest = fewest_nodes(defs, request, per_node);
    if (fewest == 0)
        return too_small(defs, request);
    nodes = request->nodes > 0 ? request->nodes : fewest;
    if (nodes > UINT32_MAX / per_node)
        return hd_fail(HD_ESIZE, "%" PRIu64 " nodes with %" PRIu32 " ranks each are more than can be numbered", nodes,
                       per_node);
    if (nodes < fewest)
        return too_few(nodes, per_node, fewest);
    *plan = (hd_plan){ .nodes = (uint32_t)nodes, .ranks_per_node = per_node, .ranks = (uint32_t)(nodes * per_node) };
    plan->traces_per_rank = (uint32_t)divide_up(defs->n_processes, plan->ranks);
    plan->threads         = request->threads > 0 ? request->threads : request->cores_per_node / per_node;
    if (request->threads == 0 && plan->threads > plan->traces_per_rank)
        plan->threads = plan->traces_per_rank;
    if (plan->threads == 0)
        plan->threads = 1;
    busy = (uint64_t)plan->ranks * plan->threads;
    busy = busy < defs->n_processes ? busy : defs->n_processes;
    plan->bytes_per_node = (uint64_t)bytes_of_node(defs, request, nodes, per_node);
    plan->bytes_per_rank = rank_bytes_in(defs, request, nodes, per_node) + defs->bytes / per_node +
                           (uint64_t)trace_bytes_of(defs, request, per_node) / plan->ranks;
    plan->seconds        = SECONDS_AT_LEAST +
                           (double)defs->n_events / EVENTS_PER_SECOND / (double)(busy > 0 ? busy : 1);
    return HD_OK;
}

uint32_t
hd_plan_more_nodes(uint32_t nodes, uint32_t most)
{
    return nodes > most / 2 ? most : 2 * nodes;
}

hd_status
hd_plan_recommend(const hd_defs *defs, const hd_plan_request *request, hd_plan *plan)
{
    hd_plan_request with_nodes = *request;
    hd_status       status     = hd_plan_make(defs, request, plan);
    uint32_t        most       = status == HD_OK ? hd_plan_max_nodes(defs, request) : 0;

    while (status == HD_OK && plan->seconds > HD_PLAN_SHORT_SECONDS && plan->nodes < most) {
        with_nodes.nodes = hd_plan_more_nodes(plan->nodes, most);
        status           = hd_plan_make(defs, &with_nodes, plan);
    }
    return status;
}

const char *
hd_plan_seconds(char text[32], double seconds)
{
    if (seconds < 1)
        return strcpy(text, "under 1");
    snprintf(text, 32, "%.0f", seconds);
    return text;
}

hd_plan_request
hd_plan_this_node(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE), cores = sysconf(_SC_NPROCESSORS_ONLN);

    return (hd_plan_request){ .memory_per_node = pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes :
                              UINT64_C(1) << 34, .cores_per_node = cores > 0 ? (uint32_t)cores : 1 };
}

void
hd_plan_put(hd_json *json, const char *key, const hd_plan *plan)
{
    hd_json_object(json, key);
    hd_json_count(json, "nodes", plan->nodes);
    hd_json_count(json, "ranks_per_node", plan->ranks_per_node);
    hd_json_count(json, "ranks", plan->ranks);
    hd_json_count(json, "threads", plan->threads);
    hd_json_count(json, "traces_per_rank", plan->traces_per_rank);
    hd_json_count(json, "bytes_per_rank", plan->bytes_per_rank);
    hd_json_count(json, "bytes_per_node", plan->bytes_per_node);
    hd_json_number(json, "seconds", plan->seconds);
    hd_json_end(json);
}

void
hd_plan_put_node(hd_json *json, const hd_plan_request *request)
{
    hd_json_object(json, "node");
    hd_json_count(json, "cores", request->cores_per_node);
    hd_json_count(json, "memory_bytes", request->memory_per_node);
    hd_json_end(json);
}
