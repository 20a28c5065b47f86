/* src/record/preload/gomp_team.c: parallel regions and barriers. */
#include <pthread.h>
#include <stdlib.h>

#include "gomp.h"
#include "pause.h"

hd_gomp_library hd_the_gomp;

static atomic_uint n_teams;
static atomic_bool is_silent, is_found; /* libgomp's functions are */

/* A thread comes back to its place in a team, mostly. */
static HD_THREAD_LOCAL hd_log  *last_parent, *last_log;
static HD_THREAD_LOCAL uint32_t last_level, last_member;

static HD_THREAD_LOCAL uint32_t open_constructs[HD_GOMP_MAX_OPEN];

/* ---- libgomp ----------------------------------------------------------------------------------------------------- */

void *
hd_gomp_real(_Atomic(void *) *kept, const char *name)
{
    void *found = atomic_load_explicit(kept, memory_order_acquire);

    if (HD_UNLIKELY(found == NULL)) {
        static const char *const libraries[] = { "libgomp.so", NULL };

        found = hd_recorder_real(name, libraries);
        atomic_store_explicit(kept, found, memory_order_release);
    }
    return found;
}

/* A program may load libgomp after it was looked for. No lock is held while functions are looked up, as the system has
 * one of its own there, under which it may load a library that comes here. */
