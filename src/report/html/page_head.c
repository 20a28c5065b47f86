#include "page_head.h"

#include "headings.h"
#include "json.h"
#include "memory.h"
#include "metric.h"
#include "section_per_node.h"
#include "summary.h"

enum { MAX_TABLE_BYTES = 256 << 20, N_UNFINISHED = 10 /* deadlocks, chains and processes of each that are named */ };

/* ---- arrays ------------------------------------------------------------------------------------------------------------ */

/* A list in brackets: what stands between the elements. */
static const char *
between(size_t i)
{
    return i == 0 ? "" : ",";
}

/* An index, or -1 for none. */
static void
put_index(FILE *file, uint32_t index)
{
    if (index == HD_NONE)
        fputs("-1", file);
    else
        fprintf(file, "%" PRIu32, index);
}

static void
put_indexes(FILE *file, const char *key, size_t n, uint32_t (*get)(const hd_cube *, size_t), const hd_cube *cube)
{
    fprintf(file, "\"%s\":[", key);
    for (size_t i = 0; i < n; i++) {
        fputs(between(i), file);
        put_index(file, get(cube, i));
    }
    fputs("]", file);
}

static void
put_texts(FILE *file, const char *key, size_t n, const char *(*get)(const hd_cube *, size_t), const hd_cube *cube)
{
    fprintf(file, "\"%s\":[", key);
    for (size_t i = 0; i < n; i++) {
        fputs(between(i), file);
        hd_json_text(file, get(cube, i));
    }
    fputs("]", file);
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
GET(node_name, const char *, cube->nodes[i].name)
GET(node_class, const char *, cube->nodes[i].class_name)
GET(node_parent, uint32_t, cube->nodes[i].parent)
GET(group_name, const char *, cube->groups[i].name)
GET(group_rank, uint32_t, cube->groups[i].rank)
GET(group_node, uint32_t, cube->groups[i].parent)
GET(location_name, const char *, cube->locations[i].name)
GET(location_thread, uint32_t, cube->locations[i].thread)
GET(location_group, uint32_t, cube->locations[i].group)

/* ---- parts of the head ------------------------------------------------------------------------------------------------- */

static const char *
attribute(const hd_cube *cube, const char *key)
{
    for (uint32_t i = 0; i < cube->n_attributes; i++)
        if (strcmp(cube->attributes[i].key, key) == 0)
            return cube->attributes[i].value;
    return NULL;
}

static void
put_headings(FILE *file)
{
    static const char *const ids[] = {
#define ID(id, heading) #id,
        HD_HEADINGS(ID)
#undef ID
    };

    fputs(",\n\"headings\":{", file);
    for (size_t i = 0; i < HD_N_HEADINGS; i++) {
        fprintf(file, "%s\"%s\":", between(i), ids[i]);
        hd_json_text(file, hd_heading_text((hd_heading)i));
    }
    fputs("}", file);
}

static void
put_creator(FILE *file, const hd_cube *cube)
{
    const char *version = attribute(cube, "Heddle::Version");
    const char *other   = attribute(cube, "Creator");
    char       *creator = version != NULL ? hd_format("Heddle %s", version) : hd_strdup(other != NULL ? other : "");

    hd_json_text(file, creator);
    free(creator);
}

static void
put_attributes(FILE *file, const hd_cube *cube)
{
    fputs(",\n\"attributes\":[", file);
    for (uint32_t i = 0; i < cube->n_attributes; i++) {
        fprintf(file, "%s[", between(i));
        hd_json_text(file, cube->attributes[i].key);
        putc(',', file);
        hd_json_text(file, cube->attributes[i].value);
        putc(']', file);
    }
    fputs("]", file);
}

static void
put_place(FILE *file, const char *key, const hd_page_place *place)
{
    fprintf(file, ",\"%s\":[%" PRIu64 ",%" PRIu64 "]", key, place->at, place->n);
}

void
hd_page_put_metric(FILE *file, const hd_cube_metric *metric, uint32_t parent)
{
    fputs("{\"id\":", file);
    hd_json_text(file, metric->id);
    fputs(",\"name\":", file);
    hd_json_text(file, metric->name);
    fputs(",\"unit\":", file);
    hd_json_text(file, metric->unit);
    fputs(",\"what\":", file);
    hd_json_text(file, metric->what);
    fputs(",\"parent\":", file);
    put_index(file, parent);
    fprintf(file, ",\"wait\":%s", hd_metric_is_wait_state(hd_metric_by_id(metric->id)) ? "true" : "false");
}

static void
put_metric(FILE *file, const hd_cube_metric *metric, uint32_t parent, const hd_page_metric *values)
{
    hd_page_put_metric(file, metric, parent);
    fprintf(file, ",\"integer\":%s,\"extreme\":%s,\"total\":", metric->is_integer ? "true" : "false",
            metric->is_extreme ? "true" : "false");
    hd_json_number(file, values->total);
    fputs(",\"blocks\":[", file);
    for (size_t i = 0; i < values->n_blocks; i++)
        fprintf(file, "%s[%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 "]", between(i), values->blocks[i].level,
                values->blocks[i].chunk, values->blocks[i].place.at, values->blocks[i].place.n);
    fputs("]", file);
    put_place(file, "paths", &values->paths);
    put_place(file, "locations", &values->locations);
    putc('}', file);
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
put_metrics(FILE *file, const hd_cube *cube, const hd_page_head *head)
{
    uint32_t *places = HD_NEW_UNSET(uint32_t, (size_t)cube->n_metrics + 1);

    memset(places, 0xFF, cube->n_metrics * sizeof *places); /* HD_NONE */
    for (uint32_t i = 0; i < head->n_metrics; i++)
        places[head->numbers[i]] = i;
    fputs(",\n\"metrics\":[", file);
    for (uint32_t i = 0; i < head->n_metrics; i++) {
        const hd_cube_metric *metric = &cube->metrics[head->numbers[i]];

        fprintf(file, "%s\n", between(i));
        put_metric(file, metric, place_in_page(cube, places, metric->parent), &head->metrics[i]);
    }
    fputs("]", file);
    free(places);
}

static void
put_reason(FILE *file, size_t i, const char *id, const char *why)
{
    fprintf(file, "%s[", between(i));
    hd_json_text(file, id);
    putc(',', file);
    hd_json_text(file, why);
    putc(']', file);
}

static void
put_left_out(FILE *file, const hd_cube *cube)
{
    size_t n = 0;

    fputs(",\n\"leftOut\":[", file);
    for (uint32_t i = 0; i < cube->n_metrics; i++)
        if (!hd_page_can_hold(&cube->metrics[i]))
            put_reason(file, n++, cube->metrics[i].id, "its values cannot be added up");
    for (uint32_t i = 0; i < cube->n_left_out; i++)
        put_reason(file, n++, cube->left_out[i].id, cube->left_out[i].why);
    fputs("]", file);
}

static void
put_regions(FILE *file, const hd_cube *cube)
{
    fputs(",\n\"regions\":[", file);
    for (uint32_t i = 0; i < cube->n_regions; i++) {
        const hd_cube_region *region = &cube->regions[i];

        fprintf(file, "%s\n{\"name\":", between(i));
        hd_json_text(file, region->name);
        fputs(",\"file\":", file);
        hd_json_text(file, region->file);
        fputs(",\"paradigm\":", file);
        hd_json_text(file, region->paradigm);
        fputs(",\"role\":", file);
        hd_json_text(file, region->role);
        fprintf(file, ",\"begin\":%" PRId32 "}", region->begin_line);
    }
    fputs("]", file);
}

static void
put_paths(FILE *file, const hd_cube *cube)
{
    fputs(",\n\"paths\":{", file);
    put_indexes(file, "region", cube->n_paths, path_region, cube);
    putc(',', file);
    put_indexes(file, "parent", cube->n_paths, path_parent, cube);
    putc(',', file);
    put_indexes(file, "number", cube->n_paths, path_number, cube);
    putc(',', file);
    put_texts(file, "label", cube->n_paths, path_label, cube);
    fputs("}", file);
}

static void
put_system(FILE *file, const hd_cube *cube)
{
    fputs(",\n\"system\":{\"nodes\":{", file);
    put_texts(file, "name", cube->n_nodes, node_name, cube);
    putc(',', file);
    put_texts(file, "class", cube->n_nodes, node_class, cube);
    putc(',', file);
    put_indexes(file, "parent", cube->n_nodes, node_parent, cube);
    fputs("},\n\"groups\":{", file);
    put_texts(file, "name", cube->n_groups, group_name, cube);
    putc(',', file);
    put_indexes(file, "rank", cube->n_groups, group_rank, cube);
    putc(',', file);
    put_indexes(file, "node", cube->n_groups, group_node, cube);
    fputs("},\n\"locations\":{", file);
    put_texts(file, "name", cube->n_locations, location_name, cube);
    putc(',', file);
    put_indexes(file, "thread", cube->n_locations, location_thread, cube);
    putc(',', file);
    put_indexes(file, "group", cube->n_locations, location_group, cube);
    fputs("},\n\"others\":[", file);
    for (uint32_t i = 0, n = 0; i < cube->n_locations; i++)
        if (strcmp(cube->locations[i].type, "thread") != 0)
            fprintf(file, "%s%" PRIu32, between(n++), i);
    fputs("]}", file);
}

static void
put_topology(FILE *file, const hd_cube_topology *topology)
{
    size_t n_numbers = topology->n_rows * (1 + (size_t)topology->n_dimensions);

    fputs("{\"name\":", file);
    hd_json_text(file, topology->name);
    fputs(",\"dimensions\":[", file);
    for (uint32_t i = 0; i < topology->n_dimensions; i++) {
        fprintf(file, "%s{\"name\":", between(i));
        hd_json_text(file, hd_cube_dimension_name(topology, i));
        fprintf(file, ",\"size\":%" PRIu32 ",\"periodic\":%s}", topology->dimensions[i].size,
                topology->dimensions[i].is_periodic ? "true" : "false");
    }
    fputs("],\"coordinates\":[", file);
    for (size_t i = 0; i < n_numbers; i++)
        fprintf(file, "%s%" PRIu32, between(i), topology->rows[i]);
    fputs("]}", file);
}

static hd_status
put_topologies(FILE *file, hd_cube *cube)
{
    putc('[', file);
    for (uint32_t i = 0; i < cube->n_topologies; i++) {
        fprintf(file, "%s\n", between(i));
        put_topology(file, &cube->topologies[i]);
    }
    fputs("]", file);
    return HD_OK;
}

static hd_status
put_tables(FILE *file, hd_cube *cube)
{
    static const char *const names[] = { "findings", "causes", "pairs", "statistics", "instances", "moments" };

    putc('{', file);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char     *member = hd_format("heddle.%s.tsv", names[i]), *text;
        size_t    bytes;
        hd_status status = hd_cube_misc(cube, member, MAX_TABLE_BYTES, &text, &bytes);

        free(member);
        if (status != HD_OK)
            return status;
        fprintf(file, "%s\n\"%s\":", between(i), names[i]);
        hd_json_text(file, text);
        free(text);
    }
    fputs("}", file);
    return HD_OK;
}

