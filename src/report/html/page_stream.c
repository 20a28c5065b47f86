#include "page_stream.h"

#include <zlib.h>

#include "memory.h"

enum {
    LEVEL       = 6,         /* of compression */
    PIECE_BYTES = 48 * 1024, /* compressed and written at a time; a multiple of three, so that base64 has no padding
                              * inside */
    PIECE_TEXT  = PIECE_BYTES / 3 * 4,
};

struct hd_page_packer {
    z_stream z;
    uint8_t *bytes; /* [capacity] numbers by significance */
    size_t   capacity;
    uint8_t  piece[PIECE_BYTES];
    char     text[PIECE_TEXT];
};

hd_page_packer *
hd_page_packer_new(void)
{
    hd_page_packer *packer = HD_NEW(hd_page_packer);

    if (deflateInit(&packer->z, LEVEL) != Z_OK)
        hd_fatal("out of memory: %zu bytes for compressing the page", sizeof *packer);
    return packer;
}

void
hd_page_packer_free(hd_page_packer *packer)
{
    if (packer == NULL)
        return;
    deflateEnd(&packer->z);
    free(packer->bytes);
    free(packer);
}

static size_t
write_base64(const uint8_t *from, size_t n, char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char             *to       = text;

    for (; n >= 3; n -= 3, from += 3, to += 4) {
        to[0] = digits[from[0] >> 2];
        to[1] = digits[(from[0] & 3) << 4 | from[1] >> 4];
        to[2] = digits[(from[1] & 15) << 2 | from[2] >> 6];
        to[3] = digits[from[2] & 63];
    }
    if (n > 0) {
        uint8_t second = n == 2 ? from[1] : 0;

        to[0] = digits[from[0] >> 2];
        to[1] = digits[(from[0] & 3) << 4 | second >> 4];
        to[2] = (char)(n == 2 ? digits[(second & 15) << 2] : '=');
        to[3] = '=';
        to += 4;
    }
    return (size_t)(to - text);
}

uint64_t
hd_page_pack(hd_page_packer *packer, const void *data, size_t bytes, hd_out_file *out)
{
    z_stream *z       = &packer->z;
    uint64_t  written = 0;
    int       state   = Z_OK;

    deflateReset(z);
    z->next_out  = packer->piece;
    z->avail_out = PIECE_BYTES;
    z->next_in   = (Bytef *)(uintptr_t)data;
    z->avail_in  = 0;
    while (state != Z_STREAM_END) {
        if (z->avail_in == 0) {
            z->avail_in = bytes < UINT32_MAX ? (uInt)bytes : UINT32_MAX;
            bytes -= z->avail_in;
        }
        state = deflate(z, bytes == 0 ? Z_FINISH : Z_NO_FLUSH);
        HD_ASSERT(state == Z_OK || state == Z_STREAM_END);
        if (z->avail_out == 0 || state == Z_STREAM_END) {
            size_t n = write_base64(packer->piece, PIECE_BYTES - z->avail_out, packer->text);

            hd_out_file_put(out, packer->text, n);
            written += n;
            z->next_out  = packer->piece;
            z->avail_out = PIECE_BYTES;
        }
    }
    return written;
}

uint64_t
hd_page_pack_numbers(hd_page_packer *packer, const uint32_t *mask, const double *numbers, size_t n, hd_out_file *out)
{
    size_t head = mask != NULL ? 4 : 0, bytes = head + n * 8;

    if (bytes > packer->capacity) {
        packer->bytes    = hd_realloc(packer->bytes, bytes, 1);
        packer->capacity = bytes;
    }
    for (size_t i = 0; i < head; i++)
        packer->bytes[i] = (uint8_t)(*mask >> 8 * i);
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;

        memcpy(&bits, &numbers[i], sizeof bits);
        for (size_t k = 0; k < 8; k++)
            packer->bytes[head + k * n + i] = (uint8_t)(bits >> 8 * k);
    }
    return hd_page_pack(packer, packer->bytes, bytes, out);
}
