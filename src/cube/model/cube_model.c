/* src/cube/model/cube_model.c: looks things up in a report. */
#include "cube_model.h"

#include <string.h>

const char *
hd_cube_attribute_get(const hd_cube *cube, const char *key)
{
    for (uint32_t i = 0; i < cube->n_attributes; i++)
        if (strcmp(cube->attributes[i].key, key) == 0)
            return cube->attributes[i].value;
    return NULL;
}

uint32_t
hd_cube_metric_by_id(const hd_cube *cube, const char *id)
{
    for (uint32_t i = 0; i < cube->n_metrics; i++)
        if (strcmp(cube->metrics[i].id, id) == 0)
            return i;
    return HD_NONE;
}
