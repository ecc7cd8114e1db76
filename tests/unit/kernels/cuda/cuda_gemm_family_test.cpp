// The products of our own, with the constants of some points of their spaces, on the host: against the reference.
#include "kernels/cuda/gemm/mma.cuh"
#include "kernels/cuda/gemm/simt.cuh"
#include "kernels/reference/reference.hpp"
#include "tests/unit/kernels/samples.hpp"

#include <algorithm>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

using namespace tla;
using namespace tla::test;
namespace family = tla::cuda_gemm;

namespace {

template <typename T> struct ElementOf { using type = T; };
template <typename R> struct ElementOf<std::complex<R>> { using type = family::Complex<R>; };
template <typename T> typename ElementOf<T>::type asElement(T x) {
  if constexpr (isComplex<T>)
    return {x.real(), x.imag()};
  else
    return x;
}

/// Constants of a point with what a tuner chooses besides: type and ops.
template <typename Point, typename T, family::Op a, family::Op b> struct Config : Point {
  using Element = typename ElementOf<T>::type;
  static constexpr family::Op opA = a, opB = b;
};

template <typename T> struct Operands {
  Operands(Op opA, Op opB, int m, int n, int k, int extra)
      : A(opA == Op::NoTrans ? randomSample<T>(m, k, extra, 1) : randomSample<T>(k, m, extra, 1)),
        B(opB == Op::NoTrans ? randomSample<T>(k, n, extra, 2) : randomSample<T>(n, k, extra, 2)),
        C(randomSample<T>(m, n, 1, 3)) {}
  Sample<T> A, B, C;
};

/// The elements of a sample where nothing can be read behind them, aligned as a device's memory is.
template <typename T> class Guarded {
public:
  explicit Guarded(Sample<T> &sample) {
    const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)), align = 16;
    const std::size_t count =
        sample.m() && sample.n() ? std::size_t(sample.tile().ld()) * (sample.n() - 1) + sample.m() : 0;
    const std::size_t bytes = (count * sizeof(T) + align - 1) / align * align;
    size_ = (bytes + page - 1) / page * page + page;
    pages_ = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *const end = static_cast<char *>(pages_) + size_ - page;
    ::mprotect(end, page, PROT_NONE);
    data_ = reinterpret_cast<T *>(end - bytes);
    std::copy_n(sample.tile().data(), count, data_);
  }
  Guarded(const Guarded &) = delete;
  Guarded &operator=(const Guarded &) = delete;
  ~Guarded() { ::munmap(pages_, size_); }
  T *data() const { return data_; }

private:
  std::size_t size_ = 0;
  void *pages_ = nullptr;
  T *data_ = nullptr;
};

template <typename T> family::Product<typename ElementOf<T>::type> productOf(Operands<T> &x, int k) {
  using E = typename ElementOf<T>::type;
  const auto cast = [](T *data) { return reinterpret_cast<E *>(data); };
  return {
      cast(x.A.tile().data()), cast(x.B.tile().data()), cast(x.C.tile().data()), x.C.m(),           x.C.n(),          k,
      x.A.tile().ld(),         x.B.tile().ld(),         x.C.tile().ld(),         x.A.tile().data(), x.B.tile().data()};
}

template <typename Kernel> unsigned blocksFor(int m, int n, int blk_m, int blk_n) {
  return unsigned((m + blk_m - 1) / blk_m * ((n + blk_n - 1) / blk_n));
}

template <template <typename> class Kernel, typename Point, typename T, family::Op a, family::Op b>
void compareOnce(int m, int n, int k, int extra, T alpha, T beta) {
  using K = Kernel<Config<Point, T, a, b>>;
  static_assert(K::sharedBytes <= shim::sharedMemoryBytes);
  const Op opA = ops[int(a)], opB = ops[int(b)];
  Operands<T> x(opA, opB, m, n, k, extra);
  if (beta == T(0))
    x.C.fill(nan<T>());
  if (alpha == T(0))
    x.A.fill(nan<T>());
  Sample<T> expected = x.C;
  reference::gemm<T>(opA, opB, alpha, x.A.tile(), x.B.tile(), beta, expected.tile());
  auto product = productOf(x, k);
  const Guarded<T> guardedA(x.A), guardedB(x.B);
  product.A = reinterpret_cast<decltype(product.A)>(guardedA.data());
  product.B = reinterpret_cast<decltype(product.B)>(guardedB.data());
  std::fill_n(static_cast<double *>(shim::sharedMemory()), shim::sharedMemoryBytes / sizeof(double), nan<double>());
  shim::runGrid(dim3(blocksFor<K>(m, n, Point::blk_m, Point::blk_n) + 1), dim3(K::threads),
                [&] { K::run(product, asElement(alpha), asElement(beta)); });
  SCOPED_TRACE(testing::Message() << m << " x " << n << " x " << k << " ops " << int(a) << int(b) << " ld + " << extra
                                  << " " << alpha << " " << beta);
  expectNear(expected, x.C, 32 * (k + 4) * epsilon<T>());
}

