/* src/report/series/series_delays.c: reads delay costs, and adds up those of a sum. */
#include "series_delays.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "sort.h"

static bool
is_sum(uint32_t metric)
{
    return hd_metric_is_delay_cost(metric) && hd_metric_infos[metric].kind == HD_KIND_S;
}

static bool
is_part(uint32_t metric, uint32_t sum)
{
    return hd_metric_is_delay_cost(metric) && hd_metric_is_within(metric, sum);
}

static inline uint64_t
key_of(const hd_series_entry *entry)
{
    return (uint64_t)entry->process << 32 | entry->slice;
}

/* From entry `first` on of [*n]. */
static void
add_sum(uint32_t metric, size_t first, hd_series_entry **entries, size_t *n)
{
    size_t           n_all = *n - first, n_sums = 0;
    hd_series_entry *sums;

    *entries = hd_realloc(*entries, *n + n_all + 1, sizeof **entries);
    sums     = &(*entries)[*n];
    for (size_t i = first; i < *n; i++)
        if (is_part((*entries)[i].metric, metric))
            sums[n_sums++] = (*entries)[i];
    HD_SORT_BY_KEY(hd_series_entry, sums, n_sums, key_of);
    n_all  = n_sums;
    n_sums = 0;
    for (size_t i = 0; i < n_all; i++)
        if (n_sums > 0 && key_of(&sums[n_sums - 1]) == key_of(&sums[i]))
            sums[n_sums - 1].value += sums[i].value;
        else
            sums[n_sums++] = sums[i];
    for (size_t i = 0; i < n_sums; i++)
        sums[i].metric = metric;
    *n += n_sums;
}

static hd_status
read_track(hd_cube *cube, uint32_t metric, bool over_iterations, uint32_t n_slices, hd_series_entry **entries, size_t *n,
           bool *is_there)
{
    size_t    first  = *n;
    hd_status status = hd_delay_series_add(cube, over_iterations, n_slices, entries, n, is_there);

    if (status == HD_OK && is_sum(metric))
        add_sum(metric, first, entries, n);
    return status;
}

hd_status
hd_series_delays_read(hd_cube *cube, uint32_t metric, hd_series_list *windows, hd_iteration_list *iterations, bool *has)
{
    bool      is_there;
    hd_status status = read_track(cube, metric, false, windows->n_slices, &windows->entries, &windows->n, has);

    if (status == HD_OK && iterations->is_there)
        status = read_track(cube, metric, true, iterations->n_slices + 3, &iterations->entries, &iterations->n,
                            &is_there);
    return status;
}

static inline uint64_t
key_of_path(const hd_path_entry *entry)
{
    return (uint64_t)entry->path << 32 | entry->slice;
}

static void
add_sum_of_paths(uint32_t metric, size_t first, hd_path_series_list *list)
{
    size_t         n_all = 0, n_sums = 0;
    hd_path_entry *sums;

    list->entries = hd_realloc(list->entries, 2 * list->n - first + 1, sizeof *list->entries);
    sums          = &list->entries[list->n];
    for (size_t i = first; i < list->n; i++)
        if (is_part(list->entries[i].metric, metric))
            sums[n_all++] = list->entries[i];
    HD_SORT_BY_KEY(hd_path_entry, sums, n_all, key_of_path);
    for (size_t i = 0; i < n_all; i++)
        if (n_sums > 0 && key_of_path(&sums[n_sums - 1]) == key_of_path(&sums[i]))
            sums[n_sums - 1].value += sums[i].value;
        else
            sums[n_sums++] = sums[i];
    for (size_t i = 0; i < n_sums; i++) {
        sums[i].metric  = metric;
        sums[i].most    = NAN;
        sums[i].process = HD_NONE;
    }
    list->n += n_sums;
}

hd_status
hd_series_delays_read_paths(hd_cube *cube, uint32_t metric, const hd_series_list *windows,
                            const hd_iteration_list *iterations, hd_path_series_list *list)
{
    size_t    first    = list->n;
    uint32_t  n_slices = iterations != NULL ? iterations->n_slices + 3 : windows->n_slices;
    hd_status status   = hd_delay_path_series_add(cube, iterations != NULL, n_slices, list);

    if (status == HD_OK && is_sum(metric))
        add_sum_of_paths(metric, first, list);
    return status;
}

char *
hd_series_delay_name(uint32_t metric)
{
    const hd_metric_info *info = &hd_metric_infos[metric];
    char                 *term, *name;

    if (is_sum(metric))
        return hd_strdup(info->name);
    term  = hd_strdup(info->name);
    *term = (char)tolower((unsigned char)*term);
    name  = hd_format("%s, %s", hd_metric_infos[info->parent].name, term);
    free(term);
    return name;
}
