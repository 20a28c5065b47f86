/* topology/lines.c: splits a text into lines and words in place. */
#include "lines.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTE_ORDER_MARK "\xEF\xBB\xBF" /* that some editors put before a text */

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* Ends the line that begins at `line`, and joins those that it goes on with. */
static void
cut(hd_lines *lines, char *line)
{
    for (;;) {
        char *end = line + strcspn(line, "\n"), *last = end, *comment = memchr(line, '#', (size_t)(end - line));
        bool  is_last = *end == '\0';

        lines->n_read++;
        lines->next = is_last ? end : end + 1;
        if (comment != NULL) {
            *comment = '\0';
            return;
        }
        while (last > line && is_blank(last[-1]))
            last--;
        if (is_last || last == line || last[-1] != '\\') {
            *end = '\0';
            return;
        }
        memset(last - 1, ' ', (size_t)(end - last) + 2); /* the newline, too */
        line = end + 1;
    }
}

char *
hd_lines_next(hd_lines *lines)
{
    if (lines->n_read == 0 && strncmp(lines->next, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)) == 0)
        lines->next += strlen(BYTE_ORDER_MARK);
    while (*lines->next != '\0') {
        char *line = lines->next;

        lines->number = lines->n_read + 1;
        cut(lines, line);
        while (is_blank(*line))
            line++;
        if (*line != '\0')
            return line;
    }
    return NULL;
}

char *
hd_lines_word(char **rest)
{
    char *word = *rest, *end;

    while (is_blank(*word))
        word++;
    if (*word == '\0')
        return NULL;
    for (end = word; *end != '\0' && !is_blank(*end); end++)
        ;
    *rest = *end == '\0' ? end : end + 1;
    *end  = '\0';
    return word;
}

bool
hd_lines_number(const char *word, uint64_t most, uint32_t *number)
{
    char         *end;
    unsigned long value;

    errno = 0;
    value = strtoul(word, &end, 10);
    if (*word < '0' || *word > '9' || *end != '\0' || errno != 0 || value >= most)
        return false;
    *number = (uint32_t)value;
    return true;
}

hd_status
hd_lines_fail(const hd_lines *lines, const char *format, ...)
{
    char    words[700];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    return hd_fail(HD_EFORMAT, "\"%s\", line %" PRIu32 ": %s", lines->path, lines->number, words);
}
