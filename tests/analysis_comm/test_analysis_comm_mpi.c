/* tests/analysis_comm/test_analysis_comm_mpi.c: every call, on as many ranks as mpirun starts. All ranks run all tests.
 *
 * Arguments: "pairs" where every two ranks are a node (pairs_as_nodes.c), "fatal" to see how a rank ends the others.
 */
#include "check.h"
#include "test_comm.h"
#include "analysis_comm.h"
#include "memory.h"

enum { LARGE = 3 * 1024 * 1024 + 17 }; /* more than one mebibyte, and no multiple of anything */

static hd_analysis_comm *analysis_comm;
static uint32_t  me, n_ranks;
static bool      pairs;

static uint8_t
byte_of(uint32_t rank, size_t i)
{
    return (uint8_t)((i * 7 + i / 251 + rank * 31) & 255);
}

static uint8_t *
pattern(uint32_t rank, size_t bytes)
{
    uint8_t *data = hd_realloc(NULL, bytes, 1);

    for (size_t i = 0; i < bytes; i++)
        data[i] = byte_of(rank, i);
    return data;
}

static bool
is_pattern(const uint8_t *data, uint32_t rank, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (data[i] != byte_of(rank, i))
            return false;
    return true;
}

TEST(library_is_a_short_name_and_number)
{
    char  *library = hd_analysis_comm_library(TEST_COMM);
    size_t length  = strlen(library);

    CHECK(length > 5 && length < 40);
    CHECK(library[length - 1] >= '0' && library[length - 1] <= '9');
    CHECK(strpbrk(library, ":,\n\t") == NULL);
    if (me == 0)
        printf("     %s\n", library);
    free(library);
}

TEST(nodes_are_numbered_in_rank_order)
{
    uint32_t        mine[3] = { hd_analysis_comm_node(analysis_comm), hd_analysis_comm_node_rank(analysis_comm),
                                hd_analysis_comm_node_size(analysis_comm) };
    uint32_t        n_nodes = 0;
    uint32_t       *seen;
    const uint32_t *row;
    uint8_t        *all;
    uint64_t       *n_bytes;

    if (pairs) {
        CHECK_EQ(mine[0], me / 2);
        CHECK_EQ(mine[1], me % 2);
        CHECK_EQ(mine[2], me / 2 * 2 + 1 < n_ranks ? 2 : 1);
    }
    hd_analysis_comm_gather(analysis_comm, mine, sizeof mine, &all, &n_bytes);
    if (me != 0)
        return;
    seen = HD_NEW_ARRAY(uint32_t, n_ranks);
    for (uint32_t rank = 0; rank < n_ranks; rank++) {
        row = (const uint32_t *)(const void *)(all + rank * sizeof mine);
        CHECK(row[0] <= n_nodes); /* a new node has the next number */
        if (row[0] >= n_nodes)
            n_nodes = row[0] + 1;
        CHECK_EQ(row[1], seen[row[0]]++);
    }
    for (uint32_t rank = 0; rank < n_ranks; rank++) {
        row = (const uint32_t *)(const void *)(all + rank * sizeof mine);
        CHECK_EQ(row[2], seen[row[0]]);
    }
    free(seen);
    free(all);
    free(n_bytes);
}

TEST(everybody_gets_what_the_root_has)
{
    for (uint32_t root = 0; root < n_ranks; root++) {
        uint8_t *data = pattern(me == root ? root : 1000 + me, LARGE);

        hd_analysis_comm_broadcast(analysis_comm, data, LARGE, (hd_arank){ root });
        CHECK(is_pattern(data, root, LARGE));
        free(data);
    }
    hd_analysis_comm_broadcast(analysis_comm, NULL, 0, (hd_arank){ n_ranks - 1 });
}

TEST(reductions_work_element_by_element)
{
    const size_t n      = 300 * 1000; /* longer than one call to the library */
    uint64_t    *values = HD_NEW_ARRAY(uint64_t, n);
    uint64_t     ranks = n_ranks, last = n_ranks - 1;
    size_t       wrong = 0;

    for (int op = HD_SUM; op <= HD_OR; op++) {
        for (size_t i = 0; i < n; i++)
            values[i] = op == HD_OR ? UINT64_C(1) << ((me + i) % 64) : (i << 32) + me;
        hd_analysis_comm_reduce(analysis_comm, values, n, (hd_reduce)op);
        for (size_t i = 0; i < n; i++) {
            uint64_t expected = 0;

            switch ((hd_reduce)op) {
            case HD_SUM: expected = ranks * ((uint64_t)i << 32) + ranks * last / 2; break;
            case HD_MAX: expected = ((uint64_t)i << 32) + last; break;
            case HD_MIN: expected = (uint64_t)i << 32; break;
            case HD_OR:
                for (uint32_t rank = 0; rank < n_ranks; rank++)
                    expected |= UINT64_C(1) << ((rank + i) % 64);
                break;
            }
            wrong += values[i] != expected;
        }
        CHECK_EQ(wrong, 0);
    }
    hd_analysis_comm_reduce(analysis_comm, NULL, 0, HD_MAX);
    free(values);
}

