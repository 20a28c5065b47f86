/* heddle scaling: how shares of the time grow with the number of processes. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "commands.h"
#include "csv.h"
#include "memory.h"
#include "new_file.h"
#include "page_writer.h"
#include "picture_file.h"
#include "result.h"
#include "same_file.h"
#include "scaling_extrap.h"
#include "scaling_json.h"
#include "scaling_page.h"
#include "signal_stop.h"
#include "startup.h"
#include "terminal.h"

typedef struct hd_scaling_command_options {
    bool            help;
    hd_texts        reports;
    hd_result_place place;
    hd_texts        predict;
    const char     *extrap, *picture;
    uint32_t        top, width;
    bool            all, tsv, csv, json, quiet, with_startup, weak;
} hd_scaling_command_options;

enum { PATHS_OF_PAGE = 200 };

#define FIELD(field) offsetof(hd_scaling_command_options, field)
static const hd_option scaling_options[] = {
    { "top", 'n', HD_COUNT, "5", "N", "how many call paths to name", FIELD(top) },
    { "predict", 0, HD_TEXTS, "(2 and 4 times the largest)", "P",
      "number of processes at which models are evaluated; may be given several times", FIELD(predict) },
    { "weak", 0, HD_FLAG, NULL, NULL, "efficiencies: the problem grows with the number of threads; without: it is the "
      "same in all runs", FIELD(weak) },
    { "with-startup", 0, HD_FLAG, NULL, NULL, "count MPI_Init and MPI_Finalize, too", FIELD(with_startup) },
    { "all", 0, HD_FLAG, NULL, NULL, "print all times, also small ones", FIELD(all) },
    { "tsv", 0, HD_FLAG, NULL, NULL, "print a line per metric, call path, and wait state at a call path, separated by "
      "tabs, with all digits", FIELD(tsv) },
    { "csv", 0, HD_FLAG, NULL, NULL, "the same, separated by commas", FIELD(csv) },
    { "json", 0, HD_FLAG, NULL, NULL, HD_JSON_HELP ", with all metrics and call paths", FIELD(json) },
    { "quiet", 'q', HD_FLAG, NULL, NULL, "print nothing but warnings", FIELD(quiet) },
    { "html", 0, HD_TEXT, NULL, "FILE.html", "also write an HTML page with charts", FIELD(place.page) },
    { "picture", 0, HD_TEXT, NULL, "FILE", "also draw the efficiencies into FILE.png or FILE.svg", FIELD(picture) },
    { "extrap", 0, HD_TEXT, "(none)", "FILE",
      "also write the values for Extra-P: its text format, or JSON lines if FILE ends in .jsonl", FIELD(extrap) },
    { "force", 'f', HD_FLAG, NULL, NULL, "replace existing files", FIELD(place.force) },
    HD_OPTION_WIDTH(FIELD(width)),
    HD_OPTION_HELP,
};

/* The names of the reports, as they are in the page's head; free() it. */
static char *
title_of(const hd_scaling *scaling)
{
    char *title = hd_strdup("");

    for (uint32_t i = 0; i < scaling->n_runs; i++) {
        const char *slash = strrchr(scaling->runs[i].cube->path, '/');
        char       *more  = hd_format("%s%s%s", title, i > 0 ? ", " : "",
                                      slash != NULL ? slash + 1 : scaling->runs[i].cube->path);

        free(title);
        title = more;
    }
    return title;
}

static hd_status
write_page(const hd_scaling_command_options *options, const hd_scaling *scaling)
{
    char     *title = title_of(scaling), *head;
    size_t    bytes;
    hd_status status;

    head   = hd_scaling_head(scaling, title, PATHS_OF_PAGE, &bytes);
    status = hd_page_write_head(head, bytes, options->place.page,
        &(hd_page_options){ .title = title, .force = options->place.force, .stop = hd_stop_hold() });
    hd_stop_let_go();
    free(head);
    free(title);
    return status;
}

/* ---- the file for Extra-P ---------------------------------------------------------------------------------------- */

