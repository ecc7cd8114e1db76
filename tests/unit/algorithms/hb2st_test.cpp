// The chase and its reflectors, as their serial elision: the tridiagonal matrix is similar to the band by the unitary
// matrix that the back-transformation applies.
#include "hb2st.tla"

#include <gtest/gtest.h>

#include <random>

namespace {

template <typename T> class Hb2st : public testing::Test {
protected:
  using Real = tla::RealType<T>;
  struct Size {
    int n, nb, G, C, ib, wide;
  };

  static T random(std::mt19937 &engine) {
    std::normal_distribution<Real> normal;
    if constexpr (tla::isComplex<T>)
      return T(normal(engine), normal(engine));
    else
      return normal(engine);
  }

  /// |A Z - Z T|_max beside the scale, and |Z^H Z - I|_max, in units of roundoff times n.
  static void expectSimilar(const Size &size, Real scale) {
    const auto [n, nb, G, C, ib, wide] = size;
    std::mt19937 engine(n);
    std::vector<T> a(n * n, std::numeric_limits<Real>::quiet_NaN()), band(n * n),
        z(n * n); // outside the band: not looked at
    for (int j = 0; j < n; ++j)
      for (int i = j; i < std::min(n, j + nb + 1); ++i) {
        const T x = i == j ? T(std::real(random(engine))) : random(engine);
        a[i + j * n] = x * scale, band[i + j * n] = x, band[j + i * n] = eigen::conj(x);
      }
    std::vector<Real> d(n), e(n);
    tla::LowerMatrix<T> A(a.data(), n, n, nb);
    tla::Matrix<Real> D(d.data(), n, 1, n, nb), E(e.data(), n, 1, n, nb);
    tla::Matrix<T> Z(z.data(), n, n, n, nb);
    tla::Workspace<T> X(A.nt(), A.nt(), nb + ib, nb), F(A.nt(), A.nt(), ib, nb);
    tla::Workspace<Real> Q(n, n, wide * nb);
    hb2st_chase(G, C, ib, A, D, E, X, F);
    for (int i = 0; i < Q.mt(); ++i)
      for (int j = 0; j < Q.nt(); ++j)
        laset(Real(0), i == j ? Real(1) : Real(0), Q(i, j));
    unmtr_hb2st(ib, wide, X, F, Q, Z);
    const Real unit = n * std::numeric_limits<Real>::epsilon();
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        T difference = -z[i + j * n] * (d[j] / scale), dot = i == j ? -1 : 0;
        if (j > 0)
          difference -= z[i + (j - 1) * n] * (e[j - 1] / scale);
        if (j + 1 < n)
          difference -= z[i + (j + 1) * n] * (e[j] / scale);
        for (int k = 0; k < n; ++k) {
          difference += band[i + k * n] * z[k + j * n];
          dot += eigen::conj(z[k + i * n]) * z[k + j * n];
        }
        ASSERT_LE(std::abs(difference), 8 * unit)
            << i << ", " << j << " of n = " << n << ", nb = " << nb << ", scale " << scale;
        ASSERT_LE(std::abs(dot), 4 * unit) << i << ", " << j << " of n = " << n << ", nb = " << nb;
      }
  }
};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Hb2st, Types);

TYPED_TEST(Hb2st, IsASimilarity) {
  using Size = typename TestFixture::Size;
  for (const Size &size : {Size{1, 1, 1, 1, 1, 1}, Size{2, 1, 8, 4, 12, 2}, Size{2, 2, 1, 1, 3, 1},
                           Size{3, 2, 2, 2, 2, 2}, Size{17, 1, 3, 2, 4, 3}, Size{33, 5, 3, 2, 2, 1},
                           Size{40, 16, 8, 4, 12, 2}, Size{65, 64, 4, 1, 6, 1}, Size{77, 19, 30, 9, 7, 3}})
    this->expectSimilar(size, 1);
}

TYPED_TEST(Hb2st, ScalesNeitherOverflowNorUnderflow) {
  using Real = tla::RealType<TypeParam>;
  const Real small = std::numeric_limits<Real>::min() / std::numeric_limits<Real>::epsilon() * 64,
             large = std::numeric_limits<Real>::max() / 256;
  for (Real scale : {small, large})
    this->expectSimilar({24, 6, 4, 2, 5, 2}, std::scalbn(Real(1), std::ilogb(scale)));
}

} // namespace
