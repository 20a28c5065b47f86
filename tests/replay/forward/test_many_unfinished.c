/* tests/replay/forward/test_many_unfinished.c: very many processes wait in one operation for one that does not come.
 * What is told of them takes no more room than of three, and nothing takes time that is quadratic.
 */
#include "check.h"
#include "memory.h"
#include "situation.h"

enum { MANY = 4000, MISSING = 1321 };

TEST(many_in_a_barrier_are_one_node)
{
    tw_op      *ops       = HD_NEW_ARRAY(tw_op, MANY);
    hd_time    *end_times = HD_NEW_ARRAY(hd_time, MANY);
    tw_options  options   = { .ends = end_times, .archive = { .without_definitions = true } };
    const char *text;

    for (uint32_t i = 0; i < MANY; i++) {
        ops[i]       = (tw_op){ .process = i, .op = i == MISSING ? TW_USER : TW_BARRIER, .enter = 11, .leave = 900 };
        end_times[i] = 50;
    }
    text = tw_waits(tw_analyze_with(ops, MANY, .exit_code = 3, .options = &options,
                                    .arguments = "--no-delay --no-critical-path"));
    CHECK(strstr(text, "\n0\twaits\t0-1320,1322-3999\t3999\t") != NULL);
    CHECK(strstr(text, "\n1\tstopped\t1321\t1\t") != NULL);
    CHECK(strstr(text, "\n2\toperation\t\t0\t\t\t\t\t0\tMPI_Barrier\tMPI_COMM_WORLD\t1\tall\t") != NULL);
    CHECK(strstr(text, "\n0\t2\tcollective\t\t\tno\n2\t1\tmember\t\t\tno\ndigraph") != NULL);
    CHECK(strlen(text) < 2000);
    free(ops);
    free(end_times);
}

TEST_MAIN
