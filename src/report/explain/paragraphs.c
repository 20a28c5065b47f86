/* src/report/explain/paragraphs.c: fills paragraphs and lists of a small part of Markdown, as docs/explanations.md is
 * written. */
#define _GNU_SOURCE /* memmem */
#include "paragraphs.h"

#include <string.h>

#include "memory.h"
#include "name_cut.h"
#include "status.h"

#define ITEM     "- "
#define DRAWING  "    "
#define CITATION "](glossary.md#sources)"

/* ---- what stands between the lines ------------------------------------------------------------------------------- */

static void
put_link(FILE *out, hd_piece text, const char *target)
{
    hd_piece sentence;

    fwrite(text.text, 1, text.n, out);
    if (strncmp(target, CITATION, strlen(CITATION)) == 0 && hd_explanation_source(text, &sentence))
        fprintf(out, ": %.*s", (int)sentence.n, sentence.text);
}

/* Without marks of bold text and code, links as their texts. */
static char *
plain_text(hd_piece markdown)
{
    char       *text  = NULL;
    size_t      bytes = 0;
    FILE       *out   = open_memstream(&text, &bytes);
    const char *end   = markdown.text + markdown.n;

    if (out == NULL)
        hd_fatal("out of memory: an explanation cannot be written");
    for (const char *at = markdown.text; at < end; at++) {
        const char *closed = *at == '[' ? memmem(at, (size_t)(end - at), "](", 2) : NULL;

        if (closed != NULL) {
            put_link(out, (hd_piece){ at + 1, (size_t)(closed - at - 1) }, closed);
            at = closed + strcspn(closed, ")");
        } else if (*at == '*' && at + 1 < end && at[1] == '*')
            at++;
        else if (*at != '`')
            fputc(*at == '\n' ? ' ' : *at, out);
    }
    if (fclose(out) != 0)
        hd_fatal("out of memory: an explanation cannot be written");
    return text;
}

void
hd_paragraph_print(FILE *file, const char *text, uint32_t indent, uint32_t later_indent, uint32_t width)
{
    uint32_t column = 0;

    while (*(text += strspn(text, " ")) != '\0') {
        size_t   n       = strcspn(text, " ");
        char    *word    = hd_format("%.*s", (int)n, text);
        uint32_t columns = hd_text_columns(word);

        if (column > 0 && column + 1 + columns > width) {
            fputc('\n', file);
            column = 0;
            indent = later_indent;
        }
        if (column == 0)
            fprintf(file, "%*s", (int)indent, "");
        else
            fputc(' ', file);
        fputs(word, file);
        column += columns + (column == 0 ? indent : 1);
        free(word);
        text += n;
    }
    fputc('\n', file);
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static bool
begins(hd_piece line, const char *with)
{
    return line.n >= strlen(with) && memcmp(line.text, with, strlen(with)) == 0;
}

static hd_piece
line_at(const char *text, const char *end)
{
    const char *newline = memchr(text, '\n', (size_t)(end - text));

    return (hd_piece){ text, (size_t)((newline != NULL ? newline : end) - text) };
}

/* A paragraph or an item: lines up to an empty one, a drawing or the next item. Returns its end. */
static const char *
print_block(FILE *file, const char *text, const char *end, uint32_t indent, uint32_t width)
{
    bool     is_item = begins(line_at(text, end), ITEM);
    hd_piece whole   = { text, 0 };
    hd_piece line    = line_at(text, end);
    char    *plain;

    do {
        whole.n = (size_t)(line.text + line.n - whole.text);
        text    = line.text + line.n + (line.text + line.n < end);
        line    = line_at(text, end);
    } while (text < end && line.n > 0 && !begins(line, ITEM) && !begins(line, DRAWING));
    plain = plain_text(whole);
    hd_paragraph_print(file, plain, indent, indent + (is_item ? (uint32_t)strlen(ITEM) : 0), width);
    free(plain);
    return text;
}

void
hd_paragraphs_print(FILE *file, hd_piece markdown, uint32_t indent, uint32_t width)
{
    const char *text = markdown.text, *end = text + markdown.n;
    bool        is_first = true, after_empty = false;

    while (text < end) {
        hd_piece line = line_at(text, end);

        if (line.n == 0) {
            after_empty = true;
            text++;
            continue;
        }
        if (after_empty && !is_first)
            fputc('\n', file);
        is_first = after_empty = false;
        if (begins(line, DRAWING)) {
            fprintf(file, "%*s%.*s\n", (int)indent, "", (int)line.n, line.text);
            text += line.n + (line.text + line.n < end);
        } else
            text = print_block(file, text, end, indent, width);
    }
}
