/* src/cube/write/anchor_writer.c: anchor.xml, part after part. */
#include "anchor_writer.h"

#include <errno.h>
#include <string.h>

#include "anchor_text.h"
#include "memory.h"
#include "tar_out.h"

#define put hd_anchor_put
#define format hd_out_file_format

typedef struct anchor_writer {
    const hd_cube         *cube;
    hd_out_file           *out;
    const hd_anchor_order *order;
    hd_anchor_style        style;
} anchor_writer;

/* ---- order ------------------------------------------------------------------------------------------------------- */

void
hd_anchor_order_init(hd_anchor_order *order, const hd_cube *cube)
{
    uint32_t  n_metrics = cube->n_metrics + cube->n_hidden, n = 0;
    uint32_t  most      = n_metrics > cube->n_paths ? n_metrics : cube->n_paths;
    uint32_t *parents   = HD_NEW_ARRAY(uint32_t, (size_t)(most > cube->n_nodes ? most : cube->n_nodes) + 1);

    for (uint32_t i = 0; i < n_metrics; i++)
        parents[i] = cube->metrics[i].parent;
    hd_tree_order_init(&order->metrics, parents, n_metrics);
    for (uint32_t i = 0; i < cube->n_paths; i++)
        parents[i] = cube->paths[i].parent;
    hd_tree_order_init(&order->paths, parents, cube->n_paths);
    for (uint32_t i = 0; i < cube->n_nodes; i++)
        parents[i] = cube->nodes[i].parent;
    hd_tree_order_init(&order->nodes, parents, cube->n_nodes);
    free(parents);
    order->number = HD_NEW_ARRAY(uint32_t, (size_t)n_metrics + 1);
    for (hd_tree_walk walk = { &order->metrics, order->metrics.first_root, true }; walk.node != HD_NONE;
         hd_tree_walk_on(&walk))
        if (walk.down)
            order->number[walk.node] = n++;
}

