/* src/base/finding.h: what is wrong with a trace, as plain data.
 *
 * A finding is no error: it is named, counted and reported, and the analysis goes on. Equal findings (same kind, place,
 * peer, communicator and tag) are one row with a count, so the list grows with distinct findings. Uses: memory, table.
 *
 * MT: a list belongs to one thread at a time. Ranks: local; the program gathers the lists when the analysis is done.
 */
#ifndef HD_FINDING_H
#define HD_FINDING_H

#include "table.h"
#include "types.h"

typedef enum hd_finding_kind {
    HD_FINDING_NO_EVENTS,           /* a location whose event file is missing or empty; loses */
    HD_FINDING_CUT_EVENTS,          /* a location whose event file ends too early or cannot be read on; loses */
    HD_FINDING_STOPPED,             /* a process never came to its end: its first location ends inside of calls, or
                                     * before others enter MPI_Finalize; loses */
    HD_FINDING_MORE_EVENTS,         /* a location with more events than the definitions announce */
    HD_FINDING_NO_DEFINITIONS,      /* a location whose own definitions cannot be read: no clock correction; loses */
    HD_FINDING_UNBALANCED,          /* an enter without a leave, or the other way round */
    HD_FINDING_STACK,               /* a sample or call whose stack does not follow from the one before */
    HD_FINDING_UNKNOWN,             /* a record that names an undefined region, calling context, communicator or peer;
                                     * loses */
    HD_FINDING_UNKNOWN_KIND,        /* a record of a kind that the OTF2 library does not know; loses */
    HD_FINDING_TIME_BACKWARDS,      /* a record earlier than the one before it */
    HD_FINDING_TIME_DAMAGED,        /* a record long after the end of the recording; loses */
    HD_FINDING_OUTSIDE_CALL,        /* a communication record outside of a call of its paradigm */
    HD_FINDING_TEAM_UNKNOWN,        /* a worker thread whose teams are not recorded */
    HD_FINDING_UNMATCHED_RECEIVE,   /* no matching send */
    HD_FINDING_UNMATCHED_SEND,      /* no matching receive */
    HD_FINDING_UNMATCHED_COLLECTIVE,/* some members never came */
    HD_FINDING_MIXED_COLLECTIVE,    /* members report different operations or roots */
    HD_FINDING_UNMATCHED_EPOCH,     /* of a window: of the other side there is none; one per process of the group */
    HD_FINDING_RMA_OUT_OF_PLACE,    /* a call that ends an epoch which was not begun */
    HD_FINDING_INCOMPLETE_REQUEST,  /* a completion without a start; a non-blocking collective that is never
                                     * completed */
    HD_FINDING_FEWER_ITERATIONS,    /* a process with fewer iterations than another one */
    HD_FINDING_INNER_ITERATION,     /* an iteration inside of another one */
    HD_FINDING_COUNTER_UNKNOWN,     /* a value of a metric that is not defined */
    HD_FINDING_COUNTER_TYPE,        /* a value of another type than the definition of its metric says */
    HD_FINDING_COUNTER_FALLS,       /* a value below the one before it, of a metric that is a sum */
    HD_FINDING_COUNTER_LEVEL,       /* a metric recorded over time that is declared as a sum, but falls: it is a
                                     * level */
    HD_FINDING_CLOCK_P2P,           /* a message that arrives before it was sent */
    HD_FINDING_CLOCK_COLLECTIVE,    /* a member that leaves a collective before it can */
    HD_N_FINDINGS
} hd_finding_kind;

typedef struct hd_finding {
    hd_finding_kind kind;
    uint32_t        process, thread; /* thread: position in its process */
    uint32_t        call_path;       /* of the unified call tree when reported, of the process before; HD_NONE: none */
    uint32_t        peer;            /* process; HD_NONE: none */
    uint32_t        communicator;    /* index in the definitions; HD_NONE: none */
    uint32_t        tag;             /* HD_NONE: none */
    hd_time         time;            /* of the first one [ticks], 0: unknown */
    uint64_t        count;
    hd_span         worst;           /* [ticks] of clocks: how much too early, at most; else 0 */
} hd_finding;

/* Its tag is the index of a counter in the definitions; that of HD_FINDING_COUNTER_UNKNOWN is the number that its
 * records have in the archive, of a class of metrics or an instance of one. */
static inline bool
hd_finding_is_of_counter(const hd_finding *finding)
{
    return finding->kind > HD_FINDING_COUNTER_UNKNOWN && finding->kind <= HD_FINDING_COUNTER_LEVEL;
}

typedef struct hd_findings {
    hd_finding *rows;
    size_t      n, capacity;
    hd_table    index; /* hash of all but time and count -> row; equal hashes are resolved by probing on */
} hd_findings;

typedef struct hd_finding_info {
    const char *id;    /* "unmatched-receive": in files */
    bool        loses; /* the archive is incomplete: exit code 3 */
    const char *many;  /* "receives have no matching send; their waiting time is not counted": after "3 " */
    const char *one;   /* the same after "1 " */
} hd_finding_info;

extern const hd_finding_info hd_finding_infos[HD_N_FINDINGS];

/* What stands after the count of a kind of findings. */
const char *hd_finding_words(hd_finding_kind kind, uint64_t count);

void hd_findings_fini(hd_findings *findings);
/* Adds finding.count equal findings; the smallest known time of a row is kept. */
void hd_findings_add(hd_findings *findings, hd_finding finding);
/* Sorts rows by kind, process, thread, call path, peer, communicator, tag. No adding afterwards. */
void hd_findings_sort(hd_findings *findings);

#endif
