!> Solves A X = B for a matrix with n on its diagonal and 1 elsewhere, and right-hand sides whose solution has ones.
program solve
  use, intrinsic :: iso_c_binding, only: c_double, c_ptr
  use hetc
  implicit none
  integer, parameter :: n = 500, k = 3
  real(c_double), target :: a(n, n), b(n, k)
  type(c_ptr) :: executor, posv
  type(hetc_outcome) :: outcome
  integer :: i

  a = 1
  do i = 1, n
    a(i, i) = n
  end do
  b = 2 * n - 1
  call check(hetc_executor_create(0, executor))
  call check(hetc_find("posv", "d", posv))
  call check(hetc_run(executor, posv, [hetc_window(a, n, n, n), hetc_window(b, n, k, n)], outcome=outcome))
  print "(a, l1)", "right: ", all(abs(b - 1) < 1d-12)

  a(2, 2) = -1 ! of the factor, which is not positive definite
  if (hetc_run(executor, posv, [hetc_window(a, n, n, n), hetc_window(b, n, k, n)], outcome=outcome) == hetc_numerical) &
    print "(a, i0, a)", "info = ", outcome%info, ": " // hetc_message()
  call hetc_executor_destroy(executor)

contains

  subroutine check(status)
    integer, intent(in) :: status
    if (status /= hetc_ok) error stop hetc_message()
  end subroutine

end program
