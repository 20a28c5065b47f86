/* src/report/terminal/section_run.c: the sections "Analysis run" and "Provenance": how a report came about; and
 * "Measurement": what recording itself cost: flushes of the trace buffer, time in which nothing was recorded, and whether
 * so many calls were recorded that a filter is worth it.
 *
 * The report's own attributes in words, with units. Keys that have no words here, those of other versions, are shown as they are. */
#include "run_facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bytes_text.h"
#include "count_text.h"
#include "escape.h"
#include "memory.h"
#include "path_cut.h"
#include "startup.h"
#include "summary_sections.h"
#include "time_text.h"

enum { NAME_COLUMNS = 26 };

typedef enum fact_kind {
    FACT_TEXT,
    FACT_COUNT,
    FACT_BYTES,
    FACT_SECONDS, /* a point in time, with all digits */
    FACT_DURATION,
    FACT_CLOCK,   /* a value of --clock */
    FACT_WINDOW,  /* HD_MAIN_WINDOW_ATTRIBUTE */
    FACT_ITERATIONS, /* HD_ITERATIONS_BY_ATTRIBUTE */
    FACT_CALL,    /* with the function that makes it, which may have many parameters */
    FACT_COUNTER, /* of the analysis itself: with --verbose only */
    FACT_HIDDEN,  /* for other subcommands */
} fact_kind;

static const char prefix[] = "Heddle::";

static const struct fact {
    const char *key, *words;
    fact_kind   kind;
} fact_table[] = {
    { "Version", "Heddle version", FACT_TEXT },
    { "Archive", "Archive", FACT_TEXT },
    { "Algebra", "Made from", FACT_TEXT },
    { "Cut", "Cut from", FACT_TEXT },
    { "Locations", "Processes and threads", FACT_TEXT },
    { "Topology", "Process topology", FACT_TEXT },
    { "Switches", "Network switches", FACT_TEXT },
    { "Sampling", "Sampling", FACT_TEXT },
    { "SharedProcessors", NULL, FACT_HIDDEN }, /* said at the begin */
    { "Profile", "Recorded as a profile of", FACT_SECONDS },
    { "ProfileIterations", "Iterations", FACT_TEXT },
    { "MPI", "MPI library", FACT_TEXT },
    { "Ranks", "Analysis ranks", FACT_COUNT },
    { "Threads", "Threads per rank", FACT_COUNT },
    { "Placement", "Process placement", FACT_TEXT },
    { "Bind", "Thread binding", FACT_TEXT },
    { "Clock", "Timestamp correction", FACT_CLOCK },
    { "ClockTick", NULL, FACT_HIDDEN }, /* in the section "Trace diagnostics" */
    { "ClockError", "Largest clock violation", FACT_SECONDS },
    { "Compat", "Compatibility mode", FACT_TEXT },
    { "MainWindow", "Main window", FACT_WINDOW },
    { "Region", "Region of interest", FACT_TEXT },
    { "RegionShare", "Regions of interest are", FACT_TEXT },
    { "RegionProcesses", "Processes that enter them", FACT_TEXT },
    { "Iterations", "Iterations", FACT_COUNT },
    { "IterationRegion", "Iterations of", FACT_CALL },
    { "IterationsBy", "Iterations are known by", FACT_ITERATIONS },
    { "IterationsBound", NULL, FACT_HIDDEN }, /* said with the wait states */
    { "WindowFrom", "First enter of them at", FACT_SECONDS },
    { "WindowTo", "Last leave of them at", FACT_SECONDS },
    { "From", "Interval from", FACT_SECONDS },
    { "To", "Interval to", FACT_SECONDS },
    { "Coverage", "Trace coverage", FACT_TEXT },
    { "Stopped", "Stopped", FACT_TEXT },
    { "LeftOut", "Not computed", FACT_TEXT },
    { "Events", "Events", FACT_COUNT },
    { "Operations", "Communication events", FACT_COUNT },
    { "LogBytes", "Communication event log", FACT_BYTES },
    { "MemoryStartBytes", "Memory at start", FACT_BYTES },
    { "MemoryPeakBytes", "Memory peak", FACT_BYTES },
    { "MemoryLimitBytes", "Memory limit per rank", FACT_BYTES },
    { "ScratchBytes", "Scratch files", FACT_BYTES },
    { "Seconds", "Analysis time", FACT_DURATION },
    { "MessagesWithinThread", NULL, FACT_COUNTER },
    { "MessagesBetweenThreads", NULL, FACT_COUNTER },
    { "MessagesBetweenRanks", NULL, FACT_COUNTER },
    { "Parked", NULL, FACT_COUNTER },
    { "MpiMessagesOfRanks", NULL, FACT_COUNTER },
    { "MpiBytesOfRanks", NULL, FACT_COUNTER },
    { "IdleShareOfThreads", NULL, FACT_COUNTER },
    { "Hops", NULL, FACT_HIDDEN },
};

