/* tests/cli/test_options.c
 *   a command line, a table of options, and the struct that comes out
 */
#include "options.h"

#include "manual.h"

#include "check.h"

typedef struct fields {
    bool        help;
    const char *archive, *output;
    bool        force, quiet;
    uint32_t    threads, placement, hosts;
    uint64_t    limit;
    hd_duration from, to;
} fields;

static const hd_option table[] = {
    HD_OPTION_HELP,
    { "output", 'o', HD_TEXT, "(beside the archive)", "REPORT", "where to", offsetof(fields, output) },
    { "force", 'f', HD_FLAG, NULL, NULL, "replace", offsetof(fields, force) },
    { "quiet", 'q', HD_FLAG, NULL, NULL, "say nothing", offsetof(fields, quiet) },
    { "threads", 't', HD_COUNT, "3", "T", "threads", offsetof(fields, threads) },
    { "placement", 0, HD_CHOICE, "cyclic", "block|cyclic|node", "which", offsetof(fields, placement) },
    { "memory-limit", 0, HD_BYTES, NULL, "BYTES", "at most", offsetof(fields, limit) },
    { "from", 0, HD_TIME, "0", "T", "begin", offsetof(fields, from) },
    { "to", 0, HD_TIME, "END", "T", "end", offsetof(fields, to) },
    { "hosts", 0, HD_SMALL_COUNT, NULL, "N", "how many", offsetof(fields, hosts) },
};

static const hd_command command = { .name = "weave", .operand = "ARCHIVE", .operand_offset = offsetof(fields, archive),
    .former_letters = "l=memory-limit p=placement", .former_names = "strands=threads at=to a=from", .what = "weaves",
    .text = "Weaves.", .example = "", .options = table, .n_options = sizeof table / sizeof *table,
    .bytes = sizeof(fields) };

static fields    got;
static hd_status status;

static void
parse(int n, const char **arguments)
{
    status = hd_options_parse(&command, n, (char **)(uintptr_t)arguments, &got);
}
#define PARSE(...)                                                                                                     \
    parse((int)(sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *)), (const char *[]){ __VA_ARGS__ })

static int
says(const char *word)
{
    return strstr(hd_error_get()->text, word) != NULL || strstr(hd_error_get()->details, word) != NULL;
}

TEST(former_names_still_work)
{
    PARSE("--strands", "5", "a.otf2");
    CHECK_EQ(status, HD_OK);
    CHECK_EQ(got.threads, 5);
    PARSE("-a2", "--at=3", "a.otf2");
    CHECK_EQ(status, HD_OK);
    CHECK(got.from.seconds == 2 && got.to.seconds == 3);
    PARSE("--strand", "5", "a.otf2");
    CHECK_EQ(status, HD_EUSAGE);
    PARSE("--a=2", "a.otf2");
    CHECK_EQ(status, HD_EUSAGE);
}

TEST(what_is_not_given_has_its_default)
{
    PARSE("a.otf2");
    CHECK_EQ(status, HD_OK);
    CHECK_STR(got.archive, "a.otf2");
    CHECK(got.output == NULL && !got.force && got.limit == 0);
    CHECK_EQ(got.threads, 3);
    CHECK_EQ(got.placement, 1);
}

TEST(a_value_stands_behind_an_equals_sign_or_in_the_next_argument)
{
    PARSE("--threads=5", "--output", "x", "a");
    CHECK_EQ(status, HD_OK);
    CHECK_EQ(got.threads, 5);
    CHECK_STR(got.output, "x");
    PARSE("-t", "6", "a", "-oy");
    CHECK_EQ(status, HD_OK);
    CHECK_EQ(got.threads, 6);
    CHECK_STR(got.output, "y");
}

TEST(letters_can_stand_together)
{
    PARSE("-fqt7", "a");
    CHECK_EQ(status, HD_OK);
    CHECK(got.force && got.quiet);
    CHECK_EQ(got.threads, 7);
}

TEST(behind_two_hyphens_nothing_is_an_option)
{
    PARSE("--", "--force");
    CHECK_EQ(status, HD_OK);
    CHECK_STR(got.archive, "--force");
    CHECK(!got.force);
}

TEST(a_hyphen_alone_is_an_operand)
{
    PARSE("-");
    CHECK_EQ(status, HD_OK);
    CHECK_STR(got.archive, "-");
}

