/* heddle matrix: which processes, or nodes, communicate with which. */
#include "commands.h"
#include "completeness.h"
#include "cube_reader.h"
#include "matrix_page.h"
#include "memory.h"
#include "message.h"
#include "picture_file.h"
#include "same_file.h"
#include "terminal.h"

/* Cells on each axis of a drawing. Where there are more processes, a cell is a block of them. */
enum { DRAWING_CELLS = 512, LEAST_CELLS = 8,
       BESIDE = 12 /* columns of a heat map in the terminal that are none of cells */, COLUMNS = 80 };

typedef struct hd_matrix_command_options {
    bool        help, map, json, csv, force;
    const char *report, *picture;
    uint32_t    by, metric; /* BY_...; hd_matrix_measure */
    uint32_t    top, width;
} hd_matrix_command_options;

enum { BY_PROCESS, BY_NODE };

#define FIELD(field) offsetof(hd_matrix_command_options, field)
static const hd_option matrix_options[] = {
    { "by", 0, HD_CHOICE, "process", "process|node", "pairs of processes, or of nodes", FIELD(by) },
    { "metric", 'm', HD_CHOICE, "bytes", "messages|bytes|waiting|transfer",
        "pairs with the largest values of it come first: messages, bytes, Late Sender and Late Receiver together, or "
        "the mean transfer time", FIELD(metric) },
    { "top", 'n', HD_COUNT, "10", "N", "how many pairs to print", FIELD(top) },
    { "map", 0, HD_FLAG, NULL, NULL, "print the metric as a heat map instead: senders down, receivers across",
      FIELD(map) },
    { "picture", 0, HD_TEXT, "(none)", "FILE", "draw the heat map into FILE.png or FILE.svg instead", FIELD(picture) },
    { "force", 'f', HD_FLAG, NULL, NULL, "replace an existing FILE", FIELD(force) },
    { "csv", 0, HD_FLAG, NULL, NULL, "print all pairs as lines, separated by commas, with all digits", FIELD(csv) },
    HD_OPTION_WIDTH(FIELD(width)),
    { "json", 0, HD_FLAG, NULL, NULL, HD_JSON_HELP ", with all pairs", FIELD(json) },
    HD_OPTION_HELP,
};

static hd_status
check_options(const hd_matrix_command_options *options)
{
    if (options->map + options->csv + options->json + (options->picture != NULL) > 1)
        return hd_fail(HD_EUSAGE, "--map, --picture, --csv and --json exclude each other");
    return HD_OK;
}

/* One value for each cell that has messages, or waiting. */
static void
fill_grid(const hd_matrix_list *cells, hd_matrix_measure measure, const hd_view *view, hd_grid *grid)
{
    hd_grid_init(grid, view);
    for (size_t i = 0; i < cells->n; i++) {
        double value = hd_matrix_value(&cells->entries[i], measure);

        if (value > 0 && cells->entries[i].sender != HD_NONE && cells->entries[i].receiver != HD_NONE)
            hd_grid_add(grid, cells->entries[i].receiver, cells->entries[i].sender, value);
    }
}

/* Cells of two columns on each axis. */
static uint32_t
cells_of_terminal(uint32_t columns)
{
    uint32_t width = columns > 0 ? columns : COLUMNS;

    return width > BESIDE + 2 * LEAST_CELLS ? (width - BESIDE) / 2 : LEAST_CELLS;
}

/* list: pairs of `what`, whose numbers are below n */
static hd_status
show_map(const hd_matrix_list *list, uint32_t n, const char *what, const hd_matrix_command_options *options)
{
    hd_matrix_measure  measure = (hd_matrix_measure)options->metric;
    hd_summary_options look    = hd_terminal_look(options->width);
    uint32_t           most    = options->picture != NULL ? DRAWING_CELLS : cells_of_terminal(look.width),
                                 block = (n - 1) / most + 1;
    char              *blocks  = block > 1 ?
                                 hd_format("; a cell is a block of %" PRIu32 " x %" PRIu32 " %s", block, block, what) :
                                 hd_strdup("");
    char              *title   = hd_format("%s%s", hd_matrix_measure_title(measure), blocks);
    hd_view            view    = { .name = "communication matrix", .n_dimensions = 2,
                                   .dimensions = { { .name = "sender", .size = (n - 1) / block + 1 },
                                                   { .name = "receiver", .size = (n - 1) / block + 1 } } };
    hd_grid            grid    = { 0 };
    hd_picture_kind    kind;
    hd_picture         picture = { .view = &view, .grid = &grid, .title = title,
                                   .is_integer = measure <= HD_MATRIX_BYTES,
                                   .unit = measure == HD_MATRIX_BYTES ? "bytes" : measure < HD_MATRIX_BYTES ? "" : "s" };
    hd_matrix_list     cells;
    hd_status          status = hd_picture_file_kind("--picture", options->picture, &kind);

    if (status == HD_OK)
        status = hd_view_make(&view, "receiver,sender", NULL);

    if (status == HD_OK) {
        hd_matrix_by_block(list, block, &cells);
        fill_grid(&cells, measure, &view, &grid);
        hd_matrix_list_fini(&cells);
    }
    if (status == HD_OK && options->picture != NULL)
        status = hd_picture_file_draw(&(hd_picture_file){ options->picture, "--picture", kind, options->force },
                                      &picture);
    else if (status == HD_OK)
        hd_picture_print(&picture, stdout, look.has_colour, look.width);
    hd_grid_fini(&grid);
    free(title);
    free(blocks);
    return status;
}

