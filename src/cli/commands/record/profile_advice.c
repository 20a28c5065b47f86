/* src/cli/commands/record/profile_advice.c: words the advice. */
#include "profile_advice.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes_text.h"
#include "completeness.h"
#include "escape.h"
#include "json_document.h"
#include "memory.h"
#include "message.h"
#include "report_path.h"
#include "short_functions.h"
#include "time_text.h"
#include "trace_size.h"

enum { N_SHOWN = 10, NAME_WIDTH = 40 };

#define WORTH_A_FILTER 0.01      /* of the events */
#define LARGE_BYTES 1073741824.0 /* of an archive: its analysis takes memory and time */
#define AIMED_BYTES 209715200.0  /* of a part of the run that is proposed */

typedef struct advice {
    hd_cube           *cube;
    hd_trace_sizes     usual, all, filtered; /* as heddle record does by itself; with --all-functions; with the filter */
    hd_short_functions functions;
    double             seconds; /* of all threads together */
    double             run_seconds; /* length of the run, 0: not known */
    double             n_iterations; /* of a process; 0: none are marked */
    bool               has_filter;
} advice;

/* ---- what is known ----------------------------------------------------------------------------------------------- */

/* free() it. */
static char *
path_of(const char *path)
{
    size_t n = strlen(path), m = strlen(".cubex");

    return n > m && strcmp(path + n - m, ".cubex") == 0 ? hd_strdup(path) :
                                                          hd_format("%s%sprofile.cubex", path,
                                                                    n > 0 && path[n - 1] == '/' ? "" : "/");
}

/* Of all threads. */
static hd_status
add_up_time(advice *found)
{
    double   *row    = HD_NEW_ARRAY(double, (size_t)found->cube->n_locations + 1);
    hd_status status = hd_cube_sum(found->cube, hd_cube_metric_by_id(found->cube, "time"), NULL, row);

    for (uint32_t i = 0; i < found->cube->n_locations && status == HD_OK; i++)
        found->seconds += row[i];
    free(row);
    return status;
}

static hd_status
estimate_filtered(advice *found)
{
    bool     *is_filtered = HD_NEW_ARRAY(bool, (size_t)found->cube->n_regions + 1);
    double    n           = 0;
    hd_status status;

    for (uint32_t i = 0; i < found->functions.n; i++) {
        is_filtered[found->functions.functions[i].region] = true;
        n += 2 * found->functions.functions[i].visits;
    }
    found->has_filter = n >= WORTH_A_FILTER * found->all.all.events && found->functions.n > 0;
    status = hd_trace_sizes_estimate(found->cube, &(hd_trace_wanted){ .is_filtered = is_filtered }, &found->filtered);
    free(is_filtered);
    return status;
}

static hd_status
find(const char *path, advice *found)
{
    hd_status   status = hd_cube_open(path, &found->cube);
    const char *length, *iterations;

    if (status == HD_OK)
        status = hd_trace_sizes_estimate(found->cube, &(hd_trace_wanted){ 0 }, &found->usual);
    if (status == HD_OK)
        status = hd_trace_sizes_estimate(found->cube, &(hd_trace_wanted){ .all_functions = true }, &found->all);
    if (status == HD_OK)
        status = hd_short_functions_find(found->cube, found->all.all.events, &found->functions);
    if (status == HD_OK)
        status = estimate_filtered(found);
    if (status == HD_OK)
        status = add_up_time(found);
    if (status != HD_OK)
        return status;
    length              = hd_cube_attribute_get(found->cube, HD_PROFILE_ATTRIBUTE);
    iterations          = hd_cube_attribute_get(found->cube, HD_PROFILE_ITERATIONS_ATTRIBUTE);
    found->run_seconds  = length != NULL ? fmax(strtod(length, NULL), 0) : 0;
    found->n_iterations = iterations != NULL ? (double)strtoul(iterations, NULL, 10) : 0;
    return HD_OK;
}

static void
advice_fini(advice *found)
{
    hd_trace_sizes_fini(&found->usual);
    hd_trace_sizes_fini(&found->all);
    hd_trace_sizes_fini(&found->filtered);
    hd_short_functions_fini(&found->functions);
    hd_cube_close(found->cube);
}

/* With the filter, if there is one. */
static const hd_trace_sizes *
best(const advice *found)
{
    return found->has_filter ? &found->filtered : &found->usual;
}

/* ---- options that help ------------------------------------------------------------------------------------------- */

/* A number with one digit that is not zero. */
static double
rounded(double value)
{
    double step = pow(10, floor(log10(value)));

    return floor(value / step) * step;
}

