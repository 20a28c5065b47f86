/* src/cube/read/anchor_parts.h: what the elements of an anchor say. Private to the component. Uses: anchor_parser. MT:
 * one thread. Ranks: local. */
#ifndef HD_ANCHOR_PARTS_H
#define HD_ANCHOR_PARTS_H

#include "anchor_parser.h"

/* A part begins: is. */
void hd_anchor_begin(hd_anchor_parser *parser, hd_anchor_element is, const char *name, const char **attributes);
/* An element inside of a part that says more of it: an attribute, a parameter, a dimension, or what is known of the
 * text that follows. */
void hd_anchor_detail(hd_anchor_parser *parser, hd_anchor_element in, const char *name, const char **attributes);
/* A part ends, or a text, which is then complete. */
void hd_anchor_end(hd_anchor_parser *parser, hd_anchor_element is);

#endif
