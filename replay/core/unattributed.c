/* replay/core/unattributed.c: books waiting time that no delay explains. Parts come from several locations in any
 * order, so they are added up as integers, fractions of a tick. */
#include "unattributed.h"

void
hd_unattributed_book_reply(const hd_replay *replay, hd_vproc *vproc, hd_metric metric, uint32_t call_path, double value)
{
    int64_t fractions = (int64_t)(value * replay->fraction + 0.5); /* thousands of them would miss what is cut off */

    if (fractions > 0)
        hd_severity_add(&vproc->replies, metric, call_path, fractions);
}

void
hd_unattributed_book(const hd_replay *replay, hd_vproc *vproc, hd_delay delay, uint32_t call_path, double wait)
{
    if (!replay->compat)
        hd_unattributed_book_reply(replay, vproc, hd_delay_infos[delay].unattributed, call_path, wait);
}

void
hd_unattributed_wait(hd_replay_worker *rh, hd_vproc *vproc, hd_delay delay, uint32_t call_path, double wait)
{
    if (hd_is_outside(&rh->replay->sides, call_path))
        return;
    hd_unattributed_book(rh->replay, vproc, delay, call_path, wait);
    if (!rh->replay->compat)
        hd_cause_short_term(rh, &rh->causes, HD_NONE, hd_effect(delay, call_path), wait);
}
