/* src/profile/loop/loop_calls.c: what iterations hold is compared by a hash of the set of their call paths; only those
 * that differ from the commonest one are looked at call by call. */
#include "loop_calls.h"

#include <stdlib.h>

#include "call_walk.h"
#include "map.h"
#include "memory.h"

uint32_t *
hd_loop_paths(const hd_loaded_location *location, const uint32_t *map)
{
    const uint32_t *own   = location->map;
    uint32_t       *paths = HD_NEW_UNSET(uint32_t, (size_t)location->n_nodes + 1);

    for (uint32_t i = 0, n = location->n_nodes; i < n; i++) {
        uint32_t node = own != NULL ? own[i] : i;

        paths[i] = node != HD_NONE ? map[node] : HD_NONE;
    }
    return paths;
}

/* As hd_loop_paths(), n_paths: none; free() it. */
static uint32_t *
paths_of(const hd_loop_calls *calls, const hd_loaded_location *location, const uint32_t *map)
{
    uint32_t *paths = hd_loop_paths(location, map);

    for (uint32_t i = 0; i < location->n_nodes; i++)
        paths[i] = paths[i] != HD_NONE ? paths[i] : calls->n_paths;
    return paths;
}

/* Call i is of this path. */
static inline __attribute__((always_inline)) void
put_path(const hd_loop_calls *calls, uint32_t i, uint32_t path)
{
    hd_loop_path *of = &calls->paths[path];

    calls->call_paths[i] = path;
    calls->previous[i]   = of->behind;
    of->behind           = i + 1;
    of->n++;
}

enum { EIGHT = 8 };

/* None of eight heads has its bit of own times. */
static inline bool
are_plain(const uint16_t *heads)
{
    uint64_t words[2];

    memcpy(words, heads, sizeof words);
    return ((words[0] | words[1]) & UINT64_C(0x0001000100010001)) == 0;
}

/* Of a head without own times, which is twice the number of the call path. */
static inline uint32_t
path_of(const uint32_t *paths, uint16_t head)
{
    uint32_t path;

    memcpy(&path, (const uint8_t *)paths + head * (sizeof path / 2), sizeof path);
    return path;
}

/* Where and when eight calls are that have no times of their own. paths: of the location's call paths */
static inline __attribute__((always_inline)) void
read_eight(const hd_loop_calls *calls, uint32_t i, hd_call_search *search, const uint32_t *paths)
{
    const uint16_t *heads  = search->heads.at;
    const uint8_t  *states = search->heads.states;
    hd_time         leave  = search->leave;

#pragma GCC unroll 8
    for (uint32_t k = 0; k < EIGHT; k++)
        put_path(calls, i + k, path_of(paths, heads[k]));
#pragma GCC unroll 8
    for (uint32_t k = 0; k < EIGHT; k++) {
        uint64_t words = hd_state_words_read(states + k * sizeof words);
        hd_time  enter = leave + hd_state_first_length(words);

        calls->enters[i + k] = enter;
        leave                = enter + hd_state_second_length(words);
    }
    search->heads.at += EIGHT;
    search->heads.states += EIGHT * sizeof(uint64_t);
    search->leave = leave;
}

/* The first calls of paths that may be a loop's, and the hashes of those that have calls. */
static void
find_first(const hd_loop_calls *calls)
{
    uint32_t n_missing = 0;

    for (uint32_t path = 0; path <= calls->n_paths; path++) {
        calls->hashes[path] = calls->paths[path].n > 0 ? hd_loop_hash(path < calls->n_paths ? path : HD_NONE) : 0;
        calls->firsts[path] = HD_NONE;
        n_missing += calls->paths[path].n >= HD_LOOP_LEAST;
    }
    for (uint32_t i = 0; n_missing > 0; i++) {
        uint32_t *first = &calls->firsts[calls->call_paths[i]];

        n_missing -= *first == HD_NONE && calls->paths[calls->call_paths[i]].n >= HD_LOOP_LEAST;
        *first = *first < i ? *first : i;
    }
}

