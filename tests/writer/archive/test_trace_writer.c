/* tests/writer/archive/test_trace_writer.c: what libotf2 reads from an archive is what was written into it.
 *
 *   ticks       10  12   20     40      50
 *   process 0   [Irecv]  [Wait····]           clock of process 0: right
 *   process 1   ········[work [Send]·]        clock of process 1: ahead, and fast
 */
#define _GNU_SOURCE /* mkdtemp */

#include <stdlib.h>

#include "archive_text.h"
#include "check.h"
#include "memory.h"
#include "situation.h"

/* Writes the situation, reads it, and returns what was read: the definitions' lines and the events'. free() it. */
static char *
write_and_read(const tw_op *ops, size_t n, const tw_options *options)
{
    char  folder[] = "/tmp/heddle-writer-XXXXXX";
    char *archive, *text;

    REQUIRE(mkdtemp(folder) != NULL);
    archive = hd_format("%s/trace", folder);
    tw_write(ops, n, options, archive);
    text = tw_archive_text(archive);
    tw_remove(folder);
    free(archive);
    return text;
}

static const tw_op message[] = {
    { .process = 0, .op = TW_IRECV, .enter = 10, .leave = 12, .peer = 1, .tag = 7, .request = 3, .bytes = 64 },
    { .process = 0, .op = TW_WAIT, .enter = 20, .leave = 50, .request = 3 },
    { .process = 1, .op = TW_USER, .enter = 30, .leave = 48 },
    { .process = 1, .op = TW_SEND, .enter = 40, .leave = 45, .peer = 0, .tag = 7, .bytes = 64 },
};

static const char message_read[] =
    "resolution 1000000\n"
    "MPI_Irecv role 28 file MPI\n"
    "MPI_Wait role 1 file MPI\n"
    "MPI_Send role 28 file MPI\n"
    "0: 0 begin program 0\n"
    "0: 0 enter main\n"
    "1: 0 begin program 0\n"
    "1: 0 enter main\n"
    "0: 10 enter MPI_Irecv\n"
    "0: 10 irecv request 3\n"
    "0: 12 leave MPI_Irecv\n"
    "0: 20 enter MPI_Wait\n"
    "1: 30 enter work\n"
    "1: 40 enter MPI_Send\n"
    "1: 40 send to 0 in MPI_COMM_WORLD tag 7 bytes 64\n"
    "1: 45 leave MPI_Send\n"
    "1: 48 leave work\n"
    "0: 50 irecv from 1 in MPI_COMM_WORLD tag 7 bytes 64 request 3\n"
    "0: 50 leave MPI_Wait\n"
    "0: 51 leave main\n"
    "0: 51 end\n"
    "1: 51 leave main\n"
    "1: 51 end\n";

TEST(records_come_back_as_they_were_written)
{
    char *text = write_and_read(message, TW_LEN(message), NULL);

    CHECK_STR(text, message_read);
    free(text);
}

TEST(clock_offsets_lead_to_the_intended_times)
{
    /* Process 1 is 500 ticks ahead at first, and gains half a tick in each. */
    static const tw_clock_offset right[] = { { 0, 0 }, { 1000, 0 } };
    static const tw_clock_offset fast[]  = { { 520, -500 }, { 560, -520 } };
    static const tw_clock        clocks[] = { { right, 2 }, { fast, 2 } };
    const tw_options             options  = { .clocks = clocks };
    char                        *text     = write_and_read(message, TW_LEN(message), &options);

    CHECK_STR(text, message_read);
    free(text);
}

TEST(mapping_tables_lead_to_the_same_regions_and_communicators)
{
    const tw_options options = { .archive = { .with_mappings = true } };
    char            *text    = write_and_read(message, TW_LEN(message), &options);

    CHECK_STR(text, message_read);
    free(text);
}