TEST(the_largest_numbers_are_not_taken_for_negative_ones)
{
    uint64_t values[2] = { me == 0 ? UINT64_MAX : me, me == 0 ? 5 : UINT64_MAX - me };

    hd_analysis_comm_reduce(analysis_comm, values, 2, HD_MAX);
    CHECK(values[0] == UINT64_MAX);
    CHECK(values[1] == (n_ranks == 1 ? 5 : UINT64_MAX - 1));
    values[0] = me == 0 ? UINT64_MAX : me;
    values[1] = me == 0 ? 5 : UINT64_MAX - me;
    hd_analysis_comm_reduce(analysis_comm, values, 2, HD_MIN);
    CHECK(values[0] == (n_ranks == 1 ? UINT64_MAX : 1));
    CHECK(values[1] == 5);
}

TEST(prefix_sums_leave_out_the_own_value)
{
    CHECK_EQ(hd_analysis_comm_prefix_sum(analysis_comm, 1), me);
    CHECK_EQ(hd_analysis_comm_prefix_sum(analysis_comm, (uint64_t)me << 40),
             (uint64_t)me * (me > 0 ? me - 1 : 0) / 2 << 40);
}

static size_t
size_of(uint32_t rank, uint32_t kind)
{
    switch (kind) {
    case 0:  return 0;
    case 1:  return rank % 2 == 0 ? 5 : 0;
    case 2:  return rank % 2 == 1 ? 1 : 0;
    default: return LARGE + rank * 1001;
    }
}

TEST(rank_0_gathers_all_runs_in_rank_order)
{
    for (uint32_t kind = 0; kind < 4; kind++) {
        size_t    bytes = size_of(me, kind), at = 0;
        uint8_t  *data = pattern(me, bytes), *all = data;
        uint64_t *n_bytes = NULL;

        hd_analysis_comm_gather(analysis_comm, data, bytes, &all, &n_bytes);
        free(data);
        CHECK((all != NULL) == (me == 0));
        CHECK((n_bytes != NULL) == (me == 0));
        for (uint32_t rank = 0; n_bytes != NULL && rank < n_ranks; rank++) {
            CHECK_EQ(n_bytes[rank], size_of(rank, kind));
            CHECK(is_pattern(all + at, rank, size_of(rank, kind)));
            at += size_of(rank, kind);
        }
        free(all);
        free(n_bytes);
    }
}

/* A run is { first, last } and a tail as long as it likes; only neighbours can be joined. */
static void
join(void *context, hd_bytes *lower, const hd_bytes *upper)
{
    uint32_t a[2], b[2];

    memcpy(a, lower->data, sizeof a);
    memcpy(b, upper->data, sizeof b);
    CHECK_EQ(b[0], a[1] + 1);
    a[1] = b[1];
    memcpy(lower->data, a, sizeof a);
    hd_bytes_put(lower, upper->data + sizeof b, upper->n - sizeof b);
    ++*(int *)context;
}

TEST(folding_keeps_the_order_of_ranks)
{
    for (uint32_t kind = 0; kind < 4; kind++) {
        hd_bytes bytes   = { 0 };
        size_t   n       = size_of(me, kind), at = 2 * sizeof(uint32_t);
        uint8_t *tail    = pattern(me, n);
        uint32_t both[2] = { me, me };
        int      merged  = 0;

        hd_bytes_put(&bytes, both, sizeof both);
        hd_bytes_put(&bytes, tail, n);
        free(tail);
        hd_analysis_comm_fold(analysis_comm, &bytes, join, &merged);
        if (me == 0) {
            memcpy(both, bytes.data, sizeof both);
            CHECK_EQ(both[0], 0);
            CHECK_EQ(both[1], n_ranks - 1);
            for (uint32_t rank = 0; rank < n_ranks; rank++) {
                CHECK(is_pattern(bytes.data + at, rank, size_of(rank, kind)));
                at += size_of(rank, kind);
            }
            CHECK_EQ(bytes.n, at);
        }
        free(bytes.data);
    }
}

