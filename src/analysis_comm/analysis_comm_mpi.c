/* src/analysis_comm/analysis_comm_mpi.c: the analysis communicator over MPI. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "analysis_comm_mpi.h"
#include "idle.h"
#include "memory.h"
#include "transport_mpi.h"

/* Counts in MPI calls are ints, and some libraries allocate as much as a call moves: data goes in runs of this size. */
#ifndef HD_ANALYSIS_COMM_RUN_BYTES
#define HD_ANALYSIS_COMM_RUN_BYTES (UINT64_C(64) << 20)
#endif
/* Reductions need a buffer of the size of a call for sure. */
#define HD_ANALYSIS_COMM_REDUCE_BYTES (UINT64_C(1) << 20)
/* A window costs pages, files and a communicator in every process: below this, each rank has a copy. */
#ifndef HD_ANALYSIS_COMM_SHARE_BYTES
#define HD_ANALYSIS_COMM_SHARE_BYTES (UINT64_C(64) << 10)
#endif

/* Between the same two ranks messages keep their order, and every receive names its source, so one tag is enough. All
 * of it is in MPI_COMM_WORLD: a communicator of our own would cost memory, and the transport has one of its own. */
enum { TAG = 1 };

typedef struct shared_run { /* one of the two */
    void   *copy;
    MPI_Win window;
} shared_run;

typedef struct mpi_comm {
    hd_analysis_comm head;
    uint32_t         n_nodes;
    MPI_Comm node_comm;   /* MPI_COMM_NULL where the node has one rank */
    MPI_Comm leader_comm; /* of leader_comm(), MPI_COMM_NULL on the other ranks */
    bool     leader_comm_made;

    shared_run *shared; /* grows with: calls of share() */
    size_t      n_shared, shared_capacity;
} mpi_comm;

enum { LAST_WORDS_US = 200000 }; /* in which the launcher passes on what this rank has said last; some drop it when a
                                  * rank ends all */

static void
end(hd_analysis_comm *analysis_comm, int exit_code)
{
    if (analysis_comm->size > 1)
        usleep(LAST_WORDS_US);
    MPI_Abort(MPI_COMM_WORLD, exit_code);
}

static void
end_all_ranks(void *context)
{
    end(context, 1);
}

/* "Open MPI v4.1.4, package: ...", "MPICH Version:\t4.0.2\n..." become "Open MPI 4.1.4", "MPICH 4.0.2": the first line
 * without the word "version" and without decoration of the number. */
static void
shorten_library_text(const char *text, char *short_text, size_t short_bytes)
{
    size_t used = 0;

    short_text[0] = '\0';
    while (*text != '\0' && *text != '\n' && *text != ',') {
        size_t n = strcspn(text, " \t\r:,\n");

        if (n > 1 && text[0] == 'v' && text[1] >= '0' && text[1] <= '9') {
            text++;
            n--;
        }
        if (n > 0 && !(n == 7 && strncasecmp(text, "version", n) == 0)) {
            if (used + n + 2 > short_bytes)
                break;
            if (used > 0)
                short_text[used++] = ' ';
            memcpy(short_text + used, text, n);
            used += n;
            short_text[used] = '\0';
        }
        text += n;
        text += strspn(text, " \t\r:");
    }
}

static char *
library(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING], short_text[64];
    int  length;

    MPI_Get_library_version(text, &length); /* one of the few calls that need no MPI_Init() */
    shorten_library_text(text, short_text, sizeof short_text);
    return hd_strdup(short_text);
}

/* Length of the next run of what is left. */
static size_t
run_of(size_t left)
{
    return left < HD_ANALYSIS_COMM_RUN_BYTES ? left : HD_ANALYSIS_COMM_RUN_BYTES;
}

/* For a request's end. The library's own blocking calls do not sleep: beside other programs each of them would cost
 * time slices. */
static void
await(MPI_Request *request)
{
    hd_idling idling = { 0 };
    int       done;

    for (;;) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (done)
            return;
        hd_idle(&idling, true);
    }
}

/* After it those calls have nothing to wait for. */
static void
await_all(MPI_Comm comm)
{
    MPI_Request request;

    MPI_Ibarrier(comm, &request);
    await(&request);
}

