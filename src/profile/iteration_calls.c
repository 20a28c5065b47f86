/* src/profile/iteration_calls.c: the places of call paths among the bits of an iteration, and which calls it has. */
#include "iteration_calls.h"

#include <stdlib.h>

#include "call_walk.h"
#include "cluster.h"
#include "memory.h"

void
hd_iterations_want_calls(hd_iterations *iterations, const hd_defs *defs, const hd_calltree *tree)
{
    const hd_region *regions = hd_defs_regions(defs);
    uint32_t         n       = 0;

    free(iterations->calls);
    free(iterations->places);
    iterations->calls  = NULL;
    iterations->places = NULL;
    if (iterations->n == 0 || iterations->n > HD_CLUSTER_ITERATIONS)
        return;
    iterations->places = HD_NEW_UNSET(uint32_t, (size_t)tree->n + 1);
    for (uint32_t i = 0; i < tree->n; i++)
        iterations->places[i] = regions[tree->nodes[i].region].region_class != HD_CLASS_USER ? n++ : HD_NONE;
    iterations->n_words = (n + 63) / 64;
    iterations->calls   = HD_NEW_ARRAY(uint64_t, (size_t)iterations->n * iterations->n_words + 1);
}

typedef struct calls { /* of a location, in the order of its op log */
    const hd_iterations         *iterations;
    const hd_process_iterations *of;
    const uint32_t              *places;      /* [call paths of the location] among the bits; HD_NONE: none */
    const uint16_t              *heads;       /* of its op log */
    hd_call_search               search;      /* at the call that is next */
    bool                         has_next;    /* which there is */
    uint64_t                    *bits;        /* of the iteration that is now; NULL: none is */
    hd_time                      from, until; /* of what is now */
    uint32_t                     slice, hint; /* which that is; of hd_iterations_slice() */
    uint64_t                    *own;         /* [n_words] bits of the calls of the process in what was last: */
    const uint16_t              *begin;       /* they begin there, */
    size_t                       n;           /* so many; 0: not all have the times of the state log */
} calls;

/* What is at the time of the next call is now: mostly the next iteration. */
static void
move(calls *c)
{
    const hd_iterations *all  = c->iterations;
    const hd_iteration  *rows = c->of->rows;
    hd_time              time = c->search.enter;
    bool                 is_next = c->slice > 0 && c->slice < c->of->n && time >= rows[c->slice].enter &&
                                   time < rows[c->slice].leave;

    if (is_next)
        c->hint = ++c->slice;
    else
        c->slice = hd_iterations_slice(c->of, all->n, time, &c->hint);
    c->bits  = c->slice > 0 && c->slice <= all->n ? &all->calls[(size_t)(c->slice - 1) * all->n_words] : NULL;
    c->from  = hd_iterations_slice_begin(c->of, all->n, c->slice, c->hint);
    c->until = hd_iterations_slice_end(c->of, all->n, c->slice, c->hint);
}

static bool
is_now(const calls *c, hd_time enter)
{
    return enter >= c->from && enter < c->until;
}

/* Calls with the times of the state log from `begin` up to `end`: c->own are their bits. false: some have their own. */
static bool
put_heads(calls *c, const uint16_t *begin, const uint16_t *end)
{
    size_t   n   = (size_t)(end - begin);
    uint32_t all = 0;

    if (n == c->n && memcmp(begin, c->begin, n * sizeof *begin) == 0)
        return true;
    memset(c->own, 0, c->iterations->n_words * sizeof *c->own);
    for (const uint16_t *head = begin; head < end; head++) {
        uint32_t place = c->places[*head / 2];

        if (place != HD_NONE)
            c->own[place / 64] |= UINT64_C(1) << place % 64;
        all |= *head;
    }
    c->n     = (all & 1) == 0 ? n : 0;
    c->begin = begin;
    return c->n > 0;
}

