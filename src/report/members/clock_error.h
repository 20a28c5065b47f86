/* src/report/members/clock_error.h: how wrong the clocks of a run are known to be, and how much of its waiting time is below
 * that (docs/metrics.md#clock-error).
 * Uses: cube_reader, instance_list. MT: one thread. Ranks: local.
 */
#ifndef HD_CLOCK_ERROR_H
#define HD_CLOCK_ERROR_H

#include "cube_reader.h"

typedef struct hd_clock_error {
    double error;  /* [s] 0: no violation of the clock condition was seen, so it is not known */
    double tick;   /* [s] step of the clock; 0: not known */
    double share;  /* of the waiting time, 0 to 1: at least so much is in instances that are shorter; NAN: not known */
} hd_clock_error;

/* Errors: those of hd_instance_list_read(). */
hd_status hd_clock_error_read(hd_cube *cube, hd_clock_error *clock);

#endif
