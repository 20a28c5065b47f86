/* src/record/preload/profile.c: a tree of call paths in a mapped file. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "profile.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "raw_space.h"
#include "recorder.h"

enum { N_SLOTS = 2 * HD_RAW_PROFILE_MAX_PATHS, MAX_SUSPENDED = 1024, NO_PATH = 0 /* the root is below no path */ };

#define MAX_BYTES (sizeof(hd_raw_profile) + HD_RAW_PROFILE_MAX_PATHS * sizeof(hd_raw_path))

typedef struct suspended { /* a task that is not over, and runs no more for now */
    uint64_t task;
    uint32_t path, stub;
} suspended;

struct hd_profile {
    hd_raw_profile *head;  /* MAX_BYTES of addresses, of which n_bytes are mapped */
    hd_raw_path    *paths; /* behind it */
    uint32_t       *slots; /* [N_SLOTS] numbers of paths, 0: free */
    size_t          n_bytes;
    uint32_t        number; /* of the location */
    uint32_t        current, n_paths;
    uint32_t        n_beyond; /* open calls that have no path */
    bool            has_root; /* the root has time of its own */
    bool            is_first; /* nothing was taken yet */
    bool            is_paused;
    uint32_t        team;     /* that its thread is a member of, HD_NONE: of none */
    uint64_t        task;     /* that runs; 0: the thread's own */
    uint32_t        own_path; /* of the thread's own task, while another one runs */
    uint32_t        stub;     /* of the task that runs, NO_PATH: none yet */
    uint64_t        task_begin; /* [ticks] it runs since then */
    bool            is_new_task; /* it has entered nothing */
    uint32_t        n_suspended;
    suspended       suspended[MAX_SUSPENDED];
    uint64_t        n_taken, clock_due; /* [ticks] when the clocks are read next */
    uint32_t        idle_path; /* of the last call that found nothing, NO_PATH: none */
    uint64_t        idle_taken, idle_time; /* n_taken and [ticks] then */
};

/* ---- the file ---------------------------------------------------------------------------------------------------- */

/* Maps the next step of the file. NULL: done; else why not. */
static const char *
map_step(hd_profile *profile, int fd)
{
    const char *wrong = hd_raw_space_take(fd, profile->n_bytes, HD_RAW_PROFILE_STEP_BYTES);
    void       *at    = (char *)profile->head + profile->n_bytes;

    if (wrong == NULL && mmap(at, HD_RAW_PROFILE_STEP_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
                              (off_t)profile->n_bytes) == MAP_FAILED)
        wrong = "a raw file cannot be mapped";
    if (wrong == NULL)
        profile->n_bytes += HD_RAW_PROFILE_STEP_BYTES;
    return wrong;
}

static bool
grow(hd_profile *profile)
{
    int              error = errno;
    hd_recorder_held held  = hd_recorder_hold_signals();
    int              fd    = hd_recording() ? hd_recorder_open_log(profile->number, profile->n_bytes == 0) : -1;
    const char      *wrong = fd >= 0 ? map_step(profile, fd) : NULL;

    if (fd >= 0)
        close(fd);
    if (wrong != NULL)
        hd_recorder_stop(wrong);
    hd_recorder_release_signals(&held);
    errno = error;
    return fd >= 0 && wrong == NULL;
}

