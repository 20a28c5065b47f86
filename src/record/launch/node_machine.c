/* src/record/launch/node_machine.c: asks hwloc, and writes a line for each object. */
#include "node_machine.h"

#include <fcntl.h>
#include <hwloc.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "memory.h"
#include "node_identity.h"

/* The numbers are those of the whole node, also where this process may use a part of it only. */
static bool
read_node(hwloc_topology_t *topology)
{
    if (hwloc_topology_init(topology) != 0)
        return false;
    if (hwloc_topology_set_flags(*topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) == 0 &&
        hwloc_topology_load(*topology) == 0)
        return true;
    hwloc_topology_destroy(*topology);
    return false;
}

static void
write_objects(hwloc_topology_t topology, FILE *file)
{
    static const struct {
        hwloc_obj_type_t type;
        const char      *name;
    } kinds[] = { { HWLOC_OBJ_MACHINE, "node" }, { HWLOC_OBJ_PACKAGE, "socket" }, { HWLOC_OBJ_NUMANODE, "numa" },
                  { HWLOC_OBJ_CORE, "core" } };

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (hwloc_obj_t it = NULL; (it = hwloc_get_next_obj_by_type(topology, kinds[i].type, it)) != NULL;) {
            char *processors = NULL;

            if (hwloc_bitmap_list_asprintf(&processors, it->cpuset) > 0)
                fprintf(file, "%s %u %s\n", kinds[i].name, it->logical_index, processors);
            free(processors);
        }
}

static bool
write_file(int fd)
{
    hwloc_topology_t topology;
    FILE            *file = fdopen(fd, "w");
    bool             is_written;

    if (file == NULL || !read_node(&topology)) {
        if (file != NULL)
            fclose(file);
        else
            close(fd);
        return false;
    }
    write_objects(topology, file);
    hwloc_topology_destroy(topology);
    is_written = ferror(file) == 0;
    return fclose(file) == 0 && is_written;
}

void
hd_node_machine_write(const char *raw)
{
    char *path  = hd_format("%s/%016" PRIx64 ".machine", raw, hd_node_identity());
    char *aside = hd_format("%s.tmp", path);
    int   fd    = access(path, F_OK) == 0 ? -1 : open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    if (fd >= 0 && (!write_file(fd) || rename(aside, path) != 0))
        unlink(aside);
    free(aside);
    free(path);
}
