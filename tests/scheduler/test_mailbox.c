/* tests/scheduler/test_mailbox.c: mail is taken by its number, in whatever order it came; those who wait are named once each. */
#include "check.h"
#include "mailbox.h"
#include "random_numbers.h"
#include "status.h"

static const hd_channel_key first_key = { .comm = 1, .tag = 2, .sender = 3, .receiver = 4 };

static void
put(hd_mailbox *mailbox, hd_box *box, uint32_t number)
{
    uint64_t payload[3] = { number, number * 2, ~(uint64_t)number };

    hd_mailbox_put(mailbox, box, number, payload);
    hd_mailbox_check(mailbox);
}

/* True if mail of this number is there, with the payload that put() gave it. */
static bool
take(hd_mailbox *mailbox, hd_box *box, uint32_t number)
{
    hd_mail *mail = hd_mailbox_take(box, number);
    uint64_t payload[3];
    bool     right;

    hd_mailbox_check(mailbox);
    if (mail == NULL)
        return false;
    memcpy(payload, mail->payload, sizeof payload);
    right = mail->number == number && payload[0] == number && payload[1] == number * 2 && payload[2] == ~(uint64_t)number;
    hd_mailbox_drop(mailbox, mail);
    CHECK(right);
    return true;
}

TEST(mail_is_taken_once)
{
    hd_mailbox mailbox;
    hd_box    *box;

    hd_mailbox_init(&mailbox, 24, 0);
    box = hd_mailbox_box(&mailbox, first_key);
    CHECK(!take(&mailbox, box, 0));
    put(&mailbox, box, 0);
    CHECK(!take(&mailbox, box, 1));
    CHECK(take(&mailbox, box, 0));
    CHECK(!take(&mailbox, box, 0));
    CHECK(box->first == NULL && box->last == NULL);
    hd_mailbox_fini(&mailbox);
}

TEST(mail_in_order_is_taken_in_order)
{
    hd_mailbox mailbox;
    hd_box    *box;

    hd_mailbox_init(&mailbox, 24, 0);
    box = hd_mailbox_box(&mailbox, first_key);
    for (uint32_t i = 0; i < 100; i++)
        put(&mailbox, box, i);
    for (uint32_t i = 0; i < 100; i++)
        CHECK(take(&mailbox, box, i));
    hd_mailbox_fini(&mailbox);
}

TEST(mail_out_of_order_is_found_by_its_number)
{
    static const uint32_t order[] = { 5, 2, 9, 0, 7, 1, 8, 3, 6, 4 };
    hd_mailbox            mailbox;
    hd_box               *box;

    hd_mailbox_init(&mailbox, 24, 0);
    box = hd_mailbox_box(&mailbox, first_key);
    for (int i = 0; i < 10; i++)
        put(&mailbox, box, order[i]);
    for (int i = 0; i < 10; i++)
        CHECK(take(&mailbox, box, order[9 - i]));
    CHECK(box->first == NULL && box->last == NULL);
    hd_mailbox_fini(&mailbox);
}

TEST(channels_that_differ_in_any_number_have_boxes_of_their_own)
{
    hd_mailbox     mailbox;
    hd_channel_key keys[5] = { first_key, first_key, first_key, first_key, first_key };
    hd_box        *boxes[5];

    keys[1].comm++, keys[2].tag++, keys[3].sender++, keys[4].receiver++;
    hd_mailbox_init(&mailbox, 24, 0);
    for (int i = 0; i < 5; i++)
        boxes[i] = hd_mailbox_box(&mailbox, keys[i]);
    for (int i = 0; i < 5; i++) {
        CHECK(hd_mailbox_box(&mailbox, keys[i]) == boxes[i]);
        for (int j = 0; j < i; j++)
            CHECK(boxes[i] != boxes[j]);
    }
    CHECK_EQ(mailbox.n_boxes, 5);
    hd_mailbox_fini(&mailbox);
}

