/* tests/replay/forward/test_file_operations.c: "Files" and "Wait at Collective I/O" of docs/metrics.md.
 *
 *   ticks       10    20       40       58 60 61
 *   process 0   [write_all·············]             waits 40 - 10
 *   process 1         [write_all·······]             waits 40 - 20
 *   process 2                  [write_all·]          waits 0; its work before is the cause
 */
#include <string.h>

#include "check.h"
#include "situation.h"

/* The table of files from the end of its head line on. */
static const char *
rows_of(tw_report report)
{
    const char *rows = strchr(tw_files(report), '\n');

    return rows != NULL ? rows : "";
}

static const tw_file    shared[]  = { { .name = "out.dat" } };
static const tw_options of_shared = { .files = shared, .n_files = 1 };

static const tw_op late[] = {
    { .process = 0, .op = TW_FILE_WRITE_ALL, .enter = 10, .leave = 60, .bytes = 100 },
    { .process = 1, .op = TW_FILE_WRITE_ALL, .enter = 20, .leave = 58, .bytes = 200 },
    { .process = 2, .op = TW_USER, .enter = 5, .leave = 40 },
    { .process = 2, .op = TW_FILE_WRITE_ALL, .enter = 40, .leave = 61, .bytes = TW_NOTHING },
};

TEST(at_a_collective_write_all_wait_for_the_last_one)
{
    tw_report r = tw_analyze_with(late, TW_LEN(late), .options = &of_shared);

    CHECK_SPAN_AT(r, "mpi_io_wait", "main;MPI_File_write_all", process(0), 30);
    CHECK_SPAN(r, "mpi_io_wait", process(1), 20);
    CHECK_SPAN(r, "mpi_io_wait", process(2), 0);
    CHECK_SPAN(r, "mpi_file_wait", process(0), 0);
    CHECK_SPAN(r, "mpi_wait_nxn", process(0), 0);
    CHECK_SPAN(r, "syncs_coll", process(0), 0);
}

TEST(the_work_of_the_last_one_is_the_cause)
{
    tw_report r = tw_analyze_with(late, TW_LEN(late), .options = &of_shared);

    CHECK_SPAN_AT(r, "delay_fileio", "main;work", process(2), 30 + 20);
    CHECK_SPAN(r, "delay_unattributed_fileio", process(0), 0);
    CHECK(tw_cause(r, "main;work", "main;MPI_File_write_all", "fileio", false) == 50);
}

TEST(bytes_are_those_that_were_moved)
{
    tw_report r = tw_analyze_with(late, TW_LEN(late), .options = &of_shared);

    CHECK_SPAN_AT(r, "io_bytes_written", "main;MPI_File_write_all", process(0), 100);
    CHECK_SPAN(r, "io_bytes_written", process(1), 200);
    CHECK_SPAN(r, "io_bytes_written", process(2), 0);
    CHECK_SPAN(r, "io_bytes_read", process(0), 0);
    CHECK_SPAN(r, "io_writes", process(2), 1);
    CHECK_SPAN(r, "io_reads", process(0), 0);
    CHECK_SPAN(r, "io_time_mpi", process(0), 50);
    CHECK_SPAN(r, "io_time_other", process(0), 0);
    CHECK(strcmp(tw_files(r), "file\tparadigm\tinner\tprocesses\treads\twrites\tothers\tbytes_read\tbytes_written\t"
                 "time\n"
                              "out.dat\tMPI-IO\t0\t3\t0\t3\t0\t0\t300\t0.000109\n") == 0);
}

/* One that leaves before the last one comes shows that the call does not synchronise. */
static const tw_op left_early[] = {
    { .process = 0, .op = TW_FILE_WRITE_ALL, .enter = 10, .leave = 30 },
    { .process = 1, .op = TW_FILE_WRITE_ALL, .enter = 20, .leave = 60 },
    { .process = 2, .op = TW_FILE_WRITE_ALL, .enter = 30, .leave = 60 },
};

TEST(nobody_waits_where_one_leaves_before_the_last_one_comes)
{
    tw_report r = tw_analyze_with(left_early, TW_LEN(left_early), .options = &of_shared);

    for (uint32_t i = 0; i < 3; i++)
        CHECK_SPAN(r, "mpi_io_wait", process(i), 0);
}