TEST(a_clock_of_three_offsets_is_followed_piece_by_piece)
{
    static const tw_clock_offset bent[] = { { 1000, 50 }, { 2000, 70 }, { 3000, 60 } };

    CHECK_EQ(tw_clock_correct(bent, 2, 1500), 1560);
    CHECK_EQ(tw_clock_correct(bent, 2, 2500), 2580);
    CHECK_EQ(tw_clock_correct(bent, 2, 900), 948);
    CHECK_EQ(tw_clock_correct(bent, 3, 2500), 2565);
}

static const tw_comm swapped[] = { { .name = "pair", TW_PROCESSES(1, 0) } };
static const tw_op   collectives[] = {
    { .process = 0, .op = TW_BCAST, .enter = 10, .leave = 20, .root = 1, .comm = TW_COMM(0), .bytes = 16 },
    { .process = 1, .op = TW_BCAST, .enter = 11, .leave = 19, .root = 1, .comm = TW_COMM(0), .bytes = 16 },
    { .process = 0, .op = TW_IALLREDUCE, .enter = 30, .leave = 31, .request = 1 },
    { .process = 0, .op = TW_WAITALL, .enter = 32, .leave = 40, .requests = TW_REQUESTS(1) },
    { .process = 0, .op = TW_FLUSH, .enter = 33, .leave = 35 },
};

TEST(collectives_carry_what_score_p_writes)
{
    const tw_options options = { .comms = swapped, .n_comms = 1, .archive = { .with_mappings = true } };
    char            *text    = write_and_read(collectives, TW_LEN(collectives), &options);

    CHECK_STR(text, "resolution 1000000\n"
                    "MPI_Bcast role 23 file MPI\n"
                    "MPI_Iallreduce role 25 file MPI\n"
                    "MPI_Waitall role 1 file MPI\n"
                    "0: 0 begin program 0\n"
                    "0: 0 enter main\n"
                    "1: 0 begin program 0\n"
                    "1: 0 enter main\n"
                    "0: 10 enter MPI_Bcast\n"
                    "0: 10 coll begin\n"
                    "1: 11 enter MPI_Bcast\n"
                    "1: 11 coll begin\n"
                    "1: 19 coll end 1 in pair root 1 sent 0 received 16\n"
                    "1: 19 leave MPI_Bcast\n"
                    "0: 20 coll end 1 in pair root 1 sent 32 received 16\n"
                    "0: 20 leave MPI_Bcast\n"
                    "0: 30 enter MPI_Iallreduce\n"
                    "0: 30 nbc request 1\n"
                    "0: 31 leave MPI_Iallreduce\n"
                    "0: 32 enter MPI_Waitall\n"
                    "0: 33 flush until 35\n"
                    "0: 40 nbc complete 11 in MPI_COMM_WORLD root -1 sent 16 received 16 request 1\n"
                    "0: 40 leave MPI_Waitall\n"
                    "0: 41 leave main\n"
                    "0: 41 end\n"
                    "1: 41 leave main\n"
                    "1: 41 end\n");
    free(text);
}

static const tw_op team[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 10, .leave = 40, .team = 1 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 12, .leave = 38, .team = 1 },
    { .process = 0, .thread = 1, .op = TW_SET_LOCK, .enter = 13, .leave = 15, .lock = 4, .order = 1 },
    { .process = 0, .thread = 1, .op = TW_UNSET_LOCK, .enter = 16, .leave = 17, .lock = 4, .order = 1 },
    { .process = 0, .thread = 1, .op = TW_TASK_CREATE, .enter = 20, .creator = 1, .task = 1, .team = 1 },
    { .process = 0, .thread = 1, .op = TW_TASK_SWITCH, .enter = 21, .creator = 1, .task = 1, .team = 1 },
    { .process = 0, .thread = 1, .op = TW_ENTER, .enter = 22, .region = "leaf" },
    { .process = 0, .thread = 1, .op = TW_LEAVE, .enter = 23, .region = "leaf" },
    { .process = 0, .thread = 1, .op = TW_TASK_COMPLETE, .enter = 24, .creator = 1, .task = 1, .team = 1 },
};

