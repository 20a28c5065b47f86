#include "distance_table.h"

#include <stdlib.h>

#include "memory.h"
#include "metric.h"

enum { N_NEAR = HD_METRIC_machine_comms_remote - HD_METRIC_machine_comms_process + 1 };

static const struct {
    hd_metric   first; /* of the nearest */
    const char *head, *name;
    bool        is_time;
} columns[] = {
    { HD_METRIC_machine_comms_process, "messages", "messages", false },
    { HD_METRIC_machine_bytes_process, "bytes", "bytes", false },
    { HD_METRIC_machine_latesender_process, "late sender", "mpi_latesender", true },
    { HD_METRIC_machine_latereceiver_process, "late receiver", "mpi_latereceiver", true },
};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

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

static double
whole_of(double sums[N_NEAR][N_COLUMNS], int column)
{
    double whole = 0;

    for (int near = 0; near < N_NEAR; near++)
        whole += sums[near][column];
    return whole;
}

static void
print_near(FILE *file, int near, double sums[N_NEAR][N_COLUMNS], bool is_tsv)
{
    fprintf(file, is_tsv ? "%s" : "%-26s", hd_metric_infos[HD_METRIC_machine_comms_process + near].name);
    for (int c = 0; c < N_COLUMNS; c++) {
        double whole = whole_of(sums, c);

        if (is_tsv)
            fprintf(file, "\t%.17g", sums[near][c]);
        else
            fprintf(file, columns[c].is_time ? " %13.6g %5.1f %%" : " %13.0f %5.1f %%", sums[near][c],
                    whole > 0 ? 100 * sums[near][c] / whole : 0);
    }
    fputc('\n', file);
}

static void
print_head(FILE *file, bool is_tsv)
{
    fprintf(file, is_tsv ? "distance" : "Messages by distance on the machine; seconds\n\n%-26s", "");
    for (int c = 0; c < N_COLUMNS; c++)
        fprintf(file, is_tsv ? "\t%s" : " %13s        ", is_tsv ? columns[c].name : columns[c].head);
    fputc('\n', file);
}

hd_status
hd_distance_table_print(hd_cube *cube, const bool *selected, bool is_tsv, FILE *file)
{
    double    sums[N_NEAR][N_COLUMNS] = { 0 };
    hd_status status                  = HD_OK;

    if (hd_cube_metric_by_id(cube, "machine_comms") == HD_NONE) {
        hd_fail(HD_EUSAGE, "report \"%s\" has no messages by distance on the machine", cube->path);
        hd_fail_detail("reason", "processes of several nodes that exchange messages are needed, and an analysis without --compat");
        return HD_EUSAGE;
    }
    for (int c = 0; c < N_COLUMNS; c++)
        for (int near = 0; near < N_NEAR && status == HD_OK; near++)
            status = sum_up(cube, hd_cube_metric_by_id(cube, hd_metric_infos[(int)columns[c].first + near].id), selected, &sums[near][c]);
    if (status != HD_OK)
        return status;
    print_head(file, is_tsv);
    for (int near = 0; near < N_NEAR; near++)
        if (hd_cube_metric_by_id(cube, hd_metric_infos[HD_METRIC_machine_comms_process + near].id) != HD_NONE)
            print_near(file, near, sums, is_tsv);
    return HD_OK;
}
