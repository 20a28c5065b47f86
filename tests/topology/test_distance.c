/* tests/topology/test_distance.c: messages by distance on the machine, through the whole program.
 *
 *   12 processes, 2 in a NUMA domain, 4 on a node, 2 nodes in a rack:   rack 0: 0-3, 4-7   rack 1: 8-11
 */
#include "check.h"
#include "situation.h"

enum { MAX_OPS = 64 };

typedef struct table {
    tw_op    ops[MAX_OPS];
    size_t   n;
    uint32_t tag;
} table;

static const tw_options racks = { .archive =
    { .n_processes = 12, .processes_per_node = 4, .processes_per_numa = 2, .nodes_per_rack = 2 } };

/* Process `to` receives from `enter` on, `from` sends `wait` later. */
static void
add_message(table *t, uint32_t from, uint32_t to, hd_time enter, hd_time wait, uint64_t bytes)
{
    t->tag++;
    t->ops[t->n++] = (tw_op){ .process = from, .op = TW_SEND, .enter = enter + wait, .leave = enter + wait + 1,
                              .peer = to, .tag = t->tag, .bytes = bytes };
    t->ops[t->n++] = (tw_op){ .process = to, .op = TW_RECV, .enter = enter, .leave = enter + wait + 1, .peer = from,
                              .tag = t->tag };
}

/* Process `from` is in MPI_Ssend from `enter` on, `to` posts the receive `wait` later. */
static void
add_late_receiver(table *t, uint32_t from, uint32_t to, hd_time enter, hd_time wait)
{
    t->tag++;
    t->ops[t->n++] = (tw_op){ .process = from, .op = TW_SSEND, .enter = enter, .leave = enter + wait + 2, .peer = to,
                              .tag = t->tag };
    t->ops[t->n++] = (tw_op){ .process = to, .op = TW_RECV, .enter = enter + wait, .leave = enter + wait + 1,
                              .peer = from, .tag = t->tag };
}

TEST(messages_are_told_apart_by_what_sender_and_receiver_have_in_common)
{
    table     t = { .n = 0 };
    tw_report r;

    add_message(&t, 0, 1, 0, 5, 100);
    add_message(&t, 0, 2, 10, 6, 200);
    add_message(&t, 0, 4, 20, 7, 400);
    add_message(&t, 0, 8, 30, 8, 800);
    add_message(&t, 0, 11, 40, 0, TW_NOTHING);
    add_late_receiver(&t, 0, 2, 50, 9);
    add_late_receiver(&t, 0, 8, 70, 11);
    r = tw_analyze_with(t.ops, t.n, .options = &racks);
    CHECK_EQ(tw_value(r, "machine_comms_numa", NULL, process(0)), 1);
    CHECK_EQ(tw_value(r, "machine_comms_node", NULL, process(0)), 2);
    CHECK_EQ(tw_value(r, "machine_comms_switch", NULL, process(0)), 1);
    CHECK_EQ(tw_value(r, "machine_comms_remote", NULL, process(0)), 3);
    CHECK_EQ(tw_value(r, "machine_comms", NULL, process(0)), 7);
    CHECK_EQ(tw_value(r, "machine_bytes_numa", NULL, process(0)), 100);
    CHECK_EQ(tw_value(r, "machine_bytes_node", NULL, process(0)), 200 + 8);
    CHECK_EQ(tw_value(r, "machine_bytes_switch", NULL, process(0)), 400);
    CHECK_SPAN(r, "machine_latesender_numa", process(1), 5);
    CHECK_SPAN(r, "machine_latesender_node", process(2), 6);
    CHECK_SPAN(r, "machine_latesender_switch", process(4), 7);
    CHECK_SPAN(r, "machine_latesender_remote", process(8), 8);
    CHECK_SPAN(r, "machine_latesender", process(8), 8);
    CHECK_SPAN(r, "machine_latereceiver_node", process(0), 9);
    CHECK_SPAN(r, "machine_latereceiver_remote", process(0), 11);
    CHECK_SPAN(r, "machine_latereceiver", process(0), 20);
    CHECK_SPAN(r, "mpi_latereceiver", process(0), 20);
}

