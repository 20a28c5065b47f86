/* src/cli/commands/scan/short_functions.c: sums visits and times of functions, and writes filter files. */
#include "short_functions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "new_file.h"

typedef struct region_sum {
    double visits, seconds;
    bool   calls_others; /* on some call path it calls what no filter leaves out */
} region_sum;

/* The program's own; a flush of the trace buffer ("measurement") can be in any function. */
static bool
is_of_program(const char *paradigm)
{
    return strcmp(paradigm, "compiler") == 0 || strcmp(paradigm, "user") == 0 || strcmp(paradigm, "measurement") == 0;
}

/* All that is above a call path of MPI, OpenMP, ... */
static void
mark_callers(const hd_cube *cube, region_sum *sums)
{
    bool *is_marked = HD_NEW_ARRAY(bool, (size_t)cube->n_paths + 1);

    for (uint32_t p = 0; p < cube->n_paths; p++) {
        if (is_of_program(cube->regions[cube->paths[p].region].paradigm))
            continue;
        for (uint32_t at = p; at != HD_NONE && !is_marked[at]; at = cube->paths[at].parent) {
            is_marked[at]                             = true;
            sums[cube->paths[at].region].calls_others = true;
        }
    }
    free(is_marked);
}

/* sum: [n_paths] of all locations. */
static hd_status
sum_metric(hd_cube *cube, uint32_t metric, double *sum)
{
    double   *row    = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    hd_status status = HD_OK;
    bool      any    = false;

    for (uint32_t p = 0; p < cube->n_paths && status == HD_OK; p++) {
        status = hd_cube_row(cube, metric, p, row, &any);
        for (uint32_t i = 0; i < cube->n_locations && status == HD_OK; i++)
            sum[p] += row[i];
    }
    free(row);
    return status;
}

static hd_status
add_up(hd_cube *cube, uint32_t visits, uint32_t time, region_sum *sums)
{
    double *of_visits = HD_NEW_ARRAY(double, (size_t)cube->n_paths + 1),
           *of_time   = HD_NEW_ARRAY(double, (size_t)cube->n_paths + 1);
    hd_status status  = sum_metric(cube, visits, of_visits);

    if (status == HD_OK)
        status = sum_metric(cube, time, of_time);
    for (uint32_t p = cube->n_paths; p-- > 0 && status == HD_OK;) { /* callees first */
        uint32_t parent = cube->paths[p].parent;

        if (parent != HD_NONE)
            of_time[parent] += of_time[p];
        sums[cube->paths[p].region].visits += of_visits[p];
        sums[cube->paths[p].region].seconds += of_time[p];
    }
    free(of_visits);
    free(of_time);
    return status;
}

static bool
is_short(const hd_cube *cube, uint32_t region, const region_sum *sum, double n_events)
{
    return strcmp(cube->regions[region].paradigm, "compiler") == 0 && !sum->calls_others && sum->visits > 0 &&
           sum->seconds < HD_SHORT_SECONDS * sum->visits && 2 * sum->visits >= HD_SHORT_SHARE * n_events;
}

static int
compare_visits(const void *left, const void *right)
{
    const hd_short_function *a = left, *b = right;

    if (a->visits != b->visits)
        return a->visits > b->visits ? -1 : 1;
    return a->region < b->region ? -1 : a->region > b->region;
}

/* The visits of each location to functions that were found. */
static hd_status
add_visits(hd_cube *cube, uint32_t visits, hd_short_functions *found)
{
    bool     *regions  = HD_NEW_ARRAY(bool, (size_t)cube->n_regions + 1);
    bool     *selected = HD_NEW_ARRAY(bool, (size_t)cube->n_paths + 1);
    hd_status status;

    for (uint32_t i = 0; i < found->n; i++)
        regions[found->functions[i].region] = true;
    for (uint32_t p = 0; p < cube->n_paths; p++)
        selected[p] = regions[cube->paths[p].region];
    found->n_locations = cube->n_locations;
    found->visits      = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    status             = hd_cube_sum(cube, visits, selected, found->visits);
    free(regions);
    free(selected);
    return status;
}

