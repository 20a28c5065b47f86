/* src/record/preload/mpi/mpi_file.c: a list of open files, and the records of operations on them. */
#include "mpi_file.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Under the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hd_file        *files;
static uint32_t        n_files;

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* "FOLDER/name", where the name begins with neither a folder nor a kind of file system ("ufs:"). */
static void
define(uint32_t number, const hd_comm *comm, const char *name)
{
    char path[2 * PATH_MAX], folder[PATH_MAX];

    if (name[0] == '/' || strchr(name, ':') != NULL || getcwd(folder, sizeof folder) == NULL)
        snprintf(path, sizeof path, "%s", name);
    else
        snprintf(path, sizeof path, "%s/%s", folder, strncmp(name, "./", 2) == 0 ? name + 2 : name);
    hd_recorder_define(HD_RAW_FILE, (const uint64_t[]){ number, comm->number, hd_comm_count_file(comm) }, 3, path,
                       NULL);
}

static uint32_t
flags_of(int mode)
{
    return ((mode & MPI_MODE_RDONLY) != 0 ? HD_RAW_FILE_READS : 0U) |
           ((mode & MPI_MODE_WRONLY) != 0 ? HD_RAW_FILE_WRITES : 0U) |
           ((mode & MPI_MODE_RDWR) != 0 ? HD_RAW_FILE_READS | HD_RAW_FILE_WRITES : 0U) |
           ((mode & MPI_MODE_CREATE) != 0 ? HD_RAW_FILE_CREATES : 0U) |
           ((mode & MPI_MODE_EXCL) != 0 ? HD_RAW_FILE_IS_NEW : 0U) |
           ((mode & MPI_MODE_APPEND) != 0 ? HD_RAW_FILE_APPENDS : 0U);
}

void
hd_record_file_open(const hd_call *call, const hd_comm *comm, const char *name, int mode, MPI_File made)
{
    hd_file *added = comm != NULL && !comm->is_foreign ? calloc(1, sizeof *added) : NULL;

    if (added == NULL)
        return;
    added->handle = HD_HANDLE(made);
    pthread_mutex_lock(&lock);
    added->number = n_files++;
    added->next   = files;
    files         = added;
    define(added->number, comm, name); /* in the order of the numbers */
    pthread_mutex_unlock(&lock);
    HD_LOG_PUT(call->log, call->leave, FILE_CREATE, added->number, flags_of(mode));
}

hd_file *
hd_file_get(MPI_File file)
{
    hd_file *found;

    pthread_mutex_lock(&lock);
    for (found = files; found != NULL && found->handle != HD_HANDLE(file); found = found->next)
        ;
    pthread_mutex_unlock(&lock);
    return found;
}

hd_file *
hd_file_take(MPI_File file)
{
    hd_file *taken = NULL;

    pthread_mutex_lock(&lock);
    for (hd_file **at = &files; *at != NULL; at = &(*at)->next)
        if ((*at)->handle == HD_HANDLE(file)) {
            taken = *at;
            *at   = taken->next;
            break;
        }
    pthread_mutex_unlock(&lock);
    return taken;
}

void
hd_record_file_close(const hd_call *call, hd_file *taken)
{
    if (taken != NULL)
        HD_LOG_PUT_PLAIN(call->log, call->leave, FILE_DESTROY, taken->number);
    free(taken);
}

void
hd_record_file_seek(const hd_call *call, const hd_file *file, MPI_Offset offset, int whence)
{
    hd_raw_whence from = whence == MPI_SEEK_CUR ? HD_RAW_FROM_CURRENT :
                         whence == MPI_SEEK_END ? HD_RAW_FROM_END :
                                                  HD_RAW_FROM_START;

    if (file != NULL)
        HD_LOG_PUT(call->log, call->leave, FILE_SEEK, file->number, (uint64_t)offset, from,
                   from == HD_RAW_FROM_START ? (uint64_t)offset : 0);
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

uint64_t
hd_record_file_begin(const hd_call *call, const hd_file *file, uint32_t flags, uint64_t bytes)
{
    uint64_t operation = file != NULL ? hd_request_next_id() : 0;

    if (file != NULL)
        HD_LOG_PUT(call->log, call->enter, FILE_BEGIN, file->number, flags, bytes, operation);
    return operation;
}

void
hd_record_file_complete(const hd_call *call, const hd_file *file, uint64_t operation, const MPI_Status *status)
{
    if (file != NULL && operation != 0)
        HD_LOG_PUT(call->log, call->leave, FILE_COMPLETE, file->number, status != NULL ? hd_status_bytes(status) : 0,
                   operation);
}

hd_request
hd_record_file_ibegin(const hd_call *call, const hd_file *file, uint32_t flags, uint64_t bytes)
{
    if (file == NULL)
        return (hd_request){ .kind = HD_REQUEST_OTHER, .is_active = true };
    return (hd_request){ .kind      = HD_REQUEST_FILE,
                         .is_active = true,
                         .comm      = file->number,
                         .id        = hd_record_file_begin(call, file, flags | HD_RAW_FILE_NONBLOCKING, bytes) };
}

void
hd_record_file_issued(const hd_call *call, const hd_request *made)
{
    if (made->kind == HD_REQUEST_FILE)
        HD_LOG_PUT(call->log, call->leave, FILE_ISSUED, made->comm, made->id);
}

void
hd_record_file_split(const hd_call *call, hd_file *file, uint32_t flags, uint64_t bytes)
{
    if (file != NULL)
        file->split = hd_record_file_begin(call, file, flags | HD_RAW_FILE_COLLECTIVE | HD_RAW_FILE_NONBLOCKING, bytes);
}

void
hd_record_file_split_issued(const hd_call *call, const hd_file *file)
{
    if (file != NULL)
        HD_LOG_PUT(call->log, call->leave, FILE_ISSUED, file->number, file->split);
}
