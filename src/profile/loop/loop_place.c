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
            ((hd_iteration){ enter, leave, at->region }));
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
            ((hd_iteration){ n > 0 ? location->iterations[n - 1].leave : enter, leave, at->region }));
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
place(hd_loop_placing *at, hd_time enter, hd_time leave, uint32_t path, bool *is_between)
{
    if (HD_LIKELY(*is_between && path != at->call_path)) {
        if (path != HD_NONE)
            at->marks[path] = at->mark;
        return;
    }
    if (at->ends)
        place_ending(at, enter, leave, path);
    else
        place_call(at, enter, leave, path);
    *is_between = at->has_begun && !at->is_last;
}

/* Marks the paths with calls that are held from `from` on, before `to`. */
static void
mark_held(hd_loop_placing *at, const hd_loop_calls *calls, uint32_t from, uint32_t to)
{
    for (uint32_t path = 0; path < at->n_paths; path++) {
        uint32_t call = calls->paths[path].n > 0 ? calls->paths[path].last + 1 : 0; /* its number + 1 */

        while (call > to)
            call = calls->calls[call - 1].previous;
        if (call > from && path != at->call_path)
            at->marks[path] = at->mark;
    }
}

/* The numbers of the loop's calls that are held, in order; free() them. */
static uint32_t *
numbers_of_loop(const hd_loop_calls *calls, uint32_t call_path)
{
    const hd_loop_path *path    = &calls->paths[call_path];
    uint32_t           *numbers = HD_NEW_UNSET(uint32_t, (size_t)path->n + 1);

    for (uint32_t n = path->n, call = path->last; n > 0; call = calls->calls[call].previous - 1)
        numbers[--n] = call;
    return numbers;
}

/* Of calls that are held. Between two of the loop nothing is to be done. */
static void
place_held(hd_loop_placing *at, const hd_loop_calls *calls)
{
    uint32_t n = calls->paths[at->call_path].n, *numbers = numbers_of_loop(calls, at->call_path), i = 0;
    bool     is_between = false, was_between = false;

    for (uint32_t c = 0; c < calls->n; c++) {
        const hd_loop_call *call;

        if (is_between)
            c = i < n ? numbers[i] : (uint32_t)calls->n;
        was_between = is_between;
        if (c < calls->n) {
            call = &calls->calls[c];
            i += call->call_path == at->call_path;
            place(at, call->enter, call->leave, call->call_path, &is_between);
        }
        if (was_between && (!is_between || c == calls->n))
            mark_held(at, calls, numbers[0] + 1, c);
    }
    free(numbers);
}

/* The calls from here up to the end of the last iteration. paths: of the tree, for each of the location */
static void
place_between(hd_loop_placing *at, hd_call_walk *walk, const uint32_t *paths)
{
    uint32_t n          = at->location->n_nodes;
    uint8_t *known      = HD_NEW_ARRAY(uint8_t, hd_call_walk_places(n));
    bool     is_between = true;

    for (uint32_t i = 0; i < n; i++)
        if (paths[i] == at->call_path)
            known[hd_call_walk_place(i)] = HD_WALK_STOP;
    while (is_between && hd_call_walk_find(walk, known))
        place(at, walk->enter, walk->leave, at->call_path, &is_between);
    for (uint32_t i = 0; i < n; i++)
        if (known[hd_call_walk_place(i)] == HD_WALK_SEEN && paths[i] != HD_NONE)
            at->marks[paths[i]] = at->mark;
    free(known);
}

/* Of the others. */
static void
place_logged(hd_loop_placing *at, const uint32_t *paths)
{
    hd_call_walk walk       = hd_call_walk_of(&at->location->log);
    bool         is_between = false;

    while (!is_between && hd_call_walk_next(&walk))
        place(at, walk.enter, walk.leave, paths[walk.call_path], &is_between);
    if (is_between)
        place_between(at, &walk, paths);
    is_between = false;
    while (hd_call_walk_next(&walk))
        place(at, walk.enter, walk.leave, paths[walk.call_path], &is_between);
}

bool
hd_loop_place(hd_loop_placing *at, hd_loaded_location *location, const uint32_t *map, const hd_loop_calls *held,
              uint32_t step)
{
    uint32_t *paths;

    location->n_iterations = 0;
    at->location           = location;
    at->step               = step;
    at->n_calls            = 0;
    at->has_begun          = false;
    at->is_last            = false;
    at->previous           = HD_NONE;
    at->mark++;
    if (held != NULL)
        place_held(at, held);
    else {
        paths = hd_loop_paths(location, map);
        place_logged(at, paths);
        free(paths);
    }
    begin_first(at);
    return at->n_calls == step * at->n_iterations;
}
