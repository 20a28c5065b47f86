/* replay/simulate/hypothesis/change_place.h: a file that says which processes are on which nodes.
 *
 *   0-3,8  node1      processes, then the name of a node: one of the archive's, or another one
 *   # comment
 *
 * Processes that the file does not name stay. Inside of the component only. Uses: hypothesis. MT: main thread only.
 */
#ifndef HD_CHANGE_PLACE_H
#define HD_CHANGE_PLACE_H

#include "hypothesis.h"

/* Sets node_of and is_comm_near of the change; text: of its hypothesis. Ranks: local; each reads the file. Errors:
 * HD_EOPEN, HD_EREAD; HD_EUSAGE, with the line. */
hd_status hd_change_read_place(const char *text, hd_change *change, const hd_defs *defs);

#endif
