/* src/cube/pl/cube_derived.h: metrics that are computed from others. Private to the component; what it offers is
 * declared in cube_values.h.
 *
 * cube_derived_open.c finds out what can be computed, cube_fact.c knows what the report says of itself, cube_derived.c
 * computes values. Expressions are parsed once, when the report is opened; what is prepared for all of them is run
 * then, too. A metric that cannot be computed, or is computed from one, goes to left_out with the reason; so does one
 * that takes too long. Values are computed row by row when they are asked for; only sums over all places
 * (metric::fixed::, metric::call::) are kept, one per call path.
 *
 * Uses: cube_file, cube_pl. MT and Ranks: as cube_reader.h.
 */
#ifndef HD_CUBE_DERIVED_H
#define HD_CUBE_DERIVED_H

#include "cube_file.h"
#include "cube_pl.h"
#include "table.h"

typedef struct hd_metric_sums { /* of a metric, over all locations */
    uint32_t metric;
    double  *exclusive, *inclusive; /* [n_paths] */
    double   total;
} hd_metric_sums;

typedef struct hd_derived_metric {
    hd_pl_program program;
    bool          is_void; /* all zero */
    /* while the report is opened */
    char         *why;     /* it is left out; NULL: it is not */
    uint8_t       mark;    /* whether it was looked at */
    int           depth;   /* of the metrics that it is computed from, and so on */
    double        cost[2]; /* of an exclusive and an inclusive row */
} hd_derived_metric;

typedef struct hd_named_metric { /* a metric, or one that is left out: metric is then a number above those of the
                                  * metrics */
    const char *id;
    uint32_t    metric;
} hd_named_metric;

typedef struct hd_derived {
    hd_pl_machine      machine;
    hd_derived_metric *metrics;        /* as cube->metrics */
    hd_table           paths, regions; /* by their ids in the file */
    uint32_t          *n_children;     /* [n_paths] */
    hd_named_metric   *names;          /* [n_names] ascending; while the report is opened */
    size_t             n_names;
    hd_metric_sums    *sums;           /* [n_sums] made so far */
    size_t             n_sums, sums_capacity;
    /* what a value is computed for */
    uint32_t           metric, path, location;
    hd_pl_flavour      flavour;
} hd_derived;

/* Once everything else is read. Takes metrics out of cube->metrics. */
void hd_cube_derived_open(hd_cube *cube);
void hd_cube_derived_close(hd_cube *cube);

/* Whether what an expression prepares says that a metric is to be zero. */
bool hd_cube_is_void(const hd_cube *cube, uint32_t metric);

/* hd_cube_cells() of a metric that is derived or void. */
hd_status hd_cube_derived_cells(hd_cube *cube, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any);

/* What expressions ask: context is the hd_cube. */
hd_pl_value hd_cube_fact(void *context, hd_pl_fact fact, double index);
double      hd_cube_called(void *context, const hd_pl_reference *reference, double path);

/* A call path by its id in the file, HD_NONE if there is none. */
uint32_t hd_cube_path_by_number(const hd_cube *cube, double number);

#endif
