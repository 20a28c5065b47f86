/* tests/scheduler/test_channel_queues.c: messages are taken by number, in any order of arrival; those who wait are
 * named once each. */
#include "check.h"
#include "channel_queues.h"
#include "random_numbers.h"
#include "status.h"

static const hd_channel_key first_key = { .comm = 1, .tag = 2, .sender = 3, .receiver = 4 };

static void
put(hd_channel_queues *channel_queues, hd_channel_queue *queue, uint32_t number)
{
    uint64_t payload[3] = { number, number * 2, ~(uint64_t)number };

    hd_channel_queues_put(channel_queues, queue, number, payload);
    hd_channel_queues_check(channel_queues);
}

/* True if the message of this number is there, with the payload that put() gave it. */
static bool
take(hd_channel_queues *channel_queues, hd_channel_queue *queue, uint32_t number)
{
    hd_queued_message *queued = hd_channel_queues_take(queue, number);
    uint64_t payload[3];
    bool     right;

    hd_channel_queues_check(channel_queues);
    if (queued == NULL)
        return false;
    memcpy(payload, queued->payload, sizeof payload);
    right = queued->number == number && payload[0] == number && payload[1] == number * 2 &&
            payload[2] == ~(uint64_t)number;
    hd_channel_queues_drop(channel_queues, queued);
    CHECK(right);
    return true;
}

TEST(mail_is_taken_once)
{
    hd_channel_queues channel_queues;
    hd_channel_queue *queue;

    hd_channel_queues_init(&channel_queues, 24, 0);
    queue = hd_channel_queues_get(&channel_queues, first_key);
    CHECK(!take(&channel_queues, queue, 0));
    put(&channel_queues, queue, 0);
    CHECK(!take(&channel_queues, queue, 1));
    CHECK(take(&channel_queues, queue, 0));
    CHECK(!take(&channel_queues, queue, 0));
    CHECK(queue->first == NULL);
    hd_channel_queues_fini(&channel_queues);
}

TEST(mail_in_order_is_taken_in_order)
{
    hd_channel_queues channel_queues;
    hd_channel_queue *queue;

    hd_channel_queues_init(&channel_queues, 24, 0);
    queue = hd_channel_queues_get(&channel_queues, first_key);
    for (uint32_t i = 0; i < 100; i++)
        put(&channel_queues, queue, i);
    for (uint32_t i = 0; i < 100; i++)
        CHECK(take(&channel_queues, queue, i));
    hd_channel_queues_fini(&channel_queues);
}

TEST(mail_out_of_order_is_found_by_its_number)
{
    static const uint32_t order[] = { 5, 2, 9, 0, 7, 1, 8, 3, 6, 4 };
    hd_channel_queues     channel_queues;
    hd_channel_queue     *queue;

    hd_channel_queues_init(&channel_queues, 24, 0);
    queue = hd_channel_queues_get(&channel_queues, first_key);
    for (int i = 0; i < 10; i++)
        put(&channel_queues, queue, order[i]);
    for (int i = 0; i < 10; i++)
        CHECK(take(&channel_queues, queue, order[9 - i]));
    CHECK(queue->first == NULL);
    hd_channel_queues_fini(&channel_queues);
}

TEST(channels_that_differ_in_any_number_have_boxes_of_their_own)
{
    hd_channel_queues channel_queues;
    hd_channel_key keys[5] = { first_key, first_key, first_key, first_key, first_key };
    hd_channel_queue *queues[5];

    keys[1].comm++, keys[2].tag++, keys[3].sender++, keys[4].receiver++;
    hd_channel_queues_init(&channel_queues, 24, 0);
    for (int i = 0; i < 5; i++)
        queues[i] = hd_channel_queues_get(&channel_queues, keys[i]);
    for (int i = 0; i < 5; i++) {
        CHECK(hd_channel_queues_get(&channel_queues, keys[i]) == queues[i]);
        for (int j = 0; j < i; j++)
            CHECK(queues[i] != queues[j]);
    }
    CHECK_EQ(channel_queues.n_queues, 5);
    hd_channel_queues_fini(&channel_queues);
}

