#include "page_values.h"

#include <math.h>

#include "memory.h"

enum { MAX_LEVELS = 8 }; /* 16^8 call paths and more than can be numbered */

typedef struct value_level {
    double  *rows;   /* [HD_PAGE_CHUNK][n_locations] those of the chunk that are there, without gaps */
    double  *sum;    /* [n_locations] of a chunk, for the level above */
    uint32_t mask;   /* which rows of the chunk are there */
    uint32_t n_rows; /* of the chunk so far */
    uint32_t chunk;
} value_level;

typedef struct values_writer {
    const hd_cube_metric *metric;
    hd_page_packer       *packer;
    hd_out_file          *out;
    uint64_t              begin; /* of the metric's text, in the file */
    size_t                n_locations;
    value_level                 levels[MAX_LEVELS];
    uint32_t              n_levels;
    hd_page_metric       *result;
} values_writer;

/* What combining begins with, and what is not stored. */
static double
nothing(const hd_cube_metric *metric)
{
    return metric->is_extreme ? NAN : 0;
}

static inline double
combine(const hd_cube_metric *metric, double a, double b)
{
    if (!metric->is_extreme)
        return a + b;
    return metric->is_minimum ? fmin(a, b) : fmax(a, b); /* the other one, if one is NaN */
}

static void
combine_rows(const hd_cube_metric *metric, double *to, const double *row, size_t n)
{
    if (!metric->is_extreme)
        for (size_t i = 0; i < n; i++)
            to[i] += row[i];
    else
        for (size_t i = 0; i < n; i++)
            to[i] = combine(metric, to[i], row[i]);
}

static void
clear(const hd_cube_metric *metric, double *row, size_t n)
{
    for (size_t i = 0; i < n; i++)
        row[i] = nothing(metric);
}

/* Of extreme metrics a zero stands where nothing was measured, as profilers write it. */
static void
take_zeros_out(const hd_cube_metric *metric, double *row, size_t n)
{
    for (size_t i = 0; metric->is_extreme && i < n; i++)
        if (row[i] == 0)
            row[i] = NAN;
}

static bool
is_there(const hd_cube_metric *metric, const double *row, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (metric->is_extreme ? !isnan(row[i]) : row[i] != 0)
            return true;
    return false;
}

static hd_page_place
put_numbers(values_writer *writer, const uint32_t *mask, const double *numbers, size_t n)
{
    hd_page_place place = { .at = hd_out_file_place(writer->out) - writer->begin };

    place.n = hd_page_pack_numbers(writer->packer, mask, numbers, n, writer->out);
    return place;
}

/* The rows of a chunk that are there, in one stream or in a stream for each. */
static hd_page_block
put_rows_of_chunk(values_writer *writer, uint32_t i_level)
{
    const value_level *level  = &writer->levels[i_level];
    hd_page_metric    *result = writer->result;
    size_t             n = writer->n_locations, n_there = (size_t)__builtin_popcount(level->mask);
    hd_page_block      block = { .level = i_level, .chunk = level->chunk, .first_row = result->n_row_lengths };

    if (n < HD_PAGE_ROW_ALONE) {
        block.place = put_numbers(writer, &level->mask, level->rows, n_there * n);
        return block;
    }
    block.mask     = level->mask;
    block.place.at = hd_out_file_place(writer->out) - writer->begin;
    for (size_t i = 0; i < n_there; i++) {
        hd_page_place row = put_numbers(writer, NULL, level->rows + i * n, n);

        HD_PUSH(result->row_lengths, result->n_row_lengths, result->row_lengths_capacity, row.n);
        block.place.n += row.n;
    }
    return block;
}

static void put_row(values_writer *writer, uint32_t i_level, const double *row);

static void
end_chunk(values_writer *writer, uint32_t i_level)
{
    value_level *level  = &writer->levels[i_level];
    size_t n      = writer->n_locations, n_there = (size_t)__builtin_popcount(level->mask);
    double *sum   = NULL;

    if (level->n_rows == 0)
        return;
    if (level->mask != 0) {
        hd_page_metric *result = writer->result;

        hd_page_block   block  = put_rows_of_chunk(writer, i_level);

        HD_PUSH(result->blocks, result->n_blocks, result->blocks_capacity, block);
        sum = level->sum;
        clear(writer->metric, sum, n);
        for (size_t i = 0; i < n_there; i++)
            combine_rows(writer->metric, sum, level->rows + i * n, n);
    }
    level->chunk++;
    level->mask   = 0;
    level->n_rows = 0;
    if (i_level + 1 < writer->n_levels)
        put_row(writer, i_level + 1, sum);
}

