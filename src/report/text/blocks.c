/* src/report/text/blocks.c: heights of blocks. */
#include "blocks.h"

#include <stdlib.h>

#include "memory.h"

uint32_t
hd_blocks_print(FILE *file, const double *values, uint32_t n, uint32_t n_blocks)
{
    static const char *const blocks[] = { " ", "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588" };
    enum { N_LEVELS = sizeof blocks / sizeof *blocks - 1 };
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
        fprintf(file, "%*s%s", (int)n_blank, "", blocks[level]);
        n_blank = 0;
    }
    free(means);
    return n_blank;
}
