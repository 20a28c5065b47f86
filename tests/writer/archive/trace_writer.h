/* tests/writer/archive/trace_writer.h: writes OTF2 archives like those of Score-P 8, record by record.
 *
 * An archive is written location after location: open one, put its records in the order of time, close it, open the
 * next. Only one location is open at a time, and only the numbers of events are kept of the others, so memory does not
 * grow with the length of the trace. Regions, communicators, groups and windows may be defined at any time before
 * tw_close() (before the first location, if mapping tables are asked for), since the global definitions are written
 * last.
 *
 * Times are those that a reader gets after clock correction, in ticks since the start of the trace. A location with a
 * clock of its own gets raw time stamps and ClockOffset records that lead to exactly these times.
 *
 * Errors of libotf2 and misuse end the program with exit code 1: this is a tool for tests. Uses: libotf2, base.
 * Owner: texts and arrays are copied. MT: one thread at a time.
 */
#ifndef TRACE_WRITER_H
#define TRACE_WRITER_H

#include "types.h"

typedef struct tw_archive  tw_archive;
typedef struct tw_location tw_location;

typedef struct tw_archive_options {
    uint32_t    n_processes;        /* > 0; process i is location group "MPI Rank i" */
    uint32_t    n_threads;          /* of each process; 0: 1 */
    uint32_t    n_streams;          /* of these: the last ones are streams of an accelerator, except for */
    uint32_t    n_metric_locations; /* the very last ones, which hold metrics only */
    uint32_t    n_devices;          /* of each process: streams of an accelerator, numbered after its threads */
    uint32_t    processes_per_node; /* 0: all on one node */
    uint32_t    processes_per_numa; /* NUMA domains of a node; 0: none in the system tree */
    uint32_t    nodes_per_rack;     /* racks, between the machine and the nodes; 0: none */
    uint32_t    racks_per_row;      /* rows of racks, above them; 0: none */
    uint64_t    resolution;         /* [ticks per second]; 0: 1,000,000 */
    uint64_t    first_time;         /* [ticks] the raw time of tick 0; 0: 1,000,000,000 */
    uint64_t    chunk_bytes;        /* of event files; 0: 1 MiB; at least 256 KiB, at most 16 MiB */
    bool        with_mappings;      /* local numbers of regions, communicators, groups and windows differ from the
                                     * global ones */
    bool        without_definitions; /* no files of local definitions for locations that need none */
    uint32_t    n_counters;         /* up to 8: values of so many counters before each enter and leave */
    const char *program;            /* path of the executable; NULL: "program" */
    uint32_t    n_dimensions;       /* up to 3: a Cartesian topology of the processes, the last dimension fastest; 0:
                                     * none */
    uint32_t    dimensions[3];
    bool        periodic[3];
} tw_archive_options;

/* A measured clock offset: at raw time `time` [ticks since the raw time of tick 0] the true time was time + offset. */
typedef struct tw_clock_offset {
    uint64_t time;
    int64_t  offset;
} tw_clock_offset;

/* What each process has from the start; tw_comm_define() returns numbers from 2 on. */
enum { TW_WORLD = 0, TW_SELF = 1 };

/* Roots of collectives besides ranks of the communicator. */
#define TW_ROOT_NONE UINT32_MAX             /* the operation has none */
#define TW_ROOT_SELF (UINT32_MAX - 1)       /* inter-communicator: this process is the root */
#define TW_ROOT_THIS_GROUP (UINT32_MAX - 2) /* inter-communicator: the root is another process of this one's group */

/* Collective operations, numbered as in OTF2. */
typedef enum tw_collective {
    TW_COLL_BARRIER = 0,
    TW_COLL_BCAST,
    TW_COLL_GATHER,
    TW_COLL_GATHERV,
    TW_COLL_SCATTER,
    TW_COLL_SCATTERV,
    TW_COLL_ALLGATHER,
    TW_COLL_ALLGATHERV,
    TW_COLL_ALLTOALL,
    TW_COLL_ALLTOALLV,
    TW_COLL_ALLTOALLW,
    TW_COLL_ALLREDUCE,
    TW_COLL_REDUCE,
    TW_COLL_REDUCE_SCATTER,
    TW_COLL_SCAN,
    TW_COLL_EXSCAN,
    TW_COLL_REDUCE_SCATTER_BLOCK,
    TW_COLL_CREATE_HANDLE,
    TW_COLL_DESTROY_HANDLE,
    TW_COLL_ALLOCATE, /* from here on only for windows */
    TW_COLL_DEALLOCATE,
    TW_COLL_CREATE_AND_ALLOCATE,
    TW_COLL_DESTROY_AND_DEALLOCATE
} tw_collective;

