/* src/base/bytes.h: a growing run of bytes, and numbers of variable length in it (7 bits a byte, lowest first).
 * Grows with: what is put in. Uses: memory. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_BYTES_H
#define HD_BYTES_H

#include "memory.h"

typedef struct hd_bytes {
    uint8_t *data; /* free() it */
    size_t   n, capacity;
} hd_bytes;

void hd_bytes_reserve(hd_bytes *bytes, size_t more); /* room for that many more bytes */

static inline void
hd_bytes_put(hd_bytes *bytes, const void *data, size_t n)
{
    if (HD_UNLIKELY(bytes->capacity - bytes->n < n))
        hd_bytes_reserve(bytes, n);
    if (n > 0)
        memcpy(bytes->data + bytes->n, data, n);
    bytes->n += n;
}

/* Up to 10 bytes; 1 for values below 128. */
static inline void
hd_bytes_put_number(hd_bytes *bytes, uint64_t value)
{
    if (HD_UNLIKELY(bytes->capacity - bytes->n < 10))
        hd_bytes_reserve(bytes, 10);
    while (value >= 128) {
        bytes->data[bytes->n++] = (uint8_t)(value | 128);
        value >>= 7;
    }
    bytes->data[bytes->n++] = (uint8_t)value;
}

static inline uint64_t
hd_bytes_get_number(const uint8_t **at)
{
    const uint8_t *p     = *at;
    uint64_t       value = *p & 127;
    unsigned       shift = 0;

    while (*p++ & 128) {
        shift += 7;
        value |= (uint64_t)(*p & 127) << shift;
    }
    *at = p;
    return value;
}

#endif
