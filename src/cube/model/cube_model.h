/* src/cube/model/cube_model.h: a Cube4 report as data.
 *
 * cube_reader.h makes one of a file. One can also be put together by hand, to be written by cube_out.h: file stays
 * NULL, arrays and texts are the maker's own. Values are not in it: cube_values.h reads them row by row.
 * Uses: base. Grows with: regions, call paths, locations. MT: read only. Ranks: local.
 */
#ifndef HD_CUBE_MODEL_H
#define HD_CUBE_MODEL_H

#include "status.h"
#include "types.h"

/* All texts: "" if not given, never NULL, unless said otherwise. */

#define HD_NODE_ATTRIBUTE "Heddle::Node" /* of a level of the system tree: it is a node. Without it the class says so */

typedef struct hd_cube_attribute {
    const char *key, *value;
} hd_cube_attribute;

typedef struct hd_cube_slice { /* of part_attributes, or of parameters */
    uint32_t first, n;
} hd_cube_slice;

typedef struct hd_cube_parameter { /* of a call path */
    const char *key, *value;
    bool        is_number;
} hd_cube_parameter;

typedef enum hd_cube_kind {
    HD_CUBE_STORED,                /* has values in the file */
    HD_CUBE_PREDERIVED_INCLUSIVE,  /* computed from the inclusive values of each call path and location */
    HD_CUBE_PREDERIVED_EXCLUSIVE,  /* computed from the exclusive values of each call path and location */
    HD_CUBE_POSTDERIVED            /* computed from sums */
} hd_cube_kind;

typedef struct hd_cube_metric {
    const char   *id, *name, *unit, *what; /* "time", "Time", "sec", "..." */
    const char   *url;                     /* "@mirror@" at the begin: one of mirrors */
    const char   *type;                    /* of its values, as in the file: "DOUBLE", "UINT64", ...; for writing only
                                            * in HD_ANCHOR_OF_ANALYSIS, NULL: as it is there */
    const char   *expression;              /* CubePL, of derived ones */
    const char   *preparation;             /* CubePL, run once before anything is computed; of derived ones */
    const char   *plus, *minus, *together; /* CubePL: how values are put together in place of + and -, and along the
                                            * system tree; of derived ones */
    uint32_t      parent;                  /* in metrics; HD_NONE: a root, or below one that is left out */
    uint32_t      number;                  /* its id in the file, and in the names of its members */
    hd_cube_slice attributes;
    hd_cube_kind  kind;
    uint8_t       format;       /* how a value is stored, known to the reader alone */
    bool          is_inclusive; /* how it is stored; rows come out exclusive anyway */
    bool          is_integer;   /* cells are integers; never of derived ones */
    bool          is_unsigned;  /* integers above INT64_MAX can occur: cells are to be taken as uint64_t */
    bool          is_extreme;   /* a minimum or maximum: sums of it mean nothing */
    bool          is_minimum;   /* which of them */
    bool          is_additive;  /* values of call paths and locations may be added up: not of extreme ones, and not of
                                 * HD_CUBE_POSTDERIVED ones but where the sum of results is the result of sums, as that
                                 * of a + b */
    bool          is_hidden;    /* not to be shown; others may be computed from it */
} hd_cube_metric;

typedef struct hd_cube_region {
    const char   *name, *mangled_name, *file, *paradigm, *role, *url, *what;
    uint32_t      number;               /* its id in the file */
    int32_t       begin_line, end_line; /* -1: unknown */
    hd_cube_slice attributes;
} hd_cube_region;

typedef struct hd_cube_path {
    const char   *name;   /* of its region; parameters appended as {key=value} */
    uint32_t      region; /* in regions */
    uint32_t      parent; /* in paths, smaller than its own index; HD_NONE: a root */
    uint32_t      number; /* its id in the file */
    const char   *call_file; /* where it is called */
    int32_t       call_line; /* -1: unknown */
    hd_cube_slice parameters, attributes;
} hd_cube_path;

typedef struct hd_cube_node { /* of the system tree: a machine, a rack, a node, a socket, ... */
    const char   *name, *class_name, *what;
    uint32_t      parent; /* in nodes, smaller than its own index; HD_NONE: a root */
    hd_cube_slice attributes;
} hd_cube_node;

typedef struct hd_cube_group { /* a location group: usually a process */
    const char   *name;
    const char   *type; /* "process", "metrics", "accelerator" */
    uint32_t      rank;
    uint32_t      parent; /* in nodes: what it stands at */
    uint32_t      node;   /* in nodes: the node that it runs on, else its parent */
    hd_cube_slice attributes;
} hd_cube_group;

