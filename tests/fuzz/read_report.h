/* tests/fuzz/read_report.h: everything that is read of a report, of one that opens. */
#ifndef READ_REPORT_H
#define READ_REPORT_H

#include "cause_list.h"
#include "cube_reader.h"
#include "fuzz.h"
#include "instance_list.h"
#include "summary.h"

enum { MAX_OF_ALL = 24 }; /* metrics and call paths, so that an input takes milliseconds */

static void
read_values(hd_cube *cube)
{
    double  *values = HD_NEW_ARRAY(double, cube->n_locations);
    uint32_t n_metrics = cube->n_metrics < MAX_OF_ALL ? cube->n_metrics : MAX_OF_ALL;
    uint32_t n_paths   = cube->n_paths < MAX_OF_ALL ? cube->n_paths : MAX_OF_ALL;
    bool     any;

    for (uint32_t metric = 0; metric < n_metrics; metric++)
        for (uint32_t path = 0; path < n_paths; path++)
            if (hd_cube_row(cube, metric, path, values, &any) != HD_OK)
                break;
    free(values);
}

static void
read_tables(hd_cube *cube)
{
    hd_cause_list    causes    = { 0 };
    hd_instance_list instances = { 0 };

    for (int of_processes = 0; of_processes < 2; of_processes++) {
        hd_cause_list_read(cube, of_processes != 0, &causes);
        free(causes.entries);
        causes.entries = NULL;
    }
    hd_instance_list_read(cube, &instances);
    hd_instance_list_fini(&instances);
}

static void
read_report(const char *path, bool with_values)
{
    FILE    *nowhere;
    hd_cube *cube = NULL;

    if (hd_cube_open(path, &cube) != HD_OK)
        return;
    if (cube->n_locations <= 4096) {
        if (with_values)
            read_values(cube);
        read_tables(cube);
        nowhere = fuzz_nowhere();
        if (cube->n_paths <= 1000 && cube->n_locations <= 64)
            hd_summary_print(cube, nowhere, &(hd_summary_options){ .n_top = 5, .n_instances = 3 });
        fclose(nowhere);
    }
    hd_cube_close(cube);
}

#endif
