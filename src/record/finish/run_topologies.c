/* src/record/finish/run_topologies.c: collects definitions and coordinates, process by process. */
#include "run_topologies.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "text_hash.h"

/* ---- what is wrong ----------------------------------------------------------------------------------------------- */

static void
blame(hd_run_topology *topology, hd_run_topology_flaw flaw, uint32_t process)
{
    if (topology->flaws[flaw].n++ == 0)
        topology->flaws[flaw].process = process;
}

char *
hd_run_topologies_wrong(const hd_recorded_run *run)
{
    static const char *const texts[] = {
        [HD_RUN_TOPOLOGY_BAD]     = "it needs 1 to 32 dimensions, of sizes above 0",
        [HD_RUN_TOPOLOGY_OTHER]   = "it is defined otherwise than by the first process, which counts",
        [HD_RUN_TOPOLOGY_TWICE]   = "it is defined twice, with other dimensions; the first definition counts",
        [HD_RUN_TOPOLOGY_UNKNOWN] = "coordinates on it are omitted, as it is not defined",
        [HD_RUN_TOPOLOGY_OUTSIDE] = "coordinates are omitted, as they are not inside of its dimensions",
        [HD_RUN_TOPOLOGY_AGAIN]   = "a thread has several coordinates; the first count",
    };
    char *wrong = NULL;

    for (size_t i = 0; i < run->n_topologies; i++)
        for (uint32_t flaw = 0; flaw < HD_RUN_N_TOPOLOGY_FLAWS; flaw++) {
            const hd_run_topology *topology = &run->topologies[i];
            char                  *longer;

            if (topology->flaws[flaw].n == 0)
                continue;
            longer = topology->flaws[flaw].n > 1 ?
                         hd_format("%stopology \"%s\": %s (%" PRIu64 " times, first in process %u)\n",
                                   wrong != NULL ? wrong : "", topology->name, texts[flaw], topology->flaws[flaw].n,
                                   topology->flaws[flaw].process) :
                         hd_format("%stopology \"%s\": %s (process %u)\n", wrong != NULL ? wrong : "",
                                   topology->name, texts[flaw], topology->flaws[flaw].process);
            free(wrong);
            wrong = longer;
        }
    return wrong;
}

/* ---- definitions ------------------------------------------------------------------------------------------------- */

/* Made if there is none of this name. */
static hd_run_topology *
find_or_add(hd_recorded_run *run, hd_map *by_name, const char *name, bool *is_new)
{
    uint64_t hash = hd_text_hash(HD_TEXT_HASH, name);

    for (;; hash++) {
        uint64_t *index = hd_map_add(by_name, hash != HD_MAP_FREE ? hash : 0, is_new);

        if (*is_new) {
            *index = run->n_topologies;
            HD_PUSH(run->topologies, run->n_topologies, run->room_topologies, ((hd_run_topology){ .name = name }));
        }
        if (strcmp(run->topologies[*index].name, name) == 0)
            return &run->topologies[*index];
    }
}

static bool
is_size(uint64_t size)
{
    return (uint32_t)size > 0 && (uint32_t)size <= INT32_MAX;
}

static bool
is_good(const hd_raw_topology *raw)
{
    bool is = raw->n > 0;

    for (uint32_t i = 0; i < raw->n; i++)
        is &= is_size(raw->sizes[i]);
    return is;
}

static bool
are_same(const hd_run_topology *topology, const hd_raw_topology *raw)
{
    return topology->n == raw->n && strcmp(topology->names, raw->names) == 0 &&
           memcmp(topology->sizes, raw->sizes, raw->n * sizeof *raw->sizes) == 0;
}

static void
define(hd_recorded_run *run, hd_map *by_name, uint32_t process, const hd_raw_topology *raw)
{
    bool             is_new;
    hd_run_topology *topology = find_or_add(run, by_name, raw->name, &is_new);

    if (!is_good(raw))
        blame(topology, HD_RUN_TOPOLOGY_BAD, process);
    else if (topology->n == 0) {
        topology->n       = raw->n;
        topology->sizes   = raw->sizes;
        topology->names   = raw->names;
        topology->last_ok = process + 1;
    } else if (are_same(topology, raw)) {
        if (hd_map_get(&topology->others, process) == NULL)
            topology->last_ok = process + 1;
    } else if (topology->last_ok == process + 1)
        blame(topology, HD_RUN_TOPOLOGY_TWICE, process);
    else {
        blame(topology, HD_RUN_TOPOLOGY_OTHER, process);
        hd_map_add(&topology->others, process, &is_new);
    }
}

/* ---- coordinates ------------------------------------------------------------------------------------------------- */

static const hd_raw_location *
location_of(const hd_raw_process *process, uint32_t number)
{
    for (size_t i = 0; i < process->n_locations; i++)
        if (process->locations[i].number == number)
            return &process->locations[i];
    return NULL;
}

static bool
is_inside(const hd_run_topology *topology, const hd_raw_coordinates *raw)
{
    bool is = raw->n == topology->n;

    for (uint32_t i = 0; i < raw->n && is; i++)
        is = raw->x[i] < (uint32_t)topology->sizes[i];
    return is;
}

/* Members of a process are one after the other. */
static bool
has_member(const hd_run_topology *topology, uint64_t location, uint32_t process)
{
    for (size_t i = topology->n_members; i-- > 0 && topology->members[i].process == process;)
        if (topology->members[i].location == location)
            return true;
    return false;
}

static void
place(hd_recorded_run *run, hd_map *by_name, uint32_t process, const hd_raw_coordinates *raw)
{
    bool                   is_new;
    hd_run_topology       *topology = find_or_add(run, by_name, raw->name, &is_new);
    const hd_raw_location *location = location_of(run->processes[process].raw, raw->location);

    if (topology->n == 0 && topology->flaws[HD_RUN_TOPOLOGY_BAD].n == 0)
        blame(topology, HD_RUN_TOPOLOGY_UNKNOWN, process);
    else if (topology->n == 0 || location == NULL || hd_map_get(&topology->others, process) != NULL)
        return; /* that is said already */
    else if (!is_inside(topology, raw))
        blame(topology, HD_RUN_TOPOLOGY_OUTSIDE, process);
    else if (has_member(topology, location->ref, process))
        blame(topology, HD_RUN_TOPOLOGY_AGAIN, process);
    else
        HD_PUSH(topology->members, topology->n_members, topology->room_members,
                ((hd_run_member){ location->ref, process, raw->x }));
}

void
hd_run_topologies_set(hd_recorded_run *run)
{
    hd_map by_name = { 0 };

    for (uint32_t i = 0; i < run->n; i++)
        for (size_t j = 0; j < run->processes[i].raw->n_topologies; j++)
            define(run, &by_name, i, &run->processes[i].raw->topologies[j]);
    for (uint32_t i = 0; i < run->n; i++)
        for (size_t j = 0; j < run->processes[i].raw->n_coordinates; j++)
            place(run, &by_name, i, &run->processes[i].raw->coordinates[j]);
    hd_map_fini(&by_name);
}
