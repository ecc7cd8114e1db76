!> Tile algorithms from Fortran: hetc.h's functions, whose comments are the reference, and windows on Fortran's arrays.
!>
!> Compile it with your program's compiler, and link libhetc_c.so:  gfortran hetc.f90 program.f90 -lhetc_c
module hetc
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: hetc_matrix, hetc_scalar, hetc_outcome
  public :: hetc_window, hetc_number, hetc_option, hetc_version, hetc_message
  public :: hetc_executor_create, hetc_executor_create_devices, hetc_executor_create_ranks, hetc_executor_destroy
  public :: hetc_executor_threads, hetc_executor_rank, hetc_executor_ranks, hetc_interrupt
  public :: hetc_find, hetc_load, hetc_run, hetc_local_size, hetc_local_indices

  integer, parameter, public :: hetc_ok = 0, hetc_numerical = 1, hetc_usage = 2, hetc_fault = 3, hetc_interrupted = 4, &
                                hetc_no_memory = 5
  integer, parameter, public :: hetc_no_trans = 111, hetc_trans = 112, hetc_conj_trans = 113, hetc_upper = 121, &
                                hetc_lower = 122, hetc_non_unit = 131, hetc_unit = 132, hetc_left = 141, hetc_right = 142

  !> A window on a column-major array.
  type, bind(C) :: hetc_matrix
    type(c_ptr) :: data = c_null_ptr
    integer(c_int64_t) :: rows = 0, columns = 0, leading = 1
  end type

  !> The value of a scalar parameter: of an int or an option the integer, else the number.
  type, bind(C) :: hetc_scalar
    integer(c_int64_t) :: integer = 0
    real(c_double) :: real = 0, imag = 0
  end type

  type, bind(C) :: hetc_outcome
    integer(c_int64_t) :: info = 0
    integer(c_int) :: tile = 0
    real(c_double) :: seconds = 0
    integer(c_int64_t) :: tasks = 0
  end type

  !> hetc_window(a, rows, columns, leading): a window on an array of one of the four types, or on pivots.
  interface hetc_window
    module procedure window_s, window_d, window_c, window_z, window_i
  end interface

  interface
    integer(c_int) function hetc_executor_create(threads, executor) bind(C)
      import :: c_int, c_ptr
      integer(c_int), value :: threads
      type(c_ptr), intent(out) :: executor
    end function
    integer(c_int) function c_create_devices(threads, devices, executor) bind(C, name="hetc_executor_create_devices")
      import :: c_int, c_ptr, c_char
      integer(c_int), value :: threads
      character(kind=c_char), intent(in) :: devices(*)
      type(c_ptr), intent(out) :: executor
    end function
    integer(c_int) function c_create_ranks(threads, communicator, distribution, executor) &
        bind(C, name="hetc_executor_create_ranks")
      import :: c_int, c_ptr
      integer(c_int), value :: threads, communicator
      type(c_ptr), value :: distribution
      type(c_ptr), intent(out) :: executor
    end function
    subroutine hetc_executor_destroy(executor) bind(C)
      import :: c_ptr
      type(c_ptr), value :: executor
    end subroutine
    integer(c_int) function hetc_executor_threads(executor) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: executor
    end function
    integer(c_int) function hetc_executor_rank(executor) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: executor
    end function
    integer(c_int) function hetc_executor_ranks(executor) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: executor
    end function
    subroutine hetc_interrupt(executor) bind(C)
      import :: c_ptr
      type(c_ptr), value :: executor
    end subroutine
    ! The letter of a type is a char by value, which gfortran 12 passes wrongly where it is part of a text.
    integer(c_int) function c_find(name, type, algorithm) bind(C, name="hetc_find")
      import :: c_int, c_ptr, c_char, c_signed_char
      character(kind=c_char), intent(in) :: name(*)
      integer(c_signed_char), value :: type
      type(c_ptr), intent(out) :: algorithm
    end function
    integer(c_int) function c_load(file, name, type, algorithm) bind(C, name="hetc_load")
      import :: c_int, c_ptr, c_char, c_signed_char
      character(kind=c_char), intent(in) :: file(*), name(*)
      integer(c_signed_char), value :: type
      type(c_ptr), intent(out) :: algorithm
    end function
    integer(c_int) function c_run(executor, algorithm, matrices, matrix_count, scalars, scalar_count, tile, outcome) &
        bind(C, name="hetc_run")
      import :: c_int, c_ptr, hetc_matrix, hetc_scalar, hetc_outcome
      type(c_ptr), value :: executor, algorithm
      type(hetc_matrix), intent(in) :: matrices(*)
      type(hetc_scalar), intent(in) :: scalars(*)
      integer(c_int), value :: matrix_count, scalar_count, tile
      type(hetc_outcome), intent(out) :: outcome
    end function
    integer(c_int) function c_local_size(executor, rows, columns, tile, local_rows, local_columns) &
        bind(C, name="hetc_local_size")
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: executor
      integer(c_int64_t), value :: rows, columns
      integer(c_int), value :: tile
      integer(c_int64_t), intent(out) :: local_rows, local_columns
    end function
    integer(c_int) function c_local_indices(executor, rows, columns, tile, row_indices, column_indices) &
        bind(C, name="hetc_local_indices")
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: executor
      integer(c_int64_t), value :: rows, columns
      integer(c_int), value :: tile
      integer(c_int64_t), intent(out) :: row_indices(*), column_indices(*)
    end function
    type(c_ptr) function c_message() bind(C, name="hetc_message")
      import :: c_ptr
    end function
    type(c_ptr) function c_version() bind(C, name="hetc_version")
      import :: c_ptr
    end function
    integer(c_size_t) function c_strlen(text) bind(C, name="strlen")
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
    end function
  end interface

