/* src/trace/extract/extract.h: a part of an archive as an archive of its own (docs/user-guide.md#extract).
 *
 * All definitions, and of each location the events of the part; what was open when it begins (regions, the program,
 * teams, tasks) is begun again at its begin, what is open in the end is ended there, so that a reader finds everything
 * nested as it should be. Time stamps are those of the archive as they are read: corrected. Records of messages and
 * collective operations whose other side is before the part are left out (crossing.h); those whose other side is after
 * it stay.
 *
 * What is lost in the part is lost in the new archive, too, in ways that its readers know: more events are announced
 * than there are, and where the records of a location end within the part nothing is ended there, so that a process
 * that was stopped is one that was stopped. Who stopped before the part has its last calls in it, begun and not ended.
 * Uses: read, log. MT: main thread only. Ranks: local.
 */
#ifndef HD_EXTRACT_H
#define HD_EXTRACT_H

#include "extract_result.h"
#include "status.h"

/* Cost: all events up to the end of the part are read, those before it twice; a location's open regions are kept at a
 * time, and 32 bytes for each channel used before the part.
 * Errors: HD_EOPEN; HD_EREAD, also where the file system fails to read a file that is there; HD_EWRITE, also when it is
 * to stop: the directory is there, incomplete. */
hd_status hd_extract_write(const hd_extract_request *request, hd_extract_result *result);

#endif
