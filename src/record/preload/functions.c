/* src/record/preload/functions.c: enters and leaves of functions, of which some are filtered out. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "functions.h"
#include "pause.h"
#include "text_hash.h"

#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N_FUNCTIONS = 1 << 15, MAX_OPEN = 256 };

typedef struct function {
    _Atomic(uintptr_t) address; /* 0: free; set last */
    uint32_t           region;  /* 0: it is filtered out */
    atomic_bool        is_dropped;
    _Atomic uint64_t   visits, ticks; /* of all threads; some may get lost */
} function;

/* An open hash table that is only added to, under the lock: read without it. */
static function        functions[N_FUNCTIONS];
static atomic_uint     n_functions; /* written under the lock */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct frame {
    function *open;
    uint64_t  enter; /* [ticks] */
    bool      is_recorded;
} frame;

static HD_THREAD_LOCAL frame    frames[MAX_OPEN];
static HD_THREAD_LOCAL uint32_t n_frames; /* may be more: those are not recorded */

/* ---- filter ------------------------------------------------------------------------------------------------------ */

static struct { /* written once */
    const uint64_t *addresses; /* [n] */
    size_t          n;
    uint64_t        base; /* of the program, which is loaded there */
} filter;

static int
find_base(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size;
    *(uint64_t *)user = info->dlpi_addr;
    return 1; /* the first one is the program */
}

/* The system has a lock while it lists what is loaded, so this is not left to the first function. */
void
hd_functions_begin(void)
{
    const char *path = getenv("HEDDLE_RECORD_FILTER");
    char        program[PATH_MAX] = "";
    int         fd = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    struct stat file;
    const char *bytes;
    size_t      head;

    if (fd < 0)
        return;
    bytes = fstat(fd, &file) == 0 && file.st_size > 0 ?
                mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (bytes == MAP_FAILED || readlink("/proc/self/exe", program, sizeof program - 1) < 0 ||
        strncmp(bytes, program, (size_t)file.st_size) != 0)
        return; /* a filter of another program */
    head             = (strlen(program) + 8) / 8 * 8;
    filter.addresses = (const uint64_t *)(const void *)(bytes + head);
    filter.n         = (size_t)file.st_size > head ? ((size_t)file.st_size - head) / sizeof(uint64_t) : 0;
    dl_iterate_phdr(find_base, &filter.base);
}

