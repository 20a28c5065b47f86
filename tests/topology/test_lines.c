/* tests/topology/test_lines.c: lines, words and numbers of a text. */
#include "lines.h"

#include <stdio.h>
#include <string.h>

#include "check.h"

/* "1:a|b 4:c": the words of each line, by its number */
static const char *
words_of(const char *text)
{
    static char result[256];
    char        copy[256];
    hd_lines    lines = { .next = copy, .path = "x" };
    char       *line, *word;
    size_t      n = 0;

    snprintf(copy, sizeof copy, "%s", text);
    *result = '\0';
    while ((line = hd_lines_next(&lines)) != NULL) {
        n += (size_t)snprintf(result + n, sizeof result - n, "%s%" PRIu32 ":", n > 0 ? " " : "", lines.number);
        for (const char *between = ""; (word = hd_lines_word(&line)) != NULL; between = "|")
            n += (size_t)snprintf(result + n, sizeof result - n, "%s%s", between, word);
    }
    return result;
}

TEST(comments_and_blank_lines_are_passed_over)
{
    CHECK_STR(words_of("a b\n\n # no\n  c\td # e\n"), "1:a|b 4:c|d");
    CHECK_STR(words_of(""), "");
    CHECK_STR(words_of("# only"), "");
    CHECK_STR(words_of("a\r\nb"), "1:a 2:b");
}

TEST(a_backslash_joins_lines)
{
    CHECK_STR(words_of("a \\\n b\\\nc\nd"), "1:a|b|c 4:d");
    CHECK_STR(words_of("a \\  \r\nb\nc"), "1:a|b 3:c");
    CHECK_STR(words_of("a # no \\\nb"), "1:a 2:b");
    CHECK_STR(words_of("a\\"), "1:a\\");
    CHECK_STR(words_of("\\\n\\\n"), "");
}

TEST(numbers_are_whole_words_below_the_most)
{
    uint32_t number = 7;

    CHECK(hd_lines_number("0", 10, &number));
    CHECK_EQ(number, 0);
    CHECK(hd_lines_number("009", 10, &number));
    CHECK_EQ(number, 9);
    CHECK(!hd_lines_number("10", 10, &number));
    CHECK(!hd_lines_number("-1", 10, &number));
    CHECK(!hd_lines_number("+1", 10, &number));
    CHECK(!hd_lines_number("1x", 10, &number));
    CHECK(!hd_lines_number("", 10, &number));
    CHECK(!hd_lines_number("99999999999999999999", UINT64_MAX, &number));
    CHECK_EQ(number, 9);
}

TEST_MAIN
