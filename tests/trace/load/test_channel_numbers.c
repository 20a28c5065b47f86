/* tests/trace/load/test_channel_numbers.c: which number operations have in their channel where they are not simply
 * counted.
 *
 *   posts   900  901         completions   901  900         their numbers   1  0
 */
#include "check.h"
#include "hand_made.h"

enum { BARRIER = 0 };

/* Receives of one thread. */

static void
post(hand_made *h, hd_time time, uint64_t request)
{
    enter(h, time, MPI_IRECV);
    irecv_request(h, time + 1, request);
    leave(h, time + 2, MPI_IRECV);
}

static void
complete(hand_made *h, hd_time time, uint32_t tag, uint64_t request)
{
    enter(h, time, MPI_WAIT);
    irecv(h, time + 1, 1, WORLD, tag, request);
    leave(h, time + 2, MPI_WAIT);
}

static void
finish(hand_made *h)
{
    end_location(h);
    begin_location(h, 1);
    end_location(h);
    join_threads(h);
}

/* numbers: [n] that the receives of thread 0 have, in the order of their completions */
static void
check_numbers(hand_made *h, uint32_t n, const uint32_t *numbers)
{
    const hd_oplog *log = &location_of(h, 0)->log;

    CHECK_EQ(log->rare->n_numbers, n);
    for (uint32_t i = 0; i < n && i < log->rare->n_numbers; i++)
        CHECK_EQ(log->rare->numbers[i], numbers[i]);
}
#define CHECK_NUMBERS(h, ...)                                                                                          \
    check_numbers((h), sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t), (uint32_t[]){ __VA_ARGS__ })

TEST(receives_are_counted_where_they_are_completed_in_the_order_of_their_posts)
{
    hand_made h;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    post(&h, 10, 900);
    post(&h, 20, 901);
    post(&h, 30, 902);
    complete(&h, 40, 1, 900);
    complete(&h, 50, 2, 902); /* of another channel */
    complete(&h, 60, 1, 901);
    finish(&h);
    CHECK_EQ(location_of(&h, 0)->log.rare->n_numbers, 0);
    for (uint32_t i = 0; i < 2; i++)
        CHECK(!location_of(&h, 0)->log.channels[i].has_numbers);
    hand_made_fini(&h);
}

TEST(receives_that_are_completed_in_another_order_have_the_numbers_of_their_posts)
{
    hand_made h;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    post(&h, 10, 900);
    post(&h, 20, 901);
    post(&h, 30, 902);
    complete(&h, 40, 1, 901);
    complete(&h, 50, 2, 902); /* of another channel, which needs no numbers */
    complete(&h, 60, 1, 900);
    post(&h, 70, 903);
    complete(&h, 80, 1, 903);
    finish(&h);
    CHECK_NUMBERS(&h, 1, 0, 2);
    CHECK(location_of(&h, 0)->log.channels[0].has_numbers && !location_of(&h, 0)->log.channels[1].has_numbers);
    hand_made_fini(&h);
}

TEST(a_blocking_receive_is_posted_at_its_enter)
{
    hand_made h;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    post(&h, 10, 900);
    enter(&h, 20, MPI_RECV);
    receive_blocking(&h, 25, 1, WORLD, 1);
    leave(&h, 30, MPI_RECV);
    complete(&h, 40, 1, 900);
    finish(&h);
    CHECK_NUMBERS(&h, 1, 0);
    hand_made_fini(&h);
}

TEST(in_one_tick_posts_have_their_order_and_a_blocking_receive_comes_when_it_is_called)
{
    hand_made h;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    for (uint64_t i = 0; i < 2; i++) {
        enter(&h, 10, MPI_IRECV);
        irecv_request(&h, 10, 900 + i);
        leave(&h, 10, MPI_IRECV);
    }
    enter(&h, 10, MPI_RECV);
    receive_blocking(&h, 10, 1, WORLD, 1);
    leave(&h, 10, MPI_RECV);
    enter(&h, 10, MPI_IRECV);
    irecv_request(&h, 10, 902);
    leave(&h, 10, MPI_IRECV);
    complete(&h, 20, 1, 902);
    complete(&h, 30, 1, 901);
    complete(&h, 40, 1, 900);
    finish(&h);
    CHECK_NUMBERS(&h, 2, 3, 1, 0);
    hand_made_fini(&h);
}