TEST(teams_locks_and_tasks_are_records_of_openmp)
{
    const tw_team    pair[]  = { { .process = 0, TW_THREADS(0, 1) } };
    const tw_options options = { .teams = pair, .n_teams = 1 };
    char            *text    = write_and_read(team, TW_LEN(team), &options);

    CHECK_STR(text, "resolution 1000000\n"
                    "omp_set_lock role 2 file OMP\n"
                    "omp_unset_lock role 2 file OMP\n"
                    "0: 0 begin program 0\n"
                    "0: 0 enter main\n"
                    "0: 10 fork 3\n"
                    "4294967296: 12 team begin 4\n"
                    "4294967296: 12 enter !$omp parallel @program.c:1\n"
                    "4294967296: 13 enter omp_set_lock\n"
                    "4294967296: 15 acquire 3 lock 4 order 1\n"
                    "4294967296: 15 leave omp_set_lock\n"
                    "4294967296: 16 enter omp_unset_lock\n"
                    "4294967296: 16 release 3 lock 4 order 1\n"
                    "4294967296: 17 leave omp_unset_lock\n"
                    "4294967296: 20 task create 1.1 of 4\n"
                    "4294967296: 21 task switch 1.1 of 4\n"
                    "4294967296: 22 enter leaf\n"
                    "4294967296: 23 leave leaf\n"
                    "4294967296: 24 task complete 1.1 of 4\n"
                    "4294967296: 38 leave !$omp parallel @program.c:1\n"
                    "4294967296: 38 team end 4\n"
                    "0: 40 join 3\n"
                    "0: 41 leave main\n"
                    "0: 41 end\n");
    free(text);
}

static const tw_op threads[] = {
    { .process = 0, .thread = 0, .op = TW_THREAD_CREATE, .enter = 5, .leave = 6, .created = 1 },
    { .process = 0, .thread = 0, .op = TW_MUTEX_LOCK, .enter = 8, .leave = 9, .order = 1 },
    { .process = 0, .thread = 0, .op = TW_COND_WAIT, .enter = 10, .leave = 20, .order = 1, .next_order = 2 },
    { .process = 0, .thread = 0, .op = TW_MUTEX_UNLOCK, .enter = 22, .leave = 23, .order = 2 },
    { .process = 0, .thread = 0, .op = TW_THREAD_JOIN, .enter = 25, .leave = 29, .created = 1 },
    { .process = 0, .thread = 1, .op = TW_THREAD, .enter = 7, .leave = 28, .created = 1 },
    { .process = 0, .thread = 1, .op = TW_USER, .enter = 11, .leave = 27 },
};

TEST(created_threads_and_mutexes_are_records_of_posix_threads)
{
    char *text = write_and_read(threads, TW_LEN(threads), NULL);

    CHECK_STR(text, "resolution 1000000\n"
                    "pthread_create role 32 file PTHREAD\n"
                    "pthread_mutex_lock role 2 file PTHREAD\n"
                    "pthread_cond_wait role 2 file PTHREAD\n"
                    "pthread_mutex_unlock role 2 file PTHREAD\n"
                    "pthread_join role 33 file PTHREAD\n"
                    "0: 0 begin program 0\n"
                    "0: 0 enter main\n"
                    "0: 5 enter pthread_create\n"
                    "0: 5 thread create 1 of 3\n"
                    "0: 6 leave pthread_create\n"
                    "4294967296: 7 thread begin 1 of 3\n"
                    "0: 8 enter pthread_mutex_lock\n"
                    "0: 9 acquire 7 lock 0 order 1\n"
                    "0: 9 leave pthread_mutex_lock\n"
                    "0: 10 enter pthread_cond_wait\n"
                    "0: 10 release 7 lock 0 order 1\n"
                    "4294967296: 11 enter work\n"
                    "0: 20 acquire 7 lock 0 order 2\n"
                    "0: 20 leave pthread_cond_wait\n"
                    "0: 22 enter pthread_mutex_unlock\n"
                    "0: 22 release 7 lock 0 order 2\n"
                    "0: 23 leave pthread_mutex_unlock\n"
                    "0: 25 enter pthread_join\n"
                    "4294967296: 27 leave work\n"
                    "4294967296: 28 thread end 1 of 3\n"
                    "0: 29 thread wait 1 of 3\n"
                    "0: 29 leave pthread_join\n"
                    "0: 30 leave main\n"
                    "0: 30 end\n");
    free(text);
}

