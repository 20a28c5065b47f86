/* src/cli/commands/analyze/phase_show.c: tells the user: warnings, the summary, the page. */
#include "analyze.h"

#include <stdio.h>
#include <stdlib.h>

#include "archive_report.h"
#include "html_output.h"
#include "launcher.h"
#include "message.h"
#include "shell_word.h"
#include "signal_stop.h"
#include "terminal.h"

/* The report, and the files beside it, are removed once another command has read them: they are not named. */
static bool
is_temporary(void)
{
    return getenv(HD_TEMPORARY_REPORT) != NULL;
}

/* Who waits when the recording ends. */
static void
warn_of_blocked(const hd_analyze *run)
{
    uint64_t n = 0, n_in_cycles = 0;
    char     number[28], other[28];

    for (uint32_t i = 0; run->waits != NULL && i < run->waits->n_nodes; i++) {
        const hd_wait_node *node = &run->waits->nodes[i];

        n += node->kind == HD_NODE_WAITS ? node->n_processes : 0;
        n_in_cycles += node->kind == HD_NODE_WAITS && node->cycle != 0 ? node->n_processes : 0;
    }
    if (n == 0)
        return;
    fprintf(stderr, "heddle: warning: %s process%s when the recording ended", hd_message_number(number, n),
            n == 1 ? " was blocked" : "es were blocked");
    if (n_in_cycles > 0)
        fprintf(stderr, ", %s of them in a wait-for cycle", hd_message_number(other, n_in_cycles));
    if (!is_temporary()) {
        fputs("\n  drawing:  ", stderr);
        hd_message_escaped(stderr, hd_output_side_path(run->output, HD_SIDE_WAITS), false);
    }
    fputc('\n', stderr);
}

/* Commands that can be copied. */
static void
say_what_is_next(const hd_analyze *run, FILE *to)
{
    char *report  = hd_shell_word_quoted(hd_output_path(run->output));
    char *archive = hd_shell_word_quoted(run->options->archive);

    fputs("  next:     heddle html ", to);
    hd_message_escaped(to, report, false);
    fputs("  # for a browser\n", to);
    if (run->has_causes && run->result.causes.n > 0) {
        fputs("            heddle causes ", to);
        hd_message_escaped(to, report, false);
        fputs("  # root causes of waits\n", to);
    }
    fputs("            heddle simulate ", to);
    hd_message_escaped(to, archive, false);
    fputs("  # what to change first\n            heddle explain METRIC  # what it means, and what to do\n", to);
    free(archive);
    free(report);
}

/* Behind the summary, whose lines come first: on standard output where a launcher may mix it with standard error. */
static void
say_what_is_written(const hd_analyze *run)
{
    bool  has_summary = !run->options->quiet && !run->options->no_summary;
    FILE *to          = has_summary && hd_launcher_passes_on() ? stdout : stderr;

    if (!run->options->quiet && !is_temporary()) {
        fputs("heddle: report \"", to);
        hd_message_escaped(to, hd_output_path(run->output), false);
        fputs("\" is written\n", to);
    }
    if (has_summary)
        say_what_is_next(run, to);
}

/* A signal leaves it out, now or before: then something is missing, and rank 0 says so by its exit code. */
static hd_status
write_page(hd_analyze *run)
{
    hd_status status  = HD_OK;
    bool      is_left = run->signal != 0;

    hd_stop_catch(NULL, NULL, false); /* the report has its name */
    if (!is_left) {
        status  = hd_html_write(hd_output_path(run->output), run->page,
                               &(hd_page_options){ .force = run->options->force,
                                                   .with_startup = run->options->with_startup, .stop = hd_stop_mark() },
                                !run->options->quiet);
        is_left = status != HD_OK && *hd_stop_mark() != 0;
    }
    if (!is_left)
        return status;
    run->signal = run->signal != 0 ? run->signal : (int)*hd_stop_mark();
    fprintf(stderr, "heddle: warning: stopped by %s: the page is not written\n  try:      heddle html, with the "
            "report\n", hd_stop_name(run->signal));
    return HD_OK;
}

hd_status
hd_analyze_show(hd_analyze *run)
{
    double    seconds = hd_progress_now() - run->start;
    hd_status status, of_page = HD_OK;
    hd_error  error = { 0 };

    if (!run->is_rank0)
        return hd_agree(run->analysis_comm, HD_OK);
    if (run->page != NULL)
        of_page = write_page(run);
    if (of_page != HD_OK)
        error = *hd_error_get();
    if (run->options->verbose) {
        hd_run_statistics_print(&run->statistics, run->defs->archive_bytes, stderr);
        fprintf(stderr, "heddle: analysed in seconds=%.6f\n", seconds);
    }
    hd_run_statistics_warn_limit(&run->statistics, stderr);
    hd_message_findings(stderr, &run->findings,
        &(hd_message_trace){ .defs = run->defs, .tree = &run->tree,
                             .path = is_temporary() ? NULL : hd_output_side_path(run->output, HD_SIDE_FINDINGS) });
    warn_of_blocked(run);
    hd_stop_let_go_of_pipe(); /* all files are written: a reader of the summary may have seen enough */
    status = run->options->quiet || run->options->no_summary
                 ? HD_OK
                 : hd_summary_show(hd_output_path(run->output),
                                   &(hd_summary_options){ .n_instances  = run->options->instances,
                                                          .is_verbose   = run->options->verbose,
                                                          .with_startup = run->options->with_startup });
    if (status == HD_OK && run->options->clock_report && !run->options->quiet)
        hd_clocks_show(stdout, &run->clocks, run->defs, hd_output_side_path(run->output, HD_SIDE_CLOCKS));
    hd_stop_hold_pipe();
    if (status == HD_OK && of_page != HD_OK) {
        hd_error_set(&error);
        status = of_page;
    }
    if (status == HD_OK)
        say_what_is_written(run);
    if (status != HD_OK)
        hd_fail_detail("report", "\"%s\" is complete", hd_output_path(run->output));
    return hd_agree(run->analysis_comm, status);
}