/* Sender and receiver are neighbours, as they are in most programs, so that hashes are neighbours too. */
TEST(many_boxes_stay_where_they_are)
{
    enum { N = 40 };
    static hd_box *boxes[N][N][3];
    hd_mailbox     mailbox;
    uint32_t       wrong = 0;

    hd_mailbox_init(&mailbox, 24, 0);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t s = 0; s < N; s++)
            for (uint32_t r = 0; r < N; r++)
                for (uint32_t tag = 0; tag < 3; tag++) {
                    hd_box *box = hd_mailbox_box(&mailbox, (hd_channel_key){ .tag = tag, .sender = s, .receiver = r });

                    if (pass == 0)
                        boxes[s][r][tag] = box;
                    wrong += boxes[s][r][tag] != box;
                }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(mailbox.n_boxes, N * N * 3);
    hd_mailbox_fini(&mailbox);
}

TEST(agents_that_wait_are_named_once_each)
{
    hd_mailbox mailbox;
    hd_box    *box, *other;
    uint32_t   seen[6] = { 0 }, agent;

    hd_mailbox_init(&mailbox, 24, 6);
    box   = hd_mailbox_box(&mailbox, first_key);
    other = hd_mailbox_box(&mailbox, (hd_channel_key){ 0 });
    CHECK_EQ(hd_box_waiting_take(&mailbox, box), HD_NONE);
    hd_box_wait(&mailbox, box, 5);
    hd_box_wait(&mailbox, other, 1);
    hd_box_wait(&mailbox, box, 0);
    hd_box_wait(&mailbox, box, 3);
    while ((agent = hd_box_waiting_take(&mailbox, box)) != HD_NONE)
        seen[agent]++;
    CHECK(seen[0] == 1 && seen[3] == 1 && seen[5] == 1);
    CHECK(seen[1] == 0 && seen[2] == 0 && seen[4] == 0);
    CHECK_EQ(hd_box_waiting_take(&mailbox, other), 1);
    hd_box_wait(&mailbox, box, 3); /* and may wait again */
    CHECK_EQ(hd_box_waiting_take(&mailbox, box), 3);
    CHECK_EQ(hd_box_waiting_take(&mailbox, box), HD_NONE);
    hd_mailbox_fini(&mailbox);
}

TEST(an_agent_that_waits_no_longer_is_not_named)
{
    for (uint32_t gone = 0; gone < 3; gone++) {
        hd_mailbox mailbox;
        hd_box    *box;
        uint32_t   n = 0, agent;

        hd_mailbox_init(&mailbox, 24, 4);
        box = hd_mailbox_box(&mailbox, first_key);
        for (uint32_t a = 0; a < 3; a++)
            hd_box_wait(&mailbox, box, a);
        hd_box_unwait(&mailbox, box, gone);
        hd_box_unwait(&mailbox, box, 3); /* did not wait: nothing */
        while ((agent = hd_box_waiting_take(&mailbox, box)) != HD_NONE) {
            CHECK(agent != gone);
            n++;
        }
        CHECK_EQ(n, 2);
        hd_mailbox_fini(&mailbox);
    }
}

TEST(random_puts_and_takes_give_what_plain_arrays_give)
{
    enum { N_BOXES = 20, N_NUMBERS = 64 };
    enum { TO_COME, HERE, GONE };
    static uint8_t state[N_BOXES][N_NUMBERS];
    hd_mailbox     mailbox;
    uint64_t       seed  = 8;
    uint32_t       wrong = 0;

    hd_mailbox_init(&mailbox, 24, 0);
    for (int step = 0; step < 40000; step++) {
        uint32_t b = random_below(&seed, N_BOXES), number = random_below(&seed, N_NUMBERS);
        hd_box  *box = hd_mailbox_box(&mailbox, (hd_channel_key){ .comm = b % 3, .sender = b, .receiver = b / 2 });

        if (state[b][number] == TO_COME && random_below(&seed, 2) == 0) {
            put(&mailbox, box, number);
            state[b][number] = HERE;
        } else {
            wrong += take(&mailbox, box, number) != (state[b][number] == HERE);
            if (state[b][number] == HERE)
                state[b][number] = random_below(&seed, 4) == 0 ? GONE : TO_COME;
        }
    }
    CHECK_EQ(wrong, 0);
    hd_mailbox_fini(&mailbox);
}

TEST_MAIN
