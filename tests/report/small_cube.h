/* tests/report/small_cube.h: a small report, described in a few lines, written to a file and read again. */
#ifndef SMALL_CUBE_H
#define SMALL_CUBE_H

#include "cube_reader.h"

typedef enum small_kind { SMALL_REAL, SMALL_INTEGER, SMALL_UNSIGNED, SMALL_MINIMUM, SMALL_MAXIMUM } small_kind;

typedef struct small_metric {
    const char *id, *unit; /* its name is the id, of counters ("c_NAME") what follows c_ */
    uint32_t    parent; /* HD_NONE: a root */
    small_kind  kind;
} small_metric;

typedef struct small_path {
    const char *name;
    uint32_t    parent;
} small_path;

typedef struct small_cube {
    const small_metric *metrics; /* [n_metrics] */
    const small_path   *paths;   /* [n_paths] depth-first */
    uint32_t            n_metrics, n_paths, n_processes, n_threads; /* threads of each process */
    /* Of a location: process * n_threads + thread. Integers are taken over as their bits. NULL: small_value() */
    hd_cube_cell (*value)(const struct small_cube *cube, uint32_t metric, uint32_t path, uint32_t location);
    double factor; /* of small_value(), 0: 1 */
    bool   has_topology;
    const char *efficiencies; /* text of the member heddle.efficiency.tsv; NULL: there is none */
    const char *const *mangled_names; /* [n_paths] of their regions; NULL: the names */
    const int32_t *lines; /* [n_paths] of their regions; NULL: not known */
} small_cube;

/* Some value that depends on the names, not on the numbers, of metric and call path, and on the location: often zero,
 * reals mostly not dyadic. */
hd_cube_cell small_value(const small_cube *cube, uint32_t metric, uint32_t path, uint32_t location);

/* Writes it to a file and opens that. */
hd_cube *small_cube_open(const small_cube *cube, const char *file);

/* How many differences there are between two reports in metrics, call paths, system, topologies and values, bit for
 * bit; says which. n_values: out, how many values are not zero */
size_t small_cubes_compare(hd_cube *a, hd_cube *b, size_t *n_values);

#endif
