#include "dsl/annotations/annotation.hpp"
#include "dsl/annotations/suggest.hpp"

#include <gtest/gtest.h>

#include <random>

using namespace hetc::annotations;

namespace {
/// "offset+length: message", then " -> replacement" if there is one.
std::string errorOf(const std::string &text) {
  const auto result = parseAnnotation(text);
  const auto *error = std::get_if<SyntaxError>(&result);
  if (!error)
    return "none";
  return std::to_string(error->offset) + "+" + std::to_string(error->length) + ": " + error->message +
         (error->replacement ? " -> " + *error->replacement : "");
}
} // namespace

TEST(AnnotationErrors, Kinds) {
  EXPECT_EQ(errorOf(""), "0+0: expected algorithm, task, kernel or split after '#pragma tla'");
  EXPECT_EQ(errorOf("  \t "), "4+0: expected algorithm, task, kernel or split after '#pragma tla'");
  EXPECT_EQ(errorOf(" (task)"), "1+0: expected algorithm, task, kernel or split after '#pragma tla'");
  EXPECT_EQ(errorOf(" tsk"), "1+3: unknown annotation 'tsk'; did you mean 'task'? -> task");
  EXPECT_EQ(errorOf("algoritm input(A : spd)"),
            "0+8: unknown annotation 'algoritm'; did you mean 'algorithm'? -> algorithm");
  EXPECT_EQ(errorOf("tasks"), "0+5: unknown annotation 'tasks'; did you mean 'task'? -> task");
  EXPECT_EQ(errorOf("parallel for"), "0+8: unknown annotation 'parallel'; known are algorithm, task, kernel, split");
}

TEST(AnnotationErrors, Clauses) {
  EXPECT_EQ(errorOf("task priorty(k)"), "5+7: unknown clause 'priorty'; did you mean 'priority'? -> priority");
  EXPECT_EQ(errorOf("task realese(A(1, 1))"), "5+7: unknown clause 'realese'; did you mean 'release'? -> release");
  EXPECT_EQ(errorOf("task depend(A)"), "5+6: unknown clause 'depend'; known are priority, device, bound, at, release");
  EXPECT_EQ(errorOf("kernel flop(1)"), "7+4: unknown clause 'flop'; did you mean 'flops'? -> flops");
  EXPECT_EQ(errorOf("kernel require(1)"), "7+7: unknown clause 'require'; did you mean 'requires'? -> requires");
  EXPECT_EQ(errorOf("kernel aliases(A, B)"), "7+7: unknown clause 'aliases'; did you mean 'alias'? -> alias");
  EXPECT_EQ(errorOf("kernel alias(A, B, A)"), "19+1: 'A' is given twice in 'alias'");
  EXPECT_EQ(errorOf("kernel alias(A)"), "14+0: expected ',' between parameters that may be one tile");
  EXPECT_EQ(errorOf("kernel alias(1, A)"), "13+0: expected the name of a parameter");
  const std::string library = "a library is named without lib, suffix and -l, or by a path with a '/' -> z";
  EXPECT_EQ(errorOf("kernel link(\"libz.so\")"), "13+7: " + library);
  EXPECT_EQ(errorOf("kernel link(\"m\", \"libz.a\")"), "18+6: " + library);
  EXPECT_EQ(errorOf("kernel link(\"-lz\")"), "13+3: " + library);
  EXPECT_EQ(errorOf("kernel link(\"-O2\")"), "13+3: '-O2' is an option of the linker, not the name of a library");
  for (const char *nothing : {"kernel link(z)", "kernel link()", "kernel link(\"\")", "kernel link(\"z)"})
    EXPECT_EQ(errorOf(nothing), "12+0: expected the name of a library in quotes, as in link(\"lapacke\")");
  EXPECT_EQ(errorOf("kernel requires()"), "16+0: expected an expression");
  EXPECT_EQ(errorOf("task alias(A, B)"), "5+5: clause 'alias' belongs to 'kernel', not to 'task'");
  EXPECT_EQ(errorOf("algorithm inputs(A : spd)"), "10+6: unknown clause 'inputs'; did you mean 'input'? -> input");
  EXPECT_EQ(errorOf("task flops(1)"), "5+5: clause 'flops' belongs to 'kernel', not to 'task'");
  EXPECT_EQ(errorOf("algorithm bound(memory)"), "10+5: clause 'bound' belongs to 'task', not to 'algorithm'");
  EXPECT_EQ(errorOf("kernel check(llt(A))"), "7+5: clause 'check' belongs to 'algorithm', not to 'kernel'");
  EXPECT_EQ(errorOf("task priority(1) bound(memory) priority(2)"), "31+8: clause 'priority' is given twice");
  EXPECT_EQ(errorOf("kernel bound(memory) bound(compute)"), "21+5: clause 'bound' is given twice");
  EXPECT_EQ(errorOf("algorithm check(a) check(b)"), "19+5: clause 'check' is given twice");
  EXPECT_EQ(errorOf("algorithm input(A : spd, B : x, A : y)"), "32+1: 'A' is given twice in 'input'");
  EXPECT_EQ(errorOf("algorithm shape(A(n, n), A(n, n))"), "25+1: 'A' is given twice in 'shape'");
  EXPECT_EQ(errorOf("algorithm default(k : 1, k : 2)"), "25+1: 'k' is given twice in 'default'");
  EXPECT_EQ(errorOf("task priority(1) 5"), "17+0: expected a clause or the end of the line");
  EXPECT_EQ(errorOf("task priority(1))"), "16+0: expected a clause or the end of the line");
  EXPECT_EQ(errorOf("task, priority(1)"), "4+0: expected a clause or the end of the line");
  EXPECT_EQ(errorOf("task $"), "5+0: expected a clause or the end of the line");
}

