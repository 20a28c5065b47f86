/* Two threads fork a team each. libomp gives the first one's team to the second thread before it tells the first one's
 * end: here it does so each time, as what it tells goes through this program.
 *
 * records: THREAD_FORK 3 THREAD_JOIN 3 THREAD_TEAM_BEGIN 6 THREAD_TEAM_END 6 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PARALLEL_END = 4, LONGEST_WAIT = 10000 /* [ms] */ };

static atomic_bool is_over, is_reused; /* the first thread's team; by the second thread's */

static void
wait_for(atomic_bool *what)
{
    for (int i = 0; i < LONGEST_WAIT && !atomic_load(what); i++)
        usleep(1000);
}

/* ---- between libomp and the recorder ----------------------------------------------------------------------------- */

typedef void function(void);
typedef function *lookup_function(const char *name);
typedef int       set_function(int event, function *callback);
typedef void      end_function(void *parallel, void *task, int flags, const void *caller);

typedef struct tool {
    int (*initialize)(lookup_function *lookup, int device, void *data);
    void (*finalize)(void *data);
    uint64_t data;
} tool;

static end_function    *parallel_end_of_recorder;
static lookup_function *lookup;
static set_function    *set;
static int (*initialize)(lookup_function *, int, void *);

static void
parallel_end(void *parallel, void *task, int flags, const void *caller)
{
    if (!atomic_exchange(&is_over, true))
        wait_for(&is_reused);
    parallel_end_of_recorder(parallel, task, flags, caller);
}

static int
set_callback(int event, function *callback)
{
    if (event != PARALLEL_END)
        return set(event, callback);
    parallel_end_of_recorder = (end_function *)callback;
    return set(event, (function *)parallel_end);
}

static function *
look_up(const char *name)
{
    function *found = lookup(name);

    if (strcmp(name, "ompt_set_callback") != 0)
        return found;
    set = (set_function *)found;
    return (function *)set_callback;
}

static int
begin(lookup_function *of_library, int device, void *data)
{
    lookup = of_library;
    return initialize(look_up, device, data);
}

tool *ompt_start_tool(unsigned version, const char *runtime);
tool *
ompt_start_tool(unsigned version, const char *runtime)
{
    tool *(*next)(unsigned, const char *) = (tool * (*)(unsigned, const char *)) dlsym(RTLD_NEXT, "ompt_start_tool");
    tool *of_recorder                     = next(version, runtime);

    initialize              = of_recorder->initialize;
    of_recorder->initialize = begin;
    return of_recorder;
}

/* ------------------------------------------------------------------------------------------------------------------ */

int
main(void)
{
    atomic_int sum = 0;

    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1)
            wait_for(&is_over);
#pragma omp parallel num_threads(2)
        {
            if (omp_get_ancestor_thread_num(1) == 1)
                atomic_store(&is_reused, true);
            sum++;
        }
    }
    printf("%d\n", sum);
    return 0;
}
