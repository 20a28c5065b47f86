#include "machine.h"

#include <stdlib.h>
#include <strings.h>

#include "memory.h"

enum { UNKNOWN = HD_N_NEAR, LEVEL }; /* kinds besides those of hd_nearness; LEVEL: above the nodes */

struct hd_machine {
    uint32_t *parents;   /* [n] */
    uint32_t *depths;    /* [n] a root: 0 */
    uint8_t  *nearness;  /* [n] of processes that have nothing nearer in common */
    uint32_t *homes;     /* [n_processes] HD_NONE: not known */
    uint32_t  n, n_processes;
};

void
hd_switches_free(hd_switches *switches)
{
    if (switches == NULL)
        return;
    free(switches->parents);
    free(switches->of_node);
    free(switches);
}

/* ---- kinds ----------------------------------------------------------------------------------------------------------------- */

/* What an archive says of the domain comes first; the innermost counts. */
static uint8_t
kind_of(const hd_defs *defs, uint32_t node)
{
    static const struct {
        uint32_t domain;
        uint8_t  kind;
    } domains[] = { { HD_DOMAIN_PU, HD_NEAR_CORE }, { HD_DOMAIN_CORE, HD_NEAR_CORE }, { HD_DOMAIN_NUMA, HD_NEAR_NUMA },
                    { HD_DOMAIN_SOCKET, HD_NEAR_SOCKET }, { HD_DOMAIN_SHARED_MEMORY, HD_NEAR_NODE }, { HD_DOMAIN_MACHINE, HD_NEAR_REMOTE } };
    static const struct {
        const char *name;
        uint8_t     kind;
    } classes[] = { { "pu", HD_NEAR_CORE }, { "core", HD_NEAR_CORE }, { "numa", HD_NEAR_NUMA }, { "numanode", HD_NEAR_NUMA },
                    { "socket", HD_NEAR_SOCKET }, { "package", HD_NEAR_SOCKET }, { "node", HD_NEAR_NODE }, { "machine", HD_NEAR_REMOTE } };
    const hd_system_node *it = &hd_defs_nodes(defs)[node];

    for (size_t i = 0; i < sizeof domains / sizeof *domains; i++)
        if ((it->domains & domains[i].domain) != 0)
            return domains[i].kind;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strcasecmp(hd_defs_text(defs, it->node_class), classes[i].name) == 0)
            return classes[i].kind;
    return UNKNOWN;
}

/* The first node upwards, HD_NONE if there is none. */
static uint32_t
node_above(const hd_defs *defs, const uint8_t *kinds, uint32_t i)
{
    while (i != HD_NONE && kinds[i] != HD_NEAR_NODE)
        i = hd_defs_nodes(defs)[i].parent;
    return i;
}

/* Where no node is called one, it is what processes stand at. */
static uint8_t *
find_kinds(const hd_defs *defs)
{
    uint8_t *kinds = HD_NEW_ARRAY(uint8_t, (size_t)defs->n_nodes + 1);

    for (uint32_t i = 0; i < defs->n_nodes; i++)
        kinds[i] = kind_of(defs, i);
    for (uint32_t p = 0; p < defs->n_processes; p++) {
        uint32_t home = hd_defs_processes(defs)[p].node;

        if (home != HD_NONE && node_above(defs, kinds, home) == HD_NONE && kinds[home] == UNKNOWN)
            kinds[home] = HD_NEAR_NODE;
    }
    return kinds;
}

uint32_t *
hd_machine_nodes(const hd_defs *defs)
{
    uint8_t  *kinds = find_kinds(defs);
    uint32_t *nodes = HD_NEW_ARRAY(uint32_t, (size_t)defs->n_processes + 1);

    for (uint32_t p = 0; p < defs->n_processes; p++) {
        uint32_t home = hd_defs_processes(defs)[p].node;

        nodes[p] = node_above(defs, kinds, home);
        if (nodes[p] == HD_NONE)
            nodes[p] = home;
    }
    free(kinds);
    return nodes;
}

/* ---- the tree: switches first, then the archive's -------------------------------------------------------------------------- */

