// Compiled nests against the interpreter.
#include "compiler/codegen/load.hpp"
#include "compiler/support/paths.hpp"
#include "kernels/tuning/emit.hpp"
#include "kernels/tuning/enumerate.hpp"
#include "tests/unit/kernels/tuning/naive.hpp"
#include "tests/unit/kernels/tuning/random_space.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

using namespace hetc;
using namespace hetc::tuning;

namespace {

void anchor() {}

class CompiledNest : public testing::Test {
protected:
  static void SetUpTestSuite() { support::setExecutable("", reinterpret_cast<void *>(&anchor)); }

  static std::variant<Enumeration, Diagnostic> run(const Plan &plan, int workers) {
    const auto code = codegen::LoadedCode::compile(emitNest(plan), "nest.cpp");
    if (!code)
      return Diagnostic{{}, "not compiled", {}};
    const auto nest = code.find<void(tla::tuning::Run *)>(nestSymbol);
    return enumerate(plan, [&](tla::tuning::Run &run) { nest(&run); }, {workers, /*collectPoints=*/true});
  }
};

void expectEqual(const std::variant<Enumeration, Diagnostic> &a, const std::variant<Enumeration, Diagnostic> &b) {
  ASSERT_EQ(a.index(), b.index());
  if (const auto *diagnostic = std::get_if<Diagnostic>(&a)) {
    EXPECT_EQ(diagnostic->message, std::get<Diagnostic>(b).message);
    return;
  }
  const Enumeration &x = std::get<Enumeration>(a), &y = std::get<Enumeration>(b);
  EXPECT_EQ(x.raw, y.raw);
  EXPECT_EQ(x.visited, y.visited);
  EXPECT_EQ(x.last, y.last);
  EXPECT_EQ(x.points, y.points);
  for (std::size_t row = 0; row < x.funnel.size(); ++row) {
    EXPECT_EQ(x.funnel[row].tests, y.funnel[row].tests) << row;
    EXPECT_EQ(x.funnel[row].removed, y.funnel[row].removed) << row;
  }
}

} // namespace

TEST_F(CompiledNest, EveryOperatorAndRange) {
  const Plan plan = planOf(
      "kernel gemm\nparam class = 5 // a word of C++\niter register from -2 to class step 2\niter run in -1, 2, 3\n"
      "iter at_0 from max(1, run) step gcd(4, register + 10)\niter k from register to register + 3\n"
      "let first_1 = (register < 2) + (run <= 2) * 2 + (k > 1) * 4 + (k >= 2) * 8\n"
      "let d = first_1 * (run == 3 ? -1 : 7) - -k + 9 % max(1, k) + min(k, 3, run) / (!k + 1)\n"
      "hard end: at_0 * 3 + max(k, 0) <= 40\nsoft a: d % 5 != 0 || at_0 == 4\ncorrectness b: !(k == 2) && 1\n"
      "hard c: class > 1");
  const auto outcome = run(plan, 2);
  EXPECT_GT(std::get<Enumeration>(outcome).left, 0);
  expectEqual(outcome, enumerate(plan, interpretNest(plan), {1, true}));
}

TEST_F(CompiledNest, Failures) {
  for (const char *text : {"iter i from 1 to 9 iter j from 0 to 9\nhard a: 5 / (i - 3 + j) < 100",
                           "iter i from 1 to 9 iter j from 0 to 9 step 3 - i",
                           "iter i from 4611686018427387904 to 4611686018427387905\nhard a: i * 2 > 0"}) {
    const Plan plan = planOf(std::string("kernel gemm\n") + text);
    const auto outcome = run(plan, 3);
    ASSERT_TRUE(std::holds_alternative<Diagnostic>(outcome));
    expectEqual(outcome, enumerate(plan, interpretNest(plan), {1, true}));
  }
}

TEST_F(CompiledNest, RandomSpaces) {
  std::mt19937 random(42);
  for (int compared = 0; compared < 12;) {
    const std::string text = randomSpace(random);
    auto made = plan(spaceOf(text));
    if (std::holds_alternative<Diagnostic>(made))
      continue;
    SCOPED_TRACE(text);
    const Plan &plan = std::get<Plan>(made);
    expectEqual(run(plan, 1 + compared % 3), enumerate(plan, interpretNest(plan), {1, true}));
    ++compared;
  }
}

TEST_F(CompiledNest, TheSpaceOfThePaper) {
  std::ifstream in(HETC_SPACES "/beast_k40c.space");
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  const Plan plan = planOf(text);
  const auto result = std::get<Enumeration>(run(plan, 2));
  EXPECT_EQ(result.left, 14767); // [Dongarra14] section 3
  EXPECT_EQ(result.last, (std::vector<std::int64_t>{tla::tuning::unknownLast, tla::tuning::unknownLast, 720, 672, 88}));
  double blocksM = 0, blocksN = 0; // Figure 7's loops without constraints
  for (int dim = 1; dim <= 1024; ++dim) {
    blocksM += 720 / dim;
    blocksN += 672 / dim;
  }
  EXPECT_EQ(result.raw, blocksM * blocksN * 88);
  EXPECT_EQ(result.funnel.back().left, 14767);
  // The fastest of them: tiles of 96 x 64 x 12, 16 x 8 threads, 32 x 4 to read A, 4 x 32 to read B.
  const Point fastest = {16, 8, 96, 64, 12};
  EXPECT_TRUE(std::ranges::binary_search(result.points, fastest));
  const auto values = valuesAt(plan, fastest);
  const auto value = [&](const char *name) { return values[plan.space.find(name)]; };
  EXPECT_EQ(value("dim_ma"), 32);
  EXPECT_EQ(value("dim_na"), 4);
  EXPECT_EQ(value("dim_mb"), 4);
  EXPECT_EQ(value("dim_nb"), 32);
}
