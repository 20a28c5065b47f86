/* tests/fuzz/fuzz_demangle.c: the name of a region; from a new line on, its source file. */
#include "demangle.h"

#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char    *name = fuzz_text(data, bytes), *line = strchr(name, '\n');
    unsigned n_endless = 0;

    if (line != NULL)
        *line = '\0';
    free(hd_demangle(name, line != NULL ? line + 1 : "", &n_endless));
    free(name);
    return 0;
}
