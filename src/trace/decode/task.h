/* src/trace/decode/task.h: switches between the tasks of a thread (docs/metrics.md#tasks). Inside of decode only.
 * Uses: region_stack. MT: the loading thread. Grows with: tasks that are not completed.
 */
#ifndef HD_TASK_H
#define HD_TASK_H

#include "region_stack.h"

/* Now. number: creating thread << 32 | generation; generation 0: the implicit task. */
void hd_decoder_task_switch(hd_decoder *decoder, uint32_t comm_ref, uint64_t number);
void hd_decoder_task_create(hd_decoder *decoder, uint64_t number);
void hd_decoder_task_complete(hd_decoder *decoder, uint32_t comm_ref, uint64_t number);

/* What is not completed here is over. Also before the first team after others: there numbers may come again, and what
 * is left went on elsewhere. */
void hd_decoder_tasks_drop(hd_decoder *decoder);
/* A border of the analysis interval is passed: by all tasks, but for the frames of the one that runs. side: before. */
void hd_decoder_tasks_pass_border(hd_decoder *decoder, uint32_t side);
void hd_decoder_tasks_finish(hd_decoder *decoder);

#endif
