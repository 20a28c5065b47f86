/* src/report/build/cube_writer.c: writes the report of an analysis: every rank the columns of its locations, rank 0 the rest. */
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "anchor_writer.h"
#include "column_block.h"
#include "counter_model.h"
#include "cube_format.h"
#include "derive.h"
#include "imbalance.h"
#include "index_out.h"
#include "memory.h"
#include "report_model.h"
#include "report_tables.h"
#include "tar_out.h"
#include "tree_order.h"

enum {
    CELL_BYTES    = 8,
    BLOCK_COLUMNS = 4096,      /* columns that are worked on at a time */
    BUFFER_BYTES  = 32 * 1024, /* = BLOCK_COLUMNS cells: of one metric */
};

/* One metric that has rows, thus two members: <number>.data and <number>.index. */
typedef struct column_group {
    uint32_t  number;
    uint32_t  n_rows;
    uint64_t *is_row;     /* [words] one bit per row of the call tree, the same on all ranks */
    uint64_t  data, index; /* places of the members' headers in the file */

    /* while values are written: */
    uint64_t *cells;      /* rows of the current columns, not written yet */
    uint64_t *row;        /* the current one in it */
    uint32_t  n_buffered; /* complete rows in cells */
    bool      is_time;    /* cells are seconds */
    uint32_t  i_row;      /* rows of this metric before the current one */
    uint32_t  n_set;      /* columns of the current row from the first one on that have values, or zeros; 0: it has none */
} column_group;

typedef struct cube_writer {
    const hd_report *report;
    const char      *file, *path; /* to open, and in errors */
    hd_derivation   *derivation;
    hd_imbalance    *imbalance;
    hd_startup_rows  startup;
    hd_tree_order    order;
    uint32_t        *path_of_row; /* [n_paths] */
    uint32_t         n_paths, n_words;
    column_group    *groups; /* [n_groups] those that have rows, by number */
    uint32_t         n_groups;
    column_group    *group_of_metric[HD_N_METRICS];
    hd_imbalance_given given; /* cells of the current row whose imbalance is not written yet, */
    uint32_t         given_columns[HD_MAX_CELLS]; /* and their columns */
    uint32_t         n_counters;
    uint64_t        *counter_rows;      /* [n_counters][n_words] like is_row */
    column_group   **group_of_counter;  /* [n_counters] */
    uint64_t         values_end; /* where the members of metrics end */
    int              fd;

    /* the current block of columns */
    hd_column_block block;
    bool            is_whole;  /* it has all columns of the report */
    uint32_t        first_run; /* end of its first run of columns of consecutive locations */
} cube_writer;

/* The end of the run of columns that begins with this one. */
static uint32_t
end_of_run(const hd_column_block *block, uint32_t column)
{
    while (++column < block->n_columns)
        if (block->locations[column].location != block->locations[column - 1].location + 1)
            break;
    return column;
}

/* The locations from first on. */
static void
take_block(cube_writer *writer, uint32_t first)
{
    uint32_t rest = writer->report->n_locations - first;

    hd_column_block_take(&writer->block, &writer->report->locations[first], rest < BLOCK_COLUMNS ? rest : BLOCK_COLUMNS);
    writer->is_whole  = writer->block.n_columns == writer->report->defs->n_locations;
    writer->first_run = end_of_run(&writer->block, 0);
}

/* ---- which rows there are ------------------------------------------------------------------------------------------------ */

static void
find_derived(const cube_writer *writer, uint32_t call_path, hd_metric_set *known)
{
    uint32_t        region  = writer->report->tree->nodes[call_path].region;
    hd_metric_terms settled = { .values = { { 0 } } };

    for (size_t i = writer->block.start[call_path], end = writer->block.start[call_path + 1]; i < end; i += HD_MAX_CELLS) {
        uint32_t                n = end - i < HD_MAX_CELLS ? (uint32_t)(end - i) : HD_MAX_CELLS;
        const hd_derived_cells *cells;
        hd_metric_set           metrics;

        if (hd_derives_only(writer->derivation, region, &writer->block.collected[i], n, known, &settled))
            continue;
        cells   = hd_derive_cells(writer->derivation, region, &writer->block.collected[i], n);
        metrics = hd_derived_metrics(cells);
        for (uint32_t metric = 0; (metric = hd_metric_set_next(&metrics, metric)) < HD_N_METRICS; metric++)
            if (!hd_metric_set_has(known, metric) && hd_derived_is_any(cells, metric))
                hd_metric_set_add(known, metric);
    }
}

