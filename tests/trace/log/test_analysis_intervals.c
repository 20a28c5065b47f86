/* tests/trace/log/test_analysis_intervals.c: what a set of intervals holds, and how it divides time among the sides.
 *
 *   ticks     0    10────20    30    40────60    80
 *   window         |─────────────────────────────|     parts: 10 to 20, 30 to 30, 40 to 60
 */
#include "analysis_interval.h"
#include "check.h"

static const hd_analysis_interval  parts[] = { { 10, 20, 20 }, { 30, 30, 30 }, { 40, 60, 60 } };
static const hd_analysis_intervals instances = { .parts = parts, .n = 3, .window = { 10, 80, 80 },
                                                 .has_regions = true };

TEST(a_call_is_held_by_one_interval_as_a_whole)
{
    CHECK(hd_analysis_intervals_hold(&instances, 10, 20));
    CHECK(hd_analysis_intervals_hold(&instances, 60, 60));
    CHECK(hd_analysis_intervals_hold(&instances, 30, 30));
    CHECK(!hd_analysis_intervals_hold(&instances, 9, 20));
    CHECK(!hd_analysis_intervals_hold(&instances, 40, 61));
    CHECK(!hd_analysis_intervals_hold(&instances, 15, 45));
    CHECK(!hd_analysis_intervals_hold(&instances, 25, 28));
    CHECK_EQ(hd_analysis_intervals_bits_of_call(&instances, 12, 13), 0);
    CHECK_EQ(hd_analysis_intervals_bits_of_call(&instances, 15, 45), HD_OUTSIDE);
    CHECK_EQ(hd_analysis_intervals_bits_of_call(&instances, 70, 80), HD_OUTSIDE);
    CHECK_EQ(hd_analysis_intervals_bits_of_call(&instances, 70, 81), HD_OUTSIDE | HD_BEYOND);
    CHECK_EQ(hd_analysis_intervals_bits_of_call(&instances, 5, 12), HD_OUTSIDE | HD_BEYOND);
}

static void
check_split(const hd_analysis_intervals *intervals, hd_time begin, hd_time end, hd_span inside, hd_span outside,
            hd_span beyond)
{
    hd_side_spans spans = hd_analysis_intervals_split(intervals, begin, end);

    CHECK_EQ(spans.on[HD_SIDE_INSIDE], inside);
    CHECK_EQ(spans.on[HD_SIDE_OUTSIDE], outside);
    CHECK_EQ(spans.on[HD_SIDE_BEYOND], beyond);
}

TEST(time_is_divided_among_the_sides)
{
    check_split(&instances, 0, 100, 30, 40, 30);
    check_split(&instances, 15, 45, 10, 20, 0);
    check_split(&instances, 20, 40, 0, 20, 0);
    check_split(&instances, 0, 12, 2, 0, 10);
    check_split(&instances, 59, 90, 1, 20, 10);
    check_split(&instances, 42, 42, 0, 0, 0);
    check_split(&instances, 50, 45, 0, 0, 0);
}

TEST(a_process_that_never_enters_has_nothing_inside)
{
    hd_analysis_intervals none = { .window = { 10, 80, 80 }, .has_regions = true };

    CHECK(!hd_analysis_intervals_hold(&none, 10, 20));
    CHECK_EQ(hd_analysis_intervals_begun(&none, 20), 0);
    check_split(&none, 0, 100, 0, 70, 30);
}

/* [10, 20): what ends at 20 is not held. */
TEST(an_interval_of_from_and_to_has_two_sides)
{
    hd_analysis_interval  part = hd_analysis_interval_since(4, 6, 16);
    hd_analysis_intervals one  = { .parts = &part, .n = 1, .window = part };

    CHECK(hd_analysis_intervals_hold(&one, 10, 19));
    CHECK(!hd_analysis_intervals_hold(&one, 10, 20));
    CHECK_EQ(hd_analysis_intervals_bits_of_call(&one, 10, 20), HD_OUTSIDE);
    CHECK_EQ(hd_analysis_intervals_n_sides(&one), 2);
    check_split(&one, 0, 100, 10, 90, 0);
    part = hd_analysis_interval_since(4, 0, UINT64_MAX);
    CHECK_EQ(part.from, 0);
    CHECK_EQ(part.to, UINT64_MAX);
    CHECK(hd_analysis_intervals_hold(&one, 0, UINT64_MAX - 1));
}

TEST_MAIN
