/* heddle series: computation, MPI and waiting time over time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "completeness.h"
#include "cube_reader.h"
#include "derived_series.h"
#include "iteration_list.h"
#include "memory.h"
#include "message.h"
#include "metric_select.h"
#include "picture_file.h"
#include "series_counters.h"
#include "series_page.h"
#include "series_view.h"
#include "terminal.h"

enum { DRAWING_ROWS = 512 }; /* of processes; more are joined with their neighbours */

typedef struct hd_series_command_options {
    bool        help, map, csv, json, force, paths, lags;
    const char *report, *metric, *picture;
    uint32_t    by; /* hd_series_by */
    uint32_t    top, width;
} hd_series_command_options;

#define FIELD(field) offsetof(hd_series_command_options, field)
static const hd_option series_options[] = {
    { "metric", 'm', HD_TEXT, "(all)", "METRIC", "of this one, by its id or name, a line for each process: a wait state, comp (computation), mpi, omp_time, critical_path, mpi_point2point, imbalance, duration (of iterations), delay costs (delay: all of them, of the processes that delay), a counter, ipc, visits, comms_send (messages), bytes_sent, bytes (a sum of all) and others", FIELD(metric) },
    { "paths", 0, HD_FLAG, NULL, NULL, "a line for each wait state and call path, the largest first; with --metric, of this metric, also comp, mpi, omp_time, critical_path, delay costs, visits and others", FIELD(paths) },
    { "lags", 0, HD_FLAG, NULL, NULL, "instead, for each kind of wait state, how many iterations (or windows) before the wait its delay was, the pairs of both with the largest costs, and when delays and waits are", FIELD(lags) },
    { "top", 'n', HD_COUNT, "10", "N", "with --metric or --paths: how many processes or call paths", FIELD(top) },
    { "by", 0, HD_CHOICE, "best", "best|iterations|windows",
        "over iterations, or windows; best: over iterations if the report has them, else windows", FIELD(by) },
    { "map", 0, HD_FLAG, NULL, NULL,
        "print a heat map instead, of --metric, or of the wait state with the largest sum: processes down, iterations or windows across", FIELD(map) },
    { "picture", 0, HD_TEXT, NULL, "FILE", "draw the heat map into FILE.png or FILE.svg instead", FIELD(picture) },
    { "force", 'f', HD_FLAG, NULL, NULL, "replace an existing FILE", FIELD(force) },
    { "csv", 0, HD_FLAG, NULL, NULL, "print a line per metric, process (with --paths: call path) and slice, separated by commas, with all digits", FIELD(csv) },
    HD_OPTION_WIDTH(FIELD(width)),
    { "json", 0, HD_FLAG, NULL, NULL, HD_JSON_HELP ", with all values", FIELD(json) },
    HD_OPTION_HELP,
};

/* The wait state with the largest sum; HD_NONE: there is none. */
static uint32_t
largest_of(const hd_series_list *windows, const hd_iteration_list *iterations)
{
    hd_series_view view;
    uint32_t       best = HD_NONE;

    hd_series_view_make(&view, windows, iterations, HD_NONE);
    for (uint32_t m = 0; m < HD_N_METRICS; m++)
        if (!hd_metric_is_time_over_time(m) && !hd_metric_is_delay_cost(m) && view.sums[m] > (best == HD_NONE ? 0 : view.sums[best]))
            best = m;
    hd_series_view_fini(&view);
    return best;
}

typedef struct drawn {
    char       *title; /* free() it */
    const char *unit;  /* of the report */
    bool        is_ratio;
} drawn;

/* Processes down, of which a row is a block where there are many, windows or iterations across. n_processes: those that
 * do not wait have a row, too */
