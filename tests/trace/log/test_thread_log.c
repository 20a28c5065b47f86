/* tests/trace/log/test_thread_log.c: ops of threads are read as they were written, whatever their times are. */
#include "thread_log.h"

#include "check.h"

enum { N_TIMES = 9 };

/* The differences that three bytes hold, of either sign, and larger ones. */
static const int64_t differences[N_TIMES] = {
    0, 1, -1, (1 << 23) - 1, -(1 << 23), 1 << 23, -(1 << 23) - 1, INT64_C(1) << 40, -(INT64_C(1) << 40)
};

static hd_thread_op
op_of(hd_thread_op_kind kind, hd_time begin, hd_time end)
{
    return (hd_thread_op){ .kind = kind, .enter = begin, .leave = end, .time = kind == HD_THREAD_RELEASE ? begin : end,
                           .call_path = 300, .lock = 5, .order = 70000, .is_inside = kind == HD_THREAD_PARALLEL,
                           .is_explicit = kind == HD_THREAD_BARRIER, .is_cut = kind == HD_THREAD_BARRIER,
                           .lock_kind = kind == HD_THREAD_ACQUIRE ? HD_LOCK_CONDITION : HD_LOCK_CRITICAL };
}

static void
check_op(const hd_thread_op *read, const hd_thread_op *put)
{
    bool is_region = put->kind == HD_THREAD_BARRIER || put->kind == HD_THREAD_PARALLEL;

    CHECK_EQ(read->kind, put->kind);
    CHECK(put->kind == HD_THREAD_RELEASE || (read->enter == put->enter && read->call_path == put->call_path));
    if (is_region)
        CHECK_EQ(read->leave, put->leave);
    else
        CHECK(read->time == put->time && read->lock == put->lock && read->order == put->order);
    CHECK(put->kind != HD_THREAD_BARRIER || (read->is_explicit && read->is_cut));
    CHECK(put->kind != HD_THREAD_PARALLEL || read->is_inside);
    CHECK(put->kind != HD_THREAD_ACQUIRE || read->lock_kind == HD_LOCK_CONDITION);
}

TEST(times_are_read_as_they_were_written)
{
    static const hd_thread_op_kind kinds[] = { HD_THREAD_BARRIER, HD_THREAD_PARALLEL, HD_THREAD_ACQUIRE,
                                               HD_THREAD_RELEASE };
    hd_thread_log    log = { .bytes = { .data = NULL } };
    hd_thread_op     ops[4 * N_TIMES * N_TIMES], op = { .kind = HD_THREAD_TEAM };
    hd_time          last = UINT64_C(1) << 50;
    size_t           n    = 0;
    hd_thread_cursor cursor;

    hd_thread_log_put_team(&log, 1, true, last);
    for (size_t kind = 0; kind < 4; kind++)
        for (size_t i = 0; i < N_TIMES * N_TIMES; i++) {
            hd_time begin = last + (hd_time)differences[i % N_TIMES];

            ops[n] = op_of(kinds[kind], begin, begin + (hd_time)differences[i / N_TIMES]);
            hd_thread_log_put(&log, &ops[n]);
            last = kinds[kind] == HD_THREAD_RELEASE ? begin : ops[n].leave;
            n++;
        }
    hd_bytes_pack(&log.bytes); /* nothing behind them may be read */
    hd_thread_cursor_init(&cursor, &log);
    CHECK(hd_thread_cursor_next(&cursor, &op));
    CHECK_EQ(op.time, UINT64_C(1) << 50);
    for (size_t i = 0; i < n; i++) {
        CHECK(hd_thread_cursor_next(&cursor, &op));
        check_op(&op, &ops[i]);
    }
    CHECK(!hd_thread_cursor_next(&cursor, &op));
    hd_bytes_fini(&log.bytes);
}

TEST_MAIN
