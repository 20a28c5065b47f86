/* tests/writer/situation/situation.h: a trace as a table of calls, and what Heddle makes of it.
 *
 *     static const tw_op late[] = {
 *         { .process = 0, .op = TW_SEND, .enter = 40, .leave = 45, .peer = 1, .tag = 7 },
 *         { .process = 1, .op = TW_RECV, .enter = 10, .leave = 50, .peer = 0, .tag = 7 },
 *     };
 *     tw_report r = tw_analyze(late, TW_LEN(late));
 *     CHECK_SPAN(r, "mpi_latesender", process(1), 30);
 *
 * Times are ticks of a microsecond. Around the calls of each process stands the program and "main", from 0 to the end;
 * calls that lie inside another one of the same thread are nested in it. The order of the table does not matter, except
 * that records of one time keep it.
 *
 * tw_analyze() writes the archive into a temporary directory and runs the program on it several times, with different
 * numbers of analysis ranks, threads and placements. Equal reports and the invariants of the metrics are checked there;
 * values are asked for with tw_value() and CHECK_SPAN(). The environment says what to run: HEDDLE (the program;
 * "./heddle"), HEDDLE_MPIRUN ("mpirun"), HEDDLE_RUNS=single (2 threads), short (with it once), some (twice) or
 * all, TW_KEEP (the directories stay, and are printed).
 *
 * Owner: reports live until the program ends. MT: one thread. Uses: trace writer; check.h must be included before.
 */
#ifndef SITUATION_H
#define SITUATION_H

#include "trace_writer.h"

/*  X(kind, name of the region) */
#define TW_PLAIN_CALLS(X)                                                                                              \
    X(USER, "work")          /* a user function, or with .region "MPI_..." an MPI function without records */          \
    X(INIT, "MPI_Init")                                                                                                \
    X(FINALIZE, "MPI_Finalize")                                                                                        \
    X(COMM_CREATE, "MPI_Comm_split") /* of .comm; all its processes */                                                 \
    X(COMM_FREE, "MPI_Comm_free")                                                                                      \
    X(FLUSH, "")             /* the trace buffer is written from enter to leave */                                     \
    X(OFF, "")               /* nothing is recorded from enter to leave */                                             \
    X(FORK, "")              /* the thread that forks a team; contains its TW_TEAM */                                  \
    X(TEAM, "!$omp parallel @program.c:1") /* what one thread does in .team */

/* Locks have a .lock and an .order. Calls that do both have .order of the release, .next_order of the acquire after
 * it. */
#define TW_THREAD_CALLS(X)                                                                                             \
    X(OMP_BARRIER, "!$omp barrier @program.c:2")                                                                       \
    X(OMP_IBARRIER, "!$omp implicit barrier @program.c:3")                                                             \
    X(CRITICAL, "!$omp critical @program.c:4") /* acquired at .record (0: enter), released at leave */                 \
    X(SET_LOCK, "omp_set_lock")                /* acquired at .record (0: leave) */                                    \
    X(UNSET_LOCK, "omp_unset_lock")            /* released at .record (0: enter) */                                    \
    X(TASKWAIT, "!$omp taskwait @program.c:5")                                                                         \
    X(MUTEX_LOCK, "pthread_mutex_lock")                                                                                \
    X(MUTEX_UNLOCK, "pthread_mutex_unlock")                                                                            \
    X(COND_WAIT, "pthread_cond_wait") /* released at enter, acquired at .record (0: leave) */                          \
    X(THREAD_CREATE, "pthread_create") /* of .created, the how manieth of the process, from 1 on */                    \
    X(THREAD_JOIN, "pthread_join")                                                                                     \
    X(THREAD, "") /* what a created thread does: ThreadBegin at enter, ThreadEnd at leave */                           \
    /* points in time: only .enter counts. Tasks are .task of their .creator thread; .task 0: the implicit one */      \
    X(ENTER, "")                                                                                                       \
    X(LEAVE, "")                                                                                                       \
    X(TASK_CREATE, "")                                                                                                 \
    X(TASK_SWITCH, "")                                                                                                 \
    X(TASK_COMPLETE, "")

