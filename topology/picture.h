/* topology/picture.h: the values of a view as text for a terminal, and as a PNG or SVG file.
 *
 * Colours go from the least to the most value, dark to bright (the viridis scale, which is even for the eye and for
 * colour-blind readers); a place without values is left blank. Names are untrusted: they are drawn as text, control
 * characters as '?'.
 * Uses: view; cairo inside. MT: one thread. Ranks: local.
 */
#ifndef HD_PICTURE_H
#define HD_PICTURE_H

#include <stdio.h>

#include "view.h"

typedef struct hd_picture {
    const hd_view *view;
    const hd_grid *grid;
    const char    *title;      /* "Late Sender, of main;solve and what it calls" */
    const char    *unit;       /* "s"; "" for counts */
    bool           is_integer; /* values are whole numbers */
    bool           is_over_time; /* columns are times: where there are many, rows are drawn higher than columns wide */
} hd_picture;

/* width: columns of the terminal; 0: any. A wider picture, and one of more than a million places, is made smaller: a
 * block is the mean of k x k places then, and a line says so. Without colours a digit per place is the tenth of the
 * range that its value is in. Errors of writing stay with the stream. */
void hd_picture_print(const hd_picture *picture, FILE *file, bool has_colour, uint32_t width);

typedef enum hd_picture_kind { HD_PICTURE_PNG, HD_PICTURE_SVG } hd_picture_kind;

/* Draws into a new file. Errors: HD_EWRITE; HD_EUSAGE: heddle was built without cairo. What was written is removed
 * then. */
hd_status hd_picture_draw(const hd_picture *picture, const char *path, hd_picture_kind kind);

/* Private to the component. share: 0 .. 1 of the range; rgb: 0 .. 1 */
void hd_picture_colour(double share, double rgb[3]);
double hd_picture_share(const hd_grid_range *range, double value);
/* "0.17 s"; free() it */
char *hd_picture_value(const hd_picture *picture, double value);
/* "x=3 y=0", of a cell of the picture's grid; free() it */
char *hd_picture_place(const hd_picture *picture, uint64_t cell);
/* "across: x   down: y   at z=3   summed up over t"; free() it */
char *hd_picture_axes(const hd_picture *picture);
/* A smaller grid, each cell the mean of up to k x k cells that have values. k > 0 */
void hd_grid_shrink(const hd_grid *grid, uint32_t k, hd_grid *small);

#endif
