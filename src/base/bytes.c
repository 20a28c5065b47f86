#include "bytes.h"

void
hd_bytes_reserve(hd_bytes *bytes, size_t more)
{
    size_t wanted = bytes->n + more;
    size_t grown  = bytes->capacity + bytes->capacity / 4 + 64; /* a quarter: op logs are the largest thing there is */

    if (wanted <= bytes->capacity)
        return;
    bytes->capacity = grown > wanted ? grown : wanted;
    bytes->data     = hd_realloc(bytes->data, bytes->capacity, 1);
}
