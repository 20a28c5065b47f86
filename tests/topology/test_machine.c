/* tests/topology/test_machine.c: how near processes are.
 *
 *   0 machine ─┬─ 1 row ─┬─ 2 rack ─┬─ 3 node ─┬─ 4 NUMA ─┬─ 5 core   processes 0, 1
 *              │         │          │          │          └─ 6 core             2
 *              │         │          │          └─ 7 NUMA                        3
 *              │         │          └─ 8 node                                   4
 *              │         └─ 9 rack ─── 10 node                                  5
 *              └─ 11 row ── 12 rack ── 13 node                                  6       process 7: nowhere
 */
#include "check.h"
#include "distance.h"

enum { N_NODES = 14, N_PROCESSES = 8 };

typedef struct small {
    hd_defs        defs;
    hd_process_def processes[N_PROCESSES];
    hd_system_node nodes[N_NODES];
    char           texts[64];
} small;

enum { NO_CLASS = 0, MACHINE = 1, NODE = 9, CORE = 14, NUMA = 19 };

static small
rows(void)
{
    small s = { .defs = { .n_processes = N_PROCESSES, .n_mpi_processes = N_PROCESSES, .n_nodes = N_NODES,
                          .processes = offsetof(small, processes),
                          .nodes = offsetof(small, nodes), .texts = offsetof(small, texts) },
                .nodes = { { .parent = HD_NONE, .node_class = MACHINE }, { .parent = 0 }, { .parent = 1 },
                           { .parent = 2, .node_class = NODE },
                           { .parent = 3, .node_class = NUMA }, { .parent = 4, .node_class = CORE },
                           { .parent = 4, .node_class = CORE },
                           { .parent = 3, .node_class = NUMA }, { .parent = 2, .node_class = NODE }, { .parent = 1 },
                           { .parent = 9, .node_class = NODE }, { .parent = 0 }, { .parent = 11 },
                           { .parent = 12, .node_class = NODE } },
                .texts = "\0machine\0Node\0core\0NUMANode" };
    static const uint32_t homes[N_PROCESSES] = { 5, 5, 6, 7, 8, 10, 13, HD_NONE };

    for (int i = 0; i < N_PROCESSES; i++)
        s.processes[i].node = homes[i];
    return s;
}

static void
check_nearness(const small *s, const hd_switches *switches, const uint32_t *expected)
{
    hd_machine *machine = hd_machine_new(&s->defs, switches);

    CHECK(machine != NULL);
    for (uint32_t p = 0; p < N_PROCESSES && machine != NULL; p++) {
        CHECK_EQ(hd_machine_nearness(machine, 0, p), expected[p]);
        CHECK_EQ(hd_machine_nearness(machine, p, 0), expected[p]);
    }
    hd_machine_free(machine);
}

TEST(what_two_have_in_common_and_nothing_nearer_counts)
{
    small s = rows();

    check_nearness(&s, NULL, (uint32_t[]){ HD_NEAR_PROCESS, HD_NEAR_CORE, HD_NEAR_NUMA, HD_NEAR_NODE, HD_NEAR_SWITCH,
                                           HD_NEAR_SWITCH_2, HD_NEAR_REMOTE, HD_NONE });
}

TEST(domains_go_before_names)
{
    small s = rows();

    for (int i = 0; i < N_NODES; i++)
        s.nodes[i].domains = s.nodes[i].node_class == NODE ? HD_DOMAIN_SHARED_MEMORY : 0;
    s.nodes[4].domains = HD_DOMAIN_SOCKET;
    check_nearness(&s, NULL, (uint32_t[]){ HD_NEAR_PROCESS, HD_NEAR_CORE, HD_NEAR_SOCKET, HD_NEAR_NODE, HD_NEAR_SWITCH,
                                           HD_NEAR_SWITCH_2, HD_NEAR_REMOTE, HD_NONE });
    for (int i = 0; i < N_NODES; i++)
        s.nodes[i].node_class = NO_CLASS;
    s.nodes[0].domains = HD_DOMAIN_MACHINE;
    s.nodes[5].domains = HD_DOMAIN_PU;
    /* node 4 is a socket, 6 and 7 are of no known kind: parts of what is around them */
    check_nearness(&s, NULL, (uint32_t[]){ HD_NEAR_PROCESS, HD_NEAR_CORE, HD_NEAR_SOCKET, HD_NEAR_NODE, HD_NEAR_SWITCH,
                                           HD_NEAR_SWITCH_2, HD_NEAR_REMOTE, HD_NONE });
}