/* What the summary says of processes that could not finish. */
static hd_status
put_unfinished(FILE *file, hd_cube *cube)
{
    char     *text;
    hd_status status = hd_summary_section_text(cube, HD_HEADING_unfinished, &(hd_summary_options){ .n_top = N_UNFINISHED }, &text);

    hd_json_text(file, text);
    free(text);
    return status;
}

static hd_status
put_nodes(FILE *file, hd_cube *cube)
{
    hd_node_time *nodes;
    uint32_t      n;
    hd_status     status = hd_node_times(cube, &nodes, &n);

    putc('[', file);
    for (uint32_t i = 0; i < n; i++) {
        fprintf(file, "%s\n{\"name\":", between(i));
        hd_json_text(file, nodes[i].name);
        fprintf(file, ",\"processes\":%" PRIu32 ",\"time\":", nodes[i].n_processes);
        hd_json_number(file, nodes[i].time);
        fputs(",\"computation\":", file);
        hd_json_number(file, nodes[i].computation);
        fputs(",\"mpi\":", file);
        hd_json_number(file, nodes[i].mpi);
        fputs(",\"waiting\":", file);
        hd_json_number(file, nodes[i].waiting);
        putc('}', file);
    }
    putc(']', file);
    hd_node_times_free(nodes, n);
    return status;
}

