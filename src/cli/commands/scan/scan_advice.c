/* src/cli/commands/scan/scan_advice.c: opens what is known of a measurement, and words the advice. */
#include "scan_advice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive.h"
#include "archive_report.h"
#include "escape.h"
#include "memory.h"
#include "message.h"
#include "recorded_size.h"
#include "shell_word.h"
#include "short_functions.h"
#include "time_text.h"

enum { N_SHOWN = 10, NAME_WIDTH = 40 };

#define WORTH_A_FILTER 0.01 /* of the events */

typedef struct measurement {
    hd_reports         reports; /* one */
    hd_cube           *cube;
    hd_recorded_size   size;
    hd_short_functions functions;
    double             n_flushes, flush_seconds; /* of all locations */
    uint32_t           n_flushed;                /* processes */
    double             n_events, n_filtered;     /* n_filtered: of the functions */
} measurement;

/* ---- what is known ----------------------------------------------------------------------------------------------- */

static bool
ends_in(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);

    return n >= m && strcmp(path + n - m, ending) == 0;
}

/* The file of a folder, if it is there; free() it. */
static char *
file_in(const char *folder, const char *name)
{
    char *path = hd_format("%s/%s", folder, name);

    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

/* The profile that is meant; NULL: an archive is. free() it. */
static char *
profile_of(const char *path)
{
    char *archive = file_in(path, "traces.otf2"), *profile = archive == NULL ? file_in(path, "profile.cubex") : NULL;

    free(archive);
    return profile != NULL || !ends_in(path, ".cubex") ? profile : hd_strdup(path);
}

static bool
covers_part(const hd_cube *cube)
{
    return hd_cube_attribute_get(cube, "Heddle::From") != NULL ||
           hd_cube_attribute_get(cube, "Heddle::RegionProcesses") != NULL;
}

static hd_status
open_reports(const char *path, bool quiet, measurement *known, int *exit_code)
{
    hd_texts  paths  = { .text = &path, .n = 1 };
    hd_status status = hd_archive_reports_open(&paths, quiet, &known->reports, exit_code);

    known->cube = status == HD_OK && *exit_code == 0 ? known->reports.cubes[0] : NULL;
    return status;
}

/* The report beside the anchor, or a temporary one; none: that may not be made. */
static hd_status
open_archive(const char *anchor, const hd_scan_advice_request *request, measurement *known, int *exit_code)
{
    const char *slash  = strrchr(anchor, '/');
    char       *folder = slash != NULL ? hd_format("%.*s", (int)(slash - anchor), anchor) : hd_strdup(".");
    char       *report = file_in(folder, "heddle.cubex");
    hd_status   status = report != NULL ? open_reports(report, request->quiet, known, exit_code) : HD_OK;

    if (known->cube != NULL && covers_part(known->cube)) {
        hd_reports_close(&known->reports);
        known->cube = NULL;
    }
    if (status == HD_OK && known->cube == NULL && request->may_analyse)
        status = open_reports(anchor, request->quiet, known, exit_code);
    if (known->cube != NULL)
        status = hd_recorded_size_of_archive(anchor, &known->size);
    free(report);
    free(folder);
    return status;
}

static hd_status
open_measurement(const hd_scan_advice_request *request, measurement *known, int *exit_code)
{
    char     *profile = profile_of(request->path), *anchor = NULL;
    hd_status status;

    if (profile != NULL) {
        status = open_reports(profile, request->quiet, known, exit_code);
        if (status == HD_OK)
            status = hd_recorded_size_of_profile(known->cube, &known->size);
    } else {
        status = hd_archive_find(request->path, &anchor);
        if (status == HD_OK)
            status = open_archive(anchor, request, known, exit_code);
    }
    if (status == HD_OK && known->cube != NULL && known->size.n != known->cube->n_locations) {
        status =
            hd_fail(HD_EFORMAT,
                    "the report \"%s\" is not one of this archive: it has %" PRIu32 " locations, the archive %" PRIu32,
                    known->cube->path, known->cube->n_locations, known->size.n);
        hd_fail_detail("try", "heddle analyze %s --force", request->path);
    }
    free(anchor);
    free(profile);
    return status;
}

static hd_status
add_flushes(measurement *known)
{
    hd_cube *cube    = known->cube;
    double  *visits  = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1),
           *seconds  = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    bool *selected   = HD_NEW_ARRAY(bool, (size_t)cube->n_paths + 1),
         *is_flushed = HD_NEW_ARRAY(bool, (size_t)cube->n_groups + 1);
    hd_status status;

    for (uint32_t p = 0; p < cube->n_paths; p++)
        selected[p] = strcmp(cube->regions[cube->paths[p].region].name, "TRACE BUFFER FLUSH") == 0;
    status = hd_cube_sum(cube, hd_cube_metric_by_id(cube, "visits"), selected, visits);
    if (status == HD_OK)
        status = hd_cube_sum(cube, hd_cube_metric_by_id(cube, "time"), selected, seconds);
    for (uint32_t i = 0; i < cube->n_locations && status == HD_OK; i++) {
        known->n_flushes += visits[i];
        known->flush_seconds += seconds[i];
        is_flushed[cube->locations[i].group] |= visits[i] > 0;
    }
    for (uint32_t g = 0; g < cube->n_groups; g++)
        known->n_flushed += is_flushed[g];
    free(visits);
    free(seconds);
    free(selected);
    free(is_flushed);
    return status;
}

