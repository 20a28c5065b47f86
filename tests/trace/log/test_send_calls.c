/* tests/trace/log/test_send_calls.c: packed calls are what they were, also where they are far from each other, long, or
 * not in the order of their enters. */
#include "send_calls.h"

#include "check.h"

static void
check_same(const hd_send_call *calls, size_t n, size_t n_wholes)
{
    hd_send_calls packed = hd_send_calls_pack(NULL, calls, n);

    for (size_t i = 0; i < n; i++) {
        hd_send_call call = hd_send_calls_get(&packed, i);

        CHECK_EQ(call.enter, calls[i].enter);
        CHECK_EQ(call.leave, calls[i].leave);
        CHECK_EQ(call.call_path, calls[i].call_path);
        CHECK_EQ(call.multi, calls[i].multi);
        n_wholes -= packed.calls[i].is_whole;
    }
    CHECK_EQ(n_wholes, 0);
    hd_send_calls_fini(NULL, &packed);
    CHECK(packed.calls == NULL);
}

TEST(calls_of_several_groups_are_what_they_were)
{
    hd_send_call calls[3 * HD_SEND_CALL_GROUP + 1];

    for (uint32_t i = 0; i < 3 * HD_SEND_CALL_GROUP + 1; i++)
        calls[i] = (hd_send_call){ .enter = UINT64_C(1000000000000) * (i / HD_SEND_CALL_GROUP + 1) + 100 * i,
                                   .leave = UINT64_C(1000000000000) * (i / HD_SEND_CALL_GROUP + 1) + 100 * i + i,
                                   .call_path = i % 7, .multi = i % 2 };
    check_same(calls, 3 * HD_SEND_CALL_GROUP + 1, 0);
    check_same(calls, HD_SEND_CALL_GROUP, 0);
    check_same(calls, 1, 0);
    check_same(calls, 0, 0);
}

TEST(a_call_inside_of_another_one_is_left_first)
{
    static const hd_send_call calls[] = { { 50, 60, 2, 0 }, { 10, 100, 1, 1 }, { 200, 210, 2, 0 } };

    check_same(calls, 3, 0);
}

TEST(what_32_bits_do_not_hold_is_kept_whole)
{
    static const hd_send_call calls[] = {
        { 0, UINT32_MAX, 1, 0 },                                  /* the longest that is packed */
        { 1, UINT64_C(1) + UINT32_MAX + 1, 1, 1 },                /* longer */
        { UINT32_MAX, UINT32_MAX, 1, 0 },                         /* the farthest that is packed */
        { UINT64_C(1) << 32, (UINT64_C(1) << 32) + 5, 1, 1 },     /* farther */
        { 7, 8, 1U << HD_SEND_CALL_PATH_BITS, 1 },                /* a call path beyond its bits */
        { 7, 8, (1U << HD_SEND_CALL_PATH_BITS) - 1, 1 },
    };

    check_same(calls, 6, 3);
}

TEST_MAIN
