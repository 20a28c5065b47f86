/* tests/profile/test_matrix.c: rows of the communication matrix of all threads and ranks become one for each pair. */
#include "check.h"
#include "test_comm.h"
#include "matrix.h"

static hd_analysis_comm *analysis_comm;

static void
add(hd_matrix *matrix, uint32_t sender, uint32_t receiver, uint64_t bytes, int64_t late_receiver)
{
    hd_matrix_row row = { .sender = sender, .receiver = receiver, .messages = 1, .bytes = bytes, .late_sender = 2,
                          .late_receiver = late_receiver, .transfer = 3 };

    size_t        at  = hd_matrix_make_rows(matrix, 1);

    matrix->rows[at] = row;
    matrix->sizes[hd_matrix_size_class(bytes)]++;
}

static bool
is_row(const hd_matrix_row *row, uint32_t sender, uint32_t receiver, uint64_t messages, uint64_t bytes,
       int64_t late_receiver)
{
    return row->sender == sender && row->receiver == receiver && row->messages == messages && row->bytes == bytes &&
           row->late_sender == 2 * (int64_t)messages && row->late_receiver == late_receiver &&
           row->transfer == 3 * (int64_t)messages;
}

TEST(size_classes_are_powers_of_two)
{
    CHECK_EQ(hd_matrix_size_class(0), 0);
    CHECK_EQ(hd_matrix_size_class(1), 1);
    CHECK_EQ(hd_matrix_size_class(2), 2);
    CHECK_EQ(hd_matrix_size_class(3), 2);
    CHECK_EQ(hd_matrix_size_class(4), 3);
    CHECK_EQ(hd_matrix_size_class(UINT64_MAX), HD_MATRIX_SIZE_CLASSES - 1);
    for (uint32_t i = 0; i < HD_MATRIX_SIZE_CLASSES; i++) {
        CHECK_EQ(hd_matrix_size_class(hd_matrix_size_class_begin(i)), i);
        CHECK_EQ(hd_matrix_size_class(hd_matrix_size_class_end(i)), i);
    }
}

/* Each rank has the same rows and one of its own. */
TEST(pairs_of_all_ranks_are_added_up_and_sorted)
{
    hd_matrix matrix = { 0 }, of_thread = { 0 };
    uint64_t  n      = hd_analysis_comm_size(analysis_comm);
    uint32_t  own    = hd_analysis_comm_rank(analysis_comm).v;

    add(&matrix, 3, 1, 8, 0);
    add(&matrix, 0, 70000, 0, 5);
    add(&of_thread, 3, 1, 9, 7);
    add(&of_thread, 100, own, 1, 0);
    hd_matrix_add(&matrix, &of_thread);
    CHECK_EQ(of_thread.n, 0);
    hd_matrix_gather(&matrix, analysis_comm);
    if (own != 0) {
        CHECK_EQ(matrix.n, 0);
        return;
    }
    CHECK_EQ(matrix.n, 2 + n);
    CHECK(is_row(&matrix.rows[0], 0, 70000, n, 0, 5 * (int64_t)n));
    CHECK(is_row(&matrix.rows[1], 3, 1, 2 * n, 17 * n, 7 * (int64_t)n));
    for (uint32_t i = 0; i < n; i++)
        CHECK(is_row(&matrix.rows[2 + i], 100, i, 1, 1, 0));
    CHECK_EQ(matrix.sizes[0], n);
    CHECK_EQ(matrix.sizes[1], n);
    CHECK_EQ(matrix.sizes[4], 2 * n);
    hd_matrix_fini(&matrix);
}

/* Rows of 40,000 pairs in an order that is none, each twice. */
TEST(many_pairs_keep_their_values)
{
    enum { N = 40000 };

    hd_matrix matrix = { 0 };
    uint64_t  n_ranks = hd_analysis_comm_size(analysis_comm);
    bool      is_right = true;

    CHECK_EQ(hd_matrix_make_rows(&matrix, 2 * N), 0);
    for (uint32_t i = 0; i < 2 * N; i++) {
        uint32_t at = (uint32_t)((uint64_t)i * 7919 % N);

        matrix.rows[i] = (hd_matrix_row){ .sender = at / 200 * 70000, .receiver = at % 200 * 300, .messages = at + 1,
                                          .bytes = 1 };
    }
    hd_matrix_gather(&matrix, analysis_comm);
    CHECK_EQ(matrix.n, hd_analysis_comm_rank(analysis_comm).v == 0 ? N : 0);
    for (uint32_t i = 0; i < matrix.n; i++) {
        const hd_matrix_row *row = &matrix.rows[i];

        is_right &= row->sender == i / 200 * 70000 && row->receiver == i % 200 * 300 &&
                    row->messages == 2 * n_ranks * (i + 1) && row->bytes == 2 * n_ranks;
    }
    CHECK(is_right);
    hd_matrix_fini(&matrix);
}

/* More than are sorted by insertion, of one pair, and of pairs of which a byte alone differs. */
TEST(rows_of_few_pairs_are_added_up)
{
    hd_matrix matrix  = { 0 };
    uint64_t  n_ranks = hd_analysis_comm_size(analysis_comm);

    for (uint32_t i = 0; i < 300; i++)
        add(&matrix, 5, 70000, 1, 0);
    for (uint32_t i = 0; i < 300; i++)
        add(&matrix, 5, 70000 + (i % 3 << 8), 1, 0);
    hd_matrix_gather(&matrix, analysis_comm);
    if (hd_analysis_comm_rank(analysis_comm).v == 0) {
        CHECK_EQ(matrix.n, 3);
        CHECK(is_row(&matrix.rows[0], 5, 70000, 400 * n_ranks, 400 * n_ranks, 0));
        CHECK(is_row(&matrix.rows[1], 5, 70256, 100 * n_ranks, 100 * n_ranks, 0));
        CHECK(is_row(&matrix.rows[2], 5, 70512, 100 * n_ranks, 100 * n_ranks, 0));
    } else
        CHECK_EQ(matrix.n, 0);
    hd_matrix_fini(&matrix);
}

TEST(no_rows_are_none)
{
    hd_matrix matrix = { 0 };

    if (hd_analysis_comm_rank(analysis_comm).v == 1)
        add(&matrix, 1, 2, 4, 0);
    hd_matrix_gather(&matrix, analysis_comm);
    CHECK_EQ(matrix.n, hd_analysis_comm_size(analysis_comm) > 1 && hd_analysis_comm_rank(analysis_comm).v == 0 ? 1 : 0);
    hd_matrix_fini(&matrix);
}

int
main(int argc, char **argv)
{
    int failed;

    analysis_comm  = hd_analysis_comm_open(TEST_COMM, &argc, &argv);
    failed = check_run_all(argc > 1 ? argv[1] : NULL);
    hd_analysis_comm_close(analysis_comm);
    return failed;
}
