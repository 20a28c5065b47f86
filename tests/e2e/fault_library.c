/* tests/e2e/fault_library.c: loaded before a program's libraries, it makes things fail, or take long, as the
 * environment says.
 *
 *   FAULT_STOP_PHASE=NAME        the process stops (SIGSTOP) right after it has said that this phase begins
 *   FAULT_STOP_OPEN=PATH         it stops before it first opens this file (open)
 *   FAULT_SLOW_WRITE_US=N        every such write takes N microseconds longer
 *   FAULT_READ=SUFFIX:BYTES      of files whose name ends so, no more than so many bytes can be read: EIO
 *   FAULT_WRITE=BYTES:ERRNO      this process can write so many bytes into files (pwrite), then that is what it gets
 *   FAULT_CLOSE=ERRNO            closing a file that was written to fails
 *   FAULT_MEMORY=N               the program itself (not its libraries) gets memory N times, then no more
 *   FAULT_RANK=N                 only on that rank
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static uintptr_t        program_begin, program_end;
static long             slow_write_us, memory_left = -1, write_left = -1;
static int              write_errno, close_errno;
static char             read_suffix[64];
static const char      *stop_phase, *stop_path;
static atomic_flag      has_stopped = ATOMIC_FLAG_INIT;
static size_t           read_bytes;
static _Atomic(FILE *)  failing_file;
static _Atomic size_t   already_read;
static atomic_long      n_allocated, n_written;
static _Atomic unsigned written[1024]; /* by descriptor */

static int
note_program(struct dl_phdr_info *info, size_t bytes, void *context)
{
    (void)bytes, (void)context;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
            program_begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            program_end   = program_begin + info->dlpi_phdr[i].p_memsz;
        }
    return 1; /* the program comes first */
}

static int
is_program(const void *caller)
{
    return (uintptr_t)caller >= program_begin && (uintptr_t)caller < program_end;
}

__attribute__((constructor)) static void
start(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK"), *text;

    if (rank == NULL)
        rank = getenv("PMI_RANK");
    if ((text = getenv("FAULT_RANK")) != NULL && (rank == NULL || strcmp(rank, text) != 0))
        return;
    dl_iterate_phdr(note_program, NULL);
    stop_phase = getenv("FAULT_STOP_PHASE");
    stop_path  = getenv("FAULT_STOP_OPEN");
    if ((text = getenv("FAULT_SLOW_WRITE_US")) != NULL)
        slow_write_us = atol(text);
    if ((text = getenv("FAULT_MEMORY")) != NULL)
        memory_left = atol(text);
    if ((text = getenv("FAULT_WRITE")) != NULL)
        sscanf(text, "%ld:%d", &write_left, &write_errno);
    if ((text = getenv("FAULT_CLOSE")) != NULL)
        close_errno = atoi(text);
    if ((text = getenv("FAULT_READ")) != NULL)
        sscanf(text, "%63[^:]:%zu", read_suffix, &read_bytes);
}

static void
be_slow(long us)
{
    struct timespec left = { us / 1000000, us % 1000000 * 1000 };

    while (us > 0 && nanosleep(&left, &left) != 0)
        ; /* a signal */
}

#define REAL(name) static __typeof__(name) *real; if (real == NULL) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

/* The begin of a phase is said with one of these. */
static int
says_phase(const char *format)
{
    return strcmp(format, "heddle: %s (after %.1f s)\n") == 0 ||
           strcmp(format, "heddle: %s (%s %s, after %.1f s)\n") == 0;
}

static int
print(FILE *file, const char *format, va_list arguments)
{
    va_list     again;
    const char *phase = NULL;
    int         n;

    va_copy(again, arguments);
    n = vfprintf(file, format, arguments);
    if (stop_phase != NULL && file == stderr && says_phase(format))
        phase = va_arg(again, const char *);
    va_end(again);
    if (phase != NULL && strcmp(phase, stop_phase) == 0)
        raise(SIGSTOP);
    return n;
}

int
fprintf(FILE *file, const char *format, ...)
{
    va_list arguments;
    int     n;

    va_start(arguments, format);
    n = print(file, format, arguments);
    va_end(arguments);
    return n;
}

/* What compilers make of it that check more at run time. */
int __fprintf_chk(FILE *file, int flag, const char *format, ...);

