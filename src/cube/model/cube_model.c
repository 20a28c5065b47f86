/* src/cube/model/cube_model.c: looks things up in a report. */
#include "cube_model.h"

#include <string.h>

uint32_t
hd_cube_metric_by_id(const hd_cube *cube, const char *id)
{
    for (uint32_t i = 0; i < cube->n_metrics; i++)
        if (strcmp(cube->metrics[i].id, id) == 0)
            return i;
    return HD_NONE;
}
