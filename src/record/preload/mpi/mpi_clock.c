/* src/record/preload/mpi/mpi_clock.c: exchanges clocks between nodes. */
#include "mpi_clock.h"

#include <stdlib.h>

enum { N_EXCHANGES = 50, TAG = 1 };

/* Written by MPI_Init, read by MPI_Finalize. */
static struct {
    bool      is_needed; /* there are several nodes */
    bool      is_first;  /* of another node than rank 0 */
    int       rank;
    int      *firsts; /* [n_firsts] on rank 0: the first process of each other node */
    int       n_firsts;
    MPI_Comm  comm;
} clocks;

typedef struct place {
    uint64_t node;
    int      rank;
} place;

#define REAL(name, parameters) ((int(*) parameters)hd_the_mpi.function[HD_MPI_##name])

static int
by_node(const void *a_, const void *b_)
{
    const place *a = a_, *b = b_;

    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static int
by_number(const void *a, const void *b)
{
    int left = *(const int *)a, right = *(const int *)b;

    return left < right ? -1 : left > right;
}

/* The first process of each node but that of rank 0, in the order of their ranks. */
static void
find_firsts(const uint64_t *nodes, int n)
{
    place *places = calloc((size_t)n, sizeof *places);

    clocks.firsts = calloc((size_t)n, sizeof *clocks.firsts);
    if (places == NULL || clocks.firsts == NULL) {
        free(places);
        return;
    }
    for (int i = 0; i < n; i++)
        places[i] = (place){ nodes[i], i };
    qsort(places, (size_t)n, sizeof *places, by_node);
    for (int i = 0; i < n; i++)
        if (places[i].node != nodes[0] && (i == 0 || places[i].node != places[i - 1].node))
            clocks.firsts[clocks.n_firsts++] = places[i].rank;
    qsort(clocks.firsts, (size_t)clocks.n_firsts, sizeof *clocks.firsts, by_number);
    free(places);
}

/* ---- exchanges --------------------------------------------------------------------------------------------------- */

static void
send(uint64_t *value, int to)
{
    REAL(Send, (const void *, int, MPI_Datatype, int, int, MPI_Comm))
    (value, sizeof *value, MPI_BYTE, to, TAG, clocks.comm);
}

static void
receive(uint64_t *value, int from)
{
    MPI_Status status;

    REAL(Recv, (void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *))
    (value, sizeof *value, MPI_BYTE, from, TAG, clocks.comm, &status);
}

static void
answer(int to)
{
    uint64_t value = 0;

    for (int i = 0; i < N_EXCHANGES; i++) {
        receive(&value, to);
        value = hd_recorder_now();
        send(&value, to);
    }
}

static void
ask(void)
{
    uint64_t fastest = UINT64_MAX, here = 0, there = 0;

    for (int i = 0; i < N_EXCHANGES; i++) {
        uint64_t begin = hd_recorder_now(), value = begin, end;

        send(&value, 0);
        receive(&value, 0);
        end = hd_recorder_now();
        if (end - begin < fastest) {
            fastest = end - begin;
            here    = begin + fastest / 2;
            there   = value;
        }
    }
    hd_recorder_define(HD_RAW_OFFSET, (const uint64_t[]){ here, there, fastest }, 3, NULL, NULL);
}

/* Rank 0 answers one node after the other. */
static void
exchange(void)
{
    if (clocks.is_first)
        ask();
    for (int i = 0; i < clocks.n_firsts; i++)
        answer(clocks.firsts[i]);
}

/* ---- begin and end ----------------------------------------------------------------------------------------------- */

/* The launcher says that all n processes are on one node. */
static bool
is_one_node(int n)
{
    static const char *const variables[] = { "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS" };

    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *text = getenv(variables[i]);

        if (text != NULL && atoi(text) == n)
            return getenv("HEDDLE_RECORD_NODE") == NULL;
    }
    return false;
}

void
hd_mpi_clock_begin(void)
{
    uint64_t  own = hd_recorder_node(), *nodes;
    int       n   = 0, is_mine = -1;

    hd_the_mpi.comm_size(MPI_COMM_WORLD, &n);
    hd_the_mpi.comm_rank(MPI_COMM_WORLD, &clocks.rank);
    nodes = n > 1 && !is_one_node(n) ? calloc((size_t)n, sizeof *nodes) : NULL;
    if (nodes == NULL)
        return;
    REAL(Allgather, (const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm))
    (&own, sizeof own, MPI_BYTE, nodes, sizeof own, MPI_BYTE, MPI_COMM_WORLD);
    for (int i = n - 1; i >= 0; i--) {
        clocks.is_needed |= nodes[i] != nodes[0];
        is_mine = nodes[i] == own ? i : is_mine;
    }
    if (clocks.is_needed) {
        clocks.is_first = own != nodes[0] && is_mine == clocks.rank;
        if (clocks.rank == 0)
            find_firsts(nodes, n);
        REAL(Comm_dup, (MPI_Comm, MPI_Comm *))(MPI_COMM_WORLD, &clocks.comm);
        exchange();
    }
    free(nodes);
}

void
hd_mpi_clock_end(void)
{
    if (!clocks.is_needed)
        return;
    REAL(Barrier, (MPI_Comm))(clocks.comm);
    exchange();
    REAL(Comm_free, (MPI_Comm *))(&clocks.comm);
    free(clocks.firsts);
    clocks.firsts    = NULL;
    clocks.n_firsts  = 0;
    clocks.is_needed = false;
}
