/* tests/profile/test_process_iterations.c: whose iterations count, in which slice a time is, where it ends, and how
 * neighbours are joined. */
#include "iterations.h"

#include "check.h"
#include "small_defs.h"
#include "test_comm.h"

static const hd_iteration rows[] = { { .enter = 10, .leave = 20 }, { .enter = 20, .leave = 25 },
                                     { .enter = 30, .leave = 30 }, { .enter = 40, .leave = 50 } };
static const hd_process_iterations own = { .rows = rows, .n = 4 };

TEST(each_time_has_one_slice_whatever_the_hint)
{
    static const struct {
        hd_time  from, to;
        uint32_t slice;
    } expected[] = { { 0, 10, 0 }, { 10, 20, 1 }, { 20, 25, 2 }, { 25, 40, 7 }, { 40, 50, 4 }, { 50, 60, 6 } };

    for (uint32_t hint = 0; hint <= 4; hint++)
        for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
            for (hd_time time = expected[i].from; time < expected[i].to; time++) {
                uint32_t at    = hint;
                uint32_t slice = hd_iterations_slice(&own, 5, time, &at); /* another process has a fifth one */
                hd_time  end   = hd_iterations_slice_end(&own, 5, slice, at);

                CHECK_EQ(slice, expected[i].slice);
                CHECK(end > time);
                if (time < 50)
                    CHECK(end <= expected[i].to);
                else
                    CHECK_EQ(end, UINT64_MAX);
            }
}

TEST(a_slice_far_from_the_hint_is_found)
{
    enum { N = 70 };

    hd_iteration          many[N];
    hd_process_iterations of = { .rows = many, .n = N };
    size_t                wrong = 0;

    for (uint32_t i = 0; i < N; i++)
        many[i] = (hd_iteration){ .enter = 10 * i + 10, .leave = 10 * i + 20 };
    for (uint32_t hint = 0; hint <= N + 1; hint++)
        for (hd_time time = 5; time < 10 * N + 10; time += 5) {
            uint32_t at = hint;

            wrong += hd_iterations_slice(&of, N, time, &at) != time / 10 || at != time / 10;
        }
    CHECK_EQ(wrong, 0);
}

TEST(a_process_without_iterations_has_all_before_them)
{
    const hd_process_iterations none = { .rows = NULL };
    uint32_t                    hint = 0;

    CHECK_EQ(hd_iterations_slice(&none, 5, 7, &hint), 0);
    CHECK_EQ(hd_iterations_slice_end(&none, 5, 0, hint), UINT64_MAX);
}

TEST(neighbours_are_joined_until_they_are_few_enough)
{
    CHECK_EQ(hd_iterations_shift(1, 1024), 0);
    CHECK_EQ(hd_iterations_shift(1024, 1024), 0);
    CHECK_EQ(hd_iterations_shift(1025, 1024), 1);
    CHECK_EQ(hd_iterations_shift(2049, 1024), 2);
    CHECK_EQ(hd_iterations_shift(10000, 1024), 4);
    for (uint32_t n = 1; n < 40; n++) { /* slices are without gaps; those that are none of iterations follow them */
        uint32_t shift = hd_iterations_shift(n, 8), last = ((n - 1) >> shift) + 1;

        CHECK(last <= 8);
        CHECK_EQ(hd_iterations_joined(n, 0, shift), 0);
        for (uint32_t i = 1; i <= n; i++)
            CHECK_EQ(hd_iterations_joined(n, i, shift), 1 + (i - 1) / (UINT32_C(1) << shift));
        CHECK_EQ(hd_iterations_joined(n, n, shift), last);
        CHECK_EQ(hd_iterations_joined(n, n + 1, shift), last + 1);
        CHECK_EQ(hd_iterations_joined(n, n + 2, shift), last + 2);
    }
}

/* A process of a stream and a thread: instances of a region on both, of another one on the stream alone. */
static void
find(hd_defs *defs, hd_iteration *of_thread, size_t n, hd_iteration *of_stream, size_t n_of_stream,
     hd_iterations *iterations)
{
    hd_loaded_location locations[] = {
        { .location = 1, .iterations = of_stream, .n_iterations = n_of_stream },
        { .location = 0, .iterations = of_thread, .n_iterations = n },
    };
    hd_loaded_process  process       = { .locations = locations, .n_locations = 2 };
    hd_trace           trace         = { .defs = defs, .processes = &process, .n_processes = 1 };
    hd_analysis_comm  *analysis_comm = hd_analysis_comm_open(TEST_COMM, NULL, NULL);

    hd_iterations_find(analysis_comm, &trace, HD_ITERATIONS_OPTION, iterations);
    hd_analysis_comm_close(analysis_comm);
}

TEST(what_runs_on_a_stream_is_no_iteration)
{
    static const small_region regions[]   = { { .name = "kernel", .file = "" }, { .name = "other", .file = "" } };
    hd_defs                  *defs        = small_defs(regions, 2, 1, 2, true);
    hd_iteration              of_thread[] = { { .region = 0, .enter = 40, .leave = 42 } };
    hd_iteration              of_stream[] = { { .region = 0, .enter = 10, .leave = 30 },
                                              { .region = 1, .enter = 50, .leave = 90 } };
    hd_iterations             iterations;

    find(defs, of_thread, 1, of_stream, 2, &iterations);
    CHECK_EQ(iterations.region, 0);
    CHECK_EQ(iterations.n, 1);
    CHECK_EQ(iterations.of[0].location, 1);
    CHECK_EQ(iterations.of[0].rows[0].enter, 40);
    hd_iterations_fini(&iterations);

    find(defs, NULL, 0, of_stream, 2, &iterations);
    CHECK_EQ(iterations.region, HD_NONE);
    hd_iterations_fini(&iterations);
    free(defs);
}

TEST_MAIN