static hd_status
cannot_write_extrap(const char *path, int error)
{
    return hd_fail(HD_EWRITE, "cannot write \"%s\": %s", path, hd_new_file_why(error));
}

static hd_status
probe_extrap(const hd_scaling_command_options *options)
{
    const char *path = options->extrap;
    hd_status   status;
    int         error;

    if (path == NULL)
        return HD_OK;
    if (strcmp(path, "-") == 0) {
        hd_fail(HD_EUSAGE, "\"heddle scaling\" cannot write its file for Extra-P to standard output");
        hd_fail_detail("try", "--extrap FILE, or ./- for a file of this name");
        return HD_EUSAGE;
    }
    status = hd_result_spare(&options->reports, path, "file for Extra-P");
    if (status != HD_OK)
        return status;
    if (options->place.page != NULL && hd_is_same_name(options->place.page, path))
        return hd_fail(HD_EUSAGE, "page and file for Extra-P cannot both be \"%s\"", path);
    if (!options->place.force && access(path, F_OK) == 0) {
        hd_fail(HD_EEXIST, "\"%s\" exists already", path);
        hd_fail_detail("try", "--force, or another --extrap");
        return HD_EEXIST;
    }
    error = hd_new_file_probe(path);
    return error == 0 ? HD_OK : cannot_write_extrap(path, error);
}

/* Into an open file, which stays the caller's. */
static hd_status
write_values(const hd_scaling *scaling, const char *path, int fd)
{
    const char      *suffix = strrchr(path, '.');
    hd_extrap_format format = suffix != NULL && strcmp(suffix, ".jsonl") == 0 ? HD_EXTRAP_JSON_LINES : HD_EXTRAP_TEXT;
    int              own    = dup(fd);
    FILE            *file   = own >= 0 ? fdopen(own, "w") : NULL;
    hd_status        status;
    bool             failed;

    if (file == NULL) {
        status = cannot_write_extrap(path, errno);
        if (own >= 0)
            close(own);
        return status;
    }
    status = hd_scaling_write_extrap(scaling, format, file);
    failed = fflush(file) != 0 || ferror(file) != 0;
    if (status == HD_OK && failed)
        status = cannot_write_extrap(path, errno);
    if (fclose(file) != 0 && status == HD_OK)
        status = cannot_write_extrap(path, errno);
    return status;
}

static hd_status
write_extrap(const hd_scaling_command_options *options, const hd_scaling *scaling)
{
    hd_new_file file = { 0 };
    hd_status   status;
    int         error;

    hd_stop_hold();
    error  = hd_new_file_open(&file, options->extrap, false);
    status = error == 0 ? write_values(scaling, options->extrap, file.fd) : cannot_write_extrap(options->extrap, error);
    if (status == HD_OK) {
        error  = hd_new_file_commit(&file, options->place.force);
        status = error == 0 ? HD_OK : cannot_write_extrap(options->extrap, error);
    }
    hd_new_file_fini(&file);
    hd_stop_let_go();
    return status;
}

/* ---- the picture of efficiencies --------------------------------------------------------------------------------- */

static hd_status
probe_picture(const hd_scaling_command_options *options)
{
    hd_picture_kind kind;
    hd_status       status = hd_picture_file_kind("--picture", options->picture, &kind);

    if (options->picture == NULL)
        return HD_OK;
    if (status == HD_OK)
        status = hd_result_spare(&options->reports, options->picture, "picture");
    if (status == HD_OK && ((options->place.page != NULL && hd_is_same_name(options->place.page, options->picture)) ||
                            (options->extrap != NULL && hd_is_same_name(options->extrap, options->picture))))
        status = hd_fail(HD_EUSAGE, "two files cannot both be \"%s\"", options->picture);
    if (status == HD_OK && !options->place.force && access(options->picture, F_OK) == 0) {
        hd_fail(HD_EEXIST, "\"%s\" exists already", options->picture);
        hd_fail_detail("try", "--force, or another --picture");
        status = HD_EEXIST;
    }
    return status;
}

