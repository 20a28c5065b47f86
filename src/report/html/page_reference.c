/* src/report/html/page_reference.c: values of a second report at the metrics and call paths of a report. */
#include "page_reference.h"

#include "memory.h"

/* [n] the numbers in the alignment of what a report numbers. of_report: [n_common] numbers in the report, HD_NONE: it does not have it */
static uint32_t *
inverted(const uint32_t *of_report, uint32_t n_common, uint32_t n)
{
    uint32_t *common = HD_NEW_UNSET(uint32_t, (size_t)n + 1);

    memset(common, 0xFF, ((size_t)n + 1) * sizeof *common); /* HD_NONE */
    for (uint32_t i = 0; i < n_common; i++)
        if (of_report[i] != HD_NONE)
            common[of_report[i]] = i;
    return common;
}

hd_page_reference *
hd_page_reference_new(hd_cube *report, hd_cube *second)
{
    hd_page_reference *reference = HD_NEW(hd_page_reference);
    hd_alignment      *alignment;

    reference->reports[0] = report;
    reference->reports[1] = second;
    alignment             = hd_alignment_new(reference->reports, 2, (hd_alignment_options){ .one_program = true });
    reference->alignment  = alignment;
    reference->metrics    = inverted(alignment->metric_of[0], alignment->model.n_metrics, report->n_metrics);
    reference->paths      = inverted(alignment->path_of[0], alignment->model.n_paths, report->n_paths);
    for (uint32_t i = 0; i < report->n_paths; i++) /* those that are added up are compared with the same sum */
        if (alignment->next_path[0][i] != HD_NONE)
            reference->paths[alignment->next_path[0][i]] = reference->paths[i];
    for (uint32_t i = 0; i < report->n_paths; i++)
        reference->n_common += alignment->path_of[1][reference->paths[i]] != HD_NONE;
    for (uint32_t i = 0; i < report->n_metrics; i++)
        if (reference->metrics[i] != HD_NONE && alignment->metric_of[1][reference->metrics[i]] == HD_NONE)
            reference->metrics[i] = HD_NONE;
    return reference;
}

void
hd_page_reference_free(hd_page_reference *reference)
{
    if (reference == NULL)
        return;
    hd_alignment_free(reference->alignment);
    free(reference->metrics);
    free(reference->paths);
    free(reference);
}

static hd_status
row(void *context, uint32_t path, double *values, bool *any)
{
    const hd_page_reference_metric *metric = context;

    return hd_alignment_row(metric->reference->alignment, 1, metric->metric, path, values, any);
}

bool
hd_page_reference_rows(const hd_page_reference *reference, uint32_t metric, hd_page_reference_metric *context, hd_page_rows *rows)
{
    if (reference->metrics[metric] == HD_NONE)
        return false;
    *context = (hd_page_reference_metric){ .reference = reference, .metric = reference->metrics[metric] };
    *rows    = (hd_page_rows){ .metric = &reference->reports[0]->metrics[metric], .n_paths = reference->alignment->model.n_paths,
                               .n_columns = reference->alignment->model.n_locations, .row = row, .context = context };
    return true;
}

static void
put_numbers(hd_json *json, const char *key, const uint32_t *numbers, uint32_t n)
{
    hd_json_array(json, key);
    for (uint32_t i = 0; i < n; i++)
        hd_json_integer(json, NULL, numbers[i] == HD_NONE ? -1 : (int64_t)numbers[i]);
    hd_json_end(json);
}

void
hd_page_reference_put(hd_json *json, const hd_page_reference *reference)
{
    const hd_cube *report = reference->reports[0], *model = &reference->alignment->model;
    const char *path  = reference->reports[1]->path;
    const char *slash = strrchr(path, '/');

    hd_json_text(json, "title", slash != NULL ? slash + 1 : path);
    hd_json_text(json, "summed", hd_alignment_why_sums(reference->alignment));
    hd_json_count(json, "nCommon", reference->n_common);
    hd_json_count(json, "nColumns", model->n_locations);
    put_numbers(json, "columns", reference->alignment->column_of[0], report->n_locations);
    put_numbers(json, "paths", reference->paths, report->n_paths);
    hd_json_array(json, "parent");
    for (uint32_t i = 0; i < model->n_paths; i++)
        hd_json_integer(json, NULL, model->paths[i].parent == HD_NONE ? -1 : (int64_t)model->paths[i].parent);
    hd_json_end(json);
}
