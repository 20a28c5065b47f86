/* src/cube/read/anchor_take.h: makes a report of what was parsed. Private to the component. Uses: anchor_parser. MT:
 * one thread. Ranks: local. */
#ifndef HD_ANCHOR_TAKE_H
#define HD_ANCHOR_TAKE_H

#include "anchor_parser.h"

/* Fills parser->cube but for its topologies. Errors: HD_EFORMAT. */
hd_status hd_anchor_take(hd_anchor_parser *parser);

#endif
