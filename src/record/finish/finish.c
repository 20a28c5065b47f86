/* src/record/finish/finish.c: writes the archive aside, and moves it to its place. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "finish.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <omp.h>
#include <otf2/otf2.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "archive_definitions.h"
#include "archive_events.h"
#include "folder_removal.h"
#include "memory.h"
#include "recorded_run.h"
#include "run_clock.h"
#include "run_system.h"
#include "run_topologies.h"
#include "symbols.h"
#include "workers.h"

static _Atomic OTF2_ErrorCode first_error; /* of libotf2, which does not return that of the last write to a file */
static _Thread_local jmp_buf *behind_error; /* NULL: errors are told by their status */

static OTF2_ErrorCode
take_error(void *user, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code, const char *format,
           va_list words)
{
    OTF2_ErrorCode none = OTF2_SUCCESS;
    jmp_buf       *to   = behind_error;

    (void)user, (void)file, (void)line, (void)function, (void)format, (void)words;
    if (code <= OTF2_SUCCESS) /* a warning */
        return code;
    atomic_compare_exchange_strong(&first_error, &none, code);
    behind_error = NULL;
    if (to != NULL)
        longjmp(*to, 1);
    return code;
}

static hd_status
fail_with_first_error(const char *folder)
{
    return hd_fail(HD_EWRITE, "cannot write the archive in \"%s\": %s", folder,
                   OTF2_Error_GetDescription(atomic_load(&first_error)));
}

typedef hd_status writing_step(void *user);

/* Does what writes, up to the first error: libotf2 frees what it could not write, and writes it once more when it
 * closes the file, perhaps in the same call. So that does not go on, and the archive stays open until the process
 * ends. */
static hd_status
write_guarded(writing_step *step, void *user, const char *folder)
{
    jmp_buf   here;
    hd_status status;

    if (setjmp(here) != 0)
        return fail_with_first_error(folder);
    behind_error = &here;
    status       = step(user);
    behind_error = NULL;
    return status;
}

static OTF2_FlushType
before_flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    (void)data, (void)type, (void)location, (void)caller, (void)final;
    return OTF2_FLUSH;
}

#define ASIDE ".traces.tmp-" /* and the number of the process: the archive while it is written */
enum { ASIDE_DEPTH = 2 };    /* part-W-N/traces, where there are no symbolic links */

hd_status
hd_finish_remove_raw(const char *directory)
{
    char     *raw    = hd_format("%s/raw", directory);
    hd_status status = hd_folder_remove(raw, 0);

    free(raw);
    return status;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

typedef struct place { /* a location of the run */
    uint32_t process;  /* HD_NONE: that of a rank that has recorded nothing */
    size_t   location; /* of the process, or that rank */
} place;

static uint64_t
n_locations(const hd_recorded_run *run)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < run->n; i++)
        n += run->processes[i].raw->n_locations;
    return n;
}

/* A definition fits into a chunk: members of a group of all locations take up to 10 bytes each, and a location's own
 * are few. No larger chunks than are needed: libotf2 clears one of each kind for each location. */
static OTF2_Archive *
open_archive(const hd_recorded_run *run, const char *folder, bool is_part)
{
    static const OTF2_FlushCallbacks flush_callbacks = { .otf2_pre_flush = before_flush, .otf2_post_flush = NULL };
    enum { MANY = 1000 };
    uint64_t n           = n_locations(run);
    uint64_t events      = n < MANY ? OTF2_CHUNK_SIZE_EVENTS_DEFAULT : OTF2_CHUNK_SIZE_MIN;
    uint64_t definitions = is_part ? OTF2_CHUNK_SIZE_MIN :
                                     10 * (n + run->world_size) +
                                         (n < MANY ? 4 * OTF2_CHUNK_SIZE_MIN : OTF2_CHUNK_SIZE_MIN);
    OTF2_Archive *archive = OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, events,
                                              definitions < OTF2_CHUNK_SIZE_MAX ? definitions : OTF2_CHUNK_SIZE_MAX,
                                              OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);

    if (archive != NULL && (OTF2_Archive_SetFlushCallbacks(archive, &flush_callbacks, NULL) != OTF2_SUCCESS ||
                            OTF2_Archive_SetSerialCollectiveCallbacks(archive) != OTF2_SUCCESS)) {
        OTF2_Archive_Close(archive);
        archive = NULL;
    }
    return archive;
}

/* Locations are written into archives of each thread's own, whose folder of locations is that of the archive: libotf2
 * then needs no lock, and does not look through all locations for each. */
