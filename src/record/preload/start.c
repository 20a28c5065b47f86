/* src/record/preload/start.c: begin and end of the recording, definitions, and the functions behind this library. */
#define _GNU_SOURCE /* RTLD_NEXT, O_CLOEXEC */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "functions.h"
#include "gomp.h"
#include "loaded_objects.h"
#include "log.h"
#include "mpi_preload.h"
#include "node_identity.h"
#include "pause.h"
#include "pthread_call.h"
#include "raw_space.h"
#include "recorder.h"
#include "sample.h"
#include "text_hash.h"

hd_recorder hd_the_recorder;

/* Written by the constructor, and from then on under the lock. */
static struct {
    pthread_mutex_t lock; /* recursive: a definition may need the file of the process, which makes one */
    char            folder[PATH_MAX]; /* of the raw files */
    bool            has_file;         /* P.def has been made */
    bool            is_child;         /* by fork(): the files are its parent's */
    uint64_t        node;
    int             process; /* id */
    char            name[64]; /* P */
    uint64_t        begin[3]; /* clocks at the begin */
    bool            is_told;  /* the user knows that nothing is recorded any more */
    atomic_bool     has_ended; /* the end is defined; what others do behind it may still be recorded */
} state;

/* ---- clock ------------------------------------------------------------------------------------------------------- */

#define TSC_LEAF 0x80000007U
#define TSC_INVARIANT (1U << 8)

/* Its rate does not change, and it does not stop. */
static bool
has_tsc(void)
{
#ifdef __x86_64__
    unsigned a = 0, b = 0, c = 0, d = 0;
    const char *wanted = getenv("HEDDLE_RECORD_CLOCK");
    char     source[16] = "";
    int      fd;

    if (wanted != NULL && strcmp(wanted, "monotonic") == 0)
        return false;
    fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
    /* The kernel has tested it, and does not use it where it found it wrong. */
    if (fd >= 0) {
        ssize_t n = read(fd, source, sizeof source - 1);

        close(fd);
        if (n > 0 && strncmp(source, "tsc", 3) != 0 && strncmp(source, "kvm-clock", 9) != 0)
            return false;
    }
    return __get_cpuid(TSC_LEAF, &a, &b, &c, &d) != 0 && (d & TSC_INVARIANT) != 0;
#else
    return false;
#endif
}

