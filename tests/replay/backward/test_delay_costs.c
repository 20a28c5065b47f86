/* tests/replay/backward/test_delay_costs.c: "Delay costs", "Direct and indirect wait states" of docs/metrics.md: who
 * made others wait, and which waits come from other waits. */
#include "check.h"
#include "situation.h"

#define WORK(rank, name, from, until) { .process = rank, .op = TW_USER, .region = name, .enter = from, .leave = until }
#define INIT(rank)                    { .process = rank, .op = TW_INIT, .enter = 0, .leave = 0 }

/*   ticks       0        30   40            100 102        122
 *   process 0   [foo                        ][send·······[Finalize]
 *   process 1   [foo          ][recv········][send·······[Finalize]      waits 60
 *   process 2   [foo     ][recv················][baz     ][Finalize]     waits 70
 */
static const tw_op chain[] = {
    INIT(0),
    WORK(0, "foo", 0, 100),
    { .process = 0, .op = TW_SEND, .enter = 100, .leave = 100, .peer = 1 },
    { .process = 0, .op = TW_FINALIZE, .enter = 100, .leave = 122 },
    INIT(1),
    WORK(1, "foo", 0, 40),
    { .process = 1, .op = TW_RECV, .enter = 40, .leave = 100, .peer = 0 },
    { .process = 1, .op = TW_SEND, .enter = 100, .leave = 100, .peer = 2 },
    { .process = 1, .op = TW_FINALIZE, .enter = 100, .leave = 122 },
    INIT(2),
    WORK(2, "foo", 0, 30),
    { .process = 2, .op = TW_RECV, .enter = 30, .leave = 102, .peer = 1 },
    WORK(2, "baz", 102, 122),
    { .process = 2, .op = TW_FINALIZE, .enter = 122, .leave = 122 },
};

TEST(a_late_sender_pays_with_what_it_did_more)
{
    tw_report r = tw_analyze(chain, TW_LEN(chain));

    CHECK_SPAN(r, "mpi_latesender", process(1), 60);
    CHECK_SPAN(r, "mpi_latesender", process(2), 70);
    CHECK_SPAN_AT(r, "delay_latesender", "main;foo", process(0), 60);
    CHECK_SPAN_AT(r, "delay_latesender", "main;foo", process(1), 10);
    CHECK_SPAN(r, "delay_latesender", process(0), 60);
    CHECK_SPAN(r, "delay_latesender", process(1), 10);
    CHECK_SPAN(r, "delay_latesender", process(2), 0);
}

TEST(what_a_late_sender_waited_itself_is_attributed_to_its_delayer)
{
    tw_report r = tw_analyze(chain, TW_LEN(chain));

    CHECK_SPAN_AT(r, "delay_latesender_longterm", "main;foo", process(0), 60);
    CHECK_SPAN(r, "delay_latesender_longterm", process(0), 60);
    CHECK_SPAN(r, "delay_latesender_longterm", process(1), 0);
    CHECK_SPAN(r, "delay_latesender_aggregate", process(0), 120);
    CHECK_SPAN(r, "delay", process(0), 120);
    CHECK_SPAN(r, "delay_p2p", process(1), 10);
    CHECK_SPAN(r, "delay_unattributed", process(2), 0);
}

TEST(a_cause_is_known_by_the_waiting_at_the_end_of_the_chain)
{
    tw_report r = tw_analyze(chain, TW_LEN(chain));

    CHECK_EQ(tw_cause(r, "main;foo", "main;MPI_Recv", "latesender", false), 70);
    CHECK_EQ(tw_cause(r, "main;foo", "main;MPI_Recv", "latesender", true), 60);
    CHECK_EQ(tw_cause(r, NULL, "main;MPI_Recv", "latesender", false), 0);
}

TEST(waiting_that_comes_from_waiting_is_indirect)
{
    tw_report r = tw_analyze(chain, TW_LEN(chain));

    CHECK_SPAN(r, "mpi_wait_indirect_latesender", process(1), 0);
    CHECK_SPAN(r, "mpi_wait_direct_latesender", process(1), 60);
    CHECK_SPAN_AT(r, "mpi_wait_indirect_latesender", "main;MPI_Recv", process(2), 60);
    CHECK_SPAN_AT(r, "mpi_wait_direct_latesender", "main;MPI_Recv", process(2), 10);
    CHECK_SPAN(r, "waitstates_direct_vs_indirect", process(2), 70);
}

