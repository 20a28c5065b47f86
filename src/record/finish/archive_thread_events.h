/* src/record/finish/archive_thread_events.h: writes teams, tasks, who has a lock, and threads that the program
 * creates.
 *
 * Uses: raw_files. MT: several threads, each with a writer of its own. Ranks: local.
 */
#ifndef HD_ARCHIVE_THREAD_EVENTS_H
#define HD_ARCHIVE_THREAD_EVENTS_H

#include <otf2/otf2.h>

#include "raw_log.h"

/* record: THREAD_FORK or THREAD_JOIN. */
OTF2_ErrorCode hd_archive_fork_event(OTF2_EvtWriter *writer, const hd_raw_record *record);

/* record: TASK_...; team: communicator of the team that the thread works in. */
OTF2_ErrorCode hd_archive_task_event(OTF2_EvtWriter *writer, const hd_raw_record *record, uint32_t team);

/* record: ACQUIRE or RELEASE of a LOCK or a MUTEX; lock: its number in the archive. */
OTF2_ErrorCode hd_archive_lock_event(OTF2_EvtWriter *writer, const hd_raw_record *record, uint32_t lock);

/* record: THREAD_CREATE, _BEGIN, _WAIT; contingent: communicator of the threads that the process creates. */
OTF2_ErrorCode hd_archive_thread_event(OTF2_EvtWriter *writer, const hd_raw_record *record, uint32_t contingent);

#endif
