/* src/trace/log/channel_order.c: uses are sorted by their records first, which gives each its turn. Then the posts of
 * each thread are gone through from the last one on: a receive gets the turn of a later post that is complete earlier.
 */
#include "channel_order.h"

#include "sort.h"

void
hd_channel_use_set(hd_channel_use *use, hd_channel_kind kind, uint32_t comm, uint32_t peer, uint32_t tag)
{
    use->key  = (uint64_t)kind << 32 | comm;
    use->rest = kind >= HD_CHANNEL_COLL ? 0 : (uint64_t)peer << 32 | tag;
}

static inline uint64_t
key_of(const hd_channel_use *use)
{
    return use->key;
}

static inline uint64_t
rest_of(const hd_channel_use *use)
{
    return use->rest;
}

#define COMPARE(field) \
    if (a->field != b->field) \
        return a->field < b->field ? -1 : 1

static int
compare_records(const void *left, const void *right)
{
    const hd_channel_use *a = left, *b = right;

    COMPARE(key);
    COMPARE(rest);
    COMPARE(time);
    COMPARE(thread);
    COMPARE(position);
    return 0;
}

static int
compare_posts(const void *left, const void *right)
{
    const hd_channel_use *a = left, *b = right;

    COMPARE(key);
    COMPARE(rest);
    COMPARE(post_thread);
    COMPARE(post);
    COMPARE(tick_order);
    COMPARE(at);
    return 0;
}

static int
compare_turns(const void *left, const void *right)
{
    const hd_channel_use *a = left, *b = right;

    COMPARE(turn); /* of one channel they follow each other */
    COMPARE(post);
    COMPARE(tick_order);
    COMPARE(at);
    return 0;
}

void
hd_channel_order_sort(hd_channel_use *uses, size_t n)
{
    if (n < 2)
        return;
    HD_SORT_BY_KEY(hd_channel_use, uses, n, rest_of);
    HD_SORT_BY_KEY(hd_channel_use, uses, n, key_of);
    HD_SORT_NEARLY(hd_channel_use, uses, n, compare_records);
    for (size_t i = 0; i < n; i++)
        uses[i].turn = uses[i].at = i;
    HD_SORT_NEARLY(hd_channel_use, uses, n, compare_posts);
    for (size_t i = n - 1; i > 0; i--)
        if (hd_channel_use_same(&uses[i - 1], &uses[i]) && uses[i - 1].post_thread == uses[i].post_thread &&
            uses[i].turn < uses[i - 1].turn)
            uses[i - 1].turn = uses[i].turn;
    HD_SORT_NEARLY(hd_channel_use, uses, n, compare_turns);
}
