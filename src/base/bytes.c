#include "bytes.h"

/* Op logs are the largest thing there is: what is large grows by a quarter, so that little of it is unused. */
enum { DOUBLES_BELOW = 1 << 20 };

void
hd_bytes_reserve(hd_bytes *bytes, size_t more)
{
    size_t wanted = bytes->n + more;
    size_t growth = bytes->capacity < DOUBLES_BELOW ? bytes->capacity : bytes->capacity / 4;
    size_t grown  = bytes->capacity + growth + 64;

    if (wanted <= bytes->capacity)
        return;
    bytes->capacity = grown > wanted ? grown : wanted;
    bytes->data     = hd_scratch_realloc(bytes->scratch, bytes->data, bytes->capacity, 1);
}

void
hd_bytes_pack(hd_bytes *bytes)
{
    bytes->data     = hd_scratch_pack(bytes->scratch, bytes->data, bytes->n, 1);
    bytes->capacity = bytes->n;
}

void
hd_bytes_fini(hd_bytes *bytes)
{
    hd_scratch_free(bytes->scratch, bytes->data);
    *bytes = (hd_bytes){ .scratch = bytes->scratch };
}