/* Addresses are in order. */
static bool
is_filtered(const void *address)
{
    uint64_t wanted = (uint64_t)(uintptr_t)address - filter.base;
    size_t   low = 0, high = filter.n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (filter.addresses[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low < filter.n && filter.addresses[low] == wanted;
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

/* Under the lock. */
static function *
add(function *at, const void *address)
{
    if (atomic_load(&n_functions) >= N_FUNCTIONS / 2)
        return NULL;
    at->region = is_filtered(address) ? 0 : hd_recorder_region(HD_RAW_ROLE_FUNCTION, address);
    atomic_store_explicit(&at->address, (uintptr_t)address, memory_order_release);
    atomic_fetch_add(&n_functions, 1);
    return at;
}

/* NULL: there are too many. */
static function *
find(const void *address)
{
    uint32_t         slot = (uint32_t)((uint64_t)(uintptr_t)address * 0x9E3779B97F4A7C15U >> 49);
    hd_recorder_held held;

    for (uint32_t i = 0; i < N_FUNCTIONS; i++, slot = (slot + 1) % N_FUNCTIONS) {
        function *at    = &functions[slot];
        uintptr_t there = atomic_load_explicit(&at->address, memory_order_acquire);

        if (there == 0 && atomic_load(&n_functions) >= N_FUNCTIONS / 2) { /* the last may just have been added */
            there = atomic_load(&at->address);
            if (there == 0)
                return NULL;
        }
        if (there == (uintptr_t)address)
            return at;
        if (there != 0)
            continue;
        held = hd_recorder_hold_signals();
        pthread_mutex_lock(&lock);
        there = atomic_load_explicit(&at->address, memory_order_relaxed);
        if (there == 0)
            at = add(at, address);
        pthread_mutex_unlock(&lock);
        hd_recorder_release_signals(&held);
        if (there == 0 || there == (uintptr_t)address)
            return at;
    }
    return NULL;
}

/* Drops it if it is short and called often. ticks: of the visit that is over. */
static void
count(function *left, uint64_t ticks)
{
    static _Atomic uint64_t short_ticks; /* in HD_FUNCTION_MANY_VISITS visits that are short; 0: not known yet */
    uint64_t visits = atomic_load_explicit(&left->visits, memory_order_relaxed) + 1;
    uint64_t sum    = atomic_load_explicit(&left->ticks, memory_order_relaxed) + ticks;

    atomic_store_explicit(&left->visits, visits, memory_order_relaxed);
    atomic_store_explicit(&left->ticks, sum, memory_order_relaxed);
    if (HD_LIKELY(visits % HD_FUNCTION_MANY_VISITS != 0) || hd_the_recorder.all_functions)
        return;
    if (atomic_load(&short_ticks) == 0)
        atomic_store(&short_ticks, (uint64_t)((double)HD_FUNCTION_MANY_VISITS * HD_FUNCTION_SHORT_NS *
                                              hd_recorder_ticks_per_ns()));
    if (sum / (visits / HD_FUNCTION_MANY_VISITS) < atomic_load(&short_ticks) &&
        !atomic_exchange(&left->is_dropped, true))
        hd_recorder_define(HD_RAW_DROPPED, (const uint64_t[]){ left->region, visits }, 2, NULL, NULL);
}

void
__cyg_profile_func_enter(void *address, void *caller)
{
    function *entered;
    hd_log   *log;
    uint32_t  depth = n_frames;
    frame    *at    = &frames[depth < MAX_OPEN ? depth : 0];

    if (!hd_recording() || hd_thread_depth > 0)
        return;
    n_frames++;
    if (depth >= MAX_OPEN)
        return;
    hd_thread_depth++; /* a signal's handler may come between */
    entered = find(address);
    *at     = (frame){ .open = entered };
    if (entered != NULL && entered->region != 0 &&
        !atomic_load_explicit(&entered->is_dropped, memory_order_relaxed)) {
        log = hd_log_of_thread();
        hd_pause_settle(log);
        if (log != NULL && !log->is_paused) {
            at->enter       = hd_recorder_now();
            at->is_recorded = true;
            HD_LOG_PUT(log, at->enter, ENTER, entered->region,
                       hd_the_recorder.sample_ns > 0 ? (uint64_t)(uintptr_t)caller : 0);
        }
    }
    hd_thread_depth--;
}

static void
leave(const frame *left)
{
    hd_log  *log = hd_log_of_thread();
    uint64_t now;

    if (log == NULL)
        return;
    now = hd_recorder_now();
    hd_pause_put_leave(log, now, left->open->region);
    count(left->open, now - left->enter);
}

/* Frames above it were left by longjmp(): the archive's writer leaves them, too. */
void
__cyg_profile_func_exit(void *address, void *caller)
{
    uint32_t at = n_frames;

    (void)caller;
    if (n_frames == 0 || !hd_recording() || hd_thread_depth > 0)
        return;
    if (at > MAX_OPEN) {
        n_frames--;
        return;
    }
    hd_thread_depth++;
    while (at > 0 && (frames[at - 1].open == NULL || frames[at - 1].open->address != (uintptr_t)address))
        at--;
    if (at > 0) {
        n_frames = at - 1;
        if (frames[at - 1].is_recorded)
            leave(&frames[at - 1]);
    }
    hd_thread_depth--;
}

/* ---- regions of the program -------------------------------------------------------------------------------------- */

/* Parts that are open, so that one which began in a pause has no end, either. Of deeper ones that is not known. */
enum { MAX_MARKS = 64 };
static HD_THREAD_LOCAL struct {
    uint32_t region;
    bool     is_recorded;
} marks[MAX_MARKS];
static HD_THREAD_LOCAL uint32_t n_marks; /* may be more than MAX_MARKS */

static void
mark_begin(hd_log *log, uint32_t region, const void *caller)
{
    hd_pause_settle(log);
    if (n_marks < MAX_MARKS) {
        marks[n_marks].region      = region;
        marks[n_marks].is_recorded = !log->is_paused;
    }
    n_marks++;
    if (hd_the_recorder.sample_ns > 0)
        hd_log_enter(log, hd_recorder_now(), region, caller);
    else
        HD_LOG_PUT(log, hd_recorder_now(), ENTER, region, (uint64_t)(uintptr_t)caller);
}

/* Those in it end, too; one that has not begun is passed over. */
static void
mark_end(hd_log *log, uint32_t region)
{
    uint32_t at = n_marks;

    if (n_marks > MAX_MARKS) { /* a leave of what is not open is passed over later */
        n_marks--;
        hd_pause_put_leave(log, hd_recorder_now(), region);
        return;
    }
    while (at > 0 && marks[at - 1].region != region)
        at--;
    if (at > 0 && marks[at - 1].is_recorded)
        hd_pause_put_leave(log, hd_recorder_now(), region);
    if (at > 0)
        n_marks = at - 1;
}

static void
mark(const char *name, bool is_iteration, bool begins, const void *caller)
{
    uint32_t region;
    hd_log  *log;

    if (!hd_recording() || hd_thread_depth > 0 || name == NULL || (log = hd_log_of_thread()) == NULL)
        return;
    hd_thread_depth++;
    region = hd_recorder_user_region(name, is_iteration);
    if (region != 0 && begins) {
        if (is_iteration)
            hd_pause_iteration(region, true);
        mark_begin(log, region, caller);
    } else if (region != 0) {
        mark_end(log, region);
        if (is_iteration)
            hd_pause_iteration(region, false);
        hd_pause_settle(log);
    }
    hd_thread_depth--;
}

void
heddle_record_region_begin(const char *name)
{
    mark(name, false, true, __builtin_return_address(0));
}

void
heddle_record_region_end(const char *name)
{
    mark(name, false, false, NULL);
}

void
heddle_record_iteration_begin(const char *name)
{
    mark(name, true, true, __builtin_return_address(0));
}

void
heddle_record_iteration_end(const char *name)
{
    mark(name, true, false, NULL);
}

/* ---- topologies of the program ----------------------------------------------------------------------------------- */

enum { N_SEEN = 1 << 12 };

/* Whether it was defined before, as in each step of a loop; once there are very many it is not known any more. */
static bool
is_seen(hd_raw_definition_kind kind, const uint64_t *words, uint32_t n, const char *name, const char *more)
{
    static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
    static uint64_t        seen[N_SEEN]; /* hashes, 0: free */
    uint64_t               hash = hd_text_hash(hd_text_hash(HD_TEXT_HASH ^ kind, name), more);
    uint32_t               slot, tries = 0;
    hd_recorder_held       held;
    bool                   found;

    for (uint32_t i = 0; i < n; i++)
        hash = (hash ^ (words[i] + 1)) * 0x9E3779B97F4A7C15U;
    hash |= 1;
    held = hd_recorder_hold_signals();
    pthread_mutex_lock(&table);
    for (slot = (uint32_t)(hash >> 52); tries < N_SEEN && seen[slot] != 0 && seen[slot] != hash; tries++)
        slot = (slot + 1) % N_SEEN;
    found = seen[slot] == hash;
    if (seen[slot] == 0)
        seen[slot] = hash;
    pthread_mutex_unlock(&table);
    hd_recorder_release_signals(&held);
    return found;
}

static void
define_once(hd_raw_definition_kind kind, const uint64_t *words, uint32_t n, const char *name, const char *more)
{
    if (!is_seen(kind, words, n, name, more != NULL ? more : ""))
        hd_recorder_define(kind, words, n, name, more);
}

/* The names with a separator behind each; none where there is no name, or no memory. free() it. */
static char *
join_names(int n, const char *const *names)
{
    size_t bytes = 1, at = 0;
    char  *text;

    for (int i = 0; i < n; i++)
        bytes += (names != NULL && names[i] != NULL ? strlen(names[i]) : 0) + 1;
    text = calloc(1, bytes);
    for (int i = 0; i < n && text != NULL; i++) {
        size_t length = names != NULL && names[i] != NULL ? strlen(names[i]) : 0;

        if (length > 0)
            memcpy(text + at, names[i], length);
        at += length;
        text[at++] = HD_RAW_SEPARATOR;
    }
    return text;
}

void
heddle_record_topology_define(const char *name, int n, const int *sizes, const int *periodic, const char *const *names)
{
    uint64_t words[HD_RAW_MAX_DIMENSIONS];
    uint32_t n_words = n > 0 && n <= HD_RAW_MAX_DIMENSIONS && sizes != NULL ? (uint32_t)n : 0;
    char    *joined;

    if (!hd_recording() || hd_thread_depth > 0 || name == NULL)
        return;
    hd_thread_depth++;
    for (uint32_t i = 0; i < n_words; i++)
        words[i] = (uint32_t)sizes[i] | (uint64_t)(periodic != NULL && periodic[i] != 0) << 32;
    joined = join_names((int)n_words, names);
    define_once(HD_RAW_TOPOLOGY, words, n_words, name, joined != NULL ? joined : "");
    free(joined);
    hd_thread_depth--;
}

void
heddle_record_topology_place(const char *name, int n, const int *coordinates)
{
    uint64_t words[1 + HD_RAW_MAX_DIMENSIONS];
    uint32_t n_words = n > 0 && n <= HD_RAW_MAX_DIMENSIONS && coordinates != NULL ? (uint32_t)n : 0;
    hd_log  *log;

    if (!hd_recording() || hd_thread_depth > 0 || name == NULL || (log = hd_log_of_thread()) == NULL ||
        log->window == NULL)
        return;
    hd_thread_depth++;
    words[0] = log->number;
    for (uint32_t i = 0; i < n_words; i++)
        words[1 + i] = (uint32_t)coordinates[i];
    define_once(HD_RAW_COORDINATES, words, 1 + n_words, name, NULL);
    hd_thread_depth--;
}