/* Of a call that completes two sends one Late Receiver is booked, here the remote one; of one that completes two
 * receives one Late Sender. */
TEST(of_a_call_that_completes_several_the_booked_one_counts)
{
    table     t = { .n = 0 };
    tw_report r;

    t.ops[t.n++] = (tw_op){ .process = 0, .op = TW_ISEND, .enter = 0, .leave = 1, .peer = 1, .tag = 1, .request = 1 };
    t.ops[t.n++] = (tw_op){ .process = 0, .op = TW_ISEND, .enter = 2, .leave = 3, .peer = 8, .tag = 2, .request = 2 };
    t.ops[t.n++] = (tw_op){ .process = 0, .op = TW_WAITALL, .enter = 10, .leave = 60, .requests = TW_REQUESTS(1, 2) };
    t.ops[t.n++] = (tw_op){ .process = 1, .op = TW_RECV, .enter = 40, .leave = 41, .peer = 0, .tag = 1 };
    t.ops[t.n++] = (tw_op){ .process = 8, .op = TW_RECV, .enter = 50, .leave = 51, .peer = 0, .tag = 2 };
    t.ops[t.n++] = (tw_op){ .process = 4, .op = TW_IRECV, .enter = 0, .leave = 1, .peer = 5, .tag = 3, .request = 1 };
    t.ops[t.n++] = (tw_op){ .process = 4, .op = TW_IRECV, .enter = 2, .leave = 3, .peer = 9, .tag = 4, .request = 2 };
    t.ops[t.n++] = (tw_op){ .process = 4, .op = TW_WAITALL, .enter = 10, .leave = 60, .requests = TW_REQUESTS(1, 2) };
    t.ops[t.n++] = (tw_op){ .process = 5, .op = TW_SEND, .enter = 35, .leave = 36, .peer = 4, .tag = 3 };
    t.ops[t.n++] = (tw_op){ .process = 9, .op = TW_SEND, .enter = 25, .leave = 26, .peer = 4, .tag = 4 };
    r = tw_analyze_with(t.ops, t.n, .options = &racks);
    CHECK_SPAN(r, "machine_latereceiver_remote", process(0), 40);
    CHECK_SPAN(r, "machine_latereceiver_numa", process(0), 0);
    CHECK_SPAN(r, "machine_latesender_numa", process(4), 25);
    CHECK_SPAN(r, "machine_latesender_remote", process(4), 0);
}

TEST(a_message_to_oneself_is_within_the_process)
{
    table     t = { .n = 0 };
    tw_report r;

    t.ops[t.n++] = (tw_op){ .process = 3, .op = TW_ISEND, .enter = 0, .leave = 1, .peer = 3, .tag = 1, .request = 1 };
    t.ops[t.n++] = (tw_op){ .process = 3, .op = TW_RECV, .enter = 2, .leave = 3, .peer = 3, .tag = 1 };
    t.ops[t.n++] = (tw_op){ .process = 3, .op = TW_WAIT, .enter = 4, .leave = 5, .request = 1 };
    r = tw_analyze_with(t.ops, t.n, .options = &racks);
    CHECK_EQ(tw_value(r, "machine_comms_process", NULL, process(3)), 1);
    CHECK_EQ(tw_value(r, "machine_comms", NULL, process(3)), 1);
}

