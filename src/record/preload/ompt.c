/* src/record/preload/ompt.c: OpenMP of Clang (libomp), which tells its events to a tool.
 *
 * Teams are those of gomp_team.c. Here, too, workers leave the last barrier unseen: libomp tells it at their next team,
 * when their place may be another thread's, so it is written as with libgomp and what is told is passed over.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "ompt.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "gomp.h"
#include "pause.h"

typedef enum task_kind { MEMBER = 1, EXPLICIT } task_kind;

typedef struct member { /* of a team: an implicit task */
    task_kind      kind;
    struct member *outer; /* what the thread does around it */
    hd_gomp_team  *team;  /* NULL: it is not recorded */
    uint32_t       level, number;
    bool           has_left; /* the rest is written when the team is over */
} member;

typedef struct task {
    task_kind kind;
    bool      has_begun;
    uint64_t  id;
    uint32_t  region;
} task;

static HD_THREAD_LOCAL member *mine; /* NULL: the thread is in no team */

/* Teams that the thread has forked and that are not over, the last one last; NULL: it is not recorded. What libomp
 * hands over at the end of one is in memory that it has given back by then: it may be another thread's team. */
enum { MAX_FORKED = 64 };
static HD_THREAD_LOCAL hd_gomp_team *forked[MAX_FORKED];
static HD_THREAD_LOCAL uint32_t      n_forked; /* may be more: those are not recorded */

static atomic_uint             n_tasks;

/* NULL: nothing is recorded here. */
static hd_log *
log_here(void)
{
    if (!hd_recording() || hd_thread_depth > 0)
        return NULL;
    return atomic_load_explicit(&hd_the_recorder.may_pause, memory_order_relaxed) ? hd_pause_outside(hd_thread_log) :
                                                                                    hd_log_of_thread();
}

static void
enter(hd_log *log, hd_raw_role role, const void *caller)
{
    uint32_t region = hd_recorder_region(role, caller);

    HD_LOG_PUT(log, hd_recorder_now(), ENTER, region, 0);
    hd_gomp_push(region);
}

static void
leave(hd_log *log)
{
    uint32_t region = hd_gomp_pop();

    if (region != 0)
        HD_LOG_PUT_PLAIN(log, hd_recorder_now(), LEAVE, region);
}

/* ---- teams ------------------------------------------------------------------------------------------------------- */

static void
parallel_begin(hd_ompt_data *encountering, const void *frame, hd_ompt_data *parallel, unsigned n, int flags,
               const void *caller)
{
    hd_log       *log = log_here();
    hd_gomp_team *team;

    (void)encountering, (void)frame;
    parallel->ptr = NULL;
    if (((unsigned)flags & HD_OMPT_TEAM) == 0)
        return;
    if (log == NULL && mine == NULL && hd_recording())
        log = hd_log_of_thread(); /* the pause may be over */
    team = log != NULL && n_forked < MAX_FORKED ? hd_gomp_team_begin(log, n, caller, caller) : NULL;
    if (team != NULL)
        team->level = mine != NULL ? mine->level + 1 : 1;
    parallel->ptr = team;
    if (n_forked < MAX_FORKED)
        forked[n_forked] = team;
    n_forked++;
}

static void
parallel_end(hd_ompt_data *parallel, hd_ompt_data *encountering, int flags, const void *caller)
{
    hd_gomp_team *team;

    (void)parallel, (void)encountering, (void)caller;
    if (((unsigned)flags & HD_OMPT_TEAM) == 0 || n_forked == 0) /* a league of one team ends as a team */
        return;
    n_forked--;
    team = n_forked < MAX_FORKED ? forked[n_forked] : NULL;
    if (team != NULL)
        hd_gomp_team_end(team);
    else
        hd_gomp_team_unrecorded_end();
}

static void
member_begin(hd_gomp_team *team, hd_ompt_data *data, unsigned size, unsigned number)
{
    member *made = malloc(sizeof *made);

    data->ptr = made;
    if (made == NULL)
        return;
    *made = (member){ .kind = MEMBER, .outer = mine, .team = team, .level = mine != NULL ? mine->level + 1 : 1,
                      .number = number };
    if (team != NULL)
        made->level = team->level;
    mine = made;
    if (team == NULL && number != 0)
        hd_log_use_none();
    if (team != NULL && hd_gomp_member_begin(team, made->level, number, size) == NULL)
        made->team = NULL;
}

static void
implicit_task(int endpoint, hd_ompt_data *parallel, hd_ompt_data *data, unsigned size, unsigned number, int flags)
{
    member *ended = data->ptr;

    if ((flags & HD_OMPT_INITIAL_TASK) != 0)
        return;
    if (endpoint == HD_OMPT_BEGIN)
        member_begin(parallel != NULL ? parallel->ptr : NULL, data, size, number);
    else if (ended != NULL) {
        mine      = ended->outer;
        data->ptr = NULL;
        free(ended);
    }
}

