/* src/record/finish/raw_profile_file.h: the call paths that a location has left (raw_profile.h), checked.
 *
 * Parents have smaller numbers than the paths below them.
 * Uses: raw_files, raw_profile. Owner: hd_raw_profile_close(). MT: any thread. Ranks: local. Grows with: nothing; paths
 * stay in the mapped file.
 */
#ifndef HD_RAW_PROFILE_FILE_H
#define HD_RAW_PROFILE_FILE_H

#include "raw_files.h"
#include "raw_profile.h"

typedef struct hd_raw_profile_file {
    const hd_raw_profile *head; /* NULL: the location has none */
    const hd_raw_path    *paths; /* [n] the first is the root */
    uint32_t              n;
    size_t                n_bytes;
} hd_raw_profile_file;

/* Maps it. One that is not there, or has no root, is empty. Errors: HD_EOPEN, HD_EREAD; HD_EFORMAT, paths are in no
 * order. */
hd_status hd_raw_profile_open(const hd_raw_files *files, const hd_raw_process *process, uint32_t number,
                              hd_raw_profile_file *file);
void      hd_raw_profile_close(hd_raw_profile_file *file);

#endif
