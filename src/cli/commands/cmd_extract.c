/* heddle extract: an interval of an archive as a new archive, for timeline viewers. */
#define _GNU_SOURCE /* nftw, renameat2 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive.h"
#include "commands.h"
#include "defs_read.h"
#include "extract.h"
#include "memory.h"
#include "message.h"
#include "result.h"
#include "same_file.h"
#include "signal_stop.h"
#include "trace_part.h"

typedef struct hd_extract_options {
    bool        help;
    const char *archive, *output, *report;
    uint32_t    instance;
    hd_duration from, to, margin;
    bool        force, quiet;
} hd_extract_options;

#define FIELD(field) offsetof(hd_extract_options, field)
static const hd_option extract_options[] = {
    { "instance", 0, HD_COUNT, NULL, "N", "extract the call of this instance, a line of the report's table of instances", FIELD(instance) },
    { "report", 0, HD_TEXT, "(heddle.cubex beside the archive's anchor)", "REPORT.cubex",
        "the report with the instances, of heddle analyze --instances", FIELD(report) },
    { "margin", 0, HD_TIME, "0", "T", "margin before and after the interval: seconds, or a number with s, ms, us or ns",
        FIELD(margin) },
    { "from", 0, HD_TIME, "0", "T", "start of the interval, since the first event", FIELD(from) },
    { "to", 0, HD_TIME, "END", "T", "end of the interval", FIELD(to) },
    { "output", 'o', HD_TEXT, "(heddle-extract beside the archive's anchor)", "DIR", "folder to create for the new archive", FIELD(output) },
    { "force", 'f', HD_FLAG, NULL, NULL, "replace an existing folder, if it holds an archive, its reports, and nothing else", FIELD(force) },
    { "quiet", 'q', HD_FLAG, NULL, NULL, "print errors only", FIELD(quiet) },
    HD_OPTION_HELP,
};

/* ---- the new archive --------------------------------------------------------------------------------------------- */

/* The part of nftw() that does it. */
static int
remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status, (void)type, (void)where;
    return remove(path);
}

static hd_status
cannot_make(const char *path, int error)
{
    bool exists = error == EEXIST || error == ENOTEMPTY;

    if (exists)
        hd_fail(HD_EEXIST, "the folder of the new archive exists already");
    else
        hd_fail(HD_EWRITE, "the new archive cannot be written: %s", strerror(error));
    hd_fail_detail("archive", "\"%s\"", path);
    hd_fail_detail("try", exists ? "--force to replace it, or --output DIR with a folder that does not exist yet"
                                 : "--output DIR with a folder that does not exist yet, where you may write");
    return hd_error_get()->status;
}

