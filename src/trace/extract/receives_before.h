/* src/trace/extract/receives_before.h: which receives in the part have a message that was sent before it. Inside of
 * extract only.
 *
 * When all before the part is counted (crossing.h), a channel on which d more messages were sent than received owes d
 * receives: those that were posted first. They may be completed later than others, even after the part: the location is
 * read until they are known. Uses: crossing, read. MT: one thread. Ranks: local. Grows with: receives on channels that
 * owe some, until they are known.
 */
#ifndef HD_RECEIVES_BEFORE_H
#define HD_RECEIVES_BEFORE_H

#include "crossing.h"
#include "event_files.h"

/* Finds them for a location; they are not owed any more.
 *   files    defines the location, and has not read it
 *   from     begin of the part
 *   before   out, [n] ascending: positions among the receives of the location in the part; free() it
 * Errors: those of hd_event_files_read(). */
hd_status hd_receives_before_find(hd_crossing *crossing, hd_event_files *files, const hd_defs *defs, uint32_t location,
                                  hd_time from, size_t **before, size_t *n);

#endif
