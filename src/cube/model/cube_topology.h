/* src/cube/model/cube_topology.h: the topologies of a report while its anchor is parsed. Private to the component.
 *
 *   _begin() ──▶ _dimension() for each ──▶ _coordinate() for each ──▶ _begin() of the next ... _take()
 *
 * Uses: cube_model. MT: one thread. Ranks: local.
 */
#ifndef HD_CUBE_TOPOLOGY_H
#define HD_CUBE_TOPOLOGY_H

#include "cube_model.h"

typedef struct hd_topology_parser {
    hd_cube_topology *topologies; /* [n] */
    size_t            n, capacity;
    bool              is_bad;    /* the last one */
    size_t            n_numbers, capacity_numbers, capacity_dimensions; /* of the last one */
} hd_topology_parser;

/* name, of this and of dimensions: lives as long as the cube. */
void hd_topology_parser_begin(hd_topology_parser *parser, const char *name);
void hd_topology_parser_dimension(hd_topology_parser *parser, const hd_cube_dimension *dimension);
/* text: "x0 x1 ..."; location: HD_NONE for one that is none */
void hd_topology_parser_coordinate(hd_topology_parser *parser, uint32_t location, const char *text);
/* What was parsed becomes the cube's, once its locations are known. Left out: topologies without dimensions, with too
 * many of them, one of size 0, or one after the coordinates; coordinates that are not a number for each dimension, or
 * outside. */
void hd_topology_parser_take(hd_topology_parser *parser, hd_cube *cube);
void hd_cube_topologies_free(hd_cube_topology *topologies, size_t n);

#endif
