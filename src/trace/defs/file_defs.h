/* src/trace/defs/file_defs.h: from the definitions of files, interfaces and handles to those of defs.h. Inside of defs
 * only. */
#ifndef HD_FILE_DEFS_H
#define HD_FILE_DEFS_H

#include "raw_defs.h"

/* Fills files, file_handles (one for each of io_handles) and file_comms, once all definitions are read. */
void hd_file_defs_join(raw_defs *raw);

#endif