TEST(waiting_that_makes_others_wait_propagates)
{
    tw_report r = tw_analyze(chain, TW_LEN(chain));

    CHECK_SPAN_AT(r, "mpi_wait_propagating_ls", "main;MPI_Recv", process(1), 60);
    CHECK_SPAN(r, "mpi_wait_terminal_ls", process(1), 0);
    CHECK_SPAN(r, "mpi_wait_propagating_ls", process(2), 0);
    CHECK_SPAN_AT(r, "mpi_wait_terminal_ls", "main;MPI_Recv", process(2), 70);
}

/* The same without delay: everybody does as much as the one before. */
static const tw_op even[] = {
    INIT(0),
    WORK(0, "foo", 0, 40),
    { .process = 0, .op = TW_SEND, .enter = 40, .leave = 41, .peer = 1 },
    INIT(1),
    WORK(1, "foo", 0, 40),
    { .process = 1, .op = TW_RECV, .enter = 40, .leave = 42, .peer = 0 },
};

TEST(without_a_wait_nothing_is_attributed)
{
    tw_report r = tw_analyze(even, TW_LEN(even));

    CHECK_SPAN(r, "delay", process(0), 0);
    CHECK_SPAN(r, "delay", process(1), 0);
    CHECK_SPAN(r, "delay_unattributed", process(1), 0);
}

/*   ticks            15  30           65
 *   process 0        [foo             ][send]      its records begin at 15, so that there is no time that explains the
 *                                                  wait
 *   process 1   [foo     ][recv········]           waits 35: foo 50 - 30 = 20 are attributed, and no more
 */
static const tw_op capped[] = {
    WORK(0, "foo", 15, 65),
    { .process = 0, .op = TW_SEND, .enter = 65, .leave = 66, .peer = 1 },
    WORK(1, "foo", 0, 30),
    { .process = 1, .op = TW_RECV, .enter = 30, .leave = 67, .peer = 0 },
};
static const tw_options no_program = { .without_program = true };

TEST(of_a_message_no_more_than_the_delay_is_attributed)
{
    tw_report r = tw_analyze_with(capped, TW_LEN(capped), .options = &no_program);

    CHECK_SPAN(r, "mpi_latesender", process(1), 35);
    CHECK_SPAN(r, "delay_latesender", process(0), 20);
    CHECK_SPAN_AT(r, "delay_unattributed_latesender", "MPI_Recv", process(1), 15);
    CHECK_SPAN(r, "delay_unattributed", process(1), 15);
    CHECK_SPAN(r, "mpi_wait_direct_latesender", process(1), 35);
}

static const tw_op no_delay[] = {
    WORK(0, "foo", 15, 45),
    { .process = 0, .op = TW_SEND, .enter = 45, .leave = 46, .peer = 1 },
    WORK(1, "foo", 0, 30),
    { .process = 1, .op = TW_RECV, .enter = 30, .leave = 47, .peer = 0 },
};

TEST(a_wait_that_no_time_explains_is_unattributed)
{
    tw_report r = tw_analyze_with(no_delay, TW_LEN(no_delay), .options = &no_program);

    CHECK_SPAN(r, "mpi_latesender", process(1), 15);
    CHECK_SPAN(r, "delay", process(0), 0);
    CHECK_SPAN(r, "delay_unattributed_latesender", process(1), 15);
}

/*   ticks            15  30    45          100
 *   process 0        [foo      ][send]
 *   process 1   [foo     ][recv·][bar      ][send]      waits 15, all unattributed
 *   process 2   [foo     ][recv···············]         waits 70: bar 55, and 15 that process 1 waited
 */
static const tw_op lost_further_on[] = {
    WORK(0, "foo", 15, 45),
    { .process = 0, .op = TW_SEND, .enter = 45, .leave = 45, .peer = 1 },
    WORK(1, "foo", 0, 30),
    { .process = 1, .op = TW_RECV, .enter = 30, .leave = 45, .peer = 0 },
    WORK(1, "bar", 45, 100),
    { .process = 1, .op = TW_SEND, .enter = 100, .leave = 100, .peer = 2 },
    WORK(2, "foo", 0, 30),
    { .process = 2, .op = TW_RECV, .enter = 30, .leave = 100, .peer = 1 },
};

TEST(long_term_costs_that_meet_such_a_wait_are_unattributed)
{
    tw_report r = tw_analyze_with(lost_further_on, TW_LEN(lost_further_on), .options = &no_program);

    CHECK_SPAN(r, "mpi_latesender", process(2), 70);
    CHECK_SPAN_AT(r, "delay_latesender", "bar", process(1), 55);
    CHECK_SPAN(r, "delay", process(0), 0);
    CHECK_SPAN_AT(r, "delay_unattributed_latesender", "MPI_Recv", process(1), 15 + 15);
    CHECK_SPAN(r, "delay_unattributed_latesender", process(2), 0);
}

