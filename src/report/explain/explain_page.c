/* src/report/explain/explain_page.c: finds what a name stands for, and prints its explanations. */
#include "explain_page.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "efficiency_list.h"
#include "finding.h"
#include "memory.h"
#include "metric.h"
#include "paragraphs.h"
#include "scaling_efficiency.h"

enum { INDENT = 2, MAX_OTHERS = 12 };


typedef struct explain_page {
    const char    *name;
    FILE          *file;
    uint32_t       width;
    bool           has_colour;
    const char    *shown[64]; /* [n_shown] titles of sections that were printed */
    size_t         n_shown;
} explain_page;

static void
put_heading(const explain_page *page, const char *heading, const char *id)
{
    fprintf(page->file, "%s%s%s%s", page->n_shown > 0 ? "\n" : "", page->has_colour ? "\033[1m" : "", heading,
            page->has_colour ? "\033[0m" : "");
    if (id != NULL && strlen(heading) + strlen(id) + strlen(" ()") > page->width)
        fprintf(page->file, "\n%*s(%s)", INDENT, "", id);
    else if (id != NULL)
        fprintf(page->file, " (%s)", id);
    fputc('\n', page->file);
}

static void
put_line(const explain_page *page, const char *text)
{
    hd_paragraph_print(page->file, text, INDENT, INDENT, page->width);
}

/* Where more is written: words, then a place in the folder docs/, which is installed as share/doc/heddle/docs. */
static void
put_document(const explain_page *page, const char *words, const char *place, size_t n)
{
    char *text = hd_format("%s: docs/%.*s (installed in share/doc/heddle)", words, (int)n, place);

    fputc('\n', page->file);
    put_line(page, text);
    free(text);
}

static bool
is_shown(const explain_page *page, const hd_explanation *explanation)
{
    for (size_t i = 0; i < page->n_shown; i++)
        if (page->shown[i] == explanation->title.text)
            return true;
    return false;
}

/* ---- sections ---------------------------------------------------------------------------------------------------- */

static void
print_section(explain_page *page, const hd_explanation *explanation)
{
    fputc('\n', page->file);
    hd_paragraphs_print(page->file, explanation->body, INDENT, page->width);
    if (page->n_shown < sizeof page->shown / sizeof *page->shown)
        page->shown[page->n_shown++] = explanation->title.text;
}

static void
print_metric_head(const explain_page *page, const hd_metric_info *info)
{
    static const char *const units[] =
        { [HD_UNIT_TICKS] = "seconds", [HD_UNIT_OCC] = "occurrences", [HD_UNIT_BYTES] = "bytes" };
    char                    *text;

    put_heading(page, info->name, info->id);
    put_line(page, info->what);
    text = info->parent != HD_NONE ? hd_format("Unit: %s. Part of %s (%s).", units[info->unit],
                                               hd_metric_infos[info->parent].name, hd_metric_infos[info->parent].id)
                                   : hd_format("Unit: %s.", units[info->unit]);
    put_line(page, text);
    free(text);
}

static void
print_metric(explain_page *page, uint32_t metric)
{
    const hd_metric_info *info = &hd_metric_infos[metric];
    hd_explanation        explanation;
    char                 *text;

    print_metric_head(page, info);
    if (hd_explanation_of_metric(metric, &explanation)) {
        if (!hd_explanation_is_of(&explanation, info->id)) {
            text = hd_format("Explained with: %.*s.", (int)explanation.title.n, explanation.title.text);
            put_line(page, text);
            free(text);
        }
        print_section(page, &explanation);
    }
    text = hd_format("metrics.md#%s", info->id);
    put_document(page, "How it is computed", text, strlen(text));
    free(text);
}

static void
print_finding(explain_page *page, hd_finding_kind kind)
{
    const hd_finding_info *info = &hd_finding_infos[kind];
    hd_explanation         explanation;
    char                  *text;

    put_heading(page, info->id, "finding");
    text = hd_format("Trace diagnostics: %s.", info->many);
    put_line(page, text);
    free(text);
    if (info->loses)
        put_line(page, "Data is lost: the exit code of heddle analyze is 3.");
    if (hd_explanation_find(info->id, &explanation))
        print_section(page, &explanation);
    put_document(page, "Findings in reports", "user-guide.md#findings", strlen("user-guide.md#findings"));
}

/* ---- what a name stands for -------------------------------------------------------------------------------------- */

