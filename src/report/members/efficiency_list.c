/* src/report/members/efficiency_list.c: writes and reads the table of efficiencies, and divides. Each factor is one
 * quotient of integers, so that products and sums hold to rounding. */
#include "efficiency_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "defs.h"
#include "memory.h"
#include "tsv.h"

_Static_assert((HD_N_EFFICIENCY_SUMS + 8) * HD_TSV_MAX_NUMBER <= HD_TSV_ROOM, "a line");
enum { MAX_BYTES = 1 << 26, MAX_SLICES = 1 << 16 };

#define COLUMN(id, how, what) "\t" #id
static const char head[] = "slice\tkind\tfrom\tto\tideal\tresolution" HD_EFFICIENCY_SUMS(COLUMN);
static const char head_of_iterations[] =
    "slice\tkind\tfirst\titerations\tfrom\tto\truntime\tresolution" HD_EFFICIENCY_SUMS(COLUMN);
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

static char *
add_begin(char *at, size_t number, hd_slice_kind kind)
{
    const char *name = hd_slice_kinds[kind];

    at = hd_tsv_add_count(at, number, '\t');
    for (; *name != '\0'; name++)
        *at++ = *name;
    *at++ = '\t';
    return at;
}

typedef struct unit { /* of sums: the resolution, as each line has it */
    char   text[HD_TSV_MAX_NUMBER];
    size_t n;
} unit;

static unit
unit_of(uint64_t resolution)
{
    unit ticks = { .n = 0 };

    ticks.n = (size_t)(hd_tsv_add_count(ticks.text, resolution, '\t') - ticks.text);
    return ticks;
}

/* Of processes of one thread many are the same: they are copied. */
static char *
add_sums(char *at, const hd_efficiency_slice *slice, const unit *ticks)
{
    char     last_text[24] = { 0 }; /* room for any number */
    size_t   n             = 0;     /* characters of the last one that is long, with what is behind it */
    uint64_t last          = 0;

    memcpy(at, ticks->text, sizeof ticks->text);
    at += ticks->n;
    for (int s = 0; s < HD_N_EFFICIENCY_SUMS; s++) {
        uint64_t sum = slice->sums[s];
        char    *end;

        if (sum < 10) {
            *at++ = (char)('0' + sum);
            *at++ = '\t';
            continue;
        }
        if (sum == last && n > 0) {
            memcpy(at, last_text, sizeof last_text);
            at += n;
            continue;
        }
        end = hd_tsv_add_some(at, sum, '\t');
        if (sum >= 1000) {
            memcpy(last_text, at, sizeof last_text);
            last = sum;
            n    = (size_t)(end - at);
        }
        at = end;
    }
    at[-1] = '\n';
    return at;
}

void
hd_efficiencies_write(FILE *file, const hd_efficiencies *efficiencies, hd_time begin, uint64_t resolution)
{
    unit       ticks = unit_of(resolution);
    hd_tsv_out out;
    char      *at = hd_tsv_out_begin(&out, file, head);

    for (size_t i = 0; i < efficiencies->n; i++) {
        const hd_efficiency_slice *slice = &efficiencies->slices[i];

        at = add_begin(hd_tsv_out_room(&out, at), i, slice->kind);
        at = hd_tsv_add_count(at, slice->from - begin, '\t');
        at = hd_tsv_add_count(at, slice->to - begin, '\t');
        if (slice->has_ideal)
            at = hd_tsv_add_count(at, slice->ideal, '\t');
        else
            *at++ = '\t';
        at = add_sums(at, slice, &ticks);
    }
    hd_tsv_out_flush(&out, at);
}

/* First one, number, first enter, last leave. */
static char *
add_iterations(char *at, const hd_iteration_series *series, size_t number, hd_time begin)
{
    const hd_iteration_slice *slice = &series->slices[number - 1];
    uint32_t                  first = (uint32_t)(number - 1) << series->shift, rest = series->n - first;

    at = hd_tsv_add_count(at, (uint64_t)first + 1, '\t');
    at = hd_tsv_add_count(at, rest >> series->shift > 0 ? UINT64_C(1) << series->shift : rest, '\t');
    at = hd_tsv_add_count(at, slice->from - begin, '\t');
    return hd_tsv_add_count(at, slice->to - begin, '\t');
}

