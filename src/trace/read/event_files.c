#include "event_files.h"

#include <errno.h>
#include <fcntl.h>
#include <otf2/otf2.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive.h"
#include "chunk_check.h"
#include "memory.h"

enum { CHECK_BYTES = 256 * 1024 };

struct hd_event_files {
    char        *anchor;
    OTF2_Reader *reader;
    bool         raw_clocks;
    bool         is_in_files; /* one for each location; else in containers, which the OTF2 library knows */
};

hd_status
hd_event_files_open(const char *anchor, bool raw_clocks, hd_event_files **files)
{
    OTF2_Reader       *otf2      = OTF2_Reader_Open(anchor);
    OTF2_FileSubstrate substrate = OTF2_SUBSTRATE_POSIX;

    if (otf2 == NULL)
        return hd_fail(HD_EOPEN, "cannot open archive \"%s\" again", anchor);
    OTF2_Reader_SetSerialCollectiveCallbacks(otf2);
    *files                = HD_NEW(hd_event_files);
    (*files)->reader      = otf2;
    (*files)->anchor      = hd_strdup(anchor);
    (*files)->raw_clocks  = raw_clocks;
    (*files)->is_in_files = OTF2_Reader_GetFileSubstrate(otf2, &substrate) != OTF2_SUCCESS ||
                            substrate != OTF2_SUBSTRATE_SION;
    OTF2_Reader_OpenDefFiles(otf2);
    OTF2_Reader_OpenEvtFiles(otf2);
    return HD_OK;
}

void
hd_event_files_close(hd_event_files *files)
{
    if (files == NULL)
        return;
    OTF2_Reader_CloseDefFiles(files->reader);
    OTF2_Reader_CloseEvtFiles(files->reader);
    OTF2_Reader_Close(files->reader);
    free(files->anchor);
    free(files);
}

OTF2_EvtReaderCallbacks *
hd_event_files_new_callbacks(void)
{
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();

    if (callbacks == NULL)
        hd_fatal("out of memory: the OTF2 library could not allocate its table of callbacks");
    return callbacks;
}

static bool
may_exist(const hd_event_files *files, uint64_t ref, const char *suffix)
{
    char *path   = hd_archive_file(files->anchor, ref, suffix);
    bool  may    = !files->is_in_files || access(path, R_OK) == 0;

    free(path);
    return may;
}

static OTF2_CallbackCode
on_offset(void *user, OTF2_TimeStamp time, int64_t offset, double deviation)
{
    const hd_own_definitions *takes = user;

    (void)deviation;
    if (takes->offset != NULL)
        takes->offset(takes->user, time, offset);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_mapping(void *user, OTF2_MappingType type, const OTF2_IdMap *map)
{
    const hd_own_definitions *takes = user;

    (void)type, (void)map;
    if (takes->mapping != NULL)
        takes->mapping(takes->user);
    return OTF2_CALLBACK_SUCCESS;
}

static void
register_definitions(hd_event_files *files, OTF2_DefReader *definitions, const hd_own_definitions *takes)
{
    OTF2_DefReaderCallbacks *callbacks = OTF2_DefReaderCallbacks_New();

    if (callbacks == NULL)
        hd_fatal("out of memory: the OTF2 library could not allocate its table of callbacks");
    OTF2_DefReaderCallbacks_SetClockOffsetCallback(callbacks, on_offset);
    OTF2_DefReaderCallbacks_SetMappingTableCallback(callbacks, on_mapping);
    OTF2_Reader_RegisterDefCallbacks(files->reader, definitions, callbacks, (void *)(uintptr_t)takes);
    OTF2_DefReaderCallbacks_Delete(callbacks);
}

/* Whether it is the system that fails to read a file, and not the file that is damaged: asked when libotf2, which does
 * not tell, has failed. */
static hd_status
check_readable(const hd_event_files *files, uint64_t ref, const char *suffix)
{
    char       *path   = hd_archive_file(files->anchor, ref, suffix);
    int         file   = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), error = errno;
    char       *buffer = NULL;
    ssize_t     n      = 0;
    struct stat status;

    /* others may have no end */
    if (file >= 0 && fstat(file, &status) == 0 && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))) {
        buffer = HD_NEW_UNSET(char, CHECK_BYTES);
        while ((n = read(file, buffer, CHECK_BYTES)) > 0 || (n < 0 && errno == EINTR))
            ;
        error = errno;
        free(buffer);
    }
    if (file >= 0)
        close(file);
    if ((file >= 0 && n >= 0) || error == ENOENT || error == ENOTDIR) {
        free(path);
        return HD_OK;
    }
    hd_fail(HD_EREAD, "a file of the archive cannot be read: %s", strerror(error));
    hd_fail_detail("file", "\"%s\"", path);
    free(path);
    return HD_EREAD;
}

/* False: the file is not there, or cannot be looked over. */
static bool
open_chunks(const hd_event_files *files, uint64_t ref, hd_chunk_kind kind, hd_chunks *chunks)
{
    char    *path      = hd_archive_file(files->anchor, ref, kind == HD_CHUNK_EVENTS ? "evt" : "def");
    uint64_t of_events = 0, of_definitions = 0;
    bool     is_open;

    OTF2_Reader_GetChunkSize(files->reader, &of_events, &of_definitions);
    is_open = hd_chunks_open(chunks, path, kind == HD_CHUNK_EVENTS ? of_events : of_definitions, kind);
    free(path);
    return is_open;
}

