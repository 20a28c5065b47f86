/* Members of communicators: what is written as runs or as a list is read back, and only what is regular becomes
 * short. */
#include <string.h>

#include "check.h"
#include "comm_group.h"

enum { MOST = 4096 };

typedef struct packed {
    hd_defs       head;
    hd_comm_group group;
    uint32_t      numbers[2 + MOST]; /* two of another group come first */
} packed;

static packed   p;
static uint32_t members[MOST], copy[MOST];

static uint32_t
pack(uint32_t n)
{
    p.head  = (hd_defs){ .members = offsetof(packed, numbers) };
    p.group = (hd_comm_group){ .first = 2 };
    return hd_comm_group_write(&p.group, p.numbers + 2, members, n);
}

static uint32_t
rank_by_looking(uint32_t n, uint32_t process)
{
    for (uint32_t i = 0; i < n; i++)
        if (members[i] == process)
            return i;
    return HD_NONE;
}

/* Everything that can be asked has the right answer. */
static void
check_all(uint32_t n)
{
    CHECK_EQ(p.group.n, n);
    memset(copy, 0, sizeof copy);
    hd_comm_group_read(&p.head, &p.group, copy);
    CHECK(memcmp(copy, members, n * sizeof *copy) == 0);
    for (uint32_t i = 0; i < n; i++) {
        CHECK_EQ(hd_comm_group_member(&p.head, &p.group, i), members[i]);
        for (uint32_t process = members[i] - 2; process != members[i] + 3; process++)
            if (process != HD_NONE)
                CHECK_EQ(hd_comm_group_rank(&p.head, &p.group, process), rank_by_looking(n, process));
    }
    CHECK_EQ(hd_comm_group_rank(&p.head, &p.group, HD_NONE), HD_NONE);
}

TEST(the_world_is_one_run)
{
    for (uint32_t i = 0; i < MOST; i++)
        members[i] = i;
    CHECK_EQ(pack(MOST), 3);
    CHECK_EQ(p.group.n_runs, 1);
    CHECK_EQ(hd_comm_group_rank(&p.head, &p.group, MOST), HD_NONE);
    check_all(MOST);
}

TEST(columns_and_falling_orders_are_one_run)
{
    for (uint32_t i = 0; i < 64; i++)
        members[i] = 5 + 64 * i;
    CHECK_EQ(pack(64), 3);
    check_all(64);
    for (uint32_t i = 0; i < 64; i++)
        members[i] = 1000 - 3 * i;
    CHECK_EQ(pack(64), 3);
    check_all(64);
}

TEST(a_plane_is_a_run_for_each_of_its_rows)
{
    for (uint32_t i = 0; i < 256; i++)
        members[i] = i / 16 * 100 + i % 16;
    CHECK_EQ(pack(256), 16 * 3);
    CHECK_EQ(p.group.n_runs, 16);
    check_all(256);
}

TEST(members_that_the_archive_lacks_stand_alone)
{
    for (uint32_t i = 0; i < 64; i++)
        members[i] = i == 20 || i == 21 ? HD_NONE : i;
    CHECK_EQ(pack(64), 4 * 3);
    check_all(64);
}

TEST(what_has_no_order_is_a_list)
{
    uint32_t seed = 1;

    for (uint32_t i = 0; i < 500; i++)
        members[i] = i;
    for (uint32_t i = 499; i > 0; i--) {
        uint32_t j = (seed = seed * 1664525 + 1013904223) % (i + 1), m = members[i];

        members[i] = members[j];
        members[j] = m;
    }
    CHECK_EQ(pack(500), 500);
    CHECK_EQ(p.group.n_runs, 0);
    check_all(500);
}

TEST(small_ones_take_no_more_room_than_a_list)
{
    for (uint32_t n = 0; n <= 4; n++) {
        for (uint32_t i = 0; i < n; i++)
            members[i] = i * 2;
        CHECK(pack(n) <= n);
        check_all(n);
    }
}

TEST(a_process_that_stands_there_twice)
{
    memcpy(members, (uint32_t[]){ 7, 7, 7, 7 }, 4 * sizeof *members);
    CHECK_EQ(pack(4), 3);
    check_all(4);
}

TEST_MAIN
