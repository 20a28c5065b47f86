/* src/cube/pl/pl_regex.h: regular expressions of CubePL. Private to the component. Uses: pl_parser. MT: one thread.
 * Ranks: local. */
#ifndef HD_PL_REGEX_H
#define HD_PL_REGEX_H

#include "pl_parser.h"

/* From the first slash on; what asks for much time or memory is refused. */
void hd_pl_parse_regex(hd_pl_parser *parser);

#endif
