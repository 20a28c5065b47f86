/* src/record/launch/job_claim.h: one process of a job does what all of its processes on the node would do, without
 * communication: it says an error that all of them have. Or they do it one after the other.
 *
 * The claim is a name of a Unix socket without a file, which the system frees when the process ends.
 * Uses: recording_job. MT: any. Ranks: each of a job may call it.
 */
#ifndef HD_JOB_CLAIM_H
#define HD_JOB_CLAIM_H

#include "recording_job.h"

/* Whether no process of the job that runs has claimed the text before, on this node; also true where that cannot be
 * known. A claim ends with its process, so this is not to end before others have come to the same: within
 * HD_JOB_CLAIM_SECONDS. */
#define HD_JOB_CLAIM_SECONDS 1.0
bool hd_job_claim(const hd_recording_job *job, const char *text);

/* The same, ended by close(*handle), which is -1 where it cannot be known. */
bool hd_job_claim_take(const hd_recording_job *job, const char *text, int *handle);

#endif
