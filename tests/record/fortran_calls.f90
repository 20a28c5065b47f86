! A message and a sum by use mpi_f08, and by use mpi: rank 1 waits 200 ms for rank 0, and prints its wait in nanoseconds.
! There is a second thread, so libgfortran locks its mutexes with a purpose.
subroutine exchange(rank)
    use mpi
    integer, intent(in) :: rank
    integer(8) :: from, to
    integer :: error
    call system_clock(from)
    if (rank == 0) then
        call execute_command_line("sleep 0.2")
        call system_clock(to)
        call MPI_Send(to, 1, MPI_INTEGER8, 1, 7, MPI_COMM_WORLD, error)
    else
        call MPI_Recv(to, 1, MPI_INTEGER8, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
        print "(a, i0)", "waited ", to - from
    end if
end subroutine

! MPI's layer of Fortran has a variable for the handle, which is gone when the copy is complete.
subroutine begin_copy(copy, request)
    use mpi
    integer, intent(out) :: copy, request
    integer :: error
    call MPI_Comm_idup(MPI_COMM_WORLD, copy, request, error)
end subroutine

subroutine copies
    use mpi
    integer :: copy(3), request(3), total, error
    do i = 1, 3
        call begin_copy(copy(i), request(i))
    end do
    call MPI_Waitall(3, request, MPI_STATUSES_IGNORE, error)
    do i = 1, 3
        total = i
        call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, copy(i), error)
        if (total /= 2 * i) print *, "a wrong sum"
        call MPI_Comm_free(copy(i), error)
    end do
end subroutine

program calls
    use mpi_f08
    use heddle_record
    integer :: rank, value(4), total(4), threads
    type(MPI_Request) :: requests(2)
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    value = rank
    call heddle_topology_define("rows", [2, 1], [.true., .false.], ["row   ", "column"])
    call heddle_topology_place("rows", [rank, 0])
    call heddle_topology_define("plain", [2])
    call heddle_topology_place("plain", [1 - rank])
    threads = 0
    !$omp parallel num_threads(2)
    !$omp atomic
    threads = threads + 1
    !$omp end parallel
    call MPI_Barrier(MPI_COMM_WORLD)
    call heddle_iteration_begin("step")
    call exchange(rank)
    call heddle_iteration_end("step")
    call MPI_Irecv(total, 4, MPI_INTEGER, 1 - rank, 3, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(value, 4, MPI_INTEGER, 1 - rank, 3, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call MPI_Allreduce(MPI_IN_PLACE, value, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call copies
    call MPI_Finalize()
end program
