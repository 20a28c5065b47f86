/* src/cli/commands/analyze/phase_prepare.c: opens the archive and decides which rank and thread does what. */
#include "analyze.h"

#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "core_count.h"
#include "defs_demangle.h"
#include "defs_read.h"
#include "memory.h"
#include "message.h"
#include "page_writer.h"
#include "same_file.h"

hd_status
hd_analyze_find_archive(hd_analyze *run)
{
    uint64_t  n_failed[1];
    hd_status status = hd_archive_find(run->options->archive, &run->anchor);

    n_failed[0] = status != HD_OK;
    hd_analysis_comm_reduce(run->analysis_comm, n_failed, 1, HD_SUM);
    if (status != HD_OK && n_failed[0] < hd_analysis_comm_size(run->analysis_comm))
        hd_fail_detail("node", "%s, rank %" PRIu32, hd_analysis_comm_node_name(run->analysis_comm), hd_analysis_comm_rank(run->analysis_comm).v);
    return hd_agree(run->analysis_comm, status);
}

hd_status
hd_analyze_read_definitions(hd_analyze *run)
{
    hd_defs  *defs   = NULL;
    size_t    bytes  = 0;
    hd_status status = HD_OK;

    if (run->is_rank0)
        status = hd_defs_read_for_clusters(run->anchor, run->options->cluster <= HD_DEFS_CLUSTERS ? run->options->cluster : 0, &defs);
    if (status == HD_OK && defs != NULL && defs->n_events > 0)
        status = hd_archive_check_events(run->anchor);
    if (defs != NULL && !run->options->no_demangle && run->options->compat == 0)
        defs = hd_defs_demangle(defs);
    status = hd_agree(run->analysis_comm, status);
    if (status == HD_OK) {
        bytes     = defs != NULL ? (size_t)defs->bytes : 0;
        run->defs = hd_analysis_comm_share(run->analysis_comm, defs, &bytes);
    }
    free(defs);
    return status;
}

/* A name that is misspelt would be noticed by nothing else. */
static void
warn_of_formulas(const hd_analyze *run)
{
    char *lacking = run->is_rank0 && run->options->derived != NULL && run->options->compat == 0 ?
                    hd_derived_counters_lacking(run->derived, run->defs) : NULL;

    if (lacking != NULL) {
        fputs("heddle: warning: formulas have counters that the archive lacks: the report does not have them\n  metrics:  ",
              stderr);
        hd_message_escaped(stderr, lacking, false);
        fputs("\n  file:     ", stderr);
        hd_message_escaped(stderr, run->options->derived, false);
        fputc('\n', stderr);
    }
    free(lacking);
}

static bool
is_input(const hd_analyze_options *options, const char *path)
{
    bool is_one = hd_choice_reads(options->topology, path) ||
                  (options->derived != NULL && hd_is_same_file(options->derived, path));

    for (size_t i = 0; i < options->simulate.n; i++)
        is_one |= hd_is_same_file(options->simulate.text[i], path);
    return is_one;
}

/* Whatever --force says, the report, the files beside it and the page replace nothing that is read. */
static hd_status
spare_inputs(const hd_analyze *run)
{
    const char *paths[HD_N_SIDE_FILES + 2] = { hd_output_path(run->output), run->page };

    for (size_t i = 0; i < HD_N_SIDE_FILES; i++)
        paths[2 + i] = hd_output_side_path(run->output, (hd_side_file)i);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (paths[i] != NULL && is_input(run->options, paths[i]))
            return hd_fail(HD_EUSAGE, "\"%s\" is read, and is not replaced", paths[i]);
    return HD_OK;
}

hd_status
hd_analyze_open(hd_analyze *run)
{
    hd_status status = hd_analyze_find_archive(run);

    if (status == HD_OK)
        status = hd_agree(run->analysis_comm,
                          run->is_rank0 ? hd_derived_counters_read(run->options->derived, &run->derived) : HD_OK);
    if (status != HD_OK)
        return status;
    status = hd_output_open(run->analysis_comm,
        &(hd_output_request){ .path = run->options->output, .anchor = run->anchor, .force = run->options->force,
                              .has_stat = hd_analyze_wants_statistics(run) },
                            &run->output);
    if (status != HD_OK)
        return status;
    hd_analyze_catch_signals(run);
    if (run->options->html) {
        run->page = hd_page_path(hd_output_path(run->output));
        status    = hd_agree(run->analysis_comm, run->is_rank0 ? hd_page_probe(run->page, run->options->force) : HD_OK);
        if (status != HD_OK)
            return status;
    }
    status = hd_agree(run->analysis_comm, run->is_rank0 ? spare_inputs(run) : HD_OK);
    if (status == HD_OK)
        status = hd_analyze_read_definitions(run);
    if (status == HD_OK)
        warn_of_formulas(run);
    if (status == HD_OK && run->options->compat == 0)
        status = hd_compared_counters_choose(run->defs, run->options->counters, &run->compared);
    return status;
}

