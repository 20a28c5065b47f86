/* src/profile/matrix.c: puts the rows of the communication matrix of all threads and ranks in order.
 * Each rank sorts its rows once; pairs of ranks merge sorted rows, so rank 0 receives each pair once. */
#include "matrix.h"

#include "sort.h"

void
hd_matrix_fini(hd_matrix *matrix)
{
    free(matrix->rows);
    *matrix = (hd_matrix){ 0 };
}

void
hd_matrix_add(hd_matrix *matrix, hd_matrix *from)
{
    if (matrix->n == 0) {
        hd_matrix_row *empty = matrix->rows;

        matrix->rows = from->rows;
        from->rows   = empty;
    } else if (from->n > 0) {
        matrix->rows = hd_realloc(matrix->rows, matrix->n + from->n, sizeof *matrix->rows);
        memcpy(matrix->rows + matrix->n, from->rows, from->n * sizeof *from->rows);
    }
    matrix->n += from->n;
    for (uint32_t i = 0; i < HD_MATRIX_SIZE_CLASSES; i++)
        matrix->sizes[i] += from->sizes[i];
    hd_matrix_fini(from);
}

static inline uint64_t
pair_of(const hd_matrix_row *row)
{
    return (uint64_t)row->sender << 32 | row->receiver;
}

static void
add_row(hd_matrix_row *sum, const hd_matrix_row *row)
{
    sum->messages += row->messages;
    sum->bytes += row->bytes;
    sum->late_sender += row->late_sender;
    sum->late_receiver += row->late_receiver;
    sum->transfer += row->transfer;
}

/* Sorts rows; those of one pair become one. Returns how many are left. */
static size_t
sort_rows(hd_matrix_row *rows, size_t n)
{
    size_t n_kept = 0;

    HD_SORT_BY_KEY(hd_matrix_row, rows, n, pair_of);
    for (size_t i = 0; i < n; i++)
        if (n_kept > 0 && pair_of(&rows[n_kept - 1]) == pair_of(&rows[i]))
            add_row(&rows[n_kept - 1], &rows[i]);
        else
            rows[n_kept++] = rows[i];
    return n_kept;
}

static void
merge_rows(void *context, hd_bytes *lower, const hd_bytes *upper)
{
    const hd_matrix_row *a = (const void *)lower->data, *a_end = a + lower->n / sizeof *a;
    const hd_matrix_row *b = (const void *)upper->data, *b_end = b + upper->n / sizeof *b;
    hd_bytes             merged = { 0 };

    (void)context;
    if (b == b_end)
        return;
    hd_bytes_reserve(&merged, lower->n + upper->n);
    while (a < a_end || b < b_end) {
        bool          takes_a = b == b_end || (a < a_end && pair_of(a) <= pair_of(b));
        hd_matrix_row row     = takes_a ? *a++ : *b++;

        if (takes_a && b < b_end && pair_of(&row) == pair_of(b))
            add_row(&row, b++);
        hd_bytes_put(&merged, &row, sizeof row);
    }
    hd_bytes_fini(lower);
    *lower = merged;
}

void
hd_matrix_gather(hd_matrix *matrix, hd_analysis_comm *analysis_comm)
{
    size_t   n    = sort_rows(matrix->rows, matrix->n);
    hd_bytes rows = { .data = (uint8_t *)matrix->rows, .n = n * sizeof *matrix->rows,
                      .capacity = n * sizeof *matrix->rows };

    hd_analysis_comm_fold(analysis_comm, &rows, merge_rows, NULL);
    hd_analysis_comm_reduce(analysis_comm, matrix->sizes, HD_MATRIX_SIZE_CLASSES, HD_SUM);
    if (hd_analysis_comm_rank(analysis_comm).v != 0) {
        free(rows.data);
        *matrix = (hd_matrix){ 0 };
        return;
    }
    matrix->rows = (hd_matrix_row *)(void *)rows.data;
    matrix->n    = rows.n / sizeof *matrix->rows;
}
