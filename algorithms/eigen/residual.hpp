// Kernels that judge eigenvalues and eigenvectors.
#pragma once
#include "judge.hpp"
#include <tla/tla.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

/// R = R - Z diag(w).
#pragma tla kernel requires(R.m() == Z.m(), R.n() == Z.n(), w.m() == Z.n()) flops(2 * Z.m() * Z.n()) bound(memory)
template <typename T>
void subtractScaled(tla::ConstTile<tla::RealType<T>> w, tla::ConstTile<T> Z, tla::Tile<T> R) {
  for (int j = 0; j < Z.n(); ++j)
    for (int i = 0; i < Z.m(); ++i)
      R(i, j) -= w(j, 0) * Z(i, j);
}

/// r becomes the larger of the residuals other and r; NaN stays.
#pragma tla kernel requires(r.m() == 1, r.n() == 1, other.m() == 1, other.n() == 1) bound(memory)
template <typename T> void keepLargerResidual(tla::ConstTile<T> other, tla::Tile<T> r) {
  const auto a = std::real(other(0, 0)), b = std::real(r(0, 0));
  r(0, 0) = b >= a || std::isnan(b) ? b : a;
}

/// The trace t becomes that and A's.
#pragma tla kernel requires(t.m() == 1, t.n() == 1, A.m() == A.n()) bound(memory)
template <typename T> void addTrace(tla::ConstTile<T> A, tla::Tile<T> t) {
  for (int j = 0; j < A.n(); ++j)
    t(0, 0) += std::real(A(j, j));
}

/// r = |sum of v - trace|, |sqrt(sum of v^2) - size| or |w(i) - v(first + i)|, whichever is largest, over n size eps, for all n eigenvalues
/// v of a matrix of that trace and Frobenius norm.
#pragma tla kernel requires(r.m() == 1, r.n() == 1, size.m() == 1, size.n() == 1, trace.m() == 1, trace.n() == 1) bound(memory)
template <typename T>
void judgeSpectrum(int first, tla::ConstPanel<tla::RealType<T>> v, tla::ConstPanel<tla::RealType<T>> w, tla::ConstTile<T> size,
                   tla::ConstTile<T> trace, tla::OutTile<T> r) {
  const double norm = std::real(size(0, 0)) == 0 ? 1 : std::real(size(0, 0)); // of a zero matrix all must be zero
  std::vector<double> all;
  double sum = 0, squares = 0, worst = 0;
  const auto judge = [&](double difference) { worst = std::abs(difference) <= worst ? worst : std::abs(difference); };
  for (int t = 0; t < v.mt(); ++t)
    for (int i = 0; i < v(t).m(); ++i) {
      all.push_back(v(t)(i, 0) / norm);
      sum += all.back();
      squares += all.back() * all.back();
    }
  judge(sum - std::real(trace(0, 0)) / norm);
  judge(std::sqrt(squares) - std::real(size(0, 0)) / norm);
  int k = first;
  for (int t = 0; t < w.mt(); ++t)
    for (int i = 0; i < w(t).m(); ++i)
      judge(w(t)(i, 0) / norm - all[k++]);
  const double unit = std::numeric_limits<tla::RealType<T>>::epsilon() / 2;
  r(0, 0) = tla::RealType<T>(worst / (double(all.size()) * unit));
}

/// The norm size becomes its product with another.
#pragma tla kernel requires(size.m() == 1, size.n() == 1, norm.m() == 1, norm.n() == 1) bound(memory)
template <typename T> void timesNorm(tla::ConstTile<T> norm, tla::Tile<T> size) { size(0, 0) *= norm(0, 0); }