TEST(AnnotationErrors, Values) {
  EXPECT_EQ(errorOf("task device(cpu)"), "12+3: unknown device 'cpu'; known are host, gpu, any");
  EXPECT_EQ(errorOf("task bound(cache)"), "11+5: unknown bound 'cache'; known are compute, memory");
  EXPECT_EQ(errorOf("kernel info(go)"), "12+2: unknown reaction to info 'go'; known are stop, continue");
  EXPECT_EQ(errorOf("kernel info()"), "12+0: expected stop or continue");
  EXPECT_EQ(errorOf("task device()"), "12+0: expected host, gpu or any");
  EXPECT_EQ(errorOf("kernel bound( 3 )"), "14+0: expected compute or memory");
  EXPECT_EQ(errorOf("task at(k)"), "8+1: expected a tile such as A(i, j)");
  EXPECT_EQ(errorOf("task at(A(i))"), "8+4: expected a tile such as A(i, j)");
  EXPECT_EQ(errorOf("task at(A(i, j).left())"), "8+14: expected a tile such as A(i, j)");
  EXPECT_EQ(errorOf("task at(A(i, j).panel(1, 2, 3))"), "8+22: expected a tile such as A(i, j)");
  EXPECT_EQ(errorOf("task release(A(i, j), 1 + 2 )"), "22+5: expected a tile such as A(i, j)");
}

TEST(AnnotationErrors, Punctuation) {
  EXPECT_EQ(errorOf("task priority"), "13+0: expected '(' after 'priority'");
  EXPECT_EQ(errorOf("task priority(k"), "15+0: expected ')' to close 'priority('");
  EXPECT_EQ(errorOf("task priority(k bound(memory)"), "16+0: expected ')' to close 'priority('");
  EXPECT_EQ(errorOf("task device(gpu, host)"), "15+0: expected ')' to close 'device('");
  EXPECT_EQ(errorOf("task release(A(i, j)"), "20+0: expected ')' to close 'release('");
  EXPECT_EQ(errorOf("task release(A(i, j),)"), "21+0: expected an expression");
  EXPECT_EQ(errorOf("task release()"), "13+0: expected an expression");
  EXPECT_EQ(errorOf("algorithm input()"), "16+0: expected the name of a matrix");
  EXPECT_EQ(errorOf("algorithm input(A)"), "17+0: expected ':' between a matrix and its generator");
  EXPECT_EQ(errorOf("algorithm input(A : )"), "20+0: expected the name of a generator");
  EXPECT_EQ(errorOf("algorithm input(A : spd, )"), "25+0: expected the name of a matrix");
  EXPECT_EQ(errorOf("algorithm input(A : matern(1)"), "29+0: expected ')' to close 'input('");
  EXPECT_EQ(errorOf("algorithm check()"), "16+0: expected the name of a check");
  EXPECT_EQ(errorOf("algorithm check(llt(A)"), "22+0: expected ')' to close 'check('");
  EXPECT_EQ(errorOf("algorithm check(llt(A"), "21+0: expected ')' to close the arguments");
  EXPECT_EQ(errorOf("algorithm shape(A)"), "17+0: expected '(' before the rows and columns");
  EXPECT_EQ(errorOf("algorithm shape(A(n))"), "19+0: expected ',' between rows and columns");
  EXPECT_EQ(errorOf("algorithm shape(A(n, n, n, n, n))"), "28+0: expected ')' after the sizes");
  EXPECT_EQ(errorOf("algorithm shape(W(1, 2, 3,))"), "26+0: expected an expression");
  EXPECT_EQ(errorOf("algorithm tune(ib = 1)"), "18+0: expected ':' between a name and its candidates");
  EXPECT_EQ(errorOf("algorithm tune(ib : 1 |)"), "23+0: expected an expression");
  EXPECT_EQ(errorOf("algorithm tune(ib : 1, 2)"), "23+0: expected the name of a parameter");
  EXPECT_EQ(errorOf("algorithm tune(ib : 1, ib : 2)"), "23+2: 'ib' is given twice in 'tune'");
  EXPECT_EQ(errorOf("algorithm shape()"), "16+0: expected the name of a matrix");
  EXPECT_EQ(errorOf("algorithm default(k = 1)"), "20+0: expected ':' between a name and its value");
  EXPECT_EQ(errorOf("algorithm default(1 : k)"), "18+0: expected the name of a parameter");
}

