/* src/cube/write/tar_out.h: members of a tar archive, as reports are made of.
 *
 * Headers have no times and no names of users, so that equal contents give equal archives. Sizes that are a multiple of
 * a block do not occur: readers of reports disagree about how these are padded.
 * Uses: out_file. MT: one thread at a time. Ranks: local. Errors stay with out.
 */
#ifndef HD_TAR_OUT_H
#define HD_TAR_OUT_H

#include "out_file.h"

enum { HD_TAR_BLOCK_BYTES = 512 };
#define HD_TAR_SMALL_BYTES UINT64_C(0x1FFFFFFFF) /* larger members need two headers */

static inline bool
hd_tar_is_large(uint64_t size)
{
    return size > HD_TAR_SMALL_BYTES;
}

/* What stands before the data of a member. */
static inline uint64_t
hd_tar_header_bytes(bool is_large)
{
    return (is_large ? UINT64_C(3) : UINT64_C(1)) * HD_TAR_BLOCK_BYTES;
}

/* What a member takes, with its header and what fills its last block. */
uint64_t hd_tar_member_bytes(uint64_t size);

/* is_large: with two headers, which any size may have. */
void hd_tar_put_header(hd_out_file *out, const char *name, uint64_t size, bool is_large);
void hd_tar_put_padding(hd_out_file *out); /* after the data */
void hd_tar_put_end(hd_out_file *out);     /* after all members */

/* A whole member; gets a newline at its end where its size is a multiple of a block. */
void hd_tar_put_member(hd_out_file *out, const char *name, const void *data, size_t bytes);

#endif