static void
add_bits(const cube_writer *writer, uint64_t *bits, uint32_t row, const hd_metric_set *metrics)
{
    for (uint32_t metric = 0; (metric = hd_metric_set_next(metrics, metric)) < HD_N_METRICS; metric++)
        bits[(size_t)metric * writer->n_words + row / 64] |= UINT64_C(1) << row % 64;
}

/* bits: [HD_N_METRICS][n_words], set where any location of this rank has a value. Imbalance is known then, too. */
static void
find_rows(cube_writer *writer, uint64_t *bits, hd_analysis_comm *analysis_comm)
{
    for (uint32_t first = 0; first < writer->report->n_locations; first += BLOCK_COLUMNS) {
        take_block(writer, first);
        for (uint32_t row = 0; row < writer->n_paths; row++) {
            uint32_t      call_path = writer->path_of_row[row];
            size_t        start     = writer->block.start[call_path];
            hd_metric_set known     = { 0 };

            find_derived(writer, call_path, &known);
            add_bits(writer, bits, row, &known);
            hd_imbalance_add(writer->imbalance, call_path, &writer->block.collected[start], &writer->block.columns[start],
                             writer->block.locations, writer->block.start[call_path + 1] - start);
        }
    }
    hd_imbalance_reduce(writer->imbalance, analysis_comm);
    for (uint32_t row = 0; row < writer->n_paths; row++) {
        hd_metric_set found = hd_imbalance_found(writer->imbalance, writer->path_of_row[row]);

        add_bits(writer, bits, row, &found);
    }
}

static uint64_t
data_bytes(const cube_writer *writer, const column_group *group)
{
    return HD_CUBE_DATA_ROWS + (uint64_t)group->n_rows * writer->report->defs->n_locations * CELL_BYTES;
}

/* As find_rows(), of counters. */
static void
find_counter_rows(cube_writer *writer)
{
    uint32_t *row_of_path = HD_NEW_ARRAY(uint32_t, (size_t)writer->n_paths + 1), n = writer->n_counters;

    for (uint32_t row = 0; row < writer->n_paths; row++)
        row_of_path[writer->path_of_row[row]] = row;
    for (uint32_t l = 0; l < writer->report->n_locations; l++) {
        const hd_location_counters *counters = &writer->report->locations[l].counters;

        for (size_t i = 0; i < counters->n; i++) {
            uint32_t row = row_of_path[counters->call_paths[i]];

            for (uint32_t c = 0; c < n; c++)
                if (counters->values[i * n + c] != 0)
                    writer->counter_rows[(size_t)c * writer->n_words + row / 64] |= UINT64_C(1) << row % 64;
        }
    }
    free(row_of_path);
}

/* A metric with these rows at a place in the file; NULL: there are none. */
static column_group *
add_group(cube_writer *writer, uint32_t number, const uint64_t *is_row, bool is_time, uint64_t *place)
{
    column_group *added = &writer->groups[writer->n_groups];

    *added = (column_group){ .number = number, .is_time = is_time };
    for (uint32_t i = 0; i < writer->n_words; i++)
        added->n_rows += (uint32_t)__builtin_popcountll(is_row[i]);
    if (added->n_rows == 0)
        return NULL;
    HD_ASSERT(added->number != HD_NONE);
    added->is_row = memcpy(HD_NEW_ARRAY(uint64_t, writer->n_words), is_row, writer->n_words * sizeof *is_row);
    added->data   = *place;
    added->index  = added->data + hd_tar_member_bytes(data_bytes(writer, added));
    *place        = added->index + hd_tar_member_bytes(hd_index_bytes(added->n_rows));
    writer->n_groups++;
    return added;
}

