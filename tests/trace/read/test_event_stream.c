/* tests/trace/read/test_event_stream.c: event files byte by byte, without the OTF2 library.
 *
 *   chunk of 64 bytes   [3 B first last][items ...][0 0 0 ...]   last one   [3 B first last][items ...][2 1]
 */
#include <stdio.h>
#include <unistd.h>

#include "check.h"
#include "event_stream.h"
#include "every_record.h"
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
put_enter(written *w) /* with its time: 12 bytes */
{
    PUT(w, 5, 1, 2, 3, 4, 5, 6, 7, 8, 12, 1, 9);
}

static void
end_chunk(written *w)
{
    while (w->n % CHUNK != 0)
        PUT(w, 0);
}

typedef struct seen {
    hd_stream_start start;
    hd_decode_end   end;
    record_sum      sum;
    uint64_t        n;         /* of the stream */
    uint64_t        n_counted; /* without handlers */
    hd_decode_end   counted_end;
} seen;

static seen
look(const written *w)
{
    char            path[]  = "/tmp/heddle-test-events-XXXXXX";
    int             file    = mkstemp(path);
    hd_event_stream stream  = { .file = -1 };
    seen            s       = { .end = HD_DECODE_CUT, .counted_end = HD_DECODE_CHUNK_END };
    uint64_t        n       = 1;

    CHECK(file >= 0 && write(file, w->bytes, w->n) == (ssize_t)w->n);
    hd_local_definitions_clear(&stream.chunk.definitions);
    s.start = hd_event_stream_open(&stream, path, CHUNK, 7);
    if (s.start == HD_STREAM_READY)
        s.end = hd_event_stream_read(&stream, UINT64_MAX, &every_record, hd_event_decode_any, &s.sum);
    s.n = stream.chunk.n;
    hd_event_stream_close(&stream);
    if (hd_event_stream_open(&stream, path, CHUNK, 7) == HD_STREAM_READY)
        while (s.counted_end == HD_DECODE_CHUNK_END && n > 0) {
            s.counted_end = hd_event_stream_count(&stream, &n);
            s.n_counted += n;
        }
    hd_event_stream_fini(&stream);
    close(file);
    unlink(path);
    return s;
}

/* Two chunks of three and two events. */
static written
two_chunks(void)
{
    written w = { .n = 0 };

    put_head(&w, 'B');
    for (int i = 0; i < 3; i++)
        put_enter(&w);
    end_chunk(&w);
    put_head(&w, 'B');
    put_enter(&w);
    put_enter(&w);
    PUT(&w, 2, 1);
    return w;
}

TEST(all_chunks_of_a_file_are_read)
{
    written w = two_chunks();
    seen    s = look(&w);

    CHECK_EQ(s.n, 5);
    CHECK_EQ(s.sum.n, 5);
    CHECK_EQ(s.sum.kinds[12], 5);
    CHECK_EQ(s.end, HD_DECODE_FILE_END);
    CHECK_EQ(s.n_counted, 5);
    CHECK_EQ(s.counted_end, HD_DECODE_FILE_END);
}

/* However many bytes are left: whole events are read, and the file is whole only with its end. */
TEST(a_file_that_is_cut_off_has_the_events_before)
{
    written w = two_chunks();

    for (size_t n = 0; n < w.n; n++) {
        written cut      = { .n = n };
        size_t  behind   = n < CHUNK + HEAD ? 0 : (n - CHUNK - HEAD) / 12;
        size_t  expected = n < HEAD ? 0 : n < CHUNK ? (n - HEAD) / 12 : 3 + behind;
        seen    s;

        memcpy(cut.bytes, w.bytes, n);
        s = look(&cut);
        CHECK_EQ(s.n, expected > 5 ? 5 : expected);
        CHECK_EQ(s.n_counted, s.n);
        CHECK_EQ(s.start == HD_STREAM_READY, n > HEAD);
        CHECK_EQ(s.end, n == w.n - 1 ? HD_DECODE_FILE_END : HD_DECODE_CUT); /* the last byte says nothing */
    }
}

