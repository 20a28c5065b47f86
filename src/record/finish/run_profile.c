/* src/record/finish/run_profile.c: from the call paths of locations to those of a process. */
#include "run_profile.h"

#include "memory.h"
#include "raw_profile_file.h"

enum { PROGRAM = 0 }; /* the first path of a process */

typedef struct place { /* of a path of a location */
    uint32_t path; /* of the process */
    uint32_t base; /* below it the location's own stack begins: where its thread, team or task began */
} place;

typedef struct location {
    hd_raw_profile_file file;
    place              *places; /* [file.n] */
} location;

typedef struct conversion {
    const hd_recorded_run *run;
    const hd_run_process  *process;
    hd_run_profile        *to;
    location              *locations; /* [n] in the order of the process's */
    size_t                 n;
} conversion;

/* ---- call paths -------------------------------------------------------------------------------------------------- */

static uint32_t
child(conversion *all, uint32_t parent, uint32_t region)
{
    bool      is_new;
    uint64_t *path = hd_map_add(&all->to->children, (uint64_t)(parent + 1) << 32 | region, &is_new);

    if (is_new) {
        *path = all->to->n_paths;
        HD_PUSH(all->to->paths, all->to->n_paths, all->to->room_paths, ((hd_run_path){ parent, region }));
    }
    return (uint32_t)*path;
}

/* The innermost open region that is a function, or a call; HD_NONE: there is none. */
static uint32_t
innermost_function(const conversion *all, place at)
{
    for (uint32_t path = at.path; path != at.base; path = all->to->paths[path].parent)
        if (all->run->regions[all->to->paths[path].region].paradigm != HD_RUN_USER)
            return all->to->paths[path].region;
    return HD_NONE;
}

/* Addresses of a call, the innermost first. Returns how many. */
static uint32_t
callers_of(const location *from, uint32_t number, uint64_t *words)
{
    uint32_t n = 0;

    words[n++] = from->file.paths[number].caller;
    number     = from->file.paths[number].parent;
    for (; from->file.paths[number].id == HD_RAW_PATH_CALLER && n < HD_RAW_MAX_CALLERS;
         number = from->file.paths[number].parent)
        words[n++] = from->file.paths[number].caller;
    return n;
}

/* As archive_conversion.c enters a call: where functions are recorded, callers are those within the innermost one. They
 * are visited with it. */
static place
enter(conversion *all, uint32_t index, uint32_t number)
{
    const location *from = &all->locations[index];
    uint64_t words[HD_RAW_MAX_CALLERS];
    uint32_t n      = callers_of(from, number, words), above = from->file.paths[number].parent, top;
    uint32_t region = hd_run_call_of(all->run, all->process, from->file.paths[number].id, words[0]);
    place    at;

    while (from->file.paths[above].id == HD_RAW_PATH_CALLER)
        above = from->file.paths[above].parent;
    at = from->places[above];
    if (region == HD_NONE)
        return at;
    top = innermost_function(all, at);
    for (uint32_t i = 0; i < n; i++)
        if (top != HD_NONE && hd_run_caller_of(all->process, words[i]) == top)
            n = i;
    for (uint32_t i = n; i > 0; i--) {
        uint32_t caller = hd_run_caller_of(all->process, words[i - 1]);

        if (caller == HD_NONE)
            continue;
        at.path = child(all, at.path, caller);
        HD_PUSH(all->to->values, all->to->n_values, all->to->room_values,
                ((hd_run_value){ .path = at.path, .location = index, .visits = from->file.paths[number].visits }));
    }
    at.path = child(all, at.path, region);
    return at;
}

/* Where a team was forked: it goes on with that path, of a location before its own. */
static uint32_t
path_of_team(const conversion *all, uint32_t index, uint64_t forked_at)
{
    uint32_t parent = (uint32_t)(forked_at >> 32), number = (uint32_t)forked_at;

    for (uint32_t i = 0; i < index; i++)
        if (all->process->raw->locations[i].number == parent && number < all->locations[i].file.n)
            return all->locations[i].places[number].path;
    return PROGRAM;
}