/*   ticks       0       30                 80 85
 *   process 0   [foo    ][Ssend···············]
 *   process 1   [foo                       ][recv ]      the sender waits 50
 */
static const tw_op late_receiver[] = {
    INIT(0),
    WORK(0, "foo", 0, 30),
    { .process = 0, .op = TW_SSEND, .enter = 30, .leave = 85, .peer = 1 },
    INIT(1),
    WORK(1, "foo", 0, 80),
    { .process = 1, .op = TW_RECV, .enter = 80, .leave = 86, .peer = 0 },
};

TEST(a_late_receiver_pays_with_what_it_did_more)
{
    tw_report r = tw_analyze(late_receiver, TW_LEN(late_receiver));

    CHECK_SPAN(r, "mpi_latereceiver", process(0), 50);
    CHECK_SPAN_AT(r, "delay_latereceiver", "foo", process(1), 50);
    CHECK_SPAN(r, "delay", process(1), 50);
    CHECK_SPAN(r, "delay", process(0), 0);
    CHECK_SPAN(r, "mpi_wait_direct_latereceiver", process(0), 50);
    CHECK_SPAN(r, "mpi_wait_terminal_lr", process(0), 50);
}

/*   ticks       0       30            80 83 85 86 89
 *   process 0   [foo    ][Ssend···········][foo  ][send]           2 of the Ssend are behind the leave of the MPI_Start
 *   process 1   [foo              ][Start ][Waitall][recv ]        after an MPI_Irecv of no duration for the message of
 *                                                                  process 2
 */
static const tw_op posted_in_one_tick[] = {
    INIT(0), WORK(0, "foo", 0, 30), { .process = 0, .op = TW_SSEND, .enter = 30, .leave = 85, .peer = 1 },
    WORK(0, "foo", 85, 89), { .process = 0, .op = TW_SEND, .enter = 89, .leave = 90, .peer = 1 },
    INIT(1), WORK(1, "foo", 0, 80),
    { .process = 1, .op = TW_IRECV, .enter = 80, .leave = 80, .peer = 2, .request = 1 },
    { .process = 1, .op = TW_START_RECV, .enter = 80, .leave = 83, .peer = 0, .request = 2 },
    { .process = 1, .op = TW_WAITALL, .enter = 83, .leave = 86, .requests = TW_REQUESTS(1, 2) },
    { .process = 1, .op = TW_RECV, .enter = 86, .leave = 92, .peer = 0 },
    INIT(2), { .process = 2, .op = TW_SEND, .enter = 10, .leave = 11, .peer = 1 },
};

TEST(of_receives_that_were_posted_in_one_tick_the_right_one_was_waited_for)
{
    tw_report r = tw_analyze(posted_in_one_tick, TW_LEN(posted_in_one_tick));

    CHECK_SPAN(r, "mpi_latereceiver", process(0), 50);
    CHECK_SPAN(r, "mpi_latesender", process(1), 3);
    CHECK_SPAN_AT(r, "delay_latesender", "MPI_Ssend", process(0), 1);
    CHECK_SPAN_AT(r, "delay_latesender", "foo", process(0), 2);
}

/*   ticks       0     20    30               80 82  86
 *   process 0   [foo  ][Ssend·····················]          waits 62
 *   process 1   [foo        ][Ssend···········][recv]        waits 50, and the call takes 2 more
 *   process 2   [foo                        ][recv]
 */
static const tw_op late_receivers[] = {
    INIT(0), WORK(0, "foo", 0, 20), { .process = 0, .op = TW_SSEND, .enter = 20, .leave = 86, .peer = 1 },
    INIT(1), WORK(1, "foo", 0, 30), { .process = 1, .op = TW_SSEND, .enter = 30, .leave = 82, .peer = 2 },
    { .process = 1, .op = TW_RECV, .enter = 82, .leave = 86, .peer = 0 },
    INIT(2), WORK(2, "foo", 0, 80), { .process = 2, .op = TW_RECV, .enter = 80, .leave = 81, .peer = 1 },
};

