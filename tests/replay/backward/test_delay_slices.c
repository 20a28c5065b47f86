/* tests/replay/backward/test_delay_slices.c: delay costs over windows and iterations
 * (docs/metrics.md#delay-costs-over-time). Random programs are compared with the oracle
 * (tests/oracle/compare_delay_series.py).
 *
 *   ticks       0        30 40                      100                  200   windows of 50
 *   process 0   [foo                               ][send                      delays by 60, and by 60 in the long term
 *   process 1   [foo        ][recv·················][send                      delays by 10
 *   process 2   [foo    ][recv·····················]                           waits 70
 */
#include <stdlib.h>

#include "check.h"
#include "memory.h"
#include "situation.h"

/* A line with so many parts of a tick in slices from `first` on. */
static bool
has(tw_report r, const char *metric, int process, const char *costs)
{
    char *line = hd_format("\n%s\t%d\t1\t256000000\t%s\n", metric, process, costs);
    bool  has  = strstr(tw_delays(r), line) != NULL;

    free(line);
    return has;
}

/* A line of a call path that ends so: processes, first slice, costs of all, most of a process, which that is. */
static bool
has_path(tw_report r, const char *metric, const char *end)
{
    char *begin = hd_format("\n%s\t", metric), *wanted = hd_format("\t256000000\t%s\n", end);
    bool  has   = false;

    for (const char *line = strstr(tw_delays(r), begin); line != NULL && !has; line = strstr(line + 1, begin)) {
        const char *at = strstr(line + 1, wanted), *next = strchr(line + 1, '\n');

        has = at != NULL && next != NULL && at < next;
    }
    free(begin);
    free(wanted);
    return has;
}

static const tw_op chain[] = {
    { .process = 0, .op = TW_INIT, .enter = 0, .leave = 0 },
    { .process = 0, .op = TW_USER, .region = "foo", .enter = 0, .leave = 100 },
    { .process = 0, .op = TW_SEND, .enter = 100, .leave = 100, .peer = 1 },
    { .process = 0, .op = TW_FINALIZE, .enter = 200, .leave = 210 },
    { .process = 1, .op = TW_INIT, .enter = 0, .leave = 0 },
    { .process = 1, .op = TW_USER, .region = "foo", .enter = 0, .leave = 40 },
    { .process = 1, .op = TW_RECV, .enter = 40, .leave = 100, .peer = 0 },
    { .process = 1, .op = TW_SEND, .enter = 100, .leave = 100, .peer = 2 },
    { .process = 1, .op = TW_FINALIZE, .enter = 200, .leave = 210 },
    { .process = 2, .op = TW_INIT, .enter = 0, .leave = 0 },
    { .process = 2, .op = TW_USER, .region = "foo", .enter = 0, .leave = 30 },
    { .process = 2, .op = TW_RECV, .enter = 30, .leave = 100, .peer = 1 },
    { .process = 2, .op = TW_FINALIZE, .enter = 200, .leave = 210 },
};

TEST(a_cost_is_shared_among_the_windows_of_the_delay_also_in_the_long_term)
{
    tw_report r = tw_analyze_with(chain, TW_LEN(chain), .arguments = "--windows 4 --series all");

    CHECK(has(r, "delay_latesender", 0, "1\t7680,7680"));
    CHECK(has(r, "delay_latesender", 1, "1\t1280,1280"));
    CHECK(has(r, "delay_latesender_longterm", 0, "1\t7680,7680"));
    CHECK(!has(r, "delay_latesender_longterm", 1, "1\t7680,7680"));
    CHECK(has_path(r, "delay_latesender", "1\t1\t8960,8960\t7680,7680\t0,0"));
    CHECK(has_path(r, "delay_latesender_longterm", "1\t1\t7680,7680\t7680,7680\t0,0"));
    CHECK_SPAN(r, "delay_latesender", process(0), 60);
    CHECK_SPAN(r, "delay_latesender_longterm", process(0), 60);
}

TEST(no_part_of_a_cost_is_lost)
{
    tw_report r = tw_analyze_with(chain, TW_LEN(chain), .arguments = "--windows 3 --series all"); /* 66, 67, 67 ticks */

    CHECK(has(r, "delay_latesender", 1, "1\t1689,871")); /* 10 ticks are 2560 parts, 66 % of which are 1689.6 */
}

TEST(without_all_series_or_without_delay_costs_there_are_none)
{
    CHECK(*tw_delays(tw_analyze_with(chain, TW_LEN(chain), .arguments = "--windows 4")) == '\0');
    CHECK(*tw_delays(tw_analyze_with(chain, TW_LEN(chain), .arguments = "--series all --no-delay")) == '\0');
    CHECK(*tw_delays(tw_analyze_with(chain, TW_LEN(chain), .arguments = "--series all --no-series")) == '\0');
}

/*   ticks       0   10      40     60            100     iterations of process 0; process 1 has none
 *   process 0   ····[ step  ]······[ step        ][send  delays by 60 in its interval from 0 to 100
 *   process 1   ··················[recv ·········]
 */
static const tw_op iterations[] = {
    { .process = 0, .op = TW_INIT, .enter = 0, .leave = 0 },
    { .process = 0, .op = TW_USER, .region = "step", .enter = 10, .leave = 40 },
    { .process = 0, .op = TW_USER, .region = "step", .enter = 60, .leave = 100 },
    { .process = 0, .op = TW_SEND, .enter = 100, .leave = 100, .peer = 1 },
    { .process = 0, .op = TW_FINALIZE, .enter = 200, .leave = 210 },
    { .process = 1, .op = TW_INIT, .enter = 0, .leave = 0 },
    { .process = 1, .op = TW_RECV, .enter = 40, .leave = 100, .peer = 0 },
    { .process = 1, .op = TW_FINALIZE, .enter = 200, .leave = 210 },
};

TEST(a_cost_is_shared_among_iterations_and_what_is_before_and_between_them)
{
    tw_report r = tw_analyze_with(iterations, TW_LEN(iterations), .arguments = "--series all --iterations step");

    CHECK(has(r, "delay_latesender", 0, "0\t1536,4608,6144,,3072"));
    CHECK(has_path(r, "delay_latesender", "1\t0\t1536,4608,6144,,3072\t1536,4608,6144,,3072\t0,0,0,,0"));
}

/*   ticks       0        50               100    the records end at 101, the run at 102
 *   thread 0    [foo     ]F[ parallel]J[bar       the team has 2 threads: foo makes one idle for 50, bar for 40
 *   thread 1    ·········· [ parallel]
 */
static const tw_op team[] = {
    { .process = 0, .op = TW_USER, .region = "foo", .enter = 0, .leave = 50 },
    { .process = 0, .op = TW_FORK, .enter = 50, .leave = 60 },
    { .process = 0, .op = TW_TEAM, .enter = 50, .leave = 60 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 50, .leave = 60 },
    { .process = 0, .op = TW_USER, .region = "bar", .enter = 60, .leave = 100 },
};

TEST(idle_threads_cost_from_the_last_join_to_the_fork_or_to_the_end)
{
    tw_report r = tw_analyze_with(team, TW_LEN(team), .arguments = "--series all --windows 5");

    CHECK(has(r, "delay_ompidle", 0, "1\t5120,5120,2815,5120,5121")); /* 41 from 60 to 101, cut at 61 and 81 */
    CHECK_SPAN(r, "delay_ompidle", process(0), 91);
}

TEST_MAIN