static const tw_op epochs[] = {
    { .process = 0, .op = TW_WIN_ALLOCATE, .enter = 1, .leave = 4, .begin = 2, .end = 3 },
    { .process = 1, .op = TW_WIN_ALLOCATE, .enter = 1, .leave = 4, .begin = 2, .end = 3 },
    { .process = 0, .op = TW_WIN_START, .enter = 10, .leave = 12, TW_GROUP(1) },
    { .process = 0, .op = TW_PUT, .enter = 13, .leave = 15, .record = 14, .peer = 1 },
    { .process = 0, .op = TW_PUT, .enter = 16, .leave = 17, .peer = 1, .bytes = 16 },
    { .process = 0, .op = TW_GET, .enter = 18, .leave = 19, .peer = 1 },
    { .process = 0, .op = TW_WIN_COMPLETE, .enter = 20, .leave = 25, TW_GROUP(1) },
    { .process = 0, .op = TW_WIN_COMPLETE, .enter = 26, .leave = 27, TW_GROUP(1) },
    { .process = 1, .op = TW_WIN_POST, .enter = 10, .leave = 12, TW_GROUP(0) },
    { .process = 1, .op = TW_WIN_TEST, .enter = 13, .leave = 14, TW_GROUP(0), .unsuccessful = true },
    { .process = 1, .op = TW_WIN_WAIT, .enter = 15, .leave = 26, TW_GROUP(0) },
    { .process = 0, .op = TW_WIN_FREE, .enter = 30, .leave = 34, .begin = 31, .end = 33 },
    { .process = 1, .op = TW_WIN_FREE, .enter = 30, .leave = 34, .begin = 31, .end = 33 },
};

