/* MPI sessions, with 4 ranks: without MPI_Init, or with it ("world", "after"). In each of three exchanges rank 1 waits
 * 200 ms for rank 0, and the others for rank 1; each prints its waits in nanoseconds.
 * records of main: MPI_SEND 12 MPI_RECV 12 MPI_COLLECTIVE_END 108 COMM_CREATE 36 COMM_DESTROY 36 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static long long waited;

static long long
now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* A ring, in which rank 0 is late. */
static void
exchange(MPI_Comm comm)
{
    int       rank, size, value = 0;
    long long from;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Barrier(comm);
    from = now();
    if (rank == 0) {
        nanosleep(&(struct timespec){ 0, 200000000 }, NULL);
        MPI_Send(&rank, 1, MPI_INT, 1, 0, comm);
        MPI_Recv(&value, 1, MPI_INT, size - 1, 0, comm, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&value, 1, MPI_INT, rank - 1, 0, comm, MPI_STATUS_IGNORE);
        waited += now() - from;
        MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 0, comm);
    }
}

static MPI_Comm
comm_of(MPI_Session session, const char *set, const char *name)
{
    MPI_Group group;
    MPI_Comm  made;

    MPI_Group_from_session_pset(session, set, &group);
    MPI_Comm_create_from_group(group, name, MPI_INFO_NULL, MPI_ERRORS_RETURN, &made);
    MPI_Group_free(&group);
    return made;
}

/* Two communicators of one group and one name, and that of the process itself. */
static void
part(MPI_Session session)
{
    MPI_Comm all = comm_of(session, "mpi://WORLD", "all"), again = comm_of(session, "mpi://WORLD", "all");
    MPI_Comm self = comm_of(session, "mpi://SELF", "self");

    exchange(all);
    MPI_Barrier(again);
    MPI_Barrier(self);
    MPI_Comm_free(&self);
    MPI_Comm_free(&again);
    MPI_Comm_free(&all);
}

static MPI_Session
begin(void)
{
    MPI_Session session;

    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    return session;
}

/* One session ends while another is there. */
static void
sessions_only(void)
{
    MPI_Session first = begin(), second = begin();

    part(first);
    part(second);
    MPI_Session_finalize(&first);
    part(second);
    MPI_Session_finalize(&second);
}

/* Sessions before, beside and after MPI_Init. */
static void
with_world(void)
{
    MPI_Session first = begin(), second;

    part(first);
    MPI_Init(NULL, NULL);
    second = begin();
    exchange(MPI_COMM_WORLD);
    MPI_Session_finalize(&first);
    MPI_Finalize();
    part(second);
    MPI_Session_finalize(&second);
}

/* A session that outlives MPI_Finalize, and one that does not. */
static void
after_world(void)
{
    MPI_Session first, second;

    MPI_Init(NULL, NULL);
    first = begin();
    part(first);
    MPI_Session_finalize(&first);
    exchange(MPI_COMM_WORLD);
    second = begin();
    MPI_Finalize();
    part(second);
    MPI_Session_finalize(&second);
}

int
main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "world") == 0)
        with_world();
    else if (argc > 1 && strcmp(argv[1], "after") == 0)
        after_world();
    else
        sessions_only();
    if (waited > 0)
        printf("waited %lld\n", waited);
    return 0;
}
