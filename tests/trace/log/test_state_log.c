/* tests/trace/log/test_state_log.c: the pieces of a state log are what was put in.
 *
 *   ticks    10         40     90        100
 *            [ useful   ][ MPI ][ useful ]
 */
#include "check.h"
#include "state_log.h"

static void
check_piece(hd_state_cursor *cursor, hd_state state, hd_time from, hd_time until)
{
    CHECK(hd_state_cursor_next(cursor));
    CHECK(hd_state_cursor_state(cursor) == state);
    CHECK(cursor->from == from && cursor->until == until);
}

/* MPI from `enter` to `leave`, the rest useful. */
static void
check_call(hd_time begin, hd_time enter, hd_time leave, hd_time end)
{
    hd_state_log    log = { .is_parallel = false };
    hd_state_cursor cursor;

    hd_state_log_begin(&log, begin);
    hd_state_log_put(&log, begin, HD_STATE_USEFUL);
    hd_state_log_put_between(&log, enter, leave, HD_STATE_MPI);
    hd_state_log_end(&log, end);
    hd_state_cursor_init(&cursor, &log);
    if (enter > begin)
        check_piece(&cursor, HD_STATE_USEFUL, begin, enter);
    check_piece(&cursor, HD_STATE_MPI, enter, leave);
    if (end > leave)
        check_piece(&cursor, HD_STATE_USEFUL, leave, end);
    CHECK(!hd_state_cursor_next(&cursor));
    CHECK(!hd_state_cursor_next(&cursor));
    CHECK(!log.is_parallel);
    hd_bytes_fini(&log.bytes);
}

TEST(a_call_between_two_pieces)
{
    check_call(10, 40, 90, 100);
    check_call(10, 10, 90, 100);
    check_call(10, 40, 100, 100);
}

TEST(lengths_have_up_to_64_bits)
{
    const hd_time longest_of_a_word = (UINT64_C(1) << 27) - 1;

    check_call(10, 10 + longest_of_a_word, 20 + longest_of_a_word, 30 + longest_of_a_word);
    check_call(10, 11 + longest_of_a_word, 20 + longest_of_a_word, 30 + longest_of_a_word);
    check_call(10, 20, 21 + longest_of_a_word, UINT64_MAX - 1);
    check_call(0, UINT64_MAX - 2, UINT64_MAX - 1, UINT64_MAX);
}

/* An interval in which a location is in parallel, a piece of it long, and one in which it is idle. */
TEST(pieces_of_a_kind_are_joined_up_to_a_long_one)
{
    const hd_time   long_end = 50 + (UINT64_C(1) << 30);
    hd_state_log    log = { .is_parallel = false };
    hd_state_cursor cursor;

    hd_state_log_begin(&log, 10);
    hd_state_log_put(&log, 10, HD_STATE_USEFUL);
    hd_state_log_put(&log, 20, HD_STATE_USEFUL | HD_STATE_PARALLEL);
    hd_state_log_put(&log, 30, HD_STATE_BARRIER | HD_STATE_PARALLEL);
    hd_state_log_put(&log, 50, HD_STATE_LOCK | HD_STATE_PARALLEL);
    hd_state_log_put(&log, long_end, HD_STATE_IDLE);
    hd_state_log_end(&log, long_end + 5);
    hd_state_cursor_init(&cursor, &log);
    check_piece(&cursor, HD_STATE_USEFUL, 10, 20);
    check_piece(&cursor, HD_STATE_USEFUL, 20, 30);
    hd_state_cursor_join(&cursor, HD_STATE_PARALLEL);
    CHECK(cursor.from == 20 && cursor.until == 50);
    CHECK(hd_state_cursor_next(&cursor) && cursor.from == 50 && cursor.until == long_end);
    hd_state_cursor_join(&cursor, HD_STATE_PARALLEL - 1);
    CHECK(cursor.from == 50 && cursor.until == long_end);
    check_piece(&cursor, HD_STATE_IDLE, long_end, long_end + 5);
    hd_state_cursor_join(&cursor, HD_STATE_PARALLEL - 1);
    CHECK_EQ(cursor.until, long_end + 5);
    CHECK(!hd_state_cursor_next(&cursor));
    hd_bytes_fini(&log.bytes);
}

TEST(a_call_without_length_and_a_log_without_pieces_have_none)
{
    hd_state_log    log = { .is_parallel = false };
    hd_state_cursor cursor;

    hd_state_cursor_init(&cursor, &log);
    CHECK(!hd_state_cursor_next(&cursor));
    hd_state_log_begin(&log, 10);
    hd_state_log_put_between(&log, 10, 10, HD_STATE_MPI);
    hd_state_log_end(&log, 10);
    hd_state_cursor_init(&cursor, &log);
    CHECK(!hd_state_cursor_next(&cursor));
    hd_bytes_fini(&log.bytes);
}

