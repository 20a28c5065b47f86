/* tests/profile/test_wait_graph.c: cycles, chains and doubts of a graph of waits, and its size. Processes that a test
 * names only as a peer have finished.
 *
 *   0 ⇄ 1 ◀── 2        3 ──▶ 4 stopped        5 ──▶ 1 or 4
 */
#include "check.h"
#include "memory.h"
#include "recording_end.h"
#include "wait_graph.h"

enum { BARRIER = 0, BCAST = 1, ALLREDUCE = 11 }; /* as OTF2 */

typedef struct facts {
    hd_wait_facts all;
    size_t        endings, waits, members; /* capacities */
} facts;

static void
ending(facts *f, hd_ending_fact fact)
{
    fact.since = fact.since == 0 ? 10 + fact.process : fact.since;
    fact.end   = fact.end == 0 ? fact.since : fact.end;
    HD_PUSH(f->all.endings, f->all.n_endings, f->endings, fact);
}

static void
wait_for(facts *f, hd_wait_fact wait)
{
    HD_PUSH(f->all.waits, f->all.n_waits, f->waits, wait);
}

static void
sends_to(facts *f, uint32_t process, uint32_t peer)
{
    ending(f, (hd_ending_fact){ .process = process, .ending = HD_ENDING_WAITS });
    wait_for(f, (hd_wait_fact){ .process = process, .kind = HD_WAIT_SEND, .peer = peer });
}

static void
collective(facts *f, uint32_t process, uint32_t comm, uint32_t number, uint32_t operation, bool is_sure)
{
    wait_for(f, (hd_wait_fact){ .process = process, .kind = HD_WAIT_COLLECTIVE, .comm = comm, .number = number,
                                .operation = operation, .is_sure = is_sure });
}

static void
member(facts *f, uint32_t comm, uint32_t process, uint32_t n)
{
    HD_PUSH(f->all.members, f->all.n_members, f->members, ((hd_member_fact){ comm, process, n }));
}

static hd_wait_graph *
graph_of(facts *f)
{
    hd_wait_graph *graph = hd_wait_graph_new(&f->all, false);

    hd_wait_facts_fini(&f->all);
    *f = (facts){ 0 };
    return graph;
}

static const hd_wait_node *
node_of(const hd_wait_graph *graph, uint32_t process)
{
    for (uint32_t i = 0; graph != NULL && i < graph->n_nodes; i++)
        for (uint32_t p = 0; p < graph->nodes[i].n_processes; p++)
            if (graph->processes[graph->nodes[i].first_process + p] == process)
                return &graph->nodes[i];
    printf("no node has process %" PRIu32 "\n", process);
    exit(1);
}

static uint32_t
number(const hd_wait_graph *graph, const hd_wait_node *node)
{
    return (uint32_t)(node - graph->nodes);
}

TEST(cycles_chains_and_choices)
{
    facts          f = { 0 };
    hd_wait_graph *g;

    sends_to(&f, 2, 1);
    sends_to(&f, 1, 0);
    sends_to(&f, 0, 1);
    sends_to(&f, 3, 4);
    ending(&f, (hd_ending_fact){ .process = 4, .ending = HD_ENDING_STOPPED, .end = 77 });
    sends_to(&f, 5, 1);
    wait_for(&f, (hd_wait_fact){ .process = 5, .kind = HD_WAIT_SEND, .peer = 4 });
    g = graph_of(&f);
    CHECK_EQ(g->n_nodes, 6);
    CHECK_EQ(g->n_cycles, 1);
    CHECK_EQ(node_of(g, 0)->cycle, 1);
    CHECK_EQ(node_of(g, 1)->cycle, 1);
    CHECK(node_of(g, 1)->is_certain);
    CHECK_EQ(node_of(g, 2)->cycle, 0);
    CHECK(node_of(g, 2)->is_certain);
    CHECK_EQ(node_of(g, 2)->next, number(g, node_of(g, 1)));
    CHECK_EQ(node_of(g, 2)->end, number(g, node_of(g, 0)));
    CHECK(!node_of(g, 3)->is_blocked);
    CHECK_EQ(node_of(g, 3)->end, number(g, node_of(g, 4)));
    CHECK_EQ(node_of(g, 4)->first, 77);
    CHECK(!node_of(g, 5)->is_blocked); /* process 4 may help it */
    hd_wait_graph_free(g);
}

