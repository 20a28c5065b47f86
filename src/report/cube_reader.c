#include "cube_reader.h"

#include <errno.h>
#include <expat.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "memory.h"
#include "table.h"

enum {
    BLOCK_BYTES  = 512,
    CHUNK_BYTES  = 64 * 1024,
    WINDOW_BYTES = 256 * 1024, /* read at a time when rows follow each other */
    MAX_DEPTH    = 1 << 24,    /* of nested elements */
    MAX_TEXT     = 1 << 20,    /* bytes of one name */
};

/* How a value is stored. FORMAT_NONE: nothing that we can read. */
typedef enum value_format {
    FORMAT_NONE, FORMAT_DOUBLE, FORMAT_U64, FORMAT_I64, FORMAT_U32, FORMAT_I32, FORMAT_U16, FORMAT_I16, FORMAT_U8, FORMAT_I8
} value_format;

static const uint8_t format_bytes[] = { 0, 8, 8, 8, 4, 4, 2, 2, 1, 1 };

typedef struct tar_member {
    char     name[101];
    uint64_t data, bytes; /* place in the file; bytes are inside of it */
} tar_member;

/* The rows of one metric: the one asked for last. */
typedef struct row_index {
    uint32_t  metric;   /* HD_NONE: none yet */
    bool      is_empty; /* no rows at all */
    bool      swaps;    /* the file has the other byte order */
    uint32_t *position; /* [n_paths] by path: which of the stored rows, HD_NONE: zeros */
    uint64_t  rows, rows_end; /* where they begin and end in the file */
    uint64_t *packed;   /* [n_packed][2] compressed: where a row begins, and its bytes; NULL: plain rows */
    uint64_t  n_packed;
} row_index;

struct hd_cube_file {
    int       fd;
    uint64_t  bytes;
    tar_member *members;
    size_t    n_members, members_capacity;
    char    **texts; /* all strings of the report */
    size_t    n_texts, texts_capacity;
    uint32_t *first_child, *next_sibling; /* [n_paths] of paths */
    uint32_t *path_of_wide_row;           /* [n_paths] NULL: not asked for yet */
    row_index index;
    uint8_t  *window; /* [WINDOW_BYTES] */
    uint64_t  window_at;
    size_t    window_n;
    uint8_t  *row;     /* [n_locations * 8] as stored */
    double   *child;   /* [n_locations] */
    uint8_t  *packed;  /* of packed_capacity bytes */
    size_t    packed_capacity;
};

typedef struct hd_cube_file cube_file;

/* ---- the file ------------------------------------------------------------------------------------------------------------ */

static hd_status
read_at(const hd_cube *cube, void *to, uint64_t bytes, uint64_t at)
{
    char *into = to;

    while (bytes > 0) {
        ssize_t n = pread(cube->file->fd, into, bytes < (1u << 30) ? (size_t)bytes : 1u << 30, (off_t)at);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return hd_fail(HD_EREAD, "cannot read report \"%s\": %s", cube->path, strerror(errno));
        if (n == 0)
            return hd_fail(HD_EREAD, "report \"%s\" ends too early", cube->path);
        into += n;
        at += (uint64_t)n;
        bytes -= (uint64_t)n;
    }
    return HD_OK;
}

/* Like read_at() for what lies close together. */
static hd_status
read_near(const hd_cube *cube, void *to, uint64_t bytes, uint64_t at)
{
    cube_file *file = cube->file;
    hd_status  status;

    if (bytes > WINDOW_BYTES)
        return read_at(cube, to, bytes, at);
    if (at < file->window_at || at + bytes > file->window_at + file->window_n) {
        uint64_t rest = at < file->bytes ? file->bytes - at : 0;

        file->window_n = 0;
        if (bytes > rest)
            return hd_fail(HD_EREAD, "report \"%s\" ends too early", cube->path);
        rest   = rest < WINDOW_BYTES ? rest : WINDOW_BYTES;
        status = read_at(cube, file->window, rest, at);
        if (status != HD_OK)
            return status;
        file->window_at = at;
        file->window_n  = (size_t)rest;
    }
    memcpy(to, file->window + (at - file->window_at), (size_t)bytes);
    return HD_OK;
}

static bool
parse_octal(const uint8_t *field, size_t n, uint64_t *value)
{
    size_t i = 0;

    *value = 0;
    while (i < n && field[i] == ' ')
        i++;
    for (; i < n && field[i] >= '0' && field[i] <= '7'; i++)
        *value = *value << 3 | (uint64_t)(field[i] - '0');
    return i == n || field[i] == '\0' || field[i] == ' ';
}

/* Checksums are not held against the block: several releases of Cube write wrong ones. */
static bool
is_header(const uint8_t *block)
{
    uint64_t size;

    return memcmp(block + 257, "ustar", 5) == 0 && block[0] != '\0' && parse_octal(block + 124, 12, &size);
}

static uint64_t
number_at(const uint8_t *bytes, size_t n, bool swaps)
{
    uint64_t value = 0;

    for (size_t i = 0; i < n; i++)
        value |= (uint64_t)bytes[swaps ? n - 1 - i : i] << 8 * i;
    return value;
}

