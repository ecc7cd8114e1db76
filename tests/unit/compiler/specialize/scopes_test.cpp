// The verifier of node programs finds names where they do not exist.
#include "compiler/specialize/scopes.hpp"

#include <gtest/gtest.h>

namespace hetc::specialize {
namespace {

/// The program for (int k in member: [first, 9]) release A(row, 0), with another release behind the loop, of A(behind,
/// 0).
NodeProgram program(const ir::ExprRef &first, const ir::ExprRef &row, const ir::ExprRef &behind) {
  const auto release = [](const ir::ExprRef &tile) {
    return Transfer{Transfer::Kind::Release, "A", tile, ir::makeInt(0), ir::Region::Full, nullptr, nullptr};
  };
  auto loop = std::make_unique<Loop>();
  loop->variable = "k";
  loop->ranges.push_back({first, ir::makeInt(9), 1, nullptr, "member"});
  loop->body.push_back(release(row));
  NodeProgram result;
  result.body.push_back(std::move(loop));
  result.body.push_back(release(behind));
  return result;
}

TEST(Scopes, NamesInsideTheirLoop) {
  const auto k = ir::makeVar("k"), parameter = ir::makeVar("p"), zero = ir::makeInt(0);
  EXPECT_EQ(nameOutOfScope(program(zero, k, zero)), std::nullopt);
  EXPECT_EQ(nameOutOfScope(program(parameter, ir::makeVar("member"), parameter)), std::nullopt);
}

TEST(Scopes, NamesOutside) {
  const auto k = ir::makeVar("k"), zero = ir::makeInt(0);
  EXPECT_EQ(nameOutOfScope(program(k, zero, zero)), "k") << "in the loop's own bounds";
  EXPECT_EQ(nameOutOfScope(program(zero, zero, k)), "k") << "behind the loop";
  EXPECT_EQ(nameOutOfScope(program(zero, k, ir::makeVar("member"))), "member");
}

} // namespace
} // namespace hetc::specialize