/* Which metrics have which rows, and where their members are: known to every rank before anything is written. */
static void
lay_out(cube_writer *writer, hd_analysis_comm *analysis_comm)
{
    uint64_t *bits = HD_NEW_ARRAY(uint64_t, (size_t)HD_N_METRICS * writer->n_words + 1);
    uint32_t  numbers[HD_N_METRICS], n;
    uint64_t  place = 0;

    find_rows(writer, bits, analysis_comm);
    hd_analysis_comm_reduce(analysis_comm, bits, (size_t)HD_N_METRICS * writer->n_words, HD_OR);
    if (writer->n_counters > 0) {
        find_counter_rows(writer);
        hd_analysis_comm_reduce(analysis_comm, writer->counter_rows, (size_t)writer->n_counters * writer->n_words, HD_OR);
    }
    n              = hd_report_number_metrics(writer->derivation, numbers);
    writer->groups = HD_NEW_ARRAY(column_group, (size_t)HD_N_METRICS + writer->n_counters);
    for (uint32_t metric = 0; metric < HD_N_METRICS; metric++)
        writer->group_of_metric[metric] = add_group(writer, numbers[metric], &bits[(size_t)metric * writer->n_words],
                                                    hd_metric_infos[metric].unit == HD_UNIT_TICKS, &place);
    for (uint32_t c = 0; c < writer->n_counters; c++)
        writer->group_of_counter[c] = add_group(writer, n + 1 + c, &writer->counter_rows[(size_t)c * writer->n_words],
                                                false, &place);
    writer->values_end = place;
    free(bits);
}

/* ---- values, on all ranks ------------------------------------------------------------------------------------------------ */

/* Writes the buffered rows of a metric: in one piece if the rank has all columns, else a piece per run of columns. */
static int
flush_rows(const cube_writer *writer, column_group *group)
{
    uint64_t row_bytes = (uint64_t)writer->report->defs->n_locations * CELL_BYTES;
    uint64_t first_row = group->i_row - group->n_buffered;
    uint64_t data      = group->data + hd_tar_header_bytes(hd_tar_is_large(data_bytes(writer, group)));
    uint64_t place     = data + HD_CUBE_DATA_ROWS + first_row * row_bytes;
    int      error     = 0;

    if (group->n_buffered == 0)
        return 0;
    if (writer->is_whole)
        error = hd_write_at(writer->fd, group->cells, group->n_buffered * row_bytes, place);
    else
        for (uint32_t i = 0, end; i < writer->block.n_columns && error == 0; i = end) {
            end   = i > 0 ? end_of_run(&writer->block, i) : writer->first_run;
            error = hd_write_at(writer->fd, group->cells + i, (size_t)(end - i) * CELL_BYTES,
                                place + (uint64_t)writer->block.locations[i].location * CELL_BYTES);
        }
    group->n_buffered = 0;
    group->row        = group->cells;
    return error;
}

enum { ZEROED_COLUMNS = 64 }; /* at a time */

/* The current row, whose columns up to this one are zero where they have no value. */
static inline uint64_t *
row_with(const cube_writer *writer, column_group *group, uint32_t column)
{
    if (column >= group->n_set) {
        uint32_t end = column + ZEROED_COLUMNS;

        end = end < writer->block.n_columns ? end : writer->block.n_columns;
        memset(group->row + group->n_set, 0, (size_t)(end - group->n_set) * CELL_BYTES);
        group->n_set = end;
    }
    return group->row;
}

/* Cells of the row that follow from what these locations collected. */
static void
put_derived(const cube_writer *writer, column_group *group, const hd_derived_cells *cells, uint32_t metric,
            const uint32_t *columns, uint32_t n)
{
    const int64_t *values     = hd_derived_values(cells, metric);
    const double  *costs      = hd_derived_costs(cells, metric);
    uint64_t      *row        = row_with(writer, group, columns[n - 1]);
    double         resolution = (double)writer->report->defs->resolution;

    if (group->is_time)
        for (uint32_t i = 0; i < n; i++) {
            double seconds = ((double)values[i] + costs[i]) / resolution;

            memcpy(&row[columns[i]], &seconds, sizeof seconds);
        }
    else
        for (uint32_t i = 0; i < n; i++)
            row[columns[i]] = (uint64_t)values[i];
}

static void
put_imbalance(cube_writer *writer, const hd_imbalance_row *imbalance)
{
    hd_imbalance_cells cells;
    uint32_t           n          = writer->given.n;
    uint32_t           found      = hd_imbalance_cells_of(imbalance, &writer->given, &cells);
    double             resolution = (double)writer->report->defs->resolution;

    for (int cell = 0; cell < HD_N_IMBALANCES; cell++) {
        uint64_t *row;

        if ((found >> cell & 1) == 0)
            continue;
        row = row_with(writer, writer->group_of_metric[hd_imbalances[cell]], writer->given_columns[n - 1]);
        for (uint32_t i = 0; i < n; i++) {
            double seconds = cells.ticks[cell][i] / resolution;

            memcpy(&row[writer->given_columns[i]], &seconds, sizeof seconds);
        }
    }
    writer->given.n = 0;
}

