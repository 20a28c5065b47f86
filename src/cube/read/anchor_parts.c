/* src/cube/read/anchor_parts.c: what the elements of an anchor say of metrics, regions, call paths, the system tree and
 * topologies. */
#include "anchor_parts.h"

#include <errno.h>
#include <strings.h>

#include "memory.h"

enum { IS_CALLED_NODE = 1, IS_MARKED = 2 }; /* its class is "node"; it has the attribute */

static const char *
attribute(const char **attributes, const char *key)
{
    for (; attributes[0] != NULL; attributes += 2)
        if (strcmp(attributes[0], key) == 0)
            return attributes[1];
    return NULL;
}

static uint32_t
parse_number(hd_anchor_parser *parser, const char *what, const char *text)
{
    unsigned long value;
    char         *end;

    errno = 0;
    if (text == NULL || *text < '0' || *text > '9') {
        hd_anchor_stop(parser, "%s is no number", what);
        return 0;
    }
    value = strtoul(text, &end, 10);
    if (errno != 0 || *end != '\0' || value >= HD_NONE) {
        hd_anchor_stop(parser, "%s is no number, or too large", what);
        return 0;
    }
    return (uint32_t)value;
}

/* Where what is not understood is left out: HD_NONE if it is no number. */
static uint32_t
number_in(const char *text)
{
    unsigned long value;
    char         *end;

    errno = 0;
    if (text == NULL || *text < '0' || *text > '9')
        return HD_NONE;
    value = strtoul(text, &end, 10);
    return errno == 0 && *end == '\0' && value < HD_NONE ? (uint32_t)value : HD_NONE;
}

static hd_value_format
format_of(const char *dtype)
{
    static const struct {
        const char  *name;
        hd_value_format format;
    } formats[] = {
        { "FLOAT", HD_FORMAT_DOUBLE }, { "DOUBLE", HD_FORMAT_DOUBLE }, { "MINDOUBLE", HD_FORMAT_DOUBLE },
        { "MAXDOUBLE", HD_FORMAT_DOUBLE }, { "INTEGER", HD_FORMAT_I64 }, { "INT64", HD_FORMAT_I64 },
        { "UINT64", HD_FORMAT_U64 }, { "INT32", HD_FORMAT_I32 }, { "INT", HD_FORMAT_I32 }, { "UINT32", HD_FORMAT_U32 },
        { "UNSIGNED INT", HD_FORMAT_U32 }, { "INT16", HD_FORMAT_I16 }, { "SHORT INT", HD_FORMAT_I16 },
        { "UINT16", HD_FORMAT_U16 }, { "UNSIGNED SHORT INT", HD_FORMAT_U16 }, { "INT8", HD_FORMAT_I8 },
        { "CHAR", HD_FORMAT_I8 }, { "UINT8", HD_FORMAT_U8 },
    };

    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, dtype) == 0)
            return formats[i].format;
    return HD_FORMAT_NONE;
}

static int32_t
line_in(const char *text)
{
    long line = text != NULL ? strtol(text, NULL, 10) : -1;

    return line > 0 && line <= INT32_MAX ? (int32_t)line : -1;
}

static const char *
keep_attribute(hd_anchor_parser *parser, const char **attributes, const char *key)
{
    const char *value = attribute(attributes, key);

    return value != NULL ? hd_cube_keep(parser->cube, value) : "";
}

/* Attributes of a part stand together, before what is inside of it; others are left out. */
static void
start_part_attribute(hd_anchor_parser *parser, const char **attributes, hd_cube_slice *slice)
{
    hd_cube_attribute new = { keep_attribute(parser, attributes, "key"), keep_attribute(parser, attributes, "value") };

    if (slice->n == 0)
        slice->first = (uint32_t)parser->n_part_attributes;
    if (*new.key == '\0' || slice->first + slice->n != parser->n_part_attributes)
        return;
    if (parser->n_part_attributes >= HD_NONE) {
        hd_anchor_stop(parser, "too many attributes");
        return;
    }
    slice->n++;
    HD_PUSH(parser->cube->part_attributes, parser->n_part_attributes, parser->part_attributes_capacity, new);
}

static void
start_cube(hd_anchor_parser *parser, const char **attributes)
{
    const char *version = attribute(attributes, "version");

    parser->cube->version = version != NULL ? hd_cube_keep(parser->cube, version) : "";
    if (*parser->cube->version != '\0' && *parser->cube->version != '4')
        hd_anchor_stop(parser, "it is of version %.20s of the format, and only version 4 can be read",
                       parser->cube->version);
}

