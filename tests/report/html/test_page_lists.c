/* tests/report/html/test_page_lists.c: long lists of a page's head, and rows that have streams of their own. */
#include <stdio.h>
#include <unistd.h>
#include <zlib.h>

#include "check.h"
#include "memory.h"
#include "page_lists.h"
#include "page_values.h"

/* ---- lists ------------------------------------------------------------------------------------------------------- */

static uint32_t
integer(const void *context, size_t i)
{
    return ((const uint32_t *)context)[i];
}

static const char *
name(const void *context, size_t i)
{
    return ((const char *const *)context)[i];
}

static void
check_integers(size_t n, const uint32_t *integers, const char *expected)
{
    char   *text;
    size_t  bytes;
    FILE   *file = open_memstream(&text, &bytes);
    hd_json json;

    REQUIRE(file != NULL);
    hd_json_init(&json, file, 0);
    hd_page_put_integers(&json, NULL, n, integer, integers);
    fclose(file);
    CHECK_STR(text, expected);
    free(text);
}

static void
check_names(size_t n, const char *const *names, const char *expected)
{
    char   *text;
    size_t  bytes;
    FILE   *file = open_memstream(&text, &bytes);
    hd_json json;

    REQUIRE(file != NULL);
    hd_json_init(&json, file, 0);
    hd_page_put_names(&json, NULL, n, name, names);
    fclose(file);
    CHECK_STR(text, expected);
    free(text);
}

#define INTEGERS(expected, ...) \
    check_integers(sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t), (uint32_t[]){ __VA_ARGS__ }, expected)
#define NAMES(expected, ...) \
    check_names(sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *), (const char *[]){ __VA_ARGS__ }, expected)

TEST(integers_that_follow_a_rule_are_runs)
{
    check_integers(0, NULL, "[]");
    INTEGERS("[7]", 7);
    INTEGERS("[0,1,2]", 0, 1, 2);
    INTEGERS("{\"runs\":[0,1,4]}", 0, 1, 2, 3);
    INTEGERS("{\"runs\":[9,-3,4]}", 9, 6, 3, 0);
    INTEGERS("{\"runs\":[5,0,4,6,0,4]}", 5, 5, 5, 5, 6, 6, 6, 6);
    INTEGERS("{\"runs\":[-1,0,4,4294967294,0,3]}", HD_NONE, HD_NONE, HD_NONE, HD_NONE, HD_NONE - 1, HD_NONE - 1,
             HD_NONE - 1);
    INTEGERS("[0,1,0,1,0,1]", 0, 1, 0, 1, 0, 1);
    INTEGERS("{\"runs\":[-1,1,4]}", HD_NONE, 0, 1, 2);
}

TEST(names_that_are_numbered_are_runs)
{
    check_names(0, NULL, "[]");
    NAMES("[\"a0\",\"a1\",\"a2\"]", "a0", "a1", "a2");
    NAMES("{\"runs\":[\"a\",0,4]}", "a0", "a1", "a2", "a3");
    NAMES("{\"runs\":[\"MPI Rank \",98,4]}", "MPI Rank 98", "MPI Rank 99", "MPI Rank 100", "MPI Rank 101");
    NAMES("{\"runs\":[\"\",-1,4]}", "", "", "", "");
    NAMES("{\"runs\":[\"t7\",-1,4]}", "t7", "t7", "t7", "t7");
    NAMES("{\"runs\":[\"n0\",7,3,\"n\",10,4]}", "n07", "n08", "n09", "n10", "n11", "n12",
          "n13"); /* a zero in front is text */
    NAMES("[\"a1\",\"b2\",\"a3\",\"b4\"]", "a1", "b2", "a3", "b4");
    NAMES("[\"a1\",\"a2\",\"a02\",\"a3\",\"a\",\"a4\"]", "a1", "a2", "a02", "a3", "a", "a4");
    NAMES("{\"runs\":[\"\\\"\",999999998,2,\"\\\"100000000\",0,5]}", "\"999999998", "\"999999999", "\"1000000000",
          "\"1000000001", "\"1000000002", "\"1000000003", "\"1000000004");
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

enum { N_PATHS = 20, N_COLUMNS = HD_PAGE_ROW_ALONE };

static double
value_of(size_t path, size_t column)
{
    return path % 3 == 0 ? 0 : (double)path + (double)column / 7;
}

static hd_status
row(void *context, uint32_t path, double *values, bool *any)
{
    (void)context;
    for (size_t i = 0; i < N_COLUMNS; i++)
        values[i] = value_of(path, i);
    *any = path % 3 != 0;
    return HD_OK;
}

static unsigned
digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char       *at       = strchr(digits, c);

    return at != NULL ? (unsigned)(at - digits) : 0;
}

