/* replay/simulate/sim_records.h: new times of all records of a location, from the new times of its calls.
 *
 *   recorded   ──[ call ]──── solve ────[ call ]──      between calls: each piece as its call path is changed
 *   new        ──[   call   ]── solve ──[ call ]──      in a call: the distance to its enter, or to its leave
 *
 * A record in a call keeps its distance to the enter up to the time at which that what the call waits for happened,
 * and to the leave from there on; where the call waits for nothing, to the nearer one. Where pieces do not sum to the
 * new time between two calls, all records there move in proportion.
 * Uses: sim_state.h, record_log.h. MT: the worker's thread. Ranks: local. Cost: O(records).
 */
#ifndef HD_SIM_RECORDS_H
#define HD_SIM_RECORDS_H

#include "sim_state.h"

/* After a pass, of one of its lanes. location->times is there. log: of the location; times: out, empty before. */
void hd_sim_records_move(const hd_sim *sim, hd_sim_location *location, uint32_t lane, const hd_record_log *log,
                         hd_record_times *times);

#endif
