/* tests/report/small_defs.h: definitions of a small program for tests of reports, without an archive. */
#ifndef SMALL_DEFS_H
#define SMALL_DEFS_H

#include "defs.h"

typedef struct small_region {
    const char *name, *file;
    uint8_t     paradigm, role;
} small_region;

/* n_processes of n_threads locations each, on two nodes of one machine (a third node has none), one communicator;
 * free() it. With an accelerator the last location of every process is one. There are two topologies, "sweep grid" and
 * "Process x Thread", of which none counts until n_topologies of what is returned says so. */
hd_defs *small_defs(const small_region *regions, uint32_t n_regions, uint32_t n_processes, uint32_t n_threads,
                    bool has_accelerator);

#endif
