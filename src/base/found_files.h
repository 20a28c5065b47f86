/* src/base/found_files.h: files that a user perhaps meant, as a part of an error.
 *
 * Uses: status. MT: one thread. Ranks: local.
 */
#ifndef HD_FOUND_FILES_H
#define HD_FOUND_FILES_H

#include <stddef.h>

/* Adds to the error of this thread a line "found" with files in a folder whose names end in `ending`, and with files
 * called `name` one level below: in the order of their names, three at most and how many more. folder: "." for the
 * one where the program runs.
 * Returns how many there are; 0: no line is added. Folders with more than 10000 entries are not searched. */
size_t hd_fail_found(const char *folder, const char *ending, const char *name);

#endif
