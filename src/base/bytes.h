/* src/base/bytes.h: a growing run of bytes, and numbers of variable length in it (7 bits a byte, lowest first).
 * Grows with: what is put in. Uses: scratch. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_BYTES_H
#define HD_BYTES_H

#include "scratch.h"

typedef struct hd_bytes {
    uint8_t    *data; /* in the heap: free() it */
    size_t      n, capacity;
    hd_scratch *scratch; /* where data is; NULL: in the heap */
} hd_bytes;

void hd_bytes_reserve(hd_bytes *bytes, size_t more); /* room for that many more bytes */
void hd_bytes_pack(hd_bytes *bytes);                 /* no more room than that */
void hd_bytes_fini(hd_bytes *bytes);                 /* it is empty then, and keeps its scratch */

/* The end of what is put in, with room for that many more bytes (not 0); the caller writes there and sets n. */
static inline uint8_t *
hd_bytes_room(hd_bytes *bytes, size_t more)
{
    if (HD_UNLIKELY(bytes->capacity - bytes->n < more))
        hd_bytes_reserve(bytes, more);
    return bytes->data + bytes->n;
}

static inline void
hd_bytes_put(hd_bytes *bytes, const void *data, size_t n)
{
    if (n > 0)
        memcpy(hd_bytes_room(bytes, n), data, n);
    bytes->n += n;
}

#define HD_NUMBER_BYTES_MAX 10

/* At least one byte, 1 for values below 128; returns the end. */
static inline uint8_t *
hd_bytes_write_number(uint8_t *at, uint64_t value)
{
    while (value >= 128) {
        *at++ = (uint8_t)(value | 128);
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

static inline void
hd_bytes_put_number(hd_bytes *bytes, uint64_t value)
{
    bytes->n = (size_t)(hd_bytes_write_number(hd_bytes_room(bytes, HD_NUMBER_BYTES_MAX), value) - bytes->data);
}

static inline uint64_t
hd_bytes_get_number(const uint8_t **at)
{
    const uint8_t *p     = *at;
    uint64_t       value = *p++;

    if (value >= 128) { /* what says that a byte is not the last one is taken away with the next one */
        uint64_t next  = *p++;
        unsigned shift = 7;

        value += (next - 1) << 7;
        while (next >= 128) {
            next = *p++;
            shift += 7;
            value += (next - 1) << shift;
        }
    }
    *at = p;
    return value;
}

/* Small numbers of either sign as small numbers. */
static inline uint64_t
hd_zigzag(int64_t value)
{
    return ((uint64_t)value << 1) ^ (uint64_t)(value >> 63);
}

static inline int64_t
hd_unzigzag(uint64_t value)
{
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

/* The difference to a number that is known when it is read. */
static inline uint8_t *
hd_bytes_write_difference(uint8_t *at, uint64_t value, uint64_t last)
{
    return hd_bytes_write_number(at, hd_zigzag((int64_t)(value - last)));
}

static inline uint64_t
hd_bytes_get_difference(const uint8_t **at, uint64_t last)
{
    return last + (uint64_t)hd_unzigzag(hd_bytes_get_number(at));
}

/* The 8 bytes of a number, lowest first. */
static inline uint64_t
hd_bytes_lowest_first(uint64_t value)
{
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(value) : value;
}

static inline void
hd_bytes_write_fixed(uint8_t *at, uint64_t value)
{
    value = hd_bytes_lowest_first(value);
    memcpy(at, &value, sizeof value);
}

static inline uint64_t
hd_bytes_read_fixed(const uint8_t *at)
{
    uint64_t value;

    memcpy(&value, at, sizeof value);
    return hd_bytes_lowest_first(value);
}

#endif
