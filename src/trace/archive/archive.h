/* src/trace/archive/archive.h: an OTF2 archive: its anchor and its files.
 *
 * otf2.h is included below src/trace only. Uses: base. MT: main thread only. Ranks: local.
 */
#ifndef HD_ARCHIVE_H
#define HD_ARCHIVE_H

#include "status.h"
#include "types.h"

/* From now on the OTF2 library prints no errors of its own: what is wrong is ours to say, and they would come once per
 * rank and file. */
void hd_archive_keep_otf2_quiet(void);

/* Does what closes files, up to the first error of libotf2, and gives that: it frees what it could not write, and
 * writes it once more in the same call. After an error the archive is not to be used again, nor closed. Errors are
 * numbers of OTF2_ErrorCode, 0: none. */
int hd_archive_close_guarded(int (*close)(void *user), void *user);

/* The anchor that the user means: the path itself, or "traces.otf2" in it if it is a folder. Owner: the caller,
 * free() it.
 * Errors: HD_EOPEN, not there or not readable; HD_EFORMAT, no name that an anchor can have (*.otf2), as that of a
 * report. They name archives in the folder, and one level below. */
hd_status hd_archive_find(const char *path, char **anchor);

/* Says what is wrong with an anchor that the OTF2 library does not open: HD_EFORMAT, of a newer OTF2, in SIONlib
 * containers, compressed, or else no OTF2 archive. */
hd_status hd_archive_refuse(const char *anchor);

/* Whether its event files are of a format that is known here: one for each location, not compressed, of OTF2 1 to 3. */
bool hd_archive_is_plain(const char *anchor);

/* Whether the folder of event files is there and is not empty: for archives that have events. SIONlib containers
 * are not looked at. Errors: HD_EOPEN. */
hd_status hd_archive_check_events(const char *anchor);

/* Sum of the sizes of its files [bytes]; 0 for what cannot be looked at. has_local_definitions: out, whether a location
 * has such a file. */
uint64_t hd_archive_bytes(const char *anchor, bool *has_local_definitions);

/* Whether a file that is there is one of the archive's: its anchor, its definitions, or in its folder. */
bool hd_archive_has_file(const char *anchor, const char *path);

/* "<folder>/<name>/<location>.<suffix>" of a location's file; free() it. */
char *hd_archive_file(const char *anchor, uint64_t location_ref, const char *suffix);

#endif
