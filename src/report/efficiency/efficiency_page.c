/* src/report/efficiency/efficiency_page.c: a column for each of main window and whole run, a line for each factor. */
#include "efficiency_page.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "completeness.h"
#include "csv.h"
#include "efficiency_json.h"
#include "efficiency_lines.h"
#include "escape.h"
#include "iteration_list.h"
#include "json_document.h"
#include "memory.h"
#include "path_cut.h"
#include "section_efficiency.h"
#include "startup.h"
#include "summary_page.h"
#include "time_text.h"
#include "verdict_json.h"

enum { NAME = 46, VALUE = 12, LONGEST_FACTOR = 38 /* columns */ };

#define ALL 0.995 /* an efficiency that lacks next to nothing: what it lacks is not worth a look */
#define SAME 1e-12 /* efficiencies that differ by less are one */
#define MUCH_MPI_ELSEWHERE 0.01 /* of the time in MPI: then the efficiencies of threads are no measure of OpenMP */

typedef struct efficiency_page {
    hd_summary_page              summary;
    const hd_efficiency_options *options;
    const hd_efficiency_rules   *rules;
    hd_efficiency_list           list;
    hd_iteration_list            iterations; /* whose efficiencies the list has */
    hd_focus                    *focuses; /* [n_focuses] */
    size_t                       n_focuses;
    hd_efficiency_losses         losses;
    bool                         ends_blocked;
} efficiency_page;

static double
elsewhere_of(const hd_efficiency_entry *entry)
{
    uint64_t mpi = entry->sums[HD_EFFICIENCY_mpi];

    return mpi > 0 ? (double)entry->sums[HD_EFFICIENCY_mpi_elsewhere] / (double)mpi : 0;
}

/* ---- for a terminal ---------------------------------------------------------------------------------------------- */

static uint32_t
indent_of(int factor)
{
    uint32_t indent = 2;

    for (; hd_factor_infos[factor].parent != HD_FACTOR_none; factor = hd_factor_infos[factor].parent)
        indent += 2;
    return indent;
}

/* A factor that counts each process once, where all processes have as many threads. */
static bool
is_said_already(int factor, const double *factors)
{
    if (factors == NULL)
        return true;
    if (factor == HD_FACTOR_mpi_parallel_unweighted)
        return !(fabs(factors[factor] - factors[HD_FACTOR_mpi_parallel]) > SAME);
    return factor == HD_FACTOR_mpi_load_balance_unweighted &&
           !(fabs(factors[factor] - factors[HD_FACTOR_mpi_load_balance]) > SAME);
}

/* Of the values of the whole run. */
static int
whole_columns(const efficiency_page *page)
{
    return page->summary.options.width < LONGEST_FACTOR + 2 * VALUE ? VALUE - 2 : VALUE;
}

/* Of the names of factors. */
static int
name_columns(const efficiency_page *page, bool has_whole)
{
    int left = (int)page->summary.options.width - VALUE - (has_whole ? whole_columns(page) : 0);

    return left > NAME ? NAME : left < LONGEST_FACTOR ? LONGEST_FACTOR : left;
}

/* A name, and its values in the columns of main window and whole run; whole: NULL: there is no such column. */
static void
print_values(const efficiency_page *page, uint32_t indent, const char *name, const char *main, const char *whole)
{
    FILE *file = page->summary.file;

    fprintf(file, "%*s%-*s%*s", (int)indent, "", name_columns(page, whole != NULL) - (int)indent, name, VALUE, main);
    if (whole != NULL)
        fprintf(file, "%*s", whole_columns(page), whole);
    fputc('\n', file);
}

static void
print_group(const efficiency_page *page, hd_factor_group group, const char *head, const double *main,
            const double *whole)
{
    char of_main[16], of_whole[16];

    fprintf(page->summary.file, "%s\n", head);
    for (int f = 0; f < HD_N_FACTORS; f++) {
        if (hd_factor_infos[f].group != group ||
            (is_said_already(f, main) && is_said_already(f, whole)) ||
            (group == HD_FACTORS_CAUSES && !(main[f] > 0) && !(whole != NULL && whole[f] > 0)))
            continue;
        print_values(page, group == HD_FACTORS_CAUSES ? 2 : indent_of(f),
                     hd_factor_name(page->summary.cube, (hd_factor)f), hd_percent_text(of_main, main[f]),
                     whole != NULL ? hd_percent_text(of_whole, whole[f]) : NULL);
    }
}