/* Sender and receiver are neighbours, as they are in most programs, so that hashes are neighbours too. */
TEST(many_boxes_stay_where_they_are)
{
    enum { N = 40 };
    static hd_channel_queue *queues[N][N][3];
    hd_channel_queues channel_queues;
    uint32_t       wrong = 0;

    hd_channel_queues_init(&channel_queues, 24, 0);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t s = 0; s < N; s++)
            for (uint32_t r = 0; r < N; r++)
                for (uint32_t tag = 0; tag < 3; tag++) {
                    hd_channel_queue *queue = hd_channel_queues_get(&channel_queues,
                                                                    (hd_channel_key){ .tag = tag, .sender = s,
                                                                                      .receiver = r });

                    if (pass == 0)
                        queues[s][r][tag] = queue;
                    wrong += queues[s][r][tag] != queue;
                }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(channel_queues.n_queues, N * N * 3);
    hd_channel_queues_fini(&channel_queues);
}

TEST(vprocs_that_wait_are_named_once_each)
{
    hd_channel_queues channel_queues;
    hd_channel_queue *queue, *other;
    uint32_t   seen[6] = { 0 }, vproc;

    hd_channel_queues_init(&channel_queues, 24, 6);
    queue = hd_channel_queues_get(&channel_queues, first_key);
    other = hd_channel_queues_get(&channel_queues, (hd_channel_key){ 0 });
    CHECK_EQ(hd_channel_queue_take_waiting(&channel_queues, queue), HD_NONE);
    hd_channel_queue_wait(&channel_queues, queue, 5);
    hd_channel_queue_wait(&channel_queues, other, 1);
    hd_channel_queue_wait(&channel_queues, queue, 0);
    hd_channel_queue_wait(&channel_queues, queue, 3);
    while ((vproc = hd_channel_queue_take_waiting(&channel_queues, queue)) != HD_NONE)
        seen[vproc]++;
    CHECK(seen[0] == 1 && seen[3] == 1 && seen[5] == 1);
    CHECK(seen[1] == 0 && seen[2] == 0 && seen[4] == 0);
    CHECK_EQ(hd_channel_queue_take_waiting(&channel_queues, other), 1);
    hd_channel_queue_wait(&channel_queues, queue, 3); /* and may wait again */
    CHECK_EQ(hd_channel_queue_take_waiting(&channel_queues, queue), 3);
    CHECK_EQ(hd_channel_queue_take_waiting(&channel_queues, queue), HD_NONE);
    hd_channel_queues_fini(&channel_queues);
}

TEST(an_vproc_that_waits_no_longer_is_not_named)
{
    for (uint32_t gone = 0; gone < 3; gone++) {
        hd_channel_queues channel_queues;
        hd_channel_queue *queue;
        uint32_t   n = 0, vproc;

        hd_channel_queues_init(&channel_queues, 24, 4);
        queue = hd_channel_queues_get(&channel_queues, first_key);
        for (uint32_t a = 0; a < 3; a++)
            hd_channel_queue_wait(&channel_queues, queue, a);
        hd_channel_queue_unwait(&channel_queues, queue, gone);
        hd_channel_queue_unwait(&channel_queues, queue, 3); /* did not wait: nothing */
        while ((vproc = hd_channel_queue_take_waiting(&channel_queues, queue)) != HD_NONE) {
            CHECK(vproc != gone);
            n++;
        }
        CHECK_EQ(n, 2);
        hd_channel_queues_fini(&channel_queues);
    }
}

TEST(random_puts_and_takes_give_what_plain_arrays_give)
{
    enum { N_QUEUES = 20, N_NUMBERS = 64 };
    enum { TO_COME, HERE, GONE };
    static uint8_t state[N_QUEUES][N_NUMBERS];
    hd_channel_queues channel_queues;
    uint64_t       seed  = 8;
    uint32_t       wrong = 0;

    hd_channel_queues_init(&channel_queues, 24, 0);
    for (int step = 0; step < 40000; step++) {
        uint32_t b = random_below(&seed, N_QUEUES), number = random_below(&seed, N_NUMBERS);
        hd_channel_queue *queue = hd_channel_queues_get(&channel_queues,
                                                        (hd_channel_key){ .comm = b % 3, .sender = b,
                                                                          .receiver = b / 2 });

        if (state[b][number] == TO_COME && random_below(&seed, 2) == 0) {
            put(&channel_queues, queue, number);
            state[b][number] = HERE;
        } else {
            wrong += take(&channel_queues, queue, number) != (state[b][number] == HERE);
            if (state[b][number] == HERE)
                state[b][number] = random_below(&seed, 4) == 0 ? GONE : TO_COME;
        }
    }
    CHECK_EQ(wrong, 0);
    hd_channel_queues_fini(&channel_queues);
}

TEST_MAIN
