/* tests/trace/decode/test_oplog.c: what a decoder writes down is what a cursor reads, call by call.
 *
 *   ticks   100 105     110       200   210  220
 *           MPI_Isend   (other)   MPI_Wait
 *            └─ record                   └─ completion: the send's number leads to the call that completes it
 */
#include "op_reading.h"

TEST(a_blocking_send_has_its_call_its_time_and_its_channel)
{
    hand_made h = begin();
    reading   r;

    begin_location(&h, 0);
    enter(&h, 50, MAIN);
    enter(&h, 100, MPI_SEND);
    send_blocking(&h, 105, 1, PAIR, 77, 4096);
    leave(&h, 120, MPI_SEND);
    leave(&h, 130, MAIN);
    r = end(&h);
    CHECK(hd_cursor_call(&r.cursor));
    CHECK_EQ(r.cursor.call.enter, 100);
    CHECK_EQ(r.cursor.call.leave, 120);
    CHECK_EQ(r.cursor.call.group, HD_CALL_BLOCK_SEND);
    CHECK_EQ(r.cursor.call.call_path, NODE(location_of(&h, 0), MAIN, MPI_SEND));
    CHECK_EQ(r.cursor.call.send_call, HD_NONE);
    CHECK_EQ(r.cursor.n_left, 1);
    hd_cursor_op(&r.cursor, &r.op);
    CHECK_EQ(r.op.kind, HD_OP_SEND);
    CHECK_EQ(r.op.flags, 0);
    CHECK_EQ(r.op.time, 105);
    CHECK_EQ(r.op.sent, 4096);
    CHECK_EQ(channel(&r)->comm, PAIR);
    CHECK_EQ(channel(&r)->peer, 0); /* rank 1 of {2, 0} */
    CHECK_EQ(channel(&r)->peer_rank, 1);
    CHECK_EQ(channel(&r)->tag, 77);
    CHECK_EQ(channel(&r)->n, 1);
    CHECK(!hd_cursor_call(&r.cursor));
    hand_made_fini(&h);
}

TEST(calls_without_records_are_not_written)
{
    hand_made h = begin();
    reading   r;

    begin_location(&h, 0);
    enter(&h, 0, MAIN);
    enter(&h, 10, MPI_TEST);
    leave(&h, 20, MPI_TEST);
    leave(&h, 30, MAIN);
    r = end(&h);
    CHECK(!hd_cursor_call(&r.cursor));
    CHECK_EQ(r.cursor.log->n_calls, 0);
    CHECK_EQ(r.cursor.log->n_ops, 0);
    hand_made_fini(&h);
}

TEST(messages_of_one_peer_and_tag_are_one_channel_for_each_direction)
{
    hand_made h = begin();
    reading   r;

    begin_location(&h, 0);
    enter(&h, 0, MPI_SEND);
    for (uint32_t i = 0; i < 100; i++) {
        send_blocking(&h, i, 1, WORLD, 5, i);
        receive_blocking(&h, i, 1, WORLD, 5);
    }
    send_blocking(&h, 100, 1, WORLD, 6, 0);
    send_blocking(&h, 100, 2, WORLD, 5, 0);
    send_blocking(&h, 100, 1, PAIR, 5, 0);
    leave(&h, 100, MPI_SEND);
    r = end(&h);
    CHECK_EQ(r.cursor.log->n_channels, 5);
    CHECK_EQ(r.cursor.log->channels[0].n, 100);
    CHECK_EQ(r.cursor.log->channels[0].kind, HD_CHANNEL_SEND);
    CHECK_EQ(r.cursor.log->channels[1].n, 100);
    CHECK_EQ(r.cursor.log->channels[1].kind, HD_CHANNEL_RECV);
    CHECK(hd_cursor_call(&r.cursor));
    CHECK_EQ(r.cursor.n_left, 203);
    hand_made_fini(&h);
}