static void *
reserve(size_t n_bytes, int protection)
{
    void *at = mmap(NULL, n_bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return at != MAP_FAILED ? at : NULL;
}

static uint32_t
add(hd_profile *profile, uint32_t parent, uint32_t id, uint64_t caller)
{
    size_t       end = sizeof(hd_raw_profile) + (profile->n_paths + 1) * sizeof(hd_raw_path);
    hd_raw_path *path;

    if (profile->n_paths == HD_RAW_PROFILE_MAX_PATHS || (end > profile->n_bytes && !grow(profile)))
        return NO_PATH;
    path         = &profile->paths[profile->n_paths];
    path->caller = caller;
    path->id     = id;
    path->parent = parent;
    __atomic_store_n(&profile->head->n_paths, profile->n_paths + 1, __ATOMIC_RELEASE);
    return profile->n_paths++;
}

hd_profile *
hd_profile_new(uint32_t number, uint64_t begin)
{
    hd_profile *profile = calloc(1, sizeof *profile);
    size_t      n_bytes = (MAX_BYTES + HD_RAW_PROFILE_STEP_BYTES - 1) / HD_RAW_PROFILE_STEP_BYTES *
                     HD_RAW_PROFILE_STEP_BYTES;

    if (profile != NULL) {
        profile->number   = number;
        profile->is_first = true;
        profile->has_root = begin != 0;
        profile->team     = HD_NONE;
        profile->slots    = reserve(N_SLOTS * sizeof *profile->slots, PROT_READ | PROT_WRITE);
        profile->head     = reserve(n_bytes, PROT_NONE);
    }
    if (profile == NULL || profile->slots == NULL || profile->head == NULL) {
        hd_recorder_stop("there is no memory");
        free(profile);
        return NULL;
    }
    profile->paths = (hd_raw_path *)(profile->head + 1);
    if (!grow(profile)) {
        free(profile);
        return NULL;
    }
    add(profile, HD_NONE, HD_RAW_PATH_ROOT, 0);
    profile->paths[0].enter = begin;
    return profile;
}

/* ---- call paths -------------------------------------------------------------------------------------------------- */

/* NO_PATH: there is no room. */
static inline uint32_t
child(hd_profile *profile, uint32_t parent, uint32_t id, uint64_t caller)
{
    uint64_t hash = (caller ^ (uint64_t)parent << 32 ^ id) * 0x9E3779B97F4A7C15U;
    uint32_t slot = (uint32_t)(hash >> 40) % N_SLOTS;

    for (;; slot = (slot + 1) % N_SLOTS) {
        uint32_t           found = profile->slots[slot];
        const hd_raw_path *path  = &profile->paths[found];

        if (found == NO_PATH)
            return profile->slots[slot] = add(profile, parent, id, caller);
        if (path->parent == parent && path->id == id && path->caller == caller)
            return found;
    }
}

static inline bool
has_region(const hd_raw_path *path)
{
    return path->id < HD_RAW_PATH_CALLER;
}

static inline void
stop_clock(hd_raw_path *path, uint64_t time)
{
    uint64_t enter = path->enter;

    if (enter == 0)
        return;
    path->enter = 0;
    path->ticks += time - enter;
}

/* All that is open: as another stack runs from now on, or this one again. */
static void
suspend(hd_profile *profile, uint64_t time)
{
    for (uint32_t at = profile->current; at != HD_NONE; at = profile->paths[at].parent)
        stop_clock(&profile->paths[at], time);
}

static void
resume(hd_profile *profile, uint64_t time)
{
    for (uint32_t at = profile->current; at != HD_NONE; at = profile->paths[at].parent) {
        hd_raw_path *path = &profile->paths[at];

        if (has_region(path) || path->id == HD_RAW_PATH_THREAD || (path->id == HD_RAW_PATH_ROOT && profile->has_root))
            path->enter = time;
    }
}

/* The region that a task enters first is its name. */
static void
begin_stub(hd_profile *profile, uint32_t id)
{
    profile->is_new_task = false;
    profile->stub        = child(profile, profile->own_path, id, HD_RAW_TASK_STUB);
    if (profile->stub != NO_PATH)
        profile->paths[profile->stub].visits++;
}

static inline void
enter(hd_profile *profile, uint64_t time, uint32_t id, uint32_t n, const uint64_t *words)
{
    uint32_t found    = profile->current;
    bool     has_room = true;

    if (HD_UNLIKELY(profile->n_beyond > 0)) {
        profile->n_beyond++;
        profile->head->n_lost++;
        return;
    }
    if (HD_UNLIKELY(profile->is_new_task))
        begin_stub(profile, id);
    for (uint32_t i = n; HD_UNLIKELY(i > 1) && has_room; i--) {
        found    = child(profile, found, HD_RAW_PATH_CALLER, words[i - 1]);
        has_room = found != NO_PATH;
    }
    if (has_room)
        found = child(profile, found, id, n > 0 ? words[0] : 0);
    if (HD_UNLIKELY(found == NO_PATH)) {
        profile->n_beyond = 1;
        profile->head->n_lost += hd_recording(); /* else the file could not grow, which is said */
        return;
    }
    profile->paths[found].visits++;
    profile->paths[found].enter = time;
    profile->current            = found;
}

/* Leaves what is open down to a path, and that. */
static inline void
leave_path(hd_profile *profile, uint64_t time, uint32_t left)
{
    uint32_t at = profile->current;

    for (; at != left; at = profile->paths[at].parent)
        stop_clock(&profile->paths[at], time);
    stop_clock(&profile->paths[at], time);
    do
        at = profile->paths[at].parent;
    while (HD_UNLIKELY(profile->paths[at].id == HD_RAW_PATH_CALLER));
    profile->current = at;
}

/* A leave of what is not open is passed over. */
static inline void
leave(hd_profile *profile, uint64_t time, uint32_t id)
{
    uint32_t at = profile->current;

    if (HD_UNLIKELY(profile->n_beyond > 0)) {
        profile->n_beyond--;
        return;
    }
    while (HD_UNLIKELY(profile->paths[at].id != id)) {
        if (profile->paths[at].id > HD_RAW_PATH_CALLER)
            return;
        at = profile->paths[at].parent;
    }
    leave_path(profile, time, at);
}

static void
leave_all(hd_profile *profile, uint64_t time)
{
    profile->n_beyond    = 0;
    profile->n_suspended = 0;
    profile->task        = 0;
    profile->stub        = NO_PATH;
    profile->is_new_task = false;
    while (profile->current != 0)
        leave_path(profile, time, profile->current);
}

/* ---- threads and tasks ------------------------------------------------------------------------------------------- */

uint32_t
hd_profile_path(const hd_profile *profile)
{
    return profile->current;
}

void
hd_profile_join_team(hd_profile *profile, uint32_t team, uint32_t parent, uint32_t path)
{
    uint32_t found;

    leave_all(profile, profile->head->last);
    found            = child(profile, 0, HD_RAW_PATH_TEAM, (uint64_t)parent << 32 | path);
    profile->current = found;
    profile->team    = team;
}

static void
begin_thread(hd_profile *profile, uint64_t time)
{
    leave_all(profile, time);
    profile->current = child(profile, 0, HD_RAW_PATH_THREAD, 0);
    if (profile->current != 0)
        profile->paths[profile->current].enter = time;
}

/* Of a task that was suspended the path, and takes it out of the list; of a new one that of all tasks. */
static uint32_t
path_of_task(hd_profile *profile, uint64_t task)
{
    uint32_t  i = profile->n_suspended;
    suspended found;

    if (task == 0)
        return profile->own_path;
    while (i > 0 && profile->suspended[i - 1].task != task)
        i--;
    if (i == 0) {
        profile->is_new_task = true;
        return child(profile, 0, HD_RAW_PATH_TASKS, 0);
    }
    found = profile->suspended[i - 1];
    for (; i < profile->n_suspended; i++)
        profile->suspended[i - 1] = profile->suspended[i];
    profile->n_suspended--;
    profile->stub = found.stub;
    return found.path;
}

static bool
is_own(uint64_t task)
{
    return (uint32_t)task == 0; /* the upper half is the number of the thread */
}

static void
switch_task(hd_profile *profile, uint64_t time, uint64_t task)
{
    task = is_own(task) ? 0 : task;
    if (task == profile->task)
        return;
    suspend(profile, time);
    if (profile->task == 0)
        profile->own_path = profile->current;
    else if (profile->n_suspended < MAX_SUSPENDED && profile->paths[profile->current].id != HD_RAW_PATH_TASKS)
        profile->suspended[profile->n_suspended++] = (suspended){ profile->task, profile->current, profile->stub };
    if (profile->stub != NO_PATH)
        profile->paths[profile->stub].ticks += time - profile->task_begin;
    profile->stub        = NO_PATH;
    profile->is_new_task = false;
    profile->current     = path_of_task(profile, task);
    profile->task        = task;
    profile->task_begin  = time;
    resume(profile, time);
}

/* ---- what was sent ----------------------------------------------------------------------------------------------- */

static void
count_message(uint64_t *sums, hd_raw_sum empty, uint64_t bytes)
{
    sums[empty + (bytes > 0)]++;
    sums[empty + 2] += bytes;
}

static void
count_collective(uint64_t *sums, uint64_t sent, uint64_t received)
{
    sums[sent > 0 ? (received > 0 ? HD_RAW_EXCHANGES : HD_RAW_SOURCES) :
                      (received > 0 ? HD_RAW_DESTINATIONS : HD_RAW_EMPTY_COLLECTIVES)]++;
    sums[HD_RAW_OUT_BYTES] += sent;
    sums[HD_RAW_IN_BYTES] += received;
}

static void
count(hd_profile *profile, hd_raw_kind kind, const uint64_t *words)
{
    uint64_t *sums = profile->paths[profile->current].sums;

    switch (kind) {
    case HD_RAW_SEND:
    case HD_RAW_ISEND:
        count_message(sums, HD_RAW_EMPTY_SENDS, words[1]);
        break;
    case HD_RAW_RECV:
    case HD_RAW_IRECV:
        count_message(sums, HD_RAW_EMPTY_RECEIVES, words[1]);
        break;
    case HD_RAW_COLLECTIVE_END: /* as the analysis counts them */
        if ((uint32_t)words[0] < HD_RAW_CREATE_HANDLE)
            count_collective(sums, words[1], words[2]);
        break;
    case HD_RAW_PUT:
        sums[HD_RAW_PUT_BYTES] += words[1];
        break;
    case HD_RAW_GET:
        sums[HD_RAW_GOT_BYTES] += words[1];
        break;
    case HD_RAW_ATOMIC:
        sums[HD_RAW_PUT_BYTES] += words[1];
        sums[HD_RAW_GOT_BYTES] += words[2];
        break;
    case HD_RAW_FOREIGN:
        profile->head->n_foreign++;
        profile->head->foreign_bytes += words[0];
        break;
    default:
        break;
    }
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

/* A run that begins in a pause begins at its end. */
static void
pause_or_resume(hd_profile *profile, uint64_t time, bool is_paused)
{
    if (is_paused && profile->is_first)
        profile->paths[0].enter = 0;
    else if (is_paused)
        suspend(profile, time);
    else
        resume(profile, time);
}

static void
take_other(hd_profile *profile, uint64_t time, hd_raw_kind kind, uint32_t id, const uint64_t *words)
{
    switch (kind) {
    case HD_RAW_TEAM_END:
        if (id == profile->team) {
            leave_all(profile, time);
            profile->team = HD_NONE;
        }
        break;
    case HD_RAW_TASK_SWITCH:
        switch_task(profile, time, words[0]);
        break;
    case HD_RAW_THREAD_BEGIN:
        begin_thread(profile, time);
        break;
    case HD_RAW_THREAD_END:
        leave_all(profile, time);
        break;
    case HD_RAW_PAUSE:
    case HD_RAW_RESUME:
        pause_or_resume(profile, time, kind == HD_RAW_PAUSE);
        break;
    default:
        if (profile->n_beyond == 0 || kind == HD_RAW_FOREIGN)
            count(profile, kind, words);
        break;
    }
}

/* For the frequency of the ticks. Takes no system call, mostly. */
static void
read_clocks(hd_profile *profile)
{
    enum { EVERY = 1 << 28 }; /* [ticks] some 0.1 s */

    hd_recorder_read_clocks(profile->head->clock);
    profile->clock_due = profile->head->clock[0] + EVERY;
}

void
hd_profile_take(hd_profile *profile, uint64_t time, hd_raw_kind kind, uint32_t id, uint32_t n, const uint64_t *words)
{
    hd_raw_profile *head = profile->head;

    time = time > head->last ? time : head->last; /* times do not go back within a location */
    if (kind == HD_RAW_ENTER)
        enter(profile, time, id, n, words);
    else if (kind == HD_RAW_LEAVE)
        leave(profile, time, id);
    else
        take_other(profile, time, kind, id, words);
    if (HD_UNLIKELY(time >= profile->clock_due))
        read_clocks(profile);
    if (HD_UNLIKELY(profile->is_first))
        head->first = time;
    profile->is_first = false;
    head->last        = time;
    profile->n_taken++;
}

/* As of records, those in a row are one (HD_IDLE_GAP). */
void
hd_profile_leave_idle(hd_profile *profile, uint64_t enter, uint64_t leave, uint32_t id)
{
    uint32_t     at   = profile->current;
    hd_raw_path *path = &profile->paths[at];

    if (hd_the_recorder.n_callers <= 1 && at != NO_PATH && at == profile->idle_path &&
        profile->n_taken == profile->idle_taken + 1 && enter >= profile->idle_time &&
        enter - profile->idle_time < HD_IDLE_GAP) {
        path->visits--;
        path->ticks += enter - profile->idle_time;
    }
    hd_profile_take(profile, leave, HD_RAW_LEAVE, id, 0, NULL);
    profile->idle_path  = at;
    profile->idle_taken = profile->n_taken;
    profile->idle_time  = leave;
}
