#include "call_walk.h"

typedef uint16_t eight __attribute__((vector_size(16), aligned(2), may_alias));
typedef uint64_t two __attribute__((vector_size(16)));

/* The next head that is this one, or has its bit of own times, or the end. */
static const uint16_t *
next_head(const uint16_t *at, const uint16_t *end, uint16_t head)
{
    for (; end - at >= 8; at += 8) {
        eight heads = *(const eight *)at;
        two   found = (two)((eight)(heads == head) | (heads & 1));

        if ((found[0] | found[1]) != 0)
            break;
    }
    while (at < end && *at != head && (*at & 1) == 0)
        at++;
    return at;
}

bool
hd_call_search_find(hd_call_search *search, uint32_t call_path)
{
    uint16_t head = (uint16_t)(call_path < HD_HEAD_FAR >> 1 ? call_path << 1 : HD_HEAD_FAR);

    do {
        hd_call_search_pass(search, (size_t)(next_head(search->heads.at, search->end, head) - search->heads.at));
        if (!hd_call_search_next(search))
            return false;
    } while (search->call_path != call_path);
    return true;
}
