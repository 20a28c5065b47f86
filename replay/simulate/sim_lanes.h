/* replay/simulate/sim_lanes.h: times in all lanes of a pass.
 *
 *   lane = variant · n_lanes + hypothesis     variants of the fits: as they are, 0, HD_SIM_LONG_FACTOR times as long
 *
 * Times are signed: a simulated one may be before the archive's first. Whole groups of 8 lanes have loops of a known
 * length, which the compiler unrolls. Arrays do not overlap.
 * Uses: base. MT: any thread. Ranks: local.
 */
#ifndef HD_SIM_LANES_H
#define HD_SIM_LANES_H

#include <string.h>

#include "simulate_request.h"

enum { HD_SIM_N_FITS = 3, HD_SIM_WIDEST = HD_SIM_N_FITS * HD_SIM_LANES };

static inline void
hd_sim_lanes_copy(hd_span *restrict to, const hd_span *restrict from, uint32_t n)
{
    for (; n >= HD_SIM_LANES; n -= HD_SIM_LANES, to += HD_SIM_LANES, from += HD_SIM_LANES)
        memcpy(to, from, HD_SIM_LANES * sizeof *to);
    for (uint32_t k = 0; k < n; k++)
        to[k] = from[k];
}

static inline void
hd_sim_lanes_fill(hd_span *to, hd_span time, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        to[k] = time;
}

static inline void
hd_sim_lanes_add(hd_span *to, hd_span span, uint32_t n)
{
    for (; n >= HD_SIM_LANES; n -= HD_SIM_LANES, to += HD_SIM_LANES)
#pragma GCC unroll 8
        for (uint32_t k = 0; k < HD_SIM_LANES; k++)
            to[k] += span;
    for (uint32_t k = 0; k < n; k++)
        to[k] += span;
}

static inline void
hd_sim_lanes_set_by(hd_span *restrict to, const hd_span *restrict from, hd_span span, uint32_t n)
{
    for (; n >= HD_SIM_LANES; n -= HD_SIM_LANES, to += HD_SIM_LANES, from += HD_SIM_LANES)
#pragma GCC unroll 8
        for (uint32_t k = 0; k < HD_SIM_LANES; k++)
            to[k] = from[k] + span;
    for (uint32_t k = 0; k < n; k++)
        to[k] = from[k] + span;
}

/* The later of what is there and of those times + span. */
static inline void
hd_sim_lanes_later_by(hd_span *restrict to, const hd_span *restrict from, hd_span span, uint32_t n)
{
    for (; n >= HD_SIM_LANES; n -= HD_SIM_LANES, to += HD_SIM_LANES, from += HD_SIM_LANES)
#pragma GCC unroll 8
        for (uint32_t k = 0; k < HD_SIM_LANES; k++)
            to[k] = to[k] > from[k] + span ? to[k] : from[k] + span;
    for (uint32_t k = 0; k < n; k++)
        to[k] = to[k] > from[k] + span ? to[k] : from[k] + span;
}

static inline void
hd_sim_lanes_later(hd_span *restrict to, const hd_span *restrict from, uint32_t n)
{
    hd_sim_lanes_later_by(to, from, 0, n);
}

#endif
