/* src/report/terminal/section_diagnostics.c: the section "Trace diagnostics": the findings by kind, and the pairs of
 * processes whose clocks contradict their messages the most. */
#include "summary_sections.h"

#include <math.h>

#include "clock_error.h"
#include "finding.h"
#include "memory.h"
#include "time_text.h"
#include "tsv.h"

enum { MAX_FINDINGS_BYTES = 16 * 1024 * 1024 };

/* ---- clocks ------------------------------------------------------------------------------------------------------ */

enum { PAIRS_SHOWN = 3, MANY_IN = 1000 }; /* many: one of so many operations */

typedef struct clock_pair { /* of processes */
    uint32_t process, peer;
    uint64_t count;
    double   worst; /* [s] */
} clock_pair;

static int
compare_processes(const void *a_, const void *b_)
{
    const clock_pair *a = a_, *b = b_;

    if (a->process != b->process)
        return a->process < b->process ? -1 : 1;
    return (a->peer > b->peer) - (a->peer < b->peer);
}

static int
compare_worst(const void *a_, const void *b_)
{
    const clock_pair *a = a_, *b = b_;

    if (a->worst != b->worst)
        return a->worst > b->worst ? -1 : 1;
    return compare_processes(a, b);
}

/* False: it is a line of another kind, or of no use. */
static bool
read_line(char *line, clock_pair *pair)
{
    char *id = hd_tsv_next(&line), *count = hd_tsv_next(&line), *process = hd_tsv_next(&line), *fields[7];

    for (int i = 0; i < 7; i++) /* thread, call path, peer, communicator, tag, time, worst */
        fields[i] = hd_tsv_next(&line);
    return id != NULL && strncmp(id, "clock-", 6) == 0 && hd_tsv_count(count, &pair->count) &&
           hd_tsv_number(process, &pair->process) &&
           pair->process != HD_NONE && hd_tsv_number(fields[2], &pair->peer) && fields[6] != NULL &&
           hd_tsv_seconds(fields[6], &pair->worst);
}

static size_t
add_up(clock_pair *pairs, size_t n)
{
    size_t n_kept = 0;

    if (n > 1)
        qsort(pairs, n, sizeof *pairs, compare_processes);
    for (size_t i = 0; i < n; i++)
        if (n_kept > 0 && compare_processes(&pairs[n_kept - 1], &pairs[i]) == 0) {
            pairs[n_kept - 1].count += pairs[i].count;
            pairs[n_kept - 1].worst = pairs[i].worst > pairs[n_kept - 1].worst ? pairs[i].worst :
                                      pairs[n_kept - 1].worst;
        } else
            pairs[n_kept++] = pairs[i];
    if (n_kept > 1)
        qsort(pairs, n_kept, sizeof *pairs, compare_worst);
    return n_kept;
}

static const char *
attribute(const hd_cube *cube, const char *key)
{
    const char *value = hd_cube_attribute_get(cube, key);

    return value != NULL ? value : "";
}

static void
put_clocks(const hd_summary_page *page, const clock_pair *pairs, size_t n, bool is_unreliable)
{
    hd_json_bool(page->json, "is_clock_unreliable", is_unreliable);
    hd_json_array(page->json, "clock_pairs");
    for (size_t i = 0; i < n; i++) {
        hd_json_object(page->json, NULL);
        hd_json_count(page->json, "process", pairs[i].process);
        hd_json_index(page->json, "peer", pairs[i].peer);
        hd_json_count(page->json, "count", pairs[i].count);
        hd_json_number(page->json, "worst", pairs[i].worst);
        hd_json_end(page->json);
    }
    hd_json_end(page->json);
}

static void
print_clocks(const hd_summary_page *page, const char *findings)
{
    char       *text  = hd_strdup(findings);
    clock_pair *pairs = NULL;
    size_t      n = 0, capacity = 0;
    uint64_t    count = 0, operations = strtoull(attribute(page->cube, "Heddle::Operations"), NULL, 10);
    bool        is_unreliable;
    char       *next;

    for (char *line = text; line != NULL; line = next) {
        clock_pair pair;

        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        if (!read_line(line, &pair))
            continue;
        count += pair.count;
        HD_PUSH(pairs, n, capacity, pair);
    }
    n = add_up(pairs, n);
    is_unreliable = count > 0 && count >= operations / MANY_IN &&
                    strcmp(attribute(page->cube, "Heddle::Clock"), "clc") != 0;
    if (page->json != NULL) {
        put_clocks(page, pairs, n, is_unreliable);
        goto out;
    }
    for (size_t i = 0; i < n && i < PAIRS_SHOWN; i++) {
        fprintf(page->file, "    process %" PRIu32, pairs[i].process);
        if (pairs[i].peer != HD_NONE)
            fprintf(page->file, " for process %" PRIu32, pairs[i].peer);
        fprintf(page->file, ": %" PRIu64 " time%s, at most %s too early\n", pairs[i].count,
                hd_plural((double)pairs[i].count), hd_time_text_of(pairs[i].worst).text);
    }
    if (n > PAIRS_SHOWN)
        fprintf(page->file, "    (%zu more pairs)\n", n - PAIRS_SHOWN);
    if (is_unreliable)
        hd_summary_page_sentence(page, 2, "Waiting times of these operations are unreliable. heddle analyze --clock "
                                 "clc corrects the timestamps.");
out:
    free(pairs);
    free(text);
}