/* After a while each channel is expected after another one, which it follows no more then. */
TEST(messages_get_the_channel_of_their_peer_in_any_order)
{
    enum { N = 60 };
    hand_made h = begin();
    reading   r;
    hd_op     op;

    begin_location(&h, 0);
    enter(&h, 0, MPI_SEND);
    for (uint32_t i = 0; i < N; i++) {
        send_blocking(&h, i, 1, WORLD, i < N / 2 ? i % 3 : i * i % 3, 8);
        if (i % 4 == 0)
            receive_blocking(&h, i, 1, WORLD, i % 5);
    }
    leave(&h, N, MPI_SEND);
    r = end(&h);
    CHECK_EQ(r.cursor.log->n_channels, 3 + 5);
    CHECK(hd_cursor_call(&r.cursor));
    for (uint32_t i = 0; i < N; i++) {
        hd_cursor_op(&r.cursor, &op);
        CHECK_EQ(r.cursor.log->channels[op.channel].kind, HD_CHANNEL_SEND);
        CHECK_EQ(r.cursor.log->channels[op.channel].tag, i < N / 2 ? i % 3 : i * i % 3);
        if (i % 4 != 0)
            continue;
        hd_cursor_op(&r.cursor, &op);
        CHECK_EQ(r.cursor.log->channels[op.channel].kind, HD_CHANNEL_RECV);
        CHECK_EQ(r.cursor.log->channels[op.channel].tag, i % 5);
    }
    hand_made_fini(&h);
}

TEST(a_message_to_oneself_goes_to_the_own_process)
{
    hand_made h;
    hd_op     op;
    hd_cursor cursor;

    hand_made_init(&h, 2);
    begin_location(&h, 0);
    enter(&h, 0, MPI_SEND);
    send_blocking(&h, 1, 0, SELF, 5, 1);
    leave(&h, 2, MPI_SEND);
    end_location(&h);
    hd_cursor_init(&cursor, &h.process.locations[0].log);
    CHECK(hd_cursor_call(&cursor));
    hd_cursor_op(&cursor, &op);
    CHECK_EQ(cursor.log->channels[op.channel].peer, 2);
    hand_made_fini(&h);
}

TEST(the_peer_in_an_inter_communicator_is_of_the_other_group)
{
    for (uint32_t process = 0; process < 3; process++) {
        hand_made h;
        hd_op     op;
        hd_cursor cursor;

        hand_made_init(&h, process);
        begin_location(&h, 0);
        enter(&h, 0, MPI_SEND);
        send_blocking(&h, 1, 0, INTER, 5, 1); /* {0} | {1, 2} */
        leave(&h, 2, MPI_SEND);
        end_location(&h);
        hd_cursor_init(&cursor, &h.process.locations[0].log);
        CHECK(hd_cursor_call(&cursor));
        hd_cursor_op(&cursor, &op);
        CHECK_EQ(cursor.log->channels[op.channel].peer, process == 0 ? 1 : 0);
        hand_made_fini(&h);
    }
}

/* MPI calls inside of another one, as in a reduction with a user's function that communicates. */
TEST(nested_calls_stand_in_the_order_in_which_they_are_left)
{
    hand_made h = begin();
    reading   r;

    begin_location(&h, 0);
    enter(&h, 10, MPI_RECV);
    receive_blocking(&h, 11, 1, WORLD, 1);
    enter(&h, 20, MPI_SEND);
    send_blocking(&h, 21, 1, WORLD, 2, 8);
    leave(&h, 30, MPI_SEND);
    receive_blocking(&h, 35, 1, WORLD, 3);
    leave(&h, 40, MPI_RECV);
    enter(&h, 50, MPI_SEND);
    send_blocking(&h, 51, 1, WORLD, 4, 8);
    leave(&h, 60, MPI_SEND);
    r = end(&h);
    CHECK(hd_cursor_call(&r.cursor));
    CHECK_EQ(r.cursor.call.enter, 20);
    CHECK_EQ(r.cursor.call.leave, 30);
    CHECK_EQ(r.cursor.n_left, 1);
    hd_cursor_op(&r.cursor, &r.op);
    CHECK_EQ(channel(&r)->tag, 2);
    CHECK_EQ(r.op.time, 21);
    CHECK(hd_cursor_call(&r.cursor));
    CHECK_EQ(r.cursor.call.enter, 10);
    CHECK_EQ(r.cursor.call.leave, 40);
    CHECK_EQ(r.cursor.n_left, 2);
    hd_cursor_op(&r.cursor, &r.op);
    CHECK_EQ(channel(&r)->tag, 1);
    CHECK_EQ(r.op.time, 11);
    hd_cursor_op(&r.cursor, &r.op);
    CHECK_EQ(channel(&r)->tag, 3);
    CHECK_EQ(r.op.time, 35);
    CHECK(hd_cursor_call(&r.cursor));
    CHECK_EQ(r.cursor.call.enter, 50);
    CHECK_EQ(r.cursor.call.leave, 60);
    hand_made_fini(&h);
}

