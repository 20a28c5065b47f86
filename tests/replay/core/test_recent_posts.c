/* tests/replay/core/test_recent_posts.c: the latest posts are found, and more of them once one was not. */
#include "check.h"
#include "recent_posts.h"

static void
put(hd_recent_posts *posts, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        hd_recent_posts_put(posts, 100 + i / 2, 200 + i, 3 * i, i + 1, i % 2); /* two in each tick */
}

static bool
is_found(hd_recent_posts **posts, uint32_t i)
{
    const hd_recent_post *found = hd_recent_posts_find(posts, 100 + i / 2, i % 2);

    if (found == NULL)
        return false;
    CHECK(found->enter + found->length == 200 + i && found->call_path == 3 * i && found->order == i + 1);
    return true;
}

TEST(none_is_found_where_none_was_put)
{
    hd_recent_posts *posts = NULL;

    CHECK(hd_recent_posts_find(&posts, 0, 0) == NULL);
    posts = hd_recent_posts_new();
    CHECK(hd_recent_posts_find(&posts, 0, 0) == NULL);
    put(posts, 0, 1);
    CHECK(is_found(&posts, 0) && hd_recent_posts_find(&posts, 100, 1) == NULL);
    CHECK(hd_recent_posts_find(&posts, 99, 0) == NULL && hd_recent_posts_find(&posts, 101, 0) == NULL);
    free(posts);
}

/* Those that it keeps stay when it grows, up to 512. */
TEST(one_that_is_not_there_any_more_makes_room_for_twice_as_many)
{
    hd_recent_posts *posts = hd_recent_posts_new();

    put(posts, 0, 20);
    for (uint32_t i = 12; i < 20; i++)
        CHECK(is_found(&posts, i));
    CHECK(!is_found(&posts, 11));
    for (uint32_t i = 12; i < 20; i++)
        CHECK(is_found(&posts, i));
    put(posts, 20, 28);
    CHECK(is_found(&posts, 12) && !is_found(&posts, 11));
    for (uint32_t i = 0; i < 10; i++) {
        put(posts, 28 + 1000 * i, 28 + 1000 * (i + 1));
        CHECK(!is_found(&posts, 28 + 1000 * i));
    }
    CHECK(is_found(&posts, 10028 - 512) && !is_found(&posts, 10028 - 513));
    free(posts);
}

TEST(a_call_that_is_too_long_is_not_kept)
{
    hd_recent_posts *posts = hd_recent_posts_new();

    hd_recent_posts_put(posts, 10, 11 + (hd_time)UINT32_MAX, 0, 1, 0);
    hd_recent_posts_put(posts, 20, 20 + (hd_time)UINT32_MAX, 0, 2, 0);
    CHECK(hd_recent_posts_find(&posts, 10, 0) == NULL && hd_recent_posts_find(&posts, 20, 0) != NULL);
    free(posts);
}

TEST_MAIN