#define TW_MESSAGE_CALLS(X)                                                                                            \
    X(SEND, "MPI_Send") X(SSEND, "MPI_Ssend") X(BSEND, "MPI_Bsend") X(RSEND, "MPI_Rsend")                              \
    X(ISEND, "MPI_Isend") X(ISSEND, "MPI_Issend") X(IBSEND, "MPI_Ibsend") X(IRSEND, "MPI_Irsend")                      \
    X(START_SEND, "MPI_Start") /* of a persistent request; each start has the request's number */                      \
    X(RECV, "MPI_Recv") X(SENDRECV, "MPI_Sendrecv") X(IRECV, "MPI_Irecv") X(START_RECV, "MPI_Start")

#define TW_COMPLETION_CALLS(X)                                                                                         \
    X(WAIT, "MPI_Wait") X(WAITANY, "MPI_Waitany") X(WAITALL, "MPI_Waitall") X(WAITSOME, "MPI_Waitsome")                \
    X(TEST, "MPI_Test") X(TESTANY, "MPI_Testany") X(TESTALL, "MPI_Testall") X(TESTSOME, "MPI_Testsome")

/* One-sided communication: on .window. Records as Score-P stamps them, unless the op says otherwise: what starts an
 * epoch, a wait, a test, and an operation at enter; a complete and an unlock at leave if operations are completed
 * there, else at enter. The records of completion stand before that of the call that completes them: complete, fence,
 * unlock, flush, or the wait for the .request of an operation. Nothing checks epochs: a complete without a start is
 * written like any other. */
#define TW_RMA_CALLS(X)                                                                                                \
    X(WIN_CREATE, "MPI_Win_create") /* collective: .begin, .end; with .region "MPI_Win_create_dynamic" the same */     \
    X(WIN_ALLOCATE, "MPI_Win_allocate")                                                                                \
    X(WIN_FREE, "MPI_Win_free")                                                                                        \
    X(FENCE, "MPI_Win_fence")                                                                                          \
    X(WIN_POST, "MPI_Win_post") /* of a group, TW_GROUP(...), and so up to the test */                                 \
    X(WIN_START, "MPI_Win_start")                                                                                      \
    X(WIN_COMPLETE, "MPI_Win_complete")                                                                                \
    X(WIN_WAIT, "MPI_Win_wait")                                                                                        \
    X(WIN_TEST, "MPI_Win_test") /* may be .unsuccessful */                                                             \
    X(WIN_LOCK, "MPI_Win_lock") /* of .peer, shared or .exclusive */                                                   \
    X(WIN_UNLOCK, "MPI_Win_unlock")                                                                                    \
    X(WIN_LOCK_ALL, "MPI_Win_lock_all")                                                                                \
    X(WIN_UNLOCK_ALL, "MPI_Win_unlock_all")                                                                            \
    X(WIN_FLUSH, "MPI_Win_flush") /* operations on .peer */                                                            \
    X(WIN_FLUSH_ALL, "MPI_Win_flush_all")                                                                              \
    X(WIN_FLUSH_LOCAL, "MPI_Win_flush_local")                                                                          \
    X(PUT, "MPI_Put") /* operations: of .bytes, on .peer; those with an R start a .request */                          \
    X(RPUT, "MPI_Rput")                                                                                                \
    X(GET, "MPI_Get")                                                                                                  \
    X(RGET, "MPI_Rget")                                                                                                \
    X(ACCUMULATE, "MPI_Accumulate")                                                                                    \
    X(GET_ACCUMULATE, "MPI_Get_accumulate")

/* Its puts and gets are complete when they are left. Locks: .lock */
#define TW_SHMEM_CALLS(X)                                                                                              \
    X(SHMEM_BARRIER, "shmem_barrier_all") /* collectives: .begin, .end */                                              \
    X(SHMEM_BCAST, "shmem_broadcast64")   /* from .root; Score-P itself writes TW_ROOT_NONE */                         \
    X(SHMEM_REDUCE, "shmem_int_sum_to_all")                                                                            \
    X(SHMEM_PUT, "shmem_put64")                                                                                        \
    X(SHMEM_GET, "shmem_get64")                                                                                        \
    X(SHMEM_WAIT_UNTIL, "shmem_int_wait_until") /* a RmaWaitChange at .record (0: enter) */                            \
    X(SHMEM_LOCK, "shmem_set_lock")             /* acquired, and released, at .record (0: enter) */                    \
    X(SHMEM_UNLOCK, "shmem_clear_lock")

