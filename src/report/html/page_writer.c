#include "page_writer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "completeness.h"
#include "memory.h"
#include "new_file.h"
#include "page_head.h"
#include "page_matrix.h"
#include "page_program.h"
#include "page_reference.h"
#include "same_file.h"
#include "startup.h"

typedef struct page_writer { /* in the making */
    const char              *path;
    const hd_page_options   *options;
    char                    *title;
    char                    *startup; /* what is skipped, in words; NULL: nothing */
    char                    *folder, *folder_temporary, *folder_aside;
    hd_new_file              file;
    hd_out_file              out;
    hd_page_packer          *packer;
    uint32_t                *numbers; /* [n] metrics of the report that are in the page, then those of them that are in the second report */
    hd_page_metric          *metrics; /* [n] */
    hd_page_place           *texts;   /* [n] where they are in the file; while they are not beside it */
    uint32_t                 n;
    uint32_t                 n_of_report; /* of n: the first ones */
    hd_page_reference       *reference;   /* NULL: there is no second report */
    bool                     is_beside;
    uint64_t                 beside_bytes;
    hd_page_sources          sources; /* what was found of them */
    hd_page_balance          balance;
} page_writer;

/* ---- names and errors -------------------------------------------------------------------------------------------------- */

char *
hd_page_path(const char *report)
{
    size_t n = strlen(report);

    if (n > 6 && strcmp(report + n - 6, ".cubex") == 0)
        n -= 6;
    return hd_format("%.*s.html", (int)n, report);
}

char *
hd_page_folder(const char *path)
{
    return hd_format("%s.data", path);
}

static const char *
base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static hd_status
cannot_write(const char *path, int error)
{
    hd_fail(HD_EWRITE, "the page cannot be written: %s", strerror(error));
    hd_fail_detail("page", "\"%s\"", path);
    if (error == EACCES || error == EROFS || error == ENOENT)
        hd_fail_detail("try", "another name for the page, in a folder where you may write");
    return HD_EWRITE;
}

static hd_status
exists(const char *what, const char *path)
{
    hd_fail(HD_EEXIST, "the %s exists already", what);
    hd_fail_detail(what, "\"%s\"", path);
    hd_fail_detail("try", "--force to replace it, or another name for the page");
    return HD_EEXIST;
}

static hd_status
create(const char *page_path, const char *path, int *file)
{
    *file = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
    return *file >= 0 ? HD_OK : cannot_write(page_path, errno);
}

static char *
temporary_name(const char *path)
{
    return hd_format("%s.tmp-%jd", path, (intmax_t)getpid());
}

hd_status
hd_page_probe(const char *path, bool force)
{
    struct stat info;
    int         error;

    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        hd_fail(HD_EWRITE, "the page cannot be written: %s", S_ISDIR(info.st_mode) ? strerror(EISDIR) : "it is no regular file");
        hd_fail_detail("page", "\"%s\"", path);
        if (S_ISDIR(info.st_mode))
            hd_fail_detail("try", "\"%s%sPAGE.html\"", path, path[strlen(path) - 1] == '/' ? "" : "/");
        return HD_EWRITE;
    }
    if (access(path, F_OK) == 0 && !force)
        return exists("page", path);
    error = hd_new_file_probe(path);
    return error == 0 ? HD_OK : cannot_write(path, error);
}

/* ---- the folder beside the page ---------------------------------------------------------------------------------------- */

static char *
metric_path(const char *folder, uint32_t metric)
{
    return hd_format("%s/metric-%" PRIu32 ".js", folder, metric);
}

