/* src/trace/read/event_stream.h: an event file of an archive, read without the OTF2 library. Inside of read only.
 *
 * One chunk is in memory at a time, and HD_ITEM_BYTES zeros after it (event_decode.h). The memory is kept for the next
 * file. Uses: archive. Owner: the caller embeds it, zeroed. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_EVENT_STREAM_H
#define HD_EVENT_STREAM_H

#include "event_decode.h"

typedef struct hd_event_stream {
    hd_event_chunk chunk;       /* its definitions: the location's own */
    int            file;        /* while is_open */
    bool           is_open;
    uint64_t       chunk_bytes; /* of all chunks but the last one */
    uint64_t       at_once;     /* bytes that are read: a chunk, or what a smaller file has */
    uint64_t       next;        /* in the file: where the next chunk begins */
    bool           is_chunk_over;
    uint8_t       *bytes;       /* [capacity + HD_ITEM_BYTES] */
    uint64_t       capacity;
} hd_event_stream;

typedef enum hd_stream_start { HD_STREAM_READY, HD_STREAM_NO_FILE, HD_STREAM_NO_CHUNK } hd_stream_start;

/* Reads the first chunk. NO_CHUNK: the file does not begin with one. Closed in any case by hd_event_stream_close(). */
hd_stream_start hd_event_stream_open(hd_event_stream *stream, const char *path, uint64_t chunk_bytes,
                                     OTF2_LocationRef location);
void            hd_event_stream_close(hd_event_stream *stream);
void            hd_event_stream_fini(hd_event_stream *stream); /* and its memory */

/* Decodes events until the file has n_most (GOES_ON), all chunks are over (FILE_END, or CUT: without an end), or a
 * handler interrupts. */
hd_decode_end hd_event_stream_read(hd_event_stream *stream, uint64_t n_most, const hd_event_handlers *handlers,
                                   hd_event_decoder *decode, void *user);
/* Looks over the next chunks, up to one with events. *n: out, how many are whole, 0: no chunk has any. Returns how that
 * chunk ends: CHUNK_END, FILE_END or CUT. */
hd_decode_end hd_event_stream_count(hd_event_stream *stream, uint64_t *n);

#endif
