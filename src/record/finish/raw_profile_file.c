/* src/record/finish/raw_profile_file.c: maps a file of call paths. */
#include "raw_profile_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"

static hd_status
map(const char *path, hd_raw_profile_file *file)
{
    int         fd     = open(path, O_RDONLY | O_CLOEXEC);
    struct stat facts  = { 0 };
    hd_status   status = HD_OK;
    void       *mapped = NULL;

    if ((fd < 0 && errno != ENOENT) || (fd >= 0 && fstat(fd, &facts) != 0))
        status = hd_fail(HD_EOPEN, "cannot open \"%s\": %s", path, strerror(errno));
    else if (fd >= 0 && facts.st_size >= (off_t)(sizeof(hd_raw_profile) + sizeof(hd_raw_path))) {
        mapped = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (mapped == MAP_FAILED)
            status = hd_fail(HD_EREAD, "cannot map \"%s\": %s", path, strerror(errno));
        else {
            file->head    = mapped;
            file->n_bytes = (size_t)facts.st_size;
        }
    }
    if (fd >= 0)
        close(fd);
    return status;
}

static bool
is_in_order(const hd_raw_profile_file *file)
{
    if (file->paths[0].id != HD_RAW_PATH_ROOT)
        return false;
    for (uint32_t i = 1; i < file->n; i++)
        if (file->paths[i].parent >= i || file->paths[i].id == HD_RAW_PATH_ROOT)
            return false;
    return true;
}

hd_status
hd_raw_profile_open(const hd_raw_files *files, const hd_raw_process *process, uint32_t number,
                    hd_raw_profile_file *file)
{
    char     *path = hd_format("%s/%s.%u.profile", files->folder, process->name, number);
    size_t    room;
    hd_status status;

    *file  = (hd_raw_profile_file){ 0 };
    status = map(path, file);
    if (file->head != NULL && file->head->n_paths > 0) {
        room        = (file->n_bytes - sizeof *file->head) / sizeof *file->paths;
        file->n     = (uint32_t)hd_time_min(file->head->n_paths, room);
        file->paths = (const hd_raw_path *)(file->head + 1);
        if (!is_in_order(file))
            status = hd_fail(HD_EFORMAT, "\"%s\" is damaged", path);
    }
    if (status != HD_OK)
        hd_raw_profile_close(file);
    free(path);
    return status;
}

void
hd_raw_profile_close(hd_raw_profile_file *file)
{
    if (file->head != NULL)
        munmap((void *)(uintptr_t)file->head, file->n_bytes);
    *file = (hd_raw_profile_file){ 0 };
}
