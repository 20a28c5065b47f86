/* src/record/mpi_libraries.h: MPI libraries by their names in programs, and which recorder is theirs: Open MPI 2 to 5;
 * MPICH and those of its ABI. Uses: nothing. MT: constants.
 */
#ifndef HD_MPI_LIBRARIES_H
#define HD_MPI_LIBRARIES_H

#define HD_MPI_LIBRARIES(X)                                                                                            \
    X("libmpi.so.40", OPENMPI, "openmpi")                                                                              \
    X("libmpi.so.20", OPENMPI, "openmpi")                                                                              \
    X("libmpich.so.12", MPICH, "mpich")                                                                                \
    X("libmpi.so.12", MPICH, "mpich")                                                                                  \
    X("libmpi_cray.so.12", MPICH, "mpich")

#endif
