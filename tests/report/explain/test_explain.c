/* tests/report/explain/test_explain.c: docs/explanations.md has a section for all that can be a finding, and each is
 * printed. */
#define _GNU_SOURCE /* memmem */
#include "check.h"

#include <string.h>

#include "explain_page.h"
#include "efficiency_list.h"
#include "explanation.h"
#include "finding.h"
#include "metric.h"
#include "name_cut.h"
#include "scaling_efficiency.h"

static char *
explained(const char *name)
{
    char              *text  = NULL;
    size_t             bytes = 0;
    FILE              *file  = open_memstream(&text, &bytes);
    hd_summary_options look  = { .width = 80 };
    bool               found;

    CHECK(hd_explain_print(name, file, &look, &found) == HD_OK);
    fclose(file);
    if (found)
        return text;
    free(text);
    return NULL;
}

static bool
has(const hd_explanation *explanation, const char *text)
{
    return memmem(explanation->body.text, explanation->body.n, text, strlen(text)) != NULL;
}

/* No line has more columns; what does not fit is printed. */
static bool
is_within(const char *text, uint32_t columns)
{
    bool  is  = true;
    char *own = strdup(text), *rest = own;

    for (char *line; (line = strsep(&rest, "\n")) != NULL;)
        if (hd_text_columns(line) > columns) {
            printf("%u columns: %s\n", hd_text_columns(line), line);
            is = false;
        }
    free(own);
    return is;
}

static bool
can_be_a_finding(uint32_t metric)
{
    const hd_metric_info *info = &hd_metric_infos[metric];

    return hd_metric_is_wait_state(metric) || info->kind == HD_KIND_H ||
           (info->kind == HD_KIND_R && info->unit == HD_UNIT_TICKS && metric != HD_METRIC_time);
}

TEST(all_that_can_be_a_finding_has_a_section)
{
    for (uint32_t metric = 0; metric < HD_N_METRICS; metric++) {
        hd_explanation explanation;
        char          *text;

        if (!can_be_a_finding(metric))
            continue;
        CHECK(hd_explanation_of_metric(metric, &explanation));
        text = explained(hd_metric_infos[metric].id);
        CHECK(text != NULL && strstr(text, "Typical reasons") != NULL &&
              strstr(text, hd_metric_infos[metric].id) != NULL);
        free(text);
        if (hd_metric_is_wait_state(metric) && !hd_explanation_find(hd_metric_infos[metric].id, &explanation)) {
            printf("no section of its own: %s\n", hd_metric_infos[metric].id);
            CHECK(false);
        }
    }
    for (uint32_t kind = 0; kind < HD_N_FINDINGS; kind++) {
        hd_explanation explanation;
        char          *text = explained(hd_finding_infos[kind].id);

        CHECK(hd_explanation_find(hd_finding_infos[kind].id, &explanation));
        CHECK(text != NULL && strstr(text, "Trace diagnostics: ") != NULL && strstr(text, "What to do") != NULL);
        free(text);
    }
}

TEST(sections_have_a_drawing_reasons_what_to_do_and_their_sources)
{
    hd_explanation explanation = { 0 };
    uint32_t       n           = 0;

    for (; hd_explanation_next(&explanation); n++) {
        bool is_whole = has(&explanation, "\n\n    ") && has(&explanation, "**Typical reasons**") &&
                        has(&explanation, "**What to do**");

        if (!is_whole)
            printf("not whole: %.*s\n", (int)explanation.title.n, explanation.title.text);
        CHECK(is_whole);
    }
    CHECK(n > 50);
}

TEST(efficiencies_are_explained)
{
    for (int f = 0; f < HD_N_FACTORS; f++) {
        char *text = explained(hd_factor_infos[f].id);

        CHECK(text != NULL && strstr(text, hd_factor_infos[f].name) != NULL &&
              strstr(text, "docs/metrics.md#efficiencies") != NULL);
        CHECK(text != NULL && strstr(text, "What to do") != NULL);
        free(text);
    }
}

/* Each row of the table of heddle scaling, by its id, its name, and by its id as people may write it. */
TEST(factors_of_several_runs_are_explained)
{
    char *global = explained("global_efficiency"), *parallel = explained("parallel_efficiency");

    for (int f = 0; f < HD_N_SCALING_FACTORS; f++) {
        char *by_id = explained(hd_scaling_factor_infos[f].id), *by_name = explained(hd_scaling_factor_infos[f].name);

        CHECK(by_id != NULL && strstr(by_id, hd_scaling_factor_infos[f].name) != NULL);
        CHECK(by_id != NULL && strstr(by_id, "What to do") != NULL);
        CHECK(by_name != NULL && strstr(by_name, hd_scaling_factor_infos[f].name) != NULL);
        free(by_id);
        free(by_name);
    }
    CHECK(global != NULL && strstr(global, "Global efficiency (global)") != NULL);
    CHECK(parallel != NULL && strstr(parallel, "Parallel efficiency (parallel)") != NULL);
    free(global);
    free(parallel);
}