/* Where and when the calls are. */
static void
read_heads(hd_loop_calls *calls, const hd_oplog *log, const uint32_t *paths)
{
    hd_call_search search = hd_call_search_of(log);
    uint32_t       n      = (uint32_t)calls->n;

    for (uint32_t i = 0; i < n;) {
        if (HD_LIKELY(n - i >= EIGHT && are_plain(search.heads.at))) {
            read_eight(calls, i, &search, paths);
            i += EIGHT;
            continue;
        }
        (void)hd_call_search_next(&search);
        put_path(calls, i, paths[search.call_path]);
        calls->enters[i++] = search.enter;
    }
    calls->until = search.leave;
    find_first(calls);
    for (uint32_t i = 0; calls->paths[calls->n_paths].n > 0 && i < n; i++)
        if (calls->call_paths[i] == calls->n_paths)
            calls->previous[i] = HD_NONE;
}

hd_loop_calls
hd_loop_calls_read(const hd_loaded_process *process, const uint32_t *map, uint32_t n_paths)
{
    const hd_loaded_location *location = &process->locations[0];
    const hd_oplog           *log      = &location->log;
    uint32_t                 *paths;
    size_t                    n        = log->n_calls < HD_LOOP_MAX_CALLS ? log->n_calls : HD_LOOP_MAX_CALLS;
    hd_loop_calls             calls    = { .n = n, .is_whole = n == log->n_calls, .n_paths = n_paths };

    calls.enters     = HD_NEW_UNSET(hd_time, n + 1);
    calls.call_paths = HD_NEW_UNSET(uint32_t, n + 1);
    calls.previous   = HD_NEW_UNSET(uint32_t, n + 1);
    calls.paths      = HD_NEW_ARRAY(hd_loop_path, (size_t)n_paths + 1);
    calls.firsts     = HD_NEW_UNSET(uint32_t, (size_t)n_paths + 1);
    calls.hashes     = HD_NEW_UNSET(uint64_t, (size_t)n_paths + 1);
    paths            = paths_of(&calls, location, map);
    read_heads(&calls, log, paths);
    free(paths);
    calls.records = hd_loop_records_of(log, (uint32_t)n, calls.call_paths, calls.hashes);
    return calls;
}

void
hd_loop_calls_fini(hd_loop_calls *calls)
{
    free(calls->enters);
    free(calls->call_paths);
    free(calls->hashes);
    free(calls->previous);
    free(calls->paths);
    free(calls->firsts);
    hd_loop_records_fini(&calls->records);
    *calls = (hd_loop_calls){ .n = 0 };
}

typedef struct iteration {
    size_t   begin;     /* number of its first call */
    uint64_t structure; /* hash of the set of its call paths; */
    uint32_t n_paths;   /* how many these are */
    uint64_t duration;
} iteration;

typedef struct cut { /* calls, cut into iterations */
    const hd_loop_calls *calls;
    iteration           *rows; /* [n + 1] the last one only begins */
    size_t               n;
    uint32_t            *marks; /* [call paths of the tree] 0 */
} cut;

/* Without its duration. A call counts if the one of the path before it is in no part of the iteration. */
static iteration
iteration_of(const hd_loop_calls *calls, uint32_t begin, uint32_t end)
{
    iteration row = { .begin = begin };

    for (uint32_t i = begin; i < end; i++) {
        uint64_t all = -(uint64_t)(calls->previous[i] < begin + 1); /* bits, if it is the first one */

        row.structure += all & calls->hashes[calls->call_paths[i]];
        row.n_paths -= (uint32_t)all;
    }
    return row;
}

/* Whether the calls from `begin` to `end` are those of the row, one after the other. */
static bool
has_calls_of(const hd_loop_calls *calls, uint32_t begin, uint32_t end, const iteration *row)
{
    return row[1].begin - row->begin == end - begin &&
           memcmp(&calls->call_paths[begin], &calls->call_paths[row->begin], 4 * (size_t)(end - begin)) == 0;
}

/* Every step-th call of the path begins one. free() the rows */
static void
cut_at(cut *c, uint32_t call_path, uint32_t step)
{
    hd_loop_begins begins = hd_loop_last_begin(c->calls, call_path, step);
    uint32_t       end    = begins.at;

    c->rows = HD_NEW_UNSET(iteration, begins.n + 1);
    c->n    = begins.n - (begins.n > 0);
    c->rows[c->n] = (iteration){ .begin = begins.at };
    for (; hd_loop_step_back(&begins); end = begins.at) {
        iteration *row = &c->rows[begins.n - 1];
        bool       is_alike = begins.n < c->n && has_calls_of(c->calls, begins.at, end, row + 1);

        *row          = is_alike ? row[1] : iteration_of(c->calls, begins.at, end);
        row->begin    = begins.at;
        row->duration = c->calls->enters[end] - c->calls->enters[begins.at];
    }
}

