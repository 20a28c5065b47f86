#include "cut.h"

#include "cube_cell.h"
#include "memory.h"
#include "path_select.h"

struct hd_cut {
    hd_cube      *report;
    hd_cube       cube;    /* paths and attributes are its own, the rest is lent by the report */
    uint32_t     *first;   /* [cube.n_paths + 1] in sources */
    uint32_t     *sources; /* call paths of the report whose values a call path of the result has, ascending */
    hd_cube_cell *row;     /* [n_locations] */
    char         *text;    /* of an attribute */
};

/* ---- which call paths -------------------------------------------------------------------------------------------- */

/* is: out, [n_paths] those that one of the texts means; free() it, also on error. */
static hd_status
select_all(const hd_cube *report, const char *const *texts, size_t n, bool **is)
{
    *is = HD_NEW_ARRAY(bool, (size_t)report->n_paths + 1);
    for (size_t i = 0; i < n; i++) {
        bool     *selected = NULL;
        hd_status status   = hd_paths_select(report, texts[i], &selected);

        for (uint32_t path = 0; status == HD_OK && path < report->n_paths; path++)
            (*is)[path] |= selected[path];
        free(selected);
        if (status != HD_OK)
            return status;
    }
    return HD_OK;
}

static hd_status
root_is_pruned(const hd_cube *report, uint32_t path)
{
    hd_fail(HD_EUSAGE, "call path \"%.200s\" is to be pruned, but it is a root: its values cannot be added to those of "
            "a parent", report->paths[path].name);
    hd_fail_detail("try", "--drop, which omits them");
    return HD_EUSAGE;
}

/* Fills the call paths of the result.
 *   target   [n_paths] out, by call path of the report: where its values go, HD_NONE: nowhere */
static hd_status
take_paths(hd_cut *cut, const bool *is_kept, const bool *is_pruned, bool drops, uint32_t *target)
{
    const hd_cube *report = cut->report;

    cut->cube.paths   = HD_NEW_ARRAY(hd_cube_path, (size_t)report->n_paths + 1);
    cut->cube.n_paths = 0;
    for (uint32_t i = 0; i < report->n_paths; i++) {
        hd_cube_path path      = report->paths[i];
        bool         has_above = path.parent != HD_NONE && is_kept[path.parent];

        target[i] = HD_NONE;
        if (!is_kept[i] || (is_pruned[i] && drops))
            continue;
        if (is_pruned[i] && !has_above)
            return root_is_pruned(report, i);
        if (is_pruned[i]) {
            target[i] = target[path.parent];
            continue;
        }
        target[i]   = cut->cube.n_paths;
        path.parent = has_above ? target[path.parent] : HD_NONE;
        path.number = cut->cube.n_paths;
        cut->cube.paths[cut->cube.n_paths++] = path;
    }
    if (cut->cube.n_paths > 0 || report->n_paths == 0)
        return HD_OK;
    return hd_fail(HD_EUSAGE, "nothing of report \"%s\" would be left", report->path);
}

static void
list_sources(hd_cut *cut, const uint32_t *target)
{
    const hd_cube *report = cut->report;
    uint32_t      *next;

    cut->first   = HD_NEW_ARRAY(uint32_t, (size_t)cut->cube.n_paths + 2);
    cut->sources = HD_NEW_ARRAY(uint32_t, (size_t)report->n_paths + 1);
    for (uint32_t i = 0; i < report->n_paths; i++)
        if (target[i] != HD_NONE)
            cut->first[target[i] + 1]++;
    for (uint32_t i = 0; i < cut->cube.n_paths; i++)
        cut->first[i + 1] += cut->first[i];
    next = HD_NEW_ARRAY(uint32_t, (size_t)cut->cube.n_paths + 1);
    memcpy(next, cut->first, cut->cube.n_paths * sizeof *next);
    for (uint32_t i = 0; i < report->n_paths; i++)
        if (target[i] != HD_NONE)
            cut->sources[next[target[i]]++] = i;
    free(next);
}