static const char epochs_read[] =
    "resolution 1000000\n"
    "MPI_Win_allocate role 35 file MPI\n"
    "MPI_Win_start role 1 file MPI\n"
    "MPI_Put role 29 file MPI\n"
    "MPI_Get role 29 file MPI\n"
    "MPI_Win_complete role 1 file MPI\n"
    "MPI_Win_post role 1 file MPI\n"
    "MPI_Win_test role 1 file MPI\n"
    "MPI_Win_wait role 1 file MPI\n"
    "MPI_Win_free role 1 file MPI\n"
    "window MPI_Win_create window is created\n"
    "0: 0 begin program 0\n"
    "0: 0 enter main\n"
    "1: 0 begin program 0\n"
    "1: 0 enter main\n"
    "0: 1 enter MPI_Win_allocate\n"
    "1: 1 enter MPI_Win_allocate\n"
    "0: 2 rma begin\n"
    "1: 2 rma begin\n"
    "0: 3 create MPI_Win_create window\n"
    "0: 3 rma end 21 sync 1 MPI_Win_create window root -1 sent 0 received 0\n"
    "1: 3 create MPI_Win_create window\n"
    "1: 3 rma end 21 sync 1 MPI_Win_create window root -1 sent 0 received 0\n"
    "0: 4 leave MPI_Win_allocate\n"
    "1: 4 leave MPI_Win_allocate\n"
    "0: 10 enter MPI_Win_start\n"
    "0: 10 group sync 1 MPI_Win_create window of 1\n"
    "1: 10 enter MPI_Win_post\n"
    "1: 10 group sync 1 MPI_Win_create window of 0\n"
    "0: 12 leave MPI_Win_start\n"
    "1: 12 leave MPI_Win_post\n"
    "0: 13 enter MPI_Put\n"
    "1: 13 enter MPI_Win_test\n"
    "1: 13 group sync 0 MPI_Win_create window of 0\n"
    "0: 14 put MPI_Win_create window of 1 bytes 8 matching 1\n"
    "1: 14 leave MPI_Win_test\n"
    "0: 15 leave MPI_Put\n"
    "1: 15 enter MPI_Win_wait\n"
    "1: 15 group sync 3 MPI_Win_create window of 0\n"
    "0: 16 enter MPI_Put\n"
    "0: 16 put MPI_Win_create window of 1 bytes 16 matching 1\n"
    "0: 17 leave MPI_Put\n"
    "0: 18 enter MPI_Get\n"
    "0: 18 get MPI_Win_create window of 1 bytes 8 matching 2\n"
    "0: 19 leave MPI_Get\n"
    "0: 20 enter MPI_Win_complete\n"
    "0: 25 complete MPI_Win_create window matching 2\n"
    "0: 25 complete remote MPI_Win_create window matching 2\n"
    "0: 25 complete MPI_Win_create window matching 1\n"
    "0: 25 group sync 3 MPI_Win_create window of 1\n"
    "0: 25 leave MPI_Win_complete\n"
    "0: 26 enter MPI_Win_complete\n"
    "0: 26 group sync 3 MPI_Win_create window of 1\n"
    "1: 26 leave MPI_Win_wait\n"
    "0: 27 leave MPI_Win_complete\n"
    "0: 30 enter MPI_Win_free\n"
    "1: 30 enter MPI_Win_free\n"
    "0: 31 rma begin\n"
    "1: 31 rma begin\n"
    "0: 33 destroy MPI_Win_create window\n"
    "0: 33 rma end 22 sync 1 MPI_Win_create window root -1 sent 0 received 0\n"
    "1: 33 destroy MPI_Win_create window\n"
    "1: 33 rma end 22 sync 1 MPI_Win_create window root -1 sent 0 received 0\n"
    "0: 34 leave MPI_Win_free\n"
    "1: 34 leave MPI_Win_free\n"
    "0: 35 leave main\n"
    "0: 35 end\n"
    "1: 35 leave main\n"
    "1: 35 end\n";

TEST(epochs_between_groups_are_stamped_as_score_p_does)
{
    char *text = write_and_read(epochs, TW_LEN(epochs), NULL);

    CHECK_STR(text, epochs_read);
    free(text);
}

TEST(mapping_tables_lead_to_the_same_windows_and_groups)
{
    const tw_options options = { .archive = { .with_mappings = true } };
    char            *text    = write_and_read(epochs, TW_LEN(epochs), &options);

    CHECK_STR(text, epochs_read);
    free(text);
}

static const tw_comm   turned[]    = { { .name = "pair", TW_PROCESSES(1, 0) } };
static const tw_window windows[]   =
    { { .name = "first", .comm = TW_COMM(0) }, { .name = "second", .comm = TW_WORLD } };
static const tw_op     passive[] = {
    { .process = 0, .op = TW_WIN_LOCK, .enter = 10, .leave = 11, .window = 1, .peer = 1, .exclusive = true },
    { .process = 0, .op = TW_ACCUMULATE, .enter = 12, .leave = 13, .window = 1, .peer = 1 },
    { .process = 0, .op = TW_WIN_LOCK_ALL, .enter = 14, .leave = 15, .window = 0 },
    { .process = 0, .op = TW_RPUT, .enter = 16, .leave = 17, .window = 0, .peer = 0, .request = 9 },
    { .process = 0, .op = TW_WIN_UNLOCK, .enter = 18, .leave = 20, .window = 1, .peer = 1 },
    { .process = 0, .op = TW_WAIT, .enter = 22, .leave = 23, .request = 9 },
    { .process = 0, .op = TW_GET_ACCUMULATE, .enter = 24, .leave = 25, .window = 0, .peer = 1 },
    { .process = 0, .op = TW_WIN_FLUSH, .enter = 26, .leave = 28, .window = 0, .peer = 0 },
    { .process = 0, .op = TW_WIN_FLUSH_LOCAL, .enter = 30, .leave = 31, .window = 0, .peer = 1 },
    { .process = 0, .op = TW_WIN_UNLOCK_ALL, .enter = 32, .leave = 34, .window = 0 },
    { .process = 1, .op = TW_WIN_UNLOCK, .enter = 32, .leave = 34, .window = 1, .peer = 0 },
};