typedef struct part {
    OTF2_Archive     *archive; /* NULL: none is open */
    char             *apart; /* its folder of locations, where there are no symbolic links; NULL: that of all */
    uint32_t          n, n_parts; /* locations in it; parts of this thread so far */
    hd_archive_counts counts; /* of all */
} part;

enum { PART_LOCATIONS = 2048 };

static hd_status
open_part(const hd_recorded_run *run, const char *folder, part *mine, uint32_t worker)
{
    char     *own    = hd_format("%s/part-%" PRIu32 "-%" PRIu32, folder, worker, mine->n_parts++);
    char     *traces = hd_format("%s/traces", own);
    hd_status status = HD_OK;

    mine->n       = 0;
    mine->archive = open_archive(run, own, true);
    if (mine->archive != NULL && (rmdir(traces) != 0 || symlink("../traces", traces) != 0) &&
        (mkdir(traces, 0777) == 0 || errno == EEXIST))
        mine->apart = hd_strdup(traces);
    if (mine->archive == NULL || OTF2_Archive_OpenEvtFiles(mine->archive) != OTF2_SUCCESS ||
        OTF2_Archive_OpenDefFiles(mine->archive) != OTF2_SUCCESS)
        status = hd_fail(HD_EWRITE, "cannot begin a part of the archive in \"%s\"", own);
    free(traces);
    free(own);
    return status;
}

/* The files of locations to those of the archive. */
static hd_status
move_files(const char *from, const char *folder)
{
    DIR                 *files  = opendir(from);
    hd_status            status = files != NULL ? HD_OK : HD_EWRITE;
    const struct dirent *file;

    while (status == HD_OK && (file = readdir(files)) != NULL) {
        char *old = hd_format("%s/%s", from, file->d_name), *new = hd_format("%s/traces/%s", folder, file->d_name);

        if (file->d_name[0] != '.' && rename(old, new) != 0)
            status = HD_EWRITE;
        free(old);
        free(new);
    }
    if (status != HD_OK)
        hd_fail(status, "cannot move the files of \"%s\": %s", from, strerror(errno));
    if (files != NULL)
        closedir(files);
    rmdir(from);
    return status;
}

static hd_status
close_part(const char *folder, part *mine, hd_status status)
{
    OTF2_ErrorCode error = OTF2_SUCCESS, closed;

    if (mine->archive == NULL)
        return status;
    if (status == HD_OK) {
        error = OTF2_Archive_CloseDefFiles(mine->archive);
        error = error == OTF2_SUCCESS ? OTF2_Archive_CloseEvtFiles(mine->archive) : error;
    }
    if (atomic_load(&first_error) == OTF2_SUCCESS) {
        closed = OTF2_Archive_Close(mine->archive);
        error  = error == OTF2_SUCCESS ? closed : error;
    }
    mine->archive = NULL;
    if (status == HD_OK && error != OTF2_SUCCESS)
        status = hd_fail(HD_EWRITE, "cannot write the events of locations: %s", OTF2_Error_GetDescription(error));
    if (status == HD_OK && mine->apart != NULL)
        status = move_files(mine->apart, folder);
    free(mine->apart);
    mine->apart = NULL;
    return status;
}

typedef struct writing { /* of all locations */
    const hd_recorded_run *run;
    const char            *folder;
    const place           *places;
    uint64_t              *n_events; /* out, in the order of the definitions */
    part                  *parts;    /* of each worker */
} writing;

typedef struct location_step { /* a location of the run */
    const writing *of;
    part          *mine;
    size_t         i;
} location_step;

/* Of a rank that has recorded nothing: without events. */
static hd_status
write_location(void *user)
{
    const location_step *step   = user;
    const writing       *of     = step->of;
    part                *mine   = step->mine;
    const place         *one    = &of->places[step->i];
    hd_archive_counts    counts = { 0 };
    hd_status            status = HD_OK;

    if (one->process == HD_NONE)
        status = hd_archive_events_write_none(mine->archive, one->location);
    else
        status = hd_archive_events_write(of->run, mine->archive, one->process, one->location, &counts);
    of->n_events[step->i] = counts.events;
    mine->counts.dropped += counts.dropped;
    mine->counts.samples += counts.samples;
    mine->counts.lost_samples += counts.lost_samples;
    mine->counts.periods += counts.periods;
    return status != HD_OK || ++mine->n == PART_LOCATIONS ? close_part(of->folder, mine, status) : status;
}

