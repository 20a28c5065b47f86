#include "run_statistics.h"

#include <sys/resource.h>

#include "memory.h"
#include "message.h"

uint64_t
hd_run_statistics_peak_bytes(void)
{
    uint64_t      peak = hd_resident_bytes().peak; /* rusage begins with what the parent had at the fork */
    struct rusage usage;

    if (peak > 0)
        return peak;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss * 1024;
}

/* Everything of every rank on rank 0. */
static void *
gather(hd_analysis_comm *analysis_comm, const void *data, size_t bytes)
{
    uint8_t  *all     = NULL;
    uint64_t *n_bytes = NULL;

    hd_analysis_comm_gather(analysis_comm, data, bytes, &all, &n_bytes);
    free(n_bytes);
    return all;
}

void
hd_run_statistics_gather(hd_analysis_comm *analysis_comm, const hd_rank_statistics *own, uint32_t n_threads,
                         const hd_trace *trace, const hd_replay_result *result, hd_run_statistics *statistics)
{
    hd_scratch_stats scratch = hd_scratch_stats_get(trace->scratch);
    hd_rank_statistics  mine    = *own;

    mine.n_events   = trace->n_events;
    mine.n_ops      = trace->n_ops;
    mine.log_bytes  = trace->log_bytes;
    mine.peak_bytes = hd_run_statistics_peak_bytes();
    mine.stats      = result->stats;
    mine.limit_bytes   = scratch.limit_bytes;
    mine.scratch_bytes = scratch.peak_file_bytes;
    mine.kept_bytes    = scratch.kept_bytes;
    mine.n_drops       = scratch.n_drops;
    *statistics        = (hd_run_statistics){ .sum = mine, .n_ranks = hd_analysis_comm_size(analysis_comm),
                                              .n_threads = n_threads };
    statistics->ranks   = gather(analysis_comm, &mine, sizeof mine);
    statistics->threads = gather(analysis_comm, result->threads, n_threads * sizeof *result->threads);
    hd_analysis_comm_reduce(analysis_comm, (uint64_t *)(void *)&statistics->sum,
                            sizeof statistics->sum / sizeof(uint64_t), HD_SUM);
}

void
hd_run_statistics_fini(hd_run_statistics *statistics)
{
    free(statistics->ranks);
    free(statistics->threads);
    *statistics = (hd_run_statistics){ 0 };
}

static double
idle_share(const hd_engine_stats *stats)
{
    return stats->run_ns > 0 ? (double)stats->idle_ns / (double)stats->run_ns : 0;
}

static void
print_rank(const hd_run_statistics *statistics, uint32_t rank, FILE *out)
{
    const hd_rank_statistics *r = &statistics->ranks[rank];
    char                   a[28], b[28], c[28], d[28], e[28];

    fprintf(out, "heddle: rank %" PRIu32 ": processes=%" PRIu64
            " events=%s MPI_messages=%s MPI_bytes=%s blocked=%s memory=%s idle=",
            rank, r->n_processes, hd_message_number(a, r->n_events), hd_message_number(b, r->stats.n_messages),
            hd_message_number(c, r->stats.message_bytes), hd_message_number(d, r->stats.n_blocks),
            hd_message_size(e, r->peak_bytes - r->start_bytes));
    for (uint32_t t = 0; t < statistics->n_threads; t++)
        fprintf(out, "%s%.1f%%", t > 0 ? "," : "",
                100 * idle_share(&statistics->threads[rank * statistics->n_threads + t]));
    fputc('\n', out);
}

/* Of one rank, when everything that can go to scratch was there. */
static uint64_t
max_kept(const hd_run_statistics *statistics)
{
    uint64_t most = 0;

    for (uint32_t i = 0; i < statistics->n_ranks; i++)
        most = statistics->ranks[i].kept_bytes > most ? statistics->ranks[i].kept_bytes : most;
    return most;
}

void
hd_run_statistics_print(const hd_run_statistics *statistics, uint64_t archive_bytes, FILE *out)
{
    const hd_rank_statistics *f = &statistics->sum;
    char                   a[28], b[28], c[28];

    for (uint32_t i = 0; i < statistics->n_ranks; i++)
        print_rank(statistics, i, out);
    fprintf(out, "heddle: %s virtual messages within a thread, %s between threads, %s between ranks\n",
            hd_message_number(a, f->stats.n_worker_items), hd_message_number(b, f->stats.n_thread_items),
            hd_message_number(c, f->stats.n_rank_items));
    fprintf(out, "heddle: memory_start_bytes=%" PRIu64 " memory_peak_bytes=%" PRIu64 " log_bytes=%" PRIu64
            " events=%" PRIu64 " archive_bytes=%" PRIu64 "\n",
            f->start_bytes, f->peak_bytes, f->log_bytes, f->n_events, archive_bytes);
    if (f->limit_bytes > 0)
        fprintf(out, "heddle: memory_limit_bytes=%" PRIu64 " scratch_bytes=%" PRIu64 " kept_bytes=%" PRIu64 " drops=%"
                PRIu64 "\n", statistics->ranks[0].limit_bytes, f->scratch_bytes, max_kept(statistics), f->n_drops);
}

