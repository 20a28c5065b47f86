/* src/record/launch/node_machine.c: makes the file aside, so that it is there whole or not at all. */
#include "node_machine.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "memory.h"
#include "node_identity.h"

static bool
write_file(int fd, bool (*write)(FILE *file))
{
    FILE *file = fdopen(fd, "w");
    bool  is_written;

    if (file == NULL) {
        close(fd);
        return false;
    }
    is_written = write(file) && ferror(file) == 0;
    return fclose(file) == 0 && is_written;
}

void
hd_node_machine_write(const char *raw, bool (*write)(FILE *file))
{
    char *path  = hd_format("%s/%016" PRIx64 ".machine", raw, hd_node_identity());
    char *aside = hd_format("%s.tmp", path);
    int   fd    = access(path, F_OK) == 0 ? -1 : open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    if (fd >= 0 && (!write_file(fd, write) || rename(aside, path) != 0))
        unlink(aside);
    free(aside);
    free(path);
}
