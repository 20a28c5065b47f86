#include "tar_out.h"

#include <stdio.h>
#include <string.h>

uint64_t
hd_tar_member_bytes(uint64_t size)
{
    HD_ASSERT(size % HD_TAR_BLOCK_BYTES != 0);
    return hd_tar_header_bytes(hd_tar_is_large(size)) + (size / HD_TAR_BLOCK_BYTES + 1) * HD_TAR_BLOCK_BYTES;
}

/* [n_digits], with zeros in front */
static void
put_octal(char *to, int n_digits, uint64_t number)
{
    for (int i = n_digits - 1; i >= 0; i--, number /= 8)
        to[i] = (char)('0' + number % 8);
}

static void
make_header(char *block, const char *name, uint64_t size, char type)
{
    size_t   n_name = strlen(name);
    unsigned sum    = 0;

    memset(block, 0, HD_TAR_BLOCK_BYTES);
    memcpy(block, name, n_name < 99 ? n_name : 99);
    memcpy(block + 100, "0000600", 8);
    memcpy(block + 108, "0000000", 8);
    memcpy(block + 116, "0000000", 8);
    put_octal(block + 124, 11, size);
    memcpy(block + 136, "00000000000", 12);
    memset(block + 148, ' ', 8);
    block[156] = type;
    memcpy(block + 257, "ustar", 6);
    block[263] = block[264] = '0';
    memcpy(block + 265, "nouser", 7);
    memcpy(block + 297, "users", 6);
    for (size_t i = 0; i < HD_TAR_BLOCK_BYTES; i++)
        sum += (unsigned char)block[i];
    put_octal(block + 148, 6, sum);
    block[154] = 0;
}

void
hd_tar_put_header(hd_out_file *out, const char *name, uint64_t size, bool is_large)
{
    char block[HD_TAR_BLOCK_BYTES];

    HD_ASSERT(is_large || !hd_tar_is_large(size));
    if (is_large) {
        char pax_name[64], record[64], digits[24];
        int  length = snprintf(digits, sizeof digits, "%" PRIu64, size) + (int)strlen("NN size=\n");

        snprintf(pax_name, sizeof pax_name, "PaxHeader/%s", name);
        snprintf(record, sizeof record, "%02d size=%s\n", length, digits);
        make_header(block, pax_name, (uint64_t)length, 'x');
        hd_out_file_put(out, block, sizeof block);
        hd_out_file_put(out, record, (size_t)length);
        hd_out_file_fill(out, 0, HD_TAR_BLOCK_BYTES - (size_t)length);
    }
    make_header(block, name, hd_tar_is_large(size) ? 0 : size, '0');
    hd_out_file_put(out, block, sizeof block);
}

void
hd_tar_put_padding(hd_out_file *out)
{
    hd_out_file_fill(out, 0, (HD_TAR_BLOCK_BYTES - hd_out_file_place(out) % HD_TAR_BLOCK_BYTES) % HD_TAR_BLOCK_BYTES);
}

void
hd_tar_put_end(hd_out_file *out)
{
    hd_out_file_fill(out, 0, 2 * HD_TAR_BLOCK_BYTES);
}

void
hd_tar_put_member(hd_out_file *out, const char *name, const void *data, size_t bytes)
{
    bool gets_newline = bytes % HD_TAR_BLOCK_BYTES == 0;

    hd_tar_put_header(out, name, bytes + gets_newline, hd_tar_is_large(bytes + gets_newline));
    hd_out_file_put_large(out, data, bytes);
    if (gets_newline)
        hd_out_file_put(out, "\n", 1);
    hd_tar_put_padding(out);
}