static hd_status
write_next(void *user, uint32_t worker, size_t i)
{
    const writing *of     = user;
    location_step  step   = { of, &of->parts[worker], i };
    hd_status      status = step.mine->archive == NULL ? open_part(of->run, of->folder, step.mine, worker) : HD_OK;

    return status == HD_OK ? write_guarded(write_location, &step, of->folder) : status;
}

static hd_status
close_parts(void *user)
{
    const writing *of     = user;
    hd_status      status = HD_OK;

    for (uint32_t i = 0; i < hd_workers_n(); i++)
        status = close_part(of->folder, &of->parts[i], status);
    return status;
}

/* n_events: out, [n], in the order of the definitions. */
static hd_status
write_locations(const hd_recorded_run *run, const char *folder, const place *places, uint32_t n, uint64_t *n_events,
                hd_finish_result *result)
{
    uint32_t  n_workers = hd_workers_n();
    writing   all       = { run, folder, places, n_events, HD_NEW_ARRAY(part, n_workers) };
    hd_status status    = hd_workers_run(n, 1, write_next, &all);
    uint64_t  periods   = 0;

    if (status == HD_OK)
        status = write_guarded(close_parts, &all, folder);
    for (uint32_t i = 0; i < n_workers; i++) {
        const hd_archive_counts *counts = &all.parts[i].counts;

        free(all.parts[i].apart);
        result->n_dropped += counts->dropped;
        result->n_samples += counts->samples;
        result->n_lost_samples += counts->lost_samples;
        periods += counts->periods;
    }
    result->sample_ns = result->n_samples > 0 ? run->sample_ns * periods / result->n_samples : run->sample_ns;
    free(all.parts);
    return status;
}

static hd_status
write_events(const hd_recorded_run *run, const char *folder, uint64_t **n_events, hd_finish_result *result)
{
    uint32_t  n = (uint32_t)n_locations(run), at = 0;
    place    *places = HD_NEW_ARRAY(place, (size_t)n + run->world_size);
    hd_status status = HD_OK;

    *n_events = HD_NEW_ARRAY(uint64_t, (size_t)n + run->world_size);
    for (uint32_t i = 0; i < run->n; i++)
        for (size_t j = 0; j < run->processes[i].raw->n_locations; j++)
            places[at++] = (place){ i, j };
    for (uint32_t rank = hd_run_next_absent(run, 0); rank < run->world_size; rank = hd_run_next_absent(run, rank + 1))
        places[at++] = (place){ HD_NONE, rank };
    if (!run->is_profile)
        status = write_locations(run, folder, places, at, *n_events, result);
    for (uint32_t i = 0; i < n; i++)
        result->n_events += (*n_events)[i];
    result->n_locations = n;
    free(places);
    return status;
}

typedef struct definitions_step {
    const hd_recorded_run *run;
    OTF2_Archive          *archive;
    const uint64_t        *n_events;
    uint64_t               sample_ns;
} definitions_step;

static hd_status
write_definitions(void *user)
{
    const definitions_step *step = user;
    OTF2_ErrorCode          closed;
    hd_status status = hd_archive_definitions_write(step->run, step->n_events, step->sample_ns, step->archive);

    closed = OTF2_Archive_Close(step->archive);
    if (closed != OTF2_SUCCESS && status == HD_OK)
        status = hd_fail(HD_EWRITE, "cannot close the archive: %s", OTF2_Error_GetDescription(closed));
    return status;
}

/* The definitions last, as they have the number of events of each location. */
static hd_status
write_archive(const hd_recorded_run *run, const char *folder, hd_finish_result *result)
{
    OTF2_Archive *archive  = open_archive(run, folder, false);
    uint64_t     *n_events = NULL;
    hd_status     status;

    if (archive == NULL)
        return hd_fail(HD_EWRITE, "cannot begin an archive in \"%s\"", folder);
    hd_archive_properties_set(run, archive);
    status = write_events(run, folder, &n_events, result);
    if (status == HD_OK)
        status = write_guarded(write_definitions,
                               &(definitions_step){ run, archive, n_events, result->sample_ns }, folder);
    free(n_events);
    return status == HD_OK && atomic_load(&first_error) != OTF2_SUCCESS ? fail_with_first_error(folder) : status;
}

/* The anchor last: without it there is no archive. */
static hd_status
move_archive(const char *from, const char *directory)
{
    static const char *const parts[] = { "traces", "traces.def", "traces.otf2" };
    hd_status                status  = HD_OK;

    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == HD_OK; i++) {
        char *old = hd_format("%s/%s", from, parts[i]), *new = hd_format("%s/%s", directory, parts[i]);

        if (rename(old, new) != 0)
            status = hd_fail(HD_EWRITE, "cannot make \"%s\": %s", new, strerror(errno));
        free(old);
        free(new);
    }
    return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

