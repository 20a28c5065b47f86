! A message and a sum by use mpi_f08, and by use mpi: rank 1 waits 200 ms for rank 0.
subroutine exchange(rank)
    use mpi
    integer, intent(in) :: rank
    integer :: value, error
    value = rank
    if (rank == 0) then
        call execute_command_line("sleep 0.2")
        call MPI_Send(value, 1, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, error)
    else
        call MPI_Recv(value, 1, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    end if
end subroutine

program calls
    use mpi_f08
    integer :: rank, value(4), sum(4)
    type(MPI_Request) :: requests(2)
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    value = rank
    call MPI_Barrier(MPI_COMM_WORLD)
    call exchange(rank)
    call MPI_Irecv(sum, 4, MPI_INTEGER, 1 - rank, 3, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(value, 4, MPI_INTEGER, 1 - rank, 3, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call MPI_Allreduce(MPI_IN_PLACE, value, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call MPI_Finalize()
end program
