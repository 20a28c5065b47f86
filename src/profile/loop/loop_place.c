/* src/profile/loop/loop_place.c: goes through the calls of a process and puts its iterations where those of the loop
 * are. Between two of these it only matters which call paths there are. */
#include "loop_place.h"

#include <stdlib.h>

#include "call_walk.h"
#include "memory.h"

hd_loop_placing
hd_loop_placing_new(const hd_calltree *tree, uint32_t call_path, uint32_t n_iterations, bool ends)
{
    hd_loop_placing at = { .call_path = call_path, .region = tree->nodes[call_path].region, .ends = ends,
                           .n_paths = (uint32_t)tree->n, .n_iterations = n_iterations };

    at.marks = HD_NEW_ARRAY(uint32_t, tree->n + 1);
    if (ends) {
        at.after     = HD_NEW_ARRAY(hd_time, tree->n + 1);
        at.has_after = HD_NEW_ARRAY(uint32_t, tree->n + 1);
    }
    return at;
}

void
hd_loop_placing_fini(hd_loop_placing *at)
{
    free(at->marks);
    free(at->after);
    free(at->has_after);
    *at = (hd_loop_placing){ .marks = NULL };
}

/* An iteration begins, where the last one of the process ends. */
static void
begin_iteration(hd_loop_placing *at, hd_time enter, hd_time leave)
{
    hd_loaded_location *location = at->location;
    size_t              n        = location->n_iterations;

    if (n > 0)
        location->iterations[n - 1].leave = enter;
    HD_PUSH(location->iterations, location->n_iterations, location->iteration_capacity,
            ((hd_iteration){ enter, leave, at->region, at->behind, 0 }));
    at->has_begun = true;
    at->is_last   = n + 1 == at->n_iterations;
}

/* The last iteration goes on to here, or is over. */
static void
go_on(hd_loop_placing *at, hd_time leave, uint32_t path)
{
    if (path != HD_NONE && at->marks[path] == at->mark)
        at->location->iterations[at->location->n_iterations - 1].leave = leave;
    else
        at->is_last = false;
}

/* Calls behind the last iteration are still counted. */
static void
place_call(hd_loop_placing *at, hd_time enter, hd_time leave, uint32_t path)
{
    bool has_begun = at->has_begun;

    if (HD_UNLIKELY(path == at->call_path) && at->n_calls++ % at->step == 0)
        begin_iteration(at, enter, leave);
    else if (HD_UNLIKELY(at->is_last))
        go_on(at, leave, path);
    if (has_begun && path != HD_NONE)
        at->marks[path] = at->mark;
}

/* Calls before the first one of the loop; it, too. Call paths that the tree does not have are one. */
static void
note_before(hd_loop_placing *at, hd_time enter, uint32_t path)
{
    if (at->previous == HD_NONE)
        at->begin = enter;
    else {
        at->after[at->previous]     = enter;
        at->has_after[at->previous] = at->mark;
    }
    at->previous = path;
}

/* Where iterations end with the call: a call before the first one of the loop, or one of the loop. */
static void
end_iteration(hd_loop_placing *at, hd_time enter, hd_time leave, uint32_t path)
{
    hd_loaded_location *location = at->location;
    size_t              n        = location->n_iterations;

    if (n == 0)
        note_before(at, enter, path != HD_NONE ? path : at->n_paths);
    if (path != at->call_path)
        return;
    HD_PUSH(location->iterations, location->n_iterations, location->iteration_capacity,
            ((hd_iteration){ .enter      = n > 0 ? location->iterations[n - 1].leave : enter,
                             .leave      = leave,
                             .region     = at->region,
                             .first_call = at->first_call }));
    at->first_call = at->behind + 1;
    at->n_calls++;
    at->has_begun = true;
    at->is_last   = n + 1 >= at->n_iterations;
}

/* Calls behind the last iteration are like none. */
static void
place_ending(hd_loop_placing *at, hd_time enter, hd_time leave, uint32_t path)
{
    if (HD_UNLIKELY(!at->has_begun || path == at->call_path))
        end_iteration(at, enter, leave, path);
    else if (!at->is_last && path != HD_NONE)
        at->marks[path] = at->mark;
}

/* The first iteration begins behind the last call that is like none in a later one. */
static void
begin_first(hd_loop_placing *at)
{
    hd_loaded_location *location = at->location;
    hd_time             begin    = at->begin;

    if (!at->ends || location->n_iterations == 0)
        return;
    for (uint32_t path = 0; path <= at->n_paths; path++)
        if (at->has_after[path] == at->mark && at->marks[path] != at->mark)
            begin = hd_time_max(begin, at->after[path]);
    location->iterations[0].enter = hd_time_min(begin, location->iterations[0].enter);
}

