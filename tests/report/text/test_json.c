/* tests/report/text/test_json.c: objects, arrays and values as JSON; texts and numbers that JSON has no direct form
 * for. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "json.h"

typedef struct document {
    hd_json json;
    char   *text;
    size_t  bytes;
} document;

static void
begin(document *d, uint32_t n_lines)
{
    hd_json_init(&d->json, open_memstream(&d->text, &d->bytes), n_lines);
}

static void
check_text(document *d, const char *expected)
{
    fclose(d->json.file);
    CHECK_STR(d->text, expected);
    CHECK_EQ(d->json.depth, 0);
    free(d->text);
}

TEST(outer_levels_have_lines_inner_ones_have_none)
{
    document d;

    begin(&d, 2);
    hd_json_object(&d.json, NULL);
    hd_json_text(&d.json, "name", "a");
    hd_json_array(&d.json, "rows");
    for (uint32_t i = 0; i < 2; i++) {
        hd_json_object(&d.json, NULL);
        hd_json_count(&d.json, "i", i);
        hd_json_array(&d.json, "none");
        hd_json_end(&d.json);
        hd_json_end(&d.json);
    }
    hd_json_end(&d.json);
    hd_json_end(&d.json);
    check_text(&d, "{\n  \"name\": \"a\",\n  \"rows\": [\n    {\"i\":0,\"none\":[]},\n    {\"i\":1,\"none\":[]}\n  "
               "]\n}");
}

TEST(what_is_empty_has_no_lines)
{
    document d;

    begin(&d, 2);
    hd_json_object(&d.json, NULL);
    hd_json_array(&d.json, "none");
    hd_json_end(&d.json);
    hd_json_end(&d.json);
    check_text(&d, "{\n  \"none\": []\n}");
}

TEST(what_is_unknown_is_null)
{
    document d;

    begin(&d, 0);
    hd_json_array(&d.json, NULL);
    hd_json_text(&d.json, NULL, NULL);
    hd_json_number(&d.json, NULL, NAN);
    hd_json_number(&d.json, NULL, INFINITY);
    hd_json_index(&d.json, NULL, HD_NONE);
    hd_json_index(&d.json, NULL, 7);
    hd_json_null(&d.json, NULL);
    hd_json_end(&d.json);
    CHECK_EQ(d.json.n_values, 7);
    check_text(&d, "[null,null,null,null,7,null]");
}

TEST(numbers_come_back_as_the_same_numbers)
{
    const double numbers[] = { 0.1, 1.0 / 3, 1e-300, 123456789.123456789, -0.05771856587451012 };

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        document d;

        begin(&d, 0);
        hd_json_number(&d.json, NULL, numbers[i]);
        fclose(d.json.file);
        CHECK(strtod(d.text, NULL) == numbers[i]);
        free(d.text);
    }
}

TEST(integers_have_all_digits)
{
    document d;

    begin(&d, 0);
    hd_json_array(&d.json, NULL);
    hd_json_count(&d.json, NULL, UINT64_MAX);
    hd_json_integer(&d.json, NULL, INT64_MIN);
    hd_json_bool(&d.json, NULL, true);
    hd_json_end(&d.json);
    check_text(&d, "[18446744073709551615,-9223372036854775808,true]");
}

TEST(texts_are_escaped)
{
    document d;

    begin(&d, 0);
    hd_json_text(&d.json, NULL, "a\"b\\c\n\x1b[0m \xff \xe2\x80\xae \xc3\xa4");
    check_text(&d, "\"a\\\"b\\\\c\\u000a\\u001b[0m \\ufffd \\ufffd \xc3\xa4\"");
}

TEST_MAIN
