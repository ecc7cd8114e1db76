// Kernels of stedc: Cuppen's divide and conquer with Gu & Eisenstat's vectors. Everything that depends on elements (which columns
// deflate, K, the order) is in small tiles that the kernels read.
#pragma once
#include <tla/tla.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

extern "C" void dsteqr_(const char *, const int *, double *, double *, double *, const int *, double *, int *);
extern "C" void dstedc_(const char *, const int *, double *, double *, double *, const int *, double *, const int *, int *, const int *,
                        int *);

namespace eig {
// Columns of a tile D(t), a row for each column of Q (x) or for each place in the list of what is left (k).
enum { dOld, zOld, dK, zK, xOfK, kOfX, weight, next, cosine, sine, previous, columnsOfD };
// Columns of a tile S(t), a row for each new column.
enum { place, origin, offset, lambda, inverseNorm, columnsOfS };

/// Column c of the tiles of a panel, below each other.
template <typename T> inline std::vector<T> gather(tla::ConstPanel<T> P, int c) {
  std::vector<T> all;
  all.reserve(P.m());
  for (int t = 0; t < P.mt(); ++t)
    for (int i = 0; i < P(t).m(); ++i)
      all.push_back(P(t)(i, c));
  return all;
}
template <typename T> inline void scatter(tla::Panel<T> P, int c, const std::vector<T> &all) {
  std::size_t k = 0;
  for (int t = 0; t < P.mt(); ++t)
    for (int i = 0; i < P(t).m(); ++i)
      P(t)(i, c) = all[k++];
}
template <typename T> inline int firstOf(tla::ConstPanel<T> P, int t) {
  int rows = 0;
  for (int r = 0; r < t; ++r)
    rows += P(r).m();
  return rows;
}

/// Sums of z2 / (delta - mu) and its derivative over poles.
template <typename T> inline void poles(int count, const T *delta, const T *z2, T mu, T &sum, T &derivative) {
#pragma clang fp reassociate(on) contract(fast)
  T s = 0, ds = 0;
#pragma clang loop vectorize_width(8)
  for (int j = 0; j < count; ++j) {
    const T r = 1 / (delta[j] - mu), t = z2[j] * r;
    s += t, ds += t * r;
  }
  sum = s, derivative = ds;
}

/// Root k of 1 / rho + sum z2(j) / (d(j) - lambda), d ascending, rho > 0: lambda = d(origin) + mu. The middle way [Li 1993], guarded.
template <typename T> inline void root(int K, int k, const T *d, const T *z2, T rho, T *delta, int &org, T &mu, int &evaluations) {
  const T eps = std::numeric_limits<T>::epsilon() / 2, constant = 1 / rho;
  if (K == 1) {
    org = 0, mu = rho * z2[0];
    return;
  }
  const bool last = k == K - 1;
  T sumOfSquares = 0;
  if (last)
    for (int j = 0; j < K; ++j)
      sumOfSquares += z2[j];
  const T gap = last ? rho * sumOfSquares : d[k + 1] - d[k];
  const int left = last ? K - 2 : k, right = left + 1; // the poles of the interpolation
  T psi, dpsi, phi, dphi, lo, hi;
  org = k;
  for (int j = 0; j < K; ++j)
    delta[j] = d[j] - d[org];
  ++evaluations;
  mu = gap / 2;
  poles(left + 1, delta, z2, mu, psi, dpsi);
  poles(K - right, delta + right, z2 + right, mu, phi, dphi);
  T w = constant + psi + phi;
  if (last || w >= 0) {
    lo = 0, hi = last ? gap : mu;
    if (last)
      (w >= 0 ? hi : lo) = mu;
  } else {
    org = k + 1;
    for (int j = 0; j < K; ++j)
      delta[j] = d[j] - d[org];
    lo = -gap / 2, hi = 0;
    mu = lo;
  }
  for (int iteration = 0; iteration < 100; ++iteration) {
    const T a0 = constant + std::abs(psi) + std::abs(phi);
    if (std::abs(w) <= 4 * eps * a0 || hi - lo <= 2 * eps * std::max(std::abs(lo), std::abs(hi)))
      return;
    const T p = delta[left] - mu, q = delta[right] - mu;
    T a = (p + q) * w - p * q * (dpsi + dphi), b = p * q * w, c = w - p * dpsi - q * dphi;
    const T root = std::sqrt(std::max(T(0), a * a - 4 * b * c));
    T eta;
    if (last)
      eta = a >= 0 ? (a + root) / (2 * std::abs(c)) : 2 * b / (a - root);
    else
      eta = a <= 0 ? (a - root) / (2 * c) : 2 * b / (a + root);
    if (!(w * eta < 0))
      eta = -w / (dpsi + dphi);
    T next = mu + eta;
    if (!(next > lo && next < hi))
      next = lo + (hi - lo) / 2;
    if (next == mu)
      return;
    mu = next;
    ++evaluations;
    poles(left + 1, delta, z2, mu, psi, dpsi);
    poles(K - right, delta + right, z2 + right, mu, phi, dphi);
    w = constant + psi + phi;
    (w >= 0 ? hi : lo) = mu;
  }
}
} // namespace eig

