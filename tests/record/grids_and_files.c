/* A grid, neighbours in it, and files, with 4 ranks. Above each function are the numbers of records that it makes in
 * all ranks together: test_record.py reads them there. Files are made in the current folder. */
#include <mpi.h>
#include <stdio.h>

static int rank;

/* records: COMM_CREATE 8 COMM_DESTROY 8 MPI_SEND 4 MPI_RECV 4 MPI_COLLECTIVE_END 16 */
static void
grid(void)
{
    const int sizes[] = { 2, 2 }, periods[] = { 1, 0 }, remain[] = { 1, 0 };
    int       from, to, in[4], out[4] = { 0 };
    MPI_Comm  cartesian, column;

    MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &cartesian);
    MPI_Comm_set_name(cartesian, "the grid");
    MPI_Cart_shift(cartesian, 0, 1, &from, &to);
    MPI_Sendrecv(&rank, 1, MPI_INT, to, 1, in, 1, MPI_INT, from, 1, cartesian, MPI_STATUS_IGNORE);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, cartesian);
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, cartesian);
    MPI_Cart_sub(cartesian, remain, &column);
    MPI_Comm_free(&column);
    MPI_Comm_free(&cartesian);
}

/* records: IO_CREATE_HANDLE 4 IO_DESTROY_HANDLE 4 IO_SEEK 4 IO_OPERATION_BEGIN 28 IO_OPERATION_ISSUED 8
 *          IO_OPERATION_COMPLETE 28 */
static void
shared_file(void)
{
    int         values[64] = { 0 }, read = 0;
    MPI_File    file;
    MPI_Request request;
    MPI_Status  status;

    MPI_File_open(MPI_COMM_WORLD, "shared.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, (MPI_Offset)rank * 256, values, 64, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_File_seek(file, 64, MPI_SEEK_SET);
    MPI_File_read(file, values, 4, MPI_INT, &status);
    MPI_Get_count(&status, MPI_INT, &read);
    MPI_File_iread_at(file, 0, values, 8, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_begin(file, 1024 + (MPI_Offset)rank * 4, &rank, 1, MPI_INT);
    MPI_File_write_at_all_end(file, &rank, MPI_STATUS_IGNORE);
    MPI_File_read_at(file, 1024 + 16, values, 64, MPI_INT, MPI_STATUS_IGNORE); /* behind the end: nothing is read */
    MPI_File_read_all(file, values, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    if (read != 4)
        printf("read %d\n", read);
}

/* records: IO_CREATE_HANDLE 4 IO_DESTROY_HANDLE 4 IO_OPERATION_BEGIN 4 IO_OPERATION_COMPLETE 4 */
static void
own_files(void)
{
    char     name[32];
    MPI_File file;

    snprintf(name, sizeof name, "own.%d", rank);
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

int
main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    grid();
    shared_file();
    own_files();
    /* records of main: COMM_CREATE 8 COMM_DESTROY 8 MPI_COLLECTIVE_END 8 */
    MPI_Finalize();
    return 0;
}