TEST(locks_and_flushes_complete_what_they_concern)
{
    const tw_options options = { .comms = turned, .n_comms = 1, .windows = windows, .n_windows = 2,
                                 .archive = { .with_mappings = true } };
    char            *text    = write_and_read(passive, TW_LEN(passive), &options);

    CHECK_STR(strstr(text, "0: 10"), "0: 10 enter MPI_Win_lock\n"
                                     "0: 10 request second of 1 lock 0 exclusive\n"
                                     "0: 11 leave MPI_Win_lock\n"
                                     "0: 12 enter MPI_Accumulate\n"
                                     "0: 12 atomic 0 second of 1 sent 8 received 0 matching 1\n"
                                     "0: 13 leave MPI_Accumulate\n"
                                     "0: 14 enter MPI_Win_lock_all\n"
                                     "0: 14 request first of -1 lock 0\n"
                                     "0: 15 leave MPI_Win_lock_all\n"
                                     "0: 16 enter MPI_Rput\n"
                                     "0: 16 put first of 0 bytes 8 matching 2\n"
                                     "0: 17 leave MPI_Rput\n"
                                     "0: 18 enter MPI_Win_unlock\n"
                                     "0: 20 complete second matching 1\n"
                                     "0: 20 complete remote second matching 1\n"
                                     "0: 20 release second of 1 lock 0\n"
                                     "0: 20 leave MPI_Win_unlock\n"
                                     "0: 22 enter MPI_Wait\n"
                                     "0: 23 complete first matching 2\n"
                                     "0: 23 leave MPI_Wait\n"
                                     "0: 24 enter MPI_Get_accumulate\n"
                                     "0: 24 atomic 7 first of 1 sent 8 received 8 matching 3\n"
                                     "0: 25 leave MPI_Get_accumulate\n"
                                     "0: 26 enter MPI_Win_flush\n"
                                     "0: 28 complete remote first matching 2\n"
                                     "0: 28 leave MPI_Win_flush\n"
                                     "0: 30 enter MPI_Win_flush_local\n"
                                     "0: 31 complete first matching 3\n"
                                     "0: 31 leave MPI_Win_flush_local\n"
                                     "0: 32 enter MPI_Win_unlock_all\n"
                                     "1: 32 enter MPI_Win_unlock\n"
                                     "1: 32 release second of 0 lock 0\n"
                                     "0: 34 complete remote first matching 3\n"
                                     "0: 34 release first of -1 lock 0\n"
                                     "0: 34 leave MPI_Win_unlock_all\n"
                                     "1: 34 leave MPI_Win_unlock\n"
                                     "0: 35 leave main\n"
                                     "0: 35 end\n"
                                     "1: 35 leave main\n"
                                     "1: 35 end\n");
    free(text);
}

static const tw_op fences[] = {
    { .process = 0, .op = TW_FENCE, .enter = 10, .leave = 20, .begin = 12 },
    { .process = 0, .op = TW_GET, .enter = 21, .leave = 22, .peer = 0 },
    { .process = 0, .op = TW_FENCE, .enter = 23, .leave = 29, .end = 28 },
};