/* Nobody says what a node is: what processes stand at. */
TEST(without_names_processes_stand_at_nodes)
{
    small     s = rows();
    uint32_t *nodes;

    for (int i = 0; i < N_NODES; i++)
        s.nodes[i].node_class = NO_CLASS;
    nodes = hd_machine_nodes(&s.defs);
    CHECK_EQ(nodes[0], 5);
    CHECK_EQ(nodes[6], 13);
    CHECK_EQ(nodes[7], HD_NONE);
    free(nodes);
    check_nearness(&s, NULL, (uint32_t[]){ HD_NEAR_PROCESS, HD_NEAR_NODE, HD_NEAR_SWITCH, HD_NEAR_SWITCH_2,
                                           HD_NEAR_SWITCH_3, HD_NEAR_SWITCH_3, HD_NEAR_REMOTE, HD_NONE });
}

TEST(the_node_is_above_what_a_process_stands_at)
{
    static const uint32_t expected[N_PROCESSES] = { 3, 3, 3, 3, 8, 10, 13, HD_NONE };
    small                 s                     = rows();
    uint32_t             *nodes                 = hd_machine_nodes(&s.defs);

    for (int i = 0; i < N_PROCESSES; i++)
        CHECK_EQ(nodes[i], expected[i]);
    free(nodes);
}

/*   switch 0 ─┬─ switch 1 ─── nodes 3, 10
 *             └─ switch 2 ─── node 8            switch 3 ── node 13 */
TEST(switches_take_the_place_of_what_is_above_the_nodes)
{
    small       s        = rows();
    uint32_t    of_node[N_NODES], parents[] = { HD_NONE, 0, 0, HD_NONE };
    hd_switches switches = { .parents = parents, .of_node = of_node, .n = 4 };

    for (int i = 0; i < N_NODES; i++)
        of_node[i] = HD_NONE;
    of_node[3] = of_node[10] = 1;
    of_node[8]               = 2;
    of_node[13]              = 3;
    check_nearness(&s, &switches, (uint32_t[]){ HD_NEAR_PROCESS, HD_NEAR_CORE, HD_NEAR_NUMA, HD_NEAR_NODE,
                                                HD_NEAR_SWITCH_2, HD_NEAR_SWITCH, HD_NEAR_REMOTE, HD_NONE });
}

TEST(processes_at_one_place_leave_nothing_to_tell_apart)
{
    small s = rows();

    s.defs.n_mpi_processes = 2;
    CHECK(hd_machine_new(&s.defs, NULL) == NULL);
    s.defs.n_mpi_processes = 0;
    CHECK(hd_machine_new(&s.defs, NULL) == NULL);
}

/* What a message of 100 bytes with a wait of 7, and a Late Receiver of 9, between processes 0 and `peer` are booked
 * as. */
static void
check_metrics(const small *s, uint32_t peer, const char *const *ids)
{
    static const int64_t expected[] = { 1, 100, 7, 9 };
    hd_machine          *machine    = hd_machine_new(&s->defs, NULL);
    hd_message_patterns  patterns   = hd_distance_on_machine(machine);
    hd_severities        severities;

    hd_severities_init(&severities);
    patterns.message(machine, NULL, &severities,
                     &(hd_message_event){ .peer = peer, .call_path = 2, .bytes = 100, .is_send = true });
    patterns.message(machine, NULL, &severities,
                     &(hd_message_event){ .process = peer, .call_path = 2, .bytes = 100, .wait = 7 });
    patterns.late_receiver(machine, NULL, &severities,
                           &(hd_message_event){ .peer = peer, .call_path = 2, .wait = 9, .is_send = true });
    CHECK_EQ(severities.n, 4);
    for (int i = 0; i < 4; i++)
        CHECK_EQ(*hd_severities_slot(&severities, (hd_metric)hd_metric_by_id(ids[i]), 2), expected[i]);
    hd_severities_fini(&severities);
    hd_machine_free(machine);
}