static const struct fact *
fact_of(const char *key)
{
    for (size_t i = 0; i < sizeof fact_table / sizeof *fact_table; i++)
        if (strcmp(fact_table[i].key, key) == 0)
            return &fact_table[i];
    return NULL;
}

static void
put_clock(FILE *file, const char *value)
{
    if (strcmp(value, "clc") == 0)
        fputs("linear interpolation, controlled logical clock", file);
    else if (strcmp(value, "linear") == 0)
        fputs("linear interpolation", file);
    else
        hd_write_escaped(file, value);
}

static void
put_window(FILE *file, const hd_cube *cube)
{
    hd_main_window window = hd_main_window_get(cube);

    fprintf(file, "%s to %s, of %s", hd_time_text_of(window.from).text, hd_time_text_of(window.to).text, hd_time_text_of(window.run).text);
}

/* How iterations are known. */
static void
put_how(FILE *file, const char *value)
{
    if (strcmp(value, "dynamic") == 0)
        fputs("a mark in the archive", file);
    else if (strcmp(value, "option") == 0)
        fputs("--iterations", file);
    else if (strcmp(value, "found") == 0)
        fputs("calls in which they were found", file);
    else
        hd_write_escaped(file, value);
}

/* 1204551 as "1,204,551"; other text as it is. */
static void
put_count(FILE *file, const char *value)
{
    size_t n = strlen(value);

    if (strspn(value, "0123456789") < n) {
        hd_write_escaped(file, value);
        return;
    }
    for (size_t i = 0; i < n; i++)
        fprintf(file, "%s%c", i > 0 && (n - i) % 3 == 0 ? "," : "", value[i]);
}

static void
put_value(FILE *file, const hd_cube *cube, fact_kind kind, const char *value)
{
    char  *end    = NULL;
    double number = strtod(value, &end);
    bool   is_one = end != value && *end == '\0';

    if (kind == FACT_BYTES && is_one)
        fputs(hd_bytes_text_of(number).text, file);
    else if (kind == FACT_DURATION && is_one)
        fputs(hd_time_text_of(number).text, file);
    else if (kind == FACT_COUNT)
        put_count(file, value);
    else if (kind == FACT_CLOCK)
        put_clock(file, value);
    else if (kind == FACT_ITERATIONS)
        put_how(file, value);
    else if (kind == FACT_WINDOW && hd_main_window_get(cube).run > 0)
        put_window(file, cube);
    else {
        char *text = kind == FACT_CALL ? hd_without_parameters(value) : NULL;

        hd_write_escaped(file, text != NULL ? text : value);
        free(text);
        fputs(kind == FACT_SECONDS && is_one ? " s" : "", file);
    }
}

