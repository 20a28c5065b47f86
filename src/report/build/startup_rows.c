/* src/report/build/startup_rows.c: derives the metrics of what locations collected outside of the main window. Imbalance
 * is no such sum: it is the whole run's less that of the main window, which has sums over all locations of its own. */
#include "startup_rows.h"

#include "location_cursor.h"
#include "memory.h"
#include "sort.h"

typedef struct row_maker {
    const hd_report     *report;
    const hd_derivation *derivation;
    hd_startup_rows      out;
    size_t               capacity;
    bool                *is_startup; /* [paths] MPI_Init, MPI_Finalize and what is below */
    uint64_t            *is_divided; /* [paths] 1: some location has a part outside, there or below */
} row_maker;

static void
find_startup(row_maker *maker)
{
    const hd_calltree *tree = maker->report->tree;

    maker->is_startup = HD_NEW_ARRAY(bool, (size_t)tree->n + 1);
    for (uint32_t i = 0; i < tree->n; i++) {
        uint8_t call = hd_defs_regions(maker->report->defs)[tree->nodes[i].region].call;

        maker->is_startup[i] = call == HD_CALL_INIT || call == HD_CALL_FINALIZE ||
                               (tree->nodes[i].parent != HD_NONE && maker->is_startup[tree->nodes[i].parent]);
    }
}

static void
put_rows(row_maker *maker, uint32_t call_path, uint32_t location, const hd_derived *derived, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        HD_PUSH(maker->out.rows, maker->out.n, maker->capacity,
                ((hd_startup_row){ .metric = derived[i].metric, .call_path = call_path, .location = location,
                                   .value = derived[i].value, .cost = derived[i].cost }));
}

static void
derive_rows(row_maker *maker, const hd_report_location *location)
{
    hd_report_location outside = { .entries = location->startup, .n = location->n_startup,
                                   .costs = location->startup_costs, .n_costs = location->n_startup_costs };
    hd_location_cursor cursor  = { .location = &outside };
    hd_derived         derived[HD_N_METRICS];
    hd_collected       collected;
    uint32_t           call_path;

    while ((call_path = hd_location_cursor_take(&cursor, &collected)) != HD_NONE) {
        maker->is_divided[call_path] = 1;
        if (!maker->is_startup[call_path])
            put_rows(maker, call_path, location->location, derived,
                     hd_derive(maker->derivation, maker->report->tree->nodes[call_path].region, &collected, derived));
    }
}

static void
counter_rows(row_maker *maker, const hd_report_location *location)
{
    const hd_location_counters *outside  = &location->startup_counters;
    const hd_counter_def       *counters = hd_defs_counters(maker->report->defs);
    uint32_t                    n        = maker->report->defs->n_counters;

    for (size_t i = 0; i < outside->n; i++)
        for (uint32_t c = 0; c < n; c++) {
            uint64_t       value = outside->values[i * n + c];
            hd_startup_row row   = { .metric = HD_N_METRICS + c, .call_path = outside->call_paths[i],
                                     .location = location->location, .value = (int64_t)value };

            if (value == 0 || maker->is_startup[row.call_path])
                continue;
            if (counters[c].type == HD_COUNTER_DOUBLE)
                memcpy(&row.cost, &value, sizeof row.cost);
            HD_PUSH(maker->out.rows, maker->out.n, maker->capacity, row);
        }
}

/* Metrics of the first that are not the same in the second, both ascending. */
static uint32_t
difference(const hd_derived *first, uint32_t n_first, const hd_derived *second, uint32_t n_second, hd_derived *out)
{
    uint32_t i = 0, j = 0, n = 0;

    while (i < n_first || j < n_second) {
        bool       takes_first  = j == n_second || (i < n_first && first[i].metric <= second[j].metric);
        bool       takes_second = i == n_first || (j < n_second && second[j].metric <= first[i].metric);
        hd_derived row          = { .metric = takes_first ? first[i].metric : second[j].metric };

        row.cost = (takes_first ? first[i].cost : 0) - (takes_second ? second[j].cost : 0);
        i += takes_first;
        j += takes_second;
        if (row.cost != 0)
            out[n++] = row;
    }
    return n;
}

