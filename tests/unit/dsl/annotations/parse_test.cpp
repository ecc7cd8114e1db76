#include "dsl/annotations/annotation.hpp"

#include <gtest/gtest.h>

using namespace hetc::annotations;

namespace {
template <typename Kind> Kind parsed(const std::string &text) {
  auto result = parseAnnotation(text);
  if (const auto *error = std::get_if<SyntaxError>(&result)) {
    ADD_FAILURE() << text << ": " << error->offset << ": " << error->message;
    return {};
  }
  auto *kind = std::get_if<Kind>(&std::get<Annotation>(result));
  EXPECT_NE(kind, nullptr) << text;
  return kind ? std::move(*kind) : Kind();
}

Expr expression(const std::string &text) {
  return parsed<TaskAnnotation>("task priority(" + text + ")").priority.value_or(Expr());
}

std::string printAll(const std::vector<Expr> &exprs) {
  std::string result;
  for (const Expr &expr : exprs)
    result += (result.empty() ? "" : "; ") + print(expr);
  return result;
}
} // namespace

TEST(Annotations, Task) {
  const auto task = parsed<TaskAnnotation>(" task priority(-k) device(gpu) bound(memory) at(A(i, j)) release(A(k, k), "
                                           "B(i, 0).lower(), A.panel(k, i + 1, 0))");
  EXPECT_EQ(print(*task.priority), "-k");
  EXPECT_EQ(task.device, Device::Gpu);
  EXPECT_EQ(task.bound, Bound::Memory);
  EXPECT_EQ(print(*task.at), "A(i, j)");
  EXPECT_EQ(printAll(task.releases), "A(k, k); B(i, 0).lower(); A.panel(k, i + 1, 0)");
}

TEST(Annotations, EmptyTaskAndEveryValue) {
  const auto task = parsed<TaskAnnotation>("task");
  EXPECT_FALSE(task.priority || task.device || task.bound || task.at || !task.releases.empty());
  EXPECT_EQ(parsed<TaskAnnotation>("task device ( host )").device, Device::Host);
  EXPECT_EQ(parsed<TaskAnnotation>("task device(any)").device, Device::Any);
  EXPECT_EQ(parsed<TaskAnnotation>("task bound(compute)").bound, Bound::Compute);
}

TEST(Annotations, Kernel) {
  const auto kernel = parsed<KernelAnnotation>("kernel flops((op == NoTrans ? A.n() : A.m()) * 2.0) bound(memory)");
  EXPECT_EQ(print(*kernel.flops), "(op == NoTrans ? A.n() : A.m()) * 2.0");
  EXPECT_EQ(kernel.bound, Bound::Memory);
  EXPECT_FALSE(parsed<KernelAnnotation>("kernel").flops || parsed<KernelAnnotation>("kernel").onInfo);
  EXPECT_EQ(parsed<KernelAnnotation>("kernel info(continue) bound(memory)").onInfo, OnInfo::Continue);
  EXPECT_EQ(parsed<KernelAnnotation>("kernel info( stop )").onInfo, OnInfo::Stop);
}

TEST(Annotations, LibrariesOfKernels) {
  const auto kernel = parsed<KernelAnnotation>("kernel link(\"lapacke\", \"../lib/libmine.so.1\") link( \"stdc++\" )");
  ASSERT_EQ(kernel.libraries.size(), 3u);
  EXPECT_EQ(kernel.libraries[0].name, "lapacke");
  EXPECT_EQ(kernel.libraries[0].offset, 13u);
  EXPECT_EQ(kernel.libraries[1].name, "../lib/libmine.so.1");
  EXPECT_EQ(kernel.libraries[2].name, "stdc++");
}

TEST(Annotations, ConditionsOfKernelsAndAlgorithms) {
  const auto kernel = parsed<KernelAnnotation>(
      "kernel requires(A.n() == B.m() && ib >= 1) alias(A, C) flops(1) requires(!(P.mt() == 0)) alias( A , B,C )");
  EXPECT_EQ(printAll(kernel.requirements), "A.n() == B.m() && ib >= 1; !(P.mt() == 0)");
  ASSERT_EQ(kernel.aliases.size(), 2u);
  ASSERT_EQ(kernel.aliases[1].parameters.size(), 3u);
  EXPECT_EQ(kernel.aliases[1].parameters[2].name, "C");
  EXPECT_EQ(kernel.aliases[0].parameters[1].offset, 52u);
  const auto algorithm = parsed<AlgorithmAnnotation>("algorithm requires(k <= n) shape(A(m, n)) requires(n <= m)");
  EXPECT_EQ(printAll(algorithm.requirements), "k <= n; n <= m");
}