/* Other processes have the same bits: most are there. */
static void
put_bits(const calls *c)
{
    for (uint32_t w = 0; w < c->iterations->n_words; w++)
        if ((c->own[w] & ~__atomic_load_n(&c->bits[w], __ATOMIC_RELAXED)) != 0)
            __atomic_fetch_or(&c->bits[w], c->own[w], __ATOMIC_RELAXED);
}

/* Where the calls of the next iteration begin, if it is known where they and those of the one that is now do, `begin`;
 * NULL: it is not. */
static inline const uint16_t *
end_of_known(const calls *c, const uint16_t *begin)
{
    const hd_iteration *row = &c->of->rows[c->slice - 1], *next = row + 1;
    const uint16_t     *end;

    if (c->slice >= c->of->n || row->first_call == 0 || next->first_call <= row->first_call ||
        row->leave != next->enter)
        return NULL;
    end = c->heads + next->first_call - 1;
    return begin == c->heads + row->first_call - 1 && end < c->search.end && ((*begin | *end) & 1) == 0 ? end : NULL;
}

/* Whether the last call of the iteration that is now begins in it. *leave: out, when it ends; states: of the call
 * behind it */
static inline bool
begins_inside(const calls *c, const uint8_t *states, hd_time *leave)
{
    hd_time end = c->of->rows[c->slice].enter;

    *leave = end;
    if (!c->iterations->is_end)
        *leave -= hd_state_first_length(hd_state_words_read(states));
    return *leave - hd_state_second_length(hd_state_words_read(states - sizeof(uint64_t))) < end;
}

/* Passes the calls of the iteration that is now, and of those behind it, as long as it is known where they and those
 * of the next one begin. Their bits are put then. */
static bool
pass_known(calls *c)
{
    const uint16_t *begin  = c->search.heads.at - 1, *end;
    const uint8_t  *states = c->search.heads.states - sizeof(uint64_t); /* of the call at `begin` */
    uint32_t        first  = c->slice;
    hd_time         leave  = 0, last = 0;

    if (c->iterations->how != HD_ITERATIONS_FOUND)
        return false;
    while (c->bits != NULL && (end = end_of_known(c, begin)) != NULL && put_heads(c, begin, end)) {
        const uint8_t *states_behind = states + (size_t)(end - begin) * sizeof(uint64_t);

        if (!begins_inside(c, states_behind, &leave))
            break;
        put_bits(c);
        states = states_behind;
        begin  = end;
        last   = leave;
        c->slice++;
        c->bits += c->iterations->n_words;
    }
    if (c->slice == first)
        return false;
    c->hint                = --c->slice; /* the last one that is passed */
    c->search.heads.at     = begin;
    c->search.heads.states = states;
    c->search.leave        = last;
    c->has_next            = hd_call_search_next(&c->search);
    return true;
}

/* Passes the calls of what is now, if they have the same call paths as those of the last iteration, and the next one
 * is not of it. */
static bool
pass_alike(calls *c)
{
    hd_call_search after = c->search;
    const uint16_t *begin = after.heads.at - 1;
    const uint8_t  *states;
    hd_time         last = after.enter; /* of them begins */

    if (c->n == 0 || (size_t)(after.end - begin) < c->n || memcmp(begin, c->begin, c->n * sizeof *begin) != 0)
        return false;
    states = after.heads.states + (c->n - 1) * sizeof(uint64_t);
    after.leave += hd_state_lengths(after.heads.states, states);
    after.heads.at     = begin + c->n;
    after.heads.states = states;
    if (c->n > 1)
        last = after.leave - hd_state_second_length(hd_state_words_read(states - sizeof(uint64_t)));
    c->has_next = hd_call_search_next(&after);
    if (last >= c->until || (c->has_next && is_now(c, after.enter))) {
        c->has_next = true;
        return false;
    }
    c->search = after;
    c->begin  = begin;
    return true;
}

