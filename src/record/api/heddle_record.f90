! heddle_record: parts of a program that heddle record shows by the names that the program gives them.
!
!     use heddle_record
!     do i = 1, n_steps
!         call heddle_iteration_begin("step")
!         call compute()
!         call heddle_iteration_end("step")
!     end do
!
! Compile this file with the program: modules differ between compilers. Nothing is linked to it. Without heddle record
! the calls do nothing. As heddle/record.h, which has the details. Threads: any, after the first call.
module heddle_record
    use, intrinsic :: iso_c_binding
    implicit none
    private
    public :: heddle_region_begin, heddle_region_end, heddle_iteration_begin, heddle_iteration_end

    abstract interface
        subroutine recorder(name) bind(c)
            import :: c_char
            character(kind=c_char), intent(in) :: name(*)
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
    logical :: is_ready = .false.

contains

    subroutine find(name, call_it)
        character(*), intent(in) :: name
        procedure(recorder), pointer, intent(out) :: call_it
        type(c_funptr) :: found
        call_it => null()
        found = dlsym(dlopen(c_null_ptr, lazy), name // c_null_char)
        if (c_associated(found)) call c_f_procpointer(found, call_it)
    end subroutine

    subroutine find_all()
        call find("heddle_record_region_begin", region_begin)
        call find("heddle_record_region_end", region_end)
        call find("heddle_record_iteration_begin", iteration_begin)
        call find("heddle_record_iteration_end", iteration_end)
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

end module