/* Operations on .file, .bytes of them (TW_NOTHING: none). A create stands at .record (0: leave), a destroy and a seek
 * there (0: enter); an operation is from .begin (0: enter) to .end (0: leave). Those with an I start a .request, which
 * a wait completes. With .region "work" the operation stands in that function. */
#define TW_FILE_CALLS(X)                                                                                               \
    X(FILE_OPEN, "MPI_File_open")                                                                                      \
    X(FILE_CLOSE, "MPI_File_close")                                                                                    \
    X(FILE_SEEK, "MPI_File_seek")                                                                                      \
    X(FILE_SYNC, "MPI_File_sync")                                                                                      \
    X(FILE_READ, "MPI_File_read")                                                                                      \
    X(FILE_WRITE, "MPI_File_write")                                                                                    \
    X(FILE_READ_ALL, "MPI_File_read_all") /* collective */                                                             \
    X(FILE_WRITE_ALL, "MPI_File_write_all")                                                                            \
    X(FILE_IREAD, "MPI_File_iread")                                                                                    \
    X(FILE_IWRITE, "MPI_File_iwrite")                                                                                  \
    X(FILE_IWRITE_ALL, "MPI_File_iwrite_all")                                                                          \
    X(POSIX_OPEN, "open")                                                                                              \
    X(POSIX_CLOSE, "close")                                                                                            \
    X(POSIX_SEEK, "lseek")                                                                                             \
    X(POSIX_READ, "read")                                                                                              \
    X(POSIX_WRITE, "write")

/* in the order of tw_collective */
#define TW_COLLECTIVE_CALLS(X)                                                                                         \
    X(BARRIER, "MPI_Barrier") X(BCAST, "MPI_Bcast") X(GATHER, "MPI_Gather") X(GATHERV, "MPI_Gatherv")                  \
    X(SCATTER, "MPI_Scatter") X(SCATTERV, "MPI_Scatterv") X(ALLGATHER, "MPI_Allgather")                                \
    X(ALLGATHERV, "MPI_Allgatherv") X(ALLTOALL, "MPI_Alltoall") X(ALLTOALLV, "MPI_Alltoallv")                          \
    X(ALLTOALLW, "MPI_Alltoallw") X(ALLREDUCE, "MPI_Allreduce") X(REDUCE, "MPI_Reduce")                                \
    X(REDUCE_SCATTER, "MPI_Reduce_scatter") X(SCAN, "MPI_Scan") X(EXSCAN, "MPI_Exscan")                                \
    X(REDUCE_SCATTER_BLOCK, "MPI_Reduce_scatter_block")

#define TW_NBC_CALLS(X)                                                                                                \
    X(IBARRIER, "MPI_Ibarrier") X(IBCAST, "MPI_Ibcast") X(IGATHER, "MPI_Igather") X(IGATHERV, "MPI_Igatherv")          \
    X(ISCATTER, "MPI_Iscatter") X(ISCATTERV, "MPI_Iscatterv") X(IALLGATHER, "MPI_Iallgather")                          \
    X(IALLGATHERV, "MPI_Iallgatherv") X(IALLTOALL, "MPI_Ialltoall") X(IALLTOALLV, "MPI_Ialltoallv")                    \
    X(IALLTOALLW, "MPI_Ialltoallw") X(IALLREDUCE, "MPI_Iallreduce") X(IREDUCE, "MPI_Ireduce")                          \
    X(IREDUCE_SCATTER, "MPI_Ireduce_scatter") X(ISCAN, "MPI_Iscan") X(IEXSCAN, "MPI_Iexscan")                          \
    X(IREDUCE_SCATTER_BLOCK, "MPI_Ireduce_scatter_block")

