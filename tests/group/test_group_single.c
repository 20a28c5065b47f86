/* tests/group/test_group_single.c: the group of one. */
#include "check.h"
#include "group.h"

TEST(is_rank_0_of_1_on_one_node)
{
    hd_group *group = hd_group_open(NULL, NULL);

    CHECK_EQ(hd_group_rank(group).v, 0);
    CHECK_EQ(hd_group_size(group), 1);
    CHECK_EQ(hd_group_node(group), 0);
    CHECK_EQ(hd_group_node_rank(group), 0);
    CHECK_EQ(hd_group_node_size(group), 1);
    hd_group_close(group);
}

TEST(there_is_no_library)
{
    char *library = hd_group_library();

    CHECK_STR(library, "none");
    free(library);
}

TEST(collective_calls_leave_the_only_contribution_as_it_is)
{
    hd_group *group     = hd_group_open(NULL, NULL);
    uint64_t  values[2] = { 3, 4 };

    hd_group_barrier(group);
    hd_group_broadcast(group, values, sizeof values, (hd_arank){ 0 });
    for (int op = HD_SUM; op <= HD_OR; op++)
        hd_group_reduce(group, values, 2, (hd_reduce)op);
    CHECK_EQ(values[0], 3);
    CHECK_EQ(values[1], 4);
    CHECK_EQ(hd_group_prefix_sum(group, 17), 0);
    hd_group_close(group);
}

TEST(gathering_copies)
{
    hd_group *group = hd_group_open(NULL, NULL);
    uint8_t  *all;
    uint64_t *n_bytes;

    hd_group_gather(group, "abc", 3, &all, &n_bytes);
    CHECK_EQ(n_bytes[0], 3);
    CHECK(memcmp(all, "abc", 3) == 0);
    free(all);
    free(n_bytes);
    hd_group_gather(group, NULL, 0, &all, &n_bytes);
    CHECK_EQ(n_bytes[0], 0);
    CHECK(all != NULL);
    free(all);
    free(n_bytes);
    hd_group_close(group);
}

static void
merge_must_not_be_called(void *context, hd_bytes *lower, const hd_bytes *upper)
{
    (void)context;
    (void)lower;
    (void)upper;
    CHECK(!"merged");
}

TEST(folding_one_run_merges_nothing)
{
    hd_group *group = hd_group_open(NULL, NULL);
    hd_bytes  bytes = { 0 };

    hd_bytes_put(&bytes, "xyz", 3);
    hd_group_fold(group, &bytes, merge_must_not_be_called, NULL);
    CHECK_EQ(bytes.n, 3);
    CHECK(memcmp(bytes.data, "xyz", 3) == 0);
    free(bytes.data);
    hd_group_close(group);
}

TEST(shared_data_outlives_what_it_was_made_of)
{
    hd_group   *group  = hd_group_open(NULL, NULL);
    char        text[] = "shared";
    size_t      bytes  = sizeof text, none = 0;
    const char *shared = hd_group_share(group, text, &bytes);

    text[0] = '\0';
    CHECK_EQ(bytes, sizeof text);
    CHECK_STR(shared, "shared");
    CHECK(hd_group_share(group, NULL, &none) != NULL);
    CHECK_EQ(none, 0);
    hd_group_close(group);
}

TEST(agreeing_alone_keeps_status_and_words)
{
    hd_group *group = hd_group_open(NULL, NULL);

    CHECK_EQ(hd_agree(group, HD_OK), HD_OK);
    CHECK_EQ(hd_agree(group, hd_fail(HD_EOPEN, "no file")), HD_EOPEN);
    CHECK_STR(hd_error_get()->text, "no file");
    hd_group_close(group);
}

TEST(closing_nothing_is_fine)
{
    hd_group_close(NULL);
    CHECK(true);
}

TEST_MAIN