static hd_time_text
ideal_text(const hd_efficiency_entry *entry)
{
    return entry->has_ideal ? hd_time_text_of((double)entry->ideal / (double)entry->resolution) :
                              (hd_time_text){ "-" };
}

static void
print_slices(const efficiency_page *page)
{
    const hd_efficiency_entry *main  = hd_efficiency_main(&page->list);
    const hd_efficiency_entry *whole = main != page->list.entries ? page->list.entries : NULL;
    double                     of_main[HD_N_FACTORS], of_whole[HD_N_FACTORS];

    hd_factors_of(main, of_main);
    if (whole != NULL)
        hd_factors_of(whole, of_whole);
    print_values(page, 0, "", hd_slice_name(main->kind), whole != NULL ? "whole run" : NULL);
    print_values(page, 2, "Runtime", hd_time_text_of(hd_efficiency_runtime(main)).text,
                 whole != NULL ? hd_time_text_of(hd_efficiency_runtime(whole)).text : NULL);
    print_values(page, 2, "if data took no time", ideal_text(main).text, whole != NULL ? ideal_text(whole).text : NULL);
    print_group(page, HD_FACTORS_BASIC, "Of all threads, multiplied", of_main, whole != NULL ? of_whole : NULL);
    if (!hd_efficiency_is_hybrid(main))
        return;
    if (main->sums[HD_EFFICIENCY_processes] > 1 || main->sums[HD_EFFICIENCY_mpi] > 0) /* else all of them are 100 % */
        print_group(page, HD_FACTORS_MPI, "Of processes, multiplied", of_main, whole != NULL ? of_whole : NULL);
    print_group(page, HD_FACTORS_OPENMP, "Of threads, multiplied (may exceed 100 %)", of_main,
                whole != NULL ? of_whole : NULL);
    print_group(page, HD_FACTORS_ADDITIVE, "Losses added", of_main, whole != NULL ? of_whole : NULL);
    print_group(page, HD_FACTORS_CAUSES, "What threads lose in parallel, of all time", of_main,
                whole != NULL ? of_whole : NULL);
}

static void
print_iterations(const efficiency_page *page)
{
    if (!page->options->iterations)
        return;
    if (page->list.n_iterations == 0)
        hd_summary_page_sentence(&page->summary, 0, "The report has no efficiencies of iterations.");
    else
        hd_efficiency_line_head(&page->summary, "Iterations");
    for (size_t i = 0; i < page->list.n_iterations; i++) {
        const hd_efficiency_entry *entry = &page->list.iterations[i];
        char                       name[32];

        if (entry->n > 0 || entry->length > 0)
            hd_efficiency_line_print(&page->summary, hd_iteration_slice_text(entry, name), entry);
    }
    if (page->iterations.is_found && !page->iterations.is_end)
        hd_summary_page_sentence(&page->summary, 2, "They were found in the calls. The last one ends with its last call: "
                                 "what is computed after that is not in it.");
}

static void
print_lines(const efficiency_page *page)
{
    if (page->n_focuses > 0)
        hd_efficiency_line_head(&page->summary, "Regions");
    for (size_t i = 0; i < page->n_focuses; i++) {
        const hd_focus *focus = &page->focuses[i];
        char           *cut   = focus->path != HD_NONE ? hd_path_cut(page->summary.cube, focus->path,
                                                                      hd_efficiency_line_name(&page->summary)) : NULL;

        hd_efficiency_line_print(&page->summary, cut != NULL ? cut : focus->name, &focus->entry);
        free(cut);
    }
    if (page->options->windows)
        hd_efficiency_line_head(&page->summary, "Time windows");
    for (size_t i = 0, k = 0; i < page->list.n && page->options->windows; i++) {
        const hd_efficiency_entry *entry = &page->list.entries[i];
        char                      *name;

        if (entry->kind != HD_SLICE_WINDOW)
            continue;
        name = hd_format("%zu, from %.6g s", ++k, (double)entry->from / (double)entry->resolution);
        hd_efficiency_line_print(&page->summary, name, entry);
        free(name);
    }
    print_iterations(page);
}

