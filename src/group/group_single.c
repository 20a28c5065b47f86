#include "group.h"

#include <string.h>
#include <unistd.h>

#include "memory.h"

struct hd_group {
    void **copies; /* of hd_group_share() */
    size_t n_copies, copies_capacity;
    char   node_name[256];
};

hd_group *
hd_group_open(int *argc, char ***argv)
{
    hd_group *group = HD_NEW(hd_group);

    (void)argc;
    (void)argv;
    if (gethostname(group->node_name, sizeof group->node_name - 1) != 0)
        memcpy(group->node_name, "unknown", sizeof "unknown");
    return group;
}

void
hd_group_close(hd_group *group)
{
    if (group == NULL)
        return;
    for (size_t i = 0; i < group->n_copies; i++)
        free(group->copies[i]);
    free(group->copies);
    free(group);
}

hd_arank
hd_group_rank(const hd_group *group)
{
    (void)group;
    return (hd_arank){ 0 };
}

uint32_t
hd_group_size(const hd_group *group)
{
    (void)group;
    return 1;
}

uint32_t
hd_group_node(const hd_group *group)
{
    (void)group;
    return 0;
}

uint32_t
hd_group_node_rank(const hd_group *group)
{
    (void)group;
    return 0;
}

uint32_t
hd_group_node_size(const hd_group *group)
{
    (void)group;
    return 1;
}

const char *
hd_group_node_name(const hd_group *group)
{
    return group->node_name;
}

char *
hd_group_library(void)
{
    return hd_strdup("none");
}

void
hd_group_barrier(hd_group *group)
{
    (void)group;
}

void
hd_group_broadcast(hd_group *group, void *data, size_t bytes, hd_arank root)
{
    (void)group;
    (void)data;
    (void)bytes;
    HD_ASSERT(root.v == 0);
}

void
hd_group_reduce(hd_group *group, uint64_t *values, size_t n, hd_reduce op)
{
    (void)group;
    (void)values;
    (void)n;
    (void)op;
}

uint64_t
hd_group_prefix_sum(hd_group *group, uint64_t value)
{
    (void)group;
    (void)value;
    return 0;
}

static void *
copy_of(const void *data, size_t bytes)
{
    void *copy = hd_realloc(NULL, bytes, 1);

    if (bytes > 0)
        memcpy(copy, data, bytes);
    return copy;
}

void
hd_group_gather(hd_group *group, const void *data, size_t bytes, uint8_t **all, uint64_t **n_bytes)
{
    (void)group;
    *all      = copy_of(data, bytes);
    *n_bytes  = HD_NEW_ARRAY(uint64_t, 1);
    **n_bytes = bytes;
}

void
hd_group_fold(hd_group *group, hd_bytes *bytes, hd_merge merge, void *context)
{
    (void)group;
    (void)bytes;
    (void)merge;
    (void)context;
}

const void *
hd_group_share(hd_group *group, const void *data, size_t *bytes)
{
    void *copy = copy_of(data, *bytes);

    HD_PUSH(group->copies, group->n_copies, group->copies_capacity, copy);
    return copy;
}

hd_status
hd_agree(hd_group *group, hd_status status)
{
    (void)group;
    return status;
}

void
hd_group_abort(hd_group *group, int exit_code)
{
    (void)group;
    _Exit(exit_code);
}
