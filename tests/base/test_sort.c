/* tests/base/test_sort.c: what is nearly in order, and what is not, comes out in order, by number, too, and nothing is
 * lost. */
#include "check.h"
#include "random_numbers.h"
#include "sort.h"

#define N 4000

static size_t n_compared;

static int
compare_values(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;

    n_compared++;
    return *a < *b ? -1 : *a > *b;
}

/* The numbers 0 to n - 1, each moved by `distance` places at most. */
static void
fill(uint32_t *values, size_t n, uint32_t distance, uint64_t seed)
{
    for (size_t i = 0; i < n; i++)
        values[i] = (uint32_t)i;
    for (size_t i = 0; i + distance < n && distance > 0; i += distance + 1) {
        size_t   other = i + random_below(&seed, distance + 1);
        uint32_t value = values[i];

        values[i]     = values[other];
        values[other] = value;
    }
}

static size_t
n_wrong(const uint32_t *values, size_t n)
{
    size_t wrong = 0;

    for (size_t i = 0; i < n; i++)
        wrong += values[i] != i;
    return wrong;
}

TEST(what_is_nearly_in_order_is_sorted_with_few_comparisons)
{
    uint32_t values[N];

    for (uint32_t distance = 0; distance < 5; distance++) {
        fill(values, N, distance, 11 + distance);
        n_compared = 0;
        HD_SORT_NEARLY(uint32_t, values, N, compare_values);
        CHECK(n_wrong(values, N) == 0);
        CHECK(n_compared <= (HD_SORT_MAX_MOVES + 1) * N);
    }
}

TEST(what_is_far_from_order_is_sorted_as_fast_as_qsort_does)
{
    uint32_t values[N];
    uint64_t seed = 7;

    for (size_t i = 0; i < N; i++)
        values[i] = (uint32_t)(N - 1 - i);
    n_compared = 0;
    HD_SORT_NEARLY(uint32_t, values, N, compare_values);
    CHECK(n_wrong(values, N) == 0);
    CHECK(n_compared < (size_t)N * N / 16); /* insertion alone takes half of N squared */
    fill(values, N, 0, 0);
    for (size_t i = N - 1; i > 0; i--) {
        size_t   other = random_below(&seed, (uint32_t)i + 1);
        uint32_t value = values[i];

        values[i]     = values[other];
        values[other] = value;
    }
    HD_SORT_NEARLY(uint32_t, values, N, compare_values);
    CHECK(n_wrong(values, N) == 0);
}

/* Every third one comes 300 places late, a few even later; the others stand in order. */
TEST(two_sequences_one_into_the_other_are_sorted_with_few_comparisons)
{
    uint32_t values[N];
    size_t   n = 0, late = 2;

    for (uint32_t i = 0; i < N; i++) {
        if (i % 3 != 2)
            values[n++] = i;
        if (late + 300 < i) {
            values[n++] = (uint32_t)late;
            late += 3;
        }
    }
    for (; late < N; late += 3)
        values[n++] = (uint32_t)late;
    CHECK_EQ(n, N);
    n_compared = 0;
    HD_SORT_NEARLY(uint32_t, values, N, compare_values);
    CHECK(n_wrong(values, N) == 0);
    CHECK(n_compared <= 4 * N);
}

TEST(one_that_is_far_too_early_does_no_harm)
{
    uint32_t values[N];

    values[0] = N - 1;
    for (uint32_t i = 1; i < N; i++)
        values[i] = i - 1;
    n_compared = 0;
    HD_SORT_NEARLY(uint32_t, values, N, compare_values);
    CHECK(n_wrong(values, N) == 0);
    CHECK(n_compared <= 4 * N);
}

typedef struct numbered {
    uint64_t key;
    uint32_t number;
} numbered;

static uint64_t
key_of(const numbered *element)
{
    return element->key;
}

TEST(keys_are_sorted_and_equal_ones_stay_in_their_order)
{
    static const unsigned shifts[] = { 0, 20, 40, 56, 63 }; /* bytes in which the keys differ: all, to one, to one
                                                             * bit */
    numbered              elements[1000] = { 0 };
    uint64_t              seed = 3;
    size_t                wrong = 0;

    for (size_t k = 0; k < sizeof shifts / sizeof *shifts; k++)
        for (uint32_t n = 0; n <= 1000; n += n < 35 ? 1 : 193) {
            uint64_t sum = 0;

            for (uint32_t i = 0; i < n; i++) {
                elements[i] = (numbered){ .key = random_next(&seed) >> shifts[k] << shifts[k] / 2, .number = i };
                sum += elements[i].key;
            }
            HD_SORT_BY_KEY(numbered, elements, n, key_of);
            for (uint32_t i = 0; i < n; i++) {
                sum -= elements[i].key;
                wrong += i > 0 && (elements[i - 1].key > elements[i].key ||
                                   (elements[i - 1].key == elements[i].key &&
                                    elements[i - 1].number > elements[i].number));
            }
            CHECK(sum == 0);
        }
    CHECK_EQ(wrong, 0);
}

TEST(none_one_and_two_elements_are_sorted)
{
    uint32_t two[] = { 1, 0 };

    HD_SORT_NEARLY(uint32_t, two, 0, compare_values);
    HD_SORT_NEARLY(uint32_t, two, 1, compare_values);
    CHECK(two[0] == 1 && two[1] == 0);
    HD_SORT_NEARLY(uint32_t, two, 2, compare_values);
    CHECK(n_wrong(two, 2) == 0);
}

TEST_MAIN
