#include "archive.h"

#include <dirent.h>
#include <otf2/otf2.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"

static OTF2_ErrorCode
keep_quiet(void *user, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code, const char *format,
           va_list words)
{
    (void)user, (void)file, (void)line, (void)function, (void)format, (void)words;
    return code;
}

void
hd_archive_keep_otf2_quiet(void)
{
    OTF2_Error_RegisterCallback(keep_quiet, NULL);
}

hd_status
hd_archive_find(const char *path, char **anchor)
{
    struct stat status;
    char       *found;
    size_t      length;

    if (stat(path, &status) != 0) {
        hd_fail(HD_EOPEN, "cannot find the archive \"%s\"", path);
        hd_fail_detail("try", "the path of the anchor file that Score-P wrote, usually scorep-*/traces.otf2");
        return HD_EOPEN;
    }
    found  = S_ISDIR(status.st_mode) ? hd_format("%s/traces.otf2", path) : hd_strdup(path);
    length = strlen(found);
    if (length < 6 || strcmp(found + length - 5, ".otf2") != 0) {
        hd_fail(HD_EFORMAT, "\"%s\" is not the anchor file of an OTF2 archive", path);
        hd_fail_detail("try", "the file that ends in .otf2");
        free(found);
        return HD_EFORMAT;
    }
    if (access(found, R_OK) != 0) {
        hd_fail(HD_EOPEN, "cannot read the archive's anchor file \"%s\"", found);
        hd_fail_detail("reason", "%m");
        free(found);
        return HD_EOPEN;
    }
    *anchor = found;
    return HD_OK;
}

static char *
archive_folder(const char *anchor)
{
    return hd_format("%.*s", (int)(strlen(anchor) - 5), anchor); /* without ".otf2" */
}

char *
hd_archive_file(const char *anchor, uint64_t location_ref, const char *suffix)
{
    return hd_format("%.*s/%" PRIu64 ".%s", (int)(strlen(anchor) - 5), anchor, location_ref, suffix);
}

static uint64_t
file_bytes(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
}

uint64_t
hd_archive_bytes(const char *anchor)
{
    char    *folder = archive_folder(anchor), *defs = hd_format("%s.def", folder);
    uint64_t bytes     = file_bytes(anchor) + file_bytes(defs);
    DIR     *directory = opendir(folder);

    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        char *path = hd_format("%s/%s", folder, entry->d_name);

        bytes += file_bytes(path);
        free(path);
    }
    if (directory != NULL)
        closedir(directory);
    free(folder);
    free(defs);
    return bytes;
}
