/* replay/simulate/hypothesis/change_place.c: reads the file, and finds which communicators are on one node then. */
#include "change_place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comm_group.h"
#include "memory.h"

typedef struct place_names { /* of the file, that are not the archive's */
    char  **names; /* [n] */
    size_t  n, capacity;
} place_names;

static hd_status
fail_line(const hd_change *change, size_t line, const char *what, const char *text)
{
    hd_fail(HD_EUSAGE, "file of places \"%s\": %s: \"%s\"", change->file, what, text);
    hd_fail_detail("line", "%zu", line);
    hd_fail_detail("try", "lines of processes and a node, such as: 0-3,8 node1");
    return HD_EUSAGE;
}

static uint32_t
node_named(const hd_defs *defs, place_names *others, const char *name)
{
    for (uint32_t n = 0; n < defs->n_nodes; n++)
        if (strcmp(hd_defs_text(defs, hd_defs_nodes(defs)[n].name), name) == 0)
            return n;
    for (size_t i = 0; i < others->n; i++)
        if (strcmp(others->names[i], name) == 0)
            return defs->n_nodes + (uint32_t)i;
    HD_PUSH(others->names, others->n, others->capacity, hd_strdup(name));
    return defs->n_nodes + (uint32_t)others->n - 1;
}

/* "0-3,8" get the node; false: that is no list of processes. */
static bool
set_nodes(hd_change *change, const char *at, uint32_t node, uint32_t n_processes)
{
    for (;;) {
        char         *end;
        unsigned long first, last;

        if (*at < '0' || *at > '9')
            return false;
        first = last = strtoul(at, &end, 10);
        if (*end == '-' && end[1] >= '0' && end[1] <= '9')
            last = strtoul(end + 1, &end, 10);
        if (last < first || last >= n_processes)
            return false;
        for (unsigned long p = first; p <= last; p++)
            change->node_of[p] = node;
        if (*end == '\0')
            return true;
        if (*end != ',')
            return false;
        at = end + 1;
    }
}

static hd_status
read_line(hd_change *change, char *text, size_t number, place_names *others, const hd_defs *defs)
{
    static const char blanks[] = " \t\r\n";
    char             *processes = text + strspn(text, blanks), *node;
    size_t            n         = strlen(processes);

    while (n > 0 && strchr(blanks, processes[n - 1]) != NULL)
        processes[--n] = '\0';
    if (n == 0 || *processes == '#')
        return HD_OK;
    node = processes + strcspn(processes, blanks);
    if (*node == '\0')
        return fail_line(change, number, "a node is missing", processes);
    *node++ = '\0';
    node += strspn(node, blanks);
    if (!set_nodes(change, processes, node_named(defs, others, node), defs->n_processes))
        return fail_line(change, number, "these are not processes of the archive", processes);
    return HD_OK;
}

static hd_status
read_lines(hd_change *change, FILE *file, const hd_defs *defs)
{
    place_names others   = { 0 };
    char       *line     = NULL;
    size_t      capacity = 0;
    hd_status   status   = HD_OK;

    for (size_t number = 1; status == HD_OK && getline(&line, &capacity, file) >= 0; number++)
        status = read_line(change, line, number, &others, defs);
    if (status == HD_OK && ferror(file))
        status = hd_fail(HD_EREAD, "file of places \"%s\" cannot be read: %s", change->file, strerror(errno));
    for (size_t i = 0; i < others.n; i++)
        free(others.names[i]);
    free(others.names);
    free(line);
    return status;
}

static bool
is_group_on(const hd_defs *defs, const hd_change *change, uint32_t group, uint32_t *node)
{
    const hd_comm_group *def = group != HD_NONE ? &hd_defs_groups(defs)[group] : NULL;

    for (uint32_t i = 0; def != NULL && def->self == 0 && i < def->n; i++) {
        uint32_t process = hd_comm_group_member(defs, def, i);

        if (process >= defs->n_processes)
            continue;
        if (*node != HD_NONE && *node != change->node_of[process])
            return false;
        *node = change->node_of[process];
    }
    return true;
}

static void
find_near_comms(hd_change *change, const hd_defs *defs)
{
    change->is_comm_near = HD_NEW_ARRAY(bool, (size_t)defs->n_comms + 1);
    for (uint32_t c = 0; c < defs->n_comms; c++) {
        uint32_t node = HD_NONE;

        change->is_comm_near[c] = is_group_on(defs, change, hd_defs_comms(defs)[c].group_a, &node) &&
                                  is_group_on(defs, change, hd_defs_comms(defs)[c].group_b, &node);
    }
    change->is_comm_near[defs->n_comms] = true;
    for (uint32_t p = 1; p < defs->n_mpi_processes; p++)
        change->is_comm_near[defs->n_comms] &= change->node_of[p] == change->node_of[0];
}

hd_status
hd_change_read_place(const char *text, hd_change *change, const hd_defs *defs)
{
    FILE     *file = fopen(change->file, "r");
    hd_status status;

    if (file == NULL) {
        hd_fail(HD_EOPEN, "file of places \"%s\" cannot be opened: %s", change->file, strerror(errno));
        hd_fail_detail("hypothesis", "%s", text);
        return HD_EOPEN;
    }
    change->node_of = HD_NEW_ARRAY(uint32_t, defs->n_processes);
    for (uint32_t p = 0; p < defs->n_processes; p++)
        change->node_of[p] = hd_defs_processes(defs)[p].node;
    status = read_lines(change, file, defs);
    fclose(file);
    find_near_comms(change, defs);
    return status;
}
