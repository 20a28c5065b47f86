#include "event_files.h"

#include <errno.h>
#include <fcntl.h>
#include <otf2/otf2.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive.h"
#include "chunk_check.h"
#include "event_stream.h"
#include "memory.h"

enum { CHECK_BYTES = 256 * 1024,
       MAPPING_TABLE = 5, CLOCK_OFFSET = 6 }; /* definitions of a location */

struct hd_event_files {
    char        *anchor;
    OTF2_Reader *reader;
    bool         raw_clocks;
    bool         is_in_files; /* one for each location; else in containers, which the OTF2 library knows */
    bool         is_own;      /* read by stream; else it looks over what the library is asked for */
    hd_event_stream stream;
    OTF2_AttributeList *attributes; /* of an event, for handlers that take them; NULL: there were none yet */
    uint64_t     defined;     /* number of the location whose definitions the stream has, while is_defined */
    bool         is_defined;
};

hd_status
hd_event_files_open(const char *anchor, hd_event_reader reader, bool raw_clocks, hd_event_files **files)
{
    OTF2_Reader       *otf2      = OTF2_Reader_Open(anchor);
    OTF2_FileSubstrate substrate = OTF2_SUBSTRATE_POSIX;
    hd_event_files    *f;

    if (otf2 == NULL)
        return hd_fail(HD_EOPEN, "cannot open archive \"%s\" again", anchor);
    OTF2_Reader_SetSerialCollectiveCallbacks(otf2);
    f              = HD_NEW(hd_event_files);
    f->reader      = otf2;
    f->anchor      = hd_strdup(anchor);
    f->raw_clocks  = raw_clocks;
    f->is_in_files = OTF2_Reader_GetFileSubstrate(otf2, &substrate) != OTF2_SUCCESS ||
                     substrate != OTF2_SUBSTRATE_SION;
    f->is_own      = reader == HD_READER_OWN && f->is_in_files && hd_archive_is_plain(anchor);
    OTF2_Reader_OpenDefFiles(otf2);
    if (!f->is_own)
        OTF2_Reader_OpenEvtFiles(otf2);
    *files = f;
    return HD_OK;
}

void
hd_event_files_close(hd_event_files *files)
{
    if (files == NULL)
        return;
    OTF2_Reader_CloseDefFiles(files->reader);
    if (!files->is_own)
        OTF2_Reader_CloseEvtFiles(files->reader);
    OTF2_Reader_Close(files->reader);
    if (files->attributes != NULL)
        OTF2_AttributeList_Delete(files->attributes);
    hd_event_stream_fini(&files->stream);
    free(files->anchor);
    free(files);
}

static bool
may_exist(const hd_event_files *files, uint64_t ref, const char *suffix)
{
    char *path   = hd_archive_file(files->anchor, ref, suffix);
    bool  may    = !files->is_in_files || access(path, R_OK) == 0;

    free(path);
    return may;
}

typedef struct taking { /* definitions of a location */
    hd_local_definitions     *definitions;
    const hd_own_definitions *takes; /* NULL: nobody else */
} taking;