hd_status
hd_short_functions_find(hd_cube *cube, double n_events, hd_short_functions *found)
{
    uint32_t    visits = hd_cube_metric_by_id(cube, "visits"), time = hd_cube_metric_by_id(cube, "time");
    region_sum *sums   = HD_NEW_ARRAY(region_sum, (size_t)cube->n_regions + 1);
    hd_status   status = HD_OK;

    *found = (hd_short_functions){ .functions = HD_NEW_ARRAY(hd_short_function, (size_t)cube->n_regions + 1) };
    if (visits == HD_NONE || time == HD_NONE)
        status = hd_fail(HD_EFORMAT, "the report \"%s\" has no visits or no times", cube->path);
    mark_callers(cube, sums);
    if (status == HD_OK)
        status = add_up(cube, visits, time, sums);
    for (uint32_t r = 0; r < cube->n_regions && status == HD_OK; r++)
        if (is_short(cube, r, &sums[r], n_events))
            found->functions[found->n++] =
                (hd_short_function){ .region = r, .visits = sums[r].visits, .seconds = sums[r].seconds };
    qsort(found->functions, found->n, sizeof *found->functions, compare_visits);
    if (status == HD_OK)
        status = add_visits(cube, visits, found);
    if (status != HD_OK)
        hd_short_functions_fini(found);
    free(sums);
    return status;
}

void
hd_short_functions_fini(hd_short_functions *found)
{
    free(found->functions);
    free(found->visits);
    *found = (hd_short_functions){ 0 };
}

/* ---- the filter file --------------------------------------------------------------------------------------------- */

/* A name as a pattern that matches nothing else. */
static void
put_name(FILE *out, const char *name)
{
    fputs("    ", out);
    for (; *name != '\0'; name++) {
        if (strchr(" \\*?[]#", *name) != NULL)
            fputc('\\', out);
        fputc(*name, out);
    }
    fputc('\n', out);
}

/* The recorded name, as the linker has it. */
static const char *
linker_name(const hd_cube_region *region)
{
    return *region->mangled_name != '\0' ? region->mangled_name : region->name;
}

static void
put_functions(const hd_cube *cube, const hd_short_functions *found, FILE *out)
{
    fputs("# heddle: functions of less than 10 us that call neither MPI nor OpenMP\n"
          "SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE MANGLED\n",
          out);
    for (uint32_t i = 0; i < found->n; i++) {
        const char *name = linker_name(&cube->regions[found->functions[i].region]);

        if (strpbrk(name, "\n\r\t\v\f") == NULL) /* else it would end the line, and there is no way to write it */
            put_name(out, name);
    }
    fputs("SCOREP_REGION_NAMES_END\n", out);
}

static hd_status
put_older(const char *filter, FILE *out)
{
    FILE     *in = filter != NULL ? fopen(filter, "re") : NULL;
    int       c, last = '\n';
    hd_status status = HD_OK;

    while (in != NULL && (c = getc(in)) != EOF)
        putc(last = c, out);
    if (last != '\n')
        putc('\n', out);
    if (filter != NULL && (in == NULL || ferror(in)))
        status = hd_fail(HD_EREAD, "the filter file \"%s\" cannot be read: %s", filter, strerror(errno));
    if (in != NULL)
        fclose(in);
    return status;
}

static hd_status
cannot_write(const char *path, int error)
{
    if (error == EEXIST) {
        hd_fail(HD_EEXIST, "the filter file exists already");
        hd_fail_detail("file", "\"%s\"", path);
        hd_fail_detail("try", "--force to replace it, or another name");
        return HD_EEXIST;
    }
    return hd_fail(HD_EWRITE, "the filter file \"%s\" cannot be written: %s", path, hd_new_file_why(error));
}

/* All that goes to the new file; 0 or errno. */
static int
fill(const hd_cube *cube, const hd_short_functions *found, const char *filter, int fd, hd_status *status)
{
    FILE *out = fdopen(fd, "w");

    if (out == NULL)
        return errno;
    *status = put_older(filter, out);
    put_functions(cube, found, out);
    return fclose(out) != 0 ? errno : 0;
}

hd_status
hd_short_functions_write(const hd_cube *cube, const hd_short_functions *found, const char *filter, const char *path,
                         bool force)
{
    hd_new_file file   = { 0 };
    hd_status   status = HD_OK;
    int         error  = hd_new_file_open(&file, path, false), copy;

    if (error == 0) {
        copy  = dup(file.fd);
        error = copy >= 0 ? fill(cube, found, filter, copy, &status) : errno;
    }
    if (error == 0 && status == HD_OK)
        error = hd_new_file_commit(&file, force);
    hd_new_file_fini(&file);
    return status == HD_OK && error != 0 ? cannot_write(path, error) : status;
}