static bool
find_library_now(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static _Atomic(void *) places[5];
    hd_gomp_library        found;

    found = (hd_gomp_library){
        .get_thread_num   = (int (*)(void))hd_gomp_real(&places[0], "omp_get_thread_num"),
        .get_num_threads  = (int (*)(void))hd_gomp_real(&places[1], "omp_get_num_threads"),
        .get_max_threads  = (int (*)(void))hd_gomp_real(&places[2], "omp_get_max_threads"),
        .get_level        = (int (*)(void))hd_gomp_real(&places[3], "omp_get_level"),
        .get_cancellation = (int (*)(void))hd_gomp_real(&places[4], "omp_get_cancellation"),
    };
    if (found.get_thread_num == NULL || found.get_num_threads == NULL || found.get_max_threads == NULL ||
        found.get_level == NULL || found.get_cancellation == NULL)
        return false;
    pthread_mutex_lock(&lock);
    if (!atomic_load_explicit(&is_found, memory_order_relaxed)) {
        hd_the_gomp = found;
        atomic_store_explicit(&is_found, true, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return true;
}

static inline bool
find_library(void)
{
    return HD_LIKELY(atomic_load_explicit(&is_found, memory_order_acquire)) || find_library_now();
}

hd_log *
hd_gomp_log(void)
{
    if (!hd_recording() || hd_thread_depth > 0 || atomic_load_explicit(&is_silent, memory_order_relaxed) ||
        !find_library())
        return NULL;
    return atomic_load_explicit(&hd_the_recorder.may_pause, memory_order_relaxed) ? hd_pause_outside(hd_thread_log) :
                                                                                    hd_log_of_thread();
}

void
hd_gomp_be_silent(void)
{
    atomic_store(&is_silent, true);
}

/* ---- open constructs --------------------------------------------------------------------------------------------- */

void
hd_gomp_push(uint32_t value)
{
    if (hd_thread_constructs < HD_GOMP_MAX_OPEN)
        open_constructs[hd_thread_constructs] = value;
    hd_thread_constructs++;
}

uint32_t
hd_gomp_pop(void)
{
    if (hd_thread_constructs == 0)
        return 0;
    hd_thread_constructs--;
    return hd_thread_constructs < HD_GOMP_MAX_OPEN ? open_constructs[hd_thread_constructs] : 0;
}

uint32_t
hd_gomp_depth(void)
{
    return hd_thread_constructs;
}

void
hd_gomp_cut(uint32_t depth)
{
    hd_thread_constructs = depth < hd_thread_constructs ? depth : hd_thread_constructs;
}

/* ---- teams ------------------------------------------------------------------------------------------------------- */

static void
drop(hd_gomp_team *team)
{
    if (atomic_fetch_sub(&team->n_users, 1) == 1)
        free(team);
}

static void
raise_last(hd_gomp_team *team, uint64_t time)
{
    uint64_t last = atomic_load(&team->last);

    while (last < time && !atomic_compare_exchange_weak(&team->last, &last, time))
        ;
}

/* In place of a team: the end of the program writes it, and the thread writes nothing any more. */
static hd_gomp_team at_end;

void
hd_gomp_note_work(hd_log *log, uint64_t time)
{
    hd_gomp_team *team = atomic_load_explicit(&log->late, memory_order_relaxed);

    if (team != NULL && team != &at_end)
        raise_last(team, time);
}

static void
write_end(hd_log *log, const hd_gomp_team *team, uint64_t time)
{
    hd_log_put_always(log, time, HD_RAW_LEAVE, team->barrier, 0, NULL);
    hd_log_put_always(log, time, HD_RAW_LEAVE, team->region, 0, NULL);
    hd_log_put_always(log, time, HD_RAW_TEAM_END, team->number, 0, NULL);
}

/* By who has taken the team out of the log. */
static void
write_late(hd_log *log, const hd_gomp_team *team)
{
    log->counters.is_late = true;
    write_end(log, team, atomic_load(&team->last));
    log->counters.is_late = false;
}

/* False: the program ends, and the log is no longer the thread's. */
static bool
write_own_late(hd_log *log)
{
    void *team = atomic_load_explicit(&log->late, memory_order_relaxed);

    if (HD_LIKELY(team == NULL))
        return true;
    if (team == &at_end || !atomic_compare_exchange_strong(&log->late, &team, NULL)) {
        hd_recorder_stop(NULL);
        return false;
    }
    log->is_over = NULL;
    write_late(log, team);
    drop(team);
    return true;
}

/* Threads may still run: one whose team is over comes to its log again by write_own_late(). One in a team that is not
 * recorded looks only whether its last one is over (hd_pause_outside), so the teams stay. */
void
hd_gomp_finish_late(void)
{
    for (hd_log *log = hd_log_first(); log != NULL; log = log->next_of_all) {
        void *late = atomic_load(&log->late);

        if (late == NULL || !atomic_compare_exchange_strong(&log->late, &late, &at_end))
            continue;
        if (atomic_load(&((hd_gomp_team *)late)->is_over))
            write_late(log, late);
        else
            atomic_store(&log->late, late);
    }
}

/* Of the master the log of the fork, of others that of their place. */
static hd_log *
log_of_member(const hd_gomp_team *team, uint32_t level, uint32_t member)
{
    if (member == 0)
        return team->parent;
    if (last_log == NULL || last_parent != team->parent || last_level != level || last_member != member) {
        last_log    = hd_log_of_member(team->parent, level, member);
        last_parent = team->parent;
        last_level  = level;
        last_member = member;
    }
    return last_log;
}

hd_log *
hd_gomp_member_begin(hd_gomp_team *team, uint32_t level, uint32_t member, uint32_t size)
{
    hd_log  *log = log_of_member(team, level, member);
    uint64_t now;

    if (log == NULL)
        return NULL;
    if (member != 0) {
        if (!write_own_late(log))
            return NULL;
        hd_thread_log     = log;
        hd_thread_is_late = false;
        log->is_paused    = false;
        if (log->profile != NULL)
            hd_profile_join_team(log->profile, team->number, team->parent->number, team->path);
        atomic_fetch_add(&team->n_users, 1);
        hd_log_begin_samples();
    }
    now = hd_recorder_now();
    HD_LOG_PUT(log, now, TEAM_BEGIN, team->number, member, size);
    if (hd_the_recorder.sample_ns > 0 && member == 0)
        hd_log_enter(log, now, team->region, team->caller);
    else
        HD_LOG_PUT(log, now, ENTER, team->region, 0);
    return log;
}

void
hd_gomp_member_end(hd_gomp_team *team, hd_log *log, uint32_t member)
{
    uint64_t now = hd_recorder_now();

    HD_LOG_PUT(log, now, ENTER, team->barrier, 0);
    raise_last(team, now);
    if (member != 0) {
        hd_thread_is_late = true;
        log->is_over      = &team->is_over;
        atomic_store_explicit(&log->late, team, memory_order_release);
    }
}

/* What each thread of a team calls in place of the program's function. The log stays that of the thread: tasks run in
 * the barrier behind. */
static void
run_member(void *team_)
{
    hd_gomp_team *team   = team_;
    uint32_t      member = (uint32_t)hd_the_gomp.get_thread_num(), depth = hd_thread_constructs;
    hd_log       *log    = hd_gomp_member_begin(team, (uint32_t)hd_the_gomp.get_level(), member,
                                                (uint32_t)hd_the_gomp.get_num_threads());

    if (log == NULL) {
        team->function(team->data);
        return;
    }
    if (team->inner != 0) {
        HD_LOG_PUT(log, hd_recorder_now(), ENTER, team->inner, 0);
        hd_gomp_push(team->inner);
    }
    team->function(team->data);
    hd_gomp_cut(depth);
    hd_gomp_member_end(team, log, member);
}

hd_gomp_team *
hd_gomp_team_begin(hd_log *log, uint64_t n_threads, const void *caller, const void *place)
{
    hd_gomp_team *team;

    hd_pause_settle(log);
    if (log != NULL)
        log->n_teams++;
    team = log != NULL && !log->is_paused ? malloc(sizeof *team) : NULL;
    if (team == NULL)
        return NULL;
    *team = (hd_gomp_team){ .parent  = log,
                            .number  = atomic_fetch_add(&n_teams, 1),
                            .caller  = caller,
                            .region  = hd_recorder_region_or(HD_RAW_ROLE_PARALLEL, place, caller),
                            .barrier = hd_recorder_region_or(HD_RAW_ROLE_IMPLICIT_BARRIER, place, caller) };
    atomic_init(&team->n_users, 1);
    team->path = log->profile != NULL ? hd_profile_path(log->profile) : 0;
    HD_LOG_PUT(log, hd_recorder_now(), THREAD_FORK, team->number, n_threads);
    return team;
}

/* NULL: it is not recorded. The place of the region is what the compiler has made of it, which has the name and the
 * line of its function, also where that is inlined into its caller; of a stripped library it has no name. */
static hd_gomp_team *
begin(hd_gomp_function *function, void *data, unsigned n_threads, const void *caller, hd_raw_role inner)
{
    const char   *place = (const char *)(uintptr_t)function + 1;
    hd_log       *log   = hd_gomp_log();
    hd_gomp_team *team;

    if (log == NULL && hd_recording() && hd_thread_depth == 0 && !atomic_load(&is_silent) && find_library() &&
        hd_the_gomp.get_level() == 0)
        log = hd_log_of_thread(); /* the pause may be over */
    if (log == NULL)
        return NULL;
    team = hd_gomp_team_begin(log, n_threads != 0 ? n_threads : (uint64_t)hd_the_gomp.get_max_threads(), caller,
                              place);
    if (team == NULL)
        return NULL;
    team->function = function;
    team->data     = data;
    team->inner    = inner != HD_RAW_N_ROLES ? hd_recorder_region_or(inner, place, caller) : 0;
    return team;
}

void
hd_gomp_team_unrecorded_end(void)
{
    if (hd_thread_log != NULL && hd_thread_log->n_teams > 0)
        hd_thread_log->n_teams--;
}

/* In libomp the master has left the barrier before: a leave of what is not open is passed over later. */
void
hd_gomp_team_end(hd_gomp_team *team)
{
    hd_log  *log = team->parent;
    uint64_t now = hd_recorder_now();

    log->n_teams--;
    write_end(log, team, now);
    HD_LOG_PUT_PLAIN(log, hd_recorder_now(), THREAD_JOIN, team->number);
    atomic_store(&team->is_over, true);
    drop(team);
}

#define CALLER __builtin_return_address(0)

HD_EXPORT void GOMP_parallel(hd_gomp_function *function, void *data, unsigned n, unsigned flags);
HD_EXPORT void
GOMP_parallel(hd_gomp_function *function, void *data, unsigned n, unsigned flags)
{
    HD_GOMP_REAL("GOMP_parallel", void (*)(hd_gomp_function *, void *, unsigned, unsigned));
    hd_gomp_team *team = begin(function, data, n, CALLER, HD_RAW_N_ROLES);

    if (team == NULL) {
        real(function, data, n, flags);
        hd_gomp_team_unrecorded_end();
        return;
    }
    real(run_member, team, n, flags);
    hd_gomp_team_end(team);
}

/* libgomp reads the descriptions of the reductions at the first word of the data. */
HD_EXPORT unsigned GOMP_parallel_reductions(hd_gomp_function *function, void *data, unsigned n, unsigned flags);
HD_EXPORT unsigned
GOMP_parallel_reductions(hd_gomp_function *function, void *data, unsigned n, unsigned flags)
{
    HD_GOMP_REAL("GOMP_parallel_reductions", unsigned (*)(hd_gomp_function *, void *, unsigned, unsigned));
    hd_gomp_team *team = begin(function, data, n, CALLER, HD_RAW_N_ROLES);
    unsigned      result;

    if (team == NULL) {
        result = real(function, data, n, flags);
        hd_gomp_team_unrecorded_end();
        return result;
    }
    team->reductions = *(void **)data;
    result           = real(run_member, team, n, flags);
    hd_gomp_team_end(team);
    return result;
}

/* Parallel regions that are one loop, or sections. */
#define PARALLEL(name, role, parameters, arguments, types)                                                             \
    HD_EXPORT void name parameters;                                                                                    \
    HD_EXPORT void name parameters                                                                                     \
    {                                                                                                                  \
        HD_GOMP_REAL(#name, void(*) types);                                                                            \
        hd_gomp_team *team = begin(function, data, n, CALLER, role);                                                   \
                                                                                                                       \
        if (team != NULL) {                                                                                            \
            function = run_member;                                                                                     \
            data     = team;                                                                                           \
        }                                                                                                              \
        real arguments;                                                                                                \
        if (team != NULL)                                                                                              \
            hd_gomp_team_end(team);                                                                                    \
        else                                                                                                           \
            hd_gomp_team_unrecorded_end();                                                                             \
    }
#define PARALLEL_LOOP(name)                                                                                            \
    PARALLEL(name, HD_RAW_ROLE_LOOP,                                                                                   \
             (hd_gomp_function * function, void *data, unsigned n, long from, long to, long step, long chunk,          \
              unsigned flags),                                                                                         \
             (function, data, n, from, to, step, chunk, flags),                                                        \
             (hd_gomp_function *, void *, unsigned, long, long, long, long, unsigned))
#define PARALLEL_LOOP_RUNTIME(name)                                                                                    \
    PARALLEL(name, HD_RAW_ROLE_LOOP,                                                                                   \
             (hd_gomp_function * function, void *data, unsigned n, long from, long to, long step, unsigned flags),     \
             (function, data, n, from, to, step, flags),                                                               \
             (hd_gomp_function *, void *, unsigned, long, long, long, unsigned))

PARALLEL_LOOP(GOMP_parallel_loop_static)
PARALLEL_LOOP(GOMP_parallel_loop_dynamic)
PARALLEL_LOOP(GOMP_parallel_loop_guided)
PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_guided)
PARALLEL_LOOP_RUNTIME(GOMP_parallel_loop_runtime)
PARALLEL_LOOP_RUNTIME(GOMP_parallel_loop_nonmonotonic_runtime)
PARALLEL_LOOP_RUNTIME(GOMP_parallel_loop_maybe_nonmonotonic_runtime)
PARALLEL(GOMP_parallel_sections, HD_RAW_ROLE_SECTIONS,
         (hd_gomp_function * function, void *data, unsigned n, unsigned count, unsigned flags),
         (function, data, n, count, flags), (hd_gomp_function *, void *, unsigned, unsigned, unsigned))