static bool
is_of_a_page(const char *name)
{
    int  end = 0;

    sscanf(name, "metric-%*[0-9].js%n", &end);
    return (end > 0 && name[end] == '\0') || strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* NULL: it cannot be read, or is none. A link to one is none: what is behind it is not a page's to remove. */
static DIR *
open_folder(const char *path)
{
    int  file   = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = file >= 0 ? fdopendir(file) : NULL;

    if (file >= 0 && folder == NULL)
        close(file);
    return folder;
}

/* Whether a folder is there, and, if so, whether it holds nothing but what pages put there. */
static bool
has_folder(const char *path, bool *is_ours)
{
    DIR                 *folder = open_folder(path);
    const struct dirent *entry;
    struct stat          info;

    *is_ours = folder != NULL;
    if (folder == NULL)
        return lstat(path, &info) == 0;
    while ((entry = readdir(folder)) != NULL)
        *is_ours &= is_of_a_page(entry->d_name);
    closedir(folder);
    return true;
}

static void
remove_folder(const char *path)
{
    DIR                 *folder = open_folder(path);
    const struct dirent *entry;

    if (folder == NULL)
        return;
    while ((entry = readdir(folder)) != NULL)
        if (*entry->d_name != '.' && is_of_a_page(entry->d_name))
            unlinkat(dirfd(folder), entry->d_name, 0);
    closedir(folder);
    rmdir(path);
}

static hd_status
make_folder(page_writer *page)
{
    bool is_ours;

    if (has_folder(page->folder, &is_ours) && (!page->options->force || !is_ours)) {
        exists("folder", page->folder);
        if (!is_ours)
            hd_fail_detail("note", "it is more than a folder with values of a page, so it is not replaced");
        return HD_EEXIST;
    }
    return mkdir(page->folder_temporary, 0777) == 0 ? HD_OK : cannot_write(page->path, errno);
}

static hd_status
close_metric(page_writer *page, hd_out_file *out)
{
    hd_out_file_format(out, "*/})\n");
    hd_out_file_flush(out);
    page->beside_bytes += hd_out_file_place(out);
    if (close(out->fd) != 0 && out->error == 0)
        out->error = errno;
    return out->error == 0 ? HD_OK : cannot_write(page->path, out->error);
}

/* The text stands in a comment of a function, which browsers read five times as fast as a text in quotes. */
static hd_status
open_metric(const page_writer *page, uint32_t i, hd_out_file *out)
{
    char     *path = metric_path(page->folder_temporary, i);
    int       file = -1;
    hd_status status = create(page->path, path, &file);

    free(path);
    if (status == HD_OK) {
        hd_out_file_init(out, file, 0);
        hd_out_file_format(out, "heddleMetric(%" PRIu32 ",()=>{/*", i);
    }
    return status;
}

/* From the page's file to one of its own. */
static hd_status
copy_out(page_writer *page, uint32_t i)
{
    char       *buffer;
    uint64_t    at = page->texts[i].at, end = at + page->texts[i].n;
    hd_out_file out;
    hd_status   status = open_metric(page, i, &out), closed;

    if (status != HD_OK)
        return status;
    buffer = HD_NEW_UNSET(char, HD_OUT_FILE_BYTES);
    while (at < end && status == HD_OK) {
        size_t  part = end - at < HD_OUT_FILE_BYTES ? (size_t)(end - at) : HD_OUT_FILE_BYTES;
        ssize_t got  = pread(page->out.fd, buffer, part, (off_t)at);

        if (got > 0)
            hd_out_file_put(&out, buffer, (size_t)got);
        else if (got == 0 || errno != EINTR)
            status = cannot_write(page->path, got == 0 ? EIO : errno);
        at += got > 0 ? (uint64_t)got : 0;
    }
    free(buffer);
    closed = close_metric(page, &out);
    hd_out_file_fini(&out);
    return status == HD_OK ? closed : status;
}

/* ---- the page ---------------------------------------------------------------------------------------------------------- */

static void
put(hd_out_file *out, const char *text)
{
    hd_out_file_put(out, text, strlen(text));
}

static void
put_beginning(page_writer *page)
{
    hd_out_file *out = &page->out;

    put(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<meta name=\"generator\" content=\"Heddle " HEDDLE_VERSION "\">\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data: blob:; "
             "style-src 'unsafe-inline'; script-src 'unsafe-inline'");
    put(out, page->is_beside ? " 'self' file:" : "");
    put(out, "\">\n<title>");
    hd_out_file_put_xml(out, page->title);
    put(out, "</title>\n<style>");
    hd_out_file_put(out, hd_page_style, (size_t)(hd_page_style_end - hd_page_style));
    put(out, "</style>\n</head>\n<body>\n<noscript>This page shows its report with JavaScript, which is switched off here.</noscript>\n");
}

static const char before_script[] = "<script>", behind_script[] = "</script>\n</body>\n</html>\n";

static void
put_end(page_writer *page)
{
    put(&page->out, before_script);
    hd_out_file_put(&page->out, hd_page_script, (size_t)(hd_page_script_end - hd_page_script));
    put(&page->out, behind_script);
}

static uint64_t
end_bytes(void)
{
    return strlen(before_script) + (size_t)(hd_page_script_end - hd_page_script) + strlen(behind_script);
}

static void
put_head(page_writer *page, const char *head, size_t bytes)
{
    put(&page->out, "<script type=\"text/plain\" id=\"heddle-head\">");
    hd_page_pack(page->packer, head, bytes, &page->out);
    put(&page->out, "</script>\n");
}

static bool
is_too_large(const page_writer *page)
{
    uint64_t max = page->options->max_bytes > 0 ? page->options->max_bytes : HD_PAGE_MAX_BYTES;

    return !page->is_beside && hd_out_file_place(&page->out) + end_bytes() > max;
}

/* The metrics so far go to files beside the page, which begins anew. */
static hd_status
move_out(page_writer *page)
{
    hd_status status;

    hd_out_file_flush(&page->out);
    if (page->out.error != 0)
        return cannot_write(page->path, page->out.error);
    status = make_folder(page);
    for (uint32_t i = 0; i < page->n && status == HD_OK; i++)
        status = copy_out(page, i);
    if (status != HD_OK)
        return status;
    if (ftruncate(page->out.fd, 0) != 0)
        return cannot_write(page->path, errno);
    page->is_beside = true;
    page->out.at    = 0;
    put_beginning(page);
    return HD_OK;
}

static hd_status
write_in_page(page_writer *page, const hd_page_rows *rows, uint32_t i)
{
    hd_out_file *out = &page->out;
    hd_status    status;

    hd_out_file_format(out, "<script type=\"text/plain\" id=\"heddle-metric-%" PRIu32 "\">", i);
    page->texts[i].at = hd_out_file_place(out);
    status = hd_page_values_write(rows, page->packer, page->options->stop, out, &page->metrics[i]);
    page->texts[i].n = hd_out_file_place(out) - page->texts[i].at;
    put(out, "</script>\n");
    if (status == HD_OK && out->error != 0)
        status = cannot_write(page->path, out->error);
    return status;
}

static hd_status
write_beside(page_writer *page, const hd_page_rows *rows, uint32_t i)
{
    hd_out_file out;
    hd_status   status = open_metric(page, i, &out), closed;

    if (status != HD_OK)
        return status;
    status = hd_page_values_write(rows, page->packer, page->options->stop, &out, &page->metrics[i]);
    closed = close_metric(page, &out);
    hd_out_file_fini(&out);
    return status == HD_OK ? closed : status;
}

static hd_status
write_values(page_writer *page, const hd_page_rows *rows, uint32_t number)
{
    uint32_t  i = page->n;
    hd_status status;

    page->numbers[i] = number;
    status           = page->is_beside ? write_beside(page, rows, i) : write_in_page(page, rows, i);
    page->n++;
    return status == HD_OK && is_too_large(page) ? move_out(page) : status;
}

typedef struct cube_metric { /* one of the report, while it is written */
    hd_cube *cube;
    uint32_t number;
} cube_metric;

static hd_status
cube_row(void *context, uint32_t path, double *values, bool *any)
{
    const cube_metric *metric = context;

    return hd_cube_row(metric->cube, metric->number, path, values, any);
}

/* Computation, or the next best that the report has and the page can hold; HD_NONE: nothing that tells. */
static uint32_t
work_metric(const hd_cube *cube)
{
    static const char *const ids[] = { "comp", "execution" };

    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        uint32_t metric = hd_cube_metric_by_id(cube, ids[i]);

        if (metric != HD_NONE && hd_page_can_hold(&cube->metrics[metric]))
            return metric;
    }
    return HD_NONE;
}