static void
print_path(const efficiency_page *page, uint32_t indent, uint32_t path)
{
    char *text = hd_summary_page_path_text(&page->summary, indent, path, "");

    fprintf(page->summary.file, "%*s%s\n", (int)indent, "", text);
    free(text);
}

static void
print_lowest(const efficiency_page *page, const hd_efficiency_loss *lowest)
{
    char  percent[16];
    char *text = hd_format("Lowest: %s, %s.%s", hd_factor_name(page->summary.cube, lowest->factor),
                           hd_percent_text(percent, lowest->value), lowest->path != HD_NONE ? " Most of it is lost at" : "");

    hd_summary_page_sentence(&page->summary, 0, text);
    free(text);
    if (lowest->path == HD_NONE)
        return;
    print_path(page, 2, lowest->path);
    hd_summary_page_sentence(&page->summary, 2, lowest->sentence);
    if (lowest->who != NULL)
        hd_summary_page_sentence(&page->summary, 2, lowest->who);
}

/* The other efficiencies that lack something. */
static void
print_losses(const efficiency_page *page, const hd_efficiency_loss *lowest)
{
    bool any = false;

    for (size_t i = 0; i < page->losses.n; i++) {
        const hd_efficiency_loss *loss = &page->losses.of[i];
        char                      percent[16];
        char                     *text;

        if (loss == lowest || loss->path == HD_NONE || loss->value > ALL)
            continue;
        if (!any)
            fputs("Most of the others is lost at\n", page->summary.file);
        any  = true;
        text = hd_format("%s, %s:", hd_factor_name(page->summary.cube, loss->factor), hd_percent_text(percent, loss->value));
        hd_summary_page_sentence(&page->summary, 2, text);
        free(text);
        print_path(page, 4, loss->path);
        hd_summary_page_sentence(&page->summary, 4, loss->who != NULL ? loss->who : loss->sentence);
    }
}

static void
print_remarks(const efficiency_page *page)
{
    const hd_efficiency_entry *main   = hd_efficiency_main(&page->list);
    const hd_efficiency_loss  *lowest = hd_efficiency_lowest(&page->losses);
    char                       percent[16], *text;

    if (lowest != NULL) {
        print_lowest(page, lowest);
        print_losses(page, lowest);
    }
    if (elsewhere_of(main) > MUCH_MPI_ELSEWHERE) {
        text = hd_format("%s of the time in MPI is on other threads than the first one of a process: by these "
                         "definitions the efficiencies of threads count it, not those of MPI.",
                         hd_percent_text(percent, elsewhere_of(main)));
        hd_summary_page_sentence(&page->summary, 0, text);
        free(text);
    }
    if (page->ends_blocked)
        hd_summary_page_sentence(&page->summary, 0, "Processes were blocked when the recording ended. The time after "
                                 "their last records is in no number: see \"Unfinished operations\" of heddle summary.");
    if (!main->has_ideal)
        hd_summary_page_sentence(&page->summary, 0, "Serialisation and transfer are not known, as operations of the "
                                 "trace are not complete.");
}

static void
print_text(const efficiency_page *page)
{
    const hd_efficiency_entry *main = hd_efficiency_main(&page->list);
    char *what = hd_format("efficiencies of %" PRIu64 " process%s with %" PRIu64 " thread%s%s",
                           main->sums[HD_EFFICIENCY_processes], main->sums[HD_EFFICIENCY_processes] == 1 ? "" : "es",
                           main->sums[HD_EFFICIENCY_threads], main->sums[HD_EFFICIENCY_threads] == 1 ? "" : "s",
                           hd_efficiency_at_a_time(page->summary.cube, main));

    hd_completeness_print(page->summary.cube, page->summary.file);
    hd_summary_page_headline(&page->summary, what);
    hd_summary_page_shared_processors(&page->summary);
    free(what);
    print_slices(page);
    print_lines(page);
    print_remarks(page);
    hd_efficiency_rules_print(page->rules, page->summary.file);
}

