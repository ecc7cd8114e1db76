#include "tests/unit/runtime/host/test_algorithms.hpp"

#include "runtime/host/base/element_type.hpp"
#include "tests/unit/runtime/host/describe.hpp"

#include <tla/generated/run_program.hpp>
#include <tla/tla.hpp>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace tla::test {
namespace {
using runtime::Access;
using runtime::Arguments;
using runtime::ElementType;
using runtime::Generator;
using runtime::MatrixParameter;
using runtime::TaskClass;
using runtime::TaskView;
using runtime::TileAccess;
using runtime::TileTable;
using runtime::Values;

long sizeM(const Values &v) { return v.m; }
long sizeN(const Values &v) { return v.n; }
long sizeK(const Values &v) { return v.k; }

void append(Generator &g, const TaskClass &taskClass, std::initializer_list<TileAccess> accesses) {
  g.append({taskClass, 0, nullptr, 0, accesses.begin(), static_cast<int>(accesses.size())});
}

template <typename T> struct CholeskyTasks {
  static int potrf(const TaskView &t) { return tla::potrf(Uplo::Lower, t.tile<T>(0)); }
  static int trsm(const TaskView &t) {
    tla::trsm(Side::Right, Uplo::Lower, Op::ConjTrans, Diag::NonUnit, T(1), ConstTile<T>(t.tile<T>(0)), t.tile<T>(1));
    return 0;
  }
  static int herk(const TaskView &t) {
    tla::herk(Uplo::Lower, Op::NoTrans, RealType<T>(-1), ConstTile<T>(t.tile<T>(0)), RealType<T>(1), t.tile<T>(1));
    return 0;
  }
  static int gemm(const TaskView &t) {
    tla::gemm(Op::NoTrans, Op::ConjTrans, T(-1), ConstTile<T>(t.tile<T>(0)), ConstTile<T>(t.tile<T>(1)), T(1),
              t.tile<T>(2));
    return 0;
  }
  static double flops(const TaskView &) { return 1000; }
  static constexpr TaskClass classes[4] = {{"potrf", "cholesky.tla:9", potrf, flops, 0, false},
                                           {"trsm", "cholesky.tla:12", trsm, flops, 1, false},
                                           {"herk", "cholesky.tla:16", herk, flops, 1, false},
                                           {"gemm", "cholesky.tla:19", gemm, flops, 2, false}};

  static void generate(Generator &g, const Arguments &arguments) {
    TileTable *const A = &g.matrix(*arguments.matrices[0], "A");
    const int nt = arguments.matrices[0]->nt();
    for (int k = 0; k < nt; ++k) {
      append(g, classes[0], {{A, k, k, Access::ReadWrite}});
      for (int i = k + 1; i < nt; ++i)
        append(g, classes[1], {{A, k, k, Access::Read}, {A, i, k, Access::ReadWrite}});
      for (int j = k + 1; j < nt; ++j) {
        append(g, classes[2], {{A, j, k, Access::Read}, {A, j, j, Access::ReadWrite}});
        for (int i = j + 1; i < nt; ++i)
          append(g, classes[3], {{A, i, k, Access::Read}, {A, j, k, Access::Read}, {A, i, j, Access::ReadWrite}});
      }
    }
  }

  static void serial(const Arguments &arguments) {
    LowerMatrix<T> A(*arguments.matrices[0]);
    for (int k = 0; k < A.nt(); ++k) {
      tla::potrf(Uplo::Lower, A(k, k));
      for (int i = k + 1; i < A.mt(); ++i)
        tla::trsm(Side::Right, Uplo::Lower, Op::ConjTrans, Diag::NonUnit, T(1), ConstTile<T>(A(k, k)), A(i, k));
      for (int j = k + 1; j < A.nt(); ++j)
        for (int i = j; i < A.mt(); ++i)
          tla::gemm(Op::NoTrans, Op::ConjTrans, T(-1), ConstTile<T>(A(i, k)), ConstTile<T>(A(j, k)), T(1), A(i, j));
    }
  }
};

/// Cholesky by slice columns: the rows of column slice J in its tile column's tiles begin with the square that factors
/// it, at row sliceOffset(J) of the diagonal tile.
template <typename T> struct SlicedCholeskyTasks {
  /// The slice's rows from its own square down.
  static Tile<T> below(const Tile<T> &slice, int begin) { return slice.rows(begin, slice.m() - begin); }
  static int panel(const TaskView &t) {
    const Tile<T> rows = below(t.tile<T>(0), t.index(0));
    const Tile<T> square = rows.rows(0, rows.n());
    if (const int info = tla::potrf(Uplo::Lower, square))
      return info;
    const Tile<T> rest = below(rows, rows.n());
    tla::trsm(Side::Right, Uplo::Lower, Op::ConjTrans, Diag::NonUnit, T(1), ConstTile<T>(square), rest);
    return 0;
  }
  static int solve(const TaskView &t) {
    const Tile<T> factor = t.tile<T>(0), slice = t.tile<T>(1);
    tla::trsm(Side::Right, Uplo::Lower, Op::ConjTrans, Diag::NonUnit, T(1),
              ConstTile<T>(factor.rows(t.index(0), factor.n())), slice);
    return 0;
  }
  /// C -= A B^H, B the rows of the diagonal tile's row that belong to slice C; of the diagonal tile itself A and C are
  /// the rows from there down.
  static int update(const TaskView &t) {
    const int begin = t.index(0), first = t.index(1) ? begin : 0;
    const Tile<T> C = below(t.tile<T>(2), first);
    tla::gemm(Op::NoTrans, Op::ConjTrans, T(-1), ConstTile<T>(below(t.tile<T>(0), first)),
              ConstTile<T>(t.tile<T>(1).rows(begin, C.n())), T(1), C);
    return 0;
  }
  static constexpr TaskClass classes[3] = {{"potrf", "cholesky.tla:9", panel, CholeskyTasks<T>::flops, 0, false},
                                           {"trsm", "cholesky.tla:12", solve, CholeskyTasks<T>::flops, 1, false},
                                           {"gemm", "cholesky.tla:19", update, CholeskyTasks<T>::flops, 2, false}};

  static void generate(Generator &g, const Arguments &arguments) {
    const Storage &storage = *arguments.matrices[0];
    TileTable *const A = &g.matrix(*arguments.matrices[0], "A");
    const auto add = [&](const TaskClass &taskClass, std::initializer_list<int> indices,
                         std::initializer_list<TileAccess> accesses) {
      g.append({taskClass, 0, indices.begin(), static_cast<int>(indices.size()), accesses.begin(),
                static_cast<int>(accesses.size())});
    };
    for (int K = 0; K < storage.ns(); ++K) {
      const int k = storage.tileColumn(K), begin = storage.sliceOffset(K);
      add(classes[0], {begin}, {{A, k, K, Access::ReadWrite}});
      for (int i = k + 1; i < storage.mt(); ++i)
        add(classes[1], {begin}, {{A, k, K, Access::Read}, {A, i, K, Access::ReadWrite}});
      for (int J = K + 1; J < storage.ns(); ++J)
        for (int j = storage.tileColumn(J), i = j; i < storage.mt(); ++i)
          add(classes[2], {storage.sliceOffset(J), i == j},
              {{A, i, K, Access::Read}, {A, j, K, Access::Read}, {A, i, J, Access::ReadWrite}});
    }
  }
};

/// Whole-matrix work as a single task, for algorithms whose tiling is not under test: tiles must cover the matrix.
template <typename T> struct OneTile {
  static int upper(const TaskView &t) { return tla::potrf(Uplo::Upper, t.tile<T>(0)); }
  static int solve(const TaskView &t) {
    if (const int info = tla::potrf(Uplo::Lower, t.tile<T>(0)))
      return info;
    return factorSolve(t);
  }
  static int factorSolve(const TaskView &t) {
    for (const Op op : {Op::NoTrans, Op::ConjTrans})
      tla::trsm(Side::Left, Uplo::Lower, op, Diag::NonUnit, T(1), ConstTile<T>(t.tile<T>(0)), t.tile<T>(1));
    return 0;
  }
  static constexpr TaskClass upperClass{"potrf", "upper.tla:5", upper, nullptr, 0, false};
  static constexpr TaskClass solveClass{"posv", "posv.tla:5", solve, nullptr, 1, false};
  static constexpr TaskClass factorClass{"potrs", "potrs.tla:5", factorSolve, nullptr, 1, false};

  static void generateUpper(Generator &g, const Arguments &a) {
    append(g, upperClass, {{&g.matrix(*a.matrices[0], "A"), 0, 0, Access::ReadWrite}});
  }
  static void pair(Generator &g, const Arguments &a, const TaskClass &taskClass, Access first) {
    TileTable *const A = &g.matrix(*a.matrices[0], "A"), *const B = &g.matrix(*a.matrices[1], "B");
    append(g, taskClass, {{A, 0, 0, first}, {B, 0, 0, Access::ReadWrite}});
  }
  static void generateSolve(Generator &g, const Arguments &a) { pair(g, a, solveClass, Access::ReadWrite); }
  static void generateFactor(Generator &g, const Arguments &a) { pair(g, a, factorClass, Access::Read); }
};

template <typename T> struct GemmTasks {
  struct Parameters {
    Op opA, opB;
    T alpha, beta;
  };
  static int run(const TaskView &t) {
    const Parameters &p = t.parameters<Parameters>();
    tla::gemm(p.opA, p.opB, p.alpha, ConstTile<T>(t.tile<T>(0)), ConstTile<T>(t.tile<T>(1)), t.index(0) ? T(1) : p.beta,
              t.tile<T>(2));
    return 0;
  }
  static double flops(const TaskView &t) {
    const Parameters &p = t.parameters<Parameters>();
    const ConstTile<T> A = t.tile<T>(0), C = t.tile<T>(2);
    return 2.0 * C.m() * C.n() * (p.opA == Op::NoTrans ? A.n() : A.m());
  }
  static constexpr TaskClass taskClass{"gemm", "gemm.tla:12", run, flops, 2, false};

  static void generate(Generator &g, const Arguments &a) {
    TileTable *const A = &g.matrix(*a.matrices[0], "A"), *const B = &g.matrix(*a.matrices[1], "B"),
                     *const C = &g.matrix(*a.matrices[2], "C");
    static thread_local Parameters p; // outlives the run
    p = {static_cast<Op>(a.scalars[0].integer), static_cast<Op>(a.scalars[1].integer),
         host::fromComplex<T>({a.scalars[2].real, a.scalars[2].imag}),
         host::fromComplex<T>({a.scalars[3].real, a.scalars[3].imag})};
    g.setParameters(&p);
    const Storage &storageA = *a.matrices[0], &storageC = *a.matrices[2];
    const int depth = p.opA == Op::NoTrans ? storageA.nt() : storageA.mt();
    for (int i = 0; i < storageC.mt(); ++i)
      for (int j = 0; j < storageC.nt(); ++j)
        for (int l = 0; l < depth; ++l) {
          const bool plainA = p.opA == Op::NoTrans, plainB = p.opB == Op::NoTrans;
          const TileAccess accesses[] = {{A, plainA ? i : l, plainA ? l : i, Access::Read},
                                         {B, plainB ? l : j, plainB ? j : l, Access::Read},
                                         {C, i, j, Access::ReadWrite}};
          g.append({taskClass, 0, &l, 1, accesses, 3});
        }
  }
  static bool plain(const Values &v, int scalar) { return v.scalars[scalar].integer == static_cast<int>(Op::NoTrans); }
  static long rowsA(const Values &v) { return plain(v, 0) ? v.m : v.k; }
  static long colsA(const Values &v) { return plain(v, 0) ? v.k : v.m; }
  static long rowsB(const Values &v) { return plain(v, 1) ? v.k : v.n; }
  static long colsB(const Values &v) { return plain(v, 1) ? v.n : v.k; }
};

int throwing(const TaskView &) { throw std::runtime_error("the disk is on fire"); }
std::atomic<int> sleeperHasBegun; // a file descriptor
int sleeping(const TaskView &) {
  if (const int file = sleeperHasBegun.exchange(-1); file >= 0 && ::write(file, "", 1) != 1)
    throw std::runtime_error("nobody to tell");
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  return 0;
}
constexpr TaskClass throwingClass{"burn", "faulty.tla:7", throwing, nullptr, 0, false};
constexpr TaskClass sleepingClass{"nap", "sleeper.tla:3", sleeping, nullptr, 0, false};

void generateFault(Generator &g, const Arguments &a) {
  append(g, throwingClass, {{&g.matrix(*a.matrices[0], "A"), 1, 0, Access::ReadWrite}});
}
void generateNaps(Generator &g, const Arguments &a) {
  TileTable *const A = &g.matrix(*a.matrices[0], "A");
  for (int i = 0; i < 200'000 && !g.stopped(); ++i)
    append(g, sleepingClass, {{A, 0, 0, Access::ReadWrite}});
}

constexpr const char *argumentA[] = {"A"};
constexpr const char *argumentsAB[] = {"A", "B"};
constexpr const char *argumentsLB[] = {"L", "B"};
constexpr const char *argumentsGemm[] = {"opA", "opB", "alpha", "A", "B", "beta", "C"};
} // namespace

template <typename T> runtime::Algorithm cholesky() {
  static constexpr MatrixParameter matrices[] = {
      {"A", Shape::Lower, typeOf<T>, sizeN, sizeN, "n x n", "spd", nullptr, 0, true}};
  return {"cholesky",
          "algorithms/cholesky.tla",
          typeOf<T>,
          matrices,
          1,
          nullptr,
          0,
          "n",
          {},
          "llt",
          argumentA,
          1,
          nullptr,
          CholeskyTasks<T>::generate,
          CholeskyTasks<T>::serial};
}

template <typename T> runtime::Algorithm slicedCholesky(int slices) {
  static constexpr MatrixParameter matrices[] = {
      {"A", Shape::Lower, typeOf<T>, sizeN, sizeN, "n x n", "spd", nullptr, 0, true, false, nullptr, true}};
  runtime::Algorithm algorithm = cholesky<T>();
  algorithm.matrices = matrices;
  algorithm.generate = SlicedCholeskyTasks<T>::generate;
  algorithm.mapping = {runtime::Mapping::Kind::Slices, slices};
  return algorithm;
}

runtime::Algorithm upperCholesky() {
  static constexpr MatrixParameter matrices[] = {
      {"A", Shape::Upper, ElementType::Z, sizeN, sizeN, "n x n", "spd", nullptr, 0, true}};
  return {"upper", "upper.tla", ElementType::Z, matrices,  1, nullptr, 0,
          "n",     {},          "llt",          argumentA, 1, nullptr, OneTile<std::complex<double>>::generateUpper,
          nullptr};
}

template <typename T> runtime::Algorithm posv() {
  static constexpr MatrixParameter matrices[] = {
      {"A", Shape::Lower, typeOf<T>, sizeN, sizeN, "n x n", "spd", nullptr, 0, true},
      {"B", Shape::General, typeOf<T>, sizeN, sizeK, "n x k", "random", nullptr, 0, true}};
  return {"posv", "posv.tla",         typeOf<T>, matrices,    2, nullptr, 0,
          "nk",   {0, 0, 1, nullptr}, "solve",   argumentsAB, 2, nullptr, OneTile<T>::generateSolve,
          nullptr};
}

template <typename T> runtime::Algorithm potrs() {
  static constexpr MatrixParameter matrices[] = {
      {"L", Shape::Lower, typeOf<T>, sizeN, sizeN, "n x n", "lower", nullptr, 0, false},
      {"B", Shape::General, typeOf<T>, sizeN, sizeK, "n x k", "random", nullptr, 0, true}};
  return {"potrs", "potrs.tla",        typeOf<T>, matrices,    2, nullptr, 0,
          "nk",    {0, 0, 1, nullptr}, "potrs",   argumentsLB, 2, nullptr, OneTile<T>::generateFactor,
          nullptr};
}

template <typename T> runtime::Algorithm gemm() {
  using Tasks = GemmTasks<T>;
  static constexpr MatrixParameter matrices[] = {
      {"A", Shape::General, typeOf<T>, Tasks::rowsA, Tasks::colsA, "op(A) is m x k", "random", nullptr, 0, false},
      {"B", Shape::General, typeOf<T>, Tasks::rowsB, Tasks::colsB, "op(B) is k x n", "random", nullptr, 0, false},
      {"C", Shape::General, typeOf<T>, sizeM, sizeN, "m x n", "random", nullptr, 0, true}};
  static constexpr runtime::ScalarValue noTrans{111, 0, 0}, one{0, 1, 0};
  static constexpr runtime::ScalarParameter scalars[] = {
      {"opA", "Op", true, noTrans}, {"opB", "Op", true, noTrans}, {"alpha", "T", true, one}, {"beta", "T", true, one}};
  return {"gemm", "gemm.tla", typeOf<T>,     matrices, 3,       scalars,         4,      "mnk",
          {},     "gemm",     argumentsGemm, 7,        nullptr, Tasks::generate, nullptr};
}

runtime::Algorithm faulty() {
  runtime::Algorithm algorithm = cholesky<double>();
  algorithm.name = "faulty";
  algorithm.generate = generateFault;
  return algorithm;
}

runtime::Algorithm sleeper(int begun) {
  sleeperHasBegun = begun;
  runtime::Algorithm algorithm = cholesky<double>();
  algorithm.name = "sleeper";
  algorithm.generate = generateNaps;
  return algorithm;
}

template runtime::Algorithm cholesky<float>();
template runtime::Algorithm cholesky<double>();
template runtime::Algorithm cholesky<std::complex<double>>();
template runtime::Algorithm slicedCholesky<double>(int);
template runtime::Algorithm slicedCholesky<std::complex<double>>(int);
template runtime::Algorithm posv<double>();
template runtime::Algorithm posv<std::complex<float>>();
template runtime::Algorithm potrs<double>();
template runtime::Algorithm potrs<std::complex<double>>();
template runtime::Algorithm gemm<double>();
template runtime::Algorithm gemm<float>();
template runtime::Algorithm gemm<std::complex<double>>();

} // namespace tla::test
