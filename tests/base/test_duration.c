/* tests/base/test_duration.c: what a user writes, and the ticks that it is. */
#include "duration.h"

#include "check.h"

static uint64_t
ticks(const char *text, uint64_t resolution)
{
    hd_duration duration = { 0 };

    return hd_duration_parse(text, &duration) ? hd_duration_ticks(duration, resolution) : UINT64_MAX - 1;
}

static bool
is_one(const char *text)
{
    hd_duration duration = { .seconds = 77 };
    bool        parsed   = hd_duration_parse(text, &duration);

    return parsed || duration.seconds != 77;
}

TEST(without_a_unit_it_is_seconds)
{
    CHECK_EQ(ticks("0", 1000), 0);
    CHECK_EQ(ticks("12.5", 1000), 12500);
    CHECK_EQ(ticks("12.5s", 1000), 12500);
    CHECK_EQ(ticks("00012.500", 1000), 12500);
    CHECK_EQ(ticks("120", 1000), 120000);
}

TEST(units_go_down_to_nanoseconds)
{
    CHECK_EQ(ticks("400ms", 1000000), 400000);
    CHECK_EQ(ticks("3.25us", 1000000000), 3250);
    CHECK_EQ(ticks("7ns", 1000000000), 7);
    CHECK_EQ(ticks("1234567ms", 1000), 1234567);
    CHECK_EQ(ticks(".5ms", 1000000), 500);
    CHECK_EQ(ticks("5.ms", 1000), 5);
}

TEST(all_digits_count)
{
    CHECK_EQ(ticks("1234567.123456789", 1000000000), UINT64_C(1234567123456789));
    CHECK_EQ(ticks("18446744073.709551614", 1000000000), UINT64_MAX - 1);
    CHECK_EQ(ticks("0.000000000000000001", UINT64_C(1000000000000000000)), 1);
}

TEST(between_two_ticks_it_is_the_nearest_one)
{
    CHECK_EQ(ticks("0.4ms", 1000), 0);
    CHECK_EQ(ticks("0.5ms", 1000), 1);
    CHECK_EQ(ticks("1.4ms", 1000), 1);
    CHECK_EQ(ticks("1ns", 3400000000), 3);
}

TEST(the_end_and_what_is_later_have_no_number)
{
    CHECK_EQ(ticks("END", 1000), UINT64_MAX);
    CHECK_EQ(ticks("18446744073.709551616", 1000000000), UINT64_MAX);
    CHECK_EQ(ticks("18446744073709551614", 1000000000), UINT64_MAX);
}

TEST(anything_else_is_none)
{
    CHECK(!is_one(""));
    CHECK(!is_one("."));
    CHECK(!is_one("s"));
    CHECK(!is_one("-1"));
    CHECK(!is_one("+1"));
    CHECK(!is_one(" 1"));
    CHECK(!is_one("1 s"));
    CHECK(!is_one("1e3"));
    CHECK(!is_one("1m"));
    CHECK(!is_one("1.2.3"));
    CHECK(!is_one("end"));
    CHECK(!is_one("0x10"));
    CHECK(!is_one("18446744073709551615"));
    CHECK(!is_one("99999999999999999999999"));
    CHECK(!is_one("0.0000000000000000001"));
    CHECK(is_one("0.0000000000000000010"));
}

TEST_MAIN
