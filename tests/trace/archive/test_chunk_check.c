/* tests/trace/archive/test_chunk_check.c: files of an archive, looked over byte by byte.
 *
 *   chunk of 64 bytes   [3 B first last][records ...][0 0 0 ...]   last one   [3 B first last][records ...][2 1]
 */
#include <stdio.h>
#include <unistd.h>

#include "check.h"
#include "chunk_check.h"
#include "memory.h"

enum { CHUNK = 64, HEAD = 18 };

typedef struct written { /* a file that grows */
    uint8_t bytes[1024];
    size_t  n;
} written;

static void
put(written *w, const void *bytes, size_t n)
{
    memcpy(w->bytes + w->n, bytes, n);
    w->n += n;
}

#define PUT(w, ...) put((w), (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }))

static void
put_head(written *w, uint8_t order)
{
    const uint8_t numbers[16] = { 0 };

    PUT(w, 3, order);
    put(w, numbers, sizeof numbers);
}

static void
put_text(written *w) /* 12 bytes */
{
    PUT(w, 10, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0);
}

static void
end_chunk(written *w)
{
    while (w->n % CHUNK != 0)
        PUT(w, 0);
}

typedef struct seen {
    uint64_t n, at;
    int      n_chunks;
    bool     is_whole;
} seen;

static seen
look(const written *w, hd_chunk_kind kind)
{
    char      path[] = "/tmp/heddle-test-chunk-XXXXXX";
    int       file   = mkstemp(path);
    seen      s      = { 0 };
    hd_chunks chunks;
    uint64_t  n;

    CHECK(file >= 0 && write(file, w->bytes, w->n) == (ssize_t)w->n);
    CHECK(hd_chunks_open(&chunks, path, CHUNK, kind));
    while ((n = hd_chunks_next(&chunks)) > 0) {
        s.n += n;
        s.n_chunks++;
    }
    s.at       = chunks.at;
    s.is_whole = chunks.is_whole;
    hd_chunks_close(&chunks);
    close(file);
    unlink(path);
    return s;
}

/* Two chunks of three and two definitions. */
static written
two_chunks(void)
{
    written w = { .n = 0 };

    put_head(&w, 'B');
    for (int i = 0; i < 3; i++)
        put_text(&w);
    end_chunk(&w);
    put_head(&w, 'B');
    put_text(&w);
    put_text(&w);
    PUT(&w, 2, 1);
    return w;
}

TEST(all_chunks_of_a_file_are_gone_through)
{
    written w = two_chunks();
    seen    s = look(&w, HD_CHUNK_DEFINITIONS);

    CHECK_EQ(s.n, 5);
    CHECK_EQ(s.n_chunks, 2);
    CHECK(s.is_whole);
}

/* However many bytes are left: whole records are counted, and the file is whole only with its end. */
TEST(a_file_that_is_cut_off_has_the_records_before)
{
    written w = two_chunks();

    for (size_t n = 0; n < w.n; n++) {
        written cut      = { .n = n };
        size_t  behind   = n < CHUNK + HEAD ? 0 : (n - CHUNK - HEAD) / 12;
        size_t  expected = n < HEAD ? 0 : n < CHUNK ? (n - HEAD) / 12 : 3 + behind;
        seen    s;

        memcpy(cut.bytes, w.bytes, n);
        s = look(&cut, HD_CHUNK_DEFINITIONS);
        CHECK_EQ(s.n, expected > 5 ? 5 : expected);
        CHECK_EQ(s.is_whole, n == w.n - 1); /* without the last byte, which says nothing */
    }
}

TEST(a_list_that_is_longer_than_its_record_ends_the_file)
{
    static const struct {
        hd_chunk_kind kind;
        uint8_t       record[16];
    } cases[] = {
        { HD_CHUNK_DEFINITIONS, { 18, 6, 0, 0, 1, 1, 200, 0 } },
        { HD_CHUNK_LOCAL_DEFINITIONS, { 5, 11, 0, 8, 0, 0, 0, 0, 0, 0, 0, 32, 0 } },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        written w = { .n = 0 };
        seen    s;

        put_head(&w, 'B');
        PUT(&w, 10, 1, 0);
        put(&w, cases[i].record, 2 + (size_t)cases[i].record[1]);
        PUT(&w, 2, 1);
        s = look(&w, cases[i].kind);
        CHECK_EQ(s.n, 1);
        CHECK_EQ(s.at, HEAD + 3);
        CHECK(!s.is_whole);
    }
}

TEST(a_list_that_fits_its_record_does_not)
{
    written w = { .n = 0 };

    put_head(&w, 'B');
    PUT(&w, 18, 7, 0, 0, 1, 1, 2, 0, 0);
    PUT(&w, 5, 3, 1, 2, 3);
    PUT(&w, 2, 1);
    CHECK_EQ(look(&w, HD_CHUNK_DEFINITIONS).n, 2);
    CHECK(look(&w, HD_CHUNK_DEFINITIONS).is_whole);
}

/* The length of a long record, and numbers in lists, are in the order of the chunk. */
TEST(either_byte_order_is_understood)
{
    for (int i = 0; i < 2; i++) {
        written w = { .n = 0 };

        put_head(&w, i == 0 ? 'B' : '#');
        PUT(&w, 14, 255);
        if (i == 0)
            PUT(&w, 3, 0, 0, 0, 0, 0, 0, 0);
        else
            PUT(&w, 0, 0, 0, 0, 0, 0, 0, 3);
        PUT(&w, 0, 0, 0);
        PUT(&w, 2, 1);
        CHECK_EQ(look(&w, HD_CHUNK_DEFINITIONS).n, 1);
        CHECK(look(&w, HD_CHUNK_DEFINITIONS).is_whole);
    }
}

TEST_MAIN