/* ---- for scripts ------------------------------------------------------------------------------------------------- */

static void
print_csv_line(FILE *file, const char *kind, const char *name, const hd_efficiency_entry *entry)
{
    double factors[HD_N_FACTORS], second = (double)entry->resolution;

    hd_factors_of(entry, factors);
    fprintf(file, "%s,", kind);
    hd_csv_text(file, name);
    if (entry->has_bounds)
        fprintf(file, ",%.17g,%.17g,", (double)entry->from / second, (double)entry->to / second);
    else
        fputs(",,,", file);
    if (entry->has_ideal)
        fprintf(file, "%.17g", (double)entry->ideal / second);
    for (int f = 0; f < HD_N_FACTORS; f++)
        if (isnan(factors[f]))
            fputc(',', file);
        else
            fprintf(file, ",%.17g", factors[f]);
    fprintf(file, ",%.17g\n", hd_efficiency_runtime(entry));
}

static void
print_csv(const efficiency_page *page)
{
    FILE *file = page->summary.file;

    fputs("kind,name,from,to,ideal_runtime", file);
    for (int f = 0; f < HD_N_FACTORS; f++)
        fprintf(file, ",%s", hd_factor_infos[f].id);
    fputs(",runtime\n", file);
    for (size_t i = 0; i < page->list.n; i++)
        print_csv_line(file, hd_slice_kinds[page->list.entries[i].kind], "", &page->list.entries[i]);
    for (size_t i = 0; i < page->list.n_iterations; i++) {
        const hd_efficiency_entry *entry = &page->list.iterations[i];
        char                       name[32];

        print_csv_line(file, hd_slice_kinds[entry->kind], entry->n > 0 ? hd_iteration_slice_text(entry, name) : "", entry);
    }
    for (size_t i = 0; i < page->n_focuses; i++)
        print_csv_line(file, "region", page->focuses[i].name, &page->focuses[i].entry);
}

static void
put_loss(const efficiency_page *page, hd_json *json, const char *key, const hd_efficiency_loss *loss)
{
    const hd_cube *cube = page->summary.cube;
    bool           any  = loss->location != HD_NONE;

    hd_json_object(json, key);
    hd_json_text(json, "id", hd_factor_infos[loss->factor].id);
    hd_json_text(json, "name", hd_factor_name(page->summary.cube, loss->factor));
    hd_json_number(json, "value", loss->value);
    hd_json_call_path(json, cube, loss->path);
    hd_json_text(json, "what", loss->sentence);
    hd_json_number(json, "process", any ? (double)cube->locations[loss->location].process : NAN);
    hd_json_number(json, "thread", any ? (double)cube->locations[loss->location].thread : NAN);
    hd_json_number(json, "lost", any ? loss->lost : NAN);
    hd_json_text(json, "who", loss->who);
    hd_json_end(json);
}

static void
put_losses(const efficiency_page *page, hd_json *json)
{
    const hd_efficiency_loss *lowest = hd_efficiency_lowest(&page->losses);

    if (lowest != NULL)
        put_loss(page, json, "lowest", lowest);
    else
        hd_json_null(json, "lowest");
    hd_json_array(json, "losses");
    for (size_t i = 0; i < page->losses.n; i++)
        put_loss(page, json, NULL, &page->losses.of[i]);
    hd_json_end(json);
}

static void
put_iterations(const efficiency_page *page, hd_json *json, const char *key)
{
    if (page->list.n_iterations == 0) {
        hd_json_null(json, key);
        return;
    }
    hd_json_object(json, key);
    hd_json_text(json, "region", page->iterations.region);
    hd_json_text(json, "how", page->iterations.by);
    hd_json_bool(json, "ends", page->iterations.is_end);
    hd_json_count(json, "count", page->iterations.n_iterations);
    hd_json_array(json, "slices");
    for (size_t i = 0; i < page->list.n_iterations; i++)
        hd_json_efficiency(json, NULL, &page->list.iterations[i]);
    hd_json_end(json);
    hd_json_clusters(json, &page->iterations.clusters);
    hd_json_end(json);
}

