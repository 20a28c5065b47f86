#include "summary_where.h"

#include <string.h>

#include "division.h"
#include "escape.h"
#include "defs.h"
#include "memory.h"
#include "metric.h"

typedef struct quantity {
    const char *name;
    double     *of_process; /* [n_groups] */
    double      sum;
} quantity;

typedef struct where { /* the quantities that are looked at, and all waiting */
    hd_summary_page *page;
    quantity        *quantities; /* [n] */
    uint32_t         n;
    double          *waiting; /* [n_groups] */
    double           sum;     /* of it */
    bool             has_head;
} where;

/* free() it */
static char *
escaped(char *text)
{
    char  *result = NULL;
    size_t bytes  = 0;
    FILE  *stream = open_memstream(&result, &bytes);

    if (stream == NULL)
        hd_fatal("out of memory: the summary cannot be written");
    hd_write_escaped(stream, text);
    if (fclose(stream) != 0)
        hd_fatal("out of memory: the summary cannot be written");
    free(text);
    return result;
}

/* ---- what is looked at ----------------------------------------------------------------------------------------------------- */

static hd_status
add_quantity(where *w, uint32_t metric, const char *name)
{
    uint32_t  n_groups = w->page->cube->n_groups;
    quantity *q        = &w->quantities[w->n++];
    hd_status status;

    *q     = (quantity){ .name = name, .of_process = HD_NEW_ARRAY(double, (size_t)n_groups + 1) };
    status = hd_division_sum(w->page->cube, metric, NULL, q->of_process);
    for (uint32_t p = 0; p < n_groups; p++)
        q->sum += q->of_process[p];
    return status;
}

static void
drop_last(where *w)
{
    free(w->quantities[--w->n].of_process);
}

/* The worst wait states first; then the overload. All wait states are added up on the way. */
static hd_status
add_quantities(where *w)
{
    hd_cube  *cube     = w->page->cube;
    double   *sums     = HD_NEW_ARRAY(double, (size_t)cube->n_metrics + 1), least = HD_DIVISION_LEAST_SHARE * w->page->time, sum;
    uint32_t  overload = hd_cube_metric_by_id(cube, "imbalance_above"), metric;
    hd_status status   = HD_OK;

    for (uint32_t i = 0; i < cube->n_metrics; i++)
        sums[i] = hd_metric_is_wait_state(hd_metric_by_id(cube->metrics[i].id)) ? w->page->totals[i].sum : 0;
    while (status == HD_OK && (metric = hd_take_largest(sums, cube->n_metrics, &sum)) != HD_NONE) {
        const quantity *q = &w->quantities[w->n];

        status = add_quantity(w, metric, hd_metric_infos[hd_metric_by_id(cube->metrics[metric].id)].name);
        for (uint32_t p = 0; p < cube->n_groups; p++)
            /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): made anew for each quantity */
            w->waiting[p] += q->of_process[p];
        w->sum += q->sum;
        if (q->sum < least || w->n > w->page->options.n_top)
            drop_last(w);
    }
    if (status == HD_OK && overload != HD_NONE) {
        status = add_quantity(w, overload, "Computation above the average");
        if (w->quantities[w->n - 1].sum < least)
            drop_last(w);
    }
    free(sums);
    return status;
}

/* ---- lines ----------------------------------------------------------------------------------------------------------------- */

static void
print_carriers(where *w, const hd_division *divisions, uint32_t n, char *on)
{
    bool is_first = true;

    for (uint32_t i = 0; i < w->n; i++) {
        hd_carriers carriers;
        char       *words, *sentence;

        if (!hd_divisions_carriers(divisions, n, w->page->cube->n_groups, w->quantities[i].of_process, &carriers))
            continue;
        if (!w->has_head)
            hd_summary_page_head(w->page, HD_HEADING_topologies);
        w->has_head = true;
        if (is_first && on != NULL)
            fprintf(w->page->file, "  on %s\n", on);
        is_first = false;
        words    = hd_carriers_words(&carriers);
        sentence = escaped(hd_format("%s: %s", w->quantities[i].name, words));
        hd_summary_page_sentence(w->page, on != NULL ? 4 : 2, sentence);
        free(words);
        free(sentence);
    }
}

static void
print_topologies(where *w)
{
    const hd_cube *cube = w->page->cube;

    for (uint32_t i = 0; i < cube->n_topologies; i++) {
        const hd_cube_topology *topology = &cube->topologies[i];
        hd_division            *divisions;
        uint32_t                n;
        char                   *name;

        if (strcmp(topology->name, HD_PROCESS_GRID) == 0)
            continue;
        divisions = hd_divisions_of_topology(cube, topology, &n);
        name      = escaped(hd_format("\"%s\"", topology->name));
        print_carriers(w, divisions, n, name);
        for (uint32_t d = 0; d < n; d++)
            hd_division_fini(&divisions[d]);
        free(divisions);
        free(name);
    }
}

static void
print_nodes(where *w)
{
    const hd_cube *cube = w->page->cube;
    hd_division    nodes;
    double        *sums, sum;
    uint32_t       n_printed = 0;

    hd_division_by_node(cube, &nodes);
    sums = HD_NEW_ARRAY(double, (size_t)nodes.n + 1);
    for (uint32_t p = 0; p < cube->n_groups; p++)
        if (nodes.of_process[p] != HD_NONE)
            sums[nodes.of_process[p]] += w->waiting[p];
    if (nodes.n > 1 && w->sum > 0) {
        hd_summary_page_head(w->page, HD_HEADING_nodes);
        w->has_head = true;
        for (; n_printed < w->page->options.n_top; n_printed++) {
            uint32_t node = hd_take_largest(sums, nodes.n, &sum);
            char    *name, *text;

            if (node == HD_NONE)
                break;
            name = hd_division_name(&nodes, node);
            text = escaped(hd_format("%s, %" PRIu32 " process%s", name, nodes.n_processes[node], nodes.n_processes[node] == 1 ? "" : "es"));
            free(name);
            hd_summary_page_row(w->page, 2, text, sum, hd_share(sum, w->sum));
            free(text);
        }
        if (nodes.n > n_printed)
            fprintf(w->page->file, "  (%" PRIu32 " more)\n", nodes.n - n_printed);
        print_carriers(w, &nodes, 1, NULL);
    }
    hd_division_fini(&nodes);
    free(sums);
}

hd_status
hd_summary_where_print(hd_summary_page *page)
{
    hd_cube  *cube = page->cube;
    where     w    = { .page = page, .quantities = HD_NEW_ARRAY(quantity, (size_t)cube->n_metrics + 2),
                       .waiting = HD_NEW_ARRAY(double, (size_t)cube->n_groups + 1) };
    hd_status status = cube->n_groups > 1 ? add_quantities(&w) : HD_OK;

    if (status == HD_OK && cube->n_groups > 1) {
        print_topologies(&w);
        print_nodes(&w);
    }
    while (w.n > 0)
        drop_last(&w);
    free(w.quantities);
    free(w.waiting);
    return status;
}