TEST(an_unknown_option_names_the_closest_one)
{
    PARSE("--forse", "a");
    CHECK_EQ(status, HD_EUSAGE);
    CHECK(says("--forse") && says("--force"));
    PARSE("--placment=node", "a");
    CHECK_EQ(status, HD_EUSAGE);
    CHECK(says("--placement"));
    PARSE("--xyzzy", "a");
    CHECK_EQ(status, HD_EUSAGE);
    CHECK(!says("closest"));
    PARSE("-x", "a");
    CHECK_EQ(status, HD_EUSAGE);
}

TEST(numbers_are_checked)
{
    PARSE("--threads=0", "a");
    CHECK_EQ(status, HD_EUSAGE);
    PARSE("--threads=-1", "a");
    CHECK_EQ(status, HD_EUSAGE);
    PARSE("--threads= 1", "a");
    CHECK_EQ(status, HD_EUSAGE);
    PARSE("--threads=1x", "a");
    CHECK_EQ(status, HD_EUSAGE);
    PARSE("--threads=4294967295", "a");
    CHECK_EQ(status, HD_EUSAGE);
    PARSE("--threads=99999999999999999999", "a");
    CHECK_EQ(status, HD_EUSAGE);
    PARSE("--threads=4294967294", "a");
    CHECK_EQ(status, HD_OK);
}

TEST(small_numbers_have_a_limit)
{
    PARSE("--hosts=65535", "a");
    CHECK_EQ(status, HD_OK);
    CHECK_EQ(got.hosts, 65535);
    PARSE("--hosts=65536", "a");
    CHECK_EQ(status, HD_EUSAGE);
    CHECK(says("--hosts") && says("65535") && says("\"65536\""));
}

TEST(bytes_have_units)
{
    PARSE("--memory-limit=3B", "a");
    CHECK_EQ(got.limit, 3);
    PARSE("--memory-limit=3GiB", "a");
    CHECK_EQ(got.limit, INT64_C(3) << 30);
    PARSE("--memory-limit=3MB", "a");
    CHECK_EQ(got.limit, 3 << 20);
    PARSE("--memory-limit=1048576", "a");
    CHECK_EQ(got.limit, 1 << 20);
    PARSE("--memory-limit=3k", "a");
    CHECK_EQ(got.limit, 3072);
    PARSE("--memory-limit", "2G", "a");
    CHECK_EQ(got.limit, INT64_C(2) << 30);
    PARSE("--memory-limit=16777216T", "a");
    CHECK_EQ(status, HD_EUSAGE);
    PARSE("--memory-limit=2KX", "a");
    CHECK_EQ(status, HD_EUSAGE);
    PARSE("--memory-limit=2BB", "a");
    CHECK_EQ(status, HD_EUSAGE);
    PARSE("--memory-limit=0", "a");
    CHECK_EQ(status, HD_EUSAGE);
}

TEST(a_small_number_of_bytes_needs_a_unit)
{
    PARSE("--memory-limit=64", "a");
    CHECK_EQ(status, HD_EUSAGE);
    CHECK(says("64 bytes") && says("64G or 64M") && says("64B"));
    PARSE("--memory-limit=1", "a");
    CHECK(says("a size of 1 byte:"));
    PARSE("--memory-limit=1048575", "a");
    CHECK_EQ(status, HD_EUSAGE);
}

TEST(what_was_typed_is_named)
{
    PARSE("-t", "0", "a");
    CHECK_EQ(status, HD_EUSAGE);
    CHECK(says("\"-t\" needs a number above 0, not \"0\"") && !says("--threads"));
    PARSE("--threads=0", "a");
    CHECK(says("\"--threads\" needs"));
    PARSE("-t");
    CHECK(says("\"-t\" needs a value: T"));
}

TEST(an_option_is_no_value_of_another)
{
    PARSE("--output", "-f", "a");
    CHECK_EQ(status, HD_EUSAGE);
    CHECK(says("\"--output\" needs a value: REPORT, and \"-f\" is an option") && says("--output=REPORT"));
    PARSE("-o", "--threads=2", "a");
    CHECK(says("\"-o\" needs a value: REPORT, and \"--threads=2\" is an option") && says("--output=REPORT"));
    PARSE("-o", "--", "a");
    CHECK_EQ(status, HD_EUSAGE);
    PARSE("--output=-f", "a");
    CHECK_EQ(status, HD_OK);
    PARSE("--output", "-x", "a");
    CHECK_STR(got.output, "-x");
}

TEST(a_letter_that_was_an_option_names_the_option)
{
    PARSE("-p", "node", "a");
    CHECK_EQ(status, HD_EUSAGE);
    CHECK(says("no option \"-p\"") && says("--placement"));
    PARSE("-l", "1G", "a");
    CHECK(says("--memory-limit"));
    PARSE("-x", "1G", "a");
    CHECK_EQ(status, HD_EUSAGE);
    CHECK(!says("now"));
}

