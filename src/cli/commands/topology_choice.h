/* src/cli/commands/topology_choice.h: which topology heddle topology shows: one of the report's, its nodes and
 * what is in them, or a grid that the user gives.
 * Uses: cube_reader, view. MT: main thread only. Ranks: local.
 */
#ifndef HD_TOPOLOGY_CHOICE_H
#define HD_TOPOLOGY_CHOICE_H

#include "cube_reader.h"
#include "view.h"

#define HD_TOPOLOGY_NODES "nodes" /* what every report has: its system tree as a grid */
#define HD_TOPOLOGY_MACHINE "machine" /* nodes, and the sockets, NUMA domains and cores of them that processes are bound to */
#define HD_TOPOLOGY_GRID "grid:"  /* one that the user gives */
#define HD_TOPOLOGY_TORUS "torus:"

/* Nodes that have processes, and the processes of each in the order of the report. Owner: hd_topology_made_fini(). */
void hd_topology_make_nodes(const hd_cube *cube, hd_cube_topology *nodes);
/* Nodes, and those of sockets, NUMA domains and cores that all processes are at which are at any: numbered within what
 * they are in. The last dimension numbers processes at one place. False: there are none. Owner: the same. */
bool hd_topology_make_machine(const hd_cube *cube, hd_cube_topology *machine);
void hd_topology_made_fini(hd_cube_topology *made);

/* The topology of this name; NULL: the first that is not the grid of processes and threads.
 *   made    in: zeros; out: what nodes or a grid are put in. Owner: hd_topology_made_fini(), also on error
 *   found   out: one of the report's, or made
 * Errors: HD_EUSAGE. */
hd_status hd_topology_find(const hd_cube *cube, const char *name, hd_cube_topology *made,
                           const hd_cube_topology **found);

bool hd_topology_is_grid(const char *name); /* that the user gives */

/* The name of the one that heddle analyze looked at messages on; NULL: none, it is not there, or it is another tool's
 * report. */
const char *hd_topology_of_analysis(const hd_cube *cube);

/* Names and sizes of its dimensions, without axes. */
void hd_topology_describe(const hd_cube_topology *topology, hd_view *view);

#endif
