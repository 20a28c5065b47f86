/* heddle extract: an interval of an archive as a new archive, for timeline viewers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "commands.h"
#include "defs_read.h"
#include "extract.h"
#include "memory.h"
#include "message.h"
#include "new_archive.h"
#include "result.h"
#include "shell_word.h"
#include "signal_stop.h"
#include "trace_part.h"

typedef struct hd_extract_options {
    bool        help;
    const char *archive, *output, *report, *worst;
    uint32_t    instance, iteration, cluster, reader;
    hd_duration from, to, margin;
    bool        force, quiet;
} hd_extract_options;

#define FIELD(field) offsetof(hd_extract_options, field)
static const hd_option extract_options[] = {
    { "instance", 0, HD_COUNT, NULL, "N", "extract the call of this instance, a line of the report's table of instances", FIELD(instance) },
    { "iteration", 0, HD_COUNT, NULL, "N", "extract this iteration, from 1, from its first enter to its last leave of all processes", FIELD(iteration) },
    { "cluster", 0, HD_COUNT, NULL, "N", "extract the typical iteration of this cluster of iterations that are alike; heddle series lists them", FIELD(cluster) },
    { "worst", 0, HD_TEXT, NULL, "METRIC",
        "extract the iteration with most of a wait state, or duration, the longest iteration; in a report without iterations, the window of the time series", FIELD(worst) },
    { "report", 0, HD_TEXT, "(heddle.cubex beside the archive's anchor)", "REPORT.cubex",
        "the report with the instances, of heddle analyze --instances, or with the iterations", FIELD(report) },
    { "margin", 0, HD_TIME, "0", "T", "margin before and after the interval: seconds, or a number with s, ms, us or ns",
        FIELD(margin) },
    { "from", 0, HD_TIME, "0", "T", "start of the interval, since the first event", FIELD(from) },
    { "to", 0, HD_TIME, "END", "T", "end of the interval", FIELD(to) },
    { "output", 'o', HD_TEXT, "(heddle-extract beside the archive's anchor)", "DIR", "folder to create for the new archive", FIELD(output) },
    HD_OPTION_READER(FIELD(reader)),
    { "force", 'f', HD_FLAG, NULL, NULL, "replace an existing folder, if it holds an archive, its reports, and nothing else", FIELD(force) },
    { "quiet", 'q', HD_FLAG, NULL, NULL, "print errors only", FIELD(quiet) },
    HD_OPTION_HELP,
};

static void
tell(const char *path, const hd_defs *defs, hd_analysis_interval analysis_interval, hd_iteration_range range,
     const hd_extract_result *result)
{
    double resolution = (double)defs->resolution, last = (double)defs->length;
    char   number[32], *word = hd_shell_word_quoted(path);

    if (analysis_interval.to != UINT64_MAX && (defs->length == 0 || analysis_interval.to - defs->first_time < defs->length))
        last = (double)(analysis_interval.to - defs->first_time);
    fputs("archive       ", stdout);
    hd_message_escaped(stdout, path, false);
    printf("/traces.otf2\ninterval      %.9f s to %.9f s\nevents        %s\n",
           (double)(analysis_interval.from - defs->first_time) / resolution, last / resolution,
           hd_message_number(number, result->n_events));
    if (range.n > 1)
        printf("iterations    %" PRIu32 " to %" PRIu32 ", which the report has as one\n", range.first,
               range.first + range.n - 1);
    if (result->n_orphans > 0)
        printf("omitted       %" PRIu64 " record%s of messages and collective operations whose partner lies before the interval\n", result->n_orphans, result->n_orphans == 1 ? "" : "s");
    if (result->n_misfits > 0)
        printf("omitted       %" PRIu64 " records that end something not begun, or whose kind is unknown\n", result->n_misfits);
    fputs("  try:      heddle analyze ", stdout);
    hd_message_escaped(stdout, word, false);
    fputs(", heddle export, or a timeline viewer (Vampir)\n", stdout);
    free(word);
}

/* What hd_trace_part_choose() allows to others. */
static hd_status
check_part(const hd_extract_options *options)
{
    if (options->instance == 0 && options->iteration == 0 && options->cluster == 0 && options->worst == NULL && options->from.seconds == 0 && options->from.attoseconds == 0 && hd_duration_is_end(options->to)) {
        hd_fail(HD_EUSAGE, "neither an instance, an iteration nor an interval is given");
        hd_fail_detail("try", "--instance N, --iteration N, --cluster N, --worst METRIC, or --from T --to T");
        return HD_EUSAGE;
    }
    if (options->report != NULL && options->instance == 0 && options->iteration == 0 && options->cluster == 0 && options->worst == NULL)
        return hd_fail(HD_EUSAGE, "--report has an effect only with --instance, --iteration, --cluster and --worst");
    return HD_OK;
}