TEST(nobody_helps_who_waits_for_a_process_that_has_finished)
{
    facts          f = { 0 };
    hd_wait_graph *g;

    sends_to(&f, 0, 7);
    g = graph_of(&f);
    CHECK_EQ(g->n_cycles, 0);
    CHECK(node_of(g, 0)->is_certain);
    CHECK_EQ(node_of(g, 7)->kind, HD_NODE_FINISHED);
    CHECK_EQ(node_of(g, 0)->end, number(g, node_of(g, 7)));
    hd_wait_graph_free(g);
}

TEST(nobody_waits_in_no_graph)
{
    facts f = { 0 };

    ending(&f, (hd_ending_fact){ .process = 0, .ending = HD_ENDING_STOPPED });
    CHECK(graph_of(&f) == NULL);
    for (uint32_t p = 0; p < 3; p++) { /* all are in the same barrier: it may be over */
        ending(&f, (hd_ending_fact){ .process = p, .ending = HD_ENDING_WAITS });
        collective(&f, p, 0, 4, BARRIER, true);
        member(&f, 0, p, 4);
    }
    CHECK(graph_of(&f) == NULL);
}

/* Process 0 is in a broadcast, whose root may be 1 or 2; 1 waits for 0. In a barrier it needs both of them. */
static hd_wait_graph *
misses_two(uint32_t operation)
{
    facts f = { 0 };

    ending(&f, (hd_ending_fact){ .process = 0, .ending = HD_ENDING_WAITS });
    collective(&f, 0, 0, 1, operation, true);
    sends_to(&f, 1, 0);
    ending(&f, (hd_ending_fact){ .process = 2, .ending = HD_ENDING_STOPPED });
    for (uint32_t p = 0; p < 4; p++)
        member(&f, 0, p, p == 3 ? 2 : 1);
    return graph_of(&f);
}

TEST(a_barrier_needs_all_and_a_broadcast_one)
{
    hd_wait_graph *g = misses_two(BARRIER);

    CHECK(node_of(g, 0)->is_certain);
    CHECK_EQ(node_of(g, 0)->cycle, 1);
    CHECK_EQ(g->nodes[3].kind, HD_NODE_OPERATION);
    CHECK(g->nodes[3].needs_all);
    hd_wait_graph_free(g);
    g = misses_two(BCAST);
    CHECK(!node_of(g, 0)->is_blocked);
    CHECK_EQ(g->n_cycles, 0);
    hd_wait_graph_free(g);
}

static hd_wait_graph *
epoch(bool needs_all)
{
    facts f = { 0 };

    ending(&f, (hd_ending_fact){ .process = 0, .ending = HD_ENDING_WAITS, .needs_all = needs_all });
    wait_for(&f, (hd_wait_fact){ .process = 0, .kind = HD_WAIT_COMPLETE, .peer = 1 });
    wait_for(&f, (hd_wait_fact){ .process = 0, .kind = HD_WAIT_COMPLETE, .peer = 2 });
    sends_to(&f, 1, 0);
    ending(&f, (hd_ending_fact){ .process = 2, .ending = HD_ENDING_STOPPED });
    return graph_of(&f);
}

TEST(an_epoch_needs_all_of_its_group)
{
    hd_wait_graph *g = epoch(true);

    CHECK_EQ(g->n_cycles, 1);
    CHECK(node_of(g, 0)->is_certain);
    hd_wait_graph_free(g);
    g = epoch(false);
    CHECK_EQ(g->n_cycles, 0);
    CHECK(!node_of(g, 1)->is_blocked);
    hd_wait_graph_free(g);
}

