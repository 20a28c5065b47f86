/* tests/base/test_memory.c: arrays that grow, a pool, text, memory that goes back to the system. */
#include <inttypes.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "memory.h"
#include "random_numbers.h"
#include "status.h"

TEST(a_growing_array_keeps_what_is_in_it)
{
    uint32_t *numbers = NULL;
    size_t    n = 0, capacity = 0, n_moves = 0, before = 0;
    uint32_t  wrong = 0;

    for (uint32_t i = 0; i < 100000; i++) {
        HD_PUSH(numbers, n, capacity, i * 7);
        n_moves += capacity != before;
        before = capacity;
    }
    for (uint32_t i = 0; i < n; i++)
        wrong += numbers[i] != i * 7;
    CHECK_EQ(n, 100000);
    CHECK_EQ(wrong, 0);
    CHECK(n_moves < 40); /* by half each time */
    free(numbers);
}

TEST(an_array_with_room_is_not_moved)
{
    size_t capacity = 4;
    int   *array    = HD_NEW_ARRAY(int, capacity);

    CHECK(hd_grow(array, 3, &capacity, sizeof *array) == array);
    CHECK_EQ(capacity, 4);
    free(array);
}

TEST(a_packed_array_keeps_what_is_in_it)
{
    static const size_t sizes[] = { 0, 1, 1000, 20000 }; /* the last one is a large block */

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        uint32_t *numbers = HD_NEW_UNSET(uint32_t, 50000);
        size_t    wrong   = 0;

        for (uint32_t i = 0; i < 50000; i++)
            numbers[i] = i * 7;
        numbers = hd_pack(numbers, sizes[k], sizeof *numbers);
        CHECK((numbers != NULL) == (sizes[k] > 0));
        for (uint32_t i = 0; i < sizes[k]; i++)
            wrong += numbers[i] != i * 7;
        CHECK_EQ(wrong, 0);
        free(numbers);
    }
}

enum { BLOCK_BYTES = 1000, MANY_BLOCKS = 64 * 1024 };

/* Takes n blocks and frees all but the last one, so that the C library keeps what is free. */
static void *
leave_gaps(size_t n)
{
    char **blocks = HD_NEW_ARRAY(char *, n), *last;

    for (size_t i = 0; i < n; i++) {
        blocks[i] = hd_realloc(NULL, BLOCK_BYTES, 1);
        memset(blocks[i], 1, BLOCK_BYTES);
    }
    last = blocks[n - 1];
    for (size_t i = 0; i + 1 < n; i++)
        free(blocks[i]);
    free(blocks);
    return last;
}

static uint64_t
resident_pages(void)
{
    FILE    *file = fopen("/proc/self/statm", "r");
    uint64_t size = 0, resident = 0;

    if (file == NULL)
        return 0;
    if (fscanf(file, "%" SCNu64 " %" SCNu64, &size, &resident) != 2)
        resident = 0;
    fclose(file);
    return resident;
}

TEST(gaps_go_back_near_the_peak_only)
{
    void    *first = leave_gaps(MANY_BLOCKS), *second;
    uint64_t peak = resident_pages(), rest, gaps;

    hd_give_back();
    rest   = resident_pages();
    second = leave_gaps(MANY_BLOCKS / 2);
    gaps   = resident_pages();
    hd_give_back();
    CHECK_EQ(*(char *)first, 1);
    CHECK_EQ(*(char *)second, 1);
    if (rest < peak / 2) /* the C library can do it */
        CHECK(resident_pages() + 1000 > gaps);
    free(first);
    free(second);
}

TEST(new_memory_is_zero)
{
    uint8_t *bytes = HD_NEW_ARRAY(uint8_t, 5000);
    int      sum   = 0;

    for (int i = 0; i < 5000; i++)
        sum += bytes[i];
    CHECK_EQ(sum, 0);
    free(bytes);
}

