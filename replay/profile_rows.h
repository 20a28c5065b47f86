/* replay/profile_rows.h: what the profile of a location has, as severities. While the forward replay runs it is packed:
 * 1 to 5 bytes per value, in place of 32 per call path and 96 per call path with counts.
 *
 * Inside of the replay only. Uses: core. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_PROFILE_ROWS_H
#define HD_PROFILE_ROWS_H

#include "vproc.h"

/* Times and counts of the call paths are freed, if nothing needs them. */
void hd_profile_rows_pack(hd_vproc *vproc, bool keeps);
/* Each pair of metric and call path once, [n]; free() it. The packed ones are freed. */
hd_severity *hd_profile_rows_take(hd_vproc *vproc, size_t *n);

#endif