static uint64_t
clock_ns(clockid_t id)
{
    struct timespec time;

    clock_gettime(id, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void
hd_recorder_read_clocks(uint64_t clocks[3])
{
    clocks[0] = hd_recorder_now();
    clocks[1] = clock_ns(CLOCK_MONOTONIC);
    clocks[2] = clock_ns(CLOCK_REALTIME);
}

uint64_t
hd_recorder_node(void)
{
    return state.node;
}

uint64_t
hd_recorder_begin(void)
{
    return state.begin[0];
}

double
hd_recorder_ticks_per_ns(void)
{
    uint64_t now[3];

    hd_recorder_read_clocks(now);
    return now[1] > state.begin[1] ? (double)(now[0] - state.begin[0]) / (double)(now[1] - state.begin[1]) : 1.0;
}

/* ---- definitions ------------------------------------------------------------------------------------------------- */

static bool
write_whole(int fd, const char *bytes, size_t n)
{
    ssize_t done;

    do
        done = write(fd, bytes, n);
    while (done < 0 && errno == EINTR);
    return done == (ssize_t)n;
}

/* "FOLDER/P.ENDING". No descriptor is kept: the program may close all that it does not know, and open its own. */
static int
open_file(const char *ending, int flags)
{
    char path[PATH_MAX + 96];

    snprintf(path, sizeof path, "%s/%s.%s", state.folder, state.name, ending);
    return open(path, flags | O_RDWR | O_CLOEXEC, 0666);
}

/* The part of P.def that is written. Under the lock. */
static struct {
    char    *step; /* NULL: none is mapped */
    uint64_t begin, end, at; /* [bytes] of the file; at: where the next definition will be */
} definitions;

/* Maps the file from the step on in which the next definition begins, to that in which it ends. */
static const char *
map_definitions(uint64_t bytes)
{
    enum { STEP = HD_RAW_DEFINITIONS_STEP_BYTES };
    uint64_t    begin = definitions.at / STEP * STEP, end = (definitions.at + bytes + STEP - 1) / STEP * STEP;
    int         fd    = open_file("def", 0);
    const char *wrong = fd >= 0 ? hd_raw_space_take(fd, definitions.end, end - definitions.end) :
                                  "a raw file cannot be written";
    void       *step  = MAP_FAILED;

    if (wrong == NULL)
        step = mmap(NULL, end - begin, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)begin);
    if (fd >= 0)
        close(fd);
    if (step == MAP_FAILED)
        return wrong != NULL ? wrong : "a raw file cannot be mapped";
    if (definitions.step != NULL)
        munmap(definitions.step, definitions.end - definitions.begin);
    definitions.step  = step;
    definitions.begin = begin;
    definitions.end   = end;
    return NULL;
}

/* The first word is written last: without it there is no definition. */
static void
append(hd_raw_definition_kind kind, const uint64_t *words, uint32_t n_words, const char *text, const char *text2)
{
    size_t      length = text != NULL ? strlen(text) + 1 : 0, length2 = text2 != NULL ? strlen(text2) + 1 : 0;
    size_t      bytes  = sizeof(hd_raw_definition) + n_words * sizeof *words + (length + length2 + 7) / 8 * 8;
    const char *wrong  = definitions.at + bytes > definitions.end ? map_definitions(bytes) : NULL;
    hd_raw_definition head = { .kind    = kind,
                               .bytes   = (uint32_t)bytes,
                               .n_words = n_words,
                               .n_texts = (text != NULL ? 1U : 0U) + (text2 != NULL ? 1U : 0U) };
    uint64_t          first[sizeof head / sizeof(uint64_t)];
    char             *at;

    if (wrong != NULL) {
        if (hd_recording())
            hd_recorder_stop(wrong);
        return;
    }
    memcpy(first, &head, sizeof head);
    at = definitions.step + (definitions.at - definitions.begin);
    memcpy(at + sizeof *first, first + 1, sizeof *first);
    if (n_words > 0)
        memcpy(at + sizeof head, words, n_words * sizeof *words);
    if (text != NULL)
        memcpy(at + sizeof head + n_words * sizeof *words, text, length);
    if (text2 != NULL)
        memcpy(at + sizeof head + n_words * sizeof *words + length, text2, length2);
    __atomic_store_n((uint64_t *)(void *)at, first[0], __ATOMIC_RELEASE);
    definitions.at += bytes;
}

/* The first number that is free: the same process id may have recorded another program before it called exec(). */
static bool
make_definitions(void)
{
    for (int i = 0; i < 1000; i++) {
        int fd;

        snprintf(state.name, sizeof state.name, "%08x-%d-%d", (unsigned)state.node, state.process, i);
        fd = open_file("def", O_CREAT | O_EXCL);
        if (fd >= 0) {
            close(fd);
            return true;
        }
        if (errno != EEXIST)
            break;
    }
    return false;
}

/* What each process defines first. */
static void
define_process(void)
{
    char     host[256] = "", program[PATH_MAX] = "";
    uint64_t now[3];
    ssize_t  n = readlink("/proc/self/exe", program, sizeof program - 1);

    gethostname(host, sizeof host - 1);
    program[n > 0 ? n : 0] = '\0';
    append(HD_RAW_PROCESS,
           (const uint64_t[]){ HD_RAW_VERSION, (uint64_t)state.process, state.node, hd_the_recorder.has_tsc }, 4, host,
           program);
    append(HD_RAW_CLOCK, state.begin, 3, NULL, NULL);
    hd_recorder_read_clocks(now);
    append(HD_RAW_CLOCK, now, 3, NULL, NULL);
    if (hd_the_recorder.is_profile)
        append(HD_RAW_PROFILED, NULL, 0, NULL, NULL);
    if (hd_the_recorder.may_pause)
        append(HD_RAW_PAUSES, NULL, 0, NULL, NULL);
    if (hd_the_recorder.last_ns > 0)
        append(HD_RAW_LAST, &hd_the_recorder.last_ns, 1, NULL, NULL);
    if (hd_the_recorder.sample_ns > 0)
        append(HD_RAW_SAMPLING, &hd_the_recorder.sample_ns, 1, NULL, NULL);
    if (hd_the_recorder.n_counters > 0)
        append(HD_RAW_COUNTERS, NULL, 0, getenv("HEDDLE_RECORD_COUNTERS"), NULL);
    hd_log_define_process();
}

/* Under the lock. */
static bool
begin_file(void)
{
    if (HD_LIKELY(state.has_file))
        return true;
    state.has_file = make_definitions();
    if (state.has_file)
        define_process();
    else
        hd_recorder_stop("no file can be made in the folder of the recording");
    return state.has_file;
}

void
hd_recorder_define(hd_raw_definition_kind kind, const uint64_t *words, uint32_t n_words, const char *text,
                   const char *text2)
{
    int              error = errno;
    hd_recorder_held held;

    if (state.is_child) /* the lock may be that of a thread of the parent */
        return;
    held = hd_recorder_hold_signals();
    pthread_mutex_lock(&state.lock);
    if (begin_file())
        append(kind, words, n_words, text, text2);
    pthread_mutex_unlock(&state.lock);
    hd_recorder_release_signals(&held);
    errno = error;
}

void
hd_recorder_define_clock(void)
{
    uint64_t clocks[3];

    hd_recorder_read_clocks(clocks);
    hd_recorder_define(HD_RAW_CLOCK, clocks, 3, NULL, NULL);
}

int
hd_recorder_open_log(uint32_t number, bool is_new)
{
    int fd = -1;

    pthread_mutex_lock(&state.lock);
    if (begin_file()) {
        char ending[32];

        snprintf(ending, sizeof ending, "%u.%s", number, hd_the_recorder.is_profile ? "profile" : "log");
        fd = open_file(ending, is_new ? O_CREAT | O_EXCL : 0);
        if (fd < 0)
            hd_recorder_stop(errno == EMFILE || errno == ENFILE ? "too many files are open" :
                                                                  "no file can be made in the folder of the recording");
    }
    pthread_mutex_unlock(&state.lock);
    return fd;
}

int
hd_recorder_open_log_again(uint32_t number, char *path, size_t bytes)
{
    int n = snprintf(path, bytes, "%s/%s.%u.log", state.folder, state.name, number); /* takes no memory */

    return n > 0 && (size_t)n < bytes ? open(path, O_RDWR | O_CLOEXEC) : -1;
}

bool
hd_recorder_write_begin(uint32_t number, const uint64_t *words, size_t n)
{
    char aside[PATH_MAX + 128], path[PATH_MAX + 128], ending[32];
    int  fd;
    bool is_whole;

    snprintf(ending, sizeof ending, "%u.begin.tmp", number);
    snprintf(aside, sizeof aside, "%s/%s.%s", state.folder, state.name, ending);
    snprintf(path, sizeof path, "%s/%s.%u.begin", state.folder, state.name, number);
    fd       = open_file(ending, O_CREAT | O_TRUNC);
    is_whole = fd >= 0 && write_whole(fd, (const char *)words, n * sizeof *words);
    if (fd >= 0)
        close(fd);
    return is_whole && rename(aside, path) == 0;
}

/* ---- regions and locks ------------------------------------------------------------------------------------------- */

enum { N_NAMES = 1 << 16, MAX_NAMES = N_NAMES / 2, N_KEPT = 256 /* for constructs without their place */ };

/* An open hash table that is only added to: read without the lock. Address ^ role << 56; 0: free. */
static _Atomic(uintptr_t) names[N_NAMES];
static atomic_uint n_names; /* written under the lock */

typedef struct named { /* what a number is defined as */
    hd_raw_definition_kind kind;
    uintptr_t              key; /* of names */
    uint64_t               words[3];
    uint32_t               n_words, most; /* there is room for it below so many names */
    const char            *text;
} named;

static uint32_t
slot_of(uintptr_t key)
{
    return (uint32_t)((uint64_t)key * 0x9E3779B97F4A7C15U >> 48);
}

static uint32_t
number_of(const named *wanted)
{
    uintptr_t        key  = wanted->key;
    uint32_t         slot = slot_of(key), found = 0;
    hd_recorder_held held;

    for (uint32_t i = 0; i < N_NAMES; i++, slot = (slot + 1) % N_NAMES) {
        uintptr_t there = atomic_load_explicit(&names[slot], memory_order_acquire);

        if (there == 0 && atomic_load(&n_names) >= wanted->most) /* the last may just have been added */
            if ((there = atomic_load(&names[slot])) == 0)
                return 0;
        if (there == key)
            return HD_RAW_FIRST_REGION + slot;
        if (there != 0)
            continue;
        held = hd_recorder_hold_signals();
        pthread_mutex_lock(&state.lock);
        there = atomic_load_explicit(&names[slot], memory_order_relaxed);
        if (there == 0 && n_names < wanted->most) {
            found = HD_RAW_FIRST_REGION + slot;
            hd_recorder_define(wanted->kind,
                               (const uint64_t[]){ found, wanted->words[0], wanted->words[1], wanted->words[2] },
                               wanted->n_words, wanted->text, NULL);
            atomic_store_explicit(&names[slot], key, memory_order_release);
            atomic_fetch_add(&n_names, 1);
        }
        pthread_mutex_unlock(&state.lock);
        hd_recorder_release_signals(&held);
        if (there == 0 || there == key)
            return there == key ? HD_RAW_FIRST_REGION + slot : found;
    }
    return 0;
}

/* It is known, mostly, and in its first slot. */
static uint32_t
number_at(hd_raw_definition_kind kind, uint32_t role, const void *address, const void *other)
{
    uintptr_t key  = (uintptr_t)address ^ (uintptr_t)(role + 1) << 56;
    uint32_t  most = address == NULL ? MAX_NAMES : MAX_NAMES - N_KEPT;

    if (HD_LIKELY(atomic_load_explicit(&names[slot_of(key)], memory_order_acquire) == key))
        return HD_RAW_FIRST_REGION + slot_of(key);
    return number_of(&(named){ kind, key, { role, (uint64_t)(uintptr_t)address, (uint64_t)(uintptr_t)other }, 4, most,
                               NULL });
}

uint32_t
hd_recorder_region_or(hd_raw_role role, const void *address, const void *other)
{
    uint32_t number = number_at(HD_RAW_REGION, role, address, other);

    return HD_LIKELY(number != 0) || role == HD_RAW_ROLE_FUNCTION ? number : number_at(HD_RAW_REGION, role, NULL, NULL);
}

uint32_t
hd_recorder_region(hd_raw_role role, const void *address)
{
    return hd_recorder_region_or(role, address, NULL);
}

uint32_t
hd_recorder_lock(const void *address)
{
    return number_at(HD_RAW_LOCK, HD_RAW_N_ROLES, address, NULL);
}

uint32_t
hd_recorder_user_region(const char *name, bool is_iteration)
{
    uint64_t hash = hd_text_hash(HD_TEXT_HASH + is_iteration, name);

    return number_of(&(named){ HD_RAW_USER, (uintptr_t)(hash | 1), { is_iteration }, 2, MAX_NAMES - N_KEPT, name });
}

/* ---- what is loaded ---------------------------------------------------------------------------------------------- */

enum { N_OBJECTS = 1 << 12 };

/* Whether it was defined before; of very many this is not known, and they are defined again. */
static bool
is_known(const hd_loaded_object *object)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static uint64_t        known[N_OBJECTS]; /* hashes, 0: free */
    uint64_t               hash = hd_text_hash(HD_TEXT_HASH ^ object->words[0] ^ object->words[3], object->path) | 1;
    uint32_t               slot = (uint32_t)(hash >> 52), tries = 0;
    hd_recorder_held       held = hd_recorder_hold_signals();
    bool                   is;

    pthread_mutex_lock(&lock);
    for (; tries < N_OBJECTS && known[slot] != 0 && known[slot] != hash; tries++)
        slot = (slot + 1) % N_OBJECTS;
    is = known[slot] == hash;
    if (known[slot] == 0)
        known[slot] = hash;
    pthread_mutex_unlock(&lock);
    hd_recorder_release_signals(&held);
    return is;
}

