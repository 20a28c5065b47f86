/* tests/base/test_scratch.c: blocks in files keep what is in them, whatever is dropped; no space is an error. */
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bytes.h"
#include "check.h"
#include "random_numbers.h"
#include "scratch.h"

#define LIMIT (UINT64_C(1) << 40) /* nothing is dropped, unless a test does */

static hd_scratch *
opened(void)
{
    hd_scratch *scratch = NULL;

    CHECK_EQ(hd_scratch_open(".", LIMIT, &scratch), HD_OK);
    return scratch;
}

static void
fill(uint32_t *numbers, size_t n, uint32_t first)
{
    for (size_t i = 0; i < n; i++)
        numbers[i] = first + (uint32_t)i * 7;
}

static size_t
n_wrong(const uint32_t *numbers, size_t n, uint32_t first)
{
    size_t wrong = 0;

    for (size_t i = 0; i < n; i++)
        wrong += numbers[i] != first + (uint32_t)i * 7;
    return wrong;
}

static size_t
n_files(void)
{
    DIR   *folder = opendir(".");
    size_t n      = 0;

    REQUIRE(folder != NULL);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        n += strncmp(entry->d_name, "heddle-", 7) == 0;
    closedir(folder);
    return n;
}

TEST(without_a_scratch_blocks_are_in_the_heap)
{
    uint32_t *numbers = hd_scratch_alloc(NULL, 10, sizeof *numbers);

    numbers = hd_scratch_realloc(NULL, numbers, 20, sizeof *numbers);
    numbers = hd_scratch_pack(NULL, numbers, 15, sizeof *numbers);
    CHECK_EQ(numbers[9], 0);
    hd_scratch_free(NULL, numbers);
    CHECK_EQ(hd_scratch_stats_get(NULL).file_bytes, 0);
    CHECK_EQ(hd_scratch_check(NULL), HD_OK);
    hd_scratch_close(NULL);
}

TEST(what_is_dropped_comes_back)
{
    static const size_t sizes[] = { 1, 10, 1000, 50000, 300000, 5000000 };
    enum { N = sizeof sizes / sizeof *sizes };
    hd_scratch *scratch = opened();
    uint32_t   *blocks[N];

    for (size_t i = 0; i < N; i++) {
        blocks[i] = hd_scratch_realloc(scratch, NULL, sizes[i], sizeof(uint32_t));
        CHECK_EQ((uintptr_t)blocks[i] % 16, 0);
        fill(blocks[i], sizes[i], (uint32_t)i);
    }
    hd_scratch_drop(scratch);
    for (size_t i = 0; i < N; i++)
        CHECK_EQ(n_wrong(blocks[i], sizes[i], (uint32_t)i), 0);
    CHECK_EQ(hd_scratch_stats_get(scratch).n_drops, 1);
    for (size_t i = 0; i < N; i++)
        hd_scratch_free(scratch, blocks[i]);
    hd_scratch_close(scratch);
}

TEST(new_blocks_are_zero)
{
    static const size_t sizes[] = { 100, 400000 };
    hd_scratch         *scratch = opened();

    for (size_t k = 0; k < 4; k++) {
        size_t    n       = sizes[k / 2];
        uint32_t *numbers = hd_scratch_alloc(scratch, n, sizeof *numbers);
        uint64_t  sum     = 0;

        for (size_t i = 0; i < n; i++)
            sum += numbers[i];
        CHECK_EQ(sum, 0);
        fill(numbers, n, 1); /* the second one gets the same place */
        hd_scratch_free(scratch, numbers);
    }
    hd_scratch_close(scratch);
}

TEST(a_growing_array_keeps_what_is_in_it)
{
    hd_scratch *scratch = opened();
    uint32_t   *numbers = NULL, *others = NULL;
    size_t      n = 0, capacity = 0, n_others = 0, capacity_others = 0;

    for (uint32_t i = 0; i < 2000000; i++) {
        HD_SCRATCH_PUSH(scratch, numbers, n, capacity, 5 + i * 7);
        if (i % 3 == 0)
            HD_SCRATCH_PUSH(scratch, others, n_others, capacity_others, 9 + i / 3 * 7);
        if (i % 500000 == 0)
            hd_scratch_drop(scratch);
    }
    numbers = hd_scratch_pack(scratch, numbers, n, sizeof *numbers);
    CHECK_EQ(n_wrong(numbers, n, 5), 0);
    CHECK_EQ(n_wrong(others, n_others, 9), 0);
    hd_scratch_free(scratch, numbers);
    hd_scratch_free(scratch, others);
    hd_scratch_close(scratch);
}

