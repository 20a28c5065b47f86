/* replay/simulate/sim_network.h: how much of transfers is latency, and how much grows with the bytes, learned of fits.
 *
 *   line      transfer = latency + bytes · slope, through the 10 % quantiles of the smallest and of the largest size;
 *             both at least 0. Of messages one for each relation of nodes; of collective operations, and of trees, one
 *             for each operation, relation and power of two of members
 *
 * Uses: sim_fit.h. MT: read only once it is made. Ranks: local, the same on all. Cost: O(n²) of n fits, to make it.
 */
#ifndef HD_SIM_NETWORK_H
#define HD_SIM_NETWORK_H

#include "hypothesis.h"
#include "sim_fit.h"

typedef struct hd_sim_line {
    hd_sim_class what;    /* bytes: not used; n_members: a power of two */
    uint64_t     latency; /* [ticks] */
    uint64_t     slope;   /* [ticks / 2^32 bytes] */
    uint32_t     n_sizes; /* 1: the latency is all of the transfer, as it is not known what grows */
} hd_sim_line;

typedef struct hd_sim_lines {
    hd_sim_line *rows; /* [n] */
    size_t       n;
} hd_sim_lines;

/* Whether the class is of messages or collective operations. */
bool hd_sim_is_of_network(const hd_sim_class *what);
/* The same, or at windows: what depends on whether processes are on one node. */
bool hd_sim_is_of_processes(const hd_sim_class *what);
/* Whether such a transfer moves data: other operations synchronise only. */
bool hd_sim_moves_data(const hd_sim_class *what);

void hd_sim_lines_make(hd_sim_lines *lines, const hd_sim_fits *fits);
void hd_sim_lines_fini(hd_sim_lines *lines);

/* Whether the archive shows what the change needs. Errors: HD_EUSAGE. */
hd_status hd_sim_lines_check(const hd_sim_lines *lines, const hd_hypothesis *hypothesis, const hd_change *network);

/* The transfer with another latency and bandwidth; as it is where no line is known. */
hd_span hd_sim_lines_change(const hd_sim_lines *lines, const hd_change *network, const hd_sim_class *what,
                            hd_span transfer);

#endif
