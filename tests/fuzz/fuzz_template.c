/* tests/fuzz/fuzz_template.c: a template of a job script, which a site can write. */
#include "fuzz.h"
#include "template.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static const hd_template_value values[] = { { "A", "one" }, { "NODES", "7" }, { "NONE", NULL }, { "EMPTY", "" } };
    char                          *text     = fuzz_text(data, bytes);
    FILE                          *nowhere  = fuzz_nowhere();

    hd_template_render("t.sh", text, values, sizeof values / sizeof *values, nowhere);
    fclose(nowhere);
    free(text);
    return 0;
}
