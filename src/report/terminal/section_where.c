/* src/report/terminal/section_where.c: the sections "Wait states by topology coordinate" and "Wait states by node": on
 * which coordinates, and on which nodes, waiting and uneven computation are concentrated. Of topologies only what is
 * clear is said (contrast.h). */
#include "summary_sections.h"

#include <string.h>

#include "defs.h"
#include "division.h"
#include "escape.h"
#include "memory.h"
#include "metric.h"

typedef struct quantity {
    const char   *name;
    const double *of_process; /* [n_groups] the page's */
} quantity;

typedef struct where { /* the quantities that are looked at, and all waiting */
    hd_summary_page *page;
    quantity        *quantities; /* [n] */
    uint32_t         n;
    double          *waiting; /* [n_groups] */
    double           sum;     /* of it */
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

/* ---- what is looked at ------------------------------------------------------------------------------------------- */

static double
sum_of(const double *values, uint32_t n)
{
    double sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += values[i];
    return sum;
}

/* The n_top worst wait states, then the overload, each if it is worth a sentence. All wait states are added up on the
 * way. */
static hd_status
add_quantities(where *w)
{
    hd_cube      *cube     = w->page->cube;
    double       *sums     = HD_NEW_ARRAY(double, (size_t)cube->n_metrics + 1),
                             least = HD_DIVISION_MIN_SHARE * w->page->time, sum;
    uint32_t      overload = hd_cube_metric_by_id(cube, "imbalance_above"), metric;
    hd_status     status   = HD_OK;
    const double *of_process;

    for (uint32_t i = 0; i < cube->n_metrics; i++)
        sums[i] = hd_metric_is_wait_state(hd_metric_by_id(cube->metrics[i].id)) ? w->page->totals[i].sum : 0;
    while ((metric = hd_take_largest(sums, cube->n_metrics, &sum)) != HD_NONE) {
        status = hd_summary_page_of_processes(w->page, metric, &of_process);
        if (status != HD_OK)
            break;
        for (uint32_t p = 0; p < cube->n_groups; p++)
            w->waiting[p] += of_process[p];
        sum = sum_of(of_process, cube->n_groups);
        w->sum += sum;
        if (sum >= least && w->n < w->page->options.n_top)
            w->quantities[w->n++] = (quantity){ hd_metric_infos[hd_metric_by_id(cube->metrics[metric].id)].name,
                                                of_process };
    }
    if (status == HD_OK && overload != HD_NONE)
        status = hd_summary_page_of_processes(w->page, overload, &of_process);
    if (status == HD_OK && overload != HD_NONE && sum_of(of_process, cube->n_groups) >= least)
        w->quantities[w->n++] = (quantity){ "Computation above the average", of_process };
    free(sums);
    return status;
}

static hd_status
where_init(where *w, hd_summary_page *page)
{
    *w = (where){ .page = page, .quantities = HD_NEW_ARRAY(quantity, (size_t)page->cube->n_metrics + 2),
                  .waiting = HD_NEW_ARRAY(double, (size_t)page->cube->n_groups + 1) };
    return add_quantities(w);
}

static void
where_fini(where *w)
{
    free(w->quantities);
    free(w->waiting);
}

/* ---- as JSON ----------------------------------------------------------------------------------------------------- */

static void
put_concentration(hd_json *json, const char *name, const hd_carriers *carriers)
{
    char *words = hd_carriers_words(carriers);

    hd_json_object(json, NULL);
    hd_json_text(json, "quantity", name);
    hd_json_text(json, "division", carriers->division->what);
    hd_json_array(json, "parts");
    for (uint32_t i = 0; i < carriers->n; i++) {
        char *part = hd_division_name(carriers->division, carriers->parts[i]);

        hd_json_text(json, NULL, part);
        free(part);
    }
    hd_json_end(json);
    hd_json_number(json, "share", carriers->contrast.share);
    hd_json_number(json, "share_of_processes", (double)carriers->contrast.n_in / carriers->contrast.n);
    hd_json_text(json, "text", words);
    hd_json_end(json);
    free(words);
}

static void
put_concentrations(const where *w, const hd_division *divisions, uint32_t n)
{
    hd_json_array(w->page->json, "concentrations");
    for (uint32_t i = 0; i < w->n; i++) {
        hd_carriers carriers;

        if (hd_divisions_carriers(divisions, n, w->page->cube->n_groups, w->quantities[i].of_process, &carriers))
            put_concentration(w->page->json, w->quantities[i].name, &carriers);
    }
    hd_json_end(w->page->json);
}

static void
put_topology(const where *w, const hd_division *divisions, uint32_t n, const char *name)
{
    hd_json_object(w->page->json, NULL);
    hd_json_text(w->page->json, "topology", name);
    put_concentrations(w, divisions, n);
    hd_json_end(w->page->json);
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static void
print_carriers(const where *w, const hd_division *divisions, uint32_t n, char *on)
{
    bool is_first = true;

    for (uint32_t i = 0; i < w->n; i++) {
        hd_carriers carriers;
        char       *words, *sentence;

        if (!hd_divisions_carriers(divisions, n, w->page->cube->n_groups, w->quantities[i].of_process, &carriers))
            continue;
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
print_topologies(const where *w)
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
        if (w->page->json != NULL)
            put_topology(w, divisions, n, topology->name);
        else
            print_carriers(w, divisions, n, name);
        for (uint32_t d = 0; d < n; d++)
            hd_division_fini(&divisions[d]);
        free(divisions);
        free(name);
    }
}

/* sums: [nodes->n] waiting; is cleared. */
static void
print_nodes(const where *w, const hd_division *nodes, double *sums)
{
    uint32_t n_printed = 0, node;
    double   sum;

    for (; n_printed < w->page->options.n_top && (node = hd_take_largest(sums, nodes->n, &sum)) != HD_NONE;
         n_printed++) {
        char *name = hd_division_name(nodes, node);
        char *text = escaped(hd_format("%s, %" PRIu32 " process%s", name, nodes->n_processes[node],
                                       nodes->n_processes[node] == 1 ? "" : "es"));

        hd_summary_page_row(w->page, 2, text, sum, hd_share(sum, w->sum));
        free(name);
        free(text);
    }
    if (nodes->n > n_printed)
        fprintf(w->page->file, "  (%" PRIu32 " more)\n", nodes->n - n_printed);
    print_carriers(w, nodes, 1, NULL);
}

/* The same for a document. */
static void
put_nodes(const where *w, const hd_division *nodes, double *sums)
{
    hd_json *json = w->page->json;
    uint32_t node;
    double   sum;

    hd_json_object(json, w->page->key);
    hd_json_array(json, "by_waiting");
    for (uint32_t i = 0; i < w->page->options.n_top && (node = hd_take_largest(sums, nodes->n, &sum)) != HD_NONE; i++) {
        char *name = hd_division_name(nodes, node);

        hd_json_object(json, NULL);
        hd_json_text(json, "node", name);
        hd_json_count(json, "processes", nodes->n_processes[node]);
        hd_json_share(json, sum, w->sum);
        hd_json_end(json);
        free(name);
    }
    hd_json_end(json);
    put_concentrations(w, nodes, 1);
    hd_json_end(json);
}

static void
show_nodes(const where *w)
{
    const hd_cube *cube = w->page->cube;
    hd_division    nodes;
    double        *sums;

    hd_division_by_node(cube, &nodes);
    sums = HD_NEW_ARRAY(double, (size_t)nodes.n + 1);
    for (uint32_t p = 0; p < cube->n_groups; p++)
        if (nodes.of_process[p] != HD_NONE)
            sums[nodes.of_process[p]] += w->waiting[p];
    if (w->page->json != NULL)
        put_nodes(w, &nodes, sums);
    else if (w->sum > 0)
        print_nodes(w, &nodes, sums);
    hd_division_fini(&nodes);
    free(sums);
}

hd_status
hd_section_topologies(hd_summary_page *page)
{
    where     w;
    hd_status status = where_init(&w, page);

    if (page->json != NULL)
        hd_json_array(page->json, page->key);
    if (status == HD_OK)
        print_topologies(&w);
    if (page->json != NULL)
        hd_json_end(page->json);
    where_fini(&w);
    return status;
}

hd_status
hd_section_nodes(hd_summary_page *page)
{
    where     w;
    hd_status status = where_init(&w, page);

    if (status == HD_OK)
        show_nodes(&w);
    where_fini(&w);
    return status;
}
