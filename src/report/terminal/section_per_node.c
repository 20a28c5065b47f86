/* src/report/terminal/section_per_node.c: the section "Per node": computation, MPI and waiting time of each node. */
#include "section_per_node.h"

#include "division.h"
#include "escape.h"
#include "memory.h"
#include "summary_sections.h"
#include "time_text.h"

enum { N_NODES = 10 /* to name at least */, NUMBER = 13, SHARE = 11 /* columns */ };
enum { TIME, COMPUTATION, MPI, WAITING, N_TIMES };

/* ---- times ------------------------------------------------------------------------------------------------------- */

/* sums: [division->n], added to. metric: HD_NONE: the report does not have it. */
static hd_status
add_metric(hd_summary_page *page, const hd_division *division, uint32_t metric, double *sums)
{
    const double *of_process;
    hd_status     status = metric != HD_NONE ? hd_summary_page_of_processes(page, metric, &of_process) : HD_OK;

    for (uint32_t p = 0; metric != HD_NONE && status == HD_OK && p < page->cube->n_groups; p++)
        if (division->of_process[p] != HD_NONE)
            sums[division->of_process[p]] += of_process[p];
    return status;
}

static hd_status
add_waiting(hd_summary_page *page, const hd_division *division, double *sums)
{
    const hd_cube *cube   = page->cube;
    hd_status      status = HD_OK;

    for (uint32_t m = 0; m < cube->n_metrics && status == HD_OK; m++)
        if (hd_metric_is_wait_state(hd_metric_by_id(cube->metrics[m].id)))
            status = add_metric(page, division, m, sums);
    return status;
}

static hd_status
add_times(hd_summary_page *page, const hd_division *division, hd_node_time *nodes)
{
    const hd_cube *cube   = page->cube;
    uint32_t       n      = division->n, computation = hd_cube_metric_by_id(cube, "comp");
    double        *sums   = HD_NEW_ARRAY(double, (size_t)N_TIMES * n);
    hd_status      status = add_metric(page, division, hd_cube_metric_by_id(cube, "time"), sums + (size_t)TIME * n);

    if (computation == HD_NONE)
        computation = hd_cube_metric_by_id(cube, "execution");
    if (status == HD_OK)
        status = add_metric(page, division, computation, sums + (size_t)COMPUTATION * n);
    if (status == HD_OK)
        status = add_metric(page, division, hd_cube_metric_by_id(cube, "mpi"), sums + (size_t)MPI * n);
    if (status == HD_OK)
        status = add_waiting(page, division, sums + (size_t)WAITING * n);
    for (uint32_t i = 0; i < n; i++) {
        nodes[i].time        = sums[(size_t)TIME * n + i];
        nodes[i].computation = sums[(size_t)COMPUTATION * n + i];
        nodes[i].mpi         = sums[(size_t)MPI * n + i];
        nodes[i].waiting     = sums[(size_t)WAITING * n + i];
    }
    free(sums);
    return status;
}

static int
compare_waiting(const void *left, const void *right)
{
    const hd_node_time *a = left, *b = right;

    return a->waiting != b->waiting ? (a->waiting > b->waiting ? -1 : 1) : strcmp(a->name, b->name);
}

static hd_status
make_times(hd_summary_page *page, hd_node_time **nodes, uint32_t *n)
{
    hd_division division;
    hd_status   status;

    hd_division_by_node(page->cube, &division);
    *n     = division.n > 1 ? division.n : 0;
    *nodes = HD_NEW_ARRAY(hd_node_time, (size_t)*n + 1);
    for (uint32_t i = 0; i < *n; i++) {
        (*nodes)[i].name        = hd_division_name(&division, i);
        (*nodes)[i].n_processes = division.n_processes[i];
    }
    status = *n > 0 ? add_times(page, &division, *nodes) : HD_OK;
    hd_division_fini(&division);
    if (status == HD_OK)
        qsort(*nodes, *n, sizeof **nodes, compare_waiting);
    return status;
}

hd_status
hd_node_times(hd_cube *cube, hd_node_time **nodes, uint32_t *n)
{
    hd_summary_page page;
    hd_status       status;

    hd_summary_page_init(&page, cube, NULL, &(hd_summary_options){ 0 });
    status = make_times(&page, nodes, n);
    hd_summary_page_fini(&page);
    return status;
}

void
hd_node_times_free(hd_node_time *nodes, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        free(nodes[i].name);
    free(nodes);
}

/* ---- the section ------------------------------------------------------------------------------------------------- */

static void
print_node(const hd_summary_page *page, const hd_node_time *node)
{
    char *name = hd_escaped(node->name);

    hd_fit_text(page->file, page->cuts, 2, name, (int)page->options.width - 4 * NUMBER - SHARE);
    fprintf(page->file, "%*" PRIu32 "%*s%*s%*s%*.1f %%\n", NUMBER, node->n_processes, NUMBER,
            hd_time_column(node->computation).text, NUMBER,
            hd_time_column(node->mpi).text, NUMBER, hd_time_column(node->waiting).text, SHARE - 2,
            hd_share(node->waiting, node->time));
    free(name);
}

void
hd_json_node_time(hd_json *json, const hd_node_time *node)
{
    hd_json_object(json, NULL);
    hd_json_text(json, "name", node->name);
    hd_json_count(json, "processes", node->n_processes);
    hd_json_number(json, "time", node->time);
    hd_json_number(json, "computation", node->computation);
    hd_json_number(json, "mpi", node->mpi);
    hd_json_number(json, "waiting", node->waiting);
    hd_json_end(json);
}

static void
put_nodes(const hd_summary_page *page, const hd_node_time *nodes, uint32_t n)
{
    hd_json_array(page->json, page->key);
    for (uint32_t i = 0; i < n; i++)
        hd_json_node_time(page->json, &nodes[i]);
    hd_json_end(page->json);
}

hd_status
hd_section_per_node(hd_summary_page *page)
{
    uint32_t      max_n = page->options.n_top > N_NODES ? page->options.n_top : N_NODES, n;
    hd_node_time *nodes;
    hd_status     status = make_times(page, &nodes, &n);

    if (status == HD_OK && page->json != NULL)
        put_nodes(page, nodes, n < max_n ? n : max_n);
    else if (status == HD_OK) {
        fprintf(page->file, "  %-*s%*s%*s%*s%*s%*s\n", (int)page->options.width - 4 * NUMBER - SHARE - 2, "Node",
                NUMBER, "processes", NUMBER, "computation", NUMBER, "MPI", NUMBER, "waiting", SHARE, "of time");
        for (uint32_t i = 0; i < n && i < max_n; i++)
            print_node(page, &nodes[i]);
        if (n > max_n)
            fprintf(page->file, "  (%" PRIu32 " more)\n", n - max_n);
    }
    hd_node_times_free(nodes, n);
    return status;
}