/* The end of a compressed member, whose header may give the size that it has uncompressed. 0: it is no such member. */
static uint64_t
packed_bytes(const hd_cube *cube, uint64_t data)
{
    const cube_file *file = cube->file;
    uint8_t          head[19], entry[24];

    if (file->bytes - data < sizeof head || read_near(cube, head, sizeof head, data) != HD_OK ||
        memcmp(head, "ZCUBEX.DATA", 11) != 0)
        return 0;
    for (int swaps = 0; swaps < 2; swaps++) { /* the byte order is said in the index only; the right one fits into the file */
        uint64_t rest   = file->bytes - data - sizeof head;
        uint64_t n_rows = number_at(head + 11, 8, swaps != 0);
        uint64_t end    = 0;
        bool     fits   = n_rows <= rest / sizeof entry;

        for (uint64_t i = 0; i < n_rows && fits; i++) {
            uint64_t start, bytes;

            if (read_near(cube, entry, sizeof entry, data + sizeof head + i * sizeof entry) != HD_OK)
                return 0;
            start = number_at(entry + 8, 8, swaps != 0);
            bytes = number_at(entry + 16, 8, swaps != 0);
            fits  = start <= rest && bytes <= rest - start && start + bytes <= rest - n_rows * sizeof entry;
            if (fits && start + bytes > end)
                end = start + bytes;
        }
        if (fits)
            return sizeof head + n_rows * sizeof entry + end;
    }
    return 0;
}

/* The next header at or after a place; the end of the file if there is none. */
static uint64_t
find_header(const hd_cube *cube, uint64_t at)
{
    const cube_file *file = cube->file;
    uint8_t          block[BLOCK_BYTES];

    for (; at <= file->bytes && file->bytes - at >= BLOCK_BYTES; at += BLOCK_BYTES)
        if (read_near(cube, block, sizeof block, at) != HD_OK)
            break;
        else if (is_header(block))
            return at;
    return file->bytes;
}

static bool
is_header_at(const hd_cube *cube, uint64_t at)
{
    uint8_t block[BLOCK_BYTES];

    return at <= cube->file->bytes && cube->file->bytes - at >= BLOCK_BYTES &&
           read_near(cube, block, sizeof block, at) == HD_OK && is_header(block);
}

/* Cube's writers put an empty block behind members that fill their last block; tar programs do not. Where neither place has a
 * header, the size was wrong, and the next one is searched for. */