TEST(each_nearness_has_its_metrics)
{
    static const char *const ids[HD_N_NEAR][4] = {
        { "machine_comms_process", "machine_bytes_process", "machine_latesender_process",
          "machine_latereceiver_process" },
        { "machine_comms_core", "machine_bytes_core", "machine_latesender_core", "machine_latereceiver_core" },
        { "machine_comms_numa", "machine_bytes_numa", "machine_latesender_numa", "machine_latereceiver_numa" },
        { "machine_comms_socket", "machine_bytes_socket", "machine_latesender_socket", "machine_latereceiver_socket" },
        { "machine_comms_node", "machine_bytes_node", "machine_latesender_node", "machine_latereceiver_node" },
        { "machine_comms_switch", "machine_bytes_switch", "machine_latesender_switch", "machine_latereceiver_switch" },
        { "machine_comms_switch2", "machine_bytes_switch2", "machine_latesender_switch2",
          "machine_latereceiver_switch2" },
        { "machine_comms_switch3", "machine_bytes_switch3", "machine_latesender_switch3",
          "machine_latereceiver_switch3" },
        { "machine_comms_remote", "machine_bytes_remote", "machine_latesender_remote", "machine_latereceiver_remote" },
    };
    static const uint32_t peers[HD_N_NEAR] = { 0, 1, 2, HD_NONE, 3, 4, 5, HD_NONE, 6 };
    small                 s                = rows();

    for (uint32_t i = 0; i < HD_N_NEAR; i++)
        if (peers[i] != HD_NONE)
            check_metrics(&s, peers[i], ids[i]);
    s.nodes[4].domains = HD_DOMAIN_SOCKET;
    check_metrics(&s, 2, ids[HD_NEAR_SOCKET]);
    for (int i = 0; i < N_NODES; i++)
        s.nodes[i] = (hd_system_node){ .parent = s.nodes[i].parent };
    check_metrics(&s, 4, ids[HD_NEAR_SWITCH_3]);
}

/* Processes that run on the same node are as near as that or nearer, and no others are. */
static void
check_nodes(const small *s)
{
    uint32_t   *nodes   = hd_machine_nodes(&s->defs);
    hd_machine *machine = hd_machine_new(&s->defs, NULL);

    for (uint32_t p = 0; p < s->defs.n_mpi_processes; p++)
        for (uint32_t q = 0; q < s->defs.n_mpi_processes; q++)
            if (p != q && nodes[p] != HD_NONE && nodes[q] != HD_NONE)
                CHECK_EQ(nodes[p] == nodes[q], hd_machine_nearness(machine, p, q) <= HD_NEAR_NODE);
    free(nodes);
    hd_machine_free(machine);
}

TEST(machines_without_nodes_are_nodes)
{
    small       s = rows();
    hd_machine *machine;

    for (int i = 0; i < N_NODES; i++)
        s.nodes[i] = (hd_system_node){ .parent = HD_NONE, .node_class = MACHINE };
    s.processes[0].node = s.processes[1].node = 0;
    s.processes[2].node = 1;
    machine             = hd_machine_new(&s.defs, NULL);
    CHECK_EQ(hd_machine_nearness(machine, 0, 1), HD_NEAR_NODE);
    CHECK_EQ(hd_machine_nearness(machine, 0, 2), HD_NEAR_REMOTE);
    hd_machine_free(machine);
    check_nodes(&s);
}

TEST(what_is_no_mpi_process_makes_no_node)
{
    small       s = rows();
    hd_machine *machine;

    for (int i = 1; i < N_NODES; i++)
        s.nodes[i] = (hd_system_node){ .parent = 0, .node_class = NO_CLASS };
    s.nodes[0]               = (hd_system_node){ .parent = HD_NONE, .node_class = NO_CLASS };
    s.processes[0].node      = 1;
    s.processes[1].node      = 2;
    s.processes[7].node      = 0;
    s.defs.n_mpi_processes   = 7;
    machine                  = hd_machine_new(&s.defs, NULL);
    CHECK_EQ(hd_machine_nearness(machine, 0, 1), HD_NEAR_REMOTE);
    hd_machine_free(machine);
    check_nodes(&s);
}