TEST(a_blocking_receive_begins_with_its_call)
{
    hand_made h = begin();
    reading   r;

    begin_location(&h, 0);
    enter(&h, 10, MPI_RECV);
    receive_blocking(&h, 30, 2, WORLD, 1);
    leave(&h, 40, MPI_RECV);
    r = end(&h);
    CHECK(hd_cursor_call(&r.cursor));
    hd_cursor_op(&r.cursor, &r.op);
    CHECK_EQ(r.op.kind, HD_OP_RECV);
    CHECK_EQ(r.op.flags, 0);
    CHECK_EQ(r.op.begin, 10);
    CHECK_EQ(r.op.time, 30);
    CHECK_EQ(channel(&r)->peer, 2);
    hand_made_fini(&h);
}

TEST(a_non_blocking_receive_begins_with_the_call_that_posted_it)
{
    hand_made h = begin();
    reading   r;

    begin_location(&h, 0);
    enter(&h, 10, MPI_IRECV);
    irecv_request(&h, 11, 900);
    leave(&h, 12, MPI_IRECV);
    enter(&h, 20, MPI_IRECV);
    irecv_request(&h, 21, 901);
    leave(&h, 22, MPI_IRECV);
    enter(&h, 30, MPI_WAITALL);
    irecv(&h, 35, 1, WORLD, 1, 901);
    irecv(&h, 36, 1, WORLD, 1, 900);
    leave(&h, 40, MPI_WAITALL);
    r = end(&h);
    pass_posts(&r, 2);
    CHECK(hd_cursor_call(&r.cursor));
    CHECK_EQ(r.cursor.call.group, HD_CALL_WAIT_MULTI);
    CHECK_EQ(r.cursor.n_left, 2);
    hd_cursor_op(&r.cursor, &r.op);
    CHECK_EQ(r.op.flags, HD_OP_NONBLOCKING);
    CHECK_EQ(r.op.begin, 20);
    CHECK_EQ(r.op.time, 35);
    hd_cursor_op(&r.cursor, &r.op);
    CHECK_EQ(r.op.begin, 10);
    CHECK(!hd_cursor_call(&r.cursor));
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(calls_that_post_receives_are_written)
{
    hand_made h = begin();
    reading   r;

    begin_location(&h, 0);
    enter(&h, 10, MAIN);
    enter(&h, 10, MPI_WAITALL); /* as MPI_Startall */
    irecv_request(&h, 11, 900);
    isend(&h, 11, 1, WORLD, 1, 8, 500);
    irecv_request(&h, 12, 901);
    leave(&h, 14, MPI_WAITALL);
    irecv_request(&h, 15, 902); /* outside of all calls */
    leave(&h, 16, MAIN);
    r = end(&h);
    CHECK_EQ(r.cursor.log->n_calls, 1);
    CHECK_EQ(r.cursor.log->n_ops, 3);
    CHECK(hd_cursor_call(&r.cursor));
    CHECK_EQ(r.cursor.call.enter, 10);
    CHECK_EQ(r.cursor.call.leave, 14);
    CHECK_EQ(r.cursor.call.call_path, NODE(location_of(&h, 0), MAIN, MPI_WAITALL));
    CHECK_EQ(r.cursor.n_left, 3);
    hd_cursor_op(&r.cursor, &r.op);
    CHECK_EQ(r.op.kind, HD_OP_POST);
    CHECK_EQ(r.op.time, 14);
    hd_cursor_op(&r.cursor, &r.op);
    CHECK_EQ(r.op.kind, HD_OP_SEND);
    CHECK_EQ(r.op.number, 0);
    hd_cursor_op(&r.cursor, &r.op);
    CHECK_EQ(r.op.kind, HD_OP_POST);
    CHECK(!hd_cursor_call(&r.cursor));
    hand_made_fini(&h);
}

TEST(a_receive_that_was_never_posted_is_a_finding_of_unknown_begin)
{
    hand_made h = begin();
    reading   r;

    begin_location(&h, 0);
    enter(&h, 30, MPI_WAIT);
    irecv(&h, 35, 1, WORLD, 1, 901);
    leave(&h, 40, MPI_WAIT);
    r = end(&h);
    CHECK(hd_cursor_call(&r.cursor));
    hd_cursor_op(&r.cursor, &r.op);
    CHECK_EQ(r.op.flags, HD_OP_NONBLOCKING | HD_OP_ELSEWHERE);
    CHECK(r.op.begin == 0 && !hd_op_is_post_known(&r.op));
    CHECK_EQ(n_findings(&h, HD_FINDING_INCOMPLETE_REQUEST), 1);
    hand_made_fini(&h);
}

TEST(sends_know_the_call_that_completes_them)
{
    hand_made            h = begin();
    reading              r;
    const hd_completion *completions;

    begin_location(&h, 0);
    enter(&h, 10, MPI_ISEND);
    isend(&h, 11, 1, WORLD, 1, 8, 500);
    isend(&h, 12, 1, WORLD, 1, 8, 501);
    isend(&h, 13, 1, WORLD, 1, 8, 502);
    isend(&h, 14, 1, WORLD, 1, 8, 503);
    leave(&h, 15, MPI_ISEND);
    enter(&h, 20, MPI_WAIT);
    isend_complete(&h, 25, 502);
    leave(&h, 30, MPI_WAIT);
    enter(&h, 40, MPI_WAITALL);
    isend_complete(&h, 45, 503);
    isend_complete(&h, 46, 500);
    leave(&h, 50, MPI_WAITALL);
    r           = end(&h);
    completions = r.cursor.log->completions;
    CHECK_EQ(r.cursor.log->n_sends, 4);
    CHECK_EQ(r.cursor.log->n_send_calls, 2);
    CHECK_EQ(completions[2].call, 0);
    CHECK_EQ(completions[2].number, 0);
    CHECK_EQ(completions[3].call, 1);
    CHECK_EQ(completions[3].number, 1);
    CHECK_EQ(completions[0].call, 1);
    CHECK_EQ(completions[0].number, 2);
    CHECK_EQ(completions[1].call, HD_COMPLETION_NONE);
    CHECK_EQ(hd_send_calls_get(&r.cursor.log->send_calls, 0).enter, 20);
    CHECK_EQ(hd_send_calls_get(&r.cursor.log->send_calls, 0).leave, 30);
    CHECK(!hd_send_calls_get(&r.cursor.log->send_calls, 0).multi);
    CHECK(hd_send_calls_get(&r.cursor.log->send_calls, 1).multi);
    CHECK(hd_cursor_call(&r.cursor));
    CHECK_EQ(r.cursor.call.send_call, HD_NONE);
    for (uint32_t i = 0; i < 4; i++) {
        hd_cursor_op(&r.cursor, &r.op);
        CHECK_EQ(r.op.flags, HD_OP_NONBLOCKING);
        CHECK_EQ(r.op.number, i);
    }
    CHECK(hd_cursor_call(&r.cursor)); /* calls that complete sends are there although they have no records */
    CHECK_EQ(r.cursor.n_left, 0);
    CHECK_EQ(r.cursor.call.send_call, 0);
    CHECK(hd_cursor_call(&r.cursor));
    CHECK_EQ(r.cursor.call.send_call, 1);
    CHECK(!hd_cursor_call(&r.cursor));
    hand_made_fini(&h);
}

TEST(a_test_completes_a_send_without_a_call_that_waits)
{
    hand_made h = begin();
    reading   r;

    begin_location(&h, 0);
    enter(&h, 10, MPI_ISEND);
    isend(&h, 11, 1, WORLD, 1, 8, 500);
    leave(&h, 12, MPI_ISEND);
    enter(&h, 20, MPI_TEST);
    isend_complete(&h, 21, 500);
    leave(&h, 22, MPI_TEST);
    enter(&h, 30, MPI_WAIT); /* the request is gone */
    isend_complete(&h, 31, 500);
    leave(&h, 32, MPI_WAIT);
    r = end(&h);
    CHECK_EQ(r.cursor.log->completions[0].call, HD_COMPLETION_NONE);
    CHECK_EQ(n_findings(&h, HD_FINDING_INCOMPLETE_REQUEST), 1);
    hand_made_fini(&h);
}

TEST(a_request_number_that_is_used_again_is_a_new_request)
{
    hand_made h = begin();
    reading   r;

    begin_location(&h, 0);
    for (hd_time at = 0; at < 300; at += 100) {
        enter(&h, at + 10, MPI_ISEND);
        isend(&h, at + 11, 1, WORLD, 1, 8, 500);
        leave(&h, at + 12, MPI_ISEND);
        enter(&h, at + 20, MPI_WAIT);
        isend_complete(&h, at + 21, 500);
        leave(&h, at + 22, MPI_WAIT);
    }
    r = end(&h);
    CHECK_EQ(r.cursor.log->n_sends, 3);
    for (uint32_t i = 0; i < 3; i++)
        CHECK_EQ(r.cursor.log->completions[i].call, i);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(a_cancelled_send_is_not_counted_in_its_channel)
{
    hand_made h = begin();
    reading   r;

    begin_location(&h, 0);
    enter(&h, 10, MPI_ISEND);
    isend(&h, 11, 1, WORLD, 9, 8, 500); /* another channel first */
    isend(&h, 11, 1, WORLD, 1, 8, 501);
    isend(&h, 12, 1, WORLD, 1, 8, 502);
    leave(&h, 13, MPI_ISEND);
    enter(&h, 20, MPI_WAITALL);
    cancelled(&h, 21, 501);
    isend_complete(&h, 22, 502);
    cancelled(&h, 23, 502); /* too late: it is complete */
    cancelled(&h, 23, 777); /* never started */
    leave(&h, 24, MPI_WAITALL);
    r = end(&h);
    CHECK_EQ(r.cursor.log->completions[0].call, HD_COMPLETION_NONE);
    CHECK_EQ(r.cursor.log->completions[1].call, HD_COMPLETION_CANCELLED);
    CHECK_EQ(r.cursor.log->completions[2].call, 0);
    CHECK_EQ(r.cursor.log->channels[0].n, 1);
    CHECK_EQ(r.cursor.log->channels[1].n, 1);
    CHECK(hd_cursor_call(&r.cursor));
    CHECK_EQ(r.cursor.n_left, 3); /* still a record of the log, for whoever reads on */
    hand_made_fini(&h);
}

TEST(records_of_a_call_can_be_left_out)
{
    hand_made h = begin();
    reading   r;

    begin_location(&h, 0);
    enter(&h, 1, MPI_BARRIER);
    coll_end(&h, 4, BARRIER, WORLD, HD_NONE, 0, 0);
    leave(&h, 5, MPI_BARRIER);
    enter(&h, 11, MPI_BARRIER);
    coll_end(&h, 14, BARRIER, WORLD, HD_NONE, 0, 0);
    leave(&h, 15, MPI_BARRIER);
    r = end(&h);
    CHECK(hd_cursor_call(&r.cursor));
    CHECK_EQ(r.cursor.n_left, 1);
    hd_cursor_skip(&r.cursor);
    CHECK_EQ(r.cursor.n_left, 0);
    CHECK(hd_cursor_call(&r.cursor));
    CHECK_EQ(r.cursor.call.enter, 11);
    hd_cursor_op(&r.cursor, &r.op);
    CHECK_EQ(r.op.time, 14);
    CHECK(!hd_cursor_call(&r.cursor));
    hand_made_fini(&h);
}

TEST(times_of_any_size_come_back)
{
    hand_made     h     = begin();
    const hd_time start = UINT64_C(1) << 61;
    reading       r;

    begin_location(&h, 0);
    enter(&h, start, MPI_IRECV);
    irecv_request(&h, start, 1);
    leave(&h, start, MPI_IRECV);
    enter(&h, 2 * start - 9, MPI_WAIT);
    irecv(&h, 2 * start - 5, 1, WORLD, 0, 1);
    leave(&h, 2 * start - 1, MPI_WAIT);
    r = end(&h);
    pass_posts(&r, 1);
    CHECK(hd_cursor_call(&r.cursor));
    CHECK_EQ(r.cursor.call.enter, 2 * start - 9);
    CHECK_EQ(r.cursor.call.leave, 2 * start - 1);
    hd_cursor_op(&r.cursor, &r.op);
    CHECK_EQ(r.op.begin, start);
    CHECK_EQ(r.op.time, 2 * start - 5);
    hand_made_fini(&h);
}

enum { N_PLAYED = 4000 };

typedef struct played {
    hd_time  now, enters[N_PLAYED], leaves[N_PLAYED]; /* [n] of the calls that have a record, as they are left */
    size_t   n;
    uint64_t random;
} played;

static uint64_t
drawn(played *p, uint64_t below)
{
    p->random = p->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (p->random >> 33) % below;
}

/* Some are nothing, or about as long as what a word can hold, or longer. */
static void
go_on(played *p)
{
    static const uint64_t lengths[] = { 1, 2, 3, 50, 200, 1000, 0, (1 << 26) - 1, 1 << 26, (1 << 26) + 1, (1 << 27) - 1,
                                        1 << 27, UINT64_C(1) << 33 };

    p->now += lengths[drawn(p, drawn(p, 8) > 0 ? 6 : sizeof lengths / sizeof *lengths)];
}

static void
play_send(played *p, hand_made *h, bool is_nested)
{
    hd_time begin = p->now;

    enter(h, begin, MPI_SEND);
    send_blocking(h, begin, 1, WORLD, 1, 8);
    go_on(p);
    if (is_nested) {
        play_send(p, h, drawn(p, 3) == 0);
        go_on(p);
    }
    leave(h, p->now, MPI_SEND);
    p->enters[p->n]   = begin;
    p->leaves[p->n++] = p->now;
}

static void
play(played *p, hand_made *h)
{
    *p = (played){ .now = 5, .random = 1 };
    while (p->n < N_PLAYED - 100) {
        switch (drawn(p, 16)) {
        case 0: /* in another state */
            enter(h, p->now, OMP_BARRIER);
            go_on(p);
            leave(h, p->now, OMP_BARRIER);
            break;
        case 1: /* one that is not in the op log */
            enter(h, p->now, MPI_TEST);
            go_on(p);
            leave(h, p->now, MPI_TEST);
            break;
        case 2:
            enter(h, p->now, FOO);
            go_on(p);
            play_send(p, h, false);
            leave(h, p->now, FOO);
            break;
        case 3:
            play_send(p, h, true);
            break;
        default:
            play_send(p, h, false);
        }
        go_on(p);
    }
    leave(h, p->now, MAIN);
}

/* Most times are those of the state log, where the location has one. */
TEST(times_are_the_same_with_a_log_of_states_and_without)
{
    static played p;
    size_t        bytes[2];

    for (int keeps_states = 0; keeps_states < 2; keeps_states++) {
        hand_made h = begin();
        reading   r;

        for (uint32_t region = 0; region < N_REGIONS; region++)
            h.kinds[region].state = region == OMP_BARRIER ? HD_STATE_BARRIER :
                                    h.kinds[region].region_class == HD_CLASS_MPI ? HD_STATE_MPI : HD_STATE_USEFUL;
        begin_location(&h, 0);
        h.decoder.keeps_states = h.decoder.is_state_new = keeps_states;
        enter(&h, 1, MAIN);
        play(&p, &h);
        r                   = end(&h);
        bytes[keeps_states] = r.cursor.log->calls.n + r.cursor.log->own.n;
        for (size_t i = 0; i < p.n; i++) {
            hd_op op;

            CHECK(hd_cursor_call(&r.cursor));
            CHECK_EQ(r.cursor.call.enter, p.enters[i]);
            CHECK_EQ(r.cursor.call.leave, p.leaves[i]);
            hd_cursor_op(&r.cursor, &op);
        }
        CHECK(!hd_cursor_call(&r.cursor));
        hand_made_fini(&h);
    }
    CHECK(bytes[1] < bytes[0]);
}

/* Calls that have one to three records, with times in the state log and without one. */
TEST(calls_that_were_read_can_be_dropped_while_the_others_are_read)
{
    enum { N = 300 };

    for (int keeps_states = 0; keeps_states < 2; keeps_states++) {
        hand_made h       = begin();
        size_t    n_drops = 0, n_bytes;
        reading   r;
        hd_oplog *log;
        hd_cursor past;

        begin_location(&h, 0);
        h.decoder.keeps_states = h.decoder.is_state_new = keeps_states;
        enter(&h, 1, MAIN);
        for (uint32_t i = 0; i < N; i++) {
            enter(&h, 1000 * i + 10, MPI_SEND);
            for (uint32_t k = 0; k <= i % 3; k++)
                send_blocking(&h, 1000 * i + 20 + k, 1, PAIR, 77, 1000 * i + k);
            leave(&h, 1000 * i + 500 + i, MPI_SEND);
        }
        leave(&h, 1000 * N, MAIN);
        r       = end(&h);
        log     = &h.process.locations[0].log;
        n_bytes = log->calls.n;
        past    = r.cursor;
        hd_cursor_drop_from(&r.cursor);
        for (uint32_t i = 0; i < N; i++) {
            CHECK(hd_cursor_call(&r.cursor));
            CHECK_EQ(r.cursor.call.enter, 1000 * i + 10);
            CHECK_EQ(r.cursor.call.leave, 1000 * i + 500 + i);
            CHECK_EQ(r.cursor.n_left, i % 3 + 1);
            for (uint32_t k = 0; k <= i % 3; k++) {
                hd_cursor_op(&r.cursor, &r.op);
                CHECK_EQ(r.op.time, 1000 * i + 20 + k);
                CHECK_EQ(r.op.sent, 1000 * i + k);
                if (r.cursor.at < r.cursor.drop_at)
                    continue;
                hd_oplog_drop(log, &r.cursor, i + 1);
                CHECK(log->calls.n <= n_bytes >> ++n_drops);
            }
        }
        CHECK(!hd_cursor_call(&r.cursor));
        CHECK(n_drops > 4);
        CHECK_EQ(log->n_calls, N);
        CHECK(past.at < past.drop_at); /* one that is not to drop never does */
        CHECK(past.end < past.drop_at);
        hand_made_fini(&h);
    }
}

TEST(zigzag_numbers_are_small_for_small_distances_and_come_back)
{
    static const int64_t values[] = { 0, -1, 1, -64, 63, INT64_MIN, INT64_MAX };

    CHECK_EQ(hd_zigzag(-1), 1);
    CHECK_EQ(hd_zigzag(1), 2);
    for (int i = 0; i < 7; i++)
        CHECK_EQ(hd_unzigzag(hd_zigzag(values[i])), values[i]);
}

TEST_MAIN
