/* src/report/terminal/summary_options.h: how a user wants text for a terminal. Uses: base. */
#ifndef HD_SUMMARY_OPTIONS_H
#define HD_SUMMARY_OPTIONS_H

#include "types.h"

typedef struct hd_summary_options {
    bool     has_colour;
    bool     with_startup; /* MPI_Init and MPI_Finalize count (startup.h) */
    bool     is_verbose; /* metrics that are small or zero, and counters of the analysis, too */
    uint32_t width; /* columns of the terminal; 0: 80 */
    uint32_t n_top; /* wait states and call paths to name; 0: 3 */
    uint32_t n_instances; /* of each wait state to list, where the report has them; 0: as many as n_top */
} hd_summary_options;

uint32_t hd_summary_width(uint32_t columns); /* of a page on a terminal of so many; 0: unknown */

#endif
