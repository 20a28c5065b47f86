#include "cube_file.h"

#include <errno.h>
#include <expat.h>
#include <stdarg.h>
#include <stdio.h>
#include <strings.h>
#include <zlib.h>

#include "cube_topology.h"
#include "memory.h"
#include "table.h"

enum {
    CHUNK_BYTES = 64 * 1024,
    MAX_DEPTH   = 1 << 24, /* of nested elements */
    MAX_TEXT    = 1 << 20, /* bytes of one name */
};

typedef enum element {
    IN_OTHER, IN_CUBE, IN_DOC, IN_MIRRORS, IN_METRICS, IN_METRIC, IN_PROGRAM, IN_REGION, IN_CNODE, IN_SYSTEM, IN_NODE, IN_GROUP,
    IN_LOCATION, IN_TOPOLOGIES, IN_CART, IN_TEXT
} element;

typedef enum text_of {
    TEXT_NONE, TEXT_NAME, TEXT_ID, TEXT_DTYPE, TEXT_UNIT, TEXT_WHAT, TEXT_URL, TEXT_EXPRESSION,
    TEXT_PREPARATION, TEXT_PLUS, TEXT_MINUS, TEXT_TOGETHER, TEXT_RANK, TEXT_PARADIGM, TEXT_ROLE,
    TEXT_MANGLED, TEXT_TYPE, TEXT_COORDINATE, TEXT_CLASS, TEXT_MIRROR
} text_of;

typedef struct parsed_metric {
    hd_cube_metric metric;
    const char    *kind;       /* as in the file */
    bool           is_unclear; /* it has a formula of an unknown kind */
} parsed_metric;

typedef struct parsed_location {
    hd_cube_location location;
    uint32_t         number;
} parsed_location;

enum { IS_CALLED_NODE = 1, IS_MARKED = 2 }; /* its class is "node"; it has the attribute */

/* Attributes of row-wise derived metrics stand without quotes in the files of some writers, which is no XML. */
typedef enum quoting {
    QUOTING_TEXT, QUOTING_OPENED, QUOTING_TAG, QUOTING_VALUE, QUOTING_SINGLE, QUOTING_DOUBLE, QUOTING_BARE
} quoting;

typedef struct anchor_parser {
    hd_cube   *cube;
    XML_Parser expat;
    hd_status  status;
    quoting    quoting;
    char      *quoted; /* [2 * CHUNK_BYTES] */

    uint8_t *stack; /* [n_stack] elements that are open */
    size_t   n_stack, stack_capacity;

    parsed_metric   *metrics;
    size_t           n_metrics, metrics_capacity;
    uint32_t         metric; /* the one open, HD_NONE: none */
    hd_table         regions; /* by number */
    size_t           n_regions, regions_capacity;
    size_t           n_paths, paths_capacity;
    uint32_t        *callees; /* [n_paths] ids of regions */
    size_t           callees_capacity;
    uint32_t         path; /* the one open, HD_NONE: none */
    parsed_location *locations;
    size_t           n_locations, locations_capacity;
    size_t           n_attributes, attributes_capacity, n_part_attributes, part_attributes_capacity;
    size_t           n_parameters, parameters_capacity, n_mirrors, mirrors_capacity;
    hd_topology_parser topologies;
    uint32_t         coordinate_of; /* location */
    uint32_t        *open_nodes; /* [n_open_nodes] of the system tree */
    size_t           n_nodes, nodes_capacity, n_open_nodes, open_nodes_capacity;
    uint8_t         *is_node;    /* [n_nodes] IS_CALLED_NODE and IS_MARKED */
    size_t           n_is_node, is_node_capacity;
    size_t           n_groups, groups_capacity;

    text_of text_of; /* what is being collected */
    char   *text;
    size_t  n_text, text_capacity;
} anchor_parser;

