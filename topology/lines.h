/* topology/lines.h: the lines of a text that a person wrote: comments, blank lines, words.
 *
 * From "#" on a line is a comment; a "\" at its end joins the next one; a byte order mark before the text is skipped.
 * Uses: base. Owner: the text is changed in place and stays the caller's.
 * MT: one thread. Ranks: local.
 */
#ifndef HD_LINES_H
#define HD_LINES_H

#include "status.h"
#include "types.h"

typedef struct hd_lines {
    char       *next;   /* NUL-terminated */
    const char *path;   /* for errors */
    uint32_t    number; /* of the last line that hd_lines_next() gave, from 1 on; its first one, where some are
                         * joined */
    uint32_t    n_read;
} hd_lines;

/* The next line with words; NULL: no more. */
char *hd_lines_next(hd_lines *lines);

/* The next word of a line, NUL-terminated; NULL: no more. */
char *hd_lines_word(char **rest);

/* A whole number below most, all of the word. */
bool hd_lines_number(const char *word, uint64_t most, uint32_t *number);

/* HD_EFORMAT: "PATH", line 3: ... */
hd_status hd_lines_fail(const hd_lines *lines, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