/* kinds: of all; UNKNOWN in the archive's tree is a part of what is around it below the nodes, and a level above them. */
static void
name_levels(hd_machine *machine, const uint8_t *kinds)
{
    uint32_t *heights  = HD_NEW_ARRAY(uint32_t, (size_t)machine->n + 1); /* levels above the nodes */
    bool     *is_inner = HD_NEW_ARRAY(bool, (size_t)machine->n + 1);     /* below a node */

    for (uint32_t i = 0; i < machine->n; i++) {
        uint32_t parent = machine->parents[i];

        is_inner[i] = parent != HD_NONE && (is_inner[parent] || machine->nearness[parent] == HD_NEAR_NODE);
        machine->nearness[i] = kinds[i] != UNKNOWN ? kinds[i] : is_inner[i] ? machine->nearness[parent] : parent != HD_NONE ? LEVEL : HD_NEAR_REMOTE;
    }
    for (uint32_t i = machine->n; i-- > 0;) {
        uint32_t parent = machine->parents[i];

        if (parent != HD_NONE && !is_inner[i] && heights[parent] < heights[i] + 1)
            heights[parent] = heights[i] + 1;
        if (machine->nearness[i] == LEVEL)
            machine->nearness[i] = (uint8_t)(heights[i] <= 1 ? HD_NEAR_SWITCH : heights[i] == 2 ? HD_NEAR_SWITCH_2 : HD_NEAR_SWITCH_3);
    }
    free(heights);
    free(is_inner);
}

static void
make_tree(hd_machine *machine, const hd_defs *defs, const hd_switches *switches)
{
    uint32_t n_switches = switches != NULL ? switches->n : 0;
    uint8_t *of_archive = find_kinds(defs), *kinds;

    machine->n        = n_switches + defs->n_nodes;
    machine->parents  = HD_NEW_ARRAY(uint32_t, (size_t)machine->n + 1);
    machine->depths   = HD_NEW_ARRAY(uint32_t, (size_t)machine->n + 1);
    machine->nearness = HD_NEW_ARRAY(uint8_t, (size_t)machine->n + 1);
    kinds             = HD_NEW_ARRAY(uint8_t, (size_t)machine->n + 1);
    for (uint32_t i = 0; i < n_switches; i++) {
        machine->parents[i] = switches->parents[i];
        kinds[i]            = LEVEL;
    }
    for (uint32_t i = 0; i < defs->n_nodes; i++) {
        uint32_t parent = hd_defs_nodes(defs)[i].parent;

        machine->parents[n_switches + i] = parent != HD_NONE ? n_switches + parent : HD_NONE;
        if (switches != NULL && switches->of_node[i] != HD_NONE)
            machine->parents[n_switches + i] = switches->of_node[i];
        kinds[n_switches + i] = of_archive[i];
    }
    for (uint32_t i = 0; i < machine->n; i++)
        machine->depths[i] = machine->parents[i] != HD_NONE ? machine->depths[machine->parents[i]] + 1 : 0;
    name_levels(machine, kinds);
    free(of_archive);
    free(kinds);
}

hd_machine *
hd_machine_new(const hd_defs *defs, const hd_switches *switches)
{
    hd_machine *machine    = HD_NEW(hd_machine);
    uint32_t    n_switches = switches != NULL ? switches->n : 0;
    bool        are_apart  = false;

    machine->n_processes = defs->n_processes;
    machine->homes       = HD_NEW_ARRAY(uint32_t, (size_t)defs->n_processes + 1);
    for (uint32_t p = 0; p < defs->n_processes; p++) {
        uint32_t home = hd_defs_processes(defs)[p].node;

        machine->homes[p] = home != HD_NONE ? n_switches + home : HD_NONE;
        are_apart |= p < defs->n_mpi_processes && machine->homes[p] != machine->homes[0];
    }
    make_tree(machine, defs, switches);
    if (are_apart)
        return machine;
    hd_machine_free(machine);
    return NULL;
}

void
hd_machine_free(hd_machine *machine)
{
    if (machine == NULL)
        return;
    free(machine->parents);
    free(machine->depths);
    free(machine->nearness);
    free(machine->homes);
    free(machine);
}

uint32_t
hd_machine_nearness(const hd_machine *machine, uint32_t process, uint32_t other)
{
    uint32_t x, y;

    if (process == other)
        return HD_NEAR_PROCESS;
    x = machine->homes[process];
    y = machine->homes[other];
    if (x == HD_NONE || y == HD_NONE)
        return HD_NONE;
    while (x != y && x != HD_NONE && y != HD_NONE) {
        bool x_goes = machine->depths[x] >= machine->depths[y], y_goes = machine->depths[y] >= machine->depths[x];

        x = x_goes ? machine->parents[x] : x;
        y = y_goes ? machine->parents[y] : y;
    }
    return x == y && x != HD_NONE ? machine->nearness[x] : HD_NEAR_REMOTE;
}