TEST(Annotations, Algorithm) {
  const auto algorithm = parsed<AlgorithmAnnotation>(
      " algorithm shape(A(opA == NoTrans ? m : k, opA == NoTrans ? k : m), C(m, n))"
      " default(k : 1, opA : NoTrans, alpha : -0.5) input(A : spd, C : matern(0.1, 2)) check(gemm(opA, A, C))");
  ASSERT_EQ(algorithm.shapes.size(), 2u);
  EXPECT_EQ(algorithm.shapes[0].matrix, "A");
  EXPECT_EQ(algorithm.shapes[0].offset, 17u);
  EXPECT_EQ(print(algorithm.shapes[0].rows), "opA == NoTrans ? m : k");
  EXPECT_EQ(print(algorithm.shapes[0].cols), "opA == NoTrans ? k : m");
  EXPECT_EQ(print(algorithm.shapes[1].cols), "n");
  ASSERT_EQ(algorithm.defaults.size(), 3u);
  EXPECT_EQ(algorithm.defaults[1].name, "opA");
  EXPECT_EQ(print(algorithm.defaults[1].value), "NoTrans");
  EXPECT_EQ(print(algorithm.defaults[2].value), "-0.5");
  ASSERT_EQ(algorithm.inputs.size(), 2u);
  EXPECT_EQ(algorithm.inputs[0].matrix, "A");
  EXPECT_EQ(algorithm.inputs[0].generator.name, "spd");
  EXPECT_TRUE(algorithm.inputs[0].generator.arguments.empty());
  EXPECT_EQ(algorithm.inputs[1].generator.name, "matern");
  EXPECT_EQ(printAll(algorithm.inputs[1].generator.arguments), "0.1; 2");
  EXPECT_EQ(algorithm.check->name, "gemm");
  EXPECT_EQ(printAll(algorithm.check->arguments), "opA; A; C");
}

TEST(Annotations, WorkspacesCandidatesAndCalls) {
  const auto algorithm = parsed<AlgorithmAnnotation>(
      "algorithm shape(W(A.mt(), A.nt(), ib, A.nb()), V(m, n, nb), A(m, n)) tune(ib : 16 | 2 * 16, jb : 8)"
      " check(qr(A, apply_q(ib, A, W)))");
  ASSERT_EQ(algorithm.shapes.size(), 3u);
  EXPECT_EQ(print(*algorithm.shapes[0].tileRows) + ", " + print(*algorithm.shapes[0].tileCols), "ib, A.nb()");
  EXPECT_EQ(print(*algorithm.shapes[1].tileRows), "nb");
  EXPECT_FALSE(algorithm.shapes[1].tileCols || algorithm.shapes[2].tileRows || algorithm.shapes[2].tileCols);
  ASSERT_EQ(algorithm.tunes.size(), 2u);
  EXPECT_EQ(algorithm.tunes[0].name, "ib");
  EXPECT_EQ(printAll(algorithm.tunes[0].candidates), "16; 2 * 16");
  EXPECT_EQ(algorithm.tunes[1].name, "jb");
  EXPECT_EQ(printAll(algorithm.tunes[1].candidates), "8");
  EXPECT_EQ(printAll(algorithm.check->arguments), "A; apply_q(ib, A, W)");
}

