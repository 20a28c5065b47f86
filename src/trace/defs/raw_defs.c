#include "raw_defs.h"

#include <errno.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <string.h>

#include "archive.h"
#include "archive_property.h"
#include "chunk_check.h"
#include "memory.h"

#define RAW_PUSH(raw, name, ...) HD_PUSH((raw)->name, (raw)->n_##name, (raw)->capacity_##name, __VA_ARGS__)

uint32_t
hd_raw_defs_add_text(raw_defs *raw, const char *text)
{
    size_t at = raw->text.n;

    if (at > UINT32_MAX / 2)
        return 0;
    hd_bytes_put(&raw->text, text, strlen(text) + 1);
    return (uint32_t)at;
}

uint32_t
hd_raw_defs_text(const raw_defs *raw, uint32_t ref)
{
    uint32_t i = hd_table_get(&raw->string_index, ref);

    return i == HD_NONE ? 0 : raw->strings[i].text;
}

/* One definition per number: a second one with the same number is left out. */
static bool
is_new(hd_table *index, uint64_t ref, size_t i)
{
    if (hd_table_get(index, ref) != HD_NONE || i >= HD_NONE)
        return false;
    hd_table_add(index, ref, (uint32_t)i);
    return true;
}

static OTF2_CallbackCode
on_clock(void *user, uint64_t resolution, uint64_t offset, uint64_t length, uint64_t realtime)
{
    raw_defs *raw = user;

    (void)realtime;
    raw->resolution = resolution;
    raw->first_time = offset;
    raw->length     = length;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_string(void *user, OTF2_StringRef ref, const char *string)
{
    raw_defs *raw = user;

    if (is_new(&raw->string_index, ref, raw->n_strings))
        RAW_PUSH(raw, strings, ((raw_string){ ref, hd_raw_defs_add_text(raw, string) }));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_node(void *user, OTF2_SystemTreeNodeRef ref, OTF2_StringRef name, OTF2_StringRef node_class,
        OTF2_SystemTreeNodeRef parent)
{
    raw_defs *raw = user;

    if (is_new(&raw->node_index, ref, raw->n_nodes))
        RAW_PUSH(raw, nodes, ((raw_node){ ref, name, node_class, parent, 0 }));
    return OTF2_CALLBACK_SUCCESS;
}

/* The definition of a node stands before those that refer to it. */
static OTF2_CallbackCode
on_node_domain(void *user, OTF2_SystemTreeNodeRef node, OTF2_SystemTreeDomain domain)
{
    raw_defs *raw = user;
    uint32_t  i   = hd_table_get(&raw->node_index, node);

    if (i != HD_NONE && domain <= OTF2_SYSTEM_TREE_DOMAIN_PU)
        raw->nodes[i].domains |= 1u << domain;
    return OTF2_CALLBACK_SUCCESS;
}

static uint32_t
text_of_number(raw_defs *raw, OTF2_Type type, OTF2_AttributeValue value)
{
    char number[64] = "";

    switch (type) {
    case OTF2_TYPE_UINT8: snprintf(number, sizeof number, "%" PRIu8, value.uint8); break;
    case OTF2_TYPE_UINT16: snprintf(number, sizeof number, "%" PRIu16, value.uint16); break;
    case OTF2_TYPE_UINT32: snprintf(number, sizeof number, "%" PRIu32, value.uint32); break;
    case OTF2_TYPE_UINT64: snprintf(number, sizeof number, "%" PRIu64, value.uint64); break;
    case OTF2_TYPE_INT8: snprintf(number, sizeof number, "%" PRId8, value.int8); break;
    case OTF2_TYPE_INT16: snprintf(number, sizeof number, "%" PRId16, value.int16); break;
    case OTF2_TYPE_INT32: snprintf(number, sizeof number, "%" PRId32, value.int32); break;
    case OTF2_TYPE_INT64: snprintf(number, sizeof number, "%" PRId64, value.int64); break;
    case OTF2_TYPE_FLOAT: snprintf(number, sizeof number, "%.9g", (double)value.float32); break;
    case OTF2_TYPE_DOUBLE: snprintf(number, sizeof number, "%.17g", value.float64); break;
    default: return 0;
    }
    return hd_raw_defs_add_text(raw, number);
}

static OTF2_CallbackCode
on_node_property(void *user, OTF2_SystemTreeNodeRef node, OTF2_StringRef name, OTF2_Type type,
                 OTF2_AttributeValue value)
{
    raw_defs *raw = user;

    RAW_PUSH(raw, properties,
             ((raw_property){ .node = node, .name = name,
                              .string = type == OTF2_TYPE_STRING ? value.stringRef : HD_NONE,
                              .number = text_of_number(raw, type, value) }));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_location_group(void *user, OTF2_LocationGroupRef ref, OTF2_StringRef name, OTF2_LocationGroupType type,
                  OTF2_SystemTreeNodeRef node, OTF2_LocationGroupRef creator)
{
    raw_defs *raw = user;

    if (is_new(&raw->location_group_index, ref, raw->n_location_groups))
        RAW_PUSH(raw, location_groups, ((raw_location_group){ ref, name, node, creator, (uint8_t)type }));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_location(void *user, OTF2_LocationRef ref, OTF2_StringRef name, OTF2_LocationType type, uint64_t n_events,
            OTF2_LocationGroupRef group)
{
    raw_defs *raw = user;

    if (is_new(&raw->location_index, ref, raw->n_locations))
        RAW_PUSH(raw, locations, ((raw_location){ ref, n_events, name, group, (uint8_t)type }));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_region(void *user, OTF2_RegionRef ref, OTF2_StringRef name, OTF2_StringRef canonical, OTF2_StringRef description,
          OTF2_RegionRole role, OTF2_Paradigm paradigm, OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin,
          uint32_t end)
{
    raw_defs *raw = user;

    (void)description;
    if (is_new(&raw->region_index, ref, raw->n_regions))
        RAW_PUSH(raw, regions,
                 ((raw_region){ ref, name, canonical, file,
                                { .role = role, .paradigm = paradigm, .begin_line = begin, .end_line = end,
                                  .is_dynamic = (flags & OTF2_REGION_FLAG_DYNAMIC) != 0 } }));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_group(void *user, OTF2_GroupRef ref, OTF2_StringRef name, OTF2_GroupType type, OTF2_Paradigm paradigm,
         OTF2_GroupFlag flags, uint32_t n, const uint64_t *members)
{
    raw_defs *raw = user;
    uint64_t *copy;

    (void)name, (void)flags;
    if (type != OTF2_GROUP_TYPE_COMM_LOCATIONS && type != OTF2_GROUP_TYPE_COMM_GROUP &&
        type != OTF2_GROUP_TYPE_COMM_SELF)
        return OTF2_CALLBACK_SUCCESS;
    if (!is_new(&raw->group_index, ref, raw->n_groups))
        return OTF2_CALLBACK_SUCCESS;
    copy = hd_realloc(NULL, n, sizeof *copy);
    if (n > 0)
        memcpy(copy, members, n * sizeof *copy);
    RAW_PUSH(raw, groups, ((raw_group){ ref, n, (uint8_t)type, paradigm, copy }));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_comm(void *user, OTF2_CommRef ref, OTF2_StringRef name, OTF2_GroupRef group, OTF2_CommRef parent,
        OTF2_CommFlag flags)
{
    raw_defs *raw = user;

    (void)parent, (void)flags;
    if (is_new(&raw->comm_index, ref, raw->n_comms))
        RAW_PUSH(raw, comms, ((raw_comm){ ref, name, group, HD_NONE }));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_inter_comm(void *user, OTF2_CommRef ref, OTF2_StringRef name, OTF2_GroupRef group_a, OTF2_GroupRef group_b,
              OTF2_CommRef common, OTF2_CommFlag flags)
{
    raw_defs *raw = user;

    (void)common, (void)flags;
    if (is_new(&raw->comm_index, ref, raw->n_comms))
        RAW_PUSH(raw, comms, ((raw_comm){ ref, name, group_a, group_b }));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_window(void *user, OTF2_RmaWinRef ref, OTF2_StringRef name, OTF2_CommRef comm, OTF2_RmaWinFlag flags)
{
    raw_defs *raw = user;

    (void)flags;
    if (is_new(&raw->window_index, ref, raw->n_windows))
        RAW_PUSH(raw, windows, ((raw_window){ ref, name, comm }));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_dimension(void *user, OTF2_CartDimensionRef ref, OTF2_StringRef name, uint32_t size, OTF2_CartPeriodicity periodic)
{
    raw_defs *raw = user;

    if (is_new(&raw->dimension_index, ref, raw->n_dimensions))
        RAW_PUSH(raw, dimensions, ((raw_dimension){ ref, name, size, periodic == OTF2_CART_PERIODIC_TRUE }));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_topology(void *user, OTF2_CartTopologyRef ref, OTF2_StringRef name, OTF2_CommRef comm, uint8_t n,
            const OTF2_CartDimensionRef *dimensions)
{
    raw_defs    *raw      = user;
    raw_topology topology = { ref, name, comm, n, { 0 } };

    for (uint32_t i = 0; i < n && i < MAX_DIMENSIONS; i++)
        topology.dimensions[i] = dimensions[i];
    if (n > 0 && n <= MAX_DIMENSIONS && is_new(&raw->topology_index, ref, raw->n_topologies))
        RAW_PUSH(raw, topologies, topology);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_coordinate(void *user, OTF2_CartTopologyRef topology, uint32_t rank, uint8_t n, const uint32_t *x)
{
    raw_defs      *raw        = user;
    raw_coordinate coordinate = { topology, rank, n, { 0 } };

    for (uint32_t i = 0; i < n && i < MAX_DIMENSIONS; i++)
        coordinate.x[i] = x[i];
    if (n <= MAX_DIMENSIONS)
        RAW_PUSH(raw, coordinates, coordinate);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_place(void *user, OTF2_SourceCodeLocationRef ref, OTF2_StringRef file, uint32_t line)
{
    raw_defs *raw = user;

    if (is_new(&raw->place_index, ref, raw->n_places))
        RAW_PUSH(raw, places, ((raw_place){ ref, file, line }));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_context(void *user, OTF2_CallingContextRef ref, OTF2_RegionRef region, OTF2_SourceCodeLocationRef place,
           OTF2_CallingContextRef parent)
{
    raw_defs *raw = user;

    if (is_new(&raw->context_index, ref, raw->n_contexts))
        RAW_PUSH(raw, contexts, ((raw_context){ ref, region, place, parent }));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_sampler(void *user, OTF2_InterruptGeneratorRef ref, OTF2_StringRef name, OTF2_InterruptGeneratorMode mode,
           OTF2_Base base, int64_t exponent, uint64_t period)
{
    raw_defs *raw = user;

    (void)ref;
    RAW_PUSH(raw, samplers,
             ((raw_sampler){ name, mode == OTF2_INTERRUPT_GENERATOR_MODE_TIME, base == OTF2_BASE_DECIMAL, exponent,
                             period }));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_io_paradigm(void *user, OTF2_IoParadigmRef ref, OTF2_StringRef identification, OTF2_StringRef name,
               OTF2_IoParadigmClass paradigm_class, OTF2_IoParadigmFlag flags, uint8_t n,
               const OTF2_IoParadigmProperty *properties, const OTF2_Type *types, const OTF2_AttributeValue *values)
{
    raw_defs *raw = user;

    (void)identification, (void)paradigm_class, (void)flags, (void)n, (void)properties, (void)types, (void)values;
    if (is_new(&raw->io_paradigm_index, ref, raw->n_io_paradigms))
        RAW_PUSH(raw, io_paradigms, ((raw_io_name){ ref, name }));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_io_file(void *user, OTF2_IoFileRef ref, OTF2_StringRef name, OTF2_SystemTreeNodeRef scope)
{
    raw_defs *raw = user;

    (void)scope;
    if (is_new(&raw->io_file_index, ref, raw->n_io_files))
        RAW_PUSH(raw, io_files, ((raw_io_name){ ref, name }));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_io_handle(void *user, OTF2_IoHandleRef ref, OTF2_StringRef name, OTF2_IoFileRef file, OTF2_IoParadigmRef paradigm,
             OTF2_IoHandleFlag flags, OTF2_CommRef comm, OTF2_IoHandleRef parent)
{
    raw_defs *raw = user;

    (void)flags;
    if (is_new(&raw->io_handle_index, ref, raw->n_io_handles))
        RAW_PUSH(raw, io_handles, ((raw_io_handle){ ref, name, file, paradigm, comm, parent }));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_metric(void *user, OTF2_MetricMemberRef ref, OTF2_StringRef name, OTF2_StringRef what, OTF2_MetricType kind,
          OTF2_MetricMode mode, OTF2_Type type, OTF2_Base base, int64_t exponent, OTF2_StringRef unit)
{
    raw_defs *raw = user;

    (void)kind;
    if (is_new(&raw->metric_index, ref, raw->n_metrics))
        RAW_PUSH(raw, metrics, ((raw_metric){ ref, name, what, unit, type, mode, base == OTF2_BASE_BINARY, exponent }));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_metric_class(void *user, OTF2_MetricRef ref, uint8_t n, const OTF2_MetricMemberRef *members,
                OTF2_MetricOccurrence occurrence, OTF2_RecorderKind recorder)
{
    raw_defs *raw = user;

    (void)recorder;
    if (!is_new(&raw->metric_set_index, ref, raw->n_metric_sets))
        return OTF2_CALLBACK_SUCCESS;
    RAW_PUSH(raw, metric_sets, ((raw_metric_set){ ref, HD_NONE, (uint32_t)raw->n_metric_members, n, occurrence,
                                                  OTF2_SCOPE_LOCATION, 0 }));
    for (uint8_t i = 0; i < n; i++)
        RAW_PUSH(raw, metric_members, members[i]);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_metric_instance(void *user, OTF2_MetricRef ref, OTF2_MetricRef of, OTF2_LocationRef recorder, OTF2_MetricScope scope,
                   uint64_t scope_ref)
{
    raw_defs *raw = user;

    (void)recorder;
    if (is_new(&raw->metric_set_index, ref, raw->n_metric_sets))
        RAW_PUSH(raw, metric_sets, ((raw_metric_set){ ref, of, 0, 0, 0, scope, scope_ref }));
    return OTF2_CALLBACK_SUCCESS;
}

/* Looks the file of the definitions over, before the library reads it. */
static hd_status
check_definitions(const char *anchor, OTF2_Reader *reader)
{
    char     *path      = hd_format("%.*s.def", (int)(strlen(anchor) - 5), anchor);
    uint64_t  of_events = 0, of_definitions = 0, announced = 0, n = 0;
    hd_status status    = HD_OK;
    hd_chunks chunks;

    OTF2_Reader_GetChunkSize(reader, &of_events, &of_definitions);
    OTF2_Reader_GetNumberOfGlobalDefinitions(reader, &announced);
    if (of_events < OTF2_CHUNK_SIZE_MIN || of_events > OTF2_CHUNK_SIZE_MAX || of_definitions < OTF2_CHUNK_SIZE_MIN ||
        of_definitions > OTF2_CHUNK_SIZE_MAX) {
        status = hd_fail(HD_EFORMAT, "the anchor file \"%s\" is damaged: files have no chunks of that size", anchor);
        hd_fail_detail("chunks", "%" PRIu64 " bytes of events, %" PRIu64 " of definitions", of_events, of_definitions);
        free(path);
        return status;
    }
    if (!hd_chunks_open(&chunks, path, of_definitions, HD_CHUNK_DEFINITIONS))
        status = hd_fail(HD_EFORMAT, "cannot read the archive's definitions \"%s\": %s", path,
                         chunks.file < 0 ? strerror(errno) : "it is no regular file");
    for (uint64_t of_chunk; (of_chunk = hd_chunks_next(&chunks)) > 0;)
        n += of_chunk;
    if (status == HD_OK && (!chunks.is_whole || n < announced)) {
        status = hd_fail(HD_EFORMAT, "the archive's definitions \"%s\" are damaged: %s", path,
                         chunks.is_whole ? "some are missing" : "they cannot be read to their end");
        hd_fail_detail("there", "%" PRIu64 " of %" PRIu64 " definitions, %" PRIu64 " of %" PRIu64 " bytes", n,
                       announced, chunks.at, chunks.file_bytes);
        hd_fail_detail("try", "a copy of this file, if there is one; without definitions the events cannot be "
                       "interpreted");
    }
    hd_chunks_close(&chunks);
    free(path);
    return status;
}

hd_status
hd_raw_defs_read(const char *anchor, raw_defs *raw)
{
    hd_status                      status;
    OTF2_Reader                   *reader;
    OTF2_GlobalDefReaderCallbacks *callbacks;
    OTF2_GlobalDefReader          *definitions;
    uint64_t                       n = 0, n_locations = 0;
    uint8_t                        v[3] = { 0, 0, 0 };
    OTF2_ErrorCode                 error;

    hd_raw_defs_add_text(raw, "");
    hd_archive_keep_otf2_quiet();
    reader = hd_anchor_has_sound_list(anchor) ? OTF2_Reader_Open(anchor) : NULL;
    if (reader == NULL)
        return hd_archive_refuse(anchor);
    status = check_definitions(anchor, reader);
    if (status != HD_OK) {
        OTF2_Reader_Close(reader);
        return status;
    }
    OTF2_Reader_SetSerialCollectiveCallbacks(reader);
    callbacks = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(callbacks, on_node);
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeDomainCallback(callbacks, on_node_domain);
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodePropertyCallback(callbacks, on_node_property);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks, on_location_group);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_comm);
    OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, on_inter_comm);
    OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(callbacks, on_window);
    OTF2_GlobalDefReaderCallbacks_SetCartDimensionCallback(callbacks, on_dimension);
    OTF2_GlobalDefReaderCallbacks_SetCartTopologyCallback(callbacks, on_topology);
    OTF2_GlobalDefReaderCallbacks_SetCartCoordinateCallback(callbacks, on_coordinate);
    OTF2_GlobalDefReaderCallbacks_SetSourceCodeLocationCallback(callbacks, on_place);
    OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(callbacks, on_context);
    OTF2_GlobalDefReaderCallbacks_SetInterruptGeneratorCallback(callbacks, on_sampler);
    OTF2_GlobalDefReaderCallbacks_SetIoParadigmCallback(callbacks, on_io_paradigm);
    OTF2_GlobalDefReaderCallbacks_SetIoRegularFileCallback(callbacks, on_io_file);
    OTF2_GlobalDefReaderCallbacks_SetIoDirectoryCallback(callbacks, on_io_file);
    OTF2_GlobalDefReaderCallbacks_SetIoHandleCallback(callbacks, on_io_handle);
    OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(callbacks, on_metric);
    OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(callbacks, on_metric_class);
    OTF2_GlobalDefReaderCallbacks_SetMetricInstanceCallback(callbacks, on_metric_instance);
    definitions = OTF2_Reader_GetGlobalDefReader(reader);
    error       = definitions == NULL ? OTF2_ERROR_INVALID :
                  OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, raw);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    if (error == OTF2_SUCCESS)
        error = OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &n);
    OTF2_Reader_GetNumberOfLocations(reader, &n_locations);
    OTF2_Reader_GetVersion(reader, &v[0], &v[1], &v[2]);
    raw->version = hd_format("%u.%u.%u", v[0], v[1], v[2]);
    if (OTF2_Reader_GetCreator(reader, &raw->creator) != OTF2_SUCCESS)
        raw->creator = NULL;
    if (OTF2_Reader_GetMachineName(reader, &raw->machine) != OTF2_SUCCESS)
        raw->machine = NULL;
    if (OTF2_Reader_GetProperty(reader, HD_SHARED_PROCESSORS_PROPERTY, &raw->shared_processors) != OTF2_SUCCESS)
        raw->shared_processors = NULL;
    OTF2_Reader_Close(reader);
    if (error != OTF2_SUCCESS)
        return hd_archive_refuse(anchor);
    if (raw->n_regions + raw->n_strings >= HD_NONE - 8 - HD_DEFS_CLUSTERS)
        return hd_fail(HD_EFORMAT, "the archive \"%s\" defines more regions than can be numbered", anchor);
    if (raw->n_locations == 0)
        return hd_fail(HD_EFORMAT, "the archive \"%s\" defines no locations: there is nothing to analyse", anchor);
    if (raw->n_locations < n_locations) {
        status = hd_fail(HD_EFORMAT, "the archive's definitions are damaged: locations are missing");
        hd_fail_detail("there", "%zu of %" PRIu64 " locations that the anchor file \"%s\" announces", raw->n_locations,
                       n_locations, anchor);
        return status;
    }
    return HD_OK;
}

void
hd_raw_defs_fini(raw_defs *raw)
{
    for (size_t i = 0; i < raw->n_groups; i++)
        free(raw->groups[i].members);
    free(raw->creator);
    free(raw->machine);
    free(raw->shared_processors);
    free(raw->version);
    free(raw->text.data);
    free(raw->strings);
    free(raw->groups);
    free(raw->location_groups);
    free(raw->locations);
    free(raw->nodes);
    free(raw->properties);
    free(raw->regions);
    free(raw->comms);
    free(raw->windows);
    free(raw->dimensions);
    free(raw->topologies);
    free(raw->coordinates);
    free(raw->places);
    free(raw->contexts);
    free(raw->samplers);
    free(raw->io_paradigms);
    free(raw->io_files);
    free(raw->io_handles);
    free(raw->files);
    free(raw->file_handles);
    free(raw->file_comms);
    free(raw->metrics);
    free(raw->metric_sets);
    free(raw->metric_members);
    free(raw->counters);
    free(raw->sets);
    free(raw->set_members);
    hd_table_fini(&raw->string_index);
    hd_table_fini(&raw->region_index);
    hd_table_fini(&raw->location_index);
    hd_table_fini(&raw->location_group_index);
    hd_table_fini(&raw->group_index);
    hd_table_fini(&raw->node_index);
    hd_table_fini(&raw->comm_index);
    hd_table_fini(&raw->window_index);
    hd_table_fini(&raw->topology_index);
    hd_table_fini(&raw->dimension_index);
    hd_table_fini(&raw->place_index);
    hd_table_fini(&raw->context_index);
    hd_table_fini(&raw->io_paradigm_index);
    hd_table_fini(&raw->io_file_index);
    hd_table_fini(&raw->io_handle_index);
    hd_table_fini(&raw->metric_index);
    hd_table_fini(&raw->metric_set_index);
}
