/* src/record/preload/functions.h: functions of the program, and regions that it marks.
 *
 * Compilers call __cyg_profile_func_enter() and _exit() in functions that are built with -finstrument-functions. Of
 * those that are in the file that HEDDLE_RECORD_FILTER names nothing is recorded: a path of a program, ended by 0 and
 * padded to a multiple of 8 bytes, and then addresses [uint64_t] in the space of that file. Functions that are short
 * and called very often are dropped while the program runs, and defined as such. heddle_record_...() are called by
 * heddle/record.h, as are those for topologies.
 * A function that is entered is left: which are open, and recorded, is kept for each thread, so it does not matter when
 * a function is dropped, nor that longjmp() leaves some.
 * Uses: log. MT: any thread. Ranks: local. Grows with: functions of the program.
 */
#ifndef HD_FUNCTIONS_H
#define HD_FUNCTIONS_H

#include "log.h"

enum {
    HD_FUNCTION_MANY_VISITS = 100000, /* of a process; those of a function that is called less often cost little */
    HD_FUNCTION_SHORT_NS    = 1000    /* mean duration: the records of a visit take some 2 % of it */
};

/* Reads the filter. By the constructor. */
void hd_functions_begin(void);

HD_EXPORT void __cyg_profile_func_enter(void *function, void *caller);
HD_EXPORT void __cyg_profile_func_exit(void *function, void *caller);

/* name: of a region; of an iteration that of all iterations of the loop. */
HD_EXPORT void heddle_record_region_begin(const char *name);
HD_EXPORT void heddle_record_region_end(const char *name);
HD_EXPORT void heddle_record_iteration_begin(const char *name);
HD_EXPORT void heddle_record_iteration_end(const char *name);

/* Definitions only; what is wrong with them is found and told afterwards. The same again is passed over. */
HD_EXPORT void heddle_record_topology_define(const char *name, int n, const int *sizes, const int *periodic,
                                             const char *const *names);
HD_EXPORT void heddle_record_topology_place(const char *name, int n, const int *coordinates);

#endif