#define TW_CALLS(X)                                                                                                    \
    TW_PLAIN_CALLS(X) TW_THREAD_CALLS(X) TW_MESSAGE_CALLS(X) TW_COMPLETION_CALLS(X) TW_RMA_CALLS(X) TW_SHMEM_CALLS(X)  \
    TW_FILE_CALLS(X) TW_COLLECTIVE_CALLS(X) TW_NBC_CALLS(X)

#define TW_CALL_ENUM(kind, name) TW_##kind,
typedef enum tw_kind { TW_CALLS(TW_CALL_ENUM) TW_N_KINDS } tw_kind;
#undef TW_CALL_ENUM

#define TW_NOTHING UINT64_MAX /* of .sent, .received, .bytes: none at all (0 means: the default) */

typedef struct tw_op {
    uint32_t    process, thread;
    tw_kind     op;
    hd_time     enter, leave;
    const char *region; /* NULL: the usual name of the call */
    hd_time     record; /* of its message, request or completion records; 0: sends and requests at enter, others at
                         * leave */

    /* messages */
    uint32_t peer, tag; /* peer: rank within comm, for inter-communicators within the remote group; target: rank within
                         * the window */
    uint64_t bytes;     /* 0: 8; of collectives: of one process */
    uint32_t comm;      /* TW_WORLD, TW_SELF, or TW_COMM(i): the i-th of the options */
    uint32_t from, from_tag; /* TW_SENDRECV: source and tag of the receive; bytes: those of .received */

    /* requests: numbers of the process, from 1 on. A start names one, a completion one or a list that ends with 0. */
    uint32_t        request;
    const uint32_t *requests;
    bool            unsuccessful; /* TW_TEST...: they are not complete yet */
    bool            cancelled;    /* completions: they were cancelled */

    /* collectives */
    uint32_t root;
    uint64_t sent, received; /* both 0: what Score-P writes for .bytes per process */
    hd_time  begin, end;     /* of the records; 0: enter, leave */

    /* one-sided communication */
    uint32_t        window;  /* the how manieth of the options, from 0 on */
    const uint32_t *group;   /* [n_group] processes; TW_GROUP(...) */
    uint32_t        n_group;
    bool            exclusive;

    uint32_t file; /* the how manieth of the options, from 0 on */

    /* threads */
    uint32_t team; /* TW_FORK, TW_TEAM, tasks: 0: all threads of the process, i: the i-th of the options, from 1 on */
    uint32_t lock, order, next_order;
    uint32_t creator, task;
    uint32_t created;
} tw_op;

#define TW_LEN(array) (sizeof(array) / sizeof *(array))
#define TW_REQUESTS(...) ((const uint32_t[]){ __VA_ARGS__, 0 })
#define TW_COMM(i) (2u + (uint32_t)(i))

typedef struct tw_comm {
    const char     *name;
    const uint32_t *processes; /* in the order of their ranks; TW_PROCESSES(...) */
    uint32_t        n;
    const uint32_t *remote; /* an inter-communicator's other group; TW_REMOTE(...) */
    uint32_t        n_remote;
} tw_comm;

#define TW_PROCESSES(...)                                                                                              \
    .processes = (const uint32_t[]){ __VA_ARGS__ }, .n = sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)
#define TW_REMOTE(...)                                                                                                 \
    .remote = (const uint32_t[]){ __VA_ARGS__ },                                                                       \
              .n_remote = sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)

#define TW_GROUP(...)                                                                                                  \
    .group = (const uint32_t[]){ __VA_ARGS__ }, .n_group = sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)

typedef struct tw_window {
    const char *name; /* NULL: as Score-P calls it */
    uint32_t    comm; /* TW_WORLD, TW_SELF, or TW_COMM(i) */
    bool        is_shmem;
} tw_window;

typedef struct tw_file { /* a handle */
    const char *name;
    const char *paradigm; /* NULL: "MPI-IO"; others have no communicator */
    uint32_t    comm;     /* TW_WORLD, TW_SELF, or TW_COMM(i) */
    uint32_t    parent;   /* number of the handle that opened it, from 1 on; 0: none */
} tw_file;

