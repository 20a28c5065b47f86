/* tests/fuzz/fuzz_events.c: an event file, with chunks of 256 bytes or of its whole length, with clock offsets. What is
 * whole is the same whether it is handed over or counted, at once or event by event. */
#include "archive.h"
#include "event_stream.h"
#include "every_record.h"

#include "fuzz.h"

enum { CHUNK = 256, WHOLE = 1 << 20 };

static void
define(hd_local_definitions *definitions)
{
    hd_local_definitions_clear(definitions);
    hd_local_definitions_offset(definitions, 1000, 5);
    hd_local_definitions_offset(definitions, UINT64_C(1) << 40, -70000);
    hd_local_definitions_offset(definitions, UINT64_MAX - 1, INT64_MAX);
    hd_local_definitions_begin(definitions, false);
}

static record_sum
read_all(hd_event_stream *stream, const char *name, uint64_t chunk_bytes, uint64_t at_once)
{
    record_sum    sum = { .n = 0 };
    hd_decode_end end = HD_DECODE_GOES_ON;

    define(&stream->chunk.definitions);
    if (hd_event_stream_open(stream, name, chunk_bytes, 1) == HD_STREAM_READY)
        while (end == HD_DECODE_GOES_ON)
            end = hd_event_stream_read(stream, stream->chunk.n + at_once, &every_record, hd_event_decode_any, &sum);
    if (sum.n != stream->chunk.n)
        abort();
    hd_event_stream_close(stream);
    return sum;
}

static uint64_t
count_all(hd_event_stream *stream, const char *name, uint64_t chunk_bytes)
{
    uint64_t      n   = 1, all = 0;
    hd_decode_end end = HD_DECODE_CHUNK_END;

    define(&stream->chunk.definitions);
    if (hd_event_stream_open(stream, name, chunk_bytes, 1) == HD_STREAM_READY)
        for (; n > 0 && end == HD_DECODE_CHUNK_END; all += n)
            end = hd_event_stream_count(stream, &n);
    hd_event_stream_close(stream);
    return all;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    const char *name = fuzz_file(data, bytes);

    hd_archive_keep_otf2_quiet(); /* an attribute that is there twice */
    for (int i = 0; i < 2; i++) {
        uint64_t        chunk_bytes = i == 0 ? CHUNK : WHOLE;
        hd_event_stream stream      = { .file = -1, .chunk.attributes = OTF2_AttributeList_New() };
        record_sum      sum         = read_all(&stream, name, chunk_bytes, UINT64_MAX / 2);

        if (sum.hash != read_all(&stream, name, chunk_bytes, 1).hash || sum.n != count_all(&stream, name, chunk_bytes))
            abort();
        OTF2_AttributeList_Delete(stream.chunk.attributes);
        stream.chunk.attributes = NULL;
        hd_event_stream_fini(&stream);
    }
    return 0;
}
