#include "tests/unit/runtime/host/dense_algorithms.hpp"

#include "runtime/host/base/element_type.hpp"
#include "tests/unit/runtime/host/dense_tiles.hpp"
#include "tests/unit/runtime/host/describe.hpp"

#include <tla/tla.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <tuple>
#include <utility>
#include <vector>

namespace tla::test {
namespace {
using runtime::Algorithm;
using runtime::Arguments;
using runtime::ElementType;
using runtime::Generator;
using runtime::MatrixParameter;
using runtime::ScalarParameter;
using runtime::ScalarValue;
using runtime::Values;

long sizeM(const Values &v) { return v.m; }
long sizeN(const Values &v) { return v.n; }
long sizeK(const Values &v) { return v.k; }
long smaller(const Values &v) { return std::min(v.m, v.n); }
long one(const Values &) { return 1; }

template <typename T> struct LuWithPivots {
  static int say(const runtime::TaskView &task) { return task.index(0); }
  static constexpr runtime::TaskClass info{"getrf", "lu.tla:5", say, nullptr, 0, false, true};

  static void generate(Generator &generator, const Arguments &arguments) {
    const Elements<T> A(arguments, 0);
    const Elements<int> ipiv(arguments, 1);
    for (int k = 0; k < ipiv.m(); ++k) {
      int p = k;
      for (int i = k + 1; i < A.m(); ++i)
        if (std::abs(A(i, k)) > std::abs(A(p, k)))
          p = i;
      ipiv(k, 0) = p + 1;
      swapRows(A, k, p);
      if (A(k, k) != T(0))
        eliminate(A, k);
      else
        report(generator, arguments, k + 1);
    }
  }
  static void report(Generator &generator, const Arguments &arguments, int zeroPivot) {
    const runtime::TileAccess access{&generator.matrix(*arguments.matrices[0], "A"), 0, 0, runtime::Access::ReadWrite};
    generator.append({info, 0, &zeroPivot, 1, &access, 1});
  }
};

long tilesDown(const Values &v, long nb) { return (v.m + nb - 1) / nb; }
long tilesAcross(const Values &v, long nb) { return (v.n + nb - 1) / nb; }
long two(const Values &, long) { return 2; }
long tileSize(const Values &, long nb) { return nb; }
long rowsW(const Values &v, long nb) { return 2 * tilesDown(v, nb); }
long colsW(const Values &v, long nb) { return nb * tilesAcross(v, nb); }
constexpr runtime::WorkspaceShape workspaceShape{tilesDown, tilesAcross, two, tileSize, rowsW, colsW};

template <typename T> void generateLu(Generator &, const Arguments &arguments) {
  const Elements<T> A(arguments, 0);
  for (int k = 0; k < std::min(A.m(), A.n()); ++k)
    eliminate(A, k);
}

template <typename T> void generateLdl(Generator &, const Arguments &arguments) {
  const Elements<T> A(arguments, 0);
  const auto conj = [](T value) { return host::conjugate(value); };
  for (int k = 0; k < A.n(); ++k) {
    for (int i = k + 1; i < A.m(); ++i)
      A(i, k) /= A(k, k);
    for (int j = k + 1; j < A.n(); ++j)
      for (int i = j; i < A.m(); ++i)
        A(i, j) -= A(i, k) * A(k, k) * conj(A(j, k));
  }
}

/// B = (I - factor v v^H) B for the reflector k below the diagonal of A.
template <typename T, typename Matrix>
void reflect(const Matrix &A, int k, T factor, const Matrix &B, int firstColumn) {
  for (int j = firstColumn; j < B.n(); ++j) {
    T sum = B(k, j);
    for (int i = k + 1; i < A.m(); ++i)
      sum += host::conjugate(A(i, k)) * B(i, j);
    sum *= factor;
    B(k, j) -= sum;
    for (int i = k + 1; i < A.m(); ++i)
      B(i, j) -= A(i, k) * sum;
  }
}
template <typename T> void generateQr(Generator &, const Arguments &arguments) {
  const Elements<T> A(arguments, 0), tau(arguments, 1);
  for (int k = 0; k < tau.m(); ++k) { // LAPACK's larfg
    double square = 0;
    for (int i = k; i < A.m(); ++i)
      square += std::norm(Complex(A(i, k)));
    const Complex alpha(A(k, k));
    const double beta = alpha.real() > 0 ? -std::sqrt(square) : std::sqrt(square);
    tau(k, 0) = host::fromComplex<T>((beta - alpha) / beta);
    for (int i = k + 1; i < A.m(); ++i)
      A(i, k) /= host::fromComplex<T>(alpha - beta);
    A(k, k) = host::fromComplex<T>(beta);
    reflect(A, k, host::conjugate(tau(k, 0)), A, k + 1);
  }
}

/// The tiles of a matrix among the accesses of a task, column by column, as one.
template <typename T> class TaskMatrix {
public:
  TaskMatrix(const runtime::TaskView &task, const Storage &shape, int firstAccess)
      : task_(task), shape_(shape), first_(firstAccess) {}
  int m() const { return shape_.m(); }
  int n() const { return shape_.n(); }
  T &operator()(int i, int j) const {
    const int row = i / shape_.mb(), column = j / shape_.nb();
    return task_.tile<T>(first_ + row + column * shape_.mt())(i % shape_.mb(), j % shape_.nb());
  }

private:
  const runtime::TaskView &task_;
  const Storage &shape_;
  const int first_;
};
int tilesOf(const Storage &storage) { return storage.mt() * storage.nt(); }

/// Applies all of Q in one task, which runs where B begins.
template <typename T> struct ApplyQ {
  static int run(const runtime::TaskView &task) {
    const auto &arguments = task.parameters<Arguments>();
    const Storage &a = *arguments.matrices[0], &t = *arguments.matrices[1], &b = *arguments.matrices[2];
    const TaskMatrix<T> B(task, b, 0), A(task, a, tilesOf(b)), tau(task, t, tilesOf(b) + tilesOf(a));
    const Op op = option<Op>(arguments, 0);
    for (int l = 0; l < tau.m(); ++l) {
      const int k = op == Op::NoTrans ? tau.m() - 1 - l : l;
      reflect(A, k, op == Op::NoTrans ? tau(k, 0) : host::conjugate(tau(k, 0)), B, 0);
    }
    return 0;
  }
  static void generate(Generator &generator, const Arguments &arguments) {
    static constexpr runtime::TaskClass taskClass{"applyQ", "dense_algorithms", run, nullptr};
    static thread_local Arguments parameters; // outlives the run
    parameters = arguments;
    generator.setParameters(&parameters);
    runtime::AccessList accesses;
    for (const auto &[matrix, name, access] :
         {std::tuple{2, "B", runtime::Access::ReadWrite}, std::tuple{0, "A", runtime::Access::Read},
          std::tuple{1, "tau", runtime::Access::Read}}) {
      Storage &storage = *arguments.matrices[matrix];
      runtime::TileTable &table = generator.matrix(storage, name);
      for (int j = 0; j < storage.nt(); ++j)
        for (int i = 0; i < storage.mt(); ++i)
          accesses.add(runtime::TileAccess{&table, i, j, access});
    }
    generator.append({taskClass, 0, nullptr, 0, accesses.data(), accesses.size()});
  }
};

template <typename T> void generateGesv(Generator &, const Arguments &arguments) {
  put<T>(arguments, 1, solve(get<T>(arguments, 0), get<T>(arguments, 1)));
  put<T>(arguments, 0, Dense(arguments.matrices[0]->m(), arguments.matrices[0]->n())); // a check must not look at it
}

template <typename T> void generateGels(Generator &, const Arguments &arguments) {
  const Dense F = apply(option<Op>(arguments, 0), get<T>(arguments, 0)), FH = apply(Op::ConjTrans, F);
  const Dense b = leadingRows(get<T>(arguments, 1), F.m);
  put<T>(arguments, 1, F.m >= F.n ? solve(multiply(FH, F), multiply(FH, b)) : multiply(FH, solve(multiply(F, FH), b)));
}

template <typename T, bool solving> void generateTriangular(Generator &, const Arguments &arguments) {
  const Dense triangular = triangle(option<Uplo>(arguments, 1), option<Diag>(arguments, 3), get<T>(arguments, 0));
  const Dense A = apply(option<Op>(arguments, 2), triangular), B = get<T>(arguments, 1);
  const auto transposed = [](const Dense &a) { return apply(Op::Trans, a); };
  const bool left = option<Side>(arguments, 0) == Side::Left;
  const Dense X = solving ? (left ? solve(A, B) : transposed(solve(transposed(A), transposed(B))))
                          : (left ? multiply(A, B) : multiply(B, A));
  put<T>(arguments, 1, combine(number(arguments, 4), X, 0, X));
}

template <typename T, Op op> void generateMirrored(Generator &, const Arguments &arguments) {
  const Dense A = mirrored(option<Uplo>(arguments, 1), op, get<T>(arguments, 0)), B = get<T>(arguments, 1);
  const Dense product = option<Side>(arguments, 0) == Side::Left ? multiply(A, B) : multiply(B, A);
  put<T>(arguments, 2, combine(number(arguments, 2), product, number(arguments, 3), get<T>(arguments, 2)));
}

template <typename T, Op op> void generateRankUpdate(Generator &, const Arguments &arguments) {
  const Dense A = apply(option<Op>(arguments, 1), get<T>(arguments, 0));
  const Dense C = combine(number(arguments, 2), multiply(A, apply(op, A)), number(arguments, 3), get<T>(arguments, 1));
  putTriangle<T>(arguments, 1, option<Uplo>(arguments, 0), C);
}

template <typename T> void generateTrtri(Generator &, const Arguments &arguments) {
  const Uplo uplo = option<Uplo>(arguments, 0);
  const Diag diag = option<Diag>(arguments, 1);
  const Dense A = get<T>(arguments, 0), inverse = solve(triangle(uplo, diag, A), identity(A.m));
  put<T>(arguments, 0, inverse,
         [&](int i, int j) { return i == j ? diag == Diag::NonUnit : (i > j) == (uplo == Uplo::Lower); });
}

template <typename T> void generateLauum(Generator &, const Arguments &arguments) {
  const Uplo uplo = option<Uplo>(arguments, 0);
  const Dense factor = triangle(uplo, Diag::NonUnit, get<T>(arguments, 0));
  putTriangle<T>(arguments, 0, uplo, squared(uplo == Uplo::Lower ? Uplo::Upper : Uplo::Lower, factor));
}

template <typename T> void generatePotri(Generator &, const Arguments &arguments) {
  const Uplo uplo = option<Uplo>(arguments, 0);
  const Dense factor = triangle(uplo, Diag::NonUnit, get<T>(arguments, 0));
  putTriangle<T>(arguments, 0, uplo, solve(squared(uplo, factor), identity(factor.m)));
}

template <typename T> void generateInverse(Generator &, const Arguments &arguments) {
  const Dense A = get<T>(arguments, 0);
  put<T>(arguments, 0, solve(A, identity(A.m)));
}

bool isLeft(const Values &v) { return v.scalars[0].integer == static_cast<int>(Side::Left); }
long orderOfSide(const Values &v) { return isLeft(v) ? v.n : v.k; }
bool isPlain(const Values &v, int scalar) { return v.scalars[scalar].integer == static_cast<int>(Op::NoTrans); }
long rowsOfUpdate(const Values &v) { return isPlain(v, 1) ? v.n : v.k; }
long colsOfUpdate(const Values &v) { return isPlain(v, 1) ? v.k : v.n; }
long larger(const Values &v) { return std::max(v.m, v.n); }

constexpr ScalarParameter sideScalar{"side", "Side", true, {static_cast<int>(Side::Left), 0, 0}};
constexpr ScalarParameter uploScalar{"uplo", "Uplo", true, {static_cast<int>(Uplo::Lower), 0, 0}};
constexpr ScalarParameter opScalar{"op", "Op", true, {static_cast<int>(Op::NoTrans), 0, 0}};
constexpr ScalarParameter diagScalar{"diag", "Diag", true, {static_cast<int>(Diag::NonUnit), 0, 0}};
constexpr ScalarParameter alphaScalar{"alpha", "T", true, {0, 1, 0}};
constexpr ScalarParameter betaScalar{"beta", "T", true, {0, 1, 0}};

/// A matrix that is written.
template <typename T>
constexpr MatrixParameter matrix(const char *name, long (*rows)(const Values &), long (*cols)(const Values &),
                                 const char *generator) {
  return {name, Shape::General, typeOf<T>, rows, cols, "", generator, nullptr, 0, true};
}

constexpr const char *argumentA[] = {"A"};
constexpr const char *argumentsAB[] = {"A", "B"};
constexpr const char *argumentsUploA[] = {"uplo", "A"};
} // namespace

template <typename T> const Algorithm &luWithPivots() {
  static constexpr MatrixParameter matrices[] = {
      {"A", Shape::General, typeOf<T>, sizeM, sizeN, "m x n", "random", nullptr, 0, true, true},
      {"ipiv", Shape::General, ElementType::I, smaller, one, "min(m, n) x 1", "", nullptr, 0, true},
      {"W", Shape::General, typeOf<T>, nullptr, nullptr, "", "", nullptr, 0, true, false, &workspaceShape}};
  static constexpr const char *arguments[] = {"A", "ipiv"};
  static const Algorithm algorithm = describe("lu", typeOf<T>, matrices, "plu", arguments, LuWithPivots<T>::generate);
  return algorithm;
}

template <typename T> const Algorithm &lu() {
  static constexpr MatrixParameter matrices[] = {matrix<T>("A", sizeM, sizeN, "dominant")};
  static const Algorithm algorithm = describe("lu", typeOf<T>, matrices, "lu", argumentA, generateLu<T>);
  return algorithm;
}

template <typename T> const Algorithm &ldl() {
  static constexpr MatrixParameter matrices[] = {
      {"A", Shape::Lower, typeOf<T>, sizeN, sizeN, "n x n", "spd", nullptr, 0, true}};
  static const Algorithm algorithm = describe("ldl", typeOf<T>, matrices, "ldl", argumentA, generateLdl<T>);
  return algorithm;
}

template <typename T> const Algorithm &qr() {
  static constexpr MatrixParameter matrices[] = {matrix<T>("A", sizeM, sizeN, "random"),
                                                 matrix<T>("tau", smaller, one, "zero")};
  static constexpr const char *arguments[] = {"A", "apply(tau)"};
  static const Algorithm algorithm = [] {
    Algorithm result = describe("qr", typeOf<T>, matrices, "qr", arguments, generateQr<T>);
    static constexpr int callMatrices[] = {0, 1, -1}, callScalars[] = {-1};
    result.checkCall = {ApplyQ<T>::generate, callMatrices, 3, callScalars, 1};
    return result;
  }();
  return algorithm;
}

template <typename T> const Algorithm &gesv() {
  static constexpr MatrixParameter matrices[] = {matrix<T>("A", sizeN, sizeN, "random"),
                                                 matrix<T>("B", sizeN, sizeK, "random")};
  static const Algorithm algorithm = describe("gesv", typeOf<T>, matrices, "solve", argumentsAB, generateGesv<T>);
  return algorithm;
}

template <typename T> const Algorithm &gels() {
  static constexpr MatrixParameter matrices[] = {matrix<T>("A", sizeM, sizeN, "random"),
                                                 matrix<T>("B", larger, sizeK, "random")};
  static constexpr ScalarParameter scalars[] = {opScalar};
  static constexpr const char *arguments[] = {"op", "A", "B"};
  static const Algorithm algorithm =
      describe("gels", typeOf<T>, matrices, scalars, "least_squares", arguments, generateGels<T>);
  return algorithm;
}

template <typename T> static Algorithm triangular(const char *name, void (*generate)(Generator &, const Arguments &)) {
  static constexpr MatrixParameter matrices[] = {matrix<T>("A", orderOfSide, orderOfSide, "dominant"),
                                                 matrix<T>("B", sizeN, sizeK, "random")};
  static constexpr ScalarParameter scalars[] = {sideScalar, uploScalar, opScalar, diagScalar, alphaScalar};
  static constexpr const char *arguments[] = {"side", "uplo", "op", "diag", "alpha", "A", "B"};
  return describe(name, typeOf<T>, matrices, scalars, name, arguments, generate);
}
template <typename T> const Algorithm &trsm() {
  static const Algorithm algorithm = triangular<T>("trsm", generateTriangular<T, true>);
  return algorithm;
}
template <typename T> const Algorithm &trmm() {
  static const Algorithm algorithm = triangular<T>("trmm", generateTriangular<T, false>);
  return algorithm;
}

template <typename T>
static Algorithm mirroredProduct(const char *name, void (*generate)(Generator &, const Arguments &)) {
  static constexpr MatrixParameter matrices[] = {matrix<T>("A", orderOfSide, orderOfSide, "random"),
                                                 matrix<T>("B", sizeN, sizeK, "random"),
                                                 matrix<T>("C", sizeN, sizeK, "random")};
  static constexpr ScalarParameter scalars[] = {sideScalar, uploScalar, alphaScalar, betaScalar};
  static constexpr const char *arguments[] = {"side", "uplo", "alpha", "A", "B", "beta", "C"};
  return describe(name, typeOf<T>, matrices, scalars, name, arguments, generate);
}
template <typename T> const Algorithm &symm() {
  static const Algorithm algorithm = mirroredProduct<T>("symm", generateMirrored<T, Op::Trans>);
  return algorithm;
}
template <typename T> const Algorithm &hemm() {
  static const Algorithm algorithm = mirroredProduct<T>("hemm", generateMirrored<T, Op::ConjTrans>);
  return algorithm;
}

template <typename T> static Algorithm rankUpdate(const char *name, void (*generate)(Generator &, const Arguments &)) {
  static constexpr MatrixParameter matrices[] = {matrix<T>("A", rowsOfUpdate, colsOfUpdate, "random"),
                                                 matrix<T>("C", sizeN, sizeN, "spd")};
  static constexpr ScalarParameter scalars[] = {uploScalar, opScalar, alphaScalar, betaScalar};
  static constexpr const char *arguments[] = {"uplo", "op", "alpha", "A", "beta", "C"};
  return describe(name, typeOf<T>, matrices, scalars, name, arguments, generate);
}
template <typename T> const Algorithm &syrk() {
  static const Algorithm algorithm = rankUpdate<T>("syrk", generateRankUpdate<T, Op::Trans>);
  return algorithm;
}
template <typename T> const Algorithm &herk() {
  static const Algorithm algorithm = rankUpdate<T>("herk", generateRankUpdate<T, Op::ConjTrans>);
  return algorithm;
}

template <typename T> const Algorithm &trtri() {
  static constexpr MatrixParameter matrices[] = {matrix<T>("A", sizeN, sizeN, "dominant")};
  static constexpr ScalarParameter scalars[] = {uploScalar, diagScalar};
  static constexpr const char *arguments[] = {"uplo", "diag", "A"};
  static const Algorithm algorithm =
      describe("trtri", typeOf<T>, matrices, scalars, "trtri", arguments, generateTrtri<T>);
  return algorithm;
}

/// An algorithm that works on a triangle of its only matrix, by that LAPACK name.
template <typename T, auto generate> static const Algorithm &onTriangle(const char *name, const char *input) {
  static const MatrixParameter matrices[] = {matrix<T>("A", sizeN, sizeN, input)};
  static constexpr ScalarParameter scalars[] = {uploScalar};
  static const Algorithm algorithm = describe(name, typeOf<T>, matrices, scalars, name, argumentsUploA, generate);
  return algorithm;
}
template <typename T> const Algorithm &lauum() { return onTriangle<T, &generateLauum<T>>("lauum", "random"); }
template <typename T> const Algorithm &potri() { return onTriangle<T, &generatePotri<T>>("potri", "dominant"); }

template <typename T> const Algorithm &inverse() {
  static constexpr MatrixParameter matrices[] = {matrix<T>("A", sizeN, sizeN, "random")};
  static const Algorithm algorithm = describe("inverse", typeOf<T>, matrices, "inverse", argumentA, generateInverse<T>);
  return algorithm;
}

#define TLA_INSTANTIATE(name)                                                                                          \
  template const Algorithm &name<float>();                                                                             \
  template const Algorithm &name<double>();                                                                            \
  template const Algorithm &name<std::complex<double>>();
TLA_INSTANTIATE(luWithPivots)
TLA_INSTANTIATE(lu)
TLA_INSTANTIATE(ldl)
TLA_INSTANTIATE(qr)
TLA_INSTANTIATE(gesv)
TLA_INSTANTIATE(gels)
TLA_INSTANTIATE(trsm)
TLA_INSTANTIATE(trmm)
TLA_INSTANTIATE(symm)
TLA_INSTANTIATE(hemm)
TLA_INSTANTIATE(syrk)
TLA_INSTANTIATE(herk)
TLA_INSTANTIATE(trtri)
TLA_INSTANTIATE(lauum)
TLA_INSTANTIATE(potri)
TLA_INSTANTIATE(inverse)
#undef TLA_INSTANTIATE

} // namespace tla::test