static void
concatenate(void *context, hd_bytes *lower, const hd_bytes *upper)
{
    (void)context;
    hd_bytes_put(lower, upper->data, upper->n);
}

TEST(folding_empty_runs_gives_an_empty_run)
{
    hd_bytes bytes = { 0 };

    hd_analysis_comm_fold(analysis_comm, &bytes, concatenate, NULL);
    CHECK_EQ(bytes.n, 0);
    free(bytes.data);
}

TEST(shared_data_is_rank_0s_on_all)
{
    static const size_t sizes[] = { 0, 1, 1000, LARGE, 64 * 1024 };
    const uint8_t      *shared[5];

    for (size_t i = 0; i < 5; i++) {
        uint8_t *data  = me == 0 ? pattern((uint32_t)i, sizes[i]) : NULL;
        size_t   bytes = me == 0 ? sizes[i] : 4711; /* ignored elsewhere */

        shared[i] = hd_analysis_comm_share(analysis_comm, data, &bytes);
        CHECK_EQ(bytes, sizes[i]);
        CHECK(shared[i] != NULL);
        if (data != NULL)
            memset(data, 255, sizes[i]);
        free(data);
    }
    for (size_t i = 0; i < 5; i++)
        CHECK(is_pattern(shared[i], (uint32_t)i, sizes[i]));
}

TEST(all_well_is_agreed_on)
{
    CHECK_EQ(hd_agree(analysis_comm, HD_OK), HD_OK);
}

TEST(each_single_failure_reaches_everybody)
{
    for (uint32_t bad = 0; bad < n_ranks; bad++) {
        char      words[64];
        hd_status status = HD_OK;

        if (me == bad) {
            status = hd_fail(HD_EREAD, "rank %" PRIu32 " cannot read", bad);
            hd_fail_detail("file", "\"%" PRIu32 ".evt\"", bad);
        }
        CHECK_EQ(hd_agree(analysis_comm, status), HD_EREAD);
        CHECK_EQ(hd_error_get()->status, HD_EREAD);
        snprintf(words, sizeof words, "rank %" PRIu32 " cannot read", bad);
        CHECK_STR(hd_error_get()->text, words);
        snprintf(words, sizeof words, "  file:     \"%" PRIu32 ".evt\"\n", bad);
        CHECK_STR(hd_error_get()->details, words);
    }
}

TEST(the_lowest_rank_that_knows_what_failed_is_heard)
{
    uint32_t knows = n_ranks > 1 ? 1 : 0;
    char     words[32];

    /* Rank 0 only knows that another one failed; the others fail, each for a reason of its own. */
    snprintf(words, sizeof words, "reason %" PRIu32, me);
    CHECK_EQ(hd_agree(analysis_comm,
                      hd_fail(me < knows ? HD_EPEER : me == knows ? HD_EFORMAT : HD_EWRITE, "%s", words)), HD_EFORMAT);
    snprintf(words, sizeof words, "reason %" PRIu32, knows);
    CHECK_STR(hd_error_get()->text, words);
    CHECK_EQ(hd_agree(analysis_comm, HD_EPEER), HD_EPEER);
    CHECK_EQ(hd_agree(analysis_comm, HD_OK), HD_OK);
}

int
main(int argc, char **argv)
{
    const char *argument;
    uint64_t    failed;

    analysis_comm    = hd_analysis_comm_open(TEST_COMM, &argc, &argv);
    me       = hd_analysis_comm_rank(analysis_comm).v;
    n_ranks  = hd_analysis_comm_size(analysis_comm);
    argument = argc > 1 ? argv[1] : "";
    pairs    = strcmp(argument, "pairs") == 0;
    if (strcmp(argument, "fatal") == 0) {
        if (me == n_ranks - 1)
            hd_fatal("the last rank gives up");
        hd_analysis_comm_barrier(analysis_comm);
        printf("still here\n");
        return 0;
    }
    failed = (uint64_t)check_run_all(NULL);
    hd_analysis_comm_barrier(analysis_comm);
    hd_analysis_comm_reduce(analysis_comm, &failed, 1, HD_MAX);
    hd_analysis_comm_close(analysis_comm);
    return failed != 0;
}
