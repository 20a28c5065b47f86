/* src/trace/defs/defs_read.c: from the definitions as they stand in the archive to those of defs.h: in order, checked,
 * in one run of bytes. */
#include "defs_read.h"

#include <inttypes.h>
#include <otf2/otf2.h>
#include <stdio.h>

#include "archive.h"
#include "comm_group.h"
#include "context_defs.h"
#include "counter_defs.h"
#include "file_defs.h"
#include "memory.h"
#include "raw_defs.h"
#include "region_class.h"

/* The processes, while the definitions are put in order. Indexes are those of raw->location_groups and
 * raw->locations. */
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
            status = hd_fail(HD_EFORMAT, "MPI rank %" PRIu32 " of the archive \"%s\" has no location group of its own",
                             i, anchor);
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

        keys[2 * i]     = (uint64_t)process << 33 |
                          (uint64_t)(raw->locations[i].type != OTF2_LOCATION_TYPE_CPU_THREAD) << 32 | i;
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
        locations[i] = (hd_location_def){ .ref = from->ref, .n_events = from->n_events, .process = p,
                                          .thread = process->n_locations, .name = hd_raw_defs_text(raw, from->name),
                                          .type = from->type == OTF2_LOCATION_TYPE_CPU_THREAD ? HD_LOCATION_CPU :
                                                  from->type == OTF2_LOCATION_TYPE_METRIC ? HD_LOCATION_METRIC :
                                                  HD_LOCATION_ACCELERATOR };
        process->n_locations++;
        if (__builtin_add_overflow(process->n_events, from->n_events, &process->n_events))
            process->n_events = UINT64_MAX;
        if (__builtin_add_overflow(defs->n_events, from->n_events, &defs->n_events))
            defs->n_events = UINT64_MAX;
    }
    free(keys);
}

#define UNDER_WAY (HD_NONE - 1)

/* A tree node's parent comes before it: what is above a node and has no number yet gets one first. Where parents form a
 * circle, one of them becomes a root. */
static void
fill_nodes(const raw_defs *raw, hd_defs *defs, uint32_t *final)
{
    hd_system_node *nodes = AT(defs, hd_system_node, defs->nodes);
    uint32_t       *path  = HD_NEW_ARRAY(uint32_t, raw->n_nodes);
    uint32_t        n     = 0;

    for (size_t i = 0; i < raw->n_nodes; i++)
        final[i] = HD_NONE;
    for (uint32_t i = 0; i < raw->n_nodes; i++) {
        size_t depth = 0;

        for (uint32_t at = i; at != HD_NONE && final[at] == HD_NONE;
             at = hd_table_get(&raw->node_index, raw->nodes[at].parent)) {
            final[at]     = UNDER_WAY;
            path[depth++] = at;
        }
        while (depth > 0) {
            const raw_node *node   = &raw->nodes[path[--depth]];
            uint32_t        parent = hd_table_get(&raw->node_index, node->parent);
            bool            is_root = parent == HD_NONE || final[parent] == UNDER_WAY;

            nodes[n] = (hd_system_node){ .parent = is_root ? HD_NONE : final[parent], .domains = node->domains,
                                         .name = hd_raw_defs_text(raw, node->name),
                                         .node_class = hd_raw_defs_text(raw, node->node_class) };
            final[path[depth]] = n++;
        }
    }
    free(path);
}