static hd_status
draw(const hd_series_view *series, const drawn *what, uint32_t n_processes, const hd_series_command_options *options, hd_picture_kind kind, const hd_summary_options *look)
{
    uint32_t   n_rows = n_processes > series->n_rows && n_processes <= HD_MAX_SERIES ? n_processes : series->n_rows;
    uint32_t   block  = (n_rows - 1) / DRAWING_ROWS + 1;
    char      *blocks = block > 1 ? hd_format(what->is_ratio ? "; a row is the mean of %" PRIu32 " processes" : "; a row is of %" PRIu32 " processes", block) : hd_strdup("");
    uint32_t   joined = series->iterations != NULL && series->n > 0 ? series->iterations->slices[0].n : 1;
    char      *column = joined > 1 ? hd_format("; a column is of %" PRIu32 " iterations", joined) : hd_strdup("");
    const char *across = series->iterations == NULL ? "window" : "iteration";
    char      *fold   = hd_format("%s,process", across);
    char      *title  = hd_format("%s%s%s", what->title, blocks, column);
    hd_view    view   = { .name = "time series", .n_dimensions = 2,
                          .dimensions = { { .name = across, .size = series->n, .first = 1, .step = joined },
                                          { .name = "process", .size = (n_rows - 1) / block + 1, .step = block } } };
    hd_grid    grid   = { 0 };
    hd_picture picture = { .view = &view, .grid = &grid, .title = title, .unit = what->unit, .is_over_time = true };
    hd_status  status = hd_view_make(&view, fold, NULL);

    if (status == HD_OK) {
        hd_grid_init(&grid, &view);
        for (uint32_t row = 0; row < n_rows; row++)
            for (uint32_t s = 1; s <= series->n; s++) {
                double value = row < series->n_rows ? series->values[(size_t)row * series->n_slices + s] :
                               what->is_ratio ? NAN : 0;

                if (!isnan(value))
                    hd_grid_add(&grid, s - 1, row / block, value);
            }
    }
    for (size_t i = 0; i < (size_t)grid.columns * grid.rows && what->is_ratio; i++)
        grid.values[i] /= grid.counts[i] > 0 ? grid.counts[i] : 1;
    if (status == HD_OK && options->picture != NULL)
        status = hd_picture_file_draw(&(hd_picture_file){ options->picture, "--picture", kind, options->force }, &picture);
    else if (status == HD_OK)
        hd_picture_print(&picture, stdout, look->has_colour, look->width);
    hd_grid_fini(&grid);
    free(title);
    free(blocks);
    free(column);
    free(fold);
    return status;
}

/* What is drawn, hd_series_view_fini() it. has_delays: the report has delay costs over time */
static hd_status
make_view(hd_cube *cube, const hd_series_options *page, const hd_series_list *windows, const hd_iteration_list *iterations,
          bool has_delays, hd_series_view *view, drawn *what)
{
    uint32_t                 metric = page->metric == HD_NONE && page->counter == NULL ? largest_of(windows, iterations) : page->metric;
    const hd_counter_choice *choice;
    hd_series_counters       counters;
    hd_status                status;

    if (page->counter == NULL && metric == HD_NONE) {
        hd_fail(HD_EUSAGE, "report \"%s\": no process or thread waited for another", cube->path);
        hd_fail_detail("try", "--metric comp, or another one (heddle help series)");
        return HD_EUSAGE;
    }
    if (page->counter == NULL) {
        hd_series_view_make(view, windows, iterations, metric);
        *what = (drawn){ hd_metric_is_delay_cost(metric) || hd_metric_is_mpi_class(metric) ?
                             hd_series_metric_title(metric) : hd_strdup(hd_series_metric_name(metric)), "s", false };
        return view->n_rows > 0 ? HD_OK : hd_series_view_lack(cube, view, has_delays);
    }
    status = hd_series_counters_read(cube, windows, iterations, &counters);
    if (status == HD_OK)
        status = hd_series_counters_find(&counters, cube, page->counter, &choice);
    if (status == HD_OK) {
        hd_series_counters_view(&counters, choice, view);
        *what = (drawn){ choice->is_count ? hd_counter_choice_title(choice) : hd_strdup(choice->name),
                         strcmp(choice->unit, "#") == 0 || strcmp(choice->unit, "occ") == 0 ? "" : choice->unit,
                         choice->per != HD_NONE };
    }
    hd_series_counters_fini(&counters);
    return status;
}

static hd_status
map(hd_cube *cube, const hd_series_command_options *options, const hd_series_options *page)
{
    hd_series_list    windows;
    hd_iteration_list iterations = { .region = "" };
    hd_series_view    view       = { .n = 0 };
    hd_picture_kind   kind;
    drawn             what       = { .title = NULL };
    bool              has_delays = false;
    hd_status         status     = hd_series_read(cube, page, &windows, &iterations, &has_delays);

    if (status == HD_OK)
        status = hd_picture_file_kind("--picture", options->picture, &kind);
    if (status == HD_OK)
        status = make_view(cube, page, &windows,
                           page->by == HD_SERIES_BY_WINDOWS || !iterations.is_there ? NULL : &iterations, has_delays, &view, &what);
    if (status == HD_OK && options->picture != NULL)
        hd_message_incomplete(stderr, cube);
    else if (status == HD_OK)
        hd_completeness_print(cube, stdout);
    if (status == HD_OK)
        status = draw(&view, &what, cube->n_groups, options, kind, &page->look);
    free(what.title);
    hd_series_view_fini(&view);
    hd_series_list_fini(&windows);
    hd_iteration_list_fini(&iterations);
    return status;
}

