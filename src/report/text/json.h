/* src/report/text/json.h: texts and numbers as JSON. Errors of writing stay with the stream. Uses: nothing. MT: any thread. Ranks: local. */
#ifndef HD_JSON_H
#define HD_JSON_H

#include <stdio.h>

/* In quotes, whatever the text is: control characters and quotes are escaped, bytes that are not UTF-8, and what text.h calls unsafe beyond ASCII, become U+FFFD. NULL: null. */
void hd_json_text(FILE *file, const char *text);

/* Comes back as the same number; what JSON has no number for, NaN and infinities, is null. */
void hd_json_number(FILE *file, double value);

#endif
