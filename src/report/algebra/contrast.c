#include "contrast.h"

#include <math.h>

enum { MIN_PROCESSES = 8 };

#define MIN_SHARE 0.25
#define MIN_RATIO 2
#define MIN_ERRORS(n) (5 + 16 / (double)((n) - 2))

hd_contrast
hd_contrast_of(const double *values, const bool *is_in, uint32_t n)
{
    hd_contrast contrast = { .n = n };
    double      sums[2] = { 0, 0 }, averages[2], squares = 0;
    uint32_t    counts[2] = { 0, 0 };

    for (uint32_t i = 0; i < n; i++) {
        sums[is_in[i]] += values[i];
        counts[is_in[i]]++;
    }
    contrast.n_in = counts[1];
    if (counts[0] < 2 || counts[1] < 2 || !(sums[0] + sums[1] > 0))
        return contrast;
    averages[0] = sums[0] / counts[0];
    averages[1] = sums[1] / counts[1];
    for (uint32_t i = 0; i < n; i++) {
        double distance = values[i] - averages[is_in[i]];

        squares += distance * distance;
    }
    contrast.share  = sums[1] / (sums[0] + sums[1]);
    contrast.errors = (averages[1] - averages[0]) / sqrt(squares / (n - 2) * (1.0 / counts[0] + 1.0 / counts[1]));
    contrast.is_clear = contrast.share >= MIN_SHARE && averages[1] >= MIN_RATIO * averages[0] &&
                        averages[1] > averages[0] &&
                        n >= MIN_PROCESSES && counts[1] <= n / 2 && contrast.errors >= MIN_ERRORS(n);
    return contrast;
}
