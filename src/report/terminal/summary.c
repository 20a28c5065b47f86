/* src/report/terminal/summary.c: a summary, from its first line through its sections. */
#include "summary.h"

#include <errno.h>
#include <string.h>

#include "algebra.h"
#include "cut.h"
#include "division.h"
#include "escape.h"
#include "memory.h"
#include "startup.h"
#include "summary_sections.h"

/* ---- when a section is shown ------------------------------------------------------------------------------------- */

static bool
always(const hd_cube *cube)
{
    (void)cube;
    return true;
}

static bool
has_several_locations(const hd_cube *cube)
{
    return cube->n_locations > 1;
}

static bool
has_several_processes(const hd_cube *cube)
{
    return cube->n_groups > 1;
}

static bool
has_several_nodes(const hd_cube *cube)
{
    hd_division nodes;
    uint32_t    n;

    hd_division_by_node(cube, &nodes);
    n = nodes.n;
    hd_division_fini(&nodes);
    return n > 1;
}

static bool
is_made_of_reports(const hd_cube *cube)
{
    for (uint32_t i = 0; i < cube->n_attributes; i++)
        if (strcmp(cube->attributes[i].key, HD_ALGEBRA_ATTRIBUTE) == 0 ||
            strcmp(cube->attributes[i].key, HD_CUT_ATTRIBUTE) == 0)
            return true;
    return false;
}

static bool
is_of_one_analysis(const hd_cube *cube)
{
    return !is_made_of_reports(cube);
}

/* ---- sections ---------------------------------------------------------------------------------------------------- */

static const struct section {
    hd_heading  heading;
    const char *key; /* in a JSON document */
    hd_status (*print)(hd_summary_page *page);
    bool (*is_shown)(const hd_cube *cube);
} summary_sections[] = {
#define ROW(heading, print, is_shown) { HD_HEADING_##heading, #heading, print, is_shown },
    HD_SUMMARY_SECTIONS(ROW)
#undef ROW
};

enum { N_SECTIONS = sizeof summary_sections / sizeof *summary_sections };

/* The lines of a section without its heading, also those before an error; text: out, free() it. */
static hd_status
make_section(hd_summary_page *page, const struct section *section, char **text)
{
    FILE     *file = page->file;
    size_t    bytes;
    hd_status status;

    page->file = open_memstream(text, &bytes);
    if (page->file == NULL)
        hd_fatal("out of memory: the summary cannot be written");
    status = section->print(page);
    if (fclose(page->file) != 0)
        hd_fatal("out of memory: the summary cannot be written");
    page->file = file;
    return status;
}

static hd_status
print_section(hd_summary_page *page, const struct section *section)
{
    bool      has_colour = page->options.has_colour;
    char     *text       = NULL;
    hd_status status     = make_section(page, section, &text);

    if (*text != '\0')
        fprintf(page->file, "\n%s%s%s\n%s", has_colour ? "\033[1m" : "", hd_heading_text(section->heading),
                has_colour ? "\033[0m" : "", text);
    free(text);
    return status;
}