TEST(what_nodes_are_below_of_is_no_node)
{
    small       s = rows();
    hd_machine *machine;

    s.processes[7].node = 2;
    machine             = hd_machine_new(&s.defs, NULL);
    CHECK_EQ(hd_machine_nearness(machine, 0, 4), HD_NEAR_SWITCH);
    CHECK_EQ(hd_machine_nearness(machine, 0, 7), HD_NEAR_SWITCH);
    CHECK_EQ(hd_machine_nearness(machine, 5, 7), HD_NEAR_SWITCH_2);
    hd_machine_free(machine);
    check_nodes(&s);
    s.processes[6].node = 2; /* without names: the innermost that processes stand at; the rack has some below it in any
                              * order */
    for (int order = 0; order < 2; order++) {
        for (int i = 0; i < N_NODES; i++)
            s.nodes[i].node_class = NO_CLASS;
        s.processes[order == 0 ? 7 : 0].node = 2;
        s.processes[order == 0 ? 0 : 7].node = 8;
        machine                              = hd_machine_new(&s.defs, NULL);
        CHECK_EQ(hd_machine_nearness(machine, 0, 7), HD_NEAR_SWITCH);
        hd_machine_free(machine);
        check_nodes(&s);
    }
    s.nodes[2].node_class = s.nodes[3].node_class = NODE; /* a node in a node: the inner one */
    check_nodes(&s);
}

/*   0 machine ── 1 ─┬─ 2 socket ── process 0        3 ── 5 core ── process 2
 *                   └─ 4 socket ── process 1        6 socket ── process 3: a tree of its own */
TEST(around_sockets_is_the_node)
{
    small       s = rows();
    uint32_t   *nodes;
    hd_machine *machine;

    for (int i = 0; i < N_NODES; i++)
        s.nodes[i] = (hd_system_node){ .parent = i == 0 || i == 6 ? HD_NONE : 0 };
    s.nodes[2] = s.nodes[4] = (hd_system_node){ .parent = 1, .domains = HD_DOMAIN_SOCKET };
    s.nodes[5] = (hd_system_node){ .parent = 3, .domains = HD_DOMAIN_CORE };
    s.nodes[6].domains     = HD_DOMAIN_SOCKET;
    s.defs.n_mpi_processes = s.defs.n_processes = 5;
    for (uint32_t p = 0; p < 5; p++)
        s.processes[p].node = (uint32_t[]){ 2, 4, 5, 6, 6 }[p];
    nodes = hd_machine_nodes(&s.defs);
    for (uint32_t p = 0; p < 5; p++)
        CHECK_EQ(nodes[p], ((uint32_t[]){ 1, 1, 3, 6, 6 }[p]));
    free(nodes);
    machine = hd_machine_new(&s.defs, NULL);
    CHECK_EQ(hd_machine_nearness(machine, 0, 1), HD_NEAR_NODE);
    CHECK_EQ(hd_machine_nearness(machine, 0, 2), HD_NEAR_REMOTE);
    CHECK_EQ(hd_machine_nearness(machine, 3, 4), HD_NEAR_SOCKET);
    hd_machine_free(machine);
    check_nodes(&s);
}

/*   switch 0 ─┬─ switch 1 ─┬─ nodes 3, 8     the way from node 13 is shorter
 *             │            └─ switch 2 ── switch 4, where nobody is
 *             ├─ node 10
 *             └─ node 13 */
TEST(of_two_ways_to_a_switch_the_longer_counts)
{
    small       s        = rows();
    uint32_t    of_node[N_NODES], parents[] = { HD_NONE, 0, 1, 1, 2 };
    hd_switches switches = { .parents = parents, .of_node = of_node, .n = 5 };
    hd_machine *machine;

    for (int i = 0; i < N_NODES; i++)
        of_node[i] = HD_NONE;
    of_node[3] = of_node[8] = 1;
    of_node[10] = of_node[13] = 0;
    machine                   = hd_machine_new(&s.defs, &switches);
    CHECK_EQ(hd_machine_nearness(machine, 0, 4), HD_NEAR_SWITCH);
    CHECK_EQ(hd_machine_nearness(machine, 0, 5), HD_NEAR_SWITCH_2);
    CHECK_EQ(hd_machine_nearness(machine, 5, 0), HD_NEAR_SWITCH_2);
    CHECK_EQ(hd_machine_nearness(machine, 5, 6), HD_NEAR_SWITCH);
    hd_machine_free(machine);
}

TEST_MAIN