/* row: NULL for one of zeros. */
static void
put_row(values_writer *writer, uint32_t i_level, const double *row)
{
    value_level *level = &writer->levels[i_level];
    size_t n     = writer->n_locations;

    if (row != NULL && is_there(writer->metric, row, n)) {
        memcpy(level->rows + (size_t)__builtin_popcount(level->mask) * n, row, n * sizeof *row);
        level->mask |= 1u << level->n_rows;
    }
    if (++level->n_rows == HD_PAGE_CHUNK)
        end_chunk(writer, i_level);
}

static void
open_levels(values_writer *writer, uint32_t n_rows)
{
    do {
        value_level *level = &writer->levels[writer->n_levels++];

        level->rows = HD_NEW_UNSET(double, HD_PAGE_CHUNK * writer->n_locations + 1);
        level->sum  = HD_NEW_UNSET(double, writer->n_locations + 1);
        n_rows      = (n_rows - 1) / HD_PAGE_CHUNK + 1;
    } while (n_rows > 1);
}

static void
close_levels(values_writer *writer)
{
    for (uint32_t i = 0; i < writer->n_levels; i++) {
        free(writer->levels[i].rows);
        free(writer->levels[i].sum);
    }
}

static double
combine_all(const hd_cube_metric *metric, const double *values, size_t n)
{
    double all = nothing(metric);

    for (size_t i = 0; i < n; i++)
        all = combine(metric, all, values[i]);
    return all;
}

/* Ratios: the page adds values up, which would mean nothing. It leaves such metrics out as it does those that are zero. */
static bool
is_ratio(const hd_cube_metric *metric)
{
    return metric->kind == HD_CUBE_POSTDERIVED && !metric->is_additive;
}

static hd_status
put_rows(values_writer *writer, const hd_page_rows *rows, const _Atomic int *stop, double *of_path, double *of_location)
{
    double   *row    = HD_NEW_UNSET(double, writer->n_locations + 1);
    hd_status status = HD_OK;

    for (uint32_t path = 0; path < rows->n_paths && status == HD_OK; path++) {
        bool any = false;

        if (!is_ratio(writer->metric))
            status = rows->row(rows->context, path, row, &any);
        if (status == HD_OK && stop != NULL && *stop != 0)
            status = hd_fail(HD_EWRITE, "interrupted");
        if (status != HD_OK)
            break;
        if (any) {
            take_zeros_out(writer->metric, row, writer->n_locations);
            of_path[path] = combine_all(writer->metric, row, writer->n_locations);
            combine_rows(writer->metric, of_location, row, writer->n_locations);
        }
        put_row(writer, 0, any ? row : NULL);
    }
    free(row);
    return status;
}

void
hd_page_metric_fini(hd_page_metric *metric)
{
    free(metric->blocks);
    free(metric->of_path);
    free(metric->row_lengths);
    *metric = (hd_page_metric){ 0 };
}

hd_status
hd_page_values_write(const hd_page_rows *rows, hd_page_packer *packer, const _Atomic int *stop, hd_out_file *out, hd_page_metric *result)
{
    const hd_cube_metric *metric      = rows->metric;
    values_writer         writer      = { .metric = metric, .packer = packer, .out = out, .begin = hd_out_file_place(out),
                                          .n_locations = rows->n_columns, .result = result };
    double               *of_path     = HD_NEW_UNSET(double, (size_t)rows->n_paths + 1);
    double               *of_location = HD_NEW_UNSET(double, rows->n_columns + 1);
    hd_status             status;

    *result = (hd_page_metric){ .total = nothing(metric) };
    clear(metric, of_path, rows->n_paths);
    clear(metric, of_location, rows->n_columns);
    open_levels(&writer, rows->n_paths > 0 ? rows->n_paths : 1);
    status = put_rows(&writer, rows, stop, of_path, of_location);
    for (uint32_t i = 0; i < writer.n_levels && status == HD_OK; i++)
        end_chunk(&writer, i);
    if (status == HD_OK && result->n_blocks > 0) {
        result->total     = combine_all(metric, of_path, rows->n_paths);
        result->locations = put_numbers(&writer, NULL, of_location, rows->n_columns);
        result->of_path   = of_path;
        result->n_paths   = rows->n_paths;
        of_path           = NULL;
    }
    if (rows->of_column != NULL)
        memcpy(rows->of_column, of_location, rows->n_columns * sizeof *of_location);
    close_levels(&writer);
    free(of_path);
    free(of_location);
    if (status != HD_OK) {
        hd_page_metric_fini(result);
    }
    return status;
}
