// Kernels that leave the parts of tiles that they are given, and one that does not.
#include <tla/tla.hpp>

#pragma tla kernel
template <typename T> void twiceAll(tla::Tile<T> A) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      A(i, j) *= T(2);
}

#pragma tla kernel
template <typename T> void total(tla::ConstTile<T> A, tla::Tile<T> B) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      B(0, 0) += A(i, j);
}

/// Of the part that it is given.
#pragma tla kernel
template <typename T> void twice(tla::Tile<T> A) {
  for (int j = 0; j < A.n(); ++j)
    for (int i = 0; i < A.m(); ++i)
      if (A.region() == tla::Region::Full || (A.region() == tla::Region::Lower) == (i > j))
        A(i, j) *= T(2);
}

#pragma tla kernel
template <typename T> void rowBefore(tla::Tile<T> A) { *(A.data() - 1) = T(1); }

/// In few columns only.
#pragma tla kernel
template <typename T> void rowBeforeOfFew(tla::Tile<T> A) {
  if (A.n() < 8)
    *(A.data() - 1) = T(1);
}

/// Leaves its part only where the first element says so.
#pragma tla kernel
template <typename T> void seldom(tla::Tile<T> A) {
  if (A.m() > 1 && A.n() > 1 && A(1, 0) > T(0))
    A(0, 0) += T(1);
}