/* Process 0 writes to the file while it waits for nobody: from 15 to 25, or, in the second call, from 55 to 85. */
static const tw_file    inner[]  =
    { { .name = "out.dat" }, { .name = "out.dat", .paradigm = "POSIX I/O", .parent = 1 } };
static const tw_options of_inner = { .files = inner, .n_files = 2 };

static const tw_op busy[] = {
    { .process = 0, .op = TW_FILE_WRITE_ALL, .enter = 10, .leave = 45 },
    { .process = 0, .op = TW_POSIX_WRITE, .enter = 15, .leave = 25, .file = 1 },
    { .process = 1, .op = TW_FILE_WRITE_ALL, .enter = 30, .leave = 46 },
    { .process = 0, .op = TW_FILE_WRITE_ALL, .enter = 50, .leave = 95 },
    { .process = 0, .op = TW_POSIX_WRITE, .enter = 55, .leave = 85, .file = 1 },
    { .process = 1, .op = TW_FILE_WRITE_ALL, .enter = 80, .leave = 96 },
};

TEST(who_writes_does_not_wait)
{
    tw_report r = tw_analyze_with(busy, TW_LEN(busy), .options = &of_inner);

    /* 25 ticks outside of the write, of which 20 until the last one comes; then 15, of which 30 cannot be waiting */
    CHECK_SPAN(r, "mpi_io_wait", process(0), 20);
    CHECK_SPAN(r, "mpi_io_wait", process(1), 0);
    CHECK_SPAN(r, "io_inner_bytes_written", process(0), 16);
}

/* Open, close: collective; seek, an individual read, and a non-blocking collective write: not. */
static const tw_op whole[] = {
    { .process = 0, .op = TW_FILE_OPEN, .enter = 10, .leave = 30 },
    { .process = 1, .op = TW_FILE_OPEN, .enter = 22, .leave = 31 },
    { .process = 0, .op = TW_FILE_SEEK, .enter = 32, .leave = 33 },
    { .process = 0, .op = TW_FILE_READ, .enter = 33, .leave = 40, .bytes = 1000 },
    { .process = 0, .op = TW_FILE_IWRITE_ALL, .enter = 42, .leave = 45, .bytes = 70, .request = 1 },
    { .process = 1, .op = TW_FILE_IWRITE_ALL, .enter = 50, .leave = 52, .bytes = 30, .request = 1 },
    { .process = 0, .op = TW_WAIT, .enter = 50, .leave = 60, .request = 1 },
    { .process = 1, .op = TW_WAIT, .enter = 55, .leave = 60, .request = 1 },
    { .process = 0, .op = TW_FILE_CLOSE, .enter = 65, .leave = 90 },
    { .process = 1, .op = TW_FILE_CLOSE, .enter = 80, .leave = 90 },
};

TEST(opening_and_closing_are_collective)
{
    tw_report r = tw_analyze_with(whole, TW_LEN(whole), .options = &of_shared);

    CHECK_SPAN_AT(r, "mpi_file_wait", "main;MPI_File_open", process(0), 12);
    CHECK_SPAN_AT(r, "mpi_file_wait", "main;MPI_File_close", process(0), 15);
    CHECK_SPAN(r, "mpi_file_wait", process(1), 0);
    CHECK_SPAN(r, "mpi_io_wait", process(0), 0);
    CHECK_SPAN(r, "io_others", process(0), 3);
    CHECK_SPAN(r, "io_others", process(1), 2);
}

TEST(bytes_of_a_non_blocking_operation_are_where_it_began)
{
    tw_report r = tw_analyze_with(whole, TW_LEN(whole), .options = &of_shared);

    CHECK_SPAN_AT(r, "io_bytes_written", "main;MPI_File_iwrite_all", process(0), 70);
    CHECK_SPAN(r, "io_bytes_written", process(1), 30);
    CHECK_SPAN_AT(r, "io_bytes_read", "main;MPI_File_read", process(0), 1000);
    CHECK_SPAN_AT(r, "io_bytes", "main;MPI_Wait", process(0), 0);
    /* open, seek, read, write, close of process 0: 20 + 1 + 7 + 3 + 25; of process 1: 9 + 2 + 10; not the waits */
    CHECK(strstr(tw_files(r), "\nout.dat\tMPI-IO\t0\t2\t1\t2\t5\t1000\t100\t0.000077\n") != NULL);
}

