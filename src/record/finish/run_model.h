/* src/record/finish/run_model.h: the definitions of all processes as those of one archive.
 *
 * Numbers are given in a fixed order (rank, then first use), so that the archive does not depend on who was faster.
 * Uses: raw_log. Owner: hd_recorded_run_fini(). MT: main thread only. Ranks: local. Grows with: processes,
 * communicators, teams, regions.
 */
#ifndef HD_RUN_MODEL_H
#define HD_RUN_MODEL_H

#include "map.h"
#include "raw_log.h"
#include "source_lines.h"

typedef struct hd_run_comm {
    uint64_t    key[2];
    uint32_t    parent; /* number in the archive, HD_NONE: none */
    bool        is_self, is_inter, is_set; /* is_set: a process set of MPI's sessions */
    bool        is_known; /* all members are; else nothing on it is in the archive */
    const char *name;     /* NULL: none */
    int64_t    *members[2]; /* [n_members] world ranks in the order of the ranks: of the group, of the second one of an
                             * inter-communicator; -1: not known. NULL where is_self */
    uint32_t n_members[2];
    int64_t  root[2]; /* world rank of rank 0 of each group */
} hd_run_comm;

typedef struct hd_run_window {
    uint32_t comm; /* number in the archive */
    bool     has_memory;
} hd_run_window;

typedef struct hd_run_file { /* a handle of MPI-IO */
    const char *path;
    uint32_t    comm; /* number in the archive */
} hd_run_file;

typedef struct hd_run_team { /* threads that work together; teams of the same threads are one */
    uint64_t *members;       /* [n] references of locations */
    uint32_t  n;
} hd_run_team;

typedef enum hd_run_paradigm {
    HD_RUN_MPI, HD_RUN_OPENMP, HD_RUN_PTHREAD, HD_RUN_FUNCTION, HD_RUN_USER
} hd_run_paradigm;

typedef struct hd_run_region {
    char           *name;
    hd_source_line  source; /* where it begins; of MPI and PTHREAD only a file, with their name */
    hd_run_paradigm paradigm;
    uint32_t        role; /* hd_raw_role, of OpenMP and PTHREAD; number in mpi_functions.h, of MPI; 1: an iteration,
                           * of USER */
    uint64_t        visits; /* until a function was dropped as short, in the process with the most; 0: it was not */
} hd_run_region;

typedef struct hd_run_call_site { /* a call of MPI in the source */
    uint32_t       left, entered; /* regions: of the function that calls, of the call */
    uint32_t       function;      /* MPI function that is called */
    hd_source_line source;        /* line 0: not known */
} hd_run_call_site;

/* In place of a region: a library that calls the bodies of parallel regions, tasks or threads. */
#define HD_RUN_RUNS_BODY (HD_NONE - 1)

typedef enum hd_run_topology_flaw {
    HD_RUN_TOPOLOGY_BAD, HD_RUN_TOPOLOGY_OTHER, HD_RUN_TOPOLOGY_TWICE, HD_RUN_TOPOLOGY_UNKNOWN, HD_RUN_TOPOLOGY_OUTSIDE,
    HD_RUN_TOPOLOGY_AGAIN, HD_RUN_N_TOPOLOGY_FLAWS
} hd_run_topology_flaw;

typedef struct hd_run_member { /* of a topology */
    uint64_t        location; /* its reference */
    uint32_t        process;
    const uint64_t *coordinates; /* as many as the topology has dimensions */
} hd_run_member;

typedef struct hd_run_topology { /* that the program defines: run_topologies.h */
    const char     *name, *names; /* names: of dimensions, HD_RAW_SEPARATOR behind each */
    const uint64_t *sizes;        /* [n] | 1 << 32: periodic */
    uint32_t        n;            /* 0: it is not defined */
    uint32_t        last_ok;      /* the last process that defines it so, from 1 on */
    hd_map          others;       /* processes that define it otherwise */
    hd_run_member  *members;
    size_t          n_members, room_members;
    struct {
        uint64_t n;
        uint32_t process; /* the first */
    } flaws[HD_RUN_N_TOPOLOGY_FLAWS];
} hd_run_topology;

typedef struct hd_run_clock { /* of a process: what makes its times those of the archive */
    uint64_t at[2];     /* [ticks] its first and its last record */
    int64_t  offset[2]; /* [ticks] that are to be added; on a line between them */
    double   error;     /* [ticks] */
} hd_run_clock;

typedef struct hd_run_span { /* numbers of records in a channel */
    uint64_t first, end;
} hd_run_span;

typedef struct hd_run_place { /* in a channel, while a location is read */
    size_t   gap;
    uint64_t left_out;
} hd_run_place;

typedef struct hd_run_channel { /* of a process, as in hd_raw_channel */
    uint32_t     kind, id; /* id: number of a communicator or window in the process */
    uint64_t     peer_tag;
    uint64_t     next; /* records so far, without those that were left out */
    const hd_raw_left_out **gaps; /* [n_gaps] by time */
    size_t       n_gaps, room_gaps;
    hd_run_place place; /* of the survey */
    hd_run_span *spans; /* [n_spans] that are recorded; later those that all sides have */
    size_t       n_spans, room_spans;
} hd_run_channel;

typedef struct hd_run_start { /* of a location: next of the process's channels before it */
    uint64_t *next; /* [n] */
    size_t    n;
} hd_run_start;

