#include "cube_out.h"

#include <errno.h>
#include <stdio.h>

#include "anchor_text.h"
#include "memory.h"
#include "new_file.h"
#include "tar_out.h"
#include "tree_order.h"

#define put hd_anchor_put
#define put_lines hd_anchor_put_lines
#define format hd_out_file_format

typedef struct cube_out {
    const hd_cube_out *what;
    const hd_cube     *cube;
    hd_out_file        out;
    hd_tree_order      metrics, paths, nodes;
    uint32_t          *number;      /* [metrics] in the file */
    uint32_t          *path_of_row; /* [n_paths] */
    hd_cube_cell      *cells;       /* [n_locations] */
    uint32_t          *rows;        /* [n_paths] those that have values */
} cube_out;

/* ---- values -------------------------------------------------------------------------------------------------------------- */

static void
put_index(cube_out *writer, const char *name, uint32_t n_rows)
{
    const uint32_t byte_order = 1;
    const uint16_t version    = 0;
    const uint8_t  sparse     = 1;
    uint64_t       bytes      = 22 + 4 * (uint64_t)n_rows;
    hd_out_file   *out        = &writer->out;

    hd_tar_put_header(out, name, bytes, hd_tar_is_large(bytes));
    hd_out_file_put(out, "CUBEX.INDEX", 11);
    hd_out_file_put(out, &byte_order, sizeof byte_order);
    hd_out_file_put(out, &version, sizeof version);
    hd_out_file_put(out, &sparse, sizeof sparse);
    hd_out_file_put(out, &n_rows, sizeof n_rows);
    hd_out_file_put(out, writer->rows, (size_t)n_rows * sizeof *writer->rows);
    hd_tar_put_padding(out);
}

static hd_status
put_rows(cube_out *writer, uint32_t metric, uint32_t *n_rows)
{
    const hd_cube *cube   = writer->cube;
    hd_status      status = HD_OK;

    *n_rows = 0;
    for (uint32_t row = 0; row < cube->n_paths && status == HD_OK && writer->out.error == 0; row++) {
        bool any = false;

        status = writer->what->rows(writer->what->context, metric, writer->path_of_row[row], writer->cells, &any);
        if (status != HD_OK || !any)
            continue;
        hd_out_file_put(&writer->out, writer->cells, cube->n_locations * sizeof *writer->cells);
        writer->rows[(*n_rows)++] = row;
    }
    return status;
}

/* The size of the data is known behind them; their header goes in front of them then. A metric without rows leaves nothing. */
static hd_status
put_metric_values(cube_out *writer, uint32_t metric)
{
    const hd_cube *cube     = writer->cube;
    const char    *prefix   = cube->metrics[metric].is_hidden ? "ghost_" : "";
    uint64_t       header   = hd_out_file_place(&writer->out);
    bool           is_large = hd_tar_is_large(10 + (uint64_t)cube->n_paths * cube->n_locations * sizeof(hd_cube_cell));
    uint64_t       end;
    uint32_t       n_rows;
    char           name[40];
    hd_status      status;

    hd_out_file_flush(&writer->out);
    writer->out.at = header + hd_tar_header_bytes(is_large);
    hd_out_file_put(&writer->out, "CUBEX.DATA", 10);
    status = put_rows(writer, metric, &n_rows);
    if (status != HD_OK)
        return status;
    if (n_rows > 0)
        hd_tar_put_padding(&writer->out);
    else
        writer->out.n = 0;
    end = hd_out_file_place(&writer->out);
    hd_out_file_flush(&writer->out);
    writer->out.at = header;
    if (n_rows == 0)
        return HD_OK;

    snprintf(name, sizeof name, "%s%" PRIu32 ".data", prefix, writer->number[metric]);
    hd_tar_put_header(&writer->out, name, 10 + (uint64_t)n_rows * cube->n_locations * sizeof(hd_cube_cell), is_large);
    hd_out_file_flush(&writer->out);
    writer->out.at = end;
    snprintf(name, sizeof name, "%s%" PRIu32 ".index", prefix, writer->number[metric]);
    put_index(writer, name, n_rows);
    return HD_OK;
}

/* ---- the anchor ---------------------------------------------------------------------------------------------------------- */

