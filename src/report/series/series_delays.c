/* src/report/series/series_delays.c: reads delay costs of both kinds of slices. */
#include "series_delays.h"

#include <ctype.h>
#include <stdlib.h>

hd_status
hd_series_delays_read(hd_cube *cube, hd_series_list *windows, hd_iteration_list *iterations, bool *has)
{
    bool      is_there;
    hd_status status = hd_delay_series_add(cube, false, windows->n_slices, &windows->entries, &windows->n, has);

    if (status == HD_OK && iterations->is_there)
        status = hd_delay_series_add(cube, true, iterations->n_slices + 3, &iterations->entries, &iterations->n,
                                     &is_there);
    return status;
}

hd_status
hd_series_delays_read_paths(hd_cube *cube, const hd_series_list *windows, const hd_iteration_list *iterations,
                            hd_path_series_list *list)
{
    return hd_delay_path_series_add(cube, iterations != NULL,
                                    iterations != NULL ? iterations->n_slices + 3 : windows->n_slices, list);
}

char *
hd_series_delay_name(uint32_t metric)
{
    const hd_metric_info *info = &hd_metric_infos[metric];
    char                 *term, *name;

    if (info->kind == HD_KIND_S) /* a sum */
        return hd_strdup(info->name);
    term  = hd_strdup(info->name);
    *term = (char)tolower((unsigned char)*term);
    name  = hd_format("%s, %s", hd_metric_infos[info->parent].name, term);
    free(term);
    return name;
}
