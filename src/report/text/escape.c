/* src/report/text/escape.c: names of archives as text that does no harm. */
#include "escape.h"

#include <string.h>

#include "status.h"
#include "text.h"
#include "types.h"

static void
put_bytes(FILE *file, const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        fprintf(file, "\\x%02x", bytes[i]);
}

/* also: characters of one byte that are escaped, too. */
static void
write_escaped(FILE *file, const char *text, const char *also)
{
    const unsigned char *at = (const unsigned char *)text;

    while (*at != '\0') {
        size_t n = hd_text_unsafe(at);

        if (n > 0)
            put_bytes(file, at, n);
        else if (strchr(also, *at) != NULL)
            put_bytes(file, at, n = 1);
        else
            fwrite(at, 1, n = hd_text_character(at), file);
        at += n;
    }
}

void
hd_write_escaped(FILE *file, const char *text)
{
    write_escaped(file, text, "\\");
}

void
hd_write_cell(FILE *file, const char *text, hd_cell_part part)
{
    bool is_formula = part != HD_CELL_NEXT && *text != '\0' && strchr("=+-@", *text) != NULL;

    if (is_formula)
        put_bytes(file, (const unsigned char *)text, 1);
    write_escaped(file, text + is_formula, part != HD_CELL_WHOLE ? "\\;" : "\\");
}

char *
hd_escaped(const char *text)
{
    char  *copy   = NULL;
    size_t bytes  = 0;
    FILE  *stream = open_memstream(&copy, &bytes);

    if (stream == NULL)
        hd_fatal("out of memory: a name cannot be written");
    hd_write_escaped(stream, text);
    if (fclose(stream) != 0)
        hd_fatal("out of memory: a name cannot be written");
    return copy;
}
