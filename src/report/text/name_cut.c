/* src/report/text/name_cut.c: names cut in the middle. */
#include "name_cut.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

static const char dots[] = "...";

enum { DOTS = sizeof dots - 1, MIN_COLUMNS = 12 /* fewer than these tell nothing */ };

static bool
begins_character(char c)
{
    return ((unsigned char)c & 0xC0) != 0x80;
}

uint32_t
hd_text_columns(const char *text)
{
    uint32_t n = 0;

    for (; *text != '\0'; text++)
        n += begins_character(*text);
    return n;
}

/* Where character i begins, or the text ends. */
static const char *
character_at(const char *text, uint32_t i)
{
    while (*text != '\0' && (i > 0 || !begins_character(*text)))
        i -= begins_character(*text++) && i > 0;
    while (!begins_character(*text))
        text++;
    return text;
}

/* The characters from begin to end. */
static void
put(char **to, const char *name, uint32_t begin, uint32_t end)
{
    const char *from  = character_at(name, begin);
    size_t      bytes = (size_t)(character_at(name, end) - from);

    memcpy(*to, from, bytes);
    *to += bytes;
}

static void
put_dots(char **to)
{
    memcpy(*to, dots, DOTS);
    *to += DOTS;
}

/* How much of its begin a name keeps: about a fifth, as the end of a call path says most; of a call path whole
 * names. */
static uint32_t
head_of(const char *name, uint32_t columns)
{
    static const char separator[] = " > ";
    uint32_t          usual       = (columns - DOTS) / 5, head = 0;

    for (const char *at = strstr(name, separator); at != NULL; at = strstr(at + 1, separator)) {
        uint32_t end = hd_text_columns(name) - hd_text_columns(at) + (uint32_t)strlen(separator);

        if (end > usual + strlen(separator))
            break;
        head = end;
    }
    return head > 0 ? head : usual;
}

static char *
cut_middle(const char *name, uint32_t length, uint32_t columns)
{
    uint32_t head = head_of(name, columns);
    char    *text = HD_NEW_ARRAY(char, strlen(name) + DOTS + 1), *to = text;

    put(&to, name, 0, head);
    put_dots(&to);
    put(&to, name, length - (columns - DOTS - head), length);
    return text;
}

/* Begin and end, and the characters from place `at` on. */
static char *
cut_around(const char *name, uint32_t length, uint32_t columns, uint32_t at)
{
    uint32_t piece = (columns - 2 * DOTS) / 3, rest = columns - 2 * DOTS - 2 * piece,
    begin = at > piece + DOTS ? at : piece + DOTS;
    char    *text  = HD_NEW_ARRAY(char, strlen(name) + 2 * (size_t)DOTS + 1), *to = text;

    if (begin + rest + DOTS + piece > length)
        begin = length - piece - DOTS - rest;
    put(&to, name, 0, piece);
    put_dots(&to);
    put(&to, name, begin, begin + rest);
    put_dots(&to);
    put(&to, name, length - piece, length);
    return text;
}

/* Another name that was cut to this; NULL: none. */
static const char *
same_cut(const hd_name_cuts *cuts, const char *name, const char *cut)
{
    for (size_t i = 0; i < cuts->n; i++)
        if (strcmp(cuts->names[i].cut, cut) == 0 && strcmp(cuts->names[i].name, name) != 0)
            return cuts->names[i].name;
    return NULL;
}

/* The first character in which names differ. */
static uint32_t
first_difference(const char *name, const char *other)
{
    uint32_t n = 0;

    for (; *name != '\0' && *name == *other; name++, other++)
        n += begins_character(*name);
    return n > 0 && !begins_character(*name) ? n - 1 : n;
}

const char *
hd_name_cut(hd_name_cuts *cuts, const char *name, uint32_t columns)
{
    uint32_t    length = hd_text_columns(name);
    const char *other;
    char       *cut;

    columns = columns < MIN_COLUMNS ? MIN_COLUMNS : columns;
    if (length <= columns)
        return name;
    for (size_t i = 0; i < cuts->n; i++)
        if (strcmp(cuts->names[i].name, name) == 0 && hd_text_columns(cuts->names[i].cut) == columns)
            return cuts->names[i].cut;
    cut   = cut_middle(name, length, columns);
    other = same_cut(cuts, name, cut);
    if (other != NULL) {
        free(cut);
        cut = cut_around(name, length, columns, first_difference(name, other));
        if (same_cut(cuts, name, cut) != NULL) {
            free(cut);
            return name;
        }
    }
    HD_PUSH(cuts->names, cuts->n, cuts->capacity, ((hd_cut_name){ .name = hd_strdup(name), .cut = cut }));
    return cut;
}

void
hd_name_cuts_fini(hd_name_cuts *cuts)
{
    for (size_t i = 0; i < cuts->n; i++) {
        free(cuts->names[i].name);
        free(cuts->names[i].cut);
    }
    free(cuts->names);
    *cuts = (hd_name_cuts){ 0 };
}
