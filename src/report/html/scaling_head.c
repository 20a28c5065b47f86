/* The page of runs of several sizes is its head: docs/formats.md#several-sizes. */
#include <inttypes.h>

#include "json.h"
#include "memory.h"
#include "page_head.h"
#include "scaling_page.h"

static void
put_series(FILE *file, const hd_scaling *scaling, const hd_scaling_series *series)
{
    fputs(",\"values\":[", file);
    for (uint32_t i = 0; i < scaling->n_runs; i++) {
        fputs(i > 0 ? "," : "", file);
        hd_json_number(file, series->values[i]);
    }
    fputs("],\"growth\":", file);
    hd_json_number(file, series->growth);
    fputc('}', file);
}

static void
put_runs(FILE *file, const hd_scaling *scaling)
{
    fputs(",\n\"runs\":[", file);
    for (uint32_t i = 0; i < scaling->n_runs; i++) {
        const hd_scaling_run *run     = &scaling->runs[i];
        char                 *partial = hd_is_incomplete(run->cube) ? hd_completeness_text(run->cube) : NULL;

        fprintf(file, "%s\n{\"title\":", i > 0 ? "," : "");
        hd_json_text(file, run->cube->path);
        fprintf(file, ",\"processes\":%" PRIu32 ",\"locations\":%" PRIu32 ",\"time\":", run->n_processes, run->n_locations);
        hd_json_number(file, run->time);
        fputs(",\"incomplete\":", file);
        hd_json_text(file, partial);
        fputc('}', file);
        free(partial);
    }
    fputc(']', file);
}

static void
put_metrics(FILE *file, const hd_scaling *scaling)
{
    fputs(",\n\"metrics\":[", file);
    for (uint32_t i = 0; i < scaling->model->n_metrics; i++) {
        fputs(i > 0 ? ",\n" : "\n", file);
        hd_page_put_metric(file, &scaling->model->metrics[i], scaling->model->metrics[i].parent);
        put_series(file, scaling, &scaling->metrics[i]);
    }
    fputc(']', file);
}

static void
put_names(FILE *file, const hd_cube *model, uint32_t path)
{
    uint32_t  n     = 0;
    uint32_t *above = NULL;

    for (uint32_t i = path; i != HD_NONE; i = model->paths[i].parent)
        n++;
    above = HD_NEW_ARRAY(uint32_t, n);
    for (uint32_t i = path, k = n; i != HD_NONE; i = model->paths[i].parent)
        above[--k] = i;
    for (uint32_t k = 0; k < n; k++) {
        fputs(k > 0 ? "," : "", file);
        hd_json_text(file, model->paths[above[k]].name);
    }
    free(above);
}

static void
put_paths(FILE *file, const hd_scaling *scaling, uint32_t max_n)
{
    uint32_t *most = HD_NEW_ARRAY(uint32_t, (size_t)max_n + 1);
    uint32_t  n    = hd_scaling_paths(scaling, most, max_n);

    fputs(",\n\"paths\":[", file);
    for (uint32_t i = 0; i < n; i++) {
        fprintf(file, "%s\n{\"names\":[", i > 0 ? "," : "");
        put_names(file, scaling->model, most[i]);
        fputc(']', file);
        put_series(file, scaling, &scaling->paths[most[i]]);
    }
    fputc(']', file);
    free(most);
}

char *
hd_scaling_head(const hd_scaling *scaling, const char *title, uint32_t n_paths, size_t *bytes)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, bytes);

    if (file == NULL)
        hd_fatal("out of memory: the page cannot be made");
    fputs("{\"format\":1,\"kind\":\"scaling\",\n\"title\":", file);
    hd_json_text(file, title);
    fputs(",\"creator\":\"Heddle " HEDDLE_VERSION "\"", file);
    fprintf(file, ",\"byLocations\":%s", scaling->by_locations ? "true" : "false");
    put_runs(file, scaling);
    put_metrics(file, scaling);
    put_paths(file, scaling, n_paths);
    fputs("}\n", file);
    if (fclose(file) != 0)
        hd_fatal("out of memory: the page cannot be made");
    return text;
}
