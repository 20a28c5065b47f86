/* tests/fuzz/fuzz_anchor.c: the anchor.xml of a report, whose metrics have no values. */
#include "read_report.h"
#include "small_tar.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    hd_bytes tar = { 0 };

    tar_add(&tar, "anchor.xml", data, bytes);
    tar_end(&tar);
    read_report(fuzz_file(tar.data, tar.n), true);
    hd_bytes_fini(&tar);
    return 0;
}
