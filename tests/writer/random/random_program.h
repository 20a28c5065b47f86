/* tests/writer/random/random_program.h: the state of a random program while tw_random makes it.
 *
 * Every thread of a process is a lane with its own virtual time. The calls of a process are made by its acting lane,
 * the master if nothing else is said; who wants another one to act sets `acting` and sets it back.
 *
 * Owner: the program owns what its pointers name. MT: one thread. Uses: situation.h, base.
 */
#ifndef RANDOM_PROGRAM_H
#define RANDOM_PROGRAM_H

#include "memory.h"
#include "situation.h"

enum { MAX_PROCESSES = 6, MAX_COMMS = 8, MAX_LANES = 10, MAX_LOCKS = 6, MAX_TEAMS = 64, DEEPEST_FUNCTION = 4,
       MAX_WINDOWS = 3 };

typedef struct message {
    uint32_t comm, source, target; /* processes */
    uint32_t tag;
    uint64_t bytes;
    hd_time  sent;    /* enter of its send */
    uint32_t posted;  /* number of the receive request that will get it; 0: none yet */
    uint32_t request; /* of the sender, while its send is open; 0: none */
    bool     is_eager, is_received;
    hd_time  received; /* when its receive was posted, for sends that wait for it */
} message;

typedef enum request_kind { SEND_REQUEST, RECV_REQUEST, COLL_REQUEST } request_kind;

typedef struct open_request {
    request_kind kind;
    uint32_t     process, number;
    size_t       message; /* SEND_REQUEST; RECV_REQUEST: NO_MESSAGE while there is none */
    uint32_t     comm, source, tag; /* RECV_REQUEST: of its channel */
    hd_time      posted;
    hd_time      ready; /* COLL_REQUEST: when it can be complete */
    bool         is_done;
} open_request;

#define NO_MESSAGE SIZE_MAX

typedef struct comm_place {
    uint32_t processes[MAX_PROCESSES], n;
    uint32_t remote[MAX_PROCESSES], n_remote; /* 0: no inter-communicator */
} comm_place;

/* What a thread does. Functions below `base` are not left while something else, a team or a task, stands above them. */
typedef struct lane {
    hd_time  now;
    uint32_t depth, base;
    size_t   opened[DEEPEST_FUNCTION]; /* the ops of user functions that are not left yet */
    bool     is_busy;                  /* in a team, or a created thread that runs */
    bool     is_received;                 /* has a place in a team, or among the created threads, now or earlier */
    bool     is_created;               /* the latter */
} lane;

typedef struct lock_state {
    hd_time  free; /* when it was released */
    uint32_t order;
} lock_state;

/* As Score-P has them: one team for each forking thread, its team, and the number of threads; the same each time. */
typedef struct random_team {
    uint32_t process, parent, n; /* parent: number of the team that the forking thread is in, 0: none */
    uint32_t lanes[MAX_LANES];
} random_team;

/* Who may call MPI besides the master thread. */
typedef enum mpi_threads { ONLY_MASTER, ONE_AT_A_TIME, ALL_AT_ONCE } mpi_threads;

/* Where an origin waits for the posts of its targets, at the latest. */
typedef enum waits_at { AT_START, AT_OPERATION, AT_COMPLETE } waits_at;

/* One round of posts, starts, completes and waits. Places are ranks within the window. */
typedef struct epochs {
    bool     access[MAX_PROCESSES][MAX_PROCESSES];   /* [origin][target] */
    bool     exposure[MAX_PROCESSES][MAX_PROCESSES]; /* [target][origin] */
    bool     is_origin[MAX_PROCESSES], is_target[MAX_PROCESSES]; /* some have an empty group */
    bool     is_started[MAX_PROCESSES], is_complete[MAX_PROCESSES], is_waited[MAX_PROCESSES];
    waits_at waits_at[MAX_PROCESSES];
    hd_time  posted[MAX_PROCESSES], completed[MAX_PROCESSES]; /* when the calls were entered */
} epochs;

typedef struct held_lock {
    bool     is_held, exclusive;
    bool     waits_in_operation; /* for the lock, if not in the call that asks for it */
    hd_time  granted;
    uint32_t n_open; /* operations that are not complete at the target */
} held_lock;

typedef enum window_phase {
    WINDOW_MISSING, /* not created yet */
    WINDOW_IDLE,
    WINDOW_FENCED,
    WINDOW_ACCESSED, /* between the starts and the completes */
    WINDOW_CLOSING,
    WINDOW_LOCKED,
    WINDOW_FREED
} window_phase;

/* Places are ranks within its communicator. */
typedef struct window_state {
    uint32_t     comm;
    window_phase phase;
    hd_time      fenced[MAX_PROCESSES];  /* when the last fence was entered */
    hd_time      reached[MAX_PROCESSES]; /* when the last operation on it since then was left */
    bool         accesses[MAX_PROCESSES][MAX_PROCESSES]; /* since then, [origin][target] */
    epochs       epochs;
    held_lock    holds[MAX_PROCESSES][MAX_PROCESSES]; /* [origin][target] */
    bool         holds_all[MAX_PROCESSES];
    hd_time      released[MAX_PROCESSES][2]; /* [target] the last shared, and the last exclusive lock of it; 0: none */
} window_state;

