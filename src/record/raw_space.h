/* src/record/raw_space.h: space in files of a recording, within the recorded program. What lacks is an error here, and
 * neither ends the program by a signal (SIGXFSZ, or SIGBUS at a store into a mapped file) nor prints anything.
 * Uses: nothing. MT: any thread, and signal handlers. Ranks: local.
 */
#ifndef HD_RAW_SPACE_H
#define HD_RAW_SPACE_H

#include <stdint.h>

/* Takes [bytes] of a file from an offset on, before they are mapped. Where the file system cannot, the file is only
 * made longer. NULL: done; else why not, a constant for the user. */
const char *hd_raw_space_take(int fd, uint64_t offset, uint64_t bytes);

/* Writes [bytes] at an offset. NULL: done; else why not, and some may be written. */
const char *hd_raw_space_write(int fd, const void *from, uint64_t bytes, uint64_t offset);

#endif
