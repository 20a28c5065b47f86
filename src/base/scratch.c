#define _GNU_SOURCE /* O_TMPFILE, mremap */
#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#define CLASSES_PER_DOUBLING 4
#define LEAST_CLASS_BITS 6 /* 64 bytes */
#define LARGE_BITS 20      /* 1 MiB */
#define N_CLASSES ((LARGE_BITS - LEAST_CLASS_BITS) * CLASSES_PER_DOUBLING + 1)
#define LARGE ((size_t)1 << LARGE_BITS)
#define MOST_OPEN_FILES (HD_SCRATCH_FILES - 2) /* of blocks that may grow in place; one that is made now, and statm */
#define MOST_READ_AHEAD_KB 512

enum { FIRST_SEGMENT_BYTES = 256 << 10, SEGMENT_BYTES = 4 << 20, LONG_PERIOD_NS = 2000000, SHORT_PERIOD_NS = 500000 };

typedef struct head { /* in front of every block */
    uint64_t bytes;   /* of the block with its head */
    uint32_t file;    /* of its own; or one of: */
#define SMALL HD_NONE
#define IN_HEAP (HD_NONE - 1) /* there was no space */
    uint32_t class_;  /* of a small one */
} head;

typedef struct mapped_file {
    uint8_t *at; /* NULL: free */
    size_t   bytes;
    int      descriptor; /* -1: closed, the mapping keeps the file */
} mapped_file;

struct hd_scratch {
    char           *directory; /* these do not change */
    uint64_t        limit_bytes;
    size_t          page_bytes;
    int             statm;
    bool            reads_far_ahead; /* the file system, more than there is room for at every place that is read */
    pthread_t       keeper;
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t  ends;
    bool            is_ending, is_required;
    hd_error        error;       /* the first failure */
    mapped_file    *files; /* [n_files] */
    size_t          n_files, capacity_files;
    uint32_t        free_file;   /* none is free before it */
    uint32_t        n_open;      /* descriptors */
    void           *free_blocks[N_CLASSES]; /* lists, linked behind the head */
    uint8_t        *next, *end;  /* the unused rest of the newest segment */
    uint64_t        dropped_to;  /* resident when all was dropped last */
    uint64_t        other_file_bytes; /* of the program, its libraries and shared memory, before there was a scratch */
    hd_scratch_stats stats;
};

/* ---- files ------------------------------------------------------------------------------------------------------------- */

