// Kernels of the bidiagonal problem: rotations, leaves, and what deflates of a merge.
#include "svd/leaf.hpp"
#include "tests/unit/algorithms/tridiagonal.hpp"

#include <gtest/gtest.h>

namespace {

using Array = std::vector<double>;

/// U diag(s) V^T, as a solver leaves it.
template <typename T> struct Triplets {
  int n;
  std::vector<T> s, u, v;
  explicit Triplets(int n) : n(n), s(n), u(std::size_t(n) * n), v(std::size_t(n) * n) {}
  svd::Columns<T> U() { return {u.data(), n}; }
  svd::Columns<T> V() { return {v.data(), n}; }
};

template <typename T> double lossOfOrthogonality(int n, const svd::Columns<T> &Q) {
  double largest = 0;
  for (int j = 0; j < n; ++j)
    for (int k = 0; k <= j; ++k) {
      double dot = j == k ? -1 : 0;
      for (int i = 0; i < n; ++i)
        dot += double(Q(i, j)) * double(Q(i, k));
      largest = std::max(largest, std::abs(dot));
    }
  return largest;
}

/// Expects B = U diag(s) V^T for the upper bidiagonal B, without its last row unless it `isLast`.
template <typename T>
void expectTriplets(const std::string &name, Triplets<T> &found, bool isLast, const std::vector<T> &d,
                    const std::vector<T> &e) {
  SCOPED_TRACE(name + ", " + std::to_string(found.n) + (isLast ? ", last" : ""));
  const int n = found.n;
  const double unit = 8 * n * double(std::numeric_limits<T>::epsilon());
  EXPECT_LT(lossOfOrthogonality(n, found.U()), unit);
  EXPECT_LT(lossOfOrthogonality(n, found.V()), unit);
  for (int i = 0; i < n; ++i)
    EXPECT_GE(found.s[i], i + 1 < n ? found.s[i + 1] : 0);
  double largest = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const bool isRow = i + 1 < n || isLast;
      double sum = !isRow ? 0 : j == i ? -double(d[i]) : j == i + 1 ? -double(e[i]) : 0;
      for (int k = 0; k < n; ++k)
        sum += double(found.U()(i, k)) * double(found.s[k]) * double(found.V()(j, k));
      largest = std::max(largest, std::abs(sum));
    }
  EXPECT_LT(largest, unit);
}

/// Solves the families' bidiagonal matrices, scaled to elements of at most 1, with a last row and without.
template <typename T, typename Solve> void expectFamilies(int n, Solve solve) {
  for (tla::test::Tridiagonal<T> &matrix : tla::test::tridiagonalFamilies<T>(n))
    for (const bool isLast : {true, false}) {
      const T largest = static_cast<T>(matrix.largest());
      std::vector<T> d = matrix.d, e = matrix.e;
      for (int i = 0; i < n && largest > 0; ++i)
        d[i] /= largest, e[i] /= largest;
      Triplets<T> found(n);
      EXPECT_TRUE(solve(isLast, d, e, found)) << matrix.name;
      expectTriplets(matrix.name, found, isLast, d, e);
    }
}

template <typename T> bool byRotations(bool isLast, std::vector<T> &d, std::vector<T> &e, Triplets<T> &found) {
  return svd::jacobi(found.n, isLast, d.data(), e.data(), found.s.data(), found.U(), found.V());
}

template <typename T> bool byLeaf(bool isLast, std::vector<T> &d, std::vector<T> &e, Triplets<T> &found) {
  return svd::solveLeaf<T>(found.n, isLast, d.data(), e.data(), found.s.data(), found.U(), found.V()) == 0;
}

TEST(Jacobi, FamiliesInBothPrecisions) {
  for (const int n : {1, 2, 3, 16}) {
    expectFamilies<double>(n, byRotations<double>);
    expectFamilies<float>(n, byRotations<float>);
  }
}

TEST(Leaf, FamiliesInBothPrecisions) {
  for (const int n : {16, 17, 50, 64}) {
    expectFamilies<double>(n, byLeaf<double>);
    expectFamilies<float>(n, byLeaf<float>);
  }
}

/// Three values that are apart, and the pinned one of the missing row, which has the first place.
TEST(BidiagonalDeflation, NothingDeflatesOfDistantValues) {
  const svd::Deflation<double> merge =
      svd::Deflator<double>({0.5, 0, 0.75, 0.25}, {0.6, 0.8, 0.6, 0.8}, 2, true, 0.5, 0.5).deflate();
  EXPECT_EQ(merge.right.kept, 4);
  EXPECT_EQ(merge.right.columnAt, (std::vector<int>{1, 3, 0, 2}));
  EXPECT_EQ(std::scalbn(merge.right.d[3], merge.exponent), 0.75);
}

TEST(BidiagonalDeflation, EqualValuesAreRotatedIntoOne) {
  const svd::Deflation<double> merge =
      svd::Deflator<double>({0.5, 0, 0.5, 0.25}, {0.6, 0.8, 0.6, 0.8}, 2, true, 0.5, 0.5).deflate();
  EXPECT_EQ(merge.right.kept, 3);
}

/// Without the row the values of both halves are those of the whole: only the pinned one is kept, with next to nothing.
TEST(BidiagonalDeflation, EverythingDeflatesWithoutTheRow) {
  const svd::Deflation<double> merge =
      svd::Deflator<double>({0.5, 0, 0.75, 0.25}, {0.6, 0.8, 0.6, 0.8}, 2, true, 0, 0).deflate();
  EXPECT_EQ(merge.right.kept, 1);
}

/// The square of the row is that for which the poles d and the roots are exact: with the roots of a row it is that row.
TEST(BidiagonalVectors, RowOfItsOwnRootsIsTheRow) {
  const Array d{0, 0.25, 0.5, 1}, z{0.5, -0.25, 0.5, 0.125};
  const int n = 4;
  Array origin(n), offset(n), row(n);
  eigen::SecularEquation<double, true> equation(n, d.data(), z.data(), 1.0);
  for (int k = 0; k < n; ++k) {
    const eigen::Root<double> root = equation.root(k);
    ASSERT_TRUE(root.found);
    origin[k] = root.origin, offset[k] = root.offset;
  }
  const svd::Roots<double> roots{{n, d.data(), origin.data(), offset.data()}};
  svd::exactRow(roots, z.data(), 0, n, row.data());
  for (int i = 0; i < n; ++i)
    EXPECT_NEAR(row[i], z[i], 1e-15) << i;
}

} // namespace