void
hd_iteration_efficiencies_write(FILE *file, const hd_efficiencies *efficiencies, const hd_iteration_series *series,
                                hd_time begin, uint64_t resolution)
{
    unit       ticks = unit_of(resolution);
    hd_tsv_out out;
    char      *at = hd_tsv_out_begin(&out, file, head_of_iterations);

    for (size_t i = 0; i < efficiencies->n_of_iterations; i++) {
        const hd_efficiency_slice *slice = &efficiencies->of_iterations[i];

        at = add_begin(hd_tsv_out_room(&out, at), i, slice->kind);
        if (slice->kind == HD_SLICE_ITERATION)
            at = add_iterations(at, series, i, begin);
        else
            for (int column = 0; column < 4; column++)
                *at++ = '\t';
        at = hd_tsv_add_count(at, slice->longest, '\t');
        at = add_sums(at, slice, &ticks);
    }
    hd_tsv_out_flush(&out, at);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct reading {
    hd_efficiency_list *list;
    size_t              capacity, iteration_capacity;
} reading;

static bool
read_kind(const char *text, hd_slice_kind *kind)
{
    for (int k = 0; k < HD_SLICE_REGION && text != NULL; k++)
        if (strcmp(text, hd_slice_kinds[k]) == 0) {
            *kind = (hd_slice_kind)k;
            return true;
        }
    return false;
}

/* Resolution and sums, to the end of the line. */
static bool
read_sums(char **line, hd_efficiency_entry *entry)
{
    if (!hd_tsv_count(hd_tsv_next(line), &entry->resolution) || entry->resolution == 0)
        return false;
    for (int s = 0; s < HD_N_EFFICIENCY_SUMS; s++)
        if (!hd_tsv_count(hd_tsv_next(line), &entry->sums[s]))
            return false;
    return *line == NULL;
}

static bool
read_entry(void *context, char *line)
{
    reading            *r     = context;
    hd_efficiency_entry entry = { .has_bounds = true };
    uint32_t            number;
    const char         *ideal;

    if (!hd_tsv_number(hd_tsv_next(&line), &number) || number != r->list->n || number >= MAX_SLICES ||
        !read_kind(hd_tsv_next(&line), &entry.kind) || entry.kind > HD_SLICE_WINDOW ||
        (entry.kind == HD_SLICE_WHOLE) != (number == 0) ||
        !hd_tsv_count(hd_tsv_next(&line), &entry.from) || !hd_tsv_count(hd_tsv_next(&line), &entry.to) ||
        entry.to < entry.from || (ideal = hd_tsv_next(&line)) == NULL ||
        (*ideal != '\0' && !hd_tsv_count(ideal, &entry.ideal)))
        return false;
    entry.has_ideal = *ideal != '\0';
    entry.length    = entry.to - entry.from;
    if (!read_sums(&line, &entry))
        return false;
    HD_PUSH(r->list->entries, r->list->n, r->capacity, entry);
    return true;
}

/* First one, number, from, to: all or none. */
static bool
read_bounds(char **line, hd_efficiency_entry *entry)
{
    const char *first = hd_tsv_next(line);

    if (entry->kind != HD_SLICE_ITERATION) {
        for (int column = 0; column < 3; column++)
            if (first == NULL || *first != '\0')
                return false;
            else
                first = hd_tsv_next(line);
        return first != NULL && *first == '\0';
    }
    entry->has_bounds = true;
    return hd_tsv_number(first, &entry->first) && hd_tsv_number(hd_tsv_next(line), &entry->n) &&
           entry->first != HD_NONE && entry->n != HD_NONE && entry->n > 0 && entry->first <= HD_NONE - entry->n &&
           hd_tsv_count(hd_tsv_next(line), &entry->from) && hd_tsv_count(hd_tsv_next(line), &entry->to) &&
           entry->from <= entry->to;
}

/* The first slice is before all iterations. */
static bool
read_iteration(void *context, char *line)
{
    reading            *r     = context;
    hd_efficiency_list *list  = r->list;
    hd_efficiency_entry entry = { .has_bounds = false };
    uint32_t            number;

    if (!hd_tsv_number(hd_tsv_next(&line), &number) || number != list->n_iterations || number >= MAX_SLICES ||
        !read_kind(hd_tsv_next(&line), &entry.kind) || entry.kind <= HD_SLICE_WINDOW ||
        (entry.kind == HD_SLICE_BEFORE) != (number == 0) || !read_bounds(&line, &entry) ||
        !hd_tsv_count(hd_tsv_next(&line), &entry.length) || !read_sums(&line, &entry))
        return false;
    HD_PUSH(list->iterations, list->n_iterations, r->iteration_capacity, entry);
    return true;
}

hd_status
hd_efficiency_list_read(hd_cube *cube, hd_efficiency_list *list)
{
    reading   r              = { .list = list };
    bool      has_iterations = false;
    hd_status status;

    *list  = (hd_efficiency_list){ .n = 0 };
    status = hd_tsv_member(cube, HD_EFFICIENCY_MEMBER, MAX_BYTES, head, read_entry, &r, &list->is_there);
    if (status == HD_OK && list->is_there && list->n == 0)
        status = hd_fail(HD_EFORMAT, "report \"%s\" is damaged: table \"%s\" is empty", cube->path,
                         HD_EFFICIENCY_MEMBER);
    if (status == HD_OK && list->is_there)
        status = hd_tsv_member(cube, HD_ITERATION_EFFICIENCY_MEMBER, MAX_BYTES, head_of_iterations, read_iteration, &r,
                               &has_iterations);
    if (status != HD_OK)
        hd_efficiency_list_fini(list);
    return status;
}

void
hd_efficiency_list_fini(hd_efficiency_list *list)
{
    free(list->entries);
    free(list->iterations);
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
hd_factor_name(const hd_cube *cube, hd_factor factor)
{
    static const char *const without_openmp[HD_N_FACTORS] =
        { [HD_FACTOR_openmp_parallel] = "Thread parallel efficiency",
          [HD_FACTOR_openmp_load_balance] = "Thread load balance",
          [HD_FACTOR_openmp_communication] = "Thread communication efficiency",
          [HD_FACTOR_openmp] = "Parallel region efficiency" };

    for (uint32_t i = 0; i < cube->n_regions && without_openmp[factor] != NULL; i++)
        if (strcmp(cube->regions[i].paradigm, "openmp") == 0)
            return hd_factor_infos[factor].name;
    return without_openmp[factor] != NULL ? without_openmp[factor] : hd_factor_infos[factor].name;
}

const char *
hd_efficiency_at_a_time(const hd_cube *cube, const hd_efficiency_entry *entry)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < cube->n_locations; i++)
        n += strcmp(cube->locations[i].type, "thread") == 0;
    return n > entry->sums[HD_EFFICIENCY_threads] ? " at a time" : "";
}

