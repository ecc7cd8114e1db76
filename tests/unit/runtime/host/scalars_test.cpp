#include "runtime/host/problem/scalars.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <gtest/gtest.h>

namespace tla::host {
namespace {
using test::usageError;

TEST(Scalars, DefaultsAndValues) {
  const auto algorithm = test::gemm<std::complex<double>>();
  const auto values = resolveScalars(algorithm, {{"opA", "ConjTrans"}, {"alpha", "1-2i"}});
  EXPECT_EQ(values[0].integer, static_cast<int>(Op::ConjTrans));
  EXPECT_EQ(values[1].integer, static_cast<int>(Op::NoTrans));
  EXPECT_EQ(values[2].real, 1);
  EXPECT_EQ(values[2].imag, -2);
  EXPECT_EQ(values[3].real, 1);
}

TEST(Scalars, NamesWhatIsWrong) {
  const auto algorithm = test::gemm<double>();
  const auto error = [&](const char *name, const char *value) {
    return usageError([&] { resolveScalars(algorithm, {{name, value}}); });
  };
  EXPECT_EQ(error("alhpa", "1"),
            "--set: gemm has no scalar parameter 'alhpa'; it has opA, opB, alpha or beta; did you mean 'alpha'?");
  EXPECT_EQ(error("alpha", "x"), "--set alpha=x: 'x' is not a number");
  EXPECT_EQ(error("alpha", "nan"), "--set alpha=nan: alpha must be a finite double");
  EXPECT_EQ(error("beta", "-inf"), "--set beta=-inf: beta must be a finite double");
  EXPECT_EQ(usageError([] {
              resolveScalars(test::gemm<float>(), {{"alpha", "1e39"}});
            }),
            "--set alpha=1e39: alpha must be a finite float");
  EXPECT_EQ(error("alpha", "1+2i"), "--set alpha=1+2i: alpha must be real");
  EXPECT_EQ(error("opA", "NoTran"),
            "--set opA=NoTran: opA must be NoTrans, Trans or ConjTrans; did you mean 'NoTrans'?");
}

TEST(Scalars, AValueMustComeFromSomewhere) {
  auto algorithm = test::gemm<double>();
  runtime::ScalarParameter count{"steps", "int", false, {}};
  algorithm.scalars = &count;
  algorithm.scalarCount = 1;
  EXPECT_EQ(usageError([&] { resolveScalars(algorithm, {}); }),
            "gemm needs a value for steps: --set steps=VALUE (int)");
  EXPECT_EQ(usageError([&] {
              resolveScalars(algorithm, {{"steps", "1.5"}});
            }),
            "--set steps=1.5: steps must be an integer");
  EXPECT_EQ(usageError([&] {
              resolveScalars(algorithm, {{"steps", "2147483648"}});
            }),
            "--set steps=2147483648: steps must be between -2147483648 and 2147483647");
  EXPECT_EQ(resolveScalars(algorithm, {{"steps", "-3"}})[0].integer, -3);
}

TEST(Scalars, TuningParametersArePositive) {
  auto algorithm = test::gemm<double>();
  const int candidates[] = {32, 64};
  runtime::ScalarParameter block{"ib", "int", true, {32, 0, 0}, candidates, 2};
  algorithm.scalars = &block;
  algorithm.scalarCount = 1;
  EXPECT_EQ(usageError([&] { resolveScalars(algorithm, {{"ib", "0"}}); }), "--set ib=0: ib must be positive");
  EXPECT_EQ(resolveScalars(algorithm, {{"ib", "1"}})[0].integer, 1);
}
} // namespace
} // namespace tla::host
