/* src/report/explain/paragraphs.h: the Markdown of docs/explanations.md as lines for a terminal.
 *
 * Paragraphs and items of lists are filled; drawings (indented by four) stay as they are; bold, code and links are
 * plain text; a link to the sources of the glossary gets the sentence that stands there. Private to the component. MT:
 * one thread at a time. Ranks: local.
 */
#ifndef HD_PARAGRAPHS_H
#define HD_PARAGRAPHS_H

#include <stdio.h>

#include "explanation.h"

/* Lines of at most width columns (but for drawings and long words), each indented by so many. Ends with a line end,
 * without empty lines around. */
void hd_paragraphs_print(FILE *file, hd_piece markdown, uint32_t indent, uint32_t width);

/* One paragraph of plain text: later lines are indented by two more where it is an item. */
void hd_paragraph_print(FILE *file, const char *text, uint32_t indent, uint32_t later_indent, uint32_t width);

#endif
