#include "json.h"

#include <math.h>

#include "text.h"

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
        size_t n = hd_text_character(at);

        if (n == 0 || (n > 1 && hd_text_unsafe(at) > 0))
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