typedef struct tw_team {
    uint32_t        process;
    const uint32_t *threads; /* thread 0 of the team first; TW_THREADS(...) */
    uint32_t        n;
} tw_team;

#define TW_THREADS(...)                                                                                                \
    .threads = (const uint32_t[]){ __VA_ARGS__ }, .n = sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)

typedef struct tw_clock {
    const tw_clock_offset *offsets;
    uint32_t               n;
} tw_clock;

typedef struct tw_options {
    tw_archive_options archive; /* n_processes, n_threads 0: as many as the table has (without n_devices) */
    const tw_comm     *comms;   /* [n_comms] */
    uint32_t           n_comms;
    const tw_team     *teams; /* [n_teams] */
    uint32_t           n_teams;
    const tw_window   *windows; /* [n_windows]; none, and the table needs one: one of all processes, of SHMEM if no call
                                 * is of MPI */
    uint32_t           n_windows;
    const tw_file     *files; /* [n_files] */
    uint32_t           n_files;
    const tw_clock    *clocks; /* [n_processes], NULL: all clocks are right */
    const hd_time     *ends;  /* [n_processes][n_threads + n_devices] nothing after it is recorded; NULL: all is */
    bool               without_program; /* no ProgramBegin and ProgramEnd, no main */
} tw_options;

/* Writes the archive directory/traces.otf2. options may be NULL. */
void tw_write(const tw_op *ops, size_t n, const tw_options *options, const char *directory);

/* ----------------------------------------------------------------------------------------------------------
 * analysis */

typedef struct tw_run {
    const tw_options *options;   /* NULL: none */
    const char       *arguments; /* of "heddle analyze", separated by blanks; NULL: none */
    int               exit_code; /* that is expected */
    bool              contradicts; /* the records themselves: costs and the critical path are not held against waiting
                                    * times and the run */
    void (*damage)(const char *directory); /* done to the archive before it is analysed; NULL: nothing */
} tw_run;

typedef const struct tw_report_data *tw_report;

/* run: NULL for defaults. What went wrong is in tw_problems(). A table that was analysed before in the same way is not
 * analysed again. */
tw_report tw_analyze_run(const tw_op *ops, size_t n, const tw_run *run);
/* The same for an archive that is there. end: [ticks] what the exclusive times of each process add up to; 0: not
 * checked. */
tw_report tw_analyze_archive(const char *anchor, uint32_t n_processes, double resolution, hd_time end,
                             const tw_run *run);

void tw_remove(const char *folder); /* with all that is in it */

const char *tw_problems(tw_report report); /* "" if all runs agree and all invariants hold */

/* The tables of statistics, instances (of each wait state 100), moments, windows and messages, one after the other;
 * call paths have the ids of the report: the program 0, "main" 1, then each call at its first process's first. */
const char *tw_instances(tw_report report);

/* The tables of who waits for whom at the end, and the drawing, one after the other; "" if no process waits. */
const char *tw_waits(tw_report report);

/* The tables of the communication matrix and of the sizes of messages, one after the other; "" if there are none. */
const char *tw_matrix(tw_report report);

/* The table of files; "" if there is none. */
const char *tw_files(tw_report report);

/* The table of start-up; "" if there is none. */
const char *tw_startup(tw_report report);
/* A value of it, at a call path (as above) and a location, by its column in the report: in ticks, counts, or bytes. */
int64_t tw_startup_value(tw_report report, const char *metric, uint32_t call_path, uint32_t location);

/* The table of waiting time over time; "" if there is none. And one value of it, in ticks: slice 0 is before the first
 * window. */
const char *tw_series(tw_report report);
int64_t     tw_series_value(tw_report report, const char *metric, hd_process process, uint32_t slice);

/* Both tables of series by call path, one after the other; "" if there are none. What one has in a slice, of a call
 * path by its number: [ticks] of all processes, of that which waits most, and which that is, HD_NONE: none. */