static hd_status
series_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_series_command_options *options = options_;
    hd_series_options                page    = { .metric = HD_NONE, .by = (hd_series_by)options->by,
                                                .look = hd_terminal_look(options->width) };
    hd_cube                         *cube    = NULL;
    uint32_t                         metric  = HD_NONE;
    hd_status                        status;

    (void)analysis_comm;
    *exit_code      = HD_EXIT_OK;
    page.look.n_top = options->top;
    page.format     = options->json ? HD_SERIES_JSON : options->csv ? HD_SERIES_CSV : HD_SERIES_TEXT;
    if (options->json + options->csv + options->map + (options->picture != NULL) > 1)
        return hd_fail(HD_EUSAGE, "--map, --picture, --csv and --json exclude each other");
    if (options->paths && (options->map || options->picture != NULL))
        return hd_fail(HD_EUSAGE, "--paths and a heat map exclude each other: it is of processes");
    if (options->lags && (options->map || options->picture != NULL || options->paths || options->metric != NULL || options->by != HD_SERIES_BY_BEST))
        return hd_fail(HD_EUSAGE, "--lags takes none of --map, --picture, --paths, --metric and --by");
    page.paths = options->paths;
    page.lags  = options->lags;
    status = hd_cube_open(options->report, &cube);
    if (status == HD_OK && options->metric != NULL && strcmp(options->metric, "duration") == 0)
        page.metric = HD_SERIES_DURATION;
    else if (status == HD_OK && options->metric != NULL &&
             hd_metric_is_imbalance_over_time(hd_metric_by_id(options->metric)))
        page.metric = hd_metric_by_id(options->metric); /* made of computation: the report may have no such metric */
    else if (status == HD_OK && options->metric != NULL)
        status = hd_metric_select(cube, options->metric, &metric);
    if (status == HD_OK && metric != HD_NONE) {
        page.metric = hd_metric_by_id(cube->metrics[metric].id);
        if (page.metric == HD_NONE || hd_metric_infos[page.metric].unit != HD_UNIT_TICKS) {
            page.metric  = HD_NONE;
            page.counter = cube->metrics[metric].id;
        }
    }
    if (status == HD_OK && (options->map || options->picture != NULL))
        status = map(cube, options, &page);
    else if (status == HD_OK)
        status = hd_series_print(cube, stdout, &page);
    hd_cube_close(cube);
    return status;
}

const hd_command hd_cmd_series = {
    .name           = "series",
    .operand        = "REPORT",
    .operand_offset = offsetof(hd_series_command_options, report),
    .former_names   = "output=picture o=picture",
    .what           = "print computation, MPI, waiting time and counters over iterations or time",
    .text           = "Prints, for computation, MPI, OpenMP, the critical path and classes of MPI calls (heddle analyze --series all), each wait state, what counters counted in computation, and visits, messages, bytes and delay costs (heddle analyze --series all), how it is distributed over the iterations of the program (regions that "
                      "the archive marks as dynamic, those of heddle analyze --iterations, or a loop that was found), or over the windows that divide the main "
                      "window (heddle analyze --windows): a line of blocks, whose heights are relative to the highest one "
                      "of the line, and the iteration or window with most of it. With iterations, in words, too: chronic (in most of "
                      "them), uneven, transient (in few of them), growing or shrinking, repeated. With --metric a line is a process, with --paths a "
                      "call path.",
    .example        = "heddle series heddle.cubex\tall wait states, the largest first\n"
                      "heddle series heddle.cubex --metric mpi_latesender\tthe processes that wait longest in Late Sender\n"
                      "heddle series heddle.cubex --paths\tthe call paths that wait longest, and when\n"
                      "heddle series heddle.cubex --metric comp --paths\twhich functions get slower, if computation does (heddle analyze --series all: in any case)\n"
                      "heddle series heddle.cubex --metric mpi --paths\twhich calls take longer, likewise\n"
                      "heddle series heddle.cubex --metric bytes_sent --paths\twhich calls send most, and when (heddle analyze --series all)\n"
                      "heddle series heddle.cubex --metric critical_path --map\ton which process the critical path is, and when (likewise)\n"
                      "heddle series heddle.cubex --metric imbalance\tin which iterations computation is uneven, and on whom\n"
                      "heddle series heddle.cubex --metric delay --map\twhich process makes others wait, and when (likewise)\n"
                      "heddle series heddle.cubex --metric delay --paths\tin which functions it does (likewise)\n"
                      "heddle series heddle.cubex --lags\tin which iteration what others wait for was late\n"
                      "heddle series heddle.cubex --csv > series.csv\tfor a spreadsheet\n"
                      "heddle series heddle.cubex -m mpi_latesender --picture late.png\twhich process waits when",
    .options        = series_options,
    .n_options      = sizeof series_options / sizeof *series_options,
    .bytes          = sizeof(hd_series_command_options),
    .run            = series_run,
};
