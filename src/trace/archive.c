#include "archive.h"

#include <dirent.h>
#include <otf2/otf2.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes.h"
#include "memory.h"
#include "region_class.h"
#include "table.h"

/* The definitions as they come, numbers of the archive still in them; grows with: the definitions. */

typedef struct raw_string {
    uint32_t ref, text;
} raw_string;

typedef struct raw_group {
    uint32_t  ref, n;
    uint8_t   type, paradigm;
    uint64_t *members;
} raw_group;

typedef struct raw_location_group {
    uint32_t ref, name, node, creator;
    uint8_t  type;
} raw_location_group;

typedef struct raw_location {
    uint64_t ref, n_events;
    uint32_t name, group;
    uint8_t  type;
} raw_location;

typedef struct raw_node {
    uint32_t ref, name, node_class, parent;
} raw_node;

typedef struct raw_region {
    uint32_t  ref, name, canonical, file;
    hd_region region;
} raw_region;

typedef struct raw_comm {
    uint32_t ref, name, group_a, group_b;
} raw_comm;

typedef struct raw_dimension {
    uint32_t ref, name, size, periodic;
} raw_dimension;

typedef struct raw_topology {
    uint32_t ref, name, comm, n_dimensions;
    uint32_t dimensions[256];
} raw_topology;

typedef struct raw_coordinate {
    uint32_t topology, rank, n;
    uint32_t x[16]; /* topologies of more dimensions are left out */
} raw_coordinate;

#define RAW_LIST(type, name)                                                                                                     \
    type  *name;                                                                                                                 \
    size_t n_##name, capacity_##name
#define RAW_PUSH(raw, name, ...) HD_PUSH((raw)->name, (raw)->n_##name, (raw)->capacity_##name, __VA_ARGS__)

typedef struct raw_defs {
    uint64_t resolution, first_time, length;
    hd_bytes text;
    RAW_LIST(raw_string, strings);
    RAW_LIST(raw_group, groups);
    RAW_LIST(raw_location_group, location_groups);
    RAW_LIST(raw_location, locations);
    RAW_LIST(raw_node, nodes);
    RAW_LIST(raw_region, regions);
    RAW_LIST(raw_comm, comms);
    RAW_LIST(raw_dimension, dimensions);
    RAW_LIST(raw_topology, topologies);
    RAW_LIST(raw_coordinate, coordinates);
    hd_table string_index, region_index, location_index, location_group_index, group_index, node_index, comm_index;
} raw_defs;

hd_status
hd_archive_find(const char *path, char **anchor)
{
    struct stat status;
    char       *found;
    size_t      length;

    if (stat(path, &status) != 0) {
        hd_fail(HD_EOPEN, "cannot find the archive \"%s\"", path);
        hd_fail_detail("try", "the path of the anchor file that Score-P wrote, usually scorep-*/traces.otf2");
        return HD_EOPEN;
    }
    found  = S_ISDIR(status.st_mode) ? hd_format("%s/traces.otf2", path) : hd_strdup(path);
    length = strlen(found);
    if (length < 6 || strcmp(found + length - 5, ".otf2") != 0) {
        hd_fail(HD_EFORMAT, "\"%s\" is not the anchor file of an OTF2 archive", path);
        hd_fail_detail("try", "the file that ends in .otf2");
        free(found);
        return HD_EFORMAT;
    }
    if (access(found, R_OK) != 0) {
        hd_fail(HD_EOPEN, "cannot read the archive's anchor file \"%s\"", found);
        hd_fail_detail("reason", "%m");
        free(found);
        return HD_EOPEN;
    }
    *anchor = found;
    return HD_OK;
}

static char *
archive_folder(const char *anchor)
{
    return hd_format("%.*s", (int)(strlen(anchor) - 5), anchor); /* without ".otf2" */
}

char *
hd_archive_file(const char *anchor, uint64_t location_ref, const char *suffix)
{
    return hd_format("%.*s/%" PRIu64 ".%s", (int)(strlen(anchor) - 5), anchor, location_ref, suffix);
}

static uint64_t
file_bytes(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
}

