/* src/record/preload/profile.h: the call paths of a location, where a profile is wanted and no records.
 *
 * Takes what a log would write (hd_log_put) and keeps sums instead: how often each call path was visited, how long, and
 * what it sent. They stand in a mapped file (raw_profile.h) that grows with the call paths, and not with the run. A
 * path is found by a hash of its parent, its region and its caller, in memory of the thread alone: no lock, and nothing
 * is allocated but where another 64 KiB of paths begin.
 * Uses: raw_layout, raw_profile. MT: that of the log. Ranks: local. Grows with: call paths, 152 bytes each.
 */
#ifndef HD_PROFILE_H
#define HD_PROFILE_H

#include "raw_layout.h"
#include "raw_profile.h"

typedef struct hd_profile hd_profile;

/* Of location `number`; begin: [ticks] since when it runs, 0: only while something is open. NULL: it cannot be made,
 * and nothing is recorded any more. A log keeps it to the end of the program. */
hd_profile *hd_profile_new(uint32_t number, uint64_t begin);

/* In place of a record. Cost: some 10 ns, no system call but where the file grows. */
void hd_profile_take(hd_profile *profile, uint64_t time, hd_raw_kind kind, uint32_t id, uint32_t n,
                     const uint64_t *words);

/* In place of the leave of a call that has found nothing. enter: [ticks] its own. */
void hd_profile_leave_idle(hd_profile *profile, uint64_t enter, uint64_t leave, uint32_t id);

/* Where a team is forked: the call path. A thread of that team begins: it continues that path, of location `parent`,
 * until the end of the team. */
uint32_t hd_profile_path(const hd_profile *profile);
void     hd_profile_join_team(hd_profile *profile, uint32_t team, uint32_t parent, uint32_t path);

#endif
