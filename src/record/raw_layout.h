/* src/record/raw_layout.h: what a recorded program leaves in DIR/raw/, and what the archive is made of afterwards.
 *
 * A process P (NODE-PID-I: identity of the node in hex, process id, and a number that is free) writes
 *
 *   P.def     definitions, in the order in which they came up; then zeros
 *   P.N.log   records of location N, in windows of HD_RAW_WINDOW_BYTES, with --last of HD_RAW_LAST_WINDOW_BYTES
 *
 * and heddle record, once for each node,
 *
 *   NODE.machine   what the node has, an object a line: kind (node, socket, numa, core), number, and the system's
 *                  numbers of its processors, as in "socket 1 4-7,12-15"; NODE with 16 digits
 *
 * All numbers are of the byte order of the machine. Nothing is kept in memory for the end, so a process that is killed
 * leaves all that it had recorded.
 *
 * A record is 2 + n words of 64 bits:
 *
 *   time       [ticks of the process's clock], never 0
 *   head       kind, n and id: hd_raw_head(); written last, so a record with a head is whole
 *   payload    n words, see HD_RAW_KINDS
 *
 * Records do not cross windows. A head of 0, or less than two words left: the rest of the window is empty. Each window
 * begins with HD_RAW_TURN, whose numbers are their order; one that does not is none. The first in the file is mapped:
 * it is the one that is written. When it is full it is copied to another place, and used again: its pages are there,
 * and in the processor's cache, while the first store into each page of a file costs microseconds. Of two with one
 * number the first in the file counts: it was not used again before the end. A copy gets its number last.
 * Where only the last part of a run is wanted (HD_RAW_LAST), places are used again, and
 *
 *   P.N.begin  is what records before the first window that counts mean for those in them (raw_state.h)
 *
 * A definition is a hd_raw_definition, whose kind and length are written last, n_words words, then n_texts texts, each
 * ended by 0, and zeros up to a multiple of 8 bytes: see HD_RAW_DEFINITIONS.
 *
 * Uses: nothing. MT: constants.
 */
#ifndef HD_RAW_LAYOUT_H
#define HD_RAW_LAYOUT_H

#include "types.h"

enum { HD_RAW_SAMPLES_BITS = 16, HD_RAW_SAMPLES_MASK = (1 << HD_RAW_SAMPLES_BITS) - 1 }; /* of SAMPLE */
enum { HD_RAW_VERSION = 10, HD_RAW_MAX_PAYLOAD = 255 };
enum { HD_RAW_WINDOW_BYTES = 1 << 17, HD_RAW_LAST_WINDOW_BYTES = 1 << 20, HD_RAW_DEFINITIONS_STEP_BYTES = 1 << 16 };
enum { HD_RAW_MAX_PROCESSORS = 1 << 13 }; /* of a node */
enum { HD_RAW_MAX_CALLERS = 250 }; /* of an ENTER or a SAMPLE; of one with so many the outermost may be missing */

/* Kind, words of payload; what id is, the payload. peer_tag: rank in the communicator | tag << 32. op_root: operation
 * (an OTF2_CollectiveOp) | root << 32, UINT32_MAX: no root. request: number of a request, which a process gives each
 * once. */
