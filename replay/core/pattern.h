/* replay/core/pattern.h: what the replay notifies patterns of other components of, and what they give to it.
 *
 *   threads of a process   hd_process_patterns: once, when the forward replay is done with the process
 *   messages               hd_message_patterns: each message of a location, in the order of its records
 *
 * Nothing here knows how the replay works. Uses: profile, trace.
 */
#ifndef HD_PATTERN_H
#define HD_PATTERN_H

#include "cost.h"
#include "delay.h"
#include "instance_table.h"
#include "location_counters.h"
#include "severity.h"
#include "trace.h"
#include "wait_series.h"

typedef struct hd_location_result {
    uint32_t     location; /* index in the definitions */
    union {
        hd_severity *entries; /* [n] of the unified call tree, sorted by call path, then metric */
        uint8_t     *packed;  /* during the backward replay: result_rows.h */
    };
    hd_cost     *costs;    /* [n_costs] NULL: none were computed */
    hd_severity *window;   /* [n_window] the same outside of the regions of interest, in their window */
    hd_severity *startup;  /* [n_startup] the part of entries that is outside of the main window */
    hd_cost     *startup_costs; /* [n_startup_costs] that of costs; NULL: none were computed */
    size_t       n, n_costs, n_window, n_startup, n_startup_costs;
    hd_location_counters counters, startup_counters; /* startup: the part of counters that is outside of the main
                                                      * window */
} hd_location_result;

/* Synchronization points of the threads of a process, for the backward replay. */
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
    uint32_t           thread;
    uint32_t           call_path;   /* of the location; not of IDLE, JOIN, LEAVE and RELEASE */
    hd_time            enter;       /* PARALLEL: of the fork, where that is known */
    hd_span            after_enter; /* BARRIER, compat: since the enter of its call, as regions are entered in it */
    hd_span            wait;        /* BARRIER, LOCK_WAIT: waiting time */
    uint32_t           count;       /* IDLE: of idle threads; PARALLEL: of teams that the thread is in */
    hd_span            pruned;      /* what the call took, without its completion time */
    uint32_t           instance;    /* of the team: the same number on all its threads */
    uint32_t           number;      /* BARRIER: the same on all threads of the team, unique in the process; RELEASE: the
                                     * same on its LOCK_WAIT */
    uint32_t           delayer;     /* BARRIER: the thread that came last; PARALLEL: the thread that forked, HD_NONE:
                                     * unknown */
    bool               has_tasks;   /* BARRIER: a thread ran tasks in it */
    hd_delay           delay;       /* RELEASE, LOCK_WAIT: what kind of lock */
    uint32_t           n_threads;   /* that are at this point */
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

/* Takes instances of wait states: of waiters thread, call path of the location, from and wait are given. MT: as
 * hd_process_patterns. */
typedef struct hd_wait_sink {
    void (*wait)(void *context, const hd_instance *instance);
    void  *context;
} hd_wait_sink;

/* Patterns within one process, which need no messages: called on its worker's thread when the forward replay is done
 * with it. */
typedef struct hd_process_patterns {
    /* Adds to what was collected. thread: of the replay, whose call this is. severities: [process->n_locations], call
     * paths of each location. sink: NULL, points are not wanted; nor are instances of wait states if waits is NULL, nor
     * series of waiting time. */
    void (*book)(void *context, uint32_t thread, const hd_loaded_process *process, hd_severities *const *severities,
                 hd_wait_series *series, const hd_team_sink *sink, const hd_wait_sink *waits);
    /* Afterwards, what locations have to do with each other, from the results of all; not where there is one only.
     * results: [process->n_locations], entries may be replaced. */
    void (*finish)(void *context, const hd_loaded_process *process, hd_location_result *results);
    /* Between both: tells of all moves once more, and of no points. */
    void (*tell_moves)(const hd_loaded_process *process, const hd_team_sink *sink);
} hd_process_patterns;

typedef struct hd_message_event {
    uint32_t process, peer; /* of the location; the other one: the receiver of a send, the sender of a receive */
    uint32_t call_path;     /* of the location: of the call with the record */
    uint64_t bytes;
    hd_span  wait;          /* of a receive: of the Late Sender that was booked with it, 0: none; of a Late Receiver:
                             * its own */
    bool     is_send;
    bool     is_outside;    /* of the interval: what is booked on its call path is dropped */
} hd_message_event;

/* Patterns of a location's messages, in the order of its records; those of a call that completes several receives when
 * it is left. Cancelled messages, receives without a send, and sends that no receive is recorded for are not seen; a
 * send is seen, too, if its receive is released later. MT: the worker's thread. */
typedef struct hd_message_patterns {
    void  *context;
    size_t state_bytes; /* of a location, zeroed before its first message; a multiple of 8 */
    void (*message)(void *context, void *state, hd_severities *severities, const hd_message_event *event);
    /* A Late Receiver that is booked: the event is one of the sender, in the call that waits, without bytes. NULL: not
     * wanted */
    void (*late_receiver)(void *context, void *state, hd_severities *severities, const hd_message_event *event);
    void (*finish)(void *context, void *state, hd_severities *severities); /* after the last one, of locations that had
                                                                            * any; NULL: nothing to do */
} hd_message_patterns;

#endif
