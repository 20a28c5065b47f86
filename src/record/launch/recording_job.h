/* src/record/launch/recording_job.h: which job this process is a part of, and which rank of it.
 * Uses: base. MT: main thread only. Ranks: each of a job has the same answer, but its rank, without communication.
 */
#ifndef HD_RECORDING_JOB_H
#define HD_RECORDING_JOB_H

#include "types.h"

typedef struct hd_recording_job {
    char    *identity; /* the same for all processes of a job, and no other's */
    char    *time;     /* when it began: "20261124-031502-1234" */
    uint32_t rank, size; /* of the launcher; 0 and 1 without one */
} hd_recording_job;

/* As the environment and the parent of this process say. under_launcher: a launcher started this process. Owner:
 * hd_recording_job_fini(). */
hd_recording_job hd_recording_job_of(bool under_launcher);
void             hd_recording_job_fini(hd_recording_job *job);

#endif
