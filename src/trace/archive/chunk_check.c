#include "chunk_check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"

enum {
    /* marks below 2: end of chunk */
    END_OF_FILE = 2, CHUNK_HEAD = 3, LAST_MARK = 4, HEAD_BYTES = 18, LITTLE_ENDIAN_ORDER = 'B', BIG_ENDIAN_ORDER = '#',
    LONG_RECORD = 255, UNDEFINED = 255, ANCHOR_BYTES = 256 * 1024, ANCHOR_TEXTS = 46,
    GROUP = 18,        /* definitions */
    MAPPING_TABLE = 5, /* definitions of a location */
};

static uint64_t
number_of(const uint8_t *bytes, uint64_t n, uint8_t order)
{
    uint64_t number = 0;

    for (uint64_t i = 0; i < n; i++)
        number = number << 8 | bytes[order == BIG_ENDIAN_ORDER ? i : n - 1 - i];
    return number;
}

bool
hd_anchor_has_sound_list(const char *path)
{
    static const uint8_t magic[] = { 'O', 'T', 'F', '2', 0 };
    uint8_t             *bytes   = HD_NEW_UNSET(uint8_t, ANCHOR_BYTES);
    int                  file    = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t              n       = file >= 0 ? pread(file, bytes, ANCHOR_BYTES, 0) : 0;
    const uint8_t       *at = bytes + ANCHOR_TEXTS, *end = n > 0 ? bytes + n : bytes;
    bool                 is_sound = true;

    if (n > ANCHOR_TEXTS && bytes[0] == CHUNK_HEAD && memcmp(bytes + 2, magic, sizeof magic) == 0 &&
        bytes[2 + sizeof magic] > 1) {
        for (int i = 0; i < 3 && at != NULL; i++) {
            at = memchr(at, 0, (size_t)(end - at));
            at = at != NULL ? at + 1 : NULL;
        }
        is_sound = at != NULL && end - at >= 4 && number_of(at, 4, bytes[1]) <= (uint64_t)(end - at) / 2;
    }
    if (file >= 0)
        close(file);
    free(bytes);
    return is_sound;
}

bool
hd_chunks_open(hd_chunks *chunks, const char *path, uint64_t chunk_bytes, hd_chunk_kind kind)
{
    struct stat status;

    *chunks = (hd_chunks){ .kind = kind, .file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK),
                           .chunk_bytes = chunk_bytes, .is_done = true };
    if (chunks->file < 0 || fstat(chunks->file, &status) != 0 || !S_ISREG(status.st_mode) || chunk_bytes <= HEAD_BYTES)
        return false;
    chunks->file_bytes = (uint64_t)status.st_size;
    chunks->bytes      = hd_realloc(NULL, chunks->file_bytes < chunk_bytes ? chunks->file_bytes + 1 : chunk_bytes, 1);
    chunks->is_done    = false;
    return true;
}

void
hd_chunks_close(hd_chunks *chunks)
{
    if (chunks->file >= 0)
        close(chunks->file);
    free(chunks->bytes);
    *chunks = (hd_chunks){ .file = -1, .is_done = true };
}

bool
hd_chunk_fixed_number(const uint8_t **at, const uint8_t *end, uint8_t order, uint64_t n, uint64_t *number)
{
    if (n > 8 || n > (uint64_t)(end - *at))
        return false;
    *number = number_of(*at, n, order);
    *at += n;
    return true;
}

bool
hd_chunk_number(const uint8_t **at, const uint8_t *end, uint8_t order, uint64_t *number)
{
    uint64_t n;

    if (*at >= end)
        return false;
    n       = *(*at)++;
    *number = UINT64_MAX;
    return n == UNDEFINED || hd_chunk_fixed_number(at, end, order, n, number);
}