/* What heddle extract and heddle analyze write. */
static bool
is_of_extract(const char *name)
{
    static const char *const names[] = { ".", "..", "traces", "traces.otf2", "traces.def" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return strncmp(name, "heddle.", strlen("heddle.")) == 0;
}

/* A folder that is more than an archive, or the archive itself, is not replaced whatever the user says. */
static hd_status
check_replaced(const char *path, const char *anchor)
{
    char          *old       = hd_format("%s/traces.otf2", path), *other = NULL;
    bool           is_source = hd_is_same_file(old, anchor), is_archive = access(old, F_OK) == 0;
    DIR           *folder    = is_archive && !is_source ? opendir(path) : NULL;
    bool           is_read   = folder != NULL;
    struct dirent *entry;

    while (folder != NULL && other == NULL && (entry = readdir(folder)) != NULL)
        if (!is_of_extract(entry->d_name))
            other = hd_strdup(entry->d_name);
    if (is_read)
        closedir(folder);
    free(old);
    if (is_source)
        return hd_fail(HD_EUSAGE, "the new archive cannot replace the one that it is made of, \"%s\"", path);
    if (is_read && other == NULL)
        return HD_OK;
    hd_fail(HD_EEXIST, "\"%s\" is not replaced: it is not a folder with an archive and nothing else", path);
    if (other != NULL)
        hd_fail_detail("has", "\"%s\"", other);
    hd_fail_detail("try", "--output DIR with a folder that does not exist yet");
    free(other);
    return HD_EEXIST;
}

/* Renames the new archive; what was there has another name until then, and gets its own back if that
 * fails. */
static int
give_name(const char *temporary, const char *path, bool exists)
{
    char *old   = hd_format("%s.old-%ld", path, (long)getpid());
    bool  moves = exists && rename(path, old) == 0;
    int   error = 0;

    if (renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE) != 0
        && (errno != EINVAL || rename(temporary, path) != 0)) /* file systems that have no such flag */
        error = errno;
    if (moves && error != 0)
        (void)rename(old, path);
    else if (moves)
        nftw(old, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(old);
    return error;
}

/* Written aside, as DIR.tmp-<process id>, and renamed. */
static hd_status
write_aside(const char *path, bool force, const char *anchor, const hd_defs *defs, hd_analysis_interval analysis_interval,
            hd_extract_result *result)
{
    char              *temporary = hd_format("%s.tmp-%ld", path, (long)getpid());
    hd_extract_request request   = { .anchor = anchor, .defs = defs, .analysis_interval = analysis_interval, .directory = temporary };
    bool               is_made   = false, exists;
    hd_status          status    = HD_OK;
    struct stat        there;
    int                error;

    request.stop = hd_stop_hold();
    exists       = lstat(path, &there) == 0;
    if (exists)
        status = force ? check_replaced(path, anchor) : cannot_make(path, EEXIST);
    if (status == HD_OK && !(is_made = mkdir(temporary, 0777) == 0))
        status = cannot_make(path, errno);
    if (status == HD_OK)
        status = hd_extract_write(&request, result);
    if (status == HD_OK && (error = give_name(temporary, path, exists)) != 0)
        status = cannot_make(path, error);
    if (status != HD_OK && is_made)
        nftw(temporary, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    hd_stop_let_go();
    free(temporary);
    return status;
}

static void
tell(const char *path, const hd_defs *defs, hd_analysis_interval analysis_interval, const hd_extract_result *result)
{
    double resolution = (double)defs->resolution, last = (double)defs->length;

    if (analysis_interval.to != UINT64_MAX)
        last = (double)(analysis_interval.to - defs->first_time);
    fputs("archive       ", stdout);
    hd_message_escaped(stdout, path, false);
    printf("/traces.otf2\ninterval      %.9f s to %.9f s\nevents        %" PRIu64 "\n",
           (double)(analysis_interval.from - defs->first_time) / resolution, last / resolution, result->n_events);
    if (result->n_orphans > 0)
        printf("omitted       %" PRIu64 " records of messages and collective operations whose partner lies before the interval\n", result->n_orphans);
    if (result->n_misfits > 0)
        printf("omitted       %" PRIu64 " records that end something not begun, or whose kind is unknown\n", result->n_misfits);
}

/* One warning for each kind of loss. Whether there is any. */
static bool
tell_losses(const hd_defs *defs, const hd_extract_result *result)
{
    static const char *const words[HD_EXTRACT_N_LOSSES][2] = { /* one, several */
        [HD_EXTRACT_NO_EVENTS]      = { "location has no event file, or an empty one", "locations have no event file, or an empty one" },
        [HD_EXTRACT_CUT_EVENTS]     = { "location has an event file that ends too early; what can be read of it was taken",
                                        "locations have an event file that ends too early; what can be read of them was taken" },
        [HD_EXTRACT_STOPPED]        = { "process ends inside of calls: it, or its recording, stopped early",
                                        "processes end inside of calls: they, or their recording, stopped early" },
        [HD_EXTRACT_LEFT_OUT]       = { "location has no readable definitions of its own; its events are omitted, as their references cannot be resolved",
                                        "locations have no readable definitions of their own; their events are omitted, as their references cannot be resolved" },
        [HD_EXTRACT_UNKNOWN_KIND]   = { "location has records of a kind that the OTF2 library does not know; they are omitted",
                                        "locations have records of a kind that the OTF2 library does not know; they are omitted" },
        [HD_EXTRACT_TIME_DAMAGED]   = { "location has records far after the end of the recording; the time of the record before is used",
                                        "locations have records far after the end of the recording; the time of the record before is used" },
        [HD_EXTRACT_NO_DEFINITIONS] = { "location has no readable definitions of its own; those of others have nothing that would change its events",
                                        "locations have no readable definitions of their own; those of others have nothing that would change their events" },
    };
    bool is_any = false;

    for (int i = 0; i < HD_EXTRACT_N_LOSSES; i++) {
        const hd_extract_loss *loss = &result->losses[i];
        const hd_location_def *first;

        if (loss->n == 0)
            continue;
        first  = &hd_defs_locations(defs)[loss->first];
        is_any = true;
        fprintf(stderr, "heddle: warning: %" PRIu32 " %s\n  first:    process %" PRIu32, loss->n, words[i][loss->n > 1], first->process);
        fprintf(stderr, first->thread > 0 ? ", thread %" PRIu32 "\n" : "\n", first->thread);
    }
    return is_any;
}

/* What hd_trace_part_choose() allows to others. */
static hd_status
check_part(const hd_extract_options *options)
{
    if (options->instance == 0 && options->from.seconds == 0 && options->from.attoseconds == 0 && hd_duration_is_end(options->to)) {
        hd_fail(HD_EUSAGE, "neither an instance nor an interval is given");
        hd_fail_detail("try", "--instance N, or --from T --to T");
        return HD_EUSAGE;
    }
    if (options->report != NULL && options->instance == 0)
        return hd_fail(HD_EUSAGE, "--report has an effect only with --instance");
    return HD_OK;
}

static hd_status
extract_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_extract_options *options = options_;
    char                     *anchor = NULL, *path = NULL;
    hd_defs                  *defs   = NULL;
    hd_analysis_interval      analysis_interval = { 0 };
    hd_extract_result         result = { 0 };
    hd_status                 status;

    (void)analysis_comm;
    status = hd_archive_find(options->archive, &anchor);
    if (status == HD_OK)
        status = hd_defs_read(anchor, &defs);
    if (status == HD_OK && defs->n_events > 0)
        status = hd_archive_check_events(anchor);
    if (status == HD_OK)
        status = check_part(options);
    if (status == HD_OK)
        status = hd_trace_part_choose(&(hd_trace_part){ .instance = options->instance, .report = options->report, .margin = options->margin,
                                                        .from = options->from, .to = options->to },
                                      anchor, defs, &analysis_interval);
    if (status == HD_OK) {
        path = options->output != NULL ? hd_strdup(options->output) : hd_archive_beside(anchor, "heddle-extract");
        for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; n--) /* its temporary name is beside it, not in it */
            path[n - 1] = '\0';
        status = write_aside(path, options->force, anchor, defs, analysis_interval, &result);
    }
    *exit_code = status == HD_OK && tell_losses(defs, &result) ? HD_EXIT_INCOMPLETE : HD_EXIT_OK;
    if (status == HD_OK && !options->quiet)
        tell(path, defs, analysis_interval, &result);
    free(path);
    free(defs);
    free(anchor);
    return status;
}

