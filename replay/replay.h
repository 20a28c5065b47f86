/* replay/replay.h: the forward replay: from op logs to wait states.
 *
 * Every hosted location is an agent of the engine: a cursor over its op log that runs until it needs a message that is not
 * there yet. Sends and collectives never wait: what a collective's members and a message's sender have to learn comes back by
 * mail and is booked when it comes. All values are sums of integers, so they do not depend on who ran when.
 *
 *   set-up    channels meet: how many sends, how many receives; what has no partner is known before the replay starts
 *   replay    all agents to the end; at quiescence the parked ones, if any, are told that nothing will come, and go on
 *   take      severities of the profile and the replay, per location, on the unified call tree
 *
 * Definitions of all metrics: docs/metrics.md. Uses: scheduler, profile. Owner: the program.
 * Memory: 24 bytes per channel of an agent, 96 per message under way, 72 per member of a collective under way, 24 per pending
 * Late Sender (wrong order), 16 per MPI_Waitall or MPI_Waitsome that completes sends.
 */
#ifndef HD_REPLAY_H
#define HD_REPLAY_H

#include <stdatomic.h>

#include "cause_table.h"
#include "cost.h"
#include "engine.h"
#include "instance_table.h"
#include "placement.h"
#include "trace.h"
#include "wait_graph.h"

typedef struct hd_location_result hd_location_result;

/* Where the threads of a process meet, for the backward replay. */
typedef enum hd_team_point_kind {
    HD_TEAM_IDLE,     /* threads were idle since the last join until now */
    HD_TEAM_PARALLEL, /* enter of a parallel region */
    HD_TEAM_BARRIER,
    HD_TEAM_JOIN,     /* only on the thread that forked */
    HD_TEAM_LEAVE,    /* of a barrier in which the thread ran tasks */
    HD_TEAM_RELEASE,  /* of a lock that another thread waited for */
    HD_TEAM_LOCK_WAIT /* that wait */
} hd_team_point_kind;

typedef struct hd_team_point {
    hd_team_point_kind kind;
    uint32_t thread;
    uint32_t call_path; /* of the location; not of IDLE, JOIN, LEAVE and RELEASE */
    hd_time  enter;     /* PARALLEL: of the fork, where that is known */
    hd_span  after_enter; /* BARRIER, compat: since the enter of its call, as regions are entered in it */
    hd_span  wait;      /* BARRIER, LOCK_WAIT: waiting time */
    uint32_t count;     /* IDLE: of idle threads; PARALLEL: of teams that the thread is in */
    hd_span  pruned;    /* what the call took, without its completion time */
    uint32_t instance;  /* of the team: the same number on all its threads */
    uint32_t number;    /* BARRIER: the same on all threads of the team, unique in the process; RELEASE: the same on its LOCK_WAIT */
    uint32_t delayer;   /* BARRIER: the thread that came last; PARALLEL: the thread that forked, HD_NONE: unknown */
    bool     has_tasks; /* BARRIER: somebody ran tasks in it */
    hd_delay delay;     /* RELEASE, LOCK_WAIT: what kind of lock */
    uint32_t n_threads; /* that are at this point */
} hd_team_point;

/* Time of a thread that belongs to another call path than the one it was in: fork and join. */
typedef struct hd_time_move {
    uint32_t thread, call_path; /* of the location: where it belongs */
    hd_time  from, until;
} hd_time_move;

/* Takes what is found, each at once, in any order. MT: as hd_process_patterns. */
typedef struct hd_team_sink {
    void (*point)(void *context, const hd_team_point *point);
    void (*move)(void *context, const hd_time_move *move);
    void  *context;
} hd_team_sink;

/* Takes instances of wait states: of waiters thread, call path of the location, from and wait are given. MT: as hd_process_patterns. */
typedef struct hd_wait_sink {
    void (*wait)(void *context, const hd_instance *instance);
    void  *context;
} hd_wait_sink;

/* Patterns within one process, which need no mail: called on its host's thread when the forward replay is done with it. */
typedef struct hd_process_patterns {
    /* Adds to what was collected. severities: [process->n_locations], call paths of each location. sink: NULL, points
     * are not wanted; nor are instances of wait states if waits is NULL. */
    void (*book)(void *context, const hd_loaded_process *process, hd_severities *const *severities,
                 const hd_team_sink *sink, const hd_wait_sink *waits);
    /* Afterwards, from the results of all its locations. results: [process->n_locations], entries may be replaced. */
    void (*finish)(void *context, const hd_loaded_process *process, hd_location_result *results);
} hd_process_patterns;

