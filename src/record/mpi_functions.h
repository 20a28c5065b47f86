/* src/record/mpi_functions.h: the MPI functions that are recorded: one table for wrappers, regions and roles.
 *
 * Wrappers (preload/mpi/mpi_wrappers.c) expand it with the types of an mpi.h; the finisher needs names and roles only.
 * Recorded is what communicates, synchronises, or makes or frees communicators, windows and requests; not what asks
 * (MPI_Comm_rank) or makes types, groups, infos and attributes.
 *
 *   X(name, kind, role, (parameters), (arguments))      a function; kinds are those of the wrappers
 *   C(name, lower case name, operation, role, root, bytes sent, bytes received, (parameters), (arguments))
 *                                                       a collective operation: MPI_name, MPI_Iname, MPI_name_init
 *
 * Parameters have the same names in all rows, as the kinds use them. HD_COUNT is int, and MPI_Count in the functions
 * with large counts of MPI 4 (MPI_name_c); HD_DISPLACEMENT is int or MPI_Aint. role: an OTF2_RegionRole.
 * Uses: nothing. MT: constants.
 */
#ifndef HD_MPI_FUNCTIONS_H
#define HD_MPI_FUNCTIONS_H

/* With counts: also as MPI_name_c in MPI 4. */
#define HD_MPI_COUNTED(X)                                                                                            \
    X(Send, SEND, POINT2POINT, (const void *buffer, HD_COUNT count, MPI_Datatype type, int peer, int tag,            \
      MPI_Comm comm), (buffer, count, type, peer, tag, comm))                                                        \
    X(Bsend, SEND, POINT2POINT, (const void *buffer, HD_COUNT count, MPI_Datatype type, int peer, int tag,           \
      MPI_Comm comm), (buffer, count, type, peer, tag, comm))                                                        \
    X(Ssend, SEND, POINT2POINT, (const void *buffer, HD_COUNT count, MPI_Datatype type, int peer, int tag,           \
      MPI_Comm comm), (buffer, count, type, peer, tag, comm))                                                        \
    X(Rsend, SEND, POINT2POINT, (const void *buffer, HD_COUNT count, MPI_Datatype type, int peer, int tag,           \
      MPI_Comm comm), (buffer, count, type, peer, tag, comm))                                                        \
    X(Isend, ISEND, POINT2POINT, (const void *buffer, HD_COUNT count, MPI_Datatype type, int peer, int tag,          \
      MPI_Comm comm, MPI_Request *request), (buffer, count, type, peer, tag, comm, request))                         \
    X(Ibsend, ISEND, POINT2POINT, (const void *buffer, HD_COUNT count, MPI_Datatype type, int peer, int tag,         \
      MPI_Comm comm, MPI_Request *request), (buffer, count, type, peer, tag, comm, request))                         \
    X(Issend, ISEND, POINT2POINT, (const void *buffer, HD_COUNT count, MPI_Datatype type, int peer, int tag,         \
      MPI_Comm comm, MPI_Request *request), (buffer, count, type, peer, tag, comm, request))                         \
    X(Irsend, ISEND, POINT2POINT, (const void *buffer, HD_COUNT count, MPI_Datatype type, int peer, int tag,         \
      MPI_Comm comm, MPI_Request *request), (buffer, count, type, peer, tag, comm, request))                         \
    X(Send_init, SEND_INIT, POINT2POINT, (const void *buffer, HD_COUNT count, MPI_Datatype type, int peer, int       \
      tag, MPI_Comm comm, MPI_Request *request), (buffer, count, type, peer, tag, comm, request))                    \
    X(Bsend_init, SEND_INIT, POINT2POINT, (const void *buffer, HD_COUNT count, MPI_Datatype type, int peer, int      \
      tag, MPI_Comm comm, MPI_Request *request), (buffer, count, type, peer, tag, comm, request))                    \
    X(Ssend_init, SEND_INIT, POINT2POINT, (const void *buffer, HD_COUNT count, MPI_Datatype type, int peer, int      \
      tag, MPI_Comm comm, MPI_Request *request), (buffer, count, type, peer, tag, comm, request))                    \
    X(Rsend_init, SEND_INIT, POINT2POINT, (const void *buffer, HD_COUNT count, MPI_Datatype type, int peer, int      \
      tag, MPI_Comm comm, MPI_Request *request), (buffer, count, type, peer, tag, comm, request))                    \
    X(Recv, RECV, POINT2POINT, (void *buffer, HD_COUNT count, MPI_Datatype type, int peer, int tag, MPI_Comm         \
      comm, MPI_Status *status), (buffer, count, type, peer, tag, comm, status))                                     \
    X(Irecv, IRECV, POINT2POINT, (void *buffer, HD_COUNT count, MPI_Datatype type, int peer, int tag, MPI_Comm       \
      comm, MPI_Request *request), (buffer, count, type, peer, tag, comm, request))                                  \
    X(Recv_init, RECV_INIT, POINT2POINT, (void *buffer, HD_COUNT count, MPI_Datatype type, int peer, int tag,        \
      MPI_Comm comm, MPI_Request *request), (buffer, count, type, peer, tag, comm, request))                         \
    X(Mrecv, MRECV, POINT2POINT, (void *buffer, HD_COUNT count, MPI_Datatype type, MPI_Message *message,             \
      MPI_Status *status), (buffer, count, type, message, status))                                                   \
    X(Imrecv, IMRECV, POINT2POINT, (void *buffer, HD_COUNT count, MPI_Datatype type, MPI_Message *message,           \
      MPI_Request *request), (buffer, count, type, message, request))                                                \
    X(Sendrecv, SENDRECV, POINT2POINT, (const void *buffer, HD_COUNT count, MPI_Datatype type, int peer, int         \
      tag, void *buffer2, HD_COUNT count2, MPI_Datatype type2, int peer2, int tag2, MPI_Comm comm, MPI_Status        \
      *status), (buffer, count, type, peer, tag, buffer2, count2, type2, peer2, tag2, comm, status))                 \
    X(Sendrecv_replace, SENDRECV, POINT2POINT, (void *buffer, HD_COUNT count, MPI_Datatype type, int peer, int       \
      tag, int peer2, int tag2, MPI_Comm comm, MPI_Status *status), (buffer, count, type, peer, tag, peer2,          \
      tag2, comm, status))                                                                                           \
    X(Neighbor_allgather, PLAIN, COLL_OTHER, (const void *buffer, HD_COUNT count, MPI_Datatype type, void            \
      *buffer2, HD_COUNT count2, MPI_Datatype type2, MPI_Comm comm), (buffer, count, type, buffer2, count2,          \
      type2, comm))                                                                                                  \
    X(Ineighbor_allgather, IPLAIN, COLL_OTHER, (const void *buffer, HD_COUNT count, MPI_Datatype type, void          \
      *buffer2, HD_COUNT count2, MPI_Datatype type2, MPI_Comm comm, MPI_Request *request), (buffer, count,           \
      type, buffer2, count2, type2, comm, request))                                                                  \
    X(Neighbor_allgatherv, PLAIN, COLL_OTHER, (const void *buffer, HD_COUNT count, MPI_Datatype type, void           \
      *buffer2, const HD_COUNT *counts2, const HD_DISPLACEMENT *displacements2, MPI_Datatype type2, MPI_Comm         \
      comm), (buffer, count, type, buffer2, counts2, displacements2, type2, comm))                                   \
    X(Ineighbor_allgatherv, IPLAIN, COLL_OTHER, (const void *buffer, HD_COUNT count, MPI_Datatype type, void         \
      *buffer2, const HD_COUNT *counts2, const HD_DISPLACEMENT *displacements2, MPI_Datatype type2, MPI_Comm         \
      comm, MPI_Request *request), (buffer, count, type, buffer2, counts2, displacements2, type2, comm,              \
      request))                                                                                                      \
    X(Neighbor_alltoall, PLAIN, COLL_OTHER, (const void *buffer, HD_COUNT count, MPI_Datatype type, void             \
      *buffer2, HD_COUNT count2, MPI_Datatype type2, MPI_Comm comm), (buffer, count, type, buffer2, count2,          \
      type2, comm))                                                                                                  \
    X(Ineighbor_alltoall, IPLAIN, COLL_OTHER, (const void *buffer, HD_COUNT count, MPI_Datatype type, void           \
      *buffer2, HD_COUNT count2, MPI_Datatype type2, MPI_Comm comm, MPI_Request *request), (buffer, count,           \
      type, buffer2, count2, type2, comm, request))                                                                  \
    X(Neighbor_alltoallv, PLAIN, COLL_OTHER, (const void *buffer, const HD_COUNT *counts, const HD_DISPLACEMENT      \
      *displacements, MPI_Datatype type, void *buffer2, const HD_COUNT *counts2, const HD_DISPLACEMENT               \
      *displacements2, MPI_Datatype type2, MPI_Comm comm), (buffer, counts, displacements, type, buffer2,            \
      counts2, displacements2, type2, comm))                                                                         \
    X(Ineighbor_alltoallv, IPLAIN, COLL_OTHER, (const void *buffer, const HD_COUNT *counts, const                    \
      HD_DISPLACEMENT *displacements, MPI_Datatype type, void *buffer2, const HD_COUNT *counts2, const               \
      HD_DISPLACEMENT *displacements2, MPI_Datatype type2, MPI_Comm comm, MPI_Request *request), (buffer,            \
      counts, displacements, type, buffer2, counts2, displacements2, type2, comm, request))                          \
    X(Neighbor_alltoallw, PLAIN, COLL_OTHER, (const void *buffer, const HD_COUNT *counts, const MPI_Aint             \
      *displacements, const MPI_Datatype *types, void *buffer2, const HD_COUNT *counts2, const MPI_Aint              \
      *displacements2, const MPI_Datatype *types2, MPI_Comm comm), (buffer, counts, displacements, types,            \
      buffer2, counts2, displacements2, types2, comm))                                                               \
    X(Ineighbor_alltoallw, IPLAIN, COLL_OTHER, (const void *buffer, const HD_COUNT *counts, const MPI_Aint           \
      *displacements, const MPI_Datatype *types, void *buffer2, const HD_COUNT *counts2, const MPI_Aint              \
      *displacements2, const MPI_Datatype *types2, MPI_Comm comm, MPI_Request *request), (buffer, counts,            \
      displacements, types, buffer2, counts2, displacements2, types2, comm, request))                                \
    X(Put, PUT, RMA, (const void *buffer, HD_COUNT count, MPI_Datatype type, int target, MPI_Aint                  \
      displacement, HD_COUNT count2, MPI_Datatype type2, MPI_Win window), (buffer, count, type, target,              \
      displacement, count2, type2, window))                                                                          \
    X(Get, GET, RMA, (void *buffer, HD_COUNT count, MPI_Datatype type, int target, MPI_Aint displacement,          \
      HD_COUNT count2, MPI_Datatype type2, MPI_Win window), (buffer, count, type, target, displacement, count2,      \
      type2, window))                                                                                                \
    X(Accumulate, ACCUMULATE, ATOMIC, (const void *buffer, HD_COUNT count, MPI_Datatype type, int target, MPI_Aint        \
      displacement, HD_COUNT count2, MPI_Datatype type2, MPI_Op op, MPI_Win window), (buffer, count, type,           \
      target, displacement, count2, type2, op, window))                                                              \
    X(Get_accumulate, FETCH, ATOMIC, (const void *buffer, HD_COUNT count, MPI_Datatype type, void *buffer2,          \
      HD_COUNT count2, MPI_Datatype type2, int target, MPI_Aint displacement, HD_COUNT count3, MPI_Datatype          \
      type3, MPI_Op op, MPI_Win window), (buffer, count, type, buffer2, count2, type2, target, displacement,         \
      count3, type3, op, window))                                                                                    \
    X(Rput, RPUT, RMA, (const void *buffer, HD_COUNT count, MPI_Datatype type, int target, MPI_Aint                \
      displacement, HD_COUNT count2, MPI_Datatype type2, MPI_Win window, MPI_Request *request), (buffer, count,      \
      type, target, displacement, count2, type2, window, request))                                                   \
    X(Rget, RGET, RMA, (void *buffer, HD_COUNT count, MPI_Datatype type, int target, MPI_Aint displacement,        \
      HD_COUNT count2, MPI_Datatype type2, MPI_Win window, MPI_Request *request), (buffer, count, type, target,      \
      displacement, count2, type2, window, request))                                                                 \
    X(Raccumulate, RACCUMULATE, ATOMIC, (const void *buffer, HD_COUNT count, MPI_Datatype type, int target, MPI_Aint      \
      displacement, HD_COUNT count2, MPI_Datatype type2, MPI_Op op, MPI_Win window, MPI_Request *request),           \
      (buffer, count, type, target, displacement, count2, type2, op, window, request))                               \
    X(Rget_accumulate, RFETCH, ATOMIC, (const void *buffer, HD_COUNT count, MPI_Datatype type, void *buffer2,        \
      HD_COUNT count2, MPI_Datatype type2, int target, MPI_Aint displacement, HD_COUNT count3, MPI_Datatype          \
      type3, MPI_Op op, MPI_Win window, MPI_Request *request), (buffer, count, type, buffer2, count2, type2,         \
      target, displacement, count3, type3, op, window, request))                                                     \
    X(File_read, FILE_READ, FILE_IO, (MPI_File file, void *buffer, HD_COUNT count, MPI_Datatype type,                \
      MPI_Status *status), (file, buffer, count, type, status))                                                      \
    X(File_iread, FILE_IREAD, FILE_IO, (MPI_File file, void *buffer, HD_COUNT count, MPI_Datatype type,              \
      MPI_Request *request), (file, buffer, count, type, request))                                                   \
    X(File_read_all, FILE_READ_ALL, FILE_IO, (MPI_File file, void *buffer, HD_COUNT count, MPI_Datatype type,        \
      MPI_Status *status), (file, buffer, count, type, status))                                                      \
    X(File_iread_all, FILE_IREAD_ALL, FILE_IO, (MPI_File file, void *buffer, HD_COUNT count, MPI_Datatype type,      \
      MPI_Request *request), (file, buffer, count, type, request))                                                   \
    X(File_read_all_begin, FILE_READ_BEGIN, FILE_IO, (MPI_File file, void *buffer, HD_COUNT count, MPI_Datatype      \
      type), (file, buffer, count, type))                                                                            \
    X(File_read_shared, FILE_READ, FILE_IO, (MPI_File file, void *buffer, HD_COUNT count, MPI_Datatype type,         \
      MPI_Status *status), (file, buffer, count, type, status))                                                      \
    X(File_iread_shared, FILE_IREAD, FILE_IO, (MPI_File file, void *buffer, HD_COUNT count, MPI_Datatype type,       \
      MPI_Request *request), (file, buffer, count, type, request))                                                   \
    X(File_read_ordered, FILE_READ_ALL, FILE_IO, (MPI_File file, void *buffer, HD_COUNT count, MPI_Datatype          \
      type, MPI_Status *status), (file, buffer, count, type, status))                                                \
    X(File_read_ordered_begin, FILE_READ_BEGIN, FILE_IO, (MPI_File file, void *buffer, HD_COUNT count,               \
      MPI_Datatype type), (file, buffer, count, type))                                                               \
    X(File_read_at, FILE_READ, FILE_IO, (MPI_File file, MPI_Offset offset, void *buffer, HD_COUNT count,             \
      MPI_Datatype type, MPI_Status *status), (file, offset, buffer, count, type, status))                           \
    X(File_iread_at, FILE_IREAD, FILE_IO, (MPI_File file, MPI_Offset offset, void *buffer, HD_COUNT count,           \
      MPI_Datatype type, MPI_Request *request), (file, offset, buffer, count, type, request))                        \
    X(File_read_at_all, FILE_READ_ALL, FILE_IO, (MPI_File file, MPI_Offset offset, void *buffer, HD_COUNT            \
      count, MPI_Datatype type, MPI_Status *status), (file, offset, buffer, count, type, status))                    \
    X(File_iread_at_all, FILE_IREAD_ALL, FILE_IO, (MPI_File file, MPI_Offset offset, void *buffer, HD_COUNT          \
      count, MPI_Datatype type, MPI_Request *request), (file, offset, buffer, count, type, request))                 \
    X(File_read_at_all_begin, FILE_READ_BEGIN, FILE_IO, (MPI_File file, MPI_Offset offset, void *buffer,             \
      HD_COUNT count, MPI_Datatype type), (file, offset, buffer, count, type))                                       \
    X(File_write, FILE_WRITE, FILE_IO, (MPI_File file, const void *buffer, HD_COUNT count, MPI_Datatype type,        \
      MPI_Status *status), (file, buffer, count, type, status))                                                      \
    X(File_iwrite, FILE_IWRITE, FILE_IO, (MPI_File file, const void *buffer, HD_COUNT count, MPI_Datatype type,      \
      MPI_Request *request), (file, buffer, count, type, request))                                                   \
    X(File_write_all, FILE_WRITE_ALL, FILE_IO, (MPI_File file, const void *buffer, HD_COUNT count, MPI_Datatype      \
      type, MPI_Status *status), (file, buffer, count, type, status))                                                \
    X(File_iwrite_all, FILE_IWRITE_ALL, FILE_IO, (MPI_File file, const void *buffer, HD_COUNT count,                 \
      MPI_Datatype type, MPI_Request *request), (file, buffer, count, type, request))                                \
    X(File_write_all_begin, FILE_WRITE_BEGIN, FILE_IO, (MPI_File file, const void *buffer, HD_COUNT count,           \
      MPI_Datatype type), (file, buffer, count, type))                                                               \
    X(File_write_shared, FILE_WRITE, FILE_IO, (MPI_File file, const void *buffer, HD_COUNT count, MPI_Datatype       \
      type, MPI_Status *status), (file, buffer, count, type, status))                                                \
    X(File_iwrite_shared, FILE_IWRITE, FILE_IO, (MPI_File file, const void *buffer, HD_COUNT count,                  \
      MPI_Datatype type, MPI_Request *request), (file, buffer, count, type, request))                                \
    X(File_write_ordered, FILE_WRITE_ALL, FILE_IO, (MPI_File file, const void *buffer, HD_COUNT count,               \
      MPI_Datatype type, MPI_Status *status), (file, buffer, count, type, status))                                   \
    X(File_write_ordered_begin, FILE_WRITE_BEGIN, FILE_IO, (MPI_File file, const void *buffer, HD_COUNT count,       \
      MPI_Datatype type), (file, buffer, count, type))                                                               \
    X(File_write_at, FILE_WRITE, FILE_IO, (MPI_File file, MPI_Offset offset, const void *buffer, HD_COUNT            \
      count, MPI_Datatype type, MPI_Status *status), (file, offset, buffer, count, type, status))                    \
    X(File_iwrite_at, FILE_IWRITE, FILE_IO, (MPI_File file, MPI_Offset offset, const void *buffer, HD_COUNT          \
      count, MPI_Datatype type, MPI_Request *request), (file, offset, buffer, count, type, request))                 \
    X(File_write_at_all, FILE_WRITE_ALL, FILE_IO, (MPI_File file, MPI_Offset offset, const void *buffer,             \
      HD_COUNT count, MPI_Datatype type, MPI_Status *status), (file, offset, buffer, count, type, status))           \
    X(File_iwrite_at_all, FILE_IWRITE_ALL, FILE_IO, (MPI_File file, MPI_Offset offset, const void *buffer,           \
      HD_COUNT count, MPI_Datatype type, MPI_Request *request), (file, offset, buffer, count, type, request))        \
    X(File_write_at_all_begin, FILE_WRITE_BEGIN, FILE_IO, (MPI_File file, MPI_Offset offset, const void              \
      *buffer, HD_COUNT count, MPI_Datatype type), (file, offset, buffer, count, type))