/// scale = the largest |element| of d and e, 1 of zeros.
#pragma tla kernel bound(memory)
template <typename T> void largest(tla::ConstPanel<T> d, tla::ConstPanel<T> e, tla::OutTile<T> scale) {
  T most = 0;
  for (int t = 0; t < d.mt(); ++t)
    for (int i = 0; i < d(t).m(); ++i)
      most = std::max({most, std::abs(d(t)(i, 0)), t + 1 < d.mt() || i + 1 < d(t).m() ? std::abs(e(t)(i, 0)) : T(0)});
  scale(0, 0) = most > 0 ? most : T(1);
}

/// A leaf: the eigenvectors Q of the diagonal block whose corners lose |e| of the edges that are cut.
#pragma tla kernel link("lapack") flops(6.0 * Q.m() * Q.m() * Q.m())
template <typename T>
int leaf(int cutAbove, int cutBelow, tla::ConstTile<T> scale, tla::ConstTile<T> d, tla::ConstTile<T> e, tla::ConstTile<T> above,
         tla::OutTile<T> S, tla::OutTile<T> Q) {
  const int n = d.m();
  int info = 0;
  std::vector<T> values(n), edges(n), work(1 + 4 * n + n * n);
  std::vector<int> iwork(3 + 5 * n);
  for (int i = 0; i < n; ++i)
    values[i] = d(i, 0) / scale(0, 0), edges[i] = e(i, 0) / scale(0, 0);
  if (cutAbove)
    values[0] -= std::abs(above(above.m() - 1, 0) / scale(0, 0));
  if (cutBelow)
    values[n - 1] -= std::abs(e(n - 1, 0) / scale(0, 0));
  const int ld = Q.ld(), lwork = work.size(), liwork = iwork.size();
  dstedc_("I", &n, values.data(), edges.data(), Q.data(), &ld, work.data(), &lwork, iwork.data(), &liwork, &info);
  for (int i = 0; i < n; ++i) {
    for (int c = 0; c < eig::columnsOfS; ++c)
      S(i, c) = 0;
    S(i, eig::lambda) = values[i];
  }
  return info;
}

/// D = the eigenvalues in S and a row of Q.
#pragma tla kernel bound(memory)
template <typename T> void takeRow(int last, tla::ConstTile<T> S, tla::ConstTile<T> Q, tla::OutTile<T> D) {
  for (int c = 0; c < eig::columnsOfD; ++c)
    for (int i = 0; i < D.m(); ++i)
      D(i, c) = c == eig::dOld ? S(i, eig::lambda) : c == eig::zOld ? Q(last ? Q.m() - 1 : 0, i) : T(0);
}

