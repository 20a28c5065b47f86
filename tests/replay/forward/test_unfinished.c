/* tests/replay/forward/test_unfinished.c: programs that were stopped while processes waited, and who waits for whom
 * then.
 *
 * Expected tables leave out what no test varies: see nodes_and_waits().
 *
 *   ticks       10        20        50 (all recordings end)
 *   process 0   [ssend to 1·········
 *   process 1   ··········[ssend to 0···     a deadlock
 */
#include <stdio.h>

#include "check.h"
#include "memory.h"
#include "situation.h"

#define NEVER 900        /* leave of a call that is not left */
#define WHOLE UINT64_MAX /* a recording that does not end early */

/* Both tables without their heads and empty ends of lines. A node: kind, processes, call path, first, last [ticks],
 * cut, operation and its number, needs, cycle, blocked, next, end. A wait: from, to, kind, tag, doubtful. free() it. */
static char *
nodes_and_waits(tw_report r)
{
    char  *text = hd_strdup(tw_waits(r)), *next = text, *line, *out = NULL;
    size_t bytes = 0;
    FILE  *file  = open_memstream(&out, &bytes);
    bool   is_wait = false;

    REQUIRE(file != NULL);
    while ((line = strsep(&next, "\n")) != NULL && strncmp(line, "digraph", 7) != 0) {
        char *fields[20] = { NULL }, *field;
        int   n = 0;

        if (strncmp(line, "node\t", 5) == 0 || strncmp(line, "from\t", 5) == 0) {
            is_wait = *line == 'f';
            continue;
        }
        while ((field = strsep(&line, "\t")) != NULL && n < 20)
            fields[n++] = field;
        if (n == 6 && is_wait)
            fprintf(file, "%s>%s %s%s%s%s\n", fields[0], fields[1], fields[2], *fields[4] != '\0' ? " " : "", fields[4],
                    strcmp(fields[5], "yes") == 0 ? " doubtful" : "");
        else if (n == 17) {
            fprintf(file, "%s %s %s%s", fields[0], fields[1], fields[2], *fields[2] != '\0' ? " " : "");
            if (*fields[6] != '\0')
                fprintf(file, "at %s since %.0f to %.0f ", *fields[5] != '\0' ? fields[5] : "-",
                        strtod(fields[6], NULL) * 1e6, strtod(fields[7], NULL) * 1e6);
            if (*fields[9] != '\0')
                fprintf(file, "%s %s %s ", fields[9], fields[11], fields[12]);
            fprintf(file, "cycle %s %s next %s end %s%s\n", fields[13], fields[14], fields[15], fields[16],
                    strcmp(fields[8], "0") == 0 ? "" : " cut");
        } else if (n > 1)
            fprintf(file, "a line of %d fields\n", n);
    }
    fclose(file);
    free(text);
    return out;
}

static void
check_waits(tw_report r, const char *expected, const char *file, int line)
{
    char *text = nodes_and_waits(r);

    check_string(text, expected, "who waits for whom", file, line);
    free(text);
}

#define CHECK_WAITS(ops, end_times, expected, ...)                                                                     \
    check_waits(tw_analyze_with(ops, TW_LEN(ops), .exit_code = 3,                                                      \
                                .options = &(tw_options){ .ends = end_times, __VA_ARGS__ }),                           \
                expected, __FILE__, __LINE__)

static const tw_op sends[] = {
    { .process = 0, .op = TW_SSEND, .enter = 10, .leave = NEVER, .peer = 1, .tag = 7 },
    { .process = 1, .op = TW_SSEND, .enter = 20, .leave = NEVER, .peer = 0, .tag = 8 },
};
static const hd_time both[] = { 50, 50, 50, 50 };

TEST(two_that_send_to_each_other)
{
    CHECK_WAITS(sends, both,
                "0 waits 0 at 2 since 10 to 10 cycle 1 certain next  end 0\n"
                "1 waits 1 at 2 since 20 to 20 cycle 1 certain next  end 0\n"
                "0>1 send 7\n1>0 send 8\n");
}

/* It is about the end of the recording, whatever part of the run is reported, and however. */
TEST(waits_are_those_at_the_end_of_the_recording)
{
    static const char *const arguments[] =
        { "--from 0.000012 --to 0.000015", "--compat=scout26", "--no-delay --no-critical-path" };
    static const tw_options  options     = { .ends = both };

    for (size_t i = 0; i < TW_LEN(arguments); i++)
        check_waits(tw_analyze_with(sends, TW_LEN(sends), .exit_code = 3, .options = &options,
                                    .arguments = arguments[i]),
                    "0 waits 0 at 2 since 10 to 10 cycle 1 certain next  end 0\n"
                    "1 waits 1 at 2 since 20 to 20 cycle 1 certain next  end 0\n"
                    "0>1 send 7\n1>0 send 8\n",
                    __FILE__, __LINE__);
}

