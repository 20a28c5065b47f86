/* src/cli/core/metric_choice.h: the metric of a report that a user means. Uses: cube_reader, options. MT: main thread only. Ranks: local. */
#ifndef HD_METRIC_CHOICE_H
#define HD_METRIC_CHOICE_H

#include "cube_reader.h"

/* Its number by its id. Errors: HD_EUSAGE, there is none, with the id that is most like it. */
hd_status hd_metric_choose(const hd_cube *cube, const char *id, uint32_t *metric);

#endif