static const struct {
    const char  *name;
    hd_cube_kind kind;
} metric_kinds[] = {
    { "INCLUSIVE", HD_CUBE_STORED },
    { "EXCLUSIVE", HD_CUBE_STORED },
    { "PREDERIVED_INCLUSIVE", HD_CUBE_PREDERIVED_INCLUSIVE },
    { "PREDERIVED_EXCLUSIVE", HD_CUBE_PREDERIVED_EXCLUSIVE },
    { "POSTDERIVED", HD_CUBE_POSTDERIVED },
};

static void
start_metric(hd_anchor_parser *parser, const char **attributes)
{
    const char   *type = attribute(attributes, "type");
    const char   *view = attribute(attributes, "viztype");
    hd_parsed_metric new  = { .kind = type != NULL ? hd_cube_keep(parser->cube, type) : "INCLUSIVE" };

    new.metric = (hd_cube_metric){ .id = "", .name = "", .unit = "", .what = "", .url = "", .type = "",
                                   .expression = "", .preparation = "", .plus = "", .minus = "", .together = "" };
    for (size_t i = 0; i < sizeof metric_kinds / sizeof *metric_kinds; i++)
        if (strcmp(metric_kinds[i].name, new.kind) == 0) {
            new.is_known    = true;
            new.metric.kind = metric_kinds[i].kind;
        }
    new.metric.parent       = parser->metric;
    new.metric.number       = parse_number(parser, "the id of a metric", attribute(attributes, "id"));
    new.metric.is_inclusive = strcmp(new.kind, "INCLUSIVE") == 0;
    new.metric.is_hidden    = view != NULL && strcmp(view, "GHOST") == 0;
    parser->metric          = (uint32_t)parser->n_metrics;
    HD_PUSH(parser->metrics, parser->n_metrics, parser->metrics_capacity, new);
}

static void
start_region(hd_anchor_parser *parser, const char **attributes)
{
    hd_cube_region new = { .name = "", .mangled_name = "", .paradigm = "", .role = "", .url = "", .what = "" };

    new.number     = parse_number(parser, "the id of a region", attribute(attributes, "id"));
    new.file       = keep_attribute(parser, attributes, "mod");
    new.begin_line = line_in(attribute(attributes, "begin"));
    new.end_line   = line_in(attribute(attributes, "end"));
    if (hd_table_get(&parser->regions, new.number) == HD_NONE)
        hd_table_add(&parser->regions, new.number, (uint32_t)parser->n_regions);
    HD_PUSH(parser->cube->regions, parser->n_regions, parser->regions_capacity, new);
}

static void
start_path(hd_anchor_parser *parser, const char **attributes)
{
    hd_cube_path new    = { .parent = parser->path };
    uint32_t     callee = parse_number(parser, "the callee of a call path", attribute(attributes, "calleeId"));
    size_t       n      = parser->n_paths;

    new.number    = parse_number(parser, "the id of a call path", attribute(attributes, "id"));
    new.call_file = keep_attribute(parser, attributes, "mod");
    new.call_line = line_in(attribute(attributes, "line"));
    if (parser->n_paths >= HD_NONE)
        hd_anchor_stop(parser, "too many call paths");
    parser->path = (uint32_t)parser->n_paths;
    HD_PUSH(parser->cube->paths, parser->n_paths, parser->paths_capacity, new);
    HD_PUSH(parser->callees, n, parser->callees_capacity, callee);
}

/* {key=value}: kept in the name of the path until the regions' names are known. */
static void
start_parameter(hd_anchor_parser *parser, const char **attributes)
{
    const char       *type = attribute(attributes, "partype");
    hd_cube_path     *path;
    hd_cube_parameter new = { .is_number = type != NULL && strcmp(type, "numeric") == 0 };
    char             *text;

    if (parser->path == HD_NONE)
        return;
    path      = &parser->cube->paths[parser->path];
    new.key   = keep_attribute(parser, attributes, "parkey");
    new.value = keep_attribute(parser, attributes, "parvalue");
    if ((path->name != NULL && strlen(path->name) > HD_ANCHOR_MAX_TEXT) || parser->n_parameters >= HD_NONE) {
        hd_anchor_stop(parser, "a call path has too many parameters");
        return;
    }
    if (path->parameters.n == 0)
        path->parameters.first = (uint32_t)parser->n_parameters;
    if (path->parameters.first + path->parameters.n != parser->n_parameters)
        return; /* after those of a call path below */
    path->parameters.n++;
    HD_PUSH(parser->cube->parameters, parser->n_parameters, parser->parameters_capacity, new);
    text       = hd_format("%s{%s=%s}", path->name != NULL ? path->name : "", new.key, new.value);
    path->name = hd_cube_keep(parser->cube, text);
    free(text);
}