TEST(one_that_is_cancelled_moves_nothing)
{
    static const tw_op ops[] = {
        { .process = 0, .op = TW_FILE_IREAD, .enter = 10, .leave = 12, .bytes = 70, .request = 1 },
        { .process = 0, .op = TW_WAIT, .enter = 20, .leave = 30, .request = 1, .cancelled = true },
        { .process = 0, .op = TW_FILE_IREAD, .enter = 40, .leave = 42, .bytes = 50, .request = 2 },
    };
    tw_report r = tw_analyze_with(ops, TW_LEN(ops), .options = &of_shared);

    CHECK_SPAN(r, "io_reads", process(0), 2);
    CHECK_SPAN(r, "io_bytes_read", process(0), 0);
}

/* What MPI-IO does through POSIX, and what the program does through POSIX itself. */
static const tw_file    two_levels[]  = { { .name = "out.dat" },
                                          { .name = "out.dat", .paradigm = "POSIX I/O", .parent = 1 },
                                          { .name = "=cmd\tlog", .paradigm = "POSIX I/O" },
                                          { .paradigm = "ISO C I/O" } };
static const tw_options of_two_levels = { .files = two_levels, .n_files = 4 };

static const tw_op nested[] = {
    { .process = 0, .op = TW_FILE_WRITE, .enter = 10, .leave = 40, .bytes = 500 },
    { .process = 0, .op = TW_POSIX_SEEK, .enter = 12, .leave = 15, .file = 1 },
    { .process = 0, .op = TW_POSIX_WRITE, .enter = 15, .leave = 35, .bytes = 512, .file = 1 },
    { .process = 0, .op = TW_POSIX_OPEN, .enter = 50, .leave = 55, .file = 2 },
    { .process = 0, .op = TW_POSIX_WRITE, .enter = 55, .leave = 58, .bytes = 7, .file = 2 },
    /* recorded in a function that is not made for files: from its begin to its end */
    { .process = 0, .op = TW_POSIX_READ, .enter = 60, .leave = 80, .begin = 62, .end = 69, .region = "work",
      .file = 3 },
    { .process = 1, .op = TW_POSIX_WRITE, .enter = 5, .leave = 8, .bytes = 3, .file = 2 },
};

TEST(what_one_interface_does_through_another_one_stands_apart)
{
    tw_report r = tw_analyze_with(nested, TW_LEN(nested), .options = &of_two_levels);

    CHECK_SPAN_AT(r, "io_bytes_written", "main;MPI_File_write", process(0), 500);
    CHECK_SPAN_AT(r, "io_inner_bytes_written", "main;MPI_File_write;write", process(0), 512);
    CHECK_SPAN(r, "io_inner_operations", process(0), 2);
    CHECK_SPAN_AT(r, "io_bytes_written", "main;write", process(0), 7);
    CHECK_SPAN(r, "io_bytes_written", process(1), 3);
    CHECK_SPAN_AT(r, "io_bytes_read", "main;work", process(0), 8);
    CHECK_SPAN(r, "io_time_mpi", process(0), 30 - 23);
    CHECK_SPAN(r, "io_time_other", process(0), 23 + 8);
    CHECK_SPAN(r, "io_time_metadata", process(0), 3 + 5);
    CHECK_SPAN(r, "io_time", process(0), 38);
    CHECK(strcmp(rows_of(r), "\nout.dat\tMPI-IO\t0\t1\t0\t1\t0\t0\t500\t0.00003\n"
                                           "out.dat\tPOSIX I/O\t1\t1\t0\t1\t1\t0\t512\t0.000023\n"
                                           "\\x3dcmd\\x09log\tPOSIX I/O\t0\t2\t0\t2\t1\t0\t10\t0.000011\n"
                                           "(no name)\tISO C I/O\t0\t1\t1\t0\t0\t8\t0\t0.000007\n") == 0);
}

TEST(in_an_interval_what_begins_there_counts)
{
    tw_report r = tw_analyze_with(nested, TW_LEN(nested), .options = &of_two_levels,
                                  .arguments = "--from 0.000014 --to 0.000057");

    CHECK_SPAN(r, "io_bytes_written", process(0), 7);
    CHECK_SPAN(r, "io_inner_bytes_written", process(0), 512);
    CHECK_SPAN(r, "io_bytes_written", process(1), 0);
    CHECK(strcmp(rows_of(r), "\nout.dat\tPOSIX I/O\t1\t1\t0\t1\t0\t0\t512\t0.00002\n"
                                           "\\x3dcmd\\x09log\tPOSIX I/O\t0\t1\t0\t1\t1\t0\t7\t0.000005\n") == 0);
}

