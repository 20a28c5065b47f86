/* src/profile/matrix.c: puts the rows of the communication matrix of all threads and ranks in order.
 * Each rank sorts its rows once; pairs of ranks merge sorted rows, so rank 0 receives each pair once. */
#include "matrix.h"

#include "memory.h"

enum { FEW = 48 }; /* rows that are sorted by insertion */

void
hd_matrix_fini(hd_matrix *matrix)
{
    free(matrix->rows);
    *matrix = (hd_matrix){ 0 };
}

size_t
hd_matrix_make_rows(hd_matrix *matrix, size_t n)
{
    size_t first = matrix->n, grown = matrix->capacity + matrix->capacity / 2;

    if (matrix->n + n > matrix->capacity) {
        matrix->capacity = grown > matrix->n + n ? grown : matrix->n + n;
        matrix->rows     = hd_realloc(matrix->rows, matrix->capacity, sizeof *matrix->rows);
    }
    if (n > 0)
        memset(matrix->rows + first, 0, n * sizeof *matrix->rows);
    matrix->n += n;
    return first;
}

void
hd_matrix_add(hd_matrix *matrix, hd_matrix *from)
{
    if (matrix->n == 0 && from->n > 0) { /* no copy */
        hd_matrix empty = *matrix;

        matrix->rows     = from->rows;
        matrix->n        = from->n;
        matrix->capacity = from->capacity;
        from->rows       = empty.rows;
    } else if (from->n > 0) {
        size_t first = hd_matrix_make_rows(matrix, from->n);

        memcpy(matrix->rows + first, from->rows, from->n * sizeof *from->rows);
    }
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

static void
sort_few(hd_matrix_row *rows, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        hd_matrix_row row = rows[i];
        size_t        at  = i;

        for (; at > 0 && pair_of(&rows[at - 1]) > pair_of(&row); at--)
            rows[at] = rows[at - 1];
        rows[at] = row;
    }
}

static inline size_t
digit_of(const hd_matrix_row *row, unsigned shift)
{
    return pair_of(row) >> shift & 255;
}

/* Sorts in place, so that a row takes no more than its 48 bytes: by the highest byte in which pairs differ (a radix
 * sort from there on), then the rows of each digit. */
static void
sort_in_place(hd_matrix_row *rows, size_t n)
{
    size_t   next[256], ends[256] = { 0 }, place = 0;
    uint64_t differ = 0;
    unsigned shift;

    if (n <= FEW) {
        sort_few(rows, n);
        return;
    }
    for (size_t i = 1; i < n; i++)
        differ |= pair_of(&rows[i]) ^ pair_of(rows);
    if (differ == 0)
        return;
    shift = (63 - (unsigned)__builtin_clzll(differ)) / 8 * 8;
    for (size_t i = 0; i < n; i++)
        ends[digit_of(&rows[i], shift)]++;
    for (size_t digit = 0; digit < 256; digit++) {
        next[digit] = place;
        place += ends[digit];
        ends[digit] = place;
    }
    for (size_t digit = 0; digit < 256; digit++)
        while (next[digit] < ends[digit]) {
            hd_matrix_row *row = &rows[next[digit]];
            size_t         own = digit_of(row, shift);
            hd_matrix_row  other;

            if (own != digit) {
                other            = rows[next[own]];
                rows[next[own]] = *row;
                *row             = other;
            }
            next[own]++;
        }
    for (size_t digit = 0, begin = 0; digit < 256; begin = ends[digit++])
        if (ends[digit] - begin > 1)
            sort_in_place(rows + begin, ends[digit] - begin);
}

/* Sorts rows; those of one pair become one, those without any value none. Returns how many are left. */
static size_t
sort_rows(hd_matrix_row *rows, size_t n)
{
    size_t n_kept = 0;

    sort_in_place(rows, n);
    for (size_t i = 0; i < n; i++)
        if (n_kept > 0 && pair_of(&rows[n_kept - 1]) == pair_of(&rows[i]))
            add_row(&rows[n_kept - 1], &rows[i]);
        else if (rows[i].messages > 0 || rows[i].late_sender > 0 || rows[i].late_receiver > 0)
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
                      .capacity = matrix->capacity * sizeof *matrix->rows };

    hd_analysis_comm_fold(analysis_comm, &rows, merge_rows, NULL);
    hd_analysis_comm_reduce(analysis_comm, matrix->sizes, HD_MATRIX_SIZE_CLASSES, HD_SUM);
    if (hd_analysis_comm_rank(analysis_comm).v != 0) {
        free(rows.data);
        *matrix = (hd_matrix){ 0 };
        return;
    }
    hd_bytes_pack(&rows);
    matrix->rows = (hd_matrix_row *)(void *)rows.data;
    matrix->n    = matrix->capacity = rows.n / sizeof *matrix->rows;
}