hd_status
hd_summary_section_text(hd_cube *cube, hd_heading heading, const hd_summary_options *options, char **text)
{
    hd_summary_page page;
    hd_status       status = HD_OK;

    *text = NULL;
    hd_summary_page_init(&page, cube, NULL, options);
    page.options.width = UINT32_MAX / 2;
    for (uint32_t i = 0; i < N_SECTIONS && status == HD_OK; i++)
        if (summary_sections[i].heading == heading && summary_sections[i].is_shown(cube))
            status = make_section(&page, &summary_sections[i], text);
    if (*text != NULL && (status != HD_OK || **text == '\0')) {
        free(*text);
        *text = NULL;
    }
    hd_summary_page_fini(&page);
    return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* What the report covers of a trace that is not complete. */
static void
print_coverage(const hd_cube *cube, FILE *file)
{
    const char *coverage = hd_cube_attribute_get(cube, HD_COVERAGE_ATTRIBUTE);

    if (coverage == NULL)
        return;
    fputs("; trace coverage ", file);
    hd_write_escaped(file, coverage);
}

/* The regions of interest, where the report is of nothing else. */
static void
print_regions(const hd_cube *cube, FILE *file)
{
    const char *before = "; only in ";

    for (uint32_t i = 0; i < cube->n_attributes; i++) {
        if (strcmp(cube->attributes[i].key, HD_REGION_ATTRIBUTE) != 0)
            continue;
        fprintf(file, "%s\"", before);
        hd_write_escaped(file, cube->attributes[i].value);
        fputc('"', file);
        before = ", ";
    }
    if (hd_cube_attribute_get(cube, HD_REGION_SHARE_ATTRIBUTE) == NULL)
        return;
    fputs(" (", file);
    hd_write_escaped(file, hd_cube_attribute_get(cube, HD_REGION_SHARE_ATTRIBUTE));
    fputc(')', file);
}

/* The analysis interval, where the report is of nothing else. */
static void
print_interval(const hd_cube *cube, FILE *file)
{
    const char *from = hd_cube_attribute_get(cube, HD_FROM_ATTRIBUTE), *to = hd_cube_attribute_get(cube, HD_TO_ATTRIBUTE);

    if (from == NULL || to == NULL || is_made_of_reports(cube))
        return;
    fputs("; only from ", file);
    hd_write_escaped(file, from);
    fputs(strcmp(to, "END") == 0 ? " s to the end" : " s to ", file);
    if (strcmp(to, "END") == 0)
        return;
    hd_write_escaped(file, to);
    fputs(" s", file);
}

/* The hypothesis, where the run is a simulated one. */
static void
print_simulation(const hd_cube *cube, FILE *file)
{
    const char *simulation = hd_cube_attribute_get(cube, HD_SIMULATION_ATTRIBUTE);

    if (simulation == NULL || is_made_of_reports(cube))
        return;
    fputs("Simulated run, not a recorded one: ", file);
    hd_write_escaped(file, simulation);
    fputc('\n', file);
}

/* A line of its own, however long: scripts read it. */
static void
print_beginning(const hd_cube *cube, FILE *file)
{
    hd_completeness_print_stopped(cube, file);
    print_simulation(cube, file);
    fputs("Report \"", file);
    hd_write_escaped(file, cube->path);
    fprintf(file, "\": %" PRIu32 " process%s, %" PRIu32 " location%s, %" PRIu32 " call path%s", cube->n_groups,
            cube->n_groups == 1 ? "" : "es",
            cube->n_locations, hd_plural(cube->n_locations), cube->n_paths, hd_plural(cube->n_paths));
    print_coverage(cube, file);
    print_regions(cube, file);
    print_interval(cube, file);
    fputc('\n', file);
}

hd_status
hd_summary_print(hd_cube *cube, FILE *file, const hd_summary_options *options)
{
    hd_summary_page page;
    hd_startup      startup = { 0 };
    hd_status       status  = options->with_startup ? HD_OK : hd_startup_skip(cube, &startup);

    hd_summary_page_init(&page, cube, file, options);
    if (status == HD_OK)
        status = hd_summary_page_sum_time(&page);
    if (status == HD_OK) {
        print_beginning(cube, file);
        hd_summary_page_shared_processors(&page);
        hd_summary_page_startup(&page, &startup);
    }
    for (uint32_t i = 0; i < N_SECTIONS && status == HD_OK; i++)
        if (summary_sections[i].is_shown(cube))
            status = print_section(&page, &summary_sections[i]);
    hd_summary_page_fini(&page);
    if (status == HD_OK && (fflush(file) != 0 || ferror(file)))
        status = hd_fail(HD_EWRITE, "cannot write the summary of report \"%s\": %s", cube->path, strerror(errno));
    return status;
}

/* ---- as JSON ----------------------------------------------------------------------------------------------------- */

/* A section that has nothing to say is null. */
static hd_status
put_section(hd_summary_page *page, const struct section *section)
{
    uint64_t  n_before = page->json->n_values;
    hd_status status   = HD_OK;

    page->key = section->key;
    if (section->is_shown(page->cube))
        status = section->print(page);
    if (status == HD_OK && page->json->n_values == n_before)
        hd_json_null(page->json, section->key);
    return status;
}

static void
put_startup(hd_json *json, const hd_startup *startup)
{
    if (startup->seconds <= 0) {
        hd_json_null(json, "startup");
        return;
    }
    hd_json_object(json, "startup");
    hd_json_share(json, startup->seconds, startup->whole);
    if (startup->window.run > 0) {
        hd_json_object(json, "main_window");
        hd_json_number(json, "from", startup->window.from);
        hd_json_number(json, "to", startup->window.to);
        hd_json_number(json, "run", startup->window.run);
        hd_json_end(json);
    } else
        hd_json_null(json, "main_window");
    hd_json_end(json);
}

hd_status
hd_summary_write_json(hd_cube *cube, FILE *file, const hd_summary_options *options)
{
    hd_summary_page page;
    hd_json         json;
    hd_startup      startup = { 0 };
    hd_status       status  = options->with_startup ? HD_OK : hd_startup_skip(cube, &startup);

    hd_summary_page_init(&page, cube, NULL, options);
    page.json = &json;
    if (status == HD_OK)
        status = hd_summary_page_sum_time(&page);
    if (status == HD_OK) {
        hd_json_document_begin(&json, file, "summary");
        hd_json_report(&json, "report", cube);
        put_startup(&json, &startup);
    }
    for (uint32_t i = 0; i < N_SECTIONS && status == HD_OK; i++)
        status = put_section(&page, &summary_sections[i]);
    hd_summary_page_fini(&page);
    return status == HD_OK ? hd_json_document_end(&json) : status;
}
