#include "json.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the character of UTF-8 at text, 0: there is none. */
static size_t
character_bytes(const unsigned char *text)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t                n       = text[0] < 0x80 ? 1 : text[0] < 0xC2 ? 0 : text[0] < 0xE0 ? 2 : text[0] < 0xF0 ? 3 : text[0] < 0xF5 ? 4 : 0;
    uint32_t              code;

    if (n < 2)
        return n;
    code = text[0] & (0x7Fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((text[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3Fu);
    }
    return code < least[n] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF) ? 0 : n;
}

void
hd_json_text(FILE *file, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;

    if (text == NULL) {
        fputs("null", file);
        return;
    }
    putc('"', file);
    while (*at != '\0') {
        size_t n = character_bytes(at);

        if (n == 0)
            fputs("\\ufffd", file);
        else if (*at == '"' || *at == '\\')
            fprintf(file, "\\%c", *at);
        else if (*at < 0x20 || *at == 0x7F)
            fprintf(file, "\\u%04x", *at);
        else
            fwrite(at, 1, n, file);
        at += n > 0 ? n : 1;
    }
    putc('"', file);
}

void
hd_json_number(FILE *file, double value)
{
    if (isfinite(value))
        fprintf(file, "%.17g", value);
    else
        fputs("null", file);
}