/* A file without a name. mkstemp() is for file systems that cannot make one; it takes no name that is there. */
static int
make_file(const char *directory)
{
    int   descriptor = open(directory, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    char *name;

    if (descriptor >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
        return descriptor;
    name       = hd_format("%s/heddle-XXXXXX", directory);
    descriptor = mkostemp(name, O_CLOEXEC);
    if (descriptor >= 0)
        unlink(name);
    free(name);
    return descriptor;
}

static void
count_bytes(hd_scratch *scratch, size_t more, size_t less)
{
    hd_scratch_stats *stats = &scratch->stats;

    stats->file_bytes += more;
    stats->file_bytes -= less;
    if (stats->file_bytes > stats->peak_file_bytes)
        stats->peak_file_bytes = stats->file_bytes;
}

/* The first failure is kept, and from then on blocks are in the heap, until somebody asks; or it is the end. Returns false. */
static bool
fail(hd_scratch *scratch, size_t bytes, int error)
{
    if (scratch->error.status != HD_OK)
        return false;
    hd_fail(HD_EWRITE, "no space in the scratch directory \"%s\": %s", scratch->directory, strerror(error));
    hd_fail_detail("has", "%" PRIu64 " bytes of this analysis rank, which needs %zu more", scratch->stats.file_bytes, bytes);
    hd_fail_detail("try", "--scratch DIR on a larger file system, or a larger --memory-limit");
    scratch->error = *hd_error_get();
    if (scratch->is_required)
        hd_fatal("%s\n%.*s", scratch->error.text, (int)strlen(scratch->error.details) - 1, scratch->error.details);
    return false;
}

/* Space for the file from `has` up to `bytes`. */
static bool
take_space(hd_scratch *scratch, int descriptor, size_t has, size_t bytes)
{
    int error;

    do
        error = posix_fallocate(descriptor, (off_t)has, (off_t)(bytes - has));
    while (error == EINTR);
    if (error != 0)
        return fail(scratch, bytes - has, error);
    count_bytes(scratch, bytes - has, 0);
    return true;
}

static uint32_t
free_number(hd_scratch *scratch)
{
    while (scratch->free_file < scratch->n_files && scratch->files[scratch->free_file].at != NULL)
        scratch->free_file++;
    if (scratch->free_file == scratch->n_files)
        HD_PUSH(scratch->files, scratch->n_files, scratch->capacity_files, ((mapped_file){ 0 }));
    return scratch->free_file;
}

static void
close_descriptor(hd_scratch *scratch, mapped_file *file)
{
    if (file->descriptor < 0)
        return;
    close(file->descriptor);
    file->descriptor = -1;
    scratch->n_open--;
}

static bool
open_file(hd_scratch *scratch, size_t bytes, mapped_file *file)
{
    void *at;

    file->bytes      = bytes;
    file->descriptor = make_file(scratch->directory);
    if (file->descriptor < 0)
        return fail(scratch, bytes, errno);
    scratch->n_open++;
    if (take_space(scratch, file->descriptor, 0, bytes)) {
        at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file->descriptor, 0);
        if (at != MAP_FAILED) {
            if (scratch->reads_far_ahead)
                madvise(at, bytes, MADV_RANDOM);
            file->at = at;
            return true;
        }
        fail(scratch, bytes, errno);
        count_bytes(scratch, 0, bytes);
    }
    close_descriptor(scratch, file);
    return false;
}

/* Number of a new file; HD_NONE: there is no space. */
static uint32_t
add_file(hd_scratch *scratch, size_t bytes, bool may_grow)
{
    mapped_file file = { 0 };
    uint32_t    number;

    if (scratch->error.status != HD_OK || !open_file(scratch, bytes, &file))
        return HD_NONE;
    if (!may_grow || scratch->n_open > MOST_OPEN_FILES)
        close_descriptor(scratch, &file);
    number                 = free_number(scratch);
    scratch->files[number] = file;
    return number;
}

static void
remove_file(hd_scratch *scratch, uint32_t number)
{
    mapped_file *file = &scratch->files[number];

    close_descriptor(scratch, file);
    munmap(file->at, file->bytes);
    count_bytes(scratch, 0, file->bytes);
    *file = (mapped_file){ .descriptor = -1 };
    if (number < scratch->free_file)
        scratch->free_file = number;
}

/* The file becomes longer or shorter; its descriptor is open. False: there is no space, it is as it was. */
static bool
resize_file(hd_scratch *scratch, mapped_file *file, size_t bytes)
{
    void *at;

    if (bytes > file->bytes && (scratch->error.status != HD_OK || !take_space(scratch, file->descriptor, file->bytes, bytes)))
        return false;
    at = mremap(file->at, file->bytes, bytes, MREMAP_MAYMOVE);
    if (at == MAP_FAILED) {
        fail(scratch, bytes, errno);
        return false;
    }
    file->at = at;
    if (bytes < file->bytes && ftruncate(file->descriptor, (off_t)bytes) == 0)
        count_bytes(scratch, 0, file->bytes - bytes);
    file->bytes = bytes;
    return true;
}

/* ---- blocks ------------------------------------------------------------------------------------------------------------ */

static head *
head_of(void *block)
{
    return (head *)block - 1;
}

static size_t
room_of(void *block)
{
    return block != NULL ? head_of(block)->bytes - sizeof(head) : 0;
}

/* bytes: with the head; made as large as its class. */
static uint32_t
class_of(size_t *bytes)
{
    unsigned bits = LEAST_CLASS_BITS, steps;
    size_t   step;

    if (*bytes <= (size_t)1 << LEAST_CLASS_BITS) {
        *bytes = (size_t)1 << LEAST_CLASS_BITS;
        return 0;
    }
    bits   = 63 - (unsigned)__builtin_clzll(*bytes - 1);
    step   = ((size_t)1 << bits) / CLASSES_PER_DOUBLING;
    steps  = (unsigned)((*bytes - 1 - ((size_t)1 << bits)) / step) + 1;
    *bytes = ((size_t)1 << bits) + steps * step;
    return (bits - LEAST_CLASS_BITS) * CLASSES_PER_DOUBLING + steps;
}

/* The first ones are smaller, so that little is taken for little. */
static bool
new_segment(hd_scratch *scratch, size_t least)
{
    size_t   small  = least > FIRST_SEGMENT_BYTES ? LARGE : FIRST_SEGMENT_BYTES;
    size_t   bytes  = scratch->stats.file_bytes < SEGMENT_BYTES ? small : SEGMENT_BYTES;
    uint32_t number = add_file(scratch, bytes, false);

    if (number == HD_NONE)
        return false;
    scratch->next = scratch->files[number].at;
    scratch->end  = scratch->next + bytes;
    return true;
}

/* NULL: there is no space. */
static void *
take_small(hd_scratch *scratch, size_t bytes)
{
    uint32_t class = class_of(&bytes);
    void    *block = scratch->free_blocks[class];

    if (block != NULL) {
        memcpy(&scratch->free_blocks[class], block, sizeof block);
        return block;
    }
    if ((size_t)(scratch->end - scratch->next) < bytes && !new_segment(scratch, bytes))
        return NULL;
    block = (head *)(void *)scratch->next + 1;
    scratch->next += bytes;
    *head_of(block) = (head){ .bytes = bytes, .file = SMALL, .class_ = class };
    return block;
}

static void
put_small(hd_scratch *scratch, void *block)
{
    void **list = &scratch->free_blocks[head_of(block)->class_];

    memcpy(block, list, sizeof *list);
    *list = block;
}

static size_t
whole_pages(const hd_scratch *scratch, size_t bytes)
{
    return (bytes + scratch->page_bytes - 1) & ~(scratch->page_bytes - 1);
}

/* Likewise. */
static void *
take_large(hd_scratch *scratch, size_t bytes, bool may_grow)
{
    uint32_t number;
    void    *block;

    bytes  = whole_pages(scratch, bytes);
    number = add_file(scratch, bytes, may_grow);
    if (number == HD_NONE)
        return NULL;
    block           = (head *)(void *)scratch->files[number].at + 1;
    *head_of(block) = (head){ .bytes = bytes, .file = number };
    return block;
}

static void *
take_from_heap(size_t bytes)
{
    head *own = hd_realloc(NULL, bytes, 1);

    *own = (head){ .bytes = bytes, .file = IN_HEAP };
    return own + 1;
}

static void *
take(hd_scratch *scratch, size_t bytes, bool may_grow)
{
    void *block;

    if (__builtin_add_overflow(bytes, sizeof(head), &bytes) || bytes > INT64_MAX / 2)
        hd_fatal("out of memory: %zu bytes cannot be addressed", bytes);
    pthread_mutex_lock(&scratch->lock);
    block = bytes < LARGE ? take_small(scratch, bytes) : take_large(scratch, bytes, may_grow);
    pthread_mutex_unlock(&scratch->lock);
    return block != NULL ? block : take_from_heap(bytes);
}

/* The large block itself, as long as that; NULL: it cannot change its size any more. */
static void *
resize_in_place(hd_scratch *scratch, void *block, size_t bytes)
{
    uint32_t     number  = head_of(block)->file;
    mapped_file *file;
    void        *resized = NULL;

    pthread_mutex_lock(&scratch->lock);
    file = number < IN_HEAP ? &scratch->files[number] : NULL;
    if (file != NULL && file->descriptor >= 0 && resize_file(scratch, file, whole_pages(scratch, bytes + sizeof(head)))) {
        resized                 = (head *)(void *)file->at + 1;
        head_of(resized)->bytes = file->bytes;
    }
    pthread_mutex_unlock(&scratch->lock);
    return resized;
}

static void *
move(hd_scratch *scratch, void *old, size_t bytes, bool may_grow)
{
    void  *block = take(scratch, bytes, may_grow);
    size_t room  = room_of(old);

    if (old != NULL)
        memcpy(block, old, room < bytes ? room : bytes);
    hd_scratch_free(scratch, old);
    return block;
}

/* It will not grow any more. */
static void *
shrink(hd_scratch *scratch, void *old, size_t bytes)
{
    size_t whole = bytes + sizeof(head);
    void  *resized;

    if (whole >= LARGE && (resized = resize_in_place(scratch, old, bytes)) != NULL) {
        pthread_mutex_lock(&scratch->lock);
        close_descriptor(scratch, &scratch->files[head_of(resized)->file]);
        pthread_mutex_unlock(&scratch->lock);
        return resized;
    }
    class_of(&whole);
    return whole < head_of(old)->bytes ? move(scratch, old, bytes, false) : old;
}

static size_t
bytes_of(size_t n, size_t element_bytes)
{
    size_t bytes;

    if (__builtin_mul_overflow(n, element_bytes, &bytes))
        hd_fatal("out of memory: %zu x %zu bytes cannot be addressed", n, element_bytes);
    return bytes;
}

void *
hd_scratch_realloc(hd_scratch *scratch, void *old, size_t n, size_t element_bytes)
{
    size_t bytes   = bytes_of(n, element_bytes);
    void  *resized = NULL;

    if (scratch == NULL)
        return hd_realloc(old, n, element_bytes);
    if (old != NULL && bytes <= room_of(old))
        return shrink(scratch, old, bytes);
    if (old != NULL)
        resized = resize_in_place(scratch, old, bytes);
    return resized != NULL ? resized : move(scratch, old, bytes, old != NULL);
}

void *
hd_scratch_alloc(hd_scratch *scratch, size_t n, size_t element_bytes)
{
    void *block;

    if (scratch == NULL)
        return hd_alloc(n, element_bytes);
    block = hd_scratch_realloc(scratch, NULL, n, element_bytes);
    if (head_of(block)->file >= IN_HEAP) /* a new file has zeros */
        memset(block, 0, n * element_bytes);
    return block;
}

void *
hd_scratch_grow(hd_scratch *scratch, void *array, size_t n, size_t *capacity, size_t element_bytes)
{
    if (scratch == NULL)
        return hd_grow(array, n, capacity, element_bytes);
    if (n < *capacity)
        return array;
    *capacity += *capacity / 2 + 8;
    return hd_scratch_realloc(scratch, array, *capacity, element_bytes);
}

void *
hd_scratch_pack(hd_scratch *scratch, void *old, size_t n, size_t element_bytes)
{
    if (scratch == NULL)
        return hd_pack(old, n, element_bytes);
    return old != NULL ? shrink(scratch, old, n * element_bytes) : NULL;
}

void
hd_scratch_free(hd_scratch *scratch, void *block)
{
    if (scratch == NULL) {
        free(block);
        return;
    }
    if (block == NULL)
        return;
    if (head_of(block)->file == IN_HEAP) {
        free(head_of(block));
        return;
    }
    pthread_mutex_lock(&scratch->lock);
    if (head_of(block)->file == SMALL)
        put_small(scratch, block);
    else
        remove_file(scratch, head_of(block)->file);
    pthread_mutex_unlock(&scratch->lock);
}

/* ---- the keeper -------------------------------------------------------------------------------------------------------- */

/* file_bytes: the part of it that belongs to files and shared memory. */
static uint64_t
resident_bytes(const hd_scratch *scratch, uint64_t *file_bytes)
{
    char     text[128];
    ssize_t  n = pread(scratch->statm, text, sizeof text - 1, 0);
    uint64_t size = 0, resident = 0, of_files = 0;

    text[n > 0 ? n : 0] = '\0';
    if (sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64, &size, &resident, &of_files) != 3)
        return *file_bytes = 0;
    *file_bytes = of_files * scratch->page_bytes;
    return resident * scratch->page_bytes;
}