void
hd_recorder_define_objects(void)
{
    hd_loaded_objects       list;
    const hd_loaded_object *one = NULL;

    hd_thread_depth++; /* the locks in it are the recorder's */
    list = hd_loaded_objects_list();
    while ((one = hd_loaded_objects_next(&list, one)) != NULL)
        if (!is_known(one))
            hd_recorder_define(HD_RAW_OBJECT, one->words, 4, one->path, NULL);
    free(list.objects);
    hd_thread_depth--;
}

/* A library's code calls this when it is closed, and is still there: what the program has opened itself is known before
 * it is gone. UCX has other libraries call a dlclose() of its own, which calls that of the C library. */
HD_EXPORT void __cxa_finalize(void *library);
HD_EXPORT void
__cxa_finalize(void *library)
{
    static _Atomic(void *) real;
    union {
        void *object;
        void (*function)(void *);
    } found = { .object = atomic_load(&real) };

    if (found.object == NULL) {
        found.object = dlsym(RTLD_NEXT, "__cxa_finalize");
        atomic_store(&real, found.object);
    }
    if (!atomic_load(&state.has_ended) && hd_recording() && hd_thread_depth == 0 && hd_log_first() != NULL)
        hd_recorder_define_objects();
    if (found.object != NULL)
        found.function(library);
}