#define HD_RAW_KINDS(X)                                                                                                \
    X(ENTER, 1)             /* region; return addresses, the innermost first; 0: unknown */                                                  \
    X(LEAVE, 0)             /* region */                                                                               \
    X(SEND, 2)              /* communicator; peer_tag, bytes */                                                        \
    X(RECV, 2)              /* communicator; peer_tag, bytes */                                                        \
    X(ISEND, 3)             /* communicator; peer_tag, bytes, request */                                               \
    X(ISEND_COMPLETE, 1)    /* 0; request */                                                                           \
    X(IRECV_REQUEST, 1)     /* 0; request */                                                                           \
    X(IRECV, 3)             /* communicator; peer_tag, bytes, request */                                               \
    X(CANCELLED, 1)         /* 0; request */                                                                           \
    X(COLLECTIVE_BEGIN, 0)  /* 0 */                                                                                    \
    X(COLLECTIVE_END, 3)    /* communicator; op_root, bytes sent, bytes received */                                    \
    X(NBC_REQUEST, 1)       /* communicator; request */                                                                \
    X(NBC_COMPLETE, 4)      /* communicator; op_root, bytes sent, bytes received, request */                           \
    X(COMM_CREATE, 0)       /* communicator */                                                                         \
    X(COMM_DESTROY, 0)      /* communicator */                                                                         \
    X(THREAD_FORK, 1)       /* team; threads that are asked for */                                                     \
    X(THREAD_JOIN, 0)       /* team */                                                                                 \
    X(TEAM_BEGIN, 2)        /* team; number in it, its size */                                                         \
    X(TEAM_END, 0)          /* team */                                                                                 \
    X(ACQUIRE_LOCK, 1)      /* lock; how many-th acquisition */                                                        \
    X(RELEASE_LOCK, 1)      /* lock; that number */                                                                    \
    X(TASK_CREATE, 1)       /* team; task */                                                                           \
    X(TASK_SWITCH, 1)       /* team; task, 0: the thread's own */                                                      \
    X(TASK_COMPLETE, 1)     /* team; task */                                                                           \
    X(WINDOW_BEGIN, 0)      /* 0; a collective operation on windows begins */                                          \
    X(WINDOW_END, 1)        /* window; operation */                                                                    \
    X(WINDOW_CREATE, 0)     /* window */                                                                               \
    X(WINDOW_DESTROY, 0)    /* window */                                                                               \
    X(PUT, 3)               /* window; rank, bytes, number of the access */                                            \
    X(GET, 3)               /* window; rank, bytes, number of the access */                                            \
    X(ATOMIC, 4)            /* window; rank | type << 32, bytes sent, received, number */                              \
    X(ACCESS_LOCAL, 1)      /* window; number of the access: complete here */                                          \
    X(ACCESS_REMOTE, 1)     /* window; the same, at the target */                                                      \
    X(GROUP_SYNC, 2)        /* window; group, 1: and memory is synchronised */                                         \
    X(REQUEST_LOCK, 1)      /* window; rank, UINT32_MAX: all | 1 << 32: shared */                                      \
    X(RELEASE_ACCESS, 1)    /* window; rank, UINT32_MAX: all */                                                        \
    X(FILE_CREATE, 1)       /* file; hd_raw_file_flag */                                                               \
    X(FILE_DESTROY, 0)      /* file */                                                                                 \
    X(FILE_SEEK, 3)         /* file; offset, hd_raw_whence, offset from the begin or 0 */                              \
    X(FILE_BEGIN, 3)        /* file; hd_raw_file_flag, bytes that are asked for, number of the operation */            \
    X(FILE_ISSUED, 1)       /* file; number of the operation: it goes on in the background */                          \
    X(FILE_COMPLETE, 2)     /* file; bytes, number of the operation */                                                 \
    X(METRIC, 1)            /* 0; values of the counters, before an enter, a leave or a sample; where there are        \
                             * samples, before records at which their functions may begin or end, too */               \
    X(FOREIGN, 1)           /* communicator; bytes that are sent to a process of another world */                      \
    X(THREAD_CREATE, 1)     /* 0; how many-th thread of the process that the program creates, from 1 */                \
    X(THREAD_BEGIN, 1)      /* 0; that number, in the log of the thread */                                             \
    X(THREAD_WAIT, 1)       /* 0; the same, of the thread that was joined */                                           \
    X(THREAD_END, 1)        /* 0; the same; the log goes on with the next thread, if there is one */                   \
    X(ACQUIRE_MUTEX, 1)     /* mutex, a number of the process; how many-th acquisition of it, of those recorded */     \
    X(RELEASE_MUTEX, 1)     /* mutex; that number */                                                                   \
    X(PAUSE, 0)             /* 0; nothing is recorded from now on, but leaves of what was entered */                   \
    X(RESUME, 0)            /* 0; the end of that */                                                                   \
    X(TURN, 0)              /* number of the window that begins with it, from 0 */                                     \
    X(SAMPLE, 1)            /* samples that got lost since the one before | periods of the timer that had passed       \
                             * unseen << HD_RAW_SAMPLES_BITS; addresses of the call stack, the innermost first, each   \
                             * behind an instruction of the function. Its time may be some us later than that of the   \
                             * record behind it */