static bool
find_id(explain_page *page)
{
    uint32_t titled = hd_metric_by_title(page->name);

    for (uint32_t metric = 0; metric < HD_N_METRICS; metric++)
        if (metric == titled || strcasecmp(hd_metric_infos[metric].id, page->name) == 0) {
            print_metric(page, metric);
            return true;
        }
    for (uint32_t kind = 0; kind < HD_N_FINDINGS; kind++)
        if (strcasecmp(hd_finding_infos[kind].id, page->name) == 0) {
            print_finding(page, (hd_finding_kind)kind);
            return true;
        }
    return false;
}

/* Metrics of the name: wait states first, each section once. Those that are left are only named. */
static bool
find_metric_names(explain_page *page)
{
    uint32_t *others   = HD_NEW_ARRAY(uint32_t, HD_N_METRICS);
    uint32_t  n_others = 0;
    bool      is_any   = false;

    for (int are_wait_states = 1; are_wait_states >= 0; are_wait_states--)
        for (uint32_t metric = 0; metric < HD_N_METRICS; metric++) {
            hd_explanation explanation = { 0 };
            bool           is_new;

            if (strcasecmp(hd_metric_infos[metric].name, page->name) != 0 ||
                hd_metric_is_wait_state(metric) != (are_wait_states == 1))
                continue;
            is_new = hd_explanation_of_metric(metric, &explanation) && !is_shown(page, &explanation) &&
                     are_wait_states == 1;
            if (is_new || !is_any)
                print_metric(page, metric);
            else
                others[n_others++] = metric;
            is_any = true;
        }
    for (uint32_t i = 0; i < n_others && i < MAX_OTHERS; i++) {
        const hd_metric_info *info = &hd_metric_infos[others[i]];

        if (i == 0)
            put_heading(page, "Other metrics of this name", NULL);
        fprintf(page->file, "%*s%s, part of %s\n", INDENT, "", info->id,
                info->parent != HD_NONE ? hd_metric_infos[info->parent].name : "-");
        hd_paragraph_print(page->file, info->what, 2 * INDENT, 2 * INDENT, page->width);
    }
    if (n_others > MAX_OTHERS)
        fprintf(page->file, "%*sand %" PRIu32 " more: heddle metrics --all \"%s\"\n", INDENT, "", n_others - MAX_OTHERS,
                page->name);
    free(others);
    return is_any;
}

/* ---- efficiencies ------------------------------------------------------------------------------------------------ */

/* The anchor of the section: efficiencies of MPI are explained with those of all threads. free() it. */
static char *
anchor_of(const hd_factor_info *info)
{
    static const char mpi[] = "mpi_", once[] = "_unweighted";
    const char *id = strncmp(info->id, mpi, strlen(mpi)) == 0 ? info->id + strlen(mpi) : info->id;
    const char *end = strstr(id, once);

    if (info->group == HD_FACTORS_CAUSES)
        return hd_strdup("openmp");
    return hd_format("%.*s", (int)(end != NULL ? (size_t)(end - id) : strlen(id)), id);
}

/* By its id, also with "_efficiency" behind it, or its name. */
static bool
is_called(const explain_page *page, const char *id, const char *name)
{
    size_t n = strlen(id);

    if (strcasecmp(page->name, name) == 0)
        return true;
    return strncasecmp(page->name, id, n) == 0 && (page->name[n] == '\0' || strcasecmp(page->name + n, "_efficiency") == 0);
}

static void
print_factor(explain_page *page, const hd_factor_info *info)
{
    hd_explanation explanation;
    char          *anchor = anchor_of(info);

    put_heading(page, info->name, info->id);
    put_line(page, info->group == HD_FACTORS_CAUSES ? "A loss in parallel regions, as a part of all time." :
             "An efficiency: 100 % where nothing is lost.");
    if (hd_explanation_find(anchor, &explanation))
        print_section(page, &explanation);
    free(anchor);
    put_document(page, "How it is computed", "metrics.md#efficiencies", strlen("metrics.md#efficiencies"));
}

/* What else heddle scaling prints of each run is explained with the factor that it belongs to. */
static const char *
anchor_of_scaling(hd_scaling_factor factor)
{
    switch (factor) {
    case HD_SCALING_runtime:
    case HD_SCALING_speedup:   return "global";
    case HD_SCALING_useful:    return "computation_scaling";
    case HD_SCALING_ipc:       return "ipc_scaling";
    case HD_SCALING_frequency: return "frequency_scaling";
    default:                   return hd_scaling_factor_infos[factor].id;
    }
}

