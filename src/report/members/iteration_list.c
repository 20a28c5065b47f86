/* src/report/members/iteration_list.c: writes and reads the tables of iterations. */
#include "iteration_list.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "tsv.h"

enum { MAX_BYTES = 1 << 30 };

static const char head_of_iterations[] = "slice\tfirst\titerations\tfrom\tto\tprocesses\ttime\tlongest\tprocess";
static const char head_of_verdicts[] =
    "metric\tspread\twith\tfirst\tworst\tevery\tshare\tcorrelation\tchange\tperiod\twords";

const char *
hd_series_metric_id(uint32_t metric)
{
    return metric == HD_SERIES_DURATION ? "duration" : hd_metric_infos[metric].id;
}

uint32_t
hd_series_metric_by_id(const char *id)
{
    return strcmp(id, "duration") == 0 ? HD_SERIES_DURATION : hd_metric_by_id(id);
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

void
hd_iterations_write(FILE *file, const hd_iteration_series *series, hd_time begin, uint64_t resolution)
{
    hd_tsv_out out;
    char      *at = hd_tsv_out_begin(&out, file, head_of_iterations);

    for (uint32_t s = 0; s < series->n_slices; s++) {
        const hd_iteration_slice *slice = &series->slices[s];
        uint32_t                  first = s << series->shift, rest = series->n - first;
        uint32_t                  most  = UINT32_C(1) << series->shift;

        at = hd_tsv_add_count(hd_tsv_out_room(&out, at), (uint64_t)s + 1, '\t');
        at = hd_tsv_add_count(at, (uint64_t)first + 1, '\t');
        at = hd_tsv_add_count(at, rest < most ? rest : most, '\t');
        at = hd_tsv_add_ticks(at, slice->from - begin, resolution, '\t');
        at = hd_tsv_add_ticks(at, slice->to - begin, resolution, '\t');
        at = hd_tsv_add_count(at, slice->n_processes, '\t');
        at = hd_tsv_add_ticks(at, slice->time, resolution, '\t');
        at = hd_tsv_add_ticks(at, slice->longest, resolution, '\t');
        at = hd_tsv_add_count(at, slice->process, '\n');
    }
    hd_tsv_out_flush(&out, at);
}

void
hd_iteration_series_write(FILE *file, const hd_iteration_series *series, uint64_t resolution)
{
    hd_series_write(file, &series->rows, hd_series_metric_id, resolution);
}

void
hd_verdicts_write(FILE *file, const hd_iteration_series *series)
{
    hd_tsv_out out;
    char      *at = hd_tsv_out_begin(&out, file, head_of_verdicts);

    for (size_t i = 0; i < series->n_verdicts; i++) {
        const hd_verdict *verdict = &series->verdicts[i].verdict;
        bool              has     = verdict->n_with > 0;
        char              words[HD_VERDICT_BYTES];

        at = hd_tsv_add_text(hd_tsv_out_room(&out, at), hd_series_metric_id(series->verdicts[i].metric), '\t');
        at = hd_tsv_add_text(at, hd_verdict_spread_id(verdict->spread), '\t');
        at = hd_tsv_add_count(at, verdict->n_with, '\t');
        at = hd_tsv_add_count(at, has ? verdict->first + 1 : 0, '\t');
        at = hd_tsv_add_count(at, has ? verdict->worst + 1 : 0, '\t');
        at = hd_tsv_add_count(at, verdict->every, '\t');
        at = hd_tsv_add_rounded(at, verdict->share, '\t');
        at = hd_tsv_add_rounded(at, verdict->rank_correlation, '\t');
        at = hd_tsv_add_rounded(at, verdict->change, '\t');
        at = hd_tsv_add_count(at, verdict->period, '\t');
        at = hd_tsv_add_text(at, hd_verdict_words(words, verdict), '\n');
    }
    hd_tsv_out_flush(&out, at);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct reading {
    hd_iteration_list *list;
    size_t             capacity;
} reading;

static bool
read_iteration(void *context, char *line)
{
    hd_iteration_list *list = ((reading *)context)->list;
    hd_iteration_entry entry;
    uint32_t           number;

    if (!hd_tsv_number(hd_tsv_next(&line), &number) || number != list->n_slices + 1 || number > HD_MAX_WINDOWS ||
        !hd_tsv_number(hd_tsv_next(&line), &entry.first) || entry.first != list->n_iterations + 1 ||
        !hd_tsv_number(hd_tsv_next(&line), &entry.n) || entry.n == 0 || entry.n > UINT32_MAX - 4 - entry.first ||
        !hd_tsv_seconds(hd_tsv_next(&line), &entry.from) || !hd_tsv_seconds(hd_tsv_next(&line), &entry.to) ||
        entry.to < entry.from || !hd_tsv_number(hd_tsv_next(&line), &entry.n_processes) ||
        !hd_tsv_seconds(hd_tsv_next(&line), &entry.time) || !hd_tsv_seconds(hd_tsv_next(&line), &entry.longest) ||
        !hd_tsv_number(hd_tsv_next(&line), &entry.process) || line != NULL)
        return false;
    list->slices                   = hd_realloc(list->slices, number, sizeof *list->slices);
    list->slices[list->n_slices++] = entry;
    list->n_iterations += entry.n;
    return true;
}

/* A field that is a number with a sign. */
static bool
signed_number(const char *field, double *number)
{
    char *end;

    if (field == NULL || *field == '\0')
        return false;
    *number = strtod(field, &end);
    return *end == '\0' && *number > -1e9 && *number < 1e9;
}

static bool
read_spread(const char *id, hd_verdict_spread *spread)
{
    for (*spread = HD_SPREAD_UNKNOWN; id != NULL && *spread <= HD_SPREAD_TRANSIENT; (*spread)++)
        if (strcmp(id, hd_verdict_spread_id(*spread)) == 0)
            return true;
    return false;
}

static bool
read_verdict(void *context, char *line)
{
    reading         *r       = context;
    uint32_t         most    = r->list->n_iterations;
    hd_verdict_entry verdict = { 0 };
    const char      *id      = hd_tsv_next(&line), *words;

    verdict.metric = id != NULL ? hd_series_metric_by_id(id) : HD_NONE;
    if (verdict.metric == HD_NONE || !read_spread(hd_tsv_next(&line), &verdict.spread) ||
        !hd_tsv_number(hd_tsv_next(&line), &verdict.n_with) || verdict.n_with > most ||
        !hd_tsv_number(hd_tsv_next(&line), &verdict.first) || verdict.first > most ||
        !hd_tsv_number(hd_tsv_next(&line), &verdict.worst) || verdict.worst > most ||
        !hd_tsv_number(hd_tsv_next(&line), &verdict.every) || verdict.every > most ||
        !signed_number(hd_tsv_next(&line), &verdict.share) ||
        !signed_number(hd_tsv_next(&line), &verdict.correlation) ||
        !signed_number(hd_tsv_next(&line), &verdict.change) ||
        !hd_tsv_number(hd_tsv_next(&line), &verdict.period) || verdict.period > most ||
        (words = hd_tsv_next(&line)) == NULL || line != NULL)
        return false;
    verdict.words = hd_strdup(words);
    HD_PUSH(r->list->verdicts, r->list->n_verdicts, r->capacity, verdict);
    return true;
}

static const char *
attribute(const hd_cube *cube, const char *key)
{
    const char *value = hd_cube_attribute_get(cube, key);

    return value != NULL ? value : "";
}

hd_status
hd_iteration_list_read(hd_cube *cube, hd_iteration_list *list)
{
    reading   series = { .list = list }, verdicts = { .list = list };
    bool      has    = false;
    hd_status status;

    *list = (hd_iteration_list){ .region = attribute(cube, HD_ITERATION_REGION_ATTRIBUTE),
                                 .by     = attribute(cube, HD_ITERATIONS_BY_ATTRIBUTE) };
    list->is_found = strcmp(list->by, "found") == 0;
    list->is_end   = strcmp(attribute(cube, HD_ITERATIONS_BOUND_ATTRIBUTE), "end") == 0;
    status = hd_tsv_member(cube, HD_ITERATIONS_MEMBER, MAX_BYTES, head_of_iterations, read_iteration, &series,
                           &list->is_there);
    if (status == HD_OK && list->is_there)
        status = hd_series_rows_read(cube, HD_ITERATION_SERIES_MEMBER, hd_series_metric_by_id, list->n_slices + 3,
                                     &list->entries, &list->n, &has);
    if (status == HD_OK && list->is_there)
        status = hd_tsv_member(cube, HD_VERDICTS_MEMBER, MAX_BYTES, head_of_verdicts, read_verdict, &verdicts, &has);
    if (status == HD_OK && list->is_there)
        status = hd_cluster_list_read(cube, list->n_iterations, &list->clusters);
    if (status == HD_OK && list->is_there && list->n_slices == 0)
        status = hd_fail(HD_EFORMAT, "report \"%s\" is damaged: table \"%s\" is empty", cube->path, HD_ITERATIONS_MEMBER);
    if (status != HD_OK)
        hd_iteration_list_fini(list);
    return status;
}

void
hd_iteration_list_fini(hd_iteration_list *list)
{
    for (size_t i = 0; i < list->n_verdicts; i++)
        free(list->verdicts[i].words);
    free(list->verdicts);
    hd_cluster_list_fini(&list->clusters);
    free(list->slices);
    free(list->entries);
    *list = (hd_iteration_list){ .region = "", .by = "" };
}

const hd_verdict_entry *
hd_iteration_list_verdict(const hd_iteration_list *list, uint32_t metric)
{
    for (size_t i = 0; i < list->n_verdicts; i++)
        if (list->verdicts[i].metric == metric)
            return &list->verdicts[i];
    return NULL;
}

uint32_t
hd_iteration_list_cut_cluster(const hd_iteration_list *list)
{
    for (uint32_t k = 0; k < list->clusters.n && list->is_found && !list->is_end; k++)
        if (list->clusters.rows[k].n == 1 && list->clusters.rows[k].first == list->n_iterations)
            return k;
    return HD_NONE;
}