typedef struct tw_path_series {
    int64_t  sum, most;
    uint32_t process;
} tw_path_series;
const char    *tw_path_series_text(tw_report report);
/* Both tables of counts over time, likewise. */
const char    *tw_counts(tw_report report);
/* All four tables of delay costs over time: of windows by process and by call path, of iterations likewise. */
const char    *tw_delays(tw_report report);
const char    *tw_lags(tw_report report); /* the table of causes over time; "" if there is none */
tw_path_series tw_path_series_value(tw_report report, bool over_iterations, const char *metric, uint32_t call_path,
                                    uint32_t slice);
/* The tables of iterations, of regions whose names begin with "dynamic_", or of --iterations; "" if there are none. And
 * one value of the second table, in ticks: slice 0 is before the first iteration, n + 1 after the last one, n + 2
 * between two. */
const char *tw_iterations(tw_report report);
int64_t     tw_iteration_value(tw_report report, const char *metric, hd_process process, uint32_t slice);

/* The value of a metric, at all call paths that end with path ("main;MPI_Recv" or "MPI_Recv"; NULL: all of them), of
 * all threads of a process: in ticks, counts, or bytes. */
int64_t tw_value(tw_report report, const char *metric, const char *path, hd_process process);
/* The same of one thread of it. */
int64_t tw_value_of_thread(tw_report report, const char *metric, const char *path, hd_process process, uint32_t thread);
/* What call paths that end with cause (NULL: none is known) make others wait at call paths that end with effect, in
 * wait states of a kind ("latesender"), directly or through other waits: in ticks. */
int64_t tw_cause(tw_report report, const char *cause, const char *effect, const char *kind, bool is_long_term);
/* The sum of the counts of the findings of a kind ("unmatched-receive"). */
uint64_t tw_finding(tw_report report, const char *kind);

static inline hd_process
process(uint32_t rank)
{
    return (hd_process){ rank };
}

#ifdef CHECK_H

static inline tw_report
tw_analyze_checked(const tw_op *ops, size_t n, const tw_run *run, const char *file, int line)
{
    tw_report report = tw_analyze_run(ops, n, run);

    check_that(*tw_problems(report) == '\0', "the runs agree and keep the invariants", file, line);
    if (*tw_problems(report) != '\0')
        fputs(tw_problems(report), stdout);
    return report;
}

static inline void
tw_check_span(tw_report report, const char *metric, const char *path, hd_process rank, int64_t ticks, const char *file,
              int line)
{
    char words[256];

    snprintf(words, sizeof words, "%s of process %" PRIu32 "%s%s", metric, rank.v, path == NULL ? "" : " at ",
             path == NULL ? "" : path);
    check_equal(tw_value(report, metric, path, rank), ticks, words, file, line);
}

static inline void
tw_check_thread(tw_report report, const char *metric, const char *path, hd_process rank, uint32_t thread, int64_t ticks,
                const char *file, int line)
{
    char words[256];

    snprintf(words, sizeof words, "%s of thread %" PRIu32 " of process %" PRIu32 "%s%s", metric, thread, rank.v,
             path == NULL ? "" : " at ", path == NULL ? "" : path);
    check_equal(tw_value_of_thread(report, metric, path, rank, thread), ticks, words, file, line);
}

#define tw_analyze(ops, n) tw_analyze_checked((ops), (n), NULL, __FILE__, __LINE__)
#define tw_analyze_with(ops, n, ...) tw_analyze_checked((ops), (n), &(tw_run){ __VA_ARGS__ }, __FILE__, __LINE__)
#define CHECK_SPAN(report, metric, process, ticks) CHECK_SPAN_AT(report, metric, NULL, process, ticks)
#define CHECK_SPAN_AT(report, metric, path, process, ticks)                                                            \
    tw_check_span((report), (metric), (path), (process), (ticks), __FILE__, __LINE__)
/* of process 0 */
#define CHECK_THREAD(report, metric, thread, ticks) CHECK_THREAD_AT(report, metric, NULL, thread, ticks)
#define CHECK_THREAD_AT(report, metric, path, thread, ticks)                                                           \
    tw_check_thread((report), (metric), (path), process(0), (thread), (ticks), __FILE__, __LINE__)

#endif

#endif
