/* tests/replay/sync/test_sync_points.c: synchronization points of a location, collected and built. Their numbers are
 * kept in few bits, and farther ones in another way; here are those on both sides of each limit. */
#include "check.h"
#include "sync_build.h"
#include "sync_previous.h"
#include "sync_time.h"

#define LEN(array) (sizeof(array) / sizeof *(array))

enum { N_NODES = (1 << HD_SYNC_PATH_BITS) + 100 };

typedef struct location { /* one of a process, with its replay */
    hd_defs            defs;
    hd_replay_request  request;
    hd_replay          replay;
    hd_replay_worker   rh;
    hd_loaded_location loaded;
    hd_loaded_process  process;
    hd_vproc           vproc;
    uint32_t          *map;
} location;

static void
begin(location *l)
{
    *l                       = (location){ .request.delays = true, .defs.n_processes = 8 };
    l->map                   = HD_NEW_UNSET(uint32_t, N_NODES);
    for (uint32_t i = 0; i < N_NODES; i++)
        l->map[i] = i;
    l->replay.defs           = &l->defs;
    l->replay.request        = &l->request;
    l->replay.sides.n_inside = HD_NONE;
    l->rh.replay             = &l->replay;
    hd_loaded_location_init(&l->loaded, 0, NULL);
    l->loaded.n_nodes        = N_NODES;
    l->process.n_locations   = 1;
    l->vproc                 = (hd_vproc){ .process = &l->process, .location = &l->loaded, .map = l->map,
                                           .syncs = hd_syncs_new(NULL, 7) };
    hd_syncs_add(l->vproc.syncs, &(hd_sync){ .kind = HD_SYNC_BEGIN, .delay = HD_DELAY_NONE });
}

/* Until then the location works for 1, 2, ... ticks in n call paths from the first one on. */
static void
work(location *l, hd_time until, uint32_t first, uint32_t n)
{
    uint8_t *at = hd_interval_log_room(&l->loaded.intervals, n);

    for (uint32_t i = 0; i < n; i++)
        at = hd_path_time_write(at, first + i, i + 1);
    hd_interval_log_close(&l->loaded.intervals, until, at);
}

static const hd_syncs *
build(location *l)
{
    hd_sync_room room = { .points = NULL };

    hd_sync_previous_begin(&l->rh);
    hd_sync_build(&l->rh, &l->vproc, &room, 0);
    hd_sync_previous_end(&l->rh);
    hd_sync_room_fini(&room, NULL);
    return l->vproc.syncs;
}

static void
end(location *l)
{
    hd_syncs_free(l->vproc.syncs);
    hd_interval_log_fini(&l->loaded.intervals);
    free(l->map);
}

/* Of a built point, which has either order or partner. */
static bool
is_same(const hd_sync *a, const hd_sync *b)
{
    bool has_order = b->kind == HD_SYNC_SEND || b->kind == HD_SYNC_REQUEST;

    return a->enter == b->enter && a->wait == b->wait && a->pruned == b->pruned && a->call_path == b->call_path &&
           a->peer == b->peer && a->partner_thread == b->partner_thread && a->kind == b->kind &&
           a->delay == b->delay && (has_order ? a->order == b->order : a->partner == b->partner);
}

static const hd_span spans[] = { 0, 1, (1 << 24) - 1, 1 << 24, INT32_MAX, INT64_C(1) << 31, UINT32_MAX,
                                 INT64_C(1) << 32, INT64_C(1) << 50 };