/* Collective operations with counts: each is MPI_name, MPI_Iname and, in MPI 4, MPI_name_init; all also as ..._c. */
#define HD_MPI_COUNTED_COLLECTIVES(C)                                                                                \
    C(Bcast, bcast, BCAST, COLL_ONE2ALL, root, IS_ROOT ? SIZE * BYTES(count, type) : 0, BYTES(count, type),          \
      (void *buffer, HD_COUNT count, MPI_Datatype type, int root, MPI_Comm comm), (buffer, count, type, root,        \
      comm))                                                                                                         \
    C(Gather, gather, GATHER, COLL_ALL2ONE, root, IN_PLACE(buffer) ? 0 : BYTES(count, type), IS_ROOT ?               \
      OTHERS(IN_PLACE(buffer)) * BYTES(count2, type2) : 0, (const void *buffer, HD_COUNT count, MPI_Datatype         \
      type, void *buffer2, HD_COUNT count2, MPI_Datatype type2, int root, MPI_Comm comm), (buffer, count, type,      \
      buffer2, count2, type2, root, comm))                                                                           \
    C(Gatherv, gatherv, GATHERV, COLL_ALL2ONE, root, IN_PLACE(buffer) ? 0 : BYTES(count, type), IS_ROOT ?            \
      SUM(counts2, type2, IN_PLACE(buffer)) : 0, (const void *buffer, HD_COUNT count, MPI_Datatype type, void        \
      *buffer2, const HD_COUNT *counts2, const HD_DISPLACEMENT *displacements2, MPI_Datatype type2, int root,        \
      MPI_Comm comm), (buffer, count, type, buffer2, counts2, displacements2, type2, root, comm))                    \
    C(Scatter, scatter, SCATTER, COLL_ONE2ALL, root, IS_ROOT ? OTHERS(IN_PLACE(buffer2)) * BYTES(count, type) :      \
      0, IN_PLACE(buffer2) ? 0 : BYTES(count2, type2), (const void *buffer, HD_COUNT count, MPI_Datatype type,       \
      void *buffer2, HD_COUNT count2, MPI_Datatype type2, int root, MPI_Comm comm), (buffer, count, type,            \
      buffer2, count2, type2, root, comm))                                                                           \
    C(Scatterv, scatterv, SCATTERV, COLL_ONE2ALL, root, IS_ROOT ? SUM(counts, type, IN_PLACE(buffer2)) : 0,          \
      IN_PLACE(buffer2) ? 0 : BYTES(count2, type2), (const void *buffer, const HD_COUNT *counts, const               \
      HD_DISPLACEMENT *displacements, MPI_Datatype type, void *buffer2, HD_COUNT count2, MPI_Datatype type2,         \
      int root, MPI_Comm comm), (buffer, counts, displacements, type, buffer2, count2, type2, root, comm))           \
    C(Allgather, allgather, ALLGATHER, COLL_ALL2ALL, NO_ROOT, IN_PLACE(buffer) ? OTHERS(true) * BYTES(count2,        \
      type2) : SIZE * BYTES(count, type), OTHERS(IN_PLACE(buffer)) * BYTES(count2, type2), (const void *buffer,      \
      HD_COUNT count, MPI_Datatype type, void *buffer2, HD_COUNT count2, MPI_Datatype type2, MPI_Comm comm),         \
      (buffer, count, type, buffer2, count2, type2, comm))                                                           \
    C(Allgatherv, allgatherv, ALLGATHERV, COLL_ALL2ALL, NO_ROOT, IN_PLACE(buffer) ? OTHERS(true) *                   \
      BYTES(counts2[ME], type2) : SIZE * BYTES(count, type), SUM(counts2, type2, IN_PLACE(buffer)), (const void      \
      *buffer, HD_COUNT count, MPI_Datatype type, void *buffer2, const HD_COUNT *counts2, const HD_DISPLACEMENT      \
      *displacements2, MPI_Datatype type2, MPI_Comm comm), (buffer, count, type, buffer2, counts2,                   \
      displacements2, type2, comm))                                                                                  \
    C(Alltoall, alltoall, ALLTOALL, COLL_ALL2ALL, NO_ROOT, IN_PLACE(buffer) ? OTHERS(true) * BYTES(count2,           \
      type2) : SIZE * BYTES(count, type), OTHERS(IN_PLACE(buffer)) * BYTES(count2, type2), (const void *buffer,      \
      HD_COUNT count, MPI_Datatype type, void *buffer2, HD_COUNT count2, MPI_Datatype type2, MPI_Comm comm),         \
      (buffer, count, type, buffer2, count2, type2, comm))                                                           \
    C(Alltoallv, alltoallv, ALLTOALLV, COLL_ALL2ALL, NO_ROOT, IN_PLACE(buffer) ? SUM(counts2, type2, true) :         \
      SUM(counts, type, false), SUM(counts2, type2, IN_PLACE(buffer)), (const void *buffer, const HD_COUNT           \
      *counts, const HD_DISPLACEMENT *displacements, MPI_Datatype type, void *buffer2, const HD_COUNT *counts2,      \
      const HD_DISPLACEMENT *displacements2, MPI_Datatype type2, MPI_Comm comm), (buffer, counts,                    \
      displacements, type, buffer2, counts2, displacements2, type2, comm))                                           \
    C(Alltoallw, alltoallw, ALLTOALLW, COLL_ALL2ALL, NO_ROOT, IN_PLACE(buffer) ? SUM_TYPES(counts2, types2,          \
      true) : SUM_TYPES(counts, types, false), SUM_TYPES(counts2, types2, IN_PLACE(buffer)), (const void             \
      *buffer, const HD_COUNT *counts, const HD_DISPLACEMENT *displacements, const MPI_Datatype *types, void         \
      *buffer2, const HD_COUNT *counts2, const HD_DISPLACEMENT *displacements2, const MPI_Datatype *types2,          \
      MPI_Comm comm), (buffer, counts, displacements, types, buffer2, counts2, displacements2, types2, comm))        \
    C(Allreduce, allreduce, ALLREDUCE, COLL_ALL2ALL, NO_ROOT, OTHERS(IN_PLACE(buffer)) * BYTES(count, type),         \
      OTHERS(IN_PLACE(buffer)) * BYTES(count, type), (const void *buffer, void *buffer2, HD_COUNT count,             \
      MPI_Datatype type, MPI_Op op, MPI_Comm comm), (buffer, buffer2, count, type, op, comm))                        \
    C(Reduce, reduce, REDUCE, COLL_ALL2ONE, root, IN_PLACE(buffer) ? 0 : BYTES(count, type), IS_ROOT ?               \
      OTHERS(IN_PLACE(buffer)) * BYTES(count, type) : 0, (const void *buffer, void *buffer2, HD_COUNT count,         \
      MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm), (buffer, buffer2, count, type, op, root, comm))        \
    C(Reduce_scatter, reduce_scatter, REDUCE_SCATTER, COLL_ALL2ALL, NO_ROOT, SUM(counts2, type,                      \
      IN_PLACE(buffer)), OTHERS(IN_PLACE(buffer)) * BYTES(counts2[ME], type), (const void *buffer, void              \
      *buffer2, const HD_COUNT *counts2, MPI_Datatype type, MPI_Op op, MPI_Comm comm), (buffer, buffer2,             \
      counts2, type, op, comm))                                                                                      \
    C(Reduce_scatter_block, reduce_scatter_block, REDUCE_SCATTER_BLOCK, COLL_ALL2ALL, NO_ROOT,                       \
      OTHERS(IN_PLACE(buffer)) * BYTES(count, type), OTHERS(IN_PLACE(buffer)) * BYTES(count, type), (const void      \
      *buffer, void *buffer2, HD_COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), (buffer, buffer2,        \
      count, type, op, comm))                                                                                        \
    C(Scan, scan, SCAN, COLL_OTHER, NO_ROOT, (OTHERS(IN_PLACE(buffer)) - ME) * BYTES(count, type), (ME +             \
      (IN_PLACE(buffer) ? 0 : 1)) * BYTES(count, type), (const void *buffer, void *buffer2, HD_COUNT count,          \
      MPI_Datatype type, MPI_Op op, MPI_Comm comm), (buffer, buffer2, count, type, op, comm))                        \
    C(Exscan, exscan, EXSCAN, COLL_OTHER, NO_ROOT, (SIZE - ME - 1) * BYTES(count, type), ME * BYTES(count,           \
      type), (const void *buffer, void *buffer2, HD_COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),       \
      (buffer, buffer2, count, type, op, comm))

