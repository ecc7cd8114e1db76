// Programs on slices: their text, what the verifier asks of them, and how they unroll.
#include "compiler/ir/unroll.hpp"
#include "compiler/ir/verifier.hpp"
#include "tests/ir_text/parse.hpp"

#include <gtest/gtest.h>

namespace hetc::ir {

namespace {

const std::string text = R"(program f(A) type d source "f.tla" {
  slices 3
  size n
  LowerMatrix<d> A(n, n) sliced
  kernel tla::scal<T>(alpha, rw A)
  kernel tla::getrf<T>(row, rw panel A)
  kernel tla::laset<T>(offDiagonal, diagonal, write A)

  for (int j = 0; j < A.nt(); ++j) {
    for (int d = 0; d < min(3, A.ns() - 3 * j); ++d) {
      task 0 tla::scal(T(1), rw A(j, 3 * j + d).within(A.sliceBegin(d), A.sliceCols(3 * j + d)))
      task 1 tla::scal(T(1), rw A(j, 3 * j + d).rows(0, 1).cols(0, A.sliceCols(3 * j + d)).below(A.sliceBegin(d)))
    }
    task 2 tla::getrf(0, rw A.panel(j, A.mt(), 3 * j, min(3 * j + 3, A.ns())))
    task 3 tla::laset(T(0), T(1), rw A.slices(j, 3 * j, min(3 * j + 3, A.ns())).upper())
  }
}
)";

Program parsed(const std::string &from) {
  auto result = parse(from);
  const auto *error = std::get_if<ParseError>(&result);
  EXPECT_FALSE(error) << error->line << ":" << error->column << ": " << error->message;
  return error ? Program() : std::move(std::get<Program>(result));
}

std::string replaced(std::string from, const std::string &old, const std::string &by) {
  const std::size_t at = from.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return from.replace(at, old.size(), by);
}

TEST(Slices, TextAndBack) {
  const Program program = parsed(text);
  EXPECT_EQ(print(program), text);
  EXPECT_EQ(verify(program), "");
  EXPECT_EQ(program.slices, 3);
}

TEST(Slices, VerifierKnowsWhatIsCut) {
  const std::string none = verify(parsed(replaced(text, "  slices 3\n", "")));
  EXPECT_EQ(none, "matrix 'A' is sliced in a program without slices");
  const std::string whole = verify(parsed(replaced(text, "sliced\n", "\n")));
  EXPECT_NE(whole.find("is of slices, which 'A' has none of"), std::string::npos) << whole;
  const std::string written = verify(parsed(replaced(text, "rw A.slices", "write A.slices")));
  EXPECT_NE(written.find("is marked write"), std::string::npos) << written;
}

TEST(Slices, UnrollToTheLastSliceThatExists) {
  const Program program = parsed(text);
  // Tiles of 7 columns in slices of 2, 2 and 3; the last tile has 3 columns, two slices.
  const auto result = unroll(program, {{{"n", 10}}, 7, 2});
  const auto *error = std::get_if<UnrollError>(&result);
  ASSERT_FALSE(error) << error->message;
  std::vector<std::int64_t> columns;
  std::size_t gathered = 0;
  for (const TaskInstance &instance : std::get<std::vector<TaskInstance>>(result)) {
    if (instance.task->id == 0)
      columns.push_back(instance.uses.at(0).tile.column);
    if (instance.task->id == 2)
      gathered += instance.uses.size();
    for (const auto &use : instance.uses)
      EXPECT_EQ(use.tile.region, Region::Full);
  }
  EXPECT_EQ(columns, (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(gathered, 2u * 3 + 2);
}

TEST(Slices, BoundsAreThoseOfSlices) {
  const auto outside = unroll(parsed(replaced(text, "d < min(3, A.ns() - 3 * j)", "d < 3")), {{{"n", 10}}, 7, 2});
  ASSERT_TRUE(std::holds_alternative<UnrollError>(outside));
  EXPECT_EQ(std::get<UnrollError>(outside).message, "A(1, 5) is outside the 2 x 5 slices of A for j = 1, d = 2");
  const auto narrow = unroll(parsed(text), {{{"n", 10}}, 4, 2});
  ASSERT_TRUE(std::holds_alternative<UnrollError>(narrow));
  EXPECT_EQ(std::get<UnrollError>(narrow).message, "tiles of 4 columns have no room for 2 slices of 2 and one more");
}

} // namespace
} // namespace hetc::ir
