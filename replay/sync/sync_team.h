/* replay/sync/sync_team.h: what the patterns of threads find becomes synchronization points. Functions of an
 * hd_team_sink (pattern.h). Inside of the replay only. Uses: core. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_SYNC_TEAM_H
#define HD_SYNC_TEAM_H

#include "pattern.h"

/* vprocs: of the process, the first thread's first. */
void hd_sync_add_team_point(void *vprocs, const hd_team_point *point);
void hd_sync_add_time_move(void *vprocs, const hd_time_move *move);

#endif
