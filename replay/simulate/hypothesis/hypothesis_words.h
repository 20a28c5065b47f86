/* replay/simulate/hypothesis/hypothesis_words.h: words and numbers in the text of a hypothesis.
 *
 * Words are cut in place, in a copy of the text; errors show what the user wrote there.
 * Uses: base. Owner: the caller. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_HYPOTHESIS_WORDS_H
#define HD_HYPOTHESIS_WORDS_H

#include "status.h"

typedef struct hd_factor {
    uint64_t numerator, denominator; /* denominator > 0 */
} hd_factor;

/* Returns HD_EUSAGE; the error says what is wrong, and shows the text from `place` on. */
hd_status hd_words_fail(const char *text, size_t place, const char *what);

/* Adds to the error of this thread the text, and that from `place` on. */
void hd_words_point_at(const char *text, size_t place);

/* Without blanks at both ends. */
char *hd_words_trim(char *text);
/* Cuts the last word off, NULL: the text is one word. */
char *hd_words_cut_last(char *text);
/* Cuts the text at the last occurrence of a keyword between blanks. Returns what follows it, NULL: it is not there. */
char *hd_words_cut_keyword(char *text, const char *keyword);

/* 0.5, 3 or 1/3, below a million. False: it is none. */
bool hd_words_factor(const char *text, hd_factor *factor);
/* 4096, 64K, 1M (powers of 1024). Cuts nothing; *text: behind it. False: it is none. */
bool hd_words_bytes(const char **text, uint64_t *bytes);

#endif