TEST(attributes_and_times_are_no_events_and_an_undefined_number_has_no_bytes)
{
    written w = { .n = 0 };
    seen    s;

    put_head(&w, 'B');
    PUT(&w, 6, 6, 1, 1, 1, 4, 1, 8);
    put_enter(&w);
    PUT(&w, 13, 255);
    PUT(&w, 22, 0);
    PUT(&w, 2, 1);
    s = look(&w);
    CHECK_EQ(s.n, 3);
    CHECK_EQ(s.sum.kinds[12] + s.sum.kinds[13] + s.sum.kinds[22], 3);
    CHECK_EQ(s.end, HD_DECODE_FILE_END);
}

/* One event, then what cannot be. */
TEST(what_cannot_be_ends_the_file_and_is_not_handed_over)
{
    static const struct {
        const char *what;
        uint8_t     n, item[40];
    } cases[] = {
        { "a program with more arguments than bytes", 9, { 83, 7, 0, 4, 255, 255, 255, 255, 0 } },
        { "the same, an undefined number of them", 4, { 83, 2, 0, 255 } },
        { "more attributes than bytes", 7, { 6, 5, 3, 0, 0, 1, 0 } },
        { "more bytes than attributes", 20, { 6, 18, 0 } },
        { "more metrics than bytes", 7, { 31, 5, 1, 1, 3, 4, 0 } },
        { "a region of five bytes", 7, { 12, 5, 1, 2, 3, 4, 5 } },
        { "a request of nine bytes", 11, { 16, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9 } },
        { "a number of more bytes in a record", 10, { 14, 8, 5, 1, 2, 3, 4, 5, 0, 0 } },
        { "fields behind the end of the record", 6, { 14, 3, 0, 0, 0, 0 } },
        { "a record that is longer than the chunk", 8, { 14, 200, 0, 0, 0, 0, 0, 0 } },
        { "a long record that is longer than any", 12, { 14, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0 } },
        { "two times in a row", 19, { 5, 1, 1, 1, 1, 1, 1, 1, 1, 5, 2, 2, 2, 2, 2, 2, 2, 2, 22 } },
        { "a mark in the middle", 1, { 1 } },
        { "the head of a chunk", 1, { 3 } },
        { "an item that is not used", 1, { 4 } },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        written w = { .n = 0 };
        seen    s;

        put_head(&w, 'B');
        PUT(&w, 22, 0);
        put(&w, cases[i].item, cases[i].n);
        PUT(&w, 2, 1);
        s = look(&w);
        if (s.n != 1 || s.sum.n != 1 || s.end != HD_DECODE_CUT || s.n_counted != 1)
            printf("%s: %d records, end %d\n", cases[i].what, (int)s.n, (int)s.end);
        CHECK(s.n == 1 && s.sum.n == 1 && s.end == HD_DECODE_CUT && s.n_counted == 1);
    }
}

/* Later versions append fields, and have kinds of their own. */
TEST(what_a_later_version_adds_is_passed_over)
{
    written w = { .n = 0 };
    seen    s;

    put_head(&w, 'B');
    PUT(&w, 87, 4, 1, 5, 99, 98);
    PUT(&w, 200, 3, 1, 2, 3);
    PUT(&w, 201, 0);
    PUT(&w, 7, 1, 1);
    PUT(&w, 2, 1);
    s = look(&w);
    CHECK_EQ(s.n, 4);
    CHECK_EQ(s.sum.kinds[87], 1);
    CHECK_EQ(s.sum.kinds[0], 3);
    CHECK_EQ(s.end, HD_DECODE_FILE_END);
}

