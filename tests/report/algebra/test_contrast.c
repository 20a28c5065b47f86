/* tests/report/algebra/test_contrast.c: when some clearly carry more than the others. */
#include "contrast.h"

#include <math.h>

#include "check.h"

/* The first n_in of the values are those that are asked about. */
static hd_contrast
contrast(const double *values, uint32_t n, uint32_t n_in)
{
    bool is_in[128] = { false };

    for (uint32_t i = 0; i < n_in; i++)
        is_in[i] = true;
    return hd_contrast_of(values, is_in, n);
}
#define CONTRAST(n_in, ...) contrast((const double[]){ __VA_ARGS__ },                                                  \
                                     sizeof((double[]){ __VA_ARGS__ }) / sizeof(double), n_in)

TEST(two_that_have_all_of_it_are_clear)
{
    hd_contrast c = CONTRAST(2, 10, 10, 0, 0, 0, 0, 0, 0);

    CHECK(c.is_clear);
    CHECK(c.share == 1);
    CHECK_EQ(c.n_in, 2);
    CHECK_EQ(c.n, 8);
    CHECK(isinf(c.errors));
    CHECK(!CONTRAST(2, 10, 10, 0, 0, 0, 0, 0).is_clear); /* too few to tell */
}

TEST(a_quarter_is_the_least)
{
    double values[64];

    for (int i = 0; i < 64; i++)
        values[i] = i < 2 ? 10.3 : 1; /* 20.6 of 82.6 */
    CHECK(!contrast(values, 64, 2).is_clear);
    values[0] = values[1] = 10.4; /* 20.8 of 82.8 */
    CHECK(contrast(values, 64, 2).is_clear);
}

TEST(twice_as_much_is_the_least)
{
    CHECK(!CONTRAST(4, 1.9, 1.9, 1.9, 1.9, 1, 1, 1, 1).is_clear);
    CHECK(CONTRAST(4, 2, 2, 2, 2, 1, 1, 1, 1).is_clear);
    CHECK(!CONTRAST(4, 1, 1, 1, 1, 2, 2, 2, 2).is_clear);
}

/* Averages 5 and 2, squares 2 + 6: 3 / sqrt(8 / 6 * (1 / 2 + 1 / 6)) = 3.18 errors; 5 + 16 / 6 = 7.67 are needed. */
TEST(what_is_spread_more_is_not_clear)
{
    hd_contrast c = CONTRAST(2, 4, 6, 1, 3, 1, 3, 1, 3);

    CHECK(fabs(c.errors - 3 / sqrt(8.0 / 6 * (1.0 / 2 + 1.0 / 6))) < 1e-12);
    CHECK(!c.is_clear);
    CHECK(!CONTRAST(2, 4.5, 5.5, 1.5, 2.5, 1.5, 2.5, 1.5, 2.5).is_clear);         /* 6.36 errors */
    CHECK(CONTRAST(2, 4.75, 5.25, 1.75, 2.25, 1.75, 2.25, 1.75, 2.25).is_clear); /* 12.7 errors */
}

TEST(one_that_stands_out_does_not_speak_for_its_group)
{
    CHECK(!CONTRAST(2, 100, 1, 1, 1, 1, 1, 1, 1).is_clear);
    CHECK(!CONTRAST(1, 100, 1, 1, 1, 1, 1, 1, 1).is_clear);
    CHECK(!CONTRAST(7, 9, 9, 9, 9, 9, 9, 9, 1).is_clear);
}

TEST(more_than_half_of_all_is_not_looked_at)
{
    CHECK(CONTRAST(4, 9, 9, 9, 9, 1, 1, 1, 1, 1).is_clear);
    CHECK(CONTRAST(4, 9, 9, 9, 9, 1, 1, 1, 1).is_clear);
    CHECK(!CONTRAST(5, 9, 9, 9, 9, 9, 1, 1, 1).is_clear);
    CHECK(!CONTRAST(5, 9, 9, 9, 9, 9, 1, 1, 1, 1).is_clear);
}

TEST(nothing_is_carried_by_nobody)
{
    CHECK(!CONTRAST(2, 0, 0, 0, 0, 0, 0, 0, 0).is_clear);
    CHECK(!CONTRAST(0, 1, 2, 3).is_clear);
    CHECK(!CONTRAST(3, 1, 2, 3).is_clear);
}

TEST_MAIN