/* ---- begin and end ----------------------------------------------------------------------------------------------- */

void
hd_recorder_stop(const char *why)
{
    bool             was_on = atomic_exchange(&hd_the_recorder.is_on, false);
    hd_recorder_held held;

    if (!was_on || why == NULL)
        return;
    held = hd_recorder_hold_signals();
    pthread_mutex_lock(&state.lock);
    if (state.has_file)
        append(HD_RAW_STOPPED, (const uint64_t[]){ hd_recorder_now() }, 1, why, NULL);
    if (!state.is_told)
        dprintf(STDERR_FILENO, "heddle record: warning: process %d is not recorded from now on: %s\n", state.process,
                why);
    state.is_told = true;
    pthread_mutex_unlock(&state.lock);
    hd_recorder_release_signals(&held);
}

void
hd_recorder_refuse(const char *why, const char *advice)
{
    dprintf(STDERR_FILENO, "heddle record: error: %s\n  try:      %s\n", why, advice);
    _exit(1);
}

/* Around a fork the handlers of libraries run, in the child as well, where those that were registered earlier come
 * before ours: what they call, such as mutexes, is not recorded, as both processes would write into one log. */
static void
begin_fork(void)
{
    hd_thread_depth++;
}

static void
end_fork(void)
{
    hd_thread_depth--;
}

