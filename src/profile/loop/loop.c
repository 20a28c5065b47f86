/* src/profile/loop/loop.c: which call paths can begin iterations, and which of them does. */
#include "loop.h"

#include <stdlib.h>

#include "loop_calls.h"
#include "loop_place.h"
#include "loop_units.h"
#include "memory.h"

enum { NEARLY = 90 /* [%] */, PER_COUNT = 3, MAX_TRIED = 24, MAX_PART = 4 };

typedef struct candidate {
    uint32_t call_path;
    uint32_t n;    /* each process visits it n times, or a multiple of that; */
    uint32_t step; /* how many of the n are an iteration */
    uint32_t each[HD_LOOP_PROCESSES]; /* [n_own] how many calls of a process that is looked at are one of the n */
    uint32_t n_alike; /* call paths that are visited as often and span nearly the same time */
    uint64_t span, first;  /* [ticks] sums over the processes that are looked at: from the first to the last enter;
                            * until the first enter */
    uint64_t most;                        /* likewise, no less than its cover; 0: not known; */
    uint64_t most_of[HD_LOOP_PROCESSES];  /* [n_own] of each of them */
    uint64_t cover;        /* of all, if it fits; */
    hd_loop_fit fit[HD_LOOP_PROCESSES];   /* [n_own] */
    bool     is_tried, fits;
} candidate;

typedef struct search {
    const hd_loop_request *request;
    candidate             *candidates; /* [n] */
    size_t                 n, capacity;
    uint64_t              *visits; /* [tree] the fewest of a process that has any */
    hd_loop_calls          calls[HD_LOOP_PROCESSES]; /* [n_own] of those of this rank */
    uint32_t               n_own, n_looked_at;       /* n_looked_at: on all ranks */
    uint64_t               window;                   /* [ticks] sum of what is looked at */
} search;

static uint64_t
count_processes(const hd_loop_request *request)
{
    uint64_t n = request->trace->n_processes;

    hd_analysis_comm_reduce(request->analysis_comm, &n, 1, HD_SUM);
    return n;
}

/* Visits of each call path of the process on its first location; free() them. */
static uint64_t *
visits_of(const hd_loop_request *request, uint32_t p)
{
    const hd_loaded_process  *process  = &request->trace->processes[p];
    const hd_loaded_location *location = process->locations;
    uint64_t                 *visits   = HD_NEW_ARRAY(uint64_t, (size_t)process->n_nodes + 1);

    if (process->n_locations == 0)
        return visits;
    for (uint32_t i = 0; i < location->n_nodes; i++) {
        uint32_t node = location->map != NULL ? location->map[i] : i;

        if (node != HD_NONE)
            visits[node] += location->nodes[i].visits;
    }
    return visits;
}

typedef struct counts { /* [tree] */
    uint64_t *least;    /* visits of a process that has any; */
    uint64_t *most;     /* likewise */
    uint64_t *n;        /* processes that have any; */
    uint64_t *wrong;    /* [MAX_PART][tree] and not a multiple of 1 / (part + 1) of the fewest: corners of a grid have 2
                         * neighbours and its edges 3 */
} counts;

/* is_second: the fewest are known. Call paths with too few for a loop are left out then. */
static void
count_visits(const hd_loop_request *request, counts *all, bool is_second)
{
    for (uint32_t p = 0; p < request->trace->n_processes; p++) {
        const uint32_t *map    = request->maps[p];
        uint64_t       *visits = visits_of(request, p), *least = all->least;

        for (uint32_t i = 0, n = request->trace->processes[p].n_nodes; i < n; i++) {
            uint32_t path = map[i];

            if (visits[i] == 0 || (is_second && (least[path] < HD_LOOP_LEAST || visits[i] == least[path])))
                continue;
            for (uint64_t part = 1; is_second && part <= MAX_PART; part++)
                all->wrong[(part - 1) * request->tree->n + path] += visits[i] % (least[path] / part) != 0;
            if (is_second)
                continue;
            least[path]     = visits[i] < least[path] ? visits[i] : least[path];
            all->most[path] = visits[i] > all->most[path] ? visits[i] : all->most[path];
            all->n[path]++;
        }
        free(visits);
    }
}

