/* src/report/algebra/speed_words.h: factors of time in words: "38 % more instructions (more work)".
 * Private to the component, but for hd_work_or_speed_text(). Uses: work_or_speed. MT: any thread. Ranks: local.
 */
#ifndef HD_SPEED_WORDS_H
#define HD_SPEED_WORDS_H

#include <stdio.h>

#include "work_or_speed.h"

/* The factors, the one that explains most first. before: the first one, in place of "; "; level: of misses, "L2" */
void hd_speed_words_put(FILE *out, const char *before, const char *level, const hd_work_or_speed *found);

#endif
