/* src/trace/log/clock_log.h: what the clock condition is about, per location: when something was sent and when it was
 * received.
 *
 * Read from the event files before they are loaded (clock/clock_read.h), where clocks are to be corrected or their
 * violations reported. A record that sends or receives (messages, collectives, one-sided operations and their
 * notifications, forks, joins, barriers of teams) is one point, or several in a row; the first record of a location is
 * a point, too. replay/clock/clock.h finds by how much each point is moved; between two points records are moved in
 * proportion. A cursor (clock_cursor.h) then corrects the times of the records while they are loaded.
 *
 * Definitions: docs/metrics.md#clocks. Uses: defs. Owner: the program. MT: each location is written by one thread.
 * Ranks: local.
 * Memory: 24 bytes per point, 8 for how far it is moved, 40 per collective, 32 per channel.
 */
#ifndef HD_CLOCK_LOG_H
#define HD_CLOCK_LOG_H

#include "defs.h"
#include "oplog.h"

/* What a point is. hd_clock_point.what is, by kind: an index in channels (messages), in collectives, or in the team
 * instances of the process (threads; HD_NONE: of nothing). */
typedef enum hd_clock_kind {
    HD_CLOCK_OTHER,   /* neither sends nor receives, or it is not known what */
    HD_CLOCK_SEND,    /* of a message; number: in its channel */
    HD_CLOCK_RECEIVE, /* of a message; number: in its channel */
    HD_CLOCK_BEGIN,   /* of a collective operation */
    HD_CLOCK_END,     /* of a collective operation */
    HD_CLOCK_FORK,    /* of threads, as all that follow */
    HD_CLOCK_TEAM_BEGIN,
    HD_CLOCK_TEAM_END,
    HD_CLOCK_JOIN,
    HD_CLOCK_BARRIER_ENTER,
    HD_CLOCK_BARRIER_LEAVE
} hd_clock_kind;

typedef struct hd_clock_point {
    hd_time  time;
    uint32_t what, number;
    uint8_t  kind;
    bool     is_same; /* of the same record as the point before */
} hd_clock_point;

#define HD_CLOCK_INIT(defs) ((defs)->n_comms)          /* communicators of MPI_Init and MPI_Finalize: all processes of
                                                        * MPI */
#define HD_CLOCK_FINALIZE(defs) ((defs)->n_comms + 1)

typedef struct hd_clock_collective { /* one call of this location */
    uint32_t comm;           /* index in the definitions, HD_CLOCK_INIT or HD_CLOCK_FINALIZE */
    uint32_t number;         /* in its communicator; blocking ones and others are numbered apart */
    uint32_t operation, root; /* as in hd_op */
    uint32_t rank;           /* of this process */
    uint8_t  side;           /* of this process, in an inter-communicator */
    bool     is_nbc;         /* not blocking */
    bool     sends, receives; /* this process, any bytes */
    uint32_t n_targets;      /* fence: how many it operated on since the fence before */
    size_t   first_target;   /* fence: the first of them in targets */
} hd_clock_collective;

typedef struct hd_clock_target { /* of one-sided operations between two fences */
    uint32_t rank;
    size_t   point;               /* of the last one on it */
} hd_clock_target;

typedef struct hd_clock_team_instance { /* of threads of a process: an instance of a team, or of a barrier in one */
    uint32_t n_before;            /* ends of the team; enters of the barrier */
    bool     has_fork;
} hd_clock_team_instance;

typedef struct hd_clock_offset { /* as the measurement recorded it */
    hd_time time;
    hd_span offset;              /* to the archive's clock */
} hd_clock_offset;

typedef struct hd_clock_log { /* of a location */
    hd_clock_point      *points;      /* [n] */
    hd_span             *moves;       /* [n] later than it was, >= 0; NULL: not yet */
    hd_channel          *channels;    /* [n_channels] of messages; n: without cancelled ones */
    hd_clock_collective *collectives; /* [n_collectives] in the order of their begins */
    hd_clock_offset      first, last; /* of its records of offsets */
    hd_clock_target     *targets;     /* [n_targets] */
    size_t               n_targets, capacity_targets;
    uint32_t             n_offsets;
    uint32_t             n_channels;
    size_t               n, n_collectives;
    size_t               capacity, capacity_collectives;
    hd_time              end;         /* of the last record */
} hd_clock_log;

typedef struct hd_clock_process {
    hd_process              process;
    hd_clock_log           *logs; /* [n_locations] */
    uint32_t                n_locations;
    hd_clock_team_instance *team_instances; /* [n_team_instances] */
    size_t                  n_team_instances, capacity_team_instances;
} hd_clock_process;

typedef struct hd_clock_logs {
    hd_clock_process *processes; /* [n_processes] ascending */
    uint32_t          n_processes;
    hd_scratch       *scratch;   /* of what grows with the trace; NULL: the heap */
} hd_clock_logs;

void hd_clock_logs_free(hd_clock_logs *logs); /* NULL is fine */

/* The log of a thread of a process. The process is one of the logs'. */
const hd_clock_log *hd_clock_logs_find(const hd_clock_logs *logs, hd_process process, uint32_t thread);

/* Whether the enter and the leave of a region are points. */
static inline bool
hd_clock_has_points(const hd_region *region)
{
    switch (region->call) {
    case HD_CALL_INIT:
    case HD_CALL_FINALIZE:
    case HD_CALL_OMP_BARRIER:
    case HD_CALL_OMP_IMPLICIT_BARRIER:
    case HD_CALL_WIN_COMPLETE:
    case HD_CALL_WIN_WAIT:
    case HD_CALL_WIN_TEST:
        return true;
    default:
        return false;
    }
}

#endif