typedef struct hd_message_event {
    uint32_t process, peer; /* of the location; the other one: the receiver of a send, the sender of a receive */
    uint32_t call_path;     /* of the location: of the call with the record */
    uint64_t bytes;
    hd_span  wait;          /* of a receive: of the Late Sender that was booked with it, 0: none; of a Late Receiver: its own */
    bool     is_send;
    bool     is_outside;    /* of the period: what is booked on its call path is dropped */
} hd_message_event;

/* Patterns of a location's messages, in the order of its records; those of a call that completes several receives when it is left.
 * Cancelled messages, receives without a send, and sends that no receive is recorded for are not seen; a send is seen, too, if its
 * receive gives up later. MT: the host's thread. */
typedef struct hd_message_patterns {
    void  *context;
    size_t state_bytes; /* of a location, zeroed before its first message; a multiple of 8 */
    void (*message)(void *context, void *state, hd_severities *severities, const hd_message_event *event);
    /* A Late Receiver that is booked: the event is one of the sender, in the call that waits, without bytes. NULL: not wanted */
    void (*late_receiver)(void *context, void *state, hd_severities *severities, const hd_message_event *event);
    void (*finish)(void *context, void *state, hd_severities *severities); /* after the last one, of locations that had any; NULL: nothing to do */
} hd_message_patterns;

typedef struct hd_replay_request {
    hd_group           *group;
    const hd_defs      *defs;
    hd_trace           *trace;     /* if a backward replay follows, its op logs and interval logs are gone afterwards */
    uint32_t *const    *maps;      /* [trace->n_processes] node of the process -> unified call path */
    const hd_placement *placement;
    uint32_t            n_call_paths; /* of the unified tree; with a period twice that: the second half are those outside of it */
    const hd_period    *period;       /* what counts; results have nothing of what lies outside. NULL: all counts; not with compat */
    bool                compat;    /* --compat=scout26 */
    bool                delays, critical_path; /* wanted: the backward replay follows */
    bool                statistics; /* of the instances of wait states, wanted; */
    uint32_t            n_worst;   /* of each wait state that are told, see hd_instance_table */
    bool                yield;     /* see hd_engine_request */
    void              (*on_thread)(void *context, uint32_t thread);
    void               *context;
    const hd_process_patterns *patterns; /* of processes, NULL: none */
    void               *patterns_context;
    const hd_message_patterns *messages; /* [n_messages] */
    size_t              n_messages;
    _Atomic uint64_t   *n_done;    /* calls replayed so far are added here now and then; NULL: nobody asks */
    const _Atomic int *stop; /* not 0: it is to end soon; any rank may say so, at any time. NULL: nobody does */
    void              (*goes_back)(void *context); /* called on the main thread when the forward replay is done; or NULL */
} hd_replay_request;

typedef enum hd_replay_stop { /* where it was stopped, the same on all ranks */
    HD_STOPPED_NOWHERE,
    HD_STOPPED_FORWARDS,  /* there are no results, and what was worked with is not freed: the program is to end */
    HD_STOPPED_ON_WAY_BACK /* results are those of a replay without delays and critical_path */
} hd_replay_stop;

struct hd_location_result {
    uint32_t     location; /* index in the definitions */
    hd_severity *entries;  /* [n] of the unified call tree, sorted by call path, then metric */
    hd_cost     *costs;    /* [n_costs] likewise; NULL: none were computed */
    size_t       n, n_costs;
};

typedef struct hd_replay_result {
    hd_location_result *locations; /* [n_locations] of this rank, ascending */
    uint32_t            n_locations;
    hd_findings         findings;  /* of the replay on this rank; call paths of the unified tree */
    hd_wait_facts       unfinished; /* who was waiting at the end of the recording; of all ranks, on rank 0 */
    hd_causes           causes, pairs; /* who made whom wait: call paths of the unified tree, processes; of all ranks, on rank 0 */
    hd_wait_statistics  statistics; /* where they are wanted: of all ranks, on rank 0 */
    double              cause_fraction; /* their values are in 1 / cause_fraction of a tick */
    hd_engine_stats    *threads;   /* [n_threads] what each replay thread of this rank did */
    hd_engine_stats     stats;     /* their sum */
    hd_replay_stop      stopped;
    uint64_t            n_received, n_collectives; /* operations whose waiting time was determined, on this rank */
} hd_replay_result;

/* Ranks: all, together; defs, placement, compat, delays and critical_path equal on all. MT: main thread only. Errors: none. */
void hd_replay_run(const hd_replay_request *request, hd_replay_result *result);
void hd_replay_result_fini(hd_replay_result *result);

#endif
