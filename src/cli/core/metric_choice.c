/* src/cli/core/metric_choice.c: finds a metric by its id, or says which one may be meant. */
#include "metric_choice.h"

#include "memory.h"
#include "options.h"

hd_status
hd_metric_choose(const hd_cube *cube, const char *id, uint32_t *metric)
{
    const char **ids = NULL, *closest;
    uint32_t     number = hd_cube_metric_by_id(cube, id);

    if (number != HD_NONE) {
        *metric = number;
        return HD_OK;
    }
    ids = HD_NEW_ARRAY(const char *, (size_t)cube->n_metrics + 1);
    for (uint32_t i = 0; i < cube->n_metrics; i++)
        ids[i] = cube->metrics[i].id;
    closest = hd_options_closest(id, ids, cube->n_metrics);
    hd_fail(HD_EUSAGE, "report \"%s\" has no metric \"%s\"", cube->path, id);
    if (closest != NULL)
        hd_fail_detail("closest", "%s", closest);
    hd_fail_detail("try", "heddle dump %s", cube->path);
    free(ids);
    return HD_EUSAGE;
}