static uint64_t
archive_bytes(const char *anchor)
{
    char    *folder = archive_folder(anchor), *defs = hd_format("%s.def", folder);
    uint64_t bytes     = file_bytes(anchor) + file_bytes(defs);
    DIR     *directory = opendir(folder);

    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        char *path = hd_format("%s/%s", folder, entry->d_name);

        bytes += file_bytes(path);
        free(path);
    }
    if (directory != NULL)
        closedir(directory);
    free(folder);
    free(defs);
    return bytes;
}

/* Text of the archive's string number ref, 0 ("") if there is none. */
static uint32_t
text_of(const raw_defs *raw, uint32_t ref)
{
    uint32_t i = hd_table_get(&raw->string_index, ref);

    return i == HD_NONE ? 0 : raw->strings[i].text;
}

static uint32_t
add_text(raw_defs *raw, const char *text)
{
    size_t at = raw->text.n;

    if (at > UINT32_MAX / 2)
        return 0;
    hd_bytes_put(&raw->text, text, strlen(text) + 1);
    return (uint32_t)at;
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
        RAW_PUSH(raw, strings, ((raw_string){ ref, add_text(raw, string) }));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_node(void *user, OTF2_SystemTreeNodeRef ref, OTF2_StringRef name, OTF2_StringRef node_class, OTF2_SystemTreeNodeRef parent)
{
    raw_defs *raw = user;

    if (is_new(&raw->node_index, ref, raw->n_nodes))
        RAW_PUSH(raw, nodes, ((raw_node){ ref, name, node_class, parent }));
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
          OTF2_RegionRole role, OTF2_Paradigm paradigm, OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin, uint32_t end)
{
    raw_defs *raw = user;

    (void)description, (void)flags;
    if (is_new(&raw->region_index, ref, raw->n_regions))
        RAW_PUSH(raw, regions,
                 ((raw_region){ ref, name, canonical, file,
                                { .role = role, .paradigm = paradigm, .begin_line = begin, .end_line = end } }));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_group(void *user, OTF2_GroupRef ref, OTF2_StringRef name, OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags,
         uint32_t n, const uint64_t *members)
{
    raw_defs *raw = user;
    uint64_t *copy;

    (void)name, (void)flags;
    if (type != OTF2_GROUP_TYPE_COMM_LOCATIONS && type != OTF2_GROUP_TYPE_COMM_GROUP && type != OTF2_GROUP_TYPE_COMM_SELF)
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
on_comm(void *user, OTF2_CommRef ref, OTF2_StringRef name, OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
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
on_dimension(void *user, OTF2_CartDimensionRef ref, OTF2_StringRef name, uint32_t size, OTF2_CartPeriodicity periodic)
{
    raw_defs *raw = user;

    RAW_PUSH(raw, dimensions, ((raw_dimension){ ref, name, size, periodic == OTF2_CART_PERIODIC_TRUE }));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_topology(void *user, OTF2_CartTopologyRef ref, OTF2_StringRef name, OTF2_CommRef comm, uint8_t n,
            const OTF2_CartDimensionRef *dimensions)
{
    raw_defs    *raw      = user;
    raw_topology topology = { ref, name, comm, n, { 0 } };

    for (uint32_t i = 0; i < n; i++)
        topology.dimensions[i] = dimensions[i];
    if (n > 0 && n <= 16)
        RAW_PUSH(raw, topologies, topology);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_coordinate(void *user, OTF2_CartTopologyRef topology, uint32_t rank, uint8_t n, const uint32_t *x)
{
    raw_defs      *raw        = user;
    raw_coordinate coordinate = { topology, rank, n, { 0 } };

    for (uint32_t i = 0; i < n && i < 16; i++)
        coordinate.x[i] = x[i];
    RAW_PUSH(raw, coordinates, coordinate);
    return OTF2_CALLBACK_SUCCESS;
}

static hd_status
not_an_archive(const char *anchor)
{
    hd_fail(HD_EFORMAT, "\"%s\" cannot be read as an OTF2 archive", anchor);
    hd_fail_detail("try", "otf2-print \"%s\" shows what is wrong with it", anchor);
    return HD_EFORMAT;
}

static hd_status
read_raw(const char *anchor, raw_defs *raw, char **creator, char **machine, char **version)
{
    OTF2_Reader                   *reader = OTF2_Reader_Open(anchor);
    OTF2_GlobalDefReaderCallbacks *callbacks;
    OTF2_GlobalDefReader          *definitions;
    uint64_t                       n = 0;
    uint8_t                        v[3] = { 0, 0, 0 };
    OTF2_ErrorCode                 error;

    if (reader == NULL)
        return not_an_archive(anchor);
    OTF2_Reader_SetSerialCollectiveCallbacks(reader);
    callbacks = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(callbacks, on_node);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks, on_location_group);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_comm);
    OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, on_inter_comm);
    OTF2_GlobalDefReaderCallbacks_SetCartDimensionCallback(callbacks, on_dimension);
    OTF2_GlobalDefReaderCallbacks_SetCartTopologyCallback(callbacks, on_topology);
    OTF2_GlobalDefReaderCallbacks_SetCartCoordinateCallback(callbacks, on_coordinate);
    definitions = OTF2_Reader_GetGlobalDefReader(reader);
    error       = definitions == NULL ? OTF2_ERROR_INVALID : OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, raw);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    if (error == OTF2_SUCCESS)
        error = OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &n);
    OTF2_Reader_GetVersion(reader, &v[0], &v[1], &v[2]);
    *version = hd_format("%u.%u.%u", v[0], v[1], v[2]);
    if (OTF2_Reader_GetCreator(reader, creator) != OTF2_SUCCESS)
        *creator = NULL;
    if (OTF2_Reader_GetMachineName(reader, machine) != OTF2_SUCCESS)
        *machine = NULL;
    OTF2_Reader_Close(reader);
    if (error != OTF2_SUCCESS)
        return not_an_archive(anchor);
    if (raw->n_regions + raw->n_strings >= HD_NONE - 8)
        return hd_fail(HD_EFORMAT, "the archive \"%s\" defines more regions than can be numbered", anchor);
    if (raw->n_locations == 0)
        return hd_fail(HD_EFORMAT, "the archive \"%s\" defines no locations: there is nothing to analyse", anchor);
    return HD_OK;
}

static void
raw_fini(raw_defs *raw)
{
    for (size_t i = 0; i < raw->n_groups; i++)
        free(raw->groups[i].members);
    free(raw->text.data);
    free(raw->strings);
    free(raw->groups);
    free(raw->location_groups);
    free(raw->locations);
    free(raw->nodes);
    free(raw->regions);
    free(raw->comms);
    free(raw->dimensions);
    free(raw->topologies);
    free(raw->coordinates);
    hd_table_fini(&raw->string_index);
    hd_table_fini(&raw->region_index);
    hd_table_fini(&raw->location_index);
    hd_table_fini(&raw->location_group_index);
    hd_table_fini(&raw->group_index);
    hd_table_fini(&raw->node_index);
    hd_table_fini(&raw->comm_index);
}

/* The processes, while the definitions are put in order. Indexes are those of raw->location_groups and raw->locations. */
typedef struct ordering {
    uint32_t *owner;            /* [location groups] the group that is its process */
    uint32_t *process_of_group; /* [location groups] */
    uint32_t *group_of_process; /* [n_processes] */
    uint32_t  n_processes, n_mpi_processes;
    uint32_t *final;            /* [locations] final index */
} ordering;

static const raw_group *
group_of_kind(const raw_defs *raw, uint8_t type, uint8_t paradigm)
{
    for (size_t i = 0; i < raw->n_groups; i++)
        if (raw->groups[i].type == type && raw->groups[i].paradigm == paradigm)
            return &raw->groups[i];
    return NULL;
}

/* Index in raw->locations of member number `rank` of a communicator group, HD_NONE where it does not exist. */
static uint32_t
member_location(const raw_defs *raw, const raw_group *group, const raw_group *locations, uint64_t rank)
{
    uint64_t member;

    if (rank >= group->n)
        return HD_NONE;
    member = group->members[rank];
    if (group->type == OTF2_GROUP_TYPE_COMM_LOCATIONS)
        return hd_table_get(&raw->location_index, member);
    if (locations == NULL || member >= locations->n)
        return HD_NONE;
    return hd_table_get(&raw->location_index, locations->members[member]);
}

static uint32_t
location_group_of(const raw_defs *raw, uint32_t location)
{
    return hd_table_get(&raw->location_group_index, raw->locations[location].group);
}

/* A location group that is no process belongs to its creator's process, if that is one. */
static uint32_t
owner_of(const raw_defs *raw, uint32_t group)
{
    const raw_location_group *g = &raw->location_groups[group];
    uint32_t                  creator;

    if (g->type == OTF2_LOCATION_GROUP_TYPE_PROCESS)
        return group;
    creator = hd_table_get(&raw->location_group_index, g->creator);
    if (creator != HD_NONE && raw->location_groups[creator].type == OTF2_LOCATION_GROUP_TYPE_PROCESS)
        return creator;
    return group;
}

static void
add_process(ordering *order, uint32_t group)
{
    if (order->process_of_group[group] != HD_NONE)
        return;
    order->process_of_group[group]               = order->n_processes;
    order->group_of_process[order->n_processes++] = group;
}

static hd_status
put_in_order(const raw_defs *raw, const char *anchor, ordering *order)
{
    const raw_group *world = group_of_kind(raw, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI);
    bool            *used  = HD_NEW_ARRAY(bool, raw->n_location_groups);
    hd_status        status = HD_OK;

    order->owner            = HD_NEW_ARRAY(uint32_t, raw->n_location_groups);
    order->process_of_group = HD_NEW_ARRAY(uint32_t, raw->n_location_groups);
    order->group_of_process = HD_NEW_ARRAY(uint32_t, raw->n_location_groups);
    order->final            = HD_NEW_ARRAY(uint32_t, raw->n_locations);
    for (uint32_t i = 0; i < raw->n_location_groups; i++) {
        order->owner[i]            = owner_of(raw, i);
        order->process_of_group[i] = HD_NONE;
    }
    for (uint32_t i = 0; i < raw->n_locations; i++) {
        uint32_t group = location_group_of(raw, i);

        if (group == HD_NONE) {
            status = hd_fail(HD_EFORMAT, "location %" PRIu64 " of the archive \"%s\" belongs to no location group",
                             raw->locations[i].ref, anchor);
            goto out;
        }
        used[order->owner[group]] = true;
    }
    for (uint32_t i = 0; world != NULL && i < world->n; i++) {
        uint32_t location = hd_table_get(&raw->location_index, world->members[i]);
        uint32_t group    = location == HD_NONE ? HD_NONE : order->owner[location_group_of(raw, location)];

        if (group == HD_NONE || order->process_of_group[group] != HD_NONE) {
            status = hd_fail(HD_EFORMAT, "MPI rank %" PRIu32 " of the archive \"%s\" has no location group of its own", i, anchor);
            goto out;
        }
        add_process(order, group);
    }
    order->n_mpi_processes = order->n_processes;
    for (uint32_t i = 0; i < raw->n_location_groups; i++)
        if (used[i])
            add_process(order, i);
out:
    free(used);
    return status;
}

/* Space for an array of n elements in the final run of bytes: returns its offset. */
static uint64_t
reserve(uint64_t *bytes, uint64_t n, size_t element_bytes)
{
    uint64_t at = (*bytes + 7) & ~UINT64_C(7);

    *bytes = at + n * element_bytes;
    return at;
}

#define AT(defs, type, offset) ((type *)(void *)((char *)(defs) + (offset)))

static int
compare_final(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;

    return *a < *b ? -1 : *a > *b;
}

/* Locations sorted by (process, CPU threads first, definition order): key and index in one number. */
static void
fill_locations(const raw_defs *raw, ordering *order, hd_defs *defs)
{
    uint64_t        *keys      = HD_NEW_ARRAY(uint64_t, raw->n_locations * 2);
    hd_process_def  *processes = AT(defs, hd_process_def, defs->processes);
    hd_location_def *locations = AT(defs, hd_location_def, defs->locations);

    for (uint32_t i = 0; i < raw->n_locations; i++) {
        uint32_t process = order->process_of_group[order->owner[location_group_of(raw, i)]];

        keys[2 * i]     = (uint64_t)process << 33 | (uint64_t)(raw->locations[i].type != OTF2_LOCATION_TYPE_CPU_THREAD) << 32 | i;
        keys[2 * i + 1] = i;
    }
    qsort(keys, raw->n_locations, 2 * sizeof *keys, compare_final);
    for (uint32_t i = 0; i < raw->n_locations; i++) {
        const raw_location *from    = &raw->locations[keys[2 * i + 1]];
        uint32_t            p       = (uint32_t)(keys[2 * i] >> 33);
        hd_process_def     *process = &processes[p];

        order->final[keys[2 * i + 1]] = i;
        if (process->n_locations == 0)
            process->first_location = i;
        locations[i] = (hd_location_def){ .ref = from->ref, .n_events = from->n_events, .name = text_of(raw, from->name),
                                          .process = p, .thread = process->n_locations,
                                          .type = from->type == OTF2_LOCATION_TYPE_CPU_THREAD ? HD_LOCATION_CPU
                                                  : from->type == OTF2_LOCATION_TYPE_METRIC   ? HD_LOCATION_METRIC
                                                                                              : HD_LOCATION_ACCELERATOR };
        process->n_locations++;
        if (__builtin_add_overflow(process->n_events, from->n_events, &process->n_events))
            process->n_events = UINT64_MAX;
        if (__builtin_add_overflow(defs->n_events, from->n_events, &defs->n_events))
            defs->n_events = UINT64_MAX;
    }
    free(keys);
}

/* A tree node's parent comes before it: nodes are numbered by a walk from the roots; cycles stay unreached and become roots. */
static void
fill_nodes(const raw_defs *raw, hd_defs *defs, uint32_t *final)
{
    hd_system_node *nodes = AT(defs, hd_system_node, defs->nodes);
    uint32_t        n     = 0;

    for (size_t i = 0; i < raw->n_nodes; i++)
        final[i] = HD_NONE;
    for (bool changed = true, forced = false; n < raw->n_nodes; forced = !changed) {
        changed = false;
        for (size_t i = 0; i < raw->n_nodes; i++) {
            uint32_t parent = hd_table_get(&raw->node_index, raw->nodes[i].parent);

            if (final[i] != HD_NONE || (parent != HD_NONE && final[parent] == HD_NONE && !forced))
                continue;
            nodes[n] = (hd_system_node){ .parent = parent == HD_NONE ? HD_NONE : final[parent],
                                         .name = text_of(raw, raw->nodes[i].name),
                                         .node_class = text_of(raw, raw->nodes[i].node_class) };
            final[i] = n++;
            changed  = true;
            forced   = false;
        }
    }
}

static void
fill_groups(const raw_defs *raw, const ordering *order, hd_defs *defs)
{
    hd_comm_group *groups  = AT(defs, hd_comm_group, defs->groups);
    uint32_t      *members = AT(defs, uint32_t, defs->members);
    uint64_t       n       = 0;

    for (size_t i = 0; i < raw->n_groups; i++) {
        const raw_group *from      = &raw->groups[i];
        const raw_group *locations = group_of_kind(raw, OTF2_GROUP_TYPE_COMM_LOCATIONS, from->paradigm);

        if (from->paradigm != OTF2_PARADIGM_MPI)
            continue;
        groups[i] = (hd_comm_group){ .first = n, .n = from->n };
        if (from->type == OTF2_GROUP_TYPE_COMM_SELF)
            groups[i] = (hd_comm_group){ .first = n, .n = 1, .self = 1 };
        else
            for (uint32_t m = 0; m < from->n; m++) {
                uint32_t location = member_location(raw, from, locations, m);

                members[n++] = location == HD_NONE ? HD_NONE
                                                   : order->process_of_group[order->owner[location_group_of(raw, location)]];
            }
    }
}

static uint32_t
usable_group(const raw_defs *raw, uint32_t ref)
{
    uint32_t i = ref == HD_NONE ? HD_NONE : hd_table_get(&raw->group_index, ref);

    return i != HD_NONE && raw->groups[i].paradigm == OTF2_PARADIGM_MPI ? i : HD_NONE;
}

static uint32_t
team_master(const raw_defs *raw, const ordering *order, uint32_t group_ref)
{
    uint32_t i = hd_table_get(&raw->group_index, group_ref);
    uint32_t location;

    if (i == HD_NONE || raw->groups[i].paradigm == OTF2_PARADIGM_MPI ||
        raw->groups[i].paradigm == OTF2_PARADIGM_MEASUREMENT_SYSTEM || raw->groups[i].type != OTF2_GROUP_TYPE_COMM_GROUP)
        return HD_NONE;
    location = member_location(raw, &raw->groups[i],
                               group_of_kind(raw, OTF2_GROUP_TYPE_COMM_LOCATIONS, raw->groups[i].paradigm), 0);
    return location == HD_NONE ? HD_NONE : order->final[location];
}

static void
fill_comms(const raw_defs *raw, const ordering *order, hd_defs *defs)
{
    hd_comm  *comms = AT(defs, hd_comm, defs->comms);
    uint32_t *refs  = AT(defs, uint32_t, defs->comm_refs);

    for (size_t i = 0; i < raw->n_comms; i++) {
        comms[i] = (hd_comm){ .name = text_of(raw, raw->comms[i].name), .group_a = usable_group(raw, raw->comms[i].group_a),
                              .group_b = usable_group(raw, raw->comms[i].group_b), .team_master = HD_NONE };
        if (comms[i].group_a == HD_NONE) {
            comms[i].group_b     = HD_NONE;
            comms[i].team_master = team_master(raw, order, raw->comms[i].group_a);
        }
        refs[i] = raw->comms[i].ref;
    }
}

static void
fill_regions(raw_defs *raw, hd_defs *defs, const uint32_t *own_texts)
{
    static const uint8_t own_paradigms[] = { HD_PARADIGM_MEASUREMENT, HD_PARADIGM_USER, HD_PARADIGM_MEASUREMENT,
                                             HD_PARADIGM_MEASUREMENT };
    hd_region *regions = AT(defs, hd_region, defs->regions);
    uint32_t  *refs    = AT(defs, uint32_t, defs->region_refs);
    uint32_t   n       = (uint32_t)raw->n_regions;

    for (uint32_t i = 0; i < n; i++) {
        regions[i]           = raw->regions[i].region;
        regions[i].name      = text_of(raw, raw->regions[i].name);
        regions[i].canonical = text_of(raw, raw->regions[i].canonical);
        regions[i].file      = text_of(raw, raw->regions[i].file);
        hd_region_classify(&regions[i], (const char *)raw->text.data + regions[i].canonical,
                           (const char *)raw->text.data + regions[i].file);
        refs[i] = raw->regions[i].ref;
    }
    for (uint32_t i = 0; i < 4; i++) {
        regions[n + i] = (hd_region){ .name = own_texts[i], .canonical = own_texts[i], .role = HD_ROLE_ARTIFICIAL,
                                      .paradigm = own_paradigms[i], .region_class = HD_CLASS_INTERNAL };
        refs[n + i]    = HD_NONE;
    }
    defs->flush_region         = n;
    defs->off_region           = n + 1;
    defs->threads_region       = n + 2;
    defs->tasks_region         = n + 3;
    defs->first_program_region = n + 4;
    for (uint32_t i = 0; i < raw->n_strings; i++) {
        const char *path = (const char *)raw->text.data + raw->strings[i].text, *slash = strrchr(path, '/');
        uint32_t    base = slash != NULL && slash[1] != '\0' ? (uint32_t)(slash + 1 - path) : 0;

        regions[n + 4 + i] = (hd_region){ .name = raw->strings[i].text + base, .canonical = raw->strings[i].text,
                                          .role = HD_ROLE_ARTIFICIAL, .paradigm = HD_PARADIGM_MEASUREMENT,
                                          .region_class = HD_CLASS_INTERNAL };
        refs[n + 4 + i]    = HD_NONE;
    }
}

/* Copies the topologies whose dimensions and members exist; coordinates of unknown members are left out. */
static void
fill_topologies(const raw_defs *raw, const ordering *order, hd_defs *defs)
{
    hd_topology  *topologies  = AT(defs, hd_topology, defs->topologies);
    hd_dimension *dimensions  = AT(defs, hd_dimension, defs->dimensions);
    uint32_t     *coordinates = AT(defs, uint32_t, defs->coordinates);
    uint64_t      n_numbers   = 0;

    for (size_t t = 0; t < raw->n_topologies; t++) {
        const raw_topology *from     = &raw->topologies[t];
        uint32_t            comm     = hd_table_get(&raw->comm_index, from->comm);
        uint32_t            group    = comm == HD_NONE ? HD_NONE : hd_table_get(&raw->group_index, raw->comms[comm].group_a);
        hd_topology        *topology = &topologies[defs->n_topologies++];

        *topology = (hd_topology){ .first_coordinate = n_numbers, .name = text_of(raw, from->name),
                                   .first_dimension = defs->n_dimensions, .n_dimensions = from->n_dimensions };
        for (uint32_t d = 0; d < from->n_dimensions; d++) {
            hd_dimension *dimension = &dimensions[defs->n_dimensions++];

            for (size_t i = 0; i < raw->n_dimensions; i++)
                if (raw->dimensions[i].ref == from->dimensions[d])
                    *dimension = (hd_dimension){ text_of(raw, raw->dimensions[i].name), raw->dimensions[i].size,
                                                 raw->dimensions[i].periodic };
        }
        if (group == HD_NONE)
            continue;
        for (size_t i = 0; i < raw->n_coordinates; i++) {
            const raw_coordinate *c         = &raw->coordinates[i];
            const raw_group      *locations = group_of_kind(raw, OTF2_GROUP_TYPE_COMM_LOCATIONS, raw->groups[group].paradigm);
            uint32_t              location  = HD_NONE;

            if (c->topology == from->ref && c->n == from->n_dimensions)
                location = member_location(raw, &raw->groups[group], locations, c->rank);
            if (location == HD_NONE)
                continue;
            coordinates[n_numbers++] = order->final[location];
            for (uint32_t d = 0; d < c->n; d++)
                coordinates[n_numbers++] = c->x[d];
            topology->n_coordinates++;
        }
    }
    defs->n_coordinate_numbers = n_numbers;
}

static void
lay_out(const raw_defs *raw, const ordering *order, hd_defs *defs)
{
    uint64_t n_members = 0, n_dimensions = 0, n_numbers = 0;

    for (size_t i = 0; i < raw->n_groups; i++)
        n_members += raw->groups[i].n;
    for (size_t i = 0; i < raw->n_topologies; i++)
        n_dimensions += raw->topologies[i].n_dimensions;
    for (size_t i = 0; i < raw->n_coordinates; i++)
        n_numbers += 1 + raw->coordinates[i].n;
    defs->bytes       = sizeof *defs;
    defs->regions     = reserve(&defs->bytes, raw->n_regions + 4 + raw->n_strings, sizeof(hd_region));
    defs->region_refs = reserve(&defs->bytes, raw->n_regions + 4 + raw->n_strings, 4);
    defs->processes   = reserve(&defs->bytes, order->n_processes, sizeof(hd_process_def));
    defs->locations   = reserve(&defs->bytes, raw->n_locations, sizeof(hd_location_def));
    defs->comms       = reserve(&defs->bytes, raw->n_comms, sizeof(hd_comm));
    defs->comm_refs   = reserve(&defs->bytes, raw->n_comms, 4);
    defs->groups      = reserve(&defs->bytes, raw->n_groups, sizeof(hd_comm_group));
    defs->members     = reserve(&defs->bytes, n_members, 4);
    defs->nodes       = reserve(&defs->bytes, raw->n_nodes, sizeof(hd_system_node));
    defs->topologies  = reserve(&defs->bytes, raw->n_topologies, sizeof(hd_topology));
    defs->dimensions  = reserve(&defs->bytes, n_dimensions, sizeof(hd_dimension));
    defs->coordinates = reserve(&defs->bytes, n_numbers, 4);
    defs->strings     = reserve(&defs->bytes, raw->n_strings, 4);
    defs->string_refs = reserve(&defs->bytes, raw->n_strings, 4);
    defs->texts       = reserve(&defs->bytes, raw->text.n, 1);
    defs->n_regions   = (uint32_t)(raw->n_regions + 4 + raw->n_strings);
    defs->n_processes = order->n_processes;
    defs->n_mpi_processes = order->n_mpi_processes;
    defs->n_locations = (uint32_t)raw->n_locations;
    defs->n_comms     = (uint32_t)raw->n_comms;
    defs->n_groups    = (uint32_t)raw->n_groups;
    defs->n_nodes     = (uint32_t)raw->n_nodes;
    defs->n_strings   = (uint32_t)raw->n_strings;
    defs->n_members   = n_members;
    defs->text_bytes  = raw->text.n;
}

static hd_defs *
build(raw_defs *raw, ordering *order, const uint32_t *own_texts)
{
    hd_defs   layout = { 0 };
    hd_defs  *defs;
    uint32_t *nodes = HD_NEW_ARRAY(uint32_t, raw->n_nodes);

    lay_out(raw, order, &layout);
    defs  = hd_alloc(1, layout.bytes);
    *defs = layout;
    memcpy(AT(defs, char, defs->texts), raw->text.data, raw->text.n);
    for (uint32_t i = 0; i < defs->n_strings; i++) {
        AT(defs, uint32_t, defs->strings)[i]     = raw->strings[i].text;
        AT(defs, uint32_t, defs->string_refs)[i] = raw->strings[i].ref;
    }
    fill_nodes(raw, defs, nodes);
    for (uint32_t p = 0; p < order->n_processes; p++) {
        const raw_location_group *group = &raw->location_groups[order->group_of_process[p]];
        uint32_t                  node  = hd_table_get(&raw->node_index, group->node);

        AT(defs, hd_process_def, defs->processes)[p] =
            (hd_process_def){ .name = text_of(raw, group->name), .node = node == HD_NONE ? HD_NONE : nodes[node],
                              .has_mpi_rank = p < order->n_mpi_processes };
    }
    free(nodes);
    fill_locations(raw, order, defs);
    fill_groups(raw, order, defs);
    fill_comms(raw, order, defs);
    fill_regions(raw, defs, own_texts);
    fill_topologies(raw, order, defs);
    return defs;
}

hd_status
hd_defs_read(const char *anchor, hd_defs **defs)
{
    raw_defs  raw     = { 0 };
    ordering  order   = { 0 };
    char     *creator = NULL, *machine = NULL, *version = NULL;
    uint32_t  own_texts[4], texts[3];
    hd_status status;

    add_text(&raw, "");
    status = read_raw(anchor, &raw, &creator, &machine, &version);
    if (status != HD_OK)
        goto out;
    status = put_in_order(&raw, anchor, &order);
    if (status != HD_OK)
        goto out;
    own_texts[0] = add_text(&raw, "TRACE BUFFER FLUSH");
    own_texts[1] = add_text(&raw, "MEASUREMENT OFF");
    own_texts[2] = add_text(&raw, "THREADS");
    own_texts[3] = add_text(&raw, "TASKS");
    texts[0]     = add_text(&raw, creator != NULL ? creator : "");
    texts[1]     = add_text(&raw, machine != NULL ? machine : "");
    texts[2]     = add_text(&raw, version);
    *defs                  = build(&raw, &order, own_texts);
    (*defs)->resolution    = raw.resolution > 0 ? raw.resolution : 1;
    (*defs)->first_time    = raw.first_time;
    (*defs)->length        = raw.length;
    (*defs)->creator       = texts[0];
    (*defs)->machine       = texts[1];
    (*defs)->version       = texts[2];
    (*defs)->archive_bytes = archive_bytes(anchor);
out:
    free(creator);
    free(machine);
    free(version);
    free(order.owner);
    free(order.process_of_group);
    free(order.group_of_process);
    free(order.final);
    raw_fini(&raw);
    return status;
}
