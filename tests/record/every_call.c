/* All kinds of MPI calls, with 4 ranks. Above each function are the numbers of records that it makes in all ranks
 * together: test_record.py reads them there. */
#include <mpi.h>
#include <stdlib.h>

enum { N_POLLS = 200000 };

static int rank, size, right, left;
static int x[64], y[64];

/* records: MPI_SEND 16 MPI_ISEND 56 MPI_ISEND_COMPLETE 56 MPI_RECV 8 MPI_IRECV 64 MPI_IRECV_REQUEST 64 */
static void
messages(void)
{
    MPI_Request requests[16], none = MPI_REQUEST_NULL;
    MPI_Status  status, statuses[16];
    int         index, n, indices[16], flag = 0;

    MPI_Irecv(y, 4, MPI_INT, left, 1, MPI_COMM_WORLD, requests);
    MPI_Send(x, 4, MPI_INT, right, 1, MPI_COMM_WORLD);
    MPI_Wait(requests, &status);
    MPI_Irecv(y, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, requests);
    MPI_Ssend(x, 4, MPI_INT, right, 1, MPI_COMM_WORLD);
    MPI_Waitany(1, requests, &index, MPI_STATUS_IGNORE);
    MPI_Sendrecv(x, 2, MPI_INT, right, 3, y, 2, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(x, 2, MPI_INT, right, 3, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Recv(x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
    for (int i = 0; i < 8; i++) {
        MPI_Isend(x, i, MPI_INT, right, i, MPI_COMM_WORLD, requests + i);
        MPI_Irecv(y + i * 8, 8, MPI_INT, left, i, MPI_COMM_WORLD, requests + 8 + i);
    }
    MPI_Waitall(16, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 4; i++) { /* sends that are complete at once have one handle */
        MPI_Isend(x, 1, MPI_INT, right, i, MPI_COMM_WORLD, requests + i);
        MPI_Irecv(y + i, 1, MPI_INT, left, i, MPI_COMM_WORLD, requests + 4 + i);
    }
    MPI_Irecv(y + 9, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, requests + 8);
    for (int done = 0; done < 9; done += n) {
        MPI_Waitsome(9, requests, &n, indices, statuses);
        if (n == MPI_UNDEFINED)
            abort();
    }
    MPI_Wait(&none, MPI_STATUS_IGNORE);
    MPI_Isend(x, 1, MPI_INT, right, 5, MPI_COMM_WORLD, requests);
    MPI_Irecv(y, 1, MPI_INT, left, 5, MPI_COMM_WORLD, requests + 1);
    while (flag == 0)
        MPI_Testall(2, requests, &flag, statuses);
    MPI_Isend(x, 1, MPI_INT, right, 5, MPI_COMM_WORLD, requests);
    MPI_Irecv(y, 1, MPI_INT, left, 5, MPI_COMM_WORLD, requests + 1);
    for (int i = 0; i < 2; i++)
        for (flag = 0; flag == 0;)
            MPI_Test(requests + i, &flag, MPI_STATUS_IGNORE);
}

/* records: MPI_ISEND 16 MPI_ISEND_COMPLETE 16 MPI_IRECV 16 MPI_IRECV_REQUEST 20 MPI_REQUEST_CANCELLED 4 */
static void
persistent(void)
{
    MPI_Request requests[2];
    MPI_Status  statuses[2];

    MPI_Send_init(x, 1, MPI_INT, right, 9, MPI_COMM_WORLD, requests);
    MPI_Recv_init(y, 1, MPI_INT, left, 9, MPI_COMM_WORLD, requests + 1);
    for (int i = 0; i < 3; i++) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, statuses);
    }
    MPI_Start(requests);
    MPI_Start(requests + 1);
    MPI_Wait(requests, statuses);
    MPI_Wait(requests + 1, statuses);
    MPI_Wait(requests, statuses); /* inactive */
    MPI_Request_free(requests);
    MPI_Request_free(requests + 1);
    MPI_Irecv(y, 1, MPI_INT, left, 77, MPI_COMM_WORLD, requests);
    MPI_Cancel(requests);
    MPI_Wait(requests, statuses);
}

/* Rank 0 asks for a message that never comes, and for requests of which there are none: many calls that find nothing
 * are few in the archive.
 * records: MPI_ISEND 12 MPI_ISEND_COMPLETE 12 MPI_RECV 8 MPI_IRECV 4 MPI_IRECV_REQUEST 4 */
static void
probes(void)
{
    MPI_Request requests[2];
    MPI_Status  status;
    MPI_Message message;
    int         flag = 0, n_done, indices[2];

    MPI_Isend(x, 1, MPI_INT, right, 5, MPI_COMM_WORLD, requests);
    MPI_Probe(left, 5, MPI_COMM_WORLD, &status);
    MPI_Recv(y, 1, MPI_INT, left, 5, MPI_COMM_WORLD, &status);
    MPI_Wait(requests, &status);
    MPI_Isend(x, 1, MPI_INT, right, 5, MPI_COMM_WORLD, requests);
    MPI_Mprobe(left, 5, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(y, 1, MPI_INT, &message, &status);
    MPI_Wait(requests, &status);
    MPI_Isend(x, 1, MPI_INT, right, 5, MPI_COMM_WORLD, requests);
    while (flag == 0)
        MPI_Improbe(left, 5, MPI_COMM_WORLD, &flag, &message, &status);
    MPI_Imrecv(y, 1, MPI_INT, &message, requests + 1);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < N_POLLS && rank == 0; i++)
        MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, &status);
    for (int i = 0; i < N_POLLS && rank == 0; i++)
        MPI_Test(requests, &flag, &status);
    for (int i = 0; i < N_POLLS && rank == 0; i++)
        MPI_Testany(2, requests, &n_done, &flag, &status);
    for (int i = 0; i < N_POLLS && rank == 0; i++)
        MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
    for (int i = 0; i < N_POLLS && rank == 0; i++)
        MPI_Testsome(2, requests, &n_done, indices, MPI_STATUSES_IGNORE);
}

