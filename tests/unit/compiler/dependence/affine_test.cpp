#include "compiler/dependence/affine.hpp"
#include "tests/ir_text/parse.hpp"
#include "tests/unit/compiler/dependence/isl_literals.hpp"
#include "tests/unit/compiler/dependence/programs.hpp"

#include <gtest/gtest.h>

namespace hetc::dependence {
namespace {

class AffineTest : public ::testing::Test {
protected:
  ir::ExprRef expr(const std::string &text) { return std::get<ir::ExprRef>(ir::parseExpr(text)); }
  AffineTranslator translator() {
    AffineTranslator result(ctx_.get(), program_);
    result.enter("i");
    result.enter("j");
    return result;
  }
  /// { [] -> [value] } as { [value] }.
  isl::set value(const std::string &text) { return translator().value(*expr(text)).as_set(); }
  isl::set condition(const std::string &text) { return translator().condition(*expr(text)); }
  std::string reasonFor(const std::string &text) {
    try {
      value(text);
    } catch (const NonAffine &reason) {
      return reason.reason;
    }
    return "affine";
  }

  ContextOwner ctx_ = makeContext();
  ir::Program program_ = test::parse(R"(
    program p(A, B, C, opA, p, alpha) type d source "p.tla" {
      size m
      size n
      Matrix<d> A(opA == NoTrans ? m : n, min(m, n))
      LowerMatrix<d> B(m + n, m + n)
      Matrix<d> C(m, 1)
      Workspace<d> W(A.mt() * A.nb(), A.n(), A.nb())
      Op opA
      int p
      T alpha
      kernel f<T>(rw a)
      task 0 f(rw C(0, 0))
    })");
};

TEST_F(AffineTest, Arithmetic) {
  EXPECT_TRUE(test::isEqual(value("2 * (i - 3) + j * 4 - p"), "[i, j, p] -> { [2i - 6 + 4j - p] }"));
  EXPECT_TRUE(test::isEqual(value("min(i, j)"), "[i, j] -> { [i] : i <= j; [j] : j < i }"));
  EXPECT_TRUE(test::isEqual(value("max(i, 0)"), "[i] -> { [i] : i >= 0; [0] : i < 0 }"));
  EXPECT_TRUE(test::isEqual(value("-i"), "[i] -> { [-i] }"));
  EXPECT_TRUE(test::isEqual(value("i < j ? i : 7"), "[i, j] -> { [i] : i < j; [7] : i >= j }"));
  EXPECT_TRUE(test::isEqual(value("i + (i < j)"), "[i, j] -> { [i + 1] : i < j; [i] : i >= j }"));
}

// C's division truncates; every sign of both operands, against the IR's own evaluation.
TEST_F(AffineTest, DivisionTruncates) {
  for (const std::string divisor : {"1", "3", "-2", "(5 - 1)"})
    for (const std::string operation : {"/", "%"}) {
      const ir::ExprRef division = expr("i " + operation + " " + divisor);
      const isl::pw_aff affine = translator().value(*division);
      for (int i = -9; i <= 9; ++i) {
        const isl::set here(ctx_.get(), "[i] -> { : i = " + std::to_string(i) + " }");
        ir::Environment environment;
        environment.variables["i"] = i;
        EXPECT_EQ(affine.intersect_params(here).max_val().num_si(), *ir::evaluate(*division, environment))
            << ir::print(*division) << " for i = " << i;
      }
    }
}

TEST_F(AffineTest, Conditions) {
  EXPECT_TRUE(test::isEqual(condition("i < j && !(i == 2)"), "[i, j] -> { : i < j and i != 2 }"));
  EXPECT_TRUE(test::isEqual(condition("i != j || i >= 0"), "[i, j] -> { : i != j or i >= 0 }"));
  EXPECT_TRUE(test::isEqual(condition("i % 2"), "[i] -> { : i mod 2 = 1 }"));
  EXPECT_TRUE(test::isEqual(condition("opA == ConjTrans"), "[opA] -> { : opA = 113 }"));
}

TEST_F(AffineTest, TileCountsFollowShapes) {
  EXPECT_TRUE(test::isEqual(value("A.mt()"), "[opA, T_m, T_n] -> { [T_m] : opA = 111; [T_n] : opA != 111 }"));
  EXPECT_TRUE(test::isEqual(value("A.nt()"), "[T_m, T_n] -> { [T_m] : T_m <= T_n; [T_n] : T_n < T_m }"));
  EXPECT_TRUE(test::isEqual(value("C.nt()"), "{ [1] }"));
  EXPECT_TRUE(test::isEqual(value("B.mt() - B.nt()"), "{ [0] }")) << "equal shapes share a parameter";
  EXPECT_TRUE(test::isEqual(value("B.mt()"), "[B_mt] -> { [B_mt] }"));
  EXPECT_TRUE(test::isEqual(value("W.mt() - A.mt()"), "[opA] -> { [0] }")) << "as many tiles' elements";
  EXPECT_TRUE(test::isEqual(value("W.nt() - A.nt()"), "{ [0] }"));
  EXPECT_TRUE(test::isEqual(value("B.m() - C.m()"), "[n] -> { [n] }"));
  EXPECT_TRUE(test::isEqual(value("A.nb()"), "[nb] -> { [nb] }"));
}

TEST_F(AffineTest, NotAffine) {
  EXPECT_EQ(reasonFor("1 + i * j"), "'i * j' is not affine");
  EXPECT_EQ(reasonFor("i / j"), "'i / j' is not affine: the divisor is not a constant");
  EXPECT_EQ(reasonFor("i % p + 1"), "'i % p' is not affine: the divisor is not a constant");
  EXPECT_EQ(reasonFor("i / 0"), "'i / 0' divides by zero");
  EXPECT_EQ(reasonFor("alpha"), "'alpha' is not an integer");
  EXPECT_EQ(reasonFor("2 * i"), "affine");
}

TEST_F(AffineTest, ContextBoundsParametersInOrder) {
  AffineTranslator translator = this->translator();
  for (const char *text : {"opA == NoTrans", "C.m() + p", "A.nb() + C.mt() + A.nt()"})
    translator.value(*expr(text));
  const isl::set context = translator.parameters().context(ctx_.get());
  EXPECT_TRUE(test::isEqual(context, "[T_m, T_n, m, nb, p, opA] -> { : 0 <= T_m <= m and T_n >= 0 and nb >= 1 and "
                                     "111 <= opA <= 113 }"));
  std::string names;
  for (const Parameter &parameter : translator.parameters().ordered())
    names += parameter.name + " ";
  EXPECT_EQ(names, "T_m T_n m nb p opA ");
}

TEST_F(AffineTest, ParametersGiveWayToTheProgramsNames) {
  AffineTranslator translator = this->translator();
  ir::Program program = test::parse(R"(
    program p(A, T_m) type d source "p.tla" {
      size m
      Matrix<d> A(m, m)
      int T_m
      kernel f<T>(rw a)
      for (int nb = 0; nb < A.mt(); ++nb) {
        task 0 f(rw A(nb, 0))
      }
    })");
  AffineTranslator other(ctx_.get(), program);
  EXPECT_TRUE(test::isEqual(other.value(*expr("A.mt() - T_m + A.nb()")).as_set(),
                            "[T_m, T_m_, nb_] -> { [T_m_ - T_m + nb_] }"));
}

} // namespace
} // namespace hetc::dependence