/* A number with its length before it; UINT64_MAX: it is undefined, or there is none. */
static uint64_t
take_number(const uint8_t **at, const uint8_t *end, uint8_t order)
{
    uint64_t number;

    return hd_chunk_number(at, end, order, &number) ? number : UINT64_MAX;
}

/* Whether a list in the content has at most as many elements as there are bytes. */
static bool
has_sound_list(hd_chunk_kind kind, uint8_t record, const uint8_t *at, const uint8_t *end, uint8_t order)
{
    uint64_t length = (uint64_t)(end - at);

    if (kind == HD_CHUNK_LOCAL_DEFINITIONS && record == MAPPING_TABLE) {
        at += at < end;
        return take_number(&at, end, order) <= length;
    }
    take_number(&at, end, order); /* a group: number, name, type, members */
    take_number(&at, end, order);
    at += at < end;
    return take_number(&at, end, order) <= length;
}

static bool
has_list(hd_chunk_kind kind, uint8_t record)
{
    return record == GROUP || (kind == HD_CHUNK_LOCAL_DEFINITIONS && record == MAPPING_TABLE);
}

/* The end of the record that begins here; the begin, where it is none that is whole. *content: out, where it is one. */
static const uint8_t *
end_of_record(hd_chunk_kind kind, const uint8_t *begin, const uint8_t *end, uint8_t order, const uint8_t **content_out)
{
    uint8_t        record  = *begin;
    const uint8_t *content = begin + 2;
    uint64_t       length  = begin[1];

    if (length == LONG_RECORD) {
        if (end - content < 8)
            return begin;
        length = number_of(content, 8, order);
        content += 8;
    }
    if (length > (uint64_t)(end - content) ||
        (has_list(kind, record) && !has_sound_list(kind, record, content, content + length, order)))
        return begin;
    *content_out = content;
    return content + length;
}

/* Goes over the records of a chunk; returns how many there are, and where they end: at an end mark, or at what is no
 * record. */
static uint64_t
walk(const hd_chunks *chunks, const uint8_t **records, const uint8_t *end, uint8_t order)
{
    const uint8_t *at = *records, *next, *content;
    uint64_t       n  = 0;

    for (; end - at >= 2 && *at > LAST_MARK; at = next, n++) {
        next = end_of_record(chunks->kind, at, end, order, &content);
        if (next == at)
            break;
        if (chunks->take != NULL)
            chunks->take(chunks->user, *at, content, next, order);
    }
    *records = at;
    return n;
}

/* Reads up to chunk_bytes; returns how many there were. */
static uint64_t
fill(hd_chunks *chunks)
{
    uint64_t left = chunks->file_bytes - chunks->at, wanted = left < chunks->chunk_bytes ? left : chunks->chunk_bytes,
    n = 0;

    while (n < wanted) {
        ssize_t got = pread(chunks->file, chunks->bytes + n, wanted - n, (off_t)(chunks->at + n));

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        n += (uint64_t)got;
    }
    return n;
}

uint64_t
hd_chunks_next(hd_chunks *chunks)
{
    uint64_t n_records = 0;

    while (!chunks->is_done && n_records == 0) {
        uint64_t       n  = fill(chunks);
        const uint8_t *at = chunks->bytes + HEAD_BYTES, *end = chunks->bytes + n;

        chunks->is_done = true;
        if (n <= HEAD_BYTES || chunks->bytes[0] != CHUNK_HEAD ||
            (chunks->bytes[1] != LITTLE_ENDIAN_ORDER && chunks->bytes[1] != BIG_ENDIAN_ORDER))
            break;
        n_records = walk(chunks, &at, end, chunks->bytes[1]);
        if (at < end && *at <= END_OF_FILE) {
            chunks->is_whole = *at == END_OF_FILE;
            chunks->is_done  = chunks->is_whole || n < chunks->chunk_bytes || chunks->at + n >= chunks->file_bytes;
        }
        chunks->at += chunks->is_done ? (uint64_t)(at - chunks->bytes) : n;
    }
    return n_records;
}
