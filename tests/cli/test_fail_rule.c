/* tests/cli/test_fail_rule.c: rules on two reports: what is one, what it means, when it is met.
 *
 *   metric           A: main  main;solve  sum      B: main  main;solve  sum
 *   time [sec]            6       4        10           8       8        16
 *   mpi_latesender        0       1         1           0       1.04      1.04
 *   mpi_latereceiver      0       0         0           0       0.5       0.5
 *   bytes               1024    1024      2048        1024    3072      4096
 *   visits                3       7        10           3       7        10
 */
#include "fail_rule.h"

#include <math.h>
#include <stdio.h>

#include "../report/small_cube.h"
#include "check.h"
#include "memory.h"

enum { TIME, LATE_SENDER, LATE_RECEIVER, BYTES, VISITS, N_METRICS };
static const small_metric metrics[N_METRICS] =
    { { "time", "sec", HD_NONE, SMALL_REAL }, { "mpi_latesender", "sec", 0, SMALL_REAL },
    { "mpi_latereceiver", "sec", 0, SMALL_REAL }, { "bytes", "bytes", HD_NONE, SMALL_INTEGER },
    { "visits", "occ", HD_NONE, SMALL_INTEGER } };
static const small_path paths[] = { { "main", HD_NONE }, { "solve<a>b>", 0 } };
static const double values_a[N_METRICS][2] = { { 6, 4 }, { 0, 1 }, { 0, 0 }, { 1024, 1024 }, { 3, 7 } };
static const double values_b[N_METRICS][2] = { { 8, 8 }, { 0, 1.04 }, { 0, 0.5 }, { 1024, 3072 }, { 3, 7 } };

/* Half of it on each of two locations, for the integers all on the first. */
static hd_cube_cell
cell(const double (*values)[2], uint32_t metric, uint32_t path, uint32_t location)
{
    if (metrics[metric].kind == SMALL_INTEGER)
        return (hd_cube_cell){ .integer = location == 0 ? (int64_t)values[metric][path] : 0 };
    return (hd_cube_cell){ .real = values[metric][path] / 2 };
}

static hd_cube_cell
value_a(const small_cube *cube, uint32_t metric, uint32_t path, uint32_t location)
{
    (void)cube;
    return cell(values_a, metric, path, location);
}

static hd_cube_cell
value_b(const small_cube *cube, uint32_t metric, uint32_t path, uint32_t location)
{
    (void)cube;
    return cell(values_b, metric, path, location);
}

static const small_cube small_a = { metrics, paths, N_METRICS, 2, 2, 1, .value = value_a };
static const small_cube small_b = { metrics, paths, N_METRICS, 2, 2, 1, .value = value_b };

/* Checks rules in both reports. output: of hd_fail_rules_print(), free() it; NULL: not wanted. */
static hd_status
check(hd_fail_rules *rules, size_t *n_met, char **output, bool is_markdown)
{
    hd_cube      *cubes[]   = { small_cube_open(&small_a, "rule_a.cubex"), small_cube_open(&small_b, "rule_b.cubex") };
    hd_alignment *alignment = hd_alignment_new(cubes, 2, (hd_alignment_options){ .one_program = true });
    hd_status     status    = hd_fail_rules_check(rules, alignment, n_met);
    size_t        bytes;

    if (status == HD_OK && output != NULL) {
        FILE *file = open_memstream(output, &bytes);

        hd_fail_rules_print(rules, alignment, *n_met, file, is_markdown);
        fclose(file);
    }
    hd_alignment_free(alignment);
    hd_cube_close(cubes[0]);
    hd_cube_close(cubes[1]);
    return status;
}

/* Whether it is met; found: out, what was compared. */
static bool
is_met(const char *text, double *found)
{
    hd_fail_rules rules = { 0 };
    size_t        n_met = 9;
    bool          met;

    CHECK_EQ(hd_fail_rules_add(&rules, text), HD_OK);
    CHECK_EQ(check(&rules, &n_met, NULL, false), HD_OK);
    met    = n_met == 1;
    *found = rules.rules[0].found;
    CHECK(n_met <= 1 && rules.rules[0].is_met == met);
    hd_fail_rules_fini(&rules);
    return met;
}

