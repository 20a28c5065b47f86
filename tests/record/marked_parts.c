/* Functions that the compiler instruments, regions and iterations, with 2 ranks: test_record.py knows how often each is
 * visited. */
#include <heddle/record.h>
#include <mpi.h>
#include <setjmp.h>
#include <string.h>

enum { N_STEPS = 5, N_CALLS = 300000, N_DEEP = 70 };

static volatile int sum;
static jmp_buf      out;

__attribute__((noinline)) static void
short_one(int i)
{
    sum += i;
}

__attribute__((noinline)) static void
left_by_jump(void)
{
    longjmp(out, 1);
}

__attribute__((noinline)) static void
jumps(void)
{
    if (setjmp(out) == 0)
        left_by_jump();
}

__attribute__((noinline)) static void
excluded(void)
{
    sum++;
}

__attribute__((noinline)) static void
exchange(int rank)
{
    int value = rank;

    MPI_Sendrecv_replace(&value, 1, MPI_INT, 1 - rank, 1, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

__attribute__((noinline, no_instrument_function)) static void
through(int rank)
{
    exchange(rank);
    sum++;
}

int
main(int argc, char **argv)
{
    int rank, n = argc > 1 && strcmp(argv[1], "long") == 0 ? N_CALLS : 10;

    heddle_region_begin("before MPI");
    MPI_Init(&argc, &argv);
    heddle_region_end("before MPI");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < N_STEPS; i++) {
        heddle_iteration_begin("step");
        heddle_region_begin("inner"); /* is never ended by itself */
        through(rank);
        excluded();
        heddle_iteration_end("step");
    }
    heddle_region_end("never begun");
    for (int i = 0; i < N_DEEP; i++)
        heddle_region_begin("deep");
    for (int i = 0; i < N_DEEP; i++)
        heddle_region_end("deep");
    jumps();
    for (int i = 0; i < n; i++)
        short_one(i);
    MPI_Finalize();
    return 0;
}
