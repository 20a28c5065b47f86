#include "recording_end.h"

#include <strings.h>

static const struct {
    const char *call;
    bool        needs_all;
} operations[] = { /* in the order of OTF2 */
    { "barrier", true },         { "bcast", false },     { "gather", false },    { "gatherv", false },
    { "scatter", false },
    { "scatterv", false },       { "allgather", true },  { "allgatherv", true }, { "alltoall", true },
    { "alltoallv", false },
    { "alltoallw", false },      { "allreduce", true },  { "reduce", false },    { "reduce_scatter", true },
    { "scan", false }, { "exscan", false },         { "reduce_scatter_block", true },
};
enum { N_OPERATIONS = sizeof operations / sizeof *operations };

uint32_t
hd_operation_of_call(const char *call)
{
    for (uint32_t i = 0; i < N_OPERATIONS; i++)
        if (strcasecmp(call, operations[i].call) == 0)
            return i;
    return HD_NONE;
}

bool
hd_operation_needs_all(uint32_t operation)
{
    return operation >= N_OPERATIONS || operations[operation].needs_all;
}