static hd_status
find_functions(measurement *known)
{
    hd_status status;

    for (uint32_t i = 0; i < known->size.n; i++)
        known->n_events += known->size.events[i];
    status = hd_short_functions_find(known->cube, known->n_events, &known->functions);
    for (uint32_t i = 0; i < known->functions.n_locations; i++)
        known->n_filtered += 2 * known->functions.visits[i];
    return status == HD_OK ? add_flushes(known) : status;
}

static void
measurement_fini(measurement *known)
{
    hd_short_functions_fini(&known->functions);
    hd_recorded_size_fini(&known->size);
    hd_reports_close(&known->reports);
}

/* What stays of the bytes of each location if the functions are filtered; free() it. */
static double *
part_left(const measurement *known)
{
    double *left = HD_NEW_ARRAY(double, (size_t)known->size.n + 1);

    for (uint32_t i = 0; i < known->size.n; i++) {
        double filtered = 2 * known->functions.visits[i], all = known->size.events[i];

        left[i] = all <= 0 || filtered >= all ? all <= 0 : 1 - filtered / all;
    }
    return left;
}

static bool
is_worth_a_filter(const measurement *known)
{
    return known->functions.n > 0 && known->n_filtered >= WORTH_A_FILTER * known->n_events;
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

static const char *
number_of(char *buffer, double value)
{
    return hd_message_number(buffer, (uint64_t)(value + 0.5));
}

/* "SCOREP_TOTAL_MEMORY=44M (heddle scan --memory=44M)" */
static void
print_setting(const hd_memory_need *need)
{
    uint64_t most = HD_SCOREP_MAX_MEMORY >> 20, mebibytes = need->bytes >> 20;

    if (need->bytes <= HD_SCOREP_DEFAULT_MEMORY)
        printf("Score-P's default memory (16000K) is enough\n");
    else if (mebibytes > most)
        printf("SCOREP_TOTAL_MEMORY=%" PRIu64 "M (heddle scan --memory=%" PRIu64
               "M), the most that Score-P takes; buffers will be flushed\n",
               most, most);
    else
        printf("SCOREP_TOTAL_MEMORY=%" PRIu64 "M (heddle scan --memory=%" PRIu64 "M)\n", mebibytes, mebibytes);
}

static void
print_buffers(const measurement *known)
{
    hd_memory_need need    = hd_recorded_size_need(&known->size, NULL);
    uint32_t       process = 0;
    char           number[28], other[28];

    for (uint32_t i = 0; i < known->size.n; i++)
        if (known->size.process[i] == need.process)
            process = known->cube->locations[i].process;
    if (known->n_flushes > 0) {
        printf("  Trace buffers were flushed %s time%s, in %s process%s: %s of all locations\n",
               number_of(number, known->n_flushes), known->n_flushes > 1 ? "s" : "", number_of(other, known->n_flushed),
               known->n_flushed > 1 ? "es" : "", hd_time_text_of(known->flush_seconds).text);
        printf("    A flush writes a full buffer to disk in the middle of the run. Others may wait for it.\n");
    } else if (!known->size.is_estimate)
        printf("  No trace buffer was flushed.\n");
    printf("  Process %" PRIu32 " has the most events: %s%s in %" PRIu32 " location%s\n", process,
           known->size.is_estimate ? "about " : "", hd_message_size(number, (uint64_t)need.events_bytes),
           need.n_locations, need.n_locations == 1 ? "" : "s");
    printf("    enough for it: ");
    print_setting(&need);
    printf("    (its events and 10 %% more, 2 MiB for each location, 2 MiB for definitions)\n");
}

static void
print_function(const measurement *known, const hd_short_function *function)
{
    char *name = hd_escaped(known->cube->regions[function->region].name);
    char  number[28];

    printf("    %-*s %15s visits  %8s each  %5.1f %% of events\n", NAME_WIDTH, name,
           number_of(number, function->visits), hd_time_text_of(function->seconds / function->visits).text,
           200 * function->visits / known->n_events);
    free(name);
}

static void
print_functions(const measurement *known)
{
    const hd_short_functions *found = &known->functions;
    char                      number[28];

    printf("  %" PRIu32
           " function%s of less than 10 us that call%s neither MPI nor OpenMP make%s %.1f %% of the events:\n",
           found->n, found->n == 1 ? "" : "s", found->n == 1 ? "s" : "", found->n == 1 ? "s" : "",
           100 * known->n_filtered / known->n_events);
    for (uint32_t i = 0; i < found->n && i < N_SHOWN; i++)
        print_function(known, &found->functions[i]);
    if (found->n > N_SHOWN)
        printf("    and %" PRIu32 " more\n", found->n - N_SHOWN);
    printf("    with a filter for them: %s of %s events less\n", number_of(number, known->n_filtered),
           number_of((char[28]){ 0 }, known->n_events));
}

/* Where memory is needed, and less with a filter. */
static void
print_filtered_memory(const measurement *known)
{
    double        *left     = part_left(known);
    hd_memory_need filtered = hd_recorded_size_need(&known->size, left),
                   whole    = hd_recorded_size_need(&known->size, NULL);

    if (whole.bytes > HD_SCOREP_DEFAULT_MEMORY && filtered.bytes < whole.bytes) {
        printf("    enough then: ");
        print_setting(&filtered);
    }
    free(left);
}

static void
print_advice(const measurement *known, const hd_scan_advice_request *request)
{
    char *quoted = hd_shell_word_quoted(request->path);

    fputs("\nAdvice for the next measurement\n", stdout);
    print_buffers(known);
    if (!is_worth_a_filter(known))
        printf(
            "  No filter is needed: functions of less than 10 us that call neither MPI nor OpenMP make %.1f %% of the "
            "events.\n",
            known->n_events > 0 ? 100 * known->n_filtered / known->n_events : 0.0);
    else {
        print_functions(known);
        print_filtered_memory(known);
        if (request->write_filter == NULL) {
            fputs("    to write it: heddle scan --advise=", stdout);
            hd_message_escaped(stdout, quoted, false);
            fputs(" --write-filter=FILE, then heddle scan --filter=FILE\n", stdout);
        }
    }
    free(quoted);
}

static hd_status
write_filter(const measurement *known, const hd_scan_advice_request *request)
{
    hd_status status = HD_OK;

    if (!is_worth_a_filter(known)) {
        fputs("heddle: warning: no filter file is written, as none is needed\n", stderr);
        return HD_OK;
    }
    status = hd_short_functions_write(known->cube, &known->functions, request->filter, request->write_filter,
                                      request->force);
    if (status == HD_OK) {
        fputs("    filter file: ", stdout);
        hd_message_escaped(stdout, request->write_filter, false);
        fputs(request->filter != NULL ? ", with the rules of the filter file of this run\n" : "\n", stdout);
    }
    return status;
}

static void
tell_none(const char *path)
{
    fputs("heddle: no advice, as there is no report of the whole run beside the archive\n  try:      heddle "
          "scan --advise=",
          stderr);
    hd_message_escaped(stderr, path, false);
    fputc('\n', stderr);
}

hd_status
hd_scan_advise(const hd_scan_advice_request *request, int *exit_code)
{
    measurement known  = { 0 };
    hd_status   status = open_measurement(request, &known, exit_code);

    if (status == HD_OK && known.cube == NULL && *exit_code == 0)
        tell_none(request->path);
    if (status == HD_OK && known.cube != NULL)
        status = find_functions(&known);
    if (status == HD_OK && known.cube != NULL) {
        print_advice(&known, request);
        if (request->write_filter != NULL)
            status = write_filter(&known, request);
    }
    measurement_fini(&known);
    return status;
}
