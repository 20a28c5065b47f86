/* 20 iterations of messages, collective operations, accesses and a file, of which a part is recorded. Argument 1:
 * "together": iterations 6 to 15 are omitted by MPI_Pcontrol in all processes; "apart": each process omits others, and
 * begins and ends between the begin and the end of messages; else the program omits nothing. Argument 2:
 * microseconds that rank 0 sends late in each iteration. Prints the iterations and, from rank 0, their time. */
#include <heddle/record.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N_ITERATIONS = 20 };

static int  rank, size;
static long late_us;

static void
pause_if(const char *how, int i)
{
    int skew = strcmp(how, "apart") == 0 ? rank : 0;

    if (strcmp(how, "apart") != 0 && strcmp(how, "together") != 0)
        return;
    if (i == 6 + skew)
        MPI_Pcontrol(0);
    if (i == 16 - skew)
        MPI_Pcontrol(1);
}

static void
sleep_us(long us)
{
    struct timespec time = { .tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000 };

    if (us > 0)
        nanosleep(&time, NULL);
}

static void
iterate(const char *how, int i, MPI_Win window, MPI_File file)
{
    int         sent = i, received = 0, sum = 0, sums = 0;
    MPI_Request requests[3];

    if (strcmp(how, "together") == 0)
        pause_if(how, i);
    MPI_Irecv(&received, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &requests[0]);
    if (rank == 0)
        sleep_us(late_us);
    MPI_Isend(&sent, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, &requests[1]);
    MPI_Iallreduce(&sent, &sums, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[2]);
    if (strcmp(how, "apart") == 0)
        pause_if(how, i);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Allreduce(&received, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Win_fence(0, window);
    MPI_Put(&sent, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_File_write(file, &sent, 1, MPI_INT, MPI_STATUS_IGNORE);
    if (sum != sums || sum != i * size)
        MPI_Abort(MPI_COMM_WORLD, 9);
}

int
main(int argc, char **argv)
{
    const char *how    = argc > 1 ? argv[1] : "";
    int        *memory = NULL;
    MPI_Win     window;
    MPI_File    file;

    late_us = argc > 2 ? atol(argv[2]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    for (int i = 1; i <= N_ITERATIONS; i++) {
        heddle_iteration_begin("step");
        iterate(how, i, window, file);
        heddle_iteration_end("step");
    }
    MPI_File_close(&file);
    MPI_Win_free(&window);
    MPI_Finalize();
    if (rank == 0)
        printf("%d iterations\n", N_ITERATIONS);
    return 0;
}
