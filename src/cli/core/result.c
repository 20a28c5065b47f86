#include "result.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cut.h"
#include "html_output.h"
#include "memory.h"
#include "message.h"
#include "new_file.h"
#include "page_writer.h"
#include "report_path.h"
#include "same_file.h"
#include "same_program.h"
#include "signal_stop.h"
#include "terminal.h"

/* ---- reports that are given -------------------------------------------------------------------------------------- */

hd_status
hd_reports_open(const hd_texts *paths, hd_reports *reports)
{
    hd_status status = HD_OK;

    reports->cubes = HD_NEW_ARRAY(hd_cube *, paths->n + 1);
    reports->n     = 0;
    while (reports->n < paths->n && status == HD_OK) {
        status = hd_cube_open(paths->text[reports->n], &reports->cubes[reports->n]);
        reports->n += status == HD_OK;
    }
    return status;
}

void
hd_reports_close(hd_reports *reports)
{
    for (uint32_t i = 0; i < reports->n; i++)
        hd_cube_close(reports->cubes[i]);
    free(reports->cubes);
    *reports = (hd_reports){ 0 };
}

/* ---- signals ----------------------------------------------------------------------------------------------------- */

typedef struct stoppable_rows {
    hd_cube_rows rows;
    void        *context;
} stoppable_rows;

