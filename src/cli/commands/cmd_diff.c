/* heddle diff: what has changed from one report to another, and whether that is too much. */
#include <stdio.h>

#include "algebra.h"
#include "commands.h"
#include "comparison.h"
#include "difference_json.h"
#include "difference_page.h"
#include "fail_rule.h"
#include "result.h"
#include "startup.h"
#include "terminal.h"

typedef struct hd_diff_options {
    bool            help;
    hd_texts        reports, rules, rule_files;
    hd_result_place place;
    uint32_t        top, width;
    bool            all, markdown, json, quiet, with_startup;
} hd_diff_options;

#define FIELD(field) offsetof(hd_diff_options, field)
static const hd_option diff_options[] = {
    { "fail-if", 0, HD_TEXTS, NULL, "RULE", "end with exit code 4 if this comparison holds, so that the rule is violated; may be given several times", FIELD(rules) },
    { "rules", 0, HD_TEXTS, NULL, "FILE", "the same for each line of this file; text after # is a comment", FIELD(rule_files) },
    { "markdown", 0, HD_FLAG, NULL, NULL, "print tables in Markdown, for a merge request", FIELD(markdown) },
    { "json", 0, HD_FLAG, NULL, NULL, HD_JSON_HELP ", with all metrics and the results of rules", FIELD(json) },
    { "top", 'n', HD_COUNT, "3", "N", "how many wait states, call paths and processes to name", FIELD(top) },
    { "all", 0, HD_FLAG, NULL, NULL, "print all metrics that are not zero, also small and unchanged ones", FIELD(all) },
    { "with-startup", 0, HD_FLAG, NULL, NULL, "count MPI_Init and MPI_Finalize, too; rules and --output always do", FIELD(with_startup) },
    { "quiet", 'q', HD_FLAG, NULL, NULL, "print only warnings and the results of rules", FIELD(quiet) },
    { "output", 'o', HD_TEXT, NULL, "REPORT.cubex", "also write the difference as a report", FIELD(place.report) },
    { "html", 0, HD_TEXT, NULL, "FILE.html", "also write it as an HTML page", FIELD(place.page) },
    { "force", 'f', HD_FLAG, NULL, NULL, "replace existing files", FIELD(place.force) },
    HD_OPTION_WIDTH(FIELD(width)),
    HD_OPTION_HELP,
};

static hd_status
take_rules(const hd_diff_options *options, hd_fail_rules *rules)
{
    hd_status status = HD_OK;

    for (size_t i = 0; i < options->rules.n && status == HD_OK; i++)
        status = hd_fail_rules_add(rules, options->rules.text[i]);
    for (size_t i = 0; i < options->rule_files.n && status == HD_OK; i++)
        status = hd_fail_rules_read(rules, options->rule_files.text[i]);
    return status;
}

static hd_status
write_files(const hd_diff_options *options, hd_alignment *alignment)
{
    hd_algebra *algebra;
    hd_status   status;

    if (options->place.report == NULL && options->place.page == NULL)
        return HD_OK;
    algebra = hd_algebra_new(alignment, HD_DIFFERENCE);
    status  = hd_result_write(hd_algebra_cube(algebra), hd_algebra_rows, algebra, &options->place, true, !options->quiet && !options->markdown && !options->json);
    hd_algebra_free(algebra);
    return status;
}

/* Of what is printed, after rules are checked and files are written. */
static hd_status
skip_startup(const hd_diff_options *options, hd_alignment *alignment)
{
    hd_startup startup;
    hd_status  status = HD_OK;

    for (uint32_t i = 0; i < alignment->n_cubes && status == HD_OK && !options->with_startup; i++)
        status = hd_startup_skip(alignment->cubes[i], &startup);
    return status;
}

static hd_status
print_difference(const hd_diff_options *options, hd_alignment *alignment)
{
    hd_difference_options page       = { .look = hd_terminal_look(options->width), .all = options->all };
    hd_comparison        *comparison = NULL;
    hd_status             status;

    if (options->quiet)
        return HD_OK;
    page.look.n_top = options->top;
    status          = skip_startup(options, alignment);
    if (status == HD_OK)
        status = hd_comparison_new(alignment, &comparison);
    if (status == HD_OK)
        status = options->markdown ? hd_difference_print_markdown(comparison, stdout, &page) : hd_difference_print(comparison, stdout, &page);
    hd_comparison_free(comparison);
    return status;
}

static hd_status
write_json(const hd_diff_options *options, const hd_fail_rules *rules, hd_alignment *alignment)
{
    hd_comparison *comparison = NULL;
    hd_json        json;
    hd_status      status = skip_startup(options, alignment);

    if (status == HD_OK)
        status = hd_comparison_new(alignment, &comparison);
    if (status == HD_OK) {
        hd_json_document_begin(&json, stdout, "diff");
        status = hd_json_difference(&json, comparison, options->top);
    }
    if (status == HD_OK) {
        hd_fail_rules_put(rules, alignment, &json, "rules");
        status = hd_json_document_end(&json);
    }
    hd_comparison_free(comparison);
    return status;
}