/* Of a receive that is not left it is not recorded whose message it waits for; but nobody is there that could send
 * one. */
static const tw_op receives[] = {
    { .process = 0, .op = TW_RECV, .enter = 10, .leave = NEVER, .peer = 1 },
    { .process = 1, .op = TW_RECV, .enter = 20, .leave = NEVER, .peer = 0 },
};

TEST(two_that_receive_from_each_other)
{
    CHECK_WAITS(receives, both,
                "0 waits 0-1 at 2 since 10 to 20 cycle 1 certain next  end 0\n"
                "1 unknown cycle 1 certain next  end 0\n"
                "0>1 receive\n");
}

static const hd_time first_only[] = { 50, WHOLE };

TEST(one_that_receives_though_all_others_have_finished)
{
    static const tw_op ops[] = {
        { .process = 0, .op = TW_RECV, .enter = 10, .leave = NEVER, .peer = 1 },
        { .process = 1, .op = TW_USER, .enter = 20, .leave = 30 },
    };

    CHECK_WAITS(ops, first_only,
                "0 waits 0 at 2 since 10 to 10 cycle  certain next 1 end 1\n"
                "1 unknown cycle  certain next  end 1\n"
                "0>1 receive\n");
}

/* A message is there: perhaps it is not the one that process 1 waits for. */
TEST(a_send_to_one_that_receives_is_a_doubt)
{
    static const tw_op ops[] = {
        { .process = 0, .op = TW_SSEND, .enter = 10, .leave = NEVER, .peer = 1, .tag = 1 },
        { .process = 1, .op = TW_RECV, .enter = 20, .leave = NEVER, .peer = 0, .tag = 2 },
    };

    CHECK_WAITS(ops, both,
                "0 waits 0 at 2 since 10 to 10 cycle 1 likely next  end 0\n"
                "1 waits 1 at 3 since 20 to 20 cycle 1 likely next  end 0\n"
                "2 unknown cycle 1 likely next  end 0\n"
                "0>1 send 1 doubtful\n1>2 receive doubtful\n");
}

TEST(a_ring_of_four)
{
    static const tw_op ops[] = {
        { .process = 0, .op = TW_SEND, .enter = 11, .leave = NEVER, .peer = 1 },
        { .process = 1, .op = TW_SEND, .enter = 12, .leave = NEVER, .peer = 2 },
        { .process = 2, .op = TW_SEND, .enter = 13, .leave = NEVER, .peer = 3 },
        { .process = 3, .op = TW_SEND, .enter = 14, .leave = NEVER, .peer = 0 },
    };

    CHECK_WAITS(ops, both,
                "0 waits 0 at 2 since 11 to 11 cycle 1 certain next  end 0\n"
                "1 waits 1 at 2 since 12 to 12 cycle 1 certain next  end 0\n"
                "2 waits 2 at 2 since 13 to 13 cycle 1 certain next  end 0\n"
                "3 waits 3 at 2 since 14 to 14 cycle 1 certain next  end 0\n"
                "0>1 send 0\n1>2 send 0\n2>3 send 0\n3>0 send 0\n");
}

/*   process 1   ····[work····          crashed
 *   process 2   ··[ssend to 1·····     waits for it, having received what 0 sent
 *   process 3   ···[wait: isend to 2·· waits for 2
 */
static const tw_op chain[] = {
    { .process = 0, .op = TW_SSEND, .enter = 2, .leave = 8, .peer = 2 },
    { .process = 1, .op = TW_USER, .enter = 30, .leave = NEVER },
    { .process = 2, .op = TW_RECV, .enter = 1, .leave = 9, .peer = 0 },
    { .process = 2, .op = TW_SSEND, .enter = 20, .leave = NEVER, .peer = 1, .tag = 7 },
    { .process = 3, .op = TW_ISEND, .enter = 22, .leave = 24, .peer = 2, .tag = 5, .request = 1 },
    { .process = 3, .op = TW_WAIT, .enter = 25, .leave = NEVER, .requests = TW_REQUESTS(1) },
};
static const hd_time but_the_first[] = { WHOLE, 50, 50, 50 };