static void
broadcast_bytes(void *data, size_t bytes, uint32_t root, MPI_Comm comm)
{
    uint8_t *next = data;

    while (bytes > 0) {
        size_t      run = run_of(bytes);
        MPI_Request request;

        MPI_Ibcast(next, (int)run, MPI_BYTE, (int)root, comm, &request);
        await(&request);
        next += run;
        bytes -= run;
    }
}

static void
find_nodes(mpi_comm *c)
{
    int         node_rank, node_size;
    uint32_t    leads;
    MPI_Request request;

    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, (int)c->head.rank, MPI_INFO_NULL, &c->node_comm);
    MPI_Comm_rank(c->node_comm, &node_rank);
    MPI_Comm_size(c->node_comm, &node_size);
    c->head.node_rank = (uint32_t)node_rank;
    c->head.node_size = (uint32_t)node_size;

    /* A node's number is how many nodes begin before its first rank does. */
    leads = node_rank == 0;
    MPI_Iexscan(&leads, &c->head.node, 1, MPI_UINT32_T, MPI_SUM, MPI_COMM_WORLD, &request);
    await(&request);
    if (c->head.rank == 0)
        c->head.node = 0; /* MPI_Iexscan leaves it undefined there */
    MPI_Iallreduce(&leads, &c->n_nodes, 1, MPI_UINT32_T, MPI_SUM, MPI_COMM_WORLD, &request);
    await(&request);
    broadcast_bytes(&c->head.node, sizeof c->head.node, 0, c->node_comm);

    if (node_size == 1)
        MPI_Comm_free(&c->node_comm);
}

/* Heddle's waiting ranks sleep. Open MPI, where it yields, does so each time that it is asked in vain. Beside other
 * programs that costs time slices; where more ranks than cores wait for each other, it saves some. */
static bool
are_more_than_cores(void)
{
    const char *n_ranks = getenv("OMPI_COMM_WORLD_LOCAL_SIZE"); /* of the node */

    return n_ranks != NULL && strtol(n_ranks, NULL, 10) > sysconf(_SC_NPROCESSORS_ONLN);
}

static hd_analysis_comm *
open_mpi(int *argc, char ***argv)
{
    mpi_comm *c;
    int       provided, rank, size;

    if (!are_more_than_cores())
        setenv("OMPI_MCA_mpi_yield_when_idle", "0", 1);
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    /* Not before: some launchers do not notice a rank that ends before that call, and the others wait in it. */
    c = HD_NEW(mpi_comm);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    c->head.rank   = (uint32_t)rank;
    c->head.size   = (uint32_t)size;
    c->leader_comm = MPI_COMM_NULL;

    /* From here on one rank that gives up must not leave the others waiting, even if the program sets something else
     * later. */
    hd_fatal_handler_set(end_all_ranks, c);
    if (gethostname(c->head.node_name, sizeof c->head.node_name - 1) != 0)
        memcpy(c->head.node_name, "unknown", sizeof "unknown");
    if (provided < MPI_THREAD_FUNNELED) {
        if (rank == 0)
            hd_fatal("the MPI library \"%s\" was built without support for threads (MPI_THREAD_FUNNELED)", library());
        MPI_Barrier(MPI_COMM_WORLD); /* rank 0 prints the error for all ranks and ends them */
    }
    find_nodes(c);
    return &c->head;
}

static int
find_pmix_part(struct dl_phdr_info *info, size_t size, void *path)
{
    bool is_it = info->dlpi_name != NULL && strstr(info->dlpi_name, "/mca_pmix_") != NULL;

    (void)size;
    if (is_it)
        snprintf(path, PATH_MAX, "%s", info->dlpi_name);
    return is_it;
}

/* Open MPI 4 unloads its part for PMIx in MPI_Finalize while another thread of its own may still have an event for that
 * part, and ends with a segmentation fault then: it stays loaded. */
