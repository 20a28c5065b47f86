/* src/report/members/efficiency_list.h: efficiencies: the table of sums that a report carries, and the factors that are
 * computed from it (docs/metrics.md#efficiencies).
 *
 *   heddle.efficiency.tsv            slice · kind · from · to · ideal · resolution · sums
 *   heddle.iteration-efficiency.tsv  slice · kind · first · iterations · from · to · runtime · resolution · sums
 *
 * One line for each slice. kind: whole, main, interval, regions, window; of the second table iteration, before, after,
 * between, with slices as in heddle.iterations.tsv (iteration_list.h), and first, iterations, from and to of iterations
 * alone. All times in ticks, from and to since the begin of the trace; ideal: empty where it is not known; resolution:
 * ticks of a second; sums: HD_EFFICIENCY_SUMS, by their ids. Read tables are taken for damaged until checked. Uses:
 * cube_reader, profile. MT: one thread. Ranks: local.
 */
#ifndef HD_EFFICIENCY_LIST_H
#define HD_EFFICIENCY_LIST_H

#include <stdio.h>

#include "cube_reader.h"
#include "efficiency.h"
#include "iteration_series.h"

#define HD_EFFICIENCY_MEMBER           "heddle.efficiency.tsv"
#define HD_ITERATION_EFFICIENCY_MEMBER "heddle.iteration-efficiency.tsv"

/* X(id, parent, group, key, name): of hd_factors_of(), a parent before its children
 *   id      as rules name it
 *   group   of which model it is, and of which object in JSON
 *   key     in that object
 *   parent  whose factor or, of the additive model, loss it is; none: a root
 */
#define HD_FACTORS(X) \
X(parallel, none, BASIC, "parallel", "Parallel efficiency") \
X(load_balance, parallel, BASIC, "load_balance", "Load balance") \
X(communication, parallel, BASIC, "communication", "Communication efficiency") \
X(serialisation, communication, BASIC, "serialisation", "Serialisation efficiency") \
X(transfer, communication, BASIC, "transfer", "Transfer efficiency") \
X(mpi_parallel, none, MPI, "parallel", "MPI parallel efficiency") \
X(mpi_load_balance, mpi_parallel, MPI, "load_balance", "MPI load balance") \
X(mpi_communication, mpi_parallel, MPI, "communication", "MPI communication efficiency") \
X(mpi_serialisation, mpi_communication, MPI, "serialisation", "MPI serialisation efficiency") \
X(mpi_transfer, mpi_communication, MPI, "transfer", "MPI transfer efficiency") \
X(mpi_parallel_unweighted, none, MPI, "parallel_unweighted", "MPI parallel efficiency, processes alike") \
X(mpi_load_balance_unweighted, none, MPI, "load_balance_unweighted", "MPI load balance, processes alike") \
X(openmp_parallel, none, OPENMP, "parallel", "OpenMP parallel efficiency") \
X(openmp_load_balance, openmp_parallel, OPENMP, "load_balance", "OpenMP load balance") \
X(openmp_communication, openmp_parallel, OPENMP, "communication", "OpenMP communication efficiency") \
X(process, none, ADDITIVE, "process", "Process efficiency") \
X(process_load_balance, process, ADDITIVE, "process_load_balance", "Process load balance") \
X(process_communication, process, ADDITIVE, "process_communication", "Process communication efficiency") \
X(process_serialisation, process_communication, ADDITIVE, "process_serialisation", "Process serialisation efficiency") \
X(process_transfer, process_communication, ADDITIVE, "process_transfer", "Process transfer efficiency") \
X(thread, none, ADDITIVE, "thread", "Thread efficiency") \
X(serial_region, thread, ADDITIVE, "serial_region", "Serial region efficiency") \
X(openmp, thread, ADDITIVE, "openmp", "OpenMP region efficiency") \
X(lost_imbalance, openmp, CAUSES, "imbalance", "threads compute unequally long") \
X(lost_fork, openmp, CAUSES, "fork", "fork and join") \
X(lost_barrier, openmp, CAUSES, "barrier", "barriers") \
X(lost_lock, openmp, CAUSES, "lock", "critical regions and locks") \
X(lost_tasks, openmp, CAUSES, "tasks", "creation of tasks, taskwait") \
X(lost_ordered, openmp, CAUSES, "ordered", "ordered regions") \
X(lost_calls, openmp, CAUSES, "calls", "other calls of OpenMP and POSIX threads") \
X(lost_mpi, openmp, CAUSES, "mpi", "MPI in parallel regions") \
X(lost_other, openmp, CAUSES, "other", "devices, SHMEM, flushes of the trace buffer") \
X(lost_absent, openmp, CAUSES, "absent", "not in the team, yet or any more")

