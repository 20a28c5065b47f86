/* src/report/text/counter_patterns.h: what counters are called by PAPI, by Linux perf, and by LIKWID.
 *
 * A list of patterns, the preferred one first: "PAPI_TOT_INS|instructions". Letters of both cases are equal, so are
 * characters that are no letters or digits; '*' stands for any. Uses: cube. MT: any thread.
 */
#ifndef HD_COUNTER_PATTERNS_H
#define HD_COUNTER_PATTERNS_H

#include "cube_model.h"

#define HD_COUNTERS_ROOT "counters" /* the metric that those of counters stand below; theirs are "c_..." */

#define HD_COUNTER_INSTRUCTIONS "PAPI_TOT_INS|instructions|INSTR_RETIRED_ANY|RETIRED_INSTRUCTIONS"
#define HD_COUNTER_CYCLES       "PAPI_TOT_CYC|cycles|cpu-cycles|CPU_CLK_UNHALTED_CORE|CPU_CLOCKS_UNHALTED"
#define HD_COUNTER_CPU_TIME     "task-clock|cpu-clock" /* nanoseconds */
#define HD_COUNTER_L1_MISSES    "PAPI_L1_DCM|L1-dcache-load-misses|L1D_REPLACEMENT"
#define HD_COUNTER_L2_MISSES    "PAPI_L2_DCM|PAPI_L2_TCM|L2_LINES_IN_ALL|L2_RQSTS_MISS"
#define HD_COUNTER_L3_MISSES \
    "PAPI_L3_TCM|PAPI_L3_DCM|LLC-load-misses|LLC-misses|cache-misses|MEM_LOAD_RETIRED_L3_MISS"
#define HD_COUNTER_STALLS "PAPI_RES_STL|PAPI_MEM_SCY|stalled-cycles-backend|CYCLE_ACTIVITY_STALLS_TOTAL"

/* Whether a counter's name is of one pattern of length n. */
bool hd_counter_name_is(const char *name, const char *pattern, size_t n);

/* The first of names [n] that the first pattern with any names; HD_NONE: none. */
uint32_t hd_counter_find_name(char *const *names, uint32_t n, const char *patterns);

/* The metric of a report whose counter the first pattern that any has names; HD_NONE: none. */
uint32_t hd_counter_find(const hd_cube *cube, const char *patterns);

#endif