TEST(Annotations, EveryPartKnowsItsOffset) {
  //                        0         1         2         3         4         5
  //                        012345678901234567890123456789012345678901234567890123456789
  const std::string text = " algorithm  input( A : spd(n + 1) )  check(  llt(A)) default(k : (1))";
  const auto algorithm = parsed<AlgorithmAnnotation>(text);
  EXPECT_EQ(algorithm.inputs[0].offset, text.find("A :"));
  EXPECT_EQ(algorithm.inputs[0].generator.offset, text.find("spd"));
  EXPECT_EQ(algorithm.inputs[0].generator.arguments[0].offset, text.find("n +"));
  EXPECT_EQ(algorithm.check->offset, text.find("llt"));
  EXPECT_EQ(algorithm.check->arguments[0].offset, text.find("A))"));
  EXPECT_EQ(algorithm.defaults[0].offset, text.find("k :"));
  EXPECT_EQ(algorithm.defaults[0].value.offset, text.find("(1)"));

  const std::string priority = "task priority( -a + (b - c) * d.nt(x) )";
  const Expr sum = *parsed<TaskAnnotation>(priority).priority;
  EXPECT_EQ(sum.offset, priority.find("-a"));
  EXPECT_EQ(sum.operands[0].operands[0].offset, priority.find("a +"));
  const Expr &product = sum.operands[1];
  EXPECT_EQ(product.offset, priority.find("(b"));
  EXPECT_EQ(product.operands[0].operands[1].offset, priority.find("c)"));
  EXPECT_EQ(product.operands[1].offset, priority.find("d."));
  EXPECT_EQ(product.operands[1].operands[1].offset, priority.find("x)"));
}

TEST(Annotations, BlanksJoinedLinesAndTabs) {
  const auto task = parsed<TaskAnnotation>("\ttask\\\n  priority ( a\t+ \\\r\n b )\n");
  EXPECT_EQ(print(*task.priority), "a + b");
}

TEST(AnnotationExpr, CanonicalTextParsesBackToItself) {
  for (const char *text : {"a - b - c",
                           "a - (b - c)",
                           "(a + b) * c % d",
                           "a * (b / c)",
                           "-a * -b",
                           "-(a + b)",
                           "-(-a)",
                           "a - -b",
                           "!(a && b) || !c",
                           "(a || b) && c",
                           "a || b && c",
                           "a == b != c",
                           "a <= b == c >= d",
                           "a < (b == c)",
                           "a ? b : c ? d : e",
                           "(a ? b : c) ? d : e",
                           "a ? b ? c : d : e",
                           "min(a, max(b, 3))",
                           "f()",
                           "A.nt() - 1",
                           "A(i, j).lower().x(1, 2)",
                           "(a + b).nt()",
                           "A.panel(i0, i1 + 1, j)",
                           "2 + 0.5 + 1e-3 + .5 + 2. + 1.5E+10",
                           "k < n && opA == NoTrans",
                           "_x1 > 2 ? -k : k"})
    EXPECT_EQ(print(expression(text)), text);
}

TEST(AnnotationExpr, DropsNeedlessParentheses) {
  EXPECT_EQ(print(expression("((a))*(b)")), "a * b");
  EXPECT_EQ(print(expression("(a*b)+(c?d:e)")), "a * b + (c ? d : e)");
  EXPECT_EQ(print(expression("(a+b)+c")), "a + b + c");
  EXPECT_EQ(print(expression("a?(b):(c?d:e)")), "a ? b : c ? d : e");
  EXPECT_EQ(print(expression("- - a")), "-(-a)");
  EXPECT_EQ(print(expression("a<b")), "a < b");
}

TEST(AnnotationExpr, GroupsAsCxx) {
  const Expr expr = expression("a - b * c - d");
  EXPECT_EQ(expr.kind, Expr::Kind::Binary);
  EXPECT_EQ(expr.text, "-");
  EXPECT_EQ(print(expr.operands[0]), "a - b * c");
  EXPECT_EQ(print(expr.operands[1]), "d");
  const Expr member = expression("A(i, j).upper()");
  EXPECT_EQ(member.kind, Expr::Kind::Member);
  EXPECT_EQ(member.text, "upper");
  EXPECT_EQ(member.operands[0].kind, Expr::Kind::Call);
  EXPECT_EQ(member.operands[0].operands.size(), 2u);
  EXPECT_EQ(expression("!a").kind, Expr::Kind::Unary);
  EXPECT_EQ(expression("a != b").text, "!=");
  EXPECT_EQ(expression("1e-3").kind, Expr::Kind::Number);
  EXPECT_EQ(expression("f(1)").text, "f");
  EXPECT_EQ(expression("a ? b : c").operands.size(), 3u);
}