static bool
is_scaling_factor(const char *id)
{
    for (int f = 0; f < HD_N_SCALING_FACTORS; f++)
        if (strcmp(hd_scaling_factor_infos[f].id, id) == 0)
            return true;
    return false;
}

TEST(anchors_are_metrics_findings_and_efficiencies)
{
    hd_explanation explanation = { 0 };

    while (hd_explanation_next(&explanation))
        for (const char *at = explanation.anchors.text; at < explanation.title.text;) {
            char id[80];
            bool is_known;

            if (sscanf(at, "<a id=\"%79[^\"]\"></a>", id) != 1)
                break;
            is_known = hd_metric_by_id(id) != HD_NONE || strcmp(id, "communication-call-as-cause") == 0 ||
                       strcmp(id, "counters") == 0 || strcmp(id, "derived-counters") == 0 ||
                       strcmp(id, "work-or-speed") == 0 || hd_factor_by_id(id) != HD_N_FACTORS || is_scaling_factor(id);
            for (uint32_t kind = 0; kind < HD_N_FINDINGS; kind++)
                is_known |= strcmp(hd_finding_infos[kind].id, id) == 0;
            CHECK(hd_metric_by_id(id) == HD_NONE || hd_factor_by_id(id) == HD_N_FACTORS); /* one or the other */
            if (!is_known)
                printf("neither metric, finding nor efficiency: %s\n", id);
            CHECK(is_known);
            at += strlen("<a id=\"\"></a>") + strlen(id);
            at += *at == '\n';
        }
}

TEST(whatever_is_explained_fits_the_terminal)
{
    size_t n;
    char **names = hd_explain_names(&n);

    for (size_t i = 0; i < n; i++) {
        char *text = explained(names[i]);

        CHECK(text != NULL && is_within(text, 80));
        CHECK(text == NULL || (strstr(text, "**") == NULL && strchr(text, '`') == NULL && strstr(text, "](") == NULL));
        free(text);
    }
    hd_explain_names_free(names, n);
}

TEST(a_name_that_several_metrics_share_is_explained_with_all_sections)
{
    char *text = explained("wait at BARRIER");

    CHECK(text != NULL && strstr(text, "mpi_barrier_wait") != NULL && strstr(text, "omp_ebarrier_wait") != NULL &&
          strstr(text, "omp_ibarrier_wait") != NULL && strstr(text, "delay_barrier_aggregate") != NULL);
    free(text);
}

TEST(a_metric_without_a_section_is_explained_with_the_one_above)
{
    char *text = explained("delay_n2n_longterm");

    CHECK(text != NULL && strstr(text, "Explained with: Delay costs.") != NULL);
    free(text);
    text = explained("bytes_sent");
    CHECK(text != NULL && strstr(text, "docs/metrics.md#bytes_sent") != NULL &&
          strstr(text, "Typical reasons") == NULL);
    free(text);
}

TEST(sources_are_printed_in_full)
{
    char *text = explained("mpi_latesender");

    CHECK(text != NULL && strstr(text, "Geimer 2009: M. Geimer, F. Wolf") != NULL);
    free(text);
}

static void
check_term(const char *name, const char *expected)
{
    char *text = explained(name);

    CHECK_STR(text != NULL ? text : "", expected);
    free(text);
}

TEST(terms_of_the_glossary_are_explained)
{
    check_term("Main window",
               "main window\n  part of the run from the first leave of MPI_Init to the last enter of\n"
               "  MPI_Finalize\n\n"
               "  More: docs/metrics.md#main-window (installed in share/doc/heddle)\n");
    check_term("uneven", "transient, uneven\n"
                         "  of a wait state: few iterations have most of it; neither that nor chronic\n\n"
                         "  More: docs/metrics.md#verdicts (installed in share/doc/heddle)\n");
    check_term("bound", "bound (simulation)\n  prediction of a change that hardly any program can reach\n\n"
                        "  More: docs/simulation.md#advice (installed in share/doc/heddle)\n");
    check_term("call tree", "call tree\n  all call paths of a program\n");
    CHECK(explained("meaning") == NULL && explained("tree") == NULL && explained("Wolf 2007") == NULL);
}

TEST(what_is_unknown_prints_nothing)
{
    CHECK(explained("no such metric") == NULL);
    CHECK(explained("") == NULL);
}

TEST(the_list_has_what_fits_and_what_is_above)
{
    char  *text  = NULL;
    size_t bytes = 0, n;
    FILE  *file  = open_memstream(&text, &bytes);

    CHECK(hd_metric_list_print(file, &(hd_metric_list_options){ .filter = "wrong order" }, &n) == HD_OK);
    fclose(file);
    CHECK(n > 0 && strstr(text, "(mpi_latesender_wo, sec)\n") != NULL &&
          strstr(text, "(mpi_latesender, sec)\n") != NULL &&
          strstr(text, "mpi_barrier_wait") == NULL);
    free(text);
    file = open_memstream(&text, &bytes);
    CHECK(hd_metric_list_print(file, &(hd_metric_list_options){ .all = true }, &n) == HD_OK);
    fclose(file);
    CHECK_EQ(n, HD_N_METRICS);
    CHECK(is_within(text, 80));
    free(text);
}

TEST_MAIN
