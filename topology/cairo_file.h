/* topology/cairo_file.h: draws with cairo into a PNG or SVG file. Private to the component.
 *
 * Cairo brings fonts and X11, which compute nodes often lack, so it is loaded when a picture is drawn. Uses: picture,
 * module. MT: one thread. Ranks: local.
 */
#ifndef HD_CAIRO_FILE_H
#define HD_CAIRO_FILE_H

#include <cairo-svg.h>
#include <cairo.h>

#include "picture.h"

/* All that is used of it. */
#define HD_CAIRO_FUNCTIONS(X) \
    X(cairo_arc) \
    X(cairo_create) \
    X(cairo_destroy) \
    X(cairo_fill) \
    X(cairo_image_surface_create) \
    X(cairo_line_to) \
    X(cairo_move_to) \
    X(cairo_paint) \
    X(cairo_rectangle) \
    X(cairo_select_font_face) \
    X(cairo_set_antialias) \
    X(cairo_set_font_size) \
    X(cairo_set_line_width) \
    X(cairo_set_source_rgb) \
    X(cairo_show_text) \
    X(cairo_status) \
    X(cairo_status_to_string) \
    X(cairo_stroke) \
    X(cairo_surface_destroy) \
    X(cairo_surface_finish) \
    X(cairo_surface_status) \
    X(cairo_surface_write_to_png) \
    X(cairo_svg_surface_create)

typedef struct hd_cairo_calls {
#define HD_CAIRO_MEMBER(function) __typeof__(&function) function;
    HD_CAIRO_FUNCTIONS(HD_CAIRO_MEMBER)
#undef HD_CAIRO_MEMBER
} hd_cairo_calls;

/* width, height: [pixels] of a PNG. draw: on a new surface. Errors: HD_EOPEN, there is no cairo; HD_EWRITE. What was
 * written is removed then. */
hd_status hd_cairo_file_draw(const char *path, hd_picture_kind kind, double width, double height,
                             void (*draw)(const hd_cairo_calls *calls, cairo_t *cairo, void *context), void *context);

#endif
