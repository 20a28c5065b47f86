/* heddle topology: a metric on a topology of a report. */
#include <errno.h>
#include <stdlib.h>
#include <strings.h>

#include "commands.h"
#include "completeness.h"
#include "csv.h"
#include "cube_reader.h"
#include "distance_table.h"
#include "division_table.h"
#include "escape.h"
#include "json_document.h"
#include "memory.h"
#include "message.h"
#include "metric.h"
#include "metric_select.h"
#include "path_select.h"
#include "picture_file.h"
#include "startup.h"
#include "terminal.h"
#include "topology_choice.h"

typedef struct hd_topology_options {
    bool        help;
    const char *report, *name, *metric, *call_path, *fold, *slice, *picture;
    uint32_t    by /* BY_... */, width;
    bool        list, tsv, csv, json, force, with_startup;
    FILE       *file; /* of tables */
} hd_topology_options;

enum { BY_PLACE, BY_COORDINATE, BY_NODE, BY_DISTANCE };

#define FIELD(field) offsetof(hd_topology_options, field)
static const hd_option topology_options[] = {
    { "list", 0, HD_FLAG, NULL, NULL, "only say which topologies the report has", FIELD(list) },
    { "name", 0, HD_TEXT, "(that of the analysis, or the first one that the archive recorded)", "TOPOLOGY",
      "which topology", FIELD(name) },
    { "by", 0, HD_CHOICE, "place", "place|coordinate|node|distance",
        "what is shown: a picture of all coordinates; tables by coordinate and border, by node, or of messages by "
        "distance: on the machine, in hops",
        FIELD(by) },
    { "metric", 'm', HD_TEXT, "(the top wait state)", "METRIC", "metric, by its id or name", FIELD(metric) },
    { "call-path", 0, HD_TEXT, "(all)", "CALLPATH", "only this call path, and what it calls", FIELD(call_path) },
    { "fold", 0, HD_TEXT, "(every other one)", "ACROSS,DOWN",
      "dimensions on the two axes, as \"x,y\" or, folded, \"zx,y\"", FIELD(fold) },
    { "slice", 0, HD_TEXT, "(none)", "DIMENSION=NUMBER", "fix a dimension; several are separated by commas",
      FIELD(slice) },
    { "picture", 0, HD_TEXT, "(the terminal)", "FILE", "draw into FILE.png or FILE.svg", FIELD(picture) },
    { "force", 'f', HD_FLAG, NULL, NULL, "replace an existing FILE", FIELD(force) },
    { "with-startup", 0, HD_FLAG, NULL, NULL,
      "count MPI_Init and MPI_Finalize, too; they are counted where CALLPATH is one of them", FIELD(with_startup) },
    { "tsv", 0, HD_FLAG, NULL, NULL, "a line per coordinate, separated by tabs", FIELD(tsv) },
    { "csv", 0, HD_FLAG, NULL, NULL, "the same, separated by commas", FIELD(csv) },
    { "json", 0, HD_FLAG, NULL, NULL, HD_JSON_HELP, FIELD(json) },
    { "width", 0, HD_SMALL_COUNT, "(COLUMNS, else that of the terminal; in a pipe no limit)", "N",
      "columns of the picture in the terminal, and of tables", FIELD(width) },
    HD_OPTION_HELP,
};

/* ---- which topologies -------------------------------------------------------------------------------------------- */