/* ---- waiting ----------------------------------------------------------------------------------------------------- */

static hd_raw_role
role_of_sync(int kind)
{
    switch (kind) {
    case HD_OMPT_IMPLICIT:
    case HD_OMPT_IMPLICIT_WORKSHARE:
    case HD_OMPT_IMPLICIT_PARALLEL:
        return HD_RAW_ROLE_IMPLICIT_BARRIER;
    case HD_OMPT_EXPLICIT:
        return HD_RAW_ROLE_BARRIER;
    case HD_OMPT_TASKWAIT:
        return HD_RAW_ROLE_TASKWAIT;
    case HD_OMPT_TASKGROUP:
        return HD_RAW_ROLE_TASKGROUP;
    default:
        return HD_RAW_N_ROLES;
    }
}

/* A worker that is told to wait without a place in the program is at the end of the region. */
static void
sync_region(int kind, int endpoint, hd_ompt_data *parallel, hd_ompt_data *data, const void *caller)
{
    hd_raw_role role   = role_of_sync(kind);
    bool        is_end = role == HD_RAW_ROLE_IMPLICIT_BARRIER && caller == NULL && mine != NULL && mine->number != 0;
    hd_log     *log    = is_end && mine->has_left ? NULL : log_here(); /* else another's by now */

    (void)parallel, (void)data;
    if (log == NULL || role == HD_RAW_N_ROLES)
        return;
    if (endpoint == HD_OMPT_BEGIN && is_end) {
        mine->has_left = true;
        if (mine->team != NULL)
            hd_gomp_member_end(mine->team, log, mine->number);
    } else if (endpoint == HD_OMPT_BEGIN)
        enter(log, role, caller);
    else
        leave(log);
}

/* ---- work -------------------------------------------------------------------------------------------------------- */

static void
work(int kind, int endpoint, hd_ompt_data *parallel, hd_ompt_data *data, uint64_t count, const void *caller)
{
    hd_log     *log  = log_here();
    bool        is_loop = kind == HD_OMPT_LOOP || (kind >= HD_OMPT_LOOP_STATIC && kind <= HD_OMPT_LOOP_OTHER);
    hd_raw_role role = is_loop                         ? HD_RAW_ROLE_LOOP :
                       kind == HD_OMPT_SECTIONS        ? HD_RAW_ROLE_SECTIONS :
                       kind == HD_OMPT_SINGLE_EXECUTOR ? HD_RAW_ROLE_SINGLE :
                                                         HD_RAW_N_ROLES;

    (void)parallel, (void)data, (void)count;
    if (log == NULL || role == HD_RAW_N_ROLES)
        return;
    if (endpoint == HD_OMPT_BEGIN)
        enter(log, role, caller);
    else
        leave(log);
}

/* ---- locks ------------------------------------------------------------------------------------------------------- */

static void
mutex_acquire(int kind, unsigned hint, unsigned implementation, uint64_t lock, const void *caller)
{
    hd_log *log = log_here();

    (void)hint, (void)implementation, (void)lock;
    if (log == NULL)
        return;
    if (kind == HD_OMPT_LOCK)
        enter(log, HD_RAW_ROLE_SET_LOCK, NULL);
    else if (kind == HD_OMPT_CRITICAL)
        enter(log, HD_RAW_ROLE_CRITICAL, caller);
    else if (kind == HD_OMPT_ORDERED)
        enter(log, HD_RAW_ROLE_ORDERED, caller);
}

static void
mutex_acquired(int kind, uint64_t lock, const void *caller)
{
    hd_log *log = log_here();

    if (log == NULL)
        return;
    if (kind == HD_OMPT_TEST_LOCK)
        enter(log, HD_RAW_ROLE_TEST_LOCK, NULL);
    if (kind == HD_OMPT_LOCK || kind == HD_OMPT_TEST_LOCK || kind == HD_OMPT_CRITICAL)
        hd_gomp_acquired(log, hd_recorder_now(), (const void *)(uintptr_t)lock);
    if (kind == HD_OMPT_LOCK || kind == HD_OMPT_TEST_LOCK)
        leave(log);
    else if (kind == HD_OMPT_CRITICAL)
        enter(log, HD_RAW_ROLE_CRITICAL_SBLOCK, caller);
    else if (kind == HD_OMPT_ORDERED)
        enter(log, HD_RAW_ROLE_ORDERED_SBLOCK, caller);
}