static hd_run_fact
fact_in_words(const hd_cube *cube, const struct fact *fact, const hd_cube_attribute *attribute)
{
    const char *name   = fact != NULL ? fact->words : NULL;
    fact_kind   kind   = fact != NULL ? fact->kind : FACT_TEXT;
    hd_run_fact words  = { .has_words = name != NULL };
    char       *text   = NULL;
    size_t      bytes  = 0;
    FILE       *memory = open_memstream(&text, &bytes);

    if (memory == NULL)
        hd_fatal("out of memory: the attributes of the report cannot be put into words");
    words.name = name != NULL ? hd_strdup(name) : hd_escaped(attribute->key + strlen(prefix));
    put_value(memory, cube, kind, attribute->value);
    if (fclose(memory) != 0)
        hd_fatal("out of memory: the attributes of the report cannot be put into words");
    words.value = text;
    return words;
}

hd_run_fact *
hd_run_facts(const hd_cube *cube, bool is_verbose, size_t *n)
{
    hd_run_fact *facts    = NULL;
    size_t       capacity = 0;

    *n = 0;
    for (uint32_t i = 0; i < cube->n_attributes; i++) {
        const hd_cube_attribute *attribute = &cube->attributes[i];
        const struct fact       *fact;

        if (strncmp(attribute->key, prefix, strlen(prefix)) != 0)
            continue;
        fact = fact_of(attribute->key + strlen(prefix));
        if (fact == NULL || (fact->kind != FACT_HIDDEN && (fact->kind != FACT_COUNTER || is_verbose)))
            HD_PUSH(facts, *n, capacity, fact_in_words(cube, fact, attribute));
    }
    return facts;
}

void
hd_run_facts_free(hd_run_fact *facts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(facts[i].name);
        free(facts[i].value);
    }
    free(facts);
}

/* Of all attributes of the report that Heddle made, as they are. */
static void
put_attributes(const hd_summary_page *page)
{
    hd_json_array(page->json, page->key);
    for (uint32_t i = 0; i < page->cube->n_attributes; i++) {
        const hd_cube_attribute *attribute = &page->cube->attributes[i];

        if (strncmp(attribute->key, prefix, strlen(prefix)) != 0)
            continue;
        hd_json_object(page->json, NULL);
        hd_json_text(page->json, "key", attribute->key + strlen(prefix));
        hd_json_text(page->json, "value", attribute->value);
        hd_json_end(page->json);
    }
    hd_json_end(page->json);
}

hd_status
hd_section_analysis(hd_summary_page *page)
{
    hd_run_fact *facts;
    size_t       n;

    if (page->json != NULL) {
        put_attributes(page);
        return HD_OK;
    }
    facts = hd_run_facts(page->cube, page->options.is_verbose, &n);
    for (size_t i = 0; i < n; i++)
        if (facts[i].has_words)
            fprintf(page->file, "  %-*s%s\n", NAME_COLUMNS, facts[i].name, facts[i].value);
        else
            fprintf(page->file, "  %s: %s\n", facts[i].name, facts[i].value);
    hd_run_facts_free(facts, n);
    return HD_OK;
}

hd_status
hd_section_provenance(hd_summary_page *page)
{
    return hd_section_analysis(page);
}

/* ---- the section "Measurement" ----------------------------------------------------------------------------------- */

/* Calls of a location per second that are many; a function that a filter may drop: mean time, share of all calls. */
static const double MANY_CALLS = 1e5, SHORT_CALL = 1e-6, LARGE_SHARE = 0.01;

enum { N_CANDIDATES = 10 /* in a document */ };

typedef struct costs { /* [s] */
    double    n_flushes, flush_time, off_time, n_calls;
    double   *flush_of, *calls_of, *time_of;   /* [n_locations] */
    double   *calls_of_region, *time_of_region; /* [n_regions] */
    uint32_t  longest_flush, densest;          /* locations; HD_NONE: none */
    uint32_t *candidates;                      /* [n_candidates] regions, those with the most calls first */
    uint32_t  n_candidates;
} costs;

