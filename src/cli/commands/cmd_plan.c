/* heddle plan: how many nodes an analysis needs, and how many make it fast. */
#include <stdio.h>
#include <stdlib.h>

#include "archive.h"
#include "commands.h"
#include "defs_read.h"
#include "json_document.h"
#include "memory.h"
#include "message.h"
#include "plan.h"
#include "terminal.h"
#include "event_sample.h"

typedef struct hd_plan_options {
    bool        help, json;
    const char *archive;
    uint64_t    memory_per_node, mpi_memory;
    uint32_t    cores_per_node, nodes, ranks_per_node, threads, traces_per_rank, max_nodes;
} hd_plan_options;

#define FIELD(field) offsetof(hd_plan_options, field)
static const hd_option plan_options[] = {
    { "memory-per-node", 0, HD_BYTES, "(that of this one)", "SIZE", "memory of a node, such as 64G",
      FIELD(memory_per_node) },
    { "cores-per-node", 0, HD_COUNT, "(those of this one)", "N", "cores of a node", FIELD(cores_per_node) },
    { "mpi-memory", 0, HD_BYTES, "(16M with Open MPI, 21M with MPICH)", "SIZE",
      "what the MPI library takes on each rank", FIELD(mpi_memory) },
    { "nodes", 0, HD_COUNT, "(any)", "N", "plan for this number of nodes only", FIELD(nodes) },
    { "max-nodes", 0, HD_COUNT, "(as many as have a process for each core)", "N", "limit on nodes", FIELD(max_nodes) },
    { "ranks-per-node", 0, HD_COUNT, "(one for every 8 cores)", "N", "analysis ranks on a node",
      FIELD(ranks_per_node) },
    { "threads", 't', HD_THREADS, "(one for each core)", "N", "replay threads of a rank", FIELD(threads) },
    { "traces-per-rank", 0, HD_COUNT, "(no limit)", "N", "limit on processes of the program per analysis rank",
        FIELD(traces_per_rank) },
    { "json", 0, HD_FLAG, NULL, NULL, HD_JSON_HELP, FIELD(json) },
    HD_OPTION_HELP,
};

/* ---- which plans ------------------------------------------------------------------------------------------------- */

typedef struct plan_list {
    hd_plan *plans; /* [n] from the smallest number of nodes to the largest that helps */
    size_t   n, capacity;
    bool     is_any; /* no number of nodes was asked for: the first is the smallest, the last the fastest */
} plan_list;

/* From the smallest number of nodes on, twice as many each time, to the most that help. */
static hd_status
add_plans(const hd_defs *defs, hd_plan_request *request, const hd_plan *first, uint32_t most, plan_list *list)
{
    hd_plan   plan   = *first;
    hd_status status = HD_OK;

    list->is_any = request->nodes == 0;
    HD_PUSH(list->plans, list->n, list->capacity, plan);
    while (list->is_any && plan.nodes < most && status == HD_OK) {
        request->nodes = hd_plan_more_nodes(plan.nodes, most);
        status         = hd_plan_make(defs, request, &plan);
        if (status == HD_OK)
            HD_PUSH(list->plans, list->n, list->capacity, plan);
    }
    return status;
}

static hd_status
make_plans(const hd_plan_options *options, const hd_defs *defs, hd_plan_request *request, plan_list *list)
{
    hd_plan   plan;
    hd_status status = hd_plan_make(defs, request, &plan);
    uint32_t  most;

    if (status != HD_OK)
        return status;
    most = hd_plan_max_nodes(defs, request);
    most = options->max_nodes > 0 && options->max_nodes < most ? options->max_nodes : most;
    if (options->max_nodes > 0 && options->nodes > options->max_nodes)
        return hd_fail(HD_EUSAGE, "--nodes is more than --max-nodes");
    if (options->max_nodes > 0 && plan.nodes > options->max_nodes)
        return hd_fail(HD_ESIZE, "the archive needs %" PRIu32 " such nodes, more than --max-nodes", plan.nodes);
    return add_plans(defs, request, &plan, most, list);
}

static bool
is_smallest(const plan_list *list, size_t i)
{
    return list->is_any && i == 0;
}

static bool
is_fastest(const plan_list *list, size_t i)
{
    return list->is_any && i + 1 == list->n;
}

/* The same as hd_plan_recommend(), among these. */
static size_t
recommended(const plan_list *list)
{
    size_t i = 0;

    while (i + 1 < list->n && list->plans[i].seconds > HD_PLAN_SHORT_SECONDS)
        i++;
    return i;
}

/* ---- output ------------------------------------------------------------------------------------------------------ */

static void
print_plans(const plan_list *list)
{
    printf("%5s %10s %6s %7s %6s %11s %11s %7s\n", "nodes", "ranks/node", "ranks", "threads", "traces", "memory/rank",
           "memory/node", "seconds");
    for (size_t i = 0; i < list->n; i++) {
        const hd_plan *plan = &list->plans[i];
        char           rank[28], node[28], seconds[32];
        const char    *mark = is_fastest(list, i) ? "  fastest" : is_smallest(list, i) ? "  smallest" : "";

        printf("%5" PRIu32 " %10" PRIu32 " %6" PRIu32 " %7" PRIu32 " %6" PRIu32 " %11s %11s %7s%s\n", plan->nodes,
               plan->ranks_per_node, plan->ranks, plan->threads, plan->traces_per_rank,
               hd_message_size(rank, plan->bytes_per_rank), hd_message_size(node, plan->bytes_per_node),
               hd_plan_seconds(seconds, plan->seconds), mark);
    }
}

