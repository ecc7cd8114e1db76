#include "tests/unit/compiler/ir/programs.hpp"

#include "compiler/ir/unroll.hpp"

#include <algorithm>
#include <array>

using namespace hetc::ir;
using namespace hetc::ir::test;
using Kind = Dependence::Kind;

namespace {
/// Unrolls a whole number of 1 x 1 tiles, or fails the test.
std::vector<TaskInstance> unrolled(const Program &program, std::int64_t m, std::int64_t n) {
  auto result = unroll(program, {{{"m", m}, {"n", n}}, 1});
  if (const auto *error = std::get_if<UnrollError>(&result)) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return std::move(std::get<std::vector<TaskInstance>>(result));
}

std::string errorOf(const Program &program, Sizes sizes, std::size_t limit = 1000) {
  const auto result = unroll(program, sizes, limit);
  const auto *error = std::get_if<UnrollError>(&result);
  if (!error)
    return "none";
  return std::to_string(error->location.line) + ":" + std::to_string(error->location.column) + ": " + error->message;
}

std::ptrdiff_t count(const std::vector<Dependence> &edges, Kind kind) {
  return std::ranges::count(edges, kind, &Dependence::kind);
}

/// "flow 0->1 A(0, 0) lower", in the order of the list.
std::vector<std::string> edgesOf(const std::string &body) {
  const Program program = withBody(body);
  std::vector<std::string> result;
  for (const Dependence &edge : dependences(unrolled(program, 4, 4))) {
    const char *kinds[] = {"flow ", "anti ", "output "}, *regions[] = {"", " lower", " upper"};
    result.push_back(kinds[static_cast<int>(edge.kind)] + std::to_string(edge.from) + "->" + std::to_string(edge.to) +
                     " " + program.matrices[edge.tile.matrix].name + "(" + std::to_string(edge.tile.row) + ", " +
                     std::to_string(edge.tile.column) + ")" + regions[static_cast<int>(edge.tile.region)]);
  }
  return result;
}
using Edges = std::vector<std::string>;
} // namespace

TEST(Unroll, Cholesky) {
  const Program program = parsed(cholesky);
  // nt potrf, nt (nt - 1) / 2 trsm and herk, nt (nt - 1) (nt - 2) / 6 gemm. Flow: nt - 1 into potrf, (nt - 1)^2 into
  // trsm and herk each, and into gemm two panels each and the sum over k of what the step before left.
  for (const auto &[nt, tasks, flows] : {std::array{1, 1, 0}, {3, 10, 12}, {4, 20, 30}}) {
    const std::vector<TaskInstance> instances = unrolled(program, nt, nt);
    const std::vector<Dependence> edges = dependences(instances);
    EXPECT_EQ(instances.size(), static_cast<std::size_t>(tasks));
    EXPECT_EQ(count(edges, Kind::Flow), flows);
    EXPECT_EQ(edges.size(), static_cast<std::size_t>(flows)); // in-place: no anti, no output
    EXPECT_TRUE(std::ranges::all_of(
        edges, [](const Dependence &edge) { return edge.from < edge.to && edge.tile.region == Region::Full; }));
  }
}

TEST(Unroll, ListsTasksInProgramOrder) {
  const Program program = parsed(cholesky);
  const std::vector<TaskInstance> instances = unrolled(program, 3, 3);
  std::vector<unsigned> ids;
  for (const TaskInstance &instance : instances)
    ids.push_back(instance.task->id);
  EXPECT_EQ(ids, (std::vector<unsigned>{0, 1, 1, 2, 3, 2, 0, 1, 2, 0}));
  EXPECT_EQ(instances[4].indices, (std::vector<std::int64_t>{0, 1, 2})); // gemm: k, j, i
  ASSERT_EQ(instances[4].uses.size(), 3u);
  EXPECT_EQ(instances[4].uses[0].tile, (TileRef{0, 2, 0, Region::Full}));
  EXPECT_EQ(instances[4].uses[2].tile, (TileRef{0, 2, 1, Region::Full}));
  EXPECT_EQ(instances[4].uses[2].access, Access::ReadWrite);
  EXPECT_EQ(instances[4].uses[2].argument, 6u);
}

TEST(Unroll, EdgeTilesDefaultsAndWorkspaces) {
  const Program program =
      withBody("for (int i = 0; i < A.mt(); ++i) { for (int j = 0; j < A.nt(); ++j) { task 0 h(write W(i, j)) } }"
               "for (int l = 0; l < s; ++l) { task 1 f(rw A(l, 0)) }");
  const auto tasks = [&](std::int64_t m, std::int64_t n, std::int64_t nb) {
    return std::get<std::vector<TaskInstance>>(unroll(program, {{{"m", m}, {"n", n}, {"s", m ? 1 : 0}}, nb})).size();
  };
  EXPECT_EQ(tasks(7, 4, 3), 3u * 2 + 1);
  EXPECT_EQ(tasks(0, 4, 3), 0u);
  EXPECT_EQ(unrolled(program, 2, 1).size(), 2u + 2); // s = 2 by default
}

