/* src/report/html/page_values.h: the values of a metric as streams of a page: sums per location, and rows in chunks of
 * 16, level over level. The format is that of docs/formats.md#page.
 * Private to the component. Uses: cube_reader, page_stream. MT: one thread. Ranks: local.
 * Grows with: 16 rows for each level (as many as 16 goes into the call paths, logarithmically); 40 bytes per chunk that is stored, 8 per row with a stream of its own.
 */
#ifndef HD_PAGE_VALUES_H
#define HD_PAGE_VALUES_H


#include "cube_reader.h"
#include "page_stream.h"

enum {
    HD_PAGE_CHUNK     = 16,       /* rows */
    HD_PAGE_ROW_ALONE = 16 * 1024 /* a row of so many values has a stream of its own, so that one can be read without the others */
};

/* Sums of its values, or the least or largest of them, mean something. */
static inline bool
hd_page_can_hold(const hd_cube_metric *metric)
{
    return metric->is_additive || metric->is_extreme;
}

typedef struct hd_page_place { /* of a stream in the metric's text, in characters */
    uint64_t at, n; /* n = 0: it is not there, all is zero */
} hd_page_place;

typedef struct hd_page_block {
    uint32_t      level, chunk;
    hd_page_place place;
    uint32_t      mask;       /* of the rows that have streams of their own; 0: one stream has all */
    size_t        first_row;  /* of these, in the metric's row_lengths */
} hd_page_block;

typedef struct hd_page_metric { /* what the head says of a metric's values */
    double         total; /* over all; of an extreme one its least or largest value, NaN: not known */
    double        *of_path; /* [n_paths] over all locations; NULL: all are zero. free() it */
    uint32_t       n_paths;
    hd_page_place  locations;
    hd_page_block *blocks; /* [n_blocks] free() it */
    size_t         n_blocks, blocks_capacity;
    uint64_t      *row_lengths; /* [n_row_lengths] in characters, of streams of single rows; free() it */
    size_t         n_row_lengths, row_lengths_capacity;
} hd_page_metric;

void hd_page_metric_fini(hd_page_metric *metric);

/* Where the values of a metric come from. */
typedef struct hd_page_rows {
    const hd_cube_metric *metric;
    uint32_t              n_paths;
    size_t                n_columns; /* of a row: locations, or sums of them */
    double               *of_column; /* NULL, or out, [n_columns]: the sum over all call paths */
    /* Gives the values at a call path: [n_columns] values; any: out, false: all are zero, and values are undefined. */
    hd_status (*row)(void *context, uint32_t path, double *values, bool *any);
    void *context;
} hd_page_rows;

/* Writes them to out. stop: see hd_page_options. Cost: a pass over the values of the metric.
 * Errors: those of rows->row(); HD_EWRITE, stopped. Errors of writing stay with out. metric is undefined then. */
hd_status hd_page_values_write(const hd_page_rows *rows, hd_page_packer *packer, const _Atomic int *stop, hd_out_file *out, hd_page_metric *metric);

#endif
