#include "instance_list.h"

#include "memory.h"
#include "tsv.h"

enum { MAX_BYTES = 256 * 1024 * 1024, MIN_FOR_VARIANCE = 2, MIN_FOR_QUARTILES = 5 };

static const char head_of_statistics[] = "metric\tpath\tcount\tmean\tmedian\tminimum\tmaximum\tsum\tvariance\t"
                                         "quartile25\tquartile75";
static const char head_of_instances[]  = "instance\tmetric\tpath\tprocess\tthread\tenter\tleave\twaiting\tpeer";
static const char head_of_excerpts[]   = "instance\tprocess\tthread\tbegin\tend\tpath\tkind";
static const char head_of_windows[]    = "instance\tbegin\tend\tlanes\tpartners\tsends\treceives";
static const char head_of_messages[]   = "instance\tsender\tsender_thread\treceiver\treceiver_thread\tsent\treceived\t"
                                         "bytes\ttag";

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static uint64_t
since_begin(const hd_defs *defs, hd_time time)
{
    return time > defs->first_time ? time - defs->first_time : 0;
}

void
hd_statistics_write(FILE *file, const hd_wait_statistics *statistics, const hd_defs *defs, const uint32_t *numbers)
{
    double second = (double)defs->resolution;

    fprintf(file, "%s\n", head_of_statistics);
    for (size_t i = 0; i < statistics->n; i++) {
        const hd_wait_statistic *row      = &statistics->rows[i];
        bool                     is_whole = row->call_path == HD_NONE;

        fprintf(file, "%s\t", hd_metric_infos[row->metric].id);
        hd_tsv_put_number(file, is_whole ? 0 : numbers[row->call_path], !is_whole);
        fprintf(file, "%" PRIu64 "\t%.15g\t%.15g\t", row->count, hd_wait_statistic_mean(row) / second,
                row->median / second);
        hd_tsv_put_ticks(file, (uint64_t)row->minimum, defs->resolution, '\t');
        hd_tsv_put_ticks(file, (uint64_t)row->maximum, defs->resolution, '\t');
        hd_tsv_put_ticks(file, (uint64_t)row->sum, defs->resolution, '\t');
        fprintf(file, "%.15g\t%.15g\t%.15g\n", hd_wait_statistic_variance(row) / second / second,
                row->lower_quartile / second, row->upper_quartile / second);
    }
}

/* Another process; threads of the own one have no number there. */
static uint32_t
peer_of(const hd_instance *instance)
{
    return instance->peer != instance->waiters[0].process ? instance->peer : HD_NONE;
}

void
hd_instances_write(FILE *file, const hd_wait_statistics *statistics, const hd_defs *defs, const uint32_t *numbers)
{
    fprintf(file, "%s\n", head_of_instances);
    for (size_t i = 0; i < statistics->n_instances; i++) {
        const hd_instance *instance = &statistics->instances[i];
        const hd_waiter   *first    = &instance->waiters[0];

        fprintf(file, "%zu\t%s\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t", i + 1, hd_metric_infos[instance->metric].id,
                numbers[first->call_path], first->process, first->thread);
        hd_tsv_put_ticks(file, since_begin(defs, instance->enter), defs->resolution, '\t');
        hd_tsv_put_ticks(file, since_begin(defs, instance->leave), defs->resolution, '\t');
        hd_tsv_put_ticks(file, (uint64_t)instance->waiting, defs->resolution, '\t');
        if (peer_of(instance) != HD_NONE)
            fprintf(file, "%" PRIu32, peer_of(instance));
        fputc('\n', file);
    }
}

void
hd_excerpts_write(FILE *file, const hd_excerpts *excerpts, const hd_defs *defs, const uint32_t *numbers)
{
    static const char *const kinds[] = { [HD_EXCERPT_CALL] = "call", [HD_EXCERPT_CALLS] = "calls",
                                         [HD_EXCERPT_WAIT] = "wait" };

    fprintf(file, "%s\n", head_of_excerpts);
    for (size_t i = 0; i < excerpts->n_pieces; i++) {
        const hd_excerpt_piece *row = &excerpts->pieces[i];

        fprintf(file, "%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t", row->instance + 1, row->process, row->thread);
        hd_tsv_put_ticks(file, since_begin(defs, row->begin), defs->resolution, '\t');
        hd_tsv_put_ticks(file, since_begin(defs, row->end), defs->resolution, '\t');
        fprintf(file, "%" PRIu32 "\t%s\n", numbers[row->call_path], kinds[row->kind]);
    }
}