static uint64_t
next_header(const hd_cube *cube, uint64_t data, uint64_t bytes)
{
    uint64_t cubes_way = data + (bytes / BLOCK_BYTES + (bytes > 0)) * BLOCK_BYTES;
    uint64_t tars_way  = data + (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;

    if (is_header_at(cube, cubes_way))
        return cubes_way;
    if (is_header_at(cube, tars_way))
        return tars_way;
    return find_header(cube, data);
}

static uint64_t
pax_size(const hd_cube *cube, uint64_t data, uint64_t bytes)
{
    char        text[BLOCK_BYTES + 1] = { 0 };
    const char *at;

    if (read_near(cube, text, bytes < BLOCK_BYTES ? bytes : BLOCK_BYTES, data) != HD_OK)
        return 0;
    at = strstr(text, " size=");
    return at == NULL ? 0 : strtoull(at + 6, NULL, 10);
}

static hd_status
find_members(hd_cube *cube)
{
    cube_file *file   = cube->file;
    uint64_t   forced = 0; /* size that a header before this one gave */
    uint64_t   at     = 0;

    if (!is_header_at(cube, 0))
        return hd_fail(HD_EFORMAT, "\"%s\" is no Cube report: it does not begin like a tar archive", cube->path);
    while (file->bytes - at >= BLOCK_BYTES) {
        uint8_t    block[BLOCK_BYTES];
        tar_member member = { .data = at + BLOCK_BYTES };
        uint64_t   rest   = file->bytes - member.data;
        uint64_t   packed;

        if (read_near(cube, block, sizeof block, at) != HD_OK)
            return HD_EREAD;
        parse_octal(block + 124, 12, &member.bytes);
        memcpy(member.name, block, 100);
        if (block[156] == 'x') {
            if (member.bytes > rest)
                return hd_fail(HD_EREAD, "report \"%s\" ends too early", cube->path);
            forced = pax_size(cube, member.data, member.bytes);
            at     = next_header(cube, member.data, member.bytes);
            continue;
        }
        if (forced > 0)
            member.bytes = forced;
        forced = 0;
        packed = packed_bytes(cube, member.data);
        if (packed > 0)
            member.bytes = packed;
        if (member.bytes > rest)
            member.bytes = rest; /* whoever needs it finds it too short */
        HD_PUSH(file->members, file->n_members, file->members_capacity, member);
        at = next_header(cube, member.data, member.bytes);
    }
    return HD_OK;
}

static const tar_member *
find_member(const hd_cube *cube, const char *name)
{
    for (size_t i = cube->file->n_members; i-- > 0;)
        if (strcmp(cube->file->members[i].name, name) == 0)
            return &cube->file->members[i];
    return NULL;
}

/* ---- the anchor ---------------------------------------------------------------------------------------------------------- */

typedef enum element {
    IN_OTHER, IN_CUBE, IN_METRICS, IN_METRIC, IN_PROGRAM, IN_REGION, IN_CNODE, IN_SYSTEM, IN_NODE, IN_GROUP, IN_LOCATION, IN_TEXT
} element;

typedef enum text_of {
    TEXT_NONE, TEXT_NAME, TEXT_ID, TEXT_DTYPE, TEXT_UNIT, TEXT_WHAT, TEXT_RANK, TEXT_PARADIGM, TEXT_ROLE, TEXT_TYPE
} text_of;

typedef struct parsed_metric {
    hd_cube_metric metric;
    uint32_t       parent; /* among the parsed */
    bool           is_left_out;
} parsed_metric;

typedef struct parsed_region {
    uint32_t    number;
    const char *name, *file, *paradigm, *role;
    int32_t     begin_line;
} parsed_region;

typedef struct parsed_location {
    hd_cube_location location;
    uint32_t         number;
} parsed_location;

typedef struct anchor_parser {
    hd_cube   *cube;
    XML_Parser expat;
    hd_status  status;

    uint8_t *stack; /* [n_stack] elements that are open */
    size_t   n_stack, stack_capacity;

    parsed_metric   *metrics;
    size_t           n_metrics, metrics_capacity;
    uint32_t         metric; /* the one open, HD_NONE: none */
    parsed_region   *regions;
    size_t           n_regions, regions_capacity;
    size_t           n_paths, paths_capacity;
    uint32_t        *callees; /* [n_paths] ids of regions */
    size_t           callees_capacity;
    uint32_t         path; /* the one open, HD_NONE: none */
    parsed_location *locations;
    size_t           n_locations, locations_capacity;
    size_t           n_attributes, attributes_capacity;
    uint32_t         n_groups;
    uint32_t         group_rank;
    const char      *group_name;
    size_t           group_first; /* its first location */

    text_of text_of; /* what is being collected */
    char   *text;
    size_t  n_text, text_capacity;
} anchor_parser;

static const char *
keep(hd_cube *cube, const char *text)
{
    char *copy;

    if (*text == '\0')
        return "";
    copy = hd_strdup(text);
    HD_PUSH(cube->file->texts, cube->file->n_texts, cube->file->texts_capacity, copy);
    return copy;
}

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

static value_format
format_of(const char *dtype)
{
    static const struct {
        const char  *name;
        value_format format;
    } formats[] = {
        { "FLOAT", FORMAT_DOUBLE }, { "DOUBLE", FORMAT_DOUBLE }, { "MINDOUBLE", FORMAT_DOUBLE }, { "MAXDOUBLE", FORMAT_DOUBLE },
        { "INTEGER", FORMAT_I64 }, { "INT64", FORMAT_I64 }, { "UINT64", FORMAT_U64 }, { "INT32", FORMAT_I32 },
        { "INT", FORMAT_I32 }, { "UINT32", FORMAT_U32 }, { "UNSIGNED INT", FORMAT_U32 }, { "INT16", FORMAT_I16 }, { "SHORT INT", FORMAT_I16 },
        { "UINT16", FORMAT_U16 }, { "UNSIGNED SHORT INT", FORMAT_U16 }, { "INT8", FORMAT_I8 }, { "CHAR", FORMAT_I8 },
        { "UINT8", FORMAT_U8 },
    };

    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, dtype) == 0)
            return formats[i].format;
    return FORMAT_NONE;
}

static void
start_metric(anchor_parser *parser, const char **attributes)
{
    const char   *type = attribute(attributes, "type");
    const char   *view = attribute(attributes, "viztype");
    parsed_metric new  = { .parent = parser->metric };

    new.metric.id = new.metric.name = new.metric.unit = new.metric.what = "";
    new.metric.number       = parse_number(parser, "the id of a metric", attribute(attributes, "id"));
    new.metric.is_inclusive = type == NULL || strcmp(type, "INCLUSIVE") == 0;
    new.is_left_out         = !new.metric.is_inclusive && strcmp(type, "EXCLUSIVE") != 0;
    new.is_left_out |= view != NULL && strcmp(view, "GHOST") == 0;
    parser->metric  = (uint32_t)parser->n_metrics;
    HD_PUSH(parser->metrics, parser->n_metrics, parser->metrics_capacity, new);
}

static void
start_region(anchor_parser *parser, const char **attributes)
{
    const char   *file  = attribute(attributes, "mod");
    const char   *begin = attribute(attributes, "begin");
    long          line  = begin != NULL ? strtol(begin, NULL, 10) : -1;
    parsed_region new   = { .name = "", .paradigm = "", .role = "" };

    new.number     = parse_number(parser, "the id of a region", attribute(attributes, "id"));
    new.file       = file != NULL ? keep(parser->cube, file) : "";
    new.begin_line = line > 0 && line <= INT32_MAX ? (int32_t)line : -1;
    HD_PUSH(parser->regions, parser->n_regions, parser->regions_capacity, new);
}

