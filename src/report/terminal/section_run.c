/* src/report/terminal/section_run.c: the sections "Analysis run" and "Provenance": how a report came about.
 *
 * The report's own attributes in words, with units. Keys that have no words here, those of other versions, are shown as they are. */
#include "run_facts.h"

#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "memory.h"
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
    { "MPI", "MPI library", FACT_TEXT },
    { "Ranks", "Analysis ranks", FACT_COUNT },
    { "Threads", "Threads per rank", FACT_COUNT },
    { "Placement", "Process placement", FACT_TEXT },
    { "Bind", "Thread binding", FACT_TEXT },
    { "Clock", "Timestamp correction", FACT_CLOCK },
    { "Compat", "Compatibility mode", FACT_TEXT },
    { "MainWindow", "Main window", FACT_WINDOW },
    { "Region", "Region of interest", FACT_TEXT },
    { "RegionShare", "Regions of interest are", FACT_TEXT },
    { "RegionProcesses", "Processes that enter them", FACT_TEXT },
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
put_bytes(FILE *file, double bytes)
{
    static const char *const units[] = { "bytes", "kB", "MB", "GB", "TB", "PB" };
    size_t                   unit    = 0;

    while (bytes >= 1000 && unit + 1 < sizeof units / sizeof *units) {
        bytes /= 1000;
        unit++;
    }
    fprintf(file, unit == 0 || bytes >= 100 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
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

static void
put_value(FILE *file, const hd_cube *cube, fact_kind kind, const char *value)
{
    char  *end    = NULL;
    double number = strtod(value, &end);
    bool   is_one = end != value && *end == '\0';

    if (kind == FACT_BYTES && is_one)
        put_bytes(file, number);
    else if (kind == FACT_DURATION && is_one)
        fputs(hd_time_text_of(number).text, file);
    else if (kind == FACT_CLOCK)
        put_clock(file, value);
    else if (kind == FACT_WINDOW && hd_main_window_get(cube).run > 0)
        put_window(file, cube);
    else {
        hd_write_escaped(file, value);
        fputs(kind == FACT_SECONDS && is_one ? " s" : "", file);
    }
}

static hd_run_fact
fact_in_words(const hd_cube *cube, const struct fact *fact, const hd_cube_attribute *attribute)
{
    hd_run_fact words  = { .has_words = fact != NULL && fact->words != NULL };
    char       *text   = NULL;
    size_t      bytes  = 0;
    FILE       *memory = open_memstream(&text, &bytes);

    if (memory == NULL)
        hd_fatal("out of memory: the attributes of the report cannot be put into words");
    words.name = words.has_words ? hd_strdup(fact->words) : hd_escaped(attribute->key + strlen(prefix));
    put_value(memory, cube, fact != NULL ? fact->kind : FACT_TEXT, attribute->value);
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