TEST(a_receive_whose_post_is_not_recorded_counts_as_posted_by_the_call_that_completes_it)
{
    hand_made h;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    post(&h, 10, 900);
    complete(&h, 20, 1, 999);
    post(&h, 30, 901);
    complete(&h, 40, 1, 901);
    complete(&h, 50, 1, 900);
    finish(&h);
    CHECK_NUMBERS(&h, 1, 2, 0);
    CHECK_EQ(n_findings(&h, HD_FINDING_INCOMPLETE_REQUEST), 1);
    hand_made_fini(&h);
}

TEST(a_cancelled_receive_has_no_number)
{
    hand_made h;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    post(&h, 10, 900);
    post(&h, 20, 901);
    post(&h, 30, 902);
    enter(&h, 40, MPI_WAIT);
    cancelled(&h, 41, 900);
    leave(&h, 42, MPI_WAIT);
    complete(&h, 50, 1, 902);
    complete(&h, 60, 1, 901);
    finish(&h);
    CHECK_NUMBERS(&h, 1, 0);
    hand_made_fini(&h);
}

TEST(scout_counts_in_the_order_of_the_completions)
{
    hand_made h;

    hand_made_init(&h, 0);
    for (uint32_t t = 0; t < N_THREADS; t++) {
        begin_location(&h, t);
        h.decoder.compat = true;
        if (t == 0) {
            post(&h, 10, 900);
            post(&h, 20, 901);
            complete(&h, 40, 1, 901);
            complete(&h, 50, 1, 900);
        }
        end_location(&h);
    }
    join_threads(&h);
    CHECK_EQ(location_of(&h, 0)->log.rare->n_numbers, 0);
    hand_made_fini(&h);
}

/* Of two threads. */

TEST(a_receive_comes_before_those_that_its_thread_posted_later)
{
    hand_made h;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    post(&h, 10, 900);
    post(&h, 20, 901);
    complete(&h, 30, 1, 901);
    complete(&h, 90, 1, 900);
    end_location(&h);
    begin_location(&h, 1);
    for (hd_time i = 0; i < 2; i++) {
        enter(&h, 5 + 40 * i, MPI_RECV);
        receive_blocking(&h, 40 + 30 * i, 1, WORLD, 1);
        leave(&h, 41 + 30 * i, MPI_RECV);
    }
    end_location(&h);
    join_threads(&h);
    CHECK_NUMBERS(&h, 1, 0);
    CHECK_EQ(location_of(&h, 1)->log.rare->numbers[0], 2);
    CHECK_EQ(location_of(&h, 1)->log.rare->numbers[1], 3);
    hand_made_fini(&h);
}

TEST(receives_that_both_threads_posted_are_numbered_by_their_records)
{
    hand_made h;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    post(&h, 20, 900);
    complete(&h, 30, 1, 900);
    end_location(&h);
    begin_location(&h, 1);
    post(&h, 10, 901);
    complete(&h, 40, 1, 901);
    end_location(&h);
    join_threads(&h);
    CHECK_NUMBERS(&h, 0);
    CHECK_EQ(location_of(&h, 1)->log.rare->numbers[0], 1);
    hand_made_fini(&h);
}

TEST(the_order_of_posts_is_that_of_the_thread_that_posted)
{
    hand_made h;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    post(&h, 10, 900);
    post(&h, 20, 901);
    complete(&h, 30, 1, 901);
    end_location(&h);
    begin_location(&h, 1);
    complete(&h, 40, 1, 900);
    end_location(&h);
    join_threads(&h);
    CHECK_NUMBERS(&h, 1);
    CHECK_EQ(location_of(&h, 1)->log.rare->numbers[0], 0);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(a_receive_that_another_thread_posted_has_the_number_of_that_post)
{
    hand_made h;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    complete(&h, 30, 1, 901);
    complete(&h, 40, 1, 900);
    end_location(&h);
    begin_location(&h, 1);
    post(&h, 10, 900);
    post(&h, 20, 901);
    end_location(&h);
    join_threads(&h);
    CHECK_NUMBERS(&h, 1, 0);
    CHECK_EQ(n_all_findings(&h), 0);
    hand_made_fini(&h);
}

TEST(operations_on_a_shared_channel_are_numbered_by_their_times)
{
    static const uint32_t expected[2][4] = { { 0, 2, 4, 6 }, { 1, 3, 5, 7 } };
    hand_made             h;

    hand_made_init(&h, 0);
    for (uint32_t t = 0; t < 2; t++) {
        begin_location(&h, t);
        for (hd_time i = 0; i < 4; i++) {
            enter(&h, 10 * i + 5 * t, MPI_SEND);
            send_blocking(&h, 10 * i + 5 * t + 1, 1, WORLD, 3, 8);
            leave(&h, 10 * i + 5 * t + 2, MPI_SEND);
        }
        end_location(&h);
    }
    join_threads(&h);
    for (uint32_t t = 0; t < 2; t++) {
        const hd_oplog *log = &location_of(&h, t)->log;

        CHECK(log->channels[0].has_numbers);
        CHECK_EQ(log->rare->n_numbers, 4);
        for (uint32_t i = 0; i < 4; i++)
            CHECK_EQ(log->rare->numbers[i], expected[t][i]);
    }
    hand_made_fini(&h);
}

TEST(at_equal_times_the_lower_thread_is_first)
{
    hand_made h;

    hand_made_init(&h, 0);
    for (uint32_t t = 0; t < 2; t++) {
        begin_location(&h, t);
        enter(&h, 10, MPI_SEND);
        send_blocking(&h, 11, 1, WORLD, 3, 8);
        send_blocking(&h, 11, 1, WORLD, 3, 8);
        leave(&h, 12, MPI_SEND);
        end_location(&h);
    }
    join_threads(&h);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_EQ(location_of(&h, 0)->log.rare->numbers[i], i);
        CHECK_EQ(location_of(&h, 1)->log.rare->numbers[i], 2 + i);
    }
    hand_made_fini(&h);
}