static void
put_attributes(cube_out *writer, hd_cube_slice slice)
{
    for (uint32_t i = slice.first; i < slice.first + slice.n; i++)
        hd_anchor_put_attribute(&writer->out, writer->cube->part_attributes[i].key, writer->cube->part_attributes[i].value);
}

static const char *
type_of(const hd_cube_metric *metric)
{
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
put_metric(cube_out *writer, uint32_t metric)
{
    static const char *const kinds[] = { [HD_CUBE_STORED]               = "EXCLUSIVE",
                                         [HD_CUBE_PREDERIVED_INCLUSIVE] = "PREDERIVED_INCLUSIVE",
                                         [HD_CUBE_PREDERIVED_EXCLUSIVE] = "PREDERIVED_EXCLUSIVE",
                                         [HD_CUBE_POSTDERIVED]          = "POSTDERIVED" };
    const hd_cube_metric    *m       = &writer->cube->metrics[metric];
    hd_out_file             *out     = &writer->out;

    HD_ASSERT(!(m->is_integer && m->is_extreme));
    format(out, "<metric id=\"%" PRIu32 "\" type=\"%s\"%s>\n", writer->number[metric], kinds[m->kind],
           m->is_hidden ? " viztype=\"GHOST\"" : "");
    put_lines(out, "disp_name", m->name);
    put_lines(out, "uniq_name", m->id);
    put_lines(out, "dtype", type_of(m));
    put_lines(out, "uom", m->unit);
    put_lines(out, "url", m->url);
    put_lines(out, "descr", m->what);
    if (m->kind != HD_CUBE_STORED) {
        put_lines(out, "cubepl", m->expression);
        if (*m->preparation != '\0')
            put_lines(out, "cubeplinit", m->preparation);
        put_formula(out, "plus", m->plus);
        put_formula(out, "minus", m->minus);
        put_formula(out, "aggr", m->together);
    }
    put_attributes(writer, m->attributes);
}

static void
put_region(cube_out *writer, uint32_t region)
{
    const hd_cube_region *r   = &writer->cube->regions[region];
    hd_out_file          *out = &writer->out;

    format(out, "<region id=\"%" PRIu32 "\"", region);
    hd_anchor_put_value(out, "mod", r->file);
    hd_anchor_put_line(out, "begin", r->begin_line);
    hd_anchor_put_line(out, "end", r->end_line);
    put(out, ">\n");
    put_lines(out, "name", r->name);
    put_lines(out, "mangled_name", r->mangled_name);
    put_lines(out, "paradigm", r->paradigm);
    put_lines(out, "role", r->role);
    put_lines(out, "url", r->url);
    put_lines(out, "descr", r->what);
    put_attributes(writer, r->attributes);
    put(out, "</region>\n");
}

static void
put_path(cube_out *writer, uint32_t path, uint32_t number)
{
    const hd_cube_path *p   = &writer->cube->paths[path];
    hd_out_file        *out = &writer->out;

    HD_ASSERT(p->region < writer->cube->n_regions);
    format(out, "<cnode id=\"%" PRIu32 "\"", number);
    if (p->call_line > 0)
        hd_anchor_put_line(out, "line", p->call_line);
    if (*p->call_file != '\0')
        hd_anchor_put_value(out, "mod", p->call_file);
    format(out, " calleeId=\"%" PRIu32 "\">\n", p->region);
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
    uint32_t  n_nodes, n_groups; /* written so far */
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
put_location(cube_out *writer, uint32_t location)
{
    const hd_cube_location *l   = &writer->cube->locations[location];
    hd_out_file            *out = &writer->out;

    format(out, "<location Id=\"%" PRIu32 "\">\n", location);
    put_lines(out, "name", l->name);
    format(out, "<rank>%" PRIu32 "</rank>\n", l->thread);
    put_lines(out, "type", *l->type != '\0' ? l->type : "thread");
    put_attributes(writer, l->attributes);
    put(out, "</location>\n");
}

static void
put_group(cube_out *writer, const chains *c, uint32_t group, uint32_t number)
{
    const hd_cube_group *g   = &writer->cube->groups[group];
    hd_out_file         *out = &writer->out;

    format(out, "<locationgroup Id=\"%" PRIu32 "\">\n", number);
    put_lines(out, "name", g->name);
    format(out, "<rank>%" PRIu32 "</rank>\n", g->rank);
    put_lines(out, "type", *g->type != '\0' ? g->type : "process");
    put_attributes(writer, g->attributes);
    for (uint32_t i = c->first_location[group]; i != HD_NONE; i = c->next_location[i])
        put_location(writer, i);
    put(out, "</locationgroup>\n");
}

static void
put_node(cube_out *writer, chains *c, uint32_t node)
{
    const hd_cube_node *n   = &writer->cube->nodes[node];
    hd_out_file        *out = &writer->out;

    format(out, "<systemtreenode Id=\"%" PRIu32 "\">\n", c->n_nodes++);
    put_lines(out, "name", n->name);
    put_lines(out, "class", n->class_name);
    if (*n->what != '\0')
        put_lines(out, "descr", n->what);
    put_attributes(writer, n->attributes);
    for (uint32_t i = c->first_group[node]; i != HD_NONE; i = c->next_group[i])
        put_group(writer, c, i, c->n_groups++);
}

static void
put_topology(cube_out *writer, const hd_cube_topology *topology)
{
    hd_out_file    *out = &writer->out;
    const uint32_t *row = topology->rows;

    put(out, "<cart");
    hd_anchor_put_value(out, "name", topology->name);
    format(out, " ndims=\"%" PRIu32 "\">\n", topology->n_dimensions);
    for (uint32_t i = 0; i < topology->n_dimensions; i++)
        hd_anchor_put_dimension(out, topology->dimensions[i].name, topology->dimensions[i].size, topology->dimensions[i].is_periodic);
    for (size_t i = 0; i < topology->n_rows; i++, row += 1 + topology->n_dimensions)
        hd_anchor_put_coordinate(out, row[0], row + 1, topology->n_dimensions);
    put(out, "</cart>\n");
}

static void
put_system(cube_out *writer)
{
    const hd_cube *cube = writer->cube;
    chains         c;

    chains_init(&c, cube);
    put(&writer->out, "<system>\n");
    for (hd_tree_walk walk = { &writer->nodes, writer->nodes.first_root, true }; walk.node != HD_NONE; hd_tree_walk_on(&walk))
        if (walk.down)
            put_node(writer, &c, walk.node);
        else
            put(&writer->out, "</systemtreenode>\n");
    put(&writer->out, "<topologies>\n");
    for (uint32_t i = 0; i < cube->n_topologies; i++)
        put_topology(writer, &cube->topologies[i]);
    put(&writer->out, "</topologies>\n</system>\n");
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
put_anchor(cube_out *writer)
{
    const hd_cube *cube = writer->cube;
    hd_out_file   *out  = &writer->out;
    uint32_t       n    = 0;

    format(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cube version=\"%s\">\n", version_of(cube));
    for (uint32_t i = 0; i < cube->n_attributes; i++)
        hd_anchor_put_attribute(out, cube->attributes[i].key, cube->attributes[i].value);
    put(out, "<doc>\n<mirrors>\n");
    for (uint32_t i = 0; i < cube->n_mirrors; i++)
        put_lines(out, "murl", cube->mirrors[i]);
    put(out, "</mirrors>\n</doc>\n<metrics>\n");
    for (hd_tree_walk walk = { &writer->metrics, writer->metrics.first_root, true }; walk.node != HD_NONE; hd_tree_walk_on(&walk))
        if (walk.down)
            put_metric(writer, walk.node);
        else
            put(out, "</metric>\n");
    put(out, "</metrics>\n<program>\n");
    for (uint32_t i = 0; i < cube->n_regions; i++)
        put_region(writer, i);
    for (hd_tree_walk walk = { &writer->paths, writer->paths.first_root, true }; walk.node != HD_NONE; hd_tree_walk_on(&walk))
        if (walk.down)
            put_path(writer, walk.node, n++);
        else
            put(out, "</cnode>\n");
    put(out, "</program>\n");
    put_system(writer);
    put(out, "</cube>\n");
}

/* Its size, too, is known behind it. */
static void
put_anchor_member(cube_out *writer)
{
    hd_out_file *out    = &writer->out;
    uint64_t     header = hd_out_file_place(out), size;

    hd_out_file_fill(out, 0, HD_TAR_BLOCK_BYTES);
    put_anchor(writer);
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

/* ---- the whole ----------------------------------------------------------------------------------------------------------- */

static void
prepare(cube_out *writer)
{
    const hd_cube *cube      = writer->cube;
    uint32_t       n_metrics = cube->n_metrics + cube->n_hidden, n = 0;
    uint32_t       most      = n_metrics > cube->n_paths ? n_metrics : cube->n_paths;
    uint32_t      *parents   = HD_NEW_ARRAY(uint32_t, (size_t)(most > cube->n_nodes ? most : cube->n_nodes) + 1);

    for (uint32_t i = 0; i < n_metrics; i++)
        parents[i] = cube->metrics[i].parent;
    hd_tree_order_init(&writer->metrics, parents, n_metrics);
    for (uint32_t i = 0; i < cube->n_paths; i++)
        parents[i] = cube->paths[i].parent;
    hd_tree_order_init(&writer->paths, parents, cube->n_paths);
    for (uint32_t i = 0; i < cube->n_nodes; i++)
        parents[i] = cube->nodes[i].parent;
    hd_tree_order_init(&writer->nodes, parents, cube->n_nodes);
    free(parents);

    writer->path_of_row = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_paths + 1);
    hd_tree_order_list(&writer->paths, writer->path_of_row);
    writer->number = HD_NEW_ARRAY(uint32_t, (size_t)n_metrics + 1);
    for (hd_tree_walk walk = { &writer->metrics, writer->metrics.first_root, true }; walk.node != HD_NONE; hd_tree_walk_on(&walk))
        if (walk.down)
            writer->number[walk.node] = n++;
    writer->cells = HD_NEW_ARRAY(hd_cube_cell, (size_t)cube->n_locations + 1);
    writer->rows  = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_paths + 1);
}

static void
clean_up(cube_out *writer)
{
    hd_out_file_fini(&writer->out);
    hd_tree_order_fini(&writer->metrics);
    hd_tree_order_fini(&writer->paths);
    hd_tree_order_fini(&writer->nodes);
    free(writer->number);
    free(writer->path_of_row);
    free(writer->cells);
    free(writer->rows);
}

static hd_status
write_file(cube_out *writer, const char *path)
{
    const hd_cube *cube   = writer->cube;
    hd_status      status = HD_OK;

    for (uint32_t i = 0; i < cube->n_metrics + cube->n_hidden && status == HD_OK; i++)
        if (cube->metrics[i].kind == HD_CUBE_STORED && cube->n_locations > 0)
            status = put_metric_values(writer, i);
    if (status != HD_OK)
        return status;
    for (size_t i = 0; i < writer->what->n_members; i++) {
        const hd_cube_member *member = &writer->what->members[i];

        hd_tar_put_member(&writer->out, member->name, member->data, member->bytes);
    }
    put_anchor_member(writer);
    if (writer->out.error != 0)
        return hd_fail(HD_EWRITE, "cannot write report \"%s\": %s", path, strerror(writer->out.error));
    return HD_OK;
}

hd_status
hd_cube_out_write(const hd_cube_out *what, const char *path)
{
    cube_out    writer = { .what = what, .cube = what->cube };
    hd_new_file file;
    int         error  = hd_new_file_open(&file, path, false);
    hd_status   status = HD_OK;

    if (error != 0)
        status = hd_fail(HD_EOPEN, "cannot make report \"%s\": %s", path, strerror(error));
    else {
        prepare(&writer);
        hd_out_file_init(&writer.out, file.fd, 0);
        status = write_file(&writer, path);
        clean_up(&writer);
        error = status == HD_OK ? hd_new_file_commit(&file, !what->keeps) : 0;
        if (error == EEXIST)
            status = hd_fail(HD_EEXIST, "report \"%s\" exists already", path);
        else if (error != 0)
            status = hd_fail(HD_EWRITE, "cannot write report \"%s\": %s", path, strerror(error));
    }
    hd_new_file_fini(&file);
    return status;
}

hd_status
hd_cube_rows_of(void *context, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any)
{
    return hd_cube_cells(context, metric, path, cells, any);
}