TEST(collected_points_come_back_with_all_times)
{
    static const uint8_t kinds[] = { HD_SYNC_RECV, HD_SYNC_SENT, HD_SYNC_EDGE, HD_SYNC_SEND, HD_SYNC_REQUEST };
    enum { S = LEN(spans), N = LEN(kinds) * 2 * S * S * 2 * S };
    hd_syncs    *syncs = hd_syncs_new(NULL, 7);
    hd_sync     *made  = HD_NEW_ARRAY(hd_sync, N);
    hd_sync_room room  = { .points = NULL };
    size_t       n_own, n_notified;
    hd_time      enter = UINT64_C(1) << 60;

    for (uint32_t i = 0; i < N; i++) {
        uint32_t rest = i / LEN(kinds);

        made[i] = (hd_sync){ .kind = kinds[i % LEN(kinds)], .delay = i % 2 == 0 ? HD_DELAY_NONE : HD_DELAY_LATE_SENDER,
                             .order = i, .partner = i % 3 == 0 ? ~i : i + 1, .call_path = i * 3,
                             .peer = i % 7 < 3 ? ~i : 7 + i % 7 - 5, .partner_thread = i % 4 == 0 ? 0 : (uint16_t)i };
        made[i].enter  = enter + (hd_time)(rest % 2 == 0 ? spans[rest / 2 % S] : -spans[rest / 2 % S]);
        made[i].wait   = i % LEN(kinds) < 3 ? spans[rest / 2 / S % S] : 0;
        made[i].pruned = made[i].wait + spans[rest / 2 / S / S % S] * (rest / 2 / S / S / S == 0 ? 1 : -1);
        enter          = made[i].enter;
        hd_syncs_add(syncs, &made[i]);
    }
    CHECK(hd_syncs_decode(syncs, &room, &n_own, &n_notified) == NULL);
    CHECK(n_own == syncs->n && n_notified == 0);
    for (uint32_t i = 0; i < N; i++) {
        const hd_sync *a = &syncs->points[i], *b = &made[i];

        CHECK(a->enter == b->enter && a->wait == b->wait && a->pruned == b->pruned && a->order == b->order &&
              a->call_path == b->call_path && a->peer == b->peer && a->kind == b->kind && a->delay == b->delay);
        CHECK(b->kind == HD_SYNC_EDGE || a->partner_thread == b->partner_thread);
        CHECK(i % LEN(kinds) >= 2 || a->partner == b->partner);
    }
    free(made);
    hd_sync_room_fini(&room, NULL);
    hd_syncs_free(syncs);
}

/* One of n numbers, for the k-th purpose at point i. */
static uint32_t
pick(uint32_t i, uint32_t k, uint32_t n)
{
    return (uint32_t)((i * UINT64_C(0x9E3779B97F4A7C15) + k * UINT64_C(0xD1B54A32D192ED03)) * 0x2545F491 >> 40) % n;
}

/* At most points one number is at a limit, or none. */
static hd_sync
point_of(uint32_t i, hd_time enter)
{
    static const uint32_t call_paths[] = { (1 << HD_SYNC_PATH_BITS) - 1, 1 << HD_SYNC_PATH_BITS, N_NODES - 1 };
    static const uint16_t threads[]    = { (1 << HD_SYNC_THREAD_BITS) - 1, 1 << HD_SYNC_THREAD_BITS, UINT16_MAX };
    static const uint8_t  kinds[]      = { HD_SYNC_RECV, HD_SYNC_SENT, HD_SYNC_SEND, HD_SYNC_REQUEST };
    hd_sync               sync = { .enter = enter, .order = i, .peer = 7, .kind = kinds[pick(i, 0, LEN(kinds))] };
    bool                  is_own = sync.kind == HD_SYNC_RECV || sync.kind == HD_SYNC_SENT;

    sync.delay          = sync.kind == HD_SYNC_RECV ? HD_DELAY_LATE_SENDER :
                          is_own ? HD_DELAY_LATE_RECEIVER : HD_DELAY_NONE;
    sync.call_path      = pick(i, 1, 5) == 0 ? call_paths[pick(i, 2, LEN(call_paths))] : 1;
    sync.partner_thread = pick(i, 3, 5) == 0 ? threads[pick(i, 4, LEN(threads))] : 0;
    sync.partner        = is_own ? UINT32_MAX - i : 0;
    sync.wait           = is_own && pick(i, 5, 5) == 0 ? spans[pick(i, 6, LEN(spans))] : 0;
    sync.pruned         = sync.wait + (pick(i, 7, 5) == 0 ? spans[pick(i, 8, LEN(spans))] : 0);
    if (pick(i, 9, 20) == 0)
        sync.pruned = -sync.pruned;
    return sync;
}

