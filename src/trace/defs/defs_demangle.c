/* src/trace/defs/defs_demangle.c: adds names for reading at the end of the definitions. */
#include "defs_demangle.h"

#include "bytes.h"
#include "demangle.h"
#include "memory.h"

#define MAX_BYTES ((size_t)256 << 20)

/* The name for reading; free() it. NULL: as it is. Regions of OpenMP may end in the function that they are in. */
static char *
demangled(const hd_defs *defs, const hd_region *region, unsigned *n_endless)
{
    const char *name = hd_defs_text(defs, region->name), *at = strstr(name, " @");
    char       *function, *whole = NULL;

    if (region->region_class == HD_CLASS_USER)
        return hd_demangle(name, hd_defs_text(defs, region->file), n_endless);
    if (region->region_class != HD_CLASS_OMP || at == NULL)
        return NULL;
    function = hd_demangle(at + 2, hd_defs_text(defs, region->file), n_endless);
    if (function != NULL)
        whole = hd_format("%.*s%s", (int)(at + 2 - name), name, function);
    free(function);
    return whole;
}

hd_defs *
hd_defs_demangle(hd_defs *defs)
{
    size_t     old       = defs->bytes;
    uint64_t   first     = old - defs->texts; /* offset of the first new text */
    hd_region *regions   = (hd_region *)(void *)((char *)defs + defs->regions);
    hd_bytes   names     = { 0 };
    unsigned   n_endless = 0;

    for (uint32_t i = 0; i < defs->n_regions && names.n < MAX_BYTES && first + names.n < UINT32_MAX; i++) {
        char *name = demangled(defs, &regions[i], &n_endless);

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
