/* tests/analysis_comm/no_shared_memory.c: a machine whose /dev/shm is full. Compiled with another name for statvfs
 * (CMakeLists.txt). */
#include <string.h>
#include <sys/statvfs.h>

int
statvfs(const char *restrict path, struct statvfs *restrict room)
{
    (void)path;
    memset(room, 0, sizeof *room);
    room->f_frsize = 4096;
    return 0;
}