/* The location's own definitions: mapping tables and clock offsets, applied by the OTF2 library from then on. */
static bool
read_definitions(hd_event_files *files, uint64_t ref, const hd_own_definitions *takes)
{
    OTF2_DefReader *definitions;
    hd_chunks       chunks;
    uint64_t        n;
    OTF2_ErrorCode  error = OTF2_ERROR_INVALID;

    if (open_chunks(files, ref, HD_CHUNK_LOCAL_DEFINITIONS, &chunks))
        while (hd_chunks_next(&chunks) > 0)
            continue;
    definitions = chunks.is_whole || !files->is_in_files ? OTF2_Reader_GetDefReader(files->reader, ref) : NULL;
    hd_chunks_close(&chunks);
    if (definitions == NULL)
        return !files->is_in_files;
    if (takes != NULL)
        register_definitions(files, definitions, takes);
    error = OTF2_Reader_ReadAllLocalDefinitions(files->reader, definitions, &n);
    OTF2_Reader_CloseDefReader(files->reader, definitions);
    return error == OTF2_SUCCESS;
}

hd_status
hd_event_files_define(hd_event_files *files, const hd_defs *defs, uint32_t location, const hd_own_definitions *takes,
                      bool *are_there)
{
    uint64_t ref = hd_defs_locations(defs)[location].ref;

    *are_there = !(defs->has_local_definitions || may_exist(files, ref, "def")) || read_definitions(files, ref, takes);
    return *are_there ? HD_OK : check_readable(files, ref, "def");
}

#define EVENTS_AT_ONCE 65536 /* between two looks at what is asked meanwhile */

typedef struct open_file {
    hd_event_files         *files;
    const hd_event_reading *reading;
    OTF2_EvtReader         *events;
    hd_chunks               chunks;
    uint64_t                n;     /* events that were read */
    OTF2_ErrorCode          error; /* of the last ones */
} open_file;

/* Reads the next n events. Unless all of them are read, *end is why. */
static bool
read_events(open_file *file, uint64_t n, hd_events_end *end)
{
    const hd_event_reading *reading = file->reading;
    uint64_t                at_once = reading->after != NULL ? 1 : EVENTS_AT_ONCE, got, wanted;

    for (; n > 0; n -= got) {
        got         = 0;
        wanted      = n < at_once ? n : at_once;
        file->error = OTF2_Reader_ReadLocalEvents(file->files->reader, file->events, wanted, &got);
        file->n += got;
        if (reading->n_done != NULL)
            atomic_fetch_add_explicit(reading->n_done, got, memory_order_relaxed);
        if (reading->after != NULL)
            reading->after(reading->watcher);
        if (file->error != OTF2_SUCCESS || got < wanted) {
            *end = file->error == OTF2_ERROR_INTERRUPTED_BY_CALLBACK ? HD_EVENTS_INTERRUPTED : HD_EVENTS_CUT;
            return false;
        }
        if (reading->stop != NULL && *reading->stop != 0) {
            *end = HD_EVENTS_INTERRUPTED;
            return false;
        }
    }
    return true;
}

static hd_events_end
read_file(open_file *file)
{
    uint64_t      most = file->reading->max_events > 0 ? file->reading->max_events : UINT64_MAX, n;
    hd_events_end end  = HD_EVENTS_WHOLE;

    if (!file->files->is_in_files) { /* containers are not looked over; the library finds their end */
        read_events(file, most, &end);
        return end == HD_EVENTS_CUT && file->error == OTF2_SUCCESS ? HD_EVENTS_WHOLE : end;
    }
    while (file->n < most && (n = hd_chunks_next(&file->chunks)) > 0)
        if (!read_events(file, n < most - file->n ? n : most - file->n, &end))
            return end;
    return file->n == most || file->chunks.is_whole ? HD_EVENTS_WHOLE : HD_EVENTS_CUT;
}

hd_status
hd_event_files_read(hd_event_files *files, uint64_t location_ref, const hd_event_reading *reading, uint64_t *n_events,
                    hd_events_end *end)
{
    open_file file    = { .files = files, .reading = reading };
    bool      is_open = open_chunks(files, location_ref, HD_CHUNK_EVENTS, &file.chunks) || !files->is_in_files;

    if (is_open)
        file.events = OTF2_Reader_GetEvtReader(files->reader, location_ref);
    if (file.events == NULL)
        *end = is_open ? HD_EVENTS_REFUSED : HD_EVENTS_NO_FILE;
    else {
        OTF2_EvtReader_ApplyClockOffsets(file.events, !files->raw_clocks);
        *end = HD_EVENTS_CUT;
        if (OTF2_Reader_RegisterEvtCallbacks(files->reader, file.events, reading->callbacks, reading->user) ==
            OTF2_SUCCESS)
            *end = read_file(&file);
        OTF2_Reader_CloseEvtReader(files->reader, file.events);
    }
    hd_chunks_close(&file.chunks);
    *n_events = file.n;
    return *end == HD_EVENTS_WHOLE || *end == HD_EVENTS_INTERRUPTED ? HD_OK :
           check_readable(files, location_ref, "evt");
}
