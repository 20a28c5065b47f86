#include "markdown.h"

#include <stdlib.h>
#include <string.h>

#include "escape.h"

void
hd_markdown_text(FILE *file, const char *text)
{
    char *copy = hd_escaped(text);

    for (const char *p = copy; *p != '\0'; p++)
        if (*p == '<')
            fputs("&lt;", file);
        else if (*p == '&')
            fputs("&amp;", file);
        else {
            if (strchr("\\`*_[]|~#!", *p) != NULL)
                fputc('\\', file);
            fputc(*p, file);
        }
    free(copy);
}

/* Between more backticks than there are in a row inside; what separates columns of a table does so in code, too. */
void
hd_markdown_code_escaped(FILE *file, const char *text)
{
    size_t most = 0, n = 0;

    for (const char *p = text; *p != '\0'; p++) {
        n    = *p == '`' ? n + 1 : 0;
        most = n > most ? n : most;
    }
    for (size_t i = 0; i <= most; i++)
        fputc('`', file);
    if (most > 0)
        fputc(' ', file);
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '|')
            fputc('\\', file);
        fputc(*p, file);
    }
    if (most > 0)
        fputc(' ', file);
    for (size_t i = 0; i <= most; i++)
        fputc('`', file);
}

void
hd_markdown_code(FILE *file, const char *text)
{
    char *copy = hd_escaped(text);

    hd_markdown_code_escaped(file, copy);
    free(copy);
}
