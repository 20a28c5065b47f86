/* src/record/preload/recorder.h: what is recorded of this process: state, clock, definitions, logs.
 *
 * The preload library lives in a foreign program. It changes nothing that the program can see: errors stop the
 * recording, errno stays, no message but one line on standard error where nothing can be recorded. There is one
 * recorder per process, as there is one program, so its state is static, unlike elsewhere.
 *
 * heddle record sets HEDDLE_RECORD_DIR, the folder, without which nothing is recorded; HEDDLE_RECORD_MPI
 * (mpi_preload.h); HEDDLE_RECORD_CALLERS, levels of callers; HEDDLE_RECORD_COUNTERS, names; HEDDLE_RECORD_FILTER,
 * addresses of functions that are not recorded (functions.h); HEDDLE_RECORD_ALL, short ones are; HEDDLE_RECORD_LIMIT,
 * bytes; HEDDLE_RECORD_LAST, ns (ring.h); HEDDLE_RECORD_PROFILE, sums are kept and no records (profile.h);
 * HEDDLE_RECORD_SAMPLE, samples per second of processor time (sample.h); HEDDLE_RECORD_WINDOW and
 * HEDDLE_RECORD_ITERATIONS (pause.h). In all processes of a node or in none: HEDDLE_RECORD_CLOCK=monotonic, the
 * system's clock; for tests HEDDLE_RECORD_NODE, an identity in place of the node's. Files are made when something is
 * first recorded, so shells and compilers that inherit the preload leave none.
 * Uses: raw_layout. MT: any thread unless said otherwise. Ranks: local.
 */
#ifndef HD_RECORDER_H
#define HD_RECORDER_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#include "raw_layout.h"

#define HD_EXPORT __attribute__((visibility("default")))
#define HD_NOINLINE __attribute__((noinline))
#define HD_THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))

enum { HD_IDLE_GAP = 4000 /* [ticks] 1 to 4 us: calls that find nothing are one with less than that between them */ };

/* The largest page. */
#ifdef __x86_64__
enum { HD_PAGE_BYTES = 1 << 12 };
#else
enum { HD_PAGE_BYTES = 1 << 16 };
#endif

typedef struct hd_recorder { /* alone on its pages, which the system empties in a child of fork() */
    atomic_bool is_on;  /* written by the constructor, the fork handler, and where recording stops */
    atomic_bool is_paused; /* as the last log that began or ended a pause */
    atomic_bool may_pause; /* parts of the run are not recorded (pause.h) */
    atomic_bool is_threaded; /* there is a location beside the first: mutexes may be waited for */
    bool        has_tsc; /* written by the constructor only, as are those that follow */
    bool        is_profile; /* sums are kept, and no records (profile.h) */
    bool        all_functions; /* short ones as well, however often they are called */
    uint32_t    n_callers; /* levels of functions that call MPI */
    uint32_t    n_counters;
    uint64_t    limit_bytes; /* of all logs, 0: none */
    uint64_t    window_bytes; /* of each window of a log */
    uint64_t    last_ns; /* older records may be given back, 0: none are */
    uint64_t    sample_ns; /* of processor time between two samples (sample.h), 0: there are none */
} __attribute__((aligned(HD_PAGE_BYTES))) hd_recorder;

extern hd_recorder hd_the_recorder;

/* True while something is recorded. */
static inline bool
hd_recording(void)
{
    return HD_LIKELY(atomic_load_explicit(&hd_the_recorder.is_on, memory_order_relaxed));
}