static hd_status
print_json(const efficiency_page *page)
{
    const hd_efficiency_list *list = &page->list;
    const hd_efficiency_entry *main = hd_efficiency_main(list);
    hd_json                    json;

    hd_json_document_begin(&json, page->summary.file, "efficiency");
    hd_json_report(&json, "report", page->summary.cube);
    hd_json_efficiency(&json, "whole", &list->entries[0]);
    if (main != list->entries)
        hd_json_efficiency(&json, "main", main);
    else
        hd_json_null(&json, "main");
    put_losses(page, &json);
    hd_json_array(&json, "slices");
    for (size_t i = 0; i < list->n; i++)
        if (list->entries[i].kind == HD_SLICE_WINDOW)
            hd_json_efficiency(&json, NULL, &list->entries[i]);
    hd_json_end(&json);
    put_iterations(page, &json, "iterations");
    hd_json_array(&json, "regions");
    for (size_t i = 0; i < page->n_focuses; i++) {
        hd_json_object(&json, NULL);
        hd_json_text(&json, "name", page->focuses[i].name);
        hd_json_efficiency(&json, "efficiency", &page->focuses[i].entry);
        hd_json_end(&json);
    }
    hd_json_end(&json);
    hd_efficiency_rules_put(page->rules, &json, "rules");
    return hd_json_document_end(&json);
}

/* ---- what is shown ----------------------------------------------------------------------------------------------- */

static void
efficiency_page_fini(efficiency_page *page)
{
    hd_focuses_free(page->focuses, page->n_focuses);
    hd_efficiency_losses_fini(&page->losses);
    hd_efficiency_list_fini(&page->list);
    hd_iteration_list_fini(&page->iterations);
    hd_summary_page_fini(&page->summary);
}

/* The lowest one and regions, of efficiencies that are there. */
static hd_status
measure(efficiency_page *page, hd_cube *cube)
{
    const hd_efficiency_entry *main = hd_efficiency_main(&page->list);
    double                     factors[HD_N_FACTORS];
    hd_status                  status = hd_summary_page_sum_time(&page->summary);

    hd_factors_of(main, factors);
    if (status == HD_OK)
        status = hd_efficiency_losses_find(&page->summary, main, factors, true, &page->losses);
    if (status == HD_OK)
        status = hd_focuses_new(cube, page->options->focus, page->options->n_focus, main, &page->focuses,
                                &page->n_focuses);
    return status;
}

static hd_status
prepare(efficiency_page *page, hd_cube *cube)
{
    hd_startup startup;
    hd_status  status = hd_efficiency_list_read(cube, &page->list);

    if (status == HD_OK && !page->list.is_there) {
        status = hd_fail(HD_EFORMAT, "report \"%s\" has no efficiencies", cube->path);
        hd_summary_advise(cube, "heddle analyze, without --compat");
    }
    if (status == HD_OK && page->list.n_iterations > 0)
        status = hd_iteration_list_read(cube, &page->iterations);
    if (status == HD_OK)
        status = hd_efficiency_ends_blocked(cube, &page->ends_blocked);
    if (status == HD_OK && !page->options->look.with_startup)
        status = hd_startup_skip_but_impact(cube, &startup);
    return status == HD_OK ? measure(page, cube) : status;
}

static hd_status
show(efficiency_page *page)
{
    FILE     *file   = page->summary.file;
    hd_status status = HD_OK;

    if (page->options->quiet)
        return HD_OK;
    if (page->options->format == HD_EFFICIENCY_JSON)
        status = print_json(page);
    else if (page->options->format == HD_EFFICIENCY_CSV)
        print_csv(page);
    else
        print_text(page);
    if (status == HD_OK && (fflush(file) != 0 || ferror(file)))
        status = hd_fail(HD_EWRITE, "cannot write the efficiencies of report \"%s\": %s", page->summary.cube->path,
                         strerror(errno));
    return status;
}

/* ---- for the HTML report ----------------------------------------------------------------------------------------- */

static void
put_curve_values(const hd_efficiency_entry *entry, hd_json *json)
{
    static const hd_factor shown[] = { HD_FACTOR_parallel, HD_FACTOR_load_balance, HD_FACTOR_communication };
    double                 factors[HD_N_FACTORS];

    hd_factors_of(entry, factors);
    for (size_t f = 0; f < sizeof shown / sizeof *shown; f++)
        hd_json_number(json, NULL, factors[shown[f]]);
}

