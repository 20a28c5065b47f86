/* src/cli/commands/picture_file.c: draws aside first, so that nothing half-drawn stands under the name. */
#include "picture_file.h"

#include <unistd.h>

#include "new_file.h"

hd_status
hd_picture_file_kind(const char *option, const char *path, hd_picture_kind *kind)
{
    *kind = path == NULL || hd_file_has_ending(path, ".png") ? HD_PICTURE_PNG : HD_PICTURE_SVG;
    if (path == NULL || hd_file_has_ending(path, ".png") || hd_file_has_ending(path, ".svg"))
        return HD_OK;
    return hd_fail(HD_EUSAGE, "%s: \"%s\" ends neither in .png nor in .svg", option, path);
}

/* what: for draw, which draws it. */
static hd_status
draw_aside(const hd_picture_file *file, const void *what,
           hd_status (*draw)(const void *what, const char *path, hd_picture_kind kind))
{
    hd_new_file new_file;
    hd_status   status = HD_OK;
    int         error;

    if (!file->force && access(file->path, F_OK) == 0) {
        hd_fail(HD_EEXIST, "\"%s\" exists already", file->path);
        hd_fail_detail("try", "--force, or another %s", file->option);
        return HD_EEXIST;
    }
    error = hd_new_file_open(&new_file, file->path, true);
    if (error == 0)
        status = draw(what, new_file.temporary, file->kind);
    if (error == 0 && status == HD_OK)
        error = hd_new_file_commit(&new_file, file->force);
    if (error != 0)
        status = hd_fail(HD_EWRITE, "cannot write \"%s\": %s", file->path, hd_new_file_why(error));
    hd_new_file_fini(&new_file);
    return status;
}

static hd_status
draw_picture(const void *picture, const char *path, hd_picture_kind kind)
{
    return hd_picture_draw(picture, path, kind);
}

hd_status
hd_picture_file_draw(const hd_picture_file *file, const hd_picture *picture)
{
    return draw_aside(file, picture, draw_picture);
}

static hd_status
draw_chart(const void *chart, const char *path, hd_picture_kind kind)
{
    return hd_line_chart_draw(chart, path, kind);
}

hd_status
hd_picture_file_chart(const hd_picture_file *file, const hd_line_chart *chart)
{
    return draw_aside(file, chart, draw_chart);
}
