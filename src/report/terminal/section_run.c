/* src/report/terminal/section_run.c: the sections "Analysis run" and "Provenance": how a report came about.
 *
 * The report's own attributes in words, with units. Keys that have no words here, those of other versions, are shown as they are. */
#include "summary_sections.h"

#include <stdlib.h>
#include <string.h>

#include "bytes_text.h"
#include "escape.h"

enum { NAME_COLUMNS = 26 };

typedef enum fact_kind {
    FACT_TEXT,
    FACT_COUNT,
    FACT_BYTES,
    FACT_SECONDS,
    FACT_CLOCK,   /* a value of --clock */
    FACT_COUNTER, /* of the analysis itself: with --verbose only */
    FACT_HIDDEN,  /* for other subcommands */
} fact_kind;

static const char prefix[] = "Heddle::";

static const struct fact {
    const char *key, *words;
    fact_kind   kind;
} facts[] = {
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
    { "ClockTick", NULL, FACT_HIDDEN }, /* in the section "Trace diagnostics" */
    { "ClockError", "Largest clock violation", FACT_SECONDS },
    { "Compat", "Compatibility mode", FACT_TEXT },
    { "MainWindow", "Main window, run [s]", FACT_TEXT },
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
    { "Seconds", "Analysis time", FACT_SECONDS },
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
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (strcmp(facts[i].key, key) == 0)
            return &facts[i];
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
put_value(FILE *file, fact_kind kind, const char *value)
{
    char  *end    = NULL;
    double number = strtod(value, &end);
    bool   is_one = end != value && *end == '\0';

    if (kind == FACT_BYTES && is_one)
        fputs(hd_bytes_text_of(number).text, file);
    else if (kind == FACT_CLOCK)
        put_clock(file, value);
    else {
        hd_write_escaped(file, value);
        fputs(kind == FACT_SECONDS && is_one ? " s" : "", file);
    }
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
    if (page->json != NULL) {
        put_attributes(page);
        return HD_OK;
    }
    for (uint32_t i = 0; i < page->cube->n_attributes; i++) {
        const hd_cube_attribute *attribute = &page->cube->attributes[i];
        const char              *key       = attribute->key + strlen(prefix);
        const struct fact       *fact;

        if (strncmp(attribute->key, prefix, strlen(prefix)) != 0)
            continue;
        fact = fact_of(key);
        if (fact != NULL && (fact->kind == FACT_HIDDEN || (fact->kind == FACT_COUNTER && !page->options.is_verbose)))
            continue;
        if (fact != NULL && fact->words != NULL) {
            fprintf(page->file, "  %-*s", NAME_COLUMNS, fact->words);
            put_value(page->file, fact->kind, attribute->value);
        } else {
            fputs("  ", page->file);
            hd_write_escaped(page->file, key);
            fputs(": ", page->file);
            hd_write_escaped(page->file, attribute->value);
        }
        fputc('\n', page->file);
    }
    return HD_OK;
}

hd_status
hd_section_provenance(hd_summary_page *page)
{
    return hd_section_analysis(page);
}
