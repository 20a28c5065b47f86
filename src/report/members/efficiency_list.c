/* src/report/members/efficiency_list.c: writes and reads the table of efficiencies, and divides. Each factor is one
 * quotient of integers, so that products and sums hold to rounding. */
#include "efficiency_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "tsv.h"

enum { MAX_LINE = (HD_N_EFFICIENCY_SUMS + 6) * HD_TSV_MAX_NUMBER, MAX_BYTES = 1 << 26, MAX_SLICES = 1 << 16 };

#define COLUMN(id, how, what) "\t" #id
static const char head[] = "slice\tkind\tfrom\tto\tideal\tresolution" HD_EFFICIENCY_SUMS(COLUMN);
#undef COLUMN

const hd_factor_info hd_factor_infos[HD_N_FACTORS] = {
#define INFO(id, parent, group, key, name) { #id, key, name, HD_FACTORS_##group, HD_FACTOR_##parent },
    HD_FACTORS(INFO)
#undef INFO
};

hd_factor
hd_factor_by_id(const char *id)
{
    hd_factor factor = (hd_factor)0;

    while (factor < HD_N_FACTORS && strcmp(hd_factor_infos[factor].id, id) != 0)
        factor++;
    return factor;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static void
write_slice(FILE *file, const hd_efficiency_slice *slice, size_t number, hd_time begin, uint64_t resolution)
{
    char        line[MAX_LINE], *at;
    const char *kind = hd_slice_kinds[slice->kind];

    at = hd_tsv_add_count(line, number, '\t');
    for (; *kind != '\0'; kind++)
        *at++ = *kind;
    *at++ = '\t';
    at    = hd_tsv_add_count(at, slice->from - begin, '\t');
    at    = hd_tsv_add_count(at, slice->to - begin, '\t');
    if (slice->ideal > 0)
        at = hd_tsv_add_count(at, slice->ideal, '\t');
    else
        *at++ = '\t';
    at = hd_tsv_add_count(at, resolution, '\t');
    for (int s = 0; s < HD_N_EFFICIENCY_SUMS; s++)
        at = hd_tsv_add_count(at, atomic_load_explicit(&slice->sums[s], memory_order_relaxed),
                              s + 1 < HD_N_EFFICIENCY_SUMS ? '\t' : '\n');
    fwrite(line, 1, (size_t)(at - line), file);
}

void
hd_efficiencies_write(FILE *file, const hd_efficiencies *efficiencies, hd_time begin, uint64_t resolution)
{
    fprintf(file, "%s\n", head);
    for (size_t i = 0; i < efficiencies->n; i++)
        write_slice(file, &efficiencies->slices[i], i, begin, resolution);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct reading {
    hd_efficiency_list *list;
    size_t              capacity;
} reading;

static bool
read_kind(const char *text, hd_slice_kind *kind)
{
    for (int k = 0; k < HD_N_SLICE_KINDS && text != NULL; k++)
        if (strcmp(text, hd_slice_kinds[k]) == 0) {
            *kind = (hd_slice_kind)k;
            return true;
        }
    return false;
}

static bool
read_entry(void *context, char *line)
{
    reading            *r     = context;
    hd_efficiency_entry entry = { .from = 0 };
    uint32_t            number;
    const char         *ideal;

    if (!hd_tsv_number(hd_tsv_next(&line), &number) || number != r->list->n || number >= MAX_SLICES ||
        !read_kind(hd_tsv_next(&line), &entry.kind) || (entry.kind == HD_SLICE_WHOLE) != (number == 0) ||
        !hd_tsv_count(hd_tsv_next(&line), &entry.from) || !hd_tsv_count(hd_tsv_next(&line), &entry.to) ||
        entry.to < entry.from || (ideal = hd_tsv_next(&line)) == NULL ||
        (*ideal != '\0' && !hd_tsv_count(ideal, &entry.ideal)) ||
        !hd_tsv_count(hd_tsv_next(&line), &entry.resolution) || entry.resolution == 0)
        return false;
    for (int s = 0; s < HD_N_EFFICIENCY_SUMS; s++)
        if (!hd_tsv_count(hd_tsv_next(&line), &entry.sums[s]))
            return false;
    if (line != NULL)
        return false;
    HD_PUSH(r->list->entries, r->list->n, r->capacity, entry);
    return true;
}

hd_status
hd_efficiency_list_read(hd_cube *cube, hd_efficiency_list *list)
{
    reading   r = { .list = list };
    hd_status status;

    *list  = (hd_efficiency_list){ .n = 0 };
    status = hd_tsv_member(cube, HD_EFFICIENCY_MEMBER, MAX_BYTES, head, read_entry, &r, &list->is_there);
    if (status == HD_OK && list->is_there && list->n == 0)
        status = hd_fail(HD_EFORMAT, "report \"%s\" is damaged: table \"%s\" is empty", cube->path,
                         HD_EFFICIENCY_MEMBER);
    if (status != HD_OK)
        hd_efficiency_list_fini(list);
    return status;
}

void
hd_efficiency_list_fini(hd_efficiency_list *list)
{
    free(list->entries);
    *list = (hd_efficiency_list){ .n = 0 };
}

const hd_efficiency_entry *
hd_efficiency_main(const hd_efficiency_list *list)
{
    if (list->n > 1 && hd_slice_is_main(list->entries[1].kind))
        return &list->entries[1];
    return list->n > 0 ? &list->entries[0] : NULL;
}

const char *
hd_slice_name(hd_slice_kind kind)
{
    static const char *const names[HD_N_SLICE_KINDS] =
        { [HD_SLICE_WHOLE] = "whole run", [HD_SLICE_MAIN] = "main window", [HD_SLICE_INTERVAL] = "interval",
          [HD_SLICE_REGIONS] = "regions", [HD_SLICE_WINDOW] = "time window" };

    return names[kind];
}

/* ---- factors ----------------------------------------------------------------------------------------------------- */

/* NAN: of nothing. */
static double
quotient(long double a, long double b)
{
    return b > 0 ? (double)(a / b) : NAN;
}

bool
hd_efficiency_is_hybrid(const hd_efficiency_entry *entry)
{
    return entry->sums[HD_EFFICIENCY_threads] > entry->sums[HD_EFFICIENCY_processes];
}

double
hd_efficiency_runtime(const hd_efficiency_entry *entry)
{
    return (double)(entry->to - entry->from) / (double)entry->resolution;
}

static void
divide_basic(const hd_efficiency_entry *entry, double *factors)
{
    const uint64_t *sums = entry->sums;
    long double     length = entry->to - entry->from, threads = sums[HD_EFFICIENCY_threads];
    long double     useful = sums[HD_EFFICIENCY_useful], most = sums[HD_EFFICIENCY_max_useful];

    factors[HD_FACTOR_parallel]      = quotient(useful, threads * length);
    factors[HD_FACTOR_load_balance]  = quotient(useful, threads * most);
    factors[HD_FACTOR_communication] = quotient(most, length);
    if (entry->ideal == 0)
        return;
    factors[HD_FACTOR_serialisation] = quotient(most, entry->ideal);
    factors[HD_FACTOR_transfer]      = quotient(entry->ideal, length);
}

static void
divide_hybrid(const hd_efficiency_entry *entry, double *factors)
{
    const uint64_t *sums    = entry->sums;
    long double     length  = entry->to - entry->from, threads = sums[HD_EFFICIENCY_threads];
    long double     useful  = sums[HD_EFFICIENCY_useful], most = sums[HD_EFFICIENCY_max_useful];
    long double     outside = sums[HD_EFFICIENCY_outside_threads], most_outside = sums[HD_EFFICIENCY_max_outside];
    long double     each    = sums[HD_EFFICIENCY_outside], processes = sums[HD_EFFICIENCY_processes];

    factors[HD_FACTOR_mpi_parallel]                = quotient(outside, threads * length);
    factors[HD_FACTOR_mpi_load_balance]            = quotient(outside, threads * most_outside);
    factors[HD_FACTOR_mpi_communication]           = quotient(most_outside, length);
    factors[HD_FACTOR_mpi_parallel_unweighted]     = quotient(each, processes * length);
    factors[HD_FACTOR_mpi_load_balance_unweighted] = quotient(each, processes * most_outside);
    factors[HD_FACTOR_openmp_parallel]             = quotient(useful, outside);
    factors[HD_FACTOR_openmp_load_balance]         = quotient(useful * most_outside, outside * most);
    factors[HD_FACTOR_openmp_communication]        = quotient(most, most_outside);
    if (entry->ideal == 0)
        return;
    factors[HD_FACTOR_mpi_serialisation] = quotient(most_outside, entry->ideal);
    factors[HD_FACTOR_mpi_transfer]      = quotient(entry->ideal, length);
}

static void
divide_additive(const hd_efficiency_entry *entry, double *factors)
{
    static const struct {
        hd_factor         factor;
        hd_efficiency_sum sum;
    } causes[] = {
        { HD_FACTOR_lost_imbalance, HD_EFFICIENCY_imbalance }, { HD_FACTOR_lost_fork, HD_EFFICIENCY_fork },
        { HD_FACTOR_lost_barrier, HD_EFFICIENCY_barrier },     { HD_FACTOR_lost_lock, HD_EFFICIENCY_lock },
        { HD_FACTOR_lost_tasks, HD_EFFICIENCY_tasks },         { HD_FACTOR_lost_ordered, HD_EFFICIENCY_ordered },
        { HD_FACTOR_lost_calls, HD_EFFICIENCY_calls },         { HD_FACTOR_lost_mpi, HD_EFFICIENCY_parallel_mpi },
        { HD_FACTOR_lost_other, HD_EFFICIENCY_other },         { HD_FACTOR_lost_absent, HD_EFFICIENCY_absent },
    };
    const uint64_t *sums   = entry->sums;
    long double     length = entry->to - entry->from, all = sums[HD_EFFICIENCY_threads] * length;
    long double     serial = sums[HD_EFFICIENCY_serial_useful], most = sums[HD_EFFICIENCY_max_process];
    long double     in     = sums[HD_EFFICIENCY_parallel_threads], busy = in + sums[HD_EFFICIENCY_serial_threads];
    long double     useful = sums[HD_EFFICIENCY_useful], threads = sums[HD_EFFICIENCY_threads];

    factors[HD_FACTOR_process]               = quotient(busy, all);
    factors[HD_FACTOR_process_load_balance]  = quotient(all - (most * threads - busy), all);
    factors[HD_FACTOR_process_communication] = quotient(most, length);
    factors[HD_FACTOR_thread]                = quotient(all - (busy - useful), all);
    factors[HD_FACTOR_serial_region] = quotient(all - (sums[HD_EFFICIENCY_serial_threads] - serial), all);
    factors[HD_FACTOR_openmp]        = quotient(all - (in - (useful - serial)), all);
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        factors[causes[i].factor] = quotient(sums[causes[i].sum], all);
    if (entry->ideal == 0)
        return;
    factors[HD_FACTOR_process_serialisation] = quotient(length + most - entry->ideal, length);
    factors[HD_FACTOR_process_transfer]      = quotient(entry->ideal, length);
}

void
hd_factors_of(const hd_efficiency_entry *entry, double *factors)
{
    for (int f = 0; f < HD_N_FACTORS; f++)
        factors[f] = NAN;
    divide_basic(entry, factors);
    if (!hd_efficiency_is_hybrid(entry))
        return;
    divide_hybrid(entry, factors);
    divide_additive(entry, factors);
}