/* final: [raw->n_nodes] numbers of nodes. Properties of unknown nodes are left out. */
static void
fill_properties(const raw_defs *raw, const uint32_t *final, hd_defs *defs)
{
    hd_system_node *nodes      = AT(defs, hd_system_node, defs->nodes);
    hd_property    *properties = AT(defs, hd_property, defs->properties);

    for (size_t i = 0; i < raw->n_properties; i++) {
        uint32_t node = hd_table_get(&raw->node_index, raw->properties[i].node);

        if (node != HD_NONE)
            nodes[final[node]].n_properties++;
    }
    for (uint32_t i = 0; i < defs->n_nodes; i++) {
        nodes[i].first_property = defs->n_properties;
        defs->n_properties += nodes[i].n_properties;
        nodes[i].n_properties = 0;
    }
    for (size_t i = 0; i < raw->n_properties; i++) {
        const raw_property *from = &raw->properties[i];
        uint32_t            at   = hd_table_get(&raw->node_index, from->node);
        hd_system_node     *node = at != HD_NONE ? &nodes[final[at]] : NULL;

        if (node != NULL)
            properties[node->first_property + node->n_properties++] =
                (hd_property){ .name  = hd_raw_defs_text(raw, from->name),
                               .value = from->string != HD_NONE ? hd_raw_defs_text(raw, from->string) : from->number };
    }
}

static bool
is_of_processes(const raw_group *group)
{
    return group->paradigm == OTF2_PARADIGM_MPI || group->paradigm == OTF2_PARADIGM_SHMEM;
}

/* Members come last, since how much room they need shows when they are packed. */
static void
fill_groups(const raw_defs *raw, const ordering *order, hd_defs *defs)
{
    hd_comm_group   *groups    = AT(defs, hd_comm_group, defs->groups);
    uint32_t        *numbers   = AT(defs, uint32_t, defs->members), *members;
    uint32_t        *refs      = AT(defs, uint32_t, defs->group_refs);
    const raw_group *locations;
    uint64_t         most = 1;

    for (size_t i = 0; i < raw->n_groups; i++) {
        refs[i] = raw->groups[i].ref;
        most = raw->groups[i].n > most ? raw->groups[i].n : most;
    }
    members = HD_NEW_ARRAY(uint32_t, most);
    for (size_t i = 0; i < raw->n_groups; i++) {
        const raw_group *from = &raw->groups[i];

        if (!is_of_processes(from))
            continue;
        locations       = group_of_kind(raw, OTF2_GROUP_TYPE_COMM_LOCATIONS, from->paradigm);
        groups[i].first = defs->n_members;
        if (from->type == OTF2_GROUP_TYPE_COMM_SELF) {
            groups[i].n = groups[i].self = 1;
            continue;
        }
        for (uint32_t m = 0; m < from->n; m++) {
            uint32_t location = member_location(raw, from, locations, m);

            members[m] = location == HD_NONE ? HD_NONE :
                         order->process_of_group[order->owner[location_group_of(raw, location)]];
        }
        defs->n_members += hd_comm_group_write(&groups[i], numbers + defs->n_members, members, from->n);
    }
    free(members);
    defs->bytes = defs->members + defs->n_members * sizeof *numbers;
}

static uint32_t
usable_group(const raw_defs *raw, uint32_t ref)
{
    uint32_t i = ref == HD_NONE ? HD_NONE : hd_table_get(&raw->group_index, ref);

    return i != HD_NONE && is_of_processes(&raw->groups[i]) ? i : HD_NONE;
}

static uint32_t
team_master(const raw_defs *raw, const ordering *order, uint32_t group_ref)
{
    uint32_t i = hd_table_get(&raw->group_index, group_ref);
    uint32_t location;

    if (i == HD_NONE || is_of_processes(&raw->groups[i]) ||
        raw->groups[i].paradigm == OTF2_PARADIGM_MEASUREMENT_SYSTEM ||
        raw->groups[i].type != OTF2_GROUP_TYPE_COMM_GROUP)
        return HD_NONE;
    location = member_location(raw, &raw->groups[i],
                               group_of_kind(raw, OTF2_GROUP_TYPE_COMM_LOCATIONS, raw->groups[i].paradigm), 0);
    return location == HD_NONE ? HD_NONE : order->final[location];
}

