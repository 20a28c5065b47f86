/* src/trace/archive/chunk_check.h: looks a file of definitions over, chunk by chunk, before the OTF2 library reads it.
 * Inside of trace only.
 *
 * The library trusts the numbers in a file: a table of 2^60 entries, a list longer than its record, or a chunk that is
 * cut off takes it beyond its buffers, or round in circles. So it is asked only for records that are known to be whole,
 * in chunks that are. Events are read without it (read/event_stream.h).
 *
 *   chunk    3, byte order, numbers of its first and its last event (8 bytes each), records ..., 0 up to its end; after
 *            the last record of the file 2, 1
 *   anchor   3, byte order, "OTF2", 0, format, 38 bytes, three texts that end with 0; from format 2 on the number of
 *            properties (4 bytes), ...
 *   record   kind, length (a byte; 255: in the eight bytes after it), content
 *
 * Uses: base. Owner: the caller embeds it. MT: one thread at a time. Ranks: local. Cost: the file is read once more, a
 * chunk before the library reads it.
 */
#ifndef HD_CHUNK_CHECK_H
#define HD_CHUNK_CHECK_H

#include "types.h"

typedef enum hd_chunk_kind { HD_CHUNK_DEFINITIONS, HD_CHUNK_LOCAL_DEFINITIONS } hd_chunk_kind;

/* Takes a whole record of a chunk: its kind, and where its content begins and ends. */
typedef void hd_chunk_taker(void *user, uint8_t kind, const uint8_t *at, const uint8_t *end, uint8_t order);

typedef struct hd_chunks {
    hd_chunk_kind kind;
    hd_chunk_taker *take;      /* set by the caller, as user is; NULL: nobody takes records */
    void         *user;
    int           file;        /* -1: none */
    uint8_t      *bytes;       /* [chunk_bytes, or as many as the file has] */
    uint64_t      chunk_bytes, file_bytes;
    uint64_t      at;          /* in the file: where the next chunk begins; after the last good record once is_done */
    bool          is_done;
    bool          is_whole;    /* the file has an end where it should: nothing of it is missing */
} hd_chunks;

/* Whether the list of properties in an anchor file can be as long as the file says; true, too, for what the library
 * will refuse anyway. */
bool hd_anchor_has_sound_list(const char *path);

/* chunk_bytes: of the archive. False: the file cannot be opened. hd_chunks_close() in any case. */
bool hd_chunks_open(hd_chunks *chunks, const char *path, uint64_t chunk_bytes, hd_chunk_kind kind);
void hd_chunks_close(hd_chunks *chunks);

/* The number of n bytes (1 to 8), and one with its length before it; false: there is none. order: of the chunk. */
bool hd_chunk_fixed_number(const uint8_t **at, const uint8_t *end, uint8_t order, uint64_t n, uint64_t *number);
bool hd_chunk_number(const uint8_t **at, const uint8_t *end, uint8_t order, uint64_t *number);

/* How many records of the next chunk with any are whole; 0: there is no such chunk. */
uint64_t hd_chunks_next(hd_chunks *chunks);

#endif