TEST(memory_apart_is_zero_and_shares_no_cache_line)
{
    enum { N = 20, LINE = 64 };
    char *blocks[N];

    for (size_t i = 0; i < N; i++) {
        blocks[i] = hd_alloc_apart(i, 9);
        CHECK((uintptr_t)blocks[i] % LINE == 0);
        for (size_t k = 0; k < 9 * i; k++)
            CHECK(blocks[i][k] == 0);
        memset(blocks[i], 1, 9 * i);
    }
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < N; k++)
            CHECK(i == k || blocks[k] < blocks[i] || blocks[k] >= blocks[i] + (9 * i / LINE + 1) * LINE);
    for (size_t i = 0; i < N; i++)
        free(blocks[i]);
}

TEST(no_elements_are_memory_that_can_be_freed)
{
    void *none = hd_alloc(0, 8), *empty = hd_realloc(NULL, 0, 8);

    CHECK(none != NULL);
    CHECK(empty != NULL);
    free(none);
    free(empty);
}

static void
too_many_elements(void)
{
    free(hd_realloc(NULL, SIZE_MAX / 4, 8));
}

static void
too_many_zeroed_elements(void)
{
    free(hd_alloc(SIZE_MAX / 4, 8));
}

static int
exit_status_of(void (*run)(void))
{
    pid_t child;
    int   status = 0;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stderr) == NULL)
            _exit(99);
        run();
        _exit(0);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(sizes_that_overflow_end_the_run)
{
    CHECK_EQ(exit_status_of(too_many_elements), 1);
    CHECK_EQ(exit_status_of(too_many_zeroed_elements), 1);
}

typedef struct element {
    uint64_t value[5];
} element;

TEST(elements_of_a_pool_do_not_overlap)
{
    enum { N = 20000 };
    static element *in_use[N];
    hd_pool         pool;
    uint64_t        seed = 4;
    uint32_t        n = 0, wrong = 0;

    hd_pool_init(&pool, sizeof(element));
    for (uint32_t step = 0; step < 3 * N; step++)
        if (n < N && (n == 0 || random_below(&seed, 3) > 0)) {
            in_use[n] = hd_pool_take(&pool);
            for (int i = 0; i < 5; i++)
                in_use[n]->value[i] = (uint64_t)(uintptr_t)in_use[n] + (uint64_t)i;
            n++;
        } else {
            uint32_t which = random_below(&seed, n);

            for (int i = 0; i < 5; i++)
                wrong += in_use[which]->value[i] != (uint64_t)(uintptr_t)in_use[which] + (uint64_t)i;
            hd_pool_put(&pool, in_use[which]);
            in_use[which] = in_use[--n];
        }
    for (uint32_t which = 0; which < n; which++)
        for (int i = 0; i < 5; i++)
            wrong += in_use[which]->value[i] != (uint64_t)(uintptr_t)in_use[which] + (uint64_t)i;
    CHECK_EQ(wrong, 0);
    hd_pool_fini(&pool);
}

TEST(an_element_that_was_put_back_is_taken_next)
{
    hd_pool pool;
    void   *first, *second;

    hd_pool_init(&pool, 3); /* smaller than a pointer: rounded up */
    first  = hd_pool_take(&pool);
    second = hd_pool_take(&pool);
    CHECK(first != second);
    CHECK((uintptr_t)second % 8 == 0);
    hd_pool_put(&pool, first);
    CHECK(hd_pool_take(&pool) == first);
    hd_pool_fini(&pool);
}

TEST(elements_of_every_size_have_their_place_in_a_pool)
{
    for (size_t bytes = 1; bytes < 20000; bytes = bytes * 3 / 2 + 1) {
        hd_pool pool;

        hd_pool_init(&pool, bytes);
        for (int i = 0; i < 10; i++)
            memset(hd_pool_take(&pool), i, bytes);
        hd_pool_fini(&pool);
        CHECK(pool.slabs == NULL);
    }
}

TEST(text_is_as_long_as_it_needs_to_be)
{
    char *empty = hd_format("%s", ""), *words = hd_format("%d of %s", 3, "17"), *wide = hd_format("%5000d", 1);
    char *copy = hd_strdup("text");

    CHECK_STR(empty, "");
    CHECK_STR(words, "3 of 17");
    CHECK_EQ(strlen(wide), 5000);
    CHECK_STR(copy, "text");
    free(empty);
    free(words);
    free(wide);
    free(copy);
}

TEST_MAIN
