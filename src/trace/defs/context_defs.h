/* src/trace/defs/context_defs.h: the part of defs_read.h for calling contexts. Inside of defs only. */
#ifndef HD_CONTEXT_DEFS_H
#define HD_CONTEXT_DEFS_H

#include "raw_defs.h"

/* Fills contexts, context_refs and samplers, whose places are laid out. */
void hd_context_defs_fill(const raw_defs *raw, hd_defs *defs);

#endif
