/* topology/slurm.h: the switches of a site, as in Slurm's topology.conf.
 *
 *   SwitchName=leaf0 Nodes=node[0000-0015]           # comment
 *   SwitchName=leaf1 Nodes=node[0016-0031] LinkSpeed=1
 *   SwitchName=spine Switches=leaf[0-1]
 *
 * Keys in any letters. Switches that another one is below of count as one: the upper layer of a fat tree, where each
 * names all switches below. Hosts that the archive does not have are passed over. Uses: hosts, lines. MT: one thread.
 * Ranks: local.
 */
#ifndef HD_SLURM_H
#define HD_SLURM_H

#include "hosts.h"

/* text: changed. Errors: HD_EFORMAT, with the line: it is no such file, switches in a circle, a host at two of them; a
 * host of the archive at none. */
hd_status hd_slurm_read(char *text, const char *path, const hd_defs *defs, const hd_hosts *hosts,
                        hd_switches **switches);

#endif
