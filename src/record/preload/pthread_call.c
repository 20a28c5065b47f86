/* src/record/preload/pthread_call.c: functions behind the wrappers, and whose calls are recorded. */
#define _GNU_SOURCE /* RTLD_NEXT, dlvsym, _dl_find_object, dl_iterate_phdr */
#include "pthread_call.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "pause.h"

_Atomic(void *) hd_pthread_reals[HD_N_PTHREAD_FUNCTIONS];

static const char *const names[] = {
#define NAME(name) #name,
    HD_PTHREAD_FUNCTIONS(NAME)
#undef NAME
};

/* ---- functions behind ------------------------------------------------------------------------------------------- */

/* Of condition variables there are older functions of the same name, for other structures. */
static void *
look_up(const char *name)
{
#ifdef __x86_64__
    if (strncmp(name, "pthread_cond_", 13) == 0 && strcmp(name, "pthread_cond_clockwait") != 0)
        return dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
#endif
    return dlsym(RTLD_NEXT, name);
}

void *
hd_pthread_find(hd_pthread_function function)
{
    static HD_THREAD_LOCAL bool is_looking;
    void                       *found;

    if (is_looking)
        return NULL;
    is_looking = true;
    found      = look_up(names[function]);
    is_looking = false;
    atomic_store(&hd_pthread_reals[function], found);
    return found;
}

/* Later a look-up would clear what dlerror() has to say. */
void
hd_pthread_begin(void)
{
    for (int i = 0; i < HD_N_PTHREAD_FUNCTIONS; i++)
        if (atomic_load(&hd_pthread_reals[i]) == NULL)
            hd_pthread_find((hd_pthread_function)i);
    dlerror(); /* older C libraries lack some */
}

/* ---- callers ----------------------------------------------------------------------------------------------------- */

/* The run-time libraries of C and Fortran, MPI and OpenMP libraries and what they are made of, the recorder. */
static bool
is_silent_object(const char *path)
{
    static const char *const begins[] = {
        "libheddle-record", "libc.so", "libc-", "libpthread", "ld-linux", "libgcc_s", "libgomp", "libomp", "libiomp",
        "libgfortran", "libifcore", "libFortranRuntime", "libflang",
        "libmpi", "libopen-", "libprrte", "libpmi", "mca_", "libmca_", "libucp", "libuct", "libucs", "libucm",
        "libfabric", "libpsm", "libibverbs", "librdmacm", "libmlx", "libhwloc", "libevent", "libhcoll", "libsharp",
        "libxpmem", "libmunge",
    };
    const char *name = strrchr(path, '/');

    name = name != NULL ? name + 1 : path;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

/* What an MPI library has loaded, by address. */
enum { MAX_LOADED = 512 };
static struct {
    uintptr_t from, bytes;
} loaded[MAX_LOADED];
static atomic_uint n_loaded, n_before; /* n_before: objects before it began, 0: it has not */
static atomic_bool has_begun;

static bool
is_loaded_by_mpi(uintptr_t address)
{
    unsigned n = atomic_load_explicit(&n_loaded, memory_order_acquire);

    for (unsigned i = 0; i < n; i++)
        if (address - loaded[i].from < loaded[i].bytes)
            return true;
    return false;
}

#if __GLIBC_PREREQ(2, 35)
/* Takes no lock. */
static bool
is_silent_address(const void *address)
{
    struct dl_find_object found;

    return _dl_find_object((void *)(uintptr_t)address, &found) == 0 && is_silent_object(found.dlfo_link_map->l_name);
}
#else
typedef struct object_search {
    uintptr_t address;
    bool      is_silent;
} object_search;

static int
find_object(struct dl_phdr_info *info, size_t size, void *user)
{
    object_search *search = user;

    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD &&
            search->address - info->dlpi_addr - info->dlpi_phdr[i].p_vaddr < info->dlpi_phdr[i].p_memsz) {
            search->is_silent = is_silent_object(info->dlpi_name);
            return 1;
        }
    return 0;
}

static bool
is_silent_address(const void *address)
{
    object_search search = { .address = (uintptr_t)address };

    dl_iterate_phdr(find_object, &search);
    return search.is_silent;
}
#endif

/* Each place that calls is looked up once, mostly: the last address that had the slot, and whether it is silent. */
enum { N_PLACES = 1 << 12 };
static _Atomic(uintptr_t) places[N_PLACES];

bool
hd_pthread_is_of_program(const void *caller)
{
    uintptr_t           key   = (uintptr_t)caller << 1;
    _Atomic(uintptr_t) *slot  = &places[(uint64_t)key * 0x9E3779B97F4A7C15U >> 52];
    uintptr_t           there = atomic_load_explicit(slot, memory_order_relaxed);

    if (HD_UNLIKELY((there & ~(uintptr_t)1) != key)) {
        there = key | (is_silent_address(caller) || is_loaded_by_mpi((uintptr_t)caller));
        atomic_store_explicit(slot, there, memory_order_relaxed);
    }
    return (there & 1) == 0;
}

static int
count_object(struct dl_phdr_info *info, size_t size, void *n)
{
    (void)info;
    (void)size;
    ++*(unsigned *)n;
    return 0;
}

void
hd_pthread_mpi_begins(void)
{
    unsigned none = 0, n = 0;

    dl_iterate_phdr(count_object, &n);
    atomic_compare_exchange_strong(&n_before, &none, n);
}

/* The system lists objects as they were loaded. */
static int
add_object(struct dl_phdr_info *info, size_t size, void *n)
{
    uintptr_t from = UINTPTR_MAX, end = 0;
    unsigned  at = atomic_load_explicit(&n_loaded, memory_order_relaxed);

    (void)size;
    if (++*(unsigned *)n <= atomic_load(&n_before) || at == MAX_LOADED)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD) {
            uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

            from = begin < from ? begin : from;
            end  = begin + info->dlpi_phdr[i].p_memsz > end ? begin + info->dlpi_phdr[i].p_memsz : end;
        }
    if (from < end) {
        loaded[at].from  = from;
        loaded[at].bytes = end - from;
        atomic_store_explicit(&n_loaded, at + 1, memory_order_release);
    }
    return 0;
}

void
hd_pthread_mpi_has_begun(void)
{
    unsigned n = 0;

    if (atomic_exchange(&has_begun, true))
        return;
    dl_iterate_phdr(add_object, &n);
    for (size_t i = 0; i < N_PLACES; i++) /* they may have been looked up in between */
        atomic_store_explicit(&places[i], 0, memory_order_relaxed);
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

/* The depth keeps calls silent that the recorder makes for this. */
uint32_t
hd_pthread_enter(hd_log *log, uint64_t time, hd_raw_role role, const void *caller)
{
    uint32_t region;

    hd_thread_depth++;
    hd_pause_settle(log);
    region = hd_recorder_region(role, NULL);
    if (hd_the_recorder.n_callers > 1)
        hd_log_enter(log, time, region, caller);
    else
        HD_LOG_PUT(log, time, ENTER, region, (uint64_t)(uintptr_t)caller);
    hd_thread_depth--;
    return region;
}

void
hd_pthread_leave(hd_log *log, uint64_t time, uint32_t region)
{
    hd_thread_depth++;
    HD_LOG_PUT_PLAIN(log, time, LEAVE, region);
    hd_thread_depth--;
}