/* Whether a call path may have more visits in one process than in another one. */
static bool
do_differ(const counts *all, size_t n_paths)
{
    bool do_some = false;

    for (size_t path = 0; path < n_paths; path++)
        do_some |= all->most[path] > all->least[path];
    return do_some;
}

/* The largest number of which all processes visit the call path a multiple, 0: none. Small ones may be so by chance. */
static uint64_t
common_count(const counts *all, size_t n_paths, size_t path)
{
    for (size_t part = 1; part <= MAX_PART; part++)
        if (all->wrong[(part - 1) * n_paths + path] == 0 && all->least[path] % part == 0 &&
            (part == 1 || all->least[path] / part >= 2 * HD_LOOP_LEAST))
            return all->least[path] / part;
    return 0;
}

/* Call paths that all processes visit a multiple of the same number of times, such as once for each neighbour. */
static void
find_candidates(search *s, uint64_t n_processes)
{
    const hd_loop_request *request = s->request;
    size_t                 n       = request->tree->n;
    counts                 all     = { HD_NEW_ARRAY(uint64_t, n + 1), HD_NEW_ARRAY(uint64_t, n + 1),
                                       HD_NEW_ARRAY(uint64_t, n + 1), HD_NEW_ARRAY(uint64_t, MAX_PART * n + 1) };

    memset(all.least, 0xff, (n + 1) * sizeof *all.least);
    count_visits(request, &all, false);
    hd_analysis_comm_reduce(request->analysis_comm, all.least, n, HD_MIN);
    hd_analysis_comm_reduce(request->analysis_comm, all.most, n, HD_MAX);
    hd_analysis_comm_reduce(request->analysis_comm, all.n, n, HD_SUM);
    if (do_differ(&all, n)) { /* else all are multiples */
        count_visits(request, &all, true);
        hd_analysis_comm_reduce(request->analysis_comm, all.wrong, MAX_PART * n, HD_SUM);
    }
    for (uint32_t path = 0; path < n; path++) {
        uint64_t common = all.n[path] == n_processes ? common_count(&all, n, path) : 0;

        if (common >= HD_LOOP_LEAST && common <= HD_LOOP_MOST)
            HD_PUSH(s->candidates, s->n, s->capacity,
                    ((candidate){ .call_path = path, .n = (uint32_t)common }));
    }
    s->visits = all.least;
    free(all.most);
    free(all.n);
    free(all.wrong);
}

/* Of a call path of the tree. */
static uint64_t
visits_at(const hd_loop_request *request, uint32_t p, uint32_t call_path)
{
    const hd_loaded_process  *process  = &request->trace->processes[p];
    const hd_loaded_location *location = process->n_locations > 0 ? &process->locations[0] : NULL;
    const uint32_t           *map      = request->maps[p];
    uint64_t                  n        = 0;

    if (location != NULL && location->map == NULL) {
        for (uint32_t i = 0; i < location->n_nodes; i++)
            if (HD_UNLIKELY(map[i] == call_path))
                n += location->nodes[i].visits;
        return n;
    }
    for (uint32_t i = 0; location != NULL && i < location->n_nodes; i++) {
        uint32_t node = location->map != NULL ? location->map[i] : i;

        if (HD_UNLIKELY(node != HD_NONE && map[node] == call_path))
            n += location->nodes[i].visits;
    }
    return n;
}

/* How many calls of a process are one of the n. */
static uint32_t
calls_of_each(const hd_loop_request *request, uint32_t p, const candidate *one)
{
    return (uint32_t)(visits_at(request, p, one->call_path) / one->n);
}