/* numbers: out, [N_COLUMNS] */
static void
read_stream(const char *text, size_t n, double *numbers)
{
    uint8_t *packed = malloc(n), *data = malloc(N_COLUMNS * 8);
    uLongf   n_data = N_COLUMNS * 8;
    size_t   n_packed = 0;

    REQUIRE(packed != NULL && data != NULL);
    CHECK_EQ(n % 4, 0);
    for (size_t i = 0; i + 4 <= n; i += 4) {
        unsigned group = digit(text[i]) << 18 | digit(text[i + 1]) << 12 | digit(text[i + 2]) << 6 | digit(text[i + 3]);

        for (int shift = 16; shift >= 0; shift -= 8)
            packed[n_packed++] = (uint8_t)(group >> shift);
    }
    CHECK_EQ(uncompress(data, &n_data, packed, n_packed), Z_OK);
    CHECK_EQ(n_data, N_COLUMNS * 8);
    for (size_t i = 0; i < N_COLUMNS; i++) {
        uint64_t bits = 0;

        for (size_t b = 0; b < 8; b++)
            bits |= (uint64_t)data[b * N_COLUMNS + i] << 8 * b;
        memcpy(&numbers[i], &bits, sizeof bits);
    }
    free(packed);
    free(data);
}

TEST(rows_of_many_values_have_streams_of_their_own)
{
    hd_cube_metric  metric = { .is_additive = true };
    hd_page_rows    rows   = { .metric = &metric, .n_paths = N_PATHS, .n_columns = N_COLUMNS, .row = row };
    hd_page_packer *packer = hd_page_packer_new();
    FILE           *file   = tmpfile();
    double         *numbers = HD_NEW_ARRAY(double, N_COLUMNS), *of_column = HD_NEW_ARRAY(double, N_COLUMNS);
    hd_page_metric  result;
    hd_out_file     out;
    char           *text;

    REQUIRE(file != NULL);
    hd_out_file_init(&out, fileno(file), 0);
    rows.of_column = of_column;
    CHECK_EQ(hd_page_values_write(&rows, packer, NULL, &out, &result), HD_OK);
    hd_out_file_flush(&out);
    CHECK_EQ(result.n_blocks, 3);
    CHECK_EQ(result.n_row_lengths, 10 + 3 + 2);
    text = HD_NEW_ARRAY(char, hd_out_file_place(&out) + 1);
    CHECK_EQ(pread(fileno(file), text, hd_out_file_place(&out), 0), (ssize_t)hd_out_file_place(&out));
    for (size_t i = 0; i < result.n_blocks; i++) {
        const hd_page_block *block = &result.blocks[i];
        uint64_t             at    = block->place.at;
        size_t               k     = block->first_row;
        uint32_t             width = block->level == 0 ? 1 : HD_PAGE_CHUNK;

        for (uint32_t r = 0; r < HD_PAGE_CHUNK; r++) {
            uint32_t first = (block->chunk * HD_PAGE_CHUNK + r) * width;
            double   sums[2] = { 0 };

            for (uint32_t path = first; path < first + width && path < N_PATHS; path++) {
                sums[0] += value_of(path, 0);
                sums[1] += value_of(path, N_COLUMNS - 1);
            }
            CHECK_EQ(block->mask >> r & 1, sums[1] > 0);
            if ((block->mask >> r & 1) == 0)
                continue;
            read_stream(text + at, result.row_lengths[k], numbers);
            CHECK(numbers[0] == sums[0]);
            CHECK(numbers[N_COLUMNS - 1] == sums[1]);
            at += result.row_lengths[k++];
        }
        CHECK_EQ(at, block->place.at + block->place.n);
    }
    for (uint32_t path = 0; path < N_PATHS; path++)
        CHECK((result.of_path[path] > 0) == (path % 3 != 0));
    read_stream(text + result.locations.at, result.locations.n, numbers);
    CHECK(memcmp(numbers, of_column, N_COLUMNS * sizeof *numbers) == 0);
    hd_page_metric_fini(&result);
    hd_out_file_fini(&out);
    hd_page_packer_free(packer);
    fclose(file);
    free(text);
    free(numbers);
    free(of_column);
}

TEST_MAIN
