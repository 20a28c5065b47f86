/* tests/writer/archive/archive_part.c: archives of many locations. libotf2 compares each location with all that its
 * handle has, so the time for n of them grows with n * n. Here a handle has at most LOCATIONS of them; the next ones
 * are of another handle of the same archive, which takes itself for the second of two processes that write together:
 * it writes the files of its locations and leaves all else to the first. */
#include <string.h>

#include "trace_writer_parts.h"

enum { LOCATIONS = 16384 };

static OTF2_CallbackCode
get_size(void *data, OTF2_CollectiveContext *comm, uint32_t *size)
{
    (void)data;
    *size = comm == NULL ? 1 : 2;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
get_rank(void *data, OTF2_CollectiveContext *comm, uint32_t *rank)
{
    (void)data;
    *rank = comm == NULL ? 0 : 1;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
barrier(void *data, OTF2_CollectiveContext *comm)
{
    (void)data;
    (void)comm;
    return OTF2_CALLBACK_SUCCESS;
}

/* What the first one says is always that all went well. */
static OTF2_CallbackCode
bcast(void *data, OTF2_CollectiveContext *comm, void *values, uint32_t n, OTF2_Type type, uint32_t root)
{
    (void)data;
    (void)comm;
    (void)root;
    memset(values, 0, (size_t)n * (type == OTF2_TYPE_UINT8 ? 1 : type == OTF2_TYPE_UINT32 ? 4 : 8));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
gather(void *data, OTF2_CollectiveContext *comm, const void *in, void *out, uint32_t n, OTF2_Type type, uint32_t root)
{
    (void)data, (void)comm, (void)in, (void)out, (void)n, (void)type, (void)root;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
gatherv(void *data, OTF2_CollectiveContext *comm, const void *in, uint32_t n, void *out, const uint32_t *counts,
        OTF2_Type type, uint32_t root)
{
    (void)data, (void)comm, (void)in, (void)n, (void)out, (void)counts, (void)type, (void)root;
    return OTF2_CALLBACK_SUCCESS;
}

/* As of bcast(): all went well. */
static OTF2_CallbackCode
scatter(void *data, OTF2_CollectiveContext *comm, const void *in, void *out, uint32_t n, OTF2_Type type, uint32_t root)
{
    (void)in;
    return bcast(data, comm, out, n, type, root);
}

static OTF2_CallbackCode
scatterv(void *data, OTF2_CollectiveContext *comm, const void *in, const uint32_t *counts, void *out, uint32_t n,
         OTF2_Type type, uint32_t root)
{
    (void)in, (void)counts;
    return bcast(data, comm, out, n, type, root);
}

static const OTF2_CollectiveCallbacks second = {
    .otf2_get_size = get_size, .otf2_get_rank = get_rank, .otf2_barrier = barrier, .otf2_bcast = bcast,
    .otf2_gather = gather, .otf2_gatherv = gatherv, .otf2_scatter = scatter, .otf2_scatterv = scatterv,
};

void
tw_part_close(tw_archive *archive)
{
    if (archive->part == archive->otf2)
        return;
    tw_check(OTF2_Archive_CloseEvtFiles(archive->part), "event files");
    tw_check(OTF2_Archive_CloseDefFiles(archive->part), "definition files");
    tw_check(OTF2_Archive_Close(archive->part), "archive");
    archive->part = archive->otf2;
}

void
tw_part_for_next(tw_archive *archive)
{
    static char second_of_two;

    if (archive->n_of_part++ < LOCATIONS)
        return;
    tw_part_close(archive);
    archive->n_of_part = 1;
    archive->part      = tw_otf2_open(archive);
    tw_check(OTF2_Archive_SetCollectiveCallbacks(archive->part, &second, NULL,
                                                 (OTF2_CollectiveContext *)&second_of_two, NULL),
             "collective callbacks");
    tw_check(OTF2_Archive_OpenEvtFiles(archive->part), "event files");
    tw_check(OTF2_Archive_OpenDefFiles(archive->part), "definition files");
}