/* What a synchronisation of a window synchronises, as in OTF2. */
enum { TW_SYNC_NONE = 0, TW_SYNC_PROCESS = 1, TW_SYNC_MEMORY = 2, TW_SYNC_BOTH = 3 };

/* Remote of locks: all processes of the window, or none in particular. */
#define TW_ALL_TARGETS UINT32_MAX

/* Atomic operations on windows, numbered as in OTF2. */
typedef enum tw_atomic {
    TW_ATOMIC_ACCUMULATE = 0,
    TW_ATOMIC_INCREMENT,
    TW_ATOMIC_TEST_AND_SET,
    TW_ATOMIC_COMPARE_AND_SWAP,
    TW_ATOMIC_SWAP,
    TW_ATOMIC_FETCH_AND_ADD,
    TW_ATOMIC_FETCH_AND_INCREMENT,
    TW_ATOMIC_FETCH_AND_ACCUMULATE
} tw_atomic;

/* Makes directory (its parent must be there) and starts directory/traces.otf2. The directory must not hold an
 * archive. */
tw_archive *tw_open(const char *directory, const tw_archive_options *options);
/* Writes the global definitions and frees the archive. */
void tw_close(tw_archive *archive);

/* The number of the region with that name; defined at its first use. Names that start with "MPI_" become MPI functions
 * with the role that Score-P gives them, those that start with "!$omp" OpenMP constructs, with "omp_" functions of
 * OpenMP, with "pthread_" those of POSIX threads, with "shmem_" those of SHMEM, "open", "read" and the like those of
 * POSIX for files, with "kernel_" those that run on a CUDA device, others user functions. */
uint32_t tw_region(tw_archive *archive, const char *name);

/* A communicator of these processes, in the order of their ranks; HD_NONE: one that the archive does not have. name may
 * be NULL. */
uint32_t tw_comm_define(tw_archive *archive, const char *name, const uint32_t *processes, uint32_t n);
/* An inter-communicator. Ranks in records are those within the remote group. */
uint32_t tw_inter_comm_define(tw_archive *archive, const char *name, const uint32_t *group_a, uint32_t n_a,
                              const uint32_t *group_b, uint32_t n_b);
/* The group of these processes, for records of synchronisation on windows; equal ones have one number. */
uint32_t tw_group_define(tw_archive *archive, const uint32_t *processes, uint32_t n);
/* A window of MPI on the processes of a communicator. name: NULL: "MPI_Win_create window" */
uint32_t tw_window_define(tw_archive *archive, const char *name, uint32_t comm);
/* A window of SHMEM: that of all processing elements, or an active set of them. Nothing creates it. name: NULL: "All
 * PEs" */
uint32_t tw_shmem_window_define(tw_archive *archive, const char *name, uint32_t comm);
/* A handle of a file. paradigm: "MPI-IO", "POSIX I/O", "ISO C I/O"; comm: of the processes that share it, HD_NONE:
 * none; parent: the handle of another interface that opened it, HD_NONE: none. name: NULL: it is of no file. */
uint32_t tw_file_define(tw_archive *archive, const char *name, const char *paradigm, uint32_t comm, uint32_t parent);
/* An OpenMP team of all threads of a process, for the team records. */
uint32_t tw_team_define(tw_archive *archive, uint32_t process);
/* An OpenMP team of these threads of a process; the first is thread 0 of the team, the one that forks it. */
uint32_t tw_team_define_of(tw_archive *archive, uint32_t process, const uint32_t *threads, uint32_t n);
/* The POSIX threads of a process, for the records of their creation. */
uint32_t tw_contingent_define(tw_archive *archive, uint32_t process);

