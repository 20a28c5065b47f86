#define _GNU_SOURCE /* fopencookie */
/* Opens the text files of an export, plain or compressed. */
#include "export_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "memory.h"

enum { BUFFER_BYTES = 256 * 1024 };

static ssize_t
write_gzip(void *cookie, const char *data, size_t n)
{
    int written = gzwrite(cookie, data, (unsigned)n);

    return written > 0 ? written : 0; /* of a cookie 0 is the error */
}

static int
close_gzip(void *cookie)
{
    return gzclose(cookie) == Z_OK ? 0 : EOF;
}

static FILE *
open_gzip(int fd)
{
    static const cookie_io_functions_t functions = { .write = write_gzip, .close = close_gzip };
    gzFile                             gzip      = gzdopen(fd, "wb6");
    FILE                              *stream    = gzip != NULL ? fopencookie(gzip, "w", functions) : NULL;

    if (gzip != NULL && stream == NULL)
        gzclose(gzip);
    else if (gzip == NULL)
        close(fd);
    return stream;
}

static bool
is_compressed(const char *path)
{
    size_t n = strlen(path);

    return n > 3 && strcmp(path + n - 3, ".gz") == 0;
}

static hd_status
exists(const char *path)
{
    hd_fail(HD_EEXIST, "\"%s\" exists already", path);
    hd_fail_detail("try", "--force, or another name");
    return HD_EEXIST;
}

static hd_status
cannot_write(const char *path, int error)
{
    return hd_fail(HD_EWRITE, "cannot write \"%s\": %s", path, strerror(error));
}

/* fd: closed with the stream, and if there is none. */
static FILE *
open_stream(int fd, const char *path)
{
    FILE *stream;

    if (fd < 0)
        return NULL;
    if (is_compressed(path))
        return open_gzip(fd);
    stream = fdopen(fd, "w");
    if (stream == NULL)
        close(fd);
    return stream;
}

/* It is there, and cannot be replaced by a file. */
static bool
is_device(const char *path)
{
    struct stat there;

    return stat(path, &there) == 0 && (S_ISCHR(there.st_mode) || S_ISBLK(there.st_mode) || S_ISFIFO(there.st_mode));
}

static int
open_path(hd_export_file *file, const char *path)
{
    int error = 0;

    if (file->is_device)
        file->stream = open_stream(open(path, O_WRONLY | O_CLOEXEC), path);
    else
        error = hd_new_file_open(&file->file, path, false);
    if (error == 0 && !file->is_device)
        file->stream = open_stream(dup(file->file.fd), path);
    return error == 0 && file->stream == NULL ? errno : error;
}

hd_status
hd_export_file_open(hd_export_file *file, const char *path, bool force)
{
    int error;

    *file = (hd_export_file){ .force = force, .is_stdout = strcmp(path, "-") == 0, .is_device = is_device(path) };
    if (file->is_stdout) {
        file->stream = stdout;
        return HD_OK;
    }
    if (!force && !file->is_device && access(path, F_OK) == 0)
        return exists(path);
    error = open_path(file, path);
    if (error != 0) {
        hd_new_file_fini(&file->file);
        return cannot_write(path, error);
    }
    setvbuf(file->stream, NULL, _IOFBF, BUFFER_BYTES);
    file->path = hd_strdup(path);
    return HD_OK;
}

hd_status
hd_export_file_close(hd_export_file *file, bool is_kept)
{
    hd_status status = HD_OK;
    int       error;
    bool      had_error;

    if (file->stream == NULL)
        return HD_OK;
    errno     = 0;
    had_error = ferror(file->stream) != 0;
    error     = (file->is_stdout ? fflush(file->stream) : fclose(file->stream)) != 0 || had_error ?
                errno != 0 ? errno : EIO : 0;
    file->stream = NULL;
    if (file->is_stdout)
        return error == 0 || !is_kept ? HD_OK :
               hd_fail(error == EPIPE ? HD_ESTOPPED : HD_EWRITE, "cannot write to standard output: %s",
                       strerror(error));
    if (is_kept && error == 0 && !file->is_device)
        error = hd_new_file_commit(&file->file, file->force);
    if (is_kept && error != 0)
        status = error == EEXIST ? exists(file->path) : cannot_write(file->path, error);
    hd_new_file_fini(&file->file);
    free(file->path);
    file->path = NULL;
    return status;
}
