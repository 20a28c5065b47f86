/* src/cli/commands/scan/recorded_size.c: takes sizes of event files, or multiplies visits with sizes of records. */
#include "recorded_size.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "archive.h"
#include "defs_read.h"
#include "memory.h"

#define MEBIBYTE 1048576.0

/* Bytes of a visit in event files of Score-P 8, rounded up: a function has an enter and a leave, each with a timestamp;
 * calls of MPI and constructs of OpenMP have 2 to 4 records more. */
#define FUNCTION_BYTES 26.0
#define MPI_BYTES 60.0
#define OTHER_BYTES 50.0

static void
init(hd_recorded_size *size, uint32_t n, uint32_t n_processes, bool is_estimate)
{
    *size = (hd_recorded_size){ .events      = HD_NEW_ARRAY(double, (size_t)n + 1),
                                 .bytes       = HD_NEW_ARRAY(double, (size_t)n + 1),
                                 .process     = HD_NEW_ARRAY(uint32_t, (size_t)n + 1),
                                 .n           = n,
                                 .n_processes = n_processes,
                                 .is_estimate = is_estimate };
}

void
hd_recorded_size_fini(hd_recorded_size *size)
{
    free(size->events);
    free(size->bytes);
    free(size->process);
    *size = (hd_recorded_size){ 0 };
}

hd_status
hd_recorded_size_of_archive(const char *anchor, hd_recorded_size *size)
{
    hd_defs               *defs = NULL;
    const hd_location_def *locations;
    hd_status              status = hd_defs_read(anchor, &defs);
    bool                   any    = false;

    if (status != HD_OK)
        return status;
    init(size, defs->n_locations, defs->n_processes, false);
    locations = hd_defs_locations(defs);
    for (uint32_t i = 0; i < defs->n_locations; i++) {
        char       *path = hd_archive_file(anchor, locations[i].ref, "evt");
        struct stat file;

        size->process[i] = locations[i].process;
        size->events[i]  = (double)locations[i].n_events;
        if (stat(path, &file) == 0) {
            size->bytes[i] = (double)file.st_size;
            any            = true;
        }
        free(path);
    }
    if (!any && defs->n_events > 0) {
        hd_recorded_size_fini(size);
        status = hd_fail(HD_EOPEN, "the archive has no event files whose sizes could be taken");
        hd_fail_detail("archive", "\"%s\"", anchor);
    }
    free(defs);
    return status;
}

static double
bytes_of_visit(const char *paradigm)
{
    static const char *const functions[] = { "compiler", "user", "measurement", "none", "unknown", "libwrap" };

    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(paradigm, functions[i]) == 0)
            return FUNCTION_BYTES;
    return strcmp(paradigm, "mpi") == 0 ? MPI_BYTES : OTHER_BYTES;
}

hd_status
hd_recorded_size_of_profile(hd_cube *cube, hd_recorded_size *size)
{
    uint32_t  metric = hd_cube_metric_by_id(cube, "visits");
    double   *visits = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    hd_status status = HD_OK;

    if (metric == HD_NONE)
        status = hd_fail(HD_EFORMAT, "the report \"%s\" has no metric \"visits\"", cube->path);
    else
        init(size, cube->n_locations, cube->n_groups, true);
    for (uint32_t i = 0; i < cube->n_locations && status == HD_OK; i++)
        size->process[i] = cube->locations[i].group;
    for (uint32_t p = 0; p < cube->n_paths && status == HD_OK; p++) {
        double bytes = bytes_of_visit(cube->regions[cube->paths[p].region].paradigm);
        bool   any   = false;

        status = hd_cube_row(cube, metric, p, visits, &any);
        for (uint32_t i = 0; i < cube->n_locations && status == HD_OK && any; i++) {
            size->events[i] += 2 * visits[i];
            size->bytes[i] += bytes * visits[i];
        }
    }
    if (status != HD_OK)
        hd_recorded_size_fini(size);
    free(visits);
    return status;
}

hd_memory_need
hd_recorded_size_need(const hd_recorded_size *size, const double *left)
{
    double        *bytes = HD_NEW_ARRAY(double, (size_t)size->n_processes + 1);
    uint32_t      *n     = HD_NEW_ARRAY(uint32_t, (size_t)size->n_processes + 1);
    hd_memory_need need  = { 0 };

    for (uint32_t i = 0; i < size->n; i++) {
        bytes[size->process[i]] += size->bytes[i] * (left != NULL ? left[i] : 1);
        n[size->process[i]]++;
    }
    for (uint32_t p = 0; p < size->n_processes; p++) {
        double needed = ceil(1.1 * bytes[p] / MEBIBYTE) + 2.0 * n[p] + 2;

        if (needed * MEBIBYTE > (double)need.bytes)
            need = (hd_memory_need){ .bytes        = (uint64_t)(needed * MEBIBYTE),
                                     .events_bytes = bytes[p],
                                     .process      = p,
                                     .n_locations  = n[p] };
    }
    free(bytes);
    free(n);
    return need;
}
