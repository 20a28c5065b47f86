/* src/cube/report_path.c: finds the report in a folder, and tells archives, which have similar names, from reports. */
#include "report_path.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "found_files.h"
#include "memory.h"

#define REPORT "heddle.cubex"
#define ANCHOR "traces.otf2"
#define PROFILE "profile.cubex"

static bool
is_there(const char *folder, const char *name)
{
    char *path = hd_format("%s/%s", folder, name);
    bool  is   = access(path, F_OK) == 0;

    free(path);
    return is;
}

static hd_status
no_report_in(const char *folder)
{
    if (is_there(folder, ANCHOR)) {
        hd_fail(HD_EOPEN, "\"%s\" is an archive that has no report yet", folder);
        hd_fail_found(folder, ".cubex", REPORT);
        hd_fail_detail("try", "heddle analyze \"%s\", which writes %s into it", folder, REPORT);
        return HD_EOPEN;
    }
    hd_fail(HD_EOPEN, "cannot open report \"%s\": the folder has no %s", folder, REPORT);
    if (hd_fail_found(folder, ".cubex", REPORT) == 0)
        hd_fail_detail("try", "heddle analyze ARCHIVE, which writes a report");
    return HD_EOPEN;
}

static bool
ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), n_end = strlen(end);

    return n > n_end && strcmp(text + n - n_end, end) == 0;
}

/* "traces.otf2", "traces.def", "traces/3.evt" */
static bool
is_of_archive(const char *path)
{
    return ends_with(path, ".otf2") || ends_with(path, ".def") || ends_with(path, ".evt");
}

static hd_status
archive_is_meant(const char *path)
{
    const char *slash  = strrchr(path, '/');
    char       *folder = slash != NULL ? hd_format("%.*s", (int)(slash - path), path) : hd_strdup(".");

    hd_fail(HD_EFORMAT, "\"%s\" is a file of an archive, not a report", path);
    if (is_there(folder, REPORT))
        hd_fail_detail("report", "\"%s%s%s\"", slash != NULL ? folder : "", slash != NULL ? "/" : "", REPORT);
    else
        hd_fail_detail("try", "heddle analyze \"%s\", which writes a report", path);
    free(folder);
    return HD_EFORMAT;
}

hd_status
hd_report_find(const char *path, char **report)
{
    struct stat info;
    size_t      n = strlen(path);

    *report = NULL;
    if (stat(path, &info) != 0 || (!S_ISDIR(info.st_mode) && !is_of_archive(path)))
        *report = hd_strdup(path);
    else if (!S_ISDIR(info.st_mode))
        return archive_is_meant(path);
    else if (is_there(path, REPORT))
        *report = hd_format("%s%s%s", path, n > 0 && path[n - 1] == '/' ? "" : "/", REPORT);
    else if (is_there(path, PROFILE) && !is_there(path, ANCHOR))
        *report = hd_format("%s%s%s", path, n > 0 && path[n - 1] == '/' ? "" : "/", PROFILE);
    else
        return no_report_in(path);
    return HD_OK;
}

hd_status
hd_report_check_name(const char *path)
{
    if (ends_with(path, ".cubex"))
        return HD_OK;
    hd_fail(HD_EUSAGE, "the name of a report ends in .cubex, not as \"%s\" does", path);
    hd_fail_detail("try", "--output \"%s.cubex\"", path);
    return HD_EUSAGE;
}