/* The one without. */
#define HD_MPI_COLLECTIVES(C)                                                                                        \
    C(Barrier, barrier, BARRIER, BARRIER, NO_ROOT, 0, 0, (MPI_Comm comm), (comm))

/* All others. */
#define HD_MPI_OTHERS(X)                                                                                             \
    X(Init, INIT, FUNCTION, (int *argc, char ***argv), (argc, argv))                                                 \
    X(Init_thread, INIT, FUNCTION, (int *argc, char ***argv, int required, int *provided), (argc, argv,              \
      required, provided))                                                                                           \
    X(Finalize, FINALIZE, FUNCTION, (void), ())                                                                      \
    X(Abort, PLAIN, FUNCTION, (MPI_Comm comm, int code), (comm, code))                                               \
    X(Start, START, POINT2POINT, (MPI_Request *request), (request))                                                  \
    X(Startall, STARTALL, POINT2POINT, (int n, MPI_Request requests[]), (n, requests))                               \
    X(Request_free, REQUEST_FREE, POINT2POINT, (MPI_Request *request), (request))                                    \
    X(Cancel, PLAIN, POINT2POINT, (MPI_Request *request), (request))                                                 \
    X(Wait, WAIT, POINT2POINT, (MPI_Request *request, MPI_Status *status), (request, status))                        \
    X(Test, TEST, POINT2POINT, (MPI_Request *request, int *flag, MPI_Status *status), (request, flag, status))       \
    X(Waitall, WAITALL, POINT2POINT, (int n, MPI_Request requests[], MPI_Status statuses[]), (n, requests,           \
      statuses))                                                                                                     \
    X(Testall, TESTALL, POINT2POINT, (int n, MPI_Request requests[], int *flag, MPI_Status statuses[]), (n,          \
      requests, flag, statuses))                                                                                     \
    X(Waitany, WAITANY, POINT2POINT, (int n, MPI_Request requests[], int *index, MPI_Status *status), (n,            \
      requests, index, status))                                                                                      \
    X(Testany, TESTANY, POINT2POINT, (int n, MPI_Request requests[], int *index, int *flag, MPI_Status               \
      *status), (n, requests, index, flag, status))                                                                  \
    X(Waitsome, SOME, POINT2POINT, (int n, MPI_Request requests[], int *n_done, int indices[], MPI_Status            \
      statuses[]), (n, requests, n_done, indices, statuses))                                                         \
    X(Testsome, SOME, POINT2POINT, (int n, MPI_Request requests[], int *n_done, int indices[], MPI_Status            \
      statuses[]), (n, requests, n_done, indices, statuses))                                                         \
    X(Probe, PLAIN, POINT2POINT, (int peer, int tag, MPI_Comm comm, MPI_Status *status), (peer, tag, comm,           \
      status))                                                                                                       \
    X(Iprobe, IPROBE, POINT2POINT, (int peer, int tag, MPI_Comm comm, int *flag, MPI_Status *status), (peer,          \
      tag, comm, flag, status))                                                                                      \
    X(Mprobe, MPROBE, POINT2POINT, (int peer, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status               \
      *status), (peer, tag, comm, message, status))                                                                  \
    X(Improbe, IMPROBE, POINT2POINT, (int peer, int tag, MPI_Comm comm, int *flag, MPI_Message *message,              \
      MPI_Status *status), (peer, tag, comm, flag, message, status))                                                 \
    X(Comm_dup, NEW_COMM, COLL_OTHER, (MPI_Comm comm, MPI_Comm *new_comm), (comm, new_comm))                         \
    X(Comm_dup_with_info, NEW_COMM, COLL_OTHER, (MPI_Comm comm, MPI_Info info, MPI_Comm *new_comm), (comm,           \
      info, new_comm))                                                                                               \
    X(Comm_idup, IDUP, COLL_OTHER, (MPI_Comm comm, MPI_Comm *new_comm, MPI_Request *request), (comm, new_comm,       \
      request))                                                                                                      \
    X(Comm_create, NEW_COMM, COLL_OTHER, (MPI_Comm comm, MPI_Group group, MPI_Comm *new_comm), (comm, group,         \
      new_comm))                                                                                                     \
    X(Comm_split, NEW_COMM, COLL_OTHER, (MPI_Comm comm, int color, int key, MPI_Comm *new_comm), (comm, color,       \
      key, new_comm))                                                                                                \
    X(Comm_split_type, NEW_COMM, COLL_OTHER, (MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm        \
      *new_comm), (comm, split_type, key, info, new_comm))                                                           \
    X(Comm_create_group, NEW_COMM_OF_GROUP, COLL_OTHER, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm           \
      *new_comm), (comm, group, tag, new_comm))                                                                      \
    X(Cart_create, NEW_COMM, COLL_OTHER, (MPI_Comm comm, int n, const int dims[], const int periods[], int           \
      reorder, MPI_Comm *new_comm), (comm, n, dims, periods, reorder, new_comm))                                     \
    X(Cart_sub, NEW_COMM, COLL_OTHER, (MPI_Comm comm, const int remain[], MPI_Comm *new_comm), (comm, remain,        \
      new_comm))                                                                                                     \
    X(Graph_create, NEW_COMM, COLL_OTHER, (MPI_Comm comm, int n, const int index[], const int edges[], int           \
      reorder, MPI_Comm *new_comm), (comm, n, index, edges, reorder, new_comm))                                      \
    X(Dist_graph_create, NEW_COMM, COLL_OTHER, (MPI_Comm comm, int n, const int sources[], const int degrees[],      \
      const int destinations[], const int weights[], MPI_Info info, int reorder, MPI_Comm *new_comm), (comm, n,      \
      sources, degrees, destinations, weights, info, reorder, new_comm))                                             \
    X(Dist_graph_create_adjacent, NEW_COMM, COLL_OTHER, (MPI_Comm comm, int n, const int sources[], const int        \
      weights[], int n2, const int destinations[], const int weights2[], MPI_Info info, int reorder, MPI_Comm        \
      *new_comm), (comm, n, sources, weights, n2, destinations, weights2, info, reorder, new_comm))                  \
    X(Intercomm_create, NEW_INTERCOMM, COLL_OTHER, (MPI_Comm comm, int local_leader, MPI_Comm peer_comm, int         \
      remote_leader, int tag, MPI_Comm *new_comm), (comm, local_leader, peer_comm, remote_leader, tag,               \
      new_comm))                                                                                                     \
    X(Intercomm_merge, NEW_COMM, COLL_OTHER, (MPI_Comm comm, int high, MPI_Comm *new_comm), (comm, high, new_comm))     \
    X(Comm_free, FREE_COMM, COLL_OTHER, (MPI_Comm *comm), (comm))                                                    \
    X(Comm_disconnect, FREE_COMM, COLL_OTHER, (MPI_Comm *comm), (comm))                                              \
    X(Comm_set_name, NAME, FUNCTION, (MPI_Comm comm, const char *name), (comm, name))                                \
    X(Comm_spawn, SPAWN, COLL_OTHER, (const char *command, char *argv[], int n, MPI_Info info, int root,             \
      MPI_Comm comm, MPI_Comm *new_comm, int codes[]), (command, argv, n, info, root, comm, new_comm, codes))        \
    X(Comm_spawn_multiple, SPAWN, COLL_OTHER, (int n, char *commands[], char **argvs[], const int ns[], const        \
      MPI_Info infos[], int root, MPI_Comm comm, MPI_Comm *new_comm, int codes[]), (n, commands, argvs, ns,          \
      infos, root, comm, new_comm, codes))                                                                           \
    X(Comm_accept, SPAWN, COLL_OTHER, (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm            \
      *new_comm), (port, info, root, comm, new_comm))                                                                \
    X(Comm_connect, SPAWN, COLL_OTHER, (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm           \
      *new_comm), (port, info, root, comm, new_comm))                                                                \
    X(Win_create, NEW_WINDOW, RMA, (void *base, MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, MPI_Win           \
      *new_window), (base, bytes, unit, info, comm, new_window))                                                     \
    X(Win_create_dynamic, NEW_WINDOW, RMA, (MPI_Info info, MPI_Comm comm, MPI_Win *new_window), (info, comm,              \
      new_window))                                                                                                   \
    X(Win_allocate, NEW_MEMORY, RMA, (MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win         \
      *new_window), (bytes, unit, info, comm, base, new_window))                                                     \
    X(Win_allocate_shared, NEW_MEMORY, RMA, (MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm, void *base,          \
      MPI_Win *new_window), (bytes, unit, info, comm, base, new_window))                                             \
    X(Win_free, FREE_WINDOW, RMA, (MPI_Win *old_window), (old_window))                                                     \
    X(Win_fence, FENCE, RMA, (int assert, MPI_Win window), (assert, window))                                         \
    X(Win_post, POST, RMA, (MPI_Group group, int assert, MPI_Win window), (group, assert, window))                  \
    X(Win_start, EPOCH, RMA, (MPI_Group group, int assert, MPI_Win window), (group, assert, window))                 \
    X(Win_complete, COMPLETE, RMA, (MPI_Win window), (window))                                                          \
    X(Win_wait, EXPOSED, RMA, (MPI_Win window), (window))                                                              \
    X(Win_test, TEST_EXPOSED, RMA, (MPI_Win window, int *flag), (window, flag))                                             \
    X(Win_lock, LOCK, RMA, (int lock_type, int target, int assert, MPI_Win window), (lock_type, target,             \
      assert, window))                                                                                               \
    X(Win_lock_all, LOCK_ALL, RMA, (int assert, MPI_Win window), (assert, window))                                      \
    X(Win_unlock, UNLOCK, RMA, (int target, MPI_Win window), (target, window))                                        \
    X(Win_unlock_all, UNLOCK_ALL, RMA, (MPI_Win window), (window))                                                        \
    X(Win_flush, FLUSH, RMA, (int target, MPI_Win window), (target, window))                                         \
    X(Win_flush_all, FLUSH_ALL, RMA, (MPI_Win window), (window))                                                         \
    X(Win_flush_local, FLUSH_LOCAL, RMA, (int target, MPI_Win window), (target, window))                                   \
    X(Win_flush_local_all, FLUSH_LOCAL_ALL, RMA, (MPI_Win window), (window))                                                   \
    X(Win_sync, PLAIN, RMA, (MPI_Win window), (window))                                                              \
    X(Fetch_and_op, FETCH_ONE, ATOMIC, (const void *buffer, void *buffer2, MPI_Datatype type, int target, MPI_Aint       \
      displacement, MPI_Op op, MPI_Win window), (buffer, buffer2, type, target, displacement, op, window))           \
    X(Compare_and_swap, SWAP_ONE, ATOMIC, (const void *buffer, const void *compare, void *buffer2, MPI_Datatype         \
      type, int target, MPI_Aint displacement, MPI_Win window), (buffer, compare, buffer2, type, target,             \
      displacement, window))                                                                                         \
    X(File_open, FILE_OPEN, FILE_IO_METADATA, (MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File        \
      *new_file), (comm, name, mode, info, new_file))                                                                \
    X(File_close, FILE_CLOSE, FILE_IO_METADATA, (MPI_File *new_file), (new_file))                                         \
    X(File_set_view, PLAIN, FILE_IO_METADATA, (MPI_File file, MPI_Offset offset, MPI_Datatype type,                  \
      MPI_Datatype type2, const char *representation, MPI_Info info), (file, offset, type, type2,                    \
      representation, info))                                                                                         \
    X(File_set_size, PLAIN, FILE_IO_METADATA, (MPI_File file, MPI_Offset offset), (file, offset))                    \
    X(File_preallocate, PLAIN, FILE_IO_METADATA, (MPI_File file, MPI_Offset offset), (file, offset))                 \
    X(File_sync, FILE_SYNC, FILE_IO_METADATA, (MPI_File file), (file))                                                   \
    X(File_read_all_end, FILE_END, FILE_IO, (MPI_File file, void *buffer, MPI_Status *status), (file, buffer,        \
      status))                                                                                                       \
    X(File_read_at_all_end, FILE_END, FILE_IO, (MPI_File file, void *buffer, MPI_Status *status), (file,             \
      buffer, status))                                                                                               \
    X(File_read_ordered_end, FILE_END, FILE_IO, (MPI_File file, void *buffer, MPI_Status *status), (file,            \
      buffer, status))                                                                                               \
    X(File_write_all_end, FILE_END, FILE_IO, (MPI_File file, const void *buffer, MPI_Status *status), (file,         \
      buffer, status))                                                                                               \
    X(File_write_at_all_end, FILE_END, FILE_IO, (MPI_File file, const void *buffer, MPI_Status *status), (file,      \
      buffer, status))                                                                                               \
    X(File_write_ordered_end, FILE_END, FILE_IO, (MPI_File file, const void *buffer, MPI_Status *status),            \
      (file, buffer, status))                                                                                        \
    X(File_seek, FILE_SEEK, FILE_IO_METADATA, (MPI_File file, MPI_Offset offset, int whence), (file, offset,         \
      whence))                                                                                                       \
    X(File_seek_shared, FILE_SEEK, FILE_IO_METADATA, (MPI_File file, MPI_Offset offset, int whence), (file,          \
      offset, whence))                                                                                               \
    X(File_delete, PLAIN, FILE_IO_METADATA, (const char *name, MPI_Info info), (name, info))