TEST(channels_of_one_thread_are_not_shared)
{
    hand_made h;

    hand_made_init(&h, 0);
    for (uint32_t t = 0; t < 2; t++) {
        begin_location(&h, t);
        enter(&h, 10, MPI_SEND);
        send_blocking(&h, 11, 1, WORLD, t, 8);         /* another tag */
        send_blocking(&h, 11, 1 + t, WORLD, 7, 8);     /* another peer */
        if (t == 0)
            send_blocking(&h, 11, 2, WORLD, 9, 8);     /* another direction */
        else
            receive_blocking(&h, 11, 2, WORLD, 9);
        leave(&h, 12, MPI_SEND);
        end_location(&h);
    }
    join_threads(&h);
    for (uint32_t t = 0; t < 2; t++) {
        const hd_oplog *log = &location_of(&h, t)->log;

        CHECK_EQ(log->rare->n_numbers, 0);
        for (size_t i = 0; i < log->n_channels; i++)
            CHECK(!log->channels[i].has_numbers);
    }
    hand_made_fini(&h);
}

static void
start_send(hand_made *h, hd_time time, uint64_t request)
{
    enter(h, time, MPI_ISEND);
    isend(h, time + 1, 1, WORLD, 3, 8, request);
    leave(h, time + 2, MPI_ISEND);
}

TEST(a_cancelled_send_takes_a_place_but_no_number)
{
    hand_made       h;
    const hd_oplog *log;

    hand_made_init(&h, 0);
    begin_location(&h, 0);
    start_send(&h, 10, 500);
    start_send(&h, 20, 501);
    start_send(&h, 30, 502);
    enter(&h, 40, MPI_WAIT);
    cancelled(&h, 41, 501);
    leave(&h, 42, MPI_WAIT);
    end_location(&h);
    begin_location(&h, 1);
    enter(&h, 24, MPI_SEND);
    send_blocking(&h, 25, 1, WORLD, 3, 8);
    leave(&h, 26, MPI_SEND);
    end_location(&h);
    join_threads(&h);
    log = &location_of(&h, 0)->log;
    CHECK_EQ(log->rare->n_numbers, 3);
    CHECK_EQ(log->rare->numbers[0], 0);
    CHECK_EQ(log->rare->numbers[2], 2);
    CHECK_EQ(location_of(&h, 1)->log.rare->numbers[0], 1);
    hand_made_fini(&h);
}

TEST(blocking_collectives_of_both_threads_are_numbered_together)
{
    hand_made h;

    hand_made_init(&h, 0);
    for (uint32_t t = 0; t < 2; t++) {
        begin_location(&h, t);
        enter(&h, 10 + t, MPI_BARRIER);
        coll_end(&h, 21 - t, BARRIER, WORLD, HD_NONE, 0, 0);
        leave(&h, 30, MPI_BARRIER);
        end_location(&h);
    }
    join_threads(&h);
    CHECK_EQ(location_of(&h, 0)->log.rare->numbers[0], 1); /* by the time of the record, its end */
    CHECK_EQ(location_of(&h, 1)->log.rare->numbers[0], 0);
    hand_made_fini(&h);
}

TEST_MAIN
