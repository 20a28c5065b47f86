/* src/cube/read/anchor_parser.h: the anchor of a report while it is parsed. Private to the component.
 *
 * cube_anchor.c feeds expat and keeps the stack of open elements, anchor_parts.c knows what elements say, anchor_take.c
 * makes the report of it.
 * Uses: cube_file, cube_topology, table; expat. Owner: hd_cube_read_anchor(); texts are the report's. MT: one thread.
 * Ranks: local.
 */
#ifndef HD_ANCHOR_PARSER_H
#define HD_ANCHOR_PARSER_H

#include <expat.h>

#include "cube_file.h"
#include "cube_topology.h"
#include "table.h"

enum { HD_ANCHOR_MAX_TEXT = 1 << 20 }; /* bytes of one name */

typedef enum hd_anchor_element {
    IN_OTHER, IN_CUBE, IN_DOC, IN_MIRRORS, IN_METRICS, IN_METRIC, IN_PROGRAM, IN_REGION, IN_CNODE, IN_SYSTEM, IN_NODE,
    IN_GROUP, IN_LOCATION, IN_TOPOLOGIES, IN_CART, IN_TEXT
} hd_anchor_element;

typedef enum hd_anchor_text {
    TEXT_NONE, TEXT_NAME, TEXT_ID, TEXT_DTYPE, TEXT_UNIT, TEXT_WHAT, TEXT_URL, TEXT_EXPRESSION,
    TEXT_PREPARATION, TEXT_PLUS, TEXT_MINUS, TEXT_TOGETHER, TEXT_RANK, TEXT_PARADIGM, TEXT_ROLE,
    TEXT_MANGLED, TEXT_TYPE, TEXT_COORDINATE, TEXT_CLASS, TEXT_MIRROR
} hd_anchor_text;

typedef struct hd_parsed_metric {
    hd_cube_metric metric;
    const char    *kind;       /* as in the file */
    bool           is_known;   /* this kind is */
    bool           is_unclear; /* it has a formula of an unknown kind */
} hd_parsed_metric;

typedef struct hd_parsed_location {
    hd_cube_location location;
    uint32_t         number;
} hd_parsed_location;

typedef struct hd_anchor_parser {
    hd_cube   *cube;
    XML_Parser expat;
    hd_status  status;
    int        quoting; /* cube_anchor.c's own */
    char      *quoted;  /* cube_anchor.c's own */

    uint8_t *stack; /* [n_stack] elements that are open */
    size_t   n_stack, stack_capacity;

    hd_parsed_metric   *metrics;
    size_t           n_metrics, metrics_capacity;
    uint32_t         metric; /* the one open, HD_NONE: none */
    hd_table         regions; /* by number */
    size_t           n_regions, regions_capacity;
    size_t           n_paths, paths_capacity;
    uint32_t        *callees; /* [n_paths] ids of regions */
    size_t           callees_capacity;
    uint32_t         path; /* the one open, HD_NONE: none */
    hd_parsed_location *locations;
    size_t           n_locations, locations_capacity;
    size_t           n_attributes, attributes_capacity, n_part_attributes, part_attributes_capacity;
    size_t           n_parameters, parameters_capacity, n_mirrors, mirrors_capacity;
    hd_topology_parser topologies;
    uint32_t         coordinate_of; /* location */
    uint32_t        *open_nodes; /* [n_open_nodes] of the system tree */
    size_t           n_nodes, nodes_capacity, n_open_nodes, open_nodes_capacity;
    uint8_t         *is_node;    /* [n_nodes] IS_CALLED_NODE and IS_MARKED */
    size_t           n_is_node, is_node_capacity;
    size_t           n_groups, groups_capacity;

    hd_anchor_text text_of; /* what is being collected */
    char   *text;
    size_t  n_text, text_capacity;
} hd_anchor_parser;

/* What an element is depends on what it is in; IN_OTHER is passed over with all that it contains. */
hd_anchor_element hd_anchor_element_of(hd_anchor_element in, const char *name);
/* Of which part an element is a text, TEXT_NONE if it is none. */
hd_anchor_text hd_anchor_text_of(hd_anchor_element in, const char *name);

/* The first time: keeps an error that says where it is, and ends the parsing. */
void hd_anchor_stop(hd_anchor_parser *parser, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