/* ---- findings ---------------------------------------------------------------------------------------------------- */

/* The words for so many of a kind of finding, by its name in the table; NULL: of another version. */
static const char *
words_of_finding(const char *id, size_t length, uint64_t count)
{
    for (int i = 0; i < HD_N_FINDINGS; i++)
        if (strlen(hd_finding_infos[i].id) == length && strncmp(hd_finding_infos[i].id, id, length) == 0)
            return hd_finding_words((hd_finding_kind)i, count);
    return NULL;
}

static void
put_finding(const hd_summary_page *summary, const char *id, size_t length, uint64_t count, const char *words)
{
    char *name = hd_format("%.*s", (int)length, id);

    hd_json_object(summary->json, NULL);
    hd_json_text(summary->json, "finding", name);
    hd_json_count(summary->json, "count", count);
    hd_json_text(summary->json, "text", words);
    hd_json_end(summary->json);
    free(name);
}

/* Rows of one kind stand together in the table. */
static void
print_finding_rows(const hd_summary_page *summary, const char *text)
{
    const char *at = strchr(text, '\n'); /* behind the head line */

    while (at != NULL && at[1] != '\0' && at[1] != '\n') {
        const char *id     = at + 1;
        size_t      length = strcspn(id, "\t\n");
        const char *words;
        uint64_t    count  = 0;

        while (at != NULL && strncmp(at + 1, id, length) == 0 && at[1 + length] == '\t') {
            count += strtoull(at + 2 + length, NULL, 10);
            at = strchr(at + 1, '\n');
        }
        if (count == 0) { /* a line of no use */
            at = at != NULL && at < id ? strchr(id, '\n') : at;
            continue;
        }
        words = words_of_finding(id, length, count);
        if (summary->json != NULL)
            put_finding(summary, id, length, count, words);
        else if (words != NULL)
            fprintf(summary->file, "  %" PRIu64 " %s\n", count, words);
        else
            fprintf(summary->file, "  %" PRIu64 " of a kind that this version does not know\n", count);
    }
}

/* Which waits mean nothing. */
static void
print_clock_error(const hd_summary_page *page, const hd_clock_error *clock)
{
    char *more, *text = NULL;

    if (clock->error > 0) {
        more = clock->share > 0 ? hd_format("; at least %.1f %% of the waiting time is in such waits", 100 * clock->share) :
               hd_strdup("");
        text = hd_format("Waits shorter than %s are below the error of the clocks%s.", hd_time_text_of(clock->error).text, more);
        free(more);
    } else if (page->options.is_verbose && clock->tick > 0)
        text = hd_format("The error of the clocks is not known: no event was too early. They count in steps of %s.",
                         hd_time_text_of(clock->tick).text);
    if (text != NULL)
        hd_summary_page_sentence(page, 2, text);
    free(text);
}

static void
put_clock_error(const hd_summary_page *page, const hd_clock_error *clock)
{
    hd_json_number(page->json, "clock_error", clock->error > 0 ? clock->error : NAN);
    hd_json_number(page->json, "clock_tick", clock->tick > 0 ? clock->tick : NAN);
    hd_json_number(page->json, "share_below_clock_error", clock->share);
}

hd_status
hd_section_diagnostics(hd_summary_page *summary)
{
    char     *text = NULL;
    size_t    bytes;
    hd_clock_error clock;
    hd_status status = hd_cube_misc(summary->cube, "heddle.findings.tsv", MAX_FINDINGS_BYTES, &text, &bytes);

    if (status != HD_OK || text == NULL)
        return status;
    status = hd_clock_error_read(summary->cube, &clock);
    if (status != HD_OK) {
        free(text);
        return status;
    }
    if (summary->json != NULL) {
        hd_json_object(summary->json, summary->key);
        hd_json_array(summary->json, "findings");
        print_finding_rows(summary, text);
        hd_json_end(summary->json);
        print_clocks(summary, text);
        put_clock_error(summary, &clock);
        hd_json_end(summary->json);
        free(text);
        return HD_OK;
    }
    if (strchr(text, '\n') == NULL || strspn(strchr(text, '\n'), "\n") == strlen(strchr(text, '\n')))
        fputs("  no inconsistencies found\n", summary->file);
    else
        print_finding_rows(summary, text);
    print_clocks(summary, text);
    print_clock_error(summary, &clock);
    free(text);
    return HD_OK;
}