/* Receives whose senders are not recorded: a deadlock only where everybody waits, and only without doubt where no
 * message is there. */
static hd_wait_graph *
receives(bool one_runs, bool has_messages)
{
    facts f = { 0 };

    for (uint32_t p = 0; p < 3; p++) {
        ending(&f, (hd_ending_fact){ .process = p, .ending = p == 2 && one_runs ? HD_ENDING_STOPPED : HD_ENDING_WAITS,
                                     .may_receive = true, .has_messages = p == 1 && has_messages });
        if (p < 2 || !one_runs)
            wait_for(&f, (hd_wait_fact){ .process = p, .kind = HD_WAIT_RECEIVE });
    }
    return graph_of(&f);
}

TEST(who_may_receive_from_anybody_waits_for_all)
{
    hd_wait_graph *g = receives(false, false);

    CHECK_EQ(g->n_cycles, 1);
    CHECK_EQ(g->n_nodes, 2); /* the three, and who is not recorded */
    CHECK(node_of(g, 0)->is_certain);
    hd_wait_graph_free(g);
    g = receives(true, false);
    CHECK_EQ(g->n_cycles, 0);
    CHECK(!node_of(g, 0)->is_blocked);
    hd_wait_graph_free(g);
    g = receives(false, true);
    CHECK_EQ(g->n_cycles, 1);
    CHECK(node_of(g, 0)->is_blocked && !node_of(g, 0)->is_certain);
    hd_wait_graph_free(g);
}

TEST(a_recording_that_is_cut_makes_a_doubt)
{
    facts          f = { 0 };
    hd_wait_graph *g;

    sends_to(&f, 0, 1);
    sends_to(&f, 1, 0);
    f.all.endings[1].is_cut = true;
    g = graph_of(&f);
    CHECK_EQ(g->n_cycles, 1);
    CHECK(node_of(g, 0)->is_blocked && !node_of(g, 0)->is_certain);
    CHECK_EQ(node_of(g, 1)->n_cut, 1);
    hd_wait_graph_free(g);
}

/* Both are in barriers, each on one of two communicators: on the same one, that barrier is over. On different call
 * paths it is a doubt; with different operations there is none. */
static hd_wait_graph *
crossed(uint32_t path, uint32_t operation)
{
    facts f = { 0 };

    for (uint32_t p = 0; p < 2; p++) {
        ending(&f, (hd_ending_fact){ .process = p, .ending = HD_ENDING_WAITS, .call_path = p == 0 ? 1 : path });
        for (uint32_t comm = 0; comm < 2; comm++) {
            collective(&f, p, comm, 0, p == 0 ? BARRIER : operation, false);
            member(&f, comm, p, 0);
        }
    }
    return graph_of(&f);
}

TEST(communicators_that_are_not_recorded_make_a_doubt)
{
    hd_wait_graph *g = crossed(1, BARRIER);

    CHECK(g == NULL);
    g = crossed(2, BARRIER);
    CHECK_EQ(g->n_cycles, 1);
    CHECK(node_of(g, 0)->is_blocked && !node_of(g, 0)->is_certain);
    hd_wait_graph_free(g);
    g = crossed(2, ALLREDUCE);
    CHECK_EQ(g->n_cycles, 1);
    CHECK(node_of(g, 0)->is_certain && node_of(g, 1)->is_certain);
    hd_wait_graph_free(g);
}

/* ---- size -------------------------------------------------------------------------------------------------------- */

enum { MANY = 65536 };