static inline void
give(cube_writer *writer, const hd_imbalance_row *imbalance, uint32_t column, int64_t comp, bool is_visited, double critical)
{
    hd_imbalance_given *given = &writer->given;
    uint32_t            i     = given->n++;

    writer->given_columns[i] = column;
    given->locations[i]      = writer->block.locations[column].location;
    given->comp[i]           = comp;
    given->is_visited[i]     = is_visited;
    given->critical[i]       = critical;
    if (given->n == HD_MAX_CELLS)
        put_imbalance(writer, imbalance);
}

static void
fill_counters(cube_writer *writer, uint32_t call_path)
{
    uint32_t n = writer->n_counters;

    for (uint32_t column = 0; column < writer->block.n_columns; column++) {
        const hd_location_counters *counters = &writer->block.locations[column].counters;
        const uint64_t             *values   = hd_location_counters_row(counters, n, call_path);

        for (uint32_t c = 0; c < n && values != NULL; c++)
            if (values[c] != 0)
                row_with(writer, writer->group_of_counter[c], column)[column] = values[c];
    }
}

static inline bool
has_row(const column_group *group, uint32_t row)
{
    return group->is_row[row / 64] >> row % 64 & 1;
}

static void
fill_row(cube_writer *writer, uint32_t row)
{
    uint32_t         call_path = writer->path_of_row[row], region = writer->report->tree->nodes[call_path].region;
    hd_imbalance_row imbalance = hd_imbalance_row_of(writer->imbalance, call_path);
    uint32_t         next      = 0; /* column without imbalance */

    for (size_t i = writer->block.start[call_path], end = writer->block.start[call_path + 1]; i < end; i += HD_MAX_CELLS) {
        uint32_t                n       = end - i < HD_MAX_CELLS ? (uint32_t)(end - i) : HD_MAX_CELLS;
        const uint32_t         *columns = writer->block.columns + i;
        const hd_derived_cells *cells   = hd_derive_cells(writer->derivation, region, &writer->block.collected[i], n);
        const int64_t          *comp    = hd_derived_values(cells, HD_METRIC_comp);
        hd_metric_set           metrics = hd_derived_metrics(cells);

        for (uint32_t metric = 0; (metric = hd_metric_set_next(&metrics, metric)) < HD_N_METRICS; metric++) {
            column_group *group = writer->group_of_metric[metric];

            if (group != NULL && has_row(group, row))
                put_derived(writer, group, cells, metric, columns, n);
        }
        for (uint32_t k = 0; k < n && imbalance.is_any; k++) {
            for (; imbalance.is_everywhere && next < columns[k]; next++)
                give(writer, &imbalance, next, 0, false, 0);
            give(writer, &imbalance, columns[k], comp[k], cells->visits[k] > 0, cells->critical[k]);
            next = columns[k] + 1;
        }
    }
    for (; imbalance.is_everywhere && next < writer->block.n_columns; next++)
        give(writer, &imbalance, next, 0, false, 0);
    if (writer->given.n > 0)
        put_imbalance(writer, &imbalance);
    if (writer->n_counters > 0)
        fill_counters(writer, call_path);
}

/* Rows of all columns follow each other in the file. */
static uint32_t
max_buffered_of(const cube_writer *writer)
{
    return writer->is_whole ? BUFFER_BYTES / (writer->block.n_columns * CELL_BYTES) : 1;
}

/* Counts the row off in all metrics that have it. Rows without any value of this rank stay as they are: zeros. */
static int
finish_row(cube_writer *writer, uint32_t row)
{
    uint32_t max_buffered = max_buffered_of(writer);
    int      error        = 0;

    for (uint32_t i = 0; i < writer->n_groups; i++) {
        column_group *group = &writer->groups[i];

        if (!has_row(group, row))
            continue;
        group->i_row++;
        if (group->n_set == 0)
            continue;
        memset(group->row + group->n_set, 0, (size_t)(writer->block.n_columns - group->n_set) * CELL_BYTES);
        group->n_set = 0;
        group->n_buffered++;
        group->row += writer->block.n_columns;
        if (group->n_buffered >= max_buffered && error == 0)
            error = flush_rows(writer, group);
    }
    return error;
}