static void
start_path(anchor_parser *parser, const char **attributes)
{
    hd_cube_path new    = { .parent = parser->path };
    uint32_t     callee = parse_number(parser, "the callee of a call path", attribute(attributes, "calleeId"));
    size_t       n      = parser->n_paths;

    new.number = parse_number(parser, "the id of a call path", attribute(attributes, "id"));
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
    const char   *key   = attribute(attributes, "parkey");
    const char   *value = attribute(attributes, "parvalue");
    hd_cube_path *path;
    char         *text;

    if (parser->path == HD_NONE)
        return;
    path = &parser->cube->paths[parser->path];
    if (path->name != NULL && strlen(path->name) > MAX_TEXT) {
        stop(parser, "a call path has too many parameters");
        return;
    }
    text       = hd_format("%s{%s=%s}", path->name != NULL ? path->name : "", key != NULL ? key : "",
                           value != NULL ? value : "");
    path->name = keep(parser->cube, text);
    free(text);
}

static void
start_group(anchor_parser *parser)
{
    parser->n_groups++;
    parser->group_rank  = 0;
    parser->group_name  = "";
    parser->group_first = parser->n_locations;
}

static void
start_location(anchor_parser *parser, const char **attributes)
{
    parsed_location new = { .location = { .name = "", .process_name = "" } };

    new.number         = parse_number(parser, "the id of a location", attribute(attributes, "Id"));
    new.location.group = parser->n_groups - 1;
    HD_PUSH(parser->locations, parser->n_locations, parser->locations_capacity, new);
}

static void
start_attribute(anchor_parser *parser, const char **attributes)
{
    const char       *key   = attribute(attributes, "key");
    const char       *value = attribute(attributes, "value");
    hd_cube_attribute new;

    if (key == NULL || value == NULL)
        return;
    new = (hd_cube_attribute){ .key = keep(parser->cube, key), .value = keep(parser->cube, value) };
    HD_PUSH(parser->cube->attributes, parser->n_attributes, parser->attributes_capacity, new);
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
        { IN_METRIC, "uom", TEXT_UNIT }, { IN_METRIC, "descr", TEXT_WHAT }, { IN_REGION, "name", TEXT_NAME },
        { IN_REGION, "paradigm", TEXT_PARADIGM }, { IN_REGION, "role", TEXT_ROLE }, { IN_GROUP, "name", TEXT_NAME },
        { IN_GROUP, "rank", TEXT_RANK }, { IN_LOCATION, "name", TEXT_NAME }, { IN_LOCATION, "rank", TEXT_RANK },
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
    };

    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (elements[i].in == in && strcmp(elements[i].name, name) == 0)
            return elements[i].is;
    return IN_OTHER;
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
    } else {
        in = (element)parser->stack[parser->n_stack - 1];
        is = element_of(in, name);
        parser->text_of = is == IN_OTHER ? text_of_element(in, name) : TEXT_NONE;
        parser->n_text  = 0;
        if (parser->text_of != TEXT_NONE)
            is = IN_TEXT;
        if (in == IN_CUBE && strcmp(name, "attr") == 0)
            start_attribute(parser, attributes);
        else if (in == IN_CNODE && strcmp(name, "parameter") == 0)
            start_parameter(parser, attributes);
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
    parsed_metric *parsed = &parser->metrics[parser->metric];

    switch (parser->text_of) {
    case TEXT_NAME: parsed->metric.name = keep(parser->cube, text); break;
    case TEXT_ID: parsed->metric.id = keep(parser->cube, text); break;
    case TEXT_UNIT: parsed->metric.unit = keep(parser->cube, text); break;
    case TEXT_WHAT: parsed->metric.what = keep(parser->cube, text); break;
    case TEXT_DTYPE:
        parsed->metric.format     = (uint8_t)format_of(text);
        parsed->metric.is_integer = parsed->metric.format != FORMAT_DOUBLE;
        break;
    default: break;
    }
}

static void
end_text(anchor_parser *parser)
{
    element     in = (element)parser->stack[parser->n_stack - 1];
    const char *text;

    while (parser->text_capacity < parser->n_text + 1)
        parser->text = hd_grow(parser->text, parser->text_capacity, &parser->text_capacity, 1);
    parser->text[parser->n_text] = '\0';
    text                         = parser->text;
    if (in == IN_METRIC)
        end_metric_text(parser, text);
    else if (in == IN_REGION && parser->text_of == TEXT_NAME)
        parser->regions[parser->n_regions - 1].name = keep(parser->cube, text);
    else if (in == IN_REGION && parser->text_of == TEXT_PARADIGM)
        parser->regions[parser->n_regions - 1].paradigm = keep(parser->cube, text);
    else if (in == IN_REGION && parser->text_of == TEXT_ROLE)
        parser->regions[parser->n_regions - 1].role = keep(parser->cube, text);
    else if (in == IN_GROUP && parser->text_of == TEXT_NAME)
        parser->group_name = keep(parser->cube, text);
    else if (in == IN_GROUP && parser->text_of == TEXT_RANK)
        parser->group_rank = parse_number(parser, "the rank of a process", text);
    else if (in == IN_LOCATION && parser->text_of == TEXT_NAME)
        parser->locations[parser->n_locations - 1].location.name = keep(parser->cube, text);
    else if (in == IN_LOCATION && parser->text_of == TEXT_RANK)
        parser->locations[parser->n_locations - 1].location.thread = parse_number(parser, "the rank of a location", text);
    parser->text_of = TEXT_NONE;
}