static hd_status
map(hd_cube *cube, const hd_matrix_list *list, const hd_matrix_command_options *options)
{
    hd_division    nodes;
    hd_matrix_list of_nodes;
    hd_status      status;

    if (options->picture != NULL)
        hd_message_incomplete(stderr, cube);
    else
        hd_completeness_print(cube, stdout);
    if (options->by == BY_PROCESS)
        return show_map(list, hd_matrix_n_processes(cube, list), "processes", options);
    hd_division_by_node(cube, &nodes);
    hd_matrix_by_node(cube, list, &nodes, &of_nodes);
    status = show_map(&of_nodes, nodes.n, "nodes", options);
    hd_matrix_list_fini(&of_nodes);
    hd_division_fini(&nodes);
    return status;
}

static hd_status
matrix_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_matrix_command_options *options = options_;
    hd_matrix_options                page    =
        { .by_node = options->by == BY_NODE, .measure = (hd_matrix_measure)options->metric,
          .format = options->json ? HD_MATRIX_JSON : options->csv ? HD_MATRIX_CSV : HD_MATRIX_TEXT,
          .look = hd_terminal_look(options->width) };
    hd_cube                         *cube    = NULL;
    hd_matrix_list                   list    = { 0 };
    hd_status                        status  = check_options(options);

    (void)analysis_comm;
    *exit_code      = HD_EXIT_OK;
    page.look.n_top = options->top;
    if (status == HD_OK)
        status = hd_cube_open(options->report, &cube);
    if (status == HD_OK && options->picture != NULL && hd_is_same_file(cube->path, options->picture))
        status = hd_fail(HD_EUSAGE, "the drawing cannot have the name of the report, \"%s\"", options->picture);
    if (status == HD_OK)
        status = hd_matrix_get(cube, &list);
    if (status == HD_OK && (options->picture != NULL || (options->map && list.n > 0)))
        status = map(cube, &list, options);
    else if (status == HD_OK)
        status = hd_matrix_print(cube, &list, stdout, &page);
    hd_matrix_list_fini(&list);
    hd_cube_close(cube);
    return status;
}

const hd_command hd_cmd_matrix = {
    .name           = "matrix",
    .operand        = "REPORT",
    .operand_offset = offsetof(hd_matrix_command_options, report),
    .former_names   = "svg=picture",
    .what           = "print which processes or nodes communicate with which",
    .text           = "Prints the communication matrix of point-to-point messages: for each pair of sender and "
                      "receiver the messages, their bytes, how long the receiver waited for the sender (Late Sender) "
                      "and the sender for the receiver (Late Receiver), and the mean transfer time, from the later "
                      "one of the begins of send and receive to the end of the receive; and how many messages there "
                      "are of each size.\n\n"
                      "Messages are counted where they are received; collective operations and one-sided "
                      "communication are not in the matrix.",
    .example        = "heddle matrix heddle.cubex\tthe pairs of processes with the most bytes\n"
                      "heddle matrix heddle.cubex --by node --metric waiting\tnodes that wait for each other\n"
                      "heddle matrix heddle.cubex --picture matrix.svg\ta heat map of bytes\n"
                      "heddle matrix heddle.cubex --csv > matrix.csv\tall pairs, for a spreadsheet",
    .options        = matrix_options,
    .n_options      = sizeof matrix_options / sizeof *matrix_options,
    .bytes          = sizeof(hd_matrix_command_options),
    .run            = matrix_run,
};