void
hd_excerpt_windows_write(FILE *file, const hd_excerpts *excerpts, const hd_defs *defs)
{
    fprintf(file, "%s\n", head_of_windows);
    for (size_t i = 0; i < excerpts->n_windows; i++) {
        const hd_excerpt_window *row = &excerpts->windows[i];

        fprintf(file, "%" PRIu32 "\t", row->instance + 1);
        hd_tsv_put_ticks(file, since_begin(defs, row->begin), defs->resolution, '\t');
        hd_tsv_put_ticks(file, since_begin(defs, row->end), defs->resolution, '\t');
        fprintf(file, "%" PRIu32 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", row->n_lanes, row->n_partners,
                row->n_sends, row->n_receives);
    }
}

void
hd_excerpt_messages_write(FILE *file, const hd_excerpts *excerpts, const hd_defs *defs)
{
    fprintf(file, "%s\n", head_of_messages);
    for (size_t i = 0; i < excerpts->n_messages; i++) {
        const hd_excerpt_message *row = &excerpts->messages[i];

        fprintf(file, "%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t", row->instance + 1,
                row->sender, row->sender_thread, row->receiver, row->receiver_thread);
        hd_tsv_put_ticks(file, since_begin(defs, row->sent), defs->resolution, '\t');
        hd_tsv_put_ticks(file, since_begin(defs, row->received), defs->resolution, '\t');
        fprintf(file, "%" PRIu64 "\t%" PRIu32 "\n", row->bytes, row->tag);
    }
}

/* In the order of docs/formats.md: what other analysers have first. */
static const hd_metric first_of_stat_file[] = {
    HD_METRIC_mpi_latesender, HD_METRIC_mpi_latesender_wo, HD_METRIC_mpi_latereceiver, HD_METRIC_mpi_wait_nxn,
    HD_METRIC_mpi_barrier_wait, HD_METRIC_mpi_earlyreduce, HD_METRIC_mpi_earlyscan, HD_METRIC_mpi_latebroadcast,
    HD_METRIC_mpi_barrier_completion, HD_METRIC_mpi_nxn_completion, HD_METRIC_omp_ebarrier_wait,
    HD_METRIC_omp_ibarrier_wait, HD_METRIC_omp_lock_contention_api, HD_METRIC_omp_lock_contention_critical,
    HD_METRIC_pthread_lock_contention_mutex_lock, HD_METRIC_pthread_lock_contention_conditional,
};
enum { N_FIRST = sizeof first_of_stat_file / sizeof *first_of_stat_file };

static bool
is_first(uint32_t metric)
{
    for (size_t i = 0; i < N_FIRST; i++)
        if (first_of_stat_file[i] == metric)
            return true;
    return false;
}

static void
write_block(FILE *file, const hd_wait_statistic *rows, size_t n, const hd_defs *defs, const uint32_t *numbers)
{
    double second = (double)defs->resolution;

    fprintf(file, "%s %" PRIu64 " %.15g %.15g ", hd_metric_infos[rows->metric].id, rows->count,
            hd_wait_statistic_mean(rows) / second, rows->median / second);
    hd_tsv_put_ticks(file, (uint64_t)rows->minimum, defs->resolution, ' ');
    hd_tsv_put_ticks(file, (uint64_t)rows->maximum, defs->resolution, ' ');
    hd_tsv_put_ticks(file, (uint64_t)rows->sum, defs->resolution, rows->count >= MIN_FOR_VARIANCE ? ' ' : '\n');
    if (rows->count >= MIN_FOR_VARIANCE)
        fprintf(file, "%.15g%c", hd_wait_statistic_variance(rows) / second / second,
                rows->count >= MIN_FOR_QUARTILES ? ' ' : '\n');
    if (rows->count >= MIN_FOR_QUARTILES)
        fprintf(file, "%.15g %.15g\n", rows->lower_quartile / second, rows->upper_quartile / second);
    for (size_t i = 1; i < n; i++) {
        const hd_instance *worst = &rows[i].worst;

        fprintf(file, "- cnode: %" PRIu32 " enter: ", numbers[worst->waiters[0].call_path]);
        hd_tsv_put_ticks(file, since_begin(defs, worst->enter), defs->resolution, ' ');
        fputs("exit: ", file);
        hd_tsv_put_ticks(file, since_begin(defs, worst->leave), defs->resolution, ' ');
        fputs("duration: ", file);
        hd_tsv_put_ticks(file, (uint64_t)worst->waiting, defs->resolution, ' ');
        fprintf(file, "rank: %" PRIu32 "\n", worst->waiters[0].process);
    }
    fputc('\n', file);
}

