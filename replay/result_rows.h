/* replay/result_rows.h: what a location has collected, packed while the backward replay runs: about 5 bytes for a row,
 * in place of 16.
 *
 * Inside of the replay only. Uses: core. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_RESULT_ROWS_H
#define HD_RESULT_ROWS_H

#include "pattern.h"

enum { HD_PACKED_FROM = 1024 }; /* locations of a rank: packing costs a few instructions for each row */

/* Entries and startup; n and n_startup stay. */
void hd_result_rows_pack(hd_location_result *result);
void hd_result_rows_unpack(hd_location_result *result);

#endif