static void XMLCALL
on_end(void *context, const char *name)
{
    anchor_parser *parser = context;
    element        is     = (element)parser->stack[--parser->n_stack];

    (void)name;
    switch (is) {
    case IN_TEXT: end_text(parser); break;
    case IN_METRIC: parser->metric = parser->metrics[parser->metric].parent; break;
    case IN_CNODE: parser->path = parser->cube->paths[parser->path].parent; break;
    case IN_GROUP:
        for (size_t i = parser->group_first; i < parser->n_locations; i++) {
            parser->locations[i].location.process      = parser->group_rank;
            parser->locations[i].location.process_name = parser->group_name;
        }
        break;
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

static bool
parse_chunk(anchor_parser *parser, const uint8_t *bytes, size_t n, bool is_last)
{
    if (XML_Parse(parser->expat, (const char *)bytes, (int)n, is_last) == XML_STATUS_OK)
        return true;
    if (parser->status == HD_OK) {
        parser->status = hd_fail(HD_EFORMAT, "report \"%s\" is damaged: anchor.xml, line %lu: %s", parser->cube->path,
                                 XML_GetCurrentLineNumber(parser->expat), XML_ErrorString(XML_GetErrorCode(parser->expat)));
        hd_fail_detail("note", "attributes without quotes, which some row-wise derived metrics have, cannot be read either");
    }
    return false;
}

/* Feeds a gzip'ed anchor, or a plain one, to the parser piece by piece, so that neither has to fit into memory. */
static hd_status
parse_pieces(anchor_parser *parser, const tar_member *anchor, bool is_packed)
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

        status = read_at(parser->cube, in, n, anchor->data + done);
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

static hd_status
take_metrics(anchor_parser *parser)
{
    hd_cube  *cube   = parser->cube;
    uint32_t *number = HD_NEW_ARRAY(uint32_t, parser->n_metrics + 1);

    cube->metrics = HD_NEW_ARRAY(hd_cube_metric, parser->n_metrics + 1);
    for (size_t i = 0; i < parser->n_metrics; i++) {
        parsed_metric *parsed = &parser->metrics[i];

        number[i] = parsed->parent != HD_NONE ? number[parsed->parent] : HD_NONE; /* its children hang there if it is left out */
        if (parsed->is_left_out || parsed->metric.format == FORMAT_NONE)
            continue;
        parsed->metric.parent          = number[i];
        number[i]                      = cube->n_metrics;
        cube->metrics[cube->n_metrics] = parsed->metric;
        cube->n_metrics++;
    }
    free(number);
    return HD_OK;
}

static hd_status
take_paths(anchor_parser *parser)
{
    hd_cube  *cube   = parser->cube;
    hd_status status = HD_OK;
    hd_table  regions;

    hd_table_init(&regions);
    for (size_t i = 0; i < parser->n_regions; i++)
        if (hd_table_get(&regions, parser->regions[i].number) == HD_NONE)
            hd_table_add(&regions, parser->regions[i].number, (uint32_t)i);
    cube->n_paths = (uint32_t)parser->n_paths;
    for (uint32_t i = 0; i < cube->n_paths && status == HD_OK; i++) {
        uint32_t      region = hd_table_get(&regions, parser->callees[i]);
        hd_cube_path *path   = &cube->paths[i];

        if (region == HD_NONE) {
            status = hd_fail(HD_EFORMAT, "report \"%s\" is damaged: call path %" PRIu32 " is of an undefined region", cube->path,
                             path->number);
            break;
        }
        if (path->name != NULL) {
            char *text = hd_format("%s%s", parser->regions[region].name, path->name);

            path->name = keep(cube, text);
            free(text);
        } else
            path->name = parser->regions[region].name;
        path->file       = parser->regions[region].file;
        path->paradigm   = parser->regions[region].paradigm;
        path->role       = parser->regions[region].role;
        path->begin_line = parser->regions[region].begin_line;
    }
    hd_table_fini(&regions);
    return status;
}

static hd_status
take_locations(anchor_parser *parser)
{
    hd_cube *cube = parser->cube;
    bool    *seen = HD_NEW_ARRAY(bool, parser->n_locations + 1);

    cube->locations   = HD_NEW_ARRAY(hd_cube_location, parser->n_locations + 1);
    cube->n_locations = (uint32_t)parser->n_locations;
    cube->n_groups    = parser->n_groups;
    for (size_t i = 0; i < parser->n_locations; i++) {
        uint32_t number = parser->locations[i].number;

        if (number >= parser->n_locations || seen[number]) {
            free(seen);
            return hd_fail(HD_EFORMAT, "report \"%s\" is damaged: its locations are not numbered from 0 on", cube->path);
        }
        seen[number]            = true;
        cube->locations[number] = parser->locations[i].location;
    }
    free(seen);
    return HD_OK;
}

static hd_status
read_anchor(hd_cube *cube)
{
    const tar_member *anchor = NULL;
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
    if (anchor->bytes >= 2 && read_at(cube, head, 2, anchor->data) != HD_OK)
        return HD_EREAD;

    parser.expat = XML_ParserCreate(NULL);
    if (parser.expat == NULL)
        hd_fatal("out of memory: a report cannot be read");
    XML_SetUserData(parser.expat, &parser);
    XML_SetElementHandler(parser.expat, on_start, on_end);
    XML_SetCharacterDataHandler(parser.expat, on_text);
    XML_SetStartDoctypeDeclHandler(parser.expat, on_doctype);
    status = parse_pieces(&parser, anchor, head[0] == 0x1F && head[1] == 0x8B);
    if (status == HD_OK)
        status = take_metrics(&parser);
    if (status == HD_OK)
        status = take_paths(&parser);
    if (status == HD_OK)
        status = take_locations(&parser);
    cube->n_attributes = (uint32_t)parser.n_attributes;

    XML_ParserFree(parser.expat);
    free(parser.stack);
    free(parser.metrics);
    free(parser.regions);
    free(parser.callees);
    free(parser.locations);
    free(parser.text);
    return status;
}

/* ---- values -------------------------------------------------------------------------------------------------------------- */

static void
link_paths(hd_cube *cube)
{
    cube_file *file = cube->file;

    file->first_child  = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_paths + 1);
    file->next_sibling = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_paths + 1);
    memset(file->first_child, 0xFF, cube->n_paths * sizeof(uint32_t)); /* HD_NONE */
    for (uint32_t i = cube->n_paths; i-- > 0;) {
        uint32_t parent = cube->paths[i].parent;

        file->next_sibling[i] = HD_NONE;
        if (parent != HD_NONE) {
            file->next_sibling[i]     = file->first_child[parent];
            file->first_child[parent] = i;
        }
    }
}

