/* tests/topology/test_wavefront.c: worked examples of docs/metrics.md#topologies, through the whole program. */
#include "check.h"
#include "situation.h"

enum { MAX_OPS = 400 };

typedef struct table {
    tw_op    ops[MAX_OPS];
    size_t   n;
    uint32_t tag;
} table;

static void
add(table *t, tw_op op)
{
    t->ops[t->n++] = op;
}

/* Process `to` receives from `enter` on, `from` sends `wait` later: a Late Sender if that is not 0. */
static void
add_message(table *t, uint32_t from, uint32_t to, hd_time enter, hd_time wait)
{
    t->tag++;
    add(t, (tw_op){ .process = from, .op = TW_SEND, .enter = enter + wait, .leave = enter + wait + 1, .peer = to,
                    .tag = t->tag, .bytes = 100 });
    add(t, (tw_op){ .process = to, .op = TW_RECV, .enter = enter, .leave = enter + wait + 1, .peer = from,
                    .tag = t->tag });
}

static tw_report
analyze(const table *t, const char *arguments)
{
    return tw_analyze_with(t->ops, t->n, .arguments = arguments);
}

/* On a 3 x 3 grid process (1,1) is 4; (0,1) is 1, (1,0) is 3, (2,1) is 7, (1,2) is 5. */
TEST(the_first_receive_of_a_sweep_on_each_axis_is_refill)
{
    table     t = { .n = 0 };
    tw_report r;

    add_message(&t, 1, 4, 0, 40);
    add_message(&t, 3, 4, 50, 10);
    add_message(&t, 4, 7, 64, 0);
    add_message(&t, 4, 5, 67, 0);
    add_message(&t, 1, 4, 70, 8); /* a Late Sender inside of the sweep */
    add_message(&t, 7, 4, 90, 25);
    add_message(&t, 3, 4, 120, 3);
    add_message(&t, 0, 8, 130, 5); /* no neighbours */
    r = analyze(&t, "--topology=grid:3x3");
    CHECK_SPAN(r, "mpi_latesender", process(4), 40 + 10 + 8 + 25 + 3);
    CHECK_SPAN(r, "mpi_ls_refill", process(4), 40 + 10 + 25 + 3);
    CHECK_SPAN(r, "mpi_ls_refill_pp", process(4), 50);
    CHECK_SPAN(r, "mpi_ls_refill_np", process(4), 28);
    CHECK_SPAN(r, "mpi_ls_refill_nn", process(4), 0);
    CHECK_SPAN(r, "mpi_ls_refill_pn", process(4), 0);
    CHECK_EQ(tw_value(r, "mpi_refill_count", NULL, process(4)), 2);
    CHECK_EQ(tw_value(r, "mpi_refill_count", NULL, process(8)), 0);
    CHECK_SPAN(r, "mpi_ls_refill", process(8), 0);
    CHECK_SPAN(r, "topo_latesender_xp", process(4), 48);
    CHECK_SPAN(r, "topo_latesender_xn", process(4), 25);
    CHECK_SPAN(r, "topo_latesender_yp", process(4), 13);
    CHECK_SPAN(r, "topo_latesender_yn", process(4), 0);
}

/* (0,1) has nobody before it on the first axis: what it sends says where the sweep goes. Others have messages on one
 * axis only. */
TEST(what_a_process_at_the_border_sends_gives_the_direction)
{
    table     t = { .n = 0 };
    tw_report r;

    add_message(&t, 0, 1, 0, 12);
    add_message(&t, 1, 4, 20, 0);
    add_message(&t, 6, 7, 30, 9);
    r = analyze(&t, "--topology=grid:3x3");
    CHECK_SPAN(r, "mpi_ls_refill_pp", process(1), 12);
    CHECK_SPAN(r, "mpi_ls_refill", process(7), 9);
    CHECK_SPAN(r, "mpi_ls_refill_pp", process(7), 0);
}