/* The first process, and the one in the middle. */
static void
read_calls(search *s, uint64_t n_processes)
{
    const hd_loop_request *request = s->request;
    hd_time                length  = request->to - request->from;

    s->n_looked_at = n_processes < HD_LOOP_PROCESSES ? (uint32_t)n_processes : HD_LOOP_PROCESSES;
    for (uint32_t p = 0; p < request->trace->n_processes; p++) {
        const hd_loaded_process *process = &request->trace->processes[p];
        hd_loop_calls           *calls   = &s->calls[s->n_own];
        bool                     is_one  = false;

        for (uint32_t i = 0; i < s->n_looked_at; i++)
            is_one = is_one || process->process.v == n_processes * i / s->n_looked_at;
        if (!is_one || process->n_locations == 0)
            continue;
        *calls  = hd_loop_calls_read(process, request->maps[p], (uint32_t)request->tree->n);
        calls->process = p;
        s->n_own++;
        if (calls->is_whole || calls->until >= request->to)
            s->window += length;
        else if (calls->until > request->from)
            s->window += calls->until - request->from;
    }
    hd_analysis_comm_reduce(request->analysis_comm, &s->window, 1, HD_SUM);
}

/* When the calls of the candidates are. Those of which some visit is in no op log are none: their calls do not
 * communicate each time. */
static void
add_spans(search *s, const hd_loop_calls *calls, uint64_t *values)
{
    for (size_t i = 0; i < s->n; i++) {
        const hd_loop_path *own = &calls->paths[s->candidates[i].call_path];
        hd_time             first, last;

        if (own->n < HD_LOOP_LEAST || (calls->is_whole && own->n % s->candidates[i].n != 0))
            continue;
        first = calls->enters[calls->firsts[s->candidates[i].call_path]];
        last  = calls->enters[own->behind - 1];
        if (last < first)
            continue;
        values[3 * i]     += last - first;
        values[3 * i + 1] += first > s->request->from ? first - s->request->from : 0;
        values[3 * i + 2] += 1;
    }
}

/* By count, and by the time that they can cover at most. */
static int
compare_candidates(const void *left, const void *right)
{
    const candidate *a = left, *b = right;

    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    if (a->span != b->span)
        return a->span > b->span ? -1 : 1;
    return (a->call_path > b->call_path) - (a->call_path < b->call_path);
}

static int
compare_spans(const void *left, const void *right)
{
    const candidate *a = left, *b = right;

    return a->span != b->span ? (a->span > b->span ? -1 : 1) : compare_candidates(a, b);
}

static void
measure_candidates(search *s)
{
    uint64_t *values = HD_NEW_ARRAY(uint64_t, 3 * s->n + 1);
    size_t    n      = 0;

    for (uint32_t p = 0; p < s->n_own; p++)
        add_spans(s, &s->calls[p], values);
    hd_analysis_comm_reduce(s->request->analysis_comm, values, 3 * s->n, HD_SUM);
    for (size_t i = 0; i < s->n; i++) {
        s->candidates[i].span  = values[3 * i];
        s->candidates[i].first = values[3 * i + 1];
        if (values[3 * i + 2] == s->n_looked_at)
            s->candidates[n++] = s->candidates[i];
    }
    s->n = n;
    free(values);
}

/* At most PER_COUNT of each count: of those that span nearly the same time they are one loop, so the earliest one. */
static void
choose_candidates(search *s)
{
    size_t   n      = 0;
    uint32_t n_same = 0;

    qsort(s->candidates, s->n, sizeof *s->candidates, compare_candidates);
    for (size_t i = 0; i < s->n;) {
        candidate best  = s->candidates[i];
        uint64_t  least = best.span / 100 * NEARLY;
        size_t    begin = i;

        n_same = n > 0 && s->candidates[n - 1].n == best.n ? n_same : 0;
        for (; i < s->n && s->candidates[i].n == best.n && s->candidates[i].span >= least; i++)
            if (s->candidates[i].first < best.first)
                best = s->candidates[i];
        best.n_alike = (uint32_t)(i - begin);
        if (n_same++ < PER_COUNT)
            s->candidates[n++] = best;
    }
    s->n = n;
    qsort(s->candidates, s->n, sizeof *s->candidates, compare_spans);
    s->n = s->n < MAX_TRIED ? s->n : MAX_TRIED;
}

