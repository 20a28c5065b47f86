/* src/cli/commands/picture_file.h: a picture as a file of its own, for the commands that draw.
 * Uses: picture, new_file. MT: main thread only. Ranks: local.
 */
#ifndef HD_PICTURE_FILE_H
#define HD_PICTURE_FILE_H

#include "line_chart.h"
#include "picture.h"

typedef struct hd_picture_file {
    const char     *path;
    const char     *option; /* that has the path: "--output" */
    hd_picture_kind kind;
    bool            force;  /* a file that is there is replaced */
} hd_picture_file;

/* What an option ("--picture") says by its ending, in letters of any case; PNG where path is NULL. Errors: HD_EUSAGE,
 * neither .png nor .svg. */
hd_status hd_picture_file_kind(const char *option, const char *path, hd_picture_kind *kind);

/* Errors: HD_EEXIST, a file is there and force is not; those of hd_picture_draw(). Nothing is left then. */
hd_status hd_picture_file_draw(const hd_picture_file *file, const hd_picture *picture);
hd_status hd_picture_file_chart(const hd_picture_file *file, const hd_line_chart *chart);

#endif
