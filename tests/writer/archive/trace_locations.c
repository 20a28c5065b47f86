/* tests/writer/archive/trace_locations.c: locations, their clocks, and their local definitions. */
#include <math.h>
#include <string.h>

#include "memory.h"
#include "trace_writer_parts.h"

uint64_t
tw_clock_correct(const tw_clock_offset *clock, uint32_t n, uint64_t raw)
{
    const tw_clock_offset *from, *to;
    uint32_t               i = 0;
    double                 slope;

    if (n < 2)
        return raw;
    while (i + 2 < n && (int64_t)raw > (int64_t)clock[i + 1].time)
        i++;
    from  = &clock[i];
    to    = &clock[i + 1];
    slope = (double)(to->offset - from->offset) / (double)(to->time - from->time);
    return raw + (uint64_t)(from->offset + (int64_t)rint(slope * (double)(int64_t)(raw - from->time)));
}

/* The offset changes slowly, so the one of the record before leads near it. */
uint64_t
tw_raw_time(tw_location *location, hd_time time)
{
    const tw_clock_offset *clock = location->clock;
    uint32_t               n     = location->n_clock;
    uint64_t               raw;

    if (n < 2) {
        location->last_raw = time;
        return time;
    }
    raw = time - (uint64_t)location->last_offset;
    for (int i = 0; i < 4; i++)
        raw += time - tw_clock_correct(clock, n, raw);
    while (tw_clock_correct(clock, n, raw) > time)
        raw--;
    while (tw_clock_correct(clock, n, raw) < time)
        raw++;
    if ((int64_t)raw < (int64_t)location->last_raw)
        raw = location->last_raw;
    location->last_offset = (int64_t)(time - raw);
    location->last_raw    = raw;
    return raw;
}

uint32_t
tw_local_number(uint32_t global, uint32_t n, uint32_t process)
{
    return (n - 1 - global + process) % n;
}

static void
mapping_write(OTF2_DefWriter *writer, OTF2_MappingType type, uint32_t n, uint32_t process)
{
    uint32_t   *to_global = HD_NEW_ARRAY(uint32_t, n);
    OTF2_IdMap *map;

    for (uint32_t i = 0; i < n; i++)
        to_global[tw_local_number(i, n, process)] = i;
    map = OTF2_IdMap_CreateFromUint32Array(n, to_global, false);
    tw_check_not_null(map, "mapping table");
    tw_check(OTF2_DefWriter_WriteMappingTable(writer, type, map), "mapping table");
    OTF2_IdMap_Free(map);
    free(to_global);
}

static void
clock_write(OTF2_DefWriter *writer, uint64_t time, int64_t offset)
{
    tw_check(OTF2_DefWriter_WriteClockOffset(writer, time, offset, 0.0), "clock offset");
}

static void
definitions_write(tw_location *location)
{
    tw_archive     *archive = location->archive;
    OTF2_DefWriter *writer  = OTF2_Archive_GetDefWriter(archive->part, location->ref);

    tw_check_not_null(writer, "local definitions");
    if (archive->options.with_mappings) {
        mapping_write(writer, OTF2_MAPPING_REGION, (uint32_t)archive->n_regions, location->process);
        mapping_write(writer, OTF2_MAPPING_COMM, (uint32_t)archive->n_comms, location->process);
        if (archive->n_windows > 0) {
            mapping_write(writer, OTF2_MAPPING_GROUP, (uint32_t)archive->n_groups, location->process);
            mapping_write(writer, OTF2_MAPPING_RMA_WIN, (uint32_t)archive->n_windows, location->process);
        }
    }
    for (uint32_t i = 0; i < location->n_clock; i++)
        clock_write(writer, location->clock[i].time + archive->options.first_time, location->clock[i].offset);
    if (location->n_clock == 0) {
        clock_write(writer, archive->options.first_time, 0);
        clock_write(writer, archive->options.first_time + archive->last + 1, 0);
    }
    tw_check(OTF2_Archive_CloseDefWriter(archive->part, writer), "local definitions");
}

tw_location *
tw_location_open(tw_archive *archive, uint32_t process, uint32_t thread, const tw_clock_offset *clock, uint32_t n_clock)
{
    tw_location *location = HD_NEW(tw_location);

    if (archive->open != NULL)
        tw_fail("another location is still open");
    if (process >= archive->options.n_processes || thread >= tw_locations_of_process(&archive->options))
        tw_fail("a location that is not there");
    location->archive = archive;
    location->process = process;
    location->thread  = thread;
    location->end     = UINT64_MAX;
    location->ref     = tw_location_ref(process, thread);
    location->n_clock = clock == NULL ? 0 : n_clock;
    location->last_raw = (uint64_t)INT64_MIN; /* raw times may lie before tick 0: they are differences of two's
                                               * complement */
    if (location->n_clock > 0) {
        tw_clock_offset *copy = HD_NEW_ARRAY(tw_clock_offset, n_clock);

        memcpy(copy, clock, n_clock * sizeof *clock);
        location->clock       = copy;
        location->last_offset = clock[0].offset;
    }
    tw_part_for_next(archive);
    location->writer = OTF2_Archive_GetEvtWriter(archive->part, location->ref);
    tw_check_not_null(location->writer, "event file");
    archive->open          = location;
    archive->has_locations = true;
    return location;
}

void
tw_location_cut(tw_location *location, hd_time last)
{
    location->end = last;
}

void
tw_location_close(tw_location *location)
{
    tw_archive *archive = location->archive;

    archive->n_events[(size_t)location->process * tw_locations_of_process(&archive->options) + location->thread] =
        location->n_events;
    tw_check(OTF2_Archive_CloseEvtWriter(archive->part, location->writer), "event file");
    if (location->n_clock > 0 || archive->options.with_mappings || !archive->options.without_definitions)
        definitions_write(location);
    archive->open = NULL;
    free((void *)(uintptr_t)location->clock);
    free(location);
}

uint64_t
tw_location_n_events(const tw_location *location)
{
    return location->n_events;
}