/* Of MPI 4, where mpi.h has MPI_Session. */
#define HD_MPI_SESSIONS(X)                                                                                           \
    X(Session_init, SESSION_INIT, FUNCTION, (MPI_Info info, MPI_Errhandler handler, MPI_Session *session), (info,    \
      handler, session))                                                                                             \
    X(Session_finalize, SESSION_FINALIZE, FUNCTION, (MPI_Session *session), (session))                               \
    X(Comm_create_from_group, NEW_COMM_OF_SESSION, COLL_OTHER, (MPI_Group group, const char *name, MPI_Info info,    \
      MPI_Errhandler handler, MPI_Comm *new_comm), (group, name, info, handler, new_comm))                           \
    X(Intercomm_create_from_groups, NEW_COMM_OF_SESSION, COLL_OTHER, (MPI_Group group, int leader, MPI_Group         \
      group2, int leader2, const char *name, MPI_Info info, MPI_Errhandler handler, MPI_Comm *new_comm), (group,     \
      leader, group2, leader2, name, info, handler, new_comm))

/* More of MPI 4; the first also as MPI_name_c. */
#define HD_MPI_4_COUNTED(X)                                                                                          \
    X(Isendrecv, ISENDRECV, POINT2POINT, (const void *buffer, HD_COUNT count, MPI_Datatype type, int peer, int tag,  \
      void *buffer2, HD_COUNT count2, MPI_Datatype type2, int peer2, int tag2, MPI_Comm comm, MPI_Request *request), \
      (buffer, count, type, peer, tag, buffer2, count2, type2, peer2, tag2, comm, request))                          \
    X(Isendrecv_replace, ISENDRECV_REPLACE, POINT2POINT, (void *buffer, HD_COUNT count, MPI_Datatype type, int       \
      peer, int tag, int peer2, int tag2, MPI_Comm comm, MPI_Request *request), (buffer, count, type, peer, tag,     \
      peer2, tag2, comm, request))