TEST(AnnotationErrors, Expressions) {
  const auto error = [](const std::string &expr) { return errorOf("task priority(" + expr + ")"); };
  EXPECT_EQ(error(""), "14+0: expected an expression");
  EXPECT_EQ(error("a + "), "18+0: expected an expression");
  EXPECT_EQ(error("a * * b"), "18+0: expected an expression");
  EXPECT_EQ(error("a && "), "19+0: expected an expression");
  EXPECT_EQ(error("a ? b"), "19+0: expected ':' between the branches of '?'");
  EXPECT_EQ(error("a ? : b"), "18+0: expected an expression");
  EXPECT_EQ(error("--a"), "14+0: expected an expression");
  EXPECT_EQ(error("-"), "15+0: expected an expression");
  EXPECT_EQ(error("A.nt"), "18+0: expected '(' to call the member");
  EXPECT_EQ(error("A.1()"), "16+0: expected the name of a member after '.'");
  EXPECT_EQ(error("f(a, )"), "19+0: expected an expression");
  EXPECT_EQ(error("f(a b)"), "18+0: expected ')' to close the arguments");
  EXPECT_EQ(error("2 .m() * k"), "14+1: the number 2 has no members");
  EXPECT_EQ(error("(2).m()"), "14+1: the number 2 has no members");
  EXPECT_EQ(error("5x"), "14+0: expected a number such as 2, 0.5 or 1e-3");
  EXPECT_EQ(error("1.2.3"), "14+0: expected a number such as 2, 0.5 or 1e-3");
  EXPECT_EQ(error("a = b"), "16+0: expected ')' to close 'priority('");
  EXPECT_EQ(errorOf("task priority((a + b)"), "21+0: expected ')' to close 'priority('");
  EXPECT_EQ(errorOf("task priority((a + b"), "20+0: expected ')' to close '('");
}

TEST(AnnotationErrors, ExcessIsAnErrorToo) {
  EXPECT_EQ(errorOf("task priority(" + std::string(200, '(')), "113+1: the expression is nested too deep");
  EXPECT_EQ(errorOf("task priority(" + std::string(200, '!')), "114+1: the expression is nested too deep");
  EXPECT_EQ(errorOf("task priority(" + std::string(9000, ' ')),
            "8192+0: the annotation is longer than 8192 characters");
  std::string sum = "task priority(1";
  for (int i = 0; i < 4000; ++i)
    sum += "+1";
  EXPECT_EQ(errorOf(sum + ")"), "none");
}

// Whatever happens to valid text, there is an annotation or an error inside the text; the sanitizers watch.
TEST(AnnotationErrors, SurvivesDamagedText) {
  std::mt19937 random(1);
  const std::string texts[] = {
      "task priority(-k + min(a, 2)) device(gpu) bound(memory) at(A(i, j)) release(A(k, k), B(i, 0).lower())",
      "algorithm shape(A(opA == NoTrans ? m : k, n), C(m, n)) default(k : 1, alpha : -0.5) input(A : m(0.1)) "
      "check(g(A, apply_q(ib, A, W))) tune(ib : 16 | 32, h : 4)",
      "kernel flops((op == NoTrans ? A.n() : A.m()) * C.n() * (C.n() + 1) / 3.0) bound(compute) info(continue)"};
  for (const std::string &text : texts)
    for (int round = 0; round < 4000; ++round) {
      std::string damaged = text.substr(0, round % 4 ? text.size() : random() % text.size());
      for (unsigned count = random() % 3; count > 0 && !damaged.empty(); --count) {
        const std::size_t at = random() % damaged.size(), other = random() % text.size();
        if (random() % 2)
          damaged[at] = random() % 2 ? static_cast<char>(random()) : text[other];
        else
          damaged.insert(at, text.substr(other, 1 + random() % 12));
      }
      const auto result = parseAnnotation(damaged);
      if (const auto *error = std::get_if<SyntaxError>(&result)) {
        EXPECT_LE(error->offset + error->length, damaged.size()) << damaged;
        EXPECT_FALSE(error->message.empty()) << damaged;
      }
    }
}