TEST(scout_has_none_of_it)
{
    tw_report r = tw_analyze_with(late, TW_LEN(late), .options = &of_shared, .arguments = "--compat=scout26");

    CHECK_SPAN(r, "mpi_io_wait", process(0), 0);
    CHECK_SPAN(r, "io_bytes_written", process(0), 0);
    CHECK(*tw_files(r) == '\0');
}

TEST(inner_reads_stand_apart)
{
    static const tw_op ops[] = {
        { .process = 0, .op = TW_FILE_READ, .enter = 20, .leave = 30, .bytes = 8 },
        { .process = 0, .op = TW_POSIX_READ, .enter = 22, .leave = 28, .bytes = 512, .file = 1 },
    };
    tw_report r = tw_analyze_with(ops, TW_LEN(ops), .options = &of_two_levels);

    CHECK_SPAN(r, "io_bytes_read", process(0), 8);
    CHECK_SPAN_AT(r, "io_inner_bytes_read", "main;MPI_File_read;read", process(0), 512);
}

static const tw_comm comms[] = { { .name = "first", TW_PROCESSES(0, 1) }, { .name = "last", TW_PROCESSES(1, 2) } };

/* Process 0 waits for process 1, which waited for process 2 before: its work is the cause of both. */
TEST(waits_are_passed_on)
{
    static const tw_file    files[] = { { .name = "a", .comm = TW_COMM(0) }, { .name = "b", .comm = TW_COMM(1) } };
    static const tw_options options = { .comms = comms, .n_comms = 2, .files = files, .n_files = 2 };
    static const tw_op      ops[]   = {
        { .process = 2, .op = TW_USER, .enter = 0, .leave = 40 },
        { .process = 1, .op = TW_FILE_WRITE_ALL, .enter = 10, .leave = 45, .file = 1 },
        { .process = 2, .op = TW_FILE_WRITE_ALL, .enter = 40, .leave = 45, .file = 1 },
        { .process = 0, .op = TW_FILE_WRITE_ALL, .enter = 5, .leave = 60 },
        { .process = 1, .op = TW_FILE_WRITE_ALL, .enter = 45, .leave = 60 },
    };
    tw_report r = tw_analyze_with(ops, TW_LEN(ops), .options = &options);

    CHECK_SPAN(r, "mpi_io_wait", process(1), 30);
    CHECK_SPAN(r, "mpi_io_wait", process(0), 40);
    CHECK_SPAN_AT(r, "delay_fileio", "main;work", process(2), 30);
    /* process 1: 5 more in main, 5 in its call without the wait, 30 waited: all of 40 */
    CHECK_SPAN_AT(r, "delay_fileio_longterm", "main;work", process(2), 30);
}

/* Two files that the same processes share are two sequences of calls. */
TEST(each_file_has_an_order_of_its_own)
{
    static const tw_file    files[] = { { .name = "a" }, { .name = "b" } };
    static const tw_options of_both = { .files = files, .n_files = 2 };
    static const tw_op      ops[]   = {
        { .process = 0, .op = TW_FILE_WRITE_ALL, .enter = 10, .leave = 50 },
        { .process = 0, .op = TW_FILE_WRITE_ALL, .enter = 50, .leave = 90, .file = 1 },
        { .process = 1, .op = TW_FILE_WRITE_ALL, .enter = 30, .leave = 55, .file = 1 },
        { .process = 1, .op = TW_FILE_WRITE_ALL, .enter = 55, .leave = 95 },
    };
    tw_report r = tw_analyze_with(ops, TW_LEN(ops), .options = &of_both);

    CHECK_SPAN(r, "mpi_io_wait", process(0), 0);
    CHECK_SPAN(r, "mpi_io_wait", process(1), 20);
}

TEST(without_operations_on_files_there_is_no_table)
{
    static const tw_op ops[] = { { .process = 0, .op = TW_USER, .enter = 1, .leave = 5 } };
    tw_report          r     = tw_analyze_with(ops, TW_LEN(ops), .options = &of_shared);

    CHECK(*tw_files(r) == '\0');
}

TEST_MAIN