TEST(standard_output_is_no_name_of_a_report)
{
    PARSE("-o", "-", "a");
    CHECK_EQ(status, HD_EUSAGE);
    CHECK(says("cannot write its REPORT to standard output") && says("./-"));
    PARSE("-o", "./-", "a");
    CHECK_EQ(status, HD_OK);
}

TEST(choices_are_words_of_the_table)
{
    PARSE("--placement=node", "a");
    CHECK_EQ(got.placement, 2);
    PARSE("--placement=no", "a");
    CHECK_EQ(status, HD_EUSAGE);
    CHECK(says("block|cyclic|node"));
    PARSE("--placement=", "a");
    CHECK_EQ(status, HD_EUSAGE);
}

TEST(values_are_neither_missing_nor_too_many)
{
    PARSE("a", "--output");
    CHECK_EQ(status, HD_EUSAGE);
    PARSE("a", "--output=");
    CHECK_EQ(status, HD_EUSAGE);
    PARSE("a", "--force=1");
    CHECK_EQ(status, HD_EUSAGE);
    PARSE("a", "b");
    CHECK_EQ(status, HD_EUSAGE);
    PARSE("--force");
    CHECK_EQ(status, HD_EUSAGE);
    CHECK(says("ARCHIVE"));
}

typedef struct list_fields {
    bool     help;
    hd_texts reports, rules;
    uint32_t n_before;
} list_fields;

static const hd_option list_table[] = {
    HD_OPTION_HELP,
    { "fail-if", 'F', HD_TEXTS, NULL, "RULE", "when to fail", offsetof(list_fields, rules) },
};

static const hd_command list_command =
    { .name = "ply", .operand = "A B...", .operand_offset = offsetof(list_fields, reports),
    .operands_min = 2, .operands_max = 3, .what = "plies", .text = "Plies.", .example = "", .options = list_table,
    .n_options = sizeof list_table / sizeof *list_table, .bytes = sizeof(list_fields) };

static list_fields lists;

static void
parse_lists_of(const hd_command *of, int n, const char **arguments)
{
    hd_options_fini(&list_command, &lists);
    status = hd_options_parse(of, n, (char **)(uintptr_t)arguments, &lists);
}

static void
parse_lists(int n, const char **arguments)
{
    parse_lists_of(&list_command, n, arguments);
}
#define PARSE_LISTS(...)                                                                                               \
    parse_lists((int)(sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *)), (const char *[]){ __VA_ARGS__ })

TEST(several_operands_are_kept_in_order_and_counted)
{
    PARSE_LISTS("a", "b");
    CHECK_EQ(status, HD_OK);
    CHECK_EQ(lists.reports.n, 2);
    CHECK_STR(lists.reports.text[0], "a");
    CHECK_STR(lists.reports.text[1], "b");
    PARSE_LISTS("a", "--", "b", "-c");
    CHECK_EQ(status, HD_OK);
    CHECK_EQ(lists.reports.n, 3);
    CHECK_STR(lists.reports.text[2], "-c");
    PARSE_LISTS("a");
    CHECK_EQ(status, HD_EUSAGE);
    CHECK(says("needs 2 operands") && says("A B...") && says("not 1"));
    PARSE_LISTS("a", "b", "c", "d");
    CHECK_EQ(status, HD_EUSAGE);
    CHECK(says("\"d\""));
    PARSE_LISTS("a", "--help");
    CHECK_EQ(status, HD_OK);
}

TEST(two_lists_of_operands_are_told_apart)
{
    hd_command two = list_command;

    two.split_offset = offsetof(list_fields, n_before);
    parse_lists_of(&two, 4, (const char *[]){ "a", "b", "--", "c" });
    CHECK_EQ(status, HD_OK);
    CHECK_EQ(lists.n_before, 2);
    CHECK_EQ(lists.reports.n, 3);
    parse_lists_of(&two, 5, (const char *[]){ "a", "--", "b", "--", "-c" }); /* the second one ends the options */
    CHECK_EQ(status, HD_OK);
    CHECK_EQ(lists.n_before, 1);
    CHECK_STR(lists.reports.text[2], "-c");
    parse_lists_of(&two, 3, (const char *[]){ "--", "-a", "b" }); /* so does one before all operands */
    CHECK_EQ(status, HD_OK);
    CHECK_EQ(lists.n_before, 0);
    CHECK_STR(lists.reports.text[0], "-a");
    parse_lists_of(&two, 4, (const char *[]){ "a", "--", "b", "-c" }); /* options may follow */
    CHECK_EQ(status, HD_EUSAGE);
}