static hd_status
add_path(hd_summary_page *page, uint32_t path, uint32_t time, uint32_t visits, costs *found)
{
    hd_cube    *cube     = page->cube;
    uint32_t    region   = cube->paths[path].region;
    const char *name     = cube->regions[region].name;
    bool        is_flush = strcmp(name, "TRACE BUFFER FLUSH") == 0, is_off = strcmp(name, "MEASUREMENT OFF") == 0, any;
    hd_status   status   = hd_cube_row(cube, visits, path, page->row, &any);

    for (uint32_t i = 0; status == HD_OK && any && i < cube->n_locations; i++) {
        found->calls_of[i] += page->row[i];
        found->calls_of_region[region] += page->row[i];
        found->n_calls += page->row[i];
        found->n_flushes += is_flush ? page->row[i] : 0;
    }
    if (status == HD_OK)
        status = hd_cube_row(cube, time, path, page->row, &any);
    for (uint32_t i = 0; status == HD_OK && any && i < cube->n_locations; i++) {
        found->time_of[i] += is_off ? 0 : page->row[i];
        found->time_of_region[region] += page->row[i];
        found->flush_of[i] += is_flush ? page->row[i] : 0;
        found->flush_time += is_flush ? page->row[i] : 0;
        found->off_time += is_off ? page->row[i] : 0;
    }
    return status;
}

static double
rate_of(const costs *found, uint32_t location)
{
    return found->time_of[location] > 0 ? found->calls_of[location] / found->time_of[location] : 0;
}

static void
find_candidates(const hd_cube *cube, costs *found)
{
    double  *calls = HD_NEW_ARRAY(double, (size_t)cube->n_regions + 1), most;
    uint32_t region;

    for (uint32_t i = 0; i < cube->n_regions; i++)
        if (strcmp(cube->regions[i].paradigm, "compiler") == 0 &&
            found->calls_of_region[i] >= LARGE_SHARE * found->n_calls &&
            found->time_of_region[i] > 0 && /* it is more than the caller of an MPI call, known from the stack */
            found->time_of_region[i] < SHORT_CALL * found->calls_of_region[i])
            calls[i] = found->calls_of_region[i];
    while ((region = hd_take_largest(calls, cube->n_regions, &most)) != HD_NONE)
        found->candidates[found->n_candidates++] = region;
    free(calls);
}

static hd_status
find(hd_summary_page *page, costs *found)
{
    const hd_cube *cube   = page->cube;
    uint32_t       time   = hd_cube_metric_by_id(cube, "time"), visits = hd_cube_metric_by_id(cube, "visits");
    hd_status      status = HD_OK;

    for (uint32_t path = 0; path < cube->n_paths && status == HD_OK; path++)
        status = add_path(page, path, time, visits, found);
    found->longest_flush = found->densest = HD_NONE;
    for (uint32_t i = 0; i < cube->n_locations; i++) {
        if (found->flush_of[i] > (found->longest_flush != HD_NONE ? found->flush_of[found->longest_flush] : 0))
            found->longest_flush = i;
        if (rate_of(found, i) > (found->densest != HD_NONE ? rate_of(found, found->densest) : 0))
            found->densest = i;
    }
    if (status == HD_OK)
        find_candidates(cube, found);
    return status;
}

/* ---- output ------------------------------------------------------------------------------------------------------ */

static uint32_t
process_of(const hd_cube *cube, uint32_t location)
{
    return location != HD_NONE ? cube->groups[cube->locations[location].group].rank : HD_NONE;
}

static void
put(const hd_summary_page *page, const costs *found)
{
    const hd_cube *cube = page->cube;

    hd_json_object(page->json, page->key);
    hd_json_number(page->json, "flushes", found->n_flushes);
    hd_json_number(page->json, "flush_time", found->flush_time);
    hd_json_index(page->json, "flush_process", process_of(cube, found->longest_flush));
    hd_json_number(page->json, "off_time", found->off_time);
    hd_json_number(page->json, "calls_per_second", found->densest != HD_NONE ? rate_of(found, found->densest) : NAN);
    hd_json_index(page->json, "densest_process", process_of(cube, found->densest));
    hd_json_array(page->json, "filter_candidates");
    for (uint32_t i = 0; i < found->n_candidates && i < N_CANDIDATES; i++) {
        uint32_t region = found->candidates[i];

        hd_json_object(page->json, NULL);
        hd_json_text(page->json, "function", cube->regions[region].name);
        hd_json_number(page->json, "calls", found->calls_of_region[region]);
        hd_json_number(page->json, "mean_time", found->time_of_region[region] / found->calls_of_region[region]);
        hd_json_end(page->json);
    }
    hd_json_end(page->json);
    hd_json_end(page->json);
}

