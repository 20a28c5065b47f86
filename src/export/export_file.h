/* src/export/export_file.h: a text file of an export: new, compressed by its name, or standard output.
 *
 * It gets its name when it is complete (new_file.h); a device or a pipe that is there is written to as it is.
 * Uses: new_file; zlib inside. Owner: the caller embeds it, zeroed. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_EXPORT_FILE_H
#define HD_EXPORT_FILE_H

#include <stdio.h>

#include "new_file.h"
#include "status.h"

typedef struct hd_export_file {
    FILE       *stream; /* to write to; errors stay with it until the file is closed */
    hd_new_file file;
    char       *path;
    bool        force;
    bool        is_stdout;
    bool        is_device;  /* or a pipe */
} hd_export_file;

/* path: "-": standard output; with ".gz" at its end: compressed. Errors: HD_EEXIST, it is there and force is not;
 * HD_EWRITE. */
hd_status hd_export_file_open(hd_export_file *file, const char *path, bool force);

/* Gives the file its name, or removes it if it is not to be kept. Fine if it was not opened. Errors: HD_EWRITE,
 * HD_EEXIST; HD_ESTOPPED, nobody reads standard output any more. */
hd_status hd_export_file_close(hd_export_file *file, bool is_kept);

#endif
