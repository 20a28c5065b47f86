/* src/record/finish/folder_removal.h: removes folders of many files, by several threads.
 *
 * Uses: base. MT: main thread only. Ranks: local.
 */
#ifndef HD_FOLDER_REMOVAL_H
#define HD_FOLDER_REMOVAL_H

#include "status.h"

/* Removes the files of a folder, and it; folders in it are removed first, so many levels deep. What others put there
 * meanwhile is removed, too, for a second. */
hd_status hd_folder_remove(const char *path, int depth);

/* Those in a directory whose names begin so. What cannot be removed stays. */
void hd_folders_remove(const char *directory, const char *begin, int depth);

#endif