static hd_status
place_processes(hd_analyze *run)
{
    const hd_process_def *processes = hd_defs_processes(run->defs);
    uint64_t             *weights   = HD_NEW_ARRAY(uint64_t, run->defs->n_processes);
    uint32_t             *nodes     = hd_machine_nodes(run->defs);
    uint32_t              n_ranks   = hd_analysis_comm_size(run->analysis_comm);
    hd_status             status;

    run->n_threads = run->options->threads != 0 ? run->options->threads : hd_core_count_threads(run->analysis_comm);
    for (uint32_t i = 0; i < run->defs->n_processes; i++) {
        weights[i] = processes[i].n_events;
        nodes[i]   = nodes[i] != HD_NONE ? nodes[i] : processes[i].node;
    }
    status = hd_placement_new(&(hd_placement_request){ .weights = weights, .nodes = nodes,
                                  .n_processes = run->defs->n_processes, .n_ranks = n_ranks, .n_threads = run->n_threads,
                                  .traces_per_rank = run->options->traces_per_rank,
                                  .policy = (hd_placement_policy)run->options->placement },
                              &run->placement);
    free(weights);
    free(nodes);
    if (status != HD_OK)
        hd_fail_detail("archive", "\"%s\" (%" PRIu32 " processes, %" PRIu32 " locations)", run->anchor, run->defs->n_processes,
                       run->defs->n_locations);
    status = hd_agree(run->analysis_comm, status);
    if (status != HD_OK)
        return status;
    run->processes = hd_placement_of_rank(run->placement, hd_analysis_comm_rank(run->analysis_comm), &run->n_processes);
    run->threads   = HD_NEW_ARRAY(uint32_t, run->n_processes);
    for (uint32_t i = 0; i < run->n_processes; i++)
        run->threads[i] = hd_placement_worker(run->placement, (hd_process){ run->processes[i] }) % run->n_threads;
    if (run->is_rank0 && n_ranks > run->defs->n_processes)
        fprintf(stderr, "heddle: warning: %" PRIu32 " of %" PRIu32 " analysis ranks are idle (more ranks than processes)\n  archive:  %" PRIu32
                        " process%s\n", n_ranks - run->defs->n_processes, n_ranks, run->defs->n_processes,
                run->defs->n_processes == 1 ? "" : "es");
    return HD_OK;
}

/* Ranks of this node that host processes. Surplus ranks are the last ones, so they change nobody's position. */
static uint32_t
hosting_on_node(hd_analyze *run)
{
    uint32_t  node    = hd_analysis_comm_node(run->analysis_comm);
    uint64_t  n_nodes = (uint64_t)node + 1, *hosting, n;

    hd_analysis_comm_reduce(run->analysis_comm, &n_nodes, 1, HD_MAX);
    hosting       = HD_NEW_ARRAY(uint64_t, n_nodes);
    hosting[node] = run->n_processes > 0;
    hd_analysis_comm_reduce(run->analysis_comm, hosting, n_nodes, HD_SUM);
    n = hosting[node];
    free(hosting);
    return (uint32_t)n;
}

static hd_status
bind(hd_analyze *run)
{
    uint32_t           node_size      = hosting_on_node(run);
    uint64_t           oversubscribed = 0;
    hd_binding_request request        = { .policy = (hd_bind_policy)run->options->bind, .n_threads = run->n_threads,
                      .node_rank = hd_analysis_comm_node_rank(run->analysis_comm), .node_size = node_size };
    hd_status          status         = HD_OK;

    if (run->n_processes > 0)
        status = hd_binding_plan(&request, &run->binding);
    status = hd_agree(run->analysis_comm, status);
    if (status != HD_OK)
        return status;
    if (run->binding != NULL)
        oversubscribed = hd_binding_oversubscribed(run->binding);
    hd_analysis_comm_reduce(run->analysis_comm, &oversubscribed, 1, HD_OR);
    run->yield = oversubscribed != 0;
    if (run->is_rank0 && oversubscribed && !run->options->quiet)
        fprintf(stderr, "heddle: warning: more replay threads than cores; waiting threads yield their core\n");
    return HD_OK;
}

void
hd_analyze_bind_thread(void *context, uint32_t thread)
{
    const hd_analyze *run = context;

    if (run->binding != NULL)
        hd_binding_apply(run->binding, thread);
}

/* A grid that was asked for may be larger than the program: it is rarely meant. */
static void
warn_of_free_places(const hd_cartesian *grid, uint32_t n_processes)
{
    uint64_t n_places = 1;
    char     places[32], processes[32];

    for (uint32_t i = 0; i < grid->n_dimensions; i++)
        n_places *= grid->sizes[i];
    if (grid->is_recorded || n_places <= n_processes)
        return;
    fputs("heddle: warning: ", stderr);
    hd_message_escaped(stderr, grid->name, false);
    fprintf(stderr, " has %s places, the program %s process%s: the last places stay empty\n",
            hd_message_number(places, n_places), hd_message_number(processes, n_processes),
            n_processes == 1 ? "" : "es");
}

static hd_status
choose_topology(hd_analyze *run)
{
    const char *name = run->options->topology;

    if (run->options->compat == 0) {
        hd_status status = hd_choice_make(run->analysis_comm, run->defs, name, &run->topology);

        if (status == HD_OK && run->topology.cartesian != NULL && run->is_rank0 && name != NULL &&
            (strncmp(name, "grid:", 5) == 0 || strncmp(name, "torus:", 6) == 0))
            warn_of_free_places(run->topology.cartesian, run->defs->n_mpi_processes);
        if (status == HD_OK && run->topology.cartesian != NULL)
            run->hop_tables = hd_hop_tables_new(run->defs, run->topology.cartesian);
        return status;
    }
    if (name == NULL || strcmp(name, "none") == 0)
        return HD_OK;
    hd_fail(HD_EUSAGE, "--topology and --compat=scout26 exclude each other: that analyser does not look at messages on topologies");
    hd_fail_detail("try", "--topology=none");
    return HD_EUSAGE;
}

hd_status
hd_analyze_prepare(hd_analyze *run)
{
    hd_status status = hd_analyze_choose_interval(run);

    if (status == HD_OK)
        status = hd_analyze_choose_iterations(run);
    if (status == HD_OK)
        status = place_processes(run);
    if (status == HD_OK)
        status = choose_topology(run);
    if (status == HD_OK)
        status = bind(run);
    if (status == HD_OK)
        hd_analyze_print_placement(run);
    return status;
}