/* Rows of inclusive metrics: each root, then, for every node in depth-first order, all of its children at once. */
static void
number_wide_rows(hd_cube *cube)
{
    cube_file *file = cube->file;
    uint32_t   n    = 0;

    file->path_of_wide_row = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_paths + 1);
    for (uint32_t i = 0; i < cube->n_paths; i++) { /* paths are in depth-first order */
        if (cube->paths[i].parent == HD_NONE)
            file->path_of_wide_row[n++] = i;
        for (uint32_t child = file->first_child[i]; child != HD_NONE; child = file->next_sibling[child])
            file->path_of_wide_row[n++] = child;
    }
}

static hd_status
damaged(const hd_cube *cube, uint32_t metric, const char *what)
{
    return hd_fail(HD_EFORMAT, "report \"%s\" is damaged: metric \"%.100s\" has %s", cube->path, cube->metrics[metric].id, what);
}

static hd_status
read_row_numbers(hd_cube *cube, uint32_t metric, const tar_member *member)
{
    cube_file *file         = cube->file;
    row_index *index        = &file->index;
    bool       is_inclusive = cube->metrics[metric].is_inclusive;
    uint8_t    head[22]     = { 0 };
    uint8_t   *numbers;
    uint32_t   n;
    hd_status  status;

    if (member->bytes < 18)
        return damaged(cube, metric, "an index that is too short");
    status = read_near(cube, head, member->bytes < sizeof head ? member->bytes : sizeof head, member->data);
    if (status != HD_OK)
        return status;
    if (memcmp(head, "CUBEX.INDEX", 11) != 0 || number_at(head + 11, 4, head[11] == 0) != 1)
        return damaged(cube, metric, "an index that does not begin like one");
    index->swaps = head[11] == 0;
    if (is_inclusive && file->path_of_wide_row == NULL)
        number_wide_rows(cube);

    n = cube->n_paths; /* dense */
    if (head[17] == 0)
        n = 0;
    else if (head[17] == 1)
        n = member->bytes >= sizeof head ? (uint32_t)number_at(head + 18, 4, index->swaps) : 0;
    else if (head[17] != 3)
        return damaged(cube, metric, "an index of an unknown kind");
    if (head[17] == 1 && n > 0 && n > (member->bytes - sizeof head) / 4)
        return damaged(cube, metric, "an index that is too short");
    if (n > cube->n_paths)
        return damaged(cube, metric, "more rows than there are call paths");

    numbers = head[17] == 1 ? HD_NEW_ARRAY(uint8_t, (size_t)n * 4 + 1) : NULL;
    if (numbers != NULL)
        status = read_near(cube, numbers, (uint64_t)n * 4, member->data + sizeof head);
    for (uint32_t i = 0; i < n && status == HD_OK; i++) {
        uint32_t row = numbers != NULL ? (uint32_t)number_at(numbers + (size_t)i * 4, 4, index->swaps) : i;

        if (row >= cube->n_paths)
            status = damaged(cube, metric, "a row of an undefined call path");
        else
            index->position[is_inclusive ? file->path_of_wide_row[row] : row] = i;
    }
    index->is_empty = n == 0;
    free(numbers);
    return status;
}

