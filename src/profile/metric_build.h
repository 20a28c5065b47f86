/* src/profile/metric_build.h: which metrics a report has: what the run must have had for each group of metrics
 * (HD_BUILD_...).
 *
 * A report has a metric if it has its parent, and the run had
 *   - one of the facts in the second column (with --compat=scout26: in the third; 0: never), and
 *   - one of the facts in the fourth (0: nothing else is needed).
 *
 * A metric that is new names one of these rows in metric_table.h; only what no row says yet needs a new one. Uses:
 * nothing.
 */
#ifndef HD_METRIC_BUILD_H
#define HD_METRIC_BUILD_H

#include <stdint.h>

enum { HD_N_NEAR_FACTS = 9, HD_N_HOPS_FACTS = 7 };

/* Facts of a run, as bits. */
#define HD_FACT(i)           (UINT64_C(1) << (i))
#define HD_FACT_ANY          HD_FACT(0)  /* always */
#define HD_FACT_MPI          HD_FACT(1)  /* the call tree has regions of MPI, ... */
#define HD_FACT_OPENMP       HD_FACT(2)
#define HD_FACT_PTHREAD      HD_FACT(3)
#define HD_FACT_SHMEM        HD_FACT(4)
#define HD_FACT_OPENACC      HD_FACT(5)
#define HD_FACT_OPENCL       HD_FACT(6)
#define HD_FACT_OPENCL_KERNEL HD_FACT(7)
#define HD_FACT_CUDA         HD_FACT(8)
#define HD_FACT_CUDA_KERNEL  HD_FACT(9)
#define HD_FACT_AXES(n)      HD_FACT(9 + (n))  /* messages were seen on a topology of n dimensions, 1 to 3; 4: of
                                                * more */
#define HD_FACT_NEAR(i)      HD_FACT(14 + (i)) /* processes that near exchange messages, see hd_nearness of
                                                * topology/machine.h: < HD_N_NEAR_FACTS */
#define HD_FACT_HOPS(i)      HD_FACT(23 + (i)) /* over so many hops on that topology, see hd_distance_class() of
                                                * topology/distance.h: < HD_N_HOPS_FACTS */

#define HD_FACT_FILES        HD_FACT(30) /* operations on files were recorded, and count */

#define HD_FACTS_THREADS  (HD_FACT_MPI | HD_FACT_OPENMP | HD_FACT_PTHREAD | HD_FACT_SHMEM)
#define HD_FACTS_TOPOLOGY (HD_FACT_AXES(1) | HD_FACTS_AXIS_2)
#define HD_FACTS_AXIS_2   (HD_FACT_AXES(2) | HD_FACTS_AXIS_3)
#define HD_FACTS_AXIS_3   (HD_FACT_AXES(3) | HD_FACT_AXES(4))
#define HD_FACTS_NEAR     ((HD_FACT(HD_N_NEAR_FACTS) - 1) * HD_FACT_NEAR(0))
#define HD_FACTS_HOPS     ((HD_FACT(HD_N_HOPS_FACTS) - 1) * HD_FACT_HOPS(0))

