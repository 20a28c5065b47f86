#include "page_head.h"

#include <math.h>

#include "division.h"
#include "efficiency_page.h"
#include "file_json.h"
#include "finding.h"
#include "headings.h"
#include "json.h"
#include "memory.h"
#include "metric.h"
#include "page_lists.h"
#include "page_series.h"
#include "page_tracks.h"
#include "page_source.h"
#include "prediction_json.h"
#include "prediction_list.h"
#include "run_facts.h"
#include "section_counters.h"
#include "section_per_node.h"
#include "summary.h"
#include "work_or_speed.h"

enum { MAX_TABLE_BYTES = 256 << 20, MAX_FILES = 200, N_UNFINISHED = 10 /* deadlocks, chains and processes of each that are named */ };

/* ---- arrays ------------------------------------------------------------------------------------------------------------ */

/* An index, or -1 for none. */
static void
put_index(hd_json *json, const char *key, uint32_t index)
{
    hd_json_integer(json, key, index == HD_NONE ? -1 : (int64_t)index);
}

static void
put_indexes(hd_json *json, const char *key, size_t n, uint32_t (*get)(const hd_cube *, size_t), const hd_cube *cube)
{
    hd_json_array(json, key);
    for (size_t i = 0; i < n; i++)
        put_index(json, NULL, get(cube, i));
    hd_json_end(json);
}

static void
put_texts(hd_json *json, const char *key, size_t n, const char *(*get)(const hd_cube *, size_t), const hd_cube *cube)
{
    hd_json_array(json, key);
    for (size_t i = 0; i < n; i++)
        hd_json_text(json, NULL, get(cube, i));
    hd_json_end(json);
}

#define GET(name, type, value)                                                                                                   \
    static type name(const hd_cube *cube, size_t i)                                                                              \
    {                                                                                                                            \
        return value;                                                                                                            \
    }

GET(path_region, uint32_t, cube->paths[i].region)
GET(path_parent, uint32_t, cube->paths[i].parent)
GET(path_number, uint32_t, cube->paths[i].number)
GET(path_label, const char *, strcmp(cube->paths[i].name, cube->regions[cube->paths[i].region].name) == 0 ? NULL : cube->paths[i].name)

/* The same for lists of page_lists.h. */
#define ITEM(name, type, value)                                                                                                  \
    static type name(const void *context, size_t i)                                                                              \
    {                                                                                                                            \
        return ((const hd_cube *)context)->value;                                                                                \
    }

ITEM(node_name, const char *, nodes[i].name)
ITEM(node_class, const char *, nodes[i].class_name)
ITEM(node_parent, uint32_t, nodes[i].parent)
ITEM(group_name, const char *, groups[i].name)
ITEM(group_rank, uint32_t, groups[i].rank)
ITEM(group_node, uint32_t, groups[i].parent)
ITEM(location_name, const char *, locations[i].name)
ITEM(location_thread, uint32_t, locations[i].thread)
ITEM(location_group, uint32_t, locations[i].group)

/* ---- parts of the head ------------------------------------------------------------------------------------------------- */

static void
put_headings(hd_json *json)
{
    static const char *const ids[] = {
#define ID(id, heading) #id,
        HD_HEADINGS(ID)
#undef ID
    };

    hd_json_object(json, "headings");
    for (size_t i = 0; i < HD_N_HEADINGS; i++)
        hd_json_text(json, ids[i], hd_heading_text((hd_heading)i));
    hd_json_end(json);
}

static void
put_creator(hd_json *json, const hd_cube *cube)
{
    const char *version = hd_cube_attribute_get(cube, "Heddle::Version");
    const char *other   = hd_cube_attribute_get(cube, "Creator");
    char       *creator = version != NULL ? hd_format("Heddle %s", version) : hd_strdup(other != NULL ? other : "");

    hd_json_text(json, "creator", creator);
    free(creator);
}

/* What stands behind the number of findings of a kind. */
static void
put_findings(hd_json *json)
{
    hd_json_object(json, "findings");
    for (size_t i = 0; i < HD_N_FINDINGS; i++) {
        hd_json_array(json, hd_finding_infos[i].id);
        hd_json_text(json, NULL, hd_finding_infos[i].many);
        hd_json_text(json, NULL, hd_finding_infos[i].one);
        hd_json_end(json);
    }
    hd_json_end(json);
}

static void
put_pair(hd_json *json, const char *first, const char *second)
{
    hd_json_array(json, NULL);
    hd_json_text(json, NULL, first);
    hd_json_text(json, NULL, second);
    hd_json_end(json);
}

