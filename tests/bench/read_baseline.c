/* tests/bench/read_baseline.c: the baseline of ./dev bench, the least that reading an archive takes: libotf2, one
 * thread, callbacks that do nothing for all records of MPI, OpenMP and the program (those of files are read, but not
 * delivered).
 *
 * usage: read_baseline ARCHIVE.otf2      prints locations, events and seconds
 */
#include <inttypes.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct locations {
    uint64_t *refs;
    size_t    n, capacity;
} locations;

static OTF2_CallbackCode
on_location(void *user, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type, uint64_t n_events,
            OTF2_LocationGroupRef group)
{
    locations *all = user;

    (void)name, (void)type, (void)n_events, (void)group;
    if (all->n == all->capacity) {
        all->capacity = all->capacity * 2 + 64;
        all->refs     = realloc(all->refs, all->capacity * sizeof *all->refs);
        if (all->refs == NULL)
            abort();
    }
    all->refs[all->n++] = self;
    return OTF2_CALLBACK_SUCCESS;
}

#define HEAD OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,                            \
    OTF2_AttributeList *attributes
#define NOTHING                                                                                              \
    (void)location, (void)time, (void)position, (void)user, (void)attributes;                                \
    return OTF2_CALLBACK_SUCCESS;

static OTF2_CallbackCode
on_region(HEAD, OTF2_RegionRef region)
{
    (void)region;
    NOTHING
}

static OTF2_CallbackCode
on_message(HEAD, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
    (void)peer, (void)comm, (void)tag, (void)bytes;
    NOTHING
}

static OTF2_CallbackCode
on_request_message(HEAD, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request)
{
    (void)peer, (void)comm, (void)tag, (void)bytes, (void)request;
    NOTHING
}

static OTF2_CallbackCode
on_request(HEAD, uint64_t request)
{
    (void)request;
    NOTHING
}

static OTF2_CallbackCode
on_collective_begin(HEAD)
{
    NOTHING
}

static OTF2_CallbackCode
on_collective_end(HEAD, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received)
{
    (void)op, (void)comm, (void)root, (void)sent, (void)received;
    NOTHING
}

static OTF2_CallbackCode
on_nbc_complete(HEAD, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received,
                uint64_t request)
{
    (void)op, (void)comm, (void)root, (void)sent, (void)received, (void)request;
    NOTHING
}

static OTF2_CallbackCode
on_program_begin(HEAD, OTF2_StringRef program, uint32_t n, const OTF2_StringRef *arguments)
{
    (void)program, (void)n, (void)arguments;
    NOTHING
}

static OTF2_CallbackCode
on_program_end(HEAD, int64_t status)
{
    (void)status;
    NOTHING
}

static OTF2_CallbackCode
on_fork(HEAD, OTF2_Paradigm paradigm, uint32_t n_threads)
{
    (void)paradigm, (void)n_threads;
    NOTHING
}

static OTF2_CallbackCode
on_join(HEAD, OTF2_Paradigm paradigm)
{
    (void)paradigm;
    NOTHING
}

static OTF2_CallbackCode
on_task(HEAD, OTF2_CommRef team, uint32_t thread, uint32_t generation)
{
    (void)team, (void)thread, (void)generation;
    NOTHING
}

static OTF2_CallbackCode
on_lock(HEAD, OTF2_Paradigm paradigm, uint32_t lock, uint32_t order)
{
    (void)paradigm, (void)lock, (void)order;
    NOTHING
}

static OTF2_CallbackCode
on_rma_collective_end(HEAD, OTF2_CollectiveOp op, OTF2_RmaSyncLevel level, OTF2_RmaWinRef window, uint32_t root,
                      uint64_t sent, uint64_t received)
{
    (void)op, (void)level, (void)window, (void)root, (void)sent, (void)received;
    NOTHING
}

static OTF2_CallbackCode
on_rma_group(HEAD, OTF2_RmaSyncLevel level, OTF2_RmaWinRef window, OTF2_GroupRef group)
{
    (void)level, (void)window, (void)group;
    NOTHING
}

static OTF2_CallbackCode
on_rma_lock(HEAD, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock, OTF2_LockType type)
{
    (void)window, (void)remote, (void)lock, (void)type;
    NOTHING
}

static OTF2_CallbackCode
on_rma_unlock(HEAD, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock)
{
    (void)window, (void)remote, (void)lock;
    NOTHING
}

static OTF2_CallbackCode
on_rma_access(HEAD, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t matching)
{
    (void)window, (void)remote, (void)bytes, (void)matching;
    NOTHING
}

static OTF2_CallbackCode
on_rma_atomic(HEAD, OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaAtomicType type, uint64_t sent, uint64_t received,
              uint64_t matching)
{
    (void)window, (void)remote, (void)type, (void)sent, (void)received, (void)matching;
    NOTHING
}

static OTF2_CallbackCode
on_rma_completion(HEAD, OTF2_RmaWinRef window, uint64_t matching)
{
    (void)window, (void)matching;
    NOTHING
}