static void
check_rule(const char *text, bool met, double found)
{
    double got;

    if (is_met(text, &got) != met || !(fabs(got - found) <= 1e-9 * fabs(found) || got == found)) {
        printf("rule %s: %.17g, expected %s, %.17g\n", text, got, met ? "met" : "not met", found);
        CHECK(false);
    }
    CHECK(true);
}

TEST(a_limit_in_percent_is_of_what_a_has)
{
    check_rule("time > +59%", true, 60);
    check_rule("time > +60%", false, 60);
    check_rule("mpi_latesender > +3.9%", true, 4);
    check_rule("mpi_latesender > +5%", false, 4);
    check_rule("visits > +0%", false, 0);
    check_rule("visits < -1%", false, 0);
    check_rule("bytes > +99.9 %", true, 100);
    check_rule("time < +61%", true, 60);
}

TEST(what_a_does_not_have_has_grown_infinitely)
{
    check_rule("mpi_latereceiver > +5%", true, INFINITY);
    check_rule("mpi_latereceiver > +1e300%", true, INFINITY);
    check_rule("mpi_latereceiver at main;solve<a>b> > +0%", true, INFINITY);
}

TEST(a_limit_with_a_sign_is_a_change_in_the_unit_of_the_metric)
{
    check_rule("time > +5.9s", true, 6);
    check_rule("time > +6 s", false, 6);
    check_rule("time > +5999ms", true, 6);
    check_rule("time>+6000000us", false, 6);
    check_rule("time < -1s", false, 6);
    check_rule("bytes > +1KiB", true, 2048);
    check_rule("bytes > +2KiB", false, 2048);
    check_rule("visits > -1", true, 0);
    check_rule("visits < +1 occ", true, 0);
}

TEST(a_limit_without_a_sign_is_the_value_of_b)
{
    check_rule("time > 15", true, 16);
    check_rule("time > 16 sec", false, 16);
    check_rule("bytes < 4097B", true, 4096);
    check_rule("mpi_latesender > 1s", true, 1.04);
}

TEST(a_limit_may_be_a_share_of_the_time)
{
    check_rule("mpi_latesender > 6%time", true, 6.5);
    check_rule("mpi_latesender > 7 %time", false, 6.5);
    check_rule("mpi_latesender < -3.4%time", true, 6.5 - 10);
    check_rule("mpi_latereceiver > +3%time", true, 3.125);
    check_rule("time > 99%time", true, 100);
}

TEST(a_rule_may_be_of_a_call_path_whose_name_has_the_operators_in_it)
{
    check_rule("time at solve<a>b> > +99%", true, 100);
    check_rule("time at main > +59%", true, 60); /* and what it calls */
    check_rule("time at main;solve<a>b> > +100%", false, 100);
}

TEST(what_is_no_rule_is_an_error)
{
    static const char *const bad[] = { "", "time", "> 5", "time 5", "time >", "time > ", "time > fast", "time > +",
                                       "time > 5%", "time > +5%mpi",
                                       "time > +5% mpi", "time > ++5", "time > 0x10", "time > 1e999", "time > nan",
                                       "time > inf%", "time at > 5",
                                       "time in main > 5", "time solve > 5", "time at\t> 5", "time == 5", "time >= 5",
                                       "time > 5 > s" };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        hd_fail_rules rules  = { 0 };
        hd_status     status = hd_fail_rules_add(&rules, bad[i]);

        if (status != HD_EUSAGE)
            printf("\"%s\" is taken for a rule\n", bad[i]);
        CHECK_EQ(status, HD_EUSAGE);
        hd_fail_rules_fini(&rules);
    }
}

TEST(a_rule_that_does_not_fit_the_reports_is_an_error)
{
    static const char *const bad[][2] =
        { { "mpi_latesendr > +5%", "mpi_latesendr" }, { "time > 5B", "\"B\"" }, { "bytes > 5s", "\"s\"" },
          { "visits > 5ms", "\"ms\"" }, { "bytes > 5%time", "no time" }, { "time at nowhere > +5%", "nowhere" } };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        hd_fail_rules rules = { 0 };
        size_t        n_met = 7;

        CHECK_EQ(hd_fail_rules_add(&rules, bad[i][0]), HD_OK);
        CHECK_EQ(check(&rules, &n_met, NULL, false), HD_EUSAGE);
        CHECK(strstr(hd_error_get()->text, bad[i][1]) != NULL);
        CHECK_EQ(n_met, 7);
        hd_fail_rules_fini(&rules);
    }
    CHECK(strstr(hd_error_get()->details, "call path") != NULL);
}