TEST(late_receivers_pass_on_what_they_waited)
{
    tw_report r = tw_analyze(late_receivers, TW_LEN(late_receivers));

    CHECK_SPAN(r, "mpi_latereceiver", process(0), 62);
    CHECK_SPAN(r, "mpi_latereceiver", process(1), 50);
    CHECK_SPAN_AT(r, "delay_latereceiver", "foo", process(1), 10);
    CHECK_SPAN_AT(r, "delay_latereceiver", "MPI_Ssend", process(1), 2);
    CHECK_SPAN(r, "delay_latereceiver", process(2), 50);
    CHECK_SPAN_AT(r, "delay_latereceiver_longterm", "foo", process(2), 50);
    CHECK_SPAN(r, "mpi_wait_indirect_latereceiver", process(0), 50);
    CHECK_SPAN(r, "mpi_wait_direct_latereceiver", process(0), 12);
    CHECK_SPAN(r, "mpi_wait_propagating_lr", process(1), 50);
    CHECK_SPAN(r, "mpi_wait_terminal_lr", process(1), 0);
    CHECK_SPAN(r, "mpi_wait_terminal_lr", process(0), 62);
}

/*   ticks       0   10    30    50
 *   process 0   [foo][barrier········]      waits 40
 *   process 1   [foo      ][barrier··]      waits 20
 *   process 2   [foo            ][ba·]
 */
static const tw_op barrier[] = {
    INIT(0), WORK(0, "foo", 0, 10), { .process = 0, .op = TW_BARRIER, .enter = 10, .leave = 55 },
    INIT(1), WORK(1, "foo", 0, 30), { .process = 1, .op = TW_BARRIER, .enter = 30, .leave = 55 },
    INIT(2), WORK(2, "foo", 0, 50), { .process = 2, .op = TW_BARRIER, .enter = 50, .leave = 55 },
};

TEST(the_last_one_at_a_barrier_pays_for_all)
{
    tw_report r = tw_analyze(barrier, TW_LEN(barrier));

    CHECK_SPAN_AT(r, "delay_barrier", "foo", process(2), 60);
    CHECK_SPAN(r, "delay_collective", process(2), 60);
    CHECK_SPAN(r, "delay", process(0), 0);
    CHECK_SPAN(r, "delay", process(1), 0);
    CHECK_SPAN(r, "delay_barrier_longterm", process(2), 0);
}

/*   ticks           15    30    65
 *   process 0   [foo      ][barrier··]      waits 35, foo 30
 *   process 1        [foo       ][bar]      foo 50
 */
static const tw_op no_cap[] = {
    WORK(0, "foo", 0, 30), { .process = 0, .op = TW_BARRIER, .enter = 30, .leave = 67 },
    WORK(1, "foo", 15, 65), { .process = 1, .op = TW_BARRIER, .enter = 65, .leave = 67 },
};

TEST(a_barrier_is_attributed_in_full)
{
    tw_report r = tw_analyze_with(no_cap, TW_LEN(no_cap), .options = &no_program);

    CHECK_SPAN(r, "mpi_barrier_wait", process(0), 35);
    CHECK_SPAN(r, "delay_barrier", process(1), 35);
    CHECK_SPAN(r, "delay_unattributed", process(0), 0);
}

static const tw_op no_cause[] = {
    WORK(0, "foo", 0, 30), { .process = 0, .op = TW_BARRIER, .enter = 30, .leave = 47 },
    WORK(1, "foo", 15, 45), { .process = 1, .op = TW_BARRIER, .enter = 45, .leave = 47 },
};

TEST(a_barrier_without_a_cause_is_unattributed)
{
    tw_report r = tw_analyze_with(no_cause, TW_LEN(no_cause), .options = &no_program);

    CHECK_SPAN(r, "delay", process(1), 0);
    CHECK_SPAN_AT(r, "delay_unattributed_barrier", "MPI_Barrier", process(0), 15);
}

/* The last one at the barrier met process 1 in a message, process 0 only in MPI_Init; process 3 is not in the barrier.
 *
 *   ticks       0   16  48   56 64   96    108     128
 *   process 0   [foo         ][barrier·············]      waits 64
 *   process 1   [foo    ][send][bar        ][barrier]     waits 20
 *   process 2   [f ][recv][x ][recv·][y            ][b]   waits 32 and 40
 *   process 3   [foo               ][send]
 *
 * For process 0: f 16, x 8, y 32, waits 72; scale 64/128. For process 1: x 8, y 32, wait 40; scale 20/80. */
