/* tests/base/random_numbers.h: the same numbers in every run (xorshift64*). */
#ifndef RANDOM_NUMBERS_H
#define RANDOM_NUMBERS_H

#include <stdint.h>

static inline uint64_t
random_next(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

static inline uint32_t
random_below(uint64_t *state, uint32_t end)
{
    return (uint32_t)((random_next(state) >> 32) % end);
}

#endif