typedef struct program {
    uint64_t      random;
    uint32_t      n_processes, processes_per_node; /* 0: one node */
    lane          lanes[MAX_PROCESSES][MAX_LANES];
    uint32_t      acting[MAX_PROCESSES];
    uint32_t      next_request[MAX_PROCESSES];
    comm_place    comms[MAX_COMMS]; /* [0] and [1] are the world and self */
    uint32_t      n_comms;
    tw_op        *ops;
    size_t        n_ops, ops_capacity;
    message      *messages;
    size_t        n_messages, messages_capacity;
    open_request *requests;
    size_t        n_requests, requests_capacity;

    /* threads; n_lanes 1: there are none */
    uint32_t    n_lanes, n_devices;
    bool        with_omp, with_posix, with_mpi, with_migration;
    mpi_threads mpi_threads;
    hd_time     mpi_time[MAX_PROCESSES];               /* when the last call of MPI was left */
    uint32_t    callers[MAX_PROCESSES][MAX_LANES];    /* lanes that may call MPI now */
    uint32_t    n_callers[MAX_PROCESSES];              /* 0: the master */
    bool        is_in_scene[MAX_PROCESSES];            /* of those whose threads call MPI */
    random_team teams[MAX_TEAMS];                      /* [n_teams], numbers from 1 on */
    uint32_t    n_teams;
    lock_state  locks[MAX_PROCESSES][2][MAX_LOCKS];   /* [.][1]: mutexes */
    uint32_t    n_tasks[MAX_PROCESSES], n_created[MAX_PROCESSES];
    bool        is_stopped; /* before its end */
    hd_time     ends[MAX_PROCESSES * 2 * MAX_LANES]; /* [n_processes][n_lanes + n_devices] of what is recorded */
    uint32_t    scenes_left; /* so that a program has an end */

    /* windows */
    bool         with_windows;
    window_state windows[MAX_WINDOWS];
    uint32_t     n_windows, n_errors_left;
} program;

static inline lane *
lane_of(program *p, uint32_t process)
{
    return &p->lanes[process][p->acting[process]];
}

enum { LATENCY = 4 }; /* of a message, and of leaving a collective */

/* ---- random_calls.c */

uint32_t below(program *p, uint32_t n); /* any of 0 .. n-1 */
bool     chance(program *p, uint32_t percent);
void     pass_time(program *p, uint32_t process); /* some work before the next call */
uint64_t random_bytes(program *p);                /* of a message; TW_NOTHING: none */

/* Adds a call of a process and lets its time pass. Returns the place of the op. */
size_t call_add(program *p, tw_op op, hd_time leave);
void   plain_call(program *p, uint32_t process, const char *region);
/* Enters or leaves functions, makes a call or a small team, by chance. */
void wander(program *p, uint32_t process);
void functions_leave(program *p, uint32_t process); /* all above the base */

/* The place of a process among others; HD_NONE: it is not there. */
uint32_t find_process(const uint32_t *processes, uint32_t n, uint32_t process);
/* The rank by which `from` knows `to` in a communicator. */
uint32_t rank_of(const program *p, uint32_t comm, uint32_t from, uint32_t to);
/* Two processes that can send to each other, and by which communicator. */
void pair_draw(program *p, uint32_t *comm, uint32_t *from, uint32_t *to);
/* Members of a communicator, both groups; returns how many. */
uint32_t members_of(const program *p, uint32_t comm, uint32_t members[MAX_PROCESSES]);

/* ---- random_messages.c */

/* The first message of the channel that no receive has been given; NO_MESSAGE if there is none. */
size_t channel_first(const program *p, uint32_t comm, uint32_t source, uint32_t target, uint32_t tag);
uint32_t request_number(program *p, uint32_t process); /* a new one */
/* A send that needs no receive to go on; one that meets its receive, if the channel is empty; a send and a receive with
 * requests. */
void send_eager(program *p, uint32_t comm, uint32_t from, uint32_t to, uint32_t tag);
void send_synchronous(program *p, uint32_t comm, uint32_t from, uint32_t to, uint32_t tag);
void isend(program *p, uint32_t comm, uint32_t from, uint32_t to, uint32_t tag);
void irecv(program *p, uint32_t comm, uint32_t source, uint32_t target, uint32_t tag);
/* Receives any message to a process that may be received now. False: there is none. */
bool recv_any(program *p, uint32_t target);
/* Each member of a communicator sends to the next and receives from the one before. */
void shift(program *p, uint32_t comm);
/* Completes open requests of a process: one, or several in one call. False: none can be. */
bool complete_some(program *p, uint32_t process, bool all);
/* A receive that nothing is ever sent for, or a send that is never received: cancelled. */
void cancel_one(program *p);

/* ---- random_collectives.c */

/* A collective operation of a random class on a random communicator. */
void collective(program *p);

/* ---- random_program.c */

/* Something of MPI that some processes do. */
void random_step(program *p);
/* A call that all members of a communicator make, and that none leaves before all have entered it. */
void together(program *p, tw_kind kind, uint32_t comm, uint32_t window);

/* ---- random_threads.c */

/* How many threads there are, and what they are used for. */
void threads_draw(program *p);
/* Several threads of a process do something. with_mpi: they call MPI, too, and other processes do something
 * meanwhile. */
void threads_scene(program *p, uint32_t process, bool with_mpi);
/* Which thread makes the next calls of MPI; orderly: after all calls so far. */
void caller_draw(program *p, bool orderly);
/* What the accelerators of the processes do, and which threads stop early: independent of all others. */
void loose_ends(program *p);
/* No call of MPI of the process before this one goes on. */
void caller_waits(program *p, uint32_t process);

/* ---- random_windows.c */

/* Which windows there are. */
void windows_draw(program *p);
/* Something on one of them, or its creation. */
void window_step(program *p);
/* Ends all epochs. */
void windows_close(program *p);
/* Frees those that are left. */
void windows_free(program *p);

#endif