void
hd_anchor_order_fini(hd_anchor_order *order)
{
    hd_tree_order_fini(&order->metrics);
    hd_tree_order_fini(&order->paths);
    hd_tree_order_fini(&order->nodes);
    free(order->number);
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

static void
put_text(const anchor_writer *writer, const char *element, const char *text)
{
    (writer->style == HD_ANCHOR_OF_ANALYSIS ? hd_anchor_put_element : hd_anchor_put_lines)(writer->out, element, text);
}

static void
put_attributes(const anchor_writer *writer, hd_cube_slice slice)
{
    for (uint32_t i = slice.first; i < slice.first + slice.n; i++)
        hd_anchor_put_attribute(writer->out, writer->cube->part_attributes[i].key,
                                writer->cube->part_attributes[i].value);
}

static const char *
type_of(const hd_cube_metric *metric, hd_anchor_style style)
{
    if (style == HD_ANCHOR_OF_ANALYSIS && metric->kind == HD_CUBE_STORED && metric->type != NULL)
        return metric->type;
    if (style == HD_ANCHOR_OF_ANALYSIS)
        return metric->is_integer ? "INTEGER" : "FLOAT";
    if (metric->kind != HD_CUBE_STORED)
        return "DOUBLE";
    if (metric->is_extreme)
        return metric->is_minimum ? "MINDOUBLE" : "MAXDOUBLE";
    return !metric->is_integer ? "DOUBLE" : metric->is_unsigned ? "UINT64" : "INT64";
}

/* Readers want its attribute without quotes. */
static void
put_formula(hd_out_file *out, const char *type, const char *text)
{
    if (*text == '\0')
        return;
    format(out, "<cubeplaggr cubeplaggrtype=%s>", type);
    hd_out_file_put_xml_lines(out, text);
    put(out, "</cubeplaggr>\n");
}

static void
put_metric(const anchor_writer *writer, uint32_t metric)
{
    static const char *const kinds[] = { [HD_CUBE_STORED]               = "EXCLUSIVE",
                                         [HD_CUBE_PREDERIVED_INCLUSIVE] = "PREDERIVED_INCLUSIVE",
                                         [HD_CUBE_PREDERIVED_EXCLUSIVE] = "PREDERIVED_EXCLUSIVE",
                                         [HD_CUBE_POSTDERIVED]          = "POSTDERIVED" };
    const hd_cube_metric    *m       = &writer->cube->metrics[metric];
    hd_out_file             *out     = writer->out;

    HD_ASSERT(!(m->is_integer && m->is_extreme));
    format(out, "<metric id=\"%" PRIu32 "\" type=\"%s\"%s>\n", writer->order->number[metric], kinds[m->kind],
           m->is_hidden ? " viztype=\"GHOST\"" : "");
    put_text(writer, "disp_name", m->name);
    put_text(writer, "uniq_name", m->id);
    put_text(writer, "dtype", type_of(m, writer->style));
    put_text(writer, "uom", m->unit);
    put_text(writer, "url", m->url);
    put_text(writer, "descr", m->what);
    if (m->kind != HD_CUBE_STORED) {
        put_text(writer, "cubepl", m->expression);
        if (*m->preparation != '\0')
            put_text(writer, "cubeplinit", m->preparation);
        put_formula(out, "plus", m->plus);
        put_formula(out, "minus", m->minus);
        put_formula(out, "aggr", m->together);
    }
    put_attributes(writer, m->attributes);
}

static void
put_region(const anchor_writer *writer, uint32_t region)
{
    const hd_cube_region *r   = &writer->cube->regions[region];
    hd_out_file          *out = writer->out;

    format(out, "<region id=\"%" PRIu32 "\"", region);
    hd_anchor_put_value(out, "mod", r->file);
    hd_anchor_put_line(out, "begin", r->begin_line);
    hd_anchor_put_line(out, "end", r->end_line);
    put(out, ">\n");
    put_text(writer, "name", r->name);
    put_text(writer, "mangled_name", r->mangled_name);
    put_text(writer, "paradigm", r->paradigm);
    put_text(writer, "role", r->role);
    put_text(writer, "url", r->url);
    put_text(writer, "descr", r->what);
    put_attributes(writer, r->attributes);
    put(out, "</region>\n");
}

static void
put_path(const anchor_writer *writer, uint32_t path, uint32_t number)
{
    const hd_cube_path *p   = &writer->cube->paths[path];
    hd_out_file        *out = writer->out;

    HD_ASSERT(p->region < writer->cube->n_regions);
    put(out, "<cnode id=\"");
    hd_anchor_put_number(out, number);
    put(out, "\"");
    if (p->call_line > 0)
        hd_anchor_put_line(out, "line", p->call_line);
    if (*p->call_file != '\0')
        hd_anchor_put_value(out, "mod", p->call_file);
    put(out, " calleeId=\"");
    hd_anchor_put_number(out, p->region);
    put(out, "\">\n");
    for (uint32_t i = p->parameters.first; i < p->parameters.first + p->parameters.n; i++) {
        const hd_cube_parameter *parameter = &writer->cube->parameters[i];

        put(out, "<parameter");
        hd_anchor_put_value(out, "partype", parameter->is_number ? "numeric" : "string");
        hd_anchor_put_value(out, "parkey", parameter->key);
        hd_anchor_put_value(out, "parvalue", parameter->value);
        put(out, "/>\n");
    }
    put_attributes(writer, p->attributes);
}

typedef struct chains { /* what stands at a node, and in a group: HD_NONE: none */
    uint32_t *first_group, *next_group, *first_location, *next_location;
} chains;

static uint32_t *
chain_new(uint32_t n)
{
    return memset(HD_NEW_ARRAY(uint32_t, (size_t)n + 1), 0xFF, ((size_t)n + 1) * sizeof(uint32_t)); /* HD_NONE */
}

static void
chains_init(chains *c, const hd_cube *cube)
{
    *c = (chains){ .first_group    = chain_new(cube->n_nodes),
                   .next_group     = chain_new(cube->n_groups),
                   .first_location = chain_new(cube->n_groups),
                   .next_location  = chain_new(cube->n_locations) };
    for (uint32_t i = cube->n_groups; i-- > 0;) {
        uint32_t node = cube->groups[i].parent;

        HD_ASSERT(node < cube->n_nodes);
        c->next_group[i]     = c->first_group[node];
        c->first_group[node] = i;
    }
    for (uint32_t i = cube->n_locations; i-- > 0;) {
        uint32_t group = cube->locations[i].group;

        HD_ASSERT(group < cube->n_groups);
        c->next_location[i]      = c->first_location[group];
        c->first_location[group] = i;
    }
}

static void
chains_fini(chains *c)
{
    free(c->first_group);
    free(c->next_group);
    free(c->first_location);
    free(c->next_location);
}

static void
put_location(const anchor_writer *writer, uint32_t location)
{
    const hd_cube_location *l   = &writer->cube->locations[location];
    hd_out_file            *out = writer->out;

    format(out, "<location Id=\"%" PRIu32 "\">\n", location);
    put_text(writer, "name", l->name);
    format(out, "<rank>%" PRIu32 "</rank>\n", l->thread);
    put_text(writer, "type", *l->type != '\0' ? l->type : "thread");
    put_attributes(writer, l->attributes);
    put(out, "</location>\n");
}

static void
put_group(const anchor_writer *writer, const chains *c, uint32_t group)
{
    const hd_cube_group *g   = &writer->cube->groups[group];
    hd_out_file         *out = writer->out;

    format(out, "<locationgroup Id=\"%" PRIu32 "\">\n", group);
    put_text(writer, "name", g->name);
    format(out, "<rank>%" PRIu32 "</rank>\n", g->rank);
    put_text(writer, "type", *g->type != '\0' ? g->type : "process");
    put_attributes(writer, g->attributes);
    for (uint32_t i = c->first_location[group]; i != HD_NONE; i = c->next_location[i])
        put_location(writer, i);
    put(out, "</locationgroup>\n");
}

static void
put_node(const anchor_writer *writer, const chains *c, uint32_t node)
{
    const hd_cube_node *n   = &writer->cube->nodes[node];
    hd_out_file        *out = writer->out;

    format(out, "<systemtreenode Id=\"%" PRIu32 "\">\n", node);
    put_text(writer, "name", n->name);
    put_text(writer, "class", n->class_name);
    if (*n->what != '\0')
        put_text(writer, "descr", n->what);
    put_attributes(writer, n->attributes);
    for (uint32_t i = c->first_group[node]; i != HD_NONE; i = c->next_group[i])
        put_group(writer, c, i);
}

static void
put_topology(const anchor_writer *writer, const hd_cube_topology *topology)
{
    hd_out_file    *out = writer->out;
    const uint32_t *row = topology->rows;

    put(out, "<cart");
    hd_anchor_put_value(out, "name", topology->name);
    format(out, " ndims=\"%" PRIu32 "\">\n", topology->n_dimensions);
    for (uint32_t i = 0; i < topology->n_dimensions; i++)
        hd_anchor_put_dimension(out, topology->dimensions[i].name, topology->dimensions[i].size,
                                topology->dimensions[i].is_periodic);
    for (size_t i = 0; i < topology->n_rows; i++, row += 1 + topology->n_dimensions)
        hd_anchor_put_coordinate(out, row[0], row + 1, topology->n_dimensions);
    put(out, "</cart>\n");
}

static void
put_system(const anchor_writer *writer)
{
    const hd_cube *cube = writer->cube;
    chains         c;

    chains_init(&c, cube);
    put(writer->out, "<system>\n");
    for (hd_tree_walk walk = { &writer->order->nodes, writer->order->nodes.first_root, true }; walk.node != HD_NONE;
         hd_tree_walk_on(&walk))
        if (walk.down)
            put_node(writer, &c, walk.node);
        else
            put(writer->out, "</systemtreenode>\n");
    put(writer->out, "<topologies>\n");
    for (uint32_t i = 0; i < cube->n_topologies; i++)
        put_topology(writer, &cube->topologies[i]);
    put(writer->out, "</topologies>\n</system>\n");
    chains_fini(&c);
}

/* Readers know of accelerators from 4.7 on. */
static const char *
version_of(const hd_cube *cube)
{
    for (uint32_t i = 0; i < cube->n_locations; i++)
        if (strncmp(cube->locations[i].type, "accelerator", strlen("accelerator")) == 0)
            return "4.7";
    for (uint32_t i = 0; i < cube->n_groups; i++)
        if (strcmp(cube->groups[i].type, "accelerator") == 0)
            return "4.7";
    return "4.4";
}

static void
put_anchor(const anchor_writer *writer)
{
    const hd_cube *cube = writer->cube;
    hd_out_file   *out  = writer->out;
    uint32_t       n    = 0;

    format(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cube version=\"%s\">\n", version_of(cube));
    for (uint32_t i = 0; i < cube->n_attributes; i++)
        hd_anchor_put_attribute(out, cube->attributes[i].key, cube->attributes[i].value);
    put(out, "<doc>\n<mirrors>\n");
    for (uint32_t i = 0; i < cube->n_mirrors; i++)
        put_text(writer, "murl", cube->mirrors[i]);
    put(out, "</mirrors>\n</doc>\n<metrics>\n");
    for (hd_tree_walk walk = { &writer->order->metrics, writer->order->metrics.first_root, true }; walk.node != HD_NONE;
         hd_tree_walk_on(&walk))
        if (walk.down)
            put_metric(writer, walk.node);
        else
            put(out, "</metric>\n");
    put(out, "</metrics>\n<program>\n");
    for (uint32_t i = 0; i < cube->n_regions; i++)
        put_region(writer, i);
    for (hd_tree_walk walk = { &writer->order->paths, writer->order->paths.first_root, true }; walk.node != HD_NONE;
         hd_tree_walk_on(&walk))
        if (walk.down)
            put_path(writer, walk.node, n++);
        else
            put(out, "</cnode>\n");
    put(out, "</program>\n");
    put_system(writer);
    put(out, "</cube>\n");
}

/* ---- the member -------------------------------------------------------------------------------------------------- */

/* The size is known after the anchor; its header goes before it then. A size that is a multiple of a block does not
 * occur. */
void
hd_anchor_put_last(hd_out_file *out, const hd_cube *cube, const hd_anchor_order *order, hd_anchor_style style)
{
    anchor_writer writer = { .cube = cube, .out = out, .order = order, .style = style };
    uint64_t      header = hd_out_file_place(out), size;

    hd_out_file_fill(out, 0, HD_TAR_BLOCK_BYTES);
    put_anchor(&writer);
    size = hd_out_file_place(out) - header - HD_TAR_BLOCK_BYTES;
    if (size % HD_TAR_BLOCK_BYTES == 0) {
        put(out, "\n");
        size++;
    }
    hd_tar_put_padding(out);
    hd_tar_put_end(out);
    hd_out_file_flush(out);
    if (out->error == 0 && hd_tar_is_large(size))
        out->error = EFBIG;
    out->at = header;
    hd_tar_put_header(out, "anchor.xml", out->error == 0 ? size : 0, false);
    hd_out_file_flush(out);
}
