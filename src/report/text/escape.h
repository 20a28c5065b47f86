/* src/report/text/escape.h: names of archives and reports as text for people and scripts. Uses: base. MT: any thread.
 * Ranks: local. */
#ifndef HD_ESCAPE_H
#define HD_ESCAPE_H

#include <stdio.h>

/* Text with backslashes, and with all that text.h calls unsafe, as \xNN, byte by byte. */
void hd_write_escaped(FILE *file, const char *text);

/* A name in a table for scripts: likewise, and what spreadsheets take for the begin of a formula (=, +, -, @) as \xNN.
 * Undone by reading each \xNN as a byte, so different names stay different. Of several names in a cell, joined by ';',
 * that character is escaped, too. */
typedef enum hd_cell_part { HD_CELL_WHOLE, HD_CELL_FIRST, HD_CELL_NEXT } hd_cell_part;
void hd_write_cell(FILE *file, const char *text, hd_cell_part part);

/* The same as a text; free() it. */
char *hd_escaped(const char *text);

#endif