/* "--window=BEGIN:LENGTH" for about AIMED_BYTES; the middle of the run. free() it; NULL: the length is not known. */
static char *
window_option(const advice *found)
{
    double length = found->run_seconds * AIMED_BYTES / best(found)->all.archive_bytes;
    double begin  = found->run_seconds / 2;
    bool   is_ms  = length < 2;

    if (found->run_seconds <= 0)
        return NULL;
    return is_ms ? hd_format("--window=%.0fms:%.0fms", fmax(1000 * begin, 1), fmax(rounded(1000 * length), 1)) :
                   hd_format("--window=%.0fs:%.0fs", begin, rounded(length));
}

/* free() it; NULL: no iterations are marked, or a few alone are as large. */
static char *
iterations_option(const advice *found)
{
    double n     = found->n_iterations * AIMED_BYTES / best(found)->all.archive_bytes;
    double first = floor(found->n_iterations / 2);

    if (found->n_iterations < 3)
        return NULL;
    n = fmax(fmin(floor(n), found->n_iterations - first), 1);
    return hd_format("--iterations=%.0f-%.0f", fmax(first, 1), fmax(first, 1) + n - 1);
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static void
print_size(const advice *found, const char *what, const hd_trace_sizes *sizes)
{
    char                 number[28];
    const hd_trace_size *largest = &sizes->processes[sizes->largest];

    printf("  %-26s %15s events, archive %s, raw logs %s", what, hd_message_number(number, (uint64_t)sizes->all.events),
           hd_bytes_text_of(sizes->all.archive_bytes).text, hd_bytes_text_of(sizes->all.raw_bytes).text);
    if (sizes->n > 1)
        printf(" (process %" PRIu32 ": %s)", found->cube->groups[sizes->largest].rank,
               hd_bytes_text_of(largest->raw_bytes).text);
    putchar('\n');
}

static bool
is_smaller(const hd_trace_sizes *a, const hd_trace_sizes *b)
{
    return a->all.events < 0.99 * b->all.events;
}

static void
print_sizes(const advice *found)
{
    printf("A trace of this run (%" PRIu32 " processes, %" PRIu32 " threads), estimated\n", found->cube->n_groups,
           found->cube->n_locations);
    print_size(found, "heddle record", &found->usual);
    if (is_smaller(&found->usual, &found->all)) {
        print_size(found, "with --all-functions", &found->all);
        printf("    by itself it drops functions of less than 1 us, and mutexes, after 100,000 calls in a process\n");
    }
    if (found->has_filter)
        print_size(found, "with the filter below", &found->filtered);
}

static void
print_function(const advice *found, const hd_short_function *function)
{
    char *name = hd_escaped(found->cube->regions[function->region].name);
    char  number[28];

    printf("    %-*s %15s visits  %8s each  %5.1f %% of events  %5.1f %% of time\n", NAME_WIDTH, name,
           hd_message_number(number, (uint64_t)function->visits),
           hd_time_text_of(function->seconds / function->visits).text, 200 * function->visits / found->all.all.events,
           found->seconds > 0 ? 100 * function->seconds / found->seconds : 0);
    free(name);
}

static void
print_functions(const advice *found, const hd_profile_advice_request *request)
{
    double part = 0;

    fputs("\nFilter\n", stdout);
    if (!found->has_filter) {
        puts("  No filter is needed: functions of less than 10 us that call neither MPI nor OpenMP make less than\n"
             "  1 % of the events.");
        return;
    }
    for (uint32_t i = 0; i < found->functions.n; i++)
        part += 2 * found->functions.functions[i].visits / found->all.all.events;
    printf("  %" PRIu32 " function%s of less than 10 us that call%s neither MPI nor OpenMP make%s %.1f %% of all calls:\n",
           found->functions.n, found->functions.n == 1 ? "" : "s", found->functions.n == 1 ? "s" : "",
           found->functions.n == 1 ? "s" : "", 100 * part);
    for (uint32_t i = 0; i < found->functions.n && i < N_SHOWN; i++)
        print_function(found, &found->functions.functions[i]);
    if (found->functions.n > N_SHOWN)
        printf("    and %" PRIu32 " more\n", found->functions.n - N_SHOWN);
    if (request->write_filter == NULL) {
        fputs("  to write it: heddle record --advise=", stdout);
        hd_message_escaped(stdout, request->path, false);
        fputs(" --output=FILE, then heddle record --filter=FILE\n", stdout);
    }
}

static void
print_options(const advice *found)
{
    char *window = window_option(found), *iterations = iterations_option(found);

    if (best(found)->all.archive_bytes > LARGE_BYTES) {
        printf("\nThe trace is large. A part of the run tells as much; about %s:\n", hd_bytes_text_of(AIMED_BYTES).text);
        if (iterations != NULL)
            printf("  %-32s of the loop that the program marks (%.0f iterations)\n", iterations, found->n_iterations);
        else
            printf("  %-32s if the program marks its loop (heddle/record.h)\n", "--iterations=FIRST-LAST");
        if (window != NULL)
            printf("  %-32s of the %s of the run\n", window, hd_time_text_of(found->run_seconds).text);
        printf("  %-32s what a process may record at most\n", "--limit=500M");
        printf("  %-32s the end of the run only\n", "--last=60s");
    }
    free(window);
    free(iterations);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void
put_size(hd_json *json, const char *key, const hd_cube *cube, const hd_trace_sizes *sizes)
{
    hd_json_object(json, key);
    hd_json_number(json, "events", floor(sizes->all.events));
    hd_json_number(json, "archive_bytes", floor(sizes->all.archive_bytes));
    hd_json_number(json, "raw_bytes", floor(sizes->all.raw_bytes));
    hd_json_array(json, "processes");
    for (uint32_t i = 0; i < sizes->n; i++) {
        hd_json_object(json, NULL);
        hd_json_index(json, "process", cube->groups[i].rank);
        hd_json_number(json, "events", floor(sizes->processes[i].events));
        hd_json_number(json, "archive_bytes", floor(sizes->processes[i].archive_bytes));
        hd_json_number(json, "raw_bytes", floor(sizes->processes[i].raw_bytes));
        hd_json_end(json);
    }
    hd_json_end(json);
    hd_json_end(json);
}

static void
put_option(hd_json *json, char *option)
{
    if (option != NULL)
        hd_json_text(json, NULL, option);
    free(option);
}

static hd_status
print_json(const advice *found)
{
    hd_json json;

    hd_json_document_begin(&json, stdout, "record");
    hd_json_report(&json, "report", found->cube);
    put_size(&json, "trace", found->cube, &found->usual);
    put_size(&json, "all_functions", found->cube, &found->all);
    if (found->has_filter)
        put_size(&json, "filtered", found->cube, &found->filtered);
    else
        hd_json_null(&json, "filtered");
    hd_json_array(&json, "functions");
    for (uint32_t i = 0; i < found->functions.n && found->has_filter; i++) {
        const hd_short_function *function = &found->functions.functions[i];

        hd_json_object(&json, NULL);
        hd_json_text(&json, "name", found->cube->regions[function->region].name);
        hd_json_number(&json, "visits", function->visits);
        hd_json_number(&json, "seconds", function->seconds);
        hd_json_number(&json, "event_share", 2 * function->visits / found->all.all.events);
        hd_json_number(&json, "time_share", found->seconds > 0 ? function->seconds / found->seconds : 0);
        hd_json_end(&json);
    }
    hd_json_end(&json);
    hd_json_array(&json, "options");
    if (best(found)->all.archive_bytes > LARGE_BYTES) {
        put_option(&json, iterations_option(found));
        put_option(&json, window_option(found));
    }
    hd_json_end(&json);
    return hd_json_document_end(&json);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static hd_status
write_filter(const advice *found, const hd_profile_advice_request *request)
{
    hd_status status;

    if (!found->has_filter) {
        fputs("heddle: warning: no filter file is written, as none is needed\n", stderr);
        return HD_OK;
    }
    status = hd_short_functions_write(found->cube, &found->functions, request->filter, request->write_filter,
                                      request->force);
    if (status == HD_OK && !request->json) {
        fputs("  filter file: ", stdout);
        hd_message_escaped(stdout, request->write_filter, false);
        fputs(request->filter != NULL ? ", with the rules of the other filter file\n" : "\n", stdout);
    }
    return status;
}

hd_status
hd_profile_advise(const hd_profile_advice_request *request)
{
    advice    found  = { 0 };
    char     *path   = path_of(request->path);
    hd_status status = find(path, &found);

    if (status == HD_EOPEN)
        hd_fail_detail("try", "heddle record --profile -- PROGRAM, which makes a profile");
    if (status == HD_OK && request->json)
        status = print_json(&found);
    else if (status == HD_OK) {
        print_sizes(&found);
        print_functions(&found, request);
    }
    if (status == HD_OK && request->write_filter != NULL)
        status = write_filter(&found, request);
    if (status == HD_OK && !request->json)
        print_options(&found);
    advice_fini(&found);
    free(path);
    return status;
}
