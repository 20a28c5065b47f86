/* openmp-patterns/team.h: the way through the thread logs of a process, and its teams: time to fork and join, waiting
 * at barriers. Private to the component.
 *
 * All patterns go through the logs together, twice: first what each thread tells others, then what they wait for.
 * Definitions: docs/metrics.md#thread-management, #openmp-barriers. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_TEAM_H
#define HD_TEAM_H

#include "map.h"
#include "pattern.h"

typedef struct hd_team_barrier  hd_team_barrier;
typedef struct hd_team_instance hd_team_instance;

typedef struct hd_team_books {
    const hd_loaded_process *process;
    hd_severities *const    *severities; /* [process->n_locations], call paths of each location */
    uint32_t                 n_threads;  /* of the process; 0: there are no idle threads */
    hd_wait_series          *series;     /* series, sink, waits: see hd_process_patterns */
    const hd_team_sink      *sink;
    const hd_wait_sink      *waits;
    hd_map                   first_instances; /* communicator -> number of its first instance */
    hd_team_instance        *instances;       /* [n_instances] */
    hd_team_barrier         *barriers;        /* [n_barriers] of all instances */
    size_t                   n_instances, n_barriers, capacity_instances, capacity_barriers;
    struct {                                  /* wait-state instances of the barriers first to last - 1 */
        hd_instance *instances;               /* [last - first] */
        uint64_t     first, last;
    }                        parts;
} hd_team_books;

typedef struct hd_team_moves { /* time of forks and joins that is not booked yet: all of one call path */
    uint32_t      call_path;
    uint32_t      above; /* call path that it was counted for so far, HD_NONE: none */
    hd_span       fork, all;
    hd_side_spans sides; /* all of it */
} hd_team_moves;

/* A thread on its way through its log: the teams it is in, innermost last. */
typedef struct hd_team_walk {
    hd_team_books   *books;
    uint32_t         thread;
    hd_thread_cursor cursor;
    hd_thread_op     op;
    uint32_t         barrier; /* of an op that is one, in a team: in books->barriers */
    hd_map           begun;   /* communicator -> its instance that was begun last */
    uint64_t        *last;    /* of last_comm there; NULL: none yet */
    uint32_t         last_comm;
    struct hd_membership {
        uint32_t instance, barrier; /* barrier: the last one, HD_NONE: none yet */
    }               *teams; /* [n_teams] */
    size_t           n_teams, capacity_teams;
    hd_team_moves    moves;
    uint32_t        *forked; /* [n_forked] own instances that are not joined yet */
    size_t           n_forked, capacity_forked;
} hd_team_walk;

/* The ops of all threads, one thread after the other. The walk is over when all are visited. */
void hd_team_each_op(hd_team_books *books, void (*visit)(hd_team_walk *walk, void *context), void *context);
/* First time: who forked what when, and when the last thread came to each barrier. */
void hd_team_survey(hd_team_walk *walk);
/* Second time: what was waited. */
void hd_team_book(hd_team_walk *walk);
/* Instead: which time belongs to a parallel region, told to books->sink. No severities are needed. */
void hd_team_tell_moves(hd_team_walk *walk);
/* Then what is known of all threads. */
void hd_team_end(hd_team_books *books);

#endif
