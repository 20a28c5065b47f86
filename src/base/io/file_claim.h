/* src/base/io/file_claim.h: a claim on the name of a file that is about to be written, so that a second program that is
 * to write the same one ends at its start, not after its work.
 *
 * It is a locked file PATH.lock, which says who has it. What a program that was killed leaves is not locked any more,
 * and is taken by the next one. Where the file system knows no locks there are no claims: both write, the last one
 * wins, and the file is whole all the same (new_file.h).
 * Uses: base. Owner: the caller. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_FILE_CLAIM_H
#define HD_FILE_CLAIM_H

#include "types.h"

typedef struct hd_file_claim { /* one of zeros is none */
    char *path; /* of the lock */
    int   fd;
    bool  is_held;
} hd_file_claim;

/* false: another process has it; *who: "process 4711 on node7", free() it. */
bool hd_file_claim_take(hd_file_claim *claim, const char *path, char **who);

/* The claim of another rank of this job; this one can only abandon it. */
void hd_file_claim_share(hd_file_claim *claim, const char *path);

/* Whoever of the job has it: the job ends, killed by this rank. Fine in a signal handler. */
void hd_file_claim_abandon(hd_file_claim *claim);

void hd_file_claim_drop(hd_file_claim *claim); /* fine if it is none, and in a signal handler before that ends the
                                                * program */
void hd_file_claim_fini(hd_file_claim *claim); /* drops it, and frees */

#endif
