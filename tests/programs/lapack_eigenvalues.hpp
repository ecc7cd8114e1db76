// A kernel whose body is LAPACK's.
#pragma once

#include <tla/tla.hpp>

#include <type_traits>
#include <vector>

extern "C" void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
                       double *work, const int *lwork, int *info);

/// w = the eigenvalues of the symmetric A, ascending; of A the lower triangle is read.
#pragma tla kernel link("lapack") flops(4 * A.n() * A.n() * A.n() / 3) requires(A.m() == A.n(), w.m() == A.n())
template <typename T> int eigenvalues(tla::ConstTile<T> A, tla::OutTile<T> w) {
  static_assert(std::is_same_v<T, double>, "dsyev is for double");
  const int n = A.n(), room = 3 * n + 1;
  int info = 0;
  std::vector<double> copy(static_cast<std::size_t>(n) * n), values(n), work(room);
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i)
      copy[i + static_cast<std::size_t>(j) * n] = A(i, j);
  dsyev_("N", "L", &n, copy.data(), &n, values.data(), work.data(), &room, &info);
  for (int i = 0; i < n; ++i)
    w(i, 0) = values[i];
  return info;
}
