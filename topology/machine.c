/* topology/machine.c: the tree of switches and nodes, and nearness by the lowest common ancestor. Archives name levels
 * freely: a node is recognised by its class, else it is the innermost place of MPI processes. */
#include "machine.h"

#include <stdlib.h>
#include <strings.h>

#include "memory.h"

enum { UNKNOWN = HD_N_NEAR, LEVEL }; /* kinds besides those of hd_nearness; LEVEL: above the nodes */

struct hd_machine {
    uint32_t *parents;   /* [n] */
    uint32_t *depths;    /* [n] a root: 0 */
    uint8_t  *nearness;  /* [n] of processes that have nothing nearer in common; LEVEL: it depends on where their nodes
                          * are */
    uint32_t *homes;     /* [n_processes] HD_NONE: not known */
    uint32_t *node_depths; /* [n_processes] of their nodes; of their homes where no node is known */
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

/* ---- kinds ------------------------------------------------------------------------------------------------------- */

/* What an archive says of the domain comes first; the innermost counts. */
static uint8_t
kind_of(const hd_defs *defs, uint32_t node)
{
    static const struct {
        uint32_t domain;
        uint8_t  kind;
    } domains[] = { { HD_DOMAIN_PU, HD_NEAR_CORE }, { HD_DOMAIN_CORE, HD_NEAR_CORE }, { HD_DOMAIN_NUMA, HD_NEAR_NUMA },
                    { HD_DOMAIN_SOCKET, HD_NEAR_SOCKET }, { HD_DOMAIN_SHARED_MEMORY, HD_NEAR_NODE },
                    { HD_DOMAIN_MACHINE, HD_NEAR_REMOTE } };
    static const struct {
        const char *name;
        uint8_t     kind;
    } classes[] = { { "pu", HD_NEAR_CORE }, { "core", HD_NEAR_CORE }, { "numa", HD_NEAR_NUMA },
        { "numanode", HD_NEAR_NUMA },
                    { "socket", HD_NEAR_SOCKET }, { "package", HD_NEAR_SOCKET }, { "node", HD_NEAR_NODE },
                    { "machine", HD_NEAR_REMOTE } };
    const hd_system_node *it = &hd_defs_nodes(defs)[node];

    for (size_t i = 0; i < sizeof domains / sizeof *domains; i++)
        if ((it->domains & domains[i].domain) != 0)
            return domains[i].kind;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strcasecmp(hd_defs_text(defs, it->node_class), classes[i].name) == 0)
            return classes[i].kind;
    return UNKNOWN;
}

static bool
is_part(uint8_t kind) /* of a node */
{
    return kind == HD_NEAR_CORE || kind == HD_NEAR_NUMA || kind == HD_NEAR_SOCKET;
}

static uint32_t
parent_of(const hd_defs *defs, uint32_t i)
{
    return hd_defs_nodes(defs)[i].parent;
}

/* The first node upwards, HD_NONE if there is none. */
static uint32_t
node_above(const hd_defs *defs, const uint8_t *kinds, uint32_t i)
{
    while (i != HD_NONE && kinds[i] != HD_NEAR_NODE)
        i = parent_of(defs, i);
    return i;
}

/* The last part of a node upwards, HD_NONE if there is none. */
static uint32_t
last_part(const hd_defs *defs, const uint8_t *kinds, uint32_t i)
{
    uint32_t last = HD_NONE;

    for (; i != HD_NONE; i = parent_of(defs, i))
        if (is_part(kinds[i]))
            last = i;
    return last;
}

/* What would be the node of a process that has none: what it stands at, or what is around the parts. HD_NONE: nothing
 * is. */
static uint32_t
likely_node(const hd_defs *defs, const uint8_t *kinds, uint32_t home)
{
    uint32_t part = last_part(defs, kinds, home);

    if (home == HD_NONE || node_above(defs, kinds, home) != HD_NONE)
        return HD_NONE;
    return part != HD_NONE ? parent_of(defs, part) : home;
}

/* Nodes have no nodes below them. Where MPI processes stand and no node is known, the innermost likely ones are
 * nodes. */
