#include "extract.h"

#include <errno.h>
#include <otf2/otf2.h>
#include <signal.h>

#include "archive.h"
#include "cut_loss.h"
#include "cut_records.h"
#include "cut_tasks.h"
#include "event_cut.h"
#include "event_files.h"
#include "extract_definitions.h"
#include "memory.h"
#include "receives_before.h"

static void
note_mapping(void *user)
{
    *(bool *)user = true;
}

static void
note_offset(void *user, hd_time time, hd_span offset)
{
    (void)time;
    *(bool *)user |= offset != 0;
}

/* Whether events cannot be read without their location's own definitions: as far as others have any, these map numbers
 * or correct clocks. */
static hd_status
find_need(hd_extraction *all)
{
    hd_event_files *files   = NULL;
    hd_status        status   = hd_event_files_open(all->request->anchor, all->request->reader, false, &files);
    bool             are_used = false, is_any = false;

    for (uint32_t i = 0; i < all->request->defs->n_locations && status == HD_OK && !are_used &&
         !hd_extract_is_to_stop(all); i++) {
        bool are_there;

        status = hd_event_files_define(files, all->request->defs, i,
                                       &(hd_own_definitions){ .offset = note_offset, .mapping = note_mapping,
                                                               .user = &are_used }, &are_there);
        is_any |= are_there;
    }
    hd_event_files_close(files);
    all->knows_need        = true;
    all->needs_definitions = are_used || !is_any;
    return status;
}

/* *lacks: definitions of its own; *is_left_out: its numbers of communicators would be taken for those of others, and
 * its times. */
static hd_status
define(hd_extraction *all, hd_event_files *files, uint32_t location, bool *lacks, bool *is_left_out)
{
    bool      are_there = false;
    hd_status status    = hd_event_files_define(files, all->request->defs, location, NULL, &are_there);

    if (status == HD_OK && !are_there && !all->knows_need)
        status = find_need(all);
    *lacks       = !are_there;
    *is_left_out = !are_there && all->needs_definitions;
    return status;
}

static hd_status
read_with(hd_event_files *files, uint64_t location_ref, hd_cut *cut,
          hd_events_end *end)
{
    hd_event_reading reading = { .handlers = &hd_cut_handlers, .user = cut };
    uint64_t         n_events;

    return hd_event_files_read(files, location_ref, &reading, &n_events, end);
}

static hd_status
survey_location(hd_extraction *all, hd_event_files *files, uint32_t location)
{
    bool          lacks, is_left_out;
    hd_events_end end;
    hd_cut        cut;
    hd_status     status = define(all, files, location, &lacks, &is_left_out);

    if (status != HD_OK || is_left_out)
        return status;
    hd_cut_init(&cut, all, location);
    status = read_with(files, hd_defs_locations(all->request->defs)[location].ref, &cut, &end);
    hd_cut_note_fragments(&cut);
    hd_cut_fini(&cut);
    return status;
}

/* What is before the part. */
static hd_status
survey(hd_extraction *all)
{
    hd_event_files *files = NULL;
    hd_status        status = all->request->analysis_interval.from > 0 ?
                              hd_event_files_open(all->request->anchor, all->request->reader, false, &files) : HD_OK;

    for (uint32_t i = 0; i < all->request->defs->n_locations && files != NULL && status == HD_OK &&
         hd_extract_goes_on(all); i++)
        status = survey_location(all, files, i);
    hd_event_files_close(files);
    hd_cut_sort_fragments(all);
    hd_crossing_counted(all->crossing);
    return status;
}

/* Which receives in the part have messages from before it. again: to read the location with, besides. */
static hd_status
find_before(hd_cut *cut, hd_event_files *again)
{
    const hd_extract_request *request = cut->all->request;
    bool                      are_there;
    hd_status                 status;

    if (hd_crossing_n_owing(cut->all->crossing, cut->process) == 0)
        return HD_OK;
    status = hd_event_files_define(again, request->defs, cut->location, NULL, &are_there);
    if (status == HD_OK)
        status = hd_receives_before_find(cut->all->crossing, again, request->defs, cut->location,
                                         request->analysis_interval.from, &cut->before, &cut->n_before);
    return status;
}

typedef struct closing {
    OTF2_Archive   *archive;
    OTF2_EvtWriter *writer;
} closing;

static int
close_writer(void *user)
{
    const closing *of = user;

    return (int)OTF2_Archive_CloseEvtWriter(of->archive, of->writer);
}

static int
close_files(void *archive)
{
    OTF2_ErrorCode error = OTF2_Archive_CloseDefFiles(archive);

    return (int)(error == OTF2_SUCCESS ? OTF2_Archive_CloseEvtFiles(archive) : error);
}

static int
close_archive(void *archive)
{
    return (int)OTF2_Archive_Close(archive);
}

/* After an error what is open stays open until the process ends. */
static void
close_guarded(hd_extraction *all, int (*close)(void *user), void *user)
{
    if (all->error == OTF2_SUCCESS)
        hd_extract_note_error(all, (OTF2_ErrorCode)hd_archive_close_guarded(close, user));
}

