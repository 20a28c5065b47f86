/* tests/replay/test_result_rows.c: rows of a result are the same when they have been packed. */
#include "result_rows.h"

#include "check.h"

static const int64_t values[] = { 1, -1, 127, 128, -64, INT64_C(1) << 40, INT64_MAX, INT64_MIN };

/* [n] with call paths that are further and further apart. */
static hd_severity *
make_rows(size_t n, uint32_t first)
{
    hd_severity *rows = HD_NEW_ARRAY(hd_severity, n + 1);

    for (size_t i = 0; i < n; i++)
        rows[i] = (hd_severity){ .call_path = (first + (uint32_t)(i * i * i / 3)), .metric = (uint32_t)i % HD_N_METRICS,
                                 .value = values[i % (sizeof values / sizeof *values)] };
    return rows;
}

static void
check_rows(const hd_severity *rows, size_t n, uint32_t first)
{
    hd_severity *wanted = make_rows(n, first);

    for (size_t i = 0; i < n; i++) {
        CHECK_EQ(rows[i].call_path, wanted[i].call_path);
        CHECK_EQ(rows[i].metric, wanted[i].metric);
        CHECK_EQ(rows[i].value, wanted[i].value);
    }
    free(wanted);
}

TEST(packed_rows_come_back)
{
    static const size_t sizes[][2] = { { 0, 0 }, { 1, 0 }, { 0, 1 }, { 50, 7 }, { 900, 800 } };

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        hd_location_result result = { .n = sizes[i][0], .n_startup = sizes[i][1] };

        result.entries = make_rows(result.n, 0);
        result.startup = make_rows(result.n_startup, 4000000000);
        hd_result_rows_pack(&result);
        CHECK(result.startup == NULL);
        hd_result_rows_unpack(&result);
        CHECK_EQ(result.n, sizes[i][0]);
        CHECK_EQ(result.n_startup, sizes[i][1]);
        check_rows(result.entries, result.n, 0);
        check_rows(result.startup, result.n_startup, 4000000000);
        free(result.entries);
        free(result.startup);
    }
}

TEST_MAIN
