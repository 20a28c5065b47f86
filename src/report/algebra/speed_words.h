/* src/report/algebra/speed_words.h: factors of time in words: "38 % more instructions (more work)".
 * Uses: speed_factors. MT: any thread. Ranks: local.
 */
#ifndef HD_SPEED_WORDS_H
#define HD_SPEED_WORDS_H

#include <stdio.h>

#include "speed_factors.h"

/* As sentences; free() it. NULL: it is not known. */
char *hd_work_or_speed_text(const hd_cube *cube, const hd_speed_counters *counters, const hd_work_or_speed *found);

/* The factors, the one that explains most first. before: the first one, in place of "; "; level: of misses, "L2" */
void hd_speed_words_put(FILE *out, const char *before, const char *level, const hd_work_or_speed *found);

#endif
