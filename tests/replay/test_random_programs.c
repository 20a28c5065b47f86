/* tests/replay/test_random_programs.c: random legal programs, analysed in several ways with equal results.
 *
 * Nothing is known of what they wait for; but whatever is reported keeps the invariants of the metrics, does not depend
 * on how the analysis was run, and nothing is left without a partner. TW_SEEDS="FIRST LAST" in the environment: other
 * seeds.
 */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "memory.h"
#include "situation.h"

static void
random_write(uint32_t seed, const char *directory)
{
    const char *given   = getenv("TW_RANDOM");
    const char *program = given == NULL ? "./tw_random" : given;
    char       *number  = hd_format("%" PRIu32, seed);
    pid_t       child   = fork();
    int         status  = -1;

    if (child == 0) {
        execl(program, program, number, directory, (char *)NULL);
        _exit(127);
    }
    waitpid(child, &status, 0);
    CHECK_EQ(status, 0);
    free(number);
}

static uint32_t
processes_of(const char *directory)
{
    uint32_t n = 0;

    for (;; n++) {
        char *path  = hd_format("%s/traces/%" PRIu32 ".evt", directory, n);
        int   there = access(path, R_OK);

        free(path);
        if (there != 0)
            return n;
    }
}

static void
seed_check(uint32_t seed)
{
    static const char *const never[] =
        { "unmatched-receive", "unmatched-send", "unmatched-collective", "mixed-collective",
          "no-events", "cut-events", "no-definitions", "unknown-reference", "unbalanced",
          "outside-call", "time-backwards", "stopped", "more-events", "unknown-kind" };
    static const tw_run      plain;
    char                     folder[] = "/tmp/heddle-random-XXXXXX";
    char                    *directory, *anchor;
    tw_report                r;
    int                      before = check_failures;

    CHECK(mkdtemp(folder) != NULL);
    directory = hd_format("%s/trace", folder);
    anchor    = hd_format("%s/traces.otf2", directory);
    random_write(seed, directory);
    r = tw_analyze_archive(anchor, processes_of(directory), 1e6, 0, &plain);
    CHECK_STR(tw_problems(r), "");
    for (size_t i = 0; i < TW_LEN(never); i++)
        if (tw_finding(r, never[i]) != 0) {
            CHECK_EQ(tw_finding(r, never[i]), 0);
            printf("    %s\n", never[i]);
        }
    CHECK(tw_value(r, "time", NULL, process(0)) > 0);
    if (check_failures != before)
        printf("    seed %" PRIu32 "\n", seed);
    tw_remove(folder);
    free(directory);
    free(anchor);
}

TEST(random_programs_have_equal_reports_and_no_loose_ends)
{
    uint32_t first = 1, last = 12;

    if (getenv("TW_SEEDS") != NULL)
        sscanf(getenv("TW_SEEDS"), "%" SCNu32 " %" SCNu32, &first, &last);
    for (uint32_t seed = first; seed <= last; seed++)
        seed_check(seed);
}

TEST_MAIN
