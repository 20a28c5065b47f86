/* src/trace/extract/cut_tasks.h: the tasks of a location, and on which location each was last. Inside of extract only.
 * Uses: open_things. MT: main thread only.
 */
#ifndef HD_CUT_TASKS_H
#define HD_CUT_TASKS_H

#include "event_cut.h"

/* Records. True: they are written. */
bool hd_cut_switch_task(hd_cut *cut, hd_cut_task_id id);
bool hd_cut_complete_task(hd_cut *cut, hd_cut_task_id id);

/* Before the part: the explicit tasks of a location that are not over, when all of it is read; sorted when all
 * locations are. */
void hd_cut_note_fragments(const hd_cut *cut);
void hd_cut_sort_fragments(hd_extraction *all);
/* Whether a task was here last: what it has open is then here. */
bool hd_cut_is_here(const hd_cut *cut, size_t i);

/* The suspended explicit task with something open and the next later fragment than `after`; n_tasks: none. */
size_t hd_cut_next_suspended(const hd_cut *cut, uint64_t after);

#endif