TEST(a_chain_ends_at_the_process_that_stopped)
{
    CHECK_WAITS(chain, but_the_first,
                "0 stopped 1 at 3 since 30 to 30 cycle  no next  end 0\n"
                "1 waits 2 at 2 since 20 to 20 cycle  no next 0 end 0\n"
                "2 waits 3 at 6 since 25 to 25 cycle  no next 1 end 0\n"
                "1>0 send 7\n2>1 send 5\n");
}

/* Process 1 received it: that process 0 left the call was not recorded, no more. */
TEST(a_message_that_was_received_keeps_nobody_waiting)
{
    static const tw_op ops[] = {
        { .process = 0, .op = TW_SSEND, .enter = 10, .leave = NEVER, .peer = 1 },
        { .process = 1, .op = TW_RECV, .enter = 15, .leave = 20, .peer = 0 },
        { .process = 1, .op = TW_USER, .enter = 25, .leave = NEVER },
    };

    CHECK_WAITS(ops, both,
                "0 stopped 0 at 2 since 10 to 10 cycle  no next  end 0\n"
                "1 stopped 1 at 4 since 25 to 25 cycle  no next  end 1\n");
}

/* The second barrier of the world, which process 2 does not reach. */
static const tw_op barriers[] = {
    { .process = 0, .op = TW_BARRIER, .enter = 5, .leave = 9 },
    { .process = 0, .op = TW_BARRIER, .enter = 11, .leave = NEVER },
    { .process = 1, .op = TW_BARRIER, .enter = 6, .leave = 9 },
    { .process = 1, .op = TW_BARRIER, .enter = 12, .leave = NEVER },
    { .process = 2, .op = TW_BARRIER, .enter = 7, .leave = 9 },
    { .process = 2, .op = TW_USER, .enter = 13, .leave = NEVER },
    { .process = 3, .op = TW_BARRIER, .enter = 8, .leave = 9 },
    { .process = 3, .op = TW_BARRIER, .enter = 14, .leave = NEVER },
};

TEST(a_barrier_without_one)
{
    CHECK_WAITS(barriers, both,
                "0 waits 0-1,3 at 2 since 11 to 14 cycle  no next 2 end 1\n"
                "1 stopped 2 at 3 since 13 to 13 cycle  no next  end 1\n"
                "2 operation MPI_Barrier 2 all cycle  no next 1 end 1\n"
                "0>2 collective\n2>1 member\n");
}

/* All are in one call: the time limit came while it was on. */
static const tw_op reductions[] = {
    { .process = 0, .op = TW_ALLREDUCE, .enter = 11, .leave = NEVER },
    { .process = 1, .op = TW_ALLREDUCE, .enter = 12, .leave = NEVER },
};
static const tw_comm one_more[] = { { .name = "a", TW_PROCESSES(0, 1) } };

TEST(all_in_one_operation_do_not_wait)
{
    static const char stopped[] = "0 stopped 0-1 at 2 since 11 to 12 cycle  no next  end 0\n";

    CHECK_WAITS(reductions, both, stopped);
    CHECK_WAITS(reductions, both, stopped, .comms = one_more, .n_comms = 1);
}

static const tw_op mismatch[] = {
    { .process = 0, .op = TW_BARRIER, .enter = 11, .leave = NEVER },
    { .process = 1, .op = TW_ALLREDUCE, .enter = 12, .leave = NEVER },
};

TEST(different_operations_wait_for_each_other)
{
    CHECK_WAITS(mismatch, both,
                "0 waits 0 at 2 since 11 to 11 cycle 1 certain next  end 0\n"
                "1 waits 1 at 3 since 12 to 12 cycle 1 certain next  end 0\n"
                "2 operation MPI_Barrier 1 all cycle 1 certain next  end 0\n"
                "3 operation MPI_Allreduce 1 all cycle 1 certain next  end 0\n"
                "0>2 collective\n1>3 collective\n2>1 member\n3>0 member\n");
}

/* Process 0 is in a barrier of X, process 1 in an operation of Y, both of both. Records do not tell on which
 * communicator, the world or one of these. With another operation they cannot be together on any. */
static const tw_comm crossed_comms[] = { { .name = "X", TW_PROCESSES(0, 1) }, { .name = "Y", TW_PROCESSES(1, 0) } };