static void
start_group(hd_anchor_parser *parser, const char *name)
{
    hd_cube_group new = { .name = "", .type = strcmp(name, "process") == 0 ? "process" : "" };

    new.parent = parser->open_nodes[parser->n_open_nodes - 1];
    HD_PUSH(parser->cube->groups, parser->n_groups, parser->groups_capacity, new);
}

static void
start_location(hd_anchor_parser *parser, const char *name, const char **attributes)
{
    hd_parsed_location new = { .location =
        { .name = "", .type = strcmp(name, "thread") == 0 ? "thread" : "", .process_name = "" } };

    new.number         = parse_number(parser, "the id of a location", attribute(attributes, "Id"));
    new.location.group = (uint32_t)parser->n_groups - 1;
    HD_PUSH(parser->locations, parser->n_locations, parser->locations_capacity, new);
}

static void
start_node(hd_anchor_parser *parser, const char *name)
{
    bool         is_node = strcmp(name, "node") == 0;
    hd_cube_node new     = { .name = "", .class_name = is_node ? "node" : strcmp(name, "machine") == 0 ? "machine" : "",
                             .what = "", .parent = HD_NONE };

    if (parser->n_open_nodes > 0)
        new.parent = parser->open_nodes[parser->n_open_nodes - 1];
    HD_PUSH(parser->open_nodes, parser->n_open_nodes, parser->open_nodes_capacity, (uint32_t)parser->n_nodes);
    HD_PUSH(parser->cube->nodes, parser->n_nodes, parser->nodes_capacity, new);
    HD_PUSH(parser->is_node, parser->n_is_node, parser->is_node_capacity, is_node ? IS_CALLED_NODE : 0);
}

static void
start_node_attribute(hd_anchor_parser *parser, const char **attributes)
{
    const char *key  = attribute(attributes, "key");
    uint32_t    node = parser->open_nodes[parser->n_open_nodes - 1];

    if (key != NULL && strcmp(key, HD_NODE_ATTRIBUTE) == 0)
        parser->is_node[node] |= IS_MARKED;
    start_part_attribute(parser, attributes, &parser->cube->nodes[node].attributes);
}

static void
start_cart(hd_anchor_parser *parser, const char **attributes)
{
    const char *name = attribute(attributes, "name");

    hd_topology_parser_begin(&parser->topologies, name != NULL ? hd_cube_keep(parser->cube, name) : "");
}

static void
start_dimension(hd_anchor_parser *parser, const char **attributes)
{
    const char       *name      = attribute(attributes, "name");
    const char       *periodic  = attribute(attributes, "periodic");
    hd_cube_dimension dimension = { .name = name != NULL ? hd_cube_keep(parser->cube, name) : "" };

    dimension.size        = number_in(attribute(attributes, "size"));
    dimension.size        = dimension.size != HD_NONE ? dimension.size : 0;
    dimension.is_periodic = periodic != NULL && strcmp(periodic, "true") == 0;
    hd_topology_parser_dimension(&parser->topologies, &dimension);
}

static void
start_attribute(hd_anchor_parser *parser, const char **attributes)
{
    const char       *key   = attribute(attributes, "key");
    const char       *value = attribute(attributes, "value");
    hd_cube_attribute new;

    if (key == NULL || value == NULL)
        return;
    new = (hd_cube_attribute){ .key = hd_cube_keep(parser->cube, key), .value = hd_cube_keep(parser->cube, value) };
    HD_PUSH(parser->cube->attributes, parser->n_attributes, parser->attributes_capacity, new);
}