static void
list_topology(const hd_cube_topology *topology)
{
    hd_view view;

    hd_topology_describe(topology, &view);
    hd_write_escaped(stdout, topology->name);
    for (uint32_t i = 0; i < view.n_dimensions; i++) {
        fputs(i == 0 ? "\t" : " x ", stdout);
        hd_write_escaped(stdout, view.dimensions[i].name);
        printf(" %" PRIu32 "%s", view.dimensions[i].size, view.dimensions[i].is_periodic ? " periodic" : "");
    }
    fputc('\n', stdout);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static hd_status
sum_up(hd_cube *cube, uint32_t metric, const bool *selected, double *values)
{
    memset(values, 0, cube->n_locations * sizeof *values);
    return hd_cube_sum(cube, metric, selected, values);
}

static hd_status
not_additive(const hd_cube_metric *metric)
{
    return hd_fail(HD_EUSAGE, "metric \"%s\" is a %s: its values cannot be added up", metric->id,
                   metric->is_extreme ? "minimum or maximum" : "quotient, or the like");
}

/* The metric asked for, else the wait state with the largest sum at these call paths, else the time; and its values. */
static hd_status
choose_metric(hd_cube *cube, const char *id, const bool *selected, uint32_t *metric, double *values)
{
    double    most   = 0;
    hd_status status = hd_metric_select(cube, id != NULL ? id : "time", metric);

    if (status != HD_OK)
        return status;
    if (!cube->metrics[*metric].is_additive)
        return not_additive(&cube->metrics[*metric]);
    for (uint32_t i = 0; i < cube->n_metrics && id == NULL && status == HD_OK; i++) {
        double sum = 0;

        if (!hd_metric_is_wait_state(hd_metric_by_id(cube->metrics[i].id)))
            continue;
        status = sum_up(cube, i, selected, values);
        for (uint32_t j = 0; j < cube->n_locations; j++)
            sum += values[j];
        if (sum > most) {
            most    = sum;
            *metric = i;
        }
    }
    return status == HD_OK ? sum_up(cube, *metric, selected, values) : status;
}

/* How many rows of the topology a location's values are shown in. A topology of processes has one location of each: all
 * threads of a process are shown where that one is. */
typedef struct shown {
    uint32_t *first, *next; /* locations of a group: [n_groups] the first, [n_locations] the next; HD_NONE: none */
    bool      of_processes;
} shown;

static void
shown_init(const hd_cube *cube, const hd_cube_topology *topology, shown *s)
{
    uint32_t *location_of = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_groups + 1); /* HD_NONE: none yet */
    size_t    width       = 1 + (size_t)topology->n_dimensions;

    *s = (shown){ .first = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_groups + 1),
                  .next = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_locations + 1),
                  .of_processes = true };
    memset(location_of, 0xFF, ((size_t)cube->n_groups + 1) * sizeof *location_of);
    memset(s->first, 0xFF, ((size_t)cube->n_groups + 1) * sizeof *s->first);
    for (uint32_t i = cube->n_locations; i-- > 0;) {
        s->next[i]                          = s->first[cube->locations[i].group];
        s->first[cube->locations[i].group] = i;
    }
    for (size_t i = 0; i < topology->n_rows; i++) {
        uint32_t  location = topology->rows[i * width];
        uint32_t *of_group = &location_of[cube->locations[location].group];

        s->of_processes &= *of_group == HD_NONE || *of_group == location;
        *of_group = location;
    }
    free(location_of);
}

static void
shown_fini(shown *s)
{
    free(s->first);
    free(s->next);
}

static void
fill_grid(const hd_cube *cube, const hd_view *view, const hd_cube_topology *topology, const double *values,
          hd_grid *grid)
{
    const uint32_t *row = topology->rows;
    shown           s;

    shown_init(cube, topology, &s);
    hd_grid_init(grid, view);
    for (size_t i = 0; i < topology->n_rows; i++, row += 1 + topology->n_dimensions) {
        uint32_t across, down;

        if (!hd_view_place(view, row + 1, &across, &down))
            continue;
        if (!s.of_processes)
            hd_grid_add(grid, across, down, values[row[0]]);
        else
            for (uint32_t l = s.first[cube->locations[row[0]].group]; l != HD_NONE; l = s.next[l])
                hd_grid_add(grid, across, down, values[l]);
    }
    shown_fini(&s);
}

/* ---- output ------------------------------------------------------------------------------------------------------ */

/* A document has one of these parts; the others are null. metric: NULL: none */
static void
begin_json(hd_json *json, const hd_cube *cube, const hd_topology_options *options, const char *metric, const char *part)
{
    static const char *const parts[] = { "topologies", "place", "divisions", "distances" };

    hd_json_document_begin(json, stdout, "topology");
    hd_json_report(json, "report", cube);
    hd_json_text(json, "metric", metric);
    hd_json_text(json, "call_path", options->call_path);
    hd_json_bool(json, "is_startup_counted", cube->skipped == NULL);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i], part) != 0)
            hd_json_null(json, parts[i]);
}

