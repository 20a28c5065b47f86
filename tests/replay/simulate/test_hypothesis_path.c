/* tests/replay/simulate/test_hypothesis_path.c: the selection of a call path is short, and selects that and nothing
 * else. */
#include <string.h>

#include "check.h"
#include "hypothesis.h"
#include "memory.h"
#include "small_defs.h"

#define USER(name) { name, "main.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION }
static const small_region regions[] = { USER("main"), USER("solve"), USER("nap"), USER("operator + (a, b)"),
                                        USER("check"), USER("wait"), USER("wait") }; /* lines: 0, 1, ... */

/*   0 main ─┬─ 1 solve ── 2 nap
 *           ├─ 3 operator + (a, b) ── 4 nap
 *           ├─ 5 check ── 6 main ── 7 nap          recursive
 *           ├─ 8 nap
 *           ├─ 9 wait                              at line 5
 *           └─ 10 wait                             at line 6 */
static hd_call_path      nodes[] = { { HD_NONE, 0 }, { 0, 1 }, { 1, 2 }, { 0, 3 }, { 3, 2 },
                                     { 0, 4 }, { 5, 0 }, { 6, 2 }, { 0, 2 }, { 0, 5 }, { 0, 6 } };
static const hd_calltree tree    = { nodes, sizeof nodes / sizeof *nodes };

/* expected: NULL: there is none */
static void
check_selection(uint32_t path, const char *expected)
{
    hd_defs      *defs      = small_defs(regions, sizeof regions / sizeof *regions, 1, 1, false);
    char         *selection = hd_hypothesis_selection(defs, &tree, path), *text;
    hd_hypothesis hypothesis;

    CHECK(selection == NULL || expected == NULL ? selection == expected : strcmp(selection, expected) == 0);
    if (selection != NULL) {
        text = hd_format("without %s", selection);
        CHECK_EQ(hd_hypothesis_parse(text, &hypothesis), HD_OK);
        CHECK_EQ(hd_hypothesis_resolve(&hypothesis, defs, &tree), HD_OK);
        for (uint32_t i = 0; i < tree.n; i++) {
            uint32_t above = i;

            while (above != HD_NONE && above != path)
                above = nodes[above].parent;
            CHECK_EQ(hypothesis.changes[0].is_path[i], above == path);
        }
        hd_hypothesis_fini(&hypothesis);
        free(text);
    }
    free(selection);
    free(defs);
}

TEST(a_region_that_is_at_one_call_path_is_its_name)
{
    check_selection(1, "solve");
    check_selection(5, "check");
}

TEST(as_many_regions_above_as_tell_call_paths_apart)
{
    check_selection(2, "solve > nap");
    check_selection(7, "check > main > nap");
}

TEST(what_is_below_the_call_path_need_not_be_told_apart)
{
    check_selection(0, "main");
}

TEST(a_name_that_looks_like_a_keyword_is_any_region)
{
    check_selection(3, NULL); /* main > *: solve is, too */
    check_selection(4, NULL);
}

TEST(calls_at_several_lines_have_their_line)
{
    check_selection(9, "wait:5");
    check_selection(10, "wait:6");
}

TEST(a_call_path_that_is_the_end_of_another_one_has_none)
{
    check_selection(8, NULL); /* main > nap */
}

TEST_MAIN