static void stop(anchor_parser *parser, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void
stop(anchor_parser *parser, const char *format, ...)
{
    char    words[256];
    va_list arguments;

    if (parser->status != HD_OK)
        return;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    parser->status = hd_fail(HD_EFORMAT, "report \"%s\" is damaged: anchor.xml, line %lu: %s", parser->cube->path,
                             XML_GetCurrentLineNumber(parser->expat), words);
    XML_StopParser(parser->expat, XML_FALSE);
}

static const char *
attribute(const char **attributes, const char *key)
{
    for (; attributes[0] != NULL; attributes += 2)
        if (strcmp(attributes[0], key) == 0)
            return attributes[1];
    return NULL;
}

static uint32_t
parse_number(anchor_parser *parser, const char *what, const char *text)
{
    unsigned long value;
    char         *end;

    errno = 0;
    if (text == NULL || *text < '0' || *text > '9') {
        stop(parser, "%s is no number", what);
        return 0;
    }
    value = strtoul(text, &end, 10);
    if (errno != 0 || *end != '\0' || value >= HD_NONE) {
        stop(parser, "%s is no number, or too large", what);
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
keep_attribute(anchor_parser *parser, const char **attributes, const char *key)
{
    const char *value = attribute(attributes, key);

    return value != NULL ? hd_cube_keep(parser->cube, value) : "";
}

/* Attributes of a part stand together, in front of what is inside of it; others are left out. */
static void
start_part_attribute(anchor_parser *parser, const char **attributes, hd_cube_slice *slice)
{
    hd_cube_attribute new = { keep_attribute(parser, attributes, "key"), keep_attribute(parser, attributes, "value") };

    if (slice->n == 0)
        slice->first = (uint32_t)parser->n_part_attributes;
    if (*new.key == '\0' || slice->first + slice->n != parser->n_part_attributes)
        return;
    if (parser->n_part_attributes >= HD_NONE) {
        stop(parser, "too many attributes");
        return;
    }
    slice->n++;
    HD_PUSH(parser->cube->part_attributes, parser->n_part_attributes, parser->part_attributes_capacity, new);
}

static void
start_cube(anchor_parser *parser, const char **attributes)
{
    const char *version = attribute(attributes, "version");

    parser->cube->version = version != NULL ? hd_cube_keep(parser->cube, version) : "";
    if (*parser->cube->version != '\0' && *parser->cube->version != '4')
        stop(parser, "it is of version %.20s of the format, and only version 4 can be read", parser->cube->version);
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
start_metric(anchor_parser *parser, const char **attributes)
{
    const char   *type = attribute(attributes, "type");
    const char   *view = attribute(attributes, "viztype");
    parsed_metric new  = { .kind = type != NULL ? hd_cube_keep(parser->cube, type) : "INCLUSIVE" };

    new.metric = (hd_cube_metric){ .id = "", .name = "", .unit = "", .what = "", .url = "", .type = "", .expression = "", .preparation = "",
                                   .plus = "", .minus = "", .together = "" };
    for (size_t i = 0; i < sizeof metric_kinds / sizeof *metric_kinds; i++)
        if (strcmp(metric_kinds[i].name, new.kind) == 0)
            new.metric.kind = metric_kinds[i].kind;
    new.metric.parent       = parser->metric;
    new.metric.number       = parse_number(parser, "the id of a metric", attribute(attributes, "id"));
    new.metric.is_inclusive = strcmp(new.kind, "INCLUSIVE") == 0;
    new.metric.is_hidden    = view != NULL && strcmp(view, "GHOST") == 0;
    parser->metric          = (uint32_t)parser->n_metrics;
    HD_PUSH(parser->metrics, parser->n_metrics, parser->metrics_capacity, new);
}

static void
start_region(anchor_parser *parser, const char **attributes)
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
start_path(anchor_parser *parser, const char **attributes)
{
    hd_cube_path new    = { .parent = parser->path };
    uint32_t     callee = parse_number(parser, "the callee of a call path", attribute(attributes, "calleeId"));
    size_t       n      = parser->n_paths;

    new.number    = parse_number(parser, "the id of a call path", attribute(attributes, "id"));
    new.call_file = keep_attribute(parser, attributes, "mod");
    new.call_line = line_in(attribute(attributes, "line"));
    if (parser->n_paths >= HD_NONE)
        stop(parser, "too many call paths");
    parser->path = (uint32_t)parser->n_paths;
    HD_PUSH(parser->cube->paths, parser->n_paths, parser->paths_capacity, new);
    HD_PUSH(parser->callees, n, parser->callees_capacity, callee);
}

/* {key=value}: kept in the name of the path until the regions' names are known. */
static void
start_parameter(anchor_parser *parser, const char **attributes)
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
    if ((path->name != NULL && strlen(path->name) > MAX_TEXT) || parser->n_parameters >= HD_NONE) {
        stop(parser, "a call path has too many parameters");
        return;
    }
    if (path->parameters.n == 0)
        path->parameters.first = (uint32_t)parser->n_parameters;
    if (path->parameters.first + path->parameters.n != parser->n_parameters)
        return; /* behind those of a call path below */
    path->parameters.n++;
    HD_PUSH(parser->cube->parameters, parser->n_parameters, parser->parameters_capacity, new);
    text       = hd_format("%s{%s=%s}", path->name != NULL ? path->name : "", new.key, new.value);
    path->name = hd_cube_keep(parser->cube, text);
    free(text);
}

static void
start_group(anchor_parser *parser)
{
    hd_cube_group new = { .name = "", .type = "" };

    new.parent = parser->open_nodes[parser->n_open_nodes - 1];
    HD_PUSH(parser->cube->groups, parser->n_groups, parser->groups_capacity, new);
}

static void
start_location(anchor_parser *parser, const char **attributes)
{
    parsed_location new = { .location = { .name = "", .type = "", .process_name = "" } };

    new.number         = parse_number(parser, "the id of a location", attribute(attributes, "Id"));
    new.location.group = (uint32_t)parser->n_groups - 1;
    HD_PUSH(parser->locations, parser->n_locations, parser->locations_capacity, new);
}

static void
start_node(anchor_parser *parser)
{
    hd_cube_node new = { .name = "", .class_name = "", .what = "", .parent = HD_NONE };

    if (parser->n_open_nodes > 0)
        new.parent = parser->open_nodes[parser->n_open_nodes - 1];
    HD_PUSH(parser->open_nodes, parser->n_open_nodes, parser->open_nodes_capacity, (uint32_t)parser->n_nodes);
    HD_PUSH(parser->cube->nodes, parser->n_nodes, parser->nodes_capacity, new);
    HD_PUSH(parser->is_node, parser->n_is_node, parser->is_node_capacity, 0);
}

static void
start_node_attribute(anchor_parser *parser, const char **attributes)
{
    const char *key  = attribute(attributes, "key");
    uint32_t    node = parser->open_nodes[parser->n_open_nodes - 1];

    if (key != NULL && strcmp(key, HD_NODE_ATTRIBUTE) == 0)
        parser->is_node[node] |= IS_MARKED;
    start_part_attribute(parser, attributes, &parser->cube->nodes[node].attributes);
}

static void
start_cart(anchor_parser *parser, const char **attributes)
{
    const char *name = attribute(attributes, "name");

    hd_topology_parser_begin(&parser->topologies, name != NULL ? hd_cube_keep(parser->cube, name) : "");
}

static void
start_dimension(anchor_parser *parser, const char **attributes)
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
start_attribute(anchor_parser *parser, const char **attributes)
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
start_any_attribute(anchor_parser *parser, element in, const char **attributes)
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

static text_of
text_of_element(element in, const char *name)
{
    static const struct {
        element     in;
        const char *name;
        text_of     text;
    } texts[] = {
        { IN_METRIC, "disp_name", TEXT_NAME }, { IN_METRIC, "uniq_name", TEXT_ID }, { IN_METRIC, "dtype", TEXT_DTYPE },
        { IN_METRIC, "uom", TEXT_UNIT }, { IN_METRIC, "descr", TEXT_WHAT }, { IN_METRIC, "url", TEXT_URL },
        { IN_METRIC, "cubepl", TEXT_EXPRESSION }, { IN_METRIC, "cubeplinit", TEXT_PREPARATION }, { IN_METRIC, "cubeplaggr", TEXT_PLUS }, { IN_REGION, "name", TEXT_NAME }, { IN_REGION, "mangled_name", TEXT_MANGLED },
        { IN_REGION, "paradigm", TEXT_PARADIGM }, { IN_REGION, "role", TEXT_ROLE }, { IN_REGION, "url", TEXT_URL },
        { IN_REGION, "descr", TEXT_WHAT }, { IN_GROUP, "name", TEXT_NAME }, { IN_GROUP, "rank", TEXT_RANK },
        { IN_GROUP, "type", TEXT_TYPE }, { IN_LOCATION, "name", TEXT_NAME }, { IN_LOCATION, "rank", TEXT_RANK },
        { IN_LOCATION, "type", TEXT_TYPE }, { IN_NODE, "name", TEXT_NAME }, { IN_NODE, "class", TEXT_CLASS },
        { IN_NODE, "descr", TEXT_WHAT }, { IN_CART, "coord", TEXT_COORDINATE }, { IN_MIRRORS, "murl", TEXT_MIRROR },
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].in == in && strcmp(texts[i].name, name) == 0)
            return texts[i].text;
    return TEXT_NONE;
}

/* What an element is depends on what it is in; everything else is passed over with all that it contains. */
static element
element_of(element in, const char *name)
{
    static const struct {
        element     in;
        const char *name;
        element     is;
    } elements[] = {
        { IN_CUBE, "metrics", IN_METRICS },   { IN_METRICS, "metric", IN_METRIC },    { IN_METRIC, "metric", IN_METRIC },
        { IN_CUBE, "program", IN_PROGRAM },   { IN_PROGRAM, "region", IN_REGION },    { IN_PROGRAM, "cnode", IN_CNODE },
        { IN_CNODE, "cnode", IN_CNODE },      { IN_CUBE, "system", IN_SYSTEM },       { IN_SYSTEM, "systemtreenode", IN_NODE },
        { IN_NODE, "systemtreenode", IN_NODE }, { IN_NODE, "locationgroup", IN_GROUP }, { IN_GROUP, "location", IN_LOCATION },
        { IN_SYSTEM, "topologies", IN_TOPOLOGIES }, { IN_TOPOLOGIES, "cart", IN_CART }, { IN_CUBE, "doc", IN_DOC },
        { IN_DOC, "mirrors", IN_MIRRORS },
    };

    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (elements[i].in == in && strcmp(elements[i].name, name) == 0)
            return elements[i].is;
    return IN_OTHER;
}

/* Some writers call both the first and the second one plus. */
static void
start_formula(anchor_parser *parser, const char **attributes)
{
    parsed_metric *metric = &parser->metrics[parser->metric];
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

static void XMLCALL
on_start(void *context, const char *name, const char **attributes)
{
    anchor_parser *parser = context;
    element        in, is;

    if (parser->n_stack == 0) {
        is = strcmp(name, "cube") == 0 ? IN_CUBE : IN_OTHER;
        if (is == IN_OTHER)
            stop(parser, "it is no cube, but \"%.60s\"", name);
        else
            start_cube(parser, attributes);
    } else {
        in = (element)parser->stack[parser->n_stack - 1];
        is = element_of(in, name);
        parser->text_of = is == IN_OTHER ? text_of_element(in, name) : TEXT_NONE;
        parser->n_text  = 0;
        if (parser->text_of != TEXT_NONE)
            is = IN_TEXT;
        if (strcmp(name, "attr") == 0)
            start_any_attribute(parser, in, attributes);
        else if (in == IN_CNODE && strcmp(name, "parameter") == 0)
            start_parameter(parser, attributes);
        else if (in == IN_CART && strcmp(name, "dim") == 0)
            start_dimension(parser, attributes);
        else if (parser->text_of == TEXT_PLUS)
            start_formula(parser, attributes);
        else if (parser->text_of == TEXT_COORDINATE)
            parser->coordinate_of = number_in(attribute(attributes, "locId"));
    }
    if (parser->n_stack >= MAX_DEPTH) {
        stop(parser, "it is nested too deeply");
        return;
    }
    HD_PUSH(parser->stack, parser->n_stack, parser->stack_capacity, (uint8_t)is);
    switch (is) {
    case IN_METRIC: start_metric(parser, attributes); break;
    case IN_REGION: start_region(parser, attributes); break;
    case IN_CNODE: start_path(parser, attributes); break;
    case IN_NODE: start_node(parser); break;
    case IN_CART: start_cart(parser, attributes); break;
    case IN_GROUP: start_group(parser); break;
    case IN_LOCATION: start_location(parser, attributes); break;
    default: break;
    }
}

static void XMLCALL
on_text(void *context, const char *text, int length)
{
    anchor_parser *parser = context;

    if (parser->text_of == TEXT_NONE || length <= 0)
        return;
    if (parser->n_text + (size_t)length > MAX_TEXT) {
        stop(parser, "a text is too long");
        return;
    }
    while (parser->text_capacity < parser->n_text + (size_t)length + 1)
        parser->text = hd_grow(parser->text, parser->text_capacity, &parser->text_capacity, 1);
    memcpy(parser->text + parser->n_text, text, (size_t)length);
    parser->n_text += (size_t)length;
}

static void
end_metric_text(anchor_parser *parser, const char *text)
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
        metric->is_unsigned = metric->format == HD_FORMAT_U64 && !metric->is_inclusive; /* differences can be negative */
        metric->is_minimum  = strcmp(text, "MINDOUBLE") == 0;
        metric->is_extreme  = metric->is_minimum || strcmp(text, "MAXDOUBLE") == 0;
        metric->is_additive = !metric->is_extreme;
        break;
    default: break;
    }
}

static void
end_region_text(anchor_parser *parser, const char *text)
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
end_node_text(anchor_parser *parser, const char *text)
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
end_group_text(anchor_parser *parser, const char *text)
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
end_location_text(anchor_parser *parser, const char *text)
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
keep_text(anchor_parser *parser)
{
    static const char *const words[] = { "thread", "process", "metric", "metrics", "accelerator", "accelerator stream", "user", "mpi",
                                         "function", "Master thread" };

    if (parser->text_of == TEXT_RANK || parser->text_of == TEXT_COORDINATE)
        return parser->text; /* numbers are read at once */
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], parser->text) == 0)
            return words[i];
    return hd_cube_keep(parser->cube, parser->text);
}