static void
put_attributes(hd_json *json, const hd_cube *cube)
{
    hd_json_array(json, "attributes");
    for (uint32_t i = 0; i < cube->n_attributes; i++)
        put_pair(json, cube->attributes[i].key, cube->attributes[i].value);
    hd_json_end(json);
}

static void
put_facts(hd_json *json, const hd_cube *cube)
{
    size_t       n;
    hd_run_fact *facts = hd_run_facts(cube, false, &n);

    hd_json_array(json, "facts");
    for (size_t i = 0; i < n; i++)
        put_pair(json, facts[i].name, facts[i].value);
    hd_json_end(json);
    hd_run_facts_free(facts, n);
}

static void
put_place(hd_json *json, const char *key, const hd_page_place *place)
{
    hd_json_array(json, key);
    hd_json_count(json, NULL, place->at);
    hd_json_count(json, NULL, place->n);
    hd_json_end(json);
}

void
hd_page_put_metric(hd_json *json, const hd_cube_metric *metric, uint32_t parent)
{
    uint32_t number = hd_metric_by_id(metric->id);

    hd_json_text(json, "id", metric->id);
    hd_json_text(json, "name", metric->name);
    hd_json_text(json, "unit", metric->unit);
    hd_json_text(json, "what", metric->what);
    put_index(json, "parent", parent);
    hd_json_bool(json, "wait", hd_metric_is_wait_state(number));
    if (hd_metric_is_wait_state(number))
        hd_json_text(json, "interface", hd_metric_interface(number));
}

static void
put_values(hd_json *json, const hd_page_metric *values)
{
    hd_json_number(json, "total", values->total);
    hd_json_array(json, "blocks");
    for (size_t i = 0; i < values->n_blocks; i++) {
        const hd_page_block *block     = &values->blocks[i];
        const uint64_t       numbers[] = { block->level, block->chunk, block->place.at, block->place.n, block->mask };
        size_t               n_rows    = (size_t)__builtin_popcount(block->mask);

        hd_json_array(json, NULL);
        for (size_t k = 0; k < (n_rows > 0 ? 5 : 4); k++)
            hd_json_count(json, NULL, numbers[k]);
        for (size_t k = 0; k < n_rows; k++)
            hd_json_count(json, NULL, values->row_lengths[block->first_row + k]);
        hd_json_end(json);
    }
    hd_json_end(json);
    put_place(json, "locations", &values->locations);
}

static void
put_metric(hd_json *json, const hd_cube_metric *metric, uint32_t parent, const hd_page_metric *values)
{
    hd_json_object(json, NULL);
    hd_page_put_metric(json, metric, parent);
    hd_json_bool(json, "integer", metric->is_integer);
    hd_json_bool(json, "extreme", metric->is_extreme);
    put_values(json, values);
    hd_json_end(json);
}

/* Where a metric of the report is in the page: that one, or the nearest above that is. */
static uint32_t
place_in_page(const hd_cube *cube, const uint32_t *places, uint32_t metric)
{
    while (metric != HD_NONE && places[metric] == HD_NONE)
        metric = cube->metrics[metric].parent;
    return metric == HD_NONE ? HD_NONE : places[metric];
}

static void
put_metrics(hd_json *json, const hd_cube *cube, const hd_page_head *head)
{
    uint32_t *places = HD_NEW_UNSET(uint32_t, (size_t)cube->n_metrics + 1);

    memset(places, 0xFF, cube->n_metrics * sizeof *places); /* HD_NONE */
    for (uint32_t i = 0; i < head->n_metrics; i++)
        places[head->numbers[i]] = i;
    hd_json_array(json, "metrics");
    for (uint32_t i = 0; i < head->n_metrics; i++) {
        const hd_cube_metric *metric = &cube->metrics[head->numbers[i]];

        put_metric(json, metric, place_in_page(cube, places, metric->parent), &head->metrics[i]);
    }
    hd_json_end(json);
    free(places);
}

/* The second report: its columns, and where the values of each metric of the page are. */
static void
put_reference(hd_json *json, const hd_page_head *head)
{
    uint32_t next = head->n_metrics;

    hd_json_object(json, "reference");
    hd_page_reference_put(json, head->reference);
    hd_json_array(json, "metrics");
    for (uint32_t i = 0; i < head->n_metrics; i++) {
        if (next == head->n_metrics + head->n_references || head->numbers[next] != head->numbers[i]) {
            hd_json_null(json, NULL);
            continue;
        }
        hd_json_object(json, NULL);
        hd_json_count(json, "entry", next);
        put_values(json, &head->metrics[next]);
        hd_json_end(json);
        next++;
    }
    hd_json_end(json);
    hd_json_end(json);
}