TEST(points_come_back_on_both_sides_of_each_limit)
{
    enum { N = 5000 };
    location        l;
    hd_sync         points[N + 1];
    const hd_syncs *syncs;

    begin(&l);
    points[0].enter = 0;
    for (uint32_t i = 1; i <= N; i++) {
        points[i] = point_of(i, points[i - 1].enter +
                             (hd_time)(pick(i, 10, 5) == 0 ? spans[pick(i, 11, LEN(spans))] : 1));
        if (points[i].kind == HD_SYNC_RECV || points[i].kind == HD_SYNC_SENT)
            hd_syncs_add(l.vproc.syncs, &points[i]);
        else
            hd_syncs_add_notified(l.vproc.syncs, &points[i]);
    }
    syncs = build(&l);
    REQUIRE(syncs->n == N + 2);
    for (uint32_t i = 1; i <= N; i++) {
        hd_sync sync = hd_sync_at(syncs, i);

        CHECK(is_same(&sync, &points[i]));
        CHECK_EQ(sync.previous, i - 1);
        CHECK(hd_sync_enter_at(syncs, i) == points[i].enter);
    }
    CHECK_EQ(hd_sync_kind_at(syncs, N + 1), HD_SYNC_END);
    CHECK(syncs->n_wholes > 1 && syncs->n_wholes < N);
    end(&l);
}

TEST(the_previous_point_may_be_far_away)
{
    enum { FAR = 1 << HD_SYNC_PREVIOUS_BITS };
    static const uint32_t distances[] = { FAR - 1, FAR };

    for (size_t k = 0; k < LEN(distances); k++) {
        location        l;
        const hd_syncs *syncs;

        begin(&l);
        for (uint32_t i = 1; i <= distances[k] + 1; i++)
            hd_syncs_add(l.vproc.syncs, &(hd_sync){ .kind = HD_SYNC_RECV, .delay = HD_DELAY_LATE_SENDER, .enter = 9 * i,
                                                    .order = i, .peer = i == 1 || i == distances[k] + 1 ? 1 : 2 });
        syncs = build(&l);
        CHECK_EQ(hd_sync_at(syncs, distances[k] + 1).previous, 1);
        CHECK_EQ(hd_sync_at(syncs, distances[k]).previous, distances[k] - 1);
        CHECK_EQ(hd_packed_sync_at(syncs, distances[k] + 1)->is_whole, distances[k] == FAR);
        end(&l);
    }
}

/* The time that call path c has from one point to another, if before each point i there was work in call path i % 50,
 * i % 3 ticks, and waits of i % 2 ticks in call path 60 are left out. */
static void
check_times(const hd_syncs *syncs, uint32_t from, uint32_t to, hd_time_vector *vector, hd_time_vector *scratch)
{
    double times[50] = { 0 }, waits = 0, found;

    for (uint32_t i = from + 1; i <= to; i++) {
        times[i % 50] += 1 + i % 3;
        waits += i < to ? i % 2 : 0;
    }
    found = hd_sync_time_net(vector, syncs, from, to, (hd_sync_rules){ .scratch = scratch });
    CHECK_EQ(found, waits);
    for (uint32_t c = 0; c < 50; c++)
        CHECK_EQ(hd_time_vector_get(vector, c), times[c]);
    CHECK_EQ(hd_time_vector_get(vector, 60), -waits);
}

TEST(times_between_points_go_over_the_borders_of_blocks)
{
    static const uint32_t numbers[] = { 1, 14, 15, 16, 29, 30, 31, 32, 33, 62, 63, 64, 65, 66, 67, 1100 };
    hd_time_vector        vector, scratch;

    hd_time_vector_init(&vector, 61);
    hd_time_vector_init(&scratch, 61);
    for (size_t k = 0; k < LEN(numbers); k++) {
        uint32_t        n = numbers[k], step = n < 70 ? 1 : 31;
        location        l;
        const hd_syncs *syncs;

        begin(&l);
        for (uint32_t i = 1; i <= n; i++) {
            uint8_t *at = hd_interval_log_room(&l.loaded.intervals, 1);

            hd_interval_log_close(&l.loaded.intervals, 10 * i, hd_path_time_write(at, i % 50, 1 + i % 3));
            hd_syncs_add(l.vproc.syncs, &(hd_sync){ .kind = HD_SYNC_RECV, .delay = HD_DELAY_LATE_SENDER,
                                                    .enter = 10 * i, .order = i, .call_path = 60, .wait = i % 2 });
        }
        syncs = build(&l);
        REQUIRE(syncs->n == n + 2);
        for (uint32_t from = 0; from < n; from += step)
            for (uint32_t to = from + 1; to <= n; to += step)
                check_times(syncs, from, to, &vector, &scratch);
        end(&l);
    }
    hd_time_vector_fini(&vector);
    hd_time_vector_fini(&scratch);
}

