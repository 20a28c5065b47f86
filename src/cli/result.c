#include "result.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "message.h"
#include "page_writer.h"

/* ---- reports that are given ------------------------------------------------------------------------------------------------------ */

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

/* ---- signals --------------------------------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t stopped_by; /* a signal; 0: none. Set by the handler, read while something is written */

static void
stop(int number)
{
    stopped_by = number;
}

static void
catch_signals(void (*handler)(int))
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], handler);
}

static void
end_if_stopped(void)
{
    catch_signals(SIG_DFL);
    if (stopped_by != 0)
        raise(stopped_by);
}

typedef struct stoppable_rows {
    hd_cube_rows rows;
    void        *context;
} stoppable_rows;

static hd_status
rows_or_stop(void *context, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any)
{
    const stoppable_rows *stoppable = context;

    if (stopped_by != 0)
        return hd_fail(HD_EWRITE, "stopped by signal %d", (int)stopped_by);
    return stoppable->rows(stoppable->context, metric, path, cells, any);
}

/* ---- results ----------------------------------------------------------------------------------------------------------------------- */

hd_status
hd_result_probe(const char *path, bool force)
{
    struct stat info;
    char       *aside;
    int         error = 0;
    FILE       *file;

    if (path == NULL)
        return HD_OK;
    if (stat(path, &info) == 0 && !force) {
        hd_fail(HD_EEXIST, "there is a report already");
        hd_fail_detail("report", "\"%s\"", path);
        hd_fail_detail("try", "--force to replace it, or --output REPORT.cubex for another place");
        return HD_EEXIST;
    }
    aside = hd_format("%s.tmp-%ld", path, (long)getpid());
    file  = fopen(aside, "wxe");
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        error = EISDIR;
    else if (file == NULL)
        error = errno;
    if (file != NULL) {
        fclose(file);
        unlink(aside);
    }
    free(aside);
    if (error == 0)
        return HD_OK;
    hd_fail(HD_EWRITE, "the report cannot be written: %s", strerror(error));
    hd_fail_detail("report", "\"%s\"", path);
    return HD_EWRITE;
}

static hd_status
write_report(const hd_cube *cube, hd_cube_rows rows, void *context, const char *path)
{
    stoppable_rows stoppable = { .rows = rows, .context = context };

    return hd_cube_out_write(&(hd_cube_out){ .cube = cube, .rows = rows_or_stop, .context = &stoppable }, path);
}

hd_status
hd_result_write(const hd_cube *cube, hd_cube_rows rows, void *context, const char *path)
{
    hd_status status;

    catch_signals(stop);
    status = write_report(cube, rows, context, path);
    end_if_stopped();
    return status;
}

static const char *
algebra_of(const hd_cube *cube, const char *fallback)
{
    for (uint32_t i = 0; i < cube->n_attributes; i++)
        if (strcmp(cube->attributes[i].key, "Heddle::Algebra") == 0 || strcmp(cube->attributes[i].key, "Heddle::Cut") == 0)
            return cube->attributes[i].value;
    return fallback;
}

hd_status
hd_result_write_page(const hd_cube *cube, hd_cube_rows rows, void *context, const char *path, bool is_difference, bool force)
{
    hd_page_options options = { .title = algebra_of(cube, NULL), .is_difference = is_difference, .force = force, .stop = &stopped_by };
    char           *aside   = hd_format("%s.cubex-%ld", path, (long)getpid());
    hd_cube        *written = NULL;
    hd_status       status  = hd_page_probe(path, force);

    catch_signals(stop);
    if (status == HD_OK)
        status = write_report(cube, rows, context, aside);
    if (status == HD_OK)
        status = hd_cube_open(aside, &written);
    unlink(aside); /* an open file stays readable */
    if (status == HD_OK)
        status = hd_page_write(written, path, &options, NULL);
    hd_cube_close(written);
    free(aside);
    end_if_stopped();
    return status;
}

void
hd_result_warn(const hd_alignment *alignment)
{
    if (alignment->is_summed)
        fputs("heddle: warning: the reports have different processes or threads: values are summed up over all of them\n", stderr);
    for (uint32_t i = 0; i < alignment->model.n_left_out; i++) {
        fputs("heddle: warning: metric \"", stderr);
        hd_message_escaped(stderr, alignment->model.left_out[i].id, false);
        fputs("\" is left out: ", stderr);
        hd_message_escaped(stderr, alignment->model.left_out[i].why, false);
        fputc('\n', stderr);
    }
}
