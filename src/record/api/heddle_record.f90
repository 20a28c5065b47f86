! heddle_record: parts of a program that heddle record shows by the names that the program gives them.
!
!     use heddle_record
!     do i = 1, n_steps
!         call heddle_iteration_begin("step")
!         call compute()
!         call heddle_iteration_end("step")
!     end do
!     call heddle_topology_define("mesh", [4, 2], names=["x", "y"])
!     call heddle_topology_place("mesh", [rank / 2, mod(rank, 2)])
!
! Compile this file with the program: modules differ between compilers. Nothing is linked to it. Without heddle record
! the calls do nothing. As heddle/record.h, which has the details. Threads: any, after the first call.
module heddle_record
    use, intrinsic :: iso_c_binding
    implicit none
    private
    public :: heddle_region_begin, heddle_region_end, heddle_iteration_begin, heddle_iteration_end
    public :: heddle_topology_define, heddle_topology_place

    abstract interface
        subroutine recorder(name) bind(c)
            import :: c_char
            character(kind=c_char), intent(in) :: name(*)
        end subroutine
        subroutine definer(name, n, sizes, periodic, names) bind(c)
            import :: c_char, c_int, c_ptr
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int), value :: n
            integer(c_int), intent(in) :: sizes(*), periodic(*)
            type(c_ptr), intent(in) :: names(*)
        end subroutine
        subroutine placer(name, n, coordinates) bind(c)
            import :: c_char, c_int
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int), value :: n
            integer(c_int), intent(in) :: coordinates(*)
        end subroutine
    end interface

    interface
        function dlopen(path, mode) bind(c)
            import :: c_ptr, c_int
            type(c_ptr), value :: path
            integer(c_int), value :: mode
            type(c_ptr) :: dlopen
        end function
        function dlsym(handle, name) bind(c)
            import :: c_ptr, c_funptr, c_char
            type(c_ptr), value :: handle
            character(kind=c_char), intent(in) :: name(*)
            type(c_funptr) :: dlsym
        end function
    end interface

    integer(c_int), parameter :: lazy = 1
    procedure(recorder), pointer :: region_begin => null(), region_end => null()
    procedure(recorder), pointer :: iteration_begin => null(), iteration_end => null()
    procedure(definer), pointer :: topology_define => null()
    procedure(placer), pointer :: topology_place => null()
    logical :: is_ready = .false.

contains

    type(c_funptr) function address_of(name)
        character(*), intent(in) :: name
        address_of = dlsym(dlopen(c_null_ptr, lazy), name // c_null_char)
    end function

    subroutine find(name, call_it)
        character(*), intent(in) :: name
        procedure(recorder), pointer, intent(out) :: call_it
        call_it => null()
        if (c_associated(address_of(name))) call c_f_procpointer(address_of(name), call_it)
    end subroutine

    subroutine find_all()
        call find("heddle_record_region_begin", region_begin)
        call find("heddle_record_region_end", region_end)
        call find("heddle_record_iteration_begin", iteration_begin)
        call find("heddle_record_iteration_end", iteration_end)
        if (c_associated(address_of("heddle_record_topology_define"))) then
            call c_f_procpointer(address_of("heddle_record_topology_define"), topology_define)
            call c_f_procpointer(address_of("heddle_record_topology_place"), topology_place)
        end if
        is_ready = .true.
    end subroutine

    subroutine heddle_region_begin(name)
        character(*), intent(in) :: name
        if (.not. is_ready) call find_all()
        if (associated(region_begin)) call region_begin(trim(name) // c_null_char)
    end subroutine

    subroutine heddle_region_end(name)
        character(*), intent(in) :: name
        if (.not. is_ready) call find_all()
        if (associated(region_end)) call region_end(trim(name) // c_null_char)
    end subroutine

    subroutine heddle_iteration_begin(name)
        character(*), intent(in) :: name
        if (.not. is_ready) call find_all()
        if (associated(iteration_begin)) call iteration_begin(trim(name) // c_null_char)
    end subroutine

    subroutine heddle_iteration_end(name)
        character(*), intent(in) :: name
        if (.not. is_ready) call find_all()
        if (associated(iteration_end)) call iteration_end(trim(name) // c_null_char)
    end subroutine

    ! sizes of the dimensions; whether each is periodic, and its name, may be left out
    subroutine heddle_topology_define(name, sizes, periodic, names)
        character(*), intent(in) :: name
        integer, intent(in) :: sizes(:)
        logical, intent(in), optional :: periodic(:)
        character(*), intent(in), optional :: names(:)
        character(kind=c_char), target :: texts(256, size(sizes))
        integer(c_int) :: flags(size(sizes))
        type(c_ptr) :: pointers(size(sizes))
        integer :: i, j
        if (.not. is_ready) call find_all()
        if (.not. associated(topology_define)) return
        flags = 0
        pointers = c_null_ptr
        do i = 1, size(sizes)
            if (present(periodic)) then
                if (i <= size(periodic)) flags(i) = merge(1, 0, periodic(i))
            end if
            if (.not. present(names)) cycle
            if (i > size(names)) cycle
            texts(:, i) = c_null_char
            do j = 1, min(len_trim(names(i)), 255)
                texts(j, i) = names(i)(j:j)
            end do
            pointers(i) = c_loc(texts(1, i))
        end do
        call topology_define(trim(name) // c_null_char, size(sizes), int(sizes, c_int), flags, pointers)
    end subroutine

    ! coordinates from 0 on, as in C
    subroutine heddle_topology_place(name, coordinates)
        character(*), intent(in) :: name
        integer, intent(in) :: coordinates(:)
        if (.not. is_ready) call find_all()
        if (associated(topology_place)) &
            call topology_place(trim(name) // c_null_char, size(coordinates), int(coordinates, c_int))
    end subroutine

end module