static hd_status
rows_or_stop(void *context, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any)
{
    const stoppable_rows *stoppable = context;

    if (*hd_stop_mark() != 0)
        return hd_fail(HD_EWRITE, "stopped by signal %d", (int)*hd_stop_mark());
    return stoppable->rows(stoppable->context, metric, path, cells, any);
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static hd_status
cannot_write(const char *path, const char *why)
{
    hd_fail(HD_EWRITE, "the report cannot be written: %s", why);
    hd_fail_detail("report", "\"%s\"", path);
    return HD_EWRITE;
}

static hd_status
is_folder(const char *path)
{
    cannot_write(path, strerror(EISDIR));
    hd_fail_detail("try", "--output \"%s%sREPORT.cubex\"", path, path[strlen(path) - 1] == '/' ? "" : "/");
    return HD_EWRITE;
}

static hd_status
probe_report(const char *path, bool force)
{
    struct stat info;
    hd_status   status;
    int         error;

    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return S_ISDIR(info.st_mode) ? is_folder(path) : cannot_write(path, "it is no regular file");
    status = hd_report_check_name(path);
    if (status != HD_OK)
        return status;
    if (access(path, F_OK) == 0 && !force) {
        hd_fail(HD_EEXIST, "the report exists already");
        hd_fail_detail("report", "\"%s\"", path);
        hd_fail_detail("try", "--force to replace it, or --output REPORT.cubex for another name");
        return HD_EEXIST;
    }
    error = hd_new_file_probe(path);
    return error == 0 ? HD_OK : cannot_write(path, strerror(error));
}

hd_status
hd_result_spare(const hd_texts *inputs, const char *path, const char *what)
{
    for (size_t i = 0; i < inputs->n && path != NULL; i++) {
        char *input = NULL;
        bool  is_it;

        is_it = hd_is_same_file(inputs->text[i], path) ||
                (hd_report_find(inputs->text[i], &input) == HD_OK && hd_is_same_file(input, path));
        free(input);
        if (is_it)
            return hd_fail(HD_EUSAGE, "the %s cannot have the name of what it is made of, \"%s\"", what,
                           inputs->text[i]);
    }
    return HD_OK;
}

hd_status
hd_result_probe(const hd_result_place *place, const hd_texts *inputs)
{
    hd_status status;

    if (place->report != NULL && place->page != NULL && hd_is_same_name(place->report, place->page))
        return hd_fail(HD_EUSAGE, "report and page cannot both be \"%s\"", place->report);
    status = hd_result_spare(inputs, place->page, "page");
    if (status != HD_OK)
        return status;
    hd_stop_hold();
    if (place->report != NULL)
        status = probe_report(place->report, place->force);
    if (status == HD_OK && place->page != NULL)
        status = hd_page_probe(place->page, place->force);
    hd_stop_let_go();
    return status;
}

/* What a result says it is, last of all: the title of its page. */
static const char *
title_of(const hd_cube *cube)
{
    const char *title = NULL;

    for (uint32_t i = 0; i < cube->n_attributes; i++)
        if (strcmp(cube->attributes[i].key, HD_ALGEBRA_ATTRIBUTE) == 0 ||
            strcmp(cube->attributes[i].key, HD_CUT_ATTRIBUTE) == 0)
            title = cube->attributes[i].value;
    return title;
}

/* From the report at `from`, which is removed if is_aside. */
static hd_status
write_page(const char *from, bool is_aside, const hd_result_place *place, const char *title, hd_page_written *page)
{
    hd_page_options options = { .title = title, .difference = place->difference, .force = place->force,
                                .stop = hd_stop_mark() };
    hd_cube        *written = NULL;
    hd_status       status  = hd_cube_open(from, &written);

    if (is_aside)
        unlink(from); /* an open file stays readable */
    if (status == HD_OK)
        status = hd_page_write(written, place->page, &options, page);
    hd_cube_close(written);
    return status;
}

static void
tell(const hd_result_place *place, const hd_page_written *page)
{
    if (place->report != NULL) {
        fputs("report: \"", stdout);
        hd_message_escaped(stdout, place->report, false);
        puts("\"");
    }
    if (place->page != NULL)
        hd_html_tell(place->page, page);
}

hd_status
hd_result_write(const hd_cube *cube, hd_cube_rows rows, void *context, const hd_result_place *place, bool tells)
{
    stoppable_rows  stoppable = { .rows = rows, .context = context };
    char           *aside     = place->report == NULL && place->page != NULL ?
                                hd_format("%s.cubex-%ld", place->page, (long)getpid()) : NULL;
    const char     *report    = aside != NULL ? aside : place->report;
    hd_page_written page      = { 0 };
    hd_status       status    = HD_OK;

    hd_stop_hold();
    if (report != NULL)
        status = hd_cube_out_write(&(hd_cube_out){ .cube = cube, .rows = rows_or_stop, .context = &stoppable,
                                                   .keeps = aside != NULL || !place->force },
                                   report);
    if (status == HD_OK && place->page != NULL) {
        status = write_page(report, aside != NULL, place, title_of(cube), &page);
        if (status != HD_OK && aside == NULL)
            hd_fail_detail("report", "\"%s\" is complete", report);
    }
    free(aside);
    hd_stop_let_go();
    if (status == HD_OK && tells)
        tell(place, &page);
    return status;
}

void
hd_result_warn(const hd_alignment *alignment, bool tells_sums)
{
    if (alignment->sums != HD_SUMS_NONE && tells_sums)
        fprintf(stderr, "heddle: warning: the reports have different %s\n", alignment->sums == HD_SUMS_OF_ALL
            ? "processes: values are summed up over all of them" :
                "threads: values of each process are summed up over them");
    if (alignment->adds_places && tells_sums)
        fputs("heddle: warning: calls of one name at lines that do not correspond in the reports are added up\n", stderr);
    hd_message_incomplete_ones(stderr, alignment->cubes, alignment->n_cubes);
    for (uint32_t i = 0; i < alignment->model.n_left_out; i++) {
        fputs("heddle: warning: metric \"", stderr);
        hd_message_escaped(stderr, alignment->model.left_out[i].id, false);
        fputs("\" is omitted: ", stderr);
        hd_message_escaped(stderr, alignment->model.left_out[i].why, false);
        fputc('\n', stderr);
    }
}

void
hd_result_warn_of_strangers(const hd_alignment *alignment)
{
    char *why = hd_same_program_why_not(alignment);

    if (why != NULL) {
        fputs("heddle: warning: the reports", stderr);
        hd_message_escaped(stderr, why + strlen("They"), false);
        fputs("\n  reports:  what only one of them has counts as zero in the others\n", stderr);
    }
    free(why);
}

hd_status
hd_result_combine(const hd_texts *paths, hd_operation operation, const hd_result_place *place, bool quiet)
{
    bool          is_merge  = operation == HD_MERGE;
    hd_reports    reports   = { 0 };
    hd_alignment *alignment = NULL;
    hd_algebra   *algebra   = NULL;
    hd_status     status    = hd_result_probe(place, paths);

    if (status == HD_OK)
        status = hd_reports_open(paths, &reports);
    if (status == HD_OK) {
        alignment = hd_alignment_new(reports.cubes, reports.n,
                                     (hd_alignment_options){ .takes_all = is_merge, .one_program = !is_merge });
        algebra   = hd_algebra_new(alignment, operation);
        hd_result_warn(alignment, true);
        if (!is_merge)
            hd_result_warn_of_strangers(alignment);
        status = hd_result_write(hd_algebra_cube(algebra), hd_algebra_rows, algebra, place, !quiet);
    }
    hd_algebra_free(algebra);
    hd_alignment_free(alignment);
    hd_reports_close(&reports);
    if (status == HD_OK && !quiet) {
        putchar('\n');
        status = hd_summary_show(place->report, &(hd_summary_options){ 0 });
    }
    return status;
}