/// Sizes on both sides of the block's, leading dimensions that vectors fit and that they do not.
template <template <typename> class Kernel, typename Point, typename T, family::Op a, family::Op b> void compareOps() {
  const int m = Point::blk_m, n = Point::blk_n, k = Point::blk_k;
  compareOnce<Kernel, Point, T, a, b>(m, n, k, 0, T(1), T(0));
  compareOnce<Kernel, Point, T, a, b>(m + 3, n - 1, 5 * k + 1, 2, T(1.5), T(-0.5));
  compareOnce<Kernel, Point, T, a, b>(m + 1, n + 1, 3 * k + 1, 3, T(-1), T(0.5)); // aligned, with incomplete vectors
  compareOnce<Kernel, Point, T, a, b>(2 * m + 2, n + 1, 2 * k - 2, 3, T(-1), T(1));
  compareOnce<Kernel, Point, T, a, b>(m + 4, n + 4, 9 * k, 4, T(1), T(0.5)); // more steps than any ring has stages
  if constexpr (isComplex<T>)
    compareOnce<Kernel, Point, T, a, b>(m - 2, n - 2, 2 * k, 0, T(-1), T(0.5, -2));
  compareOnce<Kernel, Point, T, a, b>(1, 1, 1, 0, T(2), T(1));
  compareOnce<Kernel, Point, T, a, b>(5, 7, 0, 1, T(2), T(-1));
  compareOnce<Kernel, Point, T, a, b>(9, 4, 3, 1, T(0), T(3));
}

template <template <typename> class Kernel, typename Point, typename T> void compareAll() {
  using enum family::Op;
  compareOps<Kernel, Point, T, NoTrans, NoTrans>();
  compareOps<Kernel, Point, T, NoTrans, Trans>();
  compareOps<Kernel, Point, T, Trans, NoTrans>();
  compareOps<Kernel, Point, T, Trans, Trans>();
  if constexpr (isComplex<T>) {
    compareOps<Kernel, Point, T, ConjTrans, NoTrans>();
    compareOps<Kernel, Point, T, NoTrans, ConjTrans>();
    compareOps<Kernel, Point, T, ConjTrans, Trans>();
  }
}

/// Constants in the order of spaces/cuda_gemm_simt.space.
template <int m, int n, int bm, int bn, int bk, int ma, int mb, int v, int count, int t> struct Simt {
  static constexpr int dim_m = m, dim_n = n, blk_m = bm, blk_n = bn, blk_k = bk, dim_m_a = ma, dim_m_b = mb, vec = v,
                       buffers = count, texture = t;
};
/// A point of spaces/cuda_dgemm_mma.space.
template <int mm, int mk, int wm, int wn, int bm, int bn, int bk, int s, int sw, int a, int g> struct Mma {
  static constexpr int mma_m = mm, mma_k = mk, warps_m = wm, warps_n = wn, blk_m = bm, blk_n = bn, blk_k = bk,
                       stages = s, swizzle = sw, ahead = a, group = g, blocks = 1;
};

template <typename T> class CudaGemmSimt : public testing::Test {};
TYPED_TEST_SUITE(CudaGemmSimt, Types);

TYPED_TEST(CudaGemmSimt, OneBuffer) { compareAll<family::SimtGemm, Simt<8, 8, 32, 16, 8, 8, 8, 1, 1, 0>, TypeParam>(); }
TYPED_TEST(CudaGemmSimt, TwoBuffersAndUnevenShapes) {
  compareAll<family::SimtGemm, Simt<16, 4, 16, 32, 16, 16, 4, 1, 2, 0>, TypeParam>();
}
TYPED_TEST(CudaGemmSimt, Texture) { compareAll<family::SimtGemm, Simt<8, 4, 16, 16, 8, 8, 4, 1, 1, 1>, TypeParam>(); }
TYPED_TEST(CudaGemmSimt, Vectors) {
  if constexpr (sizeof(TypeParam) < 16)
    compareAll<family::SimtGemm, Simt<8, 8, 32, 32, 16, 8, 8, 2, 2, 0>, TypeParam>();
}
TEST(CudaGemmSimtFloat, VectorsOfFour) { compareAll<family::SimtGemm, Simt<4, 8, 32, 32, 32, 8, 8, 4, 1, 0>, float>(); }

