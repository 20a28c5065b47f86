/* src/cube/pl/pl_expression.h: expressions of CubePL. Private to the component. Uses: pl_parser. MT: one thread. Ranks:
 * local. */
#ifndef HD_PL_EXPRESSION_H
#define HD_PL_EXPRESSION_H

#include "pl_parser.h"

hd_pl_nature hd_pl_parse_expression(hd_pl_parser *parser);
hd_pl_nature hd_pl_parse_enclosed(hd_pl_parser *parser, const char *end); /* after what opens it, up to and with end */
void         hd_pl_parse_index(hd_pl_parser *parser);                    /* [index], else 0 */

#endif