TEST(fences_complete_operations_and_are_barriers)
{
    char *text = write_and_read(fences, TW_LEN(fences), NULL);

    CHECK_STR(strstr(text, "0: 10"), "0: 10 enter MPI_Win_fence\n"
                                     "0: 12 rma begin\n"
                                     "0: 20 rma end 0 sync 3 MPI_Win_create window root -1 sent 0 received 0\n"
                                     "0: 20 leave MPI_Win_fence\n"
                                     "0: 21 enter MPI_Get\n"
                                     "0: 21 get MPI_Win_create window of 0 bytes 8 matching 1\n"
                                     "0: 22 leave MPI_Get\n"
                                     "0: 23 enter MPI_Win_fence\n"
                                     "0: 23 rma begin\n"
                                     "0: 28 complete MPI_Win_create window matching 1\n"
                                     "0: 28 complete remote MPI_Win_create window matching 1\n"
                                     "0: 28 rma end 0 sync 3 MPI_Win_create window root -1 sent 0 received 0\n"
                                     "0: 29 leave MPI_Win_fence\n"
                                     "0: 30 leave main\n"
                                     "0: 30 end\n");
    free(text);
}

static const tw_op shmem[] = {
    { .process = 0, .op = TW_SHMEM_PUT, .enter = 10, .leave = 12, .peer = 1, .record = 11 },
    { .process = 0, .op = TW_SHMEM_BARRIER, .enter = 13, .leave = 20 },
    { .process = 0, .op = TW_SHMEM_GET, .enter = 21, .leave = 23, .peer = 1, .bytes = 64 },
    { .process = 0, .op = TW_SHMEM_BCAST, .enter = 24, .leave = 25, .root = 1 },
    { .process = 0, .op = TW_SHMEM_REDUCE, .enter = 26, .leave = 27 },
    { .process = 0, .op = TW_SHMEM_LOCK, .enter = 28, .leave = 29, .lock = 5 },
    { .process = 0, .op = TW_SHMEM_UNLOCK, .enter = 30, .leave = 31, .lock = 5 },
    { .process = 0, .op = TW_SHMEM_WAIT_UNTIL, .enter = 32, .leave = 33 },
    { .process = 1, .op = TW_SHMEM_BARRIER, .enter = 13, .leave = 20 },
};

TEST(calls_of_shmem_have_a_window_of_all_processing_elements)
{
    const tw_options options = { .archive = { .with_mappings = true } };
    char            *text    = write_and_read(shmem, TW_LEN(shmem), &options);

    CHECK_STR(text, "resolution 1000000\n"
                    "shmem_put64 role 29 file SHMEM\n"
                    "shmem_barrier_all role 15 file SHMEM\n"
                    "shmem_get64 role 29 file SHMEM\n"
                    "shmem_broadcast64 role 23 file SHMEM\n"
                    "shmem_int_sum_to_all role 25 file SHMEM\n"
                    "shmem_set_lock role 1 file SHMEM\n"
                    "shmem_clear_lock role 1 file SHMEM\n"
                    "shmem_int_wait_until role 28 file SHMEM\n"
                    "window All PEs\n"
                    "0: 0 begin program 0\n"
                    "0: 0 enter main\n"
                    "1: 0 begin program 0\n"
                    "1: 0 enter main\n"
                    "0: 10 enter shmem_put64\n"
                    "0: 11 put All PEs of 1 bytes 8 matching 0\n"
                    "0: 12 complete blocking All PEs matching 0\n"
                    "0: 12 leave shmem_put64\n"
                    "0: 13 enter shmem_barrier_all\n"
                    "0: 13 rma begin\n"
                    "1: 13 enter shmem_barrier_all\n"
                    "1: 13 rma begin\n"
                    "0: 20 complete remote All PEs matching 0\n"
                    "0: 20 rma end 0 sync 3 All PEs root -1 sent 0 received 0\n"
                    "0: 20 leave shmem_barrier_all\n"
                    "1: 20 rma end 0 sync 3 All PEs root -1 sent 0 received 0\n"
                    "1: 20 leave shmem_barrier_all\n"
                    "0: 21 enter shmem_get64\n"
                    "0: 21 get All PEs of 1 bytes 64 matching 1\n"
                    "0: 23 complete blocking All PEs matching 1\n"
                    "0: 23 leave shmem_get64\n"
                    "0: 24 enter shmem_broadcast64\n"
                    "0: 24 rma begin\n"
                    "0: 25 rma end 1 sync 3 All PEs root 1 sent 8 received 8\n"
                    "0: 25 leave shmem_broadcast64\n"
                    "0: 26 enter shmem_int_sum_to_all\n"
                    "0: 26 rma begin\n"
                    "0: 27 rma end 12 sync 3 All PEs root -1 sent 8 received 8\n"
                    "0: 27 leave shmem_int_sum_to_all\n"
                    "0: 28 enter shmem_set_lock\n"
                    "0: 28 acquire All PEs of -1 lock 5 exclusive\n"
                    "0: 29 leave shmem_set_lock\n"
                    "0: 30 enter shmem_clear_lock\n"
                    "0: 30 release All PEs of -1 lock 5\n"
                    "0: 31 leave shmem_clear_lock\n"
                    "0: 32 enter shmem_int_wait_until\n"
                    "0: 32 wait for a change of All PEs\n"
                    "0: 33 leave shmem_int_wait_until\n"
                    "0: 34 leave main\n"
                    "0: 34 end\n"
                    "1: 34 leave main\n"
                    "1: 34 end\n");
    free(text);
}

