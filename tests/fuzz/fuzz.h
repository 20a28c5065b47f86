/* tests/fuzz/fuzz.h: what the targets share. A target is one function that is given any bytes, as libFuzzer calls it;
 * driver.c calls it, too, where there is no libFuzzer. Whatever comes back is well, but for a crash, a bug of ours
 * (HD_ASSERT), memory that is lost, and hanging.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "status.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* A copy with NUL behind it; free() it. */
static inline char *
fuzz_text(const uint8_t *data, size_t bytes)
{
    char *text = hd_realloc(NULL, bytes + 1, 1);

    if (bytes > 0)
        memcpy(text, data, bytes);
    text[bytes] = '\0';
    return text;
}

/* Where the file of this process is, which is removed at its end. */
static inline char *
fuzz_file_name(void)
{
    static char name[64];

    return name;
}

static inline void
fuzz_file_remove(void)
{
    unlink(fuzz_file_name());
}

/* The name of a file of this process that holds these bytes; valid until the next call. */
static inline const char *
fuzz_file(const uint8_t *data, size_t bytes)
{
    char *name = fuzz_file_name();
    FILE *file;

    if (name[0] == '\0') {
        snprintf(name, 64, "/dev/shm/heddle-fuzz-%ld", (long)getpid());
        if (atexit(fuzz_file_remove) != 0)
            abort();
    }
    file = fopen(name, "wb");
    if (file == NULL || fwrite(data, 1, bytes, file) != bytes || fclose(file) != 0)
        abort();
    return name;
}

/* Where nothing is to be seen of what is printed. */
static inline FILE *
fuzz_nowhere(void)
{
    FILE *file = fopen("/dev/null", "w");

    if (file == NULL)
        abort();
    return file;
}

#endif
