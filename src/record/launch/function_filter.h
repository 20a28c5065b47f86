/* src/record/launch/function_filter.h: which functions of a program are not recorded.
 *
 * A filter file of Score-P: blocks SCOREP_REGION_NAMES_BEGIN ... SCOREP_REGION_NAMES_END, in which EXCLUDE and INCLUDE,
 * each maybe with MANGLED, stand before patterns as shells have them. All functions are recorded at first; the last
 * pattern that fits decides. "#" begins a comment. Blocks for names of files are an error, as lines are not read.
 * Uses: symbols, demangle, base. MT: main thread only. Ranks: local.
 */
#ifndef HD_FUNCTION_FILTER_H
#define HD_FUNCTION_FILTER_H

#include "status.h"

typedef struct hd_filter_rule {
    char *pattern;
    bool  excludes, is_mangled; /* is_mangled: of the linker's name */
} hd_filter_rule;

typedef struct hd_function_filter {
    hd_filter_rule *rules; /* [n] */
    size_t          n, room;
} hd_function_filter;

/* Errors: HD_EOPEN, HD_EREAD; HD_EFORMAT, with the line. Owner: hd_function_filter_fini(), also on error. */
hd_status hd_function_filter_read(const char *path, hd_function_filter *filter);
void      hd_function_filter_fini(hd_function_filter *filter);

/* Whether it excludes a function. readable: its name in the source. */
bool hd_function_filter_excludes(const hd_function_filter *filter, const char *mangled, const char *readable);

/* Writes the addresses of the program's functions that it excludes, for the recorder (preload/functions.h). Errors:
 * HD_EWRITE. */
hd_status hd_function_filter_write(const hd_function_filter *filter, const char *program, const char *path);

#endif