static void
put_left_out(hd_json *json, const hd_cube *cube)
{
    hd_json_array(json, "leftOut");
    for (uint32_t i = 0; i < cube->n_metrics; i++)
        if (!hd_page_can_hold(&cube->metrics[i]))
            put_pair(json, cube->metrics[i].id, "its values cannot be added up");
    for (uint32_t i = 0; i < cube->n_left_out; i++)
        put_pair(json, cube->left_out[i].id, cube->left_out[i].why);
    hd_json_end(json);
}

static void
put_regions(hd_json *json, const hd_cube *cube)
{
    hd_json_array(json, "regions");
    for (uint32_t i = 0; i < cube->n_regions; i++) {
        const hd_cube_region *region = &cube->regions[i];

        hd_json_object(json, NULL);
        hd_json_text(json, "name", region->name);
        hd_json_text(json, "file", region->file);
        hd_json_text(json, "paradigm", region->paradigm);
        hd_json_text(json, "role", region->role);
        hd_json_integer(json, "begin", region->begin_line);
        hd_json_end(json);
    }
    hd_json_end(json);
}

/* Where call paths are called, of those of which it is recorded: call path, file, line. */
static void
put_calls(hd_json *json, const hd_cube *cube)
{
    hd_json_array(json, "calls");
    for (uint32_t i = 0; i < cube->n_paths; i++) {
        if (cube->paths[i].call_line <= 0 || *cube->paths[i].call_file == '\0')
            continue;
        hd_json_array(json, NULL);
        hd_json_count(json, NULL, i);
        hd_json_text(json, NULL, cube->paths[i].call_file);
        hd_json_integer(json, NULL, cube->paths[i].call_line);
        hd_json_end(json);
    }
    hd_json_end(json);
}

static void
put_paths(hd_json *json, const hd_cube *cube)
{
    hd_json_object(json, "paths");
    put_indexes(json, "region", cube->n_paths, path_region, cube);
    put_indexes(json, "parent", cube->n_paths, path_parent, cube);
    put_indexes(json, "number", cube->n_paths, path_number, cube);
    put_texts(json, "label", cube->n_paths, path_label, cube);
    hd_json_end(json);
}

static void
put_system(hd_json *json, const hd_cube *cube)
{
    hd_json_object(json, "system");
    hd_json_object(json, "nodes");
    hd_page_put_names(json, "name", cube->n_nodes, node_name, cube);
    hd_page_put_names(json, "class", cube->n_nodes, node_class, cube);
    hd_page_put_integers(json, "parent", cube->n_nodes, node_parent, cube);
    hd_json_end(json);
    hd_json_object(json, "groups");
    hd_page_put_names(json, "name", cube->n_groups, group_name, cube);
    hd_page_put_integers(json, "rank", cube->n_groups, group_rank, cube);
    hd_page_put_integers(json, "node", cube->n_groups, group_node, cube);
    hd_json_end(json);
    hd_json_object(json, "locations");
    hd_page_put_names(json, "name", cube->n_locations, location_name, cube);
    hd_page_put_integers(json, "thread", cube->n_locations, location_thread, cube);
    hd_page_put_integers(json, "group", cube->n_locations, location_group, cube);
    hd_json_end(json);
    hd_json_array(json, "others");
    for (uint32_t i = 0; i < cube->n_locations; i++)
        if (strcmp(cube->locations[i].type, "thread") != 0)
            hd_json_count(json, NULL, i);
    hd_json_end(json);
    hd_json_end(json);
}

typedef struct topology_column {
    const hd_cube_topology *topology;
    uint32_t                i; /* 0: locations, 1: the first dimension, ... */
} topology_column;

static uint32_t
coordinate(const void *context, size_t row)
{
    const topology_column *column = context;

    return column->topology->rows[row * (1 + (size_t)column->topology->n_dimensions) + column->i];
}

