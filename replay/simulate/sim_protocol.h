/* replay/simulate/sim_protocol.h: when a send waits for its receiver, learned of the archive.
 *
 *   eager        it does not wait
 *   progress     it waits until the receiver next enters an MPI call
 *   rendezvous   it waits until the receive is posted
 *
 * Evidence are calls that complete sends only, and that were entered before the receive was posted: by size class
 * (power of two of bytes) and whether both processes are on one node. A class without evidence has that of the nearest
 * one.
 *
 * Uses: analysis_comm.
 */
#ifndef HD_SIM_PROTOCOL_H
#define HD_SIM_PROTOCOL_H

#include "analysis_comm.h"

typedef enum hd_sim_mode { /* of a send, by the name of its call */
    HD_SIM_STANDARD, HD_SIM_SYNCHRONOUS, HD_SIM_NEVER_WAITS, /* buffered, ready */
    HD_SIM_COMPLETES_ALL /* no send, but MPI_Waitall, MPI_Testall */
} hd_sim_mode;

typedef enum hd_sim_waiting {
    HD_SIM_UNKNOWN, HD_SIM_EAGER, HD_SIM_WAITS_FOR_PROGRESS, HD_SIM_WAITS_FOR_POST
} hd_sim_waiting;

enum { HD_SIM_SIZES = 65, HD_SIM_N_EVIDENCE = 4 };

typedef struct hd_sim_evidence { /* of sends that were entered before the receive was posted */
    /* how many; of them left before it was posted; for which the receiver was not in an MPI call at their enter; of
     * them left before it entered one */
    uint64_t n[2][HD_SIM_SIZES][HD_SIM_N_EVIDENCE];
} hd_sim_evidence;

typedef struct hd_sim_protocol {
    hd_sim_evidence evidence; /* of all ranks */
    uint8_t         known[2][HD_SIM_SIZES];   /* hd_sim_waiting of classes with evidence */
    uint8_t         waiting[2][HD_SIM_SIZES]; /* of all */
} hd_sim_protocol;

/* evidence: of this rank. Ranks: all, together. MT: main thread only. */
void hd_sim_protocol_learn(hd_sim_protocol *protocol, hd_analysis_comm *analysis_comm, const hd_sim_evidence *evidence);

#endif