/* Which row, and why. */
static void
print_recommended(const plan_list *list)
{
    size_t         i    = recommended(list);
    const hd_plan *plan = &list->plans[i];
    char           seconds[32], *text;
    const char    *why  = "the fewest that need less than 10 minutes";

    if (i + 1 == list->n && plan->seconds > HD_PLAN_SHORT_SECONDS)
        why = "the fastest, as fewer need more than 10 minutes";
    else if (i == 0)
        why = "the fewest that have enough memory";
    hd_plan_seconds(seconds, plan->seconds);
    text = hd_format("recommended: %" PRIu32 " node%s, %" PRIu32 " rank%s on each, %" PRIu32 " thread%s: %s; %s%s second%s",
                     plan->nodes, plan->nodes == 1 ? "" : "s", plan->ranks_per_node,
                     plan->ranks_per_node == 1 ? "" : "s", plan->threads, plan->threads == 1 ? "" : "s", why,
                     plan->seconds < 1 ? "" : "about ", seconds, plan->seconds < 1.5 ? "" : "s");
    putchar('\n');
    hd_options_wrapped(stdout, text, hd_terminal_help_width(), 0, 0);
    free(text);
}

static hd_status
write_json(const plan_list *list, const char *anchor, const hd_plan_request *request)
{
    hd_json json;

    hd_json_document_begin(&json, stdout, "plan");
    hd_json_text(&json, "archive", anchor);
    hd_plan_put_node(&json, request);
    hd_json_index(&json, "smallest", list->is_any ? 0 : HD_NONE);
    hd_json_index(&json, "fastest", list->is_any ? (uint32_t)(list->n - 1) : HD_NONE);
    hd_json_index(&json, "recommended", list->is_any ? (uint32_t)recommended(list) : HD_NONE);
    hd_json_array(&json, "plans");
    for (size_t i = 0; i < list->n; i++)
        hd_plan_put(&json, NULL, &list->plans[i]);
    hd_json_end(&json);
    return hd_json_document_end(&json);
}

static void
take_request(const hd_plan_options *options, hd_plan_request *request)
{
    request->memory_per_node = options->memory_per_node > 0 ? options->memory_per_node : request->memory_per_node;
    request->cores_per_node  = options->cores_per_node > 0 ? options->cores_per_node : request->cores_per_node;
    request->rank_bytes      = options->mpi_memory;
    request->nodes           = options->nodes;
    request->ranks_per_node  = options->ranks_per_node;
    request->threads         = options->threads;
    request->traces_per_rank = options->traces_per_rank;
}

static hd_status
plan_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_plan_options *options = options_;
    hd_plan_request        request = hd_plan_this_node();
    char                  *anchor  = NULL;
    hd_defs               *defs    = NULL;
    plan_list              list    = { 0 };
    hd_status              status  = hd_archive_find(options->archive, &anchor);

    (void)analysis_comm;
    *exit_code = HD_EXIT_OK;
    if (status == HD_OK)
        status = hd_defs_read(anchor, &defs);
    if (status == HD_OK) {
        take_request(options, &request);
        request.trace_bytes = hd_event_sample_trace_bytes(anchor, defs);
        if (request.trace_bytes == 0 && defs->n_events > 0)
            fprintf(stderr, "heddle: warning: no event files can be read, so memory is usually an upper limit\n");
        status = make_plans(options, defs, &request, &list);
    }
    if (status == HD_OK && options->json)
        status = write_json(&list, anchor, &request);
    else if (status == HD_OK) {
        print_plans(&list);
        if (list.is_any)
            print_recommended(&list);
    }
    free(list.plans);
    free(defs);
    free(anchor);
    return status;
}

const hd_command hd_cmd_plan = {
    .name           = "plan",
    .operand        = "ARCHIVE",
    .operand_offset = offsetof(hd_plan_options, archive),
    .former_letters = "m=memory-per-node c=cores-per-node N=nodes r=ranks-per-node n=traces-per-rank",
    .what           = "estimate how many nodes an analysis needs, and how many make it fast",
    .text           = "Prints, from the smallest number of nodes on which the archive can be analysed to the largest "
                      "that helps: ranks per node, ranks, replay threads of each, processes of the program that a "
                      "rank hosts at most (traces), memory, and about how many seconds it takes. The recommended row "
                      "is the one with the fewest nodes that need at most 10 minutes, or the fastest. The definitions "
                      "and a sample of the event files are read: of a few processes, 8 million events at most, of "
                      "long locations the first ones. Where the MPI library takes more of each rank than the default, "
                      "as it does with many ranks on a fast network, say so with --mpi-memory (heddle analyze "
                      "--verbose prints it for all ranks together: memory_start_bytes).",
    .example        = "heddle plan traces.otf2 --memory-per-node 64G --cores-per-node 48\tfor another machine\n"
                      "heddle plan traces.otf2 --nodes 4\twhat four nodes would do\n"
                      "heddle plan traces.otf2 --json\tfor a script",
    .options        = plan_options,
    .n_options      = sizeof plan_options / sizeof *plan_options,
    .bytes          = sizeof(hd_plan_options),
    .run            = plan_run,
};