/* leaf0: nodes 0 and 2, leaf1: node 1, both below spine */
TEST(switches_of_a_file_take_the_place_of_racks)
{
    table     t    = { .n = 0 };
    FILE     *file = fopen("test_distance.conf", "w");
    tw_report r;

    REQUIRE(file != NULL);
    fputs("SwitchName=leaf0 Nodes=node[0000,0002]\nSwitchName=leaf1 Nodes=node0001\nSwitchName=spine "
          "Switches=leaf[0-1]\n", file);
    fclose(file);
    add_message(&t, 0, 2, 0, 6, 100);
    add_message(&t, 0, 8, 10, 7, 200);
    add_message(&t, 0, 4, 20, 8, 400);
    t.ops[t.n++] = (tw_op){ .process = 11, .op = TW_USER, .region = "foo", .enter = 0, .leave = 1 };
    r = tw_analyze_with(t.ops, t.n, .options = &racks, .arguments = "--topology=slurm:test_distance.conf");
    CHECK_SPAN(r, "machine_latesender_node", process(2), 6);
    CHECK_SPAN(r, "machine_latesender_switch", process(8), 7);
    CHECK_SPAN(r, "machine_latesender_switch2", process(4), 8);
    CHECK_EQ(tw_value(r, "machine_bytes_switch2", NULL, process(0)), 400);
    CHECK_EQ(tw_value(r, "topo_hops", NULL, process(0)), 0);
    r = tw_analyze_with(t.ops, t.n, .options = &racks, .arguments = "--topology=grid:3x4,slurm:test_distance.conf");
    CHECK_SPAN(r, "machine_latesender_switch", process(8), 7);
    CHECK_EQ(tw_value(r, "topo_hops", NULL, process(0)), 2 + 2 + 1);
    remove("test_distance.conf");
}

/* Nobody of the archive is at far, which is two levels below spine; node 3 is at spine itself. */
TEST(switches_without_hosts_do_not_count_and_of_two_ways_the_longer_does)
{
    table     t    = { .n = 0 };
    FILE     *file = fopen("test_distance_far.conf", "w");
    tw_report r;

    REQUIRE(file != NULL);
    fputs("SwitchName=leaf Nodes=node[0000-0001]\nSwitchName=far Nodes=other[0-9]\nSwitchName=above Switches=far\n"
          "SwitchName=spine Switches=above,leaf Nodes=node[0002-0003]\n", file);
    fclose(file);
    add_message(&t, 0, 4, 0, 6, 100);
    add_message(&t, 0, 8, 10, 7, 200);
    add_message(&t, 11, 8, 20, 8, 400);
    r = tw_analyze_with(t.ops, t.n, .options = &racks, .arguments = "--topology=slurm:test_distance_far.conf");
    CHECK_EQ(tw_value(r, "machine_bytes_switch", NULL, process(0)), 100);
    CHECK_EQ(tw_value(r, "machine_bytes_switch2", NULL, process(0)), 200);
    CHECK_EQ(tw_value(r, "machine_bytes_switch3", NULL, process(0)), 0);
    CHECK_EQ(tw_value(r, "machine_bytes", NULL, process(11)), 400);
    remove("test_distance_far.conf");
}

/* Nodes 0, 1, 2 of the example are at 0, 4, 5. */
TEST(places_of_hosts_are_those_of_their_processes)
{
    table     t    = { .n = 0 };
    FILE     *file = fopen("test_distance.places", "w");
    tw_report r;

    REQUIRE(file != NULL);
    fputs("host x\nperiodic yes\nnode0000 0\nnode0001 4\nnode0002 5\nnode0003 6\n", file);
    fclose(file);
    add_message(&t, 0, 3, 0, 6, 100);
    add_message(&t, 0, 4, 10, 7, 200);
    add_message(&t, 0, 8, 20, 8, 400);
    t.ops[t.n++] = (tw_op){ .process = 11, .op = TW_USER, .region = "foo", .enter = 0, .leave = 1 };
    r = tw_analyze_with(t.ops, t.n, .options = &racks, .arguments = "--topology=file:test_distance.places");
    CHECK_EQ(tw_value(r, "topo_hops", NULL, process(0)), 3 + 2); /* around: of 7 */
    CHECK_EQ(tw_value(r, "topo_byte_hops", NULL, process(0)), 3 * 200 + 2 * 400);
    remove("test_distance.places");
}

TEST(on_one_node_there_is_nothing_to_tell_apart)
{
    table     t = { .n = 0 };
    tw_report r;

    add_message(&t, 0, 1, 0, 5, 100);
    r = tw_analyze(t.ops, t.n);
    CHECK_EQ(tw_value(r, "machine_comms", NULL, process(0)), 0);
    CHECK_SPAN(r, "mpi_latesender", process(1), 5);
}

TEST_MAIN
