/* tests/base/test_count_text.c: counts of all lengths. */
#include "count_text.h"

#include <math.h>
#include <stdbool.h>

#include "check.h"

static bool
is(uint64_t count, const char *expected)
{
    return strcmp(hd_count_text_of(count).text, expected) == 0;
}

TEST(digits_are_in_groups_of_three)
{
    CHECK(is(0, "0"));
    CHECK(is(7, "7"));
    CHECK(is(999, "999"));
    CHECK(is(1000, "1,000"));
    CHECK(is(81920, "81,920"));
    CHECK(is(123456, "123,456"));
    CHECK(is(1638400, "1,638,400"));
    CHECK(is(UINT64_MAX, "18,446,744,073,709,551,615"));
}

TEST(means_are_rounded)
{
    CHECK(strcmp(hd_count_text_rounded(1999.6).text, "2,000") == 0);
    CHECK(strcmp(hd_count_text_rounded(0.4).text, "0") == 0);
    CHECK(strcmp(hd_count_text_rounded(-0.4).text, "0") == 0);
    CHECK(strcmp(hd_count_text_rounded(-1234.5).text, "-1,234") == 0);
    CHECK(strcmp(hd_count_text_rounded((double)NAN).text, "-") == 0);
    CHECK(strcmp(hd_count_text_rounded(1e300).text, "18,446,744,073,709,551,615") == 0);
}

TEST(short_numbers_have_an_exponent_from_100_million_on)
{
    CHECK(strcmp(hd_count_text_short(0.53125).text, "0.53125") == 0);
    CHECK(strcmp(hd_count_text_short(99999).text, "99,999") == 0);
    CHECK(strcmp(hd_count_text_short(1638400).text, "1,638,400") == 0);
    CHECK(strcmp(hd_count_text_short(-99999999).text, "-99,999,999") == 0);
    CHECK(strcmp(hd_count_text_short(1e9).text, "1e+09") == 0);
}

TEST_MAIN
