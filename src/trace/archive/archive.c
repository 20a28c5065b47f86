#include "archive.h"

#include <dirent.h>
#include <errno.h>
#include <otf2/otf2.h>
#include <setjmp.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "found_files.h"
#include "memory.h"
#include "same_file.h"

static _Thread_local jmp_buf *behind_error; /* NULL: errors are told by their status */
static _Thread_local int      error_there;

static OTF2_ErrorCode
keep_quiet(void *user, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code, const char *format,
           va_list words)
{
    jmp_buf *to = behind_error;

    (void)user, (void)file, (void)line, (void)function, (void)format, (void)words;
    if (to == NULL || code <= OTF2_SUCCESS) /* a warning */
        return code;
    behind_error = NULL;
    error_there  = (int)code;
    longjmp(*to, 1);
}

int
hd_archive_close_guarded(int (*close)(void *user), void *user)
{
    jmp_buf here;
    int     error;

    if (setjmp(here) != 0)
        return error_there;
    behind_error = &here;
    error        = close(user);
    behind_error = NULL;
    return error;
}

void
hd_archive_keep_otf2_quiet(void)
{
    OTF2_Error_RegisterCallback(keep_quiet, NULL);
}

static bool
ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), n_end = strlen(end);

    return n >= n_end && strcmp(text + n - n_end, end) == 0;
}

/* A report, or another file. */
static hd_status
is_no_anchor(const char *path)
{
    const char *slash  = strrchr(path, '/');
    char       *folder = slash != NULL ? hd_format("%.*s", (int)(slash + 1 - path), path) : hd_strdup(".");

    if (ends_with(path, ".cubex")) {
        hd_fail(HD_EFORMAT, "\"%s\" is a report, not an archive", path);
        hd_fail_found(folder, ".otf2", "traces.otf2");
        hd_fail_detail("try", "heddle summary \"%s\", which prints it", path);
    }
    else {
        hd_fail(HD_EFORMAT, "\"%s\" is not the anchor file of an OTF2 archive", path);
        if (hd_fail_found(folder, ".otf2", "traces.otf2") == 0)
            hd_fail_detail("try", "the file that ends in .otf2");
    }
    free(folder);
    return HD_EFORMAT;
}

/* The folder of event files, the one above an archive, or another. */
static hd_status
no_anchor_in(const char *folder)
{
    size_t n     = strlen(folder);
    char  *above = hd_format("%.*s.otf2", (int)(n > 1 && folder[n - 1] == '/' ? n - 1 : n), folder);
    char  *job   = hd_format("%s/raw/job", folder); /* of a recording whose archive was not made */
    char  *profile = hd_format("%s/profile.cubex", folder);

    hd_fail(HD_EOPEN, "there is no archive in the folder \"%s\": it has no file traces.otf2", folder);
    if (access(job, F_OK) == 0)
        hd_fail_detail("try", "heddle record --finish=%s", folder);
    else if (access(profile, F_OK) == 0) {
        hd_fail_detail("found", "\"%s\", a profile: it has no events", profile);
        hd_fail_detail("try", "heddle summary \"%s\", or heddle record without --profile", folder);
    }
    else if (access(above, F_OK) == 0)
        hd_fail_detail("found", "\"%s\"", above);
    else if (hd_fail_found(folder, ".otf2", "traces.otf2") == 0)
        hd_fail_detail("try", "a folder of Score-P (scorep-*) or of heddle record (heddle-*), or its file traces.otf2");
    free(profile);
    free(job);
    free(above);
    return HD_EOPEN;
}