/* Process (1,1,1) of a 3 x 3 x 3 grid, 13, in sweeps from all eight corners; one axis turns each time. */
TEST(each_octant_has_its_metric)
{
    static const char *const metrics[] =
        { "mpi_ls_refill_ppp", "mpi_ls_refill_ppn", "mpi_ls_refill_pnn", "mpi_ls_refill_pnp",
          "mpi_ls_refill_nnp", "mpi_ls_refill_nnn", "mpi_ls_refill_npn", "mpi_ls_refill_npp" };
    static const int sizes[] = { 9, 3, 1 };
    table            t       = { .n = 0 };
    hd_time          now     = 0, sum = 0;
    tw_report        r;

    add(&t, (tw_op){ .process = 26, .op = TW_USER, .region = "foo", .enter = 0, .leave = 1 });
    for (int i = 0; i < 8; i++)
        for (int turn = 0; turn < 3; turn++) {
            /* first the axis that turned, so that the others are in the new sweep */
            int  axis  = i == 0 ? turn : ((i % 4 == 0 ? 0 : i % 2 == 0 ? 1 : 2) + turn) % 3;
            bool is_up = metrics[i][14 + axis] == 'p';
            int  from  = 13 + (is_up ? -sizes[axis] : sizes[axis]);

            add_message(&t, (uint32_t)from, 13, now, (hd_time)i + 1);
            now += 20;
        }
    r = analyze(&t, "--topology=grid:3x3x3");
    for (int i = 0; i < 8; i++) {
        CHECK_SPAN(r, metrics[i], process(13), 3 * (i + 1));
        sum += 3 * ((hd_time)i + 1);
    }
    CHECK_SPAN(r, "mpi_ls_refill", process(13), (hd_span)sum);
    CHECK_EQ(tw_value(r, "mpi_refill_count", NULL, process(13)), 8);
    CHECK_SPAN(r, "topo_latesender_zp", process(13), 1 + 4 + 5 + 8);
    CHECK_SPAN(r, "topo_latesender_zn", process(13), 2 + 3 + 6 + 7);
}

TEST(one_dimension_has_two_directions)
{
    table     t = { .n = 0 };
    tw_report r;

    add_message(&t, 0, 1, 0, 5);
    add_message(&t, 0, 1, 10, 6);
    add_message(&t, 2, 1, 20, 7);
    r = analyze(&t, "--topology=grid:3");
    CHECK_SPAN(r, "mpi_ls_refill_p", process(1), 5);
    CHECK_SPAN(r, "mpi_ls_refill_n", process(1), 7);
    CHECK_SPAN(r, "mpi_ls_refill", process(1), 12);
}

/* Of a call that completes two receives one Late Sender is booked, here not that of the first message on its axis. */
TEST(of_a_call_that_completes_several_the_booked_one_counts)
{
    table     t = { .n = 0 };
    tw_report r;

    add(&t, (tw_op){ .process = 4, .op = TW_IRECV, .enter = 0, .leave = 1, .peer = 1, .tag = 1, .request = 1 });
    add(&t, (tw_op){ .process = 4, .op = TW_IRECV, .enter = 2, .leave = 3, .peer = 3, .tag = 2, .request = 2 });
    add(&t, (tw_op){ .process = 4, .op = TW_WAITALL, .enter = 10, .leave = 50, .requests = TW_REQUESTS(1, 2) });
    add(&t, (tw_op){ .process = 1, .op = TW_SEND, .enter = 30, .leave = 31, .peer = 4, .tag = 1 });
    add(&t, (tw_op){ .process = 3, .op = TW_SEND, .enter = 45, .leave = 46, .peer = 4, .tag = 2 });
    add(&t, (tw_op){ .process = 8, .op = TW_USER, .region = "foo", .enter = 0, .leave = 1 });
    r = analyze(&t, "--topology=grid:3x3");
    CHECK_SPAN(r, "mpi_latesender", process(4), 35);
    CHECK_SPAN(r, "mpi_ls_refill_pp", process(4), 35);
    CHECK_SPAN(r, "topo_latesender_xp", process(4), 0);
    CHECK_SPAN(r, "topo_latesender_yp", process(4), 35);
}

/* (0,0) to (3,1) of a 4 x 4 torus. */
TEST(distances_are_counted_at_the_send)
{
    table     t = { .n = 0 };
    tw_report r;

    add_message(&t, 0, 13, 0, 0);
    add_message(&t, 0, 12, 10, 0);
    add_message(&t, 15, 15, 20, 0);
    r = analyze(&t, "--topology=torus:4x4");
    CHECK_EQ(tw_value(r, "topo_hops", NULL, process(0)), 3);
    CHECK_EQ(tw_value(r, "topo_byte_hops", NULL, process(0)), 300);
    CHECK_EQ(tw_value(r, "topo_neighbour_comms", NULL, process(0)), 1);
    CHECK_EQ(tw_value(r, "topo_remote_comms", NULL, process(0)), 1);
    CHECK_EQ(tw_value(r, "topo_hops", NULL, process(15)), 0);
}