TEST(each_rule_has_to_fit_whatever_those_before_it_are)
{
    hd_fail_rules rules = { 0 };
    size_t        n_met = 7;

    CHECK_EQ(hd_fail_rules_add(&rules, "mpi_latesender > 5%time"), HD_OK);
    CHECK_EQ(hd_fail_rules_add(&rules, "bytes > 5%time"), HD_OK);
    CHECK_EQ(check(&rules, &n_met, NULL, false), HD_EUSAGE);
    CHECK(strstr(hd_error_get()->text, "bytes") != NULL && strstr(hd_error_get()->text, "no time") != NULL);
    hd_fail_rules_fini(&rules);
}

static void
write_file(const char *text)
{
    FILE *file = fopen("rules.txt", "w");

    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        hd_fatal("rules.txt cannot be written");
}

TEST(a_file_has_a_rule_on_each_line)
{
    hd_fail_rules rules = { 0 };
    size_t        n_met = 0;

    write_file("# what must not happen\n\n  time > +10%   # too slow\r\nvisits > +0%\n\t\nmpi_latereceiver > 0.4s");
    CHECK_EQ(hd_fail_rules_read(&rules, "rules.txt"), HD_OK);
    CHECK_EQ(rules.n, 3);
    CHECK_STR(rules.rules[0].text, "time > +10%");
    CHECK_EQ(check(&rules, &n_met, NULL, false), HD_OK);
    CHECK_EQ(n_met, 2);
    hd_fail_rules_fini(&rules);
    write_file("time > +10%\n\ntime > fast\n");
    CHECK_EQ(hd_fail_rules_read(&rules, "rules.txt"), HD_EUSAGE);
    CHECK(strstr(hd_error_get()->details, "3 of \"rules.txt\"") != NULL);
    hd_fail_rules_fini(&rules);
    CHECK_EQ(hd_fail_rules_read(&rules, "no-such-rules.txt"), HD_EOPEN);
    CHECK_EQ(hd_fail_rules_read(&rules, "."), HD_EREAD);
    hd_fail_rules_fini(&rules);
}

TEST(what_came_out_is_told_in_lines_and_as_a_table)
{
    hd_fail_rules rules = { 0 };
    char         *output = NULL;
    size_t        n_met;

    CHECK_EQ(hd_fail_rules_add(&rules, "time > +50%"), HD_OK);
    CHECK_EQ(hd_fail_rules_add(&rules, "mpi_latereceiver > +5%"), HD_OK);
    CHECK_EQ(hd_fail_rules_add(&rules, "bytes at solve<a>b> > 1MiB"), HD_OK);
    CHECK_EQ(check(&rules, &n_met, &output, false), HD_OK);
    CHECK_STR(output, "\nRules: 2 of 3 violated\n"
                      "  violated      time > +50%                 +60 % (A: 10, B: 16 sec)\n"
                      "  violated      mpi_latereceiver > +5%      A has none (A: 0, B: 0.5 sec)\n"
                      "  passed        bytes at solve<a>b> > 1MiB  3072 bytes (A: 1024, B: 3072 bytes)\n");
    free(output);
    output = NULL;
    hd_fail_rules_fini(&rules);
    CHECK_EQ(hd_fail_rules_add(&rules, "time at solve<a>b> > +50%"), HD_OK);
    CHECK_EQ(check(&rules, &n_met, &output, true), HD_OK);
    CHECK_STR(output, "### Heddle: 1 of 1 rule violated\n\n| | rule | A | B | found |\n| :-- | :-- | --: | --: | :-- "
              "|\n"
                      "| **violated** | `time at solve<a>b> > +50%` | 4 | 8 | +100 % |\n\n");
    free(output);
    hd_fail_rules_fini(&rules);
}

TEST_MAIN
