/* topology/places.h: a file that says where on a topology the processes, or the hosts that they ran on, are.
 *
 *   # a torus
 *   host      x y z          or: rank x y z          what the lines are of, and the names of the dimensions
 *   size      4 4 2                                  may be left out: 1 more than the largest number
 *   periodic  yes yes no                             may be left out: no
 *   node0001  0 0 0
 *   node0002  1 0 0
 *
 * Hosts that the archive does not have are passed over. Uses: cartesian, hosts, lines. MT: one thread. Ranks: local.
 */
#ifndef HD_PLACES_H
#define HD_PLACES_H

#include "cartesian.h"
#include "hosts.h"

/* text: changed; name: of the topology. Errors: HD_EFORMAT, with the line: it is no such file, a rank that the program
 * does not have, a rank or host twice, a number outside of the size; a process that has no place. */
hd_status hd_places_read(char *text, const char *path, const char *name, const hd_defs *defs, const hd_hosts *hosts,
                         hd_cartesian **cartesian);

#endif