/* ---- what it says about itself ----------------------------------------------------------------------------------- */

static char *
description(const hd_cut_options *options)
{
    char *text = hd_strdup("");

    for (size_t i = 0; i < options->n_roots + options->n_pruned; i++) {
        bool        is_root = i < options->n_roots;
        const char *path    = is_root ? options->roots[i] : options->pruned[i - options->n_roots];
        char *more = hd_format("%s%s%s \"%s\"", text, i > 0 ? ", " : "",
                               is_root ? "root" : options->drops ? "without" : "pruned", path);

        free(text);
        text = more;
    }
    return text;
}

static void
take_attributes(hd_cut *cut, const hd_cut_options *options)
{
    const hd_cube *report = cut->report;

    cut->text            = description(options);
    cut->cube.attributes = HD_NEW_ARRAY(hd_cube_attribute, (size_t)report->n_attributes + 1);
    cut->cube.n_attributes = 0;
    for (uint32_t i = 0; i < report->n_attributes; i++)
        if (strcmp(report->attributes[i].key, "statisticfile") != 0) /* it names call paths by numbers of the report */
            cut->cube.attributes[cut->cube.n_attributes++] = report->attributes[i];
    cut->cube.attributes[cut->cube.n_attributes++] = (hd_cube_attribute){ .key = HD_CUT_ATTRIBUTE, .value = cut->text };
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

hd_status
hd_cut_new(hd_cube *report, const hd_cut_options *options, hd_cut **cut_out)
{
    hd_cut   *cut     = HD_NEW(hd_cut);
    bool     *is_kept = NULL, *is_pruned = NULL;
    uint32_t *target  = HD_NEW_ARRAY(uint32_t, (size_t)report->n_paths + 1);
    hd_status status;

    cut->report = report;
    cut->cube   = *report;
    cut->cube.paths      = NULL;
    cut->cube.attributes = NULL;
    status = select_all(report, options->roots, options->n_roots, &is_kept);
    if (status == HD_OK)
        status = select_all(report, options->pruned, options->n_pruned, &is_pruned);
    if (options->n_roots == 0)
        memset(is_kept, 1, report->n_paths * sizeof *is_kept);
    if (status == HD_OK)
        status = take_paths(cut, is_kept, is_pruned, options->drops, target);
    if (status == HD_OK) {
        list_sources(cut, target);
        take_attributes(cut, options);
        cut->row = HD_NEW_ARRAY(hd_cube_cell, (size_t)report->n_locations + 1);
        *cut_out = cut;
        cut      = NULL;
    }
    hd_cut_free(cut);
    free(is_kept);
    free(is_pruned);
    free(target);
    return status;
}

const hd_cube *
hd_cut_cube(const hd_cut *cut)
{
    return &cut->cube;
}

hd_status
hd_cut_rows(void *context, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any)
{
    hd_cut               *cut    = context;
    const hd_cube_metric *info   = &cut->report->metrics[metric];
    uint32_t              first  = cut->first[path], end = cut->first[path + 1];
    hd_status             status = hd_cube_cells(cut->report, metric, cut->sources[first], cells, any);

    for (uint32_t i = first + 1; i < end && status == HD_OK; i++) {
        bool has;

        status = hd_cube_cells(cut->report, metric, cut->sources[i], cut->row, &has);
        for (uint32_t j = 0; status == HD_OK && has && j < cut->report->n_locations; j++)
            cells[j] = hd_cell_sum(info, cells[j], cut->row[j]);
        *any |= has;
    }
    return status;
}

void
hd_cut_free(hd_cut *cut)
{
    if (cut == NULL)
        return;
    free(cut->cube.paths);
    free(cut->cube.attributes);
    free(cut->first);
    free(cut->sources);
    free(cut->row);
    free(cut->text);
    free(cut);
}