static const tw_op intermediate[] = {
    INIT(0), WORK(0, "foo", 0, 64), { .process = 0, .op = TW_BARRIER, .enter = 64, .leave = 128, .comm = TW_COMM(0) },
    INIT(1), WORK(1, "foo", 0, 48), { .process = 1, .op = TW_SEND, .enter = 48, .leave = 48, .peer = 2 },
    WORK(1, "bar", 48, 108), { .process = 1, .op = TW_BARRIER, .enter = 108, .leave = 128, .comm = TW_COMM(0) },
    INIT(2), WORK(2, "f", 0, 16), { .process = 2, .op = TW_RECV, .enter = 16, .leave = 48, .peer = 1 },
    WORK(2, "x", 48, 56), { .process = 2, .op = TW_RECV, .enter = 56, .leave = 96, .peer = 3 },
    WORK(2, "y", 96, 128), { .process = 2, .op = TW_BARRIER, .enter = 128, .leave = 128, .comm = TW_COMM(0) },
    INIT(3), WORK(3, "foo", 0, 96), { .process = 3, .op = TW_SEND, .enter = 96, .leave = 96, .peer = 2 },
};

static const tw_comm    three[]  = { { .name = "three", TW_PROCESSES(0, 1, 2) } };
static const tw_options of_three = { .comms = three, .n_comms = 1 };

TEST(each_member_of_a_collective_is_seen_from_where_it_was_met)
{
    tw_report r = tw_analyze_with(intermediate, TW_LEN(intermediate), .options = &of_three);

    CHECK_SPAN(r, "mpi_barrier_wait", process(0), 64);
    CHECK_SPAN(r, "mpi_barrier_wait", process(1), 20);
    CHECK_SPAN_AT(r, "delay_barrier", "f", process(2), 8);
    CHECK_SPAN_AT(r, "delay_barrier", "x", process(2), 4 + 2);
    CHECK_SPAN_AT(r, "delay_barrier", "y", process(2), 16 + 8);
    CHECK_SPAN(r, "delay_barrier_longterm", process(1), 16); /* 32 * 1/2 */
    CHECK_SPAN(r, "delay_barrier_longterm", process(3), 30); /* 40 * (1/2 + 1/4) */
    CHECK_SPAN(r, "delay_barrier_longterm", process(2), 0);
}

TEST(scout_passes_on_later_what_comes_from_who_was_met_later)
{
    tw_report r = tw_analyze_with(intermediate, TW_LEN(intermediate), .options = &of_three,
                                  .arguments = "--compat=scout26");

    CHECK_SPAN(r, "delay_barrier", process(2), 8 + 6 + 24);
    CHECK_SPAN(r, "delay_barrier_longterm", process(1), 16);
    CHECK_SPAN(r, "delay_barrier_longterm", process(3), 20); /* D3: without the 1/4 of process 1 */
}

/*   ticks       0   10         40                root 1
 *   process 0   [foo][Bcast·······]      waits 30
 *   process 1   [foo           ][B]
 */
static const tw_op one_to_n[] = {
    INIT(0), WORK(0, "foo", 0, 10), { .process = 0, .op = TW_BCAST, .enter = 10, .leave = 42, .root = 1 },
    INIT(1), WORK(1, "foo", 0, 40), { .process = 1, .op = TW_BCAST, .enter = 40, .leave = 42, .root = 1 },
    INIT(2), WORK(2, "foo", 0, 60), { .process = 2, .op = TW_BCAST, .enter = 60, .leave = 62, .root = 1 },
};

TEST(the_root_pays_for_those_who_wait_for_its_data)
{
    tw_report r = tw_analyze(one_to_n, TW_LEN(one_to_n));

    CHECK_SPAN(r, "mpi_latebroadcast", process(0), 30);
    CHECK_SPAN_AT(r, "delay_12n", "foo", process(1), 30);
    CHECK_SPAN(r, "delay_12n", process(2), 0);
    CHECK_SPAN(r, "delay_12n_longterm", process(1), 0);
    CHECK_SPAN(r, "delay_unattributed_12n", process(0), 0);
}

/*   ticks       0   10    30    50               root 0
 *   process 0   [foo][Reduce·········]      waits 40
 *   process 1   [foo      ][Reduce]
 *   process 2   [foo            ][Re ]
 */
static const tw_op n_to_one[] = {
    INIT(0), WORK(0, "foo", 0, 10), { .process = 0, .op = TW_REDUCE, .enter = 10, .leave = 70 },
    INIT(1), WORK(1, "foo", 0, 30), { .process = 1, .op = TW_REDUCE, .enter = 30, .leave = 35 },
    INIT(2), WORK(2, "foo", 0, 50), { .process = 2, .op = TW_REDUCE, .enter = 50, .leave = 56 },
};

TEST(the_latest_sender_pays_for_the_root)
{
    tw_report r = tw_analyze(n_to_one, TW_LEN(n_to_one));

    CHECK_SPAN(r, "mpi_earlyreduce", process(0), 40);
    CHECK_SPAN_AT(r, "delay_n21", "foo", process(2), 40);
    CHECK_SPAN(r, "delay_n21", process(1), 0);
    CHECK_SPAN(r, "delay_n21_longterm", process(2), 0);
    CHECK_SPAN(r, "delay_unattributed_n21", process(0), 0);
}