/* What cannot be dropped. Other threads use the files while they are dropped, so what is resident then would be too much. */
static uint64_t
kept_bytes(const hd_scratch *scratch)
{
    uint64_t file_bytes, resident = resident_bytes(scratch, &file_bytes);

    return resident - file_bytes + scratch->other_file_bytes;
}

/* Under the lock, since a mapping may move: behind an old address might be anything. */
static void
drop(hd_scratch *scratch)
{
    hd_scratch_stats *stats = &scratch->stats;

    for (size_t i = 0; i < scratch->n_files; i++)
        if (scratch->files[i].at != NULL)
            madvise(scratch->files[i].at, scratch->files[i].bytes, MADV_DONTNEED);
    stats->n_drops++;
    scratch->dropped_to = kept_bytes(scratch);
    if (scratch->dropped_to > stats->kept_bytes)
        stats->kept_bytes = scratch->dropped_to;
}

void
hd_scratch_drop(hd_scratch *scratch)
{
    pthread_mutex_lock(&scratch->lock);
    drop(scratch);
    pthread_mutex_unlock(&scratch->lock);
}

/* How much may be resident before all is dropped. Where the limit is too small, a quarter more than what is kept, so that
 * dropping is not all that is done. */
static uint64_t
most_resident(const hd_scratch *scratch)
{
    uint64_t most = scratch->limit_bytes - scratch->limit_bytes / 8, kept = scratch->dropped_to;

    return kept + kept / 4 < most ? most : kept + kept / 4;
}

