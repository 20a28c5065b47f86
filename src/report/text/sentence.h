/* src/report/text/sentence.h: sentences in lines of a terminal. Uses: nothing. MT: any thread. Ranks: local.
 */
#ifndef HD_SENTENCE_H
#define HD_SENTENCE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* In lines of at most width columns, each indented; divided at blanks, but not between a number and its unit. A word
 * that is longer than a line stays whole. indent < width. Errors of writing stay with the stream. */
void hd_sentence_print(FILE *file, uint32_t width, uint32_t indent, const char *text);

/* The same, divided behind commas only. */
void hd_sentence_print_list(FILE *file, uint32_t width, uint32_t indent, const char *text);

#endif