static void
print_scaling_factor(explain_page *page, hd_scaling_factor factor)
{
    const hd_scaling_factor_info *info = &hd_scaling_factor_infos[factor];
    hd_explanation                explanation;

    put_heading(page, info->name, info->id);
    put_line(page, hd_scaling_factor_is_share(factor) ? "Of several runs (heddle scaling), a part of 1." :
             "Of several runs (heddle scaling).");
    if (hd_explanation_find(anchor_of_scaling(factor), &explanation))
        print_section(page, &explanation);
    put_document(page, "How it is computed", "metrics.md#computation-scaling", strlen("metrics.md#computation-scaling"));
}

/* An efficiency of one run or of several. Some have the id of a metric. */
static bool
find_factor(explain_page *page)
{
    for (int f = 0; f < HD_N_FACTORS; f++)
        if (is_called(page, hd_factor_infos[f].id, hd_factor_infos[f].name)) {
            print_factor(page, &hd_factor_infos[f]);
            return true;
        }
    for (int f = 0; f < HD_N_SCALING_FACTORS; f++)
        if (is_called(page, hd_scaling_factor_infos[f].id, hd_scaling_factor_infos[f].name)) {
            print_scaling_factor(page, (hd_scaling_factor)f);
            return true;
        }
    return false;
}

static bool
find_section(explain_page *page)
{
    hd_explanation explanation = { 0 };
    size_t         n           = strlen(page->name);

    while (hd_explanation_next(&explanation)) {
        char *title;

        if (!hd_explanation_is_of(&explanation, page->name) &&
            (explanation.title.n != n || strncasecmp(explanation.title.text, page->name, n) != 0))
            continue;
        title = hd_format("%.*s", (int)explanation.title.n, explanation.title.text);
        put_heading(page, title, NULL);
        free(title);
        print_section(page, &explanation);
        return true;
    }
    return false;
}

/* A term of the glossary, and where it is defined if the glossary has a link. */
static bool
find_term(explain_page *page)
{
    static const char link[] = " ([";
    hd_piece          term, meaning;
    const char       *more;
    char             *text;

    if (!hd_explanation_term(page->name, &term, &meaning))
        return false;
    text = hd_format("%.*s", (int)term.n, term.text);
    put_heading(page, text, NULL);
    free(text);
    text = hd_format("%.*s", (int)meaning.n, meaning.text);
    more = strstr(text, link);
    hd_paragraphs_print(page->file, (hd_piece){ text, more != NULL ? (size_t)(more - text) : meaning.n }, INDENT,
                        page->width);
    more = more != NULL ? strstr(more, "](") : NULL;
    if (more != NULL)
        put_document(page, "More", more + 2, strcspn(more + 2, ")"));
    free(text);
    return true;
}

hd_status
hd_explain_print(const char *name, FILE *file, const hd_summary_options *look, bool *found)
{
    explain_page page = { .name = name, .file = file, .width = hd_summary_width(look->width),
                          .has_colour = look->has_colour };

    *found = find_id(&page) || find_metric_names(&page);
    *found = find_factor(&page) || *found;
    *found = *found || find_section(&page) || find_term(&page);
    if (fflush(file) != 0 || ferror(file))
        return hd_fail(HD_EWRITE, "cannot write the explanation: %s", strerror(errno));
    return HD_OK;
}

char **
hd_explain_names(size_t *n)
{
    hd_explanation explanation = { 0 };
    char         **names       = NULL;
    size_t         capacity    = 0;

    *n = 0;
    for (uint32_t metric = 0; metric < HD_N_METRICS; metric++) {
        HD_PUSH(names, *n, capacity, hd_strdup(hd_metric_infos[metric].name));
        HD_PUSH(names, *n, capacity, hd_strdup(hd_metric_infos[metric].id));
    }
    for (uint32_t kind = 0; kind < HD_N_FINDINGS; kind++)
        HD_PUSH(names, *n, capacity, hd_strdup(hd_finding_infos[kind].id));
    for (int f = 0; f < HD_N_FACTORS; f++)
        HD_PUSH(names, *n, capacity, hd_strdup(hd_factor_infos[f].id));
    for (int f = 0; f < HD_N_SCALING_FACTORS; f++)
        HD_PUSH(names, *n, capacity, hd_strdup(hd_scaling_factor_infos[f].id));
    while (hd_explanation_next(&explanation))
        HD_PUSH(names, *n, capacity, hd_format("%.*s", (int)explanation.title.n, explanation.title.text));
    return names;
}

void
hd_explain_names_free(char **names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(names[i]);
    free(names);
}