/* Up to a time; what is long stays for the next piece. */
TEST(lengths_are_added_to_the_sums_of_their_states)
{
    hd_state_log    log = { .is_parallel = false };
    hd_state_cursor cursor;
    uint64_t        sums[HD_N_STATES] = { 0 };

    hd_state_log_begin(&log, 0);
    hd_state_log_put(&log, 0, HD_STATE_USEFUL);
    hd_state_log_put_between(&log, 30, 35, HD_STATE_MPI | HD_STATE_PARALLEL);
    hd_state_log_put_between(&log, 60, 70, HD_STATE_MPI);
    hd_state_log_end(&log, UINT64_C(1) << 40);
    hd_state_cursor_init(&cursor, &log);
    hd_state_cursor_add(&cursor, 69, sums);
    CHECK(sums[HD_STATE_USEFUL] == 55 && sums[HD_STATE_MPI] == 5);
    check_piece(&cursor, HD_STATE_MPI, 60, 70);
    hd_state_cursor_add(&cursor, UINT64_MAX, sums);
    CHECK(sums[HD_STATE_USEFUL] == 55);
    check_piece(&cursor, HD_STATE_USEFUL, 70, UINT64_C(1) << 40);
    CHECK(log.is_parallel);
    hd_bytes_fini(&log.bytes);
}

/* Both pieces of a call at once, if none is empty or long. */
static void
check_wanted(hd_time before, hd_time length, bool is_put)
{
    hd_state_log    log = { .is_parallel = false };
    hd_state_cursor cursor;

    hd_state_log_begin(&log, 10);
    hd_state_log_put(&log, 10, HD_STATE_USEFUL);
    CHECK(!hd_state_log_put_wanted(&log, 10 + before, 10 + before + length)); /* nothing is wanted yet */
    hd_state_log_want_between(&log, HD_STATE_MPI);
    CHECK(hd_state_log_put_wanted(&log, 10 + before, 10 + before + length) == is_put);
    hd_state_log_put(&log, log.from, HD_STATE_IDLE);
    CHECK(!hd_state_log_put_wanted(&log, log.from + 1, log.from + 2)); /* of another state */
    hd_state_log_end(&log, log.from + 1);
    hd_state_cursor_init(&cursor, &log);
    if (is_put) {
        check_piece(&cursor, HD_STATE_USEFUL, 10, 10 + before);
        check_piece(&cursor, HD_STATE_MPI, 10 + before, 10 + before + length);
    }
    CHECK(hd_state_cursor_next(&cursor) && hd_state_cursor_state(&cursor) == HD_STATE_IDLE);
    CHECK(!hd_state_cursor_next(&cursor));
    hd_bytes_fini(&log.bytes);
}

TEST(two_pieces_at_once)
{
    const hd_time longest = UINT64_C(1) << 26;

    check_wanted(1, 1, true);
    check_wanted(longest, longest, true);
    check_wanted(0, 1, false);
    check_wanted(1, 0, false);
    check_wanted(longest + 1, 1, false);
    check_wanted(1, longest + 1, false);
    check_wanted((hd_time)-1, 5, false); /* it begins before the last one ends */
}

/* Pieces that take turns, up to any time: as one by one. */
TEST(sums_are_those_of_the_pieces)
{
    hd_state_log log = { .is_parallel = false };
    hd_time      now = 0;

    hd_state_log_begin(&log, 0);
    hd_state_log_put(&log, 0, HD_STATE_USEFUL);
    for (uint32_t i = 0; i < 60; i++, now += 10) {
        if (i % 20 == 13)
            hd_state_log_put(&log, now, i == 13 ? HD_STATE_BARRIER : HD_STATE_USEFUL);
        if (i % 7 == 3)
            now += UINT64_C(1) << (i % 2 > 0 ? 26 : 27);
        hd_state_log_put_between(&log, now + 4, now + 10, HD_STATE_MPI);
    }
    hd_state_log_end(&log, now);
    for (hd_time to = 0; to <= now; to += to % 100 == 0 ? 1 : now / 500) {
        uint64_t        sums[HD_N_STATES] = { 0 }, expected[HD_N_STATES] = { 0 };
        hd_state_cursor cursor, one;

        hd_state_cursor_init(&cursor, &log);
        hd_state_cursor_init(&one, &log);
        for (;;) {
            hd_state_cursor_add(&cursor, to, sums);
            if (!hd_state_cursor_next(&cursor) || cursor.until > to)
                break;
            sums[hd_state_cursor_state(&cursor)] += cursor.until - cursor.from; /* a long one */
        }
        while (hd_state_cursor_next(&one) && one.until <= to)
            expected[hd_state_cursor_state(&one)] += one.until - one.from;
        for (uint32_t state = 0; state < HD_N_STATES; state++)
            CHECK(sums[state] == expected[state]);
        CHECK(cursor.from == one.from && cursor.until == one.until);
    }
    hd_bytes_fini(&log.bytes);
}

TEST(lengths_of_many_pieces_are_added_up)
{
    enum { N_PAIRS = 100, LONGEST = (1 << 27) - 1 };
    uint32_t words[2 * N_PAIRS];
    uint64_t sum = 0;

    for (uint32_t i = 0; i < 2 * N_PAIRS; i++)
        words[i] = (i < 40 ? LONGEST : i * i) << HD_STATE_BITS | (i % 2 == 0 ? HD_STATE_USEFUL : HD_STATE_MPI);
    for (uint32_t n = 0; n <= N_PAIRS; n++) {
        CHECK_EQ(hd_state_lengths((const uint8_t *)words, (const uint8_t *)&words[2 * n]), sum);
        for (uint32_t i = 2 * n; n < N_PAIRS && i < 2 * n + 2; i++)
            sum += words[i] >> HD_STATE_BITS;
    }
}

TEST_MAIN