static void
put_dimensions(hd_json *json, const hd_view *view)
{
    hd_json_array(json, "dimensions");
    for (uint32_t i = 0; i < view->n_dimensions; i++) {
        hd_json_object(json, NULL);
        hd_json_text(json, "name", view->dimensions[i].name);
        hd_json_count(json, "size", view->dimensions[i].size);
        hd_json_bool(json, "is_periodic", view->dimensions[i].is_periodic);
        hd_json_end(json);
    }
    hd_json_end(json);
}

/* Cells that have values, row by row. */
static void
put_cells(hd_json *json, const hd_view *view, const hd_grid *grid)
{
    hd_json_array(json, "cells");
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++) {
            size_t   cell = (size_t)row * grid->columns + column;
            uint32_t x[HD_VIEW_DIMENSIONS_MAX];

            if (grid->counts[cell] == 0)
                continue;
            hd_view_coordinates(view, column, row, x);
            hd_json_object(json, NULL);
            hd_json_array(json, "coordinates");
            for (uint32_t i = 0; i < view->n_dimensions; i++)
                hd_json_index(json, NULL, x[i]);
            hd_json_end(json);
            hd_json_number(json, "value", grid->values[cell]);
            hd_json_count(json, "locations", grid->counts[cell]);
            hd_json_end(json);
        }
    hd_json_end(json);
}

static hd_status
write_json(const hd_cube *cube, const hd_topology_options *options, const hd_picture *picture,
           const hd_cube_metric *metric)
{
    hd_json json;

    begin_json(&json, cube, options, metric->id, "place");
    hd_json_object(&json, "place");
    hd_json_text(&json, "topology", picture->view->name);
    hd_json_text(&json, "unit", metric->unit);
    put_dimensions(&json, picture->view);
    put_cells(&json, picture->view, picture->grid);
    hd_json_end(&json);
    return hd_json_document_end(&json);
}

static void
print_tsv(FILE *file, const hd_view *view, const hd_grid *grid)
{
    for (uint32_t i = 0; i < view->n_dimensions; i++) {
        hd_write_cell(file, view->dimensions[i].name, HD_CELL_WHOLE);
        fputc('\t', file);
    }
    fputs("value\tlocations\n", file);
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++) {
            size_t   cell = (size_t)row * grid->columns + column;
            uint32_t x[HD_VIEW_DIMENSIONS_MAX];

            if (grid->counts[cell] == 0)
                continue;
            hd_view_coordinates(view, column, row, x);
            for (uint32_t i = 0; i < view->n_dimensions; i++)
                x[i] == HD_NONE ? fprintf(file, "all\t") : fprintf(file, "%" PRIu32 "\t", x[i]);
            fprintf(file, "%.17g\t%" PRIu32 "\n", grid->values[cell], grid->counts[cell]);
        }
}