/* The time in each of some call paths, which another vector has, is that of the interval's vector. */
static void
check_others(const hd_syncs *syncs, uint32_t from, uint32_t to, bool extended, hd_time_vector *other,
             hd_time_vector *scratch)
{
    static const uint32_t some[] = { 4, 0, 2, 9 };
    hd_time_vector        of;

    hd_time_vector_init(&of, 10);
    for (size_t i = 0; i < LEN(some); i++)
        hd_time_vector_add(&of, some[i], 40);
    hd_sync_time_pruned(other, syncs, from, to, (hd_sync_rules){ .extended = extended, .scratch = scratch });
    hd_sync_time_add_others(&of, syncs, from, to, extended);
    for (size_t i = 0; i < LEN(some); i++) {
        double theirs = hd_time_vector_get(other, some[i]);

        CHECK_EQ(of.others[some[i]] > 0 ? of.others[some[i]] : 0, theirs > 0 ? theirs : 0);
        CHECK_EQ(of.spans[some[i]], 40);
    }
    hd_time_vector_fini(&of);
}

/* Of all short intervals of 100 points: calls that wait too long, for which no time is there, some by more than 32 bits
 * hold, waits that count in some vectors only, and completion times that are longer or shorter than the calls. */
TEST(time_that_is_added_as_that_of_another_location_is_its_vector)
{
    hd_time_vector  other, scratch;
    location        l;
    const hd_syncs *syncs;
    uint32_t        n = 0;

    begin(&l);
    hd_time_vector_init(&other, 10);
    hd_time_vector_init(&scratch, 10);
    for (uint32_t i = 1; i <= 100; i++) {
        hd_span wait = i % 3 == 0 ? i % 7 : 0;

        work(&l, 100 * i, i % 5, 1 + i % 3);
        if (i % 20 == 0)
            wait = INT64_C(1) << 33;
        hd_syncs_add(l.vproc.syncs, &(hd_sync){ .kind = i % 6 == 0 ? HD_SYNC_WAITED : HD_SYNC_RECV,
                                                .delay = i % 6 == 0 ? HD_DELAY_OMP_LOCK : HD_DELAY_LATE_SENDER,
                                                .enter = 100 * i, .order = i, .call_path = i % 4, .wait = wait,
                                                .pruned = wait + i % 4 });
    }
    syncs = build(&l);
    REQUIRE(syncs->n == 102);
    for (uint32_t from = 0; from < 100; from++)
        for (uint32_t to = from + 1; to <= 100; to++)
            for (uint32_t extended = 0; extended < 2 && hd_sync_time_is_short(from, to); extended++, n++)
                check_others(syncs, from, to, extended == 1, &other, &scratch);
    CHECK(n > 2000);
    CHECK(hd_sync_time_is_short(0, 63) && !hd_sync_time_is_short(0, 64) && hd_sync_time_is_short(31, 63) &&
          !hd_sync_time_is_short(31, 64) && hd_sync_time_is_short(32, 95) && !hd_sync_time_is_short(32, 96) &&
          !hd_sync_time_is_short(5, 5));
    hd_time_vector_fini(&other);
    hd_time_vector_fini(&scratch);
    end(&l);
}