static void
put_topology(hd_json *json, const hd_cube_topology *topology)
{
    hd_json_object(json, NULL);
    hd_json_text(json, "name", topology->name);
    hd_json_array(json, "dimensions");
    for (uint32_t i = 0; i < topology->n_dimensions; i++) {
        hd_json_object(json, NULL);
        hd_json_text(json, "name", hd_cube_dimension_name(topology, i));
        hd_json_count(json, "size", topology->dimensions[i].size);
        hd_json_bool(json, "periodic", topology->dimensions[i].is_periodic);
        hd_json_end(json);
    }
    hd_json_end(json);
    hd_json_array(json, "coordinates");
    for (uint32_t i = 0; i <= topology->n_dimensions; i++)
        hd_page_put_integers(json, NULL, topology->n_rows, coordinate, &(topology_column){ topology, i });
    hd_json_end(json);
    hd_json_end(json);
}

static hd_status
put_topologies(hd_json *json, const char *key, hd_cube *cube)
{
    hd_json_array(json, key);
    for (uint32_t i = 0; i < cube->n_topologies; i++)
        put_topology(json, &cube->topologies[i]);
    hd_json_end(json);
    return HD_OK;
}

static hd_status
put_tables(hd_json *json, const char *key, hd_cube *cube)
{
    static const char *const names[] = { "findings", "causes", "pairs", "statistics", "instances", "moments", "windows", "messages" };

    hd_json_object(json, key);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char     *member = hd_format("heddle.%s.tsv", names[i]), *text;
        size_t    bytes;
        hd_status status = hd_cube_misc(cube, member, MAX_TABLE_BYTES, &text, &bytes);

        free(member);
        if (status != HD_OK)
            return status;
        hd_json_text(json, names[i], text);
        free(text);
    }
    hd_json_end(json);
    return HD_OK;
}

/* What the summary says of processes that could not finish. */
static hd_status
put_unfinished(hd_json *json, const char *key, hd_cube *cube)
{
    char     *text;
    hd_status status = hd_summary_section_text(cube, HD_HEADING_unfinished, &(hd_summary_options){ .n_top = N_UNFINISHED }, &text);

    hd_json_text(json, key, text);
    free(text);
    return status;
}

static hd_status
put_nodes(hd_json *json, const char *key, hd_cube *cube)
{
    hd_node_time *nodes;
    uint32_t      n;
    hd_status     status = hd_node_times(cube, &nodes, &n);

    hd_json_array(json, key);
    for (uint32_t i = 0; i < n; i++)
        hd_json_node_time(json, &nodes[i]);
    hd_json_end(json);
    hd_node_times_free(nodes, n);
    return status;
}

/* Sentences for root causes, where the report has counters. */
static hd_status
put_work_or_speed(hd_json *json, const char *key, hd_cube *cube)
{
    char    **texts;
    hd_status status = hd_work_or_speed_of_causes(cube, &texts);

    hd_json_object(json, key);
    for (uint32_t path = 0; path < cube->n_paths && status == HD_OK; path++)
        if (texts[path] != NULL) {
            char *number = hd_format("%" PRIu32, path);

            hd_json_text(json, number, texts[path]);
            free(number);
        }
    hd_json_end(json);
    for (uint32_t path = 0; path < cube->n_paths && status == HD_OK; path++)
        free(texts[path]);
    if (status == HD_OK)
        free(texts);
    return status;
}

static void
put_node_name(hd_json *json, const hd_division *nodes, uint32_t i)
{
    char *name = hd_division_name(nodes, i);

    hd_json_text(json, NULL, name);
    free(name);
}

/* Names of the nodes that "heddle-matrix-nodes" numbers (page_matrix.h). */
static hd_status
put_matrix_nodes(hd_json *json, const char *key, hd_cube *cube)
{
    hd_division nodes;

    hd_division_by_node(cube, &nodes);
    hd_json_array(json, key);
    for (uint32_t i = 0; i < nodes.n && nodes.n > 1; i++)
        put_node_name(json, &nodes, i);
    hd_json_end(json);
    hd_division_fini(&nodes);
    return HD_OK;
}

/* The files with the longest time, and how many there are. */
static hd_status
put_files(hd_json *json, const char *key, hd_cube *cube)
{
    hd_file_list list;
    hd_status    status = hd_file_list_read(cube, &list);

    hd_json_object(json, key);
    hd_json_count(json, "n", list.n);
    hd_json_files(json, "rows", &list, MAX_FILES);
    hd_json_end(json);
    hd_file_list_fini(&list);
    return status;
}

static hd_status
put_predictions(hd_json *json, const char *key, hd_cube *cube)
{
    hd_predictions predictions;
    bool           is_there;
    hd_status      status = hd_predictions_read(cube, &predictions, &is_there);

    if (status == HD_OK && is_there)
        hd_json_predictions(json, key, &predictions);
    else
        hd_json_null(json, key);
    hd_predictions_fini(&predictions);
    return status;
}

