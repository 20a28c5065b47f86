/* tests/base/test_time_text.c: times of all sizes, and at the limits of the units. */
#include "time_text.h"

#include <math.h>
#include <stdbool.h>

#include "check.h"

static bool
is(double seconds, const char *expected)
{
    return strcmp(hd_time_text_of(seconds).text, expected) == 0;
}

TEST(three_digits_and_the_unit_that_fits)
{
    CHECK(is(0, "0 s"));
    CHECK(is(1.2345, "1.23 s"));
    CHECK(is(-12.345, "-12.3 s"));
    CHECK(is(123.45, "123 s"));
    CHECK(is(12345.6, "12346 s"));
    CHECK(is(0.0577186, "57.7 ms"));
    CHECK(is(9.35762e-05, "93.6 us"));
    CHECK(is(8.2e-4, "820 us"));
    CHECK(is(5e-9, "5.00 ns"));
    CHECK(is(5e-11, "0.05 ns"));
}

TEST(what_is_rounded_up_gets_the_next_unit)
{
    CHECK(is(0.99949, "999 ms"));
    CHECK(is(0.9995, "1.00 s"));
    CHECK(is(0.00099951, "1.00 ms"));
    CHECK(is(9.994, "9.99 s"));
    CHECK(is(9.996, "10.0 s"));
    CHECK(is(99.96, "100 s"));
}

TEST(what_is_no_time_stays_short)
{
    CHECK(is(INFINITY, "- s"));
    CHECK(is(NAN, "- s"));
    CHECK(is(1e300, "1e+300 s"));
}

TEST(in_a_column_units_have_the_same_width)
{
    CHECK(strcmp(hd_time_column(1.5).text, "1.50 s ") == 0);
    CHECK(strcmp(hd_time_column(1.5e-3).text, "1.50 ms") == 0);
    CHECK(strcmp(hd_time_column(0).text, "0 s ") == 0);
}

TEST_MAIN
