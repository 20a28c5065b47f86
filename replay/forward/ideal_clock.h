/* replay/forward/ideal_clock.h: how long the run would take if data took no time to arrive: the ideal runtime of the
 * efficiencies (docs/metrics.md#ideal-runtime).
 *
 * Each location has an ideal clock (hd_ideal_clock of vproc.h). Where it is not in MPI it goes as recorded. In MPI it
 * stands still, but for waits:
 *
 *   receive       to the sender's at the enter of the call that sends: a word in hd_message
 *   collective    to the latest of the members without whom it cannot end, each at the enter of the call that starts
 * it:
 *                 hd_ideal_value, which is combined with the other values of the operation
 *
 * So the replay of a location stops at a collective operation in which it waits until all members are there. Members
 * of
 * a non-blocking one contribute where they start it, in a reduction of its own, and stop where they complete it; else
 * they would wait for each other in valid programs.
 *
 * Of an interval of the run, clocks go as recorded until it begins, and are asked for when it ends: a clock that is in
 * MPI then is at its enter, or at the begin of the interval.
 *
 * Where something is missing (unmatched operations, damage), locations wait in vain. Then the replay gives up: it goes
 * on without ideal clocks, and nothing else is different.
 *
 * Inside of the replay only. Uses: reduction, vproc. MT: the worker's thread. Ranks: local, unless a line says
 * otherwise. Memory: 88 bytes per location, 8 per message under way, 48 per collective operation and worker.
 */
#ifndef HD_IDEAL_CLOCK_H
#define HD_IDEAL_CLOCK_H

#include "coll_instance.h"

/* ---- collective operations ---------------------------------------------------------------------------------------
 * */

/* The vproc is about to contribute to a blocking operation. */
void hd_ideal_may_wait(const hd_replay *replay, hd_vproc *vproc, hd_coll_class c, hd_coll_role role);
/* A blocking operation was contributed to by the vproc's current op. True: it is decided, or the vproc does not wait
 * in it; false: the vproc is blocked, and is woken when it is decided. */
bool hd_ideal_wait(hd_replay_worker *rh, hd_vproc *vproc);
/* It is decided. mixed: members disagree on what it is, so nobody waits. */
void hd_ideal_decided(hd_worker *worker, hd_coll_instance *instance, bool mixed);

/* A post of the vproc starts a non-blocking operation. */
void hd_ideal_start_nbc(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc);
/* The current op completes one. False: as above. */
bool hd_ideal_complete_nbc(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc);
void hd_ideal_deliver(hd_replay_worker *rh, hd_worker *worker, uint32_t kind, const void *data);

/* ---- a location --------------------------------------------------------------------------------------------------
 * */

/* interval: of the run; n == 0: all of it. */
void hd_ideal_start(hd_vproc *vproc, const hd_windows *interval);
/* Of any call. */
void hd_ideal_enter_any(hd_vproc *vproc);

/* The vproc's call begins. */
static inline void
hd_ideal_enter(hd_vproc *vproc)
{
    hd_ideal_clock *ideal = &vproc->ideal;
    const hd_call  *call  = &vproc->cursor.call;

    if (HD_UNLIKELY(call->enter >= ideal->plain_until || vproc->n_calls == ideal->next_others)) {
        hd_ideal_enter_any(vproc);
        return;
    }
    ideal->now += call->enter - ideal->last_leave;
    ideal->last_leave = call->leave;
    ideal->enter      = ideal->now;
}

/* Where the clock is at the end of the interval, when all calls are done. */
hd_time hd_ideal_at_end(const hd_vproc *vproc, hd_time end);

/* Its current op is that of MPI_Init, and is done; is that of MPI_Finalize, and begins. */
static inline void
hd_ideal_init_left(hd_vproc *vproc)
{
    vproc->ideal.init_left = vproc->ideal.now;
    vproc->ideal.has_init  = true;
}

static inline void
hd_ideal_finalize_entered(hd_vproc *vproc)
{
    vproc->ideal.finalize_entered = vproc->ideal.enter;
    vproc->ideal.has_finalize     = true;
}

/* Data of another process, whose ideal clock was there when it sent it. */
static inline void
hd_ideal_receive(hd_vproc *vproc, hd_time sent)
{
    vproc->ideal.now = hd_time_max(vproc->ideal.now, sent);
}

/* ---- a worker, a rank --------------------------------------------------------------------------------------------
 * */

void hd_ideal_init(hd_replay_worker *rh, hd_worker *worker);
void hd_ideal_fini(hd_replay_worker *rh);

/* Nothing is under way. If locations wait in collective operations, all are woken, and none stops at one any more:
 * true then, on all ranks. MT: main thread only, not while the engine runs. Ranks: all, together. */
bool hd_ideal_give_up(hd_replay *replay, hd_engine *engine);

#endif
