/* src/report/text/json.h: a writer of JSON: of the HTML report's data, and of what commands print with --json.
 *
 * Objects and arrays are opened and closed; the writer sets commas and lines. Members of the outer levels stand on
 * lines of their own, what is inside them on one line. Inside of an object each call has a key, inside of an array key
 * is NULL. Errors of writing stay with the stream. Uses: text. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_JSON_H
#define HD_JSON_H

#include <stdio.h>

#include "types.h"

enum { HD_JSON_DEPTH_MAX = 16 };

typedef struct hd_json {
    FILE    *file;
    char     ends[HD_JSON_DEPTH_MAX]; /* [depth] what closes each open object and array */
    uint32_t depth;
    uint32_t n_lines;     /* levels whose members stand on lines of their own */
    bool     has_members; /* the innermost open one */
    uint64_t n_values;    /* that were put or opened so far */
} hd_json;

/* Owner: nothing to free; the stream stays the caller's. */
void hd_json_init(hd_json *json, FILE *file, uint32_t n_lines);

void hd_json_object(hd_json *json, const char *key);
void hd_json_array(hd_json *json, const char *key);
void hd_json_end(hd_json *json); /* closes the innermost object or array */

/* Control characters and quotes are escaped; bytes that are not UTF-8, and what text.h calls unsafe beyond ASCII,
 * become U+FFFD. NULL: null. */
void hd_json_text(hd_json *json, const char *key, const char *text);
/* Comes back as the same number; what JSON has no number for, NaN and infinities, is null. */
void hd_json_number(hd_json *json, const char *key, double value);
void hd_json_count(hd_json *json, const char *key, uint64_t value);
void hd_json_integer(hd_json *json, const char *key, int64_t value);
void hd_json_index(hd_json *json, const char *key, uint32_t value); /* HD_NONE: null */
void hd_json_bool(hd_json *json, const char *key, bool value);
void hd_json_null(hd_json *json, const char *key);

#endif
