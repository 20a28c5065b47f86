/* replay/simulate/hypothesis_words.h: words and numbers in the text of a hypothesis.
 *
 * A hypothesis' words are cut in place; what the user wrote there is still in its text, so errors show it.
 * Inside of the component only. Uses: hypothesis. Owner: the hypothesis. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_HYPOTHESIS_WORDS_H
#define HD_HYPOTHESIS_WORDS_H

#include "hypothesis.h"

/* at: in hypothesis->words. Returns HD_EUSAGE, the error says where it is and what it is. */
hd_status hd_hypothesis_fail(const hd_hypothesis *hypothesis, const char *at, const char *what);

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
