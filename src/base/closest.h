/* src/base/closest.h: which of several names a user meant.
 *
 * Uses: nothing. MT: any thread. Ranks: local.
 */
#ifndef HD_CLOSEST_H
#define HD_CLOSEST_H

#include <stddef.h>

/* Of n words the one that is most like the given one: one that begins with it, or else one with few other letters;
 * capital and small letters are alike. NULL if none is near. Words above 40 letters count as far away. Cost: O(n *
 * letters of both). */
const char *hd_closest(const char *word, const char *const *words, size_t n);

#endif
