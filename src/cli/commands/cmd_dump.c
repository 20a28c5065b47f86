/* heddle dump: all values of a report as a table, or some of them. */
#include "commands.h"
#include "cube_reader.h"
#include "dump.h"
#include "memory.h"
#include "message.h"
#include "metric_select.h"
#include "path_select.h"
#include "rank_range.h"

typedef struct hd_dump_options {
    bool        help, inclusive, header, ids, csv;
    const char *report, *call_path;
    hd_texts    metrics, processes;
} hd_dump_options;

#define FIELD(field) offsetof(hd_dump_options, field)
static const hd_option dump_options[] = {
    { "metric", 'm', HD_TEXTS, "(all)", "METRIC", "only this metric, by its id (the first column) or name; may be given several times", FIELD(metrics) },
    { "call-path", 0, HD_TEXT, "(all)", "CALLPATH", "only this call path, and what it calls", FIELD(call_path) },
    { "process", 0, HD_TEXTS, "(all)", "N", HD_PROCESS_HELP, FIELD(processes) },
    { "inclusive", 0, HD_FLAG, NULL, NULL, "values of each call path with all that it calls, instead of exclusive ones", FIELD(inclusive) },
    { "ids", 0, HD_FLAG, NULL, NULL, "two more columns: the ids of the call path and of its parent in the call tree", FIELD(ids) },
    { "header", 0, HD_FLAG, NULL, NULL, "print the names of the columns first", FIELD(header) },
    { "csv", 0, HD_FLAG, NULL, NULL, "separate by commas instead of tabs, with --header", FIELD(csv) },
    HD_OPTION_HELP,
};

/* ---- what is asked for ------------------------------------------------------------------------------------------------------- */

static hd_status
select_metrics(const hd_cube *cube, const hd_texts *ids, bool **selected)
{
    hd_status status = HD_OK;

    if (ids->n == 0)
        return HD_OK;
    *selected = HD_NEW_ARRAY(bool, (size_t)cube->n_metrics + 1);
    for (size_t i = 0; i < ids->n && status == HD_OK; i++) {
        uint32_t metric;

        status = hd_metric_select(cube, ids->text[i], &metric);
        if (status == HD_OK)
            (*selected)[metric] = true;
    }
    return status;
}

static hd_status
select_processes(const hd_cube *cube, const hd_texts *ranks, bool **selected)
{
    if (ranks->n == 0)
        return HD_OK;
    *selected = HD_NEW_ARRAY(bool, (size_t)cube->n_locations + 1);
    for (size_t r = 0; r < ranks->n; r++) {
        uint64_t  first, last;
        bool      any    = false;
        hd_status status = hd_rank_range_read(ranks->text[r], "dump", &first, &last);

        if (status != HD_OK)
            return status;
        for (uint32_t i = 0; i < cube->n_locations; i++)
            if (cube->locations[i].process >= first && cube->locations[i].process <= last)
                any = (*selected)[i] = true;
        if (!any)
            return hd_fail(HD_EUSAGE, "report \"%s\" has no process %s", cube->path, ranks->text[r]);
    }
    return HD_OK;
}

static hd_status
dump_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_dump_options *options   = options_;
    hd_dump_selection      selection = { .is_inclusive = options->inclusive, .is_csv = options->csv, .has_head = options->header || options->csv,
                                         .has_ids = options->ids };
    bool                  *metrics = NULL, *paths = NULL, *locations = NULL;
    hd_cube               *cube      = NULL;
    hd_status              status;

    (void)analysis_comm;
    *exit_code = HD_EXIT_OK;
    status     = hd_cube_open(options->report, &cube);
    if (status == HD_OK)
        status = select_metrics(cube, &options->metrics, &metrics);
    if (status == HD_OK)
        status = hd_paths_select(cube, options->call_path, &paths);
    if (status == HD_OK)
        status = select_processes(cube, &options->processes, &locations);
    if (status == HD_OK) {
        selection.metrics   = metrics;
        selection.paths     = paths;
        selection.locations = locations;
        hd_message_left_out(stderr, cube);
        status = hd_dump(cube, &selection, stdout);
    }
    free(metrics);
    free(paths);
    free(locations);
    hd_cube_close(cube);
    return status;
}

const hd_command hd_cmd_dump = {
    .name           = "dump",
    .operand        = "REPORT",
    .operand_offset = offsetof(hd_dump_options, report),
    .what           = "print the values of a report as a table",
    .text           = "Prints the values of a Cube4 report that are not zero, one on a line: metric, call path (regions "
                      "joined by \";\"), process, thread, value with 17 digits, separated by tabs. Values are exclusive "
                      "along the call tree and as stored along the metric tree. Reports of other tools can be read too.\n\n"
                      "Of a metric that cannot be added up, as a minimum, --inclusive prints what its definition gives for a call path and all "
                      "that it calls.\n\n"
                      "CALLPATH is given by its last regions, outer ones first, joined by \" > \", \";\" or \"/\".",
    .example        = "heddle dump heddle.cubex > values.tsv\tfor scripts, or to compare two reports\n"
                      "heddle dump heddle.cubex --csv --metric time --metric mpi_latesender > values.csv\ttwo metrics for a spreadsheet\n"
                      "heddle dump heddle.cubex --metric time --call-path main --inclusive --process 0\ttimes of process 0 in main and below",
    .options        = dump_options,
    .n_options      = sizeof dump_options / sizeof *dump_options,
    .bytes          = sizeof(hd_dump_options),
    .run            = dump_run,
};