static hd_status
show(hd_cube *cube, const hd_topology_options *options, const hd_view *view, const hd_cube_topology *topology)
{
    bool           *selected = NULL;
    double         *values   = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    uint32_t        metric   = HD_NONE;
    hd_picture_kind kind;
    hd_grid         grid     = { 0 };
    hd_status       status   = hd_picture_file_kind("--picture", options->picture, &kind);

    if (status == HD_OK)
        status = hd_paths_select(cube, options->call_path, &selected);
    if (status == HD_OK)
        status = choose_metric(cube, options->metric, selected, &metric, values);
    if (status == HD_OK) {
        const char        *unit = cube->metrics[metric].unit;
        hd_summary_options look = hd_terminal_look(options->width);
        hd_picture         picture = { .view = view, .grid = &grid, .is_integer = cube->metrics[metric].is_integer,
                                       .unit = strcmp(unit, "sec") == 0 ? "s" : strcmp(unit, "occ") == 0 ? "" : unit };
        char              *title = hd_format("%s (%s)%s%s", cube->metrics[metric].name, cube->metrics[metric].id,
                                             options->call_path != NULL ? " at " : "",
                                             options->call_path != NULL ? options->call_path : "");

        picture.title = title;
        fill_grid(cube, view, topology, values, &grid);
        if (options->picture != NULL)
            status = hd_picture_file_draw(&(hd_picture_file){ options->picture, "--picture", kind, options->force },
                                          &picture);
        if (status == HD_OK && options->picture != NULL)
            hd_message_incomplete(stderr, cube);
        if (status == HD_OK && options->tsv)
            print_tsv(options->file, view, &grid);
        else if (status == HD_OK && options->json)
            status = write_json(cube, options, &picture, &cube->metrics[metric]);
        else if (status == HD_OK && options->picture == NULL) {
            hd_completeness_print(cube, stdout);
            hd_picture_print(&picture, stdout, look.has_colour, look.width);
        }
        free(title);
        hd_grid_fini(&grid);
    }
    free(selected);
    free(values);
    return status;
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static hd_status
print_divisions(hd_cube *cube, const hd_topology_options *options, const hd_division *divisions, uint32_t n,
                const char *head)
{
    hd_division_request request  = { .divisions = divisions, .n = n, .is_tsv = options->tsv,
                                     .by_waiting = options->by == BY_NODE, .head = head,
                                     .width = hd_terminal_look(options->width).width, .metric = HD_NONE };
    bool               *selected = NULL;
    hd_json             json;
    hd_status           status = HD_OK;

    if (options->metric != NULL)
        status = hd_metric_select(cube, options->metric, &request.metric);
    if (status != HD_OK)
        return status;
    if (options->metric != NULL && !cube->metrics[request.metric].is_additive)
        return not_additive(&cube->metrics[request.metric]);
    status           = hd_paths_select(cube, options->call_path, &selected);
    request.selected = selected;
    if (status == HD_OK && options->json) {
        begin_json(&json, cube, options, options->metric, "divisions");
        request.json = &json;
    }
    if (status == HD_OK)
        status = hd_division_table_print(cube, &request, options->file);
    if (status == HD_OK && options->json)
        status = hd_json_document_end(&json);
    free(selected);
    return status;
}

static hd_status
show_nodes(hd_cube *cube, const hd_topology_options *options)
{
    hd_division nodes;
    hd_status   status;

    hd_division_by_node(cube, &nodes);
    status = print_divisions(cube, options, &nodes, 1, "Nodes by waiting time");
    hd_division_fini(&nodes);
    return status;
}

static hd_status
no_processes(const hd_cube *cube)
{
    uint32_t rows = hd_grid_rows(cube->n_groups);

    if (cube->n_groups < 2)
        hd_fail_detail("note", "it is of one process");
    else
        hd_fail_detail("try", "--name " HD_TOPOLOGY_GRID "%" PRIu32 "x%" PRIu32
                       ", for processes in the order of their ranks;   heddle topology --list %s", rows,
                       cube->n_groups / rows, cube->path);
    return HD_EUSAGE;
}

/* The grid of processes and threads, and nodes, have no border: their ends are of no account. */
static hd_status
show_coordinates(hd_cube *cube, const hd_topology_options *options, const hd_cube_topology *topology, bool has_border)
{
    uint32_t     n, n_shown;
    hd_division *divisions;
    char        *head, *name;
    hd_status    status;

    if (!has_border && options->name == NULL) {
        hd_fail(HD_EUSAGE, "report \"%s\" has no topology of processes", cube->path);
        return no_processes(cube);
    }
    divisions = hd_divisions_of_topology(cube, topology, &n);
    name      = hd_escaped(topology->name);
    head      = hd_format("Coordinates of topology \"%s\"", name);
    n_shown   = n > 0 && !has_border && divisions[n - 1].kind == HD_DIVISION_BORDER ? n - 1 : n;
    if (n_shown > 0)
        status = print_divisions(cube, options, divisions, n_shown, head);
    else {
        hd_fail(HD_EUSAGE, "topology \"%s\" is not one of processes, or has only one coordinate", topology->name);
        status = no_processes(cube);
    }
    for (uint32_t i = 0; i < n; i++)
        hd_division_fini(&divisions[i]);
    free(divisions);
    free(name);
    free(head);
    return status;
}

static hd_status
show_distances(hd_cube *cube, const hd_topology_options *options)
{
    bool     *selected = NULL;
    hd_json   json;
    hd_status status = hd_paths_select(cube, options->call_path, &selected);

    if (status == HD_OK && options->json)
        status = hd_distance_table_check(cube);
    if (status == HD_OK && options->json)
        begin_json(&json, cube, options, NULL, "distances");
    if (status == HD_OK)
        status = hd_distance_table_print(cube, selected, options->tsv, options->json ? &json : NULL,
                                         hd_terminal_look(options->width).width, options->file);
    if (status == HD_OK && options->json)
        status = hd_json_document_end(&json);
    free(selected);
    return status;
}

/* Options that only pictures have. */
static hd_status
check_options(const hd_topology_options *options)
{
    const char *wrong = options->fold != NULL ? "fold" : options->slice != NULL ? "slice" : options->picture != NULL ?
                        "picture" : NULL;

    if (options->tsv + options->csv + options->json > 1)
        return hd_fail(HD_EUSAGE, "--tsv, --csv and --json exclude each other");
    if (options->by == BY_PLACE)
        return HD_OK;
    if (wrong == NULL && options->by == BY_DISTANCE && options->metric != NULL)
        wrong = "metric";
    if (wrong == NULL && options->by != BY_COORDINATE && options->name != NULL)
        wrong = "name";
    return wrong == NULL ? HD_OK : hd_fail(HD_EUSAGE, "--%s and this --by exclude each other", wrong);
}

static void
put_topology(hd_json *json, const hd_cube_topology *topology)
{
    hd_view view;

    hd_topology_describe(topology, &view);
    hd_json_object(json, NULL);
    hd_json_text(json, "name", topology->name);
    put_dimensions(json, &view);
    hd_json_end(json);
}

static hd_status
list_all(const hd_cube *cube, const hd_topology_options *options)
{
    hd_cube_topology made[2]; /* nodes; what is in them */
    uint32_t         n_made = 1;
    hd_json          json;
    hd_status        status = HD_OK;

    hd_topology_make_nodes(cube, &made[0]);
    n_made += hd_topology_make_machine(cube, &made[1]);
    if (options->json) {
        begin_json(&json, cube, options, NULL, "topologies");
        hd_json_array(&json, "topologies");
    }
    for (uint32_t i = 0; i < cube->n_topologies + n_made; i++) {
        const hd_cube_topology *topology =
            i < cube->n_topologies ? &cube->topologies[i] : &made[i - cube->n_topologies];

        if (options->json)
            put_topology(&json, topology);
        else
            list_topology(topology);
    }
    if (options->json) {
        hd_json_end(&json);
        status = hd_json_document_end(&json);
    }
    for (uint32_t i = 0; i < n_made; i++)
        hd_topology_made_fini(&made[i]);
    return status;
}

static hd_status
show_on_topology(hd_cube *cube, const hd_topology_options *options)
{
    const hd_cube_topology *topology = NULL;
    hd_cube_topology        made     = { 0 };
    hd_view                 view;
    hd_status status = hd_topology_find(cube, options->name != NULL ? options->name : hd_topology_of_analysis(cube),
                                        &made, &topology);

    if (status == HD_OK && options->by == BY_COORDINATE)
        status = show_coordinates(cube, options, topology,
                                  strcmp(topology->name, HD_PROCESS_GRID) != 0 &&
                                  (topology != &made || hd_topology_is_grid(made.name)));
    else if (status == HD_OK) {
        hd_topology_describe(topology, &view);
        status = hd_view_make(&view, options->fold, options->slice);
        if (status == HD_OK)
            status = show(cube, options, &view, topology);
    }
    hd_topology_made_fini(&made);
    return status;
}

/* Unless the call path asked for is a part of it. */
static hd_status
skip_startup(hd_cube *cube, const hd_topology_options *options)
{
    bool      *selected = NULL, has_others = false;
    hd_startup startup;
    hd_status  status;

    if (options->with_startup || options->list)
        return HD_OK;
    status = hd_startup_skip(cube, &startup);
    if (status != HD_OK || cube->skipped == NULL || options->call_path == NULL)
        return status;
    status = hd_paths_select(cube, options->call_path, &selected);
    for (uint32_t i = 0; status == HD_OK && i < cube->n_paths; i++)
        has_others |= selected[i] && !cube->skipped[i];
    if (status == HD_OK && !has_others) {
        free(cube->skipped);
        cube->skipped = NULL;
    }
    free(selected);
    return status;
}

static hd_status
topology_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    hd_topology_options  copy    = *(const hd_topology_options *)options_;
    hd_topology_options *options = &copy;
    hd_cube             *cube    = NULL;
    hd_status            status  = check_options(options);

    (void)analysis_comm;
    *exit_code = HD_EXIT_OK;
    options->file = options->csv ? hd_csv_of_tsv(stdout) : stdout;
    options->tsv |= options->csv;
    if (status == HD_OK)
        status = hd_cube_open(options->report, &cube);
    if (status == HD_OK)
        hd_message_left_out(stderr, cube);
    if (status == HD_OK)
        status = skip_startup(cube, options);
    if (status == HD_OK && options->list)
        status = list_all(cube, options);
    else if (status == HD_OK && options->by == BY_NODE)
        status = show_nodes(cube, options);
    else if (status == HD_OK && options->by == BY_DISTANCE)
        status = show_distances(cube, options);
    else if (status == HD_OK)
        status = show_on_topology(cube, options);
    if (status == HD_OK && cube->skipped != NULL && options->picture == NULL && !options->tsv && !options->json)
        puts("\nStart-up (MPI_Init, MPI_Finalize) is not counted; --with-startup counts it.");
    hd_cube_close(cube);
    if (options->file != stdout)
        fclose(options->file);
    if (status == HD_OK && fflush(stdout) != 0)
        status = hd_fail(HD_EWRITE, "cannot write to standard output: %s", strerror(errno));
    return status;
}