int
__fprintf_chk(FILE *file, int flag, const char *format, ...)
{
    va_list arguments;
    int     n;

    (void)flag;
    va_start(arguments, format);
    n = print(file, format, arguments);
    va_end(arguments);
    return n;
}

static int
is_failing(const char *path)
{
    size_t n = strlen(path), suffix = strlen(read_suffix);

    return suffix > 0 && n >= suffix && strcmp(path + n - suffix, read_suffix) == 0;
}

FILE *
fopen(const char *path, const char *mode)
{
    FILE *file;

    REAL(fopen);
    file = real(path, mode);
    if (file != NULL && is_failing(path)) {
        failing_file = file;
        already_read = 0;
    } else if (file == failing_file) /* what that was is closed */
        failing_file = NULL;
    return file;
}

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...)                                                                         \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        mode_t  mode;                                                                                                  \
                                                                                                                       \
        REAL(name);                                                                                                    \
        va_start(arguments, flags);                                                                                    \
        mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;                                        \
        va_end(arguments);                                                                                             \
        if (stop_path != NULL && strcmp(path, stop_path) == 0 && !atomic_flag_test_and_set(&has_stopped))              \
            raise(SIGSTOP);                                                                                            \
        return real(path, flags, mode);                                                                                \
    }
OPEN(open)
OPEN(open64)

size_t
fread(void *to, size_t size, size_t n, FILE *file)
{
    REAL(fread);
    if (file == failing_file && atomic_fetch_add(&already_read, size * n) + size * n > read_bytes) {
        errno = EIO;
        return 0;
    }
    return real(to, size, n, file);
}

ssize_t
read(int fd, void *to, size_t bytes)
{
    char    link[64], path[4096];
    ssize_t n;

    REAL(read);
    if (*read_suffix != '\0') {
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        n = readlink(link, path, sizeof path - 1);
        path[n > 0 ? n : 0] = '\0';
        if (is_failing(path)) {
            errno = EIO;
            return -1;
        }
    }
    return real(fd, to, bytes);
}

ssize_t
pread(int fd, void *to, size_t bytes, off_t at)
{
    char    link[64], path[4096];
    ssize_t n;

    REAL(pread);
    if (*read_suffix != '\0') {
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        n = readlink(link, path, sizeof path - 1);
        path[n > 0 ? n : 0] = '\0';
        if (is_failing(path) && (size_t)at + bytes > read_bytes) {
            errno = EIO;
            return -1;
        }
    }
    return real(fd, to, bytes, at);
}

ssize_t
pwrite(int fd, const void *from, size_t bytes, off_t at)
{
    REAL(pwrite);
    if (!is_program(__builtin_return_address(0)))
        return real(fd, from, bytes, at);
    be_slow(slow_write_us);
    if (write_left >= 0) {
        long before = atomic_fetch_add(&n_written, (long)bytes);

        if (before >= write_left) {
            errno = write_errno;
            return -1;
        }
        if (before + (long)bytes > write_left)
            bytes = (size_t)(write_left - before);
    }
    if (fd >= 0 && fd < 1024)
        written[fd] = 1;
    return real(fd, from, bytes, at);
}

int
close(int fd)
{
    int was_written = fd >= 0 && fd < 1024 && atomic_exchange(&written[fd], 0), result;

    REAL(close);
    result = real(fd);
    if (was_written && close_errno != 0) {
        errno = close_errno;
        return -1;
    }
    return result;
}

int
dup(int fd)
{
    int copy;

    REAL(dup);
    copy = real(fd);
    if (copy >= 0 && copy < 1024 && fd >= 0 && fd < 1024)
        written[copy] = written[fd];
    return copy;
}

static int
has_memory(const void *caller)
{
    return memory_left < 0 || !is_program(caller) || atomic_fetch_add(&n_allocated, 1) < memory_left;
}

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);

void *
malloc(size_t bytes)
{
    return has_memory(__builtin_return_address(0)) ? __libc_malloc(bytes) : (errno = ENOMEM, NULL);
}

void *
calloc(size_t n, size_t bytes)
{
    return has_memory(__builtin_return_address(0)) ? __libc_calloc(n, bytes) : (errno = ENOMEM, NULL);
}

void *
realloc(void *old, size_t bytes)
{
    return has_memory(__builtin_return_address(0)) ? __libc_realloc(old, bytes) : (errno = ENOMEM, NULL);
}