#define HD_RAW_KIND(name, n) HD_RAW_##name,
typedef enum hd_raw_kind { HD_RAW_EMPTY, HD_RAW_KINDS(HD_RAW_KIND) HD_RAW_N_KINDS } hd_raw_kind;

static inline uint64_t
hd_raw_head(hd_raw_kind kind, uint32_t n, uint32_t id)
{
    return (uint64_t)kind | (uint64_t)n << 8 | (uint64_t)id << 32;
}

/* Messages in one direction, by communicator, partner and tag; operations on a communicator or window: records of a
 * channel are counted where they are left out. */
typedef enum hd_raw_channel {
    HD_RAW_NO_CHANNEL, HD_RAW_SENDS, HD_RAW_RECEIVES, HD_RAW_OPERATIONS, HD_RAW_WINDOW_OPERATIONS
} hd_raw_channel;

static inline hd_raw_channel
hd_raw_channel_of(hd_raw_kind kind)
{
    switch (kind) {
    case HD_RAW_SEND:
    case HD_RAW_ISEND:
        return HD_RAW_SENDS;
    case HD_RAW_RECV:
    case HD_RAW_IRECV:
        return HD_RAW_RECEIVES;
    case HD_RAW_COLLECTIVE_END:
    case HD_RAW_NBC_REQUEST:
        return HD_RAW_OPERATIONS;
    case HD_RAW_WINDOW_END:
        return HD_RAW_WINDOW_OPERATIONS;
    default:
        return HD_RAW_NO_CHANNEL;
    }
}

/* Words; texts. */
typedef enum hd_raw_definition_kind {
    HD_RAW_PROCESS = 1,  /* HD_RAW_VERSION, pid, node identity, 1: the clock is the processor's time stamp counter,
                          * 0: CLOCK_MONOTONIC; host, path of the program. The first entry */
    HD_RAW_CLOCK,        /* ticks, CLOCK_MONOTONIC [ns], CLOCK_REALTIME [ns]: read one after the other. The first one is
                          * the begin of the program */
    HD_RAW_LOCATION,     /* number, number of the location that forked it, HD_NONE: none; nesting level, number in the
                          * team; of one that nothing forked the level is 1 if it is of threads that the program
                          * creates, else 0. Location 0 is the first that recorded */
    HD_RAW_WORLD,        /* rank, size, thread level of MPI */
    HD_RAW_COMMUNICATOR, /* number, two words of key, size, rank in it, world rank of its rank 0, flags, number of the
                          * parent or HD_NONE; from rank 0 in it: world ranks of all members. 0: MPI_COMM_WORLD,
                          * 1: MPI_COMM_SELF */
    HD_RAW_NAME,         /* number of a communicator; its name */
    HD_RAW_WINDOW,    /* number, number of its communicator, how many-th window of that, from 0; 1: with its memory */
    HD_RAW_GROUP,     /* number; world ranks */
    HD_RAW_GRID,      /* number of a communicator; how many processes in each dimension, | 1 << 32: it is periodic; own
                       * coordinate in each */
    HD_RAW_FILE,      /* number, number of its communicator, how many-th file of that, from 0; path */
    HD_RAW_REGION,    /* number, hd_raw_role, address, one to name it after if no name is known there, or 0 */
    HD_RAW_LOCK,      /* number, address */
    HD_RAW_USER,      /* number, 1: it is an iteration; name. A region that the program marks */
    HD_RAW_OFFSET,    /* ticks here, ticks of the clock of rank 0's node at that time, round trip [ticks] */
    HD_RAW_COUNTERS,  /* ; names with commas between */
    HD_RAW_UNCOUNTED, /* ticks: counters cannot be read from then on */
    HD_RAW_DROPPED,   /* number of a region, visits: a short function that is not recorded from now on */
    HD_RAW_OBJECT,    /* address it is loaded at, its first one, that behind its last one, its object_identity.h; path.
                       * A program or library. It may be gone, and another one be there */
    HD_RAW_FINALIZED, /* ticks: MPI_Finalize has returned */
    HD_RAW_END,       /* ticks: the program has ended by return or exit() */
    HD_RAW_PAUSES,    /* records may be left out for a time */
    HD_RAW_LEFT_OUT,  /* ticks, hd_raw_channel, number of its communicator or window, peer_tag or 0; how many records
                       * of the channel were left out before, since the definition before */
    HD_RAW_LAST,      /* ns: older records may have been given back */
    HD_RAW_SAMPLING,  /* ns of processor time of a thread between its samples */
    HD_RAW_UNSAMPLED, /* ticks: a thread that began then has no samples */
    HD_RAW_LOST,      /* samples that got lost behind the last one of a log, of all logs together */
    HD_RAW_STOPPED,   /* ticks; why nothing was recorded from then on */
    HD_RAW_PROFILED,     /* sums are kept in place of records: raw_profile.h */
    HD_RAW_PLACE,     /* number of a location, HD_NONE: the process; processors that it may use: of word i bit j is
                       * processor 64 i + j. Of the process the last one counts, of a location the first */
    HD_RAW_TOPOLOGY,  /* of each dimension its size, an int | 1 << 32: it is periodic; name, names of the dimensions
                       * with HD_RAW_SEPARATOR behind each. A topology that the program defines */
    HD_RAW_COORDINATES, /* number of a location, its coordinates, ints; name of the topology */
    HD_RAW_UNKNOWN_COMM, /* a communicator was used whose making is not recorded: its calls have no more than times */
} hd_raw_definition_kind;