TEST(a_packed_block_keeps_what_is_in_it)
{
    static const size_t sizes[] = { 1, 1000, 100000, 300000, 600000 };
    hd_scratch         *scratch = opened();

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        uint32_t *numbers = hd_scratch_realloc(scratch, NULL, 1000, sizeof *numbers);

        numbers = hd_scratch_realloc(scratch, numbers, 600000, sizeof *numbers);
        fill(numbers, 600000, 3);
        numbers = hd_scratch_pack(scratch, numbers, sizes[k], sizeof *numbers);
        hd_scratch_drop(scratch);
        CHECK_EQ(n_wrong(numbers, sizes[k], 3), 0);
        hd_scratch_free(scratch, numbers);
    }
    CHECK(hd_scratch_pack(scratch, NULL, 0, 4) == NULL);
    hd_scratch_close(scratch);
}

TEST(space_of_large_blocks_goes_back_and_that_of_small_ones_is_used_again)
{
    hd_scratch *scratch = opened();
    uint64_t    before, peak;

    hd_scratch_free(scratch, hd_scratch_alloc(scratch, 1000, 1));
    before = hd_scratch_stats_get(scratch).file_bytes;
    for (int i = 0; i < 100; i++) {
        hd_scratch_free(scratch, hd_scratch_alloc(scratch, 3 << 20, 1));
        hd_scratch_free(scratch, hd_scratch_alloc(scratch, 1000, 1));
    }
    peak = hd_scratch_stats_get(scratch).peak_file_bytes;
    CHECK_EQ(hd_scratch_stats_get(scratch).file_bytes, before);
    CHECK(peak > before + (3 << 20) && peak < before + (4 << 20));
    hd_scratch_close(scratch);
}

TEST(blocks_do_not_overlap)
{
    enum { N = 3000 };
    static uint32_t *blocks[N];
    static size_t    sizes[N];
    hd_scratch      *scratch = opened();
    uint64_t         seed    = 7;
    size_t           wrong   = 0;

    for (uint32_t step = 0; step < 5 * N; step++) {
        uint32_t i = (uint32_t)random_below(&seed, N);

        if (blocks[i] != NULL)
            wrong += n_wrong(blocks[i], sizes[i], i);
        hd_scratch_free(scratch, blocks[i]);
        sizes[i]  = 1 + (size_t)random_below(&seed, 1000);
        blocks[i] = hd_scratch_realloc(scratch, NULL, sizes[i], sizeof(uint32_t));
        fill(blocks[i], sizes[i], i);
    }
    CHECK_EQ(wrong, 0);
    hd_scratch_close(scratch);
}

TEST(a_run_of_bytes_keeps_its_scratch)
{
    hd_scratch    *scratch = opened();
    hd_bytes       bytes   = { .scratch = scratch };
    const uint8_t *at;
    size_t         wrong = 0;

    for (int round = 0; round < 2; round++) {
        for (uint64_t i = 0; i < 400000; i++)
            hd_bytes_put_number(&bytes, i * i);
        hd_bytes_pack(&bytes);
        hd_scratch_drop(scratch);
        CHECK_EQ(bytes.capacity, bytes.n);
        at = bytes.data;
        for (uint64_t i = 0; i < 400000; i++)
            wrong += hd_bytes_get_number(&at) != i * i;
        CHECK(at == bytes.data + bytes.n);
        hd_bytes_fini(&bytes);
    }
    CHECK_EQ(wrong, 0);
    CHECK(bytes.scratch == scratch);
    hd_scratch_close(scratch);
}

TEST(the_keeper_drops_above_the_limit)
{
    hd_scratch *scratch = NULL;
    uint32_t   *numbers;

    CHECK_EQ(hd_scratch_open(".", 1, &scratch), HD_OK);
    numbers = hd_scratch_realloc(scratch, NULL, 10000000, sizeof *numbers);
    for (int round = 0; round < 100 && hd_scratch_stats_get(scratch).n_drops < 3; round++) {
        fill(numbers, 10000000, (uint32_t)round);
        CHECK_EQ(n_wrong(numbers, 10000000, (uint32_t)round), 0);
    }
    CHECK(hd_scratch_stats_get(scratch).n_drops >= 3);
    CHECK(hd_scratch_stats_get(scratch).kept_bytes > 0);
    hd_scratch_close(scratch);
}

