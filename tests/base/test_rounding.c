/* tests/base/test_rounding.c: how numbers are calculated, so that reports are the same on each processor.
 *
 *   a = 1 + 2^-30, b = 1 - 2^-30     a b = 1 - 2^-60, as a number: 1
 */
#include "check.h"

TEST(a_product_is_rounded_before_it_is_added)
{
    volatile double a = 1 + 0x1p-30, b = 1 - 0x1p-30, c = -1; /* not known when this is compiled */

    CHECK(a * b + c == 0);
}

TEST_MAIN
