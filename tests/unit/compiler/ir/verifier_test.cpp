#include "tests/unit/compiler/ir/programs.hpp"

#include "compiler/ir/verifier.hpp"

using namespace hetc::ir;
using namespace hetc::ir::test;

namespace {
std::string ofBody(const std::string &body) { return verify(withBody(body)); }

/// The violation after `change` did its work on a well-formed program.
template <typename Change> std::string after(Change &&change) {
  Program program = withBody("for (int i = 0; i < A.mt(); ++i) @1:2 { task 0 g(read A(i, 0), rw B(i, 0)) @3:4 }");
  EXPECT_EQ(verify(program), "");
  change(program);
  return verify(program);
}
Task &firstTask(Program &program) {
  return *std::get<std::unique_ptr<Task>>(std::get<std::unique_ptr<Loop>>(program.body[0])->body[0]);
}
} // namespace

TEST(Verifier, AcceptsWellFormedPrograms) {
  EXPECT_EQ(ofBody(""), "");
  EXPECT_EQ(ofBody("if (s == 2) { task 0 h(write W(0, 0)) } task 3 p(read A.panel(0, 2, 0), rw B(s, 0)) priority(s)"),
            "");
  EXPECT_EQ(ofBody("task 0 g(read A(0, 0).rows(s, 2), rw B(0, 0).cols(0, s)) task 1 h(rw W(0, 0).rows(0, 1))"), "");
  EXPECT_EQ(ofBody("for (int m = 0; m < s; ++m) { task 0 f(rw A(m, m)) }"), ""); // m: also a size
}

TEST(Verifier, NamesTheViolationInTheBody) {
  EXPECT_EQ(ofBody("task 1 f(rw A(0, 0)) task 1 f(rw A(0, 0)) @5:6"),
            "task 1 (f) at 5:6: its number is not larger than that of the task before it");
  EXPECT_EQ(ofBody("task 0 q(rw A(0, 0))"), "task 0 (q): the kernel is not declared");
  EXPECT_EQ(ofBody("task 0 f(rw A(0, 0), 1)"), "task 0 (f): 2 arguments for 1 parameters");
  EXPECT_EQ(ofBody("task 0 f(1)"), "task 0 (f): argument 0 is a scalar, the kernel takes tiles");
  EXPECT_EQ(ofBody("task 0 f(read A(0, 0))"), "task 0 (f): argument 0 is marked read, the kernel's parameter rw");
  EXPECT_EQ(ofBody("task 0 p(read A(0, 0), rw B(0, 0))"), "task 0 (p): argument 0 is a tile, the kernel takes a panel");
  EXPECT_EQ(ofBody("task 0 p(read A.panel(0, 1, 0).conjTrans(), rw B(0, 0))"),
            "task 0 (p): argument 0 is the transpose of a panel");
  EXPECT_EQ(ofBody("task 0 f(rw A.panel(0, 1, 0))"), "task 0 (f): argument 0 is a panel, the kernel takes a tile");
  EXPECT_EQ(ofBody("task 0 h(write W(0, 0).rows(0, 1))"), // the other rows stay
            "task 0 (h): argument 0 is marked write, the kernel's parameter write");
  EXPECT_EQ(ofBody("task 0 f(rw A(0, 0).rows(0, x))"),
            "task 0 (f): argument 0: a number of the rows: 'x' is not a variable in scope");
  EXPECT_EQ(ofBody("task 0 f(rw Z(0, 0))"), "task 0 (f): argument 0 names the unknown matrix 'Z'");
  EXPECT_EQ(ofBody("task 0 f(rw A(0, x))"), "task 0 (f): argument 0: the column: 'x' is not a variable in scope");
  EXPECT_EQ(ofBody("task 0 f(rw A(0, m))"), "task 0 (f): argument 0: the column: 'm' is not a variable in scope");
  EXPECT_EQ(ofBody("task 0 g(read A(0, 0), rw B(0, 0)) at(argument 0)"),
            "task 0 (g): the main output is not a tile it writes");
  EXPECT_EQ(ofBody("task 0 f(rw A(0, 0)) release(Z(0, 0))"),
            "task 0 (f): a released tile names the unknown matrix 'Z'");
  EXPECT_EQ(ofBody("for (int s = 0; s < 1; ++s) {}"), "loop 's': the variable's name is already in use");
  EXPECT_EQ(ofBody("for (int i = i; i < 1; ++i) {}"), "loop 'i': the first value: 'i' is not a variable in scope");
  EXPECT_EQ(ofBody("for (int i = 0; i < 1; ++i) {} for (int i = 0; i < 1; ++i) {}"),
            "loop 'i': the variable's name is already in use");
  EXPECT_EQ(ofBody("for (int i = 0; i < 1; ++i) {} if (i == 0) @3:4 {}"),
            "if at 3:4: the condition: 'i' is not a variable in scope");
  EXPECT_EQ(ofBody("for (int Left = 0; 1; Left = 1) @1:2 {}"), "loop 'Left' at 1:2: not a name a variable can have");
  EXPECT_EQ(ofBody("if (Z.nt() == 0) {}"), "if: the condition: 'Z' is not a matrix");
}