void
hd_run_statistics_warn_limit(const hd_run_statistics *statistics, FILE *out)
{
    uint64_t limit = statistics->ranks[0].limit_bytes, kept = max_kept(statistics);
    char     a[28], b[28];

    if (limit == 0 || kept <= limit)
        return;
    fprintf(out, "heddle: warning: the memory limit is too small: an analysis rank needs %s besides its scratch files, "
            "and the limit is %s\n"
                 "  needs:   definitions, call paths, messages in transit, memory of the MPI library\n"
                 "  try:     --memory-limit %" PRIu64 "M\n",
            hd_message_size(a, kept), hd_message_size(b, limit), (kept / 7 * 8 >> 20) + 1);
}

static void
add(hd_attribute **attributes, size_t *n, size_t *capacity, const char *key, char *value)
{
    HD_PUSH(*attributes, *n, *capacity, ((hd_attribute){ key, value }));
}

static int
compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return a < b ? -1 : a > b;
}

#define MAX_LISTED 1024

/* "0.1 0.2 0.15", or "minimum 0.1 median 0.15 maximum 0.2" of very many; values is sorted then. */
static char *
list_of(double *values, uint32_t n, const char *format_of_one)
{
    char  *text  = NULL;
    size_t bytes = 0;
    FILE  *out;

    if (n > MAX_LISTED) {
        qsort(values, n, sizeof *values, compare_doubles);
        return hd_format("minimum %g median %g maximum %g", values[0], values[n / 2], values[n - 1]);
    }
    out = open_memstream(&text, &bytes);
    HD_ASSERT(out != NULL);
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0)
            fputc(' ', out);
        if (*format_of_one == 's')
            fprintf(out, "%.4f", values[i]);
        else
            fprintf(out, "%.0f", values[i]);
    }
    fclose(out);
    return text;
}

void
hd_run_statistics_describe(const hd_run_statistics *statistics, hd_attribute **attributes, size_t *n, size_t *capacity)
{
    const hd_rank_statistics *f       = &statistics->sum;
    uint32_t               n_hosts = statistics->n_ranks * statistics->n_threads;
    double                *values  = HD_NEW_ARRAY(double, n_hosts);
    const struct {
        const char *key;
        uint64_t    value;
    } sums[] = { { "Heddle::Events", f->n_events },
                 { "Heddle::Operations", f->n_ops },
                 { "Heddle::LogBytes", f->log_bytes },
                 { "Heddle::MemoryStartBytes", f->start_bytes },
                 { "Heddle::MemoryPeakBytes", f->peak_bytes },
                 { "Heddle::MessagesWithinThread", f->stats.n_worker_items },
                 { "Heddle::MessagesBetweenThreads", f->stats.n_thread_items },
                 { "Heddle::MessagesBetweenRanks", f->stats.n_rank_items },
                 { "Heddle::Parked", f->stats.n_blocks } };

    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        add(attributes, n, capacity, sums[i].key, hd_format("%" PRIu64, sums[i].value));
    if (f->limit_bytes > 0) {
        add(attributes, n, capacity, "Heddle::MemoryLimitBytes",
            hd_format("%" PRIu64, statistics->ranks[0].limit_bytes));
        add(attributes, n, capacity, "Heddle::ScratchBytes", hd_format("%" PRIu64, f->scratch_bytes));
    }
    for (uint32_t i = 0; i < statistics->n_ranks; i++)
        values[i] = (double)statistics->ranks[i].stats.n_messages;
    add(attributes, n, capacity, "Heddle::MpiMessagesOfRanks", list_of(values, statistics->n_ranks, "count"));
    for (uint32_t i = 0; i < statistics->n_ranks; i++)
        values[i] = (double)statistics->ranks[i].stats.message_bytes;
    add(attributes, n, capacity, "Heddle::MpiBytesOfRanks", list_of(values, statistics->n_ranks, "count"));
    for (uint32_t i = 0; i < n_hosts; i++)
        values[i] = idle_share(&statistics->threads[i]);
    add(attributes, n, capacity, "Heddle::IdleShareOfThreads", list_of(values, n_hosts, "share"));
    free(values);
}