/* X(name, one of these, the same with --compat=scout26, and one of these) */
#define HD_METRIC_BUILDS(X) \
X(ALL, HD_FACT_ANY, HD_FACT_ANY, 0) \
X(MPI, HD_FACT_MPI, HD_FACT_MPI, 0) \
X(OPENMP, HD_FACT_OPENMP, HD_FACT_OPENMP, 0) \
X(PARALLEL, HD_FACT_MPI | HD_FACT_OPENMP, HD_FACT_MPI | HD_FACT_OPENMP, 0) \
X(LONG_TERM, HD_FACT_MPI | HD_FACT_OPENMP, HD_FACT_MPI, 0) \
X(DELAY, HD_FACTS_THREADS, HD_FACT_MPI | HD_FACT_OPENMP, 0) \
X(PTHREAD, HD_FACT_PTHREAD, HD_FACT_PTHREAD, 0) \
X(OPENACC, HD_FACT_OPENACC, HD_FACT_OPENACC, 0) \
X(OPENCL, HD_FACT_OPENCL, HD_FACT_OPENCL, 0) \
X(OPENCL_KERNELS, HD_FACT_OPENCL_KERNEL, HD_FACT_OPENCL_KERNEL, 0) \
X(CUDA, HD_FACT_CUDA, HD_FACT_CUDA, 0) \
X(CUDA_KERNELS, HD_FACT_CUDA_KERNEL, HD_FACT_CUDA_KERNEL, 0) \
X(EXTENSION, HD_FACT_MPI, 0, 0) \
X(OPENMP_EXTENSION, HD_FACT_OPENMP, 0, 0) \
X(PARALLEL_EXTENSION, HD_FACT_MPI | HD_FACT_OPENMP, 0, 0) \
X(PTHREAD_EXTENSION, HD_FACT_PTHREAD, 0, 0) \
X(THREADS_EXTENSION, HD_FACTS_THREADS, 0, 0) \
X(SHMEM, HD_FACT_SHMEM, 0, 0) \
X(ONE_SIDED_EXTENSION, HD_FACT_MPI | HD_FACT_SHMEM, 0, 0) \
X(TOPOLOGY, HD_FACT_MPI, 0, HD_FACTS_TOPOLOGY) \
X(GRID_1, HD_FACT_MPI, 0, HD_FACT_AXES(1)) \
X(GRID_2, HD_FACT_MPI, 0, HD_FACT_AXES(2)) \
X(GRID_3, HD_FACT_MPI, 0, HD_FACT_AXES(3)) \
X(AXIS_2, HD_FACT_MPI, 0, HD_FACTS_AXIS_2) \
X(AXIS_3, HD_FACT_MPI, 0, HD_FACTS_AXIS_3) \
X(MACHINE, HD_FACT_MPI, 0, HD_FACTS_NEAR) \
X(NEAR_PROCESS, HD_FACT_MPI, 0, HD_FACT_NEAR(0)) \
X(NEAR_CORE, HD_FACT_MPI, 0, HD_FACT_NEAR(1)) \
X(NEAR_NUMA, HD_FACT_MPI, 0, HD_FACT_NEAR(2)) \
X(NEAR_SOCKET, HD_FACT_MPI, 0, HD_FACT_NEAR(3)) \
X(NEAR_NODE, HD_FACT_MPI, 0, HD_FACT_NEAR(4)) \
X(NEAR_SWITCH, HD_FACT_MPI, 0, HD_FACT_NEAR(5)) \
X(NEAR_SWITCH_2, HD_FACT_MPI, 0, HD_FACT_NEAR(6)) \
X(NEAR_SWITCH_3, HD_FACT_MPI, 0, HD_FACT_NEAR(7)) \
X(NEAR_REMOTE, HD_FACT_MPI, 0, HD_FACT_NEAR(8)) \
X(HOPS, HD_FACT_MPI, 0, HD_FACTS_HOPS) \
X(HOPS_0, HD_FACT_MPI, 0, HD_FACT_HOPS(0)) \
X(HOPS_1, HD_FACT_MPI, 0, HD_FACT_HOPS(1)) \
X(HOPS_2, HD_FACT_MPI, 0, HD_FACT_HOPS(2)) \
X(HOPS_4, HD_FACT_MPI, 0, HD_FACT_HOPS(3)) \
X(HOPS_8, HD_FACT_MPI, 0, HD_FACT_HOPS(4)) \
X(HOPS_16, HD_FACT_MPI, 0, HD_FACT_HOPS(5)) \
X(HOPS_MORE, HD_FACT_MPI, 0, HD_FACT_HOPS(6)) \
X(FILES, HD_FACT_FILES, 0, 0) \
X(FILE_WAITS, HD_FACT_MPI, 0, HD_FACT_FILES)

/* Facts that the replay finds. n_axes: of the topology on which messages were seen, 0: none; near, hops: bit i is
 * HD_FACT_NEAR(i), ... */
static inline uint64_t
hd_metric_facts(uint32_t n_axes, uint32_t near, uint32_t hops)
{
    uint64_t facts = near * HD_FACT_NEAR(0);

    if (n_axes > 0)
        facts |= HD_FACT_AXES(n_axes < 4 ? n_axes : 4) | hops * HD_FACT_HOPS(0);
    return facts;
}

#endif