static const tw_op crossed[] = {
    { .process = 0, .op = TW_BARRIER, .enter = 11, .leave = NEVER, .comm = TW_COMM(0) },
    { .process = 1, .op = TW_ALLREDUCE, .enter = 12, .leave = NEVER, .comm = TW_COMM(1) },
};
static const tw_op crossed_alike[] = {
    { .process = 0, .op = TW_USER, .region = "f", .enter = 5, .leave = NEVER },
    { .process = 0, .op = TW_BARRIER, .enter = 11, .leave = NEVER, .comm = TW_COMM(0) },
    { .process = 1, .op = TW_USER, .region = "g", .enter = 5, .leave = NEVER },
    { .process = 1, .op = TW_BARRIER, .enter = 12, .leave = NEVER, .comm = TW_COMM(1) },
};

TEST(operations_on_two_communicators_that_cross)
{
    CHECK_WAITS(crossed, both,
                "0 waits 0 at 2 since 11 to 11 cycle 1 certain next  end 0\n"
                "1 waits 1 at 3 since 12 to 12 cycle 1 certain next  end 0\n"
                "2 operation MPI_Barrier 1 all cycle 1 certain next  end 0\n"
                "3 operation MPI_Allreduce 1 all cycle 1 certain next  end 0\n"
                "4 operation MPI_Barrier 1 all cycle 1 certain next  end 0\n"
                "5 operation MPI_Allreduce 1 all cycle 1 certain next  end 0\n"
                "6 operation MPI_Barrier 1 all cycle 1 certain next  end 0\n"
                "7 operation MPI_Allreduce 1 all cycle 1 certain next  end 0\n"
                "0>2 collective\n0>4 collective\n0>6 collective\n1>3 collective\n1>5 collective\n1>7 collective\n"
                "2>1 member\n3>0 member\n4>1 member\n5>0 member\n6>1 member\n7>0 member\n",
                .comms = crossed_comms, .n_comms = 2);
}

TEST(barriers_on_two_communicators_that_cross_are_a_doubt)
{
    tw_report r = tw_analyze_with(crossed_alike, TW_LEN(crossed_alike), .exit_code = 3,
                                  .options = &(tw_options){ .ends = both, .comms = crossed_comms, .n_comms = 2 });
    char     *text = nodes_and_waits(r);

    CHECK(strstr(text, "0 waits 0 at 3 since 11 to 11 cycle 1 likely") != NULL);
    CHECK(strstr(text, "1 waits 1 at 5 since 12 to 12 cycle 1 likely") != NULL);
    CHECK(strstr(text, "member\n") == NULL); /* each of them is a doubt */
    CHECK(strstr(text, "2>1 member doubtful\n") != NULL);
    free(text);
}

TEST(finalize_waits_for_all)
{
    static const tw_op ops[] = {
        { .process = 0, .op = TW_INIT, .enter = 1, .leave = 3 },
        { .process = 1, .op = TW_INIT, .enter = 1, .leave = 3 },
        { .process = 0, .op = TW_FINALIZE, .enter = 11, .leave = NEVER },
        { .process = 1, .op = TW_USER, .enter = 12, .leave = NEVER },
    };

    CHECK_WAITS(ops, both,
                "0 waits 0 at 3 since 11 to 11 cycle  no next 2 end 1\n"
                "1 stopped 1 at 4 since 12 to 12 cycle  no next  end 1\n"
                "2 operation MPI_Finalize  all cycle  no next 1 end 1\n"
                "0>2 collective\n2>1 member\n");
}

/* Process 0 has exposed its window to 1 and 2; 1 has ended its epoch, 2 has not. */
static const tw_op exposure[] = {
    { .process = 0, .op = TW_WIN_POST, .enter = 5, .leave = 6, TW_GROUP(1, 2) },
    { .process = 0, .op = TW_WIN_WAIT, .enter = 20, .leave = NEVER, TW_GROUP(1, 2) },
    { .process = 1, .op = TW_WIN_START, .enter = 7, .leave = 8, TW_GROUP(0) },
    { .process = 1, .op = TW_WIN_COMPLETE, .enter = 9, .leave = 10, TW_GROUP(0) },
    { .process = 2, .op = TW_WIN_START, .enter = 7, .leave = 8, TW_GROUP(0) },
    { .process = 2, .op = TW_USER, .enter = 21, .leave = NEVER },
};
static const hd_time but_the_second[] = { 50, WHOLE, 50 };