/// What LAPACK's laed2 does, but for the columns of Q: which of them deflate, and the list of the K that are left.
/// H = K, rho, evaluations.
#pragma tla kernel bound(memory)
template <typename T> void deflate(int upper, tla::ConstTile<T> scale, tla::ConstTile<T> e, tla::Panel<T> D, tla::OutTile<T> H) {
  using namespace eig;
  const T edge = e(e.m() - 1, 0) / scale(0, 0), rho = 2 * std::abs(edge), eps = std::numeric_limits<T>::epsilon() / 2;
  std::vector<T> d = gather<T>(D, dOld), z = gather<T>(D, zOld);
  const int n = d.size(), n1 = firstOf<T>(D, upper);
  T largestD = 0, largestZ = 0;
  for (int x = 0; x < n; ++x) {
    z[x] *= x >= n1 && edge < 0 ? -std::sqrt(T(0.5)) : std::sqrt(T(0.5));
    largestD = std::max(largestD, std::abs(d[x])), largestZ = std::max(largestZ, std::abs(z[x]));
  }
  std::vector<int> order(n), kept, gone;
  for (int x = 0; x < n; ++x)
    order[x] = x;
  std::sort(order.begin(), order.end(), [&](int x, int y) { return d[x] < d[y] || (d[x] == d[y] && x < y); });
  const T tolerance = 8 * eps * std::max(largestD, largestZ);
  std::vector<T> chain(n, -1), c(n, 1), s(n, 0), before(n, -1), place(n, -1), factor(n, 1);
  int candidate = -1;
  for (int x : order) {
    if (rho * std::abs(z[x]) <= tolerance) {
      gone.push_back(x);
    } else if (candidate < 0) {
      candidate = x;
    } else {
      const T length = std::hypot(z[x], z[candidate]), cx = z[x] / length, sx = -z[candidate] / length;
      if (std::abs((d[x] - d[candidate]) * cx * sx) <= tolerance) {
        z[x] = length, z[candidate] = 0;
        const T a = d[candidate], b = d[x];
        d[candidate] = a * cx * cx + b * sx * sx, d[x] = a * sx * sx + b * cx * cx;
        chain[candidate] = x, c[candidate] = cx, s[candidate] = sx, before[x] = candidate;
        gone.push_back(candidate);
      } else {
        kept.push_back(candidate);
      }
      candidate = x;
    }
  }
  if (candidate >= 0)
    kept.push_back(candidate);
  const int K = kept.size();
  std::sort(gone.begin(), gone.end(), [&](int x, int y) { return d[x] < d[y] || (d[x] == d[y] && x < y); });
  std::vector<T> dList(n), zList(n), xList(n);
  for (int k = 0; k < n; ++k) {
    const int x = k < K ? kept[k] : gone[k - K];
    dList[k] = d[x], zList[k] = z[x], xList[k] = x;
  }
  for (int k = 0; k < K; ++k) { // the columns that rotations have merged into this one
    T w = 1;
    for (int x = kept[k]; x >= 0; x = static_cast<int>(before[x])) {
      place[x] = k;
      factor[x] = before[x] >= 0 ? w * c[static_cast<int>(before[x])] : w;
      if (before[x] >= 0)
        w *= -s[static_cast<int>(before[x])];
    }
  }
  scatter(D, dK, dList), scatter(D, zK, zList), scatter(D, xOfK, xList), scatter(D, kOfX, place), scatter(D, weight, factor);
  scatter(D, next, chain), scatter(D, cosine, c), scatter(D, sine, s), scatter(D, previous, before);
  H(0, 0) = K, H(1, 0) = rho;
}

/// R = origins and offsets of the roots whose places are those of tile t.
#pragma tla kernel bound(compute) flops(60.0 * R.m() * D.m())
template <typename T> void secular(int t, tla::ConstTile<T> H, tla::ConstPanel<T> D, tla::OutTile<T> R) {
  using namespace eig;
  const int K = H(0, 0), first = firstOf(D, t);
  const std::vector<T> d = gather(D, dK);
  std::vector<T> z2 = gather(D, zK), delta(K);
  for (T &z : z2)
    z *= z;
  int evaluations = 0;
  for (int i = 0; i < R.m(); ++i) {
    int org = 0;
    T mu = 0;
    if (first + i < K)
      root(K, first + i, d.data(), z2.data(), H(1, 0), delta.data(), org, mu, evaluations);
    R(i, 0) = org, R(i, 1) = mu;
  }
  
}

/// Z = the components of Gu & Eisenstat's z, for which the roots are exact, of the places of tile t.
#pragma tla kernel bound(compute) flops(4.0 * Z.m() * D.m())
template <typename T> void recomputeZ(int t, tla::ConstTile<T> H, tla::ConstPanel<T> D, tla::ConstPanel<T> R, tla::OutTile<T> Z) {
  using namespace eig;
  const int K = H(0, 0), first = firstOf(D, t), count = std::clamp(K - first, 0, Z.m());
  const std::vector<T> d = gather(D, dK), z = gather(D, zK), org = gather(R, 0), mu = gather(R, 1);
  std::vector<T> product(Z.m(), T(1));
  for (int j = 0; j < K; ++j) {
    const T o = d[static_cast<int>(org[j])], m = mu[j], dj = d[j];
    const T *dk = d.data() + first;
    T *p = product.data();
    const auto run = [&](int begin, int end) {
#pragma clang loop vectorize(assume_safety)
      for (int i = begin; i < end; ++i)
        p[i] *= ((dk[i] - o) - m) / (dk[i] - dj);
    };
    const int own = j - first;
    if (own >= 0 && own < count) {
      run(0, own);
      p[own] *= (dk[own] - o) - m;
      run(own + 1, count);
    } else {
      run(0, count);
    }
  }
  for (int i = 0; i < Z.m(); ++i)
    Z(i, 0) = i < count ? std::copysign(std::sqrt(std::abs(product[i])), z[first + i]) : T(0);
}

