/* Event types, values, states and colours of Paraver: those that Extrae writes, so that configurations for it work. */
#include "paraver_labels.h"

#include <string.h>

#include "escape.h"

enum { POINT_TO_POINT = 50000001, COLLECTIVE, OTHER, ONE_SIDED, INPUT_OUTPUT };

typedef struct mpi_label {
    const char *name; /* without its prefix */
    uint8_t     group, value, state;
} mpi_label;

enum { P2P, COLL, MISC, RMA, IO, N_GROUPS };

#define ROW(name, group, value, state) { name, group, value, HD_PARAVER_##state },
static const mpi_label mpi_labels[] = {
    ROW("Send", P2P, 1, BLOCKING_SEND) ROW("Recv", P2P, 2, WAIT_MESSAGE) ROW("Isend", P2P, 3, ISEND)
    ROW("Irecv", P2P, 4, IRECV) ROW("Wait", P2P, 5, WAIT) ROW("Waitall", P2P, 6, WAIT)
    ROW("Bcast", COLL, 7, GROUP) ROW("Barrier", COLL, 8, SYNCHRONIZATION) ROW("Reduce", COLL, 9, GROUP)
    ROW("Allreduce", COLL, 10, GROUP) ROW("Alltoall", COLL, 11, GROUP) ROW("Alltoallv", COLL, 12, GROUP)
    ROW("Gather", COLL, 13, GROUP) ROW("Gatherv", COLL, 14, GROUP) ROW("Scatter", COLL, 15, GROUP)
    ROW("Scatterv", COLL, 16, GROUP) ROW("Allgather", COLL, 17, GROUP) ROW("Allgatherv", COLL, 18, GROUP)
    ROW("Comm_rank", MISC, 19, OTHERS) ROW("Comm_size", MISC, 20, OTHERS) ROW("Comm_create", MISC, 21, OTHERS)
    ROW("Comm_dup", MISC, 22, OTHERS) ROW("Comm_split", MISC, 23, OTHERS) ROW("Comm_group", MISC, 24, OTHERS)
    ROW("Comm_free", MISC, 25, OTHERS) ROW("Comm_remote_group", MISC, 26, OTHERS)
    ROW("Comm_remote_size", MISC, 27, OTHERS) ROW("Comm_test_inter", MISC, 28, OTHERS)
    ROW("Comm_compare", MISC, 29, OTHERS) ROW("Scan", COLL, 30, GROUP) ROW("Init", MISC, 31, OTHERS)
    ROW("Finalize", MISC, 32, OTHERS) ROW("Bsend", P2P, 33, BLOCKING_SEND) ROW("Ssend", P2P, 34, BLOCKING_SEND)
    ROW("Rsend", P2P, 35, BLOCKING_SEND) ROW("Ibsend", P2P, 36, ISEND) ROW("Issend", P2P, 37, ISEND)
    ROW("Irsend", P2P, 38, ISEND) ROW("Test", MISC, 39, TEST) ROW("Cancel", P2P, 40, OTHERS)
    ROW("Sendrecv", P2P, 41, SENDRECV) ROW("Sendrecv_replace", P2P, 42, SENDRECV)
    ROW("Cart_create", MISC, 43, OTHERS) ROW("Cart_shift", MISC, 44, OTHERS) ROW("Cart_coords", MISC, 45, OTHERS)
    ROW("Cart_get", MISC, 46, OTHERS) ROW("Cart_map", MISC, 47, OTHERS) ROW("Cart_rank", MISC, 48, OTHERS)
    ROW("Cart_sub", MISC, 49, OTHERS) ROW("Cartdim_get", MISC, 50, OTHERS) ROW("Dims_create", MISC, 51, OTHERS)
    ROW("Waitany", P2P, 59, WAIT) ROW("Waitsome", P2P, 60, WAIT) ROW("Probe", P2P, 61, TEST)
    ROW("Iprobe", P2P, 62, TEST) ROW("Win_create", RMA, 63, OTHERS) ROW("Win_free", RMA, 64, OTHERS)
    ROW("Put", RMA, 65, OTHERS) ROW("Get", RMA, 66, OTHERS) ROW("Accumulate", RMA, 67, OTHERS)
    ROW("Win_fence", RMA, 68, SYNCHRONIZATION) ROW("Win_start", RMA, 69, SYNCHRONIZATION)
    ROW("Win_complete", RMA, 70, SYNCHRONIZATION) ROW("Win_post", RMA, 71, SYNCHRONIZATION)
    ROW("Win_wait", RMA, 72, SYNCHRONIZATION) ROW("Win_test", RMA, 73, TEST)
    ROW("Win_lock", RMA, 74, SYNCHRONIZATION) ROW("Win_unlock", RMA, 75, SYNCHRONIZATION)
    ROW("Reduce_scatter", COLL, 80, GROUP) ROW("Request_free", MISC, 115, OTHERS) ROW("Recv_init", P2P, 116, OTHERS)
    ROW("Send_init", P2P, 117, OTHERS) ROW("Start", MISC, 123, OTHERS) ROW("Startall", MISC, 124, OTHERS)
    ROW("Testall", MISC, 125, TEST) ROW("Testany", MISC, 126, TEST) ROW("Test_cancelled", MISC, 127, TEST)
    ROW("Testsome", MISC, 128, TEST) ROW("File_open", IO, 141, IO) ROW("File_close", IO, 142, IO)
    ROW("File_read", IO, 143, IO) ROW("File_read_all", IO, 144, IO) ROW("File_write", IO, 145, IO)
    ROW("File_write_all", IO, 146, IO) ROW("File_read_at", IO, 147, IO) ROW("File_read_at_all", IO, 148, IO)
    ROW("File_write_at", IO, 149, IO) ROW("File_write_at_all", IO, 150, IO) ROW("Ireduce", COLL, 154, GROUP)
    ROW("Iallreduce", COLL, 155, GROUP) ROW("Ibarrier", COLL, 156, GROUP) ROW("Ibcast", COLL, 157, GROUP)
    ROW("Ialltoall", COLL, 158, GROUP) ROW("Ialltoallv", COLL, 159, GROUP) ROW("Iallgather", COLL, 160, GROUP)
    ROW("Iallgatherv", COLL, 161, GROUP) ROW("Igather", COLL, 162, GROUP) ROW("Igatherv", COLL, 163, GROUP)
    ROW("Iscatter", COLL, 164, GROUP) ROW("Iscatterv", COLL, 165, GROUP) ROW("Iscan", COLL, 167, GROUP)
};
enum { N_MPI_LABELS = sizeof mpi_labels / sizeof *mpi_labels };