TEST(an_exposure_waits_for_the_ends_of_accesses)
{
    CHECK_WAITS(exposure, but_the_second,
                "0 waits 0 at 3 since 20 to 20 cycle  no next 1 end 1\n"
                "1 stopped 2 at 6 since 21 to 21 cycle  no next  end 1\n"
                "0>1 complete\n");
}

/* Process 1 would access windows of 0, which is ready, and of 2, which is not. */
static const tw_op access_epoch[] = {
    { .process = 0, .op = TW_WIN_POST, .enter = 5, .leave = 6, TW_GROUP(1) },
    { .process = 1, .op = TW_WIN_START, .enter = 7, .leave = 8, TW_GROUP(0, 2) },
    { .process = 1, .op = TW_WIN_COMPLETE, .enter = 20, .leave = NEVER, TW_GROUP(0, 2) },
    { .process = 2, .op = TW_SSEND, .enter = 21, .leave = NEVER, .peer = 1, .tag = 3 },
};
static const tw_op access_begin[] = { /* the same, for an MPI library that waits as soon as that */
    { .process = 0, .op = TW_WIN_POST, .enter = 5, .leave = 6, TW_GROUP(1) },
    { .process = 1, .op = TW_WIN_START, .enter = 7, .leave = NEVER, TW_GROUP(0, 2) },
    { .process = 2, .op = TW_SSEND, .enter = 21, .leave = NEVER, .peer = 1, .tag = 3 },
};

TEST(an_access_waits_for_the_exposures)
{
    CHECK_WAITS(access_epoch, but_the_first,
                "0 waits 1 at 4 since 20 to 20 cycle 1 certain next  end 0\n"
                "1 waits 2 at 5 since 21 to 21 cycle 1 certain next  end 0\n"
                "0>1 post\n1>0 send 3\n");
    CHECK_WAITS(access_begin, but_the_first,
                "0 waits 1 at 3 since 7 to 7 cycle 1 certain next  end 0\n"
                "1 waits 2 at 4 since 21 to 21 cycle 1 certain next  end 0\n"
                "0>1 post\n1>0 send 3\n");
}

/* A thread that works may help the one that waits; one in a barrier of its team does not. */
static const tw_op threads[] = {
    { .process = 0, .op = TW_SSEND, .enter = 11, .leave = NEVER, .peer = 1 },
    { .process = 0, .thread = 1, .op = TW_USER, .enter = 12, .leave = NEVER },
    { .process = 1, .op = TW_SSEND, .enter = 13, .leave = NEVER, .peer = 0 },
    { .process = 1, .thread = 1, .op = TW_OMP_BARRIER, .enter = 14, .leave = NEVER },
};

TEST(a_process_waits_where_none_of_its_threads_works)
{
    CHECK_WAITS(threads, both,
                "0 stopped 0 at 3 since 12 to 12 cycle  no next  end 0\n"
                "1 waits 1 at 2 since 13 to 13 cycle  no next 0 end 0\n"
                "1>0 send 0\n",
                .archive = { .n_threads = 2 });
}

TEST(a_program_that_ends_has_no_graph)
{
    static const tw_op ops[] = {
        { .process = 0, .op = TW_SSEND, .enter = 10, .leave = 30, .peer = 1 },
        { .process = 1, .op = TW_RECV, .enter = 20, .leave = 30, .peer = 0 },
        { .process = 0, .op = TW_BARRIER, .enter = 31, .leave = 40 },
        { .process = 1, .op = TW_BARRIER, .enter = 31, .leave = 40 },
    };

    CHECK_STR(tw_waits(tw_analyze(ops, TW_LEN(ops))), "");
}

/* Names come from the archive: nothing in them is special to Graphviz, or to a terminal. */
TEST(names_are_escaped)
{
    static const tw_op ops[] = {
        { .process = 0, .op = TW_USER, .region = "a\"]; b\\c\n\033[2J", .enter = 5, .leave = NEVER },
        { .process = 0, .op = TW_SSEND, .enter = 10, .leave = NEVER, .peer = 1, .tag = 7 },
        { .process = 1, .op = TW_SSEND, .enter = 20, .leave = NEVER, .peer = 0, .tag = 8 },
    };
    tw_report r = tw_analyze_with(ops, TW_LEN(ops), .exit_code = 3, .options = &(tw_options){ .ends = both });

    CHECK(strstr(tw_waits(r), "program > main > a\\\"]; b\\\\x5cc\\\\x0a\\\\x1b[2J > MPI_Ssend\\nwaits since") != NULL);
    CHECK(strchr(tw_waits(r), '\033') == NULL);
}

TEST_MAIN
