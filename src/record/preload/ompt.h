/* src/record/preload/ompt.h: the part of OMPT, the interface of OpenMP 5 for tools, that is needed.
 *
 * Its own header is in a folder of Clang that other compilers cannot include. Numbers are those of the standard.
 * Uses: nothing. MT: constants.
 */
#ifndef HD_OMPT_H
#define HD_OMPT_H

#include "recorder.h"

typedef union hd_ompt_data {
    uint64_t value;
    void    *ptr;
} hd_ompt_data;

typedef void hd_ompt_function(void);
typedef hd_ompt_function *hd_ompt_lookup(const char *name);
typedef int               hd_ompt_set_callback(int event, hd_ompt_function *callback);

typedef struct hd_ompt_tool {
    int (*initialize)(hd_ompt_lookup *lookup, int device, hd_ompt_data *data);
    void (*finalize)(hd_ompt_data *data);
    hd_ompt_data data;
} hd_ompt_tool;

HD_EXPORT hd_ompt_tool *ompt_start_tool(unsigned version, const char *runtime);

enum { HD_OMPT_BEGIN = 1, HD_OMPT_END = 2 };

typedef enum hd_ompt_event {
    HD_OMPT_PARALLEL_BEGIN = 3, HD_OMPT_PARALLEL_END = 4, HD_OMPT_TASK_CREATE = 5, HD_OMPT_TASK_SCHEDULE = 6,
    HD_OMPT_IMPLICIT_TASK = 7, HD_OMPT_MUTEX_RELEASED = 17, HD_OMPT_WORK = 20, HD_OMPT_SYNC_REGION = 23,
    HD_OMPT_MUTEX_ACQUIRE = 26, HD_OMPT_MUTEX_ACQUIRED = 27
} hd_ompt_event;

enum { HD_OMPT_INITIAL_TASK = 1, HD_OMPT_EXPLICIT_TASK = 4 }; /* flags of tasks */
#define HD_OMPT_TEAM 0x80000000U /* flag of a parallel region that is one */
enum { HD_OMPT_TASK_COMPLETE = 1, HD_OMPT_TASK_CANCEL = 3, HD_OMPT_LATE_FULFILL = 6 };

typedef enum hd_ompt_sync {
    HD_OMPT_IMPLICIT = 2, HD_OMPT_EXPLICIT = 3, HD_OMPT_TASKWAIT = 5, HD_OMPT_TASKGROUP = 6,
    HD_OMPT_IMPLICIT_WORKSHARE = 8, HD_OMPT_IMPLICIT_PARALLEL = 9
} hd_ompt_sync;

typedef enum hd_ompt_work {
    HD_OMPT_LOOP = 1, HD_OMPT_SECTIONS = 2, HD_OMPT_SINGLE_EXECUTOR = 3, HD_OMPT_LOOP_STATIC = 10,
    HD_OMPT_LOOP_DYNAMIC = 11, HD_OMPT_LOOP_GUIDED = 12, HD_OMPT_LOOP_OTHER = 13
} hd_ompt_work;

typedef enum hd_ompt_mutex {
    HD_OMPT_LOCK = 1, HD_OMPT_TEST_LOCK = 2, HD_OMPT_CRITICAL = 5, HD_OMPT_ORDERED = 7
} hd_ompt_mutex;

#endif
