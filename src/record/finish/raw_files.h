/* src/record/finish/raw_files.h: the definitions that the processes of a run have left in DIR/raw/, read and checked.
 *
 * Files may end anywhere, as processes may have been killed: what is whole is used.
 * Uses: raw_layout, base. MT: one thread. Ranks: local. Grows with: definitions.
 */
#ifndef HD_RAW_FILES_H
#define HD_RAW_FILES_H

#include "raw_layout.h"
#include "raw_texts.h"
#include "status.h"

typedef struct hd_raw_clock {
    uint64_t ticks, monotonic_ns, real_ns;
} hd_raw_clock;

typedef struct hd_raw_offset { /* clock of this node, and that of rank 0's */
    uint64_t here, there, round_trip; /* [ticks] at the same time; of the exchange that found it */
} hd_raw_offset;

typedef struct hd_raw_place { /* processors that a process or thread may use */
    const uint64_t *words; /* [n] of word i bit j is processor 64 i + j */
    uint32_t        n;     /* 0: not known, of a thread: as the process */
} hd_raw_place;

typedef struct hd_raw_location {
    uint32_t     number, parent, level, member; /* parent: number, HD_NONE: none */
    hd_raw_place place;
    uint64_t     ref; /* in the archive */
} hd_raw_location;

typedef struct hd_raw_comm {
    uint32_t       number, size, rank, flags, parent; /* size: of the own group */
    uint64_t       key[2];
    int64_t        root;    /* world rank of rank 0 of the own group */
    const int64_t *members; /* [n_members] world ranks, of rank 0 only */
    uint32_t       n_members;
    const char    *name;   /* NULL: none */
    uint32_t       global; /* number in the archive */
} hd_raw_comm;

typedef struct hd_raw_window {
    uint32_t number, comm, ordinal; /* comm: number; ordinal: how many-th of it */
    bool     has_memory;
    uint32_t global;
} hd_raw_window;

typedef struct hd_raw_group {
    uint32_t       number, n;
    const int64_t *members; /* [n] world ranks */
    uint32_t       global;
} hd_raw_group;

typedef struct hd_raw_grid { /* MPI_Cart_create */
    uint32_t        comm, n; /* comm: number */
    const uint64_t *sizes;   /* [n] | 1 << 32: periodic */
    const uint64_t *place;   /* [n] of this process */
} hd_raw_grid;

typedef struct hd_raw_topology { /* that the program defines */
    const char     *name, *names; /* names: of dimensions, HD_RAW_SEPARATOR behind each */
    const uint64_t *sizes;        /* [n] an int | 1 << 32: periodic */
    uint32_t        n;            /* 0: the program gave none, or too many */
} hd_raw_topology;

typedef struct hd_raw_coordinates {
    const char     *name;     /* of the topology */
    uint32_t        location; /* number */
    const uint64_t *x;        /* [n] ints */
    uint32_t        n;
} hd_raw_coordinates;

typedef struct hd_raw_file {
    uint32_t    number, comm, ordinal; /* as of a window */
    const char *path;
    uint32_t    global; /* handle in the archive */
} hd_raw_file;

typedef struct hd_raw_region {
    uint32_t    number, role; /* role: hd_raw_role */
    uint64_t    address, other; /* other: to name it after, if no name is known at the address; 0: there is none */
    uint64_t    visits; /* until it was dropped, 0: it was not */
} hd_raw_region;

typedef struct hd_raw_user_region { /* that the program marks */
    uint32_t    number;
    bool        is_iteration;
    const char *name;
} hd_raw_user_region;

typedef struct hd_raw_left_out { /* records of a channel before a time */
    uint64_t ticks;
    uint32_t channel, id;
    uint64_t peer_tag, n;
} hd_raw_left_out;

typedef struct hd_raw_object {
    uint64_t    base, from, end; /* addresses: those of its file begin at base; it had those from .. end - 1 */
    uint64_t    identity; /* object_identity.h */
    const char *path;
} hd_raw_object;

typedef struct hd_raw_process {
    char            *name; /* of its files, without ending */
    uint64_t        *words; /* that definitions point to: members, places, sizes */
    const char      *host, *program;
    uint64_t         node, pid;
    bool             has_tsc;
    bool             has_world, is_finalized, has_ended;
    uint32_t         rank, size, thread_level; /* has_world */
    uint64_t         end;                      /* [ticks] has_ended */
    const char      *stopped;                  /* why, NULL: recorded to the end */
    const char      *counters;                 /* names with commas, NULL: none */
    bool             is_profile;               /* sums were kept in place of records */
    bool             has_pauses;               /* records may be left out for a time */
    uint64_t         last_ns;                  /* older records may have been given back; 0: none are */
    uint64_t         sample_ns;                /* of processor time between samples of a thread, 0: there are none */
    uint64_t         n_lost;                   /* samples behind the last ones of the logs */
    bool             is_unsampled;             /* a thread has no samples */
    bool             is_uncounted;             /* they could not be read to the end */
    bool             has_unknown_comms;        /* calls on communicators whose making is not recorded */
    hd_raw_place     place;
    hd_raw_clock    *clocks;                   /* [n_clocks] at least one: the begin */
    hd_raw_offset   *offsets;
    hd_raw_location *locations;
    hd_raw_comm     *comms; /* in the order of their numbers, which are their indexes */
    hd_raw_window   *windows; /* the same */
    hd_raw_group    *groups;  /* the same */
    hd_raw_file     *files;   /* the same */
    hd_raw_grid     *grids;
    hd_raw_topology *topologies;
    hd_raw_coordinates *coordinates;
    hd_raw_user_region *user_regions;
    hd_raw_region   *regions, *locks; /* of a lock: its number */
    hd_raw_object   *objects; /* none until they are read */
    hd_raw_left_out *left_out; /* by time */
    size_t           n_clocks, n_locations, n_comms, n_windows, n_groups, n_regions, n_locks, n_objects,
        n_files, n_grids, n_user_regions, n_offsets, n_left_out, n_topologies, n_coordinates;
    size_t room_clocks, room_locations, room_comms, room_windows, room_groups, room_regions, room_locks, room_objects,
        room_files, room_grids, room_user_regions, room_offsets, room_left_out, room_topologies, room_coordinates;
} hd_raw_process;

typedef struct hd_raw_files {
    char           *folder;
    hd_raw_process *processes; /* [n] by name */
    size_t          n;
    hd_raw_texts    texts; /* of all of them */
} hd_raw_files;

/* Reads the definitions of all processes. Errors: HD_EOPEN, HD_EREAD; HD_EFORMAT, a file is none of this version. A
 * process whose first definitions are missing has recorded nothing and is left out. */
hd_status hd_raw_files_read(const char *folder, hd_raw_files *files);
/* What the process had loaded: the most of its file, so it is read when it is needed, and forgotten. Errors: as
 * above. */
hd_status hd_raw_files_read_objects(hd_raw_files *files, hd_raw_process *process);
void      hd_raw_files_forget_objects(hd_raw_process *process);
void      hd_raw_files_fini(hd_raw_files *files);

#endif
