/* tests/report/text/test_blocks.c: values as a line of blocks. */
#include "blocks.h"

#include <stdlib.h>

#include "check.h"

static char *
line_of(const double *values, uint32_t n, uint32_t n_blocks, uint32_t *n_blank)
{
    char  *text  = NULL;
    size_t bytes = 0;
    FILE  *file  = open_memstream(&text, &bytes);

    setenv("LC_ALL", "C.UTF-8", 1);
    *n_blank = hd_blocks_print(file, values, n, n_blocks);
    fclose(file);
    return text;
}

TEST(what_is_not_zero_is_seen_and_no_line_ends_with_blanks)
{
    uint32_t n_blank;
    char    *text = line_of((double[]){ 0, 8, 0, 0.001, 4, 0, 0 }, 7, 10, &n_blank);

    CHECK_STR(text, " \u2588 \u2581\u2584");
    CHECK(n_blank == 2);
    free(text);
}

TEST(zeros_alone_are_blanks)
{
    uint32_t n_blank;
    char    *text = line_of((double[]){ 0, 0, 0 }, 3, 10, &n_blank);

    CHECK_STR(text, "");
    CHECK(n_blank == 3);
    free(text);
}

TEST(as_many_neighbours_share_each_block)
{
    uint32_t n_blank;
    char    *text = line_of((double[]){ 2, 2, 1, 1, 0 }, 5, 4, &n_blank);

    CHECK_STR(text, "\u2588\u2584"); /* 2 + 2, 1 + 1, 0 */
    CHECK(n_blank == 1);
    free(text);
}

static void
check_locale(const char *all, const char *ctype, const char *lang, const char *line)
{
    const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" }, *const values[] = { all, ctype, lang };
    char             *text    = NULL;
    size_t            bytes   = 0;
    FILE             *file    = open_memstream(&text, &bytes);

    for (int i = 0; i < 3; i++)
        if (values[i] == NULL)
            unsetenv(names[i]);
        else
            setenv(names[i], values[i], 1);
    CHECK(hd_blocks_print(file, (double[]){ 1, 0, 4, 8, 0 }, 5, 10) == 1);
    fclose(file);
    CHECK_STR(text, line);
    free(text);
}

TEST(where_the_locale_has_no_utf8_blocks_are_digits)
{
    check_locale("C", NULL, "en_US.UTF-8", "1 48");
    check_locale(NULL, NULL, NULL, "1 48");
    check_locale(NULL, NULL, "de_DE.ISO-8859-1", "1 48");
    check_locale("", "de_DE.utf8@euro", "C", "\u2581 \u2584\u2588");
    check_locale(NULL, NULL, "en_US.UTF-8", "\u2581 \u2584\u2588");
}

TEST_MAIN