static hd_status
write_metrics(page_writer *page, hd_cube *cube)
{
    size_t    n           = (page->options->reference != NULL ? 2 : 1) * (size_t)cube->n_metrics + 1;
    uint32_t  work        = work_metric(cube);
    double   *of_location = HD_NEW_UNSET(double, (size_t)cube->n_locations + 1);
    hd_status status      = HD_OK;

    page->numbers = HD_NEW_ARRAY(uint32_t, n);
    page->metrics = HD_NEW_ARRAY(hd_page_metric, n);
    page->texts   = HD_NEW_ARRAY(hd_page_place, n);
    for (uint32_t number = 0; number < cube->n_metrics && status == HD_OK; number++) {
        cube_metric metric = { .cube = cube, .number = number };

        if (hd_page_can_hold(&cube->metrics[number]))
            status = write_values(page, &(hd_page_rows){ .metric = &cube->metrics[number], .n_paths = cube->n_paths,
                                                         .n_columns = cube->n_locations, .row = cube_row, .context = &metric,
                                                         .of_column = number == work ? of_location : NULL }, number);
    }
    if (work != HD_NONE && status == HD_OK)
        page->balance = hd_page_balance_of(cube, of_location);
    free(of_location);
    page->n_of_report = page->n;
    return status;
}