/* A calling context: the region, called in the context parent; HD_NONE: the outermost one. Each time a new one: another
 * one of the same region and parent is another place in the same call. */
uint32_t tw_context_define(tw_archive *archive, uint32_t parent, uint32_t region);
/* The same at a line of a file: what is called in it is called there. */
uint32_t tw_context_define_at(tw_archive *archive, uint32_t parent, uint32_t region, const char *file, uint32_t line);

/* Starts the stream of a thread of a process; clock: NULL for one that is right. */
tw_location *tw_location_open(tw_archive *archive, uint32_t process, uint32_t thread, const tw_clock_offset *clock,
                              uint32_t n_clock);
/* Records after this time are left out, as if the thread had been stopped. */
void         tw_location_cut(tw_location *location, hd_time last);
void         tw_location_close(tw_location *location);
uint64_t     tw_location_n_events(const tw_location *location);

/* Records. time: [ticks], not before that of the record before. peer, root: ranks within comm. */
void tw_program_begin(tw_location *location, hd_time time);
void tw_program_end(tw_location *location, hd_time time);
void tw_enter(tw_location *location, hd_time time, uint32_t region);
void tw_leave(tw_location *location, hd_time time, uint32_t region);
void tw_send(tw_location *location, hd_time time, uint32_t comm, uint32_t peer, uint32_t tag, uint64_t bytes);
void tw_recv(tw_location *location, hd_time time, uint32_t comm, uint32_t peer, uint32_t tag, uint64_t bytes);
void tw_isend(tw_location *location, hd_time time, uint32_t comm, uint32_t peer, uint32_t tag, uint64_t bytes,
              uint64_t request);
void tw_isend_complete(tw_location *location, hd_time time, uint64_t request);
void tw_irecv_request(tw_location *location, hd_time time, uint64_t request);
void tw_irecv(tw_location *location, hd_time time, uint32_t comm, uint32_t peer, uint32_t tag, uint64_t bytes,
              uint64_t request);
void tw_request_test(tw_location *location, hd_time time, uint64_t request);
void tw_cancelled(tw_location *location, hd_time time, uint64_t request);
void tw_coll_begin(tw_location *location, hd_time time);
void tw_coll_end(tw_location *location, hd_time time, tw_collective operation, uint32_t comm, uint32_t root,
                 uint64_t sent, uint64_t received);
void tw_nbc_request(tw_location *location, hd_time time, uint64_t request);
void tw_nbc_complete(tw_location *location, hd_time time, tw_collective operation, uint32_t comm, uint32_t root,
                     uint64_t sent, uint64_t received, uint64_t request);
void tw_comm_create(tw_location *location, hd_time time, uint32_t comm);
void tw_comm_destroy(tw_location *location, hd_time time, uint32_t comm);
void tw_buffer_flush(tw_location *location, hd_time time, hd_time stop);
void tw_measurement(tw_location *location, hd_time time, bool on);
void tw_fork(tw_location *location, hd_time time, uint32_t n_threads);
void tw_join(tw_location *location, hd_time time);
void tw_team_begin(tw_location *location, hd_time time, uint32_t team);
void tw_team_end(tw_location *location, hd_time time, uint32_t team);
/* is_posix: a mutex, not a lock of OpenMP. order: the how manieth ownership of the lock this is, from 1 on. */
void tw_acquire(tw_location *location, hd_time time, bool is_posix, uint32_t lock, uint32_t order);
void tw_release(tw_location *location, hd_time time, bool is_posix, uint32_t lock, uint32_t order);
/* Calls recorded with their calling contexts, and samples. distance: how many of the innermost regions of the context
 * were entered since the record before, and 1. */
