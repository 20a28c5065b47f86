#include "event_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"

enum { CHUNK_HEAD = 3, HEAD_BYTES = 18, LITTLE = 'B', BIG = '#' };

/* Reads as many bytes as there are; returns how many. */
static uint64_t
fill(hd_event_stream *stream)
{
    uint64_t n = 0;

    while (n < stream->at_once) {
        ssize_t got = pread(stream->file, stream->bytes + n, stream->at_once - n, (off_t)(stream->next + n));

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        n += (uint64_t)got;
    }
    return n;
}

/* False: there is none. */
static bool
read_chunk(hd_event_stream *stream)
{
    hd_event_chunk *chunk = &stream->chunk;
    uint64_t        n     = fill(stream);

    memset(stream->bytes + n, 0, HD_ITEM_BYTES);
    stream->next += stream->chunk_bytes;
    stream->is_chunk_over = false;
    if (n <= HEAD_BYTES || stream->bytes[0] != CHUNK_HEAD || (stream->bytes[1] != LITTLE && stream->bytes[1] != BIG))
        return false;
    chunk->is_big = stream->bytes[1] == BIG;
    chunk->at     = stream->bytes + HEAD_BYTES;
    chunk->end    = stream->bytes + n;
    return true;
}

hd_stream_start
hd_event_stream_open(hd_event_stream *stream, const char *path, uint64_t chunk_bytes, OTF2_LocationRef location)
{
    struct stat status;
    stream->file    = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    stream->is_open = stream->file >= 0;
    if (!stream->is_open || fstat(stream->file, &status) != 0 || !S_ISREG(status.st_mode) || chunk_bytes <= HEAD_BYTES)
        return HD_STREAM_NO_FILE;
    stream->at_once = (uint64_t)status.st_size < chunk_bytes ? (uint64_t)status.st_size : chunk_bytes;
    if (stream->at_once > stream->capacity || stream->bytes == NULL) {
        free(stream->bytes);
        stream->capacity = stream->at_once;
        stream->bytes    = hd_realloc(NULL, stream->capacity + HD_ITEM_BYTES, 1);
    }
    stream->chunk_bytes    = chunk_bytes;
    stream->next           = 0;
    stream->chunk.n        = 0;
    stream->chunk.recorded = 0;
    stream->chunk.time     = hd_local_definitions_time(&stream->chunk.definitions, 0);
    stream->chunk.location = location;
    if (stream->chunk.attributes != NULL)
        OTF2_AttributeList_RemoveAllAttributes(stream->chunk.attributes);
    return read_chunk(stream) ? HD_STREAM_READY : HD_STREAM_NO_CHUNK;
}

void
hd_event_stream_close(hd_event_stream *stream)
{
    if (stream->is_open)
        close(stream->file);
    stream->is_open = false;
}

void
hd_event_stream_fini(hd_event_stream *stream)
{
    hd_event_stream_close(stream);
    hd_local_definitions_clear(&stream->chunk.definitions);
    free(stream->chunk.strings);
    free(stream->bytes);
    *stream = (hd_event_stream){ .file = -1 };
}

/* As far as the chunk goes, or the next one if it is over. */
static hd_decode_end
read_on(hd_event_stream *stream, uint64_t n_most, const hd_event_handlers *handlers, hd_event_decoder *decode,
        void *user)
{
    hd_decode_end end;

    if (stream->is_chunk_over && !read_chunk(stream))
        return HD_DECODE_CUT;
    end                   = decode(&stream->chunk, n_most, handlers, user);
    stream->is_chunk_over = end == HD_DECODE_CHUNK_END;
    return end;
}

hd_decode_end
hd_event_stream_read(hd_event_stream *stream, uint64_t n_most, const hd_event_handlers *handlers,
                     hd_event_decoder *decode, void *user)
{
    hd_decode_end end;

    do
        end = read_on(stream, n_most, handlers, decode, user);
    while (end == HD_DECODE_CHUNK_END);
    return end;
}

hd_decode_end
hd_event_stream_count(hd_event_stream *stream, uint64_t *n)
{
    static const hd_event_handlers none   = { .takes_attributes = false };
    uint64_t                       before = stream->chunk.n;
    hd_decode_end                  end;

    do
        end = read_on(stream, UINT64_MAX, &none, hd_event_decode_any, NULL);
    while (end == HD_DECODE_CHUNK_END && stream->chunk.n == before);
    *n = stream->chunk.n - before;
    return end;
}
