/* src/report/cube_reader.h: reading a Cube4 report, ours or of another tool.
 *
 * Reads what is met in the wild: both byte orders, a gzip'ed anchor, rows compressed with zlib, sparse and dense indexes,
 * metrics stored inclusively or exclusively, tar headers with wrong checksums or sizes. Derived metrics, hidden ones, and those
 * whose values are no numbers are left out, and so are topologies and coordinates that cannot be right, or are
 * of something else than locations. A file is taken for damaged or hostile until checked: every size is held against the file before it is used.
 * Uses: base; expat and zlib inside. Owner: hd_cube_close(). Grows with: regions, call paths, locations; values are read row by
 * row. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_CUBE_READER_H
#define HD_CUBE_READER_H

#include "status.h"
#include "types.h"

typedef struct hd_cube_metric {
    const char *id, *name, *unit, *what; /* "time", "Time", "sec", "..."; "" if not given */
    uint32_t    parent;                  /* in metrics; HD_NONE: a root, or below one that is left out */
    uint32_t    number;                  /* in the names of its members */
    uint8_t     format;                  /* how a value is stored, known to the reader alone */
    bool        is_inclusive;            /* how it is stored; rows come out exclusive anyway */
    bool        is_integer;
    bool        is_extreme;              /* a minimum or maximum: sums of it mean nothing */
} hd_cube_metric;

typedef struct hd_cube_path {
    const char *name;       /* of its region; parameters appended as {key=value} */
    const char *file, *paradigm, *role;
    uint32_t    parent;     /* in paths, smaller than its own index; HD_NONE: a root */
    uint32_t    number;     /* its id in the file */
    int32_t     begin_line; /* -1: unknown */
} hd_cube_path;

typedef struct hd_cube_location { /* in the order of columns */
    const char *name;
    const char *process_name;
    uint32_t    process; /* rank of its location group */
    uint32_t    thread;  /* its own rank */
    uint32_t    group;   /* number of its location group in the order of the file */
    uint32_t    node;    /* in nodes: the node that its process runs on, else what it stands at */
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
    uint32_t          *rows;       /* [n_rows] of 1 + n_dimensions numbers: location, x0, x1, ...; a location may have several */
    uint32_t           n_dimensions;
    size_t             n_rows;
} hd_cube_topology;

/* What a dimension is called: its name; where it has none, "x", "y", "z", "w", "v", "u" by its number, and behind these, or where another one has
 * that name, "d6", "d7", ... */
const char *hd_cube_dimension_name(const hd_cube_topology *topology, uint32_t dimension);

#define HD_NODE_ATTRIBUTE "Heddle::Node" /* of a level of the system tree: it is a node. Without it the class says so */

typedef struct hd_cube_attribute {
    const char *key, *value;
} hd_cube_attribute;

typedef struct hd_cube {
    const char        *path;
    hd_cube_metric    *metrics;    /* [n_metrics] parents before children */
    hd_cube_path      *paths;      /* [n_paths] depth-first, as in the file */
    hd_cube_location  *locations;  /* [n_locations] */
    const char       **nodes;      /* [n_nodes] names of the nodes of the system tree, parents before children */
    hd_cube_topology  *topologies; /* [n_topologies] */
    hd_cube_attribute *attributes; /* [n_attributes] of the report as a whole */
    uint32_t           n_metrics, n_paths, n_locations, n_attributes, n_groups, n_nodes, n_topologies;
    struct hd_cube_file *file; /* the reader's own */
} hd_cube;

/* Errors: HD_EOPEN, HD_EREAD, HD_EFORMAT with what is wrong. */
hd_status hd_cube_open(const char *path, hd_cube **cube);
void      hd_cube_close(hd_cube *cube);

/* The number of a metric by its id, HD_NONE if the report does not have it. */
uint32_t hd_cube_metric_by_id(const hd_cube *cube, const char *id);

/* The values of a metric at one call path, exclusive along the call tree, as stored along the metric tree.
 *   values   [n_locations] out
 *   any      out: false if all are zero and the file has no row for it (values are set all the same)
 * Cost: O(n_locations) and a read for the row and, for metrics stored inclusively, for each child. Asking metric by metric is
 * cheap, going back and forth between metrics reads an index each time.
 * Errors: HD_EREAD, HD_EFORMAT. */
hd_status hd_cube_row(hd_cube *cube, uint32_t metric, uint32_t path, double *values, bool *any);

/* The same, summed over call paths: added to values. selected: [n_paths] those that count, NULL: all. Errors: likewise; values are undefined then. */
hd_status hd_cube_sum(hd_cube *cube, uint32_t metric, const bool *selected, double *values);

/* A further file that the report carries, such as "heddle.findings.tsv": *text is free()d by the caller, NUL behind its bytes;
 * NULL if there is none. Errors: HD_EREAD; HD_ESIZE, larger than max_bytes. */
hd_status hd_cube_misc(hd_cube *cube, const char *name, size_t max_bytes, char **text, size_t *bytes);

#endif
