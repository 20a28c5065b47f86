/* src/trace/load/loader.h: from the event files to op logs and profiles, every event touched once.
 *
 * Locations are loaded in parallel by n_readers of n_threads threads (OpenMP), each with its own OTF2 reader and one
 * open file, all of a process at the same time: a worker's call paths start where its master forked, so that a worker
 * follows its master (team_starts.h). Then each process is joined: one tree of call paths, requests completed on
 * another thread, numbers of operations on channels that threads share. A process in which tasks moved between threads
 * is loaded twice (migrated_task.h). Raw events are not kept. Findings about the trace go to the trace's lists.
 * Uses: decode. MT: main thread only. Ranks: local.
 */
#ifndef HD_LOADER_H
#define HD_LOADER_H

#include "load_request.h"
#include "status.h"
#include "trace.h"

/* Loads the request's processes. Owner: the caller, hd_trace_free() it. Errors: HD_EOPEN, the anchor cannot be opened
 * any more; HD_EREAD, the file system fails to read a file that is there; HD_ESTOPPED; HD_EWRITE, there is no space in
 * the scratch, which from then on is fatal. */
hd_status hd_trace_load(const hd_load_request *request, hd_trace **trace);

#endif
