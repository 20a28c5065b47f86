/* src/trace/defs/defs_demangle.c: new names are put behind all else in the definitions. */
#include "defs_demangle.h"

#include "demangle.h"
#include "memory.h"

#define MOST_BYTES ((size_t)256 << 20)

typedef struct new_names {
    char  *text;
    size_t n, capacity;
} new_names;

static void
add(new_names *names, const char *name)
{
    size_t n = strlen(name) + 1;

    while (names->capacity - names->n < n)
        names->text = hd_grow(names->text, names->capacity, &names->capacity, 1);
    memcpy(names->text + names->n, name, n);
    names->n += n;
}

hd_defs *
hd_defs_demangle(hd_defs *defs)
{
    size_t     old     = defs->bytes;
    uint64_t   first   = old - defs->texts; /* offset of the first new text */
    hd_region *regions = (hd_region *)(void *)((char *)defs + defs->regions);
    new_names  names   = { 0 };
    unsigned   n_endless = 0;

    for (uint32_t i = 0; i < defs->n_regions && names.n < MOST_BYTES && first + names.n < UINT32_MAX; i++) {
        char *name = NULL;

        if (regions[i].region_class == HD_CLASS_USER)
            name = hd_demangle(hd_defs_text(defs, regions[i].name), hd_defs_text(defs, regions[i].file), &n_endless);
        if (name == NULL)
            continue;
        regions[i].name = (uint32_t)(first + names.n);
        add(&names, name);
        free(name);
    }
    if (names.n > 0) {
        defs        = hd_realloc(defs, 1, old + names.n);
        defs->bytes = old + names.n;
        memcpy((char *)defs + old, names.text, names.n);
    }
    free(names.text);
    return defs;
}
