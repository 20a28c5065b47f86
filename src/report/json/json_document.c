/* src/report/json/json_document.c: members that several documents have, in one way. */
#include "json_document.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "completeness.h"
#include "memory.h"
#include "path_source.h"

void
hd_json_document_begin(hd_json *json, FILE *file, const char *command)
{
    hd_json_init(json, file, 2);
    hd_json_object(json, NULL);
    hd_json_text(json, "schema", "heddle");
    hd_json_count(json, "version", HD_JSON_VERSION);
    hd_json_text(json, "command", command);
    hd_json_text(json, "program", "Heddle " HEDDLE_VERSION);
}

hd_status
hd_json_document_end(hd_json *json)
{
    hd_json_end(json);
    putc('\n', json->file);
    if (fflush(json->file) == 0 && !ferror(json->file))
        return HD_OK;
    return hd_fail(HD_EWRITE, "cannot write the JSON document: %s", strerror(errno));
}

/* The regions of interest that a report is restricted to. */
static void
put_regions(hd_json *json, const hd_cube *cube)
{
    hd_json_array(json, "regions");
    for (uint32_t i = 0; i < cube->n_attributes; i++)
        if (strcmp(cube->attributes[i].key, HD_REGION_ATTRIBUTE) == 0)
            hd_json_text(json, NULL, cube->attributes[i].value);
    hd_json_end(json);
    hd_json_text(json, "region_share", hd_cube_attribute_get(cube, HD_REGION_SHARE_ATTRIBUTE));
}

/* [s] of an attribute; NaN: it is not there, or no number, as "END". */
static double
time_of(const hd_cube *cube, const char *attribute)
{
    const char *text = hd_cube_attribute_get(cube, attribute);
    char       *end;
    double      time;

    if (text == NULL)
        return NAN;
    time = strtod(text, &end);
    return end != text && *end == '\0' ? time : NAN;
}

static void
put_interval(hd_json *json, const char *key, const hd_cube *cube, const char *from, const char *to)
{
    if (isnan(time_of(cube, from))) {
        hd_json_null(json, key);
        return;
    }
    hd_json_object(json, key);
    hd_json_number(json, "from", time_of(cube, from));
    hd_json_number(json, "to", time_of(cube, to));
    hd_json_end(json);
}

void
hd_json_report(hd_json *json, const char *key, const hd_cube *cube)
{
    hd_json_object(json, key);
    hd_json_text(json, "path", cube->path);
    hd_json_count(json, "processes", cube->n_groups);
    hd_json_count(json, "locations", cube->n_locations);
    hd_json_count(json, "call_paths", cube->n_paths);
    hd_json_bool(json, "is_incomplete", hd_is_incomplete(cube));
    hd_json_text(json, "coverage", hd_cube_attribute_get(cube, HD_COVERAGE_ATTRIBUTE));
    hd_json_text(json, "stopped", hd_cube_attribute_get(cube, HD_STOPPED_ATTRIBUTE));
    hd_json_text(json, "left_out", hd_cube_attribute_get(cube, HD_LEFT_OUT_ATTRIBUTE));
    hd_json_text(json, "simulation", hd_cube_attribute_get(cube, HD_SIMULATION_ATTRIBUTE));
    put_regions(json, cube);
    put_interval(json, "interval", cube, HD_FROM_ATTRIBUTE, HD_TO_ATTRIBUTE);
    put_interval(json, "window", cube, HD_WINDOW_FROM_ATTRIBUTE, HD_WINDOW_TO_ATTRIBUTE);
    hd_json_end(json);
}

void
hd_json_names(hd_json *json, const char *key, const hd_cube *cube, uint32_t path)
{
    uint32_t  n = 0;
    uint32_t *above;

    if (path == HD_NONE) {
        hd_json_null(json, key);
        return;
    }
    for (uint32_t i = path; i != HD_NONE; i = cube->paths[i].parent)
        n++;
    above = HD_NEW_ARRAY(uint32_t, n);
    for (uint32_t i = path, k = n; i != HD_NONE; i = cube->paths[i].parent)
        above[--k] = i;
    hd_json_array(json, key);
    for (uint32_t k = 0; k < n; k++)
        hd_json_text(json, NULL, cube->paths[above[k]].name);
    hd_json_end(json);
    free(above);
}

static void
put_source(hd_json *json, const hd_cube *cube, uint32_t path)
{
    hd_path_source source;

    if (path == HD_NONE || !hd_path_source_find(cube, path, &source)) {
        hd_json_null(json, "source");
        return;
    }
    hd_json_object(json, "source");
    hd_json_text(json, "file", source.file);
    hd_json_count(json, "line", (uint64_t)source.line);
    hd_json_text(json, "region", cube->paths[source.path].name);
    hd_json_bool(json, "is_call", source.is_call);
    hd_json_end(json);
}

void
hd_json_call_path(hd_json *json, const hd_cube *cube, uint32_t path)
{
    hd_json_index(json, "call_path_id", path != HD_NONE ? cube->paths[path].number : HD_NONE);
    hd_json_names(json, "call_path", cube, path);
    put_source(json, cube, path);
}

void
hd_json_metric(hd_json *json, const char *id, const char *name)
{
    hd_json_text(json, "metric", id);
    hd_json_text(json, "name", name);
}

void
hd_json_share(hd_json *json, double value, double whole)
{
    hd_json_number(json, "value", value);
    hd_json_number(json, "share", whole > 0 ? value / whole : NAN);
}