/* Not all overlap, process 2 sends nothing: process 0 waits for process 1, and process 2 for nobody.
 *
 *   ticks       0   10 20 30 32    50 55
 *   process 0   [foo][Alltoall]
 *   process 1   [foo   ][Allto]
 *   process 2   [foo              ][Al]
 */
static const tw_op n_to_n[] = {
    INIT(0), WORK(0, "foo", 0, 10), { .process = 0, .op = TW_ALLTOALL, .enter = 10, .leave = 30 },
    INIT(1), WORK(1, "foo", 0, 20), { .process = 1, .op = TW_ALLTOALL, .enter = 20, .leave = 32 },
    INIT(2), WORK(2, "foo", 0, 50), { .process = 2, .op = TW_ALLTOALL, .enter = 50, .leave = 55, .sent = TW_NOTHING },
};

TEST(in_an_exchange_the_latest_of_those_who_send_pays)
{
    tw_report r = tw_analyze(n_to_n, TW_LEN(n_to_n));

    CHECK_SPAN(r, "mpi_wait_nxn", process(0), 10);
    CHECK_SPAN_AT(r, "delay_n2n", "foo", process(1), 10);
    CHECK_SPAN(r, "delay", process(2), 0);
    CHECK_SPAN(r, "delay_unattributed_n2n", process(0), 0);
}

/* A Late Sender before each kind of collective operation: the operation's long-term costs stand where the message came
 * from.
 *
 *   ticks       0   10  20      60  70
 *   process 0   [foo            ][send]
 *   process 1   [foo   ][recv····][op ]         waits 40 before it comes to the operation
 *   process 2   [foo   ][op ··········]         waits 40
 */
#define AFTER_A_MESSAGE(name, kind, ...)                                                                               \
    static const tw_op name[] = {                                                                                      \
        INIT(0), WORK(0, "foo", 0, 60), { .process = 0, .op = TW_SEND, .enter = 60, .leave = 60, .peer = 1 },          \
        INIT(1), WORK(1, "foo", 0, 20), { .process = 1, .op = TW_RECV, .enter = 20, .leave = 60, .peer = 0 },          \
        { .process = 1, .op = kind, .enter = 60, .leave = 70, .comm = TW_COMM(0), __VA_ARGS__ },                       \
        INIT(2), WORK(2, "foo", 0, 20),                                                                                \
        { .process = 2, .op = kind, .enter = 20, .leave = 70, .comm = TW_COMM(0), __VA_ARGS__ },                       \
    }
AFTER_A_MESSAGE(then_barrier, TW_BARRIER, .root = 0);
AFTER_A_MESSAGE(then_exchange, TW_ALLREDUCE, .root = 0);
AFTER_A_MESSAGE(then_bcast, TW_BCAST, .root = 0);
AFTER_A_MESSAGE(then_reduce, TW_REDUCE, .root = 1);

static const tw_comm    pair[]  = { { .name = "pair", TW_PROCESSES(1, 2) } };
static const tw_options of_pair = { .comms = pair, .n_comms = 1 };

static void
check_after_a_message(tw_report r, const char *wait, const char *short_term, const char *long_term)
{
    CHECK_SPAN(r, wait, process(2), 40);
    CHECK_SPAN(r, short_term, process(1), 0);
    CHECK_SPAN_AT(r, long_term, "foo", process(0), 40);
    CHECK_SPAN(r, "delay_latesender", process(0), 40);
    CHECK_SPAN(r, "delay", process(0), 80);
    CHECK_SPAN(r, "delay_latesender_longterm", process(0), 0);
    CHECK_SPAN(r, "mpi_wait_propagating_ls", process(1), 0); /* not through collectives */
}

TEST(long_term_costs_keep_the_kind_of_the_wait_that_they_end_in)
{
    check_after_a_message(tw_analyze_with(then_barrier, TW_LEN(then_barrier), .options = &of_pair), "mpi_barrier_wait",
                          "delay_barrier", "delay_barrier_longterm");
    check_after_a_message(tw_analyze_with(then_exchange, TW_LEN(then_exchange), .options = &of_pair), "mpi_wait_nxn",
                          "delay_n2n", "delay_n2n_longterm");
    check_after_a_message(tw_analyze_with(then_bcast, TW_LEN(then_bcast), .options = &of_pair), "mpi_latebroadcast",
                          "delay_12n", "delay_12n_longterm");
    check_after_a_message(tw_analyze_with(then_reduce, TW_LEN(then_reduce), .options = &of_pair), "mpi_earlyreduce",
                          "delay_n21", "delay_n21_longterm");
}