const hd_command hd_cmd_extract = {
    .name           = "extract",
    .operand        = "ARCHIVE",
    .operand_offset = offsetof(hd_extract_options, archive),
    .exit_codes     = "3\tthe archive lacks data of the interval: the new archive has the rest, and heddle analyze reports it as incomplete",
    .former_letters = "i=instance r=report m=margin",
    .what           = "write an interval of an archive as a small archive, for timeline viewers",
    .text           = "Writes an interval of an OTF2 archive, around an instance of a wait state or between two times, as an archive of its own. "
                      "Timeline viewers, otf2-print and heddle analyze can read it. It has all definitions, and the events of the interval on all "
                      "locations with their timestamps. Regions that are open at the start of the interval are entered there again; "
                      "those that are open at its end are left there. ARCHIVE is the anchor file (.otf2) or a folder that holds traces.otf2.\n\n"
                      "Receives whose send lies before the interval are omitted, as are the ends of collective operations that others ended before "
                      "it. Messages whose partner lies after the interval are kept; heddle analyze reports them as unmatched.",
    .example        = "heddle analyze traces.otf2 --instances 3\tkeeps the three most severe instances of each wait state\n"
                      "heddle extract traces.otf2 --instance 1 --margin 5ms -o worst\tworst/traces.otf2 has the first one\n"
                      "heddle extract traces.otf2 --from 12.5 --to 12.6 -o excerpt\ta tenth of a second",
    .options        = extract_options,
    .n_options      = sizeof extract_options / sizeof *extract_options,
    .bytes          = sizeof(hd_extract_options),
    .run            = extract_run,
};