static hd_status
read_packed_rows(hd_cube *cube, uint32_t metric, const tar_member *member)
{
    row_index *index = &cube->file->index;
    uint8_t    head[19], entry[24];
    uint64_t   rows;
    hd_status  status = read_near(cube, head, sizeof head, member->data);

    if (status != HD_OK)
        return status;
    index->n_packed = number_at(head + 11, 8, index->swaps);
    if (index->n_packed > (member->bytes - sizeof head) / sizeof entry)
        return damaged(cube, metric, "compressed rows whose list is too short");
    index->packed = HD_NEW_ARRAY(uint64_t, 2 * (size_t)index->n_packed + 1);
    rows          = sizeof head + index->n_packed * sizeof entry;
    for (uint64_t i = 0; i < index->n_packed; i++) {
        uint64_t start, bytes;

        status = read_near(cube, entry, sizeof entry, member->data + sizeof head + i * sizeof entry);
        if (status != HD_OK)
            return status;
        start = number_at(entry + 8, 8, index->swaps);
        bytes = number_at(entry + 16, 8, index->swaps);
        if (start > member->bytes - rows || bytes > member->bytes - rows - start)
            return damaged(cube, metric, "a compressed row that is not inside of its file");
        index->packed[2 * i]     = member->data + rows + start;
        index->packed[2 * i + 1] = bytes;
    }
    return HD_OK;
}

static hd_status
read_rows(hd_cube *cube, uint32_t metric, const tar_member *member)
{
    row_index *index    = &cube->file->index;
    uint8_t    head[11] = { 0 };
    hd_status  status;

    if (member->bytes < 10)
        return damaged(cube, metric, "values that are too short");
    status = read_near(cube, head, member->bytes < sizeof head ? member->bytes : sizeof head, member->data);
    if (status != HD_OK)
        return status;
    if (memcmp(head, "ZCUBEX.DATA", 11) == 0)
        return member->bytes >= 19 ? read_packed_rows(cube, metric, member) : damaged(cube, metric, "values that are too short");
    if (memcmp(head, "CUBEX.DATA", 10) != 0)
        return damaged(cube, metric, "values that do not begin like ones");
    index->rows     = member->data + 10;
    index->rows_end = member->data + member->bytes;
    return HD_OK;
}

static hd_status
select_metric(hd_cube *cube, uint32_t metric)
{
    row_index    *index = &cube->file->index;
    const tar_member *rows, *numbers;
    char          name[32];
    hd_status     status;

    if (index->metric == metric)
        return HD_OK;
    free(index->packed);
    index->packed   = NULL;
    index->metric   = HD_NONE;
    index->is_empty = true;
    if (index->position == NULL)
        index->position = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_paths + 1);
    memset(index->position, 0xFF, cube->n_paths * sizeof(uint32_t)); /* HD_NONE */

    snprintf(name, sizeof name, "%" PRIu32 ".index", cube->metrics[metric].number);
    numbers = find_member(cube, name);
    snprintf(name, sizeof name, "%" PRIu32 ".data", cube->metrics[metric].number);
    rows = find_member(cube, name);
    if (rows != NULL && numbers != NULL) {
        status = read_row_numbers(cube, metric, numbers);
        if (status == HD_OK)
            status = read_rows(cube, metric, rows);
        if (status != HD_OK)
            return status;
    }
    index->metric = metric;
    return HD_OK;
}

static double
value_of(value_format format, const uint8_t *bytes, bool swaps)
{
    uint64_t bits = number_at(bytes, format_bytes[format], swaps);
    double   value;

    switch (format) {
    case FORMAT_I64: return (double)(int64_t)bits;
    case FORMAT_I32: return (double)(int32_t)(uint32_t)bits;
    case FORMAT_I16: return (double)(int16_t)(uint16_t)bits;
    case FORMAT_I8: return (double)(int8_t)(uint8_t)bits;
    case FORMAT_DOUBLE: memcpy(&value, &bits, sizeof value); return value;
    default: return (double)bits;
    }
}

static hd_status
read_packed_row(hd_cube *cube, uint32_t metric, uint32_t position, size_t row_bytes)
{
    cube_file *file = cube->file;
    uint64_t   at   = file->index.packed[2 * (size_t)position];
    uint64_t   n    = file->index.packed[2 * (size_t)position + 1];
    uLongf     got  = row_bytes;
    hd_status  status;

    if (n > file->packed_capacity) {
        file->packed          = hd_realloc(file->packed, n, 1);
        file->packed_capacity = n;
    }
    status = read_near(cube, file->packed, n, at);
    if (status != HD_OK)
        return status;
    if (uncompress(file->row, &got, file->packed, n) != Z_OK || got != row_bytes)
        return damaged(cube, metric, "a compressed row that cannot be uncompressed");
    return HD_OK;
}