static void
start_any_attribute(hd_anchor_parser *parser, hd_anchor_element in, const char **attributes)
{
    hd_cube *cube = parser->cube;

    switch (in) {
    case IN_CUBE: start_attribute(parser, attributes); break;
    case IN_NODE: start_node_attribute(parser, attributes); break;
    case IN_METRIC: start_part_attribute(parser, attributes, &parser->metrics[parser->metric].metric.attributes); break;
    case IN_REGION: start_part_attribute(parser, attributes, &cube->regions[parser->n_regions - 1].attributes); break;
    case IN_CNODE: start_part_attribute(parser, attributes, &cube->paths[parser->path].attributes); break;
    case IN_GROUP: start_part_attribute(parser, attributes, &cube->groups[parser->n_groups - 1].attributes); break;
    case IN_LOCATION:
        start_part_attribute(parser, attributes, &parser->locations[parser->n_locations - 1].location.attributes);
        break;
    default: break;
    }
}

/* Some writers call both the first and the second one plus. */
static void
start_formula(hd_anchor_parser *parser, const char **attributes)
{
    hd_parsed_metric *metric = &parser->metrics[parser->metric];
    const char    *type   = attribute(attributes, "cubeplaggrtype");

    if (type != NULL && strcmp(type, "plus") == 0)
        parser->text_of = *metric->metric.plus == '\0' ? TEXT_PLUS : TEXT_MINUS;
    else if (type != NULL && strcmp(type, "minus") == 0)
        parser->text_of = TEXT_MINUS;
    else if (type != NULL && strcmp(type, "aggr") == 0)
        parser->text_of = TEXT_TOGETHER;
    else
        metric->is_unclear = true;
}

static void
end_metric_text(hd_anchor_parser *parser, const char *text)
{
    hd_cube_metric *metric = &parser->metrics[parser->metric].metric;

    switch (parser->text_of) {
    case TEXT_NAME: metric->name = text; break;
    case TEXT_ID: metric->id = text; break;
    case TEXT_UNIT: metric->unit = text; break;
    case TEXT_WHAT: metric->what = text; break;
    case TEXT_URL: metric->url = text; break;
    case TEXT_EXPRESSION: metric->expression = text; break;
    case TEXT_PREPARATION: metric->preparation = text; break;
    case TEXT_PLUS: metric->plus = text; break;
    case TEXT_MINUS: metric->minus = text; break;
    case TEXT_TOGETHER: metric->together = text; break;
    case TEXT_DTYPE:
        metric->type        = text;
        metric->format      = (uint8_t)format_of(text);
        metric->is_integer  = metric->format != HD_FORMAT_DOUBLE;
        /* differences can be negative */
        metric->is_unsigned = metric->format == HD_FORMAT_U64 && !metric->is_inclusive;
        metric->is_minimum  = strcmp(text, "MINDOUBLE") == 0;
        metric->is_extreme  = metric->is_minimum || strcmp(text, "MAXDOUBLE") == 0;
        metric->is_additive = !metric->is_extreme;
        break;
    default: break;
    }
}

static void
end_region_text(hd_anchor_parser *parser, const char *text)
{
    hd_cube_region *region = &parser->cube->regions[parser->n_regions - 1];

    switch (parser->text_of) {
    case TEXT_NAME: region->name = text; break;
    case TEXT_MANGLED: region->mangled_name = text; break;
    case TEXT_PARADIGM: region->paradigm = text; break;
    case TEXT_ROLE: region->role = text; break;
    case TEXT_URL: region->url = text; break;
    case TEXT_WHAT: region->what = text; break;
    default: break;
    }
}

static void
end_node_text(hd_anchor_parser *parser, const char *text)
{
    uint32_t      number = parser->open_nodes[parser->n_open_nodes - 1];
    hd_cube_node *node   = &parser->cube->nodes[number];

    switch (parser->text_of) {
    case TEXT_NAME: node->name = text; break;
    case TEXT_WHAT: node->what = text; break;
    case TEXT_CLASS:
        node->class_name = text;
        if (strcasecmp(text, "node") == 0)
            parser->is_node[number] |= IS_CALLED_NODE;
        break;
    default: break;
    }
}

static void
end_group_text(hd_anchor_parser *parser, const char *text)
{
    hd_cube_group *group = &parser->cube->groups[parser->n_groups - 1];

    switch (parser->text_of) {
    case TEXT_NAME: group->name = text; break;
    case TEXT_TYPE: group->type = text; break;
    case TEXT_RANK: group->rank = parse_number(parser, "the rank of a process", text); break;
    default: break;
    }
}