/* Where a call is. *is_between: the one before lies between two of the loop, in an iteration, and so does this one, if
 * it is none of the loop: then it is only marked. */
static inline __attribute__((always_inline)) void
place(hd_loop_placing *at, const hd_call_search *search, uint32_t path, bool *is_between)
{
    hd_time enter = search->enter, leave = search->leave;

    if (HD_LIKELY(*is_between && path != at->call_path)) {
        if (path != HD_NONE)
            at->marks[path] = at->mark;
        return;
    }
    at->behind = (uint32_t)(search->heads.at - at->location->log.heads);
    if (at->ends)
        place_ending(at, enter, leave, path);
    else
        place_call(at, enter, leave, path);
    *is_between = at->has_begun && !at->is_last;
}

/* The one call path of the location that has calls and is this one of the tree; HD_NONE: there are several, or it does
 * not stand in the heads of calls. paths: of the tree, for each of the location */
static uint32_t
only_path(const hd_loop_placing *at, const uint32_t *paths)
{
    uint32_t n = 0, only = HD_NONE;

    for (uint32_t i = 0; i < at->location->n_nodes; i++)
        if (paths[i] == at->call_path && at->location->nodes[i].visits > 0) {
            only = i;
            n++;
        }
    return n == 1 && at->location->n_nodes <= HD_HEAD_FAR >> 1 ? only : HD_NONE;
}

typedef struct heads_before { /* of the calls behind one of the loop's, up to the next one of it */
    size_t n;        /* how many; 0: not known */
    bool   is_plain; /* no call has times of its own */
} heads_before;

/* Whether the heads from here on are the same ones again: iterations mostly hold the same calls as the one before. */
static bool
are_as_before(const uint16_t *head, const uint16_t *end, size_t n)
{
    return n > 0 && (size_t)(end - head) >= n && memcmp(head, head - n, n * sizeof *head) == 0;
}

/* Marks the paths of calls from one head up to another one, the last of which is the loop's, or there are no more
 * calls. */
static heads_before
mark_heads(hd_loop_placing *at, const uint16_t *head, const uint16_t *end, const uint32_t *paths)
{
    heads_before of  = { .n = (size_t)(end - head) };
    uint32_t     all = 0;

    for (; head < end; head++) {
        if (paths[*head >> 1] != HD_NONE && paths[*head >> 1] != at->call_path)
            at->marks[paths[*head >> 1]] = at->mark;
        all |= *head;
    }
    of.is_plain = (all & 1) == 0;
    return of;
}

/* The calls from here up to the end of the last iteration: only those of the loop's call path of the location are
 * looked at. */
static void
place_between(hd_loop_placing *at, hd_call_search *search, uint32_t only, const uint32_t *paths)
{
    heads_before before     = { .n = 0 };
    bool         is_between = true, is_found;

    do {
        const uint16_t *begin = search->heads.at;

        if (before.is_plain && are_as_before(begin, search->end, before.n)) {
            hd_call_search_pass(search, before.n - 1);
            is_found = hd_call_search_next(search);
        } else {
            is_found = hd_call_search_find(search, only);
            before   = mark_heads(at, begin, search->heads.at, paths);
        }
        if (is_found)
            place(at, search, at->call_path, &is_between);
    } while (is_between && is_found);
}

bool
hd_loop_place(hd_loop_placing *at, hd_loaded_location *location, const uint32_t *map, uint32_t step)
{
    uint32_t      *paths      = hd_loop_paths(location, map), only;
    hd_call_search search     = hd_call_search_of(&location->log);
    bool           is_between = false, is_there;

    location->n_iterations = 0;
    HD_RESERVE(location->iterations, 0, location->iteration_capacity, at->n_iterations);
    at->location           = location;
    at->step               = step;
    at->n_calls            = 0;
    at->has_begun          = false;
    at->is_last            = false;
    at->previous           = HD_NONE;
    at->first_call         = 0;
    at->mark++;
    only = only_path(at, paths);
    is_there = !at->ends && only != HD_NONE ? hd_call_search_find(&search, only) : hd_call_search_next(&search);
    for (; is_there; is_there = hd_call_search_next(&search)) {
        place(at, &search, paths[search.call_path], &is_between);
        if (HD_UNLIKELY(is_between && only != HD_NONE)) {
            place_between(at, &search, only, paths);
            only = HD_NONE;
            is_between = false;
        }
    }
    free(paths);
    begin_first(at);
    return at->n_calls == step * at->n_iterations;
}
