/* tests/trace/read/every_kind_archive.h: an archive with records of all kinds, any values in their fields. */
#ifndef EVERY_KIND_ARCHIVE_H
#define EVERY_KIND_ARCHIVE_H

#include "types.h"

/* Writes FOLDER/traces.otf2 with three locations by the OTF2 library: n_records each of all kinds in turn, some with
 * attributes. The first location has its own numbers, in dense and sparse tables, the second one clock offsets. Values
 * have any number of bytes; seed chooses them. Ends the program if it cannot be written. */
void every_kind_write(const char *folder, uint64_t n_records, uint64_t seed);

#endif
