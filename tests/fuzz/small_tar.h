/* tests/fuzz/small_tar.h: a tar file of a few members, in memory. */
#ifndef SMALL_TAR_H
#define SMALL_TAR_H

#include "bytes.h"
#include "fuzz.h"

enum { TAR_BLOCK = 512 };

static void
tar_add(hd_bytes *tar, const char *name, const void *data, size_t bytes)
{
    char              head[TAR_BLOCK] = { 0 };
    static const char zeros[TAR_BLOCK];

    snprintf(head, 100, "%s", name);
    snprintf(head + 124, 12, "%011zo", bytes);
    memcpy(head + 257, "ustar", 6);
    hd_bytes_put(tar, head, sizeof head);
    hd_bytes_put(tar, data, bytes);
    hd_bytes_put(tar, zeros, (TAR_BLOCK - bytes % TAR_BLOCK) % TAR_BLOCK);
}

static void
tar_end(hd_bytes *tar)
{
    static const char zeros[2 * TAR_BLOCK];

    hd_bytes_put(tar, zeros, sizeof zeros);
}

#endif