/* What a product is made of, and the products; not what only programs with threads have. */
static hd_status
draw_efficiencies(const hd_scaling_command_options *options, const hd_scaling *scaling)
{
    static const hd_scaling_factor drawn[] = { HD_SCALING_global, HD_SCALING_parallel, HD_SCALING_load_balance,
                                               HD_SCALING_serialisation, HD_SCALING_transfer,
                                               HD_SCALING_computation_scaling };
    enum { N = sizeof drawn / sizeof *drawn };
    const hd_scaling_efficiencies *all    = &scaling->efficiencies;
    double                        *values = HD_NEW_ARRAY(double, (size_t)N * scaling->n_runs);
    uint32_t                      *sizes  = HD_NEW_ARRAY(uint32_t, scaling->n_runs);
    hd_chart_line                  lines[N];
    hd_line_chart                  chart  = { .across = scaling->by_locations ? "locations" : "processes",
                                              .sizes  = sizes, .n = scaling->n_runs, .lines = lines, .n_lines = N };
    char                          *title  = hd_format("Efficiencies (POP), %s scaling", all->is_weak ? "weak" : "strong");
    hd_picture_file                file   = { options->picture, "--picture", HD_PICTURE_PNG, options->place.force };
    hd_status                      status = hd_picture_file_kind("--picture", options->picture, &file.kind);

    if (all->reference == HD_NONE) {
        status = hd_fail(HD_EFORMAT, "no report has efficiencies, so there is no picture of them");
        hd_fail_detail("try", "heddle analyze, without --compat");
    }
    for (uint32_t line = 0; line < N && status == HD_OK; line++) {
        double *own = values + (size_t)line * scaling->n_runs;

        for (uint32_t i = 0; i < scaling->n_runs; i++) {
            own[i]   = all->values[i][drawn[line]];
            sizes[i] = hd_scaling_size(scaling, i) > 0 ? hd_scaling_size(scaling, i) : 1;
        }
        lines[line] = (hd_chart_line){ hd_scaling_factor_infos[drawn[line]].name, own };
    }
    chart.title = title;
    hd_stop_hold();
    if (status == HD_OK)
        status = hd_picture_file_chart(&file, &chart);
    hd_stop_let_go();
    free(title);
    free(sizes);
    free(values);
    return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* What --predict names; sizes: [options->predict.n] out. */
static hd_status
read_sizes(const hd_scaling_command_options *options, uint32_t *sizes)
{
    for (size_t i = 0; i < options->predict.n; i++) {
        const char   *text = options->predict.text[i];
        char         *end;
        unsigned long size;

        errno = 0;
        size  = strtoul(text, &end, 10);
        if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || size == 0 || size > UINT32_MAX) {
            hd_fail(HD_EUSAGE, "--predict: \"%s\" is no number of processes", text);
            hd_fail_detail("try", "--predict=1024 --predict=4096");
            return HD_EUSAGE;
        }
        sizes[i] = (uint32_t)size;
    }
    return HD_OK;
}

static hd_status
skip_startup(const hd_scaling_command_options *options, const hd_reports *reports)
{
    return options->with_startup ? HD_OK : hd_startup_skip_in_all(reports->cubes, reports->n, NULL);
}

static hd_status
show(const hd_scaling_command_options *options, const hd_scaling *scaling)
{
    hd_scaling_options page   = { .look = hd_terminal_look(options->width), .all = options->all };
    hd_status          status = HD_OK;

    if (options->picture != NULL)
        status = draw_efficiencies(options, scaling);
    if (status == HD_OK && options->place.page != NULL)
        status = write_page(options, scaling);
    if (status == HD_OK && options->extrap != NULL)
        status = write_extrap(options, scaling);
    page.look.n_top = options->top;
    if (status == HD_OK && options->tsv)
        return hd_scaling_print_tsv(scaling, stdout);
    if (status == HD_OK && options->csv) {
        FILE *file = hd_csv_of_tsv(stdout);

        status = hd_scaling_print_tsv(scaling, file);
        fclose(file);
        return status;
    }
    if (status == HD_OK && options->json)
        return hd_scaling_write_json(scaling, stdout);
    if (status == HD_OK && !options->quiet)
        return hd_scaling_print(scaling, stdout, &page);
    return status;
}