static void
say(const hd_summary_page *page, char *text)
{
    hd_summary_page_sentence(page, 2, text);
    free(text);
}

enum { BEFORE_NAME = 44, LEAST = 12 }; /* columns, at least for the name */

static void
print_candidates(const hd_summary_page *page, const costs *found)
{
    const hd_cube *cube    = page->cube;
    uint32_t       columns = page->options.width > LEAST + BEFORE_NAME ? page->options.width - BEFORE_NAME : LEAST;

    for (uint32_t i = 0; i < found->n_candidates && i < page->options.n_top; i++) {
        uint32_t region = found->candidates[i];
        double   calls  = found->calls_of_region[region];
        char    *name   = hd_escaped(cube->regions[region].name);

        fprintf(page->file, "    %s calls (%.1f %%), %s each: %s\n", hd_count_text_rounded(calls).text,
                hd_share(calls, found->n_calls), hd_time_text_of(found->time_of_region[region] / calls).text,
                hd_name_cut(page->cuts, name, columns));
        free(name);
    }
}

static void
print(const hd_summary_page *page, const costs *found)
{
    const hd_cube *cube = page->cube;

    if (found->n_flushes > 0 && found->longest_flush != HD_NONE)
        say(page, hd_format("%s flush%s of the trace buffer: %s (%.1f %% of time), at most %s on a location of process "
                            "%" PRIu32 ". A larger buffer (SCOREP_TOTAL_MEMORY) avoids them.", hd_count_text_rounded(found->n_flushes).text,
                            found->n_flushes == 1 ? "" : "es", hd_time_text_of(found->flush_time).text,
                            hd_share(found->flush_time, page->time),
                            hd_time_text_of(found->flush_of[found->longest_flush]).text,
                            process_of(cube, found->longest_flush)));
    if (found->off_time > 0)
        say(page, hd_format("Nothing was recorded for %s (%.1f %% of time): recording was off.",
                            hd_time_text_of(found->off_time).text, hd_share(found->off_time, page->time)));
    if (found->densest == HD_NONE || rate_of(found, found->densest) < MANY_CALLS)
        return;
    say(page, hd_format("Up to %s calls per second were recorded on a location (process %" PRIu32 "). %s",
                        hd_count_text_rounded(rate_of(found, found->densest)).text, process_of(cube, found->densest), found->n_candidates > 0 ?
                        "Recording them takes time. Candidates for a filter are short functions with many calls:" :
                        "Recording them takes time."));
    print_candidates(page, found);
}

hd_status
hd_section_measurement(hd_summary_page *page)
{
    const hd_cube *cube   = page->cube;
    hd_status      status = HD_OK;
    costs          found  = { .n_candidates = 0 };

    if (hd_cube_metric_by_id(cube, "time") == HD_NONE || hd_cube_metric_by_id(cube, "visits") == HD_NONE)
        return HD_OK;
    found.flush_of        = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    found.calls_of        = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    found.time_of         = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    found.calls_of_region = HD_NEW_ARRAY(double, (size_t)cube->n_regions + 1);
    found.time_of_region  = HD_NEW_ARRAY(double, (size_t)cube->n_regions + 1);
    found.candidates      = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_regions + 1);
    status                = find(page, &found);
    if (status == HD_OK && page->json != NULL)
        put(page, &found);
    else if (status == HD_OK)
        print(page, &found);
    free(found.flush_of);
    free(found.calls_of);
    free(found.time_of);
    free(found.calls_of_region);
    free(found.time_of_region);
    free(found.candidates);
    return status;
}