static bool
covers_enough(const search *s, uint64_t cover)
{
    return (double)cover >= (double)s->window * HD_LOOP_COVERS / 100;
}

/* How many units are an iteration, the same for all processes: a part of all units, and a multiple of what each process
 * has. */
static uint32_t
step_of(const search *s, hd_loop_units *units, uint32_t n)
{
    uint64_t steps[HD_LOOP_PROCESSES] = { 0 }, most = 1, wrong = 0, may = 0;

    for (uint32_t p = 0; p < s->n_own && may == 0; p++)
        may = hd_loop_may_step(&units[p], n);
    hd_analysis_comm_reduce(s->request->analysis_comm, &may, 1, HD_MAX);
    if (may == 0)
        return 1;
    for (uint32_t p = 0; p < s->n_own; p++) {
        steps[p] = hd_loop_step(&units[p]);
        most     = steps[p] > most ? steps[p] : most;
    }
    hd_analysis_comm_reduce(s->request->analysis_comm, &most, 1, HD_MAX);
    for (uint32_t p = 0; p < s->n_own; p++)
        wrong += most % steps[p] != 0;
    hd_analysis_comm_reduce(s->request->analysis_comm, &wrong, 1, HD_SUM);
    return wrong == 0 && n % most == 0 && n / most >= HD_LOOP_LEAST ? (uint32_t)most : 1;
}

/* One step for all processes, what it counts, and the most that such iterations can cover. */
static void
find_step(search *s, candidate *one)
{
    hd_loop_units units[HD_LOOP_PROCESSES];

    for (uint32_t p = 0; p < s->n_own; p++) {
        one->each[p] = calls_of_each(s->request, s->calls[p].process, one);
        units[p]     = hd_loop_units_of(&s->calls[p], one->call_path, one->each[p]);
    }
    one->step = step_of(s, units, one->n);
    one->most = 0;
    for (uint32_t p = 0; p < s->n_own; p++) {
        one->most_of[p] = one->step > 1 ? hd_loop_most(&s->calls[p], one->call_path, one->step * one->each[p]) :
                                          units[p].most;
        one->most += one->most_of[p];
        hd_loop_units_fini(&units[p]);
    }
    hd_analysis_comm_reduce(s->request->analysis_comm, &one->most, 1, HD_SUM);
}

/* Whether the processes from p on may cover what is missing; others do, if this rank does not have all that are looked
 * at. */
static bool
may_cover(const search *s, uint32_t p, const candidate *one, uint64_t cover)
{
    if (s->n_own < s->n_looked_at)
        return true;
    for (; p < s->n_own; p++)
        cover += one->most_of[p];
    return covers_enough(s, cover);
}

static void
try_candidate(const search *s, candidate *one)
{
    uint64_t values[2] = { 0, 0 };

    if (one->is_tried)
        return;
    for (uint32_t p = 0; p < s->n_own && values[1] == p && may_cover(s, p, one, values[0]); p++) {
        values[1] += hd_loop_fits(&s->calls[p], one->call_path, one->step * one->each[p], &one->fit[p]);
        values[0] += one->fit[p].cover;
    }
    hd_analysis_comm_reduce(s->request->analysis_comm, values, 2, HD_SUM);
    one->cover    = values[0];
    one->fits     = values[1] == s->n_looked_at && covers_enough(s, one->cover);
    one->is_tried = true;
}

/* More than it covers with any step. */
static uint64_t
most_of_any(const candidate *one)
{
    return one->span + one->span / (HD_LOOP_LEAST - 1);
}

static void
find_steps(search *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (covers_enough(s, most_of_any(&s->candidates[i])))
            find_step(s, &s->candidates[i]);
}