const char *
hd_slice_name(hd_slice_kind kind)
{
    static const char *const names[HD_N_SLICE_KINDS] =
        { [HD_SLICE_WHOLE] = "whole run", [HD_SLICE_MAIN] = "main window", [HD_SLICE_INTERVAL] = "interval",
          [HD_SLICE_REGIONS] = "regions", [HD_SLICE_WINDOW] = "time window", [HD_SLICE_ITERATION] = "iteration",
          [HD_SLICE_BEFORE] = "before", [HD_SLICE_AFTER] = "after", [HD_SLICE_BETWEEN] = "between",
          [HD_SLICE_REGION] = "region" };

    return names[kind];
}

const char *
hd_iteration_slice_text(const hd_efficiency_entry *entry, char *text)
{
    if (entry->kind != HD_SLICE_ITERATION)
        snprintf(text, 32, "%s", hd_slice_name(entry->kind));
    else if (entry->n == 1)
        snprintf(text, 32, "%" PRIu32, entry->first);
    else
        snprintf(text, 32, "%" PRIu32 "-%" PRIu32, entry->first, entry->first + entry->n - 1);
    return text;
}

/* ---- factors ----------------------------------------------------------------------------------------------------- */

typedef struct terms { /* of an entry, as double: long double differs between processors, and so would last digits */
    double sums[HD_N_EFFICIENCY_SUMS], length, ideal;
} terms;

static terms
terms_of(const hd_efficiency_entry *entry)
{
    terms found = { .length = (double)entry->length, .ideal = (double)entry->ideal };

    for (int i = 0; i < HD_N_EFFICIENCY_SUMS; i++)
        found.sums[i] = (double)entry->sums[i];
    return found;
}