TEST(Unroll, TakesBranchesWithoutLookingIntoTheOther) {
  const Program program = parsed(R"(program p(A, opA, alpha) type d source "p.tla" {
    size n
    Matrix<d> A(opA == NoTrans ? n : 2 * n, n)
    Op opA = NoTrans
    T alpha
    kernel f<T>(alpha, rw X)
    if (opA == NoTrans || 1 / 0) { task 0 f(alpha, rw A(A.mt() - 1, 0)) } else { task 1 f(1, rw A(1 / 0, 0)) }
  })");
  EXPECT_EQ(unrolled(program, 0, 3).at(0).uses.at(0).tile.row, 2);
  EXPECT_EQ(errorOf(program, {{{"n", 3}, {"opA", 112}}, 1}), "0:0: division by zero in '1 / 0'");
}

TEST(Unroll, ReportsErrorsWithTheirPlace) {
  const auto error = [](const std::string &body) { return errorOf(withBody(body), {{{"m", 3}, {"n", 3}}, 1}); };
  EXPECT_EQ(error("for (int i = 0; i < 9; ++i) { task 0 f(rw A(i, 0)) @4:5 (9) }"),
            "4:9: A(3, 0) is outside the 3 x 3 tiles of A for i = 3");
  EXPECT_EQ(error("task 0 f(rw A(0, -1)) @4:5"), "4:5: A(0, -1) is outside the 3 x 3 tiles of A");
  EXPECT_EQ(error("for (int i = 0; i < 3; ++i) { for (int j = 0; j < 3; ++j) { task 0 f(rw L(i, j)) @4:5 } }"),
            "4:5: L(0, 1) is outside the lower triangle of the 3 x 3 tiles of L for i = 0, j = 1");
  EXPECT_EQ(error("task 0 p(read A.panel(1, 4, 0), rw B(0, 0)) @4:5"), "4:5: A(3, 0) is outside the 3 x 3 tiles of A");
  const auto ofTiles = [](const std::string &view) {
    return errorOf(withBody("for (int i = 0; i < 2; ++i) { task 0 f(rw A(i, 1)" + view + ") @4:5 (9) }"),
                   {{{"m", 5}, {"n", 7}}, 4});
  };
  EXPECT_EQ(ofTiles(".rows(0, i == 0 ? 4 : 1).cols(1, 2)"), "none");
  EXPECT_EQ(ofTiles(".rows(i, 0).cols(3, 0)"), "none");
  EXPECT_EQ(ofTiles(".rows(1, 1)"), "4:9: 1 rows from 1 on are outside the 1 of the tile for i = 1");
  EXPECT_EQ(ofTiles(".rows(0, -i)"), "4:9: -1 rows from 0 on are outside the 1 of the tile for i = 1");
  EXPECT_EQ(ofTiles(".cols(i - 1, 1)"), "4:9: 1 columns from -1 on are outside the 3 of the tile for i = 0");
  EXPECT_EQ(ofTiles(".cols(1, 3)"), "4:9: 3 columns from 1 on are outside the 3 of the tile for i = 0");
  EXPECT_EQ(error("for (int i = 0; i < 3; i = i) @1:2 {}"),
            "1:2: loop 'i' does not end: its step 'i = i' takes it from 0 to 0");
  EXPECT_EQ(error("for (int i = 0; i < 3; i = i + s - 3) @1:2 {}"),
            "1:2: loop 'i' does not end: its step 'i = i + s - 3' takes it from 0 to -1");
  EXPECT_EQ(error("for (int i = 0; i != 5; i = 1 - i) @1:2 {}"),
            "1:2: loop 'i' does not end: its step 'i = 1 - i' takes it from 1 to 0");
  EXPECT_EQ(error("for (int i = 0; i < 3; --i) @1:2 {}"), "1:2: loop 'i' does not end");
  EXPECT_EQ(error("for (int i = 0; 1; ++i) @1:2 { task 0 f(rw A(0, 0)) @3:4 }"), "3:4: more than 1000 tasks");
  EXPECT_EQ(error("for (int i = 2; i >= 0; --i) { task 0 f(rw A(2 / i, 0)) @3:4 }"),
            "3:4: division by zero in '2 / i' for i = 0");
  EXPECT_EQ(error("for (int i = 9223372036854775807; i > 0; ++i) @1:2 {}"),
            "1:2: the value is too large in 'i + 1' for i = 9223372036854775807");
  EXPECT_EQ(errorOf(withBody(""), {{{"m", 3}}, 1}), "0:0: no value is known for 'n'");
  EXPECT_EQ(errorOf(withBody(""), {{{"m", 3}, {"n", 3}}, 0}), "0:0: the tile size nb must be positive, not 0");
}

TEST(Unroll, EmptyPanelsTouchNothing) {
  const Program program =
      withBody("task 0 p(read A.panel(9, 9, 0), rw B(0, 0)) task 1 p(read A.panel(1, 4, 2), rw B(0, 0))");
  const std::vector<TaskInstance> instances = unrolled(program, 4, 4);
  ASSERT_EQ(instances.at(0).uses.size(), 1u);
  ASSERT_EQ(instances.at(1).uses.size(), 4u);
  EXPECT_EQ(instances[1].uses[2].tile, (TileRef{0, 3, 2, Region::Full}));
  EXPECT_EQ(instances[1].uses[2].argument, 0u);
}

