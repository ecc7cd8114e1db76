#include "tools/tuner/gemm_check.hpp"

#include "kernels/reference/gemm.hpp"

#include <complex>
#include <limits>
#include <random>
#include <sstream>
#include <vector>

namespace hetc::tuning {

namespace {
using tla::Op;
using tla::RealType;

template <typename T> T nan() { return T(std::numeric_limits<RealType<T>>::quiet_NaN()); }
template <typename T> bool isNan(T x) { return x != x; }

/// A matrix in a larger array, whose rest is NaN.
template <typename T> struct Matrix {
  Matrix(int m, int n, int extra) : m(m), n(n), ld(std::max(1, m) + extra), data(std::size_t(ld) * n + 1, nan<T>()) {}
  T &operator()(int i, int j) { return data[i + std::size_t(j) * ld]; }
  tla::Tile<T> tile() { return {data.data(), m, n, ld}; }

  int m, n, ld;
  std::vector<T> data;
};

struct Shape {
  int m, n, k;
};

template <typename T> struct Call {
  Op opA, opB;
  Shape shape;
  T alpha, beta;
  bool holdsNan; ///< one element of A, and one of C if that is read
};

template <typename T> std::string describe(const Call<T> &call) {
  const auto name = [](Op op) { return op == Op::NoTrans ? "NoTrans" : op == Op::Trans ? "Trans" : "ConjTrans"; };
  std::ostringstream out;
  out << "gemm(" << name(call.opA) << ", " << name(call.opB) << ") of " << call.shape.m << " x " << call.shape.n
      << " x " << call.shape.k << ", alpha = " << call.alpha << ", beta = " << call.beta
      << (call.holdsNan ? ", with NaN" : "");
  return out.str();
}

template <typename T> class GemmCheck {
public:
  explicit GemmCheck(GemmBody<T> *body) : body_(body) {}

  std::string run() {
    std::vector<Shape> shapes = {{0, 3, 2}, {3, 0, 2}, {3, 2, 0}, {1, 1, 1}, {8, 8, 8}, {48, 24, 64}};
    std::uniform_int_distribution<int> small(1, 100);
    for (int each = 0; each < 12; ++each)
      shapes.push_back({small(random_), small(random_), small(random_)});
    for (const Shape &shape : shapes)
      for (const Op opA : ops)
        for (const Op opB : ops)
          if (std::string wrong = checkScalars(opA, opB, shape); !wrong.empty())
            return wrong;
    // Several blocks of caches in one of m, n and k.
    for (const Shape &shape : {Shape{1203, 17, 39}, Shape{13, 4201, 9}, Shape{51, 37, 1301}})
      for (const Op op : ops)
        if (std::string wrong = check({op, op, shape, T(-1), T(1), false}); !wrong.empty())
          return wrong;
    return "";
  }

private:
  static constexpr Op ops[] = {Op::NoTrans, Op::Trans, Op::ConjTrans};

  std::string checkScalars(Op opA, Op opB, const Shape &shape) {
    const T half = tla::isComplex<T> ? scalar(-0.5, 0.25) : T(-0.5);
    const Call<T> calls[] = {{opA, opB, shape, T(1), T(0), false},
                             {opA, opB, shape, half, half, false},
                             {opA, opB, shape, T(-1), T(1), true},
                             {opA, opB, shape, T(0), half, false}};
    for (const Call<T> &call : calls)
      if (std::string wrong = check(call); !wrong.empty())
        return wrong;
    return "";
  }

  static T scalar(double re, [[maybe_unused]] double im) {
    if constexpr (tla::isComplex<T>)
      return T(static_cast<RealType<T>>(re), static_cast<RealType<T>>(im));
    else
      return static_cast<T>(re);
  }

  void fill(Matrix<T> &matrix) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int j = 0; j < matrix.n; ++j)
      for (int i = 0; i < matrix.m; ++i)
        matrix(i, j) = scalar(uniform(random_), uniform(random_));
  }

  std::string check(const Call<T> &call) {
    const auto [m, n, k] = call.shape;
    Matrix<T> A(call.opA == Op::NoTrans ? m : k, call.opA == Op::NoTrans ? k : m, 3);
    Matrix<T> B(call.opB == Op::NoTrans ? k : n, call.opB == Op::NoTrans ? n : k, 1), C(m, n, 2);
    if (call.alpha != T(0)) { // else they are not to be read
      fill(A);
      fill(B);
    }
    if (call.beta != T(0))
      fill(C);
    if (call.holdsNan && m && n && k)
      A(A.m / 2, A.n / 2) = C(m - 1, 0) = nan<T>();
    Matrix<T> expected = C;
    tla::reference::gemm(call.opA, call.opB, call.alpha, tla::ConstTile<T>(A.tile()), tla::ConstTile<T>(B.tile()),
                         call.beta, expected.tile());
    body_(call.opA, call.opB, call.alpha, A.tile(), B.tile(), call.beta, C.tile());
    return compare(expected, C, call);
  }

  static std::string compare(Matrix<T> &expected, Matrix<T> &found, const Call<T> &call) {
    // Sums of k products of numbers below 1, in any order.
    const double tolerance = 8 * (call.shape.k + 4) * double(std::numeric_limits<RealType<T>>::epsilon());
    for (int j = 0; j < expected.n; ++j)
      for (int i = 0; i < expected.ld; ++i) {
        const T x = expected(i, j), y = found(i, j);
        if ((isNan(x) && isNan(y)) || std::abs(x - y) <= tolerance)
          continue;
        std::ostringstream out;
        out << describe(call) << ": " << (i < expected.m ? "C(" : "the array of C, beside the matrix, at (") << i
            << ", " << j << ") is " << y << ", expected " << x;
        return out.str();
      }
    return "";
  }

  GemmBody<T> *body_;
  std::mt19937 random_{2014};
};
} // namespace

template <typename T> std::string checkGemm(GemmBody<T> *body) { return GemmCheck<T>(body).run(); }

template std::string checkGemm(GemmBody<float> *);
template std::string checkGemm(GemmBody<double> *);
template std::string checkGemm(GemmBody<std::complex<float>> *);
template std::string checkGemm(GemmBody<std::complex<double>> *);

} // namespace hetc::tuning