TEST(many_in_one_operation_are_three_nodes)
{
    facts          f = { 0 };
    hd_wait_graph *g;

    for (uint32_t i = MANY; i-- > 0;) {
        ending(&f, (hd_ending_fact){ .process = i, .ending = i == 40000 ? HD_ENDING_STOPPED : HD_ENDING_WAITS });
        if (i != 40000)
            collective(&f, i, 3, 9, BARRIER, true);
        member(&f, 3, i, 9);
    }
    g = graph_of(&f);
    CHECK_EQ(g->n_nodes, 3);
    CHECK_EQ(g->n_edges, 2);
    CHECK_EQ(g->nodes[0].n_processes, MANY - 1);
    CHECK_EQ(g->nodes[0].first, 10);
    CHECK_EQ(g->nodes[0].last, 10 + MANY - 1);
    CHECK_EQ(g->nodes[0].end, 1);
    CHECK_EQ(g->nodes[1].kind, HD_NODE_STOPPED);
    CHECK_EQ(g->edges[1].to, 1);
    CHECK_EQ(g->n_processes, MANY);
    hd_wait_graph_free(g);
}

/* And neither recursion nor quadratic time. */
TEST(long_cycles_and_chains_are_found)
{
    facts          f = { 0 };
    hd_wait_graph *g;

    for (uint32_t i = 0; i < MANY; i++) /* a ring */
        sends_to(&f, i, (i + 1) % MANY);
    for (uint32_t i = MANY; i < 2 * MANY; i++) /* a chain */
        sends_to(&f, i, i + 1);
    g = graph_of(&f);
    CHECK_EQ(g->n_cycles, 1);
    CHECK_EQ(g->nodes[MANY - 1].cycle, 1);
    CHECK_EQ(g->nodes[MANY].cycle, 0);
    CHECK_EQ(g->nodes[MANY].end, 2 * MANY);
    CHECK_EQ(g->nodes[MANY].next, MANY + 1);
    CHECK_EQ(g->nodes[2 * MANY].kind, HD_NODE_FINISHED);
    CHECK_EQ(g->n_edges, 2 * MANY);
    hd_wait_graph_free(g);
}

/* Each is in an operation of its own, which misses half of the others: what is kept stays far below the square of
 * them. */
TEST(of_very_many_operations_the_earliest_are_kept)
{
    enum { N = 4096 };
    facts          f = { 0 };
    hd_wait_graph *g;

    for (uint32_t i = 0; i < N; i++) {
        ending(&f, (hd_ending_fact){ .process = i, .ending = HD_ENDING_WAITS });
        collective(&f, i, 0, i, BARRIER, true);
        member(&f, 0, i, i);
    }
    g = graph_of(&f);
    CHECK(g->n_edges < 65 * (size_t)N);
    CHECK_EQ(node_of(g, 5)->kind, HD_NODE_WAITS);
    CHECK(!node_of(g, N - 1)->is_certain);
    hd_wait_graph_free(g);
}

/* Where nobody waits, those that stopped are told only if they did so early. */
TEST(processes_that_stopped_are_there_without_waits)
{
    for (int early = 0; early < 2; early++) {
        facts          f = { 0 };
        hd_wait_graph *g;

        ending(&f, (hd_ending_fact){ .process = 1, .ending = HD_ENDING_STOPPED, .call_path = 7, .end = 20 });
        ending(&f, (hd_ending_fact){ .process = 3, .ending = HD_ENDING_STOPPED, .call_path = 8, .end = 10 });
        ending(&f, (hd_ending_fact){ .process = 2, .ending = HD_ENDING_STOPPED, .call_path = 7, .end = 30 });
        g = hd_wait_graph_new(&f.all, early == 1);
        hd_wait_facts_fini(&f.all);
        CHECK_EQ(g != NULL, early == 1);
        if (g == NULL)
            continue;
        CHECK_EQ(g->n_nodes, 2);
        CHECK_EQ(g->n_edges, 0);
        CHECK_EQ(node_of(g, 1)->n_processes, 2);
        CHECK_EQ(node_of(g, 1)->call_path, 7);
        CHECK_EQ(node_of(g, 2)->last, 30);
        CHECK_EQ(node_of(g, 3)->call_path, 8);
        hd_wait_graph_free(g);
    }
}

TEST_MAIN