typedef struct hd_cube_location { /* in the order of columns */
    const char   *name;
    const char   *type; /* "thread", "metric", "accelerator stream" */
    const char   *process_name;
    uint32_t      process; /* rank of its location group */
    uint32_t      thread;  /* its own rank */
    uint32_t      group;   /* in groups */
    uint32_t      node;    /* in nodes: the node that its process runs on, else what it stands at */
    hd_cube_slice attributes;
} hd_cube_location;

#define HD_CUBE_DIMENSIONS_MAX 32

typedef struct hd_cube_dimension {
    const char *name; /* "" if not given */
    uint32_t    size; /* > 0 */
    bool        is_periodic;
} hd_cube_dimension;

typedef struct hd_cube_topology { /* a Cartesian topology */
    const char        *name;       /* "" if not given */
    hd_cube_dimension *dimensions; /* [n_dimensions] */
    uint32_t          *rows;       /* [n_rows] of 1 + n_dimensions numbers: location, x0, x1, ...; a location may have
                                    * several */
    uint32_t           n_dimensions;
    size_t             n_rows;
} hd_cube_topology;

/* What a dimension is called: its name; where it has none, "x", "y", "z", "w", "v", "u" by its number, and after these,
 * or where another one has that name, "d6", "d7", ... */
const char *hd_cube_dimension_name(const hd_cube_topology *topology, uint32_t dimension);

typedef struct hd_cube_left_out { /* a metric that is not in metrics */
    const char *id;
    const char *why; /* "its values are of type \"TAU_ATOMIC\"" */
} hd_cube_left_out;

/* A value: which one says is_integer of the metric. */
typedef union hd_cube_cell {
    double  real;
    int64_t integer; /* is_unsigned: its bits are those of an uint64_t */
} hd_cube_cell;

typedef struct hd_cube_part { /* a part of a stored value */
    uint32_t     metric, path, location;
    hd_cube_cell value;
} hd_cube_part;

typedef struct hd_cube {
    const char        *path;       /* of the file */
    const char        *version;    /* of the format: "4.4" */
    hd_cube_metric    *metrics;    /* [n_metrics + n_hidden] parents before children; the hidden ones stand after all
                                    * others */
    hd_cube_region    *regions;    /* [n_regions] as in the file */
    hd_cube_path      *paths;      /* [n_paths] depth-first, as in the file */
    hd_cube_node      *nodes;      /* [n_nodes] depth-first, as in the file */
    hd_cube_group     *groups;     /* [n_groups] as in the file */
    hd_cube_location  *locations;  /* [n_locations] */
    hd_cube_topology  *topologies; /* [n_topologies] */
    hd_cube_attribute *attributes; /* [n_attributes] of the report as a whole */
    hd_cube_attribute *part_attributes; /* [n_part_attributes] of its parts */
    hd_cube_parameter *parameters; /* [n_parameters] */
    const char       **mirrors;    /* [n_mirrors] places where url of metrics are to be looked for */
    const char       **misc;       /* [n_misc] names of the further files that the report carries, see hd_cube_misc() */
    hd_cube_left_out  *left_out;   /* [n_left_out] */
    uint32_t n_metrics, n_hidden, n_regions, n_paths, n_nodes, n_groups, n_locations, n_topologies, n_attributes,
        n_part_attributes, n_parameters, n_mirrors, n_misc, n_left_out;
    struct hd_cube_file *file; /* the reader's own */
    bool *skipped; /* [n_paths] whose values cube_values.h gives as zero; NULL: none. Freed with the report */
    hd_cube_part *taken_off; /* [n_taken_off] by metric, path, location: cube_values.h gives stored values without
                              * these; NULL: none. Freed with the report */
    size_t        n_taken_off;
} hd_cube;

/* An attribute of the report as a whole, lent; NULL: it has none of this key. */
const char *hd_cube_attribute_get(const hd_cube *cube, const char *key);

/* The number of a metric by its id, HD_NONE if the report does not have it, or hides it. */
uint32_t hd_cube_metric_by_id(const hd_cube *cube, const char *id);

static inline double
hd_cube_cell_value(const hd_cube_metric *metric, hd_cube_cell cell)
{
    if (!metric->is_integer)
        return cell.real;
    return metric->is_unsigned ? (double)(uint64_t)cell.integer : (double)cell.integer;
}

#endif