static place
place_of(conversion *all, uint32_t index, uint32_t number)
{
    const hd_raw_path *path  = &all->locations[index].file.paths[number];
    uint32_t           start = PROGRAM;

    if (path->id < HD_RAW_PATH_CALLER)
        return enter(all, index, number);
    if (path->id == HD_RAW_PATH_TEAM)
        start = path_of_team(all, index, path->caller);
    else if (path->id == HD_RAW_PATH_THREAD)
        start = child(all, PROGRAM, HD_RUN_THREADS);
    else if (path->id == HD_RAW_PATH_TASKS)
        start = child(all, PROGRAM, HD_RUN_TASKS);
    return (place){ start, start };
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static bool
is_stub(const hd_raw_path *path)
{
    return path->id < HD_RAW_PATH_CALLER && path->caller == HD_RAW_TASK_STUB;
}

static bool
is_timed(const hd_raw_path *path)
{
    return (path->id < HD_RAW_PATH_CALLER && !is_stub(path)) || path->id == HD_RAW_PATH_THREAD ||
           path->id == HD_RAW_PATH_ROOT;
}

/* [ticks] With those of the paths below. What is open when the location ends, ends there; the program itself ends
 * later. */
static uint64_t
inclusive(const conversion *all, const location *from, uint32_t number)
{
    const hd_raw_process *raw  = all->process->raw;
    const hd_raw_path    *path = &from->file.paths[number];
    uint64_t              end  = from->file.head->last;

    if (path->id == HD_RAW_PATH_ROOT && (raw->has_ended || raw->is_finalized))
        end = hd_time_max(end, raw->end);
    return path->ticks + (path->enter != 0 && end > path->enter ? end - path->enter : 0);
}

/* Times of a node whose clock is faster or slower than that of rank 0's node. */
static uint64_t
scaled(const conversion *all, uint64_t ticks)
{
    const hd_run_clock *clock = &all->process->clock;
    double              rate  = 1;

    if (all->run->has_nodes && clock->at[1] > clock->at[0])
        rate += (double)(clock->offset[1] - clock->offset[0]) / (double)(clock->at[1] - clock->at[0]);
    return rate != 1 ? (uint64_t)((double)ticks * rate + 0.5) : ticks;
}

/* ticks: [n] out, of each path, without those below. Never below zero: a program may be killed between two stores. */
static void
find_exclusive(const conversion *all, const location *from, uint64_t *ticks)
{
    for (uint32_t i = 0; i < from->file.n; i++)
        ticks[i] = is_timed(&from->file.paths[i]) ? inclusive(all, from, i) : 0;
    for (uint32_t i = 1; i < from->file.n; i++) {
        uint32_t above = from->file.paths[i].parent;
        uint64_t own   = is_timed(&from->file.paths[i]) ? inclusive(all, from, i) : 0;

        while (from->file.paths[above].id == HD_RAW_PATH_CALLER)
            above = from->file.paths[above].parent;
        ticks[above] -= hd_time_min(ticks[above], own);
    }
}

static void
take_values(conversion *all, uint32_t index)
{
    location *from  = &all->locations[index];
    uint64_t *ticks = HD_NEW_ARRAY(uint64_t, from->file.n + 1);

    find_exclusive(all, from, ticks);
    for (uint32_t i = 0; i < from->file.n; i++) {
        const hd_raw_path *path  = &from->file.paths[i];
        hd_run_value       value = { .location = index, .visits = path->visits, .ticks = scaled(all, ticks[i]) };

        if (path->id == HD_RAW_PATH_CALLER)
            continue;
        from->places[i] = place_of(all, index, i);
        value.path      = from->places[i].path;
        if (path->id == HD_RAW_PATH_ROOT)
            value.visits = index == 0;
        for (int sum = 0; sum < HD_RAW_N_SUMS; sum++)
            value.sums[sum] = path->sums[sum];
        if (is_stub(path)) {
            value.is_of_tasks = true;
            value.task_ticks  = scaled(all, path->ticks);
        }
        if (is_timed(path) || is_stub(path))
            HD_PUSH(all->to->values, all->to->n_values, all->to->room_values, value);
    }
    all->to->n_lost += from->file.head != NULL ? from->file.head->n_lost : 0;
    free(ticks);
}

hd_status
hd_run_profile_read(const hd_recorded_run *run, uint32_t process, hd_run_profile *profile)
{
    const hd_raw_process *raw    = run->processes[process].raw;
    conversion            all    = { .run = run, .process = &run->processes[process], .to = profile,
                                     .n = raw->n_locations };
    hd_status             status = HD_OK;

    *profile      = (hd_run_profile){ 0 };
    all.locations = HD_NEW_ARRAY(location, all.n + 1);
    for (size_t i = 0; i < all.n && status == HD_OK; i++) {
        location *at = &all.locations[i];

        status     = hd_raw_profile_open(&run->files, raw, raw->locations[i].number, &at->file);
        at->places = HD_NEW_ARRAY(place, at->file.n + 1);
    }
    child(&all, HD_NONE, HD_RUN_PROGRAM);
    for (uint32_t i = 0; i < all.n && status == HD_OK; i++)
        take_values(&all, i);
    for (size_t i = 0; i < all.n; i++) {
        hd_raw_profile_close(&all.locations[i].file);
        free(all.locations[i].places);
    }
    free(all.locations);
    return status;
}

void
hd_run_profile_fini(hd_run_profile *profile)
{
    free(profile->paths);
    free(profile->values);
    hd_map_fini(&profile->children);
    *profile = (hd_run_profile){ 0 };
}
