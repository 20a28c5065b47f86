/* src/base/text_hash.h: a hash of texts (FNV-1a, 64 bits): the same in each process. Uses: nothing. MT: any thread. */
#ifndef HD_TEXT_HASH_H
#define HD_TEXT_HASH_H

#include <stdint.h>

#define HD_TEXT_HASH UINT64_C(14695981039346656037) /* of no text, to begin with */

/* hash: what was there before, HD_TEXT_HASH or another text's. */
static inline uint64_t
hd_text_hash(uint64_t hash, const char *text)
{
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return hash;
}

#endif