/*   ticks       0       30                       80 85
 *   process 0   [foo    ][Ssend·····················]               waits 50
 *   process 1   [foo         ][recv 40 ······][bar  ][recv ]        of them 40 for process 2
 *   process 2   [foo                     ][send]
 */
static const tw_op sender_then_receiver[] = {
    INIT(0), WORK(0, "foo", 0, 30), { .process = 0, .op = TW_SSEND, .enter = 30, .leave = 85, .peer = 1 },
    INIT(1), WORK(1, "foo", 0, 30), { .process = 1, .op = TW_RECV, .enter = 30, .leave = 70, .peer = 2 },
    WORK(1, "bar", 70, 80), { .process = 1, .op = TW_RECV, .enter = 80, .leave = 85, .peer = 0 },
    INIT(2), WORK(2, "foo", 0, 70), { .process = 2, .op = TW_SEND, .enter = 70, .leave = 70, .peer = 1 },
};

TEST(a_late_receiver_can_be_late_because_of_a_late_sender)
{
    tw_report r = tw_analyze(sender_then_receiver, TW_LEN(sender_then_receiver));

    CHECK_SPAN_AT(r, "delay_latereceiver", "bar", process(1), 10);
    CHECK_SPAN_AT(r, "delay_latereceiver_longterm", "foo", process(2), 40);
    CHECK_SPAN_AT(r, "delay_latesender", "foo", process(2), 40);
    CHECK_SPAN(r, "mpi_wait_indirect_latereceiver", process(0), 40);
    CHECK_SPAN(r, "mpi_wait_propagating_ls", process(1), 40);
    CHECK_SPAN(r, "delay_unattributed_latereceiver", process(0), 0);
}

static const tw_op scan[] = {
    INIT(0), WORK(0, "foo", 0, 30), { .process = 0, .op = TW_SCAN, .enter = 30, .leave = 32 },
    INIT(1), WORK(1, "foo", 0, 10), { .process = 1, .op = TW_SCAN, .enter = 10, .leave = 45 },
    INIT(2), WORK(2, "foo", 0, 20), { .process = 2, .op = TW_SCAN, .enter = 20, .leave = 46 },
};

TEST(a_late_rank_of_a_prefix_reduction_pays_for_those_above)
{
    tw_report r      = tw_analyze(scan, TW_LEN(scan));
    tw_report compat = tw_analyze_with(scan, TW_LEN(scan), .arguments = "--compat=scout26");

    CHECK_SPAN_AT(r, "delay_scan", "main;foo", process(0), 30);
    CHECK_SPAN(r, "delay_scan", process(1), 0);
    CHECK_SPAN(r, "delay", process(0), 30);
    CHECK_SPAN(r, "delay_unattributed_scan", process(1), 0);
    CHECK_SPAN(compat, "delay", process(0), 0);
}

/* The user's function of a reduction: scout's vectors go up to its end.
 *
 *   ticks       0      20   26  28 30   36      48  50
 *   process 0   [foo   ][reduce [op]                ]   waits 10
 *   process 1   [foo             ][reduce [op    ]  ]
 */
static const tw_op with_function[] = {
    INIT(0), WORK(0, "foo", 0, 20), { .process = 0, .op = TW_ALLREDUCE, .enter = 20, .leave = 50 },
    WORK(0, "op", 26, 28),
    INIT(1), WORK(1, "foo", 0, 30), { .process = 1, .op = TW_ALLREDUCE, .enter = 30, .leave = 50 },
    WORK(1, "op", 36, 48),
};

TEST(with_scout_the_function_of_a_reduction_counts_in_the_delay_before_it)
{
    tw_report r      = tw_analyze(with_function, TW_LEN(with_function));
    tw_report compat = tw_analyze_with(with_function, TW_LEN(with_function), .arguments = "--compat=scout26");

    CHECK_SPAN_AT(r, "delay_n2n", "main;foo", process(1), 10);
    CHECK_SPAN_AT(compat, "delay_n2n", "main;foo", process(1), 5);
    CHECK_SPAN_AT(compat, "delay_n2n", "main;MPI_Allreduce;op", process(1), 5);
    CHECK_SPAN(compat, "delay_n2n", process(1), 10);
}