/* Operations, as OTF2_CollectiveOp numbers them; roots that are no ranks, as OTF2_CollectiveRoot does. */
typedef enum hd_raw_operation {
    HD_RAW_BARRIER, HD_RAW_BCAST, HD_RAW_GATHER, HD_RAW_GATHERV, HD_RAW_SCATTER, HD_RAW_SCATTERV, HD_RAW_ALLGATHER,
    HD_RAW_ALLGATHERV, HD_RAW_ALLTOALL, HD_RAW_ALLTOALLV, HD_RAW_ALLTOALLW, HD_RAW_ALLREDUCE, HD_RAW_REDUCE,
    HD_RAW_REDUCE_SCATTER, HD_RAW_SCAN, HD_RAW_EXSCAN, HD_RAW_REDUCE_SCATTER_BLOCK, HD_RAW_CREATE_HANDLE,
    HD_RAW_DESTROY_HANDLE, HD_RAW_ALLOCATE, HD_RAW_DEALLOCATE, HD_RAW_CREATE_HANDLE_AND_ALLOCATE,
    HD_RAW_DESTROY_HANDLE_AND_DEALLOCATE
} hd_raw_operation;

#define HD_RAW_ROOT_NONE UINT32_MAX
#define HD_RAW_ROOT_SELF (UINT32_MAX - 1)
#define HD_RAW_ROOT_THIS_GROUP (UINT32_MAX - 2)

static inline uint64_t
hd_raw_op_root(hd_raw_operation operation, uint32_t root)
{
    return (uint64_t)operation | (uint64_t)root << 32;
}

/* As OTF2_RmaAtomicType. */
enum { HD_RAW_ACCUMULATE = 0, HD_RAW_COMPARE_AND_SWAP = 3, HD_RAW_SWAP = 4, HD_RAW_FETCH_AND_ACCUMULATE = 7 };

/* What a file is opened for, and what is done with it. */
typedef enum hd_raw_file_flag {
    HD_RAW_FILE_READS = 1, HD_RAW_FILE_WRITES = 2, HD_RAW_FILE_CREATES = 4, HD_RAW_FILE_IS_NEW = 8,
    HD_RAW_FILE_APPENDS = 16, HD_RAW_FILE_FLUSHES = 32, HD_RAW_FILE_COLLECTIVE = 64, HD_RAW_FILE_NONBLOCKING = 128
} hd_raw_file_flag;