static void
add_period(struct timespec *time, long period_ns)
{
    clock_gettime(CLOCK_MONOTONIC, time);
    time->tv_nsec += period_ns;
    if (time->tv_nsec >= 1000000000) {
        time->tv_nsec -= 1000000000;
        time->tv_sec++;
    }
}

static void *
keep(void *scratch_)
{
    hd_scratch     *scratch = scratch_;
    struct timespec next;
    uint64_t        file_bytes;

    pthread_mutex_lock(&scratch->lock);
    while (!scratch->is_ending) {
        uint64_t most = most_resident(scratch), resident = resident_bytes(scratch, &file_bytes);

        if (resident > most)
            drop(scratch);
        add_period(&next, resident > most / 2 ? SHORT_PERIOD_NS : LONG_PERIOD_NS);
        pthread_cond_timedwait(&scratch->ends, &scratch->lock, &next);
    }
    pthread_mutex_unlock(&scratch->lock);
    return NULL;
}

/* Signals are for the other threads. */
static hd_status
start_keeper(hd_scratch *scratch)
{
    sigset_t all, old;
    int      error;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    error = pthread_create(&scratch->keeper, NULL, keep, scratch);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return error == 0 ? HD_OK : hd_fail(HD_EOPEN, "no thread could be started that keeps the memory limit: %s", strerror(error));
}

