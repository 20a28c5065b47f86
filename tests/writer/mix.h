/* tests/writer/mix.h: numbers that look random, the same in each run. Any thread. */
#ifndef TW_MIX_H
#define TW_MIX_H

#include <stdint.h>

static inline uint64_t
tw_mix(uint64_t a, uint64_t b)
{
    uint64_t z = a * UINT64_C(0x9E3779B97F4A7C15) + b * UINT64_C(0xBF58476D1CE4E5B9);

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    return z ^ (z >> 29);
}

#endif
