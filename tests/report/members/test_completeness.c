/* tests/report/members/test_completeness.c: what several reports lack, in the words of one.
 *
 *              a       b        c        d
 *   coverage   90 %    -        80 %     90 %
 *   stopped    -       by TERM  -        -
 *   without    -       x        x        x
 */
#include "completeness.h"

#include "check.h"
#include "memory.h"

static hd_cube_attribute of_a[] = { { HD_COVERAGE_ATTRIBUTE, "90 %" } };
static hd_cube_attribute of_b[] = { { "Creator", "y" }, { HD_LEFT_OUT_ATTRIBUTE, "x" },
                                    { HD_STOPPED_ATTRIBUTE, "by TERM" } };
static hd_cube_attribute of_c[] = { { HD_LEFT_OUT_ATTRIBUTE, "x" }, { HD_COVERAGE_ATTRIBUTE, "80 %" } };
static hd_cube_attribute of_d[] = { { HD_COVERAGE_ATTRIBUTE, "90 %" }, { HD_LEFT_OUT_ATTRIBUTE, "x" } };
static hd_cube_attribute of_e[] = { { HD_LEFT_OUT_ATTRIBUTE, "x" } };

static hd_cube a = { .path = "a", .attributes = of_a, .n_attributes = 1 },
                   b = { .path = "b", .attributes = of_b, .n_attributes = 3 };
static hd_cube c = { .path = "c", .attributes = of_c, .n_attributes = 2 },
                   d = { .path = "d", .attributes = of_d, .n_attributes = 2 };
static hd_cube e = { .path = "e", .attributes = of_e, .n_attributes = 1 };

static bool
joined(hd_cube *const *cubes, uint32_t n, const char *key, const char *expected)
{
    char *text = hd_completeness_join(cubes, n, key);
    bool  is   = expected == NULL ? text == NULL : text != NULL && strcmp(text, expected) == 0;

    free(text);
    return is;
}

static bool
says(const hd_cube *cube, const char *expected)
{
    char *text = hd_completeness_text(cube);
    bool  is   = expected == NULL ? text == NULL : text != NULL && strcmp(text, expected) == 0;

    free(text);
    return is;
}

TEST(each_text_names_the_reports_that_have_it)
{
    hd_cube *cubes[] = { &a, &b, &c, &d };

    CHECK(joined(cubes, 4, HD_COVERAGE_ATTRIBUTE, "90 % in \"a\" and \"d\"; 80 % in \"c\" (3 of 4 reports)"));
    CHECK(joined(cubes, 4, HD_STOPPED_ATTRIBUTE, "by TERM in \"b\" (1 of 4 reports)"));
    CHECK(joined(cubes, 4, HD_LEFT_OUT_ATTRIBUTE, "x in \"b\", \"c\" and \"d\" (3 of 4 reports)"));
    CHECK(joined(cubes, 1, HD_STOPPED_ATTRIBUTE, NULL));
}

TEST(what_all_say_is_said_once)
{
    hd_cube *cubes[] = { &a, &d, &a };

    CHECK(joined(cubes, 3, HD_COVERAGE_ATTRIBUTE, "90 %"));
    CHECK(joined(cubes, 1, HD_COVERAGE_ATTRIBUTE, "90 %"));
}

TEST(a_report_says_all_of_it_in_one_line)
{
    CHECK(says(&a, "trace coverage 90 %"));
    CHECK(says(&b, "stopped by TERM; without x"));
    CHECK(says(&d, "trace coverage 90 %; without x"));
    CHECK(says(&(hd_cube){ .path = "f" }, NULL));
}

TEST(what_was_left_out_alone_is_not_incomplete)
{
    CHECK(hd_is_incomplete(&a) && hd_is_incomplete(&b) && hd_is_incomplete(&c) && hd_is_incomplete(&d));
    CHECK(!hd_is_incomplete(&e) && !hd_is_incomplete(&(hd_cube){ .path = "f" }));
}

TEST_MAIN
