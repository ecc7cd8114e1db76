// What is known of standard kernels and halves of tiles, against all bodies of the host: each call runs on tiles in
// which what is outside the half is poisoned.
#include "compiler/codegen/halves.hpp"
#include "compiler/support/paths.hpp"

#include <tla/generated/guarded.hpp>
#include <tla/kernels/table.hpp>

#include <gtest/gtest.h>

#include <complex>
#include <stdexcept>
#include <vector>

using namespace tla;
using hetc::codegen::GivenHalf;
namespace ir = hetc::ir;

namespace {

constexpr int n = 6, ib = 2;

/// A square tile that is well conditioned, Hermitian, and has no zeros.
template <typename T> struct Square {
  Square() : elements(n * n) {
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        elements[i + j * n] = i == j ? T(20 + i) : T(1.0 / (1 + i + j));
  }
  Tile<T> tile() { return {elements.data(), n, n, n}; }
  std::vector<T> elements;
};

/// The half of a tile under test, and whole tiles beside it.
template <typename T> class Call {
public:
  explicit Call(Region region) : region_(region) {}

  bool leaves(const char *kernel, const char *parameter, Uplo uplo, Diag diag) {
    try {
      run(std::string(kernel) + " " + parameter, uplo, diag);
      return false;
    } catch (const std::runtime_error &) {
      return true;
    }
  }

private:
  using Guarded = runtime::GuardedTile<T>;

  template <typename Kernel> void attempt(const Kernel &kernel) {
    const Tile<T> a = A_.tile(), part = region_ == Region::Lower ? a.lower() : a.upper();
    runtime::requireInsideParts(kernel, Guarded(a, part, &part_), Guarded(B_.tile(), B_.tile(), nullptr),
                                Guarded(C_.tile(), C_.tile(), nullptr), Guarded(D_.tile(), D_.tile(), nullptr));
  }

  void run(const std::string &call, Uplo uplo, Diag diag) {
    const auto is = [&](const char *text) { return call == text; };
    const auto all = [](const auto &kernel) {
      return [kernel](Tile<T> A, Tile<T> B, Tile<T> C, Tile<T> D) {
        kernel(A, B, C, D);
        return 0;
      };
    };
    const auto act = [&](const auto &kernel) { attempt(all(kernel)); };
    using X = Tile<T>;
    const Side side = Side::Left;
    const Op no = Op::NoTrans, conj = Op::ConjTrans;
    if (is("laset A"))
      act([](X A, X, X, X) { laset<T>(T(2), T(3), A); });
    else if (is("copyUnitLower A"))
      act([](X A, X B, X, X) { copyUnitLower<T>(A, B); });
    else if (is("unmqr V"))
      act([&](X A, X B, X C, X) { unmqr<T>(conj, ib, A, B, C); });
    else if (is("tsqrt R"))
      act([](X A, X B, X C, X) { tsqrt<T>(ib, A, B, C); });
    else if (is("ttqrt R"))
      act([](X A, X B, X C, X) { ttqrt<T>(ib, A, B, C); });
    else if (is("ttqrt R2"))
      act([](X A, X B, X C, X) { ttqrt<T>(ib, B, A, C); });
    else if (is("ttmqr V"))
      act([&](X A, X B, X C, X D) { ttmqr<T>(conj, ib, B, C, A, D); });
    else if (is("trsm A"))
      act([&](X A, X B, X, X) { trsm<T>(side, uplo, no, diag, T(1), A, B); });
    else if (is("trmm A"))
      act([&](X A, X B, X, X) { trmm<T>(side, uplo, conj, diag, T(1), A, B); });
    else if (is("trtri A"))
      attempt([&](X A, X, X, X) { return trtri<T>(uplo, diag, A); });
    else if (is("potrf A"))
      attempt([&](X A, X, X, X) { return potrf<T>(uplo, A); });
    else if (is("lauum A"))
      act([&](X A, X, X, X) { lauum<T>(uplo, A); });
    else if (is("lascl A"))
      act([&](X A, X, X, X) { lascl<T>(uplo, T(2), A); });
    else if (is("symm A"))
      act([&](X A, X B, X C, X) { symm<T>(side, uplo, T(1), A, B, T(0), C); });
    else if (is("hemm A"))
      act([&](X A, X B, X C, X) { hemm<T>(side, uplo, T(1), A, B, T(1), C); });
    else if (is("gemmt C"))
      act([&](X A, X B, X C, X) { gemmt<T>(uplo, no, no, T(1), B, C, T(2), A); });
    else if (is("syrk C"))
      act([&](X A, X B, X, X) { syrk<T>(uplo, no, T(1), B, T(2), A); });
    else if (is("herk C"))
      act([&](X A, X B, X, X) { herk<T>(uplo, conj, 1, B, 2, A); });
    else if (is("tradd A"))
      act([&](X A, X B, X, X) { tradd<T>(uplo, T(2), A, T(1), B); });
    else if (is("tradd B"))
      act([&](X A, X B, X, X) { tradd<T>(uplo, T(2), B, T(1), A); });
    else if (is("requireNonsingular R"))
      attempt([&](X A, X, X, X) { return requireNonsingular<T>(A); });
    else if (is("gemm A"))
      act([&](X A, X B, X C, X) { gemm<T>(no, no, T(1), A, B, T(0), C); });
    else if (is("geadd A"))
      act([&](X A, X B, X, X) { geadd<T>(T(1), A, T(1), B); });
    else if (is("hetrf_nopiv A"))
      attempt([&](X A, X, X, X) { return hetrf_nopiv<T>(A); });
    else
      FAIL() << call;
  }

  static constexpr runtime::GuardedPart part_ = {"A", "A(0, 0)"};
  const Region region_;
  Square<T> A_, B_, C_, D_;
};

constexpr std::pair<const char *, const char *> calls[] = {
    {"laset", "A"}, {"copyUnitLower", "A"}, {"unmqr", "V"},
    {"tsqrt", "R"}, {"ttqrt", "R"},         {"ttqrt", "R2"},
    {"ttmqr", "V"}, {"trsm", "A"},          {"trmm", "A"},
    {"trtri", "A"}, {"potrf", "A"},         {"lauum", "A"},
    {"lascl", "A"}, {"symm", "A"},          {"hemm", "A"},
    {"gemmt", "C"}, {"syrk", "C"},          {"herk", "C"},
    {"tradd", "A"}, {"tradd", "B"},         {"requireNonsingular", "R"},
    {"gemm", "A"},  {"geadd", "A"},         {"hetrf_nopiv", "A"}};

/// Whether the call leaves its half, as the compiler says.
bool leavesBySaid(const std::string &name, const std::string &parameter, Uplo uplo, Diag diag, Region region) {
  ir::Kernel kernel;
  kernel.name = "tla::" + name;
  kernel.location.file = hetc::support::headerDirs().front() + "/tla/kernels/some.hpp";
  kernel.parameters.resize(3);
  kernel.parameters[0].name = "uplo";
  kernel.parameters[1].name = "diag";
  kernel.parameters[2].name = parameter;
  kernel.parameters[2].isTile = true;
  ir::Task task;
  ir::TileAccess tile;
  tile.matrix = "A";
  tile.row = tile.column = ir::makeInt(0);
  tile.region = region == Region::Lower ? ir::Region::Lower : ir::Region::Upper;
  task.arguments = {ir::makeEnum(uplo == Uplo::Lower ? "Lower" : "Upper", static_cast<int>(uplo)),
                    ir::makeEnum(diag == Diag::Unit ? "Unit" : "NonUnit", static_cast<int>(diag)), tile};
  const auto halves = hetc::codegen::givenHalves(kernel, task);
  EXPECT_EQ(halves.size(), 1u);
  const GivenHalf::Verdict verdict = halves.at(0).verdict(kernel, task);
  EXPECT_NE(verdict, GivenHalf::Verdict::Open);
  return verdict == GivenHalf::Verdict::Leaves;
}

template <typename T> void compare(const std::string &bodies) {
  for (const auto &[kernel, parameter] : calls)
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper})
      for (const Diag diag : {Diag::Unit, Diag::NonUnit})
        for (const Region region : {Region::Lower, Region::Upper}) {
          const bool said = leavesBySaid(kernel, parameter, uplo, diag, region);
          if (said && kernel == std::string("requireNonsingular"))
            continue; // which only compares with zero: a trial does not show what it reads
          EXPECT_EQ(Call<T>(region).leaves(kernel, parameter, uplo, diag), said)
              << bodies << " " << kernel << " " << parameter << (uplo == Uplo::Lower ? " Lower" : " Upper")
              << (diag == Diag::Unit ? " Unit" : " NonUnit") << (region == Region::Lower ? " lower()" : " upper()");
        }
}

TEST(Halves, StandardKernelsStayWhereTheyAreSaidTo) {
  hetc::support::setExecutable("", reinterpret_cast<void *>(&leavesBySaid)); // for what a standard kernel is
  for (const char *const preference : {"reference", "auto"}) {               // what there is, with "auto"
    const std::string bodies = kernels::installKernels(preference).backEnd;
    compare<double>(bodies);
    compare<std::complex<float>>(bodies);
  }
}

} // namespace