static void
imbalance_rows(row_maker *maker, const hd_imbalance *whole, const hd_imbalance *window,
               const hd_report_location *location)
{
    const hd_report_location outside = { .entries = location->startup, .n = location->n_startup };
    hd_derived               derived[3][2 * HD_N_IMBALANCES];

    for (uint32_t i = 0; i < maker->report->tree->n; i++) {
        hd_collected all, startup, inside;
        hd_severity *entries;
        size_t       n_entries;
        uint32_t         n[2];
        hd_imbalance_row rows[2];

        if (maker->is_divided[i] == 0 || maker->is_startup[i])
            continue;
        all            = hd_location_collected(location, i);
        startup        = hd_location_collected(&outside, i);
        entries        = hd_severities_difference(all.entries, all.n, startup.entries, startup.n, &n_entries);
        inside         = all;
        inside.entries = entries;
        inside.n       = (uint32_t)n_entries;
        rows[0]        = hd_imbalance_row_of(whole, i);
        rows[1]        = hd_imbalance_row_of(window, i);
        n[0]           = hd_imbalance_of(whole, &rows[0], i, location->location, &all, derived[0]);
        n[1]           = hd_imbalance_of(window, &rows[1], i, location->location, &inside, derived[1]);
        put_rows(maker, i, location->location, derived[2], difference(derived[0], n[0], derived[1], n[1], derived[2]));
        free(entries);
    }
}

static inline uint64_t
location_of(const hd_startup_row *row)
{
    return row->location;
}

static inline uint64_t
cell_of(const hd_startup_row *row)
{
    return (uint64_t)row->metric << 32 | row->call_path;
}

static void
gather(hd_analysis_comm *analysis_comm, hd_startup_rows *out)
{
    uint8_t  *all     = NULL;
    uint64_t *n_bytes = NULL;
    uint64_t  sum     = 0;

    hd_analysis_comm_gather(analysis_comm, out->rows, out->n * sizeof *out->rows, &all, &n_bytes);
    for (uint32_t r = 0; n_bytes != NULL && r < hd_analysis_comm_size(analysis_comm); r++)
        sum += n_bytes[r];
    free(n_bytes);
    free(out->rows);
    *out = (hd_startup_rows){ .rows = (hd_startup_row *)(void *)all, .n = sum / sizeof *out->rows };
    HD_SORT_BY_KEY(hd_startup_row, out->rows, out->n, location_of);
    HD_SORT_BY_KEY(hd_startup_row, out->rows, out->n, cell_of);
}

hd_startup_rows
hd_startup_rows_gather(hd_analysis_comm *analysis_comm, const hd_report *report, const hd_derivation *derivation,
                       const hd_imbalance *imbalance)
{
    const hd_calltree *tree   = report->tree;
    row_maker          maker  = { .report = report, .derivation = derivation };
    hd_imbalance      *window = hd_imbalance_of_main_window(analysis_comm, imbalance);

    maker.is_divided = HD_NEW_ARRAY(uint64_t, (size_t)tree->n + 1);
    find_startup(&maker);
    for (uint32_t i = 0; i < report->n_locations; i++)
        derive_rows(&maker, &report->locations[i]);
    for (uint32_t i = 0; i < report->n_locations; i++)
        counter_rows(&maker, &report->locations[i]);
    hd_analysis_comm_reduce(analysis_comm, maker.is_divided, tree->n, HD_OR);
    for (uint32_t i = tree->n; i-- > 0;)
        if (tree->nodes[i].parent != HD_NONE)
            maker.is_divided[tree->nodes[i].parent] |= maker.is_divided[i];
    for (uint32_t i = 0; i < report->n_locations; i++)
        imbalance_rows(&maker, imbalance, window, &report->locations[i]);
    hd_imbalance_free(window);
    free(maker.is_startup);
    free(maker.is_divided);
    gather(analysis_comm, &maker.out);
    return maker.out;
}