/* Room for all its rows, or as many as are buffered. */
static void
make_cells(const cube_writer *writer, column_group *group)
{
    uint32_t most      = max_buffered_of(writer);
    size_t   n_rows    = group->n_rows < most ? group->n_rows : most;
    uint32_t n_columns = writer->report->n_locations < BLOCK_COLUMNS ? writer->report->n_locations : BLOCK_COLUMNS;

    group->row = group->cells = HD_NEW_UNSET(uint64_t, n_rows * n_columns);
}

static int
write_values(cube_writer *writer)
{
    int error = 0;

    for (uint32_t i = 0; i < writer->n_groups; i++)
        make_cells(writer, &writer->groups[i]);
    for (uint32_t first = 0; first < writer->report->n_locations && error == 0; first += BLOCK_COLUMNS) {
        if (first > 0 || writer->report->n_locations > BLOCK_COLUMNS)
            take_block(writer, first); /* else it still is there */
        for (uint32_t i = 0; i < writer->n_groups; i++)
            writer->groups[i].i_row = 0;
        for (uint32_t row = 0; row < writer->n_paths && error == 0; row++) {
            fill_row(writer, row);
            error = finish_row(writer, row);
        }
        for (uint32_t i = 0; i < writer->n_groups && error == 0; i++)
            error = flush_rows(writer, &writer->groups[i]);
    }
    for (uint32_t i = 0; i < writer->n_groups; i++)
        free(writer->groups[i].cells);
    return error;
}

/* ---- the rest, on rank 0 ------------------------------------------------------------------------------------------------- */

static void
write_index(const cube_writer *writer, const column_group *group, hd_out_file *out)
{
    uint32_t *rows = HD_NEW_ARRAY(uint32_t, (size_t)group->n_rows + 1), n = 0;
    char      name[32];

    for (uint32_t row = 0; row < writer->n_paths; row++)
        if (has_row(group, row))
            rows[n++] = row;
    snprintf(name, sizeof name, "%" PRIu32 ".index", group->number);
    hd_index_put_member(out, name, rows, n);
    free(rows);
}

static int
write_headers(const cube_writer *writer)
{
    hd_out_file out;
    int         error;

    hd_out_file_init(&out, writer->fd, 0);
    for (uint32_t i = 0; i < writer->n_groups; i++) {
        const column_group *group = &writer->groups[i];
        char                name[32];

        hd_out_file_flush(&out);
        out.at = group->data;
        snprintf(name, sizeof name, "%" PRIu32 ".data", group->number);
        hd_tar_put_header(&out, name, data_bytes(writer, group), hd_tar_is_large(data_bytes(writer, group)));
        hd_out_file_put(&out, HD_CUBE_DATA_MAGIC, HD_CUBE_DATA_ROWS);
        hd_out_file_flush(&out);
        out.at = group->index; /* the values between are the ranks' */
        write_index(writer, group, &out);
    }
    hd_out_file_flush(&out);
    error = out.error;
    hd_out_file_fini(&out);
    return error;
}

/* Tables, then the anchor. */
static int
write_description(const cube_writer *writer)
{
    hd_report_model model;
    hd_anchor_order order;
    hd_out_file     out;
    int             error;

    hd_out_file_init(&out, writer->fd, writer->values_end);
    hd_report_tables_put(writer->report, &writer->startup, &out);
    hd_report_model_init(&model, writer->report, writer->derivation);
    hd_anchor_order_init(&order, &model.cube);
    hd_anchor_put_last(&out, &model.cube, &order, HD_ANCHOR_OF_ANALYSIS);
    hd_anchor_order_fini(&order);
    hd_report_model_fini(&model);
    error = out.error;
    hd_out_file_fini(&out);
    return error;
}

/* ---- the whole ----------------------------------------------------------------------------------------------------------- */

static hd_status
open_file(cube_writer *writer, int flags)
{
    writer->fd = open(writer->file, flags | O_CLOEXEC, 0666);
    if (writer->fd >= 0)
        return HD_OK;
    if (errno == EEXIST)
        return hd_fail(HD_EEXIST, "report \"%s\" exists already", writer->path);
    return hd_fail(HD_EOPEN, "cannot make report \"%s\": %s", writer->path, strerror(errno));
}

static hd_status
write_file(cube_writer *writer, bool is_first)
{
    int error = write_values(writer);

    if (error == 0 && is_first)
        error = write_headers(writer);
    if (error == 0 && is_first)
        error = write_description(writer);
    if (error != 0)
        return hd_fail(HD_EWRITE, "cannot write report \"%s\": %s", writer->path, strerror(error));
    return HD_OK;
}

