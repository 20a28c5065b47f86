/* src/report/text/json.c: JSON. */
#include "json.h"

#include <inttypes.h>
#include <math.h>

#include "status.h"
#include "text.h"

static void
put_quoted(FILE *file, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;

    putc('"', file);
    while (*at != '\0') {
        size_t n = hd_text_character(at);

        if (n == 0 || (n > 1 && hd_text_unsafe(at) > 0))
            fputs("\\ufffd", file);
        else if (*at == '"' || *at == '\\')
            fprintf(file, "\\%c", *at);
        else if (*at < 0x20 || *at == 0x7F)
            fprintf(file, "\\u%04x", *at);
        else
            fwrite(at, 1, n, file);
        at += n > 0 ? n : 1;
    }
    putc('"', file);
}

static void
break_line(const hd_json *json)
{
    fprintf(json->file, "\n%*s", (int)(2 * json->depth), "");
}

/* What stands in front of a value. */
static void
begin_value(hd_json *json, const char *key)
{
    bool has_lines = json->depth > 0 && json->depth <= json->n_lines;

    HD_ASSERT(json->depth == 0 || (key != NULL) == (json->ends[json->depth - 1] == '}'));
    if (json->has_members)
        putc(',', json->file);
    if (has_lines)
        break_line(json);
    if (key != NULL) {
        put_quoted(json->file, key);
        fputs(has_lines ? ": " : ":", json->file);
    }
    json->has_members = true;
    json->n_values++;
}

static void
begin(hd_json *json, const char *key, char opening, char closing)
{
    begin_value(json, key);
    HD_ASSERT(json->depth < HD_JSON_DEPTH_MAX);
    putc(opening, json->file);
    json->ends[json->depth++] = closing;
    json->has_members         = false;
}

void
hd_json_init(hd_json *json, FILE *file, uint32_t n_lines)
{
    *json = (hd_json){ .file = file, .n_lines = n_lines };
}

void
hd_json_object(hd_json *json, const char *key)
{
    begin(json, key, '{', '}');
}

void
hd_json_array(hd_json *json, const char *key)
{
    begin(json, key, '[', ']');
}

void
hd_json_end(hd_json *json)
{
    bool has_lines = json->has_members && json->depth <= json->n_lines;

    HD_ASSERT(json->depth > 0);
    json->depth--;
    if (has_lines)
        break_line(json);
    putc(json->ends[json->depth], json->file);
    json->has_members = true;
}

void
hd_json_text(hd_json *json, const char *key, const char *text)
{
    begin_value(json, key);
    if (text != NULL)
        put_quoted(json->file, text);
    else
        fputs("null", json->file);
}

void
hd_json_number(hd_json *json, const char *key, double value)
{
    begin_value(json, key);
    if (isfinite(value))
        fprintf(json->file, "%.17g", value);
    else
        fputs("null", json->file);
}

void
hd_json_count(hd_json *json, const char *key, uint64_t value)
{
    begin_value(json, key);
    fprintf(json->file, "%" PRIu64, value);
}

void
hd_json_integer(hd_json *json, const char *key, int64_t value)
{
    begin_value(json, key);
    fprintf(json->file, "%" PRId64, value);
}

void
hd_json_index(hd_json *json, const char *key, uint32_t value)
{
    if (value == HD_NONE)
        hd_json_null(json, key);
    else
        hd_json_count(json, key, value);
}

void
hd_json_bool(hd_json *json, const char *key, bool value)
{
    begin_value(json, key);
    fputs(value ? "true" : "false", json->file);
}

void
hd_json_null(hd_json *json, const char *key)
{
    hd_json_text(json, key, NULL);
}