static hd_status
extract_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_extract_options *options = options_;
    char                     *anchor = NULL, *path = NULL;
    hd_defs                  *defs   = NULL;
    hd_analysis_interval      analysis_interval = { 0 };
    hd_iteration_range        range  = { 0 };
    hd_extract_result         result = { 0 };
    hd_status                 status;

    (void)analysis_comm;
    status = hd_archive_find(options->archive, &anchor);
    if (status == HD_OK)
        status = hd_defs_read(anchor, &defs);
    if (status == HD_OK && defs->n_events > 0)
        status = hd_archive_check_events(anchor);
    if (status == HD_OK)
        status = check_part(options);
    if (status == HD_OK)
        status = hd_trace_part_choose(&(hd_trace_part){ .instance = options->instance, .iteration = options->iteration, .cluster = options->cluster, .worst = options->worst, .report = options->report, .margin = options->margin,
                                                        .from = options->from, .to = options->to },
                                      anchor, defs, &analysis_interval, &range);
    if (status == HD_OK) {
        path = options->output != NULL ? hd_strdup(options->output) : hd_archive_beside(anchor, "heddle-extract");
        for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; n--) /* as it is shown */
            path[n - 1] = '\0';
        status = hd_new_archive_write(path, options->force,
                                      &(hd_extract_request){ .anchor = anchor, .defs = defs, .analysis_interval = analysis_interval,
                                                             .reader = options->reader, .stop = hd_stop_hold() },
                                      &result);
        hd_stop_let_go();
    }
    *exit_code = status == HD_OK && hd_new_archive_tell_losses(defs, &result) ? HD_EXIT_INCOMPLETE : HD_EXIT_OK;
    if (status == HD_OK && !options->quiet)
        tell(path, defs, analysis_interval, range, &result);
    free(path);
    free(defs);
    free(anchor);
    return status;
}

const hd_command hd_cmd_extract = {
    .name           = "extract",
    .operand        = "ARCHIVE",
    .operand_offset = offsetof(hd_extract_options, archive),
    .exit_codes     = "3\tthe archive lacks data of the interval: the new archive has the rest, and heddle analyze reports it as incomplete",
    .former_letters = "i=instance r=report m=margin",
    .what           = "write an interval of an archive as a small archive, for timeline viewers",
    .text           = "Writes an interval of an OTF2 archive, around an instance of a wait state, of an iteration or between two times, as an archive of its own. "
                      "Timeline viewers, otf2-print and heddle analyze can read it. It has all definitions, and the events of the interval on all "
                      "locations with their timestamps. Regions that are open at the start of the interval are entered there again; "
                      "those that are open at its end are left there. ARCHIVE is the anchor file (.otf2) or a folder that holds traces.otf2.\n\n"
                      "Receives whose send lies before the interval are omitted, as are the ends of collective operations that others ended before "
                      "it. Messages whose partner lies after the interval are kept; heddle analyze reports them as unmatched.",
    .example        = "heddle analyze traces.otf2 --instances 3\tkeeps the three most severe instances of each wait state\n"
                      "heddle extract traces.otf2 --instance 1 --margin 5ms -o worst\tworst/traces.otf2 has the first one\n"
                      "heddle extract traces.otf2 --worst mpi_latesender -o worst\tthe iteration with most of Late Sender\n"
                      "heddle extract traces.otf2 --from 12.5 --to 12.6 -o excerpt\ta tenth of a second",
    .options        = extract_options,
    .n_options      = sizeof extract_options / sizeof *extract_options,
    .bytes          = sizeof(hd_extract_options),
    .run            = extract_run,
};