/// S = of the new columns of tile t: which place they are, root, eigenvalue, and the norm of the vector. `sorted`: by eigenvalue.
#pragma tla kernel bound(compute) flops(4.0 * S.m() * D.m())
template <typename T>
void newColumns(int sorted, int t, tla::ConstTile<T> H, tla::ConstPanel<T> D, tla::ConstPanel<T> R, tla::ConstPanel<T> Z,
                tla::OutTile<T> S) {
  using namespace eig;
  const int K = H(0, 0), first = firstOf(D, t);
  const std::vector<T> d = gather(D, dK), org = gather(R, 0), mu = gather(R, 1), z = gather(Z, 0);
  const int n = d.size();
  std::vector<int> order(n);
  std::vector<T> value(n);
  for (int k = 0; k < n; ++k)
    order[k] = k, value[k] = k < K ? d[static_cast<int>(org[k])] + mu[k] : d[k];
  if (sorted)
    std::sort(order.begin(), order.end(), [&](int x, int y) { return value[x] < value[y] || (value[x] == value[y] && x < y); });
  for (int i = 0; i < S.m(); ++i) {
    const int k = order[first + i];
    S(i, place) = k, S(i, lambda) = value[k], S(i, origin) = org[k], S(i, offset) = mu[k], S(i, inverseNorm) = 1;
    if (k < K) {
#pragma clang fp reassociate(on) contract(fast)
      const T o = d[static_cast<int>(org[k])], m = mu[k];
      T squares = 0;
      for (int j = 0; j < K; ++j) {
        const T v = z[j] / ((d[j] - o) - m);
        squares += v * v;
      }
      S(i, inverseNorm) = 1 / std::sqrt(squares);
    }
  }
}

namespace eig {
/// The rows of M and columns of Q, of a tile of D, that take part in the product first, then the others; returns how many do.
template <typename T> inline int rowsInOrder(tla::ConstTile<T> D, int *order) {
  int n = 0;
  for (int pass = 0; pass < 2; ++pass)
    for (int i = 0; i < D.m(); ++i)
      if ((D(i, kOfX) >= 0) == (pass == 0))
        order[n++] = i;
  return std::count_if(order, order + n, [&](int i) { return D(i, kOfX) >= 0; });
}
/// The columns of M that are no deflated ones first; returns how many they are.
template <typename T> inline int columnsInOrder(int K, tla::ConstTile<T> S, int *order) {
  int n = 0;
  for (int pass = 0; pass < 2; ++pass)
    for (int j = 0; j < S.m(); ++j)
      if ((S(j, place) < K) == (pass == 0))
        order[n++] = j;
  return std::count_if(order, order + n, [&](int j) { return S(j, place) < K; });
}
/// B(:, i) = A(:, order(i)), or B(:, order(i)) = A(:, i).
template <typename T> inline void copyColumns(bool back, const int *order, tla::ConstTile<T> A, tla::OutTile<T> B) {
  for (int i = 0; i < B.n(); ++i) {
    const T *from = &A(0, back ? i : order[i]);
    std::copy(from, from + A.m(), &B(0, back ? order[i] : i));
  }
}
constexpr int largestTile = 1024;
} // namespace eig

/// Columns of Q that take part in the product come first.
#pragma tla kernel bound(memory)
template <typename T> void compress(tla::ConstTile<T> D, tla::Tile<T> Q) {
  int order[eig::largestTile];
  if (eig::rowsInOrder(D, order) == D.m())
    return;
  static thread_local std::vector<T> space;
  space.resize(Q.m() * Q.n());
  const tla::Tile<T> copy(space.data(), Q.m(), Q.n(), Q.m());
  eig::copyColumns<T>(false, order, Q, copy);
  for (int i = 0; i < Q.n(); ++i)
    std::copy(&copy(0, i), &copy(0, i) + Q.m(), &Q(0, i));
}