void tw_context_enter(tw_location *location, hd_time time, uint32_t context, uint32_t distance);
void tw_context_leave(tw_location *location, hd_time time, uint32_t context);
void tw_sample(tw_location *location, hd_time time, uint32_t context, uint32_t distance);
/* creator: thread that created the task; generation: its number there, 0: the implicit task. */
void tw_task_create(tw_location *location, hd_time time, uint32_t team, uint32_t creator, uint32_t generation);
void tw_task_switch(tw_location *location, hd_time time, uint32_t team, uint32_t creator, uint32_t generation);
void tw_task_complete(tw_location *location, hd_time time, uint32_t team, uint32_t creator, uint32_t generation);
/* sequence: the how manieth thread that is created in the process, from 1 on. */
void tw_thread_create(tw_location *location, hd_time time, uint32_t contingent, uint64_t sequence);
void tw_thread_begin(tw_location *location, hd_time time, uint32_t contingent, uint64_t sequence);
void tw_thread_wait(tw_location *location, hd_time time, uint32_t contingent, uint64_t sequence);
void tw_thread_end(tw_location *location, hd_time time, uint32_t contingent, uint64_t sequence);

/* One-sided communication. remote: rank within the communicator of the window. matching: number of the location by
 * which a completion names its operations. sync: of TW_SYNC_... group: of tw_group_define(). lock: a number; MPI
 * has 0. */
void tw_rma_win_create(tw_location *location, hd_time time, uint32_t window);
void tw_rma_win_destroy(tw_location *location, hd_time time, uint32_t window);
void tw_rma_collective_begin(tw_location *location, hd_time time);
void tw_rma_collective_end(tw_location *location, hd_time time, tw_collective operation, uint32_t sync, uint32_t window,
                           uint32_t root, uint64_t sent, uint64_t received);
void tw_rma_group_sync(tw_location *location, hd_time time, uint32_t sync, uint32_t window, uint32_t group);
/* MPI requests locks, and nothing tells when it has them; SHMEM acquires them. */
void tw_rma_request_lock(tw_location *location, hd_time time, uint32_t window, uint32_t remote, uint64_t lock,
                         bool exclusive);
void tw_rma_acquire_lock(tw_location *location, hd_time time, uint32_t window, uint32_t remote, uint64_t lock,
                         bool exclusive);
void tw_rma_release_lock(tw_location *location, hd_time time, uint32_t window, uint32_t remote, uint64_t lock);
void tw_rma_put(tw_location *location, hd_time time, uint32_t window, uint32_t remote, uint64_t bytes,
                uint64_t matching);
void tw_rma_get(tw_location *location, hd_time time, uint32_t window, uint32_t remote, uint64_t bytes,
                uint64_t matching);
void tw_rma_atomic(tw_location *location, hd_time time, uint32_t window, uint32_t remote, tw_atomic type, uint64_t sent,
                   uint64_t received, uint64_t matching);
void tw_rma_op_complete_blocking(tw_location *location, hd_time time, uint32_t window, uint64_t matching);
void tw_rma_op_complete_non_blocking(tw_location *location, hd_time time, uint32_t window, uint64_t matching);
void tw_rma_op_complete_remote(tw_location *location, hd_time time, uint32_t window, uint64_t matching);
void tw_rma_wait_change(tw_location *location, hd_time time, uint32_t window);

/* Operations on files. handle: of tw_file_define(). matching: number by which the end of an operation names it, unique
 * for the handle while it lasts. */
typedef enum tw_file_mode { TW_FILE_MODE_READ, TW_FILE_MODE_WRITE, TW_FILE_MODE_FLUSH } tw_file_mode;
void tw_file_create(tw_location *location, hd_time time, uint32_t handle);
void tw_file_destroy(tw_location *location, hd_time time, uint32_t handle);
void tw_file_seek(tw_location *location, hd_time time, uint32_t handle);
void tw_file_begin(tw_location *location, hd_time time, uint32_t handle, tw_file_mode mode, bool is_blocking,
                   bool is_collective, uint64_t bytes, uint64_t matching);
void tw_file_issued(tw_location *location, hd_time time, uint32_t handle, uint64_t matching);
void tw_file_complete(tw_location *location, hd_time time, uint32_t handle, uint64_t bytes, uint64_t matching);
void tw_file_cancelled(tw_location *location, hd_time time, uint32_t handle, uint64_t matching);

/* The time that a reader makes of a raw time stamp with these offsets (docs of OTF2: ClockOffset). */
uint64_t tw_clock_correct(const tw_clock_offset *clock, uint32_t n, uint64_t raw);

#endif
