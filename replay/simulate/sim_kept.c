/* replay/simulate/sim_kept.c: calls of kinds that are not simulated, and regions that wait without a record. */
#include "sim_kept.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Regions that wait for others, or for files, and have no record in the op log; polling. */
static bool
may_wait_unrecorded(const hd_defs *defs, const hd_region *region)
{
    static const char *const names[] = { "MPI_File_", "MPI_Probe", "MPI_Iprobe", "MPI_Mprobe", "MPI_Improbe",
                                         "MPI_Test", "MPI_Comm_spawn", "MPI_Comm_accept", "MPI_Comm_connect",
                                         "MPI_Comm_join", "MPI_Comm_disconnect", "MPI_Comm_dup", "MPI_Comm_idup",
                                         "MPI_Comm_create", "MPI_Comm_split", "MPI_Intercomm_", "MPI_Cart_create",
                                         "MPI_Graph_create", "MPI_Dist_graph_create", "MPI_Win_" };
    const char *name = hd_defs_text(defs, region->name);

    switch ((hd_call_group)region->call) {
    case HD_CALL_OMP_BARRIER:
    case HD_CALL_OMP_IMPLICIT_BARRIER:
    case HD_CALL_OMP_TASKWAIT:
    case HD_CALL_MUTEX_LOCK:
    case HD_CALL_COND_WAIT:
        return true;
    default:
        break;
    }
    if (region->role == HD_ROLE_CRITICAL || region->role == HD_ROLE_ORDERED || region->role == HD_ROLE_THREAD_WAIT)
        return true;
    for (size_t i = 0; region->region_class == HD_CLASS_MPI && i < sizeof names / sizeof *names; i++)
        if (strncasecmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static bool
is_poll(const hd_region *region)
{
    return region->region_class == HD_CLASS_MPI && (region->call == HD_CALL_TEST || region->call == HD_CALL_PROBE);
}

enum { MAY_WAIT = 1, IS_POLL = 2 };

/* Of each region; free() it. */
static uint8_t *
kinds_of(const hd_defs *defs)
{
    uint8_t *kinds = HD_NEW_ARRAY(uint8_t, defs->n_regions);

    for (uint32_t r = 0; r < defs->n_regions; r++)
        kinds[r] = (uint8_t)((may_wait_unrecorded(defs, &hd_defs_regions(defs)[r]) ? MAY_WAIT : 0) |
                             (is_poll(&hd_defs_regions(defs)[r]) ? IS_POLL : 0));
    return kinds;
}

/* Polls that left no record and are in no polled wait. */
static uint64_t
count_polls(const hd_sim_location *location, const uint8_t *kinds)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < location->location->n_nodes; i++) {
        const hd_path_node *node = &location->location->nodes[i];

        if (node->region < HD_STUB_WITHOUT_REGION && (kinds[node->region] & IS_POLL) != 0)
            n += node->visits;
    }
    for (size_t i = 0; i < location->n_calls && n > 0; i++)
        n -= (kinds[hd_sim_region(location, &location->calls[i])] & IS_POLL) != 0;
    for (size_t i = 0; i < location->n_polled; i++)
        n -= location->polled[i].n_polls < n ? location->polled[i].n_polls : n;
    return n;
}

/* Of each node, whether it is a wait of threads all of whose instances are simulated: what is left of its time is no
 * wait. free() it. */
static bool *
simulated_waits(const hd_sim_location *location)
{
    const hd_loaded_location *loaded = location->location;
    bool                     *is_all = HD_NEW_ARRAY(bool, loaded->n_nodes);
    uint64_t                 *n      = HD_NEW_ARRAY(uint64_t, loaded->n_nodes);

    for (size_t i = 0; i < location->n_calls; i++) {
        const hd_sim_call *call = &location->calls[i];

        if ((call->flags & HD_SIM_CALL_THREADS) != 0 && (call->flags & (HD_SIM_CALL_POINT | HD_SIM_CALL_KEPT)) == 0)
            is_all[call->node] = ++n[call->node] == loaded->nodes[call->node].visits;
    }
    free(n);
    return is_all;
}

/* What the time of the call paths above has of a polled wait. */
static hd_span
polled_time(const hd_sim_location *location, const hd_sim_polled *polled, const uint8_t *kinds)
{
    const hd_sim_call *call = &location->calls[polled->call];
    bool               is_there = (kinds[hd_sim_region(location, call)] & MAY_WAIT) != 0;
    hd_span            last     = hd_span_between(polled->until, call->leave);

    if ((call->flags & HD_SIM_CALL_KEPT) != 0)
        return is_there ? 0 : -last;
    return hd_span_between(call->enter, polled->until) - polled->gaps + (is_there ? last : 0);
}

static void
add_location(const hd_sim_location *location, const uint8_t *kinds, hd_sim_counts *counts)
{
    const hd_loaded_location *loaded = location->location;
    bool                     *is_all = simulated_waits(location);
    bool                     *is_in_time = HD_NEW_ARRAY(bool, loaded->n_nodes); /* the time below has it */
    hd_span                   time   = 0, all = 0;

    for (uint32_t i = 0; i < loaded->n_nodes; i++) {
        const hd_path_node *node = &loaded->nodes[i];

        all += node->time;
        is_in_time[i] = node->region < HD_STUB_WITHOUT_REGION && (kinds[node->region] & MAY_WAIT) != 0 && !is_all[i];
        if (is_in_time[i])
            time += node->time;
    }
    for (size_t i = 0; i < location->n_calls; i++) {
        const hd_sim_call *call     = &location->calls[i];
        bool               is_kept  = (call->flags & HD_SIM_CALL_KEPT) != 0, is_there = is_in_time[call->node];

        counts->n_kept += is_kept;
        if (is_kept != is_there && (call->flags & HD_SIM_CALL_POLLED) == 0)
            time += is_kept ? hd_span_between(call->enter, call->leave) : -hd_span_between(call->enter, call->leave);
    }
    free(is_all);
    free(is_in_time);
    for (size_t i = 0; i < location->n_polled; i++)
        time -= polled_time(location, &location->polled[i], kinds);
    counts->n_polled += location->n_polled;
    counts->n_polls += count_polls(location, kinds);
    counts->kept_time += time > 0 ? (uint64_t)time : 0;
    counts->all_time += all > 0 ? (uint64_t)all : 0;
}

void
hd_sim_kept_add(const hd_sim *sim, hd_sim_counts *counts)
{
    uint8_t *kinds = kinds_of(sim->defs);

    for (uint32_t i = 0; i < sim->n_locations; i++)
        if (sim->locations[i].is_thread)
            add_location(&sim->locations[i], kinds, counts);
    free(kinds);
}