static void
keep_pmix_part(void)
{
    char path[PATH_MAX];

    if (dl_iterate_phdr(find_pmix_part, path) != 0)
        dlopen(path, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

static void
close_mpi(hd_analysis_comm *analysis_comm)
{
    mpi_comm *c = (mpi_comm *)analysis_comm;

    await_all(MPI_COMM_WORLD);
    for (size_t i = 0; i < c->n_shared; i++) {
        if (c->shared[i].window != MPI_WIN_NULL)
            MPI_Win_free(&c->shared[i].window);
        free(c->shared[i].copy);
    }
    free(c->shared);
    if (c->leader_comm != MPI_COMM_NULL)
        MPI_Comm_free(&c->leader_comm);
    if (c->node_comm != MPI_COMM_NULL)
        MPI_Comm_free(&c->node_comm);
    hd_fatal_handler_set(NULL, NULL); /* there is no MPI left that it could end */
    keep_pmix_part();
    MPI_Finalize();
    free(c);
}

static void
send(hd_analysis_comm *analysis_comm, const void *data, size_t bytes, uint32_t to)
{
    const uint8_t *next = data;

    (void)analysis_comm;
    while (bytes > 0) {
        size_t      run = run_of(bytes);
        MPI_Request request;

        MPI_Isend(next, (int)run, MPI_BYTE, (int)to, TAG, MPI_COMM_WORLD, &request);
        await(&request);
        next += run;
        bytes -= run;
    }
}

static void
receive(hd_analysis_comm *analysis_comm, void *data, size_t bytes, uint32_t from)
{
    uint8_t *next = data;

    (void)analysis_comm;
    while (bytes > 0) {
        size_t      run = run_of(bytes);
        MPI_Request request;

        MPI_Irecv(next, (int)run, MPI_BYTE, (int)from, TAG, MPI_COMM_WORLD, &request);
        await(&request);
        next += run;
        bytes -= run;
    }
}

static void
barrier(hd_analysis_comm *analysis_comm)
{
    (void)analysis_comm;
    await_all(MPI_COMM_WORLD);
}

static void
broadcast(hd_analysis_comm *analysis_comm, void *data, size_t bytes, uint32_t root)
{
    (void)analysis_comm;
    broadcast_bytes(data, bytes, root, MPI_COMM_WORLD);
}

static MPI_Op
reduce_operation(hd_reduce op)
{
    switch (op) {
    case HD_SUM: return MPI_SUM;
    case HD_MAX: return MPI_MAX;
    case HD_MIN: return MPI_MIN;
    case HD_OR:  return MPI_BOR;
    }
    hd_fatal("bug in heddle: unknown reduction %d", (int)op);
}

/* Order of unsigned numbers to order of signed ones, and back: MPICH 4.0.2 and Open MPI 4.1.2 to 4.1.4 compare
 * MPI_UINT64_T as if it had a sign (pmodels/mpich#6083, open-mpi/ompi#10525). */
static void
flip_signs(uint64_t *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        values[i] ^= UINT64_C(1) << 63;
}

static void
reduce(hd_analysis_comm *analysis_comm, uint64_t *values, size_t n, hd_reduce op)
{
    const size_t run_values = HD_ANALYSIS_COMM_REDUCE_BYTES / sizeof *values;
    MPI_Op       operation  = reduce_operation(op);
    bool         ordered    = op == HD_MAX || op == HD_MIN;
    MPI_Request  request;

    (void)analysis_comm;
    if (ordered)
        flip_signs(values, n);
    for (size_t done = 0; done < n; done += run_values) {
        int run = (int)(n - done < run_values ? n - done : run_values);

        MPI_Iallreduce(MPI_IN_PLACE, values + done, run, ordered ? MPI_INT64_T : MPI_UINT64_T, operation,
                       MPI_COMM_WORLD, &request);
        await(&request);
    }
    if (ordered)
        flip_signs(values, n);
}

static uint64_t
prefix_sum(hd_analysis_comm *analysis_comm, uint64_t value)
{
    uint64_t    before = 0;
    MPI_Request request;

    MPI_Iexscan(&value, &before, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD, &request);
    await(&request);
    return analysis_comm->rank == 0 ? 0 : before; /* undefined on rank 0 */
}

static void
gather(hd_analysis_comm *analysis_comm, const void *data, size_t bytes, uint8_t **all, uint64_t **n_bytes)
{
    uint32_t  size  = analysis_comm->size;
    uint64_t  mine  = bytes, total = 0;
    uint64_t *sizes = analysis_comm->rank == 0 ? HD_NEW_ARRAY(uint64_t, size) : NULL;
    uint8_t  *next;
    MPI_Request request;

    *all     = NULL;
    *n_bytes = sizes;
    MPI_Igather(&mine, 1, MPI_UINT64_T, sizes, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD, &request);
    await(&request);
    if (sizes == NULL) {
        send(analysis_comm, data, bytes, 0);
        return;
    }

    for (uint32_t rank = 0; rank < size; rank++)
        total += sizes[rank];
    next = *all = hd_realloc(NULL, total, 1);
    if (bytes > 0)
        memcpy(next, data, bytes);
    for (uint32_t rank = 1; rank < size; rank++) {
        next += sizes[rank - 1];
        receive(analysis_comm, next, sizes[rank], rank);
    }
}

/* Shared memory that does not fit in /dev/shm (64 MB in many containers) is noticed by some libraries only when it is
 * touched, by a signal. */
static bool
shared_memory_has_room(uint64_t bytes)
{
    struct statvfs room;

    if (statvfs("/dev/shm", &room) != 0)
        return true; /* then the library keeps its shared memory somewhere else */
    return (uint64_t)room.f_bavail * room.f_frsize > bytes + bytes / 8;
}

/* The window's memory of this node, for all its ranks together; NULL where it does not fit. */
static void *
share_on_node(mpi_comm *c, size_t bytes, MPI_Win *window)
{
    bool     has_room = c->head.node_rank == 0 && shared_memory_has_room(bytes);
    int      unit;
    MPI_Aint size;
    void    *memory = NULL;

    *window = MPI_WIN_NULL;
    broadcast_bytes(&has_room, sizeof has_room, 0, c->node_comm);
    if (!has_room)
        return NULL;
    MPI_Win_allocate_shared(c->head.node_rank == 0 ? (MPI_Aint)bytes : 0, 1, MPI_INFO_NULL,
                            c->node_comm, &memory, window);
    MPI_Win_shared_query(*window, 0, &size, &unit, &memory);
    return memory;
}

/* The first rank of each node, rank 0 first: a broadcast among them crosses the network once per node. */
static MPI_Comm
leader_comm(mpi_comm *c)
{
    if (c->n_nodes == c->head.size)
        return MPI_COMM_WORLD;
    if (!c->leader_comm_made)
        MPI_Comm_split(MPI_COMM_WORLD, c->head.node_rank == 0 ? 0 : MPI_UNDEFINED, (int)c->head.rank,
                       &c->leader_comm);
    c->leader_comm_made = true;
    return c->leader_comm;
}

/* Rank 0's data goes to the first rank of each node; there the others see it in the window, or get it from the
 * first. */
static void
fill_nodes(mpi_comm *c, const void *data, size_t bytes, shared_run *run, void *memory)
{
    bool shared = run->window != MPI_WIN_NULL;

    if (shared) {
        await_all(c->node_comm);
        MPI_Win_fence(MPI_MODE_NOPRECEDE, run->window);
    }
    if (c->head.rank == 0)
        memcpy(memory, data, bytes);
    if (c->n_nodes > 1) {
        MPI_Comm leaders = leader_comm(c);

        if (c->head.node_rank == 0)
            broadcast_bytes(memory, bytes, 0, leaders);
    }
    if (shared) {
        await_all(c->node_comm);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, run->window);
    } else if (c->head.node_size > 1)
        broadcast_bytes(memory, bytes, 0, c->node_comm);
}

static const void *
share(hd_analysis_comm *analysis_comm, const void *data, size_t *bytes)
{
    mpi_comm  *c      = (mpi_comm *)analysis_comm;
    shared_run run    = { .window = MPI_WIN_NULL };
    uint64_t   n      = *bytes;
    void      *memory = NULL;

    broadcast_bytes(&n, sizeof n, 0, MPI_COMM_WORLD);
    if (n >= HD_ANALYSIS_COMM_SHARE_BYTES && c->head.node_size > 1)
        memory = share_on_node(c, n, &run.window);
    if (memory == NULL)
        memory = run.copy = hd_realloc(NULL, n, 1);

    if (n > 0)
        fill_nodes(c, data, n, &run, memory);
    HD_PUSH(c->shared, c->n_shared, c->shared_capacity, run);
    *bytes = n;
    return memory;
}

const hd_analysis_comm_calls hd_analysis_comm_mpi = {
    .open = open_mpi, .close = close_mpi, .library = library, .barrier = barrier, .broadcast = broadcast,
    .reduce = reduce, .prefix_sum = prefix_sum, .gather = gather, .send = send, .receive = receive, .share = share,
    .abort = end, .transport = &hd_transport_mpi,
};