#define HD_MPI_4(X)                                                                                                  \
    X(Comm_idup_with_info, IDUP, COLL_OTHER, (MPI_Comm comm, MPI_Info info, MPI_Comm *new_comm, MPI_Request          \
      *request), (comm, info, new_comm, request))                                                                    \
    X(Psend_init, PSEND_INIT, POINT2POINT, (const void *buffer, int n, MPI_Count count, MPI_Datatype type, int       \
      peer, int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request), (buffer, n, count, type, peer, tag, comm,  \
      info, request))                                                                                                \
    X(Precv_init, PRECV_INIT, POINT2POINT, (void *buffer, int n, MPI_Count count, MPI_Datatype type, int peer, int   \
      tag, MPI_Comm comm, MPI_Info info, MPI_Request *request), (buffer, n, count, type, peer, tag, comm, info,      \
      request))                                                                                                      \
    X(Pready, PREADY, POINT2POINT, (int partition, MPI_Request request), (partition, request))                       \
    X(Pready_range, PREADY_RANGE, POINT2POINT, (int first, int end, MPI_Request request), (first, end, request))     \
    X(Pready_list, PREADY_LIST, POINT2POINT, (int n, const int partitions[], MPI_Request request), (n, partitions,   \
      request))                                                                                                      \
    X(Parrived, IPROBE, POINT2POINT, (MPI_Request request, int partition, int *flag), (request, partition, flag))

