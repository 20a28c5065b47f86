/* replay/forward/receive_overlap.h: overlap of non-blocking receives. Definition:
 * docs/metrics.md#mpi_receive_overlap. */
#ifndef HD_RECEIVE_OVERLAP_H
#define HD_RECEIVE_OVERLAP_H

#include "forward_pattern.h"

extern const hd_forward_pattern hd_receive_overlap_pattern;

#endif
