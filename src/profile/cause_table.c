#include "cause_table.h"

#include "sort.h"
#include "status.h"

void
hd_cause_table_fini(hd_cause_table *table)
{
    free(table->rows);
    free(table->places);
    *table = (hd_cause_table){ 0 };
}

static void
put_place(hd_cause_table *table, uint32_t row)
{
    uint32_t i = hd_cause_table_hash(table->rows[row].cause, table->rows[row].effect) & table->mask;

    while (table->places[i] != HD_NONE)
        i = (i + 1) & table->mask;
    table->places[i] = row;
}

static void
resize(hd_cause_table *table, uint32_t n_places)
{
    free(table->places);
    table->places = HD_NEW_UNSET(uint32_t, n_places);
    table->mask   = n_places - 1;
    memset(table->places, 0xff, n_places * sizeof *table->places);
    for (uint32_t i = 0; i < table->n; i++)
        put_place(table, i);
}

hd_cause *
hd_cause_table_add(hd_cause_table *table, uint32_t cause, uint32_t effect)
{
    if (table->places == NULL)
        resize(table, 32);
    if (table->n >= table->mask - table->mask / 4) {
        HD_ASSERT(table->mask < UINT32_MAX / 2);
        resize(table, 2 * (table->mask + 1));
    }
    hd_cause_table_append(table, cause, effect, 0);
    put_place(table, table->n - 1);
    return &table->rows[table->n - 1];
}

void
hd_cause_table_merge(hd_cause_table *table, const hd_cause_table *from)
{
    for (uint32_t i = 0; i < from->n; i++) {
        hd_cause *row = hd_cause_table_slot(table, from->rows[i].cause, from->rows[i].effect);

        row->short_term += from->rows[i].short_term;
        row->long_term += from->rows[i].long_term;
    }
}

void
hd_cause_lump_effects(hd_cause *pair)
{
    pair->effect |= HD_EFFECT_OTHERS;
}

void
hd_cause_lump_processes(hd_cause *pair)
{
    pair->cause  = HD_NONE;
    pair->effect = HD_EFFECT_OTHERS;
}

static inline uint64_t
pair_of(const hd_cause *row)
{
    return (uint64_t)row->cause << 32 | row->effect;
}

/* The largest value first. */
static inline uint64_t
rank_of(const hd_cause *row)
{
    return UINT64_MAX / 2 - (uint64_t)(row->short_term + row->long_term);
}

/* Sorts rows, equal pairs become one. Returns how many are left. */
static size_t
add_up(hd_cause *rows, size_t n)
{
    size_t n_kept = 0;

    HD_SORT_BY_KEY(hd_cause, rows, n, pair_of);
    for (size_t i = 0; i < n; i++) {
        if (n_kept > 0 && pair_of(&rows[n_kept - 1]) == pair_of(&rows[i])) {
            rows[n_kept - 1].short_term += rows[i].short_term;
            rows[n_kept - 1].long_term += rows[i].long_term;
        } else if (rows[i].short_term != 0 || rows[i].long_term != 0)
            rows[n_kept++] = rows[i];
    }
    return n_kept;
}

/* Rows that are lumped already are not among those to choose from. */
static bool
is_single(const hd_cause *row, const hd_cause_selection *selection)
{
    hd_cause lumped = *row;

    selection->lump(&lumped);
    return pair_of(row) != pair_of(&lumped);
}

/* Of rows as add_up() leaves them, of equal values the first ones. */
static size_t
select_rows(hd_cause *rows, size_t n, const hd_cause_selection *selection)
{
    size_t n_single = 0, n_first = 0;

    if (n <= selection->most)
        return n;
    for (size_t i = 0; i < n; i++)
        n_single += is_single(&rows[i], selection);
    if (n_single <= selection->most)
        return n;
    for (size_t i = 0; i < n; i++)
        if (is_single(&rows[i], selection)) {
            hd_cause row = rows[i];

            rows[i]         = rows[n_first];
            rows[n_first++] = row;
        }
    HD_SORT_BY_KEY(hd_cause, rows, n_single, rank_of);
    for (size_t i = selection->most; i < n_single; i++)
        selection->lump(&rows[i]);
    return add_up(rows, n);
}

static void
merge_rows(void *context, hd_bytes *lower, const hd_bytes *upper)
{
    const hd_cause_selection *selection = context;
    size_t                    n;

    hd_bytes_put(lower, upper->data, upper->n);
    n = add_up((hd_cause *)(void *)lower->data, lower->n / sizeof(hd_cause));
    if (selection->is_local)
        n = select_rows((hd_cause *)(void *)lower->data, n, selection);
    lower->n = n * sizeof(hd_cause);
}

hd_causes
hd_cause_table_gather(hd_cause_table *table, hd_analysis_comm *analysis_comm, const hd_cause_selection *selection)
{
    hd_bytes           rows = { .data = (uint8_t *)table->rows, .n = table->n * sizeof(hd_cause),
                                .capacity = table->capacity * sizeof(hd_cause) };
    hd_causes          all  = { 0 };
    hd_cause_selection own  = *selection;

    table->rows = NULL;
    hd_cause_table_fini(table);
    merge_rows(&own, &rows, &(hd_bytes){ 0 });
    hd_analysis_comm_fold(analysis_comm, &rows, merge_rows, &own);
    if (hd_analysis_comm_rank(analysis_comm).v != 0) {
        free(rows.data);
        return all;
    }
    all.rows = (hd_cause *)(void *)rows.data;
    all.n    = select_rows(all.rows, rows.n / sizeof(hd_cause), selection);
    return all;
}
