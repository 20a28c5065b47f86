/* tests/fuzz/fuzz_report.c: a report as a file: tar, compressed or plain anchor, indexes, values, tables. */
#include "read_report.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    read_report(fuzz_file(data, bytes), true);
    return 0;
}
