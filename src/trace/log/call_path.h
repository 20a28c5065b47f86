/* src/trace/log/call_path.h: a node of a tree of call paths. Uses: base. */
#ifndef HD_CALL_PATH_H
#define HD_CALL_PATH_H

#include "types.h"

typedef struct hd_call_path {
    uint32_t parent; /* index in the same array, smaller than its own; HD_NONE: a root */
    uint32_t region; /* index in the definitions */
} hd_call_path;

#endif
