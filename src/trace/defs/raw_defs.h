/* src/trace/defs/raw_defs.h: global definitions as they stand in the archive, its numbers still in them. Inside of defs
 * only.
 * Uses: base. Owner: hd_defs_read(), for as long as it runs. MT: main thread only. Ranks: local.
 * Grows with: the definitions.
 */
#ifndef HD_RAW_DEFS_H
#define HD_RAW_DEFS_H

#include "bytes.h"
#include "defs.h"
#include "status.h"
#include "table.h"

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
    uint32_t ref, name, node_class, parent, domains;
} raw_node;

typedef struct raw_property { /* of a node of the system tree */
    uint32_t node, name;
    uint32_t string; /* its value; HD_NONE: a number */
    uint32_t number; /* text */
} raw_property;

typedef struct raw_region {
    uint32_t  ref, name, canonical, file;
    hd_region region;
} raw_region;

typedef struct raw_comm {
    uint32_t ref, name, group_a, group_b;
} raw_comm;

typedef struct raw_window {
    uint32_t ref, name, comm;
} raw_window;

typedef struct raw_dimension {
    uint32_t ref, name, size, periodic;
} raw_dimension;

#define MAX_DIMENSIONS 16 /* topologies of more are left out */

typedef struct raw_topology {
    uint32_t ref, name, comm, n_dimensions;
    uint32_t dimensions[MAX_DIMENSIONS];
} raw_topology;

typedef struct raw_coordinate {
    uint32_t topology, rank, n;
    uint32_t x[MAX_DIMENSIONS];
} raw_coordinate;

typedef struct raw_place { /* in the source */
    uint32_t ref, file, line;
} raw_place;

typedef struct raw_context { /* of calls */
    uint32_t ref, region, place, parent;
} raw_context;

typedef struct raw_sampler {
    uint32_t name;
    bool     is_time;
    bool     is_decimal; /* the exponent is of 10, not of 2 */
    int64_t  exponent;
    uint64_t period;
} raw_sampler;

typedef struct raw_io_name { /* an interface for files, or a file */
    uint32_t ref, name;
} raw_io_name;

typedef struct raw_io_handle {
    uint32_t ref, name, file, paradigm, comm, parent;
} raw_io_handle;

typedef struct raw_file_comm { /* see hd_file_handle */
    uint32_t name; /* text */
    uint32_t comm; /* index in comms */
} raw_file_comm;

typedef struct raw_metric { /* a metric member */
    uint32_t ref, name, what, unit;
    uint8_t  type, mode, is_binary;
    int64_t  exponent;
} raw_metric;

typedef struct raw_metric_set { /* a class, or an instance of one */
    uint32_t ref, of;           /* of: the class; HD_NONE: it is one */
    uint32_t first, n;          /* of a class: in metric_members */
    uint8_t  occurrence, scope; /* as OTF2 */
    uint64_t scope_ref;
} raw_metric_set;

#define RAW_LIST(type, name)                                                                                           \
    type  *name;                                                                                                       \
    size_t n_##name, capacity_##name

typedef struct raw_defs {
    uint64_t resolution, first_time, length;
    hd_bytes text;
    RAW_LIST(raw_string, strings);
    RAW_LIST(raw_group, groups);
    RAW_LIST(raw_location_group, location_groups);
    RAW_LIST(raw_location, locations);
    RAW_LIST(raw_node, nodes);
    RAW_LIST(raw_property, properties);
    RAW_LIST(raw_region, regions);
    RAW_LIST(raw_comm, comms);
    RAW_LIST(raw_window, windows);
    RAW_LIST(raw_dimension, dimensions);
    RAW_LIST(raw_topology, topologies);
    RAW_LIST(raw_coordinate, coordinates);
    RAW_LIST(raw_place, places);
    RAW_LIST(raw_context, contexts);
    RAW_LIST(raw_sampler, samplers);
    RAW_LIST(raw_io_name, io_paradigms);
    RAW_LIST(raw_io_name, io_files);
    RAW_LIST(raw_io_handle, io_handles);
    RAW_LIST(hd_file, files); /* these three of file_defs.h */
    RAW_LIST(hd_file_handle, file_handles);
    RAW_LIST(raw_file_comm, file_comms);
    RAW_LIST(raw_metric, metrics);
    RAW_LIST(raw_metric_set, metric_sets);
    RAW_LIST(uint32_t, metric_members);  /* refs of metrics */
    RAW_LIST(hd_counter_def, counters);  /* these three of counter_defs.h; [n_sync_counters] first */
    RAW_LIST(hd_recorded_set, sets);
    RAW_LIST(uint32_t, set_members);
    size_t   n_sync_counters;
    hd_table string_index, region_index, location_index, location_group_index, group_index, node_index, comm_index,
        window_index, topology_index, dimension_index, place_index, context_index, io_paradigm_index, io_file_index,
        io_handle_index, metric_index, metric_set_index;
    char    *creator, *machine, *shared_processors, *version; /* of the anchor; all but version may be NULL */
} raw_defs;

/* Reads the anchor and all definitions; raw: zeroed. hd_raw_defs_fini() it in any case.
 * Errors: HD_EFORMAT, it is no OTF2 archive, or has nothing in it to analyse. */
hd_status hd_raw_defs_read(const char *anchor, raw_defs *raw);
void      hd_raw_defs_fini(raw_defs *raw);

/* Text of the archive's string number ref, 0 ("") if there is none. */
uint32_t hd_raw_defs_text(const raw_defs *raw, uint32_t ref);

/* Adds a text, returns its offset; 0 where texts have become too long to be numbered. */
uint32_t hd_raw_defs_add_text(raw_defs *raw, const char *text);

#endif