static OTF2_CallbackCode
on_offset(void *user, OTF2_TimeStamp time, int64_t offset, double deviation)
{
    const taking *to = user;

    (void)deviation;
    hd_local_definitions_offset(to->definitions, time, offset);
    if (to->takes != NULL && to->takes->offset != NULL)
        to->takes->offset(to->takes->user, time, offset);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_mapping(void *user, OTF2_MappingType type, const OTF2_IdMap *map)
{
    const taking *to = user;

    hd_local_definitions_map(to->definitions, type, map);
    if (to->takes != NULL && to->takes->mapping != NULL)
        to->takes->mapping(to->takes->user);
    return OTF2_CALLBACK_SUCCESS;
}

static void
register_definitions(hd_event_files *files, OTF2_DefReader *definitions, taking *to)
{
    OTF2_DefReaderCallbacks *callbacks = OTF2_DefReaderCallbacks_New();

    if (callbacks == NULL)
        hd_fatal("out of memory: the OTF2 library could not allocate its table of callbacks");
    OTF2_DefReaderCallbacks_SetClockOffsetCallback(callbacks, on_offset);
    OTF2_DefReaderCallbacks_SetMappingTableCallback(callbacks, on_mapping);
    OTF2_Reader_RegisterDefCallbacks(files->reader, definitions, callbacks, to);
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

/* Sizes of chunks. */
static void
chunk_bytes(const hd_event_files *files, uint64_t *of_events, uint64_t *of_definitions)
{
    *of_events = *of_definitions = 0;
    OTF2_Reader_GetChunkSize(files->reader, of_events, of_definitions);
}

/* False: the library is to say what it is. */
static bool
take_offset(hd_local_definitions *definitions, const uint8_t *at, const uint8_t *end, uint8_t order)
{
    uint64_t time, offset, deviation;

    if (!hd_chunk_fixed_number(&at, end, order, sizeof time, &time) || !hd_chunk_number(&at, end, order, &offset) ||
        !hd_chunk_fixed_number(&at, end, order, sizeof deviation, &deviation) ||
        (definitions->has_pending && time <= definitions->pending.begin))
        return false;
    hd_local_definitions_offset(definitions, time, (int64_t)offset);
    return true;
}

static bool
take_mapping(hd_local_definitions *definitions, const uint8_t *at, const uint8_t *end, uint8_t order)
{
    uint64_t    type, n, mode, from, number;
    OTF2_IdMap *map;
    bool        is_sound = true;

    if (!hd_chunk_fixed_number(&at, end, order, 1, &type) || !hd_chunk_number(&at, end, order, &n) ||
        !hd_chunk_fixed_number(&at, end, order, 1, &mode) || type >= OTF2_MAPPING_MAX ||
        definitions->mappings[type].is_set || mode > OTF2_ID_MAP_SPARSE)
        return false;
    map = OTF2_IdMap_Create((OTF2_IdMapMode)mode, n); /* n is not above the record's length */
    if (map == NULL)
        return false;
    for (uint64_t i = 0; i < n && is_sound; i++) {
        from     = i;
        is_sound = (mode == OTF2_ID_MAP_DENSE || hd_chunk_number(&at, end, order, &from)) &&
                   hd_chunk_number(&at, end, order, &number) && OTF2_IdMap_AddIdPair(map, from, number) == OTF2_SUCCESS;
    }
    if (is_sound)
        hd_local_definitions_map(definitions, (OTF2_MappingType)type, map);
    OTF2_IdMap_Free(map);
    return is_sound;
}

typedef struct own_taking {
    hd_local_definitions *definitions;
    bool                  is_sound;
} own_taking;

static void
take_record(void *user, uint8_t kind, const uint8_t *at, const uint8_t *end, uint8_t order)
{
    own_taking *to = user;

    if (kind == MAPPING_TABLE)
        to->is_sound = to->is_sound && take_mapping(to->definitions, at, end, order);
    else if (kind == CLOCK_OFFSET)
        to->is_sound = to->is_sound && take_offset(to->definitions, at, end, order);
}

/* Whether the file of a location's definitions is there and whole. to: what takes them. */
static bool
are_definitions_whole(const hd_event_files *files, uint64_t ref, own_taking *to)
{
    char     *path = hd_archive_file(files->anchor, ref, "def");
    uint64_t  of_events, of_definitions;
    hd_chunks chunks;
    bool      are_whole;

    chunk_bytes(files, &of_events, &of_definitions);
    if (hd_chunks_open(&chunks, path, of_definitions, HD_CHUNK_LOCAL_DEFINITIONS)) {
        chunks.take = take_record;
        chunks.user = to;
        while (hd_chunks_next(&chunks) > 0)
            continue;
    }
    are_whole = chunks.is_whole;
    hd_chunks_close(&chunks);
    free(path);
    return are_whole;
}

/* By the OTF2 library, which applies them to the events that it reads. It sets a whole chunk to zero for each
 * location. */
static bool
read_by_library(hd_event_files *files, uint64_t ref, taking *to)
{
    OTF2_DefReader *definitions = OTF2_Reader_GetDefReader(files->reader, ref);
    uint64_t        n;
    OTF2_ErrorCode  error;

    if (definitions == NULL)
        return !files->is_in_files;
    register_definitions(files, definitions, to);
    error = OTF2_Reader_ReadAllLocalDefinitions(files->reader, definitions, &n);
    OTF2_Reader_CloseDefReader(files->reader, definitions);
    return error == OTF2_SUCCESS;
}

/* The location's own definitions: mapping tables and clock offsets. */
static bool
read_definitions(hd_event_files *files, uint64_t ref, const hd_own_definitions *takes)
{
    hd_local_definitions *definitions = &files->stream.chunk.definitions;
    own_taking            own         = { definitions, files->is_own && takes == NULL };
    bool                  is_whole    = !files->is_in_files || are_definitions_whole(files, ref, &own);

    if (is_whole && own.is_sound)
        return true;
    hd_local_definitions_clear(definitions);
    return is_whole && read_by_library(files, ref, &(taking){ definitions, takes });
}

hd_status
hd_event_files_define(hd_event_files *files, const hd_defs *defs, uint32_t location, const hd_own_definitions *takes,
                      bool *are_there)
{
    uint64_t ref = hd_defs_locations(defs)[location].ref;

    hd_local_definitions_clear(&files->stream.chunk.definitions);
    files->defined    = ref;
    files->is_defined = true;
    *are_there = !(defs->has_local_definitions || may_exist(files, ref, "def")) || read_definitions(files, ref, takes);
    return *are_there ? HD_OK : check_readable(files, ref, "def");
}

#define EVENTS_AT_ONCE 65536 /* between two looks at what is asked meanwhile */

/* ---- by the OTF2 library ----------------------------------------------------------------------------------------- */

static OTF2_EvtReaderCallbacks *
new_callbacks(const hd_event_handlers *handlers)
{
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();

    if (callbacks == NULL)
        hd_fatal("out of memory: the OTF2 library could not allocate its table of callbacks");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* old archives may have such records */
#define SET_CALLBACK(number, kind) OTF2_EvtReaderCallbacks_Set##kind##Callback(callbacks, handlers->kind);
    HD_EVENT_KINDS(SET_CALLBACK)
    OTF2_EvtReaderCallbacks_SetUnknownCallback(callbacks, handlers->Unknown);
#pragma GCC diagnostic pop
    return callbacks;
}

typedef struct open_file {
    hd_event_files         *files;
    const hd_event_reading *reading;
    OTF2_EvtReader         *otf2;    /* NULL: it is read by the stream */
    uint64_t                n_whole; /* with otf2: events that may be read now */
    hd_decode_end           look;    /* with otf2: how the chunk that was looked over ends */
    uint64_t                n;       /* events that were read */
} open_file;

/* False: the library does not read it. */
static bool
open_otf2(open_file *file, uint64_t location_ref)
{
    OTF2_Reader             *reader    = file->files->reader;
    OTF2_EvtReaderCallbacks *callbacks = new_callbacks(file->reading->handlers);
    bool                     is_open;

    file->otf2 = OTF2_Reader_GetEvtReader(reader, location_ref);
    is_open    = file->otf2 != NULL && OTF2_Reader_RegisterEvtCallbacks(reader, file->otf2, callbacks,
                                                                        file->reading->user) == OTF2_SUCCESS;
    if (file->otf2 != NULL)
        OTF2_EvtReader_ApplyClockOffsets(file->otf2, !file->files->raw_clocks);
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    return is_open;
}

/* Reads the next events, of a chunk that was looked over; containers are not, and the library finds their end. */
static hd_decode_end
read_otf2(open_file *file, uint64_t wanted, uint64_t *got)
{
    bool           is_looked_over = file->files->is_in_files;
    OTF2_ErrorCode error;

    *got = 0;
    if (is_looked_over && file->n_whole == 0) {
        if (file->look != HD_DECODE_CHUNK_END)
            return file->look;
        file->look = hd_event_stream_count(&file->files->stream, &file->n_whole);
        if (file->n_whole == 0)
            return file->look;
    }
    if (is_looked_over && wanted > file->n_whole)
        wanted = file->n_whole;
    error = OTF2_Reader_ReadLocalEvents(file->files->reader, file->otf2, wanted, got);
    file->n_whole -= is_looked_over ? *got : 0;
    if (error == OTF2_ERROR_INTERRUPTED_BY_CALLBACK)
        return HD_DECODE_INTERRUPTED;
    if (error == OTF2_SUCCESS && *got == wanted)
        return HD_DECODE_GOES_ON;
    return error == OTF2_SUCCESS && !is_looked_over ? HD_DECODE_FILE_END : HD_DECODE_CUT;
}

/* ---- by either --------------------------------------------------------------------------------------------------- */

static hd_decode_end
read_stream(open_file *file, uint64_t wanted, uint64_t *got)
{
    const hd_event_reading *reading = file->reading;
    hd_event_stream        *stream  = &file->files->stream;
    hd_decode_end           end     =
        hd_event_stream_read(stream, file->n + wanted, reading->handlers,
                             reading->decode != NULL ? reading->decode : hd_event_decode_any, reading->user);

    *got = stream->chunk.n - file->n;
    return end;
}

static hd_events_end
read_file(open_file *file)
{
    const hd_event_reading *reading = file->reading;
    uint64_t                at_once = reading->after != NULL ? 1 : EVENTS_AT_ONCE, left, got;
    uint64_t                most    = reading->max_events > 0 ? reading->max_events : UINT64_MAX;
    hd_decode_end           end     = HD_DECODE_GOES_ON;

    while (file->n < most && end == HD_DECODE_GOES_ON) {
        left = most - file->n;
        end  = (file->otf2 != NULL ? read_otf2 : read_stream)(file, left < at_once ? left : at_once, &got);
        file->n += got;
        if (reading->n_done != NULL)
            atomic_fetch_add_explicit(reading->n_done, got, memory_order_relaxed);
        if (reading->after != NULL && got > 0)
            reading->after(reading->watcher);
        if (end == HD_DECODE_GOES_ON && reading->stop != NULL && *reading->stop != 0)
            end = HD_DECODE_INTERRUPTED;
    }
    return end == HD_DECODE_INTERRUPTED ? HD_EVENTS_INTERRUPTED : end == HD_DECODE_CUT ? HD_EVENTS_CUT :
           HD_EVENTS_WHOLE;
}

/* NULL: the handlers do not take them, or the library hands them over. */
static OTF2_AttributeList *
attributes_for(hd_event_files *files, const hd_event_handlers *handlers)
{
    if (!handlers->takes_attributes || !files->is_own)
        return NULL;
    if (files->attributes == NULL)
        files->attributes = OTF2_AttributeList_New();
    if (files->attributes == NULL)
        hd_fatal("out of memory: the OTF2 library could not allocate a list of attributes");
    return files->attributes;
}

/* The file of a location as a stream; containers are none. */
static hd_stream_start
open_stream(hd_event_files *files, const hd_event_handlers *handlers, uint64_t ref)
{
    char           *path = hd_archive_file(files->anchor, ref, "evt");
    uint64_t        of_events, of_definitions;
    hd_stream_start start;

    HD_ASSERT(files->is_defined && files->defined == ref);
    files->is_defined = false; /* once */
    files->stream.chunk.attributes = attributes_for(files, handlers);
    hd_local_definitions_begin(&files->stream.chunk.definitions, files->raw_clocks);
    chunk_bytes(files, &of_events, &of_definitions);
    start = hd_event_stream_open(&files->stream, path, of_events, ref);
    free(path);
    return start;
}

hd_status
hd_event_files_read(hd_event_files *files, uint64_t location_ref, const hd_event_reading *reading, uint64_t *n_events,
                    hd_events_end *end)
{
    open_file       file  = { .files = files, .reading = reading, .look = HD_DECODE_CHUNK_END };
    hd_stream_start start = files->is_in_files ? open_stream(files, reading->handlers, location_ref) : HD_STREAM_READY;

    if (start != HD_STREAM_READY)
        *end = start == HD_STREAM_NO_FILE ? HD_EVENTS_NO_FILE : HD_EVENTS_REFUSED;
    else if (!files->is_own && !open_otf2(&file, location_ref))
        *end = HD_EVENTS_REFUSED;
    else
        *end = read_file(&file);
    if (file.otf2 != NULL)
        OTF2_Reader_CloseEvtReader(files->reader, file.otf2);
    hd_event_stream_close(&files->stream);
    *n_events = file.n;
    return *end == HD_EVENTS_WHOLE || *end == HD_EVENTS_INTERRUPTED ? HD_OK :
           check_readable(files, location_ref, "evt");
}
