/* src/cli/core/archive_report.c: starts heddle analyze for archives that stand in place of reports. */
#include "archive_report.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "launcher.h"
#include "memory.h"
#include "message.h"
#include "signal_stop.h"
#include "terminal.h"

extern char **environ;

/* A folder that has a report stands for that. */
static bool
is_archive(const char *path)
{
    size_t n      = strlen(path);
    char  *anchor = hd_format("%s/traces.otf2", path), *report = hd_format("%s/heddle.cubex", path);
    bool   is     = (n > 5 && strcmp(path + n - 5, ".otf2") == 0) ||
                    (access(anchor, F_OK) == 0 && access(report, F_OK) != 0);

    free(anchor);
    free(report);
    return is;
}

/* A folder without folders in it. */
static void
remove_folder(const char *path)
{
    DIR           *folder = opendir(path);
    struct dirent *entry;

    while (folder != NULL && (entry = readdir(folder)) != NULL)
        unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder != NULL)
        closedir(folder);
    rmdir(path);
}

/* Waits for a process, and passes a signal on to it. */
static int
wait_for(pid_t process)
{
    const struct timespec pause    = { .tv_nsec = 5000000 };
    bool                  is_told  = false;
    int                   how;

    while (waitpid(process, &how, WNOHANG) == 0) {
        if (!is_told && *hd_stop_mark() != 0) {
            kill(process, (int)*hd_stop_mark());
            is_told = true;
        }
        nanosleep(&pause, NULL);
    }
    return how;
}

static hd_status
cannot_analyse(const char *archive, const char *why)
{
    hd_fail(HD_EOPEN, "the archive cannot be analysed: %s", why);
    hd_fail_detail("archive", "\"%s\"", archive);
    hd_fail_detail("try", "heddle analyze, and its report in place of the archive");
    return HD_EOPEN;
}

/* The child prints its progress and errors; what it prints on standard output is dropped. */
static hd_status
analyse(const char *archive, const char *report, bool quiet, int *exit_code)
{
    const char                *arguments[] =
        { "heddle", "analyze", "--no-summary", "-o", report, quiet ? "--quiet" : "--", quiet ? "--" : archive,
          quiet ? archive : NULL, NULL };
    posix_spawn_file_actions_t actions;
    pid_t                      process;
    int                        error, how;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    setenv(HD_TEMPORARY_REPORT, "1", 1);
    error = posix_spawn(&process, "/proc/self/exe", &actions, NULL, (char *const *)(uintptr_t)arguments, environ);
    unsetenv(HD_TEMPORARY_REPORT);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        return cannot_analyse(archive, strerror(error));
    how = wait_for(process);
    if (!WIFEXITED(how))
        return cannot_analyse(archive, "the analysis was ended by a signal");
    /* the report says that it is incomplete */
    *exit_code = WEXITSTATUS(how) == HD_EXIT_INCOMPLETE ? HD_EXIT_OK : WEXITSTATUS(how);
    return HD_OK;
}

static hd_status
open_archive(const char *archive, const char *folder, bool quiet, hd_cube **cube, int *exit_code)
{
    char     *report = hd_format("%s/heddle.cubex", folder);
    hd_status status;

    if (!quiet) {
        fputs("heddle: analysing \"", stderr);
        hd_message_escaped(stderr, archive, false);
        fputs("\" for a temporary report; \"heddle analyze\" keeps report and files\n", stderr);
    }
    status = analyse(archive, report, quiet, exit_code);
    if (status == HD_OK && *exit_code == HD_EXIT_OK)
        status = hd_cube_open(report, cube);
    if (*cube != NULL)
        (*cube)->path = archive;
    free(report);
    return status;
}

/* In a folder that is removed whatever comes; the open file stays readable. */
static hd_status
analyse_and_open(const char *archive, bool quiet, hd_cube **cube, int *exit_code)
{
    const char *parent = getenv("TMPDIR");
    char       *folder = hd_format("%s/heddle-XXXXXX", parent != NULL && *parent != '\0' ? parent : "/tmp");
    hd_status   status;

    hd_stop_hold();
    if (mkdtemp(folder) == NULL) {
        status = hd_fail(HD_EWRITE, "there can be no temporary folder for the report of an archive: %s",
                         strerror(errno));
        hd_fail_detail("folder", "\"%s\"", folder);
        hd_fail_detail("try", "TMPDIR=DIR with a folder where you may write");
    } else {
        status = open_archive(archive, folder, quiet, cube, exit_code);
        remove_folder(folder);
    }
    free(folder);
    hd_stop_let_go();
    return status;
}

static hd_status
refuse_launcher(const char *archive)
{
    hd_fail(HD_EUSAGE, "archives are analysed on the fly without a launcher only");
    hd_fail_detail("archive", "\"%s\"", archive);
    hd_fail_detail("try", "mpirun ... heddle analyze, and then its report in place of the archive, without mpirun");
    return HD_EUSAGE;
}

hd_status
hd_archive_reports_open(const hd_texts *paths, bool quiet, hd_reports *reports, int *exit_code)
{
    hd_status status = HD_OK;

    reports->cubes = HD_NEW_ARRAY(hd_cube *, paths->n + 1);
    reports->n     = 0;
    *exit_code     = HD_EXIT_OK;
    while (reports->n < paths->n && status == HD_OK && *exit_code == HD_EXIT_OK) {
        const char *path = paths->text[reports->n];
        hd_cube   **cube = &reports->cubes[reports->n];

        if (!is_archive(path))
            status = hd_cube_open(path, cube);
        else if (hd_launched_as() != NULL)
            status = refuse_launcher(path);
        else
            status = analyse_and_open(path, quiet, cube, exit_code);
        reports->n += *cube != NULL;
    }
    return status;
}
