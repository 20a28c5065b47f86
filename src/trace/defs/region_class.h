/* src/trace/defs/region_class.h: what a region is to the analysis, from its names (docs/metrics.md#region-classes).
 * Uses: base. MT: any thread. Ranks: local. Errors: none.
 */
#ifndef HD_REGION_CLASS_H
#define HD_REGION_CLASS_H

#include "defs.h"

/* Sets region_class, call and the repaired role of *region from its canonical name, source file, role and paradigm. */
void hd_region_classify(hd_region *region, const char *canonical, const char *file);

#endif
