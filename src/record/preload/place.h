/* src/record/preload/place.h: the processors that the process and its threads may use.
 *
 * Those of the process are those of its first thread: at its first record, and once more at the end of MPI_Init, as
 * some MPI libraries bind it there. A thread has a place of its own if its processors are others when it is first
 * recorded. What is bound later is not seen. Uses: recorder. MT: any thread. Ranks: local.
 */
#ifndef HD_PLACE_H
#define HD_PLACE_H

#include "recorder.h"

/* Of the process. Nothing where the system does not tell, or tells the same as before. */
void hd_place_define_process(void);

/* Of the calling thread, whose location has this number; nothing if it is that of the process. */
void hd_place_define_thread(uint32_t location);

#endif
