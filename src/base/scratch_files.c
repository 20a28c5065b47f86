/* src/base/scratch_files.c: files without names, whose space is taken before they are mapped. */
#define _GNU_SOURCE /* O_TMPFILE, mremap */
#include "scratch_files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "memory.h"

#define MAX_OPEN_FILES (HD_SCRATCH_FILES - 2) /* of blocks that may grow in place; one that is made now, and statm */
#define MAX_READ_AHEAD_KB 512

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

/* The first failure is kept, and from then on blocks are in the heap, until its status is asked for; or the program
 * ends. Returns false. */
static bool
fail(hd_scratch *scratch, size_t bytes, int error)
{
    if (scratch->error.status != HD_OK)
        return false;
    hd_fail(HD_EWRITE, "no space in the scratch directory \"%s\": %s", scratch->directory, strerror(error));
    hd_fail_detail("has", "%" PRIu64 " bytes of this analysis rank, which needs %zu more", scratch->stats.file_bytes,
                   bytes);
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
        HD_PUSH(scratch->files, scratch->n_files, scratch->capacity_files, ((hd_mapped_file){ 0 }));
    return scratch->free_file;
}

void
hd_scratch_close_descriptor(hd_scratch *scratch, hd_mapped_file *file)
{
    if (file->descriptor < 0)
        return;
    close(file->descriptor);
    file->descriptor = -1;
    scratch->n_open--;
}

static bool
open_file(hd_scratch *scratch, size_t bytes, hd_mapped_file *file)
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
    hd_scratch_close_descriptor(scratch, file);
    return false;
}

uint32_t
hd_scratch_add_file(hd_scratch *scratch, size_t bytes, bool may_grow)
{
    hd_mapped_file file = { 0 };
    uint32_t    number;

    if (scratch->error.status != HD_OK || !open_file(scratch, bytes, &file))
        return HD_NONE;
    if (!may_grow || scratch->n_open > MAX_OPEN_FILES)
        hd_scratch_close_descriptor(scratch, &file);
    number                 = free_number(scratch);
    scratch->files[number] = file;
    return number;
}

void
hd_scratch_remove_file(hd_scratch *scratch, uint32_t number)
{
    hd_mapped_file *file = &scratch->files[number];

    hd_scratch_close_descriptor(scratch, file);
    munmap(file->at, file->bytes);
    count_bytes(scratch, 0, file->bytes);
    *file = (hd_mapped_file){ .descriptor = -1 };
    if (number < scratch->free_file)
        scratch->free_file = number;
}

bool
hd_scratch_resize_file(hd_scratch *scratch, hd_mapped_file *file, size_t bytes)
{
    void *at;

    if (bytes > file->bytes &&
        (scratch->error.status != HD_OK || !take_space(scratch, file->descriptor, file->bytes, bytes)))
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

/* Thousands of places are read in turn. Where each of them brings megabytes, and the page cache is limited, too, these
 * push each other out before they are used. */
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
    return kibibytes > MAX_READ_AHEAD_KB;
}

hd_status
hd_scratch_try_directory(hd_scratch *scratch)
{
    int           descriptor = make_file(scratch->directory), error;
    struct statfs system;

    if (descriptor < 0)
        return hd_fail(HD_EOPEN, "no file can be made in the scratch directory \"%s\": %s", scratch->directory,
                       strerror(errno));
    scratch->stats.is_memory = fstatfs(descriptor, &system) == 0 &&
                               (system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC);
    scratch->reads_far_ahead = reads_far_ahead(descriptor);
    error = posix_fallocate(descriptor, 0, HD_SCRATCH_SEGMENT_BYTES);
    close(descriptor);
    if (error != 0)
        return hd_fail(HD_EWRITE, "no space in the scratch directory \"%s\": %s", scratch->directory, strerror(error));
    return HD_OK;
}