static void
end_location_text(hd_anchor_parser *parser, const char *text)
{
    hd_cube_location *location = &parser->locations[parser->n_locations - 1].location;

    switch (parser->text_of) {
    case TEXT_NAME: location->name = text; break;
    case TEXT_TYPE: location->type = text; break;
    case TEXT_RANK: location->thread = parse_number(parser, "the rank of a location", text); break;
    default: break;
    }
}

/* Words that there are few of but that stand everywhere need no copy each. */
static const char *
keep_text(hd_anchor_parser *parser)
{
    static const char *const words[] =
        { "thread", "process", "metric", "metrics", "accelerator", "accelerator stream", "user", "mpi",
          "function", "Master thread" };

    if (parser->text_of == TEXT_RANK || parser->text_of == TEXT_COORDINATE)
        return parser->text; /* numbers are read at once */
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], parser->text) == 0)
            return words[i];
    return hd_cube_keep(parser->cube, parser->text);
}

static void
end_text(hd_anchor_parser *parser)
{
    const char *text;

    while (parser->text_capacity < parser->n_text + 1)
        parser->text = hd_grow(parser->text, parser->text_capacity, &parser->text_capacity, 1);
    parser->text[parser->n_text] = '\0';
    text                         = keep_text(parser);
    switch ((hd_anchor_element)parser->stack[parser->n_stack - 1]) {
    case IN_METRIC: end_metric_text(parser, text); break;
    case IN_REGION: end_region_text(parser, text); break;
    case IN_NODE: end_node_text(parser, text); break;
    case IN_GROUP: end_group_text(parser, text); break;
    case IN_LOCATION: end_location_text(parser, text); break;
    case IN_CART: hd_topology_parser_coordinate(&parser->topologies, parser->coordinate_of, text); break;
    case IN_MIRRORS: HD_PUSH(parser->cube->mirrors, parser->n_mirrors, parser->mirrors_capacity, text); break;
    default: break;
    }
    parser->text_of = TEXT_NONE;
}

/* The node that a process runs on, also where it stands at a part of it: the innermost that is marked, else that is
 * called one, else what it stands at. */
static uint32_t
node_of_group(const hd_anchor_parser *parser)
{
    for (uint8_t as = IS_MARKED; as >= IS_CALLED_NODE; as--)
        for (size_t i = parser->n_open_nodes; i-- > 0;)
            if ((parser->is_node[parser->open_nodes[i]] & as) != 0)
                return parser->open_nodes[i];
    return parser->open_nodes[parser->n_open_nodes - 1];
}

void
hd_anchor_begin(hd_anchor_parser *parser, hd_anchor_element is, const char *name, const char **attributes)
{
    switch (is) {
    case IN_CUBE: start_cube(parser, attributes); break;
    case IN_METRIC: start_metric(parser, attributes); break;
    case IN_REGION: start_region(parser, attributes); break;
    case IN_CNODE: start_path(parser, attributes); break;
    case IN_NODE: start_node(parser, name); break;
    case IN_CART: start_cart(parser, attributes); break;
    case IN_GROUP: start_group(parser, name); break;
    case IN_LOCATION: start_location(parser, name, attributes); break;
    default: break;
    }
}

void
hd_anchor_detail(hd_anchor_parser *parser, hd_anchor_element in, const char *name, const char **attributes)
{
    if (strcmp(name, "attr") == 0)
        start_any_attribute(parser, in, attributes);
    else if (in == IN_CNODE && strcmp(name, "parameter") == 0)
        start_parameter(parser, attributes);
    else if (in == IN_CART && strcmp(name, "dim") == 0)
        start_dimension(parser, attributes);
    else if (parser->text_of == TEXT_PLUS)
        start_formula(parser, attributes);
    else if (parser->text_of == TEXT_COORDINATE)
        parser->coordinate_of = number_in(attribute(attributes,
                                                    attribute(attributes, "locId") != NULL ? "locId" : "thrdId"));
}

void
hd_anchor_end(hd_anchor_parser *parser, hd_anchor_element is)
{
    switch (is) {
    case IN_TEXT: end_text(parser); break;
    case IN_METRIC: parser->metric = parser->metrics[parser->metric].metric.parent; break;
    case IN_CNODE: parser->path = parser->cube->paths[parser->path].parent; break;
    case IN_GROUP: parser->cube->groups[parser->n_groups - 1].node = node_of_group(parser); break;
    case IN_NODE: parser->n_open_nodes--; break;
    default: break;
    }
}
