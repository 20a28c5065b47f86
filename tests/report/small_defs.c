#include "small_defs.h"

#include "memory.h"

typedef struct builder {
    uint8_t *data;
    size_t   n;
    char     texts[65536];
    uint32_t n_texts;
} builder;

static uint64_t
add_array(builder *builder, const void *data, size_t bytes)
{
    size_t at = (builder->n + 7) / 8 * 8;

    builder->data = hd_realloc(builder->data, at + bytes + 8, 1);
    memset(builder->data + builder->n, 0, at - builder->n);
    if (bytes > 0)
        memcpy(builder->data + at, data, bytes);
    builder->n = at + bytes;
    return at;
}

static uint32_t
add_text(builder *builder, const char *text)
{
    uint32_t at = builder->n_texts;

    if (at + strlen(text) + 1 > sizeof builder->texts)
        abort();
    memcpy(builder->texts + at, text, strlen(text) + 1);
    builder->n_texts += (uint32_t)strlen(text) + 1;
    return at;
}

hd_defs *
small_defs(const small_region *regions, uint32_t n_regions, uint32_t n_processes, uint32_t n_threads,
           bool has_accelerator)
{
    static builder   builder;
    hd_defs          head      = { .resolution = 1000, .first_time = 500, .length = 100000 };
    uint32_t         n         = n_processes * n_threads;
    hd_region       *all       = HD_NEW_ARRAY(hd_region, n_regions);
    hd_process_def  *processes = HD_NEW_ARRAY(hd_process_def, n_processes);
    hd_location_def *locations = HD_NEW_ARRAY(hd_location_def, n);
    hd_system_node   nodes[4];
    hd_comm          comm;
    hd_topology      topologies[2] = { { .n_coordinates = 1, .n_dimensions = 2 },
                                       { .first_coordinate = 3, .n_dimensions = 2 } };
    hd_dimension     dimensions[2] = { { .size = n_processes, .periodic = 1 }, { .size = 1 } };
    const uint32_t   coordinate[3] = { 0, 0, 0 };
    hd_defs         *defs;

    builder.data    = NULL;
    builder.n       = 0;
    builder.n_texts = 0;
    add_text(&builder, "");
    for (uint32_t i = 0; i < n_regions; i++)
        all[i] = (hd_region){ .name       = add_text(&builder, regions[i].name),
                              .canonical  = add_text(&builder, regions[i].name),
                              .file       = add_text(&builder, regions[i].file),
                              .begin_line = i,
                              .role       = regions[i].role,
                              .paradigm   = regions[i].paradigm };
    nodes[0] = (hd_system_node){ .parent = HD_NONE, .name = add_text(&builder, "lab"),
                                 .node_class = add_text(&builder, "machine") };
    for (uint32_t i = 1; i < 4; i++)
        nodes[i] = (hd_system_node){ .parent = 0, .name = add_text(&builder, "vm<&>"),
                                     .node_class = add_text(&builder, "node") };
    for (uint32_t i = 0; i < n_processes; i++)
        processes[i] = (hd_process_def){ .node           = 1 + i % 2,
                                         .first_location = i * n_threads,
                                         .n_locations    = n_threads,
                                         .has_mpi_rank   = true };
    for (uint32_t i = 0; i < n; i++)
        locations[i] = (hd_location_def){ .process = i / n_threads, .thread = i % n_threads };
    for (uint32_t i = 0; has_accelerator && i < n_processes; i++)
        locations[i * n_threads + n_threads - 1].type = HD_LOCATION_ACCELERATOR;
    comm = (hd_comm){ .name = add_text(&builder, "MPI_COMM\tWORLD"), .group_a = HD_NONE, .group_b = HD_NONE };
    topologies[0].name = add_text(&builder, "sweep grid");
    topologies[1].name = add_text(&builder, "Process x Thread");

    head.n_regions = n_regions, head.n_processes = n_processes, head.n_locations = n, head.n_nodes = 4,
                     head.n_comms = 1;
    add_array(&builder, &head, sizeof head);
    head.regions   = add_array(&builder, all, n_regions * sizeof *all);
    head.processes = add_array(&builder, processes, n_processes * sizeof *processes);
    head.locations = add_array(&builder, locations, n * sizeof *locations);
    head.nodes     = add_array(&builder, nodes, sizeof nodes);
    head.comms     = add_array(&builder, &comm, sizeof comm);
    head.topologies = add_array(&builder, topologies, sizeof topologies);
    head.dimensions = add_array(&builder, dimensions, sizeof dimensions);
    head.coordinates = add_array(&builder, coordinate, sizeof coordinate);
    head.groups = head.members = head.comms;
    head.texts = add_array(&builder, builder.texts, builder.n_texts);
    head.bytes = builder.n;
    defs       = (hd_defs *)(void *)builder.data;
    *defs      = head;
    free(all);
    free(processes);
    free(locations);
    return defs;
}