static void
fill_comms(const raw_defs *raw, const ordering *order, hd_defs *defs)
{
    hd_comm             *comms  = AT(defs, hd_comm, defs->comms);
    uint32_t            *refs   = AT(defs, uint32_t, defs->comm_refs);
    const hd_comm_group *groups = hd_defs_groups(defs);

    for (size_t i = 0; i < raw->n_comms; i++) {
        comms[i] = (hd_comm){ .name = hd_raw_defs_text(raw, raw->comms[i].name),
                              .group_a = usable_group(raw, raw->comms[i].group_a),
                              .group_b = usable_group(raw, raw->comms[i].group_b), .team_master = HD_NONE };
        if (comms[i].group_b != HD_NONE && (comms[i].group_a == HD_NONE || groups[comms[i].group_a].self != 0 ||
                                            groups[comms[i].group_b].self != 0))
            comms[i].group_a = HD_NONE; /* two groups of processes, or none of it can be understood */
        if (comms[i].group_a == HD_NONE) {
            comms[i].group_b     = HD_NONE;
            comms[i].team_master = team_master(raw, order, raw->comms[i].group_a);
        }
        refs[i] = raw->comms[i].ref;
    }
    for (size_t i = 0; i < raw->n_file_comms; i++) {
        uint32_t at = (uint32_t)(raw->n_comms + i), comm = raw->file_comms[i].comm;

        comms[at] = (hd_comm){ .name = raw->file_comms[i].name, .group_b = HD_NONE, .team_master = HD_NONE,
                               .group_a = comms[comm].group_b == HD_NONE ? comms[comm].group_a : HD_NONE };
        refs[at]  = HD_NONE;
    }
    for (size_t i = 0; i < raw->n_windows; i++) {
        size_t   at    = raw->n_comms + raw->n_file_comms + i;
        uint32_t comm  = hd_table_get(&raw->comm_index, raw->windows[i].comm);
        bool     is_of = comm != HD_NONE && comms[comm].group_b == HD_NONE; /* processes */

        comms[at] = (hd_comm){ .name = hd_raw_defs_text(raw, raw->windows[i].name), .group_b = HD_NONE,
                               .group_a = is_of ? comms[comm].group_a : HD_NONE, .team_master = HD_NONE };
        refs[at]  = raw->windows[i].ref;
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
        regions[i].name      = hd_raw_defs_text(raw, raw->regions[i].name);
        regions[i].canonical = hd_raw_defs_text(raw, raw->regions[i].canonical);
        if (raw->text.data[regions[i].canonical] == '\0') /* there need not be another name */
            regions[i].canonical = regions[i].name;
        regions[i].file      = hd_raw_defs_text(raw, raw->regions[i].file);
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
    defs->first_cluster_region = n + 4;
    defs->first_program_region = n + 4 + defs->n_clusters;
    for (uint32_t i = 0; i < defs->n_clusters; i++) {
        regions[n + 4 + i] = (hd_region){ .name = own_texts[4 + i], .canonical = own_texts[4 + i],
                                          .file = own_texts[4 + defs->n_clusters], .role = HD_ROLE_CODE,
                                          .paradigm = HD_PARADIGM_USER, .region_class = HD_CLASS_USER };
        refs[n + 4 + i]    = HD_NONE;
    }
    n = defs->first_program_region;
    for (uint32_t i = 0; i < raw->n_strings; i++) {
        const char *path = (const char *)raw->text.data + raw->strings[i].text, *slash = strrchr(path, '/');
        uint32_t    base = slash != NULL && slash[1] != '\0' ? (uint32_t)(slash + 1 - path) : 0;

        regions[n + i] = (hd_region){ .name = raw->strings[i].text + base, .canonical = raw->strings[i].text,
                                      .role = HD_ROLE_ARTIFICIAL, .paradigm = HD_PARADIGM_MEASUREMENT,
                                      .region_class = HD_CLASS_INTERNAL };
        refs[n + i]    = HD_NONE;
    }
}

static void
fill_dimensions(const raw_defs *raw, const raw_topology *from, hd_defs *defs)
{
    hd_dimension *dimensions = AT(defs, hd_dimension, defs->dimensions);

    for (uint32_t d = 0; d < from->n_dimensions; d++) {
        uint32_t i = hd_table_get(&raw->dimension_index, from->dimensions[d]);

        if (i != HD_NONE)
            dimensions[defs->n_dimensions] = (hd_dimension){ hd_raw_defs_text(raw, raw->dimensions[i].name),
                                                             raw->dimensions[i].size, raw->dimensions[i].periodic };
        defs->n_dimensions++;
    }
}

/* Location of a member of a topology's communicator, HD_NONE if there is none. */
static uint32_t
topology_member(const raw_defs *raw, const ordering *order, const raw_topology *topology, uint32_t rank)
{
    uint32_t comm  = hd_table_get(&raw->comm_index, topology->comm);
    uint32_t group = comm == HD_NONE ? HD_NONE : hd_table_get(&raw->group_index, raw->comms[comm].group_a);
    uint32_t location;

    if (group == HD_NONE)
        return HD_NONE;
    location = member_location(raw, &raw->groups[group],
                               group_of_kind(raw, OTF2_GROUP_TYPE_COMM_LOCATIONS, raw->groups[group].paradigm), rank);
    return location == HD_NONE ? HD_NONE : order->final[location];
}

/* Copies the topologies; coordinates of unknown members, and of another number of dimensions, are left out. */
static void
fill_topologies(const raw_defs *raw, const ordering *order, hd_defs *defs)
{
    hd_topology *topologies  = AT(defs, hd_topology, defs->topologies);
    uint32_t    *coordinates = AT(defs, uint32_t, defs->coordinates);
    uint32_t    *members     = HD_NEW_ARRAY(uint32_t, raw->n_coordinates);

    for (size_t t = 0; t < raw->n_topologies; t++) {
        topologies[t] = (hd_topology){ .name = hd_raw_defs_text(raw, raw->topologies[t].name),
                                       .first_dimension = defs->n_dimensions,
                                       .n_dimensions = raw->topologies[t].n_dimensions };
        fill_dimensions(raw, &raw->topologies[t], defs);
    }
    defs->n_topologies = (uint32_t)raw->n_topologies;
    for (size_t i = 0; i < raw->n_coordinates; i++) {
        const raw_coordinate *c = &raw->coordinates[i];
        uint32_t              t = hd_table_get(&raw->topology_index, c->topology);

        members[i] = t != HD_NONE && c->n == topologies[t].n_dimensions ?
                     topology_member(raw, order, &raw->topologies[t], c->rank) : HD_NONE;
        if (members[i] != HD_NONE)
            topologies[t].n_coordinates++;
    }
    for (size_t t = 0; t < raw->n_topologies; t++) {
        topologies[t].first_coordinate = defs->n_coordinate_numbers;
        defs->n_coordinate_numbers += (uint64_t)topologies[t].n_coordinates * (1 + topologies[t].n_dimensions);
        topologies[t].n_coordinates = 0;
    }
    for (size_t i = 0; i < raw->n_coordinates; i++) {
        const raw_coordinate *c = &raw->coordinates[i];
        hd_topology          *topology;
        uint32_t             *at;

        if (members[i] == HD_NONE)
            continue;
        topology = &topologies[hd_table_get(&raw->topology_index, c->topology)];
        at       = coordinates + topology->first_coordinate +
                   (uint64_t)topology->n_coordinates++ * (1 + topology->n_dimensions);
        at[0]    = members[i];
        memcpy(at + 1, c->x, c->n * sizeof *c->x);
    }
    free(members);
}

static void
lay_out(const raw_defs *raw, const ordering *order, hd_defs *defs)
{
    uint64_t n_members = 0, n_dimensions = 0, n_numbers = 0;
    size_t   n_comms   = raw->n_comms + raw->n_file_comms + raw->n_windows;
    size_t   n_regions = raw->n_regions + 4 + defs->n_clusters + raw->n_strings;

    for (size_t i = 0; i < raw->n_groups; i++)
        n_members += raw->groups[i].n;
    for (size_t i = 0; i < raw->n_topologies; i++)
        n_dimensions += raw->topologies[i].n_dimensions;
    for (size_t i = 0; i < raw->n_coordinates; i++)
        n_numbers += 1 + raw->coordinates[i].n;
    defs->bytes       = sizeof *defs;
    defs->regions     = reserve(&defs->bytes, n_regions, sizeof(hd_region));
    defs->region_refs = reserve(&defs->bytes, n_regions, 4);
    defs->processes   = reserve(&defs->bytes, order->n_processes, sizeof(hd_process_def));
    defs->locations   = reserve(&defs->bytes, raw->n_locations, sizeof(hd_location_def));
    defs->comms       = reserve(&defs->bytes, n_comms, sizeof(hd_comm));
    defs->comm_refs   = reserve(&defs->bytes, n_comms, 4);
    defs->group_refs  = reserve(&defs->bytes, raw->n_groups, 4);
    defs->groups      = reserve(&defs->bytes, raw->n_groups, sizeof(hd_comm_group));
    defs->nodes       = reserve(&defs->bytes, raw->n_nodes, sizeof(hd_system_node));
    defs->properties  = reserve(&defs->bytes, raw->n_properties, sizeof(hd_property));
    defs->topologies  = reserve(&defs->bytes, raw->n_topologies, sizeof(hd_topology));
    defs->dimensions  = reserve(&defs->bytes, n_dimensions, sizeof(hd_dimension));
    defs->coordinates = reserve(&defs->bytes, n_numbers, 4);
    defs->strings     = reserve(&defs->bytes, raw->n_strings, 4);
    defs->string_refs = reserve(&defs->bytes, raw->n_strings, 4);
    defs->contexts    = reserve(&defs->bytes, raw->n_contexts, sizeof(hd_context));
    defs->context_refs = reserve(&defs->bytes, raw->n_contexts, 4);
    defs->samplers    = reserve(&defs->bytes, raw->n_samplers, sizeof(hd_sampler));
    defs->files       = reserve(&defs->bytes, raw->n_files, sizeof(hd_file));
    defs->file_handles     = reserve(&defs->bytes, raw->n_file_handles, sizeof(hd_file_handle));
    defs->file_handle_refs = reserve(&defs->bytes, raw->n_file_handles, 4);
    hd_counter_defs_lay_out(raw, defs);
    defs->texts       = reserve(&defs->bytes, raw->text.n, 1);
    defs->members     = reserve(&defs->bytes, n_members, 4);
    defs->n_regions   = (uint32_t)n_regions;
    defs->n_processes = order->n_processes;
    defs->n_mpi_processes = order->n_mpi_processes;
    defs->n_locations = (uint32_t)raw->n_locations;
    defs->n_comms     = (uint32_t)n_comms;
    defs->n_windows   = (uint32_t)raw->n_windows;
    defs->n_file_comms   = (uint32_t)raw->n_file_comms;
    defs->n_files        = (uint32_t)raw->n_files;
    defs->n_file_handles = (uint32_t)raw->n_file_handles;
    defs->n_groups    = (uint32_t)raw->n_groups;
    defs->n_nodes     = (uint32_t)raw->n_nodes;
    defs->n_strings   = (uint32_t)raw->n_strings;
    defs->n_contexts  = (uint32_t)raw->n_contexts;
    defs->n_samplers  = (uint32_t)raw->n_samplers;
    defs->text_bytes  = raw->text.n;
}

static hd_defs *
build(raw_defs *raw, ordering *order, const uint32_t *own_texts, uint32_t n_clusters)
{
    hd_defs   layout = { .n_clusters = n_clusters };
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
    fill_properties(raw, nodes, defs);
    for (uint32_t p = 0; p < order->n_processes; p++) {
        const raw_location_group *group = &raw->location_groups[order->group_of_process[p]];
        uint32_t                  node  = hd_table_get(&raw->node_index, group->node);

        AT(defs, hd_process_def, defs->processes)[p] =
            (hd_process_def){ .name = hd_raw_defs_text(raw, group->name),
                              .node = node == HD_NONE ? HD_NONE : nodes[node],
                              .has_mpi_rank = p < order->n_mpi_processes };
    }
    fill_locations(raw, order, defs);
    fill_groups(raw, order, defs);
    fill_comms(raw, order, defs);
    fill_regions(raw, defs, own_texts);
    fill_topologies(raw, order, defs);
    hd_context_defs_fill(raw, defs);
    hd_counter_defs_fill(raw, order->owner, order->process_of_group, nodes, defs);
    for (uint32_t i = 0; i < defs->n_files; i++)
        AT(defs, hd_file, defs->files)[i] = raw->files[i];
    for (uint32_t i = 0; i < defs->n_file_handles; i++) {
        AT(defs, hd_file_handle, defs->file_handles)[i]  = raw->file_handles[i];
        AT(defs, uint32_t, defs->file_handle_refs)[i]    = raw->io_handles[i].ref;
    }
    free(nodes);
    return hd_realloc(defs, 1, defs->bytes);
}

/* Names of regions that the archive does not define; the last one of their file. */
static uint32_t *
add_own_texts(raw_defs *raw, uint32_t n_clusters)
{
    static const char *const names[] = { "TRACE BUFFER FLUSH", "MEASUREMENT OFF", "THREADS", "TASKS" };
    uint32_t                *texts   = HD_NEW_ARRAY(uint32_t, 4 + (size_t)n_clusters + 1);
    char                     name[24];

    for (uint32_t i = 0; i < 4; i++)
        texts[i] = hd_raw_defs_add_text(raw, names[i]);
    for (uint32_t i = 0; i < n_clusters; i++) {
        snprintf(name, sizeof name, "cluster %" PRIu32, i + 1);
        texts[4 + i] = hd_raw_defs_add_text(raw, name);
    }
    if (n_clusters > 0)
        texts[4 + n_clusters] = hd_raw_defs_add_text(raw, "");
    return texts;
}

hd_status
hd_defs_read(const char *anchor, hd_defs **defs)
{
    return hd_defs_read_for_clusters(anchor, 0, defs);
}

hd_status
hd_defs_read_for_clusters(const char *anchor, uint32_t n_clusters, hd_defs **defs)
{
    raw_defs  raw   = { 0 };
    ordering  order = { 0 };
    uint32_t *own_texts = NULL, texts[4];
    hd_status status;

    status = hd_raw_defs_read(anchor, &raw);
    if (status != HD_OK)
        goto out;
    status = put_in_order(&raw, anchor, &order);
    if (status != HD_OK)
        goto out;
    hd_file_defs_join(&raw);
    hd_counter_defs_join(&raw);
    own_texts    = add_own_texts(&raw, n_clusters);
    texts[0]     = hd_raw_defs_add_text(&raw, raw.creator != NULL ? raw.creator : "");
    texts[1]     = hd_raw_defs_add_text(&raw, raw.machine != NULL ? raw.machine : "");
    texts[2]     = hd_raw_defs_add_text(&raw, raw.version);
    texts[3]     = hd_raw_defs_add_text(&raw, raw.shared_processors != NULL ? raw.shared_processors : "");
    *defs                  = build(&raw, &order, own_texts, n_clusters);
    (*defs)->resolution    = raw.resolution > 0 ? raw.resolution : 1;
    (*defs)->first_time    = raw.first_time;
    (*defs)->length        = raw.length;
    (*defs)->creator       = texts[0];
    (*defs)->machine       = texts[1];
    (*defs)->version       = texts[2];
    (*defs)->shared_processors = texts[3];
    (*defs)->archive_bytes = hd_archive_bytes(anchor, &(*defs)->has_local_definitions); /* Score-P always has them */
    (*defs)->has_local_definitions |= raw.creator != NULL && strncmp(raw.creator, "Score-P", 7) == 0;
out:
    free(order.owner);
    free(order.process_of_group);
    free(order.group_of_process);
    free(order.final);
    free(own_texts);
    hd_raw_defs_fini(&raw);
    return status;
}