/* The structure of more than half of the iterations, if there is one; any other one if not. *n: how many have it. */
static uint64_t
majority(const cut *c, size_t *n)
{
    uint64_t one  = 0;
    size_t   lead = 0;

    for (size_t i = 0; i < c->n; i++) {
        if (lead == 0)
            one = c->rows[i].structure;
        lead = c->rows[i].structure == one ? lead + 1 : lead - 1;
    }
    *n = 0;
    for (size_t i = 0; i < c->n; i++)
        *n += c->rows[i].structure == one;
    return one;
}

/* The structure of most iterations, at equal ones the smallest hash; *n: how many have it. */
static uint64_t
commonest(const cut *c, size_t *n)
{
    uint64_t best   = majority(c, n);
    hd_map   counts = { 0 };

    if (2 * *n > c->n)
        return best;
    *n = 0;
    for (size_t i = 0; i < c->n; i++) {
        uint64_t  one = c->rows[i].structure, *count;
        bool      is_new;

        count = hd_map_add(&counts, one != HD_MAP_FREE ? one : 0, &is_new);
        if (++*count > *n || (*count == *n && one < best)) {
            *n   = *count;
            best = one;
        }
    }
    hd_map_fini(&counts);
    return best;
}

/* How many of the call paths of a row another one, the usual one, has, too. */
static uint32_t
n_common(const cut *c, size_t row, uint32_t usual, uint32_t mark)
{
    uint32_t n = 0;

    for (size_t i = c->rows[row].begin; i < c->rows[row + 1].begin; i++) {
        uint32_t path = c->calls->call_paths[i];

        if (path == c->calls->n_paths || c->marks[path] == mark)
            continue;
        n += c->marks[path] >= usual;
        if (c->marks[path] >= usual)
            c->marks[path] = mark;
    }
    return n;
}

/* Durations of the iterations that have at least half of the paths that they and the usual one have. */
static size_t
alike(cut *c, uint64_t structure, size_t usual, uint64_t *durations)
{
    size_t   n = 0, before = usual; /* the last one that has other ones */
    uint32_t first_mark = (uint32_t)c->n + 2, mark = first_mark, n_before = c->rows[usual].n_paths;

    for (size_t i = c->rows[usual].begin; i < c->rows[usual + 1].begin; i++)
        if (c->calls->call_paths[i] != c->calls->n_paths)
            c->marks[c->calls->call_paths[i]] = first_mark;
    for (size_t i = 0; i < c->n; i++) {
        uint32_t common = c->rows[usual].n_paths;

        if (c->rows[i].structure != structure) {
            if (c->rows[i].structure != c->rows[before].structure) {
                n_before = n_common(c, i, first_mark, ++mark);
                before   = i;
            }
            common = n_before;
        }
        if (3 * common >= c->rows[i].n_paths + c->rows[usual].n_paths) /* 2 common >= all */
            durations[n++] = c->rows[i].duration;
    }
    return n;
}

/* The number at place k of the order, found byte by byte from the highest one on. */
static uint64_t
number_at(const uint64_t *numbers, size_t n, size_t k)
{
    uint64_t found = 0, all = 0;
    unsigned shift = 0;

    for (size_t i = 0; i < n; i++)
        all |= numbers[i];
    while (all >> shift > 255)
        shift += 8;
    for (;; shift -= 8) {
        uint32_t counts[256] = { 0 };
        uint64_t digit       = 0;

        for (size_t i = 0; i < n; i++)
            if (numbers[i] >> shift >> 8 == found)
                counts[numbers[i] >> shift & 255]++;
        for (; k >= counts[digit]; digit++)
            k -= counts[digit];
        found = found << 8 | digit;
        if (shift == 0)
            return found;
    }
}

static uint64_t
sum_without_long(const uint64_t *durations, size_t n)
{
    uint64_t most = HD_LOOP_LONG * number_at(durations, n, n / 2), sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += durations[i] < most ? durations[i] : most;
    return sum;
}