TEST(CudaGemmMma, M8N8K4) { compareAll<family::MmaGemm, Mma<8, 4, 2, 1, 32, 16, 8, 3, 0, 0, 1>, double>(); }
TEST(CudaGemmMma, M16N8K4) { compareAll<family::MmaGemm, Mma<16, 4, 1, 2, 32, 32, 16, 2, 1, 1, 2>, double>(); }
TEST(CudaGemmMma, M16N8K8) { compareAll<family::MmaGemm, Mma<16, 8, 2, 2, 32, 48, 8, 4, 1, 0, 1>, double>(); }
TEST(CudaGemmMma, M16N8K16) { compareAll<family::MmaGemm, Mma<16, 16, 1, 1, 16, 16, 16, 3, 1, 0, 8>, double>(); }
TEST(CudaGemmMma, AheadWithOneRowOfTiles) {
  compareAll<family::MmaGemm, Mma<16, 8, 2, 2, 32, 48, 16, 3, 0, 1, 1>, double>();
  compareAll<family::MmaGemm, Mma<16, 16, 1, 1, 16, 16, 32, 2, 1, 1, 8>, double>();
}
TEST(CudaGemmMma, AheadWithSeveralRows) {
  compareAll<family::MmaGemm, Mma<16, 8, 1, 2, 48, 32, 16, 4, 0, 1, 1>, double>();
  compareAll<family::MmaGemm, Mma<8, 4, 1, 1, 32, 16, 16, 3, 1, 1, 1>, double>();
}
TEST(CudaGemmMma, Complex) {
  using Z = std::complex<double>;
  compareAll<family::MmaGemm, Mma<16, 8, 1, 2, 16, 16, 8, 3, 1, 0, 1>, Z>();
  compareAll<family::MmaGemm, Mma<8, 4, 1, 1, 16, 8, 8, 2, 0, 1, 1>, Z>();
}

/// Expects that a warp reads from different banks at once: for doubles 4 along k x 4 across, for complex numbers 4 x 2.
template <typename T, int inner, bool alongK, bool swizzle> void expectNoConflict() {
  using Stripe = family::Stripe<T, inner, 64, alongK, swizzle>;
  constexpr int places = 128 / sizeof(T), inwards = alongK ? 4 : places / 4;
  for (int i = 0; i < inner; i += inwards)
    for (int o = 0; o < 64; o += places / inwards) {
      std::vector<bool> taken(places);
      for (int x = 0; x < places; ++x) {
        const int at = Stripe::at(i + x % inwards, o + x / inwards);
        ASSERT_LT(at, Stripe::elements);
        EXPECT_FALSE(taken[at % places]) << inner << (alongK ? " along k " : " across ") << swizzle << " at " << i
                                         << ", " << o;
        taken[at % places] = true;
      }
    }
}
TEST(CudaGemmMma, SharedMemoryWithoutConflicts) {
  using Z = family::Complex<double>;
  const auto all = [](auto inner) {
    expectNoConflict<double, inner, true, false>();
    expectNoConflict<double, inner, true, true>();
    expectNoConflict<double, inner, false, false>();
    expectNoConflict<double, inner, false, true>();
    expectNoConflict<Z, inner, true, false>();
    expectNoConflict<Z, inner, true, true>();
    expectNoConflict<Z, inner, false, false>();
    expectNoConflict<Z, inner, false, true>();
  };
  [&]<int... quarters>(std::integer_sequence<int, quarters...>) {
    (all(std::integral_constant<int, 4 * (quarters + 1)>()), ...);
  }
  (std::make_integer_sequence<int, 12>());
}

/// All parts of C are computed, each by one block, whatever the group.
TEST(CudaGemmFamily, CornersCoverTheProduct) {
  for (int m : {1, 16, 17, 100})
    for (int n : {1, 8, 60}) {
      std::vector<int> hits(((m + 15) / 16) * ((n + 7) / 8));
      for (int index = 0; index < int(hits.size()) + 5; ++index)
        if (family::Corner corner; family::cornerOf<16, 8, 3>(index, m, n, corner)) {
          ASSERT_LT(corner.row, m);
          ASSERT_LT(corner.column, n);
          ++hits[corner.row / 16 + corner.column / 8 * ((m + 15) / 16)];
        }
      EXPECT_EQ(std::count(hits.begin(), hits.end(), 1), std::ssize(hits)) << m << " x " << n;
    }
}

} // namespace