static const struct { uint32_t type; const char *name; } groups[N_GROUPS] = {
    [P2P] = { POINT_TO_POINT, "MPI Point-to-point" }, [COLL] = { COLLECTIVE, "MPI Collective Comm" },
    [MISC] = { OTHER, "MPI Other" }, [RMA] = { ONE_SIDED, "MPI One-sided" }, [IO] = { INPUT_OUTPUT, "MPI I/O" },
};

static const struct { const char *name; uint8_t red, green, blue; } states[HD_PARAVER_N_STATES] = {
    [HD_PARAVER_IDLE]            = { "Idle", 117, 195, 255 },
    [HD_PARAVER_RUNNING]         = { "Running", 0, 0, 255 },
    [HD_PARAVER_NOT_CREATED]     = { "Not created", 255, 255, 255 },
    [HD_PARAVER_WAIT_MESSAGE]    = { "Waiting a message", 255, 0, 0 },
    [HD_PARAVER_BLOCKING_SEND]   = { "Blocking Send", 255, 0, 174 },
    [HD_PARAVER_SYNCHRONIZATION] = { "Synchronization", 179, 0, 0 },
    [HD_PARAVER_TEST]            = { "Test/Probe", 0, 255, 0 },
    [HD_PARAVER_FORK_JOIN]       = { "Scheduling and Fork/Join", 255, 255, 0 },
    [HD_PARAVER_WAIT]            = { "Wait/WaitAll", 235, 0, 0 },
    [HD_PARAVER_BLOCKED]         = { "Blocked", 0, 162, 0 },
    [HD_PARAVER_ISEND]           = { "Immediate Send", 255, 0, 255 },
    [HD_PARAVER_IRECV]           = { "Immediate Receive", 100, 100, 177 },
    [HD_PARAVER_IO]              = { "I/O", 172, 174, 41 },
    [HD_PARAVER_GROUP]           = { "Group Communication", 255, 144, 26 },
    [HD_PARAVER_DISABLED]        = { "Tracing Disabled", 2, 255, 177 },
    [HD_PARAVER_OTHERS]          = { "Others", 192, 224, 0 },
    [HD_PARAVER_SENDRECV]        = { "Send Receive", 66, 66, 66 },
};

