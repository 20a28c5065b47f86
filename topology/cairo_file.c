/* topology/cairo_file.c: loads cairo, and makes files. */
#include "cairo_file.h"

#include <stdlib.h>
#include <unistd.h>

#include "module.h"

#define CAIRO_LIBRARY "libcairo.so.2"

static hd_status
load_cairo(hd_cairo_calls *calls)
{
    char *why     = NULL;
    void *library = hd_library_open(CAIRO_LIBRARY, HD_CAIRO_FOLDER, &why);

#define FIND(function) \
    if (library != NULL) \
        *(void **)&calls->function = hd_library_symbol(&library, #function, &why);
    HD_CAIRO_FUNCTIONS(FIND)
#undef FIND
    if (library != NULL)
        return HD_OK;
    hd_fail(HD_EOPEN, "%s, which draws pictures, cannot be loaded", CAIRO_LIBRARY);
    hd_fail_detail("because", "%s", why);
    hd_fail_detail("try", "--tsv, or install cairo");
    free(why);
    return HD_EOPEN;
}

hd_status
hd_cairo_file_draw(const char *path, hd_picture_kind kind, double width, double height,
                   void (*draw)(const hd_cairo_calls *calls, cairo_t *cairo, void *context), void *context)
{
    hd_cairo_calls   calls;
    cairo_surface_t *surface;
    cairo_status_t   status;
    cairo_t         *cairo;

    if (load_cairo(&calls) != HD_OK)
        return HD_EOPEN;
    surface = kind == HD_PICTURE_SVG ? calls.cairo_svg_surface_create(path, width, height) :
                                       calls.cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
    cairo   = calls.cairo_create(surface);
    draw(&calls, cairo, context);
    status = calls.cairo_status(cairo);
    calls.cairo_destroy(cairo);
    if (status == CAIRO_STATUS_SUCCESS && kind == HD_PICTURE_PNG)
        status = calls.cairo_surface_write_to_png(surface, path);
    calls.cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = calls.cairo_surface_status(surface);
    calls.cairo_surface_destroy(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        return HD_OK;
    unlink(path);
    return hd_fail(HD_EWRITE, "cannot write \"%s\": %s", path, calls.cairo_status_to_string(status));
}
