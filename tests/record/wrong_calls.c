/* Calls with wrong arguments, whose errors the program looks at, on two processes, and messages that are longer than
 * the buffer. MPI_COMM_WORLD has a handler of the program, which is called for nothing else than without the recorder.
 * records: MPI_SEND 8 MPI_RECV 4 MPI_IRECV_REQUEST 4 MPI_IRECV 4 MPI_ISEND 0 MPI_COLLECTIVE_BEGIN 8
 * MPI_COLLECTIVE_END 8 */
#include <mpi.h>
#include <stdio.h>

static int n_called;

static void
note(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    n_called++;
}

static int
class_of(int code)
{
    int class;

    MPI_Error_class(code, &class);
    return class;
}

static void
messages(MPI_Comm comm, int other)
{
    int         four[4] = { 1, 2, 3, 4 }, one = 0;
    MPI_Request request;
    MPI_Status  status;
    int         classes[2];

    classes[0] = class_of(MPI_Sendrecv(four, 4, MPI_INT, other, 7, &one, 1, MPI_INT, other, 7, comm, &status));
    MPI_Sendrecv(four, 1, MPI_INT, other, 7, &one, 1, MPI_INT, other, 7, comm, &status);
    MPI_Irecv(&one, 1, MPI_INT, other, 8, comm, &request);
    MPI_Send(four, 4, MPI_INT, other, 8, comm);
    classes[1] = class_of(MPI_Wait(&request, &status));
    MPI_Irecv(&one, 1, MPI_INT, other, 8, comm, &request);
    MPI_Send(four, 1, MPI_INT, other, 8, comm);
    MPI_Wait(&request, &status);
    printf("truncated %d %d, then %d\n", classes[0] == MPI_ERR_TRUNCATE, classes[1] == MPI_ERR_TRUNCATE, one);
}

int
main(int argc, char **argv)
{
    int            rank, one = 1, classes[7];
    MPI_Comm       comm;
    MPI_Errhandler handler;
    MPI_Request    request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_create_errhandler(note, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    classes[0] = class_of(MPI_Send(&one, 1, MPI_INT, 2, 0, comm));
    classes[1] = class_of(MPI_Send(&one, -1, MPI_INT, !rank, 0, comm));
    classes[2] = class_of(MPI_Send(&one, 1, MPI_DATATYPE_NULL, !rank, 0, comm));
    classes[3] = class_of(MPI_Isend(&one, 1, MPI_INT, !rank, -5, comm, &request));
    classes[4] = class_of(MPI_Irecv(&one, 1, MPI_INT, 2, 0, comm, &request));
    classes[5] = class_of(MPI_Bcast(&one, 1, MPI_INT, 2, comm));
    classes[6] = class_of(MPI_Bcast(&one, 1, MPI_DATATYPE_NULL, 0, comm));
    printf("rank %d, count %d, type %d, tag %d, rank %d, root %d, type %d\n", classes[0] == MPI_ERR_RANK,
           classes[1] == MPI_ERR_COUNT, classes[2] == MPI_ERR_TYPE, classes[3] == MPI_ERR_TAG,
           classes[4] == MPI_ERR_RANK, classes[5] == MPI_ERR_ROOT, classes[6] == MPI_ERR_TYPE);
    messages(comm, !rank);
    MPI_Send(&one, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    printf("handler %d\n", n_called);
    MPI_Comm_free(&comm);
    MPI_Errhandler_free(&handler);
    MPI_Finalize();
    return 0;
}