static hd_status
scale(const hd_scaling_command_options *options, const hd_reports *reports, const uint32_t *sizes)
{
    hd_alignment *alignment;
    hd_scaling   *scaling = NULL;
    hd_status     status  = skip_startup(options, reports);

    if (status != HD_OK)
        return status;
    hd_scaling_sort(reports->cubes, reports->n);
    alignment = hd_alignment_new(reports->cubes, reports->n, (hd_alignment_options){ .one_program = true });
    hd_result_warn(alignment, false);
    hd_result_warn_of_strangers(alignment);
    status = hd_scaling_new(alignment, &scaling);
    if (status == HD_OK)
        status = hd_scaling_add_efficiencies(scaling, options->weak);
    if (status == HD_OK && options->predict.n > 0)
        hd_scaling_predict(scaling, sizes, (uint32_t)options->predict.n);
    if (status == HD_OK)
        status = show(options, scaling);
    hd_scaling_free(scaling);
    hd_alignment_free(alignment);
    return status;
}

static hd_status
scaling_run(const void *options_, hd_analysis_comm *analysis_comm, int *exit_code)
{
    const hd_scaling_command_options *options = options_;
    hd_reports                        reports = { 0 };
    uint32_t                         *sizes;
    hd_status                         status;

    (void)analysis_comm;
    *exit_code = HD_EXIT_OK;
    if (options->tsv + options->csv + options->json > 1)
        return hd_fail(HD_EUSAGE, "--tsv, --csv and --json exclude each other");
    sizes  = HD_NEW_ARRAY(uint32_t, options->predict.n + 1);
    status = read_sizes(options, sizes);
    if (status == HD_OK)
        status = hd_result_probe(&options->place, &options->reports);
    if (status == HD_OK)
        status = probe_extrap(options);
    if (status == HD_OK)
        status = probe_picture(options);
    if (status == HD_OK)
        status = hd_reports_open(&options->reports, &reports);
    if (status == HD_OK)
        status = scale(options, &reports, sizes);
    hd_reports_close(&reports);
    free(sizes);
    return status;
}

const hd_command hd_cmd_scaling = {
    .name           = "scaling",
    .operand        = "A B...",
    .operand_offset = offsetof(hd_scaling_command_options, reports),
    .operands_min   = 2,
    .operands_max   = 65535,
    .former_letters = "a=all",
    .what           = "print efficiencies (POP), shares of total time and models by number of processes",
    .text           = "Compares runs of one program on several numbers of processes (where these are all the same: of "
                      "locations): strong-scaling and weak-scaling efficiency, the share of total time of each metric "
                      "and call path, and the growth of that share in percentage points per doubling of the processes "
                      "(least squares over the logarithm). The fastest growing or shrinking ones come first. Reports "
                      "may be given in any order.\n\n"
                      "The table of POP has the efficiencies of each run (heddle explain load_balance), and computation "
                      "scaling: how much less the threads of the smallest run compute than those of this one; where "
                      "reports have counters of instructions and cycles, as the product of instruction, IPC and "
                      "frequency scaling. Global efficiency is parallel efficiency x computation scaling.\n\n"
                      "Runs of at least 4 sizes also have models: of the time per process of each metric and call "
                      "path, a constant and one term such as log p, p, p log p or p^2, chosen by predicting each size "
                      "from the others. The error is the mean deviation of these predictions; above 20 % there is no "
                      "model.",
    .example        = "heddle scaling bt.4.cubex bt.16.cubex bt.64.cubex\tthree runs\n"
                      "heddle scaling bt.*.cubex --html bt-scaling.html\twith charts\n"
                      "heddle scaling bt.*.cubex --picture bt.svg\tefficiencies over the number of processes\n"
                      "heddle scaling bt.*.cubex --predict 1024\tmodels, evaluated at 1,024 processes\n"
                      "heddle scaling bt.*.cubex --extrap bt.txt\tvalues for Extra-P",
    .options        = scaling_options,
    .n_options      = sizeof scaling_options / sizeof *scaling_options,
    .bytes          = sizeof(hd_scaling_command_options),
    .run            = scaling_run,
};
