/* src/report/text/blocks.c: heights of blocks, and what they are drawn with. */
#include "blocks.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "memory.h"

enum { N_LEVELS = 8 };

/* Whether the locale's characters are UTF-8, by its name: it need not be installed, as often on nodes of clusters. */
static bool
is_utf8(void)
{
    static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };
    const char              *name = NULL, *charset;

    for (size_t i = 0; i < sizeof variables / sizeof *variables && (name == NULL || *name == '\0'); i++)
        name = getenv(variables[i]);
    charset = name != NULL ? strchr(name, '.') : NULL;
    return charset != NULL && (strncasecmp(charset, ".utf-8", 6) == 0 || strncasecmp(charset, ".utf8", 5) == 0);
}

uint32_t
hd_blocks_print(FILE *file, const double *values, uint32_t n, uint32_t n_blocks)
{
    static const char *const blocks[] = { " ", "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588" };
    static const char *const digits[] = { " ", "1", "2", "3", "4", "5", "6", "7", "8" };
    const char *const       *of_level = is_utf8() ? blocks : digits;
    uint32_t together = n > n_blocks ? (n - 1) / n_blocks + 1 : 1, n_shown = 0, n_blank = 0;
    double  *means    = HD_NEW_ARRAY(double, (size_t)n + 1), most = 0;

    for (uint32_t i = 0; i < n; i += together) {
        uint32_t end = n - i < together ? n : i + together;

        for (uint32_t k = i; k < end; k++)
            means[n_shown] += values[k] / (end - i);
        most = means[n_shown] > most ? means[n_shown] : most;
        n_shown++;
    }
    for (uint32_t b = 0; b < n_shown; b++) {
        int level = most > 0 ? (int)(means[b] / most * N_LEVELS) : 0;

        level = level == 0 && means[b] > 0 ? 1 : level;
        if (level == 0) {
            n_blank++;
            continue;
        }
        fprintf(file, "%*s%s", (int)n_blank, "", of_level[level]);
        n_blank = 0;
    }
    free(means);
    return n_blank;
}
