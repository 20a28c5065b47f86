/* replay/simulate/hypothesis/hypothesis_words.c: cuts the text of a hypothesis into words, and reads numbers. */
#include "hypothesis_words.h"

#include <string.h>

enum { FRACTION_DIGITS = 9, FACTOR_DIGITS = 15, WHOLE_DIGITS = FACTOR_DIGITS - FRACTION_DIGITS, BYTES_DIGITS = 12 };

void
hd_words_point_at(const char *text, size_t place)
{
    hd_fail_detail("hypothesis", "%s", text);
    hd_fail_detail("here", "character %zu: \"%s\"", place + 1, text + place);
}

hd_status
hd_words_fail(const char *text, size_t place, const char *what)
{
    hd_fail(HD_EUSAGE, "%s", what);
    hd_words_point_at(text, place);
    return HD_EUSAGE;
}

char *
hd_words_trim(char *text)
{
    size_t n;

    text += strspn(text, " \t");
    for (n = strlen(text); n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'); n--)
        text[n - 1] = '\0';
    return text;
}

char *
hd_words_cut_last(char *text)
{
    char *blank = strrchr(text, ' ');

    if (blank == NULL)
        return NULL;
    *blank = '\0';
    hd_words_trim(text);
    return blank + 1;
}

char *
hd_words_cut_keyword(char *text, const char *keyword)
{
    char *found = NULL;

    for (char *at = strstr(text, keyword); at != NULL; at = strstr(at + 1, keyword))
        found = at;
    if (found == NULL)
        return NULL;
    *found = '\0';
    hd_words_trim(text);
    return hd_words_trim(found + strlen(keyword));
}

/* Digits as a number; false: there are too many. */
static bool
read_digits(const char **at, uint32_t most, uint64_t *number, uint32_t *n)
{
    uint32_t count = 0;

    for (; **at >= '0' && **at <= '9'; (*at)++, count++) {
        if (count == most)
            return false;
        *number = *number * 10 + (uint64_t)(**at - '0');
    }
    *n = count;
    return true;
}

bool
hd_words_factor(const char *at, hd_factor *factor)
{
    uint32_t n_whole = 0, n_fraction = 0;

    *factor = (hd_factor){ 0, 1 };
    if (!read_digits(&at, WHOLE_DIGITS, &factor->numerator, &n_whole))
        return false;
    if (*at == '/') {
        uint64_t below = 0;

        at++;
        if (n_whole == 0 || !read_digits(&at, WHOLE_DIGITS, &below, &n_fraction) || below == 0)
            return false;
        factor->denominator = below;
        return *at == '\0';
    }
    if (*at == '.') {
        at++;
        if (!read_digits(&at, FRACTION_DIGITS, &factor->numerator, &n_fraction))
            return false;
        for (uint32_t i = 0; i < n_fraction; i++)
            factor->denominator *= 10;
    }
    return n_whole + n_fraction > 0 && *at == '\0';
}

bool
hd_words_bytes(const char **text, uint64_t *bytes)
{
    static const char units[] = "KMG";
    const char       *unit;
    uint32_t          n = 0;

    *bytes = 0;
    if (!read_digits(text, BYTES_DIGITS, bytes, &n) || n == 0)
        return false;
    unit = **text != '\0' ? strchr(units, **text) : NULL;
    if (unit != NULL) {
        *bytes <<= 10 * (unit - units + 1);
        (*text)++;
    }
    return true;
}
