/* src/base/scratch_files.h: the mapped files of a scratch, and their space.
 * Uses: scratch_state. Owner: the scratch. MT: under its lock. Ranks: local.
 * Errors: the first failure is kept in scratch->error, after that no file is made.
 */
#ifndef HD_SCRATCH_FILES_H
#define HD_SCRATCH_FILES_H

#include "scratch_state.h"

enum { HD_SCRATCH_SEGMENT_BYTES = 256 << 10 }; /* of the first file for small blocks */

/* Whether files can be made in the directory, and on what file system it is. Without the lock, before the scratch is
 * used.
 * Errors: HD_EOPEN, HD_EWRITE. */
hd_status hd_scratch_try_directory(hd_scratch *scratch);

/* A new file of `bytes`, mapped; its number in scratch->files, HD_NONE: there is no space. may_grow: it keeps its
 * descriptor, where few enough files do. */
uint32_t hd_scratch_add_file(hd_scratch *scratch, size_t bytes, bool may_grow);
void     hd_scratch_remove_file(hd_scratch *scratch, uint32_t number);

/* Makes a file with a descriptor longer or shorter, which may move it. False: there is no space, and it is as it
 * was. */
bool hd_scratch_resize_file(hd_scratch *scratch, hd_mapped_file *file, size_t bytes);

/* The file cannot be resized any more. Fine where it has no descriptor. */
void hd_scratch_close_descriptor(hd_scratch *scratch, hd_mapped_file *file);

#endif