/* Those of one metric stand together, the whole first. */
static void
write_metric(FILE *file, const hd_wait_statistics *statistics, uint32_t metric, const hd_defs *defs,
             const uint32_t *numbers)
{
    size_t first = 0, end;

    while (first < statistics->n && statistics->rows[first].metric != metric)
        first++;
    for (end = first; end < statistics->n && statistics->rows[end].metric == metric;)
        end++;
    if (first < end)
        write_block(file, &statistics->rows[first], end - first, defs, numbers);
}

void
hd_stat_file_write(FILE *file, const hd_wait_statistics *statistics, const hd_defs *defs, const uint32_t *numbers)
{
    fputs("PatternName Count Mean Median Minimum Maximum Sum Variance Quartil25 Quartil75\n", file);
    for (size_t i = 0; i < N_FIRST; i++)
        write_metric(file, statistics, first_of_stat_file[i], defs, numbers);
    for (size_t i = 0; i < statistics->n; i++)
        if (statistics->rows[i].call_path == HD_NONE && !is_first(statistics->rows[i].metric))
            write_metric(file, statistics, statistics->rows[i].metric, defs, numbers);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct reading {
    hd_instance_list *list;
    const uint32_t   *places; /* id of a call path -> index */
    const bool       *skipped; /* see hd_cube; may be NULL */
    uint32_t          n_places;
    size_t            capacity_statistics, capacity_instances;
} reading;

static bool
read_metric(const char *field, uint32_t *metric)
{
    *metric = field != NULL ? hd_metric_by_id(field) : HD_NONE;
    return field != NULL && *field != '\0';
}

static bool
read_statistic(void *context, char *line)
{
    reading           *r     = context;
    hd_statistic_entry entry = { 0 };
    double            *times[] = { &entry.mean, &entry.median, &entry.minimum, &entry.maximum, &entry.sum,
                                   &entry.variance, &entry.lower_quartile, &entry.upper_quartile };

    if (!read_metric(hd_tsv_next(&line), &entry.metric) ||
        !hd_tsv_path(hd_tsv_next(&line), r->places, r->n_places, &entry.path) ||
        !hd_tsv_count(hd_tsv_next(&line), &entry.count))
        return false;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (!hd_tsv_seconds(hd_tsv_next(&line), times[i]))
            return false;
    if (entry.metric != HD_NONE)
        HD_PUSH(r->list->statistics, r->list->n_statistics, r->capacity_statistics, entry);
    return line == NULL;
}

static bool
read_instance(void *context, char *line)
{
    reading          *r     = context;
    hd_instance_entry entry = { 0 };

    if (!hd_tsv_number(hd_tsv_next(&line), &entry.number) || entry.number == HD_NONE ||
        !read_metric(hd_tsv_next(&line), &entry.metric) ||
        !hd_tsv_path(hd_tsv_next(&line), r->places, r->n_places, &entry.path) || entry.path == HD_NONE ||
        !hd_tsv_number(hd_tsv_next(&line), &entry.process) || entry.process == HD_NONE ||
        !hd_tsv_number(hd_tsv_next(&line), &entry.thread) || entry.thread == HD_NONE ||
        !hd_tsv_seconds(hd_tsv_next(&line), &entry.enter) || !hd_tsv_seconds(hd_tsv_next(&line), &entry.leave) ||
        !hd_tsv_seconds(hd_tsv_next(&line), &entry.waiting) || !hd_tsv_number(hd_tsv_next(&line), &entry.peer) ||
        entry.leave < entry.enter)
        return false;
    if (entry.metric != HD_NONE && (r->skipped == NULL || !r->skipped[entry.path]))
        HD_PUSH(r->list->instances, r->list->n_instances, r->capacity_instances, entry);
    return line == NULL;
}

static bool
has_rows_at_paths(const hd_instance_list *list, uint32_t metric)
{
    for (size_t i = 0; i < list->n_statistics; i++)
        if (list->statistics[i].metric == metric && list->statistics[i].path != HD_NONE)
            return true;
    return false;
}

/* Rows of call paths that are skipped, and then those of whole metrics that have no call path left. */
static void
drop_skipped(hd_instance_list *list, const bool *skipped)
{
    size_t n = 0;

    for (size_t i = 0; i < list->n_statistics; i++)
        if (list->statistics[i].path == HD_NONE || !skipped[list->statistics[i].path])
            list->statistics[n++] = list->statistics[i];
    list->n_statistics = n;
    n                  = 0;
    /* Rows at paths move to the front of those not looked at yet, and stay. */
    for (size_t i = 0; i < list->n_statistics; i++)
        if (list->statistics[i].path != HD_NONE || has_rows_at_paths(list, list->statistics[i].metric))
            list->statistics[n++] = list->statistics[i];
    list->n_statistics = n;
}

hd_status
hd_instance_list_read(hd_cube *cube, hd_instance_list *list)
{
    uint32_t *places = hd_tsv_places(cube);
    reading   r      = { .list = list, .places = places, .skipped = cube->skipped, .n_places = cube->n_paths };
    hd_status status;

    *list  = (hd_instance_list){ 0 };
    status = hd_tsv_member(cube, HD_STATISTICS_MEMBER, MAX_BYTES, head_of_statistics, read_statistic, &r,
                           &list->is_there);
    if (status == HD_OK && cube->skipped != NULL)
        drop_skipped(list, cube->skipped);
    if (status == HD_OK)
        status = hd_tsv_member(cube, HD_INSTANCES_MEMBER, MAX_BYTES, head_of_instances, read_instance, &r,
                               &list->is_there);
    if (status != HD_OK)
        hd_instance_list_fini(list);
    free(places);
    return status;
}

void
hd_instance_list_fini(hd_instance_list *list)
{
    free(list->statistics);
    free(list->instances);
    *list = (hd_instance_list){ 0 };
}

typedef struct excerpt_reading {
    hd_excerpt_list *list;
    const uint32_t  *places;
    uint32_t         n_places;
    size_t           capacity;
} excerpt_reading;

static bool
read_excerpt(void *context, char *line)
{
    excerpt_reading *r     = context;
    hd_excerpt_entry entry = { 0 };
    const char      *kind;

    if (!hd_tsv_number(hd_tsv_next(&line), &entry.instance) || entry.instance == HD_NONE ||
        !hd_tsv_number(hd_tsv_next(&line), &entry.process) || !hd_tsv_number(hd_tsv_next(&line), &entry.thread) ||
        !hd_tsv_seconds(hd_tsv_next(&line), &entry.begin) || !hd_tsv_seconds(hd_tsv_next(&line), &entry.end) ||
        !hd_tsv_path(hd_tsv_next(&line), r->places, r->n_places, &entry.path) || entry.path == HD_NONE)
        return false;
    kind = hd_tsv_next(&line);
    if (kind == NULL || line != NULL)
        return false;
    entry.is_wait = strcmp(kind, "wait") == 0;
    HD_PUSH(r->list->excerpts, r->list->n, r->capacity, entry);
    return true;
}

hd_status
hd_excerpt_list_read(hd_cube *cube, hd_excerpt_list *list)
{
    uint32_t       *places   = hd_tsv_places(cube);
    excerpt_reading r        = { .list = list, .places = places, .n_places = cube->n_paths };
    bool            is_there = false;
    hd_status       status;

    *list  = (hd_excerpt_list){ 0 };
    status = hd_tsv_member(cube, HD_EXCERPTS_MEMBER, MAX_BYTES, head_of_excerpts, read_excerpt, &r, &is_there);
    if (status != HD_OK)
        hd_excerpt_list_fini(list);
    free(places);
    return status;
}

void
hd_excerpt_list_fini(hd_excerpt_list *list)
{
    free(list->excerpts);
    *list = (hd_excerpt_list){ 0 };
}

const hd_statistic_entry *
hd_instance_list_statistic(const hd_instance_list *list, uint32_t metric)
{
    for (size_t i = 0; i < list->n_statistics; i++)
        if (list->statistics[i].metric == metric && list->statistics[i].path == HD_NONE)
            return &list->statistics[i];
    return NULL;
}