/* Rank 2 waits for rank 1, which waited for rank 0 before. */
static const tw_op scan_chain[] = {
    INIT(0), WORK(0, "foo", 0, 50), { .process = 0, .op = TW_SEND, .enter = 50, .leave = 50, .peer = 1 },
    { .process = 0, .op = TW_SCAN, .enter = 50, .leave = 52 },
    INIT(1), WORK(1, "foo", 0, 10), { .process = 1, .op = TW_RECV, .enter = 10, .leave = 50, .peer = 0 },
    WORK(1, "bar", 50, 70), { .process = 1, .op = TW_SCAN, .enter = 70, .leave = 72 },
    INIT(2), WORK(2, "foo", 0, 10), { .process = 2, .op = TW_SCAN, .enter = 10, .leave = 73 },
};

TEST(a_wait_in_a_prefix_reduction_has_causes_further_back)
{
    tw_report r = tw_analyze(scan_chain, TW_LEN(scan_chain));

    CHECK_SPAN(r, "mpi_earlyscan", process(2), 60);
    CHECK_SPAN_AT(r, "delay_scan", "main;bar", process(1), 20);
    CHECK_SPAN_AT(r, "delay_scan_longterm", "main;foo", process(0), 40);
    CHECK_SPAN_AT(r, "delay_latesender", "main;foo", process(0), 40);
}

static const tw_op started_late[] = {
    INIT(0),
    { .process = 0, .op = TW_IBARRIER, .enter = 10, .leave = 12, .request = 1 },
    WORK(0, "foo", 12, 50),
    { .process = 0, .op = TW_WAIT, .enter = 50, .leave = 100, .request = 1 },
    INIT(1),
    WORK(1, "bar", 0, 90),
    { .process = 1, .op = TW_IBARRIER, .enter = 90, .leave = 92, .request = 1 },
    { .process = 1, .op = TW_WAIT, .enter = 95, .leave = 101, .request = 1 },
};

TEST(who_starts_a_non_blocking_collective_late_pays)
{
    tw_report r = tw_analyze(started_late, TW_LEN(started_late));

    CHECK_SPAN(r, "mpi_nbc_wait", process(0), 40);
    CHECK_SPAN_AT(r, "delay_nbc", "main;bar", process(1), 40);
    CHECK_SPAN(r, "delay_nbc", process(0), 0);
    CHECK_SPAN(r, "delay_unattributed_nbc", process(0), 0);
}

/* Process 2 waits for 1, which started late as it waited for 0. */
static const tw_op started_late_chain[] = {
    INIT(0), WORK(0, "foo", 0, 60), { .process = 0, .op = TW_SEND, .enter = 60, .leave = 60, .peer = 1 },
    { .process = 0, .op = TW_IBARRIER, .enter = 60, .leave = 61, .request = 1 },
    { .process = 0, .op = TW_WAIT, .enter = 80, .leave = 81, .request = 1 },
    INIT(1), { .process = 1, .op = TW_RECV, .enter = 0, .leave = 60, .peer = 0 },
    WORK(1, "bar", 60, 70), { .process = 1, .op = TW_IBARRIER, .enter = 70, .leave = 71, .request = 1 },
    { .process = 1, .op = TW_WAIT, .enter = 71, .leave = 72, .request = 1 },
    INIT(2), { .process = 2, .op = TW_IBARRIER, .enter = 0, .leave = 0, .request = 1 },
    { .process = 2, .op = TW_WAIT, .enter = 0, .leave = 72, .request = 1 },
};

TEST(who_had_to_wait_before_passes_the_costs_on)
{
    tw_report r = tw_analyze(started_late_chain, TW_LEN(started_late_chain));

    CHECK_SPAN(r, "mpi_nbc_wait", process(2), 70);
    CHECK_SPAN_AT(r, "delay_nbc", "main;bar", process(1), 10);
    CHECK_SPAN_AT(r, "delay_nbc_longterm", "main;foo", process(0), 60);
}

TEST(what_nobody_asks_for_is_left_out)
{
    tw_report no_delay = tw_analyze_with(chain, TW_LEN(chain), .arguments = "--no-delay");
    tw_report neither  = tw_analyze_with(chain, TW_LEN(chain), .arguments = "--no-delay --no-critical-path");

    CHECK_SPAN(no_delay, "mpi_latesender", process(1), 60);
    CHECK_SPAN(no_delay, "delay", process(0), 0);
    CHECK_SPAN(no_delay, "mpi_wait_direct_latesender", process(1), 0);
    CHECK_SPAN_AT(no_delay, "critical_path", "foo", process(0), 100);
    CHECK_SPAN(neither, "mpi_latesender", process(1), 60);
    CHECK_SPAN(neither, "critical_path", process(0), 0);
}

TEST_MAIN