static void
order_of(const hd_calltree *tree, hd_tree_order *order)
{
    uint32_t *parents = HD_NEW_ARRAY(uint32_t, (size_t)tree->n + 1);

    for (uint32_t i = 0; i < tree->n; i++)
        parents[i] = tree->nodes[i].parent;
    hd_tree_order_init(order, parents, tree->n);
    free(parents);
}

uint32_t *
hd_cube_path_numbers(const hd_calltree *tree)
{
    uint32_t     *path_of_row = HD_NEW_ARRAY(uint32_t, (size_t)tree->n + 1), *numbers = HD_NEW_ARRAY(uint32_t, (size_t)tree->n + 1);
    hd_tree_order order;

    order_of(tree, &order);
    hd_tree_order_list(&order, path_of_row);
    for (uint32_t row = 0; row < tree->n; row++)
        numbers[path_of_row[row]] = row;
    hd_tree_order_fini(&order);
    free(path_of_row);
    return numbers;
}

static void
prepare(cube_writer *writer, hd_analysis_comm *analysis_comm)
{
    const hd_calltree *tree = writer->report->tree;

    order_of(tree, &writer->order);

    writer->fd          = -1;
    writer->n_paths     = tree->n;
    writer->n_words     = tree->n / 64 + 1;
    writer->path_of_row = HD_NEW_ARRAY(uint32_t, (size_t)tree->n + 1);
    hd_column_block_init(&writer->block, tree->n);
    hd_tree_order_list(&writer->order, writer->path_of_row);
    writer->n_counters       = writer->report->compat || writer->report->without_counters ? 0 : writer->report->defs->n_counters;
    writer->counter_rows     = HD_NEW_ARRAY(uint64_t, (size_t)writer->n_counters * writer->n_words + 1);
    writer->group_of_counter = HD_NEW_ARRAY(column_group *, (size_t)writer->n_counters + 1);
    writer->derivation = hd_derivation_new(writer->report->defs, tree,
        (hd_derivation_options){ .compat = writer->report->compat, .is_profile = writer->report->is_profile, .has_causes = writer->report->has_causes,
                                 .facts = writer->report->facts });
    writer->imbalance = hd_imbalance_new(writer->report, writer->derivation);
    lay_out(writer, analysis_comm);
    if (writer->report->has_startup)
        writer->startup = hd_startup_rows_gather(analysis_comm, writer->report, writer->derivation, writer->imbalance);
}

static void
clean_up(cube_writer *writer)
{
    for (uint32_t i = 0; i < writer->n_groups; i++)
        free(writer->groups[i].is_row);
    free(writer->groups);
    free(writer->counter_rows);
    free(writer->group_of_counter);
    hd_column_block_fini(&writer->block);
    free(writer->path_of_row);
    hd_tree_order_fini(&writer->order);
    free(writer->startup.rows);
    hd_imbalance_free(writer->imbalance);
    hd_derivation_free(writer->derivation);
}

static hd_status
write_cube(hd_analysis_comm *analysis_comm, const hd_report *report, const char *file, const char *path, int flags)
{
    cube_writer writer = { .report = report, .file = file, .path = path };
    bool      is_first = hd_analysis_comm_rank(analysis_comm).v == 0;
    hd_status status;

    prepare(&writer, analysis_comm);
    status = hd_agree(analysis_comm, is_first ? open_file(&writer, O_WRONLY | flags) : HD_OK);
    if (status != HD_OK)
        goto out;
    if (!is_first && report->n_locations > 0)
        status = open_file(&writer, O_WRONLY);
    if (status == HD_OK)
        status = write_file(&writer, is_first);
    if (writer.fd >= 0 && close(writer.fd) != 0 && status == HD_OK)
        status = hd_fail(HD_EWRITE, "cannot write report \"%s\": %s", path, strerror(errno));
    writer.fd = -1;
    status    = hd_agree(analysis_comm, status);
out:
    if (writer.fd >= 0)
        close(writer.fd);
    clean_up(&writer);
    return status;
}

hd_status
hd_cube_write(hd_analysis_comm *analysis_comm, const hd_report *report, const char *path)
{
    return write_cube(analysis_comm, report, path, path, O_CREAT | O_EXCL);
}

hd_status
hd_cube_write_into(hd_analysis_comm *analysis_comm, const hd_report *report, const char *file, const char *path)
{
    return write_cube(analysis_comm, report, file, path, 0);
}