/* NULL: no MPI call with a value. */
static const mpi_label *
find_mpi(const hd_defs *defs, const hd_region *region)
{
    const char *name = hd_defs_text(defs, region->canonical);

    if (strncmp(name, "MPI_", 4) != 0)
        name = hd_defs_text(defs, region->name);
    if (region->region_class != HD_CLASS_MPI || strncmp(name, "MPI_", 4) != 0)
        return NULL;
    for (size_t i = 0; i < N_MPI_LABELS; i++)
        if (strcmp(mpi_labels[i].name, name + 4) == 0)
            return &mpi_labels[i];
    return NULL;
}

static uint32_t
state_of(const hd_defs *defs, uint32_t index)
{
    const hd_region *region = &hd_defs_regions(defs)[index];

    if (index == defs->off_region || index == defs->flush_region)
        return HD_PARAVER_DISABLED;
    switch (region->role) {
    case HD_ROLE_BARRIER:
    case HD_ROLE_IMPLICIT_BARRIER:
    case HD_ROLE_TASK_WAIT:
    case HD_ROLE_CRITICAL:
    case HD_ROLE_THREAD_WAIT: return HD_PARAVER_SYNCHRONIZATION;
    case HD_ROLE_THREAD_CREATE:
    case HD_ROLE_TASK_CREATE: return HD_PARAVER_FORK_JOIN;
    case HD_ROLE_FILE_IO:
    case HD_ROLE_FILE_IO_METADATA: return HD_PARAVER_IO;
    default: break;
    }
    if (region->call == HD_CALL_MUTEX_LOCK || region->call == HD_CALL_COND_WAIT)
        return HD_PARAVER_SYNCHRONIZATION;
    return region->region_class == HD_CLASS_MPI ? HD_PARAVER_OTHERS : HD_PARAVER_RUNNING;
}

hd_paraver_label
hd_paraver_label_of(const hd_defs *defs, uint32_t region)
{
    const mpi_label *mpi = find_mpi(defs, &hd_defs_regions(defs)[region]);

    if (mpi != NULL)
        return (hd_paraver_label){ .type = groups[mpi->group].type, .value = mpi->value, .state = mpi->state };
    return (hd_paraver_label){ .type = HD_PARAVER_FUNCTIONS, .value = region + 1, .state = state_of(defs, region) };
}

static void
write_states(FILE *out)
{
    fputs("DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\nLOOK_BACK           100\n"
          "SPEED               1\nFLAG_ICONS          ENABLED\nNUM_OF_STATE_COLORS 1000\nYMAX_SCALE          37\n\n\n"
          "DEFAULT_SEMANTIC\n\nTHREAD_FUNC         State As Is\n\n\nSTATES\n", out);
    for (int i = 0; i < HD_PARAVER_N_STATES; i++)
        fprintf(out, "%d    %s\n", i, states[i].name);
    fputs("\n\nSTATES_COLOR\n", out);
    for (int i = 0; i < HD_PARAVER_N_STATES; i++)
        fprintf(out, "%d    {%d,%d,%d}\n", i, states[i].red, states[i].green, states[i].blue);
}

void
hd_paraver_labels_write(FILE *out, const hd_defs *defs, const bool *is_used)
{
    write_states(out);
    for (int group = 0; group < N_GROUPS; group++) {
        fprintf(out, "\n\nEVENT_TYPE\n9    %" PRIu32 "    %s\nVALUES\n0    Outside MPI\n", groups[group].type,
                groups[group].name);
        for (size_t i = 0; i < N_MPI_LABELS; i++)
            if (mpi_labels[i].group == group)
                fprintf(out, "%d    MPI_%s\n", mpi_labels[i].value, mpi_labels[i].name);
    }
    fprintf(out, "\n\nEVENT_TYPE\n9    %d    User function\nVALUES\n0    End\n", HD_PARAVER_FUNCTIONS);
    for (uint32_t i = 0; i < defs->n_regions; i++)
        if (is_used[i] && hd_paraver_label_of(defs, i).type == HD_PARAVER_FUNCTIONS) {
            fprintf(out, "%" PRIu32 "    ", i + 1);
            hd_write_escaped(out, hd_defs_text(defs, hd_defs_regions(defs)[i].name));
            putc('\n', out);
        }
}
