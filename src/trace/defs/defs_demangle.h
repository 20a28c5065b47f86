/* src/trace/defs/defs_demangle.h: region names for reading.
 *
 * A region has the name that it was recorded with (canonical) and the one that is shown (name). Where the latter is a
 * name of the linker, it is replaced by that of the source (demangle.h). Names of MPI and the like are left alone; of
 * OpenMP the function that a construct is in is replaced, which stands behind " @".
 * Uses: defs, demangle. MT: main thread only. Ranks: local; rank 0 does it before it shares the definitions.
 */
#ifndef HD_DEFS_DEMANGLE_H
#define HD_DEFS_DEMANGLE_H

#include "defs.h"

/* Returns the definitions with names for reading, in place of the given ones, which are freed. Owner: the caller,
 * free() it.
 * Cost: linear in the names; at most 256 MiB more, after which names stay as they are. */
hd_defs *hd_defs_demangle(hd_defs *defs);

#endif