/* As OTF2_IoSeekOption numbers them. */
typedef enum hd_raw_whence { HD_RAW_FROM_START, HD_RAW_FROM_CURRENT, HD_RAW_FROM_END } hd_raw_whence;

#define HD_RAW_SEPARATOR '\x1f'
enum { HD_RAW_MAX_DIMENSIONS = 32 }; /* of a topology that the program defines */

/* Flags: inter-communicator; has members of other worlds; of numbers 0 and 1: a process set of MPI's sessions, where
 * there is no MPI_COMM_WORLD. */
enum { HD_RAW_COMM_INTER = 1, HD_RAW_COMM_FOREIGN = 2, HD_RAW_COMM_SET = 4 };

typedef struct hd_raw_definition {
    uint32_t kind, bytes; /* bytes: with this head, a multiple of 8 */
    uint32_t n_words, n_texts;
} hd_raw_definition;

/* Regions: MPI functions have the numbers of mpi_functions.h, others begin here, in the order of HD_RAW_REGION. */
enum { HD_RAW_FIRST_REGION = 4096 };

/* Name of the region, role of OTF2. */
#define HD_RAW_ROLES(X)                                                                                                \
    X(PARALLEL, "!$omp parallel", PARALLEL)                                                                            \
    X(IMPLICIT_BARRIER, "!$omp implicit barrier", IMPLICIT_BARRIER)                                                    \
    X(BARRIER, "!$omp barrier", BARRIER)                                                                               \
    X(CRITICAL, "!$omp critical", CRITICAL)                                                                            \
    X(CRITICAL_SBLOCK, "!$omp critical sblock", CRITICAL_SBLOCK)                                                       \
    X(LOOP, "!$omp for", LOOP)                                                                                         \
    X(SECTIONS, "!$omp sections", SECTIONS)                                                                            \
    X(SINGLE, "!$omp single", SINGLE)                                                                                  \
    X(ORDERED, "!$omp ordered", ORDERED)                                                                               \
    X(ORDERED_SBLOCK, "!$omp ordered sblock", ORDERED_SBLOCK)                                                          \
    X(TASK, "!$omp task", TASK)                                                                                        \
    X(TASK_CREATE_REGION, "!$omp create task", TASK_CREATE)                                                            \
    X(TASKLOOP, "!$omp taskloop", TASK_CREATE)                                                                         \
    X(TASKWAIT, "!$omp taskwait", TASK_WAIT)                                                                           \
    X(TASKGROUP, "!$omp taskgroup", TASK_WAIT)                                                                         \
    X(SET_LOCK, "omp_set_lock", WRAPPER)                                                                               \
    X(UNSET_LOCK, "omp_unset_lock", WRAPPER)                                                                           \
    X(TEST_LOCK, "omp_test_lock", WRAPPER)                                                                             \
    X(FUNCTION, "", FUNCTION) /* of the program, which the compiler has instrumented: by its own address */ \
    X(PTHREAD_CREATE, "pthread_create", THREAD_CREATE) /* from here on POSIX threads */                                \
    X(PTHREAD_JOIN, "pthread_join", THREAD_WAIT)                                                                       \
    X(MUTEX_LOCK, "pthread_mutex_lock", WRAPPER)                                                                       \
    X(MUTEX_TRYLOCK, "pthread_mutex_trylock", WRAPPER)                                                                 \
    X(MUTEX_UNLOCK, "pthread_mutex_unlock", WRAPPER)                                                                   \
    X(COND_WAIT, "pthread_cond_wait", WRAPPER)                                                                         \
    X(COND_TIMEDWAIT, "pthread_cond_timedwait", WRAPPER)                                                               \
    X(COND_SIGNAL, "pthread_cond_signal", WRAPPER)                                                                     \
    X(COND_BROADCAST, "pthread_cond_broadcast", WRAPPER)

#define HD_RAW_ROLE(name, text, role) HD_RAW_ROLE_##name,
typedef enum hd_raw_role { HD_RAW_ROLES(HD_RAW_ROLE) HD_RAW_N_ROLES } hd_raw_role;

#endif