static uint8_t *
find_kinds(const hd_defs *defs)
{
    uint8_t *kinds     = HD_NEW_ARRAY(uint8_t, (size_t)defs->n_nodes + 1);
    bool    *is_above  = HD_NEW_ARRAY(bool, (size_t)defs->n_nodes + 1); /* a node is below it */
    bool    *is_likely = HD_NEW_ARRAY(bool, (size_t)defs->n_nodes + 1);

    for (uint32_t i = 0; i < defs->n_nodes; i++)
        kinds[i] = kind_of(defs, i);
    for (uint32_t i = defs->n_nodes; i-- > 0;) {
        if (is_above[i] && kinds[i] != HD_NEAR_REMOTE)
            kinds[i] = UNKNOWN;
        if (parent_of(defs, i) != HD_NONE)
            is_above[parent_of(defs, i)] |= is_above[i] || kinds[i] == HD_NEAR_NODE;
    }
    for (uint32_t p = 0; p < defs->n_mpi_processes; p++) {
        uint32_t likely = likely_node(defs, kinds, hd_defs_processes(defs)[p].node);

        if (likely != HD_NONE)
            is_likely[likely] = true;
    }
    for (uint32_t i = defs->n_nodes; i-- > 0;) {
        if (is_likely[i] && !is_above[i])
            kinds[i] = HD_NEAR_NODE;
        if (parent_of(defs, i) != HD_NONE)
            is_above[parent_of(defs, i)] |= is_above[i] || kinds[i] == HD_NEAR_NODE;
    }
    free(is_above);
    free(is_likely);
    return kinds;
}

static uint32_t
node_of(const hd_defs *defs, const uint8_t *kinds, uint32_t home)
{
    uint32_t node = node_above(defs, kinds, home);

    return node != HD_NONE ? node : last_part(defs, kinds, home);
}

uint32_t *
hd_machine_nodes(const hd_defs *defs)
{
    uint8_t  *kinds = find_kinds(defs);
    uint32_t *nodes = HD_NEW_ARRAY(uint32_t, (size_t)defs->n_processes + 1);

    for (uint32_t p = 0; p < defs->n_processes; p++)
        nodes[p] = node_of(defs, kinds, hd_defs_processes(defs)[p].node);
    free(kinds);
    return nodes;
}

/* ---- the tree: switches first, then the archive's ---------------------------------------------------------------- */

/* kinds: of all; UNKNOWN in the archive's tree is a part of what is around it below the nodes, and a level above
 * them. */
static void
name_levels(hd_machine *machine, const uint8_t *kinds)
{
    bool *is_inner = HD_NEW_ARRAY(bool, (size_t)machine->n + 1); /* below a node or a part of one */

    for (uint32_t i = 0; i < machine->n; i++) {
        uint32_t parent = machine->parents[i];

        is_inner[i] = parent != HD_NONE &&
                      (is_inner[parent] || machine->nearness[parent] == HD_NEAR_NODE ||
                       is_part(machine->nearness[parent]));
        machine->nearness[i] = kinds[i] != UNKNOWN ? kinds[i] : is_inner[i] ? machine->nearness[parent] :
                               parent != HD_NONE ? LEVEL : HD_NEAR_REMOTE;
    }
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
    for (uint32_t p = 0; p < defs->n_processes; p++) {
        uint32_t home = hd_defs_processes(defs)[p].node, node = node_of(defs, of_archive, home);

        if (home != HD_NONE)
            machine->node_depths[p] = machine->depths[n_switches + (node != HD_NONE ? node : home)];
    }
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
    machine->node_depths = HD_NEW_ARRAY(uint32_t, (size_t)defs->n_processes + 1);
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
    free(machine->node_depths);
    free(machine);
}

/* Of a level above the nodes of both: by the longer way up to it. */
static uint32_t
nearness_of_level(const hd_machine *machine, uint32_t level, uint32_t process, uint32_t other)
{
    uint32_t x = machine->node_depths[process], y = machine->node_depths[other],
    n = (x > y ? x : y) - machine->depths[level];

    return n <= 1 ? HD_NEAR_SWITCH : n == 2 ? HD_NEAR_SWITCH_2 : HD_NEAR_SWITCH_3;
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
    if (x != y || x == HD_NONE)
        return HD_NEAR_REMOTE;
    return machine->nearness[x] != LEVEL ? machine->nearness[x] : nearness_of_level(machine, x, process, other);
}