TEST(Verifier, FindsMalformedTrees) {
  EXPECT_EQ(after([](Program &p) { firstTask(p).arguments[0] = TileAccess{}; }),
            "task 0 (g) at 3:4: argument 0 names the unknown matrix ''");
  EXPECT_EQ(after([](Program &p) { std::get<TileAccess>(firstTask(p).arguments[0]).row = nullptr; }),
            "task 0 (g) at 3:4: argument 0: the row is missing");
  EXPECT_EQ(after([](Program &p) {
              std::get<TileAccess>(firstTask(p).arguments[0]).row = makeBinary(ExprKind::Neg, makeInt(1), makeInt(1));
            }),
            "task 0 (g) at 3:4: argument 0: the row: an operator has 2 operands instead of 1");
  EXPECT_EQ(after([](Program &p) { std::get<TileAccess>(firstTask(p).arguments[0]).cols.first = makeInt(0); }),
            "task 0 (g) at 3:4: argument 0: a number of the columns is missing");
  EXPECT_EQ(after([](Program &p) {
              auto &tile = std::get<TileAccess>(firstTask(p).arguments[0]);
              tile.rows = {makeInt(0), makeInt(1)};
              tile.region = Region::Lower;
            }),
            "task 0 (g) at 3:4: argument 0 is a view of what is no whole tile");
  EXPECT_EQ(after([](Program &p) { firstTask(p).priority = makeBinary(ExprKind::Add, makeInt(1), nullptr); }),
            "task 0 (g) at 3:4: the priority is missing");
  EXPECT_EQ(after([](Program &p) { firstTask(p).priority = makeReal("abc"); }),
            "task 0 (g) at 3:4: the priority: 'abc' is not a real literal");
  EXPECT_EQ(after([](Program &p) { firstTask(p).priority = makeEnum("Foo", 3); }),
            "task 0 (g) at 3:4: the priority: 'Foo' with value 3 is not an enumerator of tla");
  EXPECT_EQ(after([](Program &p) { firstTask(p).priority = makeCast("string", makeInt(1)); }),
            "task 0 (g) at 3:4: the priority: 'string' is not an arithmetic type");
  EXPECT_EQ(after([](Program &p) { firstTask(p).derivedPriority = true; }),
            "task 0 (g) at 3:4: a derived priority is missing");
  EXPECT_EQ(after([](Program &p) { firstTask(p).mainOutput = 9; }),
            "task 0 (g) at 3:4: the main output is not a tile it writes");
  EXPECT_EQ(after([](Program &p) { p.body.push_back(std::unique_ptr<If>()); }), "a statement is null");
  EXPECT_EQ(after([](Program &p) {
              p.kernels[0].parameters[0].access = Access::Read;
              Task &task = firstTask(p);
              task.kernel = "f";
              task.arguments.resize(1);
            }),
            "task 0 (f) at 3:4: it writes no tile");
}

