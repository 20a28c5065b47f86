/* A run of which only the end is recorded: steps of messages and collective operations in a region that is open all the
 * time. Argument 1: how many seconds, at least, and 40000 messages. Argument 2: "kill": then process 1 kills itself;
 * "hang": it waits for a message that nobody sends; "team": each process is a team of threads for the whole time, which
 * works on tasks between barriers, and only its first thread calls MPI; "pause": every other step is a pause
 * (MPI_Pcontrol). Prints how many messages process 0 has sent. */
#include <heddle/record.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 40000 };

static int  rank, size;
static long n_sent, n_tasks;

/* One message to the next process, and many that need no other one. */
static void
exchange(int n)
{
    int         received[2], sent[2] = { n, 1 };
    MPI_Request requests[2];

    MPI_Irecv(received, 2, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(sent, 2, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (n_sent++; n > 1; n--, n_sent++)
        MPI_Sendrecv(sent, 2, MPI_INT, 0, 7, received, 2, MPI_INT, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

/* Whether there is time for another one. The receive of `late` is begun in one step, and complete in the next. */
static int
step(double end, MPI_Request *late, int *value, MPI_Comm *comm)
{
    int         goes_on = 0, wants = MPI_Wtime() < end || n_sent < LEAST, unused;
    MPI_Request request;

    heddle_iteration_begin("step");
    exchange(400);
    if (*late != MPI_REQUEST_NULL)
        MPI_Wait(late, MPI_STATUS_IGNORE);
    MPI_Irecv(value, 1, MPI_INT, (rank + 1) % size, 8, MPI_COMM_WORLD, late);
    MPI_Send(&rank, 1, MPI_INT, (rank + size - 1) % size, 8, MPI_COMM_WORLD);
    MPI_Iallreduce(&wants, &unused, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (*comm == MPI_COMM_NULL)
        MPI_Comm_dup(MPI_COMM_WORLD, comm);
    else
        MPI_Comm_free(comm);
    MPI_Allreduce(&wants, &goes_on, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    heddle_iteration_end("step");
    return goes_on;
}

static void
work_on_tasks(void)
{
#pragma omp barrier
#pragma omp single
    for (int i = 0; i < 4; i++) {
#pragma omp task
        {
#pragma omp critical
            n_tasks++;
        }
    }
}

static int goes_on = 1;

/* By all threads of the team, or by the only one. */
static void
steps(double end, const char *how)
{
    MPI_Request late = MPI_REQUEST_NULL;
    MPI_Comm    comm = MPI_COMM_NULL;
    int         value, n = 0;

    while (goes_on) {
        if (strcmp(how, "team") == 0)
            work_on_tasks();
#pragma omp master
        {
            int next = step(end, &late, &value, &comm);

            if (strcmp(how, "pause") == 0)
                MPI_Pcontrol(n++ % 2);
            goes_on = next;
        }
#pragma omp barrier
    }
#pragma omp master
    {
        MPI_Pcontrol(1);
        MPI_Wait(&late, MPI_STATUS_IGNORE);
        if (comm != MPI_COMM_NULL)
            MPI_Comm_free(&comm);
    }
}

int
main(int argc, char **argv)
{
    double      seconds = argc > 1 ? atof(argv[1]) : 1;
    const char *how     = argc > 2 ? argv[2] : "";
    double      end;
    int         value, level;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    end = MPI_Wtime() + seconds;
    heddle_region_begin("outer");
    if (strcmp(how, "team") == 0)
#pragma omp parallel num_threads(2)
        steps(end, how);
    else
        steps(end, how);
    if (rank == 0) {
        printf("%ld messages\n", n_sent);
        fflush(stdout);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1 && strcmp(how, "kill") == 0)
        raise(SIGKILL);
    if (rank == 1 && strcmp(how, "hang") == 0)
        MPI_Recv(&value, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    heddle_region_end("outer");
    MPI_Finalize();
    return 0;
}