/* Numbers of their regions. */
#define HD_MPI_ID_X(name, kind, role, parameters, arguments) HD_MPI_##name,
#define HD_MPI_ID_C(name, lower, operation, role, root, sent, received, parameters, arguments) \
    HD_MPI_##name, HD_MPI_I##lower, HD_MPI_##name##_init,
#define HD_MPI_LARGE_ID_X(name, kind, role, parameters, arguments) HD_MPI_##name##_c,
#define HD_MPI_LARGE_ID_C(name, lower, operation, role, root, sent, received, parameters, arguments) \
    HD_MPI_##name##_c, HD_MPI_I##lower##_c, HD_MPI_##name##_init_c,
enum {
    HD_MPI_COUNTED(HD_MPI_ID_X)
    HD_MPI_COUNTED_COLLECTIVES(HD_MPI_ID_C)
    HD_MPI_COLLECTIVES(HD_MPI_ID_C)
    HD_MPI_OTHERS(HD_MPI_ID_X)
    HD_MPI_COUNTED(HD_MPI_LARGE_ID_X)
    HD_MPI_COUNTED_COLLECTIVES(HD_MPI_LARGE_ID_C)
    HD_MPI_SESSIONS(HD_MPI_ID_X)
    HD_MPI_4_COUNTED(HD_MPI_ID_X)
    HD_MPI_4_COUNTED(HD_MPI_LARGE_ID_X)
    HD_MPI_4(HD_MPI_ID_X)
    HD_N_MPI_FUNCTIONS
};

