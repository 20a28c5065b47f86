/* Sends and receives are matched by the order in which they were sent and posted. */
#include "message_match.h"

#include "check.h"

enum { N_LOCATIONS = 4 }; /* process 0: location 0; process 1: locations 1 and 2; process 2: location 3 */

static struct {
    hd_defs         defs;
    hd_location_def locations[N_LOCATIONS];
} archive;

static hd_message_match *
begin(void)
{
    static const uint32_t processes[N_LOCATIONS] = { 0, 1, 1, 2 };

    archive.defs = (hd_defs){ .n_locations = N_LOCATIONS, .locations = offsetof(__typeof__(archive), locations) };
    for (uint32_t i = 0; i < N_LOCATIONS; i++)
        archive.locations[i].process = processes[i];
    return hd_message_match_new(&archive.defs, NULL);
}

static void
put(hd_message_match *match, bool is_send, uint32_t peer, hd_time time, uint64_t request)
{
    hd_message_match_sink.message(match, &(hd_walk_message){ .time = time, .enter = time - 1, .peer = peer, .tag = 7,
                                                             .bytes = 100 + time, .request = request,
                                                             .is_send = is_send, .is_inside = time >= 100 });
}

static void
request(hd_message_match *match, hd_walk_request_event event, uint64_t number, hd_time enter)
{
    hd_message_match_sink.request(match, event, number, enter);
}

static void
finish(hd_message_match *match, uint64_t n_paired, uint64_t n_alone, uint64_t n_early)
{
    uint64_t paired, alone, early;

    hd_message_match_finish(match, &paired, &alone, &early);
    CHECK_EQ(paired, n_paired);
    CHECK_EQ(alone, n_alone);
    CHECK_EQ(early, n_early);
}

/* The time of the partner of the location's n-th end; -1: it has none. */
static int64_t
partner(const hd_message_match *match, uint32_t location, uint64_t n)
{
    const hd_message_end *end = hd_message_match_get(match, hd_message_match_first(match, location) + n);

    return end->partner == UINT64_MAX ? -1 : (int64_t)hd_message_match_get(match, end->partner)->time;
}

TEST(receives_are_matched_as_they_were_posted)
{
    hd_message_match *match = begin();

    hd_message_match_begin(match, 0);
    put(match, true, 1, 100, HD_WALK_NO_REQUEST);
    put(match, true, 1, 110, HD_WALK_NO_REQUEST);
    put(match, true, 1, 120, HD_WALK_NO_REQUEST);
    hd_message_match_begin(match, 1);
    request(match, HD_WALK_POSTED, 1, 50);
    request(match, HD_WALK_POSTED, 2, 50); /* the clock is coarse */
    put(match, false, 0, 200, 2);
    put(match, false, 0, 210, HD_WALK_NO_REQUEST);
    put(match, false, 0, 220, 1);
    finish(match, 3, 0, 0);
    CHECK_EQ(partner(match, 1, 0), 110);
    CHECK_EQ(partner(match, 1, 1), 120);
    CHECK_EQ(partner(match, 1, 2), 100);
    CHECK_EQ(partner(match, 0, 0), 220);
    CHECK_EQ(hd_message_match_get(match, hd_message_match_first(match, 1))->begin, 50);
    hd_message_match_free(match);
}

TEST(what_is_before_the_interval_counts_for_the_order_only)
{
    hd_message_match *match = begin();

    hd_message_match_begin(match, 0);
    put(match, true, 1, 10, HD_WALK_NO_REQUEST);
    put(match, true, 1, 20, HD_WALK_NO_REQUEST);
    put(match, true, 1, 130, HD_WALK_NO_REQUEST);
    hd_message_match_begin(match, 1);
    put(match, false, 0, 30, HD_WALK_NO_REQUEST);
    put(match, false, 0, 140, HD_WALK_NO_REQUEST); /* of the send at 20 */
    put(match, false, 0, 150, HD_WALK_NO_REQUEST);
    finish(match, 1, 1, 0);
    CHECK_EQ(partner(match, 1, 1), -1);
    CHECK_EQ(partner(match, 1, 2), 130);
    hd_message_match_free(match);
}

TEST(cancelled_sends_are_no_messages)
{
    hd_message_match *match = begin();

    hd_message_match_begin(match, 0);
    put(match, true, 1, 100, 1);
    put(match, true, 1, 110, 2);
    request(match, HD_WALK_CANCELLED, 1, 115);
    request(match, HD_WALK_SENT, 2, 116);
    hd_message_match_begin(match, 1);
    request(match, HD_WALK_POSTED, 1, 90);
    request(match, HD_WALK_CANCELLED, 1, 95);
    put(match, false, 0, 200, HD_WALK_NO_REQUEST);
    finish(match, 1, 0, 0);
    CHECK_EQ(partner(match, 1, 0), 110);
    CHECK_EQ(partner(match, 0, 0), -1);
    hd_message_match_free(match);
}

/* Posted by the second thread of process 1, completed by the first one, whose events are read before. */
TEST(a_request_may_be_completed_by_another_thread)
{
    hd_message_match *match = begin();

    hd_message_match_begin(match, 0);
    put(match, true, 1, 100, HD_WALK_NO_REQUEST);
    put(match, true, 1, 110, HD_WALK_NO_REQUEST);
    hd_message_match_begin(match, 1);
    put(match, false, 0, 150, HD_WALK_NO_REQUEST);
    put(match, false, 0, 210, 5);
    hd_message_match_begin(match, 2);
    request(match, HD_WALK_POSTED, 5, 40);
    hd_message_match_begin(match, 3); /* another process has requests of these numbers, too */
    request(match, HD_WALK_POSTED, 5, 300);
    finish(match, 2, 0, 0);
    CHECK_EQ(partner(match, 1, 0), 110);
    CHECK_EQ(partner(match, 1, 1), 100);
    hd_message_match_free(match);
}

TEST(channels_are_apart_and_early_messages_are_counted)
{
    hd_message_match *match = begin();

    hd_message_match_begin(match, 0);
    put(match, true, 1, 200, HD_WALK_NO_REQUEST);
    put(match, true, 2, 210, HD_WALK_NO_REQUEST);
    hd_message_match_begin(match, 1);
    put(match, false, 0, 190, HD_WALK_NO_REQUEST); /* the clocks differ */
    hd_message_match_begin(match, 3);
    put(match, false, 0, 300, HD_WALK_NO_REQUEST);
    put(match, false, 0, 310, HD_WALK_NO_REQUEST);
    finish(match, 2, 1, 1);
    CHECK_EQ(partner(match, 0, 0), 190);
    CHECK_EQ(partner(match, 0, 1), 300);
    CHECK_EQ(partner(match, 3, 1), -1);
    hd_message_match_free(match);
}

TEST_MAIN