/* Of most iterations, which have this structure. */
static hd_loop_fit
fit_of(cut *c, uint64_t structure)
{
    uint64_t   *durations = HD_NEW_UNSET(uint64_t, c->n);
    size_t      usual     = 0;
    hd_loop_fit fit;

    while (c->rows[usual].structure != structure)
        usual++;
    fit = (hd_loop_fit){ sum_without_long(durations, alike(c, structure, usual, durations)),
                         (uint32_t)c->rows[usual].begin, (uint32_t)c->rows[usual + 1].begin };
    fit.cover += fit.cover / c->n; /* the last one, which has no end here */
    free(durations);
    return fit;
}

bool
hd_loop_fits(const hd_loop_calls *calls, uint32_t call_path, uint32_t step, hd_loop_fit *fit)
{
    cut      c         = { .calls = calls, .marks = HD_NEW_ARRAY(uint32_t, (size_t)calls->n_paths + 1) };
    size_t   n_usual   = 0;
    uint64_t structure = 0;
    bool     fits;

    cut_at(&c, call_path, step);
    if (c.n >= HD_LOOP_LEAST - 1)
        structure = commonest(&c, &n_usual);
    fits = n_usual >= HD_LOOP_LEAST - 1 && 2 * n_usual >= c.n;
    *fit = fits ? fit_of(&c, structure) : (hd_loop_fit){ .cover = 0 };
    free(c.rows);
    free(c.marks);
    return fits;
}

enum { /* of a call path */
    KNOWN  = 1, /* it is called between the first and the last call of the loop, */
    USUAL  = 2, /* in most iterations, */
    BEFORE = 4, /* before the first call of the loop, behind the last one that is not known; */
    BEHIND = 8  /* from the last call of the loop on, before the first one that is not known */
};

/* false: it is not known. */
static bool
mark_known(uint32_t call_path, uint8_t *marks, uint8_t mark)
{
    if ((marks[call_path] & KNOWN) == 0)
        return false;
    marks[call_path] |= mark;
    return true;
}

/* Whether there is a call of the path from `from` on, before `until`. */
static bool
is_called(const hd_loop_calls *calls, uint32_t call_path, uint32_t from, uint32_t until)
{
    uint32_t behind = calls->paths[call_path].behind;

    while (behind > until)
        behind = calls->previous[behind - 1];
    return behind > from;
}

/* The last call of the last iteration, if that one lacks call paths of most, all of which are called before the first
 * one. marks: [n_paths + 1] 0 */
static uint32_t
find_end(const hd_loop_calls *calls, uint32_t call_path, const hd_loop_fit *fit, uint8_t *marks)
{
    const uint32_t *paths = calls->call_paths;
    uint32_t        first = calls->firsts[call_path], last = calls->paths[call_path].behind - 1;
    uint32_t        end   = HD_NONE, n_missing = 0;

    for (uint32_t path = 0; path < calls->n_paths; path++)
        if (is_called(calls, path, first, last))
            marks[path] |= KNOWN;
    for (uint32_t i = fit->usual; i < fit->usual_end; i++)
        mark_known(paths[i], marks, USUAL);
    for (uint32_t i = last; i < calls->n && mark_known(paths[i], marks, BEHIND); i++)
        end = paths[i];
    for (uint32_t i = first; i > 0 && mark_known(paths[i - 1], marks, BEFORE); i--)
        ;
    for (uint32_t path = 0; path < calls->n_paths; path++) {
        if ((marks[path] & (USUAL | BEHIND)) != USUAL)
            continue;
        if ((marks[path] & BEFORE) == 0)
            return HD_NONE;
        n_missing++;
    }
    return n_missing > 0 ? end : HD_NONE;
}

/* Whether the path of the call before the first one of the loop is called between the first and the last one of it. */
static bool
is_known_before(const hd_loop_calls *calls, uint32_t call_path)
{
    uint32_t first = calls->firsts[call_path], behind = calls->paths[call_path].behind, path;

    if (behind == 0 || first == 0)
        return false;
    path = calls->call_paths[first - 1];
    return path != calls->n_paths && is_called(calls, path, first, behind - 1);
}

uint32_t
hd_loop_end(const hd_loop_calls *calls, uint32_t call_path, const hd_loop_fit *fit)
{
    uint32_t end;
    uint8_t *marks;

    if (!calls->is_whole || !is_known_before(calls, call_path)) /* nor are others then that the last iteration lacks */
        return HD_NONE;
    marks = HD_NEW_ARRAY(uint8_t, (size_t)calls->n_paths + 1);
    end   = find_end(calls, call_path, fit, marks);
    free(marks);
    return end;
}