/* The child of a fork would write into the files of its parent. */
static void
stop_in_child(void)
{
    atomic_store(&hd_the_recorder.is_on, false);
    state.is_child = true;
    hd_sample_forget();
    hd_log_forget_all();
    hd_thread_log = NULL;
    end_fork();
}

static void
read_wishes(void)
{
    const char *callers = getenv("HEDDLE_RECORD_CALLERS"), *counters = getenv("HEDDLE_RECORD_COUNTERS");
    const char *limit = getenv("HEDDLE_RECORD_LIMIT"), *last = getenv("HEDDLE_RECORD_LAST");
    void       *none;

    hd_the_recorder.limit_bytes   = limit != NULL ? strtoull(limit, NULL, 10) : 0;
    hd_the_recorder.last_ns       = last != NULL ? strtoull(last, NULL, 10) : 0;
    hd_the_recorder.window_bytes  = last != NULL ? HD_RAW_LAST_WINDOW_BYTES : HD_RAW_WINDOW_BYTES;
    hd_the_recorder.is_profile    = getenv("HEDDLE_RECORD_PROFILE") != NULL;
    hd_the_recorder.all_functions = hd_the_recorder.is_profile || getenv("HEDDLE_RECORD_ALL") != NULL;
    hd_the_recorder.n_callers     = callers != NULL ? (uint32_t)atoi(callers) : 1;
    hd_the_recorder.n_counters    = counters != NULL ? hd_counters_begin(counters) : 0;
    if (hd_the_recorder.n_callers > HD_RAW_MAX_CALLERS)
        hd_the_recorder.n_callers = HD_RAW_MAX_CALLERS;
    hd_sample_prepare(getenv("HEDDLE_RECORD_SAMPLE"));
    if (hd_the_recorder.n_callers > 1)
        backtrace(&none, 1); /* loads what it needs */
}

