// Kernels with one mistake each; kernel 0 has none.
#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void work(int mistake, int column, tla::ConstTile<T> d, tla::Tile<T> A) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m() + (mistake == 1 && j == column); ++i)
      A(i, j) += d(i % d.m(), 0);
  T *const first = A.data();
  if (mistake == 2)
    first[A.m() + static_cast<long>(column) * A.ld()] = T(7); // a row below the column
  if (mistake == 3)
    first[-1] = T(7);
  if (mistake == 4)
    const_cast<T *>(d.data())[0] = T(7);
  if (mistake == 5)
    *reinterpret_cast<volatile int *>(sizeof(T)) = column;
  if (mistake == 6)
    std::abort();
}
