/* topology/hosts.h: the nodes that the MPI processes of an archive ran on, by name; and lists of hosts as Slurm writes
 * them.
 *
 * Names are the same if they are equal, letters of both cases alike, or if one has no domain and the other begins with
 * it: "node7" and "node7.example.org"; a name of digits up to its first dot is an address and has no domain.
 * Uses: machine, lines. Grows with: processes, 8 bytes; nodes, 32. MT: read only once made. Ranks: local.
 */
#ifndef HD_HOSTS_H
#define HD_HOSTS_H

#include "lines.h"
#include "machine.h"
#include "status.h"
#include "table.h"

typedef struct hd_hosts {
    const char **names;      /* [n] the definitions' */
    uint32_t    *next;       /* [n] with an equal hash */
    uint32_t    *of_process; /* [n_processes] HD_NONE: not known */
    uint32_t    *nodes;      /* [n_processes] see hd_machine_nodes() */
    uint32_t     n;
    hd_table     index;      /* hash of a name without its domain -> the first host with it */
} hd_hosts;

void hd_hosts_init(hd_hosts *hosts, const hd_defs *defs);
void hd_hosts_fini(hd_hosts *hosts);

/* HD_NONE: none has this name. */
uint32_t hd_hosts_find(const hd_hosts *hosts, const char *name);

/* Calls visit for each name of "tux[0-15,17],login,r[0-1]n[00-03]", in order, until it fails.
 *   lines   where the list stands, for errors
 *   left    how many names may come yet; in and out
 * Errors: what visit returns; HD_EFORMAT, with the line: it is no list, or has too many names. */
typedef hd_status (*hd_hosts_visit)(void *context, const char *name);
hd_status hd_hosts_expand(const hd_lines *lines, const char *list, uint64_t *left, hd_hosts_visit visit, void *context);

#endif
