/* src/profile/loop/loop_calls.c: what iterations hold is compared by a hash of the set of their call paths; only those
 * that differ from the commonest one are looked at call by call. */
#include "loop_calls.h"

#include <stdlib.h>

#include "map.h"
#include "memory.h"

enum { LONG = 4 /* medians */, MANY = 50 /* [%] */, MOST = 90, MAX_STEP = 256 };

static uint64_t
hash(uint64_t value)
{
    value = (value + 1) * UINT64_C(0x9E3779B97F4A7C15);
    value = (value ^ (value >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    return value ^ (value >> 27);
}

uint32_t *
hd_loop_paths(const hd_loaded_location *location, const uint32_t *map)
{
    uint32_t *paths = HD_NEW_UNSET(uint32_t, (size_t)location->n_nodes + 1);

    for (uint32_t i = 0; i < location->n_nodes; i++) {
        uint32_t node = location->map != NULL ? location->map[i] : i;

        paths[i] = node != HD_NONE ? map[node] : HD_NONE;
    }
    return paths;
}

/* Takes all records of the call. */
static uint64_t
with_whom(const hd_oplog *log, hd_cursor *cursor, uint32_t path)
{
    uint64_t own = hash(path), with = own;

    while (cursor->n_left > 0) {
        hd_op    op    = { .channel = HD_NONE };
        uint64_t other = 0;

        hd_cursor_op(cursor, &op);
        if (op.kind <= HD_OP_COLL)
            other = (uint64_t)log->channels[op.channel].comm << 32 | log->channels[op.channel].peer;
        else if (op.kind == HD_OP_RMA)
            other = op.root;
        with += hash(own ^ hash(other << 3 | op.kind));
    }
    return with;
}

hd_loop_calls
hd_loop_calls_read(const hd_loaded_process *process, const uint32_t *map)
{
    hd_loop_calls             calls    = { .is_whole = true };
    const hd_loaded_location *location = &process->locations[0];
    uint32_t                 *paths    = hd_loop_paths(location, map);
    hd_cursor                 cursor;

    calls.capacity = location->log.n_calls < HD_LOOP_MAX_CALLS ? location->log.n_calls : HD_LOOP_MAX_CALLS;
    calls.calls    = HD_NEW_UNSET(hd_loop_call, calls.capacity + 1);
    hd_cursor_init(&cursor, &location->log);
    while (calls.is_whole && hd_cursor_call(&cursor)) {
        uint32_t path = paths[cursor.call.call_path];

        HD_PUSH(calls.calls, calls.n, calls.capacity,
                ((hd_loop_call){ cursor.call.enter, cursor.call.leave, path,
                                 with_whom(&location->log, &cursor, path) }));
        calls.is_whole = calls.n < HD_LOOP_MAX_CALLS;
    }
    free(paths);
    return calls;
}

void
hd_loop_calls_fini(hd_loop_calls *calls)
{
    free(calls->calls);
    *calls = (hd_loop_calls){ .calls = NULL };
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
    size_t               n, capacity;
    uint32_t            *marks; /* [call paths of the tree] number of the iteration that had it last, from 1 */
} cut;

uint32_t
hd_loop_step(const hd_loop_calls *calls, uint32_t call_path, uint32_t each)
{
    uint64_t *with = HD_NEW_UNSET(uint64_t, calls->n + 1);
    size_t    n    = 0, n_calls = 0, step;
    uint64_t  sum  = 0; /* of the iteration that is read */

    for (size_t i = 0; i < calls->n; i++) {
        if (calls->calls[i].call_path == call_path && n_calls++ % each == 0) {
            if (n > 0)
                with[n - 1] = sum;
            n++;
            sum = 0;
        }
        sum += calls->calls[i].with;
    }
    n -= n > 0; /* the last one goes on to the end */
    for (step = 1; step <= n / HD_LOOP_LEAST && step <= MAX_STEP; step++) {
        size_t n_equal = 0;

        for (size_t i = step; i < n; i++)
            n_equal += with[i] == with[i - step];
        if (100 * n_equal >= (step == 1 ? MANY : MOST) * (n - step))
            break;
    }
    free(with);
    return step <= n / HD_LOOP_LEAST && step <= MAX_STEP ? (uint32_t)step : 1;
}

static void
cut_at(cut *c, uint32_t call_path, uint32_t step)
{
    const hd_loop_call *calls = c->calls->calls, *end = calls + c->calls->n;
    uint32_t           *marks = c->marks, mark = 0; /* in registers */
    iteration          *row   = NULL;
    size_t              n     = 0;

    for (const hd_loop_call *call = calls; call < end; call++) {
        uint32_t path = call->call_path;

        if (path == call_path && n++ % step == 0) {
            if (row != NULL)
                row->duration = call->enter - calls[row->begin].enter;
            HD_PUSH(c->rows, c->n, c->capacity, ((iteration){ .begin = (size_t)(call - calls) }));
            row  = &c->rows[c->n - 1];
            mark = (uint32_t)c->n;
        }
        if (row == NULL || path == HD_NONE || marks[path] == mark)
            continue;
        marks[path] = mark;
        row->structure += hash(path);
        row->n_paths++;
    }
    c->n -= c->n > 0;
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

/* How many of the call paths of a row another one, the usual one, has, too. Marks are above those of cut_at(). */
static uint32_t
n_common(const cut *c, size_t row, uint32_t usual, uint32_t mark)
{
    uint32_t n = 0;

    for (size_t i = c->rows[row].begin; i < c->rows[row + 1].begin; i++) {
        uint32_t path = c->calls->calls[i].call_path;

        if (path == HD_NONE || c->marks[path] == mark)
            continue;
        n += c->marks[path] >= usual;
        if (c->marks[path] >= usual)
            c->marks[path] = mark;
    }
    return n;
}

/* Durations of the iterations that have at least half of the paths that they and the usual one have. */
static size_t
alike(cut *c, uint64_t structure, uint64_t *durations)
{
    size_t   usual = 0, n = 0;
    uint32_t first_mark = (uint32_t)c->n + 2, mark = first_mark;

    while (c->rows[usual].structure != structure)
        usual++;
    for (size_t i = c->rows[usual].begin; i < c->rows[usual + 1].begin; i++)
        if (c->calls->calls[i].call_path != HD_NONE)
            c->marks[c->calls->calls[i].call_path] = first_mark;
    for (size_t i = 0; i < c->n; i++) {
        uint32_t common = c->rows[i].structure == structure ? c->rows[i].n_paths : n_common(c, i, first_mark, ++mark);

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
        size_t   counts[256] = { 0 };
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
    uint64_t most = LONG * number_at(durations, n, n / 2), sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += durations[i] < most ? durations[i] : most;
    return sum;
}

bool
hd_loop_fits(const hd_loop_calls *calls, uint32_t call_path, uint32_t step, uint32_t n_paths, uint64_t *cover)
{
    cut       c         = { .calls = calls, .marks = HD_NEW_ARRAY(uint32_t, (size_t)n_paths + 1) };
    size_t    n_usual   = 0;
    uint64_t  structure = 0, *durations;

    *cover = 0;
    cut_at(&c, call_path, step);
    if (c.n >= HD_LOOP_LEAST - 1)
        structure = commonest(&c, &n_usual);
    if (n_usual < HD_LOOP_LEAST - 1 || 2 * n_usual < c.n) {
        free(c.rows);
        free(c.marks);
        return false;
    }
    durations = HD_NEW_UNSET(uint64_t, c.n);
    *cover    = sum_without_long(durations, alike(&c, structure, durations));
    *cover += *cover / c.n; /* the last one, which has no end here */
    free(durations);
    free(c.rows);
    free(c.marks);
    return true;
}

enum { /* of a call path */
    KNOWN  = 1, /* it is called between the first and the last call of the loop, */
    USUAL  = 2, /* in most iterations, */
    BEFORE = 4, /* before the first call of the loop, behind the last one that is not known; */
    BEHIND = 8  /* from the last call of the loop on, before the first one that is not known */
};

/* false: it is not known. */
static bool
mark_known(const hd_loop_call *call, uint8_t *marks, uint8_t mark)
{
    if (call->call_path == HD_NONE || (marks[call->call_path] & KNOWN) == 0)
        return false;
    marks[call->call_path] |= mark;
    return true;
}

/* The last call of the last iteration, if that one lacks call paths of most, all of which are called before the first
 * one. marks: [n_paths] 0 */
static uint32_t
find_end(const cut *c, uint8_t *marks, uint32_t n_paths)
{
    const hd_loop_call *calls = c->calls->calls;
    size_t              first = c->rows[0].begin, last = c->rows[c->n].begin, usual = 0, n;
    uint64_t            structure = commonest(c, &n);
    uint32_t            end = HD_NONE, n_missing = 0;

    while (c->rows[usual].structure != structure)
        usual++;
    for (size_t i = first; i < last; i++)
        if (calls[i].call_path != HD_NONE)
            marks[calls[i].call_path] |= KNOWN;
    for (size_t i = c->rows[usual].begin; i < c->rows[usual + 1].begin; i++)
        mark_known(&calls[i], marks, USUAL);
    for (size_t i = last; i < c->calls->n && mark_known(&calls[i], marks, BEHIND); i++)
        end = calls[i].call_path;
    for (size_t i = first; i > 0 && mark_known(&calls[i - 1], marks, BEFORE); i--)
        ;
    for (uint32_t path = 0; path < n_paths; path++) {
        if ((marks[path] & (USUAL | BEHIND)) != USUAL)
            continue;
        if ((marks[path] & BEFORE) == 0)
            return HD_NONE;
        n_missing++;
    }
    return n_missing > 0 ? end : HD_NONE;
}

uint32_t
hd_loop_end(const hd_loop_calls *calls, uint32_t call_path, uint32_t n_paths)
{
    cut      c     = { .calls = calls, .marks = HD_NEW_ARRAY(uint32_t, (size_t)n_paths + 1) };
    uint8_t *marks = HD_NEW_ARRAY(uint8_t, (size_t)n_paths + 1);
    uint32_t end   = HD_NONE;

    cut_at(&c, call_path, 1);
    if (c.n > 0 && calls->is_whole)
        end = find_end(&c, marks, n_paths);
    free(c.rows);
    free(c.marks);
    free(marks);
    return end;
}
