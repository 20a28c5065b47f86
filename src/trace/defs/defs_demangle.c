/* src/trace/defs/defs_demangle.c: adds names for reading at the end of the definitions. */
#include "defs_demangle.h"

#include "bytes.h"
#include "demangle.h"
#include "memory.h"

#define MAX_BYTES ((size_t)256 << 20)

hd_defs *
hd_defs_demangle(hd_defs *defs)
{
    size_t     old       = defs->bytes;
    uint64_t   first     = old - defs->texts; /* offset of the first new text */
    hd_region *regions   = (hd_region *)(void *)((char *)defs + defs->regions);
    hd_bytes   names     = { 0 };
    unsigned   n_endless = 0;

    for (uint32_t i = 0; i < defs->n_regions && names.n < MAX_BYTES && first + names.n < UINT32_MAX; i++) {
        char *name = NULL;

        if (regions[i].region_class == HD_CLASS_USER)
            name = hd_demangle(hd_defs_text(defs, regions[i].name), hd_defs_text(defs, regions[i].file), &n_endless);
        if (name == NULL)
            continue;
        regions[i].name = (uint32_t)(first + names.n);
        hd_bytes_put(&names, name, strlen(name) + 1);
        free(name);
    }
    if (names.n > 0) {
        defs        = hd_realloc(defs, 1, old + names.n);
        defs->bytes = old + names.n;
        memcpy((char *)defs + old, names.data, names.n);
    }
    free(names.data);
    return defs;
}