/* From process 0 on a grid of 20: over 0, 1, 2, 3, 4, 5, 8, 9, 16 and 17 hops; each message waits its hops + 1, and
 * then makes the sender of another one wait as long. */
TEST(messages_and_waiting_are_told_apart_by_hops)
{
    static const char *const metrics[][4] = {
        { "topo_comms_h0", "topo_bytes_h0", "topo_latesender_h0", "topo_latereceiver_h0" },
        { "topo_comms_h1", "topo_bytes_h1", "topo_latesender_h1", "topo_latereceiver_h1" },
        { "topo_comms_h2", "topo_bytes_h2", "topo_latesender_h2", "topo_latereceiver_h2" },
        { "topo_comms_h4", "topo_bytes_h4", "topo_latesender_h4", "topo_latereceiver_h4" },
        { "topo_comms_h8", "topo_bytes_h8", "topo_latesender_h8", "topo_latereceiver_h8" },
        { "topo_comms_h16", "topo_bytes_h16", "topo_latesender_h16", "topo_latereceiver_h16" },
        { "topo_comms_hmore", "topo_bytes_hmore", "topo_latesender_hmore", "topo_latereceiver_hmore" },
    };
    static const uint32_t hops[]     = { 1, 2, 3, 4, 5, 8, 9, 16, 17 };
    static const uint32_t class_of[] = { 1, 2, 3, 3, 4, 4, 5, 5, 6 };
    int64_t               sums[7][2] = { { 0 } }; /* messages, waiting */
    table                 t          = { .n = 0 };
    hd_time               now        = 0;
    tw_report             r;

    for (size_t i = 0; i < TW_LEN(hops); i++, now += 100) {
        add_message(&t, hops[i], 0, now, hops[i] + 1);
        t.tag++;
        add(&t, (tw_op){ .process = 0, .op = TW_SSEND, .enter = now + 40, .leave = now + 43 + hops[i], .peer = hops[i],
                         .tag = t.tag, .bytes = 100 });
        add(&t, (tw_op){ .process = hops[i], .op = TW_RECV, .enter = now + 41 + hops[i], .leave = now + 42 + hops[i],
                         .peer = 0, .tag = t.tag });
        sums[class_of[i]][0] += 1;
        sums[class_of[i]][1] += hops[i] + 1;
    }
    add(&t, (tw_op){ .process = 0, .op = TW_ISEND, .enter = now, .leave = now + 1, .peer = 0, .tag = 99, .bytes = 100,
                     .request = 1 });
    add(&t, (tw_op){ .process = 0, .op = TW_RECV, .enter = now + 2, .leave = now + 3, .peer = 0, .tag = 99 });
    add(&t, (tw_op){ .process = 0, .op = TW_WAIT, .enter = now + 4, .leave = now + 5, .request = 1 });
    add(&t, (tw_op){ .process = 19, .op = TW_USER, .region = "foo", .enter = 0, .leave = 1 });
    sums[0][0] = 1;
    r          = analyze(&t, "--topology=grid:20");
    for (int i = 0; i < 7; i++) {
        CHECK_EQ(tw_value(r, metrics[i][0], NULL, process(0)), sums[i][0]);
        CHECK_EQ(tw_value(r, metrics[i][1], NULL, process(0)), 100 * sums[i][0]);
        CHECK_SPAN(r, metrics[i][2], process(0), sums[i][1]);
        CHECK_SPAN(r, metrics[i][3], process(0), sums[i][1]);
    }
    CHECK_EQ(tw_value(r, "topo_comms", NULL, process(0)), 10);
    CHECK_SPAN(r, "topo_latesender", process(0), tw_value(r, "mpi_latesender", NULL, process(0)));
    CHECK_SPAN(r, "topo_latereceiver", process(0), tw_value(r, "mpi_latereceiver", NULL, process(0)));
}

TEST_MAIN
