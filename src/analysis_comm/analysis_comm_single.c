#include "analysis_comm.h"

#include <string.h>
#include <unistd.h>

#include "memory.h"

struct hd_analysis_comm {
    void **copies; /* of hd_analysis_comm_share() */
    size_t n_copies, copies_capacity;
    char   node_name[256];
};

hd_analysis_comm *
hd_analysis_comm_open(int *argc, char ***argv)
{
    hd_analysis_comm *analysis_comm = HD_NEW(hd_analysis_comm);

    (void)argc;
    (void)argv;
    if (gethostname(analysis_comm->node_name, sizeof analysis_comm->node_name - 1) != 0)
        memcpy(analysis_comm->node_name, "unknown", sizeof "unknown");
    return analysis_comm;
}

void
hd_analysis_comm_close(hd_analysis_comm *analysis_comm)
{
    if (analysis_comm == NULL)
        return;
    for (size_t i = 0; i < analysis_comm->n_copies; i++)
        free(analysis_comm->copies[i]);
    free(analysis_comm->copies);
    free(analysis_comm);
}

hd_arank
hd_analysis_comm_rank(const hd_analysis_comm *analysis_comm)
{
    (void)analysis_comm;
    return (hd_arank){ 0 };
}

uint32_t
hd_analysis_comm_size(const hd_analysis_comm *analysis_comm)
{
    (void)analysis_comm;
    return 1;
}

uint32_t
hd_analysis_comm_node(const hd_analysis_comm *analysis_comm)
{
    (void)analysis_comm;
    return 0;
}

uint32_t
hd_analysis_comm_node_rank(const hd_analysis_comm *analysis_comm)
{
    (void)analysis_comm;
    return 0;
}

uint32_t
hd_analysis_comm_node_size(const hd_analysis_comm *analysis_comm)
{
    (void)analysis_comm;
    return 1;
}

const char *
hd_analysis_comm_node_name(const hd_analysis_comm *analysis_comm)
{
    return analysis_comm->node_name;
}

char *
hd_analysis_comm_library(void)
{
    return hd_strdup("none");
}

void
hd_analysis_comm_barrier(hd_analysis_comm *analysis_comm)
{
    (void)analysis_comm;
}

void
hd_analysis_comm_broadcast(hd_analysis_comm *analysis_comm, void *data, size_t bytes, hd_arank root)
{
    (void)analysis_comm;
    (void)data;
    (void)bytes;
    HD_ASSERT(root.v == 0);
}

void
hd_analysis_comm_reduce(hd_analysis_comm *analysis_comm, uint64_t *values, size_t n, hd_reduce op)
{
    (void)analysis_comm;
    (void)values;
    (void)n;
    (void)op;
}

uint64_t
hd_analysis_comm_prefix_sum(hd_analysis_comm *analysis_comm, uint64_t value)
{
    (void)analysis_comm;
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
hd_analysis_comm_gather(hd_analysis_comm *analysis_comm, const void *data, size_t bytes, uint8_t **all,
                        uint64_t **n_bytes)
{
    (void)analysis_comm;
    *all      = copy_of(data, bytes);
    *n_bytes  = HD_NEW_ARRAY(uint64_t, 1);
    **n_bytes = bytes;
}

void
hd_analysis_comm_fold(hd_analysis_comm *analysis_comm, hd_bytes *bytes, hd_merge merge, void *context)
{
    (void)analysis_comm;
    (void)bytes;
    (void)merge;
    (void)context;
}

const void *
hd_analysis_comm_share(hd_analysis_comm *analysis_comm, const void *data, size_t *bytes)
{
    void *copy = copy_of(data, *bytes);

    HD_PUSH(analysis_comm->copies, analysis_comm->n_copies, analysis_comm->copies_capacity, copy);
    return copy;
}

hd_status
hd_agree(hd_analysis_comm *analysis_comm, hd_status status)
{
    (void)analysis_comm;
    return status;
}

void
hd_analysis_comm_abort(hd_analysis_comm *analysis_comm, int exit_code)
{
    (void)analysis_comm;
    _Exit(exit_code);
}
