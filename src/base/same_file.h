/* src/base/same_file.h: whether two names are of one file. Uses: memory. MT: any thread. Ranks: local. */
#ifndef HD_SAME_FILE_H
#define HD_SAME_FILE_H

#include "types.h"

/* Both are there, and are the same by device and inode, links followed. */
bool hd_is_same_file(const char *a, const char *b);
/* Both are names of one file, which need not be there yet. */
bool hd_is_same_name(const char *a, const char *b);

#endif