/* What sections and views of the page need beside metrics, call paths and system: a key of the head, and what writes its value.
 * A new section that needs data of its own has a row here. Errors: those of hd_cube_row() and hd_cube_misc(). */
static const struct page_data {
    const char *key;
    hd_status (*put)(FILE *file, hd_cube *cube);
} page_data[] = {
    { "topologies", put_topologies },
    { "tables", put_tables },
    { "unfinished", put_unfinished },
    { "nodes", put_nodes },
};

hd_status
hd_page_head_make(hd_cube *cube, const hd_page_head *head, char **text, size_t *bytes)
{
    FILE     *file   = open_memstream(text, bytes);
    hd_status status = HD_OK;

    if (file == NULL)
        hd_fatal("out of memory: the head of the page cannot be made");
    fprintf(file, "{\"format\":1,\"kind\":\"%s\",\n\"title\":", head->is_difference ? "difference" : "report");
    hd_json_text(file, head->title);
    fputs(",\"creator\":", file);
    put_creator(file, cube);
    fputs(",\"beside\":", file);
    hd_json_text(file, head->folder);
    fputs(",\"startup\":", file);
    hd_json_text(file, head->startup);
    put_headings(file);
    put_attributes(file, cube);
    put_metrics(file, cube, head);
    put_left_out(file, cube);
    put_regions(file, cube);
    put_paths(file, cube);
    put_system(file, cube);
    for (size_t i = 0; i < sizeof page_data / sizeof *page_data && status == HD_OK; i++) {
        fprintf(file, ",\n\"%s\":", page_data[i].key);
        status = page_data[i].put(file, cube);
    }
    fputs("}\n", file);
    if (fclose(file) != 0)
        hd_fatal("out of memory: the head of the page cannot be made");
    if (status != HD_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}