typedef enum hd_factor {
#define HD_FACTOR_NAME(id, parent, group, key, name) HD_FACTOR_##id,
    HD_FACTORS(HD_FACTOR_NAME)
#undef HD_FACTOR_NAME
    HD_N_FACTORS,
    HD_FACTOR_none = HD_N_FACTORS
} hd_factor;

typedef enum hd_factor_group {
    HD_FACTORS_BASIC,    /* all programs: of threads, multiplied */
    HD_FACTORS_MPI,      /* hybrid ones: of processes, */
    HD_FACTORS_OPENMP,   /* and of the threads in them, multiplied; these may exceed 1 */
    HD_FACTORS_ADDITIVE, /* hybrid ones: what is lost is added */
    HD_FACTORS_CAUSES    /* what 1 - openmp is made of */
} hd_factor_group;

typedef struct hd_factor_info {
    const char     *id, *key, *name;
    hd_factor_group group;
    hd_factor       parent;
} hd_factor_info;

extern const hd_factor_info hd_factor_infos[HD_N_FACTORS];

/* HD_N_FACTORS: there is none of this id. */
hd_factor hd_factor_by_id(const char *id);

typedef struct hd_efficiency_entry { /* a slice, as in the report */
    hd_slice_kind kind;
    uint64_t      from, to;   /* [ticks] since the begin of the trace, if has_bounds */
    uint64_t      length;     /* [ticks] its runtime: to - from, or, of iterations, the longest of a process */
    uint64_t      ideal;      /* [ticks] if has_ideal */
    bool          has_bounds, has_ideal;
    uint32_t      first, n;   /* iterations, from 1; n == 0: it is not of iterations */
    uint64_t      resolution;
    uint64_t      sums[HD_N_EFFICIENCY_SUMS];
} hd_efficiency_entry;

typedef struct hd_efficiency_list {
    hd_efficiency_entry *entries; /* [n] the whole run first */
    size_t               n;
    hd_efficiency_entry *iterations;  /* [n_iterations] by their slice; those before, after and between them, too */
    size_t               n_iterations; /* 0: the report has none */
    bool                 is_there; /* the report has the table */
} hd_efficiency_list;

/* begin: of the trace. Errors of writing stay with the stream. */
void hd_efficiencies_write(FILE *file, const hd_efficiencies *efficiencies, hd_time begin, uint64_t resolution);
void hd_iteration_efficiencies_write(FILE *file, const hd_efficiencies *efficiencies, const hd_iteration_series *series,
                                     hd_time begin, uint64_t resolution);

/* hd_efficiency_list_fini() it. Errors: HD_EREAD; HD_ESIZE; HD_EFORMAT with the line that is wrong. list is empty
 * then. */
hd_status hd_efficiency_list_read(hd_cube *cube, hd_efficiency_list *list);
void      hd_efficiency_list_fini(hd_efficiency_list *list);

/* The main window, or what the report is of in its place; the whole run where there is neither. NULL: the list is
 * empty. */
const hd_efficiency_entry *hd_efficiency_main(const hd_efficiency_list *list);

/* The name of a factor in a report: those of threads are not of OpenMP where the program has none (POSIX threads). */
const char *hd_factor_name(const hd_cube *cube, hd_factor factor);

/* " at a time" behind the number of threads of a slice where its processes have more of them, one after the other (POSIX
 * threads), else "". */
const char *hd_efficiency_at_a_time(const hd_cube *cube, const hd_efficiency_entry *entry);

/* What a slice is, as headings say it: "main window". */
const char *hd_slice_name(hd_slice_kind kind);

/* "17", "17-20", "before": of a slice of iterations; text: [32]. */
const char *hd_iteration_slice_text(const hd_efficiency_entry *entry, char *text);

/* Whether a process has several threads, and the slice knows what they do in parallel: not a region. */
bool hd_efficiency_is_hybrid(const hd_efficiency_entry *entry);

/* Whether computation at the call path, as the metric "comp" has it, is useful: not in calls of HIP, which wait for a
 * device. */
bool hd_efficiency_path_is_useful(const hd_cube *cube, uint32_t path);

/* [s] */
double hd_efficiency_runtime(const hd_efficiency_entry *entry);

/* factors: out, [HD_N_FACTORS]; NAN where it is not known, 0 / 0, or of a group that the slice does not have. */
void hd_factors_of(const hd_efficiency_entry *entry, double *factors);

#endif