/* Arguments that are not significant are no types and no counts.
 * records: MPI_COLLECTIVE_END 60 NON_BLOCKING_COLLECTIVE_REQUEST 12 NON_BLOCKING_COLLECTIVE_COMPLETE 12 */
static void
collectives(void)
{
    int         is_root = rank == 0, counts[4] = { 1, 2, 3, 4 }, places[4] = { 0, 8, 16, 24 };
    MPI_Request requests[3];

    MPI_Bcast(x, 4, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Reduce(x, y, 4, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Allreduce(x, y, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, y, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Gather(x, 1, MPI_INT, y, is_root ? 1 : -7, is_root ? MPI_INT : MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    MPI_Gather(is_root ? MPI_IN_PLACE : (void *)x, is_root ? -5 : 1, is_root ? MPI_DATATYPE_NULL : MPI_INT, y, 1,
               MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gatherv(x, rank + 1, MPI_INT, y, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatterv(y, is_root ? counts : NULL, is_root ? places : NULL, is_root ? MPI_INT : MPI_DATATYPE_NULL, x,
                 rank + 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allgather(x, 1, MPI_INT, y, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(x, rank + 1, MPI_INT, y, counts, places, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoall(x, 1, MPI_INT, y, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Scan(x, y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(x, y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(x, y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter(x, y, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Ibarrier(MPI_COMM_WORLD, requests);
    MPI_Ibcast(x, 3, MPI_INT, 0, MPI_COMM_WORLD, requests + 1);
    MPI_Iallreduce(x, y, 3, MPI_INT, MPI_MAX, MPI_COMM_WORLD, requests + 2);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
}

/* The two halves of the ranks, and messages between them.
 * records: MPI_COLLECTIVE_END 40 COMM_CREATE 12 COMM_DESTROY 12 MPI_SEND 4 MPI_RECV 4 */
static void
halves(MPI_Comm all)
{
    MPI_Comm   half, inter, merged;
    MPI_Status status;
    int        root = rank % 2 != 0 ? 0 : rank == 2 ? MPI_ROOT : MPI_PROC_NULL, own, n;

    MPI_Comm_split(all, rank % 2, -rank, &half);
    MPI_Allreduce(x, y, 1, MPI_INT, MPI_SUM, half);
    MPI_Intercomm_create(half, 0, all, rank % 2 != 0 ? 2 : 3, 4, &inter);
    MPI_Barrier(inter);
    MPI_Bcast(x, 1, MPI_INT, root, inter);
    MPI_Sendrecv(x, 1, MPI_INT, 0, 2, y, 0, MPI_INT, MPI_PROC_NULL, 2, inter, &status);
    MPI_Comm_rank(inter, &own);
    MPI_Comm_remote_size(inter, &n);
    for (int i = 0; i < n && own == 0; i++)
        MPI_Recv(y, 1, MPI_INT, i, 2, inter, &status);
    MPI_Intercomm_merge(inter, rank % 2, &merged);
    MPI_Barrier(merged);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

/* records: MPI_COLLECTIVE_END 72 COMM_CREATE 25 COMM_DESTROY 25 NON_BLOCKING_COLLECTIVE_REQUEST 4
 * NON_BLOCKING_COLLECTIVE_COMPLETE 4 */
static void
parts(MPI_Comm all)
{
    MPI_Group   group, two;
    MPI_Comm    some;
    MPI_Request request;
    int         members[2] = { 1, 2 }, dims[2] = { 2, 2 }, periods[2] = { 1, 1 }, remain[2] = { 1, 0 };

    MPI_Comm_split(all, rank == 0 ? MPI_UNDEFINED : 1, 0, &some); /* 4 ends, 3 made; barrier and free 3 each: 10 */
    if (some != MPI_COMM_NULL) {
        MPI_Barrier(some);
        MPI_Comm_free(&some);
    }
    MPI_Comm_split(all, rank, 0, &some); /* each its own: 12 */
    MPI_Barrier(some);
    MPI_Comm_free(&some);
    MPI_Comm_idup(all, &some, &request); /* barrier and free: 8 */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(some);
    MPI_Comm_free(&some);
    MPI_Comm_group(all, &group);
    MPI_Group_incl(group, 2, members, &two);
    for (int i = 0; i < 2 && (rank == 1 || rank == 2); i++) { /* 2 x 3 x 2 = 12 */
        MPI_Comm_create_group(all, two, 5, &some);
        MPI_Barrier(some);
        MPI_Comm_free(&some);
    }
    MPI_Comm_create(all, two, &some); /* 4, free 2: 6 */
    if (some != MPI_COMM_NULL)
        MPI_Comm_free(&some);
    MPI_Group_free(&two);
    MPI_Group_free(&group);
    MPI_Cart_create(all, 2, dims, periods, 0, &some); /* create, sub, barrier, 2 x free: 20; and the dup: 4 */
    {
        MPI_Comm line;

        MPI_Cart_sub(some, remain, &line);
        MPI_Barrier(line);
        MPI_Comm_free(&line);
    }
    MPI_Comm_free(&some);
    MPI_Barrier(all);
}

/* records: RMA_COLLECTIVE_BEGIN 16 RMA_COLLECTIVE_END 16 RMA_WIN_CREATE 4 RMA_WIN_DESTROY 4 RMA_PUT 12 RMA_GET 4
 * RMA_ATOMIC 8 RMA_OP_COMPLETE_NON_BLOCKING 24 RMA_OP_COMPLETE_REMOTE 16 RMA_GROUP_SYNC 16 RMA_REQUEST_LOCK 8
 * RMA_RELEASE_LOCK 8 */
static void
one_sided(void)
{
    int        *memory, one = 1, other;
    MPI_Win     window;
    MPI_Group   all, origin, target;
    MPI_Request request;

    MPI_Win_allocate(8 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_fence(0, window);
    MPI_Put(&one, 1, MPI_INT, right, 0, 1, MPI_INT, window);
    MPI_Get(&other, 1, MPI_INT, right, 1, 1, MPI_INT, window);
    MPI_Put(&one, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &left, &origin);
    MPI_Group_incl(all, 1, &right, &target);
    MPI_Win_post(origin, 0, window);
    MPI_Win_start(target, 0, window);
    MPI_Put(&one, 1, MPI_INT, right, 2, 1, MPI_INT, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    MPI_Group_free(&target);
    MPI_Group_free(&origin);
    MPI_Group_free(&all);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, window);
    MPI_Accumulate(&one, 1, MPI_INT, right, 3, 1, MPI_INT, MPI_SUM, window);
    MPI_Fetch_and_op(&one, &other, MPI_INT, right, 4, MPI_SUM, window);
    MPI_Win_flush(right, window);
    MPI_Win_unlock(right, window);
    MPI_Win_lock_all(0, window);
    MPI_Rput(&one, 1, MPI_INT, right, 5, 1, MPI_INT, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
}

int
main(int argc, char **argv)
{
    MPI_Comm all;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    right = (rank + 1) % size;
    left  = (rank + size - 1) % size;
    messages();
    persistent();
    probes();
    collectives();
    /* records of main: MPI_COLLECTIVE_END 16 COMM_CREATE 12 COMM_DESTROY 12 */
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    MPI_Comm_set_name(all, "copy of the world");
    halves(all);
    parts(all);
    one_sided();
    MPI_Comm_free(&all);
    MPI_Finalize();
    return size == 4 ? 0 : 1;
}
