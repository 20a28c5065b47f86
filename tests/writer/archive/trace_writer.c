/* tests/writer/archive/trace_writer.c: opens and closes archives. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "memory.h"
#include "trace_writer_parts.h"

_Noreturn void
tw_fail(const char *what)
{
    fprintf(stderr, "trace writer: %s\n", what);
    exit(1);
}

void
tw_check(OTF2_ErrorCode code, const char *what)
{
    if (code == OTF2_SUCCESS)
        return;
    fprintf(stderr, "trace writer: %s: %s\n", what, OTF2_Error_GetDescription(code));
    exit(1);
}

void
tw_check_not_null(const void *pointer, const char *what)
{
    if (pointer == NULL)
        tw_fail(what);
}

static OTF2_FlushType
before_flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    (void)data;
    (void)type;
    (void)location;
    (void)caller;
    (void)final;
    return OTF2_FLUSH;
}

/* Without a callback after the flush libotf2 writes no BufferFlush records of its own. */
static OTF2_FlushCallbacks flush_callbacks = { .otf2_pre_flush = before_flush, .otf2_post_flush = NULL };

uint32_t
tw_locations_of_process(const tw_archive_options *options)
{
    return options->n_threads + options->n_devices;
}

/* A definition fits into a chunk: the members of a group of all processes take up to 10 bytes each. */
static uint64_t
definition_chunk_bytes(uint32_t n_processes)
{
    uint64_t bytes = (uint64_t)n_processes * 10 + 4096, least = 256 * 1024, most = 16 * 1024 * 1024;

    return bytes < least ? least : bytes > most ? most : bytes;
}

OTF2_Archive *
tw_otf2_open(const tw_archive *archive)
{
    OTF2_Archive *otf2;

    otf2 = OTF2_Archive_Open(archive->directory, "traces", OTF2_FILEMODE_WRITE, archive->options.chunk_bytes,
                             definition_chunk_bytes(archive->options.n_processes), OTF2_SUBSTRATE_POSIX,
                             OTF2_COMPRESSION_NONE);
    tw_check_not_null(otf2, "cannot start the archive; is there one already?");
    tw_check(OTF2_Archive_SetFlushCallbacks(otf2, &flush_callbacks, NULL), "flush callbacks");
    return otf2;
}

tw_archive *
tw_open(const char *directory, const tw_archive_options *options)
{
    tw_archive *archive = HD_NEW(tw_archive);

    archive->options      = *options;
    archive->program_path = hd_strdup(options->program == NULL ? "program" : options->program);
    if (options->n_processes == 0)
        tw_fail("an archive without processes");
    if (options->n_threads == 0)
        archive->options.n_threads = 1;
    if (options->processes_per_node == 0)
        archive->options.processes_per_node = options->n_processes;
    if (options->resolution == 0)
        archive->options.resolution = 1000000;
    if (options->first_time == 0)
        archive->options.first_time = 1000000000;
    if (options->chunk_bytes == 0)
        archive->options.chunk_bytes = 1024 * 1024;
    hd_table_init(&archive->region_index);
    archive->n_events      = HD_NEW_ARRAY(uint64_t,
                                          (size_t)options->n_processes * tw_locations_of_process(&archive->options));
    archive->omp_locations = archive->pthread_locations = archive->shmem_locations = HD_NONE;
    archive->file_omp = archive->file_pthread = archive->file_kernel = archive->text_shmem =
        archive->file_posix = HD_NONE;
    tw_define_first(archive);

    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        tw_fail("cannot make the directory of the archive");
    archive->directory = hd_strdup(directory);
    archive->otf2 = archive->part = tw_otf2_open(archive);
    tw_check(OTF2_Archive_SetSerialCollectiveCallbacks(archive->otf2), "collective callbacks");
    tw_check(OTF2_Archive_SetCreator(archive->otf2, "heddle tests"), "creator");
    tw_check(OTF2_Archive_SetBoolProperty(archive->otf2, "OTF2::MPI_COMMUNICATION_COMPLETE", true, false), "property");
    tw_check(OTF2_Archive_SetBoolProperty(archive->otf2, "OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE", true, false),
             "property");
    tw_check(OTF2_Archive_OpenEvtFiles(archive->otf2), "event files");
    tw_check(OTF2_Archive_OpenDefFiles(archive->otf2), "definition files");
    return archive;
}

void
tw_close(tw_archive *archive)
{
    if (archive->open != NULL)
        tw_fail("a location is still open");
    tw_part_close(archive);
    tw_check(OTF2_Archive_CloseEvtFiles(archive->otf2), "event files");
    tw_check(OTF2_Archive_CloseDefFiles(archive->otf2), "definition files");
    tw_write_global(archive);
    tw_check(OTF2_Archive_Close(archive->otf2), "archive");
    for (size_t i = 0; i < archive->n_texts; i++)
        free(archive->texts[i]);
    for (size_t i = 0; i < archive->n_regions; i++)
        free(archive->regions[i].name);
    for (size_t i = 0; i < archive->n_groups; i++)
        free(archive->groups[i].members);
    free(archive->texts);
    free(archive->regions);
    free(archive->groups);
    free(archive->comms);
    free(archive->windows);
    free(archive->files);
    free(archive->interfaces);
    free(archive->contexts);
    free(archive->n_events);
    free(archive->program_path);
    free(archive->directory);
    hd_table_fini(&archive->region_index);
    free(archive);
}