/* NAN: of nothing. */
static double
quotient(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

bool
hd_efficiency_is_hybrid(const hd_efficiency_entry *entry)
{
    return entry->kind != HD_SLICE_REGION && entry->sums[HD_EFFICIENCY_threads] > entry->sums[HD_EFFICIENCY_processes];
}

bool
hd_efficiency_path_is_useful(const hd_cube *cube, uint32_t path)
{
    return strcmp(cube->regions[cube->paths[path].region].paradigm, hd_paradigm_name(HD_PARADIGM_HIP)) != 0;
}

double
hd_efficiency_runtime(const hd_efficiency_entry *entry)
{
    return (double)entry->length / (double)entry->resolution;
}

static void
divide_basic(const terms *of, bool has_ideal, double *factors)
{
    const double *sums = of->sums;
    double        length = of->length, threads = sums[HD_EFFICIENCY_threads];
    double        useful = sums[HD_EFFICIENCY_useful], most = sums[HD_EFFICIENCY_max_useful];

    factors[HD_FACTOR_parallel]      = quotient(useful, threads * length);
    factors[HD_FACTOR_load_balance]  = quotient(useful, threads * most);
    factors[HD_FACTOR_communication] = quotient(most, length);
    if (!has_ideal)
        return;
    factors[HD_FACTOR_serialisation] = quotient(most, of->ideal);
    factors[HD_FACTOR_transfer]      = quotient(of->ideal, length);
}

static void
divide_hybrid(const terms *of, bool has_ideal, double *factors)
{
    const double *sums    = of->sums;
    double        length  = of->length, threads = sums[HD_EFFICIENCY_threads];
    double        useful  = sums[HD_EFFICIENCY_useful], most = sums[HD_EFFICIENCY_max_useful];
    double        outside = sums[HD_EFFICIENCY_outside_threads], most_outside = sums[HD_EFFICIENCY_max_outside];
    double        each    = sums[HD_EFFICIENCY_outside], processes = sums[HD_EFFICIENCY_processes];

    factors[HD_FACTOR_mpi_parallel]                = quotient(outside, threads * length);
    factors[HD_FACTOR_mpi_load_balance]            = quotient(outside, threads * most_outside);
    factors[HD_FACTOR_mpi_communication]           = quotient(most_outside, length);
    factors[HD_FACTOR_mpi_parallel_unweighted]     = quotient(each, processes * length);
    factors[HD_FACTOR_mpi_load_balance_unweighted] = quotient(each, processes * most_outside);
    factors[HD_FACTOR_openmp_parallel]             = quotient(useful, outside);
    factors[HD_FACTOR_openmp_load_balance]         = quotient(useful * most_outside, outside * most);
    factors[HD_FACTOR_openmp_communication]        = quotient(most, most_outside);
    if (!has_ideal)
        return;
    factors[HD_FACTOR_mpi_serialisation] = quotient(most_outside, of->ideal);
    factors[HD_FACTOR_mpi_transfer]      = quotient(of->ideal, length);
}

static void
divide_additive(const terms *of, bool has_ideal, double *factors)
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
    const double *sums   = of->sums;
    double        length = of->length, all = sums[HD_EFFICIENCY_threads] * length;
    double        serial = sums[HD_EFFICIENCY_serial_useful], most = sums[HD_EFFICIENCY_max_process];
    double        in     = sums[HD_EFFICIENCY_parallel_threads], busy = in + sums[HD_EFFICIENCY_serial_threads];
    double        useful = sums[HD_EFFICIENCY_useful], threads = sums[HD_EFFICIENCY_threads];

    factors[HD_FACTOR_process]               = quotient(busy, all);
    factors[HD_FACTOR_process_load_balance]  = quotient(all - (most * threads - busy), all);
    factors[HD_FACTOR_process_communication] = quotient(most, length);
    factors[HD_FACTOR_thread]                = quotient(all - (busy - useful), all);
    factors[HD_FACTOR_serial_region] = quotient(all - (sums[HD_EFFICIENCY_serial_threads] - serial), all);
    factors[HD_FACTOR_openmp]        = quotient(all - (in - (useful - serial)), all);
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        factors[causes[i].factor] = quotient(sums[causes[i].sum], all);
    if (!has_ideal)
        return;
    factors[HD_FACTOR_process_serialisation] = quotient(length + most - of->ideal, length);
    factors[HD_FACTOR_process_transfer]      = quotient(of->ideal, length);
}

void
hd_factors_of(const hd_efficiency_entry *entry, double *factors)
{
    const terms of = terms_of(entry);

    for (int f = 0; f < HD_N_FACTORS; f++)
        factors[f] = NAN;
    if (entry->kind == HD_SLICE_REGION && entry->sums[HD_EFFICIENCY_useful] == 0)
        return;
    divide_basic(&of, entry->has_ideal, factors);
    if (!hd_efficiency_is_hybrid(entry))
        return;
    divide_hybrid(&of, entry->has_ideal, factors);
    divide_additive(&of, entry->has_ideal, factors);
}
