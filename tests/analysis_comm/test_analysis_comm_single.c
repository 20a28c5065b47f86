/* tests/analysis_comm/test_analysis_comm_single.c: a communicator of one rank. */
#include "check.h"
#include "test_comm.h"
#include "analysis_comm.h"

TEST(is_rank_0_of_1_on_one_node)
{
    hd_analysis_comm *analysis_comm = hd_analysis_comm_open(TEST_COMM, NULL, NULL);

    CHECK_EQ(hd_analysis_comm_rank(analysis_comm).v, 0);
    CHECK_EQ(hd_analysis_comm_size(analysis_comm), 1);
    CHECK_EQ(hd_analysis_comm_node(analysis_comm), 0);
    CHECK_EQ(hd_analysis_comm_node_rank(analysis_comm), 0);
    CHECK_EQ(hd_analysis_comm_node_size(analysis_comm), 1);
    hd_analysis_comm_close(analysis_comm);
}

TEST(there_is_no_library)
{
    char *library = hd_analysis_comm_library(TEST_COMM);

    CHECK_STR(library, "none");
    free(library);
}

TEST(collective_calls_leave_the_only_contribution_as_it_is)
{
    hd_analysis_comm *analysis_comm = hd_analysis_comm_open(TEST_COMM, NULL, NULL);
    uint64_t          values[2]     = { 3, 4 };

    hd_analysis_comm_barrier(analysis_comm);
    hd_analysis_comm_broadcast(analysis_comm, values, sizeof values, (hd_arank){ 0 });
    for (int op = HD_SUM; op <= HD_OR; op++)
        hd_analysis_comm_reduce(analysis_comm, values, 2, (hd_reduce)op);
    CHECK_EQ(values[0], 3);
    CHECK_EQ(values[1], 4);
    CHECK_EQ(hd_analysis_comm_prefix_sum(analysis_comm, 17), 0);
    hd_analysis_comm_close(analysis_comm);
}

TEST(gathering_copies)
{
    hd_analysis_comm *analysis_comm = hd_analysis_comm_open(TEST_COMM, NULL, NULL);
    uint8_t          *all;
    uint64_t         *n_bytes;

    hd_analysis_comm_gather(analysis_comm, "abc", 3, &all, &n_bytes);
    CHECK_EQ(n_bytes[0], 3);
    CHECK(memcmp(all, "abc", 3) == 0);
    free(all);
    free(n_bytes);
    hd_analysis_comm_gather(analysis_comm, NULL, 0, &all, &n_bytes);
    CHECK_EQ(n_bytes[0], 0);
    CHECK(all != NULL);
    free(all);
    free(n_bytes);
    hd_analysis_comm_close(analysis_comm);
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
    hd_analysis_comm *analysis_comm = hd_analysis_comm_open(TEST_COMM, NULL, NULL);
    hd_bytes          bytes         = { 0 };

    hd_bytes_put(&bytes, "xyz", 3);
    hd_analysis_comm_fold(analysis_comm, &bytes, merge_must_not_be_called, NULL);
    CHECK_EQ(bytes.n, 3);
    CHECK(memcmp(bytes.data, "xyz", 3) == 0);
    free(bytes.data);
    hd_analysis_comm_close(analysis_comm);
}

TEST(shared_data_outlives_what_it_was_made_of)
{
    hd_analysis_comm *analysis_comm = hd_analysis_comm_open(TEST_COMM, NULL, NULL);
    char              text[]        = "shared";
    size_t            bytes = sizeof text, none = 0;
    const char       *shared = hd_analysis_comm_share(analysis_comm, text, &bytes);

    text[0] = '\0';
    CHECK_EQ(bytes, sizeof text);
    CHECK_STR(shared, "shared");
    CHECK(hd_analysis_comm_share(analysis_comm, NULL, &none) != NULL);
    CHECK_EQ(none, 0);
    hd_analysis_comm_close(analysis_comm);
}

TEST(agreeing_alone_keeps_status_and_words)
{
    hd_analysis_comm *analysis_comm = hd_analysis_comm_open(TEST_COMM, NULL, NULL);

    CHECK_EQ(hd_agree(analysis_comm, HD_OK), HD_OK);
    CHECK_EQ(hd_agree(analysis_comm, hd_fail(HD_EOPEN, "no file")), HD_EOPEN);
    CHECK_STR(hd_error_get()->text, "no file");
    hd_analysis_comm_close(analysis_comm);
}

TEST(closing_nothing_is_fine)
{
    hd_analysis_comm_close(NULL);
    CHECK(true);
}

TEST_MAIN