static hd_status
write_location(hd_extraction *all, hd_event_files *files, hd_event_files *again,
               OTF2_Archive *archive, uint32_t location)
{
    uint64_t        ref = hd_defs_locations(all->request->defs)[location].ref;
    OTF2_DefWriter *own = NULL; /* no definitions, but readers look for the file */
    bool            lacks, is_left_out;
    hd_events_end   end = HD_EVENTS_WHOLE;
    hd_cut          cut;
    hd_status       status = define(all, files, location, &lacks, &is_left_out);

    if (status != HD_OK)
        return status;
    hd_cut_init(&cut, all, location);
    if (all->request->times != NULL) {
        all->request->times(all->request->context, location, &cut.times);
        cut.at.times = &cut.times;
    }
    cut.side   = is_left_out ? HD_CUT_BEHIND : HD_CUT_BEFORE;
    cut.writer = OTF2_Archive_GetEvtWriter(archive, ref);
    if (lacks && !is_left_out)
        hd_extract_note_loss(all, HD_EXTRACT_NO_DEFINITIONS, location); /* and none in the new one, which tells */
    else
        hd_cut_put(&cut, (own = OTF2_Archive_GetDefWriter(archive, ref)) != NULL ? OTF2_SUCCESS : OTF2_ERROR_INVALID);
    hd_cut_put(&cut, cut.writer != NULL ? OTF2_SUCCESS : OTF2_ERROR_INVALID);
    if (all->error == OTF2_SUCCESS && !is_left_out)
        status = find_before(&cut, again);
    if (all->error == OTF2_SUCCESS && status == HD_OK)
        status = read_with(files, ref, &cut, &end);
    if (status == HD_OK && hd_extract_goes_on(all)) {
        hd_cut_count_events(&cut, is_left_out ? hd_cut_leave_out(&cut, end) : hd_cut_find_loss(&cut, end));
        close_guarded(all, close_writer, &(closing){ archive, cut.writer });
        hd_cut_put(&cut, own != NULL ? OTF2_Archive_CloseDefWriter(archive, own) : OTF2_SUCCESS);
    }
    hd_cut_fini(&cut);
    return status;
}

/* None after an error: libotf2 would write once more what it has freed. */
static OTF2_FlushType
before_flush(void *all_, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    const hd_extraction *all = all_;

    (void)type, (void)location, (void)caller, (void)final;
    return all->error == OTF2_SUCCESS ? OTF2_FLUSH : OTF2_NO_FLUSH;
}

enum { EVENT_CHUNK_BYTES = OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
       DEFINITION_CHUNK_BYTES = OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT };

static hd_status
write_events(hd_extraction *all, OTF2_Archive *archive)
{
    hd_event_files *files = NULL, *again = NULL;
    hd_status       status = hd_event_files_open(all->request->anchor, all->request->reader, false, &files);

    if (status == HD_OK)
        status = hd_event_files_open(all->request->anchor, all->request->reader, false, &again);
    if (status != HD_OK)
        goto out;
    hd_extract_note_error(all, OTF2_Archive_OpenEvtFiles(archive));
    hd_extract_note_error(all, OTF2_Archive_OpenDefFiles(archive));
    for (uint32_t i = 0; i < all->request->defs->n_locations && status == HD_OK && hd_extract_goes_on(all); i++)
        status = write_location(all, files, again, archive, i);
    close_guarded(all, close_files, archive);
out:
    hd_event_files_close(again);
    hd_event_files_close(files);
    return status;
}

static hd_status
write_archive(hd_extraction *all)
{
    static const OTF2_FlushCallbacks flush_callbacks = { .otf2_pre_flush = before_flush, .otf2_post_flush = NULL };
    OTF2_Archive                    *archive;
    hd_status                        status;

    signal(SIGXFSZ, SIG_IGN); /* a file that may not be that long is an error */
    errno   = 0;
    archive = OTF2_Archive_Open(all->request->directory, "traces", OTF2_FILEMODE_WRITE, EVENT_CHUNK_BYTES,
                                DEFINITION_CHUNK_BYTES, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive == NULL)
        return hd_fail(HD_EWRITE, "cannot begin an archive in \"%s\"", all->request->directory);
    hd_extract_note_error(all, OTF2_Archive_SetFlushCallbacks(archive, &flush_callbacks, all));
    hd_extract_note_error(all, OTF2_Archive_SetSerialCollectiveCallbacks(archive));
    status = write_events(all, archive);
    if (status == HD_OK)
        status = hd_extract_definitions(all, archive);
    close_guarded(all, close_archive, archive);
    if (status == HD_OK && all->error != OTF2_SUCCESS) {
        status = hd_fail(HD_EWRITE, "cannot write the archive in \"%s\"", all->request->directory);
        hd_fail_detail("reason", "%s", hd_extract_is_of_the_disk(all->system_error) ? strerror(all->system_error) :
                       OTF2_Error_GetDescription(all->error));
    }
    return status;
}

hd_status
hd_extract_write(const hd_extract_request *request, hd_extract_result *result)
{
    hd_extraction               all       =
        { .request = request, .n_events = HD_NEW_ARRAY(uint64_t, request->defs->n_locations) };
    hd_status                status;

    hd_ref_maps_init(&all.refs, request->defs);
    all.crossing = hd_crossing_new(request->defs, &all.refs);
    status       = survey(&all);
    if (status == HD_OK && !hd_extract_is_to_stop(&all))
        status = write_archive(&all);
    if (status == HD_OK && hd_extract_is_to_stop(&all))
        status = hd_fail(HD_EWRITE, "interrupted");
    if (status == HD_OK)
        *result = all.result;
    hd_crossing_free(all.crossing);
    hd_ref_maps_fini(&all.refs);
    free(all.fragments);
    free(all.n_events);
    return status;
}