typedef struct grower {
    pthread_t   thread;
    hd_scratch *scratch;
    uint32_t    first;
    size_t      wrong;
} grower;

static void *
grow(void *grower_)
{
    grower *g = grower_;

    for (int round = 0; round < 20; round++) {
        uint32_t *numbers = NULL;
        size_t    n = 0, capacity = 0;

        for (uint32_t i = 0; i < 400000; i++)
            HD_SCRATCH_PUSH(g->scratch, numbers, n, capacity, g->first + i * 7);
        g->wrong += n_wrong(numbers, n, g->first);
        hd_scratch_free(g->scratch, numbers);
    }
    return NULL;
}

TEST(threads_grow_their_blocks_while_all_is_dropped)
{
    enum { N = 3 };
    grower growers[N];

    for (uint32_t i = 0; i < N; i++) {
        growers[i] = (grower){ .scratch = i > 0 ? growers[0].scratch : NULL, .first = i };
        if (i == 0)
            CHECK_EQ(hd_scratch_open(".", 1, &growers[0].scratch), HD_OK);
        CHECK_EQ(pthread_create(&growers[i].thread, NULL, grow, &growers[i]), 0);
    }
    for (int i = 0; i < 50; i++)
        hd_scratch_drop(growers[0].scratch);
    for (uint32_t i = 0; i < N; i++) {
        pthread_join(growers[i].thread, NULL);
        CHECK_EQ(growers[i].wrong, 0);
    }
    hd_scratch_close(growers[0].scratch);
}

TEST(files_have_no_names)
{
    hd_scratch *scratch = opened();

    hd_scratch_free(scratch, hd_scratch_alloc(scratch, 1000, 1));
    hd_scratch_free(scratch, hd_scratch_alloc(scratch, 2 << 20, 1));
    CHECK_EQ(n_files(), 0);
    CHECK_STR(hd_scratch_directory(scratch), ".");
    hd_scratch_close(scratch);
}

TEST(a_directory_that_is_none_is_an_error)
{
    hd_scratch *scratch = NULL;

    CHECK_EQ(hd_scratch_open("./nowhere", LIMIT, &scratch), HD_EOPEN);
    CHECK(strstr(hd_error_get()->text, "./nowhere") != NULL);
    CHECK(scratch == NULL);
}

/* Files may have 2 MiB; run() gets a scratch. */
static int
exit_status_of(int (*run)(hd_scratch *scratch))
{
    pid_t child;
    int   status = 0;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        hd_scratch *scratch = NULL;

        if (freopen("/dev/null", "w", stderr) == NULL ||
            setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 2 << 20, 2 << 20 }) != 0 ||
            hd_scratch_open(".", LIMIT, &scratch) != HD_OK)
            _exit(99);
        _exit(run(scratch));
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int
goes_on_in_the_heap(hd_scratch *scratch)
{
    uint32_t *first = hd_scratch_realloc(scratch, NULL, 300000, sizeof *first), *numbers = NULL;
    size_t    n = 0, capacity = 0;

    fill(first, 300000, 1);
    if (hd_scratch_check(scratch) != HD_OK)
        return 2;
    for (uint32_t i = 0; i < 3000000; i++)
        HD_SCRATCH_PUSH(scratch, numbers, n, capacity, 5 + i * 7);
    if (hd_scratch_check(scratch) != HD_EWRITE ||
        strstr(hd_error_get()->text, "no space in the scratch directory") == NULL)
        return 3;
    first = hd_scratch_realloc(scratch, first, 600000, sizeof *first);
    if (n_wrong(first, 300000, 1) + n_wrong(numbers, n, 5) > 0)
        return 4;
    numbers = hd_scratch_pack(scratch, numbers, 1000, sizeof *numbers);
    if (n_wrong(numbers, 1000, 5) > 0)
        return 5;
    hd_scratch_free(scratch, numbers);
    hd_scratch_free(scratch, first);
    hd_scratch_close(scratch);
    return 0;
}

static int
ends_the_run(hd_scratch *scratch)
{
    hd_scratch_require(scratch);
    hd_scratch_alloc(scratch, 3 << 20, 1);
    return 0;
}

TEST(without_space_blocks_are_in_the_heap_and_it_is_an_error)
{
    CHECK_EQ(exit_status_of(goes_on_in_the_heap), 0);
}

TEST(where_it_is_required_no_space_ends_the_run)
{
    CHECK_EQ(exit_status_of(ends_the_run), 1);
}

TEST_MAIN
