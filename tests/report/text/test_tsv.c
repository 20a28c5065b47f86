/* tests/report/text/test_tsv.c: numbers of tables are those that printf writes. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "tsv.h"

static void
check_real(double value)
{
    char expected[64], text[2 * HD_TSV_MAX_NUMBER];

    snprintf(expected, sizeof expected, "%.15g;", value);
    *hd_tsv_add_real(text, value, ';') = '\0';
    CHECK_STR(text, expected);
    snprintf(expected, sizeof expected, "%.17g;", value);
    *hd_tsv_add_exact(text, value, ';') = '\0';
    CHECK_STR(text, expected);
}

TEST(reals_have_15_digits)
{
    static const double values[] = {
        1, 0.5, 0.25, 0.1, 0.3, 100, 12345678901234.5, 123456789012345, 1e13, 0.0001, 2e-4, 1e-3,
        0.999999999999999, 0.9999999999999994, 0.9999999999999996, 9.99999999999999, 9.9999999999999995,
        99999999999999.9, 99999999999999.96, 0.00099999999999999999, 1e14, 1e15, 1e16, 4503599627370496.5
    };

    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        check_real(values[i]);
}

TEST(a_tie_goes_to_the_even_digit)
{
    check_real(1.00000000000000022204460492503130808);
    for (int i = 1; i < 64; i++)
        check_real(17179869184 + i / 64.0 / 1024); /* 11 digits, and up to 16 binary places that end with a 5 */
}

TEST(reals_that_are_small_or_large_or_none_are_written_by_printf)
{
    check_real(0);
    check_real(0.00009999999999999999);
    check_real(1e-9);
    check_real(-0.125);
    check_real(1e300);
    check_real(5e-324);
    check_real(-1.23456789012345e-300);
}

TEST(reals_with_an_exponent)
{
    static const double values[] = { 1e-5, 1.5e-5, 1e-6, 1e-7, 1e-8, 0.99999999999999999e-5, 9.99999999999999e-6,
                                     9.999999999999995e-6, 9.9999999999999995e-5, 1.25e-8, 123456789e-13, 2e-9 };

    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        check_real(values[i]);
}

TEST(reals_of_all_sizes)
{
    uint64_t seed = 1;

    for (int i = 0; i < 20000; i++) {
        double value, scale = 1;

        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        for (uint64_t n = seed >> 59; n > 0; n--)
            scale *= n % 2 == 0 ? 10 : 0.3;
        seed  = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        value = (double)(seed >> 11) * scale / 9007199254740992.0;
        check_real(value);
        check_real((double)(seed >> 40) / 1000);
    }
}

static void
check_rounded(double value)
{
    char expected[64], text[2 * HD_TSV_MAX_NUMBER];

    snprintf(expected, sizeof expected, "%.6g;", value);
    *hd_tsv_add_rounded(text, value, ';') = '\0';
    CHECK_STR(text, expected);
}

TEST(rounded_reals_have_6_digits)
{
    static const double values[] = { 0, -0.0, 1, -1, 0.5, -0.125, 0.1, 0.01, 1e-3, 1e-4, 9.9999949e-5, 0.00099999995,
                                     0.9999994, 0.9999995, 0.99999951, 9.999995, 99999.4, 99999.5, 99999.97, 100000,
                                     123456.5, -99999.5, 1e300, -1e-300, 1.0000005, 0.5000005, 16777216.5 };
    uint64_t            seed     = 1;

    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        check_rounded(values[i]);
    for (int i = 0; i < 20000; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        check_rounded((double)(seed >> 11) / 9007199254740992.0);
        check_rounded((double)(int64_t)seed / (double)(UINT64_C(1) << (44 + i % 20)));
        check_rounded((double)(seed >> 50) / 128); /* ties */
    }
}

/* Around powers of ten, and numbers with zeros inside. */
TEST(counts_have_all_digits)
{
    uint64_t power = 1;

    for (int n = 0; n < 20; n++, power *= 10)
        for (uint64_t more = 0; more < 3; more++) {
            char  expected[HD_TSV_MAX_NUMBER], text[HD_TSV_MAX_NUMBER], *end;

            snprintf(expected, sizeof expected, "%" PRIu64 ";", power - 1 + more);
            end  = hd_tsv_add_count(text, power - 1 + more, ';');
            *end = '\0';
            CHECK_STR(text, expected);
        }
    for (uint64_t count = 0; count < 100000; count++) {
        char expected[HD_TSV_MAX_NUMBER], text[HD_TSV_MAX_NUMBER];

        snprintf(expected, sizeof expected, "%" PRIu64 ";", count * (count % 7 == 0 ? 998001 : 1));
        *hd_tsv_add_count(text, count * (count % 7 == 0 ? 998001 : 1), ';') = '\0';
        CHECK_STR(text, expected);
    }
}

TEST(text_has_its_end_behind_it)
{
    char line[16];

    *hd_tsv_add_text(hd_tsv_add_text(line, "one", '\t'), "", '\n') = '\0';
    CHECK_STR(line, "one\t\n");
}

static bool
take_line(void *context, char *text)
{
    (void)text;
    ++*(uint32_t *)context;
    return true;
}

static hd_status
read_table(const char *table, uint32_t *n)
{
    const hd_cube cube = { .path = "r.cubex" };
    char          text[32];

    snprintf(text, sizeof text, "%s", table);
    *n = 0;
    return hd_tsv_lines(&cube, "t.tsv", text, "a\tb", take_line, n);
}

TEST(a_table_that_is_cut_off_is_an_error)
{
    uint32_t n;

    CHECK_EQ(read_table("a\tb\n1\t2\n\n3\t4\n", &n), HD_OK);
    CHECK_EQ(n, 2);
    CHECK_EQ(read_table("a\tb\n", &n), HD_OK);
    CHECK_EQ(read_table("a\tb\n1\t2\n3\t4", &n), HD_EFORMAT);
    CHECK_EQ(read_table("a\tb", &n), HD_EFORMAT);
    CHECK_EQ(read_table("", &n), HD_EFORMAT);
}

TEST_MAIN