enum { MAX_NAMES = 8 };

typedef struct name_list { /* "min, max and 3 more" */
    char    *text; /* NULL: it is empty */
    uint32_t n;
} name_list;

static void
add_name(name_list *list, const char *name)
{
    char *longer;

    if (++list->n > MAX_NAMES)
        return;
    longer = list->n > 1 ? hd_format("%s, %s", list->text, name) : hd_strdup(name);
    free(list->text);
    list->text = longer;
}

/* free() it; NULL: there are none. */
static char *
end_names(name_list *list)
{
    char *text = list->text;

    if (list->n > MAX_NAMES) {
        text = hd_format("%s and %u more", list->text, list->n - MAX_NAMES);
        free(list->text);
    }
    return text;
}

/* NULL: there are none. */
static char *
list_calls_only(const hd_recorded_run *run)
{
    name_list list          = { 0 };
    bool      has_neighbour = false, has_unknown = false;

    for (size_t i = 0; i < run->n_regions; i++)
        has_neighbour |= run->regions[i].paradigm == HD_RUN_MPI &&
                         (strncmp(run->regions[i].name, "MPI_Neighbor_", 13) == 0 ||
                          strncmp(run->regions[i].name, "MPI_Ineighbor_", 14) == 0);
    for (uint32_t i = 0; i < run->n; i++)
        has_unknown |= run->processes[i].raw->has_unknown_comms;
    if (has_neighbour)
        add_name(&list, "neighbourhood collectives");
    if (has_unknown)
        add_name(&list, "calls on communicators that callbacks of MPI, or functions beyond the standard, have made");
    if (run->n_foreign > 0) {
        char *messages = hd_format("%" PRIu64 " messages of %" PRIu64 " bytes to processes of other worlds",
                                   run->n_foreign, run->foreign_bytes);

        add_name(&list, messages);
        free(messages);
    }
    return end_names(&list);
}

static char *
list_short_functions(const hd_recorded_run *run)
{
    name_list list = { 0 };

    for (size_t i = 0; i < run->n_regions; i++)
        if (run->regions[i].visits > 0 && run->regions[i].paradigm != HD_RUN_PTHREAD)
            add_name(&list, run->regions[i].name);
    return end_names(&list);
}

static char *
list_files(const hd_recorded_run *run, bool is_changed)
{
    name_list list = { 0 };

    for (size_t i = 0; i < run->n_symbols; i++)
        if (is_changed ? run->symbols[i]->has_changed : run->symbols[i]->has_given_addresses)
            add_name(&list, run->symbols[i]->path);
    return end_names(&list);
}

static void
sum_up(const hd_recorded_run *run, hd_finish_result *result)
{
    result->calls_only  = list_calls_only(run);
    result->short_functions = list_short_functions(run);
    result->changed     = list_files(run, true);
    result->stripped    = list_files(run, false);
    result->crowded     = hd_run_system_crowded(run);
    result->topologies = hd_run_topologies_wrong(run);
    for (size_t i = 0; i < run->n_regions; i++)
        result->has_brief_mutexes |= run->regions[i].paradigm == HD_RUN_PTHREAD && run->regions[i].visits > 0;
    result->n_processes = run->n;
    result->n_left_out  = run->n_left_out;
    result->stopped     = run->stopped != NULL ? hd_strdup(run->stopped) : NULL;
    result->last_s      = (double)run->kept_ticks / (double)run->resolution;
    result->world_size  = run->world_size;
    result->is_empty    = run->has_pauses && result->n_events <= 2 * (uint64_t)run->n && /* begins and ends */
                       result->n_visits <= run->n;
    for (uint32_t i = run->n; i > 0; i--) {
        const hd_run_process *process = &run->processes[i - 1];

        result->n_uncounted += process->raw->is_uncounted;
        result->n_unsampled += process->raw->is_unsampled;
        result->n_unsteady += !hd_run_clock_is_steady(process->raw);
        result->n_lost_samples += process->raw->n_lost;
        if (!process->is_incomplete)
            continue;
        result->n_incomplete++;
        result->first_incomplete = run->world_size > 0 ? process->raw->rank : i - 1;
        if (process->raw->stopped != NULL) {
            free(result->stopped);
            result->stopped = hd_strdup(process->raw->stopped);
        }
    }
}

