#include "distance_table.h"

#include <stdlib.h>

#include "memory.h"
#include "metric.h"

enum { N_COLUMNS = 4, MOST_CLASSES = 16 };

static const struct {
    const char *head, *name;
    bool        is_time;
} columns[N_COLUMNS] = { { "messages", "messages", false }, { "bytes", "bytes", false }, { "late sender", "mpi_latesender", true },
                         { "late receiver", "mpi_latereceiver", true } };

typedef struct kind_of_distance {
    const char *head;
    hd_metric   first[N_COLUMNS]; /* of the nearest class */
    int         n;                /* classes */
} kind_of_distance;

static const kind_of_distance kinds[] = {
    { "Messages by distance on the machine; seconds",
      { HD_METRIC_machine_comms_process, HD_METRIC_machine_bytes_process, HD_METRIC_machine_latesender_process,
        HD_METRIC_machine_latereceiver_process },
      HD_METRIC_machine_comms_remote - HD_METRIC_machine_comms_process + 1 },
    { "Messages by hops on the topology; seconds",
      { HD_METRIC_topo_comms_h0, HD_METRIC_topo_bytes_h0, HD_METRIC_topo_latesender_h0, HD_METRIC_topo_latereceiver_h0 },
      HD_METRIC_topo_comms_hmore - HD_METRIC_topo_comms_h0 + 1 },
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

typedef struct distances {
    double sums[MOST_CLASSES][N_COLUMNS], wholes[N_COLUMNS];
} distances;

static hd_status
sum_up(hd_cube *cube, uint32_t metric, const bool *selected, double *sum)
{
    double   *row    = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    hd_status status = HD_OK;

    for (uint32_t path = 0; metric != HD_NONE && path < cube->n_paths && status == HD_OK; path++) {
        bool any = false;

        if (selected == NULL || selected[path])
            status = hd_cube_row(cube, metric, path, row, &any);
        for (uint32_t i = 0; status == HD_OK && any && i < cube->n_locations; i++)
            *sum += row[i];
    }
    free(row);
    return status;
}

static hd_status
sum_up_all(hd_cube *cube, const kind_of_distance *kind, const bool *selected, distances *d)
{
    hd_status status = HD_OK;

    *d = (distances){ 0 };
    for (int c = 0; c < N_COLUMNS; c++)
        for (int i = 0; i < kind->n && status == HD_OK; i++) {
            status = sum_up(cube, hd_cube_metric_by_id(cube, hd_metric_infos[kind->first[c] + (hd_metric)i].id), selected, &d->sums[i][c]);
            d->wholes[c] += d->sums[i][c];
        }
    return status;
}

static void
print_class(FILE *file, const char *name, const distances *d, int i, bool is_tsv)
{
    fprintf(file, is_tsv ? "%s" : "%-26s", name);
    for (int c = 0; c < N_COLUMNS; c++)
        if (is_tsv)
            fprintf(file, "\t%.17g", d->sums[i][c]);
        else
            fprintf(file, columns[c].is_time ? " %13.6g %5.1f %%" : " %13.0f %5.1f %%", d->sums[i][c],
                    d->wholes[c] > 0 ? 100 * d->sums[i][c] / d->wholes[c] : 0);
    fputc('\n', file);
}

static void
print_heads(FILE *file)
{
    fprintf(file, "\n%-26s", "");
    for (int c = 0; c < N_COLUMNS; c++)
        fprintf(file, " %13s%s", columns[c].head, c + 1 < N_COLUMNS ? "        " : "");
    fputc('\n', file);
}

static bool
is_there(const hd_cube *cube, const kind_of_distance *kind)
{
    return hd_cube_metric_by_id(cube, hd_metric_infos[hd_metric_infos[kind->first[0]].parent].id) != HD_NONE;
}

hd_status
hd_distance_table_print(hd_cube *cube, const bool *selected, bool is_tsv, FILE *file)
{
    hd_status status = HD_OK;
    int       n      = 0;

    for (int k = 0; k < N_KINDS; k++)
        n += is_there(cube, &kinds[k]);
    if (n == 0) {
        hd_fail(HD_EUSAGE, "report \"%s\" has no messages by distance", cube->path);
        hd_fail_detail("reason", "messages, and a topology of processes or several nodes, are needed, and an analysis without --compat");
        return HD_EUSAGE;
    }
    if (is_tsv)
        fprintf(file, "distance\t%s\t%s\t%s\t%s\n", columns[0].name, columns[1].name, columns[2].name, columns[3].name);
    for (int k = 0, n_printed = 0; k < N_KINDS && status == HD_OK; k++) {
        distances d;

        if (!is_there(cube, &kinds[k]))
            continue;
        status = sum_up_all(cube, &kinds[k], selected, &d);
        if (!is_tsv && status == HD_OK) {
            fprintf(file, "%s%s\n", n_printed++ > 0 ? "\n" : "", kinds[k].head);
            print_heads(file);
        }
        for (int i = 0; i < kinds[k].n && status == HD_OK; i++)
            if (hd_cube_metric_by_id(cube, hd_metric_infos[kinds[k].first[0] + (hd_metric)i].id) != HD_NONE)
                print_class(file, hd_metric_infos[kinds[k].first[0] + (hd_metric)i].name, &d, i, is_tsv);
    }
    return status;
}
