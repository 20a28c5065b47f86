/* src/report/text/sentence.c: where a sentence is divided. */
#include "sentence.h"

#include <string.h>

/* Whether a number and its unit are before and behind a blank. */
static bool
is_in_value(const char *blank)
{
    const char *unit = blank + 1;

    if (blank[-1] < '0' || blank[-1] > '9')
        return false;
    unit += *unit == 'm' || *unit == 'u' || *unit == 'n';
    return blank[1] == '%' || (*unit == 's' && strchr(" ,;.:)", unit[1]) != NULL); /* or at its end */
}

static void
print_divided(FILE *file, uint32_t width, uint32_t indent, const char *text, bool is_list)
{
    size_t columns = width - indent;

    while (*text != '\0') {
        size_t end = strlen(text);

        if (end > columns) {
            size_t last = 0;

            for (size_t i = 1; i < end && (i <= columns || last == 0); i++)
                if (text[i] == ' ' && (is_list ? text[i - 1] == ',' : !is_in_value(&text[i])))
                    last = i;
            end = last != 0 ? last : end;
        }
        fprintf(file, "%*s%.*s\n", (int)indent, "", (int)end, text);
        text += end;
        text += *text == ' ';
    }
}

void
hd_sentence_print(FILE *file, uint32_t width, uint32_t indent, const char *text)
{
    print_divided(file, width, indent, text, false);
}

void
hd_sentence_print_list(FILE *file, uint32_t width, uint32_t indent, const char *text)
{
    print_divided(file, width, indent, text, true);
}