static const tw_window mixed[] = { { .name = "of MPI", .comm = TW_COMM(0) },
                                   { .name = "Active set 0:0:2", .comm = TW_COMM(0), .is_shmem = true } };
static const tw_op     both[] = {
    { .process = 0, .op = TW_WIN_CREATE, .enter = 10, .leave = 20, .region = "MPI_Win_create_dynamic" },
    { .process = 0, .op = TW_SHMEM_BARRIER, .enter = 30, .leave = 40, .window = 1, .region = "shmem_barrier" },
    { .process = 1, .op = TW_SHMEM_BARRIER, .enter = 30, .leave = 40, .window = 1, .region = "shmem_barrier" },
};

TEST(windows_of_mpi_and_of_shmem_stand_side_by_side)
{
    const tw_options options = { .comms = turned, .n_comms = 1, .windows = mixed, .n_windows = 2,
                                 .archive = { .with_mappings = true } };
    char            *text    = write_and_read(both, TW_LEN(both), &options);

    CHECK_STR(text, "resolution 1000000\n"
                    "MPI_Win_create_dynamic role 1 file MPI\n"
                    "shmem_barrier role 15 file SHMEM\n"
                    "window of MPI is created\n"
                    "window Active set 0:0:2\n"
                    "0: 0 begin program 0\n"
                    "0: 0 enter main\n"
                    "1: 0 begin program 0\n"
                    "1: 0 enter main\n"
                    "0: 10 enter MPI_Win_create_dynamic\n"
                    "0: 10 rma begin\n"
                    "0: 20 create of MPI\n"
                    "0: 20 rma end 17 sync 1 of MPI root -1 sent 0 received 0\n"
                    "0: 20 leave MPI_Win_create_dynamic\n"
                    "0: 30 enter shmem_barrier\n"
                    "0: 30 rma begin\n"
                    "1: 30 enter shmem_barrier\n"
                    "1: 30 rma begin\n"
                    "0: 40 rma end 0 sync 3 Active set 0:0:2 root -1 sent 0 received 0\n"
                    "0: 40 leave shmem_barrier\n"
                    "1: 40 rma end 0 sync 3 Active set 0:0:2 root -1 sent 0 received 0\n"
                    "1: 40 leave shmem_barrier\n"
                    "0: 41 leave main\n"
                    "0: 41 end\n"
                    "1: 41 leave main\n"
                    "1: 41 end\n");
    free(text);
}

TEST_MAIN