/* From those that can cover most on; until the others cover less than nearly as much as the best. */
static void
try_candidates(search *s)
{
    uint64_t best = 0;

    for (size_t i = 0; i < s->n; i++) {
        candidate *one = &s->candidates[i];

        if (one->most == 0 || most_of_any(one) < best / 100 * NEARLY) {
            one->fits = false;
            continue;
        }
        try_candidate(s, one);
        if (one->fits && one->cover > best)
            best = one->cover;
    }
}

static uint32_t
n_iterations(const candidate *one)
{
    return one->n / one->step;
}

/* Whether the loop of `inner`, with more iterations, is part of each iteration of `outer`, and not `outer` what the
 * program does after some iterations, such as output: a function between them is called for each iteration of `outer`,
 * or that has at least as many calls of its own. */
static bool
is_part_of(const search *s, const candidate *inner, const candidate *outer)
{
    const hd_calltree *tree = s->request->tree;

    for (uint32_t path = tree->nodes[inner->call_path].parent; path != HD_NONE; path = tree->nodes[path].parent)
        if (s->visits[path] >= n_iterations(outer) && s->visits[path] < n_iterations(inner) &&
            s->visits[path] % n_iterations(outer) == 0)
            return true;
    return outer->n_alike >= inner->n_alike;
}

/* Of those that cover nearly as much as the best the outer loop, which has the fewest iterations; NULL: none fits. */
static candidate *
choose(search *s)
{
    uint64_t   best   = 0;
    candidate *chosen = NULL;

    for (size_t i = 0; i < s->n; i++)
        if (s->candidates[i].fits && s->candidates[i].cover > best)
            best = s->candidates[i].cover;
    for (size_t i = 0; i < s->n; i++) {
        candidate *one = &s->candidates[i];
        bool       is_outer = one->fits && one->cover >= best / 100 * NEARLY;

        for (size_t k = 0; k < s->n && is_outer; k++) {
            const candidate *other = &s->candidates[k];

            if (other->fits && other->cover >= best / 100 * NEARLY && n_iterations(other) >= 2 * n_iterations(one))
                is_outer = is_part_of(s, other, one);
        }
        if (is_outer && (chosen == NULL || n_iterations(one) < n_iterations(chosen) ||
                         (n_iterations(one) == n_iterations(chosen) && one->cover > chosen->cover)))
            chosen = one;
    }
    return chosen;
}

/* Whether it may have to do with the choice, if of those that were tried it is this one. */
static bool
matters(const search *s, const candidate *one, const candidate *chosen)
{
    if (one->is_tried || !covers_enough(s, one->most))
        return false;
    if (chosen == NULL)
        return true;
    if (one->most < chosen->cover / 100 * NEARLY)
        return false;
    return n_iterations(one) < n_iterations(chosen) || one->most / 100 * NEARLY > chosen->cover ||
           (n_iterations(one) == n_iterations(chosen) && one->most >= chosen->cover) ||
           (n_iterations(one) >= 2 * n_iterations(chosen) && !is_part_of(s, one, chosen));
}

/* The same as choose() of all, but those with few iterations are tried first, and others only where they matter; NULL:
 * it is not known without them, or none fits. Of those that fit it has the fewest iterations, and covers most: so it
 * does not matter which of the others are outer ones. */
static candidate *
choose_soon(search *s)
{
    candidate *chosen, *next;

    do {
        chosen = next = NULL;
        for (size_t i = 0; i < s->n; i++) {
            candidate *one = &s->candidates[i];

            if (one->fits && (chosen == NULL || n_iterations(one) < n_iterations(chosen) ||
                              (n_iterations(one) == n_iterations(chosen) && one->cover > chosen->cover)))
                chosen = one;
        }
        for (size_t i = 0; i < s->n; i++)
            if (matters(s, &s->candidates[i], chosen) &&
                (next == NULL || n_iterations(&s->candidates[i]) < n_iterations(next)))
                next = &s->candidates[i];
        if (next != NULL)
            try_candidate(s, next);
    } while (next != NULL);
    return choose(s) == chosen ? chosen : NULL;
}

