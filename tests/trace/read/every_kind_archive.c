#include "every_kind_archive.h"

#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>

#include "event_records.h"

enum { N_LOCATIONS = 3, FIRST_TIME = 1000000, N_ARGUMENTS = 5, N_METRICS = 3, N_OFFSETS = 4, CHUNK = 256 * 1024 };

typedef struct source {
    uint64_t state;
} source;

static uint64_t
next(source *s)
{
    s->state = s->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (s->state >> 33) ^ (s->state << 31);
}

/* Each number of bytes is as likely; all bits are set now and then. */
static uint64_t
any(source *s)
{
    uint64_t bits = next(s) % 66;

    return bits == 65 ? UINT64_MAX : bits == 0 ? 0 : next(s) >> (64 - (bits > 64 ? 64 : bits));
}

static void
must(OTF2_ErrorCode error)
{
    if (error != OTF2_SUCCESS) {
        fprintf(stderr, "every_kind_archive: %s\n", OTF2_Error_GetDescription(error));
        exit(1);
    }
}

/* Numbers of small definitions: as the tables have them, and some that they do not have. */
static uint64_t
any_number(source *s)
{
    return next(s) % 4 == 0 ? any(s) : next(s) % 3000;
}

#define ANY_uint8_t(s) (uint8_t)any(s)
#define ANY_uint32_t(s) (uint32_t)any(s)
#define ANY_uint64_t(s) any(s)
#define ANY_int64_t(s) (int64_t)any(s)
#define ANY_OTF2_TimeStamp(s) (FIRST_TIME + next(s) % 100000)
#define ANY_OTF2_MeasurementMode(s) (uint8_t)any(s)
#define ANY_OTF2_CollectiveOp(s) (uint8_t)any(s)
#define ANY_OTF2_LockType(s) (uint8_t)any(s)
#define ANY_OTF2_RmaSyncType(s) (uint8_t)any(s)
#define ANY_OTF2_RmaAtomicType(s) (uint8_t)any(s)
#define ANY_OTF2_Paradigm(s) (uint8_t)any(s)
#define ANY_OTF2_IoAccessMode(s) (uint8_t)any(s)
#define ANY_OTF2_IoSeekOption(s) (uint8_t)any(s)
#define ANY_OTF2_IoOperationMode(s) (uint8_t)any(s)
#define ANY_OTF2_IoParadigmRef(s) (uint8_t)any(s)
#define ANY_OTF2_RmaSyncLevel(s) (uint32_t)any(s)
#define ANY_OTF2_IoCreationFlag(s) (uint32_t)any(s)
#define ANY_OTF2_IoStatusFlag(s) (uint32_t)any(s)
#define ANY_OTF2_IoOperationFlag(s) (uint32_t)any(s)
#define ANY_OTF2_StringRef(s) (uint32_t)any_number(s)
#define ANY_OTF2_RegionRef(s) (uint32_t)any_number(s)
#define ANY_OTF2_GroupRef(s) (uint32_t)any_number(s)
#define ANY_OTF2_MetricRef(s) (uint32_t)any_number(s)
#define ANY_OTF2_CommRef(s) (uint32_t)any_number(s)
#define ANY_OTF2_ParameterRef(s) (uint32_t)any_number(s)
#define ANY_OTF2_RmaWinRef(s) (uint32_t)any_number(s)
#define ANY_OTF2_CallingContextRef(s) (uint32_t)any_number(s)
#define ANY_OTF2_InterruptGeneratorRef(s) (uint32_t)any_number(s)
#define ANY_OTF2_IoFileRef(s) (uint32_t)any_number(s)
#define ANY_OTF2_IoHandleRef(s) (uint32_t)any_number(s)
#define ANY_ARGUMENT(type, name) , ANY_##type(s)

static void
add_attributes(source *s, OTF2_AttributeList *list)
{
    uint64_t n = next(s) % 4;

    for (uint64_t i = 0; i < n; i++) {
        OTF2_AttributeValue value = { .uint64 = any(s) };

        must(OTF2_AttributeList_AddAttribute(list, (uint32_t)(100 * i + next(s) % 100),
                                             (OTF2_Type)(1 + next(s) % (OTF2_TYPE_IO_HANDLE + 1)), value));
    }
}

static void
write_metric(OTF2_EvtWriter *writer, source *s, OTF2_AttributeList *list, OTF2_TimeStamp time)
{
    static const OTF2_Type types[N_METRICS] = { OTF2_TYPE_UINT64, OTF2_TYPE_INT64, OTF2_TYPE_DOUBLE };
    OTF2_MetricValue       values[N_METRICS];

    for (int i = 0; i < N_METRICS; i++)
        values[i].unsigned_int = any(s);
    must(OTF2_EvtWriter_Metric(writer, list, time, (uint32_t)any_number(s), (uint8_t)(next(s) % (N_METRICS + 1)), types,
                               values));
}

