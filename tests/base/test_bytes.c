/* tests/base/test_bytes.c: numbers come out of a run of bytes as they went in, in as few bytes as they need. */
#include "bytes.h"
#include "check.h"
#include "random_numbers.h"

static size_t
size_of(uint64_t value)
{
    hd_bytes bytes = { 0 };
    size_t   n;

    hd_bytes_put_number(&bytes, value);
    n = bytes.n;
    free(bytes.data);
    return n;
}

TEST(numbers_take_one_byte_for_every_seven_bits)
{
    CHECK_EQ(size_of(0), 1);
    CHECK_EQ(size_of(127), 1);
    CHECK_EQ(size_of(128), 2);
    CHECK_EQ(size_of((1 << 14) - 1), 2);
    CHECK_EQ(size_of(1 << 14), 3);
    CHECK_EQ(size_of((UINT64_C(1) << 63) - 1), 9);
    CHECK_EQ(size_of(UINT64_C(1) << 63), 10);
    CHECK_EQ(size_of(UINT64_MAX), 10);
}

TEST(the_first_byte_has_the_lowest_bits)
{
    hd_bytes bytes = { 0 };

    hd_bytes_put_number(&bytes, 300);
    CHECK_EQ(bytes.data[0], (300 & 127) | 128);
    CHECK_EQ(bytes.data[1], 300 >> 7);
    free(bytes.data);
}

TEST(numbers_around_every_power_of_two_come_back)
{
    hd_bytes       bytes = { 0 };
    const uint8_t *at;
    uint32_t       wrong = 0;

    for (unsigned shift = 0; shift < 64; shift++)
        for (uint64_t add = 0; add < 3; add++)
            hd_bytes_put_number(&bytes, (UINT64_C(1) << shift) - 1 + add);
    hd_bytes_put_number(&bytes, UINT64_MAX);
    at = bytes.data;
    for (unsigned shift = 0; shift < 64; shift++)
        for (uint64_t add = 0; add < 3; add++)
            wrong += hd_bytes_get_number(&at) != (UINT64_C(1) << shift) - 1 + add;
    CHECK(hd_bytes_get_number(&at) == UINT64_MAX);
    CHECK_EQ(wrong, 0);
    CHECK(at == bytes.data + bytes.n);
    free(bytes.data);
}

TEST(random_numbers_and_runs_of_bytes_come_back_in_order)
{
    hd_bytes       bytes = { 0 };
    uint64_t       seed = 3, again = 3;
    const uint8_t *at;
    uint32_t       wrong = 0;

    for (int i = 0; i < 20000; i++) {
        uint64_t value = random_next(&seed) >> random_below(&seed, 64);

        hd_bytes_put_number(&bytes, value);
        hd_bytes_put(&bytes, &value, value % 9);
    }
    at = bytes.data;
    for (int i = 0; i < 20000; i++) {
        uint64_t value = random_next(&again) >> random_below(&again, 64);

        wrong += hd_bytes_get_number(&at) != value;
        wrong += memcmp(at, &value, value % 9) != 0;
        at += value % 9;
    }
    CHECK_EQ(wrong, 0);
    CHECK(at == bytes.data + bytes.n);
    CHECK(bytes.capacity <= 2 * bytes.n + 128);
    free(bytes.data);
}

TEST(what_is_large_grows_by_a_quarter)
{
    static const uint8_t zeros[1000];
    hd_bytes             bytes = { 0 };

    while (bytes.n < 5000000)
        hd_bytes_put(&bytes, zeros, sizeof zeros);
    CHECK(bytes.capacity < bytes.n + bytes.n / 3);
    free(bytes.data);
}

TEST(nothing_can_be_put_into_nothing)
{
    hd_bytes bytes = { 0 };

    hd_bytes_put(&bytes, NULL, 0);
    CHECK_EQ(bytes.n, 0);
    free(bytes.data);
}

TEST(reserved_room_is_not_moved_again)
{
    hd_bytes bytes = { 0 };
    uint8_t *data;

    hd_bytes_reserve(&bytes, 1000);
    data = bytes.data;
    for (int i = 0; i < 1000; i++)
        hd_bytes_put(&bytes, "x", 1);
    CHECK(bytes.data == data);
    CHECK_EQ(bytes.n, 1000);
    free(bytes.data);
}

TEST_MAIN
