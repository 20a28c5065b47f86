/* Topologies that a program defines, right and wrong ones, with 4 ranks: test_record.py knows what becomes of them. */
#include <heddle/record.h>
#include <mpi.h>

enum { MANY = 33 };

int
main(int argc, char **argv)
{
    static const char *const names[]    = { "x", "y" };
    static const int         periodic[] = { 1, 0 }, sizes[] = { 2, 2 }, other[] = { 2, 3 }, none[] = { 2, 0 };
    int                      rank, place[MANY] = { 0 }, many[MANY], neighbour;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < MANY; i++)
        many[i] = 1;
    place[0] = rank % 2;
    place[1] = rank / 2;
    heddle_topology_place("mesh", 2, place); /* before its definition */
    for (int i = 0; i < 100; i++) {          /* again and again */
        heddle_topology_define("mesh", 2, sizes, periodic, names);
        heddle_topology_place("mesh", 2, place);
    }
    heddle_topology_define("line", 1, (const int[]){ 4 }, NULL, NULL);
    heddle_topology_place("line", 1, &rank);

    heddle_topology_define("wrong sizes", 2, none, NULL, names);
    heddle_topology_place("wrong sizes", 2, place);
    heddle_topology_define("too many", MANY, many, NULL, NULL);
    heddle_topology_define(NULL, 2, sizes, periodic, names);
    heddle_topology_define("nothing", 2, NULL, NULL, NULL);
    heddle_topology_define("differs", 2, rank == 3 ? other : sizes, NULL, NULL);
    heddle_topology_place("differs", 2, place);
    heddle_topology_define("twice", 2, sizes, NULL, NULL);
    heddle_topology_define("twice", 2, other, NULL, NULL);
    heddle_topology_place("twice", 2, place);
    heddle_topology_place("not defined", 2, place);
    place[0] += rank == 2 ? 2 : 0;
    heddle_topology_define("outside", 2, sizes, NULL, names);
    heddle_topology_place("outside", rank == 1 ? 1 : 2, place);
    place[0] = rank == 0 ? -1 : 0;
    heddle_topology_place("outside", 2, place);
    heddle_topology_place("line", 1, place + 1);
    heddle_topology_place("line", 1, NULL);

    neighbour = rank ^ 1;
    MPI_Sendrecv(&rank, 1, MPI_INT, neighbour, 0, place, 1, MPI_INT, neighbour, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
