/* src/trace/decode/location_join.h: what a location leaves for the time when all locations of its process are decoded.
 * Uses: log. Owner: the loader, until the process is joined. MT: the loading thread, then the one that joins the
 * process; team_starts is read by others meanwhile. Ranks: local. Grows with: requests under way, teams, tasks that may
 * have moved.
 */
#ifndef HD_LOCATION_JOIN_H
#define HD_LOCATION_JOIN_H

#include "finding.h"
#include "map.h"
#include "oplog.h"
#include "task_fragment.h"
#include "team_starts.h"

typedef enum hd_request_kind { HD_REQUEST_SEND, HD_REQUEST_RECV, HD_REQUEST_NBC } hd_request_kind;

/* Values of the map of requests: what was started, and its number (send, collective) or the enter of its call
 * (receive). */
#define HD_REQUEST_VALUE(kind, value) ((uint64_t)(kind) << 62 | (uint64_t)(value))
#define HD_REQUEST_KIND(value) ((hd_request_kind)((value) >> 62))
#define HD_REQUEST_REST(value) ((value) & (UINT64_MAX >> 2))

typedef struct hd_orphan { /* the completion of a request that this location did not start */
    uint64_t        request;
    hd_request_kind kind;
    uint32_t        index;      /* send: unused; receive: in posted_elsewhere; collective: in nbcs, HD_NONE: of a
                                 * handle */
    uint32_t        channel;    /* receive */
    hd_completion   completion; /* send */
    hd_time         time;
} hd_orphan;

typedef struct hd_nested_team { /* a team that another thread than the first one forked began here */
    uint32_t comm, instance;
    uint32_t node;              /* the root of what happens in it, until the fork's place is known */
    uint32_t owner;             /* location */
} hd_nested_team;

typedef struct hd_location_join {
    hd_scratch           *scratch;  /* of the arrays, but for nested */
    hd_map                requests; /* started and not completed here */
    hd_orphan            *orphans;  /* [n_orphans] */
    size_t                n_orphans, capacity_orphans;
    hd_team_starts        team_starts; /* where this location forked its teams */
    hd_nested_team       *nested;      /* [n_nested] */
    size_t                n_nested, capacity_nested;
    hd_migrant_candidate *candidates; /* [n_candidates] the first time that the location is decoded */
    size_t                n_candidates, capacity_candidates;
    hd_task_fragments     fragments; /* the second time, where tasks moved */
    hd_findings           findings;  /* of this location */
} hd_location_join;

static inline void
hd_location_join_init(hd_location_join *join, hd_scratch *scratch)
{
    *join = (hd_location_join){ .scratch = scratch, .team_starts.scratch = scratch };
}

static inline void
hd_location_join_fini(hd_location_join *join)
{
    hd_map_fini(&join->requests);
    hd_scratch_free(join->scratch, join->orphans);
    free(join->nested);
    hd_team_starts_fini(&join->team_starts);
    hd_scratch_free(join->scratch, join->candidates);
    hd_scratch_free(join->scratch, join->fragments.fragments);
    hd_scratch_free(join->scratch, join->fragments.levels);
    hd_scratch_free(join->scratch, join->fragments.open);
    hd_findings_fini(&join->findings);
}

#endif