TEST(Verifier, NamesTheViolationInADeclaration) {
  EXPECT_EQ(after([](Program &p) { p.name.clear(); }), "the program has no name");
  EXPECT_EQ(after([](Program &p) { p.sizes.push_back("m"); }), "size symbol 'm' is declared twice");
  EXPECT_EQ(after([](Program &p) { p.sizeDefaults.emplace_back("k", makeInt(1)); }),
            "a default is given for 'k', which is not a size symbol");
  EXPECT_EQ(after([](Program &p) { p.matrices[1].name = "A"; }), "matrix 'A' is declared twice");
  EXPECT_EQ(after([](Program &p) { p.matrices[0].rows = nullptr; }), "matrix 'A' lacks its rows or columns");
  EXPECT_EQ(after([](Program &p) { p.matrices[0].rows = makeVar("q"); }),
            "a size of matrix 'A': 'q' is not a variable in scope");
  EXPECT_EQ(after([](Program &p) { p.matrices[0].tileRows = makeInt(1); }),
            "matrix 'A' is no workspace and has a tile size");
  EXPECT_EQ(after([](Program &p) { p.matrices[3].tileRows = nullptr; }),
            "matrix 'W' is a workspace without a tile size");
  EXPECT_EQ(after([](Program &p) { p.matrices[3].tileCols = nullptr; }), ""); // cut as a matrix is
  EXPECT_EQ(after([](Program &p) { p.matrices[3].generator = "spd"; }), "matrix 'W' is a workspace with a generator");
  EXPECT_EQ(after([](Program &p) { std::swap(p.matrices[2], p.matrices[3]); }),
            "matrix 'L' is a parameter behind a workspace of the algorithm's own");
  EXPECT_EQ(after([](Program &p) { p.scalars[0].type = "Foo"; }), "scalar 's' has the unknown type 'Foo'");
  EXPECT_EQ(after([](Program &p) { p.scalars[0].name = "min"; }), "'min' is not a name a scalar can have");
  EXPECT_EQ(after([](Program &p) {
              p.scalars[0].candidates = {8, 0};
            }),
            "scalar 's' has candidates and is no positive int");
  EXPECT_EQ(after([](Program &p) {
              p.scalars[0].type = "T";
              p.scalars[0].candidates = {8};
            }),
            "scalar 's' has candidates and is no positive int");
  EXPECT_EQ(after([](Program &p) { p.kernels[0].infoContinues = true; }),
            "kernel 'f' continues after an info that it does not return");
  EXPECT_EQ(after([](Program &p) { p.kernels[0].name = "g"; }), "kernel 'g' is declared twice");
  EXPECT_EQ(after([](Program &p) { p.kernels[0].parameters[0].isPanel = true; }),
            "parameter 'X' of kernel 'f' is both tile and panel");
  EXPECT_EQ(after([](Program &p) { p.parameterOrder.push_back("W"); }), ""); // the caller's workspace
  EXPECT_EQ(after([](Program &p) { p.parameterOrder.push_back("Z"); }),
            "parameter 'Z' is neither a matrix nor a scalar of the program");
  EXPECT_EQ(after([](Program &p) { p.parameterOrder.push_back("A"); }), "parameter 'A' is listed twice");
  EXPECT_EQ(after([](Program &p) { p.parameterOrder.pop_back(); }), "scalar 's' is not in the list of parameters");
  EXPECT_EQ(after([](Program &p) { p.parameterOrder.erase(p.parameterOrder.begin()); }),
            "matrix 'A' is not in the list of parameters");
  EXPECT_EQ(after([](Program &p) {
              p.check = "llt";
              p.checkArguments = {{CheckArgument::Kind::Parameter, "W", nullptr, {}}};
            }),
            "argument 'W' of check 'llt' is not a parameter");
  EXPECT_EQ(after([](Program &p) {
              p.check = "qr";
              const auto parameter = [](const char *name) {
                return CheckArgument{CheckArgument::Kind::Parameter, name, nullptr, {}};
              };
              p.checkArguments = {parameter("A"),
                                  {CheckArgument::Kind::Call, "apply_q", nullptr, {parameter("s"), parameter("W")}}};
            }),
            "argument 'W' of check 'qr' is not a parameter");
}
