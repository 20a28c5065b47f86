/* replay/sync/sync_time.h: time per call path between two synchronisation points of a location.
 * Definition: docs/metrics.md#time-vectors. Inside of the replay only. MT: the worker's thread. Ranks: local.
 * Cost: of hd_sync_time_add() the points between the two, of the others their logarithm, but the first two times, times
 * the call paths. The second time sums are made: one location is for one thread at a time.
 */
#ifndef HD_SYNC_TIME_H
#define HD_SYNC_TIME_H

#include "sync_store.h"
#include "time_vector.h"

/* Adds the time from the enter of point `from` to that of `to`. With `limit` > 0 as scout 2.6 does it: whenever a call
 * path is one too many, the smallest element is left out (D23). */
void hd_sync_time_add(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, uint32_t limit);

/* Adds factor times the time [ticks] that passed in a call from `begin` on; call_path: of the call. What of the time
 * lies inside of the interval is the call path's there. */
void hd_sync_time_add_call_slow(hd_time_vector *vector, const hd_syncs *syncs, uint32_t call_path, hd_time begin,
                                double span, double factor);

static inline void
hd_sync_time_add_call(hd_time_vector *vector, const hd_syncs *syncs, uint32_t call_path, hd_time begin, double span,
                      double factor)
{
    if (HD_LIKELY(syncs->sides == NULL))
        hd_time_vector_add(vector, call_path, factor * span);
    else
        hd_sync_time_add_call_slow(vector, syncs, call_path, begin, span, factor);
}

/* The same, taken off where there is any; never below zero. */
void hd_sync_time_take_call_slow(hd_time_vector *vector, const hd_syncs *syncs, uint32_t call_path, hd_time begin,
                                 double span);

static inline void
hd_sync_time_take_call(hd_time_vector *vector, const hd_syncs *syncs, uint32_t call_path, hd_time begin, double span)
{
    if (HD_LIKELY(syncs->sides == NULL))
        hd_time_vector_take(vector, call_path, span);
    else
        hd_sync_time_take_call_slow(vector, syncs, call_path, begin, span);
}

/* The same where tasks were run in the call: what was the call's own is not known apart, so each side gives its
 * share. */
void hd_sync_time_take_share(hd_time_vector *vector, const hd_syncs *syncs, uint32_t call_path, double span);

/* The time of a call path in the window, on whichever side, becomes that inside. Where there are sides. */
void hd_sync_time_join_window(hd_time_vector *vector, const hd_syncs *syncs);

/* When a wait at a window began, or a member of a collective of one had come; of others, the enter of the call. */
static inline hd_time
hd_sync_wait_begin(const hd_syncs *syncs, const hd_sync *sync)
{
    return sync->delay == HD_DELAY_RMA ? sync->enter + hd_sync_group_of(syncs, sync)->offset : sync->enter;
}

/* Adds factor times the waits [ticks] at these points, extended: also those of WAITED points. Where there are no sides.
 * Returns their sum. */
double hd_sync_time_add_waits(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, double factor,
                              bool extended);

typedef struct hd_sync_rules {
    bool            extended; /* WAITED points inside count as waiting */
    uint32_t        limit;    /* as above */
    hd_time_vector *scratch;  /* another one than that which is made */
} hd_sync_rules;

/* That time alone without the waits at the points inside. What is negative stands for 0; there is none with sides or a
 * limit. Returns the sum of the waits. */
double hd_sync_time_net(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, hd_sync_rules rules);
/* That, with the completion time alone of the call of `from`: what the location can be blamed for. */
double hd_sync_time_pruned(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to,
                           hd_sync_rules rules);

/* Whether it is found without sums of many points. */
static inline bool
hd_sync_time_is_short(uint32_t from, uint32_t to)
{
    return from < to && (from / HD_SYNC_FAN_OUT + 2) * HD_SYNC_FAN_OUT > to;
}

/* Adds the time in another location's short interval, as hd_sync_time_pruned() makes it, to the vector's `others`: what
 * is negative stands for 0. Where there are neither sides nor a limit. */
void hd_sync_time_add_others(const hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to,
                             bool extended);

/* From the enter of a point's call: so many ticks in the unit of vectors. */
double hd_sync_time_from_enter(const hd_syncs *syncs, const hd_sync *sync, hd_span span);

static inline double
hd_sync_time_wait(const hd_syncs *syncs, const hd_sync *sync)
{
    return syncs->clock == NULL ? (double)sync->wait : hd_sync_time_from_enter(syncs, sync, sync->wait);
}

/* Enter of a point's call. With --compat=scout26 the point of a barrier is after the regions that were entered in
 * it. */
static inline hd_time
hd_sync_enter_of_call(const hd_syncs *syncs, const hd_sync *sync)
{
    uint32_t after = syncs->clock != NULL && sync->kind == HD_SYNC_BARRIER ? hd_sync_group_of(syncs, sync)->list :
                     HD_NONE;

    return after != HD_NONE ? sync->enter - after : sync->enter;
}

#endif