/* The same records in both orders: a long record, a time, numbers of each length. */
TEST(either_byte_order_is_understood)
{
    uint64_t hash = 0;

    for (int i = 0; i < 2; i++) {
        written w = { .n = 0 };
        seen    s;

        put_head(&w, i == 0 ? 'B' : '#');
        if (i == 0) {
            PUT(&w, 5, 8, 7, 6, 5, 4, 3, 2, 0, 14, 255, 11, 0, 0, 0, 0, 0, 0, 0);
            PUT(&w, 3, 3, 2, 1, 0, 1, 9, 3, 1, 2, 3);
        } else {
            PUT(&w, 5, 0, 2, 3, 4, 5, 6, 7, 8, 14, 255, 0, 0, 0, 0, 0, 0, 0, 11);
            PUT(&w, 3, 1, 2, 3, 0, 1, 9, 3, 3, 2, 1);
        }
        PUT(&w, 2, 1);
        s = look(&w);
        CHECK_EQ(s.n, 1);
        CHECK_EQ(s.sum.kinds[14], 1);
        CHECK_EQ(s.end, HD_DECODE_FILE_END);
        CHECK(i == 0 || s.sum.hash == hash);
        hash = s.sum.hash;
    }
}

static OTF2_CallbackCode
stop_at_second(HD_EVENT_PARAMETERS HD_EVENT_Enter(HD_PARAMETER))
{
    uint64_t *n = user;

    (void)location, (void)time, (void)attributes, (void)region;
    *n += 1;
    CHECK_EQ(position, *n);
    return *n == 2 ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

/* Reading goes on behind the record at which it was interrupted, or that was the last one asked for. */
TEST(reading_goes_on_where_it_ended)
{
    static const hd_event_handlers handlers = { .Enter = stop_at_second };
    written                        w        = two_chunks();
    char                           path[]   = "/tmp/heddle-test-events-XXXXXX";
    int                            file     = mkstemp(path);
    hd_event_stream                stream   = { .file = -1 };
    uint64_t                       n        = 0;

    CHECK(file >= 0 && write(file, w.bytes, w.n) == (ssize_t)w.n);
    hd_local_definitions_clear(&stream.chunk.definitions);
    CHECK_EQ(hd_event_stream_open(&stream, path, CHUNK, 7), HD_STREAM_READY);
    CHECK_EQ(hd_event_stream_read(&stream, 1, &handlers, hd_event_decode_any, &n), HD_DECODE_GOES_ON);
    CHECK_EQ(n, 1);
    CHECK_EQ(hd_event_stream_read(&stream, 5, &handlers, hd_event_decode_any, &n), HD_DECODE_INTERRUPTED);
    CHECK_EQ(stream.chunk.n, 2);
    CHECK_EQ(hd_event_stream_read(&stream, 5, &handlers, hd_event_decode_any, &n), HD_DECODE_GOES_ON);
    CHECK_EQ(n, 5);
    CHECK_EQ(hd_event_stream_read(&stream, 6, &handlers, hd_event_decode_any, &n), HD_DECODE_FILE_END);
    CHECK_EQ(n, 5);
    hd_event_stream_fini(&stream);
    close(file);
    unlink(path);
}

/* Clocks: between offsets, before the first one, behind the last one; a single one says nothing. */
TEST(times_are_corrected_by_the_line_between_two_offsets)
{
    hd_local_definitions d = { .n_intervals = 0 };

    hd_local_definitions_clear(&d);
    hd_local_definitions_offset(&d, 100, 10);
    hd_local_definitions_begin(&d, false);
    CHECK_EQ(hd_local_definitions_time(&d, 150), 150);
    hd_local_definitions_offset(&d, 200, 20);
    hd_local_definitions_offset(&d, 300, -80);
    hd_local_definitions_begin(&d, false);
    CHECK_EQ(hd_local_definitions_time(&d, 50), 55);
    CHECK_EQ(hd_local_definitions_time(&d, 200), 220);
    CHECK_EQ(hd_local_definitions_time(&d, 201), 220);
    CHECK_EQ(hd_local_definitions_time(&d, 200), 220);
    CHECK_EQ(hd_local_definitions_time(&d, 400), 220);
    hd_local_definitions_begin(&d, true);
    CHECK_EQ(hd_local_definitions_time(&d, 400), 400);
    hd_local_definitions_clear(&d);
}

TEST_MAIN