static hd_status
write_reference(page_writer *page, hd_cube *cube)
{
    hd_status status = HD_OK;

    page->reference = hd_page_reference_new(cube, page->options->reference);
    for (uint32_t i = 0; i < page->n_of_report && status == HD_OK; i++) {
        hd_page_reference_metric metric;
        hd_page_rows             rows;

        if (hd_page_reference_rows(page->reference, page->numbers[i], &metric, &rows))
            status = write_values(page, &rows, page->numbers[i]);
    }
    return status;
}

/* Sums of the call paths: what the overview shows, without the values of all locations. */
static void
put_sums(page_writer *page)
{
    for (uint32_t i = 0; i < page->n; i++) {
        const hd_page_metric *metric = &page->metrics[i];

        if (metric->of_path == NULL)
            continue;
        hd_out_file_format(&page->out, "<script type=\"text/plain\" id=\"heddle-paths-%" PRIu32 "\">", i);
        hd_page_pack_numbers(page->packer, NULL, metric->of_path, metric->n_paths, &page->out);
        put(&page->out, "</script>\n");
    }
}

/* What is in the page, whether metrics are or not: the matrix, sums of the call paths, and the head. */
static hd_status
write_rest(page_writer *page, hd_cube *cube)
{
    char     *text   = NULL;
    size_t    bytes  = 0;
    hd_status status = page->options->difference.put != NULL ? HD_OK : hd_page_matrix_write(cube, page->packer, &page->out);

    put_sums(page);
    if (status == HD_OK)
        status = hd_page_head_make(cube, &(hd_page_head){ .balance = page->balance, .title = page->title, .folder = page->is_beside ? base_name(page->folder) : NULL,
                                         .startup = page->startup, .difference = page->options->difference, .numbers = page->numbers,
                                         .metrics = page->metrics, .n_metrics = page->n_of_report, .reference = page->reference, .n_references = page->n - page->n_of_report,
                                         .sources = page->options->sources, .found = &page->sources },
                               &text, &bytes);
    if (status == HD_OK)
        put_head(page, text, bytes);
    free(text);
    return status;
}

static hd_status
write_report(page_writer *page, hd_cube *cube)
{
    hd_startup startups[2] = { { 0 } };
    hd_cube   *second      = page->options->reference, *const cubes[] = { cube, second };
    bool       skips       = !page->options->with_startup && page->options->difference.put == NULL;
    hd_status  status      = skips ? hd_startup_skip_in_all(cubes, second != NULL ? 2 : 1, startups) : HD_OK;

    page->startup = hd_startup_text(&startups[0]);
    if (status == HD_OK)
        status = write_metrics(page, cube);
    if (status == HD_OK && second != NULL)
        status = write_reference(page, cube);
    if (status == HD_OK)
        status = write_rest(page, cube);
    if (status == HD_OK && is_too_large(page) && page->n > 0) {
        status = move_out(page);
        if (status == HD_OK)
            status = write_rest(page, cube);
    }
    return status;
}

/* ---- from name to name ------------------------------------------------------------------------------------------------- */

static hd_status
open_page(page_writer *page, const char *path, const hd_page_options *options, const char *title)
{
    hd_status status = hd_page_probe(path, options->force);
    int       error;

    *page = (page_writer){ .path = path, .options = options, .out.fd = -1 };
    if (status != HD_OK)
        return status;
    page->folder           = hd_page_folder(path);
    page->folder_temporary = temporary_name(page->folder);
    page->folder_aside     = hd_format("%s.old-%jd", page->folder, (intmax_t)getpid());
    page->title            = hd_strdup(options->title != NULL ? options->title : title);
    page->packer           = hd_page_packer_new();
    error                  = hd_new_file_open(&page->file, path, false);
    hd_out_file_init(&page->out, page->file.fd, 0);
    if (error != 0)
        return cannot_write(path, error);
    put_beginning(page);
    return HD_OK;
}

