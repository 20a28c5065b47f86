/* src/cli/core/new_archive.h: a new archive in a folder of its own: a part of another one, or another one with other
 * times. Uses: extract. MT: main thread only. Ranks: local.
 */
#ifndef HD_NEW_ARCHIVE_H
#define HD_NEW_ARCHIVE_H

#include "extract.h"

/* Whether the folder can be made: before the work. anchor: of the archive that it is made of. Errors: HD_EEXIST, it is
 * there and not to be replaced; HD_EUSAGE, it holds that archive; HD_EWRITE. */
hd_status hd_new_archive_probe(const char *path, bool force, const char *anchor);

/* Written aside, as PATH.tmp-<process id>, and renamed. force: a folder with an archive and nothing else is replaced.
 * request->directory is not looked at. Errors: as above, and those of hd_extract_write(). */
hd_status hd_new_archive_write(const char *path, bool force, const hd_extract_request *request,
                               hd_extract_result *result);

/* Prints a warning for each kind of loss. Whether there is any. */
bool hd_new_archive_tell_losses(const hd_defs *defs, const hd_extract_result *result);

#endif