static hd_status
put_efficiencies(hd_json *json, const char *key, hd_cube *cube)
{
    return hd_efficiency_put(cube, json, key);
}

static hd_status
put_counters(hd_json *json, const char *key, hd_cube *cube)
{
    return hd_counters_put(cube, json, key);
}

/* What sections and views of the page need beside metrics, call paths and system: a key of the head, and what writes its value.
 * A new section that needs data of its own has a row here. Errors: those of hd_cube_row() and hd_cube_misc(). */
static const struct page_data {
    const char *key;
    hd_status (*put)(hd_json *json, const char *key, hd_cube *cube);
} page_data[] = {
    { "topologies", put_topologies },
    { "tables", put_tables },
    { "unfinished", put_unfinished },
    { "nodes", put_nodes },
    { "matrixNodes", put_matrix_nodes },
    { "files", put_files },
    { "series", hd_page_put_series },
    { "lags", hd_page_put_lags },
    { "tracks", hd_page_put_tracks },
    { "workOrSpeed", put_work_or_speed },
    { "predictions", put_predictions },
    { "efficiencies", put_efficiencies },
    { "counters", put_counters },
};

hd_page_balance
hd_page_balance_of(const hd_cube *cube, const double *of_location)
{
    hd_page_balance balance  = { .most = HD_NONE };
    bool           *is_there = HD_NEW_ARRAY(bool, (size_t)cube->n_groups + 1);

    for (uint32_t i = 0; i < cube->n_locations; i++) {
        const hd_cube_location *location = &cube->locations[i];

        if (strcmp(location->type, "thread") != 0)
            continue;
        if (of_location[i] > balance.value) {
            balance.most  = i;
            balance.value = of_location[i];
        }
        balance.sum += isnan(of_location[i]) ? 0 : of_location[i];
        balance.n_threads++;
        balance.n_processes += !is_there[location->group];
        is_there[location->group] = true;
    }
    free(is_there);
    return balance;
}

/* null: nothing to be balanced, or not known. */
static void
put_balance(hd_json *json, const hd_page_balance *balance)
{
    if (balance->n_threads < 2 || balance->most == HD_NONE) {
        hd_json_null(json, "balance");
        return;
    }
    hd_json_object(json, "balance");
    hd_json_count(json, "most", balance->most);
    hd_json_number(json, "value", balance->value);
    hd_json_number(json, "average", balance->sum / balance->n_threads);
    hd_json_count(json, "threads", balance->n_threads);
    hd_json_count(json, "processes", balance->n_processes);
    hd_json_end(json);
}

hd_status
hd_page_head_make(hd_cube *cube, const hd_page_head *head, char **text, size_t *bytes)
{
    FILE     *file   = open_memstream(text, bytes);
    hd_status status = HD_OK;
    hd_json   json;

    if (file == NULL)
        hd_fatal("out of memory: the head of the page cannot be made");
    hd_json_init(&json, file, 2);
    hd_json_object(&json, NULL);
    hd_json_count(&json, "format", HD_PAGE_FORMAT);
    hd_json_text(&json, "kind", head->difference.put != NULL ? "difference" : "report");
    hd_json_text(&json, "title", head->title);
    put_creator(&json, cube);
    hd_json_text(&json, "beside", head->folder);
    hd_json_text(&json, "startup", head->startup);
    put_headings(&json);
    put_attributes(&json, cube);
    put_facts(&json, cube);
    put_findings(&json);
    put_metrics(&json, cube, head);
    if (head->reference != NULL)
        put_reference(&json, head);
    put_balance(&json, &head->balance);
    put_left_out(&json, cube);
    put_regions(&json, cube);
    put_paths(&json, cube);
    put_calls(&json, cube);
    put_system(&json, cube);
    for (size_t i = 0; i < sizeof page_data / sizeof *page_data && status == HD_OK; i++)
        status = page_data[i].put(&json, page_data[i].key, cube);
    if (status == HD_OK && head->difference.put != NULL) {
        hd_json_object(&json, "difference");
        status = head->difference.put(&json, head->difference.context);
        hd_json_end(&json);
    }
    if (status == HD_OK && head->sources.n > 0)
        hd_page_source_put(&json, cube, &head->sources, head->found);
    if (status == HD_OK)
        hd_json_end(&json);
    if (fclose(file) != 0)
        hd_fatal("out of memory: the head of the page cannot be made");
    if (status != HD_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}