/* A line each, over the windows, and over the iterations. */
static void
put_curves(const efficiency_page *page, hd_json *json)
{
    hd_json_array(json, "windows");
    for (size_t i = 0; i < page->list.n; i++) {
        const hd_efficiency_entry *entry = &page->list.entries[i];

        if (entry->kind != HD_SLICE_WINDOW)
            continue;
        hd_json_array(json, NULL);
        hd_json_number(json, NULL, (double)entry->from / (double)entry->resolution);
        hd_json_number(json, NULL, (double)entry->to / (double)entry->resolution);
        put_curve_values(entry, json);
        hd_json_end(json);
    }
    hd_json_end(json);
    hd_json_array(json, "iterations");
    for (size_t i = 0; i < page->list.n_iterations; i++) {
        const hd_efficiency_entry *entry = &page->list.iterations[i];

        if (entry->n == 0)
            continue;
        hd_json_array(json, NULL);
        hd_json_count(json, NULL, entry->first);
        hd_json_count(json, NULL, entry->first + entry->n - 1);
        put_curve_values(entry, json);
        hd_json_end(json);
    }
    hd_json_end(json);
}

static void
put_for_page(const efficiency_page *page, hd_json *json, const char *key)
{
    const hd_efficiency_entry *main = hd_efficiency_main(&page->list);

    hd_json_object(json, key);
    hd_json_array(json, "factors");
    for (int f = 0; f < HD_N_FACTORS; f++) {
        hd_json_array(json, NULL);
        hd_json_text(json, NULL, hd_factor_infos[f].id);
        hd_json_text(json, NULL, hd_factor_name(page->summary.cube, (hd_factor)f));
        hd_json_end(json);
    }
    hd_json_end(json);
    hd_json_efficiency(json, "whole", &page->list.entries[0]);
    if (main != page->list.entries)
        hd_json_efficiency(json, "main", main);
    else
        hd_json_null(json, "main");
    put_losses(page, json);
    hd_json_array(json, "regions");
    for (size_t i = 0; i < page->n_focuses; i++) {
        double factors[HD_N_FACTORS];

        hd_factors_of(&page->focuses[i].entry, factors);
        hd_json_object(json, NULL);
        hd_json_count(json, "path", page->focuses[i].path);
        hd_json_number(json, "runtime", hd_efficiency_runtime(&page->focuses[i].entry));
        hd_json_number(json, "parallel", factors[HD_FACTOR_parallel]);
        hd_json_number(json, "load_balance", factors[HD_FACTOR_load_balance]);
        hd_json_number(json, "communication", factors[HD_FACTOR_communication]);
        hd_json_end(json);
    }
    hd_json_end(json);
    put_curves(page, json);
    hd_json_end(json);
}

hd_status
hd_efficiency_put(hd_cube *cube, hd_json *json, const char *key)
{
    hd_efficiency_options options = { .look = { .with_startup = true } }; /* it is skipped already, or wanted */
    efficiency_page       page    = { .options = &options };
    hd_status             status  = hd_efficiency_list_read(cube, &page.list);

    hd_summary_page_init(&page.summary, cube, NULL, &options.look);
    if (status == HD_OK && page.list.is_there && page.list.entries[0].sums[HD_EFFICIENCY_threads] > 1) {
        status = measure(&page, cube);
        if (status == HD_OK)
            put_for_page(&page, json, key);
    } else if (status == HD_OK)
        hd_json_null(json, key);
    efficiency_page_fini(&page);
    return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

hd_status
hd_efficiency_print(hd_cube *cube, FILE *file, hd_efficiency_rules *rules, const hd_efficiency_options *options)
{
    efficiency_page page = { .options = options, .rules = rules };
    hd_status       status;

    hd_summary_page_init(&page.summary, cube, file, &options->look);
    status = prepare(&page, cube);
    if (status == HD_OK) {
        hd_efficiency_rules_check(rules, &page.list);
        status = show(&page);
    }
    efficiency_page_fini(&page);
    return status;
}
