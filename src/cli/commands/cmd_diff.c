/* heddle diff: what has changed from A to B and why, and whether that is too much. */
#include <stdio.h>

#include "algebra.h"
#include "archive_report.h"
#include "commands.h"
#include "comparison.h"
#include "difference_json.h"
#include "difference_page.h"
#include "fail_rule.h"
#include "startup.h"
#include "terminal.h"

typedef struct hd_diff_options {
    bool            help;
    hd_texts        reports, rules, rule_files;
    uint32_t        n_of_a; /* of the reports, those before "--"; 0: there is none */
    hd_result_place place;
    uint32_t        top, width;
    bool            all, markdown, json, quiet, with_startup, significant;
} hd_diff_options;

typedef struct hd_diff {
    const hd_diff_options *options;
    hd_fail_rules          rules;
    hd_reports             reports;
    hd_alignment          *alignment;
    hd_comparison         *comparison; /* NULL: not needed yet */
    size_t                 n_met;
} hd_diff;

#define FIELD(field) offsetof(hd_diff_options, field)
static const hd_option diff_options[] = {
    { "fail-if", 0, HD_TEXTS, NULL, "RULE", "end with exit code 4 if this comparison holds, so that the rule is "
      "violated; may be given several times", FIELD(rules) },
    { "rules", 0, HD_TEXTS, NULL, "FILE", "the same for each line of this file; text after # is a comment",
      FIELD(rule_files) },
    { "significant", 0, HD_FLAG, NULL, NULL, "of several runs: a rule about a change holds only if the change is more "
      "than noise (p < 0.05)", FIELD(significant) },
    { "markdown", 0, HD_FLAG, NULL, NULL, "print tables in Markdown, for a merge request", FIELD(markdown) },
    { "json", 0, HD_FLAG, NULL, NULL, HD_JSON_HELP ", with all metrics and the results of rules", FIELD(json) },
    { "top", 'n', HD_COUNT, "3", "N", "how many causes, wait states and call paths to name", FIELD(top) },
    { "all", 0, HD_FLAG, NULL, NULL, "print all metrics that are not zero, also small and unchanged ones, and other "
      "views of the same time", FIELD(all) },
    { "with-startup", 0, HD_FLAG, NULL, NULL, "count MPI_Init and MPI_Finalize, too; rules and --output always do",
      FIELD(with_startup) },
    HD_OPTION_WIDTH(FIELD(width)),
    { "quiet", 'q', HD_FLAG, NULL, NULL, "print only warnings and the results of rules", FIELD(quiet) },
    { "output", 'o', HD_TEXT, NULL, "REPORT.cubex", "also write the difference as a report", FIELD(place.report) },
    { "html", 0, HD_TEXT, NULL, "FILE.html", "also write it as an HTML page", FIELD(place.page) },
    { "force", 'f', HD_FLAG, NULL, NULL, "replace existing files", FIELD(place.force) },
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

/* ---- what has changed -------------------------------------------------------------------------------------------- */

/* The comparison, without start-up unless it is wanted: of what is shown, after rules are checked and the report is
 * written. */
static hd_status
need_comparison(hd_diff *diff)
{
    hd_status status = HD_OK;

    if (diff->comparison != NULL)
        return HD_OK;
    if (!diff->options->with_startup)
        status = hd_startup_skip_in_all(diff->alignment->cubes, diff->alignment->n_cubes, NULL);
    return status == HD_OK ? hd_comparison_new(diff->alignment, &diff->comparison) : status;
}

static hd_status
put_difference(hd_json *json, void *context)
{
    hd_diff  *diff   = context;
    hd_status status = need_comparison(diff);

    return status == HD_OK ? hd_json_difference(json, diff->comparison, diff->options->top) : status;
}

static hd_status
write_files(hd_diff *diff)
{
    const hd_diff_options *options = diff->options;
    hd_result_place        place   = options->place;
    hd_algebra            *algebra;
    hd_status              status;

    if (place.report == NULL && place.page == NULL)
        return HD_OK;
    place.difference = (hd_page_difference){ .put = put_difference, .context = diff };
    algebra          = hd_algebra_new(diff->alignment, HD_DIFFERENCE);
    status = hd_result_write(hd_algebra_cube(algebra), hd_algebra_rows, algebra, &place,
                             !options->quiet && !options->markdown && !options->json);
    hd_algebra_free(algebra);
    return status;
}

static hd_status
print_difference(hd_diff *diff)
{
    const hd_diff_options *options = diff->options;
    hd_difference_options  page    = { .look = hd_terminal_look(options->width), .all = options->all };
    hd_status              status;

    if (options->quiet)
        return HD_OK;
    page.look.n_top = options->top;
    status          = need_comparison(diff);
    if (status != HD_OK)
        return status;
    return options->markdown ? hd_difference_print_markdown(diff->comparison, stdout, &page) :
           hd_difference_print(diff->comparison, stdout, &page);
}

static hd_status
write_json(hd_diff *diff)
{
    hd_json   json;
    hd_status status = need_comparison(diff);

    if (status == HD_OK) {
        hd_json_document_begin(&json, stdout, "diff");
        status = put_difference(&json, diff);
    }
    if (status == HD_OK) {
        hd_fail_rules_put(&diff->rules, diff->alignment, &json, "rules");
        status = hd_json_document_end(&json);
    }
    return status;
}

/* Rules are checked before anything is written, since they may be wrong; in a merge request they stand first, in a log
 * last. */
static hd_status
compare(hd_diff *diff)
{
    const hd_diff_options *options   = diff->options;
    bool                   has_rules = diff->rules.n > 0;
    hd_status              status    = hd_fail_rules_check(&diff->rules, diff->alignment, &diff->n_met);

    if (status == HD_OK)
        status = write_files(diff);
    if (status == HD_OK && options->json)
        return write_json(diff);
    if (status == HD_OK && has_rules && options->markdown)
        hd_fail_rules_print(&diff->rules, diff->alignment, diff->n_met, stdout, true);
    if (status == HD_OK)
        status = print_difference(diff);
    if (status == HD_OK && has_rules && !options->markdown)
        hd_fail_rules_print(&diff->rules, diff->alignment, diff->n_met, stdout, false);
    return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static hd_status
check_options(const hd_diff_options *options)
{
    const char *other  = options->markdown ? "markdown" : options->quiet ? "quiet" : NULL;
    size_t      n_of_b = options->reports.n - options->n_of_a;

    if (options->json && other != NULL)
        return hd_fail(HD_EUSAGE, "--json and --%s exclude each other", other);
    if (options->n_of_a == 0 && options->reports.n > 2) {
        hd_fail(HD_EUSAGE, "%zu reports are given, and nothing tells runs of A from runs of B", options->reports.n);
        hd_fail_detail("try", "heddle diff A1 A2 A3 -- B1 B2 B3");
        return HD_EUSAGE;
    }
    if (options->n_of_a > 0 && n_of_b == 0) {
        hd_fail(HD_EUSAGE, "no report is given after \"--\"");
        hd_fail_detail("try", "heddle diff A1 A2 A3 -- B1 B2 B3");
        return HD_EUSAGE;
    }
    if (options->significant && (options->n_of_a < 2 || n_of_b < 2)) {
        hd_fail(HD_EUSAGE, "--significant needs at least 2 runs of A and 2 of B");
        hd_fail_detail("try", "heddle diff A1 A2 A3 -- B1 B2 B3 --significant");
        return HD_EUSAGE;
    }
    return HD_OK;
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
    const hd_diff_options *options = options_;
    hd_diff                diff    = { .options = options, .rules = { .needs_significance = options->significant } };
    hd_status              status  = check_options(options);
    int                    failed  = HD_EXIT_OK;

    (void)analysis_comm;
    if (status == HD_OK)
        status = take_rules(options, &diff.rules);
    if (status == HD_OK)
        status = probe(options);
    if (status == HD_OK)
        status = hd_archive_reports_open(&options->reports, options->quiet, &diff.reports, &failed);
    if (status == HD_OK && failed == HD_EXIT_OK) {
        diff.alignment = hd_alignment_new(diff.reports.cubes, diff.reports.n,
                                          (hd_alignment_options){ .one_program = true, .n_of_a = options->n_of_a });
        hd_result_warn(diff.alignment, options->quiet);
        hd_result_warn_of_strangers(diff.alignment);
        status = compare(&diff);
    }
    hd_comparison_free(diff.comparison);
    hd_alignment_free(diff.alignment);
    hd_reports_close(&diff.reports);
    *exit_code = failed != HD_EXIT_OK ? failed : diff.n_met > 0 ? HD_EXIT_RULE : diff.rules.n_unsure > 0 ?
                 HD_EXIT_INCOMPLETE : HD_EXIT_OK;
    hd_fail_rules_fini(&diff.rules);
    return status;
}

const hd_command hd_cmd_diff = {
    .name           = "diff",
    .operand        = "A... [--] B...",
    .operand_offset = offsetof(hd_diff_options, reports),
    .operands_min   = 2,
    .operands_max   = 65535,
    .former_letters = "m=markdown a=all",
    .split_offset   = offsetof(hd_diff_options, n_of_a),
    .what           = "print what has changed between two reports and why, and check it against thresholds",
    .text           = "Compares two reports, A and B: how long they take, the causes that have changed (call paths "
                      "whose delay makes others wait, with the processes that carry the change), computation on the "
                      "critical path, wait states, and metrics. What only one of them has counts as zero in the "
                      "other. Runs with different processes are compared by the sums over all of them, with different "
                      "threads by the sums of each process. The difference report and page hold the values of B minus "
                      "those of A.\n\n"
                      "An archive (a folder with traces.otf2, or the .otf2 file) in place of a report is analysed on "
                      "the fly, as heddle analyze does by default; its report is temporary.\n\n"
                      "Several runs of A, B or both are told apart by \"--\": heddle diff A1 A2 A3 -- B1 B2 B3. Then "
                      "means are compared. With at least 2 runs of each, standard deviations are shown, and Welch's t "
                      "test tells whether a difference is more than noise (p < 0.05).\n\n"
                      "A rule is METRIC > LIMIT or METRIC < LIMIT, with the name of the metric as in heddle dump, "
                      "followed by \"at CALLPATH\" to check one call path and everything below it. Limits: +5% (B has "
                      "more than 5 % more than A), +0.1s (0.1 s more), +2%time (its share of the time has grown by "
                      "more than 2 percentage points), 0.5s (B has more than that), 12%time (of the time of B). Units "
                      "of times are s, ms, us, ns, of bytes B, KiB, MiB, GiB, TiB. A metric that A does not have at "
                      "all has grown by more than any number of percent. Where a report is incomplete, a rule that is "
                      "not violated is inconclusive.\n\n"
                      "Rules about efficiencies have the id of one in place of the metric, as in heddle efficiency: "
                      "load_balance < 0.8 (that of B is), whole:parallel < -5% (that of B is lower than that of A by more "
                      "than 5 percentage points). mpi_communication is the metric; whole:mpi_communication the efficiency.",
    .exit_codes     = "3\tno rule is violated, but one is inconclusive, as a report is incomplete\n"
                      "4\ta rule is violated",
    .example        = "heddle diff before.cubex after.cubex\tthe differences\n"
                      "heddle diff main.cubex branch.cubex --fail-if 'mpi_latesender > +5%' --fail-if 'time > "
                      "+0.5s'\tin a pipeline\n"
                      "heddle diff main.cubex branch.cubex --fail-if 'load_balance < 0.8'\tof an efficiency\n"
                      "heddle diff main.cubex branch.cubex --rules perf.rules --markdown > comment.md\ta comment for a "
                      "merge request\n"
                      "heddle diff before.cubex after.cubex --html change.html\tto look at\n"
                      "heddle diff a1.cubex a2.cubex a3.cubex -- b1.cubex b2.cubex b3.cubex\tthree runs of each\n"
                      "heddle diff scorep-before/ scorep-after/\ttwo archives, analysed on the fly",
    .options        = diff_options,
    .n_options      = sizeof diff_options / sizeof *diff_options,
    .bytes          = sizeof(hd_diff_options),
    .run            = diff_run,
};
