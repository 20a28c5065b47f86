/* src/report/algebra/scaling_efficiency.h: POP's table of runs of several sizes: the efficiencies of each run, and how
 * the time that all threads compute changes (docs/metrics.md#computation-scaling).
 *
 * Reference is the first run that has efficiencies. A run counts by its main window, or as a whole where there is none.
 * Counters are those of call paths of computation.
 *
 *     global efficiency = parallel efficiency * computation scaling
 *     computation scaling = useful time of the reference / useful time = instruction * IPC * frequency scaling
 *
 * With weak scaling the work is as much for each thread, not altogether: useful time and instructions are then means of
 * threads.
 * Uses: cube_reader, counter_patterns, efficiency_list. MT: one thread. Ranks: local. Grows with: runs, 300 bytes each.
 */
#ifndef HD_SCALING_EFFICIENCY_H
#define HD_SCALING_EFFICIENCY_H

#include "cube_reader.h"
#include "efficiency_list.h"

/* X(id, depth, unit, name): in the order in which they are shown
 *   depth  below the row before it that is less deep, of which it is a factor
 *   unit   "": a part of 1
 */
#define HD_SCALING_FACTORS(X) \
X(global, 0, "", "Global efficiency") \
X(parallel, 1, "", "Parallel efficiency") \
X(load_balance, 2, "", "Load balance") \
X(communication, 2, "", "Communication efficiency") \
X(serialisation, 3, "", "Serialisation efficiency") \
X(transfer, 3, "", "Transfer efficiency") \
X(mpi_parallel, 2, "", "MPI parallel efficiency") \
X(mpi_load_balance, 3, "", "MPI load balance") \
X(mpi_communication, 3, "", "MPI communication efficiency") \
X(mpi_serialisation, 4, "", "MPI serialisation efficiency") \
X(mpi_transfer, 4, "", "MPI transfer efficiency") \
X(openmp_parallel, 2, "", "OpenMP parallel efficiency") \
X(openmp_load_balance, 3, "", "OpenMP load balance") \
X(openmp_communication, 3, "", "OpenMP communication efficiency") \
X(computation_scaling, 1, "", "Computation scaling") \
X(instruction_scaling, 2, "", "Instruction scaling") \
X(ipc_scaling, 2, "", "IPC scaling") \
X(frequency_scaling, 2, "", "Frequency scaling") \
X(runtime, 0, "sec", "Runtime") \
X(speedup, 0, "", "Speedup") \
X(useful, 0, "sec", "Useful time of all threads") \
X(ipc, 0, "#", "Instructions per cycle") \
X(frequency, 0, "Hz", "Frequency")

typedef enum hd_scaling_factor {
#define HD_SCALING_FACTOR_NAME(id, depth, unit, name) HD_SCALING_##id,
    HD_SCALING_FACTORS(HD_SCALING_FACTOR_NAME)
#undef HD_SCALING_FACTOR_NAME
    HD_N_SCALING_FACTORS
} hd_scaling_factor;

typedef struct hd_scaling_factor_info {
    const char *id, *unit, *name;
    uint32_t    depth;
} hd_scaling_factor_info;

extern const hd_scaling_factor_info hd_scaling_factor_infos[HD_N_SCALING_FACTORS];

typedef struct hd_scaling_efficiencies {
    double  (*values)[HD_N_SCALING_FACTORS]; /* [n_runs] NaN: not known */
    uint32_t  n_runs, reference;             /* HD_NONE: no run has efficiencies */
    bool      is_weak;
    bool      has[HD_N_SCALING_FACTORS];     /* known of a run */
} hd_scaling_efficiencies;

/* cubes: [n]. all: out, hd_scaling_efficiencies_fini() it. Errors: those of hd_efficiency_list_read() and
 * hd_cube_sum(); all is empty then. */
hd_status hd_scaling_efficiencies_read(hd_cube *const *cubes, uint32_t n, bool is_weak, hd_scaling_efficiencies *all);
void      hd_scaling_efficiencies_fini(hd_scaling_efficiencies *all);

/* Whether a factor is a part of 1 and so is shown in percent: not the speedup. */
bool hd_scaling_factor_is_share(hd_scaling_factor factor);

#endif
