/* src/report/members/startup.c: finds the call paths of start-up by the names of their regions, the parts of others that
 * are outside of the main window in the table of the report, and what they cost. */
#include "startup.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "memory.h"
#include "startup_impact.h"
#include "startup_table.h"
#include "time_text.h"

#define LARGE_SHARE 0.5 /* of the run: then start-up is more than what is analysed */

/* As recorded, or with the prefix of the profiling interface; Fortran has other letters. */
static bool
is_startup(const hd_cube_region *region)
{
    static const char *const names[] =
        { "MPI_Init", "MPI_Init_thread", "MPI_Finalize", "shmem_init", "shmem_init_thread", "start_pes",
          "shmem_finalize" };
    const char *name = region->name;

    if (strcasecmp(region->paradigm, "user") == 0 || strcasecmp(region->paradigm, "compiler") == 0)
        return false;
    if (strncasecmp(name, "PMPI_", 5) == 0)
        name++;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool *
find_paths(const hd_cube *cube)
{
    bool *found = HD_NEW_ARRAY(bool, (size_t)cube->n_paths + 1);

    for (uint32_t i = 0; i < cube->n_paths; i++)
        found[i] = is_startup(&cube->regions[cube->paths[i].region]) ||
                   (cube->paths[i].parent != HD_NONE && found[cube->paths[i].parent]);
    return found;
}

static double
time_of(hd_cube *cube, uint32_t metric, const bool *selected, double *values, hd_status *status)
{
    double sum = 0;

    memset(values, 0, cube->n_locations * sizeof *values);
    if (*status == HD_OK)
        *status = hd_cube_sum(cube, metric, selected, values);
    for (uint32_t i = 0; i < cube->n_locations && *status == HD_OK; i++)
        sum += values[i];
    return sum;
}

hd_main_window
hd_main_window_get(const hd_cube *cube)
{
    const char    *text   = hd_cube_attribute_get(cube, HD_MAIN_WINDOW_ATTRIBUTE);
    hd_main_window window = { 0 };

    if (text == NULL || sscanf(text, "%lf %lf %lf", &window.from, &window.to, &window.run) != 3)
        return (hd_main_window){ 0 };
    return window;
}

/* Made of other reports: its time is not that of the window, but of a part of a run, or of several. */
static bool
is_of_reports(const hd_cube *cube)
{
    return hd_cube_attribute_get(cube, "Heddle::Cut") != NULL || hd_cube_attribute_get(cube, "Heddle::Algebra") != NULL;
}

hd_status
hd_startup_skip_but_impact(hd_cube *cube, hd_startup *startup)
{
    const char *compat = hd_cube_attribute_get(cube, "Heddle::Compat");
    uint32_t    metric = hd_cube_metric_by_id(cube, "time");
    double     *values;
    bool       *paths;
    hd_cube_part *parts;
    size_t      n_parts;
    hd_status   status;

    *startup = (hd_startup){ 0 };
    if (metric == HD_NONE || (compat != NULL && strcmp(compat, "none") != 0) || cube->skipped != NULL)
        return HD_OK;
    status = hd_startup_table_read(cube, &parts, &n_parts);
    if (status != HD_OK)
        return status;
    if (!is_of_reports(cube))
        startup->window = hd_main_window_get(cube);
    paths           = find_paths(cube);
    values          = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    startup->whole  = time_of(cube, metric, NULL, values, &status);
    startup->seconds = time_of(cube, metric, paths, values, &status);
    for (size_t i = 0; i < n_parts; i++)
        if (parts[i].metric == metric && !paths[parts[i].path])
            startup->seconds += parts[i].value.real;
    free(values);
    if (status == HD_OK && startup->seconds > 0 && startup->seconds < startup->whole) {
        cube->skipped     = paths;
        cube->taken_off   = parts;
        cube->n_taken_off = n_parts;
    } else {
        startup->seconds = 0;
        free(paths);
        free(parts);
    }
    return status;
}

hd_status
hd_startup_skip_in_all(hd_cube *const *cubes, uint32_t n, hd_startup *startups)
{
    hd_startup startup;
    hd_status  status = HD_OK;
    bool       known  = true; /* not where start-up is skipped already, either */

    for (uint32_t i = 0; i < n && status == HD_OK; i++) {
        status = hd_startup_skip_but_impact(cubes[i], &startup);
        known  = known && startup.window.run > 0 && cubes[i]->skipped != NULL;
        if (startups != NULL)
            startups[i] = startup;
    }
    for (uint32_t i = 0; i < n && status == HD_OK && known; i++)
        status = hd_startup_impact_take_off(cubes[i]);
    return status;
}

hd_status
hd_startup_skip(hd_cube *cube, hd_startup *startup)
{
    return hd_startup_skip_in_all(&cube, 1, startup);
}

char *
hd_startup_text(const hd_startup *startup)
{
    bool   has_window = startup->window.run > 0;
    double run = has_window ? 1 - (startup->window.to - startup->window.from) / startup->window.run :
                 startup->seconds / startup->whole;
    char  *window, *text;

    if (startup->seconds <= 0)
        return NULL;
    window = has_window ?
             hd_format("; main window %.6g s to %.6g s, of %s", startup->window.from, startup->window.to,
                                             hd_time_text_of(startup->window.run).text)
                                 : hd_strdup("");
    text   = hd_format("Start-up (MPI_Init, MPI_Finalize): %s, %.1f %% of all time, not counted below%s.%s",
                       hd_time_text_of(startup->seconds).text,
                       100 * startup->seconds / startup->whole, window,
                       run <= LARGE_SHARE ? "" :
                       has_window ? " More than half of the run is outside of it: a longer run tells more." :
                                    " Start-up is more than half of the run: a longer run tells more.");
    free(window);
    return text;
}
