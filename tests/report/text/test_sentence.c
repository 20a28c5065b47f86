/* tests/report/text/test_sentence.c: where a sentence is divided. */
#include "sentence.h"

#include <stdlib.h>

#include "check.h"

static void
check(uint32_t width, uint32_t indent, bool is_list, const char *text, const char *lines)
{
    char  *printed = NULL;
    size_t bytes   = 0;
    FILE  *file    = open_memstream(&printed, &bytes);

    (is_list ? hd_sentence_print_list : hd_sentence_print)(file, width, indent, text);
    fclose(file);
    CHECK_STR(printed, lines);
    free(printed);
}

TEST(lines_are_no_longer_than_the_width_and_have_no_blanks_at_their_ends)
{
    check(20, 2, false, "of six processes one", "  of six processes\n  one\n");
    check(20, 0, false, "of six processes one", "of six processes one\n");
    check(8, 2, false, "a-long-word and more", "  a-long-word\n  and\n  more\n");
    check(20, 2, false, "", "");
}

TEST(a_number_stays_with_its_unit)
{
    check(12, 0, false, "it takes 12 ms, then", "it takes\n12 ms, then\n");
    check(10, 0, false, "it is 12.5 % of", "it is\n12.5 % of\n");
    check(10, 0, false, "it is 125 sides", "it is 125\nsides\n");
}

TEST(a_list_is_divided_behind_its_commas)
{
    check(24, 2, true, "process 1: 5 %, process 2: 4 %", "  process 1: 5 %,\n  process 2: 4 %\n");
    check(5, 0, true, "one and two, three", "one and two,\nthree\n");
}

TEST_MAIN
