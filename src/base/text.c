#include "text.h"

size_t
hd_text_character(const unsigned char *text)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t                n       = text[0] < 0x80 ? 1 : text[0] < 0xC2 ? 0 : text[0] < 0xE0 ? 2 : text[0] < 0xF0 ? 3 :
                                    text[0] < 0xF5 ? 4 : 0;
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

/* Of those with two and three bytes. */
static bool
is_unsafe(uint32_t code)
{
    return code < 0xA0 || code == 0x61C || code == 0xFEFF || (code >= 0x200B && code <= 0x200F) ||
           (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2060 && code <= 0x206F) || (code >= 0xFFF9 && code != 0xFFFC && code != 0xFFFD);
}

size_t
hd_text_unsafe(const unsigned char *text)
{
    size_t n = hd_text_character(text);

    switch (n) {
    case 0: return 1;
    case 1: return text[0] < 0x20 || text[0] == 0x7F;
    case 2: return is_unsafe((uint32_t)(text[0] & 0x1F) << 6 | (text[1] & 0x3Fu)) ? n : 0;
    case 3: return is_unsafe((uint32_t)(text[0] & 0xF) << 12 | (uint32_t)(text[1] & 0x3F) << 6 | (text[2] & 0x3Fu)) ?
                   n : 0;
    default: return text[0] == 0xF3 && text[1] == 0xA0 && text[2] < 0x82 ? n : 0; /* tags, which cannot be seen */
    }
}