TEST(Dependences, FlowAntiOutput) {
  EXPECT_EQ(
      edgesOf("task 0 f(rw A(0, 0)) task 1 g(read A(0, 0), rw B(0, 0)) task 2 f(rw A(0, 0)) task 3 f(rw A(0, 0))"),
      (Edges{"flow 0->1 A(0, 0)", "flow 0->2 A(0, 0)", "anti 1->2 A(0, 0)", "flow 2->3 A(0, 0)"}));
  EXPECT_EQ(
      edgesOf(
          "task 0 f(rw A(0, 0)) task 1 h(write A(0, 0)) task 2 g(read A(0, 0), rw B(0, 0)) task 3 h(write A(0, 0))"),
      (Edges{"output 0->1 A(0, 0)", "flow 1->2 A(0, 0)", "anti 2->3 A(0, 0)"}));
}

TEST(Dependences, HalvesOfATileAreApart) {
  EXPECT_EQ(
      edgesOf("task 0 f(rw A(0, 0).lower()) task 1 f(rw A(0, 0).upper()) task 2 f(rw A(0, 0)) task 3 f(rw A(0, 0))"),
      (Edges{"flow 0->2 A(0, 0) lower", "flow 1->2 A(0, 0) upper", "flow 2->3 A(0, 0)"}));
  EXPECT_EQ(edgesOf("task 0 f(rw A(0, 0)) task 1 g(read A(0, 0).upper(), rw B(0, 0)) task 2 h(write A(0, 0))"),
            (Edges{"flow 0->1 A(0, 0) upper", "output 0->2 A(0, 0) lower", "anti 1->2 A(0, 0) upper"}));
}

TEST(Dependences, AViewIsItsWholeTile) {
  EXPECT_EQ(
      edgesOf("task 0 f(rw A(0, 0)) task 1 h(rw A(0, 0).rows(0, 0)) task 2 g(read A(0, 0).cols(0, 1), rw B(0, 0))"),
      (Edges{"flow 0->1 A(0, 0)", "flow 1->2 A(0, 0)"}));
}

TEST(Dependences, ATileUsedTwiceByOneTaskIsOneEdge) {
  EXPECT_EQ(edgesOf("task 0 f(rw A(1, 1)) task 1 g(read A(1, 1), rw A(1, 1))"), (Edges{"flow 0->1 A(1, 1)"}));
  EXPECT_EQ(edgesOf("task 0 f(rw A(1, 1)) task 1 g(read A(1, 1).lower(), rw A(1, 1).upper())"),
            (Edges{"flow 0->1 A(1, 1)"}));
  EXPECT_EQ(edgesOf("task 0 h(write A(1, 1)) task 1 g(read A(1, 1).lower(), rw B(1, 1)) task 2 f(rw A(1, 1))"),
            (Edges{"flow 0->1 A(1, 1) lower", "flow 0->2 A(1, 1)", "anti 1->2 A(1, 1) lower"}));
}

TEST(Dependences, PanelsMeetTiles) {
  EXPECT_EQ(
      edgesOf(
          "task 0 f(rw A(1, 0)) task 1 f(rw A(3, 0)) task 2 p(read A.panel(0, 3, 0), rw B(0, 0)) task 3 f(rw A(2, 0))"),
      (Edges{"flow 0->2 A(1, 0)", "anti 2->3 A(2, 0)"}));
}

TEST(Unroll, AMillionTasks) {
  const Program program = parsed(cholesky);
  const std::vector<TaskInstance> instances = unrolled(program, 181, 181);
  const std::size_t nt = 181, gemms = nt * (nt - 1) * (nt - 2) / 6;
  EXPECT_EQ(instances.size(), nt + nt * (nt - 1) + gemms);
  EXPECT_EQ(dependences(instances).size(),
            (nt - 1) + 2 * (nt - 1) * (nt - 1) + 2 * gemms + nt * 0 + (nt - 1) * (nt - 2) * (nt - 3) / 6);
}

// A workspace that is cut has a matrix's tiles; its size may name a matrix behind it in the list.
TEST(Unroll, WorkspacesOfBothForms) {
  const Program program = parsed(R"(program p(C, A) type d source "p.tla" {
  size m
  size n
  Workspace<d> C(A.mt(), 2, 3, A.nb())
  Matrix<d> A(m, n)
  Workspace<d> At(A.n(), A.m(), A.nb())
  kernel h<T>(write X)

  for (int i = 0; i < At.mt(); ++i) {
    task 0 h(write At(i, At.nt() - 1))
  }
  for (int j = 0; j < A.mt(); ++j) {
    task 1 h(write C(j, 1))
  }
  task 2 h(write At(At.mt(), 0)) @9:8
}
)");
  EXPECT_EQ(errorOf(program, {{{"m", 5}, {"n", 7}}, 2}), "9:8: At(4, 0) is outside the 4 x 3 tiles of At");
}
