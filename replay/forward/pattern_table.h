/* replay/forward/pattern_table.h: the patterns of point-to-point messages. A new one is a file and a row. */
#ifndef HD_PATTERN_TABLE_H
#define HD_PATTERN_TABLE_H

#include "forward_pattern.h"

extern const hd_forward_pattern *const hd_pattern_table[]; /* [hd_pattern_table_n] notified in this order */
extern const uint32_t                  hd_pattern_table_n;

#endif