/* ---- all of it --------------------------------------------------------------------------------------------------------- */

hd_scratch_stats
hd_scratch_stats_get(hd_scratch *scratch)
{
    hd_scratch_stats stats = { 0 };

    if (scratch == NULL)
        return stats;
    pthread_mutex_lock(&scratch->lock);
    stats = scratch->stats;
    pthread_mutex_unlock(&scratch->lock);
    return stats;
}

hd_status
hd_scratch_check(hd_scratch *scratch)
{
    hd_status status = HD_OK;

    if (scratch == NULL)
        return HD_OK;
    pthread_mutex_lock(&scratch->lock);
    status = scratch->error.status;
    if (status != HD_OK)
        hd_error_set(&scratch->error);
    pthread_mutex_unlock(&scratch->lock);
    return status;
}

void
hd_scratch_require(hd_scratch *scratch)
{
    if (scratch == NULL)
        return;
    pthread_mutex_lock(&scratch->lock);
    scratch->is_required = true;
    pthread_mutex_unlock(&scratch->lock);
}

const char *
hd_scratch_directory(const hd_scratch *scratch)
{
    return scratch->directory;
}

/* Thousands of places are read in turn. Where each of them brings megabytes, and the page cache is limited, too, these push each
 * other out before they are used. */
static bool
reads_far_ahead(int descriptor)
{
    struct stat file;
    unsigned    kibibytes = 0;
    FILE       *in;
    char       *path;

    if (fstat(descriptor, &file) != 0)
        return false;
    path = hd_format("/sys/class/bdi/%u:%u/read_ahead_kb", major(file.st_dev), minor(file.st_dev));
    in   = fopen(path, "r");
    free(path);
    if (in == NULL)
        return false;
    if (fscanf(in, "%u", &kibibytes) != 1)
        kibibytes = 0;
    fclose(in);
    return kibibytes > MOST_READ_AHEAD_KB;
}