contains

  !> Makes an executor with accelerators, as "cuda" or "emulated:2".
  integer function hetc_executor_create_devices(threads, devices, executor) result(status)
    integer, intent(in) :: threads
    character(*), intent(in) :: devices
    type(c_ptr), intent(out) :: executor
    status = c_create_devices(threads, trim(devices) // c_null_char, executor)
  end function

  !> Makes an executor on each rank of a communicator of `use mpi`; of mpi_f08 it is comm%mpi_val. `distribution`: as
  !> "2dbc:2x2"; not given: the most square grid.
  integer function hetc_executor_create_ranks(threads, communicator, executor, distribution) result(status)
    integer, intent(in) :: threads, communicator
    type(c_ptr), intent(out) :: executor
    character(*), intent(in), optional :: distribution
    character(kind=c_char, len=:), allocatable, target :: text
    type(c_ptr) :: given
    given = c_null_ptr
    if (present(distribution)) then
      text = trim(distribution) // c_null_char
      given = c_loc(text)
    end if
    status = c_create_ranks(threads, communicator, given, executor)
  end function

  !> Finds an algorithm of the library for one of LAPACK's letters: "s", "d", "c" or "z".
  integer function hetc_find(name, type, algorithm) result(status)
    character(*), intent(in) :: name, type
    type(c_ptr), intent(out) :: algorithm
    status = c_find(trim(name) // c_null_char, iachar(type(1:1), c_signed_char), algorithm)
  end function

  !> Loads an algorithm from a file that `hetc --shared` wrote.
  integer function hetc_load(file, name, type, algorithm) result(status)
    character(*), intent(in) :: file, name, type
    type(c_ptr), intent(out) :: algorithm
    status = c_load(trim(file) // c_null_char, trim(name) // c_null_char, iachar(type(1:1), c_signed_char), algorithm)
  end function

  !> Runs an algorithm and waits. Scalars that are not given have their defaults; tile = 0: hetc chooses.
  integer function hetc_run(executor, algorithm, matrices, scalars, tile, outcome) result(status)
    type(c_ptr), intent(in) :: executor, algorithm
    type(hetc_matrix), intent(in) :: matrices(:)
    type(hetc_scalar), intent(in), optional :: scalars(:)
    integer, intent(in), optional :: tile
    type(hetc_outcome), intent(out), optional :: outcome
    type(hetc_outcome) :: found
    type(hetc_scalar), allocatable :: values(:)
    integer(c_int) :: size_of_tiles
    allocate (values(0))
    if (present(scalars)) values = scalars
    size_of_tiles = 0
    if (present(tile)) size_of_tiles = tile
    status = c_run(executor, algorithm, matrices, size(matrices), values, size(values), size_of_tiles, found)
    if (present(outcome)) outcome = found
  end function

  !> The size of this rank's local array (ScaLAPACK: numroc).
  integer function hetc_local_size(executor, rows, columns, tile, local_rows, local_columns) result(status)
    type(c_ptr), intent(in) :: executor
    integer, intent(in) :: rows, columns, tile
    integer, intent(out) :: local_rows, local_columns
    integer(c_int64_t) :: down, across
    status = c_local_size(executor, int(rows, c_int64_t), int(columns, c_int64_t), tile, down, across)
    local_rows = int(down)
    local_columns = int(across)
  end function

  !> The rows and columns of this rank's local array in the whole matrix, from 1.
  integer function hetc_local_indices(executor, rows, columns, tile, row_indices, column_indices) result(status)
    type(c_ptr), intent(in) :: executor
    integer, intent(in) :: rows, columns, tile
    integer, intent(out) :: row_indices(:), column_indices(:)
    integer(c_int64_t) :: down(max(1, size(row_indices))), across(max(1, size(column_indices)))
    status = c_local_indices(executor, int(rows, c_int64_t), int(columns, c_int64_t), tile, down, across)
    row_indices = int(down(:size(row_indices))) + 1
    column_indices = int(across(:size(column_indices))) + 1
  end function

  !> A scalar parameter of a real or complex type.
  type(hetc_scalar) function hetc_number(real, imag)
    real(c_double), intent(in) :: real
    real(c_double), intent(in), optional :: imag
    hetc_number = hetc_scalar(0, real, 0)
    if (present(imag)) hetc_number%imag = imag
  end function

  !> A scalar parameter that is an int, or an option such as hetc_trans.
  type(hetc_scalar) function hetc_option(value)
    integer, intent(in) :: value
    hetc_option = hetc_scalar(int(value, c_int64_t), 0, 0)
  end function

  !> Why the last call did not return hetc_ok.
  function hetc_message() result(text)
    character(:), allocatable :: text
    text = text_at(c_message())
  end function

  function hetc_version() result(text)
    character(:), allocatable :: text
    text = text_at(c_version())
  end function

  function text_at(address) result(text)
    type(c_ptr), intent(in) :: address
    character(:), allocatable :: text
    character(kind=c_char), pointer :: characters(:)
    integer :: i
    call c_f_pointer(address, characters, [c_strlen(address)])
    allocate (character(size(characters)) :: text)
    do i = 1, size(characters)
      text(i:i) = characters(i)
    end do
  end function

  type(hetc_matrix) function window_s(a, rows, columns, leading)
    integer, intent(in) :: rows, columns, leading
    real(c_float), intent(in), target :: a(leading, *)
    window_s = hetc_matrix(c_loc(a), rows, columns, leading)
  end function

  type(hetc_matrix) function window_d(a, rows, columns, leading)
    integer, intent(in) :: rows, columns, leading
    real(c_double), intent(in), target :: a(leading, *)
    window_d = hetc_matrix(c_loc(a), rows, columns, leading)
  end function

  type(hetc_matrix) function window_c(a, rows, columns, leading)
    integer, intent(in) :: rows, columns, leading
    complex(c_float_complex), intent(in), target :: a(leading, *)
    window_c = hetc_matrix(c_loc(a), rows, columns, leading)
  end function

  type(hetc_matrix) function window_z(a, rows, columns, leading)
    integer, intent(in) :: rows, columns, leading
    complex(c_double_complex), intent(in), target :: a(leading, *)
    window_z = hetc_matrix(c_loc(a), rows, columns, leading)
  end function

  type(hetc_matrix) function window_i(a, rows, columns, leading)
    integer, intent(in) :: rows, columns, leading
    integer(c_int32_t), intent(in), target :: a(leading, *)
    window_i = hetc_matrix(c_loc(a), rows, columns, leading)
  end function

end module