/// M = the rows of tile t of the new columns in terms of the old ones, both in the order of compress.
#pragma tla kernel bound(compute) flops(3.0 * M.m() * M.n())
template <typename T>
void vectors(int t, tla::ConstTile<T> H, tla::ConstPanel<T> D, tla::ConstPanel<T> Z, tla::ConstTile<T> S, tla::OutTile<T> M) {
  using namespace eig;
  const int K = H(0, 0), first = firstOf(D, t);
  const tla::ConstTile<T> own = D(t);
  const int nb = D(0).m();
  const auto d = [&](int k, int c) { return D(k / nb)(k % nb, c); };
  int rows[largestTile], columns[largestTile], rowOf[largestTile];
  const int nr = rowsInOrder(own, rows), nc = columnsInOrder(K, S, columns);
  T dx[largestTile], zx[largestTile];
  for (int i = 0; i < own.m(); ++i)
    rowOf[rows[i]] = i;
  for (int i = 0; i < nr; ++i) {
    const int k = own(rows[i], kOfX);
    dx[i] = d(k, dK), zx[i] = Z(k / nb)(k % nb, 0) * own(rows[i], weight);
  }
  for (int j = 0; j < M.n(); ++j) {
    T *to = &M(0, j);
    if (j >= S.m()) { // behind the last column of Q
      std::fill(to, to + M.m(), T(0));
      continue;
    }
    const int c = columns[j], k = S(c, place);
    if (j < nc) {
      const T o = d(static_cast<int>(S(c, origin)), dK), m = S(c, offset), f = S(c, inverseNorm);
#pragma clang loop vectorize(assume_safety)
      for (int i = 0; i < nr; ++i)
        to[i] = zx[i] * f / ((dx[i] - o) - m);
      for (int i = nr; i < M.m(); ++i)
        to[i] = 0;
    } else {
      for (int i = 0; i < M.m(); ++i)
        to[i] = 0;
      const auto add = [&](int x, T a) {
        if (x >= first && x < first + own.m())
          to[rowOf[x - first]] += a;
      };
      int x = d(k, xOfK);
      T a = 1;
      if (const int y = d(x, next); y >= 0)
        add(y, d(x, sine)), a = d(x, cosine);
      for (int y; (y = d(x, previous)) >= 0; x = y) {
        add(x, a * d(y, cosine));
        a *= -d(y, sine);
      }
      add(x, a);
    }
  }
}

/// P = Q M, or P += Q M, of tile t of the old columns, in the order of compress: what has deflated is left out.
#pragma tla kernel bound(compute) flops(2.0 * Q.m() * M.m() * M.n()) writes(P if first == 1)
template <typename T>
void product(int first, tla::ConstTile<T> H, tla::ConstTile<T> D, tla::ConstTile<T> S, tla::ConstTile<T> Q, tla::ConstTile<T> M,
             tla::Tile<T> P) {
  using namespace eig;
  const int K = H(0, 0), m = Q.m();
  int nr = 0, nc = 0;
  for (int i = 0; i < D.m(); ++i)
    nr += D(i, kOfX) >= 0;
  for (int j = 0; j < S.m(); ++j)
    nc += S(j, place) < K;
  if (nr > 0)
    tla::gemm(tla::NoTrans, tla::NoTrans, T(1), Q.cols(0, nr), M.rows(0, nr).cols(0, nc), first == 1 ? T(0) : T(1), P.cols(0, nc));
  for (int j = nr > 0 ? nc : 0; j < P.n(); ++j) {
    T *to = &P(0, j);
    if (first == 1)
      std::fill(to, to + m, T(0));
    for (int r = 0; r < Q.n(); ++r)
      if (const T a = M(r, j); a != 0)
        for (int i = 0; i < m; ++i)
          to[i] += a * Q(i, r);
  }
}

/// Q = P with columns where they belong.
#pragma tla kernel bound(memory)
template <typename T> void decompress(tla::ConstTile<T> H, tla::ConstTile<T> S, tla::ConstTile<T> P, tla::OutTile<T> Q) {
  int order[eig::largestTile];
  eig::columnsInOrder<T>(H(0, 0), S, order);
  eig::copyColumns<T>(true, order, P, Q);
}

#pragma tla kernel bound(memory)
template <typename T> void eigenvalues(tla::ConstTile<T> scale, tla::ConstTile<T> S, tla::OutTile<T> w) {
  for (int i = 0; i < w.m(); ++i)
    w(i, 0) = S(i, eig::lambda) * scale(0, 0);
}
