#include "loop_units.h"

#include <stdlib.h>

#include "memory.h"

enum { MANY = 50 /* [%] */, MOST = 90, MAX_STEP = 256 };

typedef uint32_t four __attribute__((vector_size(16), aligned(4), may_alias));
typedef uint8_t  sixteen __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint64_t two __attribute__((vector_size(16)));

static void
read_units(hd_loop_units *units, size_t n)
{
    const uint32_t *with = units->calls->records.with;

    hd_loop_records_read(&units->calls->records, units->begins[n]);
    for (size_t i = units->n_read; i < n; i++)
        units->with[i] = with[units->begins[i + 1]] - with[units->begins[i]];
    units->n_read = n;
}

/* So many units may differ from those `step` before them. */
static size_t
most_differ(const hd_loop_units *units, size_t step)
{
    return (units->n - step) * (step == 1 ? 100 - MANY : 100 - MOST) / 100;
}

/* Whether those from i on, up to n, matter: fewer than so many differ before, and more can. */
static inline bool
do_matter(size_t i, size_t n, size_t n_differ, size_t most)
{
    return i < n && n_differ <= most && n - i > most - n_differ;
}

enum { TOGETHER = 32 /* a byte holds how many are equal */ };

/* How many of these lengths are other ones than those `step` before them. */
static inline size_t
n_other_lengths(const uint8_t *lengths, size_t step)
{
    sixteen equal = { 0 };
    two     sums;

#pragma GCC unroll 2
    for (size_t i = 0; i < TOGETHER; i += sizeof equal)
        equal -= (sixteen)(*(const sixteen *)&lengths[i] == *(const sixteen *)(&lengths[i] - step));
    sums = (two)equal;
    return TOGETHER - ((sums[0] + sums[1]) * UINT64_C(0x0101010101010101) >> 56);
}

/* Whether most hold as many calls as those `step` before them: as far as a byte says. */
static bool
have_lengths_again(const hd_loop_units *units, size_t step)
{
    size_t n = units->n, n_differ = 0, i = step, most = most_differ(units, step);

    for (; i + TOGETHER <= n && do_matter(i, n, n_differ, most); i += TOGETHER)
        n_differ += n_other_lengths(&units->lengths[i], step);
    for (; do_matter(i, n, n_differ, most); i++)
        n_differ += units->lengths[i] != units->lengths[i - step];
    return n_differ <= most;
}

/* Whether most communicate with the same ones as those `step` before them, as far as the first `until` of them say. */
static bool
communicate_again(hd_loop_units *units, size_t step, size_t until)
{
    size_t          n    = units->n, n_differ = 0, i = step, most = most_differ(units, step);
    const uint32_t *with = units->with;

    while (i < until && do_matter(i, n, n_differ, most)) {
        size_t end = i + 16 < n ? i + 16 : n;

        if (units->n_read < end)
            read_units(units, end);
        if (end - i == 16) {
            four equal = { 0 };

#pragma GCC unroll 4
            for (size_t k = i; k < i + 16; k += 4)
                equal += (four)(*(const four *)&with[k] == *(const four *)&with[k - step]); /* -1 each */
            n_differ += 16 + (size_t)(int32_t)(equal[0] + equal[1] + equal[2] + equal[3]);
            i = end;
        }
        for (; i < end; i++)
            n_differ += with[i] != with[i - step];
    }
    return n_differ <= most;
}

uint64_t
hd_loop_most(const hd_loop_calls *calls, uint32_t call_path, uint32_t step)
{
    hd_loop_begins begins = hd_loop_last_begin(calls, call_path, step);
    uint64_t       span;

    if (begins.n <= 1)
        return 0;
    span = calls->enters[begins.at] - calls->enters[calls->firsts[call_path]];
    return span + span / (begins.n - 1);
}

typedef struct unit_times { /* [ticks] */
    uint64_t a_short;       /* a short one */
    size_t   n_longer;      /* than that */
    size_t   n_alone;       /* hold nothing but calls of the path, */
    uint64_t longest_alone; /* and the longest of them */
} unit_times;

/* The least of what is known of n units. Where less than a quarter is longer than a short one, that is the most that
 * the median is of those that are alike, half of them or more. Where more than half hold calls of the path alone, these
 * are the usual ones, and all of them are alike: the median is no longer than the longest of them. */
static uint64_t
most_of_short(const unit_times *of, size_t n, uint64_t most)
{
    uint64_t sum = UINT64_MAX;

    if (4 * of->n_longer < n)
        sum = of->a_short * n + HD_LOOP_LONG * of->a_short * of->n_longer;
    if (2 * of->n_alone > n && of->longest_alone <= of->a_short && HD_LOOP_LONG * of->longest_alone * n < sum)
        sum = HD_LOOP_LONG * of->longest_alone * n;
    return sum < most && sum + sum / n < most ? sum + sum / n : most;
}

hd_loop_units
hd_loop_units_of(hd_loop_calls *calls, uint32_t call_path, uint32_t each)
{
    hd_loop_begins  last     = hd_loop_last_begin(calls, call_path, each);
    size_t          n        = last.n - (last.n > 0); /* the last one goes on to the end */
    uint64_t        most     = hd_loop_most(calls, call_path, each);
    unit_times      of       = { .a_short = n > 0 ? most / (2 * HD_LOOP_LONG * n) : 0 };
    uint32_t       *begins   = HD_NEW_UNSET(uint32_t, n + 1), begin = last.at;
    uint8_t        *lengths  = HD_NEW_UNSET(uint8_t, n + 1);
    const hd_time  *enters   = calls->enters;
    const uint32_t *previous = calls->previous;

    begins[n] = begin;
    for (size_t i = n; i-- > 0;) {
        uint32_t end = begin;
        uint64_t length;

        begin      = hd_loop_back(previous, end, each);
        length     = enters[end] - enters[begin];
        begins[i]  = begin;
        lengths[i] = (uint8_t)(end - begin);
        of.n_longer += length > of.a_short;
        if (end - begin != each)
            continue;
        of.n_alone++;
        of.longest_alone = length > of.longest_alone ? length : of.longest_alone;
    }
    return (hd_loop_units){ .calls = calls, .n = n, .begins = begins, .lengths = lengths,
                            .with = HD_NEW_UNSET(uint32_t, n + 1), .most = most_of_short(&of, n, most) };
}

void
hd_loop_units_fini(hd_loop_units *units)
{
    free(units->begins);
    free(units->with);
    free(units->lengths);
    *units = (hd_loop_units){ .n = 0 };
}

static size_t
longest_step(const hd_loop_units *units)
{
    return units->n / HD_LOOP_LEAST < MAX_STEP ? units->n / HD_LOOP_LEAST : MAX_STEP;
}

bool
hd_loop_may_step(hd_loop_units *units, uint32_t n)
{
    for (size_t step = 2, last = longest_step(units); step <= last; step++)
        if (n % step == 0 && have_lengths_again(units, step) && communicate_again(units, step, units->n / 2))
            return true;
    return false;
}

uint32_t
hd_loop_step(hd_loop_units *units)
{
    for (size_t step = 1, last = longest_step(units); step <= last; step++)
        if (have_lengths_again(units, step) && communicate_again(units, step, units->n))
            return (uint32_t)step;
    return 1;
}