/* Each as HD_MPI_NAME(name without "MPI_", role), which whoever expands it defines, in that order. */
#define HD_MPI_NAME_X(name, kind, role, parameters, arguments) HD_MPI_NAME(name, role)
#define HD_MPI_NAME_C(name, lower, operation, role, root, sent, received, parameters, arguments) \
    HD_MPI_NAME(name, role) HD_MPI_NAME(I##lower, role) HD_MPI_NAME(name##_init, role)
#define HD_MPI_LARGE_NAME_X(name, kind, role, parameters, arguments) HD_MPI_NAME(name##_c, role)
#define HD_MPI_LARGE_NAME_C(name, lower, operation, role, root, sent, received, parameters, arguments) \
    HD_MPI_NAME(name##_c, role) HD_MPI_NAME(I##lower##_c, role) HD_MPI_NAME(name##_init_c, role)
#define HD_MPI_NAMES                                     \
    HD_MPI_COUNTED(HD_MPI_NAME_X)                        \
    HD_MPI_COUNTED_COLLECTIVES(HD_MPI_NAME_C)            \
    HD_MPI_COLLECTIVES(HD_MPI_NAME_C)                    \
    HD_MPI_OTHERS(HD_MPI_NAME_X)                         \
    HD_MPI_COUNTED(HD_MPI_LARGE_NAME_X)                  \
    HD_MPI_COUNTED_COLLECTIVES(HD_MPI_LARGE_NAME_C)      \
    HD_MPI_SESSIONS(HD_MPI_NAME_X)                       \
    HD_MPI_4_COUNTED(HD_MPI_NAME_X)                      \
    HD_MPI_4_COUNTED(HD_MPI_LARGE_NAME_X)                \
    HD_MPI_4(HD_MPI_NAME_X)

#endif
