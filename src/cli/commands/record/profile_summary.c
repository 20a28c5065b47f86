/* src/cli/commands/record/profile_summary.c: shares of the time of all threads. */
#include "profile_summary.h"

#include <stdlib.h>
#include <string.h>

#include "cube_reader.h"
#include "memory.h"
#include "path_cut.h"
#include "startup.h"
#include "time_text.h"

enum { N_TOP = 5, PATH_COLUMNS = 58 };

typedef struct path_time {
    uint32_t path;
    double   seconds; /* of all locations, without what it calls */
} path_time;

static int
compare_seconds(const void *left, const void *right)
{
    const path_time *a = left, *b = right;

    if (a->seconds != b->seconds)
        return a->seconds > b->seconds ? -1 : 1;
    return a->path < b->path ? -1 : a->path > b->path;
}

/* times: [n_paths] out. 0 where the report does not have the metric. */
static hd_status
sum_up(hd_cube *cube, const char *id, path_time *times, double *sum)
{
    uint32_t  metric = hd_cube_metric_by_id(cube, id);
    double   *row    = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    hd_status status = HD_OK;
    bool      any;

    *sum = 0;
    for (uint32_t p = 0; p < cube->n_paths && status == HD_OK && metric != HD_NONE; p++) {
        double seconds = 0;

        status = hd_cube_row(cube, metric, p, row, &any);
        for (uint32_t i = 0; i < cube->n_locations && status == HD_OK; i++)
            seconds += row[i];
        if (times != NULL)
            times[p] = (path_time){ p, seconds };
        *sum += seconds;
    }
    free(row);
    return status;
}

static hd_status
print_shares(hd_cube *cube, double whole, const hd_startup *startup, FILE *out)
{
    static const struct {
        const char *id, *name;
    } classes[] = { { "comp", "computation" }, { "mpi", "MPI" }, { "omp_time", "OpenMP" },
                    { "pthread_time", "POSIX threads" }, { "omp_idle_threads", "idle threads" } };
    hd_status   status = HD_OK;
    const char *comma  = "";

    fputs("  time:     ", out);
    for (size_t i = 0; i < sizeof classes / sizeof *classes && status == HD_OK; i++) {
        double sum;

        if (hd_cube_metric_by_id(cube, classes[i].id) == HD_NONE)
            continue;
        status = sum_up(cube, classes[i].id, NULL, &sum);
        fprintf(out, "%s%s %.1f %%", comma, classes[i].name, whole > 0 ? 100 * sum / whole : 0);
        comma = ", ";
    }
    fprintf(out, " of %s", hd_time_text_of(whole).text);
    if (startup->seconds > 0)
        fputs(", without MPI_Init and MPI_Finalize", out);
    fputc('\n', out);
    return status;
}

hd_status
hd_profile_summary_print(const char *path, FILE *out)
{
    hd_cube   *cube    = NULL;
    path_time *times   = NULL;
    hd_startup startup = { 0 };
    double     whole   = 0;
    hd_status  status  = hd_cube_open(path, &cube);

    if (status == HD_OK)
        status = hd_startup_skip_but_impact(cube, &startup);
    if (status == HD_OK) {
        times  = HD_NEW_ARRAY(path_time, (size_t)cube->n_paths + 1);
        status = sum_up(cube, "time", times, &whole);
    }
    if (status == HD_OK)
        status = print_shares(cube, whole, &startup, out);
    if (status == HD_OK) {
        qsort(times, cube->n_paths, sizeof *times, compare_seconds);
        for (uint32_t i = 0; i < N_TOP && i < cube->n_paths && times[i].seconds > 0; i++) {
            char *text = hd_path_cut(cube, times[i].path, PATH_COLUMNS);

            fprintf(out, "%s%5.1f %%  %s\n", i == 0 ? "  most at:  " : "            ", 100 * times[i].seconds / whole,
                    text);
            free(text);
        }
    }
    free(times);
    hd_cube_close(cube);
    return status;
}