static void
end_text(anchor_parser *parser)
{
    const char *text;

    while (parser->text_capacity < parser->n_text + 1)
        parser->text = hd_grow(parser->text, parser->text_capacity, &parser->text_capacity, 1);
    parser->text[parser->n_text] = '\0';
    text                         = keep_text(parser);
    switch ((element)parser->stack[parser->n_stack - 1]) {
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

/* The node that a process runs on, also where it stands at a part of it: the innermost that is marked, else that is called one, else what it stands
 * at. */
static uint32_t
node_of_group(const anchor_parser *parser)
{
    for (uint8_t as = IS_MARKED; as >= IS_CALLED_NODE; as--)
        for (size_t i = parser->n_open_nodes; i-- > 0;)
            if ((parser->is_node[parser->open_nodes[i]] & as) != 0)
                return parser->open_nodes[i];
    return parser->open_nodes[parser->n_open_nodes - 1];
}

static void XMLCALL
on_end(void *context, const char *name)
{
    anchor_parser *parser = context;
    element        is     = (element)parser->stack[--parser->n_stack];

    (void)name;
    switch (is) {
    case IN_TEXT: end_text(parser); break;
    case IN_METRIC: parser->metric = parser->metrics[parser->metric].metric.parent; break;
    case IN_CNODE: parser->path = parser->cube->paths[parser->path].parent; break;
    case IN_GROUP: parser->cube->groups[parser->n_groups - 1].node = node_of_group(parser); break;
    case IN_NODE: parser->n_open_nodes--; break;
    default: break;
    }
}

/* Cube has no use for a document type; without one there are no entities that could blow up. */
static void XMLCALL
on_doctype(void *context, const char *name, const char *system, const char *public, int has_subset)
{
    (void)name, (void)system, (void)public, (void)has_subset;
    stop(context, "it has a document type");
}

static quoting
quote_next(quoting state, char c, char **to)
{
    bool is_space = c == ' ' || c == '\t' || c == '\n' || c == '\r';

    switch (state) {
    case QUOTING_TEXT: state = c == '<' ? QUOTING_OPENED : QUOTING_TEXT; break;
    case QUOTING_OPENED: state = c == '!' || c == '?' ? QUOTING_TEXT : QUOTING_TAG; break;
    case QUOTING_TAG: state = c == '=' ? QUOTING_VALUE : c == '>' ? QUOTING_TEXT : QUOTING_TAG; break;
    case QUOTING_SINGLE: state = c == '\'' ? QUOTING_TAG : QUOTING_SINGLE; break;
    case QUOTING_DOUBLE: state = c == '"' ? QUOTING_TAG : QUOTING_DOUBLE; break;
    case QUOTING_VALUE:
        if (c == '"' || c == '\'')
            state = c == '"' ? QUOTING_DOUBLE : QUOTING_SINGLE;
        else if (!is_space && c != '>') {
            *(*to)++ = '"';
            state    = QUOTING_BARE;
        }
        break;
    case QUOTING_BARE:
        if (is_space || c == '>') {
            *(*to)++ = '"';
            state    = c == '>' ? QUOTING_TEXT : QUOTING_TAG;
        }
        break;
    }
    *(*to)++ = c;
    return state;
}

static bool
parse_chunk(anchor_parser *parser, const uint8_t *bytes, size_t n, bool is_last)
{
    char *to = parser->quoted;

    for (size_t i = 0; i < n; i++)
        parser->quoting = quote_next(parser->quoting, (char)bytes[i], &to);
    if (XML_Parse(parser->expat, parser->quoted, (int)(to - parser->quoted), is_last) == XML_STATUS_OK)
        return true;
    if (parser->status == HD_OK)
        parser->status = hd_fail(HD_EFORMAT, "report \"%s\" is damaged: anchor.xml, line %lu: %s", parser->cube->path,
                                 XML_GetCurrentLineNumber(parser->expat), XML_ErrorString(XML_GetErrorCode(parser->expat)));
    return false;
}

/* Feeds a gzip'ed anchor, or a plain one, to the parser piece by piece, so that neither has to fit into memory. */
static hd_status
parse_pieces(anchor_parser *parser, const hd_tar_member *anchor, bool is_packed)
{
    uint8_t  *in       = HD_NEW_ARRAY(uint8_t, CHUNK_BYTES);
    uint8_t  *out      = HD_NEW_ARRAY(uint8_t, CHUNK_BYTES);
    z_stream  zlib     = { 0 };
    hd_status status   = HD_OK;
    bool      is_ended = false;

    if (is_packed && inflateInit2(&zlib, 15 + 16) != Z_OK)
        hd_fatal("out of memory: a report cannot be read");
    for (uint64_t done = 0; done < anchor->bytes && !is_ended && status == HD_OK;) {
        size_t n = anchor->bytes - done < CHUNK_BYTES ? (size_t)(anchor->bytes - done) : CHUNK_BYTES;

        status = hd_cube_read_at(parser->cube, in, n, anchor->data + done);
        if (status != HD_OK)
            break;
        done += n;
        if (!is_packed) {
            if (!parse_chunk(parser, in, n, false))
                status = parser->status;
            continue;
        }
        zlib.next_in  = in;
        zlib.avail_in = (uInt)n;
        do {
            int code;

            zlib.next_out  = out;
            zlib.avail_out = CHUNK_BYTES;
            code           = inflate(&zlib, Z_NO_FLUSH);
            is_ended       = code == Z_STREAM_END;
            if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
                status = hd_fail(HD_EFORMAT, "report \"%s\" is damaged: its anchor cannot be uncompressed", parser->cube->path);
            else if (!parse_chunk(parser, out, CHUNK_BYTES - zlib.avail_out, false))
                status = parser->status;
        } while (status == HD_OK && !is_ended && zlib.avail_out == 0);
    }
    if (status == HD_OK && is_packed && !is_ended)
        status = hd_fail(HD_EREAD, "report \"%s\" ends too early", parser->cube->path);
    if (status == HD_OK && !parse_chunk(parser, NULL, 0, true))
        status = parser->status;
    if (is_packed)
        inflateEnd(&zlib);
    free(in);
    free(out);
    return status;
}

/* NULL: it can be read. */
static const char *
why_left_out(anchor_parser *parser, const parsed_metric *parsed)
{
    char       *text = NULL;
    const char *kept;

    bool        is_known = false;

    for (size_t i = 0; i < sizeof metric_kinds / sizeof *metric_kinds; i++)
        is_known |= strcmp(metric_kinds[i].name, parsed->kind) == 0;
    if (!is_known)
        text = hd_format("its kind is \"%.60s\"", parsed->kind);
    else if (parsed->is_unclear)
        text = hd_format("its values are put together in an unknown way");
    else if (parsed->metric.kind == HD_CUBE_STORED && parsed->metric.format == HD_FORMAT_NONE)
        text = hd_format("its values are of type \"%.60s\"", parsed->metric.type);
    kept = text != NULL ? hd_cube_keep(parser->cube, text) : NULL;
    free(text);
    return kept;
}

/* Visible ones first. Children of what is left out, and visible ones of what is hidden, become children of what is above it. */
static void
take_metrics(anchor_parser *parser)
{
    hd_cube  *cube   = parser->cube;
    uint32_t *number = HD_NEW_ARRAY(uint32_t, parser->n_metrics + 1); /* in cube->metrics, of it or what its children get as parent */
    uint32_t  n      = 0;
    size_t    capacity = 0, n_left_out = 0;

    cube->metrics = HD_NEW_ARRAY(hd_cube_metric, parser->n_metrics + 1);
    for (int hidden = 0; hidden < 2; hidden++)
        for (size_t i = 0; i < parser->n_metrics; i++) {
            hd_cube_metric *metric = &parser->metrics[i].metric;
            uint32_t        parent = metric->parent != HD_NONE ? number[metric->parent] : HD_NONE;
            const char     *why;

            if (hidden == 0)
                number[i] = parent;
            if (metric->is_hidden != (hidden != 0))
                continue;
            why = why_left_out(parser, &parser->metrics[i]);
            if (why != NULL) {
                HD_PUSH(cube->left_out, n_left_out, capacity, ((hd_cube_left_out){ metric->id, why }));
                continue;
            }
            number[i]        = n;
            cube->metrics[n] = *metric;
            cube->metrics[n++].parent = parent;
            if (hidden == 0)
                cube->n_metrics = n;
        }
    cube->n_hidden   = n - cube->n_metrics;
    cube->n_left_out = (uint32_t)n_left_out;
    free(number);
}

static hd_status
take_paths(anchor_parser *parser)
{
    hd_cube *cube = parser->cube;

    cube->n_paths = (uint32_t)parser->n_paths;
    for (uint32_t i = 0; i < cube->n_paths; i++) {
        hd_cube_path *path = &cube->paths[i];

        path->region = hd_table_get(&parser->regions, parser->callees[i]);
        if (path->region == HD_NONE)
            return hd_fail(HD_EFORMAT, "report \"%s\" is damaged: call path %" PRIu32 " is of an undefined region", cube->path,
                           path->number);
        if (path->name != NULL) {
            char *text = hd_format("%s%s", cube->regions[path->region].name, path->name);

            path->name = hd_cube_keep(cube, text);
            free(text);
        } else
            path->name = cube->regions[path->region].name;
    }
    return HD_OK;
}

static hd_status
take_locations(anchor_parser *parser)
{
    hd_cube *cube = parser->cube;
    bool    *seen = HD_NEW_ARRAY(bool, parser->n_locations + 1);

    cube->locations   = HD_NEW_ARRAY(hd_cube_location, parser->n_locations + 1);
    cube->n_locations = (uint32_t)parser->n_locations;
    for (size_t i = 0; i < parser->n_locations; i++) {
        uint32_t             number   = parser->locations[i].number;
        hd_cube_location    *location = &parser->locations[i].location;
        const hd_cube_group *group    = &cube->groups[location->group];

        if (number >= parser->n_locations || seen[number]) {
            free(seen);
            return hd_fail(HD_EFORMAT, "report \"%s\" is damaged: its locations are not numbered from 0 on", cube->path);
        }
        location->process       = group->rank;
        location->process_name  = group->name;
        location->node          = group->node;
        seen[number]            = true;
        cube->locations[number] = *location;
    }
    free(seen);
    return HD_OK;
}

hd_status
hd_cube_read_anchor(hd_cube *cube)
{
    const hd_tar_member *anchor = NULL;
    anchor_parser parser = { .cube = cube, .metric = HD_NONE, .path = HD_NONE };
    uint8_t       head[2] = { 0 };
    hd_status     status;

    for (size_t i = 0; i < cube->file->n_members; i++) {
        const char *name   = cube->file->members[i].name;
        size_t      length = strlen(name);

        if (length >= 10 && strcmp(name + length - 10, "anchor.xml") == 0)
            anchor = &cube->file->members[i];
    }
    if (anchor == NULL)
        return hd_fail(HD_EFORMAT, "\"%s\" is no Cube report, or ends too early: it has no anchor.xml", cube->path);
    if (anchor->bytes >= 2 && hd_cube_read_at(cube, head, 2, anchor->data) != HD_OK)
        return HD_EREAD;

    cube->version = "";
    hd_table_init(&parser.regions);
    parser.quoted = HD_NEW_ARRAY(char, 2 * CHUNK_BYTES);
    parser.expat  = XML_ParserCreate(NULL);
    if (parser.expat == NULL)
        hd_fatal("out of memory: a report cannot be read");
    XML_SetUserData(parser.expat, &parser);
    XML_SetElementHandler(parser.expat, on_start, on_end);
    XML_SetCharacterDataHandler(parser.expat, on_text);
    XML_SetStartDoctypeDeclHandler(parser.expat, on_doctype);
    status = parse_pieces(&parser, anchor, head[0] == 0x1F && head[1] == 0x8B);
    if (status == HD_OK) {
        take_metrics(&parser);
        status = take_paths(&parser);
    }
    if (status == HD_OK)
        status = take_locations(&parser);
    cube->n_attributes      = (uint32_t)parser.n_attributes;
    cube->n_part_attributes = (uint32_t)parser.n_part_attributes;
    cube->n_parameters      = (uint32_t)parser.n_parameters;
    cube->n_mirrors         = (uint32_t)parser.n_mirrors;
    cube->n_regions         = (uint32_t)parser.n_regions;
    cube->n_nodes           = (uint32_t)parser.n_nodes;
    cube->n_groups          = (uint32_t)parser.n_groups;
    hd_topology_parser_take(&parser.topologies, cube);

    XML_ParserFree(parser.expat);
    free(parser.stack);
    free(parser.metrics);
    hd_table_fini(&parser.regions);
    free(parser.callees);
    free(parser.locations);
    free(parser.open_nodes);
    free(parser.is_node);
    free(parser.text);
    free(parser.quoted);
    return status;
}