TEST(operands_that_are_a_command_line_end_the_options)
{
    hd_command loom = list_command;

    loom.operand_ends_options = true;
    loom.operands_max         = UINT32_MAX;
    parse_lists_of(&loom, 7, (const char *[]){ "-Fx", "mpirun", "-n", "8", "-F", "--", "-h" });
    CHECK_EQ(status, HD_OK);
    CHECK(lists.reports.n == 6 && lists.rules.n == 1 && !lists.help);
    CHECK_STR(lists.reports.text[1], "-n");
    CHECK_STR(lists.reports.text[4], "--");
    parse_lists_of(&loom, 3, (const char *[]){ "--", "-n", "-F" });
    CHECK_EQ(status, HD_OK);
    CHECK(lists.reports.n == 2 && lists.rules.n == 0);
}

TEST(an_option_of_several_texts_is_repeated)
{
    PARSE_LISTS("a", "b");
    CHECK_EQ(lists.rules.n, 0);
    PARSE_LISTS("a", "--fail-if=x > 1", "b", "-Fy", "--fail-if", "z");
    CHECK_EQ(status, HD_OK);
    CHECK_EQ(lists.rules.n, 3);
    CHECK_STR(lists.rules.text[0], "x > 1");
    CHECK_STR(lists.rules.text[1], "y");
    CHECK_STR(lists.rules.text[2], "z");
    PARSE_LISTS("a", "b", "--fail-if=");
    CHECK_EQ(status, HD_EUSAGE);
    hd_options_fini(&list_command, &lists);
    lists = (list_fields){ 0 };
}

TEST(help_ends_the_command_line)
{
    PARSE("--help", "--nonsense");
    CHECK_EQ(status, HD_OK);
    CHECK(got.help);
}

TEST(help_and_manual_have_the_exit_codes_of_the_command)
{
    static char text[16384];

    for (int i = 0; i < 4; i++) {
        hd_command weave = command;
        FILE      *out   = fmemopen(text, sizeof text, "w");

        weave.exit_codes = i < 2 ? "4\tthe thread broke\n5\tno thread" : NULL;
        if (i % 2 == 0)
            hd_options_help(&weave, out, 96);
        else
            hd_manual_command(&weave, out);
        fclose(out);
        CHECK((strstr(text, "4") != NULL && strstr(text, "the thread broke") != NULL) == (i < 2));
        CHECK((strstr(text, "5") != NULL && strstr(text, "no thread") != NULL) == (i < 2));
    }
}

TEST(help_is_as_wide_as_it_is_told)
{
    static char text[16384];

    for (int width = 40; width <= 96; width += 28) {
        FILE *out     = fmemopen(text, sizeof text, "w");
        int   longest = 0;

        hd_options_wrapped(out, "a sentence of many short words which is longer than two lines of the narrowest of all "
                           "terminals", width, 6, 2);
        fclose(out);
        for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
            longest = (int)strlen(line) > longest ? (int)strlen(line) : longest;
        CHECK(longest <= width && longest > width - 12);
    }
}

TEST(help_and_manual_name_every_option)
{
    static char text[16384];

    for (int i = 0; i < 2; i++) {
        FILE *out = fmemopen(text, sizeof text, "w");

        if (i == 0)
            hd_options_help(&command, out, 96);
        else
            hd_manual_command(&command, out);
        fclose(out);
        for (size_t j = 0; j < command.n_options; j++) {
            char words[64], *p = words;

            for (const char *name = table[j].name; *name != '\0'; *p++ = *name++)
                if (i == 1 && *name == '-')
                    *p++ = '\\';
            *p = '\0';
            CHECK(strstr(text, words) != NULL);
        }
    }
}

TEST(times_have_a_unit_or_are_seconds)
{
    PARSE("a");
    CHECK_EQ(status, HD_OK);
    CHECK_EQ(hd_duration_ticks(got.from, 1000), 0);
    CHECK(hd_duration_is_end(got.to));
    PARSE("--from=1.5", "--to", "2500ms", "a");
    CHECK_EQ(status, HD_OK);
    CHECK_EQ(hd_duration_ticks(got.from, 1000), 1500);
    CHECK_EQ(hd_duration_ticks(got.to, 1000), 2500);
    PARSE("--from", "soon", "a");
    CHECK_EQ(status, HD_EUSAGE);
    CHECK(says("--from") && says("\"soon\"") && says("20ms"));
}

TEST_MAIN