const hd_command hd_cmd_topology = {
    .name           = "topology",
    .operand        = "REPORT",
    .operand_offset = offsetof(hd_topology_options, report),
    .former_letters = "l=list b=by c=call-path",
    .former_names   = "output=picture o=picture",
    .what           = "show a metric on a topology of the report",
    .text           = "Shows the values of a metric on a topology: a Cartesian topology that the application, the user "
                      "or the platform "
                      "defined, the grid of processes and threads (\""
                      HD_PROCESS_GRID "\"), the nodes and the processes on each "
                      "(\"" HD_TOPOLOGY_NODES "\"), these with the sockets, NUMA domains and cores that processes are bound to "
                      "(\"" HD_TOPOLOGY_MACHINE "\"), or, as \"" HD_TOPOLOGY_GRID "8x8\" or \""
                      HD_TOPOLOGY_TORUS "8x8\", the processes in the order of their ranks, the last dimension fastest. "
                      "The output is text in a terminal, lines for scripts, or a picture.\n\n"
                      "A picture has two axes. --fold puts several dimensions on one axis, \"zx,y\": for each z all of "
                      "x across, y down. "
                      "--slice fixes a dimension at one number. Names of more than one letter are joined by \"+\". "
                      "Dimensions that are "
                      "named in neither are summed up.\n\n"
                      "--by coordinate, node and distance print tables instead, and say in a sentence if the waiting "
                      "is concentrated on some "
                      "planes, the border or some nodes.\n\n"
                      "CALLPATH is given by its last regions, outer ones first, joined by \" > \", \";\" or \"/\".",
    .example        = "heddle topology heddle.cubex\tthe top wait state on the application's grid\n"
                      "heddle topology heddle.cubex --metric delay_latesender --picture delay.svg\tprocesses that delay "
                      "others\n"
                      "heddle topology heddle.cubex --name nodes --metric comp\tload balance, node by node\n"
                      "heddle topology heddle.cubex --by coordinate\tsums of each row, column and the border\n"
                      "heddle topology heddle.cubex --by node\tthe nodes, by waiting time\n"
                      "heddle topology heddle.cubex --fold x,y --slice z=3 --tsv\tone plane, for a script\n"
                      "heddle topology heddle.cubex --by node --json\tthe nodes, for a script",
    .options        = topology_options,
    .n_options      = sizeof topology_options / sizeof *topology_options,
    .bytes          = sizeof(hd_topology_options),
    .run            = topology_run,
};