static void
mutex_released(int kind, uint64_t lock, const void *caller)
{
    hd_log *log = log_here();

    (void)caller;
    if (log == NULL)
        return;
    if (kind == HD_OMPT_CRITICAL || kind == HD_OMPT_ORDERED)
        leave(log);
    if (kind == HD_OMPT_LOCK)
        enter(log, HD_RAW_ROLE_UNSET_LOCK, NULL);
    if (kind == HD_OMPT_LOCK || kind == HD_OMPT_CRITICAL)
        hd_gomp_released(log, hd_recorder_now(), (const void *)(uintptr_t)lock);
    if (kind == HD_OMPT_LOCK || kind == HD_OMPT_CRITICAL || kind == HD_OMPT_ORDERED)
        leave(log);
}

/* ---- tasks ------------------------------------------------------------------------------------------------------- */

static uint64_t
own_task(void)
{
    return (uint64_t)(mine != NULL ? mine->number : 0) << 32;
}

static void
task_create(hd_ompt_data *encountering, const void *frame, hd_ompt_data *data, int flags, int has_dependences,
            const void *caller)
{
    hd_log *log  = log_here();
    task   *made = log != NULL && (flags & HD_OMPT_EXPLICIT_TASK) != 0 ? malloc(sizeof *made) : NULL;

    (void)encountering, (void)frame, (void)has_dependences;
    if (made == NULL)
        return;
    *made     = (task){ .kind   = EXPLICIT,
                        .id     = own_task() | (atomic_fetch_add(&n_tasks, 1) + 1),
                        .region = hd_recorder_region(HD_RAW_ROLE_TASK, caller) };
    data->ptr = made;
    enter(log, HD_RAW_ROLE_TASK_CREATE_REGION, caller);
    HD_LOG_PUT(log, hd_recorder_now(), TASK_CREATE, 0, made->id);
    leave(log);
}

static task *
explicit_task(const hd_ompt_data *data)
{
    task *found = data != NULL ? data->ptr : NULL;

    return found != NULL && found->kind == EXPLICIT ? found : NULL;
}

static void
task_schedule(hd_ompt_data *prior_data, int status, hd_ompt_data *next_data)
{
    hd_log  *log   = log_here();
    task    *prior = explicit_task(prior_data), *next = explicit_task(next_data);
    bool     ends  = prior != NULL && (status == HD_OMPT_TASK_COMPLETE || status == HD_OMPT_TASK_CANCEL ||
                                      status == HD_OMPT_LATE_FULFILL);
    uint64_t now   = hd_recorder_now();

    if (log != NULL && ends && prior->has_begun) {
        HD_LOG_PUT_PLAIN(log, now, LEAVE, prior->region);
        HD_LOG_PUT(log, now, TASK_COMPLETE, 0, prior->id);
        hd_gomp_note_work(log, now);
    }
    if (ends) {
        free(prior);
        prior_data->ptr = NULL;
    }
    if (log == NULL || next_data == NULL)
        return;
    HD_LOG_PUT(log, now, TASK_SWITCH, 0, next != NULL ? next->id : own_task());
    if (next != NULL && !next->has_begun)
        HD_LOG_PUT(log, now, ENTER, next->region, 0);
    if (next != NULL)
        next->has_begun = true;
}

/* ---- begin ------------------------------------------------------------------------------------------------------- */

#define SET(event, callback) set(HD_OMPT_##event, (hd_ompt_function *)(callback))

static int
initialize(hd_ompt_lookup *lookup, int device, hd_ompt_data *data)
{
    hd_ompt_set_callback *set = (hd_ompt_set_callback *)lookup("ompt_set_callback");

    (void)device, (void)data;
    if (set == NULL)
        return 0;
    SET(PARALLEL_BEGIN, parallel_begin);
    SET(PARALLEL_END, parallel_end);
    SET(IMPLICIT_TASK, implicit_task);
    SET(SYNC_REGION, sync_region);
    SET(WORK, work);
    SET(MUTEX_ACQUIRE, mutex_acquire);
    SET(MUTEX_ACQUIRED, mutex_acquired);
    SET(MUTEX_RELEASED, mutex_released);
    SET(TASK_CREATE, task_create);
    SET(TASK_SCHEDULE, task_schedule);
    hd_gomp_be_silent();
    return 1;
}

static void
finalize(hd_ompt_data *data)
{
    (void)data;
}

/* A tool of the program's own goes first: then OpenMP is not recorded. */
hd_ompt_tool *
ompt_start_tool(unsigned version, const char *runtime)
{
    static hd_ompt_tool tool = { .initialize = initialize, .finalize = finalize };
    const char         *folder = getenv("HEDDLE_RECORD_DIR");
    union {
        void *object;
        hd_ompt_tool *(*function)(unsigned, const char *);
    } next = { .object = dlsym(RTLD_NEXT, "ompt_start_tool") };
    hd_ompt_tool *other = next.object != NULL ? next.function(version, runtime) : NULL;

    if (other != NULL || folder == NULL || folder[0] == '\0')
        return other;
    return &tool;
}