typedef struct hd_run_channels { /* of runs with pauses only: run_pauses.h */
    hd_map          places[5]; /* by hd_raw_channel: id << 32 | partner -> place */
    hd_map          numbers;   /* place << 32 | tag -> index in list */
    uint64_t        n_places;
    hd_run_channel *list;
    hd_run_start   *starts;
    size_t          n, room, n_starts, room_starts;
    hd_map          pending;    /* request that does not complete outside of pauses -> index in list | number << 24 */
    uint64_t        last_pause; /* [ticks] */
    hd_map          orphans;    /* request that is complete, and whose begin is not there -> as of pending */
} hd_run_channels;

typedef enum hd_run_level { HD_RUN_NODE, HD_RUN_SOCKET, HD_RUN_NUMA, HD_RUN_CORE } hd_run_level;

typedef struct hd_run_system_node { /* of the system tree, below the machine */
    hd_run_level level;
    uint32_t     number; /* of its kind on the node; of a node 0 */
    uint32_t     parent; /* index, HD_NONE: the machine */
    const char  *host;   /* of a node, else NULL */
} hd_run_system_node;

typedef struct hd_run_process {
    hd_raw_process *raw;
    uint32_t        place; /* index in system */
    uint64_t        first, last; /* [ticks of its own clock] of all records */
    hd_run_clock    clock;
    uint32_t        program; /* number in programs */
    hd_map          regions; /* number of a region or lock in the process -> number in the archive */
    hd_map          teams;   /* the same of teams */
    hd_map          callers; /* return address -> region, HD_NONE: not known, HD_RUN_RUNS_BODY */
    hd_map          called; /* return address -> number of the MPI function that is called there */
    hd_map          sites;  /* return address -> index in call_sites */
    hd_map          functions; /* number of a region in the process -> region of the function that has it, HD_NONE */
    hd_run_channels channels;
    uint64_t        cut; /* [ticks] the archive begins then, 0: with the program */
    bool            is_incomplete; /* ended without MPI_Finalize, or stopped recording */
} hd_run_process;

typedef struct hd_recorded_run {
    hd_raw_files    files;
    hd_run_process *processes; /* [n] with MPI by rank, else by begin */
    uint32_t        n, n_left_out; /* processes that are in the archive, and not */
    const char     *stopped; /* why one of those that are not had to stop, NULL: none had to */
    uint32_t        world_size;    /* 0: no MPI */
    hd_run_system_node *system; /* [n_system] see run_system.h */
    size_t          n_system, room_system;
    hd_run_topology *topologies; /* [n_topologies] */
    size_t          n_topologies, room_topologies;
    hd_run_comm    *comms;
    hd_run_window  *windows;
    hd_run_file    *io_files;
    hd_raw_group   *groups; /* of pairwise synchronisation; members stay those of a process */
    hd_run_team    *teams;
    hd_run_region  *regions;
    const char    **programs; /* [n_programs] paths */
    size_t          n_comms, n_windows, n_groups, n_teams, n_regions, n_programs, n_io_files, room_comms, room_windows,
        room_groups, room_io_files, room_teams, room_regions, room_programs;
    hd_run_call_site *call_sites; /* [n_call_sites] each once, of functions with a line */
    size_t          n_call_sites, room_call_sites;
    hd_map          call_site_of; /* hash of a call site, or the next free number -> index */
    struct hd_symbols **symbols; /* [n_symbols] of files that were loaded */
    size_t          n_symbols, room_symbols;
    uint32_t        mpi_region[1024]; /* of each MPI function, HD_NONE: it was not called */
    bool            has_openmp, has_pthreads;
    uint64_t        sample_ns; /* of processor time between samples, of the first process that has any; 0: none */
    const char     *counters; /* names with commas, the same in all processes that have any; NULL: none */
    uint32_t        n_counters;
    uint64_t        n_foreign, foreign_bytes; /* messages to other worlds, which are not in the archive */
    bool            is_profile;  /* sums were kept in place of records */
    bool            has_pauses;  /* records were left out for a time */
    uint64_t        kept_ticks;  /* the archive is the last part of the run, so long; 0: the whole */
    bool            has_nodes;   /* several, with a clock each */
    uint64_t        first, last; /* [ticks of the archive] of all records */
    uint64_t        resolution;  /* [ticks per second] */
    uint64_t        first_real_ns; /* CLOCK_REALTIME of the first */
} hd_recorded_run;

/* The region of a name at a place in the source, made if there is none. Not copied: source.file. */
uint32_t hd_recorded_run_region(hd_recorded_run *run, const char *name, hd_source_line source,
                                hd_run_paradigm paradigm, uint32_t role);

/* Of a number in a process; of one that is called with that return address; of the function that a return address is
 * in. HD_NONE: there is none. */
uint32_t hd_run_region_of(const hd_recorded_run *run, const hd_run_process *process, uint32_t id);
uint32_t hd_run_call_of(const hd_recorded_run *run, const hd_run_process *process, uint32_t id, uint64_t address);
uint32_t hd_run_caller_of(const hd_run_process *process, uint64_t address);

/* The first rank from that one on of which nothing was recorded; at least world_size: there is none. */
uint32_t hd_run_next_absent(const hd_recorded_run *run, uint32_t rank);

void hd_recorded_run_fini(hd_recorded_run *run);

#endif