/* The call that iterations end with: the same on the processes that are looked at, and one in each iteration of all
 * processes, as the call that it is found by. HD_NONE: they begin with that. */
static uint32_t
find_end(const search *s, const candidate *loop)
{
    uint64_t least = HD_NONE, most = 0, wrong = 0;

    for (uint32_t p = 0; p < s->n_own && most != HD_NONE; p++) {
        uint64_t path = HD_NONE;

        if (loop->step * loop->each[p] == 1)
            path = hd_loop_end(&s->calls[p], loop->call_path, &loop->fit[p]);
        least = path < least ? path : least;
        most  = path > most ? path : most;
    }
    hd_analysis_comm_reduce(s->request->analysis_comm, &least, 1, HD_MIN);
    hd_analysis_comm_reduce(s->request->analysis_comm, &most, 1, HD_MAX);
    if (least != most || most == HD_NONE)
        return HD_NONE;
    for (uint32_t p = 0; p < s->request->trace->n_processes; p++)
        wrong += visits_at(s->request, p, loop->call_path) != loop->n ||
                 visits_at(s->request, p, (uint32_t)most) != loop->n;
    hd_analysis_comm_reduce(s->request->analysis_comm, &wrong, 1, HD_SUM);
    return wrong == 0 ? (uint32_t)most : HD_NONE;
}

/* Whether all processes have as many calls as visits. end: they end with it; HD_NONE: they begin with the loop's. */
static bool
put_all_iterations(const search *s, const candidate *loop, uint32_t end)
{
    const hd_loop_request *request   = s->request;
    hd_trace              *trace     = request->trace;
    uint32_t               call_path = end != HD_NONE ? end : loop->call_path;
    hd_loop_placing        placing   = hd_loop_placing_new(request->tree, call_path, n_iterations(loop),
                                                           end != HD_NONE);
    uint64_t               wrong     = 0;

    for (uint32_t p = 0; wrong == 0 && p < trace->n_processes; p++)
        wrong += !hd_loop_place(&placing, &trace->processes[p].locations[0], request->maps[p],
                                loop->step * calls_of_each(request, p, loop));
    hd_loop_placing_fini(&placing);
    hd_analysis_comm_reduce(request->analysis_comm, &wrong, 1, HD_SUM);
    if (wrong == 0)
        return true;
    for (uint32_t p = 0; p < trace->n_processes; p++)
        trace->processes[p].locations[0].n_iterations = 0;
    return false;
}

/* Puts the iterations of the chosen one. false: some process does not have them. */
static bool
put_loop(const search *s, const candidate *chosen, hd_loop *loop)
{
    uint32_t end  = find_end(s, chosen);
    bool     ends = end != HD_NONE && put_all_iterations(s, chosen, end);

    if (!ends && !put_all_iterations(s, chosen, HD_NONE))
        return false;
    *loop = (hd_loop){ ends ? end : chosen->call_path, n_iterations(chosen),
                       (double)chosen->cover / (double)s->window, ends };
    return true;
}

hd_loop
hd_loop_find(const hd_loop_request *request)
{
    search     s           = { .request = request };
    uint64_t   n_processes = count_processes(request);
    hd_loop    loop        = { .call_path = HD_NONE };
    candidate *chosen;

    find_candidates(&s, n_processes);
    if (s.n > 0 && request->from < request->to) {
        read_calls(&s, n_processes);
        measure_candidates(&s);
        choose_candidates(&s);
        find_steps(&s);
        if ((chosen = choose_soon(&s)) == NULL || !put_loop(&s, chosen, &loop)) {
            try_candidates(&s);
            while ((chosen = choose(&s)) != NULL && !put_loop(&s, chosen, &loop))
                chosen->fits = false;
        }
    }
    for (uint32_t p = 0; p < s.n_own; p++)
        hd_loop_calls_fini(&s.calls[p]);
    free(s.candidates);
    free(s.visits);
    return loop;
}
