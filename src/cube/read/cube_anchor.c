/* src/cube/read/cube_anchor.c: the anchor of a report as XML, packed or not, also where attributes have no quotes. */
#include <zlib.h>

#include "anchor_parts.h"
#include "anchor_take.h"
#include "memory.h"

enum {
    CHUNK_BYTES = 64 * 1024,
    MAX_DEPTH   = 1 << 24, /* of nested elements */
};

/* Attributes of row-wise derived metrics stand without quotes in the files of some writers, which is no XML. */
typedef enum quoting {
    QUOTING_TEXT, QUOTING_OPENED, QUOTING_TAG, QUOTING_VALUE, QUOTING_SINGLE, QUOTING_DOUBLE, QUOTING_BARE
} quoting;

static void XMLCALL
on_start(void *context, const char *name, const char **attributes)
{
    hd_anchor_parser *parser = context;
    hd_anchor_element is;

    if (parser->n_stack == 0) {
        is = strcmp(name, "cube") == 0 ? IN_CUBE : IN_OTHER;
        if (is == IN_OTHER)
            hd_anchor_stop(parser, "it is no cube, but \"%.60s\"", name);
    } else {
        hd_anchor_element in = (hd_anchor_element)parser->stack[parser->n_stack - 1];

        is              = hd_anchor_element_of(in, name);
        parser->text_of = is == IN_OTHER ? hd_anchor_text_of(in, name) : TEXT_NONE;
        parser->n_text  = 0;
        if (parser->text_of != TEXT_NONE)
            is = IN_TEXT;
        hd_anchor_detail(parser, in, name, attributes);
    }
    if (parser->n_stack >= MAX_DEPTH) {
        hd_anchor_stop(parser, "it is nested too deeply");
        return;
    }
    HD_PUSH(parser->stack, parser->n_stack, parser->stack_capacity, (uint8_t)is);
    hd_anchor_begin(parser, is, name, attributes);
}

static void XMLCALL
on_text(void *context, const char *text, int length)
{
    hd_anchor_parser *parser = context;

    if (parser->text_of == TEXT_NONE || length <= 0)
        return;
    if (parser->n_text + (size_t)length > HD_ANCHOR_MAX_TEXT) {
        hd_anchor_stop(parser, "a text is too long");
        return;
    }
    while (parser->text_capacity < parser->n_text + (size_t)length + 1)
        parser->text = hd_grow(parser->text, parser->text_capacity, &parser->text_capacity, 1);
    memcpy(parser->text + parser->n_text, text, (size_t)length);
    parser->n_text += (size_t)length;
}

static void XMLCALL
on_end(void *context, const char *name)
{
    hd_anchor_parser *parser = context;
    hd_anchor_element is     = (hd_anchor_element)parser->stack[--parser->n_stack];

    (void)name;
    hd_anchor_end(parser, is);
}

/* Cube has no use for a document type; without one there are no entities that could blow up. */
static void XMLCALL
on_doctype(void *context, const char *name, const char *system, const char *public, int has_subset)
{
    (void)name, (void)system, (void)public, (void)has_subset;
    hd_anchor_stop(context, "it has a document type");
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

/* Some bytes of the anchor. */
static hd_status
parse_chunk(hd_anchor_parser *parser, const uint8_t *bytes, size_t n, bool is_last)
{
    char *to = parser->quoted;

    for (size_t i = 0; i < n; i++)
        parser->quoting = quote_next((quoting)parser->quoting, (char)bytes[i], &to);
    if (XML_Parse(parser->expat, parser->quoted, (int)(to - parser->quoted), is_last) == XML_STATUS_OK)
        return HD_OK;
    hd_anchor_stop(parser, "%s", XML_ErrorString(XML_GetErrorCode(parser->expat)));
    return parser->status;
}

/* A gzip'ed anchor on its way to the parser. */
typedef struct unpacker {
    z_stream zlib;
    uint8_t *out; /* [CHUNK_BYTES] */
    bool     is_ended;
} unpacker;

/* All that n compressed bytes give. */
static hd_status
parse_packed(hd_anchor_parser *parser, unpacker *packed, uint8_t *bytes, size_t n)
{
    z_stream *zlib   = &packed->zlib;
    hd_status status = HD_OK;

    zlib->next_in  = bytes;
    zlib->avail_in = (uInt)n;
    do {
        int code;

        zlib->next_out   = packed->out;
        zlib->avail_out  = CHUNK_BYTES;
        code             = inflate(zlib, Z_NO_FLUSH);
        packed->is_ended = code == Z_STREAM_END;
        if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
            return hd_fail(HD_EFORMAT, "report \"%s\" is damaged: its anchor cannot be uncompressed",
                           parser->cube->path);
        status = parse_chunk(parser, packed->out, CHUNK_BYTES - zlib->avail_out, false);
    } while (status == HD_OK && !packed->is_ended && zlib->avail_out == 0);
    return status;
}

/* Feeds a gzip'ed anchor, or a plain one, to the parser piece by piece, so that neither has to fit into memory. */
static hd_status
parse_pieces(hd_anchor_parser *parser, const hd_tar_member *anchor, bool is_packed)
{
    uint8_t  *bytes  = HD_NEW_ARRAY(uint8_t, CHUNK_BYTES);
    unpacker  packed = { .out = HD_NEW_ARRAY(uint8_t, CHUNK_BYTES) };
    hd_status status = HD_OK;

    if (is_packed && inflateInit2(&packed.zlib, 15 + 16) != Z_OK)
        hd_fatal("out of memory: a report cannot be read");
    for (uint64_t done = 0; done < anchor->bytes && !packed.is_ended && status == HD_OK;) {
        size_t n = anchor->bytes - done < CHUNK_BYTES ? (size_t)(anchor->bytes - done) : CHUNK_BYTES;

        status = hd_cube_read_at(parser->cube, bytes, n, anchor->data + done);
        if (status == HD_OK)
            status = is_packed ? parse_packed(parser, &packed, bytes, n) : parse_chunk(parser, bytes, n, false);
        done += n;
    }
    if (status == HD_OK && is_packed && !packed.is_ended)
        status = hd_fail(HD_EREAD, "report \"%s\" ends too early", parser->cube->path);
    if (status == HD_OK)
        status = parse_chunk(parser, NULL, 0, true);
    if (is_packed)
        inflateEnd(&packed.zlib);
    free(bytes);
    free(packed.out);
    return status;
}

hd_status
hd_cube_read_anchor(hd_cube *cube)
{
    const hd_tar_member *anchor = NULL;
    hd_anchor_parser parser = { .cube = cube, .metric = HD_NONE, .path = HD_NONE };
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
    if (status == HD_OK)
        status = hd_anchor_take(&parser);
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