/* Whether files can be made there, and what for a file system it is. */
static hd_status
try_directory(hd_scratch *scratch)
{
    int           descriptor = make_file(scratch->directory), error;
    struct statfs system;

    if (descriptor < 0)
        return hd_fail(HD_EOPEN, "no file can be made in the scratch directory \"%s\": %s", scratch->directory, strerror(errno));
    scratch->stats.is_memory = fstatfs(descriptor, &system) == 0 && (system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC);
    scratch->reads_far_ahead = reads_far_ahead(descriptor);
    error = posix_fallocate(descriptor, 0, FIRST_SEGMENT_BYTES);
    close(descriptor);
    if (error != 0)
        return hd_fail(HD_EWRITE, "no space in the scratch directory \"%s\": %s", scratch->directory, strerror(error));
    return HD_OK;
}

static void
scratch_free(hd_scratch *scratch)
{
    for (size_t i = 0; i < scratch->n_files; i++)
        if (scratch->files[i].at != NULL)
            remove_file(scratch, (uint32_t)i);
    if (scratch->statm >= 0)
        close(scratch->statm);
    pthread_cond_destroy(&scratch->ends);
    pthread_mutex_destroy(&scratch->lock);
    free(scratch->files);
    free(scratch->directory);
    free(scratch);
}

static hd_scratch *
scratch_new(const char *directory, uint64_t limit_bytes)
{
    hd_scratch        *scratch = HD_NEW(hd_scratch);
    pthread_condattr_t monotonic;

    if (directory == NULL)
        directory = getenv("TMPDIR");
    scratch->directory         = hd_strdup(directory != NULL && *directory != '\0' ? directory : "/tmp");
    scratch->limit_bytes       = limit_bytes;
    scratch->stats.limit_bytes = limit_bytes;
    scratch->page_bytes        = (size_t)sysconf(_SC_PAGESIZE);
    scratch->statm             = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    pthread_mutex_init(&scratch->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&scratch->ends, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return scratch;
}

hd_status
hd_scratch_open(const char *directory, uint64_t limit_bytes, hd_scratch **scratch_out)
{
    hd_scratch *scratch = scratch_new(directory, limit_bytes);
    hd_status   status  = HD_OK;

    resident_bytes(scratch, &scratch->other_file_bytes);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not be that large is an error */
    if (scratch->statm < 0)
        status = hd_fail(HD_EOPEN, "a memory limit needs \"/proc/self/statm\", which cannot be opened: %s", strerror(errno));
    if (status == HD_OK)
        status = try_directory(scratch);
    if (status == HD_OK)
        status = start_keeper(scratch);
    if (status != HD_OK) {
        scratch_free(scratch);
        return status;
    }
    *scratch_out = scratch;
    return HD_OK;
}

void
hd_scratch_close(hd_scratch *scratch)
{
    if (scratch == NULL)
        return;
    pthread_mutex_lock(&scratch->lock);
    scratch->is_ending = true;
    pthread_cond_signal(&scratch->ends);
    pthread_mutex_unlock(&scratch->lock);
    pthread_join(scratch->keeper, NULL);
    scratch_free(scratch);
}
