/* src/record/preload/gomp_task.c: explicit tasks.
 *
 * A task gets a function of the recorder, and its data behind a head of the recorder. libgomp runs a task that it has
 * begun to its end on one thread. Passed through are tasks with an event to be fulfilled, task loops with reductions
 * (both have words of their own in the data), and all where cancellation is on, as a task with a function that copies
 * is not discarded.
 */
#include <string.h>

#include "gomp.h"

#define CALLER __builtin_return_address(0)

enum { FLAG_REDUCTION = 1 << 12, FLAG_DETACH = 1 << 13, N_RESERVED = 3, ALIGN = 16 };

typedef struct task_head {
    void             *reserved[N_RESERVED]; /* libgomp writes begin and end of a task loop here */
    hd_gomp_function *function;
    void (*copy)(void *, void *);
    void    *source;
    size_t   bytes, offset; /* of the program's data, from here */
    uint64_t id;
    uint32_t region;
    bool     is_loop;
} task_head;

static atomic_uint              n_tasks;
static HD_THREAD_LOCAL uint64_t current; /* id, 0: the thread's own */

static void
run_task(void *head_)
{
    task_head *head     = head_;
    char      *data     = (char *)head + head->offset;
    uint64_t   previous = current, now;
    uint32_t   depth    = hd_gomp_depth();
    hd_log    *log      = hd_gomp_log();

    if (head->is_loop)
        memcpy(data, head->reserved, 2 * sizeof(long));
    if (log == NULL) {
        head->function(data);
        return;
    }
    log->n_teams++;
    current = head->id;
    now     = hd_recorder_now();
    HD_LOG_PUT(log, now, TASK_SWITCH, 0, head->id);
    HD_LOG_PUT(log, now, ENTER, head->region, 0);
    head->function(data);
    hd_gomp_cut(depth);
    now = hd_recorder_now();
    log = hd_gomp_log();
    if (log != NULL) {
        HD_LOG_PUT_PLAIN(log, now, LEAVE, head->region);
        HD_LOG_PUT(log, now, TASK_COMPLETE, 0, head->id);
        HD_LOG_PUT(log, now, TASK_SWITCH, 0, previous != 0 ? previous : (uint64_t)hd_the_gomp.get_thread_num() << 32);
        hd_gomp_note_work(log, now);
    }
    if (log != NULL && log->n_teams > 0)
        log->n_teams--;
    current = previous;
}

/* Number of the thread in its team that makes the task | a number that the process gives once. */
static uint64_t
next_id(void)
{
    return (uint64_t)hd_the_gomp.get_thread_num() << 32 | (atomic_fetch_add(&n_tasks, 1) + 1);
}

static void
copy_task(void *to_, void *from_)
{
    task_head *to = to_, *from = from_;

    hd_log *log = from->is_loop ? hd_gomp_log() : NULL; /* each task of a loop is made by such a copy */

    *to = *from;
    if (from->is_loop)
        to->id = next_id();
    if (log != NULL)
        HD_LOG_PUT(log, hd_recorder_now(), TASK_CREATE, 0, to->id);
    if (from->copy != NULL)
        from->copy((char *)to + to->offset, from->source);
    else if (from->bytes > 0)
        memcpy((char *)to + to->offset, from->source, from->bytes);
}

/* The head of a task that the thread makes. */
static task_head
head_of(hd_gomp_function *function, void *data, void (*copy)(void *, void *), long bytes, size_t align)
{
    return (task_head){ .function = function,
                        .copy     = copy,
                        .source   = data,
                        .bytes    = (size_t)bytes,
                        .offset   = (sizeof(task_head) + align - 1) / align * align,
                        .region   = hd_recorder_region(HD_RAW_ROLE_TASK, (const char *)(uintptr_t)function + 1) };
}

typedef void task_function(hd_gomp_function *, void *, void (*)(void *, void *), long, long, bool, unsigned, void **,
                           int, void *);

HD_EXPORT task_function GOMP_task;
HD_EXPORT void
GOMP_task(hd_gomp_function *function, void *data, void (*copy)(void *, void *), long bytes, long align,
          bool is_deferred, unsigned flags, void **depend, int priority, void *detach)
{
    HD_GOMP_REAL("GOMP_task", task_function *);
    hd_log   *log    = hd_gomp_log();
    uint32_t  region = log != NULL ? hd_recorder_region(HD_RAW_ROLE_TASK_CREATE_REGION, CALLER) : 0;
    task_head head;
    uint64_t  now;

    if (region == 0 || (flags & FLAG_DETACH) != 0 || hd_the_gomp.get_cancellation() != 0) {
        real(function, data, copy, bytes, align, is_deferred, flags, depend, priority, detach);
        return;
    }
    align   = align < ALIGN ? ALIGN : align;
    head    = head_of(function, data, copy, bytes, (size_t)align);
    head.id = next_id();
    now     = hd_recorder_now();
    HD_LOG_PUT(log, now, ENTER, region, 0);
    HD_LOG_PUT(log, now, TASK_CREATE, 0, head.id);
    real(run_task, &head, copy_task, (long)head.offset + bytes, align, is_deferred, flags, depend, priority, detach);
    log = hd_gomp_log();
    if (log != NULL)
        HD_LOG_PUT_PLAIN(log, hd_recorder_now(), LEAVE, region);
}

typedef unsigned long long large;

#define TASKLOOP(name, number)                                                                                         \
    typedef void name##_function(hd_gomp_function *, void *, void (*)(void *, void *), long, long, unsigned,           \
                                 unsigned long, int, number, number, number);                                          \
    HD_EXPORT name##_function name;                                                                                    \
    HD_EXPORT void name(hd_gomp_function *function, void *data, void (*copy)(void *, void *), long bytes, long align,  \
                        unsigned flags, unsigned long n, int priority, number from, number to, number step)            \
    {                                                                                                                  \
        HD_GOMP_REAL(#name, name##_function *);                                                                        \
        hd_log   *log    = hd_gomp_log();                                                                              \
        uint32_t  region = log != NULL ? hd_recorder_region(HD_RAW_ROLE_TASKLOOP, CALLER) : 0;                         \
        task_head head;                                                                                                \
                                                                                                                       \
        if (region == 0 || (flags & FLAG_REDUCTION) != 0 || hd_the_gomp.get_cancellation() != 0) {                     \
            real(function, data, copy, bytes, align, flags, n, priority, from, to, step);                              \
            return;                                                                                                    \
        }                                                                                                              \
        align        = align < ALIGN ? ALIGN : align;                                                                  \
        head         = head_of(function, data, copy, bytes, (size_t)align);                                            \
        head.is_loop = true;                                                                                           \
        HD_LOG_PUT(log, hd_recorder_now(), ENTER, region, 0);                                                          \
        real(run_task, &head, copy_task, (long)head.offset + bytes, align, flags, n, priority, from, to, step);        \
        log = hd_gomp_log();                                                                                           \
        if (log != NULL)                                                                                               \
            HD_LOG_PUT_PLAIN(log, hd_recorder_now(), LEAVE, region);                                                   \
    }

TASKLOOP(GOMP_taskloop, long)
TASKLOOP(GOMP_taskloop_ull, large)
