/* Tells the thread sanitizer what libomp, which it does not see into, orders (gomp_order.c says what). Loaded before
 * the recorder, it stands between libomp and the recorder's tool. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void __tsan_acquire(void *at);
void __tsan_release(void *at);

typedef void function(void);
typedef function *lookup_function(const char *name);
typedef int       set_function(int event, function *callback);

typedef struct tool {
    int (*initialize)(lookup_function *lookup, int device, void *data);
    void (*finalize)(void *data);
    uint64_t data;
} tool;

enum {
    BEGIN = 1, INITIAL = 1, MAX_DEPTH = 64,
    PARALLEL_BEGIN = 3, PARALLEL_END = 4, TASK_CREATE = 5, TASK_SCHEDULE = 6, IMPLICIT_TASK = 7, SYNC_REGION = 23,
    MUTEX_ACQUIRED = 27, N_EVENTS = 40
};

static function        *callbacks[N_EVENTS]; /* of the recorder */
static lookup_function *lookup;
static set_function    *set;
static int (*initialize)(lookup_function *, int, void *);

/* The teams that the thread is in, by the address that the recorder gives each; NULL: it is not recorded. */
static _Thread_local void    *teams[MAX_DEPTH];
static _Thread_local unsigned depth;

/* Those that it has forked, in the same way: at the end of one libomp may hand over another thread's. */
static _Thread_local void    *forked[MAX_DEPTH];
static _Thread_local unsigned n_forked;

static void
release(void *at)
{
    if (at != NULL)
        __tsan_release(at);
}

static void
acquire(void *at)
{
    if (at != NULL)
        __tsan_acquire(at);
}

static void *
team(void)
{
    return depth > 0 ? teams[depth - 1] : NULL;
}

#define CALL(event, types) ((void(*) types)callbacks[event])

static void
parallel_begin(void *task, void *frame, void **parallel, unsigned n, int flags, void *caller)
{
    CALL(PARALLEL_BEGIN, (void *, void *, void **, unsigned, int, void *))(task, frame, parallel, n, flags, caller);
    release(*parallel);
    forked[n_forked++] = *parallel;
}

static void
parallel_end(void **parallel, void *task, int flags, void *caller)
{
    acquire(forked[--n_forked]);
    CALL(PARALLEL_END, (void **, void *, int, void *))(parallel, task, flags, caller);
}

/* The end of a worker's comes at its next team. */
static void
implicit_task(int endpoint, void **parallel, void *data, unsigned size, unsigned number, int flags)
{
    if (endpoint == BEGIN && (flags & INITIAL) == 0) {
        teams[depth++] = parallel != NULL ? *parallel : NULL;
        acquire(team());
    }
    CALL(IMPLICIT_TASK, (int, void **, void *, unsigned, unsigned, int))
    (endpoint, parallel, data, size, number, flags);
    if (endpoint != BEGIN && (flags & INITIAL) == 0)
        depth--;
}

static void
sync_region(int kind, int endpoint, void *parallel, void *task, void *caller)
{
    if (endpoint != BEGIN)
        acquire(team());
    CALL(SYNC_REGION, (int, int, void *, void *, void *))(kind, endpoint, parallel, task, caller);
    if (endpoint == BEGIN)
        release(team());
}

/* It has the lock, and gives it back later: that is told when others may have it already. */
static void
mutex_acquired(int kind, uint64_t lock, void *caller)
{
    acquire((void *)(uintptr_t)lock);
    CALL(MUTEX_ACQUIRED, (int, uint64_t, void *))(kind, lock, caller);
    release((void *)(uintptr_t)lock);
}

static void
task_create(void *task, void *frame, void *made, int flags, int has_dependences, void *caller)
{
    CALL(TASK_CREATE, (void *, void *, void *, int, int, void *))(task, frame, made, flags, has_dependences, caller);
    release(made);
}

static void
task_schedule(void *prior, int status, void *next)
{
    acquire(prior);
    acquire(next);
    CALL(TASK_SCHEDULE, (void *, int, void *))(prior, status, next);
    release(prior);
    release(team());
}

/* ---- between libomp and the recorder ----------------------------------------------------------------------------- */

static function *const own[N_EVENTS] = {
    [PARALLEL_BEGIN] = (function *)parallel_begin, [PARALLEL_END] = (function *)parallel_end,
    [TASK_CREATE] = (function *)task_create,       [TASK_SCHEDULE] = (function *)task_schedule,
    [IMPLICIT_TASK] = (function *)implicit_task,   [SYNC_REGION] = (function *)sync_region,
    [MUTEX_ACQUIRED] = (function *)mutex_acquired,
};

static int
set_callback(int event, function *callback)
{
    callbacks[event] = callback;
    return set(event, own[event] != NULL ? own[event] : callback);
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
    tool *of_recorder                     = next != NULL ? next(version, runtime) : NULL;

    if (of_recorder != NULL) {
        initialize              = of_recorder->initialize;
        of_recorder->initialize = begin;
    }
    return of_recorder;
}
