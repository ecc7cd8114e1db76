#pragma once
#include "eigen/sturm.hpp"

/// Eigenvalues w, ascending, of the real symmetric tridiagonal matrix with diagonal d and subdiagonal e(0) .. e(n - 2), by
/// multisection with Sturm counts, each tile of w by itself (LAPACK: stebz, and what sterf is asked for): memory is linear in
/// n. Each is right to a few units of roundoff of the largest element. Of complex types the real parts are looked at. A run
/// ends with info > 0 where d or e has a NaN or an infinity.
#pragma tla algorithm shape(d(n, 1), e(n, 1), w(n, 1)) input(d : random, e : random, w : zero) \
    check(user(stedc_values_residual(d, e, w)))
template <typename T>
void stedc_values(tla::Matrix<T> d, tla::Matrix<T> e, tla::Matrix<T> w) {
  const int nt = w.mt();
  for (int t = 0; t < nt; ++t) {
    #pragma tla task
    sturmValues(t * w.nb(), d.panel(0, nt, 0), e.panel(0, nt, 0), w(t, 0));
  }
  for (int t = 1; t < nt; ++t) {
    #pragma tla task
    sturmAscend(w(t - 1, 0), w(t, 0));
  }
}

/// r = the largest error of w in units of roundoff of the largest element, by counts at w and a little more and less; NaN
/// where w does not ascend.
#pragma tla algorithm shape(d(n, 1), e(n, 1), w(n, 1), r(1, 1))
template <typename T>
void stedc_values_residual(tla::Matrix<T> d, tla::Matrix<T> e, tla::Matrix<T> w, tla::Matrix<T> r) {
  const int nt = w.mt();
  #pragma tla task
  laset(T(0), T(0), r(0, 0));
  for (int t = 0; t < nt; ++t) {
    #pragma tla task
    judgeValues(t * w.nb(), d.panel(0, nt, 0), e.panel(0, nt, 0), w(t, 0), r(0, 0));
  }
  if (nt > 0) {
    #pragma tla task
    requireAscendingParts(w.panel(0, nt, 0), r(0, 0));
  }
}
