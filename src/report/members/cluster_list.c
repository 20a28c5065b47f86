/* src/report/members/cluster_list.c: writes and reads the table of clusters. */
#include "cluster_list.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "tsv.h"

enum { MAX_BYTES = 1 << 24 };

static const char head[] = "cluster\tcalls\titerations\tfirst\ttypical\tduration\twaiting\twhich";

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static uint64_t
sum_of(const hd_clusters *clusters, const uint64_t *values, uint32_t n_iterations, uint32_t cluster)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < n_iterations; i++)
        if (clusters->of[i] == cluster)
            sum += values[i];
    return sum;
}

void
hd_clusters_write(FILE *file, const hd_iteration_series *series, uint64_t resolution)
{
    const hd_clusters *clusters = &series->clusters;

    fprintf(file, "%s\n", head);
    for (uint32_t k = 0; k < clusters->n; k++) {
        const hd_cluster *row   = &clusters->rows[k];
        char             *which = hd_clusters_which(clusters, k, series->n);

        fprintf(file, "%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t", k + 1, row->structure + 1,
                row->n, row->first + 1, row->typical + 1);
        hd_tsv_put_ticks(file, sum_of(clusters, series->longest, series->n, k) / row->n, resolution, '\t');
        hd_tsv_put_ticks(file, sum_of(clusters, series->waits, series->n, k) / row->n, resolution, '\t');
        fprintf(file, "%s\n", which);
        free(which);
    }
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct reading {
    hd_cluster_list *list;
    uint32_t         n_iterations;
} reading;

/* Whether a text is "1-4,6": ascending, n numbers, none above most. */
static bool
is_which(const char *text, uint32_t n, uint32_t most)
{
    unsigned long last = 0, count = 0;

    do {
        char         *end;
        unsigned long from, to;

        if (!isdigit((unsigned char)*text))
            return false;
        from = to = strtoul(text, &end, 10);
        if (*end == '-' && isdigit((unsigned char)end[1]))
            to = strtoul(end + 1, &end, 10);
        if (from <= last || to < from || to > most)
            return false;
        count += to - from + 1;
        last = to;
        text = end;
    } while (*text++ == ',');
    return text[-1] == '\0' && count == n;
}

static bool
read_cluster(void *context, char *line)
{
    reading         *r     = context;
    uint32_t         most  = r->n_iterations, number;
    hd_cluster_entry entry = { 0 };
    const char      *which;

    if (!hd_tsv_number(hd_tsv_next(&line), &number) || number != r->list->n + 1 || number > HD_CLUSTERS_MOST ||
        !hd_tsv_number(hd_tsv_next(&line), &entry.calls) || entry.calls == 0 || entry.calls > HD_CLUSTERS_MOST ||
        !hd_tsv_number(hd_tsv_next(&line), &entry.n) || entry.n == 0 || entry.n > most ||
        !hd_tsv_number(hd_tsv_next(&line), &entry.first) || entry.first == 0 || entry.first > most ||
        !hd_tsv_number(hd_tsv_next(&line), &entry.typical) || entry.typical < entry.first || entry.typical > most ||
        !hd_tsv_seconds(hd_tsv_next(&line), &entry.duration) || !hd_tsv_seconds(hd_tsv_next(&line), &entry.waiting) ||
        (which = hd_tsv_next(&line)) == NULL || line != NULL || !is_which(which, entry.n, most))
        return false;
    entry.which                  = hd_strdup(which);
    r->list->rows                = hd_realloc(r->list->rows, number, sizeof *r->list->rows);
    r->list->rows[r->list->n++] = entry;
    return true;
}

hd_status
hd_cluster_list_read(hd_cube *cube, uint32_t n_iterations, hd_cluster_list *list)
{
    reading   r   = { list, n_iterations };
    bool      has = false;
    hd_status status;

    *list  = (hd_cluster_list){ .n = 0 };
    status = hd_tsv_member(cube, HD_CLUSTERS_MEMBER, MAX_BYTES, head, read_cluster, &r, &has);
    if (status != HD_OK)
        hd_cluster_list_fini(list);
    return status;
}

void
hd_cluster_list_fini(hd_cluster_list *list)
{
    for (uint32_t k = 0; k < list->n; k++)
        free(list->rows[k].which);
    free(list->rows);
    *list = (hd_cluster_list){ .n = 0 };
}