/* As stored, inclusive or exclusive. */
static hd_status
read_stored_row(hd_cube *cube, uint32_t metric, uint32_t path, double *values, bool *any)
{
    cube_file       *file      = cube->file;
    const row_index *index     = &file->index;
    value_format     format    = (value_format)cube->metrics[metric].format;
    uint32_t         position  = index->position[path];
    size_t           row_bytes = (size_t)cube->n_locations * format_bytes[format];
    hd_status        status;

    *any = position != HD_NONE;
    if (position == HD_NONE) {
        memset(values, 0, cube->n_locations * sizeof *values);
        return HD_OK;
    }
    if (index->packed != NULL) {
        if (position >= index->n_packed)
            return damaged(cube, metric, "fewer compressed rows than its index says");
        status = read_packed_row(cube, metric, position, row_bytes);
    } else {
        if (((uint64_t)position + 1) * row_bytes > index->rows_end - index->rows)
            return damaged(cube, metric, "fewer rows than its index says");
        status = read_near(cube, file->row, row_bytes, index->rows + (uint64_t)position * row_bytes);
    }
    if (status != HD_OK)
        return status;
    for (uint32_t i = 0; i < cube->n_locations; i++)
        values[i] = value_of(format, file->row + (size_t)i * format_bytes[format], index->swaps);
    return HD_OK;
}

hd_status
hd_cube_row(hd_cube *cube, uint32_t metric, uint32_t path, double *values, bool *any)
{
    cube_file *file = cube->file;
    hd_status  status;

    HD_ASSERT(metric < cube->n_metrics);
    HD_ASSERT(path < cube->n_paths);
    status = select_metric(cube, metric);
    if (status != HD_OK)
        return status;
    if (file->index.is_empty) {
        memset(values, 0, cube->n_locations * sizeof *values);
        *any = false;
        return HD_OK;
    }
    status = read_stored_row(cube, metric, path, values, any);
    if (!cube->metrics[metric].is_inclusive)
        return status;
    for (uint32_t child = file->first_child[path]; child != HD_NONE && status == HD_OK; child = file->next_sibling[child]) {
        bool has_child;

        status = read_stored_row(cube, metric, child, file->child, &has_child);
        for (uint32_t i = 0; status == HD_OK && has_child && i < cube->n_locations; i++)
            values[i] -= file->child[i];
        *any |= has_child;
    }
    return status;
}

hd_status
hd_cube_misc(hd_cube *cube, const char *name, size_t max_bytes, char **text, size_t *bytes)
{
    const tar_member *member = find_member(cube, name);
    hd_status     status;

    *text  = NULL;
    *bytes = 0;
    if (member == NULL)
        return HD_OK;
    if (member->bytes > max_bytes)
        return hd_fail(HD_ESIZE, "report \"%s\": its file \"%s\" is too large", cube->path, name);
    *text  = HD_NEW_ARRAY(char, (size_t)member->bytes + 1);
    status = read_at(cube, *text, member->bytes, member->data);
    if (status != HD_OK) {
        free(*text);
        *text = NULL;
        return status;
    }
    *bytes = (size_t)member->bytes;
    return HD_OK;
}

uint32_t
hd_cube_metric_by_id(const hd_cube *cube, const char *id)
{
    for (uint32_t i = 0; i < cube->n_metrics; i++)
        if (strcmp(cube->metrics[i].id, id) == 0)
            return i;
    return HD_NONE;
}

hd_status
hd_cube_open(const char *path, hd_cube **cube_out)
{
    hd_cube    *cube = HD_NEW(hd_cube);
    struct stat info;
    hd_status   status = HD_OK;

    cube->file                = HD_NEW(cube_file);
    cube->file->index.metric  = HD_NONE;
    cube->file->window        = HD_NEW_ARRAY(uint8_t, WINDOW_BYTES);
    cube->path                = keep(cube, path);
    cube->file->fd            = open(path, O_RDONLY | O_CLOEXEC);
    if (cube->file->fd < 0 || fstat(cube->file->fd, &info) != 0)
        status = hd_fail(HD_EOPEN, "cannot open report \"%s\": %s", path, strerror(errno));
    else if (!S_ISREG(info.st_mode))
        status = hd_fail(HD_EOPEN, "cannot open report \"%s\": it is no regular file", path);
    else
        cube->file->bytes = (uint64_t)info.st_size;
    if (status == HD_OK)
        status = find_members(cube);
    if (status == HD_OK)
        status = read_anchor(cube);
    if (status == HD_OK) {
        link_paths(cube);
        cube->file->row   = HD_NEW_ARRAY(uint8_t, (size_t)cube->n_locations * 8 + 1);
        cube->file->child = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
        *cube_out         = cube;
        cube              = NULL;
    }
    hd_cube_close(cube);
    return status;
}

void
hd_cube_close(hd_cube *cube)
{
    cube_file *file;

    if (cube == NULL)
        return;
    file = cube->file;
    if (file->fd >= 0)
        close(file->fd);
    for (size_t i = 0; i < file->n_texts; i++)
        free(file->texts[i]);
    free(file->texts);
    free(file->members);
    free(file->first_child);
    free(file->next_sibling);
    free(file->path_of_wide_row);
    free(file->index.position);
    free(file->index.packed);
    free(file->window);
    free(file->row);
    free(file->child);
    free(file->packed);
    free(file);
    free(cube->metrics);
    free(cube->paths);
    free(cube->locations);
    free(cube->attributes);
    free(cube);
}