static OTF2_EvtReaderCallbacks *
event_callbacks(void)
{
    OTF2_EvtReaderCallbacks *c = OTF2_EvtReaderCallbacks_New();

    OTF2_EvtReaderCallbacks_SetEnterCallback(c, on_region);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(c, on_region);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(c, on_message);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(c, on_message);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(c, on_request_message);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(c, on_request_message);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(c, on_request);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(c, on_request);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(c, on_collective_begin);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(c, on_collective_end);
    OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback(c, on_request);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(c, on_request);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(c, on_request);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(c, on_nbc_complete);
    OTF2_EvtReaderCallbacks_SetRmaWinCreateCallback(c, on_region);
    OTF2_EvtReaderCallbacks_SetRmaWinDestroyCallback(c, on_region);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveBeginCallback(c, on_collective_begin);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(c, on_rma_collective_end);
    OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback(c, on_rma_group);
    OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback(c, on_rma_lock);
    OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(c, on_rma_unlock);
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(c, on_rma_access);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(c, on_rma_access);
    OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(c, on_rma_atomic);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(c, on_rma_completion);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(c, on_rma_completion);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteRemoteCallback(c, on_rma_completion);
    OTF2_EvtReaderCallbacks_SetCommCreateCallback(c, on_region);
    OTF2_EvtReaderCallbacks_SetCommDestroyCallback(c, on_region);
    OTF2_EvtReaderCallbacks_SetProgramBeginCallback(c, on_program_begin);
    OTF2_EvtReaderCallbacks_SetProgramEndCallback(c, on_program_end);
    OTF2_EvtReaderCallbacks_SetBufferFlushCallback(c, on_request);
    OTF2_EvtReaderCallbacks_SetThreadForkCallback(c, on_fork);
    OTF2_EvtReaderCallbacks_SetThreadJoinCallback(c, on_join);
    OTF2_EvtReaderCallbacks_SetThreadTeamBeginCallback(c, on_region);
    OTF2_EvtReaderCallbacks_SetThreadTeamEndCallback(c, on_region);
    OTF2_EvtReaderCallbacks_SetThreadAcquireLockCallback(c, on_lock);
    OTF2_EvtReaderCallbacks_SetThreadReleaseLockCallback(c, on_lock);
    OTF2_EvtReaderCallbacks_SetThreadTaskCreateCallback(c, on_task);
    OTF2_EvtReaderCallbacks_SetThreadTaskSwitchCallback(c, on_task);
    OTF2_EvtReaderCallbacks_SetThreadTaskCompleteCallback(c, on_task);
    return c;
}

static void
must(OTF2_ErrorCode code, const char *what)
{
    if (code == OTF2_SUCCESS)
        return;
    fprintf(stderr, "read_baseline: %s: %s\n", what, OTF2_Error_GetDescription(code));
    exit(1);
}

static void
read_definitions(OTF2_Reader *reader, locations *all)
{
    OTF2_GlobalDefReader          *definitions = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_GlobalDefReaderCallbacks *callbacks   = OTF2_GlobalDefReaderCallbacks_New();
    uint64_t                       n;

    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
    must(OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, all), "definitions");
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    must(OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &n), "definitions");
}

/* Mapping tables and clock offsets too: events are delivered translated. To open a reader costs more than to read the
 * file, so locations without one are passed over. */
static void
read_local_definitions(OTF2_Reader *reader, const char *anchor, uint64_t location)
{
    OTF2_DefReader *definitions;
    uint64_t        n;
    char            path[4096];

    snprintf(path, sizeof path, "%.*s/%" PRIu64 ".def", (int)(strlen(anchor) - strlen(".otf2")), anchor, location);
    if (access(path, R_OK) != 0)
        return;
    definitions = OTF2_Reader_GetDefReader(reader, location);

    if (definitions == NULL)
        return;
    must(OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &n), "local definitions");
    OTF2_Reader_CloseDefReader(reader, definitions);
}

static uint64_t
read_events(OTF2_Reader *reader, uint64_t location, const OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(reader, location);
    uint64_t        n      = 0;

    must(OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, NULL), "events");
    must(OTF2_Reader_ReadAllLocalEvents(reader, events, &n), "events");
    must(OTF2_Reader_CloseEvtReader(reader, events), "events");
    return n;
}

static double
now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int
main(int argc, char **argv)
{
    double                   start = now();
    OTF2_Reader             *reader;
    OTF2_EvtReaderCallbacks *callbacks = event_callbacks();
    locations                all       = { 0 };
    uint64_t                 n_events  = 0;

    if (argc != 2 || strlen(argv[1]) <= strlen(".otf2")) {
        fprintf(stderr, "usage: read_baseline ARCHIVE.otf2\n");
        return 2;
    }
    reader = OTF2_Reader_Open(argv[1]);
    if (reader == NULL)
        return 1;
    must(OTF2_Reader_SetSerialCollectiveCallbacks(reader), "archive");
    read_definitions(reader, &all);
    for (size_t i = 0; i < all.n; i++)
        must(OTF2_Reader_SelectLocation(reader, all.refs[i]), "location");
    must(OTF2_Reader_OpenEvtFiles(reader), "event files");
    if (OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS) {
        for (size_t i = 0; i < all.n; i++)
            read_local_definitions(reader, argv[1], all.refs[i]);
        OTF2_Reader_CloseDefFiles(reader);
    }
    for (size_t i = 0; i < all.n; i++)
        n_events += read_events(reader, all.refs[i], callbacks);
    OTF2_Reader_CloseEvtFiles(reader);
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    OTF2_Reader_Close(reader);
    printf("locations %zu\nevents %" PRIu64 "\nseconds %.6f\n", all.n, n_events, now() - start);
    free(all.refs);
    return 0;
}
