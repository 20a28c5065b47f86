/* src/record/launch/recording_folder.h: the folder of a recording, which all processes of a job find or make.
 *
 *   DIR/raw/job          the identity of the job
 *   DIR/raw/done-RANK    that rank's program has ended
 *   DIR/raw/failed       a process has said that its program failed
 *   DIR/raw/finishing    somebody makes the archive
 *
 * Uses: base, recording_job. MT: main thread only. Ranks: each of a job calls it with the same arguments, without
 * communication.
 */
#ifndef HD_RECORDING_FOLDER_H
#define HD_RECORDING_FOLDER_H

#include "recording_job.h"
#include "status.h"

/* Makes it, or finds that another process of the job has made it.
 *   absolute   out: its path; free() it
 * Errors: HD_EEXIST, it is there, and is another job's; HD_EWRITE. */
hd_status hd_recording_folder_make(const char *path, const hd_recording_job *job, char **absolute);

/* The same with "heddle-PROGRAM-TIME" here. If the job has several programs, the name is that of one of them. Programs
 * that a rank's script starts one after the other have a folder each. */
hd_status hd_recording_folder_make_named(const char *program, const hd_recording_job *job, char **absolute);

/* The rank's program has ended. is_last: out, all have, and this process is to make the archive. Errors: HD_EWRITE;
 * HD_EEXIST, it is another job's by now, and stays as it is. */
hd_status hd_recording_folder_leave(const char *absolute, const hd_recording_job *job, bool *is_last);

/* Whether a program of the job has recorded something, and no other process has asked yet. */
bool hd_recording_folder_is_first_failure(const char *absolute);

#endif