/* [ticks] Never 0. About 10 ns by the time stamp counter, 20 ns by the system's clock. */
static inline uint64_t
hd_recorder_now(void)
{
#ifdef __x86_64__
    if (HD_LIKELY(hd_the_recorder.has_tsc))
        return __builtin_ia32_rdtsc();
#endif
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* Between the two the thread is not cancelled: system calls of the recorder would end it at places where the program
 * does not expect it, and with a lock. */
static inline int
hd_recorder_hold(void)
{
    int before;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

static inline void
hd_recorder_release(int before)
{
    pthread_setcancelstate(before, &before);
}

/* The same, and no handler of the program runs in between: one that leaves by longjmp() would take a lock with it.
 * Only those of the thread's own instructions do: the system ends a program that has blocked such a signal, and some
 * programs handle their system calls so (SIGSYS). Costs two system calls, so it is for what is rare. */
typedef struct hd_recorder_held {
    int      cancel;
    sigset_t signals;
} hd_recorder_held;

static inline hd_recorder_held
hd_recorder_hold_signals(void)
{
    static const int own[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS };
    hd_recorder_held before;
    sigset_t         others;

    sigfillset(&others);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(&others, own[i]);
    pthread_sigmask(SIG_BLOCK, &others, &before.signals);
    before.cancel = hd_recorder_hold();
    return before;
}

static inline void
hd_recorder_release_signals(const hd_recorder_held *before)
{
    hd_recorder_release(before->cancel);
    pthread_sigmask(SIG_SETMASK, &before->signals, NULL);
}

/* Begins the recording, once: the constructor, or the program's first call of MPI. That comes first where a library of
 * the program calls MPI_Init in a constructor of its own. */
void hd_recorder_begin_now(void);

/* Identity of the node: processes with the same one have the same clock. */
uint64_t hd_recorder_node(void);

/* [ticks] at the begin of the program. */
uint64_t hd_recorder_begin(void);

/* As measured since the begin of the program. */
double hd_recorder_ticks_per_ns(void);

/* Records nothing from now on. why: for the user, a constant; NULL: nothing to tell. */
void hd_recorder_stop(const char *why);

/* The same, and ends the program: before a call that would crash it. */
_Noreturn void hd_recorder_refuse(const char *why, const char *advice);

/* Appends a definition: it is in the file, whole, however the process ends. Errors stop the recording. The first one
 * makes the file.
 *   words   [n_words]
 *   text    one, NULL: none
 *   text2   a second one, NULL: none */
void hd_recorder_define(hd_raw_definition_kind kind, const uint64_t *words, uint32_t n_words, const char *text,
                        const char *text2);

/* ticks, CLOCK_MONOTONIC, CLOCK_REALTIME [ns], one after the other. */
void hd_recorder_read_clocks(uint64_t clocks[3]);
/* These, for the frequency of the ticks. */
void hd_recorder_define_clock(void);
/* What is loaded by now. Not with a lock of the recorder (loaded_objects.h). */
void hd_recorder_define_objects(void);

/* Opens "FOLDER/P.NUMBER.log", of a profile "FOLDER/P.NUMBER.profile", which is_new makes. Returns its descriptor, -1:
 * stopped. It is closed at once again: the program may close what it does not know, and open its own files under that
 * number. */
int hd_recorder_open_log(uint32_t number, bool is_new);

/* Opens one that has been made, within a signal handler. path: [bytes] for it, as the stack may be small. -1: it cannot
 * be. */
int hd_recorder_open_log_again(uint32_t number, char *path, size_t bytes);

/* Makes "FOLDER/P.NUMBER.begin" with words[n] in place of the one before: it is there whole, or that one is. False:
 * it cannot. */
bool hd_recorder_write_begin(uint32_t number, const uint64_t *words, size_t n);

/* Number of a region at an address, defined when it is first asked for. If there are too many it is that without the
 * address; of a function 0. */
uint32_t hd_recorder_region(hd_raw_role role, const void *address);
/* The same; `other` has its name where none is known at the address. */
uint32_t hd_recorder_region_or(hd_raw_role role, const void *address, const void *other);
/* Number of a lock; 0 if there are too many. */
uint32_t hd_recorder_lock(const void *address);
/* Number of a region that the program names; 0 if there are too many. */
uint32_t hd_recorder_user_region(const char *name, bool is_iteration);

/* A function of the program behind this library. library: part of the name of a library that may have been loaded
 * later, out of sight of the linker; NULL: none. NULL: there is no such function. */
void *hd_recorder_real(const char *name, const char *const *libraries);
/* A variable of a library, which the program may have a copy of. */
void *hd_recorder_variable(const char *name, const char *const *libraries);

#endif
