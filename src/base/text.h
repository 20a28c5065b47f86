/* src/base/text.h: what names that came out of a file may do to those who read them.
 *
 * Names of archives and reports come from anywhere: they can hold what drives a terminal, turns the direction of
 * writing around, ends a line, or is no text at all. Uses: nothing. MT: any thread. Ranks: local.
 */
#ifndef HD_TEXT_H
#define HD_TEXT_H

#include "types.h"

/* Bytes of the character of UTF-8 at text, 0: there is none. */
size_t hd_text_character(const unsigned char *text);

/* Bytes at text that must not be shown as they are, 0: none. They are control characters (C0, DEL, C1), separators of
 * lines and paragraphs, marks that turn the direction around or cannot be seen, what is no character, and a byte that
 * is no UTF-8. */
size_t hd_text_unsafe(const unsigned char *text);

#endif