static hd_status
name_page(page_writer *page)
{
    int error = hd_new_file_commit(&page->file, page->options->force);

    if (error == EEXIST && !page->options->force)
        return exists("page", page->path);
    return error == 0 ? HD_OK : cannot_write(page->path, error);
}

/* An older page's folder stays until the page has its name. */
static hd_status
name_with_folder(page_writer *page)
{
    bool      was_there = rename(page->folder, page->folder_aside) == 0;
    hd_status status    = HD_OK;

    if (rename(page->folder_temporary, page->folder) != 0)
        status = cannot_write(page->path, errno);
    else {
        status = name_page(page);
        if (status != HD_OK)
            remove_folder(page->folder);
    }
    if (was_there && status != HD_OK)
        (void)rename(page->folder_aside, page->folder); /* else it stays aside */
    else if (was_there)
        remove_folder(page->folder_aside);
    return status;
}

static hd_status
name_alone(page_writer *page)
{
    hd_status status = name_page(page);
    bool      is_ours;

    if (status == HD_OK && page->options->force && has_folder(page->folder, &is_ours) && is_ours)
        remove_folder(page->folder); /* of the page that was there */
    return status;
}

/* Ends the page: whatever the status, nothing unfinished is left. */
static hd_status
close_page(page_writer *page, hd_status status, hd_page_written *written)
{
    uint64_t bytes = 0;

    if (page->out.fd >= 0) {
        if (status == HD_OK)
            put_end(page);
        hd_out_file_flush(&page->out);
        bytes = hd_out_file_place(&page->out);
        if (status == HD_OK && page->out.error != 0)
            status = cannot_write(page->path, page->out.error);
        if (status == HD_OK)
            status = page->is_beside ? name_with_folder(page) : name_alone(page);
        if (status != HD_OK)
            remove_folder(page->folder_temporary);
    }
    hd_new_file_fini(&page->file);
    if (status == HD_OK && written != NULL)
        *written = (hd_page_written){ .page_bytes = bytes, .beside_bytes = page->beside_bytes, .sources = page->sources };
    if (status == HD_OK && written != NULL && page->reference != NULL) {
        written->n_paths  = page->reference->reports[0]->n_paths;
        written->n_common = page->reference->n_common;
    }
    hd_out_file_fini(&page->out);
    hd_page_packer_free(page->packer);
    for (uint32_t i = 0; page->metrics != NULL && i < page->n; i++)
        hd_page_metric_fini(&page->metrics[i]);
    free(page->metrics);
    free(page->numbers);
    free(page->texts);
    free(page->folder);
    free(page->folder_temporary);
    free(page->folder_aside);
    free(page->title);
    free(page->startup);
    hd_page_reference_free(page->reference);
    return status;
}

/* free() it. */
static char *
title_of(const hd_cube *cube)
{
    const char *simulation = hd_cube_attribute_get(cube, HD_SIMULATION_ATTRIBUTE);

    return simulation == NULL ? hd_strdup(base_name(cube->path))
                              : hd_format("%s, simulated: %s", base_name(cube->path), simulation);
}

hd_status
hd_page_write(hd_cube *cube, const char *path, const hd_page_options *options, hd_page_written *written)
{
    page_writer page;
    char       *title;
    hd_status   status;

    if (hd_is_same_file(cube->path, path))
        return hd_fail(HD_EUSAGE, "the page cannot have the name of the report, \"%s\"", cube->path);
    title  = title_of(cube);
    status = open_page(&page, path, options, title);
    free(title);
    if (status == HD_OK)
        status = write_report(&page, cube);
    return close_page(&page, status, written);
}

hd_status
hd_page_write_head(const char *head, size_t head_bytes, const char *path, const hd_page_options *options)
{
    page_writer page;
    hd_status status;

    HD_ASSERT(options->title != NULL);
    status = open_page(&page, path, options, options->title);
    if (status == HD_OK)
        put_head(&page, head, head_bytes);
    return close_page(&page, status, NULL);
}