static char **program_arguments; /* NULL: not known yet */

static void
begin_once(void)
{
    const char         *folder = getenv("HEDDLE_RECORD_DIR");
    pthread_mutexattr_t recursive;
    int                 error = errno;

    if (folder == NULL || folder[0] == '\0')
        return;
    if (program_arguments != NULL)
        hd_mpi_preload_settle(program_arguments);
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&state.lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
    hd_the_recorder.has_tsc = has_tsc();
    hd_recorder_read_clocks(state.begin);
    state.process = getpid();
    state.node    = hd_node_identity();
    snprintf(state.folder, sizeof state.folder, "%s", folder);
    read_wishes();
    hd_pause_begin(getenv("HEDDLE_RECORD_WINDOW"), getenv("HEDDLE_RECORD_ITERATIONS"));
    hd_functions_begin();
    hd_pthread_begin();
    pthread_atfork(begin_fork, end_fork, stop_in_child);
    madvise(&hd_the_recorder, sizeof hd_the_recorder, MADV_WIPEONFORK); /* _Fork() and clone() run no handler */
    atomic_store(&hd_the_recorder.is_on, true);
    errno = error;
}

void
hd_recorder_begin_now(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, begin_once);
}

__attribute__((constructor)) static void
begin(int n_arguments, char **arguments)
{
    (void)n_arguments;
    program_arguments = arguments;
    hd_recorder_begin_now();
}

static bool
has_file(void)
{
    bool has;

    pthread_mutex_lock(&state.lock);
    has = state.has_file;
    pthread_mutex_unlock(&state.lock);
    return has;
}

/* Threads may still write into their windows: nothing is unmapped. */
__attribute__((destructor)) static void
end(void)
{
    hd_sample_stop();
    if (hd_recording() && has_file()) {
        hd_gomp_finish_late();
        if (hd_the_recorder.n_counters > 0 && hd_the_recorder.sample_ns > 0 && hd_thread_log != NULL)
            hd_log_count(hd_thread_log, hd_recorder_now());
        hd_recorder_define_objects();
        atomic_store(&state.has_ended, true);
        hd_recorder_define_clock();
        hd_recorder_define(HD_RAW_END, (const uint64_t[]){ hd_recorder_now() }, 1, NULL, NULL);
    }
}