hd_status
hd_archive_find(const char *path, char **anchor)
{
    struct stat status;
    size_t      n = strlen(path);
    char       *found;
    bool        is_folder;

    if (stat(path, &status) != 0) {
        hd_fail(HD_EOPEN, "cannot find the archive \"%s\"", path);
        hd_fail_detail("try", "a folder of Score-P (scorep-*) or of heddle record (heddle-*), or its file traces.otf2");
        return HD_EOPEN;
    }
    is_folder = S_ISDIR(status.st_mode);
    if (!is_folder && (strlen(path) < 6 || !ends_with(path, ".otf2")))
        return is_no_anchor(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    found = is_folder ? hd_format("%.*s/traces.otf2", (int)n, path) : hd_strdup(path);
    if (is_folder && access(found, F_OK) != 0 && errno == ENOENT) {
        free(found);
        return no_anchor_in(path);
    }
    if (stat(found, &status) == 0 && !S_ISREG(status.st_mode)) {
        hd_fail(HD_EFORMAT, "\"%s\" is not the anchor file of an OTF2 archive: it is no regular file", found);
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

/* An anchor begins with 3, the byte order, "OTF2", 0, and then, one byte each: its own format, the trace format, major,
 * minor and bugfix version; sizes of chunks, 8 bytes each; what the files are in, and how they are compressed. */
enum { AT_MAGIC = 2, AT_TRACE_FORMAT = 8, AT_VERSION = 9, AT_SUBSTRATE = 28, AT_COMPRESSION = 29,
       ANCHOR_HEAD_BYTES = 30 };
enum { TRACE_FORMAT_MAX = 2 }; /* of OTF2 1.0 to 3.0 */

/* The first bytes of an anchor; zeros where there are less. Returns how many there are. */
static size_t
read_head(const char *anchor, uint8_t head[ANCHOR_HEAD_BYTES])
{
    FILE  *file = fopen(anchor, "rbe");
    size_t n    = 0;

    memset(head, 0, ANCHOR_HEAD_BYTES);
    if (file != NULL) {
        n = fread(head, 1, ANCHOR_HEAD_BYTES, file);
        fclose(file);
    }
    return n;
}

hd_status
hd_archive_refuse(const char *anchor)
{
    uint8_t head[ANCHOR_HEAD_BYTES];
    size_t  n = read_head(anchor, head);

    if (n < sizeof head || memcmp(head + AT_MAGIC, "OTF2", 5) != 0) {
        hd_fail(HD_EFORMAT, "\"%s\" is not the anchor file of an OTF2 archive", anchor);
        hd_fail_detail("try", "the file that ends in .otf2 as it was written, whole");
        return HD_EFORMAT;
    }
    if (head[AT_TRACE_FORMAT] > TRACE_FORMAT_MAX) {
        hd_fail(HD_EFORMAT, "the archive \"%s\" is of a newer OTF2 than this program can read", anchor);
        hd_fail_detail("archive", "trace format %u, written by OTF2 %u.%u.%u", head[AT_TRACE_FORMAT], head[AT_VERSION],
                       head[AT_VERSION + 1], head[AT_VERSION + 2]);
        hd_fail_detail("library", "trace formats up to %d, OTF2 " OTF2_VERSION, TRACE_FORMAT_MAX);
        hd_fail_detail("try", "a heddle that was built with that OTF2 or a newer one");
    } else if (head[AT_SUBSTRATE] == OTF2_SUBSTRATE_SION) {
        hd_fail(HD_EFORMAT, "the archive \"%s\" is in SIONlib containers, which this OTF2 library does not read",
                anchor);
        hd_fail_detail("library", "OTF2 " OTF2_VERSION ": without SIONlib, or the containers are damaged");
        hd_fail_detail("try", "a heddle that was built with an OTF2 with SIONlib (otf2-config --config-summary says), "
                       "or record without "
                              "SCOREP_TRACING_USE_SION");
    } else if (head[AT_COMPRESSION] > OTF2_COMPRESSION_NONE) {
        hd_fail(HD_EFORMAT, "the archive \"%s\" is compressed, which this OTF2 library does not read", anchor);
        hd_fail_detail("library", "OTF2 " OTF2_VERSION "; up to 2.3 it could be built to compress files");
    } else {
        hd_fail(HD_EFORMAT, "\"%s\" cannot be read as an OTF2 archive", anchor);
        hd_fail_detail("try", "otf2-print \"%s\" shows what is wrong with it", anchor);
    }
    return HD_EFORMAT;
}

bool
hd_archive_is_plain(const char *anchor)
{
    uint8_t head[ANCHOR_HEAD_BYTES];

    return read_head(anchor, head) == sizeof head && head[AT_TRACE_FORMAT] <= TRACE_FORMAT_MAX &&
           head[AT_SUBSTRATE] == OTF2_SUBSTRATE_POSIX && head[AT_COMPRESSION] <= OTF2_COMPRESSION_NONE;
}

static char *
archive_folder(const char *anchor)
{
    return hd_format("%.*s", (int)(strlen(anchor) - 5), anchor); /* without ".otf2" */
}

bool
hd_archive_has_file(const char *anchor, const char *path)
{
    const char *slash       = strrchr(path, '/');
    char       *folder      = archive_folder(anchor), *definitions = hd_format("%s.def", folder);
    char       *place       = slash != NULL ? hd_format("%.*s", (int)(slash - path + 1), path) : hd_strdup(".");
    bool        is_of_archive = hd_is_same_file(path, anchor) || hd_is_same_file(path, definitions) ||
                                (hd_is_same_file(place, folder) && access(path, F_OK) == 0);

    free(folder);
    free(definitions);
    free(place);
    return is_of_archive;
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
hd_archive_bytes(const char *anchor, bool *has_local_definitions)
{
    char    *folder = archive_folder(anchor), *defs = hd_format("%s.def", folder);
    uint64_t bytes     = file_bytes(anchor) + file_bytes(defs);
    DIR     *directory = opendir(folder);

    *has_local_definitions = false;
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        char *path = hd_format("%s/%s", folder, entry->d_name);

        bytes += file_bytes(path);
        *has_local_definitions |= ends_with(path, ".def");
        free(path);
    }
    if (directory != NULL)
        closedir(directory);
    free(folder);
    free(defs);
    return bytes;
}

hd_status
hd_archive_check_events(const char *anchor)
{
    uint8_t        head[ANCHOR_HEAD_BYTES];
    bool           has_any   = read_head(anchor, head) < sizeof head || head[AT_SUBSTRATE] != OTF2_SUBSTRATE_POSIX;
    char          *folder    = archive_folder(anchor);
    DIR           *directory = opendir(folder);
    struct dirent *entry;

    if (directory == NULL && errno != ENOENT)
        has_any = true; /* what is wrong is said where files are opened */
    while (directory != NULL && !has_any && (entry = readdir(directory)) != NULL)
        has_any = entry->d_name[0] != '.';
    if (!has_any) {
        hd_fail(HD_EOPEN, "the folder \"%s\" of the archive is %s: no event can be read", folder,
                directory != NULL ? "empty" : "missing");
        hd_fail_detail("archive", "\"%s\"", anchor);
        hd_fail_detail("try", "to copy the archive as a whole, with the folder that has the name of its anchor");
    }
    if (directory != NULL)
        closedir(directory);
    free(folder);
    return has_any ? HD_OK : HD_EOPEN;
}