/* Rules are checked before anything is written, since they may be wrong; in a merge request they stand first, in a log last. */
static hd_status
compare(const hd_diff_options *options, hd_fail_rules *rules, hd_alignment *alignment, size_t *n_met)
{
    hd_status status = hd_fail_rules_check(rules, alignment, n_met);

    if (status == HD_OK)
        status = write_files(options, alignment);
    if (status == HD_OK && options->json)
        return write_json(options, rules, alignment);
    if (status == HD_OK && rules->n > 0 && options->markdown)
        hd_fail_rules_print(rules, alignment, *n_met, stdout, true);
    if (status == HD_OK)
        status = print_difference(options, alignment);
    if (status == HD_OK && rules->n > 0 && !options->markdown)
        hd_fail_rules_print(rules, alignment, *n_met, stdout, false);
    return status;
}

static hd_status
check_output(const hd_diff_options *options)
{
    const char *other = options->markdown ? "markdown" : options->quiet ? "quiet" : NULL;

    return !options->json || other == NULL ? HD_OK : hd_fail(HD_EUSAGE, "--json and --%s exclude each other", other);
}

/* A difference takes the place of neither report, nor of rules. */
static hd_status
probe(const hd_diff_options *options)
{
    const hd_result_place *place  = &options->place;
    hd_status              status = hd_result_spare(&options->reports, place->report, "difference");

    if (status == HD_OK)
        status = hd_result_spare(&options->rule_files, place->report, "difference");
    if (status == HD_OK)
        status = hd_result_spare(&options->rule_files, place->page, "page");
    return status == HD_OK ? hd_result_probe(place, &options->reports) : status;
}

static hd_status
diff_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_diff_options *options   = options_;
    hd_fail_rules          rules     = { 0 };
    hd_reports             reports   = { 0 };
    hd_alignment          *alignment = NULL;
    size_t                 n_met     = 0;
    hd_status              status    = check_output(options);

    (void)analysis_comm;
    if (status == HD_OK)
        status = take_rules(options, &rules);
    if (status == HD_OK)
        status = probe(options);
    if (status == HD_OK)
        status = hd_reports_open(&options->reports, &reports);
    if (status == HD_OK) {
        alignment = hd_alignment_new(reports.cubes, reports.n, (hd_alignment_options){ .one_program = true });
        hd_result_warn(alignment, options->quiet);
        hd_result_warn_of_strangers(alignment);
        status = compare(options, &rules, alignment, &n_met);
    }
    hd_alignment_free(alignment);
    hd_reports_close(&reports);
    *exit_code = n_met > 0 ? HD_EXIT_RULE : rules.n_unsure > 0 ? HD_EXIT_INCOMPLETE : HD_EXIT_OK;
    hd_fail_rules_fini(&rules);
    return status;
}

const hd_command hd_cmd_diff = {
    .name           = "diff",
    .operand        = "A B",
    .operand_offset = offsetof(hd_diff_options, reports),
    .operands_min   = 2,
    .operands_max   = 2,
    .former_letters = "m=markdown a=all",
    .what           = "print the differences between two reports, and check them against thresholds",
    .text           = "Compares two reports: metrics, the call paths with the largest difference in time, and the wait states with the largest "
                      "differences, with their call paths and processes. What only one of them has counts as zero in the other. Runs with different "
                      "processes are compared by the sums over all of them, with different threads by the sums of each process. The difference report "
                      "and page hold the values of B minus those of A.\n\n"
                      "A rule is METRIC > LIMIT or METRIC < LIMIT, with the name of the metric as in heddle dump, followed by \"at CALLPATH\" to check one call path "
                      "and everything below it. Limits: +5% (B has more than 5 % more than A), +0.1s (0.1 s more), +2%time (its share of the time has grown by "
                      "more than 2 percentage points), 0.5s (B has more than that), 12%time (of the time of B). Units of times are s, ms, us, ns, of "
                      "bytes B, KiB, MiB, GiB, TiB. A metric that A does not have at all has grown by more than any number of percent. Where a report is incomplete, a rule that "
                      "is not violated is inconclusive.",
    .exit_codes     = "3\tno rule is violated, but one is inconclusive, as a report is incomplete\n"
                      "4\ta rule is violated",
    .example        = "heddle diff before.cubex after.cubex\tthe differences\n"
                      "heddle diff main.cubex branch.cubex --fail-if 'mpi_latesender > +5%' --fail-if 'time > +0.5s'\tin a pipeline\n"
                      "heddle diff main.cubex branch.cubex --rules perf.rules --markdown > comment.md\ta comment for a merge request\n"
                      "heddle diff before.cubex after.cubex --html change.html\tto look at",
    .options        = diff_options,
    .n_options      = sizeof diff_options / sizeof *diff_options,
    .bytes          = sizeof(hd_diff_options),
    .run            = diff_run,
};
