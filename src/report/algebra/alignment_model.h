/* src/report/algebra/alignment_model.h: an alignment of several reports while it is made: the common dimensions, and
 * what its parts share.
 *
 * alignment.h is what others use. alignment_metrics.c, alignment_paths.c and alignment_system.c each fill a part of the
 * model.
 * Uses: cube_reader, table. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_ALIGNMENT_MODEL_H
#define HD_ALIGNMENT_MODEL_H

#include "cube_reader.h"
#include "table.h"

typedef enum hd_alignment_sums {
    HD_SUMS_NONE,
    HD_SUMS_OF_PROCESSES, /* the reports have the same processes, but different threads: the model has one location for
                           * each process */
    HD_SUMS_OF_ALL        /* different processes: the model has one location */
} hd_alignment_sums;

typedef struct hd_alignment {
    hd_cube       *const *cubes;     /* [n_cubes] lent */
    uint32_t              n_cubes;
    uint32_t              n_of_a;    /* of a comparison: how many of them, the first ones, are runs of A */
    hd_cube               model;     /* the common dimensions, and whatever the first report that has it says of a part;
                                      * no file, no attributes. left_out: metrics that cannot be combined */
    uint32_t            **metric_of; /* [n_cubes][model.n_metrics] number in that report, HD_NONE: it does not have
                                      * it */
    uint32_t            **path_of;   /* [n_cubes][model.n_paths] likewise, of several that are added up the first */
    uint32_t            **next_path; /* [n_cubes][call paths of that report] the next one that is added up with it,
                                      * HD_NONE: there is none */
    bool                  adds_places; /* some call paths of a name whose lines do not correspond are added up */
    uint32_t            **column_of; /* [n_cubes][locations of that report] number in the model */
    uint32_t             *first;     /* [model.n_metrics] the first report that has it */
    hd_alignment_sums     sums;      /* of which locations those of the model are */
    struct hd_alignment_own *own;
} hd_alignment;

/* ---- inside of the component only -------------------------------------------------------------------------------- */

typedef struct hd_alignment_own {
    hd_table      name_ids; /* by hash */
    const char  **names;    /* [n_names] lent by the reports */
    size_t        n_names, names_capacity;
    hd_cube_cell *row;      /* [locations of the largest report] */
    hd_cube_cell *cells;    /* [model.n_locations] */
    char        **texts;    /* [n_texts] made here */
    size_t        n_texts, texts_capacity;
    size_t        attributes_capacity, parameters_capacity, left_out_capacity, paths_capacity, regions_capacity,
        metrics_capacity, nodes_capacity, groups_capacity, locations_capacity, topologies_capacity, mirrors_capacity;
} hd_alignment_own;

/* Same as HD_PUSH for arrays of a model, whose numbers of elements have 32 bits. */
#define HD_MODEL_PUSH(array, n, capacity, value)                                                                       \
    do {                                                                                                               \
        if ((size_t)(n) == (capacity))                                                                                 \
            (array) = hd_grow((array), (n), &(capacity), sizeof *(array));                                             \
        (array)[(n)++] = (value);                                                                                      \
    } while (0)

/* Each adds its part to the model and fills the part of metric_of, path_of or column_of. Errors: none. */
void hd_align_metrics(hd_alignment *alignment, bool takes_all);
void hd_align_paths(hd_alignment *alignment, bool one_program);
void hd_align_system(hd_alignment *alignment, bool takes_all);

/* Frees nodes, groups and locations of the model. */
void hd_alignment_clear_system(hd_alignment *alignment);

/* A hash of a text, for keys; hash: 0, or that of what stands before it. */
uint64_t hd_text_hash(uint64_t hash, const char *text);

/* The same number for the same name. name: lent, as long as the alignment lives. */
uint32_t hd_alignment_name(hd_alignment_own *own, const char *name);

/* Copies of what a part of a report has. */
hd_cube_slice hd_model_copy_attributes(hd_alignment *alignment, const hd_cube *cube, hd_cube_slice slice);
hd_cube_slice hd_model_copy_parameters(hd_alignment *alignment, const hd_cube *cube, hd_cube_slice slice);

/* The place of each node in the depth-first order of its tree: [n], free() it. parents: [n] */
uint32_t *hd_depth_first_places(const uint32_t *parents, uint32_t n);

/* Puts an array of nodes, each with its parent, in depth-first order. places: uint32_t *, out, free() it. */
#define HD_ORDER_DEPTH_FIRST(type, array, n, places)                                                                   \
    do {                                                                                                               \
        uint32_t *parents = HD_NEW_ARRAY(uint32_t, (size_t)(n) + 1);                                                   \
        type     *ordered = HD_NEW_ARRAY(type, (size_t)(n) + 1);                                                       \
                                                                                                                       \
        for (uint32_t i_ = 0; i_ < (n); i_++)                                                                          \
            parents[i_] = (array)[i_].parent;                                                                          \
        (places) = hd_depth_first_places(parents, (n));                                                                \
        for (uint32_t i_ = 0; i_ < (n); i_++) {                                                                        \
            ordered[(places)[i_]] = (array)[i_];                                                                       \
            if (parents[i_] != HD_NONE)                                                                                \
                ordered[(places)[i_]].parent = (places)[parents[i_]];                                                  \
        }                                                                                                              \
        free(array);                                                                                                   \
        free(parents);                                                                                                 \
        (array) = ordered;                                                                                             \
    } while (0)

/* [n_model] the number in a report of each thing of the model, HD_NONE: it has none; free() it.
 *   to_model   [n] the number in the model of each thing of the report, before the model was put in order, HD_NONE: it
 *              is left out
 *   places     [n_model] of each thing in the ordered model */
uint32_t *hd_alignment_invert(const uint32_t *to_model, uint32_t n, const uint32_t *places, uint32_t n_model);

#endif
