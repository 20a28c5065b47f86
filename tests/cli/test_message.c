/* tests/cli/test_message.c: words for people. */
#include "message.h"

#include "check.h"

static char text[1024];

static const char *
escaped(const char *in, bool lines)
{
    FILE *out = fmemopen(text, sizeof text, "w");

    hd_message_escaped(out, in, lines);
    fclose(out);
    return text;
}

TEST(control_characters_are_shown)
{
    CHECK_STR(escaped("a\x1b[31mb\x7f", false), "a\\x1b[31mb\\x7f");
    CHECK_STR(escaped("a\nb\tc", false), "a\\x0ab\\x09c");
    CHECK_STR(escaped("a\nb", true), "a\nb");
    CHECK_STR(escaped("csi \xc2\x9b"
                      "31m", false), "csi \\xc2\\x9b31m");
}

TEST(other_letters_are_kept)
{
    CHECK_STR(escaped("f\xc3\xbcr \xe2\x82\xac \xc2\xa0", false), "f\xc3\xbcr \xe2\x82\xac \xc2\xa0");
}

TEST(an_error_is_a_line_and_its_details)
{
    FILE *out = fmemopen(text, sizeof text, "w");

    hd_fail(HD_EOPEN, "cannot find %s", "it");
    hd_fail_detail("try", "another");
    hd_message_error(out, hd_error_get());
    fclose(out);
    CHECK_STR(text, "heddle: error: cannot find it\n  try:      another\n");
}

TEST(numbers_have_groups_of_three)
{
    char buffer[28];

    CHECK_STR(hd_message_number(buffer, 0), "0");
    CHECK_STR(hd_message_number(buffer, 999), "999");
    CHECK_STR(hd_message_number(buffer, 1000), "1,000");
    CHECK_STR(hd_message_number(buffer, 1204551), "1,204,551");
    CHECK_STR(hd_message_number(buffer, UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(sizes_have_units)
{
    char buffer[28];

    CHECK_STR(hd_message_size(buffer, 0), "0 bytes");
    CHECK_STR(hd_message_size(buffer, 999), "999 bytes");
    CHECK_STR(hd_message_size(buffer, 1000), "0.98 KiB");
    CHECK_STR(hd_message_size(buffer, 1536), "1.50 KiB");
    CHECK_STR(hd_message_size(buffer, UINT64_C(20) << 30), "20.0 GiB");
}

TEST(a_kind_of_finding_is_one_warning)
{
    hd_finding rows[] = {
        { HD_FINDING_UNMATCHED_RECEIVE, 3, 0, HD_NONE, 16, HD_NONE, 4, 900, 2, 0 },
        { HD_FINDING_UNMATCHED_RECEIVE, 17, 1, HD_NONE, 16, HD_NONE, 4, 100, 1200, 0 },
        { HD_FINDING_UNMATCHED_SEND, 5, 0, HD_NONE, HD_NONE, HD_NONE, HD_NONE, 7, 1, 0 },
    };
    hd_findings      findings = { .rows = rows, .n = 3 };
    hd_defs          defs     = { 0 };
    hd_calltree      tree     = { 0 };
    hd_message_trace trace    = { &defs, &tree, "x.findings.tsv" };
    FILE            *out      = fmemopen(text, sizeof text, "w");

    hd_message_findings(out, &findings, &trace);
    fclose(out);
    CHECK(strstr(text, "heddle: warning: 1,202 receives have no matching send; their ") == text);
    CHECK(strstr(text, "first:    process 17, thread 1, peer 16, tag 4\n") != NULL);
    CHECK(strstr(text, "all:      x.findings.tsv\nheddle: warning: 1 send has no matching receive; its ") != NULL);
}

TEST(what_is_left_out_of_a_report_is_told_with_the_reason)
{
    hd_cube_left_out left_out[25] = { { "jitter", "it asks for \x1b random numbers" },
                                      { "twice", "it is computed from \"jitter\"" } };
    hd_cube          cube         = { .path = "a.cubex", .left_out = left_out };
    FILE            *out          = fmemopen(text, sizeof text, "w");

    hd_message_left_out(out, &cube);
    CHECK_EQ(ftell(out), 0);
    cube.n_left_out = 2;
    hd_message_left_out(out, &cube);
    fclose(out);
    CHECK_STR(text, "heddle: warning: 2 metrics of report \"a.cubex\" are omitted\n"
                    "  jitter: not computed, because it asks for \\x1b random numbers\n"
                    "  twice: not computed, because it is computed from \"jitter\"\n");
    for (int i = 2; i < 25; i++)
        left_out[i] = (hd_cube_left_out){ "m", "why" };
    cube.n_left_out = 25;
    out             = fmemopen(text, sizeof text, "w");
    hd_message_left_out(out, &cube);
    fclose(out);
    CHECK(strstr(text, "because why\n  and 5 more\n") != NULL);
}

TEST_MAIN