/* Held by the process that finishes; -1: the folder is gone, or cannot be written. is_held: out, false where the file
 * system has no locks, too. */
static int
lock(const char *directory, bool *is_held)
{
    char *path = hd_format("%s/raw/finishing", directory);
    int   fd   = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    int   held = -1;

    while (fd >= 0 && (held = flock(fd, LOCK_EX)) != 0 && errno == EINTR)
        ;
    free(path);
    *is_held = held == 0;
    return fd;
}

/* In the folder aside, in which its definitions are as well. */
static hd_status
make_profile(const hd_recorded_run *run, const char *aside, const char *directory, hd_profile_writer *write_profile,
             hd_finish_result *result)
{
    char     *anchor = hd_format("%s/traces.otf2", aside), *made = hd_format("%s/" HD_PROFILE_NAME, aside);
    char     *path   = hd_format("%s/" HD_PROFILE_NAME, directory);
    hd_status status = write_profile(run, anchor, made, result);

    if (status == HD_OK && rename(made, path) != 0)
        status = hd_fail(HD_EWRITE, "cannot make \"%s\": %s", path, strerror(errno));
    result->is_profile = true;
    free(anchor);
    free(made);
    free(path);
    return status;
}

/* What libotf2 could not write, when nothing of it has been removed yet. The raw files are there. */
static void
explain_failure(const char *directory)
{
    enum { LITTLE_BYTES = 1 << 20 };
    struct statvfs room;

    if (statvfs(directory, &room) == 0 && (uint64_t)room.f_bavail * room.f_frsize < LITTLE_BYTES)
        hd_fail(HD_EWRITE, "cannot make the archive in \"%s\": the disk is full", directory);
    hd_fail_detail("try", "heddle record --finish %s   when there is room", directory);
}

static hd_status
make_archive(const char *directory, hd_profile_writer *write_profile, hd_finish_outcome *outcome,
             hd_finish_result *result)
{
    char           *raw    = hd_format("%s/raw", directory);
    char           *aside  = hd_format("%s/" ASIDE "%d", directory, (int)getpid());
    hd_recorded_run run    = { 0 };
    hd_status       status = hd_recorded_run_read(raw, &run);
    hd_error        error;

    *outcome = run.files.n > 0 ? HD_FINISHED : HD_FINISH_NOTHING;
    signal(SIGXFSZ, SIG_IGN); /* a file that may not be that long is an error */
    atomic_store(&first_error, OTF2_SUCCESS);
    OTF2_Error_RegisterCallback(take_error, NULL);
    if (status == HD_OK && run.files.n > 0) {
        status = write_archive(&run, aside, result);
        if (status == HD_OK)
            status = run.is_profile ? make_profile(&run, aside, directory, write_profile, result) :
                                      move_archive(aside, directory);
        if (status == HD_EWRITE)
            explain_failure(directory);
        error = *hd_error_get();
        hd_folder_remove(aside, ASIDE_DEPTH);
        if (status == HD_OK)
            sum_up(&run, result);
        else
            hd_error_set(&error);
    }
    hd_recorded_run_fini(&run);
    free(aside);
    free(raw);
    return status;
}

void
hd_finish_use_all_processors(void)
{
    enum { MAX_PROCESSORS = 8192, WORD_BITS = 64 };
    uint64_t words[MAX_PROCESSORS / WORD_BITS] = { 0 };
    int      n = 0;

    if (sched_getaffinity(0, sizeof words, (cpu_set_t *)(void *)words) != 0)
        return;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        n += __builtin_popcountll(words[i]);
    omp_set_num_threads(n > 0 ? n : 1);
}

hd_status
hd_finish(const char *directory, hd_profile_writer *write_profile, hd_finish_outcome *outcome,
          hd_finish_result *result)
{
    char     *anchor = hd_format("%s/traces.otf2", directory), *profile = hd_format("%s/" HD_PROFILE_NAME, directory);
    bool      is_held;
    int       fd     = lock(directory, &is_held);
    hd_status status = HD_OK;

    if (is_held) /* what finishers have left that were ended: none is at work */
        hd_folders_remove(directory, ASIDE, ASIDE_DEPTH);
    *result  = (hd_finish_result){ 0 };
    *outcome = HD_FINISHED_BEFORE;
    if (access(anchor, F_OK) != 0 && access(profile, F_OK) != 0)
        status = make_archive(directory, write_profile, outcome, result);
    else
        result->is_profile = access(anchor, F_OK) != 0;
    free(profile);
    if (fd >= 0)
        close(fd);
    free(anchor);
    return status;
}