/* The calls of what is now, one after the other. */
static void
pass_each(calls *c)
{
    bool has_own_times = false;

    memset(c->own, 0, c->iterations->n_words * sizeof *c->own);
    c->begin = c->search.heads.at - 1;
    do {
        uint32_t place = c->places[c->search.call_path];

        if (place != HD_NONE)
            c->own[place / 64] |= UINT64_C(1) << place % 64;
        has_own_times |= c->search.heads.at[-1] & 1;
        c->has_next = hd_call_search_next(&c->search);
    } while (c->has_next && is_now(c, c->search.enter));
    c->n = has_own_times ? 0 : (size_t)(c->search.heads.at - c->has_next - c->begin);
}

static void
put_calls(calls *c)
{
    for (c->has_next = hd_call_search_next(&c->search); c->has_next;) {
        move(c);
        if (pass_known(c))
            continue;
        if (!pass_alike(c))
            pass_each(c);
        if (c->bits != NULL)
            put_bits(c);
    }
}

/* Those of calls whose call paths stand in their heads, as the own bits. false: some do not. */
static bool
put_paths(calls *c, const uint16_t *begin, const uint16_t *end)
{
    if (c->n > 0 && (size_t)(end - begin) == c->n && memcmp(begin, c->begin, c->n * sizeof *begin) == 0)
        return true;
    memset(c->own, 0, c->iterations->n_words * sizeof *c->own);
    for (const uint16_t *head = begin; head < end; head++) {
        uint32_t place = *head != HD_HEAD_FAR ? c->places[*head / 2] : HD_NONE;

        if (HD_UNLIKELY(*head == HD_HEAD_FAR))
            return false;
        if (place != HD_NONE)
            c->own[place / 64] |= UINT64_C(1) << place % 64;
    }
    c->n     = (size_t)(end - begin);
    c->begin = begin;
    return true;
}

/* Where it is known which calls are in each instance no times are needed. false: it is not; some have bits then. */
static bool
put_instances(calls *c)
{
    const hd_iteration *row = c->of->rows, *end = row + c->of->n;
    size_t              n   = (size_t)(c->search.end - c->heads);

    if (c->iterations->how == HD_ITERATIONS_FOUND)
        return false;
    for (c->bits = c->iterations->calls; row < end; row++, c->bits += c->iterations->n_words) {
        size_t first = (size_t)row->first_call - 1, left = first < n ? n - first : 0;

        if (row->first_call == 0)
            return false;
        first = first < n ? first : n;
        if (!put_paths(c, c->heads + first, c->heads + first + (row->n_calls < left ? row->n_calls : left)))
            return false;
        put_bits(c);
    }
    return true;
}

/* free() them. */
static uint32_t *
places_of(const hd_iterations *iterations, const hd_loaded_location *location, const uint32_t *map)
{
    const uint32_t *own = location->map, *bits = iterations->places;
    uint32_t       *places = HD_NEW_UNSET(uint32_t, (size_t)location->n_nodes + 1);

    for (uint32_t i = 0, n = location->n_nodes; i < n; i++) {
        uint32_t node = own != NULL ? own[i] : i;

        places[i] = node != HD_NONE && map[node] != HD_NONE ? bits[map[node]] : HD_NONE;
    }
    return places;
}

void
hd_iteration_calls_put(const hd_iterations *iterations, const hd_process_iterations *of,
                       const hd_loaded_process *process, uint32_t thread, const uint32_t *map, const uint16_t *end)
{
    const hd_loaded_location *location = &process->locations[thread];
    uint32_t                 *places;
    calls                     c;

    if (iterations->calls == NULL || of->n == 0 || of->location != thread)
        return;
    places = places_of(iterations, location, map);
    c      = (calls){ .iterations = iterations, .of = of, .places = places,
                      .heads = location->log.heads, .search = hd_call_search_of(&location->log),
                      .own = HD_NEW_ARRAY(uint64_t, (size_t)iterations->n_words + 1) };
    c.search.end = end;
    if (!put_instances(&c)) {
        c.n = 0;
        put_calls(&c);
    }
    free(c.own);
    free(places);
}