static void
write_program(OTF2_EvtWriter *writer, source *s, OTF2_AttributeList *list, OTF2_TimeStamp time)
{
    OTF2_StringRef arguments[N_ARGUMENTS];

    for (int i = 0; i < N_ARGUMENTS; i++)
        arguments[i] = (uint32_t)any_number(s);
    must(OTF2_EvtWriter_ProgramBegin(writer, list, time, (uint32_t)any_number(s),
                                     (uint32_t)(next(s) % (N_ARGUMENTS + 1)), arguments));
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* old archives may have such records */
static void
write_record(OTF2_EvtWriter *writer, source *s, OTF2_AttributeList *list, uint8_t number, OTF2_TimeStamp time)
{
    switch (number) {
#define WRITE(kind_number, kind) \
    case kind_number: \
        must(OTF2_EvtWriter_##kind(writer, list, time HD_EVENT_##kind(ANY_ARGUMENT))); \
        break;
        HD_EVENT_REGIONS(WRITE)
        HD_EVENT_NUMBERS(WRITE)
        HD_EVENT_FIELDS(WRITE)
    case 31:
        write_metric(writer, s, list, time);
        break;
    default:
        write_program(writer, s, list, time);
    }
}
#pragma GCC diagnostic pop

/* Tables of all kinds of numbers: every other one dense, and sparse with large numbers. */
static void
write_mappings(OTF2_DefWriter *definitions, source *s)
{
    for (int type = 0; type < OTF2_MAPPING_MAX; type++) {
        OTF2_IdMap *map = OTF2_IdMap_Create(type % 2 == 0 ? OTF2_ID_MAP_DENSE : OTF2_ID_MAP_SPARSE, 2000);

        for (uint64_t i = 0; i < 2000; i++)
            must(OTF2_IdMap_AddIdPair(map, type % 2 == 0 ? i : i < 1000 ? 2 * i + 1000 : i * i * i, next(s) % 100000));
        must(OTF2_DefWriter_WriteMappingTable(definitions, (OTF2_MappingType)type, map));
        OTF2_IdMap_Free(map);
    }
}

static void
write_offsets(OTF2_DefWriter *definitions, source *s, uint64_t length)
{
    for (uint64_t i = 0; i < N_OFFSETS; i++)
        must(OTF2_DefWriter_WriteClockOffset(definitions, FIRST_TIME + length / 8 + i * (length / N_OFFSETS),
                                             (int64_t)(next(s) % 5000), 0.5));
}

static void
write_location(OTF2_Archive *archive, uint64_t location, uint64_t n_records, source *s)
{
    static const uint8_t numbers[] = {
#define NUMBER(number, kind) number,
        HD_EVENT_KINDS(NUMBER)
    };
    OTF2_EvtWriter     *events      = OTF2_Archive_GetEvtWriter(archive, location);
    OTF2_DefWriter     *definitions = OTF2_Archive_GetDefWriter(archive, location);
    OTF2_AttributeList *list        = OTF2_AttributeList_New();
    OTF2_TimeStamp      time        = FIRST_TIME;

    if (location == 0)
        write_mappings(definitions, s);
    else if (location == 1)
        write_offsets(definitions, s, n_records * 5);
    for (uint64_t i = 0; i < n_records; i++) {
        time += next(s) % 2 * (next(s) % 20);
        if (next(s) % 8 == 0)
            add_attributes(s, list);
        write_record(events, s, list, numbers[i % sizeof numbers], time);
    }
    OTF2_AttributeList_Delete(list);
    must(OTF2_Archive_CloseEvtWriter(archive, events));
    must(OTF2_Archive_CloseDefWriter(archive, definitions));
}

static void
write_definitions(OTF2_Archive *archive, uint64_t n_records)
{
    OTF2_GlobalDefWriter *w = OTF2_Archive_GetGlobalDefWriter(archive);

    must(OTF2_GlobalDefWriter_WriteClockProperties(w, 1000000000, FIRST_TIME, n_records * 100, 0));
    must(OTF2_GlobalDefWriter_WriteString(w, 0, "node"));
    must(OTF2_GlobalDefWriter_WriteSystemTreeNode(w, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    must(OTF2_GlobalDefWriter_WriteLocationGroup(w, 0, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                 OTF2_UNDEFINED_LOCATION_GROUP));
    for (uint64_t i = 0; i < N_LOCATIONS; i++)
        must(OTF2_GlobalDefWriter_WriteLocation(w, i, 0, OTF2_LOCATION_TYPE_CPU_THREAD, n_records, 0));
}

static OTF2_FlushType
before_flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    (void)data, (void)type, (void)location, (void)caller, (void)final;
    return OTF2_FLUSH;
}

void
every_kind_write(const char *folder, uint64_t n_records, uint64_t seed)
{
    static const OTF2_FlushCallbacks flush = { .otf2_pre_flush = before_flush, .otf2_post_flush = NULL };
    source                           s     = { seed };
    OTF2_Archive *archive = OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, CHUNK, CHUNK, OTF2_SUBSTRATE_POSIX,
                                              OTF2_COMPRESSION_NONE);

    if (archive == NULL)
        must(OTF2_ERROR_INVALID);
    must(OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL));
    must(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
    must(OTF2_Archive_OpenEvtFiles(archive));
    must(OTF2_Archive_OpenDefFiles(archive));
    for (uint64_t i = 0; i < N_LOCATIONS; i++)
        write_location(archive, i, n_records, &s);
    must(OTF2_Archive_CloseDefFiles(archive));
    must(OTF2_Archive_CloseEvtFiles(archive));
    write_definitions(archive, n_records);
    must(OTF2_Archive_Close(archive));
}