/* Bytes between the first and the last point of a block, 65,534 and 65,536: entries of 6 bytes, and some of 4. */
TEST(vectors_of_a_block_may_be_large)
{
    static const struct {
        uint32_t n_long, n_short;
        bool     is_far;
    } cases[] = { { 10901, 19, false }, { 10902, 18, true }, { 30000, 0, true } };

    for (size_t k = 0; k < LEN(cases); k++) {
        location        l;
        const hd_syncs *syncs;
        hd_time_vector  vector;

        begin(&l);
        hd_time_vector_init(&vector, N_NODES);
        for (uint32_t i = 1; i < 70; i++) {
            hd_syncs_add(l.vproc.syncs, &(hd_sync){ .kind = HD_SYNC_RECV, .delay = HD_DELAY_LATE_SENDER,
                                                    .enter = 100 * i, .order = i });
            work(&l, 100 * i - 50, 600, i == 34 ? cases[k].n_long : 0);
            work(&l, 100 * i, 1, i == 34 ? cases[k].n_short : i > 34 ? 1 : 0);
        }
        syncs = build(&l);
        CHECK(syncs->blocks[1]->begins == NULL && syncs->blocks[3]->begins == NULL);
        CHECK_EQ(syncs->blocks[34 / HD_SYNC_BLOCK]->begins != NULL, cases[k].is_far);
        hd_sync_time_add(&vector, syncs, 33, 34, 0);
        CHECK_EQ(vector.n, cases[k].n_long + cases[k].n_short);
        CHECK_EQ(hd_time_vector_get(&vector, 600 + cases[k].n_long - 1), cases[k].n_long);
        hd_time_vector_clear(&vector);
        hd_sync_time_add(&vector, syncs, 34, 69, 0);
        CHECK_EQ(vector.n, 1);
        CHECK_EQ(hd_time_vector_get(&vector, 1), 35);
        hd_time_vector_fini(&vector);
        end(&l);
    }
}

TEST(notifications_come_back)
{
    static const hd_time  times[] = { 0, 1, UINT32_MAX, UINT64_C(1) << 40, UINT64_MAX };
    hd_syncs             *syncs = hd_syncs_new(NULL, 7);
    hd_sync_notification  made[500], *all;
    size_t                n;

    for (uint32_t i = 0; i < LEN(made); i++) {
        made[i] = (hd_sync_notification){ .enter = times[i % LEN(times)], .leave = times[i / 5 % LEN(times)],
                                          .peer = UINT32_MAX - i, .partner = i * 0x10001, .order = i * 7,
                                          .partner_thread = (uint16_t)(i * 331) };
        made[i].post = i % 4 == 3 ? i : HD_NONE;
        hd_syncs_add_notification(syncs, &made[i]);
    }
    all = hd_syncs_take_notifications(syncs, &n);
    REQUIRE(n == LEN(made));
    for (size_t i = 0; i < n; i++) {
        const hd_sync_notification *a = &all[i], *b = &made[i];

        CHECK(a->enter == b->enter && a->leave == b->leave && a->peer == b->peer && a->partner == b->partner &&
              a->order == b->order && a->post == b->post && a->partner_thread == b->partner_thread &&
              !a->is_taken);
    }
    free(all);
    hd_syncs_free(syncs);
}

TEST(groups_come_back_in_the_order_of_their_points)
{
    static const uint32_t numbers[] = { 0, 1, 127, 128, 16384, UINT32_MAX - 1, UINT32_MAX };
    hd_syncs             *syncs = hd_syncs_new(NULL, 7);
    hd_sync_group         made[700];
    hd_sync_room          room = { .points = NULL };
    size_t                n_own, n_notified;

    for (uint32_t i = 0; i < LEN(made); i++) {
        made[i] = (hd_sync_group){ .number = numbers[i % 7], .delayer = numbers[i / 7 % 7], .list = numbers[i / 3 % 7],
                                   .root = numbers[i / 2 % 7] };
        hd_syncs_add_group(syncs, &(hd_sync){ .kind = HD_SYNC_COLL, .delay = HD_DELAY_N2N, .enter = i, .order = i },
                           made[i]);
        hd_syncs_add(syncs, &(hd_sync){ .kind = HD_SYNC_IDLE, .delay = HD_DELAY_NONE, .enter = i, .partner = i });
    }
    CHECK(hd_syncs_decode(syncs, &room, &n_own, &n_notified) == NULL);
    CHECK(n_own == syncs->n && n_notified == 0);
    for (uint32_t i = 0; i < LEN(made); i++) {
        const hd_sync_group *group = hd_sync_group_of(syncs, &syncs->points[2 * (size_t)i]);

        CHECK(group->number == made[i].number && group->delayer == made[i].delayer && group->list == made[i].list &&
              group->root == made[i].root);
        CHECK_EQ(syncs->points[2 * (size_t)i + 1].partner, i);
    }
    hd_sync_room_fini(&room, NULL);
    hd_syncs_free(syncs);
}

TEST_MAIN
